/*
 * curve.h: a Hilbert curve through given bounds, along which the tree sorts its boxes.
 *
 * Consecutive cells of a Hilbert curve are neighbours, so that any eight consecutive boxes are near
 * each other; along a Morton (Z) curve, which jumps, crossing a tree with itself takes one and a
 * half times as many tests. The curve runs through squares (cubes); a world that is longer on one
 * axis is first cut into such pieces, one after the other.
 *
 * R-trees packed along a Hilbert curve: Kamel and Faloutsos, "On packing R-trees", 1993. The bits
 * are turned as in Skilling, "Programming the Hilbert curve", 2004, but eight cells at a time and
 * without branches.
 */
#ifndef BS_CURVE_H
#define BS_CURVE_H

#include <assert.h>

#include "simd.h"

enum {
    BS_CURVE_AXIS_BITS = 11, /* at most, per axis */
    BS_CURVE_BITS = 2 * BS_CURVE_AXIS_BITS,
    BS_CURVE_BATCH = 128 /* points whose keys are found together */
};
static_assert(BS_CURVE_BATCH % BS_LANES == 0, "eight at a time");
static_assert(BS_CURVE_BITS <= 31, "a key is a number of 32 bits");

typedef struct bs_curve {
    double origin[DIM];
    double scale[DIM]; /* cells per unit */
    double last[DIM];  /* cell */
    int bits;          /* of a key */
    int levels;        /* of squares within squares: DIM of the low bits each */
    int axis[DIM];     /* the longest one first */
    /* By cell of an axis: where its bits go in a key, before squares are turned. */
    uint32_t spread[DIM][1 << BS_CURVE_AXIS_BITS];
} bs_curve;

/* Hands out bits, highest first, to the axis whose cells are longest; returns how many. */
static inline int bs_curve_share_bits(const double lo[DIM], const double hi[DIM], int most,
                                      int axis_of[BS_CURVE_BITS], int count[DIM]) {
    assert(most >= 0 && most <= BS_CURVE_BITS);
    double cell[DIM];
    int bits = 0;
    for (int k = 0; k < DIM; k++) {
        cell[k] = hi[k] - lo[k];
        count[k] = 0;
    }
    for (; bits < most; bits++) {
        int axis = -1;
        for (int k = 0; k < DIM; k++) {
            if (count[k] < BS_CURVE_AXIS_BITS && cell[k] > 0 &&
                (axis < 0 || cell[k] > cell[axis])) {
                axis = k;
            }
        }
        if (axis < 0) {
            break;
        }
        axis_of[bits] = axis;
        count[axis]++;
        cell[axis] /= 2;
    }
    return bits;
}

/*
 * By axis, the places in a key of its bits, highest first: those that cut the world into squares,
 * as they were handed out; then, level by level, one of each axis, the longest one first.
 */
static inline void bs_curve_place_bits(bs_curve *c, const int axis_of[BS_CURVE_BITS],
                                       const int count[DIM], int place[DIM][BS_CURVE_AXIS_BITS]) {
    int given[DIM] = {0};
    int next = c->bits;
    for (int i = 0; i < c->bits; i++) {
        int axis = axis_of[i];
        if (given[axis] < count[axis] - c->levels) {
            place[axis][given[axis]++] = --next;
        }
    }
    assert(next == DIM * c->levels);
    for (int level = 0; level < c->levels; level++) {
        for (int k = 0; k < DIM; k++) {
            int axis = c->axis[k];
            assert(given[axis] < count[axis]);
            place[axis][given[axis]++] = --next;
        }
    }
}

static inline void bs_curve_order_axes(bs_curve *c, const int count[DIM]) {
    for (int k = 0; k < DIM; k++) {
        int i = k;
        for (; i > 0 && count[c->axis[i - 1]] < count[k]; i--) {
            c->axis[i] = c->axis[i - 1];
        }
        c->axis[i] = k;
    }
    assert(count[c->axis[0]] >= count[c->axis[1]]);
    assert(count[c->axis[1]] >= count[c->axis[DIM - 1]]);
}

/*
 * A curve through the bounds lo .. hi with keys of at most `most` bits. What is outside of the
 * bounds gets the key of the nearest cell. All keys are 0 if the bounds are a point.
 */
static inline void bs_curve_begin(bs_curve *c, const double lo[DIM], const double hi[DIM],
                                  int most) {
    int axis_of[BS_CURVE_BITS];
    int count[DIM];
    int place[DIM][BS_CURVE_AXIS_BITS] = {{0}};
    c->bits = bs_curve_share_bits(lo, hi, most, axis_of, count);
    bs_curve_order_axes(c, count);
    c->levels = count[c->axis[DIM - 1]];
    bs_curve_place_bits(c, axis_of, count, place);
    for (int k = 0; k < DIM; k++) {
        double cells = (double)(1u << count[k]);
        assert(count[k] >= c->levels && count[k] <= BS_CURVE_AXIS_BITS);
        c->origin[k] = lo[k];
        c->scale[k] = hi[k] > lo[k] ? cells / (hi[k] - lo[k]) : 0;
        c->last[k] = cells - 1;
        uint32_t *spread = c->spread[k];
        spread[0] = 0;
        for (uint32_t x = 1; x < 1u << count[k]; x++) { /* one bit more than a former one */
            int lowest = __builtin_ctz(x);
            spread[x] = spread[x & (x - 1)] | 1u << place[k][count[k] - 1 - lowest];
        }
    }
}

/* All bits if bit `level` is set, else none. */
static inline uint32_t bs_curve_is_set(uint32_t x, int level) {
    assert(level >= 0 && level < BS_CURVE_AXIS_BITS);
    return 0u - (x >> level & 1);
}

/*
 * Turns squares within squares, so that reading the bits of eight cells level by level, those of
 * the axes in turn, gives their place on the curve. From the lowest corner of the largest square to
 * the one at the end of axis 0.
 */
static inline void bs_curve_turn(uint32_t cell[DIM][BS_LANES], int levels) {
    for (int level = levels - 1; level > 0; level--) {
        uint32_t below = (1u << level) - 1;
        for (int i = 0; i < BS_LANES; i++) {
            cell[0][i] ^= below & bs_curve_is_set(cell[0][i], level);
        }
#pragma GCC unroll 2
        for (int k = 1; k < DIM; k++) {
            for (int i = 0; i < BS_LANES; i++) {
                uint32_t set = bs_curve_is_set(cell[k][i], level);
                uint32_t swap = (cell[0][i] ^ cell[k][i]) & below & ~set;
                cell[0][i] ^= (below & set) | swap;
                cell[k][i] ^= swap;
            }
        }
    }
    for (int k = 1; k < DIM; k++) {
        for (int i = 0; i < BS_LANES; i++) {
            cell[k][i] ^= cell[k - 1][i];
        }
    }
    uint32_t turn[BS_LANES] = {0};
    for (int level = levels - 1; level > 0; level--) {
        for (int i = 0; i < BS_LANES; i++) {
            turn[i] ^= ((1u << level) - 1) & bs_curve_is_set(cell[DIM - 1][i], level);
        }
    }
    for (int k = 0; k < DIM; k++) {
        for (int i = 0; i < BS_LANES; i++) {
            cell[k][i] ^= turn[i];
        }
    }
}

/* The cells of an axis that eight points are in, or the nearest ones. */
static inline void bs_curve_cells(const bs_curve *c, int axis, const double at[BS_LANES],
                                  uint32_t cell[BS_LANES]) {
    double origin = c->origin[axis];
    double scale = c->scale[axis];
    double last = c->last[axis];
    for (int i = 0; i < BS_LANES; i++) {
        double x = (at[i] - origin) * scale;
        x = x < last ? x : last; /* also where it is NaN, as the scale is infinite */
        x = x > 0 ? x : 0;
        cell[i] = (uint32_t)(int32_t)x;
        assert(cell[i] < 1u << BS_CURVE_AXIS_BITS);
    }
}

/* What bs_curve_turn does, to the bits of squares; those above, of pieces of the world, stay. */
static inline void bs_curve_turn_squares(const bs_curve *c, uint32_t *const cell[DIM]) {
    uint32_t mask = (1u << c->levels) - 1;
    uint32_t inner[DIM][BS_LANES];
    for (int k = 0; k < DIM; k++) {
        for (int i = 0; i < BS_LANES; i++) {
            inner[k][i] = cell[k][i] & mask;
        }
    }
    bs_curve_turn(inner, c->levels);
    for (int k = 0; k < DIM; k++) {
        for (int i = 0; i < BS_LANES; i++) {
            assert(inner[k][i] <= mask);
            cell[k][i] = (cell[k][i] & ~mask) | inner[k][i];
        }
    }
}

/*
 * The keys of the first n points, given axis by axis; there must be numbers up to the next multiple
 * of eight. In stages over all points: what is written in other pieces than it is read in can only
 * be read when it has left the processor's queue of writes. O(n levels).
 */
static inline void bs_curve_keys(const bs_curve *c, size_t n, double at[DIM][BS_CURVE_BATCH],
                                 uint32_t key[BS_CURVE_BATCH]) {
    uint32_t cell[DIM][BS_CURVE_BATCH]; /* the longest axis first */
    assert(n <= BS_CURVE_BATCH);
    for (int k = 0; k < DIM; k++) {
        for (size_t i = 0; i < n; i += BS_LANES) {
            bs_curve_cells(c, c->axis[k], &at[c->axis[k]][i], &cell[k][i]);
        }
    }
    for (size_t i = 0; i < n; i += BS_LANES) {
        uint32_t *eight[DIM];
        for (int k = 0; k < DIM; k++) {
            eight[k] = &cell[k][i];
        }
        bs_curve_turn_squares(c, eight);
    }
    for (size_t i = 0; i < n; i++) {
        key[i] = 0;
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            key[i] |= c->spread[c->axis[k]][cell[k][i]];
        }
        assert(key[i] >> c->bits == 0);
    }
}

#endif
