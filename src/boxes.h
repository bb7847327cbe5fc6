/*
 * boxes.h: the exact boxes of a world, as its back end may see them: by index, read only.
 *
 * A back end keeps float bounds for speed. Floats decide most questions; this is where it looks
 * when they cannot (see block.h).
 */
#ifndef BS_BOXES_H
#define BS_BOXES_H

#include "geometry.h"

typedef struct bs_boxes {
    const bs_rect *rect; /* by box index; moves when the world grows */
    size_t cap;          /* box indices are below this */
} bs_boxes;

#endif
