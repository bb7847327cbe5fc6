/* parts.h: what the files of the narrow phase share. */
#ifndef BS_NARROW_PARTS_H
#define BS_NARROW_PARTS_H

#include <assert.h>
#include <math.h>

#include "meet.h"
#include "narrow.h"

#pragma GCC visibility push(hidden)

enum { BS_AXES_ALL = (1 << DIM) - 1 }; /* a set of axes: a bit for each */

/*
 * Units in which two shapes are of about size 1, and a motion of about length 1: powers of two, so
 * that nothing is rounded, and no square is too large or too small. Mostly those of the world.
 */
typedef struct bs_units {
    double length;  /* times this: the length of something in these units */
    double motion;  /* times this: a motion in these units */
    double horizon; /* the time at which the motion has come to its end */
    double slack;   /* what rounding may have made of a coordinate on a way */
    double touch;   /* shapes that are no deeper in each other touch: rounding explains that */
} bs_units;

/* Of two shapes by their rects; `motion` may be NULL. */
bs_units bs_units_of(const bs_rect *a, const bs_rect *b, const double motion[DIM]);

/* True if something is nearer than the radius, by more than rounding explains. */
static inline bool bs_is_near(double distance2, double radius, double touch) {
    double least = radius - touch;
    return least > 0 && distance2 < least * least;
}

/* When and how something is met, in such units. */
typedef struct bs_arrival {
    double t;
    double normal[DIM]; /* from b towards a */
    bool corner;
    double bend; /* see bs_shapes_meet */
} bs_arrival;

/*
 * When a point at the origin that moves by v comes into the ball around q. False: it does not, or
 * never deeper than `slack`.
 */
bool bs_ball_entry(const double q[DIM], const double v[DIM], double radius, double slack,
                   double *t);

/* a is a circle, b a circle or a box. */
bool bs_round_overlap(const bs_shape *a, const bs_shape *b);
bool bs_round_meet(const bs_shape *a, const double v[DIM], const bs_shape *b, const bs_units *units,
                   bs_arrival *first);
/*
 * What bs_shapes_meet says of a point and a circle, in fewer steps: segments ask for little else
 * where circles are. Only where they have the usual units. `largest`: bs_largest_coordinate.
 */
bool bs_point_meets_circle(const bs_rect *point, const double v[DIM], const bs_shape *circle,
                           double largest, bs_touch *hit);
void bs_round_separation(const bs_shape *a, const bs_shape *b, double push[DIM]);

#if DIM == 2
/* b is a polygon, a is anything. */
bool bs_polygon_overlap(const bs_shape *a, const bs_shape *b);
bool bs_polygon_meet(const bs_shape *a, const double v[DIM], const bs_shape *b,
                     const bs_units *units, bs_arrival *first);
void bs_polygon_separation(const bs_shape *a, const bs_shape *b, double push[DIM]);
double bs_polygon_distance(const double point[DIM], const bs_shape *shape, double scale);
#endif

#pragma GCC visibility pop

#endif
