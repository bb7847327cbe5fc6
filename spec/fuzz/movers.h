/*
 * movers.h: a pool in plain loops over plain arrays, straight from pool.h. Zeros count as equal
 * whatever their signs are: nothing promises whether 0 is added to a velocity.
 */
#ifndef FUZZ_MOVERS_H
#define FUZZ_MOVERS_H

#include "broadside/pool.h"

enum { MOST_MOVERS = 140, MOST_EMITTERS = 6, MOST_CARRIED = 2 };

/* When a pattern fires next. */
typedef struct plain_timer {
    uint32_t wait; /* steps until it fires, without that one */
    int32_t left;  /* how many times it will fire; endlessly if < 0 */
} plain_timer;

typedef struct plain_mover {
    bs_id id;
    bs_shot shot; /* its present place and velocity */
    double before[DIM];
    uint32_t steps; /* how many steps it has lived */
    bool still;     /* it has been put somewhere since the last of them */
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
    plain_mover last[MOST_MOVERS]; /* those that ended in the last step, in their former order */
    uint32_t ended;
    plain_emitter emitter[MOST_EMITTERS];
    size_t emitters;
    uint64_t now; /* the number of the last step */
} plain_pool;

/* What movers that pierce have met. */
typedef struct plain_meet {
    bs_id mover;
    bs_id box;
    uint64_t step;
} plain_meet;
typedef struct plain_meets {
    plain_meet *at;
    size_t n, cap;
    uint64_t asked[2]; /* the last two steps after which it was asked, plus 1; the latest first */
} plain_meets;

plain_timer plain_start(const bs_pattern *pattern);

/* A shot at rest at the origin, with what the pool and the model (which may be NULL) set. */
bs_shot plain_shot(const plain_pool *p, const bs_model *model);
bool plain_spawn(plain_pool *p, const bs_shot *shot);
void plain_remove(plain_pool *p, uint32_t mover);
void plain_forget(plain_pool *p, uint32_t ended);
bs_pool_change plain_step(plain_pool *p, double dt);

/*
 * The i-th mover that takes part in hits: first the live ones, then the ended ones. NULL behind the
 * last.
 */
const plain_mover *plain_flown(const plain_pool *p, uint32_t i);

void plain_note_asked(plain_meets *meets, uint64_t step);
/* False: no memory */
bool plain_add_meet(plain_meets *meets, plain_meet meet);
bool plain_has_met(const plain_meets *meets, plain_meet meet);
bool plain_was_asked(const plain_meets *meets, uint64_t step);
bool plain_copy_meets(plain_meets *to, const plain_meets *from);

/* The box around a mover's centre. */
bs_rect plain_box(const double centre[DIM], const double size[DIM]);
/* The mover's box before the last step, and its motion since then. */
bs_rect plain_way(const plain_mover *m, double motion[DIM]);

#endif
