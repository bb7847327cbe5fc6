/* simd_avx2.h: eight lanes in one AVX2 register (see simd.h). */
#ifndef BS_SIMD_AVX2_H
#define BS_SIMD_AVX2_H

#include <immintrin.h>

#include "four.h"
#include "lanes.h"

#define BS_SIMD_PERMUTES 1

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
/* Compares them as integers: processors do more of these at a time (Zen 4), or sooner (Intel). */
static inline bs_f8 bs_f8_max_gap(bs_f8 a, bs_f8 b) {
    __m256i max = _mm256_max_epi32(_mm256_castps_si256(a.v), _mm256_castps_si256(b.v));
    return (bs_f8){_mm256_castsi256_ps(max)};
}
static inline bs_f8 bs_f8_either_zero(bs_f8 a, bs_f8 b) {
    __m256i nearer = _mm256_min_epu32(_mm256_castps_si256(a.v), _mm256_castps_si256(b.v));
    return (bs_f8){_mm256_castsi256_ps(nearer)};
}
static inline unsigned bs_f8_signs(bs_f8 a) {
    return (unsigned)_mm256_movemask_ps(a.v);
}
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return bs_f8_signs((bs_f8){_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)});
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    __m256i zeros = _mm256_cmpeq_epi32(_mm256_castps_si256(a.v), _mm256_setzero_si256());
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zeros));
}

static inline float bs_f8_least(bs_f8 a) {
    return bs_least4(_mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1)));
}
static inline float bs_f8_greatest(bs_f8 a) {
    return bs_greatest4(_mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1)));
}
static inline __m256 bs_half_twice(const float *p) {
    return _mm256_broadcast_ps((const __m128 *)(const void *)p);
}
BS_HOT bs_f8 bs_f8_home(const float *p, int round) {
    return round < 2 ? bs_f8_load(p) : (bs_f8){bs_half_twice(p)};
}
BS_HOT bs_f8 bs_f8_away(const float *p, int round) {
    if (round == 0) {
        return (bs_f8){_mm256_permute_ps(bs_f8_load(p).v, _MM_SHUFFLE(0, 3, 2, 1))};
    }
    if (round == 1) {
        return (bs_f8){_mm256_permute_ps(bs_f8_load(p).v, _MM_SHUFFLE(1, 0, 3, 2))};
    }
    __m256i order = round == 2 ? _mm256_setr_epi32(0, 1, 2, 3, 1, 2, 3, 0)
                               : _mm256_setr_epi32(2, 3, 0, 1, 3, 0, 1, 2);
    return (bs_f8){_mm256_permutevar_ps(bs_half_twice(p + 4), order)};
}
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    __m256 le = _mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ);
    return (bs_f8){_mm256_blendv_ps(_mm256_set1_ps(FLT_MAX), a.v, le)};
}

/* --- ids ------------------------------------------------------------------------------------ */

typedef struct bs_u8 {
    __m256i v;
} bs_u8;

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    return (bs_u8){_mm256_loadu_si256((const __m256i *)(const void *)p)};
}
static inline void bs_u8_store(uint32_t *p, bs_u8 a) {
    _mm256_storeu_si256((__m256i *)(void *)p, a.v);
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    return (bs_u8){_mm256_set1_epi32((int)x)};
}
BS_HOT bs_u8 bs_u8_home(const uint32_t *p, int round) {
    return (bs_u8){_mm256_castps_si256(bs_f8_home((const float *)(const void *)p, round).v)};
}
BS_HOT bs_u8 bs_u8_away(const uint32_t *p, int round) {
    return (bs_u8){_mm256_castps_si256(bs_f8_away((const float *)(const void *)p, round).v)};
}
static inline bs_u8 bs_u8_bits(bs_f8 a) {
    return (bs_u8){_mm256_castps_si256(a.v)};
}
static inline bs_u8 bs_u8_from(uint32_t first) {
    return (bs_u8){_mm256_add_epi32(bs_u8_set(first).v, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))};
}
static inline bs_u8 bs_u8_count(bs_u8 n, uint32_t x, bs_u8 of) {
    return (bs_u8){_mm256_sub_epi32(n.v, _mm256_cmpgt_epi32(of.v, bs_u8_set(x).v))};
}
static inline void bs_u8_order(bs_u8 *a, bs_u8 *b) {
    __m256i old = a->v;
    a->v = _mm256_min_epu32(old, b->v);
    b->v = _mm256_max_epu32(old, b->v);
}
static inline unsigned bs_u8_same(bs_u8 a, bs_u8 b) {
    __m256i same = _mm256_cmpeq_epi32(a.v, b.v);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
}

/* --- compressing ---------------------------------------------------------------------------- */

/*
 * Row m holds the numbers of the set lanes of mask m; the k-th is in byte 0 1 4 5 2 3 6 7 [k].
 * Lanes that are permuted by a row, and then interleaved with others by halves, are packed in order
 * at the front. The table takes 2 kB. The preprocessor builds it.
 */
#define BS_BIT(m, i) ((uint64_t)((m) >> (i)&1))
#define BS_RANK(m, i)                                                                              \
    (((i) > 0 ? BS_BIT(m, 0) : 0) + ((i) > 1 ? BS_BIT(m, 1) : 0) + ((i) > 2 ? BS_BIT(m, 2) : 0) +  \
     ((i) > 3 ? BS_BIT(m, 3) : 0) + ((i) > 4 ? BS_BIT(m, 4) : 0) + ((i) > 5 ? BS_BIT(m, 5) : 0) +  \
     ((i) > 6 ? BS_BIT(m, 6) : 0))
#define BS_PLACE(k) ((k) ^ (((k) >> 1 ^ (k) >> 2) & 1) * 6) /* swaps bits 1 and 2 */
#define BS_BYTE(m, i) (BS_BIT(m, i) * ((uint64_t)(i) << 8 * BS_PLACE(BS_RANK(m, i))))
#define BS_ROW(m)                                                                                  \
    (BS_BYTE(m, 1) + BS_BYTE(m, 2) + BS_BYTE(m, 3) + BS_BYTE(m, 4) + BS_BYTE(m, 5) +               \
     BS_BYTE(m, 6) + BS_BYTE(m, 7))
#define BS_ROWS4(m) BS_ROW(m), BS_ROW((m) + 1), BS_ROW((m) + 2), BS_ROW((m) + 3)
#define BS_ROWS16(m) BS_ROWS4(m), BS_ROWS4((m) + 4), BS_ROWS4((m) + 8), BS_ROWS4((m) + 12)
#define BS_ROWS64(m) BS_ROWS16(m), BS_ROWS16((m) + 16), BS_ROWS16((m) + 32), BS_ROWS16((m) + 48)

static const uint64_t bs_packing[256] = {BS_ROWS64(0), BS_ROWS64(64), BS_ROWS64(128),
                                         BS_ROWS64(192)};

static_assert(BS_PLACE(2) == 4 && BS_PLACE(3) == 5 && BS_PLACE(4) == 2 && BS_PLACE(5) == 3,
              "the order that interleaving by halves wants");
static_assert(BS_ROW(255) == 0x0706030205040100, "all lanes, each once");
static_assert(BS_ROW(128) == 7, "a lane by itself comes first");

/* The numbers of the chosen lanes, in the order 0 1 4 5 2 3 6 7 that interleaving needs. */
static inline __m256i bs_packing_row(unsigned mask) {
    assert(mask <= BS_ALL_LANES);
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&bs_packing[mask]));
}

/* Writes (a[i], b[i]), whose lanes are in that order, and counts those of `mask`. */
static inline void bs_store_pairs(bs_pairs *out, __m256i a, __m256i b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap);
    __m256i *to = (__m256i *)(void *)(out->at + out->n);
    _mm256_storeu_si256(to, _mm256_unpacklo_epi32(a, b));
    _mm256_storeu_si256(to + 1, _mm256_unpackhi_epi32(a, b));
    out->n += bs_count_lanes(mask);
}

static inline void bs_append_both(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    __m256i row = bs_packing_row(mask);
    bs_store_pairs(out, _mm256_permutevar8x32_epi32(a.v, row),
                   _mm256_permutevar8x32_epi32(b.v, row), mask);
}

static inline void bs_append_pairs(bs_pairs *out, uint32_t a, const uint32_t ids[BS_LANES],
                                   unsigned mask) {
    __m256i all_a = _mm256_set1_epi32((int)a);
    __m256i b = _mm256_permutevar8x32_epi32(bs_u8_load(ids).v, bs_packing_row(mask));
    bs_store_pairs(out, _mm256_min_epu32(all_a, b), _mm256_max_epu32(all_a, b), mask);
}

static inline void bs_append_lanes(bs_pairs *out, uint32_t a, uint32_t first, unsigned mask) {
    assert(first <= UINT32_MAX - BS_LANES);
    __m256i b = _mm256_add_epi32(_mm256_set1_epi32((int)first), bs_packing_row(mask));
    bs_store_pairs(out, _mm256_set1_epi32((int)a), b, mask);
}

static inline void bs_append(bs_list *out, const uint32_t ids[BS_LANES], unsigned mask) {
    assert(out->n + BS_LANES <= out->cap);
    __m256i packed = _mm256_permutevar8x32_epi32(bs_u8_load(ids).v, bs_packing_row(mask));
    /* Puts them into that order. */
    packed = _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0));
    _mm256_storeu_si256((__m256i *)(void *)(out->at + out->n), packed);
    out->n += bs_count_lanes(mask);
}

#endif
