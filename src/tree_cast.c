/*
 * tree_cast.c: what a moving box may meet; of the children of a node the nearest first.
 */
#include "tree_parts.h"

/* A node leaves seven of its children on the stack when it goes down into the eighth. */
enum { STACK = BS_TREE_MAX_HEIGHT * (BS_LANES - 1) + BS_LANES };

/* Nodes to be looked into, in columns, so that all children of a node are pushed at once. */
typedef struct tree_stack {
    size_t top;
    bs_pair node[STACK + BS_LANES];  /* name; bits of a time before which nothing in it is met */
    uint8_t level[STACK + BS_LANES]; /* kept here, as the links are cold */
} tree_stack;

/* The root, if there is one. */
static inline void tree_start(const bs_tree *t, tree_stack *s) {
    s->top = 0;
    if (t->root != BS_NO_NODE) {
        assert(bs_tree_is_node(t, t->root));
        s->node[0] = (bs_pair){bs_tree_name(t->root), bs_bits_of(0)};
        s->level[0] = t->link[t->root].level;
        s->top = 1;
    }
}

/* Pushes the children in `mask`. */
static inline void tree_push(tree_stack *s, const bs_block *block, int level, unsigned mask,
                             bs_f8 times) {
    assert(s->top + bs_count_lanes(mask) <= STACK);
    assert(level >= 0 && level < BS_TREE_MAX_HEIGHT);
    memset(s->level + s->top, level, BS_LANES);
    bs_pairs nodes = {s->node, s->top, sizeof s->node / sizeof *s->node};
    bs_append_both(&nodes, bs_u8_load(block->id), bs_u8_bits(times), mask);
    s->top = nodes.n;
}

/*
 * Pushes the children that may be met, the nearest last. The others need not be in order: most are
 * too late by the time that the nearest has been looked into.
 */
static inline void tree_push_met(const bs_cast *cast, const bs_block *block, int level,
                                 tree_stack *s) {
    bs_f8 times;
    unsigned mask = bs_cast_block(cast, block, &times);
    if (mask != 0) {
        float least = bs_f8_least(times);
        int nearest = bs_first_lane(bs_f8_le(times, bs_f8_set(least)));
        assert((mask >> nearest & 1) != 0 && least <= cast->limit);
        tree_push(s, block, level, mask & ~(1u << nearest), times);
        assert(s->top < STACK);
        s->node[s->top] = (bs_pair){block->id[nearest], bs_bits_of(least)};
        s->level[s->top] = (uint8_t)level;
        s->top++;
    }
}

bool bs_tree_cast(bs_backend *backend, bs_cast *cast) {
    bs_tree *t = bs_tree_of(backend);
    if (!bs_tree_sync(t, BS_TREE_QUERY)) {
        return false;
    }
    assert(bs_tree_is_synced(t));
    bs_cast_prepare(cast);
    tree_stack stack;
    size_t tests = 0;
    for (tree_start(t, &stack); stack.top > 0; tests++) {
        int level = stack.level[--stack.top];
        const bs_pair node = stack.node[stack.top];
        const bs_block *block = bs_tree_block(t->node, node.a);
        assert(t->link[bs_tree_named(node.a)].level == level);
        if (bs_float_of(node.b) > cast->limit) {
            continue;
        }
        if (level == 0) {
            bs_cast_visit_block(cast, block);
        } else {
            tree_push_met(cast, block, level - 1, &stack);
        }
    }
    t->looks += tests;
    return true;
}
