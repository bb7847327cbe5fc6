/*
 * grid.c: a loose hierarchical hash grid.
 *
 * Every box is in exactly one cell: of the level that its largest size asks for, and there of the
 * cell that its least corner is in. So a pair of boxes is found in one way only, nothing has to be
 * sorted out, and a box that moves changes one place. "Loose": a box reaches out of its cell, by
 * less than a cell's edge; who searches looks one edge (in fact: the level's largest box) further.
 * Levels: Schmitt et al., "Hierarchical hash grids for coarse collision detection", 2010; loose
 * cells: Ulrich, "Loose octrees", 2000.
 *
 *      level 0   edge e          ...               cells are kept only while they hold boxes
 *      level 1   edge 4 e
 *      level 7   edge 4^7 e
 *      level 8   one cell for all that is larger still: everything is tested against it
 *
 *      head[bucket] -> first block of a cell -> first block of another cell with the same bucket
 *                         |
 *                         next: a full block of the same cell -> ...
 *
 * Boxes are stored by eights (block.h); only a cell's first block may have empty lanes.
 *
 * Boxes that were inserted since the last question wait in a list. Many of them at once are sorted
 * by bucket before they are filed, so that neighbouring cells are neighbours in memory.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"

#define GRID_NONE 0u /* no block: block 0 is never used, and in no cell */
#define GRID_PENDING 0x80000000u /* in `place`: position in the list of those not yet filed */

enum {
    GRID_HUGE = 8,            /* the level without cells */
    GRID_LEVELS = GRID_HUGE + 1,
    GRID_RATIO = 4,           /* of the edges of consecutive levels */
    GRID_SIDE = 1 << 30,      /* cells' coordinates are clamped to -GRID_SIDE .. GRID_SIDE */
    GRID_ROOMY = 4,           /* boxes in a cell, as is best */
    GRID_AHEAD = 12,          /* boxes that are fetched before they are updated */
    GRID_SAMPLE = 128,        /* boxes looked at to choose the edge */
    GRID_AROUND = DIM == 2 ? 4 : 13 /* half of a cell's neighbours */
};

typedef struct grid_level {
    double edge;
    double inverse;      /* cells per unit; 0 for the last level: all is in its cell 0 */
    double least, most;  /* sizes of its boxes: least < size <= most */
    size_t boxes, cells;
    double reach[DIM];   /* no box of this level is larger; shrinks only when made anew */
    int32_t lo[DIM], hi[DIM]; /* no cell in use is outside; likewise */
} grid_level;

typedef struct grid_link {
    int32_t cell[DIM];
    uint32_t next;      /* block of the same cell; of a free block: the next free one */
    uint32_t next_cell; /* of a first block: first block of the next cell of the bucket */
    uint8_t level;
    uint8_t count;      /* lanes in use, from 0 */
    bool first;         /* of its cell */
} grid_link;

/* To one of half of the neighbours: of each two that are opposite, one. */
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
    uint32_t used; /* blocks ever taken */
    uint32_t free; /* head of the free ones */
    uint32_t in_use;

    uint32_t *head; /* by bucket: first block of a cell */
    size_t head_cap;
    uint32_t mask;            /* buckets - 1 */
    uint32_t stride[DIM + 1]; /* bucket = sum of cell[k] * stride[k] + level * stride[DIM] */
    size_t cells;             /* of all levels */
    unsigned levels;          /* set of those in use */

    uint32_t *place; /* by box: block * 8 + lane, or GRID_PENDING | position in `pending` */
    size_t place_cap;
    bs_list pending; /* inserted since the last question */
    bool stale;      /* some box is in a wrong cell: there was no memory to move it */

    double fixed;      /* edge asked for; 0: choose */
    double edge;       /* of level 0; 0: not chosen yet */
    size_t changes;    /* boxes that came to a cell since all was made anew ... */
    double tuned_room; /* ... and how it was then: boxes in a cell of level 0, */
    double tuned_share; /* share of the boxes that are in level 0 */
    size_t rebuilds;
    grid_level level[GRID_LEVELS];
    grid_offset around[GRID_AROUND];

} grid;

static grid *grid_of(bs_backend *backend) {
    return (grid *)backend;
}

static inline double grid_min(double a, double b) {
    return a < b ? a : b;
}

static inline double grid_max(double a, double b) {
    return a > b ? a : b;
}

/* --- cells ---------------------------------------------------------------------------------- */

/*
 * The number of the cell that x (in cells) is in. Monotone in x, NaN counts as large.
 *
 * Boxes a, b of one level that overlap differ by at most 1 per axis: a.pos < b.far as doubles, so,
 * as a.pos is itself a double and rounding is monotone, a.pos < b.pos + b.size exactly; and b.size
 * is at most 0.999 edges. Scaling by the inverse of the edge is off by less than 2^-52 of the
 * result, 2^-22 cells where it is not clamped, and clamping brings numbers nearer to each other. So
 * what is rounded down differs by less than 0.999 + 2^-20, by the same for b before a.
 */
static inline int32_t grid_coordinate(double x) {
    x = x < GRID_SIDE ? x : GRID_SIDE;
    x = x > -GRID_SIDE ? x : -GRID_SIDE;
    int32_t towards_zero = (int32_t)x;
    return towards_zero - (x < towards_zero);
}

static inline double grid_size(const bs_rect *r) {
    double size = r->size[0];
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        size = r->size[k] > size ? r->size[k] : size;
    }
    return size;
}

static int grid_level_of(const grid *g, const bs_rect *r) {
    double size = grid_size(r);
    int level = 0;
    while (size > g->level[level].most) {
        level++;
    }
    return level;
}

static inline uint32_t grid_bucket(const grid *g, int level, const int32_t cell[DIM]) {
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

/* What points to the first block of the cell; if there is none, to GRID_NONE, the bucket's end. */
static inline uint32_t *grid_slot(grid *g, uint32_t bucket, int level, const int32_t cell[DIM]) {
    uint32_t *slot = &g->head[bucket];
    while (*slot != GRID_NONE && !grid_is_cell(&g->link[*slot], level, cell)) {
        slot = &g->link[*slot].next_cell;
    }
    return slot;
}

/* The first block of the cell, or GRID_NONE: without a branch, unless cells share the bucket. */
static inline uint32_t grid_find(const grid *g, uint32_t bucket, int level,
                                 const int32_t cell[DIM]) {
    uint32_t block = g->head[bucket];
    bool found = grid_is_cell(&g->link[block], level, cell);
    while (__builtin_expect(!found && g->link[block].next_cell != GRID_NONE, 0)) {
        block = g->link[block].next_cell;
        found = grid_is_cell(&g->link[block], level, cell);
    }
    return found ? block : GRID_NONE;
}

/* --- filing --------------------------------------------------------------------------------- */

/* Makes sure that grid_take_block finds one. */
static bool grid_reserve_block(grid *g) {
    if (g->free != GRID_NONE) {
        return true;
    }
    size_t need = (size_t)g->used + 1;
    return bs_array_reserve(g->base.heap, &g->block, &g->block_cap, need, sizeof *g->block) &&
           bs_array_reserve(g->base.heap, &g->link, &g->link_cap, need, sizeof *g->link);
}

/* An empty block. */
static uint32_t grid_take_block(grid *g) {
    uint32_t block = g->free;
    if (block != GRID_NONE) {
        g->free = g->link[block].next;
    } else {
        block = g->used++;
        assert(block < g->block_cap && block < g->link_cap && block < GRID_PENDING / BS_LANES);
        bs_block_clear(&g->block[block]);
    }
    g->in_use++;
    return block;
}

static void grid_free_block(grid *g, uint32_t block) {
    assert(g->link[block].count == 0 && g->in_use > 0);
    g->link[block].first = false;
    g->link[block].next = g->free;
    g->free = block;
    g->in_use--;
}

static void grid_level_empty(grid_level *l) {
    for (int k = 0; k < DIM; k++) {
        l->lo[k] = GRID_SIDE;
        l->hi[k] = -GRID_SIDE;
        l->reach[k] = 0;
    }
}

static void grid_count_cell(grid *g, int level, const int32_t cell[DIM]) {
    grid_level *l = &g->level[level];
    g->cells++;
    g->levels |= 1u << level;
    l->cells++;
    for (int k = 0; k < DIM; k++) {
        l->lo[k] = cell[k] < l->lo[k] ? cell[k] : l->lo[k];
        l->hi[k] = cell[k] > l->hi[k] ? cell[k] : l->hi[k];
    }
}

/* All buckets anew, with what `link` says. */
static void grid_relink(grid *g, uint32_t buckets) {
    assert((buckets & (buckets - 1)) == 0 && buckets <= g->head_cap);
    g->mask = buckets - 1;
    for (uint32_t i = 0; i < buckets; i++) {
        g->head[i] = GRID_NONE;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        grid_link *link = &g->link[block];
        if (link->first) {
            uint32_t *head = &g->head[grid_bucket(g, link->level, link->cell)];
            link->next_cell = *head;
            *head = block;
        }
    }
}

/* More buckets, if there is memory: it works without. */
static void grid_more_buckets(grid *g) {
    size_t need = ((size_t)g->mask + 1) * 2;
    if (need <= (size_t)1 << 28 &&
        bs_array_reserve(g->base.heap, &g->head, &g->head_cap, need, sizeof *g->head)) {
        grid_relink(g, (uint32_t)need);
    }
}

/* Puts a new first block before those that the cell has. */
static uint32_t grid_add_block(grid *g, uint32_t *slot, int level, const int32_t cell[DIM]) {
    uint32_t old = *slot;
    uint32_t block = grid_take_block(g);
    grid_link *link = &g->link[block];
    memcpy(link->cell, cell, sizeof link->cell);
    link->next = old;
    link->next_cell = GRID_NONE;
    link->level = (uint8_t)level;
    link->count = 0;
    link->first = true;
    *slot = block;
    if (old == GRID_NONE) {
        grid_count_cell(g, level, cell);
    } else {
        link->next_cell = g->link[old].next_cell;
        g->link[old].first = false;
    }
    return block;
}

/* The box is no larger than this level now reaches. */
static inline void grid_extend_reach(grid_level *l, const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        l->reach[k] = r->size[k] > l->reach[k] ? r->size[k] : l->reach[k];
    }
}

/* Files a box that is in no cell. A block must have been reserved. */
static void grid_file(grid *g, uint32_t box) {
    if (g->cells > g->mask) {
        grid_more_buckets(g);
    }
    const bs_rect *r = &g->base.boxes->rect[box];
    int level = grid_level_of(g, r);
    grid_level *l = &g->level[level];
    int32_t cell[DIM];
    for (int k = 0; k < DIM; k++) {
        cell[k] = grid_coordinate(r->pos[k] * l->inverse);
    }
    uint32_t *slot = grid_slot(g, grid_bucket(g, level, cell), level, cell);
    uint32_t block = *slot;
    if (block == GRID_NONE || g->link[block].count == BS_LANES) {
        block = grid_add_block(g, slot, level, cell);
    }
    int lane = g->link[block].count++;
    bs_block_set(&g->block[block], lane, bs_bounds_of(r), box);
    g->place[box] = block * BS_LANES + (uint32_t)lane;
    grid_extend_reach(l, r);
    l->boxes++;
    g->changes++;
}

/* The first block of a cell has become empty. */
static void grid_drop_first(grid *g, uint32_t *slot) {
    uint32_t block = *slot;
    grid_link *link = &g->link[block];
    grid_level *l = &g->level[link->level];
    if (link->next == GRID_NONE) {
        *slot = link->next_cell;
        g->cells--;
        if (--l->cells == 0) {
            g->levels &= ~(1u << link->level);
            grid_level_empty(l);
        }
    } else {
        *slot = link->next;
        g->link[link->next].next_cell = link->next_cell;
        g->link[link->next].first = true;
    }
    grid_free_block(g, block);
}

/* Takes a box out of its cell; the last box of the cell's first block fills the hole. */
static void grid_unfile(grid *g, uint32_t box) {
    uint32_t hole = g->place[box];
    const grid_link *link = &g->link[hole / BS_LANES];
    uint32_t *slot = grid_slot(g, grid_bucket(g, link->level, link->cell), link->level, link->cell);
    uint32_t first = *slot;
    assert(first != GRID_NONE && g->link[first].count > 0 && g->level[link->level].boxes > 0);
    bs_block *from = &g->block[first];
    int last = --g->link[first].count;
    uint32_t moved = from->id[last];
    bs_block_set(&g->block[hole / BS_LANES], (int)(hole % BS_LANES), bs_block_get(from, last),
                 moved);
    g->place[moved] = hole;
    bs_block_clear_lane(from, last);
    g->level[link->level].boxes--;
    if (last == 0) {
        grid_drop_first(g, slot);
    }
}

/* --- the table's changes -------------------------------------------------------------------- */

static bool grid_insert(bs_backend *backend, uint32_t box) {
    grid *g = grid_of(backend);
    if (!bs_array_reserve(backend->heap, &g->place, &g->place_cap, backend->boxes->cap,
                          sizeof *g->place) ||
        !bs_list_add(backend->heap, &g->pending, box)) {
        return false;
    }
    g->place[box] = GRID_PENDING | (uint32_t)(g->pending.n - 1);
    backend->count++;
    return true;
}

static void grid_remove(bs_backend *backend, uint32_t box) {
    grid *g = grid_of(backend);
    assert(backend->count > 0);
    uint32_t place = g->place[box];
    if ((place & GRID_PENDING) != 0) {
        uint32_t moved = g->pending.at[--g->pending.n];
        g->pending.at[place & ~GRID_PENDING] = moved;
        g->place[moved] = place;
    } else {
        grid_unfile(g, box);
    }
    backend->count--;
}

/*
 * True if the box still belongs to the cell and is no larger than the level reaches (so not too
 * large for it either), and has coordinates that are finite as floats. False in a clamped cell.
 */
static inline bool grid_stays(const grid *g, const grid_link *link, const bs_rect *r) {
    const grid_level *l = &g->level[link->level];
    if (!(grid_size(r) > l->least)) {
        return false;
    }
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double x = r->pos[k] * l->inverse;
        double cell = link->cell[k];
        if (!(x >= cell) || !(x < cell + 1) || !(r->size[k] <= l->reach[k])) {
            return false;
        }
    }
    return true;
}

/* A filed box may have left its cell; if it cannot be filed anew it stays for the time being. */
static void grid_move(grid *g, uint32_t box) {
    if (grid_reserve_block(g)) {
        grid_unfile(g, box);
        grid_file(g, box);
    } else {
        uint32_t place = g->place[box];
        bs_bounds bounds = bs_bounds_of(&g->base.boxes->rect[box]);
        bs_block_set(&g->block[place / BS_LANES], (int)(place % BS_LANES), bounds, box);
        g->stale = true;
    }
}

/* Asks for what an update of the box will need. */
static inline void grid_prefetch(const grid *g, uint32_t box) {
    uint32_t place = g->place[box];
    if ((place & GRID_PENDING) == 0) {
        const bs_block *block = &g->block[place / BS_LANES];
        __builtin_prefetch(&g->link[place / BS_LANES]);
        for (int k = 0; k < DIM; k++) {
            __builtin_prefetch(&block->lo[k][place % BS_LANES], 1);
            __builtin_prefetch(&block->hi[k][place % BS_LANES], 1);
        }
    }
}

static void grid_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    grid *g = grid_of(backend);
    size_t ahead = n >= 1024 ? GRID_AHEAD : n; /* not worth while if all is in the cache */
    for (size_t i = 0; i < n; i++) {
        if (i + ahead < n) {
            grid_prefetch(g, boxes[i + ahead]);
        }
        uint32_t box = boxes[i];
        uint32_t place = g->place[box];
        if ((place & GRID_PENDING) != 0) {
            continue;
        }
        const bs_rect *r = &backend->boxes->rect[box];
        if (grid_stays(g, &g->link[place / BS_LANES], r)) {
            bs_block *block = &g->block[place / BS_LANES];
#pragma GCC unroll 3
            for (int k = 0; k < DIM; k++) {
                block->lo[k][place % BS_LANES] = (float)r->pos[k] + 0.0f;
                block->hi[k][place % BS_LANES] = (float)bs_far(r, k) + 0.0f;
            }
        } else {
            grid_move(g, box);
        }
    }
}

static bool grid_list(const bs_backend *backend, bs_list *out) {
    const grid *g = (const grid *)backend;
    if (!bs_list_reserve(backend->heap, out, backend->count)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        for (int lane = 0; lane < g->link[block].count; lane++) {
            out->at[out->n++] = g->block[block].id[lane];
        }
    }
    for (size_t i = 0; i < g->pending.n; i++) {
        out->at[out->n++] = g->pending.at[i];
    }
    return true;
}

/* --- choosing the edge ---------------------------------------------------------------------- */

static void grid_sort_doubles(double *at, int n) {
    for (int i = 1; i < n; i++) {
        double x = at[i];
        int j = i;
        for (; j > 0 && at[j - 1] > x; j--) {
            at[j] = at[j - 1];
        }
        at[j] = x;
    }
}

/* What the pending boxes are like. */
typedef struct grid_sample {
    int n;
    double size[GRID_SAMPLE]; /* sorted */
    double extent[DIM];       /* how far nine tenths of the boxes are spread, scaled up to all */
} grid_sample;

static void grid_take_sample(const grid *g, grid_sample *s) {
    size_t all = g->pending.n;
    s->n = all < GRID_SAMPLE ? (int)all : GRID_SAMPLE;
    double at[DIM][GRID_SAMPLE];
    for (int i = 0; i < s->n; i++) {
        const bs_rect *r = &g->base.boxes->rect[g->pending.at[all * (size_t)i / (size_t)s->n]];
        s->size[i] = grid_size(r);
        for (int k = 0; k < DIM; k++) {
            at[k][i] = r->pos[k] * 0.5; /* a difference cannot overflow */
        }
    }
    grid_sort_doubles(s->size, s->n);
    int cut = s->n / 20;
    for (int k = 0; k < DIM; k++) {
        grid_sort_doubles(at[k], s->n);
        s->extent[k] = (at[k][s->n - 1 - cut] - at[k][cut]) * 2 / 0.9;
    }
}

static double grid_power(double edge) {
    return DIM == 2 ? edge * edge : edge * edge * edge;
}

/* Boxes in a cell with that edge, if they are spread evenly. */
static double grid_spread(const grid *g, const grid_sample *s, double edge) {
    double boxes = (double)g->base.count;
    for (int k = 0; k < DIM; k++) {
        boxes /= s->extent[k] > edge ? s->extent[k] / edge : 1;
    }
    return boxes;
}

/*
 * What it costs, per box, to find all pairs with cells of that edge: nanoseconds, about, but only
 * the proportions matter. `room` is how many boxes a cell would hold if all were in level 0.
 */
static double grid_cost(const grid_sample *s, double edge, double room) {
    double share[GRID_LEVELS] = {0}; /* by level: of all boxes */
    double mean[GRID_LEVELS] = {0};  /* size */
    double blocks[GRID_LEVELS];      /* of a cell in use */
    double edges[GRID_LEVELS];
    double cost = 0;
    int i = 0;
    for (int level = 0; level < GRID_LEVELS; level++) {
        edges[level] = edge;
        for (; i < s->n && (s->size[i] <= 0.999 * edge || level == GRID_HUGE); i++) {
            share[level] += 1;
            mean[level] += s->size[i];
        }
        if (share[level] > 0) {
            mean[level] /= share[level];
            share[level] /= s->n;
            double boxes = room * share[level];
            boxes = grid_max(boxes, 1 + boxes / 2); /* empty cells do not count */
            blocks[level] = grid_max(1, boxes / BS_LANES + 0.5);
            double reach = mean[level] / edge; /* share of the boxes that reach the next cell */
            double around = reach * (3 + reach);
            around += DIM == 3 ? reach * (2 + reach) * (2 + reach) : 0;
            double work = 20 + 5 * GRID_AROUND;                                   /* per cell */
            work += 4 * blocks[level] * blocks[level] * (1 + GRID_AROUND);        /* and block */
            work = work / boxes + 6 * blocks[level] * (0.5 + around); /* and test */
            for (int finer = 0; finer < level; finer++) {
                if (share[finer] > 0) {
                    double cells = grid_power((mean[level] + mean[finer]) / edges[finer] + 1);
                    work += cells * (12 + 6 * blocks[finer]);
                }
            }
            cost += share[level] * work;
        }
        edge *= GRID_RATIO;
        room *= grid_power(GRID_RATIO);
    }
    return cost;
}

/* Edges stay within these bounds, so that neither they nor their inverses overflow. */
static double grid_clamp_edge(double edge) {
    return grid_min(grid_max(edge, 0x1p-970), 0x1p970);
}

static void grid_set_edge(grid *g, double edge) {
    g->edge = edge;
    double least = 0;
    for (int i = 0; i < GRID_HUGE; i++) {
        g->level[i].edge = edge;
        g->level[i].inverse = 1 / edge;
        g->level[i].least = edge < 0x1p90 ? least : HUGE_VAL;
        g->level[i].most = least = edge * 0.999;
        edge *= GRID_RATIO;
    }
    g->level[GRID_HUGE].edge = DBL_MAX;
    g->level[GRID_HUGE].inverse = 0;
    g->level[GRID_HUGE].least = HUGE_VAL;
    g->level[GRID_HUGE].most = HUGE_VAL;
}

/* Boxes in a cell of level 0, as they are now. */
static double grid_roominess(const grid *g) {
    const grid_level *l = &g->level[0];
    return l->cells == 0 ? 0 : (double)l->boxes / (double)l->cells;
}

static double grid_share(const grid *g) {
    return (double)g->level[0].boxes / (double)g->base.count;
}

/*
 * The edge with the least cost: one that some share of the boxes, or all, just fit in, or larger.
 * Only multiplications, divisions, additions: the same on every machine. density: boxes per volume
 * where there are boxes; 0: unknown.
 */
static double grid_choose_edge(const grid *g, const grid_sample *s, double density) {
    double best = 0;
    double least = 0;
    double edge = 0;
    for (int i = s->n / 2, more = 0; more < 24; more++) {
        if (i < s->n) {
            edge = s->size[i] * 1.02;
            i = i < s->n - 1 ? (i + s->n / 16 + 1 < s->n ? i + s->n / 16 + 1 : s->n - 1) : s->n;
        } else {
            edge *= 1.25;
        }
        edge = grid_clamp_edge(edge);
        double room = density > 0 ? density * grid_power(edge) : grid_spread(g, s, edge);
        room = grid_min(room, (double)g->base.count);
        double cost = grid_cost(s, edge, room);
        if (getenv("DBG")) printf("   edge %g room %g cost %g\n", edge, room, cost);
        if (best == 0 || cost < least) {
            best = edge;
            least = cost;
        }
    }
    return best;
}

/* --- building ------------------------------------------------------------------------------- */

/* Takes everything out of its cell. False: no memory, nothing changed. */
static bool grid_unfile_all(grid *g) {
    size_t filed = g->base.count - g->pending.n;
    if (!bs_list_reserve(g->base.heap, &g->pending, filed)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        for (int lane = 0; lane < g->link[block].count; lane++) {
            uint32_t box = g->block[block].id[lane];
            g->place[box] = GRID_PENDING | (uint32_t)g->pending.n;
            g->pending.at[g->pending.n++] = box;
        }
    }
    g->used = 1;
    g->in_use = 0;
    g->free = GRID_NONE;
    g->cells = 0;
    g->levels = 0;
    for (int i = 0; i < GRID_LEVELS; i++) {
        g->level[i].boxes = g->level[i].cells = 0;
        grid_level_empty(&g->level[i]);
    }
    if (g->head_cap > 0) {
        grid_relink(g, g->mask + 1);
    }
    g->stale = false;
    return true;
}

static void grid_set_around(grid *g) {
    for (int i = 0; i < GRID_AROUND; i++) {
        grid_offset *o = &g->around[i];
        int digits = i + (GRID_AROUND + 1); /* in base 3: those behind the middle one */
        o->bucket = 0;
        o->ahead = 0;
        for (int k = 0; k < DIM; k++) {
            o->cell[k] = digits % 3 - 1;
            o->bucket += (uint32_t)o->cell[k] * g->stride[k];
            o->ahead |= (unsigned)(o->cell[k] > 0) << k;
            digits /= 3;
        }
    }
}

/*
 * Buckets for about n / GRID_ROOMY cells, and a way to number cells: row by row, if the cells of
 * level 0 fill a region that is not much larger than the table, so that what is near each other is
 * near each other in memory, too; else rows are scattered by the golden ratio (in 3D by its cousin:
 * Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
 */
static bool grid_lay_out(grid *g) {
    uint32_t buckets = 16;
    while (buckets < g->pending.n / 3 && buckets < 1u << 28) {
        buckets *= 2;
    }
    if (!grid_reserve_block(g) ||
        !bs_array_reserve(g->base.heap, &g->head, &g->head_cap, buckets, sizeof *g->head)) {
        return false;
    }
    g->link[GRID_NONE] = (grid_link){.level = UINT8_MAX};
    bs_block_clear(&g->block[GRID_NONE]);
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        lo[k] = GRID_SIDE;
        hi[k] = -GRID_SIDE;
    }
    for (size_t i = 0; i < g->pending.n; i++) {
        const bs_rect *r = &g->base.boxes->rect[g->pending.at[i]];
        for (int k = 0; k < DIM; k++) {
            int32_t c = grid_coordinate(r->pos[k] * g->level[0].inverse);
            lo[k] = c < lo[k] ? c : lo[k];
            hi[k] = c > hi[k] ? c : hi[k];
        }
    }
    double stride[DIM + 1] = {1};
    for (int k = 0; k < DIM; k++) {
        stride[k + 1] = stride[k] * (hi[k] - lo[k] + 2);
    }
    if (stride[DIM] > 2.0 * buckets) {
        const double scatter[3] = {DIM == 2 ? 0.6180339887 : 0.7548776662, 0.5698402910, 0.31};
        for (int k = 0; k < DIM; k++) {
            stride[k + 1] = (double)((uint32_t)(scatter[DIM == 2 && k == 1 ? 2 : k] * buckets) | 1);
        }
    }
    for (int k = 0; k <= DIM; k++) {
        g->stride[k] = (uint32_t)stride[k];
    }
    grid_set_around(g);
    grid_relink(g, buckets);
    return true;
}

/* Sorts the pending boxes by bucket (of level 0, which most of them belong to). */
static bool grid_sort_pending(grid *g) {
    bs_list sorted = {0};
    if (!bs_list_reserve(g->base.heap, &sorted, g->pending.n)) {
        return false;
    }
    uint32_t *count = g->head; /* all buckets are empty */
    memset(count, 0, ((size_t)g->mask + 1) * sizeof *count);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < g->pending.n; i++) {
            uint32_t box = g->pending.at[i];
            const bs_rect *r = &g->base.boxes->rect[box];
            int level = grid_level_of(g, r);
            int32_t cell[DIM];
            for (int k = 0; k < DIM; k++) {
                cell[k] = grid_coordinate(r->pos[k] * g->level[level].inverse);
            }
            uint32_t bucket = grid_bucket(g, level, cell);
            if (pass == 0) {
                count[bucket]++;
            } else {
                g->place[box] = GRID_PENDING | count[bucket];
                sorted.at[count[bucket]++] = box;
            }
        }
        uint32_t sum = 0;
        for (uint32_t i = 0; pass == 0 && i <= g->mask; i++) {
            uint32_t n = count[i];
            count[i] = sum;
            sum += n;
        }
    }
    memcpy(g->pending.at, sorted.at, g->pending.n * sizeof *sorted.at);
    bs_list_free(g->base.heap, &sorted);
    grid_relink(g, g->mask + 1);
    return true;
}

/* Files what is pending, the first inserted first. False: no memory; the rest stays pending. */
static bool grid_file_pending(grid *g) {
    size_t done = 0;
    while (done < g->pending.n && grid_reserve_block(g)) {
        grid_file(g, g->pending.at[done++]);
    }
    size_t left = g->pending.n - done;
    for (size_t i = 0; i < left; i++) {
        g->pending.at[i] = g->pending.at[done + i];
        g->place[g->pending.at[i]] = GRID_PENDING | (uint32_t)i;
    }
    g->pending.n = left;
    return left == 0;
}

/* Everything anew, with that edge. False: no memory; all boxes are still there, maybe pending. */
static bool grid_file_all(grid *g, double edge) {
    grid_set_edge(g, edge);
    g->rebuilds++;
    if (!grid_lay_out(g) || !grid_sort_pending(g) || !grid_file_pending(g)) {
        return false;
    }
    bs_list_free(g->base.heap, &g->pending);
    g->changes = 0;
    g->tuned_room = grid_roominess(g);
    g->tuned_share = grid_share(g);
    return true;
}

/* Boxes per volume of the cells in use of level 0, as if all were in level 0. */
static double grid_density(const grid *g) {
    return grid_share(g) < 0.25 ? 0 : grid_roominess(g) / grid_share(g) / grid_power(g->edge);
}

static bool grid_build(grid *g) {
    double density = grid_density(g);
    if (!grid_unfile_all(g)) {
        return false;
    }
    if (g->base.count == 0) {
        return true;
    }
    if (g->fixed > 0) {
        return grid_file_all(g, g->fixed);
    }
    grid_sample sample;
    grid_take_sample(g, &sample);
    bool done = grid_file_all(g, grid_choose_edge(g, &sample, density));
    for (int again = 0; done && again < 2; again++) { /* now the density is known better */
        double edge = grid_choose_edge(g, &sample, grid_density(g));
        if ((edge < 1.3 * g->edge && g->edge < 1.3 * edge) || !grid_unfile_all(g)) {
            break;
        }
        done = grid_file_all(g, edge);
    }
    return done;
}

/* True if the boxes have changed so much that another edge may be better. O(1). */
static bool grid_is_unfit(const grid *g) {
    if (g->fixed > 0 || g->changes < g->base.count / 2 + 32) {
        return false;
    }
    double room = grid_roominess(g);
    return room > 2.5 * g->tuned_room || 2.5 * room < g->tuned_room ||
           grid_share(g) < g->tuned_share - 0.25;
}

static bool grid_sync(grid *g) {
    if (g->stale || g->pending.n > g->base.count / 2 || grid_is_unfit(g)) {
        return grid_build(g);
    }
    return g->pending.n == 0 || grid_file_pending(g);
}

/* --- pairs ---------------------------------------------------------------------------------- */

typedef struct grid_range {
    int32_t lo[DIM], hi[DIM];
} grid_range;

/*
 * The cells of a level whose boxes may meet what is between lo and hi. False: none. No rounding can
 * harm: box.far > lo means that box.pos > lo - size, and all that follows is monotone.
 */
static inline bool grid_range_of(const grid_level *l, const double lo[DIM], const double hi[DIM],
                                 grid_range *out) {
    bool any = l->cells > 0;
    for (int k = 0; k < DIM; k++) {
        double from = lo[k] - l->reach[k];
        from = from > -DBL_MAX ? from : -DBL_MAX; /* infinity times 0 */
        double to = hi[k] < DBL_MAX ? hi[k] : DBL_MAX;
        int32_t first = grid_coordinate(from * l->inverse);
        int32_t last = grid_coordinate(to * l->inverse);
        out->lo[k] = first > l->lo[k] ? first : l->lo[k];
        out->hi[k] = last < l->hi[k] ? last : l->hi[k];
        any &= out->lo[k] <= out->hi[k];
    }
    return any;
}

/* A double: it may be large. */
static inline double grid_range_cells(const grid_range *r) {
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        cells *= (double)r->hi[k] - r->lo[k] + 1;
    }
    return cells;
}

/* Goes through the cells of a range, some at a time. */
typedef struct grid_walk {
    int level;
    grid_range range;
    int32_t cell[DIM]; /* the next one; beyond the range on the last axis: done */
} grid_walk;

enum { GRID_SOME = 16 };

static inline void grid_walk_begin(grid_walk *w, int level, const grid_range *range) {
    w->level = level;
    w->range = *range;
    memcpy(w->cell, range->lo, sizeof w->cell);
}

/* Finds the next cells in use: their first blocks. 0: there are no more. */
static inline int grid_walk_next(const grid *g, grid_walk *w, uint32_t found[GRID_SOME]) {
    int n = 0;
    while (n < GRID_SOME && w->cell[DIM - 1] <= w->range.hi[DIM - 1]) {
        uint32_t bucket = grid_bucket(g, w->level, w->cell);
        for (; n < GRID_SOME && w->cell[0] <= w->range.hi[0]; w->cell[0]++) {
            found[n] = grid_find(g, bucket, w->level, w->cell);
            n += found[n] != GRID_NONE;
            bucket = (bucket + 1) & g->mask;
        }
        for (int k = 0; k < DIM - 1 && w->cell[k] > w->range.hi[k]; k++) {
            w->cell[k] = w->range.lo[k];
            w->cell[k + 1]++;
        }
    }
    return n;
}

/*
 * Pairs are found in two stages, so that no loop depends on what overlaps what: tasks are noted,
 * without a branch, and worked off when there are many. A task is one box, a lane, that is to be
 * tested against the eight of a block.
 */
enum { GRID_TASKS = 512 };

typedef struct grid_join {
    const grid *lanes;  /* the grid whose lanes ... */
    const grid *blocks; /* ... are tested against the blocks of this one */
    bs_pairs *out;
    bs_pairs task;      /* (block, lane): lane is block * 8 + lane */
    bs_pair tasks[GRID_TASKS + BS_LANES];
} grid_join;

static void grid_join_begin(grid_join *j, const grid *lanes, const grid *blocks, bs_pairs *out) {
    j->lanes = lanes;
    j->blocks = blocks;
    j->out = out;
    j->task = (bs_pairs){j->tasks, 0, GRID_TASKS + BS_LANES};
}

/* The lanes of b that may overlap one of a. As bs_block_meet: here, compilers need some help. */
static inline unsigned grid_meet(const bs_block *a, unsigned lane, const bs_block *b,
                                 unsigned *unsure) {
    bs_f8 gap = bs_f8_sub(bs_f8_load(b->hi[0]), bs_f8_set(a->lo[0][lane]));
    gap = bs_f8_min(gap, bs_f8_sub(bs_f8_set(a->hi[0][lane]), bs_f8_load(b->lo[0])));
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        gap = bs_f8_min(gap, bs_f8_sub(bs_f8_load(b->hi[k]), bs_f8_set(a->lo[k][lane])));
        gap = bs_f8_min(gap, bs_f8_sub(bs_f8_set(a->hi[k][lane]), bs_f8_load(b->lo[k])));
    }
    *unsure = bs_f8_zeros(gap);
    return ~bs_f8_signs(gap) & BS_ALL_LANES;
}

static bool grid_join_run(grid_join *j) {
    size_t n = j->task.n;
    if (!bs_pairs_reserve(j->lanes->base.heap, j->out, n * BS_LANES)) {
        return false;
    }
    bs_pairs out = *j->out;
    const bs_block *lanes = j->lanes->block;
    const bs_block *blocks = j->blocks->block;
    const bs_boxes *boxes = j->lanes->base.boxes;
    for (size_t i = 0; i < n; i++) {
        bs_pair task = j->tasks[i];
        const bs_block *a = &lanes[task.b / BS_LANES];
        const bs_block *b = &blocks[task.a];
        unsigned lane = task.b % BS_LANES;
        unsigned unsure;
        unsigned mask = grid_meet(a, lane, b, &unsure);
        mask &= a == b ? -2u << lane : BS_ALL_LANES;
        if (__builtin_expect((mask & unsure) != 0, 0)) {
            mask = bs_block_settle(b, boxes, &boxes->rect[a->id[lane]], mask, unsure);
        }
        bs_append_pairs(&out, a->id[lane], b->id, mask);
    }
    *j->out = out;
    j->task.n = 0;
    return true;
}

/* Lanes of block `a` against all of block b. */
static inline bool grid_join_add(grid_join *j, uint32_t a, unsigned mask, uint32_t b) {
    if (j->task.n > GRID_TASKS - BS_LANES && !grid_join_run(j)) {
        return false;
    }
    bs_append_lanes(&j->task, b, a * BS_LANES, mask);
    return true;
}

/* One lane. */
static inline bool grid_join_add_lane(grid_join *j, uint32_t lane, uint32_t b) {
    if (j->task.n == GRID_TASKS && !grid_join_run(j)) {
        return false;
    }
    j->tasks[j->task.n++] = (bs_pair){b, lane};
    return true;
}

/* Of the lanes in `mask`, those that reach what is at x or beyond on axis k. */
static inline unsigned grid_reaching(const bs_block *b, int k, float x) {
    return bs_f8_le(bs_f8_set(x), bs_f8_load(b->hi[k]));
}

/* Within a cell and with half of the cells around. */
static bool grid_join_cell(grid_join *j, uint32_t first) {
    const grid *g = j->lanes;
    const grid_link *link = &g->link[first];
    uint32_t bucket = grid_bucket(g, link->level, link->cell);
    uint32_t near[GRID_AROUND];
    float border[DIM]; /* of the next cell, or a little below */
    for (int i = 0; i < GRID_AROUND; i++) {
        int32_t cell[DIM];
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            cell[k] = link->cell[k] + g->around[i].cell[k];
        }
        near[i] = grid_find(g, (bucket + g->around[i].bucket) & g->mask, link->level, cell);
    }
    for (int k = 0; k < DIM; k++) {
        border[k] = bs_round((link->cell[k] + (1 - 0x1p-16)) * g->level[link->level].edge);
    }
    for (uint32_t a = first; a != GRID_NONE; a = g->link[a].next) {
        unsigned reach[1 << DIM]; /* by set of axes: lanes that reach the next cells on all these */
        reach[0] = BS_ALL_LANES >> (BS_LANES - g->link[a].count);
        for (unsigned k = 0; k < DIM; k++) {
            unsigned lanes = grid_reaching(&g->block[a], (int)k, border[k]);
            for (unsigned i = 0; i < 1u << k; i++) {
                reach[i | 1u << k] = reach[i] & lanes;
            }
        }
        if (!grid_join_add(j, a, reach[0] >> 1, a)) {
            return false;
        }
        for (uint32_t b = g->link[a].next; b != GRID_NONE; b = g->link[b].next) {
            if (!grid_join_add(j, a, reach[0], b)) {
                return false;
            }
        }
        for (int i = 0; i < GRID_AROUND; i++) {
            for (uint32_t b = near[i]; b != GRID_NONE; b = g->link[b].next) {
                if (!grid_join_add(j, a, reach[g->around[i].ahead], b)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* A lane against the boxes of one level that are near it. */
static bool grid_join_box(grid_join *j, int level, const bs_rect *r, uint32_t lane) {
    const grid *g = j->blocks;
    double far[DIM];
    for (int k = 0; k < DIM; k++) {
        far[k] = bs_far(r, k);
    }
    grid_range range;
    if (!grid_range_of(&g->level[level], r->pos, far, &range)) {
        return true;
    }
    if (grid_range_cells(&range) > g->used) {
        for (uint32_t block = 1; block < g->used; block++) {
            bool meant = g->link[block].count > 0 && g->link[block].level == level;
            if (meant && !grid_join_add_lane(j, lane, block)) {
                return false;
            }
        }
        return true;
    }
    grid_walk w;
    grid_walk_begin(&w, level, &range);
    uint32_t found[GRID_SOME];
    for (int n; (n = grid_walk_next(g, &w, found)) > 0;) {
        for (int i = 0; i < n; i++) {
            uint32_t block = found[i];
            do {
                if (!grid_join_add_lane(j, lane, block)) {
                    return false;
                }
            } while ((block = g->link[block].next) != GRID_NONE);
        }
    }
    return true;
}

/* All lanes of a block against some levels. */
static bool grid_join_levels(grid_join *j, uint32_t block, unsigned levels) {
    const grid *g = j->lanes;
    for (; levels != 0; levels &= levels - 1) {
        for (uint32_t lane = 0; lane < g->link[block].count; lane++) {
            const bs_rect *r = &g->base.boxes->rect[g->block[block].id[lane]];
            if (!grid_join_box(j, bs_first_lane(levels), r, block * BS_LANES + lane)) {
                return false;
            }
        }
    }
    return true;
}

/* About how many cells are looked at if all boxes of level i look for those of level j. */
static double grid_join_cost(const grid *of, int i, const grid *with, int j) {
    const grid_level *a = &of->level[i];
    const grid_level *b = &with->level[j];
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        double most = (double)b->hi[k] - b->lo[k] + 1;
        cells *= grid_min((a->reach[k] + b->reach[k]) * b->inverse + 1, most);
    }
    double blocks = (double)b->boxes / (double)b->cells / BS_LANES + 0.5; /* of a cell, about */
    return (double)a->boxes * grid_min(cells, with->used) * (1 + 2 * blocks);
}

/*
 * Which levels of `with` the boxes of level i of `of` are to look for, so that each two levels meet
 * once: the side that has less to do looks for the other. `mine` settles ties.
 */
static unsigned grid_join_targets(const grid *of, int i, const grid *with, bool mine) {
    unsigned targets = 0;
    for (unsigned left = with->levels; left != 0; left &= left - 1) {
        int j = bs_first_lane(left);
        double there = grid_join_cost(of, i, with, j);
        double back = grid_join_cost(with, j, of, i);
        bool first = of == with ? i > j : mine;
        if ((of != with || i != j) && (there < back || (there == back && first))) {
            targets |= 1u << j;
        }
    }
    return targets;
}

/* The boxes of one grid against those of the levels of another that they are to look for. */
static bool grid_join_grids(const grid *of, const grid *with, bool mine, bs_pairs *out) {
    grid_join j;
    grid_join_begin(&j, of, with, out);
    unsigned targets[GRID_LEVELS];
    for (int i = 0; i < GRID_LEVELS; i++) {
        targets[i] = grid_join_targets(of, i, with, mine);
    }
    for (uint32_t block = 1; block < of->used; block++) {
        const grid_link *link = &of->link[block];
        if (of == with && link->first && !grid_join_cell(&j, block)) {
            return false;
        }
        if (link->count > 0 && !grid_join_levels(&j, block, targets[link->level])) {
            return false;
        }
    }
    return grid_join_run(&j);
}

static bool grid_pairs(bs_backend *backend, bs_pairs *out) {
    grid *g = grid_of(backend);
    return grid_sync(g) && grid_join_grids(g, g, true, out);
}

static bool grid_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    grid *a = grid_of(backend);
    grid *b = grid_of(other);
    return grid_sync(a) && grid_sync(b) && grid_join_grids(a, b, true, out) &&
           grid_join_grids(b, a, false, out);
}

/* --- queries -------------------------------------------------------------------------------- */

typedef struct grid_query {
    const bs_rect *r;
    bs_bounds bounds;
    bs_list *out;
} grid_query;

static inline bool grid_query_block(const grid *g, uint32_t block, const grid_query *q) {
    if (q->out->n + 2 * BS_LANES > q->out->cap &&
        !bs_list_reserve(g->base.heap, q->out, BS_LANES)) {
        return false;
    }
    const bs_block *b = &g->block[block];
    bs_append(q->out, b->id, bs_block_overlap(b, g->base.boxes, q->r, &q->bounds));
    return true;
}

static bool grid_query_level(const grid *g, int level, const grid_range *range,
                             const grid_query *q) {
    grid_walk w;
    grid_walk_begin(&w, level, range);
    uint32_t found[GRID_SOME];
    for (int n; (n = grid_walk_next(g, &w, found)) > 0;) {
        for (int i = 0; i < n; i++) {
            uint32_t block = found[i];
            do {
                if (!grid_query_block(g, block, q)) {
                    return false;
                }
            } while ((block = g->link[block].next) != GRID_NONE);
        }
    }
    return true;
}

/* All blocks of the levels in a mask. */
static bool grid_query_all(const grid *g, unsigned levels, const grid_query *q) {
    for (uint32_t block = 1; levels != 0 && block < g->used; block++) {
        if (g->link[block].count > 0 && (levels >> g->link[block].level & 1) != 0 &&
            !grid_query_block(g, block, q)) {
            return false;
        }
    }
    return true;
}

static bool grid_query_rect(bs_backend *backend, const bs_rect *r, bs_list *out) {
    grid *g = grid_of(backend);
    if (!grid_sync(g)) {
        return false;
    }
    grid_query q = {r, bs_bounds_of(r), out};
    double far[DIM];
    for (int k = 0; k < DIM; k++) {
        far[k] = bs_far(r, k);
    }
    unsigned wide = 0;
    for (unsigned levels = g->levels; levels != 0; levels &= levels - 1) {
        int level = bs_first_lane(levels);
        grid_range range;
        if (!grid_range_of(&g->level[level], r->pos, far, &range)) {
            continue;
        }
        if (grid_range_cells(&range) > g->used) {
            wide |= 1u << level;
        } else if (!grid_query_level(g, level, &range, &q)) {
            return false;
        }
    }
    return grid_query_all(g, wide, &q);
}

/* --- casts ---------------------------------------------------------------------------------- */

static void grid_visit(const grid *g, bs_cast *c, const uint32_t *found, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t block = found[i];
        do {
            bs_cast_visit_block(c, &g->block[block]);
        } while ((block = g->link[block].next) != GRID_NONE);
    }
}

enum {
    GRID_FEW_CELLS = 12, /* no more cells than that: visited as they come, it costs less */
    GRID_AT_ONCE = 2     /* along a path: blocks found before they are visited */
};

/* Few cells: all of them. */
static void grid_cast_range(const grid *g, int level, const grid_range *range, bs_cast *c) {
    grid_walk w;
    grid_walk_begin(&w, level, range);
    uint32_t found[GRID_SOME];
    for (int n; (n = grid_walk_next(g, &w, found)) > 0;) {
        grid_visit(g, c, found, n);
    }
}

/*
 * A motion in cells of one level, its axes turned so that the greatest step comes first: [i] is
 * about axis[i]. What is filed in a cell may be met at time t if, on every axis,
 * lo + step * t <= cell + 1 and hi + step * t >= cell; `pad` is more than all that rounding does.
 *
 * Branches that depend on the direction are avoided, as they cannot be predicted.
 */
typedef struct grid_path {
    const grid *g;
    int level;
    int axis[DIM];
    double lo[DIM]; /* the start, grown on the low side by what boxes may reach out of their cells */
    double hi[DIM];
    double step[DIM]; /* the motion */
    double pad[DIM];
    double pace;      /* 1 / step[0]; 0: (almost) no motion */
    int32_t first[DIM], last[DIM]; /* the cells around the whole path */
} grid_path;

/* Numbers that are too large for it end up with a pad that covers all cells, or one that is NaN. */
static inline void grid_path_begin(grid_path *p, const grid *g, int level, const grid_range *range,
                                   const bs_cast *c) {
    const grid_level *l = &g->level[level];
    int major = 0;
    for (int k = 1; k < DIM; k++) {
        major = fabs(c->motion[k]) > fabs(c->motion[major]) ? k : major;
    }
    p->g = g;
    p->level = level;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        int k = (major + i) % DIM;
        p->axis[i] = k;
        p->first[i] = range->lo[k];
        p->last[i] = range->hi[k];
        p->lo[i] = grid_max(c->from.pos[k] - l->reach[k], -DBL_MAX) * l->inverse;
        p->hi[i] = bs_far(&c->from, k) * l->inverse;
        p->step[i] = c->motion[k] * l->inverse;
        p->pad[i] = 0x1p-16 + (fabs(p->lo[i]) + fabs(p->hi[i]) + fabs(p->step[i])) * 0x1p-46;
    }
    p->pace = fabs(p->step[0]) > 0x1p-30 ? 1 / p->step[0] : 0;
}

/* True if the path touches so few cells that it is worth while to go along it. */
static bool grid_path_is_short(const grid_path *p) {
    double cells = (double)p->last[0] - p->first[0] + 1;
    double share = (1 + p->hi[0] - p->lo[0] + 2 * p->pad[0]) * fabs(p->pace);
    share = share < 1 && p->pace != 0 ? share : 1; /* of the motion, within one slab */
    for (int i = 1; i < DIM; i++) {
        double most = (double)p->last[i] - p->first[i] + 1;
        double some = p->hi[i] - p->lo[i] + fabs(p->step[i]) * share + 2 * p->pad[i] + 2;
        cells *= grid_min(some, most);
    }
    return cells <= p->g->used; /* false where it is NaN */
}

/* The cell that x is in, but not outside of first .. last. */
static inline int32_t grid_cell_within(double x, int32_t first, int32_t last) {
    x = grid_max(grid_min(x, last), first);
    int32_t towards_zero = (int32_t)x;
    return towards_zero - (x < towards_zero);
}

/*
 * Finds the cells of a slab that may be touched between two times, behind the n that were found
 * already; visits them when they have become many. Returns how many are left.
 */
static inline int grid_visit_slab(const grid_path *p, int32_t slab, double enter, double leave,
                                  bs_cast *c, uint32_t found[GRID_SOME], int n) {
    const grid *g = p->g;
    int32_t first[DIM] = {slab};
    int32_t last[DIM] = {slab};
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) {
        double a = p->step[i] * enter;
        double b = p->step[i] * leave;
        double lo = p->lo[i] + grid_min(a, b) - p->pad[i];
        double hi = p->hi[i] + grid_max(a, b) + p->pad[i];
        first[i] = grid_cell_within(lo, p->first[i], p->last[i]);
        last[i] = grid_cell_within(hi, p->first[i], p->last[i]);
    }
    int32_t cell[DIM];
    cell[p->axis[0]] = slab;
    int third = DIM - 1; /* in 2D there is none: then it is the first, and of one cell */
    third = third > 1 ? third : 0;
    for (int32_t z = first[third]; z <= last[third]; z++) {
        cell[p->axis[third]] = z;
        cell[p->axis[1]] = first[1];
        uint32_t bucket = grid_bucket(g, p->level, cell);
        for (int32_t y = first[1]; y <= last[1]; y++) {
            cell[p->axis[1]] = y;
            found[n] = grid_find(g, bucket, p->level, cell);
            n += found[n] != GRID_NONE;
            bucket = (bucket + g->stride[p->axis[1]]) & g->mask;
            if (n == GRID_SOME) {
                grid_visit(g, c, found, n);
                n = 0;
            }
        }
    }
    return n;
}

/* Slab by slab in the direction of the motion: after Amanatides and Woo, 1987, for a thick ray. */
static void grid_cast_path(const grid_path *p, bs_cast *c) {
    int32_t ahead = p->pace < 0 ? -1 : 1;
    int32_t slab = p->pace < 0 ? p->last[0] : p->first[0];
    uint32_t found[GRID_SOME];
    int n = 0;
    for (int32_t left = p->last[0] - p->first[0]; left >= 0; left--, slab += ahead) {
        /* Clamped cells have no end. */
        double least = slab > -GRID_SIDE ? slab - p->pad[0] : -0x1p1000;
        double most = slab < GRID_SIDE ? slab + 1 + p->pad[0] : 0x1p1000;
        double a = (least - p->hi[0]) * p->pace;
        double b = (most - p->lo[0]) * p->pace;
        double limit = (double)c->limit;
        double enter = grid_max(grid_min(a, b), 0);
        if (enter > limit) {
            break;
        }
        n = grid_visit_slab(p, slab, enter, grid_min(grid_max(a, b), limit), c, found, n);
        if (n >= GRID_AT_ONCE) {
            grid_visit(p->g, c, found, n);
            n = 0;
        }
    }
    grid_visit(p->g, c, found, n);
}

static void grid_cast_all(const grid *g, unsigned levels, bs_cast *c) {
    for (uint32_t block = 1; levels != 0 && block < g->used; block++) {
        if (g->link[block].count > 0 && (levels >> g->link[block].level & 1) != 0) {
            bs_cast_visit_block(c, &g->block[block]);
        }
    }
}

static bool grid_cast(bs_backend *backend, bs_cast *c) {
    grid *g = grid_of(backend);
    if (!grid_sync(g)) {
        return false;
    }
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) { /* a little wider: bs_sweep rounds */
        lo[k] = c->path.pos[k];
        hi[k] = bs_far(&c->path, k);
        double slack = (fabs(lo[k]) + fabs(hi[k])) * 0x1p-48;
        lo[k] -= slack;
        hi[k] += slack;
    }
    unsigned wide = 0;
    for (unsigned levels = g->levels; levels != 0; levels &= levels - 1) {
        int level = bs_first_lane(levels);
        grid_range range;
        grid_path path;
        if (!grid_range_of(&g->level[level], lo, hi, &range)) {
            continue;
        }
        if (grid_range_cells(&range) <= GRID_FEW_CELLS) {
            grid_cast_range(g, level, &range, c);
            continue;
        }
        grid_path_begin(&path, g, level, &range, c);
        if (grid_path_is_short(&path)) {
            grid_cast_path(&path, c);
        } else {
            wide |= 1u << level;
        }
    }
    grid_cast_all(g, wide, c);
    return true;
}

/* --- figures and pictures ------------------------------------------------------------------- */

static void grid_stats(const bs_backend *backend, bs_stats *out) {
    const grid *g = (const grid *)backend;
    out->boxes = backend->count;
    out->nodes = g->in_use;
    out->cells = g->cells;
    out->cell_size = g->edge;
    out->rebuilds = g->rebuilds;
    for (int i = 0; i < GRID_LEVELS; i++) {
        out->levels += g->level[i].cells > 0;
    }
}

static bool grid_shapes(bs_backend *backend, bs_shapes *out) {
    grid *g = grid_of(backend);
    if (!grid_sync(g)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        const grid_link *link = &g->link[block];
        if (!link->first || link->level == GRID_HUGE) {
            continue;
        }
        bs_rect cell;
        double edge = g->edge;
        for (int i = 0; i < link->level; i++) {
            edge *= GRID_RATIO;
        }
        for (int k = 0; k < DIM; k++) {
            cell.pos[k] = link->cell[k] * edge;
            cell.size[k] = edge;
        }
        if (!bs_shapes_add(backend->heap, out, BS_SHAPE_CELL, &cell)) {
            return false;
        }
    }
    return true;
}

/* --- checking ------------------------------------------------------------------------------- */

/* A box in a lane of a block. */
static const char *grid_check_box(const grid *g, uint32_t block, int lane) {
    const grid_link *link = &g->link[block];
    const grid_level *l = &g->level[link->level];
    uint32_t box = g->block[block].id[lane];
    const bs_rect *r = &g->base.boxes->rect[box];
    if (g->place[box] != block * BS_LANES + (uint32_t)lane) {
        return "grid: a box is not where its place says";
    }
    bs_bounds have = bs_block_get(&g->block[block], lane);
    bs_bounds want = bs_bounds_of(r);
    if (memcmp(&have, &want, sizeof have) != 0) {
        return "grid: a lane has other bounds than its box";
    }
    if (g->stale) {
        return NULL;
    }
    bool right = link->level == grid_level_of(g, r);
    for (int k = 0; k < DIM; k++) {
        right &= link->cell[k] == grid_coordinate(r->pos[k] * l->inverse);
        right &= r->size[k] <= l->reach[k];
    }
    return right ? NULL : "grid: a box is in a wrong cell";
}

static const char *grid_check_block(const grid *g, uint32_t block) {
    const grid_link *link = &g->link[block];
    const bs_bounds empty = bs_bounds_empty();
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_bounds have = bs_block_get(&g->block[block], lane);
        if (lane < link->count) {
            const char *broken = grid_check_box(g, block, lane);
            if (broken != NULL) {
                return broken;
            }
        } else if (memcmp(&have, &empty, sizeof have) != 0) {
            return "grid: an unused lane is not empty";
        }
    }
    if (link->count > BS_LANES || (!link->first && link->count % BS_LANES != 0)) {
        return "grid: a block is not filled as it should be";
    }
    return NULL;
}

/* A cell, given its first block; adds up its blocks and boxes. */
static const char *grid_check_cell(const grid *g, uint32_t first, size_t *blocks, size_t *boxes) {
    const grid_link *link = &g->link[first];
    if (link->count == 0 || link->level >= GRID_LEVELS || (g->levels >> link->level & 1) == 0) {
        return "grid: a cell in use is empty or of no level";
    }
    const grid_level *l = &g->level[link->level];
    for (int k = 0; k < DIM; k++) {
        if (link->cell[k] < l->lo[k] || link->cell[k] > l->hi[k]) {
            return "grid: a cell is outside of its level's range";
        }
    }
    if (grid_find(g, grid_bucket(g, link->level, link->cell), link->level, link->cell) != first) {
        return "grid: a cell is not found";
    }
    for (uint32_t block = first; block != GRID_NONE; block = g->link[block].next) {
        const grid_link *own = &g->link[block];
        if (!grid_is_cell(own, link->level, link->cell) || own->first != (block == first)) {
            return "grid: a block is in another cell's list";
        }
        if (++*blocks > g->in_use) {
            return "grid: a cell's blocks form a circle";
        }
        *boxes += own->count;
    }
    return NULL;
}

static const char *grid_check_counts(const grid *g, const size_t cells[GRID_LEVELS],
                                     const size_t boxes[GRID_LEVELS], size_t blocks) {
    size_t all_cells = 0;
    size_t all_boxes = g->pending.n;
    for (int i = 0; i < GRID_LEVELS; i++) {
        if (cells[i] != g->level[i].cells || boxes[i] != g->level[i].boxes ||
            (cells[i] > 0) != (g->levels >> i & 1)) {
            return "grid: a level's count is wrong";
        }
        all_cells += cells[i];
        all_boxes += boxes[i];
    }
    size_t unused = 0;
    for (uint32_t block = g->free; block != GRID_NONE; block = g->link[block].next) {
        if (g->link[block].count > 0 || ++unused > g->used) {
            return "grid: the list of free blocks is broken";
        }
    }
    bool right = all_cells == g->cells && all_boxes == g->base.count && blocks == g->in_use &&
                 blocks + unused + 1 == g->used;
    return right ? NULL : "grid: a count is wrong";
}

static const char *grid_check(const bs_backend *backend) {
    const grid *g = (const grid *)backend;
    size_t cells[GRID_LEVELS] = {0};
    size_t boxes[GRID_LEVELS] = {0};
    size_t blocks = 0;
    for (uint32_t block = 1; block < g->used; block++) {
        const char *broken = grid_check_block(g, block);
        if (broken == NULL && g->link[block].first) {
            int level = g->link[block].level;
            cells[level]++;
            broken = grid_check_cell(g, block, &blocks, &boxes[level]);
        }
        if (broken != NULL) {
            return broken;
        }
    }
    for (size_t i = 0; i < g->pending.n; i++) {
        if (g->place[g->pending.at[i]] != (GRID_PENDING | (uint32_t)i)) {
            return "grid: a pending box does not know its place";
        }
    }
    if (g->cells > 0 && (g->link[GRID_NONE].first || g->link[GRID_NONE].count > 0 ||
                         g->link[GRID_NONE].next != GRID_NONE ||
                         g->link[GRID_NONE].next_cell != GRID_NONE)) {
        return "grid: block 0 is in use";
    }
    return grid_check_counts(g, cells, boxes, blocks);
}

static void grid_destroy(bs_backend *backend) {
    grid *g = grid_of(backend);
    bs_heap *heap = backend->heap;
    bs_array_free(heap, &g->block, &g->block_cap, sizeof *g->block);
    bs_array_free(heap, &g->link, &g->link_cap, sizeof *g->link);
    bs_array_free(heap, &g->head, &g->head_cap, sizeof *g->head);
    bs_array_free(heap, &g->place, &g->place_cap, sizeof *g->place);
    bs_list_free(heap, &g->pending);
    bs_heap_free(heap, g, sizeof *g);
}

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

const bs_backend_type BS_VARIANT(bs_grid_type) = {
    .name = "grid",
    .create = grid_create,
    .destroy = grid_destroy,
    .insert = grid_insert,
    .remove = grid_remove,
    .update = grid_update,
    .pairs = grid_pairs,
    .cross = grid_cross,
    .list = grid_list,
    .query = grid_query_rect,
    .cast = grid_cast,
    .stats = grid_stats,
    .shapes = grid_shapes,
    .check = grid_check,
};

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    grid *g = bs_heap_new(heap, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->base = (bs_backend){&BS_VARIANT(bs_grid_type), heap, boxes, 0};
    g->used = 1;
    for (int i = 0; i < GRID_LEVELS; i++) {
        grid_level_empty(&g->level[i]);
    }
    if (settings->cell_size > 0) {
        g->fixed = grid_clamp_edge(settings->cell_size);
        grid_set_edge(g, g->fixed);
    }
    return &g->base;
}
