/*
 * heaps.c: heaps that come to rest. It relies on the paths of bodies.c.
 *
 * Bodies that have met are a heap. One in which bodies have met too often, and in which nothing
 * moves faster than a step from rest explains, is at rest; and so is one in which there is only
 * what rounding leaves of motion.
 */
#include "bodies.h"

#include <string.h>

static uint32_t heap_of(bs_bodies *s, uint32_t body) {
    return bs_first_of(s, body, BS_HEAP);
}

void bs_heap_unite(bs_bodies *s, uint32_t a, uint32_t b) {
    bs_unite(s, a, b, BS_HEAP);
    s->body.at[heap_of(s, b)].is_heap = true;
}

static bool is_calm(bs_bodies *s, uint32_t body) {
    const bs_body *heap = &s->body.at[heap_of(s, body)];
    return heap->is_heap && !heap->is_lively && (heap->has_clumps || !heap->has_moved);
}

/* Compares speeds with what a step from rest explains. */
static void look_at(bs_body *heap, const bs_body *b, const double velocity[DIM]) {
    double speed = bs_length(velocity);
    double force = bs_length(b->force);
    heap->is_lively |= speed > force * 0.5;
    heap->has_moved |= speed > force * 0x1p-20;
}

static bool is_not_calm(bs_bodies *s, uint32_t body) {
    return !is_calm(s, body);
}

/* A heap one of whose bodies could not stay is lively. *again says whether there was one. */
static bool find_taken(bs_bodies *s, bool *again) {
    *again = false;
    for (uint32_t i = 0; i < s->body.n; i++) {
        bool taken = false;
        if (is_calm(s, i) && !bs_start_is_taken(s, i, is_not_calm, &taken)) {
            return false;
        }
        if (taken) {
            s->body.at[heap_of(s, i)].is_lively = true;
            *again = true;
        }
    }
    return true;
}

/* All bodies of a heap at rest stay where they were. */
bool bs_heaps_calm(bs_bodies *s) {
    bs_body_list *list = &s->body;
    bool again = false;
    for (uint32_t i = 0; i < list->n; i++) {
        bs_body *b = &list->at[i];
        bs_body *heap = &list->at[heap_of(s, i)];
        const double *end = bs_path_last(s, b)->velocity;
        heap->has_clumps |= b->sticks;
        again |= heap->is_heap;
        heap->is_lively |= b->is_carried;
        look_at(heap, b, end);
        look_at(heap, b, s->w->motion[b->box].velocity);
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
