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

int main(void) {
    for (unsigned mask = 0; mask <= BS_ALL_LANES; mask++) {
        bs_pairs list = {at, 0, 2 * BS_LANES};
        uint32_t n = 0;
        bs_append_lanes(&list, 7, 100, mask);
        for (uint32_t lane = 0; lane < BS_LANES; lane++) {
            if ((mask >> lane & 1) != 0) {
                expect(at[n].a == 7 && at[n].b == 100 + lane, mask, "another pair");
                n++;
            }
        }
        expect(list.n == n, mask, "another count");
    }
    /* The compiler knows where all of this lies, and so what it need not read a second time. */
    bs_pairs list = {at, 0, 2 * BS_LANES};
    uint32_t before = at[7].b = 1;
    bs_append_lanes(&list, 7, 100, BS_ALL_LANES);
    expect(at[7].b - before == 106, BS_ALL_LANES, "what was written is not read");
    printf("simd, DIM %d: what is written is read\n", DIM);
    return 0;
}
