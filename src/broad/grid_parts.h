/*
 * grid_parts.h: cells, and boxes filed in them; only for the grid_*.c files.
 *
 *      grid.c          the table of functions: queries, figures, checks
 *      grid_change.c   inserting, removing and moving single boxes
 *      grid_cells.c    cells, and how boxes are filed in them
 *      grid_build.c    making all anew; the size of cells
 *      grid_join.c     pairs
 *      grid_cast.c     casts
 *
 *      level 0   edge e          a box is in the finest level whose cells are larger than it,
 *      level 1   edge 4 e        there in the cell that its least corner is in,
 *      ...                       and in no other
 *      level 8   all that is larger still, in one cell: tested against everything
 *
 *      head[bucket] --> first block of a cell --next_cell--> first block of another --> ...
 *                             |
 *                            next: a full block of the same cell --> ...
 *
 * Cells exist only while they hold boxes. Boxes stand in blocks of eight (block.h); only the first
 * block of a cell may have empty lanes. Block 0 is never used: it stands for "none", and as it is
 * no cell's, a search that finds nothing needs no branch of its own.
 *
 * Boxes inserted since the last question are pending: in a list, in no cell.
 */
#ifndef BS_GRID_PARTS_H
#define BS_GRID_PARTS_H

#include <assert.h>

#include "backend.h"

#pragma GCC visibility push(hidden)

#define BS_GRID_NONE 0u
#define BS_GRID_PENDING 0x80000000u /* in `place`: position in the list of pending boxes */

enum {
    BS_GRID_HUGE = 8, /* the last level */
    BS_GRID_LEVELS = BS_GRID_HUGE + 1,
    BS_GRID_RATIO = 4,      /* of the edges of consecutive levels */
    BS_GRID_SIDE = 1 << 30, /* cells' coordinates are clamped to -BS_GRID_SIDE .. BS_GRID_SIDE */
    BS_GRID_AROUND = DIM == 2 ? 4 : 13, /* half of the cells around a cell */
    BS_GRID_SOME = 16                   /* cells that are looked up at a time */
};
static_assert(2 * BS_GRID_AROUND + 1 == (DIM == 2 ? 9 : 27), "the cells around a cell, and itself");
static_assert(BS_GRID_LEVELS < UINT8_MAX && BS_GRID_LEVELS <= 32,
              "a level fits into a link and a set");
static_assert(BS_GRID_SIDE < INT32_MAX, "the number of a cell around does not overflow");

typedef struct bs_grid_level {
    double edge;
    double inverse; /* 1 / edge; of the last level: 0, so that all is in its cell 0 */
    double most;    /* size of its boxes */
    double stay;    /* boxes of this size or less are not updated where they are */
    size_t boxes, cells;
    double reach[DIM];        /* no box of it is larger; shrinks only when all is made anew */
    int32_t lo[DIM], hi[DIM]; /* no cell of it is outside; likewise */
} bs_grid_level;

typedef struct bs_grid_link {
    int32_t cell[DIM];
    uint32_t next;      /* block of the same cell; of a free block: the next free one */
    uint32_t next_cell; /* of a first block: first block of another cell with the same bucket */
    uint8_t level;
    uint8_t count; /* lanes in use, from 0; of a free block: 0 */
    bool first;    /* of its cell */
} bs_grid_link;

/* From a cell to one around it. */
typedef struct bs_grid_offset {
    int32_t cell[DIM];
    uint32_t bucket;
    unsigned ahead; /* set of the axes on which it is the next cell */
} bs_grid_offset;

typedef struct bs_grid {
    bs_backend base;

    bs_block *block;
    bs_grid_link *link; /* by block */
    size_t block_cap, link_cap;
    uint32_t used; /* blocks ever taken, block 0 among them */
    uint32_t in_use;
    uint32_t free; /* head of the free blocks */

    uint32_t *head; /* by bucket */
    size_t head_cap;
    uint32_t mask;            /* buckets - 1 */
    uint32_t stride[DIM + 1]; /* bucket = sum of cell[k] * stride[k], and level * stride[DIM] */
    bs_grid_offset around[BS_GRID_AROUND]; /* of each two cells around that are opposite, one */

    bs_grid_level level[BS_GRID_LEVELS];
    unsigned levels; /* set of those in use */
    size_t cells;    /* of all levels */

    uint32_t *place; /* by box: block * 8 + lane, or BS_GRID_PENDING | position in `pending` */
    size_t place_cap;
    bs_list pending;
    bool stale; /* a box is in a wrong cell, as there was no memory to move it */

    double fixed;       /* edge of level 0 that was asked for; 0: choose (grid_build.c) */
    size_t rebuilds;    /* times that all was made anew */
    size_t changes;     /* boxes filed since then */
    double built_room;  /* then: boxes in a cell of level 0 */
    double built_share; /* then: share of the boxes in level 0 */
} bs_grid;

static inline bs_grid *bs_grid_of(bs_backend *backend) {
    return (bs_grid *)backend;
}

/* For assertions: the box is where its place says, in a cell, or in the list of pending ones. */
static inline bool bs_grid_is_filed(const bs_grid *g, uint32_t box) {
    uint32_t place = g->place[box];
    uint32_t block = place / BS_LANES;
    return (place & BS_GRID_PENDING) == 0 && block != BS_GRID_NONE && block < g->used &&
           place % BS_LANES < g->link[block].count && g->block[block].id[place % BS_LANES] == box;
}

static inline bool bs_grid_is_pending(const bs_grid *g, uint32_t box) {
    uint32_t place = g->place[box];
    size_t position = place & ~BS_GRID_PENDING;
    return (place & BS_GRID_PENDING) != 0 && position < g->pending.n &&
           g->pending.at[position] == box;
}

/* For assertions: all boxes are in the right cells, as every question wants it. */
static inline bool bs_grid_is_synced(const bs_grid *g) {
    return g->pending.n == 0 && !g->stale && g->cells <= g->in_use && g->in_use < g->used;
}

/* --- coordinates ---------------------------------------------------------------------------- */

/*
 * The number of the cell that x is in; x is in cells. Monotone.
 *
 * Two boxes of one level that overlap are in the same cell or in neighbouring ones, also as
 * computed: from a.pos < b.far follows a.pos < b.pos + b.size exactly, as b.far is that sum rounded
 * once, rounding is monotone, and a.pos is itself a double. b.size is at most 0.999 edges. Products
 * with the inverse of the edge are off by less than 2^-51 of themselves: by less than 2^-20 cells
 * where they are not clamped, and clamping only brings numbers nearer to each other. So those of a
 * and b differ by less than 0.9991, their cells by 1 at most; and the same with a and b swapped.
 */
static inline int32_t bs_grid_coordinate(double x) {
    x = bs_max(bs_min(x, BS_GRID_SIDE), -BS_GRID_SIDE);
    assert(x >= -BS_GRID_SIDE && x <= BS_GRID_SIDE);
    int32_t towards_zero = (int32_t)x;
    return towards_zero - (x < towards_zero);
}

/* The largest size. */
static inline double bs_grid_size(const bs_rect *r) {
    double size = r->size[0];
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        size = bs_max(r->size[k], size);
    }
    assert(size > 0 && size < HUGE_VAL);
    return size;
}

/* The level and the cell that a box belongs to. */
static inline int bs_grid_cell_of(const bs_grid *g, const bs_rect *r, int32_t cell[DIM]) {
    double size = bs_grid_size(r);
    int level = 0;
    while (size > g->level[level].most) {
        level++;
    }
    assert(level < BS_GRID_LEVELS);
    for (int k = 0; k < DIM; k++) {
        cell[k] = bs_grid_coordinate(r->pos[k] * g->level[level].inverse);
    }
    return level;
}

/* Linear, so that the buckets of the cells around are this one and constants. */
static inline uint32_t bs_grid_bucket(const bs_grid *g, int level, const int32_t cell[DIM]) {
    assert(level >= 0 && level < BS_GRID_LEVELS);
    assert((g->mask & (g->mask + 1)) == 0 && g->mask < g->head_cap);
    uint32_t sum = (uint32_t)level * g->stride[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        sum += (uint32_t)cell[k] * g->stride[k];
    }
    return sum & g->mask;
}

static inline bool bs_grid_is_cell(const bs_grid_link *link, int level, const int32_t cell[DIM]) {
    bool same = link->level == level;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        same &= link->cell[k] == cell[k];
    }
    return same;
}

/* The first block of the cell, or BS_GRID_NONE: without a branch, unless cells share the bucket. */
static inline uint32_t bs_grid_find(const bs_grid *g, uint32_t bucket, int level,
                                    const int32_t cell[DIM]) {
    assert(bucket <= g->mask && g->mask < g->head_cap);
    uint32_t block = g->head[bucket];
    bool found = bs_grid_is_cell(&g->link[block], level, cell);
    while (__builtin_expect(!found && g->link[block].next_cell != BS_GRID_NONE, 0)) {
        block = g->link[block].next_cell;
        found = bs_grid_is_cell(&g->link[block], level, cell);
    }
    assert(!found || (g->link[block].first && block != BS_GRID_NONE && block < g->used));
    return found ? block : BS_GRID_NONE;
}

/* --- ranges of cells ------------------------------------------------------------------------ */

typedef struct bs_grid_range {
    int32_t lo[DIM], hi[DIM]; /* both in it */
} bs_grid_range;

/*
 * The cells in use of a level whose boxes may meet what lies between lo and hi. False: none.
 * Exact: box.far > lo means box.pos > lo - size (as above), and all that follows is monotone. hi
 * may be infinite.
 */
static inline bool bs_grid_range_of(const bs_grid_level *l, const double lo[DIM],
                                    const double hi[DIM], bs_grid_range *out) {
    bool any = l->cells > 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) { /* finite, as the inverse may be 0 */
        double from = bs_max(lo[k] - l->reach[k], -DBL_MAX);
        assert(lo[k] <= hi[k] && l->reach[k] >= 0);
        double to = bs_min(hi[k], DBL_MAX);
        int32_t first = bs_grid_coordinate(from * l->inverse);
        int32_t last = bs_grid_coordinate(to * l->inverse);
        out->lo[k] = first > l->lo[k] ? first : l->lo[k];
        out->hi[k] = last < l->hi[k] ? last : l->hi[k];
        any &= out->lo[k] <= out->hi[k];
    }
    return any;
}

/* May be more than integers hold. */
static inline double bs_grid_range_cells(const bs_grid_range *r) {
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        assert(r->lo[k] <= r->hi[k]);
        cells *= (double)r->hi[k] - r->lo[k] + 1;
    }
    return cells;
}

/* Goes through the cells of a range, which is not empty. */
typedef struct bs_grid_walk {
    int level;
    bs_grid_range range;
    int32_t cell[DIM]; /* the next one; beyond the range on the last axis: done */
} bs_grid_walk;

static inline void bs_grid_walk_begin(bs_grid_walk *w, int level, const bs_grid_range *range) {
    assert(level >= 0 && level < BS_GRID_LEVELS && bs_grid_range_cells(range) >= 1);
    w->level = level;
    w->range = *range;
    memcpy(w->cell, range->lo, sizeof w->cell);
}

/* Looks up the next cells; returns how many are in use, and their first blocks. 0: no more. */
static inline int bs_grid_walk_next(const bs_grid *g, bs_grid_walk *w,
                                    uint32_t found[BS_GRID_SOME]) {
    int n = 0;
    while (n < BS_GRID_SOME && w->cell[DIM - 1] <= w->range.hi[DIM - 1]) {
        uint32_t bucket = bs_grid_bucket(g, w->level, w->cell);
        for (; n < BS_GRID_SOME && w->cell[0] <= w->range.hi[0]; w->cell[0]++) {
            found[n] = bs_grid_find(g, bucket, w->level, w->cell);
            n += found[n] != BS_GRID_NONE;
            bucket = (bucket + g->stride[0]) & g->mask;
        }
        for (int k = 0; k < DIM - 1 && w->cell[k] > w->range.hi[k]; k++) {
            w->cell[k] = w->range.lo[k];
            w->cell[k + 1]++;
        }
    }
    assert(n <= BS_GRID_SOME && w->cell[0] >= w->range.lo[0]);
    return n;
}

/* --- functions, by file --------------------------------------------------------------------- */

/* grid_cells.c */
#define bs_grid_reserve_block BS_VARIANT(bs_grid_reserve_block)
#define bs_grid_link_buckets BS_VARIANT(bs_grid_link_buckets)
#define bs_grid_reset_level BS_VARIANT(bs_grid_reset_level)
#define bs_grid_file BS_VARIANT(bs_grid_file)
#define bs_grid_unfile BS_VARIANT(bs_grid_unfile)
/* Makes sure that one more box can be filed. False: no memory. */
bool bs_grid_reserve_block(bs_grid *g);
/* All buckets anew, from what the links say. A power of 2 for which `head` has room. */
void bs_grid_link_buckets(bs_grid *g, uint32_t buckets);
/* No boxes, no cells. */
void bs_grid_reset_level(bs_grid_level *l);
/* Files a box that is in no cell. A block must have been reserved. */
void bs_grid_file(bs_grid *g, uint32_t box);
/* Takes a box out of its cell. */
void bs_grid_unfile(bs_grid *g, uint32_t box);

/* grid_build.c */
#define bs_grid_fix_edge BS_VARIANT(bs_grid_fix_edge)
#define bs_grid_sync BS_VARIANT(bs_grid_sync)
/* The edge of the smallest cells, > 0, for an empty grid that is not to choose it by itself. */
void bs_grid_fix_edge(bs_grid *g, double edge);
/*
 * Before any question: all boxes in the right cells. O(1) if nothing was inserted, O(1) for each
 * insertion, amortised. False: no memory; all boxes are held.
 */
bool bs_grid_sync(bs_grid *g);

/* grid_change.c */
#define bs_grid_insert BS_VARIANT(bs_grid_insert)
#define bs_grid_remove BS_VARIANT(bs_grid_remove)
#define bs_grid_update BS_VARIANT(bs_grid_update)
bool bs_grid_insert(bs_backend *backend, uint32_t box);
void bs_grid_remove(bs_backend *backend, uint32_t box);
void bs_grid_update(bs_backend *backend, const uint32_t *boxes, size_t n);

/* grid_join.c */
#define bs_grid_pairs BS_VARIANT(bs_grid_pairs)
#define bs_grid_cross BS_VARIANT(bs_grid_cross)
bool bs_grid_pairs(bs_backend *backend, bs_pairs *out);
bool bs_grid_cross(bs_backend *backend, bs_backend *other, bs_pairs *out);

/* grid_cast.c */
#define bs_grid_cast BS_VARIANT(bs_grid_cast)
bool bs_grid_cast(bs_backend *backend, bs_cast *cast);

#pragma GCC visibility pop

#endif
