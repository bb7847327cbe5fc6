/*
 * sweep_sort.c: sorting what is nearly sorted.
 *
 * Natural merge sort (Knuth, "The art of computer programming", volume 3, 5.2.4). Runs are made
 * longer by insertion sort, as far as none has to move by more than a few places: as a rule that
 * makes one run of all. Runs wait on a stack until they are to be merged, as in Tim Peters'
 * timsort, 2002, by a simpler rule.
 */
#include "sweep_parts.h"

/*
 * Makes the items from the first on a sorted run, as far as none has to move by more than a few
 * places, and returns its length: all of them if they were nearly sorted, which is the usual case.
 */
static size_t sweep_run(bs_sweep_item *item, size_t n) {
    enum { FEW = 16 };
    for (size_t i = 1; i < n; i++) {
        bs_sweep_item x = item[i];
        if (i > FEW && item[i - FEW].key > x.key) {
            return i;
        }
        size_t j = i;
        for (; j > 0 && item[j - 1].key > x.key; j--) {
            item[j] = item[j - 1];
        }
        item[j] = x;
        assert(j == 0 || item[j - 1].key <= x.key);
    }
    return n;
}

/* Merges two neighbouring runs; `spare` has room for the first. Stable. */
static void sweep_merge(bs_sweep_item *item, size_t first, size_t both, bs_sweep_item *spare) {
    assert(first > 0 && first < both);
    memcpy(spare, item, first * sizeof *item);
    const bs_sweep_item *a = spare;
    const bs_sweep_item *a_end = spare + first;
    const bs_sweep_item *b = item + first;
    const bs_sweep_item *b_end = item + both;
    while (a < a_end && b < b_end) {
        bool take_b = b->key < a->key;
        *item++ = *(take_b ? b : a);
        a += !take_b;
        b += take_b;
    }
    assert(item + (a_end - a) == b); /* what is left of a fills the gap */
    memcpy(item, a, (size_t)(a_end - a) * sizeof *item);
}

/*
 * Natural merge sort: O(n) if nearly sorted, O(n log n) at worst. Stable. The lengths of the runs
 * that wait on the stack at least halve from one to the next, so there are few.
 */
void bs_sweep_sort(bs_sweep_item *item, size_t n, bs_sweep_item *spare) {
    size_t start[66];
    int runs = 0;
    for (size_t at = 0; at < n;) {
        start[runs++] = at;
        at += sweep_run(item + at, n - at);
        while (runs > 1) {
            size_t first = start[runs - 1] - start[runs - 2];
            size_t last = at - start[runs - 1];
            if (at < n && first > 2 * last) {
                break;
            }
            sweep_merge(item + start[runs - 2], first, first + last, spare);
            runs--;
        }
        assert(runs < 65);
    }
    assert(runs == (n > 0));
}
