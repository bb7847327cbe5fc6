/*
 * checkers.h: functions that look at a whole structure, and return what is broken in it, or NULL.
 * Tests call them, and in a build with BS_CHECKS so does the core itself (bs_world_examine,
 * bs_pool_examine).
 *
 *      world.c  worlds          tree.c, grid.c, sweep.c   back ends
 *      pool.c   pools           backends.c                which of these checks a back end; `auto`
 *      ids.c    free indices
 */
#ifndef BS_CHECKERS_H
#define BS_CHECKERS_H

#include "base/ids.h"
#include "broad/backend.h"
#include "broadside/pool.h"
#include "broadside/world.h"

/* O(n log n) */
const char *bs_world_check(const bs_world *w);
/* O(capacity) */
const char *bs_pool_check(const bs_pool *p);
/* O(n) or more */
const char *bs_backend_check(const bs_backend *backend);

/* Whether each index is free, once, that is neither retired nor has an owner. */
bool bs_ids_are_right(const bs_ids *ids, bool (*has_owner)(const void *of, uint32_t index),
                      const void *of);

/*
 * These two are for a back end of that type alone; the third one is for a sweep, or a brute. If it
 * is behind, what it holds need not be what its set holds now.
 */
const char *bs_tree_check(const bs_backend *backend, bool behind);
const char *bs_grid_check(const bs_backend *backend, bool behind);
const char *bs_sweep_check(const bs_backend *backend, bool behind);

#endif
