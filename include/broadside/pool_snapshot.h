/*
 * pool_snapshot.h: the C API of snapshots of pools, for rollback, saved games and comparison. It
 * relies on pool.h.
 *
 * A snapshot holds all that later answers depend on: settings, movers with their ids and order,
 * those that ended in the last step, the next ids, emitters with their age, and totals.
 *
 * Its bytes follow the rules of a world's (snapshot.h). They contain the models; equal models are
 * one there.
 */
#ifndef BS_POOL_SNAPSHOT_H
#define BS_POOL_SNAPSHOT_H

#include "pool.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

typedef struct bs_pool_snapshot bs_pool_snapshot;

/* An empty one, which belongs to no pool before it is taken. */
bs_pool_snapshot *bs_pool_snapshot_new(bs_realloc resize, void *host);
void bs_pool_snapshot_free(bs_pool_snapshot *s);
size_t bs_pool_snapshot_memory(const bs_pool_snapshot *s); /* Bytes held. */

/* The capacity of its pool, or 0 if it is empty. */
uint32_t bs_pool_snapshot_capacity(const bs_pool_snapshot *s);

/*
 * Takes the present state of the pool, and uses the snapshot's memory again. It refers to the
 * same models. O(n), about as long as it takes to copy the movers.
 */
bs_status bs_pool_snapshot_take(bs_pool_snapshot *s, const bs_pool *p);

/*
 * Puts a pool of the same capacity back into that state; it then refers to the same models. Ids and
 * numbers of emitters that were given since will be given again. O(n)
 */
bs_status bs_pool_restore(bs_pool *p, const bs_pool_snapshot *s);

/*
 * Writes it as bytes, into a list on that heap. Models must not fire each other in a circle, but
 * one may fire itself. O(n), also in models and their emitters.
 */
bs_status bs_pool_snapshot_encode(const bs_pool_snapshot *s, bs_heap *heap, bs_bytes *out);

/* How much memory for models bs_pool_snapshot_decode needs: less than twice n. O(n) */
size_t bs_pool_models_size(const void *bytes, size_t n);

/*
 * Reads n bytes that may come from anywhere. If they are wrong, *problem says what, and the
 * snapshot is unchanged; otherwise *problem is NULL. `models` is memory of bs_pool_models_size
 * bytes, aligned for doubles; it must outlive the snapshot, and every pool that is restored from
 * it. Takes at most some 150 bytes for each 4 that are given.
 */
bs_status bs_pool_snapshot_decode(bs_pool_snapshot *s, const void *bytes, size_t n, void *models,
                                  const char **problem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
