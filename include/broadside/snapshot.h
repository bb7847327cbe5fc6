/*
 * snapshot.h: the C API of snapshots of worlds, for rollback, saved games and comparison. It relies
 * on world.h.
 *
 * A snapshot holds copies of all that later answers depend on: boxes with their ids, places,
 * layers and conduct, the order of insertion, the next ids, gravity, contacts, and the hits of the
 * last step. It does not hold the back end, as answers do not depend on it.
 *
 * As bytes it is little-endian, versioned, ends with a checksum, and is the same on every platform.
 * Bytes depend on the state alone, not on how the world came to it.
 */
#ifndef BS_SNAPSHOT_H
#define BS_SNAPSHOT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

typedef struct bs_snapshot bs_snapshot;

/* An empty one, as of a world without a box. It allocates through `resize`. */
bs_snapshot *bs_snapshot_new(bs_realloc resize, void *host);
void bs_snapshot_free(bs_snapshot *s);
size_t bs_snapshot_memory(const bs_snapshot *s); /* Bytes held. */

/*
 * Takes the present state of the world, and uses the snapshot's memory again. O(n), about as long
 * as it takes to copy the boxes.
 */
bs_status bs_snapshot_take(bs_snapshot *s, const bs_world *w);

/*
 * Puts the world back into that state. Its back ends only get the differences: it looks at each
 * box, and updates, inserts or removes those that differ. Ids that were given since count as
 * removed until they are given again.
 */
bs_status bs_world_restore(bs_world *w, const bs_snapshot *s);

uint32_t bs_snapshot_count(const bs_snapshot *s); /* The number of boxes. */

/* One more than the highest index at that time; and the id of the box at an index, or 0. */
uint32_t bs_snapshot_indices(const bs_snapshot *s);
bs_id bs_snapshot_id(const bs_snapshot *s, uint32_t index);

/*
 * The first index, at or beyond `from`, at which there is another box now than then, or a box at
 * only one of both times. If there is none: the greater number of indices, now or then. O(n)
 */
uint32_t bs_snapshot_change(const bs_snapshot *s, const bs_world *w, uint32_t from);

/* The contacts in it: pairs of ids, whose boxes may have been removed. Ignore their phase. */
size_t bs_snapshot_contacts(const bs_snapshot *s);
bs_contact bs_snapshot_contact(const bs_snapshot *s, size_t i);

/* --- bytes ---------------------------------------------------------------------------------- */

/* Writes it as bytes, into a list on that heap. O(n log n) */
bs_status bs_snapshot_encode(const bs_snapshot *s, bs_heap *heap, bs_bytes *out);

/*
 * Reads n bytes that may come from anywhere. If they are wrong, *problem says what, and the
 * snapshot is unchanged; otherwise *problem is NULL. Takes at most some 150 bytes for each 5 that
 * are given.
 */
bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
