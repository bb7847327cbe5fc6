#include "target.h"

#include "trial.h"

#include <stdio.h>

/* What an operation does, and in how many of 256 cases it is chosen. */
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
    {"geometry", do_geometry, 3},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static uint64_t counts[OPERATIONS];
bool fuzz_tell;

static size_t choose(unsigned byte) {
    size_t number = 0;
    for (; byte >= operations[number].weight; number++) {
        byte -= operations[number].weight;
    }
    return number;
}

static void run(trial *t) {
    bool starving = t->subject[0].memory.left >= 0;
    size_t number = choose(next_byte(&t->in));
    t->doing = operations[number].name;
    if (fuzz_tell) {
        printf("%llu %s\n", (unsigned long long)t->step, t->doing);
        fflush(stdout);
    }
    operations[number].run(t);
    counts[number]++;
    t->step++;
    if (starving) {
        trial_feed(t);
    }
    if (trial_check_every != 0 && t->step % trial_check_every == 0) {
        trial_check(t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static trial t; /* too large for some stacks */
    if (size < HEADER) {
        return 0;
    }
    t.in = bytes_of(data, HEADER);
    trial_begin(&t);
    for (size_t at = HEADER; at < size; at += RECORD) {
        t.in = bytes_of(data + at, size - at < RECORD ? size - at : RECORD);
        run(&t);
    }
    trial_check(&t);
    trial_end(&t);
    return 0;
}

uint64_t fuzz_operations(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < OPERATIONS; i++) {
        sum += counts[i];
    }
    return sum;
}

const char *fuzz_operation(size_t number, uint64_t *count) {
    if (number >= OPERATIONS) {
        return NULL;
    }
    *count = counts[number];
    return operations[number].name;
}
