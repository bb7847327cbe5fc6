/*
 * simd_test.c: pairs that vectors have written must be seen by code that reads them one by one.
 * Built for any processor, as that code is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "block.h"

static bs_pair at[2 * BS_LANES];

static void expect(bool right, unsigned mask, const char *what) {
    if (!right) {
        fprintf(stderr, "simd: lanes %x: %s\n", mask, what);
        exit(1);
    }
}

/* A vector mask of the lanes in `turned`. */
static bs_f8 mask_of(unsigned turned) {
    float x[BS_LANES];
    for (int lane = 0; lane < BS_LANES; lane++) {
        x[lane] = (turned >> lane & 1) != 0 ? 0 : 1;
    }
    return bs_f8_not_above(bs_f8_load(x), bs_f8_set(0));
}

/* Whether the list holds what appending the lanes of `mask` to none should give. */
static void expect_lanes(const bs_pairs *list, unsigned mask, unsigned turned) {
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BS_LANES; lane++) {
        if ((mask >> lane & 1) != 0) {
            bool turn = (turned >> lane & 1) != 0;
            bs_pair want = turn ? (bs_pair){100 + lane, 7} : (bs_pair){7, 100 + lane};
            expect(at[n].a == want.a && at[n].b == want.b, mask, "another pair");
            n++;
        }
    }
    expect(list->n == n, mask, "another count");
}

/* What is met later must have the greater number, and nothing may come before time 0. */
static void expect_timed(unsigned mask) {
    static const float time[BS_LANES] = {0, 1e-45f, 1e-30f, 0.25f, 0.5f, 1, 1 + 0x1p-23f, FLT_MAX};
    uint32_t id[BS_LANES];
    for (uint32_t lane = 0; lane < BS_LANES; lane++) {
        id[lane] = 100 + lane;
        bool later = lane == 0 || bs_bits_of(time[lane - 1]) < bs_bits_of(time[lane]);
        expect(later && bs_float_of(bs_bits_of(time[lane])) == time[lane], mask, "another order");
    }
    bs_pairs timed = {at, 0, 2 * BS_LANES};
    bs_append_timed(&timed, id, bs_f8_load(time), mask);
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BS_LANES; lane++) {
        if ((mask >> lane & 1) != 0) {
            bool right = at[n].a == 100 + lane && bs_float_of(at[n].b) == time[lane];
            expect(right, mask, "another time");
            n++;
        }
    }
    expect(timed.n == n && bs_bits_of(0) == 0, mask, "another count of times");
}

int main(void) {
    for (unsigned mask = 0; mask <= BS_ALL_LANES; mask++) {
        bs_pairs lanes = {at, 0, 2 * BS_LANES};
        bs_append_lanes(&lanes, 7, 100, mask);
        expect_lanes(&lanes, mask, 0);
        expect_timed(mask);
        for (unsigned turned = 0; turned <= BS_ALL_LANES; turned++) {
            bs_pairs either = {at, 0, 2 * BS_LANES};
            bs_append_turned(&either, 7, 100, mask_of(turned), mask);
            expect_lanes(&either, mask, turned);
        }
    }
    /* The compiler knows where all of this lies, and so what it need not read a second time. */
    bs_pairs list = {at, 0, 2 * BS_LANES};
    uint32_t before = at[7].b = 1;
    bs_append_lanes(&list, 7, 100, BS_ALL_LANES);
    expect(at[7].b - before == 106, BS_ALL_LANES, "what was written is not read");
    printf("simd, DIM %d: what is written is read\n", DIM);
    return 0;
}
