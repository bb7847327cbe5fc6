/*
 * simd_four.h: eight lanes in two vectors of four (see simd.h), by the vector operators of GCC and
 * Clang: SSE2 on every x86-64, NEON on every ARM64, and loops elsewhere.
 */
#ifndef BS_SIMD_FOUR_H
#define BS_SIMD_FOUR_H

#include "four.h"
#include "places.h"

typedef struct bs_f8 {
    bs_f4 lo, hi;
} bs_f8;

typedef struct bs_u8 {
    bs_u4 lo, hi;
} bs_u8;

/* --- floats --------------------------------------------------------------------------------- */

static inline bs_f8 bs_f8_load(const float *p) {
    return (bs_f8){bs_f4_load(p), bs_f4_load(p + 4)};
}
static inline void bs_f8_store(float *p, bs_f8 a) {
    memcpy(p, &a, sizeof a);
}
static inline bs_f8 bs_f8_set(float x) {
    return (bs_f8){{x, x, x, x}, {x, x, x, x}};
}
static inline bs_f8 bs_f8_add(bs_f8 a, bs_f8 b) {
    return (bs_f8){a.lo + b.lo, a.hi + b.hi};
}
static inline bs_f8 bs_f8_sub(bs_f8 a, bs_f8 b) {
    return (bs_f8){a.lo - b.lo, a.hi - b.hi};
}
static inline bs_f8 bs_f8_mul(bs_f8 a, bs_f8 b) {
    return (bs_f8){a.lo * b.lo, a.hi * b.hi};
}
static inline bs_f8 bs_f8_min(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_min4(a.lo, b.lo), bs_min4(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_max(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_max4(a.lo, b.lo), bs_max4(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_max_gap(bs_f8 a, bs_f8 b) {
    return bs_f8_max(a, b);
}
static inline bs_f8 bs_f8_either_zero(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_min4(bs_magnitude4(a.lo), bs_magnitude4(b.lo)),
                   bs_min4(bs_magnitude4(a.hi), bs_magnitude4(b.hi))};
}
static inline unsigned bs_f8_signs(bs_f8 a) {
    return bs_tops4((bs_i4)a.lo) | bs_tops4((bs_i4)a.hi) << 4;
}
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return bs_f8_signs((bs_f8){(bs_f4)(a.lo <= b.lo), (bs_f4)(a.hi <= b.hi)});
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    const bs_f4 zero = {0, 0, 0, 0};
    return bs_tops4(a.lo == zero) | bs_tops4(a.hi == zero) << 4;
}
static inline float bs_f8_least(bs_f8 a) {
    return bs_least4(bs_min4(a.lo, a.hi));
}
static inline float bs_f8_greatest(bs_f8 a) {
    return bs_greatest4(bs_max4(a.lo, a.hi));
}
BS_HOT bs_f8 bs_f8_home(const float *p, int round) {
    return (bs_f8){bs_f4_load(p), bs_f4_load(round < 2 ? p + 4 : p)};
}
BS_HOT bs_f8 bs_f8_away(const float *p, int round) {
    bs_f4 hi = bs_f4_load(p + 4);
    return round < 2 ? (bs_f8){bs_turn4(bs_f4_load(p), round + 1), bs_turn4(hi, round + 1)}
                     : (bs_f8){bs_turn4(hi, 2 * round - 4), bs_turn4(hi, 2 * round - 3)};
}
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    const bs_f8 most = bs_f8_set(FLT_MAX);
    return (bs_f8){bs_pick4(a.lo <= b.lo, a.lo, most.lo), bs_pick4(a.hi <= b.hi, a.hi, most.hi)};
}

/* --- ids ------------------------------------------------------------------------------------ */

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    return (bs_u8){bs_u4_load(p), bs_u4_load(p + 4)};
}
static inline void bs_u8_store(uint32_t *p, bs_u8 a) {
    memcpy(p, &a, sizeof a);
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    return (bs_u8){{x, x, x, x}, {x, x, x, x}};
}
static inline bs_u8 bs_u8_bits(bs_f8 a) {
    return (bs_u8){(bs_u4)a.lo, (bs_u4)a.hi};
}
BS_HOT bs_u8 bs_u8_home(const uint32_t *p, int round) {
    return bs_u8_bits(bs_f8_home((const float *)(const void *)p, round));
}
BS_HOT bs_u8 bs_u8_away(const uint32_t *p, int round) {
    return bs_u8_bits(bs_f8_away((const float *)(const void *)p, round));
}
static inline bs_u8 bs_u8_from(uint32_t first) {
    bs_u8 from = bs_u8_set(first);
    return (bs_u8){from.lo + (bs_u4){0, 1, 2, 3}, from.hi + (bs_u4){4, 5, 6, 7}};
}
/* Both are less than 2^31, so signed comparison is right. SSE2 has no other. */
static inline bs_u8 bs_u8_count(bs_u8 n, uint32_t x, bs_u8 of) {
    bs_u8 all = bs_u8_set(x);
    return (bs_u8){n.lo - (bs_u4)((bs_i4)all.lo < (bs_i4)of.lo),
                   n.hi - (bs_u4)((bs_i4)all.hi < (bs_i4)of.hi)};
}
static inline unsigned bs_u8_same(bs_u8 a, bs_u8 b) {
    return bs_tops4(a.lo == b.lo) | bs_tops4(a.hi == b.hi) << 4;
}
static inline void bs_swap4(bs_u4 *a, bs_u4 *b, bs_u4 mask) {
    bs_u4 swap = (*a ^ *b) & mask;
    *a ^= swap;
    *b ^= swap;
}
static inline void bs_u8_order(bs_u8 *a, bs_u8 *b) { /* compares as signed, like bs_u8_count */
    bs_swap4(&a->lo, &b->lo, (bs_u4)((bs_i4)a->lo > (bs_i4)b->lo));
    bs_swap4(&a->hi, &b->hi, (bs_u4)((bs_i4)a->hi > (bs_i4)b->hi));
}

/* --- compressing ---------------------------------------------------------------------------- */

/*
 * Two pairs, each as a double: SSE2 can store either half of a vector of doubles at once, but not
 * of integers.
 */
typedef double bs_two_pairs __attribute__((vector_size(16)));

static inline void bs_store_pair(bs_pair *to, double pair) {
    typedef double raw_pair __attribute__((may_alias, aligned(4)));
    *(raw_pair *)(void *)to = pair;
}

/* Writes each pair to its place if it is chosen. If not, the next chosen one overwrites it. */
static inline void bs_append_both(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    const bs_two_pairs pairs[] = {
        (bs_two_pairs)BS_LOWER4(a.lo, b.lo), (bs_two_pairs)BS_UPPER4(a.lo, b.lo),
        (bs_two_pairs)BS_LOWER4(a.hi, b.hi), (bs_two_pairs)BS_UPPER4(a.hi, b.hi)};
    const uint8_t *place = bs_places[mask];
    bs_pair *to = out->at + out->n;
    bs_store_pair(to, pairs[0][0]);
    bs_store_pair(to + place[1], pairs[0][1]);
#pragma GCC unroll 3
    for (int i = 1; i < BS_LANES / 2; i++) {
        bs_store_pair(to + place[2 * i], pairs[i][0]);
        bs_store_pair(to + place[2 * i + 1], pairs[i][1]);
    }
    out->n += place[0];
}

#endif
