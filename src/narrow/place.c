/* place.c: the place at which two shapes touch; the arithmetic is on their outlines alone. */
#include "narrow_parts.h"

#include <string.h>

/* Halves, as a sum could be infinite. */
static double middle(double a, double b) {
    return a == b ? a : a / 2 + b / 2;
}

/* --- boxes, and shapes by their rects ------------------------------------------------------- */

/* Between the two sides along the normal, and in the middle of what they share along the others. */
static void place_of_rects(const bs_rect *a, const bs_rect *b, const double normal[DIM],
                           double place[DIM]) {
    for (int k = 0; k < DIM; k++) {
        double far_a = bs_far(a, k);
        double far_b = bs_far(b, k);
        if (normal[k] > 0) {
            place[k] = middle(a->pos[k], far_b);
        } else if (normal[k] < 0) {
            place[k] = middle(far_a, b->pos[k]);
        } else {
            place[k] = middle(bs_max(a->pos[k], b->pos[k]), bs_min(far_a, far_b));
        }
    }
}

/* --- circles -------------------------------------------------------------------------------- */

/* The point of a circle towards which a unit normal points, or from which it does. */
static void point_of_circle(const bs_shape *s, const double normal[DIM], double sign,
                            double point[DIM]) {
    for (int k = 0; k < DIM; k++) {
        point[k] = s->centre[k] + sign * s->radius * normal[k];
    }
}

static void place_of_circle(const bs_shape *a, const bs_shape *b, const double normal[DIM],
                            double place[DIM]) {
    double other[DIM];
    if (a->kind != BS_CIRCLE) {
        point_of_circle(b, normal, 1, place);
        return;
    }
    point_of_circle(a, normal, -1, place);
    if (b->kind == BS_CIRCLE) {
        point_of_circle(b, normal, 1, other);
        for (int k = 0; k < DIM; k++) {
            place[k] = middle(place[k], other[k]);
        }
    }
}

/* --- polygons ------------------------------------------------------------------------------- */

#if DIM == 2
/* What of a shape reaches farthest along a normal: an edge, or a corner if both ends are one. */
typedef struct support {
    double lo[2], hi[2]; /* Its ends. */
    double from, to;     /* How far these are along the edge, in quarters. */
} support;

static uint32_t corners_of(const bs_shape *s, double corner[BS_MOST_CORNERS][2]) {
    if (s->kind == BS_POLYGON) {
        memcpy(corner, s->corner, s->corners * sizeof *corner);
        return s->corners;
    }
    for (uint32_t i = 0; i < 4; i++) {
        corner[i][0] = i < 2 ? s->rect.pos[0] : bs_far(&s->rect, 0);
        corner[i][1] = i % 2 == 0 ? s->rect.pos[1] : bs_far(&s->rect, 1);
    }
    return 4;
}

/* Along an eighth of the normal, so that no sum is infinite: `slack` is an eighth, too. */
static support support_of(const bs_shape *s, const double normal[2], double slack) {
    double corner[BS_MOST_CORNERS][2];
    const double along[2] = {-normal[1], normal[0]};
    const uint32_t n = corners_of(s, corner);
    double most = -HUGE_VAL;
    support x = {.from = HUGE_VAL, .to = -HUGE_VAL};
    for (uint32_t i = 0; i < n; i++) {
        most = bs_max(bs_dot(corner[i], normal), most);
    }
    for (uint32_t i = 0; i < n; i++) {
        double at = bs_dot(corner[i], along);
        if (bs_dot(corner[i], normal) < most - slack) {
            continue;
        }
        if (at < x.from) {
            x.from = at;
            memcpy(x.lo, corner[i], sizeof x.lo);
        }
        if (at > x.to) {
            x.to = at;
            memcpy(x.hi, corner[i], sizeof x.hi);
        }
    }
    return x;
}

/* Where what two edges share ends: at x, which is `by` farther inward than y. */
static void end_of_both(const double x[2], const double y[2], double by, double end[2]) {
    for (int k = 0; k < 2; k++) {
        end[k] = by > 0 ? x[k] : by < 0 ? y[k] : middle(x[k], y[k]);
    }
}

static void place_of_edges(const bs_shape *a, const bs_shape *b, const double normal[2],
                           double place[2]) {
    const double eighth[2] = {normal[0] / 8, normal[1] / 8};
    const double back[2] = {-normal[0] / 8, -normal[1] / 8};
    const double slack = bs_largest_coordinate(&a->rect, &b->rect) * BS_HERE / 8;
    support x = support_of(a, back, slack);
    support y = support_of(b, eighth, slack);
    double lo[2];
    double hi[2];
    /* Their edges run in opposite directions. */
    end_of_both(x.hi, y.lo, -x.to - y.from, lo);
    end_of_both(x.lo, y.hi, y.to + x.from, hi);
    for (int k = 0; k < 2; k++) {
        place[k] = middle(lo[k], hi[k]);
    }
}
#else
static void place_of_edges(const bs_shape *a, const bs_shape *b, const double normal[DIM],
                           double place[DIM]) {
    place_of_rects(&a->rect, &b->rect, normal, place); /* There are no polygons. */
}
#endif

/* -------------------------------------------------------------------------------------------- */

void bs_shapes_contact_place(const bs_shape *a, const bs_shape *b, const double normal[DIM],
                             double place[DIM]) {
    bool overlap = !(bs_dot(normal, normal) > 0);
    bool boxes = a->kind == BS_BOX && b->kind == BS_BOX;
    if (overlap || boxes) {
        place_of_rects(&a->rect, &b->rect, normal, place);
    } else if (a->kind == BS_CIRCLE || b->kind == BS_CIRCLE) {
        place_of_circle(a, b, normal, place);
    } else {
        place_of_edges(a, b, normal, place);
    }
}
