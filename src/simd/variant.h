/*
 * variant.h: says what vector code there is, and whether the back ends are compiled a second time,
 * for AVX2 (backends_avx2.c).
 *
 * They are not compiled twice by GCC for Windows, which does not align the stack for AVX (GCC bug
 * 54412). Nor with -DBS_BASELINE, which asks for the platform's own variant only, or with
 * -DBS_PLAIN, for no vector code.
 */
#ifndef BS_VARIANT_H
#define BS_VARIANT_H

/* The vector code that every processor of the platform can run. */
#if defined(__SSE2__) && !defined(BS_PLAIN)
#define BS_HAS_SSE2 1
#else
#define BS_HAS_SSE2 0
#endif
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(BS_PLAIN)
#define BS_HAS_NEON 1
#else
#define BS_HAS_NEON 0
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(BS_BASELINE) && !defined(BS_PLAIN) &&     \
    (!defined(_WIN32) || defined(__clang__))
#define BS_HAS_AVX2_VARIANT 1
#else
#define BS_HAS_AVX2_VARIANT 0
#endif

#endif
