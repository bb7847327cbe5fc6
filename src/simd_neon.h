/* simd_neon.h: eight lanes in two registers, on ARM64 (see simd.h). */
#ifndef BS_SIMD_NEON_H
#define BS_SIMD_NEON_H

#include <arm_neon.h>

#include "lanes.h"
#include "places.h"

typedef struct bs_f8 {
    float32x4_t lo, hi;
} bs_f8;

static inline bs_f8 bs_f8_load(const float *p) {
    return (bs_f8){vld1q_f32(p), vld1q_f32(p + 4)};
}
static inline bs_f8 bs_f8_set(float x) {
    return (bs_f8){vdupq_n_f32(x), vdupq_n_f32(x)};
}
static inline void bs_f8_store(float *p, bs_f8 a) {
    vst1q_f32(p, a.lo);
    vst1q_f32(p + 4, a.hi);
}
static inline bs_f8 bs_f8_add(bs_f8 a, bs_f8 b) {
    return (bs_f8){vaddq_f32(a.lo, b.lo), vaddq_f32(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_sub(bs_f8 a, bs_f8 b) {
    return (bs_f8){vsubq_f32(a.lo, b.lo), vsubq_f32(a.hi, b.hi)};
}
static inline bs_f8 bs_f8_mul(bs_f8 a, bs_f8 b) {
    return (bs_f8){vmulq_f32(a.lo, b.lo), vmulq_f32(a.hi, b.hi)};
}
/* Not vminq_f32, which takes NaN from either side. */
static inline bs_f8 bs_f8_min(bs_f8 a, bs_f8 b) {
    return (bs_f8){vbslq_f32(vcltq_f32(a.lo, b.lo), a.lo, b.lo),
                   vbslq_f32(vcltq_f32(a.hi, b.hi), a.hi, b.hi)};
}
static inline bs_f8 bs_f8_max(bs_f8 a, bs_f8 b) {
    return (bs_f8){vbslq_f32(vcgtq_f32(a.lo, b.lo), a.lo, b.lo),
                   vbslq_f32(vcgtq_f32(a.hi, b.hi), a.hi, b.hi)};
}
static inline bs_f8 bs_f8_max_gap(bs_f8 a, bs_f8 b) {
    return bs_f8_max(a, b);
}
static inline bs_f8 bs_f8_either_zero(bs_f8 a, bs_f8 b) {
    return (bs_f8){vminq_f32(vabsq_f32(a.lo), vabsq_f32(b.lo)),
                   vminq_f32(vabsq_f32(a.hi), vabsq_f32(b.hi))};
}
/* Bit i: lane i is set; masks of all bits or none. */
static inline unsigned bs_mask_bits(uint32x4_t lo, uint32x4_t hi) {
    static const uint32_t bit[BS_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u32(vorrq_u32(vandq_u32(lo, vld1q_u32(bit)), vandq_u32(hi, vld1q_u32(bit + 4))));
}
/* All bits where the sign is set. */
static inline uint32x4_t bs_sign4(float32x4_t a) {
    return vcltzq_s32(vreinterpretq_s32_f32(a));
}
static inline unsigned bs_f8_signs(bs_f8 a) {
    return bs_mask_bits(bs_sign4(a.lo), bs_sign4(a.hi));
}
static inline bs_f8 bs_f8_not_above(bs_f8 a, bs_f8 b) {
    return (bs_f8){vreinterpretq_f32_u32(vcleq_f32(a.lo, b.lo)),
                   vreinterpretq_f32_u32(vcleq_f32(a.hi, b.hi))};
}
static inline float32x4_t bs_both4(float32x4_t a, float32x4_t b) {
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)));
}
static inline bs_f8 bs_f8_both(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_both4(a.lo, b.lo), bs_both4(a.hi, b.hi)};
}
static inline unsigned bs_f8_le(bs_f8 a, bs_f8 b) {
    return bs_mask_bits(vcleq_f32(a.lo, b.lo), vcleq_f32(a.hi, b.hi));
}
static inline unsigned bs_f8_zeros(bs_f8 a) {
    return bs_mask_bits(vceqzq_f32(a.lo), vceqzq_f32(a.hi));
}
static inline float bs_f8_least(bs_f8 a) {
    return vminvq_f32(vminq_f32(a.lo, a.hi));
}
static inline float bs_f8_greatest(bs_f8 a) {
    return vmaxvq_f32(vmaxq_f32(a.lo, a.hi));
}
static inline bs_f8 bs_f8_where_le(bs_f8 a, bs_f8 b) {
    const float32x4_t most = vdupq_n_f32(FLT_MAX);
    return (bs_f8){vbslq_f32(vcleq_f32(a.lo, b.lo), a.lo, most),
                   vbslq_f32(vcleq_f32(a.hi, b.hi), a.hi, most)};
}

/* --- ids ------------------------------------------------------------------------------------ */

typedef struct bs_u8 {
    uint32x4_t lo, hi;
} bs_u8;

static inline bs_u8 bs_u8_load(const uint32_t *p) {
    return (bs_u8){vld1q_u32(p), vld1q_u32(p + 4)};
}
static inline void bs_u8_store(uint32_t *p, bs_u8 a) {
    vst1q_u32(p, a.lo);
    vst1q_u32(p + 4, a.hi);
}
static inline bs_u8 bs_u8_set(uint32_t x) {
    return (bs_u8){vdupq_n_u32(x), vdupq_n_u32(x)};
}
static inline bs_u8 bs_u8_bits(bs_f8 a) {
    return (bs_u8){vreinterpretq_u32_f32(a.lo), vreinterpretq_u32_f32(a.hi)};
}
/* Lane i becomes what lane i + by was. */
BS_HOT uint32x4_t bs_turn4(uint32x4_t a, int by) {
    return by == 0   ? a
           : by == 1 ? vextq_u32(a, a, 1)
           : by == 2 ? vextq_u32(a, a, 2)
                     : vextq_u32(a, a, 3);
}
BS_HOT bs_u8 bs_away8(bs_u8 a, int round) {
    return round < 2 ? (bs_u8){bs_turn4(a.lo, round + 1), bs_turn4(a.hi, round + 1)}
                     : (bs_u8){bs_turn4(a.hi, 2 * round - 4), bs_turn4(a.hi, 2 * round - 3)};
}
BS_HOT bs_f8 bs_f8_home(const float *p, int round) {
    return (bs_f8){vld1q_f32(p), vld1q_f32(round < 2 ? p + 4 : p)};
}
BS_HOT bs_f8 bs_f8_away(const float *p, int round) {
    bs_u8 away = bs_away8(bs_u8_bits(bs_f8_load(p)), round);
    return (bs_f8){vreinterpretq_f32_u32(away.lo), vreinterpretq_f32_u32(away.hi)};
}
BS_HOT bs_u8 bs_u8_home(const uint32_t *p, int round) {
    return (bs_u8){vld1q_u32(p), vld1q_u32(round < 2 ? p + 4 : p)};
}
BS_HOT bs_u8 bs_u8_away(const uint32_t *p, int round) {
    return bs_away8(bs_u8_load(p), round);
}
static inline bs_u8 bs_u8_count(bs_u8 n, uint32_t x, bs_u8 of) {
    const uint32x4_t all = vdupq_n_u32(x);
    return (bs_u8){vsubq_u32(n.lo, vcltq_u32(all, of.lo)), vsubq_u32(n.hi, vcltq_u32(all, of.hi))};
}
static inline unsigned bs_u8_same(bs_u8 a, bs_u8 b) {
    return bs_f8_signs((bs_f8){vreinterpretq_f32_u32(vceqq_u32(a.lo, b.lo)),
                               vreinterpretq_f32_u32(vceqq_u32(a.hi, b.hi))});
}
/* --- what compressing is made of ------------------------------------------------------------ */

/* first + i */
static inline bs_u8 bs_u8_from(uint32_t first) {
    static const uint32_t number[BS_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint32x4_t from = vdupq_n_u32(first);
    return (bs_u8){vaddq_u32(from, vld1q_u32(number)), vaddq_u32(from, vld1q_u32(number + 4))};
}
static inline void bs_swap4(uint32x4_t *a, uint32x4_t *b, uint32x4_t mask) {
    uint32x4_t old = *a;
    *a = vbslq_u32(mask, *b, old);
    *b = vbslq_u32(mask, old, *b);
}
/* Lanes of a and b change places where the mask is set. */
static inline void bs_u8_swap(bs_u8 *a, bs_u8 *b, bs_f8 mask) {
    bs_swap4(&a->lo, &b->lo, vreinterpretq_u32_f32(mask.lo));
    bs_swap4(&a->hi, &b->hi, vreinterpretq_u32_f32(mask.hi));
}
/* Puts the lower of two into a. */
static inline void bs_u8_order(bs_u8 *a, bs_u8 *b) {
    bs_u8 old = *a;
    *a = (bs_u8){vminq_u32(old.lo, b->lo), vminq_u32(old.hi, b->hi)};
    *b = (bs_u8){vmaxq_u32(old.lo, b->lo), vmaxq_u32(old.hi, b->hi)};
}

/* Each pair is written where it goes if it is chosen: if not, the next chosen one overwrites it. */
static inline void bs_append_both(bs_pairs *out, bs_u8 a, bs_u8 b, unsigned mask) {
    assert(out->n + BS_LANES <= out->cap && mask <= BS_ALL_LANES);
    const uint32x4_t pairs[] = {vzip1q_u32(a.lo, b.lo), vzip2q_u32(a.lo, b.lo),
                                vzip1q_u32(a.hi, b.hi), vzip2q_u32(a.hi, b.hi)};
    const uint8_t *place = bs_places[mask];
    bs_pair *to = out->at + out->n;
    vst1_u32(&to->a, vget_low_u32(pairs[0]));
    vst1_u32(&to[place[1]].a, vget_high_u32(pairs[0]));
#pragma GCC unroll 3
    for (int i = 1; i < BS_LANES / 2; i++) {
        vst1_u32(&to[place[2 * i]].a, vget_low_u32(pairs[i]));
        vst1_u32(&to[place[2 * i + 1]].a, vget_high_u32(pairs[i]));
    }
    out->n += place[0];
}

#endif
