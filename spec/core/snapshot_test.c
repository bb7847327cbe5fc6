/*
 * snapshot_test.c: snapshots as bytes, in C.
 *
 *     snapshot_test2 [rounds]
 *
 * Random worlds, whose boxes have every property, are encoded and decoded into worlds on other back
 * ends. Then the bytes are damaged. Bits are flipped, numbers become hostile ones, and parts are
 * cut out, doubled, or replaced by parts of other snapshots. The checksum is then corrected, as an
 * attacker would do. Damaged bytes must be refused without any change, or give a world in which the
 * checkers find nothing, before and after every kind of query. Decoding must never take more memory
 * than a fixed multiple of the number of bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkers/checkers.h"
#include "motion/motion.h"

enum { MOST_BOXES = 40, MOST_BYTES = 1 << 16 };
static const char *const names[] = {"brute", "sweep", "grid", "tree", "auto"};
enum { TYPES = sizeof names / sizeof *names };

/* --- memory and chance ---------------------------------------------------------------------- */

typedef struct memory {
    size_t held;
    size_t most;
} memory;

static memory used;

static void *resize(void *host, void *block, size_t old_size, size_t new_size) {
    memory *m = host;
    m->held = m->held - old_size + new_size;
    m->most = m->held > m->most ? m->held : m->most;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static uint64_t state;

static uint32_t below(uint32_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static double number(void) {
    return (double)below(400) / 4 - 50;
}

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%dD: %s\n", DIM, what);
        abort();
    }
}

static void check(const bs_world *w) {
    const char *broken = bs_world_check(w);
    must(broken == NULL, broken);
    broken = bs_moves_check(w);
    must(broken == NULL, broken);
}

/* --- worlds --------------------------------------------------------------------------------- */

static bs_world *new_world(uint32_t type) {
    bs_settings settings = {.margin = -1};
    return bs_world_new(resize, &used, bs_backend_find(names[type]), &settings);
}

static void vector(double v[DIM]) {
    for (int k = 0; k < DIM; k++) {
        v[k] = number();
    }
}

static bs_rect rect(void) {
    bs_rect r;
    vector(r.pos);
    for (int k = 0; k < DIM; k++) {
        r.size[k] = 1 + below(80) / 4.0;
    }
    return r;
}

/* A circle, or a polygon with that many corners. */
static void shape_of(uint32_t corners, bs_shape *out) {
    double centre[DIM];
    uint32_t corner;
    vector(centre);
    bs_shape_set_circle(out, centre, 1 + below(10));
    if (corners > 0) {
        out->kind = BS_POLYGON;
        out->corners = corners;
    }
    for (uint32_t i = 0; i < corners; i++) {
        double angle = 6.28318 * i / corners;
        out->corner[i][0] = centre[0] + 9 * cos(angle);
        out->corner[i][1] = centre[1] + 5 * sin(angle);
    }
    must(bs_shape_check(out, &corner) == BS_SHAPE_IS_FINE, "a shape is none");
}

static void shape(bs_shape *out) {
    shape_of(DIM == 2 && below(2) == 0 ? 3 + below(6) : 0, out);
}

static void insert(bs_world *w) {
    bs_rect r = rect();
    bs_shape s;
    bs_props props = bs_props_default();
    uint32_t box;
    props.is_static = below(4) == 0;
    props.layers.layer = below(3) == 0 ? 1 + below(7) : 1;
    if (below(3) == 0) {
        vector(props.velocity);
        vector(props.acceleration);
    }
    if (below(3) == 0) {
        props.conduct.response = (bs_response)below(BS_PUSH);
        props.conduct.bounce = below(5) / 4.0;
        props.conduct.sensor = below(4) == 0;
        props.conduct.gravity_scale = below(4) / 2.0;
        uint32_t axis = below(DIM);
        props.conduct.one_way[axis] = (signed char)((int)below(3) - 1);
    }
    shape(&s);
    if (below(3) != 0) {
        bs_shape_set_box(&s, &r);
    }
    must(bs_world_insert(w, &s, &props, &box) == BS_OK, "no memory");
}

/* Changes some property of an existing box. */
static void change(bs_world *w, uint32_t box) {
    bs_rect r = rect();
    bs_shape s;
    bs_transform tr = bs_transform_identity();
    tr.translation[0] = number();
    switch (below(6)) {
    case 0:
        bs_world_remove(w, box);
        break;
    case 1:
        for (int k = 1; k < DIM && bs_world_shape_kind(w, box) == BS_CIRCLE; k++) {
            r.size[k] = r.size[0];
        }
        must(bs_world_set_object_rect(w, box, &r) == BS_OK, "no memory");
        break;
    case 2:
        must(bs_world_transform(w, box, &tr, &r) == BS_OK, "no memory");
        break;
    case 3:
        shape(&s);
        must(bs_world_set_shape(w, box, &s) == BS_OK, "no memory");
        break;
    case 4:
        bs_world_set_rotates(w, box, false);
        break;
    default:
        bs_world_set_static(w, box, below(2) == 0);
    }
}

static void ask(bs_world *w) {
    bs_contacts contacts;
    must(bs_world_contacts(w, BS_ALL_CONTACTS, &contacts) == BS_OK, "no memory");
    bs_world_contacts_done(w, contacts);
    must(bs_world_step(w, 0.25) == BS_OK, "no memory");
}

static void fill(bs_world *w) {
    double gravity[DIM];
    vector(gravity);
    bs_world_set_gravity(w, gravity);
    for (uint32_t n = below(MOST_BOXES); n > 0; n--) {
        insert(w);
    }
    ask(w);
    for (uint32_t i = 0; i < bs_world_indices(w); i++) {
        while (bs_world_alive(w, i) && below(2) == 0) {
            change(w, i);
        }
    }
    for (uint32_t n = below(8); n > 0; n--) {
        insert(w);
    }
}

/* --- bytes ---------------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char at[MOST_BYTES];
    size_t n;
} bytes;

static void encode(bs_snapshot *s, bs_world *w, bytes *out) {
    bs_bytes list = {NULL, 0, 0};
    must(bs_snapshot_encode(s, bs_world_heap(w), &list) == BS_OK, "no memory");
    must(list.n <= MOST_BYTES, "too many bytes");
    memcpy(out->at, list.at, list.n);
    out->n = list.n;
    bs_array_free(bs_world_heap(w), &list.at, &list.cap, 1);
}

static void encode_world(bs_world *w, bytes *out) {
    bs_snapshot *s = bs_snapshot_new(resize, &used);
    must(bs_snapshot_take(s, w) == BS_OK, "no memory");
    encode(s, w, out);
    bs_snapshot_free(s);
}

static bool same(const bytes *a, const bytes *b) {
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* Writes the checksum of all bytes but the last eight to the last eight (bs_hash). */
static void seal(bytes *b) {
    const uint64_t m = 0xc6a4a7935bd1e995u;
    size_t n = b->n - 8;
    uint64_t h = n * m;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t k = 0;
        for (size_t j = i; j < i + 8 && j < n; j++) {
            k |= (uint64_t)b->at[j] << 8 * (j - i);
        }
        k *= m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    h = (h ^ h >> 47) * m;
    h ^= h >> 47;
    for (int i = 0; i < 8; i++) {
        b->at[n + (size_t)i] = (unsigned char)(h >> 8 * i);
    }
}

static void put(bytes *b, size_t at, uint64_t x, size_t n) {
    for (size_t i = 0; i < n && at + i < b->n; i++) {
        b->at[at + i] = (unsigned char)(x >> 8 * i);
    }
}

/* Replaces the bytes from `here` on by the bytes of `other` from `there` on. */
static void splice(bytes *b, size_t here, const bytes *other, size_t there) {
    size_t n = other->n - there;
    n = n < MOST_BYTES - here ? n : MOST_BYTES - here;
    memmove(b->at + here, other->at + there, n);
    b->n = here + n;
}

static void damage(bytes *b, const bytes *other) {
    static const uint32_t hostile[] = {0,        1,          2,          255,       0x10000,
                                       1u << 26, 0x7fffffff, 0xffffffff, 0x80000000};
    enum { HEADER = 8 + 8 * DIM, COUNTS = 4 };
    static bytes self;
    size_t at = below((uint32_t)b->n);
    switch (below(8)) {
    case 0:
        at = HEADER + 4 * below(COUNTS);
        put(b, at, hostile[below(9)], 4);
        break;
    case 1:
        put(b, at, hostile[below(9)], 4);
        break;
    case 2:
        put(b, at, (uint64_t)hostile[below(9)] << 32, 8);
        break;
    case 3:
        put(b, at, below(8), 1);
        break;
    case 4:
        self = *b;
        splice(b, at, &self, below((uint32_t)b->n));
        break;
    case 5:
        splice(b, at, other, below((uint32_t)other->n));
        break;
    default:
        b->at[at] ^= (unsigned char)(1u << below(8));
    }
}

/* --- tests ---------------------------------------------------------------------------------- */

/* Removes the last boxes, and trims the memory of their indices. */
static void shorten(bs_world *w) {
    for (uint32_t i = bs_world_indices(w), n = below(10); i-- > 0 && n > 0; n--) {
        if (bs_world_alive(w, i)) {
            bs_world_remove(w, i);
        }
    }
    bs_world_trim(w);
}

/*
 * Decodes into another world, on another back end, that already has boxes, and encodes that again.
 */
static void go_through_bytes(const bytes *given) {
    static bytes got;
    const char *problem;
    bs_snapshot *s = bs_snapshot_new(resize, &used);
    bs_world *w = new_world(below(TYPES));
    fill(w);
    if (below(2) == 0) {
        shorten(w);
    }
    must(bs_snapshot_decode(s, given->at, given->n, &problem) == BS_OK, "no memory");
    must(problem == NULL, problem);
    encode(s, w, &got);
    must(same(given, &got), "bytes have become others");
    must(bs_world_restore(w, s) == BS_OK, "no memory");
    check(w);
    encode_world(w, &got);
    must(same(given, &got), "the bytes of the world are others");
    bs_snapshot_free(s);
    bs_world_free(w);
}

/*
 * A world that was decoded from hostile bytes must work, and be the same after another round
 * through bytes.
 */
static void use(bs_world *w, const bs_snapshot *s) {
    static bytes once;
    must(bs_world_restore(w, s) == BS_OK, "no memory");
    check(w);
    encode_world(w, &once);
    go_through_bytes(&once);
    for (int i = 0; i < 3; i++) {
        bs_list list = {NULL, 0, 0};
        bs_rect all = rect();
        bs_shape around;
        bs_shape_set_box(&around, &all);
        ask(w);
        insert(w);
        must(bs_world_query(w, &around, &bs_filter_all, &list) == BS_OK, "no memory");
        for (size_t k = 0; k < list.n; k++) {
            change(w, list.at[k]);
        }
        bs_list_free(bs_world_heap(w), &list);
        check(w);
    }
}

/* Returns true if the bytes were accepted as a snapshot. */
static bool try_damaged(const bytes *good, const bytes *bad) {
    static bytes after;
    enum { FOR_EACH_BYTE = 60, LITTLE = 4096 };
    const char *problem;
    bs_snapshot *s = bs_snapshot_new(resize, &used);
    bs_world *w = new_world(below(TYPES));
    must(bs_snapshot_decode(s, good->at, good->n, &problem) == BS_OK && problem == NULL, "refused");
    must(bs_world_restore(w, s) == BS_OK, "no memory");
    used.most = used.held;
    size_t before = used.held;
    must(bs_snapshot_decode(s, bad->at, bad->n, &problem) == BS_OK, "no memory");
    must(used.most - before <= FOR_EACH_BYTE * bad->n + LITTLE, "too much memory was taken");
    bool taken = problem == NULL;
    if (taken) {
        use(w, s);
    } else {
        encode(s, w, &after);
        must(same(good, &after), "a refusal has changed the snapshot");
        must(used.held == before, "a refusal has kept memory");
    }
    bs_snapshot_free(s);
    bs_world_free(w);
    return taken;
}

/* Returns how many damaged snapshots were accepted. */
static int test_damage(const bytes *good, const bytes *other, int times) {
    static bytes bad;
    int taken = 0;
    for (int i = 0; i < times; i++) {
        bad = *good;
        for (uint32_t n = 1 + below(2); n > 0; n--) {
            damage(&bad, other);
        }
        if (bad.n >= 8 && below(20) != 0) {
            seal(&bad);
        }
        taken += try_damaged(good, &bad);
    }
    return taken;
}

/* Cuts off each part of it, and corrects the checksum. */
static void test_cuts(const bytes *good) {
    static bytes bad;
    bad = *good;
    for (size_t n = 0; n < good->n; n++) {
        memcpy(bad.at, good->at, n);
        bad.n = n;
        if (n >= 8) {
            seal(&bad);
        }
        must(!try_damaged(good, &bad), "what is cut off was taken");
    }
}

/*
 * Encodes a world with one box, whose shape has that many corners, and was changed by a transform.
 * Returns the size of a shape in bytes. The bytes end with the shape, its base shape, and the
 * checksum.
 */
static size_t encode_changed(uint32_t corners, bytes *out) {
    bs_world *w = new_world(0);
    bs_shape s;
    bs_transform tr = bs_transform_identity();
    const bs_props props = bs_props_default();
    uint32_t box;
    bs_rect result;
    shape_of(corners, &s);
    tr.translation[0] = 5;
    must(bs_world_insert(w, &s, &props, &box) == BS_OK, "no memory");
    must(bs_world_transform(w, box, &tr, &result) == BS_OK && bs_rect_is_box(&result), "no box");
    encode_world(w, out);
    bs_world_free(w);
    return corners > 0 ? 1 + 16 * (size_t)corners : 1 + 8 * (DIM + 1);
}

/* The base shape and its transformed shape must be of the same kind, with equally many corners. */
static void test_mixed_shapes(void) {
    static const uint32_t corners[] = {0, 3, 16};
    static bytes good;
    static bytes other;
    static bytes bad;
    const int kinds = DIM == 2 ? 3 : 1;
    for (int i = 0; i < kinds * kinds; i++) {
        size_t size = encode_changed(corners[i % kinds], &good);
        size_t others = encode_changed(corners[i / kinds], &other);
        bad = good;
        splice(&bad, good.n - 8 - size, &other, other.n - 8 - others);
        seal(&bad);
        bool fits = i % kinds == i / kinds;
        must(try_damaged(&good, &bad) == fits, "a shape was taken that no transform makes");
    }
}

int main(int argc, char **argv) {
    enum { TIMES = 200 };
    static bytes good;
    static bytes other;
    int rounds = argc > 1 ? atoi(argv[1]) : 40;
    int taken = 0;
    state = 88172645463325252u + DIM;
    for (int round = 0; round < rounds; round++) {
        bs_world *w = new_world(below(TYPES));
        fill(w);
        encode_world(w, round % 2 == 0 ? &good : &other);
        go_through_bytes(round % 2 == 0 ? &good : &other);
        if (round > 0) {
            taken += test_damage(&good, &other, TIMES);
        }
        if (round % 16 == 0) {
            test_cuts(&good);
        }
        bs_world_free(w);
        must(used.held == 0, "memory is left");
    }
    test_mixed_shapes();
    must(taken > 0 || rounds < 2, "none was ever taken");
    printf("%dD: %d worlds went through bytes; of %d damaged ones %d were taken\n", DIM, rounds,
           TIMES * (rounds - 1), taken);
    return 0;
}
