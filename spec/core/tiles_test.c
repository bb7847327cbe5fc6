/*
 * tiles_test.c: slabs hold equally many points wherever these are, and numbers run to and fro.
 *
 *      cc -std=c11 -DDIM=2 -I src spec/core/tiles_test.c -lm -o tiles_test
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tiles.h"

enum { MOST = 20000 };

static double point[DIM][MOST];
static uint32_t key[MOST];
static uint64_t state = 88172645463325252u;

static double random_number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static void fail(const char *what, size_t n) {
    fprintf(stderr, "tiles, DIM %d, %zu points: %s\n", DIM, n, what);
    exit(1);
}

/* Keys of the first n points, as the tree finds them. */
static void find_keys(bs_tiles *t, size_t n, const double lo[DIM], const double hi[DIM]) {
    bs_tiles_begin(t, lo, hi, n, BS_LANES);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t first = 0; first < n; first += BS_TILES_BATCH) {
            double at[DIM][BS_TILES_BATCH] = {{0}};
            uint32_t cells[BS_TILES_BATCH];
            size_t batch = n - first < BS_TILES_BATCH ? n - first : BS_TILES_BATCH;
            for (int k = 0; k < DIM; k++) {
                memcpy(at[k], &point[k][first], batch * sizeof(double));
            }
            bs_tiles_find(t, batch, at, cells);
            for (size_t i = 0; i < batch; i++) {
                if (pass == 0) {
                    bs_tiles_count(t, cells[i]);
                } else {
                    key[first + i] = bs_tiles_key(t, cells[i]);
                }
            }
        }
        if (pass == 0) {
            bs_tiles_cut(t, n);
        }
    }
}

/* Points that are dense at the lower end of each axis, the more so the greater `power` is. */
static void scatter(size_t n, const double side[DIM], double power) {
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < DIM; k++) {
            point[k][i] = side[k] * pow(random_number(), power);
        }
    }
}

static uint32_t cell_of(const bs_tiles *t, int a, size_t i) {
    double cell = (point[t->axis[a]][i] - t->origin[a]) * t->scale[a];
    double last = (double)((1 << t->axis_bits[a]) - 1);
    return (uint32_t)(cell < last ? cell : last);
}

/* A key begins with the column, and ends with the cell along it, in odd columns from their end. */
static void check_parts(const bs_tiles *t, size_t n) {
    uint32_t last = (1u << t->axis_bits[DIM - 1]) - 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t slab[BS_TILES_CUT];
        for (int a = 0; a < BS_TILES_CUT; a++) {
            slab[a] = t->slab[a][cell_of(t, a, i)];
        }
        uint32_t number = bs_tiles_number(slab, t->slabs);
        uint32_t along = cell_of(t, DIM - 1, i);
        along = number % 2 == 1 ? last - along : along;
        if (key[i] >> t->bits != 0 || key[i] != number * (last + 1) + along) {
            fail("a key is wrong", n);
        }
    }
}

/* Each slab holds its share of the points, but for what is in the cells at its ends. */
static void check_shares(const bs_tiles *t, size_t n) {
    for (int a = 0; a < BS_TILES_CUT; a++) {
        static size_t in_slab[1 << BS_TILES_COLUMN_BITS], in_cell[BS_TILES_CELLS];
        memset(in_slab, 0, sizeof in_slab);
        memset(in_cell, 0, sizeof in_cell);
        double least = (double)n / t->slabs[a];
        size_t most = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t at = cell_of(t, a, i);
            in_cell[at]++;
            most = in_cell[at] > most ? in_cell[at] : most;
            in_slab[t->slab[a][at]]++;
        }
        for (uint32_t slab = 0; slab < t->slabs[a]; slab++) {
            if (fabs((double)in_slab[slab] - least) > (double)most + 1e-6) {
                fail("a slab holds too many points, or too few", n);
            }
        }
    }
}

static void check_points(size_t n, int longest, double longer) {
    static bs_tiles t;
    double lo[DIM] = {0};
    double side[DIM];
    for (int k = 0; k < DIM; k++) {
        side[k] = k == longest ? 1000 * longer : 1000 + k;
    }
    for (int power = 1; power <= 4; power++) {
        scatter(n, side, power);
        find_keys(&t, n, lo, side);
        if (t.axis[DIM - 1] != longest) {
            fail("the longest axis is cut", n);
        }
        check_parts(&t, n);
        check_shares(&t, n);
    }
}

/* All columns have a number, each next to the one before. */
static void check_numbers(uint32_t first, uint32_t second) {
    uint32_t slabs[] = {first, second};
    uint32_t before[BS_TILES_CUT] = {0};
    uint32_t columns = DIM == 2 ? first : first * second;
    for (uint32_t number = 0; number < columns; number++) {
        uint32_t slab[2] = {0, 0};
        uint32_t found = 0;
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t at[2] = {i % first, i / first};
            if (bs_tiles_number(at, slabs) == number) {
                memcpy(slab, at, sizeof slab);
                found++;
            }
        }
        uint32_t steps = 0;
        for (int a = 0; a < BS_TILES_CUT; a++) {
            steps += (uint32_t)abs((int)slab[a] - (int)before[a]);
            before[a] = slab[a];
        }
        if (found != 1 || steps != (number > 0)) {
            fail("a column is not next to the one before", columns);
        }
    }
}

/* What is outside has the nearest cell; a point has no keys, and the least length there is some. */
static void check_outside(void) {
    static bs_tiles t;
    const double lo[DIM] = {0};
    double hi[DIM] = {0};
    const double x[BS_LANES] = {-1e300, 1e300, 0, 1, -1, 5, 1e-300, -0.0};
    bs_tiles_begin(&t, lo, hi, BS_LANES, BS_LANES);
    if (t.bits != 0) {
        fail("a point has keys", BS_LANES);
    }
    hi[0] = 8;
    for (int k = 0; k < DIM; k++) {
        memcpy(point[k], x, sizeof x);
    }
    find_keys(&t, BS_LANES, lo, hi);
    const uint32_t want[BS_LANES] = {0, 7, 0, 1, 0, 5, 0, 0};
    for (int i = 0; i < BS_LANES; i++) {
        if (t.bits != 3 || key[i] != want[i]) {
            fail("a point outside has another key than the nearest cell", BS_LANES);
        }
    }
    const double tiny[BS_LANES] = {0, 0x1p-1022, 0x1p-1021, 0x1p-1020, -1, 1, 1e308, -1e308};
    memcpy(point[0], tiny, sizeof tiny);
    hi[0] = 0x1p-1020; /* so short that cells cannot be counted by it */
    find_keys(&t, BS_LANES, lo, hi);
    if (!(key[0] == 0 && key[0] < key[2] && key[2] < key[3] && key[4] == 0 && key[6] == 7)) {
        fail("what is very small is not in order", BS_LANES);
    }
    hi[0] = 0x1p-1074;
    find_keys(&t, BS_LANES, lo, hi);
}

int main(void) {
    for (int longest = 0; longest < DIM; longest++) {
        check_points(1000, longest, 1.5);
        check_points(MOST, longest, 1.5);
        check_points(MOST, longest, 20);
        check_points(100, longest, 1e6);
    }
    for (uint32_t slabs = 1; slabs < 8; slabs++) {
        check_numbers(slabs, 5);
        check_numbers(4, slabs);
    }
    check_outside();
    printf("tiles, DIM %d: even, and in order\n", DIM);
    return 0;
}
