/* handles.c: makes userdata and their stores, finds Boxes by id, and runs protected calls. */
#include "handles.h"

#include "memory.h"

#include <string.h>

/* --- userdata ------------------------------------------------------------------------------- */

const char *const bsl_names[BSL_NAMES] = {[BS_PASS] = "pass",
#define RESPONSE(id, number, order, name, ...) [number] = (name),
                                          BS_RESPONSE_ROWS(RESPONSE)
#undef RESPONSE
#define NAMED(id, name) [BSL_##id] = (name),
                                              BSL_NAME_ROWS(NAMED)
#undef NAMED
};

/* Pushes userdata without a metatable. */
static void *new_block(lua_State *L, bsl_class class, size_t size) {
    uint64_t *block = memset(bsl_new_userdata(L, size), 0, size);
    *block = BSL_MAGIC(class);
    return block;
}

void *bsl_new(lua_State *L, bsl_class class, size_t size) {
    void *block = new_block(L, class, size);
    lua_getfield(L, LUA_REGISTRYINDEX, bsl_classes[class].name);
    lua_setmetatable(L, -2);
    return block;
}

int bsl_make_store(lua_State *L, bsl_class items, bsl_account *account) {
    int self = lua_gettop(L);
    int store = self + 1;
    account->ledger = bsl_own(L, self);
    lua_createtable(L, BSL_BOXES, 0);
    lua_pushvalue(L, self);
    lua_rawseti(L, store, BSL_SELF);
    lua_getfield(L, LUA_REGISTRYINDEX, bsl_classes[items].name);
    lua_rawseti(L, store, BSL_ITEM_CLASS);
    lua_pushboolean(L, 0); /* so that setting it later takes no memory */
    lua_rawseti(L, store, BSL_IDLE);
    lua_pushvalue(L, store);
    bsl_set_uservalue(L, self);
    return store;
}

void *bsl_new_item(lua_State *L, int store, bsl_class class, size_t size) {
    void *block = new_block(L, class, size);
    lua_rawgeti(L, store, BSL_ITEM_CLASS);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, store);
    bsl_set_uservalue(L, -2);
    return block;
}

void bsl_push_weak_table(lua_State *L, const char *mode) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

/* --- boxes ---------------------------------------------------------------------------------- */

/*
 * The id that the value names, in this world or another. Raises an error if the value is neither a
 * Box nor an integer. *box is the Box, or NULL for an integer.
 */
static bs_id id_at(lua_State *L, int arg, size_t item, int value, const bsl_box **box) {
    int64_t id;
    *box = NULL;
    if (bsl_to_integer(L, value, &id)) {
        return (bs_id)id; /* a negative number becomes an id that no box ever has */
    }
    *box = bsl_to_box(L, value);
    if (*box == NULL) {
        bsl_expected(L, bsl_where_item(arg, item), value, "Box or id");
    }
    return (*box)->id;
}

void bsl_bad_id(lua_State *L, bsl_where where, const char *what, int64_t id) {
    const int64_t largest = (int64_t)1 << 53;
    if (id > largest || id < -largest) {
        bsl_bad(L, where, "no %s has the id %.17g", what, (double)id);
    }
    bsl_bad(L, where, "no %s has the id %lld", what, (long long)id);
}

uint32_t bsl_box_at(lua_State *L, const bsl_world *w, int arg, size_t item, int value) {
    const bsl_box *box;
    uint32_t index = 0;
    bs_id id = id_at(L, arg, item, value, &box);
    if (box != NULL && box->world != w) {
        bsl_bad(L, bsl_where_item(arg, item), "box of another world");
    }
    bs_found found = bs_world_find(w->core, id, &index);
    if (found == BS_NEVER && box == NULL) {
        bsl_bad_id(L, bsl_where_item(arg, item), "box", (int64_t)id);
    }
    if (found != BS_FOUND) {
        bsl_bad(L, bsl_where_item(arg, item), "box was removed");
    }
    return index;
}

const uint32_t *bsl_check_boxes(lua_State *L, bsl_world *w, int arg, size_t *n) {
    *n = bsl_check_groups(L, arg, 1);
    uint32_t *boxes = w->boxes.at;
    for (size_t i = 0; i < *n; i += BSL_ITEMS) {
        size_t some = *n - i < BSL_ITEMS ? *n - i : BSL_ITEMS;
        boxes = bsl_reserve(L, &w->account, &w->boxes, (i + some) * sizeof *boxes);
        int value = bsl_push_items(L, arg, i, some);
        for (size_t k = 0; k < some; k++) {
            boxes[i + k] = bsl_box_at(L, w, arg, i + k + 1, value + (int)k);
        }
        lua_settop(L, value - 1);
    }
    return boxes;
}

bool bsl_has_box(lua_State *L, const bsl_world *w, int arg) {
    const bsl_box *box;
    bs_id id = id_at(L, arg, 0, arg, &box);
    return (box == NULL || box->world == w) && bsl_is_live(w, id);
}

bsl_box *bsl_new_box(lua_State *L, bsl_world *w, int store, bs_id id) {
    bsl_box *box = bsl_new_item(L, store, BSL_BOX_CLASS, sizeof *box);
    box->world = w;
    box->id = id;
    return box;
}

void bsl_keep_former(lua_State *L, int store) {
    int top = lua_gettop(L);
    const bsl_box *box = bsl_to_box(L, top);
    if (box != NULL && bsl_rawgeti(L, store, BSL_FORMER) == LUA_TTABLE) {
        bsl_push_id(L, box->id);
        lua_pushvalue(L, top);
        lua_rawset(L, top + 1);
    }
    lua_settop(L, top);
}

bool bsl_push_former(lua_State *L, int store, bs_id id) {
    int top = lua_gettop(L);
    if (bsl_rawgeti(L, store, BSL_FORMER) == LUA_TTABLE) {
        bsl_push_id(L, id);
        lua_rawget(L, top + 1);
        lua_replace(L, top + 1);
    }
    bool found = lua_type(L, top + 1) == LUA_TUSERDATA;
    lua_settop(L, found ? top + 1 : top);
    return found;
}

void bsl_push_box(lua_State *L, bsl_world *w, int store, bs_id id) {
    const int slot = BSL_BOXES + (int)bs_id_index(id);
    if (bsl_rawgeti(L, store, slot) == LUA_TUSERDATA) {
        return;
    }
    lua_pop(L, 1);
    if (!bsl_push_former(L, store, id)) {
        bsl_new_box(L, w, store, id);
        bsl_check_open(L, w);
    }
    /* A finaliser may have removed the box meanwhile, or asked for its Box, too. */
    bool live = bsl_is_live(w, id);
    if (live && bsl_rawgeti(L, store, slot) == LUA_TUSERDATA) {
        lua_replace(L, -2);
    } else if (live) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, store, slot);
    }
}

void bsl_push_data(lua_State *L, int store, uint32_t box) {
    lua_rawgeti(L, store, BSL_DATA);
    bool has_data = bsl_rawgeti(L, -1, (int)box + 1) != LUA_TNIL;
    lua_replace(L, -2);
    if (!has_data) {
        lua_pop(L, 1);
        lua_rawgeti(L, store, BSL_BOXES + (int)box);
    }
}

void bsl_set_data(lua_State *L, bsl_world *w, int store, uint32_t index) {
    int value = lua_gettop(L);
    lua_rawgeti(L, store, BSL_DATA);
    bool had = bsl_rawgeti(L, -1, (int)index + 1) != LUA_TNIL;
    if (had || !lua_isnil(L, value)) { /* some versions of Lua would make room for a nil */
        lua_pushvalue(L, value);
        lua_rawseti(L, value + 1, (int)index + 1);
        w->stored = index + 1 > w->stored ? index + 1 : w->stored;
        w->data = ++w->data_versions;
    }
    lua_settop(L, value - 1);
}

/* --- protected calls ------------------------------------------------------------------------ */

typedef struct call {
    bsl_body body;
    void *context;
} call;

/* The function that runs a protected call, which is its upvalue. */
static int protected(lua_State *L) {
    const call c = *(const call *)lua_touserdata(L, lua_upvalueindex(1));
    c.body(L, c.context);
    return 0;
}

/*
 * The key of that function in the registry. It is a number because pushing a C function takes
 * memory in Lua 5.1, and so does pushing a string.
 */
enum { PROTECTED = -0xb50ad50 - DIM };

void bsl_prepare_protect(lua_State *L) {
    memset(bsl_new_userdata(L, sizeof(call)), 0, sizeof(call));
    lua_pushcclosure(L, protected, 1);
    lua_rawseti(L, LUA_REGISTRYINDEX, PROTECTED);
}

/*
 * The call is passed in full userdata. Light userdata of some versions of LuaJIT hold addresses of
 * only 47 bits, and the stack may be beyond these on ARM64. A debug hook may make another call
 * before this one has been read. That call then restores this one.
 */
bool bsl_protect(lua_State *L, bsl_body body, void *context) {
    enum { OWN = 2 }; /* values pushed here; the function may push LUA_MINSTACK more */
    const int n = lua_gettop(L);
    assert(n <= BSL_PROTECTED);
    if (!bsl_reserve_stack(L, n + OWN + LUA_MINSTACK + 1)) {
        lua_pushliteral(L, "not enough memory");
        return false;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, PROTECTED);
    (void)lua_getupvalue(L, -1, 1);
    call *next = lua_touserdata(L, -1);
    const call before = *next;
    lua_pop(L, 1);
    for (int i = 1; i <= n; i++) {
        lua_pushvalue(L, i);
    }
    *next = (call){body, context};
    bool done = lua_pcall(L, n, 0, 0) == LUA_OK;
    *next = before;
    return done;
}
