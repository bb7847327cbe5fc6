/*
 * tree_join.c: pairs, by crossing the tree with itself or with another.
 *
 * Not a query per box: two nodes that meet are crossed once for all of their boxes, level by level.
 * Branch mispredictions are what costs here, so there are no nested loops over what overlaps what:
 * each stage runs over a list and appends its survivors to the next list without a branch.
 *
 *      pairs of lanes that meet, one level up            met[level]
 *          -> lanes of the first node that meet the bounds of the second        task
 *              -> pairs of such a lane and a lane of the second that meet       met[level - 1]
 *                  ... at the leaves: pairs of boxes
 *
 * A list is worked off in chunks, each down to the leaves, so the lists stay in the cache.
 */
#include "tree_parts.h"

enum { CHUNK = 64, CHUNK_TASKS = CHUNK * BS_LANES, CHUNK_MET = CHUNK_TASKS * BS_LANES };

/* Two trees to be crossed; the same one twice for its own pairs. The lists are those of `a`. */
typedef struct tree_join {
    bs_tree *a;
    const bs_tree *b;
    bs_pairs *out;
} tree_join;

static bool tree_join_reserve(bs_tree *t, int levels) {
    bool done = bs_pairs_reserve(t->base.heap, &t->task, CHUNK_TASKS);
    for (int level = 0; level <= levels; level++) {
        done = done && bs_pairs_reserve(t->base.heap, &t->met[level], CHUNK_MET);
    }
    return done;
}

/* Lanes are named node * 8 + lane. */
static const bs_block *tree_lane_node(const bs_tree *t, uint32_t lane) {
    return &t->node[lane / BS_LANES];
}

/* First half of crossing: for each pair, the lanes of a's node that meet the bounds of b's node. */
static void tree_find_tasks(const tree_join *j, const bs_pair *met, size_t n) {
    bs_pairs task = j->a->task; /* a copy, so that its count can stay in a register */
    task.n = 0;
    for (size_t i = 0; i < n; i++) {
        const bs_block *of_b = tree_lane_node(j->b, met[i].b);
        bs_bounds bounds = bs_block_get(of_b, (int)(met[i].b % BS_LANES));
        uint32_t node_a = tree_lane_node(j->a, met[i].a)->id[met[i].a % BS_LANES];
        uint32_t node_b = of_b->id[met[i].b % BS_LANES];
        unsigned unsure;
        unsigned mask = bs_block_meet(&j->a->node[node_a], &bounds, &unsure);
        bs_append_lanes(&task, node_b, node_a * BS_LANES, mask);
    }
    j->a->task.n = task.n;
}

/* Second half, above the leaves: pairs of lanes. */
static void tree_find_met(const tree_join *j, bs_pairs *out) {
    const bs_pairs *task = &j->a->task;
    bs_pairs met = *out;
    met.n = 0;
    for (size_t i = 0; i < task->n; i++) {
        uint32_t lane = task->at[i].b;
        uint32_t node_b = task->at[i].a;
        bs_bounds bounds = bs_block_get(tree_lane_node(j->a, lane), (int)(lane % BS_LANES));
        unsigned unsure;
        unsigned mask = bs_block_meet(&j->b->node[node_b], &bounds, &unsure);
        bs_append_lanes(&met, lane, node_b * BS_LANES, mask);
    }
    out->n = met.n;
}

/* Second half, at the leaves: pairs of boxes, exactly. */
static bool tree_find_pairs(const tree_join *j) {
    const bs_pairs *task = &j->a->task;
    if (!bs_pairs_reserve(j->a->base.heap, j->out, task->n * BS_LANES)) {
        return false;
    }
    bs_pairs out = *j->out;
    for (size_t i = 0; i < task->n; i++) {
        uint32_t lane = task->at[i].b;
        bs_block_pairs(tree_lane_node(j->a, lane), (int)(lane % BS_LANES),
                       &j->b->node[task->at[i].a], BS_ALL_LANES, j->a->base.boxes, &out);
    }
    j->out->n = out.n;
    return true;
}

/* Crosses pairs of lanes whose nodes are on `level`. */
static bool tree_cross_met(const tree_join *j, int level, const bs_pairs *met) {
    for (size_t first = 0; first < met->n; first += CHUNK) {
        size_t n = met->n - first < CHUNK ? met->n - first : CHUNK;
        tree_find_tasks(j, met->at + first, n);
        if (level == 0) {
            if (!tree_find_pairs(j)) {
                return false;
            }
        } else {
            bs_pairs *below = &j->a->met[level - 1];
            tree_find_met(j, below);
            if (!tree_cross_met(j, level - 1, below)) {
                return false;
            }
        }
    }
    return true;
}

/* Pairs of lanes of one inner node. */
static void tree_self_met(const bs_block *node, uint32_t number, int count, bs_pairs *met) {
    for (int lane = 0; lane < count - 1; lane++) {
        bs_bounds bounds = bs_block_get(node, lane);
        unsigned unsure;
        unsigned mask = bs_block_meet(node, &bounds, &unsure) & ~((2u << lane) - 1);
        bs_append_lanes(met, number * BS_LANES + (uint32_t)lane, number * BS_LANES, mask);
    }
}

/* The pairs within each leaf. */
static bool tree_leaf_pairs(const bs_tree *t, bs_pairs *out) {
    for (uint32_t node = 1; node < t->used; node++) {
        if (t->link[node].level != 0) {
            continue;
        }
        const bs_block *leaf = &t->node[node];
        if (!bs_pairs_reserve(t->base.heap, out, BS_LANES * BS_LANES)) {
            return false;
        }
        for (int lane = 0; lane < t->link[node].count - 1; lane++) {
            unsigned behind = BS_ALL_LANES & ~((2u << lane) - 1);
            bs_block_pairs(leaf, lane, leaf, behind, t->base.boxes, out);
        }
    }
    return true;
}

/* The pairs of boxes from different children of the nodes on `level`. */
static bool tree_level_pairs(const tree_join *j, int level) {
    bs_tree *t = j->a;
    bs_pairs *met = &t->met[level - 1];
    met->n = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        if (t->link[node].level != level) {
            continue;
        }
        tree_self_met(&t->node[node], node, t->link[node].count, met);
        if (met->n + BS_LANES * BS_LANES > CHUNK_MET) {
            if (!tree_cross_met(j, level - 1, met)) {
                return false;
            }
            met->n = 0;
        }
    }
    return tree_cross_met(j, level - 1, met);
}

bool bs_tree_pairs(bs_backend *backend, bs_pairs *out) {
    bs_tree *t = bs_tree_of(backend);
    if (!bs_tree_sync(t)) {
        return false;
    }
    if (t->root == BS_NO_NODE) {
        return true;
    }
    int height = t->link[t->root].level;
    if (!tree_join_reserve(t, height)) {
        return false;
    }
    tree_join j = {t, t, out};
    for (int level = height; level > 0; level--) {
        if (!tree_level_pairs(&j, level)) {
            return false;
        }
    }
    return tree_leaf_pairs(t, out);
}

/* The lanes of t whose nodes are on `level` and meet the bounds of the other tree's root. */
static bool tree_lanes_on_level(const bs_tree *t, int level, const bs_bounds *bounds,
                                bs_list *lanes) {
    lanes->n = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        if (t->link[node].level != level) {
            continue;
        }
        bs_tree_link link = t->link[node];
        unsigned unsure;
        unsigned mask = bs_block_meet(&t->node[link.parent], bounds, &unsure);
        if ((mask >> link.lane & 1) != 0 &&
            !bs_list_add(t->base.heap, lanes, link.parent * BS_LANES + link.lane)) {
            return false;
        }
    }
    return true;
}

/* The higher tree is entered on the level of the other one's root. */
static bool tree_cross_roots(const tree_join *j, bs_list *lanes) {
    const bs_tree *a = j->a;
    const bs_tree *b = j->b;
    int height_a = a->link[a->root].level;
    int height_b = b->link[b->root].level;
    int level = height_a < height_b ? height_a : height_b;
    bool a_is_higher = height_a > height_b;
    bs_bounds bounds = a_is_higher ? bs_tree_bounds(b, b->root) : bs_tree_bounds(a, a->root);
    if (!tree_lanes_on_level(a_is_higher ? a : b, level, &bounds, lanes)) {
        return false;
    }
    bs_pairs *met = &j->a->met[level];
    uint32_t top = BS_TREE_TOP * BS_LANES; /* the lane with the root's bounds */
    for (size_t i = 0; i < lanes->n;) {
        for (met->n = 0; i < lanes->n && met->n < CHUNK; i++) {
            uint32_t lane = lanes->at[i];
            met->at[met->n++] = a_is_higher ? (bs_pair){lane, top} : (bs_pair){top, lane};
        }
        if (!tree_cross_met(j, level, met)) {
            return false;
        }
    }
    return true;
}

bool bs_tree_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bs_tree *a = bs_tree_of(backend);
    bs_tree *b = bs_tree_of(other);
    if (!bs_tree_sync(a) || !bs_tree_sync(b)) {
        return false;
    }
    if (a->root == BS_NO_NODE || b->root == BS_NO_NODE) {
        return true;
    }
    if (!tree_join_reserve(a, a->link[a->root].level)) {
        return false;
    }
    bs_list lanes = {0};
    tree_join j = {a, b, out};
    bool done = tree_cross_roots(&j, &lanes);
    bs_list_free(a->base.heap, &lanes);
    return done;
}
