/*
 * fill.c: filing boxes in cells, and choosing the edge of the cells. It relies on grid.h.
 *
 * A cell's boxes are dense. A new box goes into its first block, or into a new block before that.
 * The last box of the first block replaces a removed one. O(1) for each cell of a box.
 */
#include "grid.h"

#include "base/order.h"

enum {
    SAMPLE = 256,              /* The edge is chosen by so many boxes. */
    CROWD = DIM == 2 ? 8 : 12, /* So many boxes should share a cell, unless boxes are denser. */
    CELLS_A_BOX = 6,           /* On average; more take too much memory and time. */
    TRIES = 4,                 /* So many edges are tried. */
    BUCKETS_LEAST = 16,
    BUCKETS_MOST = 1 << 24
};

static const double LEAST_EDGE = DIM == 2 ? 2.4 : 1.1; /* In median sizes of a box. */

/* --- cells ----------------------------------------------------------------------------------- */

/* The cells that a box reaches into. Returns false if they are too many or too far away. */
static bool grid_range_of(const bs_grid *g, const bs_rect *r, bs_grid_range *out) {
    float lo[DIM];
    float hi[DIM];
    bool near = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        lo[k] = bs_grid_cells(g, k, (float)r->pos[k]);
        hi[k] = bs_grid_cells(g, k, (float)bs_far(r, k));
        near &= lo[k] > -BS_GRID_SIDE && hi[k] < BS_GRID_SIDE;
    }
    if (!near) {
        return false;
    }
    int64_t cells = 1;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        out->lo[k] = bs_grid_floor(lo[k]);
        out->hi[k] = bs_grid_floor(hi[k]);
        cells *= out->hi[k] - out->lo[k] + 1; /* At most 2^57. */
    }
    return cells <= BS_GRID_MOST;
}

static bool grid_reserve_blocks(bs_grid *g, size_t blocks) {
    return bs_array_reserve(g->base.heap, &g->block, &g->block_cap, blocks, sizeof *g->block);
}

/* Makes a new block of a cell, before the others of its bucket. Returns 0 without memory. */
static uint32_t grid_begin_block(bs_grid *g, const int32_t cell[DIM]) {
    uint32_t block = g->free;
    if (block != 0) {
        g->free = g->block[block].next;
    } else if (grid_reserve_blocks(g, (size_t)g->used + 1)) {
        block = g->used++;
    } else {
        return 0;
    }
    uint32_t *head = &g->head[bs_grid_bucket(g, cell)];
    memcpy(g->block[block].cell, cell, sizeof g->block[block].cell);
    g->block[block].next = *head;
    g->block[block].count = 0;
    memset(g->block[block].begins, 0, sizeof g->block[block].begins);
    g->block[block].boxes = g->block[0].boxes; /* It is empty. */
    *head = block;
    g->in_use++;
    return block;
}

/* The first block of a cell, or 0. */
static inline uint32_t grid_seek(bs_grid *g, const int32_t cell[DIM]) {
    uint32_t block = g->head[bs_grid_bucket(g, cell)];
    for (; block != 0 && !bs_grid_is_of(&g->block[block], cell); block = g->block[block].next) {
        g->steps++;
    }
    return block;
}

/* Removes an empty block from its bucket. */
static void grid_end_block(bs_grid *g, uint32_t block) {
    uint32_t *to = &g->head[bs_grid_bucket(g, g->block[block].cell)];
    for (; *to != block; to = &g->block[*to].next) {
        g->steps++;
    }
    *to = g->block[block].next;
    g->block[block].next = g->free;
    g->free = block;
    g->in_use--;
}

/* Puts a box into a cell. */
static inline bool grid_add(bs_grid *g, const int32_t cell[DIM], uint32_t box, bs_bounds bounds) {
    uint32_t block = grid_seek(g, cell);
    g->cells += block == 0;
    if (block == 0 || g->block[block].count == BS_LANES) {
        block = grid_begin_block(g, cell);
        if (block == 0) {
            return false;
        }
    }
    bs_grid_block *b = &g->block[block];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        b->begins[k] |= (uint8_t)((g->place[box].cell[k] == cell[k]) << b->count);
    }
    bs_block_set(&b->boxes, b->count++, bounds, box);
    g->entries++;
    return true;
}

/* The block of a cell in which a box is, and its lane. */
static uint32_t grid_block_of(bs_grid *g, const int32_t cell[DIM], uint32_t box, int *lane) {
    for (uint32_t block = grid_seek(g, cell);; block = g->block[block].next) {
        const bs_grid_block *b = &g->block[block];
        assert(block != 0);
        g->steps++;
        unsigned there = bs_u8_same(bs_u8_load(b->boxes.id), bs_u8_set(box));
        there &= (unsigned)BS_ALL_LANES >> (BS_LANES - b->count);
        if (there != 0 && bs_grid_is_of(b, cell)) {
            *lane = bs_first_lane(there);
            return block;
        }
    }
}

/* Removes a box from a cell. The last box of the first block gets its lane. */
static void grid_take(bs_grid *g, const int32_t cell[DIM], uint32_t box) {
    int lane;
    const uint32_t first = grid_seek(g, cell);
    const uint32_t block = grid_block_of(g, cell, box, &lane);
    assert(g->entries > 0);
    bs_grid_block *from = &g->block[first];
    bs_grid_block *to = &g->block[block];
    const int last = --from->count;
    for (int k = 0; k < DIM; k++) {
        unsigned begins = (unsigned)from->begins[k] >> last & 1u;
        to->begins[k] = (uint8_t)((to->begins[k] & ~(1u << lane)) | begins << lane);
        from->begins[k] = (uint8_t)(from->begins[k] & ~(1u << last));
    }
    bs_block_set(&to->boxes, lane, bs_block_get(&from->boxes, last), from->boxes.id[last]);
    bs_block_clear_lane(&from->boxes, last);
    if (last == 0) {
        grid_end_block(g, first);
        g->cells -= bs_grid_find(g, cell) == 0;
    }
    g->entries--;
}

/* --- boxes ----------------------------------------------------------------------------------- */

/* Puts a box into the cells of its place. */
static bool grid_add_to_cells(bs_grid *g, uint32_t box) {
    const bs_bounds bounds = bs_bounds_of(&g->base.boxes->rect[box]);
    const bs_grid_range range = bs_grid_place_range(&g->place[box]);
    int32_t cell[DIM];
    memcpy(cell, range.lo, sizeof cell);
    do {
        if (!grid_add(g, cell, box, bounds)) {
            return false;
        }
    } while (bs_grid_next_cell(&range, cell));
    return true;
}

/* Notes the cells that a box reaches into, or puts it into `rest`. */
static void grid_locate(bs_grid *g, uint32_t box) {
    bs_grid_place *p = &g->place[box];
    bs_grid_range range;
    assert(!p->filed && g->rests[box] == BS_NO_SET);
    if (!grid_range_of(g, &g->base.boxes->rect[box], &range)) {
        g->rests[box] = BS_GRID_RESTS;
        bs_backend_came(g->rest, box);
        return;
    }
    for (int k = 0; k < DIM; k++) {
        p->cell[k] = range.lo[k];
        p->span[k] = (uint8_t)(range.hi[k] - range.lo[k]);
        g->lo[k] = range.lo[k] < g->lo[k] ? range.lo[k] : g->lo[k];
        g->hi[k] = range.hi[k] > g->hi[k] ? range.hi[k] : g->hi[k];
    }
    p->filed = true;
}

static void grid_wake(bs_grid *g, uint32_t box) {
    if (g->rests[box] != BS_NO_SET) {
        g->rests[box] = BS_NO_SET;
        bs_backend_left(g->rest, box);
    }
}

/* Whether a box still reaches into exactly the cells of its place. */
static inline bool grid_stays(const bs_grid *g, uint32_t box) {
    const bs_grid_place *p = &g->place[box];
    bs_grid_range range;
    if (!p->filed || !grid_range_of(g, &g->base.boxes->rect[box], &range)) {
        return false;
    }
    int32_t other = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        other |= p->cell[k] ^ range.lo[k];
        other |= (range.hi[k] - range.lo[k]) ^ p->span[k];
    }
    return other == 0;
}

/* Updates the bounds of a box that stays in its cells. */
static void grid_load_box(bs_grid *g, uint32_t box) {
    const bs_bounds bounds = bs_bounds_of(&g->base.boxes->rect[box]);
    const bs_grid_range range = bs_grid_place_range(&g->place[box]);
    int32_t cell[DIM];
    memcpy(cell, range.lo, sizeof cell);
    do {
        int lane;
        bs_grid_block *b = &g->block[grid_block_of(g, cell, box, &lane)];
        bs_block_set(&b->boxes, lane, bounds, box);
    } while (bs_grid_next_cell(&range, cell));
}

/* Files a box where it is now, or removes it. */
static bool grid_refile(bs_grid *g, uint32_t box) {
    bs_grid_place *p = &g->place[box];
    grid_wake(g, box);
    if (p->filed) {
        bs_grid_range range = bs_grid_place_range(p);
        int32_t cell[DIM];
        memcpy(cell, range.lo, sizeof cell);
        do {
            grid_take(g, cell, box);
        } while (bs_grid_next_cell(&range, cell));
        p->filed = false;
    }
    if (!bs_backend_holds(&g->base, box)) {
        return true;
    }
    grid_locate(g, box);
    return !p->filed || grid_add_to_cells(g, box);
}

/* Updates the bounds in all lanes. */
static void grid_load_bounds(bs_grid *g) {
    for (uint32_t block = 1; block < g->used; block++) {
        bs_grid_block *b = &g->block[block];
        if (b->count > 0) {
            bs_block_load(&b->boxes, g->base.boxes->rect, (int)b->count);
        }
    }
}

/* --- all boxes ------------------------------------------------------------------------------- */

/*
 * Makes empty buckets for the cells from lo to hi. If there are not many more cells than boxes, the
 * buckets are the cells, row by row: no two cells share a bucket, and neighbours are near each
 * other in memory. Otherwise rows are scattered by the golden ratio or its generalisations
 * (Roberts, "The unreasonable effectiveness of quasirandom sequences").
 */
static bool grid_number(bs_grid *g) {
    static const double scatter[2][3] = {{0.6180339887, 0.3819660113},
                                         {0.7548776662, 0.5698402910, 0.4301597090}};
    double most = 4.0 * (double)g->base.count;
    double cells = 1;
    uint32_t buckets = BUCKETS_LEAST;
    for (int k = 0; k < DIM; k++) {
        g->stride[k] = (uint32_t)bs_min(cells, UINT32_MAX);
        cells *= bs_max((double)g->hi[k] - g->lo[k] + 2, 1); /* And room for boxes that move on. */
    }
    while (buckets < bs_min(cells, most) && buckets < BUCKETS_MOST) {
        buckets *= 2;
    }
    for (int k = 1; k < DIM && cells > buckets; k++) {
        g->stride[k] = (uint32_t)(scatter[DIM - 2][k] * buckets) | 1;
    }
    if (!bs_array_reserve(g->base.heap, &g->head, &g->head_cap, buckets, sizeof *g->head) ||
        !grid_reserve_blocks(g, 1)) {
        return false;
    }
    g->mask = buckets - 1;
    memset(g->head, 0, buckets * sizeof *g->head);
    return true;
}

/* Removes all blocks but block 0, and all cells. */
static void grid_empty(bs_grid *g) {
    g->used = 1;
    g->free = 0;
    g->in_use = 0;
    g->cells = 0;
    g->entries = 0;
    memset(&g->block[0], 0, sizeof g->block[0]);
    bs_block_clear(&g->block[0].boxes);
}

/*
 * Orders the boxes with places by the buckets of their least cells, by counting. So blocks lie in
 * memory as cells do in space, and a cast mostly stays in one region. All buckets must be empty.
 */
static bool grid_order(bs_grid *g) {
    g->order.n = 0;
    if (!bs_list_reserve(g->base.heap, &g->order, g->base.count)) {
        return false;
    }
    uint32_t *start = g->head;
    uint32_t sum = 0;
    for (size_t box = 0; box < g->place_cap; box++) {
        start[bs_grid_bucket(g, g->place[box].cell)] += g->place[box].filed;
    }
    for (size_t bucket = 0; bucket <= g->mask; bucket++) {
        uint32_t n = start[bucket];
        start[bucket] = sum;
        sum += n;
    }
    for (uint32_t box = 0; box < g->place_cap; box++) {
        if (g->place[box].filed) {
            g->order.at[start[bs_grid_bucket(g, g->place[box].cell)]++] = box;
        }
    }
    g->order.n = sum;
    memset(g->head, 0, ((size_t)g->mask + 1) * sizeof *g->head);
    return true;
}

/* Files all boxes, with the present edge. */
static bool grid_fill(bs_grid *g) {
    for (int k = 0; k < DIM; k++) {
        g->lo[k] = BS_GRID_SIDE;
        g->hi[k] = -BS_GRID_SIDE;
    }
    for (uint32_t box = 0; box < g->place_cap; box++) {
        grid_wake(g, box);
        g->place[box].filed = false;
        if (bs_backend_holds(&g->base, box)) {
            grid_locate(g, box);
        }
    }
    if (!grid_number(g)) {
        return false;
    }
    grid_empty(g);
    bool done = grid_order(g);
    for (size_t i = 0; done && i < g->order.n; i++) {
        done = grid_add_to_cells(g, g->order.at[i]);
    }
    return done;
}

/* --- the edge of cells ----------------------------------------------------------------------- */

/* Some of the boxes, by which the edge is chosen. */
typedef struct grid_sample {
    uint32_t box[SAMPLE];
    size_t n;
} grid_sample;

/* Each so many-th box of the set. */
static void grid_draw(const bs_grid *g, grid_sample *s) {
    const size_t step = g->base.count / SAMPLE + 1;
    size_t held = 0;
    s->n = 0;
    for (uint32_t box = 0; box < g->place_cap; box++) {
        if (bs_backend_holds(&g->base, box) && held++ % step == 0) {
            assert(s->n < SAMPLE);
            s->box[s->n++] = box;
        }
    }
}

/* The median of the mean side of a box: a few giants do not count. */
static double grid_median_size(const bs_grid *g, const grid_sample *s) {
    bs_keyed size[SAMPLE];
    bs_keyed scratch[SAMPLE];
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        for (int k = 0; k < DIM; k++) {
            sum += g->base.boxes->rect[s->box[i]].size[k] / DIM;
        }
        size[i].key = bs_key_of(sum);
    }
    bs_sort(size, scratch, s->n);
    double median = 1;
    if (s->n > 0) {
        memcpy(&median, &size[s->n / 2].key, sizeof median); /* A key is the bits of its number. */
    }
    return median;
}

/*
 * Whether boxes would reach into too many cells of that edge, on average; resting ones do not
 * count.
 */
static bool grid_is_too_fine(const bs_grid *g, const grid_sample *s, double edge) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        double cells = 1;
        for (int k = 0; k < DIM; k++) {
            cells *= g->base.boxes->rect[s->box[i]].size[k] / edge + 1;
        }
        n += cells <= BS_GRID_MOST;
        sum += cells <= BS_GRID_MOST ? cells : 0;
    }
    return sum > (double)CELLS_A_BOX * (double)n;
}

/*
 * How many boxes share a cell, on average over the boxes of a sample. So a crowd counts for more
 * than the empty space around it.
 */
static double grid_crowd(const bs_grid *g, const grid_sample *s) {
    size_t sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const bs_grid_place *p = &g->place[s->box[i]];
        if (!p->filed) {
            continue;
        }
        n++;
        for (uint32_t b = bs_grid_find(g, p->cell); b != 0; b = g->block[b].next) {
            sum += bs_grid_is_of(&g->block[b], p->cell) ? g->block[b].count : 0;
        }
    }
    return n > 0 ? (double)sum / (double)n : CROWD;
}

static void grid_set_edge(bs_grid *g, const grid_sample *s, double edge) {
    const double most = (double)FLT_MAX;
    g->inverse = (float)bs_max(bs_min(1 / edge, most), 1 / most);
    for (int k = 0; k < DIM; k++) {
        g->origin[k] = 0;
    }
    if (s->n > 0) { /* Any box will do; cells are counted from there, both ways. */
        bs_bounds b = bs_bounds_of(&g->base.boxes->rect[s->box[s->n / 2]]);
        memcpy(g->origin, b.lo, sizeof g->origin);
    }
}

/* How many boxes share a cell, as cells see it. */
static double grid_mean_crowd(const bs_grid *g) {
    return g->cells > 0 ? (double)g->entries / (double)g->cells : 0;
}

/* The edge of cells in which so many times as many boxes share one. */
static double grid_wider(double edge, double size, double more) {
    double reach = edge + size;
    double grown = 1;
    while (grown < more) {
        reach *= 1.1;
        grown *= DIM == 2 ? 1.1 * 1.1 : 1.1 * 1.1 * 1.1;
    }
    return reach - size;
}

/*
 * Files all boxes, with an edge that suits them. With smaller cells a cast walks through more of
 * them than it needs to, with larger ones it looks at more boxes: some eight boxes in a cell, one
 * block, are best. But where boxes are dense, each would reach into many such cells: so the edge is
 * at least twice a box. In 3D, where all that is cubed, a dozen boxes are best. False: no memory.
 */
static bool grid_tune(bs_grid *g) {
    grid_sample s;
    grid_draw(g, &s);
    double size = g->fixed > 0 ? g->fixed : bs_max(grid_median_size(g, &s), 0x1p-100);
    double edge = g->fixed > 0 ? g->fixed : LEAST_EDGE * size;
    while (!(g->fixed > 0) && edge < 0x1p100 && grid_is_too_fine(g, &s, edge)) {
        edge *= 1.5;
    }
    for (int i = 0; i < TRIES; i++) {
        grid_set_edge(g, &s, edge);
        if (!grid_fill(g)) {
            return false;
        }
        double crowd = grid_crowd(g, &s);
        if (g->fixed > 0 || crowd * 1.4 >= bs_min(CROWD, (double)g->base.count)) {
            break;
        }
        edge = grid_wider(edge, size, CROWD / crowd);
    }
    g->tuning = (bs_tuning){g->base.count, grid_mean_crowd(g)};
    return true;
}

/* --- changes --------------------------------------------------------------------------------- */

/* Makes room for boxes below `reach`. */
static bool grid_reserve(bs_grid *g, size_t reach) {
    bs_heap *heap = g->base.heap;
    const size_t known = g->place_cap;
    if (!bs_array_reserve(heap, &g->rests, &g->rests_cap, reach, sizeof *g->rests) ||
        !bs_array_reserve(heap, &g->place, &g->place_cap, reach, sizeof *g->place)) {
        return false;
    }
    for (size_t box = known; box < g->place_cap; box++) {
        g->place[box] = (bs_grid_place){.filed = false};
        g->rests[box] = BS_NO_SET;
    }
    return true;
}

/* Computes what casts need to know of the cells in use. */
static void grid_prepare_casts(bs_grid *g) {
    for (int k = 0; k < DIM; k++) {
        double origin = (double)g->origin[k] * (double)g->inverse;
        g->half[k] = ((double)g->hi[k] - g->lo[k] + 1) / 2;
        g->middle[k] = origin + g->lo[k] + g->half[k];
        g->pad[k] = (fabs(origin) + fabs((double)g->lo[k]) + fabs((double)g->hi[k]) + 1) * 0x1p-21;
    }
}

bool bs_grid_build(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    if (!grid_reserve(g, bs_backend_reach(backend, NULL)) || !grid_tune(g)) {
        return false;
    }
    g->rebuilds++;
    grid_prepare_casts(g);
    return true;
}

/* Files a box that has changed, unless it stays in its cells and `many` are loaded at once. */
static inline bool grid_file(bs_grid *g, uint32_t box, bool many) {
    if (!bs_backend_holds(&g->base, box) || !grid_stays(g, box)) {
        return box >= g->place_cap || /* It came and left. */
               (grid_refile(g, box) && !bs_filing_is_long(g->steps, g->base.count));
    }
    if (!many) {
        grid_load_box(g, box);
    }
    return true;
}

/*
 * Files the changes one by one. Most boxes moved a little, and stay in their cells. If there are
 * many of them, it loads the bounds of all boxes, which takes less time than to look for these. It
 * fails without memory, or after so many steps that all boxes are better filed anew.
 */
static bool grid_file_changes(bs_grid *g, const bs_changes *changes) {
    const bs_list *replaced = &changes->replaced;
    const bs_list *moved = &changes->moved;
    bool many = changes->all_moved || bs_is_many_moved(replaced->n + moved->n, g->base.count);
    bool done = true;
    g->steps = 0;
    for (size_t i = 0; done && i < replaced->n; i++) {
        done = grid_file(g, replaced->at[i], many);
    }
    for (size_t i = 0; done && i < moved->n; i++) {
        done = grid_file(g, moved->at[i], many);
    }
    for (uint32_t box = 0; done && changes->all_moved && box < g->place_cap; box++) {
        done = grid_file(g, box, many);
    }
    if (done && many) {
        grid_load_bounds(g);
    }
    return done;
}

bool bs_grid_sync(bs_backend *backend, const bs_changes *changes) {
    bs_grid *g = bs_grid_of(backend);
    if (!grid_reserve(g, bs_backend_reach(backend, changes))) {
        return false;
    }
    if (bs_tuning_is_due(&g->tuning, backend->count, grid_mean_crowd(g)) ||
        !grid_file_changes(g, changes)) {
        return bs_grid_build(backend);
    }
    grid_prepare_casts(g);
    return true;
}
