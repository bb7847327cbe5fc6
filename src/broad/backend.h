/*
 * backend.h: the table of functions that every broad phase implements, and all that a world sees of
 * it. It relies on boxes.h and cast.h.
 *
 * A back end finds those of a set of boxes that are near each other. It only sees indices, exact
 * bounds, and which set a box is in (boxes.h). The world decides which boxes make pairs, and what a
 * hit means. A world keeps two back ends, one for its static boxes and one for the dynamic ones, so
 * that static boxes cost nothing in a frame.
 *
 *      brute   sweep.c   blocks of eight, all against all
 *      sweep   sweep.c   sweep and prune
 *      grid    grid.c    hash grid, boxes in all cells that they overlap
 *      tree    tree.c    dynamic AABB tree, eight children a node
 *      auto    auto.c    a tree, and a grid as long as casts save more than the grid costs
 *
 * The world notes what changes (bs_backend_moved and so on), which cannot fail. Before the next
 * query the back end catches up: it is told what has been noted, or that it must be built anew.
 *
 * Answers are exact, and each box or pair is reported once, in an order that only depends on the
 * earlier calls. A function that returns bool returns false, and one that makes a back end NULL, if
 * there is no memory. What was appended to a list must then be thrown away, and the query can be
 * made again.
 *
 * To add one, implement the table in a file of its own, and add a row to backends.c. Its checker,
 * for tests, is a file of spec/core/checkers.
 */
#ifndef BS_BACKEND_H
#define BS_BACKEND_H

#include "base/heap.h"
#include "cast.h"

#pragma GCC visibility push(hidden)

bool bs_pictures_add(bs_heap *heap, bs_pictures *pictures, bs_picture_kind kind,
                     const bs_rect *rect);

/* The form in which a pair is reported: the lower index first. */
BS_HOT bs_pair bs_pair_of(uint32_t a, uint32_t b) {
    assert(a != b);
    return a < b ? (bs_pair){a, b} : (bs_pair){b, a};
}

/* So many queries run together: while one waits for memory, the others go on. */
enum { BS_TOGETHER = 16 };

/* What has changed in a set since its back end caught up. */
typedef struct bs_changes {
    bs_list replaced; /* Boxes that have come or gone, or both; some perhaps twice. */
    bs_list moved;    /* Boxes that have moved, some perhaps twice, or gone since. */
    size_t noted;     /* How many changes have been noted. */
    bool all_moved;   /* So many have moved that `moved` is empty. */
    bool anew;        /* So many have come or gone that both lists are empty. */
} bs_changes;

/* Every back end's struct begins with this. */
typedef struct bs_backend {
    const bs_backend_type *type;
    bs_heap *heap;
    const bs_boxes *boxes;
    uint8_t set;  /* It holds the boxes with these BS_SET_BITS. */
    bool behind;  /* Something has changed. */
    size_t count; /* The number of boxes in the set. */
    bs_changes changes;
    bs_list found; /* Scratch: what some boxes overlap. */
} bs_backend;

struct bs_backend_type {
    const char *name;
    bool lists_all; /* It is told which boxes have moved, even if they are many. */

    /* `base` says what the set is. The new back end is empty. */
    bs_backend *(*create)(const bs_backend *base, const bs_settings *settings);
    void (*destroy)(bs_backend *);

    /* Makes it anew of all boxes of its set. Without memory it must be built again. */
    bool (*build)(bs_backend *);
    /* Learns what has changed. Without memory it is told the same, and perhaps more, once more. */
    bool (*sync)(bs_backend *, const bs_changes *changes);

    /* Appends every overlapping pair within the set, the lower index first. */
    bool (*pairs)(bs_backend *, bs_pairs *out);
    /* Appends every overlapping pair of a box of this one and a box of the other, which has the
     * same type. If this is NULL, the other one is asked for what each box overlaps. */
    bool (*cross)(bs_backend *, bs_backend *other, bs_pairs *out);
    /* Appends every box that overlaps r. */
    bool (*query)(bs_backend *, const bs_rect *r, bs_list *out);
    /* Queries the rects of these boxes, 1 to BS_TOGETHER, one after the other. What the i-th finds
     * ends before out->at[ends[i]]. If this is NULL, bs_backend_query_boxes asks one by one. */
    bool (*query_boxes)(bs_backend *, const uint32_t *boxes, size_t n, bs_list *out, size_t *ends);
    /* Visits every box that may be met within cast->limit, which falls on the way; some perhaps
     * twice. The nearest come first, as far as that is cheap. */
    bool (*cast)(bs_backend *, bs_cast *cast);

    void (*stats)(const bs_backend *, bs_stats *out);
    /* Appends its nodes, cells and fat AABBs. */
    bool (*pictures)(bs_backend *, bs_pictures *out);
};

/* --- making and changing --------------------------------------------------------------------- */

/* The pointers must outlive the back end. It holds all boxes of the set, which are so many. */
bs_backend *bs_backend_new(const bs_backend_type *type, bs_heap *heap, const bs_boxes *boxes,
                           uint8_t set, size_t count, const bs_settings *settings);
void bs_backend_free(bs_backend *b);

/* Whether a box is in the set. */
static inline bool bs_backend_holds(const bs_backend *b, uint32_t box) {
    return box < b->boxes->cap && (b->boxes->flags[box] & BS_SET_BITS) == b->set;
}

/*
 * All boxes that have come are below this, or all of the set if `changes` is NULL. What back ends
 * keep by box needs room for no more: a world that was once full may have room for many others.
 */
size_t bs_backend_reach(const bs_backend *b, const bs_changes *changes);

#define BS_NO_PLACE UINT32_MAX /* The place of a box that a back end does not hold. */
/* Makes room for places of so many boxes. Those that are new are nowhere. */
bool bs_places_reserve(bs_heap *heap, uint32_t **place, size_t *cap, size_t reach);

/* Notes that a box has come into the set, or left it. */
void bs_backend_came(bs_backend *b, uint32_t box);
void bs_backend_left(bs_backend *b, uint32_t box);
/* Notes that the rects of these n boxes of the set have changed. */
void bs_backend_moved(bs_backend *b, const uint32_t *boxes, size_t n);

/* Notes that anything may have changed, also how many indices there are. */
void bs_backend_renew(bs_backend *b);

/* Notes what has changed in the set of another back end, which this one holds, too. */
void bs_backend_tell(bs_backend *b, size_t count, const bs_changes *changes);

/* --- queries --------------------------------------------------------------------------------- */

bool bs_backend_catch_up(bs_backend *b);
static inline bool bs_backend_sync(bs_backend *b) {
    return !b->behind || bs_backend_catch_up(b);
}

static inline bool bs_backend_pairs(bs_backend *b, bs_pairs *out) {
    return bs_backend_sync(b) && b->type->pairs(b, out);
}

static inline bool bs_backend_query(bs_backend *b, const bs_rect *r, bs_list *out) {
    return bs_backend_sync(b) && b->type->query(b, r, out);
}

static inline bool bs_backend_cast(bs_backend *b, bs_cast *cast) {
    return bs_backend_sync(b) && b->type->cast(b, cast);
}

static inline bool bs_backend_pictures(bs_backend *b, bs_pictures *out) {
    return bs_backend_sync(b) && b->type->pictures(b, out);
}

/* `cross` for any back end. */
bool bs_backend_cross(bs_backend *b, bs_backend *other, bs_pairs *out);

/* `query_boxes` for any back end. */
bool bs_backend_query_boxes(bs_backend *b, const uint32_t *boxes, size_t n, bs_list *out,
                            size_t *ends);

#pragma GCC visibility pop

#endif
