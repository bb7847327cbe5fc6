/*
 * grid_join.c: pairs of boxes in one grid or in two.
 *
 * Two stages, so that no loop depends on what overlaps what: branch mispredictions are what costs.
 * First, tasks are noted: one box, a lane of a block, is to be tested against the eight of another
 * block. When there are many they are worked off.
 *
 * Within a level, a cell is joined with itself and with half of those around it. Between levels (or
 * grids), the boxes of the one look for those of the other, box by box, as a query does; that level
 * looks which has less to do.
 */
#include "grid_parts.h"

/* Tasks are worked off when they are so many; what is noted at once may go beyond. */
enum { GRID_TASKS = 512, GRID_TASK_ROOM = GRID_TASKS + BS_LANES };

typedef struct grid_join {
    const bs_grid *lanes;  /* the grid whose lanes ... */
    const bs_grid *blocks; /* ... are tested against the blocks of this one */
    bs_pairs *out;
    bs_pairs task; /* (block, lane of a block as in `place`); its array is the next member */
    bs_pair task_at[GRID_TASK_ROOM];
} grid_join;

static void grid_join_begin(grid_join *j, const bs_grid *lanes, const bs_grid *blocks,
                            bs_pairs *out) {
    assert(lanes->base.boxes == blocks->base.boxes);
    j->lanes = lanes;
    j->blocks = blocks;
    j->out = out;
    j->task = (bs_pairs){j->task_at, 0, GRID_TASK_ROOM};
}

/* Works the tasks off. False: no memory. */
static bool grid_join_run(grid_join *j) {
    size_t n = j->task.n;
    assert(n <= GRID_TASK_ROOM);
    if (!bs_pairs_reserve(j->lanes->base.heap, j->out, n * BS_LANES)) {
        return false;
    }
    bs_pairs out = *j->out; /* in registers */
    const bs_block *lanes = j->lanes->block;
    const bs_block *blocks = j->blocks->block;
    const bs_boxes *boxes = j->lanes->base.boxes;
    for (size_t i = 0; i < n; i++) {
        bs_pair task = j->task_at[i];
        assert(task.a < j->blocks->used && task.b / BS_LANES < j->lanes->used);
        const float *of_a = bs_block_lane(&lanes[task.b / BS_LANES], (int)(task.b % BS_LANES));
        const bs_block *b = &blocks[task.a];
        bs_append_overlaps(&out, bs_lane_id(of_a), b->id, bs_block_apart_lane(b, of_a), boxes);
    }
    *j->out = out;
    j->task.n = 0;
    return true;
}

/*
 * Notes tasks: some lanes of block a, and block b, which is fetched. If there is no lane that is in
 * vain, but asking would cost a branch that cannot be predicted.
 */
static inline bool grid_join_add(grid_join *j, uint32_t a, unsigned mask, uint32_t b) {
    if (j->task.n >= GRID_TASKS && !grid_join_run(j)) {
        return false;
    }
    assert(a != BS_GRID_NONE && a < j->lanes->used && b != BS_GRID_NONE && b < j->blocks->used);
    bs_block_fetch(&j->blocks->block[b]);
    bs_append_lanes(&j->task, b, a * BS_LANES, mask);
    return true;
}

static inline bool grid_join_add_lane(grid_join *j, uint32_t lane, uint32_t b) {
    if (j->task.n >= GRID_TASKS && !grid_join_run(j)) {
        return false;
    }
    assert(lane % BS_LANES < j->lanes->link[lane / BS_LANES].count);
    j->task_at[j->task.n++] = (bs_pair){b, lane};
    return true;
}

/* --- within a level ------------------------------------------------------------------------- */

/* The first blocks of half of the cells around. */
static inline void grid_find_around(const bs_grid *g, uint32_t first,
                                    uint32_t around[BS_GRID_AROUND]) {
    const bs_grid_link *link = &g->link[first];
    assert(link->first && link->level < BS_GRID_LEVELS);
    uint32_t bucket = bs_grid_bucket(g, link->level, link->cell);
    for (int i = 0; i < BS_GRID_AROUND; i++) {
        const bs_grid_offset *o = &g->around[i];
        int32_t cell[DIM];
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            cell[k] = link->cell[k] + o->cell[k];
        }
        around[i] = bs_grid_find(g, (bucket + o->bucket) & g->mask, link->level, cell);
        assert(around[i] != first);
    }
}

/* By set of axes: the lanes of a block that reach into the next cell on all of them. */
static inline void grid_find_reach(const bs_grid *g, uint32_t block, unsigned reach[1 << DIM]) {
    const bs_grid_link *link = &g->link[block];
    const double edge = g->level[link->level].edge;
    assert(link->count > 0 && link->count <= BS_LANES);
    reach[0] = BS_ALL_LANES >> (BS_LANES - link->count);
    for (unsigned k = 0; k < DIM; k++) {
        /* A little lower than what any box of the next cell can begin at; rounding is monotone. */
        float border = bs_round((link->cell[k] + (1 - 0x1p-16)) * edge);
        unsigned lanes = bs_f8_le(bs_f8_set(border), bs_f8_load(g->block[block].hi[k]));
        for (unsigned set = 0; set < 1u << k; set++) {
            reach[set | 1u << k] = reach[set] & lanes;
        }
    }
}

/* A cell, given by its first block, with itself and with half of the cells around. */
static bool grid_join_cell(grid_join *j, uint32_t first) {
    const bs_grid *g = j->lanes;
    assert(j->lanes == j->blocks && g->link[first].first);
    uint32_t around[BS_GRID_AROUND];
    grid_find_around(g, first, around);
    for (uint32_t a = first; a != BS_GRID_NONE; a = g->link[a].next) {
        unsigned reach[1 << DIM];
        grid_find_reach(g, a, reach);
        bool done = true;
        for (uint32_t b = g->link[a].next; done && b != BS_GRID_NONE; b = g->link[b].next) {
            done = grid_join_add(j, a, reach[0], b);
        }
        for (int i = 0; done && i < BS_GRID_AROUND; i++) {
            for (uint32_t b = around[i]; done && b != BS_GRID_NONE; b = g->link[b].next) {
                done = grid_join_add(j, a, reach[g->around[i].ahead], b);
            }
        }
        if (!done) {
            return false;
        }
    }
    return true;
}

/* --- between levels and grids --------------------------------------------------------------- */

/* A lane with all blocks of a level. */
static bool grid_join_all(grid_join *j, int level, uint32_t lane) {
    const bs_grid *g = j->blocks;
    for (uint32_t block = 1; block < g->used; block++) {
        bool meant = g->link[block].count > 0 && g->link[block].level == level;
        if (meant && !grid_join_add_lane(j, lane, block)) {
            return false;
        }
    }
    return true;
}

/* A lane, whose box is r, with the blocks of a level that are near. */
static bool grid_join_box(grid_join *j, int level, const bs_rect *r, uint32_t lane) {
    const bs_grid *g = j->blocks;
    double far[DIM];
    for (int k = 0; k < DIM; k++) {
        far[k] = bs_far(r, k);
    }
    bs_grid_range range;
    if (!bs_grid_range_of(&g->level[level], r->pos, far, &range)) {
        return true;
    }
    if (bs_grid_range_cells(&range) > g->used) {
        return grid_join_all(j, level, lane);
    }
    bs_grid_walk w;
    bs_grid_walk_begin(&w, level, &range);
    uint32_t found[BS_GRID_SOME];
    for (int n; (n = bs_grid_walk_next(g, &w, found)) > 0;) {
        for (int i = 0; i < n; i++) {
            for (uint32_t block = found[i]; block != BS_GRID_NONE; block = g->link[block].next) {
                if (!grid_join_add_lane(j, lane, block)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* All lanes of a block with each level of a set. */
static bool grid_join_levels(grid_join *j, uint32_t block, unsigned levels) {
    assert((levels & ~j->blocks->levels) == 0);
    const bs_grid *g = j->lanes;
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

/*
 * What it costs, about, if the boxes of level i of one grid look for those of level j of another.
 */
static double grid_join_cost(const bs_grid *of, int i, const bs_grid *in, int j) {
    const bs_grid_level *a = &of->level[i];
    const bs_grid_level *b = &in->level[j];
    assert(a->cells > 0 && b->cells > 0);
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        assert(b->lo[k] <= b->hi[k]);
        double all = (double)b->hi[k] - b->lo[k] + 1;
        cells *= bs_min((a->reach[k] + b->reach[k]) * b->inverse + 1, all);
    }
    double blocks = (double)b->boxes / (double)b->cells / BS_LANES + 0.5;
    return (double)a->boxes * bs_min(cells, in->used) * (1 + 2 * blocks);
}

/* The levels of a grid that the boxes of level i of another (or the same) are to look for. */
static unsigned grid_join_targets(const bs_grid *of, int i, const bs_grid *in, bool wins_ties) {
    unsigned targets = 0;
    for (unsigned left = in->levels; left != 0 && (of->levels >> i & 1) != 0; left &= left - 1) {
        int j = bs_first_lane(left);
        double there = grid_join_cost(of, i, in, j);
        double back = grid_join_cost(in, j, of, i);
        bool first = of == in ? i > j : wins_ties;
        bool same = of == in && i == j;
        if (!same && (there < back || (!(back < there) && first))) {
            targets |= 1u << j;
        }
    }
    assert((targets & ~in->levels) == 0);
    return targets;
}

/* --- pairs ---------------------------------------------------------------------------------- */

/* The pairs within each of the blocks first .. end - 1. */
static bool grid_join_each(const bs_grid *g, uint32_t first, uint32_t end, bs_pairs *out) {
    assert(first != BS_GRID_NONE && first <= end && end <= g->used);
    if (!bs_pairs_reserve(g->base.heap, out, (size_t)(end - first) * BS_SELF_PAIRS)) {
        return false;
    }
    bs_pairs to = *out;
    for (uint32_t block = first; block < end; block++) {
        if (g->link[block].count > 1) {
            bs_block_self_pairs(&g->block[block], g->base.boxes, &to);
        }
    }
    out->n = to.n;
    return true;
}

/* The same for all blocks: some at a time, as the list keeps the room that it once had. */
static bool grid_join_within(const bs_grid *g, bs_pairs *out) {
    enum { AT_ONCE = 256 };
    for (uint32_t first = 1; first < g->used; first += AT_ONCE) {
        uint32_t end = g->used - first < AT_ONCE ? g->used : first + AT_ONCE;
        if (!grid_join_each(g, first, end, out)) {
            return false;
        }
    }
    return true;
}

/* The boxes of a grid with those they are to look for, in another grid or the same. */
static bool grid_join_grids(const bs_grid *of, const bs_grid *in, bool wins_ties, bs_pairs *out) {
    assert(bs_grid_is_synced(of) && bs_grid_is_synced(in));
    grid_join j;
    grid_join_begin(&j, of, in, out);
    unsigned targets[BS_GRID_LEVELS];
    for (int i = 0; i < BS_GRID_LEVELS; i++) {
        targets[i] = grid_join_targets(of, i, in, wins_ties);
    }
    for (uint32_t block = 1; block < of->used; block++) {
        const bs_grid_link *link = &of->link[block];
        if (of == in && link->first && !grid_join_cell(&j, block)) {
            return false;
        }
        if (link->count > 0 && !grid_join_levels(&j, block, targets[link->level])) {
            return false;
        }
    }
    return grid_join_run(&j) && (of != in || grid_join_within(of, out));
}

bool bs_grid_pairs(bs_backend *backend, bs_pairs *out) {
    bs_grid *g = bs_grid_of(backend);
    return bs_grid_sync(g) && grid_join_grids(g, g, true, out);
}

bool bs_grid_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bs_grid *a = bs_grid_of(backend);
    bs_grid *b = bs_grid_of(other);
    assert(a != b && backend->boxes == other->boxes);
    return bs_grid_sync(a) && bs_grid_sync(b) && grid_join_grids(a, b, true, out) &&
           grid_join_grids(b, a, false, out);
}
