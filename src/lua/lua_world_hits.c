/* lua_world_hits.c: World's iterator over what met what in the last step. */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "rows.h"

#include <string.h>

/* What a cursor has for each hit: the ids of both boxes, the response, the bits of t and normal. */
enum { BOX, OTHER, RESPONSE, TIME, NORMAL, GROUP = NORMAL + DIM };

static void fill(lua_State *L, const bsl_world *w, bsl_cursor *cursor) {
    const bs_step_hits *hits = bs_world_step_hits(w->core);
    bsl_reserve_cursor(L, cursor, GROUP * hits->n);
    for (size_t i = 0; i < hits->n; i++) {
        const bs_step_hit *hit = &hits->at[i];
        bs_id *group = cursor->ids + GROUP * i;
        group[BOX] = hit->box;
        group[OTHER] = hit->other;
        group[RESPONSE] = (bs_id)hit->response;
        group[TIME] = bsl_bits_of(hit->t);
        for (int k = 0; k < DIM; k++) {
            group[NORMAL + k] = bsl_bits_of(hit->normal[k]);
        }
    }
    cursor->n = GROUP * hits->n;
}

/* The next hit whose boxes are both still there; false: there is none. */
static bool next(bsl_cursor *cursor, bs_id group[GROUP]) {
    const bsl_world *w = cursor->world;
    while (cursor->n - cursor->at >= GROUP) {
        memcpy(group, cursor->ids + cursor->at, GROUP * sizeof *group);
        cursor->at += GROUP;
        if (bsl_is_live(w, group[BOX]) && bsl_is_live(w, group[OTHER])) {
            return true;
        }
    }
    return false;
}

int bsl_next_step_hit(lua_State *L) {
    const int store = 2;
    bsl_cursor *cursor = bsl_check_cursor(L, BSL_STORE_NEXT_HIT);
    bsl_world *w = cursor->world;
    bs_id group[GROUP];
    if (!next(cursor, group)) {
        bsl_free_cursor(L, w, store, 1);
        lua_pushnil(L);
        return 1;
    }
    bsl_push_result(L, w, store, group[BOX]);
    bsl_check_open(L, w);
    bsl_push_result(L, w, store, group[OTHER]);
    bsl_push_response(L, store, (bs_response)group[RESPONSE]);
    lua_pushnumber(L, bsl_number_of(group[TIME]));
    for (int k = 0; k < DIM; k++) {
        lua_pushnumber(L, bsl_number_of(group[NORMAL + k]));
    }
    return 4 + DIM;
}

/*
 * world:hits() -> iterator of box, other, response, t, nx, ny: what met what in the last step, in
 * the order in which it happened, as it is at the call; boxes that are removed since are passed
 * over. O(n)
 */
static int hits(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    int store = bsl_push_store(L, 1);
    bsl_rawgeti(L, store, BSL_STORE_NEXT_HIT);
    bsl_cursor *cursor = bsl_new_cursor(L, w, store, BSL_STORE_NEXT_HIT);
    fill(L, w, cursor);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_hit_methods[] = {{"hits", hits}, {NULL, NULL}};
