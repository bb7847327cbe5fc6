/*
 * axes.h: a double for each axis: a place or a motion. Compilers make vector code of these loops.
 */
#ifndef BS_AXES_H
#define BS_AXES_H

#include <math.h>
#include <string.h>

#include "lanes.h"

enum { BS_AXES_ALL = (1 << DIM) - 1 }; /* a bit for each axis */

typedef struct bs_axes {
    double v[DIM];
} bs_axes;

#define BS_AXES_EACH(expression)                                                                   \
    bs_axes out;                                                                                   \
    _Pragma("GCC unroll 3") for (int k = 0; k < DIM; k++) {                                        \
        out.v[k] = (expression);                                                                   \
    }                                                                                              \
    return out

static inline bs_axes bs_axes_load(const double *p) {
    BS_AXES_EACH(p[k]);
}
static inline void bs_axes_store(double *p, bs_axes a) {
    memcpy(p, a.v, sizeof a.v);
}
static inline bs_axes bs_axes_set(double x) {
    BS_AXES_EACH(x);
}
static inline bs_axes bs_axes_add(bs_axes a, bs_axes b) {
    BS_AXES_EACH(a.v[k] + b.v[k]);
}
static inline bs_axes bs_axes_sub(bs_axes a, bs_axes b) {
    BS_AXES_EACH(a.v[k] - b.v[k]);
}
static inline bs_axes bs_axes_mul(bs_axes a, bs_axes b) {
    BS_AXES_EACH(a.v[k] * b.v[k]);
}
static inline bs_axes bs_axes_div(bs_axes a, bs_axes b) {
    BS_AXES_EACH(a.v[k] / b.v[k]);
}
static inline bs_axes bs_axes_min(bs_axes a, bs_axes b) {
    BS_AXES_EACH(a.v[k] < b.v[k] ? a.v[k] : b.v[k]);
}
static inline bs_axes bs_axes_max(bs_axes a, bs_axes b) {
    BS_AXES_EACH(a.v[k] > b.v[k] ? a.v[k] : b.v[k]);
}
static inline bs_axes bs_axes_abs(bs_axes a) {
    BS_AXES_EACH(fabs(a.v[k]));
}
static inline void bs_axes_floats(float *p, bs_axes a) {
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        p[k] = (float)a.v[k];
    }
}
static inline unsigned bs_axes_ordered(bs_axes a, bs_axes b) {
    unsigned bits = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bits |= (isunordered(a.v[k], b.v[k]) ? 0u : 1u) << k;
    }
    return bits;
}
static inline unsigned bs_axes_signs(bs_axes a) {
    unsigned bits = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bits |= (signbit(a.v[k]) ? 1u : 0u) << k;
    }
    return bits;
}
static inline unsigned bs_axes_less(bs_axes a, bs_axes b) {
    unsigned bits = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bits |= (a.v[k] < b.v[k] ? 1u : 0u) << k;
    }
    return bits;
}

#undef BS_AXES_EACH

/* The least of all, and the axis that has it: the lower one of equals. */
static inline int bs_axes_least(bs_axes a, double *least) {
    double v[DIM];
    bs_axes_store(v, a);
    int axis = 0;
    *least = v[0];
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        axis = v[k] < *least ? k : axis;
        *least = v[k] < *least ? v[k] : *least;
    }
    return axis;
}

#endif
