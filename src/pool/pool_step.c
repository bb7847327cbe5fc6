/*
 * pool_step.c: one step of a pool: movers fly, and are freed. It relies on the columns of pool.c.
 */
#include "simd/doubles.h"
#include "pool_parts.h"
#include "simd/simd.h"

#include <math.h>

/*
 * Movers are moved in blocks, as loops of a known length become vector code. Questions about all
 * movers (has its life ended, has it left the bounds) are asked of whole blocks, and answered with
 * "no" or "perhaps". A second pass looks at the movers of the few blocks with a "perhaps".
 */

static_assert((int)BS_MOVERS_BLOCK % (int)BS_D2_LANES == 0, "a block is a number of vectors");

/* velocity += acceleration dt */
static inline void accelerate(double *restrict velocity, const double *restrict acceleration,
                              double dt, size_t n) {
    for (size_t i = 0; i < n; i++) {
        velocity[i] += acceleration[i] * dt;
    }
}

/*
 * before += velocity last, then velocity += acceleration dt (NULL: they have none). True if before
 * + velocity dt, the new place, is strictly between lo and hi for all of them. It is one pass, as
 * memory limits the speed of a step.
 */
BS_HOT bool advance(double *restrict before, double *restrict velocity,
                    const double *restrict acceleration, double last, double dt, double lo,
                    double hi, size_t n) {
    bs_d2 least = bs_d2_set(HUGE_VAL);
    bs_d2 most = bs_d2_set(-HUGE_VAL);
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + BS_D2_LANES <= n; i += BS_D2_LANES) {
        bs_d2 v = bs_d2_load(velocity + i);
        bs_d2 from = bs_d2_load(before + i) + v * last;
        bs_d2_store(before + i, from);
        if (acceleration != NULL) {
            v += bs_d2_load(acceleration + i) * dt;
            bs_d2_store(velocity + i, v);
        }
        bs_d2 to = from + v * dt; /* It may be infinite, but not NaN. */
        least = bs_d2_min(least, to);
        most = bs_d2_max(most, to);
    }
    bool all = bs_l2_bits((least > bs_d2_set(lo)) & (most < bs_d2_set(hi))) == BS_D2_ALL;
    for (; i < n; i++) {
        before[i] += velocity[i] * last;
        if (acceleration != NULL) {
            velocity[i] += acceleration[i] * dt;
        }
        double to = before[i] + velocity[i] * dt;
        all &= to > lo && to < hi;
    }
    return all;
}

/* The same result for movers that have not moved yet. */
static inline bool stay_within(const double *restrict before, const double *restrict velocity,
                               double dt, double lo, double hi, size_t n) {
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        double to = before[i] + velocity[i] * dt;
        all &= to > lo && to < hi;
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

/* Ends the last step's motion: movers that are still begin where they are. */
static void settle(bs_pool *p, size_t first, size_t n) {
    assert(first + n <= p->capacity);
    for (size_t i = first; i < first + n; i++) {
        for (int k = 0; k < DIM; k++) {
            p->before[k][i] = bs_mover_place(p, (uint32_t)i, k);
        }
        p->still[i] = 0;
    }
}

/*
 * Moves n movers from `first` on, all of one block, in one pass if none of them is still. True if
 * some of them may have to be freed. It is inlined, so that the length of its loops is known.
 */
BS_HOT bool move_some(bs_pool *p, size_t first, double dt, size_t n) {
    assert(first % BS_MOVERS_BLOCK == 0 && n <= BS_MOVERS_BLOCK && first + n <= p->count);
    bool suspect = any_dies(p->dies + first, (uint32_t)p->now, n) != 0;
    bool mixed = p->mixed[first / BS_MOVERS_BLOCK] != 0;
    if (mixed) {
        settle(p, first, n);
    }
    for (int k = 0; k < DIM; k++) {
        double *before = p->before[k] + first;
        double *velocity = p->velocity[k] + first;
        const double *acceleration = p->acceleration[k] + first;
        double lo = p->safe_lo[k];
        double hi = p->safe_hi[k];
        if (mixed) {
            if (p->accelerating > 0) { /* As below: adding 0 would change the sign of -0. */
                accelerate(velocity, acceleration, dt, n);
            }
            suspect |= !stay_within(before, velocity, dt, lo, hi, n);
        } else if (p->accelerating > 0) {
            suspect |= !advance(before, velocity, acceleration, p->dt, dt, lo, hi, n);
        } else {
            suspect |= !advance(before, velocity, NULL, p->dt, dt, lo, hi, n);
        }
    }
    return suspect;
}

static void move_all(bs_pool *p, uint32_t n, double dt) {
    assert(n <= p->count);
    size_t whole = n / BS_MOVERS_BLOCK;
    for (size_t b = 0; b < whole; b++) {
        p->suspect[b] = move_some(p, b * BS_MOVERS_BLOCK, dt, BS_MOVERS_BLOCK);
        p->mixed[b] = 0;
    }
    if (n % BS_MOVERS_BLOCK > 0) { /* New movers may follow in this block, so it stays mixed. */
        p->suspect[whole] = move_some(p, whole * BS_MOVERS_BLOCK, dt, n % BS_MOVERS_BLOCK);
    }
    p->dt = dt;
}

/* Whether it is strictly within the range in which nothing more must be checked. */
static inline bool is_safe(const bs_pool *p, uint32_t mover) {
    assert(mover < p->count);
    for (int k = 0; k < DIM; k++) {
        double place = bs_mover_place(p, mover, k);
        if (!(place > p->safe_lo[k] && place < p->safe_hi[k])) {
            return false;
        }
    }
    return true;
}

/* False if it has no box any more, or no way that could hit anything. */
static bool is_finite(const bs_pool *p, uint32_t mover) {
    assert(mover < p->count);
    bs_rect rect = bs_mover_rect(p, mover);
    bs_way way = bs_pool_way(p, mover);
    return bs_rect_is_query(&rect) && bs_is_finite(way.motion);
}

static bool is_out(const bs_pool *p, uint32_t mover) {
    bs_rect rect = bs_mover_rect(p, mover);
    return p->settings.bounded && !bs_overlap(&rect, &p->settings.bounds);
}

static inline bool dies(const bs_pool *p, uint32_t mover) {
    return p->dies[mover] == (uint32_t)p->now && p->mover[mover].mortal;
}

/* Frees a mover that dies, or is not safe, if it must be freed. */
static void judge(bs_pool *p, uint32_t mover) {
    assert(mover < p->count);
    if (!is_finite(p, mover)) {
        bs_pool_remove(p, mover);
    } else if (dies(p, mover) || is_out(p, mover)) {
        bs_mover_end(p, mover);
    }
}

/* Downwards, as the mover that replaces a freed one has been looked at already, or is new. */
static uint32_t free_some(bs_pool *p, uint32_t n) {
    assert(n <= p->count);
    uint32_t before = p->count;
    for (uint32_t b = (n + BS_MOVERS_BLOCK - 1) / BS_MOVERS_BLOCK; b-- > 0;) {
        if (!p->suspect[b]) {
            continue;
        }
        uint32_t first = b * BS_MOVERS_BLOCK;
        uint32_t end = first + BS_MOVERS_BLOCK < n ? first + BS_MOVERS_BLOCK : n;
        for (uint32_t mover = end; mover-- > first;) {
            if (dies(p, mover) || !is_safe(p, mover)) {
                judge(p, mover);
            }
        }
    }
    assert(p->count <= before);
    return before - p->count;
}

/* In a build with BS_CHECKS the pool must be in order; large pools are checked now and then. */
static void examine(const bs_pool *p) {
#if defined(BS_CHECKS)
    enum { SMALL = 64, EVERY = 64 };
    assert(p->capacity > SMALL && p->now % EVERY != 0 ? true : bs_pool_check(p) == NULL);
#else
    (void)p;
#endif
}

bs_pool_change bs_pool_step(bs_pool *p, double dt) {
    assert(isfinite(dt));
    bs_pool_change change;
    uint32_t n = p->count;
    p->now++;
    bs_pool_forget_ended(p);
    change.spawned = bs_pool_emit(p);
    move_all(p, n, dt);
    change.freed = free_some(p, n);
    examine(p);
    return change;
}
