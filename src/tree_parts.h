/*
 * tree_parts.h: the dynamic AABB tree, eight children a node; only for the tree_*.c files.
 *
 *      tree.c          the table of functions: keeping it good, figures, checks
 *      tree_change.c   inserting, removing and moving single boxes
 *      tree_sort.c     sorting all boxes, to make it anew
 *      tree_pack.c     how sorted boxes share leaves
 *      tree_share.c    how two leaves that overlap deeply share their boxes
 *      tree_build.c    making it anew, and tightening all bounds
 *      tree_join.c     pairs
 *      tree_query.c    rectangles
 *      tree_cast.c     casts
 *
 * A node is a block of eight bounds (block.h). All leaves are on one level, as in a B-tree or an
 * R-tree, so two subtrees can be crossed level by level.
 *
 *      level 2             root
 *      level 1       inner      inner ...      id[lane] tells where a node begins
 *      level 0    leaf leaf ...                id[lane] is a box
 *
 * Node 0 is no real node: its lane 0 holds the bounds of the root, so that every node has its
 * bounds in a lane of another. A leaf's lanes are tight; the bounds of a leaf in its parent are
 * fat: when a box leaves them they grow by a margin more than need be, so that most later moves
 * change nothing above. When much has moved, all bounds are made anew at once, in one pass; when
 * they have been too large for too long, the boxes are sorted anew. Nothing of that is done before
 * a question is asked.
 */
#ifndef BS_TREE_PARTS_H
#define BS_TREE_PARTS_H

#include <assert.h>

#include "backend.h"
#include "tiles.h"

#pragma GCC visibility push(hidden)

#define BS_NO_NODE UINT32_MAX
#define BS_PENDING 0x80000000u /* in `place`: position in the list of those not yet in the tree */
#define BS_GONE UINT32_MAX     /* in `place`: not in the set */

enum {
    BS_TREE_TOP = 0,         /* the node that holds the root's bounds */
    BS_TREE_MAX_HEIGHT = 16, /* higher ones are made anew: 8^16 boxes are more than there can be */
    BS_TREE_FREE = 255       /* level of a node that is not in use */
};
static_assert(BS_TREE_MAX_HEIGHT < BS_TREE_FREE, "levels fit into a link, and no level is free");
static_assert((BS_GONE & BS_PENDING) != 0, "what is gone is in no node either");

/*
 * In an inner node a child is named by the place where it begins, counted in floats from the first
 * node; lanes likewise. So no multiplication is needed to go from a lane to those of its child.
 */
enum { BS_TREE_STEP = sizeof(bs_block) / sizeof(float) }; /* from node to node */
static_assert(BS_TREE_STEP * sizeof(float) == sizeof(bs_block), "a node begins where a lane could");
static_assert((int)BS_TREE_STEP >= (int)BS_LANES, "lanes of two nodes have different names");

static inline uint32_t bs_tree_name(uint32_t node) {
    return node * BS_TREE_STEP;
}

static inline uint32_t bs_tree_named(uint32_t name) {
    assert(name % BS_TREE_STEP == 0);
    return name / BS_TREE_STEP;
}

/* A node or a lane, by its name. */
static inline const float *bs_tree_lane(const bs_block *nodes, uint32_t name) {
    return (const float *)(const void *)nodes + name;
}

static inline const bs_block *bs_tree_block(const bs_block *nodes, uint32_t name) {
    assert(name % BS_TREE_STEP == 0);
    return (const bs_block *)(const void *)bs_tree_lane(nodes, name);
}

typedef struct bs_tree_link {
    uint32_t parent; /* of a free node: the next free one */
    uint8_t lane;    /* in the parent */
    uint8_t count;   /* lanes in use, from 0 */
    uint8_t level;   /* 0: a leaf */
} bs_tree_link;

enum { BS_TREE_GROUP = BS_LANES << DIM }; /* boxes in a tile, which share its leaves */

/* A box that is being sorted. */
typedef struct bs_tree_item {
    uint32_t key;   /* by which it is sorted: its tile, and where along it */
    uint32_t cells; /* 0 for all of a run that has tiles of its own */
    uint32_t box;
} bs_tree_item;

typedef struct bs_tree {
    bs_backend base;
    double margin; /* < 0: a quarter of the box */

    bs_block *node;
    bs_tree_link *link; /* cold: only changes look at it */
    size_t node_cap, link_cap;
    uint32_t used; /* nodes ever taken, with node 0 */
    uint32_t free; /* head of the free nodes */
    uint32_t in_use;
    uint32_t leaves;
    uint32_t root; /* BS_NO_NODE: no box in the tree */

    uint32_t *place; /* by box: node * 8 + lane, or BS_PENDING | position in `pending` */
    size_t place_cap;
    bs_list pending; /* inserted since the last question */

    bs_list moved;  /* boxes moved since the last question, as long as these are few; else ... */
    bool stale;     /* ... no bounds are right */
    bool ordered;   /* children have lower numbers than their parents */
    size_t escapes; /* since all bounds were tightened: boxes that left them, came or went */
    double extent;  /* what bs_tree_refit returned when it was built */
    double tight;   /* that, divided by what it returned last; at most 1 */
    double excess;  /* tests done in vain, less the price of the builds since */
    size_t tests;   /* done for pairs since bounds were last made right; ... */
    size_t least;   /* ... of these, when the tree was new; 0: not known yet */
    size_t looks;   /* ... for other questions */
    size_t rebuilds;
    size_t tries; /* of two leaves to share their boxes, when it was last made; ... */
    bool mixed;   /* ... they gained so much that leaves share in each merge, too */

    bs_tree_item *item; /* for sorting */
    size_t item_cap;
    size_t kept; /* so many of these are from the last build, in order, some of boxes now gone */
    int merges;  /* with them */
    int wait;    /* so many times it is built before merging is tried again */
    int last_wait;
    bs_tiles tiles;                   /* of the last build */
    bs_list visit;                    /* level by level: nodes, or lanes for crossing */
    bs_pairs task;                    /* for crossing: (node, lane) */
    bs_pairs met[BS_TREE_MAX_HEIGHT]; /* by level: pairs of lanes to be crossed */
} bs_tree;

static inline bs_tree *bs_tree_of(bs_backend *backend) {
    return (bs_tree *)backend;
}

/* For assertions: nothing waits for a place or for its bounds. */
static inline bool bs_tree_is_synced(const bs_tree *t) {
    return t->pending.n == 0 && t->moved.n == 0 && !t->stale &&
           (t->root == BS_NO_NODE) == (t->base.count == 0);
}

/* For assertions: the node is one of the tree's, not free, not node 0. */
static inline bool bs_tree_is_node(const bs_tree *t, uint32_t node) {
    return node != BS_TREE_TOP && node < t->used && t->link[node].level < BS_TREE_MAX_HEIGHT;
}

/* Whether the items of all boxes are known but for those of few pending ones. */
static inline bool bs_tree_may_merge(const bs_tree *t) {
    return t->kept > 0 && t->root != BS_NO_NODE && t->pending.n <= t->base.count / 4;
}

/* What making it anew costs, in vector tests: three a box, and 20 for two leaves that may share. */
static inline double bs_tree_price(const bs_tree *t) {
    return 3 * ((double)t->base.count + 1) + 20 * (double)t->tries;
}

/* Where the bounds of a node are. */
static inline bs_bounds bs_tree_bounds(const bs_tree *t, uint32_t node) {
    assert(bs_tree_is_node(t, node));
    bs_tree_link link = t->link[node];
    return bs_block_get(&t->node[link.parent], link.lane);
}

/* Half of the surface of a box: what the surface-area heuristic counts. In 2D: width + height. */
static inline float bs_surface(const bs_bounds *b) {
    float size[DIM];
    for (int k = 0; k < DIM; k++) {
        assert(b->lo[k] <= b->hi[k]);
        size[k] = b->hi[k] - b->lo[k];
    }
#if DIM == 2
    return size[0] + size[1];
#else
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
#endif
}

/* tree_change.c */
#define bs_tree_insert BS_VARIANT(bs_tree_insert)
#define bs_tree_remove BS_VARIANT(bs_tree_remove)
#define bs_tree_update BS_VARIANT(bs_tree_update)
#define bs_tree_add_moved BS_VARIANT(bs_tree_add_moved)
#define bs_tree_add_pending BS_VARIANT(bs_tree_add_pending)
bool bs_tree_insert(bs_backend *backend, uint32_t box);
void bs_tree_remove(bs_backend *backend, uint32_t box);
void bs_tree_update(bs_backend *backend, const uint32_t *boxes, size_t n);
/* Puts the bounds of the few boxes that have moved right. */
void bs_tree_add_moved(bs_tree *t);
/* Takes the pending boxes into the tree one by one. False: no memory; the rest stays pending. */
bool bs_tree_add_pending(bs_tree *t);

/* tree_sort.c */
#define bs_tree_sort BS_VARIANT(bs_tree_sort)
#define bs_tree_sort_pending BS_VARIANT(bs_tree_sort_pending)
/* Lists and sorts all boxes, the pending ones too, in t->item, which has room for twice as many. */
void bs_tree_sort(bs_tree *t);
/*
 * The same with the tiles and the items of the last build: only pending boxes need new ones. False:
 * the tiles are bad by now, as half of the boxes stand in a few places of theirs.
 */
bool bs_tree_sort_pending(bs_tree *t);

/* tree_pack.c */
#define bs_tree_pack_leaves BS_VARIANT(bs_tree_pack_leaves)
/* Puts all boxes, sorted, into leaves from node 1 on, still without bounds. How many these are. */
uint32_t bs_tree_pack_leaves(bs_tree *t);

/* tree_share.c */
#define bs_tree_share BS_VARIANT(bs_tree_share)
/* Of a new tree: leaves that overlap deeply share their boxes anew. How often that was tried. */
size_t bs_tree_share(bs_tree *t);

/* tree_build.c */
#define bs_tree_build BS_VARIANT(bs_tree_build)
#define bs_tree_merge BS_VARIANT(bs_tree_merge)
#define bs_tree_refit BS_VARIANT(bs_tree_refit)
/* Makes the tree anew from all boxes, the pending ones too. False: no memory, nothing changed. */
bool bs_tree_build(bs_tree *t);
/*
 * The same with the tiles and the items of the last build, so that only the pending boxes need new
 * ones: takes less time. *extent is what bs_tree_refit returned.
 */
bool bs_tree_merge(bs_tree *t, double *extent);
/*
 * Reads all boxes again and tightens all bounds; returns the sum of the leaves' extents by box, in
 * which the largest one counts for no more than the second.
 */
double bs_tree_refit(bs_tree *t);

/* tree_join.c */
#define bs_tree_pairs BS_VARIANT(bs_tree_pairs)
#define bs_tree_cross BS_VARIANT(bs_tree_cross)
bool bs_tree_pairs(bs_backend *backend, bs_pairs *out);
bool bs_tree_cross(bs_backend *backend, bs_backend *other, bs_pairs *out);

/* tree_query.c */
#define bs_tree_query BS_VARIANT(bs_tree_query)
#define bs_tree_query_boxes BS_VARIANT(bs_tree_query_boxes)
bool bs_tree_query(bs_backend *backend, const bs_rect *r, bs_list *out);
bool bs_tree_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                         size_t *ends);

/* tree_cast.c */
#define bs_tree_cast BS_VARIANT(bs_tree_cast)
bool bs_tree_cast(bs_backend *backend, bs_cast *cast);

/* tree.c */
#define bs_tree_sync BS_VARIANT(bs_tree_sync)
typedef enum bs_tree_question { BS_TREE_QUERY, BS_TREE_PAIRS } bs_tree_question;
/*
 * Before any question: brings the tree up to date. False: no memory; it stays as valid as it was.
 */
bool bs_tree_sync(bs_tree *t, bs_tree_question question);

#pragma GCC visibility pop

#endif
