/* table.h: numbers by keys, in a hash table with open addressing. */
#ifndef BS_TABLE_H
#define BS_TABLE_H

#include "heap.h"
#include "order.h"

#pragma GCC visibility push(hidden)

/* All zero: an empty one. */
typedef struct bs_table {
    bs_keyed *at; /* value 0: nothing */
    size_t cap;   /* a power of two, or 0 */
    size_t n;
} bs_table;

void bs_table_free(bs_table *t, bs_heap *heap);
/* The number under that key; 0: none. O(1) */
uint64_t bs_table_find(const bs_table *t, uint64_t key);
/* Puts a number above 0 under that key. False: no memory, and nothing has changed. O(1) */
bool bs_table_enter(bs_table *t, bs_heap *heap, uint64_t key, uint64_t value);

#pragma GCC visibility pop

#endif
