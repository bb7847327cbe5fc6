/* move_methods.c: a World's methods that move boxes to their goals. */
#include "filters.h"
#include "memory.h"
#include "module.h"

#include <string.h>

/* --- goals ---------------------------------------------------------------------------------- */

static void check_way(lua_State *L, bsl_where where, const bs_rect *from, const bs_rect *to,
                      int axis) {
    bsl_check_far(L, where, to, axis);
    if (!isfinite(to->pos[axis] - from->pos[axis])) {
        bsl_bad(L, where, "finite motion expected, got one from %.14g to %.14g", from->pos[axis],
                to->pos[axis]);
    }
}

/* Checks the table for results, which must not be the table with masks. */
static void check_out(lua_State *L, int out, int filter) {
    bsl_check_table(L, out);
    if (lua_rawequal(L, out, filter)) {
        bsl_bad(L, bsl_where_arg(out), "another table than the filter expected");
    }
}

/* --- one box -------------------------------------------------------------------------------- */

enum { BOX = 2, GOAL = 3, FILTER = GOAL + DIM, OUT }; /* arguments */

/* The move of a box, or the push of a platform. */
typedef struct travel {
    bsl_call call;
    uint32_t box;
    bs_rect goal;
    bs_rules rules;
    bool moves; /* true in world:move and world:moveBy */
    bool by;    /* true in world:moveBy, whose goal is given as a distance */
    bs_move *m;
    const uint32_t *platform; /* its boxes */
    const bs_rect *after;     /* where these go */
    size_t boxes;             /* how many there are */
    size_t n;                 /* number of rows */
} travel;

static void begin(lua_State *L, travel *t, bsl_world *w) {
    t->moves = t->by = false;
    bsl_begin(&t->call, w, FILTER);
    (void)bsl_make_out(L, w, FILTER - 1, OUT);
}

/* Reads the filter and the table for results. */
static void read_rules(lua_State *L, travel *t) {
    t->rules = bsl_check_rules(L, &t->call, true);
    t->rules.pushes = t->moves;
    check_out(L, OUT, FILTER);
    bsl_args_done(L, &t->call, OUT);
}

static void read_travel(lua_State *L, travel *t) {
    const bsl_world *w = t->call.w;
    t->box = bsl_check_box(L, w, BOX);
    const bs_rect *from = bs_world_rect(w->core, t->box);
    t->goal = *from;
    for (int k = 0; k < DIM; k++) {
        double goal = bsl_check_number(L, GOAL + k);
        t->goal.pos[k] = t->by ? from->pos[k] + goal : goal;
        check_way(L, bsl_where_arg(GOAL + k), from, &t->goal, k);
    }
    read_rules(L, t);
}

/* Returns what the box has met. */
static const bs_collisions *run_move(lua_State *L, travel *t) {
    t->m = bs_move_run(t->call.w->core, t->box, t->goal.pos, &t->rules);
    bsl_check_room(L, t->m != NULL);
    return bs_move_collisions(t->m);
}

/*
 * Moves the box. If the table has too few rows, which is rare, it makes them and begins again,
 * because the finalisers that may have run meanwhile can have changed anything.
 */
static void run(lua_State *L, travel *t) {
    const bsl_call *c = &t->call;
    for (;;) {
        const bs_collisions *met = run_move(L, t);
        bs_move_end(t->m); /* its result can be read until another move begins */
        if (bsl_write_rows(L, c->w, c->store, OUT, met->at, met->n, BSL_COLLISIONS)) {
            return;
        }
        bsl_make_rows(L, c->store, OUT, met->n, BSL_COLLISIONS);
        bsl_check_open(L, c->w);
        read_travel(L, t);
    }
}

/* The world is locked, so nothing changes while rows are made. */
static void make_and_write(lua_State *L, const bsl_call *c, const void *of, size_t n,
                           bsl_row_kind kind) {
    while (!bsl_write_rows(L, c->w, c->store, OUT, of, n, kind)) {
        bsl_make_rows(L, c->store, OUT, n, kind);
    }
}

static void move_and_write(lua_State *L, void *context) {
    travel *t = context;
    const bs_collisions *met = run_move(L, t);
    make_and_write(L, &t->call, met->at, met->n, BSL_COLLISIONS);
}

static int return_rows(lua_State *L, const travel *t, const double position[DIM], size_t n) {
    bsl_push_numbers(L, position, DIM);
    return DIM + bsl_return_list(L, t->call.w, OUT, n);
}

static int travel_to_goal(lua_State *L, bsl_world *w, bool moves, bool by) {
    travel t;
    begin(L, &t, w);
    t.moves = moves;
    t.by = by;
    read_travel(L, &t);
    /* If there is no memory for the list, what it has pushed must go back. */
    bool may_push = moves && bs_rules_may_give(&t.rules, BS_PUSH);
    if (t.rules.ask != NULL || may_push) {
        bsl_run_asking(L, &t.call, move_and_write, &t);
    } else {
        run(L, &t);
    }
    bs_rect rect = bs_move_rect(t.m);
    size_t n = bs_move_collisions(t.m)->n;
    if (moves) {
        bs_world_update(w->core, t.box, &rect);
    }
    return return_rows(L, &t, rect.pos, n);
}

/*
 * world:move(box, goalX, goalY, filter?, out?) -> x, y, hits, n: moves the box as far as it gets.
 * Rows of hits: other, response, t, x, y, nx, ny, overlap. O(log n + k log k)
 */
static int move(lua_State *L) {
    return travel_to_goal(L, bsl_self_free_world(L), true, false);
}

/*
 * world:moveBy(box, dx, dy, filter?, out?) -> x, y, hits, n: as world:move with the goal x + dx,
 * y + dy, where x, y is the corner of the box's rectangle.
 */
static int move_by(lua_State *L) {
    return travel_to_goal(L, bsl_self_free_world(L), true, true);
}

/* world:check(box, goalX, goalY, filter?, out?) -> x, y, hits, n: as world:move; moves nothing. */
static int check(lua_State *L) {
    return travel_to_goal(L, bsl_self_world(L), false, false);
}

/* --- pushing -------------------------------------------------------------------------------- */

static void push_and_write(lua_State *L, void *context) {
    travel *t = context;
    bs_pushes pushes;
    bsl_check_status(
        L, bs_push_run(t->call.w->core, t->platform, t->after, t->boxes, &t->rules, &pushes));
    t->n = pushes.n;
    make_and_write(L, &t->call, pushes.at, pushes.n, BSL_PUSHED);
}

/*
 * world:push(box, goalX, goalY, filter?, out?) -> x, y, hits, n: moves a platform all the way. It
 * pushes boxes out of its way, and carries those that rest on it. Rows of hits: other, x, y,
 * crushed, carried. Costs a move for each of these
 */
static int push(lua_State *L) {
    travel t;
    begin(L, &t, bsl_self_free_world(L));
    read_travel(L, &t);
    t.platform = &t.box;
    t.after = &t.goal;
    t.boxes = 1;
    bsl_run_asking(L, &t.call, push_and_write, &t);
    return return_rows(L, &t, t.goal.pos, t.n);
}

/* Reads a platform's boxes and their new rects into the world's scratch memory, rects first. */
static void read_platform(lua_State *L, travel *t) {
    bsl_world *w = t->call.w;
    double way[DIM];
    const uint32_t *boxes = bsl_check_boxes(L, w, BOX, &t->boxes);
    bsl_check_vector(L, GOAL, way);
    size_t n = t->boxes;
    bs_rect *after = bsl_reserve(L, &w->account, &w->moves, n * (sizeof *after + sizeof *boxes));
    uint32_t *copy = (uint32_t *)(after + n);
    for (size_t i = 0; i < n; i++) {
        const bs_rect *from = bs_world_rect(w->core, boxes[i]);
        after[i] = *from;
        for (int k = 0; k < DIM; k++) {
            after[i].pos[k] += way[k];
            check_way(L, bsl_where_arg(GOAL + k), from, &after[i], k);
        }
        copy[i] = boxes[i];
    }
    t->platform = copy;
    t->after = after;
}

/*
 * world:pushMany(boxes, dx, dy, filter?, out?) -> hits, n: as push, for a platform of several boxes
 * that move as one. A box that rests on several of them is carried once.
 */
static int push_many(lua_State *L) {
    travel t;
    begin(L, &t, bsl_self_free_world(L));
    read_platform(L, &t);
    read_rules(L, &t);
    bsl_run_asking(L, &t.call, push_and_write, &t);
    return bsl_return_list(L, t.call.w, OUT, t.n);
}

/* --- many boxes ----------------------------------------------------------------------------- */

enum { MANY_BOXES = 2, MANY_GOALS, MANY_FILTER, MANY_OUT }; /* arguments */

typedef struct one_move {
    uint32_t box;
    double position[DIM]; /* its goal; its position once it has moved */
} one_move;

typedef struct many_moves {
    bsl_call call;
    bs_rules rules;
    one_move *moves;
    size_t n;
    size_t done;
    size_t stopped; /* how many of the boxes were stopped or turned */
} many_moves;

static void read_many(lua_State *L, many_moves *c) {
    bsl_world *w = c->call.w;
    const uint32_t *boxes = bsl_check_boxes(L, w, MANY_BOXES, &c->n);
    const bs_rect *goals = bsl_check_positions(L, w, MANY_GOALS, boxes, c->n);
    c->moves = bsl_reserve(L, &w->account, &w->moves, c->n * sizeof *c->moves);
    for (size_t i = 0; i < c->n; i++) {
        const bs_rect *rect = bs_world_rect(w->core, boxes[i]);
        for (int k = 0; k < DIM; k++) {
            check_way(L, bsl_where_item(MANY_GOALS, i * DIM + (size_t)k + 1), rect, &goals[i], k);
        }
        c->moves[i].box = boxes[i];
        memcpy(c->moves[i].position, goals[i].pos, sizeof rect->pos);
    }
    c->rules = bsl_check_rules(L, &c->call, true);
    c->rules.pushes = true;
    check_out(L, MANY_OUT, MANY_FILTER);
    bsl_args_done(L, &c->call, MANY_OUT);
}

/* Whether the box was stopped or turned on its way to the goal. */
static bool was_stopped(const bs_collisions *met, const double goal[DIM], const bs_rect *there) {
    bool stopped = false;
    for (size_t i = 0; i < met->n; i++) {
        bs_response response = met->at[i].response;
        stopped = stopped || (response != BS_CROSS && response != BS_PUSH);
        /* A box that it pushed may have stopped it. */
        for (int k = 0; response == BS_PUSH && k < DIM; k++) {
            stopped = stopped || there->pos[k] != goal[k];
        }
    }
    return stopped;
}

/* All steps that can fail: moves the boxes one after the other, and writes where they ended. */
static void move_all(lua_State *L, void *context) {
    many_moves *c = context;
    const bsl_world *w = c->call.w;
    for (; c->done < c->n; c->done++) {
        one_move *s = &c->moves[c->done];
        /* A box that is listed twice is not where it was when goals were read. */
        const bs_rect *from = bs_world_rect(w->core, s->box);
        bs_rect to = *from;
        memcpy(to.pos, s->position, sizeof to.pos);
        for (int k = 0; k < DIM; k++) {
            check_way(L, bsl_where_item(MANY_GOALS, c->done * DIM + (size_t)k + 1), from, &to, k);
        }
        bs_move *m = bs_move_run(w->core, s->box, s->position, &c->rules);
        bsl_check_room(L, m != NULL);
        bs_rect rect = bs_move_rect(m);
        c->stopped += was_stopped(bs_move_collisions(m), s->position, &rect);
        bs_move_end(m);
        bsl_check_status(L, bs_journal_update(w->core, s->box, &rect));
        memcpy(s->position, rect.pos, sizeof s->position);
    }
    bsl_out out = bsl_open_out(L, MANY_OUT, c->n * DIM);
    for (size_t i = 0; i < c->n; i++) {
        bsl_append_numbers(L, &out, c->moves[i].position, DIM);
    }
    bsl_close_out(L, &out);
}

/*
 * world:moveMany(boxes, goals, filter?, out?) -> out, n; goals: {x1, y1, ...}. Moves one box after
 * the other, as world:move does. out: where each of them ended; n: how many were stopped or turned.
 */
static int move_many(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    many_moves c = {.done = 0};
    bsl_begin(&c.call, w, MANY_FILTER);
    (void)bsl_make_out(L, w, MANY_GOALS, MANY_OUT);
    read_many(L, &c);
    bsl_run_asking(L, &c.call, move_all, &c);
    return bsl_return_list(L, w, MANY_OUT, c.stopped);
}

const luaL_Reg bsl_move_methods[] = {
    {"move", move},          {"moveBy", move_by},     {"check", check}, {"push", push},
    {"pushMany", push_many}, {"moveMany", move_many}, {NULL, NULL},
};
