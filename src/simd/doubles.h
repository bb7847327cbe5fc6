/*
 * doubles.h: two doubles at a time, for loops over columns that compilers do not vectorize. It adds
 * to the operators that GCC and Clang have for vectors. Each lane does one IEEE operation, so the
 * results have the same bits on every machine.
 */
#ifndef BS_DOUBLES_H
#define BS_DOUBLES_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "variant.h"

#if BS_HAS_SSE2
#include <emmintrin.h>
#endif

enum { BS_D2_LANES = 2, BS_D2_ALL = 3 };
static_assert(BS_D2_ALL == (1 << BS_D2_LANES) - 1, "a bit for each lane");

typedef double bs_d2 __attribute__((vector_size(16)));
/* The result of a comparison: all bits, or none. */
typedef int64_t bs_l2 __attribute__((vector_size(16)));

static inline bs_d2 bs_d2_load(const double *p) {
    bs_d2 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline void bs_d2_store(double *p, bs_d2 a) {
    memcpy(p, &a, sizeof a);
}
static inline bs_d2 bs_d2_set(double x) {
    return (bs_d2){x, x};
}
/* a < b ? a : b */
static inline bs_d2 bs_d2_min(bs_d2 a, bs_d2 b) {
#if BS_HAS_SSE2
    return _mm_min_pd(a, b);
#else
    bs_l2 less = a < b;
    return (bs_d2)((less & (bs_l2)a) | (~less & (bs_l2)b));
#endif
}
/* a > b ? a : b */
static inline bs_d2 bs_d2_max(bs_d2 a, bs_d2 b) {
#if BS_HAS_SSE2
    return _mm_max_pd(a, b);
#else
    bs_l2 more = a > b;
    return (bs_d2)((more & (bs_l2)a) | (~more & (bs_l2)b));
#endif
}
/* Bit i is set if lane i is. */
static inline unsigned bs_l2_bits(bs_l2 a) {
#if BS_HAS_SSE2
    return (unsigned)_mm_movemask_pd((bs_d2)a);
#else
    return ((unsigned)a[0] & 1) | ((unsigned)a[1] & 2);
#endif
}

#endif
