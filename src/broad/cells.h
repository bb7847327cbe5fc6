/*
 * cells.h: how the cells of a hash table are numbered, and sorting by these numbers: what the grid
 * and the raster have in common.
 *
 * A cell's bucket is the sum of cell[k] * stride[k], modulo the number of buckets. So the buckets
 * of the cells around are this one and constants.
 */
#ifndef BS_CELLS_H
#define BS_CELLS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "broadside/geometry.h"

/* Cells from lo to hi, along an axis, and one more: so that there is room beside them. */
static inline double bs_cells_width(int32_t lo, int32_t hi) {
    return bs_max((double)hi - lo + 2, 1);
}

/*
 * Row by row, if the cells from lo to hi form a region that is not much larger than the table; then
 * no two share a bucket, and what is near each other is near each other in memory, too. Otherwise
 * rows are scattered by the golden ratio or its cousins (Roberts, "The unreasonable effectiveness
 * of quasirandom sequences"). The last stride is from one such region to another.
 */
static inline void bs_cells_number(const int32_t lo[DIM], const int32_t hi[DIM], uint32_t buckets,
                                   uint32_t stride[DIM + 1]) {
    const double scatter[2][3] = {{0.6180339887, 0.3819660113},
                                  {0.7548776662, 0.5698402910, 0.4301597090}};
    assert(buckets > 0 && (buckets & (buckets - 1)) == 0);
    double cells = 1;
    stride[0] = 1;
    for (int k = 0; k < DIM; k++) {
        cells = bs_min(cells * bs_cells_width(lo[k], hi[k]), 0x1p31);
        stride[k + 1] = (uint32_t)cells;
    }
    for (int k = 0; k < DIM && cells > 2.0 * buckets; k++) {
        stride[k + 1] = (uint32_t)(scatter[DIM - 2][k] * buckets) | 1;
    }
}

/* Sorting by counting: puts how many come before each bucket in the place of how many it has. */
static inline void bs_cells_sum_up(uint32_t *count, size_t buckets) {
    uint32_t sum = 0;
    for (size_t i = 0; i < buckets; i++) {
        uint32_t n = count[i];
        count[i] = sum;
        sum += n;
    }
}

#endif
