#include "motion.h"

#include <math.h>
#include <string.h>

/* --- one box -------------------------------------------------------------------------------- */

/* Its acceleration along an axis: by gravity, so many times as its scale says, and its own. */
static double acceleration_of(const bs_world *w, uint32_t box, int axis) {
    double scale = w->conduct != NULL ? w->conduct[box].gravity_scale : 1;
    return w->gravity[axis] * scale + w->motion[box].acceleration[axis];
}

/*
 * The velocity and the place of a box after a step through nothing. False: they would not be
 * finite. Where it does not move it stays bit for bit: adding 0 would make 0 of -0.
 */
static bool advance(const bs_world *w, uint32_t box, double dt, double velocity[DIM],
                    bs_rect *rect) {
    const bs_motion *motion = &w->motion[box];
    *rect = w->rect[box];
    for (int k = 0; k < DIM; k++) {
        velocity[k] = motion->velocity[k] + acceleration_of(w, box, k) * dt;
        double to = rect->pos[k] + velocity[k] * dt;
        rect->pos[k] = to != rect->pos[k] ? to : rect->pos[k];
        if (!isfinite(to) || !isfinite(bs_far(rect, k))) { /* also of no finite velocity */
            return false;
        }
    }
    return true;
}

/* Flies through everything. True if its place has changed. */
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

/* What was met, behind what others have met in this step. False: no memory. */
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
    bs_rules rules = {.ignore = BS_NO_BOX, .pairs = true};
    rules.mask[w->conduct[box].response] = BS_ANY_LAYER;
    return rules;
}

/* Runs the way, and takes over what comes of it. False: no memory; then nothing was taken over. */
static bool finish_move(bs_world *w, bs_move *m, double velocity[DIM], double dt) {
    uint32_t none;
    for (int k = 0; k < DIM; k++) {
        m->fall[k] = 2 * acceleration_of(w, m->self, k) * dt * dt;
    }
    memcpy(m->velocity, velocity, sizeof m->velocity);
    if (bs_move_run(m, &none) != BS_MOVE_DONE || !note_hits(w, m->self, &m->met)) {
        return false;
    }
    bs_rect rect = bs_move_rect(m);
    memcpy(w->motion[m->self].velocity, m->velocity, sizeof w->motion[m->self].velocity);
    bs_world_update(w, m->self, &rect);
    return true;
}

/* Moves a box that has a response. False: no memory. */
static bool respond(bs_world *w, uint32_t box, double dt) {
    double velocity[DIM];
    bs_rect rect;
    if (!advance(w, box, dt, velocity, &rect)) {
        return true;
    }
    for (int k = 0; k < DIM; k++) {
        if (!isfinite(rect.pos[k] - w->rect[box].pos[k])) {
            return true;
        }
    }
    bs_rules rules = rules_of(w, box);
    bs_move *m = bs_move_begin(w, box, rect.pos, &rules);
    if (m == NULL) {
        return false;
    }
    bool done = finish_move(w, m, velocity, dt);
    bs_move_end(m);
    return done;
}

/* --- all boxes ------------------------------------------------------------------------------ */

static bool is_dynamic(const bs_world *w, uint32_t box) {
    return (w->flags[box] & (BS_ALIVE | BS_IS_STATIC)) == BS_ALIVE;
}

static bool responds(const bs_world *w, uint32_t box) {
    return w->responders > 0 && w->conduct[box].response != BS_PASS;
}

static void fly_all(bs_world *w, double dt) {
    assert(w->moved.n == 0);
    for (uint32_t box = 0; box < w->used; box++) {
        if (is_dynamic(w, box) && !responds(w, box) && fly(w, box, dt)) {
            w->moved.at[w->moved.n++] = box;
            bs_world_touch(w, box);
        }
    }
    if (w->moved.n > 0) {
        bs_backend *part = w->part[BS_DYNAMIC];
        part->type->update(part, w->moved.at, w->moved.n);
    }
}

/* What a step without memory gives back: all that dynamic boxes were before. False: no memory. */
static bool remember(bs_world *w) {
    if (!bs_array_reserve(&w->heap, &w->before, &w->before_cap, w->count, sizeof *w->before)) {
        return false;
    }
    size_t n = 0;
    for (uint32_t box = 0; box < w->used; box++) {
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

/* In the order of insertion. False: no memory; then all is as it was before the step. */
static bool respond_all(bs_world *w, double dt) {
    w->moved.n = 0;
    for (uint32_t box = 0; box < w->used; box++) {
        if (is_dynamic(w, box) && responds(w, box)) {
            w->moved.at[w->moved.n++] = box;
        }
    }
    bool done = !w->recycled || bs_world_sort(w, &w->moved);
    for (size_t i = 0; done && i < w->moved.n; i++) {
        done = respond(w, w->moved.at[i], dt);
    }
    if (!done) {
        give_back(w);
    }
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
        falls |= w->gravity[k] != 0;
    }
    bs_world_shed(w);
    w->step_found.n = 0;
    if (w->motion == NULL && !falls && w->responders == 0) { /* nothing has ever moved */
        publish_hits(w);
        return BS_OK;
    }
    w->moved.n = 0;
    if (!bs_list_reserve(&w->heap, &w->moved, w->count) ||
        !bs_motion_reserve(w, bs_world_span(w))) {
        return BS_NO_MEMORY;
    }
    if (w->responders > 0 && !remember(w)) {
        return BS_NO_MEMORY;
    }
    fly_all(w, dt);
    if (w->responders > 0 && !respond_all(w, dt)) {
        return BS_NO_MEMORY;
    }
    publish_hits(w);
    return BS_OK;
}

const bs_step_hits *bs_world_step_hits(const bs_world *w) {
    return &w->step_hits;
}
