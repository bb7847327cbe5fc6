/*
 * narrow.h: the narrow phase: exact answers about two shapes of any kind. It relies on geometry and
 * on tolerances.h, and knows nothing of worlds and back ends.
 *
 *      narrow.c    which of these answers
 *      meet.c      a box and a box: the exact arithmetic of geometry.h
 *      round.c     a circle and a circle or box, in 2D and 3D
 *      polygon.c   a polygon and anything
 *      flush.c     where a box is flush with what it has met
 *      place.c     at which place two touch
 *
 * One of the two is taken for a point, and the other one is grown by as much (their Minkowski
 * difference): a box or a polygon, whose corners are rounded if a circle takes part. Shapes that
 * touch do not overlap. For a motion along a side, the rounding of coordinates counts as touching,
 * so that a shape slides along others. Answers about a and b are exactly those about b and a.
 *
 * Shapes never meet unless their rects meet, nor before these do, and no shape is nearer than its
 * rect. So answers are the same from every back end.
 *
 * Ericson, "Real-Time Collision Detection", 2005, chapters 4 and 5.
 */
#ifndef BS_NARROW_H
#define BS_NARROW_H

#include <math.h>

#include "base/names.h"
#include "broadside/geometry.h"
#include "tolerances.h"

#pragma GCC visibility push(hidden)

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

/*
 * Makes a rect reach from lo to hi on an axis, and farther on both sides: by that share of the two
 * coordinates, which is more than their rounding, and by `more`.
 */
static inline void bs_rect_reach(bs_rect *r, int axis, double lo, double hi, double rounding,
                                 double more) {
    double pad = fabs(lo) * rounding + fabs(hi) * rounding + BS_LEAST_PAD + more;
    r->pos[axis] = lo - pad;
    r->size[axis] = hi + pad - r->pos[axis];
}

static inline void bs_minus(const double a[DIM], const double b[DIM], double out[DIM]) {
    for (int k = 0; k < DIM; k++) {
        out[k] = a[k] - b[k];
    }
}

static inline void bs_negate(const double v[DIM], double out[DIM]) {
    for (int k = 0; k < DIM; k++) {
        out[k] = -v[k];
    }
}

static inline double bs_dot(const double a[DIM], const double b[DIM]) {
    double sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* Adds so much of a vector to another one. */
static inline void bs_add(double v[DIM], double part, const double way[DIM]) {
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        v[k] += part * way[k];
    }
}

/* What a vector has along a side, whose unit normal that is. */
static inline void bs_along_side(const double v[DIM], const double normal[DIM], double out[DIM]) {
    double off = bs_dot(v, normal);
    for (int k = 0; k < DIM; k++) {
        out[k] = v[k] - off * normal[k];
    }
}

/*
 * The length of a vector. Where its square is too large or too small for a double, all is scaled by
 * a power of two.
 */
static inline double bs_length(const double v[DIM]) {
    double square = bs_dot(v, v);
    if (square >= 0x1p-1000 && square < 0x1p1000) {
        return sqrt(square);
    }
    const double scale = square < 1 ? 0x1p600 : 0x1p-600;
    square = 0;
    for (int k = 0; k < DIM; k++) {
        square += v[k] * scale * (v[k] * scale);
    }
    return sqrt(square) / scale;
}

/* The unit vector of that direction; 0 stays 0. Returns the length of v. */
static inline double bs_direction(const double v[DIM], double out[DIM]) {
    double length = bs_length(v);
    for (int k = 0; k < DIM; k++) {
        out[k] = length > 0 ? v[k] / length : 0;
    }
    return length;
}

/*
 * A quarter of the distance from a point to a box, 0 inside: the distance itself may be larger than
 * all doubles.
 */
static inline double bs_quarter_distance(const double point[DIM], const bs_rect *r) {
    double way[DIM];
    for (int k = 0; k < DIM; k++) {
        double at = point[k] / 4;
        way[k] = bs_max(bs_max(r->pos[k] / 4 - at, at - bs_far(r, k) / 4), 0);
    }
    return bs_length(way);
}

/* bs_shape's inner and outer for a box: half a side, and half a diagonal and a little more. */
#define BS_INNER_OF_BOX 0.5F
#define BS_OUTER_OF_BOX (DIM == 2 ? 0.70711F : 0.86603F)

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

/* The circle that fills a rect, around its middle. */
static inline void bs_shape_set_centred(bs_shape *shape, const bs_rect *rect) {
    shape->kind = BS_CIRCLE;
    shape->inner = shape->outer = 0.5F;
    shape->rect = *rect;
    shape->radius = rect->size[0] / 2;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        shape->centre[k] = rect->pos[k] + shape->radius;
    }
}

/* What the balls in two shapes and around them tell. */
typedef enum bs_guess { BS_MAY_OVERLAP, BS_OVERLAP, BS_ARE_APART } bs_guess;

/*
 * Whether two shapes overlap, as far as the balls around the middles of their rects, at and bt,
 * tell. Where rounding may decide it leaves the answer open, for exact arithmetic. (It has no
 * branches, as neither answer can be predicted.)
 */
static inline bs_guess bs_balls_overlap(const bs_shape *a, const bs_rect *at, const bs_shape *b,
                                        const bs_rect *bt) {
    const double rounding = BS_RESTING;
    const double least = 0x1p-450; /* So no square that matters is too small. */
    double distance2 = 0;
    double sum = 0;
    double least_a = at->size[0], most_a = least_a;
    double least_b = bt->size[0], most_b = least_b;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double ma = at->pos[k] + at->size[k] / 2;
        double mb = bt->pos[k] + bt->size[k] / 2;
        distance2 += (ma - mb) * (ma - mb);
        sum += fabs(ma) + fabs(mb);
        least_a = bs_min(at->size[k], least_a);
        most_a = bs_max(at->size[k], most_a);
        least_b = bs_min(bt->size[k], least_b);
        most_b = bs_max(bt->size[k], most_b);
    }
    double outer = (double)a->outer * most_a + (double)b->outer * most_b;
    double inner = (double)a->inner * least_a + (double)b->inner * least_b;
    double slack = (sum + outer) * rounding + least;
    bool apart = distance2 > (outer + slack) * (outer + slack);
    bool within = (inner > slack) & (distance2 < (inner - slack) * (inner - slack));
    return (bs_guess)(within * BS_OVERLAP + apart * BS_ARE_APART);
}

/* Whether the interiors of a and b overlap. Sizes of boxes may be 0. */
bool bs_shapes_overlap(const bs_shape *a, const bs_shape *b);

/*
 * When a, moving by `motion`, first meets b, by the rules of bs_sweep, with a unit normal that
 * points away from b.
 */
bool bs_shapes_meet(const bs_shape *a, const double motion[DIM], const bs_shape *b, bs_touch *hit);
/*
 * The same for two that are not both boxes, and do not overlap. *hit is how their rects meet. *bend
 * is the radius of the arc on which a goes on around b, or 0 if it goes on straight.
 */
bool bs_shapes_approach(const bs_shape *a, const double motion[DIM], const bs_shape *b,
                        bs_touch *hit, double *bend);

/* The shortest push that separates a from b, or false; boxes are separated as by bs_separation. */
bool bs_shapes_separation(const bs_shape *a, const bs_shape *b, double push[DIM]);

/*
 * How far apart they are along a unit normal that points from b towards a. It is < 0 if they
 * overlap there, and not finite at extremes.
 */
double bs_shapes_gap(const bs_shape *a, const bs_shape *b, const double normal[DIM]);

/*
 * The place at which two touch that meet with a unit normal, which points from b to a: the middle
 * of what their sides share, or the corner; of a circle its point there. If they overlap,
 * that is between the two sides. With a normal of 0 it is the middle of what their rects share. It
 * is the same for b and a with the opposite normal.
 */
void bs_shapes_contact_place(const bs_shape *a, const bs_shape *b, const double normal[DIM],
                             double place[DIM]);

/* A side. Its normal is `sign` along `axis`; that of a slanted side stands beside it. */
typedef struct bs_box_side {
    int axis;
    int sign;
} bs_box_side;

enum { BS_SLANTED = -1 }; /* The axis of a side whose normal lies along none. */

/* The side of a unit normal. It is slanted unless the normal lies along an axis. */
static inline bs_box_side bs_side_of(const double normal[DIM]) {
    for (int k = 0; k < DIM; k++) {
        if (fabs(normal[k]) == 1) {
            return (bs_box_side){k, normal[k] > 0 ? 1 : -1};
        }
    }
    return (bs_box_side){BS_SLANTED, 0};
}

/*
 * The same for the side of an edge, which has no more than that length on each axis. If it is long,
 * and leans by ever so little, its normal may be rounded to that of an upright one. It is upright
 * if it leans by no more than `grain`.
 */
static inline bs_box_side bs_side_of_edge(const double normal[DIM], const double length[DIM],
                                          double grain) {
    bs_box_side side = bs_side_of(normal);
    for (int k = 0; side.axis != BS_SLANTED && k < DIM; k++) {
        if (k != side.axis && fabs(normal[k]) * length[k] > grain) {
            side = (bs_box_side){BS_SLANTED, 0};
        }
    }
    return side;
}

static inline bs_box_side bs_opposite(bs_box_side side) {
    return (bs_box_side){side.axis, -side.sign};
}

/*
 * Where a box of that size, at `pos` on an axis, is flush with the side of `other`: the double
 * nearest to that side at which the two do not overlap.
 */
double bs_flush(double size, const bs_rect *other, bs_box_side side);

/*
 * Moves the centre of a box, or of a point of size 0, which has met `other`, to where the two are
 * flush, so that a way that leads off from there begins outside. Along an axis that is exact: it is
 * the double nearest to the side at which they do not overlap, and a point is on the side to the
 * last bit. It is beyond none of the sides `ahead` (bs_hit; or NULL), as an inner corner has two.
 * At a slanted or round side it is exact to rounding, within BS_GRAZING. A normal of 0, of a
 * box that began inside, changes nothing.
 */
void bs_make_flush(const double size[DIM], const bs_shape *other, const bs_touch *touch,
                   const double motion[DIM], const double ahead[DIM], double centre[DIM]);

/*
 * The corner of a shape that reaches farthest along a unit normal. False if a side does, to
 * `rounding`, or the shape has no corners. In 3D it is the point of an edge that is nearest to
 * `beside`, if the normal is across that edge.
 */
bool bs_shape_corner(const bs_shape *s, const double normal[DIM], const double beside[DIM],
                     double rounding, double corner[DIM]);

/* A quarter of the distance from a point to a shape, 0 inside. */
double bs_shape_quarter_distance(const double point[DIM], const bs_shape *shape);

#pragma GCC visibility pop

#endif
