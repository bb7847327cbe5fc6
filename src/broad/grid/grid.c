/* grid.c: the table of functions of the grid: changes, figures and checks. It relies on grid.h. */
#include "grid.h"

/* --- making and changing --------------------------------------------------------------------- */

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void grid_destroy(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    bs_heap *heap = backend->heap;
    g->rest->type->destroy(g->rest);
    bs_list_free(heap, &g->held);
    bs_list_free(heap, &g->changed);
    bs_array_free(heap, &g->place, &g->place_cap, sizeof *g->place);
    bs_array_free(heap, &g->head, &g->head_cap, sizeof *g->head);
    bs_array_free(heap, &g->block, &g->block_cap, sizeof *g->block);
    bs_heap_free(heap, g, sizeof *g);
}

/* Makes room for a box, and for each box up to it among the changes. */
static bool grid_reserve(bs_grid *g, uint32_t box) {
    bs_heap *heap = g->base.heap;
    size_t need = (size_t)box + 1;
    size_t known = g->place_cap;
    if (!bs_list_reserve(heap, &g->held, 1) ||
        !bs_list_reserve(heap, &g->changed, need > g->changed.n ? need - g->changed.n : 0) ||
        !bs_array_reserve(heap, &g->place, &g->place_cap, need, sizeof *g->place)) {
        return false;
    }
    memset(g->place + known, 0, (g->place_cap - known) * sizeof *g->place);
    return true;
}

static void grid_note(bs_grid *g, uint32_t box) {
    if ((g->place[box].state & BS_GRID_CHANGED) == 0) {
        assert(g->changed.n < g->changed.cap);
        g->changed.at[g->changed.n++] = box;
        g->place[box].state |= BS_GRID_CHANGED;
    }
}

static bool grid_insert(bs_backend *backend, uint32_t box) {
    bs_grid *g = bs_grid_of(backend);
    assert(box < backend->boxes->cap);
    if (!grid_reserve(g, box)) {
        return false;
    }
    assert((g->place[box].state & BS_GRID_HELD) == 0);
    g->place[box].state |= BS_GRID_HELD;
    g->place[box].position = (uint32_t)g->held.n;
    g->held.at[g->held.n++] = box;
    backend->count++;
    grid_note(g, box);
    return true;
}

/* The last held box gets its position. */
static void grid_remove(bs_backend *backend, uint32_t box) {
    bs_grid *g = bs_grid_of(backend);
    assert(backend->count > 0 && (g->place[box].state & BS_GRID_HELD) != 0);
    uint32_t position = g->place[box].position;
    uint32_t last = g->held.at[--g->held.n];
    g->held.at[position] = last;
    g->place[last].position = position;
    g->place[box].state &= (uint8_t)~BS_GRID_HELD;
    backend->count--;
    grid_note(g, box);
}

static void grid_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    bs_grid *g = bs_grid_of(backend);
    for (size_t i = 0; i < n; i++) {
        assert((g->place[boxes[i]].state & BS_GRID_HELD) != 0);
        grid_note(g, boxes[i]);
    }
}

static bool grid_list(const bs_backend *backend, bs_list *out) {
    const bs_grid *g = (const bs_grid *)backend;
    if (!bs_list_reserve(backend->heap, out, g->held.n)) {
        return false;
    }
    for (size_t i = 0; i < g->held.n; i++) {
        out->at[out->n++] = g->held.at[i];
    }
    return true;
}

/* --- figures --------------------------------------------------------------------------------- */

static double grid_edge(const bs_grid *g) {
    return g->fixed > 0 ? g->fixed : g->tuned > 0 ? 1 / (double)g->inverse : 0;
}

static void grid_stats(const bs_backend *backend, bs_stats *out) {
    const bs_grid *g = (const bs_grid *)backend;
    out->boxes = backend->count;
    out->cell_size = grid_edge(g);
    out->cells = g->cells;
    out->resting = g->rest->count;
    out->nodes = g->in_use;
    out->rebuilds = g->rebuilds;
}

/* The cells with boxes. */
static bool grid_pictures(bs_backend *backend, bs_pictures *out) {
    bs_grid *g = bs_grid_of(backend);
    if (!bs_grid_sync(g)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        const bs_grid_block *b = &g->block[block];
        bs_rect r;
        for (int k = 0; k < DIM; k++) {
            r.pos[k] = (double)g->origin[k] + b->cell[k] / (double)g->inverse;
            r.size[k] = 1 / (double)g->inverse;
        }
        if (b->count > 0 && bs_grid_find(g, b->cell) == block &&
            !bs_pictures_add(backend->heap, out, BS_PICTURE_CELL, &r)) {
            return false;
        }
    }
    return true;
}

/* --- checks ---------------------------------------------------------------------------------- */

/* Whether a lane is right about the axes on which its box begins in the cell. */
static bool grid_begins_are_right(const bs_grid *g, const bs_grid_block *b, uint32_t lane) {
    bool right = true;
    for (int k = 0; k < DIM; k++) {
        bool begins = g->place[b->boxes.id[lane]].cell[k] == b->cell[k];
        right &= (b->begins[k] >> lane & 1) == begins;
    }
    return right;
}

/* Whether the box is in the cell once, with its bounds, unless it has changed since. */
static bool grid_is_in_cell(const bs_grid *g, const int32_t cell[DIM], uint32_t box) {
    /* A box that has changed may be gone, and its rect, too. */
    bool changed = (g->place[box].state & BS_GRID_CHANGED) != 0;
    bs_bounds bounds = changed ? bs_bounds_empty() : bs_bounds_of(&g->base.boxes->rect[box]);
    int times = 0;
    for (uint32_t block = bs_grid_find(g, cell); block != 0; block = g->block[block].next) {
        const bs_grid_block *b = &g->block[block];
        for (uint32_t lane = 0; bs_grid_is_of(b, cell) && lane < b->count; lane++) {
            bs_bounds has = bs_block_get(&b->boxes, (int)lane);
            if (b->boxes.id[lane] == box) {
                times += grid_begins_are_right(g, b, lane) ? 1 : 2;
                times += !changed && memcmp(&has, &bounds, sizeof has) != 0;
            }
        }
    }
    return times == 1;
}

static const char *grid_check_box(const bs_grid *g, uint32_t box, size_t *entries) {
    const bs_grid_place *p = &g->place[box];
    bool changed = (p->state & BS_GRID_CHANGED) != 0;
    bs_grid_range range = bs_grid_place_range(p);
    bs_grid_range now;
    if ((p->state & (BS_GRID_FILED | BS_GRID_RESTING)) == 0) {
        bool unknown = (p->state & BS_GRID_HELD) == 0 || changed;
        return unknown ? NULL : "grid: a box is nowhere";
    }
    if ((p->state & BS_GRID_RESTING) != 0) {
        bool right = changed || !bs_grid_range_of(g, &g->base.boxes->rect[box], &now);
        return right ? NULL : "grid: a box rests that need not";
    }
    if (!changed && (!bs_grid_range_of(g, &g->base.boxes->rect[box], &now) ||
                     memcmp(&range, &now, sizeof now) != 0)) {
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
        if (!grid_is_in_cell(g, cell, box)) {
            return "grid: a box is not in its cell once, with its bounds";
        }
    } while (bs_grid_next_cell(&range, cell));
    return NULL;
}

static const char *grid_check_block(const bs_grid *g, uint32_t block) {
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

/* Checks the states of boxes against the lists of them. */
static const char *grid_check_states(const bs_grid *g, size_t *filed) {
    size_t changed = 0;
    size_t resting = 0;
    size_t held = 0;
    for (uint32_t box = 0; box < g->place_cap; box++) {
        const bs_grid_place *p = &g->place[box];
        held += (p->state & BS_GRID_HELD) != 0;
        changed += (p->state & BS_GRID_CHANGED) != 0;
        resting += (p->state & BS_GRID_RESTING) != 0;
        if ((p->state & BS_GRID_HELD) != 0 &&
            (p->position >= g->held.n || g->held.at[p->position] != box)) {
            return "grid: a held box does not know its position";
        }
        const char *broken = g->unfiled ? NULL : grid_check_box(g, box, filed);
        if (broken != NULL) {
            return broken;
        }
    }
    bool right = held == g->held.n && held == g->base.count && changed == g->changed.n &&
                 resting == g->rest->count;
    return right ? NULL : "grid: a count is wrong";
}

/* Each block but the first must be in use or in the list of free ones. */
static bool grid_free_list_is_right(const bs_grid *g) {
    uint32_t free = 0;
    for (uint32_t at = g->free; at != 0 && free < g->used; at = g->block[at].next) {
        if (at >= g->used || g->block[at].count > 0) {
            return false;
        }
        free++;
    }
    return g->used == 0 || g->in_use + free + 1 == g->used;
}

static const char *grid_check(const bs_backend *backend) {
    const bs_grid *g = (const bs_grid *)backend;
    size_t filed = 0;
    size_t lanes = 0;
    size_t in_use = 0;
    size_t cells = 0;
    const char *broken = grid_check_states(g, &filed);
    for (uint32_t block = 0; broken == NULL && !g->unfiled && block < g->used; block++) {
        broken = grid_check_block(g, block);
        lanes += g->block[block].count;
        in_use += g->block[block].count > 0;
        cells += g->block[block].count > 0 && bs_grid_find(g, g->block[block].cell) == block;
    }
    if (broken == NULL && !g->unfiled &&
        (filed != g->entries || lanes != g->entries || cells != g->cells || in_use != g->in_use)) {
        broken = "grid: a count is wrong";
    }
    if (broken == NULL && !g->unfiled && !grid_free_list_is_right(g)) {
        broken = "grid: the list of free blocks is broken";
    }
    return broken;
}

const bs_backend_type BS_VARIANT(bs_grid_type) = {
    .name = "grid",
    .create = grid_create,
    .destroy = grid_destroy,
    .insert = grid_insert,
    .remove = grid_remove,
    .update = grid_update,
    .pairs = bs_grid_pairs,
    .cross = bs_grid_cross,
    .list = grid_list,
    .query = bs_grid_query,
    .cast = bs_grid_cast,
    .stats = grid_stats,
    .pictures = grid_pictures,
    .check = grid_check,
};

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    bs_grid *g = bs_heap_new(heap, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->base = (bs_backend){&BS_VARIANT(bs_grid_type), heap, boxes, 0};
    g->fixed = settings->cell_size;
    g->rest = bs_backend_find("tree")->create(heap, boxes, settings);
    if (g->rest == NULL) {
        bs_heap_free(heap, g, sizeof *g);
        return NULL;
    }
    return &g->base;
}
