/*
 * sweep_parts.h: boxes sorted on one axis, in strips; only for the sweep_*.c files.
 *
 *      sweep.c          the table of functions: making and ending, figures, checks
 *      sweep_change.c   inserting, removing and moving single boxes
 *      sweep_query.c    queries
 *      sweep_cast.c     casts
 *      sweep_join.c     pairs
 *      sweep_order.c    the order: made anew, and repaired before a question is answered
 *      sweep_plan.c     which axis is sorted, and where the strips are
 *      sweep_sort.c     sorting what is nearly sorted
 *
 * Boxes stand in lanes: arrays of float bounds, of which eight are tested at a time, from any lane
 * on. Their first axis, ALONG, is the one that is sorted; the second, ACROSS, is cut into strips.
 * Which axes of the world these are is chosen to suit the boxes. A box is in the one strip that its
 * minimum corner falls into, however far it reaches. Behind the strips comes the tail: boxes that
 * have no place in the order yet.
 *
 *      strip 0        pad       strip 1            pad       tail     pad
 *      3 5 5 8 x 9 9  + + + +   0 1 1 2 7 8 8 9    + + + +   6 2 8 4  + + + +
 *
 * Empty lanes (+) keep a test of eight lanes from running over into the next strip. A dead lane (x)
 * is what a box leaves behind: it keeps its minimum, for the order, but meets nothing.
 *
 * Edges of strips say where boxes are put, not where they stay: what a strip really spans is kept
 * in it. So a box may cross an edge by some way before it has to change its strip.
 *
 * Most boxes are about as long as others. Those longer than `reach` on the axis are listed, so that
 * whoever asks for what overlaps x need not look farther back than x - reach, and then at that
 * list.
 */
#ifndef BS_SWEEP_PARTS_H
#define BS_SWEEP_PARTS_H

#include <assert.h>

#include "backend.h"

#pragma GCC visibility push(hidden)

#define BS_SWEEP_NOBODY UINT32_MAX /* the id of a lane without a box; the position of no box */

enum { BS_SWEEP_ALONG, BS_SWEEP_ACROSS }; /* axes of lanes */

enum {
    BS_SWEEP_PAD = 2 * BS_LANES + 1, /* as far as is looked ahead from the last lane of a strip */
    BS_SWEEP_NEAR = 48               /* lanes that a box may be moved by to restore the order */
};
static_assert(BS_SWEEP_PAD > 2 * (int)BS_LANES, "two tests of eight, and the lane behind them");

typedef struct bs_sweep_lanes {
    float *lo[DIM]; /* by axis of lanes */
    float *hi[DIM];
    uint32_t *id;
} bs_sweep_lanes;

typedef struct bs_sweep_strip {
    uint32_t begin, end; /* its lanes */
    uint32_t long_begin; /* its part of the list of long boxes ends where the next one's begins */
    uint32_t cursor;     /* of the merge that is going on: see sweep_join.c */
    float edge;          /* boxes from here to the next strip's edge are put here */
    float low, high;     /* what its boxes span across the strips */
    float least, most;   /* the least `low` from here on, the greatest `high` up to here */
} bs_sweep_strip;

typedef struct bs_sweep_item {
    float key;
    uint32_t box;
} bs_sweep_item;

typedef struct bs_sweeper {
    bs_backend base;
    bs_sweep_lanes lane;
    size_t lo_cap[DIM], hi_cap[DIM], id_cap;
    size_t room;        /* lanes that all of the arrays have: they differ once memory has run out */
    uint32_t *position; /* by box: its lane */
    size_t position_cap;

    bs_sweep_strip *strip;
    size_t strips, strip_cap;
    size_t tail, end; /* the lanes of the tail */
    size_t dead;
    bs_list long_boxes; /* those in strips that are longer than `reach`, strip by strip */

    /* The plan: chosen from a sample of the boxes, and kept until it suits them no more. */
    int fixed_axis; /* -1: none */
    int axis[DIM];  /* the world's, by axis of lanes */
    float reach;
    float slack;    /* how far a box may be beyond its strip's edges */
    size_t planned; /* boxes there were */
    double effort;  /* tests by box and pair, soon after; 0: not known yet */
    bool replan;

    bool stale;     /* lanes may have other bounds than their boxes now */
    bool misplaced; /* too many boxes are beyond their strip's edges */
    bool touched;   /* something has changed since the order was last looked after */
    size_t changes; /* boxes updated since then */
    size_t rebuilds;
    size_t asked; /* boxes of the tail that were looked up for pairs, since the last one */

    bs_sweep_item *item;  /* for sorting: one for each box ... */
    bs_sweep_item *spare; /* ... and for each of the longest strip */
    size_t item_cap, spare_cap;
    bs_list found; /* what one box has met */
} bs_sweeper;

static inline bs_sweeper *bs_sweep_of(bs_backend *backend) {
    return (bs_sweeper *)backend;
}

/* --- lanes ---------------------------------------------------------------------------------- */

BS_HOT bs_bounds bs_sweep_get(const bs_sweep_lanes *lane, size_t at) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = lane->lo[k][at];
        b.hi[k] = lane->hi[k][at];
    }
    return b;
}

/* The bounds of the eight lanes from `at` on. */
BS_HOT bs_eight bs_sweep_eight(const bs_sweep_lanes *lane, size_t at) {
    bs_eight eight;
    for (int k = 0; k < DIM; k++) {
        eight.lo[k] = lane->lo[k] + at;
        eight.hi[k] = lane->hi[k] + at;
    }
    return eight;
}

BS_HOT void bs_sweep_set(bs_sweep_lanes *lane, size_t at, const bs_bounds *b, uint32_t id) {
    for (int k = 0; k < DIM; k++) {
        lane->lo[k][at] = b->lo[k];
        lane->hi[k][at] = b->hi[k];
    }
    lane->id[at] = id;
}

/* Puts a box into a lane. */
static inline void bs_sweep_put(bs_sweeper *s, size_t at, const bs_bounds *b, uint32_t box) {
    assert(at < s->room && box < s->position_cap);
    bs_sweep_set(&s->lane, at, b, box);
    s->position[box] = (uint32_t)at;
}

static inline void bs_sweep_copy(bs_sweeper *s, size_t from, size_t to) {
    assert(from != to && from < s->room && to < s->room);
    bs_bounds b = bs_sweep_get(&s->lane, from);
    uint32_t box = s->lane.id[from];
    bs_sweep_set(&s->lane, to, &b, box);
    if (box != BS_SWEEP_NOBODY) {
        s->position[box] = (uint32_t)to;
    }
}

static inline void bs_sweep_clear(bs_sweeper *s, size_t begin, size_t end) {
    assert(begin <= end && end <= s->room);
    bs_bounds empty = bs_bounds_empty();
    for (size_t at = begin; at < end; at++) {
        bs_sweep_set(&s->lane, at, &empty, BS_SWEEP_NOBODY);
    }
}

/* The bounds of a rect, by axis of lanes. */
BS_HOT bs_bounds bs_sweep_bounds_of(const bs_rect *r, const int axis[DIM]) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = bs_round(r->pos[axis[k]]);
        b.hi[k] = bs_round(bs_far(r, axis[k]));
        assert(b.lo[k] <= b.hi[k]);
    }
    return b;
}

BS_HOT bs_bounds bs_sweep_bounds(const bs_sweeper *s, uint32_t box) {
    assert(box < s->base.boxes->cap);
    return bs_sweep_bounds_of(&s->base.boxes->rect[box], s->axis);
}

/* One more lane at the tail; BS_SWEEP_NOBODY if there is no room, which bs_sweep_reserve makes. */
static inline size_t bs_sweep_extend(bs_sweeper *s) {
    assert(s->tail <= s->end);
    if (s->end + 1 + BS_SWEEP_PAD > s->room) {
        return BS_SWEEP_NOBODY;
    }
    bs_sweep_clear(s, s->end + BS_SWEEP_PAD, s->end + BS_SWEEP_PAD + 1);
    return s->end++;
}

/*
 * Makes lane `at` free for a box whose minimum is `key`, one step of an insertion sort: returns the
 * lane that is to hold it. The lanes from `begin` to `at` are sorted.
 */
static inline size_t bs_sweep_open(bs_sweeper *s, size_t begin, size_t at, float key) {
    assert(begin <= at && at < s->tail);
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    while (at > begin && lo[at - 1] > key) {
        bs_sweep_copy(s, at - 1, at);
        at--;
    }
    return at;
}

/*
 * How many boxes the tail may hold when a question comes that looks through all of it. A question
 * pays for a long tail, n / 8 tests; making the order anew, O(count), pays for a short one.
 */
static inline size_t bs_sweep_tail_limit(const bs_sweeper *s) {
    return 128 + s->base.count / 256;
}

/* --- searching ------------------------------------------------------------------------------ */

/* The first lane from begin to end whose value is >= x, or `end`. */
static inline size_t bs_sweep_lower(const float *value, size_t begin, size_t end, float x) {
    for (size_t n = end - begin; n > 0;) { /* branch-free inside: the answer is a coin toss */
        size_t half = (n + 1) / 2;
        begin += value[begin + half - 1] < x ? half : 0;
        n -= half;
    }
    assert(begin == end || (begin < end && value[begin] >= x));
    return begin;
}

/* The first lane from begin to end for which value - less > x, or `end`. */
static inline size_t bs_sweep_upper(const float *value, size_t begin, size_t end, float less,
                                    float x) {
    for (size_t n = end - begin; n > 0;) {
        size_t half = (n + 1) / 2;
        begin += value[begin + half - 1] - less <= x ? half : 0;
        n -= half;
    }
    assert(begin == end || (begin < end && !(value[begin] - less <= x)));
    return begin;
}

static inline bool bs_sweep_in_strip(const bs_sweep_strip *strip, size_t at) {
    return strip->begin <= at && at < strip->end;
}

/* Where the part of a strip in the list of long boxes ends. */
static inline size_t bs_sweep_long_end(const bs_sweeper *s, const bs_sweep_strip *strip) {
    assert(strip >= s->strip && strip < s->strip + s->strips);
    assert(strip->long_begin <= s->long_boxes.n);
    return strip + 1 < s->strip + s->strips ? strip[1].long_begin : s->long_boxes.n;
}

/* The upper edge of a strip. */
static inline float bs_sweep_upper_edge(const bs_sweeper *s, const bs_sweep_strip *strip) {
    assert(strip >= s->strip && strip < s->strip + s->strips);
    return strip + 1 < s->strip + s->strips ? strip[1].edge : INFINITY;
}

/* True if y is between the strip's edges, or beyond them by no more than the slack. */
static inline bool bs_sweep_is_near(const bs_sweeper *s, const bs_sweep_strip *strip, float y,
                                    float slack) {
    return y >= strip->edge - slack && y <= bs_sweep_upper_edge(s, strip) + slack;
}

/* The first strip that may hold something that reaches x, and the first that begins behind x. */
static inline size_t bs_sweep_first_reaching(const bs_sweeper *s, float x) {
    size_t first = 0;
    for (size_t n = s->strips; n > 0;) {
        size_t half = (n + 1) / 2;
        first += s->strip[first + half - 1].most < x ? half : 0;
        n -= half;
    }
    assert(first == s->strips || s->strip[first].most >= x);
    return first;
}
static inline size_t bs_sweep_first_behind(const bs_sweeper *s, float x) {
    size_t first = 0;
    for (size_t n = s->strips; n > 0;) {
        size_t half = (n + 1) / 2;
        first += s->strip[first + half - 1].least <= x ? half : 0;
        n -= half;
    }
    assert(first == s->strips || s->strip[first].least > x);
    return first;
}

/* --- functions, by file --------------------------------------------------------------------- */

/* sweep_sort.c */
#define bs_sweep_sort BS_VARIANT(bs_sweep_sort)
/* By key; stable. `spare` has room for n items, too. */
void bs_sweep_sort(bs_sweep_item *item, size_t n, bs_sweep_item *spare);

/* sweep_plan.c */
#define bs_sweep_use_axis BS_VARIANT(bs_sweep_use_axis)
#define bs_sweep_make_plan BS_VARIANT(bs_sweep_make_plan)
/* Puts the world's axis k at place `to` of those of the lanes. */
void bs_sweep_use_axis(bs_sweeper *s, int to, int k);
/*
 * Chooses axes, strips and `reach` for the n boxes in the first lanes; there must be room for as
 * many items. False: no memory; the old plan, if there was one, stays.
 */
bool bs_sweep_make_plan(bs_sweeper *s, size_t n);

/* sweep_order.c */
#define bs_sweep_reserve BS_VARIANT(bs_sweep_reserve)
#define bs_sweep_tidy BS_VARIANT(bs_sweep_tidy)
/* Room for `lanes` lanes, padding included. False: no memory. */
bool bs_sweep_reserve(bs_sweeper *s, size_t lanes);
/*
 * To be called before any question is answered; `tail` is how many boxes the tail may hold. False:
 * no memory; nothing is lost.
 */
bool bs_sweep_tidy(bs_sweeper *s, size_t tail);

/* sweep_change.c */
#define bs_sweep_insert BS_VARIANT(bs_sweep_insert)
#define bs_sweep_remove BS_VARIANT(bs_sweep_remove)
#define bs_sweep_update BS_VARIANT(bs_sweep_update)
bool bs_sweep_insert(bs_backend *backend, uint32_t box);
void bs_sweep_remove(bs_backend *backend, uint32_t box);
void bs_sweep_update(bs_backend *backend, const uint32_t *boxes, size_t n);

/* sweep_query.c */
#define bs_sweep_query BS_VARIANT(bs_sweep_query)
#define bs_sweep_find BS_VARIANT(bs_sweep_find)
bool bs_sweep_query(bs_backend *backend, const bs_rect *r, bs_list *out);
/*
 * Appends every box that overlaps r, among those in strips and those in the tail from lane `tail`
 * on. After bs_sweep_tidy. False: no memory.
 */
bool bs_sweep_find(const bs_sweeper *s, const bs_rect *r, size_t tail, bs_list *out);

/* sweep_cast.c */
#define bs_sweep_cast BS_VARIANT(bs_sweep_cast)
bool bs_sweep_cast(bs_backend *backend, bs_cast *cast);

/* sweep_join.c */
#define bs_sweep_pairs BS_VARIANT(bs_sweep_pairs)
#define bs_sweep_cross BS_VARIANT(bs_sweep_cross)
bool bs_sweep_pairs(bs_backend *backend, bs_pairs *out);
bool bs_sweep_cross(bs_backend *backend, bs_backend *other, bs_pairs *out);

#pragma GCC visibility pop

#endif
