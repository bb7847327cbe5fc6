/* grid.c: checks a hash grid: which cells its boxes are in, its blocks, its counts. */
#include "broad/grid/grid.h"
#include "checkers.h"

/* The cells that a box reaches into. False if they are too many or too far away. */
static bool range_of(const bs_grid *g, uint32_t box, bs_grid_range *range) {
    const bs_rect *r = &g->base.boxes->rect[box];
    int64_t cells = 1;
    for (int k = 0; k < DIM; k++) {
        float lo = bs_grid_cells(g, k, (float)r->pos[k]);
        float hi = bs_grid_cells(g, k, (float)bs_far(r, k));
        if (!(lo > -BS_GRID_SIDE && hi < BS_GRID_SIDE)) {
            return false;
        }
        range->lo[k] = bs_grid_floor(lo);
        range->hi[k] = bs_grid_floor(hi);
        cells *= range->hi[k] - range->lo[k] + 1;
    }
    return cells <= BS_GRID_MOST;
}

/* Whether a lane is right about the axes on which its box begins in the cell. */
static bool begins_are_right(const bs_grid *g, const bs_grid_block *b, uint32_t lane) {
    bool right = true;
    for (int k = 0; k < DIM; k++) {
        bool begins = g->place[b->boxes.id[lane]].cell[k] == b->cell[k];
        right &= (b->begins[k] >> lane & 1) == begins;
    }
    return right;
}

/* Whether the box is in the cell once, with its bounds, unless these may have changed since. */
static bool is_in_cell(const bs_grid *g, const int32_t cell[DIM], uint32_t box, bool behind) {
    bs_bounds bounds = behind ? bs_bounds_empty() : bs_bounds_of(&g->base.boxes->rect[box]);
    int times = 0;
    for (uint32_t block = bs_grid_find(g, cell); block != 0; block = g->block[block].next) {
        const bs_grid_block *b = &g->block[block];
        for (uint32_t lane = 0; bs_grid_is_of(b, cell) && lane < b->count; lane++) {
            bs_bounds has = bs_block_get(&b->boxes, (int)lane);
            if (b->boxes.id[lane] == box) {
                times += begins_are_right(g, b, lane) ? 1 : 2;
                times += !behind && memcmp(&has, &bounds, sizeof has) != 0;
            }
        }
    }
    return times == 1;
}

static const char *check_box(const bs_grid *g, uint32_t box, size_t *entries, bool behind) {
    const bs_grid_place *p = &g->place[box];
    bs_grid_range range = bs_grid_place_range(p);
    bs_grid_range now;
    bool rests = g->rests[box] != BS_NO_SET;
    if (!behind && (p->filed || rests) != bs_backend_holds(&g->base, box)) {
        return "grid: a box is nowhere, or should be";
    }
    if (rests) {
        bool right = !p->filed && (behind || !range_of(g, box, &now));
        return right ? NULL : "grid: a box rests that need not";
    }
    if (!p->filed) {
        return NULL;
    }
    if (!behind && (!range_of(g, box, &now) || memcmp(&range, &now, sizeof now) != 0)) {
        return "grid: a box is in other cells than it reaches into";
    }
    int32_t cell[DIM];
    memcpy(cell, range.lo, sizeof cell);
    do {
        ++*entries;
        for (int k = 0; k < DIM; k++) {
            if (cell[k] < g->lo[k] || cell[k] > g->hi[k]) {
                return "grid: a cell is outside of all cells";
            }
        }
        if (!is_in_cell(g, cell, box, behind)) {
            return "grid: a box is not in its cell once, with its bounds";
        }
    } while (bs_grid_next_cell(&range, cell));
    return NULL;
}

static const char *check_block(const bs_grid *g, uint32_t block) {
    const bs_grid_block *b = &g->block[block];
    for (uint32_t lane = b->count; lane < BS_LANES; lane++) {
        bs_bounds empty = bs_bounds_empty();
        bs_bounds has = bs_block_get(&b->boxes, (int)lane);
        unsigned begins = 0;
        for (int k = 0; k < DIM; k++) {
            begins |= b->begins[k] >> lane & 1u;
        }
        if (memcmp(&has, &empty, sizeof has) != 0 || begins != 0) {
            return "grid: an unused lane is not empty";
        }
    }
    if (b->count == 0) {
        return NULL;
    }
    uint32_t first = bs_grid_find(g, b->cell);
    uint32_t at = first;
    for (uint32_t steps = 0; at != 0 && at != block && steps < g->used; steps++) {
        at = g->block[at].next;
    }
    if (at != block) {
        return "grid: a block is not in its bucket";
    }
    return block == first || b->count == BS_LANES ? NULL : "grid: a block is not filled";
}

static const char *check_boxes(const bs_grid *g, size_t *entries, bool behind) {
    size_t resting = 0;
    size_t filed = 0;
    for (uint32_t box = 0; box < g->place_cap; box++) {
        resting += g->rests[box] != BS_NO_SET;
        filed += g->place[box].filed;
        const char *broken = check_box(g, box, entries, behind);
        if (broken != NULL) {
            return broken;
        }
    }
    bool right = resting == g->rest->count && (behind || resting + filed == g->base.count);
    return right ? NULL : "grid: a count is wrong";
}

/* Each block but the first must be in use or in the list of free ones. */
static bool free_list_is_right(const bs_grid *g) {
    uint32_t free = 0;
    for (uint32_t at = g->free; at != 0 && free < g->used; at = g->block[at].next) {
        if (at >= g->used || g->block[at].count > 0) {
            return false;
        }
        free++;
    }
    return g->used == 0 || g->in_use + free + 1 == g->used;
}

const char *bs_grid_check(const bs_backend *backend, bool behind) {
    const bs_grid *g = (const bs_grid *)backend;
    size_t filed = 0;
    size_t lanes = 0;
    size_t in_use = 0;
    size_t cells = 0;
    if (backend->changes.anew) { /* It may have been left in the midst of filing. */
        return NULL;
    }
    const char *broken = check_boxes(g, &filed, behind);
    for (uint32_t block = 0; broken == NULL && block < g->used; block++) {
        broken = check_block(g, block);
        lanes += g->block[block].count;
        in_use += g->block[block].count > 0;
        cells += g->block[block].count > 0 && bs_grid_find(g, g->block[block].cell) == block;
    }
    if (broken == NULL &&
        (filed != g->entries || lanes != g->entries || cells != g->cells || in_use != g->in_use)) {
        broken = "grid: a count is wrong";
    }
    if (broken == NULL && !free_list_is_right(g)) {
        broken = "grid: the list of free blocks is broken";
    }
    return broken;
}
