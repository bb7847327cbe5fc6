/*
 * search.c: pairs, rectangles and casts. It relies on tree.h.
 *
 * A tree is crossed with itself or with another one. Two nodes that meet are crossed once for all
 * of their boxes, level by level. Mispredicted branches cost most here, so there are no nested
 * loops: each stage runs over a list, and appends what passes to the next list without a branch.
 * All lists but the result are of pairs of places (tree.h):
 *
 *      met     a lane of each tree; the bounds in them meet, and their nodes are on one level
 *      tasks   a node of the second tree; a lane of the first one that meets that node's bounds
 *
 *      met --> tasks --> met of the level below --> ... --> tasks of leaves --> pairs of boxes
 *
 * Lists are short, and each is finished before the next one begins, so they stay in the cache.
 */
#include "tree.h"

enum {
    CHUNK = 32, /* So many pairs are handled together. */
    TASKS_MOST = CHUNK * BS_LANES,
    MET_MOST = TASKS_MOST * BS_LANES
};
static_assert((int)CHUNK >= (int)BS_SELF_PAIRS, "the pairs of lanes of a node are one chunk");
static_assert((int)CHUNK >= (int)BS_TOGETHER, "what is asked together is one chunk");

/* The lane at a place, and the node that begins at one, as block.h has them. */
static inline const float *tree_lane(const bs_tree_node *nodes, uint32_t place) {
    return (const float *)(const void *)nodes + place;
}

static inline const bs_block *tree_block(const bs_tree_node *nodes, uint32_t place) {
    assert(place % BS_TREE_STEP == 0);
    return (const bs_block *)(const void *)tree_lane(nodes, place);
}

/* --- pairs ---------------------------------------------------------------------------------- */

/* Two trees that are crossed; the same one twice for its own pairs. */
typedef struct tree_join {
    bs_tree *a;
    bs_tree *b;
    bs_pairs *out; /* The pairs of boxes that were found. */
    bool crowd;    /* In the leaves that met last, most boxes overlap. */
} tree_join;

static inline void tree_charge(const tree_join *j, size_t tests) {
    bs_wear_charge(&j->a->wear, tests);
    if (j->a != j->b) {
        bs_wear_charge(&j->b->wear, tests);
    }
}

/* Finds the tasks of up to CHUNK pairs of lanes. */
BS_HOT void tree_find_tasks(const tree_join *j, const bs_pair *met, size_t n, bs_pairs *tasks) {
    /* In registers, as stores might change j and its trees. */
    const bs_tree_node *nodes_a = j->a->node;
    const bs_tree_node *nodes_b = j->b->node;
    assert(n <= CHUNK && tasks->n == 0 && tasks->cap >= TASKS_MOST + BS_OVERRUN);
    for (size_t i = 0; i < n; i++) {
        const float *of_b = tree_lane(nodes_b, met[i].b);
        uint32_t node_a = *bs_lane_id(tree_lane(nodes_a, met[i].a));
        unsigned mask = bs_may_meet(bs_block_apart_lane(tree_block(nodes_a, node_a), of_b));
        bs_append_lanes(tasks, *bs_lane_id(of_b), node_a, mask);
    }
    tree_charge(j, n + tasks->n);
}

/*
 * Appends the pairs of boxes of up to CHUNK pairs of leaves, in the order of tree_cross_leaves, but
 * without tasks: all boxes against all. In a crowd that takes two thirds of the time.
 */
static void tree_cross_crowd(const tree_join *j, const bs_pair *met, size_t n,
                             const bs_boxes *boxes, bs_pairs *out) {
    const bs_tree_node *nodes_a = j->a->node;
    const bs_tree_node *nodes_b = j->b->node;
    for (size_t i = 0; i < n; i++) {
        const float *of_a = tree_lane(nodes_a, *bs_lane_id(tree_lane(nodes_a, met[i].a)));
        const bs_block *b = tree_block(nodes_b, *bs_lane_id(tree_lane(nodes_b, met[i].b)));
        bs_bounds8 leaf; /* In registers. */
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            leaf.lo[k] = bs_f8_load(b->lo[k]);
            leaf.hi[k] = bs_f8_load(b->hi[k]);
        }
#pragma GCC unroll 8
        for (int lane = 0; lane < BS_LANES; lane++) {
            const float *one = of_a + lane;
            const bs_bounds8 box = bs_bounds8_set(one, one + DIM * BS_LANES, BS_LANES);
            bs_f8 apart = bs_gap(box.lo[0], box.hi[0], leaf.lo[0], leaf.hi[0]);
#pragma GCC unroll 2
            for (int k = 1; k < DIM; k++) {
                bs_f8 gap = bs_gap(box.lo[k], box.hi[k], leaf.lo[k], leaf.hi[k]);
                apart = bs_f8_max_gap(apart, gap);
            }
            bs_append_overlaps(out, bs_lane_id(one), b->id, apart, boxes);
        }
    }
    tree_charge(j, n * BS_LANES);
}

/* Appends the pairs of boxes of up to CHUNK pairs of leaves, exactly. */
static bool tree_cross_leaves(tree_join *j, const bs_pair *met, size_t n) {
    const bs_tree_node *nodes_a = j->a->node;
    const bs_tree_node *nodes_b = j->b->node;
    const bs_boxes boxes = *j->a->base.boxes; /* Copies, as stores might change the others. */
    bs_pair at[TASKS_MOST + BS_OVERRUN];
    bs_pairs tasks = {at, 0, sizeof at / sizeof *at};
    if (!j->crowd) {
        tree_find_tasks(j, met, n, &tasks);
    }
    const size_t tests = j->crowd ? n * BS_LANES : tasks.n;
    if (!bs_pairs_reserve(j->a->base.heap, j->out, tests * BS_LANES)) {
        return false;
    }
    bs_pairs out = *j->out;
    if (j->crowd) {
        tree_cross_crowd(j, met, n, &boxes, &out);
    }
    for (size_t i = 0; i < tasks.n; i++) {
        const float *of_a = tree_lane(nodes_a, at[i].b);
        const bs_block *b = tree_block(nodes_b, at[i].a);
        bs_append_overlaps(&out, bs_lane_id(of_a), b->id, bs_block_apart_lane(b, of_a), &boxes);
    }
    j->crowd = out.n - j->out->n > n * BS_LANES * BS_LANES / 2;
    j->out->n = out.n;
    return true;
}

/* Finds the pairs of lanes that meet, of up to CHUNK pairs of nodes. */
static void tree_cross_nodes(const tree_join *j, const bs_pair *met, size_t n, bs_pairs *below) {
    const bs_tree_node *nodes_a = j->a->node;
    const bs_tree_node *nodes_b = j->b->node;
    bs_pair at[TASKS_MOST + BS_OVERRUN];
    bs_pairs tasks = {at, 0, sizeof at / sizeof *at};
    tree_find_tasks(j, met, n, &tasks);
    for (size_t i = 0; i < tasks.n; i++) {
        const float *of_a = tree_lane(nodes_a, at[i].b);
        const bs_block *b = tree_block(nodes_b, at[i].a);
        unsigned mask = bs_may_meet(bs_block_apart_lane(b, of_a));
        bs_append_lanes(below, at[i].b, at[i].a, mask);
    }
}

/*
 * Appends the pairs of boxes of pairs of lanes whose nodes are on `level`. It takes 16 kB of stack
 * for each level. A million boxes have seven levels.
 */
static bool tree_cross_level(tree_join *j, int level, const bs_pair *met, size_t n) {
    bs_pair at[MET_MOST + BS_OVERRUN];
    bool done = true;
    for (size_t i = 0; done && i < n; i += CHUNK) {
        size_t some = n - i < CHUNK ? n - i : CHUNK;
        if (level == 0) {
            done = tree_cross_leaves(j, met + i, some);
        } else {
            bs_pairs below = {at, 0, sizeof at / sizeof *at};
            tree_cross_nodes(j, met + i, some, &below);
            done = tree_cross_level(j, level - 1, at, below.n);
        }
    }
    return done;
}

/* Finds the pairs of lanes of one inner node that meet. */
static void tree_self_met(const bs_block *node, uint32_t place, bs_pairs *met) {
    uint32_t lanes[BS_LANES];
    bs_u8_store(lanes, bs_u8_from(place));
#pragma GCC unroll 4
    for (int round = 0; round < BS_ROUNDS; round++) {
        unsigned mask = bs_may_meet(bs_block_apart_round(node, round));
        bs_u8 first = bs_u8_home(lanes, round);
        bs_u8 second = bs_u8_away(lanes, round);
        bs_append_both(met, first, second, bs_round_once(mask, round));
    }
}

/* Appends the pairs of boxes within each of up to eight leaves. */
static bool tree_leaf_pairs(const bs_tree *t, const uint32_t *leaves, int n, bs_pairs *out) {
    if (!bs_pairs_reserve(t->base.heap, out, (size_t)n * BS_SELF_PAIRS)) {
        return false;
    }
    bs_pairs pairs = *out; /* A copy, so that its count can stay in a register. */
    for (int i = 0; i < n; i++) {
        bs_block_self_pairs(tree_block(t->node, leaves[i]), t->base.boxes, &pairs);
    }
    out->n = pairs.n;
    return true;
}

/*
 * Appends the pairs of boxes under a node: those under each child, then those of boxes from
 * different children. So what is read again was read a short while ago.
 */
static bool tree_pairs_under(tree_join *j, uint32_t place) {
    const bs_tree_node *node = bs_tree_node_at(j->a, place);
    bs_pair at[BS_SELF_PAIRS + BS_OVERRUN];
    bs_pairs met = {at, 0, sizeof at / sizeof *at};
    if (node->level == 0) {
        return tree_leaf_pairs(j->a, &place, 1, j->out);
    }
    bool done = node->level > 1 || tree_leaf_pairs(j->a, node->lanes.id, node->count, j->out);
    for (int lane = 0; done && node->level > 1 && lane < node->count; lane++) {
        done = tree_pairs_under(j, node->lanes.id[lane]);
    }
    tree_self_met(&node->lanes, place, &met);
    return done && tree_cross_level(j, node->level - 1, at, met.n);
}

bool bs_tree_pairs(bs_backend *backend, bs_pairs *out) {
    bs_tree *t = bs_tree_of(backend);
    tree_join j = {t, t, out, false};
    return bs_tree_is_empty(t) || tree_pairs_under(&j, t->node[0].lanes.id[0]);
}

/* Crosses two lanes whose nodes may be on different levels, by going down in the higher one. */
static bool tree_cross_lanes(tree_join *j, bs_pair met) {
    const bs_tree_node *of_a = bs_tree_node_at(j->a, *bs_lane_id(tree_lane(j->a->node, met.a)));
    const bs_tree_node *of_b = bs_tree_node_at(j->b, *bs_lane_id(tree_lane(j->b->node, met.b)));
    if (of_a->level == of_b->level) {
        return tree_cross_level(j, of_a->level, &met, 1);
    }
    bool into_a = of_a->level > of_b->level;
    bs_bounds other = into_a ? bs_tree_bounds(j->b, of_b) : bs_tree_bounds(j->a, of_a);
    const bs_block *into = into_a ? &of_a->lanes : &of_b->lanes;
    unsigned mask = bs_may_meet(bs_block_apart(into, other.lo, other.hi, 1));
    bool done = true;
    for (; done && mask != 0; mask &= mask - 1) {
        uint32_t lane = (uint32_t)bs_first_lane(mask);
        bs_pair below = into_a ? (bs_pair){bs_tree_place_of(j->a, of_a) + lane, met.b}
                               : (bs_pair){met.a, bs_tree_place_of(j->b, of_b) + lane};
        done = tree_cross_lanes(j, below);
    }
    return done;
}

/*
 * The tree with fewer boxes comes first. As a rule its leaves are larger compared with their boxes,
 * so that fewer of these meet a leaf of the other tree (a fifth fewer tests in S13).
 */
bool bs_tree_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bool turned = backend->count > other->count;
    bs_tree *a = bs_tree_of(turned ? other : backend);
    bs_tree *b = bs_tree_of(turned ? backend : other);
    tree_join j = {a, b, out, false};
    assert(a != b && backend->boxes == other->boxes);
    return bs_tree_is_empty(a) || bs_tree_is_empty(b) || tree_cross_lanes(&j, (bs_pair){0, 0});
}

/* --- rectangles ----------------------------------------------------------------------------- */

/* Rectangles that are queried together: while one waits for memory, the others go on. */
typedef struct tree_asked {
    size_t n;
    const bs_rect *rect[BS_TOGETHER];
    bs_bounds bounds[BS_TOGETHER]; /* The rectangles as floats. */
    size_t *ends;                  /* By rectangle: where in the result its boxes end. */
} tree_asked;

/* Appends the boxes of leaves. Each pair is the number of a rectangle and the place of a leaf. */
static bool tree_ask_leaves(const bs_tree *t, const tree_asked *q, const bs_pair *leaves, size_t n,
                            bs_list *out) {
    if (!bs_list_reserve(t->base.heap, out, n * BS_LANES)) {
        return false;
    }
    bs_list found = *out; /* A copy, so that its count can stay in a register. */
    for (size_t i = 0; i < n; i++) {
        uint32_t which = leaves[i].a;
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): bs_append_both has written it */
        const bs_block *leaf = tree_block(t->node, leaves[i].b);
        unsigned mask = bs_block_overlap(leaf, t->base.boxes, q->rect[which], &q->bounds[which]);
        bs_append(&found, leaf->id, mask);
        q->ends[which] = found.n;
    }
    out->n = found.n;
    return true;
}

/* Appends the boxes under nodes on `level`; the pairs are as in tree_ask_leaves. */
static bool tree_ask_level(bs_tree *t, const tree_asked *q, int level, const bs_pair *nodes,
                           size_t n, bs_list *out) {
    bool done = true;
    for (size_t first = 0; done && first < n; first += CHUNK) {
        size_t end = n - first < CHUNK ? n : first + CHUNK;
        bs_wear_charge(&t->wear, end - first);
        if (level == 0) {
            done = tree_ask_leaves(t, q, nodes + first, end - first, out);
            continue;
        }
        bs_pair at[TASKS_MOST + BS_OVERRUN];
        bs_pairs below = {at, 0, sizeof at / sizeof *at};
        for (size_t i = first; i < end; i++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): bs_append_both has written it */
            const bs_block *node = tree_block(t->node, nodes[i].b);
            const bs_bounds *bounds = &q->bounds[nodes[i].a];
            unsigned mask = bs_may_meet(bs_block_apart(node, bounds->lo, bounds->hi, 1));
            bs_append_both(&below, bs_u8_set(nodes[i].a), bs_u8_load(node->id), mask);
        }
        done = tree_ask_level(t, q, level - 1, at, below.n, out);
    }
    return done;
}

static bool tree_ask(bs_tree *t, const tree_asked *q, bs_list *out) {
    bs_pair roots[BS_TOGETHER];
    assert(q->n > 0 && q->n <= BS_TOGETHER);
    for (uint32_t i = 0; i < q->n; i++) {
        roots[i] = (bs_pair){i, t->node[0].lanes.id[0]};
        q->ends[i] = out->n;
    }
    if (!bs_tree_is_empty(t) && !tree_ask_level(t, q, bs_tree_root(t)->level, roots, q->n, out)) {
        return false;
    }
    for (size_t i = 1; i < q->n; i++) { /* If it got to no leaf, it ends as the one before. */
        q->ends[i] = q->ends[i] < q->ends[i - 1] ? q->ends[i - 1] : q->ends[i];
    }
    return true;
}

bool bs_tree_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    tree_asked q;
    size_t end;
    q.n = 1;
    q.rect[0] = r;
    q.bounds[0] = bs_bounds_of(r);
    q.ends = &end;
    return tree_ask(bs_tree_of(backend), &q, out);
}

bool bs_tree_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                         size_t *ends) {
    tree_asked q;
    q.n = n;
    q.ends = ends;
    for (size_t i = 0; i < n; i++) {
        q.rect[i] = &backend->boxes->rect[boxes[i]];
        q.bounds[i] = bs_bounds_of(q.rect[i]);
    }
    return tree_ask(bs_tree_of(backend), &q, out);
}

/* --- casts ---------------------------------------------------------------------------------- */

/* A node leaves seven children on the stack when the search goes down into the eighth. */
enum { STACK = BS_TREE_MAX_HEIGHT * (BS_LANES - 1) + BS_LANES };

/* A node that is still to be visited. */
typedef struct tree_visit {
    uint32_t place; /* That of the node's lane 0. */
    float time;     /* Nothing in the node is met before this time. */
} tree_visit;

/* Pushes the children that may be met, the nearest last. By then the others are mostly too late. */
static size_t tree_push(const bs_cast *cast, const bs_block *node, tree_visit *stack, size_t top) {
    bs_f8 times;
    float time[BS_LANES];
    unsigned mask = bs_cast_block(cast, node, &times);
    if (mask == 0) {
        return top;
    }
    bs_f8_store(time, times);
    int nearest = bs_first_lane(bs_f8_le(times, bs_f8_set(bs_f8_least(times))));
    assert((mask >> nearest & 1) != 0 && top + bs_count_lanes(mask) <= STACK);
    for (mask &= ~(1u << nearest); mask != 0; mask &= mask - 1) {
        int lane = bs_first_lane(mask);
        stack[top++] = (tree_visit){node->id[lane], time[lane]};
    }
    stack[top++] = (tree_visit){node->id[nearest], time[nearest]};
    return top;
}

bool bs_tree_cast(bs_backend *backend, bs_cast *cast) {
    bs_tree *t = bs_tree_of(backend);
    tree_visit stack[STACK];
    size_t top = t->node[0].count;
    stack[0] = (tree_visit){t->node[0].lanes.id[0], 0};
    while (top > 0) {
        tree_visit next = stack[--top];
        const bs_tree_node *node = bs_tree_node_at(t, next.place);
        bs_wear_charge(&t->wear, 1);
        if (next.time > cast->limit) {
            continue;
        }
        if (node->level == 0) {
            bs_cast_visit_block(cast, &node->lanes);
        } else {
            top = tree_push(cast, &node->lanes, stack, top);
        }
    }
    return true;
}
