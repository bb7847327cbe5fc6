#include "cast.h"

#include <assert.h>

/* The finite double nearest to x. */
static double to_finite(double x) {
    assert(!isnan(x));
    return bs_max(bs_min(x, DBL_MAX), -DBL_MAX);
}

/* Bounds that are met on the low side of an axis, and on its high side. */
typedef struct ends {
    float at[2];
} ends;

/*
 * Where there can be no times, the whole path stands for the moving box, and a large inverse makes
 * the times of what is apart from it very late, and those of what meets it early and very late: the
 * slack is large enough for that.
 */
BS_COLD void begin_untimed(const bs_cast *c, int k, ends *wide, ends *narrow) {
    assert(!c->timed[k] && c->slack[k] > 0);
    *wide = (ends){{bs_round(c->path_lo[k] - c->slack[k]), bs_round(c->path_hi[k] + c->slack[k])}};
    *narrow = (ends){
        {bs_round(c->from->pos[k] + c->slack[k]), bs_round(bs_far(c->from, k) - c->slack[k])}};
}

static void begin_axis(bs_cast *c, int k, bool with_time) {
    double lo = c->from->pos[k];
    double hi = bs_far(c->from, k);
    double d = c->motion[k];
    double path_lo = to_finite(bs_min(lo, lo + d));
    double path_hi = to_finite(bs_max(hi, hi + d));
    /* Rounding to float moves a bound near the path by at most 2^-24 of the largest coordinate. */
    double slack = bs_max(fabs(path_lo), fabs(path_hi)) * 0x1p-22 + 0x1p-80;
    ends wide = {{(float)(lo - slack), (float)(hi + slack)}};
    ends narrow = {{(float)(lo + slack), (float)(hi - slack)}};
    assert(path_lo <= path_hi && slack > 0 && isfinite(slack));
    c->path_lo[k] = path_lo;
    c->path_hi[k] = path_hi;
    c->slack[k] = slack;
    c->timed[k] = with_time && fabs(d) > 1e-30 && fabs(d) < 1e30;
    bs_cast_axis *a = &c->axis[k];
    a->inverse = (float)(1 / d);
    if (__builtin_expect(!c->timed[k], 0)) {
        begin_untimed(c, k, &wide, &narrow);
        a->inverse = 0x1p100f;
    }
    size_t back = a->inverse < 0; /* an index, not a branch: directions vary */
    a->near = ((size_t)k + DIM * back) * BS_LANES;
    a->far = ((size_t)k + DIM * (1 - back)) * BS_LANES;
    assert(a->near < 2 * DIM * BS_LANES && a->far < 2 * DIM * BS_LANES);
    a->enter = wide.at[1 - back];
    a->leave = wide.at[back];
    a->enter_surely = narrow.at[1 - back];
    a->leave_surely = narrow.at[back];
}

/* By time, then by box: the bits of times are in the order of the times, as none is negative. */
static inline uint64_t order_of(bs_pair timed) {
    assert(timed.b >> 31 == 0 || timed.b == UINT32_MAX); /* in order, or behind them all */
    return (uint64_t)timed.b << 32 | timed.a;
}

/* The first of those that wait. Eight at a time, as few are more. What is behind comes last. */
static uint64_t first_waiting(bs_cast *c, size_t n) {
    assert(n > 0 && n <= BS_CAST_ROOM + BS_LANES);
    memset(c->wait + n, 0xff, BS_LANES * sizeof *c->wait);
    uint64_t first = UINT64_MAX;
    for (size_t begin = 0; begin < n; begin += BS_LANES) {
#pragma GCC unroll 8
        for (size_t i = begin; i < begin + BS_LANES; i++) {
            uint64_t order = order_of(c->wait[i]);
            first = order < first ? order : first;
        }
    }
    return first;
}

/*
 * The same of those that are met at once, which some are: the one inserted first. How many wait
 * cannot be predicted, nor which one it is; so all eight are asked, and the others never chosen.
 * first_waiting has set what is behind them.
 */
static uint64_t first_born(const bs_cast *c, size_t n) {
    uint64_t least = UINT64_MAX;
    uint64_t first = 0;
    for (size_t begin = 0; begin < n; begin += BS_LANES) {
#pragma GCC unroll 8
        for (size_t i = begin; i < begin + BS_LANES; i++) {
            uint64_t order = order_of(c->wait[i]);
            uint64_t later = -(uint64_t)(order > UINT32_MAX);
            uint64_t born = c->born[order & ~later] | later;
            first = born < least ? order : first;
            least = born < least ? born : least;
        }
    }
    return first;
}

/* True if some of the n that waited still matter, besides the first. */
static bool others_matter(const bs_cast *c, size_t n, uint64_t first) {
    uint64_t end = order_of((bs_pair){UINT32_MAX, bs_bits_of(c->limit)});
    size_t in_time = 0;
    for (size_t begin = 0; begin < n; begin += BS_LANES) {
#pragma GCC unroll 8
        for (size_t i = begin; i < begin + BS_LANES; i++) {
            in_time += order_of(c->wait[i]) < end;
        }
    }
    size_t others = first < end ? in_time - 1 : in_time;
    return others > 0;
}

void bs_cast_decide_one(bs_cast *c, uint32_t box) {
    if (c->visit == NULL) {
        bs_cast_meet(c, box);
    } else {
        c->visit(c, box);
    }
}

void bs_cast_decide_many(bs_cast *c) {
    size_t n = c->waiting;
    c->waiting = 0;
    uint64_t first = first_waiting(c, n);
    if (c->born != NULL && first >> 32 == 0) { /* time 0: no bit is set */
        first = first_born(c, n);
    }
    bs_cast_decide_one(c, (uint32_t)first);
    /* The others come after a face, or an inside, that is met at once. */
    bool settled = c->entry.t == 0 && !c->entry.corner && c->first == (uint32_t)first;
    if (settled || !others_matter(c, n, first)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (order_of(c->wait[i]) != first && bs_float_of(c->wait[i].b) <= c->limit) {
            bs_cast_decide_one(c, c->wait[i].a);
        }
    }
    assert(c->waiting == 0 && c->limit > 0);
}

void bs_cast_prepare_axes(bs_cast *cast) {
    bool huge = false;
    bool certain = true;
    for (int k = 0; k < DIM; k++) {
        begin_axis(cast, k, true);
        huge |= cast->slack[k] > 1e30;
        certain &= cast->timed[k] || cast->motion[k] == 0;
    }
    /* Near the end of the floats what differs may be the same float: met and left at time 0. Times
     * of other axes must not be compared with that. */
    for (int k = 0; huge && k < DIM; k++) {
        begin_axis(cast, k, false);
    }
    if (cast->sure && (huge || !certain)) {
        cast->sure = false;
        cast->eager = true;
        bs_cast_decide(cast);
    }
    cast->prepared = true;
}
