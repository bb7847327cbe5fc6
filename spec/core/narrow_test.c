/*
 * narrow_test.c: compares the answers about two shapes with plain arithmetic of another kind.
 *
 *     narrow_test2 [rounds [seed]]
 *
 * The oracle only knows the support functions of shapes: how far a shape extends in a direction.
 * The distance of two convex shapes is their distance in the direction in which they are farthest
 * apart. If that is negative, it is the depth of their overlap. The oracle tries directions all
 * around, and refines the best ones by bisection. The distance of convex shapes on a straight path
 * is a convex function of time, so it finds the time of a hit by bisection, too. Results within
 * 1e-9 of touching, relative to the numbers involved, may be answered either way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/narrow.h"

static uint64_t state;
static long checks;

static uint32_t below(uint32_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static double uniform(double lo, double hi) {
    return lo + (hi - lo) * (below(UINT32_MAX) / (double)UINT32_MAX);
}

static void print_shape(const char *name, const bs_shape *s) {
    printf("%s: kind %d, rect", name, (int)s->kind);
    for (int k = 0; k < DIM; k++) {
        printf(" %.17g +%.17g", s->rect.pos[k], s->rect.size[k]);
    }
    if (s->kind == BS_CIRCLE) {
        printf(", centre %.17g %.17g radius %.17g", s->centre[0], s->centre[1], s->radius);
    }
    for (uint32_t i = 0; s->kind == BS_POLYGON && i < s->corners; i++) {
        printf(" (%.17g, %.17g)", s->corner[i][0], s->corner[i][1]);
    }
    printf("\n");
}

static void expect(bool condition, const char *what, const bs_shape *a, const bs_shape *b) {
    checks++;
    if (!condition) {
        setvbuf(stdout, NULL, _IONBF, 0);
        printf("narrow in %dD: %s\n", DIM, what);
        print_shape("a", a);
        print_shape("b", b);
        abort();
    }
}

/* --- the oracle ----------------------------------------------------------------------------- */

/* How far a shape extends in the direction of the unit vector u. */
static double reach(const bs_shape *s, const double u[DIM]) {
    double far = 0;
    if (s->kind == BS_CIRCLE) {
        for (int k = 0; k < DIM; k++) {
            far += u[k] * s->centre[k];
        }
        return far + s->radius;
    }
    if (s->kind == BS_BOX) {
        for (int k = 0; k < DIM; k++) {
            far += u[k] * (u[k] > 0 ? s->rect.pos[k] + s->rect.size[k] : s->rect.pos[k]);
        }
        return far;
    }
    far = -HUGE_VAL;
    for (uint32_t i = 0; i < s->corners; i++) {
        far = fmax(far, u[0] * s->corner[i][0] + u[1] * s->corner[i][1]);
    }
    return far;
}

/*
 * The distance from b to a, moved by `by`, in the direction u. If it is above 0, a line separates
 * them.
 */
static double apart(const bs_shape *a, const double by[DIM], const bs_shape *b,
                    const double u[DIM]) {
    double back[DIM];
    double moved = 0;
    for (int k = 0; k < DIM; k++) {
        back[k] = -u[k];
        moved += u[k] * by[k];
    }
    return -reach(a, back) + moved - reach(b, u);
}

#if DIM == 2
enum { AROUND = 1000 };

static double apart_at(const bs_shape *a, const double by[2], const bs_shape *b, double angle) {
    double u[2] = {cos(angle), sin(angle)};
    return apart(a, by, b, u);
}

/* The best angle near a sample that is better than its neighbours. */
static double improve(const bs_shape *a, const double by[2], const bs_shape *b, double angle) {
    double step = 6.283185307179586 / AROUND;
    double best = apart_at(a, by, b, angle);
    while (step > 1e-13) {
        double left = apart_at(a, by, b, angle - step);
        double right = apart_at(a, by, b, angle + step);
        if (left > best || right > best) {
            angle += left > right ? -step : step;
            best = fmax(left, right);
        } else {
            step /= 2;
        }
    }
    return best;
}

static double gap(const bs_shape *a, const double by[2], const bs_shape *b) {
    double at[AROUND];
    double best = -HUGE_VAL;
    for (int i = 0; i < AROUND; i++) {
        at[i] = apart_at(a, by, b, i * (6.283185307179586 / AROUND));
    }
    for (int i = 0; i < AROUND; i++) {
        if (at[i] >= at[(i + 1) % AROUND] && at[i] >= at[(i + AROUND - 1) % AROUND]) {
            best = fmax(best, improve(a, by, b, i * (6.283185307179586 / AROUND)));
        }
    }
    return best;
}
#else
/*
 * The distance of boxes and spheres: that on the axis on which they are farthest apart, or the
 * Euclidean one.
 */
static double gap(const bs_shape *a, const double by[DIM], const bs_shape *b) {
    double outside = 0;
    double inside = -HUGE_VAL;
    double radius = (a->kind == BS_CIRCLE ? a->radius : 0) + (b->kind == BS_CIRCLE ? b->radius : 0);
    for (int k = 0; k < DIM; k++) {
        bool round_a = a->kind == BS_CIRCLE;
        bool round_b = b->kind == BS_CIRCLE;
        double lo_a = by[k] + (round_a ? a->centre[k] : a->rect.pos[k]);
        double hi_a = lo_a + (round_a ? 0 : a->rect.size[k]);
        double lo_b = round_b ? b->centre[k] : b->rect.pos[k];
        double hi_b = lo_b + (round_b ? 0 : b->rect.size[k]);
        double d = fmax(lo_a - hi_b, lo_b - hi_a);
        outside += d > 0 ? d * d : 0;
        inside = fmax(inside, d);
    }
    return (outside > 0 ? sqrt(outside) : fmin(inside, 0)) - radius;
}
#endif

static double gap_at(const bs_shape *a, const double motion[DIM], const bs_shape *b, double t) {
    double by[DIM];
    for (int k = 0; k < DIM; k++) {
        by[k] = motion[k] * t;
    }
    return gap(a, by, b);
}

/* The time at which the two are nearest, or overlap most deeply. */
static double time_of_least_gap(const bs_shape *a, const double motion[DIM], const bs_shape *b) {
    double lo = 0;
    double hi = 1;
    for (int i = 0; i < 60; i++) {
        double left = lo + (hi - lo) / 3;
        double right = hi - (hi - lo) / 3;
        if (gap_at(a, motion, b, left) <= gap_at(a, motion, b, right)) {
            hi = right;
        } else {
            lo = left;
        }
    }
    return (lo + hi) / 2;
}

/* --- shapes --------------------------------------------------------------------------------- */

typedef struct scale {
    double extent; /* of the places */
    double size;   /* the largest size of a shape */
    double thin;   /* the width of needles relative to their length */
    double centre; /* where all shapes are, on each axis */
    bool on_grid;  /* all coordinates are whole numbers */
} scale;

static scale draw_scale(void) {
    scale s = {.extent = 20, .size = uniform(2, 12), .thin = 1};
    s.centre = below(4) == 0 ? uniform(-1e5, 1e5) : 0;
    s.thin = below(4) == 0 ? pow(10, uniform(-5, 0)) : 1;
    s.on_grid = below(3) == 0;
    return s;
}

static double place(const scale *s) {
    double x = s->centre + uniform(-s->extent, s->extent);
    return s->on_grid ? floor(x) : x;
}

static double length(const scale *s) {
    double x = uniform(0.01, 1) * s->size;
    return s->on_grid ? floor(x) + 1 : x;
}

#if DIM == 2
/* Draws corners on an ellipse, or, on the grid, any corners of a triangle. */
static bool draw_polygon(const scale *s, bs_shape *out) {
    out->kind = BS_POLYGON;
    out->corners = 3 + below(below(3) == 0 ? 14 : 4);
    double x = place(s);
    double y = place(s);
    double wide = length(s);
    double high = wide * s->thin;
    double turn = s->on_grid ? 0 : uniform(0, 7);
    double angle = 0;
    for (uint32_t i = 0; i < out->corners; i++) {
        double part = 6.283185307179586 / out->corners;
        angle = part * (i + uniform(0, 0.8));
        double px = wide * cos(angle);
        double py = high * sin(angle);
        out->corner[i][0] = x + px * cos(turn) - py * sin(turn);
        out->corner[i][1] = y + px * sin(turn) + py * cos(turn);
        if (s->on_grid) {
            out->corner[i][0] = floor(out->corner[i][0]);
            out->corner[i][1] = floor(out->corner[i][1]);
        }
    }
    if (below(2) == 0) {
        for (uint32_t i = 0; i < out->corners / 2; i++) {
            double swap[2];
            uint32_t j = out->corners - 1 - i;
            memcpy(swap, out->corner[i], sizeof swap);
            memcpy(out->corner[i], out->corner[j], sizeof swap);
            memcpy(out->corner[j], swap, sizeof swap);
        }
    }
    uint32_t corner;
    return bs_shape_check(out, &corner) == BS_SHAPE_IS_FINE;
}
#endif

static void draw_shape(const scale *s, bs_shape *out) {
    memset(out, 0, sizeof *out);
#if DIM == 2
    if (below(2) == 0) {
        while (!draw_polygon(s, out)) {
        }
        return;
    }
#endif
    double centre[DIM];
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        centre[k] = place(s);
        rect.pos[k] = centre[k];
        rect.size[k] = length(s);
    }
    if (below(2) == 0) {
        bs_shape_set_circle(out, centre, length(s));
    } else {
        bs_shape_set_box(out, &rect);
    }
}

static bs_shape draw_point(const scale *s) {
    bs_shape point = {.kind = BS_BOX};
    bs_rect at;
    for (int k = 0; k < DIM; k++) {
        at.pos[k] = place(s);
        at.size[k] = 0;
    }
    bs_shape_set_box(&point, &at);
    return point;
}

/*
 * Draws a box without a size on some axes: a plate, a stick or a point. Queries and shots may have
 * such boxes.
 */
static void draw_flat(const scale *s, bs_shape *out) {
    bs_rect rect;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = place(s);
        rect.size[k] = below(2) == 0 ? 0 : length(s);
    }
    bs_shape_set_box(out, &rect);
}

static double tolerance(const scale *s) {
    return 1e-9 * (fabs(s->centre) + s->extent + s->size);
}

/* --- properties ----------------------------------------------------------------------------- */

static const double nowhere[DIM] = {0};

static void check_overlap(const scale *s, const bs_shape *a, const bs_shape *b) {
    double apart_by = gap(a, nowhere, b);
    bool overlap = bs_shapes_overlap(a, b);
    expect(overlap == bs_shapes_overlap(b, a), "overlap is not symmetric", a, b);
    if (fabs(apart_by) > tolerance(s)) {
        expect(overlap == (apart_by < 0), "overlap is wrong", a, b);
    }
    double push[DIM];
    double back[DIM];
    bool pushed = bs_shapes_separation(a, b, push);
    expect(pushed == overlap && bs_shapes_separation(b, a, back) == overlap,
           "a separation of what does not overlap, or none", a, b);
    if (!pushed) {
        return;
    }
    double square = 0;
    for (int k = 0; k < DIM; k++) {
        square += push[k] * push[k];
    }
    expect(fabs(sqrt(square) + apart_by) <= tolerance(s), "a separation is not the least", a, b);
    expect(fabs(gap(a, push, b)) <= tolerance(s), "a separation does not part", a, b);
}

/* Moves and scales a shape. What the shape stores about its form must stay right. */
static void check_fitted(const scale *s, const bs_shape *a, const bs_shape *b) {
    bs_shape fitted;
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        bool even = k > 0 && a->kind == BS_CIRCLE;
        double factor = below(2) == 0 ? 1 : uniform(0.2, 1.5);
        rect.pos[k] = place(s);
        rect.size[k] = even ? rect.size[0] : a->rect.size[k] * factor;
    }
    memset(&fitted, 0, sizeof fitted);
    bs_shape_fit(a, &rect, &fitted);
    check_overlap(s, &fitted, b);
}

/*
 * The normal must point from b towards a. At the contact, a line perpendicular to it separates the
 * two.
 */
static void check_normal(const scale *s, const bs_shape *a, const double motion[DIM],
                         const bs_shape *b, const bs_touch *hit) {
    double by[DIM];
    double square = 0;
    double along = 0;
    for (int k = 0; k < DIM; k++) {
        by[k] = motion[k] * hit->t;
        square += hit->normal[k] * hit->normal[k];
        along += hit->normal[k] * motion[k];
    }
    expect(fabs(square - 1) < 1e-12, "a normal is no unit", a, b);
    expect(along < 0, "a normal is not against the motion", a, b);
    expect(fabs(apart(a, by, b, hit->normal)) <= tolerance(s), "a normal parts them not", a, b);
}

/* As bs_shapes_meet, by the sweeps of rects and of shapes alone, and with the bend. */
static bool meet(const bs_shape *a, const double motion[DIM], const bs_shape *b, bs_touch *hit,
                 double *bend) {
    *bend = 0;
    if (!bs_sweep(&a->rect, motion, &b->rect, NULL, hit)) {
        return false;
    }
    if (a->kind == BS_BOX && b->kind == BS_BOX) {
        return true;
    }
    if (bs_shapes_overlap(a, b)) {
        *hit = (bs_touch){.t = 0};
        return true;
    }
    return bs_shapes_approach(a, motion, b, hit, bend);
}

static void check_symmetry(const bs_shape *a, const double motion[DIM], const bs_shape *b, bool met,
                           const bs_touch *hit, double bend) {
    double back[DIM];
    bs_touch turned;
    double turned_bend;
    for (int k = 0; k < DIM; k++) {
        back[k] = -motion[k];
    }
    bool met_turned = meet(b, back, a, &turned, &turned_bend);
    expect(met == met_turned, "a meets b, but not b a", a, b);
    if (met) {
        bool same = turned.t == hit->t && turned.corner == hit->corner && turned_bend == bend;
        for (int k = 0; k < DIM; k++) {
            same = same && turned.normal[k] == -hit->normal[k];
        }
        bool plain = a->kind == BS_BOX && b->kind == BS_BOX;
        expect(same || plain, "a meets b otherwise than b a", a, b);
    }
}

/*
 * Checks that bs_shapes_meet gives the same answer. For a point and a circle, other code computes
 * it.
 */
static void check_without_bend(const bs_shape *a, const double motion[DIM], const bs_shape *b,
                               bool met, const bs_touch *hit) {
    bs_touch other = *hit;
    expect(bs_shapes_meet(a, motion, b, &other) == met, "a hit depends on the bend", a, b);
    expect(other.t == hit->t && other.corner == hit->corner, "a time depends on the bend", a, b);
    expect(memcmp(other.normal, hit->normal, sizeof other.normal) == 0,
           "a normal depends on the bend", a, b);
}

/* A shape moved, or mirrored on axis 0 before it is moved. */
static bs_shape moved(const bs_shape *s, const double by[DIM], bool mirrored) {
    bs_shape out = *s;
    for (int k = 0; k < DIM; k++) {
        double sign = mirrored && k == 0 ? -1 : 1;
        double side = sign < 0 ? s->rect.pos[k] + s->rect.size[k] : s->rect.pos[k];
        out.rect.pos[k] = sign * side + by[k];
        out.centre[k] = sign * s->centre[k] + by[k];
        for (uint32_t i = 0; s->kind == BS_POLYGON && i < s->corners; i++) {
            out.corner[i][k] = sign * s->corner[i][k] + by[k];
        }
    }
    return out;
}

static double off(const bs_shape *s, const double at[DIM]) {
    bs_shape point = {.kind = BS_BOX};
    memcpy(point.rect.pos, at, sizeof point.rect.pos);
    return gap(&point, nowhere, s);
}

/*
 * The place at which two touch, at the time of a hit: it is on both, on the side that was met; it
 * is the same if they change roles, and moves and is mirrored with them.
 */
static void check_place(const scale *s, const bs_shape *a, const double motion[DIM],
                        const bs_shape *b, const bs_touch *hit) {
    double way[DIM], by[DIM], back[DIM], mirrored[DIM];
    double place[DIM], again[DIM], along = 0;
    double tol = 10 * tolerance(s);
    for (int k = 0; k < DIM; k++) {
        way[k] = motion[k] * hit->t;
        by[k] = uniform(-9, 9) * s->size;
        back[k] = -hit->normal[k];
        mirrored[k] = k == 0 ? back[k] : hit->normal[k];
    }
    bs_shape x = moved(a, way, false);
    bs_shapes_contact_place(&x, b, hit->normal, place);
    for (int k = 0; k < DIM; k++) {
        along += place[k] * hit->normal[k];
    }
    expect(off(&x, place) <= tol && off(b, place) <= tol, "a place is beside one", &x, b);
    expect(fabs(along - reach(b, hit->normal)) <= tol, "a place is not on the side", &x, b);
    bs_shapes_contact_place(b, &x, back, again);
    expect(memcmp(place, again, sizeof place) == 0, "a place depends on roles", &x, b);
    for (int mirror = 0; mirror < 2; mirror++) {
        bs_shape c = moved(&x, by, mirror == 1);
        bs_shape d = moved(b, by, mirror == 1);
        bs_shapes_contact_place(&c, &d, mirror == 1 ? mirrored : hit->normal, again);
        for (int k = 0; k < DIM; k++) {
            double there = (mirror == 1 && k == 0 ? -place[k] : place[k]) + by[k];
            expect(fabs(again[k] - there) <= tol, "a place does not move with them", &x, b);
        }
    }
}

static void check_meet(const scale *s, const bs_shape *a, const bs_shape *b) {
    double motion[DIM];
    bs_touch hit = {.t = 0};
    double bend = 0;
    bool towards = below(3) != 0;
    for (int k = 0; k < DIM; k++) {
        double x = uniform(-2, 2) * s->extent;
        motion[k] = towards ? (b->rect.pos[k] - a->rect.pos[k]) * uniform(0.5, 2) : x;
        motion[k] = s->on_grid ? floor(motion[k]) : motion[k];
        motion[k] *= below(5) == 0 ? 0 : 1; /* 0, or -0 */
    }
    bool met = meet(a, motion, b, &hit, &bend);
    check_symmetry(a, motion, b, met, &hit, bend);
    check_without_bend(a, motion, b, met, &hit);
    double tol = tolerance(s);
    double least = time_of_least_gap(a, motion, b);
    if (met && hit.normal[0] == 0 && hit.normal[1] == 0 && hit.normal[DIM - 1] == 0) {
        expect(hit.t == 0 && bs_shapes_overlap(a, b), "a hit without a normal", a, b);
        return;
    }
    if (!met) {
        expect(gap_at(a, motion, b, least) > -tol, "a hit is missed", a, b);
        return;
    }
    expect(hit.t >= 0 && hit.t < 1, "a time is not in the motion", a, b);
    expect(fabs(gap_at(a, motion, b, hit.t)) <= tol, "they do not touch when they meet", a, b);
    expect(gap_at(a, motion, b, hit.t / 2) >= -tol, "they have met before", a, b);
    check_normal(s, a, motion, b, &hit);
    check_place(s, a, motion, b, &hit);
}

/* Where a circle is beside a box, on all axes but one, it meets a face, and no corner. */
static void check_face(const scale *s) {
    bs_shape circle = {.kind = BS_CIRCLE};
    bs_shape box = {.kind = BS_BOX};
    double motion[DIM];
    bs_rect rect;
    bs_touch hit = {.t = 0};
    double bend = 0;
    for (int k = 0; k < DIM; k++) {
        circle.centre[k] = place(s);
        rect.pos[k] = place(s);
        rect.size[k] = length(s);
        motion[k] = rect.pos[k] + rect.size[k] * uniform(0, 1) - circle.centre[k];
    }
    bs_shape_set_circle(&circle, circle.centre, length(s));
    bs_shape_set_box(&box, &rect);
    if (!meet(&circle, motion, &box, &hit, &bend)) {
        return;
    }
    int beside = 0;
    for (int k = 0; k < DIM; k++) {
        double centre = circle.centre[k] + motion[k] * hit.t;
        beside += centre > rect.pos[k] + tolerance(s) && centre < bs_far(&rect, k) - tolerance(s);
    }
    expect(beside != DIM - 1 || (!hit.corner && bend == 0), "a face is a corner", &circle, &box);
}

static void check_distance(const scale *s, const bs_shape *a) {
    bs_shape point = draw_point(s);
    double wanted = fmax(gap(&point, nowhere, a), 0);
    double have = 4 * bs_shape_quarter_distance(point.rect.pos, a);
    expect(fabs(have - wanted) <= tolerance(s), "a distance is wrong", a, &point);
}

/* --- other units ---------------------------------------------------------------------------- */

static void rescale(bs_shape *s, double by) {
    for (int k = 0; k < DIM; k++) {
        s->rect.pos[k] *= by;
        s->rect.size[k] *= by;
        s->centre[k] *= by;
    }
    s->radius *= by;
    for (uint32_t i = 0; s->kind == BS_POLYGON && i < s->corners; i++) {
        s->corner[i][0] *= by;
        s->corner[i][1] *= by;
    }
}

/*
 * Scaling by powers of two only changes the units, so every answer must be the same to the last
 * bit.
 */
static void check_units(const scale *s, bs_shape a, bs_shape b) {
    static const int exponents[] = {-900, -600, -200, 200, 600, 1000};
    double motion[DIM];
    double push[DIM] = {0};
    double big_push[DIM] = {0};
    bs_touch hit = {.t = 0};
    bs_touch big_hit = {.t = 0};
    for (int k = 0; k < DIM; k++) {
        motion[k] = b.rect.pos[k] - a.rect.pos[k] + uniform(-1, 1) * s->size;
    }
    bool overlap = bs_shapes_overlap(&a, &b);
    bool met = bs_shapes_meet(&a, motion, &b, &hit);
    bs_shapes_separation(&a, &b, push);
    int exponent = exponents[below(sizeof exponents / sizeof *exponents)];
    double by = ldexp(1, exponent);
    rescale(&a, by);
    rescale(&b, by);
    for (int k = 0; k < DIM; k++) {
        motion[k] *= by;
    }
    expect(bs_shapes_overlap(&a, &b) == overlap, "overlap depends on units", &a, &b);
    expect(bs_shapes_meet(&a, motion, &b, &big_hit) == met, "a hit depends on units", &a, &b);
    expect(hit.t == big_hit.t && hit.corner == big_hit.corner, "a time depends on units", &a, &b);
    bs_shapes_separation(&a, &b, big_push);
    for (int k = 0; k < DIM; k++) {
        expect(hit.normal[k] == big_hit.normal[k], "a normal depends on units", &a, &b);
        expect(big_push[k] == push[k] * by, "a separation depends on units", &a, &b);
    }
}

/* --- extremes ------------------------------------------------------------------------------- */

static double extreme(void) {
    static const double numbers[] = {
        0,       1,    -1,    1e300, -1e300, 8e307, -8e307, 5e-324,  1e-300,
        -1e-300, 1e16, -1e16, 0.5,   1e-9,   3,     1e150,  -1e-150, 2.2250738585072014e-308};
    return numbers[below(sizeof numbers / sizeof *numbers)];
}

/* Whatever the input is, answers must be numbers, and symmetric. */
static void check_extremes(void) {
    bs_shape shape[2];
    for (int i = 0; i < 2; i++) {
        uint32_t corner;
        do {
            memset(&shape[i], 0, sizeof shape[i]);
            bs_rect rect;
            double centre[DIM];
            for (int k = 0; k < DIM; k++) {
                rect.pos[k] = centre[k] = extreme();
                rect.size[k] = fabs(extreme());
            }
            bs_shape_set_box(&shape[i], &rect);
            if (below(3) == 0) {
                bs_shape_set_circle(&shape[i], centre, fabs(extreme()));
            }
#if DIM == 2
            if (below(2) == 0) {
                shape[i].kind = BS_POLYGON;
                shape[i].corners = 3 + below(3);
                for (uint32_t j = 0; j < shape[i].corners; j++) {
                    shape[i].corner[j][0] = extreme();
                    shape[i].corner[j][1] = extreme();
                }
            }
#endif
        } while (bs_shape_check(&shape[i], &corner) != BS_SHAPE_IS_FINE);
    }
    const bs_shape *a = &shape[0];
    const bs_shape *b = &shape[1];
    double motion[DIM];
    for (int k = 0; k < DIM; k++) {
        motion[k] = extreme();
    }
    double push[DIM];
    bool overlap = bs_shapes_overlap(a, b);
    expect(overlap == bs_shapes_overlap(b, a), "overlap is not symmetric at extremes", a, b);
    expect(!overlap || bs_overlap(&a->rect, &b->rect), "overlap without the rects", a, b);
    if (bs_shapes_separation(a, b, push)) {
        for (int k = 0; k < DIM; k++) {
            expect(!isnan(push[k]), "a separation is not a number", a, b);
        }
    }
    bs_touch hit;
    double bend;
    bool met = meet(a, motion, b, &hit, &bend);
    check_symmetry(a, motion, b, met, &hit, bend);
    if (met) {
        expect(hit.t >= 0 && hit.t < 1, "a time is out of the motion at extremes", a, b);
        for (int k = 0; k < DIM; k++) {
            expect(fabs(hit.normal[k]) <= 1 + 1e-9, "a normal is too long at extremes", a, b);
        }
    }
    expect(bs_shape_quarter_distance(motion, a) >= 0, "a distance is not a number", a, b);
}

/* --- what is no shape ----------------------------------------------------------------------- */

#if DIM == 2
typedef struct outline {
    bs_shape_fault fault;
    uint32_t corner;
    uint32_t n;
    double at[17][2];
} outline;

static void check_faults(void) {
    static const outline outlines[] = {
        {BS_SHAPE_IS_FINE, 0, 3, {{0, 0}, {4, 0}, {0, 3}}},
        {BS_SHAPE_IS_FINE, 0, 3, {{0, 0}, {0, 3}, {4, 0}}}, /* in the opposite orientation */
        {BS_SHAPE_IS_FINE, 0, 4, {{0, 0}, {2, 0}, {4, 0}, {0, 3}}}, /* three corners on a line */
        /* On a line but for rounding. */
        {BS_SHAPE_IS_FINE, 0, 4, {{0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}, {0, 3}}},
        {BS_SHAPE_IS_FINE, 0, 3, {{0, 0}, {1e6, 0}, {0, 1e-6}}}, /* a needle */
        {BS_SHAPE_IS_FINE, 0, 3, {{0, 0}, {1e300, 0}, {0, 1e300}}},
        {BS_SHAPE_IS_FINE, 0, 3, {{0, 0}, {1e-300, 0}, {0, 1e-300}}},
        {BS_SHAPE_HAS_WRONG_COUNT, 0, 2, {{0, 0}, {4, 0}}},
        {BS_SHAPE_HAS_WRONG_COUNT, 0, 17, {{0, 0}, {4, 0}}},
        {BS_SHAPE_IS_NOT_FINITE, 1, 3, {{0, 0}, {HUGE_VAL, 0}, {0, 3}}},
        {BS_SHAPE_IS_NOT_FINITE, 0, 3, {{-1.5e308, 0}, {1.5e308, 0}, {0, 3}}},
        {BS_SHAPE_REPEATS_CORNER, 2, 4, {{0, 0}, {4, 0}, {4, 0}, {0, 3}}},
        {BS_SHAPE_REPEATS_CORNER, 3, 4, {{0, 0}, {4, 0}, {0, 3}, {0, 0}}}, /* closed */
        {BS_SHAPE_REPEATS_CORNER, 3, 6, {{0, 0}, {4, 0}, {0, 3}, {0, 0}, {4, 0}, {0, 3}}},
        {BS_SHAPE_HAS_NO_AREA, 0, 3, {{0, 0}, {2, 2}, {4, 4}}},
        {BS_SHAPE_HAS_NO_AREA, 0, 3, {{0, 1}, {2, 1}, {4, 1}}},
        {BS_SHAPE_HAS_NO_AREA, 0, 3, {{0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}}},
        {BS_SHAPE_IS_NOT_CONVEX, 2, 4, {{0, 0}, {4, 0}, {1, 1}, {0, 4}}},
        {BS_SHAPE_IS_NOT_CONVEX, 0, 4, {{0, 0}, {4, 4}, {4, 0}, {0, 4}}}, /* a bow tie */
        {BS_SHAPE_IS_NOT_CONVEX, 0, 5, {{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}}}, /* a star */
        {BS_SHAPE_IS_NOT_CONVEX, 2, 4, {{0, 0}, {4, 0}, {2, 0}, {0, 3}}}, /* back on a line */
    };
    for (size_t i = 0; i < sizeof outlines / sizeof *outlines; i++) {
        const outline *o = &outlines[i];
        bs_shape s = {.kind = BS_POLYGON, .corners = o->n};
        uint32_t corner;
        memcpy(s.corner, o->at, sizeof s.corner);
        bs_shape_fault fault = bs_shape_check(&s, &corner);
        if (fault != o->fault || (fault != BS_SHAPE_HAS_NO_AREA && corner != o->corner)) {
            setvbuf(stdout, NULL, _IONBF, 0);
            printf("outline %zu: fault %d at corner %u\n", i, (int)fault, (unsigned)corner);
            abort();
        }
        checks++;
    }
}
#endif

#if DIM == 2
/*
 * The balls around the middle of a polygon's rect, if that is scaled to a square: one is inside and
 * the other one around the polygon, as its extent in any direction says, and both nearly touch it.
 */
static void check_balls(const bs_shape *s) {
    enum { DIRECTIONS = 1000 };
    double least = HUGE_VAL;
    double most = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        double angle = i * (6.283185307179586 / DIRECTIONS);
        double extent = -HUGE_VAL;
        for (uint32_t j = 0; j < s->corners; j++) {
            double x = (s->corner[j][0] - s->rect.pos[0]) / s->rect.size[0] - 0.5;
            double y = (s->corner[j][1] - s->rect.pos[1]) / s->rect.size[1] - 0.5;
            extent = fmax(extent, cos(angle) * x + sin(angle) * y);
        }
        least = fmin(least, extent);
        most = fmax(most, extent);
    }
    double inside = fmax(least, 0) - (double)s->inner;
    double around = (double)s->outer - most;
    expect(inside >= 0 && inside < 0.006, "the inner ball", s, s);
    expect(around >= 0 && around < 0.006, "the outer ball", s, s);
}
#endif

/* --- running -------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 400;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252u;
#if DIM == 2
    check_faults();
#endif
    for (long i = 0; i < rounds; i++) {
        scale s = draw_scale();
        bs_shape a;
        bs_shape b;
        bs_shape flat;
        draw_shape(&s, &a);
        draw_shape(&s, &b);
        draw_flat(&s, &flat);
#if DIM == 2
        if (a.kind == BS_POLYGON) {
            check_balls(&a);
        }
#endif
        check_overlap(&s, &a, &b);
        check_meet(&s, &a, &b);
        check_meet(&s, &flat, &b);
        check_distance(&s, &a);
        bs_shape point = draw_point(&s);
        check_meet(&s, &point, &b);
        for (int j = 0; j < 10; j++) {
            check_fitted(&s, &a, &b);
            check_units(&s, a, b);
            check_units(&s, point, b);
            check_extremes();
            check_face(&s);
        }
    }
    printf("narrow in %dD: %ld checks of %ld pairs of shapes\n", DIM, checks, rounds);
    return 0;
}
