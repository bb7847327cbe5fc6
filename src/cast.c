#include "cast.h"

/* The finite double nearest to x. */
static double to_finite(double x) {
    x = x < DBL_MAX ? x : DBL_MAX; /* fmin would be a call */
    return x > -DBL_MAX ? x : -DBL_MAX;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* With times, from the moving box; without, from the whole path, which must not look empty. */
static void begin_bounds(bs_cast *c, int k, double slack) {
    const float most = 0x1p126f; /* farther out, what differs may be the same float */
    c->start.lo[k] = bs_round(c->from.pos[k] - slack);
    c->start.hi[k] = bs_round(bs_far(&c->from, k) + slack);
    if (!c->timed[k]) {
        float lo = c->path_bounds.lo[k];
        float hi = c->path_bounds.hi[k];
        c->start.lo[k] = lo < most ? lo : most;
        c->start.hi[k] = hi > -most ? hi : -most;
    }
}

/*
 * Without times, a large inverse makes those of what is apart from the path very late, and those of
 * what meets it early and very late: the slack is large enough for that.
 */
static void begin_test(bs_cast *c, int k, double slack) {
    bs_cast_axis *a = &c->axis[k];
    bool back = c->inverse[k] < 0;
    size_t lo = (size_t)k * BS_LANES;
    size_t hi = (size_t)(DIM + k) * BS_LANES;
    float lo_surely = bs_round(c->from.pos[k] + slack);
    float hi_surely = bs_round(bs_far(&c->from, k) - slack);
    a->near = back ? hi : lo;
    a->far = back ? lo : hi;
    a->enter = back ? c->start.lo[k] : c->start.hi[k];
    a->leave = back ? c->start.hi[k] : c->start.lo[k];
    a->enter_surely = back ? lo_surely : hi_surely;
    a->leave_surely = back ? hi_surely : lo_surely;
    a->inverse = c->inverse[k];
}

static void begin_axis(bs_cast *c, int k) {
    double lo = c->from.pos[k];
    double hi = bs_far(&c->from, k);
    double d = c->motion[k];
    double path_lo = to_finite(d < 0 ? lo + d : lo);
    double path_hi = to_finite(d > 0 ? hi + d : hi);
    /* Rounding to float moves a bound near the path by at most 2^-24 of the largest coordinate. */
    double slack = larger(fabs(path_lo), fabs(path_hi)) * 0x1p-22 + 0x1p-80;
    c->path.pos[k] = path_lo;
    c->path.size[k] = to_finite(path_hi - path_lo);
    c->path_bounds.lo[k] = bs_round(path_lo - slack);
    c->path_bounds.hi[k] = bs_round(path_hi + slack);
    bool moderate = fabs(d) < 1e30 && slack < 1e30;
    c->timed[k] = moderate && fabs(d) > 1e-30;
    c->sure &= c->timed[k] || (moderate && d == 0);
    c->inverse[k] = c->timed[k] ? (float)(1 / d) : 0x1p100f;
    begin_bounds(c, k, slack);
    begin_test(c, k, slack);
}

void bs_cast_begin(bs_cast *cast, const bs_rect *from, const double motion[DIM],
                   void (*visit)(bs_cast *, uint32_t)) {
    cast->from = *from;
    cast->limit = bs_cast_limit(1);
    cast->sure = true;
    cast->skip = UINT32_MAX;
    cast->visit = visit;
    cast->patience = BS_CAST_ROOM;
    cast->waiting = 0;
    for (int k = 0; k < DIM; k++) {
        cast->motion[k] = motion[k];
        begin_axis(cast, k);
    }
}

/* Times are not negative: their bits are in their order. */
static uint64_t order_of(const bs_cast *c, unsigned i) {
    uint32_t bits;
    memcpy(&bits, &c->time[i], sizeof bits);
    return (uint64_t)bits << 32 | c->id[i];
}

void bs_cast_decide(bs_cast *c) {
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < c->waiting; i++) {
        uint64_t order = order_of(c, i);
        least = order < least ? order : least;
    }
    uint32_t first = (uint32_t)least;
    if (c->waiting > 0) {
        c->visit(c, first);
    }
    for (unsigned i = 0; i < c->waiting; i++) {
        if (c->time[i] <= c->limit && c->id[i] != first) {
            c->visit(c, c->id[i]);
        }
    }
    c->waiting = 0;
}
