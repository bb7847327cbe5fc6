/*
 * angles.c: computes sines and cosines from doubles alone, so they have the same bits with every C
 * library.
 */
#include "angles.h"

#include <math.h>

/* A number as a double, and the remainder that does not fit into it. */
typedef struct wide {
    double value;
    double rest;
} wide;

/* --- reduction -------------------------------------------------------------------------------- */

/*
 * pi/2 in parts. The first three have 33 bits, so their products with a whole number of 20 bits are
 * exact. All four together have 151 bits after the point. The doubles up to 2^20 come no nearer to
 * a multiple of pi/2 than 2^-61, so what is left of an angle always has more bits than a double.
 */
static const double QUARTER[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                 0x1.b839a252049c1p-104};
static const double QUARTERS_PER_RADIAN = 0x1.45f306dc9c883p-1;
static const double TURN = 0x1.921fb54442d18p+2; /* 2 pi, rounded to a double */

/* a - b, with what rounding takes away in `rest` (Knuth's TwoSum). */
static wide subtract(wide a, double b) {
    double value = a.value - b;
    double taken = value - a.value;
    double lost = (a.value - (value - taken)) - (b + taken);
    return (wide){value, a.rest + lost};
}

/* Reduces an angle to its difference from the nearest quarter of a turn, at most about pi/4. */
static wide reduce(double angle, int *quarters) {
    assert(fabs(angle) <= BS_EXACT_ANGLES);
    *quarters = (int)(angle * QUARTERS_PER_RADIAN + (angle < 0 ? -0.5 : 0.5));
    wide left = {angle, 0};
    for (int i = 0; i < 3; i++) {
        left = subtract(left, *quarters * QUARTER[i]);
    }
    left.rest -= *quarters * QUARTER[3];
    double value = left.value + left.rest;
    return (wide){value, left.rest - (value - left.value)};
}

/* --- the first eighth of a turn --------------------------------------------------------------- */

/* The terms of Taylor's series: up to pi/4 the next one is below a fiftieth of the last place. */
enum { SINE_TERMS = 8, COSINE_TERMS = 7 };
static const double SINE[SINE_TERMS] = {
    -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
    -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000,
};
static const double COSINE[COSINE_TERMS] = {
    1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
    1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000,
};

static double polynomial(const double *term, int terms, double x) {
    double sum = term[terms - 1];
    for (int i = terms - 2; i >= 0; i--) {
        sum = sum * x + term[i];
    }
    return sum;
}

/* Large and small parts are added separately, so only the last sum rounds noticeably. */
static double sine_of(wide x) {
    double square = x.value * x.value;
    double curve = x.value * square * polynomial(SINE, SINE_TERMS, square);
    return x.value + (curve + x.rest * (1 - square / 2));
}

static double cosine_of(wide x) {
    double square = x.value * x.value;
    double half = square / 2;
    double first = 1 - half;
    double lost = (1 - first) - half;
    double curve = square * square * polynomial(COSINE, COSINE_TERMS, square);
    return first + (lost + (curve - x.value * x.rest));
}

/* --- any angle -------------------------------------------------------------------------------- */

void bs_sin_cos(double angle, double *sine, double *cosine) {
    if (!(fabs(angle) <= BS_EXACT_ANGLES)) {
        angle = fmod(angle, TURN); /* exact */
    }
    if (!(fabs(angle) >= 0x1p-27)) { /* NaN and the smallest angles, -0 too, are their own sines */
        *sine = angle;
        *cosine = isnan(angle) ? angle : 1;
        return;
    }
    int quarters;
    wide x = reduce(angle, &quarters);
    double s = sine_of(x);
    double c = cosine_of(x);
    unsigned quadrant = (unsigned)quarters % 4;
    bool swapped = quadrant % 2 == 1;
    *sine = (swapped ? c : s) * (quadrant < 2 ? 1 : -1);
    *cosine = (swapped ? s : c) * (quadrant == 0 || quadrant == 3 ? 1 : -1);
    assert(fabs(*sine) <= 1 && fabs(*cosine) <= 1);
}
