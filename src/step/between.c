/*
 * between.c: how two stand to each other, and the plane between them.
 *
 * Two convex shapes that do not turn are parted by a plane. As long as they move no farther along
 * its normal than their gap, they do not meet, at any time of the step.
 */
#include "step.h"

#include <string.h>

/* Two boxes on one axis. */
typedef struct gap_on_axis {
    double gap;     /* < 0 if they overlap there. */
    double sign;    /* 1 if a is above b. */
    double before;  /* The speed at which they close in, before forces ... */
    double closing; /* ... and after them. */
} gap_on_axis;

static gap_on_axis gap_of(const bs_rect *a, const bs_rect *b, const double v[DIM],
                          const double f[DIM], int k) {
    double above = a->pos[k] - bs_far(b, k);
    double below = b->pos[k] - bs_far(a, k);
    gap_on_axis x = {.sign = above >= below ? 1 : -1, .gap = bs_max(above, below)};
    x.closing = v[k] == 0 ? 0 : -x.sign * v[k];
    x.before = -x.sign * (v[k] - f[k]);
    return x;
}

/*
 * The axis that parts two boxes: one on which they did not close in before forces, else after them,
 * and of these the one on which they are farthest apart; -1 if there is none.
 */
static int axis_of(const gap_on_axis x[DIM], double dt, double rounding) {
    int best = -1;
    for (int pass = 0; pass < 2 && best < 0; pass++) {
        for (int k = 0; k < DIM; k++) {
            double speed = pass == 0 ? x[k].before : x[k].closing;
            bool parts = x[k].gap >= -rounding && speed * dt <= bs_max(x[k].gap, 0) + rounding;
            if (parts && (best < 0 || x[k].gap > x[best].gap + rounding)) {
                best = k;
            }
        }
    }
    return best;
}

/* The axis on which two boxes meet last; -1 if they overlap on all. */
static int last_axis(const gap_on_axis x[DIM], double rounding) {
    int best = -1;
    double last = -1;
    for (int k = 0; k < DIM; k++) {
        double t = bs_max(x[k].gap, 0) / x[k].closing;
        if (x[k].gap >= -rounding && t > last) {
            last = t;
            best = k;
        }
    }
    return best;
}

/*
 * The normal of the side that two show each other that touch, or overlap by rounding: of the way
 * from one middle to the other. False if they are at one place.
 */
static bool side_between(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                         const bs_rect *at_b, double normal[DIM]) {
    bs_rect r = *at_a;
    double off[DIM];
    double apart = 0;
    for (int k = 0; k < DIM; k++) {
        off[k] = (r.pos[k] - at_b->pos[k]) + (r.size[k] - at_b->size[k]) / 2;
        apart = bs_max(bs_max(r.size[k], at_b->size[k]), apart);
    }
    double length = bs_length(off);
    if (!(length > 0)) {
        return false;
    }
    double toward[DIM];
    bs_touch touch;
    for (int k = 0; k < DIM; k++) { /* From so far away that they do not overlap. */
        double out = off[k] / length * (2 * apart);
        r.pos[k] += out;
        toward[k] = -out - off[k];
    }
    if (!bs_is_finite(toward) || !bs_rect_is_box(&r) ||
        !bs_meet_at(s->w, a, &r, toward, b, at_b, &touch) ||
        !(bs_dot(touch.normal, touch.normal) > 0)) {
        return false;
    }
    memcpy(normal, touch.normal, sizeof touch.normal);
    return true;
}

bool bs_normal_inside(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                      const bs_rect *at_b, double normal[DIM], bool *inside) {
    double depth = bs_normal_out_of(s->w, a, at_a, b, at_b, normal);
    *inside = depth > bs_largest_coordinate(at_a, at_b) * BS_AROUND;
    return *inside || side_between(s, a, at_a, b, at_b, normal);
}

/* How two that overlap stand to each other: they may come out, and no deeper. */
static bool plane_inside(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
                         const double v[DIM], bs_meet_plane *out) {
    if (!bs_normal_inside(s, a->box, &a->place, box, at, out->normal, &out->inside)) {
        return false;
    }
    out->closing = -bs_dot(v, out->normal);
    out->meets = out->closing > 0;
    return true;
}

bool bs_boxes_graze(const bs_world *w, uint32_t a, const bs_rect *at_a, const double way[DIM],
                    uint32_t b, const bs_rect *at_b, const bs_touch *touch) {
    double rounding = bs_largest_coordinate(at_a, at_b) * BS_HERE;
    bool graze = false;
    for (int k = 0; k < DIM; k++) {
        double common =
            bs_min(bs_far(at_a, k), bs_far(at_b, k)) - bs_max(at_a->pos[k], at_b->pos[k]);
        double some = bs_min(bs_min(at_a->size[k], at_b->size[k]) / 2, rounding);
        graze = graze || (touch->normal[k] == 0 && common <= some && fabs(way[k]) <= some);
    }
    return graze && bs_are_boxes(w, a, b);
}

/* Among boxes. */
static bool plane_of_boxes(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
                           const double v[DIM], const double f[DIM], bs_meet_plane *out) {
    gap_on_axis x[DIM];
    double rounding = bs_largest_coordinate(&a->place, at) * BS_HERE;
    for (int k = 0; k < DIM; k++) {
        x[k] = gap_of(&a->place, at, v, f, k);
    }
    int best = axis_of(x, s->span, rounding);
    best = best >= 0 ? best : last_axis(x, rounding);
    if (best < 0) {
        return plane_inside(s, a, box, at, v, out);
    }
    out->normal[best] = x[best].sign;
    out->gap = bs_max(x[best].gap, 0);
    out->closing = x[best].closing;
    double t = out->closing > 0 ? out->gap / (out->closing * s->span) : HUGE_VAL;
    if (!(t <= 1)) {
        return true;
    }
    bool beside = true;
    for (int k = 0; k < DIM; k++) {
        beside = beside && (k == best || x[k].gap - x[k].closing * s->span * t < -rounding);
    }
    out->t = t;
    out->meets = beside;
    return true;
}

/* The way of a at which the two are nearest to each other, by their middles. */
static double nearest_time(const bs_rect *a, const bs_rect *b, const double way[DIM]) {
    double along = 0;
    double square = bs_dot(way, way);
    for (int k = 0; k < DIM; k++) {
        double off = (a->pos[k] - b->pos[k]) + (a->size[k] - b->size[k]) / 2;
        along -= off * way[k];
    }
    return square > 0 ? bs_max(0, bs_min(along / square, 1)) : 0;
}

/* The way of a body relative to something that has that velocity. */
static void way_past(const bs_bodies *s, const bs_body *a, const double velocity[DIM],
                     double way[DIM]) {
    for (int k = 0; k < DIM; k++) {
        way[k] = (a->velocity[k] - velocity[k]) * s->span;
    }
}

bool bs_plane_beside(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
                     const double velocity[DIM], bs_meet_plane *out) {
    double way[DIM];
    double off = bs_largest_coordinate(&a->place, at) * BS_PLACING;
    if (bs_are_boxes(s->w, a->box, box)) {
        return true; /* It is known. */
    }
    way_past(s, a, velocity, way);
    const double times[] = {nearest_time(&a->place, at, way), 0};
    for (int i = 0; i < 2; i++) {
        bs_rect r = a->place;
        for (int k = 0; k < DIM; k++) {
            r.pos[k] += way[k] * times[i];
        }
        if (!side_between(s, a->box, &r, box, at, out->normal)) {
            continue;
        }
        out->gap = bs_gap_at(s->w, a->box, &a->place, box, at, out->normal) - off;
        out->closing = -bs_dot(way, out->normal) / s->span;
        double grazing = bs_largest_coordinate(&a->place, at) * BS_HERE;
        if (out->gap >= -grazing && out->closing * s->span <= out->gap + grazing) {
            out->gap = bs_max(out->gap, 0);
            return true;
        }
    }
    return false;
}

bool bs_plane_between(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
                      const double velocity[DIM], const double fall[DIM], bs_meet_plane *out) {
    const bs_world *w = s->w;
    double v[DIM];
    double f[DIM];
    double way[DIM];
    bs_touch touch;
    memset(out, 0, sizeof *out);
    bs_minus(a->velocity, velocity, v);
    bs_minus(a->fall, fall, f);
    way_past(s, a, velocity, way);
    if (!bs_is_finite(way)) {
        return false;
    }
    if (bs_are_boxes(w, a->box, box)) {
        if (!plane_of_boxes(s, a, box, at, v, f, out)) {
            return false;
        }
        out->meets = out->meets || (out->closing * s->span > out->gap &&
                                    bs_meet_at(w, a->box, &a->place, way, box, at, &touch) &&
                                    !bs_boxes_graze(w, a->box, &a->place, way, box, at, &touch));
        return true;
    }
    if (!bs_meet_at(w, a->box, &a->place, way, box, at, &touch)) {
        return true;
    }
    if (!(bs_dot(touch.normal, touch.normal) > 0)) {
        return plane_inside(s, a, box, at, v, out);
    }
    memcpy(out->normal, touch.normal, sizeof out->normal);
    out->t = touch.t;
    out->closing = -bs_dot(v, touch.normal);
    out->gap = bs_max(bs_gap_at(w, a->box, &a->place, box, at, touch.normal) -
                          bs_largest_coordinate(&a->place, at) * BS_PLACING,
                      0);
    out->meets = out->closing > 0;
    return true;
}
