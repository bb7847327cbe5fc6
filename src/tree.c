#include "tree_parts.h"

static bs_backend *tree_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void tree_destroy(bs_backend *backend) {
    bs_tree *t = bs_tree_of(backend);
    bs_heap *heap = backend->heap;
    bs_array_free(heap, &t->node, &t->node_cap, sizeof *t->node);
    bs_array_free(heap, &t->link, &t->link_cap, sizeof *t->link);
    bs_array_free(heap, &t->place, &t->place_cap, sizeof *t->place);
    bs_array_free(heap, &t->item, &t->item_cap, sizeof *t->item);
    bs_list_free(heap, &t->pending);
    bs_list_free(heap, &t->moved);
    bs_list_free(heap, &t->visit);
    bs_pairs_free(heap, &t->task);
    for (int level = 0; level < BS_TREE_MAX_HEIGHT; level++) {
        bs_pairs_free(heap, &t->met[level]);
    }
    bs_heap_free(heap, t, sizeof *t);
}

/* --- keeping it good ------------------------------------------------------------------------ */

/*
 * Too few boxes in too many leaves, after removals or splits, or hardly any node that is not free.
 * What goes through the whole tree anyhow can soon afford a new one.
 */
static bool tree_is_sparse(const bs_tree *t, bs_tree_question question) {
    size_t leaves = t->base.count / BS_LANES + BS_LANES;
    size_t most = question == BS_TREE_PAIRS ? leaves + leaves / 2 : 3 * leaves;
    return t->leaves > most || t->used / 8 > t->in_use + 8;
}

/*
 * So many vector tests have been done in vain, as leaves were too large. Whether that has been so
 * for too long: a new tree is worth its price when the old one has cost as much in excess. Then,
 * whatever the boxes do and whatever is asked, at most about twice as much is spent as had to be.
 * Where boxes go far in little time, one frame may cost as much as several new trees: that many are
 * made in the frames after it.
 */
static bool tree_charge(bs_tree *t, double in_vain) {
    assert(in_vain >= 0);
    t->excess += in_vain;
    return t->excess >= bs_tree_price(t);
}

/*
 * Pairs took so many tests more than at best. That is known before bounds are made right. Of a tree
 * that was no longer new when pairs were first asked for, the best is taken to be as much less as
 * its leaves were smaller.
 */
static bool tree_charge_tests(bs_tree *t) {
    size_t in_vain = 0;
    if (t->tests > 0) {
        size_t best = t->least > 0 ? t->least : (size_t)((double)t->tests * t->tight);
        t->least = t->tests < best ? t->tests : best;
        in_vain = t->tests - t->least;
    }
    t->tests = 0;
    return tree_charge(t, (double)in_vain);
}

/*
 * How many tests other questions take varies: the part in vain is taken to grow as the extents of
 * the leaves do.
 */
static bool tree_charge_looks(bs_tree *t, double extent) {
    assert(extent >= 0 && t->extent >= 0);
    t->tight = bs_min(t->extent / extent, 1); /* 1 also where all boxes are in one place */
    double in_vain = (1 - t->tight) * (double)t->looks;
    t->looks = 0;
    return tree_charge(t, in_vain);
}

/* Whether the tree can be made anew with the old items, and that has not been in vain lately. */
static bool tree_merges(const bs_tree *t) {
    return t->wait == 0 && bs_tree_may_merge(t);
}

/*
 * Adding so many one by one costs as much as merging or building, and leaves a worse tree. They are
 * fewer where all bounds must be made anew in any case.
 */
static bool tree_has_many_pending(const bs_tree *t, bs_tree_question question) {
    static const int share[2][2] = {{24, 48}, {64, 200}}; /* by `stale`, and what can be done */
    int few = question == BS_TREE_QUERY ? 4 : share[t->stale][tree_merges(t)];
    return t->pending.n > t->base.count / (size_t)few;
}

/*
 * Makes it anew, with the old items if these are still good enough. Where they are not, as boxes go
 * far in little time, both have been spent: then merging is not tried for a while, twice as long
 * each time.
 */
static bool tree_renew(bs_tree *t) {
    enum { SOON = 5, FIRST_WAIT = 4, LONGEST_WAIT = 64 };
    const double most_growth = 2.5; /* more: what is left has little to do with the old items */
    if (!tree_merges(t) || tree_charge_tests(t)) {
        return bs_tree_build(t);
    }
    double extent;
    if (!bs_tree_merge(t, &extent)) {
        return false;
    }
    t->merges++;
    if (!tree_charge_looks(t, extent) && extent < most_growth * t->extent) {
        return true;
    }
    int longer = t->last_wait < LONGEST_WAIT ? 2 * t->last_wait + FIRST_WAIT : t->last_wait;
    t->last_wait = t->merges < SOON ? longer : 0;
    t->wait = t->last_wait;
    return bs_tree_build(t);
}

bool bs_tree_sync(bs_tree *t, bs_tree_question question) {
    assert(t->pending.n <= t->base.count && t->leaves <= t->in_use);
    if (tree_has_many_pending(t, question) || tree_is_sparse(t, question)) {
        return tree_renew(t);
    }
    if (!t->stale) {
        bs_tree_add_moved(t);
        t->stale = t->escapes > t->base.count / BS_LANES;
    }
    /* Without memory for a new tree the old one will do. */
    if (t->stale && tree_charge_tests(t) && bs_tree_build(t)) {
        return true;
    }
    if (t->stale && tree_charge_looks(t, bs_tree_refit(t)) && bs_tree_build(t)) {
        return true;
    }
    return bs_tree_add_pending(t);
}

/* --- lists, figures and pictures ------------------------------------------------------------ */

static bool tree_list(const bs_backend *backend, bs_list *out) {
    const bs_tree *t = (const bs_tree *)backend;
    if (!bs_list_reserve(backend->heap, out, backend->count)) {
        return false;
    }
    for (uint32_t node = 1; node < t->used; node++) {
        for (int lane = 0; t->link[node].level == 0 && lane < t->link[node].count; lane++) {
            out->at[out->n++] = t->node[node].id[lane];
        }
    }
    for (size_t i = 0; i < t->pending.n; i++) {
        out->at[out->n++] = t->pending.at[i];
    }
    assert(out->n >= backend->count && out->n <= out->cap);
    return true;
}

static void tree_stats(const bs_backend *backend, bs_stats *out) {
    const bs_tree *t = (const bs_tree *)backend;
    assert(t->in_use <= t->used && t->leaves <= t->in_use);
    out->boxes = backend->count;
    out->nodes = t->in_use;
    out->rebuilds = t->rebuilds;
    if (t->root == BS_NO_NODE) {
        return;
    }
    out->height = (size_t)t->link[t->root].level + 1;
    double sum = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        if (t->link[node].level != BS_TREE_FREE) {
            bs_bounds b = bs_tree_bounds(t, node);
            sum += (double)bs_surface(&b);
        }
    }
    bs_bounds root = bs_tree_bounds(t, t->root);
    double ratio = sum / (double)bs_surface(&root);
    out->area_ratio = isfinite(ratio) ? ratio : 0; /* no area, or too much for a float */
}

/*
 * The bounds of a leaf, and its boxes: their corners may lie beyond the floats. False: no rect is
 * as large as that.
 */
static bool tree_fat_rect(const bs_tree *t, uint32_t leaf, bs_rect *out) {
    assert(t->link[leaf].level == 0 && t->link[leaf].count > 0);
    bs_bounds b = bs_tree_bounds(t, leaf);
    bs_rect fat = bs_bounds_rect(&b);
    for (int lane = 0; lane < t->link[leaf].count; lane++) {
        const bs_rect *r = &t->base.boxes->rect[t->node[leaf].id[lane]];
        for (int k = 0; k < DIM; k++) {
            double lo = r->pos[k] < fat.pos[k] ? r->pos[k] : fat.pos[k];
            double hi = bs_far(r, k) > bs_far(&fat, k) ? bs_far(r, k) : bs_far(&fat, k);
            fat.pos[k] = lo;
            fat.size[k] = hi - lo;
            if (bs_far(&fat, k) < hi) { /* rounded down */
                fat.size[k] = nextafter(fat.size[k], HUGE_VAL);
            }
            if (!isfinite(bs_far(&fat, k))) {
                return false;
            }
        }
    }
    *out = fat;
    return true;
}

/* The fat bounds of a leaf; where these are too large for a rect, its boxes as they are. */
static bool tree_leaf_shapes(const bs_tree *t, uint32_t leaf, bs_shapes *out) {
    bs_heap *heap = t->base.heap;
    bs_rect fat;
    if (tree_fat_rect(t, leaf, &fat)) {
        return bs_shapes_add(heap, out, BS_SHAPE_FAT, &fat);
    }
    bool done = true;
    for (int lane = 0; done && lane < t->link[leaf].count; lane++) {
        const bs_rect *r = &t->base.boxes->rect[t->node[leaf].id[lane]];
        done = bs_shapes_add(heap, out, BS_SHAPE_FAT, r);
    }
    return done;
}

static bool tree_shapes(bs_backend *backend, bs_shapes *out) {
    bs_tree *t = bs_tree_of(backend);
    if (!bs_tree_sync(t, BS_TREE_QUERY)) {
        return false;
    }
    for (uint32_t node = 1; node < t->used; node++) {
        int level = t->link[node].level;
        if (level == BS_TREE_FREE) {
            continue;
        }
        bs_bounds b = bs_tree_bounds(t, node);
        bs_rect rect = bs_bounds_rect(&b);
        if (level == 0 ? !tree_leaf_shapes(t, node, out)
                       : !bs_shapes_add(backend->heap, out, BS_SHAPE_NODE, &rect)) {
            return false;
        }
    }
    return true;
}

/* --- checking ------------------------------------------------------------------------------- */

static bool tree_same(const bs_bounds *a, const bs_bounds *b) {
    return bs_bounds_contain(a, b) && bs_bounds_contain(b, a);
}

/* Whether the bounds of a box in its leaf are to be right now. */
static bool tree_is_settled(const bs_tree *t, uint32_t box) {
    for (size_t i = 0; i < t->moved.n; i++) {
        if (t->moved.at[i] == box) {
            return false;
        }
    }
    return !t->stale;
}

static const char *tree_check_lane(const bs_tree *t, uint32_t node, int lane) {
    bs_tree_link link = t->link[node];
    bs_bounds b = bs_block_get(&t->node[node], lane);
    uint32_t id = t->node[node].id[lane];
    bs_bounds empty = bs_bounds_empty();
    if (lane >= link.count) {
        return memcmp(&b, &empty, sizeof b) == 0 ? NULL : "tree: an unused lane is not empty";
    }
    bs_bounds fat = bs_tree_bounds(t, node);
    if (!t->stale && !bs_bounds_contain(&fat, &b)) {
        return "tree: a node does not contain its child";
    }
    if (link.level > 0) {
        uint32_t number = id / BS_TREE_STEP;
        if (id % BS_TREE_STEP != 0 || number >= t->used) {
            return "tree: a child is no node";
        }
        bs_tree_link child = t->link[number];
        bool linked = child.parent == node && child.lane == lane && child.level == link.level - 1;
        return linked ? NULL : "tree: a child does not know its parent";
    }
    bs_bounds want = bs_bounds_of(&t->base.boxes->rect[id]);
    if (t->place[id] != node * BS_LANES + (uint32_t)lane) {
        return "tree: a box is not where its place says";
    }
    return tree_same(&b, &want) || !tree_is_settled(t, id)
               ? NULL
               : "tree: a leaf has other bounds than its box";
}

/* While the tree is ordered leaves stand before all other nodes, and children before parents. */
static bool tree_is_ordered(const bs_tree *t, uint32_t node) {
    bs_tree_link link = t->link[node];
    bool after_leaves = link.level == 0 || node > t->leaves;
    return after_leaves && (node == t->root || node < link.parent);
}

/* The items that are kept are in order, and those of all boxes in the tree are among them. */
static const char *tree_check_items(const bs_tree *t) {
    size_t kept = 0;
    for (size_t i = 0; i < t->kept; i++) {
        if (i > 0 && t->item[i].key < t->item[i - 1].key) {
            return "tree: an item is out of order";
        }
        kept += (t->place[t->item[i].box] & BS_PENDING) == 0;
    }
    return t->kept == 0 || kept + t->pending.n == t->base.count ? NULL : "tree: an item is missing";
}

static const char *tree_check(const bs_backend *backend) {
    const bs_tree *t = (const bs_tree *)backend;
    size_t boxes = t->pending.n;
    size_t nodes = 0;
    size_t leaves = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        bs_tree_link link = t->link[node];
        if (link.level == BS_TREE_FREE) {
            continue;
        }
        nodes++;
        if (t->ordered && !tree_is_ordered(t, node)) {
            return "tree: a node is not in order";
        }
        leaves += link.level == 0;
        boxes += link.level == 0 ? link.count : 0u;
        for (int lane = 0; lane < BS_LANES; lane++) {
            const char *broken = tree_check_lane(t, node, lane);
            if (broken != NULL) {
                return broken;
            }
        }
        if (link.count == 0 || link.count > BS_LANES) {
            return "tree: a node has no child";
        }
    }
    for (size_t i = 0; i < t->pending.n; i++) {
        if (t->place[t->pending.at[i]] != (BS_PENDING | (uint32_t)i)) {
            return "tree: a pending box does not know its place";
        }
    }
    if (boxes != backend->count || nodes != t->in_use || leaves != t->leaves) {
        return "tree: a count is wrong";
    }
    if (t->root != BS_NO_NODE && t->link[t->root].parent != BS_TREE_TOP) {
        return "tree: the root has a parent";
    }
    return tree_check_items(t);
}

const bs_backend_type BS_VARIANT(bs_tree_type) = {
    .name = "tree",
    .create = tree_create,
    .destroy = tree_destroy,
    .insert = bs_tree_insert,
    .remove = bs_tree_remove,
    .update = bs_tree_update,
    .pairs = bs_tree_pairs,
    .cross = bs_tree_cross,
    .list = tree_list,
    .query = bs_tree_query,
    .query_boxes = bs_tree_query_boxes,
    .cast = bs_tree_cast,
    .stats = tree_stats,
    .shapes = tree_shapes,
    .check = tree_check,
};

static bs_backend *tree_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    bs_tree *t = bs_heap_new(heap, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->base = (bs_backend){&BS_VARIANT(bs_tree_type), heap, boxes, 0};
    assert(!isnan(settings->margin));
    t->margin = settings->margin;
    t->root = BS_NO_NODE;
    t->free = BS_NO_NODE;
    return &t->base;
}
