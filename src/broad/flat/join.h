/* join.h: the pairs of a block's boxes with those of many other blocks. It relies on block.h. */
#ifndef BS_JOIN_H
#define BS_JOIN_H

#include "broad/backend.h"
#include "broad/block.h"

enum { BS_JOIN_ROWS = 4 };
static_assert((int)BS_LANES % (int)BS_JOIN_ROWS == 0, "a block is a number of rows");

/*
 * Appends the pairs of BS_JOIN_ROWS lanes of a block, from `lane` on, with the boxes of n blocks.
 * Few blocks have any, so one branch decides for all rows together.
 */
static inline void bs_join_rows(const float *lane, const bs_block *block, size_t n,
                                const bs_boxes *boxes, bs_pairs *out) {
    bs_bounds8 rows[BS_JOIN_ROWS];
    bs_pairs to = *out; /* A copy, so that its count can stay in a register. */
    assert(to.n + n * BS_LANES * BS_JOIN_ROWS + BS_LANES <= to.cap);
#pragma GCC unroll 4
    for (int row = 0; row < BS_JOIN_ROWS; row++) {
        const float *lo = lane + row;
        rows[row] = bs_bounds8_set(lo, lo + DIM * BS_LANES, BS_LANES);
    }
    for (size_t i = 0; i < n; i++) {
        const bs_block *b = &block[i];
        bs_f8 least = bs_f8_set(INFINITY);
        bs_f8 apart[BS_JOIN_ROWS];
#pragma GCC unroll 4
        for (int row = 0; row < BS_JOIN_ROWS; row++) {
            apart[row] = bs_apart(&rows[row], b);
            least = bs_f8_min(least, apart[row]);
        }
        if (bs_may_meet(least) == 0) {
            continue;
        }
#pragma GCC unroll 4
        for (int row = 0; row < BS_JOIN_ROWS; row++) {
            bs_append_overlaps(&to, bs_lane_id(lane + row), b->id, apart[row], boxes);
        }
    }
    out->n = to.n;
}

/* Appends all pairs of a's boxes with those of n blocks. Returns false if there is no memory. */
static inline bool bs_join_blocks(bs_backend *backend, const bs_block *a, const bs_block *block,
                                  size_t n, bs_pairs *out) {
    if (!bs_pairs_reserve(backend->heap, out, n * BS_LANES * BS_LANES)) {
        return false;
    }
    for (int lane = 0; lane < BS_LANES; lane += BS_JOIN_ROWS) {
        bs_join_rows(bs_block_lane(a, lane), block, n, backend->boxes, out);
    }
    return true;
}

#endif
