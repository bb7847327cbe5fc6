/*
 * simd.h: eight floats at a time.
 *
 * The same eight lanes on every machine: one register with AVX2, two with SSE2, plain loops
 * elsewhere. Each lane does one IEEE operation, so all of them give the same bits; what is built on
 * them gives the same answers in the same order everywhere.
 *
 * bs_f8_min(a, b) is a < b ? a : b, as minps has it (so b where they are equal); max likewise.
 */
#ifndef BS_SIMD_H
#define BS_SIMD_H

#include <stdint.h>
#include <string.h>

#include "dim.h"
#include "heap.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__AVX2__)
#include "packing.h"
#endif

enum { BS_LANES = 8, BS_ALL_LANES = 255 };

/* For what hot loops consist of: a call would cost as much as its body. */
#define BS_HOT static inline __attribute__((always_inline))
/* For what they rarely need: kept out of the way. */
#define BS_COLD static __attribute__((noinline, unused))

#if defined(__AVX2__)

typedef struct bs_f8 {
    __m256 v;
} bs_f8;

static inline bs_f8 bs_f8_load(const float *p) {
    return (bs_f8){_mm256_loadu_ps(p)};
}
static inline bs_f8 bs_f8_set(float x) {
    return (bs_f8){_mm256_set1_ps(x)};
}
static inline void bs_f8_store(float *p, bs_f8 a) {
    _mm256_storeu_ps(p, a.v);
}
static inline bs_f8 bs_f8_add(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_add_ps(a.v, b.v)};
}
static inline bs_f8 bs_f8_sub(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_sub_ps(a.v, b.v)};
}
static inline bs_f8 bs_f8_mul(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_mul_ps(a.v, b.v)};
}
static inline bs_f8 bs_f8_min(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_min_ps(a.v, b.v)};
}
static inline bs_f8 bs_f8_max(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_max_ps(a.v, b.v)};
}
/* Bit i is the sign bit of lane i. */
static inline unsigned bs_f8_signs(bs_f8 a) {
    return (unsigned)_mm256_movemask_ps(a.v);
}
/* Bit i: lane i of a <= lane i of b. */
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ));
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a.v, _mm256_setzero_ps(), _CMP_EQ_OQ));
}

#elif defined(__SSE2__)

typedef struct bs_f8 {
    __m128 lo, hi;
} bs_f8;

static inline bs_f8 bs_f8_load(const float *p) {
    return (bs_f8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}
static inline bs_f8 bs_f8_set(float x) {
    return (bs_f8){_mm_set1_ps(x), _mm_set1_ps(x)};
}
static inline void bs_f8_store(float *p, bs_f8 a) {
    _mm_storeu_ps(p, a.lo);
    _mm_storeu_ps(p + 4, a.hi);
}
static inline bs_f8 bs_f8_add(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_add_ps(a.lo, b.lo), _mm_add_ps(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_sub(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_sub_ps(a.lo, b.lo), _mm_sub_ps(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_mul(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_mul_ps(a.lo, b.lo), _mm_mul_ps(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_min(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_min_ps(a.lo, b.lo), _mm_min_ps(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_max(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_max_ps(a.lo, b.lo), _mm_max_ps(a.hi, b.hi)};
}
static inline unsigned bs_f8_signs(bs_f8 a) {
    return (unsigned)_mm_movemask_ps(a.lo) | (unsigned)_mm_movemask_ps(a.hi) << 4;
}
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return bs_f8_signs((bs_f8){_mm_cmple_ps(a.lo, b.lo), _mm_cmple_ps(a.hi, b.hi)});
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    __m128 zero = _mm_setzero_ps();
    return bs_f8_signs((bs_f8){_mm_cmpeq_ps(a.lo, zero), _mm_cmpeq_ps(a.hi, zero)});
}

#else

typedef struct bs_f8 {
    float v[BS_LANES];
} bs_f8;

#define BS_F8_EACH(expression)                                                                     \
    bs_f8 r;                                                                                       \
    for (int i = 0; i < BS_LANES; i++) {                                                           \
        r.v[i] = (expression);                                                                     \
    }                                                                                              \
    return r
#define BS_F8_MASK(condition)                                                                      \
    unsigned mask = 0;                                                                             \
    for (int i = 0; i < BS_LANES; i++) {                                                           \
        mask |= (unsigned)(condition) << i;                                                        \
    }                                                                                              \
    return mask

static inline bs_f8 bs_f8_load(const float *p) {
    BS_F8_EACH(p[i]);
}
static inline bs_f8 bs_f8_set(float x) {
    BS_F8_EACH(x);
}
static inline void bs_f8_store(float *p, bs_f8 a) {
    memcpy(p, a.v, sizeof a.v);
}
static inline bs_f8 bs_f8_add(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] + b.v[i]);
}
static inline bs_f8 bs_f8_sub(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] - b.v[i]);
}
static inline bs_f8 bs_f8_mul(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] * b.v[i]);
}
static inline bs_f8 bs_f8_min(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
static inline bs_f8 bs_f8_max(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
static inline unsigned bs_f8_signs(bs_f8 a) {
    BS_F8_MASK(__builtin_signbit(a.v[i]) != 0);
}
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    BS_F8_MASK(a.v[i] <= b.v[i]);
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    BS_F8_MASK(!(a.v[i] < 0) && !(a.v[i] > 0));
}

#endif

/* The least and the greatest of the eight lanes. */
#if defined(__SSE2__)

#if defined(__AVX2__)
#define BS_LOW_HALF(a) _mm256_castps256_ps128((a).v)
#define BS_HIGH_HALF(a) _mm256_extractf128_ps((a).v, 1)
#else
#define BS_LOW_HALF(a) (a).lo
#define BS_HIGH_HALF(a) (a).hi
#endif

static inline float bs_f8_least(bs_f8 a) {
    __m128 four = _mm_min_ps(BS_LOW_HALF(a), BS_HIGH_HALF(a));
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}
static inline float bs_f8_greatest(bs_f8 a) {
    __m128 four = _mm_max_ps(BS_LOW_HALF(a), BS_HIGH_HALF(a));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#else

static inline float bs_f8_least(bs_f8 a) {
    float least = a.v[0];
    for (int i = 1; i < BS_LANES; i++) {
        least = a.v[i] < least ? a.v[i] : least;
    }
    return least;
}
static inline float bs_f8_greatest(bs_f8 a) {
    float greatest = a.v[0];
    for (int i = 1; i < BS_LANES; i++) {
        greatest = a.v[i] > greatest ? a.v[i] : greatest;
    }
    return greatest;
}

#endif

static inline int bs_first_lane(unsigned mask) {
    return __builtin_ctz(mask);
}

static inline unsigned bs_count_lanes(unsigned mask) {
    return (unsigned)__builtin_popcount(mask);
}

#if defined(__AVX2__)

static inline __m256i bs_pack_lanes(__m256i lanes, unsigned mask) {
    __m128i row = _mm_loadl_epi64((const __m128i *)(const void *)&bs_packing[mask]);
    return _mm256_permutevar8x32_epi32(lanes, _mm256_cvtepu8_epi32(row));
}

static inline void bs_append(bs_list *out, const uint32_t ids[BS_LANES], unsigned mask) {
    __m256i packed = bs_pack_lanes(_mm256_loadu_si256((const __m256i *)(const void *)ids), mask);
    _mm256_storeu_si256((__m256i *)(void *)(out->at + out->n), packed);
    out->n += bs_count_lanes(mask);
}

static inline void bs_append_pairs(bs_pairs *out, uint32_t a, const uint32_t ids[BS_LANES],
                                   unsigned mask) {
    __m256i b = bs_pack_lanes(_mm256_loadu_si256((const __m256i *)(const void *)ids), mask);
    __m256i all_a = _mm256_set1_epi32((int)a);
    __m256i low = _mm256_min_epu32(all_a, b);
    __m256i high = _mm256_max_epu32(all_a, b);
    __m256i even = _mm256_unpacklo_epi32(low, high); /* pairs 0 1 4 5 */
    __m256i odd = _mm256_unpackhi_epi32(low, high);  /* pairs 2 3 6 7 */
    __m256i *to = (__m256i *)(void *)(out->at + out->n);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    out->n += bs_count_lanes(mask);
}

/* Appends (a, first + i) for each set lane i. */
static inline void bs_append_lanes(bs_pairs *out, uint32_t a, uint32_t first, unsigned mask) {
    __m256i lanes =
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i b = bs_pack_lanes(lanes, mask);
    __m256i all_a = _mm256_set1_epi32((int)a);
    __m256i even = _mm256_unpacklo_epi32(all_a, b);
    __m256i odd = _mm256_unpackhi_epi32(all_a, b);
    __m256i *to = (__m256i *)(void *)(out->at + out->n);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    out->n += bs_count_lanes(mask);
}

#else

/* Appends ids[i] for each set lane i. There must be room for eight more: see bs_list_reserve. */
static inline void bs_append(bs_list *out, const uint32_t ids[BS_LANES], unsigned mask) {
    uint32_t *at = out->at + out->n;
    for (int i = 0; i < BS_LANES; i++) { /* branch-free: always written, counted when meant */
        *at = ids[i];
        at += mask >> i & 1;
    }
    out->n = (size_t)(at - out->at);
}

/* Appends (a, ids[i]), the lower one first, for each set lane i. Room for eight more, likewise. */
static inline void bs_append_pairs(bs_pairs *out, uint32_t a, const uint32_t ids[BS_LANES],
                                   unsigned mask) {
    bs_pair *at = out->at + out->n;
    for (int i = 0; i < BS_LANES; i++) {
        uint32_t b = ids[i];
        at->a = a < b ? a : b;
        at->b = a < b ? b : a;
        at += mask >> i & 1;
    }
    out->n = (size_t)(at - out->at);
}

/* Appends (a, first + i) for each set lane i. Room for eight more, likewise. */
static inline void bs_append_lanes(bs_pairs *out, uint32_t a, uint32_t first, unsigned mask) {
    bs_pair *at = out->at + out->n;
    for (uint32_t i = 0; i < BS_LANES; i++) {
        *at = (bs_pair){a, first + i};
        at += mask >> i & 1;
    }
    out->n = (size_t)(at - out->at);
}

#endif

#endif
