/*
 * heaps.c: bodies with more contacts than a step has room for. It relies on the paths that bodies.c
 * has made.
 *
 * Bodies that are pressed together give each other less and less, without an end. Those that have
 * met too often move as one for the rest of the step. Heaps that are nearly at rest come to rest.
 */
#include "bodies.h"

#include <string.h>

/* --- moving as one -------------------------------------------------------------------------- */

bool bs_heap_bond(bs_bodies *s, uint32_t a, uint32_t b, double t) {
    bs_bonds *list = &s->bond;
    if (!bs_array_reserve(&s->w->heap, &list->at, &list->cap, list->n + 1, sizeof *list->at)) {
        return false;
    }
    list->at[list->n++] = (bs_bond){a, b, t};
    return true;
}

/* Whether it has met so often that it moves as one with the others of which this is true. */
static bool is_busy(const bs_body *b) {
    enum { LEAST = 3 };
    return b->weight > 0 && !b->is_welded && b->contacts >= LEAST;
}

/* Adds a body to those that move as one, which are in the order of their places. */
static void add_member(bs_bodies *s, uint32_t body, double t) {
    bs_list *list = &s->lump;
    bs_rect r = bs_path_place(s, &s->body.at[body], t);
    size_t at = list->n++;
    s->body.at[body].is_member = true;
    for (; at > 0; at--) {
        bs_rect other = bs_path_place(s, &s->body.at[list->at[at - 1]], t);
        if (bs_body_compare(s, list->at[at - 1], &other, body, &r) < 0) {
            break;
        }
        list->at[at] = list->at[at - 1];
    }
    list->at[at] = body;
}

/* All that has bonds at about this time with a body, and is busy, too. */
static void find_members(bs_bodies *s, uint32_t body, double t) {
    const double now = 0x1p-20;
    bool again = true;
    s->lump.n = 0;
    add_member(s, body, t);
    while (again) {
        again = false;
        for (size_t i = s->bond.n; i-- > 0 && t - s->bond.at[i].t <= now;) {
            bs_body *a = &s->body.at[s->bond.at[i].a];
            bs_body *b = &s->body.at[s->bond.at[i].b];
            bool grows = a->is_member != b->is_member && is_busy(a->is_member ? b : a);
            if (grows) {
                add_member(s, a->is_member ? s->bond.at[i].b : s->bond.at[i].a, t);
            }
            again |= grows;
        }
    }
}

bool bs_heap_weld(bs_bodies *s, uint32_t body, double t) {
    double velocity[DIM] = {0};
    double mass = 0;
    bs_list *list = &s->lump;
    find_members(s, body, t);
    for (size_t i = 0; i < list->n; i++) {
        const bs_body *b = &s->body.at[list->at[i]];
        const double *v = bs_body_velocity(s, list->at[i], t);
        for (int k = 0; k < DIM; k++) {
            velocity[k] += v[k] / b->weight;
        }
        mass += 1 / b->weight;
    }
    for (int k = 0; k < DIM; k++) {
        velocity[k] /= mass;
    }
    bs_lump_velocity(s, list, t, velocity);
    for (size_t i = 0; i < list->n; i++) {
        bs_body *b = &s->body.at[list->at[i]];
        bs_rect r = bs_path_place(s, b, t);
        b->is_member = false;
        b->is_welded = true;
        b->contacts = 0;
        if (!bs_path_pass(s, b, t) || !bs_path_make(s, b, &r, t, velocity)) {
            return false;
        }
    }
    return true;
}

/* --- coming to rest ------------------------------------------------------------------------- */

static uint32_t heap_of(bs_bodies *s, uint32_t body) {
    bs_body *list = s->body.at;
    while (list[body].heap != body) {
        list[body].heap = list[list[body].heap].heap;
        body = list[body].heap;
    }
    return body;
}

void bs_heap_unite(bs_bodies *s, uint32_t a, uint32_t b) {
    s->body.at[heap_of(s, a)].heap = heap_of(s, b);
}

/* Whether it moves faster than a step from rest explains. */
static bool is_fast(const bs_body *b, const double velocity[DIM]) {
    const double share = 0.5;
    return bs_length(velocity) > bs_length(b->force) * share;
}

static bool is_calm(bs_bodies *s, uint32_t body) {
    const bs_body *heap = &s->body.at[heap_of(s, body)];
    return heap->has_frozen && !heap->is_lively;
}

/* Whether something else ends where a calm body has begun. */
static bool is_taken(bs_bodies *s, uint32_t body) {
    const bs_world *w = s->w;
    const bs_body *b = &s->body.at[body];
    for (size_t i = 0; i < s->near.n; i++) {
        uint32_t other = s->of[s->near.at[i]];
        if (other == BS_NOBODY) {
            continue; /* It sleeps, and was not near. */
        }
        const bs_body *o = &s->body.at[other];
        bs_rect end = bs_path_end(o);
        if (other == body || is_calm(s, other) || !bs_world_layers_meet(w, b->box, o->box) ||
            bs_bodies_cross(s, b, o) || !bs_overlap(&b->start, &end)) {
            continue;
        }
        bs_shape shape;
        bs_shape there;
        bs_world_shape_at(w, b->box, &b->start, &shape);
        bs_world_shape_at(w, o->box, &end, &there);
        if (bs_shapes_overlap(&shape, &there)) {
            return true;
        }
    }
    return false;
}

/* A group one of whose bodies could not stay is lively. *again says whether there was one. */
static bool find_taken(bs_bodies *s, bool *again) {
    bs_backend *part = s->w->part[BS_DYNAMIC];
    *again = false;
    for (uint32_t i = 0; i < s->body.n; i++) {
        if (is_calm(s, i)) {
            s->near.n = 0;
            if (!part->type->query(part, &s->body.at[i].start, &s->near)) {
                return false;
            }
            if (is_taken(s, i)) {
                s->body.at[heap_of(s, i)].is_lively = true;
                *again = true;
            }
        }
    }
    return true;
}

/*
 * A heap of which one body has stopped for too many contacts, and in which nothing
 * moves faster than in a step from rest, is at rest: all stay where they were.
 */
bool bs_heaps_calm(bs_bodies *s) {
    bs_body_list *list = &s->body;
    bool again = false;
    for (uint32_t i = 0; i < list->n; i++) {
        bs_body *b = &list->at[i];
        bs_body *heap = &list->at[heap_of(s, i)];
        const double *end = bs_path_last(s, b)->velocity;
        heap->has_frozen |= b->frozen;
        again |= b->frozen;
        heap->is_lively |= is_fast(b, end) || is_fast(b, s->w->motion[b->box].velocity);
    }
    if (!again) {
        return true;
    }
    while (again) {
        if (!find_taken(s, &again)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < list->n; i++) {
        bs_body *b = &list->at[i];
        if (is_calm(s, i)) {
            bs_waypoint *last = bs_path_last(s, b);
            memset(last->velocity, 0, sizeof last->velocity);
            memcpy(b->end, b->start.pos, sizeof b->end);
        }
    }
    return true;
}
