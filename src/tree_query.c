/*
 * tree_query.c: what overlaps a rectangle, or each of several.
 *
 * Level by level: what a node's children are like cannot be predicted, so no branch asks. Several
 * queries go down together: while one waits for memory, the others go on. A query alone has nothing
 * to do but to wait, so it learns as soon as can be where to look next.
 */
#include "tree_parts.h"

/* --- a query alone ---------------------------------------------------------------------------- */

/*
 * Lists the root, or its children if there are two: to look at both takes less time than to learn
 * which one to look at. Returns their level; *head is the first.
 */
BS_HOT int tree_begin_alone(bs_tree *t, uint32_t *head) {
    bs_list *nodes = &t->visit;
    bs_tree_link root = t->link[t->root];
    bool two = root.level > 0 && root.count == 2;
    const uint32_t *children = t->node[t->root].id;
    assert(nodes->cap >= 2);
    nodes->n = two ? 2 : 1;
    nodes->at[0] = two ? children[0] : bs_tree_name(t->root);
    nodes->at[1] = children[1]; /* or what is not counted */
    *head = nodes->at[0];
    return root.level - two;
}

/*
 * From the nodes from `first` on, goes one level down: appends the children that may overlap. *head
 * is the first of the nodes, then that of the children. It is read where its parent names it: the
 * list has it later, as what is written there waits for a permutation.
 */
BS_HOT bool tree_descend_alone(bs_tree *t, const bs_bounds *q, size_t first, uint32_t *head) {
    const size_t end = t->visit.n;
    assert(first < end && t->visit.at[first] == *head);
    if (!bs_list_reserve(t->base.heap, &t->visit, (end - first) * BS_LANES)) {
        return false;
    }
    bs_list nodes = t->visit; /* a copy, so that its count can stay in a register */
    const bs_block *block = bs_tree_block(t->node, *head);
    const unsigned met = bs_block_may_meet(block, q);
    bs_append(&nodes, block->id, met);
    *head = block->id[bs_first_lane(met | 1u << (BS_LANES - 1))];
    for (size_t at = first + 1; at < end; at++) {
        assert(t->link[bs_tree_named(nodes.at[at])].level > 0);
        block = bs_tree_block(t->node, nodes.at[at]);
        bs_append(&nodes, block->id, bs_block_may_meet(block, q));
    }
    t->visit.n = nodes.n;
    if (__builtin_expect(met == 0, 0) && nodes.n > end) {
        *head = nodes.at[end];
    }
    return true;
}

/* Appends the boxes in the leaves from `first` on, of which `head` is the first, that overlap r. */
BS_HOT bool tree_search_alone(const bs_tree *t, const bs_rect *r, const bs_bounds *q, size_t first,
                              uint32_t head, bs_list *out) {
    const bs_list *leaves = &t->visit;
    const size_t end = leaves->n;
    assert(first < end && leaves->at[first] == head);
    if (!bs_list_reserve(t->base.heap, out, (end - first) * BS_LANES)) {
        return false;
    }
    bs_list found = *out;
    const bs_block *leaf = bs_tree_block(t->node, head);
    bs_append(&found, leaf->id, bs_block_overlap(leaf, t->base.boxes, r, q));
    for (size_t at = first + 1; at < end; at++) {
        assert(t->link[bs_tree_named(leaves->at[at])].level == 0);
        leaf = bs_tree_block(t->node, leaves->at[at]);
        bs_append(&found, leaf->id, bs_block_overlap(leaf, t->base.boxes, r, q));
    }
    out->n = found.n;
    return true;
}

bool bs_tree_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    bs_tree *t = bs_tree_of(backend);
    if (!bs_tree_sync(t, BS_TREE_QUERY)) {
        return false;
    }
    assert(bs_tree_is_synced(t));
    t->visit.n = 0;
    if (t->root == BS_NO_NODE) {
        return true;
    }
    if (!bs_list_reserve(t->base.heap, &t->visit, 2)) {
        return false;
    }
    const bs_bounds q = bs_bounds_of(r);
    size_t first = 0;
    uint32_t head;
    for (int level = tree_begin_alone(t, &head); level > 0 && first < t->visit.n; level--) {
        size_t end = t->visit.n;
        if (!tree_descend_alone(t, &q, first, &head)) {
            return false;
        }
        first = end;
    }
    t->looks += t->visit.n;
    return first == t->visit.n || tree_search_alone(t, r, &q, first, head, out);
}

/* --- several together ------------------------------------------------------------------------- */

/* Queries on their way down. */
typedef struct tree_search {
    size_t n;
    const bs_rect *rect[BS_TOGETHER];
    bs_bounds bounds[BS_TOGETHER];
    size_t end[BS_TOGETHER]; /* by query: up to here in `visit` are the nodes it looks into */
} tree_search;

/* From the nodes from `first` on, goes one level down: appends the children that may overlap. */
BS_HOT bool tree_descend(bs_tree *t, tree_search *s, size_t first) {
    if (!bs_list_reserve(t->base.heap, &t->visit, (t->visit.n - first) * BS_LANES)) {
        return false;
    }
    bs_list nodes = t->visit; /* a copy, so that its count can stay in a register */
    size_t at = first;
    for (size_t i = 0; i < s->n; i++) {
        for (; at < s->end[i]; at++) {
            assert(t->link[bs_tree_named(nodes.at[at])].level > 0);
            const bs_block *block = bs_tree_block(t->node, nodes.at[at]);
            bs_append(&nodes, block->id, bs_block_may_meet(block, &s->bounds[i]));
        }
        s->end[i] = nodes.n;
    }
    t->visit.n = nodes.n;
    return true;
}

/* Appends the boxes in the leaves from `first` on that overlap; makes `ends` where they end. */
BS_HOT bool tree_search_leaves(const bs_tree *t, const tree_search *s, size_t first, bs_list *out,
                               size_t *ends) {
    const bs_list *leaves = &t->visit;
    if (!bs_list_reserve(t->base.heap, out, (leaves->n - first) * BS_LANES)) {
        return false;
    }
    bs_list found = *out;
    size_t at = first;
    for (size_t i = 0; i < s->n; i++) {
        const bs_bounds q = s->bounds[i];
        const size_t end = s->end[i];
        for (; at < end; at++) {
            assert(t->link[bs_tree_named(leaves->at[at])].level == 0);
            const bs_block *leaf = bs_tree_block(t->node, leaves->at[at]);
            bs_append(&found, leaf->id, bs_block_overlap(leaf, t->base.boxes, s->rect[i], &q));
        }
        ends[i] = found.n;
    }
    out->n = found.n;
    return true;
}

/* Starts at the root, which there must be. False: no memory. */
static bool tree_start_search(bs_tree *t, tree_search *s) {
    bs_list *nodes = &t->visit;
    assert(bs_tree_is_node(t, t->root));
    nodes->n = 0;
    if (!bs_list_reserve(t->base.heap, nodes, s->n)) {
        return false;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->bounds[i] = bs_bounds_of(s->rect[i]);
        nodes->at[nodes->n++] = bs_tree_name(t->root);
        s->end[i] = nodes->n;
    }
    return true;
}

/* Appends what overlaps each rect; what overlaps the i-th ends before out->at[ends[i]]. */
static bool tree_search_all(bs_tree *t, tree_search *s, bs_list *out, size_t *ends) {
    if (!bs_tree_sync(t, BS_TREE_QUERY)) {
        return false;
    }
    assert(bs_tree_is_synced(t));
    if (t->root == BS_NO_NODE) {
        for (size_t i = 0; i < s->n; i++) {
            ends[i] = out->n;
        }
        return true;
    }
    if (!tree_start_search(t, s)) {
        return false;
    }
    size_t first = 0;
    for (int level = t->link[t->root].level; level > 0; level--) {
        size_t end = t->visit.n;
        if (!tree_descend(t, s, first)) {
            return false;
        }
        first = end;
    }
    t->looks += t->visit.n;
    return tree_search_leaves(t, s, first, out, ends);
}

bool bs_tree_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                         size_t *ends) {
    tree_search s;
    assert(n > 0 && n <= BS_TOGETHER);
    s.n = n;
    for (size_t i = 0; i < n; i++) {
        s.rect[i] = &backend->boxes->rect[boxes[i]];
    }
    return tree_search_all(bs_tree_of(backend), &s, out, ends);
}
