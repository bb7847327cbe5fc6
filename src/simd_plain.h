/* simd_plain.h: eight lanes in loops (see simd.h). */
#ifndef BS_SIMD_PLAIN_H
#define BS_SIMD_PLAIN_H

#include "lanes.h"
#include "places.h"

/* Of a mask a lane is -1 or 0. */
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
static inline bs_f8 bs_f8_max_gap(bs_f8 a, bs_f8 b) {
    return bs_f8_max(a, b);
}
static inline bs_f8 bs_f8_either_zero(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(fabsf(a.v[i]) < fabsf(b.v[i]) ? a.v[i] : b.v[i]);
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
static inline bs_f8 bs_f8_home(const float *p, int round) {
    BS_F8_EACH(p[bs_home_lane(i, round)]);
}
static inline bs_f8 bs_f8_away(const float *p, int round) {
    BS_F8_EACH(p[bs_away_lane(i, round)]);
}
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    BS_F8_EACH(a.v[i] <= b.v[i] ? a.v[i] : FLT_MAX);
}
/* --- ids ------------------------------------------------------------------------------------ */

typedef struct bs_u8 {
    uint32_t v[BS_LANES];
} bs_u8;

#define BS_U8_EACH(expression)                                                                     \
    bs_u8 r;                                                                                       \
    for (uint32_t i = 0; i < BS_LANES; i++) {                                                      \
        r.v[i] = (expression);                                                                     \
    }                                                                                              \
    return r

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    BS_U8_EACH(p[i]);
}
static inline void bs_u8_store(uint32_t *p, bs_u8 a) {
    memcpy(p, a.v, sizeof a.v);
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    BS_U8_EACH(x);
}
static inline bs_u8 bs_u8_home(const uint32_t *p, int round) {
    BS_U8_EACH(p[bs_home_lane((int)i, round)]);
}
static inline bs_u8 bs_u8_away(const uint32_t *p, int round) {
    BS_U8_EACH(p[bs_away_lane((int)i, round)]);
}
static inline bs_u8 bs_u8_count(bs_u8 n, uint32_t x, bs_u8 of) {
    BS_U8_EACH(n.v[i] + (x < of.v[i]));
}

static inline unsigned bs_u8_same(bs_u8 a, bs_u8 b) {
    unsigned bits = 0;
    for (int i = 0; i < BS_LANES; i++) {
        bits |= (unsigned)(a.v[i] == b.v[i]) << i;
    }
    return bits;
}

/* --- what compressing is made of ------------------------------------------------------------ */

static inline bs_u8 bs_u8_bits(bs_f8 a) {
    BS_U8_EACH(bs_bits_of(a.v[i]));
}
/* first + i */
static inline bs_u8 bs_u8_from(uint32_t first) {
    BS_U8_EACH(first + i);
}
/* Lanes of a and b change places where the mask is set. */
static inline void bs_u8_swap(bs_u8 *a, bs_u8 *b, bs_f8 mask) {
    for (int i = 0; i < BS_LANES; i++) {
        uint32_t old = a->v[i];
        a->v[i] = mask.v[i] < 0 ? b->v[i] : old;
        b->v[i] = mask.v[i] < 0 ? old : b->v[i];
    }
}
/* Puts the lower of two into a. */
static inline void bs_u8_order(bs_u8 *a, bs_u8 *b) {
    for (int i = 0; i < BS_LANES; i++) {
        uint32_t old = a->v[i];
        a->v[i] = old < b->v[i] ? old : b->v[i];
        b->v[i] = old < b->v[i] ? b->v[i] : old;
    }
}

static inline void bs_append_both(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    const uint8_t *place = bs_places[mask];
    bs_pair *to = out->at + out->n;
    to[0] = (bs_pair){a.v[0], b.v[0]};
    for (int i = 1; i < BS_LANES; i++) {
        to[place[i]] = (bs_pair){a.v[i], b.v[i]};
    }
    out->n += place[0];
}

#undef BS_F8_EACH
#undef BS_F8_MASK
#undef BS_U8_EACH

#endif
