/* gap.c: computes gaps of boxes and shapes from their sides and corners. */
#include "gap.h"

#include <math.h>

/* The distance of a box from the range lo .. hi on an axis; less than 0 inside. */
static double gap_on_axis(const bs_rect *box, int k, double lo, double hi) {
    return fmax(lo - (box->pos[k] + box->size[k]), box->pos[k] - hi);
}

static double gap_to_circle(const bs_rect *box, const bs_shape *circle) {
    double distance = 0;
    for (int k = 0; k < DIM; k++) {
        double gap = gap_on_axis(box, k, circle->centre[k], circle->centre[k]);
        distance = hypot(distance, fmax(gap, 0));
    }
    return distance - circle->radius;
}

static double gap_to_rect(const bs_rect *box, const bs_rect *rect) {
    double gap = -HUGE_VAL;
    for (int k = 0; k < DIM; k++) {
        gap = fmax(gap, gap_on_axis(box, k, rect->pos[k], rect->pos[k] + rect->size[k]));
    }
    return gap;
}

#if DIM == 2
/* How far a box is ahead of all corners of the polygon in a direction; `from` is one of them. */
static double gap_ahead(const bs_rect *box, const bs_shape *polygon, const double from[2],
                        const double ahead[2]) {
    double box_least = 0;
    double most = -HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        double side = ahead[k] > 0 ? box->pos[k] : box->pos[k] + box->size[k];
        box_least += ahead[k] * (side - from[k]);
    }
    for (uint32_t i = 0; i < polygon->corners; i++) {
        const double *corner = polygon->corner[i];
        most = fmax(most, ahead[0] * (corner[0] - from[0]) + ahead[1] * (corner[1] - from[1]));
    }
    return box_least - most;
}

/*
 * The largest gap across any side of either shape. If a line separates them, one along such a side
 * does.
 */
static double gap_to_polygon(const bs_rect *box, const bs_shape *polygon) {
    double gap = gap_to_rect(box, &polygon->rect);
    for (uint32_t i = 0; i < polygon->corners; i++) {
        const double *from = polygon->corner[i];
        const double *to = polygon->corner[(i + 1) % polygon->corners];
        double length = hypot(to[0] - from[0], to[1] - from[1]);
        double left[2] = {(from[1] - to[1]) / length, (to[0] - from[0]) / length};
        double right[2] = {-left[0], -left[1]};
        gap = fmax(gap, gap_ahead(box, polygon, from, left));
        gap = fmax(gap, gap_ahead(box, polygon, from, right));
    }
    return gap;
}
#endif

double gap_at(const bs_rect *box, const double motion[DIM], double t, const bs_shape *shape) {
    bs_rect there = *box;
    for (int k = 0; k < DIM; k++) {
        there.pos[k] += motion[k] * t;
    }
#if DIM == 2
    if (shape->kind == BS_POLYGON) {
        return gap_to_polygon(&there, shape);
    }
#endif
    return shape->kind == BS_CIRCLE ? gap_to_circle(&there, shape)
                                    : gap_to_rect(&there, &shape->rect);
}

/*
 * The gap is convex, so this searches by thirds. If the way is shorter than the gap, the two stay
 * apart.
 */
double least_gap(const bs_rect *box, const double motion[DIM], double until,
                 const bs_shape *shape) {
    enum { ROUNDS = 80 };
    double length = 0;
    for (int k = 0; k < DIM; k++) {
        length += fabs(motion[k]);
    }
    double first = gap_at(box, motion, 0, shape);
    double lo = 0;
    double hi = until;
    for (int i = 0; i < ROUNDS && first <= length; i++) {
        double left = lo + (hi - lo) / 3;
        double right = hi - (hi - lo) / 3;
        if (gap_at(box, motion, left, shape) <= gap_at(box, motion, right, shape)) {
            hi = right;
        } else {
            lo = left;
        }
    }
    return fmin(first, gap_at(box, motion, hi, shape));
}

double gap_scale(const bs_rect *box, const double motion[DIM], const bs_shape *shape) {
    double scale = 0;
    for (int k = 0; k < DIM; k++) {
        const bs_rect *rect = &shape->rect;
        scale = fmax(scale, fmax(fabs(rect->pos[k]), fabs(rect->pos[k] + rect->size[k])));
        scale = fmax(scale, fmax(fabs(box->pos[k]), fabs(box->pos[k] + box->size[k])));
        scale = fmax(scale, fabs(motion[k]));
    }
    return scale;
}
