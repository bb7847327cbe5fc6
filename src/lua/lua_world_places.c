/* lua_world_places.c: World's methods that ask what a box rests on, and whether a place is free. */
#include "memory.h"
#include "module.h"
#include "rules.h"

/* A list of boxes in whose order the first one that is solid is looked for. */
typedef struct asking {
    bsl_cursor *cursor;
    bs_id self;
    bs_id found; /* 0: none */
} asking;

static void ask_until_solid(lua_State *L, bsl_world *w, void *context) {
    asking *a = context;
    for (size_t i = 0; i < a->cursor->n && a->found == 0; i++) {
        bs_response response = bsl_ask_response(L, w, a->self, a->cursor->ids[i]);
        if (response != BS_PASS && response != BS_CROSS) {
            a->found = a->cursor->ids[i];
        }
    }
}

/* What finds the boxes that may be solid, into w->list; it reads the arguments, too. */
typedef uint32_t (*find_boxes)(lua_State *L, bsl_world *w, bsl_rules *rules);

/* The first box that the finder finds and that is solid; 0: none. */
static bs_id find_solid(lua_State *L, bsl_world *w, find_boxes find) {
    bsl_rules rules;
    (void)find(L, w, &rules);
    if (rules.function == 0) {
        return w->list.n > 0 ? bs_world_id(w->core, w->list.at[0]) : 0;
    }
    int store = bsl_push_store(L, 1);
    asking a = {.cursor = bsl_new_cursor(L, w, store, 0)};
    int cursor = lua_gettop(L);
    uint32_t self = find(L, w, &rules); /* again: a finaliser may have run */
    bsl_fill_cursor(L, a.cursor, &w->list, 0);
    a.self = bs_world_id(w->core, self);
    if (!bsl_protect_asking(L, w, store, rules.function, store, ask_until_solid, &a)) {
        lua_error(L);
    }
    bsl_check_open(L, w);
    bsl_free_cursor(L, w, store, cursor);
    lua_settop(L, store - 1);
    return a.found;
}

static void push_found(lua_State *L, bsl_world *w, bs_id found) {
    if (found == 0) {
        lua_pushnil(L);
    } else {
        bsl_push_result(L, w, bsl_push_store(L, 1), found);
    }
}

/* --- touching ------------------------------------------------------------------------------- */

/* The axis on which the numbers at `arg` point, and whether they point upwards on it. */
static int check_side(lua_State *L, int arg, bool *up) {
    int axis = DIM;
    for (int k = 0; k < DIM; k++) {
        double d = bsl_check_number(L, arg + k);
        if (d != 0 && axis < DIM) {
            bsl_bad(L, bsl_place_arg(arg + k), "0 expected, as the side is named before, got %.14g",
                    d);
        }
        if (d != 0) {
            axis = k;
            *up = d > 0;
        }
    }
    if (axis == DIM) {
        bsl_bad(L, bsl_place_arg(arg + DIM - 1), "number other than 0 expected, got 0");
    }
    return axis;
}

static uint32_t find_touching(lua_State *L, bsl_world *w, bsl_rules *rules) {
    bool up = false;
    uint32_t box = bsl_check_box(L, w, 2);
    int axis = check_side(L, 3, &up);
    *rules = bsl_check_rules(L, w, 3 + DIM);
    bsl_check_status(L, bs_world_touching(w->core, box, axis, up, &rules->core, &w->list));
    return box;
}

/*
 * world:touching(box, dx, dy, filter?) -> other or nil: what it rests flush against on the side
 * that faces dx, dy, of which one is not 0; of several the box inserted first. O(log n + k)
 */
static int touching(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    push_found(L, w, find_solid(L, w, find_touching));
    bsl_tell(L, w);
    return 1;
}

/* --- canFit --------------------------------------------------------------------------------- */

enum { PLACE = 3, SIZE = PLACE + DIM, FIT_FILTER = SIZE + DIM };

static uint32_t find_blocking(lua_State *L, bsl_world *w, bsl_rules *rules) {
    uint32_t box = bsl_check_box(L, w, 2);
    bs_rect place = *bs_world_rect(w->core, box);
    bsl_check_place(L, PLACE, &place);
    *rules = bsl_check_rules(L, w, FIT_FILTER);
    bsl_check_status(L, bs_world_blocking(w->core, box, &place, &rules->core, &w->list));
    return box;
}

/*
 * world:canFit(box, x, y, w?, h?, filter?) -> bool, other: whether that place is free, and which
 * box is in the way; of several the one inserted first. O(log n + k)
 */
static int can_fit(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bs_id found = find_solid(L, w, find_blocking);
    lua_pushboolean(L, found == 0);
    push_found(L, w, found);
    if (found != 0) {
        lua_replace(L, -2); /* the store */
    }
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_place_methods[] = {
    {"touching", touching}, {"canFit", can_fit}, {NULL, NULL}};
