/* move_oracle.c: checks moves that worlds report. It relies on oracle.h. */
#include "move_oracle.h"

#include <math.h>
#include <string.h>

#include "bytes.h"

enum { MOST_BOUNCES = 16, MOST_FACES = 6 };

/* The most that rounding may add up to, relative to the largest coordinate on an axis. */
static const double ROUNDING = 0x1p-42;

/* --- rules ---------------------------------------------------------------------------------- */

bs_response answer_of(uint64_t seed, bs_id other) {
    uint64_t state = seed ^ other;
    return (bs_response)(mix(&state) % BS_RESPONSES);
}

static bool has_layer(uint64_t mask, const oracle_box *box) {
    return mask == BS_ANY_LAYER || (mask & box->layers.layer) != 0;
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
    if (rules->ask != NULL) {
        return (bs_response)NOT_ASKED;
    }
    bs_response response = oracle_layers_meet(self, other) ? rules->to_pairs : BS_PASS;
    for (size_t i = sizeof in_order / sizeof *in_order; i-- > 0;) {
        response = has_layer(rules->mask[in_order[i]], other) ? in_order[i] : response;
    }
    return response != BS_PASS && oracle_is_sensed(self, other) ? BS_CROSS : response;
}

bs_response oracle_answer(const bs_rules *rules, const oracle_box *self, const oracle_box *other,
                          uint64_t answers) {
    bs_response response = oracle_response(rules, self, other);
    if (response == (bs_response)NOT_ASKED) {
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

bool oracle_layers_meet(const oracle_box *a, const oracle_box *b) {
    return (a->layers.mask & b->layers.layer) != 0 && (b->layers.mask & a->layers.layer) != 0;
}

static bool may_stop(const bs_rules *rules, const oracle_box *self, const oracle_box *other) {
    bs_response response = oracle_response(rules, self, other);
    return !oracle_is_sensed(self, other) &&
           (response == (bs_response)NOT_ASKED || oracle_stops(response));
}

/* --- places --------------------------------------------------------------------------------- */

static double far_side(const bs_rect *r, int k) {
    return r->pos[k] + r->size[k];
}

static bool beside(const bs_rect *a, const bs_rect *b, int k) {
    return a->pos[k] < far_side(b, k) && b->pos[k] < far_side(a, k);
}

/*
 * The place where something of that size is flush with a face of b, whose normal is `sign` along
 * axis k. Of the doubles around side - size, it is the one whose far side is the nearest to the
 * face, but not beyond it.
 */
static double flush_with(double size, const bs_rect *b, int k, int sign) {
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

/* Whether a box is flush against that face of another one, and that one is solid at the face. */
static bool rests_on(const oracle_box *box, const oracle_box *b, int axis, int sign) {
    const bs_rect *r = &box->rect;
    const bs_rect *low = sign < 0 ? r : &b->rect;
    const bs_rect *high = sign < 0 ? &b->rect : r;
    double side = far_side(low, axis);
    double near = (fabs(r->pos[axis]) + fabs(far_side(r, axis))) * 0x1p-50 + 0x1p-1060;
    bool found = sign < 0 || far_side(&b->rect, axis) > r->pos[axis] - near;
    bool rests =
        side == high->pos[axis] || (side < high->pos[axis] && found &&
                                    low->pos[axis] >= flush_with(low->size[axis], high, axis, -1));
    for (int k = 0; k < DIM; k++) {
        rests = rests && (k == axis || beside(r, &b->rect, k));
    }
    return rests && (!oracle_is_one_way(b) || b->conduct.one_way[axis] == sign);
}

void oracle_touching(const oracle *o, const oracle_box *box, int axis, bool up,
                     const bs_rules *rules, oracle_list *out) {
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        if (rests_on(box, b, axis, up ? -1 : 1) && may_stop(rules, box, b)) {
            out->at[out->n++] = b->index;
        }
    }
}

/*
 * Whether a box rests on another one. A huge box may be flush with its platform, to its last place,
 * and yet be far away; this does not count.
 */
static bool rides_on(const oracle *o, const oracle_box *box, const oracle_box *on) {
    bool rides = false;
    for (int k = 0; k < DIM; k++) {
        bool near = on->rect.pos[k] - far_side(&box->rect, k) < on->rect.size[k];
        bool pressed = o->gravity[k] != 0;
        rides = rides || (pressed && near && rests_on(box, on, k, o->gravity[k] > 0 ? -1 : 1));
    }
    return rides && !box->is_static && !oracle_is_sensed(box, on);
}

void oracle_riders(const oracle *o, const errand *e, bool rides[MOST_BOXES]) {
    bool more = true;
    memset(rides, 0, MOST_BOXES * sizeof *rides);
    while (more) {
        more = false;
        for (size_t i = 0; i < o->n; i++) {
            const oracle_box *box = &o->box[i];
            for (size_t j = 0; j < o->n && box != e->box && !rides[i]; j++) {
                const oracle_box *on = &o->box[j];
                bool solid = on == e->box
                                 ? oracle_stops(oracle_answer(&e->rules, on, box, e->answers))
                                 : rides[j] && oracle_layers_meet(on, box);
                rides[i] = solid && rides_on(o, box, on);
                more = more || rides[i];
            }
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

static double between(double a, double x, double b) {
    return fmax(fmin(a, b), fmin(x, fmax(a, b)));
}

/* --- a way ---------------------------------------------------------------------------------- */

/* How a box moves on from its last contact. Its speed is constant on each axis. */
typedef struct course {
    const oracle *o;
    const errand *e;
    const way *told;
    bs_rect at;
    double now, speed[DIM], end[DIM];
    double far[DIM]; /* the largest coordinate of the way */
    bs_rect turn;    /* where it last bounced, or began */
    int bounces;
} course;

static const bs_rect *rect_of(const course *c, size_t rank) {
    return &c->o->box[rank].rect;
}

static course course_of(const oracle *o, const errand *e, const way *told) {
    course c = {.o = o, .e = e, .told = told, .at = e->box->rect, .turn = e->box->rect};
    for (int k = 0; k < DIM; k++) {
        c.speed[k] = e->goal[k] - c.at.pos[k];
        c.end[k] = e->goal[k];
        c.far[k] = fmax(fabs(c.at.pos[k]), fabs(e->goal[k])) + c.at.size[k];
    }
    return c;
}

static double rounding(const course *c, const bs_rect *b, int k) {
    return (c->far[k] + fabs(b->pos[k]) + b->size[k]) * ROUNDING;
}

/* The rounding that is allowed. On an axis on which the box does not move, its place is exact. */
static double room(const course *c, const bs_rect *b, int k) {
    return c->speed[k] != 0 ? rounding(c, b, k) : 0;
}

static double place_at(const course *c, double t, int k) {
    return t < 1 && c->speed[k] != 0 ? c->at.pos[k] + c->speed[k] * (t - c->now) : c->end[k];
}

/* True if it is in b, by more than rounding, before time t. */
static bool goes_through(const course *c, const bs_rect *b, double t) {
    double enter = c->now;
    double leave = t;
    for (int k = 0; k < DIM; k++) {
        double near = b->pos[k] - far_side(&c->at, k) + room(c, b, k);
        double beyond = far_side(b, k) - c->at.pos[k] - room(c, b, k);
        bool up = c->speed[k] > 0;
        if (c->speed[k] == 0) {
            leave = near < 0 && beyond > 0 ? leave : -HUGE_VAL;
        } else {
            enter = fmax(enter, c->now + (up ? near : beyond) / c->speed[k]);
            leave = fmin(leave, c->now + (up ? beyond : near) / c->speed[k]);
        }
    }
    return enter < leave;
}

static bool is_usual(const bs_rect *r) {
    bool usual = true;
    for (int k = 0; k < DIM; k++) {
        usual = usual && fabs(r->pos[k]) < 1e12 && r->size[k] > 1e-6 && r->size[k] < 1e12;
    }
    return usual;
}

/* Sizes and ways must be as in games: other numbers leave too much to rounding. */
bool oracle_is_like_in_games(const oracle *o, const errand *e) {
    bs_rect end = e->box->rect;
    memcpy(end.pos, e->goal, sizeof end.pos);
    bool usual = is_usual(&e->box->rect) && is_usual(&end);
    double bounce = oracle_bounce(e->box);
    usual = usual && (bounce == 0 || bounce > 1e-3);
    for (int k = 0; k < DIM; k++) {
        double length = fabs(end.pos[k] - e->box->rect.pos[k]);
        usual = usual && (length == 0 || length > 1e-6);
    }
    for (size_t i = 0; i < o->n; i++) {
        bs_rect there = e->box->rect;
        memcpy(there.size, o->box[i].rect.size, sizeof there.size);
        usual = usual && is_usual(&there);
    }
    return usual;
}

/* Whether it has been inside that box since it began, through all of its bounces. */
static bool is_within(const course *c, size_t rank) {
    const bs_rect *start = &c->e->box->rect;
    const bs_rect *b = rect_of(c, rank);
    return oracle_overlap(start, b) && oracle_overlap(&c->turn, b);
}

static bs_response response_of(const course *c, size_t rank) {
    const oracle_box *b = &c->o->box[rank];
    const bs_rect *start = &c->e->box->rect;
    bool is_off = oracle_is_one_way(b) && oracle_overlap(start, &b->rect);
    return is_off ? BS_PASS : oracle_answer(&c->e->rules, c->e->box, b, c->e->answers);
}

/* The axis of the least push out of b if the way leads deeper into b, or -1. */
static int deeper_on(const course *c, const bs_rect *b, double normal[DIM]) {
    int axis = -1;
    oracle_separation(&c->turn, b, normal);
    for (int k = 0; k < DIM; k++) {
        normal[k] = normal[k] > 0 ? 1 : normal[k] < 0 ? -1 : 0;
        axis = normal[k] * c->speed[k] < 0 ? k : axis;
    }
    return axis;
}

static bool was_told(const way *told, size_t n, bs_id id) {
    bool was = false;
    for (size_t i = 0; i < n; i++) {
        was = was || told->met[i].id == id;
    }
    return was;
}

/* Checks the way up to time t, before the n-th row. Returns NULL, or what is wrong. */
static const char *check_leg(const course *c, size_t n, double t) {
    double normal[DIM];
    for (size_t i = 0; i < c->o->n && t > c->now; i++) {
        const oracle_box *b = &c->o->box[i];
        bs_response response = response_of(c, i);
        if (response == BS_PASS || (response == BS_CROSS && was_told(c->told, n, b->id))) {
            continue;
        }
        if (is_within(c, i)) {
            int k = deeper_on(c, &b->rect, normal);
            const double *to = n < c->told->n ? c->told->met[n].place : c->told->end.pos;
            bool deeper = k >= 0 && normal[k] * (to[k] - c->at.pos[k]) < 0;
            if (deeper || response == BS_CROSS) {
                return "is in a box, and goes deeper, or does not tell it";
            }
            continue;
        }
        bool open = oracle_overlap(&c->at, &b->rect) ||
                    oracle_is_one_way(b); /* a one-way box only counts from one side */
        if (!open && goes_through(c, &b->rect, t)) {
            return "goes through a box before it tells it";
        }
    }
    return NULL;
}

static int axis_of(const double normal[DIM]) {
    int axis = 0;
    while (axis < DIM - 1 && normal[axis] == 0) {
        axis++;
    }
    return axis;
}

/* Whether the box is hit there at that face. */
static bool is_met_at(const course *c, const bs_rect *b, const bs_collision *row) {
    int axis = axis_of(row->normal);
    double flush = flush_with(c->at.size[axis], b, axis, row->normal[axis] > 0 ? 1 : -1);
    bool put_in = row->t == c->now && oracle_overlap(&c->at, b); /* only rounding can do that */
    bool met = row->normal[axis] * c->speed[axis] < 0 || put_in;
    for (int k = 0; k < DIM; k++) {
        double at = place_at(c, row->t, k);
        double wanted = k == axis ? between(c->at.pos[k], flush, c->end[k]) : at;
        double place = row->place[k];
        double near = b->pos[k] - (place + c->at.size[k]);
        double beyond = far_side(b, k) - place;
        double off = put_in ? rounding(c, b, k) : room(c, b, k);
        bool around = near < off && beyond > -off;
        bool at_face = place == wanted || place == flush;
        met = met && (k == axis ? at_face : around) && fabs(place - at) <= off;
    }
    return met;
}

/* Whether a box that it is inside of keeps it from going deeper, or is crossed. */
static bool is_met_inside(const course *c, const bs_rect *b, const bs_collision *row) {
    double normal[DIM];
    bool deeper = oracle_overlap(&c->turn, b) && deeper_on(c, b, normal) >= 0;
    bool met = oracle_overlap(&c->e->box->rect, b) && oracle_overlap(&c->turn, b) &&
               row->t == c->now && (deeper || row->response == BS_CROSS);
    for (int k = 0; k < DIM; k++) {
        met = met && row->normal[k] == normal[k] && row->place[k] == c->at.pos[k];
    }
    return met;
}

static bool is_met(const course *c, const bs_rect *b, const bs_collision *row) {
    return row->overlap ? is_met_inside(c, b, row) : is_met_at(c, b, row);
}

/* --- responses ------------------------------------------------------------------------------ */

/* A velocity that leads into a face, after a bounce. */
static double turned(double v, int sign, double bounce) {
    return v * sign < 0 ? -bounce * v : v;
}

/* Nothing is pushed here. */
static bs_response response_at(const course *c, size_t rank) {
    bs_response response = response_of(c, rank);
    return response == BS_PUSH ? BS_SLIDE : response;
}

static bool is_same(const double a[DIM], const double b[DIM]) {
    bool same = true;
    for (int k = 0; k < DIM; k++) {
        same = same && a[k] == b[k]; /* the sign of a zero is not specified */
    }
    return same;
}

/* Whether both contacts are at the same place, up to rounding. */
static bool in_one_place(const course *c, const bs_collision *a, const bs_collision *b,
                         double share) {
    const bs_rect *other = &c->o->box[c->o->rank[b->box]].rect;
    double largest = 0;
    bool same = true;
    for (int k = 0; k < DIM; k++) {
        largest = fmax(largest, fmax(fabs(b->place[k]), fabs(b->place[k] + c->at.size[k])));
        largest = fmax(largest, fmax(fabs(other->pos[k]), fabs(other->pos[k] + other->size[k])));
    }
    for (int k = 0; k < DIM; k++) {
        same = same && fabs(a->place[k] - b->place[k]) <= largest * share;
    }
    return same;
}

/* True if it has bounced off the other side of a gap as wide as itself, up to such a share. */
static bool is_between(const course *c, size_t n, int k, double share) {
    const bs_collision *row = c->told->met;
    for (size_t i = n; i-- > 0 && in_one_place(c, &row[i], &row[n], share);) {
        if (row[i].response == BS_BOUNCE && row[i].normal[k] == -row[n].normal[k]) {
            return c->speed[k] * oracle_bounce(c->e->box) != 0;
        }
    }
    return false;
}

/* Whether it is stuck in such a gap. */
static bool jams(const course *c, size_t n, int k) {
    return is_between(c, n, k, 0);
}

/* If the gap is only a little wider, it may stay or go on bouncing. */
static bool may_jam(const course *c, size_t n) {
    const bs_collision *row = &c->told->met[n];
    int k = axis_of(row->normal);
    return row->response == BS_BOUNCE && is_between(c, n, k, 0x1p-48) && !jams(c, n, k);
}

static void stop(course *c, int k) {
    c->speed[k] = 0;
    c->end[k] = c->at.pos[k];
}

/* Applies the response of the n-th row to the course and to the velocity. */
static void respond(course *c, size_t n, double v[DIM]) {
    const bs_collision *row = &c->told->met[n];
    int axis = axis_of(row->normal);
    int sign = row->normal[axis] > 0 ? 1 : -1;
    double bounce = oracle_bounce(c->e->box);
    bool bounces = row->response == BS_BOUNCE && c->speed[axis] * sign < 0;
    c->now = row->t;
    memcpy(c->at.pos, row->place, sizeof row->place);
    if (row->response == BS_BOUNCE && !jams(c, n, axis)) {
        double left = c->end[axis] - c->at.pos[axis];
        c->speed[axis] = turned(c->speed[axis], sign, bounce);
        c->end[axis] = c->at.pos[axis] + turned(left, sign, bounce);
        v[axis] = turned(v[axis], sign, bounce);
        c->far[axis] = fmax(c->far[axis], fabs(c->end[axis]) + c->at.size[axis]);
    } else {
        v[axis] = 0;
        stop(c, axis);
    }
    c->turn = row->response == BS_BOUNCE ? c->at : c->turn;
    c->bounces += bounces; /* What rounding alone puts into a box meets it, and goes on. */
    for (int k = 0; k < DIM; k++) {
        bool is_rect = isfinite(c->end[k] + c->at.size[k]);
        if (row->response == BS_TOUCH || c->bounces == MOST_BOUNCES || !is_rect) {
            v[k] = row->response == BS_TOUCH ? 0 : v[k];
            stop(c, k);
        }
    }
}

/* --- rows ----------------------------------------------------------------------------------- */

/* Checks the n-th row. Returns NULL, or what is wrong. */
static const char *check_row(course *c, size_t n, bs_collision *row) {
    size_t rank = c->o->rank[row->box];
    const oracle_box *b = &c->o->box[rank];
    int axis = axis_of(row->normal);
    if (rank >= c->o->n || b->id != row->id) {
        return "meets no box";
    }
    if (row->response == BS_PASS || row->response != response_at(c, rank)) {
        return "responds in another way";
    }
    for (size_t i = n; i-- > 0 && c->told->met[i].response != BS_BOUNCE;) {
        if (c->told->met[i].id == row->id) {
            return "tells a box twice";
        }
    }
    bool is_there = is_met(c, &b->rect, row);
    bool has_face = !oracle_is_one_way(b) || b->conduct.one_way[axis] == row->normal[axis];
    return is_there && has_face ? NULL : "does not meet it there";
}

/* Whether it ends where its course leads to. After bounces this allows for rounding beside b. */
static bool ends_there(const course *c, const bs_rect *b) {
    bool turns = c->bounces > 0;
    bool there = true;
    for (int k = 0; k < DIM; k++) {
        double off = fabs(c->told->end.pos[k] - c->end[k]);
        there = there && (turns ? off <= rounding(c, b, k) : off == 0);
    }
    return there;
}

/*
 * Its end, which is rounded, may be in a box although no time says so. Then that box has stopped
 * it. So may one that it was in, if it has bounced back towards that.
 */
static const char *check_end(const course *c) {
    bs_rect end = c->at;
    bs_touch touch;
    bool there = ends_there(c, &c->at);
    memcpy(end.pos, c->end, sizeof end.pos);
    for (size_t i = 0; i < c->o->n && !there; i++) {
        const oracle_box *b = &c->o->box[i];
        bool grazes =
            oracle_overlap(&end, &b->rect) || oracle_sweep(&c->at, c->speed, &b->rect, &touch);
        bool counts = c->bounces > 0 || !is_within(c, i);
        there = oracle_stops(response_of(c, i)) && counts && grazes;
    }
    return there ? NULL : "ends elsewhere";
}

/*
 * True if the box and another one overlap, or are apart, by so little on an axis that the time to
 * cross it may be 0. Then it is open whether one enters the other on that axis.
 */
static bool shares_a_sliver(const course *c, const bs_rect *b) {
    bool sliver = false;
    for (int k = 0; k < DIM; k++) {
        double in = fmin(far_side(&c->at, k) - b->pos[k], far_side(b, k) - c->at.pos[k]);
        sliver = sliver || (in != 0 && fabs(in) < 0x1p-1000);
    }
    return sliver;
}

/* True if rounding has put it into the box that it hits: no time says when and where that is. */
static bool is_rounded(const course *c, const bs_collision *row) {
    size_t rank = c->o->rank[row->box];
    bool inside = oracle_overlap(&c->at, &c->o->box[rank].rect) && !is_within(c, rank);
    return row->t == 1 || (row->t == c->now && inside) || shares_a_sliver(c, &c->o->box[rank].rect);
}

const char *oracle_check_way(const oracle *o, const errand *e, way *told, double v[DIM]) {
    course c = course_of(o, e, told);
    const char *wrong = NULL;
    size_t here = 0;
    told->rounded = !oracle_is_like_in_games(o, e);
    if (told->rounded) {
        return NULL;
    }
    for (size_t n = 0; n < told->n && wrong == NULL && here <= MOST_FACES; n++) {
        bs_collision *row = &told->met[n];
        told->rounded = is_rounded(&c, row);
        if (told->rounded) {
            return NULL;
        }
        wrong = check_row(&c, n, row);
        wrong = wrong != NULL ? wrong : check_leg(&c, n, row->t);
        told->rounded = wrong == NULL && may_jam(&c, n);
        if (told->rounded) {
            return NULL;
        }
        if (wrong == NULL && row->response != BS_CROSS) {
            here = row->t > c.now ? 1 : here + 1;
            respond(&c, n, v);
        }
    }
    /* No way leads out of so many contacts in one place. */
    if (wrong != NULL || here > MOST_FACES) {
        return wrong;
    }
    wrong = check_end(&c);
    if (wrong != NULL || !is_same(c.end, told->end.pos)) { /* by rounding it ended earlier */
        return wrong;
    }
    return check_leg(&c, told->n, 1);
}

/* --- what is met first ---------------------------------------------------------------------- */

static bool is_same_row(const bs_collision *a, const bs_collision *b) {
    return a->id == b->id && a->box == b->box && a->response == b->response && a->t == b->t &&
           a->overlap == b->overlap && is_same(a->normal, b->normal) && is_same(a->place, b->place);
}

/*
 * After a slide, a box does not count any more if it could only be hit on the axis that is now
 * closed.
 */
static bool is_still_met(const course *c, const bs_rect *b) {
    bool met = true;
    for (int k = 0; k < DIM; k++) {
        met =
            met && (c->speed[k] == c->e->goal[k] - c->e->box->rect.pos[k] || beside(&c->at, b, k));
    }
    return met;
}

/*
 * Makes a row from the hit of a sweep. False if the box is not solid from that side, or does not
 * count any more.
 */
static bool is_row(const course *c, const bs_hit *hit, bs_collision *row) {
    const oracle_box *b = &c->o->box[c->o->rank[hit->box]];
    *row = (bs_collision){.id = b->id, .box = b->index, .t = hit->touch.t};
    memcpy(row->normal, hit->touch.normal, sizeof row->normal);
    row->overlap = oracle_overlap(&c->e->box->rect, &b->rect);
    for (int k = 0; k < DIM; k++) {
        row->place[k] = place_at(c, row->t, k);
    }
    if (row->overlap) {
        return !oracle_is_one_way(b);
    }
    int k = axis_of(row->normal);
    double flush = flush_with(c->at.size[k], &b->rect, k, row->normal[k] > 0 ? 1 : -1);
    row->place[k] = between(c->at.pos[k], flush, c->end[k]);
    bool has_face = !oracle_is_one_way(b) || b->conduct.one_way[k] == row->normal[k];
    return has_face && is_still_met(c, &b->rect);
}

/* True if only the rounding of a time has led it there: at time 0, or on a closed axis. */
static bool comes_by_rounding(const course *c, const bs_collision *row) {
    int k = axis_of(row->normal);
    bool apart = row->t == 0 && c->at.pos[k] != row->place[k];
    return !row->overlap && (c->speed[k] == 0 || apart);
}

/* Whether the host was asked about a box that is hit at that time, and that shares a sliver. */
static bool asks_about_sliver(const course *c, const oracle_hits *hits, double t, bs_id asked) {
    bool sliver = false;
    for (size_t i = 0; i < hits->n; i++) {
        const oracle_box *b = &c->o->box[c->o->rank[hits->at[i].box]];
        sliver =
            sliver || (b->id == asked && hits->at[i].touch.t == t && shares_a_sliver(c, &b->rect));
    }
    return sliver;
}

/*
 * Whether the order of two hits at one time is open: of `row`, and of the one that is told or asked
 * about in its place. After a slide it depends on whether one of the boxes is hit at a corner. If a
 * sliver decides that, the cast of the whole way and the way that goes on can differ.
 */
static bool order_is_open(const course *c, const oracle_hits *hits, const bs_collision *row,
                          size_t n, size_t asks) {
    const oracle *o = c->o;
    const way *told = c->told;
    bool of_told = n < told->n && told->met[n].t == row->t &&
                   (shares_a_sliver(c, &o->box[o->rank[row->box]].rect) ||
                    shares_a_sliver(c, &o->box[o->rank[told->met[n].box]].rect));
    bool of_asked = asks < told->asks && asks_about_sliver(c, hits, row->t, told->asked[asks]);
    return n > 0 && (of_told || of_asked);
}

/* Whether its end, which is rounded, is in a box that a sweep does not enter. */
static bool ends_in_more(const course *c) {
    bs_rect end = c->at;
    bs_touch touch;
    bool more = false;
    memcpy(end.pos, c->e->goal, sizeof end.pos);
    for (size_t i = 0; i < c->o->n; i++) {
        const bs_rect *b = &c->o->box[i].rect;
        more = more || (oracle_overlap(&end, b) && !oracle_sweep(&c->at, c->speed, b, &touch));
    }
    return more;
}

/*
 * Checks that the n-th row is this one, and counts the question about it in *asks, if there is one.
 * Sets its response to that of the rules or the host.
 */
static const char *check_hit(const course *c, bs_collision *row, size_t n, size_t *asks) {
    const way *told = c->told;
    size_t rank = c->o->rank[row->box];
    const oracle_box *b = &c->o->box[rank];
    bool leaves = row->overlap && deeper_on(c, &b->rect, row->normal) < 0;
    bs_response response = oracle_response(&c->e->rules, c->e->box, b);
    if (leaves && oracle_stops(response)) {
        return NULL;
    }
    if (response == (bs_response)NOT_ASKED) {
        if (*asks >= told->asks || told->asked[*asks] != row->id) {
            return "asks about another box";
        }
        ++*asks;
        response = response_of(c, rank);
    }
    row->response = response == BS_PUSH ? BS_SLIDE : response;
    if (row->response == BS_PASS || (leaves && oracle_stops(response))) {
        row->response = BS_PASS;
        return NULL;
    }
    return n < told->n && is_same_row(row, &told->met[n]) ? NULL : "meets another first, elsewhere";
}

const char *oracle_check_first(const oracle *o, const errand *e, const way *told) {
    static oracle_hits hits;
    course c = course_of(o, e, told);
    bool usual = oracle_is_like_in_games(o, e);
    double last = 1;
    size_t n = 0;
    size_t asks = 0;
    oracle_cast(o, &c.at, c.speed, &bs_filter_all, &hits);
    for (size_t i = 0; i < hits.n && hits.at[i].touch.t <= last; i++) {
        bs_collision row;
        if (!is_row(&c, &hits.at[i], &row)) {
            continue;
        }
        if (comes_by_rounding(&c, &row)) {
            return NULL;
        }
        const char *wrong = check_hit(&c, &row, n, &asks);
        if (wrong != NULL && order_is_open(&c, &hits, &row, n, asks)) {
            return NULL;
        }
        bool open = row.response == BS_SLIDE && !usual;
        if (wrong != NULL || row.response == BS_TOUCH || row.response == BS_BOUNCE || open) {
            return wrong;
        }
        n += row.response != BS_PASS;
        if (row.response == BS_SLIDE) { /* on other axes it may hit more boxes at that time */
            int k = axis_of(row.normal);
            last = row.t;
            c.at.pos[k] = row.place[k];
            stop(&c, k);
        }
    }
    bool all = n == told->n && asks == told->asks;
    return last < 1 || all || ends_in_more(&c) ? NULL : "meets or asks about more boxes";
}
