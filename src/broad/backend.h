/*
 * backend.h: the table of functions that every broad phase implements, and all that a world sees of
 * it. It relies on boxes.h and cast.h.
 *
 * A back end holds a set of boxes and finds those that are near each other. It only sees indices
 * and exact bounds (boxes.h). The world decides which boxes make pairs, and what a hit means. A
 * world keeps two back ends, one for its static boxes and one for the dynamic ones, so that static
 * boxes cost nothing in a frame.
 *
 *      brute   sweep.c   blocks of eight, all against all
 *      sweep   sweep.c   sweep and prune
 *      grid    grid.c    hash grid, boxes in all cells that they overlap
 *      tree    tree.c    dynamic AABB tree, eight children a node
 *      auto    auto.c    a tree, and a grid as long as casts save more than the grid costs
 *
 * Answers are exact, and each box or pair is reported once, in an order that only depends on the
 * earlier calls. A function that returns bool returns false, and one that makes a back end NULL, if
 * there is no memory. Then nothing has changed, but what was appended to a list must be thrown
 * away.
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

/* Every back end's struct begins with this. */
typedef struct bs_backend {
    const bs_backend_type *type;
    bs_heap *heap;
    const bs_boxes *boxes;
    size_t count; /* The number of boxes in the set. */
} bs_backend;

struct bs_backend_type {
    const char *name;

    /* Both pointers must outlive the back end. */
    bs_backend *(*create)(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);
    void (*destroy)(bs_backend *);

    /* Adds a box that it does not hold. Its rect has been set. */
    bool (*insert)(bs_backend *, uint32_t box);
    void (*remove)(bs_backend *, uint32_t box);
    /* The rects of these n boxes, which it holds, have changed. */
    void (*update)(bs_backend *, const uint32_t *boxes, size_t n);

    /* Appends every overlapping pair within the set, the lower index first. */
    bool (*pairs)(bs_backend *, bs_pairs *out);
    /* Appends every overlapping pair of a box of this one and a box of the other, which has the
     * same type. */
    bool (*cross)(bs_backend *, bs_backend *other, bs_pairs *out);
    /* Appends every box of the set. */
    bool (*list)(const bs_backend *, bs_list *out);
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

/* `query_boxes` for any back end. */
bool bs_backend_query_boxes(bs_backend *b, const uint32_t *boxes, size_t n, bs_list *out,
                            size_t *ends);

#pragma GCC visibility pop

#endif
