/*
 * doubles.h: two doubles at a time, for loops over columns that compilers do not make vector code
 * of by themselves, by the operators that GCC and Clang have for vectors. Each lane does one IEEE
 * operation: the same bits on every machine.
 */
#ifndef BS_DOUBLES_H
#define BS_DOUBLES_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "broadside/geometry.h"
#include "variant.h"

#if BS_HAS_SSE2
#include <emmintrin.h>
#endif

enum { BS_D2_LANES = 2, BS_D2_ALL = 3 };
static_assert(BS_D2_ALL == (1 << BS_D2_LANES) - 1, "a bit for each lane");

typedef double bs_d2 __attribute__((vector_size(16)));
typedef uint64_t bs_l2 __attribute__((vector_size(16)));

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
static inline bs_d2 bs_d2_add(bs_d2 a, bs_d2 b) {
    return a + b;
}
static inline bs_d2 bs_d2_sub(bs_d2 a, bs_d2 b) {
    return a - b;
}
static inline bs_d2 bs_d2_mul(bs_d2 a, bs_d2 b) {
    return a * b;
}
static inline bs_d2 bs_d2_div(bs_d2 a, bs_d2 b) {
    return a / b;
}
/* A mask per lane: all bits if a < b, and none otherwise, also for NaN. */
static inline bs_d2 bs_d2_less(bs_d2 a, bs_d2 b) {
    return (bs_d2)(a < b);
}
static inline bs_d2 bs_d2_and(bs_d2 a, bs_d2 b) {
    return (bs_d2)((bs_l2)a & (bs_l2)b);
}
static inline bs_d2 bs_d2_abs(bs_d2 a) {
    return (bs_d2)((bs_l2)a & INT64_MAX);
}
/* a < b ? a : b */
static inline bs_d2 bs_d2_min(bs_d2 a, bs_d2 b) {
#if BS_HAS_SSE2
    return _mm_min_pd(a, b);
#else
    bs_l2 less = (bs_l2)(a < b);
    return (bs_d2)((less & (bs_l2)a) | (~less & (bs_l2)b));
#endif
}
static inline bs_d2 bs_d2_max(bs_d2 a, bs_d2 b) {
#if BS_HAS_SSE2
    return _mm_max_pd(a, b);
#else
    bs_l2 more = (bs_l2)(a > b);
    return (bs_d2)((more & (bs_l2)a) | (~more & (bs_l2)b));
#endif
}
/* Bit i: lane i has a minus sign; of a mask: it is set. */
static inline unsigned bs_d2_signs(bs_d2 a) {
#if BS_HAS_SSE2
    return (unsigned)_mm_movemask_pd(a);
#else
    bs_l2 signs = (bs_l2)a >> 63;
    return (unsigned)signs[0] | (unsigned)signs[1] << 1;
#endif
}
/* Bit i: neither is NaN in lane i. */
static inline unsigned bs_d2_ordered(bs_d2 a, bs_d2 b) {
    return bs_d2_signs((bs_d2)((a <= b) | (a > b)));
}
static inline void bs_d2_floats(float *p, bs_d2 a) {
#if BS_HAS_SSE2
    __m128 floats = _mm_cvtpd_ps(a);
    memcpy(p, &floats, BS_D2_LANES * sizeof *p);
#else
    p[0] = (float)a[0];
    p[1] = (float)a[1];
#endif
}

#endif
