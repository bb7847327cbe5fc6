/*
 * tree.h: the dynamic AABB tree, eight children a node; only for the files of this folder. It
 * relies on block.h.
 *
 *      tree.c     the table of functions, figures
 *      build.c    making it anew, and tightening all bounds
 *      change.c   inserting, removing and moving single boxes
 *      search.c   pairs, rectangles and casts
 *
 * A node has the bounds of its children in the lanes of a block (block.h). All leaves are on level
 * 0, as in a B-tree or an R-tree, so that two subtrees can be crossed level by level.
 *
 *      top        node 0              its lane 0 holds the bounds of the root
 *      level 2     root
 *      level 1    inner      inner    a lane holds the bounds of a node, and where that node is
 *      level 0  leaf leaf  leaf leaf  a lane holds the bounds of a box, and its index
 *
 * A place is a lane of a node, as a number: place[box] is the lane where a box is, node->parent the
 * lane where a node is.
 *
 *      node[0]   lanes . . . . . . . .     places 0 to 7
 *      node[1]   lanes . . . . . . . .     places BS_TREE_STEP to BS_TREE_STEP + 7
 *
 * The lanes of a leaf are tight. The bounds of a leaf in its parent are fat: when a box leaves them
 * they grow by a margin more than they have to, so that most later moves change nothing above the
 * leaf. Few moved boxes are looked at one by one; after many moves all bounds are tightened in one
 * pass; and if the tree has become too bad, it is made anew (due.h).
 */
#ifndef BS_TREE_H
#define BS_TREE_H

#include <assert.h>

#include "broad/backend.h"
#include "broad/block_cast.h"
#include "broad/due.h"

#pragma GCC visibility push(hidden)

enum {
    BS_TREE_MAX_HEIGHT = 16, /* 8^16 boxes are more than there can be. */
    BS_TREE_FREE = 255       /* The level of a node that is not in use. */
};

typedef struct bs_tree_node {
    bs_block lanes;     /* Bounds; each id is a box, or the place of lane 0 of a node below. */
    uint32_t parent;    /* The place of this node's bounds; if it is free, the next free node. */
    uint8_t count;      /* How many lanes are in use, from lane 0 on; the other lanes are empty. */
    uint8_t level;      /* How many levels there are below this node: 0 for a leaf. */
    uint32_t unused[6]; /* Nodes begin at multiples of 64 bytes from each other: worth a tenth. */
} bs_tree_node;
static_assert(sizeof(bs_tree_node) % 64 == 0, "rows of eight floats are aligned in all or in none");

/* Places are counted in floats, so that finding a lane takes no multiplication. */
enum { BS_TREE_STEP = sizeof(bs_tree_node) / sizeof(float) };
static_assert(BS_TREE_STEP * sizeof(float) == sizeof(bs_tree_node), "a node begins at a float");
static_assert((int)BS_TREE_STEP >= (int)BS_LANES, "lanes of two nodes have different places");

/* A box to be sorted into a new tree. */
typedef struct bs_tree_item {
    float centre[DIM]; /* Half of the coordinates of the box's middle: differences stay finite. */
    uint32_t box;      /* The index of the box. */
} bs_tree_item;

typedef struct bs_tree {
    bs_backend base;
    double margin; /* How far fat bounds reach beyond a box; < 0: a quarter of the box's size. */

    bs_tree_node *node; /* All nodes; node 0 is no real one, but holds the root's bounds. */
    size_t node_cap;    /* How many nodes there is memory for. */
    uint32_t used;      /* How many nodes were ever taken since the tree was made, with node 0. */
    uint32_t free;      /* The first of the free nodes below `used`; 0: there is none. */

    uint32_t *place;  /* By box: the lane of a leaf, or BS_NO_PLACE. */
    size_t place_cap; /* How many boxes there is memory for in `place`. */
    bs_list pending;  /* In a sync: the boxes to be inserted, as they came or moved far. */

    bs_tree_item *item; /* Memory for sorting: twice as many items as there are boxes. */
    size_t item_cap;    /* How many items there is memory for. */

    bs_wear wear;    /* By extents as bs_tree_refit gives them. */
    size_t rebuilds; /* How often the tree was made anew. */
} bs_tree;

static inline bs_tree *bs_tree_of(bs_backend *backend) {
    return (bs_tree *)backend;
}

/* The node whose lane 0 is at a place. */
static inline bs_tree_node *bs_tree_node_at(const bs_tree *t, uint32_t place) {
    assert(place % BS_TREE_STEP == 0 && place / BS_TREE_STEP < t->used);
    return (bs_tree_node *)(void *)((float *)(void *)t->node + place);
}

/* The node that has a place. */
static inline bs_tree_node *bs_tree_node_of(const bs_tree *t, uint32_t place) {
    assert(place / BS_TREE_STEP < t->used);
    return &t->node[place / BS_TREE_STEP];
}

static inline int bs_tree_lane_of(uint32_t place) {
    assert(place % BS_TREE_STEP < BS_LANES);
    return (int)(place % BS_TREE_STEP);
}

static inline uint32_t bs_tree_place_of(const bs_tree *t, const bs_tree_node *node) {
    return (uint32_t)(node - t->node) * BS_TREE_STEP;
}

static inline bool bs_tree_is_empty(const bs_tree *t) {
    return t->node[0].count == 0;
}

static inline bs_tree_node *bs_tree_root(const bs_tree *t) {
    assert(!bs_tree_is_empty(t));
    return bs_tree_node_at(t, t->node[0].lanes.id[0]);
}

/* The bounds that a node has in its parent. */
static inline bs_bounds bs_tree_bounds(const bs_tree *t, const bs_tree_node *node) {
    assert(node != t->node && node->level < BS_TREE_MAX_HEIGHT);
    return bs_block_get(&bs_tree_node_of(t, node->parent)->lanes, bs_tree_lane_of(node->parent));
}

/* --- what its files call of each other -------------------------------------------------------- */

#ifdef BS_VARIANT /* In backends_all.h. */

/* build.c */
/* Makes the tree anew. Without memory nothing has changed. */
static bool bs_tree_build(bs_backend *backend);
/*
 * Reads all boxes again and tightens all bounds; O(n). Returns the mean extent (sum of the sides)
 * of the leaves. It is nearly a geometric mean, so that one leaf with a box far away does not hide
 * how the other leaves grow.
 */
static float bs_tree_refit(bs_tree *t);

/* change.c */
/* Looks at changed boxes one by one. Those that have no leaf become pending. */
static bool bs_tree_look_at(bs_tree *t, const bs_list *boxes, bool replaced);
/* Inserts the pending boxes one by one. */
static bool bs_tree_add_pending(bs_tree *t);

/* search.c */
static bool bs_tree_pairs(bs_backend *backend, bs_pairs *out);
static bool bs_tree_cross(bs_backend *backend, bs_backend *other, bs_pairs *out);
static bool bs_tree_query(bs_backend *backend, const bs_rect *r, bs_list *out);
static bool bs_tree_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                                size_t *ends);
static bool bs_tree_cast(bs_backend *backend, bs_cast *cast);

#endif

#pragma GCC visibility pop

#endif
