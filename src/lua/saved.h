/*
 * saved.h: what Snapshots of Worlds (snapshot_methods.c) and of Pools (pool_snapshot_methods.c)
 * have in common: how they are found among arguments, and their bytes.
 */
#ifndef BSL_SAVED_H
#define BSL_SAVED_H

#include "handles.h"

#include "broadside/snapshot.h"

#pragma GCC visibility push(hidden)

/* What the userdata of both begins with. */
typedef struct bsl_saved {
    uint64_t magic;
    bsl_account account;
    bs_heap heap;
    void *core;     /* bs_snapshot or bs_pool_snapshot; NULL: closed */
    const void *of; /* the World or Pool that it is of */
    bs_bytes bytes; /* of the last getString or getHash; empty in between */
} bsl_saved;

/* What differs. */
typedef struct bsl_saved_kind {
    const char *class;
    size_t size; /* of the userdata */
    uint64_t magic;
    const char *name;  /* in errors: "Snapshot" */
    const char *owner; /* likewise: "world" */
    bs_status (*encode)(bsl_saved *s);
} bsl_saved_kind;

/* Pushes a closed one, whose user value is yet to be set. May run Lua code. */
bsl_saved *bsl_new_saved(lua_State *L, const bsl_saved_kind *kind, const void *of);

/* NULL: another value; it may be closed. */
bsl_saved *bsl_to_saved(lua_State *L, int index, const bsl_saved_kind *kind);

/* Argument 1 of a method, which must be an open one. */
bsl_saved *bsl_self_saved(lua_State *L, const bsl_saved_kind *kind);

/* The first argument behind self, which must be one of that World or Pool. */
bsl_saved *bsl_check_saved(lua_State *L, const bsl_saved_kind *kind, const void *of,
                           bool or_string);

/* For its finaliser: closes it, and returns the core, which the caller frees; NULL: none. */
void *bsl_close_saved(lua_State *L, const bsl_saved_kind *kind);

/* getString and getHash: push the bytes, or their hash as 16 hex digits. Return 1. */
int bsl_push_saved_string(lua_State *L, const bsl_saved_kind *kind);
int bsl_push_saved_hash(lua_State *L, const bsl_saved_kind *kind);

#pragma GCC visibility pop

#endif
