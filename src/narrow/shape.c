/* shape.c: shapes by themselves: whether one is valid, its rect, and how it is moved and scaled. */
#include "narrow.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void bs_shape_set_box(bs_shape *shape, const bs_rect *rect) {
    shape->kind = BS_BOX;
    shape->inner = BS_INNER_OF_BOX;
    shape->outer = BS_OUTER_OF_BOX;
    shape->rect = *rect;
}

/* The rect and the balls of a circle. */
static void bound_circle(bs_shape *shape) {
    shape->inner = shape->outer = 0.5F;
    for (int k = 0; k < DIM; k++) {
        shape->rect.pos[k] = shape->centre[k] - shape->radius;
        shape->rect.size[k] = 2 * shape->radius;
    }
}

void bs_shape_set_circle(bs_shape *shape, const double centre[DIM], double radius) {
    shape->kind = BS_CIRCLE;
    memcpy(shape->centre, centre, sizeof shape->centre);
    shape->radius = radius;
    bound_circle(shape);
}

/* --- polygons ------------------------------------------------------------------------------- */

#if DIM == 2

/* The rect of a polygon. */
static void bound_polygon(bs_shape *shape) {
    for (int k = 0; k < DIM; k++) {
        double lo = shape->corner[0][k];
        double hi = lo;
        for (uint32_t i = 1; i < shape->corners; i++) {
            lo = bs_min(shape->corner[i][k], lo);
            hi = bs_max(shape->corner[i][k], hi);
        }
        shape->rect.pos[k] = lo;
        shape->rect.size[k] = hi - lo;
    }
}

/* The corners, scaled by a power of two so that no product of lengths is too large or too small. */
typedef struct outline {
    uint32_t n;
    double slack; /* What rounding may have added to a coordinate, with room to spare. */
    double at[BS_MOST_CORNERS][2];
} outline;

static outline outline_of(const bs_shape *shape) {
    const bs_rect *r = &shape->rect;
    outline o = {.n = shape->corners};
    double size = bs_max(r->size[0], r->size[1]);
    double largest = 0;
    int exponent;
    frexp(size, &exponent);
    for (int k = 0; k < DIM; k++) {
        largest = bs_max(bs_max(fabs(r->pos[k]), fabs(bs_far(r, k))), largest);
        for (uint32_t i = 0; i < o.n; i++) {
            o.at[i][k] = ldexp(shape->corner[i][k] - r->pos[k], -exponent);
        }
    }
    o.slack = ldexp(largest, -exponent) * (4 * DBL_EPSILON) + DBL_MIN;
    return o;
}

/* How far corner j is on the inner side of the edge from corner i, times the edge's length. */
static double side_of(const outline *o, int turn, uint32_t i, uint32_t j, double *length) {
    uint32_t next = i + 1 < o->n ? i + 1 : 0;
    double ex = o->at[next][0] - o->at[i][0];
    double ey = o->at[next][1] - o->at[i][1];
    double x = o->at[j][0] - o->at[i][0];
    double y = o->at[j][1] - o->at[i][1];
    *length = sqrt(ex * ex + ey * ey);
    return turn * (ex * y - ey * x);
}

/* The direction of turning, by the corner that is farthest from the first edge. */
static int turn_of(const outline *o) {
    double farthest = 0;
    double length;
    for (uint32_t j = 2; j < o->n; j++) {
        double side = side_of(o, 1, 0, j, &length);
        farthest = fabs(side) > fabs(farthest) ? side : farthest;
    }
    return farthest < 0 ? -1 : 1;
}

static bool has_repeated_corner(const bs_shape *shape, uint32_t *corner) {
    for (uint32_t i = 1; i < shape->corners; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (shape->corner[i][0] == shape->corner[j][0] &&
                shape->corner[i][1] == shape->corner[j][1]) {
                *corner = i;
                return true;
            }
        }
    }
    return false;
}

/* The width of the outline across the edge from corner i, and how far it reaches outside. */
static double width_at(const outline *o, int turn, uint32_t i, double *outside) {
    double inside = 0;
    double length = 0;
    *outside = 0;
    for (uint32_t j = 0; j < o->n; j++) {
        double side = side_of(o, turn, i, j, &length) / length;
        inside = bs_max(side, inside);
        *outside = bs_max(-side, *outside);
    }
    return inside + *outside;
}

/*
 * Each edge must have all corners on its inner side, and one that is farther away than rounding
 * explains. Different corners in the wrong order, or around twice, fail this.
 */
static bs_shape_fault check_edges(const bs_shape *shape, uint32_t *corner) {
    outline o = outline_of(shape);
    bs_shape_fault fault = BS_SHAPE_IS_FINE;
    for (uint32_t i = 0; i < o.n; i++) {
        double outside;
        double length;
        uint32_t next = (i + 1) % o.n;
        if (width_at(&o, shape->turn, i, &outside) <= o.slack) {
            *corner = i;
            return BS_SHAPE_HAS_NO_AREA;
        }
        if (outside > o.slack && fault == BS_SHAPE_IS_FINE) {
            bool turns_back =
                side_of(&o, shape->turn, i, (i + 2) % o.n, &length) < -o.slack * length;
            *corner = turns_back ? next : i;
            fault = BS_SHAPE_IS_NOT_CONVEX;
        }
    }
    return fault;
}

/* The balls around the middle, as if the rect were a square with sides of 1. */
static void find_balls(bs_shape *shape) {
    const double more = 1 + 1e-6; /* More than rounding to floats takes away. */
    const uint32_t n = shape->corners;
    double at[BS_MOST_CORNERS][2];
    double inner = 1;
    double outer = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < DIM; k++) {
            at[i][k] = (shape->corner[i][k] - shape->rect.pos[k]) / shape->rect.size[k] - 0.5;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const double *a = at[i];
        const double *b = at[i + 1 < n ? i + 1 : 0];
        double x = b[0] - a[0];
        double y = b[1] - a[1];
        inner = bs_min(shape->turn * (a[0] * b[1] - a[1] * b[0]) / sqrt(x * x + y * y), inner);
        outer = bs_max(sqrt(a[0] * a[0] + a[1] * a[1]), outer);
    }
    shape->inner = (float)(bs_max(inner, 0) / more);
    shape->outer = (float)(outer * more);
}

static bs_shape_fault check_polygon(bs_shape *shape, uint32_t *corner) {
    if (shape->corners < BS_LEAST_CORNERS || shape->corners > BS_MOST_CORNERS) {
        return BS_SHAPE_HAS_WRONG_COUNT;
    }
    bound_polygon(shape);
    for (uint32_t i = 0; i < shape->corners; i++) {
        if (!bs_is_finite(shape->corner[i])) {
            *corner = i;
            return BS_SHAPE_IS_NOT_FINITE;
        }
    }
    if (!bs_rect_is_query(&shape->rect)) {
        return BS_SHAPE_IS_NOT_FINITE;
    }
    if (has_repeated_corner(shape, corner)) {
        return BS_SHAPE_REPEATS_CORNER;
    }
    if (!bs_rect_is_box(&shape->rect)) {
        return BS_SHAPE_HAS_NO_AREA;
    }
    outline o = outline_of(shape);
    shape->turn = turn_of(&o);
    find_balls(shape);
    return check_edges(shape, corner);
}

/*
 * Scales corners by their share of the old size, so that the outermost ones are exactly on the
 * sides of the new rect, wherever that is.
 */
static void fit_polygon(const bs_shape *shape, const bs_rect *to, bs_shape *out) {
    const uint32_t n = shape->corners;
    out->corners = n;
    out->turn = shape->turn;
    for (int k = 0; k < DIM; k++) {
        const double from = shape->rect.pos[k];
        const double pos = to->pos[k];
        const double old_size = shape->rect.size[k];
        const double size = to->size[k];
        for (uint32_t i = 0; i < n; i++) {
            double at = shape->corner[i][k];
            out->corner[i][k] = size != old_size ? pos + (at - from) / old_size * size
                                : pos != from    ? pos + (at - from)
                                                 : at;
        }
    }
}
#endif

/* --- all kinds ------------------------------------------------------------------------------ */

bs_shape_fault bs_shape_check(bs_shape *shape, uint32_t *corner) {
    *corner = 0;
#if DIM == 2
    if (shape->kind == BS_POLYGON) {
        return check_polygon(shape, corner);
    }
#endif
    assert(shape->kind == BS_BOX || shape->kind == BS_CIRCLE);
    if (shape->kind == BS_CIRCLE) {
        bound_circle(shape);
    }
    return bs_rect_is_box(&shape->rect) ? BS_SHAPE_IS_FINE : BS_SHAPE_IS_NOT_FINITE;
}

/*
 * A circle that has moved has its centre in the middle of its rect. Its old position in the rect
 * may be lost, if that was far away.
 */
static void fit_circle(const bs_shape *shape, const bs_rect *to, bs_shape *out) {
    const bs_rect *from = &shape->rect;
    bool same = from->size[0] == to->size[0];
    out->radius = same ? shape->radius : to->size[0] / 2;
    for (int k = 0; k < DIM; k++) {
        bool stays = same && from->pos[k] == to->pos[k];
        out->centre[k] = stays ? shape->centre[k] : to->pos[k] + out->radius;
    }
}

void bs_shape_fit(const bs_shape *shape, const bs_rect *rect, bs_shape *out) {
    out->kind = shape->kind;
    out->inner = shape->inner;
    out->outer = shape->outer;
    out->rect = *rect;
    if (shape->kind == BS_CIRCLE) {
        fit_circle(shape, rect, out);
    }
#if DIM == 2
    if (shape->kind == BS_POLYGON) {
        fit_polygon(shape, rect, out);
    }
#endif
}

/* A point, scaled, rotated and moved. */
static void transform_point(const bs_transform *tr, const double point[DIM], double out[DIM]) {
    double scaled[DIM];
    for (int k = 0; k < DIM; k++) {
        scaled[k] = point[k] * tr->scale[k];
    }
    for (int i = 0; i < DIM; i++) {
        double at = tr->rotated ? 0 : scaled[i];
        for (int k = 0; tr->rotated && k < DIM; k++) {
            at += tr->rotation[i][k] * scaled[k];
        }
        out[i] = at + tr->translation[i];
    }
}

void bs_shape_transform(const bs_shape *shape, const bs_transform *tr, bs_shape *out) {
    if (shape->kind == BS_BOX) {
        bs_rect rect = bs_transform_rect(&shape->rect, tr);
        bs_shape_set_box(out, &rect);
        return;
    }
    out->kind = shape->kind;
    if (shape->kind == BS_CIRCLE) {
        double scale = fabs(tr->scale[0]);
        bool even = true;
        for (int k = 1; k < DIM; k++) {
            even = even && fabs(tr->scale[k]) == scale;
        }
        transform_point(tr, shape->centre, out->centre);
        out->radius = even ? shape->radius * scale : (double)NAN;
        bound_circle(out);
        return;
    }
#if DIM == 2
    out->corners = shape->corners;
    for (uint32_t i = 0; i < shape->corners; i++) {
        transform_point(tr, shape->corner[i], out->corner[i]);
    }
    uint32_t corner;
    if (check_polygon(out, &corner) != BS_SHAPE_IS_FINE) {
        out->rect.size[0] = (double)NAN;
    }
#endif
}
