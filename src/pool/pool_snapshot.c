/* pool_snapshot.c: pools as they were: taking them, and going back. */
#include "pool_snapshot.h"

#include <string.h>

bs_pool_snapshot *bs_pool_snapshot_new(bs_realloc resize, void *host) {
    bs_heap heap = {resize, host, 0};
    bs_pool_snapshot *s = bs_heap_new(&heap, sizeof *s);
    if (s != NULL) {
        s->pool.heap = heap;
    }
    return s;
}

void bs_pool_snapshot_free(bs_pool_snapshot *s) {
    bs_pool_free(&s->pool); /* which is where it begins */
}

size_t bs_pool_snapshot_memory(const bs_pool_snapshot *s) {
    return s->pool.heap.used;
}

uint32_t bs_pool_snapshot_capacity(const bs_pool_snapshot *s) {
    return s->pool.state.settings.capacity;
}

/* --- copying -------------------------------------------------------------------------------- */

/* `to` has room, also for emitters, and for what was met. */
static void copy(bs_pool *to, const bs_pool *from) {
    const bs_pool_state *state = &from->state;
    uint32_t ended = to->capacity - state->ended;
    assert(to->capacity >= from->ids.used && to->emitter_cap >= state->emitters);
    bs_pool_copy_columns(to, 0, from, 0, state->count, BS_OF_MOVERS);
    bs_pool_copy_columns(to, ended, from, from->capacity - state->ended, state->ended,
                         BS_OF_MOVERS);
    bs_pool_copy_columns(to, 0, from, 0, from->ids.used, BS_OF_SLOTS);
    for (uint32_t i = ended; i < to->capacity; i++) {
        to->index[to->slot[i]] = i;
    }
    if (state->emitters > 0) {
        memcpy(to->emitter, from->emitter, state->emitters * sizeof *to->emitter);
    }
    to->ids.used = from->ids.used;
    to->ids.idle = from->ids.idle;
    bs_mets_copy(to, from);
    to->state = *state;
}

static bool reserve_emitters(bs_pool *to, const bs_pool *from) {
    return bs_array_reserve(&to->heap, &to->emitter, &to->emitter_cap, from->state.emitters,
                            sizeof *to->emitter);
}

/* An eighth more, as the next snapshot may be of a few movers more. */
static bool reserve_movers(bs_pool *to, const bs_pool *from) {
    uint32_t roomy = from->ids.used + from->ids.used / 8;
    return from->ids.used <= to->capacity ||
           bs_pool_make_columns(to, roomy < from->capacity ? roomy : from->capacity);
}

bs_status bs_pool_snapshot_take(bs_pool_snapshot *s, const bs_pool *p) {
    /* Making columns loses the old ones: it comes last. */
    if (!reserve_emitters(&s->pool, p) || !bs_mets_reserve(&s->pool, p) ||
        !reserve_movers(&s->pool, p)) {
        return BS_NO_MEMORY;
    }
    copy(&s->pool, p);
    return BS_OK;
}

bs_status bs_pool_restore(bs_pool *p, const bs_pool_snapshot *s) {
    assert(p->capacity == s->pool.state.settings.capacity);
    if (!reserve_emitters(p, &s->pool) || !bs_mets_reserve(p, &s->pool)) {
        return BS_NO_MEMORY;
    }
    copy(p, &s->pool);
    return BS_OK;
}
