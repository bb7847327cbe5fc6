/*
 * backends_avx2.c: the back ends, compiled for processors with AVX2.
 *
 * The pragmas apply to all that follows, so they stand before any other header, and this file needs
 * no compiler flags of its own. FMA is not asked for: it would change answers.
 */
#include "simd/variant.h"

#if BS_HAS_AVX2_VARIANT

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))),                \
                             apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt")
#endif
#if !defined(__AVX2__)
#define __AVX2__ 1 /* Clang: the attribute does not define it. */
#endif

#define BS_VARIANT(name) name##_avx2

#include "backends_all.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else
typedef int bs_no_avx2_variant; /* A translation unit must not be empty. */
#endif
