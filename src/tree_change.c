/*
 * tree_change.c: inserting, removing and moving single boxes.
 *
 * As in an R-tree (Guttman, 1984): descend to the leaf that grows least, split what is full. What
 * "grows" means is the surface-area heuristic (Goldsmith and Salmon, 1987): the chance that a query
 * must look into a node is proportional to its surface. A split tries each axis and takes the one
 * with the least sum of surface times children.
 */
#include "tree_parts.h"

/* --- nodes ---------------------------------------------------------------------------------- */

/* Makes sure that n more nodes can be taken without failing. */
static bool tree_reserve_nodes(bs_tree *t, size_t n) {
    size_t need = (size_t)t->used + n;
    return bs_array_reserve(t->base.heap, &t->node, &t->node_cap, need, sizeof *t->node) &&
           bs_array_reserve(t->base.heap, &t->link, &t->link_cap, need, sizeof *t->link);
}

static uint32_t tree_take_node(bs_tree *t, int level) {
    assert(level >= 0 && level < BS_TREE_MAX_HEIGHT);
    uint32_t node = t->free;
    if (node != BS_NO_NODE) {
        assert(node < t->used && t->link[node].level == BS_TREE_FREE);
        t->free = t->link[node].parent;
    } else {
        node = t->used++;
        assert(node < t->node_cap && node < t->link_cap);
    }
    t->link[node] = (bs_tree_link){BS_NO_NODE, 0, 0, (uint8_t)level};
    bs_block_clear(&t->node[node]);
    t->in_use++;
    t->leaves += level == 0;
    t->ordered = false;
    return node;
}

static void tree_free_node(bs_tree *t, uint32_t node) {
    assert(bs_tree_is_node(t, node) && t->link[node].count < 2 && t->in_use > 0);
    t->in_use--;
    t->leaves -= t->link[node].level == 0;
    t->link[node] = (bs_tree_link){t->free, 0, 0, BS_TREE_FREE};
    t->free = node;
}

/* Puts a box, or a node by its name, into a lane and lets it know where it is. */
static void tree_put(bs_tree *t, uint32_t node, int lane, bs_bounds bounds, uint32_t id) {
    assert(node < t->used && lane >= 0 && lane < BS_LANES);
    bs_block_set(&t->node[node], lane, bounds, id);
    if (node != BS_TREE_TOP && t->link[node].level == 0) {
        t->place[id] = node * BS_LANES + (uint32_t)lane;
    } else {
        uint32_t child = bs_tree_named(id);
        t->link[child].parent = node;
        t->link[child].lane = (uint8_t)lane;
    }
}

/* The root's bounds go into node 0. */
static void tree_set_root(bs_tree *t, uint32_t root, bs_bounds bounds) {
    assert(bs_tree_is_node(t, root));
    t->root = root;
    tree_put(t, BS_TREE_TOP, 0, bounds, bs_tree_name(root));
}

/* --- growing -------------------------------------------------------------------------------- */

/* Makes the bounds of `node`, and of those above it, contain b. Ends where nothing grows. */
static void tree_grow(bs_tree *t, uint32_t node, bs_bounds b) {
    while (node != BS_TREE_TOP) {
        bs_tree_link link = t->link[node];
        assert(t->node[link.parent].id[link.lane] == bs_tree_name(node));
        bs_bounds old = bs_block_get(&t->node[link.parent], link.lane);
        if (bs_bounds_contain(&old, &b)) {
            return;
        }
        b = bs_bounds_union(old, b);
        bs_block_set(&t->node[link.parent], link.lane, b, bs_tree_name(node));
        node = link.parent;
    }
}

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

/* --- inserting ------------------------------------------------------------------------------ */

/* Half of the surface of each lane; see bs_surface. */
static inline bs_f8 tree_surfaces(const bs_f8 lo[DIM], const bs_f8 hi[DIM]) {
    bs_f8 size[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        size[k] = bs_f8_sub(hi[k], lo[k]);
    }
#if DIM == 2
    return bs_f8_add(size[0], size[1]);
#else
    bs_f8 sides = bs_f8_add(bs_f8_mul(size[0], size[1]), bs_f8_mul(size[1], size[2]));
    return bs_f8_add(sides, bs_f8_mul(size[2], size[0]));
#endif
}

/* The lane whose surface grows least by taking b in; ties go to the smaller one. */
static int tree_best_lane(const bs_block *node, int count, const bs_bounds *b) {
    assert(count > 0 && count <= BS_LANES);
    bs_f8 lo[DIM], hi[DIM], grown_lo[DIM], grown_hi[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        lo[k] = bs_f8_load(node->lo[k]);
        hi[k] = bs_f8_load(node->hi[k]);
        grown_lo[k] = bs_f8_min(lo[k], bs_f8_set(b->lo[k]));
        grown_hi[k] = bs_f8_max(hi[k], bs_f8_set(b->hi[k]));
    }
    bs_f8 grown = tree_surfaces(grown_lo, grown_hi);
    float surface[BS_LANES];
    float growth[BS_LANES];
    bs_f8_store(surface, grown);
    bs_f8_store(growth, bs_f8_sub(grown, tree_surfaces(lo, hi)));
    int best = 0;
    for (int lane = 1; lane < count; lane++) {
        bool less = growth[lane] < growth[best];
        bool tie = growth[lane] <= growth[best] && surface[lane] < surface[best];
        best = less || tie ? lane : best;
    }
    return best;
}

static uint32_t tree_choose_leaf(const bs_tree *t, const bs_bounds *b) {
    uint32_t node = t->root;
    while (t->link[node].level > 0) {
        const bs_block *block = &t->node[node];
        node = bs_tree_named(block->id[tree_best_lane(block, t->link[node].count, b)]);
    }
    assert(bs_tree_is_node(t, node));
    return node;
}

enum { SPLIT_ENTRIES = BS_LANES + 1, SPLIT_LEFT = (SPLIT_ENTRIES + 1) / 2 };
static_assert(SPLIT_LEFT < (int)BS_LANES && SPLIT_LEFT < SPLIT_ENTRIES, "both have room then");

typedef struct tree_entry {
    bs_bounds bounds;
    uint32_t id;
} tree_entry;

static void tree_sort_entries(tree_entry entry[SPLIT_ENTRIES], int axis) {
    assert(axis >= 0 && axis < DIM);
    for (int i = 1; i < SPLIT_ENTRIES; i++) {
        tree_entry e = entry[i];
        float key = e.bounds.lo[axis] * 0.5f + e.bounds.hi[axis] * 0.5f;
        int j = i;
        for (; j > 0; j--) {
            const bs_bounds *b = &entry[j - 1].bounds;
            if (!(b->lo[axis] * 0.5f + b->hi[axis] * 0.5f > key)) {
                break;
            }
            entry[j] = entry[j - 1];
        }
        entry[j] = e;
    }
}

static bs_bounds tree_entries_bounds(const tree_entry *entry, int n) {
    bs_bounds b = bs_bounds_empty();
    for (int i = 0; i < n; i++) {
        b = bs_bounds_union(b, entry[i].bounds);
    }
    return b;
}

static float tree_split_cost(const tree_entry entry[SPLIT_ENTRIES]) {
    bs_bounds left = tree_entries_bounds(entry, SPLIT_LEFT);
    bs_bounds right = tree_entries_bounds(entry + SPLIT_LEFT, SPLIT_ENTRIES - SPLIT_LEFT);
    return bs_surface(&left) * (float)SPLIT_LEFT +
           bs_surface(&right) * (float)(SPLIT_ENTRIES - SPLIT_LEFT);
}

/* Sorts along the axis on which cutting in the middle costs least. */
static void tree_arrange_split(tree_entry entry[SPLIT_ENTRIES]) {
    int best = 0;
    float best_cost = INFINITY;
    for (int axis = 0; axis < DIM; axis++) {
        tree_sort_entries(entry, axis);
        float cost = tree_split_cost(entry);
        if (cost < best_cost) {
            best_cost = cost;
            best = axis;
        }
    }
    tree_sort_entries(entry, best);
}

static void tree_fill(bs_tree *t, uint32_t node, const tree_entry *entry, int n) {
    assert(n > 0 && n <= BS_LANES);
    bs_block_clear(&t->node[node]);
    for (int lane = 0; lane < n; lane++) {
        tree_put(t, node, lane, entry[lane].bounds, entry[lane].id);
    }
    t->link[node].count = (uint8_t)n;
}

/*
 * Adds an entry to a full node: half of the nine go to a new node, which is returned. Bounds of
 * both are given back; the parent is not touched.
 */
static uint32_t tree_split(bs_tree *t, uint32_t node, bs_bounds bounds, uint32_t id,
                           bs_bounds *left, bs_bounds *right) {
    assert(bs_tree_is_node(t, node) && t->link[node].count == BS_LANES);
    tree_entry entry[SPLIT_ENTRIES];
    for (int lane = 0; lane < BS_LANES; lane++) {
        entry[lane].bounds = bs_block_get(&t->node[node], lane);
        entry[lane].id = t->node[node].id[lane];
    }
    entry[BS_LANES] = (tree_entry){bounds, id};
    tree_arrange_split(entry);
    uint32_t sibling = tree_take_node(t, t->link[node].level);
    tree_fill(t, node, entry, SPLIT_LEFT);
    tree_fill(t, sibling, entry + SPLIT_LEFT, SPLIT_ENTRIES - SPLIT_LEFT);
    *left = tree_entries_bounds(entry, SPLIT_LEFT);
    *right = tree_entries_bounds(entry + SPLIT_LEFT, SPLIT_ENTRIES - SPLIT_LEFT);
    assert(t->link[node].count + t->link[sibling].count == SPLIT_ENTRIES);
    return sibling;
}

/* Adds an entry to a leaf, splitting upwards as need be. Nodes have been reserved. */
static void tree_add(bs_tree *t, uint32_t node, bs_bounds bounds, uint32_t id) {
    tree_grow(t, node, bounds); /* splits only share out what is inside already */
    while (t->link[node].count == BS_LANES) {
        bs_bounds left;
        bs_bounds right;
        uint32_t parent = t->link[node].parent;
        uint32_t sibling = tree_split(t, node, bounds, id, &left, &right);
        bs_block_set(&t->node[parent], t->link[node].lane, left, bs_tree_name(node));
        if (node == t->root) {
            uint32_t root = tree_take_node(t, t->link[node].level + 1);
            tree_put(t, root, 0, left, bs_tree_name(node));
            tree_put(t, root, 1, right, bs_tree_name(sibling));
            t->link[root].count = 2;
            tree_set_root(t, root, bs_bounds_union(left, right));
            return;
        }
        node = parent;
        bounds = right;
        id = bs_tree_name(sibling);
    }
    assert(bs_tree_is_node(t, node) && t->link[node].count < BS_LANES);
    tree_put(t, node, t->link[node].count++, bounds, id);
}

static bool tree_add_box(bs_tree *t, uint32_t box) {
    if (!tree_reserve_nodes(t, BS_TREE_MAX_HEIGHT + 2)) {
        return false;
    }
    bs_bounds bounds = bs_bounds_of(&t->base.boxes->rect[box]);
    if (t->root == BS_NO_NODE) { /* the last box in the tree has just jumped out of it */
        assert(t->used > 0);
        tree_set_root(t, tree_take_node(t, 0), bounds);
    }
    tree_add(t, tree_choose_leaf(t, &bounds), bounds, box);
    assert((t->place[box] & BS_PENDING) == 0);
    return true;
}

bool bs_tree_add_pending(bs_tree *t) {
    t->kept = t->pending.n > 0 ? 0 : t->kept; /* they come without keys */
    while (t->pending.n > 0) {
        uint32_t box = t->pending.at[t->pending.n - 1];
        assert(t->place[box] == (BS_PENDING | (uint32_t)(t->pending.n - 1)));
        if (!tree_add_box(t, box)) {
            return false;
        }
        t->pending.n--;
        t->escapes++;
        if (t->link[t->root].level >= BS_TREE_MAX_HEIGHT - 1) {
            return bs_tree_build(t);
        }
    }
    return true;
}

/* So many moved boxes are looked at one by one; if they are more, reading all again is cheaper. */
static size_t tree_few(const bs_tree *t) {
    return t->base.count / BS_LANES;
}

/* Room in the list of moved boxes for as many as there may be with one box more. */
static bool tree_reserve_moved(bs_tree *t) {
    size_t most = tree_few(t) + 1;
    return t->moved.n >= most || bs_list_reserve(t->base.heap, &t->moved, most - t->moved.n);
}

static bool tree_make_pending(bs_tree *t, uint32_t box) {
    size_t position = t->pending.n;
    assert(box < t->place_cap && position < (BS_GONE & ~BS_PENDING));
    if (!bs_list_add(t->base.heap, &t->pending, box)) {
        return false;
    }
    t->place[box] = BS_PENDING | (uint32_t)position;
    return true;
}

bool bs_tree_insert(bs_backend *backend, uint32_t box) {
    bs_tree *t = bs_tree_of(backend);
    if (!bs_array_reserve(backend->heap, &t->place, &t->place_cap, (size_t)box + 1,
                          sizeof *t->place) ||
        !tree_reserve_moved(t) || !tree_make_pending(t, box)) {
        return false;
    }
    backend->count++;
    return true;
}

/* --- removing ------------------------------------------------------------------------------- */

/* The last entry of the node takes the place of the removed one. An empty node goes as well. */
static void tree_cut(bs_tree *t, uint32_t node, int lane) {
    assert(bs_tree_is_node(t, node) && t->link[node].level == 0);
    for (;;) {
        assert(lane >= 0 && lane < t->link[node].count);
        int last = --t->link[node].count;
        bs_block *block = &t->node[node];
        if (lane != last) {
            tree_put(t, node, lane, bs_block_get(block, last), block->id[last]);
        }
        bs_block_clear_lane(block, last);
        if (last > 0) {
            break;
        }
        bs_tree_link link = t->link[node];
        tree_free_node(t, node);
        if (node == t->root) {
            t->root = BS_NO_NODE;
            bs_block_clear_lane(&t->node[BS_TREE_TOP], 0);
            return;
        }
        node = link.parent;
        lane = link.lane;
    }
    while (t->link[t->root].level > 0 && t->link[t->root].count == 1) { /* a chain at the top */
        uint32_t old = t->root;
        uint32_t child = bs_tree_named(t->node[old].id[0]);
        tree_set_root(t, child, bs_block_get(&t->node[old], 0));
        tree_free_node(t, old);
    }
}

static void tree_remove_pending(bs_tree *t, uint32_t position) {
    assert(position < t->pending.n);
    uint32_t last = t->pending.at[--t->pending.n];
    t->pending.at[position] = last;
    t->place[last] = BS_PENDING | position;
}

void bs_tree_remove(bs_backend *backend, uint32_t box) {
    bs_tree *t = bs_tree_of(backend);
    assert(box < t->place_cap && t->place[box] != BS_GONE);
    uint32_t place = t->place[box];
    assert(backend->count > 0);
    backend->count--;
    if ((place & BS_PENDING) != 0) {
        tree_remove_pending(t, place & ~BS_PENDING);
    } else {
        assert(t->node[place / BS_LANES].id[place % BS_LANES] == box);
        tree_cut(t, place / BS_LANES, (int)(place % BS_LANES));
        t->escapes++;
    }
    t->place[box] = BS_GONE;
}

/* --- moving --------------------------------------------------------------------------------- */

/*
 * The box has left its leaf's bounds. If it is still near they grow, else it looks for another leaf
 * at the next question: one that jumped across the world must not stretch a node over all of it.
 */
static void tree_escape(bs_tree *t, uint32_t box, uint32_t leaf, const bs_bounds *old,
                        bs_bounds bounds) {
    assert(!bs_bounds_contain(old, &bounds));
    bs_bounds fat = tree_fatten(t, bounds);
    bs_bounds grown = bs_bounds_union(*old, fat);
    t->escapes++;
    if (bs_surface(&grown) > 2 * (bs_surface(old) + bs_surface(&fat))) {
        uint32_t place = t->place[box];
        if (tree_make_pending(t, box)) {
            tree_cut(t, leaf, (int)(place % BS_LANES));
            return;
        }
    }
    tree_grow(t, leaf, fat);
}

void bs_tree_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    bs_tree *t = bs_tree_of(backend);
    if (t->stale || t->moved.n + n > tree_few(t)) {
        t->stale = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        assert(t->moved.n < t->moved.cap);
        t->moved.at[t->moved.n++] = boxes[i];
    }
}

/*
 * Asks for what moving one of the next boxes needs, step by step: its place, then its leaf, then
 * the leaf's parent. There are `left` from boxes[0] on.
 */
BS_HOT void tree_fetch(const bs_tree *t, const uint32_t *boxes, size_t left) {
    if (left > 2 * BS_AHEAD) {
        bs_fetch_ahead(&t->place[boxes[2 * BS_AHEAD]]);
        bs_boxes_fetch_ahead(t->base.boxes->rect, boxes[2 * BS_AHEAD]);
        uint32_t place = t->place[boxes[BS_AHEAD]];
        if ((place & BS_PENDING) == 0) { /* nor gone */
            bs_fetch_ahead(&t->link[place / BS_LANES]);
            bs_block_fetch_ahead(&t->node[place / BS_LANES]);
        }
        place = t->place[boxes[BS_AHEAD / 2]];
        if ((place & BS_PENDING) == 0) {
            bs_block_fetch_ahead(&t->node[t->link[place / BS_LANES].parent]);
        }
    }
}

void bs_tree_add_moved(bs_tree *t) {
    bool far = t->moved.n >= BS_BOXES_FAR / BS_LANES; /* fewer: their leaves may be in the cache */
    for (size_t i = 0; i < t->moved.n; i++) {
        uint32_t box = t->moved.at[i];
        if (far) {
            tree_fetch(t, t->moved.at + i, t->moved.n - i);
        }
        uint32_t place = t->place[box];
        if ((place & BS_PENDING) != 0) { /* or gone */
            continue;
        }
        uint32_t leaf = place / BS_LANES;
        assert(bs_tree_is_node(t, leaf) && t->node[leaf].id[place % BS_LANES] == box);
        bs_bounds bounds = bs_bounds_of(&t->base.boxes->rect[box]);
        bs_bounds fat = bs_tree_bounds(t, leaf);
        bs_block_set(&t->node[leaf], (int)(place % BS_LANES), bounds, box);
        if (!bs_bounds_contain(&fat, &bounds)) {
            tree_escape(t, box, leaf, &fat, bounds);
        }
    }
    t->moved.n = 0;
}
