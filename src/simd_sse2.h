/* simd_sse2.h: eight lanes in two registers (see simd.h). */
#ifndef BS_SIMD_SSE2_H
#define BS_SIMD_SSE2_H

#include <emmintrin.h> /* immintrin.h takes longer to read than most files to compile */

#include "lanes.h"
#include "places.h"

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
static inline bs_f8 bs_f8_max_gap(bs_f8 a, bs_f8 b) {
    return bs_f8_max(a, b);
}
static inline bs_f8 bs_f8_either_zero(bs_f8 a, bs_f8 b) {
    const __m128 sign = _mm_set1_ps(-0.0f);
    return (bs_f8){_mm_min_ps(_mm_andnot_ps(sign, a.lo), _mm_andnot_ps(sign, b.lo)),
                   _mm_min_ps(_mm_andnot_ps(sign, a.hi), _mm_andnot_ps(sign, b.hi))};
}
static inline unsigned bs_f8_signs(bs_f8 a) {
    return (unsigned)_mm_movemask_ps(a.lo) | (unsigned)_mm_movemask_ps(a.hi) << 4;
}
static inline bs_f8 bs_f8_not_above(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_cmple_ps(a.lo, b.lo), _mm_cmple_ps(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_both(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm_and_ps(a.lo, b.lo), _mm_and_ps(a.hi, b.hi)};
}
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return bs_f8_signs(bs_f8_not_above(a, b));
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    __m128 zero = _mm_setzero_ps();
    return bs_f8_signs((bs_f8){_mm_cmpeq_ps(a.lo, zero), _mm_cmpeq_ps(a.hi, zero)});
}
static inline float bs_f8_least(bs_f8 a) {
    __m128 four = _mm_min_ps(a.lo, a.hi);
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}
static inline float bs_f8_greatest(bs_f8 a) {
    __m128 four = _mm_max_ps(a.lo, a.hi);
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}
/* Lane i becomes what lane i + by was. */
BS_HOT __m128 bs_turn4(__m128 a, int by) {
    return by == 0   ? a
           : by == 1 ? _mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 3, 2, 1))
           : by == 2 ? _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2))
                     : _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 1, 0, 3));
}
BS_HOT bs_f8 bs_f8_home(const float *p, int round) {
    return (bs_f8){_mm_loadu_ps(p), _mm_loadu_ps(round < 2 ? p + 4 : p)};
}
BS_HOT bs_f8 bs_f8_away(const float *p, int round) {
    __m128 hi = _mm_loadu_ps(p + 4);
    return round < 2 ? (bs_f8){bs_turn4(_mm_loadu_ps(p), round + 1), bs_turn4(hi, round + 1)}
                     : (bs_f8){bs_turn4(hi, 2 * round - 4), bs_turn4(hi, 2 * round - 3)};
}
static inline __m128 bs_where_le4(__m128 a, __m128 b) {
    __m128 le = _mm_cmple_ps(a, b);
    return _mm_or_ps(_mm_and_ps(le, a), _mm_andnot_ps(le, _mm_set1_ps(FLT_MAX)));
}
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_where_le4(a.lo, b.lo), bs_where_le4(a.hi, b.hi)};
}

/* --- ids ------------------------------------------------------------------------------------ */

typedef struct bs_u8 {
    __m128i lo, hi;
} bs_u8;

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    const __m128i *from = (const __m128i *)(const void *)p;
    return (bs_u8){_mm_loadu_si128(from), _mm_loadu_si128(from + 1)};
}
static inline void bs_u8_store(uint32_t *p, bs_u8 a) {
    __m128i *to = (__m128i *)(void *)p;
    _mm_storeu_si128(to, a.lo);
    _mm_storeu_si128(to + 1, a.hi);
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    return (bs_u8){_mm_set1_epi32((int)x), _mm_set1_epi32((int)x)};
}
BS_HOT bs_u8 bs_u8_home(const uint32_t *p, int round) {
    bs_f8 home = bs_f8_home((const float *)(const void *)p, round);
    return (bs_u8){_mm_castps_si128(home.lo), _mm_castps_si128(home.hi)};
}
BS_HOT bs_u8 bs_u8_away(const uint32_t *p, int round) {
    bs_f8 away = bs_f8_away((const float *)(const void *)p, round);
    return (bs_u8){_mm_castps_si128(away.lo), _mm_castps_si128(away.hi)};
}
static inline bs_u8 bs_u8_count(bs_u8 n, uint32_t x, bs_u8 of) {
    __m128i all = _mm_set1_epi32((int)x);
    return (bs_u8){_mm_sub_epi32(n.lo, _mm_cmplt_epi32(all, of.lo)),
                   _mm_sub_epi32(n.hi, _mm_cmplt_epi32(all, of.hi))};
}
static inline unsigned bs_u8_same(bs_u8 a, bs_u8 b) {
    return bs_f8_signs((bs_f8){_mm_castsi128_ps(_mm_cmpeq_epi32(a.lo, b.lo)),
                               _mm_castsi128_ps(_mm_cmpeq_epi32(a.hi, b.hi))});
}
/* --- what compressing is made of ------------------------------------------------------------ */

static inline bs_u8 bs_u8_bits(bs_f8 a) {
    return (bs_u8){_mm_castps_si128(a.lo), _mm_castps_si128(a.hi)};
}
/* first + i */
static inline bs_u8 bs_u8_from(uint32_t first) {
    __m128i from = _mm_set1_epi32((int)first);
    return (bs_u8){_mm_add_epi32(from, _mm_setr_epi32(0, 1, 2, 3)),
                   _mm_add_epi32(from, _mm_setr_epi32(4, 5, 6, 7))};
}
static inline void bs_swap4(__m128i *a, __m128i *b, __m128i mask) {
    __m128i swap = _mm_and_si128(_mm_xor_si128(*a, *b), mask);
    *a = _mm_xor_si128(*a, swap);
    *b = _mm_xor_si128(*b, swap);
}
/* Lanes of a and b change places where the mask is set. */
static inline void bs_u8_swap(bs_u8 *a, bs_u8 *b, bs_f8 mask) {
    bs_swap4(&a->lo, &b->lo, _mm_castps_si128(mask.lo));
    bs_swap4(&a->hi, &b->hi, _mm_castps_si128(mask.hi));
}
/* Puts the lower of two into a. Ids are less than 2^31: comparing them as signed ones is right. */
static inline void bs_u8_order(bs_u8 *a, bs_u8 *b) {
    bs_swap4(&a->lo, &b->lo, _mm_cmpgt_epi32(a->lo, b->lo));
    bs_swap4(&a->hi, &b->hi, _mm_cmpgt_epi32(a->hi, b->hi));
}

/*
 * Writes the upper pair. Not _mm_storeh_pd, which GCC takes for the store of a double: code that
 * reads the pair then may be given what was there before.
 */
static inline void bs_store_upper(bs_pair *to, __m128i pairs) {
    typedef double raw_pair __attribute__((may_alias, aligned(4)));
    *(raw_pair *)(void *)to = _mm_castsi128_pd(pairs)[1];
}

/* Each pair is written where it goes if it is chosen: if not, the next chosen one overwrites it. */
static inline void bs_append_both(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    const __m128i pairs[] = {_mm_unpacklo_epi32(a.lo, b.lo), _mm_unpackhi_epi32(a.lo, b.lo),
                             _mm_unpacklo_epi32(a.hi, b.hi), _mm_unpackhi_epi32(a.hi, b.hi)};
    const uint8_t *place = bs_places[mask];
    bs_pair *to = out->at + out->n;
    _mm_storel_epi64((__m128i *)(void *)to, pairs[0]);
    bs_store_upper(to + place[1], pairs[0]);
#pragma GCC unroll 3
    for (int i = 1; i < BS_LANES / 2; i++) {
        _mm_storel_epi64((__m128i *)(void *)(to + place[2 * i]), pairs[i]);
        bs_store_upper(to + place[2 * i + 1], pairs[i]);
    }
    out->n += place[0];
}

#endif
