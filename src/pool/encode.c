/* encode.c: snapshots of pools as bytes; snapshot.h says which. */
#include "snapshot.h"

#include <string.h>

const bs_format bs_pool_format = {
    .magic = "BSPS",
    .version = 1,
    .other = "is no snapshot of a pool",
    .other_dim = DIM == 2 ? "is of a 3D pool" : "is of a 2D pool",
    .wrong = "holds what no pool can hold",
};

static void put_rect(bs_writer *w, const bs_rect *rect) {
    bs_put_numbers(w, rect->pos, DIM);
    bs_put_numbers(w, rect->size, DIM);
}

/* Slots that will be given out again, in that order. */
static uint32_t put_idle(bs_writer *w, const bs_pool *p) {
    uint32_t n = 0;
    for (uint32_t slot = p->free; slot != BS_NO_BOX; slot = p->index[slot]) {
        if (w != NULL) {
            bs_put(w, slot, 4);
        }
        n++;
    }
    return n;
}

/* Where all movers are still nothing depends on how long the last step was. */
static double last_time(const bs_pool *p) {
    uint32_t i = bs_pool_next_flown(p, 0);
    while (i < p->capacity && p->still[i]) {
        i = bs_pool_next_flown(p, i + 1);
    }
    return i < p->capacity ? p->dt : 0;
}

static void put_settings(bs_writer *w, const bs_pool *p) {
    double dt = last_time(p);
    bs_put(w, p->settings.capacity, 4);
    bs_put(w, p->used, 4);
    bs_put(w, put_idle(NULL, p), 4);
    bs_put(w, p->count, 4);
    bs_put(w, p->ended, 4);
    bs_put(w, p->emitters, 4);
    bs_put(w, p->numbers, 8);
    bs_put(w, p->totals.dropped, 8);
    bs_put_numbers(w, &dt, 1);
    bs_put_numbers(w, p->settings.size, DIM);
    bs_put(w, p->settings.mask, 4);
    bs_put(w, p->settings.bounded, 1);
    if (p->settings.bounded) {
        put_rect(w, &p->settings.bounds);
    }
}

static void put_emitter(bs_writer *w, const bs_pool *p, const bs_emitter *e,
                        const bs_model_list *models) {
    bs_put(w, e->number, 8);
    bs_put(w, p->now - e->born, 8);
    bs_put_pattern(w, &e->pattern, bs_model_name(models, e->pattern.model));
}

static unsigned kind_of(const bs_pool *p, uint32_t mover) {
    const bs_mover *m = &p->mover[mover];
    unsigned kind = m->tag != 0 ? BS_MOVER_TAGGED : 0;
    kind |= m->mask != p->settings.mask ? BS_MOVER_MASKED : 0;
    kind |= memcmp(m->size, p->settings.size, sizeof m->size) != 0 ? BS_MOVER_SIZED : 0;
    if (mover >= p->count) {
        return kind;
    }
    const double none = 0;
    for (int k = 0; k < DIM; k++) {
        bool is_zero = memcmp(&p->acceleration[k][mover], &none, sizeof none) == 0;
        kind |= is_zero ? 0 : BS_MOVER_ACCELERATES;
    }
    kind |= p->still[mover] ? BS_MOVER_STILL : 0;
    kind |= m->mortal ? BS_MOVER_MORTAL : 0;
    kind |= p->model[mover] != NULL ? BS_MOVER_CARRIES : 0;
    return kind;
}

static void put_mover(bs_writer *w, const bs_pool *p, uint32_t mover, const bs_model_list *models) {
    const bs_mover *m = &p->mover[mover];
    unsigned kind = kind_of(p, mover);
    bs_put(w, p->slot[mover], 4);
    bs_put(w, kind, 1);
    for (int k = 0; k < DIM; k++) {
        bs_put_numbers(w, &p->before[k][mover], 1);
        bs_put_numbers(w, &p->velocity[k][mover], 1);
    }
    for (int k = 0; k < DIM && (kind & BS_MOVER_ACCELERATES) != 0; k++) {
        bs_put_numbers(w, &p->acceleration[k][mover], 1);
    }
    if ((kind & BS_MOVER_MORTAL) != 0) {
        bs_put(w, p->dies[mover] - (uint32_t)p->now, 4);
    }
    if ((kind & BS_MOVER_CARRIES) != 0) {
        bs_put(w, p->now - m->born, 8);
        bs_put(w, bs_model_name(models, p->model[mover]), 4);
    }
    if ((kind & BS_MOVER_TAGGED) != 0) {
        bs_put(w, (uint64_t)m->tag, 8);
    }
    if ((kind & BS_MOVER_SIZED) != 0) {
        bs_put_numbers(w, m->size, DIM);
    }
    if ((kind & BS_MOVER_MASKED) != 0) {
        bs_put(w, m->mask, 4);
    }
}

bs_status bs_pool_snapshot_encode(const bs_pool_snapshot *s, bs_heap *heap, bs_bytes *out) {
    const bs_pool *p = &s->pool;
    bs_model_list *models = bs_list_models(p, heap);
    if (models == NULL) {
        return BS_NO_MEMORY;
    }
    bs_writer w = bs_begin_bytes(&bs_pool_format, heap, out);
    bs_put_models(&w, models);
    put_settings(&w, p);
    for (size_t i = 0; i < p->emitters; i++) {
        put_emitter(&w, p, &p->emitter[i], models);
    }
    for (uint32_t slot = 0; slot < p->used; slot++) {
        bs_put(&w, p->generation[slot], 4);
    }
    (void)put_idle(&w, p);
    uint32_t i = bs_pool_next_flown(p, 0);
    for (; i < p->capacity; i = bs_pool_next_flown(p, i + 1)) {
        put_mover(&w, p, i, models);
    }
    bs_model_list_free(models, heap);
    return bs_end_bytes(&w) ? BS_OK : BS_NO_MEMORY;
}
