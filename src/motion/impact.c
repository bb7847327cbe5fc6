/*
 * impact.c: what two bodies that meet do to each other's velocity. It relies on the paths of
 * bodies.c alone.
 *
 *      rest    What forces press together does not bounce. Against what does not give way it is a
 *              slide: the velocity nearest to the body's own that leads into none of the sides on
 *              which it rests.
 *      impact  Otherwise the two exchange momentum along the normal, and friction acts along the
 *              side.
 *
 * Compare "Nonconvex rigid bodies with stacking", Guendelman, Bridson, Fedkiw 2003, for contacts
 * that forces cause, and Mirtich 1996 for those in the order of time.
 */
#include "bodies.h"

#include <string.h>

/* The square of a share of a push that is left by rounding, or such a share along the push. */
static const double BLOCKED = 0x1p-20;

/* --- supports ------------------------------------------------------------------------------- */

static const double still[DIM] = {0};

static const double *velocity_of_support(const bs_bodies *s, const bs_support *x, double t) {
    return x->on == BS_NOBODY ? still : bs_body_velocity(s, x->on, t);
}

/* Forgets supports that the body, with this velocity, leaves. */
static void leave_supports(const bs_bodies *s, bs_body *b, const double v[DIM], double t) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->supports; i++) {
        const bs_support *x = &s->support.at[b->support + i];
        const double *side = velocity_of_support(s, x, t);
        double off[DIM];
        bs_minus(v, side, off);
        bool leaves = bs_dot(off, x->normal) > (bs_length(v) + bs_length(side)) * BS_RESTING;
        s->support.at[b->support + n] = *x;
        n += !leaves;
    }
    b->supports = (uint8_t)n;
}

/* --- the nearest velocity that leads into no side ------------------------------------------- */

/* A side that moves. */
typedef struct moving_side {
    const double *normal;
    double velocity[DIM];
} moving_side;

/* Solves the n equations in place. False if they have no one solution. */
static bool solve(double m[DIM][DIM], double x[DIM], int n) {
    for (int i = 0; i < n; i++) {
        if (!(m[i][i] > 0x1p-30)) { /* The matrix of unit normals is positive and symmetric. */
            return false;
        }
        for (int j = i + 1; j < n; j++) {
            double part = m[j][i] / m[i][i];
            for (int k = i; k < n; k++) {
                m[j][k] -= part * m[i][k];
            }
            x[j] -= part * x[i];
        }
    }
    for (int i = n; i-- > 0;) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= m[i][j] * x[j];
        }
        x[i] /= m[i][i];
    }
    return true;
}

/* The velocity nearest to v that leads along all of these sides, at most DIM. */
static bool along_sides(const double v[DIM], const moving_side *const f[DIM], int n,
                        double out[DIM]) {
    double m[DIM][DIM];
    double x[DIM];
    bool same = n == DIM;
    for (int i = 0; i < n; i++) {
        x[i] = bs_dot(f[i]->velocity, f[i]->normal) - bs_dot(v, f[i]->normal);
        for (int j = 0; j < n; j++) {
            m[i][j] = bs_dot(f[i]->normal, f[j]->normal);
        }
        same = same && memcmp(f[i]->velocity, f[0]->velocity, sizeof f[i]->velocity) == 0;
    }
    if (!solve(m, x, n)) {
        return false;
    }
    for (int k = 0; k < DIM; k++) {
        out[k] = v[k];
        for (int i = 0; i < n; i++) {
            out[k] += x[i] * f[i]->normal[k];
        }
        out[k] = same ? f[0]->velocity[k] : out[k];
    }
    for (int i = 0; i < n; i++) { /* Exactly along sides that lie along an axis. */
        bs_box_side side = bs_side_of(f[i]->normal);
        if (side.axis != BS_SLANTED) {
            out[side.axis] = f[i]->velocity[side.axis];
        }
    }
    return true;
}

static bool leads_into(const double v[DIM], const moving_side *f, double tiny) {
    double off[DIM];
    bs_minus(v, f->velocity, off);
    return bs_dot(off, f->normal) < -tiny;
}

/* The search for the nearest velocity. */
typedef struct search {
    const double *from;
    const moving_side *sides;
    int n;
    double tiny;
    double least; /* The squared distance of `best`. */
    double best[DIM];
} search;

static void try_sides(search *s, const moving_side *const f[DIM], int n) {
    double v[DIM];
    double change[DIM];
    if (!along_sides(s->from, f, n, v)) {
        return;
    }
    bs_minus(v, s->from, change);
    double square = bs_dot(change, change);
    bool fits = square < s->least;
    for (int i = 0; fits && i < s->n; i++) {
        fits = !leads_into(v, &s->sides[i], s->tiny);
    }
    if (fits) {
        s->least = square;
        memcpy(s->best, v, sizeof v);
    }
}

/* Tries each side, then each two, and in 3D each three. False if nothing leads out. */
static bool nearest_velocity(search *s) {
    s->least = HUGE_VAL;
    for (int i = 0; i < s->n; i++) {
        try_sides(s, (const moving_side *const[DIM]){&s->sides[i]}, 1);
    }
    for (int i = 0; s->least == HUGE_VAL && i < s->n; i++) {
        for (int j = 0; j < i; j++) {
            try_sides(s, (const moving_side *const[DIM]){&s->sides[j], &s->sides[i]}, 2);
        }
    }
#if DIM == 3
    for (int i = 0; s->least == HUGE_VAL && i < s->n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) {
                try_sides(s,
                          (const moving_side *const[DIM]){&s->sides[k], &s->sides[j], &s->sides[i]},
                          3);
            }
        }
    }
#endif
    return s->least < HUGE_VAL;
}

/* The nearest velocity: the first one if that leads into nothing, and 0 if nothing leads out. */
static void lead_out(search *s, double out[DIM]) {
    bool is_free = true;
    for (int i = 0; i < s->n; i++) {
        is_free = is_free && !leads_into(s->from, &s->sides[i], s->tiny);
    }
    bool found = is_free || nearest_velocity(s);
    for (int k = 0; k < DIM; k++) {
        out[k] = is_free ? s->from[k] : found ? s->best[k] : 0;
    }
}

/*
 * The part of a push that leads into none of the sides on which a body rests; these take the rest.
 */
static void free_part(const bs_bodies *s, const bs_body *b, const double push[DIM],
                      double out[DIM]) {
    moving_side sides[BS_MOST_SUPPORTS];
    search find = {.from = push, .sides = sides, .tiny = bs_length(push) * 0x1p-30};
    for (uint32_t i = 0; i < b->supports; i++) {
        sides[find.n++] = (moving_side){.normal = s->support.at[b->support + i].normal};
    }
    lead_out(&find, out);
}

void bs_rest_velocity(const bs_bodies *s, bs_body *clump, double t, double velocity[DIM]) {
    moving_side sides[BS_MOST_SUPPORTS];
    double from[DIM];
    memcpy(from, velocity, sizeof from);
    search find = {.from = from, .sides = sides, .tiny = bs_length(velocity) * BS_TOUCHING};
    for (uint32_t i = 0; i < clump->supports; i++) {
        const bs_support *x = &s->support.at[clump->support + i];
        moving_side *f = &sides[find.n++];
        f->normal = x->normal;
        memcpy(f->velocity, velocity_of_support(s, x, t), sizeof f->velocity);
    }
    lead_out(&find, velocity);
    for (uint32_t i = 0; i < clump->supports; i++) { /* What leads into a side gives friction. */
        const bs_support *x = &s->support.at[clump->support + i];
        double into = bs_dot(velocity, x->normal) - bs_dot(from, x->normal);
        if (x->friction > 0 && into > 0) {
            bs_rub(velocity, still, x->normal, x->friction * into);
        }
    }
    leave_supports(s, clump, velocity, t);
}

bool bs_is_blocked(const bs_bodies *s, const bs_body *b, const double push[DIM]) {
    double way[DIM];
    free_part(s, b, push, way);
    return !(bs_dot(way, way) > BLOCKED);
}

/* --- friction ------------------------------------------------------------------------------- */

void bs_rub(double velocity[DIM], const double of_side[DIM], const double normal[DIM],
            double most) {
    double along[DIM];
    double off = bs_dot(velocity, normal) - bs_dot(of_side, normal);
    for (int k = 0; k < DIM; k++) {
        along[k] = velocity[k] - of_side[k] - off * normal[k];
    }
    double length = bs_length(along);
    bool sticks = length <= most;
    bool rests = fabs(off) <= (bs_length(velocity) + most) * BS_RESTING;
    for (int k = 0; length > 0 && k < DIM; k++) {
        double rest = rests ? of_side[k] : velocity[k] - along[k];
        velocity[k] = sticks ? rest : velocity[k] - along[k] * (most / length);
    }
}

/* Friction between the two, by at most this impulse. One that is held by more stays. */
static void rub(bs_outcome *out, double wa, double wb, const double normal[DIM], double impulse,
                const double held[2]) {
    double along[DIM];
    bs_minus(out->va, out->vb, along);
    double off = bs_dot(along, normal);
    for (int k = 0; k < DIM; k++) {
        along[k] -= off * normal[k];
    }
    double length = bs_length(along);
    if (wb > 0 && bs_min(impulse, length / wb) <= held[0]) {
        wa = 0;
    } else if (wa > 0 && bs_min(impulse, length / wa) <= held[1]) {
        wb = 0;
    }
    if (wa == 0 || wb == 0) {
        double back[DIM];
        bs_negate(normal, back);
        if (wa > 0) {
            bs_rub(out->va, out->vb, normal, impulse * wa);
        } else if (wb > 0) {
            bs_rub(out->vb, out->va, back, impulse * wb);
        }
        return;
    }
    double most = length / (wa + wb);
    double j = bs_min(impulse, most);
    for (int k = 0; length > 0 && k < DIM; k++) {
        out->va[k] -= along[k] / length * (j * wa);
        out->vb[k] += along[k] / length * (j * wb);
    }
}

/* --- contacts ------------------------------------------------------------------------------- */

/* One of the two, and the other, as the one of whom is asked sees it. */
typedef struct side {
    bs_body *self;
    uint32_t other;
    double normal[DIM]; /* From the other one. */
    double *velocity;
    const double *velocity_of_other;
} side;

/* The body takes the velocity that leads into nothing on which it rests. */
static bool slide(bs_bodies *s, const side *x, const bs_event *e, bs_outcome *out) {
    moving_side sides[BS_MOST_SUPPORTS];
    bs_body *b = x->self;
    search find = {.from = x->velocity, .sides = sides};
    if (!bs_body_support(s, b, x->other, 0, x->normal)) {
        return false;
    }
    double fastest = bs_length(x->velocity);
    for (uint32_t i = 0; i < b->supports; i++) {
        const bs_support *on = &s->support.at[b->support + i];
        const double *velocity =
            on->on == x->other ? x->velocity_of_other : velocity_of_support(s, on, e->t);
        sides[i].normal = on->normal;
        for (int k = 0; k < DIM; k++) {
            double parts = on->on == x->other ? e->parting * on->normal[k] : 0;
            sides[i].velocity[k] = parts != 0 ? velocity[k] + parts : velocity[k];
        }
        fastest = bs_max(bs_length(velocity), fastest);
    }
    find.n = b->supports;
    find.tiny = fastest * BS_TOUCHING;
    bool squeezed = !nearest_velocity(&find) || bs_length(find.best) > 2 * fastest;
    memcpy(x->velocity, squeezed ? x->velocity_of_other : find.best, sizeof find.best);
    out->rests = true;
    out->impulse = e->speed / b->weight;
    return true;
}

/* How one of two gives way. */
typedef struct give {
    double way[DIM]; /* What supports leave of a push along the normal by 1. */
    double weight;   /* By how much an impulse of 1 changes the velocity along the normal. */
    double held;     /* The impulse by which what it rests on holds it, for one of 1. */
    double force;    /* What forces add to the velocity along the normal of the other. */
} give;

/*
 * A push into the static sides on which a body rests gives friction there, which takes from its way
 * along them, unless the body goes the other way. Returns what friction could still hold.
 */
static double hold(const bs_bodies *s, const bs_body *b, const double push[DIM],
                   const double velocity[DIM], double way[DIM]) {
    double held = 0;
    double length = bs_length(way);
    for (uint32_t i = 0; i < b->supports; i++) {
        const bs_support *x = &s->support.at[b->support + i];
        held += x->friction > 0 ? x->friction * bs_max(-bs_dot(push, x->normal), 0) : 0;
    }
    if (held > 0 && !(bs_dot(velocity, way) < 0)) {
        double left = held < length ? 1 - held / length : 0;
        for (int k = 0; k < DIM; k++) {
            way[k] *= left;
        }
    }
    return bs_is_still(velocity) ? bs_max(held - length, 0) : 0;
}

static give give_of(const bs_bodies *s, const bs_body *b, const double push[DIM],
                    const double velocity[DIM]) {
    give g;
    double force[DIM];
    free_part(s, b, push, g.way);
    free_part(s, b, b->force, force);
    g.held = hold(s, b, push, velocity, g.way);
    double share = bs_dot(g.way, push);
    g.weight = share > BLOCKED && !b->is_jammed ? b->weight * share : 0;
    g.force = b->is_jammed ? 0 : bs_dot(force, push);
    return g;
}

/* Momentum along the normal. With e = 0 both have the same velocity there, exactly on an axis. */
static void exchange(bs_outcome *out, const bs_event *e, const give *a, const give *b,
                     const double weights[2], double bounce) {
    double u = e->speed;
    double gained = (e->t - 0.5) * (a->force + b->force);
    double at_contact = bounce > 0 ? u - gained : u;
    double closing = bounce > 0 && at_contact > 0 ? at_contact : u;
    double j = bs_max((1 + bounce) * closing, u + e->parting) / (a->weight + b->weight);
    for (int k = 0; k < DIM; k++) {
        out->va[k] += a->weight > 0 ? j * weights[0] * a->way[k] : 0;
        out->vb[k] += b->weight > 0 ? j * weights[1] * b->way[k] : 0;
    }
    out->impulse = j;
    out->rests = bounce == 0;
    int axis = bs_side_of(e->normal).axis;
    if (bounce == 0 && axis != BS_SLANTED) {
        if (b->weight == 0) {
            out->va[axis] = out->vb[axis];
        } else {
            out->vb[axis] = out->va[axis];
        }
    }
}

/* Both take the velocity of their common momentum; what rounding leaves of none is none. */
static void stick(bs_outcome *out, const bs_event *e, double wa, double wb) {
    for (int k = 0; k < DIM; k++) {
        double of_a = out->va[k] * wb;
        double of_b = out->vb[k] * wa;
        bool cancels = fabs(of_a + of_b) <= (fabs(of_a) + fabs(of_b)) * BS_TOUCHING;
        out->va[k] = cancels ? 0 : (of_a + of_b) / (wa + wb);
    }
    memcpy(out->vb, out->va, sizeof out->vb);
    out->impulse = e->speed / (wa + wb);
    out->rests = out->sticks = true;
}

/* What rests on something that does not give way rests on it from now on. */
static bool note_rest(bs_bodies *s, const bs_event *e, double wa, double wb) {
    double back[DIM];
    bs_negate(e->normal, back);
    return (wb > 0 || bs_body_support(s, &s->body.at[e->a], e->b, 0, e->normal)) &&
           (wa > 0 || bs_body_support(s, &s->body.at[e->b], e->a, 0, back));
}

/*
 * The largest impulse of friction. What touches sticks to the other one, and takes its velocity:
 * both share their momentum, as else a heavy one would gain energy from a light one.
 */
static double most_rub(const bs_bodies *s, const bs_body *a, const bs_body *b, double impulse) {
    const bs_conduct *x = &s->w->conduct[a->box];
    const bs_conduct *y = &s->w->conduct[b->box];
    bool sticks = x->response == BS_TOUCH || y->response == BS_TOUCH;
    return sticks ? HUGE_VAL : bs_max(x->friction, y->friction) * impulse;
}

/* How much of the closing speed is given back. What forces press together does not bounce. */
static double bounce_of(const bs_bodies *s, const bs_event *e, double force, bs_outcome *out) {
    const bs_conduct *of_a = &s->w->conduct[s->body.at[e->a].box];
    const bs_conduct *of_b = &s->w->conduct[s->body.at[e->b].box];
    double forces = bs_max(bs_length(s->body.at[e->a].force), bs_length(s->body.at[e->b].force));
    bool is_pressed = e->speed <= 2 * bs_max(-force, 0);
    double bounce = bs_max(bs_bounce_of(of_a), bs_bounce_of(of_b));
    out->is_slow = is_pressed || (bounce > 0 && e->speed <= 2 * forces);
    return is_pressed ? 0 : bounce;
}

/* Neither of the two sticks, or one of them does not give way. */
static bool part_or_slide(bs_bodies *s, const bs_event *e, bs_outcome *out) {
    bs_body *a = bs_clump_of(s, e->a);
    bs_body *b = bs_clump_of(s, e->b);
    bool sticks = a->sticks || b->sticks;
    double back[DIM];
    bs_negate(e->normal, back);
    give ga = give_of(s, a, e->normal, out->va);
    give gb = give_of(s, b, back, out->vb);
    double bounce = bounce_of(s, e, ga.force + gb.force, out);
    bool squeezed = ga.weight + gb.weight == 0;
    bounce = sticks || squeezed ? 0 : bounce;
    if (squeezed) { /* The one that comes in gives way as far as it can. */
        bool a_comes = bs_dot(out->va, back) >= bs_dot(out->vb, e->normal);
        bool b_gives = !(a->weight > 0) || (b->weight > 0 && !a_comes);
        ga.weight = b_gives ? 0 : a->weight;
        gb.weight = b_gives ? b->weight : 0;
    }
    out->a_is_put = gb.weight == 0 || (ga.weight > 0 && a->weight >= b->weight);
    if (bounce == 0 && (ga.weight == 0 || gb.weight == 0)) {
        bool a_slides = ga.weight > 0;
        side x = {.self = a_slides ? a : b, .other = a_slides ? e->b : e->a};
        memcpy(x.normal, a_slides ? e->normal : back, sizeof x.normal);
        x.velocity = a_slides ? out->va : out->vb;
        x.velocity_of_other = a_slides ? out->vb : out->va;
        if (!slide(s, &x, e, out)) {
            return false;
        }
    } else {
        exchange(out, e, &ga, &gb, (const double[2]){a->weight, b->weight}, bounce);
        if (bounce == 0 && !note_rest(s, e, ga.weight, gb.weight)) {
            return false;
        }
    }
    if (!sticks) {
        const double held[2] = {ga.held * out->impulse, gb.held * out->impulse};
        rub(out, a->weight, b->weight, e->normal, most_rub(s, a, b, out->impulse), held);
    }
    leave_supports(s, a, out->va, e->t);
    leave_supports(s, b, out->vb, e->t);
    return true;
}

bool bs_impact(bs_bodies *s, const bs_event *e, bs_outcome *out) {
    const bs_body *a = bs_clump_of(s, e->a);
    const bs_body *b = bs_clump_of(s, e->b);
    const double *va = a->waits ? a->velocity : bs_body_velocity(s, e->a, e->t);
    const double *vb = b->waits ? b->velocity : bs_body_velocity(s, e->b, e->t);
    memset(out, 0, sizeof *out);
    memcpy(out->va, va, sizeof out->va);
    memcpy(out->vb, vb, sizeof out->vb);
    if ((a->sticks || b->sticks) && a->weight > 0 && b->weight > 0) {
        stick(out, e, a->weight, b->weight);
    } else if (!part_or_slide(s, e, out)) {
        return false;
    }
    if (!bs_is_finite(out->va) ||
        !bs_is_finite(out->vb)) { /* Beyond all numbers: nothing happens. */
        memcpy(out->va, va, sizeof out->va);
        memcpy(out->vb, vb, sizeof out->vb);
        out->impulse = 0;
        out->rests = out->sticks = false;
    }
    return true;
}
