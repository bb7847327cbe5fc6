/*
 * places.h: a table for branch-free left packing, where lanes cannot be permuted. (AVX2 can permute
 * them, see simd_avx2.h.)
 *
 * bs_places[m][i] is the number of set lanes of mask m before lane i, so it is where lane i goes
 * when they are packed. No lane is before lane 0; so entry 0 holds the number of all set lanes
 * instead. The table takes 2 kB. The preprocessor builds it.
 */
#ifndef BS_PLACES_H
#define BS_PLACES_H

#include <stdint.h>

/* The row of the mask with these bits. */
#define BS_PLACES(b7, b6, b5, b4, b3, b2, b1, b0)                                                  \
    {                                                                                              \
        b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7, b0, b0 + b1, b0 + b1 + b2, b0 + b1 + b2 + b3,       \
            b0 + b1 + b2 + b3 + b4, b0 + b1 + b2 + b3 + b4 + b5, b0 + b1 + b2 + b3 + b4 + b5 + b6  \
    }
/* The rows of all masks that begin with these bits. */
#define BS_PLACES2(...) BS_PLACES(__VA_ARGS__, 0), BS_PLACES(__VA_ARGS__, 1)
#define BS_PLACES4(...) BS_PLACES2(__VA_ARGS__, 0), BS_PLACES2(__VA_ARGS__, 1)
#define BS_PLACES8(...) BS_PLACES4(__VA_ARGS__, 0), BS_PLACES4(__VA_ARGS__, 1)
#define BS_PLACES16(...) BS_PLACES8(__VA_ARGS__, 0), BS_PLACES8(__VA_ARGS__, 1)
#define BS_PLACES32(...) BS_PLACES16(__VA_ARGS__, 0), BS_PLACES16(__VA_ARGS__, 1)
#define BS_PLACES64(...) BS_PLACES32(__VA_ARGS__, 0), BS_PLACES32(__VA_ARGS__, 1)
#define BS_PLACES128(...) BS_PLACES64(__VA_ARGS__, 0), BS_PLACES64(__VA_ARGS__, 1)

static const uint8_t bs_places[256][8] = {BS_PLACES128(0), BS_PLACES128(1)};

#endif
