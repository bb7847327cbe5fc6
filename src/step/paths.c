/*
 * paths.c: the path of each body in a step, and what it meets on it. It relies on bs_move for the
 * paths of bodies among static boxes.
 */
#include "step.h"

#include <string.h>

static const double still[DIM] = {0};

/* --- places --------------------------------------------------------------------------------- */

bs_rect bs_path_place(const bs_body *b, double t) {
    bs_rect r = b->start;
    for (int k = 0; k < DIM; k++) {
        double part = (t - b->since) / (b->until - b->since);
        r.pos[k] = t >= b->until   ? b->end[k]
                   : t <= b->since ? b->from[k]
                                   : b->from[k] + (b->end[k] - b->from[k]) * part;
    }
    return r;
}

bs_rect bs_path_end(const bs_body *b) {
    bs_rect r = b->start;
    memcpy(r.pos, b->end, sizeof r.pos);
    return r;
}

const double *bs_body_velocity(const bs_body *b) {
    return b->is_stuck ? still : b->course;
}

/*
 * Around all from lo to hi, and what rounding brings together. With room, later paths are mostly
 * within it, too: what forces add, and for what presses what is beside it.
 */
static bs_rect around(const bs_bodies *s, const bs_body *b, const double lo[DIM],
                      const double hi[DIM], bool room) {
    bs_rect r = b->start;
    for (int k = 0; k < DIM; k++) {
        double pad = (fabs(lo[k]) + fabs(hi[k]) + r.size[k]) * BS_AROUND;
        if (room) {
            pad += (lo[k] < hi[k] ? fabs(b->fall[k] * s->dt) : 0) +
                   (b->was_pressed ? r.size[k] * BS_AT_HAND : 0);
        }
        r.pos[k] = lo[k] - pad;
        r.size[k] = hi[k] - lo[k] + b->start.size[k] + 2 * pad;
    }
    return r;
}

bs_rect bs_path_around(const bs_bodies *s, const bs_body *b, bool room) {
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        lo[k] = bs_min(b->from[k], b->end[k]);
        hi[k] = bs_max(b->from[k], b->end[k]);
    }
    return around(s, b, lo, hi, room);
}

bs_rect bs_way_around(const bs_bodies *s, const bs_body *b) {
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        double end = b->has_path ? b->end[k] : b->start.pos[k] + b->velocity[k] * s->dt;
        lo[k] = bs_min(b->start.pos[k], end);
        hi[k] = bs_max(b->start.pos[k], end);
    }
    return around(s, b, lo, hi, true);
}

/* --- hits ----------------------------------------------------------------------------------- */

bool bs_have_met(const bs_bodies *s, uint32_t box, uint32_t other) {
    return s->told.size > 0 && *bs_table_value(&s->told, bs_key_of_two(box, other)) != 0;
}

bool bs_body_tell(bs_bodies *s, const bs_step_hit *hit) {
    if (!bs_table_reserve(&s->w->heap, &s->told, s->hit.n + 1)) {
        return false;
    }
    uint64_t key = bs_key_of_two(bs_id_index(hit->box), bs_id_index(hit->other));
    uint64_t *met = bs_table_value(&s->told, key);
    bool again = *met != 0;
    *met = 1;
    return again || BS_APPEND(&s->w->heap, &s->hit, *hit);
}

/* What a move has met. */
static bool add_aheads(bs_bodies *s, bs_body *b, const bs_move *m) {
    double mass = s->w->conduct[b->box].mass;
    bool done = true;
    for (size_t i = 0; done && i < m->met.n; i++) {
        const bs_collision *c = &m->met.at[i];
        bs_step_hit hit = {bs_world_id(s->w, b->box), c->id, c->response, .speed = c->speed};
        hit.t = i < m->settled ? b->since : bs_time_in_step(m, c->t);
        bool gives = c->response != BS_CROSS && c->speed > 0; /* 0 times infinity is no number. */
        hit.impulse = gives ? (1 + c->bounce) * c->speed * mass : 0;
        memcpy(hit.normal, c->normal, sizeof hit.normal);
        bs_rect there = b->start;
        memcpy(there.pos, c->place, sizeof there.pos);
        bs_contact_place_at(s->w, b->box, &there, c->box, &s->w->rect[c->box], hit.normal,
                            hit.place);
        done = BS_APPEND(&s->w->heap, &s->ahead, hit);
    }
    b->aheads = (uint32_t)m->met.n;
    return done;
}

bool bs_path_pass(bs_bodies *s, bs_body *b, double t) {
    for (uint32_t i = 0; i < b->aheads; i++) {
        bs_step_hit hit = s->ahead.at[b->ahead + i];
        if (hit.t > t) {
            continue;
        }
        s->ahead.at[b->ahead + i].t = HUGE_VAL;
        if (hit.response != BS_CROSS && hit.response != BS_BOUNCE) {
            bs_body_stand(b, hit.normal, still);
        }
        if (!bs_body_tell(s, &hit)) {
            return false;
        }
    }
    return true;
}

/* --- footings ------------------------------------------------------------------------------- */

void bs_body_stand(bs_body *b, const double normal[DIM], const double velocity[DIM]) {
    uint8_t n = 0;
    for (uint8_t i = 0; i < b->footings; i++) { /* The oldest goes where there are too many. */
        bool again = bs_dot(b->footing[i].normal, normal) > 1 - BS_SAME_WAY;
        bool oldest = i == 0 && b->footings == BS_MOST_SIDES;
        b->footing[n] = b->footing[i];
        n = (uint8_t)(n + (!again && !oldest));
    }
    memcpy(b->footing[n].normal, normal, sizeof b->footing[n].normal);
    memcpy(b->footing[n].velocity, velocity, sizeof b->footing[n].velocity);
    b->footings = (uint8_t)(n + 1);
}

/* --- making paths --------------------------------------------------------------------------- */

/* It stays at r, from t on. */
static void stay(bs_body *b, const bs_rect *r, double t, const double velocity[DIM]) {
    b->since = t;
    b->until = bs_max(t, 1);
    memcpy(b->from, r->pos, sizeof b->from);
    memcpy(b->end, r->pos, sizeof b->end);
    memcpy(b->course, velocity, sizeof b->course);
}

/* Goes among what is static until it turns there, or until the end of the step. */
static bool follow(bs_bodies *s, bs_body *b, const bs_stride *stride) {
    bs_move *m = bs_move_run_stride(s->w, b->box, stride);
    if (m == NULL) {
        return false;
    }
    bs_rect r = bs_move_rect(m);
    memcpy(b->end, r.pos, sizeof b->end);
    bs_rect goal = bs_way_at(m, 1);
    memcpy(b->goal, goal.pos, sizeof b->goal);
    memcpy(b->aim, m->aim.velocity, sizeof b->aim);
    memcpy(b->turned, m->velocity, sizeof b->turned);
    memcpy(b->course, m->turns ? m->before : m->velocity, sizeof b->course);
    b->turns = m->turns;
    b->until = m->turns ? bs_time_in_step(m, m->now) : 1;
    b->walls = (uint16_t)(b->walls + m->turns + m->bounces * BS_BOUNCE_COUNTS);
    b->sticks = m->is_stuck || b->walls >= BS_MOST_TURNS;
    bool done = add_aheads(s, b, m);
    bs_move_end(m);
    return done;
}

/* Whether nothing static is around. If memory is refused, it is as if something were. */
static bool is_empty(bs_bodies *s, const bs_rect *r) {
    return bs_rect_is_query(r) && bs_find_of_part(s, BS_STATIC, r, false, &s->around) &&
           s->around.n == 0;
}

/*
 * Whether nothing static is near a path. That is asked once for all paths that are within what the
 * back end knows of the body.
 */
static bool is_clear(bs_bodies *s, bs_body *b, const bs_rect *from, const bs_rect *to) {
    const bs_rect *shown = &s->w->rect[b->box];
    if (!b->is_examined) {
        b->is_examined = true;
        b->is_clear = is_empty(s, shown);
    }
    bool within = b->is_clear;
    for (int k = 0; k < DIM; k++) {
        within = within && bs_min(from->pos[k], to->pos[k]) > shown->pos[k] &&
                 bs_max(bs_far(from, k), bs_far(to, k)) < bs_far(shown, k);
    }
    return within;
}

/* Whether a way at one velocity ends elsewhere than one at the other, by more than rounding. */
static bool strays(const bs_bodies *s, const bs_body *b, const double velocity[DIM],
                   const double before[DIM], double t) {
    double rounding = bs_largest_coordinate(&b->start, &b->place) * BS_HERE;
    bool apart = false;
    for (int k = 0; k < DIM; k++) {
        double off = (velocity[k] - before[k]) * s->dt * (1 - t);
        apart = apart || !(fabs(off) <= rounding);
    }
    return apart;
}

void bs_body_stray(bs_bodies *s, bs_body *b) {
    b->is_straight = false;
    b->group = BS_NOBODY;
    bs_landing_break(s, b);
}

/* A path from r on, at that velocity, to the goal of the body, if it meets nothing. */
static bool go(bs_bodies *s, bs_body *b, const bs_rect *r, double t, const double velocity[DIM]) {
    bs_rect to = *r;
    memcpy(to.pos, b->goal, sizeof to.pos);
    b->stamp++;
    b->ahead = (uint32_t)s->ahead.n;
    b->aheads = 0;
    b->has_path = true;
    b->turns = b->is_stuck = false;
    stay(b, r, t, velocity);
    if (memcmp(r->pos, to.pos, sizeof to.pos) == 0) {
        return true;
    }
    if (!b->responds || is_clear(s, b, r, &to)) {
        memcpy(b->end, to.pos, sizeof b->end);
        return true;
    }
    bs_stride stride = {.start = *r, .from = t, .dt = s->dt};
    memcpy(stride.goal, b->goal, sizeof stride.goal);
    memcpy(stride.velocity, velocity, sizeof stride.velocity);
    memcpy(stride.aim, b->aim, sizeof stride.aim);
    memcpy(stride.fall, b->fall, sizeof stride.fall);
    if (!follow(s, b, &stride)) {
        return false;
    }
    if (strays(s, b, b->course, velocity, t)) {
        bs_body_stray(s, b);
    }
    return true;
}

bool bs_path_make(bs_bodies *s, bs_body *b, const bs_rect *r, double t,
                  const double velocity[DIM]) {
    bs_rect to;
    bool goes = t < 1 && bs_advance(r, velocity, s->dt * (1 - t), &to);
    memcpy(b->goal, goes ? to.pos : r->pos, sizeof b->goal);
    memcpy(b->aim, velocity, sizeof b->aim);
    return go(s, b, r, t, velocity);
}

bool bs_path_turn(bs_bodies *s, uint32_t body) {
    bs_body *b = &s->body.at[body];
    bs_rect r = bs_path_end(b);
    double t = b->until;
    bool sticks = b->sticks;
    double velocity[DIM];
    memcpy(velocity, b->turned, sizeof velocity);
    if (sticks || strays(s, b, velocity, b->course, t)) {
        bs_body_stray(s, b);
    }
    if (!bs_path_pass(s, b, t)) {
        return false;
    }
    if (sticks) {
        memcpy(b->goal, r.pos, sizeof b->goal);
    }
    bool done = go(s, b, &r, t, velocity);
    b->is_stuck = sticks;
    return done;
}
