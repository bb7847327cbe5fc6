/* target.c: chooses the operations of an input, and runs them. */
#include "target.h"

#include "trial.h"

#include <stdio.h>

/* What an operation does, and how often it is chosen, in 256 cases. */
typedef struct operation {
    const char *name;
    void (*run)(trial *);
    unsigned weight;
} operation;

static const operation operations[] = {
    {"insert", do_insert, 28},
    {"insert many", do_insert_many, 8},
    {"reserve", do_reserve, 1},
    {"remove", do_remove, 14},
    {"remove many", do_remove_many, 2},
    {"clear", do_clear, 1},
    {"update", do_update, 20},
    {"update many", do_update_many, 12},
    {"set static", do_set_static, 5},
    {"set layers", do_set_layers, 5},
    {"set motion", do_set_motion, 5},
    {"set gravity", do_set_gravity, 2},
    {"step", do_step, 8},
    {"object space", do_object, 3},
    {"transform", do_transform, 4},
    {"resolve", do_resolve, 6},
    {"set back end", do_set_backend, 3},
    {"starve", do_starve, 4},
    {"pairs", do_pairs, 18},
    {"contacts", do_contacts, 6},
    {"query", do_query, 18},
    {"query box", do_query_box, 8},
    {"circle", do_circle, 9},
    {"nearest", do_nearest, 11},
    {"cast", do_cast, 30},
    {"cast all", do_cast_all, 12},
    {"contents", do_contents, 5},
    {"find", do_find, 3},
    {"inspect", do_inspect, 2},
    {"geometry", do_geometry, 1},
    {"snapshot", do_snapshot, 1},
    {"restore", do_restore, 1},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* The operations in trials with a pool. */
static const operation pool_operations[] = {
    {"insert", do_insert, 14},
    {"remove", do_remove, 8},
    {"update", do_update, 14},
    {"set layers", do_set_layers, 6},
    {"set static", do_set_static, 4},
    {"step", do_step, 8},
    {"set back end", do_set_backend, 2},
    {"spawn", do_spawn, 50},
    {"free", do_free, 16},
    {"clear pool", do_pool_clear, 2},
    {"set mover", do_set_mover, 14},
    {"step pool", do_pool_step, 38},
    {"emitter", do_emitter, 12},
    {"pool hits", do_pool_hits, 26},
    {"pool hits rect", do_pool_hits_rect, 26},
    {"write", do_pool_write, 4},
    {"snapshot of pool", do_pool_snapshot, 4},
    {"restore pool", do_pool_restore, 4},
    {"damage to pool", do_pool_damage, 4},
};
enum { POOL_OPERATIONS = sizeof pool_operations / sizeof *pool_operations };

/* The operations in trials in which boxes move and respond. */
static const operation move_operations[] = {
    {"insert", do_insert, 26},
    {"insert many", do_insert_many, 8},
    {"remove", do_remove, 10},
    {"clear", do_clear, 1},
    {"update", do_update, 14},
    {"update many", do_update_many, 4},
    {"set static", do_set_static, 4},
    {"set layers", do_set_layers, 4},
    {"set conduct", do_set_conduct, 16},
    {"set motion", do_set_motion, 12},
    {"set gravity", do_set_gravity, 5},
    {"step", do_step, 30},
    {"move", do_move, 44},
    {"check", do_check, 14},
    {"push", do_push, 24},
    {"touching", do_touching, 10},
    {"blocking", do_blocking, 8},
    {"set back end", do_set_backend, 3},
    {"starve", do_starve, 5},
    {"pairs", do_pairs, 5},
    {"contacts", do_contacts, 1},
    {"query", do_query, 3},
    {"contents", do_contents, 3},
    {"snapshot", do_snapshot, 1},
    {"restore", do_restore, 1},
};
enum { MOVE_OPERATIONS = sizeof move_operations / sizeof *move_operations };

/* The operations in trials with shapes. */
static const operation shape_operations[] = {
    {"insert shape", do_insert_shape, 44},
    {"set shape", do_set_shape, 12},
    {"remove", do_remove, 12},
    {"clear", do_clear, 1},
    {"update shape", do_update_shape, 24},
    {"transform shape", do_transform_shape, 10},
    {"set static", do_set_static, 4},
    {"set layers", do_set_layers, 4},
    {"set conduct", do_set_conduct, 8},
    {"set motion", do_set_motion, 10},
    {"set gravity", do_set_gravity, 3},
    {"set back end", do_set_backend, 3},
    {"starve", do_starve, 4},
    {"pairs of shapes", do_pairs_of_shapes, 15},
    {"query shape", do_query_shape, 14},
    {"nearest shape", do_nearest_shape, 10},
    {"cast shape", do_cast_shape, 22},
    {"move shape", do_move_shape, 30},
    {"push shape", do_push_shape, 8},
    {"step shapes", do_step_shapes, 6},
    {"resolve shape", do_resolve_shape, 6},
    {"places of shapes", do_places_of_shapes, 4},
    {"snapshot", do_snapshot, 1},
    {"restore", do_restore, 1},
};
enum { SHAPE_OPERATIONS = sizeof shape_operations / sizeof *shape_operations };

/* The operations in trials in which bodies of all shapes meet. */
static const operation body_operations[] = {
    {"insert body", do_insert_body, 40},
    {"insert heap", do_insert_heap, 10},
    {"remove", do_remove, 8},
    {"update shape", do_update_shape, 6},
    {"set static", do_set_static, 3},
    {"set conduct", do_set_conduct, 4},
    {"set motion", do_set_motion, 20},
    {"set gravity", do_set_gravity, 5},
    {"set back end", do_set_backend, 3},
    {"starve", do_starve, 4},
    {"step bodies", do_step_bodies, 150},
    {"pairs of shapes", do_pairs_of_shapes, 1},
    {"snapshot", do_snapshot, 1},
    {"restore", do_restore, 1},
};
enum { BODY_OPERATIONS = sizeof body_operations / sizeof *body_operations };

/* The operations in trials with a pool and shapes. */
static const operation pool_shape_operations[] = {
    {"insert shape", do_insert_shape, 24},
    {"set shape", do_set_shape, 8},
    {"remove", do_remove, 8},
    {"update shape", do_update_shape, 16},
    {"transform shape", do_transform_shape, 8},
    {"set layers", do_set_layers, 4},
    {"step shapes", do_step_shapes, 4},
    {"set back end", do_set_backend, 2},
    {"spawn", do_spawn, 44},
    {"free", do_free, 8},
    {"set mover", do_set_mover, 16},
    {"step pool", do_pool_step, 36},
    {"emitter", do_emitter, 6},
    {"pool hits", do_pool_hits, 40},
    {"pool hits shape", do_pool_hits_shape, 22},
    {"snapshot", do_snapshot, 2},
    {"restore", do_restore, 2},
    {"snapshot of pool", do_pool_snapshot, 3},
    {"restore pool", do_pool_restore, 3},
};
enum { POOL_SHAPE_OPERATIONS = sizeof pool_shape_operations / sizeof *pool_shape_operations };

/* All sets of operations, numbered one after the other. */
enum {
    FIRST_OF_POOLS = OPERATIONS,
    FIRST_OF_MOVES = FIRST_OF_POOLS + POOL_OPERATIONS,
    FIRST_OF_SHAPES = FIRST_OF_MOVES + MOVE_OPERATIONS,
    FIRST_OF_POOL_SHAPES = FIRST_OF_SHAPES + SHAPE_OPERATIONS,
    FIRST_OF_BODIES = FIRST_OF_POOL_SHAPES + POOL_SHAPE_OPERATIONS,
    ALL_OPERATIONS = FIRST_OF_BODIES + BODY_OPERATIONS
};
static uint64_t counts[ALL_OPERATIONS];
static uint64_t hash;
bool fuzz_tell;

/* The operation with that number. */
static const operation *operation_at(size_t number) {
    return number < FIRST_OF_POOLS         ? &operations[number]
           : number < FIRST_OF_MOVES       ? &pool_operations[number - FIRST_OF_POOLS]
           : number < FIRST_OF_SHAPES      ? &move_operations[number - FIRST_OF_MOVES]
           : number < FIRST_OF_POOL_SHAPES ? &shape_operations[number - FIRST_OF_SHAPES]
           : number < FIRST_OF_BODIES      ? &pool_shape_operations[number - FIRST_OF_POOL_SHAPES]
                                           : &body_operations[number - FIRST_OF_BODIES];
}

/* The number of the first operation of a trial's set. */
static size_t first_operation(const trial *t) {
    if (t->pool != NULL) {
        return t->shapes ? FIRST_OF_POOL_SHAPES : FIRST_OF_POOLS;
    }
    return t->moves    ? FIRST_OF_MOVES
           : t->bodies ? FIRST_OF_BODIES
           : t->shapes ? FIRST_OF_SHAPES
                       : 0;
}

static size_t choose(const operation *among, unsigned byte) {
    size_t number = 0;
    for (; byte >= among[number].weight; number++) {
        byte -= among[number].weight;
    }
    return number;
}

/*
 * Reading all bytes back as often as the checkers run would take twice the time of everything else.
 */
enum { READ_EVERY = 4 };

static void run(trial *t) {
    bool starving = t->subject[0].memory.left >= 0;
    size_t first = first_operation(t);
    const operation *among = operation_at(first);
    size_t number = choose(among, next_byte(&t->in));
    t->doing = among[number].name;
    if (fuzz_tell) {
        printf("%llu %s %016llx\n", (unsigned long long)t->step, t->doing,
               (unsigned long long)t->hash);
        fflush(stdout);
    }
    among[number].run(t);
    counts[first + number]++;
    t->step++;
    if (starving) {
        trial_feed(t);
    }
    if (trial_check_every != 0 && t->step % trial_check_every == 0) {
        trial_check(t);
    }
    if (trial_check_every != 0 && t->step % (READ_EVERY * trial_check_every) == 0) {
        expect_read_back(t);
    }
}

/*
 * So many of 256 inputs have a pool, half of these beside shapes. Half of the others move boxes
 * that respond: those whose last byte of the header, divided by four, leaves one of the two middle
 * remainders.
 */
enum { WITH_POOL = 24 };

/* Half of the remaining inputs are about shapes. */
static bool is_about_shapes(uint8_t last) {
    return last % 8 == 3 || last % 8 == 4;
}

/* Half of what then remains is about bodies. */
static bool is_about_bodies(uint8_t last) {
    return last % 16 == 8 || last % 16 == 15;
}

static bool is_about_moves(uint8_t last) {
    return last % 4 == 1 || last % 4 == 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static trial t; /* too large for some stacks */
    if (size < HEADER) {
        return 0;
    }
    t.in = bytes_of(data, HEADER);
    t.hash = hash;
    trial_begin(&t);
    if (data[HEADER - 1] < WITH_POOL) {
        pool_begin(&t);
        t.shapes = data[HEADER - 1] % 2 == 1;
    } else {
        t.moves = is_about_moves(data[HEADER - 1]);
        t.bodies = is_about_bodies(data[HEADER - 1]);
        t.shapes = t.bodies || is_about_shapes(data[HEADER - 1]);
    }
    for (size_t at = HEADER; at < size; at += RECORD) {
        t.in = bytes_of(data + at, size - at < RECORD ? size - at : RECORD);
        run(&t);
    }
    trial_check(&t);
    expect_read_back(&t);
    trial_end(&t);
    hash = t.hash;
    return 0;
}

uint64_t fuzz_operations(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < ALL_OPERATIONS; i++) {
        sum += counts[i];
    }
    return sum;
}

const char *fuzz_operation(size_t number, uint64_t *count) {
    if (number >= ALL_OPERATIONS) {
        return NULL;
    }
    *count = counts[number];
    return operation_at(number)->name;
}

uint64_t fuzz_hash(void) {
    return hash;
}
