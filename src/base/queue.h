/*
 * queue.h: priority queues in arrays: binary heaps, in which none comes before the first. It relies
 * on nothing.
 *
 * BS_QUEUE(name, type, context, comes_first) makes the functions of a queue of that type, whose
 * order is comes_first(context, a, b):
 *
 *      name_sink(context, queue, n, at)    an element goes down, until none below it comes first
 *      name_order(context, queue, n)       orders n elements
 *      name_rise(context, queue, at)       the last one, at `at`, goes up to its place
 *      name_pop(context, queue, &n)        removes the first one, and returns it
 */
#ifndef BS_QUEUE_H
#define BS_QUEUE_H

#include <assert.h>
#include <stddef.h>

#define BS_QUEUE(name, type, context, comes_first)                                                 \
    static void name##_sink(context c, type *queue, size_t n, size_t at) {                         \
        const type x = queue[at];                                                                  \
        for (size_t child; (child = 2 * at + 1) < n; at = child) {                                 \
            child += child + 1 < n && comes_first(c, &queue[child + 1], &queue[child]);            \
            if (!comes_first(c, &queue[child], &x)) {                                              \
                break;                                                                             \
            }                                                                                      \
            queue[at] = queue[child];                                                              \
        }                                                                                          \
        queue[at] = x;                                                                             \
    }                                                                                              \
    static void name##_order(context c, type *queue, size_t n) {                                   \
        for (size_t i = n / 2; i-- > 0;) {                                                         \
            name##_sink(c, queue, n, i);                                                           \
        }                                                                                          \
    }                                                                                              \
    static void name##_rise(context c, type *queue, size_t at) {                                   \
        const type x = queue[at];                                                                  \
        for (; at > 0 && comes_first(c, &x, &queue[(at - 1) / 2]); at = (at - 1) / 2) {            \
            queue[at] = queue[(at - 1) / 2];                                                       \
        }                                                                                          \
        queue[at] = x;                                                                             \
    }                                                                                              \
    static type name##_pop(context c, type *queue, size_t *n) {                                    \
        assert(*n > 0);                                                                            \
        const type first = queue[0];                                                               \
        queue[0] = queue[--*n];                                                                    \
        if (*n > 1) {                                                                              \
            name##_sink(c, queue, *n, 0);                                                          \
        }                                                                                          \
        return first;                                                                              \
    }

#endif
