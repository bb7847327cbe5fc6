/*
 * boxes.h: the exact boxes of a world, as its back ends see them: by index, read only. It relies on
 * geometry.h.
 */
#ifndef BS_BOXES_H
#define BS_BOXES_H

#include "broadside/geometry.h"

typedef struct bs_boxes {
    const bs_rect *rect; /* By box index. It moves when the world grows. */
    size_t cap;          /* All box indices are below this. */
} bs_boxes;

#endif
