/*
 * cast.h: a box (or a point) that moves through a world in a straight line.
 *
 * A back end finds the boxes that may be met. Each one is decided exactly in doubles (meet.h), here
 * if any box counts, else by the world, which knows what a hit means; that says up to where along
 * the motion anything still matters. So the float tests here may let too much through, but never
 * lose a hit: distances are widened by more than all that rounding can take away.
 *
 * Branches that depend on boxes cannot be predicted, and cost more than the tests. So boxes that
 * may be met are gathered without any. Those of a raster's cell are decided before the next cell
 * (raster_walk.h). Those of blocks are decided at the end; until then the limit falls to where a
 * box is met for certain: by distances that are narrowed instead of widened.
 */
#ifndef BS_CAST_H
#define BS_CAST_H

#include <assert.h>

#include "block.h"
#include "meet.h"

#pragma GCC visibility push(hidden)

#define BS_CAST_NONE UINT32_MAX
enum { BS_CAST_ROOM = 32 };
static_assert((int)BS_CAST_ROOM >= (int)BS_LANES, "a block can wait");

/* How one axis of a block is tested: in the direction of the motion, so without asking for it. */
typedef struct bs_cast_axis {
    size_t near, far;   /* where in a block the bounds are that are met first and last */
    float enter, leave; /* what of the moving box (untimed: of its path) meets them: widened, ... */
    float enter_surely, leave_surely; /* ... and narrowed */
    float inverse;                    /* 1 / motion */
} bs_cast_axis;

typedef struct bs_cast {
    const bs_rect *from;
    const double *motion;

    bool prepared;       /* these are set, see bs_cast_prepare: */
    double path_lo[DIM]; /* around the whole motion, or its finite part */
    double path_hi[DIM];
    double slack[DIM]; /* by which bounds in float are to be widened */
    bool timed[DIM];   /* false: motion too small or too large for times in float */
    bs_cast_axis axis[DIM];

    const bs_boxes *boxes;
    uint32_t first; /* the box met first so far, or BS_CAST_NONE */
    bs_entry entry; /* of that one */

    float limit; /* only what is met at t <= limit still matters; falls with the first hit */
    bool sure;   /* only the first hit matters, and any box but `skip` counts: the limit may fall */
    bool eager;  /* each box is decided as soon as it is found, as only then the limit falls */
    uint32_t skip;        /* a box that does not count, or BS_CAST_NONE */
    const uint64_t *born; /* by box: the lesser was inserted before; NULL: as the indices */

    /* Called for each box that may be met. NULL: any box but `skip` counts, for the first hit. */
    void (*visit)(struct bs_cast *cast, uint32_t box);

    size_t waiting;
    bs_pair wait[BS_CAST_ROOM + 2 * BS_LANES]; /* box; bits of the time when it is met, or before */
} bs_cast;

/* t as a limit, rounded up by more than the float tests can be off. */
static inline float bs_cast_limit(double t) {
    assert(t >= 0 && t <= 1);
    return (float)t * (1 + 0x1p-20f) + 1e-30f;
}

/*
 * A cast over the whole motion: limit = 1. Without `visit` it finds the first hit; with it, it is
 * `sure` only if the caller says so. Does not copy what it is given.
 */
static inline void bs_cast_begin(bs_cast *cast, const bs_boxes *boxes, const bs_rect *from,
                                 const double motion[DIM], void (*visit)(bs_cast *, uint32_t)) {
    assert(bs_rect_is_query(from) && bs_is_finite(motion));
    cast->from = from;
    cast->motion = motion;
    cast->prepared = false;
    cast->boxes = boxes;
    cast->first = BS_CAST_NONE;
    cast->entry = (bs_entry){HUGE_VAL, BS_INSIDE, true}; /* later than any */
    cast->limit = bs_cast_limit(1);
    cast->sure = visit == NULL;
    cast->eager = false;
    cast->skip = BS_CAST_NONE;
    cast->born = NULL;
    cast->visit = visit;
    cast->waiting = 0;
    assert(cast->limit >= 1);
}

/*
 * True if a hit on that box comes before the first one so far, which is another one: the lesser t,
 * then a face before an edge or corner, then the box inserted first.
 */
static inline bool bs_cast_is_sooner(const bs_cast *c, double t, bool corner, uint32_t box) {
    if (t != c->entry.t) {
        return t < c->entry.t;
    }
    if (corner != c->entry.corner) {
        return c->entry.corner;
    }
    return c->born != NULL ? c->born[box] < c->born[c->first] : box < c->first;
}

/* Decides whether a box, if it is not `skip`, is the first one met. */
BS_HOT void bs_cast_meet(bs_cast *c, uint32_t box) {
    bs_entry entry;
    assert(box < c->boxes->cap);
    if (box == c->skip || (c->entry.t == 0 && !bs_cast_is_sooner(c, 0, false, box))) {
        return; /* of boxes that are met at once there are often many */
    }
    if (bs_meet(c->from, c->motion, &c->boxes->rect[box], &entry) &&
        bs_cast_is_sooner(c, entry.t, entry.corner, box)) {
        c->first = box;
        c->entry = entry;
        c->limit = bs_cast_limit(entry.t);
    }
}

/*
 * Before blocks are tested: sets what that needs. Clears `sure` where floats can tell nothing for
 * certain.
 */
void bs_cast_prepare_axes(bs_cast *cast);
static inline void bs_cast_prepare(bs_cast *cast) {
    if (!cast->prepared) {
        bs_cast_prepare_axes(cast);
    }
}

/* The path as floats, a little wider. */
static inline bs_bounds bs_cast_path_bounds(const bs_cast *c) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = bs_round(c->path_lo[k] - c->slack[k]);
        b.hi[k] = bs_round(c->path_hi[k] + c->slack[k]);
        assert(b.lo[k] <= b.hi[k]);
    }
    return b;
}

/* Decides a box, whoever is to. */
void bs_cast_decide_one(bs_cast *cast, uint32_t box);

/* Decides those that wait: the one met first, as it seems, then those that still matter. */
void bs_cast_decide_many(bs_cast *cast);
static inline void bs_cast_decide(bs_cast *cast) {
    if (cast->waiting == 1) { /* mostly, where boxes are sparse */
        cast->waiting = 0;
        bs_cast_decide_one(cast, cast->wait[0].a);
    } else if (cast->waiting > 1) {
        bs_cast_decide_many(cast);
    }
}

/*
 * The lanes of b that the moving box may meet at t <= limit, and lower bounds of those times,
 * FLT_MAX for the other lanes. The slab test on eight boxes at once.
 */
BS_HOT unsigned bs_cast_block(const bs_cast *c, const bs_block *b, bs_f8 *times) {
    const float *bounds = bs_block_lane(b, 0);
    bs_f8 enter = bs_f8_set(0);
    bs_f8 leave = bs_f8_set(FLT_MAX);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        const bs_cast_axis *a = &c->axis[k];
        bs_f8 inverse = bs_f8_set(a->inverse);
        bs_f8 near = bs_f8_sub(bs_f8_load(bounds + a->near), bs_f8_set(a->enter));
        bs_f8 far = bs_f8_sub(bs_f8_load(bounds + a->far), bs_f8_set(a->leave));
        enter = bs_f8_max(bs_f8_mul(near, inverse), enter); /* 0 rather than -0 */
        leave = bs_f8_min(bs_f8_mul(far, inverse), leave);
    }
    enter = bs_f8_mul(enter, bs_f8_set(1 - 0x1p-20f));
    leave = bs_f8_min(bs_f8_add(leave, bs_f8_set(1e-30f)), bs_f8_set(c->limit));
    *times = bs_f8_where_le(enter, leave);
    return bs_f8_le(enter, leave);
}

/*
 * A time until which one of the boxes of b is met for certain, whatever rounding does: narrowed as
 * much as bs_cast_block widens. FLT_MAX or more: none.
 */
BS_HOT float bs_cast_block_surely(const bs_cast *c, const bs_block *b) {
    const float *bounds = bs_block_lane(b, 0);
    bs_f8 enter = bs_f8_set(0);
    bs_f8 leave = bs_f8_set(FLT_MAX);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        const bs_cast_axis *a = &c->axis[k];
        bs_f8 inverse = bs_f8_set(a->inverse);
        bs_f8 near = bs_f8_sub(bs_f8_load(bounds + a->near), bs_f8_set(a->enter_surely));
        bs_f8 far = bs_f8_sub(bs_f8_load(bounds + a->far), bs_f8_set(a->leave_surely));
        enter = bs_f8_max(bs_f8_mul(near, inverse), enter);
        leave = bs_f8_min(bs_f8_mul(far, inverse), leave);
    }
    enter = bs_f8_add(bs_f8_mul(enter, bs_f8_set(1 + 0x1p-18f)), bs_f8_set(1e-30f));
    leave = bs_f8_mul(leave, bs_f8_set(1 - 0x1p-18f));
    enter = bs_f8_unless(enter, b->id, c->skip);
    return bs_f8_least(bs_f8_where_le(enter, leave));
}

/* Adds the lanes of `mask` to those that wait. */
BS_HOT void bs_cast_gather(bs_cast *c, const uint32_t id[BS_LANES], bs_f8 times, unsigned mask) {
    assert(c->waiting <= BS_CAST_ROOM && mask <= BS_ALL_LANES);
    bs_pairs wait = {c->wait, c->waiting, sizeof c->wait / sizeof *c->wait};
    bs_append_both(&wait, bs_u8_load(id), bs_u8_bits(times), mask);
    c->waiting = wait.n;
    if (__builtin_expect(c->waiting > BS_CAST_ROOM || c->eager, 0)) {
        bs_cast_decide(c);
    }
}

/* Gathers the boxes of one block, of those lanes in `among`, that may be met; but not `skip`. */
BS_HOT void bs_cast_visit_lanes(bs_cast *c, const bs_block *b, unsigned among) {
    bs_f8 times;
    assert(among <= BS_ALL_LANES && c->prepared);
    unsigned mask = bs_cast_block(c, b, &times) & among;
    if (mask == 0) { /* mostly */
        return;
    }
    mask &= ~bs_u8_same(bs_u8_load(b->id), bs_u8_set(c->skip));
    if (mask == 0) {
        return;
    }
    if (c->sure) {
        float surely = bs_cast_block_surely(c, b);
        assert(surely > 0);
        c->limit = surely < c->limit ? surely : c->limit;
    }
    bs_cast_gather(c, b->id, times, mask);
}

BS_HOT void bs_cast_visit_block(bs_cast *c, const bs_block *b) {
    bs_cast_visit_lanes(c, b, BS_ALL_LANES);
}

#pragma GCC visibility pop

#endif
