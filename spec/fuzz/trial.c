/* trial.c: makes and ends the worlds of a trial, checks them, and reports failures. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/backends.h"
#include "motion/motion.h"

unsigned trial_check_every = 1;
bool trial_hashes;

_Noreturn void trial_fail(const trial *t, const subject *s, const char *what) {
    fprintf(stderr, "mismatch: %s, DIM %d, %s coordinates, operation %llu, %s%s: %s\n", t->doing,
            DIM, kind_name(t->kind), (unsigned long long)t->step,
            s != NULL ? bs_world_backend(s->world)->name : "no back end",
            s != NULL && s->plain ? " for any processor" : "", what);
    abort();
}

/* FNV-1a. */
void note_bytes(trial *t, const void *data, size_t size) {
    const uint8_t *at = data;
    for (size_t i = 0; trial_hashes && i < size; i++) {
        t->hash = (t->hash ^ at[i]) * 0x100000001b3u;
    }
}

/* --- memory --------------------------------------------------------------------------------- */

void trial_starve(trial *t, long left) {
    EACH(t, s) {
        s->memory.left = left;
    }
    t->failed_once = true;
}

void trial_feed(trial *t) {
    EACH(t, s) {
        s->memory.left = -1;
    }
}

bool again(trial *t, subject *s, bs_status status) {
    if (status == BS_OK) {
        return false;
    }
    expect(t, s, s->memory.left >= 0, "failed although there was memory");
    s->memory.left = -1;
    const char *broken = bs_world_check(s->world);
    expect(t, s, broken == NULL, broken);
    return true;
}

/* --- worlds --------------------------------------------------------------------------------- */

/* Looks the types up only once, because asking the processor takes long on virtual machines. */
const bs_backend_type *backend_type(int backend, bool plain) {
    static const bs_backend_type *const types[BACKENDS] = {
        &bs_brute_type, &bs_sweep_type, &bs_grid_type, &bs_tree_type, &bs_auto_type};
    static const bs_backend_type *found[BACKENDS];
    if (found[backend] == NULL) {
        found[backend] = bs_backend_find(types[backend]->name);
    }
    return plain ? types[backend] : found[backend];
}

static void begin_subject(trial *t, int number, bool plain, const bs_settings *settings) {
    subject *s = &t->subject[number];
    memset(s, 0, sizeof *s);
    s->plain = plain;
    s->backend = number % BACKENDS;
    s->memory.left = -1;
    s->world = bs_world_new(limited_resize, &s->memory, backend_type(s->backend, plain), settings);
    if (s->world == NULL) {
        abort();
    }
}

/* Reads the header: kind of coordinates, number of boxes, variants, settings. */
void trial_begin(trial *t) {
    enum { FEW = 12, SOME = 90 };
    unsigned size = next_byte(&t->in);
    t->kind = (int)next_below(&t->in, KINDS);
    t->most = size < 220 ? FEW : size < 255 ? SOME : MOST_BOXES;
    t->doing = "create";
    t->step = 0;
    t->failed_once = false;
    t->stales = 0;
    oracle_begin(&t->truth);
    bool twins = next_chance(&t->in, 32);
    t->subjects = twins ? MOST_SUBJECTS : BACKENDS;
    bs_settings settings = any_settings(t);
    for (int i = 0; i < t->subjects; i++) {
        begin_subject(t, i, i >= BACKENDS, &settings);
    }
    t->pool = NULL;
    t->moves = false;
    t->shapes = false;
    t->bodies = false;
    memset(&t->pool_hits, 0, sizeof t->pool_hits);
    memset(&t->pool_meets, 0, sizeof t->pool_meets);
}

void trial_end(trial *t) {
    saved_worlds_end(t);
    EACH(t, s) {
        bs_heap *heap = bs_world_heap(s->world);
        bs_list_free(heap, &s->list);
        bs_array_free(heap, &s->hits.at, &s->hits.cap, sizeof *s->hits.at);
        bs_world_free(s->world); /* this asserts that nothing has leaked */
    }
    if (t->pool != NULL) {
        pool_end(t);
    }
    oracle_end(&t->truth);
}

void trial_check(trial *t) {
    EACH(t, s) {
        const char *broken = bs_world_check(s->world);
        expect(t, s, broken == NULL, broken);
        broken = bs_moves_check(s->world);
        expect(t, s, broken == NULL, broken);
    }
}
