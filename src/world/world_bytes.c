/*
 * world_bytes.c: how a snapshot of a world looks as bytes. One visitor writes and reads them
 * (bytes.h); what is read may come from anywhere.
 *
 *      beginning (bytes.h)     gravity, that of the last step, and its length
 *      indices, entries, contacts, hits, rests, presses, stirred: u32
 *      by index: generation u32
 *      entries, in the order of insertion: index u32, kind u8;
 *          a box: rect, and what its kind says; before shapes: whether there are two;
 *              of a shape: corners u8 (0: a circle), numbers
 *          a box that is gone, but not from all contacts (kind 0): its generation again u32
 *      idle indices, u32, in the order in which they will be given out
 *      contacts: two entries, by their places, u32
 *      hits of the last step: two ids u64, response u8, t, speed, impulse, normal, place
 *      if there are any, what listeners remember: their number u32; who u64, mask u32, two ids u64
 *      checksum
 *
 * Left out are numbers of insertions, as they depend on what has been removed since.
 */
#include <string.h>

#include "base/bytes.h"
#include "world_parts.h"

static const bs_format format = {
    .magic = "BSWS",
    .version = 5,
    .other = "is no snapshot of a world",
    .other_dim = DIM == 2 ? "is of a 3D world" : "is of a 2D world",
    .wrong = "holds what no world can hold",
};

/* The kind of a box: its flags, and what else it has besides its rect. */
enum {
    FLAGS = BS_ALIVE | BS_IS_STATIC | BS_KEEPS_ANGLE | BS_HAS_OBJECT_RECT | BS_HAS_SHAPE,
    HAS_LAYERS = 16,
    HAS_MOTION = 32,
    HAS_CONDUCT = 128
};
static_assert((FLAGS ^ HAS_LAYERS ^ HAS_MOTION ^ HAS_CONDUCT) == 255, "each bit has one");

/* The least numbers of bytes that things take. */
enum { INDEX_BYTES = 4, ENTRY_BYTES = 9, CONTACT_BYTES = 8, HIT_BYTES = 17 + 24 + 16 * DIM };
enum { HEARD_BYTES = 28 };
enum { REST_BYTES = 6 + 8 * DIM, PRESS_BYTES = 24 + 8 * DIM, STIRRED_BYTES = 16 * DIM };

typedef struct visit {
    bs_coder c;
    bs_world *w;     /* that of the snapshot */
    bs_keyed *entry; /* indices by numbers of insertions */
    size_t entries, cap, rests;
} visit;

static bool goes_on(const visit *v) {
    return v->c.problem == NULL;
}

/* --- shapes --------------------------------------------------------------------------------- */

static void visit_shape(bs_coder *c, bs_shape *shape) {
    uint64_t corners = bs_code(c, shape->kind == BS_CIRCLE ? 0 : shape->corners, 1);
    bs_expect(c, corners == 0 || (DIM == 2 && corners >= BS_LEAST_CORNERS));
    bs_expect(c, corners <= BS_MOST_CORNERS);
    if (c->problem != NULL) {
        return;
    }
    if (corners == 0) {
        bs_code_numbers(c, shape->centre, DIM);
        bs_code_numbers(c, &shape->radius, 1);
    } else {
        shape->kind = BS_POLYGON;
        shape->corners = (uint32_t)corners;
    }
    for (uint64_t i = 0; i < corners; i++) {
        bs_code_numbers(c, shape->corner[i], 2);
    }
    uint32_t corner;
    bs_expect(c, !c->reads || bs_shape_check(shape, &corner) == BS_SHAPE_IS_FINE);
}

static bool is_even(const bs_rect *rect) {
    bool even = true;
    for (int k = 1; k < DIM; k++) {
        even = even && rect->size[k] == rect->size[0];
    }
    return even;
}

/* The box at that index gets shapes that have been read. `object` may be NULL. */
static void take_shapes(visit *v, uint32_t i, const bs_shape *given, const bs_shape *object) {
    bs_kept_shape *kept;
    bool done = bs_shape_make(v->w, given, &kept);
    if (done) {
        bs_shape_put(v->w, i, kept);
        v->w->shape[i].object = object != NULL ? bs_shape_keep(v->w, object) : NULL;
        done = object == NULL || v->w->shape[i].object != NULL;
    }
    if (!done) {
        bs_fail(&v->c);
    }
}

/*
 * The shapes of a box behind its rects: a circle's have equal sizes. What a transform changes, and
 * what it makes of that, are of one kind and have as many corners.
 */
static void visit_shapes(visit *v, uint32_t i) {
    const bs_world *w = v->w;
    bs_shape read[2] = {{.kind = BS_CIRCLE}, {.kind = BS_CIRCLE}};
    bs_shape *given = v->c.reads ? &read[0] : &w->shape[i].given->shape;
    bool has_rect = (w->flags[i] & BS_HAS_OBJECT_RECT) != 0;
    bool has_two = !v->c.reads && w->shape[i].object != NULL;
    bs_code_bool(&v->c, &has_two);
    bs_expect(&v->c, !has_two || has_rect);
    visit_shape(&v->c, given);
    bs_shape *object = !has_two ? NULL : v->c.reads ? &read[1] : &w->shape[i].object->shape;
    if (object != NULL) {
        visit_shape(&v->c, object);
        bs_expect(&v->c, given->kind == object->kind && given->corners == object->corners);
    }
    if (given->kind == BS_CIRCLE) {
        bs_expect(&v->c, is_even(&w->rect[i]) && (!has_rect || is_even(&w->object[i])));
    }
    if (v->c.reads && goes_on(v)) {
        take_shapes(v, i, given, object);
    }
}

/* --- boxes ---------------------------------------------------------------------------------- */

static void visit_response(bs_coder *c, bs_response *response) {
    uint64_t x = bs_code(c, *response, 1);
    bool may_be = bs_is_body_response((unsigned)x);
    bs_expect(c, may_be);
    *response = may_be ? (bs_response)x : BS_PASS;
}

static void visit_side(bs_coder *c, bs_side side) {
    for (int k = 0; k < DIM; k++) {
        uint64_t x = bs_code(c, (uint8_t)side[k], 1);
        bs_expect(c, x <= 1 || x == 0xff);
        side[k] = (signed char)(x == 0xff ? -1 : x == 1);
    }
}

/* Whether there is a number for each axis; and these, or the one for the length. */
static void visit_by_axis(bs_coder *c, double *value) {
    bool each = !bs_is_of_length(value);
    bs_code_bool(c, &each);
    for (int k = 0; k < (each ? DIM : 1); k++) {
        bs_code_double(c, &value[k]);
    }
    if (!each) {
        bs_one_by_axis(value, value[0]);
    }
}

static void visit_property(bs_coder *c, bs_property_kind kind, void *value) {
    switch (kind) {
    case BS_REACTION:
        visit_response(c, value);
        break;
    case BS_SIDE:
        visit_side(c, value);
        break;
    case BS_FLAG:
        bs_code_bool(c, value);
        break;
    case BS_AMOUNTS:
    case BS_LIMITS:
        visit_by_axis(c, value);
        break;
    default:
        bs_code_double(c, value);
    }
}

/* The properties that are not as usual: which ones, and their values. */
static void visit_conduct(bs_coder *c, bs_conduct *conduct) {
    static_assert(BS_PROPERTY_COUNT <= 16, "each property has a bit");
    unsigned unusual = (unsigned)bs_code(c, bs_conduct_unusual(conduct), 2);
    bs_expect(c, unusual != 0 && unusual >> BS_PROPERTY_COUNT == 0);
    const bs_property *p = bs_properties;
    for (unsigned left = unusual; left != 0 && c->problem == NULL; left >>= 1, p++) {
        if ((left & 1) != 0) {
            void *value = (char *)conduct + p->at;
            visit_property(c, p->kind, value);
            bs_expect(c, bs_property_is_valid(p->kind, value));
        }
    }
    bs_expect(c, bs_conduct_unusual(conduct) == unusual);
}

static unsigned kind_of(const bs_world *w, uint32_t i, const bs_props *props) {
    unsigned kind = w->flags[i] & FLAGS;
    kind |= bs_layers_are_default(props->layers) ? 0 : HAS_LAYERS;
    kind |= bs_props_rest(props) ? 0 : HAS_MOTION;
    kind |= bs_conduct_unusual(&props->conduct) == 0 ? 0 : HAS_CONDUCT;
    return kind;
}

static void visit_props(bs_coder *c, unsigned kind, bs_props *props) {
    if ((kind & HAS_LAYERS) != 0) {
        bs_code_u32(c, &props->layers.layer);
        bs_code_u32(c, &props->layers.mask);
    }
    if ((kind & HAS_MOTION) != 0) {
        bs_code_numbers(c, props->velocity, DIM);
        bs_code_numbers(c, props->acceleration, DIM);
    }
    if ((kind & HAS_CONDUCT) != 0) {
        visit_conduct(c, &props->conduct);
    }
}

static void visit_box(visit *v, uint32_t i, unsigned kind, bs_props *props) {
    bs_coder *c = &v->c;
    bs_world *w = v->w;
    bs_code_rect(c, &w->rect[i]);
    bs_expect(c, bs_rect_is_box(&w->rect[i]));
    visit_props(c, kind, props);
    if (c->reads && goes_on(v)) {
        bool has_object = (kind & BS_HAS_OBJECT_RECT) != 0;
        props->is_static = (kind & BS_IS_STATIC) != 0;
        if (!bs_props_reserve(w, props) || (has_object && !bs_column_make(w, BS_OBJECT))) {
            bs_fail(c);
            return;
        }
        w->flags[i] = kind & (BS_KEEPS_ANGLE | BS_HAS_OBJECT_RECT);
        bs_box_put(w, i, props);
    }
    if ((kind & BS_HAS_OBJECT_RECT) != 0 && goes_on(v)) {
        bs_code_rect(c, &w->object[i]);
        bs_expect(c, bs_rect_is_box(&w->object[i]));
    }
    if ((kind & BS_HAS_SHAPE) != 0 && goes_on(v)) {
        visit_shapes(v, i);
    }
}

/* --- entries -------------------------------------------------------------------------------- */

/* Lists boxes, and those that contacts still speak of. False: no memory. */
static bool list_entries(visit *v) {
    const bs_world *w = v->w;
    const size_t most = w->ids.used;
    if (!bs_array_reserve(v->c.heap, &v->entry, &v->cap, 2 * most + 1, sizeof *v->entry)) {
        return false;
    }
    bs_keyed *entry = v->entry;
    size_t n = 0;
    assert(entry != NULL);
    for (uint32_t i = 0; i < w->ids.used; i++) {
        if (bs_world_is_taken(w, i)) {
            entry[n++] = (bs_keyed){w->born[i], i};
        }
    }
    bs_sort(entry, entry + most, n);
    v->entries = n;
    return true;
}

/* The entry with that number of an insertion. */
static size_t place_of(const visit *v, uint64_t born) {
    size_t place = 0;
    for (size_t n = v->entries; n > 1; n -= n / 2) {
        place += v->entry[place + n / 2].key <= born ? n / 2 : 0;
    }
    assert(v->entry[place].key == born);
    return place;
}

/* One without a box counts as a mention until the contacts have been read. */
static void visit_entry(visit *v, bs_keyed *entry) {
    bs_world *w = v->w;
    uint32_t i = (uint32_t)entry->value;
    bs_code_u32(&v->c, &i);
    bs_expect(&v->c, i < w->ids.used && !(v->c.reads && bs_world_is_taken(w, i)));
    if (!goes_on(v)) {
        return;
    }
    entry->value = i;
    bool is_there = bs_world_alive(w, i);
    bs_props props = is_there ? bs_props_of(w, i) : bs_props_default();
    unsigned kind = (unsigned)bs_code(&v->c, is_there ? kind_of(w, i, &props) : 0, 1);
    bs_expect(&v->c, w->ids.generation[i] < BS_GENERATIONS_END);
    if ((kind & BS_ALIVE) != 0) {
        visit_box(v, i, kind, &props);
        return;
    }
    uint32_t generation = w->ids.generation[i];
    bs_code_u32(&v->c, &generation);
    bs_expect(&v->c, kind == 0 && generation == w->ids.generation[i]);
    if (v->c.reads) {
        w->mentions[i] = 1;
        w->born[i] = w->state.births++;
    }
}

static void visit_entries(visit *v) {
    bs_world *w = v->w;
    bs_ids_code_generations(&v->c, &w->ids);
    for (size_t e = 0; e < v->entries && goes_on(v); e++) {
        visit_entry(v, &v->entry[e]);
    }
}

/* --- contacts and hits ---------------------------------------------------------------------- */

/* They are in the order in which contacts.c keeps them. */
static void visit_contacts(visit *v) {
    bs_world *w = v->w;
    uint64_t last = 0;
    for (size_t i = 0; i < w->touching.n && goes_on(v); i++) {
        bs_pair *pair = &w->touching.at[i];
        uint64_t a = bs_code(&v->c, v->c.reads ? 0 : place_of(v, w->born[pair->a]), 4);
        uint64_t b = bs_code(&v->c, v->c.reads ? 0 : place_of(v, w->born[pair->b]), 4);
        uint64_t order = a << 32 | b;
        bs_expect(&v->c, a < b && b < v->entries && order > last);
        last = order;
        if (v->c.reads && goes_on(v)) {
            *pair = (bs_pair){(uint32_t)v->entry[a].value, (uint32_t)v->entry[b].value};
            bs_world_mention(w, *pair);
        }
    }
}

/* An id that has been given. */
static void visit_id(visit *v, bs_id *id) {
    const bs_world *w = v->w;
    *id = bs_code(&v->c, *id, 8);
    uint64_t index = *id & ((1u << BS_INDEX_BITS) - 1);
    uint64_t generation = *id >> BS_INDEX_BITS;
    bs_expect(&v->c,
              index < w->ids.used && generation >= BS_FIRST_GENERATION &&
                  generation <= w->ids.generation[index] - !bs_world_is_taken(w, (uint32_t)index));
}

static void visit_hits(visit *v) {
    for (size_t i = 0; i < v->w->step_hits.n && goes_on(v); i++) {
        bs_step_hit *hit = &v->w->step_hits.at[i];
        visit_id(v, &hit->box);
        visit_id(v, &hit->other);
        visit_response(&v->c, &hit->response);
        bs_code_numbers(&v->c, &hit->t, 1);
        bs_code_double(&v->c, &hit->speed);
        bs_code_double(&v->c, &hit->impulse); /* It is infinite for an infinite mass. */
        bs_code_numbers(&v->c, hit->normal, DIM);
        bs_code_numbers(&v->c, hit->place, DIM);
        bs_expect(&v->c, hit->t >= 0 && hit->t <= 1 && hit->speed >= 0 && hit->impulse >= 0);
    }
}

static bool rests(const bs_rest *rest) {
    return rest->asleep || rest->calm > 0;
}

/* The boxes that rest, by their indices. */
static void visit_rests(visit *v) {
    bs_world *w = v->w;
    uint64_t next = 0;
    for (size_t i = 0; i < v->rests && goes_on(v); i++) {
        while (!v->c.reads && !rests(&w->rest[next])) {
            next++;
        }
        uint64_t index = bs_code(&v->c, next, 4);
        bool fits = index >= next && index < w->ids.used && bs_world_alive(w, (uint32_t)index);
        bs_expect(&v->c, fits);
        if (!goes_on(v)) {
            return;
        }
        bs_rest *rest = &w->rest[index];
        bs_code_bool(&v->c, &rest->asleep);
        rest->calm = (uint8_t)bs_code(&v->c, rest->calm, 1);
        bs_code_numbers(&v->c, rest->at, DIM);
        bs_expect(&v->c, rests(rest));
        next = index + 1;
    }
}

static void visit_presses(visit *v) {
    for (size_t i = 0; i < v->w->presses.n && goes_on(v); i++) {
        bs_press *press = &v->w->presses.at[i];
        visit_id(v, &press->a);
        visit_id(v, &press->b);
        bs_code_numbers(&v->c, &press->push, 1);
        bs_code_numbers(&v->c, press->rub, DIM);
        bs_expect(&v->c, press->push >= 0);
    }
}

static void visit_stirred(visit *v) {
    for (size_t i = 0; i < v->w->stirred.n && goes_on(v); i++) {
        bs_rect *r = &v->w->stirred.at[i];
        bs_code_rect(&v->c, r);
    }
}

/* The id of a box, or of a removed one, that a contact mentions. */
static void visit_mentioned(visit *v, uint32_t *index) {
    bs_id id = v->c.reads ? 0 : bs_world_id_at(v->w, *index);
    visit_id(v, &id);
    *index = bs_id_index(id);
    bs_expect(&v->c, id == bs_world_id_at(v->w, *index));
}

static void visit_heard_one(visit *v, size_t i) {
    bs_heard *heard = &v->w->heard.at[i];
    bs_pair *pair = &heard->pair;
    heard->by.who = bs_code(&v->c, heard->by.who, 8);
    bs_code_u32(&v->c, &heard->by.mask);
    visit_mentioned(v, &pair->a);
    visit_mentioned(v, &pair->b);
    if (heard->by.who >= BS_LEAST_ID && goes_on(v)) {
        bs_expect(&v->c,
                  heard->by.who == bs_world_id_at(v->w, pair->a) && bs_world_alive(v->w, pair->a));
    }
    bs_expect(&v->c, i == 0 || !bs_listener_before(heard->by, heard[-1].by));
    if (v->c.reads && goes_on(v)) {
        bs_world_mention(v->w, *pair);
    }
}

/* Older versions, and worlds without listeners, have nothing here. False: no memory. */
static bool visit_heard(visit *v) {
    bs_heards *heard = &v->w->heard;
    if (!goes_on(v) || (v->c.reads ? v->c.left == 0 : heard->n == 0)) {
        return true;
    }
    heard->n = bs_code_count(&v->c, heard->n, HEARD_BYTES);
    bs_expect(&v->c, heard->n > 0);
    if (v->c.reads && !BS_RESERVE(&v->w->heap, heard, heard->n)) {
        heard->n = 0;
        return false;
    }
    for (size_t i = 0; i < heard->n && goes_on(v); i++) {
        visit_heard_one(v, i);
    }
    return true;
}

/* --- all of it ------------------------------------------------------------------------------ */

static void visit_counts(visit *v) {
    bs_world *w = v->w;
    bs_code_numbers(&v->c, w->state.gravity, DIM);
    bs_code_numbers(&v->c, w->state.fallen, DIM);
    bs_code_numbers(&v->c, &w->state.pace, 1);
    w->ids.used = bs_code_count(&v->c, w->ids.used, INDEX_BYTES);
    v->entries = bs_code_count(&v->c, v->entries, ENTRY_BYTES);
    w->touching.n = bs_code_count(&v->c, w->touching.n, CONTACT_BYTES);
    w->step_hits.n = bs_code_count(&v->c, w->step_hits.n, HIT_BYTES);
    v->rests = bs_code_count(&v->c, v->rests, REST_BYTES);
    w->presses.n = bs_code_count(&v->c, w->presses.n, PRESS_BYTES);
    w->stirred.n = bs_code_count(&v->c, w->stirred.n, STIRRED_BYTES);
    bs_expect(&v->c, w->ids.used < 1u << BS_INDEX_BITS);
}

static bool is_taken(const void *world, uint32_t index) {
    return bs_world_is_taken(world, index);
}

static void visit_rest(visit *v) {
    visit_entries(v);
    bs_ids_code_free(&v->c, &v->w->ids, is_taken, v->w);
    visit_contacts(v);
    visit_hits(v);
    visit_rests(v);
    visit_presses(v);
    visit_stirred(v);
}

bs_status bs_snapshot_encode(bs_snapshot *s, bs_heap *heap, bs_bytes *out) {
    visit v = {.w = &s->world};
    v.c = bs_begin_writing(&format, heap, out);
    bool done = list_entries(&v);
    for (uint32_t i = 0; v.w->rest != NULL && i < v.w->ids.used; i++) {
        v.rests += rests(&v.w->rest[i]);
    }
    if (done) {
        visit_counts(&v);
        visit_rest(&v);
        (void)visit_heard(&v);
    }
    bs_array_free(heap, &v.entry, &v.cap, sizeof *v.entry);
    return bs_end_writing(&v.c) && done ? BS_OK : BS_NO_MEMORY;
}

/* Room for what the counts say. False: no memory. */
static bool reserve(visit *v) {
    bs_world *w = v->w;
    if (!bs_world_reserve_room(w, w->ids.used) ||
        !bs_array_reserve(&w->heap, &v->entry, &v->cap, v->entries, sizeof *v->entry) ||
        !BS_RESERVE(&w->heap, &w->touching, w->touching.n) || !bs_column_make(w, BS_MENTIONS) ||
        !BS_RESERVE(&w->heap, &w->step_hits, w->step_hits.n) ||
        (v->rests > 0 && !bs_column_make(w, BS_REST)) ||
        !BS_RESERVE(&w->heap, &w->presses, w->presses.n) ||
        !BS_RESERVE(&w->heap, &w->stirred, w->stirred.n)) {
        return false;
    }
    if (w->ids.used > 0) {
        memset(w->flags, 0, w->ids.used);
    }
    for (size_t e = 0; e < v->entries; e++) {
        v->entry[e] = (bs_keyed){e, 0};
    }
    return true;
}

/* False: no memory. */
static bool read_all(visit *v) {
    visit_counts(v);
    if (!goes_on(v)) {
        return true;
    }
    if (!reserve(v)) {
        return false;
    }
    visit_rest(v);
    if (!visit_heard(v)) {
        return false;
    }
    for (size_t e = 0; e < v->entries && goes_on(v); e++) {
        const uint32_t i = (uint32_t)v->entry[e].value;
        if (!bs_world_alive(v->w, i)) {
            bs_expect(&v->c, --v->w->mentions[i] > 0);
        }
    }
    bs_expect(&v->c, v->c.left == 0);
    return !v->c.failed;
}

bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem) {
    bs_snapshot *read = bs_snapshot_new(s->world.heap.resize, s->world.heap.host);
    if (read == NULL) {
        return BS_NO_MEMORY;
    }
    visit v = {.w = &read->world};
    v.c = bs_begin_reading(&format, &read->world.heap, bytes, n);
    bool done = read_all(&v);
    bs_array_free(v.c.heap, &v.entry, &v.cap, sizeof *v.entry);
    *problem = v.c.problem;
    if (done && goes_on(&v)) {
        bs_snapshot swap = *s;
        *s = *read;
        *read = swap;
    }
    bs_snapshot_free(read);
    return done ? BS_OK : BS_NO_MEMORY;
}
