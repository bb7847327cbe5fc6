/*
 * memory_test.c: worlds in C with a limit of memory, and steps, pushes and moves in a crowd for
 * which a request is refused. The fuzz target and spec/oom refuse requests in all calls, of fewer
 * boxes.
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
    if (i == 7) { /* The only one. */
        bs_shape_set_circle(&shape, rect.pos, 3);
    }
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
        if (round < 2) {
            bs_world_clear(w);
        }
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

/* --- crowds --------------------------------------------------------------------------------- */

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
        const uint32_t row = i / 6; /* Three lie on each other. */
        const double y = 51.0 - row * 9 - (row > 2 ? row - 2 : 0) * 2;
        bs_rect r = {{i % 6 * 10 + i * 7 % 11 / 10.0, y}, {9, 9}};
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
static bs_bytes state_of(const bs_world *w, bs_heap *heap, bs_snapshot *s) {
    bs_bytes bytes = {0};
    must(bs_snapshot_take(s, w) == BS_OK && bs_snapshot_encode(s, heap, &bytes) == BS_OK,
         "no snapshot");
    return bytes;
}

static void free_bytes(bs_heap *heap, const bs_bytes *bytes) {
    bs_heap_free(heap, bytes->at, bytes->cap * sizeof *bytes->at);
}

static void must_be(const bs_bytes *expected, const bs_world *w, bs_heap *heap, bs_snapshot *s,
                    const char *what) {
    bs_bytes bytes = state_of(w, heap, s);
    must(bytes.n == expected->n && memcmp(bytes.at, expected->at, bytes.n) == 0, what);
    free_bytes(heap, &bytes);
}

/* What is done with a crowd. */
typedef bs_status action(bs_world *w);

static bs_status do_step(bs_world *w) {
    return bs_world_step(w, 1.0 / 60);
}

static bs_status do_long_step(bs_world *w) { /* It wakes what sleeps. */
    return bs_world_step(w, 0.2);
}

static bs_response say_slide(void *host, uint32_t self, uint32_t other) {
    (void)host;
    return self == other ? BS_PASS : BS_SLIDE;
}

/* The floor goes up into what lies on it, and takes that along. */
static bs_status do_push(bs_world *w) {
    bs_rules rules = bs_rules_default();
    rules.ask = say_slide;
    const uint32_t floor = 0;
    bs_rect to = *bs_world_rect(w, floor);
    bs_pushes pushes;
    to.pos[0] += 2;
    to.pos[1] -= 7;
    bs_call_begin(w);
    bs_status status = bs_push_run(w, &floor, &to, 1, &rules, &pushes);
    bs_call_end(w, status == BS_OK);
    return status;
}

/* The uppermost ball goes down through all, and pushes what it meets. */
static bs_status do_move(bs_world *w) {
    const uint32_t ball = 3 + 42;
    bs_rules rules = bs_rules_default();
    rules.to_pairs = BS_PUSH;
    rules.pushes = true;
    bs_rect r = *bs_world_rect(w, ball);
    double goal[DIM];
    memcpy(goal, r.pos, sizeof goal);
    goal[0] += 30;
    goal[1] += 60;
    bs_call_begin(w);
    bs_move *m = bs_move_run(w, ball, goal, &rules);
    bs_status status = m == NULL ? BS_NO_MEMORY : BS_OK;
    if (m != NULL) {
        r = bs_move_rect(m);
        bs_move_end(m);
        status = bs_journal_update(w, ball, &r);
    }
    bs_call_end(w, status == BS_OK);
    return status;
}

/*
 * Does it as from that state in a new world. If memory is refused, it either does all that it would
 * do, or changes nothing, and then does it the next time. Returns whether it was refused.
 */
static bool try_action(bs_heap *heap, const bs_snapshot *from, const bs_bytes states[3],
                       bs_snapshot *s, action *act, size_t refused) {
    memory *m = heap->host;
    bs_world *w = new_world(m);
    must(bs_world_restore(w, from) == BS_OK, "no restore");
    m->requests = 0;
    m->refused = refused;
    bs_status status = act(w);
    bool is_refused = m->requests >= refused;
    m->refused = 0;
    if (status != BS_OK) {
        must(is_refused, "it fails without a refusal");
        must_be(&states[0], w, heap, s, "what failed has changed something");
        must(act(w) == BS_OK, "it fails after a refusal");
    }
    must_be(&states[1], w, heap, s, "it differs if memory was refused");
    must(act(w) == BS_OK, "it fails long after a refusal");
    must_be(&states[2], w, heap, s, "it differs the next time if memory was refused");
    bs_world_free(w);
    return is_refused;
}

/* After so many steps. It asks for memory at least so often. */
static void test_action(uint32_t before, action *act, size_t least) {
    memory m = {.most = (size_t)1 << 30};
    bs_snapshot *from = bs_snapshot_new(resize, &m);
    bs_snapshot *s = bs_snapshot_new(resize, &m);
    bs_bytes states[3];
    bs_heap heap = {resize, &m, 0};
    bs_world *w = new_world(&m);
    must(from != NULL && s != NULL, "no snapshot");
    fill(w);
    for (uint32_t i = 0; i < before; i++) {
        must(do_step(w) == BS_OK, "a step fails");
    }
    must(bs_snapshot_take(from, w) == BS_OK, "no snapshot");
    for (int i = 0; i < 3; i++) {
        states[i] = state_of(w, &heap, s);
        must(act(w) == BS_OK, "it fails");
    }
    must(states[0].n != states[1].n || memcmp(states[0].at, states[1].at, states[0].n) != 0,
         "it changes nothing");
    for (int is_out = 0; is_out < 2; is_out++) {
        m.is_out = is_out != 0;
        size_t n = 1;
        while (try_action(&heap, from, states, s, act, n)) {
            n++;
        }
        must(n > least, "it hardly asks for memory");
    }
    for (int i = 0; i < 3; i++) {
        free_bytes(&heap, &states[i]);
    }
    bs_world_free(w);
    bs_snapshot_free(s);
    bs_snapshot_free(from);
    must(m.held == 0 && heap.used == 0, "memory is left");
}

int main(void) {
    for (int i = 0; i < TYPES; i++) {
        for (size_t most = 60000; most < 100000; most += 500) {
            test_full(bs_backend_find(names[i]), most);
        }
    }
    printf("%dD: worlds that were full take boxes again\n", DIM);
    for (uint32_t before = 0; before < 40; before += 8) {
        test_action(before, do_step, 20);
    }
    test_action(400, do_long_step, 20);
    test_action(0, do_push, 20);
    test_action(0, do_move, 10);
    printf("%dD: what is refused memory is done whole, or not at all\n", DIM);
    return 0;
}
