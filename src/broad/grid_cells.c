/*
 * grid_cells.c: cells, and how boxes are filed in them.
 *
 * A hash table of cells with chaining, its buckets doubled when there are more cells than buckets.
 * A cell's boxes are kept dense: a new one goes into the cell's first block, or into a new block
 * before it; the last one there fills the hole that a removed one leaves. O(1) each.
 */
#include "grid_parts.h"

/* --- blocks --------------------------------------------------------------------------------- */

bool bs_grid_reserve_block(bs_grid *g) {
    if (g->free != BS_GRID_NONE) {
        return true;
    }
    size_t need = (size_t)g->used + 1;
    assert(g->used > BS_GRID_NONE && g->in_use + 1 == g->used); /* none is free */
    return bs_array_reserve(g->base.heap, &g->block, &g->block_cap, need, sizeof *g->block) &&
           bs_array_reserve(g->base.heap, &g->link, &g->link_cap, need, sizeof *g->link);
}

/* An empty block. */
static uint32_t grid_take_block(bs_grid *g) {
    uint32_t block = g->free;
    if (block != BS_GRID_NONE) {
        assert(block < g->used && g->link[block].count == 0 && !g->link[block].first);
        g->free = g->link[block].next;
    } else {
        block = g->used++;
        assert(block < g->block_cap && block < g->link_cap && block < BS_GRID_PENDING / BS_LANES);
        bs_block_clear(&g->block[block]);
    }
    g->in_use++;
    assert(g->in_use < g->used);
    return block;
}

static void grid_free_block(bs_grid *g, uint32_t block) {
    assert(block != BS_GRID_NONE && block < g->used && block != g->free);
    assert(g->link[block].count == 0 && g->in_use > 0);
    g->link[block].first = false;
    g->link[block].next = g->free;
    g->free = block;
    g->in_use--;
}

/* --- buckets -------------------------------------------------------------------------------- */

void bs_grid_link_buckets(bs_grid *g, uint32_t buckets) {
    assert(buckets > 0 && (buckets & (buckets - 1)) == 0 && buckets <= g->head_cap);
    g->mask = buckets - 1;
    for (uint32_t i = 0; i < buckets; i++) {
        g->head[i] = BS_GRID_NONE;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        bs_grid_link *link = &g->link[block];
        if (link->first) {
            assert(link->count > 0);
            uint32_t *head = &g->head[bs_grid_bucket(g, link->level, link->cell)];
            link->next_cell = *head;
            *head = block;
        }
    }
}

/* Twice the buckets, if there is memory: it works without. */
static void grid_add_buckets(bs_grid *g) {
    size_t need = ((size_t)g->mask + 1) * 2;
    if (need <= (size_t)1 << 28 &&
        bs_array_reserve(g->base.heap, &g->head, &g->head_cap, need, sizeof *g->head)) {
        bs_grid_link_buckets(g, (uint32_t)need);
    }
}

/* What points to the cell's first block; if there is none, to the end of its bucket's list. */
static uint32_t *grid_slot(bs_grid *g, int level, const int32_t cell[DIM]) {
    uint32_t *slot = &g->head[bs_grid_bucket(g, level, cell)];
    while (*slot != BS_GRID_NONE && !bs_grid_is_cell(&g->link[*slot], level, cell)) {
        slot = &g->link[*slot].next_cell;
    }
    assert(*slot == BS_GRID_NONE || g->link[*slot].first);
    return slot;
}

/* --- filing --------------------------------------------------------------------------------- */

void bs_grid_reset_level(bs_grid_level *l) {
    l->boxes = 0;
    l->cells = 0;
    for (int k = 0; k < DIM; k++) {
        l->lo[k] = BS_GRID_SIDE;
        l->hi[k] = -BS_GRID_SIDE;
        l->reach[k] = 0;
    }
}

static void grid_count_cell(bs_grid *g, int level, const int32_t cell[DIM]) {
    bs_grid_level *l = &g->level[level];
    assert((l->cells > 0) == ((g->levels >> level & 1) != 0));
    g->levels |= 1u << level;
    g->cells++;
    l->cells++;
    for (int k = 0; k < DIM; k++) {
        assert(cell[k] >= -BS_GRID_SIDE && cell[k] <= BS_GRID_SIDE);
        l->lo[k] = cell[k] < l->lo[k] ? cell[k] : l->lo[k];
        l->hi[k] = cell[k] > l->hi[k] ? cell[k] : l->hi[k];
    }
}

/* Puts an empty block before those that the cell has, or makes the cell. */
static uint32_t grid_add_block(bs_grid *g, uint32_t *slot, int level, const int32_t cell[DIM]) {
    uint32_t old = *slot;
    assert(old == BS_GRID_NONE || (g->link[old].first && g->link[old].count == BS_LANES));
    uint32_t block = grid_take_block(g);
    bs_grid_link *link = &g->link[block];
    memcpy(link->cell, cell, sizeof link->cell);
    link->level = (uint8_t)level;
    link->count = 0;
    link->first = true;
    link->next = old;
    link->next_cell = BS_GRID_NONE;
    *slot = block;
    if (old == BS_GRID_NONE) {
        grid_count_cell(g, level, cell);
    } else {
        link->next_cell = g->link[old].next_cell;
        g->link[old].first = false;
    }
    return block;
}

void bs_grid_file(bs_grid *g, uint32_t box) {
    if (g->cells > g->mask) {
        grid_add_buckets(g);
    }
    const bs_rect *r = &g->base.boxes->rect[box];
    int32_t cell[DIM];
    int level = bs_grid_cell_of(g, r, cell);
    uint32_t *slot = grid_slot(g, level, cell);
    uint32_t block = *slot;
    if (block == BS_GRID_NONE || g->link[block].count == BS_LANES) {
        block = grid_add_block(g, slot, level, cell);
    }
    int lane = g->link[block].count++;
    assert(lane < BS_LANES && g->link[block].first && *slot == block);
    bs_block_set(&g->block[block], lane, bs_bounds_of(r), box);
    g->place[box] = block * BS_LANES + (uint32_t)lane;
    bs_grid_level *l = &g->level[level];
    for (int k = 0; k < DIM; k++) {
        l->reach[k] = bs_max(r->size[k], l->reach[k]);
    }
    l->boxes++;
    g->changes++;
    assert(bs_grid_is_filed(g, box) && l->boxes <= g->base.count);
}

/* Gives back the cell's first block, which is empty; with the last one the cell ends. */
static void grid_drop_block(bs_grid *g, uint32_t *slot) {
    uint32_t block = *slot;
    bs_grid_link *link = &g->link[block];
    assert(link->first && link->count == 0 && g->cells > 0 && g->level[link->level].cells > 0);
    if (link->next != BS_GRID_NONE) {
        *slot = link->next;
        g->link[link->next].next_cell = link->next_cell;
        g->link[link->next].first = true;
    } else {
        bs_grid_level *l = &g->level[link->level];
        *slot = link->next_cell;
        g->cells--;
        if (--l->cells == 0) {
            assert(l->boxes == 0);
            g->levels &= ~(1u << link->level);
            bs_grid_reset_level(l);
        }
    }
    grid_free_block(g, block);
}

/* The last box of the cell's first block fills the hole. */
void bs_grid_unfile(bs_grid *g, uint32_t box) {
    assert(bs_grid_is_filed(g, box));
    uint32_t hole = g->place[box];
    const bs_grid_link *link = &g->link[hole / BS_LANES];
    uint32_t *slot = grid_slot(g, link->level, link->cell);
    uint32_t first = *slot;
    assert(first != BS_GRID_NONE && g->link[first].count > 0 && g->level[link->level].boxes > 0);
    bs_block *from = &g->block[first];
    int last = --g->link[first].count;
    uint32_t moved = from->id[last];
    bs_block_set(&g->block[hole / BS_LANES], (int)(hole % BS_LANES), bs_block_get(from, last),
                 moved);
    g->place[moved] = hole;
    bs_block_clear_lane(from, last);
    assert(moved == box || bs_grid_is_filed(g, moved));
    g->level[link->level].boxes--;
    if (last == 0) {
        grid_drop_block(g, slot);
    }
}
