/*
 * heap.h: the only place that asks the host for memory.
 *
 * The host passes a function with the signature of Lua's allocator. `used` counts the bytes held,
 * so leaks, and the cost of a world, can be measured. A request that fails leaves everything
 * unchanged.
 */
#ifndef BS_HEAP_H
#define BS_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadside/types.h"
#include "names.h"

#pragma GCC visibility push(hidden)

/* `n` zeroed bytes, or NULL. */
void *bs_heap_new(bs_heap *heap, size_t n);
void bs_heap_free(bs_heap *heap, void *block, size_t n);
/* Counts a block that another heap of this host has made as held by this one, too; or no more. */
void bs_heap_hold(bs_heap *heap, size_t n);
void bs_heap_let_go(bs_heap *heap, size_t n);

/*
 * Frees the room behind the first n elements. If the host cannot shrink the block, it stays as it
 * is.
 */
void bs_array_trim(bs_heap *heap, void *array, size_t *cap, size_t n, size_t size);

enum { BS_OVERRUN = 8 }; /* lanes that a vector store may write behind the last element */

/* These do the same as the functions below, when the room does not suffice. */
bool bs_list_grow(bs_heap *heap, bs_list *list, size_t extra);
bool bs_pairs_grow(bs_heap *heap, bs_pairs *pairs, size_t extra);

/*
 * Makes room for `extra` more elements, and for one store of eight lanes behind them: vector code
 * writes all lanes, and then counts those that it wants. Grows by half.
 */
static inline bool bs_list_reserve(bs_heap *heap, bs_list *list, size_t extra) {
    assert(list->n <= list->cap);
    size_t room = list->cap - list->n; /* not a sum, which might wrap around */
    return (room >= BS_OVERRUN && extra <= room - BS_OVERRUN) || bs_list_grow(heap, list, extra);
}

static inline bool bs_pairs_reserve(bs_heap *heap, bs_pairs *pairs, size_t extra) {
    assert(pairs->n <= pairs->cap);
    size_t room = pairs->cap - pairs->n; /* not a sum, which might wrap around */
    return (room >= BS_OVERRUN && extra <= room - BS_OVERRUN) || bs_pairs_grow(heap, pairs, extra);
}

/* Appends a box. False if there is no memory. */
static inline bool bs_list_add(bs_heap *heap, bs_list *list, uint32_t box) {
    if (!bs_list_reserve(heap, list, 1)) {
        return false;
    }
    list->at[list->n++] = box;
    return true;
}

#pragma GCC visibility pop

#endif
