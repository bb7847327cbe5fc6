/*
 * grid_build.c: making the grid anew, and choosing its edge.
 *
 * The edge is the one for which a model of what finding all pairs costs gives the least. The model
 * knows the sizes of the boxes, from a sample, and how many are in a cell, at first from how far
 * they are spread, later from the cells. It needs no more than additions, multiplications and
 * divisions, so that the same edge is chosen on every machine.
 */
#include "cells.h"
#include "grid_parts.h"

enum {
    GRID_SAMPLE = 128, /* boxes looked at */
    GRID_QUANTILES = 8 /* edges tried that just suit some share of them */
};
static_assert(GRID_QUANTILES < GRID_SAMPLE, "a quantile of the sample has a box of its own");

/* What the boxes are like. */
typedef struct grid_sample {
    int n;
    double size[GRID_SAMPLE]; /* sorted */
    double extent[DIM];       /* how far nine tenths of the boxes are spread, scaled up to all */
    double room;              /* boxes in a cell with that edge, if all were in level 0; ... */
    double room_edge;         /* ... 0: not known */
} grid_sample;

static void grid_sort_doubles(double *at, int n) {
    assert(n > 0 && n <= GRID_SAMPLE);
    for (int i = 1; i < n; i++) {
        double x = at[i];
        int j = i;
        for (; j > 0 && at[j - 1] > x; j--) {
            at[j] = at[j - 1];
        }
        at[j] = x;
        assert(j == 0 || at[j - 1] <= at[j]);
    }
}

/* Of the pending boxes, of which there must be some. */
static void grid_take_sample(const bs_grid *g, grid_sample *s) {
    size_t all = g->pending.n;
    assert(all > 0);
    s->n = all < GRID_SAMPLE ? (int)all : GRID_SAMPLE;
    double at[DIM][GRID_SAMPLE];
    for (int i = 0; i < s->n; i++) {
        uint64_t position = (uint64_t)all * (unsigned)i / (unsigned)s->n;
        uint32_t box = g->pending.at[position];
        const bs_rect *r = &g->base.boxes->rect[box];
        s->size[i] = bs_grid_size(r);
        for (int k = 0; k < DIM; k++) {
            at[k][i] = r->pos[k] * 0.5; /* differences cannot overflow */
        }
    }
    grid_sort_doubles(s->size, s->n);
    int cut = s->n / 20;
    for (int k = 0; k < DIM; k++) {
        grid_sort_doubles(at[k], s->n);
        s->extent[k] = (at[k][s->n - 1 - cut] - at[k][cut]) * 2 / 0.9;
        assert(s->extent[k] >= 0);
    }
}

/* Boxes in a cell of level 0, and the share of all boxes that are in that level. */
static double grid_room(const bs_grid *g) {
    const bs_grid_level *l = &g->level[0];
    return l->cells == 0 ? 0 : (double)l->boxes / (double)l->cells;
}

static double grid_share(const bs_grid *g) {
    return g->base.count == 0 ? 0 : (double)g->level[0].boxes / (double)g->base.count;
}

/* Notes how many boxes are in a cell now. */
static void grid_measure(const bs_grid *g, grid_sample *s) {
    double share = grid_share(g);
    assert(share >= 0 && share <= 1);
    s->room = share < 0.25 ? 0 : grid_room(g) / share;
    s->room_edge = g->level[0].edge;
}

/* --- the model ------------------------------------------------------------------------------ */

static double grid_power(double x) {
    return DIM == 2 ? x * x : x * x * x;
}

/* Boxes in a cell with that edge, if all were in level 0. */
static double grid_expect_room(const bs_grid *g, const grid_sample *s, double edge) {
    assert(edge > 0 && g->base.count > 0);
    assert(!(s->room > 0) || s->room_edge > 0);
    double boxes = (double)g->base.count;
    if (s->room > 0) {
        return bs_min(s->room * grid_power(edge / s->room_edge), boxes);
    }
    for (int k = 0; k < DIM; k++) {
        boxes /= bs_max(s->extent[k] / edge, 1);
    }
    return boxes;
}

/* What a level would be like. */
typedef struct grid_model {
    double edge;
    double share;  /* of all boxes */
    double mean;   /* size of its boxes */
    double boxes;  /* of a cell in use */
    double blocks; /* likewise */
} grid_model;

static void grid_model_levels(const grid_sample *s, double edge, double room,
                              grid_model m[BS_GRID_LEVELS]) {
    int i = 0;
    for (int level = 0; level < BS_GRID_LEVELS; level++) {
        int first = i;
        double sum = 0;
        for (; i < s->n && (s->size[i] <= 0.999 * edge || level == BS_GRID_HUGE); i++) {
            sum += s->size[i] / s->n;
        }
        double share = (double)(i - first) / s->n;
        double boxes = room * share;
        boxes = bs_max(boxes, 1 + boxes / 2); /* empty cells do not count */
        double blocks = bs_max(boxes / BS_LANES + 0.5, 1);
        assert(share >= 0 && share <= 1 && boxes >= 1);
        m[level] = (grid_model){edge, share, sum / bs_max(share, 1e-3), boxes, blocks};
        edge *= BS_GRID_RATIO;
        room *= grid_power(BS_GRID_RATIO);
    }
    assert(i == s->n); /* each is of one level */
}

/* Nanoseconds per box, about; only their proportions matter. */
static double grid_model_cost(const grid_model m[BS_GRID_LEVELS], int level) {
    assert(level >= 0 && level < BS_GRID_LEVELS && m[level].share > 0);
    const grid_model *l = &m[level];
    double reach = l->mean / l->edge; /* share of the boxes that reach into the next cell */
    double near = reach * (3 + reach);
    near += DIM == 3 ? reach * (2 + reach) * (2 + reach) : 0;
    double per_cell = 20 + 5 * BS_GRID_AROUND + 4 * l->blocks * l->blocks * (1 + BS_GRID_AROUND);
    double cost = per_cell / l->boxes + 6 * l->blocks * (0.5 + near);
    for (int finer = 0; finer < level; finer++) {
        if (m[finer].share > 0) {
            double cells = grid_power((l->mean + m[finer].mean) / m[finer].edge + 1);
            cost += cells * (12 + 6 * m[finer].blocks);
        }
    }
    return cost;
}

static double grid_expect_cost(const grid_sample *s, double edge, double room) {
    grid_model m[BS_GRID_LEVELS];
    grid_model_levels(s, edge, room, m);
    double cost = 0;
    for (int level = 0; level < BS_GRID_LEVELS; level++) {
        if (m[level].share > 0) {
            cost += m[level].share * grid_model_cost(m, level);
        }
    }
    return cost;
}

/* Edges stay within these bounds: neither they, nor their inverses, nor coordinates overflow. */
static double grid_clamp_edge(double edge) {
    return bs_max(bs_min(edge, 0x1p970), 0x1p-970);
}

/* One that half of the boxes (i = 0) to all of them (GRID_QUANTILES) just fit in. */
static double grid_fitting_edge(const grid_sample *s, int i) {
    assert(s->n > 0 && i >= 0 && i <= GRID_QUANTILES);
    return s->size[(s->n - 1) * (GRID_QUANTILES + i) / (2 * GRID_QUANTILES)] * 1.02;
}

/*
 * Tries edges that half of the boxes or more just fit in, and larger ones up to many boxes a cell.
 */
static double grid_choose_edge(const bs_grid *g, const grid_sample *s) {
    double best = 0;
    double least = 0;
    double edge = 0;
    double room = 0;
    for (int i = 0; i <= GRID_QUANTILES || (i < 64 && room < 4 * BS_LANES); i++) {
        edge = i <= GRID_QUANTILES ? grid_fitting_edge(s, i) : edge * 1.25;
        edge = grid_clamp_edge(edge);
        room = grid_expect_room(g, s, edge);
        double cost = grid_expect_cost(s, edge, room);
        if (i == 0 || cost < least) {
            best = edge;
            least = cost;
        }
    }
    assert(best > 0 && best < HUGE_VAL);
    return best;
}

/* --- building ------------------------------------------------------------------------------- */

static void grid_set_edge(bs_grid *g, double edge) {
    assert(edge >= 0x1p-970 && edge <= 0x1p970);
    double less = 0; /* what the level before can hold */
    for (int i = 0; i < BS_GRID_LEVELS; i++) {
        bs_grid_level *l = &g->level[i];
        bool last = i == BS_GRID_HUGE;
        l->edge = last ? DBL_MAX : edge;
        l->inverse = last ? 0 : 1 / edge;
        l->most = last ? HUGE_VAL : edge * 0.999;
        l->stay = l->edge < 0x1p90 ? less : HUGE_VAL; /* so that their bounds are finite floats */
        assert(l->most > less);
        less = l->most;
        edge *= BS_GRID_RATIO;
    }
}

void bs_grid_fix_edge(bs_grid *g, double edge) {
    assert(edge > 0 && g->base.count == 0);
    g->fixed = grid_clamp_edge(edge);
    grid_set_edge(g, g->fixed);
}

/* Takes all boxes out of their cells. False: no memory, nothing changed. */
static bool grid_unfile_all(bs_grid *g) {
    assert(g->pending.n <= g->base.count);
    if (!bs_list_reserve(g->base.heap, &g->pending, g->base.count - g->pending.n)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        for (int lane = 0; lane < g->link[block].count; lane++) {
            uint32_t box = g->block[block].id[lane];
            g->place[box] = BS_GRID_PENDING | (uint32_t)g->pending.n;
            g->pending.at[g->pending.n++] = box;
        }
    }
    assert(g->pending.n == g->base.count);
    g->used = 1;
    g->in_use = 0;
    g->free = BS_GRID_NONE;
    g->cells = 0;
    g->levels = 0;
    for (int i = 0; i < BS_GRID_LEVELS; i++) {
        bs_grid_reset_level(&g->level[i]);
    }
    if (g->head_cap > 0) {
        bs_grid_link_buckets(g, g->mask + 1);
    }
    g->stale = false;
    return true;
}

static void grid_set_around(bs_grid *g) {
    for (int i = 0; i < BS_GRID_AROUND; i++) {
        bs_grid_offset *o = &g->around[i];
        int digits = i + BS_GRID_AROUND + 1; /* in base 3: those behind the middle one */
        *o = (bs_grid_offset){.bucket = 0};
        for (int k = 0; k < DIM; k++) {
            o->cell[k] = digits % 3 - 1;
            o->bucket += (uint32_t)o->cell[k] * g->stride[k];
            o->ahead |= (unsigned)(o->cell[k] > 0) << k;
            digits /= 3;
        }
        assert(digits == 0 && o->ahead != 0); /* the highest digit that is not 0 is 1 */
    }
}

/* For the cells that the pending boxes are in, as if all were in level 0. */
static void grid_set_strides(bs_grid *g, uint32_t buckets) {
    assert(g->pending.n > 0 && g->pending.n == g->base.count);
    int32_t lo[DIM];
    int32_t hi[DIM];
    for (int k = 0; k < DIM; k++) {
        lo[k] = BS_GRID_SIDE;
        hi[k] = -BS_GRID_SIDE;
        for (size_t i = 0; i < g->pending.n; i++) {
            double x = g->base.boxes->rect[g->pending.at[i]].pos[k];
            int32_t cell = bs_grid_coordinate(x * g->level[0].inverse);
            lo[k] = cell < lo[k] ? cell : lo[k];
            hi[k] = cell > hi[k] ? cell : hi[k];
        }
    }
    bs_cells_number(lo, hi, buckets, g->stride);
    grid_set_around(g);
}

/* Buckets for the pending boxes, and block 0. False: no memory. */
static bool grid_lay_out(bs_grid *g) {
    assert(g->used == 1 && g->in_use == 0 && g->cells == 0);
    uint32_t buckets = 16;
    while (buckets < g->pending.n / 4) {
        buckets *= 2;
    }
    if (!bs_grid_reserve_block(g) ||
        !bs_array_reserve(g->base.heap, &g->head, &g->head_cap, buckets, sizeof *g->head)) {
        return false;
    }
    g->link[BS_GRID_NONE] = (bs_grid_link){.level = UINT8_MAX};
    bs_block_clear(&g->block[BS_GRID_NONE]);
    grid_set_strides(g, buckets);
    bs_grid_link_buckets(g, buckets);
    return true;
}

static uint32_t grid_bucket_of(const bs_grid *g, uint32_t box) {
    int32_t cell[DIM];
    int level = bs_grid_cell_of(g, &g->base.boxes->rect[box], cell);
    return bs_grid_bucket(g, level, cell);
}

/* Sorts the pending boxes by bucket, by counting; all buckets must be empty. False: no memory. */
static bool grid_sort_pending(bs_grid *g) {
    assert(g->cells == 0 && g->mask < g->head_cap);
    bs_list sorted = {0};
    if (!bs_list_reserve(g->base.heap, &sorted, g->pending.n)) {
        return false;
    }
    uint32_t *start = g->head;
    memset(start, 0, ((size_t)g->mask + 1) * sizeof *start);
    for (size_t i = 0; i < g->pending.n; i++) {
        start[grid_bucket_of(g, g->pending.at[i])]++;
    }
    bs_cells_sum_up(start, (size_t)g->mask + 1);
    for (size_t i = 0; i < g->pending.n; i++) {
        uint32_t box = g->pending.at[i];
        uint32_t position = start[grid_bucket_of(g, box)]++;
        assert(position < g->pending.n);
        sorted.at[position] = box;
        g->place[box] = BS_GRID_PENDING | position;
    }
    memcpy(g->pending.at, sorted.at, g->pending.n * sizeof *sorted.at);
    bs_list_free(g->base.heap, &sorted);
    bs_grid_link_buckets(g, g->mask + 1);
    return true;
}

/* Files what is pending. False: no memory; the rest stays pending. */
static bool grid_file_pending(bs_grid *g) {
    size_t done = 0;
    while (done < g->pending.n && bs_grid_reserve_block(g)) {
        assert(bs_grid_is_pending(g, g->pending.at[done]));
        bs_grid_file(g, g->pending.at[done++]);
    }
    size_t left = g->pending.n - done;
    for (size_t i = 0; i < left; i++) {
        uint32_t box = g->pending.at[done + i];
        g->pending.at[i] = box;
        g->place[box] = BS_GRID_PENDING | (uint32_t)i;
    }
    g->pending.n = left;
    return left == 0;
}

/* Files all boxes, which must be pending. False: no memory; some stay pending. */
static bool grid_file_all(bs_grid *g, double edge) {
    assert(g->base.count > 0 && g->pending.n == g->base.count);
    grid_set_edge(g, edge);
    g->rebuilds++;
    if (!grid_lay_out(g) || !grid_sort_pending(g) || !grid_file_pending(g)) {
        return false;
    }
    bs_list_free(g->base.heap, &g->pending); /* large, and not needed soon */
    g->changes = 0;
    assert(g->in_use >= g->cells && g->in_use + 1 == g->used);
    g->built_room = grid_room(g);
    g->built_share = grid_share(g);
    return true;
}

/* Everything anew. O(n). False: no memory; all boxes are held, but some may be pending. */
static bool grid_build(bs_grid *g) {
    grid_sample sample;
    grid_measure(g, &sample);
    if (!grid_unfile_all(g)) {
        return false;
    }
    if (g->base.count == 0) {
        return true;
    }
    if (g->fixed > 0) {
        return grid_file_all(g, g->fixed);
    }
    grid_take_sample(g, &sample);
    bool done = grid_file_all(g, grid_choose_edge(g, &sample));
    for (int again = 0; done && again < 2; again++) { /* more is known now */
        grid_measure(g, &sample);
        double edge = grid_choose_edge(g, &sample);
        double present = g->level[0].edge;
        if ((edge < 1.3 * present && present < 1.3 * edge) || !grid_unfile_all(g)) {
            break;
        }
        done = grid_file_all(g, edge);
    }
    return done;
}

/* True if the boxes have changed so much that another edge may be better. O(1). */
static bool grid_is_unfit(const bs_grid *g) {
    if (g->fixed > 0 || g->changes < g->base.count / 2 + 32) {
        return false;
    }
    double room = grid_room(g);
    return room > 2.5 * g->built_room || 2.5 * room < g->built_room ||
           grid_share(g) < g->built_share - 0.25;
}

/* True if hardly any block is in use, after many removals: who goes through all would take long. */
static bool grid_is_hollow(const bs_grid *g) {
    return g->used / 8 > g->in_use + 8;
}

bool bs_grid_sync(bs_grid *g) {
    assert(g->pending.n <= g->base.count && g->base.count <= g->place_cap);
    if (g->stale || g->pending.n > g->base.count / 2 || grid_is_unfit(g) || grid_is_hollow(g)) {
        return grid_build(g);
    }
    return g->pending.n == 0 || grid_file_pending(g);
}
