/* tree.c: the table of functions of the tree, and its figures. */
#include "tree.h"

static bs_backend *tree_create(const bs_backend *base, const bs_settings *settings);

static void tree_destroy(bs_backend *backend) {
    bs_tree *t = bs_tree_of(backend);
    bs_heap *heap = backend->heap;
    bs_array_free(heap, &t->node, &t->node_cap, sizeof *t->node);
    bs_array_free(heap, &t->place, &t->place_cap, sizeof *t->place);
    bs_array_free(heap, &t->item, &t->item_cap, sizeof *t->item);
    bs_list_free(heap, &t->pending);
    bs_heap_free(heap, t, sizeof *t);
}

/* --- changes -------------------------------------------------------------------------------- */

static bool tree_sync(bs_backend *backend, const bs_changes *changes) {
    bs_tree *t = bs_tree_of(backend);
    t->pending.n = 0;
    if (!bs_places_reserve(backend->heap, &t->place, &t->place_cap,
                           bs_backend_reach(backend, changes)) ||
        !bs_tree_look_at(t, &changes->replaced, true) ||
        !bs_tree_look_at(t, &changes->moved, false)) {
        return false;
    }
    /* If there is no memory for a new tree, the old one will do. */
    if (bs_wear_is_due(&t->wear, backend->count, t->pending.n) && bs_tree_build(backend)) {
        bs_wear_pay(&t->wear, backend->count);
        return true;
    }
    if (changes->all_moved) {
        bs_wear_measure(&t->wear, bs_tree_refit(t));
    }
    return bs_tree_add_pending(t);
}

/* --- figures and pictures ------------------------------------------------------------------- */

/* Half of the surface of a box; in 2D of its perimeter. */
static double tree_surface(bs_bounds b) {
#if DIM == 2
    return bs_bounds_extent(b);
#else
    double size[DIM];
    for (int k = 0; k < DIM; k++) {
        size[k] = (double)b.hi[k] - (double)b.lo[k];
    }
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
#endif
}

static void tree_stats(const bs_backend *backend, bs_stats *out) {
    const bs_tree *t = (const bs_tree *)backend;
    double sum = 0;
    out->boxes = backend->count;
    out->rebuilds = t->rebuilds;
    for (const bs_tree_node *node = t->node + 1; node < t->node + t->used; node++) {
        if (node->level != BS_TREE_FREE) {
            out->nodes++;
            sum += tree_surface(bs_tree_bounds(t, node));
        }
    }
    if (!bs_tree_is_empty(t)) {
        double ratio = sum / tree_surface(bs_tree_bounds(t, bs_tree_root(t)));
        out->height = (size_t)bs_tree_root(t)->level + 1;
        out->area_ratio = isfinite(ratio) ? ratio : 0; /* There is no area. */
    }
}

/*
 * A rect around the bounds of a leaf and its boxes, whose corners may lie beyond the floats.
 * Returns false if that is too large for a rect.
 */
static bool tree_fat_rect(const bs_tree *t, const bs_tree_node *leaf, bs_rect *out) {
    assert(leaf->level == 0 && leaf->count > 0);
    bs_bounds b = bs_tree_bounds(t, leaf);
    bs_rect fat = bs_bounds_rect(&b);
    for (int lane = 0; lane < leaf->count; lane++) {
        const bs_rect *r = &t->base.boxes->rect[leaf->lanes.id[lane]];
        for (int k = 0; k < DIM; k++) {
            double lo = r->pos[k] < fat.pos[k] ? r->pos[k] : fat.pos[k];
            double hi = bs_far(r, k) > bs_far(&fat, k) ? bs_far(r, k) : bs_far(&fat, k);
            fat.pos[k] = lo;
            fat.size[k] = hi - lo;
            if (bs_far(&fat, k) < hi) { /* The size was rounded down. */
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

/* Shows the fat bounds of a leaf, or its boxes if these bounds are too large for a rect. */
static bool tree_leaf_pictures(const bs_tree *t, const bs_tree_node *leaf, bs_pictures *out) {
    bs_heap *heap = t->base.heap;
    bs_rect fat;
    if (tree_fat_rect(t, leaf, &fat)) {
        return bs_pictures_add(heap, out, BS_PICTURE_FAT, &fat);
    }
    bool done = true;
    for (int lane = 0; done && lane < leaf->count; lane++) {
        const bs_rect *r = &t->base.boxes->rect[leaf->lanes.id[lane]];
        done = bs_pictures_add(heap, out, BS_PICTURE_FAT, r);
    }
    return done;
}

static bool tree_pictures(bs_backend *backend, bs_pictures *out) {
    const bs_tree *t = bs_tree_of(backend);
    bool done = true;
    for (uint32_t i = 1; done && i < t->used; i++) {
        const bs_tree_node *node = &t->node[i];
        if (node->level == 0) {
            done = tree_leaf_pictures(t, node, out);
        } else if (node->level != BS_TREE_FREE) {
            bs_bounds b = bs_tree_bounds(t, node);
            bs_rect rect = bs_bounds_rect(&b);
            done = bs_pictures_add(backend->heap, out, BS_PICTURE_NODE, &rect);
        }
    }
    return done;
}

const bs_backend_type BS_VARIANT(bs_tree_type) = {
    .name = "tree",
    .create = tree_create,
    .destroy = tree_destroy,
    .build = bs_tree_build,
    .sync = tree_sync,
    .pairs = bs_tree_pairs,
    .cross = bs_tree_cross,
    .query = bs_tree_query,
    .query_boxes = bs_tree_query_boxes,
    .cast = bs_tree_cast,
    .stats = tree_stats,
    .pictures = tree_pictures,
};

static bs_backend *tree_create(const bs_backend *base, const bs_settings *settings) {
    bs_tree *t = bs_heap_new(base->heap, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->base = *base;
    assert(!isnan(settings->margin));
    t->margin = settings->margin;
    if (!bs_array_reserve(base->heap, &t->node, &t->node_cap, 1, sizeof *t->node)) {
        tree_destroy(&t->base);
        return NULL;
    }
    bs_block_clear(&t->node[0].lanes);
    t->node[0].parent = 0;
    t->node[0].count = 0;
    t->node[0].level = BS_TREE_MAX_HEIGHT;
    t->used = 1;
    return &t->base;
}
