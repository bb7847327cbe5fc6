/* cast.c: which boxes a cast meets: tests in floats for eight of them, then exact ones (meet.h). */
#include "block_cast.h"

#include "narrow/passing.h"

#include <assert.h>

/* --- tests in floats ------------------------------------------------------------------------- */

/* Whether floats can tell times on this axis. */
static inline bool is_timed(const bs_cast *c, int k) {
    double length = fabs(c->motion[k]);
    return (length > 1e-30) & (length < 1e30);
}

/*
 * If there are no times, the whole path stands for the moving box. A large inverse makes the times
 * of boxes apart from the path very late. Boxes that overlap the path are entered early and left
 * very late, as the slack is large enough for that.
 */
static bs_cast_axis untimed_axis(const bs_cast *c, int k, double slack) {
    double end = c->from->pos[k] + c->motion[k];
    double far = bs_far(c->from, k);
    return (bs_cast_axis){
        .near = (size_t)k * BS_LANES,
        .far = ((size_t)k + DIM) * BS_LANES,
        .enter = bs_round(bs_max(far, far + c->motion[k]) + slack),
        .leave = bs_round(bs_min(c->from->pos[k], end) - slack),
        .inverse = 0x1p100f,
    };
}

/*
 * How much an axis is widened: rounding to float moves a bound near the path by at most 2^-24 of
 * the largest coordinate.
 */
static inline double slack_of(const bs_cast *c, int k) {
    double largest = bs_max(fabs(c->from->pos[k]), fabs(bs_far(c->from, k)));
    return (largest + fabs(c->motion[k])) * 0x1p-22 + 0x1p-80;
}

static inline bs_cast_axis timed_axis(const bs_cast *c, int k, double slack) {
    const float wide[2] = {(float)(c->from->pos[k] - slack), (float)(bs_far(c->from, k) + slack)};
    size_t back = signbit(c->motion[k]) != 0; /* An index, not a branch, as directions vary. */
    return (bs_cast_axis){
        .near = ((size_t)k + DIM * back) * BS_LANES,
        .far = ((size_t)k + DIM * (1 - back)) * BS_LANES,
        .enter = wide[1 - back],
        .leave = wide[back],
        .inverse = (float)(1 / c->motion[k]),
    };
}

static void begin_axes(bs_cast *c) {
    /* Near the end of the floats different numbers may be the same float: met and left at time 0.
     * Times of other axes must not be compared with that. */
    bool huge = false;
    bool timed = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double slack = slack_of(c, k);
        c->axis[k] = timed_axis(c, k, slack);
        huge |= !(slack < 1e30);
        timed &= is_timed(c, k);
    }
    for (int k = 0; k < DIM && (huge || !timed); k++) {
        if (huge || !is_timed(c, k)) {
            c->axis[k] = untimed_axis(c, k, slack_of(c, k));
        }
    }
}

void bs_cast_begin(bs_cast *cast, const bs_boxes *boxes, const bs_rect *from,
                   const double motion[DIM], void (*visit)(bs_cast *, uint32_t)) {
    assert(bs_rect_is_query(from) && bs_is_finite(motion));
    cast->from = from;
    cast->motion = motion;
    cast->boxes = boxes;
    cast->first = BS_CAST_NONE;
    cast->entry = (bs_entry){HUGE_VAL, BS_INSIDE, false}; /* Later than any other. */
    for (int k = 0; k < DIM; k++) {
        cast->ahead[k] = HUGE_VAL;
    }
    cast->limit = bs_cast_limit(1);
    cast->grazes = false;
    cast->skip = BS_CAST_NONE;
    cast->born = NULL;
    cast->visit = visit;
    assert(cast->limit >= 1);
    begin_axes(cast);
}

/* --- decisions in doubles -------------------------------------------------------------------- */

bool bs_cast_is_of_point(const bs_cast *c) {
    bool is_point = true;
    bool moves = false;
    for (int k = 0; k < DIM; k++) {
        is_point = is_point && c->from->size[k] == 0;
        moves = moves || c->motion[k] != 0;
    }
    return is_point && moves;
}

__attribute__((noinline)) void bs_cast_note_graze(bs_cast *c, uint32_t box) {
    bs_passing passing;
    c->grazes =
        c->grazes || (bs_cast_is_of_point(c) &&
                      bs_passing_of(c->from->pos, c->motion, &c->boxes->rect[box], &passing));
}

void bs_cast_meet(bs_cast *c, uint32_t box) {
    bs_entry entry;
    const bs_rect *rect = &c->boxes->rect[box];
    assert(box < c->boxes->cap);
    if (!bs_meet(c->from, c->motion, rect, &entry)) {
        bs_cast_note_graze(c, box); /* Seldom: tests in floats let few others through. */
        return;
    }
    bs_cast_note_side(c->ahead, rect, entry.side);
    if (bs_cast_is_first(c, box, entry.t, entry.corner)) {
        c->entry.side = entry.side;
    }
}

/* By time, then by box. As no time is negative, the bits of times have the order of the times. */
static inline uint64_t order_of(bs_pair timed) {
    return (uint64_t)timed.b << 32 | timed.a;
}

enum { GROUP = 4 };

/*
 * The first of those that wait, at `begin` and beyond; what is behind them comes last. As nobody
 * can predict how many wait, it looks at GROUP at a time, which takes a tenth off a cast.
 */
static inline uint64_t first_waiting(const bs_cast *c, size_t n, uint64_t begin) {
    uint64_t first = UINT64_MAX;
    for (size_t at = 0; at < n; at += GROUP) {
#pragma GCC unroll 4
        for (size_t i = at; i < at + GROUP; i++) {
            uint64_t order = order_of(c->wait[i]);
            order = order >= begin ? order : UINT64_MAX;
            first = order < first ? order : first;
        }
    }
    return first;
}

void bs_cast_decide(bs_cast *c, size_t n) {
    assert(n > 0 && n <= BS_CAST_ROOM + BS_LANES);
    memset(c->wait + n, 0xff, GROUP * sizeof *c->wait);
    uint64_t next = first_waiting(c, n, 0);
    do { /* A box that waits twice is decided once. */
        c->visit(c, (uint32_t)next);
        next = first_waiting(c, n, next + 1);
    } while (next <= order_of((bs_pair){UINT32_MAX - 1, bs_bits_of(c->limit)}));
}
