/*
 * block_load.h: fills a block from the exact boxes that its lanes stand for.
 *
 * What moves in a frame is mostly much: then reading all boxes again, eight at a time, costs less
 * than writing each one where it belongs.
 */
#ifndef BS_BLOCK_LOAD_H
#define BS_BLOCK_LOAD_H

#include "block.h"

/* Finite bounds, as bs_round makes them. */
BS_COLD void bs_block_clamp(bs_block *b, bs_bounds *all) {
    const bs_f8 most = bs_f8_set(FLT_MAX);
    const bs_f8 least = bs_f8_set(-FLT_MAX);
    for (int k = 0; k < DIM; k++) {
        bs_f8_store(b->lo[k], bs_f8_max(bs_f8_min(bs_f8_load(b->lo[k]), most), least));
        bs_f8_store(b->hi[k], bs_f8_max(bs_f8_min(bs_f8_load(b->hi[k]), most), least));
    }
    *all = bs_block_bounds(b);
}

#if DIM == 2 && (BS_HAS_SSE2 || BS_HAS_NEON)

static_assert(sizeof(bs_rect) == 4 * sizeof(double), "two vectors");
static_assert(sizeof(bs_bounds) == 4 * sizeof(float), "one vector");

/* The corners of four boxes: x, y, x, y, ..., each the nearest float, maybe infinite or -0. */
typedef struct bs_corners {
    bs_f8 near, far;
} bs_corners;

#if BS_HAS_SSE2

#if defined(__AVX2__)

BS_HOT __m256d bs_join_doubles(const double *a, const double *b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
}

BS_HOT bs_f8 bs_f8_of_doubles(__m256d a, __m256d b) {
    return (bs_f8){_mm256_set_m128(_mm256_cvtpd_ps(b), _mm256_cvtpd_ps(a))};
}

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b, const bs_rect *c,
                                const bs_rect *d) {
    __m256d near_ab = bs_join_doubles(a->pos, b->pos);
    __m256d near_cd = bs_join_doubles(c->pos, d->pos);
    __m256d far_ab = _mm256_add_pd(near_ab, bs_join_doubles(a->size, b->size));
    __m256d far_cd = _mm256_add_pd(near_cd, bs_join_doubles(c->size, d->size));
    return (bs_corners){bs_f8_of_doubles(near_ab, near_cd), bs_f8_of_doubles(far_ab, far_cd)};
}

BS_HOT bs_f8 bs_every_x(bs_f8 ab, bs_f8 cd) {
    return (bs_f8){_mm256_shuffle_ps(ab.v, cd.v, _MM_SHUFFLE(2, 0, 2, 0))};
}
BS_HOT bs_f8 bs_every_y(bs_f8 ab, bs_f8 cd) {
    return (bs_f8){_mm256_shuffle_ps(ab.v, cd.v, _MM_SHUFFLE(3, 1, 3, 1))};
}
BS_HOT __m128 bs_lower_half(bs_f8 a) {
    return _mm256_castps256_ps128(a.v);
}
BS_HOT __m128 bs_upper_half(bs_f8 a) {
    return _mm256_extractf128_ps(a.v, 1);
}

#else

BS_HOT __m128 bs_f4_of_doubles(__m128d a, __m128d b) {
    return _mm_movelh_ps(_mm_cvtpd_ps(a), _mm_cvtpd_ps(b));
}
BS_HOT __m128d bs_near_corner(const bs_rect *r) {
    return _mm_loadu_pd(r->pos);
}
BS_HOT __m128d bs_far_corner(const bs_rect *r) {
    return _mm_add_pd(_mm_loadu_pd(r->pos), _mm_loadu_pd(r->size));
}
BS_HOT bs_f8 bs_every_x(bs_f8 ab, bs_f8 cd) {
    return (bs_f8){_mm_shuffle_ps(ab.lo, cd.lo, _MM_SHUFFLE(2, 0, 2, 0)),
                   _mm_shuffle_ps(ab.hi, cd.hi, _MM_SHUFFLE(2, 0, 2, 0))};
}
BS_HOT bs_f8 bs_every_y(bs_f8 ab, bs_f8 cd) {
    return (bs_f8){_mm_shuffle_ps(ab.lo, cd.lo, _MM_SHUFFLE(3, 1, 3, 1)),
                   _mm_shuffle_ps(ab.hi, cd.hi, _MM_SHUFFLE(3, 1, 3, 1))};
}
BS_HOT __m128 bs_lower_half(bs_f8 a) {
    return a.lo;
}
BS_HOT __m128 bs_upper_half(bs_f8 a) {
    return a.hi;
}

#endif

/* The bounds of all these corners, without -0; false if one is infinite. */
BS_HOT bool bs_store_bounds(bs_bounds *to, bs_f8 near, bs_f8 far) {
    __m128 least = _mm_min_ps(bs_lower_half(near), bs_upper_half(near));
    __m128 greatest = _mm_max_ps(bs_lower_half(far), bs_upper_half(far));
    least = _mm_min_ps(least, _mm_movehl_ps(least, least));
    greatest = _mm_max_ps(greatest, _mm_movehl_ps(greatest, greatest));
    __m128 both = _mm_add_ps(_mm_movelh_ps(least, greatest), _mm_setzero_ps());
    __m128 excess = _mm_sub_ps(both, both); /* NaN if one is infinite */
    _mm_storeu_ps(to->lo, both);
    return _mm_movemask_ps(_mm_cmpunord_ps(excess, excess)) == 0;
}

#else

BS_HOT float32x4_t bs_f4_of_doubles(float64x2_t a, float64x2_t b) {
    return vcvt_high_f32_f64(vcvt_f32_f64(a), b);
}
BS_HOT float64x2_t bs_near_corner(const bs_rect *r) {
    return vld1q_f64(r->pos);
}
BS_HOT float64x2_t bs_far_corner(const bs_rect *r) {
    return vaddq_f64(vld1q_f64(r->pos), vld1q_f64(r->size));
}
BS_HOT bs_f8 bs_every_x(bs_f8 ab, bs_f8 cd) {
    return (bs_f8){vuzp1q_f32(ab.lo, cd.lo), vuzp1q_f32(ab.hi, cd.hi)};
}
BS_HOT bs_f8 bs_every_y(bs_f8 ab, bs_f8 cd) {
    return (bs_f8){vuzp2q_f32(ab.lo, cd.lo), vuzp2q_f32(ab.hi, cd.hi)};
}

BS_HOT bool bs_store_bounds(bs_bounds *to, bs_f8 near, bs_f8 far) {
    float32x4_t least = vminq_f32(near.lo, near.hi);
    float32x4_t greatest = vmaxq_f32(far.lo, far.hi);
    float32x4_t both = vcombine_f32(vmin_f32(vget_low_f32(least), vget_high_f32(least)),
                                    vmax_f32(vget_low_f32(greatest), vget_high_f32(greatest)));
    both = vaddq_f32(both, vdupq_n_f32(0));
    float32x4_t excess = vsubq_f32(both, both);
    vst1q_f32(to->lo, both);
    return vminvq_u32(vceqq_f32(excess, excess)) != 0;
}

#endif

#if !defined(__AVX2__)

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b, const bs_rect *c,
                                const bs_rect *d) {
    return (bs_corners){{bs_f4_of_doubles(bs_near_corner(a), bs_near_corner(b)),
                         bs_f4_of_doubles(bs_near_corner(c), bs_near_corner(d))},
                        {bs_f4_of_doubles(bs_far_corner(a), bs_far_corner(b)),
                         bs_f4_of_doubles(bs_far_corner(c), bs_far_corner(d))}};
}

#endif

/* The bounds of all lanes, empty ones too. */
BS_HOT bs_bounds bs_block_read(bs_block *b, const bs_rect *rect) {
    const bs_f8 zero = bs_f8_set(0); /* added to -0 it makes 0 */
    const uint32_t *id = b->id;
    bs_corners some = bs_corners_of(&rect[id[0]], &rect[id[1]], &rect[id[4]], &rect[id[5]]);
    bs_corners others = bs_corners_of(&rect[id[2]], &rect[id[3]], &rect[id[6]], &rect[id[7]]);
    bs_f8_store(b->lo[0], bs_f8_add(bs_every_x(some.near, others.near), zero));
    bs_f8_store(b->lo[1], bs_f8_add(bs_every_y(some.near, others.near), zero));
    bs_f8_store(b->hi[0], bs_f8_add(bs_every_x(some.far, others.far), zero));
    bs_f8_store(b->hi[1], bs_f8_add(bs_every_y(some.far, others.far), zero));
    bs_bounds all;
    if (__builtin_expect(!bs_store_bounds(&all, bs_f8_min(some.near, others.near),
                                          bs_f8_max(some.far, others.far)),
                         0)) {
        bs_block_clamp(b, &all);
    }
    return all;
}

#else

BS_HOT bs_bounds bs_block_read(bs_block *b, const bs_rect *rect) {
    bs_bounds all = bs_bounds_empty();
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_bounds bounds = bs_bounds_of(&rect[b->id[lane]]);
        bs_block_set(b, lane, bounds, b->id[lane]);
        all = bs_bounds_union(all, bounds);
    }
    return all;
}

#endif

/*
 * Reads the first `count` lanes' boxes again; the other lanes are empty, with an id of 0. Returns
 * the bounds of them all.
 */
BS_HOT bs_bounds bs_block_load(bs_block *b, const bs_rect *rect, int count) {
    assert(count > 0 && count <= BS_LANES);
    bs_bounds all = bs_block_read(b, rect);
    if (count == BS_LANES) {
        return all;
    }
    for (int lane = count; lane < BS_LANES; lane++) {
        bs_block_clear_lane(b, lane);
    }
    return bs_block_bounds(b);
}

#endif
