/*
 * block_load.h: fills a block from the exact boxes that its lanes stand for.
 *
 * What moves in a frame is mostly much: then reading all boxes again, eight at a time, costs less
 * than writing each one where it belongs. Their corners are made floats in vectors:
 *
 *      bs_f4                    four floats, as in one half of a bs_f8: in 2D x y of one box and
 *                               x y of another; in 3D x y z of one box, and something
 *      bs_corners_of            the least and the greatest corners of two boxes (2D), of one (3D);
 *                               each number is the nearest float, maybe infinite or -0
 *      bs_f4_min, _max          of numbers, not NaN
 *      bs_f8_join               from two halves
 *      bs_f8_even(a, b)         half by half: a0 a2 b0 b2
 *      bs_f8_odd(a, b)          a1 a3 b1 b3
 *      bs_f8_front(a, b)        a0 a1 b0 b1
 *      bs_f8_back(a, b)         a2 a3 b2 b3
 *      bs_corners_bounds        from the least and the greatest of all corners, without -0; false
 *                               if one number is infinite
 */
#ifndef BS_BLOCK_LOAD_H
#define BS_BLOCK_LOAD_H

#include "block.h"

#define BS_HAS_CORNERS (BS_HAS_SSE2 || BS_HAS_NEON)

static_assert(sizeof(bs_rect) == 2 * DIM * sizeof(double), "sizes stand behind positions");
static_assert(sizeof(bs_bounds) == 2 * DIM * sizeof(float), "hi stands behind lo");

#if BS_HAS_SSE2

typedef __m128 bs_f4;

BS_HOT bs_f4 bs_f4_min(bs_f4 a, bs_f4 b) {
    return _mm_min_ps(a, b);
}
BS_HOT bs_f4 bs_f4_max(bs_f4 a, bs_f4 b) {
    return _mm_max_ps(a, b);
}

#if defined(__AVX2__)

BS_HOT bs_f8 bs_f8_join(bs_f4 lo, bs_f4 hi) {
    return (bs_f8){_mm256_set_m128(hi, lo)};
}
#define BS_SHUFFLE(a, b, order) ((bs_f8){_mm256_shuffle_ps((a).v, (b).v, order)})

#else

BS_HOT bs_f8 bs_f8_join(bs_f4 lo, bs_f4 hi) {
    return (bs_f8){lo, hi};
}
#define BS_SHUFFLE(a, b, order)                                                                    \
    ((bs_f8){_mm_shuffle_ps((a).lo, (b).lo, order), _mm_shuffle_ps((a).hi, (b).hi, order)})

#endif

BS_HOT bs_f8 bs_f8_even(bs_f8 a, bs_f8 b) {
    return BS_SHUFFLE(a, b, _MM_SHUFFLE(2, 0, 2, 0));
}
BS_HOT bs_f8 bs_f8_odd(bs_f8 a, bs_f8 b) {
    return BS_SHUFFLE(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}
BS_HOT bs_f8 bs_f8_front(bs_f8 a, bs_f8 b) {
    return BS_SHUFFLE(a, b, _MM_SHUFFLE(1, 0, 1, 0));
}
BS_HOT bs_f8 bs_f8_back(bs_f8 a, bs_f8 b) {
    return BS_SHUFFLE(a, b, _MM_SHUFFLE(3, 2, 3, 2));
}

#undef BS_SHUFFLE

#elif BS_HAS_NEON

typedef float32x4_t bs_f4;

BS_HOT bs_f4 bs_f4_min(bs_f4 a, bs_f4 b) {
    return vminq_f32(a, b);
}
BS_HOT bs_f4 bs_f4_max(bs_f4 a, bs_f4 b) {
    return vmaxq_f32(a, b);
}
BS_HOT bs_f8 bs_f8_join(bs_f4 lo, bs_f4 hi) {
    return (bs_f8){lo, hi};
}
BS_HOT bs_f8 bs_f8_even(bs_f8 a, bs_f8 b) {
    return (bs_f8){vuzp1q_f32(a.lo, b.lo), vuzp1q_f32(a.hi, b.hi)};
}
BS_HOT bs_f8 bs_f8_odd(bs_f8 a, bs_f8 b) {
    return (bs_f8){vuzp2q_f32(a.lo, b.lo), vuzp2q_f32(a.hi, b.hi)};
}
BS_HOT bs_f4 bs_f4_front(bs_f4 a, bs_f4 b) {
    return vcombine_f32(vget_low_f32(a), vget_low_f32(b));
}
BS_HOT bs_f4 bs_f4_back(bs_f4 a, bs_f4 b) {
    return vcombine_f32(vget_high_f32(a), vget_high_f32(b));
}
BS_HOT bs_f8 bs_f8_front(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_f4_front(a.lo, b.lo), bs_f4_front(a.hi, b.hi)};
}
BS_HOT bs_f8 bs_f8_back(bs_f8 a, bs_f8 b) {
    return (bs_f8){bs_f4_back(a.lo, b.lo), bs_f4_back(a.hi, b.hi)};
}

#endif

#if BS_HAS_CORNERS

typedef struct bs_corners {
    bs_f4 least, greatest;
} bs_corners;

#endif

/* --- 2D ------------------------------------------------------------------------------------- */

#if DIM == 2 && BS_HAS_SSE2

#if defined(__AVX2__)

BS_HOT __m256d bs_join_doubles(const double *a, const double *b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
}

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b) {
    __m256d least = bs_join_doubles(a->pos, b->pos);
    __m256d greatest = _mm256_add_pd(least, bs_join_doubles(a->size, b->size));
    return (bs_corners){_mm256_cvtpd_ps(least), _mm256_cvtpd_ps(greatest)};
}

#else

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b) {
    __m128d least_a = _mm_loadu_pd(a->pos);
    __m128d least_b = _mm_loadu_pd(b->pos);
    __m128d greatest_a = _mm_add_pd(least_a, _mm_loadu_pd(a->size));
    __m128d greatest_b = _mm_add_pd(least_b, _mm_loadu_pd(b->size));
    return (bs_corners){_mm_movelh_ps(_mm_cvtpd_ps(least_a), _mm_cvtpd_ps(least_b)),
                        _mm_movelh_ps(_mm_cvtpd_ps(greatest_a), _mm_cvtpd_ps(greatest_b))};
}

#endif

BS_HOT bool bs_corners_bounds(bs_f4 least, bs_f4 greatest, bs_bounds *out) {
    least = _mm_min_ps(least, _mm_movehl_ps(least, least));
    greatest = _mm_max_ps(greatest, _mm_movehl_ps(greatest, greatest));
    __m128 both = _mm_add_ps(_mm_movelh_ps(least, greatest), _mm_setzero_ps());
    __m128 excess = _mm_sub_ps(both, both); /* NaN if one is infinite */
    memcpy(out, &both, sizeof both);
    return _mm_movemask_ps(_mm_cmpunord_ps(excess, excess)) == 0;
}

#elif DIM == 2 && BS_HAS_NEON

BS_HOT bs_corners bs_corners_of(const bs_rect *a, const bs_rect *b) {
    float64x2_t least_a = vld1q_f64(a->pos);
    float64x2_t least_b = vld1q_f64(b->pos);
    float64x2_t greatest_a = vaddq_f64(least_a, vld1q_f64(a->size));
    float64x2_t greatest_b = vaddq_f64(least_b, vld1q_f64(b->size));
    return (bs_corners){vcvt_high_f32_f64(vcvt_f32_f64(least_a), least_b),
                        vcvt_high_f32_f64(vcvt_f32_f64(greatest_a), greatest_b)};
}

BS_HOT bool bs_corners_bounds(bs_f4 least, bs_f4 greatest, bs_bounds *out) {
    float32x4_t both = vcombine_f32(vmin_f32(vget_low_f32(least), vget_high_f32(least)),
                                    vmax_f32(vget_low_f32(greatest), vget_high_f32(greatest)));
    both = vaddq_f32(both, vdupq_n_f32(0));
    float32x4_t excess = vsubq_f32(both, both); /* NaN if one is infinite */
    memcpy(out, &both, sizeof both);
    return vminvq_u32(vceqq_f32(excess, excess)) != 0;
}

/* --- 3D ------------------------------------------------------------------------------------- */

#elif DIM == 3 && BS_HAS_SSE2

#if defined(__AVX2__)

BS_HOT bs_corners bs_corners_of(const bs_rect *r) {
    const double *x = (const double *)(const void *)r;
    __m256d least = _mm256_loadu_pd(x);      /* x y z, and the size on x */
    __m256d behind = _mm256_loadu_pd(x + 2); /* z, and the three sizes */
    __m256d size = _mm256_permute4x64_pd(behind, _MM_SHUFFLE(0, 3, 2, 1));
    return (bs_corners){_mm256_cvtpd_ps(least), _mm256_cvtpd_ps(_mm256_add_pd(least, size))};
}

#else

BS_HOT bs_corners bs_corners_of(const bs_rect *r) {
    __m128d least = _mm_loadu_pd(r->pos);
    __m128d least_z = _mm_load_sd(r->pos + 2);
    __m128d greatest = _mm_add_pd(least, _mm_loadu_pd(r->size));
    __m128d greatest_z = _mm_add_pd(least_z, _mm_load_sd(r->size + 2));
    return (bs_corners){_mm_movelh_ps(_mm_cvtpd_ps(least), _mm_cvtpd_ps(least_z)),
                        _mm_movelh_ps(_mm_cvtpd_ps(greatest), _mm_cvtpd_ps(greatest_z))};
}

#endif

BS_HOT bool bs_corners_bounds(bs_f4 least, bs_f4 greatest, bs_bounds *out) {
    const __m128 zero = _mm_setzero_ps();
    __m128 excess = _mm_add_ps(_mm_sub_ps(least, least), _mm_sub_ps(greatest, greatest));
    float lo[4];
    float hi[4];
    _mm_storeu_ps(lo, _mm_add_ps(least, zero));
    _mm_storeu_ps(hi, _mm_add_ps(greatest, zero));
    memcpy(out->lo, lo, sizeof out->lo);
    memcpy(out->hi, hi, sizeof out->hi);
    return (_mm_movemask_ps(_mm_cmpunord_ps(excess, excess)) & 7) == 0;
}

#elif DIM == 3 && BS_HAS_NEON

BS_HOT bs_corners bs_corners_of(const bs_rect *r) {
    float64x2_t least = vld1q_f64(r->pos);
    float64x2_t greatest = vaddq_f64(least, vld1q_f64(r->size));
    float64x2_t least_z = vdupq_n_f64(r->pos[2]);
    float64x2_t greatest_z = vdupq_n_f64(bs_far(r, 2));
    return (bs_corners){vcvt_high_f32_f64(vcvt_f32_f64(least), least_z),
                        vcvt_high_f32_f64(vcvt_f32_f64(greatest), greatest_z)};
}

BS_HOT bool bs_corners_bounds(bs_f4 least, bs_f4 greatest, bs_bounds *out) {
    const float32x4_t zero = vdupq_n_f32(0);
    float32x4_t excess = vaddq_f32(vsubq_f32(least, least), vsubq_f32(greatest, greatest));
    float lo[4];
    float hi[4];
    vst1q_f32(lo, vaddq_f32(least, zero));
    vst1q_f32(hi, vaddq_f32(greatest, zero));
    memcpy(out->lo, lo, sizeof out->lo);
    memcpy(out->hi, hi, sizeof out->hi);
    return vminvq_u32(vceqq_f32(excess, excess)) != 0;
}

#endif

/* --- blocks ---------------------------------------------------------------------------------- */

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

#if DIM == 2 && BS_HAS_CORNERS

/* The bounds of all lanes, empty ones too. */
BS_HOT bs_bounds bs_block_read(bs_block *b, const bs_rect *rect) {
    const bs_f8 zero = bs_f8_set(0); /* added to -0 it makes 0 */
    const uint32_t *id = b->id;
    bs_corners c01 = bs_corners_of(&rect[id[0]], &rect[id[1]]);
    bs_corners c23 = bs_corners_of(&rect[id[2]], &rect[id[3]]);
    bs_corners c45 = bs_corners_of(&rect[id[4]], &rect[id[5]]);
    bs_corners c67 = bs_corners_of(&rect[id[6]], &rect[id[7]]);
    bs_f8 least_a = bs_f8_join(c01.least, c45.least);
    bs_f8 least_b = bs_f8_join(c23.least, c67.least);
    bs_f8 greatest_a = bs_f8_join(c01.greatest, c45.greatest);
    bs_f8 greatest_b = bs_f8_join(c23.greatest, c67.greatest);
    bs_f8_store(b->lo[0], bs_f8_add(bs_f8_even(least_a, least_b), zero));
    bs_f8_store(b->lo[1], bs_f8_add(bs_f8_odd(least_a, least_b), zero));
    bs_f8_store(b->hi[0], bs_f8_add(bs_f8_even(greatest_a, greatest_b), zero));
    bs_f8_store(b->hi[1], bs_f8_add(bs_f8_odd(greatest_a, greatest_b), zero));
    bs_f4 least = bs_f4_min(bs_f4_min(c01.least, c45.least), bs_f4_min(c23.least, c67.least));
    bs_f4 greatest =
        bs_f4_max(bs_f4_max(c01.greatest, c45.greatest), bs_f4_max(c23.greatest, c67.greatest));
    bs_bounds all;
    if (__builtin_expect(!bs_corners_bounds(least, greatest, &all), 0)) {
        bs_block_clamp(b, &all);
    }
    return all;
}

#elif DIM == 3 && BS_HAS_CORNERS

/* Stores the bounds of eight boxes on three axes. Row i: x y z of box i, then of box i + 4. */
BS_HOT void bs_block_store_rows(float to[DIM][BS_LANES], const bs_f8 row[4]) {
    const bs_f8 zero = bs_f8_set(0); /* added to -0 it makes 0 */
    bs_f8 xy01 = bs_f8_front(row[0], row[1]);
    bs_f8 xy23 = bs_f8_front(row[2], row[3]);
    bs_f8 z01 = bs_f8_back(row[0], row[1]);
    bs_f8 z23 = bs_f8_back(row[2], row[3]);
    bs_f8_store(to[0], bs_f8_add(bs_f8_even(xy01, xy23), zero));
    bs_f8_store(to[1], bs_f8_add(bs_f8_odd(xy01, xy23), zero));
    bs_f8_store(to[2], bs_f8_add(bs_f8_even(z01, z23), zero));
}

/* The bounds of all lanes, empty ones too. */
BS_HOT bs_bounds bs_block_read(bs_block *b, const bs_rect *rect) {
    bs_f8 least[4];
    bs_f8 greatest[4];
    bs_corners all = bs_corners_of(&rect[b->id[0]]);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        bs_corners one = bs_corners_of(&rect[b->id[i]]);
        bs_corners other = bs_corners_of(&rect[b->id[i + 4]]);
        least[i] = bs_f8_join(one.least, other.least);
        greatest[i] = bs_f8_join(one.greatest, other.greatest);
        all.least = bs_f4_min(all.least, bs_f4_min(one.least, other.least));
        all.greatest = bs_f4_max(all.greatest, bs_f4_max(one.greatest, other.greatest));
    }
    bs_block_store_rows(b->lo, least);
    bs_block_store_rows(b->hi, greatest);
    bs_bounds bounds;
    if (__builtin_expect(!bs_corners_bounds(all.least, all.greatest, &bounds), 0)) {
        bs_block_clamp(b, &bounds);
    }
    return bounds;
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
