/*
 * sleep.c: what is at rest, and costs nothing until something meets it, or something is changed
 * beside it. It relies on the paths of paths.c.
 *
 * Two kinds of rest are told apart. A step is a function of what takes part in it: bodies whose
 * paths come near each other are a company, and if that is after a step what it was before, to the
 * last bit, and has no velocity, the next step would do the same again. And a heap, of what
 * touches, comes to rest when none of it has moved, for half a second of steps, by more than forces
 * of one step explain.
 */
#include "step.h"

#include <string.h>

/* A calm body stays within so many times what forces move it in a step from rest. */
static const double STRAYS = 2;

/* --- waking --------------------------------------------------------------------------------- */

/* What rests beside a place may be a little off: it was iterated. */
static bs_rect around(const bs_rect *place) {
    bs_rect r = *place;
    double reach = bs_least_size(place) * BS_NEIGHBOUR;
    for (int k = 0; k < DIM; k++) {
        bs_rect_reach(&r, k, place->pos[k], bs_far(place, k), BS_EXACT, reach);
    }
    return r;
}

/* Whether two that sleep touch, or nearly. */
static bool do_touch(const bs_world *w, uint32_t a, uint32_t b) {
    if (memcmp(&w->rect[a], &w->rect[b], sizeof w->rect[a]) > 0) { /* Alike from both sides. */
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    const bs_rect *ra = &w->rect[a];
    const bs_rect *rb = &w->rect[b];
    double toward[DIM];
    bs_touch touch;
    if (bs_are_boxes(w, a, b)) {
        return true; /* Their rects do. */
    }
    for (int k = 0; k < DIM; k++) {
        toward[k] = (rb->pos[k] - ra->pos[k]) + (rb->size[k] - ra->size[k]) / 2;
    }
    return !bs_meet_at(w, a, ra, toward, b, rb, &touch) ||
           !(bs_dot(touch.normal, touch.normal) > 0) ||
           bs_gap_at(w, a, ra, b, rb, touch.normal) <=
               bs_max(bs_least_size(ra), bs_least_size(rb)) * BS_NEIGHBOUR;
}

static void rouse(bs_bodies *s, uint32_t box) {
    if (bs_sleeps(s, box)) {
        bs_world_rouse(s->w, box);
        s->roused.at[s->roused.n++] = box;
        s->all_roused.at[s->all_roused.n++] = box;
    }
}

/* Room for all that may be roused, each once in a step. */
static bool reserve_roused(bs_bodies *s) {
    bs_heap *heap = &s->w->heap;
    s->roused.n = 0;
    return bs_list_reserve(heap, &s->roused, s->w->state.count) &&
           bs_list_reserve(heap, &s->all_roused, s->w->state.count);
}

/* Rouses what sleeps beside a place; there is room for all. */
static bool rouse_beside(bs_bodies *s, const bs_rect *place, uint32_t box) {
    bs_world *w = s->w;
    bs_rect r = around(place);
    s->around.n = 0;
    if (bs_rect_is_query(&r) && !bs_find_of_part(s, BS_DYNAMIC, &r, false, &s->around)) {
        return false;
    }
    for (size_t i = 0; i < s->around.n; i++) {
        uint32_t other = s->around.at[i];
        bool touches =
            box == BS_NO_BOX || (other != box && bs_sleeps(s, other) &&
                                 bs_world_layers_meet(w, box, other) && do_touch(w, box, other));
        if (touches) {
            rouse(s, other);
        }
    }
    return true;
}

/* Rouses all that the roused touch. */
static bool spread(bs_bodies *s) {
    for (size_t i = 0; i < s->roused.n; i++) { /* It grows. */
        uint32_t box = s->roused.at[i];
        bs_rect place = s->w->rect[box];
        if (!rouse_beside(s, &place, box)) {
            return false;
        }
    }
    return true;
}

bool bs_sleep_begin(bs_bodies *s, bool wakes_all) {
    bs_world *w = s->w;
    s->all_roused.n = 0;
    if (w->sleepers == 0 || (w->stirred.n == 0 && !wakes_all)) {
        return true;
    }
    if (!reserve_roused(s)) {
        return false;
    }
    for (uint32_t i = 0; wakes_all && i < bs_world_span(w); i++) {
        rouse(s, i);
    }
    for (size_t i = 0; w->sleepers > 0 && i < w->stirred.n; i++) {
        if (!rouse_beside(s, &w->stirred.at[i], BS_NO_BOX)) {
            return false;
        }
    }
    return wakes_all || spread(s);
}

void bs_sleep_give_back(bs_bodies *s) {
    for (size_t i = 0; i < s->all_roused.n; i++) {
        s->w->rest[s->all_roused.at[i]].asleep = true;
    }
    s->w->sleepers += (uint32_t)s->all_roused.n;
}

bool bs_sleep_wake(bs_bodies *s, uint32_t box) {
    if (!reserve_roused(s)) {
        return false;
    }
    rouse(s, box);
    if (!spread(s) || !bs_world_sort(s->w, &s->roused)) {
        return false;
    }
    for (size_t i = 0; i < s->roused.n; i++) {
        if (!bs_body_begin(s, s->roused.at[i])) {
            return false;
        }
    }
    return true;
}

/* --- heaps that come to rest ---------------------------------------------------------------- */

/* How long a body that presses has been calm. What a solution leaves may shake it on the spot. */
static void look_at(const bs_bodies *s, bs_body *b) {
    const bs_rest *rest = &s->w->rest[b->box];
    double off[DIM];
    bs_minus(b->end, rest->at, off);
    bool stays = rest->calm > 0 && bs_length(off) <= bs_length(b->fall) * s->dt * STRAYS;
    bool calm = b->is_pressed && b->inverse_mass > 0;
    b->calm = !calm ? 0 : stays ? (uint8_t)(rest->calm + (rest->calm < BS_CALM_STEPS)) : 1;
    memcpy(b->calm_at, stays ? rest->at : b->end, sizeof b->calm_at);
}

/* Whether only rounding moves a body that presses, or that rests on something static. */
static bool is_still(const bs_bodies *s, const bs_body *b) {
    double most = bs_length(b->fall) * BS_SHAKEN;
    double rounding = bs_largest_coordinate(&b->start, &b->start) * BS_RESTING;
    double off[DIM];
    bs_minus(b->end, b->start.pos, off);
    bool rests = b->is_pressed || b->footings > 0;
    return rests && b->inverse_mass > 0 && bs_length(off) <= most * s->dt + rounding &&
           bs_length(bs_end_velocity(s, b)) <= most &&
           bs_length(s->w->motion[b->box].velocity) <= most;
}

/* A body stops. */
static void stop(bs_body *b) {
    memset(b->course, 0, sizeof b->course);
    b->is_held = false;
    b->lands = 0;
}

bool bs_sleep_calm(bs_bodies *s) {
    bs_body *list = s->body.at;
    if (s->dt == 0) { /* No time, no rest. */
        return true;
    }
    for (uint32_t i = 0; i < s->body.n; i++) {
        bs_body *b = &list[i];
        if (!b->slept) {
            look_at(s, b);
            list[bs_first_of(s, i, BS_HEAP)].is_lively |= b->calm < BS_CALM_STEPS;
            list[bs_first_of(s, i, BS_HEAP)].has_moved |= !is_still(s, b);
        }
    }
    for (uint32_t i = 0; i < s->body.n; i++) {
        bs_body *b = &list[i];
        const bs_body *heap = &list[bs_first_of(s, i, BS_HEAP)];
        if (b->slept || !(b->is_pressed || b->footings > 0)) {
            continue;
        }
        b->rests = !heap->is_lively || !heap->has_moved;
        if (b->rests) {
            stop(b);
        }
        if (!heap->has_moved) {
            memcpy(b->end, b->start.pos, sizeof b->end);
        }
    }
    return true;
}

/* --- companies ------------------------------------------------------------------------------ */

/*
 * Whether the step has changed a body: its place or its velocity, in any bit. What has a velocity
 * may go on in a longer step.
 */
static bool is_changed(const bs_bodies *s, const bs_body *b) {
    return b->may_go || !bs_is_still(bs_end_velocity(s, b)) ||
           memcmp(b->end, b->start.pos, sizeof b->end) != 0 ||
           memcmp(bs_end_velocity(s, b), s->w->motion[b->box].velocity, sizeof b->end) != 0;
}

void bs_sleep_end(bs_bodies *s) {
    bs_body *list = s->body.at;
    bs_world *w = s->w;
    if (s->dt == 0) {
        return;
    }
    for (uint32_t i = 0; i < s->body.n; i++) {
        list[bs_first_of(s, i, BS_COMPANY)].has_changed |=
            !list[i].slept && is_changed(s, &list[i]);
    }
    for (uint32_t i = 0; i < s->body.n; i++) {
        bs_body *b = &list[i];
        bs_rest *rest = &w->rest[b->box];
        if (b->slept) {
            continue;
        }
        bool sleeps = b->rests || !list[bs_first_of(s, i, BS_COMPANY)].has_changed;
        rest->calm = sleeps ? 0 : b->calm;
        memcpy(rest->at, b->calm_at, sizeof rest->at);
        if (rest->asleep != sleeps) {
            w->sleepers += sleeps ? 1 : UINT32_MAX;
            rest->asleep = sleeps;
        }
    }
}
