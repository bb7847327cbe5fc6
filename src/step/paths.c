/*
 * paths.c: the path of each body in a step, and what it meets on it. It relies on bs_move for the
 * paths of bodies among static boxes.
 */
#include "step.h"

#include <string.h>

static const double still[DIM] = {0};

/* --- places --------------------------------------------------------------------------------- */

const bs_waypoint *bs_path_piece(const bs_bodies *s, const bs_body *b, double t) {
    const bs_waypoint *first = &s->path.at[b->piece];
    const bs_waypoint *piece = first + b->pieces - 1;
    while (piece->t > t && piece > first) {
        piece--;
    }
    return piece;
}

bs_waypoint *bs_path_last(const bs_bodies *s, const bs_body *b) {
    return &s->path.at[b->piece + b->pieces - 1];
}

const double *bs_piece_end(const bs_bodies *s, const bs_body *b, const bs_waypoint *piece,
                           double *until) {
    bool is_last = piece == bs_path_last(s, b);
    *until = is_last ? 1 : piece[1].t;
    return is_last ? b->end : piece[1].pos;
}

bs_rect bs_piece_place(const bs_bodies *s, const bs_body *b, const bs_waypoint *piece, double t) {
    bs_rect r = b->start;
    double until;
    const double *end = bs_piece_end(s, b, piece, &until);
    for (int k = 0; k < DIM; k++) {
        double from = piece->pos[k];
        r.pos[k] = t <= piece->t ? from
                   : t >= until  ? end[k]
                                 : from + (end[k] - from) * ((t - piece->t) / (until - piece->t));
    }
    return r;
}

bs_rect bs_path_place(const bs_bodies *s, const bs_body *b, double t) {
    return bs_piece_place(s, b, bs_path_piece(s, b, t), t);
}

bs_rect bs_path_end(const bs_body *b) {
    bs_rect r = b->start;
    memcpy(r.pos, b->end, sizeof r.pos);
    return r;
}

const double *bs_piece_velocity(const bs_bodies *s, const bs_body *b, const bs_waypoint *piece) {
    return b->is_stuck && piece == bs_path_last(s, b) ? still : piece->velocity;
}

const double *bs_body_velocity(const bs_bodies *s, uint32_t body, double t) {
    const bs_body *b = &s->body.at[body];
    return bs_piece_velocity(s, b, bs_path_piece(s, b, t));
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
        lo[k] = hi[k] = b->end[k];
        for (uint32_t i = 0; i < b->pieces; i++) {
            lo[k] = bs_min(s->path.at[b->piece + i].pos[k], lo[k]);
            hi[k] = bs_max(s->path.at[b->piece + i].pos[k], hi[k]);
        }
    }
    return around(s, b, lo, hi, room);
}

bs_rect bs_way_around(const bs_bodies *s, const bs_body *b) {
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        double end = b->pieces > 0 ? b->end[k] : b->start.pos[k] + b->velocity[k] * s->dt;
        lo[k] = bs_min(b->start.pos[k], end);
        hi[k] = bs_max(b->start.pos[k], end);
    }
    return around(s, b, lo, hi, true);
}

/* --- hits ----------------------------------------------------------------------------------- */

static bool add_hit(bs_bodies *s, bs_body_hits *list, const bs_step_hit *hit) {
    return BS_APPEND(&s->w->heap, list, (bs_body_hit){*hit, BS_NOBODY});
}

bool bs_have_met(const bs_bodies *s, uint32_t box, uint32_t other) {
    return s->told.size > 0 && *bs_table_value(&s->told, bs_key_of_two(box, other)) != 0;
}

bool bs_body_tell(bs_bodies *s, bs_body *b, const bs_step_hit *hit) {
    if (!bs_table_reserve(&s->w->heap, &s->told, s->hit.n + 1)) {
        return false;
    }
    uint64_t *met = bs_table_value(&s->told, bs_key_of_two(b->box, bs_id_index(hit->other)));
    uint32_t i = (uint32_t)s->hit.n;
    if (*met != 0) {
        return true;
    }
    if (!add_hit(s, &s->hit, hit)) {
        return false;
    }
    *met = 1;
    *(b->hit == BS_NOBODY ? &b->hit : &s->hit.at[b->last_hit].next) = i;
    b->last_hit = i;
    return true;
}

/* What a move has met, and where it has come to rest. */
static bool add_aheads_of_move(bs_bodies *s, bs_body *b, const bs_move *m) {
    double mass = s->w->conduct[b->box].mass;
    size_t before = s->ahead.n;
    bool done = true;
    for (size_t i = 0; done && i < m->met.n; i++) {
        const bs_collision *c = &m->met.at[i];
        bs_step_hit hit = {bs_world_id(s->w, b->box), c->id, c->response, .speed = c->speed};
        hit.t = bs_time_in_step(m, c->t);
        bool gives = c->response != BS_CROSS && c->speed > 0; /* 0 times infinity is no number. */
        hit.impulse = gives ? (1 + c->bounce) * c->speed * mass : 0;
        memcpy(hit.normal, c->normal, sizeof hit.normal);
        bs_rect there = b->start;
        memcpy(there.pos, c->place, sizeof there.pos);
        bs_contact_place_at(s->w, b->box, &there, c->box, &s->w->rect[c->box], hit.normal,
                            hit.place);
        done = add_hit(s, &s->ahead, &hit);
    }
    int first = m->supports > BS_MOST_SIDES ? m->supports - BS_MOST_SIDES : 0;
    for (int i = first; done && i < m->supports; i++) {
        const bs_rest_side *side = &m->support[i % BS_MOST_SIDES];
        bs_step_hit rest = {.t = bs_time_in_step(m, side->t)};
        memcpy(rest.normal, side->normal, sizeof rest.normal);
        done = add_hit(s, &s->ahead, &rest);
    }
    b->aheads += (uint32_t)(s->ahead.n - before);
    return done;
}

bool bs_path_pass(bs_bodies *s, bs_body *b, double t) {
    for (uint32_t i = 0; i < b->aheads; i++) {
        bs_step_hit hit = s->ahead.at[b->ahead + i].hit;
        if (hit.t > t) {
            continue;
        }
        s->ahead.at[b->ahead + i].hit.t = HUGE_VAL;
        if (hit.other == 0) {
            bs_body_stand(b, hit.normal, still);
        } else if (!bs_body_tell(s, b, &hit)) {
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

static bool add_waypoint(bs_bodies *s, bs_body *b, double t, const double pos[DIM],
                         const double velocity[DIM]) {
    bs_waypoint here = {.t = t};
    memcpy(here.pos, pos, sizeof here.pos);
    memcpy(here.velocity, velocity, sizeof here.velocity);
    b->pieces++;
    return BS_APPEND(&s->w->heap, &s->path, here);
}

/* A path that stays at r, with that velocity. */
static bool stay(bs_bodies *s, bs_body *b, const bs_rect *r, double t, const double velocity[DIM]) {
    memcpy(b->end, r->pos, sizeof b->end);
    return add_waypoint(s, b, t, r->pos, velocity);
}

/* Takes over what a move has found, until its end or where it ended early. */
static bool take_path(bs_bodies *s, bs_body *b, const bs_move *m) {
    for (size_t i = 0; i < m->path.n; i++) {
        const bs_waypoint *x = &m->path.at[i];
        double t = bs_time_in_step(m, x->t);
        if (m->ends_here && i + 1 == m->path.n) { /* The rest begins with it. */
            break;
        }
        if (!add_waypoint(s, b, t, x->pos, x->velocity)) {
            return false;
        }
    }
    bs_rect r = bs_move_rect(m);
    memcpy(b->end, r.pos, sizeof b->end);
    return add_aheads_of_move(s, b, m);
}

/*
 * Runs one move of a body. If it ended early, *stride is that of the rest, and *is_free says that
 * this begins in nothing new.
 */
static bool run(bs_bodies *s, bs_body *b, bs_stride *stride, bool *early, bool *is_free) {
    bs_move *m = bs_move_run_stride(s->w, b->box, stride);
    if (m == NULL) {
        return false;
    }
    bool done = take_path(s, b, m);
    *early = m->ends_here;
    b->is_stuck = m->is_stuck;
    if (done && *early) {
        const bs_waypoint *last = &m->path.at[m->path.n - 1];
        memcpy(stride->start.pos, last->pos, sizeof last->pos);
        memcpy(stride->velocity, last->velocity, sizeof last->velocity);
        stride->from = bs_time_in_step(m, m->now);
        *is_free = bs_obstacles_leave_free(m, &stride->start);
    }
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

/* Whether the path ends there, but for rounding. */
static bool is_at(const bs_body *b, const bs_rect *to) {
    double rounding = bs_largest_coordinate(&b->start, to) * BS_HERE;
    bool at = true;
    for (int k = 0; k < DIM; k++) {
        at = at && fabs(b->end[k] - to->pos[k]) <= rounding;
    }
    return at;
}

bool bs_path_make(bs_bodies *s, bs_body *b, const bs_rect *r, double t,
                  const double velocity[DIM]) {
    enum { MOST_RUNS = 16 }; /* Contacts that add speed. */
    bs_rect to;
    b->stamp++;
    b->piece = (uint32_t)s->path.n;
    b->pieces = 0;
    b->ahead = (uint32_t)s->ahead.n;
    b->aheads = 0;
    b->is_stuck = false;
    if (bs_is_still(velocity) || t >= 1 || !bs_advance(r, velocity, s->dt * (1 - t), &to)) {
        return stay(s, b, r, t, velocity);
    }
    if (!b->responds || is_clear(s, b, r, &to)) {
        memcpy(b->end, to.pos, sizeof b->end);
        return add_waypoint(s, b, t, r->pos, velocity);
    }
    bs_stride stride = {.start = *r, .from = t, .dt = s->dt};
    memcpy(stride.velocity, velocity, sizeof stride.velocity);
    memcpy(stride.fall, b->fall, sizeof stride.fall);
    bs_rect last_free = *r;
    bool is_free = true;
    bool early = true;
    for (int i = 0; early && is_free && i < MOST_RUNS; i++) {
        if (stride.from >= 1 || !bs_advance(&stride.start, stride.velocity, s->dt, &to)) {
            return stay(s, b, &stride.start, stride.from, stride.velocity);
        }
        if (!run(s, b, &stride, &early, &is_free)) {
            return false;
        }
        last_free = is_free ? stride.start : last_free;
    }
    bs_advance(r, velocity, s->dt * (1 - t), &to);
    b->is_straight = b->is_straight && !early && is_at(b, &to);
    if (!b->is_straight) {
        bs_landing_break(s, b);
    }
    b->is_stuck |= early;
    return !early || stay(s, b, &last_free, stride.from, stride.velocity);
}
