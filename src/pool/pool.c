/* pool.c: movers and their ids: columns of memory, slots, coming and going. */
#include "pool_parts.h"

#include <math.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------- */

#define COLUMN(name, of)                                                                           \
    { offsetof(bs_pool, name), 0, 0, sizeof(((bs_pool *)0)->name[0]), of, true, NULL }
#if DIM == 2
#define VECTOR(name) COLUMN(name[0], BS_OF_MOVERS), COLUMN(name[1], BS_OF_MOVERS)
#else
#define VECTOR(name)                                                                               \
    COLUMN(name[0], BS_OF_MOVERS), COLUMN(name[1], BS_OF_MOVERS), COLUMN(name[2], BS_OF_MOVERS)
#endif

static const bs_column columns[] = {
    VECTOR(before),
    VECTOR(velocity),
    VECTOR(acceleration),
    COLUMN(dies, BS_OF_MOVERS),
    COLUMN(still, BS_OF_MOVERS),
    COLUMN(slot, BS_OF_MOVERS),
    COLUMN(model, BS_OF_MOVERS),
    COLUMN(mover, BS_OF_MOVERS),
    COLUMN(ids.generation, BS_OF_SLOTS),
    COLUMN(ids.free, BS_OF_SLOTS),
    COLUMN(index, BS_OF_SLOTS),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/*
 * Columns lie one behind the other in one block of memory. Each begins on a cache line, as the
 * block does. The extra lines keep columns of a capacity that is a power of two from falling on the
 * same cache sets, and a vector that begins at the last mover may read them. Returns the size of
 * the block, which is NULL when it is only measured. It has 64 bits, so that more than fits into
 * the memory of a 32-bit processor does not look like less.
 */
static uint64_t lay_out(bs_pool *p, char *block) {
    enum { LINE = 64, EXTRA = 5 * LINE };
    uint64_t n = (uint64_t)p->capacity + 1; /* The last one is spare. */
    uint64_t end = 0;
    for (const bs_column *c = columns; c < columns + COLUMNS; c++) {
        char *at = block != NULL ? block + (size_t)end : NULL;
        memcpy((char *)p + c->at, &at, sizeof at);
        end += (n * c->size + LINE - 1) / LINE * LINE + EXTRA;
    }
    return end;
}

bool bs_pool_make_columns(bs_pool *p, uint32_t capacity) {
    bs_pool made = *p;
    made.capacity = capacity;
    uint64_t size = lay_out(&made, NULL);
    if (size > SIZE_MAX / 2) {
        return false;
    }
    made.block_size = (size_t)size;
    made.block = bs_heap_new(&p->heap, made.block_size);
    if (made.block == NULL) {
        return false;
    }
    lay_out(&made, made.block);
    bs_heap_free(&p->heap, p->block, p->block_size);
    made.heap = p->heap;
    *p = made;
    return true;
}

void bs_pool_copy_columns(bs_pool *to, uint32_t at, const bs_pool *from, uint32_t first, uint32_t n,
                          bs_column_of of) {
    for (const bs_column *c = columns; c < columns + COLUMNS; c++) {
        if (c->of == (int)of) {
            bs_column_copy(to, at, from, first, n, c);
        }
    }
}

/* --- making and ending ---------------------------------------------------------------------- */

bs_pool *bs_pool_new(bs_realloc resize, void *host, const bs_pool_settings *settings) {
    assert(settings->capacity > 0 && settings->capacity <= BS_MOST_MOVERS);
    bs_heap heap = {resize, host, 0};
    bs_pool *p = bs_heap_new(&heap, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->heap = heap;
    p->state.settings = *settings;
    if (!bs_pool_make_columns(p, settings->capacity)) {
        bs_heap_free(&heap, p, sizeof *p);
        return NULL;
    }
    return p;
}

void bs_pool_free(bs_pool *p) {
    bs_heap_free(&p->heap, p->block, p->block_size);
    bs_array_free(&p->heap, &p->emitter, &p->emitter_cap, sizeof *p->emitter);
    bs_mets_free(p);
    bs_heap last = p->heap;
    bs_heap_free(&last, p, sizeof *p);
    assert(last.used == 0); /* Nothing has leaked. */
}

uint32_t bs_pool_count(const bs_pool *p) {
    return p->state.count;
}

uint32_t bs_pool_capacity(const bs_pool *p) {
    return p->capacity;
}

size_t bs_pool_memory(const bs_pool *p) {
    return p->heap.used;
}

bs_pool_totals bs_pool_stats(const bs_pool *p) {
    return p->state.totals;
}

/* --- slots ---------------------------------------------------------------------------------- */

static void give_slot_back(bs_pool *p, uint32_t slot) {
    p->index[slot] = BS_NO_BOX;
    bs_ids_give_back(&p->ids, slot);
}

bs_id bs_pool_id(const bs_pool *p, uint32_t mover) {
    assert(bs_mover_has_flown(p, mover));
    return bs_ids_id(&p->ids, p->slot[mover]) | BS_MOVER_BIT;
}

bs_found bs_pool_find(const bs_pool *p, bs_id id, uint32_t *mover) {
    uint32_t slot;
    const bs_id known = (id & BS_MOVER_BIT) != 0 ? id ^ BS_MOVER_BIT : 0; /* 0 is no id. */
    bs_found found = bs_ids_find(&p->ids, known, &slot);
    *mover = found == BS_FOUND ? p->index[slot] : BS_NO_BOX;
    if (found == BS_FOUND && *mover >= p->state.count) {
        return *mover == BS_NO_BOX ? BS_NEVER : BS_REMOVED;
    }
    return found;
}

uint32_t bs_pool_next_flown(const bs_pool *p, uint32_t mover) {
    uint32_t ended = p->capacity - p->state.ended;
    return mover < p->state.count || mover > ended ? mover : ended;
}

/* --- movers --------------------------------------------------------------------------------- */

bs_shot bs_pool_shot(const bs_pool *p, const bs_model *model) {
    bs_shot shot;
    memset(&shot, 0, sizeof shot);
    shot.mask = p->state.settings.mask;
    memcpy(shot.size, p->state.settings.size, sizeof shot.size);
    if (model != NULL) {
        shot.model = model;
        shot.life = model->life;
        shot.tag = model->tag;
        shot.mask = model->has_mask ? model->mask : shot.mask;
        for (int k = 0; k < DIM; k++) {
            shot.acceleration[k] = model->acceleration[k];
            shot.size[k] = model->size[k] < 0 ? shot.size[k] : model->size[k];
        }
    }
    return shot;
}

int bs_shot_bad_axis(const double place[DIM], const double size[DIM]) {
    int k = 0;
    for (; k < DIM; k++) {
        double lower = bs_lower_side(place[k], size[k]);
        if (!isfinite(lower) || !(size[k] >= 0) || !isfinite(lower + size[k])) {
            break;
        }
    }
    return k;
}

static void write_columns(bs_pool *p, uint32_t mover, const bs_shot *shot) {
    assert(mover < p->state.count);
    bs_mover *m = &p->mover[mover];
    for (int k = 0; k < DIM; k++) {
        p->before[k][mover] = shot->place[k];
        p->velocity[k][mover] = shot->velocity[k];
        p->acceleration[k][mover] = shot->acceleration[k];
        m->size[k] = shot->size[k];
        p->state.reach = bs_max(shot->size[k], p->state.reach);
    }
    p->still[mover] = 1;
    p->dies[mover] = (uint32_t)(p->state.now + shot->life);
    p->model[mover] = shot->model != NULL && shot->model->emitters > 0 ? shot->model : NULL;
    m->mortal = shot->life > 0;
    m->born = p->state.now;
    m->mask = shot->mask;
    m->tag = shot->tag;
}

bs_id bs_pool_spawn(bs_pool *p, const bs_shot *shot) {
    assert(bs_shot_bad_axis(shot->place, shot->size) == DIM && shot->life <= INT32_MAX);
    while (bs_ids_next(&p->ids) >= p->capacity) { /* A slot that is given back may be retired. */
        if (p->state.ended == 0) {
            p->state.totals.dropped++;
            return 0;
        }
        bs_pool_remove(p, p->capacity - p->state.ended);
    }
    p->state.reach = p->state.count + p->state.ended == 0 ? 0 : p->state.reach;
    uint32_t slot = bs_ids_take(&p->ids);
    uint32_t mover = p->state.count++;
    assert(p->state.count + p->state.ended <= p->capacity);
    p->slot[mover] = slot;
    p->index[slot] = mover;
    write_columns(p, mover, shot);
    p->state.accelerating += bs_mover_accelerates(p, mover);
    p->state.carriers += p->model[mover] != NULL;
    p->state.totals.spawned++;
    return bs_pool_id(p, mover);
}

static void copy_columns(bs_pool *p, uint32_t to, uint32_t from) {
    assert(to != from && to <= p->capacity && from <= p->capacity);
    for (int k = 0; k < DIM; k++) {
        p->before[k][to] = p->before[k][from];
        p->velocity[k][to] = p->velocity[k][from];
        p->acceleration[k][to] = p->acceleration[k][from];
    }
    p->still[to] = p->still[from];
    p->dies[to] = p->dies[from];
    p->model[to] = p->model[from];
    p->mover[to] = p->mover[from];
    p->slot[to] = p->slot[from];
    p->index[p->slot[to]] = to;
}

/* Removes it from the live ones; the last of them gets its index. */
static void take_out(bs_pool *p, uint32_t mover) {
    assert(mover < p->state.count);
    p->state.accelerating -= bs_mover_accelerates(p, mover);
    p->state.carriers -= p->model[mover] != NULL;
    uint32_t last = --p->state.count;
    if (mover != last) {
        copy_columns(p, mover, last);
    }
    p->state.totals.freed++;
}

void bs_pool_remove(bs_pool *p, uint32_t mover) {
    assert(bs_mover_has_flown(p, mover));
    uint32_t slot = p->slot[mover];
    if (mover < p->state.count) {
        take_out(p, mover);
    } else {
        uint32_t first = p->capacity - p->state.ended--;
        if (mover != first) {
            copy_columns(p, mover, first);
        }
    }
    give_slot_back(p, slot);
}

/* In a full pool it and the last live one change places: hence the spare. */
void bs_mover_end(bs_pool *p, uint32_t mover) {
    uint32_t spare = p->capacity;
    p->state.ended++;
    uint32_t to = p->capacity - p->state.ended;
    bool full = to < p->state.count;
    copy_columns(p, full ? spare : to, mover);
    take_out(p, mover);
    if (full) {
        copy_columns(p, to, spare);
    }
}

/* From the first one on, so that nothing is copied. */
void bs_pool_forget_ended(bs_pool *p) {
    while (p->state.ended > 0) {
        bs_pool_remove(p, p->capacity - p->state.ended);
    }
}

/* Downwards, so that nothing is copied. */
void bs_pool_clear(bs_pool *p) {
    bs_pool_forget_ended(p);
    while (p->state.count > 0) {
        bs_pool_remove(p, p->state.count - 1);
    }
}

void bs_pool_place(const bs_pool *p, uint32_t mover, double place[DIM]) {
    assert(bs_mover_has_flown(p, mover));
    for (int k = 0; k < DIM; k++) {
        place[k] = bs_mover_place(p, mover, k);
    }
}

void bs_pool_velocity(const bs_pool *p, uint32_t mover, double velocity[DIM]) {
    assert(bs_mover_has_flown(p, mover));
    for (int k = 0; k < DIM; k++) {
        velocity[k] = p->velocity[k][mover];
    }
}

int64_t bs_pool_tag(const bs_pool *p, uint32_t mover) {
    assert(bs_mover_has_flown(p, mover));
    return p->mover[mover].tag;
}

uint32_t bs_pool_mask(const bs_pool *p, uint32_t mover) {
    assert(bs_mover_has_flown(p, mover));
    return p->mover[mover].mask;
}

int bs_pool_set(bs_pool *p, uint32_t mover, const double place[DIM], const double velocity[DIM]) {
    assert(bs_is_finite(velocity));
    assert(mover < p->state.count);
    int axis = bs_shot_bad_axis(place, p->mover[mover].size);
    if (axis < DIM) {
        return axis;
    }
    for (int k = 0; k < DIM; k++) {
        p->before[k][mover] = place[k];
        p->velocity[k][mover] = velocity[k];
    }
    p->still[mover] = 1;
    return DIM;
}

void bs_pool_write(const bs_pool *p, float *rows) {
    for (uint32_t i = 0; i < p->state.count; i++) {
        float *row = rows + (size_t)i * BS_ROW_FLOATS;
        for (int k = 0; k < DIM; k++) {
            row[k] = (float)bs_mover_place(p, i, k);
            row[DIM + k] = (float)p->velocity[k][i];
        }
        row[2 * DIM] = (float)p->mover[i].tag;
    }
}
