/*
 * change.c: inserting, removing and moving single boxes. It relies on tree.h.
 *
 * As in an R-tree (Guttman, 1984), a box goes down to the leaf that grows least, and a full node is
 * split. Growth is measured by the sum of the sides, which is nearly the chance that a query must
 * look into a node (Goldsmith and Salmon, 1987).
 */
#include "tree.h"

/* --- nodes ---------------------------------------------------------------------------------- */

/* Makes sure that n more nodes can be taken without failing. */
static bool tree_reserve_nodes(bs_tree *t, size_t n) {
    size_t need = (size_t)t->used + n;
    return need * BS_TREE_STEP < BS_NO_PLACE &&
           bs_array_reserve(t->base.heap, &t->node, &t->node_cap, need, sizeof *t->node);
}

static bs_tree_node *tree_take_node(bs_tree *t, int level) {
    assert(level >= 0 && level < BS_TREE_MAX_HEIGHT);
    bs_tree_node *node = &t->node[t->free != 0 ? t->free : t->used++];
    assert(node < t->node + t->node_cap);
    t->free = t->free != 0 ? node->parent : 0;
    bs_block_clear(&node->lanes);
    node->count = 0;
    node->level = (uint8_t)level;
    return node;
}

static void tree_free_node(bs_tree *t, bs_tree_node *node) {
    assert(node > t->node && node->count == 0);
    node->level = BS_TREE_FREE;
    node->parent = t->free;
    t->free = (uint32_t)(node - t->node);
}

/* Puts a box, or a node by its place, into a lane, and lets it know where it is. */
static void tree_put(bs_tree *t, bs_tree_node *node, int lane, bs_bounds bounds, uint32_t id) {
    assert(lane >= 0 && lane < BS_LANES);
    uint32_t place = bs_tree_place_of(t, node) + (uint32_t)lane;
    bs_block_set(&node->lanes, lane, bounds, id);
    if (node->level == 0) {
        t->place[id] = place;
    } else {
        bs_tree_node_at(t, id)->parent = place;
    }
}

static void tree_set_root(bs_tree *t, const bs_tree_node *root, bs_bounds bounds) {
    tree_put(t, &t->node[0], 0, bounds, bs_tree_place_of(t, root));
    t->node[0].count = 1;
}

/* --- inserting ------------------------------------------------------------------------------ */

/* Makes the bounds of a node, and of those above it, contain b. It ends where nothing grows. */
static void tree_grow(bs_tree *t, const bs_tree_node *node, bs_bounds b) {
    while (node != t->node) {
        bs_tree_node *above = bs_tree_node_of(t, node->parent);
        int lane = bs_tree_lane_of(node->parent);
        bs_bounds old = bs_block_get(&above->lanes, lane);
        if (bs_bounds_contain(&old, &b)) {
            return;
        }
        b = bs_bounds_union(old, b);
        bs_block_set(&above->lanes, lane, b, above->lanes.id[lane]);
        node = above;
    }
}

/* The lane whose bounds grow least if b is added; an empty lane grows by infinity. */
static int tree_best_lane(const bs_tree_node *node, const bs_bounds *b) {
    const bs_f8 part = bs_f8_set(0.125f); /* Of each length, so that no sum is infinite. */
    bs_f8 growth = bs_f8_set(0);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 lo = bs_f8_mul(bs_f8_load(node->lanes.lo[k]), part);
        bs_f8 hi = bs_f8_mul(bs_f8_load(node->lanes.hi[k]), part);
        bs_f8 below = bs_f8_sub(lo, bs_f8_min(lo, bs_f8_set(0.125f * b->lo[k])));
        bs_f8 above = bs_f8_sub(bs_f8_max(hi, bs_f8_set(0.125f * b->hi[k])), hi);
        growth = bs_f8_add(growth, bs_f8_add(below, above));
    }
    int best = bs_first_lane(bs_f8_le(growth, bs_f8_set(bs_f8_least(growth))));
    assert(best < node->count);
    return best;
}

enum { ENTRIES = BS_LANES + 1, STAY = (ENTRIES + 1) / 2, KEYS = 2 * BS_LANES };

/* What a lane holds. */
typedef struct tree_entry {
    bs_bounds bounds;
    uint32_t id;
} tree_entry;

/* Ranks nine entries by their middles on the axis on which they reach farthest. */
static void tree_rank(const tree_entry entry[ENTRIES], uint32_t rank[KEYS]) {
    uint32_t key[KEYS];
    bs_bounds all = bs_bounds_empty();
    int axis = 0;
    for (int i = 0; i < ENTRIES; i++) {
        all = bs_bounds_union(all, entry[i].bounds);
    }
    for (int k = 1; k < DIM; k++) {
        float longest = all.hi[axis] * 0.5f - all.lo[axis] * 0.5f;
        axis = all.hi[k] * 0.5f - all.lo[k] * 0.5f > longest ? k : axis;
    }
    /* The bits of floats >= 0 have the order of the floats. All keys differ. */
    for (uint32_t i = 0; i < KEYS; i++) {
        const bs_bounds *b = &entry[i < ENTRIES ? i : 0].bounds;
        float from = b->lo[axis] * 0.25f - all.lo[axis] * 0.25f;
        float to = b->hi[axis] * 0.25f - all.lo[axis] * 0.25f;
        key[i] = i < ENTRIES ? (bs_bits_of(from + to) & ~(KEYS - 1u)) | i : INT32_MAX;
    }
    bs_ranks(key, rank, ENTRIES);
}

/*
 * Adds an entry to a full node: four of the nine go to a new node, which becomes *added, with its
 * bounds. Returns the bounds of the five that stay; the parent is not touched.
 */
static bs_bounds tree_split(bs_tree *t, bs_tree_node *node, tree_entry *added) {
    assert(node->count == BS_LANES);
    tree_entry entry[ENTRIES];
    uint32_t rank[KEYS];
    for (int lane = 0; lane < BS_LANES; lane++) {
        entry[lane] = (tree_entry){bs_block_get(&node->lanes, lane), node->lanes.id[lane]};
    }
    entry[BS_LANES] = *added;
    tree_rank(entry, rank);
    bs_tree_node *half[2] = {node, tree_take_node(t, node->level)};
    bs_bounds bounds[2] = {bs_bounds_empty(), bs_bounds_empty()};
    bs_block_clear(&node->lanes);
    node->count = 0;
    for (int i = 0; i < ENTRIES; i++) {
        int to = rank[i] >= STAY;
        tree_put(t, half[to], half[to]->count++, entry[i].bounds, entry[i].id);
        bounds[to] = bs_bounds_union(bounds[to], entry[i].bounds);
    }
    assert(half[0]->count == STAY && half[1]->count == ENTRIES - STAY);
    *added = (tree_entry){bounds[1], bs_tree_place_of(t, half[1])};
    return bounds[0];
}

/* Adds an entry to a leaf, splitting upwards as need be. Nodes have been reserved. */
static void tree_add(bs_tree *t, bs_tree_node *node, tree_entry added) {
    tree_grow(t, node, added.bounds); /* Splits only distribute what is already inside. */
    while (node->count == BS_LANES) {
        bs_bounds rest = tree_split(t, node, &added);
        bs_tree_node *parent = bs_tree_node_of(t, node->parent);
        if (parent == t->node) {
            parent = tree_take_node(t, node->level + 1);
            tree_set_root(t, parent, bs_bounds_union(rest, added.bounds));
            tree_put(t, parent, 0, rest, bs_tree_place_of(t, node));
            parent->count = 1;
        }
        int lane = bs_tree_lane_of(node->parent);
        bs_block_set(&parent->lanes, lane, rest, parent->lanes.id[lane]);
        node = parent;
    }
    tree_put(t, node, node->count++, added.bounds, added.id);
}

static bool tree_add_box(bs_tree *t, uint32_t box) {
    if (!tree_reserve_nodes(t, BS_TREE_MAX_HEIGHT + 2)) {
        return false;
    }
    tree_entry added = {bs_bounds_of(&t->base.boxes->rect[box]), box};
    if (bs_tree_is_empty(t)) { /* The last box in the tree has just left it. */
        tree_set_root(t, tree_take_node(t, 0), added.bounds);
    }
    bs_tree_node *node = bs_tree_root(t);
    while (node->level > 0) {
        node = bs_tree_node_at(t, node->lanes.id[tree_best_lane(node, &added.bounds)]);
    }
    tree_add(t, node, added);
    return true;
}

/* The last of them first. One that is listed twice is inserted once. */
bool bs_tree_add_pending(bs_tree *t) {
    for (; t->pending.n > 0; t->pending.n--) {
        uint32_t box = t->pending.at[t->pending.n - 1];
        if (t->place[box] != BS_NO_PLACE) {
            continue;
        }
        if (!tree_add_box(t, box)) {
            return false;
        }
        t->wear.changes++;
        if (bs_tree_root(t)->level >= BS_TREE_MAX_HEIGHT - 1) {
            return bs_tree_build(&t->base);
        }
    }
    return true;
}

/* --- removing ------------------------------------------------------------------------------- */

/* Removes an entry. The last one of the node gets its lane. An empty node is removed, too. */
static void tree_cut(bs_tree *t, uint32_t place) {
    bs_tree_node *node = bs_tree_node_of(t, place);
    int lane = bs_tree_lane_of(place);
    int last = --node->count;
    assert(lane <= last);
    if (lane != last) {
        tree_put(t, node, lane, bs_block_get(&node->lanes, last), node->lanes.id[last]);
    }
    bs_block_clear_lane(&node->lanes, last);
    if (last == 0 && node != t->node) {
        place = node->parent;
        tree_free_node(t, node);
        tree_cut(t, place);
    }
}

/* --- moving --------------------------------------------------------------------------------- */

/* The bounds of a box with its margin. */
static bs_bounds tree_fatten(const bs_tree *t, bs_bounds b) {
    for (int k = 0; k < DIM; k++) {
        double lo = (double)b.lo[k];
        double hi = (double)b.hi[k];
        double margin = t->margin >= 0 ? t->margin : 0.25 * (hi - lo);
        b.lo[k] = bs_round(lo - margin);
        b.hi[k] = bs_round(hi + margin);
        assert((double)b.lo[k] <= lo && (double)b.hi[k] >= hi);
    }
    return b;
}

/* Removes a box from its leaf. */
static void tree_take_box(bs_tree *t, uint32_t box) {
    tree_cut(t, t->place[box]);
    t->place[box] = BS_NO_PLACE;
    t->wear.changes++;
}

/*
 * Reads a moved box again. If it has left its leaf's bounds and is still near, they grow. Otherwise
 * it leaves, as a box that jumped across the world must not stretch a node over all of it.
 */
static void tree_move_box(bs_tree *t, uint32_t box) {
    const uint32_t place = t->place[box];
    bs_tree_node *leaf = bs_tree_node_of(t, place);
    const bs_bounds bounds = bs_bounds_of(&t->base.boxes->rect[box]);
    const bs_bounds old = bs_tree_bounds(t, leaf);
    bs_block_set(&leaf->lanes, bs_tree_lane_of(place), bounds, box);
    if (bs_bounds_contain(&old, &bounds)) {
        return;
    }
    const bs_bounds fat = tree_fatten(t, bounds);
    double grown = bs_bounds_extent(bs_bounds_union(old, fat));
    if (grown > 2 * (bs_bounds_extent(old) + bs_bounds_extent(fat))) {
        tree_take_box(t, box);
    } else {
        tree_grow(t, leaf, fat);
        t->wear.changes++;
    }
}

bool bs_tree_look_at(bs_tree *t, const bs_list *boxes, bool replaced) {
    for (size_t i = 0; i < boxes->n; i++) {
        const uint32_t box = boxes->at[i];
        const bool holds = bs_backend_holds(&t->base, box);
        if (box >= t->place_cap) { /* It came and left. */
            continue;
        }
        if (t->place[box] != BS_NO_PLACE) {
            if (replaced || !holds) {
                tree_take_box(t, box);
            } else {
                tree_move_box(t, box);
            }
        }
        if (holds && t->place[box] == BS_NO_PLACE && !bs_list_add(t->base.heap, &t->pending, box)) {
            return false;
        }
    }
    return true;
}
