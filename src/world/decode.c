/* decode.c: snapshots out of bytes, which may come from anywhere; encode.c writes them. */
#include "encode.h"

#include <string.h>

typedef struct reader {
    bs_reader in;
    bs_snapshot *s;  /* what has been read so far */
    bs_bytes shapes; /* the column of shapes, as far as it has been read */
    bool failed;     /* no memory for it */
} reader;

static void get_rect(reader *r, bs_rect *rect) {
    bs_get_numbers(&r->in, rect->pos, DIM);
    bs_get_numbers(&r->in, rect->size, DIM);
}

static void get_conduct(reader *r, bs_conduct *conduct) {
    int sides = 0;
    bs_get_numbers(&r->in, &conduct->bounce, 1);
    uint64_t response = bs_get(&r->in, 1);
    for (int k = 0; k < DIM; k++) {
        uint64_t side = bs_get(&r->in, 1);
        sides += side != 0;
        conduct->one_way[k] = (signed char)(side == 0xff ? -1 : side == 1);
        if (side > 1 && side != 0xff) {
            bs_refuse(&r->in);
        }
    }
    uint64_t sensor = bs_get(&r->in, 1);
    bs_get_numbers(&r->in, &conduct->gravity_scale, 1);
    if (!(conduct->bounce >= 0 && conduct->bounce <= 1) || response >= BS_PUSH || sides > 1 ||
        sensor > 1) {
        bs_refuse(&r->in);
        response = BS_PASS;
    }
    conduct->response = (bs_response)response;
    conduct->sensor = sensor == 1;
}

/* A shape, which goes behind those that are there. */
static void get_shape(reader *r) {
    bs_shape shape = {.kind = BS_CIRCLE};
    uint32_t corner;
    uint64_t corners = bs_get(&r->in, 1);
    if (corners > BS_MOST_CORNERS || (corners > 0 && (DIM != 2 || corners < BS_LEAST_CORNERS))) {
        bs_refuse(&r->in);
        return;
    }
    if (corners == 0) {
        bs_get_numbers(&r->in, shape.centre, DIM);
        bs_get_numbers(&r->in, &shape.radius, 1);
    } else {
        shape.kind = BS_POLYGON;
        shape.corners = (uint32_t)corners;
        for (uint64_t i = 0; i < corners; i++) {
            bs_get_numbers(&r->in, shape.corner[i], 2);
        }
    }
    if (r->in.problem != NULL || bs_shape_check(&shape, &corner) != BS_SHAPE_IS_FINE) {
        bs_refuse(&r->in);
        return;
    }
    size_t bytes = bs_shape_bytes(&shape);
    bs_bytes *to = &r->shapes;
    r->failed = r->failed || !bs_array_reserve(&r->s->heap, &to->at, &to->cap, to->n + bytes, 1);
    if (!r->failed) {
        memcpy(to->at + to->n, &shape, bytes);
        to->n += bytes;
    }
}

static bool is_even(const bs_rect *rect) {
    bool even = true;
    for (int k = 1; k < DIM; k++) {
        even = even && rect->size[k] == rect->size[0];
    }
    return even;
}

/*
 * The shapes of the box, whose rects have been read: a circle's have equal sizes. What a transform
 * changes, and what it makes of that, are of one kind and have as many corners.
 */
static void get_shapes(reader *r, uint32_t i) {
    bs_column *c = r->s->column;
    uint8_t *flags = (uint8_t *)c[BS_FLAGS].at + i;
    const bool has_rect = (*flags & BS_HAS_OBJECT_RECT) != 0;
    const size_t before = r->shapes.n;
    uint64_t has_object = bs_get(&r->in, 1);
    if (has_object > 1 || (has_object == 1 && !has_rect)) {
        bs_refuse(&r->in);
    }
    if (r->in.problem == NULL) {
        get_shape(r);
    }
    const size_t bytes = r->shapes.n - before;
    if (r->in.problem == NULL && has_object == 1) {
        get_shape(r);
        *flags |= BS_HAS_OBJECT_SHAPE;
    }
    bool is_circle = bytes == offsetof(bs_shape, corner);
    bool fits = r->shapes.n == before + bytes * (1 + has_object);
    fits = fits && (!is_circle || is_even((const bs_rect *)c[BS_RECT].at + i));
    fits = fits && (!is_circle || !has_rect || is_even((const bs_rect *)c[BS_OBJECT].at + i));
    if (!fits && !r->failed) {
        bs_refuse(&r->in);
    }
    r->s->shaped++;
}

static void get_box(reader *r, uint32_t i, unsigned kind) {
    bs_column *c = r->s->column;
    const unsigned all = BS_KEPT_FLAGS | BS_HAS_LAYERS | BS_HAS_MOTION | BS_HAS_CONDUCT;
    uint64_t *born = (uint64_t *)c[BS_BORN].at + i;
    bs_rect *rect = (bs_rect *)c[BS_RECT].at + i;
    bs_layers *layers = (bs_layers *)c[BS_LAYERS].at + i;
    if ((kind & ~all) != 0) {
        bs_refuse(&r->in);
    }
    *born = bs_get(&r->in, 4);
    get_rect(r, rect);
    if ((kind & BS_HAS_LAYERS) != 0) {
        layers->layer = (uint32_t)bs_get(&r->in, 4);
        layers->mask = (uint32_t)bs_get(&r->in, 4);
    }
    if ((kind & BS_HAS_MOTION) != 0) {
        bs_motion *motion = (bs_motion *)c[BS_MOTION].at + i;
        bs_get_numbers(&r->in, motion->velocity, DIM);
        bs_get_numbers(&r->in, motion->acceleration, DIM);
    }
    if ((kind & BS_HAS_CONDUCT) != 0) {
        get_conduct(r, (bs_conduct *)c[BS_CONDUCT].at + i);
    }
    if ((kind & BS_HAS_OBJECT_RECT) != 0) {
        bs_rect *object = (bs_rect *)c[BS_OBJECT].at + i;
        get_rect(r, object);
        if (r->in.problem == NULL && !bs_rect_is_box(object)) {
            bs_refuse(&r->in);
        }
    }
    if (r->in.problem == NULL && !bs_rect_is_box(rect)) {
        bs_refuse(&r->in);
    }
    if (r->in.problem == NULL && (kind & BS_HAS_SHAPE) != 0) {
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
    for (uint32_t i = 0; i < s->used && r->in.problem == NULL; i++) {
        generation[i] = (uint32_t)bs_get(&r->in, 4);
        unsigned kind = (unsigned)bs_get(&r->in, 1);
        bool alive = (kind & BS_ALIVE) != 0;
        if (generation[i] < BS_FIRST_GENERATION || generation[i] > BS_GENERATIONS_END - alive ||
            (!alive && kind != 0) || (alive && i >= s->span)) {
            bs_refuse(&r->in);
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
    for (uint32_t i = 0; i < s->used && r->in.problem == NULL; i++) {
        bool is_idle = (flags[i] & BS_ALIVE) == 0 && generation[i] < BS_GENERATIONS_END;
        idle += is_idle;
        next[i] = is_idle ? UINT64_MAX : next[i];
    }
    if (idle != s->idle) {
        bs_refuse(&r->in);
    }
    uint64_t first = BS_NO_BOX;
    uint64_t *link = &first;
    for (uint32_t n = 0; n < s->idle && r->in.problem == NULL; n++) {
        uint64_t i = bs_get(&r->in, 4);
        if (i >= s->used || (flags[i] & BS_ALIVE) != 0 || next[i] != UINT64_MAX) {
            bs_refuse(&r->in);
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
    bs_id id = bs_get(&r->in, 8);
    uint64_t index = id & ((1u << BS_INDEX_BITS) - 1);
    uint64_t generation = id >> BS_INDEX_BITS;
    if (index >= s->used || generation < BS_FIRST_GENERATION ||
        generation > ((const uint32_t *)s->column[BS_GENERATION].at)[index]) {
        bs_refuse(&r->in);
        return 0;
    }
    *alive = bs_snapshot_id(s, (uint32_t)index) == id;
    *born = ((const uint64_t *)s->column[BS_BORN].at)[index];
    if (!*alive && generation == ((const uint32_t *)s->column[BS_GENERATION].at)[index]) {
        bs_refuse(&r->in);
    }
    return id;
}

/* In the order in which contacts.c keeps them. */
static void get_contacts(reader *r) {
    bs_column *c = &r->s->column[BS_CONTACTS];
    bs_touching *list = c->at;
    for (size_t i = 0; i < c->n && r->in.problem == NULL; i++) {
        bool alive_a = false;
        bool alive_b = false;
        uint64_t born_a = 0;
        uint64_t born_b = 0;
        bs_touching t;
        t.a = get_id(r, &alive_a, &born_a);
        t.b = get_id(r, &alive_b, &born_b);
        t.born_a = bs_get(&r->in, 4);
        t.born_b = bs_get(&r->in, 4);
        bool ordered = i == 0 || list[i - 1].born_a < t.born_a ||
                       (list[i - 1].born_a == t.born_a && list[i - 1].born_b < t.born_b);
        if (!ordered || t.born_a >= t.born_b || (alive_a && born_a != t.born_a) ||
            (alive_b && born_b != t.born_b)) {
            bs_refuse(&r->in);
        }
        list[i] = t;
    }
}

static void get_hits(reader *r) {
    bs_column *c = &r->s->column[BS_STEP_HITS];
    for (size_t i = 0; i < c->n && r->in.problem == NULL; i++) {
        bool alive;
        uint64_t born;
        bs_step_hit *hit = (bs_step_hit *)c->at + i;
        hit->box = get_id(r, &alive, &born);
        hit->other = get_id(r, &alive, &born);
        uint64_t response = bs_get(&r->in, 1);
        bs_get_numbers(&r->in, &hit->t, 1);
        bs_get_numbers(&r->in, hit->normal, DIM);
        hit->response = response < BS_PUSH ? (bs_response)response : BS_PASS;
        if (response >= BS_PUSH || !(hit->t >= 0 && hit->t <= 1)) {
            bs_refuse(&r->in);
        }
    }
}

/* All boxes have ranks of their own; so have those that are gone, of which contacts speak. */
static bs_status check_ranks(reader *r) {
    bs_snapshot *s = r->s;
    const bs_column *c = &s->column[BS_CONTACTS];
    bs_births births;
    bool done = bs_births_list(&births, s, &s->heap);
    uint64_t boxes = 0;
    for (uint32_t i = 0; done && i < s->used; i++) {
        if (bs_snapshot_id(s, i) != 0) {
            bs_keyed *birth =
                &births.at[bs_rank_of(&births, ((const uint64_t *)s->column[BS_BORN].at)[i])];
            boxes += birth->value == 0;
            birth->value = bs_snapshot_id(s, i);
        }
    }
    for (size_t i = 0; done && i < 2 * c->n; i++) {
        const bs_touching *t = (const bs_touching *)c->at + i / 2;
        bs_id id = i % 2 == 0 ? t->a : t->b;
        bs_keyed *birth = &births.at[bs_rank_of(&births, i % 2 == 0 ? t->born_a : t->born_b)];
        if (birth->value != 0 && birth->value != id) {
            bs_refuse(&r->in);
        }
        birth->value = id;
    }
    bool dense = births.n == 0 || (done && births.at[births.n - 1].key < births.n);
    if (boxes != s->count || !dense) {
        bs_refuse(&r->in);
    }
    s->births = births.n;
    bs_births_free(&births, &s->heap);
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
static bool get_counts(reader *r, uint32_t counts[4]) {
    bs_snapshot *s = r->s;
    bs_get_numbers(&r->in, s->gravity, DIM);
    s->used = (uint32_t)bs_get(&r->in, 4);
    for (int i = 0; i < 4; i++) {
        counts[i] = (uint32_t)bs_get(&r->in, 4);
    }
    s->idle = counts[1];
    return r->in.problem == NULL;
}

/* One past the last box, and what boxes have: a look at all before there is memory for them. */
static void measure(const reader *at, size_t n[BS_COLUMNS]) {
    reader r = *at;
    uint32_t span = 0;
    unsigned any = 0;
    for (uint32_t i = 0; i < r.s->used && r.in.problem == NULL; i++) {
        (void)bs_get(&r.in, 4);
        unsigned kind = (unsigned)bs_get(&r.in, 1);
        size_t size = (kind & BS_ALIVE) == 0 ? 0 : 4 + sizeof(bs_rect);
        size += (kind & BS_HAS_LAYERS) != 0 ? 8 : 0;
        size += (kind & BS_HAS_MOTION) != 0 ? 2 * DIM * 8 : 0;
        size += (kind & BS_HAS_CONDUCT) != 0 ? 8 + 1 + DIM + 1 + 8 : 0;
        size += (kind & BS_HAS_OBJECT_RECT) != 0 ? 2 * DIM * 8 : 0;
        any |= kind;
        span = (kind & BS_ALIVE) != 0 ? i + 1 : span;
        bs_skip(&r.in, size);
        if ((kind & BS_HAS_SHAPE) != 0) {
            for (uint64_t shapes = 1 + (bs_get(&r.in, 1) != 0); shapes > 0; shapes--) {
                uint64_t corners = bs_get(&r.in, 1);
                bs_skip(&r.in, corners > 0 ? (size_t)corners * 16 : (DIM + 1) * 8);
            }
        }
    }
    r.s->span = span;
    n[BS_RECT] = span;
    n[BS_LAYERS] = span;
    n[BS_MOTION] = (any & BS_HAS_MOTION) != 0 ? span : 0;
    n[BS_OBJECT] = (any & BS_HAS_OBJECT_RECT) != 0 ? span : 0;
    n[BS_CONDUCT] = (any & BS_HAS_CONDUCT) != 0 ? span : 0;
}

static bs_status get_all(reader *r) {
    enum { INDEX = 5, CONTACT = 24, HIT = 17 + 8 + 8 * DIM };
    bs_snapshot *s = r->s;
    uint32_t counts[4]; /* boxes, idle, contacts, hits */
    if (!get_counts(r, counts)) {
        return BS_OK;
    }
    uint64_t least = (uint64_t)s->used * INDEX + (uint64_t)s->idle * 4 +
                     (uint64_t)counts[2] * CONTACT + (uint64_t)counts[3] * HIT;
    if (least > r->in.left || s->used >= 1u << BS_INDEX_BITS) {
        bs_refuse(&r->in);
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
    if (r->in.problem == NULL && (counts[0] != s->count || r->in.left != 0)) {
        bs_refuse(&r->in);
    }
    return r->in.problem == NULL ? check_ranks(r) : BS_OK;
}

bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem) {
    bs_snapshot *read = bs_snapshot_new(s->heap.resize, s->heap.host);
    if (read == NULL) {
        return BS_NO_MEMORY;
    }
    reader r = {.in = bs_read_bytes(&bs_snapshot_format, bytes, n), .s = read};
    bs_status status = get_all(&r);
    *problem = r.in.problem;
    status = r.failed ? BS_NO_MEMORY : status;
    bs_column *shapes = &read->column[BS_SHAPES];
    *shapes = (bs_column){r.shapes.at, r.shapes.n, r.shapes.cap};
    if (status == BS_OK && r.in.problem == NULL) {
        bs_snapshot swap = *s;
        *s = *read;
        *read = swap;
    }
    bs_snapshot_free(read);
    return status;
}
