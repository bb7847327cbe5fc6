/* places.c: a World's methods that ask what a box rests on, and whether a place is free. */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct asking {
    const bsl_call *call;
    uint32_t self;
    uint32_t found; /* or BS_NO_BOX */
} asking;

static bool is_solid(bs_response response) {
    return response != BS_PASS && response != BS_CROSS;
}

static void ask_until_solid(lua_State *L, void *context) {
    asking *a = context;
    const bsl_cursor *cursor = a->call->cursor;
    const uint32_t *boxes = cursor->items.at;
    for (size_t i = 0; i < cursor->n && a->found == BS_NO_BOX; i++) {
        if (is_solid(bsl_ask_response(L, a->call->w, a->self, boxes[i]))) {
            a->found = boxes[i];
        }
    }
}

/* The first box of the world's list, which may be solid to `self`, that is; or BS_NO_BOX. */
static uint32_t find_solid(lua_State *L, const bsl_call *c, uint32_t self) {
    const bs_list *list = &c->w->list;
    if (c->cursor == NULL) {
        return list->n > 0 ? list->at[0] : BS_NO_BOX;
    }
    asking a = {c, self, BS_NO_BOX};
    bsl_fill_cursor(L, c->cursor, list->at, list->n, sizeof *list->at);
    bsl_run_asking(L, c, ask_until_solid, &a);
    bsl_end_asking(L, c);
    return a.found;
}

static int push_found(lua_State *L, const bsl_call *c, uint32_t found) {
    if (found == BS_NO_BOX) {
        lua_pushnil(L);
    } else {
        int store = bsl_result_store(L, c);
        bsl_push_result(L, c->w, store, found);
    }
    bsl_tell(L, c->w);
    return 1;
}

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

/*
 * world:touching(box, dx, dy, filter?) -> other or nil: what it rests flush against on the side
 * that faces dx, dy, of which one is not 0; of several the box inserted first. O(log n + k)
 */
static int touching(lua_State *L) {
    enum { BOX = 2, SIDE, FILTER = SIDE + DIM };
    bsl_call c = bsl_begin_asking(L, bsl_self_world(L), FILTER - 1, FILTER, 0);
    bool up = false;
    uint32_t box = bsl_check_box(L, c.w, BOX);
    int axis = check_side(L, SIDE, &up);
    bs_rules rules = bsl_check_rules(L, c.w, FILTER);
    bsl_check_status(L, bs_world_touching(c.w->core, box, axis, up, &rules, &c.w->list));
    return push_found(L, &c, find_solid(L, &c, box));
}

/*
 * world:canFit(box, x, y, w?, h?, filter?) -> bool, other: whether that place is free, and which
 * box is in the way; of several the one inserted first. O(log n + k)
 */
static int can_fit(lua_State *L) {
    enum { BOX = 2, PLACE, SIZE = PLACE + DIM, FILTER = SIZE + DIM };
    bsl_call c = bsl_begin_asking(L, bsl_self_world(L), SIZE - 1, FILTER, 0);
    uint32_t box = bsl_check_box(L, c.w, BOX);
    bs_rect place = *bs_world_rect(c.w->core, box);
    bsl_check_place_of(L, c.w, box, PLACE, &place);
    bs_rules rules = bsl_check_rules(L, c.w, FILTER);
    bsl_check_status(L, bs_world_blocking(c.w->core, box, &place, &rules, &c.w->list));
    uint32_t found = find_solid(L, &c, box);
    (void)push_found(L, &c, found);
    lua_pushboolean(L, found == BS_NO_BOX);
    lua_insert(L, -2);
    return 2;
}

const luaL_Reg bsl_place_methods[] = {{"touching", touching}, {"canFit", can_fit}, {NULL, NULL}};
