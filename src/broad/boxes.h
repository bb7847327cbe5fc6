/*
 * boxes.h: the exact boxes of a world, as its back end sees them: by index, read only. It relies on
 * geometry.h.
 *
 * A back end keeps float bounds for speed. Floats decide most questions; if they cannot, it looks
 * here (see block.h).
 */
#ifndef BS_BOXES_H
#define BS_BOXES_H

#include "broadside/geometry.h"
#include "simd/lanes.h"

typedef struct bs_boxes {
    const bs_rect *rect; /* By box index. It moves when the world grows. */
    size_t cap;          /* All box indices are below this. */
} bs_boxes;

/*
 * In a world with more boxes than this, most are in none of the processor's nearer caches. So boxes
 * that are needed soon are fetched during other work. Tests use few, so that they get there.
 */
#ifdef BS_CHECKS
enum { BS_BOXES_FAR = 64 };
#else
enum { BS_BOXES_FAR = 1 << 14 };
#endif
enum { BS_AHEAD = 16 }; /* A box, or leaf, is fetched so many places ahead. */

/*
 * Fetches what is needed after some other work, into the level-2 cache: one more line can be on its
 * way to that than to the first. (A frame of a million boxes takes a quarter less time.)
 */
BS_HOT void bs_fetch_ahead(const void *at) {
    __builtin_prefetch(at, 0, 2);
}

/* The address of a box. The index may be of no box; then the address must not be followed. */
BS_HOT const void *bs_boxes_address(const bs_rect *rect, uint32_t box) {
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): not a pointer, as there may be nothing */
    return (const void *)((uintptr_t)rect + (uintptr_t)box * sizeof *rect);
}

/* Fetches a box that is needed at once, or after some other work. */
BS_HOT void bs_boxes_fetch(const bs_rect *rect, uint32_t box) {
    __builtin_prefetch(bs_boxes_address(rect, box));
}
BS_HOT void bs_boxes_fetch_ahead(const bs_rect *rect, uint32_t box) {
    bs_fetch_ahead(bs_boxes_address(rect, box));
}

#endif
