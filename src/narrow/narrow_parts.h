/* narrow_parts.h: what the files of the narrow phase share; only for these. */
#ifndef BS_NARROW_PARTS_H
#define BS_NARROW_PARTS_H

#include <assert.h>
#include <math.h>

#include "meet.h"
#include "narrow.h"

#pragma GCC visibility push(hidden)

enum { BS_AXES_ALL = (1 << DIM) - 1 }; /* A set of axes has a bit for each. */

/*
 * Units in which two shapes are about 1 large, and a motion about 1 long: powers of two, so that
 * nothing is rounded, and no square is too large or too small. Mostly they are those of the world.
 */
typedef struct bs_units {
    double length;  /* The factor from lengths in the world to these units. */
    double motion;  /* The factor from motions in the world to these units. */
    double horizon; /* The time at which the motion ends. */
    double slack;   /* The rounding that a coordinate on a way may have. */
    double touch;   /* Shapes that are no deeper in each other only touch, by rounding. */
} bs_units;

/* The units for two shapes by their rects. `motion` may be NULL. */
bs_units bs_units_of(const bs_rect *a, const bs_rect *b, const double motion[DIM]);

/* Whether something is nearer than the radius, by more than rounding explains. */
static inline bool bs_is_near(double distance2, double radius, double touch) {
    double least = radius - touch;
    return least > 0 && distance2 < least * least;
}

/*
 * When a point at the origin that moves by v comes into the ball around q. False if it does not, or
 * never deeper than `slack`.
 */
bool bs_ball_entry(const double q[DIM], const double v[DIM], double radius, double slack,
                   double *t);

/* Answers about two shapes of two kinds, in these units. */
typedef struct bs_narrow {
    bool (*overlap)(const bs_shape *a, const bs_shape *b, const bs_units *units);
    bool (*meet)(const bs_shape *a, const double v[DIM], const bs_shape *b, const bs_units *units,
                 bs_touch *first, double *bend); /* See bs_shapes_approach. */
    void (*separate)(const bs_shape *a, const bs_shape *b, const bs_units *units, double push[DIM]);
} bs_narrow;

extern const bs_narrow bs_round; /* a is a circle, b a circle or a box. */
#if DIM == 2
extern const bs_narrow bs_straight; /* a is a box or a polygon, b a polygon. */
extern const bs_narrow bs_cornered; /* a is a circle, b a polygon. */
double bs_polygon_quarter_distance(const double point[DIM], const bs_shape *shape);
#endif

/*
 * bs_shapes_meet for a circle or a point (a box of size 0), and a circle b, in fewer steps, as
 * segments and bodies among circles need it. Only for the usual units. `largest` is
 * bs_largest_coordinate.
 */
bool bs_balls_meet(const bs_shape *a, const double v[DIM], const bs_shape *b, double largest,
                   bs_touch *hit);

#pragma GCC visibility pop

#endif
