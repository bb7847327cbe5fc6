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
 * A list is worked off in chunks, each down to the leaves, so the lists stay in the cache. So do
 * nodes: all pairs under one child of a high node are found before those under the next.
 *
 * The larger of two nodes comes first: fewer of its lanes meet the bounds of the smaller one. Two
 * lanes of one tree are turned so; of two trees the one whose boxes are farther apart comes first.
 */
#include "tree_parts.h"

enum { CHUNK = 64, CHUNK_TASKS = CHUNK * BS_LANES, CHUNK_MET = CHUNK_TASKS * BS_LANES };

/*
 * A node on this level fits into a level-2 cache with all that is below it: some 100 kB. Lower in
 * tests, so that they get above it.
 */
#ifdef BS_CHECKS
enum { LOW = 1 };
#else
enum { LOW = 3 };
#endif

/* On one level, under a low node; their own pairs of lanes are worked off at once. */
enum { LOW_NODES = 1 << 3 * (LOW - 1) };
static_assert(LOW_NODES * BS_SELF_PAIRS <= CHUNK_MET, "room for the pairs within them");

/* Two trees to be crossed; the same one twice for its own pairs. The lists are those of `a`. */
typedef struct tree_join {
    bs_tree *a;
    bs_tree *b;
    bs_pairs *out;
    bool crowded; /* nearly all boxes of the last leaves overlap */
} tree_join;

/* Room for pairs of lanes whose nodes are on the lowest `levels` levels. */
static bool tree_join_reserve(bs_tree *t, int levels) {
    bool done = levels == 0 || bs_pairs_reserve(t->base.heap, &t->task, CHUNK_TASKS);
    for (int level = 0; level < levels; level++) {
        done = done && bs_pairs_reserve(t->base.heap, &t->met[level], CHUNK_MET);
    }
    return done;
}

/*
 * First half of crossing: for each pair, the lanes of a's node that meet the bounds of b's node,
 * except those that are `done` (unless that is NULL).
 */
BS_HOT void tree_find_tasks(const tree_join *j, const bs_pair *met, size_t n, const uint8_t *done) {
    const bs_block *nodes_a = j->a->node;
    const bs_block *nodes_b = j->b->node;
    bs_pairs task = j->a->task; /* a copy, so that its count can stay in a register */
    task.n = 0;
    assert(n <= CHUNK && task.cap >= CHUNK_TASKS + BS_LANES);
    for (size_t i = 0; i < n; i++) {
        const float *of_b = bs_tree_lane(nodes_b, met[i].b);
        const uint32_t *child_b = bs_lane_id(of_b);
        const uint32_t *child_a = bs_lane_id(bs_tree_lane(nodes_a, met[i].a));
        assert(bs_tree_is_node(j->a, bs_tree_named(*child_a)));
        assert(bs_tree_is_node(j->b, bs_tree_named(*child_b)));
        unsigned mask = bs_may_meet(bs_block_apart_lane(bs_tree_block(nodes_a, *child_a), of_b));
        if (done != NULL) {
            mask &= ~(unsigned)done[i];
        }
        bs_append_lanes(&task, *child_b, *child_a, mask);
    }
    j->a->task.n = task.n;
    j->a->tests += n + task.n;
    j->b->tests += j->a != j->b ? n + task.n : 0;
}

/* Second half, above the leaves: pairs of lanes. */
static void tree_find_met(const tree_join *j, bs_pairs *out) {
    const bs_block *nodes_a = j->a->node;
    const bs_block *nodes_b = j->b->node;
    const bs_pair *task = j->a->task.at;
    size_t n = j->a->task.n;
    bs_pairs met = *out;
    bs_f8 same = bs_f8_not_above(bs_f8_set(j->a == j->b ? 0 : 1), bs_f8_set(0)); /* a mask */
    met.n = 0;
    assert(n <= CHUNK_TASKS && met.cap >= CHUNK_MET + BS_LANES);
    for (size_t i = 0; i < n; i++) {
        const float *of_a = bs_tree_lane(nodes_a, task[i].b);
        const bs_block *b = bs_tree_block(nodes_b, task[i].a);
        unsigned mask = bs_may_meet(bs_block_apart_lane(b, of_a));
        bs_f8 larger = bs_f8_not_above(bs_lane_extent(of_a), bs_block_extents(b));
        bs_u8 first = bs_u8_set(task[i].b);
        bs_u8 second = bs_u8_from(task[i].a);
        bs_u8_swap(&first, &second, bs_f8_both(same, larger));
        bs_append_both(&met, first, second, mask);
    }
    out->n = met.n;
}

/*
 * Second half, at the leaves: pairs of boxes, exactly. Each turn appends what the test before it
 * found, which is known by then: instructions that wait for an answer fill the processor's queues,
 * and keep the next test from beginning.
 */
static bool tree_find_pairs(const tree_join *j) {
    const bs_block *nodes_a = j->a->node;
    const bs_block *nodes_b = j->b->node;
    const bs_boxes *boxes = j->a->base.boxes;
    const bs_pair *task = j->a->task.at;
    size_t n = j->a->task.n;
    if (n == 0) {
        return true;
    }
    if (!bs_pairs_reserve(j->a->base.heap, j->out, n * BS_LANES)) {
        return false;
    }
    bs_pairs out = *j->out;
    const float *of_a = bs_tree_lane(nodes_a, task[0].b);
    const bs_block *b = bs_tree_block(nodes_b, task[0].a);
    bs_tested before = bs_test(bs_lane_id(of_a), b->id, bs_block_apart_lane(b, of_a), boxes);
    for (size_t i = 1; i < n; i++) {
        of_a = bs_tree_lane(nodes_a, task[i].b);
        b = bs_tree_block(nodes_b, task[i].a);
        assert(j->b->link[bs_tree_named(task[i].a)].level == 0);
        bs_f8 apart = bs_block_apart_lane(b, of_a);
        bs_append_tested(&out, before);
        before = bs_test(bs_lane_id(of_a), b->id, apart, boxes);
    }
    bs_append_tested(&out, before);
    j->out->n = out.n;
    return true;
}

/*
 * Of pairs of leaves, the lanes of a's that overlap all boxes of b's for certain. In a crowd these
 * are most of them, and no box needs to be tested.
 */
static bool tree_find_whole(const tree_join *j, const bs_pair *met, size_t n, uint8_t *done) {
    const bs_block *nodes_a = j->a->node;
    const bs_block *nodes_b = j->b->node;
    bs_pairs task = j->a->task;
    task.n = 0;
    assert(n <= CHUNK && task.cap >= CHUNK_TASKS + BS_LANES);
    for (size_t i = 0; i < n; i++) {
        uint32_t child_a = *bs_lane_id(bs_tree_lane(nodes_a, met[i].a));
        uint32_t child_b = *bs_lane_id(bs_tree_lane(nodes_b, met[i].b));
        bs_bounds core = bs_block_core(bs_tree_block(nodes_b, child_b));
        const bs_block *a = bs_tree_block(nodes_a, child_a);
        done[i] = (uint8_t)bs_f8_signs(bs_block_apart(a, core.lo, core.hi, 1));
        bs_append_lanes(&task, child_b, child_a, done[i]);
    }
    if (!bs_pairs_reserve(j->a->base.heap, j->out, task.n * BS_LANES)) {
        return false;
    }
    bs_pairs out = *j->out;
    for (size_t i = 0; i < task.n; i++) {
        uint32_t box = *bs_lane_id(bs_tree_lane(nodes_a, task.at[i].b));
        bs_append_pairs(&out, box, bs_tree_block(nodes_b, task.at[i].a)->id, BS_ALL_LANES);
    }
    j->out->n = out.n;
    return true;
}

/* Crosses pairs of leaves in a crowd; notes whether it is one still. */
static bool tree_cross_crowd(tree_join *j, const bs_pair *met, size_t n) {
    uint8_t done[CHUNK];
    size_t before = j->out->n;
    if (!tree_find_whole(j, met, n, done)) {
        return false;
    }
    size_t whole = j->out->n - before;
    tree_find_tasks(j, met, n, done);
    bool found = tree_find_pairs(j);
    j->crowded = whole > 0 && 2 * whole >= j->out->n - before;
    return found;
}

/* Crosses pairs of leaves. If nearly all boxes that are tested overlap, it may be in a crowd. */
static bool tree_cross_leaves(tree_join *j, const bs_pair *met, size_t n) {
    if (j->crowded) {
        return tree_cross_crowd(j, met, n);
    }
    size_t before = j->out->n;
    tree_find_tasks(j, met, n, NULL);
    bool found = tree_find_pairs(j);
    j->crowded = j->out->n - before > j->a->task.n * (BS_LANES - 1);
    return found;
}

/* Crosses pairs of lanes whose nodes are on `level`. */
static bool tree_cross_met(tree_join *j, int level, const bs_pairs *met) {
    assert(level >= 0 && level < BS_TREE_MAX_HEIGHT && met->n <= CHUNK_MET);
    for (size_t first = 0; first < met->n; first += CHUNK) {
        size_t n = met->n - first < CHUNK ? met->n - first : CHUNK;
        if (level == 0) {
            if (!tree_cross_leaves(j, met->at + first, n)) {
                return false;
            }
        } else {
            bs_pairs *below = &j->a->met[level - 1];
            tree_find_tasks(j, met->at + first, n, NULL);
            tree_find_met(j, below);
            if (!tree_cross_met(j, level - 1, below)) {
                return false;
            }
        }
    }
    return true;
}

/* Pairs of lanes of one inner node. */
static void tree_self_met(const bs_block *node, uint32_t name, bs_pairs *out) {
    float extents[BS_LANES];
    uint32_t lanes[BS_LANES];
    bs_f8_store(extents, bs_block_extents(node));
    bs_u8_store(lanes, bs_u8_from(name));
    bs_pairs met = *out;
    assert(met.n + BS_SELF_PAIRS <= met.cap);
#pragma GCC unroll 4
    for (int round = 0; round < BS_ROUNDS; round++) {
        unsigned mask = bs_may_meet(bs_block_apart_round(node, round));
        bs_u8 first = bs_u8_home(lanes, round);
        bs_u8 second = bs_u8_away(lanes, round);
        bs_f8 larger = bs_f8_not_above(bs_f8_home(extents, round), bs_f8_away(extents, round));
        bs_u8_swap(&first, &second, larger);
        bs_append_both(&met, first, second, bs_round_once(mask, round));
    }
    out->n = met.n;
}

/* The pairs within each of these leaves. Room is made for some at a time: most have few pairs. */
static bool tree_leaf_pairs(const bs_tree *t, const uint32_t *leaves, size_t n, bs_pairs *out) {
    for (size_t i = 0; i < n;) {
        size_t end = n - i > CHUNK ? i + CHUNK : n;
        if (!bs_pairs_reserve(t->base.heap, out, (end - i) * BS_SELF_PAIRS)) {
            return false;
        }
        bs_pairs to = *out;
        for (; i < end; i++) {
            assert(t->link[bs_tree_named(leaves[i])].level == 0);
            bs_block_self_pairs(bs_tree_block(t->node, leaves[i]), t->base.boxes, &to);
        }
        out->n = to.n;
    }
    return true;
}

/* The pairs of boxes from different children of each of these nodes, which are on `level`. */
static bool tree_inner_pairs(tree_join *j, const uint32_t *nodes, size_t n, int level) {
    bs_tree *t = j->a;
    bs_pairs *met = &t->met[level - 1];
    assert(level > 0 && level < BS_TREE_MAX_HEIGHT && n <= LOW_NODES);
    met->n = 0;
    for (size_t i = 0; i < n; i++) {
        assert(t->link[bs_tree_named(nodes[i])].level == level);
        tree_self_met(bs_tree_block(t->node, nodes[i]), nodes[i], met);
    }
    return tree_cross_met(j, level - 1, met);
}

/* Appends the children of the nodes from `first` on to the list of these. */
static bool tree_visit_children(bs_tree *t, size_t first) {
    bs_list *visit = &t->visit;
    size_t end = visit->n;
    if (!bs_list_reserve(t->base.heap, visit, (end - first) * BS_LANES)) {
        return false;
    }
    for (size_t i = first; i < end; i++) { /* lanes behind the last child are overwritten */
        uint32_t node = visit->at[i];
        bs_u8_store(visit->at + visit->n, bs_u8_load(bs_tree_block(t->node, node)->id));
        visit->n += t->link[bs_tree_named(node)].count;
    }
    return true;
}

/* The pairs under a low node: those within leaves, then level by level. */
static bool tree_low_pairs(tree_join *j, uint32_t node, int level) {
    bs_tree *t = j->a;
    size_t first[LOW + 1] = {0}; /* by level: where its nodes begin in the list */
    assert(level <= LOW);
    t->visit.n = 0;
    bool done = bs_list_add(t->base.heap, &t->visit, node);
    for (int above = level; done && above > 0; above--) {
        first[above - 1] = t->visit.n;
        done = tree_visit_children(t, first[above]);
    }
    const uint32_t *nodes = t->visit.at;
    done = done && tree_leaf_pairs(t, nodes + first[0], t->visit.n - first[0], j->out);
    for (int l = 1; done && l <= level; l++) {
        done = tree_inner_pairs(j, nodes + first[l], first[l - 1] - first[l], l);
    }
    return done;
}

/*
 * The pairs under a node: those under each of its children, then those of boxes from different
 * ones. So what is read once more has been read a short while ago, and is in the cache.
 */
static bool tree_pairs_under(tree_join *j, uint32_t node, int level) {
    if (level <= LOW) {
        return tree_low_pairs(j, node, level);
    }
    const bs_tree *t = j->a;
    for (int lane = 0; lane < t->link[bs_tree_named(node)].count; lane++) {
        if (!tree_pairs_under(j, bs_tree_block(t->node, node)->id[lane], level - 1)) {
            return false;
        }
    }
    return tree_inner_pairs(j, &node, 1, level);
}

bool bs_tree_pairs(bs_backend *backend, bs_pairs *out) {
    bs_tree *t = bs_tree_of(backend);
    if (!bs_tree_sync(t, BS_TREE_PAIRS)) {
        return false;
    }
    if (t->root == BS_NO_NODE) {
        return true;
    }
    assert(bs_tree_is_synced(t));
    int height = t->link[t->root].level;
    tree_join j = {t, t, out, false};
    return tree_join_reserve(t, height) && tree_pairs_under(&j, bs_tree_name(t->root), height);
}

/*
 * Appends the lanes that meet `bounds`, level by level from the root's down to `level`. *first is
 * where those of the last level begin.
 */
static bool tree_find_lanes(const bs_tree *t, int level, const bs_bounds *bounds, bs_list *lanes,
                            size_t *first) {
    bs_heap *heap = t->base.heap;
    *first = lanes->n;
    if (!bs_list_add(heap, lanes, bs_tree_name(BS_TREE_TOP))) { /* the lane of the root */
        return false;
    }
    for (int above = t->link[t->root].level; above > level; above--) {
        size_t end = lanes->n;
        if (!bs_list_reserve(heap, lanes, (end - *first) * BS_LANES)) {
            return false;
        }
        for (; *first < end; ++*first) {
            uint32_t node = *bs_lane_id(bs_tree_lane(t->node, lanes->at[*first]));
            unsigned meet = bs_block_may_meet(bs_tree_block(t->node, node), bounds);
            for (; meet != 0; meet &= meet - 1) {
                lanes->at[lanes->n++] = node + (uint32_t)bs_first_lane(meet);
            }
        }
    }
    return true;
}

/* The higher tree is entered on the level of the other one's root. */
static bool tree_cross_roots(tree_join *j) {
    const bs_tree *a = j->a;
    const bs_tree *b = j->b;
    int height_a = a->link[a->root].level;
    int height_b = b->link[b->root].level;
    int level = height_a < height_b ? height_a : height_b;
    bool a_is_higher = height_a > height_b;
    bs_bounds bounds = a_is_higher ? bs_tree_bounds(b, b->root) : bs_tree_bounds(a, a->root);
    bs_list *lanes = &j->a->visit;
    size_t i;
    lanes->n = 0;
    if (!tree_find_lanes(a_is_higher ? a : b, level, &bounds, lanes, &i) ||
        !tree_join_reserve(j->a, level + 1)) {
        return false;
    }
    bs_pairs *met = &j->a->met[level];
    uint32_t top = bs_tree_name(BS_TREE_TOP);
    while (i < lanes->n) {
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

/*
 * How much larger leaves are than their boxes, on the average, by a sample. A box of a leaf of tree
 * a meets a leaf of b with a chance of about (box of a + leaf of b) / (leaf of a + leaf of b) on
 * each axis: so what counts is the difference of leaf and box.
 */
static double tree_spread(const bs_tree *t) {
    enum { SAMPLES = 32 };
    uint32_t step = t->used / SAMPLES + 1;
    double sum = 0;
    double leaves = 0;
    for (uint32_t node = 1; node < t->used; node += step) {
        int count = t->link[node].level == 0 ? t->link[node].count : 0;
        double boxes = 0;
        for (int lane = 0; lane < count; lane++) {
            boxes += bs_bounds_extent(bs_block_get(&t->node[node], lane));
        }
        if (count > 0) {
            sum += bs_bounds_extent(bs_tree_bounds(t, node)) - boxes / count;
            leaves++;
        }
    }
    return leaves > 0 ? sum / leaves : 0;
}

bool bs_tree_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bs_tree *a = bs_tree_of(backend);
    bs_tree *b = bs_tree_of(other);
    assert(a != b && backend->boxes == other->boxes);
    if (!bs_tree_sync(a, BS_TREE_PAIRS) || !bs_tree_sync(b, BS_TREE_PAIRS)) {
        return false;
    }
    if (a->root == BS_NO_NODE || b->root == BS_NO_NODE) {
        return true;
    }
    if (tree_spread(a) < tree_spread(b)) {
        a = b;
        b = bs_tree_of(backend);
    }
    tree_join j = {a, b, out, false};
    return tree_cross_roots(&j);
}
