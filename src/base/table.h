/*
 * table.h: numbers by keys of 64 bits, in a hash table with linear probing, of which a half is
 * empty. It relies only on the host's memory (heap.h).
 */
#ifndef BS_TABLE_H
#define BS_TABLE_H

#include "heap.h"
#include "order.h"

#pragma GCC visibility push(hidden)

typedef struct bs_table {
    bs_keyed *at; /* A value of 0 is an empty place. */
    size_t cap;   /* The room in `at`. */
    size_t size;  /* How many places there are, a power of two; 0 if it is empty. */
} bs_table;

/* Makes room for n keys. False, and nothing has changed, if there is no memory. O(1), amortised */
bool bs_table_reserve(bs_heap *heap, bs_table *table, size_t n);
/*
 * The value of a key, or a 0 that becomes its value when the caller sets it; there must be room.
 * O(1), expected
 */
uint64_t *bs_table_value(const bs_table *table, uint64_t key);
/* Removes all keys, and keeps the memory. O(1) */
static inline void bs_table_clear(bs_table *table) {
    table->size = 0;
}
void bs_table_free(bs_heap *heap, bs_table *table);

#pragma GCC visibility pop

#endif
