/*
 * simd_test.h: tests of the vector functions. Pairs that vectors have written must be visible to
 * code that reads them one by one. Comparing bits must decide as comparing numbers does. A block
 * that is read from boxes must have the bounds that the boxes have one by one.
 *
 *     simd_test.c         for any processor, as that code is built
 *     simd_avx2_test.c    with AVX2, as backends_avx2.c is
 */
#ifndef SIMD_TEST_H
#define SIMD_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include "broad/block.h"

static bs_pair at[2 * BS_LANES];

static void expect(bool right, unsigned mask, const char *what) {
    if (!right) {
        fprintf(stderr, "simd: lanes %x: %s\n", mask, what);
        exit(1);
    }
}

/* Expects that the list holds the lanes of `mask`, and nothing else. */
static void expect_lanes(const bs_pairs *list, unsigned mask) {
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BS_LANES; lane++) {
        if ((mask >> lane & 1) != 0) {
            expect(at[n].a == 7 && at[n].b == 100 + lane, mask, "another pair");
            n++;
        }
    }
    expect(list->n == n, mask, "another count");
}

/* The bits of a later time must be a greater number, and no time may be before 0. */
static void expect_timed(unsigned mask) {
    static const float time[BS_LANES] = {0, 1e-45f, 1e-30f, 0.25f, 0.5f, 1, 1 + 0x1p-23f, FLT_MAX};
    uint32_t id[BS_LANES];
    for (uint32_t lane = 0; lane < BS_LANES; lane++) {
        id[lane] = 100 + lane;
        bool later = lane == 0 || bs_bits_of(time[lane - 1]) < bs_bits_of(time[lane]);
        expect(later && bs_float_of(bs_bits_of(time[lane])) == time[lane], mask, "another order");
    }
    bs_pairs timed = {at, 0, 2 * BS_LANES};
    bs_append_both(&timed, bs_u8_load(id), bs_u8_bits(bs_f8_load(time)), mask);
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

/* bs_u8_same finds the lanes with a given id. */
static void expect_same(unsigned mask) {
    static const uint32_t number[] = {0, 1, 0x7fffffff, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        uint32_t id[BS_LANES];
        for (uint32_t lane = 0; lane < BS_LANES; lane++) {
            id[lane] = number[(uint32_t)i ^ (~mask >> lane & 1)];
        }
        bs_u8 all = bs_u8_set(number[i]);
        expect(bs_u8_same(bs_u8_load(id), all) == mask, mask, "other lanes are the same");
    }
}

/* Comparing gaps as floats and by their bits must decide alike. */
static void expect_gaps(void) {
    static const float gap[] = {-INFINITY, -FLT_MAX, -1 - 0x1p-23f, -1,      -1e-45f, 0,
                                1e-45f,    1,        1 + 0x1p-23f,  FLT_MAX, INFINITY};
    enum { GAPS = sizeof gap / sizeof *gap };
    for (int i = 0; i < GAPS; i++) {
        for (int j = 0; j < GAPS; j++) {
            float most = gap[i] > gap[j] ? gap[i] : gap[j];
            bs_f8 max = bs_f8_max_gap(bs_f8_set(gap[i]), bs_f8_set(gap[j]));
            unsigned negative = most < 0 ? BS_ALL_LANES : 0;
            unsigned zero = most < 0 || most > 0 ? 0 : BS_ALL_LANES;
            expect(bs_f8_signs(max) == negative, BS_ALL_LANES, "another sign of a gap");
            expect(bs_f8_zeros(max) == zero, BS_ALL_LANES, "a gap of 0 lost or found");
            bs_f8 either = bs_f8_either_zero(bs_f8_set(gap[i]), bs_f8_set(gap[j]));
            bool tie = bs_f8_zeros(bs_f8_set(gap[i])) != 0 || bs_f8_zeros(bs_f8_set(gap[j])) != 0;
            expect(bs_f8_zeros(either) == (tie ? BS_ALL_LANES : 0), BS_ALL_LANES, "another tie");
            expect(bs_may_meet(max) == (negative | zero), BS_ALL_LANES, "another answer");
        }
    }
}

/* In all rounds together, each lane must be compared with each other lane once. */
static void expect_rounds(void) {
    static const float x[BS_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t id[BS_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned met[BS_LANES] = {0};
    for (int round = 0; round < BS_ROUNDS; round++) {
        float of_x[2][BS_LANES];
        uint32_t of_id[2][BS_LANES];
        bs_f8_store(of_x[0], bs_f8_home(x, round));
        bs_f8_store(of_x[1], bs_f8_away(x, round));
        bs_u8_store(of_id[0], bs_u8_home(id, round));
        bs_u8_store(of_id[1], bs_u8_away(id, round));
        for (int i = 0; i < BS_LANES; i++) {
            int home = bs_home_lane(i, round);
            int away = bs_away_lane(i, round);
            unsigned lane = bs_round_once(1u << i, round);
            bool right = of_x[0][i] == x[home] && of_x[1][i] == x[away] &&
                         of_id[0][i] == id[home] && of_id[1][i] == id[away];
            expect(right && home != away, lane, "another lane in a round");
            if (lane != 0) {
                expect((met[home] >> away & 1) == 0, lane, "lanes meet again");
                met[home] |= 1u << away;
                met[away] |= 1u << home;
            }
        }
    }
    for (int i = 0; i < BS_LANES; i++) {
        expect((met[i] ^ BS_ALL_LANES) == 1u << i, BS_ALL_LANES, "lanes do not meet");
    }
}

/*
 * A box with all kinds of numbers, in every combination on each axis. With `far` they may exceed
 * the range of floats.
 */
static bs_rect some_rect(uint32_t *seed, bool far) {
    static const double pos[] = {-0.0, 0,    1,       -1,     0.1,   -1e-50, 1e-50, 1e9 + 0.3,
                                 -1e9, 1e38, -3.5e38, 3.5e38, -1e50, 1e50,   1e300, -1e300};
    static const double size[] = {0, 0, 1, 0.1, 1e-50, 1e9, 1e39, 1e300};
    bs_rect r;
    for (int k = 0; k < DIM; k++) {
        *seed = *seed * 1664525 + 1013904223;
        r.pos[k] = pos[(*seed >> 8) % (far ? 16 : 10)];
        r.size[k] = size[(*seed >> 16) % (far ? 8 : 6)];
    }
    return r;
}

/* Compares bit by bit, because -0 and 0 must differ. */
static void expect_loaded(void) {
    enum { RECTS = 64, ROUNDS = 20000 };
    static bs_rect rect[RECTS];
    uint32_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        int count = round % BS_LANES + 1;
        unsigned lanes = BS_ALL_LANES >> (BS_LANES - count);
        bs_block want;
        bs_block have;
        memset(&have, 0xa5, sizeof have);
        bs_block_clear(&want);
        bs_bounds all = bs_bounds_empty();
        for (int lane = 0; lane < BS_LANES; lane++) {
            have.id[lane] = 0;
        }
        for (int lane = 0; lane < count; lane++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t id = have.id[lane] = (seed >> 8) % RECTS;
            rect[id] = some_rect(&seed, round % 3 == 0);
        }
        for (int lane = 0; lane < count; lane++) {
            bs_bounds b = bs_bounds_of(&rect[have.id[lane]]);
            bs_block_set(&want, lane, b, have.id[lane]);
            all = bs_bounds_union(all, b);
        }
        bs_bounds bounds = bs_block_load(&have, rect, count);
        expect(memcmp(&have, &want, sizeof have) == 0, lanes, "another block was read");
        expect(memcmp(&bounds, &all, sizeof all) == 0, lanes, "other bounds of a block");
    }
}

/* Ends the program with a message if anything is wrong. */
static void test_simd(const char *variant) {
    expect_gaps();
    expect_rounds();
    expect_loaded();
    for (unsigned mask = 0; mask <= BS_ALL_LANES; mask++) {
        bs_pairs lanes = {at, 0, 2 * BS_LANES};
        bs_append_lanes(&lanes, 7, 100, mask);
        expect_lanes(&lanes, mask);
        expect_timed(mask);
        expect_same(mask);
    }
    /*
     * The compiler knows the addresses of all of these, so it might skip reading them a second
     * time.
     */
    bs_pairs list = {at, 0, 2 * BS_LANES};
    uint32_t before = at[7].b = 1;
    bs_append_lanes(&list, 7, 100, BS_ALL_LANES);
    expect(at[7].b - before == 106, BS_ALL_LANES, "what was written is not read");
    printf("simd, DIM %d, %s: what is written is read\n", DIM, variant);
}

#endif
