/* polygon.c: polygons against anything, by their edges; in 2D alone. */
#include "narrow_parts.h"

#if DIM == 2

/* The corners of a box or polygon relative to `origin`, so that they turn from +x towards +y. */
typedef struct hull {
    uint32_t n;
    double at[BS_MOST_CORNERS][2];
} hull;

static void load_box(const bs_rect *r, const double origin[2], double unit, hull *out) {
    double lo[2];
    double hi[2];
    for (int k = 0; k < 2; k++) {
        lo[k] = r->pos[k] * unit - origin[k] * unit;
        hi[k] = bs_far(r, k) * unit - origin[k] * unit;
    }
    *out = (hull){4, {{lo[0], hi[1]}, {lo[0], lo[1]}, {hi[0], lo[1]}, {hi[0], hi[1]}}};
}

static void load(const bs_shape *s, const double origin[2], double unit, hull *out) {
    if (s->kind == BS_BOX) {
        load_box(&s->rect, origin, unit, out);
        return;
    }
    assert(s->kind == BS_POLYGON);
    const uint32_t n = s->corners;
    const uint32_t step = s->turn > 0 ? 1 : UINT32_MAX; /* This is -1. */
    const double x = origin[0] * unit;
    const double y = origin[1] * unit;
    uint32_t from = s->turn > 0 ? 0 : n - 1;
    for (uint32_t i = 0; i < n; i++, from += step) {
        out->at[i][0] = s->corner[from][0] * unit - x;
        out->at[i][1] = s->corner[from][1] * unit - y;
    }
    out->n = n;
}

/* An edge by its beginning, its direction, and its normal, which points outward. */
typedef struct edge {
    const double *from;
    double way[2];
    double normal[2]; /* It is as long as the edge. */
    double length;
} edge;

/* False if rounding has left nothing of the edge. */
static inline bool edge_of(const hull *h, uint32_t i, edge *e) {
    const double *to = h->at[i + 1 < h->n ? i + 1 : 0];
    e->from = h->at[i];
    e->way[0] = to[0] - e->from[0];
    e->way[1] = to[1] - e->from[1];
    e->normal[0] = e->way[1];
    e->normal[1] = -e->way[0];
    e->length = sqrt(e->way[0] * e->way[0] + e->way[1] * e->way[1]);
    return e->length > 0;
}

static inline double dot(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

/* How far a point is outside of an edge, times the edge's length; < 0 if it is inside. */
static inline double beyond(const edge *e, const double point[2]) {
    return e->normal[0] * (point[0] - e->from[0]) + e->normal[1] * (point[1] - e->from[1]);
}

/* How far the nearest corner of h is outside of an edge, times the edge's length. */
static double gap_of(const edge *e, const hull *h) {
    double gap = beyond(e, h->at[0]);
    for (uint32_t i = 1; i < h->n; i++) {
        gap = bs_min(beyond(e, h->at[i]), gap);
    }
    return gap;
}

/* --- a polygon and a polygon, or a box ------------------------------------------------------ */

/* Whether an edge of a has all of b outside, or no farther inside than `touch`. */
static bool is_parted_by(const hull *a, const hull *b, double touch) {
    edge e;
    for (uint32_t i = 0; i < a->n; i++) {
        if (edge_of(a, i, &e) && gap_of(&e, b) >= -touch * e.length) {
            return true;
        }
    }
    return false;
}

/*
 * The time during which b, moving by v, is inside of all edges of a, and a of those of b, so far.
 */
typedef struct span {
    double enter, leave;
    double normal[2]; /* The unit normal, towards b, of the edge that is entered last. */
    bool corner;      /* Others are entered at that time, up to rounding. */
    double into;      /* The speed at which that edge is entered. */
    double out;       /* The speed at which the first edge is left; infinite at the horizon. */
    double speed;     /* The speed of b, by which times are compared up to rounding. */
    const bs_units *units;
} span;

/*
 * Enters an edge at t, by a motion that leads into it at this speed. Of several that are entered at
 * the same time, up to rounding, the one that blocks the motion least gives the normal, so nothing
 * catches at a corner between two edges.
 */
static void enter_edge(span *s, double t, const edge *e, double sign, double speed) {
    double tie = s->units->slack / s->speed;
    double normal[2] = {sign * e->normal[0] / e->length, sign * e->normal[1] / e->length};
    double cross = normal[0] * s->normal[1] - normal[1] * s->normal[0];
    bool is_tie = fabs(t - s->enter) <= tie;
    if (is_tie ? speed < s->into : t > s->enter) {
        s->normal[0] = normal[0] + 0; /* Not -0. */
        s->normal[1] = normal[1] + 0;
        s->into = speed;
    }
    s->corner = is_tie ? s->corner || fabs(cross) > BS_CORNERED : s->corner && t < s->enter;
    s->enter = bs_max(t, s->enter);
}

/* Passes the edges of a over b, which moves by v. False if b is never inside of one of them. */
static bool pass_edges(const hull *a, const hull *b, const double v[2], double sign, span *s) {
    edge e;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!edge_of(a, i, &e)) {
            continue;
        }
        double gap = gap_of(&e, b);
        double speed = dot(e.normal, v);
        double rounding = s->units->slack * e.length;
        if (fabs(speed) * s->units->horizon <= rounding) { /* It moves along the edge. */
            if (gap > -rounding) {
                return false;
            }
            continue;
        }
        bool touches = gap >= -s->units->touch * e.length; /* Or it is outside. */
        double t = -gap / speed;
        if (speed < 0) {
            enter_edge(s, touches ? bs_max(t, 0) : t, &e, sign, -speed / e.length);
        } else if (touches) {
            return false; /* They move apart. */
        } else if (t < s->leave) {
            s->leave = t;
            s->out = speed / e.length;
        }
    }
    return true;
}

/* Whether b comes in, and deeper than rounding explains; otherwise they only graze. */
static bool comes_in(const span *s) {
    double grazed = s->out < HUGE_VAL ? s->units->slack * (1 / s->into + 1 / s->out) : 0;
    return s->enter >= 0 && s->enter + grazed < s->leave;
}

static bool meet_straight(const bs_shape *a, const double v[2], const bs_shape *b,
                          const bs_units *units, bs_touch *first, double *bend) {
    hull ha;
    hull hb;
    const double back[2] = {-v[0], -v[1]};
    load(a, b->rect.pos, units->length, &ha);
    load(b, b->rect.pos, units->length, &hb);
    span s = {.enter = -HUGE_VAL, .leave = units->horizon, .out = HUGE_VAL, .units = units};
    s.speed = bs_max(fabs(v[0]), fabs(v[1]));
    if (!(s.speed > 0) || !pass_edges(&hb, &ha, v, 1, &s) || !pass_edges(&ha, &hb, back, -1, &s)) {
        return false;
    }
    *bend = 0;
    *first = (bs_touch){.t = s.enter, .corner = s.corner};
    first->normal[0] = s.normal[0];
    first->normal[1] = s.normal[1];
    return comes_in(&s);
}

/* Takes the shortest way for b out of one of the edges of a, grown by a radius, if it is less. */
static void shorten(const hull *a, const hull *b, double radius, double sign, double *least,
                    double push[2]) {
    edge e;
    for (uint32_t i = 0; i < a->n; i++) {
        if (edge_of(a, i, &e)) {
            double depth = radius - gap_of(&e, b) / e.length;
            if (depth < *least) {
                *least = depth;
                push[0] = sign * (e.normal[0] / e.length) * depth;
                push[1] = sign * (e.normal[1] / e.length) * depth;
            }
        }
    }
}

static bool overlap_straight(const bs_shape *a, const bs_shape *b, const bs_units *units) {
    hull ha;
    hull hb;
    load(a, b->rect.pos, units->length, &ha);
    load(b, b->rect.pos, units->length, &hb);
    return !is_parted_by(&hb, &ha, units->touch) && !is_parted_by(&ha, &hb, units->touch);
}

static void separate_straight(const bs_shape *a, const bs_shape *b, const bs_units *units,
                              double push[2]) {
    hull ha;
    hull hb;
    double least = HUGE_VAL;
    push[0] = push[1] = 0;
    load(a, b->rect.pos, units->length, &ha);
    load(b, b->rect.pos, units->length, &hb);
    shorten(&ha, &hb, 0, -1, &least, push);
    shorten(&hb, &ha, 0, 1, &least, push);
    push[0] /= units->length;
    push[1] /= units->length;
}

const bs_narrow bs_straight = {overlap_straight, meet_straight, separate_straight};

/* --- a polygon and a circle ----------------------------------------------------------------- */

/* The squared distance from the origin to an edge; *way leads to its nearest point. */
static double edge_distance2(const edge *e, double way[2]) {
    double along = -dot(e->from, e->way);
    double square = e->length * e->length;
    if (along > 0 && along < square) {
        double d = dot(e->normal, e->from) / e->length;
        way[0] = e->normal[0] / e->length * d;
        way[1] = e->normal[1] / e->length * d;
        return d * d;
    }
    bool at_end = along > 0;
    way[0] = e->from[0] + (at_end ? e->way[0] : 0);
    way[1] = e->from[1] + (at_end ? e->way[1] : 0);
    return dot(way, way);
}

static const double origin[2] = {0, 0};

/* The squared distance from the origin to a polygon, 0 inside, and the way to it. */
static double way_to(const hull *h, double way[2]) {
    double nearest = HUGE_VAL;
    bool within = true;
    edge e;
    for (uint32_t i = 0; i < h->n; i++) {
        double there[2];
        if (!edge_of(h, i, &e)) {
            continue;
        }
        double d2 = edge_distance2(&e, there);
        within = within && beyond(&e, origin) < 0;
        if (d2 < nearest) {
            nearest = d2;
            way[0] = there[0];
            way[1] = there[1];
        }
    }
    return within ? 0 : nearest;
}

static bs_touch touch_at_edge(const edge *e) {
    return (bs_touch){.normal = {e->normal[0] / e->length + 0, e->normal[1] / e->length + 0}};
}

/*
 * The normal at a corner, from which the circle's centre is so far off. Rounding may have put it
 * beside an edge of that corner; then it is the edge that is met.
 */
static bs_touch touch_at_corner(const hull *h, uint32_t corner, const double off[2]) {
    edge e;
    double length = sqrt(dot(off, off));
    for (uint32_t i = 0; i < 2; i++) {
        bool ends = i == 1; /* The edge that ends in the corner. */
        if (!edge_of(h, ends ? (corner + h->n - 1) % h->n : corner, &e)) {
            continue;
        }
        double along = ends ? -dot(off, e.way) : dot(off, e.way);
        if (along > 0 && along <= e.length * e.length) {
            return touch_at_edge(&e);
        }
    }
    return (bs_touch){.normal = {off[0] / length, off[1] / length}, .corner = true};
}

/* Against the edges, moved outward by the radius, and balls around the corners. */
static bool meet_round(const bs_shape *a, const double v[2], const bs_shape *b,
                       const bs_units *units, bs_touch *first, double *bend) {
    hull h;
    edge e;
    double t;
    double radius = a->radius * units->length;
    load(b, a->centre, units->length, &h);
    *bend = 0;
    *first = (bs_touch){.t = HUGE_VAL};
    for (uint32_t i = 0; i < h.n; i++) {
        if (!edge_of(&h, i, &e)) {
            continue;
        }
        double speed = -dot(e.normal, v);
        double gap = -dot(e.normal, e.from) / e.length - radius;
        if (speed * units->horizon <= units->slack * e.length || gap < -radius) {
            continue;
        }
        t = bs_max(gap * e.length / speed, 0);
        double at[2] = {v[0] * t - e.from[0], v[1] * t - e.from[1]};
        double along = dot(at, e.way);
        if (along >= 0 && along <= e.length * e.length && t < first->t) {
            *first = touch_at_edge(&e);
            first->t = t;
        }
    }
    for (uint32_t i = 0; i < h.n; i++) {
        if (bs_ball_entry(h.at[i], v, radius, units->slack, &t) && t < first->t) {
            double off[2] = {v[0] * t - h.at[i][0], v[1] * t - h.at[i][1]};
            *first = touch_at_corner(&h, i, off);
            first->t = t;
            *bend = first->corner ? radius : 0;
        }
    }
    return first->t < units->horizon;
}

/* Back on the way that it has come in, or, from inside, through an edge. */
static void separate_round(const bs_shape *a, const bs_shape *b, const bs_units *units,
                           double push[2]) {
    static const hull centre = {1, {{0, 0}}};
    double way[2] = {0, 0};
    double radius = a->radius * units->length;
    hull h;
    push[0] = push[1] = 0;
    load(b, a->centre, units->length, &h);
    double length = sqrt(way_to(&h, way));
    double least = HUGE_VAL;
    if (length > 0) {
        push[0] = way[0] / length * (length - radius);
        push[1] = way[1] / length * (length - radius);
    } else {
        shorten(&h, &centre, radius, 1, &least, push);
    }
    push[0] /= units->length;
    push[1] /= units->length;
}

static bool overlap_round(const bs_shape *a, const bs_shape *b, const bs_units *units) {
    hull h;
    double way[2];
    load(b, a->centre, units->length, &h);
    return bs_is_near(way_to(&h, way), a->radius * units->length, units->touch);
}

const bs_narrow bs_cornered = {overlap_round, meet_round, separate_round};

/* --- distance ------------------------------------------------------------------------------- */

double bs_polygon_quarter_distance(const double point[DIM], const bs_shape *shape) {
    bs_rect at = {{point[0], point[1]}, {0, 0}};
    bs_units units = bs_units_of(&at, &shape->rect, NULL);
    hull h;
    double way[2] = {0, 0};
    load(shape, point, units.length, &h);
    return sqrt(way_to(&h, way)) / 4 / units.length;
}

#else

/* There are none in 3D. */
typedef int bs_no_polygons;

#endif
