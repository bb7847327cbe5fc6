/*
 * pool_snapshot.h: the C API of snapshots of pools: a pool as it was, to go back to, to store, and
 * to compare.
 *
 * A snapshot holds all that later answers depend on: settings, movers with their ids and order,
 * those that ended in the last step, which ids come next, emitters with their age, and totals.
 *
 * As bytes it is what a world's is (snapshot.h). Models are part of the bytes: models that hold the
 * same are one there.
 */
#ifndef BS_POOL_SNAPSHOT_H
#define BS_POOL_SNAPSHOT_H

#include "pool.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

typedef struct bs_pool_snapshot bs_pool_snapshot;

/* An empty one, which is no pool's before it has been taken. NULL: no memory. */
bs_pool_snapshot *bs_pool_snapshot_new(bs_realloc resize, void *host);
void bs_pool_snapshot_free(bs_pool_snapshot *s);
size_t bs_pool_snapshot_memory(const bs_pool_snapshot *s); /* bytes held */

/* The capacity of the pool that it is of; 0: it is empty. */
uint32_t bs_pool_snapshot_capacity(const bs_pool_snapshot *s);

/*
 * The snapshot becomes one of the pool as it is now; its memory is used again. It refers to the
 * same models. O(n), about as long as it takes to copy what movers hold.
 */
bs_status bs_pool_snapshot_take(bs_pool_snapshot *s, const bs_pool *p);

/*
 * The pool, which has the capacity of that which the snapshot is of, is as it was then, and refers
 * to the same models. Ids and numbers of emitters that were given since will be given again. O(n)
 */
bs_status bs_pool_restore(bs_pool *p, const bs_pool_snapshot *s);

/*
 * Writes it as bytes, into a list on that heap. No models may fire each other in a circle; one may
 * fire itself. O(n), also in models and their emitters.
 */
bs_status bs_pool_snapshot_encode(const bs_pool_snapshot *s, bs_heap *heap, bs_bytes *out);

/* How much memory for models bs_pool_snapshot_decode needs: less than twice n. O(n) */
size_t bs_pool_models_size(const void *bytes, size_t n);

/*
 * The snapshot becomes what n bytes from anywhere say. *problem is NULL; or what is wrong with
 * them, and the snapshot is as it was. `models` is memory of bs_pool_models_size bytes, aligned for
 * doubles, which must outlive the snapshot, and whatever pool is restored from it. Takes at most
 * some 150 bytes for each 4 that are given.
 */
bs_status bs_pool_snapshot_decode(bs_pool_snapshot *s, const void *bytes, size_t n, void *models,
                                  const char **problem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
