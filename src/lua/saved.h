/*
 * saved.h: what Snapshots of Worlds (snapshot_methods.c) and of Pools (pool_snapshot_methods.c)
 * share: how they are made and read from arguments, and their methods.
 */
#ifndef BSL_SAVED_H
#define BSL_SAVED_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* A Snapshot, which is of one of two classes: of a World or of a Pool. */
typedef struct bsl_saved {
    uint64_t magic;
    bsl_account account;
    bs_heap heap;
    void *core;     /* bs_snapshot or bs_pool_snapshot; NULL if it is closed */
    const void *of; /* the World or Pool that it was taken of */
    bs_bytes bytes; /* the bytes of the last getString or getHash; empty between calls */
    uint64_t data;  /* of a World: the version of its copy of the data */
} bsl_saved;

/* Items of its user value, a table. */
enum {
    BSL_SAVED_STORE = 1,
    BSL_SAVED_DATA,                   /* of a World: its copy of the data */
    BSL_SAVED_MODELS = BSL_SAVED_DATA /* of a Pool */
};

/* Pushes a new Snapshot of that World or Pool, which has that store. May run Lua code. */
bsl_saved *bsl_new_saved(lua_State *L, bsl_class class, const void *of, int store);

/* Reads the first argument behind self, which must be a Snapshot of that World or Pool. */
bsl_saved *bsl_check_saved(lua_State *L, bsl_class class, const void *of, bool or_string);

/* The same for a method that takes one: a new Snapshot, if it is absent. May run Lua code. */
bsl_saved *bsl_check_reuse(lua_State *L, bsl_class class, const void *of, int store);

/* Pops a Snapshot of the string that is the first argument behind self, which it replaces. */
void bsl_replace_string(lua_State *L, bs_status status, const char *problem);

#pragma GCC visibility pop

#endif
