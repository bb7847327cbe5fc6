#include "move_oracle.h"

#include <math.h>
#include <string.h>

#include "bytes.h"

enum { MOST_BOUNCES = 16 };

/* --- rules ---------------------------------------------------------------------------------- */

bs_response answer_of(uint64_t seed, bs_id other) {
    uint64_t state = seed ^ other;
    return (bs_response)(mix(&state) % BS_RESPONSES);
}

static bool has_layer(uint64_t mask, const oracle_box *box) {
    return mask == BS_ANY_LAYER || (mask & box->layers.layer) != 0;
}

static bool layers_meet(const oracle_box *a, const oracle_box *b) {
    return (a->layers.mask & b->layers.layer) != 0 && (b->layers.mask & a->layers.layer) != 0;
}

bool oracle_is_sensed(const oracle_box *a, const oracle_box *b) {
    return a->conduct.sensor || b->conduct.sensor;
}

bs_response oracle_response(const bs_rules *rules, const oracle_box *self,
                            const oracle_box *other) {
    static const bs_response in_order[] = {BS_TOUCH, BS_BOUNCE, BS_PUSH, BS_SLIDE, BS_CROSS};
    if (self == other || other->index == rules->ignore) {
        return BS_PASS;
    }
    if (rules->pairs && !layers_meet(self, other)) {
        return BS_PASS;
    }
    if (rules->ask) {
        return BS_UNKNOWN;
    }
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
        uint64_t mask = rules->mask[in_order[i]];
        if (mask == BS_PAIRS_ALONE ? layers_meet(self, other) : has_layer(mask, other)) {
            return oracle_is_sensed(self, other) ? BS_CROSS : in_order[i];
        }
    }
    return BS_PASS;
}

bs_response oracle_answer(const bs_rules *rules, const oracle_box *self, const oracle_box *other,
                          uint64_t answers) {
    bs_response response = oracle_response(rules, self, other);
    if (response == BS_UNKNOWN) {
        response = answer_of(answers, other->id);
        response = oracle_stops(response) && oracle_is_sensed(self, other) ? BS_CROSS : response;
    }
    return response;
}

bool oracle_is_one_way(const oracle_box *box) {
    for (int k = 0; k < DIM; k++) {
        if (box->conduct.one_way[k] != 0) {
            return true;
        }
    }
    return false;
}

bool oracle_stops(bs_response response) {
    return response == BS_TOUCH || response == BS_BOUNCE || response == BS_SLIDE ||
           response == BS_PUSH;
}

static bool may_stop(const bs_rules *rules, const oracle_box *self, const oracle_box *other) {
    bs_response response = oracle_response(rules, self, other);
    return !oracle_is_sensed(self, other) && (response == BS_UNKNOWN || oracle_stops(response));
}

/* --- places --------------------------------------------------------------------------------- */

static double far_side(const bs_rect *r, int k) {
    return r->pos[k] + r->size[k];
}

static bool beside(const bs_rect *a, const bs_rect *b, int k) {
    return a->pos[k] < far_side(b, k) && b->pos[k] < far_side(a, k);
}

/* Of the doubles around side - size the one whose far side is the nearest to it, not beyond. */
double oracle_flush(double size, const bs_rect *b, int k, int sign) {
    if (sign > 0) {
        return far_side(b, k);
    }
    double side = b->pos[k];
    double middle = side - size;
    double candidates[] = {middle, nextafter(middle, HUGE_VAL), nextafter(middle, -HUGE_VAL)};
    double best = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        double x = candidates[i];
        if (x + size <= side && (best == -HUGE_VAL || x + size > best + size)) {
            best = x;
        }
    }
    return best;
}

void oracle_touching(const oracle *o, const oracle_box *box, int axis, bool up,
                     const bs_rules *rules, oracle_list *out) {
    const bs_rect *r = &box->rect;
    int sign = up ? -1 : 1; /* of the face that it would rest against */
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        double flush = oracle_flush(r->size[axis], &b->rect, axis, sign);
        bool rests = up ? far_side(r, axis) <= b->rect.pos[axis] && r->pos[axis] >= flush
                        : r->pos[axis] == flush;
        for (int k = 0; k < DIM; k++) {
            rests = rests && (k == axis || beside(r, &b->rect, k));
        }
        bool is_there = !oracle_is_one_way(b) || b->conduct.one_way[axis] == sign;
        if (rests && is_there && may_stop(rules, box, b)) {
            out->at[out->n++] = b->index;
        }
    }
}

void oracle_blocking(const oracle *o, const oracle_box *box, const bs_rect *place,
                     const bs_rules *rules, oracle_list *out) {
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        if (oracle_overlap(place, &b->rect) && !oracle_is_one_way(b) && may_stop(rules, box, b)) {
            out->at[out->n++] = b->index;
        }
    }
}

/* --- a way ---------------------------------------------------------------------------------- */

/* One axis: from a place at a time, with a speed, to where it ends at time 1. */
typedef struct leg {
    double from, since, speed, end;
} leg;

/* A box that is met, and its face. */
typedef struct contact {
    size_t rank;
    double t;
    int axis, sign;
    bool corner;
} contact;

typedef struct mover {
    const oracle *o;
    const oracle_box *self;
    double size[DIM];
    const oracle_turns *step; /* or NULL */
    double fall[DIM];         /* the velocity that acceleration adds in it */
    double dt;
    leg leg[DIM];
    double now;   /* of the last change */
    bs_rect turn; /* where it was when it last turned round, or began */
    int bounces;
    int turned[DIM]; /* the normals of the faces where it has turned round in that place */
    bs_response response[MOST_BOXES]; /* by rank; BS_PASS: it need not be looked at any more */
    bool within[MOST_BOXES];          /* the box has been in it ever since it began */
} mover;

static bs_rect place_at(const mover *m, double t) {
    bs_rect r = m->self->rect;
    for (int k = 0; k < DIM; k++) {
        const leg *l = &m->leg[k];
        r.pos[k] = t < 1 && l->speed != 0 ? l->from + l->speed * (t - l->since) : l->end;
    }
    return r;
}

static void begin(mover *m, const oracle *o, const oracle_box *self, const double goal[DIM],
                  const bs_rules *rules) {
    m->o = o;
    m->self = self;
    m->now = 0;
    m->bounces = 0;
    m->turn = self->rect;
    memset(m->turned, 0, sizeof m->turned);
    for (int k = 0; k < DIM; k++) {
        double from = self->rect.pos[k];
        m->leg[k] = (leg){from, 0, goal[k] - from, goal[k]};
    }
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        m->response[i] = oracle_response(rules, self, b);
        m->within[i] = oracle_overlap(&self->rect, &b->rect);
        if (m->within[i] && oracle_is_one_way(b)) {
            m->response[i] = BS_PASS;
        }
    }
}

/* The open interval of time in which the two overlap on an axis; false: never. */
static bool times_on(const mover *m, const bs_rect *b, int k, double *enter, double *leave) {
    const leg *l = &m->leg[k];
    double near = b->pos[k] - (l->from + m->self->rect.size[k]);
    double beyond = far_side(b, k) - l->from;
    *enter = -HUGE_VAL;
    *leave = HUGE_VAL;
    if (l->speed > 0) {
        *enter = l->since + near / l->speed;
        *leave = l->since + beyond / l->speed;
    } else if (l->speed < 0) {
        *enter = l->since + beyond / l->speed;
        *leave = l->since + near / l->speed;
    }
    return l->speed != 0 || (near < 0 && beyond > 0);
}

/* When, from now on, the two overlap on all axes; `c`: where it is met then. */
static bool meets(const mover *m, const bs_rect *b, contact *c, double *entered) {
    double enter[DIM];
    double leave = 1;
    int entries = 0;
    *entered = -HUGE_VAL;
    for (int k = 0; k < DIM; k++) {
        double left;
        if (!times_on(m, b, k, &enter[k], &left)) {
            return false;
        }
        *entered = fmax(*entered, enter[k]);
        leave = fmin(leave, left);
    }
    for (int k = DIM - 1; k >= 0; k--) {
        if (enter[k] == *entered) {
            entries++;
            c->axis = k;
        }
    }
    c->t = fmax(*entered, m->now);
    c->sign = m->leg[c->axis].speed > 0 ? -1 : 1;
    c->corner = entries > 1;
    return c->t < leave;
}

/* One that it has been in since the start. */
static bool keeps_out(const mover *m, const oracle_box *b, bs_response response, contact *c) {
    double push[DIM] = {0};
    oracle_separation(&m->turn, &b->rect, push);
    bool deeper = false;
    for (int k = 0; k < DIM; k++) {
        if (push[k] != 0) {
            *c = (contact){(size_t)(b - m->o->box), m->now, k, push[k] > 0 ? 1 : -1, false};
            deeper = push[k] > 0 ? m->leg[k].speed < 0 : m->leg[k].speed > 0;
        }
    }
    return deeper || !oracle_stops(response);
}

/* By its place the box is beside another one, and does not go into it. */
static bool leaves(const mover *m, const bs_rect *b) {
    bs_rect here = place_at(m, m->now);
    for (int k = 0; k < DIM; k++) {
        bool ahead = b->pos[k] >= far_side(&here, k);
        bool behind = here.pos[k] >= far_side(b, k);
        if ((ahead && m->leg[k].speed <= 0) || (behind && m->leg[k].speed >= 0)) {
            return true;
        }
    }
    return false;
}

/*
 * *rounded is set if places and times do not agree. What a one-way box was entered through is no
 * face of it that counts: after that it is not there.
 */
static bool contact_with(const mover *m, size_t rank, contact *c, bool *rounded) {
    const oracle_box *b = &m->o->box[rank];
    if (m->within[rank]) {
        return keeps_out(m, b, m->response[rank], c);
    }
    double entered;
    c->rank = rank;
    if (!meets(m, &b->rect, c, &entered)) {
        bs_rect end = place_at(m, 1);
        *rounded = *rounded || oracle_overlap(&end, &b->rect);
        return false;
    }
    if (oracle_is_one_way(b)) {
        return entered >= m->now && b->conduct.one_way[c->axis] == c->sign;
    }
    *rounded = *rounded || (entered < m->now && !leaves(m, &b->rect));
    return entered >= m->now; /* else it would be in there since before now */
}

/* The first one; at the same time faces go before corners, then the box inserted first. */
static bool first_contact(const mover *m, contact *first, bool *rounded) {
    bool any = false;
    for (size_t i = 0; i < m->o->n; i++) {
        contact c = {.rank = i};
        if (m->response[i] == BS_PASS || !contact_with(m, i, &c, rounded)) {
            continue;
        }
        bool sooner = !any || c.t < first->t || (c.t == first->t && !c.corner && first->corner);
        if (sooner) {
            *first = c;
            any = true;
        }
    }
    return any;
}

/* Where the box is when it meets that face. */
static bs_rect place_of(const mover *m, const contact *c) {
    const leg *l = &m->leg[c->axis];
    bs_rect r = place_at(m, c->t);
    if (!m->within[c->rank]) {
        double flush = oracle_flush(r.size[c->axis], &m->o->box[c->rank].rect, c->axis, c->sign);
        double lo = fmin(l->from, l->end);
        double hi = fmax(l->from, l->end);
        r.pos[c->axis] = flush < lo ? lo : flush > hi ? hi : flush;
    }
    return r;
}

static void stop(mover *m, int k, const bs_rect *at) {
    m->leg[k] = (leg){at->pos[k], m->now, 0, at->pos[k]};
}

/* A velocity that leads into a face, turned round together with `more` of it. */
static double turned(double v, double more, int sign, double bounce) {
    return v * sign < 0 ? -bounce * (v * sign + more) * sign : v;
}

/*
 * In a step what is turned round is the velocity at the contact: acceleration has added to that of
 * the middle of the step, by which it goes, and takes away again up to the middle. What is slow
 * just turns round.
 */
static double gain_of(const mover *m, int k, int sign) {
    double fall = m->fall[k] * sign;
    bool is_fast = fabs(m->leg[k].speed) > 2 * fabs(fall * m->dt);
    return is_fast ? (2 * m->now - 1) * fall : 0;
}

/* Between two faces that are as far apart as it is wide it stops. Returns whether it turns. */
static bool turn_round(mover *m, int k, int sign, double gain, const bs_rect *at) {
    leg *l = &m->leg[k];
    bool elsewhere = false;
    for (int i = 0; i < DIM; i++) {
        elsewhere = elsewhere || at->pos[i] != m->turn.pos[i];
    }
    if (elsewhere) {
        memset(m->turned, 0, sizeof m->turned);
    }
    double bounce = m->self->conduct.bounce;
    double left = l->end - at->pos[k]; /* of its way on this axis */
    double speed = turned(l->speed, gain * m->dt, sign, bounce);
    bool jams = m->turned[k] == -sign && speed != 0;
    m->turned[k] = sign;
    m->bounces++;
    double end = at->pos[k] + turned(left, gain * m->dt * (1 - m->now), sign, bounce);
    *l = (leg){at->pos[k], m->now, speed, end};
    if (jams || speed == 0 || !isfinite(end + at->size[k])) {
        stop(m, k, at);
    }
    for (int i = 0; i < DIM && m->bounces == MOST_BOUNCES; i++) {
        stop(m, i, at);
    }
    m->turn = place_at(m, m->now);
    for (size_t i = 0; i < m->o->n; i++) {
        m->within[i] = m->within[i] && oracle_overlap(&m->turn, &m->o->box[i].rect);
    }
    return !jams;
}

/* A bounce that is no faster than two steps' fall makes it is a slide. Here nothing is pushed. */
static bs_response response_at(const mover *m, const contact *c) {
    bs_response response = m->response[c->rank];
    double speed = m->leg[c->axis].speed;
    double fall = 2 * m->fall[c->axis] * m->dt;
    bool falls = fabs(speed) <= fabs(fall) && (speed > 0 ? fall > 0 : speed < 0 && fall < 0);
    bool slides = response == BS_PUSH || (response == BS_BOUNCE && falls);
    return slides ? BS_SLIDE : response;
}

static void tell(const mover *m, const contact *c, const bs_rect *at, oracle_way *way) {
    const oracle_box *b = &m->o->box[c->rank];
    bs_collision *told = &way->met[way->n++];
    memset(told, 0, sizeof *told);
    told->id = b->id;
    told->box = b->index;
    told->response = response_at(m, c);
    told->overlap = m->within[c->rank];
    told->t = c->t;
    told->normal[c->axis] = c->sign;
    memcpy(told->place, at->pos, sizeof told->place);
}

/* Only a bounce meets a box again, but for rounding: a core tells it once. */
static bool is_told(const mover *m, const contact *c, const oracle_way *way) {
    bool told = false;
    for (size_t i = way->n; i-- > 0 && way->met[i].response != BS_BOUNCE;) {
        told = told || way->met[i].box == m->o->box[c->rank].index;
    }
    return told;
}

static void respond(mover *m, const contact *c, oracle_way *way) {
    bs_response response = response_at(m, c);
    bs_rect at = place_of(m, c);
    way->rounded = way->rounded || is_told(m, c, way);
    tell(m, c, &at, way);
    way->jams[way->n - 1] = false;
    if (response == BS_CROSS) {
        m->response[c->rank] = BS_PASS;
        return;
    }
    m->now = c->t;
    if (response == BS_BOUNCE) {
        double gain = gain_of(m, c->axis, c->sign);
        way->gain[way->n - 1] = gain;
        way->jams[way->n - 1] = !turn_round(m, c->axis, c->sign, gain, &at);
    }
    for (int k = 0; k < DIM; k++) {
        if (response == BS_TOUCH || (response == BS_SLIDE && k == c->axis)) {
            stop(m, k, &at);
        }
    }
}

/* The velocity of a box in a step, before it meets anything. */
static double velocity_in(const oracle *o, const oracle_box *b, double dt, int k) {
    return b->velocity[k] + oracle_acceleration(o, b, k) * dt;
}

/* What it runs into has yet to go in this step, and goes away from it. */
static bool must_wait(const mover *m, const contact *c) {
    const oracle_box *b = &m->o->box[c->rank];
    if (m->step == NULL || !m->step->due[c->rank] || m->leg[c->axis].speed * c->sign >= 0) {
        return false;
    }
    double goes = velocity_in(m->o, b, m->step->dt, c->axis) * m->step->dt;
    return c->sign > 0 ? goes < 0 : goes > 0;
}

void oracle_move(const oracle *o, const oracle_box *box, const double goal[DIM],
                 const bs_rules *rules, uint64_t answers, const oracle_turns *step,
                 oracle_way *way) {
    static mover m;
    contact c = {0};
    begin(&m, o, box, goal, rules);
    m.step = step;
    m.dt = step != NULL ? step->dt : 0;
    for (int k = 0; k < DIM; k++) {
        m.fall[k] = step != NULL ? oracle_acceleration(o, box, k) * step->dt : 0;
    }
    way->n = 0;
    way->asks = 0;
    way->rounded = false;
    way->waits_for = NULL;
    while (first_contact(&m, &c, &way->rounded) && !way->rounded && way->n < MOST_MET) {
        if (must_wait(&m, &c)) {
            way->waits_for = &o->box[c.rank];
            return;
        }
        if (m.response[c.rank] == BS_UNKNOWN) {
            way->asked[way->asks++] = o->box[c.rank].id;
            m.response[c.rank] = oracle_answer(rules, box, &o->box[c.rank], answers);
        } else {
            respond(&m, &c, way);
        }
    }
    way->end = place_at(&m, 1);
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Where it would be if nothing were in its way. False: it stays where it is. */
static bool advance(const oracle *o, const oracle_box *box, double dt, double velocity[DIM],
                    double goal[DIM]) {
    bs_rect rect = box->rect;
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        velocity[k] = velocity_in(o, box, dt, k);
        goal[k] = box->rect.pos[k] + velocity[k] * dt;
        if (goal[k] == box->rect.pos[k]) {
            goal[k] = box->rect.pos[k]; /* also its sign, if it is 0 */
        }
        rect.pos[k] = goal[k];
        finite = finite && isfinite(velocity[k]) && isfinite(goal[k] - box->rect.pos[k]);
    }
    return finite && oracle_is_rect(&rect, false);
}

/* What the i-th hit makes of the velocity. */
static void change_velocity(const oracle_box *box, const oracle_way *way, size_t i, double v[DIM]) {
    const bs_collision *c = &way->met[i];
    for (int k = 0; k < DIM; k++) {
        if (c->response == BS_TOUCH) {
            v[k] = 0;
        } else if (c->normal[k] != 0 && (c->response == BS_SLIDE || way->jams[i])) {
            v[k] = 0;
        } else if (c->response == BS_BOUNCE && c->normal[k] != 0) {
            v[k] = turned(v[k], way->gain[i], c->normal[k] > 0 ? 1 : -1, box->conduct.bounce);
        }
    }
}

static void note_hits(const oracle_box *box, const oracle_way *way, oracle_step_hits *hits) {
    for (size_t i = 0; i < way->n; i++) {
        const bs_collision *c = &way->met[i];
        bs_step_hit hit;
        memset(&hit, 0, sizeof hit);
        hit.box = box->id;
        hit.other = c->id;
        hit.response = c->response;
        hit.t = c->t;
        memcpy(hit.normal, c->normal, sizeof hit.normal);
        if (hits->n < MOST_STEP_HITS) {
            hits->at[hits->n] = hit;
        }
        hits->n++;
    }
}

static double largest_coordinate(const bs_rect *r) {
    double largest = 0;
    for (int k = 0; k < DIM; k++) {
        largest = fmax(largest, fmax(fabs(r->pos[k]), fabs(far_side(r, k))));
    }
    return largest;
}

/*
 * At the end of its way it meets one that has gone before. If that is as fast as itself, rounding
 * alone brings the two together, and it may stop there and keep its velocity.
 */
static bool meets_level(const oracle *o, const oracle_box *box, const oracle_turns *step,
                        const bs_collision *c, const double v[DIM]) {
    size_t rank = o->rank[c->box];
    const oracle_box *b = &o->box[rank];
    double length = 0;
    for (int k = 0; k < DIM; k++) {
        length = fmax(length, c->normal[k] != 0 ? fabs(v[k] * step->dt) : 0);
    }
    double largest = largest_coordinate(&box->rect) + largest_coordinate(&b->rect) + length;
    return !b->is_static && !step->due[rank] && (1 - c->t) * length <= 1e-12 * largest;
}

/* Moves a box, after those that it waits for. False: rounding leaves open what happens. */
static bool go(oracle *o, oracle_box *box, oracle_turns *step, oracle_step_hits *hits) {
    static oracle_way way;
    double v[DIM], goal[DIM];
    bs_rules rules = {.ignore = BS_NO_BOX, .pairs = true};
    rules.mask[box->conduct.response] = BS_ANY_LAYER;
    step->due[box - o->box] = false;
    if (!advance(o, box, step->dt, v, goal)) {
        return true;
    }
    for (;;) {
        oracle_move(o, box, goal, &rules, 0, step, &way);
        if (way.rounded) {
            return false;
        }
        if (way.waits_for == NULL) {
            break;
        }
        if (!go(o, &o->box[way.waits_for - o->box], step, hits)) {
            return false;
        }
    }
    for (size_t i = 0; i < way.n; i++) {
        if (meets_level(o, box, step, &way.met[i], v)) {
            return false;
        }
        change_velocity(box, &way, i, v);
    }
    note_hits(box, &way, hits);
    memcpy(box->velocity, v, sizeof v);
    box->rect = way.end;
    return true;
}

bool oracle_respond(oracle *o, double dt, oracle_step_hits *hits) {
    static oracle_turns step;
    hits->n = 0;
    step.dt = dt;
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        step.due[i] = !b->is_static && b->conduct.response != BS_PASS;
    }
    for (size_t i = 0; i < o->n; i++) {
        if (step.due[i] && !go(o, &o->box[i], &step, hits)) {
            return false;
        }
    }
    return true;
}
