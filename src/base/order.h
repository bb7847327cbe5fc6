/* order.h: sorting by 64-bit keys. */
#ifndef BS_ORDER_H
#define BS_ORDER_H

#include "names.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC visibility push(hidden)

typedef struct bs_keyed {
    uint64_t key;
    uint64_t value;
} bs_keyed;

/*
 * Sorts by key; equal keys keep their order. `scratch` has room for n items. Few items take
 * insertion sort, more take radix sort over the bytes that differ: O(n) for each of these bytes.
 */
void bs_sort(bs_keyed *items, bs_keyed *scratch, size_t n);

/*
 * Puts the k items with the lowest keys first, in the order of bs_sort. The items behind them are
 * lost.
 */
void bs_sort_first(bs_keyed *items, bs_keyed *scratch, size_t n, size_t k);

/*
 * Converts a double >= 0 into a key with the same order: the bits of IEEE doubles are ordered like
 * integers.
 */
static inline uint64_t bs_key_of(double x) {
    uint64_t bits;
    static_assert(sizeof bits == sizeof x, "all bits of a double");
    assert(x >= 0);
    x += 0; /* so that -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The same for any double that is a number. */
static inline uint64_t bs_key_of_any(double x) {
    uint64_t bits;
    x += 0; /* so that -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | 1ull << 63;
}

#pragma GCC visibility pop

#endif
