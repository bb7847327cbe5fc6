/* pools.c: operations on a pool beside the worlds. */
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/narrow.h"

static double *doubles_of(trial *t, double out[DIM]) {
    any_velocity(t, out);
    return out;
}

/* --- making --------------------------------------------------------------------------------- */

static bs_pattern any_pattern(trial *t, const bs_model *model) {
    bs_pattern pattern = bs_pattern_default();
    doubles_of(t, pattern.offset);
    pattern.speed = next_chance(&t->in, 128) ? (double)next_below(&t->in, 5) : pattern.speed;
    pattern.delay = next_below(&t->in, 4);
    pattern.cycle = 1 + next_below(&t->in, 4);
    pattern.count = (int32_t)next_below(&t->in, 6) - 1;
    pattern.nway = next_chance(&t->in, 200) ? 1 + next_below(&t->in, 3) : 1 + next_byte(&t->in);
    pattern.model = model;
    if (next_chance(&t->in, 128)) {
        pattern.angle = any_angle(t);
        pattern.nway_angle = any_angle(t);
        pattern.circle = 1 + next_below(&t->in, 5);
        pattern.circle_odd = next_chance(&t->in, 128);
        pattern.relative = next_chance(&t->in, 128);
    }
    return pattern;
}

/*
 * Makes three models: a plain one, one that fires the plain one, and one that fires it and more of
 * itself.
 */
static void make_models(trial *t) {
    for (int i = 0; i < MODELS; i++) {
        bs_model *model = &t->model[i];
        *model = bs_model_default();
        model->speed = (double)next_below(&t->in, 5) - 2;
        model->life = next_below(&t->in, 6);
        model->tag = i;
        model->has_mask = next_chance(&t->in, 128);
        model->mask = next_below(&t->in, 4);
        if (next_chance(&t->in, 128)) {
            for (int k = 0; k < DIM; k++) {
                model->size[k] = (double)next_below(&t->in, 4);
            }
        }
        if (next_chance(&t->in, 128)) {
            doubles_of(t, model->acceleration);
        }
        model->emitters = (uint32_t)i;
        model->emitter = t->pattern[i];
        t->pattern[i][0] = any_pattern(t, &t->model[0]);
        t->pattern[i][1] = any_pattern(t, model);
        bs_model_seal(model);
    }
}

void pool_begin(trial *t) {
    static const uint32_t capacities[] = {1, 7, 64, 65, 128, MOST_MOVERS};
    bs_pool_settings s;
    memset(&s, 0, sizeof s);
    s.capacity = capacities[next_below(&t->in, 6)];
    for (int k = 0; k < DIM; k++) {
        s.size[k] = (double)next_below(&t->in, 3);
    }
    s.mask = next_chance(&t->in, 200) ? UINT32_MAX : 1;
    s.bounded = next_chance(&t->in, 128);
    for (int k = 0; k < DIM; k++) {
        s.bounds.pos[k] = -300;
        s.bounds.size[k] = 600;
    }
    if (next_chance(&t->in, 50)) {
        s.bounds = any_box(t);
    }
    make_models(t);
    t->pool_memory.left = -1;
    t->pool_heap = (bs_heap){limited_resize, &t->pool_memory, 0};
    t->pool = bs_pool_new(limited_resize, &t->pool_memory, &s);
    expect(t, NULL, t->pool != NULL, "no memory");
    t->movers.settings = s;
    t->movers.n = 0;
    t->movers.ended = 0;
    t->movers.emitters = 0;
    t->movers.now = 0;
}

void pool_end(trial *t) {
    bs_array_free(&t->pool_heap, &t->pool_hits.at, &t->pool_hits.cap, sizeof *t->pool_hits.at);
    bs_array_free(&t->pool_heap, &t->pool_meets.at, &t->pool_meets.cap, sizeof *t->pool_meets.at);
    bs_pool_free(t->pool);
    free(t->meets.at);
    t->meets = (plain_meets){0};
    saved_pool_end(t);
}

/* --- comparing ------------------------------------------------------------------------------ */

static bool equal(const double a[DIM], const double b[DIM]) {
    bool same = true;
    for (int k = 0; k < DIM; k++) {
        same = same && a[k] == b[k];
    }
    return same;
}

static void expect_mover(trial *t, uint32_t index, const plain_mover *m) {
    double x[DIM];
    bs_pool_place(t->pool, index, x);
    expect(t, NULL, equal(x, m->shot.place), "a mover is somewhere else");
    bs_pool_velocity(t->pool, index, x);
    expect(t, NULL, equal(x, m->shot.velocity), "a mover has another velocity");
    expect(t, NULL, bs_pool_tag(t->pool, index) == m->shot.tag, "a mover has another tag");
    expect(t, NULL, bs_pool_mask(t->pool, index) == m->shot.mask, "a mover has another mask");
    note_bytes(t, x, sizeof x);
}

/* Checks the movers that ended in the last step: they are not alive, but can still be read. */
static void expect_ended(trial *t) {
    const plain_pool *p = &t->movers;
    uint32_t at = bs_pool_next_flown(t->pool, p->n);
    for (uint32_t i = 0; i < p->ended; i++) {
        uint32_t index;
        bs_id id = p->last[i].id;
        expect(t, NULL, bs_pool_find(t->pool, id, &index) == BS_REMOVED, "finds an ended mover");
        expect(t, NULL, index != BS_NO_BOX, "forgets an ended mover");
        expect(t, NULL, index == at && bs_pool_id(t->pool, at) == id, "it is not in its place");
        expect_mover(t, at, &p->last[i]);
        at = bs_pool_next_flown(t->pool, at + 1);
    }
    expect(t, NULL, at == bs_pool_capacity(t->pool), "another number of ended movers");
}

/* Compares all movers, and reads the ids of new ones. */
void expect_movers(trial *t) {
    plain_pool *p = &t->movers;
    expect(t, NULL, bs_pool_count(t->pool) == p->n, "another number of movers");
    for (uint32_t i = 0; i < p->n; i++) {
        plain_mover *m = &p->mover[i];
        bs_id id = bs_pool_id(t->pool, i);
        expect(t, NULL, m->id == 0 || m->id == id, "a mover is not in its place");
        m->id = id;
        expect_mover(t, i, m);
    }
    expect_ended(t);
    expect(t, NULL, bs_pool_emitters(t->pool) == p->emitters, "another number of emitters");
    const char *broken = bs_pool_check(t->pool);
    expect(t, NULL, broken == NULL, broken);
}

static void expect_pool_hit(trial *t, const subject *s, const bs_pool_hit *have,
                            const plain_mover *m, bs_id box, const bs_shape *shape,
                            const bs_touch *touch) {
    expect(t, s, have->mover == m->id && have->box == box, "another mover hits, or another box");
    expect(t, s, have->touch.t == touch->t && equal(have->touch.normal, touch->normal),
           "a mover hits at another time");
    expect_place(t, s, m->before, m->shot.place, m->shot.size, touch, shape, have->place);
    note_bytes(t, have, offsetof(bs_pool_hit, touch.corner)); /* a gap follows it */
    note_bytes(t, have->place, sizeof have->place);
}

/* --- movers --------------------------------------------------------------------------------- */

static bool any_mover(trial *t, uint32_t *mover) {
    bool some = t->movers.n > 0;
    *mover = some ? next_below(&t->in, t->movers.n) : 0;
    return some;
}

void do_spawn(trial *t) {
    unsigned which = next_below(&t->in, MODELS + 1);
    bs_shot shot = plain_shot(&t->movers, which < MODELS ? &t->model[which] : NULL);
    any_point(t, shot.place);
    any_velocity(t, shot.velocity);
    if (next_chance(&t->in, 60)) {
        any_velocity(t, shot.acceleration);
        shot.life = next_below(&t->in, 5);
        shot.size[0] = any_length(t);
    }
    if (bs_shot_bad_axis(shot.place, shot.size) < DIM) {
        return;
    }
    bs_id id = bs_pool_spawn(t->pool, &shot);
    bool wanted = plain_spawn(&t->movers, &shot);
    expect(t, NULL, (id != 0) == wanted, "spawns, or does not");
    expect_movers(t);
}

/* Forgets a mover that has ended. */
static void forget(trial *t, uint32_t ended) {
    uint32_t index;
    bs_id id = t->movers.last[ended].id;
    expect(t, NULL, bs_pool_find(t->pool, id, &index) == BS_REMOVED, "finds an ended mover");
    expect(t, NULL, index != BS_NO_BOX, "forgets an ended mover");
    bs_pool_remove(t->pool, index);
    plain_forget(&t->movers, ended);
    expect(t, NULL, bs_pool_find(t->pool, id, &index) == BS_REMOVED, "finds a forgotten mover");
    expect(t, NULL, index == BS_NO_BOX, "keeps a forgotten mover");
}

void do_free(trial *t) {
    uint32_t mover, index;
    if (t->movers.ended > 0 && next_chance(&t->in, 100)) {
        forget(t, next_below(&t->in, t->movers.ended));
    } else if (any_mover(t, &mover)) {
        bs_id id = t->movers.mover[mover].id;
        expect(t, NULL, bs_pool_find(t->pool, id, &index) == BS_FOUND, "misses a mover");
        expect(t, NULL, index == mover, "takes one mover for another");
        bs_pool_remove(t->pool, mover);
        plain_remove(&t->movers, mover);
        expect(t, NULL, bs_pool_find(t->pool, id, &index) == BS_REMOVED, "finds a freed mover");
    }
    expect_movers(t);
}

void do_pool_clear(trial *t) {
    bs_pool_clear(t->pool);
    t->movers.n = 0;
    t->movers.ended = 0;
    expect_movers(t);
}

void do_set_mover(trial *t) {
    uint32_t mover;
    if (!any_mover(t, &mover)) {
        return;
    }
    double place[DIM], velocity[DIM];
    any_point(t, place);
    any_velocity(t, velocity);
    plain_mover *m = &t->movers.mover[mover];
    bs_rect box = plain_box(place, m->shot.size);
    bool fits = oracle_is_rect(&box, true);
    expect(t, NULL, (bs_pool_set(t->pool, mover, place, velocity) == DIM) == fits,
           "sets, or does not");
    if (fits) {
        memcpy(m->shot.place, place, sizeof place);
        memcpy(m->before, place, sizeof place);
        memcpy(m->shot.velocity, velocity, sizeof velocity);
        m->still = true;
    }
    expect_movers(t);
}

void do_pool_step(trial *t) {
    static const double times[] = {1, 1.0 / 60, 0.5, 0.25, 0, 1e300};
    double dt = times[next_below(&t->in, sizeof times / sizeof *times)];
    bs_pool_change wanted = plain_step(&t->movers, dt);
    bs_pool_change have = bs_pool_step(t->pool, dt);
    expect(t, NULL, have.freed == wanted.freed, "frees another number");
    expect(t, NULL, have.spawned == wanted.spawned, "spawns another number");
    expect_movers(t);
}

/* --- emitters ------------------------------------------------------------------------------- */

void do_emitter(trial *t) {
    plain_pool *p = &t->movers;
    unsigned how = next_byte(&t->in);
    if (how < 128 && p->emitters < MOST_EMITTERS) {
        bs_pattern pattern = any_pattern(t, &t->model[next_below(&t->in, MODELS)]);
        uint64_t number = bs_pool_add_emitter(t->pool, &pattern);
        expect(t, NULL, number != 0, "failed although there was memory");
        if (pattern.count != 0) {
            p->emitter[p->emitters++] = (plain_emitter){number, pattern, plain_start(&pattern)};
        }
    } else if (p->emitters > 0) {
        size_t i = next_below(&t->in, p->emitters);
        plain_emitter *e = &p->emitter[i];
        int32_t left = bs_pool_emitter_left(t->pool, e->number);
        expect(t, NULL, left == e->timer.left, "has other shots left");
        if (how < 200) {
            doubles_of(t, e->pattern.offset);
            *bs_pool_emitter(t->pool, e->number) = e->pattern;
        } else {
            bs_pool_stop_emitter(t->pool, e->number);
            p->emitters--;
            memmove(e, e + 1, (p->emitters - i) * sizeof *e);
        }
    }
    expect_movers(t);
}

/* --- hits ----------------------------------------------------------------------------------- */

/* Finds the boxes that a box hits on its way, in order. Boxes of the world may have shapes. */
static void meet_all(const trial *t, const bs_rect *from, const double motion[DIM],
                     const bs_filter *filter, oracle_hits *out) {
    if (t->shapes) {
        bs_shape box;
        bs_shape_set_box(&box, from);
        meet_shapes(t, &box, motion, filter, out);
    } else {
        oracle_cast(&t->truth, from, motion, filter, out);
    }
}

/* Whether a mover at that place, on its way, is in a shape, deeper than rounding decides. */
static bool plain_in(const bs_rect *at, const double motion[DIM], const bs_shape *shape) {
    bs_shape box;
    bs_shape_set_box(&box, at);
    if (shape->kind != BS_BOX) {
        return bs_shapes_overlap(&box, shape);
    }
    for (int k = 0; k < DIM; k++) {
        double far = at->pos[k] + at->size[k];
        double other_far = shape->rect.pos[k] + shape->rect.size[k];
        double rounding =
            0x1p-46 * fmax(fabs(shape->rect.pos[k]), fmax(fabs(far), fabs(other_far)));
        bool shallow = (motion[k] > 0 && !(far - shape->rect.pos[k] > rounding)) ||
                       (motion[k] < 0 && !(other_far - at->pos[k] > rounding));
        if (shallow || !(at->pos[k] < other_far && shape->rect.pos[k] < far)) {
            return false;
        }
    }
    return true;
}

/* Whether it has come into a shape, or gone through it; and whether it started in there. */
static bool meets_shape(const plain_mover *m, const bs_shape *shape, bool *starts) {
    double motion[DIM];
    bs_rect start = plain_way(m, motion);
    bs_rect end = plain_box(m->shot.place, m->shot.size);
    bs_touch touch;
    bs_shape box;
    bs_shape_set_box(&box, &end);
    bool comes = shape->kind == BS_BOX ? oracle_sweep(&end, motion, &shape->rect, &touch)
                                       : bs_shapes_meet(&box, motion, shape, &touch);
    *starts = !m->still && plain_in(&start, motion, shape);
    return m->still ? m->steps > 0 : *starts || !comes || plain_in(&end, motion, shape);
}

/* Whether a mover tells of a box now, and not after another step. The first world remembers it. */
static bool is_told(trial *t, const subject *s, const plain_mover *m, const bs_shape *shape,
                    bs_id box) {
    bool starts;
    if (!meets_shape(m, shape, &starts)) {
        return false;
    }
    const uint64_t now = t->movers.now;
    bool was_asked = now > 0 && plain_was_asked(&t->meets, now - 1);
    bool was_met = was_asked ? plain_has_met(&t->meets, (plain_meet){m->id, box, now - 1}) : starts;
    if (s == t->subject) {
        bool done = plain_add_meet(&t->meets, (plain_meet){m->id, box, now});
        expect(t, s, done, "no memory");
    }
    return m->steps <= 1 || !was_met;
}

/* With `pierces`, all hits of each mover are checked; otherwise the first hit of each. */
static void expect_hits_in_world(trial *t, subject *s, const bs_filter *filter, bool pierces) {
    static oracle_hits met;
    t->pool_hits.n = 0;
    t->pool_meets.n = 0;
    const uint64_t world = (uint64_t)(s - t->subject) + 1;
    bs_piercing all = {.world = world, .every = &s->hits, .met = &t->pool_meets};
    bs_status status = bs_pool_hits_world(t->pool, s->world, filter, pierces ? &all : NULL,
                                          &t->pool_heap, &t->pool_hits);
    status = status == BS_OK && pierces
                 ? bs_pool_remember(t->pool, world, t->pool_meets.at, t->pool_meets.n)
                 : status;
    expect(t, s, status == BS_OK, "failed although there was memory");
    if (pierces) {
        plain_note_asked(&t->meets, t->movers.now);
    }
    size_t n = 0;
    const plain_mover *m;
    for (uint32_t i = 0; (m = plain_flown(&t->movers, i)) != NULL; i++) {
        double motion[DIM];
        bs_rect from = plain_way(m, motion);
        bs_filter both = *filter;
        both.also = m->shot.mask;
        meet_all(t, &from, motion, &both, &met);
        for (size_t k = 0; k < met.n && (k == 0 || pierces); k++) {
            const oracle_box *box = &t->truth.box[t->truth.rank[met.at[k].box]];
            bs_shape shape = shape_of(t, &t->truth.box[t->truth.rank[met.at[k].side_of]]);
            if (pierces && !is_told(t, s, m, &shape, box->id)) {
                continue;
            }
            expect(t, s, n < t->pool_hits.n, "a mover's hit is missing");
            expect_pool_hit(t, s, &t->pool_hits.at[n++], m, box->id, &shape, &met.at[k].touch);
        }
    }
    expect(t, s, n == t->pool_hits.n, "a mover's hit too many");
}

void do_pool_hits(trial *t) {
    bs_filter filter = any_filter(t);
    filter.also = BS_ANY_LAYER;
    EACH(t, s) {
        expect_hits_in_world(t, s, &filter, true);
        expect_hits_in_world(t, s, &filter, false);
    }
    if (t->shapes) {
        expect_ways_in_world(t, &filter);
    }
}

void do_pool_hits_rect(trial *t) {
    bs_rect rect = any_query(t);
    double motion[DIM];
    any_velocity(t, motion);
    uint64_t layer = next_chance(&t->in, 128) ? BS_ANY_LAYER : next_below(&t->in, 4);
    bs_rect start = rect;
    for (int k = 0; k < DIM; k++) {
        start.pos[k] -= motion[k];
    }
    if (!oracle_is_rect(&start, true)) {
        return;
    }
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    t->pool_hits.n = 0;
    bs_status status =
        bs_pool_hits_box(t->pool, &shape, motion, layer, &t->pool_heap, &t->pool_hits);
    expect(t, NULL, status == BS_OK, "failed although there was memory");
    size_t n = 0;
    const plain_mover *m;
    for (uint32_t i = 0; (m = plain_flown(&t->movers, i)) != NULL; i++) {
        bs_touch touch;
        double way[DIM];
        bs_rect from = plain_way(m, way);
        bool counts = layer == BS_ANY_LAYER || (layer & m->shot.mask) != 0;
        if (counts && oracle_sweep_both(&from, way, &start, motion, &touch)) {
            expect(t, NULL, n < t->pool_hits.n, "a mover's hit is missing");
            for (int k = 0; k < DIM; k++) { /* where it was then */
                shape.rect.pos[k] = start.pos[k] + motion[k] * touch.t;
            }
            expect_pool_hit(t, NULL, &t->pool_hits.at[n++], m, 0, &shape, &touch);
        }
    }
    expect(t, NULL, n == t->pool_hits.n, "a mover's hit too many");
}

void do_pool_write(trial *t) {
    static float rows[MOST_MOVERS * BS_ROW_FLOATS];
    bs_pool_write(t->pool, rows);
    for (uint32_t i = 0; i < t->movers.n; i++) {
        const plain_mover *m = &t->movers.mover[i];
        const float *row = rows + (size_t)i * BS_ROW_FLOATS;
        for (int k = 0; k < DIM; k++) {
            expect(t, NULL, row[k] == (float)m->shot.place[k], "writes another place");
            expect(t, NULL, row[DIM + k] == (float)m->shot.velocity[k], "writes another velocity");
        }
        expect(t, NULL, row[2 * DIM] == (float)m->shot.tag, "writes another tag");
    }
}
