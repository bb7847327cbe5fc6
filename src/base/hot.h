/* hot.h: how functions are compiled that are worth it. It relies on GCC and Clang. */
#ifndef BS_HOT_H
#define BS_HOT_H

/*
 * A part of a hot loop: a call would take as long as its body. Also for a function that only
 * fetches memory: GCC removes calls that change nothing.
 */
#define BS_HOT static inline __attribute__((always_inline))
/*
 * A hot function that each query calls: it begins at a cache line. How its branches lie in these
 * lines is worth a tenth of its time, and must not depend on the function before it.
 */
#define BS_LINED __attribute__((aligned(64)))
/* What a hot function rarely needs: it is kept out of the way. */
#define BS_COLD static __attribute__((noinline, unused))

#endif
