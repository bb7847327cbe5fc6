#include "cast.h"

/* The finite double nearest to x. */
static double to_finite(double x) {
    return fmin(fmax(x, -DBL_MAX), DBL_MAX);
}

static void begin_axis(bs_cast *c, int k) {
    double lo = c->from.pos[k];
    double hi = bs_far(&c->from, k);
    double d = c->motion[k];
    double path_lo = to_finite(d < 0 ? lo + d : lo);
    double path_hi = to_finite(d > 0 ? hi + d : hi);
    /* Rounding to float moves a bound near the path by at most 2^-24 of the largest coordinate. */
    double slack = fmax(fabs(path_lo), fabs(path_hi)) * 0x1p-22 + (double)FLT_MIN;
    c->path.pos[k] = path_lo;
    c->path.size[k] = to_finite(path_hi - path_lo);
    c->path_bounds.lo[k] = bs_round(path_lo - slack);
    c->path_bounds.hi[k] = bs_round(path_hi + slack);
    c->start.lo[k] = bs_round(lo - slack);
    c->start.hi[k] = bs_round(hi + slack);
    c->timed[k] = fabs(d) > 1e-30 && fabs(d) < 1e30 && slack < 1e30;
    c->inverse[k] = c->timed[k] ? (float)(1 / d) : 0;
}

void bs_cast_begin(bs_cast *cast, const bs_rect *from, const double motion[DIM],
                   void (*visit)(bs_cast *, uint32_t)) {
    cast->from = *from;
    cast->limit = bs_cast_limit(1);
    cast->visit = visit;
    for (int k = 0; k < DIM; k++) {
        cast->motion[k] = motion[k];
        begin_axis(cast, k);
    }
}
