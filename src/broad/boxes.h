/*
 * boxes.h: the boxes of a world, as its back ends see them: by index, read only. It relies on
 * geometry.h.
 */
#ifndef BS_BOXES_H
#define BS_BOXES_H

#include "broadside/geometry.h"

typedef struct bs_boxes {
    const bs_rect *rect;  /* By box index. It moves when the world grows. */
    const uint8_t *flags; /* By box index. BS_SET_BITS of it say which set the box is in, if any. */
    size_t cap;           /* All box indices are below this. */
} bs_boxes;

enum { BS_SET_BITS = 3, BS_NO_SET = 0 };

#endif
