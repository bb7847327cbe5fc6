/*
 * grid.h: a hash grid: each box is filed in every cell that it reaches into; only for grid*.c.
 *
 *      grid.c        the table of functions: changes, list, figures
 *      fill.c        filing boxes in cells, and choosing the edge of the cells
 *      grid_pairs.c  pairs and rectangles
 *      grid_cast.c   casts
 *
 *      +-------+-------+-------+      head[bucket of a cell] --> block --> block --> 0
 *      |  +----|--+    |       |
 *      |  | a  |  |  +-|--+    |      a block holds up to eight boxes of one cell (block.h);
 *      +--|----|--|--|-|--|----+      only the first block of a cell may have empty lanes;
 *      |  +----|--+  | | b|    |      cells that share a bucket share its list of blocks;
 *      |       |     +-|--+    |      block 0 is empty, and the end of every list
 *      +-------+-------+-------+
 *
 * A pair is found in each cell that both boxes reach into, but reported in one of them only: the
 * cell of the greater of their least corners, axis by axis. Both boxes reach into it if they
 * overlap. The boxes of a rectangle are reported in the same way.
 *
 * The cell of a number x is floor((float(x) - origin) * inverse), each step rounded to a float.
 * Pairs and rectangles only rely on that being monotone. Casts walk in doubles, padded by what
 * floats may be off.
 *
 * Boxes that reach into too many cells, or are too far away for cells, rest in a tree, which every
 * query looks through, too.
 *
 * A function that takes memory returns false if there is none.
 *
 * Changed boxes are filed one by one; or all boxes are filed anew, if that takes fewer steps, or
 * other cells suit them better (due.h).
 */
#ifndef BS_GRID_H
#define BS_GRID_H

#include <assert.h>

#include "broad/backend.h"
#include "broad/block_cast.h"
#include "broad/due.h"

#pragma GCC visibility push(hidden)

enum {
    BS_GRID_SIDE = 1 << 18, /* Cells lie between this and minus this. */
    BS_GRID_MOST = 64,      /* One box may be filed in so many cells. */
    BS_GRID_RESTS = 1       /* The set of the boxes that are in no cell. */
};

/* The cells from lo to hi on each axis, both included. */
typedef struct bs_grid_range {
    int32_t lo[DIM], hi[DIM];
} bs_grid_range;

/* Where a box is. */
typedef struct bs_grid_place {
    int32_t cell[DIM]; /* The least cell that it is filed in. */
    uint8_t span[DIM]; /* On each axis, the number of cells that it is filed in beyond the least. */
    bool filed;        /* Whether it is in these cells. */
} bs_grid_place;

/* Up to eight boxes of a cell. */
typedef struct bs_grid_block {
    bs_block boxes;      /* Lanes are in use from lane 0 on; the others are empty. */
    int32_t cell[DIM];   /* The cell that the boxes are in. */
    uint32_t next;       /* The next block of the bucket; of a free block, the next free one. */
    uint8_t count;       /* How many lanes are in use; of a free block, 0. */
    uint8_t begins[DIM]; /* By axis, the lanes whose boxes are in no cell below this one. */
} bs_grid_block;

typedef struct bs_grid {
    bs_backend base;     /* What every back end has. */
    bs_backend *rest;    /* A tree of the boxes that are in no cell; see bs_grid_rest. */
    bs_boxes rest_boxes; /* All boxes, as that tree sees them. */
    uint8_t *rests;      /* By box, the set that it is in there: BS_GRID_RESTS or none. */
    size_t rests_cap;

    bs_grid_place *place; /* The place of each box, by its index. */
    size_t place_cap;     /* The number of places. */
    bs_list order;        /* While all are filed: the boxes with places, cell by cell. */

    float origin[DIM];  /* The least corner of cell 0. */
    float inverse;      /* 1 / edge of a cell. */
    int32_t lo[DIM];    /* No cell with boxes is below this on any axis. */
    int32_t hi[DIM];    /* No cell with boxes is above this on any axis. */
    double middle[DIM]; /* For casts: the middle of these cells, in edges from 0. */
    double half[DIM];   /* For casts: half the number of these cells. */
    double pad[DIM];    /* For casts: by which the cells of floats may be off. */

    uint32_t *head;       /* The first block of each bucket, or 0. */
    size_t head_cap;      /* The room in `head`. */
    uint32_t mask;        /* The number of buckets, a power of two, minus 1. */
    uint32_t stride[DIM]; /* A cell's bucket is the sum of cell[k] * stride[k], masked. */

    bs_grid_block *block; /* The blocks; block 0 is empty. */
    size_t block_cap;     /* The room in `block`. */
    uint32_t used;        /* The number of blocks ever taken, block 0 among them. */
    uint32_t free;        /* The first of the blocks that were given back, or 0. */
    uint32_t in_use;      /* The number of blocks with boxes. */
    size_t cells;         /* The number of cells with boxes. */
    size_t entries;       /* The number of boxes in all cells, each once for each of its cells. */

    double fixed;     /* The edge that was asked for; 0: the grid chooses it. */
    bs_tuning tuning; /* What the edge was chosen for. */
    size_t rebuilds;  /* The number of times that all boxes were filed anew. */
    size_t steps;     /* The number of blocks that filing changes has looked at. */
} bs_grid;

static inline bs_grid *bs_grid_of(bs_backend *backend) {
    return (bs_grid *)backend;
}

/* The tree of the boxes that are in no cell. It must know where the rects are now. */
static inline bs_backend *bs_grid_rest(bs_grid *g) {
    g->rest_boxes = (bs_boxes){g->base.boxes->rect, g->rests, g->place_cap};
    return g->rest;
}

/*
 * A bound of a box in cells, before it is rounded down. Each step is rounded to a float, even if
 * registers are wider.
 */
static inline float bs_grid_cells(const bs_grid *g, int k, float bound) {
    float from_origin = bound - g->origin[k];
    float cells = from_origin * g->inverse;
    return cells;
}

/* Rounds down, exactly; -BS_GRID_SIDE <= cells <= BS_GRID_SIDE. */
static inline int32_t bs_grid_floor(float cells) {
    int32_t towards_zero = (int32_t)cells;
    return towards_zero - (cells < (float)towards_zero);
}

/* The cell of a bound. What is too far away for cells is in the outermost ones. */
static inline int32_t bs_grid_cell(const bs_grid *g, int k, float bound) {
    const float side = BS_GRID_SIDE;
    float cells = bs_grid_cells(g, k, bound);
    cells = cells < side ? cells : side;
    return bs_grid_floor(cells > -side ? cells : -side);
}

static inline uint32_t bs_grid_bucket(const bs_grid *g, const int32_t cell[DIM]) {
    uint32_t sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        sum += (uint32_t)cell[k] * g->stride[k];
    }
    return sum & g->mask;
}

static inline bool bs_grid_is_of(const bs_grid_block *b, const int32_t cell[DIM]) {
    bool same = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        same &= b->cell[k] == cell[k];
    }
    return same;
}

/* The first block of a cell, or 0. */
static inline uint32_t bs_grid_find(const bs_grid *g, const int32_t cell[DIM]) {
    uint32_t block = g->head[bs_grid_bucket(g, cell)];
    while (block != 0 && !bs_grid_is_of(&g->block[block], cell)) {
        block = g->block[block].next;
    }
    return block;
}

/* Goes to the next cell of a range. Returns false after the last one. */
static inline bool bs_grid_next_cell(const bs_grid_range *range, int32_t cell[DIM]) {
    for (int k = 0; k < DIM; k++) {
        if (cell[k] < range->hi[k]) {
            cell[k]++;
            return true;
        }
        cell[k] = range->lo[k];
    }
    return false;
}

/* The cells that a filed box is in. */
static inline bs_grid_range bs_grid_place_range(const bs_grid_place *p) {
    bs_grid_range range;
    for (int k = 0; k < DIM; k++) {
        range.lo[k] = p->cell[k];
        range.hi[k] = p->cell[k] + p->span[k];
    }
    return range;
}

/* --- what its files call of each other -------------------------------------------------------- */

#ifdef BS_VARIANT /* In backends_all.h. */

/* fill.c */
/* Files all boxes, with an edge that suits them. */
static bool bs_grid_build(bs_backend *backend);
/* Files changed boxes one by one. O(1) for each, amortised. */
static bool bs_grid_sync(bs_backend *backend, const bs_changes *changes);

/* grid_pairs.c */
static bool bs_grid_pairs(bs_backend *backend, bs_pairs *out);
static bool bs_grid_query(bs_backend *backend, const bs_rect *r, bs_list *out);

/* grid_cast.c */
static bool bs_grid_cast(bs_backend *backend, bs_cast *cast);

#endif

#pragma GCC visibility pop

#endif
