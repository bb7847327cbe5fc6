/*
 * bodies.c: steps. All that is dynamic moves at the same time: forces, the paths that the back end
 * sees, and what the world gets in the end. See bodies.h.
 *
 * Compare "time warp", Mirtich 2000, and molecular dynamics by events, Alder and Wainwright 1959.
 */
#include "bodies.h"

#include <string.h>

static bool is_dynamic(const bs_world *w, uint32_t box) {
    return (w->flags[box] & (BS_ALIVE | BS_IS_STATIC)) == BS_ALIVE;
}

void bs_bodies_free(bs_world *w) {
    bs_bodies *s = w->bodies;
    bs_heap *heap = &w->heap;
    if (s == NULL) {
        return;
    }
    bs_array_free(heap, &s->body.at, &s->body.cap, sizeof *s->body.at);
    bs_array_free(heap, &s->of, &s->of_cap, sizeof *s->of);
    bs_array_free(heap, &s->path.at, &s->path.cap, sizeof *s->path.at);
    bs_array_free(heap, &s->ahead.at, &s->ahead.cap, sizeof *s->ahead.at);
    bs_array_free(heap, &s->support.at, &s->support.cap, sizeof *s->support.at);
    bs_array_free(heap, &s->hit.at, &s->hit.cap, sizeof *s->hit.at);
    bs_array_free(heap, &s->event.at, &s->event.cap, sizeof *s->event.at);
    bs_array_free(heap, &s->joint.at, &s->joint.cap, sizeof *s->joint.at);
    bs_array_free(heap, &s->found.at, &s->found.cap, sizeof *s->found.at);
    bs_array_free(heap, &s->sleeper, &s->sleeper_cap, sizeof *s->sleeper);
    bs_array_free(heap, &s->stirred.at, &s->stirred.cap, sizeof *s->stirred.at);
    bs_array_free(heap, &s->pairs.at, &s->pairs.cap, sizeof *s->pairs.at);
    bs_list *lists[] = {&s->boxes,  &s->woken, &s->near,   &s->moved,
                        &s->around, &s->queue, &s->waiting};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        bs_list_free(heap, lists[i]);
    }
    bs_heap_free(heap, s, sizeof *s);
    w->bodies = NULL;
    w->sleepers = 0;
}

/* --- forces --------------------------------------------------------------------------------- */

/* The velocity after the forces of a step; false if it is not finite. */
static bool accelerate(const bs_world *w, uint32_t box, double dt, double force[DIM],
                       double velocity[DIM]) {
    const bs_conduct *c = bs_world_conduct(w, box);
    for (int k = 0; k < DIM; k++) {
        double a = w->state.gravity[k] * c->gravity_scale + w->motion[box].acceleration[k];
        force[k] = a * dt;
        velocity[k] = w->motion[box].velocity[k] + force[k];
    }
    if (c->damping > 0) {
        for (int k = 0; k < DIM; k++) {
            velocity[k] /= 1 + c->damping * dt;
        }
    }
    bs_conduct_brake(c, dt, velocity);
    return bs_is_finite(velocity);
}

bool bs_advance(const bs_rect *from, const double velocity[DIM], double dt, bs_rect *to) {
    *to = *from;
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        double pos = from->pos[k] + velocity[k] * dt;
        to->pos[k] = pos != from->pos[k] ? pos : from->pos[k];
        finite = finite && isfinite(pos - from->pos[k]) && isfinite(bs_far(to, k));
    }
    return finite;
}

/* 1 / mass. Masses beyond 2^-500 and 2^500 count as these, so that impulses are finite. */
static double weight_of(double mass) {
    return mass < HUGE_VAL ? 1 / bs_min(bs_max(mass, 0x1p-500), 0x1p500) : 0;
}

bool bs_body_begin(bs_bodies *s, uint32_t box) {
    const bs_world *w = s->w;
    uint32_t i = (uint32_t)s->body.n++;
    bs_body *b = &s->body.at[i];
    double velocity[DIM];
    bs_rect to;
    *b = (bs_body){
        .box = box, .hit = BS_NOBODY, .start = w->rect[box], .with = {i, i}, .clump = i, .next = i};
    b->responds = w->conduct[box].response != BS_PASS;
    b->crosses = w->conduct[box].response == BS_CROSS;
    b->weight = b->responds ? weight_of(w->conduct[box].mass) : 0;
    s->of[box] = i;
    bool moves = accelerate(w, box, s->dt, b->force, velocity) &&
                 bs_advance(&b->start, velocity, s->dt, &to);
    return moves ? bs_path_make(s, b, &b->start, 0, velocity)
                 : bs_path_make(s, b, &b->start, 1, w->motion[box].velocity);
}

/* --- rects ---------------------------------------------------------------------------------- */

/* Sets the rect of a box; in `moved` there is room. False if it is the same. */
static bool put(bs_bodies *s, uint32_t box, const bs_rect *r) {
    bs_rect *rect = &s->w->rect[box];
    if (memcmp(r, rect, sizeof *r) == 0) {
        return false;
    }
    *rect = *r;
    s->moved.at[s->moved.n++] = box;
    return true;
}

static void tell_moved(bs_bodies *s) {
    if (s->moved.n > 0) {
        bs_backend_moved(s->w->part[BS_DYNAMIC], s->moved.at, s->moved.n);
    }
}

/* --- worlds without bodies ------------------------------------------------------------------ */

/* Moves all that is dynamic through everything. */
static bool fly_all(bs_bodies *s) {
    bs_world *w = s->w;
    s->moved.n = 0;
    if (!bs_list_reserve(&w->heap, &s->moved, w->state.count)) {
        return false;
    }
    for (uint32_t box = 0; box < w->ids.used; box++) {
        double force[DIM];
        double velocity[DIM];
        bs_rect to;
        if (!is_dynamic(w, box) || !accelerate(w, box, s->dt, force, velocity) ||
            !bs_advance(&w->rect[box], velocity, s->dt, &to)) {
            continue;
        }
        memcpy(w->motion[box].velocity, velocity, sizeof velocity);
        if (put(s, box, &to)) {
            bs_world_touch(w, box);
        }
    }
    tell_moved(s);
    w->step_hits.n = 0;
    return true;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Makes room for all, and lists the dynamic boxes in the order of insertion. */
static bool prepare(bs_bodies *s) {
    bs_world *w = s->w;
    bs_list *lists[] = {&s->boxes, &s->moved, &s->queue, &s->woken, &s->waiting};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->n = 0;
        if (!bs_list_reserve(&w->heap, lists[i], w->state.count)) {
            return false;
        }
    }
    if (!bs_array_reserve(&w->heap, &s->of, &s->of_cap, w->ids.used, sizeof *s->of) ||
        !bs_array_reserve(&w->heap, &s->body.at, &s->body.cap, w->state.count,
                          sizeof *s->body.at)) {
        return false;
    }
    for (uint32_t box = 0; box < w->ids.used; box++) {
        if (is_dynamic(w, box)) {
            s->boxes.at[s->boxes.n++] = box;
        }
    }
    return !w->state.recycled || bs_world_sort(w, &s->boxes);
}

/* Makes the bodies of all that is awake, and their paths among static boxes. */
static bool begin(bs_bodies *s) {
    for (size_t i = 0; i < s->boxes.n; i++) {
        uint32_t box = s->boxes.at[i];
        s->of[box] = BS_NOBODY;
        if (!bs_sleeps(s, box) && !bs_body_begin(s, box)) {
            return false;
        }
    }
    return true;
}

/* Shows the back end all paths. False if none moves. */
static bool show_paths(bs_bodies *s) {
    s->moved.n = 0;
    for (size_t i = 0; i < s->body.n; i++) {
        bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_around(s, b);
        if (bs_rect_is_box(&r)) {
            put(s, b->box, &r);
        }
    }
    tell_moved(s);
    return s->moved.n > 0;
}

/* The events of all pairs of paths; what sleeps near a path wakes. */
static bool expect_pairs(bs_bodies *s) {
    if (!bs_backend_pairs(s->w->part[BS_DYNAMIC], &s->pairs)) {
        return false;
    }
    for (size_t i = 0; i < s->pairs.n; i++) {
        uint32_t a = s->pairs.at[i].a;
        uint32_t b = s->pairs.at[i].b;
        if (s->of[a] == BS_NOBODY && s->of[b] == BS_NOBODY) {
            continue;
        }
        if ((s->of[a] == BS_NOBODY && !bs_sleep_wake(s, a)) ||
            (s->of[b] == BS_NOBODY && !bs_sleep_wake(s, b)) ||
            !bs_event_expect(s, s->of[a], s->of[b], 0)) {
            return false;
        }
    }
    return true;
}

/* The events of bodies alone, which are few among many that fly. */
static bool expect_of_bodies(bs_bodies *s) {
    for (uint32_t i = 0, n = (uint32_t)s->body.n; i < n; i++) {
        if (s->body.at[i].responds && !bs_events_of(s, i, 0)) {
            return false;
        }
    }
    return true;
}

static bool meet(bs_bodies *s) {
    enum { FEW = 8 };
    const bs_world *w = s->w;
    s->pairs.n = 0;
    bool may_meet = w->state.responders > 0 && (w->state.any.layer & w->state.any.mask) != 0;
    if (!show_paths(s) || !may_meet) {
        return true;
    }
    bool few = w->sleepers == 0 && w->state.responders * FEW < s->body.n;
    if (!(few ? expect_of_bodies(s) : expect_pairs(s)) || !bs_events_of_woken(s) ||
        !bs_events_run(s)) {
        return false;
    }
    bs_ends_enqueue_all(s);
    return true;
}

/* Back to where all was before the step. */
static void give_back(bs_bodies *s) {
    s->moved.n = 0;
    for (size_t i = 0; i < s->body.n; i++) {
        put(s, s->body.at[i].box, &s->body.at[i].start);
    }
    tell_moved(s);
}

/* The hits of the step, body by body; those that sleep hit what they hit in the last one. */
static bool list_hits(bs_bodies *s) {
    bs_world *w = s->w;
    bs_step_hits *hits = &s->found;
    size_t most = s->hit.n + w->step_hits.n;
    if (!bs_array_reserve(&w->heap, &hits->at, &hits->cap, most, sizeof *hits->at)) {
        return false;
    }
    hits->n = 0;
    for (size_t i = 0; i < s->boxes.n; i++) {
        uint32_t box = s->boxes.at[i];
        bs_sleeper *sleeper = &s->sleeper[box];
        uint32_t row = (uint32_t)hits->n;
        if (s->of[box] == BS_NOBODY) {
            for (uint32_t j = 0; j < sleeper->rows; j++) {
                hits->at[hits->n++] = w->step_hits.at[sleeper->row + j];
            }
        } else {
            uint32_t h = s->body.at[s->of[box]].hit;
            for (; h != BS_NOBODY; h = s->hit.at[h].next) {
                hits->at[hits->n++] = s->hit.at[h].hit;
            }
        }
        *sleeper = (bs_sleeper){sleeper->next, row, (uint32_t)hits->n - row};
    }
    return true;
}

/* The world gets the ends of all paths. */
static void finish(bs_bodies *s) {
    bs_world *w = s->w;
    bs_step_hits last = w->step_hits;
    uint32_t sleepers = w->sleepers;
    w->step_hits = s->found;
    s->found = last;
    s->moved.n = 0;
    w->sleepers = 0; /* The step itself stirs nobody. */
    for (size_t i = 0; i < s->body.n; i++) {
        const bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_end(b);
        memcpy(w->motion[b->box].velocity, bs_path_last(s, b)->velocity,
               sizeof w->motion[b->box].velocity);
        if (memcmp(&r, &b->start, sizeof r) != 0) {
            bs_world_touch(w, b->box);
        }
        put(s, b->box, &r);
    }
    tell_moved(s);
    w->sleepers = sleepers;
}

/* The world's bodies, empty. */
static bs_bodies *take_bodies(bs_world *w, double dt) {
    if (w->bodies == NULL) {
        w->bodies = bs_heap_new(&w->heap, sizeof *w->bodies);
    }
    bs_bodies *s = w->bodies;
    if (s != NULL) {
        s->w = w;
        s->all_stirred = s->all_stirred || s->dt != dt;
        s->dt = dt;
        s->body.n = s->path.n = s->ahead.n = s->support.n = s->hit.n = 0;
        s->event.n = s->joint.n = 0;
        s->failed = false;
        bs_motion_enter(w);
    }
    return s;
}

/* What has been met by the end of the step. */
static bool pass_all(bs_bodies *s) {
    bool done = true;
    for (size_t i = 0; done && i < s->body.n; i++) {
        done = bs_path_pass(s, &s->body.at[i], 1);
    }
    return done;
}

static bool run_step(bs_bodies *s) {
    return meet(s) && pass_all(s) && bs_heaps_calm(s) && bs_ends_settle(s) && list_hits(s);
}

bs_status bs_world_step(bs_world *w, double dt) {
    assert(isfinite(dt));
    bs_world_shed(w);
    bool has_moved = w->motion != NULL || !bs_is_still(w->state.gravity);
    if (!has_moved && w->state.responders == 0) { /* Nothing has ever moved. */
        w->step_hits.n = 0;
        return BS_OK;
    }
    bs_bodies *s = take_bodies(w, dt);
    if (s == NULL || !bs_column_make(w, BS_MOTION)) {
        return BS_NO_MEMORY;
    }
    if (w->state.responders == 0 && w->sleepers == 0) {
        return fly_all(s) ? BS_OK : BS_NO_MEMORY;
    }
    if (!bs_column_make(w, BS_CONDUCT) || !bs_sleep_begin(s)) {
        return BS_NO_MEMORY;
    }
    if (w->sleepers > 0 && w->sleepers == w->part[BS_DYNAMIC]->count) {
        return BS_OK;
    }
    if (!prepare(s) || !begin(s) || !run_step(s)) {
        s->all_stirred = true;
        give_back(s);
        return BS_NO_MEMORY;
    }
    bs_sleep_end(s);
    finish(s);
    return BS_OK;
}

const bs_step_hits *bs_world_step_hits(const bs_world *w) {
    return &w->step_hits;
}
