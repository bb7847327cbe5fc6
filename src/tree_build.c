/*
 * tree_build.c: making the tree anew, and tightening its bounds.
 *
 * Boxes are sorted (tree_sort.c, tree_pack.c) and packed eight by eight, level by level: a packed
 * R-tree.
 */
#include "block_load.h"
#include "tree_parts.h"

enum {
    NO_ITEMS = 1 << 14, /* so many boxes: items take too much memory to be kept, and merged into */
    MOST_DUE = 8        /* builds that one frame may be worth, after the first */
};

/* Nodes that n boxes need, with node 0. */
static size_t tree_nodes_for(size_t n) {
    size_t nodes = 1;
    do {
        n = (n + BS_LANES - 1) / BS_LANES;
        nodes += n;
    } while (n > 1);
    return nodes;
}

/* One level above the `n` nodes from `first` on. Bounds come later, from bs_tree_refit. */
static uint32_t tree_pack_level(bs_tree *t, uint32_t first, uint32_t n, int level) {
    assert(n > 1 && level > 0 && level < BS_TREE_MAX_HEIGHT);
    uint32_t start = first + n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = start + i / BS_LANES;
        int lane = (int)(i % BS_LANES);
        assert(node < t->node_cap && t->link[first + i].level == level - 1);
        if (lane == 0) {
            bs_block_clear(&t->node[node]);
            t->link[node] = (bs_tree_link){BS_NO_NODE, 0, 0, (uint8_t)level};
        }
        t->node[node].id[lane] = bs_tree_name(first + i);
        t->link[node].count++;
        t->link[first + i].parent = node;
        t->link[first + i].lane = (uint8_t)lane;
    }
    return (n + BS_LANES - 1) / BS_LANES;
}

static void tree_pack(bs_tree *t) {
    bs_block_clear(&t->node[BS_TREE_TOP]);
    t->link[BS_TREE_TOP] = (bs_tree_link){BS_NO_NODE, 0, 1, BS_TREE_MAX_HEIGHT};
    t->free = BS_NO_NODE;
    t->root = BS_NO_NODE;
    t->used = 1;
    t->leaves = 0;
    if (t->base.count > 0) {
        uint32_t first = 1;
        uint32_t n = bs_tree_pack_leaves(t);
        t->leaves = n;
        for (int level = 1; n > 1; level++) {
            uint32_t above = tree_pack_level(t, first, n, level);
            first += n;
            n = above;
        }
        t->root = first;
        t->used = first + 1;
        t->node[BS_TREE_TOP].id[0] = bs_tree_name(first);
        t->link[first].parent = BS_TREE_TOP;
        t->link[first].lane = 0;
    }
    assert(t->used == tree_nodes_for(t->base.count));
    t->in_use = t->used - 1;
}

/* Room for what building needs. */
static bool tree_reserve(bs_tree *t) {
    bs_heap *heap = t->base.heap;
    size_t items = 2 * t->base.count;
    size_t nodes = tree_nodes_for(t->base.count);
    return bs_array_reserve(heap, &t->item, &t->item_cap, items, sizeof *t->item) &&
           bs_array_reserve(heap, &t->node, &t->node_cap, nodes, sizeof *t->node) &&
           bs_array_reserve(heap, &t->link, &t->link_cap, nodes, sizeof *t->link);
}

/* The extents of leaves: their sum, but the largest one counts for no more than the second. */
typedef struct tree_sum {
    double lesser; /* all but the largest ... */
    double largest;
    double second; /* ... and the largest of these */
} tree_sum;

static inline void tree_add_leaf(tree_sum *sum, double extent) {
    double lesser = bs_min(extent, sum->largest);
    sum->largest = bs_max(extent, sum->largest);
    sum->second = bs_max(lesser, sum->second);
    sum->lesser += lesser;
}

/* By box. */
static double tree_mean(const bs_tree *t, const tree_sum *sum) {
    return (sum->lesser + sum->second) / ((double)t->base.count + 1);
}

/* The same from the bounds that leaves have. */
static double tree_extent(const bs_tree *t) {
    tree_sum sum = {0, 0, 0};
    for (uint32_t leaf = 1; leaf <= t->leaves; leaf++) {
        tree_add_leaf(&sum, bs_bounds_extent(bs_tree_bounds(t, leaf)));
    }
    return tree_mean(t, &sum);
}

/* So much smaller must leaves become by sharing if that is to pay by the next merge already. */
static const double MUCH_LESS = 0.84;

/* Makes the nodes for the items, in their order. Returns what bs_tree_refit does. */
static double tree_make_nodes(bs_tree *t, bool share) {
    tree_pack(t);
    if (t->base.count >= NO_ITEMS) {
        bs_array_free(t->base.heap, &t->item, &t->item_cap, sizeof *t->item);
        t->kept = 0;
    }
    t->pending.n = 0;
    t->ordered = true;
    double extent = bs_tree_refit(t);
    double before = extent;
    t->tries = share ? bs_tree_share(t) : 0;
    if (t->tries > 0) {
        extent = tree_extent(t);
    }
    t->mixed = extent < MUCH_LESS * before;
    assert(bs_tree_is_synced(t) && extent >= 0);
    return extent;
}

bool bs_tree_build(bs_tree *t) {
    if (!tree_reserve(t)) {
        return false;
    }
    if (t->base.count > 0) {
        bs_tree_sort(t);
    }
    /* Merged trees are judged by this one: so where their leaves do not share its do not either. */
    t->extent = tree_make_nodes(t, t->mixed || t->merges == 0);
    t->rebuilds++;
    t->merges = 0;
    t->wait -= t->wait > 0;
    t->excess = bs_min(bs_max(t->excess - bs_tree_price(t), 0), MOST_DUE * bs_tree_price(t));
    t->tight = 1;
    t->tests = 0;
    t->least = 0;
    t->looks = 0;
    return true;
}

bool bs_tree_merge(bs_tree *t, double *extent) {
    assert(bs_tree_may_merge(t));
    if (!tree_reserve(t)) {
        return false;
    }
    bool again = bs_tree_sort_pending(t);
    *extent = tree_make_nodes(t, t->mixed);
    t->kept = again ? t->kept : 0;
    return true;
}

/* If the node is a leaf, asks for its boxes, which are anywhere in memory. */
BS_HOT void tree_fetch_boxes(const bs_tree *t, uint32_t node) {
    if (node < t->used && t->link[node].level == 0) {
#pragma GCC unroll 8
        for (int lane = 0; lane < BS_LANES; lane++) {
            bs_boxes_fetch_ahead(t->base.boxes->rect, t->node[node].id[lane]);
        }
    }
}

/* Makes the bounds of a node right, in its parent. Returns the sum of a leaf's sides. */
static double tree_refit_node(bs_tree *t, uint32_t node) {
    bs_tree_link link = t->link[node];
    assert(link.parent < t->used && t->node[link.parent].id[link.lane] == bs_tree_name(node));
    assert(!t->ordered || link.parent == BS_TREE_TOP || link.parent > node);
    bs_block *block = &t->node[node];
    bs_bounds b = link.level == 0 ? bs_block_load(block, t->base.boxes->rect, link.count)
                                  : bs_block_bounds(block);
    bs_block_set(&t->node[link.parent], link.lane, b, bs_tree_name(node));
    return link.level == 0 ? bs_bounds_extent(b) : 0;
}

/*
 * Children first: by number after a build, level by level if nodes have been added since. One leaf
 * with boxes far away from all others must not hide how the other leaves grow (tree_sum).
 */
double bs_tree_refit(bs_tree *t) {
    tree_sum sum = {0, 0, 0};
    int height = t->root == BS_NO_NODE ? 0 : t->link[t->root].level + 1;
    int passes = t->ordered && height > 1 ? 1 : height;
    for (int level = 0; level < passes; level++) {
        bool far = level == 0 && t->base.count >= BS_BOXES_FAR;
        for (uint32_t node = 1; node < t->used; node++) {
            if (t->link[node].level == level ||
                (t->ordered && t->link[node].level != BS_TREE_FREE)) {
                if (far) {
                    tree_fetch_boxes(t, node + BS_AHEAD);
                }
                tree_add_leaf(&sum, tree_refit_node(t, node));
            }
        }
    }
    t->stale = false;
    t->moved.n = 0;
    t->escapes = 0;
    return tree_mean(t, &sum);
}
