/*
 * emitter.h: what fires movers: when, from where, in which directions, and what.
 *
 * A pattern has no state. Whether it fires depends on its age alone, which is the number of steps
 * it has been through: so a mover that carries emitters needs no memory for them.
 */
#ifndef BS_EMITTER_H
#define BS_EMITTER_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "dim.h"

#pragma GCC visibility push(hidden)

typedef struct bs_model bs_model;

/*
 * Fires at age delay, and then every `cycle` steps, `count` times. Each time it fires
 * nway * circle shots: `circle` fans, evenly around, and in each of them nway shots. A fan is
 * centred on its direction, and neighbours in it are nway_angle apart. Angles are radians from +x
 * towards +y; in 3D, too, all directions lie in the plane of x and y.
 */
typedef struct bs_pattern {
    double offset[DIM]; /* from the mover that carries it, or its place in the world */
    double angle; /* of the first fan, which circle_odd turns by half of what fans are apart */
    double speed; /* NaN: the model's */
    uint32_t delay;
    uint32_t cycle; /* > 0 */
    int32_t count;  /* < 0: endless */
    uint32_t nway;  /* > 0 */
    double nway_angle;
    uint32_t circle; /* > 0 */
    bool circle_odd;
    bool relative;         /* angle counts from where the mover that carries it flies to */
    const bs_model *model; /* of the shots; NULL: the pool's defaults */
} bs_pattern;

/* A prototype of movers. It must not change, nor go, while anything refers to it. */
struct bs_model {
    double speed;     /* of shots from a pattern without one */
    double size[DIM]; /* < 0: the pool's */
    double acceleration[DIM];
    uint32_t life; /* steps; 0: endless */
    uint32_t mask;
    bool has_mask; /* else the pool's */
    int64_t tag;
    uint32_t emitters; /* patterns that each mover carries */
    const bs_pattern *emitter;
};

/* One shot each step, from 0, 0 towards +x, endless. */
bs_pattern bs_pattern_default(void);

/* At rest, of the pool's size, endless. */
bs_model bs_model_default(void);

/* Whether it fires in the step before which it has been through `age` others. */
bool bs_pattern_fires(const bs_pattern *pattern, uint64_t age);

/* How often it will still fire after `age` steps; < 0: endless. */
int32_t bs_pattern_left(const bs_pattern *pattern, uint64_t age);

/* How many shots it fires at once. */
static inline uint64_t bs_pattern_shots(const bs_pattern *pattern) {
    assert(pattern->nway > 0 && pattern->circle > 0);
    return (uint64_t)pattern->nway * pattern->circle;
}

/* The velocity of shot number `shot`: fan by fan. `heading` is added to its angle if relative. */
void bs_pattern_velocity(const bs_pattern *pattern, uint64_t shot, double heading,
                         double velocity[DIM]);

#pragma GCC visibility pop

#endif
