/*
 * shape.h: what may lie within the bounds of a box: the box itself, a circle (3D: a sphere), or, in
 * 2D, a convex polygon. Knows nothing of worlds.
 */
#ifndef BS_SHAPE_H
#define BS_SHAPE_H

#include "geometry.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

enum { BS_LEAST_CORNERS = 3, BS_MOST_CORNERS = 16 };

typedef enum bs_shape_kind { BS_BOX, BS_CIRCLE, BS_POLYGON } bs_shape_kind;

/* Of a box only `kind` and `rect` count; of a circle also `centre` and `radius`. */
typedef struct bs_shape {
    bs_shape_kind kind;
    uint32_t corners; /* of a polygon; in the order in which they were given */
    int turn;         /* of a polygon: 1 if they turn from +x towards +y, -1 if the other way */
    bs_rect rect;     /* around it */
    /*
     * Two balls about the middle of the rect, as parts of its sides: that with a radius of so much
     * of the least side is within the shape, that with so much of the greatest one is around it.
     */
    float inner, outer;
    double centre[DIM];
    double radius;
    double corner[BS_MOST_CORNERS][2];
} bs_shape;

/* What is wrong with a shape. */
typedef enum bs_shape_fault {
    BS_SHAPE_IS_FINE,
    BS_SHAPE_HAS_WRONG_COUNT, /* of corners: not 3 to 16 */
    BS_SHAPE_IS_NOT_FINITE,   /* or a circle's radius is not > 0 */
    BS_SHAPE_REPEATS_CORNER,
    BS_SHAPE_HAS_NO_AREA,  /* it is no wider than what rounding takes from its coordinates */
    BS_SHAPE_IS_NOT_CONVEX /* or its sides go around more than once */
} bs_shape_fault;

/* A box; a circle, or sphere, which may be invalid until it is checked. */
void bs_shape_set_box(bs_shape *shape, const bs_rect *rect);
void bs_shape_set_circle(bs_shape *shape, const double centre[DIM], double radius);

/*
 * Says what is wrong with a shape, and at which corner; sets what follows from its kind and its
 * corners, or its centre and radius. Sets no corner right: several on one line are kept. (What is
 * less than 4 units in the last place of the largest coordinate does not count: so corners that
 * rounding has moved off a line are on it.) O(corners^2)
 */
bs_shape_fault bs_shape_check(bs_shape *shape, uint32_t *corner);

/*
 * The shape when the rect around it becomes `rect`: moved, and scaled if that has another size.
 * What is not moved on an axis keeps its coordinates exactly. A circle takes its size from axis 0.
 */
void bs_shape_fit(const bs_shape *shape, const bs_rect *rect, bs_shape *out);

/*
 * Scaled, turned and moved; a circle only scaled by the same factor on all axes, or else its rect
 * becomes invalid, as that of other shapes does where the result is none. `rect` is that of a box.
 */
void bs_shape_transform(const bs_shape *shape, const bs_transform *tr, bs_shape *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
