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

#include <math.h>

#include "broadside/shape.h"

#pragma GCC visibility push(hidden)

/*
 * Interiors that meet by no more than so much of the largest coordinate, 4 to 8 units in its last
 * place, only touch. Of boxes that is exact: they touch where they do.
 */
#define BS_TOUCHING 0x1p-50

/* What rounding may come to on a way, of the largest coordinate: so much is left where it ends. */
#define BS_ROUNDING 0x1p-46

/* The largest coordinate of two boxes, by which rounding is measured. */
static inline double bs_largest_coordinate(const bs_rect *a, const bs_rect *b) {
    double largest = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        largest = bs_max(bs_max(fabs(a->pos[k]), fabs(bs_far(a, k))), largest);
        largest = bs_max(bs_max(fabs(b->pos[k]), fabs(bs_far(b, k))), largest);
    }
    return largest;
}

/* True if squares of such lengths are doubles, and so are their sums and products. */
static inline bool bs_is_plain_length(double length) {
    return length > 0x1p-200 && length < 0x1p200;
}

/* True if something is nearer than the radius, by more than rounding explains. */
static inline bool bs_is_near(double distance2, double radius, double touch) {
    double least = radius - touch;
    return least > 0 && distance2 < least * least;
}

/* As bs_shape_fit, of a circle: its centre; returns its radius. */
static inline double bs_circle_fit(const bs_shape *given, const bs_rect *to, double centre[DIM]) {
    const bs_rect *from = &given->rect;
    bool same = from->size[0] == to->size[0];
    double radius = same ? given->radius : to->size[0] / 2;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double inside = same ? given->centre[k] - from->pos[k] : radius;
        bool stays = same && from->pos[k] == to->pos[k];
        centre[k] = stays ? given->centre[k] : to->pos[k] + inside;
    }
    return radius;
}

/*
 * True if the interiors of a and b meet. Sizes of boxes may be 0. (Two circles of usual sizes in a
 * world are asked about most: see bs_shapes_of_pair_overlap.)
 */
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
