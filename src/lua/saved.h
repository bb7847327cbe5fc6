/*
 * saved.h: what Snapshots of Worlds (snapshot_methods.c) and of Pools (pool_snapshot_methods.c)
 * share: how they are read from arguments, and how they become bytes.
 */
#ifndef BSL_SAVED_H
#define BSL_SAVED_H

#include "handles.h"

#include "broadside/world.h"

#pragma GCC visibility push(hidden)

typedef struct bsl_saved {
    uint64_t magic;
    const struct bsl_saved_kind *kind;
    bsl_account account;
    bs_heap heap;
    void *core;     /* bs_snapshot or bs_pool_snapshot; NULL if it is closed */
    const void *of; /* the World or Pool that it was taken of */
    bs_bytes bytes; /* the bytes of the last getString or getHash; empty between calls */
    uint64_t data;  /* of a World: the version of its copy of the data */
    size_t gone;    /* of a World: how many removed boxes its contacts are still to report */
} bsl_saved;

/* What differs between the two. */
typedef struct bsl_saved_kind {
    const char *class;
    const char *name;  /* its name in errors: "Snapshot" */
    const char *owner; /* its owner in errors: "world" */
    bs_status (*encode)(bsl_saved *s);
    void (*free)(void *core);
} bsl_saved_kind;

/* Items of its user value, a table. */
enum {
    BSL_SAVED_STORE = 1,
    BSL_SAVED_DATA,                    /* of a World: its copy of the data */
    BSL_SAVED_MODELS = BSL_SAVED_DATA, /* of a Pool */
    BSL_SAVED_GONE /* of a World: list of these boxes: the id, and what is returned for it */
};

/* Pushes a closed Snapshot of that owner, which has that store. May run Lua code. */
bsl_saved *bsl_new_saved(lua_State *L, const bsl_saved_kind *kind, const void *of, int store);

/* The Snapshot at a stack index, which may be closed; NULL if it is another value. */
bsl_saved *bsl_to_saved(lua_State *L, int index, const bsl_saved_kind *kind);

/* Reads the first argument behind self, which must be a Snapshot of that World or Pool. */
bsl_saved *bsl_check_saved(lua_State *L, const bsl_saved_kind *kind, const void *of,
                           bool or_string);

/* The finaliser of both. */
int bsl_close_saved(lua_State *L);

/* Push the bytes for getString, or their hash for getHash, as 16 hex digits. Return 1. */
int bsl_push_saved_string(lua_State *L, const bsl_saved_kind *kind);
int bsl_push_saved_hash(lua_State *L, const bsl_saved_kind *kind);

#pragma GCC visibility pop

#endif
