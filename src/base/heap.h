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

/* As bs_array_grow, but by half: a list changes at each call, and rarely grows. */
bool bs_array_widen(bs_heap *heap, void *array, size_t *cap, size_t need, size_t size);

/*
 * Makes room for `extra` more elements, and for one store of eight lanes behind them: vector code
 * writes all lanes, and then counts those that it wants.
 */
static inline bool bs_list_reserve(bs_heap *heap, bs_list *list, size_t extra) {
    size_t need = list->n + extra + BS_OVERRUN;
    assert(list->n <= list->cap && need > extra); /* It has not wrapped around. */
    return need <= list->cap || bs_array_widen(heap, &list->at, &list->cap, need, sizeof *list->at);
}

static inline bool bs_pairs_reserve(bs_heap *heap, bs_pairs *pairs, size_t extra) {
    size_t need = pairs->n + extra + BS_OVERRUN;
    assert(pairs->n <= pairs->cap && need > extra); /* It has not wrapped around. */
    return need <= pairs->cap ||
           bs_array_widen(heap, &pairs->at, &pairs->cap, need, sizeof *pairs->at);
}

/* Appends a box. False if there is no memory. */
static inline bool bs_list_add(bs_heap *heap, bs_list *list, uint32_t box) {
    if (!bs_list_reserve(heap, list, 1)) {
        return false;
    }
    list->at[list->n++] = box;
    return true;
}

/* Makes room for so many elements in a list of any type. False if there is no memory. */
#define BS_RESERVE(heap, list, need)                                                               \
    bs_array_reserve(heap, &(list)->at, &(list)->cap, need, sizeof *(list)->at)
/* Appends an element to it. */
#define BS_APPEND(heap, list, ...)                                                                 \
    (BS_RESERVE(heap, list, (list)->n + 1) && ((list)->at[(list)->n++] = (__VA_ARGS__), true))

#pragma GCC visibility pop

#endif
