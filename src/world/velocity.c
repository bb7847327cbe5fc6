/* velocity.c: velocities, accelerations, and the gravity that acts on all. */
#include "world_parts.h"

#include <string.h>

static bs_motion motion_of(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return w->motion != NULL ? w->motion[box] : (bs_motion){{0}, {0}};
}

void bs_world_velocity(const bs_world *w, uint32_t box, double velocity[DIM]) {
    bs_motion motion = motion_of(w, box);
    memcpy(velocity, motion.velocity, sizeof motion.velocity);
}

void bs_world_acceleration(const bs_world *w, uint32_t box, double acceleration[DIM]) {
    bs_motion motion = motion_of(w, box);
    memcpy(acceleration, motion.acceleration, sizeof motion.acceleration);
}

/* Sets a field of a box's motion, which begins at that byte. */
static bs_status set(bs_world *w, uint32_t box, size_t at, const double value[DIM]) {
    assert(bs_world_alive(w, box));
    assert(bs_is_finite(value));
    if (!bs_column_make(w, BS_MOTION)) {
        return BS_NO_MEMORY;
    }
    memcpy((char *)&w->motion[box] + at, value, DIM * sizeof *value);
    bs_world_stir(w, box);
    return BS_OK;
}

bs_status bs_world_set_velocity(bs_world *w, uint32_t box, const double velocity[DIM]) {
    return set(w, box, offsetof(bs_motion, velocity), velocity);
}

bs_status bs_world_set_acceleration(bs_world *w, uint32_t box, const double acceleration[DIM]) {
    return set(w, box, offsetof(bs_motion, acceleration), acceleration);
}

void bs_world_set_gravity(bs_world *w, const double gravity[DIM]) {
    assert(bs_is_finite(gravity));
    memcpy(w->state.gravity, gravity, sizeof w->state.gravity);
}

void bs_world_gravity(const bs_world *w, double gravity[DIM]) {
    memcpy(gravity, w->state.gravity, sizeof w->state.gravity);
}
