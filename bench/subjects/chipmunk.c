/*
 * chipmunk.c: Chipmunk 7.0.3's three spatial indices, through cpSpatialIndex.
 *
 * For pairs, boxes are in the dynamic index, and static ones in the static index of the same kind.
 * For queries all are in a static index: the dynamic tree would update its pairs at each change.
 *
 * Shapes are tested by cpCollide as in cpSpace, which passes on how the last test of the pair
 * ended; and hit by cpShapeSegmentQuery.
 */
#include <chipmunk/chipmunk_private.h>
#include <stdlib.h>

#include "../shapes.h"
#include "peer.h"

typedef struct object {
    peer_box box;
    cpVect velocity;
    cpShape *shape; /* NULL: the shape is its box */
} object;

typedef struct indices {
    cpSpatialIndex *moving;
    cpSpatialIndex *fixed;
    cpSpatialIndex *searched; /* the one of the two that queries use */
    object *at;               /* n of them, for the scene */
    uint32_t n;
    uint32_t n_fixed;
    scene_shapes shapes;
    bool for_queries;
    bool is_hash;
    /* With static boxes: movers are in no index, and each queries that of the static boxes. */
    bool movers_ask;
    peer_pairs pairs;
    peer_list found;
} indices;

static cpBB bounds_of(void *it) {
    const peer_box *b = &((object *)it)->box;
    return cpBBNew((cpFloat)b->lo[0], (cpFloat)b->lo[1], (cpFloat)b->hi[0], (cpFloat)b->hi[1]);
}

/* The tree enlarges a moving box by a tenth of this: eight frames ahead. */
static cpVect velocity_of(void *it) {
    return cpvmult(((object *)it)->velocity, 80);
}

static indices *indices_new(const scene *s, subject_use use) {
    indices *x = must_alloc(sizeof *x);
    *x = (indices){.n = s->spec.n, .n_fixed = s->spec.fixed, .for_queries = use == FOR_QUERIES};
    x->shapes = s->spec.shapes;
    x->at = peer_alloc(x->n * sizeof *x->at);
    for (uint32_t i = 0; i < x->n; i++) {
        x->at[i].shape = NULL;
    }
    return x;
}

static void *tree_create(const subject_type *type, const scene *s, subject_use use) {
    (void)type;
    indices *x = indices_new(s, use);
    x->fixed = cpBBTreeNew(bounds_of, NULL);
    x->moving = cpBBTreeNew(bounds_of, x->fixed);
    x->movers_ask = x->n_fixed > 0;
    cpBBTreeSetVelocityFunc(x->moving, velocity_of);
    return x;
}

/* The size of cells, tuned for each use. */
static cpFloat cell_for(const scene *s, subject_use use) {
    cpFloat mean =
        s->spec.log_uniform ? s->spec.greatest / 5 : (s->spec.least + s->spec.greatest) / 2;
    bool sparse = s->spec.space_per_box > 2 * SPACE_PER_BOX_S1;
    if (s->spec.fixed > 0) {
        return 20;
    }
    return use == FOR_QUERIES && sparse ? 3 * mean : 1.5 * mean;
}

static void *hash_create(const subject_type *type, const scene *s, subject_use use) {
    (void)type;
    indices *x = indices_new(s, use);
    cpFloat cell = cell_for(s, use);
    int cells = (int)x->n * 4;
    x->is_hash = true;
    x->fixed = cpSpaceHashNew(cell, cells, bounds_of, NULL);
    x->moving = cpSpaceHashNew(cell, use == FOR_QUERIES ? 16 : cells, bounds_of, x->fixed);
    x->movers_ask = x->n_fixed > 0;
    return x;
}

static void *sweep_create(const subject_type *type, const scene *s, subject_use use) {
    (void)type;
    indices *x = indices_new(s, use);
    x->fixed = cpSweep1DNew(bounds_of, NULL);
    /* Holds all boxes: the other index is not searched. */
    x->moving = cpSweep1DNew(bounds_of, NULL);
    return x;
}

static void indices_destroy(void *it) {
    indices *x = it;
    cpSpatialIndexFree(x->moving);
    cpSpatialIndexFree(x->fixed);
    for (uint32_t i = 0; x->shapes != BOXES && i < x->n; i++) {
        cpShapeFree(x->at[i].shape);
    }
    peer_free(x->at, x->n * sizeof *x->at);
    free(x->pairs.at);
    free(x->found.at);
    free(x);
}

/* NULL if the box is in none. */
static cpSpatialIndex *index_of(const indices *x, uint32_t box) {
    if (x->for_queries) {
        return x->fixed;
    }
    if (x->movers_ask) {
        return box < x->n_fixed ? x->fixed : NULL;
    }
    return x->moving;
}

/* Its coordinates are relative to the box's corner. */
static cpShape *shape_new(scene_shapes kind, uint32_t box, const bs_rect *r) {
    cpFloat radius = r->size[0] / 2;
    bs_rect at = {{0, 0}, {r->size[0], r->size[1]}};
    double corner[SHAPE_CORNERS][2];
    cpVect corners[SHAPE_CORNERS];
    if (kind == CIRCLES) {
        return cpCircleShapeNew(NULL, radius, cpv(radius, radius));
    }
    shape_corners(box, &at, corner);
    for (int i = 0; i < SHAPE_CORNERS; i++) {
        corners[i] = cpv(corner[i][0], corner[i][1]);
    }
    return cpPolyShapeNewRaw(NULL, SHAPE_CORNERS, corners, 0);
}

static void place_shape(object *o) {
    if (o->shape != NULL) {
        cpVect at = cpv((cpFloat)o->box.lo[0], (cpFloat)o->box.lo[1]);
        cpShapeUpdate(o->shape, cpTransformTranslate(at));
    }
}

static void indices_insert(void *it, uint32_t box, const bs_rect *r) {
    indices *x = it;
    object *o = &x->at[box];
    o->box = peer_box_of(r);
    o->velocity = cpvzero;
    if (o->shape != NULL) {
        cpShapeFree(o->shape);
    }
    o->shape = x->shapes != BOXES ? shape_new(x->shapes, box, r) : NULL;
    place_shape(o);
    cpSpatialIndex *index = index_of(x, box);
    if (index != NULL) {
        cpSpatialIndexInsert(index, &x->at[box], box);
    }
}

static void indices_replace(void *it, uint32_t box, const bs_rect *r) {
    indices *x = it;
    cpSpatialIndexRemove(index_of(x, box), &x->at[box], box);
    indices_insert(it, box, r);
}

/* Many single changes fill the hash with stale entries, so it is then built again. */
static void indices_move(void *it, const uint32_t *boxes, const bs_rect *rects, size_t n) {
    indices *x = it;
    bool anew = x->for_queries && x->is_hash && n > x->n / 8;
    for (size_t i = 0; i < n; i++) {
        object *o = &x->at[boxes[i]];
        peer_box to = peer_box_of(&rects[i]);
        o->velocity = cpv((cpFloat)(to.lo[0] - o->box.lo[0]), (cpFloat)(to.lo[1] - o->box.lo[1]));
        o->box = to;
        place_shape(o);
        if (x->for_queries && !anew) {
            cpSpatialIndexReindexObject(x->fixed, o, boxes[i]);
        }
    }
    if (anew) {
        cpSpatialIndexReindex(x->fixed);
    }
}

/* --- pairs ----------------------------------------------------------------------------------- */

/* cpCollide wants them in the order of their kinds; here both are of one kind. */
static bool shapes_collide(const object *a, const object *b, cpCollisionID *id) {
    struct cpContact contacts[CP_MAX_CONTACTS_PER_ARBITER];
    if (a->shape == NULL) {
        return true;
    }
    struct cpCollisionInfo info = cpCollide(a->shape, b->shape, *id, contacts);
    *id = info.id;
    return info.count > 0;
}

static cpCollisionID pair_found(void *a, void *b, cpCollisionID id, void *data) {
    indices *x = data;
    if (peer_overlap(&((object *)a)->box, &((object *)b)->box) && shapes_collide(a, b, &id)) {
        uint32_t i = (uint32_t)((object *)a - x->at);
        uint32_t j = (uint32_t)((object *)b - x->at);
        if (x->n_fixed == 0 || (i < x->n_fixed) != (j < x->n_fixed)) {
            peer_add_pair(&x->pairs, i, j);
        }
    }
    return id;
}

static size_t indices_pairs(void *it, const bs_pair **out) {
    indices *x = it;
    x->pairs.n = 0;
    if (x->movers_ask) {
        for (uint32_t i = x->n_fixed; i < x->n; i++) {
            object *o = &x->at[i];
            cpSpatialIndexQuery(x->fixed, o, bounds_of(o), pair_found, x);
        }
    } else {
        cpSpatialIndexReindexQuery(x->moving, pair_found, x);
    }
    *out = x->pairs.at;
    return x->pairs.n;
}

/* --- queries --------------------------------------------------------------------------------- */

static void tree_settle(void *it) {
    cpBBTreeOptimize(((indices *)it)->fixed);
}

typedef struct rect_query {
    indices *x;
    peer_box box;
} rect_query;

static cpCollisionID box_found(void *a, void *b, cpCollisionID id, void *data) {
    (void)a;
    rect_query *q = data;
    if (peer_overlap(&q->box, &((object *)b)->box)) {
        peer_add(&q->x->found, (uint32_t)((object *)b - q->x->at));
    }
    return id;
}

static cpBB bb_of(const peer_box *b) {
    return cpBBNew((cpFloat)b->lo[0], (cpFloat)b->lo[1], (cpFloat)b->hi[0], (cpFloat)b->hi[1]);
}

static size_t indices_query(void *it, const bs_rect *r, const uint32_t **out) {
    indices *x = it;
    rect_query q = {x, peer_box_of(r)};
    x->found.n = 0;
    cpSpatialIndexQuery(x->fixed, NULL, bb_of(&q.box), box_found, &q);
    *out = x->found.at;
    return x->found.n;
}

/* Tests the shape of the box. */
static float visit_shape(peer_cast *c, const object *o) {
    cpSegmentQueryInfo info;
    cpVect from = cpv((cpFloat)c->lo[0], (cpFloat)c->lo[1]);
    cpVect to = cpvadd(from, cpv((cpFloat)c->motion[0], (cpFloat)c->motion[1]));
    if (cpShapeSegmentQuery(o->shape, from, to, 0, &info)) {
        c->best = fminf(c->best, (float)info.alpha);
    }
    return c->best;
}

static cpFloat met_by_segment(void *a, void *b, void *data) {
    (void)a;
    const object *o = b;
    float best = o->shape != NULL ? visit_shape(data, o) : peer_cast_visit(data, &o->box);
    return best <= 1 ? (cpFloat)best : 1;
}

static cpCollisionID met_by_box(void *a, void *b, cpCollisionID id, void *data) {
    (void)a;
    peer_cast_visit(data, &((object *)b)->box);
    return id;
}

/* Chipmunk has no casts of boxes, so it is queried along the way. */
static bool indices_cast(void *it, const bs_rect *from, const double motion[2], double *t) {
    indices *x = it;
    peer_cast c = peer_cast_of(from, motion);
    if (from->size[0] > 0) {
        peer_box path;
        while (peer_cast_next(&c, &path)) {
            cpSpatialIndexQuery(x->fixed, NULL, bb_of(&path), met_by_box, &c);
        }
    } else {
        cpVect a = cpv(from->pos[0], from->pos[1]);
        cpVect b = cpv(from->pos[0] + motion[0], from->pos[1] + motion[1]);
        cpSpatialIndexSegmentQuery(x->fixed, NULL, a, b, 1, met_by_segment, &c);
    }
    *t = (double)c.best;
    return c.best <= 1;
}

#define INDICES                                                                                    \
    .is_peer = true, .has_shapes = true, .destroy = indices_destroy, .insert = indices_insert,     \
    .replace = indices_replace, .move = indices_move, .pairs = indices_pairs
#define QUERIES .query = indices_query, .cast = indices_cast

const subject_type chipmunk_types[] = {
    {.name = "cpBBTree",
     .most = 200000,
     .most_quick = 200000,
     .create = tree_create,
     .settle = tree_settle,
     INDICES,
     QUERIES},
    {.name = "cpSpaceHash",
     .most = 2000000,
     .most_quick = 200000,
     .create = hash_create,
     INDICES,
     QUERIES},
    {.name = "cpSweep1D", .most = 40000, .most_quick = 40000, .create = sweep_create, INDICES},
    {.name = NULL},
};
