/* saved.c: reads Snapshots from arguments and turns them into bytes, for Worlds and Pools alike. */
#include "saved.h"

#include <stdio.h>

#include "memory.h"

bsl_saved *bsl_new_saved(lua_State *L, const bsl_saved_kind *kind, const void *of, int store) {
    bsl_saved *s = bsl_new(L, kind->class, sizeof *s, BSL_SNAPSHOT_MAGIC);
    int self = lua_gettop(L);
    bsl_own(L, self);
    s->kind = kind;
    s->of = of;
    s->account.ledger = bsl_push_ledger(L);
    s->heap = (bs_heap){.resize = bsl_resize, .host = s->account.ledger};
    lua_createtable(L, BSL_SAVED_GONE, 0);
    lua_pushvalue(L, store);
    lua_rawseti(L, -2, BSL_SAVED_STORE);
    bsl_set_uservalue(L, self);
    lua_settop(L, self);
    return s;
}

/* The Snapshot of either kind at a stack index, or NULL. */
static bsl_saved *to_any_saved(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(bsl_saved), BSL_SNAPSHOT_MAGIC);
}

static void free_bytes(bsl_saved *s) {
    bs_array_free(&s->heap, &s->bytes.at, &s->bytes.cap, 1);
}

bsl_saved *bsl_to_saved(lua_State *L, int index, const bsl_saved_kind *kind) {
    bsl_saved *s = to_any_saved(L, index);
    return s != NULL && s->kind == kind ? s : NULL;
}

bsl_saved *bsl_check_saved(lua_State *L, const bsl_saved_kind *kind, const void *of,
                           bool or_string) {
    enum { TEXT = 64 };
    bsl_saved *s = bsl_to_saved(L, 2, kind);
    if (s == NULL || s->core == NULL) {
        char what[TEXT];
        snprintf(what, sizeof what, "%s%s", kind->name, or_string ? " or string" : "");
        bsl_bad_arg(L, 2, what);
    }
    if (s->of != of) {
        bsl_bad(L, bsl_where_arg(2), "Snapshot of another %s%s", kind->owner,
                or_string ? ": its string can be restored" : "");
    }
    return s;
}

int bsl_close_saved(lua_State *L) {
    bsl_saved *s = to_any_saved(L, 1);
    if (s != NULL && s->core != NULL) {
        void *core = s->core;
        free_bytes(s);
        bsl_tell_end(&s->account);
        s->core = NULL;
        s->kind->free(core);
    }
    return 0;
}

/* --- bytes ---------------------------------------------------------------------------------- */

/* Reads self, and makes its bytes. */
static bsl_saved *encode(lua_State *L, const bsl_saved_kind *kind) {
    bsl_saved *s = bsl_to_saved(L, 1, kind);
    if (s == NULL) {
        bsl_not_self(L, "Snapshot");
    }
    if (s->core == NULL) {
        bsl_fail(L, "snapshot is closed");
    }
    bsl_check_status(L, kind->encode(s));
    return s;
}

int bsl_push_saved_string(lua_State *L, const bsl_saved_kind *kind) {
    bsl_saved *s = encode(L, kind);
    lua_pushlstring(L, (const char *)s->bytes.at, s->bytes.n);
    free_bytes(s);
    return 1;
}

int bsl_push_saved_hash(lua_State *L, const bsl_saved_kind *kind) {
    enum { DIGITS = 16 };
    bsl_saved *s = encode(L, kind);
    const uint64_t hash = bs_bytes_hash(&s->bytes);
    char digits[DIGITS + 1];
    free_bytes(s);
    snprintf(digits, sizeof digits, "%08lx%08lx", (unsigned long)(hash >> 32),
             (unsigned long)(hash & 0xffffffffu));
    lua_pushstring(L, digits);
    return 1;
}
