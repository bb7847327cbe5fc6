/* table.c: a hash table of numbers. It does not count its keys: the caller knows how many. */
#include "table.h"

#include <string.h>

enum { LEAST = 32 };

uint64_t *bs_table_value(const bs_table *table, uint64_t key) {
    assert(table->size > 0);
    const size_t mask = table->size - 1;
    /* Fibonacci hashing: Knuth, "The Art of Computer Programming", 6.4. */
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (table->at[i].value != 0 && table->at[i].key != key) {
        i = (i + 1) & mask;
    }
    table->at[i].key = key;
    return &table->at[i].value;
}

/* The old places become a list behind the new ones, from which their keys are put back. */
bool bs_table_reserve(bs_heap *heap, bs_table *table, size_t n) {
    size_t old = table->size;
    size_t size = old > 0 ? old : LEAST;
    while (size < 2 * n) {
        size *= 2;
    }
    if (size == old) {
        return true;
    }
    if (!bs_array_reserve(heap, &table->at, &table->cap, size + old, sizeof *table->at)) {
        return false;
    }
    bs_keyed *keys = table->at + size;
    memmove(keys, table->at, old * sizeof *keys);
    memset(table->at, 0, size * sizeof *keys);
    table->size = size;
    for (size_t i = 0; i < old; i++) {
        if (keys[i].value != 0) {
            *bs_table_value(table, keys[i].key) = keys[i].value;
        }
    }
    return true;
}

void bs_table_free(bs_heap *heap, bs_table *table) {
    bs_array_free(heap, &table->at, &table->cap, sizeof *table->at);
    table->size = 0;
}
