/*
 * checkers_test.c: do the checkers find broken structures?
 *
 * The fuzz target and all builds with sanitizers rely on the functions that check whole structures.
 * This test damages worlds and pools on purpose, in one place at a time. The checker must name the
 * damage.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/grid/grid.h"
#include "broad/flat/sweep.h"
#include "broad/tree/tree.h"
#include "checkers/checkers.h"
#include "limited_memory.h"
#include "pool/pool_parts.h"
#include "motion/push_parts.h"

/* --- what is damaged ------------------------------------------------------------------------ */

enum {
    /* Boxes in many places; not a multiple of eight, so that some lanes are unused. */
    SPREAD = 1501,
    CROWD = 20, /* boxes in one cell */
    LONELY = SPREAD + CROWD,
    BOX = 7 /* one of the spread boxes */
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
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    if (bs_world_insert(w, &shape, &props, &box) != BS_OK) {
        abort();
    }
    return box;
}

/* Gives one box a conduct (it bounces, and is one-way), and lets it move and push. */
static void give_conduct(bs_world *w) {
    bs_conduct conduct = bs_props_default().conduct;
    conduct.bounce = 0.5;
    conduct.response = BS_BOUNCE;
    conduct.one_way[0] = 1;
    const bs_rules rules = bs_rules_default();
    const uint32_t box = BOX;
    bs_rect goal = *bs_world_rect(w, BOX);
    bs_pushes pushes;
    goal.pos[0] = goal.pos[1] = 300;
    bs_call_begin(w);
    const bs_move *m = bs_move_run(w, BOX, goal.pos, &rules);
    if (m == NULL || bs_push_run(w, &box, &goal, 1, &rules, &pushes) != BS_OK ||
        bs_world_set_conduct(w, BOX, &conduct) != BS_OK) {
        abort();
    }
    bs_call_end(w, false);
}

/* Back ends learn what has changed. */
static void catch_up(bs_world *w) {
    bs_list found = {0};
    bs_rect somewhere = {.size = {0}};
    if (!bs_world_find_in(w, &somewhere, BS_NO_BOX, &found)) {
        abort();
    }
    bs_list_free(&w->heap, &found);
}

/*
 * Makes a world whose back end has filed its boxes. Then it removes one box, and inserts another,
 * which is not filed yet.
 */
static bs_world *make_world(const char *type) {
    const bs_pairs *pairs;
    const bs_way way = {.from = {.size = {1, 1}}, .motion = {500, 300}};
    bs_hit hit;
    seed = 1;
    bs_world *w = bs_world_new(limited_resize, &unlimited, bs_backend_find(type),
                               &(bs_settings){.margin = -1});
    for (int i = 0; w != NULL && i < SPREAD + CROWD; i++) {
        insert(w, i < SPREAD ? 0 : 400, i < SPREAD ? 900 : 0, false);
    }
    insert(w, 5000, 0, false);
    insert(w, -100, 0, true);
    give_conduct(w);
    bool is_auto = strcmp(type, "auto") == 0; /* it makes a grid after this many casts */
    for (int i = 0; is_auto && i < 8 * SPREAD; i++) {
        bs_world_cast(w, &way, &bs_filter_all, &hit);
    }
    bs_world_pairs(w, &pairs);
    bs_world_remove(w, LONELY);
    insert(w, 100, 0, false);
    catch_up(w);
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

/* Functions that damage a world, or a pool, by one statement or two. */
#define DAMAGE(name, statement)                                                                    \
    static void name(bs_world *w) {                                                                \
        statement;                                                                                 \
    }
#define POOL_DAMAGE(name, statement)                                                               \
    static void name(bs_pool *p) {                                                                 \
        statement;                                                                                 \
    }

/* Moves the box a little, without marking it as moved. */
DAMAGE(move_secretly, w->rect[BOX].pos[0] += 0.01; w->rect[BOX].size[0] -= 0.02)
DAMAGE(lose_change, bs_world_remove(w, BOX); w->part[BS_DYNAMIC]->behind = false)
DAMAGE(miscount, w->part[BS_DYNAMIC]->count++)

/* --- worlds --------------------------------------------------------------------------------- */

DAMAGE(spoil_rect, w->rect[BOX].size[0] = 0)
DAMAGE(miscount_world, w->state.count++)
DAMAGE(miscount_layered, w->state.layered++)
DAMAGE(miscount_idle, w->ids.idle++)

static void free_index_twice(bs_world *w) {
    bs_world_remove(w, 9);
    bs_world_remove(w, 8);
    w->ids.free[0] = 8;
}

DAMAGE(free_used_index, bs_world_remove(w, 9); w->ids.free[0] = 8)
DAMAGE(miscount_responders, w->state.responders++)
DAMAGE(conduct_nobody, bs_world_remove(w, BOX); w->conduct[BOX].bounce = 0.5)

static void conduct_behind_all(bs_world *w) {
    if (bs_world_reserve(w, SPREAD) != BS_OK || w->conduct_cap == w->ids.used) {
        abort();
    }
    w->conduct[w->ids.used].one_way[0] = 1;
}

/* The test restores it. */
DAMAGE(shorten_conduct, w->conduct_cap = 1)
DAMAGE(bounce_backwards, w->conduct[BOX].bounce = -2)
DAMAGE(fall_forever, w->conduct[BOX].gravity_scale = HUGE_VAL)
DAMAGE(respond_unknown, w->conduct[BOX].response = (bs_response)BS_RESPONSES)
DAMAGE(face_two_ways, w->conduct[BOX].one_way[1] = 1)
DAMAGE(miscount_shaped, w->state.shaped++)

static void miscount_mentions(bs_world *w) {
    bs_contacts contacts;
    if (bs_world_contacts(w, BS_CHANGES, &contacts) != BS_OK) {
        abort();
    }
    bs_world_contacts_done(w, contacts);
    w->mentions[BOX]++;
}

/* Makes box BOX a circle. */
static void make_shape(bs_world *w) {
    bs_shape shape;
    bs_rect rect = *bs_world_rect(w, BOX);
    bs_shape_set_circle(&shape, rect.pos, rect.size[0]);
    if (bs_world_set_shape(w, BOX, &shape) != BS_OK) {
        abort();
    }
}

DAMAGE(flag_without_shape, make_shape(w); w->flags[BOX + 1] |= BS_HAS_SHAPE)
DAMAGE(miss_centre, make_shape(w); w->flags[BOX] ^= BS_IS_CENTRED)

/* The host, which leaves a push when it is asked for the second time. */
typedef struct leaver {
    int asked;
    jmp_buf back;
} leaver;

static bs_response leave(void *host, uint32_t self, uint32_t other) {
    leaver *l = host;
    (void)self, (void)other;
    if (++l->asked == 2) {
        longjmp(l->back, 1);
    }
    return BS_SLIDE;
}

/* A push that has begun is no damage as long as the host can be asked. */
static void push_begin(bs_world *w) {
    leaver l = {0};
    bs_rules rules = {.ignore = BS_NO_BOX, .ask = leave, .host = &l};
    const uint32_t box = LONELY;
    bs_rect goal = *bs_world_rect(w, LONELY);
    bs_pushes pushes;
    goal.pos[0] = goal.pos[1] = 1500;
    bs_call_begin(w);
    if (setjmp(l.back) == 0) {
        (void)bs_push_run(w, &box, &goal, 1, &rules, &pushes);
        abort();
    }
}

DAMAGE(push_lose_row, push_begin(w); w->push->rows++)

static void move_begin(bs_world *w) {
    const bs_rules rules = bs_rules_default();
    const double goal[DIM] = {300, 300};
    if (bs_move_run(w, BOX, goal, &rules) == NULL) {
        abort();
    }
}

/* Although these boxes have just been inserted. */
DAMAGE(calm_all_pairs, w->calm = w->pairs.n)
DAMAGE(calm_too_many, w->calm = w->pairs.n + 1)

/* --- grids ---------------------------------------------------------------------------------- */

/*
 * A block with `count` boxes (0 for any) that is the first of its cell, or that has another before
 * it.
 */
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

DAMAGE(grid_misplace, grid_of(w)->place[BOX].cell[0]--)
DAMAGE(grid_forget_box, grid_of(w)->place[BOX].filed = false)
DAMAGE(grid_rest_in_vain, grid_of(w)->rests[BOX] = BS_GRID_RESTS)

static void grid_leave_bounds(bs_world *w) {
    bs_grid *g = grid_of(w);
    g->block[grid_block(g, 1, true)].boxes.lo[0][BS_LANES - 1] = 0;
}

DAMAGE(grid_begin_elsewhere, grid_of(w)->block[grid_block(grid_of(w), 1, true)].begins[0] ^= 1)

static void grid_begin_nobody(bs_world *w) {
    bs_grid *g = grid_of(w);
    g->block[grid_block(g, 1, true)].begins[DIM - 1] |= 1 << (BS_LANES - 1);
}

DAMAGE(grid_fill_none, grid_of(w)->block[0].boxes.hi[0][0] = 0)

static void grid_leave_hole(bs_world *w) {
    bs_grid *g = grid_of(w);
    bs_grid_block *b = &g->block[grid_block(g, BS_LANES, false)];
    b->count--;
    bs_block_clear_lane(&b->boxes, (int)b->count);
}

DAMAGE(grid_shrink_range, grid_of(w)->lo[0] = grid_of(w)->place[BOX].cell[0] + 1)
DAMAGE(grid_shrink_range_above, grid_of(w)->hi[DIM - 1] = grid_of(w)->place[BOX].cell[DIM - 1] - 1)

static void grid_lose_cell(bs_world *w) {
    bs_grid *g = grid_of(w);
    g->head[bs_grid_bucket(g, g->place[BOX].cell)] = 0;
}

DAMAGE(grid_move_block, grid_of(w)->block[grid_block(grid_of(w), 0, true)].cell[0] += 1000)
DAMAGE(grid_miscount_cells, grid_of(w)->cells++)
DAMAGE(grid_miscount_entries, grid_of(w)->entries++)
DAMAGE(grid_miscount_in_use, grid_of(w)->in_use++)
DAMAGE(grid_miscount_rest, grid_of(w)->rest->count++)

static void grid_lose_free_blocks(bs_world *w) {
    bs_grid *g = grid_of(w);
    for (uint32_t box = 0; box < 100; box++) {
        bs_world_remove(w, box);
    }
    catch_up(w);
    if (g->free == 0) {
        abort();
    }
    g->free = 0;
}

DAMAGE(grid_free_a_used_block, grid_of(w)->free = 1)

/* A grid that has yet to file all boxes again accepts boxes in any place. */
DAMAGE(grid_grow_unfiled, grid_misplace(w); bs_backend_renew(w->part[BS_DYNAMIC]))

/* --- trees ---------------------------------------------------------------------------------- */

static bs_tree_node *tree_leaf(const bs_tree *t) {
    return bs_tree_node_of(t, t->place[BOX]);
}

static bs_tree_node *tree_parent(const bs_tree *t, const bs_tree_node *node) {
    return bs_tree_node_of(t, node->parent);
}

static void tree_leave_bounds(bs_world *w) {
    bs_tree *t = tree_of(w);
    for (uint32_t i = 1; i < t->used; i++) {
        if (t->node[i].level != BS_TREE_FREE && t->node[i].count < BS_LANES) {
            t->node[i].lanes.lo[0][BS_LANES - 1] = 0;
            return;
        }
    }
    abort();
}

static void tree_shrink_node(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_tree_node *leaf = tree_leaf(t);
    bs_block *lanes = &tree_parent(t, leaf)->lanes;
    int lane = bs_tree_lane_of(leaf->parent);
    lanes->hi[0][lane] = lanes->lo[0][lane];
}

DAMAGE(tree_mislead_child, tree_leaf(tree_of(w))->parent ^= 1)

static void tree_misname_child(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_tree_node *leaf = tree_leaf(t);
    tree_parent(t, leaf)->lanes.id[bs_tree_lane_of(leaf->parent)]++;
}

DAMAGE(tree_name_the_top, tree_of(w)->node[0].lanes.id[0] = 0)
DAMAGE(tree_name_a_node_too_far, tree_of(w)->node[0].lanes.id[0] = tree_of(w)->used * BS_TREE_STEP)
DAMAGE(tree_lift_child, tree_parent(tree_of(w), tree_leaf(tree_of(w)))->level++)
DAMAGE(tree_misplace, tree_of(w)->place[BOX] ^= 1)

static void tree_empty_leaf(bs_world *w) {
    bs_tree_node *leaf = tree_leaf(tree_of(w));
    bs_block_clear(&leaf->lanes);
    leaf->count = 0;
}

DAMAGE(tree_fill_top, tree_of(w)->node[0].count = 2)
DAMAGE(tree_hang_root, bs_tree_root(tree_of(w))->parent = tree_of(w)->place[BOX])

static void tree_free_a_used_node(bs_world *w) {
    bs_tree *t = tree_of(w);
    t->free = (uint32_t)(tree_leaf(t) - t->node);
}

DAMAGE(tree_free_too_high, tree_of(w)->free = tree_of(w)->used)

/* A free node. The tree has one after all boxes of a leaf are removed. */
static bs_tree_node *tree_free_one(bs_world *w) {
    bs_tree *t = tree_of(w);
    bs_tree_node *leaf = tree_leaf(t);
    while (leaf->count > 0) {
        bs_world_remove(w, leaf->lanes.id[0]);
        catch_up(w);
    }
    return leaf;
}

DAMAGE(tree_lose_free_node, tree_free_one(w); tree_of(w)->free = 0)

static void tree_close_free_nodes(bs_world *w) {
    bs_tree_node *node = tree_free_one(w);
    node->parent = (uint32_t)(node - tree_of(w)->node);
}

/* --- sweeps --------------------------------------------------------------------------------- */

/* A block with others on both sides. */
static bs_block *sweep_block(bs_sweeper *s) {
    if (s->ordered < 3) {
        abort();
    }
    return &s->block[s->ordered / 2];
}

/* Swaps two lanes whose minima differ. */
static void sweep_swap_lanes(bs_world *w) {
    bs_block *block = sweep_block(sweep_of(w));
    bs_bounds first = bs_block_get(block, 0);
    bs_bounds last = bs_block_get(block, BS_LANES - 1);
    uint32_t box = block->id[0];
    bs_block_set(block, 0, last, block->id[BS_LANES - 1]);
    bs_block_set(block, BS_LANES - 1, first, box);
}

static void sweep_wake_dead(bs_world *w) {
    bs_sweeper *s = sweep_of(w);
    for (size_t at = 0; at < s->ordered * BS_LANES; at++) {
        bs_block *block = &s->block[at / BS_LANES];
        if (block->id[at % BS_LANES] == BS_SWEEP_NOBODY) {
            block->hi[DIM - 1][at % BS_LANES] = 0;
            return;
        }
    }
    abort();
}

DAMAGE(sweep_forget_far, sweep_of(w)->far[1] = -INFINITY)
DAMAGE(sweep_misplace, sweep_of(w)->position[BOX]++)
DAMAGE(sweep_lose_tail, sweep_of(w)->tail = 0)

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
        shot.life = i % 10 == 9; /* these end in the step */
        bs_pool_spawn(p, &shot);
    }
    bs_pool_step(p, 0.1);
    bs_pool_remove(p, 50);
    bs_pool_remove(p, 20);
    return p;
}

POOL_DAMAGE(pool_mislead_mover, p->slot[3] = p->slot[4])
POOL_DAMAGE(pool_invent_slot, p->slot[3] = p->ids.used)
POOL_DAMAGE(pool_spoil_place, p->before[0][3] = (double)NAN)
POOL_DAMAGE(pool_mislead_ended, p->slot[p->capacity - 1] = p->slot[p->capacity - 2])
POOL_DAMAGE(pool_spoil_ended, p->velocity[1][p->capacity - 1] = HUGE_VAL)
POOL_DAMAGE(pool_stop_ended, p->still[p->capacity - 1] = 1)
POOL_DAMAGE(pool_lose_ended, p->state.ended--)
POOL_DAMAGE(pool_overfill, p->state.ended = p->capacity - p->state.count + 1)
POOL_DAMAGE(pool_miscount_accelerating, p->state.accelerating++)
POOL_DAMAGE(pool_miscount_carriers, p->state.carriers++)
POOL_DAMAGE(pool_miscount_spawned, p->state.totals.spawned++)
POOL_DAMAGE(pool_free_slot_twice, p->ids.free[0] = p->ids.free[1])
POOL_DAMAGE(pool_free_too_high, p->ids.free[0] = p->ids.used)
POOL_DAMAGE(pool_lose_slot, p->ids.idle--)
POOL_DAMAGE(pool_mix_up_emitters, p->emitter[1].number = p->emitter[0].number)

/* --- all of it ------------------------------------------------------------------------------ */

typedef struct damage {
    const char *type;
    void (*make)(bs_world *);
    const char *says; /* NULL if the checker finds nothing */
} damage;

static const damage damages[] = {
    {"tree", spoil_rect, "world: a box has an invalid rect"},
    {"tree", miscount_world, "world: a count is wrong"},
    {"tree", miscount_layered, "world: a count is wrong"},
    {"tree", miscount_shaped, "world: a count of shapes is wrong"},
    {"tree", miscount_mentions, "world: a count of mentions is wrong"},
    {"tree", flag_without_shape, "world: a box and its shape do not agree"},
    {"tree", miss_centre, "world: where the centre of a circle is, is not known right"},
    {"tree", miscount_idle, "world: the list of free indices is broken"},
    {"tree", free_index_twice, "world: the list of free indices is broken"},
    {"tree", free_used_index, "world: the list of free indices is broken"},
    {"tree", miscount_responders, "world: a count of responders is wrong"},
    {"tree", conduct_nobody, "world: an index without a box has a conduct"},
    {"tree", conduct_behind_all, "world: an index without a box has a conduct"},
    {"tree", shorten_conduct, "world: there is no room for the conduct of all boxes"},
    {"tree", bounce_backwards, "world: a box has an invalid conduct"},
    {"tree", fall_forever, "world: a box has an invalid conduct"},
    {"tree", respond_unknown, "world: a box has an invalid conduct"},
    {"tree", face_two_ways, "world: a box has an invalid conduct"},
    {"tree", push_lose_row, "push: rows and boxes do not agree"},
    {"tree", calm_all_pairs, "world: a pair of a restless box stands among the calm ones"},
    {"tree", calm_too_many, "world: more pairs are calm than there are"},
    {"tree", lose_change, "back end: what has changed is not noted right"},
    {"tree", miscount, "world: a back end has another number of boxes"},

    {"brute", move_secretly, "sweep: a lane has other bounds than its box"},
    {"grid", move_secretly, "grid: a box is not in its cell once, with its bounds"},
    {"sweep", move_secretly, "sweep: a lane has other bounds than its box"},
    {"tree", move_secretly, "tree: a leaf has other bounds than its box"},
    {"auto", move_secretly, "tree: a leaf has other bounds than its box"},

    {"grid", grid_misplace, "grid: a box is in other cells than it reaches into"},
    {"grid", grid_forget_box, "grid: a box is nowhere, or should be"},
    {"grid", grid_rest_in_vain, "grid: a box rests that need not"},
    {"grid", grid_leave_bounds, "grid: an unused lane is not empty"},
    {"grid", grid_begin_elsewhere, "grid: a box is not in its cell once, with its bounds"},
    {"grid", grid_begin_nobody, "grid: an unused lane is not empty"},
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
    {"grid", grid_lose_free_blocks, "grid: the list of free blocks is broken"},
    {"grid", grid_free_a_used_block, "grid: the list of free blocks is broken"},

    {"tree", tree_leave_bounds, "tree: an unused lane is not empty"},
    {"tree", tree_shrink_node, "tree: a node does not contain its child"},
    {"tree", tree_mislead_child, "tree: a child does not know its parent"},
    {"tree", tree_misname_child, "tree: a child is no node"},
    {"tree", tree_name_the_top, "tree: a child is no node"},
    {"tree", tree_name_a_node_too_far, "tree: a child is no node"},
    {"tree", tree_lift_child, "tree: a child does not know its parent"},
    {"tree", tree_hang_root, "tree: a child does not know its parent"},
    {"tree", tree_misplace, "tree: a box is not where its place says"},
    {"tree", tree_empty_leaf, "tree: a node has no child, or too many"},
    {"tree", tree_fill_top, "tree: a node has no child, or too many"},
    {"tree", tree_free_a_used_node, "tree: the list of free nodes is broken"},
    {"tree", tree_free_too_high, "tree: the list of free nodes is broken"},
    {"tree", tree_close_free_nodes, "tree: the list of free nodes is broken"},
    {"tree", tree_lose_free_node, "tree: a free node is lost"},

    {"sweep", sweep_swap_lanes, "sweep: the order is not sorted"},
    {"sweep", sweep_wake_dead, "sweep: a dead lane has bounds"},
    {"sweep", sweep_forget_far, "sweep: a box reaches farther than its block"},
    {"sweep", sweep_misplace, "sweep: a box is not where its position says"},
    {"sweep", sweep_lose_tail, "sweep: the number of boxes is wrong"},
};

static const damage harmless[] = {
    {"grid", grid_grow_unfiled, NULL}, {"grid", push_begin, NULL}, {"grid", move_begin, NULL}};

/* Pushes and moves that have not ended. Only the check between two calls reports them. */
static const damage unended[] = {
    {"tree", push_begin, "push: one has not ended"},
    {"tree", move_begin, "move: one has not ended"},
};

/*
 * Damage that only a back end's own checker reports, because the world's checker looks at its count
 * first.
 */
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
    {pool_mislead_ended, "pool: a mover and its slot do not agree"},
    {pool_spoil_ended, "pool: a mover's box is not finite"},
    {pool_stop_ended, "pool: a mover has ended without having moved"},
    {pool_lose_ended, "pool: a slot is lost"},
    {pool_overfill, "pool: there are more movers than there is room for"},
    {pool_miscount_accelerating, "pool: a count is wrong"},
    {pool_miscount_carriers, "pool: a count is wrong"},
    {pool_miscount_spawned, "pool: a count is wrong"},
    {pool_free_slot_twice, "pool: the list of free slots is broken"},
    {pool_free_too_high, "pool: the list of free slots is broken"},
    {pool_lose_slot, "pool: the list of free slots is broken"},
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

static void test_unended(const damage *d, size_t i) {
    bs_world *w = make_world(d->type);
    expect(d->type, i, NULL, bs_moves_check(w));
    d->make(w);
    expect(d->type, i, d->says, bs_moves_check(w));
    bs_world_free(w);
}

static void test_world(const damage *d, size_t i, bool alone) {
    bs_world *w = make_world(d->type);
    expect(d->type, i, NULL, bs_world_check(w));
    size_t conduct_cap = w->conduct_cap;
    d->make(w);
    const bs_backend *part = w->part[BS_DYNAMIC];
    expect(d->type, i, d->says, alone ? bs_backend_check(part) : bs_world_check(w));
    if (d->make == shorten_conduct) {
        w->conduct_cap = conduct_cap;
    }
    bs_world_free(w);
}

int main(void) {
    size_t n = sizeof damages / sizeof *damages;
    size_t pools = sizeof pool_damages / sizeof *pool_damages;
    for (size_t i = 0; i < n; i++) {
        test_world(&damages[i], i, false);
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        test_world(&harmless[i], n + i, false);
    }
    for (size_t i = 0; i < sizeof unended / sizeof *unended; i++) {
        test_unended(&unended[i], i);
    }
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
           n + sizeof counts / sizeof *counts + sizeof unended / sizeof *unended + pools);
    return failures > 0;
}
