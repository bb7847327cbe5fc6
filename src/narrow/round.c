/* round.c: circles (3D: spheres) against circles and boxes, by boxes with rounded corners. */
#include "narrow_parts.h"

/*
 * A box whose corners are rounded, seen from a point at the origin: the Minkowski difference of a
 * circle and a box, or of two circles (then the box has size 0), relative to the circle's centre.
 */
typedef struct rounded {
    double lo[DIM], hi[DIM];
    double radius;
} rounded;

static rounded rounded_of(const bs_shape *a, const bs_shape *b, double unit) {
    rounded r;
    assert(a->kind == BS_CIRCLE && b->kind != BS_POLYGON);
    for (int k = 0; k < DIM; k++) {
        double centre = a->centre[k] * unit; /* First, as a difference could overflow. */
        if (b->kind == BS_BOX) {
            r.lo[k] = b->rect.pos[k] * unit - centre;
            r.hi[k] = bs_far(&b->rect, k) * unit - centre;
        } else {
            r.lo[k] = r.hi[k] = b->centre[k] * unit - centre;
        }
    }
    r.radius = a->radius * unit + (b->kind == BS_CIRCLE ? b->radius * unit : 0);
    return r;
}

/* The way to the nearest point of the box, and its squared length. */
static double way_to(const rounded *r, double way[DIM]) {
    for (int k = 0; k < DIM; k++) {
        way[k] = r->lo[k] > 0 ? r->lo[k] : r->hi[k] < 0 ? r->hi[k] : 0;
    }
    return bs_dot(way, way);
}

static bool overlap(const bs_shape *a, const bs_shape *b, const bs_units *units) {
    rounded r = rounded_of(a, b, units->length);
    double way[DIM];
    return bs_is_near(way_to(&r, way), r.radius, units->touch);
}

bool bs_ball_entry(const double q[DIM], const double v[DIM], double radius, double slack,
                   double *t) {
    double speed2 = 0;
    double ahead = 0;
    double square = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        speed2 += v[k] * v[k];
        ahead += q[k] * v[k];
        square += q[k] * q[k];
    }
    if (!(ahead > 0) || !(speed2 > 0)) {
        return false;
    }
    double nearest = ahead / speed2; /* The time at which it is nearest. */
    double missed = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double m = q[k] - v[k] * nearest;
        missed += m * m;
    }
    double within = radius * radius - missed;
    if (!(within > 2 * radius * slack)) {
        return false;
    }
    /* The lesser root, in the form that does not subtract two nearly equal numbers. */
    double root = sqrt(speed2 * within);
    *t = bs_max((square - radius * radius) / (ahead + root), 0);
    return true;
}

/* --- meeting -------------------------------------------------------------------------------- */

/* Whether the point is beside the box at that time, on all axes but these. */
static bool is_beside(const rounded *r, const double v[DIM], unsigned axes, double t) {
    for (int k = 0; k < DIM; k++) {
        double x = v[k] * t;
        if ((axes >> k & 1) == 0 && !(r->lo[k] <= x && x <= r->hi[k])) {
            return false;
        }
    }
    return true;
}

/* Whether it comes from a circle and a circle or point. */
static bool is_point(const rounded *r) {
    bool point = true;
    for (int k = 0; k < DIM; k++) {
        point = point && r->lo[k] == r->hi[k];
    }
    return point;
}

/* Meets the sides, moved outward by the radius. */
static void meet_sides(const rounded *r, const double v[DIM], bs_touch *first) {
    for (int k = 0; k < DIM; k++) {
        if (v[k] == 0) {
            continue;
        }
        double way = v[k] > 0 ? r->lo[k] - r->radius : r->hi[k] + r->radius;
        double t = bs_max(way / v[k], 0);
        bool ahead = v[k] > 0 ? r->lo[k] > 0 : r->hi[k] < 0;
        if (ahead && t < first->t && is_beside(r, v, 1u << k, t)) {
            *first = (bs_touch){.t = t};
            first->normal[k] = v[k] > 0 ? -1 : 1;
        }
    }
}

/*
 * The normal where the point is at time t: from the nearest place of the box. Returns whether
 * rounding has put the point beside one of these sides rather than ahead of it; then what is met is
 * no corner.
 */
static bool normal_at(const rounded *r, const double v[DIM], double t, unsigned axes,
                      double normal[DIM]) {
    bool beside = false;
    for (int k = 0; k < DIM; k++) {
        double x = v[k] * t;
        normal[k] = x < r->lo[k] ? x - r->lo[k] : x > r->hi[k] ? x - r->hi[k] : 0;
        beside = beside || ((axes >> k & 1) != 0 && normal[k] == 0 && r->lo[k] < r->hi[k]);
    }
    double length = sqrt(bs_dot(normal, normal));
    for (int k = 0; k < DIM && length > 0; k++) {
        normal[k] /= length;
    }
    return beside;
}

/*
 * Meets an edge or corner: on `axes` it is at the low end of the box, or at the high end if `high`.
 * The other axes do not count for the distance to an edge, and a way along an edge bends less
 * (Euler's theorem on curvature).
 */
static void meet_corner(const rounded *r, const double v[DIM], double slack, unsigned axes,
                        unsigned high, bs_touch *first, double *bend) {
    double q[DIM];
    double across[DIM];
    double t;
    for (int k = 0; k < DIM; k++) {
        bool counts = (axes >> k & 1) != 0;
        q[k] = !counts ? 0 : (high >> k & 1) != 0 ? r->hi[k] : r->lo[k];
        across[k] = counts ? v[k] : 0;
    }
    if (!bs_ball_entry(q, across, r->radius, slack, &t) || !(t < first->t) ||
        !is_beside(r, v, axes, t)) {
        return;
    }
    *first = (bs_touch){.t = t};
    *bend = 0;
    if (!normal_at(r, v, t, axes, first->normal)) {
        first->corner = !is_point(r);
        *bend = r->radius * (bs_dot(v, v) / bs_dot(across, across));
    }
}

/*
 * The grown box consists of boxes, cylinders and balls around sides, edges and corners. It is met
 * where the first of these is met. If the box has size 0, only corners matter, and only one of
 * them.
 */
static bool meet(const bs_shape *a, const double v[DIM], const bs_shape *b, const bs_units *units,
                 bs_touch *first, double *bend) {
    rounded r = rounded_of(a, b, units->length);
    *first = (bs_touch){.t = HUGE_VAL};
    *bend = 0;
    if (is_point(&r)) {
        meet_corner(&r, v, units->slack, BS_AXES_ALL, 0, first, bend);
        return first->t < units->horizon;
    }
    meet_sides(&r, v, first);
    for (unsigned axes = 1; axes <= BS_AXES_ALL; axes++) {
        if ((axes & (axes - 1)) == 0) {
            continue; /* This is a side. */
        }
        for (unsigned high = axes;; high = (high - 1) & axes) {
            meet_corner(&r, v, units->slack, axes, high, first, bend);
            if (high == 0) {
                break;
            }
        }
    }
    return first->t < units->horizon;
}

/* --- two circles, or a point and a circle ---------------------------------------------------- */

/* When the rects meet, without a branch on whether they overlap, which cannot be predicted. */
static inline bool rects_meet(const bs_rect *a, const double v[DIM], const bs_rect *b, double *t) {
    bs_extent ea = bs_extent_of(a);
    bs_extent eb = bs_extent_of(b);
    bs_entry entry;
    bool overlap = bs_extents_overlap(&ea, &eb);
    bool meet = bs_extents_meet(&ea, &eb, v, &entry);
    *t = entry.t; /* This is 0 if they overlap. */
    return meet | overlap;
}

bool bs_balls_meet(const bs_shape *a, const double v[DIM], const bs_shape *b, double largest,
                   bs_touch *hit) {
    const double *from = a->kind == BS_CIRCLE ? a->centre : a->rect.pos;
    const double radius = b->radius + (a->kind == BS_CIRCLE ? a->radius : 0);
    double q[DIM];
    double square = 0;
    double t, rects_t;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        q[k] = b->centre[k] - from[k];
        square += q[k] * q[k];
    }
    if (bs_is_near(square, radius, largest * BS_TOUCHING) && bs_overlap(&a->rect, &b->rect)) {
        *hit = (bs_touch){.t = 0};
        return true;
    }
    if (!bs_ball_entry(q, v, radius, largest * BS_GRAZING, &t) || !(t < 1) ||
        !rects_meet(&a->rect, v, &b->rect, &rects_t)) {
        return false;
    }
    *hit = (bs_touch){.t = bs_max(t, rects_t)}; /* Never before the rects. */
    double sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        hit->normal[k] = v[k] * t - q[k];
        sum += hit->normal[k] * hit->normal[k];
    }
    const double length = sqrt(sum);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        hit->normal[k] = hit->normal[k] / length + 0.0; /* 0 instead of -0. */
    }
    return true;
}

/* --- separation ----------------------------------------------------------------------------- */

static void separate(const bs_shape *a, const bs_shape *b, const bs_units *units,
                     double push[DIM]) {
    rounded r = rounded_of(a, b, units->length);
    double way[DIM];
    double square = way_to(&r, way);
    if (square > 0) {
        double length = sqrt(square);
        for (int k = 0; k < DIM; k++) {
            push[k] = -way[k] / length * (r.radius - length) / units->length;
        }
        return;
    }
    int axis = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < DIM; k++) { /* Inside the box itself: out through the nearest side. */
        double back = r.lo[k] - r.radius;
        double forth = r.hi[k] + r.radius;
        double to = forth < -back ? forth : back;
        push[k] = 0;
        if (fabs(to) < fabs(least)) {
            axis = k;
            least = to;
        }
    }
    push[axis] = least / units->length;
}

const bs_narrow bs_round = {overlap, meet, separate};
