/* saved.c: makes Snapshots of Worlds and Pools, reads them as arguments, and has their methods. */
#include "saved.h"

#include <stdio.h>

#include "memory.h"
#include "module.h"

enum { ARG = 2 }; /* the argument with a Snapshot */

static bool is_of_world(const bsl_saved *s) {
    return s->magic == BSL_MAGIC(BSL_SNAPSHOT_CLASS);
}

/* --- making and reading --------------------------------------------------------------------- */

bsl_saved *bsl_new_saved(lua_State *L, bsl_class class, const void *of, int store) {
    bsl_saved *s = bsl_new(L, class, sizeof *s);
    int self = lua_gettop(L);
    s->account.ledger = bsl_own(L, self);
    s->of = of;
    s->heap = (bs_heap){.resize = bsl_resize, .host = s->account.ledger};
    lua_createtable(L, BSL_SAVED_DATA, 0);
    lua_pushvalue(L, store);
    lua_rawseti(L, -2, BSL_SAVED_STORE);
    lua_newtable(L);
    lua_rawseti(L, -2, BSL_SAVED_DATA);
    bsl_set_uservalue(L, self);
    lua_settop(L, self);
    s->core = is_of_world(s) ? (void *)bs_snapshot_new(s->heap.resize, s->heap.host)
                             : (void *)bs_pool_snapshot_new(s->heap.resize, s->heap.host);
    bsl_check_room(L, s->core != NULL);
    return s;
}

bsl_saved *bsl_check_saved(lua_State *L, bsl_class class, const void *of, bool or_string) {
    enum { TEXT = 64 };
    bsl_saved *s = bsl_block(L, ARG, class);
    if (s == NULL || s->core == NULL) {
        char what[TEXT];
        snprintf(what, sizeof what, "Snapshot%s%s", class == BSL_SNAPSHOT_CLASS ? "" : " of a Pool",
                 or_string ? " or string" : "");
        bsl_bad_arg(L, ARG, what);
    }
    if (s->of != of) {
        bsl_bad(L, bsl_where_arg(ARG), "Snapshot of another %s%s",
                class == BSL_SNAPSHOT_CLASS ? "world" : "pool",
                or_string ? ": its string can be restored" : "");
    }
    return s;
}

bsl_saved *bsl_check_reuse(lua_State *L, bsl_class class, const void *of, int store) {
    if (bsl_is_absent(L, ARG)) {
        (void)bsl_new_saved(L, class, of, store);
        lua_replace(L, ARG);
    }
    return bsl_check_saved(L, class, of, false);
}

void bsl_replace_string(lua_State *L, bs_status status, const char *problem) {
    bsl_check_status(L, status);
    if (problem != NULL) {
        bsl_bad(L, bsl_where_arg(ARG), "this string %s", problem);
    }
    lua_replace(L, ARG);
}

/* --- methods -------------------------------------------------------------------------------- */

static void free_bytes(bsl_saved *s) {
    bs_array_free(&s->heap, &s->bytes.at, &s->bytes.cap, 1);
}

/* Self, which may be closed; NULL if it is something else. */
static bsl_saved *to_self(lua_State *L) {
    bsl_saved *s = bsl_block(L, 1, BSL_SNAPSHOT_CLASS);
    return s != NULL ? s : bsl_block(L, 1, BSL_POOL_SNAPSHOT_CLASS);
}

static int gc(lua_State *L) {
    bsl_saved *s = to_self(L);
    if (s != NULL && s->core != NULL) {
        void *core = s->core;
        free_bytes(s);
        bsl_tell_end(&s->account);
        s->core = NULL;
        if (is_of_world(s)) {
            bs_snapshot_free(core);
        } else {
            bs_pool_snapshot_free(core);
        }
    }
    return 0;
}

static bsl_saved *any_self(lua_State *L) {
    bsl_saved *s = to_self(L);
    if (s == NULL) {
        bsl_not_self(L, "Snapshot");
    }
    return s;
}

/* Checks self, and makes its bytes. */
static bsl_saved *encode(lua_State *L) {
    bsl_saved *s = any_self(L);
    if (s->core == NULL) {
        bsl_fail(L, "snapshot is closed");
    }
    bsl_check_status(L, is_of_world(s) ? bs_snapshot_encode(s->core, &s->heap, &s->bytes)
                                       : bs_pool_snapshot_encode(s->core, &s->heap, &s->bytes));
    return s;
}

/* snapshot:getString() -> string: the same bytes on every platform. O(n log n) */
static int get_string(lua_State *L) {
    bsl_saved *s = encode(L);
    lua_pushlstring(L, (const char *)s->bytes.at, s->bytes.n);
    free_bytes(s);
    return 1;
}

/* snapshot:getHash() -> 16 hex digits, which depend on the state alone. O(n log n) */
static int get_hash(lua_State *L) {
    enum { DIGITS = 16 };
    bsl_saved *s = encode(L);
    const uint64_t hash = bs_bytes_hash(&s->bytes);
    char digits[DIGITS + 1];
    free_bytes(s);
    snprintf(digits, sizeof digits, "%08lx%08lx", (unsigned long)(hash >> 32),
             (unsigned long)(hash & 0xffffffffu));
    lua_pushstring(L, digits);
    return 1;
}

static int to_string(lua_State *L) {
    const bsl_saved *s = any_self(L);
    if (s->core == NULL) {
        lua_pushliteral(L, "Snapshot (closed)");
    } else if (is_of_world(s)) {
        lua_pushfstring(L, "Snapshot (%dD, %d boxes)", DIM, (int)bs_snapshot_count(s->core));
    } else {
        lua_pushfstring(L, "PoolSnapshot (%dD, capacity %d)", DIM,
                        (int)bs_pool_snapshot_capacity(s->core));
    }
    return 1;
}

#define METHODS                                                                                    \
    {"getString", get_string}, {"getHash", get_hash}, {"__tostring", to_string}, {"__gc", gc}, {   \
        NULL, NULL                                                                                 \
    }

const luaL_Reg bsl_saved_methods[] = {METHODS};
const luaL_Reg bsl_saved_pool_methods[] = {METHODS};
