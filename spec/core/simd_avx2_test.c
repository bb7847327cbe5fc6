/*
 * simd_avx2_test.c: simd_test.h with AVX2. It does nothing if the compiler or the processor has no
 * AVX2.
 */
#include "simd/variant.h"

#if BS_HAS_AVX2_VARIANT

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))),                \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt")
#endif
#if !defined(__AVX2__)
#define __AVX2__ 1 /* clang: the attribute does not define it */
#endif

#include "broad/backends.h"
#include "simd_test.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

int main(void) {
    if (bs_backend_find("brute") != &bs_brute_type) {
        test_simd("AVX2");
    }
    return 0;
}

#else

int main(void) {
    return 0;
}

#endif
