/* questions.c: operations that query worlds and compare every answer with the oracle's. */
#include "trial.h"
#include "narrow/narrow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- pairs ---------------------------------------------------------------------------------- */

static bool seen[(size_t)MOST_BOXES * MOST_BOXES];

/* Each must be a pair, with the box inserted first in front, and none may occur twice. */
static void expect_pairs(trial *t, const subject *s, const bs_pairs *have, size_t n) {
    const oracle *o = &t->truth;
    memset(seen, 0, o->n * o->n * sizeof *seen);
    for (size_t i = 0; i < have->n; i++) {
        bs_pair pair = have->at[i];
        expect(t, s, bs_world_alive(s->world, pair.a) && bs_world_alive(s->world, pair.b),
               "a pair of a removed box");
        size_t a = o->rank[pair.a];
        size_t b = o->rank[pair.b];
        expect(t, s, a < b, "a pair begins with the later box");
        expect(t, s, !seen[a * o->n + b], "a pair twice");
        expect(t, s, oracle_makes_pair(&o->box[a], &o->box[b]), "a pair too many");
        seen[a * o->n + b] = true;
    }
    expect(t, s, have->n == n, "a pair is missing");
    note_bytes(t, have->at, n * sizeof *have->at);
}

/* Checks for the same pairs in the same order as in a world that was told the same. */
static void expect_order(trial *t, const subject *s, const bs_pairs *have, const bs_pairs *twin) {
    size_t size = have->n * sizeof *have->at;
    expect(t, s, size == 0 || memcmp(have->at, twin->at, size) == 0,
           "the variants find pairs in another order");
}

void do_pairs(trial *t) {
    const bs_pairs *have[MOST_SUBJECTS];
    size_t n = oracle_count_pairs(&t->truth);
    EACH(t, s) {
        size_t number = (size_t)(s - t->subject);
        UNTIL_DONE(t, s, bs_world_pairs(s->world, &have[number]));
        expect_pairs(t, s, have[number], n);
        if (number >= BACKENDS && !t->failed_once) {
            expect_order(t, s, have[number], have[number - BACKENDS]);
        }
    }
}

static void expect_contacts(trial *t, subject *s, bs_which which, const bs_contact *wanted,
                            size_t n) {
    bs_contacts contacts;
    bs_contact have;
    UNTIL_DONE(t, s, bs_world_contacts(s->world, which, &contacts));
    size_t count = bs_world_count_contacts(s->world, contacts);
    expect(t, s, count == n, "another number of contacts");
    for (size_t i = 0; i < n; i++) {
        expect(t, s, bs_world_next_contact(s->world, &contacts, &have), "a contact is missing");
        expect(t, s, have.phase == wanted[i].phase, "a contact is in another phase");
        expect(t, s, have.a == wanted[i].a && have.b == wanted[i].b, "another contact");
        note_bytes(t, &have.a, sizeof have.a);
        note_bytes(t, &have.b, sizeof have.b);
    }
    expect(t, s, !bs_world_next_contact(s->world, &contacts, &have), "there is one more contact");
}

/*
 * Asks each world for both kinds. Which kind comes last, before the contacts are marked as
 * reported, alternates from world to world.
 */
void do_contacts(trial *t) {
    size_t n[2];
    bs_contact *wanted[2];
    n[BS_ALL_CONTACTS] = oracle_contacts(&t->truth, &wanted[BS_ALL_CONTACTS]);
    n[BS_CHANGES] =
        oracle_changes(wanted[BS_ALL_CONTACTS], n[BS_ALL_CONTACTS], &wanted[BS_CHANGES]);
    EACH(t, s) {
        bs_which first = (s - t->subject) % 2 == 0 ? BS_ALL_CONTACTS : BS_CHANGES;
        bs_which last = first == BS_CHANGES ? BS_ALL_CONTACTS : BS_CHANGES;
        expect_contacts(t, s, first, wanted[first], n[first]);
        expect_contacts(t, s, last, wanted[last], n[last]);
        bs_world_contacts_done(s->world, (bs_contacts){.which = last});
    }
    free(wanted[BS_ALL_CONTACTS]);
    free(wanted[BS_CHANGES]);
}

/* --- queries -------------------------------------------------------------------------------- */

static void expect_list(trial *t, const subject *s, const oracle_list *wanted) {
    expect(t, s, s->list.n == wanted->n, "another number of boxes");
    for (size_t i = 0; i < wanted->n; i++) {
        expect(t, s, s->list.at[i] == wanted->at[i], "another box");
    }
    note_bytes(t, s->list.at, wanted->n * sizeof *s->list.at);
}

static void query(trial *t, const bs_rect *rect, const bs_filter *filter) {
    oracle_list wanted;
    bs_shape shape;
    bs_shape_set_box(&shape, rect);
    oracle_query(&t->truth, rect, filter, &wanted);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_query(s->world, &shape, filter, &s->list));
        expect_list(t, s, &wanted);
    }
}

void do_query(trial *t) {
    bs_rect rect = any_query(t);
    bs_filter filter = any_filter(t);
    query(t, &rect, &filter);
}

void do_query_box(trial *t) {
    const oracle_box *box = any_member(t);
    if (box != NULL) {
        bs_filter filter = any_filter(t);
        filter.self = box->index;
        query(t, &box->rect, &filter);
    }
}

void do_circle(trial *t) {
    double centre[DIM];
    any_point(t, centre);
    double radius = any_length(t);
    bs_filter filter = any_filter(t);
    oracle_list wanted;
    oracle_circle(&t->truth, centre, radius, &filter, &wanted);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_query_circle(s->world, centre, radius, &filter, &s->list));
        expect_list(t, s, &wanted);
    }
}

void do_nearest(trial *t) {
    double point[DIM];
    any_point(t, point);
    size_t k = next_below(&t->in, 8);
    k = k == 7 ? t->truth.n + 1 : k;
    double most = next_chance(&t->in, 128) ? HUGE_VAL : any_length(t);
    bs_filter filter = any_filter(t);
    oracle_list wanted;
    oracle_nearest(&t->truth, point, k, &filter, most, &wanted);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_nearest(s->world, point, k, &filter, most, &s->list));
        expect_list(t, s, &wanted);
    }
}

/* --- casts ---------------------------------------------------------------------------------- */

/* A point, a rect, or the rect of a box, which then may be excluded itself. */
static bs_rect any_start(trial *t, bs_filter *filter) {
    unsigned how = next_byte(&t->in);
    const oracle_box *box = how < 100 ? any_member(t) : NULL;
    if (box != NULL) {
        filter->self = how < 90 ? box->index : BS_NO_BOX;
        return box->rect;
    }
    bs_rect rect = any_query(t);
    if (how < 200) {
        memset(rect.size, 0, sizeof rect.size);
    }
    return rect;
}

enum { TOUCH_BYTES = offsetof(bs_touch, corner) }; /* the time and the normal */

static bool same_touch(const bs_touch *a, const bs_touch *b) {
    return memcmp(a, b, TOUCH_BYTES) == 0 && a->corner == b->corner;
}

static void expect_hit(trial *t, const subject *s, const bs_hit *have, const bs_hit *wanted) {
    expect(t, s, have->box == wanted->box, "hits another box");
    expect(t, s, same_touch(&have->touch, &wanted->touch),
           "hits it at another time, or from another side");
    note_bytes(t, &have->box, sizeof have->box);
    note_bytes(t, &have->touch, TOUCH_BYTES);
}

void do_cast(trial *t) {
    bs_filter filter = any_filter(t);
    bs_way way = {.from = any_start(t, &filter)};
    any_motion(t, &way.from, way.motion);
    oracle_hits wanted;
    oracle_cast(&t->truth, &way.from, way.motion, &filter, &wanted);
    EACH(t, s) {
        bs_hit hit;
        UNTIL_DONE(t, s, bs_world_cast(s->world, &way, &filter, &hit));
        if (wanted.n == 0) {
            expect(t, s, hit.box == BS_NO_BOX, "hits what is not in the way");
        } else {
            expect_hit(t, s, &hit, &wanted.at[0]);
            expect_point(t, s, &way, &hit);
        }
    }
}

void do_cast_all(trial *t) {
    bs_filter filter = any_filter(t);
    bs_way way = {.from = any_start(t, &filter)};
    any_motion(t, &way.from, way.motion);
    oracle_hits wanted;
    oracle_cast(&t->truth, &way.from, way.motion, &filter, &wanted);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_cast_all(s->world, &way, &filter, &s->hits));
        expect(t, s, s->hits.n == wanted.n, "another number of hits");
        for (size_t i = 0; i < wanted.n; i++) {
            expect_hit(t, s, &s->hits.at[i], &wanted.at[i]);
        }
    }
}

/* --- contents ------------------------------------------------------------------------------- */

static void expect_box(trial *t, const subject *s, const oracle_box *box) {
    const bs_world *w = s->world;
    double v[DIM];
    bs_layers layers = bs_world_layers(w, box->index);
    const bs_rect *rect = bs_world_rect(w, box->index);
    expect(t, s, memcmp(rect, &box->rect, sizeof *rect) == 0, "a box is somewhere else");
    note_bytes(t, rect, sizeof *rect);
    expect(t, s, bs_world_is_static(w, box->index) == box->is_static, "a box is of another part");
    expect(t, s, layers.layer == box->layers.layer && layers.mask == box->layers.mask,
           "a box has other layers");
    bs_world_velocity(w, box->index, v);
    expect(t, s, memcmp(v, box->velocity, sizeof v) == 0, "a box has another velocity");
    bs_world_acceleration(w, box->index, v);
    expect(t, s, memcmp(v, box->acceleration, sizeof v) == 0, "a box has another acceleration");
    const bs_conduct *conduct = bs_world_conduct(w, box->index);
    bool same = true;
#define COMPARE(type, kind, name, ...)                                                             \
    same = same && memcmp(&conduct->name, &box->conduct.name, sizeof conduct->name) == 0;
    BS_PROPERTIES(COMPARE, COMPARE)
#undef COMPARE
    expect(t, s, same, "a box has another conduct");
}

void do_contents(trial *t) {
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_list(s->world, &s->list));
        expect(t, s, bs_world_count(s->world) == t->truth.n, "counts its boxes wrongly");
        expect(t, s, s->list.n == t->truth.n, "lists another number of boxes");
        for (size_t i = 0; i < t->truth.n; i++) {
            expect(t, s, s->list.at[i] == t->truth.box[i].index, "lists another box");
            bs_id id = bs_world_id(s->world, s->list.at[i]);
            expect(t, s, id == t->truth.box[i].id, "a box has another id");
            expect_box(t, s, &t->truth.box[i]);
        }
        double gravity[DIM];
        bs_world_gravity(s->world, gravity);
        expect(t, s, memcmp(gravity, t->truth.gravity, sizeof gravity) == 0, "another gravity");
    }
}

/* Tests ids of boxes that exist, that existed, and that never existed. */
void do_find(trial *t) {
    const oracle_box *box = any_member(t);
    bs_id made_up = (bs_id)(BS_FIRST_GENERATION - 1 + next_below(&t->in, 3)) << BS_INDEX_BITS;
    made_up |= next_below(&t->in, 8);
    EACH(t, s) {
        uint32_t index = BS_NO_BOX;
        for (size_t i = 0; i < t->stales && i < STALE; i++) {
            expect(t, s, bs_world_find(s->world, t->stale[i], &index) == BS_REMOVED,
                   "does not know a box that was removed");
        }
        if (box != NULL) {
            expect(t, s, bs_world_find(s->world, box->id, &index) == BS_FOUND, "misses a box");
            expect(t, s, index == box->index, "takes one box for another");
        }
        bool found = bs_world_find(s->world, made_up, &index) == BS_FOUND;
        bool there = false;
        for (size_t i = 0; i < t->truth.n; i++) {
            there |= t->truth.box[i].id == made_up;
        }
        expect(t, s, found == there, "finds what is not there, or misses what is");
    }
}

/* Every other time it trims everything first, which must change nothing. */
void do_inspect(trial *t) {
    if (t->pool != NULL && t->step % 2 == 0) {
        bs_pool_trim(t->pool);
    }
    EACH(t, s) {
        if (t->step % 2 == 0) {
            bs_world_trim(s->world);
        }
        bs_stats moving, fixed;
        bs_world_stats(s->world, &moving, &fixed);
        expect(t, s, moving.boxes + fixed.boxes == t->truth.n, "figures of other boxes");
        bs_pictures pictures = {0};
        UNTIL_DONE(t, s, bs_world_pictures(s->world, &pictures));
        expect(t, s, pictures.n >= t->truth.n, "does not show all boxes");
        for (size_t i = 0; i < pictures.n; i++) {
            const bs_rect *r = &pictures.at[i].rect;
            if (i < t->truth.n) {
                const bs_rect *wanted = &t->truth.box[i].rect;
                expect(t, s, memcmp(r, wanted, sizeof *r) == 0, "shows a box somewhere else");
            }
            note_bytes(t, r, sizeof *r);
            for (int k = 0; k < DIM; k++) { /* at both ends of the doubles it is infinite */
                expect(t, s, isfinite(r->pos[k]) && r->size[k] >= 0, "shows what is no rect");
            }
        }
        bs_array_free(bs_world_heap(s->world), &pictures.at, &pictures.cap, sizeof *pictures.at);
        expect(t, s, bs_world_memory(s->world) > 0, "holds no memory");
    }
}

/* --- without a world ------------------------------------------------------------------------ */

static void expect_touch(trial *t, bool have, bool wanted, const bs_touch *a, const bs_touch *b) {
    expect(t, NULL, have == wanted, "meets, or does not");
    expect(t, NULL, !have || same_touch(a, b), "meets at another time");
}

void do_geometry(trial *t) {
    bs_rect a = any_query(t);
    bs_rect b = any_query(t);
    double va[DIM], vb[DIM], v[DIM], point[DIM];
    any_motion(t, &a, va);
    any_motion(t, &b, vb);
    any_point(t, point);
    bs_touch have, wanted;
    bool met = bs_sweep(&a, va, &b, NULL, &have);
    expect_touch(t, met, oracle_sweep(&a, va, &b, &wanted), &have, &wanted);
    met = bs_sweep(&a, va, &b, vb, &have);
    expect_touch(t, met, oracle_sweep_both(&a, va, &b, vb, &wanted), &have, &wanted);
    bool parted = bs_separation(&a, &b, v);
    expect(t, NULL, parted == oracle_separation(&a, &b, vb), "parts, or does not");
    expect(t, NULL, !parted || memcmp(v, vb, sizeof v) == 0, "parts in another way");
    expect(t, NULL, bs_overlap(&a, &b) == oracle_overlap(&a, &b), "overlaps, or does not");
    bs_rect dot = {{0}, {0}};
    memcpy(dot.pos, point, sizeof point);
    expect(t, NULL, bs_overlap(&a, &dot) == oracle_contains(&a, point), "contains, or does not");
    expect(t, NULL, bs_quarter_distance(point, &a) == oracle_quarter_distance(point, &a),
           "is farther away");
    expect(t, NULL, bs_rect_is_box(&a) == oracle_is_rect(&a, false), "is a box, or is not");
}
