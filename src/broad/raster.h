/*
 * raster.h: boxes filed in all cells that they reach into, for casts to walk through.
 *
 * The grid (grid.c) files a box in one cell, which is best for pairs; but then a cast must look
 * into the cells around its path, too. Here it looks at no cell beside the path. Only `auto` keeps
 * a raster, beside the back end that answers all else, while casts pay for it.
 *
 *      raster.c         filing; what has changed since the last cast
 *      raster_build.c   making all anew; the size of cells
 *      raster_cast.c    casts
 *      raster_point.c   of a point
 *      raster_box.c     of a box
 *
 *      block[bucket] --next--> block of the same or of another cell --> ...
 *
 * A block is eight boxes as a cell sees them: their bounds within the cell in steps, a byte each,
 * counted from one step below the cell. So it takes one cache line in 2D. Bounds are rounded
 * outwards, and a little more; what may be met by that is then decided in doubles (cast.h).
 *
 * Boxes that reach into too many cells, or are too far away to be in any, rest in a list of their
 * own, which each cast looks through.
 *
 * Changes are only noted; what is noted is filed before the next cast. So boxes that move often
 * between casts cost little, and one list serves for what is inserted, moved and removed.
 */
#ifndef BS_RASTER_H
#define BS_RASTER_H

#include <assert.h>

#include "simd/axes.h"
#include "backend.h"

#pragma GCC visibility push(hidden)

enum {
    BS_RASTER_NONE = 0,                            /* no block behind this one */
    BS_RASTER_SIDE = DIM == 2 ? 1 << 26 : 1 << 16, /* cells are between this and minus this */
    BS_RASTER_STEPS = 253,                         /* from one side of a cell to the other */
    BS_RASTER_MOST = 64                            /* cells that a box may be filed in */
};

#define BS_RASTER_NOBODY UINT32_MAX /* the id of an empty lane */
/* The key of no cell, which an empty block has: none is as far away as that on axis 0. */
#define BS_RASTER_NOWHERE ((uint64_t)BS_RASTER_SIDE << 1)
#define BS_RASTER_MARGIN 0.0625 /* steps by which bounds are wider than they need to be, at least */

/* States of a box: a set. */
enum {
    BS_RASTER_HELD = 1,    /* it is to be found */
    BS_RASTER_NOTED = 2,   /* it is in the list of changes */
    BS_RASTER_FILED = 4,   /* it is in the cells that its place names */
    BS_RASTER_RESTING = 8, /* it is among those that are in no cell */
};

/* Lanes are in use from 0 on: all, but in the first of the cell's blocks. */
typedef struct bs_raster_block {
    uint8_t bound[2 * DIM][BS_LANES]; /* in steps: the lower ones by axis, then the upper ones */
    uint32_t id[BS_LANES];
} bs_raster_block;

typedef struct bs_raster_place {
    int32_t cell[DIM]; /* the least one that it is in; of a resting box, cell[0] is its position */
    uint8_t span[DIM]; /* how many more it is in, by axis */
    uint8_t state;
} bs_raster_place;

typedef struct bs_raster {
    bs_heap *heap;
    const bs_boxes *boxes;
    double edge;
    double inverse; /* 1 / edge */

    bs_raster_block *block; /* first those of the buckets, then those behind them */
    uint32_t *next;         /* by block: in the bucket; of a free block: the next free one */
    uint64_t *cell;         /* by block: the key of its cell */
    size_t block_cap, next_cap, cell_cap;
    uint32_t used; /* blocks ever taken */
    uint32_t free; /* head of the free blocks */

    uint32_t mask;            /* buckets - 1 */
    uint64_t unit[DIM];       /* key = sum of cell[k] * unit[k] */
    int32_t lo[DIM], hi[DIM]; /* no cell is outside */
    int32_t width[DIM];       /* if no more cells than that are inside, along each axis, ... */
    bool neat;                /* ... no two share a bucket; so it is now, and always was */

    bs_block *rest;
    size_t rest_cap; /* blocks */
    uint32_t resting;

    bs_raster_place *place; /* by box */
    size_t place_cap;
    size_t held;
    size_t entries; /* in all cells */
    bs_list changed;
    size_t changes;   /* boxes that did not stay in their cells, since all was made anew */
    size_t built;     /* boxes held then */
    size_t passed;    /* when changes were last filed: blocks that were looked at in vain, ... */
    size_t spent;     /* ... and boxes that could have been filed, beside the changes, meanwhile */
    uint32_t visited; /* by the last cast: blocks */

    int luck; /* of casts: > 0 if of late many began in a box */
} bs_raster;

/* An empty raster for the boxes of a world. NULL: no memory. */
bs_raster *bs_raster_new(bs_heap *heap, const bs_boxes *boxes);
void bs_raster_free(bs_raster *r);

/*
 * The box was inserted or has moved (`held`), or was removed. O(1). False: no memory; then, as
 * after bs_raster_sync, the raster can only be freed.
 */
bool bs_raster_note(bs_raster *r, uint32_t box, bool held);

/* The part of bs_raster_sync that is called when something has changed. */
bool bs_raster_file_changes(bs_raster *r);

/*
 * Files what has changed; before each cast. O(1) for each change, amortised. False: no memory, or
 * the boxes do not suit a raster, as too many reach into too many cells.
 */
static inline bool bs_raster_sync(bs_raster *r) {
    return r->changed.n == 0 || bs_raster_file_changes(r);
}

/* NULL, or which invariant does not hold. O(n). */
const char *bs_raster_check(const bs_raster *r);

/*
 * Visits every box that may be met within c->limit, some of them more than once. False: not all
 * were visited, as the path is too long or too thick for cells, or too far away.
 */
bool bs_raster_cast(bs_raster *r, bs_cast *c);
bool bs_raster_cast_avx2(bs_raster *r, bs_cast *c); /* where there is that variant */

/* --- for the raster_*.c files --------------------------------------------------------------- */

/*
 * Visit every box in the cells that may be met, perhaps more than once. A point that starts outside
 * of all cells, or goes far, is left to bs_raster_cast_box. False: nothing was visited, as the path
 * is too long or too thick for cells, or too far away.
 */
#define bs_raster_cast_point BS_VARIANT(bs_raster_cast_point)
#define bs_raster_cast_box BS_VARIANT(bs_raster_cast_box)
bool bs_raster_cast_point(bs_raster *r, bs_cast *c);
bool bs_raster_cast_box(bs_raster *r, bs_cast *c);

/* Makes all anew: every held box is filed, nothing is noted. As bs_raster_sync. */
bool bs_raster_build(bs_raster *r);
/* Makes a block empty, of no cell, and the last one of its bucket. */
void bs_raster_clear(bs_raster *r, uint32_t block);
/* Makes room for blocks. False: no memory. */
bool bs_raster_reserve(bs_raster *r, size_t blocks);
void bs_raster_free_blocks(bs_raster *r);
/* Files a held box that is not. False: no memory. */
bool bs_raster_file(bs_raster *r, uint32_t box);
/* True if so many rest that a raster is of no use. */
bool bs_raster_is_unfit(const bs_raster *r);

/* The cells that a box reaches into, and perhaps one more on a side that is near a cell's. */
typedef struct bs_raster_range {
    int32_t lo[DIM], hi[DIM]; /* both in it */
} bs_raster_range;

/* False: too many, or too far away. */
static inline bool bs_raster_range_of(const bs_raster *r, uint32_t box, bs_raster_range *out) {
    /* Products are off by less than 2^-26 here; a cell may be the next one if that is near. */
    const bs_axes pad = bs_axes_set(0x1p-12);
    const bs_axes side = bs_axes_set(BS_RASTER_SIDE);
    const bs_axes inverse = bs_axes_set(r->inverse);
    const bs_rect *rect = &r->boxes->rect[box];
    bs_axes pos = bs_axes_load(rect->pos);
    bs_axes far = bs_axes_add(pos, bs_axes_load(rect->size));
    bs_axes lo = bs_axes_sub(bs_axes_mul(pos, inverse), pad);
    bs_axes hi = bs_axes_add(bs_axes_mul(far, inverse), pad);
    unsigned above = bs_axes_less(bs_axes_sub(bs_axes_set(0), side), lo);
    unsigned below = bs_axes_less(hi, side);
    unsigned narrow = bs_axes_less(bs_axes_sub(hi, lo), bs_axes_set(BS_RASTER_MOST));
    if ((above & below & narrow) != BS_AXES_ALL) {
        return false;
    }
    bs_axes_floors(out->lo, lo);
    bs_axes_floors(out->hi, hi);
    int64_t cells = 1;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        assert(out->lo[k] <= out->hi[k]);
        cells *= (int64_t)out->hi[k] - out->lo[k] + 1;
    }
    return cells <= BS_RASTER_MOST;
}

/* The lanes that hold no box. */
static inline unsigned bs_raster_empty_lanes(const bs_raster_block *b) {
    return bs_u8_tops(bs_u8_load(b->id));
}

/* How many hold one: these are the first. */
static inline int bs_raster_count(const bs_raster_block *b) {
    return bs_first_lane(bs_raster_empty_lanes(b) | 1u << BS_LANES);
}

/* What tells a cell from all others. */
static inline uint64_t bs_raster_key(const bs_raster *r, const int32_t cell[DIM]) {
    uint64_t sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        sum += (uint64_t)cell[k] * r->unit[k];
    }
    return sum;
}

/* The bucket, which is its first block, too. */
static inline uint32_t bs_raster_bucket(const bs_raster *r, uint64_t key) {
    assert(r->mask < r->used);
    return (uint32_t)key & r->mask;
}

/* Whether a block of the cell's bucket is the cell's. Mostly there are no others. */
static inline bool bs_raster_is_of(const bs_raster *r, uint32_t block, uint64_t key) {
    return __builtin_expect(r->neat || r->cell[block] == key, 1);
}

/* No cell of the range is outside any more. */
void bs_raster_widen(bs_raster *r, const bs_raster_range *by);

/* The next cell of a range, axis by axis from the first; false: that was the last one. */
static inline bool bs_raster_next_cell(const bs_raster_range *range, int32_t cell[DIM]) {
    for (int k = 0; k < DIM; k++) {
        if (cell[k] < range->hi[k]) {
            cell[k]++;
            return true;
        }
        cell[k] = range->lo[k];
    }
    return false;
}

#pragma GCC visibility pop

#endif
