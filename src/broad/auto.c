/*
 * auto.c: a tree for all questions. It also keeps a grid, as long as casts save more than the grid
 * costs. It relies on backend.h alone.
 *
 * The tree is the best, or nearly so, for pairs and rectangles of all kinds. The grid answers casts
 * in half the time, but its changes cost more. No answer needs the grid: if there is no memory for
 * it, the tree answers.
 */
#include <assert.h>

#include "auto.h"

static bs_auto *auto_of(bs_backend *backend) {
    return (bs_auto *)backend;
}

/* --- the grid -------------------------------------------------------------------------------- */

static void auto_drop_grid(bs_auto *s) {
    if (s->grid != NULL) {
        s->grid->type->destroy(s->grid);
    }
    s->grid = NULL;
    s->credit = 0;
}

/* If there is no memory, there is no grid. */
static void auto_make_grid(bs_auto *s) {
    bs_list boxes = {0};
    s->grid = bs_backend_find("grid")->create(s->base.heap, s->base.boxes, &s->settings);
    bool done = s->grid != NULL && s->tree->type->list(s->tree, &boxes);
    for (size_t i = 0; done && i < boxes.n; i++) {
        done = s->grid->type->insert(s->grid, boxes.at[i]);
    }
    bs_list_free(s->base.heap, &boxes);
    if (!done) {
        auto_drop_grid(s);
    }
}

enum { CAST_SAVES = 4 };

/*
 * Makes the grid when casts would have saved its price, and frees it when changes have cost its
 * price more than casts have saved. The unit is what a change costs in the grid: 20 ns if many are
 * filed at a time, 150 if one is. A cast through the grid saves 150 ns in small worlds, 300 in
 * large ones. Gains and losses beyond the price are forgotten, so that a change of habit is noticed
 * as soon after years as after seconds.
 */
static void auto_account(bs_auto *s, int64_t gain) {
    const int64_t price = (int64_t)s->base.count + 64;
    s->credit += gain;
    if (s->credit >= price) {
        s->credit = price;
        if (s->grid == NULL) {
            auto_make_grid(s);
        }
    } else if (s->credit <=
               (s->grid != NULL ? -price : 0)) { /* Without a grid changes are no loss. */
        auto_drop_grid(s);
    }
}

/* --- the table of functions ------------------------------------------------------------------ */

static bs_backend *auto_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void auto_destroy(bs_backend *backend) {
    bs_auto *s = auto_of(backend);
    auto_drop_grid(s);
    s->tree->type->destroy(s->tree);
    bs_heap_free(backend->heap, s, sizeof *s);
}

static bool auto_insert(bs_backend *backend, uint32_t box) {
    bs_auto *s = auto_of(backend);
    if (!s->tree->type->insert(s->tree, box)) {
        return false;
    }
    if (s->grid != NULL && !s->grid->type->insert(s->grid, box)) {
        auto_drop_grid(s);
    }
    backend->count++;
    auto_account(s, -1);
    return true;
}

static void auto_remove(bs_backend *backend, uint32_t box) {
    bs_auto *s = auto_of(backend);
    s->tree->type->remove(s->tree, box);
    if (s->grid != NULL) {
        s->grid->type->remove(s->grid, box);
    }
    backend->count--;
    auto_account(s, -1);
}

static void auto_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    bs_auto *s = auto_of(backend);
    s->tree->type->update(s->tree, boxes, n);
    auto_account(s, -(int64_t)n);
    if (s->grid != NULL) {
        s->grid->type->update(s->grid, boxes, n);
    }
}

static bool auto_pairs(bs_backend *backend, bs_pairs *out) {
    bs_backend *tree = auto_of(backend)->tree;
    return tree->type->pairs(tree, out);
}

static bool auto_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bs_backend *tree = auto_of(backend)->tree;
    return tree->type->cross(tree, auto_of(other)->tree, out);
}

static bool auto_list(const bs_backend *backend, bs_list *out) {
    const bs_backend *tree = ((const bs_auto *)backend)->tree;
    return tree->type->list(tree, out);
}

static bool auto_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    bs_backend *tree = auto_of(backend)->tree;
    return tree->type->query(tree, r, out);
}

static bool auto_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                             size_t *ends) {
    return bs_backend_query_boxes(auto_of(backend)->tree, boxes, n, out, ends);
}

static bool auto_cast(bs_backend *backend, bs_cast *cast) {
    bs_auto *s = auto_of(backend);
    auto_account(s, CAST_SAVES);
    if (s->grid != NULL) {
        if (s->grid->type->cast(s->grid, cast)) {
            return true;
        }
        auto_drop_grid(s);
    }
    return s->tree->type->cast(s->tree, cast);
}

static void auto_stats(const bs_backend *backend, bs_stats *out) {
    const bs_auto *s = (const bs_auto *)backend;
    s->tree->type->stats(s->tree, out);
    out->now_used = s->grid != NULL ? "tree and grid" : "tree";
}

static bool auto_pictures(bs_backend *backend, bs_pictures *out) {
    bs_backend *tree = auto_of(backend)->tree;
    return tree->type->pictures(tree, out);
}

const bs_backend_type bs_auto_type = {
    .name = "auto",
    .create = auto_create,
    .destroy = auto_destroy,
    .insert = auto_insert,
    .remove = auto_remove,
    .update = auto_update,
    .pairs = auto_pairs,
    .cross = auto_cross,
    .list = auto_list,
    .query = auto_query,
    .query_boxes = auto_query_boxes,
    .cast = auto_cast,
    .stats = auto_stats,
    .pictures = auto_pictures,
};

static bs_backend *auto_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    bs_auto *s = bs_heap_new(heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = (bs_backend){&bs_auto_type, heap, boxes, 0};
    s->settings = *settings;
    s->tree = bs_backend_find("tree")->create(heap, boxes, settings);
    if (s->tree == NULL) {
        bs_heap_free(heap, s, sizeof *s);
        return NULL;
    }
    return &s->base;
}
