/*
 * saved.h: what Snapshots of Worlds (snapshot_methods.c) and of Pools (pool_snapshot_methods.c)
 * share: how they are made and read from arguments, and their methods.
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
    const char *name;   /* its name in errors: "Snapshot" */
    const char *owner;  /* its owner in errors: "world" */
    const char *format; /* of its text: with the number of axes, and what `count` returns */
    void *(*make)(bs_realloc resize, void *host);
    void (*free)(void *core);
    uint32_t (*count)(const void *core);
    bs_status (*encode)(bsl_saved *s);
} bsl_saved_kind;

/* Items of its user value, a table. */
enum {
    BSL_SAVED_STORE = 1,
    BSL_SAVED_DATA,                    /* of a World: its copy of the data */
    BSL_SAVED_MODELS = BSL_SAVED_DATA, /* of a Pool */
    BSL_SAVED_GONE /* of a World: list of these boxes: the id, and what is returned for it */
};

/* Pushes a new Snapshot of that World or Pool, which has that store. May run Lua code. */
bsl_saved *bsl_new_saved(lua_State *L, const bsl_saved_kind *kind, const void *of, int store);

/* Reads the first argument behind self, which must be a Snapshot of that World or Pool. */
bsl_saved *bsl_check_saved(lua_State *L, const bsl_saved_kind *kind, const void *of,
                           bool or_string);

/* The same for a method that takes one: a new Snapshot, if it is absent. May run Lua code. */
bsl_saved *bsl_check_reuse(lua_State *L, const bsl_saved_kind *kind, const void *of, int store);

/* Pops a Snapshot of the string that is the first argument behind self, which it replaces. */
void bsl_replace_string(lua_State *L, bs_status status, const char *problem);

#pragma GCC visibility pop

#endif
