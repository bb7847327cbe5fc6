/*
 * move.c: the loop of a moving box, which asks, reports and responds; the other files do the rest.
 */
#include "motion.h"

#include <string.h>

/* --- making and ending ---------------------------------------------------------------------- */

static const bs_column columns[] = {
    {BS_LIST_COLUMN(bs_move, found)},  {BS_LIST_COLUMN(bs_move, near)},
    {BS_LIST_COLUMN(bs_move, within)}, {BS_ARRAY_COLUMN(bs_move, obstacle)},
    {BS_TABLE_COLUMN(bs_move, known)}, {BS_ARRAY_COLUMN(bs_move, meeting)},
    {BS_LIST_COLUMN(bs_move, met)},
};

static void free_all(bs_world *w) {
    while (w->moves != NULL) {
        bs_move *m = w->moves;
        w->moves = m->next;
        bs_column_free_all(&w->heap, m, columns, sizeof columns / sizeof *columns);
        bs_heap_free(&w->heap, m, sizeof *m);
    }
    bs_push_free(w);
}

const char *bs_moves_check(const bs_world *w) {
    if (!bs_push_is_idle(w)) {
        return "push: one has not ended";
    }
    for (const bs_move *m = w->moves; m != NULL; m = m->next) {
        if (m->in_use) {
            return "move: one has not ended";
        }
    }
    return NULL;
}

void bs_motion_enter(bs_world *w) {
    static const bs_movement movement = {free_all, bs_push_check, bs_moves_check};
    w->movement = &movement;
}

/* A move that is not in use, new or old. */
static bs_move *take_move(bs_world *w) {
    bs_move *m = w->moves;
    while (m != NULL && m->in_use) { /* As many as filter functions are nested. */
        m = m->next;
    }
    if (m == NULL) {
        m = bs_heap_new(&w->heap, sizeof *m);
        if (m == NULL) {
            return NULL;
        }
        m->next = w->moves;
        w->moves = m;
    }
    bs_motion_enter(w);
    m->in_use = true;
    m->call = w->calls;
    return m;
}

void bs_move_end(bs_move *m) {
    assert(m->in_use);
    m->in_use = false;
}

/* --- calls ---------------------------------------------------------------------------------- */

void bs_call_begin(bs_world *w) {
    if (w->calls++ == 0) {
        w->befores = 0;
        w->stirred_before = w->stirred.n;
    }
}

bs_status bs_journal_update(bs_world *w, uint32_t box, const bs_rect *rect) {
    size_t n = w->befores;
    assert(w->calls > 0);
    if (!bs_array_reserve(&w->heap, &w->before, &w->before_cap, n + 1, sizeof *w->before)) {
        return BS_NO_MEMORY;
    }
    w->before[n] = (bs_before){box, bs_world_sleeps(w, box), w->rect[box]};
    w->befores = n + 1;
    bs_world_update(w, box, rect);
    return BS_OK;
}

void bs_call_end(bs_world *w, bool done) {
    assert(w->calls > 0);
    w->calls--;
    for (bs_move *m = w->moves; m != NULL; m = m->next) {
        m->in_use = m->in_use && m->call <= w->calls;
    }
    if (w->calls > 0 || done) { /* Calls within others change nothing. */
        return;
    }
    bs_push_end(w);
    for (size_t i = w->befores; i-- > 0;) {
        bs_world_update(w, w->before[i].box, &w->before[i].rect);
    }
    bs_world_unstir(w);
    w->befores = 0;
}

/* --- meetings ------------------------------------------------------------------------------- */

/* Finds what may be met on the next stretch. */
static bool begin_stretch(bs_move *m) {
    if (!m->plain && !bs_obstacles_look_ahead(m)) {
        return false;
    }
    bs_meetings_find(m);
    return true;
}

/* The response to an obstacle there. A push of what cannot be pushed is a slide. */
static bs_response response_to(bs_move *m, const bs_obstacle *o, const double normal[DIM]) {
    if (o->response == BS_PUSH) {
        bool is_crate = m->rules.pushes && !o->inside && (m->w->flags[o->box] & BS_IS_STATIC) == 0;
        return is_crate ? BS_PUSH : BS_SLIDE;
    }
    if (m->shoves && o->response == BS_SLIDE) {
        return bs_shove_response(m, o, normal);
    }
    return m->in_step ? bs_response_in_step(m, o, normal) : (bs_response)o->response;
}

/* Reports a contact. */
static bool tell(bs_move *m, bs_obstacle *o, const bs_meeting *x, const double normal[DIM],
                 const bs_rect *r, bs_response response) {
    bs_collision c = {.id = bs_world_id(m->w, o->box), .box = o->box, .t = x->t};
    if (o->told) {
        return true;
    }
    c.response = response;
    c.overlap = o->inside;
    c.speed = bs_max(-bs_dot(m->velocity, normal), 0);
    c.bounce = response == BS_BOUNCE ? m->bounce : 0;
    memcpy(c.normal, normal, sizeof c.normal);
    memcpy(c.place, r->pos, sizeof c.place);
    o->told = true;
    return BS_APPEND(&m->w->heap, &m->met, c);
}

/* In a step: what has been its velocity so far is kept, if it turns now. */
static void keep_velocity(bs_move *m) {
    if (m->in_step && !m->turns) {
        memcpy(m->before, m->velocity, sizeof m->before);
    }
}

/*
 * Where rounding puts the box from one thing into the next, or where others are not known, the box
 * goes back to its last place in nothing new.
 */
static void retreat(bs_move *m) {
    bs_rect here = bs_way_at(m, m->now);
    bs_way_end(m, bs_obstacles_leave_free(m, &here) ? &here : &m->start);
    m->stretch_end = 1;
    m->meetings = 0;
    keep_velocity(m);
    m->is_stuck = m->turns = m->in_step;
}

/*
 * Corrects rounding, which may have put the box where others are not known, or from one thing into
 * the next. The rest of its way is as long from r as it was. True if the way goes on from there,
 * false if it has ended.
 */
static bool mend(bs_move *m, const bs_meeting *x, const bs_rect *r) {
    if (!bs_obstacles_are_known(m, r) || (x->rounded && ++m->nudges > BS_MOST_NUDGES)) {
        retreat(m);
        return false;
    }
    if (x->rounded) {
        m->now = x->t;
        bs_way_nudge(m, r);
    }
    return true;
}

/* Changes the tracks of the box, which is at r. False at the end of the way. */
static bool respond(bs_move *m, bs_obstacle *o, const bs_meeting *x, const double normal[DIM],
                    const bs_rect *r, bs_response response) {
    if (x->rounded || !o->exact) {
        bool leads_in = bs_way_leads_into(m, normal, 0);
        if (!mend(m, x, r)) {
            return false;
        }
        if (x->rounded && !leads_in) {
            return true;
        }
    }
    m->now = x->t;
    o->holds = !o->inside;
    keep_velocity(m);
    bool elsewhere = bs_way_respond(m, response, r, normal, o);
    if (m->in_step) {
        elsewhere = elsewhere || response == BS_BOUNCE || bs_is_apart(r, m->start.pos);
        m->turns = m->turns || elsewhere;
        m->settled = m->turns ? m->settled : m->met.n;
        memcpy(m->turned_at, r->pos, sizeof m->turned_at);
    }
    if (!m->in_step && (!m->plain || response == BS_BOUNCE)) {
        bs_obstacles_look_around(m, response == BS_BOUNCE);
    }
    return true;
}

/* Whether the way ends beside what it has pushed: times are rounded, but that place is not. */
static bool ends_beside_crate(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    const bs_rect *crate = &m->w->rect[o->box];
    bs_rect end = bs_way_at(m, 1);
    int k = x->side.axis;
    return o->pushed && o->exact &&
           (x->side.sign < 0 ? bs_far(&end, k) <= crate->pos[k] : end.pos[k] >= bs_far(crate, k));
}

/* Pushes a box once. If it is still in the way after that, it is met again. */
static bool push_ahead(bs_move *m, bs_obstacle *o, const bs_meeting *x, const double normal[DIM],
                       const bs_rect *r) {
    m->now = x->t;
    o->response = BS_SLIDE;
    o->told = true;
    o->pushed = true;
    if (!bs_crate_push(m, o, x, normal, r)) {
        return false;
    }
    bs_meetings_find_one(m, x->obstacle);
    return true;
}

/* What has become of the stretch; the next one begins at a turn, and at its end. */
typedef enum progress { NO_MEMORY, GOES_ON, ENDED } progress;

/* Takes the first meeting. */
static progress take_meeting(bs_move *m) {
    bs_meeting x = bs_meetings_pop(m);
    bs_obstacle *o = &m->obstacle[x.obstacle];
    double normal[DIM];
    bs_meeting_normal(o, &x, normal);
    bs_response response = response_to(m, o, normal);
    bool solid = bs_is_solid_response(response);
    bool leaves = o->inside && !bs_way_leads_into(m, normal, o->grain);
    if (response == BS_PASS || (leaves && solid) || ends_beside_crate(m, o, &x)) {
        return GOES_ON;
    }
    bs_rect r = bs_meeting_place(m, o, &x);
    if (m->in_step) { /* Others are met where it is at a time. */
        x.t = bs_meeting_time(m, o, &x);
    }
    if (!tell(m, o, &x, normal, &r, response)) {
        return NO_MEMORY;
    }
    if (response == BS_PUSH) {
        return push_ahead(m, o, &x, normal, &r) ? GOES_ON : NO_MEMORY;
    }
    if (solid && !m->through) {
        return respond(m, o, &x, normal, &r, response) ? ENDED : GOES_ON;
    }
    o->response = BS_PASS; /* It is reported once. */
    return GOES_ON;
}

/* --- the way -------------------------------------------------------------------------------- */

bool bs_can_move_to(const bs_rect *from, const bs_rect *goal) {
    double way[DIM];
    bs_minus(goal->pos, from->pos, way);
    return bs_is_finite(way) && bs_rect_is_box(goal);
}

/* A move without a goal yet, which begins at rest. */
static bs_move *make_move(bs_world *w, uint32_t box, const bs_rules *rules) {
    assert(bs_world_alive(w, box));
    bs_move *m = take_move(w);
    if (m == NULL) {
        return NULL;
    }
    m->w = w;
    m->self = box;
    m->rules = *rules;
    m->start = w->rect[box];
    m->through = m->shoves = false;
    m->in_step = false;
    m->from = 0;
    m->dt = 0;
    double bounce = bs_world_conduct(w, box)->bounce;
    m->bounce = bounce == BS_BOUNCE_UNSET ? 1 : bs_min(bounce, 1); /* So that a move ends. */
    m->met.n = 0;
    m->settled = 0;
    m->has_taken = false;
    m->is_stuck = m->turns = false;
    memset(m->fall, 0, sizeof m->fall);
    memset(m->velocity, 0, sizeof m->velocity);
    return m;
}

/* The host may leave by longjmp, or make moves of its own. */
static void ask(const bs_move *m, bs_obstacle *o) {
    bs_response response = m->rules.ask(m->rules.host, m->self, o->box);
    bool is_sensed = bs_is_solid_response(response) && bs_is_sensed(m->w, m->self, o->box);
    o->response = is_sensed ? BS_CROSS : (uint8_t)response;
    o->asks = false;
}

/* Whether a one-way box is met where it has a seam. False: no memory. */
static bool find_seam(bs_move *m, const bs_obstacle *o, const bs_meeting *x, bool *at_seam) {
    double normal[DIM];
    *at_seam = false;
    if (o->exact || !bs_is_one_way(m->w, o->box)) {
        return true;
    }
    bs_rect r = bs_meeting_place(m, o, x);
    bs_meeting_normal(o, x, normal);
    return bs_is_at_seam(m->w, &m->rules, NULL, m->self, &r, o->box, normal, &m->found, at_seam);
}

/* Takes what comes first: a meeting, or the end of the stretch. */
static progress take_next(bs_move *m) {
    bool at_seam;
    if (m->meetings == 0) {
        return ENDED;
    }
    bs_obstacle *first = &m->obstacle[m->meeting[0].obstacle];
    if (!find_seam(m, first, &m->meeting[0], &at_seam)) {
        return NO_MEMORY;
    }
    if (at_seam) {
        (void)bs_meetings_pop(m);
        return GOES_ON;
    }
    if (first->asks) {
        ask(m, first);
    }
    return take_meeting(m);
}

/* Whether the way has turned, and what it meets next is not met there. */
static bool leaves_turn(const bs_move *m) {
    if (!m->turns || m->is_stuck || m->meetings == 0) {
        return m->turns;
    }
    bs_rect r = bs_meeting_place(m, &m->obstacle[m->meeting[0].obstacle], &m->meeting[0]);
    return bs_is_apart(&r, m->turned_at);
}

static bool run(bs_move *m) {
    bool done = bs_obstacles_find(m) && begin_stretch(m);
    while (done && !leaves_turn(m) && (bs_meetings_settle(m) || bs_way_go_on(m))) {
        progress next = take_next(m);
        done = next != NO_MEMORY;
        if (!done || next == GOES_ON) {
            continue;
        }
        if (++m->stretches > BS_MOST_STRETCHES) {
            retreat(m);
            break;
        }
        done = begin_stretch(m);
    }
    return done;
}

/* Returns m, or NULL if there is no memory. */
static bs_move *run_way(bs_move *m) {
    if (run(m)) {
        return m;
    }
    bs_move_end(m);
    return NULL;
}

static bs_move *run_to(bs_move *m, const double goal[DIM]) {
    bs_way_begin(m, goal);
    return run_way(m);
}

bs_move *bs_move_run(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules) {
    bs_move *m = make_move(w, box, rules);
    return m != NULL ? run_to(m, goal) : NULL;
}

bs_move *bs_move_run_in_push(bs_world *w, uint32_t box, const double goal[DIM],
                             const bs_rules *rules, bool through) {
    bs_move *m = make_move(w, box, rules);
    if (m == NULL) {
        return NULL;
    }
    m->through = through;
    m->shoves = !through;
    return run_to(m, goal);
}

bs_move *bs_move_run_stride(bs_world *w, uint32_t box, const bs_stride *stride) {
    bs_response response = (bs_response)w->conduct[box].response;
    bs_rules rules = {.ignore = BS_NO_BOX, .to_pairs = response};
    bs_move *m = make_move(w, box, &rules);
    if (m == NULL) {
        return NULL;
    }
    m->start = stride->start;
    m->in_step = true;
    m->from = stride->from;
    m->dt = stride->dt * (1 - stride->from);
    memcpy(m->fall, stride->fall, sizeof m->fall);
    memcpy(m->velocity, stride->velocity, sizeof m->velocity);
    bs_way_begin(m, stride->goal);
    for (int k = 0; k < DIM; k++) {
        m->aim.velocity[k] = stride->aim[k];
        m->aim.motion[k] = stride->aim[k] * m->dt;
    }
    return run_way(m);
}

bs_rect bs_move_rect(const bs_move *m) {
    return bs_way_at(m, m->turns ? m->now : 1);
}

const bs_collisions *bs_move_collisions(const bs_move *m) {
    return &m->met;
}
