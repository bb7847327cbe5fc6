/* tree.c: checks a tree: its nodes, their bounds, where its boxes are. */
#include "broad/tree/tree.h"
#include "checkers.h"

static bool same(const bs_bounds *a, const bs_bounds *b) {
    return bs_bounds_contain(a, b) && bs_bounds_contain(b, a);
}

static const char *check_child(const bs_tree *t, const bs_tree_node *node, int lane) {
    uint32_t id = node->lanes.id[lane];
    if (id % BS_TREE_STEP != 0 || id == 0 || id / BS_TREE_STEP >= t->used) {
        return "tree: a child is no node";
    }
    const bs_tree_node *child = bs_tree_node_at(t, id);
    bool linked = child->parent == bs_tree_place_of(t, node) + (uint32_t)lane &&
                  (node == t->node || child->level == node->level - 1);
    return linked ? NULL : "tree: a child does not know its parent";
}

static const char *check_box(const bs_tree *t, const bs_tree_node *leaf, int lane, bool behind) {
    uint32_t box = leaf->lanes.id[lane];
    bs_bounds have = bs_block_get(&leaf->lanes, lane);
    if (t->place[box] != bs_tree_place_of(t, leaf) + (uint32_t)lane) {
        return "tree: a box is not where its place says";
    }
    if (behind) {
        return NULL;
    }
    bs_bounds want = bs_bounds_of(&t->base.boxes->rect[box]);
    return same(&have, &want) ? NULL : "tree: a leaf has other bounds than its box";
}

static const char *check_lane(const bs_tree *t, const bs_tree_node *node, int lane, bool behind) {
    bs_bounds b = bs_block_get(&node->lanes, lane);
    bs_bounds empty = bs_bounds_empty();
    if (lane >= node->count) {
        return memcmp(&b, &empty, sizeof b) == 0 ? NULL : "tree: an unused lane is not empty";
    }
    if (node != t->node) {
        bs_bounds fat = bs_tree_bounds(t, node);
        if (!bs_bounds_contain(&fat, &b)) {
            return "tree: a node does not contain its child";
        }
    }
    return node->level == 0 ? check_box(t, node, lane, behind) : NULL;
}

static const char *check_counts(const bs_tree *t) {
    for (uint32_t i = 0; i < t->used; i++) {
        const bs_tree_node *node = &t->node[i];
        bool right = i > 0 ? node->count > 0 && node->count <= BS_LANES : node->count <= 1;
        if (node->level != BS_TREE_FREE && !right) {
            return "tree: a node has no child, or too many";
        }
    }
    return NULL;
}

/* Whether each node is where the one above says that it is. */
static const char *check_children(const bs_tree *t) {
    const char *broken = NULL;
    for (uint32_t i = 0; broken == NULL && i < t->used; i++) {
        const bs_tree_node *node = &t->node[i];
        for (int lane = 0; broken == NULL && lane < node->count; lane++) {
            bool inner = node->level != BS_TREE_FREE && node->level > 0;
            broken = inner ? check_child(t, node, lane) : NULL;
        }
    }
    return broken;
}

/* The list of free nodes must have exactly the nodes that are not in use. */
static const char *check_free(const bs_tree *t) {
    size_t free = 0;
    for (uint32_t i = 1; i < t->used; i++) {
        free += t->node[i].level == BS_TREE_FREE;
    }
    for (uint32_t i = t->free; i != 0; i = t->node[i].parent) {
        if (i >= t->used || t->node[i].level != BS_TREE_FREE || free-- == 0) {
            return "tree: the list of free nodes is broken";
        }
    }
    return free == 0 ? NULL : "tree: a free node is lost";
}

const char *bs_tree_check(const bs_backend *backend, bool behind) {
    const bs_tree *t = (const bs_tree *)backend;
    size_t boxes = 0;
    const char *broken = check_counts(t);
    broken = broken != NULL ? broken : check_children(t);
    if (broken != NULL) {
        return broken;
    }
    for (uint32_t i = 0; i < t->used; i++) {
        const bs_tree_node *node = &t->node[i];
        if (node->level == BS_TREE_FREE) {
            continue;
        }
        boxes += node->level == 0 ? node->count : 0u;
        for (int lane = 0; lane < BS_LANES; lane++) {
            broken = check_lane(t, node, lane, behind);
            if (broken != NULL) {
                return broken;
            }
        }
    }
    return behind || boxes == t->base.count ? check_free(t) : "tree: a count is wrong";
}
