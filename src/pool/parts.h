/*
 * parts.h: what a pool is made of; only for the files of this folder.
 *
 *      pool.c      movers: ids, places, coming and going
 *      step.c      time
 *      emitters.c  what fires
 *      pattern.c   when, and in which directions
 *      hits.c      what was hit
 *      snapshot.c  pools as they were; pool_bytes.c and model_bytes.c: as bytes
 */
#ifndef BS_POOL_PARTS_H
#define BS_POOL_PARTS_H

#include <assert.h>

#include "base/heap.h"
#include "broadside/pool.h"

#pragma GCC visibility push(hidden)

/* Movers are stepped in blocks of so many: loops of a known length become vector code. */
enum { BS_MOVERS_BLOCK = 64 };

/* An emitter of the pool itself. */
typedef struct bs_emitter {
    uint64_t number;
    uint64_t born; /* as of movers */
    bs_pattern pattern;
} bs_emitter;

/* What a mover has that steps do not look at. */
typedef struct bs_mover {
    double size[DIM];
    uint64_t born; /* number of the last step before its first one */
    int64_t tag;
    uint32_t mask;
    bool mortal;
} bs_mover;

/*
 *      id = generation, slot --index[slot]--> mover
 *      mover --slot[mover]--> slot
 *
 *      0      count        capacity - ended     capacity
 *      | live | free        | ended in this step | spare |
 *
 * Ended movers lie at the end, in the order that they had, and have their slots until they are
 * forgotten. So whoever spawns or frees need not know of them, unless there is no slot left. The
 * spare index holds the one that is just being moved there: it may have to change places.
 *
 * Where a mover is now is not stored, only where it was before the last step: it is now at
 * before + velocity dt, unless it has not moved (`still`). The next step begins with making that
 * the new `before`. So both ends of the last movement are known exactly, and a step reads and
 * writes no more memory than a loop that knows only where movers are.
 */
struct bs_pool {
    bs_heap heap;
    void *block; /* all columns */
    size_t block_size;

    /* Columns by mover. A new column gets its line in pool.c, too. */
    double *before[DIM];
    double *velocity[DIM];
    double *acceleration[DIM];
    uint32_t *dies; /* low bits of the number of its last step, if it is mortal */
    uint8_t *still; /* since the last step: it is new, or was put somewhere else */
    uint32_t *slot;
    const bs_model **model; /* NULL: it carries no emitters */
    bs_mover *mover;

    /* Columns by slot. */
    uint32_t *generation; /* of the mover, or of the next one with this slot */
    uint32_t *index;      /* of the mover; of a free slot: the next free one */

    /* Columns by block. */
    uint8_t *suspect; /* some of its movers may have to be freed */
    uint8_t *mixed;   /* some of its movers may be still */

    uint32_t capacity;
    uint32_t count;
    uint32_t ended;        /* movers that were freed by the last step, and are kept */
    uint32_t used;         /* slots given out at least once */
    uint32_t free;         /* head of the list of free slots, or BS_NO_BOX */
    uint32_t accelerating; /* movers with an acceleration */
    uint32_t carriers;     /* movers with emitters */
    uint64_t now;          /* number of the last step; the first one is 1 */
    double dt;             /* of the last step */
    double reach;          /* no mover had a larger size since there was none */

    bs_pool_settings settings;
    double safe_lo[DIM]; /* who is strictly between these is within the bounds */
    double safe_hi[DIM];

    bs_emitter *emitter; /* by number; those that have ended are taken out */
    size_t emitters;
    size_t emitter_cap;
    uint64_t numbers;

    bs_pool_totals totals;
};

/* True if it is live, or ended in the last step: then it has a way. */
static inline bool bs_mover_has_flown(const bs_pool *p, uint32_t mover) {
    return mover < p->count || (mover >= p->capacity - p->ended && mover < p->capacity);
}

/* Where it is on an axis. The same arithmetic in vectors: see advance. */
static inline double bs_mover_place(const bs_pool *p, uint32_t mover, int axis) {
    assert(bs_mover_has_flown(p, mover) && axis >= 0 && axis < DIM);
    double before = p->before[axis][mover];
    return p->still[mover] ? before : before + p->velocity[axis][mover] * p->dt;
}

/* The lower side of a box by its centre. */
static inline double bs_lower_side(double centre, double size) {
    return centre - size / 2;
}

static inline bs_rect bs_mover_rect(const bs_pool *p, uint32_t mover) {
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        rect.size[k] = p->mover[mover].size[k];
        rect.pos[k] = bs_lower_side(bs_mover_place(p, mover, k), rect.size[k]);
    }
    return rect;
}

static inline void bs_mover_keep_still(bs_pool *p, uint32_t mover) {
    assert(mover < p->count && p->count <= p->capacity);
    p->still[mover] = 1;
    p->mixed[mover / BS_MOVERS_BLOCK] = 1;
}

/* Room for so many movers, with zeros. False: no memory, and all is as it was. */
bool bs_pool_make_columns(bs_pool *p, uint32_t capacity);
/* What the elements of a column belong to. */
typedef enum bs_column_of { BS_OF_MOVERS, BS_OF_SLOTS, BS_OF_BLOCKS } bs_column_of;
/* Copies n elements of each of those columns from `first` on to `at`. */
void bs_pool_copy_columns(bs_pool *to, uint32_t at, const bs_pool *from, uint32_t first, uint32_t n,
                          bs_column_of of);
/* Sets safe_lo and safe_hi by the bounds. */
void bs_pool_set_range(bs_pool *p);

/* Frees a live mover, but keeps it for hits. O(1): the last live one takes its index. */
void bs_mover_end(bs_pool *p, uint32_t mover);
void bs_pool_forget_ended(bs_pool *p);

/* Step 1: lets all that is due fire. Returns how many were spawned. */
uint32_t bs_pool_emit(bs_pool *p);

#pragma GCC visibility pop

#endif
