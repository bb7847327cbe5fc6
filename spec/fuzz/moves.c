/* moves.c: operations that move boxes, push them, or step a world whose boxes respond. */
#include "trial.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "step_oracle.h"
#include "target.h"

/* --- from bytes ----------------------------------------------------------------------------- */

static double any_number(bs_property_kind kind, unsigned how) {
    static const double bounces[] = {BS_BOUNCE_UNSET, 1, 0.5, 0, 0.9, 1.0 / 3, 0x1p-1074, 2};
    static const double scales[] = {1, 0, -0.5, 3};
    static const double amounts[] = {0, 0x1p-1074, 0.5, 3};
    static const double masses[] = {1, HUGE_VAL, 0x1p-1074, 3};
    switch (kind) {
    case BS_KEPT:
        return bounces[how & 7];
    case BS_NUMBER:
        return scales[how & 3];
    case BS_AMOUNT:
        return amounts[how & 3];
    default:
        return masses[how & 3];
    }
}

/* By length, or axis by axis. */
static void any_by_axis(bs_property_kind kind, unsigned how, double *value) {
    if (how % 3 != 0) {
        bs_one_by_axis(value, any_number(kind, how));
        return;
    }
    for (unsigned k = 0; k < DIM; k++) {
        value[k] = any_number(kind, how / 3 + k);
    }
}

bs_conduct any_conduct(trial *t) {
    bs_conduct conduct = bs_props_default().conduct;
    unsigned how = next_byte(&t->in);
    conduct.bounce = any_number(BS_KEPT, how);
    conduct.response = (bs_response)((how >> 3) % BS_PUSH);
    for (unsigned i = 0; i < BS_PROPERTY_COUNT && how >= 208; i++) { /* with all responses */
        bs_property_kind kind = bs_properties[i].kind;
        void *value = (char *)&conduct + bs_properties[i].at;
        if (kind == BS_FLAG) {
            *(bool *)value = (how & 1) != 0;
        } else if (kind == BS_AMOUNTS || kind == BS_LIMITS) {
            any_by_axis(kind == BS_AMOUNTS ? BS_AMOUNT : BS_POSITIVE, (how >> 1) + i, value);
        } else if (kind < BS_KEPT) {
            *(double *)value = any_number(kind, (how >> 1) + i);
        }
    }
    if (next_chance(&t->in, 60)) {
        int axis = (int)next_below(&t->in, DIM);
        conduct.one_way[axis] = next_chance(&t->in, 128) ? 1 : -1;
    }
    return conduct;
}

/* A call, as the host that is asked meanwhile. */
typedef struct host {
    const trial *t;
    const subject *s;
    const errand *e;
    way *have;         /* which gets what is asked; it may be NULL */
    jmp_buf no_memory; /* where the host goes if it finds none */
} host;

static bs_response answer(void *it, uint32_t self, uint32_t other);

static bs_rules any_rules(trial *t) {
    static const uint64_t masks[] = {0, 0, 0, 1, 2, 3, UINT32_MAX, BS_ANY_LAYER};
    bs_rules rules = bs_rules_default();
    unsigned how = next_byte(&t->in);
    if (how < 90) {
        return rules;
    }
    rules.to_pairs = (how & 1) != 0 ? (bs_response)next_below(&t->in, BS_RESPONSES) : BS_PASS;
    rules.ask = (how & 2) != 0 ? answer : NULL;
    for (int i = BS_TOUCH; i <= BS_CROSS; i++) {
        rules.mask[i] = masks[next_below(&t->in, 8)];
    }
    rules.mask[BS_PUSH] = (how & 4) != 0 ? masks[how >> 5] : 0;
    const oracle_box *ignored = next_chance(&t->in, 60) ? any_member(t) : NULL;
    rules.ignore = ignored != NULL ? ignored->index : BS_NO_BOX;
    return rules;
}

/* False if there is no box, or no place at that goal. */
static bool any_errand(trial *t, errand *e) {
    *e = (errand){.box = any_member(t)};
    if (e->box == NULL) {
        return false;
    }
    double motion[DIM];
    bs_rect there = e->box->rect;
    any_motion(t, &there, motion);
    e->rules = any_rules(t);
    e->answers = next_bits(&t->in, 2);
    e->nested = next_chance(&t->in, 30);
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        there.pos[k] = motion[k] != 0 ? e->box->rect.pos[k] + motion[k] : e->box->rect.pos[k];
        e->goal[k] = there.pos[k];
        finite = finite && isfinite(e->goal[k] - e->box->rect.pos[k]);
    }
    return finite && oracle_is_rect(&there, false);
}

/* --- conduct -------------------------------------------------------------------------------- */

void do_set_conduct(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    box->conduct = any_conduct(t);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_set_conduct(s->world, box->index, &box->conduct));
    }
}

/* --- one way -------------------------------------------------------------------------------- */

/* A list that has never been used has no memory. */
static void copy(void *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
}

/* Makes another move while one is running. */
static bs_status move_within(const subject *s, const errand *e, uint32_t other) {
    bs_rules rules = bs_rules_default();
    bs_rect r = *bs_world_rect(s->world, other);
    for (int k = 0; k < DIM; k++) {
        double to = e->goal[k];
        r.pos[k] = isfinite(to - r.pos[k]) && isfinite(to + r.size[k]) ? to : r.pos[k];
    }
    bs_move *m = bs_move_run(s->world, other, r.pos, &rules);
    if (m != NULL) {
        bs_move_end(m);
    }
    return m != NULL ? BS_OK : BS_NO_MEMORY;
}

static bs_response answer(void *it, uint32_t self, uint32_t other) {
    host *h = it;
    way *have = h->have;
    bs_id id = bs_world_id(h->s->world, other);
    expect(h->t, h->s, self == h->e->box->index, "asks for another box");
    if (have != NULL) {
        expect(h->t, h->s, have->asks < MOST_BOXES, "asks too often");
        have->asked[have->asks++] = id;
    }
    if (h->e->nested && move_within(h->s, h->e, other) != BS_OK) {
        longjmp(h->no_memory, 1);
    }
    return answer_of(h->e->answers, id);
}

/* Runs a move, within a call that the host may leave; the caller ends the call. Returns NULL if
 * there is no memory. */
static bs_move *run_asking(host *h, bool pushes) {
    bs_rules rules = h->e->rules;
    rules.host = h;
    rules.pushes = pushes;
    bs_call_begin(h->s->world);
    if (setjmp(h->no_memory) != 0) {
        return NULL;
    }
    return bs_move_run(h->s->world, h->e->box->index, h->e->goal, &rules);
}

static bs_status run_way(const trial *t, const subject *s, const errand *e, way *have) {
    host h = {.t = t, .s = s, .e = e, .have = have};
    have->asks = 0;
    const bs_move *m = run_asking(&h, false);
    if (m != NULL) {
        const bs_collisions *met = bs_move_collisions(m);
        expect(t, s, met->n <= MOST_MET, "meets too many");
        have->end = bs_move_rect(m);
        have->n = met->n;
        copy(have->met, met->at, met->n * sizeof *met->at);
    }
    bs_call_end(s->world, m != NULL);
    return m != NULL ? BS_OK : BS_NO_MEMORY;
}

/* Compares with another world, bit for bit. */
static void expect_same_way(const trial *t, const subject *s, const way *have, const way *first) {
    expect(t, s, memcmp(&have->end, &first->end, sizeof have->end) == 0,
           "ends elsewhere than in another world");
    expect(t, s, have->n == first->n && have->asks == first->asks,
           "meets others than in another world");
    for (size_t i = 0; i < have->n; i++) {
        const bs_collision *a = &have->met[i];
        const bs_collision *b = &first->met[i];
        expect(t, s,
               a->id == b->id && a->box == b->box && a->response == b->response &&
                   a->overlap == b->overlap && memcmp(&a->t, &b->t, sizeof a->t) == 0 &&
                   memcmp(a->place, b->place, sizeof a->place) == 0 &&
                   memcmp(a->normal, b->normal, sizeof a->normal) == 0,
               "meets another way than in another world");
    }
}

/* What must hold even if rounding leaves open what happens. */
static void expect_sound(const trial *t, const errand *e, const way *have) {
    const subject *s = &t->subject[0];
    expect(t, s, oracle_is_rect(&have->end, false), "ends where no box can be");
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *b = &t->truth.box[i];
        bs_response response = oracle_answer(&e->rules, e->box, b, e->answers);
        bool solid = oracle_stops(response) && !oracle_is_one_way(b) &&
                     !oracle_overlap(&e->box->rect, &b->rect);
        expect(t, s, !(solid && oracle_overlap(&have->end, &b->rect)), "ends in a solid box");
    }
    double before = 0;
    for (size_t i = 0; i < have->n; i++) {
        const bs_collision *c = &have->met[i];
        expect(t, s, c->t >= before && c->t <= 1, "times are out of order");
        expect(t, s, c->response > BS_PASS && (int)c->response < BS_RESPONSES, "no response");
        before = c->t;
    }
    for (int k = 0; k < DIM; k++) {
        double from = e->box->rect.pos[k];
        bool rests = memcmp(&from, &e->goal[k], sizeof from) == 0 && have->end.pos[k] == from;
        expect(t, s, !rests || memcmp(&from, &have->end.pos[k], sizeof from) == 0,
               "turns a zero round");
    }
}

static void note_way(trial *t, const way *have) {
    note_bytes(t, have->end.pos, sizeof have->end.pos);
    for (size_t i = 0; i < have->n; i++) {
        const bs_collision *c = &have->met[i];
        note_bytes(t, &c->id, sizeof c->id);
        note_bytes(t, &c->t, sizeof c->t);
        note_bytes(t, c->place, sizeof c->place);
        note_bytes(t, c->normal, sizeof c->normal);
    }
}

static void expect_right(const trial *t, const char *wrong) {
    expect(t, t->subject, wrong == NULL, wrong);
}

/* Runs the move in all worlds, which must agree. */
static const way *find_way(trial *t, const errand *e) {
    static way first, have;
    double v[DIM] = {0}; /* only used in steps */
    EACH(t, s) {
        way *found = s == t->subject ? &first : &have;
        UNTIL_DONE(t, s, run_way(t, s, e, found));
        expect_same_way(t, s, found, &first);
    }
    expect_sound(t, e, &first);
    expect_right(t, oracle_check_first(&t->truth, e, &first));
    expect_right(t, oracle_check_way(&t->truth, e, &first, v));
    note_way(t, &first);
    return &first;
}

void do_check(trial *t) {
    errand e;
    if (any_errand(t, &e)) {
        find_way(t, &e);
    }
}

static void put(trial *t, uint32_t box, const bs_rect *rect) {
    EACH(t, s) {
        bs_world_update(s->world, box, rect);
    }
    t->truth.box[t->truth.rank[box]].rect = *rect;
}

/* Makes a move. Whatever has stopped the box must also stop the same move once more. */
void do_move(trial *t) {
    errand e;
    if (!any_errand(t, &e)) {
        return;
    }
    bs_rect there = e.box->rect;
    memcpy(there.pos, e.goal, sizeof there.pos);
    expect_laws(t, e.box, &there, &e.rules);
    put(t, e.box->index, &find_way(t, &e)->end);
    for (int k = 0; k < DIM; k++) {
        if (!isfinite(e.goal[k] - e.box->rect.pos[k])) {
            return;
        }
    }
    find_way(t, &e);
}

/* --- places --------------------------------------------------------------------------------- */

static void expect_boxes(trial *t, const subject *s, const oracle_list *wanted) {
    expect(t, s, s->list.n == wanted->n, "another number of boxes");
    for (size_t i = 0; i < wanted->n; i++) {
        expect(t, s, s->list.at[i] == wanted->at[i], "another box");
    }
    note_bytes(t, s->list.at, wanted->n * sizeof *s->list.at);
}

void do_touching(trial *t) {
    const oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    int axis = (int)next_below(&t->in, DIM);
    bool up = next_chance(&t->in, 128);
    bs_rules rules = any_rules(t);
    oracle_list wanted;
    oracle_touching(&t->truth, box, axis, up, &rules, &wanted);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_touching(s->world, box->index, axis, up, &rules, &s->list));
        expect_boxes(t, s, &wanted);
    }
}

void do_blocking(trial *t) {
    const oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    bs_rect place = any_box(t);
    if (next_chance(&t->in, 128)) {
        memcpy(place.size, box->rect.size, sizeof place.size);
        place = oracle_is_rect(&place, false) ? place : box->rect;
    }
    bs_rules rules = any_rules(t);
    oracle_list wanted;
    oracle_blocking(&t->truth, box, &place, &rules, &wanted);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_blocking(s->world, box->index, &place, &rules, &s->list));
        expect_boxes(t, s, &wanted);
    }
}

/* --- steps ---------------------------------------------------------------------------------- */

static void read_step(const trial *t, const subject *s, stepped *told) {
    told->hits = bs_world_step_hits(s->world);
    for (size_t i = 0; i < t->truth.n; i++) {
        told->rect[i] = *bs_world_rect(s->world, t->truth.box[i].index);
        bs_world_velocity(s->world, t->truth.box[i].index, told->velocity[i]);
    }
}

void expect_same_hits(const trial *t, const subject *s) {
    const bs_step_hits *have = bs_world_step_hits(s->world);
    const bs_step_hits *first = bs_world_step_hits(t->subject[0].world);
    expect(t, s, have->n == first->n, "meets others in a step than in another world");
    for (size_t i = 0; i < first->n; i++) {
        const bs_step_hit *a = &have->at[i];
        const bs_step_hit *b = &first->at[i];
        expect(t, s,
               a->box == b->box && a->other == b->other && a->response == b->response &&
                   a->t == b->t && a->speed == b->speed && a->impulse == b->impulse &&
                   memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
                   memcmp(a->place, b->place, sizeof a->place) == 0,
               "another hit of a step than in another world");
    }
}

static void expect_same_step(const trial *t, const subject *s, const stepped *have,
                             const stepped *first) {
    size_t n = t->truth.n;
    bool same = memcmp(have->rect, first->rect, n * sizeof *have->rect) == 0 &&
                memcmp(have->velocity, first->velocity, n * sizeof *have->velocity) == 0;
    expect(t, s, same, "steps elsewhere than in another world");
    expect_same_hits(t, s);
}

void compare_step(trial *t, double dt) {
    static stepped first, have;
    EACH(t, s) {
        stepped *told = s == t->subject ? &first : &have;
        read_step(t, s, told);
        expect_same_step(t, s, told, &first);
    }
    expect_right(t, oracle_check_step(&t->truth, dt, &first));
    for (size_t i = 0; i < first.hits->n; i++) {
        note_bytes(t, &first.hits->at[i].other, sizeof first.hits->at[i].other);
        note_bytes(t, &first.hits->at[i].t, sizeof first.hits->at[i].t);
    }
    for (size_t i = 0; i < t->truth.n; i++) {
        t->truth.box[i].rect = first.rect[i];
        memcpy(t->truth.box[i].velocity, first.velocity[i], sizeof first.velocity[i]);
    }
}

/* --- pushes --------------------------------------------------------------------------------- */

typedef struct pushes {
    bs_pushed row[MOST_BOXES];
    size_t n;
    bs_rect rect[MOST_BOXES]; /* by rank, after the push */
} pushes;

static void read_rects(const trial *t, const subject *s, bs_rect *rect) {
    for (size_t i = 0; i < t->truth.n; i++) {
        rect[i] = *bs_world_rect(s->world, t->truth.box[i].index);
    }
}

static void expect_as_before(const trial *t, const subject *s, const char *what) {
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *b = &t->truth.box[i];
        const bs_rect *have = bs_world_rect(s->world, b->index);
        expect(t, s, memcmp(have, &b->rect, sizeof *have) == 0, what);
    }
}

static bs_status run_push(const trial *t, const subject *s, const errand *e, bool undo,
                          pushes *have) {
    host h = {.t = t, .s = s, .e = e};
    bs_rules rules = e->rules;
    bs_rect goal = e->box->rect;
    bs_pushes found = {.n = 0};
    memcpy(goal.pos, e->goal, sizeof goal.pos);
    rules.host = &h;
    bs_call_begin(s->world);
    bs_status status = BS_NO_MEMORY;
    if (setjmp(h.no_memory) == 0) {
        status = bs_push_run(s->world, &e->box->index, &goal, 1, &rules, &found);
    }
    if (status == BS_OK) {
        have->n = found.n;
        copy(have->row, found.at, found.n * sizeof *found.at);
        read_rects(t, s, have->rect);
    }
    bs_call_end(s->world, status == BS_OK && !undo);
    if (status != BS_OK || undo) {
        expect_as_before(t, s, "a push that was not done has moved something");
    }
    return status;
}

static void expect_same_pushes(const trial *t, const subject *s, const pushes *have,
                               const pushes *first) {
    expect(t, s, have->n == first->n, "pushes another number of boxes than in another world");
    for (size_t i = 0; i < have->n; i++) {
        const bs_pushed *a = &have->row[i];
        const bs_pushed *b = &first->row[i];
        expect(t, s,
               a->id == b->id && a->box == b->box && a->crushed == b->crushed &&
                   a->carried == b->carried && memcmp(a->place, b->place, sizeof a->place) == 0,
               "pushes others than in another world");
    }
    expect(t, s, memcmp(have->rect, first->rect, t->truth.n * sizeof *have->rect) == 0,
           "pushes to another place than in another world");
}

static const bs_pushed *row_of(const pushes *p, const oracle_box *box) {
    for (size_t i = 0; i < p->n; i++) {
        if (p->row[i].id == box->id) {
            return &p->row[i];
        }
    }
    return NULL;
}

/*
 * Whether two overlap by no more than rounding, in a heap of boxes that lay in each other. There
 * are places that no way out leads to.
 */
static bool are_in_a_crowd(const trial *t, const bs_rect *a, const bs_rect *b) {
    enum { MANY = 100 };
    bool near = false;
    for (int k = 0; k < DIM; k++) {
        double depth = fmin(a->pos[k] + a->size[k] - b->pos[k], b->pos[k] + b->size[k] - a->pos[k]);
        double largest = fabs(a->pos[k]) + a->size[k] + fabs(b->pos[k]) + b->size[k];
        near = near || depth <= largest * 4 * DBL_EPSILON;
    }
    return near && t->truth.n > MANY;
}

/* Checks two boxes, at least one of which was pushed. Neither is the pusher. */
static void expect_apart(const trial *t, const pushes *p, size_t i, size_t j) {
    const oracle_box *a = &t->truth.box[i];
    const oracle_box *b = &t->truth.box[j];
    bool open = oracle_is_one_way(a) || oracle_is_one_way(b) || !oracle_layers_meet(a, b) ||
                oracle_is_sensed(a, b);
    bool before = oracle_overlap(&a->rect, &b->rect);
    expect(t, t->subject,
           open || before || !oracle_overlap(&p->rect[i], &p->rect[j]) ||
               are_in_a_crowd(t, &p->rect[i], &p->rect[j]),
           "pushes a box into another");
}

/* Checks the pusher and a box that it must not pass. */
static void expect_told(const trial *t, const errand *e, const pushes *p, size_t i) {
    const oracle_box *b = &t->truth.box[i];
    const bs_pushed *row = row_of(p, b);
    const bs_rect *pusher = &p->rect[e->box - t->truth.box];
    bs_response response = oracle_answer(&e->rules, e->box, b, e->answers);
    bool solid = oracle_stops(response) && !b->is_static && !oracle_is_one_way(e->box) &&
                 !oracle_is_one_way(b);
    bool is_new = oracle_overlap(pusher, &p->rect[i]) && !oracle_overlap(&e->box->rect, &b->rect);
    expect(t, t->subject, !(solid && is_new) || (row != NULL && row->crushed),
           "a box is crushed, and not told");
    expect(t, t->subject, row == NULL || !row->crushed || oracle_overlap(pusher, &p->rect[i]),
           "a box is told to be crushed that the pusher does not overlap");
    expect(t, t->subject, row != NULL || memcmp(&b->rect, &p->rect[i], sizeof b->rect) == 0,
           "a box has moved, and is not told");
    expect(t, t->subject, row == NULL || memcmp(row->place, p->rect[i].pos, sizeof row->place) == 0,
           "a box is told to be elsewhere");
    expect(t, t->subject, row == NULL || !b->is_static, "a static box is pushed");
    expect(t, t->subject, row == NULL || !oracle_is_sensed(e->box, b),
           "a sensor pushes, or is pushed");
}

/*
 * If a box is crushed that did not overlap the pusher, another box must have held it. That one is
 * or was somewhere around the places beside the pusher, or on the way there.
 */
static void expect_reason(const trial *t, const errand *e, const pushes *p, size_t rank) {
    const oracle_box *b = &t->truth.box[rank];
    const bs_rect *pusher = &p->rect[e->box - t->truth.box];
    bs_rect around = b->rect;
    for (int k = 0; k < DIM; k++) {
        double lo = fmin(b->rect.pos[k], pusher->pos[k] - b->rect.size[k]);
        double hi = fmax(b->rect.pos[k], pusher->pos[k] + pusher->size[k]) + b->rect.size[k];
        double more = (fabs(lo) + fabs(hi)) * 0x1p-40;
        around.pos[k] = lo - more;
        around.size[k] = hi + more - around.pos[k];
    }
    bool held = !oracle_is_rect(&around, false); /* no place for it is a double */
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *other = &t->truth.box[i];
        bool near = oracle_overlap(&around, &other->rect) || oracle_overlap(&around, &p->rect[i]);
        bool is_in_way = oracle_layers_meet(b, other) && !oracle_is_sensed(b, other);
        held = held || (other != b && other != e->box && is_in_way && near);
    }
    expect(t, t->subject, held, "a box is crushed though nothing holds it");
}

static void expect_sound_push(const trial *t, const errand *e, const pushes *p) {
    const oracle *o = &t->truth;
    size_t self = (size_t)(e->box - o->box);
    bs_rect there = e->box->rect;
    memcpy(there.pos, e->goal, sizeof there.pos);
    expect(t, t->subject, memcmp(&p->rect[self], &there, sizeof there) == 0,
           "a pusher is not at its goal");
    for (size_t i = 0; i < p->n; i++) {
        size_t rank = o->rank[p->row[i].box];
        expect(t, t->subject, rank != self && p->row[i].id == o->box[rank].id, "pushes itself");
        for (size_t j = 0; j < o->n; j++) {
            if (j != rank && j != self) {
                expect_apart(t, p, rank, j);
            }
        }
        if (p->row[i].crushed && !oracle_overlap(&e->box->rect, &o->box[rank].rect)) {
            expect_reason(t, e, p, rank);
        }
    }
    static bool rides[MOST_BOXES];
    oracle_riders(o, e, rides);
    for (size_t i = 0; i < o->n; i++) {
        const bs_pushed *row = row_of(p, &o->box[i]);
        bool carried = row != NULL && row->carried;
        expect(t, t->subject, carried == rides[i] || !oracle_is_like_in_games(o, e),
               "carries what does not ride, or not what does");
        if (i != self) {
            expect_told(t, e, p, i);
        }
    }
}

/* --- crates --------------------------------------------------------------------------------- */

/* Runs a move that pushes. `have` gets the places, and then everything is put back. */
static bs_status run_crates(const trial *t, const subject *s, const errand *e, pushes *have) {
    host h = {.t = t, .s = s, .e = e};
    const bs_move *m = run_asking(&h, true);
    have->n = 0;
    if (m != NULL) {
        read_rects(t, s, have->rect);
        have->rect[e->box - t->truth.box] = bs_move_rect(m);
    }
    bs_call_end(s->world, false);
    expect_as_before(t, s, "a move that was undone has moved something");
    return m != NULL ? BS_OK : BS_NO_MEMORY;
}

/* Checks that no box is inside another one in which it was not before. */
static void expect_sound_crates(const trial *t, const errand *e, const pushes *p) {
    size_t self = (size_t)(e->box - t->truth.box);
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *b = &t->truth.box[i];
        bs_response response = oracle_response(&e->rules, e->box, b);
        response = response == (bs_response)NOT_ASKED ? answer_of(e->answers, b->id) : response;
        response = oracle_is_sensed(e->box, b) ? BS_CROSS : response;
        bool moved = memcmp(&b->rect, &p->rect[i], sizeof b->rect) != 0;
        expect(t, t->subject, i == self || !moved || (!b->is_static && response == BS_PUSH),
               "pushes what is no crate");
        bool solid = oracle_stops(response) && !oracle_is_one_way(b);
        bool before = oracle_overlap(&e->box->rect, &b->rect);
        expect(t, t->subject,
               i == self || !solid || before || !oracle_overlap(&p->rect[self], &p->rect[i]),
               "goes into a solid box, or into a crate");
        for (size_t j = 0; moved && i != self && j < t->truth.n; j++) {
            if (j != i && j != self) {
                expect_apart(t, p, i, j);
            }
        }
    }
}

static void try_crates(trial *t, const errand *e) {
    static pushes first, have;
    EACH(t, s) {
        pushes *found = s == t->subject ? &first : &have;
        UNTIL_DONE(t, s, run_crates(t, s, e, found));
        expect_same_pushes(t, s, found, &first);
    }
    expect_sound_crates(t, e, &first);
    note_bytes(t, first.rect, t->truth.n * sizeof *first.rect);
}

void do_push(trial *t) {
    static pushes first, have;
    errand e;
    if (!any_errand(t, &e)) {
        return;
    }
    if ((e.answers & 1) != 0) {
        try_crates(t, &e);
    }
    bool undo = next_chance(&t->in, 60);
    EACH(t, s) {
        pushes *found = s == t->subject ? &first : &have;
        UNTIL_DONE(t, s, run_push(t, s, &e, undo, found));
        expect_same_pushes(t, s, found, &first);
    }
    expect_sound_push(t, &e, &first);
    note_bytes(t, first.rect, t->truth.n * sizeof *first.rect);
    for (size_t i = 0; i < t->truth.n && !undo; i++) {
        t->truth.box[i].rect = first.rect[i];
    }
}
