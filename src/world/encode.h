/*
 * encode.h: how a snapshot of a world looks as bytes; only for encode.c, decode.c and births.c.
 *
 *      beginning (bytes.h)     gravity     used, boxes, idle, contacts, hits: u32
 *      by index: generation u32, kind u8; of a box: rank u32, rect, and what its kind says;
 *          of a shape: corners u8 (0: a circle), numbers; before the first: whether there are two
 *      idle indices, u32, in the order in which they will be given out
 *      contacts: two ids u64, two ranks u32
 *      hits of the last step: two ids u64, response u8, t, normal
 *      checksum
 *
 * Numbers of insertions depend on what has been removed since; so ranks are stored, which do not:
 * among all boxes, and those that contacts still speak of, in the order of insertion.
 */
#ifndef BS_WORLD_ENCODE_H
#define BS_WORLD_ENCODE_H

#include "base/bytes.h"
#include "snapshot.h"

#pragma GCC visibility push(hidden)

extern const bs_format bs_snapshot_format;

/* What a box has besides its rect, in the byte that begins with BS_KEPT_FLAGS. */
enum { BS_HAS_LAYERS = 16, BS_HAS_MOTION = 32, BS_HAS_CONDUCT = 128 };
static_assert((BS_KEPT_FLAGS & (BS_HAS_LAYERS | BS_HAS_MOTION | BS_HAS_CONDUCT)) == 0,
              "bits of their own");

/* Boxes, and what contacts still speak of, in the order of insertion. */
typedef struct bs_births {
    bs_keyed *at; /* sorted, each once: the place of a birth is its rank */
    size_t n;
    size_t cap;
} bs_births;

/* Those of a snapshot. False: no memory. O(n log n) */
bool bs_births_list(bs_births *births, const bs_snapshot *s, bs_heap *heap);
void bs_births_free(bs_births *births, bs_heap *heap);
/* Of a birth that is there. O(log n) */
uint32_t bs_rank_of(const bs_births *births, uint64_t born);

#pragma GCC visibility pop

#endif
