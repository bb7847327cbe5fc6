/*
 * paths.c: the path of each body in a step, and what it meets on it. It relies on bs_move for the
 * paths of bodies among static boxes.
 */
#include "bodies.h"

#include <string.h>

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
    static const double still[DIM] = {0};
    return b->is_stuck && piece == bs_path_last(s, b) ? still : piece->velocity;
}

const double *bs_body_velocity(const bs_bodies *s, uint32_t body, double t) {
    const bs_body *b = &s->body.at[body];
    return bs_piece_velocity(s, b, bs_path_piece(s, b, t));
}

bs_rect bs_path_around(const bs_bodies *s, bs_body *b) {
    bs_rect r = b->start;
    for (int k = 0; k < DIM; k++) {
        double lo = b->end[k];
        double hi = b->end[k];
        for (uint32_t i = 0; i < b->pieces; i++) {
            lo = bs_min(s->path.at[b->piece + i].pos[k], lo);
            hi = bs_max(s->path.at[b->piece + i].pos[k], hi);
        }
        double fall = fabs(b->force[k] * s->dt); /* Later paths are mostly within this. */
        double pad = (fabs(lo) + fabs(hi) + r.size[k]) * BS_AROUND + (lo < hi ? fall : 0);
        b->reach = bs_max(bs_max(b->start.pos[k] - lo, hi - b->start.pos[k]), b->reach);
        pad += s->w->sleepers > 0 ? s->reach : 0;
        r.pos[k] = lo - pad;
        r.size[k] = hi - lo + b->start.size[k] + 2 * pad;
    }
    return r;
}

/* --- hits ----------------------------------------------------------------------------------- */

static bool add_hit(bs_bodies *s, bs_body_hits *list, const bs_step_hit *hit) {
    if (!bs_array_reserve(&s->w->heap, &list->at, &list->cap, list->n + 1, sizeof *list->at)) {
        return false;
    }
    list->at[list->n++] = (bs_body_hit){*hit, BS_NOBODY};
    return true;
}

bool bs_body_has_hit(const bs_bodies *s, const bs_body *b, bs_id other) {
    uint32_t i = b->hit;
    while (i != BS_NOBODY && s->hit.at[i].hit.other != other) {
        i = s->hit.at[i].next;
    }
    return i != BS_NOBODY;
}

bool bs_body_tell(bs_bodies *s, bs_body *b, const bs_step_hit *hit) {
    if (bs_body_has_hit(s, b, hit->other)) {
        return true;
    }
    uint32_t i = (uint32_t)s->hit.n;
    if (!add_hit(s, &s->hit, hit)) {
        return false;
    }
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
        bs_step_hit rest = {.t = bs_time_in_step(m, side->t), .impulse = side->friction};
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
        bool done = hit.other == 0 ? bs_body_support(s, b, BS_NOBODY, hit.impulse, hit.normal)
                                   : bs_body_tell(s, b, &hit);
        if (!done) {
            return false;
        }
    }
    return true;
}

/* --- supports ------------------------------------------------------------------------------- */

/* Supports of one body are one part of the list; one that grows moves to the end. */
bool bs_body_support(bs_bodies *s, bs_body *body, uint32_t on, double friction,
                     const double normal[DIM]) {
    bs_body *b = &s->body.at[body->clump];
    bs_supports *list = &s->support;
    size_t need = list->n + BS_MOST_SUPPORTS;
    if (!bs_array_reserve(&s->w->heap, &list->at, &list->cap, need, sizeof *list->at)) {
        return false;
    }
    uint32_t n = 0;
    uint32_t to = (uint32_t)list->n;
    for (uint32_t i = 0; i < b->supports; i++) {
        bs_support x = list->at[b->support + i];
        bool again = x.on == on && (on != BS_NOBODY || bs_dot(x.normal, normal) > 1 - 0x1p-20);
        bool oldest = i == 0 && b->supports == BS_MOST_SUPPORTS;
        list->at[to + n] = x;
        n += !again && !oldest;
    }
    list->at[to + n].on = on;
    list->at[to + n].friction = friction;
    memcpy(list->at[to + n].normal, normal, sizeof list->at[to].normal);
    list->n = to + n + 1;
    b->support = to;
    b->supports = (uint8_t)(n + 1);
    return true;
}

/* --- making paths --------------------------------------------------------------------------- */

static bool add_waypoint(bs_bodies *s, bs_body *b, double t, const double pos[DIM],
                         const double velocity[DIM]) {
    bs_waypoints *path = &s->path;
    if (!bs_array_reserve(&s->w->heap, &path->at, &path->cap, path->n + 1, sizeof *path->at)) {
        return false;
    }
    bs_waypoint *here = &path->at[path->n++];
    b->pieces++;
    here->t = t;
    memcpy(here->pos, pos, sizeof here->pos);
    memcpy(here->velocity, velocity, sizeof here->velocity);
    return true;
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

/* Runs one move of a body. If it ended early, *stride is that of the rest. */
static bool run(bs_bodies *s, bs_body *b, bs_stride *stride, bool *early) {
    bs_move *m = bs_move_run_stride(s->w, b->box, stride);
    if (m == NULL) {
        return false;
    }
    bool done = take_path(s, b, m);
    *early = m->ends_here;
    b->is_stuck = m->is_stuck;
    if (*early && stride->stops) {
        b->wall_t = bs_time_in_step(m, m->now);
        memcpy(b->wall, m->support[(m->supports - 1) % BS_MOST_SIDES].normal, sizeof b->wall);
    }
    if (done && *early) {
        const bs_waypoint *last = &m->path.at[m->path.n - 1];
        memcpy(stride->start.pos, last->pos, sizeof last->pos);
        memcpy(stride->velocity, last->velocity, sizeof last->velocity);
        stride->from = bs_time_in_step(m, m->now);
    }
    bs_move_end(m);
    return done;
}

/* Whether nothing static is around. If memory is refused, it is as if something were. */
static bool is_empty(bs_bodies *s, const bs_rect *around) {
    bs_backend *fixed = s->w->part[BS_STATIC];
    s->around.n = 0;
    return bs_rect_is_query(around) && bs_backend_query(fixed, around, &s->around) &&
           s->around.n == 0;
}

/*
 * Whether nothing static is near a path. For the first path of a body that is asked around it, and
 * once more for all later ones that are within what the back end knows of the first.
 */
static bool is_clear(bs_bodies *s, bs_body *b, const bs_rect *from, const bs_rect *to) {
    const bs_rect *shown = &s->w->rect[b->box];
    if (b->stamp == 1) { /* It is not shown yet. */
        bs_rect around = bs_rect_around(from, to, BS_AROUND);
        return is_empty(s, &around);
    }
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

bool bs_path_make(bs_bodies *s, bs_body *b, const bs_rect *r, double t,
                  const double velocity[DIM]) {
    enum { MOST_RUNS = 16 }; /* Contacts that add speed. */
    bs_rect to;
    b->stamp++;
    b->piece = (uint32_t)s->path.n;
    b->pieces = 0;
    b->ahead = (uint32_t)s->ahead.n;
    b->aheads = 0;
    b->wall_t = HUGE_VAL;
    b->is_stuck = false;
    if (bs_is_still(velocity) || t >= 1 || !bs_advance(r, velocity, s->dt * (1 - t), &to)) {
        return stay(s, b, r, t, velocity);
    }
    if (!b->responds || is_clear(s, b, r, &to)) {
        memcpy(b->end, to.pos, sizeof b->end);
        return add_waypoint(s, b, t, r->pos, velocity);
    }
    bs_stride stride = {.start = *r, .from = t, .dt = s->dt};
    stride.stops = b->sticks && !bs_is_alone(s, b);
    memcpy(stride.velocity, velocity, sizeof stride.velocity);
    memcpy(stride.force, b->force, sizeof stride.force);
    bool early = true;
    for (int i = 0; early && i < MOST_RUNS; i++) {
        if (stride.from >= 1 || !bs_advance(&stride.start, stride.velocity, s->dt, &to)) {
            return stay(s, b, &stride.start, stride.from, stride.velocity);
        }
        if (!run(s, b, &stride, &early)) {
            return false;
        }
        if (b->wall_t <= 1) { /* Until the clump goes another way, which it does at that time. */
            return stay(s, b, &stride.start, stride.from, velocity);
        }
    }
    b->is_stuck |= early;
    return !early || stay(s, b, &stride.start, stride.from, stride.velocity);
}
