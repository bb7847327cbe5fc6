/*
 * checkers_test.c: do the checkers see what is broken?
 *
 * The fuzzer and all builds with sanitizers rely on the functions that check whole structures. Here
 * worlds and pools are damaged on purpose, in one place at a time, and the checker must name what
 * is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "limited_memory.h"
#include "pool_parts.h"
#include "sweep_parts.h"
#include "tree_parts.h"
#include "world_parts.h"

/* --- what is damaged ------------------------------------------------------------------------ */

enum {
    SPREAD = 1501, /* boxes all over the place; not a multiple of eight, so that lanes are unused */
    CROWD = 20,    /* in one cell */
    LONELY = SPREAD + CROWD,
    BOX = 7 /* one of the spread ones */
};

static uint32_t seed;

static double drawn(double most) {
    seed = seed * 1664525u + 1013904223u;
    return most * (seed >> 8) / (1 << 24);
}

static limited_memory unlimited = {-1};

static uint32_t insert(bs_world *w, double at, double extent, bool is_static) {
    bs_rect rect;
    bs_props props = bs_props_default();
    uint32_t box = BS_NO_BOX;
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = at + drawn(extent);
        rect.size[k] = 5 + drawn(25);
    }
    props.is_static = is_static;
    if (bs_world_insert(w, &rect, &props, &box) != BS_OK) {
        abort();
    }
    return box;
}

/* Boxes in their places; then one that is gone, another that has no place yet. */
static bs_world *make_world(const char *type) {
    const bs_pairs *pairs;
    bs_rect from = {.size = {1, 1}};
    const double motion[DIM] = {500, 300};
    bs_hit hit;
    seed = 1;
    bs_world *w = bs_world_new(limited_resize, &unlimited, bs_backend_find(type),
                               &(bs_settings){.margin = -1});
    for (int i = 0; w != NULL && i < SPREAD + CROWD; i++) {
        insert(w, i < SPREAD ? 0 : 400, i < SPREAD ? 900 : 0, false);
    }
    insert(w, 5000, 0, false);
    insert(w, -100, 0, true);
    bool is_auto = strcmp(type, "auto") == 0; /* which makes a grid for so many casts */
    for (int i = 0; is_auto && i < 8 * SPREAD; i++) {
        bs_world_cast(w, &from, motion, &bs_filter_all, &hit);
    }
    bs_world_pairs(w, &pairs);
    bs_world_remove(w, LONELY);
    insert(w, 100, 0, false);
    return w;
}

static bs_grid *grid_of(bs_world *w) {
    return bs_grid_of(w->part[BS_DYNAMIC]);
}

static bs_tree *tree_of(bs_world *w) {
    return bs_tree_of(w->part[BS_DYNAMIC]);
}

static bs_sweeper *sweep_of(bs_world *w) {
    return bs_sweep_of(w->part[BS_DYNAMIC]);
}

/* The box is elsewhere, if only by little, and nobody was told. */
static void move_secretly(bs_world *w) {
    w->rect[BOX].pos[0] += 0.01;
    w->rect[BOX].size[0] -= 0.02;
}

static void miscount(bs_world *w) {
    w->part[BS_DYNAMIC]->count++;
}

/* --- worlds --------------------------------------------------------------------------------- */

static void spoil_rect(bs_world *w) {
    w->rect[BOX].size[0] = 0;
}

static void miscount_world(bs_world *w) {
    w->count++;
}

static void miscount_layered(bs_world *w) {
    w->layered++;
}

static void miscount_idle(bs_world *w) {
    w->idle++;
}

static void close_free_indices(bs_world *w) {
    bs_world_remove(w, 9);
    bs_world_remove(w, 8);
    w->born[9] = 8; /* 8 -> 9 -> 8 */
}

static void calm_all_pairs(bs_world *w) {
    w->calm = w->pairs.n; /* but these boxes have just been inserted */
}

static void calm_too_many(bs_world *w) {
    w->calm = w->pairs.n + 1;
}

/* --- grids ---------------------------------------------------------------------------------- */

/* A block with so many boxes (0: any), which is the first of its cell, or has another before it. */
static uint32_t grid_block(const bs_grid *g, uint32_t count, bool is_first) {
    for (uint32_t block = 1; block < g->used; block++) {
        const bs_grid_block *b = &g->block[block];
        bool right = b->count > 0 && (count == 0 || b->count == count);
        if (right && (bs_grid_find(g, b->cell) == block) == is_first) {
            return block;
        }
    }
    abort();
}

static void grid_misplace(bs_world *w) {
    grid_of(w)->place[BOX].cell[0]--;
}

static void grid_forget_position(bs_world *w) {
    grid_of(w)->place[BOX].position = grid_of(w)->place[BOX + 1].position;
}

static void grid_forget_box(bs_world *w) {
    grid_of(w)->place[BOX].state = BS_GRID_HELD;
}

static void grid_rest_in_vain(bs_world *w) {
    grid_of(w)->place[BOX].state = BS_GRID_HELD | BS_GRID_RESTING;
}

static void grid_leave_bounds(bs_world *w) {
    bs_grid *g = grid_of(w);
    g->block[grid_block(g, 1, true)].boxes.lo[0][BS_LANES - 1] = 0;
}

static void grid_fill_none(bs_world *w) {
    grid_of(w)->block[0].boxes.hi[0][0] = 0;
}

static void grid_leave_hole(bs_world *w) {
    bs_grid *g = grid_of(w);
    bs_grid_block *b = &g->block[grid_block(g, BS_LANES, false)];
    b->count--;
    bs_block_clear_lane(&b->boxes, (int)b->count);
}

static void grid_shrink_range(bs_world *w) {
    grid_of(w)->lo[0] = grid_of(w)->place[BOX].cell[0] + 1;
}

static void grid_shrink_range_above(bs_world *w) {
    grid_of(w)->hi[DIM - 1] = grid_of(w)->place[BOX].cell[DIM - 1] - 1;
}

static void grid_lose_cell(bs_world *w) {
    bs_grid *g = grid_of(w);
    g->head[bs_grid_bucket(g, g->place[BOX].cell)] = 0;
}

static void grid_move_block(bs_world *w) {
    bs_grid *g = grid_of(w);
    g->block[grid_block(g, 0, true)].cell[0] += 1000;
}

static void grid_miscount_cells(bs_world *w) {
    grid_of(w)->cells++;
}

static void grid_miscount_entries(bs_world *w) {
    grid_of(w)->entries++;
}

static void grid_miscount_in_use(bs_world *w) {
    grid_of(w)->in_use++;
}

static void grid_miscount_rest(bs_world *w) {
    grid_of(w)->rest->count++;
}

static void grid_lose_change(bs_world *w) {
    grid_of(w)->changed.n--;
}

static void grid_lose_free_blocks(bs_world *w) {
    bs_grid *g = grid_of(w);
    for (uint32_t box = 0; box < 100; box++) {
        bs_world_remove(w, box);
    }
    bs_grid_sync(g);
    if (g->free == 0) {
        abort();
    }
    g->free = 0;
}

static void grid_free_a_used_block(bs_world *w) {
    grid_of(w)->free = 1;
}

/* A grid that is to file all boxes anew does not mind where they are. */
static void grid_grow_unfiled(bs_world *w) {
    grid_misplace(w);
    grid_of(w)->unfiled = true;
}

/* --- trees ---------------------------------------------------------------------------------- */

static uint32_t tree_leaf(const bs_tree *t) {
    return t->place[BOX] / BS_LANES;
}

static void tree_leave_bounds(bs_world *w) {
    bs_tree *t = tree_of(w);
    for (uint32_t node = 1; node < t->used; node++) {
        if (t->link[node].level != BS_TREE_FREE && t->link[node].count < BS_LANES) {
            t->node[node].lo[0][BS_LANES - 1] = 0;
            return;
        }
    }
    abort();
}

static void tree_shrink_node(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_tree_link link = t->link[tree_leaf(t)];
    t->node[link.parent].hi[0][link.lane] = t->node[link.parent].lo[0][link.lane];
}

/* As long as bounds are known to be wrong, they are not compared. */
static void tree_mislead_child(bs_world *w) {
    bs_tree *t = tree_of(w);
    t->stale = true;
    t->link[tree_leaf(t)].lane ^= 1;
}

static void tree_misname_child(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_tree_link link = t->link[tree_leaf(t)];
    t->node[link.parent].id[link.lane]++;
}

static void tree_lift_child(bs_world *w) {
    bs_tree *t = tree_of(w);
    uint32_t parent = t->link[tree_leaf(t)].parent;
    t->link[parent].level++;
}

static void tree_misplace(bs_world *w) {
    tree_of(w)->place[BOX] ^= 1;
}

static void tree_empty_leaf(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_block_clear(&t->node[tree_leaf(t)]);
    t->link[tree_leaf(t)].count = 0;
}

static void tree_misplace_pending(bs_world *w) {
    bs_tree *t = tree_of(w);
    t->place[t->pending.at[0]] ^= 1;
}

static void tree_miscount_nodes(bs_world *w) {
    tree_of(w)->in_use++;
}

static void tree_miscount_leaves(bs_world *w) {
    tree_of(w)->leaves--;
}

static void tree_claim_leaves(bs_world *w) {
    tree_of(w)->leaves++; /* the first node behind the leaves */
}

static void tree_hang_root(bs_world *w) {
    bs_tree *t = tree_of(w);
    t->stale = true;
    t->link[t->root].parent = tree_leaf(t);
}

static void tree_swap_items(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_tree_item first = t->item[0];
    t->item[0] = t->item[t->kept - 1];
    t->item[t->kept - 1] = first;
}

static void tree_lose_items(bs_world *w) {
    tree_of(w)->kept /= 2;
}

/* --- sweeps --------------------------------------------------------------------------------- */

/* One that has others on both sides. */
static bs_sweep_strip *strip(bs_sweeper *s) {
    if (s->strips < 3) {
        abort();
    }
    return &s->strip[s->strips / 2];
}

/* Two lanes whose minima differ. */
static void sweep_swap_lanes(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    size_t a = strip(s)->begin;
    size_t b = strip(s)->end - 1;
    bs_bounds first = bs_sweep_get(&s->lane, a);
    bs_bounds last = bs_sweep_get(&s->lane, b);
    uint32_t box = s->lane.id[a];
    bs_sweep_put(s, a, &last, s->lane.id[b]);
    bs_sweep_put(s, b, &first, box);
}

static size_t sweep_dead_lane(const bs_sweeper *s) {
    for (size_t t = 0; t < s->strips; t++) {
        for (size_t at = s->strip[t].begin; at < s->strip[t].end; at++) {
            if (s->lane.id[at] == BS_SWEEP_NOBODY) {
                return at;
            }
        }
    }
    abort();
}

static void sweep_wake_dead(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->lane.hi[0][sweep_dead_lane(s)] = 0;
}

static void sweep_wake_dead_across(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->lane.hi[1][sweep_dead_lane(s)] = 0;
}

static void sweep_raise_low(bs_world *w) {
    strip(sweep_of(w))->low = INFINITY;
}

static void sweep_lower_high(bs_world *w) {
    strip(sweep_of(w))->high = -INFINITY;
}

static void sweep_forget_reach(bs_world *w) {
    sweep_of(w)->reach = 0;
}

static void sweep_raise_least(bs_world *w) {
    strip(sweep_of(w))->least = INFINITY;
}

static void sweep_lower_most(bs_world *w) {
    strip(sweep_of(w))->most = -INFINITY;
}

static void sweep_lower_next_least(bs_world *w) {
    strip(sweep_of(w))[1].least = -INFINITY;
}

static void sweep_raise_last_most(bs_world *w) {
    strip(sweep_of(w))[-1].most = INFINITY;
}

static void sweep_swap_edges(bs_world *w) {
    strip(sweep_of(w))->edge = -INFINITY;
}

static void sweep_cut_first(bs_world *w) {
    sweep_of(w)->strip[0].edge = 0;
}

static void sweep_misplace(bs_world *w) {
    sweep_of(w)->position[BOX]++;
}

static void sweep_overlap_strips(bs_world *w) {
    strip(sweep_of(w))->begin = strip(sweep_of(w))[-1].end;
}

static void sweep_fill_pad(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->lane.lo[0][strip(s)->end] = 0;
}

static void sweep_fill_pad_above(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->lane.hi[0][strip(s)->end] = 0;
}

static void sweep_fill_end(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->lane.lo[0][s->end] = 0;
}

static void sweep_claim_room(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->room = s->end;
}

static void sweep_lose_tail(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    s->tail = s->strip[0].end;
}

/* --- pools ---------------------------------------------------------------------------------- */

static bs_pool *make_pool(void) {
    bs_pool_settings settings = {.capacity = 200, .mask = 1};
    for (int k = 0; k < DIM; k++) {
        settings.size[k] = 4;
    }
    bs_pool *p = bs_pool_new(limited_resize, &unlimited, &settings);
    bs_pattern pattern = bs_pattern_default();
    bs_shot shot = bs_pool_shot(p, NULL);
    bs_pool_add_emitter(p, &pattern);
    bs_pool_add_emitter(p, &pattern);
    for (int i = 0; i < 100; i++) {
        shot.velocity[0] = i;
        bs_pool_spawn(p, &shot);
    }
    bs_pool_step(p, 0.1);
    bs_pool_remove(p, 50);
    bs_pool_remove(p, 20);
    return p;
}

static void pool_mislead_mover(bs_pool *p) {
    p->slot[3] = p->slot[4];
}

static void pool_invent_slot(bs_pool *p) {
    p->slot[3] = p->used;
}

static void pool_spoil_place(bs_pool *p) {
    p->before[0][3] = (double)NAN;
}

static void pool_forget_mixed(bs_pool *p) {
    p->still[3] = 1;
    p->mixed[0] = 0;
}

static void pool_miscount_accelerating(bs_pool *p) {
    p->accelerating++;
}

static void pool_miscount_carriers(bs_pool *p) {
    p->carriers++;
}

static void pool_miscount_spawned(bs_pool *p) {
    p->totals.spawned++;
}

static void pool_close_free_slots(bs_pool *p) {
    p->index[p->free] = p->free;
}

static void pool_free_too_high(bs_pool *p) {
    p->free = p->used;
}

static void pool_lose_slot(bs_pool *p) {
    p->free = BS_NO_BOX;
}

static void pool_mix_up_emitters(bs_pool *p) {
    p->emitter[1].number = p->emitter[0].number;
}

/* --- all of it ------------------------------------------------------------------------------ */

typedef struct damage {
    const char *type;
    void (*make)(bs_world *);
    const char *says; /* NULL: nothing */
} damage;

static const damage damages[] = {
    {"tree", spoil_rect, "world: a box has an invalid rect"},
    {"tree", miscount_world, "world: a count is wrong"},
    {"tree", miscount_layered, "world: a count is wrong"},
    {"tree", miscount_idle, "world: a count is wrong"},
    {"tree", close_free_indices, "world: a count is wrong"},
    {"tree", calm_all_pairs, "world: a pair of a restless box stands among the calm ones"},
    {"tree", calm_too_many, "world: more pairs are calm than there are"},
    {"tree", miscount, "world: a back end has another number of boxes"},

    {"brute", move_secretly, "brute: a lane has other bounds than its box"},
    {"grid", move_secretly, "grid: a box is not in its cell once, with its bounds"},
    {"sweep", move_secretly, "sweep: a lane has other bounds than its box"},
    {"tree", move_secretly, "tree: a leaf has other bounds than its box"},
    {"auto", move_secretly, "tree: a leaf has other bounds than its box"},

    {"grid", grid_misplace, "grid: a box is in other cells than it reaches into"},
    {"grid", grid_forget_position, "grid: a held box does not know its position"},
    {"grid", grid_forget_box, "grid: a box is nowhere"},
    {"grid", grid_rest_in_vain, "grid: a box rests that need not"},
    {"grid", grid_leave_bounds, "grid: an unused lane is not empty"},
    {"grid", grid_fill_none, "grid: an unused lane is not empty"},
    {"grid", grid_leave_hole, "grid: a box is not in its cell once, with its bounds"},
    {"grid", grid_shrink_range, "grid: a cell is outside of all cells"},
    {"grid", grid_shrink_range_above, "grid: a cell is outside of all cells"},
    {"grid", grid_lose_cell, "grid: a box is not in its cell once, with its bounds"},
    {"grid", grid_move_block, "grid: a box is not in its cell once, with its bounds"},
    {"grid", grid_miscount_cells, "grid: a count is wrong"},
    {"grid", grid_miscount_entries, "grid: a count is wrong"},
    {"grid", grid_miscount_in_use, "grid: a count is wrong"},
    {"grid", grid_miscount_rest, "grid: a count is wrong"},
    {"grid", grid_lose_change, "grid: a count is wrong"},
    {"grid", grid_lose_free_blocks, "grid: the list of free blocks is broken"},
    {"grid", grid_free_a_used_block, "grid: the list of free blocks is broken"},

    {"tree", tree_leave_bounds, "tree: an unused lane is not empty"},
    {"tree", tree_shrink_node, "tree: a node does not contain its child"},
    {"tree", tree_mislead_child, "tree: a child does not know its parent"},
    {"tree", tree_misname_child, "tree: a child is no node"},
    {"tree", tree_lift_child, "tree: a child does not know its parent"},
    {"tree", tree_misplace, "tree: a box is not where its place says"},
    {"tree", tree_empty_leaf, "tree: a node has no child"},
    {"tree", tree_misplace_pending, "tree: a pending box does not know its place"},
    {"tree", tree_miscount_nodes, "tree: a count is wrong"},
    {"tree", tree_miscount_leaves, "tree: a count is wrong"},
    {"tree", tree_claim_leaves, "tree: a node is not in order"},
    {"tree", tree_hang_root, "tree: the root has a parent"},
    {"tree", tree_swap_items, "tree: an item is out of order"},
    {"tree", tree_lose_items, "tree: an item is missing"},

    {"sweep", sweep_swap_lanes, "sweep: a strip is not sorted"},
    {"sweep", sweep_wake_dead, "sweep: a dead lane has bounds"},
    {"sweep", sweep_wake_dead_across, "sweep: a dead lane has bounds"},
    {"sweep", sweep_raise_low, "sweep: a strip does not span its boxes"},
    {"sweep", sweep_lower_high, "sweep: a strip does not span its boxes"},
    {"sweep", sweep_forget_reach, "sweep: a long box is not listed"},
    {"sweep", sweep_raise_least, "sweep: bounds over several strips are wrong"},
    {"sweep", sweep_lower_most, "sweep: bounds over several strips are wrong"},
    {"sweep", sweep_lower_next_least, "sweep: bounds over several strips are wrong"},
    {"sweep", sweep_raise_last_most, "sweep: bounds over several strips are wrong"},
    {"sweep", sweep_swap_edges, "sweep: edges are not in order"},
    {"sweep", sweep_cut_first, "sweep: edges are not in order"},
    {"sweep", sweep_misplace, "sweep: a box is not where its position says"},
    {"sweep", sweep_overlap_strips, "sweep: strips are not in order"},
    {"sweep", sweep_fill_pad, "sweep: the lanes behind a strip are not empty"},
    {"sweep", sweep_fill_pad_above, "sweep: the lanes behind a strip are not empty"},
    {"sweep", sweep_lose_tail, "sweep: the lanes behind a strip are not empty"},
    {"sweep", sweep_fill_end, "sweep: the lanes behind the tail are not empty"},
    {"sweep", sweep_claim_room, "sweep: the lanes behind the tail are not empty"},
};

static const damage harmless = {"grid", grid_grow_unfiled, NULL};

/* What only a back end's own checker would say: the world's looks at its count first. */
static const damage counts[] = {
    {"auto", miscount, "auto: a part has another number of boxes"},
    {"grid", miscount, "grid: a count is wrong"},
    {"tree", miscount, "tree: a count is wrong"},
    {"sweep", miscount, "sweep: the number of boxes is wrong"},
};

typedef struct pool_damage {
    void (*make)(bs_pool *);
    const char *says;
} pool_damage;

static const pool_damage pool_damages[] = {
    {pool_mislead_mover, "pool: a mover and its slot do not agree"},
    {pool_invent_slot, "pool: a mover and its slot do not agree"},
    {pool_spoil_place, "pool: a mover's box is not finite"},
    {pool_forget_mixed, "pool: a block is not marked as mixed"},
    {pool_miscount_accelerating, "pool: a count is wrong"},
    {pool_miscount_carriers, "pool: a count is wrong"},
    {pool_miscount_spawned, "pool: a count is wrong"},
    {pool_close_free_slots, "pool: the list of free slots is broken"},
    {pool_free_too_high, "pool: the list of free slots is broken"},
    {pool_lose_slot, "pool: a slot is lost"},
    {pool_mix_up_emitters, "pool: the emitters are out of order"},
};

static int failures;

static void expect(const char *what, size_t i, const char *want, const char *have) {
    if (want == have || (want != NULL && have != NULL && strcmp(want, have) == 0)) {
        return;
    }
    failures++;
    fprintf(stderr, "%s, damage %zu in %dD: wanted \"%s\", not \"%s\"\n", what, i, DIM,
            want != NULL ? want : "nothing", have != NULL ? have : "nothing");
}

static void test_world(const damage *d, size_t i, bool alone) {
    bs_world *w = make_world(d->type);
    expect(d->type, i, NULL, bs_world_check(w));
    d->make(w);
    const bs_backend *part = w->part[BS_DYNAMIC];
    expect(d->type, i, d->says, alone ? part->type->check(part) : bs_world_check(w));
    bs_world_free(w);
}

int main(void) {
    size_t n = sizeof damages / sizeof *damages;
    size_t pools = sizeof pool_damages / sizeof *pool_damages;
    for (size_t i = 0; i < n; i++) {
        test_world(&damages[i], i, false);
    }
    test_world(&harmless, n, false);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        test_world(&counts[i], i, true);
    }
    for (size_t i = 0; i < pools; i++) {
        bs_pool *p = make_pool();
        expect("pool", i, NULL, bs_pool_check(p));
        pool_damages[i].make(p);
        expect("pool", i, pool_damages[i].says, bs_pool_check(p));
        bs_pool_free(p);
    }
    printf("checkers in %dD: %zu kinds of damage seen\n", DIM,
           n + sizeof counts / sizeof *counts + pools);
    return failures > 0;
}
