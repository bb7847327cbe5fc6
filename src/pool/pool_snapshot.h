/* pool_snapshot.h: a snapshot of a pool; for pool_snapshot.c, pool_bytes.c and model_bytes.c. */
#ifndef BS_POOL_SNAPSHOT_PARTS_H
#define BS_POOL_SNAPSHOT_PARTS_H

#include "base/bytes.h"
#include "base/table.h"
#include "broadside/pool.h"
#include "pool_parts.h"

#pragma GCC visibility push(hidden)

/* A pool with no more room than it needs; its settings are those of the pool that it is of. */
struct bs_pool_snapshot {
    bs_pool pool;
};

extern const bs_format bs_pool_format;

/* --- models (model_bytes.c) ----------------------------------------------------------------- */

enum { BS_PATTERN_BYTES = 8 * DIM + 3 * 8 + 5 * 4 + 1 + 4 }; /* with the name of its model */

/* A model on the way from one that is to be listed to one that it fires. */
typedef struct bs_model_level {
    const bs_model *model;
    uint32_t next; /* pattern to look at */
} bs_model_level;

/*
 * Models by their names, which are their places + 2: 0 is none, and a model that fires itself names
 * itself by 1. Those that hold the same, by their hashes, are one.
 */
typedef struct bs_models {
    uint32_t n, patterns;
    bs_model *at; /* that have been read */

    /* Of those that are written. */
    const bs_model **list; /* by name */
    size_t list_cap;
    bs_table names; /* by hash */
    bs_model_level *level;
    size_t level_cap;
} bs_models;

/* Those of a pool's emitters and movers, all zero before. False: no memory. */
bool bs_list_models(bs_models *models, const bs_pool *p, bs_heap *heap);
void bs_free_models(bs_models *models, bs_heap *heap);
void bs_put_models(bs_coder *c, bs_models *models);
/* Reads models into memory of bs_pool_models_size bytes. */
bs_models bs_read_models(bs_coder *c, void *memory);
/* The name of a model, which is one of these, or NULL. Returns the model, or that which is read. */
const bs_model *bs_code_model(bs_coder *c, const bs_models *models, const bs_model *model);
void bs_code_pattern(bs_coder *c, const bs_models *models, bs_pattern *pattern);

#pragma GCC visibility pop

#endif
