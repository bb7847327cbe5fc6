/*
 * backend.h: the table of functions that every broad phase implements.
 *
 * A back end holds a set of boxes and finds those that are near each other. It sees indices and
 * exact bounds (boxes.h), nothing else: what may meet what, and what a hit means, is the world's
 * business. A world keeps two of them, one for its static boxes and one for the dynamic ones, so
 * that a frame costs nothing for what never moves.
 *
 *      brute   sweep.c   blocks of eight, all against all
 *      sweep   sweep.c   sweep and prune
 *      grid    grid.c    hash grid, boxes in every cell that they reach into
 *      tree    tree.c    dynamic AABB tree, eight children a node
 *      auto    auto.c    a tree, and a grid beside it for casts while these pay for it
 *
 * Answers are exact and each box or pair is reported once, in an order that depends only on the
 * calls made so far. A function that returns bool returns false when there was no memory: then
 * nothing has changed, and what was appended to a list is to be thrown away.
 *
 * To add one: implement the table in a file of its own and add a row to backends.c.
 */
#ifndef BS_BACKEND_H
#define BS_BACKEND_H

#include "base/heap.h"
#include "cast.h"

#pragma GCC visibility push(hidden)

bool bs_pictures_add(bs_heap *heap, bs_pictures *pictures, bs_picture_kind kind,
                     const bs_rect *rect);

/* Bounds as a rect, whose far side may be off by a rounding; they may be any floats. */
bs_rect bs_bounds_rect(const bs_bounds *b);

/* So many queries are asked at once: while one waits for memory, the others go on. */
enum { BS_TOGETHER = 16 };

/* Every back end's struct begins with this. */
typedef struct bs_backend {
    const bs_backend_type *type;
    bs_heap *heap;
    const bs_boxes *boxes;
    size_t count; /* boxes in the set */
} bs_backend;

struct bs_backend_type {
    const char *name;

    /* NULL: no memory. Both pointers must outlive the back end. */
    bs_backend *(*create)(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);
    void (*destroy)(bs_backend *);

    /* Takes in a box that it does not hold; its rect is set already. */
    bool (*insert)(bs_backend *, uint32_t box);
    void (*remove)(bs_backend *, uint32_t box);
    /* The rects of these n boxes, all held, have changed. */
    void (*update)(bs_backend *, const uint32_t *boxes, size_t n);

    /* Appends every overlapping pair within the set, the lower index first. */
    bool (*pairs)(bs_backend *, bs_pairs *out);
    /* Appends every overlapping pair of one from each; both are of this type. NULL:
     * bs_backend_cross asks box by box. */
    bool (*cross)(bs_backend *, bs_backend *other, bs_pairs *out);
    /* Appends every box of the set. */
    bool (*list)(const bs_backend *, bs_list *out);
    /* Appends every box that overlaps r. */
    bool (*query)(bs_backend *, const bs_rect *r, bs_list *out);
    /* As one query after the other with the rects of these boxes, 1 to BS_TOGETHER; what the i-th
     * found ends before out->at[ends[i]]. NULL: bs_backend_query_boxes asks one by one. */
    bool (*query_boxes)(bs_backend *, const uint32_t *boxes, size_t n, bs_list *out, size_t *ends);
    /* Visits every box that may be met within cast->limit, which falls on the way, some perhaps
     * more than once; nearest first as far as that is cheap. */
    bool (*cast)(bs_backend *, bs_cast *cast);

    void (*stats)(const bs_backend *, bs_stats *out);
    /* Appends its nodes, cells and fat bounds. */
    bool (*pictures)(bs_backend *, bs_pictures *out);
    /* NULL, or which invariant of the structure does not hold. O(n) or more: for tests. */
    const char *(*check)(const bs_backend *);
};

/* `query_boxes` for any back end. */
bool bs_backend_query_boxes(bs_backend *b, const uint32_t *boxes, size_t n, bs_list *out,
                            size_t *ends);

/* `cross` for any two back ends, of whatever types: one query of b for each box of a. */
bool bs_backend_cross(bs_backend *a, bs_backend *b, bs_pairs *out);

#pragma GCC visibility pop

#endif
