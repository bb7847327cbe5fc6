/*
 * simd.h: vectors of eight floats.
 *
 * There are eight lanes on every machine, in one register or two. Each lane does one IEEE
 * operation, so every machine gets the same bits, and code built on them gives the same answers in
 * the same order everywhere.
 *
 *      simd_avx2.h     one register; for processors that have it (backends_avx2.c)
 *      simd_four.h     two: SSE2 on every x86-64, NEON on every ARM64; loops elsewhere
 *
 * Each of them defines
 *
 *      bs_f8                       eight floats: lanes 0 to 7
 *      bs_f8_load, _store, _set    from and to memory; one float in all lanes
 *      bs_f8_add, _sub, _mul
 *      bs_f8_min, _max             min(a, b) is a < b ? a : b: b if they are equal or one is NaN
 *      bs_f8_max_gap               the sign of the greater one, and 0 if that is 0; none is -0
 *      bs_f8_either_zero           0 where a or b is, and only there; none is -0
 *      bs_f8_signs                 bit i: the sign bit of lane i
 *      bs_f8_le, _zeros            bit i: a <= b in lane i; a is 0 in lane i (and not -0)
 *      bs_f8_least, _greatest      of the eight
 *      bs_f8_home, _away           from memory, rearranged for a round (lanes.h)
 *      bs_f8_where_le(a, b)        a where a <= b, else FLT_MAX
 *      bs_u8                       eight ids, less than 2^31
 *      bs_u8_load, _store, _set, _home, _away
 *      bs_u8_bits                  of eight floats
 *      bs_u8_from(first)           first + i
 *      bs_u8_same(a, b)            bit i: a and b are equal in lane i
 *      bs_u8_count(n, x, of)       n + 1 where x < of, else n
 *      bs_u8_order(a, b)           in each lane a becomes the lesser one, and b the greater
 *
 * and the parts of which the functions below are made.
 */
#ifndef BS_SIMD_H
#define BS_SIMD_H

#include "lanes.h"
#include "variant.h"

#if BS_HAS_SSE2 && defined(__AVX2__)
#include "simd_avx2.h"
#else
#include "simd_four.h"
#endif

static_assert(sizeof(bs_f8) == BS_LANES * sizeof(float), "lanes as in an array");
static_assert(sizeof(bs_u8) == BS_LANES * sizeof(uint32_t), "lanes as in an array");

/*
 * Compressing appends chosen lanes to a list without a branch. There must be room for eight more,
 * however many are chosen: all eight are written, and only the chosen ones are counted.
 *
 *      bs_append_both      (a[i], b[i]) for each set lane i
 *      bs_append_pairs     (a, ids[i]), the lower one first
 *      bs_append_lanes     (a, first + i)
 *      bs_append           ids[i]
 *
 * With AVX2, a permutation packs the chosen lanes. Elsewhere each lane is written to its place
 * (places.h).
 */
#if !defined(BS_SIMD_PERMUTES)

static inline void bs_append_pairs(bs_pairs *out, uint32_t a, const uint32_t ids[BS_LANES],
                                   unsigned mask) {
    bs_u8 low = bs_u8_set(a);
    bs_u8 high = bs_u8_load(ids);
    bs_u8_order(&low, &high);
    bs_append_both(out, low, high, mask);
}

static inline void bs_append_lanes(bs_pairs *out, uint32_t a, uint32_t first, unsigned mask) {
    assert(first <= UINT32_MAX - BS_LANES);
    bs_append_both(out, bs_u8_set(a), bs_u8_from(first), mask);
}

static inline void bs_append(bs_list *out, const uint32_t ids[BS_LANES], unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    const uint8_t *place = bs_places[mask];
    uint32_t *to = out->at + out->n;
    to[0] = ids[0];
#pragma GCC unroll 7
    for (int i = 1; i < BS_LANES; i++) {
        to[place[i]] = ids[i];
    }
    out->n += place[0];
}

#endif

/*
 * Sets rank[i] to the number of keys among key[0 .. n-1] that are less than key[i]. Both arrays
 * have room for n rounded up to a multiple of eight. The keys behind the first n are not less than
 * any other. All keys are <= INT32_MAX.
 */
static inline void bs_ranks(const uint32_t *key, uint32_t *rank, size_t n) {
    for (size_t i = 0; i < n; i += BS_LANES) {
        bs_u8 of = bs_u8_load(key + i);
        bs_u8 less = bs_u8_set(0);
        for (size_t j = 0; j < n; j += BS_LANES) {
#pragma GCC unroll 8
            for (size_t lane = 0; lane < BS_LANES; lane++) {
                less = bs_u8_count(less, key[j + lane], of);
            }
        }
        bs_u8_store(rank + i, less);
        assert(rank[i] < n); /* a key is not less than itself */
    }
}

#endif
