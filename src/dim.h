/* dim.h: the number of axes, 2 or 3. Every core file is compiled once for each. */
#ifndef BS_DIM_H
#define BS_DIM_H

#include <float.h>

#if !defined(DIM) || (DIM != 2 && DIM != 3)
#error "compile with -DDIM=2 or -DDIM=3"
#endif

/*
 * Answers are what IEEE arithmetic says, each operation rounded once. A fused multiply-add would
 * change them, so it is switched off here as well: a build that forgets -ffp-contract=off (LuaRocks
 * chooses its own flags) still gives the same answers.
 */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang fp reassociate(off)
#elif defined(__GNUC__) && (defined(__FMA__) || !(defined(__x86_64__) || defined(__i386__)))
#pragma GCC optimize("fp-contract=off")
#endif

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "broadside needs IEEE arithmetic: do not compile it with -ffast-math or a part of that"
#endif

/* GCC tells so of the parts that have no macro of their own, such as -freciprocal-math. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error "broadside needs IEEE arithmetic: no -funsafe-math-optimizations, nor a part of that"
#endif

/* Nor may numbers be kept in wider registers, as they are on 32-bit x86 without SSE2. */
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error "broadside needs doubles that are doubles: compile it with -msse2 -mfpmath=sse"
#endif

#endif
