/*
 * pool_parts.h: what a pool is made of; only for the files of this folder. It relies on pool.h. A
 * function that takes memory returns false, or NULL, if there is none.
 *
 *      pool.c      movers: ids, places, coming and going
 *      pool_step.c      time
 *      emitters.c  what fires
 *      pattern.c   when, and in which directions
 *      hits.c      what was hit
 *      met.c       what was met before, so that what pierces reports it once
 *      pool_snapshot.c  pools as they were; pool_bytes.c and model_bytes.c: as bytes
 */
#ifndef BS_POOL_PARTS_H
#define BS_POOL_PARTS_H

#include <assert.h>

#include "base/columns.h"
#include "base/ids.h"
#include "base/order.h"
#include "broadside/pool.h"

#pragma GCC visibility push(hidden)

/* An emitter of the pool itself. */
typedef struct bs_emitter {
    uint64_t number;
    uint64_t born; /* As in bs_mover. */
    bs_pattern pattern;
} bs_emitter;

/* The fields of a mover that steps do not read. */
typedef struct bs_mover {
    double size[DIM];
    uint64_t born; /* The number of the last step before its first one. */
    int64_t tag;
    uint32_t mask;
    bool mortal;
} bs_mover;

BS_LIST(bs_meets, bs_keyed); /* Of bs_pool_meet: sorted by pair, then by box. */

static inline bool bs_meet_comes_before(const bs_keyed *a, const bs_keyed *b) {
    return a->key != b->key ? a->key < b->key : a->value < b->value;
}

/* What movers that pierce have met in one world. */
typedef struct bs_met {
    uint64_t world;  /* Its number. It is 0 in what was read from bytes: the next one that asks. */
    uint64_t step;   /* The number of the step after which it was asked last. */
    bool follows;    /* It was asked after the step before that, too. */
    bs_meets now;    /* What they met in that step ... */
    bs_meets before; /* ... and in the one before it, if `follows`. */
} bs_met;

/* What snapshots copy as it is. */
typedef struct bs_pool_state {
    uint32_t count;
    uint32_t ended;        /* Movers that the last step has freed, and that are kept. */
    uint32_t accelerating; /* Movers with an acceleration. */
    uint32_t carriers;     /* Movers with emitters. */
    uint64_t now;          /* The number of the last step; the first one is 1. */
    double dt;             /* The length of the last step. */
    double reach;          /* No mover was larger than this since the pool was last empty. */
    size_t emitters;       /* The pool's own. */
    uint64_t numbers;      /* The number of the latest of them. */
    bs_pool_settings settings;
    bs_pool_totals totals;
} bs_pool_state;

/*
 *      id = generation, slot --index[slot]--> mover
 *      mover --slot[mover]--> slot
 *
 *      0      count        capacity - ended     capacity
 *      | live | free        | ended in this step | spare |
 *
 * Ended movers are at the end, in their old order, and keep their slots until they are forgotten.
 * So code that spawns or frees can ignore them, unless there is no slot left. The spare index holds
 * the one that is just being moved there, as it may have to change places.
 *
 * The present place of a mover is not stored, only its place before the last step: it is now at
 * before + velocity dt, unless it has not moved (`still`). The next step first makes that the new
 * `before`. So both ends of the last motion are known exactly, and a step reads and writes no more
 * memory than a loop that only knows present places.
 */
struct bs_pool {
    bs_heap heap;
    void *block; /* The memory of all columns. */
    size_t block_size;

    /* Columns by mover. A new column gets its line in pool.c, too. */
    double *before[DIM];
    double *velocity[DIM];
    double *acceleration[DIM];
    uint32_t *dies; /* The low bits of the number of its last step, if it is mortal. */
    uint8_t *still; /* It is new, or was put somewhere else, since the last step. */
    uint32_t *slot;
    const bs_model **model; /* NULL if it carries no emitters. */
    bs_mover *mover;

    /* Columns by slot. */
    uint32_t *index; /* The index of the mover, or BS_NO_BOX. */

    bs_ids ids; /* The slots; their memory is columns, too. */
    uint32_t capacity;
    bs_emitter *emitter; /* In the order of their numbers, without those that have ended. */
    size_t emitter_cap;
    bs_met *met; /* In the order in which the worlds first asked. */
    size_t mets, met_cap;
    bs_pool_state state;
};

/* Whether it is live, or ended in the last step; then it has a way. */
static inline bool bs_mover_has_flown(const bs_pool *p, uint32_t mover) {
    return mover < p->state.count || (mover >= p->capacity - p->state.ended && mover < p->capacity);
}

/* Its position on an axis. The function advance has the same arithmetic in vectors. */
static inline double bs_mover_place(const bs_pool *p, uint32_t mover, int axis) {
    assert(bs_mover_has_flown(p, mover) && axis >= 0 && axis < DIM);
    double before = p->before[axis][mover];
    return p->still[mover] ? before : before + p->velocity[axis][mover] * p->state.dt;
}

static inline bool bs_mover_accelerates(const bs_pool *p, uint32_t mover) {
    for (int k = 0; k < DIM; k++) {
        if (p->acceleration[k][mover] != 0) {
            return true;
        }
    }
    return false;
}

/* The lower side of a box with this centre. */
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

/* Makes room for so many movers, with zeros. Without memory the pool is as it was. */
bool bs_pool_make_columns(bs_pool *p, uint32_t capacity);
/* What has an element of a column. */
typedef enum bs_column_of { BS_OF_MOVERS, BS_OF_SLOTS } bs_column_of;
/* Copies n elements of each of those columns from `first` on to `at`. */
void bs_pool_copy_columns(bs_pool *to, uint32_t at, const bs_pool *from, uint32_t first, uint32_t n,
                          bs_column_of of);

/* Builds with BS_CHECKS make sure that all is in order, by spec/core/checkers/pool.c. */
#ifdef BS_CHECKS
void bs_pool_examine(const bs_pool *p);
#else
static inline void bs_pool_examine(const bs_pool *p) {
    (void)p;
}
#endif

/* Frees a live mover, but keeps it for hits. The last live one gets its index. O(1) */
void bs_mover_end(bs_pool *p, uint32_t mover);
void bs_pool_forget_ended(bs_pool *p);

/* Whether it fires in the step that follows `age` others. */
bool bs_pattern_fires(const bs_pattern *pattern, uint64_t age);

/* How often it will still fire after `age` steps; < 0 is endless. */
int32_t bs_pattern_left(const bs_pattern *pattern, uint64_t age);

/* The number of shots that it fires at once. */
static inline uint64_t bs_pattern_shots(const bs_pattern *pattern) {
    assert(pattern->nway > 0 && pattern->circle > 0);
    return (uint64_t)pattern->nway * pattern->circle;
}

/*
 * The velocity of shot number `shot`, counted fan by fan. The angles of a relative pattern begin at
 * the direction of `ahead` in the plane of x and y. Those of other patterns begin at +x, and so do
 * all if `ahead` has no part in that plane.
 */
void bs_pattern_velocity(const bs_pattern *pattern, uint64_t shot, const double ahead[DIM],
                         double velocity[DIM]);

/* What movers met in a world in the step before the last one, or NULL if it was not asked then. */
const bs_meets *bs_met_before(const bs_pool *p, uint64_t world);
bool bs_was_met(const bs_meets *list, bs_pool_meet meet);
/* Makes room for what another pool has met, and copies it. Without memory nothing has changed. */
bool bs_mets_reserve(bs_pool *p, const bs_pool *from);
void bs_mets_copy(bs_pool *p, const bs_pool *from);
void bs_mets_trim(bs_pool *p);
void bs_mets_free(bs_pool *p);

/* Step 1: fires all emitters that are due. Returns how many movers were spawned. */
uint32_t bs_pool_emit(bs_pool *p);

#pragma GCC visibility pop

#endif
