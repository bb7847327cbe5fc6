/*
 * way.c: the tracks of a way, and how responses change them. It relies on the normals of contact.c.
 *
 * A slide removes what leads into the side. Where several sides are met at one place, the way goes
 * on along one of them, or in 3D along the crease of two, so that it leads into none; or it ends.
 * It never leads back, against the aim: so the same way, again and again, comes to rest in any
 * corner. A circle that is moved around a corner follows the arc in steps of an eighth of its
 * radius: a step along the side that the corner shows it, then on as it wanted to, into the
 * corner's next side. In a step it flies off along that side, as its velocity says.
 *
 * Compare "collide and slide", Fauerby 2003.
 */
#include "motion.h"

#include <string.h>

enum { ARC_STEPS = 8 };
/* The share of a way that a step takes at least, and in which nudges are counted. */
static const double LEAST_STEP = 0x1p-12;

/* --- tracks --------------------------------------------------------------------------------- */

static void stop_axis(bs_track *track, double at, double t) {
    *track = (bs_track){at, t, 0, at};
}

void bs_way_begin(bs_move *m, const double goal[DIM]) {
    for (int k = 0; k < DIM; k++) {
        double pos = m->start.pos[k];
        m->track[k] = (bs_track){pos, 0, goal[k] - pos, goal[k]};
        m->aim.motion[k] = m->track[k].speed;
        m->aim.velocity[k] = m->velocity[k];
        assert(isfinite(m->track[k].speed));
    }
    m->now = 0;
    m->stretch_end = 1;
    m->arc_end = HUGE_VAL;
    m->contacts.sides = 0;
    m->contacts.since = 0;
    m->contacts.coarsest = 0;
    m->contacts.near = 0;
    m->bounces = 0;
    m->nudges = m->stretches = 0;
}

void bs_way_end(bs_move *m, const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        stop_axis(&m->track[k], r->pos[k], m->now);
    }
    m->arc_end = HUGE_VAL;
}

bool bs_advance(const bs_rect *from, const double velocity[DIM], double dt, bs_rect *to) {
    *to = *from;
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        double pos = from->pos[k] + velocity[k] * dt;
        to->pos[k] = pos != from->pos[k] ? pos : from->pos[k];
        finite = finite && isfinite(pos - from->pos[k]) && isfinite(bs_far(to, k));
    }
    return finite;
}

/* --- courses -------------------------------------------------------------------------------- */

/* How the box would go on from r. */
static bs_course course_from(const bs_move *m, const bs_rect *r) {
    bs_course c;
    for (int k = 0; k < DIM; k++) {
        c.motion[k] = m->track[k].speed;
        c.remaining[k] = m->track[k].end - r->pos[k];
        c.velocity[k] = m->velocity[k];
    }
    return c;
}

/* What is left of an earlier course now. */
static bs_course course_from_now(const bs_move *m, const bs_course *earlier) {
    bs_course c = *earlier;
    for (int k = 0; k < DIM; k++) {
        c.remaining[k] = c.motion[k] * (1 - m->now);
    }
    return c;
}

/* Tracks that the course does not change stay as they are. An axis that would overflow stops. */
static void set_course(bs_move *m, const bs_rect *r, const bs_course *c) {
    for (int k = 0; k < DIM; k++) {
        bs_track *track = &m->track[k];
        double at = r->pos[k];
        double end = at + c->remaining[k];
        if (c->motion[k] == track->speed && bs_track_at(track, m->now) == at) {
            continue;
        }
        bool is_there = isfinite(c->motion[k]) && isfinite(end) && isfinite(end + r->size[k]);
        if (c->motion[k] != 0 && is_there) {
            *track = (bs_track){at, m->now, c->motion[k], end};
        } else {
            stop_axis(track, at, m->now);
        }
    }
    for (int k = 0; k < DIM; k++) {
        m->velocity[k] = isfinite(c->velocity[k]) ? c->velocity[k] : 0;
    }
    m->parts = 0;
}

/* --- one side ------------------------------------------------------------------------------- */

double bs_way_speed(const bs_move *m, const double normal[DIM]) {
    double along = 0;
    for (int k = 0; k < DIM; k++) {
        along += m->track[k].speed * normal[k];
    }
    return along;
}

bool bs_way_leads_into(const bs_move *m, const double normal[DIM], double grain) {
    return bs_way_speed(m, normal) < -grain;
}

/*
 * Removes what leads into a side. It does so twice: of a motion nearly straight into the side so
 * little is left that the rounding of the first time leads into it, too.
 */
static void slide(double v[DIM], const double normal[DIM]) {
    for (int i = 0; i < 2; i++) {
        double along = bs_dot(v, normal);
        for (int k = 0; along < 0 && k < DIM; k++) {
            v[k] -= along * normal[k];
        }
    }
}

static void slide_course(bs_course *c, const double normal[DIM]) {
    slide(c->motion, normal);
    slide(c->remaining, normal);
    slide(c->velocity, normal);
}

/* Reflects what leads into a side, and `more` along its normal, times `keep`. */
static void reflect(double v[DIM], const double normal[DIM], double keep, double more) {
    double along = bs_dot(v, normal);
    for (int k = 0; along < 0 && k < DIM; k++) {
        v[k] = v[k] - along * normal[k] - keep * ((along + more) * normal[k]);
    }
}

/*
 * A step uses the velocity in its middle. A bounce reflects the velocity at the contact, to which
 * acceleration has added so much more, or less. After the bounce it is the one in the middle again,
 * so the same comes off once more. So bounces that keep all speed keep the energy, over any number
 * of steps. What is too slow to fall back and bounce is only reflected. (The leapfrog scheme; see
 * Hairer, Lubich, Wanner 2003.)
 */
static double gain_until_contact(const bs_move *m, const bs_course *c, const double normal[DIM]) {
    double fall = m->in_step ? bs_dot(m->fall, normal) : 0;
    bool is_fast = fabs(bs_dot(c->motion, normal)) > 2 * fabs(fall * m->dt);
    return is_fast ? (2 * bs_time_in_step(m, m->now) - 1) * fall : 0;
}

static void reflect_course(const bs_move *m, bs_course *c, const double normal[DIM]) {
    double more = gain_until_contact(m, c, normal);
    reflect(c->motion, normal, m->bounce, more * m->dt);
    reflect(c->remaining, normal, m->bounce, more * m->dt * (1 - m->now));
    reflect(c->velocity, normal, m->bounce, more);
}

/* --- all sides of a place ------------------------------------------------------------------- */

/* Adds a side to those of this place, and forgets those of other places. */
static void note_side(bs_move *m, const bs_rect *r, const bs_course *c, const double normal[DIM],
                      const bs_obstacle *o) {
    bs_contact_set *here = &m->contacts;
    double coarsest = bs_max(here->coarsest, o->grain);
    double near = bs_largest_coordinate(r, &m->w->rect[o->box]) * (o->exact ? BS_EXACT : BS_HERE);
    bool moved = here->sides == 0;
    here->near = bs_max(here->near, near);
    for (int k = 0; k < DIM; k++) {
        moved = moved || fabs(r->pos[k] - here->at[k]) > here->near;
    }
    if (moved) {
        memcpy(here->at, r->pos, sizeof here->at);
        here->before = *c;
        here->sides = 0;
        here->bend = 0;
        here->near = near;
        coarsest = o->grain;
        if (m->now > here->since + LEAST_STEP) { /* So it cannot go to and fro for ever. */
            m->nudges = 0;
            here->since = m->now;
        }
    }
    here->coarsest = coarsest;
    if (o->bend > 0) { /* The sharpest, in whatever order they are met. */
        here->bend = here->bend > 0 ? bs_min(here->bend, o->bend) : o->bend;
    }
    if (here->sides < BS_MOST_SIDES) {
        memcpy(here->normal[here->sides], normal, sizeof here->normal[0]);
        here->grain[here->sides] = o->grain;
        here->arc[here->sides] = o->bend;
    }
    here->sides++;
}

/*
 * The side of this place that a way leads into most, or NULL. A way may cut so many grains off a
 * round side.
 */
static const double *side_ahead(const bs_contact_set *here, const double v[DIM], double grains) {
    const double *ahead = NULL;
    double most = 0;
    for (int i = 0; i < here->sides; i++) {
        double grain = here->grain[i];
        double into = -bs_dot(v, here->normal[i]);
        if (into > most && bs_goes_into(v, here->normal[i], grain, here->arc[i], grain * grains)) {
            ahead = here->normal[i];
            most = into;
        }
    }
    return ahead;
}

static bool leads_out(const bs_contact_set *here, const double v[DIM], double grains) {
    return side_ahead(here, v, grains) == NULL;
}

#if DIM == 3
/* Keeps the part of v along the crease of two sides. */
static void go_along(double v[DIM], const double a[DIM], const double b[DIM]) {
    double crease[DIM] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                          a[0] * b[1] - a[1] * b[0]};
    double square = bs_dot(crease, crease);
    double along = square > 0 ? bs_dot(v, crease) / square : 0;
    for (int k = 0; k < DIM; k++) {
        v[k] = along * crease[k];
    }
}

/* False if no crease leads out. */
static bool lead_along_crease(const bs_contact_set *here, bs_course *c) {
    for (int i = here->sides; i-- > 1;) {
        for (int j = i; j-- > 0;) {
            bs_course along = here->before;
            go_along(along.motion, here->normal[i], here->normal[j]);
            go_along(along.remaining, here->normal[i], here->normal[j]);
            go_along(along.velocity, here->normal[i], here->normal[j]);
            if (leads_out(here, along.motion, 1)) {
                *c = along;
                return true;
            }
        }
    }
    return false;
}
#endif

/* Keeps the part of v along two opposite sides. */
static void go_between(double v[DIM], const double a[DIM], const double b[DIM]) {
    double across[DIM];
    bs_minus(a, b, across);
    double along = bs_dot(v, across) / bs_dot(across, across);
    for (int k = 0; k < DIM; k++) {
        v[k] -= along * across[k];
    }
}

/*
 * Between two sides that are almost parallel, of which one is round: in the middle between both,
 * or along the other one, if that is flat. False if that leads into one. Sides that are met a
 * little apart, and still at one place, leave as much room.
 */
static bool lead_between(const bs_contact_set *here, bs_course *c) {
    for (int i = here->sides; i-- > 0;) {
        for (int j = here->sides; j-- > 0;) {
            const double *a = here->normal[i];
            const double *b = here->normal[j];
            if (here->arc[i] == 0 || !(bs_dot(a, b) < 0)) {
                continue;
            }
            *c = here->before;
            if (here->arc[j] > 0) {
                go_between(c->motion, a, b);
                go_between(c->remaining, a, b);
                go_between(c->velocity, a, b);
            } else {
                slide_course(c, a);
                slide_course(c, b);
            }
            if (leads_out(here, c->motion, BS_HERE / BS_GRAZING)) {
                return true;
            }
        }
    }
    return false;
}

/* The rest of the course on which the box came here, so that it leads into none of the sides. */
static bs_course lead_out(const bs_contact_set *here) {
    bs_course c = here->before;
    if (here->sides > BS_MOST_SIDES) {
        return (bs_course){{0}, {0}, {0}};
    }
    if (leads_out(here, c.motion, 1)) {
        return c;
    }
    for (int i = here->sides; i-- > 0;) {
        c = here->before;
        if (bs_dot(c.motion, here->normal[i]) < 0) {
            slide_course(&c, here->normal[i]);
            if (leads_out(here, c.motion, 1)) {
                return c;
            }
        }
    }
#if DIM == 3
    if (lead_along_crease(here, &c)) {
        return c;
    }
#endif
    return lead_between(here, &c) ? c : (bs_course){{0}, {0}, {0}};
}

/*
 * The way on along the sides of this place; it never leads against the aim. In a blunt corner, what
 * the first side has left of the aim may lead back along the second one. Then the way begins anew
 * from the aim: along the second side it leads into the first, which is met here, too, and both
 * together end it.
 */
static bs_course slide_out(bs_move *m) {
    bs_course c = lead_out(&m->contacts);
    if (bs_dot(c.motion, m->aim.motion) < 0) {
        m->contacts.before = course_from_now(m, &m->aim);
        c = lead_out(&m->contacts);
    }
    return c;
}

/* --- responses ------------------------------------------------------------------------------ */

/* Takes only the step around the corner; then the box goes on as before. */
static void follow_arc(bs_move *m, const bs_course *c) {
    double length = bs_length(c->remaining);
    double step = m->contacts.bend / ARC_STEPS;
    double end = m->now + bs_max((1 - m->now) * (step / length), LEAST_STEP);
    if (length > step && end < 1) {
        m->arc_end = end;
        m->wish = m->contacts.before;
    }
}

/*
 * Off the side, and then off all sides of the same place that this leads into: between a wall and a
 * peg a ball is reflected several times, and keeps its speed. False if it does not come out, as
 * between two parallel sides.
 */
static bool reflect_out(const bs_move *m, bs_course *c, const double normal[DIM]) {
    if (m->contacts.sides > BS_MOST_SIDES) {
        return false;
    }
    for (int i = 0; normal != NULL && i < BS_MOST_BOUNCES; i++) {
        reflect_course(m, c, normal);
        normal = side_ahead(&m->contacts, c->motion, 1);
    }
    return normal == NULL;
}

/* The last bounce of a way leaves the velocity as all others do. */
static bs_course bounce(bs_move *m, const bs_course *before, const double normal[DIM]) {
    bs_course c = *before;
    if (!reflect_out(m, &c, normal)) {
        c = lead_out(&m->contacts);
    }
    m->contacts.before = c;
    m->aim = c;
    if (++m->bounces == BS_MOST_BOUNCES) {
        memset(c.motion, 0, sizeof c.motion);
        memset(c.remaining, 0, sizeof c.remaining);
        m->is_stuck = true;
    }
    return c;
}

/* Among boxes each side closes its own axis, also for what is met here later. */
static void stop_axes(bs_move *m, const bs_rect *r, const double normal[DIM]) {
    bs_course *before = &m->contacts.before;
    for (int k = 0; k < DIM; k++) {
        if (normal[k] != 0) {
            stop_axis(&m->track[k], r->pos[k], m->now);
            m->velocity[k] = 0;
            before->motion[k] = before->remaining[k] = before->velocity[k] = 0;
        }
    }
}

/* --- friction ------------------------------------------------------------------------------- */

static double friction_with(const bs_move *m, uint32_t box) {
    const bs_conduct *conduct = m->w->conduct;
    return m->in_step ? bs_max(conduct[m->self].friction, conduct[box].friction) : 0;
}

/* The most that friction changes the velocity along a side. What touches takes that of a belt. */
static double most_rub(const bs_move *m, bs_response response, double friction,
                       const double normal[DIM]) {
    if (response == BS_TOUCH) {
        return m->in_step ? HUGE_VAL : 0;
    }
    double closing = bs_max(-bs_dot(m->velocity, normal), 0);
    return friction * closing * (response == BS_BOUNCE ? 1 + m->bounce : 1);
}

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

/* Friction against an obstacle that was met at this speed. */
static void rub_against(bs_move *m, bs_course *c, const double normal[DIM], const bs_obstacle *o,
                        double most) {
    const double *velocity = m->w->motion[o->box].velocity;
    double off = bs_dot(velocity, normal);
    double belt[DIM];
    bs_course before = *c;
    for (int k = 0; k < DIM; k++) {
        belt[k] = velocity[k] - off * normal[k];
    }
    bs_rub(c->velocity, belt, normal, most);
    for (int k = 0; k < DIM; k++) {
        if (c->velocity[k] != before.velocity[k]) {
            double change = c->velocity[k] - before.velocity[k];
            if (m->is_stuck) { /* It goes no farther. */
                continue;
            }
            c->motion[k] = c->velocity[k] * m->dt;
            c->remaining[k] = c->motion[k] * (1 - m->now);
            m->contacts.before.velocity[k] += change;
            m->contacts.before.motion[k] += change * m->dt;
            m->contacts.before.remaining[k] += change * m->dt * (1 - m->now);
        }
    }
}

/* Whether the course is faster than the way before, on an axis: others must be looked for then. */
static bool gains_speed(const bs_move *m, const bs_course *c) {
    bool gains = false;
    for (int k = 0; k < DIM; k++) {
        gains = gains || fabs(c->motion[k]) > fabs(m->track[k].speed) * (1 + BS_AROUND);
    }
    return gains;
}

void bs_way_respond(bs_move *m, bs_response response, const bs_rect *r, const double normal[DIM],
                    const bs_obstacle *o) {
    double friction = friction_with(m, o->box);
    double most = most_rub(m, response, friction, normal);
    if (response == BS_SLIDE && m->plain && friction == 0) {
        stop_axes(m, r, normal);
        return;
    }
    bs_course c = m->arc_end < HUGE_VAL ? course_from_now(m, &m->wish) : course_from(m, r);
    note_side(m, r, &c, normal, o);
    m->arc_end = HUGE_VAL;
    if (response == BS_TOUCH) {
        c = (bs_course){{0}, {0}, {0}};
    } else if (response == BS_BOUNCE) {
        c = bounce(m, &c, normal);
    } else {
        c = slide_out(m);
    }
    if (response == BS_SLIDE && m->contacts.bend > 0 && !m->in_step) {
        follow_arc(m, &c);
    }
    if (most > 0) {
        rub_against(m, &c, normal, o, most);
    }
    m->ends_here = m->in_step && (most > 0 || m->bounce > 1) && gains_speed(m, &c);
    set_course(m, r, &c);
}

void bs_way_nudge(bs_move *m, const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        bs_track *track = &m->track[k];
        double by = r->pos[k] - bs_track_at(track, m->now);
        if (by != 0) {
            double end = m->now < 1 && track->speed != 0 ? track->end + by : r->pos[k];
            *track = (bs_track){r->pos[k], m->now, track->speed, end};
        }
    }
}

bool bs_way_go_on(bs_move *m) {
    m->now = m->stretch_end;
    if (m->arc_end < HUGE_VAL && m->now >= m->arc_end) {
        bs_rect r = bs_way_at(m, m->now);
        bs_course c = course_from_now(m, &m->wish);
        m->arc_end = HUGE_VAL;
        set_course(m, &r, &c);
    }
    return m->now < 1;
}
