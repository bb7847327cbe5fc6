/*
 * bodies.c: operations of trials in which bodies of all shapes meet, and what must be true after
 * each step, whatever happens in it: nobody comes into another one, what nothing holds keeps its
 * momentum, no energy comes from nowhere, and all worlds are the same to the last bit, also one
 * that was saved and restored just before.
 */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "narrow/narrow.h"
#include "step_oracle.h"

/* --- bodies --------------------------------------------------------------------------------- */

static bs_conduct any_body(trial *t) {
    static const double masses[] = {1, 1, 1, 3, 0.25, 1e6, 1e-3, HUGE_VAL};
    static const double bounces[] = {BS_BOUNCE_UNSET, 0, 0.5, 1, 1, BS_BOUNCE_UNSET, 0.1, 2};
    static const double frictions[] = {0, 0, 0.1, 0.5};
    static const bs_response responses[] = {BS_SLIDE,  BS_SLIDE,  BS_SLIDE, BS_BOUNCE,
                                            BS_BOUNCE, BS_BOUNCE, BS_TOUCH, BS_CROSS};
    bs_conduct conduct = bs_props_default().conduct;
    unsigned how = next_byte(&t->in);
    conduct.response = responses[how & 7];
    conduct.friction = frictions[how >> 3 & 3];
    conduct.mass = masses[next_byte(&t->in) % (how < 250 ? 7 : 8)];
    conduct.bounce = bounces[next_byte(&t->in) % (how < 250 ? 7 : 8)];
    return conduct;
}

static bool is_free(const trial *t, const bs_shape *shape) {
    bool is_free = true;
    for (size_t i = 0; i < t->truth.n && is_free; i++) {
        bs_shape other = shape_of(t, &t->truth.box[i]);
        is_free = !bs_shapes_overlap(shape, &other);
    }
    return is_free;
}

/* Inserts a body or a static box, unless there is no room. Few overlap something. */
static void insert(trial *t, const bs_shape *shape, const bs_props *props,
                   const double velocity[DIM]) {
    if (t->truth.n == t->most || (!is_free(t, shape) && !next_chance(&t->in, 8))) {
        return;
    }
    uint32_t index = BS_NO_BOX;
    EACH(t, s) {
        uint32_t box;
        UNTIL_DONE(t, s, bs_world_insert(s->world, shape, props, &box));
        UNTIL_DONE(t, s, bs_world_set_velocity(s->world, box, velocity));
        expect(t, s, index == BS_NO_BOX || box == index, "gives another index");
        index = box;
    }
    bs_id id = bs_world_id(t->subject[0].world, index);
    oracle_box *made = oracle_insert(&t->truth, index, id, &shape->rect, props);
    memcpy(made->velocity, velocity, sizeof made->velocity);
}

/* A quarter is static. */
void do_insert_body(trial *t) {
    bs_shape shape;
    bs_props props = bs_props_default();
    double velocity[DIM] = {0};
    any_shape(t, &shape);
    props.is_static = next_chance(&t->in, 64);
    props.conduct = any_body(t);
    if (!props.is_static || next_chance(&t->in, 40)) {
        any_velocity(t, velocity);
    }
    insert(t, &shape, &props, velocity);
}

/* Bodies beside each other in rows, which fly to their middle. */
void do_insert_heap(trial *t) {
    enum { ROWS = 3, MOST = ROWS * ROWS };
    bs_rect first = any_box(t);
    bs_props props = bs_props_default();
    double apart = next_chance(&t->in, 128) ? 1 : 1 + 0x1p-6 * next_byte(&t->in);
    double speed = next_below(&t->in, 20);
    unsigned kinds = next_byte(&t->in);
    unsigned same = next_byte(&t->in);
    props.conduct = any_body(t);
    for (int i = 0; i < MOST; i++) {
        double velocity[DIM] = {0}, centre[DIM];
        bs_rect rect = first;
        bs_shape shape;
        uint32_t corner;
        for (int k = 0; k < DIM; k++) {
            double row = k == 0 ? i % ROWS : k == 1 ? i / ROWS : 0;
            rect.size[k] = first.size[0];
            rect.pos[k] = first.pos[k] + row * apart * first.size[0];
            centre[k] = rect.pos[k] + rect.size[k] / 2;
            velocity[k] = k < 2 ? (1 - row) * speed * first.size[0] : 0;
        }
        bs_shape_set_box(&shape, &rect);
        if ((kinds >> i % 8 & 1) != 0) {
            bs_shape_set_circle(&shape, centre, rect.size[0] / 2);
        }
        props.conduct = same < 128 ? props.conduct : any_body(t);
        if (bs_shape_check(&shape, &corner) == BS_SHAPE_IS_FINE && isfinite(velocity[0]) &&
            isfinite(velocity[1])) {
            insert(t, &shape, &props, velocity);
        }
    }
}

/* --- before and after a step ---------------------------------------------------------------- */

/* All bodies before and after a step, by rank, and the velocities that forces alone would give. */
typedef struct moment {
    bs_shape before[MOST_BOXES];
    bs_shape after[MOST_BOXES];
    double forced[MOST_BOXES][DIM];
    double velocity[MOST_BOXES][DIM];
    bool slept[MOST_BOXES]; /* Something holds what sleeps before the step. */
} moment;

static bool is_body(const oracle_box *box) {
    return !box->is_static && box->conduct.response != BS_PASS;
}

/* A body that others can push. */
static bool gives_way(const oracle_box *box) {
    return is_body(box) && isfinite(box->conduct.mass);
}

static bool is_usual_box(const bs_rect *rect, const double v[DIM]) {
    bool usual = true;
    for (int k = 0; k < DIM; k++) {
        usual = usual && fabs(rect->pos[k]) < 1e6 && rect->size[k] > 1e-3 && rect->size[k] < 1e6 &&
                fabs(v[k]) < 1e6;
    }
    return usual;
}

/* Whether numbers are such as in games, so that rounding is small beside all of them. */
static bool is_usual(const trial *t, const moment *m, double dt) {
    bool usual = dt == 0 || (dt > 1e-6 && dt <= 1);
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *b = &t->truth.box[i];
        usual = usual && is_usual_box(&m->before[i].rect, m->forced[i]) &&
                (b->is_static || is_usual_box(&m->after[i].rect, m->velocity[i]));
    }
    return usual;
}

static void read(const trial *t, const subject *s, bs_shape shape[], double velocity[][DIM]) {
    memset(shape, 0, t->truth.n * sizeof *shape);
    for (size_t i = 0; i < t->truth.n; i++) {
        bs_world_shape(s->world, t->truth.box[i].index, &shape[i]);
        bs_world_velocity(s->world, t->truth.box[i].index, velocity[i]);
    }
}

/* --- laws of a step ------------------------------------------------------------------------- */

static bool stop_each_other(const oracle_box *a, const oracle_box *b) {
    return gives_way(a) && (b->is_static || gives_way(b)) && oracle_layers_meet(a, b) &&
           !oracle_is_sensed(a, b) && a->conduct.response != BS_CROSS &&
           b->conduct.response != BS_CROSS && !oracle_is_one_way(a) && !oracle_is_one_way(b);
}

static void expect_apart(const trial *t, const moment *m) {
    const oracle *o = &t->truth;
    for (size_t i = 0; i < o->n; i++) { /* Who is squeezed overlaps what does not give way. */
        if (!o->box[i].is_static && !gives_way(&o->box[i])) {
            return;
        }
    }
    for (size_t i = 0; i < o->n; i++) {
        for (size_t j = 0; j < o->n; j++) {
            expect(t, NULL,
                   i == j || !stop_each_other(&o->box[i], &o->box[j]) ||
                       !bs_shapes_overlap(&m->after[i], &m->after[j]) ||
                       bs_shapes_overlap(&m->before[i], &m->before[j]),
                   "a body comes into another one");
        }
    }
}

static size_t root_of(size_t parent[], size_t i) {
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

static size_t rank_of(const oracle *o, bs_id id) {
    size_t i = 0;
    while (i < o->n && o->box[i].id != id) {
        i++;
    }
    return i;
}

/*
 * Joins all that met in a step. Those that met something that does not give way are held by it, and
 * so are those that took the velocity of another one.
 */
static void join(const trial *t, size_t parent[], bool held[]) {
    const oracle *o = &t->truth;
    const bs_step_hits *hits = bs_world_step_hits(t->subject[0].world);
    for (size_t i = 0; i < o->n; i++) {
        parent[i] = i;
    }
    for (size_t i = 0; i < hits->n; i++) {
        const bs_step_hit *hit = &hits->at[i];
        size_t a = rank_of(o, hit->box), b = rank_of(o, hit->other);
        expect(t, NULL, a < o->n && b < o->n, "a step tells of what is not there");
        expect(t, NULL,
               isfinite(hit->speed) && hit->speed >= 0 && hit->impulse >= 0 && hit->t >= 0 &&
                   hit->t <= 1,
               "a hit of a step has no sense");
        if (hit->response != BS_CROSS && gives_way(&o->box[a]) && gives_way(&o->box[b])) {
            parent[root_of(parent, a)] = root_of(parent, b);
        }
    }
    memset(held, 0, o->n * sizeof *held);
    for (size_t i = 0; i < o->n; i++) {
        held[root_of(parent, i)] |= o->box[i].conduct.response == BS_TOUCH;
    }
    for (size_t i = 0; i < hits->n; i++) {
        size_t both[] = {rank_of(o, hits->at[i].box), rank_of(o, hits->at[i].other)};
        for (int k = 0; k < 2 && hits->at[i].response != BS_CROSS; k++) {
            held[root_of(parent, both[k])] |= !gives_way(&o->box[both[1 - k]]);
        }
    }
}

/* Nothing in games is as slow as this. */
static const double NO_SPEED = 1e-3;

/* What has met nothing but bodies keeps its momentum, all together. */
static void expect_momentum(const trial *t, const moment *m, double dt) {
    static size_t parent[MOST_BOXES];
    static bool held[MOST_BOXES];
    static double off[MOST_BOXES][DIM], scale[MOST_BOXES];
    const oracle *o = &t->truth;
    join(t, parent, held);
    memset(off, 0, sizeof off);
    memset(scale, 0, sizeof scale);
    for (size_t i = 0; i < o->n; i++) {
        size_t root = root_of(parent, i);
        double mass = o->box[i].conduct.mass;
        held[root] |= m->slept[i];
        for (int k = 0; k < DIM && gives_way(&o->box[i]); k++) {
            double most = fmax(fabs(o->box[i].velocity[k]), fabs(m->forced[i][k]));
            off[root][k] += mass * (m->velocity[i][k] - m->forced[i][k]);
            scale[root] += mass * (fabs(m->velocity[i][k]) + most + NO_SPEED);
            scale[root] += mass * fabs(oracle_acceleration(o, &o->box[i], k)) * dt;
        }
    }
    for (size_t i = 0; i < o->n; i++) {
        for (int k = 0; k < DIM && !held[i]; k++) {
            expect(t, NULL, fabs(off[i][k]) <= scale[i] * 1e-10, "momentum has changed");
        }
    }
}

/* Whether nothing in the world could give energy. */
static bool is_passive(const trial *t) {
    const oracle *o = &t->truth;
    bool passive = true;
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        passive = passive && (b->is_static || gives_way(b)) && b->conduct.bounce <= 1 &&
                  b->conduct.response != BS_TOUCH;
        for (int k = 0; k < DIM; k++) {
            passive =
                passive && (b->is_static ? b->velocity[k] == 0 : oracle_acceleration(o, b, k) == 0);
        }
    }
    return passive;
}

static void expect_no_more_energy(const trial *t, const moment *m) {
    const oracle *o = &t->truth;
    double before = 0, after = 0;
    for (size_t i = 0; i < o->n && is_passive(t); i++) {
        for (int k = 0; k < DIM && !o->box[i].is_static; k++) {
            before += o->box[i].conduct.mass * 1e-18; /* Rounding has some. */
            before += o->box[i].conduct.mass * m->forced[i][k] * m->forced[i][k];
            after += o->box[i].conduct.mass * m->velocity[i][k] * m->velocity[i][k];
        }
    }
    expect(t, NULL, after <= before * (1 + 1e-9), "energy comes from nowhere");
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Saves a world and restores it. That must change nothing. */
static void save_and_restore(trial *t, subject *s) {
    bs_snapshot *saved = bs_snapshot_new(limited_resize, &s->memory);
    expect(t, s,
           saved != NULL && bs_snapshot_take(saved, s->world) == BS_OK &&
               bs_world_restore(s->world, saved) == BS_OK,
           "failed although there was memory");
    bs_snapshot_free(saved);
}

static void expect_same(const trial *t, const subject *s, const moment *m) {
    static bs_shape shape[MOST_BOXES];
    static double velocity[MOST_BOXES][DIM];
    read(t, s, shape, velocity);
    expect(t, s, memcmp(shape, m->after, t->truth.n * sizeof *shape) == 0,
           "steps elsewhere than another world");
    expect(t, s, memcmp(velocity, m->velocity, t->truth.n * sizeof *velocity) == 0,
           "steps to other velocities than another world");
    expect_same_hits(t, s);
}

void do_step_bodies(trial *t) {
    static const double times[] = {1.0 / 60, 1.0 / 60, 1.0 / 60, 1.0 / 60, 0.25, 1, 0, 1e-9};
    static moment m;
    double dt = times[next_below(&t->in, 8)];
    unsigned which = next_byte(&t->in);
    if (is_crowd(t)) {
        return;
    }
    read(t, t->subject, m.before, m.velocity);
    for (size_t i = 0; i < t->truth.n; i++) {
        m.slept[i] = !bs_world_is_awake(t->subject[0].world, t->truth.box[i].index);
        memcpy(m.forced[i], m.velocity[i], sizeof m.forced[i]);
        if (!t->truth.box[i].is_static) {
            oracle_force(&t->truth, &t->truth.box[i], dt, m.forced[i]);
        }
    }
    EACH(t, s) {
        if (s->memory.left < 0 && which % BACKENDS == (unsigned)s->backend) {
            save_and_restore(t, s);
        }
        UNTIL_DONE(t, s, bs_world_step(s->world, dt));
    }
    read(t, t->subject, m.after, m.velocity);
    EACH(t, s) {
        expect_same(t, s, &m);
    }
    if (is_usual(t, &m, dt)) {
        expect_apart(t, &m);
        expect_momentum(t, &m, dt);
        expect_no_more_energy(t, &m);
    }
    for (size_t i = 0; i < t->truth.n; i++) {
        t->truth.box[i].rect = m.after[i].rect;
        memcpy(t->truth.box[i].velocity, m.velocity[i], sizeof m.velocity[i]);
        note_bytes(t, &m.after[i].rect, sizeof m.after[i].rect);
    }
}
