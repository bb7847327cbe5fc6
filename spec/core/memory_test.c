/*
 * memory_test.c: worlds in C with a limit of memory. Where single requests are refused is a matter
 * of the fuzz target, and of spec/oom.
 *
 *     memory_test2
 */
#include <stdio.h>
#include <stdlib.h>

#include "broad/backends.h"
#include "broadside/world.h"

static const char *const names[] = {"brute", "sweep", "grid", "tree", "auto"};
enum { TYPES = sizeof names / sizeof *names, BOXES = 240 };

typedef struct memory {
    size_t held, most; /* bytes */
} memory;

static void *resize(void *host, void *block, size_t old_size, size_t new_size) {
    memory *m = host;
    size_t held = m->held - old_size + new_size;
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

int main(void) {
    for (int i = 0; i < TYPES; i++) {
        for (size_t most = 60000; most < 100000; most += 500) {
            test_full(bs_backend_find(names[i]), most);
        }
    }
    printf("%dD: worlds that were full take boxes again\n", DIM);
    return 0;
}
