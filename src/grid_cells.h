/*
 * grid_cells.h: cells, and boxes filed in them: the structure behind grid.c, which alone includes
 * this and the other grid_*.h.
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
#ifndef BS_GRID_CELLS_H
#define BS_GRID_CELLS_H

#include <assert.h>

#include "backend.h"

#define GRID_NONE 0u
#define GRID_PENDING 0x80000000u /* in `place`: position in the list of pending boxes */

enum {
    GRID_HUGE = 8, /* the last level */
    GRID_LEVELS = GRID_HUGE + 1,
    GRID_RATIO = 4,                  /* of the edges of consecutive levels */
    GRID_SIDE = 1 << 30,             /* cells' coordinates are clamped to -GRID_SIDE .. GRID_SIDE */
    GRID_AROUND = DIM == 2 ? 4 : 13, /* half of the cells around a cell */
    GRID_SOME = 16                   /* cells that are looked up at a time */
};
static_assert(2 * GRID_AROUND + 1 == (DIM == 2 ? 9 : 27), "the cells around a cell, and itself");
static_assert(GRID_LEVELS < UINT8_MAX && GRID_LEVELS <= 32, "a level fits into a link and a set");
static_assert(GRID_SIDE < INT32_MAX, "the number of a cell around does not overflow");

typedef struct grid_level {
    double edge;
    double inverse; /* 1 / edge; of the last level: 0, so that all is in its cell 0 */
    double most;    /* size of its boxes */
    double stay;    /* boxes of this size or less are not updated where they are */
    size_t boxes, cells;
    double reach[DIM];        /* no box of it is larger; shrinks only when all is made anew */
    int32_t lo[DIM], hi[DIM]; /* no cell of it is outside; likewise */
} grid_level;

typedef struct grid_link {
    int32_t cell[DIM];
    uint32_t next;      /* block of the same cell; of a free block: the next free one */
    uint32_t next_cell; /* of a first block: first block of another cell with the same bucket */
    uint8_t level;
    uint8_t count; /* lanes in use, from 0; of a free block: 0 */
    bool first;    /* of its cell */
} grid_link;

/* From a cell to one around it. */
typedef struct grid_offset {
    int32_t cell[DIM];
    uint32_t bucket;
    unsigned ahead; /* set of the axes on which it is the next cell */
} grid_offset;

typedef struct grid {
    bs_backend base;

    bs_block *block;
    grid_link *link; /* by block */
    size_t block_cap, link_cap;
    uint32_t used; /* blocks ever taken, block 0 among them */
    uint32_t in_use;
    uint32_t free; /* head of the free blocks */

    uint32_t *head; /* by bucket */
    size_t head_cap;
    uint32_t mask;            /* buckets - 1 */
    uint32_t stride[DIM + 1]; /* bucket = sum of cell[k] * stride[k], and level * stride[DIM] */
    grid_offset around[GRID_AROUND]; /* of each two cells around that are opposite, one */

    grid_level level[GRID_LEVELS];
    unsigned levels; /* set of those in use */
    size_t cells;    /* of all levels */

    uint32_t *place; /* by box: block * 8 + lane, or GRID_PENDING | position in `pending` */
    size_t place_cap;
    bs_list pending;
    bool stale; /* a box is in a wrong cell, as there was no memory to move it */

    double fixed;       /* edge of level 0 that was asked for; 0: choose (grid_build.h) */
    size_t rebuilds;    /* times that all was made anew */
    size_t changes;     /* boxes filed since then */
    double built_room;  /* then: boxes in a cell of level 0 */
    double built_share; /* then: share of the boxes in level 0 */
} grid;

static grid *grid_of(bs_backend *backend) {
    return (grid *)backend;
}

/* For assertions: the box is where its place says, in a cell, or in the list of pending ones. */
static inline bool grid_is_filed(const grid *g, uint32_t box) {
    uint32_t place = g->place[box];
    uint32_t block = place / BS_LANES;
    return (place & GRID_PENDING) == 0 && block != GRID_NONE && block < g->used &&
           place % BS_LANES < g->link[block].count && g->block[block].id[place % BS_LANES] == box;
}

static inline bool grid_is_pending(const grid *g, uint32_t box) {
    uint32_t place = g->place[box];
    size_t position = place & ~GRID_PENDING;
    return (place & GRID_PENDING) != 0 && position < g->pending.n && g->pending.at[position] == box;
}

/* For assertions: all boxes are in the right cells, as every question wants it. */
static inline bool grid_is_synced(const grid *g) {
    return g->pending.n == 0 && !g->stale && g->cells <= g->in_use && g->in_use < g->used;
}

/* As minsd and maxsd: b if either is NaN. */
static inline double grid_min(double a, double b) {
    return a < b ? a : b;
}

static inline double grid_max(double a, double b) {
    return a > b ? a : b;
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
static inline int32_t grid_coordinate(double x) {
    x = grid_max(grid_min(x, GRID_SIDE), -GRID_SIDE);
    assert(x >= -GRID_SIDE && x <= GRID_SIDE);
    int32_t towards_zero = (int32_t)x;
    return towards_zero - (x < towards_zero);
}

/* The largest size. */
static inline double grid_size(const bs_rect *r) {
    double size = r->size[0];
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        size = grid_max(r->size[k], size);
    }
    assert(size > 0 && size < HUGE_VAL);
    return size;
}

/* The level and the cell that a box belongs to. */
static inline int grid_cell_of(const grid *g, const bs_rect *r, int32_t cell[DIM]) {
    double size = grid_size(r);
    int level = 0;
    while (size > g->level[level].most) {
        level++;
    }
    assert(level < GRID_LEVELS);
    for (int k = 0; k < DIM; k++) {
        cell[k] = grid_coordinate(r->pos[k] * g->level[level].inverse);
    }
    return level;
}

/* Linear, so that the buckets of the cells around are this one and constants. */
static inline uint32_t grid_bucket(const grid *g, int level, const int32_t cell[DIM]) {
    assert(level >= 0 && level < GRID_LEVELS);
    assert((g->mask & (g->mask + 1)) == 0 && g->mask < g->head_cap);
    uint32_t sum = (uint32_t)level * g->stride[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        sum += (uint32_t)cell[k] * g->stride[k];
    }
    return sum & g->mask;
}

static inline bool grid_is_cell(const grid_link *link, int level, const int32_t cell[DIM]) {
    bool same = link->level == level;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        same &= link->cell[k] == cell[k];
    }
    return same;
}

/* The first block of the cell, or GRID_NONE: without a branch, unless cells share the bucket. */
static inline uint32_t grid_find(const grid *g, uint32_t bucket, int level,
                                 const int32_t cell[DIM]) {
    assert(bucket <= g->mask && g->mask < g->head_cap);
    uint32_t block = g->head[bucket];
    bool found = grid_is_cell(&g->link[block], level, cell);
    while (__builtin_expect(!found && g->link[block].next_cell != GRID_NONE, 0)) {
        block = g->link[block].next_cell;
        found = grid_is_cell(&g->link[block], level, cell);
    }
    assert(!found || (g->link[block].first && block != GRID_NONE && block < g->used));
    return found ? block : GRID_NONE;
}

/* What points to the cell's first block; if there is none, to the end of its bucket's list. */
static uint32_t *grid_slot(grid *g, int level, const int32_t cell[DIM]) {
    uint32_t *slot = &g->head[grid_bucket(g, level, cell)];
    while (*slot != GRID_NONE && !grid_is_cell(&g->link[*slot], level, cell)) {
        slot = &g->link[*slot].next_cell;
    }
    assert(*slot == GRID_NONE || g->link[*slot].first);
    return slot;
}

/* --- ranges of cells ------------------------------------------------------------------------ */

typedef struct grid_range {
    int32_t lo[DIM], hi[DIM]; /* both in it */
} grid_range;

/*
 * The cells in use of a level whose boxes may meet what lies between lo and hi. False: none.
 * Exact: box.far > lo means box.pos > lo - size (as above), and all that follows is monotone. hi
 * may be infinite.
 */
static inline bool grid_range_of(const grid_level *l, const double lo[DIM], const double hi[DIM],
                                 grid_range *out) {
    bool any = l->cells > 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) { /* finite, as the inverse may be 0 */
        double from = grid_max(lo[k] - l->reach[k], -DBL_MAX);
        assert(lo[k] <= hi[k] && l->reach[k] >= 0);
        double to = grid_min(hi[k], DBL_MAX);
        int32_t first = grid_coordinate(from * l->inverse);
        int32_t last = grid_coordinate(to * l->inverse);
        out->lo[k] = first > l->lo[k] ? first : l->lo[k];
        out->hi[k] = last < l->hi[k] ? last : l->hi[k];
        any &= out->lo[k] <= out->hi[k];
    }
    return any;
}

/* May be more than integers hold. */
static inline double grid_range_cells(const grid_range *r) {
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        assert(r->lo[k] <= r->hi[k]);
        cells *= (double)r->hi[k] - r->lo[k] + 1;
    }
    return cells;
}

/* Goes through the cells of a range, which is not empty. */
typedef struct grid_walk {
    int level;
    grid_range range;
    int32_t cell[DIM]; /* the next one; beyond the range on the last axis: done */
} grid_walk;

static inline void grid_walk_begin(grid_walk *w, int level, const grid_range *range) {
    assert(level >= 0 && level < GRID_LEVELS && grid_range_cells(range) >= 1);
    w->level = level;
    w->range = *range;
    memcpy(w->cell, range->lo, sizeof w->cell);
}

/* Looks up the next cells; returns how many are in use, and their first blocks. 0: no more. */
static inline int grid_walk_next(const grid *g, grid_walk *w, uint32_t found[GRID_SOME]) {
    int n = 0;
    while (n < GRID_SOME && w->cell[DIM - 1] <= w->range.hi[DIM - 1]) {
        uint32_t bucket = grid_bucket(g, w->level, w->cell);
        for (; n < GRID_SOME && w->cell[0] <= w->range.hi[0]; w->cell[0]++) {
            found[n] = grid_find(g, bucket, w->level, w->cell);
            n += found[n] != GRID_NONE;
            bucket = (bucket + g->stride[0]) & g->mask;
        }
        for (int k = 0; k < DIM - 1 && w->cell[k] > w->range.hi[k]; k++) {
            w->cell[k] = w->range.lo[k];
            w->cell[k + 1]++;
        }
    }
    assert(n <= GRID_SOME && w->cell[0] >= w->range.lo[0]);
    return n;
}

/* --- blocks --------------------------------------------------------------------------------- */

/* Makes sure that grid_take_block finds one. */
static bool grid_reserve_block(grid *g) {
    if (g->free != GRID_NONE) {
        return true;
    }
    size_t need = (size_t)g->used + 1;
    assert(g->used > GRID_NONE && g->in_use + 1 == g->used); /* none is free */
    return bs_array_reserve(g->base.heap, &g->block, &g->block_cap, need, sizeof *g->block) &&
           bs_array_reserve(g->base.heap, &g->link, &g->link_cap, need, sizeof *g->link);
}

/* An empty block. */
static uint32_t grid_take_block(grid *g) {
    uint32_t block = g->free;
    if (block != GRID_NONE) {
        assert(block < g->used && g->link[block].count == 0 && !g->link[block].first);
        g->free = g->link[block].next;
    } else {
        block = g->used++;
        assert(block < g->block_cap && block < g->link_cap && block < GRID_PENDING / BS_LANES);
        bs_block_clear(&g->block[block]);
    }
    g->in_use++;
    assert(g->in_use < g->used);
    return block;
}

static void grid_free_block(grid *g, uint32_t block) {
    assert(block != GRID_NONE && block < g->used && block != g->free);
    assert(g->link[block].count == 0 && g->in_use > 0);
    g->link[block].first = false;
    g->link[block].next = g->free;
    g->free = block;
    g->in_use--;
}

/* --- buckets -------------------------------------------------------------------------------- */

/* All buckets anew, from what the links say. A power of 2 for which `head` has room. */
static void grid_link_buckets(grid *g, uint32_t buckets) {
    assert(buckets > 0 && (buckets & (buckets - 1)) == 0 && buckets <= g->head_cap);
    g->mask = buckets - 1;
    for (uint32_t i = 0; i < buckets; i++) {
        g->head[i] = GRID_NONE;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        grid_link *link = &g->link[block];
        if (link->first) {
            assert(link->count > 0);
            uint32_t *head = &g->head[grid_bucket(g, link->level, link->cell)];
            link->next_cell = *head;
            *head = block;
        }
    }
}

/* Twice the buckets, if there is memory: it works without. */
static void grid_add_buckets(grid *g) {
    size_t need = ((size_t)g->mask + 1) * 2;
    if (need <= (size_t)1 << 28 &&
        bs_array_reserve(g->base.heap, &g->head, &g->head_cap, need, sizeof *g->head)) {
        grid_link_buckets(g, (uint32_t)need);
    }
}

/* --- filing --------------------------------------------------------------------------------- */

static void grid_reset_level(grid_level *l) {
    l->boxes = 0;
    l->cells = 0;
    for (int k = 0; k < DIM; k++) {
        l->lo[k] = GRID_SIDE;
        l->hi[k] = -GRID_SIDE;
        l->reach[k] = 0;
    }
}

static void grid_count_cell(grid *g, int level, const int32_t cell[DIM]) {
    grid_level *l = &g->level[level];
    assert((l->cells > 0) == ((g->levels >> level & 1) != 0));
    g->levels |= 1u << level;
    g->cells++;
    l->cells++;
    for (int k = 0; k < DIM; k++) {
        assert(cell[k] >= -GRID_SIDE && cell[k] <= GRID_SIDE);
        l->lo[k] = cell[k] < l->lo[k] ? cell[k] : l->lo[k];
        l->hi[k] = cell[k] > l->hi[k] ? cell[k] : l->hi[k];
    }
}

/* Puts an empty block before those that the cell has, or makes the cell. */
static uint32_t grid_add_block(grid *g, uint32_t *slot, int level, const int32_t cell[DIM]) {
    uint32_t old = *slot;
    assert(old == GRID_NONE || (g->link[old].first && g->link[old].count == BS_LANES));
    uint32_t block = grid_take_block(g);
    grid_link *link = &g->link[block];
    memcpy(link->cell, cell, sizeof link->cell);
    link->level = (uint8_t)level;
    link->count = 0;
    link->first = true;
    link->next = old;
    link->next_cell = GRID_NONE;
    *slot = block;
    if (old == GRID_NONE) {
        grid_count_cell(g, level, cell);
    } else {
        link->next_cell = g->link[old].next_cell;
        g->link[old].first = false;
    }
    return block;
}

/* Files a box that is in no cell. A block must have been reserved. */
static void grid_file(grid *g, uint32_t box) {
    if (g->cells > g->mask) {
        grid_add_buckets(g);
    }
    const bs_rect *r = &g->base.boxes->rect[box];
    int32_t cell[DIM];
    int level = grid_cell_of(g, r, cell);
    uint32_t *slot = grid_slot(g, level, cell);
    uint32_t block = *slot;
    if (block == GRID_NONE || g->link[block].count == BS_LANES) {
        block = grid_add_block(g, slot, level, cell);
    }
    int lane = g->link[block].count++;
    assert(lane < BS_LANES && g->link[block].first && *slot == block);
    bs_block_set(&g->block[block], lane, bs_bounds_of(r), box);
    g->place[box] = block * BS_LANES + (uint32_t)lane;
    grid_level *l = &g->level[level];
    for (int k = 0; k < DIM; k++) {
        l->reach[k] = grid_max(r->size[k], l->reach[k]);
    }
    l->boxes++;
    g->changes++;
    assert(grid_is_filed(g, box) && l->boxes <= g->base.count);
}

/* Gives back the cell's first block, which is empty; with the last one the cell ends. */
static void grid_drop_block(grid *g, uint32_t *slot) {
    uint32_t block = *slot;
    grid_link *link = &g->link[block];
    assert(link->first && link->count == 0 && g->cells > 0 && g->level[link->level].cells > 0);
    if (link->next != GRID_NONE) {
        *slot = link->next;
        g->link[link->next].next_cell = link->next_cell;
        g->link[link->next].first = true;
    } else {
        grid_level *l = &g->level[link->level];
        *slot = link->next_cell;
        g->cells--;
        if (--l->cells == 0) {
            assert(l->boxes == 0);
            g->levels &= ~(1u << link->level);
            grid_reset_level(l);
        }
    }
    grid_free_block(g, block);
}

/* Takes a box out of its cell; the last box of the cell's first block fills the hole. */
static void grid_unfile(grid *g, uint32_t box) {
    assert(grid_is_filed(g, box));
    uint32_t hole = g->place[box];
    const grid_link *link = &g->link[hole / BS_LANES];
    uint32_t *slot = grid_slot(g, link->level, link->cell);
    uint32_t first = *slot;
    assert(first != GRID_NONE && g->link[first].count > 0 && g->level[link->level].boxes > 0);
    bs_block *from = &g->block[first];
    int last = --g->link[first].count;
    uint32_t moved = from->id[last];
    bs_block_set(&g->block[hole / BS_LANES], (int)(hole % BS_LANES), bs_block_get(from, last),
                 moved);
    g->place[moved] = hole;
    bs_block_clear_lane(from, last);
    assert(moved == box || grid_is_filed(g, moved));
    g->level[link->level].boxes--;
    if (last == 0) {
        grid_drop_block(g, slot);
    }
}

#endif
