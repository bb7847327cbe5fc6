/*
 * curve_test.c: a Hilbert curve visits each cell once, and goes from one to a neighbour.
 *
 *      cc -std=c11 -DDIM=2 -I src spec/core/curve_test.c -lm -o curve_test
 */
#include <stdio.h>
#include <stdlib.h>

#include "curve.h"

enum { MOST = 1 << 15 };

static void fail(const char *what, int longest, int levels) {
    fprintf(stderr, "curve, DIM %d, longest axis %d, levels %d: %s\n", DIM, longest, levels, what);
    exit(1);
}

/* The cell that number i stands for, in a world whose axes have side[k] cells each. */
static void cell_of(int i, const int side[DIM], int cell[DIM]) {
    for (int k = 0; k < DIM; k++) {
        cell[k] = i % side[k];
        i /= side[k];
    }
}

static int distance(const int a[DIM], const int b[DIM]) {
    int sum = 0;
    for (int k = 0; k < DIM; k++) {
        sum += abs(a[k] - b[k]);
    }
    return sum;
}

/* By key, the number of the cell. */
static void visit(const bs_curve *c, const double lo[DIM], const int side[DIM], int n, int *at,
                  int longest) {
    for (int i = 0; i < n; i += BS_CURVE_BATCH) {
        double centre[DIM][BS_CURVE_BATCH];
        uint32_t key[BS_CURVE_BATCH];
        for (int lane = 0; lane < BS_CURVE_BATCH; lane++) {
            int cell[DIM];
            cell_of((i + lane) % n, side, cell);
            for (int k = 0; k < DIM; k++) {
                centre[k][lane] = lo[k] + 3 * (cell[k] + 0.5);
            }
        }
        bs_curve_keys(c, BS_CURVE_BATCH, centre, key);
        for (int lane = 0; lane < BS_CURVE_BATCH && i + lane < n; lane++) {
            if (key[lane] >= (uint32_t)n || at[key[lane]] != -1) {
                fail("two cells have the same key, or one is too large", longest, c->levels);
            }
            at[key[lane]] = i + lane;
        }
    }
}

/* Squares with 2^levels cells a side, `pieces` of them along one axis. */
static void check(int levels, int pieces, int longest) {
    static bs_curve c;
    static int at[MOST];
    double lo[DIM], hi[DIM];
    int side[DIM];
    int n = 1;
    int bits = 0;
    for (int k = 0; k < DIM; k++) {
        side[k] = (1 << levels) * (k == longest ? pieces : 1);
        lo[k] = -7 * k;
        hi[k] = lo[k] + 3 * side[k];
        n *= side[k];
    }
    while (1 << bits < n) {
        bits++;
    }
    for (int i = 0; i < n; i++) {
        at[i] = -1;
    }
    bs_curve_begin(&c, lo, hi, bits);
    if (c.bits != bits || c.levels != levels) {
        fail("the bits are shared out in another way", longest, levels);
    }
    visit(&c, lo, side, n, at, longest);
    for (int i = 1; i < n; i++) {
        int a[DIM], b[DIM];
        cell_of(at[i - 1], side, a);
        cell_of(at[i], side, b);
        if (distance(a, b) != 1) {
            fail("it jumps", longest, levels);
        }
    }
}

/* What is outside gets the nearest cell; a world that is a point has one cell. */
static void check_outside(void) {
    static bs_curve c;
    const double lo[DIM] = {0};
    double hi[DIM] = {0};
    double at[DIM][BS_CURVE_BATCH] = {{-1e300, 1e300, 0, 1, -1, 5, 1e-300, -0.0}};
    uint32_t key[BS_CURVE_BATCH];
    bs_curve_begin(&c, lo, hi, BS_CURVE_BITS);
    bs_curve_keys(&c, BS_LANES, at, key);
    for (int lane = 0; lane < BS_LANES; lane++) {
        if (c.bits != 0 || key[lane] != 0) {
            fail("a point has more than one cell", 0, 0);
        }
    }
    hi[0] = 4;
    bs_curve_begin(&c, lo, hi, 2);
    bs_curve_keys(&c, BS_LANES, at, key);
    if (key[0] != 0 || key[1] != 3 || key[3] != 1 || key[4] != 0 || key[5] != 3) {
        fail("a point outside has another key than the nearest cell", 0, 0);
    }
}

int main(void) {
    for (int levels = 1; levels <= (DIM == 2 ? 6 : 4); levels++) {
        for (int longest = 0; longest < DIM; longest++) {
            check(levels, 1, longest);
            check(levels, 4, longest);
        }
    }
    check_outside();
    printf("curve, DIM %d: all cells, each next to the one before\n", DIM);
    return 0;
}
