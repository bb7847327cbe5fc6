/*
 * memory_test.c: worlds in C with a limit of memory, and steps of a crowd in which a request for
 * memory is refused. The fuzz target and spec/oom refuse requests in all calls, of fewer boxes.
 *
 *     memory_test2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/backends.h"
#include "broadside/world.h"

static const char *const names[] = {"brute", "sweep", "grid", "tree", "auto"};
enum { TYPES = sizeof names / sizeof *names, BOXES = 240 };

typedef struct memory {
    size_t held, most; /* bytes */
    size_t requests;
    size_t refused; /* The number of the request that is refused; 0: none. */
    bool is_out;    /* All after it are refused, too. */
} memory;

static void *resize(void *host, void *block, size_t old_size, size_t new_size) {
    memory *m = host;
    size_t held = m->held - old_size + new_size;
    m->requests += new_size > 0;
    bool is_it = m->refused > 0 && m->requests >= m->refused;
    if (new_size > 0 && is_it && (m->is_out || m->requests == m->refused)) {
        return NULL;
    }
    if (held > m->most) {
        return NULL;
    }
    m->held = held;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static bool insert(bs_world *w, uint32_t i) {
    bs_rect rect;
    bs_shape shape;
    bs_props props = bs_props_default();
    uint32_t box;
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = i % BOXES * 7919 * (uint32_t)(k + 1) % 250;
        rect.size[k] = 5 + i % 25;
    }
    bs_shape_set_box(&shape, &rect);
    props.is_static = i % 5 == 0;
    return bs_world_insert(w, &shape, &props, &box) == BS_OK;
}

/*
 * When no more boxes can be inserted, the world is cleared. Then it must take boxes again, although
 * some of its arrays may have grown for one box more than others.
 */
static void test_full(const bs_backend_type *type, size_t most) {
    memory m = {.most = most};
    bs_world *w = bs_world_new(resize, &m, type, &(bs_settings){.margin = -1});
    for (int round = 0; w != NULL && round < 3; round++) {
        uint32_t held = 0;
        while (insert(w, held)) {
            held++;
        }
        if (held == 0) {
            fprintf(stderr, "%s in %dD, %zu bytes: cleared, but it takes nothing\n", type->name,
                    DIM, most);
            exit(1);
        }
        bs_world_clear(w);
    }
    if (w != NULL) {
        bs_world_free(w);
    }
    if (w == NULL || m.held > 0) {
        fprintf(stderr, "%s in %dD, %zu bytes: no world, or %zu bytes left\n", type->name, DIM,
                most, m.held);
        exit(1);
    }
}

/* --- steps ---------------------------------------------------------------------------------- */

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%dD: %s\n", DIM, what);
        exit(1);
    }
}

static bs_world *new_world(memory *m) {
    bs_world *w = bs_world_new(resize, m, bs_backend_find("tree"), &(bs_settings){.margin = -1});
    must(w != NULL, "no world");
    return w;
}

/* Balls and boxes of all responses: some fall in a heap, and some fly into it. */
static void fill(bs_world *w) {
    static const bs_response responses[] = {BS_SLIDE, BS_BOUNCE, BS_TOUCH};
    static const double gravity[] = {0, 1000, 0};
    bs_shape shape;
    bs_props props = bs_props_default();
    uint32_t box;
    bs_world_set_gravity(w, gravity);
    for (uint32_t i = 0; i < 3; i++) { /* A floor and two walls. */
        bs_rect r = {{i == 0   ? -50
                      : i == 1 ? -50
                               : 60,
                      i == 0 ? 60 : -500},
                     {i == 0 ? 160 : 50, i == 0 ? 50 : 700}};
        if (DIM == 3) {
            r.pos[DIM - 1] = -50;
            r.size[DIM - 1] = 100;
        }
        bs_shape_set_box(&shape, &r);
        props.is_static = true;
        must(bs_world_insert(w, &shape, &props, &box) == BS_OK, "no wall");
    }
    props.is_static = false;
    for (uint32_t i = 0; i < 48; i++) {
        bs_rect r = {{i % 6 * 10 + i * 7 % 11 / 10.0, 40.0 - i / 6 * 11}, {9, 9}};
        if (DIM == 3) {
            r.size[DIM - 1] = 9;
        }
        const double middle[] = {r.pos[0] + 4.5, r.pos[1] + 4.5, 4.5};
        bs_shape_set_box(&shape, &r);
        if (i % 2 == 0) {
            bs_shape_set_circle(&shape, middle, 4.5);
        }
        props.conduct.response = responses[i % 3];
        props.conduct.bounce = i % 4 * 0.25;
        props.conduct.friction = i % 5 * 0.2;
        props.velocity[1] = i >= 42 ? 3000 : 0;
        must(bs_world_insert(w, &shape, &props, &box) == BS_OK, "no body");
    }
}

/* A world as bytes. */
static bs_bytes state_of(const bs_world *w, memory *m, bs_snapshot *s) {
    bs_heap heap = {resize, m, 0};
    bs_bytes bytes = {0};
    must(bs_snapshot_take(s, w) == BS_OK && bs_snapshot_encode(s, &heap, &bytes) == BS_OK,
         "no snapshot");
    return bytes;
}

static void must_be(const bs_bytes *expected, const bs_world *w, memory *m, bs_snapshot *s,
                    const char *what) {
    bs_heap heap = {resize, m, 0};
    bs_bytes bytes = state_of(w, m, s);
    must(bytes.n == expected->n && memcmp(bytes.at, expected->at, bytes.n) == 0, what);
    heap.used = bytes.cap * sizeof *bytes.at;
    bs_heap_free(&heap, bytes.at, heap.used);
}

/*
 * Steps as from that state in a new world. A step for which memory is refused either does all that
 * it would do, or changes nothing, and then the next one does it. Returns whether one was refused.
 */
static bool try_step(memory *m, const bs_snapshot *from, const bs_bytes states[3], bs_snapshot *s,
                     double dt, size_t refused) {
    bs_world *w = new_world(m);
    must(bs_world_restore(w, from) == BS_OK, "no restore");
    m->requests = 0;
    m->refused = refused;
    bs_status status = bs_world_step(w, dt);
    bool is_refused = m->requests >= refused;
    m->refused = 0;
    if (status != BS_OK) {
        must(is_refused, "a step fails without a refusal");
        must_be(&states[0], w, m, s, "a step that failed has changed something");
        must(bs_world_step(w, dt) == BS_OK, "a step fails after one that was refused");
    }
    must_be(&states[1], w, m, s, "a step differs if memory was refused");
    must(bs_world_step(w, dt) == BS_OK, "a step fails long after one that was refused");
    must_be(&states[2], w, m, s, "the step after the one for which memory was refused differs");
    bs_world_free(w);
    return is_refused;
}

/* Steps of that length, after so many usual ones. */
static void test_steps(uint32_t before, double dt) {
    memory m = {.most = (size_t)1 << 30};
    bs_snapshot *from = bs_snapshot_new(resize, &m);
    bs_snapshot *s = bs_snapshot_new(resize, &m);
    bs_bytes states[3];
    bs_heap heap = {resize, &m, 0};
    bs_world *w = new_world(&m);
    must(from != NULL && s != NULL, "no snapshot");
    fill(w);
    for (uint32_t i = 0; i < before; i++) {
        must(bs_world_step(w, 1.0 / 60) == BS_OK, "a step fails");
    }
    must(bs_snapshot_take(from, w) == BS_OK, "no snapshot");
    for (int i = 0; i < 3; i++) {
        states[i] = state_of(w, &m, s);
        must(bs_world_step(w, dt) == BS_OK, "a step fails");
    }
    for (int is_out = 0; is_out < 2; is_out++) {
        m.is_out = is_out != 0;
        size_t n = 1;
        while (try_step(&m, from, states, s, dt, n)) {
            n++;
        }
        must(n > 20, "a step of a crowd takes memory many times");
    }
    for (int i = 0; i < 3; i++) {
        heap.used = states[i].cap * sizeof *states[i].at;
        bs_heap_free(&heap, states[i].at, heap.used);
    }
    bs_world_free(w);
    bs_snapshot_free(s);
    bs_snapshot_free(from);
    must(m.held == 0, "memory is left");
}

int main(void) {
    for (int i = 0; i < TYPES; i++) {
        for (size_t most = 60000; most < 100000; most += 500) {
            test_full(bs_backend_find(names[i]), most);
        }
    }
    printf("%dD: worlds that were full take boxes again\n", DIM);
    for (uint32_t before = 0; before < 40; before += 8) {
        test_steps(before, 1.0 / 60);
    }
    test_steps(400, 0.2); /* It wakes what sleeps. */
    printf("%dD: a step for which memory is refused is done whole, or not at all\n", DIM);
    return 0;
}
