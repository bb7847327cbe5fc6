/* box_shape.c: the shapes of boxes. It keeps what was given, and relies on narrow/ for the rest. */
#include "world_parts.h"

#include <string.h>

/* --- circles -------------------------------------------------------------------------------- */

/*
 * Whether it is a circle whose centre is exactly the middle of its rect. Nearly all circles are,
 * and follow from the rect. So their shapes are not looked up, which would wait for memory.
 */
static bool is_centred(const bs_shape *given) {
    bool centred = given->kind == BS_CIRCLE;
    for (int k = 0; centred && k < DIM; k++) {
        double middle = given->rect.pos[k] + given->radius;
        centred = memcmp(&middle, &given->centre[k], sizeof middle) == 0; /* -0 is not 0. */
    }
    return centred;
}

/* Updates what is known of the box outside of its shape, which is new. */
static void note(bs_world *w, uint32_t box) {
    w->flags[box] &= (uint8_t)~BS_IS_CENTRED;
    w->flags[box] |= is_centred(&w->shape[box].given->shape) ? BS_IS_CENTRED : 0;
}

/* --- memory --------------------------------------------------------------------------------- */

/* A shape ends behind its last corner. */
static size_t bytes_of(const bs_shape *shape) {
    size_t corners = shape->kind == BS_POLYGON ? shape->corners : 0;
    return offsetof(bs_kept_shape, shape.corner) + corners * sizeof *shape->corner;
}

static void copy(bs_shape *to, const bs_shape *from) {
    to->kind = from->kind;
    to->inner = from->inner;
    to->outer = from->outer;
    to->rect = from->rect;
    if (from->kind == BS_CIRCLE) {
        to->radius = from->radius;
        memcpy(to->centre, from->centre, sizeof to->centre);
        return;
    }
    to->corners = from->corners;
    to->turn = from->turn;
    memcpy(to->corner, from->corner, from->corners * sizeof *to->corner);
}

bs_kept_shape *bs_shape_keep(bs_world *w, const bs_shape *shape) {
    bs_kept_shape *kept = bs_heap_new(&w->heap, bytes_of(shape));
    if (kept != NULL) {
        kept->holders = 1;
        copy(&kept->shape, shape);
    }
    return kept;
}

bool bs_shape_make(bs_world *w, const bs_shape *shape, bs_kept_shape **kept) {
    *kept = NULL;
    if (shape->kind == BS_BOX) {
        return true;
    }
    *kept = bs_column_make(w, BS_SHAPE) ? bs_shape_keep(w, shape) : NULL;
    return *kept != NULL;
}

/* Lets go of a shape, and makes it NULL. */
static void let_go(bs_world *w, bs_kept_shape **kept) {
    if (*kept == NULL) {
        return;
    }
    size_t bytes = bytes_of(&(*kept)->shape);
    if (--(*kept)->holders > 0) {
        bs_heap_let_go(&w->heap, bytes);
    } else {
        bs_heap_free(&w->heap, *kept, bytes);
    }
    *kept = NULL;
}

static void hold(bs_world *w, bs_kept_shape *kept) {
    if (kept != NULL) {
        kept->holders++;
        bs_heap_hold(&w->heap, bytes_of(&kept->shape));
    }
}

void bs_shapes_share(bs_world *to, const bs_world *from) {
    assert(to->heap.host == from->heap.host);
    for (size_t i = 0; from->state.shaped > 0 && i < from->shape_cap; i++) {
        hold(to, from->shape[i].given);
        hold(to, from->shape[i].object);
    }
    for (size_t i = 0; to->state.shaped > 0 && i < to->shape_cap; i++) {
        let_go(to, &to->shape[i].given);
        let_go(to, &to->shape[i].object);
    }
}

void bs_shape_drop(bs_world *w, uint32_t box) {
    if (bs_has_shape(w, box)) {
        let_go(w, &w->shape[box].given);
        let_go(w, &w->shape[box].object);
        w->flags[box] &= (uint8_t) ~(BS_HAS_SHAPE | BS_IS_CENTRED);
        w->state.shaped--;
    }
}

void bs_shapes_free(bs_world *w) {
    for (size_t box = 0; w->state.shaped > 0 && box < w->ids.used; box++) {
        bs_shape_drop(w, (uint32_t)box);
    }
    bs_array_free(&w->heap, &w->shape, &w->shape_cap, sizeof *w->shape);
}

/* --- shapes of boxes ------------------------------------------------------------------------ */

void bs_shape_put(bs_world *w, uint32_t box, bs_kept_shape *kept) {
    assert(!bs_has_shape(w, box));
    if (kept != NULL) {
        assert(box < w->shape_cap && kept->shape.kind != BS_BOX);
        w->shape[box].given = kept;
        w->flags[box] |= BS_HAS_SHAPE;
        note(w, box);
        w->state.shaped++;
    }
}

bs_status bs_world_set_shape(bs_world *w, uint32_t box, const bs_shape *shape) {
    assert(bs_world_alive(w, box));
    bs_kept_shape *kept;
    if (!bs_shape_make(w, shape, &kept)) {
        return BS_NO_MEMORY;
    }
    bs_shape_drop(w, box);
    w->flags[box] &= (uint8_t)~BS_HAS_OBJECT_RECT;
    bs_shape_put(w, box, kept);
    bs_world_update(w, box, &shape->rect);
    bs_world_touch(w, box); /* Also if the rect is the same. */
    return BS_OK;
}

void bs_world_shape_at(const bs_world *w, uint32_t box, const bs_rect *rect, bs_shape *out) {
    if ((w->flags[box] & BS_IS_CENTRED) != 0) {
        bs_shape_set_centred(out, rect);
    } else if (bs_has_shape(w, box)) {
        bs_shape_fit(&w->shape[box].given->shape, rect, out);
    } else {
        bs_shape_set_box(out, rect);
    }
}

void bs_world_shape(const bs_world *w, uint32_t box, bs_shape *out) {
    assert(bs_world_alive(w, box));
    bs_world_shape_at(w, box, &w->rect[box], out);
}

bs_shape_kind bs_world_shape_kind(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return bs_has_shape(w, box) ? w->shape[box].given->shape.kind : BS_BOX;
}

/* --- object space --------------------------------------------------------------------------- */

void bs_object_shape(const bs_world *w, uint32_t box, bs_shape *out) {
    bool has_rect = (w->flags[box] & BS_HAS_OBJECT_RECT) != 0;
    const bs_rect *rect = has_rect ? &w->object[box] : &w->rect[box];
    if (!bs_has_shape(w, box)) {
        bs_shape_set_box(out, rect);
        return;
    }
    const bs_shape_slot *slot = &w->shape[box];
    bs_shape_fit(&(slot->object != NULL ? slot->object : slot->given)->shape, rect, out);
}

bs_status bs_shape_put_transformed(bs_world *w, uint32_t box, const bs_shape *shape) {
    bs_shape_slot *slot = &w->shape[box];
    if (slot->object != NULL && slot->given->holders == 1) {
        copy(&slot->given->shape, shape); /* It has as many corners. */
    } else {
        bs_kept_shape *kept = bs_shape_keep(w, shape);
        if (kept == NULL) {
            return BS_NO_MEMORY;
        }
        if (slot->object == NULL) {
            slot->object = slot->given;
        } else {
            let_go(w, &slot->given);
        }
        slot->given = kept;
    }
    note(w, box);
    bs_world_touch(w, box);
    return BS_OK;
}

/* --- overlap -------------------------------------------------------------------------------- */

bool bs_shape_overlaps_box(const bs_world *w, const bs_shape *shape, uint32_t box) {
    bs_shape other;
    if (shape->kind == BS_BOX && !bs_has_shape(w, box)) {
        return true;
    }
    bs_world_shape(w, box, &other);
    return bs_shapes_overlap(shape, &other);
}

/* The balls around the middle of what is in a box. */
static const bs_shape *balls_of(const bs_world *w, uint32_t box) {
    static const bs_shape plain = {.inner = BS_INNER_OF_BOX, .outer = BS_OUTER_OF_BOX};
    static const bs_shape circle = {.inner = 0.5F, .outer = 0.5F};
    unsigned flags = w->flags[box];
    return (flags & BS_IS_CENTRED) != 0  ? &circle
           : (flags & BS_HAS_SHAPE) != 0 ? &w->shape[box].given->shape
                                         : &plain;
}

/* Whether two overlap whose rects do. Mostly the balls tell, and no shape is made. */
static bool shapes_overlap(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                           const bs_rect *at_b) {
    if (bs_are_boxes(w, a, b)) {
        return true;
    }
    bs_guess guess = bs_balls_overlap(balls_of(w, a), at_a, balls_of(w, b), at_b);
    if (guess != BS_MAY_OVERLAP) {
        return guess == BS_OVERLAP;
    }
    bs_shape shape;
    bs_shape other;
    bs_world_shape_at(w, a, at_a, &shape);
    bs_world_shape_at(w, b, at_b, &other);
    return bs_shapes_overlap(&shape, &other);
}

bool bs_shapes_of_pair_overlap(const bs_world *w, uint32_t a, uint32_t b) {
    return shapes_overlap(w, a, &w->rect[a], b, &w->rect[b]);
}

bool bs_overlap_at(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                   const bs_rect *at_b) {
    return bs_overlap(at_a, at_b) && shapes_overlap(w, a, at_a, b, at_b);
}

double bs_push_out_of(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                      const bs_rect *at_b, double push[DIM]) {
    bs_shape shape;
    bs_shape other;
    bs_world_shape_at(w, a, at_a, &shape);
    bs_world_shape_at(w, b, at_b, &other);
    memset(push, 0, DIM * sizeof *push);
    bs_shapes_separation(&shape, &other, push);
    return bs_length(push);
}

double bs_normal_out_of(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                        const bs_rect *at_b, double normal[DIM]) {
    double push[DIM];
    bs_push_out_of(w, a, at_a, b, at_b, push);
    return bs_direction(push, normal);
}

bool bs_meet_at(const bs_world *w, uint32_t a, const bs_rect *at_a, const double motion[DIM],
                uint32_t b, const bs_rect *at_b, bs_touch *touch) {
    bs_shape shape;
    bs_shape other;
    bool circles = (w->flags[a] & w->flags[b] & BS_IS_CENTRED) != 0; /* Their shapes cost less. */
    if (!circles && !bs_sweep(at_a, motion, at_b, NULL, touch)) {
        return false;
    }
    bs_world_shape_at(w, a, at_a, &shape);
    bs_world_shape_at(w, b, at_b, &other);
    return bs_shapes_meet(&shape, motion, &other, touch);
}

void bs_contact_place_at(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                         const bs_rect *at_b, const double normal[DIM], double place[DIM]) {
    bs_shape shape;
    bs_shape other;
    bs_world_shape_at(w, a, at_a, &shape);
    bs_world_shape_at(w, b, at_b, &other);
    bs_shapes_contact_place(&shape, &other, normal, place);
}

double bs_gap_at(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                 const bs_rect *at_b, const double normal[DIM]) {
    bs_shape shape;
    bs_shape other;
    bs_world_shape_at(w, a, at_a, &shape);
    bs_world_shape_at(w, b, at_b, &other);
    return bs_shapes_gap(&shape, &other, normal);
}
