/*
 * ids.h: ids that are never given twice, for boxes and movers. It relies on bytes.h.
 *
 *      id = generation << BS_INDEX_BITS | index
 *
 * An index gets another owner when it is free again, and then another generation. After the last
 * generation it is retired. Indices that are free are given out again, the latest first.
 */
#ifndef BS_IDS_H
#define BS_IDS_H

#include <assert.h>

#include "broadside/world.h"
#include "bytes.h"

#pragma GCC visibility push(hidden)

/* Whoever has one makes room for as many elements of both arrays as it takes indices. */
typedef struct bs_ids {
    uint32_t *generation; /* By index: the generation of its owner, or of the next one. */
    uint32_t *free;       /* The free indices; the last one is given out next. */
    uint32_t used;        /* Indices that were given out at least once. */
    uint32_t idle;        /* The number of free ones. */
    size_t generation_cap, free_cap;
} bs_ids;

/* The id of the owner of an index, or of the next one. */
static inline bs_id bs_ids_id(const bs_ids *ids, uint32_t index) {
    assert(index < ids->used);
    return (bs_id)ids->generation[index] << BS_INDEX_BITS | index;
}

/* The index that bs_ids_take gives out. */
static inline uint32_t bs_ids_next(const bs_ids *ids) {
    return ids->idle > 0 ? ids->free[ids->idle - 1] : ids->used;
}

uint32_t bs_ids_take(bs_ids *ids);
void bs_ids_give_back(bs_ids *ids, uint32_t index);
/* The next owner of the index that was given back last gets the id that its last owner had. */
void bs_ids_reuse(bs_ids *ids, uint32_t index);
/* BS_FOUND: it is the id of the owner of that index, or of the next one. */
bs_found bs_ids_find(const bs_ids *ids, bs_id id, uint32_t *index);
/* There is room. */
void bs_ids_copy(bs_ids *to, const bs_ids *from);

/* Writes or reads the generations of all indices in use. Any may come from anywhere. */
void bs_ids_code_generations(bs_coder *c, bs_ids *ids);
/*
 * Writes or reads which indices are free: each that is neither retired nor has an owner, once.
 * has_owner(of, index) tells of those that have been read before.
 */
void bs_ids_code_free(bs_coder *c, bs_ids *ids, bool (*has_owner)(const void *of, uint32_t index),
                      const void *of);

#pragma GCC visibility pop

#endif
