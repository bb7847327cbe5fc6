/*
 * step.c: all boxes move by their velocities. It relies on bs_move for boxes with a response.
 *
 * These take turns in the order of insertion. If one meets another whose turn is still to come, and
 * that is about to move away from it, that one goes first. So rows and falling stacks of equal
 * speed stay together, in any order of insertion.
 */
#include "motion.h"

#include <math.h>
#include <string.h>

/* The turn of a box with a response in the running step. */
enum { HAD, DUE, WAITS };

/* --- one box -------------------------------------------------------------------------------- */

/* Its acceleration along an axis: its own, and that of gravity times its scale. */
static double acceleration_of(const bs_world *w, uint32_t box, int axis) {
    double scale = w->conduct != NULL ? w->conduct[box].gravity_scale : 1;
    return w->state.gravity[axis] * scale + w->motion[box].acceleration[axis];
}

/* Its velocity on one axis after acceleration. */
static double next_velocity(const bs_world *w, uint32_t box, double dt, int axis) {
    return w->motion[box].velocity[axis] + acceleration_of(w, box, axis) * dt;
}

/*
 * The velocity and the place of a box after a step through nothing. False if they would not be
 * finite. An axis without motion stays the same bit for bit: adding 0 would make 0 of -0.
 */
static bool advance(const bs_world *w, uint32_t box, double dt, double velocity[DIM],
                    bs_rect *rect) {
    *rect = w->rect[box];
    for (int k = 0; k < DIM; k++) {
        velocity[k] = next_velocity(w, box, dt, k);
        double to = rect->pos[k] + velocity[k] * dt;
        rect->pos[k] = to != rect->pos[k] ? to : rect->pos[k];
        if (!isfinite(to) || !isfinite(bs_far(rect, k))) { /* Also if the velocity is not. */
            return false;
        }
    }
    return true;
}

/* Moves a box through everything. Returns whether its place has changed. */
static bool fly(bs_world *w, uint32_t box, double dt) {
    double velocity[DIM];
    bs_rect rect;
    if (!advance(w, box, dt, velocity, &rect)) {
        return false;
    }
    bool moved = memcmp(&rect, &w->rect[box], sizeof rect) != 0;
    memcpy(w->motion[box].velocity, velocity, sizeof velocity);
    w->rect[box] = rect;
    return moved;
}

/* --- boxes with a response ------------------------------------------------------------------ */

/* Appends the hits of a box to those of this step. */
static bool note_hits(bs_world *w, uint32_t box, const bs_collisions *met) {
    bs_step_hits *hits = &w->step_found;
    size_t n = hits->n + met->n;
    if (!bs_array_reserve(&w->heap, &hits->at, &hits->cap, n, sizeof *hits->at)) {
        return false;
    }
    for (size_t i = 0; i < met->n; i++) {
        const bs_collision *c = &met->at[i];
        bs_step_hit *hit = &hits->at[hits->n++];
        *hit = (bs_step_hit){bs_world_id(w, box), c->id, c->response, c->t, {0}};
        memcpy(hit->normal, c->normal, sizeof hit->normal);
    }
    return true;
}

static bs_rules rules_of(const bs_world *w, uint32_t box) {
    return (bs_rules){.ignore = BS_NO_BOX, .to_pairs = (bs_response)w->conduct[box].response};
}

typedef enum progress { MOVED, IS_TO_WAIT, NO_MEMORY } progress;

/* Runs the move, but does not move the box. */
static progress run_move(bs_move *m, uint32_t *other) {
    switch (bs_move_run(m, other)) {
    case BS_MOVE_DONE:
        return note_hits(m->w, m->self, &m->met) ? MOVED : NO_MEMORY;
    case BS_MOVE_ASKS:
        return IS_TO_WAIT;
    default:
        return NO_MEMORY;
    }
}

static void take_over(bs_world *w, const bs_move *m) {
    bs_rect rect = bs_move_rect(m);
    memcpy(w->motion[m->self].velocity, m->velocity, sizeof w->motion[m->self].velocity);
    bs_world_update(w, m->self, &rect);
}

/* Moves a box that has a response, unless it must wait for another one. */
static progress respond(bs_world *w, uint32_t box, double dt, uint32_t *other) {
    double velocity[DIM];
    bs_rect rect;
    if (!advance(w, box, dt, velocity, &rect)) {
        return MOVED;
    }
    double fall[DIM];
    for (int k = 0; k < DIM; k++) {
        fall[k] = acceleration_of(w, box, k) * dt;
        if (!isfinite(rect.pos[k] - w->rect[box].pos[k])) {
            return MOVED;
        }
    }
    bs_rules rules = rules_of(w, box);
    bs_move *m = bs_move_begin_step(w, box, rect.pos, &rules, fall, dt);
    if (m == NULL) {
        return NO_MEMORY;
    }
    memcpy(m->velocity, velocity, sizeof m->velocity);
    progress done = run_move(m, other);
    if (done == MOVED) {
        take_over(w, m);
    }
    bs_move_end(m);
    return done;
}

/* --- turns ---------------------------------------------------------------------------------- */

bool bs_step_is_to_wait(const bs_move *m) {
    const bs_meeting *x = &m->meeting[0];
    const bs_obstacle *o = &m->obstacle[x->obstacle];
    double normal[DIM];
    double away = 0;
    if (m->w->turn[o->box] != DUE) {
        return false;
    }
    bs_meeting_normal(o, x, normal);
    for (int k = 0; k < DIM; k++) {
        away -= normal[k] * (next_velocity(m->w, o->box, m->dt, k) * m->dt);
    }
    return away > 0 && bs_way_leads_into(m, normal, 0);
}

/* What rounding may come to on an axis at the end of the way, beside another box. */
static double rounding_at_end(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    bs_rect end = bs_way_at(m, 1);
    const bs_rect *other = &m->w->rect[o->box];
    int k = x->face.axis;
    if (!o->exact) {
        return bs_largest_coordinate(&end, other) * BS_GRAZING;
    }
    double largest = fabs(end.pos[k]) + end.size[k] + fabs(other->pos[k]) + other->size[k];
    return largest * BS_GRAZING;
}

bool bs_step_keeps_pace(const bs_move *m, const bs_obstacle *o, const bs_meeting *x,
                        const double normal[DIM]) {
    const bs_world *w = m->w;
    if ((w->flags[o->box] & BS_IS_STATIC) != 0 || w->turn[o->box] != HAD) {
        return false;
    }
    double deep = -bs_way_speed(m, normal) * (1 - x->t);
    return deep <= rounding_at_end(m, o, x) &&
           bs_dot(w->motion[o->box].velocity, normal) <= bs_dot(m->velocity, normal);
}

/* The boxes that wait are on the list of all, behind these. */
static bool take_turns(bs_world *w, uint32_t first, double dt) {
    bs_list *list = &w->stepping;
    size_t all = list->n;
    list->at[list->n++] = first;
    while (list->n > all) {
        uint32_t other;
        uint32_t box = list->at[list->n - 1];
        w->turn[box] = WAITS; /* So nobody waits for it, as two would wait for each other. */
        progress done = respond(w, box, dt, &other);
        if (done == NO_MEMORY) {
            return false;
        }
        if (done == IS_TO_WAIT) {
            assert(list->n < list->cap);
            list->at[list->n++] = other;
        } else {
            w->turn[box] = HAD;
            list->n--;
        }
    }
    return true;
}

/* --- all boxes ------------------------------------------------------------------------------ */

static bool is_dynamic(const bs_world *w, uint32_t box) {
    return (w->flags[box] & (BS_ALIVE | BS_IS_STATIC)) == BS_ALIVE;
}

static bool responds(const bs_world *w, uint32_t box) {
    return w->state.responders > 0 && w->conduct[box].response != BS_PASS;
}

static void fly_all(bs_world *w, double dt) {
    assert(w->stepping.n == 0);
    for (uint32_t box = 0; box < w->ids.used; box++) {
        if (is_dynamic(w, box) && !responds(w, box) && fly(w, box, dt)) {
            w->stepping.at[w->stepping.n++] = box;
            bs_world_touch(w, box);
        }
    }
    if (w->stepping.n > 0) {
        bs_backend *part = w->part[BS_DYNAMIC];
        part->type->update(part, w->stepping.at, w->stepping.n);
    }
}

/* Remembers the state of all dynamic boxes, for a step that fails, and makes room for turns. */
static bool remember(bs_world *w) {
    if (!bs_array_reserve(&w->heap, &w->before, &w->before_cap, w->state.count,
                          sizeof *w->before) ||
        !bs_array_reserve(&w->heap, &w->turn, &w->turn_cap, w->ids.used, sizeof *w->turn) ||
        !bs_list_reserve(&w->heap, &w->stepping, 2 * (size_t)w->state.responders)) {
        return false;
    }
    size_t n = 0;
    for (uint32_t box = 0; box < w->ids.used; box++) {
        if (is_dynamic(w, box)) {
            w->before[n++] = (bs_before){box, w->rect[box], w->motion[box]};
        }
    }
    w->befores = n;
    return true;
}

static void give_back(bs_world *w) {
    for (size_t i = 0; i < w->befores; i++) {
        const bs_before *before = &w->before[i];
        w->motion[before->box] = before->motion;
        bs_world_update(w, before->box, &before->rect);
    }
}

/* In the order of insertion. Without memory all is as it was before the step. */
static bool respond_all(bs_world *w, double dt) {
    w->stepping.n = 0;
    for (uint32_t box = 0; box < w->ids.used; box++) {
        bool is_due = is_dynamic(w, box) && responds(w, box);
        w->turn[box] = is_due ? DUE : HAD;
        if (is_due) {
            w->stepping.at[w->stepping.n++] = box;
        }
    }
    bool done = !w->state.recycled || bs_world_sort(w, &w->stepping);
    for (size_t i = 0; done && i < w->stepping.n; i++) {
        uint32_t box = w->stepping.at[i];
        done = w->turn[box] == HAD || take_turns(w, box, dt);
    }
    if (!done) {
        give_back(w);
    }
    w->befores = 0;
    return done;
}

static void publish_hits(bs_world *w) {
    bs_step_hits found = w->step_found;
    w->step_found = w->step_hits;
    w->step_hits = found;
}

bs_status bs_world_step(bs_world *w, double dt) {
    assert(isfinite(dt));
    bool falls = false;
    for (int k = 0; k < DIM; k++) {
        falls |= w->state.gravity[k] != 0;
    }
    bs_world_shed(w);
    w->step_found.n = 0;
    if (w->motion == NULL && !falls && w->state.responders == 0) { /* Nothing has ever moved. */
        publish_hits(w);
        return BS_OK;
    }
    w->stepping.n = 0;
    if (!bs_list_reserve(&w->heap, &w->stepping, w->state.count) || !bs_column_make(w, BS_MOTION)) {
        return BS_NO_MEMORY;
    }
    if (w->state.responders > 0 && !remember(w)) {
        return BS_NO_MEMORY;
    }
    fly_all(w, dt);
    if (w->state.responders > 0 && !respond_all(w, dt)) {
        return BS_NO_MEMORY;
    }
    publish_hits(w);
    return BS_OK;
}

const bs_step_hits *bs_world_step_hits(const bs_world *w) {
    return &w->step_hits;
}
