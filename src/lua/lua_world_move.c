/* lua_world_move.c: World's methods that move boxes to their goals, as far as they get. */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "rows.h"
#include "rules.h"

/* --- one box -------------------------------------------------------------------------------- */

/* Stack indices of the arguments. */
enum { BOX = 2, GOAL = 3, FILTER = GOAL + DIM, OUT };

typedef struct travel {
    uint32_t box;
    bs_rect goal;
    bsl_rules rules;
    bs_move *m;
} travel;

static void read_travel(lua_State *L, const bsl_world *w, travel *t) {
    t->box = bsl_check_box(L, w, BOX);
    t->goal = bsl_check_goal(L, bs_world_rect(w->core, t->box), GOAL);
    t->rules = bsl_check_rules(L, w, FILTER);
    bsl_check_move_out(L, OUT, FILTER);
}

static void begin(lua_State *L, const bsl_world *w, travel *t) {
    t->m = bs_move_begin(w->core, t->box, t->goal.pos, &t->rules.core);
    bsl_check_room(L, t->m != NULL);
}

/* Again once there are rows: finalisers may have run while they were made. */
static void run(lua_State *L, bsl_world *w, int store, int out, travel *t) {
    for (;;) {
        uint32_t none;
        begin(L, w, t);
        bs_progress progress = bs_move_run(t->m, &none);
        const bs_collisions *met = bs_move_collisions(t->m);
        bs_move_end(t->m); /* it can be read until another one begins */
        bsl_check_room(L, progress == BS_MOVE_DONE);
        if (bsl_has_rows(L, store, out, met->n, &bsl_collision_layout)) {
            bsl_write_collisions(L, w, store, out, met);
            return;
        }
        bsl_make_rows(L, w, store, out, met->n, &bsl_collision_layout);
        read_travel(L, w, t);
    }
}

/* Asks about what is met until the way has come to its end. */
static void ask_on_the_way(lua_State *L, bsl_world *w, bs_move *m, uint32_t box) {
    bs_progress progress;
    uint32_t other;
    bs_id self = bs_world_id(w->core, box);
    while ((progress = bs_move_run(m, &other)) == BS_MOVE_ASKS) {
        bs_move_answer(m, bsl_ask_response(L, w, self, bs_world_id(w->core, other)));
    }
    bsl_check_room(L, progress == BS_MOVE_DONE);
}

/* All that can fail: the world is locked until it is done. */
static void ask_and_write(lua_State *L, bsl_world *w, void *context) {
    const travel *t = context;
    ask_on_the_way(L, w, t->m, t->box);
    const bs_collisions *met = bs_move_collisions(t->m);
    if (!bsl_has_rows(L, BSL_ASK_STORE, BSL_ASK_OUT, met->n, &bsl_collision_layout)) {
        bsl_make_rows(L, w, BSL_ASK_STORE, BSL_ASK_OUT, met->n, &bsl_collision_layout);
    }
    bsl_write_collisions(L, w, BSL_ASK_STORE, BSL_ASK_OUT, met);
}

static void run_asking(lua_State *L, bsl_world *w, int store, int out, travel *t) {
    begin(L, w, t);
    bool done = bsl_protect_asking(L, w, store, t->rules.function, out, ask_and_write, t);
    if (w->core != NULL) {
        bs_move_end(t->m);
    }
    if (!done) {
        lua_error(L);
    }
    bsl_check_open(L, w);
}

static int travel_to_goal(lua_State *L, bsl_world *w, bool moves) {
    travel t;
    if (lua_gettop(L) < FILTER - 1) {
        read_travel(L, w, &t); /* which tells what is missing */
    }
    int out = bsl_push_out(L, OUT);
    int store = bsl_push_store(L, 1);
    bsl_check_open(L, w);
    read_travel(L, w, &t);
    if (t.rules.function != 0) {
        run_asking(L, w, store, out, &t);
    } else {
        run(L, w, store, out, &t);
    }
    bs_rect rect = bs_move_rect(t.m);
    size_t n = bs_move_collisions(t.m)->n;
    if (moves) {
        bs_world_update(w->core, t.box, &rect);
    }
    bsl_push_numbers(L, rect.pos, DIM);
    bsl_return_list(L, out, n);
    bsl_tell(L, w);
    return DIM + 2;
}

/*
 * world:move(box, goalX, goalY, filter?, out?) -> x, y, hits, n: moves it as far as it gets. Rows
 * of hits: other, response, t, x, y, nx, ny, overlap. O(log n + k log k)
 */
static int move(lua_State *L) {
    return travel_to_goal(L, bsl_self_free_world(L), true);
}

/* world:check(box, goalX, goalY, filter?, out?) -> x, y, hits, n: the same, but nothing moves. */
static int check(lua_State *L) {
    return travel_to_goal(L, bsl_self_world(L), false);
}

/* --- many boxes ----------------------------------------------------------------------------- */

enum { MANY_BOXES = 2, MANY_GOALS, MANY_FILTER, MANY_OUT };

/* The boxes of w->list, where they were, where they shall go, and how far they have come. */
typedef struct convoy {
    bsl_rules rules;
    bsl_cursor *cursor; /* the boxes, then DIM places of each before, then DIM goals of each */
    size_t n;
    size_t length; /* of the table for results */
    size_t done;
    size_t hindered; /* how many of these were stopped or turned */
    bs_move *m;      /* the one on its way, or NULL */
} convoy;

static bs_id *place_before(const convoy *c, size_t i) {
    return c->cursor->ids + c->n + i * DIM;
}

static bs_id *goal_of(const convoy *c, size_t i) {
    return c->cursor->ids + c->n + c->n * DIM + i * DIM;
}

/* Room for all, which may run no Lua code; then the arguments. */
static void read_convoy(lua_State *L, bsl_world *w, convoy *c) {
    bsl_check_boxes(L, w, MANY_BOXES);
    c->n = w->list.n;
    size_t given = bsl_check_groups(L, MANY_GOALS, 1);
    if (given != c->n * DIM) {
        bsl_bad(L, bsl_place_arg(MANY_GOALS), "%zu numbers expected for %zu boxes, got %zu",
                c->n * DIM, c->n, given);
    }
    bsl_reserve_cursor(L, c->cursor, c->n * (1 + 2 * DIM));
    for (size_t i = 0; i < c->n; i++) {
        const bs_rect *rect = bs_world_rect(w->core, w->list.at[i]);
        bs_rect goal = *rect;
        int first = bsl_push_items(L, MANY_GOALS, i * DIM, DIM);
        bsl_corner_at(L, MANY_GOALS, i * DIM, first, &goal);
        lua_settop(L, first - 1);
        c->cursor->ids[i] = bs_world_id(w->core, w->list.at[i]);
        for (int k = 0; k < DIM; k++) {
            bsl_check_way(L, bsl_place_item(MANY_GOALS, i * DIM + (size_t)k + 1), rect, &goal, k);
            place_before(c, i)[k] = bsl_bits_of(rect->pos[k]);
            goal_of(c, i)[k] = bsl_bits_of(goal.pos[k]);
        }
    }
    c->rules = bsl_check_rules(L, w, MANY_FILTER);
    bsl_check_move_out(L, MANY_OUT, MANY_FILTER);
}

static bool is_hindrance(const bs_collisions *met) {
    for (size_t i = 0; i < met->n; i++) {
        if (met->at[i].response != BS_CROSS) {
            return true;
        }
    }
    return false;
}

/* In the protected call arguments are not at their places: the message is made by hand. */
static _Noreturn void bad_next_way(lua_State *L, const convoy *c, int axis, double from,
                                   double to) {
    lua_pushfstring(L, "bad argument #%d to 'moveMany' (item %d: %s, got one from %f to %f)",
                    MANY_GOALS - 1, (int)c->done * DIM + axis + 1, "finite way expected", from, to);
    bsl_fail(L, lua_tostring(L, -1));
}

/* The goal of the next box. If that is there twice, it is not where it was when goals were read. */
static void next_goal(lua_State *L, const bsl_world *w, const convoy *c, uint32_t box,
                      double goal[DIM]) {
    const bs_rect *rect = bs_world_rect(w->core, box);
    for (int k = 0; k < DIM; k++) {
        goal[k] = bsl_number_of(goal_of(c, c->done)[k]);
        if (!isfinite(goal[k] - rect->pos[k])) {
            bad_next_way(L, c, k, rect->pos[k], goal[k]);
        }
    }
}

/* Moves the boxes one after the other, and puts where each ends in the place of its goal. */
static void move_all(lua_State *L, bsl_world *w, void *context) {
    convoy *c = context;
    for (; c->done < c->n; c->done++) {
        uint32_t box = bsl_index_of(c->cursor->ids[c->done]);
        double goal[DIM];
        next_goal(L, w, c, box, goal);
        c->m = bs_move_begin(w->core, box, goal, &c->rules.core);
        bsl_check_room(L, c->m != NULL);
        ask_on_the_way(L, w, c->m, box);
        bs_rect rect = bs_move_rect(c->m);
        c->hindered += is_hindrance(bs_move_collisions(c->m));
        bs_move_end(c->m);
        c->m = NULL;
        bs_world_update(w->core, box, &rect);
        for (int k = 0; k < DIM; k++) {
            goal_of(c, c->done)[k] = bsl_bits_of(rect.pos[k]);
        }
    }
}

/* The last one first: so a box that is there twice comes back to where it was at first. */
static void move_back(bsl_world *w, convoy *c) {
    if (w->core == NULL) {
        return;
    }
    if (c->m != NULL) {
        bs_move_end(c->m);
    }
    while (c->done-- > 0) {
        uint32_t box = bsl_index_of(c->cursor->ids[c->done]);
        bs_rect rect = *bs_world_rect(w->core, box);
        for (int k = 0; k < DIM; k++) {
            rect.pos[k] = bsl_number_of(place_before(c, c->done)[k]);
        }
        bs_world_update(w->core, box, &rect);
    }
}

static void write_places(lua_State *L, const convoy *c, int out, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        lua_pushnumber(L, bsl_number_of(goal_of(c, 0)[i]));
        lua_rawseti(L, out, (int)i + 1);
    }
}

/* All that can fail. What lies behind the table's end comes first: that can be taken back. */
static void move_and_write(lua_State *L, bsl_world *w, void *context) {
    convoy *c = context;
    size_t n = c->n * DIM;
    move_all(L, w, c);
    write_places(L, c, BSL_ASK_OUT, c->length, n);
    write_places(L, c, BSL_ASK_OUT, 0, n < c->length ? n : c->length);
}

/*
 * world:moveMany(boxes, goals, filter?, out?) -> out, n; goals: {x1, y1, ...}. Moves one after the
 * other, as world:move does; out: where each ended, n: how many were stopped or turned.
 */
static int move_many(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    if (lua_gettop(L) < MANY_GOALS) {
        bsl_check_boxes(L, w, MANY_BOXES);
        bsl_check_table(L, MANY_GOALS); /* which is missing, if nothing else is */
    }
    int out = bsl_push_out(L, MANY_OUT);
    int store = bsl_push_store(L, 1);
    convoy c = {.cursor = bsl_new_cursor(L, w, store, 0)};
    int cursor = lua_gettop(L);
    read_convoy(L, w, &c);
    c.length = bsl_out_length(L, out, true, c.n * DIM);
    if (!bsl_protect_asking(L, w, store, c.rules.function, out, move_and_write, &c)) {
        bsl_erase(L, out, c.length, c.n * DIM);
        move_back(w, &c);
        lua_error(L);
    }
    bsl_check_open(L, w);
    bsl_erase(L, out, c.n * DIM, c.length);
    size_t hindered = c.hindered;
    bsl_free_cursor(L, w, store, cursor);
    bsl_return_list(L, out, hindered);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_move_methods[] = {
    {"move", move},
    {"check", check},
    {"moveMany", move_many},
    {NULL, NULL},
};
