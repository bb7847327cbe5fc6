/*
 * narrow.h: the narrow phase: exact answers about two shapes, whatever kinds they are of. Knows
 * nothing of worlds and back ends.
 *
 *      narrow.c    which of these answers
 *      meet.c      a box and a box: the exact arithmetic of geometry.h
 *      round.c     a circle and a circle or box, in 2D and 3D
 *      polygon.c   a polygon and anything
 *
 * One of the two is taken for a point, and the other one is grown by as much (their Minkowski
 * difference): a box or a polygon whose corners are rounded where a circle takes part. Interiors
 * decide. Rounding of coordinates counts as touching where a motion along a side is concerned, so
 * that a shape slides along others. What is asked of a and b is answered as of b and a, exactly.
 *
 * Nothing is met that the rects around the shapes do not meet, nor before they do, nor is anything
 * nearer than its rect: so answers are the same from every back end.
 *
 * Ericson, "Real-Time Collision Detection", 2005, chapters 4 and 5.
 */
#ifndef BS_NARROW_H
#define BS_NARROW_H

#include "broadside/shape.h"

#pragma GCC visibility push(hidden)

/*
 * Interiors that meet by no more than so much of the largest coordinate, 4 to 8 units in its last
 * place, only touch. Of boxes that is exact: they touch where they do.
 */
#define BS_TOUCHING 0x1p-50

/* What rounding may come to on a way, of the largest coordinate: so much is left where it ends. */
#define BS_ROUNDING 0x1p-46

/* True if the interiors of a and b meet. Sizes of boxes may be 0. */
bool bs_shapes_overlap(const bs_shape *a, const bs_shape *b);

/*
 * When a, moving by `motion`, first meets b: as bs_sweep says, with a unit normal, which points
 * away from b. *bend, unless NULL, is the radius of the arc on which a goes on around b, 0 if it
 * goes on straight.
 */
bool bs_shapes_meet(const bs_shape *a, const double motion[DIM], const bs_shape *b, bs_touch *hit,
                    double *bend);

/* The least push that parts a from b; false if they do not overlap. Of boxes as bs_separation. */
bool bs_shapes_separation(const bs_shape *a, const bs_shape *b, double push[DIM]);

/* The squared distance from a point to a shape, 0 inside. */
double bs_shape_distance2(const double point[DIM], const bs_shape *shape);

#pragma GCC visibility pop

#endif
