/*
 * planes.c: which two press on each other, and the plane between them.
 *
 * Two convex shapes that do not turn are parted by a plane. As long as they move no farther along
 * its normal than their gap, they do not meet, at any time of the step.
 */
#include "step.h"

#include <string.h>

enum { MOST_HOLDING = 8 }; /* So many sides hold a body. */
static const double still[DIM] = {0};

/* --- planes --------------------------------------------------------------------------------- */

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

/* The plane that parts two that pass by each other, where they are nearest. False: none does. */
static bool plane_beside(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
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
                      const double velocity[DIM], const double force[DIM], bs_meet_plane *out) {
    const bs_world *w = s->w;
    double v[DIM];
    double f[DIM];
    double way[DIM];
    bs_touch touch;
    memset(out, 0, sizeof *out);
    bs_minus(a->velocity, velocity, v);
    bs_minus(a->force, force, f);
    way_past(s, a, velocity, way);
    if (!bs_is_finite(way)) {
        return false;
    }
    if (bs_are_boxes(w, a->box, box)) {
        if (!plane_of_boxes(s, a, box, at, v, f, out)) {
            return false;
        }
        out->meets = out->meets || (out->closing * s->span > out->gap &&
                                    bs_meet_at(w, a->box, &a->place, way, box, at, &touch));
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

/* --- what was pressed ----------------------------------------------------------------------- */

/* The boxes of a press. False: one of them was removed. */
static bool find_both(const bs_world *w, const bs_press *press, uint32_t *a, uint32_t *b) {
    return bs_world_find(w, press->a, a) == BS_FOUND && bs_world_find(w, press->b, b) == BS_FOUND;
}

bool bs_presses_begin(bs_bodies *s) {
    const bs_world *w = s->w;
    bs_table_clear(&s->pressed);
    if (w->presses.n == 0) {
        return true;
    }
    if (!bs_table_reserve(&s->w->heap, &s->pressed, w->presses.n)) {
        return false;
    }
    for (size_t i = 0; i < w->presses.n; i++) {
        uint32_t a, b;
        if (!find_both(w, &w->presses.at[i], &a, &b)) {
            continue;
        }
        *bs_table_value(&s->pressed, bs_key_of_two(a, b)) = i + 1;
        for (int k = 0; k < 2; k++) {
            uint32_t body = s->of[k == 0 ? a : b];
            if (body != BS_NOBODY) {
                s->body.at[body].was_pressed = true;
                s->body.at[body].was_tired |= w->presses.at[i].push == 0;
            }
        }
    }
    return true;
}

static const bs_press *press_of(const bs_bodies *s, uint32_t a, uint32_t b) {
    uint64_t i = s->pressed.size > 0 ? *bs_table_value(&s->pressed, bs_key_of_two(a, b)) : 0;
    return i > 0 ? &s->w->presses.at[i - 1] : NULL;
}

bool bs_presses_defer(bs_bodies *s, uint32_t box, uint32_t other) {
    bs_press press = {.a = bs_world_id(s->w, box), .b = bs_world_id(s->w, other)};
    return BS_APPEND(&s->w->heap, &s->presses, press);
}

static bool rests(const bs_world *w, uint32_t box) {
    return w->rest[box].asleep || bs_world_is_static(w, box);
}

bool bs_presses_end(bs_bodies *s) {
    const bs_world *w = s->w;
    for (size_t i = 0; i < s->plane.n; i++) {
        const bs_plane *p = &s->plane.at[i];
        bs_press press = {.a = bs_world_id(w, s->body.at[p->a].box), .b = bs_world_id(w, p->box)};
        if (p->push < HUGE_VAL && bs_is_finite(p->rub)) { /* Else they only press. */
            press.push = p->push;
            memcpy(press.rub, p->rub, sizeof press.rub);
        }
        if (p->push > 0 && !BS_APPEND(&s->w->heap, &s->presses, press)) {
            return false;
        }
    }
    for (size_t i = 0; i < w->presses.n; i++) { /* Of what sleeps. */
        uint32_t a, b;
        bool there = find_both(w, &w->presses.at[i], &a, &b);
        bool sleep = there && (s->dt == 0 || (rests(w, a) && rests(w, b)));
        if (sleep && !BS_APPEND(&s->w->heap, &s->presses, w->presses.at[i])) {
            return false;
        }
    }
    return true;
}

/* --- who presses ---------------------------------------------------------------------------- */

static bool touches(const bs_body *a, const bs_rect *b, const bs_meet_plane *x) {
    return x->gap <= bs_largest_coordinate(&a->place, b) * BS_RESTING;
}

/* What is known of two besides their plane. */
typedef struct relation {
    const bs_press *was;
    bool tired;   /* One of them has met too often, ... */
    bool spent;   /* ... and again after that. */
    double force; /* The largest of their forces. */
    double along; /* By how much forces press the two together. */
    double bounce;
    double size; /* The least size of those that give way. */
    bool held;   /* One of them was pressed. */
    bool touches;
} relation;

/* Whether two that meet press on each other, whatever else is near. */
static bool do_press(const bs_meet_plane *x, const relation *r) {
    if (!x->meets) {
        return false;
    }
    return (r->was != NULL && r->was->push == 0) || (r->tired && r->touches) || r->spent ||
           x->closing <= 2 * r->along || (r->held && x->closing <= 2 * r->force) ||
           (r->bounce == 0 && r->touches);
}

/* Whether they are to be parted by a plane if one of them presses on something. */
static bool may_press(const bs_meet_plane *x, const relation *r, double dt) {
    if (!x->meets) {
        return x->gap <= r->size * BS_NEAR_MISS;
    }
    return do_press(x, r) || (r->bounce == 0 && x->closing * dt < r->size / 2);
}

static relation relate(const bs_bodies *s, const bs_body *a, const bs_body *b, uint32_t box,
                       const bs_meet_plane *x) {
    relation r = {.was = press_of(s, a->box, box)};
    double f[DIM];
    memcpy(f, a->force, sizeof f);
    r.force = bs_length(a->force);
    r.size = bs_weight_of(a) > 0 ? bs_least_size(&a->place) : HUGE_VAL;
    r.held = a->was_pressed;
    r.tired = a->was_tired;
    r.spent = a->gathers >= BS_SOME_GATHERS;
    if (b != NULL) {
        bs_minus(a->force, b->force, f);
        r.force = bs_max(bs_length(b->force), r.force);
        r.size = bs_weight_of(b) > 0 ? bs_min(bs_least_size(&b->place), r.size) : r.size;
        r.held = r.held || b->was_pressed;
        r.tired = r.tired || b->was_tired;
        r.spent = r.spent || b->gathers >= BS_SOME_GATHERS;
    }
    r.along = bs_max(-bs_dot(f, x->normal), 0);
    r.bounce = bs_bounce_between(s->w, a->box, box);
    r.touches = touches(a, b != NULL ? &b->place : &s->w->rect[box], x);
    return r;
}

static bool is_solid(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_meet_plane *x) {
    return bs_are_solid_at(s->w, a->box, box, x->normal, x->inside);
}

/* --- adding planes -------------------------------------------------------------------------- */

/* The impulses of the last step, as far as they fit. */
static void warm(const bs_bodies *s, bs_plane *p, const bs_press *was) {
    if (was == NULL || was->push == 0 || s->now > 0) {
        return;
    }
    p->pressed = true;
    p->push = was->push;
    if (p->friction > 0) {
        bs_along_side(was->rub, p->normal, p->rub);
        if (was->a != bs_world_id(s->w, s->body.at[p->a].box)) {
            bs_negate(p->rub, p->rub);
        }
    }
}

static bool add_plane(bs_bodies *s, uint32_t a, uint32_t b, uint32_t box, const bs_meet_plane *x,
                      const relation *r) {
    bs_body *of_a = &s->body.at[a];
    bs_plane plane = {.a = a, .b = b, .box = box, .gap = x->gap, .closing = x->closing};
    bs_plane *p = &plane;
    p->touches = r->touches;
    p->slack = bs_largest_coordinate(&of_a->place,
                                     b == BS_NOBODY ? &s->w->rect[box] : &s->body.at[b].place) *
               BS_PLACING;
    memcpy(p->normal, x->normal, sizeof p->normal);
    double wb = b == BS_NOBODY ? 0 : bs_weight_of(&s->body.at[b]);
    p->mass = 1 / (bs_weight_of(of_a) + wb);
    p->friction = bs_friction_between(s->w, of_a->box, box, b != BS_NOBODY);
    if (b == BS_NOBODY) {
        bs_along_side(s->w->motion[box].velocity, x->normal, p->side);
    }
    warm(s, p, r->was);
    return BS_APPEND(&s->w->heap, &s->plane, plane);
}

/* Orders by place, then by size, then by insertion. */
static bool is_before(const bs_bodies *s, uint32_t a, uint32_t b) {
    int order = bs_compare_rects(&s->body.at[a].start, &s->body.at[b].start);
    return order != 0 ? order < 0 : bs_world_before(s->w, s->body.at[a].box, s->body.at[b].box);
}

/* `near`: one of them presses on something. */
static bool look_at(bs_bodies *s, bs_couple *c, bool near, bool *adds) {
    bool in_order = is_before(s, c->a, c->b);
    uint32_t a = in_order ? c->a : c->b;
    uint32_t b = in_order ? c->b : c->a;
    const bs_body *x = &s->body.at[a];
    const bs_body *y = &s->body.at[b];
    *adds = false;
    if (!bs_bodies_may_touch(s, x, y)) {
        c->fate = bs_do_cross(s, x, y) ? BS_HIT : BS_MISS;
        return true;
    }
    if (bs_weight_of(x) + bs_weight_of(y) == 0) {
        return true;
    }
    if (!c->is_known) {
        c->is_known = bs_plane_between(s, x, y->box, &y->place, y->velocity, y->force, &c->plane);
    }
    bs_meet_plane m = c->plane;
    if (!c->is_known || (near && !m.meets && !m.inside &&
                         !plane_beside(s, x, y->box, &y->place, y->velocity, &m))) {
        c->fate = BS_HIT;
        return true;
    }
    c->fate = m.meets ? BS_HIT : BS_MISS;
    if (!m.meets && !near) {
        return true;
    }
    relation r = relate(s, x, y, y->box, &m);
    if (!near && r.bounce == 0) {
        s->body.at[a].meetings++;
        s->body.at[b].meetings++;
    }
    bool presses = near ? may_press(&m, &r, s->span) : do_press(&m, &r);
    if (!presses || !is_solid(s, x, y->box, &m)) {
        return true;
    }
    c->fate = BS_PRESS;
    *adds = true;
    return add_plane(s, a, b, y->box, &m, &r);
}

/* --- what joins ----------------------------------------------------------------------------- */

/* Lists the couples of each body. */
static bool list_couples(bs_bodies *s) {
    size_t n = s->body.n;
    bs_list *first = &s->first_couple;
    first->n = s->couples_of.n = 0;
    if (!bs_list_reserve(&s->w->heap, first, n + 2) ||
        !bs_list_reserve(&s->w->heap, &s->couples_of, 2 * s->couple.n)) {
        return false;
    }
    memset(first->at, 0, (n + 2) * sizeof *first->at);
    for (size_t i = 0; i < s->couple.n; i++) {
        first->at[s->couple.at[i].a + 2]++;
        first->at[s->couple.at[i].b + 2]++;
    }
    for (size_t i = 2; i < n + 2; i++) {
        first->at[i] += first->at[i - 1];
    }
    for (size_t i = 0; i < s->couple.n; i++) {
        s->couples_of.at[first->at[s->couple.at[i].a + 1]++] = (uint32_t)i;
        s->couples_of.at[first->at[s->couple.at[i].b + 1]++] = (uint32_t)i;
    }
    return true;
}

void bs_planes_look_around(bs_bodies *s, uint32_t body) {
    bs_body *b = &s->body.at[body];
    if (b->group != s->group && bs_weight_of(b) > 0) {
        b->group = s->group;
        s->ranked.at[s->ranked.n++] = body;
    }
}

bool bs_planes_look_at(bs_bodies *s, bs_couple *c, bool near) {
    bool adds;
    if (!look_at(s, c, near, &adds)) {
        return false;
    }
    if (adds) {
        s->body.at[c->a].is_pressed = s->body.at[c->b].is_pressed = true;
        bs_planes_look_around(s, c->a);
        bs_planes_look_around(s, c->b);
    }
    return true;
}

/* How a body stands to something static. False: it is not to be parted from it by a plane. */
static bool plane_to_static(const bs_bodies *s, const bs_body *b, uint32_t box, bs_meet_plane *x) {
    const bs_world *w = s->w;
    bs_rules rules = {.ignore = BS_NO_BOX, .to_pairs = (bs_response)w->conduct[b->box].response};
    return bs_rules_may_stop(w, &rules, b->box, box) &&
           bs_plane_between(s, b, box, &w->rect[box], still, still, x);
}

/*
 * Adds a side to n others, each once, in an order that depends on their normals alone. Of too many
 * the last ones are left out. Returns how many there are then.
 */
static size_t add_side(double side[MOST_HOLDING][DIM], size_t n, const double normal[DIM]) {
    size_t i = 0;
    while (i < n && bs_compare(side[i], normal) < 0) {
        i++;
    }
    if (i == MOST_HOLDING || (i < n && bs_compare(side[i], normal) == 0)) {
        return n;
    }
    n += n < MOST_HOLDING;
    memmove(side + i + 1, side + i, (n - 1 - i) * sizeof *side);
    memcpy(side[i], normal, sizeof *side);
    return n;
}

/*
 * The velocity of a body that is held by the static sides which it touches, of those in `near`.
 * What forces add to it toward these leads nowhere, so it meets no corner behind them: a floor of
 * tiles is one floor.
 */
static void hold_back(const bs_bodies *s, const bs_body *b, double velocity[DIM]) {
    enum { ROUNDS = 4 };
    double side[MOST_HOLDING][DIM];
    size_t n = 0;
    for (size_t i = 0; s->near.n > 1 && i < s->near.n; i++) {
        uint32_t box = s->near.at[i];
        bs_meet_plane m;
        if (plane_to_static(s, b, box, &m) && m.meets && touches(b, &s->w->rect[box], &m) &&
            is_solid(s, b, box, &m)) {
            n = add_side(side, n, m.normal);
        }
    }
    for (size_t i = 0; i < ROUNDS * n; i++) {
        bs_lead_out_of(velocity, side[i % n]);
    }
}

bool bs_planes_look_at_static(bs_bodies *s, uint32_t body, bool *presses) {
    bs_world *w = s->w;
    bs_body *b = &s->body.at[body];
    *presses = false;
    if (b->knows_static || w->part[BS_STATIC]->count == 0) {
        return true;
    }
    b->knows_static = true;
    if (!bs_find_of_part(s, BS_STATIC, &w->rect[b->box], false, &s->near)) {
        return false;
    }
    bs_body held = *b;
    hold_back(s, b, held.velocity);
    for (size_t i = 0; i < s->near.n; i++) {
        uint32_t box = s->near.at[i];
        const bs_rect *at = &w->rect[box];
        bs_meet_plane m;
        if (!plane_to_static(s, b, box, &m)) {
            continue;
        }
        const bs_body *goes = m.meets && !m.inside && !touches(b, at, &m) ? &held : b;
        if ((goes == &held && !plane_to_static(s, goes, box, &m)) ||
            !(m.meets || m.inside || plane_beside(s, goes, box, at, still, &m)) ||
            !is_solid(s, b, box, &m)) {
            continue;
        }
        relation r = relate(s, b, NULL, box, &m);
        *presses = *presses || do_press(&m, &r);
        bool parts = may_press(&m, &r, s->span) || (m.meets && r.bounce == 0);
        if (parts && !add_plane(s, body, BS_NOBODY, box, &m, &r)) {
            return false;
        }
    }
    return true;
}

/* What is met by something that does not give way, and meets several. */
static void look_beside(bs_bodies *s, uint32_t body) {
    const uint32_t *first = s->first_couple.at;
    for (uint32_t i = first[body]; i < first[body + 1]; i++) {
        const bs_couple *c = &s->couple.at[s->couples_of.at[i]];
        if (c->fate == BS_HIT && !bs_do_cross(s, &s->body.at[c->a], &s->body.at[c->b])) {
            bs_planes_look_around(s, c->a == body ? c->b : c->a);
        }
    }
}

/* What presses on something static, or meets several that do not bounce, looks at what is near. */
static bool look_from_ground(bs_bodies *s) {
    for (uint32_t i = 0; i < s->body.n; i++) {
        bool presses = s->body.at[i].meetings > 1;
        bool has_couples = s->first_couple.at[i] < s->first_couple.at[i + 1];
        const bs_body *b = &s->body.at[i];
        if (!presses && has_couples && b->weight > 0 && !b->crosses && !b->slept &&
            b->group != s->group && !bs_planes_look_at_static(s, i, &presses)) {
            return false;
        }
        if (presses && b->weight > 0) {
            bs_planes_look_around(s, i);
        } else if (presses) {
            look_beside(s, i);
        }
    }
    return true;
}

/* Bodies that press on static boxes alone are left to their paths. */
static void leave_alone(bs_bodies *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->plane.n; i++) {
        s->plane.at[n] = s->plane.at[i];
        n += s->body.at[s->plane.at[i].a].is_pressed;
    }
    s->plane.n = n;
}

bool bs_planes_find(bs_bodies *s) {
    s->ranked.n = 0;
    if (s->couple.n == 0) {
        return true;
    }
    if (!bs_list_reserve(&s->w->heap, &s->ranked, s->body.n) || !list_couples(s)) {
        return false;
    }
    for (size_t i = 0; i < s->couple.n; i++) {
        if (!bs_planes_look_at(s, &s->couple.at[i], false)) {
            return false;
        }
    }
    if (!look_from_ground(s)) {
        return false;
    }
    for (size_t k = 0; k < s->ranked.n; k++) { /* It grows. */
        bool presses;
        uint32_t body = s->ranked.at[k];
        const uint32_t *first = s->first_couple.at;
        for (uint32_t i = first[body]; i < first[body + 1]; i++) {
            bs_couple *c = &s->couple.at[s->couples_of.at[i]];
            if (c->fate != BS_PRESS && !bs_planes_look_at(s, c, true)) {
                return false;
            }
        }
        if (s->body.at[body].is_pressed && !bs_planes_look_at_static(s, body, &presses)) {
            return false;
        }
    }
    leave_alone(s);
    s->ranked.n = 0;
    for (uint32_t i = 0; i < s->body.n; i++) {
        if (s->body.at[i].is_pressed) {
            s->ranked.at[s->ranked.n++] = i;
        }
    }
    return true;
}
