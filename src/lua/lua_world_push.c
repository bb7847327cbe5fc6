/* lua_world_push.c: World's method for platforms: boxes that push and carry others. */
#include "memory.h"
#include "module.h"
#include "rows.h"
#include "rules.h"

enum { BOX = 2, GOAL = 3, FILTER = GOAL + DIM, OUT };

typedef struct pushing {
    uint32_t box;
    bs_rect goal;
    bsl_rules rules;
    bs_push *p; /* or NULL */
} pushing;

static void read_pushing(lua_State *L, const bsl_world *w, pushing *c) {
    c->box = bsl_check_box(L, w, BOX);
    c->goal = bsl_check_goal(L, bs_world_rect(w->core, c->box), GOAL);
    c->rules = bsl_check_rules(L, w, FILTER);
    bsl_check_move_out(L, OUT, FILTER);
}

/* Asks about all that the pusher would push or carry itself. */
static void ask_about_rows(lua_State *L, bsl_world *w, const pushing *c) {
    size_t n;
    bs_pushed *rows = bs_push_rows(c->p, &n);
    bs_id self = bs_world_id(w->core, c->box);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].response == BS_UNKNOWN) {
            rows[i].response = bsl_ask_response(L, w, self, rows[i].id);
        }
    }
}

/* All that can fail. */
static void push_and_write(lua_State *L, bsl_world *w, void *context) {
    pushing *c = context;
    ask_about_rows(L, w, c);
    if (bs_push_run(c->p) != BS_OK) {
        bs_push_end(c->p);
        c->p = NULL;
        bsl_no_memory(L);
    }
    size_t n;
    const bs_pushed *rows = bs_push_rows(c->p, &n);
    if (!bsl_has_rows(L, BSL_ASK_STORE, BSL_ASK_OUT, n, &bsl_pushed_layout)) {
        bsl_make_rows(L, w, BSL_ASK_STORE, BSL_ASK_OUT, n, &bsl_pushed_layout);
    }
    bsl_write_pushed(L, w, BSL_ASK_STORE, BSL_ASK_OUT, rows, n);
}

/*
 * world:push(box, goalX, goalY, filter?, out?) -> x, y, hits, n: a platform goes all the way, moves
 * what is in its way ahead of it, and carries what rests on it. Rows of hits: other, x, y, crushed,
 * carried. A move for each of these
 */
static int push(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    pushing c = {.p = NULL};
    if (lua_gettop(L) < FILTER - 1) {
        read_pushing(L, w, &c); /* which tells what is missing */
    }
    int out = bsl_push_out(L, OUT);
    int store = bsl_push_store(L, 1);
    bsl_check_open(L, w);
    read_pushing(L, w, &c);
    c.p = bs_push_begin(w->core, c.box, c.goal.pos, &c.rules.core);
    bsl_check_room(L, c.p != NULL);
    if (!bsl_protect_asking(L, w, store, c.rules.function, out, push_and_write, &c)) {
        if (w->core != NULL && c.p != NULL) {
            bs_push_undo(c.p);
            bs_push_end(c.p);
        }
        lua_error(L);
    }
    bsl_check_open(L, w);
    size_t n;
    (void)bs_push_rows(c.p, &n);
    bs_push_end(c.p);
    bsl_push_numbers(L, c.goal.pos, DIM);
    bsl_return_list(L, out, n);
    bsl_tell(L, w);
    return DIM + 2;
}

const luaL_Reg bsl_world_push_methods[] = {{"push", push}, {NULL, NULL}};
