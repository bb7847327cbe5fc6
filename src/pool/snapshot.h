/*
 * snapshot.h: what a snapshot of a pool is, and how it looks as bytes; only for snapshot.c,
 * encode.c, decode.c, models.c and read_models.c.
 *
 *      beginning (bytes.h)
 *      models, patterns: u32; of each model: BS_MODEL_BYTES, then its patterns
 *      capacity, used slots, idle ones, movers, ended ones, emitters: u32
 *      numbers of emitters, dropped shots: u64; dt; size, mask u32, bounded u8 and perhaps bounds
 *      emitters: number, age: u64; pattern
 *      by slot: generation u32
 *      idle slots, u32, in the order in which they will be given out
 *      movers, then ended ones: slot u32, kind u8, before, velocity, and what the kind says
 *      checksum
 *
 * A model is named by its place + BS_FIRST_MODEL; it may name itself and those before it.
 *
 * Left out is what answers do not depend on: the number of the last step, as it stands for ages and
 * lives alone; and the last dt where all movers are still.
 */
#ifndef BS_POOL_SNAPSHOT_PARTS_H
#define BS_POOL_SNAPSHOT_PARTS_H

#include "base/bytes.h"
#include "base/order.h"
#include "broadside/pool_snapshot.h"
#include "parts.h"

#pragma GCC visibility push(hidden)

/* A pool with no more room than it needs; its settings are those of the pool that it is of. */
struct bs_pool_snapshot {
    bs_pool pool;
};

extern const bs_format bs_pool_format;

/* What a mover has besides its place and velocity, by the bits of its kind. */
enum {
    BS_MOVER_STILL = 1,
    BS_MOVER_ACCELERATES = 2,
    BS_MOVER_MORTAL = 4,
    BS_MOVER_CARRIES = 8,
    BS_MOVER_TAGGED = 16,
    BS_MOVER_SIZED = 32, /* not as the pool's settings say */
    BS_MOVER_MASKED = 64 /* likewise */
};

/* --- models (models.c, read_models.c) ------------------------------------------------------- */

enum { BS_NO_MODEL = 0, BS_SAME_MODEL = 1, BS_FIRST_MODEL = 2 };
enum {
    BS_PATTERN_BYTES = 8 * DIM + 3 * 8 + 5 * 4 + 1 + 4,
    BS_MODEL_BYTES = 8 + 2 * 8 * DIM + 8 + 2 * 4 + 1 + 4,
    BS_EMITTER_BYTES = 16 + BS_PATTERN_BYTES
};

/* Flags of a pattern. */
enum { BS_PATTERN_ODD = 1, BS_PATTERN_RELATIVE = 2, BS_PATTERN_HAS_SPEED = 4 };

/* Models, each once, as bytes; those that hold the same are one. */
typedef struct bs_model_list bs_model_list;

/* Of a pool's emitters and movers. NULL: no memory. */
bs_model_list *bs_list_models(const bs_pool *p, bs_heap *heap);
void bs_model_list_free(bs_model_list *list, bs_heap *heap);
void bs_put_models(bs_writer *w, const bs_model_list *list);
/* The name of a model that is in the list; of NULL: BS_NO_MODEL. */
uint32_t bs_model_name(const bs_model_list *list, const bs_model *model);
void bs_put_pattern(bs_writer *w, const bs_pattern *pattern, uint32_t model);

/* Models that have been read. */
typedef struct bs_models {
    bs_model *at;
    uint32_t n;
} bs_models;

/* The numbers of models and patterns that follow; too many for the bytes that are left: refused. */
void bs_get_model_counts(bs_reader *r, uint32_t *models, uint32_t *patterns);
/* Reads models into memory of bs_pool_models_size bytes. */
bs_models bs_get_models(bs_reader *r, void *memory);
/* By its name. NULL: none; or it has been refused. */
const bs_model *bs_get_model(bs_reader *r, const bs_models *models);
bs_pattern bs_get_pattern(bs_reader *r, const bs_models *models);

#pragma GCC visibility pop

#endif
