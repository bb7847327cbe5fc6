/*
 * memory_test.c: worlds and pools in C whose memory runs out at each place, one after the other.
 *
 *     memory_test2 [every]        `every`: only at each every-th place
 *
 * A script of calls runs on each back end. It first runs with all the memory that it wants. Then it
 * runs with request number 1, 2, 3, ... refused, until there is no request with that number. Then
 * it does all that again, with every further request also refused until the call ends. A call that
 * fails must leave a world in which the checkers find nothing, and must succeed when it is
 * repeated. Then every answer must be that of the first run. At the end no memory may be left.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/backends.h"
#include "broadside/pool.h"
#include "checkers/checkers.h"
#include "motion/motion.h"

enum { BOXES = 240, CALLS = 4000 };

static const char *const names[] = {"brute", "sweep", "grid", "tree", "auto"};
enum { TYPES = sizeof names / sizeof *names };

/* --- memory --------------------------------------------------------------------------------- */

typedef struct memory {
    uint64_t requests;
    uint64_t refused_from; /* the number of the request, or 0 for none */
    bool goes_on;          /* refuse all requests after it, too, until there is memory again */
    size_t most;           /* how many bytes may be held in all; 0 for no limit */
    size_t held;
    uint64_t refused;
} memory;

static void *resize(void *host, void *block, size_t old_size, size_t new_size) {
    memory *m = host;
    size_t held = m->held - old_size + new_size;
    if (new_size == 0) {
        m->held = held;
        free(block);
        return NULL;
    }
    m->requests++;
    bool refused = m->goes_on ? m->requests >= m->refused_from : m->requests == m->refused_from;
    if ((m->refused_from != 0 && refused) || (m->most > 0 && held > m->most)) {
        m->refused++;
        return NULL;
    }
    m->held = held;
    return realloc(block, new_size);
}

static void feed(memory *m) {
    if (m->refused > 0) {
        m->refused_from = 0;
    }
}

/* --- what runs ------------------------------------------------------------------------------ */

typedef struct run {
    memory memory;
    const bs_backend_type *type;
    bs_world *w;
    bs_pool *pool;
    bs_snapshot *snapshot;
    bs_bytes bytes;
    uint32_t box[BOXES];
    bs_list list;
    bs_hits hits;
    bs_contacts contacts;
    bs_pictures pictures;
    bs_pool_hits pool_hits;
    bs_pool_snapshot *pool_snapshot;
    bs_bytes pool_bytes;
    void *models; /* the models that a decoded pool has brought */
    uint64_t answer;
} run;

/* Mixes two numbers into one. */
static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t z = (a + 1) * 0x9e3779b97f4a7c15u + b;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double unit(uint64_t a, uint64_t b) {
    return (double)(mix(a, b) >> 11) * 0x1p-53;
}

static void answer(run *r, const void *data, size_t size) {
    const uint8_t *at = data;
    for (size_t i = 0; i < size; i++) {
        r->answer = (r->answer ^ at[i]) * 0x100000001b3u;
    }
}

/* Places of boxes. Each scene has other places, and some have other sizes. */
enum { CROWD, MOVED, SIZES, FAR_APART, ONE_PLACE, SCENES };

static bs_rect place(int i, int scene) {
    static const double extents[SCENES] = {250, 250, 1000, 1e6, 1};
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        uint64_t number = (uint64_t)(i * DIM + k);
        double x = unit(number, scene == MOVED ? CROWD : (uint64_t)scene);
        rect.pos[k] = x * extents[scene] + (scene == MOVED ? 3 : 0);
        rect.size[k] = scene == SIZES ? 1 + 200 * x * x * x : 5 + 25 * unit(number, 77);
    }
    return rect;
}

/* --- calls: each may be made again if it fails ---------------------------------------------- */

static bs_status insert(run *r, int i) {
    bs_rect rect = place(i, CROWD);
    bs_props props = bs_props_default();
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    props.is_static = i % 5 == 0;
    bs_status status = bs_world_insert(r->w, &shape, &props, &r->box[i]);
    if (status == BS_OK) {
        answer(r, &r->box[i], sizeof r->box[i]);
    }
    return status;
}

/* Of each four boxes, two are circles. In 2D one more is a polygon of 4 to 8 corners. */
static void shape_of(int i, int scene, bs_shape *shape) {
    bs_rect rect = place(i, scene);
    double centre[DIM];
    for (int k = 0; k < DIM; k++) {
        centre[k] = rect.pos[k] + rect.size[k] / 2;
    }
    bs_shape_set_box(shape, &rect);
    if (i % 4 < 2) {
        bs_shape_set_circle(shape, centre, rect.size[0] / 2);
    }
#if DIM == 2
    static const double corners[][2] = {{0, 2}, {0, 1}, {1, 0}, {2, 0},
                                        {3, 1}, {3, 2}, {2, 3}, {1, 3}};
    shape->corners = (uint32_t)(4 + i % 5);
    for (uint32_t c = 0; i % 4 == 2 && c < shape->corners; c++) {
        shape->kind = BS_POLYGON;
        shape->corner[c][0] = rect.pos[0] + corners[c][0] / 3 * rect.size[0];
        shape->corner[c][1] = rect.pos[1] + corners[c][1] / 3 * rect.size[1];
    }
#endif
    uint32_t corner;
    if (bs_shape_check(shape, &corner) != BS_SHAPE_IS_FINE) {
        abort();
    }
}

static bs_status insert_shape(run *r, int i) {
    bs_shape shape;
    bs_props props = bs_props_default();
    props.is_static = i % 5 == 0;
    shape_of(i, CROWD, &shape);
    bs_status status = bs_world_insert(r->w, &shape, &props, &r->box[i]);
    if (status == BS_OK) {
        answer(r, &r->box[i], sizeof r->box[i]);
    }
    return status;
}

static bs_status set_shape(run *r, int i) {
    bs_shape shape;
    shape_of(i + 1, i % 2 == 0 ? MOVED : CROWD, &shape);
    return bs_world_set_shape(r->w, r->box[i], &shape);
}

static bs_status query_shape(run *r, int i) {
    bs_shape shape;
    bs_world_shape(r->w, r->box[i], &shape);
    bs_status status = bs_world_query(r->w, &shape, &bs_filter_all, &r->list);
    if (status == BS_OK) {
        answer(r, r->list.at, r->list.n * sizeof *r->list.at);
    }
    return status;
}

static bs_status remove_it(run *r, int i) {
    bs_world_remove(r->w, r->box[i]);
    return BS_OK;
}

static bs_status clear(run *r, int unused) {
    (void)unused;
    bs_world_clear(r->w);
    return BS_OK;
}

/* Must neither fail nor change any answer, whichever requests are refused. */
static bs_status trim(run *r, int unused) {
    (void)unused;
    bs_world_trim(r->w);
    if (r->pool != NULL) {
        bs_pool_trim(r->pool);
    }
    return BS_OK;
}

static bs_status reserve(run *r, int n) {
    return bs_world_reserve(r->w, (uint32_t)n);
}

static bs_status move_one(run *r, int i) {
    bs_rect rect = place(i, i % SCENES);
    for (int k = 1; k < DIM && bs_world_shape_kind(r->w, r->box[i]) == BS_CIRCLE; k++) {
        rect.size[k] = rect.size[0];
    }
    bs_world_update(r->w, r->box[i], &rect);
    return BS_OK;
}

static bs_status move_all(run *r, int scene) {
    static bs_rect rects[BOXES];
    for (int i = 0; i < BOXES; i++) {
        rects[i] = place(i, scene);
    }
    bs_world_update_many(r->w, r->box, rects, BOXES);
    return BS_OK;
}

static bs_status set_velocity(run *r, int i) {
    double v[DIM] = {unit((uint64_t)i, 1), unit((uint64_t)i, 2)};
    return bs_world_set_velocity(r->w, r->box[i], v);
}

static bs_status set_acceleration(run *r, int i) {
    double v[DIM] = {unit((uint64_t)i, 3), unit((uint64_t)i, 4)};
    return bs_world_set_acceleration(r->w, r->box[i], v);
}

static bs_status step(run *r, int unused) {
    (void)unused;
    return bs_world_step(r->w, 1);
}

static bs_status set_gravity(run *r, int down) {
    double gravity[DIM] = {0, down};
    bs_world_set_gravity(r->w, gravity);
    return BS_OK;
}

/* Gives box i a response by its number. Every third box is one-way. */
static bs_status set_conduct(run *r, int i) {
    bs_conduct conduct = bs_props_default().conduct;
    conduct.response = (bs_response)(1 + i % BS_CROSS);
    conduct.bounce = 0.5;
    conduct.one_way[1] = i % 3 == 0 ? -1 : 0;
    conduct.sensor = i % 7 == 0;
    conduct.gravity_scale = i % 2;
    return bs_world_set_conduct(r->w, r->box[i], &conduct);
}

static void answer_rect(run *r, int i) {
    const bs_rect *rect = bs_world_rect(r->w, r->box[i]);
    answer(r, rect, sizeof *rect);
}

/* Steps, and adds to the answer what boxes with a response have hit. */
static bs_status step_and_tell(run *r, int unused) {
    (void)unused;
    bs_status status = bs_world_step(r->w, 1);
    const bs_step_hits *hits = bs_world_step_hits(r->w);
    for (size_t i = 0; status == BS_OK && i < hits->n; i++) {
        const bs_step_hit *hit = &hits->at[i];
        answer(r, &hit->other, sizeof hit->other);
        answer(r, &hit->t, sizeof hit->t);
    }
    for (int i = 0; status == BS_OK && i < BOXES; i++) {
        if (bs_world_alive(r->w, r->box[i])) {
            answer_rect(r, i);
        }
    }
    return status;
}

/* Every other rule asks the host, which moves another box while it is asked. */
static bs_rules rules_for(int i) {
    bs_rules rules = bs_rules_default();
    rules.mask[BS_CROSS] = i % 3 == 1 ? BS_ANY_LAYER : 0;
    rules.mask[BS_SLIDE] = i % 3 == 1 ? 0 : BS_ANY_LAYER;
    rules.ask = i % 2 == 1;
    return rules;
}

static bs_status finish_way(run *r, bs_move *m, bool asked) {
    uint32_t other;
    bs_progress progress;
    while ((progress = bs_move_run(m, &other)) == BS_MOVE_ASKS) {
        bs_rules rules = bs_rules_default();
        const double goal[DIM] = {100, 100};
        bs_move *within = bs_move_begin(r->w, other, goal, &rules);
        if (within == NULL || finish_way(r, within, true) != BS_OK) {
            progress = BS_MOVE_NO_MEMORY;
            break;
        }
        bs_move_answer(m, (bs_response)(other % BS_RESPONSES));
    }
    bs_status status = progress == BS_MOVE_DONE ? BS_OK : BS_NO_MEMORY;
    for (size_t i = 0; status == BS_OK && !asked && i < bs_move_collisions(m)->n; i++) {
        const bs_collision *c = &bs_move_collisions(m)->at[i];
        answer(r, &c->id, sizeof c->id);
        answer(r, c->place, sizeof c->place);
    }
    bs_move_end(m);
    return status;
}

static bs_status move_to(run *r, int i) {
    bs_rect rect = place(i + 1, CROWD);
    bs_rules rules = rules_for(i);
    bs_move *m = bs_move_begin(r->w, r->box[i], rect.pos, &rules);
    if (m == NULL || finish_way(r, m, false) != BS_OK) {
        return BS_NO_MEMORY;
    }
    rect = bs_move_rect(m);
    answer(r, &rect, sizeof rect);
    bs_world_update(r->w, r->box[i], &rect);
    return BS_OK;
}

/* Every third push is undone. */
static bs_status push(run *r, int i) {
    bs_rect rect = place(i + 1, CROWD);
    bs_rules rules = rules_for(i);
    bs_push *p = bs_push_begin(r->w, &r->box[i], &rect, 1, &rules);
    if (p == NULL) {
        return BS_NO_MEMORY;
    }
    size_t n;
    bs_pushed *row = bs_push_rows(p, &n);
    for (size_t k = 0; k < n; k++) {
        row[k].response = row[k].response == BS_UNKNOWN ? BS_SLIDE : row[k].response;
    }
    bs_status status = bs_push_run(p);
    row = bs_push_rows(p, &n);
    for (size_t k = 0; status == BS_OK && k < n; k++) {
        answer(r, &row[k].id, sizeof row[k].id);
        answer(r, row[k].place, sizeof row[k].place);
    }
    if (status == BS_OK && i % 3 == 2) {
        bs_push_undo(p);
    }
    bs_push_end(p);
    for (int k = 0; status == BS_OK && k < BOXES; k++) {
        if (bs_world_alive(r->w, r->box[k])) {
            answer_rect(r, k);
        }
    }
    return status;
}

static bs_status set_object_rect(run *r, int i) {
    bs_rect rect = place(i, SIZES);
    return bs_world_set_object_rect(r->w, r->box[i], &rect);
}

static bs_status set_rotates(run *r, int i) {
    bs_world_set_rotates(r->w, r->box[i], false);
    return BS_OK;
}

static bs_status transform(run *r, int i) {
    bs_transform tr = bs_transform_identity();
    tr.translation[0] = 7;
    bs_rect rect;
    return bs_world_transform(r->w, r->box[i], &tr, &rect);
}

static bs_status set_static(run *r, int i) {
    return bs_world_set_static(r->w, r->box[i], !bs_world_is_static(r->w, r->box[i]));
}

static bs_status resolve(run *r, int i) {
    double push[DIM];
    uint32_t n;
    bs_status status = bs_world_resolve(r->w, r->box[i], &bs_filter_all, NULL, NULL, push, &n);
    if (status == BS_OK) {
        answer(r, push, sizeof push);
    }
    return status;
}

static bs_status set_backend(run *r, int number) {
    const bs_backend_type *type = number < 0 ? r->type : bs_backend_find(names[number]);
    return bs_world_set_backend(r->w, type, &(bs_settings){.margin = -1});
}

/* The order of the pairs does not matter. */
static bs_status pairs(run *r, int unused) {
    (void)unused;
    const bs_pairs *found;
    bs_status status = bs_world_pairs(r->w, &found);
    for (size_t i = 0; status == BS_OK && i < found->n; i++) {
        r->answer += mix(found->at[i].a, found->at[i].b);
    }
    return status;
}

static bs_status contacts(run *r, int unused) {
    (void)unused;
    bs_status status = bs_world_contacts(r->w, BS_ALL_CONTACTS, &r->contacts);
    if (status == BS_OK) {
        bs_world_contacts_done(r->w);
    }
    for (size_t i = 0; status == BS_OK && i < r->contacts.n; i++) {
        const bs_contact *c = &r->contacts.at[i];
        uint64_t all[] = {c->phase, c->a, c->b};
        answer(r, all, sizeof all);
    }
    return status;
}

static bs_status answer_list(run *r, bs_status status) {
    if (status == BS_OK) {
        answer(r, r->list.at, r->list.n * sizeof *r->list.at);
    }
    return status;
}

static bs_status query(run *r, int i) {
    bs_rect rect = place(i, SIZES);
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    return answer_list(r, bs_world_query(r->w, &shape, &bs_filter_all, &r->list));
}

static bs_status touching(run *r, int i) {
    bs_rules rules = rules_for(i);
    return answer_list(r, bs_world_touching(r->w, r->box[i], i % DIM, i % 4 < 2, &rules, &r->list));
}

static bs_status blocking(run *r, int i) {
    bs_rect rect = place(i, SIZES);
    bs_rules rules = rules_for(i);
    return answer_list(r, bs_world_blocking(r->w, r->box[i], &rect, &rules, &r->list));
}

static bs_status circle(run *r, int i) {
    bs_rect rect = place(i, CROWD);
    return answer_list(r, bs_world_query_circle(r->w, rect.pos, 60, &bs_filter_all, &r->list));
}

static bs_status nearest(run *r, int i) {
    bs_rect rect = place(i, CROWD);
    return answer_list(
        r, bs_world_nearest(r->w, rect.pos, BOXES / 2, &bs_filter_all, HUGE_VAL, &r->list));
}

static bs_status list(run *r, int unused) {
    (void)unused;
    return answer_list(r, bs_world_list(r->w, &r->list));
}

static bs_status answer_hits(run *r, bs_status status, const bs_hit *hits, size_t n) {
    for (size_t i = 0; status == BS_OK && i < n; i++) {
        answer(r, &hits[i].box, sizeof hits[i].box);
        answer(r, &hits[i].touch.t, sizeof hits[i].touch.t);
    }
    return status;
}

static double drift(int i, uint64_t salt) {
    return 200 * unit((uint64_t)i, salt) - 100;
}

static bs_status cast(run *r, int i) {
    bs_way way = {.from = place(i, CROWD), .motion = {drift(i, 5), drift(i, 6)}};
    bs_hit hit = {.box = BS_NO_BOX};
    bs_status status = bs_world_cast(r->w, &way, &bs_filter_all, &hit);
    return answer_hits(r, status, &hit, hit.box != BS_NO_BOX);
}

static bs_status cast_all(run *r, int i) {
    bs_way way = {.from = place(i, CROWD), .motion = {400, 300}};
    bs_status status = bs_world_cast_all(r->w, &way, &bs_filter_all, &r->hits);
    return answer_hits(r, status, r->hits.at, r->hits.n);
}

static bs_status cast_shape(run *r, int i) {
    bs_shape shape;
    shape_of(i, CROWD, &shape);
    bs_way way = {shape.rect, {drift(i, 5), drift(i, 6)}, &shape};
    bs_hit hit = {.box = BS_NO_BOX};
    bs_status status = bs_world_cast(r->w, &way, &bs_filter_all, &hit);
    return answer_hits(r, status, &hit, hit.box != BS_NO_BOX);
}

static bs_status cast_shape_all(run *r, int i) {
    bs_shape shape;
    shape_of(i, CROWD, &shape);
    bs_way way = {shape.rect, {400, 300}, &shape};
    bs_status status = bs_world_cast_all(r->w, &way, &bs_filter_all, &r->hits);
    return answer_hits(r, status, r->hits.at, r->hits.n);
}

/* The pictures are no part of the answer, because what a back end shows depends on its past. */
static bs_status pictures(run *r, int unused) {
    (void)unused;
    return bs_world_pictures(r->w, &r->pictures);
}

static bs_status new_pool(run *r, int capacity) {
    bs_pool_settings settings = {.capacity = (uint32_t)capacity, .mask = UINT32_MAX};
    r->pool = bs_pool_new(resize, &r->memory, &settings);
    return r->pool != NULL ? BS_OK : BS_NO_MEMORY;
}

static bs_status spawn(run *r, int i) {
    bs_rect rect = place(i, CROWD);
    bs_shot shot = bs_pool_shot(r->pool, NULL);
    for (int k = 0; k < DIM; k++) {
        shot.place[k] = rect.pos[k];
        shot.velocity[k] = 80 * unit((uint64_t)i, (uint64_t)k) - 40;
    }
    bs_pool_spawn(r->pool, &shot);
    return BS_OK;
}

/* Some emitters fire models, which fire each other and themselves. */
static bs_status add_emitter(run *r, int speed) {
    static bs_model models[20];
    static bs_pattern patterns[20][2];
    for (int i = 0; i < 20; i++) {
        models[i] = bs_model_default();
        models[i].tag = i;
        models[i].emitters = 2;
        models[i].emitter = patterns[i];
        patterns[i][0] = bs_pattern_default();
        patterns[i][0].delay = 1000;
        patterns[i][0].model = &models[i];
        patterns[i][1] = patterns[i][0];
        patterns[i][1].model = i > 0 ? &models[i - 1] : NULL;
        bs_model_seal(&models[i]);
    }
    bs_pattern pattern = bs_pattern_default();
    pattern.speed = speed;
    pattern.model = speed % 2 == 0 ? &models[speed % 20] : NULL;
    return bs_pool_add_emitter(r->pool, &pattern) != 0 ? BS_OK : BS_NO_MEMORY;
}

static bs_status step_pool(run *r, int unused) {
    (void)unused;
    bs_pool_step(r->pool, 1);
    return BS_OK;
}

static bs_status snapshot_pool(run *r, int unused) {
    (void)unused;
    if (r->pool_snapshot == NULL) {
        r->pool_snapshot = bs_pool_snapshot_new(resize, &r->memory);
    }
    return r->pool_snapshot != NULL ? bs_pool_snapshot_take(r->pool_snapshot, r->pool)
                                    : BS_NO_MEMORY;
}

static bs_status restore_pool(run *r, int unused) {
    (void)unused;
    return bs_pool_restore(r->pool, r->pool_snapshot);
}

static bs_status encode_pool(run *r, int unused) {
    (void)unused;
    bs_status status =
        bs_pool_snapshot_encode(r->pool_snapshot, bs_world_heap(r->w), &r->pool_bytes);
    if (status == BS_OK) {
        answer(r, r->pool_bytes.at, r->pool_bytes.n);
    }
    return status;
}

/* Runs only once, because from then on the pool may refer to the models that it has brought. */
static bs_status decode_pool(run *r, int unused) {
    (void)unused;
    const char *problem;
    if (r->models == NULL) {
        r->models = malloc(bs_pool_models_size(r->pool_bytes.at, r->pool_bytes.n) + 1);
    }
    bs_status status = bs_pool_snapshot_decode(r->pool_snapshot, r->pool_bytes.at, r->pool_bytes.n,
                                               r->models, &problem);
    if (status == BS_OK) {
        answer(r, &problem, problem == NULL ? 0 : sizeof problem);
    }
    return status;
}

static bs_status answer_pool_hits(run *r, bs_status status) {
    for (size_t i = 0; status == BS_OK && i < r->pool_hits.n; i++) {
        answer(r, &r->pool_hits.at[i].mover, sizeof r->pool_hits.at[i].mover);
        answer(r, &r->pool_hits.at[i].box, sizeof r->pool_hits.at[i].box);
    }
    return status;
}

static bs_status hits_world(run *r, int unused) {
    (void)unused;
    bs_heap *heap = bs_world_heap(r->w);
    r->pool_hits.n = 0;
    return answer_pool_hits(
        r, bs_pool_hits_world(r->pool, r->w, &bs_filter_all, NULL, heap, &r->pool_hits));
}

static bs_status hits_rect(run *r, int i) {
    bs_rect rect = place(i, SIZES);
    double motion[DIM] = {1};
    bs_heap *heap = bs_world_heap(r->w);
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    r->pool_hits.n = 0;
    return answer_pool_hits(
        r, bs_pool_hits_box(r->pool, &shape, motion, BS_ANY_LAYER, heap, &r->pool_hits));
}

static bs_status hits_shape(run *r, int i) {
    bs_shape shape;
    double motion[DIM] = {1};
    bs_heap *heap = bs_world_heap(r->w);
    r->pool_hits.n = 0;
    shape_of(i, SIZES, &shape);
    return answer_pool_hits(
        r, bs_pool_hits_box(r->pool, &shape, motion, BS_ANY_LAYER, heap, &r->pool_hits));
}

static bs_status take(run *r, int unused) {
    (void)unused;
    if (r->snapshot == NULL) {
        r->snapshot = bs_snapshot_new(resize, &r->memory);
    }
    return r->snapshot != NULL ? bs_snapshot_take(r->snapshot, r->w) : BS_NO_MEMORY;
}

static bs_status restore(run *r, int unused) {
    (void)unused;
    return bs_world_restore(r->w, r->snapshot);
}

static bs_status encode(run *r, int unused) {
    (void)unused;
    bs_status status = bs_snapshot_encode(r->snapshot, bs_world_heap(r->w), &r->bytes);
    if (status == BS_OK) {
        answer(r, r->bytes.at, r->bytes.n);
    }
    return status;
}

static bs_status decode(run *r, int unused) {
    (void)unused;
    const char *problem;
    bs_status status = bs_snapshot_decode(r->snapshot, r->bytes.at, r->bytes.n, &problem);
    if (status == BS_OK && problem != NULL) {
        abort();
    }
    return status;
}

/* --- the script ----------------------------------------------------------------------------- */

typedef struct call {
    const char *name;
    bs_status (*make)(run *, int argument);
    int argument;
} call;

static call script[CALLS];
static size_t calls;

static void add(const char *name, bs_status (*make)(run *, int), int argument) {
    if (calls == CALLS) {
        abort();
    }
    script[calls++] = (call){name, make, argument};
}
#define ADD(function, argument) add(#function, function, argument)

static void add_questions(int first) {
    ADD(pairs, 0);
    ADD(query, first);
    ADD(circle, first);
    ADD(nearest, first);
    ADD(cast, first);
    ADD(cast_all, first);
    ADD(contacts, 0);
    ADD(list, 0);
    ADD(pictures, 0);
}

/*
 * Changes the first 20 boxes, and restores them; then clears the world, and decodes it from bytes.
 */
static void add_snapshots(void) {
    ADD(take, 0);
    for (int i = 0; i < 20; i++) {
        ADD(set_velocity, i);
        ADD(set_conduct, i);
        ADD(set_static, i);
        ADD(set_shape, i);
        ADD(remove_it, i);
        ADD(insert, i);
    }
    ADD(contacts, 0);
    ADD(restore, 0);
    add_questions(7);
    ADD(encode, 0);
    ADD(clear, 0);
    ADD(trim, 0);
    ADD(decode, 0);
    ADD(restore, 0);
    add_questions(8);
}

static void add_growth(void) {
    for (int i = 0; i < BOXES; i++) {
        ADD(insert, i);
        if (i % 100 == 60) {
            add_questions(i);
            ADD(trim, 0);
        }
    }
    ADD(reserve, BOXES);
    add_questions(1);
}

static void add_moves(void) {
    for (int scene = 0; scene < SCENES; scene++) {
        ADD(move_all, scene);
        add_questions(scene);
    }
    ADD(move_all, CROWD);
    for (int i = 0; i < 6; i++) {
        ADD(pairs, 0);
        ADD(move_one, i);
    }
    ADD(contacts, 0);
    for (int i = 0; i < BOXES; i++) {
        ADD(move_one, i);
        if (i % 50 == 0) {
            ADD(query, i);
        }
    }
    add_questions(2);
    for (int i = 0; i < 100; i++) { /* enough casts for auto to make a grid */
        ADD(cast, i);
    }
}

static void add_cold_data(void) {
    ADD(set_velocity, 1);
    ADD(set_acceleration, 2);
    ADD(step, 0);
    ADD(set_object_rect, 3);
    ADD(set_rotates, 4);
    ADD(transform, 5);
    ADD(set_static, 6);
    ADD(set_static, 10);
    ADD(resolve, 11);
    add_questions(3);
}

static void add_movement(void) {
    ADD(set_gravity, 1);
    for (int i = 0; i < 12; i++) {
        ADD(move_to, i);
        ADD(push, i);
        ADD(touching, i);
        ADD(blocking, i);
    }
    ADD(step_and_tell, 0);
    for (int i = 0; i < 40; i++) {
        ADD(set_conduct, i);
    }
    for (int i = 0; i < 3; i++) {
        ADD(step_and_tell, i);
        ADD(contacts, 0);
    }
    for (int i = 12; i < 24; i++) {
        ADD(move_to, i);
        ADD(push, i);
    }
    ADD(set_gravity, 0);
    add_questions(6);
}

static void add_changes(void) {
    for (int type = 0; type < TYPES; type++) {
        ADD(set_backend, type);
        ADD(pairs, 0);
    }
    ADD(set_backend, -1);
    ADD(trim, 0);
    add_questions(4);
    for (int i = 20; i < BOXES; i++) {
        ADD(remove_it, i);
        if (i % 150 == 0) {
            add_questions(i);
        }
    }
    /* One by one, with casts in between, so auto repairs its grid. */
    for (int i = 20; i < 60; i++) {
        ADD(insert, i);
        ADD(cast, i);
        ADD(query, i);
    }
    ADD(trim, 0);
    ADD(pairs, 0);
    ADD(clear, 0);
    ADD(trim, 0);
    ADD(pairs, 0);
    ADD(insert, 0);
    add_questions(5);
}

static void add_pool(void) {
    for (int i = 1; i < 60; i++) {
        ADD(insert, i);
    }
    ADD(new_pool, 300);
    for (int i = 0; i < 200; i++) {
        ADD(spawn, i);
    }
    for (int i = 1; i < 30; i++) {
        ADD(add_emitter, i);
    }
    for (int i = 0; i < 3; i++) {
        ADD(step_pool, 0);
        ADD(hits_world, 0);
        ADD(hits_rect, i);
        ADD(trim, 0);
        ADD(snapshot_pool, 0);
        ADD(encode_pool, 0);
    }
    for (int i = 1; i < 30; i++) {
        ADD(add_emitter, i);
    }
    ADD(step_pool, 0);
    ADD(restore_pool, 0);
    ADD(trim, 0);
    ADD(decode_pool, 0);
    ADD(restore_pool, 0);
    ADD(snapshot_pool, 0);
    ADD(encode_pool, 0);
    ADD(step_pool, 0);
    ADD(hits_world, 0);
}

/* Asks a new world many questions at once, so that its lists grow during a call. */
static void add_sudden(int scene) {
    for (int i = 0; i < BOXES; i++) {
        ADD(insert, i);
    }
    ADD(move_all, scene);
}

/* Boxes with all kinds of shapes, and all questions about them. */
static void write_shapes_script(void) {
    enum { SHAPES = 60 };
    calls = 0;
    for (int i = 0; i < BOXES; i++) {
        if (i < SHAPES) {
            ADD(insert_shape, i);
        } else {
            ADD(insert, i);
        }
    }
    add_questions(3);
    for (int i = 0; i < SHAPES; i++) {
        ADD(set_shape, i);
        ADD(transform, i);
        ADD(move_one, i);
        ADD(query_shape, i);
        ADD(move_to, i);
        ADD(pairs, 0);
        ADD(transform, i);
    }
    ADD(trim, 0);
    add_snapshots();
    ADD(set_gravity, 1);
    for (int i = 0; i < 12; i++) {
        ADD(push, i);
        ADD(touching, i);
        ADD(blocking, i);
        ADD(resolve, i);
        ADD(cast_shape, i);
        ADD(cast_shape_all, i);
        ADD(set_conduct, i);
    }
    ADD(step_and_tell, 0);
    ADD(new_pool, 300);
    for (int i = 0; i < 200; i++) {
        ADD(spawn, i);
    }
    ADD(step_pool, 0);
    ADD(hits_world, 0);
    ADD(hits_shape, 0);
    add_questions(4);
    for (int i = 0; i < SHAPES; i++) {
        ADD(remove_it, i);
        ADD(insert_shape, i);
    }
    ADD(clear, 0);
    ADD(trim, 0);
    ADD(insert_shape, 0);
    ADD(pairs, 0);
}

static void write_main_script(void) {
    calls = 0;
    add_growth();
    add_moves();
    add_cold_data();
    add_movement();
    add_changes();
    add_pool();
}

/* Writes short script number i. Returns false if there is none. */
static bool write_short_script(int i) {
    static const call first[] = {{"pairs", pairs, 0},
                                 {"cast_all", cast_all, 1},
                                 {"list", list, 0},
                                 {"pictures", pictures, 0},
                                 {"query", query, 1},
                                 {"set_acceleration", set_acceleration, 1},
                                 {"transform", transform, 1},
                                 {"set_backend", set_backend, TYPES - 1},
                                 {"move_to", move_to, 0},
                                 {"move_to", move_to, 1},
                                 {"push", push, 0},
                                 {"blocking", blocking, 1},
                                 {"set_conduct", set_conduct, 1}};
    enum { FIRST = sizeof first / sizeof *first };
    calls = 0;
    if (i < FIRST * SCENES) {
        add_sudden(i / FIRST);
        script[calls++] = first[i % FIRST];
        return true;
    }
    if (i == FIRST * SCENES) {
        add_sudden(CROWD);
        for (int box = 0; box < BOXES; box++) {
            ADD(set_velocity, box);
            ADD(set_conduct, box);
        }
        ADD(step_and_tell, 0);
        return true;
    }
    add_sudden(ONE_PLACE);
    for (int box = 0; box < BOXES; box++) {
        if (box % 5 != 0) { /* the others are static already, and make no pairs */
            ADD(set_static, box);
        }
    }
    ADD(pairs, 0);
    ADD(set_static, 1); /* a single change, so only its pairs are looked for */
    ADD(pairs, 0);
    return i == FIRST * SCENES + 1;
}

/* --- runs ----------------------------------------------------------------------------------- */

static void fail(const run *r, const memory *asked, size_t at, const char *what) {
    fprintf(stderr, "%s in %dD, request %" PRIu64 "%s refused, call %zu (%s): %s\n", r->type->name,
            DIM, asked->refused_from, asked->goes_on ? " and all after it" : "", at,
            at < calls ? script[at].name : "end", what);
    exit(1);
}

static const char *check(const bs_world *w) {
    const char *broken = bs_world_check(w);
    return broken != NULL ? broken : bs_moves_check(w);
}

/* Makes the call, and repeats it if it failed. */
static void make_call(run *r, const memory *asked, size_t at) {
    uint64_t before = r->answer;
    uint64_t refused = r->memory.refused;
    bs_status status = script[at].make(r, script[at].argument);
    if (status != BS_OK) {
        const char *broken = r->memory.refused == refused ? "failed although there was memory"
                             : r->answer != before        ? "answered, and failed"
                                                          : check(r->w);
        if (broken != NULL) {
            fail(r, asked, at, broken);
        }
    }
    feed(&r->memory);
    if (status != BS_OK && script[at].make(r, script[at].argument) != BS_OK) {
        fail(r, asked, at, "failed a second time");
    }
}

static void end_run(run *r) {
    bs_heap *heap = bs_world_heap(r->w);
    bs_list_free(heap, &r->list);
    bs_array_free(heap, &r->bytes.at, &r->bytes.cap, 1);
    if (r->snapshot != NULL) {
        bs_snapshot_free(r->snapshot);
    }
    bs_array_free(heap, &r->hits.at, &r->hits.cap, sizeof *r->hits.at);
    bs_array_free(heap, &r->contacts.at, &r->contacts.cap, sizeof *r->contacts.at);
    bs_array_free(heap, &r->pictures.at, &r->pictures.cap, sizeof *r->pictures.at);
    bs_array_free(heap, &r->pool_hits.at, &r->pool_hits.cap, sizeof *r->pool_hits.at);
    bs_array_free(heap, &r->pool_bytes.at, &r->pool_bytes.cap, 1);
    if (r->pool_snapshot != NULL) {
        bs_pool_snapshot_free(r->pool_snapshot);
    }
    free(r->models);
    if (r->pool != NULL) {
        bs_pool_free(r->pool);
    }
    bs_world_free(r->w);
    if (r->memory.held > 0) {
        fail(r, &r->memory, calls, "memory is left");
    }
}

/*
 * Returns whether a request was refused. The first run writes the answer after each call to
 * `expected`.
 */
static bool run_script(const bs_backend_type *type, memory asked, uint64_t *expected, bool first) {
    run r = {.memory = asked, .type = type};
    bs_settings settings = {.margin = -1};
    while ((r.w = bs_world_new(resize, &r.memory, type, &settings)) == NULL) {
        if (r.memory.refused == 0) {
            fail(&r, &asked, calls, "no world although there was memory");
        }
        feed(&r.memory);
    }
    for (size_t i = 0; i < calls; i++) {
        make_call(&r, &asked, i);
        if (first) {
            expected[i] = r.answer;
        } else if (r.answer != expected[i]) {
            fail(&r, &asked, i, "another answer");
        }
        if (i % 64 == 0 || i + 1 == calls) {
            const char *broken = check(r.w);
            if (broken != NULL) {
                fail(&r, &asked, i, broken);
            }
        }
    }
    end_run(&r);
    return r.memory.refused > 0;
}

static uint64_t test(const bs_backend_type *type, uint64_t every) {
    static uint64_t expected[CALLS];
    uint64_t runs = 0;
    run_script(type, (memory){0}, expected, true);
    for (int goes_on = 0; goes_on <= 1; goes_on++) {
        memory asked = {.refused_from = 1, .goes_on = goes_on != 0};
        for (; run_script(type, asked, expected, false); asked.refused_from += every) {
            runs++;
        }
    }
    return runs;
}

/*
 * Limits the memory to `most` bytes. When no more boxes can be inserted, the world is cleared. Then
 * it must take boxes again, although some of its arrays may have grown for one box more than
 * others.
 */
static void test_full(const bs_backend_type *type, size_t most) {
    run r = {.memory = {.most = most}, .type = type};
    r.w = bs_world_new(resize, &r.memory, type, &(bs_settings){.margin = -1});
    for (int round = 0; round < 3; round++) {
        uint32_t held = 0;
        while (r.w != NULL && insert(&r, (int)(held % BOXES)) == BS_OK) {
            held++;
        }
        if (r.w == NULL || held == 0) {
            fail(&r, &r.memory, calls, "a full world that was cleared takes in nothing");
        }
        bs_world_clear(r.w);
    }
    end_run(&r);
}

int main(int argc, char **argv) {
    uint64_t every = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (int i = 0; i < TYPES; i++) {
        const bs_backend_type *type = bs_backend_find(names[i]);
        write_main_script();
        uint64_t runs = test(type, every);
        write_shapes_script();
        runs += test(type, every);
        for (int k = 0; write_short_script(k); k++) {
            runs += test(type, every);
        }
        printf("%s in %dD: memory ran out at %" PRIu64 " places\n", names[i], DIM, runs);
        fflush(stdout);
        for (size_t most = 60000; most < 100000; most += 500) {
            test_full(type, most);
        }
    }
    return 0;
}
