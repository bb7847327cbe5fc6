/*
 * angles_test.c: tests sines and cosines. Where long doubles have more bits than doubles, it
 * compares them with those of long doubles. Everywhere it checks two properties: they rotate with
 * the angle, and stay within [-1, 1].
 *
 *     angles_test [rounds | hash]
 *
 * With `hash` it only prints a hash of results, which must be the same on every machine.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angles.h"

static const long double PI = 3.14159265358979323846264338327950288L;
enum { MULTIPLES = 667544 }; /* how many multiples of pi/2 there are up to 2^20 */

static uint64_t seed = 1;
static double worst;

static uint64_t drawn(void) { /* xorshift64* (Vigna, 2014) */
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * 2685821657736338717u;
}

static double drawn_below(double most) {
    return (double)(drawn() >> 11) * 0x1p-53 * most;
}

/* Draws any finite double. All exponents are equally likely. */
static double drawn_bits(void) {
    uint64_t bits = drawn();
    double x;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 1;
}

static void fail(const char *what, double angle) {
    fprintf(stderr, "angles: %s at %a (%.17g)\n", what, angle, angle);
    exit(1);
}

/* --- without an oracle ---------------------------------------------------------------------- */

static bool same(double a, double b) {
    return a == b && signbit(a) == signbit(b);
}

static void check_rules(double angle) {
    double s, c, minus_s, same_c;
    bs_sin_cos(angle, &s, &c);
    bs_sin_cos(-angle, &minus_s, &same_c);
    if (!(fabs(s) <= 1 && fabs(c) <= 1)) {
        fail("beyond 1", angle);
    }
    if (!same(minus_s, -s) || !same(same_c, c)) {
        fail("another one for the other direction", angle);
    }
    if (!(fabs(s * s + c * c - 1) <= 2 * DBL_EPSILON)) {
        fail("not of length 1", angle);
    }
}

static void check_special(void) {
    static const double none[] = {INFINITY, -INFINITY, NAN};
    double s, c;
    for (int i = 0; i < 3; i++) {
        bs_sin_cos(none[i], &s, &c);
        if (!isnan(s) || !isnan(c)) {
            fail("a number", none[i]);
        }
    }
    static const double tiny[] = {0, -0.0, 0x1p-1074, 0x1p-1022, 0x1p-30, -0x1p-28};
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
        bs_sin_cos(tiny[i], &s, &c);
        if (!same(s, tiny[i]) || c != 1) {
            fail("not what a small angle is", tiny[i]);
        }
    }
}

/* --- against long doubles ------------------------------------------------------------------- */

/* The error in units of the last place that `right` would have as a double. */
static double error_of(double have, long double right) {
    int exponent;
    frexp((double)right, &exponent);
    double unit = ldexp(1, exponent - DBL_MANT_DIG);
    return (double)(fabsl((long double)have - right) / bs_max(unit, 0x1p-1074));
}

static void check_exact(double angle) {
    double s, c;
    bs_sin_cos(angle, &s, &c);
    double most = bs_max(error_of(s, sinl(angle)), error_of(c, cosl(angle)));
    worst = bs_max(worst, most);
    if (!(most < 1)) {
        fail("off by a unit in the last place", angle);
    }
}

/*
 * Outside the range of exact results, the error may be as large as if the angle were off by less
 * than one unit of its last place.
 */
static void check_far(double angle) {
    double s, c;
    bs_sin_cos(angle, &s, &c);
    double most = fabs(angle) * DBL_EPSILON / 2 + DBL_EPSILON;
    if (!(fabsl(s - sinl(angle)) <= most && fabsl(c - cosl(angle)) <= most)) {
        fail("far off", angle);
    }
}

/* Checks the angle and the two doubles beside it. */
static void check_three(double angle) {
    check_exact(nextafter(angle, 0));
    check_exact(angle);
    check_exact(nextafter(angle, INFINITY));
}

/*
 * Checks the places where sines or cosines are smallest, and where one polynomial takes over from
 * the other.
 */
static void check_near_multiples(int stride) {
    for (int i = 1; i < MULTIPLES; i += i < 1000 ? 1 : stride) {
        check_three((double)(i * (PI / 2)));
        check_three((double)((i - 0.5L) * (PI / 2)));
    }
}

static void check_accuracy(int rounds) {
    for (int i = 0; i < rounds * 100; i++) {
        check_exact(drawn_below(8));
        check_exact(-drawn_below(BS_EXACT_ANGLES));
        check_exact(ldexp(1 + drawn_below(1), (int)(drawn() % 1040) - 1021));
        check_far(BS_EXACT_ANGLES + drawn_below(ldexp(1, 20 + (int)(drawn() % 31))));
    }
    check_near_multiples(1 + 3000 / rounds);
    check_three(0x1p-27);
    check_exact(nextafter(BS_EXACT_ANGLES, 0));
    check_exact(BS_EXACT_ANGLES);
}

/* --- on every machine ----------------------------------------------------------------------- */

static uint64_t mixed(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (hash ^ bits) * 0x100000001b3u; /* FNV-1a over eight bytes at a time */
}

static void print_hash(void) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 200000; i++) {
        double s, c;
        bs_sin_cos(i % 4 == 0 ? drawn_bits() : drawn_below(ldexp(1, i % 24)), &s, &c);
        hash = mixed(mixed(hash, s), c);
    }
    printf("angles: hash %016llx\n", (unsigned long long)hash);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "hash") == 0) {
        print_hash();
        return 0;
    }
    int rounds = argc > 1 ? atoi(argv[1]) : 150;
    check_special();
    for (int i = 0; i < rounds * 100; i++) {
        check_rules(drawn_bits());
        check_rules(drawn_below(BS_EXACT_ANGLES));
    }
    if (LDBL_MANT_DIG > DBL_MANT_DIG) {
        check_accuracy(rounds);
        printf("angles, DIM %d: at most %.3f units in the last place off\n", DIM, worst);
    } else {
        printf("angles, DIM %d: no long doubles to compare with\n", DIM);
    }
    return 0;
}
