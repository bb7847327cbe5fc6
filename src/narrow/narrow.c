/* narrow.c: which file answers a query about two shapes, and in which units and order. */
#include "narrow_parts.h"

#include <string.h>

/* --- units ---------------------------------------------------------------------------------- */

/* The power of two that brings a length to about 1. */
static double unit_for(double length) {
    const int most = 1000; /* An exponent; the least double is 2^-1074. */
    if (length > 0x1p-200 && length < 0x1p200) {
        return 1; /* Squares of such lengths are doubles, and so are their sums and products. */
    }
    int exponent = -most;
    if (length > 0) {
        frexp(length, &exponent);
    }
    return ldexp(1, exponent > -most ? -exponent : most);
}

bs_units bs_units_of(const bs_rect *a, const bs_rect *b, const double motion[DIM]) {
    double extent = 0; /* A quarter of it, as the sum could be infinite. */
    double largest = bs_largest_coordinate(a, b);
    double way = 0;
    for (int k = 0; k < DIM; k++) {
        double apart = fabs(a->pos[k] / 4 - b->pos[k] / 4);
        extent = bs_max(apart + a->size[k] / 4 + b->size[k] / 4, extent);
        way = motion != NULL ? bs_max(fabs(motion[k]), way) : way;
    }
    bs_units u = {.length = unit_for(extent), .motion = motion != NULL ? unit_for(way) : 1};
    u.horizon = u.length / u.motion;
    u.slack = largest * BS_GRAZING * u.length;
    u.touch = largest * BS_TOUCHING * u.length;
    return u;
}

/* --- the order of two ----------------------------------------------------------------------- */

static int compare_numbers(const double *a, const double *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Whether polygon b comes before polygon a. */
static bool is_before(const bs_shape *b, const bs_shape *a) {
    int order = compare_numbers(a->rect.pos, b->rect.pos, DIM);
    order = order != 0 ? order : compare_numbers(a->rect.size, b->rect.size, DIM);
    order = order != 0 ? order : (a->corners > b->corners) - (a->corners < b->corners);
    if (order == 0) {
        order = compare_numbers(a->corner[0], b->corner[0], (size_t)2 * a->corners);
    }
    return order > 0;
}

/* Two shapes in the order in which they are asked about: so each query is made in one way only. */
typedef struct pair {
    const bs_shape *first, *second;
    const bs_narrow *narrow;
    bool turned; /* The second one was given first. */
} pair;

/*
 * Circles come first, then boxes, then polygons. Two circles need no order, as their arithmetic has
 * none. Two boxes are never asked about.
 */
static pair pair_of(const bs_shape *a, const bs_shape *b) {
#if DIM == 2
#define STRAIGHT &bs_straight
#define CORNERED &bs_cornered
#else
#define STRAIGHT NULL
#define CORNERED NULL
#endif
    static const bs_narrow *const table[][BS_POLYGON + 1] = {
        [BS_BOX] = {NULL, &bs_round, STRAIGHT},
        [BS_CIRCLE] = {&bs_round, &bs_round, CORNERED},
        [BS_POLYGON] = {STRAIGHT, CORNERED, STRAIGHT},
    };
    bool both = a->kind == BS_POLYGON && b->kind == BS_POLYGON;
    bool turned = both ? is_before(b, a)
                       : b->kind != a->kind && (b->kind == BS_CIRCLE || a->kind == BS_POLYGON);
    const bs_narrow *narrow = table[a->kind][b->kind];
    return turned ? (pair){b, a, narrow, true} : (pair){a, b, narrow, false};
}

/* 0 stays 0. */
static void turn(double v[DIM]) {
    for (int k = 0; k < DIM; k++) {
        v[k] = 0 - v[k];
    }
}

/* --- queries -------------------------------------------------------------------------------- */

bool bs_shapes_overlap(const bs_shape *a, const bs_shape *b) {
    if (!bs_overlap(&a->rect, &b->rect)) {
        return false;
    }
    if (a->kind == BS_BOX && b->kind == BS_BOX) {
        return true;
    }
    bs_guess guess = bs_balls_overlap(a, &a->rect, b, &b->rect);
    if (guess != BS_MAY_OVERLAP) {
        return guess == BS_OVERLAP;
    }
    pair two = pair_of(a, b);
    bs_units units = bs_units_of(&two.first->rect, &two.second->rect, NULL);
    return two.narrow->overlap(two.first, two.second, &units);
}

bool bs_shapes_approach(const bs_shape *a, const double motion[DIM], const bs_shape *b,
                        bs_touch *hit, double *bend) {
    assert(!bs_shapes_overlap(a, b));
    pair two = pair_of(a, b);
    bs_units units = bs_units_of(&two.first->rect, &two.second->rect, motion);
    double v[DIM]; /* The first one's velocity, relative to the second one. */
    for (int k = 0; k < DIM; k++) {
        v[k] = motion[k] * units.motion * (two.turned ? -1 : 1);
    }
    bs_touch touch;
    if (!two.narrow->meet(two.first, v, two.second, &units, &touch, bend)) {
        return false;
    }
    touch.t = bs_max(touch.t / units.horizon, hit->t); /* Never before the rects. */
    *bend /= units.length;
    if (two.turned) {
        turn(touch.normal);
    }
    *hit = touch.t < 1 ? touch : *hit;
    return touch.t < 1;
}

static inline bool is_point(const bs_shape *a) {
    bool point = a->kind == BS_BOX;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        point &= a->rect.size[k] == 0;
    }
    return point;
}

/* Whether bs_units_of certainly gives factors of 1 for a circle and a motion. */
static inline bool has_usual_units(double largest, double radius, const double motion[DIM]) {
    double speed2 = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        speed2 += motion[k] * motion[k];
    }
    return (largest < 0x1p190) & (radius > 0x1p-190) & (speed2 > 0x1p-380) & (speed2 < 0x1p380);
}

bool bs_shapes_meet(const bs_shape *a, const double motion[DIM], const bs_shape *b, bs_touch *hit) {
    if (b->kind == BS_CIRCLE && (a->kind == BS_CIRCLE || is_point(a))) {
        double largest = bs_largest_coordinate(&a->rect, &b->rect);
        if (has_usual_units(largest, b->radius, motion)) {
            return bs_balls_meet(a, motion, b, largest, hit);
        }
    }
    bs_entry entry;
    if (!bs_meet(&a->rect, motion, &b->rect, &entry)) {
        return false;
    }
    bs_touch touch = bs_entry_touch(&entry);
    double bend;
    if (a->kind == BS_BOX && b->kind == BS_BOX) {
        *hit = touch;
        return true;
    }
    if (bs_shapes_overlap(a, b)) {
        *hit = (bs_touch){.t = 0};
        return true;
    }
    bool met = bs_shapes_approach(a, motion, b, &touch, &bend);
    *hit = met ? touch : *hit;
    return met;
}

bool bs_shapes_separation(const bs_shape *a, const bs_shape *b, double push[DIM]) {
    if (a->kind == BS_BOX && b->kind == BS_BOX) {
        return bs_separation(&a->rect, &b->rect, push);
    }
    if (!bs_shapes_overlap(a, b)) {
        return false;
    }
    pair two = pair_of(a, b);
    bs_units units = bs_units_of(&two.first->rect, &two.second->rect, NULL);
    two.narrow->separate(two.first, two.second, &units, push);
    if (two.turned) {
        turn(push);
    }
    return true;
}

/* --- gaps ----------------------------------------------------------------------------------- */

/* How far a shape reaches that way from an origin. */
static double reach_of(const bs_shape *s, const double origin[DIM], const double normal[DIM]) {
    double reach = s->kind == BS_POLYGON ? -HUGE_VAL : 0;
    for (int k = 0; s->kind == BS_BOX && k < DIM; k++) {
        double side = normal[k] > 0 ? bs_far(&s->rect, k) : s->rect.pos[k];
        reach += (side - origin[k]) * normal[k];
    }
    for (int k = 0; s->kind == BS_CIRCLE && k < DIM; k++) {
        reach += (s->centre[k] - origin[k]) * normal[k];
    }
#if DIM == 2
    for (uint32_t i = 0; s->kind == BS_POLYGON && i < s->corners; i++) {
        const double *corner = s->corner[i];
        double here = (corner[0] - origin[0]) * normal[0] + (corner[1] - origin[1]) * normal[1];
        reach = bs_max(here, reach);
    }
#endif
    return s->kind == BS_CIRCLE ? reach + s->radius : reach;
}

double bs_shapes_gap(const bs_shape *a, const bs_shape *b, const double normal[DIM]) {
    double back[DIM];
    bs_negate(normal, back);
    return -reach_of(a, b->rect.pos, back) - reach_of(b, b->rect.pos, normal);
}

/* --- corners -------------------------------------------------------------------------------- */

static bool box_corner(const bs_rect *r, const double normal[DIM], const double beside[DIM],
                       double corner[DIM]) {
    int across = 0; /* The axes that the normal has a part in; along one it is a side's. */
    for (int k = 0; k < DIM; k++) {
        double lo = r->pos[k];
        double hi = bs_far(r, k);
        double along = bs_max(lo, bs_min(beside[k], hi));
        corner[k] = normal[k] > 0 ? hi : normal[k] < 0 ? lo : along;
        across += normal[k] != 0;
    }
    return across > 1;
}

#if DIM == 2
static bool polygon_corner(const bs_shape *s, const double normal[2], double rounding,
                           double corner[2]) {
    double first = -HUGE_VAL;
    double second = -HUGE_VAL;
    for (uint32_t i = 0; i < s->corners; i++) {
        const double *at = s->corner[i];
        double reach = (at[0] - s->rect.pos[0]) * normal[0] + (at[1] - s->rect.pos[1]) * normal[1];
        second = bs_max(bs_min(reach, first), second);
        if (reach > first) {
            first = reach;
            memcpy(corner, at, 2 * sizeof *corner);
        }
    }
    return first - second > rounding;
}
#endif

bool bs_shape_corner(const bs_shape *s, const double normal[DIM], const double beside[DIM],
                     double rounding, double corner[DIM]) {
    if (s->kind == BS_BOX) {
        return box_corner(&s->rect, normal, beside, corner);
    }
#if DIM == 2
    if (s->kind == BS_POLYGON) {
        return polygon_corner(s, normal, rounding, corner);
    }
#endif
    (void)rounding;
    return false;
}

/* --- distance ------------------------------------------------------------------------------- */

double bs_shape_quarter_distance(const double point[DIM], const bs_shape *shape) {
    if (shape->kind == BS_CIRCLE) {
        double way[DIM];
        for (int k = 0; k < DIM; k++) {
            way[k] = point[k] / 4 - shape->centre[k] / 4;
        }
        return bs_max(bs_length(way) - shape->radius / 4, 0);
    }
#if DIM == 2
    if (shape->kind == BS_POLYGON) {
        return bs_polygon_quarter_distance(point, shape);
    }
#endif
    return bs_quarter_distance(point, &shape->rect);
}
