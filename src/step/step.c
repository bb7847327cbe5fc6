/*
 * step.c: steps. All that is dynamic moves at the same time: forces, the ways that the back end
 * sees, and what the world gets in the end. See step.h.
 *
 * Compare "time warp", Mirtich 2000, and molecular dynamics by events, Alder and Wainwright 1959.
 */
#include "step.h"

#include <string.h>

static bool is_dynamic(const bs_world *w, uint32_t box) {
    return (w->flags[box] & (BS_ALIVE | BS_IS_STATIC)) == BS_ALIVE;
}

/* --- memory --------------------------------------------------------------------------------- */

static const bs_column columns[] = {
    {BS_LIST_COLUMN(bs_bodies, body)},
    {BS_ARRAY_COLUMN(bs_bodies, of)},
    {BS_ARRAY_COLUMN(bs_bodies, row)},
    {BS_LIST_COLUMN(bs_bodies, ahead)},
    {BS_LIST_COLUMN(bs_bodies, hit)},
    {BS_COLUMN_PARTS(bs_bodies, event.at, event.cap, offsetof(bs_bodies, events_peak))},
    {BS_LIST_COLUMN(bs_bodies, found)},
    {BS_LIST_COLUMN(bs_bodies, couple)},
    {BS_LIST_COLUMN(bs_bodies, mover)},
    {BS_LIST_COLUMN(bs_bodies, plane)},
    {BS_LIST_COLUMN(bs_bodies, sorted)},
    {BS_LIST_COLUMN(bs_bodies, presses)},
    {BS_LIST_COLUMN(bs_bodies, pairs)},
    {BS_LIST_COLUMN(bs_bodies, boxes)},
    {BS_LIST_COLUMN(bs_bodies, couples_of)},
    {BS_LIST_COLUMN(bs_bodies, first_couple)},
    {BS_LIST_COLUMN(bs_bodies, near)},
    {BS_LIST_COLUMN(bs_bodies, moved)},
    {BS_LIST_COLUMN(bs_bodies, around)},
    {BS_LIST_COLUMN(bs_bodies, due)},
    {BS_LIST_COLUMN(bs_bodies, is_broken)},
    {BS_LIST_COLUMN(bs_bodies, queue)},
    {BS_LIST_COLUMN(bs_bodies, ranked)},
    {BS_LIST_COLUMN(bs_bodies, roused)},
    {BS_LIST_COLUMN(bs_bodies, all_roused)},
    {BS_TABLE_COLUMN(bs_bodies, told)},
    {BS_TABLE_COLUMN(bs_bodies, parted)},
    {BS_TABLE_COLUMN(bs_bodies, pressed)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void free_bodies(bs_world *w) {
    bs_bodies *s = w->bodies;
    if (s == NULL) {
        return;
    }
    bs_column_free_all(&w->heap, s, columns, COLUMNS);
    bs_heap_free(&w->heap, s, sizeof *s);
    w->bodies = NULL;
}

/* Now and then what steps have not used for long goes back to the host. */
static void shed(bs_world *w) {
    enum { STEPS = 64, TIMES = 8, AT_LEAST = 1 << 16 };
    bs_bodies *s = w->bodies;
    size_t used = 0;
    size_t held = 0;
    if (s == NULL) {
        return;
    }
    for (const bs_column *c = columns; c < columns + COLUMNS; c++) {
        used += bs_column_length(s, c) * c->size; /* In the last step, as far as one sees. */
        held += bs_column_room(s, c) * c->size;
    }
    s->used_most = used > s->used_most ? used : s->used_most;
    s->events_peak = 0;
    if (++s->steps % STEPS == 0) {
        if (held > TIMES * s->used_most + AT_LEAST) {
            free_bodies(w);
        } else {
            s->used_most = 0;
        }
    }
}

/* --- forces --------------------------------------------------------------------------------- */

/* The velocity after the forces of a step; false if it is not finite. */
static bool accelerate(const bs_world *w, uint32_t box, double dt, double fall[DIM],
                       double velocity[DIM]) {
    const bs_conduct *c = bs_world_conduct(w, box);
    for (int k = 0; k < DIM; k++) {
        double a = w->state.gravity[k] * c->gravity_scale + w->motion[box].acceleration[k];
        fall[k] = a * dt;
        velocity[k] = w->motion[box].velocity[k] + fall[k];
    }
    if (c->damping > 0) {
        for (int k = 0; k < DIM; k++) {
            velocity[k] /= 1 + c->damping * dt;
        }
    }
    bs_conduct_brake(c, dt, velocity);
    return bs_is_finite(velocity);
}

/* 1 / mass. Masses beyond 2^-500 and 2^500 count as these, so that impulses are finite. */
static double inverse_mass_of(double mass) {
    return mass < HUGE_VAL ? 1 / bs_min(bs_max(mass, 0x1p-500), 0x1p500) : 0;
}

bool bs_body_begin(bs_bodies *s, uint32_t box) {
    const bs_world *w = s->w;
    uint32_t i = s->of[box] != BS_NOBODY ? s->of[box] : (uint32_t)s->body.n++;
    bs_body *b = &s->body.at[i];
    bs_rect to;
    *b = (bs_body){.box = box, .start = w->rect[box], .with = {i, i, i}};
    b->place = b->start;
    b->group = BS_NOBODY;
    b->responds = w->conduct[box].response != BS_PASS;
    b->crosses = w->conduct[box].response == BS_CROSS;
    b->inverse_mass = b->responds ? inverse_mass_of(w->conduct[box].mass) : 0;
    b->is_straight = true;
    s->of[box] = i;
    if (bs_sleeps(s, box)) {
        b->slept = true;
        return bs_path_make(s, b, &b->start, 0, b->velocity);
    }
    if (!accelerate(w, box, s->dt, b->fall, b->velocity) ||
        !bs_advance(&b->start, b->velocity, s->dt, &to)) {
        memcpy(b->velocity, w->motion[box].velocity, sizeof b->velocity);
        memset(b->fall, 0, sizeof b->fall);
        b->may_go = true;
        return bs_path_make(s, b, &b->start, 1, b->velocity);
    }
    b->may_go = bs_is_still(b->velocity) && !bs_is_still(b->fall); /* Drag takes it all. */
    return true;
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
        double fall[DIM];
        double velocity[DIM];
        bs_rect to;
        if (!is_dynamic(w, box) || !accelerate(w, box, s->dt, fall, velocity) ||
            !bs_advance(&w->rect[box], velocity, s->dt, &to)) {
            continue;
        }
        memcpy(w->motion[box].velocity, velocity, sizeof velocity);
        if (put(s, box, &to)) {
            bs_world_touch(w, box);
        }
    }
    tell_moved(s);
    w->step_hits.n = w->presses.n = 0;
    return true;
}

/* --- beginning ------------------------------------------------------------------------------ */

/* Makes room for all, and lists the dynamic boxes in the order of insertion. */
static bool prepare(bs_bodies *s) {
    bs_world *w = s->w;
    bs_list *lists[] = {&s->boxes, &s->moved, &s->queue};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->n = 0;
        if (!bs_list_reserve(&w->heap, lists[i], w->state.count)) {
            return false;
        }
    }
    if (!bs_array_reserve(&w->heap, &s->of, &s->of_cap, w->ids.used, sizeof *s->of) ||
        !bs_array_reserve(&w->heap, &s->row, &s->row_cap, w->ids.used, sizeof *s->row) ||
        !BS_RESERVE(&w->heap, &s->body, w->state.count)) {
        return false;
    }
    for (uint32_t box = 0; box < w->ids.used; box++) {
        s->of[box] = s->row[box] = BS_NOBODY;
        if (is_dynamic(w, box)) {
            s->boxes.at[s->boxes.n++] = box;
        }
    }
    for (uint32_t i = (uint32_t)w->step_hits.n; i-- > 0;) {
        s->row[bs_id_index(w->step_hits.at[i].box)] = i;
    }
    return !w->state.recycled || bs_world_sort(w, &s->boxes);
}

/* Makes the bodies of all that is awake. */
static bool begin(bs_bodies *s) {
    for (size_t i = 0; i < s->boxes.n; i++) {
        uint32_t box = s->boxes.at[i];
        if (!bs_sleeps(s, box) && !bs_body_begin(s, box)) {
            return false;
        }
    }
    return bs_presses_begin(s);
}

bool bs_ways_show(bs_bodies *s) {
    s->moved.n = 0;
    for (size_t i = 0; i < s->body.n; i++) {
        const bs_body *b = &s->body.at[i];
        bs_rect r = bs_way_around(s, b);
        if (!b->slept && bs_rect_is_box(&r)) {
            put(s, b->box, &r);
        }
    }
    tell_moved(s);
    return s->moved.n > 0;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* The paths of all bodies at the velocities that they have now, and where they turn. */
static bool make_paths(bs_bodies *s) {
    for (uint32_t i = 0; i < s->body.n; i++) {
        bs_body *b = &s->body.at[i];
        bool done = b->has_path || bs_path_make(s, b, &b->start, 0, b->velocity);
        if (!done || !bs_event_of_turn(s, i)) {
            return false;
        }
    }
    return true;
}

/* Whether two that were sent straight on do not meet: a plane parts them, or they miss. */
static bool is_parted(const bs_bodies *s, const bs_couple *c) {
    const bs_body *a = &s->body.at[c->a];
    const bs_body *b = &s->body.at[c->b];
    bool straight = s->dt > 0 && a->is_straight && b->is_straight;
    bool same = !a->is_pressed && !b->is_pressed;
    return straight && (c->fate == BS_PRESS || (c->fate == BS_MISS && same));
}

/* Notes who is parted by planes. */
static bool note_parted(bs_bodies *s) {
    if (!bs_table_reserve(&s->w->heap, &s->parted, s->plane.n)) {
        return false;
    }
    for (size_t i = 0; i < s->couple.n; i++) {
        const bs_couple *c = &s->couple.at[i];
        if (c->fate == BS_PRESS && is_parted(s, c)) {
            uint64_t key = bs_key_of_two(s->body.at[c->a].box, s->body.at[c->b].box);
            *bs_table_value(&s->parted, key) = s->group;
            s->body.at[c->a].group = s->body.at[c->b].group = s->group;
        }
    }
    return true;
}

/* The events of those whose ways were not seen, as planes have sent them elsewhere. */
static bool expect_unseen(bs_bodies *s) {
    bool noted = false;
    for (uint32_t i = 0, n = (uint32_t)s->body.n; i < n; i++) {
        const bs_body *b = &s->body.at[i];
        if (b->slept || bs_path_is_shown(s, b)) {
            continue;
        }
        if ((!noted && !note_parted(s)) || !bs_events_of(s, i, 0)) {
            return false;
        }
        noted = true;
    }
    return true;
}

/* The events of couples that do not press, and of those whose ways were not seen. */
static bool expect_all(bs_bodies *s) {
    for (size_t i = 0; i < s->couple.n; i++) {
        bs_couple c = s->couple.at[i];
        if (is_parted(s, &c)) {
            bs_unite(s, c.a, c.b, BS_COMPANY);
        } else if (!bs_event_expect(s, c.a, c.b, 0)) {
            return false;
        }
    }
    return expect_unseen(s);
}

/* Wakes what others press on, and forgets what was found while it slept. */
static bool wake_pressed(bs_bodies *s) {
    for (size_t i = 0; i < s->plane.n; i++) {
        uint32_t body = bs_plane_sleeper(s, &s->plane.at[i]);
        if (body != BS_NOBODY && !bs_sleep_wake(s, s->body.at[body].box)) {
            return false;
        }
    }
    for (size_t i = 0; i < s->body.n; i++) {
        bs_body *b = &s->body.at[i];
        b->is_pressed = b->knows_static = false;
        b->is_straight = true;
        b->meetings = 0;
        b->group = BS_NOBODY;
    }
    s->plane.n = 0;
    bs_ways_show(s);
    return bs_presses_begin(s);
}

/* Finds and solves what presses. What wakes by that takes part. */
static bool press(bs_bodies *s) {
    bool done = bs_planes_find(s) && bs_islands_solve(s, 0);
    while (done && s->woken) {
        done = wake_pressed(s) && bs_couples_find(s) && bs_planes_find(s) && bs_islands_solve(s, 0);
    }
    return done;
}

static bool meet(bs_bodies *s) {
    const bs_world *w = s->w;
    s->pairs.n = 0;
    s->couple.n = 0;
    bool may_meet = w->state.responders > 0 && (w->state.any.layer & w->state.any.mask) != 0;
    if (!bs_ways_show(s) || !may_meet) {
        return make_paths(s) && bs_events_run(s);
    }
    bool solved = s->dt > 0; /* In no time nothing presses. */
    if (!bs_couples_find(s) || (solved && !press(s)) || !make_paths(s)) {
        return false;
    }
    if (!expect_all(s) || !bs_events_run(s)) {
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

/* The hits of a box that sleeps are those of the last step, if both boxes are there. */
static void copy_hits(bs_bodies *s, uint32_t box, bs_step_hits *hits) {
    const bs_world *w = s->w;
    bs_id id = bs_world_id(w, box);
    for (size_t i = s->row[box]; i < w->step_hits.n && w->step_hits.at[i].box == id; i++) {
        uint32_t other;
        if (bs_world_find(w, w->step_hits.at[i].other, &other) == BS_FOUND) {
            hits->at[hits->n++] = w->step_hits.at[i];
        }
    }
}

/* By time, in the order of happening. */
static void insert_hit(bs_step_hits *hits, size_t first, const bs_step_hit *hit) {
    size_t i = hits->n++;
    for (; i > first && hits->at[i - 1].t > hit->t; i--) {
        hits->at[i] = hits->at[i - 1];
    }
    hits->at[i] = *hit;
}

static uint64_t order_of(const void *bodies, uint32_t i) {
    const bs_bodies *s = bodies;
    return bs_world_order(s->w, bs_id_index(s->hit.at[i].box));
}

/* Numbers the hits in the order of insertion of their boxes, in `near`. */
static bool sort_hits(bs_bodies *s) {
    s->near.n = 0;
    if (!bs_list_reserve(&s->w->heap, &s->near, s->hit.n)) {
        return false;
    }
    for (uint32_t i = 0; i < s->hit.n; i++) {
        s->near.at[s->near.n++] = i;
    }
    return bs_world_sort_by(s->w, &s->near, order_of, s);
}

/* The hits of the step, body by body. */
static bool list_hits(bs_bodies *s) {
    bs_world *w = s->w;
    bs_step_hits *hits = &s->found;
    if (!BS_RESERVE(&w->heap, hits, s->hit.n + w->step_hits.n) || !sort_hits(s)) {
        return false;
    }
    hits->n = 0;
    for (size_t i = 0, next = 0; i < s->boxes.n; i++) {
        uint32_t box = s->boxes.at[i];
        bool sleeps = s->of[box] == BS_NOBODY || s->body.at[s->of[box]].slept;
        if (sleeps) {
            copy_hits(s, box, hits);
        }
        for (size_t first = hits->n; next < s->near.n; next++) {
            const bs_step_hit *hit = &s->hit.at[s->near.at[next]];
            if (bs_id_index(hit->box) != box) {
                break;
            }
            if (!sleeps) {
                insert_hit(hits, first, hit);
            }
        }
    }
    return true;
}

/* The world gets the ends of all paths. */
static void finish(bs_bodies *s) {
    bs_world *w = s->w;
    bs_step_hits last = w->step_hits;
    bs_presses pressed = w->presses;
    uint32_t sleepers = w->sleepers;
    w->step_hits = s->found;
    s->found = last;
    w->presses = s->presses;
    s->presses = pressed;
    s->moved.n = 0;
    w->sleepers = 0; /* The step itself stirs nobody. */
    for (size_t i = 0; i < s->body.n; i++) {
        const bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_end(b);
        memcpy(w->motion[b->box].velocity, bs_end_velocity(s, b), sizeof b->end);
        if (memcmp(&r, &b->start, sizeof r) != 0) {
            bs_world_touch(w, b->box);
        }
        put(s, b->box, &r);
    }
    tell_moved(s);
    w->sleepers = sleepers;
    w->stirred.n = 0;
    for (size_t i = 0; i < s->body.n; i++) {
        if (s->body.at[i].is_struck) {
            bs_world_stir_at(w, &s->body.at[i].start);
        }
    }
}

/* The world's bodies, empty. */
static bs_bodies *take_bodies(bs_world *w, double dt) {
    if (w->bodies == NULL) {
        w->bodies = bs_heap_new(&w->heap, sizeof *w->bodies);
        w->free_bodies = free_bodies;
    }
    bs_bodies *s = w->bodies;
    if (s != NULL) {
        s->w = w;
        s->dt = s->span = dt;
        s->now = 0;
        s->group = 1;
        s->asked = 0;
        s->plane.n = 0;
        s->body.n = s->ahead.n = s->hit.n = 0;
        s->event.n = s->events_most = s->presses.n = s->is_broken.n = 0;
        bs_table_clear(&s->told);
        bs_table_clear(&s->parted);
        s->failed = false;
        bs_motion_enter(w);
    }
    return s;
}

/* Whether other forces, a step of another length, or changes everywhere wake all that sleeps. */
static bool wakes_all(const bs_world *w, double dt) {
    bool is_short = dt > 0 && dt < w->state.pace / 2;
    return dt > 2 * w->state.pace || is_short || bs_world_all_stirred(w) ||
           memcmp(w->state.gravity, w->state.fallen, sizeof w->state.gravity) != 0;
}

static void note_pace(bs_world *w, double dt) {
    memcpy(w->state.fallen, w->state.gravity, sizeof w->state.fallen);
    w->state.pace = dt > 0 ? dt : w->state.pace;
}

/* All that leads to the places and velocities that the world gets. */
static bool run(bs_bodies *s) {
    bool done = prepare(s) && begin(s) && meet(s);
    for (size_t i = 0; done && i < s->body.n; i++) {
        done = bs_path_pass(s, &s->body.at[i], 1);
    }
    return done && bs_sleep_calm(s) && bs_ends_settle(s) && list_hits(s) && bs_presses_end(s);
}

bs_status bs_world_step(bs_world *w, double dt) {
    assert(isfinite(dt));
    bs_world_shed(w);
    shed(w);
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
    if (!bs_column_make(w, BS_CONDUCT) || !bs_column_make(w, BS_REST)) {
        return BS_NO_MEMORY;
    }
    bool stirred = w->stirred.n > 0;
    if (!bs_sleep_begin(s, wakes_all(w, dt))) {
        bs_sleep_give_back(s);
        return BS_NO_MEMORY;
    }
    if (!stirred && w->sleepers > 0 && w->sleepers == w->part[BS_DYNAMIC]->count) {
        note_pace(w, dt);
        return BS_OK;
    }
    if (!run(s)) {
        give_back(s);
        bs_sleep_give_back(s);
        return BS_NO_MEMORY;
    }
    note_pace(w, dt);
    bs_sleep_end(s);
    finish(s);
    return BS_OK;
}

const bs_step_hits *bs_world_step_hits(const bs_world *w) {
    return &w->step_hits;
}
