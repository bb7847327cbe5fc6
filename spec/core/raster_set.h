/*
 * raster_set.h: a back end for tests: brute force, but casts go through a raster from the first one
 * on. Where the raster does without a cast, or no raster suits the boxes, brute force answers.
 */
#ifndef RASTER_SET_H
#define RASTER_SET_H

#include "broad/backends.h"

typedef struct raster_set {
    bs_backend base;
    bs_backend *main;
    bs_raster *raster; /* NULL: none suits, or there was no memory */
    bs_raster_caster *caster;
} raster_set;

static raster_set *raster_set_of(bs_backend *backend) {
    return (raster_set *)backend;
}

static void raster_set_drop(raster_set *s) {
    if (s->raster != NULL) {
        bs_raster_free(s->raster);
    }
    s->raster = NULL;
}

static void raster_set_note(raster_set *s, uint32_t box, bool held) {
    if (s->raster != NULL && !bs_raster_note(s->raster, box, held)) {
        raster_set_drop(s);
    }
}

static void raster_set_destroy(bs_backend *backend) {
    raster_set *s = raster_set_of(backend);
    bs_heap *heap = backend->heap;
    raster_set_drop(s);
    s->main->type->destroy(s->main);
    bs_heap_free(heap, s, sizeof *s);
}

static bool raster_set_insert(bs_backend *backend, uint32_t box) {
    raster_set *s = raster_set_of(backend);
    if (!s->main->type->insert(s->main, box)) {
        return false;
    }
    backend->count++;
    raster_set_note(s, box, true);
    return true;
}

static void raster_set_remove(bs_backend *backend, uint32_t box) {
    raster_set *s = raster_set_of(backend);
    s->main->type->remove(s->main, box);
    backend->count--;
    raster_set_note(s, box, false);
}

static void raster_set_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    raster_set *s = raster_set_of(backend);
    s->main->type->update(s->main, boxes, n);
    for (size_t i = 0; i < n; i++) {
        raster_set_note(s, boxes[i], true);
    }
}

static bool raster_set_pairs(bs_backend *backend, bs_pairs *out) {
    raster_set *s = raster_set_of(backend);
    return s->main->type->pairs(s->main, out);
}

static bool raster_set_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    return bs_backend_cross(raster_set_of(backend)->main, raster_set_of(other)->main, out);
}

static bool raster_set_list(const bs_backend *backend, bs_list *out) {
    const raster_set *s = (const raster_set *)backend;
    return s->main->type->list(s->main, out);
}

static bool raster_set_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    raster_set *s = raster_set_of(backend);
    return s->main->type->query(s->main, r, out);
}

static bool raster_set_cast(bs_backend *backend, bs_cast *cast) {
    raster_set *s = raster_set_of(backend);
    if (s->raster == NULL) {
        s->raster = bs_backend_raster(s->main);
    }
    if (s->raster != NULL && !bs_raster_sync(s->raster)) {
        raster_set_drop(s);
    }
    if (s->raster != NULL && s->caster(s->raster, cast)) {
        return true;
    }
    return s->main->type->cast(s->main, cast);
}

static void raster_set_stats(const bs_backend *backend, bs_stats *out) {
    const raster_set *s = (const raster_set *)backend;
    s->main->type->stats(s->main, out);
}

static bool raster_set_shapes(bs_backend *backend, bs_shapes *out) {
    raster_set *s = raster_set_of(backend);
    return s->main->type->shapes(s->main, out);
}

static const char *raster_set_check(const bs_backend *backend) {
    const raster_set *s = (const raster_set *)backend;
    if (s->raster != NULL && s->raster->held != backend->count) {
        return "the raster holds another number of boxes";
    }
    const char *broken = s->main->type->check(s->main);
    return broken != NULL || s->raster == NULL ? broken : bs_raster_check(s->raster);
}

static bs_backend *raster_set_create(bs_heap *heap, const bs_boxes *boxes,
                                     const bs_settings *settings);
static bs_backend *raster_set_create_plain(bs_heap *heap, const bs_boxes *boxes,
                                           const bs_settings *settings);

#define RASTER_SET(constructor)                                                                    \
    {                                                                                              \
        .name = "raster", .create = (constructor), .destroy = raster_set_destroy,                  \
        .insert = raster_set_insert, .remove = raster_set_remove, .update = raster_set_update,     \
        .pairs = raster_set_pairs, .cross = raster_set_cross, .list = raster_set_list,             \
        .query = raster_set_query, .cast = raster_set_cast, .stats = raster_set_stats,             \
        .shapes = raster_set_shapes, .check = raster_set_check                                     \
    }

/* In the variant that suits the processor, and in the plain one. */
static const bs_backend_type raster_set_type = RASTER_SET(raster_set_create);
static const bs_backend_type raster_set_type_plain = RASTER_SET(raster_set_create_plain);

static bs_backend *raster_set_new(const bs_backend_type *type, const bs_backend_type *main,
                                  bs_raster_caster *caster, bs_heap *heap, const bs_boxes *boxes,
                                  const bs_settings *settings) {
    raster_set *s = bs_heap_new(heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = (bs_backend){type, heap, boxes, 0};
    s->caster = caster;
    s->main = main->create(heap, boxes, settings);
    if (s->main == NULL) {
        bs_heap_free(heap, s, sizeof *s);
        return NULL;
    }
    return &s->base;
}

static bs_backend *raster_set_create(bs_heap *heap, const bs_boxes *boxes,
                                     const bs_settings *settings) {
    return raster_set_new(&raster_set_type, bs_backend_find("brute"), bs_raster_caster_find(), heap,
                          boxes, settings);
}

static bs_backend *raster_set_create_plain(bs_heap *heap, const bs_boxes *boxes,
                                           const bs_settings *settings) {
    return raster_set_new(&raster_set_type_plain, &bs_brute_type, bs_raster_cast, heap, boxes,
                          settings);
}

#endif
