/*
 * impact.c: what two bodies that hit each other do to each other's velocity. They exchange momentum
 * along the normal. It relies on motion/response.c for bounces, and for friction along the side.
 *
 * Compare Mirtich 1996 for contacts in the order of time.
 */
#include "step.h"

#include <string.h>

/* --- footings ------------------------------------------------------------------------------- */

/* Forgets the sides that the body, with this velocity, leaves. */
static void leave_footings(bs_body *b, const double v[DIM]) {
    uint8_t n = 0;
    for (uint8_t i = 0; i < b->footings; i++) {
        bs_footing x = b->footing[i];
        double off[DIM];
        bs_minus(v, x.velocity, off);
        bool leaves = bs_dot(off, x.normal) > (bs_length(v) + bs_length(x.velocity)) * BS_RESTING;
        b->footing[n] = x;
        n = (uint8_t)(n + !leaves);
    }
    b->footings = n;
}

/* The part of a push that leads into none of the sides on which a body rests. */
static void free_part(const bs_body *b, const double push[DIM], double out[DIM]) {
    enum { ROUNDS = 4 };
    memcpy(out, push, DIM * sizeof *out);
    for (int i = 0; i < ROUNDS * b->footings; i++) {
        bs_lead_out_of(out, b->footing[i % b->footings].normal);
    }
}

/* --- impacts -------------------------------------------------------------------------------- */

/* How one of two gives way. */
typedef struct give {
    double way[DIM];     /* What footings leave of a push along the normal by 1. */
    double inverse_mass; /* By how much an impulse of 1 changes the velocity along the normal. */
    double fall;         /* What forces add to the velocity along the push. */
} give;

static give give_of(bs_body *b, const double push[DIM], const double velocity[DIM]) {
    give g;
    double fall[DIM];
    leave_footings(b, velocity);
    free_part(b, push, g.way);
    free_part(b, b->fall, fall);
    double share = bs_dot(g.way, push);
    g.inverse_mass = share > BS_SAME_WAY ? b->inverse_mass * share : 0;
    g.fall = bs_dot(fall, push);
    return g;
}

/* Whether a normal leads along an axis, up to its own rounding. */
static bool is_along(const double normal[DIM], int axis) {
    bool along = axis != BS_SLANTED;
    for (int k = 0; along && k < DIM; k++) {
        along = k == axis || fabs(normal[k]) < BS_EXACT;
    }
    return along;
}

/* Momentum along the normal. With e = 0 both have the same velocity there, exactly on an axis. */
static void exchange(bs_outcome *out, const bs_event *e, const give *a, const give *b,
                     const double inverse_masses[2], double bounce) {
    double u = e->speed;
    double gained = bs_gained_until(e->t, a->fall + b->fall);
    double at_contact = bounce > 0 ? u - gained : u;
    double closing = bounce > 0 && at_contact > 0 ? at_contact : u;
    double j = bs_max((1 + bounce) * closing, u + e->parting) / (a->inverse_mass + b->inverse_mass);
    for (int k = 0; k < DIM; k++) {
        out->va[k] += a->inverse_mass > 0 ? j * inverse_masses[0] * a->way[k] : 0;
        out->vb[k] += b->inverse_mass > 0 ? j * inverse_masses[1] * b->way[k] : 0;
    }
    out->impulse = j;
    out->rests = bounce == 0;
    int axis = bs_side_of(e->normal).axis;
    if (bounce == 0 && e->parting == 0 && is_along(e->normal, axis)) {
        if (b->inverse_mass < a->inverse_mass) { /* The heavier one is exact. */
            out->va[axis] = out->vb[axis];
        } else {
            out->vb[axis] = out->va[axis];
        }
    }
}

/* How much of the closing speed is given back. What forces press together does not bounce. */
static double bounce_of(const bs_bodies *s, const bs_event *e, double fall, bs_outcome *out) {
    double bounce = bs_bounce_between(s->w, s->body.at[e->a].box, s->body.at[e->b].box);
    bounce = bs_is_pressed(e->speed, -2 * fall) ? 0 : bounce;
    out->is_slow = bounce == 0;
    out->gives = bounce > 1;
    return bounce;
}

void bs_impact(bs_bodies *s, const bs_event *e, bs_outcome *out) {
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    const double *va = bs_own_velocity(a);
    const double *vb = bs_own_velocity(b);
    double back[DIM];
    bs_negate(e->normal, back);
    memset(out, 0, sizeof *out);
    memcpy(out->va, va, sizeof out->va);
    memcpy(out->vb, vb, sizeof out->vb);
    give ga = give_of(a, e->normal, out->va);
    give gb = give_of(b, back, out->vb);
    double bounce = bounce_of(s, e, ga.fall + gb.fall, out);
    if (ga.inverse_mass + gb.inverse_mass == 0) { /* Squeezed: the one that comes in gives way. */
        bool a_comes = bs_dot(out->va, back) >= bs_dot(out->vb, e->normal);
        bool b_gives = !(a->inverse_mass > 0) || (b->inverse_mass > 0 && !a_comes);
        give *gives = b_gives ? &gb : &ga;
        gives->inverse_mass = b_gives ? b->inverse_mass : a->inverse_mass;
        memcpy(gives->way, b_gives ? back : e->normal, sizeof gives->way);
        bounce = 0;
    }
    exchange(out, e, &ga, &gb, (const double[2]){a->inverse_mass, b->inverse_mass}, bounce);
    double friction = bs_friction_between(s->w, a->box, b->box, true);
    bs_rub(out->va, a->inverse_mass, out->vb, b->inverse_mass, e->normal,
           bs_most_rub(friction, out->impulse));
    if (!bs_is_finite(out->va) || !bs_is_finite(out->vb)) { /* Beyond all numbers. */
        memcpy(out->va, va, sizeof out->va);
        memcpy(out->vb, vb, sizeof out->vb);
        out->impulse = 0;
        out->rests = false;
        return;
    }
    if (bounce == 0 && gb.inverse_mass == 0) {
        bs_body_stand(a, e->normal, out->vb);
    } else if (bounce == 0 && ga.inverse_mass == 0) {
        bs_body_stand(b, back, out->va);
    }
}
