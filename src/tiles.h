/*
 * tiles.h: cuts given bounds into slabs of about equally many points, and numbers the points, for
 * the tree: it packs boxes with consecutive numbers together.
 *
 * All axes but the longest are cut. Within a slab the numbers go along the longest axis, up and
 * down in turn, so that neighbours in number are neighbours in space. There are as many slabs as
 * make the space of some consecutive points a square (cube):
 *
 *      +-----+---+-------+
 *      |  2  | 3 |     8 |
 *      | 1   |  4|   7   |
 *      |   0 | 5 |6      |
 *      +-----+---+-------+
 *
 * Along a space-filling curve such spaces are less square: sides are longer by an eighth (Hilbert),
 * and crossing a tree with itself takes a tenth more tests, or half as many again (Morton).
 *
 * Leutenegger, Lopez and Edgington, "STR: a simple and efficient algorithm for R-tree packing",
 * 1997; here nothing is sorted for the slabs, whose ends are read from a histogram.
 */
#ifndef BS_TILES_H
#define BS_TILES_H

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lanes.h"

enum {
    BS_TILES_AXIS_BITS = DIM == 2 ? 11 : 10, /* of a cell, at most */
    BS_TILES_CELLS = 1 << BS_TILES_AXIS_BITS,
    BS_TILES_CUT = DIM - 1,    /* axes that are cut */
    BS_TILES_COLUMN_BITS = 11, /* of the number of a column, at most */
    BS_TILES_KEY_BITS = 22,    /* of a key, at most */
    BS_TILES_BATCH = 128       /* points whose cells are found together */
};
static_assert(DIM * BS_TILES_AXIS_BITS <= 32, "the cells of a point in one number");
static_assert(BS_TILES_COLUMN_BITS + BS_TILES_AXIS_BITS <= BS_TILES_KEY_BITS, "room for a key");
static_assert(BS_TILES_BATCH % BS_LANES == 0, "eight at a time");

/*
 * Axes are in order of length, the shortest one first. Numbers between integer and floating point
 * are converted as signed ones, which takes one instruction.
 */
typedef struct bs_tiles {
    int axis[DIM];
    int axis_bits[DIM]; /* of a cell */
    double origin[DIM];
    double scale[DIM];  /* cells per unit */
    double length[DIM]; /* of a cell */
    uint32_t slabs[BS_TILES_CUT];
    int bits;                                    /* of a key; 0: the bounds are a point */
    uint32_t slab[BS_TILES_CUT][BS_TILES_CELLS]; /* by cell; before cutting, how many are in it */
} bs_tiles;

/* So many bits tell n things apart, but no more than `most`. */
static inline int bs_tiles_bits(size_t n, int most) {
    int bits = 0;
    while (bits < most && (size_t)1 << bits < n) {
        bits++;
    }
    return bits;
}

static inline void bs_tiles_order_axes(bs_tiles *t, const double side[DIM]) {
    for (int k = 0; k < DIM; k++) {
        int i = k;
        for (; i > 0 && side[t->axis[i - 1]] > side[k]; i--) {
            t->axis[i] = t->axis[i - 1];
        }
        t->axis[i] = k;
    }
    assert(side[t->axis[0]] <= side[t->axis[DIM - 1]]);
}

/*
 * How many slabs an axis is cut into, so that tiles are as long on it as on the axes behind it: L,
 * with L^m * tiles = the product of these m sides.
 */
static inline uint32_t bs_tiles_slabs(const double side[], int m, double tiles, uint32_t most) {
    assert((m == 2 || m == 3) && most >= 1);
    double power = tiles; /* (side[0] / L)^m */
    for (int i = 1; i < m; i++) {
        power *= side[i] > 0 ? side[0] / side[i] : 1;
    }
    uint32_t slabs = 1;
    for (; slabs < most; slabs++) {
        double between = slabs + 0.5;
        if (!((m == 2 ? between * between : between * between * between) < power)) {
            break;
        }
    }
    return slabs;
}

/*
 * Begins to cut the bounds lo .. hi for n points, so that so many of them lie in a square (cube).
 * O(1), O(sqrt n) at most.
 */
static inline void bs_tiles_begin(bs_tiles *t, const double lo[DIM], const double hi[DIM], size_t n,
                                  size_t in_tile) {
    enum { FINE = 5 }; /* bits of a cell within a slab */
    double side[DIM];
    double by_length[DIM];
    for (int k = 0; k < DIM; k++) {
        side[k] = hi[k] - lo[k];
        assert(side[k] >= 0 && isfinite(side[k]));
    }
    bs_tiles_order_axes(t, side);
    for (int i = 0; i < DIM; i++) {
        by_length[i] = side[t->axis[i]];
    }
    double tiles = (double)n / (double)in_tile;
    uint32_t columns = 1;
    for (int i = 0; i < BS_TILES_CUT; i++) {
        t->slabs[i] =
            bs_tiles_slabs(by_length + i, DIM - i, tiles, (1u << BS_TILES_COLUMN_BITS) / columns);
        tiles /= t->slabs[i];
        columns *= t->slabs[i];
        t->axis_bits[i] = bs_tiles_bits((size_t)t->slabs[i] << FINE, BS_TILES_AXIS_BITS);
        memset(t->slab[i], 0, sizeof(uint32_t) << t->axis_bits[i]);
    }
    t->axis_bits[DIM - 1] = bs_tiles_bits(n / columns, BS_TILES_AXIS_BITS); /* a cell for each */
    int column_bits = bs_tiles_bits(columns, BS_TILES_COLUMN_BITS);
    t->bits = by_length[DIM - 1] > 0 ? column_bits + t->axis_bits[DIM - 1] : 0;
    assert(columns <= 1u << column_bits && t->bits <= BS_TILES_KEY_BITS);
    for (int i = 0; i < DIM; i++) {
        t->origin[i] = lo[t->axis[i]];
        double cells = (double)(1 << t->axis_bits[i]);
        t->scale[i] = by_length[i] > 0 ? fmin(cells / by_length[i], DBL_MAX) : 0;
        t->length[i] = by_length[i] / cells;
    }
}

/*
 * The cells of the first n points, given axis by axis; what is outside of the bounds has the
 * nearest one. There must be numbers up to the next multiple of eight. O(n).
 */
static inline void bs_tiles_find(const bs_tiles *t, size_t n, double at[DIM][BS_TILES_BATCH],
                                 uint32_t cells[BS_TILES_BATCH]) {
    assert(n <= BS_TILES_BATCH);
    for (size_t first = 0; first < n; first += BS_LANES) {
        uint32_t eight[BS_LANES] = {0};
#pragma GCC unroll 3
        for (int i = 0; i < DIM; i++) {
            const double *x = &at[t->axis[i]][first];
            double last = (double)((1 << t->axis_bits[i]) - 1);
            for (int lane = 0; lane < BS_LANES; lane++) {
                double cell = (x[lane] - t->origin[i]) * t->scale[i];
                cell = cell < last ? cell : last;
                cell = cell > 0 ? cell : 0;
                eight[lane] = eight[lane] << BS_TILES_AXIS_BITS | (uint32_t)(int32_t)cell;
            }
        }
        memcpy(&cells[first], eight, sizeof eight);
    }
}

/* Of the cells of a point, the one on axis i. */
static inline uint32_t bs_tiles_cell(uint32_t cells, int i) {
    assert(i >= 0 && i < DIM);
    return cells >> (DIM - 1 - i) * BS_TILES_AXIS_BITS & (BS_TILES_CELLS - 1);
}

/* Before cutting: there is a point in these cells. */
static inline void bs_tiles_count(bs_tiles *t, uint32_t cells) {
#pragma GCC unroll 2
    for (int i = 0; i < BS_TILES_CUT; i++) {
        t->slab[i][bs_tiles_cell(cells, i)]++;
    }
}

/* Cuts, when all n points have been counted: puts slabs in the place of counts. */
static inline void bs_tiles_cut(bs_tiles *t, size_t n) {
    assert(n > 0);
    for (int i = 0; i < BS_TILES_CUT; i++) {
        double share = (double)t->slabs[i] / (double)n;
        double last = (double)(t->slabs[i] - 1);
        double before = 0;
        for (uint32_t cell = 0; cell < 1u << t->axis_bits[i]; cell++) {
            double in_it = (double)(int32_t)t->slab[i][cell];
            double slab = (before + in_it / 2) * share;
            t->slab[i][cell] = (uint32_t)(int32_t)(slab < last ? slab : last);
            before += in_it;
        }
        assert(before == (double)n);
    }
}

/*
 * The number of a column (in 2D: a slab). To and fro as well: where slab[0] is 0 they go up along
 * slab[1]; where it is 1, down again.
 */
static inline uint32_t bs_tiles_number(const uint32_t slab[BS_TILES_CUT],
                                       const uint32_t slabs[BS_TILES_CUT]) {
    uint32_t number = 0;
#pragma GCC unroll 2
    for (int i = 0; i < BS_TILES_CUT; i++) {
        assert(slab[i] < slabs[i]);
        number = number * slabs[i] + ((number & 1) != 0 ? slabs[i] - 1 - slab[i] : slab[i]);
    }
    return number;
}

/* Column by column, then cell by cell along it; up and down in turn. */
static inline uint32_t bs_tiles_key(const bs_tiles *t, uint32_t cells) {
    uint32_t slab[BS_TILES_CUT];
#pragma GCC unroll 2
    for (int i = 0; i < BS_TILES_CUT; i++) {
        slab[i] = t->slab[i][bs_tiles_cell(cells, i)];
    }
    uint32_t number = bs_tiles_number(slab, t->slabs);
    uint32_t along = bs_tiles_cell(cells, DIM - 1);
    uint32_t last = (1u << t->axis_bits[DIM - 1]) - 1;
    return number << t->axis_bits[DIM - 1] | ((number & 1) != 0 ? last - along : along);
}

#endif
