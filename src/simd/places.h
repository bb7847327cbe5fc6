/*
 * places.h: the table behind branch-free left packing where lanes cannot be permuted. (With AVX2
 * they can, see simd_avx2.h.)
 *
 * bs_places[m][i]: how many set lanes of mask m are before lane i, so where that goes when they are
 * put together. Before lane 0 there are none: there stands how many there are in all. 2 kB, built
 * by the preprocessor.
 */
#ifndef BS_PLACES_H
#define BS_PLACES_H

#include <stdint.h>

/* The row of a mask that consists of these bits. */
#define BS_PLACES(b7, b6, b5, b4, b3, b2, b1, b0)                                                  \
    {                                                                                              \
        b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7, b0, b0 + b1, b0 + b1 + b2, b0 + b1 + b2 + b3,       \
            b0 + b1 + b2 + b3 + b4, b0 + b1 + b2 + b3 + b4 + b5, b0 + b1 + b2 + b3 + b4 + b5 + b6  \
    }
/* The rows of all masks that begin so. */
#define BS_PLACES2(...) BS_PLACES(__VA_ARGS__, 0), BS_PLACES(__VA_ARGS__, 1)
#define BS_PLACES4(...) BS_PLACES2(__VA_ARGS__, 0), BS_PLACES2(__VA_ARGS__, 1)
#define BS_PLACES8(...) BS_PLACES4(__VA_ARGS__, 0), BS_PLACES4(__VA_ARGS__, 1)
#define BS_PLACES16(...) BS_PLACES8(__VA_ARGS__, 0), BS_PLACES8(__VA_ARGS__, 1)
#define BS_PLACES32(...) BS_PLACES16(__VA_ARGS__, 0), BS_PLACES16(__VA_ARGS__, 1)
#define BS_PLACES64(...) BS_PLACES32(__VA_ARGS__, 0), BS_PLACES32(__VA_ARGS__, 1)
#define BS_PLACES128(...) BS_PLACES64(__VA_ARGS__, 0), BS_PLACES64(__VA_ARGS__, 1)

static const uint8_t bs_places[256][8] = {BS_PLACES128(0), BS_PLACES128(1)};

#endif
