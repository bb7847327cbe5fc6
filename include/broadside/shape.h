/*
 * shape.h: shapes within the rect of a box: the box itself, a circle (3D: a sphere), or, in 2D, a
 * convex polygon. It relies on geometry.h, and knows nothing of worlds.
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

/* A box only has `kind` and `rect`; a circle also `centre` and `radius`. */
typedef struct bs_shape {
    bs_shape_kind kind;
    uint32_t corners; /* The number of a polygon's corners, which are in the order given. */
    int turn;         /* 1 if a polygon's corners turn from +x towards +y, else -1. */
    bs_rect rect;     /* The AABB. */
    /*
     * Two balls around the middle of the rect. The shape contains the one whose radius is `inner`
     * times the least side. The one whose radius is `outer` times the greatest side contains the
     * shape.
     */
    float inner, outer;
    double centre[DIM];
    double radius;
    double corner[BS_MOST_CORNERS][2];
} bs_shape;

/* A motion in a straight line, of a point, a box or a shape. */
typedef struct bs_way {
    bs_rect from; /* Where it begins. A point has no size. */
    double motion[DIM];
    const bs_shape *shape; /* The shape in `from`; NULL for a point or a box. */
} bs_way;

/* What is wrong with a shape. */
typedef enum bs_shape_fault {
    BS_SHAPE_IS_FINE,
    BS_SHAPE_HAS_WRONG_COUNT, /* A polygon has 3 to 16 corners. */
    BS_SHAPE_IS_NOT_FINITE,   /* A number is not finite, or a radius not > 0. */
    BS_SHAPE_REPEATS_CORNER,
    BS_SHAPE_HAS_NO_AREA,  /* It is no wider than the rounding of its coordinates. */
    BS_SHAPE_IS_NOT_CONVEX /* Or its sides go around more than once. */
} bs_shape_fault;

/* A circle or sphere may be invalid until it is checked. */
void bs_shape_set_box(bs_shape *shape, const bs_rect *rect);
void bs_shape_set_circle(bs_shape *shape, const double centre[DIM], double radius);

/*
 * Says what is wrong with a shape, and at which corner. Sets what follows from its kind and its
 * corners, or its centre and radius. It does not change corners; several may lie on one line. (A
 * deviation of less than 4 units in the last place of the largest coordinate does not count, so
 * corners that rounding has moved off a line are still on it.) O(corners^2)
 */
bs_shape_fault bs_shape_check(bs_shape *shape, uint32_t *corner);

/*
 * The shape with another rect: moved, and scaled if the rect has another size. Coordinates on an
 * axis without motion stay exactly the same. A circle takes its size from axis 0.
 */
void bs_shape_fit(const bs_shape *shape, const bs_rect *rect, bs_shape *out);

/*
 * The shape scaled, rotated and moved. Its rect is invalid if the result is no shape, and if a
 * circle is scaled by different factors. `rect` is that of a box.
 */
void bs_shape_transform(const bs_shape *shape, const bs_transform *tr, bs_shape *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
