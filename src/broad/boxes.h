/*
 * boxes.h: the exact boxes of a world, as its back end may see them: by index, read only.
 *
 * A back end keeps float bounds for speed. Floats decide most questions; this is where it looks
 * when they cannot (see block.h).
 */
#ifndef BS_BOXES_H
#define BS_BOXES_H

#include "broadside/geometry.h"
#include "simd/lanes.h"

typedef struct bs_boxes {
    const bs_rect *rect; /* by box index; moves when the world grows */
    size_t cap;          /* box indices are below this */
} bs_boxes;

/*
 * In a world of so many boxes, most are in none of the processor's nearer caches. So what is needed
 * soon is asked for while it works on something else. Few in tests, so that they get there.
 */
#ifdef BS_CHECKS
enum { BS_BOXES_FAR = 64 };
#else
enum { BS_BOXES_FAR = 1 << 14 };
#endif
enum { BS_AHEAD = 16 }; /* what the box, or leaf, so many places further on needs is asked for */

/*
 * Asks for what is needed after some other work: into the level-2 cache, as to that one more can be
 * on its way at a time than to the first. (A frame of a million boxes takes a quarter less so.)
 */
BS_HOT void bs_fetch_ahead(const void *at) {
    __builtin_prefetch(at, 0, 2);
}

/* Where a box is. Any number may be given, also one of no box: then it is not to be followed. */
BS_HOT const void *bs_boxes_address(const bs_rect *rect, uint32_t box) {
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): not a pointer, as there may be nothing */
    return (const void *)((uintptr_t)rect + (uintptr_t)box * sizeof *rect);
}

/* Asks for a box that is needed at once, or after some other work. */
BS_HOT void bs_boxes_fetch(const bs_rect *rect, uint32_t box) {
    __builtin_prefetch(bs_boxes_address(rect, box));
}
BS_HOT void bs_boxes_fetch_ahead(const bs_rect *rect, uint32_t box) {
    bs_fetch_ahead(bs_boxes_address(rect, box));
}

#endif
