/*
 * world_bytes.c: how a snapshot of a world looks as bytes. One visitor writes and reads them
 * (bytes.h); what is read may come from anywhere.
 *
 *      beginning (bytes.h)     gravity     used, boxes, idle, contacts, hits: u32
 *      by index: generation u32, kind u8; of a box: rank u32, rect, and what its kind says;
 *          of a shape: corners u8 (0: a circle), numbers; before the first: whether there are two
 *      idle indices, u32, in the order in which they will be given out
 *      contacts: two ids u64, two ranks u32
 *      hits of the last step: two ids u64, response u8, t, normal
 *      checksum
 *
 * Numbers of insertions depend on what has been removed since; so ranks are stored, which do not:
 * among all boxes, and those that contacts still speak of, in the order of insertion.
 */
#include <string.h>

#include "base/bytes.h"
#include "world_parts.h"

static const bs_format format = {
    .magic = "BSWS",
    .version = 2,
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
enum { INDEX_BYTES = 5, IDLE_BYTES = 4, CONTACT_BYTES = 24, HIT_BYTES = 17 + 8 + 8 * DIM };

typedef struct visit {
    bs_coder c;
    bs_world *w;    /* that of the snapshot */
    uint32_t boxes; /* as the bytes say */
    /* Ranks of boxes, by index; behind them those of both boxes of each contact. */
    uint32_t *rank;
    size_t ranks, ranks_cap;
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

static unsigned kind_of(const bs_world *w, uint32_t i) {
    const bs_motion rest = {{0}, {0}};
    unsigned kind = w->flags[i] & FLAGS;
    if ((kind & BS_ALIVE) == 0) {
        return 0;
    }
    bool rests = w->motion == NULL || memcmp(&w->motion[i], &rest, sizeof rest) == 0;
    kind |= bs_layers_are_default(w->layers[i]) ? 0 : HAS_LAYERS;
    kind |= rests ? 0 : HAS_MOTION;
    kind |= w->conduct == NULL || bs_conduct_is_default(&w->conduct[i]) ? 0 : HAS_CONDUCT;
    return kind;
}

static void visit_response(bs_coder *c, bs_response *response) {
    uint64_t x = bs_code(c, *response, 1);
    bs_expect(c, x < BS_PUSH);
    *response = x < BS_PUSH ? (bs_response)x : BS_PASS;
}

static void visit_conduct(bs_coder *c, bs_conduct *conduct) {
    int sides = 0;
    bs_code_numbers(c, &conduct->bounce, 1);
    visit_response(c, &conduct->response);
    for (int k = 0; k < DIM; k++) {
        uint64_t side = bs_code(c, (uint8_t)conduct->one_way[k], 1);
        bs_expect(c, side <= 1 || side == 0xff);
        conduct->one_way[k] = (signed char)(side == 0xff ? -1 : side == 1);
        sides += side != 0;
    }
    bs_code_bool(c, &conduct->sensor);
    bs_code_numbers(c, &conduct->gravity_scale, 1);
    bs_expect(c, conduct->bounce >= 0 && conduct->bounce <= 1 && sides <= 1);
}

/* Whether the kind has that bit; if it has, and bytes are read, there is such a column. */
static bool has(visit *v, unsigned kind, unsigned bit, bs_lazy_column which) {
    if ((kind & bit) != 0 && !bs_column_make(v->w, which)) {
        bs_fail(&v->c);
    }
    return (kind & bit) != 0 && goes_on(v);
}

static void visit_box(visit *v, uint32_t i, unsigned kind) {
    bs_coder *c = &v->c;
    bs_world *w = v->w;
    bs_code_u32(c, &v->rank[i]);
    bs_code_rect(c, &w->rect[i]);
    bs_expect(c, bs_rect_is_box(&w->rect[i]));
    if ((kind & HAS_LAYERS) != 0) {
        bs_code_u32(c, &w->layers[i].layer);
        bs_code_u32(c, &w->layers[i].mask);
    }
    if (has(v, kind, HAS_MOTION, BS_MOTION)) {
        bs_code_numbers(c, w->motion[i].velocity, DIM);
        bs_code_numbers(c, w->motion[i].acceleration, DIM);
    }
    if (has(v, kind, HAS_CONDUCT, BS_CONDUCT)) {
        visit_conduct(c, &w->conduct[i]);
    }
    if (has(v, kind, BS_HAS_OBJECT_RECT, BS_OBJECT)) {
        bs_code_rect(c, &w->object[i]);
        bs_expect(c, bs_rect_is_box(&w->object[i]));
    }
    if ((kind & BS_HAS_SHAPE) != 0 && goes_on(v)) {
        visit_shapes(v, i);
    }
}

/* What follows from a box that has been read. */
static void count_box(visit *v, uint32_t i) {
    bs_world *w = v->w;
    w->layered += !bs_layers_are_default(w->layers[i]);
    w->responders += w->conduct != NULL && w->conduct[i].response != BS_PASS;
    if ((w->flags[i] & BS_IS_STATIC) == 0) {
        w->any.layer |= w->layers[i].layer;
        w->any.mask |= w->layers[i].mask;
    }
    w->recycled = w->recycled || (w->count > 0 && v->rank[i] < v->rank[w->last]);
    w->last = i;
    w->count++;
}

static void visit_index(visit *v, uint32_t i) {
    bs_world *w = v->w;
    bs_code_u32(&v->c, &w->generation[i]);
    unsigned kind = (unsigned)bs_code(&v->c, v->c.reads ? 0 : kind_of(w, i), 1);
    bool alive = (kind & BS_ALIVE) != 0;
    bs_expect(&v->c, w->generation[i] >= BS_FIRST_GENERATION &&
                         w->generation[i] <= BS_GENERATIONS_END - alive && (alive || kind == 0));
    if (v->c.reads) {
        w->flags[i] = kind & (FLAGS ^ BS_HAS_SHAPE);
        w->layers[i] = bs_props_default().layers;
    }
    if (alive && goes_on(v)) {
        visit_box(v, i, kind);
        if (v->c.reads) {
            count_box(v, i);
        }
    }
}

/* --- idle indices --------------------------------------------------------------------------- */

static const uint64_t NOT_LISTED = UINT64_MAX;

/* Each index that is neither a box's nor retired is yet to be listed. */
static void expect_idle(visit *v) {
    bs_world *w = v->w;
    uint32_t idle = 0;
    for (uint32_t i = 0; i < w->used; i++) {
        bool is_idle = (w->flags[i] & BS_ALIVE) == 0 && w->generation[i] < BS_GENERATIONS_END;
        w->born[i] = is_idle ? NOT_LISTED : BS_NO_BOX;
        idle += is_idle;
    }
    bs_expect(&v->c, idle == w->idle);
}

/* Each of them is listed once. */
static void visit_idle(visit *v) {
    bs_world *w = v->w;
    uint64_t first = w->free;
    uint64_t *link = &first;
    for (uint32_t n = 0; n < w->idle && goes_on(v); n++) {
        *link = bs_code(&v->c, *link, 4);
        bool fits = *link < w->used && (!v->c.reads || w->born[*link] == NOT_LISTED);
        bs_expect(&v->c, fits);
        if (fits) {
            link = &w->born[*link];
            *link = v->c.reads ? BS_NO_BOX : *link;
        }
    }
    w->free = (uint32_t)first;
}

/* --- contacts and hits ---------------------------------------------------------------------- */

/* An id that has been given. */
static void visit_id(visit *v, bs_id *id) {
    const bs_world *w = v->w;
    *id = bs_code(&v->c, *id, 8);
    uint64_t index = *id & ((1u << BS_INDEX_BITS) - 1);
    uint64_t generation = *id >> BS_INDEX_BITS;
    bs_expect(&v->c, index < w->used && generation >= BS_FIRST_GENERATION &&
                         generation <= w->generation[index] - !bs_world_alive(w, (uint32_t)index));
}

static void visit_contacts(visit *v) {
    uint32_t *rank = v->rank + v->w->used;
    for (size_t i = 0; i < v->w->touching.n && goes_on(v); i++, rank += 2) {
        visit_id(v, &v->w->touching.at[i].a);
        visit_id(v, &v->w->touching.at[i].b);
        bs_code_u32(&v->c, &rank[0]);
        bs_code_u32(&v->c, &rank[1]);
    }
}

static void visit_hits(visit *v) {
    for (size_t i = 0; i < v->w->step_hits.n && goes_on(v); i++) {
        bs_step_hit *hit = &v->w->step_hits.at[i];
        visit_id(v, &hit->box);
        visit_id(v, &hit->other);
        visit_response(&v->c, &hit->response);
        bs_code_numbers(&v->c, &hit->t, 1);
        bs_code_numbers(&v->c, hit->normal, DIM);
        bs_expect(&v->c, hit->t >= 0 && hit->t <= 1);
    }
}

/* --- all of it ------------------------------------------------------------------------------ */

/* There is room for `ranks` ranks, and for what the counts say. False: no memory. */
static bool reserve(visit *v) {
    bs_world *w = v->w;
    bs_heap *heap = v->c.heap;
    v->ranks = w->used + 2 * w->touching.n;
    if (!bs_array_reserve(heap, &v->rank, &v->ranks_cap, v->ranks + 1, sizeof *v->rank)) {
        return false;
    }
    return !v->c.reads || (bs_world_reserve_room(w, w->used) &&
                           bs_array_reserve(heap, &w->touching.at, &w->touching.cap, w->touching.n,
                                            sizeof *w->touching.at) &&
                           bs_array_reserve(heap, &w->step_hits.at, &w->step_hits.cap,
                                            w->step_hits.n, sizeof *w->step_hits.at));
}

static void visit_counts(visit *v) {
    bs_world *w = v->w;
    bs_code_numbers(&v->c, w->gravity, DIM);
    w->used = bs_code_count(&v->c, w->used, INDEX_BYTES);
    v->boxes = bs_code_count(&v->c, w->count, INDEX_BYTES);
    w->idle = bs_code_count(&v->c, w->idle, IDLE_BYTES);
    w->touching.n = bs_code_count(&v->c, w->touching.n, CONTACT_BYTES);
    w->step_hits.n = bs_code_count(&v->c, w->step_hits.n, HIT_BYTES);
    bs_expect(&v->c, w->used < 1u << BS_INDEX_BITS);
}

static void visit_rest(visit *v) {
    for (uint32_t i = 0; i < v->w->used && goes_on(v); i++) {
        visit_index(v, i);
    }
    if (v->c.reads && goes_on(v)) {
        expect_idle(v);
    }
    visit_idle(v);
    visit_contacts(v);
    visit_hits(v);
}

/* --- writing -------------------------------------------------------------------------------- */

/* Ranks of boxes, and of what contacts still speak of. False: no memory. */
static bool find_ranks(visit *v) {
    const bs_world *w = v->w;
    bs_keyed *born = NULL;
    size_t cap = 0;
    size_t n = 0;
    if (!bs_array_reserve(v->c.heap, &born, &cap, 2 * v->ranks + 1, sizeof *born)) {
        return false;
    }
    assert(born != NULL && v->rank != NULL);
    for (uint32_t i = 0; i < w->used; i++) {
        born[n] = (bs_keyed){w->born[i], i};
        n += (w->flags[i] & BS_ALIVE) != 0;
    }
    for (size_t i = 0; i < w->touching.n; i++) {
        const bs_touching *t = &w->touching.at[i];
        born[n++] = (bs_keyed){t->born_a, w->used + 2 * i};
        born[n++] = (bs_keyed){t->born_b, w->used + 2 * i + 1};
    }
    bs_sort(born, born + v->ranks, n);
    uint32_t rank = 0;
    for (size_t i = 0; i < n; i++) {
        rank += i > 0 && born[i].key != born[i - 1].key;
        v->rank[born[i].value] = rank;
    }
    bs_array_free(v->c.heap, &born, &cap, sizeof *born);
    return true;
}

bs_status bs_snapshot_encode(const bs_snapshot *s, bs_heap *heap, bs_bytes *out) {
    bs_world copy = s->world; /* What visits it might also read. */
    visit v = {.w = &copy};
    v.c = bs_begin_writing(&format, heap, out);
    bool done = reserve(&v) && find_ranks(&v);
    if (done) {
        visit_counts(&v);
        visit_rest(&v);
    }
    bs_array_free(heap, &v.rank, &v.ranks_cap, sizeof *v.rank);
    return bs_end_writing(&v.c) && done ? BS_OK : BS_NO_MEMORY;
}

/* --- reading -------------------------------------------------------------------------------- */

/* Ranks that have been seen, and who has them. */
typedef struct owners {
    bs_id *id;
    size_t cap;
    size_t n, highest;
} owners;

/* Each rank is that of one box. */
static void claim(visit *v, owners *o, size_t i, bs_id id) {
    uint32_t rank = v->rank[i];
    bool fits = rank < v->ranks && (o->id[rank] == 0 || o->id[rank] == id);
    bs_expect(&v->c, fits);
    if (fits) {
        o->n += o->id[rank] == 0;
        o->highest = rank > o->highest ? rank : o->highest;
        o->id[rank] = id;
    }
}

static void claim_contact(visit *v, owners *o, size_t i, bs_id id) {
    const bs_world *w = v->w;
    uint32_t index = bs_id_index(id);
    bool alive = bs_world_alive(w, index) && bs_world_id(w, index) == id;
    bs_expect(&v->c, !alive || v->rank[i] == v->rank[index]);
    claim(v, o, i, id);
}

/* Ranks become numbers of insertions. Contacts are in the order in which contacts.c keeps them. */
static void take_ranks(visit *v, owners *o) {
    bs_world *w = v->w;
    uint64_t last = 0;
    for (uint32_t i = 0; i < w->used && goes_on(v); i++) {
        if (bs_world_alive(w, i)) {
            claim(v, o, i, bs_world_id(w, i));
            bs_expect(&v->c, o->n == ++w->births);
            w->born[i] = v->rank[i];
        }
    }
    for (size_t i = 0; i < w->touching.n && goes_on(v); i++) {
        bs_touching *t = &w->touching.at[i];
        size_t a = w->used + 2 * i;
        claim_contact(v, o, a, t->a);
        claim_contact(v, o, a + 1, t->b);
        t->born_a = v->rank[a];
        t->born_b = v->rank[a + 1];
        uint64_t order = t->born_a << 32 | t->born_b;
        bs_expect(&v->c, t->born_a < t->born_b && (i == 0 || order > last));
        last = order;
    }
    w->births = o->n;
    bs_expect(&v->c, o->n == 0 || o->highest == o->n - 1);
}

/* False: no memory. */
static bool check_ranks(visit *v) {
    owners o = {0};
    if (!bs_array_reserve(v->c.heap, &o.id, &o.cap, v->ranks + 1, sizeof *o.id)) {
        return false;
    }
    assert(o.id != NULL);
    memset(o.id, 0, o.cap * sizeof *o.id);
    take_ranks(v, &o);
    bs_array_free(v->c.heap, &o.id, &o.cap, sizeof *o.id);
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
    bs_expect(&v->c, v->boxes == v->w->count && v->c.left == 0);
    return !v->c.failed && (!goes_on(v) || check_ranks(v));
}

bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem) {
    bs_snapshot *read = bs_snapshot_new(s->world.heap.resize, s->world.heap.host);
    if (read == NULL) {
        return BS_NO_MEMORY;
    }
    visit v = {.w = &read->world};
    v.c = bs_begin_reading(&format, &read->world.heap, bytes, n);
    bool done = read_all(&v);
    bs_array_free(v.c.heap, &v.rank, &v.ranks_cap, sizeof *v.rank);
    *problem = v.c.problem;
    if (done && goes_on(&v)) {
        bs_snapshot swap = *s;
        *s = *read;
        *read = swap;
    }
    bs_snapshot_free(read);
    return done ? BS_OK : BS_NO_MEMORY;
}
