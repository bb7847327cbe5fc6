/*
 * snapshots.c: snapshots, and restoring them. The plain model is copied, and put back. Damaged
 * bytes must be refused, or make something whose checkers pass.
 */
#include "trial.h"

#include <string.h>

#include "base/bytes.h"
#include "pool/pool_snapshot.h"

/* A host that never runs out of memory. */
static void *realloc_block(void *host, void *block, size_t old_size, size_t new_size) {
    limited_memory memory = {.left = -1};
    (void)host;
    return limited_resize(&memory, block, old_size, new_size);
}

/* --- bytes ---------------------------------------------------------------------------------- */

/* Changes some bytes. In most cases it corrects the checksum. */
static void damage(trial *t, bs_bytes *text) {
    unsigned changes = 1 + next_below(&t->in, 4);
    for (unsigned i = 0; i < changes; i++) {
        size_t at = (size_t)next_bits(&t->in, 3) % text->n;
        switch (next_below(&t->in, 4)) {
        case 0:
            text->at[at] = (unsigned char)next_byte(&t->in);
            break;
        case 1:
            text->at[at] ^= (unsigned char)(1u << next_below(&t->in, 8));
            break;
        case 2:
            text->at[at % (text->n < 64 ? text->n : 64)] += 1;
            break;
        default:
            memmove(text->at + at, text->at, text->n - at);
        }
    }
    if (next_chance(&t->in, 40)) {
        text->n -= next_below(&t->in, text->n < 40 ? text->n : 40);
    }
    if (text->n >= 16 && next_chance(&t->in, 230)) {
        uint64_t sum = bs_hash(text->at, text->n - 8);
        for (int i = 0; i < 8; i++) {
            text->at[text->n - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
        }
    }
}

/* --- worlds --------------------------------------------------------------------------------- */

void do_snapshot(trial *t) {
    EACH(t, s) {
        while (s->saved == NULL) {
            s->saved = bs_snapshot_new(limited_resize, &s->memory);
            (void)again(t, s, s->saved != NULL ? BS_OK : BS_NO_MEMORY);
        }
        UNTIL_DONE(t, s, bs_snapshot_take(s->saved, s->world));
    }
    oracle_copy(&t->saved, &t->truth);
}

/* All worlds must give the same bytes. The caller frees *out. */
static void encode_worlds(trial *t, bs_heap *heap, bs_bytes *out) {
    EACH(t, s) {
        bs_bytes text = {0};
        expect(t, s, bs_snapshot_encode(s->saved, heap, &text) == BS_OK,
               "failed although there was memory");
        expect(t, s, out->n == 0 || (out->n == text.n && memcmp(out->at, text.at, text.n) == 0),
               "has other bytes than other back ends");
        bs_array_free(heap, &out->at, &out->cap, 1);
        *out = text;
    }
}

/*
 * Every other time it restores from bytes. The restored worlds must give the bytes of the saved
 * ones.
 */
void do_restore(trial *t) {
    if (t->subject[0].saved == NULL) {
        return;
    }
    bs_heap heap = {realloc_block, NULL, 0};
    bs_bytes was = {0}, is = {0};
    const bool by_bytes = next_chance(&t->in, 128);
    encode_worlds(t, &heap, &was);
    EACH(t, s) {
        const char *problem = NULL;
        if (by_bytes) {
            UNTIL_DONE(t, s, bs_snapshot_decode(s->saved, was.at, was.n, &problem));
            expect(t, s, problem == NULL, problem);
        }
        UNTIL_DONE(t, s, bs_world_restore(s->world, s->saved));
        UNTIL_DONE(t, s, bs_snapshot_take(s->saved, s->world));
    }
    encode_worlds(t, &heap, &is);
    expect(t, NULL, is.n == was.n && memcmp(is.at, was.at, is.n) == 0, "is not what it was");
    note_bytes(t, is.at, is.n);
    bs_array_free(&heap, &was.at, &was.cap, 1);
    bs_array_free(&heap, &is.at, &is.cap, 1);
    oracle_copy(&t->truth, &t->saved);
    t->stales = 0; /* ids that were given since then may be given again */
}

void saved_worlds_end(trial *t) {
    EACH(t, s) {
        if (s->saved != NULL) {
            bs_snapshot_free(s->saved);
        }
    }
    oracle_end(&t->saved);
}

/* --- pools ---------------------------------------------------------------------------------- */

static void encode_pool(trial *t, bs_pool_snapshot *s, bs_bytes *out) {
    expect(t, NULL, bs_pool_snapshot_encode(s, &t->pool_heap, out) == BS_OK,
           "failed although there was memory");
}

static void take_pool(trial *t, bs_pool_snapshot *s) {
    expect(t, NULL, bs_pool_snapshot_take(s, t->pool) == BS_OK, "failed although there was memory");
}

/* False if there is no more room to keep models. */
static bool read_pool(trial *t, bs_pool_snapshot *s, const bs_bytes *text, const char **problem) {
    saved_pool *saved = &t->saved_pool;
    if (saved->models == MOST_SAVED_MODELS) {
        return false;
    }
    size_t size = bs_pool_models_size(text->at, text->n);
    expect(t, NULL, size <= 2 * text->n, "models take too much memory");
    void *models = malloc(size + 1);
    expect(t, NULL, models != NULL, "no memory");
    saved->model[saved->models++] = models;
    expect(t, NULL, bs_pool_snapshot_decode(s, text->at, text->n, models, problem) == BS_OK,
           "failed although there was memory");
    return true;
}

void do_pool_snapshot(trial *t) {
    saved_pool *saved = &t->saved_pool;
    if (saved->snapshot == NULL) {
        saved->snapshot = bs_pool_snapshot_new(limited_resize, &t->pool_memory);
        expect(t, NULL, saved->snapshot != NULL, "no memory");
    }
    take_pool(t, saved->snapshot);
    saved->movers = t->movers;
    expect(t, NULL, plain_copy_meets(&saved->meets, &t->meets), "no memory");
}

/* The restored pool must give the bytes of the saved one. */
static void expect_bytes(trial *t, const bs_bytes *text) {
    bs_bytes have = {0};
    bs_pool_snapshot *again = bs_pool_snapshot_new(limited_resize, &t->pool_memory);
    take_pool(t, again);
    encode_pool(t, again, &have);
    expect(t, NULL, have.n == text->n && memcmp(have.at, text->at, have.n) == 0,
           "is not what it was");
    note_bytes(t, have.at, have.n);
    bs_array_free(&t->pool_heap, &have.at, &have.cap, 1);
    bs_pool_snapshot_free(again);
}

void do_pool_restore(trial *t) {
    saved_pool *saved = &t->saved_pool;
    bs_bytes text = {0};
    const char *problem = NULL;
    if (saved->snapshot == NULL) {
        return;
    }
    encode_pool(t, saved->snapshot, &text);
    bs_pool_totals totals = bs_pool_stats(&saved->snapshot->pool);
    if (next_chance(&t->in, 128) && read_pool(t, saved->snapshot, &text, &problem)) {
        expect(t, NULL, problem == NULL, problem);
    }
    expect(t, NULL, bs_pool_restore(t->pool, saved->snapshot) == BS_OK,
           "failed although there was memory");
    bs_pool_totals now = bs_pool_stats(t->pool);
    expect(t, NULL, memcmp(&totals, &now, sizeof now) == 0, "other totals");
    t->movers = saved->movers;
    expect(t, NULL, plain_copy_meets(&t->meets, &saved->meets), "no memory");
    expect_bytes(t, &text);
    expect_movers(t);
    bs_array_free(&t->pool_heap, &text.at, &text.cap, 1);
}

static void read_back_pool(trial *t) {
    bs_bytes was = {0}, is = {0};
    const char *problem = NULL;
    bs_pool_snapshot *s = bs_pool_snapshot_new(limited_resize, &t->pool_memory);
    take_pool(t, s);
    encode_pool(t, s, &was);
    void *models = malloc(bs_pool_models_size(was.at, was.n) + 1);
    expect(t, NULL, models != NULL, "no memory");
    expect(t, NULL, bs_pool_snapshot_decode(s, was.at, was.n, models, &problem) == BS_OK,
           "failed although there was memory");
    expect(t, NULL, problem == NULL, problem);
    encode_pool(t, s, &is);
    expect(t, NULL, is.n == was.n && memcmp(is.at, was.at, is.n) == 0, "reads back as another");
    bs_array_free(&t->pool_heap, &was.at, &was.cap, 1);
    bs_array_free(&t->pool_heap, &is.at, &is.cap, 1);
    bs_pool_snapshot_free(s);
    free(models);
}

void expect_read_back(trial *t) {
    subject *first = &t->subject[0];
    bs_heap heap = {realloc_block, NULL, 0};
    bs_bytes was = {0}, is = {0};
    const char *problem = NULL;
    first->memory.left = -1;
    bs_snapshot *s = bs_snapshot_new(limited_resize, &first->memory);
    expect(t, first,
           bs_snapshot_take(s, first->world) == BS_OK &&
               bs_snapshot_encode(s, &heap, &was) == BS_OK &&
               bs_snapshot_decode(s, was.at, was.n, &problem) == BS_OK,
           "failed although there was memory");
    expect(t, first, problem == NULL, problem);
    expect(t, first, bs_snapshot_encode(s, &heap, &is) == BS_OK,
           "failed although there was memory");
    expect(t, first, is.n == was.n && memcmp(is.at, was.at, is.n) == 0, "reads back as another");
    bs_array_free(&heap, &was.at, &was.cap, 1);
    bs_array_free(&heap, &is.at, &is.cap, 1);
    bs_snapshot_free(s);
    if (t->pool != NULL) {
        read_back_pool(t);
    }
}

/* Makes another pool, and lets it go on from what damaged bytes say. */
static void try_pool(trial *t, bs_pool_snapshot *s) {
    bs_pool_settings settings = {.capacity = bs_pool_snapshot_capacity(s)};
    enum { MOST = 1000, STEPS = 4 };
    if (settings.capacity > MOST) {
        return;
    }
    bs_pool *pool = bs_pool_new(limited_resize, &t->pool_memory, &settings);
    expect(t, NULL, bs_pool_restore(pool, s) == BS_OK, "failed although there was memory");
    for (int i = 0; i < STEPS; i++) {
        const char *broken = bs_pool_check(pool);
        expect(t, NULL, broken == NULL, broken);
        t->pool_hits.n = 0;
        t->pool_meets.n = 0;
        subject *first = &t->subject[0];
        bs_piercing all = {.world = 1, .every = &first->hits, .met = &t->pool_meets};
        expect(t, NULL,
               bs_pool_hits_world(pool, first->world, &bs_filter_all, &all, &t->pool_heap,
                                  &t->pool_hits) == BS_OK &&
                   bs_pool_remember(pool, 1, t->pool_meets.at, t->pool_meets.n) == BS_OK,
               "failed although there was memory");
        bs_pool_step(pool, i == 0 ? 1 : 0.25);
        bs_shot shot = bs_pool_shot(pool, NULL);
        (void)bs_pool_spawn(pool, &shot);
    }
    bs_pool_free(pool);
}

void do_pool_damage(trial *t) {
    bs_bytes text = {0};
    const char *problem = NULL;
    bs_pool_snapshot *s = bs_pool_snapshot_new(limited_resize, &t->pool_memory);
    take_pool(t, s);
    encode_pool(t, s, &text);
    damage(t, &text);
    if (read_pool(t, s, &text, &problem)) {
        bs_bytes again = {0};
        encode_pool(t, s, &again); /* also when nothing has changed */
        bs_array_free(&t->pool_heap, &again.at, &again.cap, 1);
        try_pool(t, s);
    }
    bs_array_free(&t->pool_heap, &text.at, &text.cap, 1);
    bs_pool_snapshot_free(s);
}

void saved_pool_end(trial *t) {
    saved_pool *saved = &t->saved_pool;
    if (saved->snapshot != NULL) {
        bs_pool_snapshot_free(saved->snapshot);
    }
    for (size_t i = 0; i < saved->models; i++) {
        free(saved->model[i]);
    }
    free(saved->meets.at);
    saved->meets = (plain_meets){0};
    saved->snapshot = NULL;
    saved->models = 0;
}
