/* decode.c: snapshots of pools out of bytes from anywhere; snapshot.h says what these are. */
#include "snapshot.h"

#include <string.h>

typedef struct reader {
    bs_reader in;
    bs_pool *p; /* what has been read so far */
    bs_models models;
    uint32_t idle; /* slots that will be given out again */
} reader;

/* Slots to which nothing has been found that has them. */
static const uint32_t UNKNOWN = BS_NO_BOX - 1;

static void refuse_unless(reader *r, bool fine) {
    if (!fine) {
        bs_refuse(&r->in);
    }
}

/* How many steps something has been through. More than there can be steps is not believed. */
static uint64_t get_age(reader *r) {
    uint64_t age = bs_get(&r->in, 8);
    refuse_unless(r, age <= INT64_MAX);
    return age;
}

/* --- settings ------------------------------------------------------------------------------- */

static void get_sizes(reader *r, double size[DIM]) {
    bs_get_numbers(&r->in, size, DIM);
    for (int k = 0; k < DIM; k++) {
        refuse_unless(r, size[k] >= 0);
    }
}

static void get_settings(reader *r) {
    bs_pool *p = r->p;
    bs_pool_settings *settings = &p->settings;
    settings->capacity = (uint32_t)bs_get(&r->in, 4);
    p->used = (uint32_t)bs_get(&r->in, 4);
    r->idle = (uint32_t)bs_get(&r->in, 4);
    p->count = (uint32_t)bs_get(&r->in, 4);
    p->ended = (uint32_t)bs_get(&r->in, 4);
    p->emitters = (uint32_t)bs_get(&r->in, 4);
    p->numbers = bs_get(&r->in, 8);
    p->totals.dropped = bs_get(&r->in, 8);
    bs_get_numbers(&r->in, &p->dt, 1);
    get_sizes(r, settings->size);
    settings->mask = (uint32_t)bs_get(&r->in, 4);
    uint64_t bounded = bs_get(&r->in, 1);
    settings->bounded = bounded != 0;
    if (settings->bounded) {
        bs_get_numbers(&r->in, settings->bounds.pos, DIM);
        bs_get_numbers(&r->in, settings->bounds.size, DIM);
        refuse_unless(r, bs_rect_is_box(&settings->bounds));
    }
    bs_pool_set_range(p);
    uint64_t flown = (uint64_t)p->count + p->ended;
    refuse_unless(r, bounded <= 1 && p->numbers <= INT64_MAX);
    refuse_unless(r, settings->capacity > 0 && settings->capacity <= BS_MOST_MOVERS);
    refuse_unless(r, p->used <= settings->capacity && flown + r->idle <= p->used);
}

/* --- emitters and slots --------------------------------------------------------------------- */

static void get_emitter(reader *r, size_t i) {
    bs_emitter *e = &r->p->emitter[i];
    e->number = bs_get(&r->in, 8);
    uint64_t age = get_age(r);
    e->pattern = bs_get_pattern(&r->in, &r->models);
    e->born = 0 - age; /* until it is known what time it is */
    r->p->now = age > r->p->now ? age : r->p->now;
    refuse_unless(r, e->number > (i > 0 ? e[-1].number : 0) && e->number <= r->p->numbers);
    if (r->in.problem == NULL) {
        refuse_unless(r, bs_pattern_left(&e->pattern, age) != 0);
    }
}

static void get_slots(reader *r) {
    bs_pool *p = r->p;
    uint32_t retired = 0;
    for (uint32_t slot = 0; slot < p->used; slot++) {
        p->generation[slot] = (uint32_t)bs_get(&r->in, 4);
        p->index[slot] = p->generation[slot] == BS_GENERATIONS_END ? BS_NO_BOX : UNKNOWN;
        retired += p->index[slot] == BS_NO_BOX;
        p->totals.freed += p->generation[slot] - BS_FIRST_GENERATION;
        refuse_unless(r, p->generation[slot] >= BS_FIRST_GENERATION &&
                             p->generation[slot] <= BS_GENERATIONS_END);
    }
    refuse_unless(r, p->count + p->ended + r->idle + retired == p->used);
    uint32_t *link = &p->free;
    *link = BS_NO_BOX;
    for (uint32_t i = 0; i < r->idle && r->in.problem == NULL; i++) {
        uint64_t slot = bs_get(&r->in, 4);
        refuse_unless(r, slot < p->used && p->index[slot] == UNKNOWN);
        if (r->in.problem == NULL) {
            *link = (uint32_t)slot;
            link = &p->index[slot];
            *link = BS_NO_BOX;
        }
    }
}

/* --- movers --------------------------------------------------------------------------------- */

static void get_carried(reader *r, uint32_t mover) {
    bs_pool *p = r->p;
    uint64_t age = get_age(r);
    p->model[mover] = bs_get_model(&r->in, &r->models);
    p->mover[mover].born = 0 - age; /* until it is known what time it is */
    p->now = age > p->now ? age : p->now;
    p->carriers++;
    refuse_unless(r, p->model[mover] != NULL && p->model[mover]->emitters > 0);
}

/* What the kind says; other columns are as they are of movers that have no more. */
static void get_rest(reader *r, uint32_t mover, unsigned kind) {
    bs_pool *p = r->p;
    bs_mover *m = &p->mover[mover];
    bool accelerates = false;
    for (int k = 0; k < DIM && (kind & BS_MOVER_ACCELERATES) != 0; k++) {
        bs_get_numbers(&r->in, &p->acceleration[k][mover], 1);
        accelerates = accelerates || p->acceleration[k][mover] != 0;
    }
    p->accelerating += accelerates;
    if ((kind & BS_MOVER_MORTAL) != 0) {
        p->dies[mover] = (uint32_t)bs_get(&r->in, 4); /* until it is known what time it is */
        m->mortal = true;
        refuse_unless(r, p->dies[mover] > 0 && p->dies[mover] <= INT32_MAX);
    }
    if ((kind & BS_MOVER_CARRIES) != 0) {
        get_carried(r, mover);
    }
    if ((kind & BS_MOVER_TAGGED) != 0) {
        m->tag = (int64_t)bs_get(&r->in, 8);
    }
    memcpy(m->size, p->settings.size, sizeof m->size);
    if ((kind & BS_MOVER_SIZED) != 0) {
        get_sizes(r, m->size);
    }
    m->mask = (kind & BS_MOVER_MASKED) != 0 ? (uint32_t)bs_get(&r->in, 4) : p->settings.mask;
    for (int k = 0; k < DIM; k++) {
        p->reach = m->size[k] > p->reach ? m->size[k] : p->reach;
    }
}

static void get_mover(reader *r, uint32_t mover) {
    const unsigned of_ended = BS_MOVER_TAGGED | BS_MOVER_SIZED | BS_MOVER_MASKED;
    const unsigned all =
        of_ended | BS_MOVER_STILL | BS_MOVER_ACCELERATES | BS_MOVER_MORTAL | BS_MOVER_CARRIES;
    bs_pool *p = r->p;
    uint64_t slot = bs_get(&r->in, 4);
    unsigned kind = (unsigned)bs_get(&r->in, 1);
    refuse_unless(r, (kind & ~(mover < p->count ? all : of_ended)) == 0);
    refuse_unless(r, slot < p->used && p->index[slot] == UNKNOWN);
    for (int k = 0; k < DIM; k++) {
        bs_get_numbers(&r->in, &p->before[k][mover], 1);
        bs_get_numbers(&r->in, &p->velocity[k][mover], 1);
    }
    p->still[mover] = (kind & BS_MOVER_STILL) != 0;
    get_rest(r, mover, kind);
    if (r->in.problem == NULL) {
        bs_rect now = bs_mover_rect(p, mover);
        bs_rect from;
        double motion[DIM];
        bs_pool_way(p, mover, &from, motion);
        refuse_unless(r, bs_rect_is_query(&now) && bs_rect_is_query(&from) && bs_is_finite(motion));
        p->slot[mover] = (uint32_t)slot;
        p->index[slot] = mover;
    }
}

/* Ages and lives become numbers of steps. */
static void set_time(bs_pool *p) {
    for (size_t i = 0; i < p->emitters; i++) {
        p->emitter[i].born += p->now;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        p->mover[i].born += p->now;
        p->dies[i] += (uint32_t)p->now;
        p->mixed[i / BS_MOVERS_BLOCK] |= p->still[i];
    }
}

/* --- all of it ------------------------------------------------------------------------------ */

/* False: no memory. */
static bool get_all(reader *r, void *memory) {
    enum { MOVER_BYTES = 5 + 16 * DIM };
    bs_pool *p = r->p;
    r->models = bs_get_models(&r->in, memory);
    get_settings(r);
    uint64_t flown = (uint64_t)p->count + p->ended;
    uint64_t least = p->emitters * (uint64_t)BS_EMITTER_BYTES + 4 * ((uint64_t)p->used + r->idle) +
                     flown * MOVER_BYTES;
    refuse_unless(r, least <= r->in.left);
    if (r->in.problem != NULL) {
        return true;
    }
    if (!bs_array_reserve(&p->heap, &p->emitter, &p->emitter_cap, p->emitters,
                          sizeof *p->emitter) ||
        !bs_pool_make_columns(p, p->used)) {
        return false;
    }
    for (size_t i = 0; i < p->emitters && r->in.problem == NULL; i++) {
        get_emitter(r, i);
    }
    get_slots(r);
    uint32_t i = bs_pool_next_flown(p, 0);
    for (; i < p->capacity && r->in.problem == NULL; i = bs_pool_next_flown(p, i + 1)) {
        get_mover(r, i);
    }
    p->totals.freed += p->ended;
    p->totals.spawned = p->totals.freed + p->count;
    set_time(p);
    refuse_unless(r, r->in.left == 0);
    assert(r->in.problem != NULL || bs_pool_check(p) == NULL);
    return true;
}

bs_status bs_pool_snapshot_decode(bs_pool_snapshot *s, const void *bytes, size_t n, void *models,
                                  const char **problem) {
    bs_pool_snapshot *read = bs_pool_snapshot_new(s->pool.heap.resize, s->pool.heap.host);
    if (read == NULL) {
        return BS_NO_MEMORY;
    }
    reader r = {.in = bs_read_bytes(&bs_pool_format, bytes, n), .p = &read->pool};
    bool done = get_all(&r, models);
    *problem = r.in.problem;
    if (done && r.in.problem == NULL) {
        bs_pool_snapshot swap = *s;
        *s = *read;
        *read = swap;
    }
    bs_pool_snapshot_free(read);
    return done ? BS_OK : BS_NO_MEMORY;
}
