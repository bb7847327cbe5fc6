/*
 * grid_cast.c: what a moving box may meet.
 *
 * Cells are visited slab by slab across the axis of the greatest motion, in its direction, so that
 * the walk ends soon after the first hit: Amanatides and Woo, "A fast voxel traversal algorithm for
 * ray tracing", 1987, for a thick ray. Boxes are filed by their least corners and reach out of
 * their cells, so the path is grown on the low side by the largest box of the level.
 *
 * Floating-point errors are padded away: positions in cells carry a pad that is larger than what
 * all the rounding here can do. Where numbers are so large that the pad covers the whole level, or
 * is not a number, all blocks of the level are visited instead, as they are when the path touches
 * more cells than there are blocks. So every cast ends.
 */
#include "grid_parts.h"

enum { GRID_FEW_CELLS = 12 }; /* no more cells than that are visited as they come */

/* The boxes of a cell, given its first block. BS_GRID_NONE is empty, too: it needs no branch. */
BS_HOT void grid_visit_cell(const bs_grid *g, bs_cast *c, uint32_t block) {
    assert(block < g->used);
    do {
        bs_cast_visit_block(c, &g->block[block]);
    } while ((block = g->link[block].next) != BS_GRID_NONE);
}

static void grid_visit_range(const bs_grid *g, int level, const bs_grid_range *range, bs_cast *c) {
    bs_grid_walk w;
    bs_grid_walk_begin(&w, level, range);
    uint32_t found[BS_GRID_SOME];
    for (int n; (n = bs_grid_walk_next(g, &w, found)) > 0;) {
        for (int i = 0; i < n; i++) {
            grid_visit_cell(g, c, found[i]);
        }
    }
}

/* All blocks of a set of levels. */
static void grid_visit_levels(const bs_grid *g, unsigned levels, bs_cast *c) {
    for (uint32_t block = 1; levels != 0 && block < g->used; block++) {
        if (g->link[block].count > 0 && (levels >> g->link[block].level & 1) != 0) {
            bs_cast_visit_block(c, &g->block[block]);
        }
    }
}

/*
 * A motion in cells of one level, its axes turned so that the greatest step comes first: [i] is
 * about axis[i]. What is filed in a cell may be met at time t if, on every axis,
 * lo + step * t <= cell + 1 and hi + step * t >= cell, give or take `pad`.
 */
typedef struct grid_path {
    const bs_grid *g;
    int level;
    int axis[DIM];
    int32_t first[DIM], last[DIM]; /* the cells around the whole path */
    double lo[DIM];                /* the start, with what boxes reach out of their cells */
    double hi[DIM];
    double step[DIM];
    double pad[DIM];
    double pace; /* 1 / step[0]; 0: (almost) no motion */
} grid_path;

static inline void grid_path_begin(grid_path *p, const bs_grid *g, int level,
                                   const bs_grid_range *range, const bs_cast *c) {
    assert(level >= 0 && level < BS_GRID_LEVELS && bs_grid_range_cells(range) >= 1);
    const bs_grid_level *l = &g->level[level];
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
        p->lo[i] = bs_max(c->from->pos[k] - l->reach[k], -DBL_MAX) * l->inverse;
        p->hi[i] = bs_far(c->from, k) * l->inverse;
        p->step[i] = c->motion[k] * l->inverse;
        p->pad[i] = 0x1p-16 + (fabs(p->lo[i]) + fabs(p->hi[i]) + fabs(p->step[i])) * 0x1p-46;
        assert(p->lo[i] <= p->hi[i] && p->pad[i] > 0);
    }
    p->pace = fabs(p->step[0]) > 0x1p-30 ? 1 / p->step[0] : 0;
    assert(fabs(p->pace) <= 0x1p30);
}

/* True if the path is finite in cells, whose numbers may be larger than those of places. */
static bool grid_path_is_finite(const grid_path *p) {
    double sum = 0;
    for (int i = 0; i < DIM; i++) {
        sum += p->pad[i];
    }
    return sum < HUGE_VAL;
}

/* True if the path touches no more cells than there are blocks; false if numbers are too large. */
static bool grid_path_is_short(const grid_path *p) {
    double cells = (double)p->last[0] - p->first[0] + 1;
    double share = (1 + p->hi[0] - p->lo[0] + 2 * p->pad[0]) * fabs(p->pace);
    bool endless = p->first[0] == -BS_GRID_SIDE || p->last[0] == BS_GRID_SIDE; /* clamped cells */
    share = share < 1 && p->pace != 0 && !endless ? share : 1; /* of the motion, in one slab */
    for (int i = 1; i < DIM; i++) {
        double all = (double)p->last[i] - p->first[i] + 1;
        double some = p->hi[i] - p->lo[i] + fabs(p->step[i]) * share + 2 * p->pad[i] + 2;
        cells *= some < all || isnan(some) ? some : all;
    }
    return cells <= p->g->used;
}

/* The cell that x is in, or the nearest from first to last. */
static inline int32_t grid_cell_within(double x, int32_t first, int32_t last) {
    assert(first <= last);
    x = bs_max(bs_min(x, last), first);
    assert(x >= first && x <= last);
    int32_t towards_zero = (int32_t)x;
    return towards_zero - (x < towards_zero);
}

/* Visits the cells of a slab that may be touched between two times. */
static inline void grid_visit_slab(const grid_path *p, int32_t slab, double enter, double leave,
                                   bs_cast *c) {
    const bs_grid *g = p->g;
    assert(slab >= p->first[0] && slab <= p->last[0]);
    int32_t first[DIM] = {slab};
    int32_t last[DIM] = {slab};
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) { /* branch-free: directions cannot be predicted */
        double a = p->step[i] * enter;
        double b = p->step[i] * leave;
        double lo = p->lo[i] + bs_min(a, b) - p->pad[i];
        double hi = p->hi[i] + bs_max(a, b) + p->pad[i];
        first[i] = grid_cell_within(lo, p->first[i], p->last[i]);
        last[i] = grid_cell_within(hi, p->first[i], p->last[i]);
        assert(first[i] <= last[i]);
    }
    const int third = DIM == 3 ? 2 : 0; /* in 2D: the slab again, which is one cell wide */
    int32_t cell[DIM];
    cell[p->axis[0]] = slab;
    for (int32_t z = first[third]; z <= last[third]; z++) {
        cell[p->axis[third]] = z;
        cell[p->axis[1]] = first[1];
        uint32_t bucket = bs_grid_bucket(g, p->level, cell);
        for (int32_t y = first[1]; y <= last[1]; y++) {
            cell[p->axis[1]] = y;
            grid_visit_cell(g, c, bs_grid_find(g, bucket, p->level, cell));
            bucket = (bucket + g->stride[p->axis[1]]) & g->mask;
        }
    }
}

static void grid_visit_path(const grid_path *p, bs_cast *c) {
    int32_t ahead = p->pace < 0 ? -1 : 1;
    int32_t slab = p->pace < 0 ? p->last[0] : p->first[0];
    for (int32_t left = p->last[0] - p->first[0]; left >= 0; left--, slab += ahead) {
        /* Clamped cells have no end. */
        double least = slab > -BS_GRID_SIDE ? slab - p->pad[0] : -0x1p1000;
        double most = slab < BS_GRID_SIDE ? slab + 1 + p->pad[0] : 0x1p1000;
        double a = (least - p->hi[0]) * p->pace;
        double b = (most - p->lo[0]) * p->pace;
        assert(least < most && !isnan(a) && !isnan(b));
        double enter = bs_max(bs_min(a, b), 0);
        double leave = bs_min(bs_max(a, b), (double)c->limit);
        if (enter > (double)c->limit) {
            break;
        }
        grid_visit_slab(p, slab, enter, leave, c);
    }
}

/* False: all blocks of the level are to be visited. */
static bool grid_visit_level(const bs_grid *g, int level, const double lo[DIM],
                             const double hi[DIM], bs_cast *c) {
    bs_grid_range range;
    if (!bs_grid_range_of(&g->level[level], lo, hi, &range)) {
        return true;
    }
    if (bs_grid_range_cells(&range) <= GRID_FEW_CELLS) {
        grid_visit_range(g, level, &range, c);
        return true;
    }
    grid_path path;
    grid_path_begin(&path, g, level, &range, c);
    bool few_cells = bs_grid_range_cells(&range) <= g->used || grid_path_is_short(&path);
    if (!few_cells || !grid_path_is_finite(&path)) {
        return false;
    }
    grid_visit_path(&path, c);
    return true;
}

static void grid_visit_cast(const bs_grid *g, bs_cast *c) {
    assert(bs_grid_is_synced(g));
    double lo[DIM]; /* around the path, a little wider: what decides hits rounds as well */
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        double from = c->path_lo[k];
        double to = c->path_hi[k];
        double slack = (fabs(from) + fabs(to)) * 0x1p-48;
        lo[k] = from - slack;
        hi[k] = to + slack;
    }
    unsigned rest = 0;
    for (unsigned levels = g->levels; levels != 0; levels &= levels - 1) {
        int level = bs_first_lane(levels);
        rest |= (unsigned)!grid_visit_level(g, level, lo, hi, c) << level;
    }
    grid_visit_levels(g, rest, c);
}

bool bs_grid_cast(bs_backend *backend, bs_cast *cast) {
    bs_grid *g = bs_grid_of(backend);
    if (!bs_grid_sync(g)) {
        return false;
    }
    bs_cast_prepare(cast);
    grid_visit_cast(g, cast);
    return true;
}
