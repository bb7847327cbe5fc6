/* order.c: sorts items by keys, stably. The caller provides the memory. */
#include "order.h"

#include <assert.h>

enum { FEW = 32, DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, BUCKETS = 1 << DIGIT_BITS };

static_assert(DIGITS * DIGIT_BITS == 64, "the digits are all of a key");

/*
 * Inserts each item into the first k, where it belongs. Items that are pushed behind these are
 * lost.
 */
static void insertion_sort(bs_keyed *items, size_t n, size_t k) {
    assert(k <= FEW);
    for (size_t i = 1; i < n; i++) {
        bs_keyed item = items[i];
        size_t j = i < k ? i : k;
        for (; j > 0 && items[j - 1].key > item.key; j--) {
            items[j] = items[j - 1];
        }
        items[j] = item;
        assert(j == 0 || items[j - 1].key <= items[j].key);
    }
}

static size_t digit(uint64_t key, int d) {
    return (size_t)(key >> d * DIGIT_BITS) & (BUCKETS - 1);
}

/* One stable pass of radix sort, from `from` to `to`, by digit d. */
static void radix_pass(const bs_keyed *from, bs_keyed *to, size_t n, int d) {
    assert(from != to && d >= 0 && d < DIGITS);
    size_t start[BUCKETS] = {0};
    for (size_t i = 0; i < n; i++) {
        start[digit(from[i].key, d)]++;
    }
    size_t sum = 0;
    for (size_t b = 0; b < BUCKETS; b++) {
        size_t count = start[b];
        start[b] = sum;
        sum += count;
    }
    assert(sum == n);
    for (size_t i = 0; i < n; i++) {
        to[start[digit(from[i].key, d)]++] = from[i];
    }
}

static void radix_sort(bs_keyed *items, bs_keyed *scratch, size_t n) {
    uint64_t differing = 0;
    for (size_t i = 1; i < n; i++) {
        differing |= items[i].key ^ items[0].key;
    }
    assert(scratch != NULL);
    bs_keyed *from = items;
    bs_keyed *to = scratch;
    for (int d = 0; d < DIGITS; d++) {
        if (digit(differing, d) != 0) {
            radix_pass(from, to, n, d);
            bs_keyed *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != items) {
        memcpy(items, from, n * sizeof *items);
    }
}

void bs_sort_first(bs_keyed *items, bs_keyed *scratch, size_t n, size_t k) {
    assert(k <= n);
    if (k <= FEW) {
        insertion_sort(items, n, k);
    } else {
        radix_sort(items, scratch, n);
    }
}

void bs_sort(bs_keyed *items, bs_keyed *scratch, size_t n) {
    bs_sort_first(items, scratch, n, n);
}
