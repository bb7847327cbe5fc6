/*
 * block.h: eight boxes as float bounds in struct-of-arrays, tested by one pass of vector code. It
 * relies on simd/ and on boxes.h.
 *
 * Floats decide, exactly. A bound is the double rounded to the nearest float, and rounding keeps
 * order: if float(a) < float(b), then a < b. So when a bound is less than another as a float, the
 * answer is certain. Only where two bounds round to the same float must the doubles be asked. The
 * test subtracts bounds that must be in order and takes the greatest difference: < 0 is a certain
 * yes, > 0 a certain no, 0 unsure.
 *
 *      lo[0]  x x x x x x x x      least x of boxes 0..7
 *      hi[0]  X X X X X X X X      greatest x
 *      lo[1]  y ...                and so on for each axis
 *      id     # # # # # # # #      which box (or, in the inner nodes of a tree, which child)
 *
 * An empty lane has lo = +inf and hi = -inf and overlaps nothing; real bounds are finite.
 */
#ifndef BS_BLOCK_H
#define BS_BLOCK_H

#include <assert.h>
#include <float.h>
#include <math.h>

#include "boxes.h"
#include "simd/simd.h"

typedef struct bs_bounds {
    float lo[DIM];
    float hi[DIM];
} bs_bounds;

typedef struct bs_block {
    float lo[DIM][BS_LANES];
    float hi[DIM][BS_LANES];
    uint32_t id[BS_LANES];
} bs_block;

static_assert(sizeof(bs_block) == (2 * DIM + 1) * BS_LANES * sizeof(float), "no padding");

/*
 * The nearest finite float, which keeps order. -0 becomes 0, as the difference of two equal bounds
 * could otherwise be -0, whose sign looks like that of a gap.
 */
static inline float bs_round(double x) {
    const double greatest = (double)FLT_MAX;
    x = bs_max(bs_min(x, greatest), -greatest);
    assert(x >= -greatest && x <= greatest); /* Also if it was NaN. */
    return (float)x + 0.0f;
}

static inline bs_bounds bs_bounds_of(const bs_rect *r) {
    bs_bounds b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = bs_round(r->pos[k]);
        b.hi[k] = bs_round(bs_far(r, k));
        assert(b.lo[k] <= b.hi[k]); /* Sizes are >= 0, and rounding is monotone. */
    }
    return b;
}

/* The bounds, which may be any floats, as a rect, whose far side may be off by a rounding. */
static inline bs_rect bs_bounds_rect(const bs_bounds *b) {
    bs_rect r;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = (double)b->lo[k];
        r.size[k] = (double)b->hi[k] - (double)b->lo[k];
    }
    return r;
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

/* The sum of the sides. */
static inline double bs_bounds_extent(bs_bounds b) {
    double sum = 0;
    for (int k = 0; k < DIM; k++) {
        assert(b.lo[k] <= b.hi[k]);
        sum += (double)b.hi[k] - (double)b.lo[k];
    }
    return sum;
}

static inline void bs_block_set(bs_block *b, int lane, bs_bounds bounds, uint32_t id) {
    assert(lane >= 0 && lane < BS_LANES);
    for (int k = 0; k < DIM; k++) {
        b->lo[k][lane] = bounds.lo[k];
        b->hi[k][lane] = bounds.hi[k];
    }
    b->id[lane] = id;
}

static inline bs_bounds bs_block_get(const bs_block *b, int lane) {
    assert(lane >= 0 && lane < BS_LANES);
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

/* Reads the boxes of the first `count` lanes one by one. */
BS_COLD void bs_block_load_slowly(bs_block *b, const bs_rect *rect, int count) {
    for (int lane = 0; lane < count; lane++) {
        bs_block_set(b, lane, bs_bounds_of(&rect[b->id[lane]]), b->id[lane]);
    }
}

/*
 * Reads the boxes of the first `count` lanes again. The other lanes, whose ids are those of any
 * boxes, become empty, with an id of 0. Returns the bounds of all. It is like bs_bounds_of, but
 * looks only once for bounds that are beyond the floats: mostly many boxes move in a frame.
 */
BS_HOT bs_bounds bs_block_load(bs_block *b, const bs_rect *rect, int count) {
    assert(count > 0 && count <= BS_LANES);
#pragma GCC unroll 8
    for (int lane = 0; lane < BS_LANES; lane++) {
        const bs_rect *r = &rect[b->id[lane]];
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            b->lo[k][lane] = (float)r->pos[k];
            b->hi[k][lane] = (float)bs_far(r, k);
        }
    }
    for (int lane = count; lane < BS_LANES; lane++) {
        bs_block_clear_lane(b, lane);
    }
    for (int k = 0; k < DIM; k++) { /* -0 becomes 0, as in bs_round. */
        bs_f8_store(b->lo[k], bs_f8_add(bs_f8_load(b->lo[k]), bs_f8_set(0)));
        bs_f8_store(b->hi[k], bs_f8_add(bs_f8_load(b->hi[k]), bs_f8_set(0)));
    }
    bs_bounds all = bs_block_bounds(b);
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        finite &= all.lo[k] >= -FLT_MAX && all.hi[k] <= FLT_MAX;
    }
    if (__builtin_expect(!finite, 0)) {
        bs_block_load_slowly(b, rect, count);
        all = bs_block_bounds(b);
    }
    return all;
}

/*
 * One lane of a block, as a pointer to its first bound: lo[k] is at [8 k], hi[k] at [8 (DIM + k)],
 * the id at [16 DIM].
 */
static inline const float *bs_block_lane(const bs_block *b, int lane) {
    assert(lane >= 0 && lane < BS_LANES);
    return (const float *)(const void *)b + lane;
}

static inline const uint32_t *bs_lane_id(const float *lane) {
    return (const uint32_t *)(const void *)lane + 2 * DIM * BS_LANES;
}

/* The bounds of one box in all lanes, in registers, as an operand of a test on a block. */
typedef struct bs_bounds8 {
    bs_f8 lo[DIM];
    bs_f8 hi[DIM];
} bs_bounds8;

/* One box in all lanes. Its bounds are `stride` apart. */
BS_HOT bs_bounds8 bs_bounds8_set(const float *lo, const float *hi, int stride) {
    assert(stride == 1 || stride == BS_LANES); /* Of bs_bounds, or of a lane of a block. */
    bs_bounds8 bounds;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bounds.lo[k] = bs_f8_set(lo[k * stride]);
        bounds.hi[k] = bs_f8_set(hi[k * stride]);
    }
    return bounds;
}

/*
 * Per lane: the sign of the greatest of the differences that must be < 0 for the boxes to overlap;
 * 0 if that is 0. First on one axis, then on all.
 */
BS_HOT bs_f8 bs_gap(bs_f8 a_lo, bs_f8 a_hi, bs_f8 b_lo, bs_f8 b_hi) {
    return bs_f8_max_gap(bs_f8_sub(a_lo, b_hi), bs_f8_sub(b_lo, a_hi));
}
BS_HOT bs_f8 bs_apart(const bs_bounds8 *a, const bs_block *b) {
    bs_f8 apart = bs_gap(a->lo[0], a->hi[0], bs_f8_load(b->lo[0]), bs_f8_load(b->hi[0]));
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        bs_f8 gap = bs_gap(a->lo[k], a->hi[k], bs_f8_load(b->lo[k]), bs_f8_load(b->hi[k]));
        apart = bs_f8_max_gap(apart, gap);
    }
    return apart;
}

/* bs_apart for a block and a box, whose bounds are `stride` apart. */
BS_HOT bs_f8 bs_block_apart(const bs_block *b, const float *lo, const float *hi, int stride) {
    const bs_bounds8 q = bs_bounds8_set(lo, hi, stride);
    return bs_apart(&q, b);
}

/* bs_apart for a block and a lane of a block. */
BS_HOT bs_f8 bs_block_apart_lane(const bs_block *b, const float *lane) {
    return bs_block_apart(b, lane, lane + DIM * BS_LANES, BS_LANES);
}

/* bs_apart for the pairs of lanes in a round, on one axis and on all. */
BS_HOT bs_f8 bs_block_gap_round(const bs_block *b, int k, int round) {
    return bs_gap(bs_f8_away(b->lo[k], round), bs_f8_away(b->hi[k], round),
                  bs_f8_home(b->lo[k], round), bs_f8_home(b->hi[k], round));
}
BS_HOT bs_f8 bs_block_apart_round(const bs_block *b, int round) {
    bs_f8 apart = bs_block_gap_round(b, 0, round);
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        apart = bs_f8_max_gap(apart, bs_block_gap_round(b, k, round));
    }
    return apart;
}

/* The lanes whose boxes, or nodes, may overlap. */
BS_HOT unsigned bs_may_meet(bs_f8 apart) {
    return bs_f8_le(apart, bs_f8_set(0));
}

/* Those of the `unsure` lanes whose boxes overlap r, by doubles. */
BS_COLD unsigned bs_settle(const uint32_t *id, const bs_boxes *boxes, const bs_rect *r,
                           unsigned unsure) {
    unsigned mask = 0;
    for (; unsure != 0; unsure &= unsure - 1) {
        int lane = bs_first_lane(unsure);
        assert(lane < BS_LANES && id[lane] < boxes->cap);
        mask |= (unsigned)bs_overlap(&boxes->rect[id[lane]], r) << lane;
    }
    return mask;
}

/*
 * Those of eight boxes that overlap r, exactly, by the differences of their bounds. (An empty
 * lane, whose id is that of no box, overlaps nothing.)
 */
BS_HOT unsigned bs_overlaps(bs_f8 apart, const uint32_t *id, const bs_boxes *boxes,
                            const bs_rect *r) {
    unsigned mask = bs_f8_signs(apart);
    unsigned unsure = bs_f8_zeros(apart);
    assert((mask & unsure) == 0); /* No difference is -0. */
    if (__builtin_expect(unsure != 0, 0)) {
        mask |= bs_settle(id, boxes, r, unsure);
    }
    return mask;
}

/* The lanes of b whose boxes overlap r, exactly. `q` is bs_bounds_of(r). */
BS_HOT unsigned bs_block_overlap(const bs_block *b, const bs_boxes *boxes, const bs_rect *r,
                                 const bs_bounds *q) {
    return bs_overlaps(bs_block_apart(b, q->lo, q->hi, 1), b->id, boxes, r);
}

/* bs_settle for the rect of *box, which the caller need not load. */
BS_COLD unsigned bs_settle_box(const uint32_t *id, const bs_boxes *boxes, const uint32_t *box,
                               unsigned unsure) {
    return bs_settle(id, boxes, &boxes->rect[*box], unsure);
}

/* Appends the pairs of a box with those of eight that it overlaps. Eight more must have room. */
BS_HOT void bs_append_overlaps(bs_pairs *out, const uint32_t *box, const uint32_t *id, bs_f8 apart,
                               const bs_boxes *boxes) {
    unsigned mask = bs_f8_signs(apart);
    unsigned unsure = bs_f8_zeros(apart);
    if (__builtin_expect(unsure != 0, 0)) {
        mask |= bs_settle_box(id, boxes, box, unsure);
    }
    bs_append_pairs(out, *box, id, mask);
}

/* bs_settle for the pairs of lanes in a round. */
BS_COLD unsigned bs_settle_round(const bs_block *b, const bs_boxes *boxes, int round,
                                 unsigned unsure) {
    assert(round >= 0 && round < BS_ROUNDS);
    unsigned mask = 0;
    for (; unsure != 0; unsure &= unsure - 1) {
        int i = bs_first_lane(unsure);
        uint32_t home = b->id[bs_home_lane(i, round)];
        uint32_t away = b->id[bs_away_lane(i, round)];
        assert(home < boxes->cap && away < boxes->cap);
        mask |= (unsigned)bs_overlap(&boxes->rect[home], &boxes->rect[away]) << i;
    }
    return mask;
}

enum { BS_SELF_PAIRS = BS_ROUNDS * BS_LANES }; /* The room that a block's own pairs need. */

/* All overlapping pairs within a block, exactly. BS_SELF_PAIRS must have been reserved. */
BS_HOT void bs_block_self_pairs(const bs_block *b, const bs_boxes *boxes, bs_pairs *out) {
    assert(out->n + BS_SELF_PAIRS <= out->cap);
    bs_f8 apart[BS_ROUNDS];
    unsigned mask[BS_ROUNDS];
    bs_f8 unsure = bs_f8_set(1);
#pragma GCC unroll 4
    for (int round = 0; round < BS_ROUNDS; round++) {
        apart[round] = bs_block_apart_round(b, round);
        mask[round] = bs_f8_signs(apart[round]);
        unsure = bs_f8_either_zero(unsure, apart[round]);
    }
    if (__builtin_expect(bs_f8_zeros(unsure) != 0, 0)) {
#pragma GCC unroll 4
        for (int round = 0; round < BS_ROUNDS; round++) {
            assert((mask[round] & bs_f8_zeros(apart[round])) == 0);
            mask[round] |= bs_settle_round(b, boxes, round, bs_f8_zeros(apart[round]));
        }
    }
#pragma GCC unroll 4
    for (int round = 0; round < BS_ROUNDS; round++) {
        bs_u8 low = bs_u8_home(b->id, round);
        bs_u8 high = bs_u8_away(b->id, round);
        bs_u8_order(&low, &high);
        bs_append_both(out, low, high, bs_round_once(mask[round], round));
    }
}

#endif
