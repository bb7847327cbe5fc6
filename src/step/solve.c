/*
 * solve.c: the velocities with which no plane of an island is crossed, nearest to those that the
 * bodies have, measured by mass (Moreau 1988). Friction at each plane is at most its share of what
 * presses there.
 *
 * It is found by projected Gauss-Seidel, which goes from plane to plane and corrects the impulse of
 * each; accelerated by "nonsmooth nonlinear conjugate gradients" (Silcowitz, Niebe, Erleben 2010).
 * Few planes are solved up to rounding (exact.c). Of many something is left; so they aim at a
 * little room between them, and what is still left shortens ways: that costs nobody an overlap.
 */
#include "step.h"

#include <string.h>

/* What is left of many planes: shares of their largest closing speed. */
static const double ROOM = 0.015;   /* The room at which they aim. */
static const double GOOD = 0.25;    /* So much of that room may be left. */
static const double RECOVERY = 0.2; /* The part of the room that a step makes up for. */
enum { SWEEPS = 30 };

/* --- one plane ------------------------------------------------------------------------------ */

static void apply(bs_mover *a, bs_mover *b, const double impulse[DIM]) {
    bs_add(a->velocity, a->inverse_mass, impulse);
    bs_add(b->velocity, -b->inverse_mass, impulse);
}

/* All that acts at a plane, on a. */
static void impulse_of(const bs_plane *p, double impulse[DIM]) {
    for (int k = 0; k < DIM; k++) {
        impulse[k] = p->push * p->normal[k] + p->rub[k];
    }
}

/* Friction, by at most its share of the push. */
static void rub(bs_plane *p, bs_mover *a, bs_mover *b) {
    double off = bs_mover_parting(p, a, b);
    double wanted[DIM];
    double change[DIM];
    double square = 0;
    for (int k = 0; k < DIM; k++) {
        double along = a->velocity[k] - b->velocity[k] - off * p->normal[k] - p->side[k];
        wanted[k] = p->rub[k] - p->mass * along;
        square += wanted[k] * wanted[k];
    }
    double most = p->push > 0 ? p->friction * p->push : 0;
    double part = square > most * most ? most / sqrt(square) : 1;
    for (int k = 0; k < DIM; k++) {
        change[k] = wanted[k] * part - p->rub[k];
        p->rub[k] = wanted[k] * part;
    }
    apply(a, b, change);
}

void bs_planes_apply(const bs_plane *planes, size_t n, bs_mover *movers) {
    for (size_t i = 0; i < n; i++) {
        bs_mover *both[] = {&movers[planes[i].of_a], &movers[planes[i].of_b]};
        for (int k = 0; k < 2; k++) {
            memcpy(both[k]->velocity, both[k]->before, sizeof both[k]->velocity);
        }
    }
    for (size_t i = 0; i < n; i++) {
        const bs_plane *p = &planes[i];
        double impulse[DIM];
        impulse_of(p, impulse);
        apply(&movers[p->of_a], &movers[p->of_b], impulse);
    }
}

static void relax(bs_plane *p, bs_mover *movers) {
    bs_mover *a = &movers[p->of_a];
    bs_mover *b = &movers[p->of_b];
    double push = bs_max(p->push - p->mass * bs_plane_spare(p, movers), 0);
    double change = push - p->push;
    p->push = push;
    bs_add(a->velocity, a->inverse_mass * change, p->normal);
    bs_add(b->velocity, -(b->inverse_mass * change), p->normal);
    if (p->friction > 0) {
        rub(p, a, b);
    }
}

/* --- sweeps --------------------------------------------------------------------------------- */

/* By how much a plane is not solved: `room` counts what crosses it more than what it lacks. */
static double left_of(const bs_plane *p, const bs_mover *movers, double dt, double room) {
    const bs_mover *a = &movers[p->of_a];
    const bs_mover *b = &movers[p->of_b];
    double speed = bs_mover_parting(p, a, b);
    double crossing = -speed - p->gap / dt;
    double left = p->push > 0 ? fabs(speed + p->aim) : 0;
    if (crossing > 0 && room > 0) {
        left = crossing + 2 * room;
    } else {
        left = bs_max(crossing, left);
    }
    if (p->friction > 0) {
        double square = 0;
        for (int k = 0; k < DIM; k++) {
            square += (p->rub[k] - p->last_rub[k]) * (p->rub[k] - p->last_rub[k]);
        }
        left = bs_max(sqrt(square) / p->mass, left);
    }
    return left;
}

static void forget_trend(bs_plane *p) {
    p->trend_push = 0;
    memset(p->trend_rub, 0, sizeof p->trend_rub);
}

/* What a sweep has changed. */
typedef struct changes {
    double square; /* Of all. */
    double speed;  /* The most at one plane. */
} changes;

static void relax_once(bs_plane *p, bs_mover *movers, changes *c) {
    p->last_push = p->push;
    memcpy(p->last_rub, p->rub, sizeof p->rub);
    relax(p, movers);
    double u = p->push - p->last_push;
    double square = u * u;
    for (int k = 0; p->friction > 0 && k < DIM; k++) {
        square += (p->rub[k] - p->last_rub[k]) * (p->rub[k] - p->last_rub[k]);
    }
    double parts = movers[p->of_a].inverse_mass + movers[p->of_b].inverse_mass;
    c->square += square * parts;
    c->speed = bs_max(square * parts * parts, c->speed);
}

/* Goes on in the direction of all sweeps before, by that share of it. */
static void go_on(bs_plane *p, bs_mover *movers, double share) {
    double change[DIM];
    double more = share * p->trend_push;
    p->trend_push = p->push - p->last_push + more;
    more = bs_max(more, -p->push);
    p->push += more;
    for (int k = 0; k < DIM; k++) {
        change[k] = more * p->normal[k];
    }
    for (int k = 0; p->friction > 0 && k < DIM; k++) {
        double rubs = share * p->trend_rub[k];
        p->trend_rub[k] = p->rub[k] - p->last_rub[k] + rubs;
        p->rub[k] += rubs;
        change[k] += rubs;
    }
    apply(&movers[p->of_a], &movers[p->of_b], change);
}

/* Whether no plane has more left than that. */
static bool is_solved(const bs_plane *planes, size_t n, const bs_mover *movers, double dt,
                      double enough, double room) {
    double left = 0;
    for (size_t i = 0; i < n && left <= enough; i++) {
        left = left_of(&planes[i], movers, dt, room);
    }
    return left <= enough;
}

/* Sweeps until no more than that is left; false if so many sweeps are too few. */
static bool sweep(bs_plane *planes, size_t n, bs_mover *movers, double dt, double enough,
                  double room, int most) {
    const double near = 2 * enough; /* Who changes more is not solved. */
    double last = 0;
    for (size_t i = 0; i < n; i++) {
        forget_trend(&planes[i]);
    }
    for (int turn = 0; turn < most; turn++) {
        changes c = {0};
        for (size_t i = 0; i < n; i++) {
            relax_once(&planes[i], movers, &c);
        }
        if (c.speed <= near * near && is_solved(planes, n, movers, dt, enough, room)) {
            return true;
        }
        if (turn + 1 == most) {
            break;
        }
        double share = last > 0 ? c.square / last : 2;
        last = c.square;
        for (size_t i = 0; i < n; i++) {
            if (share <= 1) {
                go_on(&planes[i], movers, share);
            } else {
                forget_trend(&planes[i]);
            }
        }
    }
    return false;
}

/* --- the first guess ------------------------------------------------------------------------ */

/* Where a body is on the way that it falls. */
static double depth_of(const bs_bodies *s, const bs_mover *m, const double fall[DIM]) {
    double depth = 0;
    for (int k = 0; m->body != BS_NOBODY && k < DIM; k++) {
        const bs_rect *r = &s->body.at[m->body].place;
        depth += (r->pos[k] + r->size[k] / 2) * fall[k];
    }
    return depth;
}

/* Stops the upper one of two relative to the lower one, as that was before forces. */
static void carry(bs_plane *p, bs_mover *movers, double sign, double dt) {
    bs_mover *upper = &movers[sign > 0 ? p->of_a : p->of_b];
    bs_mover *lower = &movers[sign > 0 ? p->of_b : p->of_a];
    double closing = -p->gap / dt;
    for (int k = 0; k < DIM; k++) {
        closing -= sign * p->normal[k] * (upper->velocity[k] - lower->velocity[k] + lower->fall[k]);
    }
    if (closing > 0 && upper->inverse_mass > 0) {
        p->push = closing / upper->inverse_mass;
        bs_add(upper->velocity, sign * closing, p->normal);
        bs_add(lower->velocity, -(lower->inverse_mass * sign * p->push), p->normal);
    }
}

/*
 * The load that each carries: from the top down each body is stopped by what is below it. For
 * towers of boxes that is the solution. There is room for the order.
 */
static void carry_loads(bs_bodies *s, bs_plane *planes, size_t n) {
    bs_mover *movers = s->mover.at;
    double fall[DIM] = {0};
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < DIM; k++) {
            fall[k] += movers[planes[i].of_a].fall[k] + movers[planes[i].of_b].fall[k];
        }
    }
    if (bs_is_still(fall)) {
        return;
    }
    bs_keyed *keyed = s->w->keyed;
    for (size_t i = 0; i < n; i++) {
        double a = depth_of(s, &movers[planes[i].of_a], fall);
        double b = depth_of(s, &movers[planes[i].of_b], fall);
        double sign = bs_dot(planes[i].normal, fall) < 0 ? 1 : -1;
        keyed[i] = (bs_keyed){bs_key_of_any(sign > 0 ? a : b), i};
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        bs_plane *p = &planes[keyed[i].value];
        double along = bs_dot(p->normal, fall);
        if (along != 0) {
            carry(p, movers, along < 0 ? 1 : -1, s->span);
        }
    }
}

/* How much more energy impulses that are applied to two bodies give them. */
static double gain_of(const bs_mover *a, const bs_mover *b, const double impulse[DIM]) {
    double gain = 0;
    for (int k = 0; k < DIM; k++) {
        gain += impulse[k] * (a->velocity[k] - b->velocity[k]);
        gain += impulse[k] * impulse[k] * (a->inverse_mass + b->inverse_mass) / 2;
    }
    return gain;
}

/* What was pressed in the last step presses at first as it did then, unless that gives energy. */
static void press_again(bs_bodies *s, bs_plane *planes, size_t n) {
    bool pressed = false;
    double gain = 0;
    for (size_t i = 0; i < n; i++) {
        const bs_plane *p = &planes[i];
        double impulse[DIM];
        if (p->push > 0) {
            pressed = true;
            impulse_of(p, impulse);
            gain += gain_of(&s->mover.at[p->of_a], &s->mover.at[p->of_b], impulse);
            apply(&s->mover.at[p->of_a], &s->mover.at[p->of_b], impulse);
        }
    }
    for (size_t i = 0; i < n && gain > 0; i++) {
        planes[i].push = 0;
        memset(planes[i].rub, 0, sizeof planes[i].rub);
    }
    if (gain > 0) {
        bs_planes_apply(planes, n, s->mover.at);
    }
    if (!pressed || gain > 0) {
        carry_loads(s, planes, n);
    }
}

/*
 * The work of all impulses: with the velocities before them, and with the mean of before and after.
 */
static void work_of(const bs_plane *planes, size_t n, const bs_mover *movers, double *first,
                    double *whole) {
    *first = *whole = 0;
    for (size_t i = 0; i < n; i++) {
        const bs_plane *p = &planes[i];
        const bs_mover *a = &movers[p->of_a];
        const bs_mover *b = &movers[p->of_b];
        double impulse[DIM];
        impulse_of(p, impulse);
        for (int k = 0; k < DIM; k++) {
            double before = impulse[k] * (a->before[k] - b->before[k]);
            *first += before;
            *whole += (before + impulse[k] * (a->velocity[k] - b->velocity[k])) / 2;
        }
    }
}

/* Whether something could give energy: a lift, or a belt. */
static bool is_driven(const bs_plane *planes, size_t n, const bs_mover *movers) {
    bool driven = false;
    for (size_t i = 0; i < n; i++) {
        driven = driven || movers[planes[i].of_a].pushes || movers[planes[i].of_b].pushes ||
                 !bs_is_still(planes[i].side);
    }
    return driven;
}

/*
 * What is not solved to its end may give energy. Then all impulses are less, so that they do not.
 */
static void give_no_energy(bs_plane *planes, size_t n, bs_mover *movers) {
    double first;
    double whole;
    work_of(planes, n, movers, &first, &whole);
    if (!(whole > 0) || is_driven(planes, n, movers)) {
        return;
    }
    double part = first < 0 ? first / (first - whole) : 0;
    for (size_t i = 0; i < n; i++) {
        planes[i].push *= part;
        for (int k = 0; k < DIM; k++) {
            planes[i].rub[k] *= part;
        }
    }
    bs_planes_apply(planes, n, movers);
}

/* --- an island ------------------------------------------------------------------------------ */

static bool do_rub(const bs_plane *planes, size_t n) {
    bool rubs = false;
    for (size_t i = 0; i < n; i++) {
        rubs = rubs || planes[i].friction > 0;
    }
    return rubs;
}

bool bs_planes_solve_few(bs_bodies *s, bs_plane *planes, size_t n, double enough) {
    enum { SWEEPS_FIRST = 8, SWEEPS_AGAIN = 32, TRIES = 8 };
    bs_mover *movers = s->mover.at;
    bool rubs = do_rub(planes, n);
    bool few = n <= (rubs ? BS_FEW_GRIPS : BS_FEW_PLANES);
    bool done = sweep(planes, n, movers, s->span, enough, 0, few ? SWEEPS_FIRST : 1);
    for (int i = 0; few && !done && i < TRIES; i++) {
        done = bs_planes_solve_exactly(planes, n, movers, enough) ||
               sweep(planes, n, movers, s->span, enough, 0, SWEEPS_AGAIN);
    }
    if (done) {
        bs_planes_apply(planes, n, movers); /* Sweeps add up rounding. */
    }
    return done;
}

void bs_planes_solve(bs_bodies *s, bs_plane *planes, size_t n) {
    bs_mover *movers = s->mover.at;
    press_again(s, planes, n);
    double fastest = 0;
    double closing = 0;
    double slack = 0;
    for (size_t i = 0; i < n; i++) {
        bs_plane *p = &planes[i];
        slack = bs_max(p->slack, slack);
        fastest = bs_max(bs_length(movers[p->of_a].velocity), fastest);
        fastest = bs_max(bs_length(movers[p->of_b].velocity), fastest);
        closing = bs_max(p->closing, closing);
        p->aim = p->gap / s->span;
    }
    double enough = bs_max((fastest + closing) * BS_SOLVED, slack / s->span);
    if (bs_planes_solve_few(s, planes, n, enough)) {
        return;
    }
    double room = bs_max(ROOM * closing, enough);
    for (size_t i = 0; i < n; i++) {
        bs_plane *p = &planes[i];
        double off = room * s->span;
        double part = p->gap > 2 * off ? 1 : RECOVERY;
        p->aim = p->pressed ? (p->gap - off) / s->span * part : p->gap / s->span;
    }
    (void)sweep(planes, n, movers, s->span, GOOD * room, room, SWEEPS);
    bs_planes_apply(planes, n, movers);
    give_no_energy(planes, n, movers);
}
