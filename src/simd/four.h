/*
 * four.h: vectors of four lanes, by the vector operators of GCC and Clang, and by intrinsics where
 * there is no operator.
 */
#ifndef BS_FOUR_H
#define BS_FOUR_H

#include "lanes.h"
#include "variant.h"

#if BS_HAS_SSE2
#include <emmintrin.h> /* immintrin.h takes longer to read than most files take to compile */
#endif

typedef float bs_f4 __attribute__((vector_size(16)));
typedef uint32_t bs_u4 __attribute__((vector_size(16)));
typedef int32_t bs_i4 __attribute__((vector_size(16)));

/* Rotates the lanes: lane i becomes lane i + by. */
#if defined(__clang__)
#define BS_TURN4(a, by)                                                                            \
    __builtin_shufflevector(a, a, by, ((by) + 1) % 4, ((by) + 2) % 4, ((by) + 3) % 4)
#else
#define BS_TURN4(a, by)                                                                            \
    __builtin_shuffle(a, (bs_i4){by, ((by) + 1) % 4, ((by) + 2) % 4, ((by) + 3) % 4})
#endif

static inline bs_f4 bs_f4_load(const float *p) {
    bs_f4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline bs_u4 bs_u4_load(const uint32_t *p) {
    bs_u4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline bs_u4 bs_where4(bs_u4 mask, bs_u4 a, bs_u4 b) {
    return (mask & a) | (~mask & b);
}
static inline bs_f4 bs_pick4(bs_i4 mask, bs_f4 a, bs_f4 b) {
    return (bs_f4)bs_where4((bs_u4)mask, (bs_u4)a, (bs_u4)b);
}
#if BS_HAS_SSE2
static inline bs_f4 bs_min4(bs_f4 a, bs_f4 b) {
    return _mm_min_ps(a, b);
}
static inline bs_f4 bs_max4(bs_f4 a, bs_f4 b) {
    return _mm_max_ps(a, b);
}
/* Bit i is the top bit of lane i. */
static inline unsigned bs_tops4(bs_i4 a) {
    return (unsigned)_mm_movemask_ps((bs_f4)a);
}
#else
static inline bs_f4 bs_min4(bs_f4 a, bs_f4 b) {
    return bs_pick4(a < b, a, b);
}
static inline bs_f4 bs_max4(bs_f4 a, bs_f4 b) {
    return bs_pick4(a > b, a, b);
}
static inline unsigned bs_tops4(bs_i4 a) {
    bs_u4 bits = (bs_u4)(a < (bs_i4){0, 0, 0, 0}) & (bs_u4){1, 2, 4, 8};
    return bits[0] | bits[1] | bits[2] | bits[3];
}
#endif
static inline bs_f4 bs_magnitude4(bs_f4 a) {
    return (bs_f4)((bs_u4)a & INT32_MAX);
}
BS_HOT bs_f4 bs_turn4(bs_f4 a, int by) {
    return by == 0 ? a : by == 1 ? BS_TURN4(a, 1) : by == 2 ? BS_TURN4(a, 2) : BS_TURN4(a, 3);
}
static inline float bs_least4(bs_f4 a) {
    bs_f4 two = bs_min4(a, bs_turn4(a, 2));
    return bs_min4(two, bs_turn4(two, 1))[0];
}
static inline float bs_greatest4(bs_f4 a) {
    bs_f4 two = bs_max4(a, bs_turn4(a, 2));
    return bs_max4(two, bs_turn4(two, 1))[0];
}

/* Interleave the lower halves to a0 b0 a1 b1, and the upper halves to a2 b2 a3 b3. */
#if defined(__clang__)
#define BS_LOWER4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define BS_UPPER4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define BS_LOWER4(a, b) __builtin_shuffle(a, b, (bs_i4){0, 4, 1, 5})
#define BS_UPPER4(a, b) __builtin_shuffle(a, b, (bs_i4){2, 6, 3, 7})
#endif

#endif
