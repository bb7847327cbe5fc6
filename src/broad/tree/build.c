/*
 * build.c: making the tree anew, and tightening its bounds. It relies on tree.h.
 *
 * It is a packed R-tree: boxes that are near each other get into one leaf, and leaves that are near
 * each other into one node. The boxes are sorted along the longest axis of the bounds of their
 * centres, and cut into slabs of equal number. Then each slab is sorted and cut along its own
 * longest axis, and so on, down to leaves of eight boxes. The number of slabs is such that leaves
 * become squares (cubes):
 *
 *      +-----+---+-------+
 *      |     |   |       |
 *      +-----+---+       |       three slabs, of which each is cut across
 *      |     |   +-------+
 *      |     +---+       |
 *      +-----+---+-------+
 *
 * After Leutenegger, Lopez and Edgington, "STR: a simple and efficient algorithm for R-tree
 * packing", 1997. Each piece is cut by its own contents, so outliers and clusters do no harm.
 */
#include "tree.h"

enum {
    SLABS_MOST = 128, /* A piece is cut into so many at once. */
    CELLS_MOST = 512, /* The cells of a histogram: some for each slab. */
    CROWDED = 8,      /* A cell with an eighth of the items is sorted by itself. */
    AHEAD = 16        /* A leaf's boxes are fetched so many leaves ahead. */
};

/* So many boxes are in none of the nearer caches. In tests it is few, so that they get here. */
#ifdef BS_CHECKS
enum { FAR = 64 };
#else
enum { FAR = 1 << 14 };
#endif

/* --- sorting -------------------------------------------------------------------------------- */

static bs_bounds tree_centres(const bs_tree_item *item, size_t n) {
    bs_bounds b = bs_bounds_empty();
    for (size_t i = 0; i < n; i++) {
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            float x = item[i].centre[k];
            b.lo[k] = x < b.lo[k] ? x : b.lo[k];
            b.hi[k] = x > b.hi[k] ? x : b.hi[k];
        }
    }
    return b;
}

/* Whether the bounds are long enough on an axis to be cut. */
static inline bool tree_is_long(const bs_bounds *b, int axis) {
    const float least = 1e-30f; /* So that there can be cells. */
    return b->hi[axis] - b->lo[axis] >= least;
}

/* Cells of equal length along an axis. */
typedef struct tree_cells {
    size_t n;
    int axis;
    float lo;
    float scale; /* How many cells there are per unit of length. */
} tree_cells;

/* Cuts an axis: a cell for each item, if these are few. */
static tree_cells tree_cut_axis(size_t items, int axis, const bs_bounds *b) {
    tree_cells c = {.n = BS_LANES, .axis = axis, .lo = b->lo[axis]};
    assert(tree_is_long(b, axis));
    while (c.n < CELLS_MOST && c.n < items) {
        c.n *= 2;
    }
    c.scale = ((float)c.n - 0.5f) / (b->hi[axis] - c.lo);
    return c;
}

static inline size_t tree_cell(const tree_cells *c, const bs_tree_item *item) {
    return (size_t)(int32_t)((item->centre[c->axis] - c->lo) * c->scale);
}

/*
 * Sorts items by their centres on an axis, which lie within the bounds, from `item` to `to`. They
 * come in the order of cells. Cells with too many items, which outliers cause, are sorted once
 * more.
 */
static void tree_sort(bs_tree_item *item, bs_tree_item *to, size_t n, int axis,
                      const bs_bounds *b) {
    uint32_t end[CELLS_MOST]; /* By cell: where its items end when they are sorted. */
    const tree_cells cells = tree_cut_axis(n, axis, b);
    memset(end, 0, cells.n * sizeof *end);
    for (size_t i = 0; i < n; i++) {
        end[tree_cell(&cells, &item[i])]++;
    }
    const size_t crowd = n / CROWDED + BS_LANES;
    size_t most = 0;
    uint32_t sum = 0;
    for (size_t i = 0; i < cells.n; i++) {
        uint32_t count = end[i];
        end[i] = sum;
        sum += count;
        most = count > most ? count : most;
    }
    assert(sum == n);
    for (size_t i = 0; i < n; i++) {
        to[end[tree_cell(&cells, &item[i])]++] = item[i];
    }
    for (size_t i = 0, begin = 0; most > crowd && i < cells.n; begin = end[i++]) {
        size_t count = end[i] - begin;
        if (count > crowd) {
            bs_bounds own = tree_centres(to + begin, count);
            if (tree_is_long(&own, axis)) {
                tree_sort(to + begin, item + begin, count, axis, &own);
                memcpy(to + begin, item + begin, count * sizeof *to);
            }
        }
    }
}

/*
 * The number of slabs that makes leaves as long on the longest axis as on the others: side / L,
 * with L^DIM * leaves = the product of all sides.
 */
static size_t tree_slabs(const bs_bounds *b, int longest, size_t leaves) {
    double side = (double)b->hi[longest] - (double)b->lo[longest];
    double power = (double)leaves;
    size_t slabs = 2;
    for (int k = 0; k < DIM; k++) {
        double other = (double)b->hi[k] - (double)b->lo[k];
        power *= other > 0 ? side / other : (double)leaves;
    }
    for (; slabs < SLABS_MOST && slabs < leaves; slabs++) {
        double between = (double)slabs + 0.5;
        if (!((DIM == 2 ? between * between : between * between * between) < power)) {
            break;
        }
    }
    return slabs;
}

/* --- packing -------------------------------------------------------------------------------- */

/* Takes the next node and empties it. */
static bs_tree_node *tree_next_node(bs_tree *t, int level) {
    assert(t->used < t->node_cap && level < BS_TREE_MAX_HEIGHT);
    bs_tree_node *node = &t->node[t->used++];
    node->count = 0;
    node->level = (uint8_t)level;
    return node;
}

/* Puts items into leaves, eight by eight. bs_tree_refit sets their bounds later. */
static void tree_fill_leaves(bs_tree *t, const bs_tree_item *item, size_t n) {
    for (size_t i = 0; i < n; i += BS_LANES) {
        bs_tree_node *leaf = tree_next_node(t, 0);
        const uint32_t place = bs_tree_place_of(t, leaf);
        const uint32_t count = n - i < BS_LANES ? (uint32_t)(n - i) : BS_LANES;
        uint32_t *const places = t->place;
        memset(leaf->lanes.id, 0, sizeof leaf->lanes.id);
        leaf->count = (uint8_t)count;
        for (uint32_t lane = 0; lane < count; lane++) {
            uint32_t box = item[i + lane].box;
            assert(box < t->place_cap);
            leaf->lanes.id[lane] = box;
            places[box] = place + lane;
        }
    }
}

/* Makes the leaves for n items, which are sorted to `spare` and back. O(n log n), nearly O(n). */
static void tree_make_leaves(bs_tree *t, bs_tree_item *item, bs_tree_item *spare, size_t n) {
    const size_t leaves = (n + BS_LANES - 1) / BS_LANES;
    const bs_bounds b = tree_centres(item, n);
    int longest = 0;
    for (int k = 1; k < DIM; k++) {
        longest = b.hi[k] - b.lo[k] > b.hi[longest] - b.lo[longest] ? k : longest;
    }
    if (leaves <= 1 || !tree_is_long(&b, longest)) {
        tree_fill_leaves(t, item, n);
        return;
    }
    const size_t slabs = tree_slabs(&b, longest, leaves);
    const size_t slab = (leaves + slabs - 1) / slabs * BS_LANES;
    assert(slab < n);
    tree_sort(item, spare, n, longest, &b);
    for (size_t i = 0; i < n; i += slab) {
        tree_make_leaves(t, spare + i, item + i, n - i < slab ? n - i : slab);
    }
}

/* Makes the level above the nodes from number `first` on. */
static void tree_make_level(bs_tree *t, uint32_t first, int level) {
    bs_tree_node *above = NULL;
    const bs_tree_node *end = t->node + t->used;
    for (bs_tree_node *node = t->node + first; node < end; node++) {
        if (above == NULL || above->count == BS_LANES) {
            above = tree_next_node(t, level);
            bs_block_clear(&above->lanes);
        }
        node->parent = bs_tree_place_of(t, above) + above->count;
        above->lanes.id[above->count++] = bs_tree_place_of(t, node);
    }
}

/* Makes all nodes anew from the items. */
static void tree_make_nodes(bs_tree *t) {
    uint32_t first = 1;
    t->free = 0;
    t->used = 1;
    bs_block_clear(&t->node[0].lanes);
    t->node[0].count = 0;
    tree_make_leaves(t, t->item, t->item + t->base.count, t->base.count);
    for (int level = 1; t->used - first > 1; level++) {
        uint32_t end = t->used;
        tree_make_level(t, first, level);
        first = end;
    }
    if (first < t->used) {
        t->node[first].parent = 0;
        t->node[0].lanes.id[0] = bs_tree_place_of(t, &t->node[first]);
        t->node[0].count = 1;
    }
}

/* --- making it anew ------------------------------------------------------------------------- */

/*
 * In a large world, fetches the boxes of a leaf that is read after some others, into the level-2
 * cache: one more line can be on its way to that than to the first. (A frame of 100,000 boxes takes
 * 1.4 times as long without it.)
 */
BS_HOT void tree_fetch_boxes(const bs_tree *t, const bs_tree_node *node) {
    if (t->base.count >= FAR && node < t->node + t->used && node->level == 0) {
#pragma GCC unroll 8
        for (int lane = 0; lane < BS_LANES; lane++) {
            __builtin_prefetch(&t->base.boxes->rect[node->lanes.id[lane]], 0, 2);
        }
    }
}

BS_HOT bs_tree_item tree_item(const bs_rect *rect, uint32_t box) {
    bs_tree_item item;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        item.centre[k] = 0.5f * bs_round(rect[box].pos[k] + 0.5 * rect[box].size[k]);
    }
    item.box = box;
    return item;
}

/* Makes items of all boxes of the set. */
static void tree_list_items(const bs_tree *t) {
    const bs_rect *rect = t->base.boxes->rect;
    bs_tree_item *to = t->item;
    for (uint32_t box = 0; box < t->place_cap; box++) {
        t->place[box] = BS_NO_PLACE;
        if (bs_backend_holds(&t->base, box)) {
            *to++ = tree_item(rect, box);
        }
    }
    assert(to == t->item + t->base.count);
}

/* The number of nodes that n boxes need, with node 0. */
static size_t tree_nodes_for(size_t n) {
    size_t nodes = 1;
    while (n > 0) {
        n = (n + BS_LANES - 1) / BS_LANES;
        nodes += n;
        n = n > 1 ? n : 0;
    }
    return nodes;
}

bool bs_tree_build(bs_backend *backend) {
    bs_tree *t = bs_tree_of(backend);
    bs_heap *heap = backend->heap;
    size_t n = t->base.count;
    size_t nodes = tree_nodes_for(n);
    if (!bs_places_reserve(heap, &t->place, &t->place_cap, bs_backend_reach(backend, NULL)) ||
        !bs_array_reserve(heap, &t->item, &t->item_cap, 2 * n, sizeof *t->item) ||
        !bs_array_reserve(heap, &t->node, &t->node_cap, nodes, sizeof *t->node)) {
        return false;
    }
    tree_list_items(t);
    tree_make_nodes(t);
    assert(t->used == nodes);
    bs_wear_begin(&t->wear, bs_tree_refit(t));
    t->rebuilds++;
    return true;
}

/* --- tightening ----------------------------------------------------------------------------- */

/* The number of leaves, and the sum of the bits of their extents, which are like logarithms. */
typedef struct tree_sum {
    uint64_t bits;
    uint64_t leaves;
} tree_sum;

/* Tightens a leaf, and returns its bounds. */
BS_HOT bs_bounds tree_refit_leaf(const bs_tree *t, bs_tree_node *leaf, tree_sum *sum) {
    tree_fetch_boxes(t, leaf + AHEAD);
    bs_bounds b = bs_block_load(&leaf->lanes, t->base.boxes->rect, leaf->count);
    float extent = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        extent += b.hi[k] - b.lo[k];
    }
    sum->bits += bs_bits_of(extent);
    sum->leaves++;
    return b;
}

/* Tightens the bounds of all that is below a node, and returns those of the node. */
static bs_bounds tree_refit_node(const bs_tree *t, bs_tree_node *node, tree_sum *sum) {
    if (node->level == 0) {
        return tree_refit_leaf(t, node, sum);
    }
    bs_bounds all = bs_bounds_empty();
    for (int lane = 0; lane < node->count; lane++) {
        uint32_t place = node->lanes.id[lane];
        bs_tree_node *child = bs_tree_node_at(t, place);
        bs_bounds b =
            node->level == 1 ? tree_refit_leaf(t, child, sum) : tree_refit_node(t, child, sum);
        bs_block_set(&node->lanes, lane, b, place);
        all = bs_bounds_union(all, b);
    }
    return all; /* Reading the lanes would wait for what was just written to them. */
}

float bs_tree_refit(bs_tree *t) {
    tree_sum sum = {0, 0};
    if (!bs_tree_is_empty(t)) {
        bs_bounds b = tree_refit_node(t, bs_tree_root(t), &sum);
        bs_block_set(&t->node[0].lanes, 0, b, t->node[0].lanes.id[0]);
    }
    return sum.leaves > 0 ? bs_float_of((uint32_t)(sum.bits / sum.leaves)) : 0;
}
