/*
 * response.c: what responses do to the velocities of two that meet: of a box and a wall, and of two
 * bodies. It relies on the courses of way.c and the normals of contact.c.
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

/* --- what two that meet have in common ------------------------------------------------------- */

static bs_turn turn_of(bs_response response) {
#define TURN(id, number, order, name, turn, ...) [number] = BS_##turn,
    static const bs_turn turns[BS_RESPONSES] = {BS_RESPONSE_ROWS(TURN)};
#undef TURN
    return turns[response];
}

/*
 * How much of the closing speed comes back at a contact: all of it, if a body bounces that was not
 * given another share; what it was given, for what is no body; nothing else.
 */
static double bounce_of(const bs_conduct *conduct) {
    bs_turn turn = turn_of(conduct->response);
    bool is_given = conduct->bounce >= 0 && turn != BS_SLIDES && turn != BS_ENDS;
    return is_given ? conduct->bounce : turn == BS_REFLECTS;
}

double bs_bounce_between(const bs_world *w, uint32_t a, uint32_t b) {
    return bs_max(bounce_of(&w->conduct[a]), bounce_of(&w->conduct[b]));
}

double bs_friction_between(const bs_world *w, uint32_t a, uint32_t b, bool b_moves) {
    const bs_conduct *x = &w->conduct[a];
    const bs_conduct *y = &w->conduct[b];
    bool sticks = turn_of(x->response) == BS_ENDS || (b_moves && turn_of(y->response) == BS_ENDS);
    return sticks ? HUGE_VAL : bs_max(x->friction, y->friction);
}

bs_response bs_response_told(const bs_world *w, uint32_t body, bool bounced) {
    bs_response response = w->conduct[body].response;
    return turn_of(response) == BS_REFLECTS && !bounced ? BS_SLIDE : response;
}

bs_response bs_response_in_step(bs_move *m, const bs_obstacle *o, const double normal[DIM]) {
    bs_response response = (bs_response)o->response;
    bs_turn turn = turn_of(response);
    double speed = 0;
    double fall = 0;
    m->bounce = bs_bounce_between(m->w, m->self, o->box);
    if (turn == BS_GOES_ON || turn == BS_ENDS) {
        return response;
    }
    for (int k = 0; k < DIM; k++) { /* A fall may be infinite. */
        speed -= normal[k] != 0 ? m->track[k].speed * normal[k] : 0;
        fall -= normal[k] != 0 ? 2 * m->fall[k] * m->dt * normal[k] : 0;
    }
    return m->bounce == 0 || bs_is_pressed(speed, fall) ? BS_SLIDE : BS_BOUNCE;
}

/* --- one side ------------------------------------------------------------------------------- */

/*
 * Removes what leads into a side. It does so twice: of a motion nearly straight into the side so
 * little is left that the rounding of the first time leads into it, too.
 */
static void slide(double v[DIM], const double normal[DIM]) {
    for (int i = 0; i < 2; i++) {
        bs_lead_out_of(v, normal);
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
static void reflect_course(const bs_move *m, bs_course *c, const double normal[DIM]) {
    double fall = m->in_step ? bs_dot(m->fall, normal) : 0;
    bool is_fast = fabs(bs_dot(c->motion, normal)) > 2 * fabs(fall * m->dt);
    double more = is_fast ? bs_gained_until(bs_time_in_step(m, m->now), 2 * fall) : 0;
    reflect(c->motion, normal, m->bounce, more * m->dt);
    reflect(c->remaining, normal, m->bounce, more * m->dt * (1 - m->now));
    reflect(c->velocity, normal, m->bounce, more);
}

/* --- all sides of a place ------------------------------------------------------------------- */

/* A place without sides, to which the box has come by a course. */
static void begin_place(bs_move *m, const bs_rect *r, const bs_course *c) {
    bs_contact_set *here = &m->contacts;
    memcpy(here->at, r->pos, sizeof here->at);
    here->before = *c;
    here->sides = 0;
    here->bend = here->near = here->coarsest = 0;
    if (m->now > here->since + BS_LEAST_TURN) { /* So it cannot go to and fro for ever. */
        m->nudges = 0;
        here->since = m->now;
    }
}

/* Adds a side to those of this place, and forgets those of other places. */
static void note_side(bs_move *m, const bs_rect *r, const bs_course *c, const double normal[DIM],
                      const bs_obstacle *o) {
    bs_contact_set *here = &m->contacts;
    double near = bs_largest_coordinate(r, &m->w->rect[o->box]) * (o->exact ? BS_EXACT : BS_HERE);
    here->near = bs_max(here->near, near);
    if (here->sides == 0 || bs_is_farther(r, here->at, here->near)) {
        begin_place(m, r, c);
        here->near = near;
    }
    here->coarsest = bs_max(here->coarsest, o->grain);
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
    bs_add(v, -(bs_dot(v, across) / bs_dot(across, across)), across);
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

/* A course at no more than that speed. */
static void slow_to(bs_course *c, double speed) {
    double before = bs_length(c->velocity);
    double part = before > speed ? speed / before : 1;
    for (int k = 0; k < DIM; k++) {
        c->motion[k] *= part;
        c->remaining[k] *= part;
        c->velocity[k] *= part;
    }
}

/*
 * The way on along the sides of this place; it never leads against the aim. In a blunt corner, what
 * the first side has left of the aim may lead back along the second one. Then the way begins anew
 * from the aim: along the second side it leads into the first, which is met here, too, and both
 * together end it. In a step that adds no speed.
 */
static bs_course slide_out(bs_move *m) {
    bs_course c = lead_out(&m->contacts);
    if (bs_dot(c.motion, m->aim.motion) < 0) {
        double speed = bs_length(m->contacts.before.velocity);
        m->contacts.before = bs_course_from_now(m, &m->aim);
        if (m->in_step) {
            slow_to(&m->contacts.before, speed);
        }
        c = lead_out(&m->contacts);
    }
    return c;
}

/* --- responses ------------------------------------------------------------------------------ */

/* Takes only the step around the corner; then the box goes on as before. */
static void follow_arc(bs_move *m, const bs_course *c) {
    double length = bs_length(c->remaining);
    double step = m->contacts.bend / ARC_STEPS;
    double end = m->now + bs_max((1 - m->now) * (step / length), BS_LEAST_TURN);
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
            bs_track_stop(&m->track[k], r->pos[k], m->now);
            m->velocity[k] = 0;
            before->motion[k] = before->remaining[k] = before->velocity[k] = 0;
        }
    }
}

/* --- friction ------------------------------------------------------------------------------- */

double bs_most_rub(double friction, double impulse) {
    return friction < HUGE_VAL ? friction * impulse : HUGE_VAL;
}

/*
 * Friction against a side: at most so much velocity along it. What is stopped has the velocity of
 * the side, to the last bit.
 */
static void rub_side(double velocity[DIM], const double of_side[DIM], const double normal[DIM],
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

void bs_rub(double va[DIM], double wa, double vb[DIM], double wb, const double normal[DIM],
            double most) {
    double along[DIM];
    assert(wa > 0 || wb > 0);
    if (wb == 0) {
        rub_side(va, vb, normal, most * wa);
        return;
    }
    if (wa == 0) {
        double back[DIM];
        bs_negate(normal, back);
        rub_side(vb, va, back, most * wb);
        return;
    }
    bs_minus(va, vb, along);
    bs_along_side(along, normal, along);
    double length = bs_direction(along, along);
    double impulse = bs_min(most, length / (wa + wb));
    if (length > 0) {
        bs_add(va, -(impulse * wa), along);
        bs_add(vb, impulse * wb, along);
    }
}

/* Whether slides have taken velocity where the box is, at r, too. */
static bool has_taken_here(const bs_move *m, const bs_rect *r) {
    return m->has_taken && !bs_is_apart(r, m->taken_at);
}

/* Notes what a slide in a step has taken of a velocity, at r. */
static void note_taken(bs_move *m, const bs_rect *r, const double before[DIM],
                       const double after[DIM]) {
    bool again = has_taken_here(m, r);
    for (int k = 0; m->in_step && k < DIM; k++) {
        m->taken[k] = (again ? m->taken[k] : 0) + before[k] - after[k];
    }
    memcpy(m->taken_at, r->pos, sizeof m->taken_at);
    m->has_taken = m->in_step;
}

/*
 * Friction against a side, where another one has taken velocity at the same place: it acts on what
 * there was before that, and the sides take the rest. So a belt does not draw a body off the wall
 * that it is pressed against, by forces that are greater.
 */
static void rub_before_others(const bs_move *m, double velocity[DIM], const double of_side[DIM],
                              const double normal[DIM], double most) {
    bs_contact_set here = m->contacts;
    bs_add(velocity, 1, m->taken);
    rub_side(velocity, of_side, normal, most);
    for (int k = 0; k < DIM; k++) { /* Among boxes each axis is closed by itself. */
        bool is_closed = m->plain && velocity[k] * m->taken[k] > 0;
        velocity[k] = is_closed ? 0 : velocity[k];
        here.before.velocity[k] = velocity[k];
        here.before.motion[k] = velocity[k] * m->dt;
        here.before.remaining[k] = here.before.motion[k] * (1 - m->now);
    }
    bs_course rest = lead_out(&here);
    memcpy(velocity, rest.velocity, sizeof rest.velocity);
}

/* Friction against an obstacle that was met at this speed. */
static void rub_against(bs_move *m, bs_course *c, const double normal[DIM], const bs_obstacle *o,
                        double most, bool others) {
    double belt[DIM];
    bs_course before = *c;
    bs_along_side(m->w->motion[o->box].velocity, normal, belt);
    if (others && most < HUGE_VAL) {
        rub_before_others(m, c->velocity, belt, normal, most);
    } else {
        rub_side(c->velocity, belt, normal, most);
    }
    for (int k = 0; k < DIM; k++) {
        if (c->velocity[k] != before.velocity[k]) {
            double change = c->velocity[k] - before.velocity[k];
            if (m->is_stuck) { /* It goes no farther. */
                continue;
            }
            c->motion[k] = c->velocity[k] * m->dt;
            c->remaining[k] = c->motion[k] * (1 - m->now);
            m->aim.velocity[k] += change;
            m->aim.motion[k] += change * m->dt;
            m->contacts.before.velocity[k] += change;
            m->contacts.before.motion[k] += change * m->dt;
            m->contacts.before.remaining[k] += change * m->dt * (1 - m->now);
        }
    }
}

/* Whether a course leads where the way before has not led, on an axis. */
static bool leads_elsewhere(const bs_move *m, const bs_course *c) {
    bool leads = false;
    for (int k = 0; k < DIM; k++) {
        double before = m->track[k].speed * (1 + BS_AROUND);
        leads = leads || c->motion[k] < bs_min(before, 0) || c->motion[k] > bs_max(before, 0);
    }
    return leads;
}

bool bs_way_respond(bs_move *m, bs_response response, const bs_rect *r, const double normal[DIM],
                    const bs_obstacle *o) {
    static const bs_course nowhere = {{0}, {0}, {0}};
    bs_turn turn = turn_of(response);
    double friction = m->in_step ? bs_friction_between(m->w, m->self, o->box, false) : 0;
    double closing = bs_max(-bs_dot(m->velocity, normal), 0);
    double most = bs_most_rub(friction, closing) * (turn == BS_REFLECTS ? 1 + m->bounce : 1);
    double before[DIM];
    memcpy(before, m->velocity, sizeof before);
    if (turn == BS_SLIDES && m->plain && friction == 0) {
        stop_axes(m, r, normal);
        note_taken(m, r, before, m->velocity);
        return false;
    }
    bs_course c = m->arc_end < HUGE_VAL ? bs_course_from_now(m, &m->wish) : bs_course_from(m, r);
    note_side(m, r, &c, normal, o);
    m->arc_end = HUGE_VAL;
    c = turn == BS_ENDS ? nowhere : turn == BS_REFLECTS ? bounce(m, &c, normal) : slide_out(m);
    if (turn == BS_SLIDES && m->contacts.bend > 0 && !m->in_step) {
        follow_arc(m, &c);
    }
    bool others = has_taken_here(m, r) && bs_length(m->taken) > 0;
    if (turn == BS_SLIDES) {
        note_taken(m, r, before, c.velocity);
    }
    if (most > 0 && m->contacts.sides <= BS_MOST_SIDES) {
        rub_against(m, &c, normal, o, most, others);
    }
    bool elsewhere = most > 0 && leads_elsewhere(m, &c);
    bs_way_take(m, r, &c);
    return elsewhere;
}
