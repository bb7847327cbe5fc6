/*
 * packing.h: the table behind branch-free left packing where lanes can be permuted (simd_avx2.h).
 *
 * Row m holds the numbers of the set lanes of mask m, the k-th in byte 0 1 4 5 2 3 6 7 [k]:
 * gathered by these and interleaved with others by halves, as AVX2 does it, the chosen lanes stand
 * in order at the front. 2 kB, built by the preprocessor. For other processors see places.h.
 */
#ifndef BS_PACKING_H
#define BS_PACKING_H

#include <assert.h>
#include <stdint.h>

#define BS_BIT(m, i) ((uint64_t)((m) >> (i)&1))
#define BS_RANK(m, i)                                                                              \
    (((i) > 0 ? BS_BIT(m, 0) : 0) + ((i) > 1 ? BS_BIT(m, 1) : 0) + ((i) > 2 ? BS_BIT(m, 2) : 0) +  \
     ((i) > 3 ? BS_BIT(m, 3) : 0) + ((i) > 4 ? BS_BIT(m, 4) : 0) + ((i) > 5 ? BS_BIT(m, 5) : 0) +  \
     ((i) > 6 ? BS_BIT(m, 6) : 0))
#define BS_PLACE(k) ((k) ^ (((k) >> 1 ^ (k) >> 2) & 1) * 6) /* swaps bits 1 and 2 */
#define BS_BYTE(m, i) (BS_BIT(m, i) * ((uint64_t)(i) << 8 * BS_PLACE(BS_RANK(m, i))))
#define BS_ROW(m)                                                                                  \
    (BS_BYTE(m, 1) + BS_BYTE(m, 2) + BS_BYTE(m, 3) + BS_BYTE(m, 4) + BS_BYTE(m, 5) +               \
     BS_BYTE(m, 6) + BS_BYTE(m, 7))
#define BS_ROWS4(m) BS_ROW(m), BS_ROW((m) + 1), BS_ROW((m) + 2), BS_ROW((m) + 3)
#define BS_ROWS16(m) BS_ROWS4(m), BS_ROWS4((m) + 4), BS_ROWS4((m) + 8), BS_ROWS4((m) + 12)
#define BS_ROWS64(m) BS_ROWS16(m), BS_ROWS16((m) + 16), BS_ROWS16((m) + 32), BS_ROWS16((m) + 48)

static const uint64_t bs_packing[256] = {BS_ROWS64(0), BS_ROWS64(64), BS_ROWS64(128),
                                         BS_ROWS64(192)};

static_assert(BS_PLACE(2) == 4 && BS_PLACE(3) == 5 && BS_PLACE(4) == 2 && BS_PLACE(5) == 3,
              "the order that interleaving by halves wants");
static_assert(BS_ROW(255) == 0x0706030205040100, "all lanes, each once");
static_assert(BS_ROW(128) == 7, "a lane by itself comes first");

#endif
