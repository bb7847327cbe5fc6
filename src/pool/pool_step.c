/* pool_step.c: one step of a pool: movers fly, and are freed; on the columns of pool.c. */
#include "simd/doubles.h"
#include "pool_parts.h"
#include "simd/simd.h"

#include <math.h>

/*
 * Movers are moved in blocks, as loops of a known length become vector code. Tests of all
 * movers (has its life ended, has it left the bounds) are made on whole blocks, and answered with
 * "no" or "perhaps". Only the movers of the few blocks with a "perhaps" are looked at one by one.
 */

enum { BLOCK = 64 };
static_assert((int)BLOCK % (int)BS_D2_LANES == 0, "a block is a number of vectors");

/* A step. */
typedef struct flight {
    double last; /* The length of the last step, */
    double dt;   /* and of this one. */
    bool accelerates;
    double lo[DIM]; /* A mover whose centre is strictly between these stays. */
    double hi[DIM];
} flight;

/*
 * If a centre is strictly within the bounds, its box overlaps them, whatever its size: rounding
 * never puts its sides on the wrong side of its centre. And up to 1e300 any size is finite.
 */
static void set_range(flight *f, const bs_pool_settings *settings) {
    const double far = 1e300;
    for (int k = 0; k < DIM; k++) {
        f->lo[k] = settings->bounded ? fmax(-far, settings->bounds.pos[k]) : -far;
        f->hi[k] = settings->bounded ? fmin(far, bs_far(&settings->bounds, k)) : far;
    }
}

/*
 * before += velocity last, unless that is settled; then velocity += acceleration dt (NULL: they
 * have none), on axis k. True if before + velocity dt, the new place, is strictly between lo and hi
 * for all of them. It is one pass, as memory limits the speed of a step.
 */
BS_HOT bool advance(const flight *f, int k, double *restrict before, double *restrict velocity,
                    const double *restrict acceleration, bool settled, size_t n) {
    const double last = f->last;
    const double dt = f->dt;
    bs_d2 least = bs_d2_set(HUGE_VAL);
    bs_d2 most = bs_d2_set(-HUGE_VAL);
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + BS_D2_LANES <= n; i += BS_D2_LANES) {
        bs_d2 v = bs_d2_load(velocity + i);
        bs_d2 from = bs_d2_load(before + i);
        if (!settled) { /* Adding 0 would change the sign of -0. */
            from += v * last;
            bs_d2_store(before + i, from);
        }
        if (acceleration != NULL) {
            v += bs_d2_load(acceleration + i) * dt;
            bs_d2_store(velocity + i, v);
        }
        bs_d2 to = from + v * dt; /* It may be infinite, but not NaN. */
        least = bs_d2_min(least, to);
        most = bs_d2_max(most, to);
    }
    bool all =
        bs_l2_bits((least > bs_d2_set(f->lo[k])) & (most < bs_d2_set(f->hi[k]))) == BS_D2_ALL;
    for (; i < n; i++) {
        before[i] = settled ? before[i] : before[i] + velocity[i] * last;
        if (acceleration != NULL) {
            velocity[i] += acceleration[i] * dt;
        }
        double to = before[i] + velocity[i] * dt;
        all &= to > f->lo[k] && to < f->hi[k];
    }
    return all;
}

/* Not 0 if one of them ends with this step. */
BS_HOT uint32_t any_dies(const uint32_t *dies, uint32_t now, size_t n) {
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) {
        found |= dies[i] == now;
    }
    return found;
}

BS_HOT bool any_is_still(const uint8_t *still, size_t n) {
    uint8_t found = 0;
    for (size_t i = 0; i < n; i++) {
        found |= still[i];
    }
    return found != 0;
}

/* Ends the last step's motion: movers that are still begin where they are. */
static void settle(bs_pool *p, size_t first, double last, size_t n) {
    for (size_t i = first; i < first + n; i++) {
        for (int k = 0; k < DIM && !p->still[i]; k++) {
            p->before[k][i] += p->velocity[k][i] * last;
        }
        p->still[i] = 0;
    }
}

/*
 * Moves n movers from `first` on, all of one block, in one pass if none of them is still. True if
 * some of them may have to be freed. It is inlined, so that the length of its loops is known.
 */
BS_HOT bool move_some(bs_pool *p, const flight *f, size_t first, size_t n) {
    assert(first % BLOCK == 0 && n <= BLOCK && first + n <= p->state.count);
    bool suspect = any_dies(p->dies + first, (uint32_t)p->state.now, n) != 0;
    bool settled = any_is_still(p->still + first, n);
    if (settled) {
        settle(p, first, f->last, n);
    }
    for (int k = 0; k < DIM; k++) {
        double *before = p->before[k] + first;
        double *velocity = p->velocity[k] + first;
        const double *acceleration = f->accelerates ? p->acceleration[k] + first : NULL;
        if (settled) { /* Each case is compiled by itself. */
            suspect |= !advance(f, k, before, velocity, acceleration, true, n);
        } else if (acceleration != NULL) {
            suspect |= !advance(f, k, before, velocity, acceleration, false, n);
        } else {
            suspect |= !advance(f, k, before, velocity, NULL, false, n);
        }
    }
    return suspect;
}

/* Whether it is strictly within the range in which nothing more must be checked. */
static inline bool is_safe(const bs_pool *p, const flight *f, uint32_t mover) {
    assert(mover < p->state.count);
    for (int k = 0; k < DIM; k++) {
        double place = bs_mover_place(p, mover, k);
        if (!(place > f->lo[k] && place < f->hi[k])) {
            return false;
        }
    }
    return true;
}

/* False if it has no box any more, or no way that could hit anything. */
static bool is_finite(const bs_pool *p, uint32_t mover) {
    assert(mover < p->state.count);
    bs_rect rect = bs_mover_rect(p, mover);
    bs_way way = bs_pool_way(p, mover);
    return bs_rect_is_query(&rect) && bs_is_finite(way.motion);
}

static bool is_out(const bs_pool *p, uint32_t mover) {
    bs_rect rect = bs_mover_rect(p, mover);
    return p->state.settings.bounded && !bs_overlap(&rect, &p->state.settings.bounds);
}

static inline bool dies(const bs_pool *p, uint32_t mover) {
    return p->dies[mover] == (uint32_t)p->state.now && p->mover[mover].mortal;
}

/* Frees a mover that dies, or is not safe, if it must be freed. */
static void judge(bs_pool *p, uint32_t mover) {
    assert(mover < p->state.count);
    if (!is_finite(p, mover)) {
        bs_pool_remove(p, mover);
    } else if (dies(p, mover) || is_out(p, mover)) {
        bs_mover_end(p, mover);
    }
}

static void judge_some(bs_pool *p, const flight *f, uint32_t first, uint32_t n) {
    for (uint32_t mover = first + n; mover-- > first;) {
        if (dies(p, mover) || !is_safe(p, f, mover)) {
            judge(p, mover);
        }
    }
}

/*
 * Moves the first n movers, and frees those that must be freed. Downwards, as the mover that
 * replaces a freed one has been looked at already, or is new.
 */
static void move_all(bs_pool *p, const flight *f, uint32_t n) {
    const uint32_t rest = n % BLOCK;
    uint32_t first = n - rest;
    if (rest > 0 && move_some(p, f, first, rest)) {
        judge_some(p, f, first, rest);
    }
    while (first > 0) {
        first -= BLOCK;
        if (move_some(p, f, first, BLOCK)) {
            judge_some(p, f, first, BLOCK);
        }
    }
}

bs_pool_change bs_pool_step(bs_pool *p, double dt) {
    assert(isfinite(dt));
    bs_pool_change change;
    uint32_t n = p->state.count;
    p->state.now++;
    bs_pool_forget_ended(p);
    change.spawned = bs_pool_emit(p);
    uint32_t before = p->state.count;
    flight f = {.last = p->state.dt, .dt = dt, .accelerates = p->state.accelerating > 0};
    set_range(&f, &p->state.settings);
    p->state.dt = dt;
    move_all(p, &f, n);
    change.freed = before - p->state.count;
    bs_pool_examine(p);
    return change;
}
