/*
 * encode.c: snapshots as bytes, and back.
 *
 *      "BSWS", version, dim, 0, 0     gravity     used, boxes, idle, contacts, hits: u32
 *      by index: generation u32, kind u8; of a box: rank u32, rect, and what its kind says;
 *          of a shape: corners u8 (0: a circle), numbers; before the first: whether there are two
 *      idle indices, u32, in the order in which they will be given out
 *      contacts: two ids u64, two ranks u32
 *      hits of the last step: two ids u64, response u8, t, normal
 *      checksum u64 of all before
 *
 * Numbers are little-endian, doubles as their bits. Numbers of insertions depend on what has been
 * removed since; so ranks are stored, which do not: among all boxes, and those that contacts still
 * speak of, in the order of insertion.
 */
#include "snapshot.h"

#include <math.h>
#include <string.h>

enum { VERSION = 1 };
static const char magic[4] = {'B', 'S', 'W', 'S'};

/* What a box has besides its rect, in the byte that begins with BS_KEPT_FLAGS. */
enum { HAS_LAYERS = 16, HAS_MOTION = 32, HAS_CONDUCT = 128 };
static_assert((BS_KEPT_FLAGS & (HAS_LAYERS | HAS_MOTION | HAS_CONDUCT)) == 0, "bits of their own");

/* --- checksum ------------------------------------------------------------------------------- */

static uint64_t read_word(const unsigned char *at, size_t n) {
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++) {
        x |= (uint64_t)at[i] << 8 * i;
    }
    return x;
}

/* MurmurHash64A, by Austin Appleby: eight bytes at a time. */
static uint64_t hash(const unsigned char *at, size_t n) {
    const uint64_t m = 0xc6a4a7935bd1e995u;
    uint64_t h = n * m;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t k = (n - i < 8 ? read_word(at + i, n - i) : read_word(at + i, 8)) * m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    h = (h ^ h >> 47) * m;
    return h ^ h >> 47;
}

uint64_t bs_bytes_hash(const bs_bytes *bytes) {
    assert(bytes->n >= 8);
    return read_word(bytes->at + bytes->n - 8, 8);
}

/* --- writing -------------------------------------------------------------------------------- */

typedef struct writer {
    const bs_snapshot *s;
    bs_heap *heap;
    bs_bytes *out;
    bs_keyed *births; /* sorted, each once: the place of a birth is its rank */
    size_t n, cap;
    bool failed; /* no memory */
} writer;

static void put(writer *w, uint64_t x, size_t bytes) {
    bs_bytes *out = w->out;
    w->failed = w->failed ||
                !bs_array_reserve(w->heap, &out->at, &out->cap, out->n + bytes, sizeof *out->at);
    for (size_t i = 0; i < bytes && !w->failed; i++) {
        out->at[out->n++] = (unsigned char)(x >> 8 * i);
    }
}

static void put_numbers(writer *w, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        put(w, bits, sizeof bits);
    }
}

static void put_rect(writer *w, const bs_rect *r) {
    put_numbers(w, r->pos, DIM);
    put_numbers(w, r->size, DIM);
}

/* False: no memory. */
static bool list_births(writer *w) {
    const bs_snapshot *s = w->s;
    const uint64_t *born = s->column[BS_BORN].at;
    const bs_touching *touching = s->column[BS_CONTACTS].at;
    const size_t contacts = s->column[BS_CONTACTS].n;
    size_t most = s->count + 2 * contacts;
    size_t all = 0;
    if (!bs_array_reserve(w->heap, &w->births, &w->cap, 2 * most + 1, sizeof *w->births)) {
        return false;
    }
    for (uint32_t i = 0; i < s->used; i++) {
        if (bs_snapshot_id(s, i) != 0) {
            w->births[all++].key = born[i];
        }
    }
    for (size_t i = 0; i < contacts; i++) {
        w->births[all++].key = touching[i].born_a;
        w->births[all++].key = touching[i].born_b;
    }
    assert(all == most);
    for (size_t i = 0; i < all; i++) {
        w->births[i].value = 0;
    }
    bs_sort(w->births, w->births + all, all);
    for (size_t i = 0; i < all; i++) {
        if (w->n == 0 || w->births[w->n - 1].key != w->births[i].key) {
            w->births[w->n++] = w->births[i];
        }
    }
    return true;
}

static uint32_t rank_of(const writer *w, uint64_t born) {
    size_t lo = 0;
    size_t hi = w->n;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        *(w->births[middle].key <= born ? &lo : &hi) = middle;
    }
    assert(w->births[lo].key == born);
    return (uint32_t)lo;
}

static void put_shape(writer *w, const bs_shape *shape) {
    bool is_circle = shape->kind == BS_CIRCLE;
    put(w, is_circle ? 0 : shape->corners, 1);
    if (is_circle) {
        put_numbers(w, shape->centre, DIM);
        put_numbers(w, &shape->radius, 1);
    }
    for (uint32_t i = 0; !is_circle && i < shape->corners; i++) {
        put_numbers(w, shape->corner[i], 2);
    }
}

static void put_shapes(writer *w, const bs_saved_shapes *shapes) {
    if (shapes->given != NULL) {
        put(w, shapes->object != NULL, 1);
        put_shape(w, shapes->given);
    }
    if (shapes->object != NULL) {
        put_shape(w, shapes->object);
    }
}

static void put_box(writer *w, uint32_t index) {
    const bs_column *c = w->s->column;
    const bs_layers *layers = (const bs_layers *)c[BS_LAYERS].at + index;
    const bs_motion *motion =
        c[BS_MOTION].n > 0 ? (const bs_motion *)c[BS_MOTION].at + index : NULL;
    const bs_conduct *conduct =
        c[BS_CONDUCT].n > 0 ? (const bs_conduct *)c[BS_CONDUCT].at + index : NULL;
    const bs_motion rest = {{0}, {0}};
    unsigned kind = ((const uint8_t *)c[BS_FLAGS].at)[index] & BS_KEPT_FLAGS;
    kind |= bs_layers_are_default(*layers) ? 0 : HAS_LAYERS;
    kind |= motion == NULL || memcmp(motion, &rest, sizeof rest) == 0 ? 0 : HAS_MOTION;
    kind |= conduct == NULL || bs_conduct_is_default(conduct) ? 0 : HAS_CONDUCT;
    put(w, kind, 1);
    put(w, rank_of(w, ((const uint64_t *)c[BS_BORN].at)[index]), 4);
    put_rect(w, (const bs_rect *)c[BS_RECT].at + index);
    if ((kind & HAS_LAYERS) != 0) {
        put(w, layers->layer, 4);
        put(w, layers->mask, 4);
    }
    if ((kind & HAS_MOTION) != 0) {
        put_numbers(w, motion->velocity, DIM);
        put_numbers(w, motion->acceleration, DIM);
    }
    if ((kind & HAS_CONDUCT) != 0) {
        put_numbers(w, &conduct->bounce, 1);
        put(w, conduct->response, 1);
        for (int k = 0; k < DIM; k++) {
            put(w, (uint8_t)conduct->one_way[k], 1);
        }
    }
    if ((kind & BS_HAS_OBJECT_RECT) != 0) {
        put_rect(w, (const bs_rect *)c[BS_OBJECT].at + index);
    }
}

static void put_contacts(writer *w) {
    const bs_column *c = &w->s->column[BS_CONTACTS];
    for (const bs_touching *t = c->at, *end = t + c->n; c->n > 0 && t < end; t++) {
        put(w, t->a, 8);
        put(w, t->b, 8);
        put(w, rank_of(w, t->born_a), 4);
        put(w, rank_of(w, t->born_b), 4);
    }
}

static void put_hits(writer *w) {
    const bs_column *c = &w->s->column[BS_STEP_HITS];
    for (const bs_step_hit *h = c->at, *end = h + c->n; c->n > 0 && h < end; h++) {
        put(w, h->box, 8);
        put(w, h->other, 8);
        put(w, h->response, 1);
        put_numbers(w, &h->t, 1);
        put_numbers(w, h->normal, DIM);
    }
}

static void put_all(writer *w) {
    const bs_snapshot *s = w->s;
    const uint32_t *generation = s->column[BS_GENERATION].at;
    const uint64_t *next = s->column[BS_BORN].at;
    for (size_t i = 0; i < sizeof magic; i++) {
        put(w, (unsigned char)magic[i], 1);
    }
    put(w, VERSION | DIM << 8, 4);
    put_numbers(w, s->gravity, DIM);
    put(w, s->used, 4);
    put(w, s->count, 4);
    put(w, s->idle, 4);
    put(w, s->column[BS_CONTACTS].n, 4);
    put(w, s->column[BS_STEP_HITS].n, 4);
    const char *at = s->column[BS_SHAPES].at;
    for (uint32_t i = 0; i < s->used; i++) {
        bs_saved_shapes shapes = bs_saved_shapes_of(s, i, &at);
        put(w, generation[i], 4);
        if (bs_snapshot_id(s, i) != 0) {
            put_box(w, i);
            put_shapes(w, &shapes);
        } else {
            put(w, 0, 1);
        }
    }
    for (uint32_t i = s->free; i != BS_NO_BOX; i = (uint32_t)next[i]) {
        put(w, i, 4);
    }
    put_contacts(w);
    put_hits(w);
}

bs_status bs_snapshot_encode(const bs_snapshot *s, bs_heap *heap, bs_bytes *out) {
    writer w = {.s = s, .heap = heap, .out = out};
    out->n = 0;
    if (!list_births(&w)) {
        return BS_NO_MEMORY;
    }
    put_all(&w);
    put(&w, w.failed ? 0 : hash(out->at, out->n), 8);
    bs_array_free(heap, &w.births, &w.cap, sizeof *w.births);
    return w.failed ? BS_NO_MEMORY : BS_OK;
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct reader {
    const unsigned char *at;
    size_t left;
    bs_snapshot *s;      /* what has been read so far */
    const char *problem; /* NULL, or what is wrong */
    bs_bytes shapes;     /* the column of shapes, as far as it has been read */
    bool failed;         /* no memory for it */
} reader;

static const char cut[] = "is cut off";
static const char wrong[] = "holds what no world can hold";

static void refuse(reader *r, const char *problem) {
    r->problem = r->problem != NULL ? r->problem : problem;
}

static uint64_t get(reader *r, size_t bytes) {
    if (r->problem != NULL || r->left < bytes) {
        refuse(r, cut);
        return 0;
    }
    uint64_t x = read_word(r->at, bytes);
    r->at += bytes;
    r->left -= bytes;
    return x;
}

/* Finite ones. */
static void get_numbers(reader *r, double *x, int n) {
    for (int i = 0; i < n; i++) {
        uint64_t bits = get(r, 8);
        memcpy(&x[i], &bits, sizeof bits);
        if (!isfinite(x[i])) {
            refuse(r, wrong);
        }
    }
}

static void get_rect(reader *r, bs_rect *rect) {
    get_numbers(r, rect->pos, DIM);
    get_numbers(r, rect->size, DIM);
}

static void get_conduct(reader *r, bs_conduct *conduct) {
    int sides = 0;
    get_numbers(r, &conduct->bounce, 1);
    uint64_t response = get(r, 1);
    for (int k = 0; k < DIM; k++) {
        uint64_t side = get(r, 1);
        sides += side != 0;
        conduct->one_way[k] = (signed char)(side == 0xff ? -1 : side == 1);
        if (side > 1 && side != 0xff) {
            refuse(r, wrong);
        }
    }
    if (!(conduct->bounce >= 0 && conduct->bounce <= 1) || response >= BS_RESPONSES || sides > 1) {
        refuse(r, wrong);
        response = BS_PASS;
    }
    conduct->response = (bs_response)response;
}

/* A shape, which goes behind those that are there; it must be one at `rect`, too. */
static void get_shape(reader *r, const bs_rect *rect) {
    bs_shape shape = {.kind = BS_CIRCLE};
    bs_shape fitted = {.kind = BS_CIRCLE};
    uint32_t corner;
    uint64_t corners = get(r, 1);
    if (corners > BS_MOST_CORNERS || (corners > 0 && (DIM != 2 || corners < BS_LEAST_CORNERS))) {
        refuse(r, wrong);
        return;
    }
    if (corners == 0) {
        get_numbers(r, shape.centre, DIM);
        get_numbers(r, &shape.radius, 1);
    } else {
        shape.kind = BS_POLYGON;
        shape.corners = (uint32_t)corners;
        for (uint64_t i = 0; i < corners; i++) {
            get_numbers(r, shape.corner[i], 2);
        }
    }
    bool fits = r->problem == NULL && bs_shape_check(&shape, &corner) == BS_SHAPE_IS_FINE;
    for (int k = 1; fits && corners == 0 && k < DIM; k++) {
        fits = rect->size[k] == rect->size[0];
    }
    if (!fits) {
        refuse(r, wrong);
        return;
    }
    bs_shape_fit(&shape, rect, &fitted);
    if (corners > 0 && bs_shape_check(&fitted, &corner) != BS_SHAPE_IS_FINE) {
        refuse(r, wrong);
    }
    size_t bytes = bs_shape_bytes(&shape);
    bs_bytes *to = &r->shapes;
    r->failed = r->failed || !bs_array_reserve(&r->s->heap, &to->at, &to->cap, to->n + bytes, 1);
    if (!r->failed) {
        memcpy(to->at + to->n, &shape, bytes);
        to->n += bytes;
    }
}

/* The shapes of the box, whose rect has been read. */
static void get_shapes(reader *r, uint32_t i) {
    bs_column *c = r->s->column;
    uint8_t *flags = (uint8_t *)c[BS_FLAGS].at + i;
    const bs_rect *rect = (const bs_rect *)c[BS_RECT].at + i;
    uint64_t has_object = get(r, 1);
    if (has_object > 1 || (has_object == 1 && (*flags & BS_HAS_OBJECT_RECT) == 0)) {
        refuse(r, wrong);
    }
    if (r->problem == NULL) {
        get_shape(r, rect);
    }
    if (r->problem == NULL && has_object == 1) {
        get_shape(r, (const bs_rect *)c[BS_OBJECT].at + i);
        *flags |= BS_HAS_OBJECT_SHAPE;
    }
    r->s->shaped++;
}

static void get_box(reader *r, uint32_t i, unsigned kind) {
    bs_column *c = r->s->column;
    const unsigned all = BS_KEPT_FLAGS | HAS_LAYERS | HAS_MOTION | HAS_CONDUCT;
    uint64_t *born = (uint64_t *)c[BS_BORN].at + i;
    bs_rect *rect = (bs_rect *)c[BS_RECT].at + i;
    bs_layers *layers = (bs_layers *)c[BS_LAYERS].at + i;
    if ((kind & ~all) != 0) {
        refuse(r, wrong);
    }
    *born = get(r, 4);
    get_rect(r, rect);
    if ((kind & HAS_LAYERS) != 0) {
        layers->layer = (uint32_t)get(r, 4);
        layers->mask = (uint32_t)get(r, 4);
    }
    if ((kind & HAS_MOTION) != 0) {
        bs_motion *motion = (bs_motion *)c[BS_MOTION].at + i;
        get_numbers(r, motion->velocity, DIM);
        get_numbers(r, motion->acceleration, DIM);
    }
    if ((kind & HAS_CONDUCT) != 0) {
        get_conduct(r, (bs_conduct *)c[BS_CONDUCT].at + i);
    }
    if ((kind & BS_HAS_OBJECT_RECT) != 0) {
        bs_rect *object = (bs_rect *)c[BS_OBJECT].at + i;
        get_rect(r, object);
        if (r->problem == NULL && !bs_rect_is_box(object)) {
            refuse(r, wrong);
        }
    }
    if (r->problem == NULL && !bs_rect_is_box(rect)) {
        refuse(r, wrong);
    }
    if (r->problem == NULL && (kind & BS_HAS_SHAPE) != 0) {
        get_shapes(r, i);
    }
}

/* What follows from the boxes. */
static void count_box(bs_snapshot *s, uint32_t i) {
    const bs_layers layers = ((const bs_layers *)s->column[BS_LAYERS].at)[i];
    const uint8_t *flags = s->column[BS_FLAGS].at;
    const uint64_t *born = s->column[BS_BORN].at;
    const bs_conduct *conduct = s->column[BS_CONDUCT].at;
    s->layered += !bs_layers_are_default(layers);
    s->responders += s->column[BS_CONDUCT].n > 0 && conduct[i].response != BS_PASS;
    if ((flags[i] & BS_IS_STATIC) == 0) {
        s->any.layer |= layers.layer;
        s->any.mask |= layers.mask;
    }
    s->recycled = s->recycled || (s->count > 0 && born[i] < born[s->last]);
    s->last = i;
    s->count++;
}

/* The columns are there, and hold what boxes have by default. */
static void get_indices(reader *r) {
    bs_snapshot *s = r->s;
    uint32_t *generation = s->column[BS_GENERATION].at;
    uint8_t *flags = s->column[BS_FLAGS].at;
    for (uint32_t i = 0; i < s->used && r->problem == NULL; i++) {
        generation[i] = (uint32_t)get(r, 4);
        unsigned kind = (unsigned)get(r, 1);
        bool alive = (kind & BS_ALIVE) != 0;
        if (generation[i] < BS_FIRST_GENERATION || generation[i] > BS_GENERATIONS_END - alive ||
            (!alive && kind != 0) || (alive && i >= s->span)) {
            refuse(r, wrong);
            return;
        }
        flags[i] = kind & BS_KEPT_FLAGS;
        if (alive) {
            get_box(r, i, kind);
            count_box(s, i);
        }
    }
}

/* Each index that is neither a box's nor retired stands in the list once. */
static void get_idle(reader *r) {
    bs_snapshot *s = r->s;
    const uint32_t *generation = s->column[BS_GENERATION].at;
    const uint8_t *flags = s->column[BS_FLAGS].at;
    uint64_t *next = s->column[BS_BORN].at;
    uint32_t idle = 0;
    for (uint32_t i = 0; i < s->used && r->problem == NULL; i++) {
        bool is_idle = (flags[i] & BS_ALIVE) == 0 && generation[i] < BS_GENERATIONS_END;
        idle += is_idle;
        next[i] = is_idle ? UINT64_MAX : next[i];
    }
    if (idle != s->idle) {
        refuse(r, wrong);
    }
    uint64_t first = BS_NO_BOX;
    uint64_t *link = &first;
    for (uint32_t n = 0; n < s->idle && r->problem == NULL; n++) {
        uint64_t i = get(r, 4);
        if (i >= s->used || (flags[i] & BS_ALIVE) != 0 || next[i] != UINT64_MAX) {
            refuse(r, wrong);
            return;
        }
        *link = i;
        link = &next[i];
        *link = BS_NO_BOX;
    }
    s->free = (uint32_t)first;
}

/* An id that has been given; *born is that of the box, if it is there. */
static bs_id get_id(reader *r, bool *alive, uint64_t *born) {
    const bs_snapshot *s = r->s;
    bs_id id = get(r, 8);
    uint64_t index = id & ((1u << BS_INDEX_BITS) - 1);
    uint64_t generation = id >> BS_INDEX_BITS;
    if (index >= s->used || generation < BS_FIRST_GENERATION ||
        generation > ((const uint32_t *)s->column[BS_GENERATION].at)[index]) {
        refuse(r, wrong);
        return 0;
    }
    *alive = bs_snapshot_id(s, (uint32_t)index) == id;
    *born = ((const uint64_t *)s->column[BS_BORN].at)[index];
    if (!*alive && generation == ((const uint32_t *)s->column[BS_GENERATION].at)[index]) {
        refuse(r, wrong);
    }
    return id;
}

/* In the order in which contacts.c keeps them. */
static void get_contacts(reader *r) {
    bs_column *c = &r->s->column[BS_CONTACTS];
    bs_touching *list = c->at;
    for (size_t i = 0; i < c->n && r->problem == NULL; i++) {
        bool alive_a = false;
        bool alive_b = false;
        uint64_t born_a = 0;
        uint64_t born_b = 0;
        bs_touching t = {.a = get_id(r, &alive_a, &born_a), .b = get_id(r, &alive_b, &born_b)};
        t.born_a = get(r, 4);
        t.born_b = get(r, 4);
        bool ordered = i == 0 || list[i - 1].born_a < t.born_a ||
                       (list[i - 1].born_a == t.born_a && list[i - 1].born_b < t.born_b);
        if (!ordered || t.born_a >= t.born_b || (alive_a && born_a != t.born_a) ||
            (alive_b && born_b != t.born_b)) {
            refuse(r, wrong);
        }
        list[i] = t;
    }
}

static void get_hits(reader *r) {
    bs_column *c = &r->s->column[BS_STEP_HITS];
    for (size_t i = 0; i < c->n && r->problem == NULL; i++) {
        bool alive;
        uint64_t born;
        bs_step_hit *hit = (bs_step_hit *)c->at + i;
        hit->box = get_id(r, &alive, &born);
        hit->other = get_id(r, &alive, &born);
        uint64_t response = get(r, 1);
        get_numbers(r, &hit->t, 1);
        get_numbers(r, hit->normal, DIM);
        hit->response = response < BS_RESPONSES ? (bs_response)response : BS_PASS;
        if (response >= BS_RESPONSES || !(hit->t >= 0 && hit->t <= 1)) {
            refuse(r, wrong);
        }
    }
}

/* All boxes have ranks of their own; so have those that are gone, of which contacts speak. */
static bs_status check_ranks(reader *r) {
    bs_snapshot *s = r->s;
    const bs_column *c = &s->column[BS_CONTACTS];
    writer w = {.s = s, .heap = &s->heap};
    bool done = list_births(&w);
    uint64_t boxes = 0;
    for (uint32_t i = 0; done && i < s->used; i++) {
        if (bs_snapshot_id(s, i) != 0) {
            bs_keyed *birth = &w.births[rank_of(&w, ((const uint64_t *)s->column[BS_BORN].at)[i])];
            boxes += birth->value == 0;
            birth->value = bs_snapshot_id(s, i);
        }
    }
    for (size_t i = 0; done && i < 2 * c->n; i++) {
        const bs_touching *t = (const bs_touching *)c->at + i / 2;
        bs_id id = i % 2 == 0 ? t->a : t->b;
        bs_keyed *birth = &w.births[rank_of(&w, i % 2 == 0 ? t->born_a : t->born_b)];
        if (birth->value != 0 && birth->value != id) {
            refuse(r, wrong);
        }
        birth->value = id;
    }
    bool dense = w.n == 0 || (done && w.births[w.n - 1].key < w.n);
    if (boxes != s->count || !dense) {
        refuse(r, wrong);
    }
    s->births = w.n;
    bs_array_free(&s->heap, &w.births, &w.cap, sizeof *w.births);
    return done ? BS_OK : BS_NO_MEMORY;
}

/* Columns of those numbers of elements, with what boxes have by default. */
static bs_status make_columns(bs_snapshot *s, const size_t n[BS_COLUMNS]) {
    const bs_props usual = bs_props_default();
    if (!bs_snapshot_resize(s, n)) {
        return BS_NO_MEMORY;
    }
    for (size_t i = 0; i < s->span; i++) {
        ((bs_layers *)s->column[BS_LAYERS].at)[i] = usual.layers;
    }
    for (size_t i = 0; i < n[BS_MOTION]; i++) {
        ((bs_motion *)s->column[BS_MOTION].at)[i] = (bs_motion){{0}, {0}};
    }
    for (size_t i = 0; i < n[BS_CONDUCT]; i++) {
        ((bs_conduct *)s->column[BS_CONDUCT].at)[i] = usual.conduct;
    }
    return BS_OK;
}

/* What stands before the indices. False: it is no snapshot that can be read here. */
static bool get_header(reader *r, uint32_t counts[4]) {
    bs_snapshot *s = r->s;
    if (r->left < sizeof magic || memcmp(r->at, magic, sizeof magic) != 0) {
        refuse(r, "is no snapshot of a world");
        return false;
    }
    if (r->left < 16) {
        refuse(r, cut);
        return false;
    }
    uint64_t sum = read_word(r->at + r->left - 8, 8);
    (void)get(r, sizeof magic);
    uint64_t version = get(r, 1);
    uint64_t dim = get(r, 1);
    if (r->problem == NULL && version != VERSION) {
        refuse(r, "is of another version");
    } else if (r->problem == NULL && dim != DIM) {
        refuse(r, DIM == 2 ? "is of a 3D world" : "is of a 2D world");
    } else if (hash(r->at - 6, r->left + 6 - 8) != sum) {
        refuse(r, "is cut off or damaged");
    }
    if (get(r, 2) != 0) {
        refuse(r, wrong);
    }
    get_numbers(r, s->gravity, DIM);
    s->used = (uint32_t)get(r, 4);
    for (int i = 0; i < 4; i++) {
        counts[i] = (uint32_t)get(r, 4);
    }
    s->idle = counts[1];
    return r->problem == NULL;
}

static void skip(reader *r, size_t bytes) {
    if (r->left < bytes) {
        refuse(r, cut);
        return;
    }
    r->at += bytes;
    r->left -= bytes;
}

/* One past the last box, and what boxes have: a look at all before there is memory for them. */
static void measure(const reader *at, size_t n[BS_COLUMNS]) {
    reader r = *at;
    uint32_t span = 0;
    unsigned any = 0;
    for (uint32_t i = 0; i < r.s->used && r.problem == NULL; i++) {
        (void)get(&r, 4);
        unsigned kind = (unsigned)get(&r, 1);
        size_t size = (kind & BS_ALIVE) == 0 ? 0 : 4 + sizeof(bs_rect);
        size += (kind & HAS_LAYERS) != 0 ? 8 : 0;
        size += (kind & HAS_MOTION) != 0 ? 2 * DIM * 8 : 0;
        size += (kind & HAS_CONDUCT) != 0 ? 8 + 1 + DIM : 0;
        size += (kind & BS_HAS_OBJECT_RECT) != 0 ? 2 * DIM * 8 : 0;
        any |= kind;
        span = (kind & BS_ALIVE) != 0 ? i + 1 : span;
        skip(&r, size);
        if ((kind & BS_HAS_SHAPE) != 0) {
            for (uint64_t shapes = 1 + (get(&r, 1) != 0); shapes > 0; shapes--) {
                uint64_t corners = get(&r, 1);
                skip(&r, corners > 0 ? (size_t)corners * 16 : (DIM + 1) * 8);
            }
        }
    }
    r.s->span = span;
    n[BS_RECT] = span;
    n[BS_LAYERS] = span;
    n[BS_MOTION] = (any & HAS_MOTION) != 0 ? span : 0;
    n[BS_OBJECT] = (any & BS_HAS_OBJECT_RECT) != 0 ? span : 0;
    n[BS_CONDUCT] = (any & HAS_CONDUCT) != 0 ? span : 0;
}

static bs_status get_all(reader *r) {
    enum { INDEX = 5, CONTACT = 24, HIT = 17 + 8 + 8 * DIM };
    bs_snapshot *s = r->s;
    uint32_t counts[4]; /* boxes, idle, contacts, hits */
    if (!get_header(r, counts)) {
        return BS_OK;
    }
    uint64_t least = (uint64_t)s->used * INDEX + (uint64_t)s->idle * 4 +
                     (uint64_t)counts[2] * CONTACT + (uint64_t)counts[3] * HIT;
    if (least > r->left || s->used >= 1u << BS_INDEX_BITS) {
        refuse(r, wrong);
        return BS_OK;
    }
    size_t n[BS_COLUMNS] = {[BS_BORN] = s->used,
                            [BS_GENERATION] = s->used,
                            [BS_FLAGS] = s->used,
                            [BS_CONTACTS] = counts[2],
                            [BS_STEP_HITS] = counts[3]};
    measure(r, n);
    if (make_columns(s, n) != BS_OK) {
        return BS_NO_MEMORY;
    }
    get_indices(r);
    get_idle(r);
    get_contacts(r);
    get_hits(r);
    if (r->problem == NULL && (counts[0] != s->count || r->left != 8)) {
        refuse(r, wrong);
    }
    return r->problem == NULL ? check_ranks(r) : BS_OK;
}

bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem) {
    bs_snapshot *read = bs_snapshot_new(s->heap.resize, s->heap.host);
    if (read == NULL) {
        return BS_NO_MEMORY;
    }
    reader r = {.at = bytes, .left = n, .s = read};
    bs_status status = get_all(&r);
    *problem = r.problem;
    status = r.failed ? BS_NO_MEMORY : status;
    bs_column *shapes = &read->column[BS_SHAPES];
    *shapes = (bs_column){r.shapes.at, r.shapes.n, r.shapes.cap};
    if (status == BS_OK && r.problem == NULL) {
        bs_snapshot swap = *s;
        *s = *read;
        *read = swap;
    }
    bs_snapshot_free(read);
    return status;
}
