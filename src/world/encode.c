/* encode.c: snapshots to bytes; see encode.h. decode.c reads them. */
#include "encode.h"

#include <string.h>

const bs_format bs_snapshot_format = {
    .magic = "BSWS",
    .version = 2,
    .other = "is no snapshot of a world",
    .other_dim = DIM == 2 ? "is of a 3D world" : "is of a 2D world",
    .wrong = "holds what no world can hold",
};

typedef struct writer {
    const bs_snapshot *s;
    bs_writer out;
    bs_births births;
} writer;

static void put_rect(writer *w, const bs_rect *r) {
    bs_put_numbers(&w->out, r->pos, DIM);
    bs_put_numbers(&w->out, r->size, DIM);
}

static void put_shape(writer *w, const bs_shape *shape) {
    bool is_circle = shape->kind == BS_CIRCLE;
    bs_put(&w->out, is_circle ? 0 : shape->corners, 1);
    if (is_circle) {
        bs_put_numbers(&w->out, shape->centre, DIM);
        bs_put_numbers(&w->out, &shape->radius, 1);
    }
    for (uint32_t i = 0; !is_circle && i < shape->corners; i++) {
        bs_put_numbers(&w->out, shape->corner[i], 2);
    }
}

static void put_shapes(writer *w, const bs_saved_shapes *shapes) {
    if (shapes->given != NULL) {
        bs_put(&w->out, shapes->object != NULL, 1);
        put_shape(w, shapes->given);
    }
    if (shapes->object != NULL) {
        put_shape(w, shapes->object);
    }
}

static void put_box(writer *w, uint32_t index) {
    const bs_column *c = w->s->column;
    const bs_layers *layers = (const bs_layers *)c[BS_LAYERS].at + index;
    const bs_motion *motion =
        c[BS_MOTION].n > 0 ? (const bs_motion *)c[BS_MOTION].at + index : NULL;
    const bs_conduct *conduct =
        c[BS_CONDUCT].n > 0 ? (const bs_conduct *)c[BS_CONDUCT].at + index : NULL;
    const bs_motion rest = {{0}, {0}};
    unsigned kind = ((const uint8_t *)c[BS_FLAGS].at)[index] & BS_KEPT_FLAGS;
    kind |= bs_layers_are_default(*layers) ? 0 : BS_HAS_LAYERS;
    kind |= motion == NULL || memcmp(motion, &rest, sizeof rest) == 0 ? 0 : BS_HAS_MOTION;
    kind |= conduct == NULL || bs_conduct_is_default(conduct) ? 0 : BS_HAS_CONDUCT;
    bs_put(&w->out, kind, 1);
    bs_put(&w->out, bs_rank_of(&w->births, ((const uint64_t *)c[BS_BORN].at)[index]), 4);
    put_rect(w, (const bs_rect *)c[BS_RECT].at + index);
    if ((kind & BS_HAS_LAYERS) != 0) {
        bs_put(&w->out, layers->layer, 4);
        bs_put(&w->out, layers->mask, 4);
    }
    if ((kind & BS_HAS_MOTION) != 0) {
        bs_put_numbers(&w->out, motion->velocity, DIM);
        bs_put_numbers(&w->out, motion->acceleration, DIM);
    }
    if ((kind & BS_HAS_CONDUCT) != 0) {
        assert(conduct != NULL);
        bs_put_numbers(&w->out, &conduct->bounce, 1);
        bs_put(&w->out, conduct->response, 1);
        for (int k = 0; k < DIM; k++) {
            bs_put(&w->out, (uint8_t)conduct->one_way[k], 1);
        }
        bs_put(&w->out, conduct->sensor, 1);
        bs_put_numbers(&w->out, &conduct->gravity_scale, 1);
    }
    if ((kind & BS_HAS_OBJECT_RECT) != 0) {
        put_rect(w, (const bs_rect *)c[BS_OBJECT].at + index);
    }
}

static void put_contacts(writer *w) {
    const bs_column *c = &w->s->column[BS_CONTACTS];
    const bs_touching *t = c->at;
    for (size_t i = 0; i < c->n; i++, t++) {
        bs_put(&w->out, t->a, 8);
        bs_put(&w->out, t->b, 8);
        bs_put(&w->out, bs_rank_of(&w->births, t->born_a), 4);
        bs_put(&w->out, bs_rank_of(&w->births, t->born_b), 4);
    }
}

static void put_hits(writer *w) {
    const bs_column *c = &w->s->column[BS_STEP_HITS];
    const bs_step_hit *h = c->at;
    for (size_t i = 0; i < c->n; i++, h++) {
        bs_put(&w->out, h->box, 8);
        bs_put(&w->out, h->other, 8);
        bs_put(&w->out, h->response, 1);
        bs_put_numbers(&w->out, &h->t, 1);
        bs_put_numbers(&w->out, h->normal, DIM);
    }
}

static void put_all(writer *w) {
    const bs_snapshot *s = w->s;
    const uint32_t *generation = s->column[BS_GENERATION].at;
    const uint64_t *next = s->column[BS_BORN].at;
    bs_put_numbers(&w->out, s->gravity, DIM);
    bs_put(&w->out, s->used, 4);
    bs_put(&w->out, s->count, 4);
    bs_put(&w->out, s->idle, 4);
    bs_put(&w->out, s->column[BS_CONTACTS].n, 4);
    bs_put(&w->out, s->column[BS_STEP_HITS].n, 4);
    const char *at = s->column[BS_SHAPES].at;
    for (uint32_t i = 0; i < s->used; i++) {
        bs_saved_shapes shapes = bs_saved_shapes_of(s, i, &at);
        bs_put(&w->out, generation[i], 4);
        if (bs_snapshot_id(s, i) != 0) {
            put_box(w, i);
            put_shapes(w, &shapes);
        } else {
            bs_put(&w->out, 0, 1);
        }
    }
    for (uint32_t i = s->free; i != BS_NO_BOX; i = (uint32_t)next[i]) {
        bs_put(&w->out, i, 4);
    }
    put_contacts(w);
    put_hits(w);
}

bs_status bs_snapshot_encode(const bs_snapshot *s, bs_heap *heap, bs_bytes *out) {
    writer w = {.s = s, .out = bs_begin_bytes(&bs_snapshot_format, heap, out)};
    if (!bs_births_list(&w.births, s, heap)) {
        return BS_NO_MEMORY;
    }
    put_all(&w);
    bs_births_free(&w.births, heap);
    return bs_end_bytes(&w.out) ? BS_OK : BS_NO_MEMORY;
}
