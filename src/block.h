/*
 * block.h: eight boxes as float bounds in struct-of-arrays, tested by one pass of vector code.
 *
 * Floats decide, exactly. A bound is the double rounded to the nearest float, and rounding keeps
 * order: if float(a) < float(b), then a < b. So when a bound is less than another as a float, the
 * answer is certain; only where two bounds round to the same float must the doubles be asked. The
 * test subtracts bounds that must be in order: a difference < 0 is a certain no, > 0 a certain yes,
 * 0 unsure.
 *
 *      lo[0]  x x x x x x x x      least x of boxes 0..7
 *      hi[0]  X X X X X X X X      greatest x
 *      lo[1]  y ...                and so on for each axis
 *      id     # # # # # # # #      which box (or, in the inner nodes of a tree, which child)
 *
 * An empty lane has lo = +inf and hi = -inf and meets nothing; real bounds are kept finite.
 */
#ifndef BS_BLOCK_H
#define BS_BLOCK_H

#include <float.h>
#include <math.h>

#include "boxes.h"
#include "simd.h"

typedef struct bs_bounds {
    float lo[DIM];
    float hi[DIM];
} bs_bounds;

typedef struct bs_block {
    float lo[DIM][BS_LANES];
    float hi[DIM][BS_LANES];
    uint32_t id[BS_LANES];
} bs_block;

/*
 * The nearest finite float. Keeps order. -0 becomes 0: else the difference of two equal bounds
 * could be -0, whose sign looks like that of a gap.
 */
static inline float bs_round(double x) {
    const double greatest = (double)FLT_MAX;
    x = x < greatest ? x : greatest;
    x = x > -greatest ? x : -greatest;
    return (float)x + 0.0f;
}

static inline bs_bounds bs_bounds_of(const bs_rect *r) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = bs_round(r->pos[k]);
        b.hi[k] = bs_round(bs_far(r, k));
    }
    return b;
}

static inline bs_bounds bs_bounds_empty(void) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = INFINITY;
        b.hi[k] = -INFINITY;
    }
    return b;
}

static inline bs_bounds bs_bounds_union(bs_bounds a, bs_bounds b) {
    for (int k = 0; k < DIM; k++) {
        a.lo[k] = b.lo[k] < a.lo[k] ? b.lo[k] : a.lo[k];
        a.hi[k] = b.hi[k] > a.hi[k] ? b.hi[k] : a.hi[k];
    }
    return a;
}

static inline bool bs_bounds_contain(const bs_bounds *outer, const bs_bounds *inner) {
    for (int k = 0; k < DIM; k++) {
        if (!(outer->lo[k] <= inner->lo[k] && inner->hi[k] <= outer->hi[k])) {
            return false;
        }
    }
    return true;
}

static inline void bs_block_set(bs_block *b, int lane, bs_bounds bounds, uint32_t id) {
    for (int k = 0; k < DIM; k++) {
        b->lo[k][lane] = bounds.lo[k];
        b->hi[k][lane] = bounds.hi[k];
    }
    b->id[lane] = id;
}

static inline bs_bounds bs_block_get(const bs_block *b, int lane) {
    bs_bounds bounds;
    for (int k = 0; k < DIM; k++) {
        bounds.lo[k] = b->lo[k][lane];
        bounds.hi[k] = b->hi[k][lane];
    }
    return bounds;
}

static inline void bs_block_clear_lane(bs_block *b, int lane) {
    bs_block_set(b, lane, bs_bounds_empty(), 0);
}

static inline void bs_block_clear(bs_block *b) {
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_block_clear_lane(b, lane);
    }
}

/* The bounds of all lanes; empty lanes do not matter. */
static inline bs_bounds bs_block_bounds(const bs_block *b) {
    bs_bounds bounds;
    for (int k = 0; k < DIM; k++) {
        bounds.lo[k] = bs_f8_least(bs_f8_load(b->lo[k]));
        bounds.hi[k] = bs_f8_greatest(bs_f8_load(b->hi[k]));
    }
    return bounds;
}

/*
 * One lane of a block, as a pointer to its first bound: lo[k] is at [8 k], hi[k] at [8 (DIM + k)],
 * the id at [16 DIM].
 */
static inline const float *bs_block_lane(const bs_block *b, int lane) {
    return (const float *)(const void *)b + lane;
}

static inline uint32_t bs_lane_id(const float *lane) {
    return ((const uint32_t *)(const void *)lane)[2 * DIM * BS_LANES];
}

/* Per lane: the least of the differences that must be > 0. Bounds to test are `stride` apart. */
BS_HOT bs_f8 bs_block_gap(const bs_block *b, const float *lo, const float *hi, int stride) {
    bs_f8 gap = bs_f8_sub(bs_f8_load(b->hi[0]), bs_f8_set(lo[0]));
    gap = bs_f8_min(gap, bs_f8_sub(bs_f8_set(hi[0]), bs_f8_load(b->lo[0])));
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        gap = bs_f8_min(gap, bs_f8_sub(bs_f8_load(b->hi[k]), bs_f8_set(lo[k * stride])));
        gap = bs_f8_min(gap, bs_f8_sub(bs_f8_set(hi[k * stride]), bs_f8_load(b->lo[k])));
    }
    return gap;
}

/*
 * The lanes whose bounds may overlap q; *unsure is set to those among them for which the doubles
 * must be asked, as two bounds are equal as floats. Inner nodes need not ask.
 */
BS_HOT unsigned bs_block_meet(const bs_block *b, const bs_bounds *q, unsigned *unsure) {
    bs_f8 gap = bs_block_gap(b, q->lo, q->hi, 1);
    *unsure = bs_f8_zeros(gap);
    return ~bs_f8_signs(gap) & BS_ALL_LANES;
}

/* The same for a lane of a block. */
BS_HOT unsigned bs_block_meet_lane(const bs_block *b, const float *lane, unsigned *unsure) {
    bs_f8 gap = bs_block_gap(b, lane, lane + DIM * BS_LANES, BS_LANES);
    *unsure = bs_f8_zeros(gap);
    return ~bs_f8_signs(gap) & BS_ALL_LANES;
}

/* Takes from `mask` those of its `unsure` lanes whose boxes do not overlap r after all. */
BS_COLD unsigned bs_block_settle(const bs_block *b, const bs_boxes *boxes, const bs_rect *r,
                                 unsigned mask, unsigned unsure) {
    for (unsigned left = mask & unsure; left != 0; left &= left - 1) {
        int lane = bs_first_lane(left);
        if (!bs_overlap(&boxes->rect[b->id[lane]], r)) {
            mask &= ~(1u << lane);
        }
    }
    return mask;
}

/* The lanes of b whose boxes overlap r, exactly. `q` is bs_bounds_of(r). */
BS_HOT unsigned bs_block_overlap(const bs_block *b, const bs_boxes *boxes, const bs_rect *r,
                                 const bs_bounds *q) {
    unsigned unsure;
    unsigned mask = bs_block_meet(b, q, &unsure);
    if (__builtin_expect((mask & unsure) != 0, 0)) {
        mask = bs_block_settle(b, boxes, r, mask, unsure);
    }
    return mask;
}

/*
 * Appends the pairs between a lane of a block and the lanes in `among` of b, whose gaps are known,
 * exactly. Room for eight more pairs must have been reserved.
 */
BS_HOT void bs_block_append_pairs(const float *lane, const bs_block *b, bs_f8 gap, unsigned among,
                                  const bs_boxes *boxes, bs_pairs *out) {
    unsigned mask = ~bs_f8_signs(gap) & among;
    unsigned unsure = bs_f8_zeros(gap);
    uint32_t id = bs_lane_id(lane);
    if (__builtin_expect((mask & unsure) != 0, 0)) {
        mask = bs_block_settle(b, boxes, &boxes->rect[id], mask, unsure);
    }
    bs_append_pairs(out, id, b->id, mask);
}

/* The same with their gaps. */
BS_HOT void bs_block_pairs(const float *lane, const bs_block *b, unsigned among,
                           const bs_boxes *boxes, bs_pairs *out) {
    bs_f8 gap = bs_block_gap(b, lane, lane + DIM * BS_LANES, BS_LANES);
    bs_block_append_pairs(lane, b, gap, among, boxes, out);
}

/* As bs_block_settle, for lane i of b and lane i + turn of it. */
BS_COLD unsigned bs_block_settle_turned(const bs_block *b, const bs_boxes *boxes, int turn,
                                        unsigned mask, unsigned unsure) {
    for (unsigned left = mask & unsure; left != 0; left &= left - 1) {
        int lane = bs_first_lane(left);
        const bs_rect *other = &boxes->rect[b->id[(lane + turn) % BS_LANES]];
        if (!bs_overlap(&boxes->rect[b->id[lane]], other)) {
            mask &= ~(1u << lane);
        }
    }
    return mask;
}

enum { BS_SELF_PAIRS = 4 * BS_LANES }; /* room that bs_block_self_pairs needs */

/*
 * All overlapping pairs within a block, exactly: it is tested against itself turned by one, two,
 * three and four lanes. BS_SELF_PAIRS must have been reserved.
 */
BS_HOT void bs_block_self_pairs(const bs_block *b, const bs_boxes *boxes, bs_pairs *out) {
    bs_f8 lo[DIM];
    bs_f8 hi[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        lo[k] = bs_f8_load(b->lo[k]);
        hi[k] = bs_f8_load(b->hi[k]);
    }
    bs_u8 id = bs_u8_load(b->id);
#pragma GCC unroll 4
    for (int turn = 1; turn <= BS_LANES / 2; turn++) {
        bs_f8 gap = bs_f8_set(INFINITY);
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            lo[k] = bs_f8_turn(lo[k]);
            hi[k] = bs_f8_turn(hi[k]);
            gap = bs_f8_min(gap, bs_f8_sub(hi[k], bs_f8_load(b->lo[k])));
            gap = bs_f8_min(gap, bs_f8_sub(bs_f8_load(b->hi[k]), lo[k]));
        }
        id = bs_u8_turn(id);
        unsigned each_once = turn < BS_LANES / 2 ? BS_ALL_LANES : BS_ALL_LANES >> BS_LANES / 2;
        unsigned mask = ~bs_f8_signs(gap) & each_once;
        unsigned unsure = bs_f8_zeros(gap);
        if (__builtin_expect((mask & unsure) != 0, 0)) {
            mask = bs_block_settle_turned(b, boxes, turn, mask, unsure);
        }
        bs_append_both(out, bs_u8_load(b->id), id, mask);
    }
}

#endif
