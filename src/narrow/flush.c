/*
 * flush.c: where a box, or a point, is flush with what it has met. Rounding decides on which side
 * of a side it is: what is computed from a time may be an ulp inside, and then the next way from
 * there would begin in the wall.
 */
#include "narrow.h"

#include <assert.h>
#include <math.h>

/*
 * The size is subtracted and added again. If the sum is beyond the side, the place is a step or two
 * lower. It is never short of a nearer one, as the difference is off by half a step at most.
 */
static double flush_pos(double size, double side) {
    double pos = side - size;
    while (pos + size > side) {
        pos = nextafter(pos, -HUGE_VAL);
    }
    return pos;
}

double bs_flush(double size, const bs_rect *other, bs_box_side side) {
    const int k = side.axis;
    return side.sign > 0 ? bs_far(other, k) : flush_pos(size, other->pos[k]);
}

/*
 * The centre of a box that is flush with a side: half its size off the side; if rounding makes them
 * overlap there, a step or two farther. Its near side is centre - size / 2, rounded, as in pools.
 * Steps of a centre near 0 may be too small to change that, so before a side it goes to where
 * bs_flush has it.
 */
static double flush_centre(double size, double side, int sign) {
    const double half = size / 2;
    if (sign > 0) {
        double centre = side + half;
        while (centre - half < side) {
            centre = nextafter(centre, HUGE_VAL);
        }
        return centre;
    }
    double centre = side - half;
    if (centre - half + size > side) {
        double pos = flush_pos(size, side);
        centre = pos + half;
        while (centre - half > pos) {
            centre = nextafter(centre, -HUGE_VAL);
        }
    }
    return centre;
}

/*
 * On the other axes it is between the ends of the side, where rounding at a corner would put it
 * past the end.
 */
static void stop_at_side(const double size[DIM], const bs_rect *other, bs_box_side side,
                         double centre[DIM]) {
    for (int k = 0; k < DIM; k++) {
        double lo = other->pos[k] - size[k] / 2;
        double hi = bs_far(other, k) + size[k] / 2;
        centre[k] = bs_max(lo, bs_min(centre[k], hi));
    }
    const int k = side.axis;
    double at = side.sign > 0 ? bs_far(other, k) : other->pos[k];
    centre[k] = flush_centre(size[k], at, side.sign);
}

/*
 * Back to where it is flush with sides ahead, if rounding has put it beyond them: only on axes on
 * which it moves.
 */
static void stop_before(const double size[DIM], const double motion[DIM], const double ahead[DIM],
                        double centre[DIM]) {
    for (int k = 0; k < DIM; k++) {
        int sign = motion[k] > 0 ? -1 : 1;
        double low = centre[k] - size[k] / 2;
        double leading = sign < 0 ? low + size[k] : -low;
        if (motion[k] != 0 && leading > ahead[k]) {
            centre[k] = flush_centre(size[k], -sign * ahead[k], sign);
        }
    }
}

/*
 * What is towards the circle, a corner or an edge of the box, is a radius from the circle's centre.
 */
static void stop_at_circle(const double size[DIM], const bs_shape *circle, const double normal[DIM],
                           double centre[DIM]) {
    for (int k = 0; k < DIM; k++) {
        double half = normal[k] > 0 ? size[k] / 2 : -size[k] / 2;
        double at = circle->centre[k] + circle->radius * normal[k] + half;
        centre[k] = normal[k] != 0 ? at : centre[k];
    }
}

/* Along the normal until there is no gap. */
static void stop_at_slope(const double size[DIM], const bs_shape *other, const double normal[DIM],
                          double centre[DIM]) {
    bs_rect rect;
    bs_shape box;
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = centre[k] - size[k] / 2;
        rect.size[k] = size[k];
    }
    bs_shape_set_box(&box, &rect);
    double gap = bs_shapes_gap(&box, other, normal);
    for (int k = 0; isfinite(gap) && k < DIM; k++) {
        centre[k] -= gap * normal[k];
    }
}

void bs_make_flush(const double size[DIM], const bs_shape *other, const bs_touch *touch,
                   const double motion[DIM], const double ahead[DIM], double centre[DIM]) {
    const double *normal = touch->normal;
    bs_box_side side = {0, 0};
    int axes = 0; /* On how many the normal is not 0. */
    for (int k = 0; k < DIM; k++) {
        if (normal[k] != 0) {
            side = (bs_box_side){k, normal[k] > 0 ? 1 : -1};
            axes++;
        }
    }
    if (axes == 1) {
        stop_at_side(size, &other->rect, side, centre);
        if (ahead != NULL && touch->t > 0) {
            stop_before(size, motion, ahead, centre);
        }
    } else if (axes > 1 && other->kind == BS_CIRCLE) {
        stop_at_circle(size, other, normal, centre);
    } else if (axes > 1) {
        stop_at_slope(size, other, normal, centre);
    }
}
