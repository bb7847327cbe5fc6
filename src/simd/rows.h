/*
 * rows.h: eight boxes' bounds, a byte each, along all axes in one go, as a raster has them
 * (raster.h). A row holds the bounds on one axis, in eight lanes.
 */
#ifndef BS_ROWS_H
#define BS_ROWS_H

#include "axes.h"
#include "lanes.h"

#if BS_HAS_SSE2
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { BS_ROWS_VECTORS = (DIM + 1) / 2 };

typedef struct bs_rows {
    __m128i v[BS_ROWS_VECTORS]; /* two rows each */
} bs_rows;

#define BS_ROWS_EACH(expression)                                                                   \
    bs_rows out;                                                                                   \
    _Pragma("GCC unroll 2") for (int i = 0; i < BS_ROWS_VECTORS; i++) {                            \
        out.v[i] = (expression);                                                                   \
    }                                                                                              \
    return out

/* One row behind the other. */
BS_HOT bs_rows bs_rows_load(const uint8_t *rows) {
    bs_rows out;
    out.v[0] = _mm_loadu_si128((const __m128i *)(const void *)rows);
#if DIM == 3
    out.v[1] = _mm_loadl_epi64((const __m128i *)(const void *)(rows + 2 * BS_LANES));
    out.v[1] = _mm_unpacklo_epi64(out.v[1], out.v[1]);
#endif
    return out;
}

/* Two integers, of a byte each, in a row each. */
BS_HOT __m128i bs_rows_spread(__m128i two) {
#if defined(__AVX2__)
    return _mm_shuffle_epi8(two, _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4));
#else
    __m128i words = _mm_shufflelo_epi16(two, _MM_SHUFFLE(2, 2, 0, 0));
    __m128i four = _mm_packus_epi16(words, words); /* bytes 0 0 4 4 of `two` */
    four = _mm_unpacklo_epi16(four, four);
    return _mm_shuffle_epi32(four, _MM_SHUFFLE(1, 1, 0, 0));
#endif
}

/* x cut off to integers from 0 to 255, each in all lanes of its row. */
BS_HOT bs_rows bs_rows_cut(bs_axes x) {
    bs_axes byte = bs_axes_min(bs_axes_max(x, bs_axes_set(0)), bs_axes_set(UINT8_MAX));
    bs_rows out;
#if DIM == 2
    out.v[0] = bs_rows_spread(_mm_cvttpd_epi32(byte.v));
#else
    out.v[0] = bs_rows_spread(_mm_cvttpd_epi32(_mm_loadu_pd(byte.v)));
    out.v[1] = bs_rows_spread(_mm_cvttpd_epi32(_mm_set1_pd(byte.v[2])));
#endif
    return out;
}

/* Masks: a <= b; a or b. */
BS_HOT bs_rows bs_rows_le(bs_rows a, bs_rows b) {
    BS_ROWS_EACH(_mm_cmpeq_epi8(_mm_min_epu8(a.v[i], b.v[i]), a.v[i]));
}
BS_HOT bs_rows bs_rows_either(bs_rows a, bs_rows b) {
    BS_ROWS_EACH(_mm_or_si128(a.v[i], b.v[i]));
}

/* Bit i: the mask is set in lane i of any row. */
BS_HOT unsigned bs_rows_any(bs_rows mask) {
    __m128i all = mask.v[0];
#if DIM == 3
    all = _mm_or_si128(all, mask.v[1]);
#endif
    unsigned bits = (unsigned)_mm_movemask_epi8(all);
    return (bits | bits >> BS_LANES) & BS_ALL_LANES;
}

/* a + n, but 255 at most; a - n, but 0 at least. */
BS_HOT bs_rows bs_rows_plus(bs_rows a, uint8_t n) {
    BS_ROWS_EACH(_mm_adds_epu8(a.v[i], _mm_set1_epi8((char)n)));
}
BS_HOT bs_rows bs_rows_minus(bs_rows a, uint8_t n) {
    BS_ROWS_EACH(_mm_subs_epu8(a.v[i], _mm_set1_epi8((char)n)));
}

#undef BS_ROWS_EACH

#else

typedef struct bs_rows {
    uint8_t v[DIM][BS_LANES];
} bs_rows;

#define BS_ROWS_EACH(expression)                                                                   \
    bs_rows out;                                                                                   \
    for (int k = 0; k < DIM; k++) {                                                                \
        for (int i = 0; i < BS_LANES; i++) {                                                       \
            out.v[k][i] = (uint8_t)(expression);                                                   \
        }                                                                                          \
    }                                                                                              \
    return out

BS_HOT bs_rows bs_rows_load(const uint8_t *rows) {
    BS_ROWS_EACH(rows[k * BS_LANES + i]);
}
BS_HOT bs_rows bs_rows_cut(bs_axes x) {
    double byte[DIM];
    bs_axes_store(byte, bs_axes_min(bs_axes_max(x, bs_axes_set(0)), bs_axes_set(UINT8_MAX)));
    BS_ROWS_EACH(byte[k]);
}
BS_HOT bs_rows bs_rows_le(bs_rows a, bs_rows b) {
    BS_ROWS_EACH(a.v[k][i] <= b.v[k][i]);
}
BS_HOT bs_rows bs_rows_either(bs_rows a, bs_rows b) {
    BS_ROWS_EACH(a.v[k][i] | b.v[k][i]);
}
BS_HOT unsigned bs_rows_any(bs_rows mask) {
    unsigned bits = 0;
    for (int k = 0; k < DIM; k++) {
        for (int i = 0; i < BS_LANES; i++) {
            bits |= (unsigned)mask.v[k][i] << i;
        }
    }
    return bits;
}
BS_HOT bs_rows bs_rows_plus(bs_rows a, uint8_t n) {
    BS_ROWS_EACH(a.v[k][i] < UINT8_MAX - n ? a.v[k][i] + n : UINT8_MAX);
}
BS_HOT bs_rows bs_rows_minus(bs_rows a, uint8_t n) {
    BS_ROWS_EACH(a.v[k][i] > n ? a.v[k][i] - n : 0);
}

#undef BS_ROWS_EACH

#endif

#endif
