/*
 * movers.h: a pool in plain loops over plain arrays, straight from pool.h. Zeros count as equal
 * whatever their signs: whether 0 is added to a velocity is nowhere promised.
 */
#ifndef FUZZ_MOVERS_H
#define FUZZ_MOVERS_H

#include "broadside/pool.h"

enum { MOST_MOVERS = 140, MOST_EMITTERS = 6, MOST_CARRIED = 2 };

/* When a pattern fires next. */
typedef struct plain_timer {
    uint32_t wait; /* steps in which it does not fire before that */
    int32_t left;  /* how often it will fire; < 0: endlessly */
} plain_timer;

typedef struct plain_mover {
    bs_id id;
    bs_shot shot; /* place and velocity: now */
    double before[DIM];
    uint32_t steps; /* that it has been through */
    plain_timer timer[MOST_CARRIED];
} plain_mover;

typedef struct plain_emitter {
    uint64_t number;
    bs_pattern pattern;
    plain_timer timer;
} plain_emitter;

typedef struct plain_pool {
    bs_pool_settings settings;
    plain_mover mover[MOST_MOVERS];
    uint32_t n;
    plain_mover last[MOST_MOVERS]; /* those that ended in the last step, in the order they had */
    uint32_t ended;
    plain_emitter emitter[MOST_EMITTERS];
    size_t emitters;
} plain_pool;

plain_timer plain_start(const bs_pattern *pattern);

/* A shot at rest at the origin, as the pool and the model (which may be NULL) want it. */
bs_shot plain_shot(const plain_pool *p, const bs_model *model);
bool plain_spawn(plain_pool *p, const bs_shot *shot);
void plain_remove(plain_pool *p, uint32_t mover);
void plain_forget(plain_pool *p, uint32_t ended);
bs_pool_change plain_step(plain_pool *p, double dt);

/* Who takes part in hits: the live ones, then the ended ones. NULL: there are no more. */
const plain_mover *plain_flown(const plain_pool *p, uint32_t i);

/* The box of a mover's centre. */
bs_rect plain_box(const double centre[DIM], const double size[DIM]);
/* Where its box was before the last step, and how it has moved since. */
bs_rect plain_way(const plain_mover *m, double motion[DIM]);

#endif
