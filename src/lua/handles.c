#include "handles.h"

/* --- checks --------------------------------------------------------------------------------- */

void bsl_closed(lua_State *L) {
    bsl_fail(L, "world is closed");
}

void bsl_busy(lua_State *L) {
    bsl_fail(L, "world is busy: a filter function must not change it");
}

/*
 * The id that the value names, of this world or not; an error if it names none. *box is NULL unless
 * it is a Box.
 */
static bs_id id_at(lua_State *L, int arg, size_t item, int value, const bsl_box **box) {
    int64_t id;
    *box = NULL;
    if (bsl_to_integer(L, value, &id)) {
        return (bs_id)id; /* negative numbers become ids that never were */
    }
    *box = bsl_to_box(L, value);
    if (*box == NULL) {
        bsl_expected(L, bsl_place_item(arg, item), value, "Box or id");
    }
    return (*box)->id;
}

void bsl_bad_id(lua_State *L, bsl_place place, const char *what, int64_t id) {
    const int64_t largest = (int64_t)1 << (BS_INDEX_BITS + BS_GENERATION_BITS);
    if (id > largest || id < -largest) {
        bsl_bad(L, place, "no %s has the id %.17g", what, (double)id);
    }
    bsl_bad(L, place, "no %s has the id %lld", what, (long long)id);
}

uint32_t bsl_box_at(lua_State *L, const bsl_world *w, int arg, size_t item, int value) {
    const bsl_box *box;
    uint32_t index = 0;
    bs_id id = id_at(L, arg, item, value, &box);
    if (box != NULL && box->world != w) {
        bsl_bad(L, bsl_place_item(arg, item), "box of another world");
    }
    bs_found found = bs_world_find(w->core, id, &index);
    if (found == BS_NEVER && box == NULL) {
        bsl_bad_id(L, bsl_place_item(arg, item), "box", (int64_t)id);
    }
    if (found != BS_FOUND) {
        bsl_bad(L, bsl_place_item(arg, item), "box was removed");
    }
    return index;
}

void bsl_check_boxes(lua_State *L, bsl_world *w, int arg) {
    size_t n = bsl_check_groups(L, arg, 1);
    w->list.n = 0;
    for (size_t i = 0; i < n; i += BSL_ITEMS) {
        size_t some = n - i < BSL_ITEMS ? n - i : BSL_ITEMS;
        int value = bsl_push_items(L, arg, i, some);
        bsl_check_room(L, bs_list_reserve(bs_world_heap(w->core), &w->list, some));
        for (size_t k = 0; k < some; k++) {
            w->list.at[w->list.n++] = bsl_box_at(L, w, arg, i + k + 1, value + (int)k);
        }
        lua_settop(L, value - 1);
    }
}

bool bsl_has_box(lua_State *L, const bsl_world *w, int arg) {
    const bsl_box *box;
    bs_id id = id_at(L, arg, 0, arg, &box);
    return (box == NULL || box->world == w) && bsl_is_live(w, id);
}

/* --- stores --------------------------------------------------------------------------------- */

/* Only the debug library can bring a script to a store. */
static void check_store(lua_State *L) {
    if (!lua_istable(L, -1)) {
        bsl_fail(L, "the store is damaged");
    }
}

int bsl_push_store(lua_State *L, int index) {
    bsl_get_uservalue(L, index);
    check_store(L);
    return lua_gettop(L);
}

void bsl_push_table(lua_State *L, int store, int key) {
    bsl_rawgeti(L, store, key);
    check_store(L);
}

void bsl_keep_function(lua_State *L, int store, int key, lua_CFunction function) {
    lua_pushcfunction(L, function);
    lua_rawseti(L, store, key);
}

int bsl_push_data(lua_State *L, int store) {
    bsl_push_table(L, store, BSL_STORE_DATA);
    return lua_gettop(L);
}

void bsl_make_idle(lua_State *L, int store, int key) {
    for (int i = 0; i < BSL_IDLE; i++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, store, key + i);
    }
}

bool bsl_take_idle(lua_State *L, int store, int key) {
    for (int i = 0; i < BSL_IDLE; i++) {
        if (bsl_rawgeti(L, store, key + i) == LUA_TUSERDATA) {
            lua_pushboolean(L, 0);
            lua_rawseti(L, store, key + i);
            return true;
        }
        lua_pop(L, 1);
    }
    return false;
}

bool bsl_leave_idle(lua_State *L, int store, int key, int index) {
    for (int i = 0; i < BSL_IDLE; i++) {
        bool taken = bsl_rawgeti(L, store, key + i) == LUA_TUSERDATA;
        lua_pop(L, 1);
        if (!taken) {
            lua_pushvalue(L, index);
            lua_rawseti(L, store, key + i);
            return true;
        }
    }
    return false;
}

bsl_box *bsl_new_box(lua_State *L, bsl_world *w, int store, bs_id id) {
    bsl_box *box = bsl_new_userdata(L, sizeof *box);
    *box = (bsl_box){BSL_BOX_MAGIC, w, id};
    bsl_push_table(L, store, BSL_STORE_BOX_META);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, store);
    bsl_set_uservalue(L, -2);
    return box;
}

/* Pushes what the store has as the Box of an index; false if that is no Box. */
static bool push_stored_box(lua_State *L, int store, uint32_t index) {
    return bsl_rawgeti(L, store, (int)index + 1) == LUA_TUSERDATA;
}

void bsl_push_box(lua_State *L, bsl_world *w, int store, bs_id id) {
    uint32_t index = bsl_index_of(id);
    if (bsl_is_live(w, id)) {
        if (push_stored_box(L, store, index)) {
            return;
        }
        lua_pop(L, 1);
    }
    bsl_new_box(L, w, store, id);
    if (w->core == NULL || !bsl_is_live(w, id)) {
        return; /* it was removed before: the store has no place for it */
    }
    if (push_stored_box(L, store, index)) { /* a finaliser has asked for it meanwhile */
        lua_replace(L, -2);
        return;
    }
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, store, (int)index + 1);
    bsl_use_key(w, index);
}

bool bsl_push_stored_result(lua_State *L, const bsl_world *w, int store, uint32_t index) {
    if (w->results == BSL_RESULTS_DATA) {
        int data = bsl_push_data(L, store);
        bool has_data = bsl_rawgeti(L, data, (int)index + 1) != LUA_TNIL;
        lua_replace(L, data);
        if (has_data) {
            return true;
        }
        lua_pop(L, 1);
    }
    return push_stored_box(L, store, index);
}

void bsl_push_result(lua_State *L, bsl_world *w, int store, bs_id id) {
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
        return;
    }
    if (bsl_is_live(w, id)) {
        if (bsl_push_stored_result(L, w, store, bsl_index_of(id))) {
            return;
        }
        lua_pop(L, 1);
    }
    bsl_push_box(L, w, store, id);
}

void bsl_set_data(lua_State *L, bsl_world *w, int store, uint32_t index) {
    int value = lua_gettop(L);
    int data = bsl_push_data(L, store);
    bool had = bsl_rawgeti(L, data, (int)index + 1) != LUA_TNIL;
    if (had || !lua_isnil(L, value)) { /* some versions would make room for a nil */
        lua_pushvalue(L, value);
        lua_rawseti(L, data, (int)index + 1);
        bsl_use_key(w, index);
    }
    lua_settop(L, value - 1);
}

/* --- protected calls ------------------------------------------------------------------------ */

int bsl_protected(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    if (w != NULL && w->body != NULL) { /* else a script has got hold of this function */
        bsl_body body = w->body;
        w->body = NULL;
        bsl_resume_collector(L, w->paused);
        bsl_check_open(L, w);
        body(L, w, w->context);
    }
    return 0;
}

bool bsl_protect(lua_State *L, bsl_world *w, int store, bsl_body body, void *context, int n) {
    enum { OWN = 2 }; /* values pushed here; the function may use LUA_MINSTACK more */
    w->body = body;
    w->context = context;
    if (!bsl_reserve_stack(L, OWN + LUA_MINSTACK + 1)) {
        w->body = NULL;
        lua_pop(L, n);
        lua_pushliteral(L, "not enough memory");
        return false;
    }
    bsl_rawgeti(L, store, BSL_STORE_PROTECTED);
    lua_insert(L, -n - 1);
    bsl_rawgeti(L, store, BSL_STORE_WORLD);
    lua_insert(L, -n - 1);
    w->paused = bsl_pause_collector(L);
    bool done = lua_pcall(L, n + 1, 0, 0) == BSL_OK;
    if (w->body != NULL) { /* it did not begin */
        w->body = NULL;
        bsl_resume_collector(L, w->paused);
    }
    return done;
}
