#include "world_parts.h"

#include <string.h>

bool bs_motion_reserve(bs_world *w, size_t need) {
    size_t before = w->motion_cap;
    need = need > w->used ? need : w->used;
    if (!bs_array_reserve(&w->heap, &w->motion, &w->motion_cap, need, sizeof *w->motion)) {
        return false;
    }
    if (w->motion_cap > before) {
        memset(w->motion + before, 0, (w->motion_cap - before) * sizeof *w->motion);
    }
    return true;
}

static bs_motion motion_of(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    if (w->motion != NULL) {
        return w->motion[box];
    }
    bs_motion none;
    memset(&none, 0, sizeof none);
    return none;
}

void bs_world_velocity(const bs_world *w, uint32_t box, double velocity[DIM]) {
    bs_motion motion = motion_of(w, box);
    memcpy(velocity, motion.velocity, sizeof motion.velocity);
}

void bs_world_acceleration(const bs_world *w, uint32_t box, double acceleration[DIM]) {
    bs_motion motion = motion_of(w, box);
    memcpy(acceleration, motion.acceleration, sizeof motion.acceleration);
}

bs_status bs_world_set_velocity(bs_world *w, uint32_t box, const double velocity[DIM]) {
    assert(bs_world_alive(w, box));
    assert(bs_is_finite(velocity));
    if (!bs_motion_reserve(w, (size_t)box + 1)) {
        return BS_NO_MEMORY;
    }
    memcpy(w->motion[box].velocity, velocity, sizeof w->motion[box].velocity);
    return BS_OK;
}

bs_status bs_world_set_acceleration(bs_world *w, uint32_t box, const double acceleration[DIM]) {
    assert(bs_world_alive(w, box));
    assert(bs_is_finite(acceleration));
    if (!bs_motion_reserve(w, (size_t)box + 1)) {
        return BS_NO_MEMORY;
    }
    memcpy(w->motion[box].acceleration, acceleration, sizeof w->motion[box].acceleration);
    return BS_OK;
}

void bs_world_set_gravity(bs_world *w, const double gravity[DIM]) {
    assert(bs_is_finite(gravity));
    memcpy(w->gravity, gravity, sizeof w->gravity);
}

void bs_world_gravity(const bs_world *w, double gravity[DIM]) {
    memcpy(gravity, w->gravity, sizeof w->gravity);
}

/* Advances one box; true if its place has changed. */
static bool step_box(bs_world *w, uint32_t box, double dt) {
    assert(w->motion != NULL && box < w->motion_cap);
    bs_motion *motion = &w->motion[box];
    bs_rect rect = w->rect[box];
    double velocity[DIM];
    bool moved = false;
    for (int k = 0; k < DIM; k++) {
        velocity[k] = motion->velocity[k] + (w->gravity[k] + motion->acceleration[k]) * dt;
        rect.pos[k] += velocity[k] * dt;
        moved |= rect.pos[k] != w->rect[box].pos[k];
        if (!isfinite(velocity[k]) || !isfinite(rect.pos[k]) || !isfinite(bs_far(&rect, k))) {
            return false;
        }
    }
    memcpy(motion->velocity, velocity, sizeof velocity);
    if (moved) { /* else it stays bit for bit: adding 0 would make 0 of -0 */
        w->rect[box] = rect;
    }
    return moved;
}

bs_status bs_world_step(bs_world *w, double dt) {
    assert(isfinite(dt));
    bool falls = false;
    for (int k = 0; k < DIM; k++) {
        falls |= w->gravity[k] != 0;
    }
    if (w->motion == NULL && !falls) {
        return BS_OK; /* nothing has ever moved */
    }
    w->moved.n = 0;
    if (!bs_list_reserve(&w->heap, &w->moved, w->count) || !bs_motion_reserve(w, w->used)) {
        return BS_NO_MEMORY;
    }
    for (uint32_t box = 0; box < w->used; box++) {
        if ((w->flags[box] & (BS_ALIVE | BS_IS_STATIC)) == BS_ALIVE && step_box(w, box, dt)) {
            w->moved.at[w->moved.n++] = box;
            bs_world_touch(w, box);
        }
    }
    if (w->moved.n > 0) {
        bs_backend *part = w->part[BS_DYNAMIC];
        part->type->update(part, w->moved.at, w->moved.n);
    }
    return BS_OK;
}
