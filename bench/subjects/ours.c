/* ours.c: each of our back ends, through the C API. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "shapes.h"
#include "subject.h"
#include "broadside/world.h"

typedef struct ours {
    bs_world *world;
    bs_props fixed;
    bs_props moving;
    uint32_t n_fixed;
    scene_shapes shapes;
    bs_list found;
} ours;

static void must(bs_status status) {
    if (status != BS_OK) {
        fprintf(stderr, "not enough memory\n");
        exit(1);
    }
}

static void *ours_create(const subject_type *type, const scene *s, subject_use use) {
    (void)use;
    bs_settings settings = {.cell_size = type->cell_size, .margin = -1};
    ours *o = must_alloc(sizeof *o);
    o->world = bs_world_new(host_resize, NULL, bs_backend_find(type->backend), &settings);
    must(o->world == NULL ? BS_NO_MEMORY : BS_OK);
    o->fixed = bs_props_default();
    o->fixed.is_static = true;
    o->moving = bs_props_default();
    o->n_fixed = s->spec.fixed;
    o->shapes = s->spec.shapes;
    if (o->n_fixed > 0) { /* moving boxes only meet static ones */
        o->moving.layers.layer = 2;
        o->moving.layers.mask = 1;
    }
    o->found = (bs_list){NULL, 0, 0};
    return o;
}

static void ours_destroy(void *it) {
    ours *o = it;
    bs_list_free(bs_world_heap(o->world), &o->found);
    bs_world_free(o->world);
    free(o);
}

/* The shape within a rect of the scene. */
static bs_shape shape_of(const ours *o, uint32_t box, const bs_rect *r) {
    bs_shape shape;
    bs_shape_set_box(&shape, r);
#if DIM == 2
    uint32_t corner;
    if (o->shapes == CIRCLES) {
        const double centre[2] = {r->pos[0] + r->size[0] / 2, r->pos[1] + r->size[1] / 2};
        bs_shape_set_circle(&shape, centre, r->size[0] / 2);
    } else if (o->shapes == POLYGONS) {
        shape.kind = BS_POLYGON;
        shape.corners = SHAPE_CORNERS;
        shape_corners(box, r, shape.corner);
    }
    if (bs_shape_check(&shape, &corner) != BS_SHAPE_IS_FINE) {
        fprintf(stderr, "a shape is none\n");
        exit(1);
    }
#else
    (void)o;
    (void)box;
#endif
    return shape;
}

static void ours_insert(void *it, uint32_t box, const bs_rect *r) {
    ours *o = it;
    uint32_t index;
    bs_shape shape = shape_of(o, box, r);
    must(bs_world_insert(o->world, &shape, box < o->n_fixed ? &o->fixed : &o->moving, &index));
    if (index != box) { /* then pairs could not be compared */
        fprintf(stderr, "a box got another index than expected\n");
        exit(1);
    }
}

static void ours_replace(void *it, uint32_t box, const bs_rect *r) {
    bs_world_remove(((ours *)it)->world, box);
    ours_insert(it, box, r);
}

static void ours_move(void *it, const uint32_t *boxes, const bs_rect *rects, size_t n) {
    bs_world_update_many(((ours *)it)->world, boxes, rects, n);
}

static size_t ours_pairs(void *it, const bs_pair **out) {
    const bs_pairs *pairs;
    must(bs_world_pairs(((ours *)it)->world, &pairs));
    *out = pairs->at;
    return pairs->n;
}

static size_t ours_query(void *it, const bs_rect *r, const uint32_t **out) {
    ours *o = it;
    bs_shape shape;
    bs_shape_set_box(&shape, r);
    must(bs_world_query(o->world, &shape, &bs_filter_all, &o->found));
    *out = o->found.at;
    return o->found.n;
}

static bool ours_cast(void *it, const bs_rect *from, const double motion[DIM], double *t) {
    bs_hit hit;
    bs_way way = {.from = *from};
    memcpy(way.motion, motion, sizeof way.motion);
    must(bs_world_cast(((ours *)it)->world, &way, &bs_filter_all, &hit));
    *t = hit.touch.t;
    return hit.box != BS_NO_BOX;
}

#define OURS(title, type, limit, quick, cell)                                                      \
    {                                                                                              \
        .name = title, .most = limit, .most_quick = quick, .has_shapes = true, .backend = type,    \
        .cell_size = cell, .create = ours_create, .destroy = ours_destroy, .insert = ours_insert,  \
        .replace = ours_replace, .move = ours_move, .pairs = ours_pairs, .query = ours_query,      \
        .cast = ours_cast                                                                          \
    }

#define ANY UINT32_MAX

const subject_type ours_types[] = {
    OURS("brute", "brute", 40000, 10000, 0), OURS("sweep", "sweep", ANY, ANY, 0),
    OURS("grid", "grid", ANY, ANY, 0),       OURS("tree", "tree", ANY, ANY, 0),
    OURS("auto", "auto", ANY, ANY, 0),       {.name = NULL},
};

const subject_type ours_cell_types[] = {
    OURS("grid 5", "grid", ANY, ANY, 5),
    OURS("grid 20", "grid", ANY, ANY, 20),
    OURS("grid 40", "grid", ANY, ANY, 40),
    {.name = NULL},
};
