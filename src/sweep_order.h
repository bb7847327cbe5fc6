/*
 * sweep_order.h: the sorted order behind sweep.c, which alone includes this.
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
#ifndef BS_SWEEP_ORDER_H
#define BS_SWEEP_ORDER_H

#include <assert.h>

#include "backend.h"

#define SWEEP_NOBODY UINT32_MAX /* the id of a lane without a box; the position of no box */

enum { SWEEP_ALONG, SWEEP_ACROSS }; /* axes of lanes */

enum {
    SWEEP_PAD = 2 * BS_LANES + 1, /* as far as is looked ahead from the last lane of a strip */
    SWEEP_PREFETCH = 16,          /* boxes; their rects are anywhere in memory */
    SWEEP_NEAR = 48               /* lanes that a box may be moved by to restore the order */
};
static_assert(SWEEP_PAD > 2 * (int)BS_LANES, "two tests of eight, and the lane behind them");

typedef struct sweep_lanes {
    float *lo[DIM]; /* by axis of lanes */
    float *hi[DIM];
    uint32_t *id;
} sweep_lanes;

typedef struct sweep_strip {
    uint32_t begin, end; /* its lanes */
    uint32_t long_begin; /* its part of the list of long boxes ends where the next one's begins */
    uint32_t cursor;     /* of the merge that is going on: see sweep_join.h */
    float edge;          /* boxes from here to the next strip's edge are put here */
    float low, high;     /* what its boxes span across the strips */
    float least, most;   /* the least `low` from here on, the greatest `high` up to here */
} sweep_strip;

typedef struct sweep_item {
    float key;
    uint32_t box;
} sweep_item;

typedef struct sweep {
    bs_backend base;
    sweep_lanes lane;
    size_t lo_cap[DIM], hi_cap[DIM], id_cap;
    size_t room;        /* lanes that all of the arrays have: they differ once memory has run out */
    uint32_t *position; /* by box: its lane */
    size_t position_cap;

    sweep_strip *strip;
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

    sweep_item *item, *spare; /* for sorting: one for each box, and for each of the longest strip */
    size_t item_cap, spare_cap;
    bs_list found; /* what one box has met */
} sweep;

static sweep *sweep_of(bs_backend *backend) {
    return (sweep *)backend;
}

/* --- lanes ---------------------------------------------------------------------------------- */

BS_HOT bs_bounds sweep_get(const sweep_lanes *lane, size_t at) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = lane->lo[k][at];
        b.hi[k] = lane->hi[k][at];
    }
    return b;
}

BS_HOT void sweep_set(sweep_lanes *lane, size_t at, const bs_bounds *b, uint32_t id) {
    for (int k = 0; k < DIM; k++) {
        lane->lo[k][at] = b->lo[k];
        lane->hi[k][at] = b->hi[k];
    }
    lane->id[at] = id;
}

/* Puts a box into a lane. */
static inline void sweep_put(sweep *s, size_t at, const bs_bounds *b, uint32_t box) {
    assert(at < s->room && box < s->position_cap);
    sweep_set(&s->lane, at, b, box);
    s->position[box] = (uint32_t)at;
}

static inline void sweep_copy(sweep *s, size_t from, size_t to) {
    assert(from != to && from < s->room && to < s->room);
    bs_bounds b = sweep_get(&s->lane, from);
    uint32_t box = s->lane.id[from];
    sweep_set(&s->lane, to, &b, box);
    if (box != SWEEP_NOBODY) {
        s->position[box] = (uint32_t)to;
    }
}

static void sweep_clear(sweep *s, size_t begin, size_t end) {
    assert(begin <= end && end <= s->room);
    bs_bounds empty = bs_bounds_empty();
    for (size_t at = begin; at < end; at++) {
        sweep_set(&s->lane, at, &empty, SWEEP_NOBODY);
    }
}

/* The lane stays where it is in the order, but meets nothing from now on. */
static void sweep_kill(sweep *s, size_t at) {
    assert(at < s->tail && s->lane.id[at] != SWEEP_NOBODY);
    bs_bounds b = bs_bounds_empty();
    b.lo[SWEEP_ALONG] = s->lane.lo[SWEEP_ALONG][at];
    sweep_set(&s->lane, at, &b, SWEEP_NOBODY);
    s->dead++;
}

/* The bounds of a rect, by axis of lanes. */
BS_HOT bs_bounds sweep_bounds_of(const bs_rect *r, const int axis[DIM]) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = bs_round(r->pos[axis[k]]);
        b.hi[k] = bs_round(bs_far(r, axis[k]));
        assert(b.lo[k] <= b.hi[k]);
    }
    return b;
}

BS_HOT bs_bounds sweep_bounds(const sweep *s, uint32_t box) {
    assert(box < s->base.boxes->cap);
    return sweep_bounds_of(&s->base.boxes->rect[box], s->axis);
}

/* Room for `lanes` lanes, padding included. */
static bool sweep_reserve(sweep *s, size_t lanes) {
    if (lanes <= s->room) {
        return true;
    }
    bs_heap *heap = s->base.heap;
    if (!bs_array_reserve(heap, &s->lane.id, &s->id_cap, lanes, sizeof *s->lane.id)) {
        return false;
    }
    size_t room = s->id_cap;
    for (int k = 0; k < DIM; k++) {
        if (!bs_array_reserve(heap, &s->lane.lo[k], &s->lo_cap[k], lanes, sizeof(float)) ||
            !bs_array_reserve(heap, &s->lane.hi[k], &s->hi_cap[k], lanes, sizeof(float))) {
            return false;
        }
        room = s->lo_cap[k] < room ? s->lo_cap[k] : room;
        room = s->hi_cap[k] < room ? s->hi_cap[k] : room;
    }
    assert(room >= lanes);
    s->room = room;
    return true;
}

/* One more lane at the tail; SWEEP_NOBODY if there is no room, which only sweep_reserve makes. */
static size_t sweep_extend(sweep *s) {
    assert(s->tail <= s->end);
    if (s->end + 1 + SWEEP_PAD > s->room) {
        return SWEEP_NOBODY;
    }
    sweep_clear(s, s->end + SWEEP_PAD, s->end + SWEEP_PAD + 1);
    return s->end++;
}

/* Adds a box to the tail; false if there is no room. */
static bool sweep_append(sweep *s, const bs_bounds *b, uint32_t box) {
    size_t at = sweep_extend(s);
    if (at == SWEEP_NOBODY) {
        return false;
    }
    sweep_put(s, at, b, box);
    return true;
}

/*
 * How many boxes the tail may hold when a question comes that looks through all of it. A question
 * pays for a long tail, n / 8 tests; making the order anew, O(count), pays for a short one.
 */
static size_t sweep_tail_limit(const sweep *s) {
    return 128 + s->base.count / 256;
}

/* --- searching ------------------------------------------------------------------------------ */

/* The first lane from begin to end whose value is >= x, or `end`. */
static size_t sweep_lower(const float *value, size_t begin, size_t end, float x) {
    for (size_t n = end - begin; n > 0;) { /* branch-free inside: the answer is a coin toss */
        size_t half = (n + 1) / 2;
        begin += value[begin + half - 1] < x ? half : 0;
        n -= half;
    }
    assert(begin == end || (begin < end && value[begin] >= x));
    return begin;
}

/* The first lane from begin to end for which value - less > x, or `end`. */
static size_t sweep_upper(const float *value, size_t begin, size_t end, float less, float x) {
    for (size_t n = end - begin; n > 0;) {
        size_t half = (n + 1) / 2;
        begin += value[begin + half - 1] - less <= x ? half : 0;
        n -= half;
    }
    assert(begin == end || (begin < end && !(value[begin] - less <= x)));
    return begin;
}

/* The strip into whose edges x falls; `guess` is tried first. */
static size_t sweep_strip_for(const sweep *s, float x, size_t guess) {
    const sweep_strip *strip = s->strip;
    assert(guess < s->strips && strip[0].edge == -INFINITY);
    if (strip[guess].edge <= x && (guess + 1 == s->strips || x < strip[guess + 1].edge)) {
        return guess;
    }
    size_t first = 0; /* its edge is -infinity */
    for (size_t n = s->strips; n > 1;) {
        size_t half = n / 2;
        first += strip[first + half].edge <= x ? half : 0;
        n -= half;
    }
    assert(strip[first].edge <= x && (first + 1 == s->strips || x < strip[first + 1].edge));
    return first;
}

/* The strip that a lane before the tail is in. */
static sweep_strip *sweep_strip_at(const sweep *s, size_t at) {
    assert(at < s->tail && s->strips > 0);
    size_t first = 0;
    for (size_t n = s->strips; n > 1;) {
        size_t half = n / 2;
        first += s->strip[first + half].begin <= at ? half : 0;
        n -= half;
    }
    assert(s->strip[first].begin <= at && at < s->strip[first].end);
    return &s->strip[first];
}

static bool sweep_in_strip(const sweep_strip *strip, size_t at) {
    return strip->begin <= at && at < strip->end;
}

/* Where the part of a strip in the list of long boxes ends. */
static size_t sweep_long_end(const sweep *s, const sweep_strip *strip) {
    assert(strip >= s->strip && strip < s->strip + s->strips);
    assert(strip->long_begin <= s->long_boxes.n);
    return strip + 1 < s->strip + s->strips ? strip[1].long_begin : s->long_boxes.n;
}

/* The upper edge of a strip. */
static float sweep_upper_edge(const sweep *s, const sweep_strip *strip) {
    assert(strip >= s->strip && strip < s->strip + s->strips);
    return strip + 1 < s->strip + s->strips ? strip[1].edge : INFINITY;
}

/* The first strip that may hold something that reaches x, and the first that begins behind x. */
static size_t sweep_first_reaching(const sweep *s, float x) {
    size_t first = 0;
    for (size_t n = s->strips; n > 0;) {
        size_t half = (n + 1) / 2;
        first += s->strip[first + half - 1].most < x ? half : 0;
        n -= half;
    }
    assert(first == s->strips || s->strip[first].most >= x);
    return first;
}
static size_t sweep_first_behind(const sweep *s, float x) {
    size_t first = 0;
    for (size_t n = s->strips; n > 0;) {
        size_t half = (n + 1) / 2;
        first += s->strip[first + half - 1].least <= x ? half : 0;
        n -= half;
    }
    assert(first == s->strips || s->strip[first].least > x);
    return first;
}

/* --- sorting -------------------------------------------------------------------------------- */

/*
 * Makes the items from the first on a sorted run, as far as none has to move by more than a few
 * places, and returns its length: all of them if they were nearly sorted, which is the usual case.
 */
static size_t sweep_run(sweep_item *item, size_t n) {
    enum { FEW = 16 };
    for (size_t i = 1; i < n; i++) {
        sweep_item x = item[i];
        if (i > FEW && item[i - FEW].key > x.key) {
            return i;
        }
        size_t j = i;
        for (; j > 0 && item[j - 1].key > x.key; j--) {
            item[j] = item[j - 1];
        }
        item[j] = x;
        assert(j == 0 || item[j - 1].key <= x.key);
    }
    return n;
}

/* Merges two neighbouring runs; `spare` has room for the first. Stable. */
static void sweep_merge(sweep_item *item, size_t first, size_t both, sweep_item *spare) {
    assert(first > 0 && first < both);
    memcpy(spare, item, first * sizeof *item);
    const sweep_item *a = spare;
    const sweep_item *a_end = spare + first;
    const sweep_item *b = item + first;
    const sweep_item *b_end = item + both;
    while (a < a_end && b < b_end) {
        bool take_b = b->key < a->key;
        *item++ = *(take_b ? b : a);
        a += !take_b;
        b += take_b;
    }
    assert(item + (a_end - a) == b); /* what is left of a fills the gap */
    memcpy(item, a, (size_t)(a_end - a) * sizeof *item);
}

/*
 * Natural merge sort: O(n) if nearly sorted, O(n log n) at worst. Stable. The lengths of the runs
 * that wait on the stack at least halve from one to the next, so there are few.
 */
static void sweep_sort(sweep_item *item, size_t n, sweep_item *spare) {
    size_t start[66];
    int runs = 0;
    for (size_t at = 0; at < n;) {
        start[runs++] = at;
        at += sweep_run(item + at, n - at);
        while (runs > 1) {
            size_t first = start[runs - 1] - start[runs - 2];
            size_t last = at - start[runs - 1];
            if (at < n && first > 2 * last) {
                break;
            }
            sweep_merge(item + start[runs - 2], first, first + last, spare);
            runs--;
        }
        assert(runs < 65);
    }
    assert(runs == (n > 0));
}

/* --- the plan ------------------------------------------------------------------------------- */

static float sweep_place_of(const bs_rect *r, int axis) {
    return bs_round(r->pos[axis]);
}
static float sweep_length_of(const bs_rect *r, int axis) {
    return bs_round(bs_far(r, axis)) - bs_round(r->pos[axis]);
}

/* Every so many of the n boxes in the first lanes: their values, sorted, as items 0 .. m - 1. */
static void sweep_sample(sweep *s, size_t n, size_t m, float (*value)(const bs_rect *, int),
                         int axis) {
    assert(m > 0 && m <= n && m <= s->item_cap && m <= s->spare_cap);
    for (size_t i = 0; i < m; i++) {
        uint32_t box = s->lane.id[i * n / m];
        assert(box != SWEEP_NOBODY);
        s->item[i] = (sweep_item){value(&s->base.boxes->rect[box], axis), box};
    }
    sweep_sort(s->item, m, s->spare);
}

/* How many pairs of the sample overlap on this axis. */
static double sweep_count_overlaps(sweep *s, size_t n, size_t m, int axis) {
    sweep_sample(s, n, m, sweep_place_of, axis);
    double overlaps = 0;
    for (size_t i = 0; i < m; i++) {
        float hi = bs_round(bs_far(&s->base.boxes->rect[s->item[i].box], axis));
        size_t first = i + 1;
        for (size_t left = m - first; left > 0;) {
            size_t half = (left + 1) / 2;
            first += s->item[first + half - 1].key <= hi ? half : 0;
            left -= half;
        }
        assert(first > i && first <= m);
        overlaps += (double)(first - i - 1);
    }
    return overlaps;
}

/* Puts the world's axis k at place `to` of those of the lanes. */
static void sweep_use_axis(sweep *s, int to, int k) {
    for (int i = 0; i < DIM; i++) {
        if (s->axis[i] == k) {
            s->axis[i] = s->axis[to];
        }
    }
    s->axis[to] = k;
    assert(s->axis[SWEEP_ALONG] != s->axis[SWEEP_ACROSS]);
}

/*
 * Sorts by the axis on which the fewest boxes overlap, and cuts the second best; a change must be
 * worth it. Returns how many pairs of the sample overlap on the first.
 */
static double sweep_choose_axes(sweep *s, size_t n, size_t m) {
    double overlaps[DIM];
    for (int k = 0; k < DIM; k++) {
        overlaps[k] = sweep_count_overlaps(s, n, m, k);
    }
    for (int to = s->fixed_axis < 0 ? SWEEP_ALONG : SWEEP_ACROSS; to < DIM - 1; to++) {
        for (int i = to + 1; i < DIM; i++) {
            if (overlaps[s->axis[i]] < 0.75 * overlaps[s->axis[to]]) {
                sweep_use_axis(s, to, s->axis[i]);
            }
        }
    }
    assert(s->fixed_axis < 0 || s->axis[SWEEP_ALONG] == s->fixed_axis);
    return overlaps[s->axis[SWEEP_ALONG]];
}

/* `reach` covers all boxes if they are of about one length, else all but the longest 16th. */
static float sweep_choose_reach(sweep *s, size_t n, size_t m) {
    sweep_sample(s, n, m, sweep_length_of, s->axis[SWEEP_ALONG]);
    float longest = s->item[m - 1].key;
    float most = s->item[m - 1 - m / 16].key;
    assert(most >= 0 && most <= longest);
    return (longest <= 2 * most ? longest : most) * 1.0625F;
}

/* Edges so that each strip has `each` of the sample, and none is lower than `height`. */
static void sweep_choose_edges(sweep *s, size_t m, size_t each, float height) {
    assert(each > 0 && height >= 0 && s->strip_cap > 0);
    size_t first = 0; /* of the strip at hand */
    s->strip[0].edge = -INFINITY;
    s->strips = 1;
    for (size_t i = 1; i < m; i++) {
        float x = s->item[i].key;
        assert(x >= s->item[i - 1].key);
        if (i - first >= each && x > s->item[first].key && x - s->item[first].key >= height) {
            assert(s->strips < s->strip_cap);
            s->strip[s->strips++].edge = x;
            first = i;
        }
    }
}

/*
 * Chooses axes, strips and `reach` for the n boxes in the first lanes. So many strips that a box
 * has some two boxes before it to look at in each, but none lower than most boxes are high, as each
 * strip that a box reaches into costs a search.
 */
static bool sweep_make_plan(sweep *s, size_t n) {
    const double ahead = 2.2;
    size_t m = n < 1024 + n / 32 ? n : 1024 + n / 32;
    assert(n > 0 && n <= s->item_cap);
    bs_heap *heap = s->base.heap;
    if (!bs_array_reserve(heap, &s->spare, &s->spare_cap, m, sizeof *s->spare) ||
        !bs_array_reserve(heap, &s->strip, &s->strip_cap, n / 32 + 2, sizeof *s->strip)) {
        return false;
    }
    double share = (double)m / (double)n;
    double strips = sweep_choose_axes(s, n, m) / (double)m / share / ahead;
    strips = strips < (double)n / 32 ? strips : (double)n / 32;
    s->reach = sweep_choose_reach(s, n, m);
    sweep_sample(s, n, m, sweep_length_of, s->axis[SWEEP_ACROSS]);
    float height = s->item[m / 2].key * 0.75F;
    sweep_sample(s, n, m, sweep_place_of, s->axis[SWEEP_ACROSS]);
    sweep_choose_edges(s, m, strips > 1 ? (size_t)((double)m / strips) + 1 : m, height);
    assert(s->strips > 0 && s->strips <= s->strip_cap && s->reach >= 0);
    s->slack = height / 4;
    s->planned = n;
    s->effort = 0;
    s->replan = false;
    return true;
}

/* --- what strips span, and what is long ----------------------------------------------------- */

/* Lists the long boxes among lanes begin .. end - 1; false if the list is full. */
static bool sweep_list_long(sweep *s, size_t begin, size_t end) {
    assert(begin <= end && (begin == end || end + SWEEP_PAD <= s->room));
    bs_list *list = &s->long_boxes;
    bs_f8 reach = bs_f8_set(s->reach);
    for (size_t at = begin; at < end; at += BS_LANES) {
        bs_f8 back = bs_f8_sub(bs_f8_load(s->lane.hi[SWEEP_ALONG] + at), reach);
        unsigned mask = ~bs_f8_le(back, bs_f8_load(s->lane.lo[SWEEP_ALONG] + at)) & BS_ALL_LANES;
        if (mask != 0) {
            if (list->n + 2 * BS_LANES > list->cap) {
                return false;
            }
            bs_append(list, s->lane.id + at, mask);
        }
    }
    return true;
}

static void sweep_list_all_long(sweep *s) {
    bool done = true;
    s->long_boxes.n = 0;
    for (size_t t = 0; t < s->strips; t++) {
        s->strip[t].long_begin = (uint32_t)s->long_boxes.n;
        done = done && sweep_list_long(s, s->strip[t].begin, s->strip[t].end);
    }
    if (!done) { /* then none shall count as long: correct, but slow */
        s->reach = INFINITY;
        s->replan = true;
        s->long_boxes.n = 0;
        for (size_t t = 0; t < s->strips; t++) {
            s->strip[t].long_begin = 0;
        }
    }
}

static void sweep_measure(sweep *s) {
    for (size_t t = 0; t < s->strips; t++) {
        sweep_strip *strip = &s->strip[t];
        bs_f8 low = bs_f8_set(INFINITY);
        bs_f8 high = bs_f8_set(-INFINITY);
        for (size_t at = strip->begin; at < strip->end; at += BS_LANES) {
            low = bs_f8_min(low, bs_f8_load(s->lane.lo[SWEEP_ACROSS] + at));
            high = bs_f8_max(high, bs_f8_load(s->lane.hi[SWEEP_ACROSS] + at));
        }
        strip->low = bs_f8_least(low);
        strip->high = bs_f8_greatest(high);
        float before = t > 0 ? strip[-1].most : -INFINITY;
        strip->most = strip->high > before ? strip->high : before;
        assert(strip->most >= strip->high && strip->most >= before);
    }
    float least = INFINITY;
    for (size_t t = s->strips; t-- > 0;) {
        least = s->strip[t].low < least ? s->strip[t].low : least;
        s->strip[t].least = least;
        assert(t + 1 == s->strips || least <= s->strip[t + 1].least);
    }
    sweep_list_all_long(s);
}

/* --- making the order anew ------------------------------------------------------------------ */

static void sweep_empty_strips(sweep *s) {
    for (size_t t = 0; t < s->strips; t++) {
        s->strip[t].begin = s->strip[t].end = 0;
    }
}

/* Moves the ids of all boxes to the first lanes, in their order. Bounds are left behind. */
static size_t sweep_gather(sweep *s) {
    size_t n = 0;
    for (size_t at = 0; at < s->end; at++) {
        uint32_t box = s->lane.id[at];
        s->lane.id[n] = box;
        n += box != SWEEP_NOBODY;
    }
    assert(n == s->base.count);
    sweep_empty_strips(s);
    s->tail = 0;
    s->end = n;
    s->dead = 0;
    return n;
}

/* After sweep_gather: all boxes are in the tail, which needs no memory. */
static void sweep_scatter(sweep *s) {
    assert(s->tail == 0 && s->dead == 0 && s->end == s->base.count);
    for (size_t at = 0; at < s->end; at++) {
        uint32_t box = s->lane.id[at];
        bs_bounds b = sweep_bounds(s, box);
        sweep_put(s, at, &b, box);
    }
    sweep_clear(s, s->end, s->end + SWEEP_PAD);
    sweep_measure(s);
}

/* Asks for the rect of a box that is needed soon; which may be nobody, so no pointer is made. */
BS_HOT void sweep_prefetch(const bs_rect *rect, uint32_t box) {
    __builtin_prefetch((const void *)((uintptr_t)rect + (uintptr_t)box * sizeof *rect));
}

/*
 * Finds the strip of each of the n boxes. Keys and strips go into the lanes' bounds, which are free
 * now; in each strip, `end` becomes the number of its boxes. Returns the number of the largest.
 */
static size_t sweep_assign(sweep *s, size_t n) {
    float *key = s->lane.lo[0];
    float *number = s->lane.hi[0]; /* exact: there are far less than 2^24 strips */
    const bs_rect *rect = s->base.boxes->rect;
    size_t strip = 0;
    sweep_empty_strips(s);
    for (size_t i = 0; i < n; i++) {
        sweep_prefetch(rect, s->lane.id[i + SWEEP_PREFETCH < n ? i + SWEEP_PREFETCH : i]);
        const bs_rect *r = &rect[s->lane.id[i]];
        key[i] = bs_round(r->pos[s->axis[SWEEP_ALONG]]);
        strip = sweep_strip_for(s, bs_round(r->pos[s->axis[SWEEP_ACROSS]]), strip);
        number[i] = (float)strip;
        assert((size_t)number[i] == strip);
        s->strip[strip].end++;
    }
    size_t longest = 0;
    for (size_t t = 0; t < s->strips; t++) {
        longest = s->strip[t].end > longest ? s->strip[t].end : longest;
    }
    assert(longest * s->strips >= n);
    return longest;
}

/* The items of each strip, one strip after the other, in the order of the lanes. */
static void sweep_distribute(sweep *s, size_t n) {
    uint32_t begin = 0;
    for (size_t t = 0; t < s->strips; t++) {
        uint32_t count = s->strip[t].end;
        s->strip[t].begin = s->strip[t].end = begin;
        begin += count;
    }
    assert(begin == n && n <= s->item_cap);
    for (size_t i = 0; i < n; i++) {
        sweep_strip *strip = &s->strip[(size_t)s->lane.hi[0][i]];
        assert(strip < s->strip + s->strips && strip->end < n);
        s->item[strip->end++] = (sweep_item){s->lane.lo[0][i], s->lane.id[i]};
    }
}

/* Sorts each strip and writes its lanes. */
static void sweep_write(sweep *s) {
    const bs_rect *rect = s->base.boxes->rect;
    size_t at = 0;
    for (size_t t = 0; t < s->strips; t++) {
        sweep_strip *strip = &s->strip[t];
        sweep_item *item = s->item + strip->begin;
        size_t n = strip->end - strip->begin;
        sweep_sort(item, n, s->spare);
        strip->begin = (uint32_t)at;
        for (size_t i = 0; i < n; i++) {
            sweep_prefetch(rect, item[i + SWEEP_PREFETCH < n ? i + SWEEP_PREFETCH : i].box);
            bs_bounds b = sweep_bounds(s, item[i].box);
            assert(b.lo[SWEEP_ALONG] == item[i].key && (i == 0 || item[i - 1].key <= item[i].key));
            sweep_put(s, at++, &b, item[i].box);
        }
        strip->end = (uint32_t)at;
        sweep_clear(s, at, at + SWEEP_PAD);
        at += SWEEP_PAD;
    }
    assert(at == s->base.count + s->strips * SWEEP_PAD);
    s->tail = s->end = at;
    sweep_clear(s, at, at + SWEEP_PAD);
    sweep_measure(s);
}

static bool sweep_plan_is_due(const sweep *s, size_t n) {
    return s->strips == 0 || s->replan || n > s->planned + s->planned / 2 || n < s->planned / 2;
}

/* All of the memory that is needed, and what has to be known for it. */
static bool sweep_prepare(sweep *s, size_t n) {
    bs_heap *heap = s->base.heap;
    if (!bs_array_reserve(heap, &s->item, &s->item_cap, n, sizeof *s->item) ||
        (sweep_plan_is_due(s, n) && !sweep_make_plan(s, n))) {
        return false;
    }
    assert(s->strips > 0 && n == s->base.count);
    size_t longest = sweep_assign(s, n);
    size_t lanes = n + (s->strips + 2) * SWEEP_PAD + sweep_tail_limit(s);
    s->long_boxes.n = 0;
    return bs_array_reserve(heap, &s->spare, &s->spare_cap, longest, sizeof *s->spare) &&
           bs_list_reserve(heap, &s->long_boxes, n / 8 + BS_LANES) && sweep_reserve(s, lanes);
}

/*
 * Gives every box its place, from whatever state. Without memory all boxes end up in the tail: that
 * is valid, too. O(n) if not much has changed, else O(n log n).
 */
static bool sweep_rebuild(sweep *s) {
    size_t n = sweep_gather(s);
    s->stale = s->misplaced = false;
    if (n == 0) {
        sweep_scatter(s);
        return true;
    }
    if (!sweep_prepare(s, n)) {
        sweep_empty_strips(s);
        sweep_scatter(s);
        return false;
    }
    sweep_distribute(s, n);
    sweep_write(s);
    s->rebuilds++;
    return true;
}

/* --- keeping the order ---------------------------------------------------------------------- */

/*
 * Makes lane `at` free for a box whose minimum is `key`, one step of an insertion sort: returns the
 * lane that is to hold it. The lanes from `begin` to `at` are sorted.
 */
static inline size_t sweep_open(sweep *s, size_t begin, size_t at, float key) {
    assert(begin <= at && at < s->tail);
    const float *lo = s->lane.lo[SWEEP_ALONG];
    while (at > begin && lo[at - 1] > key) {
        sweep_copy(s, at - 1, at);
        at--;
    }
    return at;
}

/* True if y is between the strip's edges, or beyond them by no more than the slack. */
static inline bool sweep_is_near(const sweep *s, const sweep_strip *strip, float y, float slack) {
    return y >= strip->edge - slack && y <= sweep_upper_edge(s, strip) + slack;
}

/*
 * For a box with minima x and y that is not simply to stand in lane `at`, the next free one of the
 * strip: it has to go some lanes back, or, if it has moved far, to the tail. Returns the lane,
 * SWEEP_NOBODY if there is none.
 */
BS_COLD size_t sweep_place(sweep *s, const sweep_strip *strip, size_t at, float x, float y) {
    assert(sweep_in_strip(strip, at));
    const float *lo = s->lane.lo[SWEEP_ALONG];
    bool far = at - strip->begin > SWEEP_NEAR && lo[at - SWEEP_NEAR] > x;
    if (!far && sweep_is_near(s, strip, y, 8 * s->slack)) {
        return sweep_open(s, strip->begin, at, x);
    }
    return sweep_extend(s);
}

/*
 * Reads the bounds of a strip's boxes anew and restores the order among them. False, with all ids
 * still in their lanes, if it cannot. Counts the boxes that are beyond the strip's edges.
 */
static bool sweep_refresh_strip(sweep *s, sweep_strip *strip, size_t *strays) {
    sweep_lanes lane = s->lane;
    const bs_rect *rect = s->base.boxes->rect;
    const float edge = strip->edge - s->slack;
    const float upper_edge = sweep_upper_edge(s, strip) + s->slack;
    const size_t begin = strip->begin, end = strip->end;
    int axis[DIM];
    memcpy(axis, s->axis, sizeof axis);
    size_t to = begin;
    for (size_t at = begin; at < end; at++) {
        uint32_t box = lane.id[at];
        sweep_prefetch(rect, lane.id[at + SWEEP_PREFETCH < end ? at + SWEEP_PREFETCH : at]);
        if (box == SWEEP_NOBODY) {
            continue;
        }
        bs_bounds b = sweep_bounds_of(&rect[box], axis);
        bool inside = edge <= b.lo[SWEEP_ACROSS] && b.lo[SWEEP_ACROSS] <= upper_edge;
        size_t place = to;
        if (!inside || (to > begin && lane.lo[SWEEP_ALONG][to - 1] > b.lo[SWEEP_ALONG])) {
            *strays += !inside;
            place = sweep_place(s, strip, to, b.lo[SWEEP_ALONG], b.lo[SWEEP_ACROSS]);
            if (place == SWEEP_NOBODY) {
                memset(lane.id + to, 0xff, (at - to) * sizeof *lane.id); /* SWEEP_NOBODY */
                return false;
            }
        }
        assert(to <= at && (place <= to || place >= s->tail));
        to += place <= to;
        sweep_set(&lane, place, &b, box);
        if (place != at) { /* else it is known, and the position may not be in the cache */
            s->position[box] = (uint32_t)place;
        }
    }
    sweep_clear(s, to, end);
    strip->end = (uint32_t)to;
    return true;
}

/* Reads all bounds anew and repairs the order. False: too much has changed for that. O(n). */
static bool sweep_refresh(sweep *s) {
    for (size_t at = s->tail; at < s->end; at++) {
        assert(s->lane.id[at] != SWEEP_NOBODY);
        bs_bounds b = sweep_bounds(s, s->lane.id[at]);
        sweep_put(s, at, &b, s->lane.id[at]);
    }
    size_t strays = 0;
    for (size_t t = 0; t < s->strips; t++) {
        if (!sweep_refresh_strip(s, &s->strip[t], &strays)) {
            return false;
        }
    }
    sweep_measure(s);
    s->misplaced = strays > 8 + s->base.count / 32;
    s->stale = false;
    s->dead = 0;
    return true;
}

/*
 * To be called before any question is answered; `tail` is how many boxes the tail may hold. False:
 * no memory; nothing is lost.
 */
static bool sweep_tidy(sweep *s, size_t tail) {
    assert(s->tail <= s->end && s->end - s->tail <= s->base.count);
    bool rebuild = s->end - s->tail > tail;
    if (s->touched) {
        rebuild |= s->misplaced || s->replan;
        if (!rebuild && (s->stale || s->dead > 64 + s->base.count / 8)) {
            rebuild = !sweep_refresh(s) || s->end - s->tail > tail;
        }
    }
    s->changes = 0;
    if (rebuild && !sweep_rebuild(s)) {
        return false;
    }
    s->touched = false;
    assert(!s->stale && s->end - s->tail <= tail);
    return true;
}

/* Widens what is known of a strip, and of all, to a box that is in it. */
static void sweep_widen(sweep *s, sweep_strip *strip, const bs_bounds *b) {
    assert(strip >= s->strip && strip < s->strip + s->strips);
    float low = b->lo[SWEEP_ACROSS];
    float high = b->hi[SWEEP_ACROSS];
    strip->low = low < strip->low ? low : strip->low;
    strip->high = high > strip->high ? high : strip->high;
    for (sweep_strip *t = strip; t >= s->strip && t->least > low; t--) {
        t->least = low;
    }
    for (sweep_strip *t = strip; t < s->strip + s->strips && t->most < high; t++) {
        t->most = high;
    }
    assert(strip->least <= low && strip->most >= high);
}

/* Moves the box in lane `at` to where `b` belongs, if that is near. */
static bool sweep_shift(sweep *s, const sweep_strip *strip, size_t at, const bs_bounds *b) {
    assert(sweep_in_strip(strip, at));
    const float *lo = s->lane.lo[SWEEP_ALONG];
    float key = b->lo[SWEEP_ALONG];
    size_t first = at - strip->begin > SWEEP_NEAR ? at - SWEEP_NEAR : strip->begin;
    size_t last = strip->end - at > SWEEP_NEAR ? at + SWEEP_NEAR : strip->end - 1;
    if ((first > strip->begin && lo[first] > key) || (last + 1 < strip->end && lo[last] < key)) {
        return false;
    }
    uint32_t box = s->lane.id[at];
    at = sweep_open(s, strip->begin, at, key);
    while (at + 1 < strip->end && lo[at + 1] < key) {
        sweep_copy(s, at + 1, at);
        at++;
    }
    assert(at == strip->begin || lo[at - 1] <= key);
    sweep_put(s, at, b, box);
    return true;
}

/* Takes over the present bounds of one box. */
static void sweep_move(sweep *s, uint32_t box) {
    size_t at = s->position[box];
    assert(at < s->end && s->lane.id[at] == box);
    bs_bounds b = sweep_bounds(s, box);
    if (at >= s->tail) {
        sweep_put(s, at, &b, box);
        return;
    }
    sweep_strip *strip = sweep_strip_at(s, at);
    bool is_long = !(b.hi[SWEEP_ALONG] - s->reach <= b.lo[SWEEP_ALONG]);
    bool near = sweep_is_near(s, strip, b.lo[SWEEP_ACROSS], s->slack);
    if (near && !is_long && sweep_shift(s, strip, at, &b)) {
        sweep_widen(s, strip, &b);
    } else if (sweep_append(s, &b, box)) {
        sweep_kill(s, at);
    } else {
        s->stale = true;
    }
}

#endif
