/*
 * decoders.c: a target for clang's libFuzzer. It decodes bytes as a snapshot of a world or of a
 * pool. Bytes must be refused, or make a world or pool in which the checkers find nothing.
 *
 * The first byte decides between world and pool. The checksum is added here, because the fuzzer
 * could not guess it. No corpus is needed: inputs that are too short are replaced by snapshots of
 * worlds and pools.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/checkers/checkers.h"
#include "base/bytes.h"
#include "broadside/pool.h"
#include "motion/motion.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { CHECKSUM = 8, SHORT = 16, MOST_MOVERS = 1000 };

static void *resize(void *host, void *block, size_t old_size, size_t new_size) {
    (void)host;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%dD: %s\n", DIM, what);
        abort();
    }
}

/* --- what is decoded ------------------------------------------------------------------------ */

static void check_world(const bs_world *w) {
    const char *broken = bs_world_check(w);
    must(broken == NULL, broken);
    broken = bs_moves_check(w);
    must(broken == NULL, broken);
}

static void try_world(const unsigned char *bytes, size_t n) {
    const bs_settings settings = {.margin = -1};
    const char *problem;
    const bs_pairs *pairs;
    bs_heap heap = {resize, NULL, 0};
    bs_bytes first = {0}, second = {0};
    bs_snapshot *s = bs_snapshot_new(resize, NULL);
    must(bs_snapshot_decode(s, bytes, n, &problem) == BS_OK, "no memory");
    if (problem == NULL) {
        bs_world *w = bs_world_new(resize, NULL, bs_backend_find("auto"), &settings);
        must(bs_world_restore(w, s) == BS_OK, "no memory");
        check_world(w);
        must(bs_snapshot_encode(s, &heap, &first) == BS_OK, "no memory");
        must(bs_snapshot_take(s, w) == BS_OK, "no memory");
        must(bs_snapshot_encode(s, &heap, &second) == BS_OK, "no memory");
        must(first.n == second.n && memcmp(first.at, second.at, first.n) == 0,
             "the world's bytes are others than those it was made of");
        must(bs_world_pairs(w, &pairs) == BS_OK, "no memory");
        check_world(w);
        bs_world_clear(w);
        check_world(w);
        bs_world_free(w);
    }
    bs_array_free(&heap, &first.at, &first.cap, 1);
    bs_array_free(&heap, &second.at, &second.cap, 1);
    bs_snapshot_free(s);
}

static void check_pool(const bs_pool *p) {
    const char *broken = bs_pool_check(p);
    must(broken == NULL, broken);
}

static void try_pool(const unsigned char *bytes, size_t n) {
    const char *problem;
    void *models = malloc(bs_pool_models_size(bytes, n));
    bs_pool_snapshot *s = bs_pool_snapshot_new(resize, NULL);
    must(bs_pool_snapshot_decode(s, bytes, n, models, &problem) == BS_OK, "no memory");
    const bs_pool_settings settings = {.capacity = bs_pool_snapshot_capacity(s)};
    if (problem == NULL && settings.capacity <= MOST_MOVERS) {
        bs_pool *p = bs_pool_new(resize, NULL, &settings);
        must(bs_pool_restore(p, s) == BS_OK, "no memory");
        for (int i = 0; i < 3; i++) {
            check_pool(p);
            (void)bs_pool_step(p, 0.25);
        }
        check_pool(p);
        bs_pool_free(p);
    }
    bs_pool_snapshot_free(s);
    free(models);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    const size_t n = size - 1;
    unsigned char *bytes = malloc(n + CHECKSUM);
    must(bytes != NULL, "no memory");
    memcpy(bytes, data + 1, n);
    const uint64_t sum = bs_hash(bytes, n);
    for (size_t i = 0; i < CHECKSUM; i++) {
        bytes[n + i] = (unsigned char)(sum >> 8 * i);
    }
    (data[0] % 2 == 0 ? try_world : try_pool)(bytes, n + CHECKSUM);
    free(bytes);
    return 0;
}

/* --- what inputs begin from ----------------------------------------------------------------- */

static uint32_t below(unsigned *state, uint32_t n) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % n;
}

static void insert_box(bs_world *w, unsigned *state) {
    bs_rect r;
    bs_shape shape;
    bs_props props = bs_props_default();
    uint32_t box;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = below(state, 100);
        r.size[k] = 1 + below(state, 9);
        props.velocity[k] = below(state, 3);
    }
    props.is_static = below(state, 3) == 0;
    props.layers.layer = 1 + below(state, 3);
    props.conduct.response = (bs_response)below(state, BS_PUSH);
    bs_shape_set_circle(&shape, r.pos, 1 + below(state, 5));
    if (below(state, 3) != 0) {
        bs_shape_set_box(&shape, &r);
    }
    must(bs_world_insert(w, &shape, &props, &box) == BS_OK, "no memory");
}

static void sample_world(bs_heap *heap, bs_bytes *out, unsigned *state) {
    const bs_settings settings = {.margin = -1};
    bs_world *w = bs_world_new(resize, NULL, bs_backend_find("brute"), &settings);
    bs_snapshot *s = bs_snapshot_new(resize, NULL);
    for (uint32_t i = below(state, 12); i > 0; i--) {
        insert_box(w, state);
    }
    must(bs_snapshot_take(s, w) == BS_OK && bs_snapshot_encode(s, heap, out) == BS_OK, "no memory");
    bs_snapshot_free(s);
    bs_world_free(w);
}

static void sample_pool(bs_heap *heap, bs_bytes *out, unsigned *state) {
    const bs_pool_settings settings = {.capacity = 1 + below(state, 12)};
    bs_pool *p = bs_pool_new(resize, NULL, &settings);
    bs_pool_snapshot *s = bs_pool_snapshot_new(resize, NULL);
    for (uint32_t i = below(state, 12); i > 0; i--) {
        bs_shot shot = bs_pool_shot(p, NULL);
        (void)bs_pool_spawn(p, &shot);
        (void)bs_pool_step(p, below(state, 2));
    }
    must(bs_pool_snapshot_take(s, p) == BS_OK && bs_pool_snapshot_encode(s, heap, out) == BS_OK,
         "no memory");
    bs_pool_snapshot_free(s);
    bs_pool_free(p);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    if (size >= SHORT) {
        return LLVMFuzzerMutate(data, size, most);
    }
    bs_heap heap = {resize, NULL, 0};
    bs_bytes bytes = {0};
    const bool is_pool = below(&seed, 2) == 1;
    (is_pool ? sample_pool : sample_world)(&heap, &bytes, &seed);
    const size_t n = bytes.n - CHECKSUM;
    if (1 + n <= most) {
        data[0] = is_pool;
        memcpy(data + 1, bytes.at, n);
        size = 1 + n;
    }
    bs_array_free(&heap, &bytes.at, &bytes.cap, 1);
    return size;
}
