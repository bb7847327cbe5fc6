/* resolve.c: a World's method that pushes a box out of all that it overlaps. */
#include "filters.h"
#include "memory.h"
#include "module.h"

#include <string.h>

/*
 * A filter function is asked about each box once. What it said is in a table of the store, by box
 * index + 1: true, and false also once the box has pushed.
 */
typedef struct resolving {
    const bsl_call *call;
    bs_filter filter;
    bs_rect rect; /* where the box has come to */
    uint32_t pushes;
} resolving;

enum { ANSWERS = BSL_ASK_OUT + 1 }; /* its stack index */

static void set_answer(lua_State *L, uint32_t box, bool accepted) {
    lua_pushboolean(L, accepted);
    lua_rawseti(L, ANSWERS, (int)box + 1);
}

/* The boxes that are in the way now, in the world's list. */
static bs_list *query(lua_State *L, const resolving *r) {
    bsl_world *w = r->call->w;
    bsl_check_status(L, bs_world_query(w->core, &r->rect, &r->filter, &w->list));
    return &w->list;
}

/* Asks about the boxes in the way that are not known yet. */
static void ask_unknown(lua_State *L, const resolving *r) {
    const bs_list *list = query(L, r);
    bsl_cursor *cursor = r->call->cursor;
    bsl_fill_cursor(L, cursor, list->at, list->n, sizeof *list->at);
    const uint32_t *boxes = cursor->items.at;
    for (size_t i = 0; i < cursor->n; i++) {
        if (bsl_rawgeti(L, ANSWERS, (int)boxes[i] + 1) == LUA_TNIL) {
            set_answer(L, boxes[i], bsl_ask(L, r->call->w, boxes[i], 0));
        }
        lua_pop(L, 1);
    }
}

/* Those in the way that are accepted and have not pushed. */
static const bs_list *find_solid(lua_State *L, const resolving *r) {
    bs_list *list = query(L, r);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        lua_rawgeti(L, ANSWERS, (int)list->at[i] + 1);
        list->at[n] = list->at[i];
        n += lua_toboolean(L, -1) != 0;
        lua_pop(L, 1);
    }
    list->n = n;
    return list;
}

/* As bs_world_resolve does it, with a question about each box that comes in the way. */
static void push_out(lua_State *L, void *context) {
    resolving *r = context;
    lua_rawgeti(L, BSL_ASK_STORE, BSL_ANSWERS);
    for (;;) {
        ask_unknown(L, r);
        uint32_t left =
            bs_world_push_out(r->call->w->core, r->filter.self, &r->rect, find_solid(L, r));
        if (left == BS_NO_BOX) {
            return;
        }
        set_answer(L, left, false);
        r->pushes++;
    }
}

static uint32_t resolve_asking(lua_State *L, const bsl_call *c, uint32_t box,
                               const bs_filter *filter, double push[DIM]) {
    bs_rect before = *bs_world_rect(c->w->core, box);
    resolving r = {.call = c, .filter = *filter, .rect = before};
    r.filter.self = box;
    lua_rawgeti(L, c->store, BSL_ANSWERS);
    bsl_clear_table(L, lua_gettop(L));
    lua_pop(L, 1);
    bsl_run_asking(L, c, push_out, &r);
    for (int k = 0; k < DIM; k++) {
        push[k] = r.rect.pos[k] - before.pos[k];
    }
    bs_world_update(c->w->core, box, &r.rect);
    bsl_end_asking(L, c);
    return r.pushes;
}

/*
 * world:resolve(box, filter?) -> dx, dy, n: pushes the box out of those it overlaps, each at most
 * once; n pushes. By one push where that is no longer than several, the least overlap first. One
 * query a push
 */
static int resolve(lua_State *L) {
    bsl_call c = bsl_begin_asking(L, bsl_self_free_world(L), 2, 3, 0);
    uint32_t box = bsl_check_box(L, c.w, 2);
    bs_filter filter = bsl_check_filter(L, c.w, 3);
    double push[DIM];
    uint32_t n;
    if (c.cursor != NULL) {
        n = resolve_asking(L, &c, box, &filter, push);
    } else {
        bsl_check_status(L, bs_world_resolve(c.w->core, box, &filter, push, &n));
    }
    bsl_push_numbers(L, push, DIM);
    lua_pushinteger(L, (lua_Integer)n);
    bsl_tell(L, c.w);
    return DIM + 1;
}

const luaL_Reg bsl_resolve_methods[] = {{"resolve", resolve}, {NULL, NULL}};
