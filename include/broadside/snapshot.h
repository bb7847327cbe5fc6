/*
 * snapshot.h: the C API of snapshots: a world as it was, to go back to, to store, and to compare.
 *
 * A snapshot holds copies of all that later answers depend on: boxes with their ids, places,
 * layers and conduct, the order of insertion, which ids come next, gravity, contacts, and what the
 * last step has hit. Not the back end, as answers do not depend on it.
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

/* An empty one, as of a world without a box. NULL: no memory. It allocates through `resize`. */
bs_snapshot *bs_snapshot_new(bs_realloc resize, void *host);
void bs_snapshot_free(bs_snapshot *s);
size_t bs_snapshot_memory(const bs_snapshot *s); /* bytes held */

/*
 * The snapshot becomes one of the world as it is now; its memory is used again. O(n), about as long
 * as it takes to copy what boxes hold.
 */
bs_status bs_snapshot_take(bs_snapshot *s, const bs_world *w);

/*
 * The world is as it was then. Its back ends are told only what differs: a look at each box, and an
 * update, insertion or removal of those that differ. Ids that were given since are removed until
 * they are given again. If it fails nothing has changed.
 */
bs_status bs_world_restore(bs_world *w, const bs_snapshot *s);

uint32_t bs_snapshot_count(const bs_snapshot *s); /* boxes */

/* All indices that boxes have had then are below; the id of the box at one of them, 0: none. */
uint32_t bs_snapshot_indices(const bs_snapshot *s);
bs_id bs_snapshot_id(const bs_snapshot *s, uint32_t index);

/*
 * The first index, at or beyond `from`, at which there is another box now than then, or none at one
 * of both times. If there is none: the greater count of indices, now or then. O(n)
 */
uint32_t bs_snapshot_change(const bs_snapshot *s, const bs_world *w, uint32_t from);

/* The contacts that it holds: pairs of ids, whose boxes may be gone; their phase says nothing. */
size_t bs_snapshot_contacts(const bs_snapshot *s);
bs_contact bs_snapshot_contact(const bs_snapshot *s, size_t i);

/* --- bytes ---------------------------------------------------------------------------------- */

/* Writes it as bytes, into a list on that heap. O(n log n) */
bs_status bs_snapshot_encode(const bs_snapshot *s, bs_heap *heap, bs_bytes *out);

/*
 * The snapshot becomes what n bytes from anywhere say. *problem is NULL; or what is wrong with
 * them, and the snapshot is as it was. Takes at most some 150 bytes for each 5 that are given.
 */
bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
