/*
 * auto.c: a tree for all queries. It also keeps a grid, as long as casts save more than the grid
 * costs (due.h). It relies on backend.h alone.
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
        bs_backend_free(s->grid);
    }
    s->grid = NULL;
}

static bs_backend *auto_new_part(const bs_auto *s, const char *name, const bs_settings *settings) {
    const bs_backend *base = &s->base;
    return bs_backend_new(bs_backend_find(name), base->heap, base->boxes, base->set, base->count,
                          settings);
}

BS_COLD void auto_change_grid(bs_auto *s) {
    if (s->grid != NULL) {
        auto_drop_grid(s);
    } else {
        s->grid = auto_new_part(s, "grid", &s->settings);
    }
}

/* Makes a grid if one is wanted, or drops it. If there is no memory, there is none. */
BS_HOT void auto_decide(bs_auto *s) {
    if (s->credit.wants_grid != (s->grid != NULL)) {
        auto_change_grid(s);
    }
}

/* --- the table of functions ------------------------------------------------------------------ */

static bs_backend *auto_create(const bs_backend *base, const bs_settings *settings);

static void auto_destroy(bs_backend *backend) {
    bs_auto *s = auto_of(backend);
    auto_drop_grid(s);
    bs_backend_free(s->tree);
    bs_heap_free(backend->heap, s, sizeof *s);
}

/* The parts are told, and catch up when they are asked. */
static bool auto_sync(bs_backend *backend, const bs_changes *changes) {
    bs_auto *s = auto_of(backend);
    bs_backend_tell(s->tree, backend->count, changes);
    bs_credit_change(&s->credit, changes->noted, backend->count);
    auto_decide(s);
    if (s->grid != NULL) {
        bs_backend_tell(s->grid, backend->count, changes);
    }
    return true;
}

static bool auto_build(bs_backend *backend) {
    return auto_sync(backend, &backend->changes);
}

static bool auto_pairs(bs_backend *backend, bs_pairs *out) {
    return bs_backend_pairs(auto_of(backend)->tree, out);
}

static bool auto_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    return bs_backend_cross(auto_of(backend)->tree, auto_of(other)->tree, out);
}

static bool auto_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    return bs_backend_query(auto_of(backend)->tree, r, out);
}

static bool auto_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                             size_t *ends) {
    return bs_backend_query_boxes(auto_of(backend)->tree, boxes, n, out, ends);
}

static bool auto_cast(bs_backend *backend, bs_cast *cast) {
    bs_auto *s = auto_of(backend);
    bs_credit_cast(&s->credit, backend->count);
    auto_decide(s);
    if (s->grid != NULL) {
        if (bs_backend_cast(s->grid, cast)) {
            return true;
        }
        auto_drop_grid(s);
        s->credit = (bs_credit){0};
    }
    return bs_backend_cast(s->tree, cast);
}

static void auto_stats(const bs_backend *backend, bs_stats *out) {
    const bs_auto *s = (const bs_auto *)backend;
    s->tree->type->stats(s->tree, out);
    out->boxes = backend->count;
    out->now_used = s->grid != NULL ? "tree and grid" : "tree";
}

static bool auto_pictures(bs_backend *backend, bs_pictures *out) {
    return bs_backend_pictures(auto_of(backend)->tree, out);
}

const bs_backend_type bs_auto_type = {
    .name = "auto",
    .create = auto_create,
    .destroy = auto_destroy,
    .build = auto_build,
    .sync = auto_sync,
    .pairs = auto_pairs,
    .cross = auto_cross,
    .query = auto_query,
    .query_boxes = auto_query_boxes,
    .cast = auto_cast,
    .stats = auto_stats,
    .pictures = auto_pictures,
};

static bs_backend *auto_create(const bs_backend *base, const bs_settings *settings) {
    bs_auto *s = bs_heap_new(base->heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = *base;
    s->settings = *settings;
    s->tree = auto_new_part(s, "tree", settings);
    if (s->tree == NULL) {
        bs_heap_free(base->heap, s, sizeof *s);
        return NULL;
    }
    return &s->base;
}
