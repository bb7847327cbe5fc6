/*
 * shapes.c: operations on worlds with circles and polygons; only in some trials.
 *
 * The narrow phase decides how two shapes meet, and spec/core/narrow_test.c compares it with
 * arithmetic of another kind. Here, plain loops over it say what worlds have to answer, on every
 * back end. No plain loop says where a box ends that moves among shapes. So all worlds must do the
 * same there, and no box may end inside a shape in which it was not before.
 */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "narrow/narrow.h"

/* --- from bytes ----------------------------------------------------------------------------- */

#if DIM == 2
/* Corners on a circle of radius 1, in 16 steps. Any of them make a convex polygon. */
static const double circle[16][2] = {{1, 0},  {0.92, 0.38},   {0.71, 0.71},   {0.38, 0.92},
                                     {0, 1},  {-0.38, 0.92},  {-0.71, 0.71},  {-0.92, 0.38},
                                     {-1, 0}, {-0.92, -0.38}, {-0.71, -0.71}, {-0.38, -0.92},
                                     {0, -1}, {0.38, -0.92},  {0.71, -0.71},  {0.92, -0.38}};

static void any_polygon(trial *t, const bs_rect *r, bs_shape *shape) {
    unsigned which = next_byte(&t->in) << 8;
    which |= next_byte(&t->in);
    shape->kind = BS_POLYGON;
    shape->corners = 0;
    for (unsigned i = 0; i < 16; i++) {
        if ((which >> i & 1) != 0) {
            double *corner = shape->corner[shape->corners++];
            corner[0] = r->pos[0] + (circle[i][0] + 1) / 2 * r->size[0];
            corner[1] = r->pos[1] + (circle[i][1] + 1) / 2 * r->size[1];
        }
    }
}
#endif

/* Makes a box if the numbers make no shape. */
void any_shape(trial *t, bs_shape *shape) {
    bs_rect rect = any_box(t);
    unsigned how = next_byte(&t->in);
    uint32_t corner;
    bs_shape_set_box(shape, &rect);
    if (how < 110) {
        bs_shape_set_circle(shape, rect.pos, rect.size[0]);
    }
#if DIM == 2
    if (how >= 110 && how < 220) {
        any_polygon(t, &rect, shape);
    }
#endif
    if (bs_shape_check(shape, &corner) != BS_SHAPE_IS_FINE) {
        bs_shape_set_box(shape, &rect);
    }
}

/* --- what all worlds have ------------------------------------------------------------------- */

bs_shape shape_of(const trial *t, const oracle_box *box) {
    bs_shape shape;
    bs_world_shape(t->subject[0].world, box->index, &shape);
    return shape;
}

/*
 * All worlds must have the same boxes and shapes. Copies the places of the first world into the
 * oracle.
 */
static void agree(trial *t) {
    for (size_t i = 0; i < t->truth.n; i++) {
        oracle_box *box = &t->truth.box[i];
        box->rect = *bs_world_rect(t->subject[0].world, box->index);
        bs_shape first = shape_of(t, box);
        note_bytes(t, &box->rect, sizeof box->rect);
        EACH(t, s) {
            bs_shape have;
            bs_world_shape(s->world, box->index, &have);
            bool same =
                have.kind == first.kind && memcmp(&have.rect, &first.rect, sizeof have.rect) == 0;
            if (have.kind == BS_CIRCLE) {
                same = same && have.radius == first.radius &&
                       memcmp(have.centre, first.centre, sizeof have.centre) == 0;
            }
            if (have.kind == BS_POLYGON) {
                same = same &&
                       memcmp(have.corner, first.corner, have.corners * sizeof *have.corner) == 0;
            }
            expect(t, s, same, "has another shape");
        }
    }
}

void do_insert_shape(trial *t) {
    if (t->truth.n == t->most) {
        return;
    }
    bs_shape shape;
    bs_props props = bs_props_default();
    any_shape(t, &shape);
    props.is_static = next_chance(&t->in, 100);
    props.layers = next_chance(&t->in, 30) ? any_layers(t) : props.layers;
    props.conduct = next_chance(&t->in, 100) ? any_conduct(t) : props.conduct;
    uint32_t index = BS_NO_BOX;
    EACH(t, s) {
        uint32_t box;
        UNTIL_DONE(t, s, bs_world_insert(s->world, &shape, &props, &box));
        expect(t, s, index == BS_NO_BOX || box == index, "gives another index");
        index = box;
    }
    bs_id id = bs_world_id(t->subject[0].world, index);
    oracle_insert(&t->truth, index, id, &shape.rect, &props);
    agree(t);
}

void do_set_shape(trial *t) {
    const oracle_box *box = any_member(t);
    bs_shape shape;
    any_shape(t, &shape);
    if (box != NULL) {
        EACH(t, s) {
            UNTIL_DONE(t, s, bs_world_set_shape(s->world, box->index, &shape));
        }
        agree(t);
    }
}

void do_update_shape(trial *t) {
    const oracle_box *box = any_member(t);
    bs_rect rect = any_box(t);
    if (box == NULL) {
        return;
    }
    bs_shape_kind kind = bs_world_shape_kind(t->subject[0].world, box->index);
    bool resize = next_chance(&t->in, 60);
    for (int k = 0; k < DIM; k++) {
        rect.size[k] = !resize             ? box->rect.size[k]
                       : kind == BS_CIRCLE ? rect.size[0]
                                           : rect.size[k];
    }
    if (oracle_is_rect(&rect, false)) {
        EACH(t, s) {
            bs_world_update(s->world, box->index, &rect);
        }
        agree(t);
    }
}

/* Turns by a quarter, or in 2D by any angle. */
void do_transform_shape(trial *t) {
    const oracle_box *box = any_member(t);
    bs_transform tr = bs_transform_identity();
    any_velocity(t, tr.translation);
    unsigned how = next_byte(&t->in);
    for (int k = 0; k < DIM; k++) {
        tr.scale[k] = how < 128 ? 1 : how < 200 ? 0.75 : 1 + k;
    }
    tr.rotated = next_chance(&t->in, 128);
    tr.rotation[0][1] = -1;
    tr.rotation[1][0] = 1;
#if DIM == 3
    tr.rotation[2][2] = 1;
#else
    if (tr.rotated && next_chance(&t->in, 128)) {
        bs_transform_rotate(&tr, any_angle(t));
    }
#endif
    bool valid = false;
    for (subject *s = t->subject; box != NULL && s < t->subject + t->subjects; s++) {
        bs_rect result;
        UNTIL_DONE(t, s, bs_world_transform(s->world, box->index, &tr, &result));
        bool fits = bs_rect_is_box(&result);
        expect(t, s, s == t->subject || fits == valid, "takes another shape");
        valid = fits;
    }
    agree(t);
}

/* --- questions ------------------------------------------------------------------------------ */

static bool pair_overlaps(const trial *t, const oracle_box *a, const oracle_box *b) {
    bs_shape sa = shape_of(t, a);
    bs_shape sb = shape_of(t, b);
    return oracle_makes_pair(a, b) && bs_shapes_overlap(&sa, &sb);
}

void do_pairs_of_shapes(trial *t) {
    const oracle *o = &t->truth;
    size_t n = 0;
    for (size_t i = 0; i < o->n; i++) {
        for (size_t j = i + 1; j < o->n; j++) {
            n += pair_overlaps(t, &o->box[i], &o->box[j]);
        }
    }
    EACH(t, s) {
        const bs_pairs *have;
        UNTIL_DONE(t, s, bs_world_pairs(s->world, &have));
        expect(t, s, have->n == n, "another number of pairs");
        for (size_t i = 0; i < have->n; i++) {
            size_t a = o->rank[have->at[i].a];
            size_t b = o->rank[have->at[i].b];
            expect(t, s, a < b && pair_overlaps(t, &o->box[a], &o->box[b]), "a pair too many");
        }
    }
}

static void expect_boxes(trial *t, const subject *s, const oracle_list *wanted) {
    size_t size = wanted->n * sizeof *wanted->at;
    expect(t, s, s->list.n == wanted->n, "another number of boxes");
    expect(t, s, size == 0 || memcmp(s->list.at, wanted->at, size) == 0, "another box");
    note_bytes(t, wanted->at, size);
}

void do_query_shape(trial *t) {
    bs_shape shape;
    bs_filter filter = any_filter(t);
    any_shape(t, &shape);
    if (next_chance(&t->in, 60)) {
        bs_rect rect = any_query(t);
        bs_shape_set_box(&shape, &rect);
    }
    oracle_list wanted = {.n = 0};
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *box = &t->truth.box[i];
        bs_shape other = shape_of(t, box);
        if (oracle_passes(&filter, box) && bs_shapes_overlap(&shape, &other)) {
            wanted.at[wanted.n++] = box->index;
        }
    }
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_query(s->world, &shape, &filter, &s->list));
        expect_boxes(t, s, &wanted);
    }
}

static double quarter_to_shape(const double point[DIM], const bs_shape *shape) {
    double quarter = oracle_quarter_distance(point, &shape->rect);
    return shape->kind == BS_BOX ? quarter : fmax(bs_shape_quarter_distance(point, shape), quarter);
}

void do_nearest_shape(trial *t) {
    double point[DIM];
    bs_filter filter = any_filter(t);
    any_point(t, point);
    size_t k = 1 + next_below(&t->in, 8);
    static double distance[MOST_BOXES];
    oracle_list wanted = {.n = 0};
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *box = &t->truth.box[i];
        bs_shape shape = shape_of(t, box);
        double d = quarter_to_shape(point, &shape);
        size_t at = wanted.n;
        if (!oracle_passes(&filter, box)) {
            continue;
        }
        for (; at > 0 && distance[at - 1] > d; at--) {
            distance[at] = distance[at - 1];
            wanted.at[at] = wanted.at[at - 1];
        }
        distance[at] = d;
        wanted.at[at] = box->index;
        wanted.n++;
    }
    wanted.n = k < wanted.n ? k : wanted.n;
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_nearest(s->world, point, k, &filter, HUGE_VAL, &s->list));
        expect_boxes(t, s, &wanted);
    }
}

/* Whether a hit comes before another one. */
static bool is_sooner(const bs_touch *a, const bs_touch *b) {
    return a->t != b->t ? a->t < b->t : !a->corner && b->corner;
}

/* Finds everything that a shape hits on its way, in order. */
void meet_shapes(const trial *t, const bs_shape *from, const double motion[DIM],
                 const bs_filter *filter, oracle_hits *out) {
    out->n = 0;
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *box = &t->truth.box[i];
        bs_shape other = shape_of(t, box);
        bs_hit hit = {.box = box->index, .side_of = box->index};
        if (!oracle_passes(filter, box) || !bs_shapes_meet(from, motion, &other, &hit.touch)) {
            continue;
        }
        size_t at = out->n++;
        for (; at > 0 && is_sooner(&hit.touch, &out->at[at - 1].touch); at--) {
            out->at[at] = out->at[at - 1];
        }
        out->at[at] = hit;
    }
    bool has_shape[MOST_BOXES];
    for (size_t i = 0; i < t->truth.n; i++) {
        has_shape[i] = shape_of(t, &t->truth.box[i]).kind != BS_BOX;
    }
    oracle_add_seams(&t->truth, has_shape, &from->rect, motion, filter, out);
}

void do_cast_shape(trial *t) {
    bs_shape from;
    double motion[DIM];
    bs_filter filter = any_filter(t);
    any_shape(t, &from);
    if (next_chance(&t->in, 80)) {
        bs_rect rect = any_query(t);
        bs_shape_set_box(&from, &rect);
    }
    any_motion(t, &from.rect, motion);
    static oracle_hits wanted;
    meet_shapes(t, &from, motion, &filter, &wanted);
    const size_t n = wanted.n;
    bs_way way = {.from = from.rect, .shape = &from};
    memcpy(way.motion, motion, sizeof motion);
    if (from.kind == BS_BOX && n % 2 == 0) { /* It counts as the same. */
        way.shape = NULL;
    }
    EACH(t, s) {
        bs_hit hit;
        UNTIL_DONE(t, s, bs_world_cast(s->world, &way, &filter, &hit));
        expect(t, s, hit.box == (n > 0 ? wanted.at[0].box : BS_NO_BOX), "another first hit");
        expect(t, s, n == 0 || hit.touch.t == wanted.at[0].touch.t, "another time");
        expect_point(t, s, &way, &hit);
        UNTIL_DONE(t, s, bs_world_cast_all(s->world, &way, &filter, &s->hits));
        expect(t, s, s->hits.n == n, "another number of hits");
        for (size_t i = 0; i < n; i++) {
            expect(t, s, s->hits.at[i].box == wanted.at[i].box, "another hit");
            note_bytes(t, s->hits.at[i].touch.normal, sizeof s->hits.at[i].touch.normal);
        }
    }
}

/* --- movement ------------------------------------------------------------------------------- */

/* Lists the boxes that the box overlaps, and that could stop it. */
static void list_solid(const trial *t, const oracle_box *box, oracle_list *out) {
    bs_shape shape = shape_of(t, box);
    out->n = 0;
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *other = &t->truth.box[i];
        bs_shape around = shape_of(t, other);
        bool one_way = false;
        for (int k = 0; k < DIM; k++) {
            one_way = one_way || other->conduct.one_way[k] != 0;
        }
        bool meet = (box->layers.mask & other->layers.layer) != 0 &&
                    (other->layers.mask & box->layers.layer) != 0;
        meet = meet && !box->conduct.sensor && !other->conduct.sensor;
        if (other != box && meet && !one_way && bs_shapes_overlap(&shape, &around)) {
            out->at[out->n++] = other->index;
        }
    }
}

/* The host's answer, by ids. */
static bs_response answer(void *world, uint32_t self, uint32_t other) {
    (void)self;
    return (bs_response)(bs_world_id(world, other) % BS_RESPONSES);
}

/* Slides to a goal. The box must not end inside a shape in which it was not before. */
void do_move_shape(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    bs_rules rules = bs_rules_default();
    double motion[DIM];
    bs_rect there = box->rect;
    any_motion(t, &there, motion);
    unsigned how = next_byte(&t->in);
    rules.mask[BS_BOUNCE] = how < 60 ? BS_ANY_LAYER : 0;
    rules.mask[BS_TOUCH] = how >= 60 && how < 90 ? BS_ANY_LAYER : 0;
    rules.ask = how >= 90 && how < 120 ? answer : NULL;
    for (int k = 0; k < DIM; k++) {
        there.pos[k] += motion[k];
        if (!isfinite(there.pos[k] - box->rect.pos[k])) {
            return;
        }
    }
    if (!oracle_is_rect(&there, false)) {
        return;
    }
    oracle_list before;
    oracle_list after;
    list_solid(t, box, &before);
    expect_laws(t, box, &there, &rules);
    EACH(t, s) {
        bs_move *m;
        rules.host = s->world;
        while ((m = bs_move_run(s->world, box->index, there.pos, &rules)) == NULL) {
            again(t, s, BS_NO_MEMORY);
        }
        bs_rect rect = bs_move_rect(m);
        const bs_collisions *met = bs_move_collisions(m);
        for (size_t i = 0; i < met->n; i++) {
            expect(t, s, met->at[i].t >= 0 && met->at[i].t <= 1, "a time is not on the way");
        }
        bs_move_end(m);
        expect(t, s, oracle_is_rect(&rect, false), "moves to where no box can be");
        bs_world_update(s->world, box->index, &rect);
    }
    agree(t);
    list_solid(t, box, &after);
    for (size_t i = 0, j = 0; i < after.n && rules.ask == NULL; i++) {
        while (j < before.n && t->truth.rank[before.at[j]] < t->truth.rank[after.at[i]]) {
            j++;
        }
        expect(t, NULL, j < before.n && before.at[j] == after.at[i], "ends in something");
    }
}

void do_push_shape(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    bs_rules rules = bs_rules_default();
    double motion[DIM];
    bs_rect there = box->rect;
    any_motion(t, &there, motion);
    for (int k = 0; k < DIM; k++) {
        there.pos[k] += motion[k];
        if (!isfinite(there.pos[k] - box->rect.pos[k])) {
            return;
        }
    }
    if (!oracle_is_rect(&there, false)) {
        return;
    }
    EACH(t, s) {
        bs_pushes pushes;
        bs_status status;
        do {
            bs_call_begin(s->world);
            status = bs_push_run(s->world, &box->index, &there, 1, &rules, &pushes);
            bs_call_end(s->world, status == BS_OK);
        } while (again(t, s, status));
    }
    agree(t);
}

void do_step_shapes(trial *t) {
    double dt = next_chance(&t->in, 200) ? 1 : 0.5;
    if (is_crowd(t)) {
        return;
    }
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_step(s->world, dt));
    }
    agree(t);
}

void do_resolve_shape(trial *t) {
    const oracle_box *box = any_member(t);
    double first[DIM] = {0};
    for (subject *s = t->subject; box != NULL && s < t->subject + t->subjects; s++) {
        double push[DIM];
        uint32_t n;
        UNTIL_DONE(t, s, bs_world_resolve(s->world, box->index, &bs_filter_all, push, &n));
        expect(t, s, s == t->subject || memcmp(push, first, sizeof push) == 0, "another push");
        memcpy(first, push, sizeof push);
    }
    agree(t);
}

void do_places_of_shapes(trial *t) {
    const oracle_box *box = any_member(t);
    bs_rules rules = bs_rules_default();
    int axis = (int)next_below(&t->in, DIM);
    bool up = next_chance(&t->in, 128);
    oracle_list first[2];
    for (subject *s = t->subject; box != NULL && s < t->subject + t->subjects; s++) {
        for (int i = 0; i < 2; i++) {
            if (i == 0) {
                UNTIL_DONE(t, s,
                           bs_world_touching(s->world, box->index, axis, up, &rules, &s->list));
            } else {
                UNTIL_DONE(t, s,
                           bs_world_blocking(s->world, box->index, &box->rect, &rules, &s->list));
            }
            if (s == t->subject) {
                first[i].n = s->list.n;
                for (size_t j = 0; j < s->list.n; j++) {
                    first[i].at[j] = s->list.at[j];
                }
            }
            expect_boxes(t, s, &first[i]);
        }
    }
}
