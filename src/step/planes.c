/* planes.c: which two press on each other, and so are parted by a plane (between.c). */
#include "step.h"

#include <string.h>

enum { MOST_HOLDING = 8 }; /* So many sides hold a body. */
static const double still[DIM] = {0};

/* --- who presses ---------------------------------------------------------------------------- */

static bool touches(const bs_body *a, const bs_rect *b, const bs_meet_plane *x) {
    return x->gap <= bs_largest_coordinate(&a->place, b) * BS_RESTING;
}

/* What is known of two besides their plane. */
typedef struct relation {
    const bs_press *was;
    bool tired;   /* One of them has met too often, ... */
    bool spent;   /* ... and again after that. */
    double fall;  /* The larger of their falls. */
    double along; /* By how much forces press the two together. */
    double bounce;
    double reach; /* The speed at which one of them comes, should the other one be stopped. */
    double size;  /* The least size of those that give way. */
    bool held;    /* One of them was pressed. */
    bool meets;   /* The two meet, and not only by what a solution has left. */
    bool touches;
} relation;

/* Whether two that meet press on each other, whatever else is near. */
static bool do_press(const bs_meet_plane *x, const relation *r) {
    if (!r->meets) {
        return false;
    }
    return (r->was != NULL && r->was->push == 0) || (r->tired && r->touches) || r->spent ||
           x->closing <= 2 * r->along || (r->held && x->closing <= 2 * r->fall) ||
           (r->bounce == 0 && r->touches);
}

/* Whether they are to be parted by a plane if one of them presses on something. */
static bool may_press(const bs_meet_plane *x, const relation *r, double dt) {
    if (!r->meets) {
        return x->gap <= bs_max(r->size * BS_NEAR_MISS, r->reach * dt);
    }
    return do_press(x, r) || (r->bounce == 0 && x->closing * dt < r->size / 2);
}

static relation relate(const bs_bodies *s, const bs_body *a, const bs_body *b, uint32_t box,
                       const bs_meet_plane *x) {
    relation r = {.was = bs_press_of(s, a->box, box)};
    double f[DIM];
    memcpy(f, a->fall, sizeof f);
    r.fall = bs_length(a->fall);
    r.size = bs_inverse_mass(a) > 0 ? bs_least_size(&a->place) : HUGE_VAL;
    r.held = a->was_pressed;
    r.tired = a->was_tired;
    r.spent = a->gathers >= BS_SOME_GATHERS;
    if (b != NULL) {
        bs_minus(a->fall, b->fall, f);
        r.fall = bs_max(bs_length(b->fall), r.fall);
        r.size = bs_inverse_mass(b) > 0 ? bs_min(bs_least_size(&b->place), r.size) : r.size;
        r.held = r.held || b->was_pressed;
        r.tired = r.tired || b->was_tired;
        r.spent = r.spent || b->gathers >= BS_SOME_GATHERS;
    }
    r.along = bs_max(-bs_dot(f, x->normal), 0);
    r.bounce = bs_bounce_between(s->w, a->box, box);
    double speeds = bs_length(a->velocity) + (b != NULL ? bs_length(b->velocity) : 0);
    r.reach =
        bs_max(-bs_dot(a->velocity, x->normal), b != NULL ? bs_dot(b->velocity, x->normal) : 0);
    r.meets = x->meets && x->closing > speeds * BS_ABREAST;
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
    double wb = b == BS_NOBODY ? 0 : bs_inverse_mass(&s->body.at[b]);
    p->mass = 1 / (bs_inverse_mass(of_a) + wb);
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
    if (bs_inverse_mass(x) + bs_inverse_mass(y) == 0) {
        return true;
    }
    if (!c->is_known) {
        c->is_known = bs_plane_between(s, x, y->box, &y->place, y->velocity, y->fall, &c->plane);
    }
    bs_meet_plane m = c->plane;
    if (!c->is_known || (near && !m.meets && !m.inside &&
                         !bs_plane_beside(s, x, y->box, &y->place, y->velocity, &m))) {
        c->fate = BS_HIT;
        return true;
    }
    c->fate = m.meets ? BS_HIT : BS_MISS;
    if (!m.meets && !near) {
        return true;
    }
    relation r = relate(s, x, y, y->box, &m);
    if (!near && r.meets && r.bounce == 0) {
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
    if (b->group != s->group && bs_inverse_mass(b) > 0) {
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
            !(m.meets || m.inside || bs_plane_beside(s, goes, box, at, still, &m)) ||
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
        if (!presses && has_couples && b->inverse_mass > 0 && !b->crosses && !b->slept &&
            b->group != s->group && !bs_planes_look_at_static(s, i, &presses)) {
            return false;
        }
        if (presses && b->inverse_mass > 0) {
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
