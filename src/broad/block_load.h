/*
 * block_load.h: fills a block from the exact boxes that its lanes stand for.
 *
 * What moves in a frame is mostly much: then reading all boxes again, eight at a time, costs less
 * than writing each one where it belongs.
 */
#ifndef BS_BLOCK_LOAD_H
#define BS_BLOCK_LOAD_H

#include "corners.h"

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
