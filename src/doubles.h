/*
 * doubles.h: two doubles at a time, for loops over columns that compilers do not make vector code
 * of by themselves. Each lane does one IEEE operation: the same bits on every machine.
 */
#ifndef BS_DOUBLES_H
#define BS_DOUBLES_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dim.h"
#include "variant.h"

enum { BS_D2_LANES = 2, BS_D2_ALL = 3 };
static_assert(BS_D2_ALL == (1 << BS_D2_LANES) - 1, "a bit for each lane");

#if BS_HAS_SSE2
#include <emmintrin.h>

typedef struct bs_d2 {
    __m128d v;
} bs_d2;

static inline bs_d2 bs_d2_load(const double *p) {
    return (bs_d2){_mm_loadu_pd(p)};
}
static inline void bs_d2_store(double *p, bs_d2 a) {
    _mm_storeu_pd(p, a.v);
}
static inline bs_d2 bs_d2_set(double x) {
    return (bs_d2){_mm_set1_pd(x)};
}
static inline bs_d2 bs_d2_add(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_add_pd(a.v, b.v)};
}
static inline bs_d2 bs_d2_sub(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_sub_pd(a.v, b.v)};
}
static inline bs_d2 bs_d2_mul(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_mul_pd(a.v, b.v)};
}
static inline bs_d2 bs_d2_div(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_div_pd(a.v, b.v)};
}
/* a < b ? a : b */
static inline bs_d2 bs_d2_min(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_min_pd(a.v, b.v)};
}
static inline bs_d2 bs_d2_max(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_max_pd(a.v, b.v)};
}
/* A mask per lane: all bits if a < b, and none otherwise, also for NaN. */
static inline bs_d2 bs_d2_less(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_cmplt_pd(a.v, b.v)};
}
static inline bs_d2 bs_d2_and(bs_d2 a, bs_d2 b) {
    return (bs_d2){_mm_and_pd(a.v, b.v)};
}
/* Bit i: the mask of lane i is set. */
static inline unsigned bs_d2_bits(bs_d2 mask) {
    return (unsigned)_mm_movemask_pd(mask.v);
}
/* Bit i: neither is NaN in lane i. */
static inline unsigned bs_d2_ordered(bs_d2 a, bs_d2 b) {
    return (unsigned)_mm_movemask_pd(_mm_cmpord_pd(a.v, b.v));
}
static inline bs_d2 bs_d2_abs(bs_d2 a) {
    return (bs_d2){_mm_andnot_pd(_mm_set1_pd(-0.0), a.v)};
}
/* Bit i: lane i has a minus sign. */
static inline unsigned bs_d2_signs(bs_d2 a) {
    return (unsigned)_mm_movemask_pd(a.v);
}
static inline void bs_d2_floats(float *p, bs_d2 a) {
    __m128 floats = _mm_cvtpd_ps(a.v);
    memcpy(p, &floats, BS_D2_LANES * sizeof *p);
}

#elif BS_HAS_NEON
#include <arm_neon.h>

typedef struct bs_d2 {
    float64x2_t v;
} bs_d2;

static inline bs_d2 bs_d2_load(const double *p) {
    return (bs_d2){vld1q_f64(p)};
}
static inline void bs_d2_store(double *p, bs_d2 a) {
    vst1q_f64(p, a.v);
}
static inline bs_d2 bs_d2_set(double x) {
    return (bs_d2){vdupq_n_f64(x)};
}
static inline bs_d2 bs_d2_add(bs_d2 a, bs_d2 b) {
    return (bs_d2){vaddq_f64(a.v, b.v)};
}
static inline bs_d2 bs_d2_sub(bs_d2 a, bs_d2 b) {
    return (bs_d2){vsubq_f64(a.v, b.v)};
}
static inline bs_d2 bs_d2_mul(bs_d2 a, bs_d2 b) {
    return (bs_d2){vmulq_f64(a.v, b.v)};
}
static inline bs_d2 bs_d2_div(bs_d2 a, bs_d2 b) {
    return (bs_d2){vdivq_f64(a.v, b.v)};
}
static inline bs_d2 bs_d2_min(bs_d2 a, bs_d2 b) {
    return (bs_d2){vbslq_f64(vcltq_f64(a.v, b.v), a.v, b.v)};
}
static inline bs_d2 bs_d2_max(bs_d2 a, bs_d2 b) {
    return (bs_d2){vbslq_f64(vcgtq_f64(a.v, b.v), a.v, b.v)};
}
static inline bs_d2 bs_d2_less(bs_d2 a, bs_d2 b) {
    return (bs_d2){vreinterpretq_f64_u64(vcltq_f64(a.v, b.v))};
}
static inline bs_d2 bs_d2_and(bs_d2 a, bs_d2 b) {
    return (bs_d2){
        vreinterpretq_f64_u64(vandq_u64(vreinterpretq_u64_f64(a.v), vreinterpretq_u64_f64(b.v)))};
}
static inline unsigned bs_d2_bits(bs_d2 mask) {
    uint64x2_t bits = vreinterpretq_u64_f64(mask.v);
    return (unsigned)(vgetq_lane_u64(bits, 0) & 1) | (unsigned)(vgetq_lane_u64(bits, 1) & 2);
}
static inline unsigned bs_d2_ordered(bs_d2 a, bs_d2 b) {
    uint64x2_t same = vandq_u64(vceqq_f64(a.v, a.v), vceqq_f64(b.v, b.v));
    return (unsigned)(vgetq_lane_u64(same, 0) & 1) | (unsigned)(vgetq_lane_u64(same, 1) & 2);
}
static inline bs_d2 bs_d2_abs(bs_d2 a) {
    return (bs_d2){vabsq_f64(a.v)};
}
static inline unsigned bs_d2_signs(bs_d2 a) {
    uint64x2_t bits = vreinterpretq_u64_f64(a.v);
    return (unsigned)(vgetq_lane_u64(bits, 0) >> 63) | (unsigned)(vgetq_lane_u64(bits, 1) >> 63)
                                                           << 1;
}
static inline void bs_d2_floats(float *p, bs_d2 a) {
    vst1_f32(p, vcvt_f32_f64(a.v));
}

#else

typedef struct bs_d2 {
    double v[BS_D2_LANES]; /* of a mask: 1 or 0 */
} bs_d2;

#define BS_D2_EACH(expression)                                                                     \
    bs_d2 out;                                                                                     \
    for (int i = 0; i < BS_D2_LANES; i++) {                                                        \
        out.v[i] = (expression);                                                                   \
    }                                                                                              \
    return out

static inline bs_d2 bs_d2_load(const double *p) {
    BS_D2_EACH(p[i]);
}
static inline void bs_d2_store(double *p, bs_d2 a) {
    memcpy(p, a.v, sizeof a.v);
}
static inline bs_d2 bs_d2_set(double x) {
    BS_D2_EACH(x);
}
static inline bs_d2 bs_d2_add(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] + b.v[i]);
}
static inline bs_d2 bs_d2_sub(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] - b.v[i]);
}
static inline bs_d2 bs_d2_mul(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] * b.v[i]);
}
static inline bs_d2 bs_d2_div(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] / b.v[i]);
}
static inline bs_d2 bs_d2_min(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
static inline bs_d2 bs_d2_max(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
static inline bs_d2 bs_d2_less(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] < b.v[i] ? 1 : 0);
}
static inline bs_d2 bs_d2_and(bs_d2 a, bs_d2 b) {
    BS_D2_EACH(a.v[i] * b.v[i]);
}
static inline unsigned bs_d2_bits(bs_d2 mask) {
    return (mask.v[0] > 0 ? 1u : 0u) | (mask.v[1] > 0 ? 2u : 0u);
}
static inline unsigned bs_d2_ordered(bs_d2 a, bs_d2 b) {
    return (isunordered(a.v[0], b.v[0]) ? 0u : 1u) | (isunordered(a.v[1], b.v[1]) ? 0u : 2u);
}
static inline bs_d2 bs_d2_abs(bs_d2 a) {
    BS_D2_EACH(fabs(a.v[i]));
}
static inline unsigned bs_d2_signs(bs_d2 a) {
    return (signbit(a.v[0]) ? 1u : 0u) | (signbit(a.v[1]) ? 2u : 0u);
}
static inline void bs_d2_floats(float *p, bs_d2 a) {
    p[0] = (float)a.v[0];
    p[1] = (float)a.v[1];
}

#undef BS_D2_EACH

#endif

static_assert(sizeof(bs_d2) == BS_D2_LANES * sizeof(double), "lanes as in an array");

#endif
