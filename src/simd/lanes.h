/* lanes.h: what all vector code shares: eight lanes, and masks with one bit for each lane. */
#ifndef BS_LANES_H
#define BS_LANES_H

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "broadside/geometry.h"
#include "base/heap.h"
#include "base/hot.h"

enum { BS_LANES = 8, BS_ALL_LANES = 255 };
static_assert(BS_ALL_LANES == (1 << BS_LANES) - 1, "a bit for each lane");
static_assert((int)BS_OVERRUN == (int)BS_LANES, "lists have room for a store of all lanes");

static inline int bs_first_lane(unsigned mask) {
    assert(mask != 0);
    return __builtin_ctz(mask);
}

/*
 * In four rounds each of eight lanes meets each other lane, as players do in a tournament. In lane
 * i of a round, one lane at home meets another that is away.
 *
 *      round 0     01 12 23 30   45 56 67 74
 *      round 1     02 13 20 31   46 57 64 75     (each pair twice)
 *      round 2     04 15 26 37   05 16 27 34
 *      round 3     06 17 24 35   07 14 25 36
 *
 * So lanes are only rearranged within halves, which is cheapest.
 */
enum { BS_ROUNDS = 4 };

static inline int bs_home_lane(int i, int round) {
    return round < 2 ? i : i % 4;
}
static inline int bs_away_lane(int i, int round) {
    return round < 2 ? i / 4 * 4 + (i + round + 1) % 4 : 4 + (i + 2 * round + i / 4) % 4;
}
/* Reduces a mask of lanes of a round to those that have each pair once. */
static inline unsigned bs_round_once(unsigned mask, int round) {
    return round == 1 ? mask & 0x33 : mask;
}

/* The bits of floats that are not negative have the same order as the floats. */
static inline uint32_t bs_bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bs_float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline unsigned bs_count_lanes(unsigned mask) {
    return (unsigned)__builtin_popcount(mask);
}

#endif
