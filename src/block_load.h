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

#if BS_HAS_SSE2
typedef __m128 bs_f4;
#else
typedef float32x4_t bs_f4;
#endif

/* The corners of two boxes: x, y, x, y, each the nearest float, which may be infinite or -0. */
typedef struct bs_corners {
    bs_f4 near, far;
} bs_corners;

#if BS_HAS_SSE2

#if defined(__AVX2__)

BS_HOT __m256d bs_join_doubles(const double *a, const double *b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
}

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b) {
    __m256d near = bs_join_doubles(a->pos, b->pos);
    __m256d far = _mm256_add_pd(near, bs_join_doubles(a->size, b->size));
    return (bs_corners){_mm256_cvtpd_ps(near), _mm256_cvtpd_ps(far)};
}

#else

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b) {
    __m128d near_a = _mm_loadu_pd(a->pos);
    __m128d near_b = _mm_loadu_pd(b->pos);
    __m128d far_a = _mm_add_pd(near_a, _mm_loadu_pd(a->size));
    __m128d far_b = _mm_add_pd(near_b, _mm_loadu_pd(b->size));
    return (bs_corners){_mm_movelh_ps(_mm_cvtpd_ps(near_a), _mm_cvtpd_ps(near_b)),
                        _mm_movelh_ps(_mm_cvtpd_ps(far_a), _mm_cvtpd_ps(far_b))};
}

#endif

/* Writes the x of four corners, and their y, without -0. */
BS_HOT void bs_store_corners(float *x, float *y, bs_f4 ab, bs_f4 cd) {
    const bs_f4 zero = _mm_setzero_ps();
    _mm_storeu_ps(x, _mm_add_ps(_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(2, 0, 2, 0)), zero));
    _mm_storeu_ps(y, _mm_add_ps(_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 1, 3, 1)), zero));
}

BS_HOT bs_f4 bs_f4_set(float x) {
    return _mm_set1_ps(x);
}
BS_HOT bs_f4 bs_f4_min(bs_f4 a, bs_f4 b) {
    return _mm_min_ps(a, b);
}
BS_HOT bs_f4 bs_f4_max(bs_f4 a, bs_f4 b) {
    return _mm_max_ps(a, b);
}

/* The bounds of two boxes' corners each, without -0; false if one is infinite. */
BS_HOT bool bs_store_bounds(bs_bounds *to, bs_f4 least, bs_f4 greatest) {
    least = _mm_min_ps(least, _mm_movehl_ps(least, least));
    greatest = _mm_max_ps(greatest, _mm_movehl_ps(greatest, greatest));
    bs_f4 both = _mm_add_ps(_mm_movelh_ps(least, greatest), _mm_setzero_ps());
    bs_f4 excess = _mm_sub_ps(both, both); /* NaN if one is infinite */
    _mm_storeu_ps(to->lo, both);
    return _mm_movemask_ps(_mm_cmpunord_ps(excess, excess)) == 0;
}

#else

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b) {
    float64x2_t near_a = vld1q_f64(a->pos);
    float64x2_t near_b = vld1q_f64(b->pos);
    float64x2_t far_a = vaddq_f64(near_a, vld1q_f64(a->size));
    float64x2_t far_b = vaddq_f64(near_b, vld1q_f64(b->size));
    return (bs_corners){vcvt_high_f32_f64(vcvt_f32_f64(near_a), near_b),
                        vcvt_high_f32_f64(vcvt_f32_f64(far_a), far_b)};
}

BS_HOT void bs_store_corners(float *x, float *y, bs_f4 ab, bs_f4 cd) {
    const bs_f4 zero = vdupq_n_f32(0);
    vst1q_f32(x, vaddq_f32(vuzp1q_f32(ab, cd), zero));
    vst1q_f32(y, vaddq_f32(vuzp2q_f32(ab, cd), zero));
}

BS_HOT bs_f4 bs_f4_set(float x) {
    return vdupq_n_f32(x);
}
BS_HOT bs_f4 bs_f4_min(bs_f4 a, bs_f4 b) {
    return vminq_f32(a, b);
}
BS_HOT bs_f4 bs_f4_max(bs_f4 a, bs_f4 b) {
    return vmaxq_f32(a, b);
}

BS_HOT bool bs_store_bounds(bs_bounds *to, bs_f4 least, bs_f4 greatest) {
    bs_f4 both = vcombine_f32(vmin_f32(vget_low_f32(least), vget_high_f32(least)),
                              vmax_f32(vget_low_f32(greatest), vget_high_f32(greatest)));
    both = vaddq_f32(both, vdupq_n_f32(0));
    bs_f4 excess = vsubq_f32(both, both);
    vst1q_f32(to->lo, both);
    return vminvq_u32(vceqq_f32(excess, excess)) != 0;
}

#endif

/* The bounds of all lanes, empty ones too. */
BS_HOT bs_bounds bs_block_read(bs_block *b, const bs_rect *rect) {
    bs_f4 least = bs_f4_set(INFINITY);
    bs_f4 greatest = bs_f4_set(-INFINITY);
#pragma GCC unroll 2
    for (int i = 0; i < BS_LANES; i += 4) {
        const uint32_t *id = b->id + i;
        bs_corners ab = bs_corners_of(&rect[id[0]], &rect[id[1]]);
        bs_corners cd = bs_corners_of(&rect[id[2]], &rect[id[3]]);
        bs_store_corners(b->lo[0] + i, b->lo[1] + i, ab.near, cd.near);
        bs_store_corners(b->hi[0] + i, b->hi[1] + i, ab.far, cd.far);
        least = bs_f4_min(least, bs_f4_min(ab.near, cd.near));
        greatest = bs_f4_max(greatest, bs_f4_max(ab.far, cd.far));
    }
    bs_bounds all;
    if (__builtin_expect(!bs_store_bounds(&all, least, greatest), 0)) {
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
