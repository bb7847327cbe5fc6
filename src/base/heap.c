/* heap.c: blocks and arrays of the host's memory. All memory of the library comes from here. */
#include "heap.h"

#include <assert.h>
#include <string.h>

/*
 * A block begins at a cache line, whatever the host's allocator does: a vector that crosses two
 * lines costs twice as much. The byte before a block holds its distance from the host's block.
 */
#ifdef BS_CHECKS
enum { ALIGN = 16 }; /* hosts align to this, so a sanitizer sees each byte beyond the end */
#else
enum { ALIGN = 64 };
#endif

static_assert((ALIGN & (ALIGN - 1)) == 0 && ALIGN <= UINT8_MAX, "the shift fits into a byte");

static void *resize(bs_heap *heap, void *block, size_t old_size, size_t new_size) {
    unsigned char *old = block;
    size_t old_shift = old != NULL ? old[-1] : 0;
    size_t old_whole = old != NULL ? old_size + ALIGN : 0;
    size_t new_whole = new_size > 0 ? new_size + ALIGN : 0;
    assert(heap->used >= old_whole && new_whole >= new_size);
    assert(old == NULL || (old_shift > 0 && old_shift <= ALIGN && old_size > 0));
    unsigned char *moved =
        heap->resize(heap->host, old != NULL ? old - old_shift : NULL, old_whole, new_whole);
    if (moved == NULL && new_size > 0) {
        return NULL;
    }
    heap->used += new_whole - old_whole;
    if (moved == NULL) {
        return NULL;
    }
    size_t shift = ALIGN - (uintptr_t)moved % ALIGN;
    assert(shift > 0 && shift <= ALIGN && new_size > 0);
    if (old != NULL && shift != old_shift) {
        memmove(moved + shift, moved + old_shift, old_size < new_size ? old_size : new_size);
    }
    moved[shift - 1] = (unsigned char)shift;
    return moved + shift;
}

void *bs_heap_new(bs_heap *heap, size_t n) {
    assert(n > 0);
    void *block = resize(heap, NULL, 0, n);
    if (block != NULL) {
        memset(block, 0, n);
    }
    return block;
}

void bs_heap_free(bs_heap *heap, void *block, size_t n) {
    if (block != NULL) {
        resize(heap, block, n, 0);
    }
}

void bs_heap_hold(bs_heap *heap, size_t n) {
    heap->used += n + ALIGN;
}

void bs_heap_let_go(bs_heap *heap, size_t n) {
    assert(heap->used >= n + ALIGN);
    heap->used -= n + ALIGN;
}

/* Reads and writes the array's pointer as bytes, because its type is not void *. */
static bool array_set(bs_heap *heap, void *array, size_t *cap, size_t new_cap, size_t size) {
    assert(size > 0 && new_cap != *cap);
    void *block;
    memcpy(&block, array, sizeof block);
    assert((block == NULL) == (*cap == 0));
    if (new_cap > SIZE_MAX / 2 / size) {
        return false;
    }
    void *moved = resize(heap, block, *cap * size, new_cap * size);
    if (moved == NULL && new_cap > 0) {
        return false;
    }
    memcpy(array, &moved, sizeof moved);
    *cap = new_cap;
    return true;
}

bool bs_array_grow(bs_heap *heap, void *array, size_t *cap, size_t need, size_t size) {
    size_t roomy = *cap + *cap / 8 + 16;
    assert(need > *cap && roomy > *cap);
    return array_set(heap, array, cap, need > roomy ? need : roomy, size);
}

bool bs_array_widen(bs_heap *heap, void *array, size_t *cap, size_t need, size_t size) {
    size_t roomy = *cap + *cap / 2 + 16;
    assert(need > *cap && roomy > *cap);
    return array_set(heap, array, cap, need > roomy ? need : roomy, size);
}

void bs_array_trim(bs_heap *heap, void *array, size_t *cap, size_t n, size_t size) {
    if (n < *cap) {
        (void)array_set(heap, array, cap, n, size);
    }
}

void bs_array_free(bs_heap *heap, void *array, size_t *cap, size_t size) {
    if (*cap > 0) {
        array_set(heap, array, cap, 0, size);
    }
}

void bs_list_free(bs_heap *heap, bs_list *list) {
    bs_array_free(heap, &list->at, &list->cap, sizeof *list->at);
    list->n = 0;
}
