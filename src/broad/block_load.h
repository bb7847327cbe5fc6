/*
 * block_load.h: fills a block from the exact boxes of its lanes. It relies on block.h.
 *
 * Mostly many boxes move in a frame. Then reading all boxes again, eight at a time, costs a
 * third less than reading them one by one. The corners of each box become a vector of floats, and
 * these vectors, four and four, are transposed into the rows of a block.
 */
#ifndef BS_BLOCK_LOAD_H
#define BS_BLOCK_LOAD_H

#include "broad/block.h"
#include "simd/doubles.h"
#include "simd/four.h"

static_assert(sizeof(bs_rect) == 2 * DIM * sizeof(double), "sizes stand behind positions");

static inline void bs_d2_floats(float *p, bs_d2 a) {
#if BS_HAS_SSE2
    __m128 floats = _mm_cvtpd_ps(a);
    memcpy(p, &floats, BS_D2_LANES * sizeof *p);
#else
    p[0] = (float)a[0];
    p[1] = (float)a[1];
#endif
}

/* The nearest floats, which may be infinite, but not -0. */
BS_HOT bs_f4 bs_narrow(bs_d2 a, bs_d2 b) {
    float x[4];
    bs_d2_floats(x, a);
    bs_d2_floats(x + 2, b);
    return bs_f4_load(x) + 0.0f;
}

/* Transposes four vectors: row[k] has number k of each. */
BS_HOT void bs_transpose(bs_f4 a, bs_f4 b, bs_f4 c, bs_f4 d, bs_f4 row[4]) {
    bs_f4 ac = BS_LOWER4(a, c);
    bs_f4 bd = BS_LOWER4(b, d);
    bs_f4 ca = BS_UPPER4(a, c);
    bs_f4 db = BS_UPPER4(b, d);
    row[0] = BS_LOWER4(ac, bd);
    row[1] = BS_UPPER4(ac, bd);
    row[2] = BS_LOWER4(ca, db);
    row[3] = BS_UPPER4(ca, db);
}

#if DIM == 2

/* The corners of a box: x y of the least one, then of the greatest one. */
enum { BS_VECTORS = 1 };
BS_HOT void bs_corners(const bs_rect *r, bs_f4 corner[BS_VECTORS]) {
    bs_d2 lo = bs_d2_load(r->pos);
    corner[0] = bs_narrow(lo, lo + bs_d2_load(r->size));
}

/* Stores the rows of a transposed vector at their place, for four lanes from `lane` on. */
BS_HOT void bs_store_rows(bs_block *b, int vector, int lane, const bs_f4 row[4]) {
    (void)vector;
    memcpy(&b->lo[0][lane], &row[0], sizeof *row);
    memcpy(&b->lo[1][lane], &row[1], sizeof *row);
    memcpy(&b->hi[0][lane], &row[2], sizeof *row);
    memcpy(&b->hi[1][lane], &row[3], sizeof *row);
}

/* The bounds of all boxes, from the least and the greatest of their corners. */
BS_HOT bs_bounds bs_bounds_of_corners(const bs_f4 least[], const bs_f4 greatest[]) {
    return (bs_bounds){{least[0][0], least[0][1]}, {greatest[0][2], greatest[0][3]}};
}

#else

/* The corners of a box: x y z of the least one, then of the greatest one, then a spare number. */
enum { BS_VECTORS = 2 };
BS_HOT void bs_corners(const bs_rect *r, bs_f4 corner[BS_VECTORS]) {
    bs_d2 xy = bs_d2_load(r->pos);
    bs_d2 z = bs_d2_set(r->pos[2]);
    corner[0] = bs_narrow(xy, z);
    corner[1] = bs_narrow(xy + bs_d2_load(r->size), z + r->size[2]);
}

BS_HOT void bs_store_rows(bs_block *b, int vector, int lane, const bs_f4 row[4]) {
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        float *to = vector == 0 ? b->lo[k] : b->hi[k];
        memcpy(&to[lane], &row[k], sizeof *row);
    }
}

BS_HOT bs_bounds bs_bounds_of_corners(const bs_f4 least[], const bs_f4 greatest[]) {
    return (bs_bounds){{least[0][0], least[0][1], least[0][2]},
                       {greatest[1][0], greatest[1][1], greatest[1][2]}};
}

#endif

/* Makes bounds finite, as bs_round does. */
BS_COLD void bs_block_clamp(bs_block *b, bs_bounds *all) {
    const bs_f8 most = bs_f8_set(FLT_MAX);
    const bs_f8 least = bs_f8_set(-FLT_MAX);
    for (int k = 0; k < DIM; k++) {
        bs_f8_store(b->lo[k], bs_f8_max(bs_f8_min(bs_f8_load(b->lo[k]), most), least));
        bs_f8_store(b->hi[k], bs_f8_max(bs_f8_min(bs_f8_load(b->hi[k]), most), least));
    }
    *all = bs_block_bounds(b);
}

/* Reads the bounds of all lanes, also of empty ones. */
BS_HOT bs_bounds bs_block_read(bs_block *b, const bs_rect *rect) {
    bs_f4 corner[BS_LANES][BS_VECTORS];
    bs_f4 least[BS_VECTORS];
    bs_f4 greatest[BS_VECTORS];
#pragma GCC unroll 8
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_corners(&rect[b->id[lane]], corner[lane]);
    }
#pragma GCC unroll 2
    for (int v = 0; v < BS_VECTORS; v++) {
        bs_f4 row[4];
        least[v] = corner[0][v];
        greatest[v] = corner[0][v];
#pragma GCC unroll 8
        for (int lane = 1; lane < BS_LANES; lane++) {
            least[v] = bs_min4(least[v], corner[lane][v]);
            greatest[v] = bs_max4(greatest[v], corner[lane][v]);
        }
#pragma GCC unroll 2
        for (int lane = 0; lane < BS_LANES; lane += 4) {
            bs_transpose(corner[lane][v], corner[lane + 1][v], corner[lane + 2][v],
                         corner[lane + 3][v], row);
            bs_store_rows(b, v, lane, row);
        }
    }
    bs_bounds all = bs_bounds_of_corners(least, greatest);
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        finite &= all.lo[k] >= -FLT_MAX && all.hi[k] <= FLT_MAX;
    }
    if (__builtin_expect(!finite, 0)) {
        bs_block_clamp(b, &all);
    }
    return all;
}

/*
 * Reads the boxes of the first `count` lanes again. The other lanes become empty, with an id of 0.
 * Returns the bounds of all.
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
