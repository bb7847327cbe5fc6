/*
 * block_load.h: fills a block from the exact boxes that its lanes stand for.
 *
 * What moves in a frame is mostly much: then reading all boxes again, eight at a time, costs less
 * than writing each one where it belongs.
 */
#ifndef BS_BLOCK_LOAD_H
#define BS_BLOCK_LOAD_H

#include "block.h"

#if defined(__SSE2__) && DIM == 2

static_assert(sizeof(bs_rect) == 4 * sizeof(double), "two vectors");
/* x, y, far x, far y: each rounded to the nearest float, which may be infinite. */
static inline __m128 bs_corners(const bs_rect *r) {
    __m128d near = _mm_loadu_pd(r->pos);
    __m128d far = _mm_add_pd(near, _mm_loadu_pd(r->size));
    return _mm_movelh_ps(_mm_cvtpd_ps(near), _mm_cvtpd_ps(far));
}

/* As bs_round does it. */
static inline __m128 bs_finite4(__m128 x) {
    x = _mm_min_ps(x, _mm_set1_ps(FLT_MAX));
    x = _mm_max_ps(x, _mm_set1_ps(-FLT_MAX));
    return _mm_add_ps(x, _mm_setzero_ps());
}

/* The bounds of all lanes, empty ones too. */
BS_HOT void bs_block_read(bs_block *b, const bs_rect *rect) {
#pragma GCC unroll 2
    for (int i = 0; i < BS_LANES; i += 4) {
        __m128 lo_x = bs_corners(&rect[b->id[i]]);
        __m128 lo_y = bs_corners(&rect[b->id[i + 1]]);
        __m128 hi_x = bs_corners(&rect[b->id[i + 2]]);
        __m128 hi_y = bs_corners(&rect[b->id[i + 3]]);
        _MM_TRANSPOSE4_PS(lo_x, lo_y, hi_x, hi_y);
        _mm_storeu_ps(b->lo[0] + i, bs_finite4(lo_x));
        _mm_storeu_ps(b->lo[1] + i, bs_finite4(lo_y));
        _mm_storeu_ps(b->hi[0] + i, bs_finite4(hi_x));
        _mm_storeu_ps(b->hi[1] + i, bs_finite4(hi_y));
    }
}

#else

BS_HOT void bs_block_read(bs_block *b, const bs_rect *rect) {
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_block_set(b, lane, bs_bounds_of(&rect[b->id[lane]]), b->id[lane]);
    }
}

#endif

/* Reads the first `count` lanes' boxes again; the other lanes are empty, with an id of 0. */
BS_HOT void bs_block_load(bs_block *b, const bs_rect *rect, int count) {
    assert(count > 0 && count <= BS_LANES);
    bs_block_read(b, rect);
    for (int lane = count; lane < BS_LANES; lane++) {
        bs_block_clear_lane(b, lane);
    }
}

#endif
