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

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "dim.h"
#include "heap.h"

#if defined(__AVX2__)
#include "packing.h"
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h> /* the former header takes longer to read than most files to compile */
#endif

enum { BS_LANES = 8, BS_ALL_LANES = 255 };
static_assert(BS_ALL_LANES == (1 << BS_LANES) - 1, "a bit for each lane");
static_assert((int)BS_OVERRUN == (int)BS_LANES, "lists have room for a store of all lanes");

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
/* Eight numbers from 0 to 255. */
static inline bs_f8 bs_f8_bytes(const uint8_t *p) {
    __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return (bs_f8){_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight))};
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
/* Masks: the sign bit of each lane. */
static inline bs_f8 bs_f8_not_above(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)};
}
static inline bs_f8 bs_f8_both(bs_f8 a, bs_f8 b) {
    return (bs_f8){_mm256_and_ps(a.v, b.v)};
}
/* Bit i: lane i of a <= lane i of b. */
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return bs_f8_signs(bs_f8_not_above(a, b));
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
static inline bs_f8 bs_f8_bytes(const uint8_t *p) {
    const __m128i zero = _mm_setzero_si128();
    __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)p);
    __m128i words = _mm_unpacklo_epi8(eight, zero);
    return (bs_f8){_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero)),
                   _mm_cvtepi32_ps(_mm_unpackhi_epi16(words, zero))};
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
static inline bs_f8 bs_f8_bytes(const uint8_t *p) {
    BS_F8_EACH((float)p[i]);
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
static inline bs_f8 bs_f8_not_above(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] <= b.v[i] ? -1.0f : 0.0f);
}
static inline bs_f8 bs_f8_both(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] < 0 ? b.v[i] : 0.0f);
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    BS_F8_MASK(!(a.v[i] < 0) && !(a.v[i] > 0));
}

#endif

static_assert(sizeof(bs_f8) == BS_LANES * sizeof(float), "lanes as in an array");

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
    assert(mask != 0);
    return __builtin_ctz(mask);
}

static inline unsigned bs_count_lanes(unsigned mask) {
    return (unsigned)__builtin_popcount(mask);
}

/* --- compressing: chosen lanes are appended to a list, without a branch --------------------- */

/* Eight ids. */
#if defined(__AVX2__)

typedef struct bs_u8 {
    __m256i v;
} bs_u8;

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    return (bs_u8){_mm256_loadu_si256((const __m256i *)(const void *)p)};
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    return (bs_u8){_mm256_set1_epi32((int)x)};
}

/* The numbers of the chosen lanes, in the order 0 1 4 5 2 3 6 7: as interleaving pairs wants it. */
static inline __m256i bs_packing_row(unsigned mask) {
    assert(mask <= BS_ALL_LANES);
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&bs_packing[mask]));
}

static inline void bs_store_pairs(bs_pairs *out, __m256i a, __m256i b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap);
    __m256i *to = (__m256i *)(void *)(out->at + out->n);
    _mm256_storeu_si256(to, _mm256_unpacklo_epi32(a, b));
    _mm256_storeu_si256(to + 1, _mm256_unpackhi_epi32(a, b));
    out->n += bs_count_lanes(mask);
}

#elif defined(__SSE2__)

typedef struct bs_u8 {
    __m128i lo, hi;
} bs_u8;

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    const __m128i *from = (const __m128i *)(const void *)p;
    return (bs_u8){_mm_loadu_si128(from), _mm_loadu_si128(from + 1)};
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    return (bs_u8){_mm_set1_epi32((int)x), _mm_set1_epi32((int)x)};
}

/*
 * Writes the upper pair. Not _mm_storeh_pd, which GCC takes for the store of a double: code that
 * reads the pair then may be given what was there before.
 */
static inline void bs_store_upper(bs_pair *to, __m128i pairs) {
    typedef double raw_pair __attribute__((may_alias, aligned(4)));
    *(raw_pair *)(void *)to = _mm_castsi128_pd(pairs)[1];
}

/* Four pairs, each written behind the chosen ones before it. */
static inline bs_pair *bs_store_pairs4(bs_pair *to, __m128i a, __m128i b, unsigned mask) {
    __m128i low = _mm_unpacklo_epi32(a, b);
    __m128i high = _mm_unpackhi_epi32(a, b);
    _mm_storel_epi64((__m128i *)(void *)to, low);
    to += mask & 1;
    bs_store_upper(to, low);
    to += mask >> 1 & 1;
    _mm_storel_epi64((__m128i *)(void *)to, high);
    to += mask >> 2 & 1;
    bs_store_upper(to, high);
    return to + (mask >> 3 & 1);
}

static inline void bs_store_pairs(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    bs_pair *to = bs_store_pairs4(out->at + out->n, a.lo, b.lo, mask);
    to = bs_store_pairs4(to, a.hi, b.hi, mask >> 4);
    out->n = (size_t)(to - out->at);
}

/* Ids are less than 2^31, so comparing them as signed numbers is right. */
static inline void bs_order4(__m128i *a, __m128i *b) {
    __m128i swap = _mm_and_si128(_mm_xor_si128(*a, *b), _mm_cmpgt_epi32(*a, *b));
    *a = _mm_xor_si128(*a, swap);
    *b = _mm_xor_si128(*b, swap);
}

#else

typedef struct bs_u8 {
    uint32_t v[BS_LANES];
} bs_u8;

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    bs_u8 r;
    memcpy(r.v, p, sizeof r.v);
    return r;
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    bs_u8 r;
    for (int i = 0; i < BS_LANES; i++) {
        r.v[i] = x;
    }
    return r;
}

#endif

static_assert(sizeof(bs_u8) == BS_LANES * sizeof(uint32_t), "lanes as in an array");

/* Lane i becomes what lane i + 1 was; lane 7 what lane 0 was. */
#if defined(__AVX2__)

static inline __m256i bs_turned(void) {
    return _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
}
static inline bs_f8 bs_f8_turn(bs_f8 a) {
    return (bs_f8){_mm256_permutevar8x32_ps(a.v, bs_turned())};
}
static inline bs_u8 bs_u8_turn(bs_u8 a) {
    return (bs_u8){_mm256_permutevar8x32_epi32(a.v, bs_turned())};
}

#elif defined(__SSE2__)

/* a1 a2 a3 b0 */
static inline __m128 bs_turn4(__m128 a, __m128 b) {
    return _mm_shuffle_ps(_mm_move_ss(a, b), _mm_move_ss(a, b), _MM_SHUFFLE(0, 3, 2, 1));
}
static inline bs_f8 bs_f8_turn(bs_f8 a) {
    return (bs_f8){bs_turn4(a.lo, a.hi), bs_turn4(a.hi, a.lo)};
}
static inline bs_u8 bs_u8_turn(bs_u8 a) {
    __m128 lo = _mm_castsi128_ps(a.lo);
    __m128 hi = _mm_castsi128_ps(a.hi);
    return (bs_u8){_mm_castps_si128(bs_turn4(lo, hi)), _mm_castps_si128(bs_turn4(hi, lo))};
}

#else

static inline bs_f8 bs_f8_turn(bs_f8 a) {
    BS_F8_EACH(a.v[(i + 1) % BS_LANES]);
}
static inline bs_u8 bs_u8_turn(bs_u8 a) {
    bs_u8 r;
    for (int i = 0; i < BS_LANES; i++) {
        r.v[i] = a.v[(i + 1) % BS_LANES];
    }
    return r;
}

#endif

/*
 * Appends (a[i], b[i]), the lower one first, for each set lane i. There must be room for eight
 * more, here as below, however many are chosen: all are written, those that are meant are counted.
 */
static inline void bs_append_both(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
#if defined(__AVX2__)
    __m256i row = bs_packing_row(mask);
    __m256i low = _mm256_min_epu32(a.v, b.v);
    __m256i high = _mm256_max_epu32(a.v, b.v);
    bs_store_pairs(out, _mm256_permutevar8x32_epi32(low, row),
                   _mm256_permutevar8x32_epi32(high, row), mask);
#elif defined(__SSE2__)
    bs_order4(&a.lo, &b.lo);
    bs_order4(&a.hi, &b.hi);
    bs_store_pairs(out, a, b, mask);
#else
    bs_pair *to = out->at + out->n;
    for (int i = 0; i < BS_LANES; i++) {
        to->a = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
        to->b = a.v[i] < b.v[i] ? b.v[i] : a.v[i];
        to += mask >> i & 1;
    }
    out->n = (size_t)(to - out->at);
#endif
}

/* Appends (a, ids[i]), the lower one first, for each set lane i. */
static inline void bs_append_pairs(bs_pairs *out, uint32_t a, const uint32_t ids[BS_LANES],
                                   unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
#if defined(__AVX2__)
    __m256i all_a = _mm256_set1_epi32((int)a);
    __m256i b = _mm256_permutevar8x32_epi32(bs_u8_load(ids).v, bs_packing_row(mask));
    bs_store_pairs(out, _mm256_min_epu32(all_a, b), _mm256_max_epu32(all_a, b), mask);
#else
    bs_append_both(out, bs_u8_set(a), bs_u8_load(ids), mask);
#endif
}

/* Appends (a, first + i) for each set lane i. */
static inline void bs_append_lanes(bs_pairs *out, uint32_t a, uint32_t first, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    assert(first <= UINT32_MAX - BS_LANES);
#if defined(__AVX2__)
    __m256i b = _mm256_add_epi32(_mm256_set1_epi32((int)first), bs_packing_row(mask));
    bs_store_pairs(out, _mm256_set1_epi32((int)a), b, mask);
#elif defined(__SSE2__)
    __m128i from = _mm_set1_epi32((int)first);
    bs_u8 b = {_mm_add_epi32(from, _mm_setr_epi32(0, 1, 2, 3)),
               _mm_add_epi32(from, _mm_setr_epi32(4, 5, 6, 7))};
    bs_store_pairs(out, bs_u8_set(a), b, mask);
#else
    bs_pair *to = out->at + out->n;
    for (uint32_t i = 0; i < BS_LANES; i++) {
        *to = (bs_pair){a, first + i};
        to += mask >> i & 1;
    }
    out->n = (size_t)(to - out->at);
#endif
}

/* The same, but (first + i, a) where lane i of `turn`, a mask, is set. */
static inline void bs_append_turned(bs_pairs *out, uint32_t a, uint32_t first, bs_f8 turn,
                                    unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    assert(first <= UINT32_MAX - BS_LANES);
#if defined(__AVX2__)
    __m256i row = bs_packing_row(mask);
    __m256i all_a = _mm256_set1_epi32((int)a);
    __m256i b = _mm256_add_epi32(_mm256_set1_epi32((int)first), row);
    __m256i turned = _mm256_permutevar8x32_epi32(_mm256_castps_si256(turn.v), row);
    __m256i swap = _mm256_and_si256(_mm256_xor_si256(all_a, b), turned);
    bs_store_pairs(out, _mm256_xor_si256(all_a, swap), _mm256_xor_si256(b, swap), mask);
#elif defined(__SSE2__)
    __m128i all_a = _mm_set1_epi32((int)a);
    __m128i from = _mm_set1_epi32((int)first);
    bs_u8 b = {_mm_add_epi32(from, _mm_setr_epi32(0, 1, 2, 3)),
               _mm_add_epi32(from, _mm_setr_epi32(4, 5, 6, 7))};
    bs_u8 swap = {_mm_and_si128(_mm_xor_si128(all_a, b.lo), _mm_castps_si128(turn.lo)),
                  _mm_and_si128(_mm_xor_si128(all_a, b.hi), _mm_castps_si128(turn.hi))};
    bs_u8 one = {_mm_xor_si128(all_a, swap.lo), _mm_xor_si128(all_a, swap.hi)};
    bs_u8 other = {_mm_xor_si128(b.lo, swap.lo), _mm_xor_si128(b.hi, swap.hi)};
    bs_store_pairs(out, one, other, mask);
#else
    bs_pair *to = out->at + out->n;
    for (uint32_t i = 0; i < BS_LANES; i++) {
        *to = turn.v[i] < 0 ? (bs_pair){first + i, a} : (bs_pair){a, first + i};
        to += mask >> i & 1;
    }
    out->n = (size_t)(to - out->at);
#endif
}

/* Appends ids[i] for each set lane i. */
static inline void bs_append(bs_list *out, const uint32_t ids[BS_LANES], unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    uint32_t *to = out->at + out->n;
#if defined(__AVX2__)
    __m256i packed = _mm256_permutevar8x32_epi32(bs_u8_load(ids).v, bs_packing_row(mask));
    packed = _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0)); /* into their order */
    _mm256_storeu_si256((__m256i *)(void *)to, packed);
    out->n += bs_count_lanes(mask);
#else
    for (int i = 0; i < BS_LANES; i++) {
        *to = ids[i];
        to += mask >> i & 1;
    }
    out->n = (size_t)(to - out->at);
#endif
}

/* --- what casts need ------------------------------------------------------------------------ */

#if defined(__AVX2__)

/* a where a <= b, else FLT_MAX. */
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    __m256 le = _mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ);
    return (bs_f8){_mm256_blendv_ps(_mm256_set1_ps(FLT_MAX), a.v, le)};
}
/* NaN where ids[i] is `id`, else a. */
static inline bs_f8 bs_f8_unless(bs_f8 a, const uint32_t ids[BS_LANES], uint32_t id) {
    __m256i same = _mm256_cmpeq_epi32(bs_u8_load(ids).v, bs_u8_set(id).v);
    return (bs_f8){_mm256_or_ps(a.v, _mm256_castsi256_ps(same))};
}

#elif defined(__SSE2__)

static inline __m128 bs_where_le4(__m128 a, __m128 b) {
    __m128 le = _mm_cmple_ps(a, b);
    return _mm_or_ps(_mm_and_ps(le, a), _mm_andnot_ps(le, _mm_set1_ps(FLT_MAX)));
}
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_where_le4(a.lo, b.lo), bs_where_le4(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_unless(bs_f8 a, const uint32_t ids[BS_LANES], uint32_t id) {
    bs_u8 b = bs_u8_load(ids);
    __m128i all = _mm_set1_epi32((int)id);
    return (bs_f8){_mm_or_ps(a.lo, _mm_castsi128_ps(_mm_cmpeq_epi32(b.lo, all))),
                   _mm_or_ps(a.hi, _mm_castsi128_ps(_mm_cmpeq_epi32(b.hi, all)))};
}

#else

static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] <= b.v[i] ? a.v[i] : FLT_MAX);
}
static inline bs_f8 bs_f8_unless(bs_f8 a, const uint32_t ids[BS_LANES], uint32_t id) {
    BS_F8_EACH(ids[i] == id ? NAN : a.v[i]);
}

#endif

/*
 * Writes ids[i] and times[i] for each set lane i, in order; returns how many. There must be room
 * for eight.
 */
static inline unsigned bs_pack(uint32_t *to, float *at, const uint32_t ids[BS_LANES], bs_f8 times,
                               unsigned mask) {
    assert(mask <= BS_ALL_LANES);
#if defined(__AVX2__)
    __m256i row = _mm256_permute4x64_epi64(bs_packing_row(mask), _MM_SHUFFLE(3, 1, 2, 0));
    __m256i id = _mm256_permutevar8x32_epi32(bs_u8_load(ids).v, row);
    _mm256_storeu_si256((__m256i *)(void *)to, id);
    _mm256_storeu_ps(at, _mm256_permutevar8x32_ps(times.v, row));
    return bs_count_lanes(mask);
#else
    float time[BS_LANES];
    bs_f8_store(time, times);
    unsigned n = 0;
    for (int i = 0; i < BS_LANES; i++) {
        to[n] = ids[i];
        at[n] = time[i];
        n += mask >> i & 1;
    }
    return n;
#endif
}

/*
 * rank[i] = how many of key[0 .. n-1] are less than key[i]. Keys are at most INT32_MAX. Both arrays
 * have room for n rounded up to a multiple of eight.
 */
static inline void bs_ranks(uint32_t *key, uint32_t *rank, size_t n) {
    for (size_t i = 0; i < n; i += BS_LANES) {
        assert(key[i] <= INT32_MAX);
#if defined(__SSE2__)
        const __m128i *at = (const __m128i *)(const void *)(key + i);
        __m128i a = _mm_loadu_si128(at);
        __m128i b = _mm_loadu_si128(at + 1);
        __m128i rank_a = _mm_setzero_si128();
        __m128i rank_b = _mm_setzero_si128();
        for (size_t j = 0; j < n; j++) {
            __m128i other = _mm_set1_epi32((int)key[j]);
            rank_a = _mm_sub_epi32(rank_a, _mm_cmplt_epi32(other, a));
            rank_b = _mm_sub_epi32(rank_b, _mm_cmplt_epi32(other, b));
        }
        __m128i *to = (__m128i *)(void *)(rank + i);
        _mm_storeu_si128(to, rank_a);
        _mm_storeu_si128(to + 1, rank_b);
#else
        for (size_t l = i; l < i + BS_LANES; l++) {
            rank[l] = 0;
            for (size_t j = 0; j < n && l < n; j++) {
                rank[l] += key[j] < key[l];
            }
        }
#endif
        assert(rank[i] < n); /* it is not less than itself */
    }
}

#endif
