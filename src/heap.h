/*
 * heap.h: the one place that asks the host for memory.
 *
 * The host passes a function shaped like Lua's allocator. `used` counts the bytes held, so that a
 * leak, and what a world costs, can be seen. A request that fails leaves everything as it was.
 */
#ifndef BS_HEAP_H
#define BS_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* new_size 0 frees (and cannot fail); otherwise NULL means that there is no memory. */
typedef void *(*bs_realloc)(void *host, void *block, size_t old_size, size_t new_size);

typedef struct bs_heap {
    bs_realloc resize;
    void *host;
    size_t used;
} bs_heap;

/* `n` zeroed bytes, or NULL. */
void *bs_heap_new(bs_heap *heap, size_t n);
void bs_heap_free(bs_heap *heap, void *block, size_t n);

/*
 * Makes the array that the pointer at `array` points to hold at least `need` elements of `size`
 * bytes; *cap is its present capacity. Grows by an eighth: arrays that live for long must not
 * waste half of their memory. False: no memory, nothing changed.
 */
bool bs_array_grow(bs_heap *heap, void *array, size_t *cap, size_t need, size_t size);
static inline bool bs_array_reserve(bs_heap *heap, void *array, size_t *cap, size_t need,
                                    size_t size) {
    return need <= *cap || bs_array_grow(heap, array, cap, need, size);
}

/*
 * Gives back what lies behind the first n elements. A host that cannot make a block smaller keeps
 * it as it is.
 */
void bs_array_trim(bs_heap *heap, void *array, size_t *cap, size_t n, size_t size);

/* Frees the array and sets the pointer to NULL and *cap to 0. */
void bs_array_free(bs_heap *heap, void *array, size_t *cap, size_t size);

/* A list of boxes. */
typedef struct bs_list {
    uint32_t *at;
    size_t n;
    size_t cap;
} bs_list;

typedef struct bs_pair {
    uint32_t a;
    uint32_t b;
} bs_pair;

/* A list of pairs of boxes. */
typedef struct bs_pairs {
    bs_pair *at;
    size_t n;
    size_t cap;
} bs_pairs;

enum { BS_OVERRUN = 8 }; /* lanes that a vector store may write behind the last element */

/* As the functions below, where there is not enough room. */
bool bs_list_grow(bs_heap *heap, bs_list *list, size_t extra);
bool bs_pairs_grow(bs_heap *heap, bs_pairs *pairs, size_t extra);

/*
 * Room for `extra` more elements and, behind them, for one store of eight lanes that may run over:
 * vector code writes all lanes and then counts those that are meant. Grows by half.
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

void bs_list_free(bs_heap *heap, bs_list *list);
void bs_pairs_free(bs_heap *heap, bs_pairs *pairs);

/* Appends one. False: no memory. */
static inline bool bs_list_add(bs_heap *heap, bs_list *list, uint32_t box) {
    if (!bs_list_reserve(heap, list, 1)) {
        return false;
    }
    list->at[list->n++] = box;
    return true;
}

#pragma GCC visibility pop

#endif
