/*
 * tree_build.c: making the tree anew, and tightening its bounds.
 *
 * Boxes are sorted by their centres along a Hilbert curve and packed eight by eight, level by
 * level: a packed R-tree (curve.h). Cells that hold too many are sorted again by themselves, with a
 * curve through their own bounds, so that an outlier or two far clusters do no harm.
 */
#include "block_load.h"
#include "curve.h"
#include "tree_parts.h"

enum {
    DIGIT_BITS = BS_CURVE_BITS / 2, /* radix sort: one or two passes */
    RUN = 4 * BS_LANES,             /* boxes with the same key that are left unsorted */
    STRIDE = RUN / 2,               /* two of three looked at are in any longer run */
    LARGE = 1 << 14 /* so many boxes: what sorting needs is not kept until next time */
};
static_assert(2 * DIGIT_BITS >= (int)BS_CURVE_BITS, "two passes sort all keys");

/* Half of its middle, nearly: so the difference of two is finite. */
static inline double tree_centre(const bs_rect *r, int k) {
    return r->pos[k] * 0.5 + r->size[k] * 0.25;
}

/* The bounds of the centres. */
static void tree_centres(const bs_rect *rect, const bs_tree_item *item, size_t n, double lo[DIM],
                         double hi[DIM]) {
    for (int k = 0; k < DIM; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        const bs_rect *r = &rect[item[i].box];
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            double x = tree_centre(r, k);
            assert(isfinite(x));
            lo[k] = bs_min(x, lo[k]);
            hi[k] = bs_max(x, hi[k]);
        }
    }
}

static void tree_radix_pass(const bs_tree_item *from, bs_tree_item *to, size_t n, int shift,
                            int bits) {
    assert(from != to && bits >= 0 && bits <= DIGIT_BITS && shift + bits <= BS_CURVE_BITS);
    uint32_t start[1 << DIGIT_BITS] = {0};
    uint32_t mask = (1u << bits) - 1;
    for (size_t i = 0; i < n; i++) {
        start[from[i].key >> shift & mask]++;
    }
    uint32_t sum = 0;
    for (uint32_t d = 0; d <= mask; d++) {
        uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    assert(sum == n);
    for (size_t i = 0; i < n; i++) {
        to[start[from[i].key >> shift & mask]++] = from[i];
    }
}

static int tree_bits_for(size_t n) {
    int bits = 2;
    while (bits < BS_CURVE_BITS && (size_t)1 << bits < n) {
        bits++;
    }
    assert(bits <= BS_CURVE_BITS);
    return bits;
}

static void tree_find_keys(const bs_rect *rect, bs_tree_item *item, size_t n, const bs_curve *c) {
    double centre[DIM][BS_CURVE_BATCH] = {{0}};
    uint32_t key[BS_CURVE_BATCH];
    for (size_t first = 0; first < n; first += BS_CURVE_BATCH) {
        size_t batch = n - first < BS_CURVE_BATCH ? n - first : BS_CURVE_BATCH;
        for (size_t i = 0; i < batch; i++) {
            const bs_rect *r = &rect[item[first + i].box];
#pragma GCC unroll 3
            for (int k = 0; k < DIM; k++) {
                centre[k][i] = tree_centre(r, k);
            }
        }
        bs_curve_keys(c, batch, centre, key);
        for (size_t i = 0; i < batch; i++) {
            assert(key[i] >> c->bits == 0);
            item[first + i].key = key[i];
        }
    }
}

static void tree_sort(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                      bs_curve *c);

/* Sorts runs of items with the same key, each along a curve of its own. */
static void tree_sort_runs(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                           bs_curve *c) {
    size_t sorted = 0; /* so many from the first one; their keys may be of other curves */
    for (size_t i = 0; i + STRIDE < n;) {
        assert(item[i].key <= item[i + STRIDE].key);
        if (item[i].key != item[i + STRIDE].key) {
            i += STRIDE;
            continue;
        }
        size_t first = i;
        size_t end = i + STRIDE + 1;
        while (first > sorted && item[first - 1].key == item[i].key) {
            first--;
        }
        while (end < n && item[end].key == item[i].key) {
            end++;
        }
        if (end - first > RUN && end - first < n) {
            tree_sort(rect, item + first, spare + first, end - first, c);
        }
        i = end;
        sorted = end;
    }
}

/* Sorts n items by their keys on the curve, which is then lost. `spare` has room for n. */
static void tree_sort_keys(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                           bs_curve *c) {
    assert(n > 0 && c->bits <= BS_CURVE_BITS);
    int low = c->bits > DIGIT_BITS ? c->bits / 2 : c->bits;
    tree_radix_pass(item, spare, n, 0, low);
    if (c->bits > low) {
        tree_radix_pass(spare, item, n, low, c->bits - low);
    } else {
        memcpy(item, spare, n * sizeof *item);
    }
    tree_sort_runs(rect, item, spare, n, c);
}

/* The same along a curve through their own bounds; `c` is room for it. */
static void tree_sort(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                      bs_curve *c) {
    double lo[DIM];
    double hi[DIM];
    tree_centres(rect, item, n, lo, hi);
    bs_curve_begin(c, lo, hi, tree_bits_for(n));
    if (n > BS_LANES && c->bits > 0) {
        tree_find_keys(rect, item, n, c);
        tree_sort_keys(rect, item, spare, n, c);
    }
}

/* All boxes, those in the tree in its order, so that sorting starts from the last order. */
static void tree_list_items(bs_tree *t) {
    size_t n = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        int count = t->link[node].level == 0 ? t->link[node].count : 0;
        for (int lane = 0; lane < count; lane++) {
            t->item[n++].box = t->node[node].id[lane];
        }
    }
    for (size_t i = 0; i < t->pending.n; i++) {
        t->item[n++].box = t->pending.at[i];
    }
    assert(n == t->base.count);
}

/* Where the world ends need not be known exactly. */
static void tree_begin_curve(bs_curve *c, const bs_bounds *world, int bits) {
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        lo[k] = (double)world->lo[k] * 0.5;
        hi[k] = (double)world->hi[k] * 0.5;
    }
    bs_curve_begin(c, lo, hi, bits);
}

/* Makes a note of the keys of n items. */
static void tree_keep_keys(bs_tree *t, const bs_tree_item *item, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assert(item[i].box < t->key_cap);
        t->key[item[i].box] = item[i].key;
    }
}

/* Sorts all items. Mostly a curve through the old root's bounds will do. */
static void tree_sort_all(bs_tree *t) {
    const bs_rect *rect = t->base.boxes->rect;
    size_t n = t->base.count;
    assert(t->item_cap >= 2 * n);
    bs_curve curve;
    t->curve_bits = 0;
    if (t->root == BS_NO_NODE || t->pending.n > n / 4) {
        tree_sort(rect, t->item, t->item + n, n, &curve);
        return;
    }
    t->curve_bounds = bs_tree_bounds(t, t->root);
    tree_begin_curve(&curve, &t->curve_bounds, tree_bits_for(n));
    tree_find_keys(rect, t->item, n, &curve);
    if (t->key_cap >= t->place_cap) {
        tree_keep_keys(t, t->item, n);
        t->curve_bits = tree_bits_for(n);
    }
    tree_sort_keys(rect, t->item, t->item + n, n, &curve);
    if (t->item[0].key == t->item[n - 1].key) { /* all are in one place, or somewhere else now */
        t->curve_bits = 0;
        tree_sort(rect, t->item, t->item + n, n, &curve);
    }
}

/* The same with the keys that the boxes in the tree have had. */
static void tree_sort_pending(bs_tree *t) {
    const bs_rect *rect = t->base.boxes->rect;
    size_t n = t->base.count;
    size_t known = n - t->pending.n;
    bs_tree_item *item = t->item;
    assert(t->curve_bits > 0 && t->item_cap >= 2 * n);
    bs_curve curve;
    tree_begin_curve(&curve, &t->curve_bounds, t->curve_bits);
    for (size_t i = 0; i < known; i++) {
        item[i].key = t->key[item[i].box];
        assert(item[i].key >> curve.bits == 0);
    }
    tree_find_keys(rect, item + known, n - known, &curve);
    tree_keep_keys(t, item + known, n - known);
    tree_sort_keys(rect, item, item + n, n, &curve);
}

/* Nodes that n boxes need, with node 0. */
static size_t tree_nodes_for(size_t n) {
    size_t nodes = 1;
    do {
        n = (n + BS_LANES - 1) / BS_LANES;
        nodes += n;
    } while (n > 1);
    return nodes;
}

/* The leaves, from node 1 on. Returns how many there are. Bounds come later: bs_tree_refit. */
static uint32_t tree_pack_leaves(bs_tree *t) {
    const bs_tree_item *item = t->item;
    uint32_t *place = t->place;
    uint32_t node = 1;
    for (size_t left = t->base.count; left > 0; node++) {
        assert(node < t->node_cap && node < t->link_cap);
        uint32_t *id = t->node[node].id;
        uint32_t count = left < BS_LANES ? (uint32_t)left : BS_LANES;
        for (uint32_t lane = 0; lane < count; lane++) {
            assert(item[lane].box < t->place_cap);
            id[lane] = item[lane].box;
            place[item[lane].box] = node * BS_LANES + lane;
        }
        for (uint32_t lane = count; lane < BS_LANES; lane++) {
            id[lane] = 0;
        }
        t->link[node] = (bs_tree_link){BS_NO_NODE, 0, (uint8_t)count, 0};
        item += count;
        left -= count;
    }
    return node - 1;
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
        uint32_t n = tree_pack_leaves(t);
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

/* Room for what building needs. Keys are kept where that does not take much. */
static bool tree_reserve(bs_tree *t) {
    bs_heap *heap = t->base.heap;
    size_t n = t->base.count;
    size_t nodes = tree_nodes_for(n);
    size_t keys = t->place_cap <= LARGE ? t->place_cap : 0;
    return bs_array_reserve(heap, &t->item, &t->item_cap, 2 * n, sizeof *t->item) &&
           bs_array_reserve(heap, &t->key, &t->key_cap, keys, sizeof *t->key) &&
           bs_array_reserve(heap, &t->node, &t->node_cap, nodes, sizeof *t->node) &&
           bs_array_reserve(heap, &t->link, &t->link_cap, nodes, sizeof *t->link);
}

/* Makes the nodes for the items, in their order. Returns the sum of the leaves' extents by box. */
static double tree_make_nodes(bs_tree *t) {
    tree_pack(t);
    if (t->base.count >= LARGE) {
        bs_array_free(t->base.heap, &t->item, &t->item_cap, sizeof *t->item);
    }
    t->pending.n = 0;
    t->ordered = true;
    double extent = bs_tree_refit(t);
    assert(bs_tree_is_synced(t) && extent >= 0);
    return extent;
}

bool bs_tree_build(bs_tree *t) {
    if (!tree_reserve(t)) {
        return false;
    }
    if (t->base.count > 0) {
        tree_list_items(t);
        tree_sort_all(t);
    }
    t->extent = tree_make_nodes(t);
    t->rebuilds++;
    t->merges = 0;
    t->wait -= t->wait > 0;
    t->excess = 0;
    t->tests = 0;
    t->least = 0;
    return true;
}

bool bs_tree_merge(bs_tree *t, double *extent) {
    assert(bs_tree_may_merge(t));
    if (!tree_reserve(t)) {
        return false;
    }
    tree_list_items(t);
    tree_sort_pending(t);
    *extent = tree_make_nodes(t);
    return true;
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

/* Children first: by number after a build, level by level if nodes have been added since. */
double bs_tree_refit(bs_tree *t) {
    double extent = 0;
    int height = t->root == BS_NO_NODE ? 0 : t->link[t->root].level + 1;
    int passes = t->ordered && height > 1 ? 1 : height;
    for (int level = 0; level < passes; level++) {
        for (uint32_t node = 1; node < t->used; node++) {
            if (t->link[node].level == level ||
                (t->ordered && t->link[node].level != BS_TREE_FREE)) {
                extent += tree_refit_node(t, node);
            }
        }
    }
    t->stale = false;
    t->moved.n = 0;
    t->escapes = 0;
    return t->base.count > 0 ? extent / (double)t->base.count : 0;
}
