/* limited_memory.h: an allocator for tests, which can be made to run out of memory. */
#ifndef LIMITED_MEMORY_H
#define LIMITED_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* `left` requests succeed, and all later ones fail. If it is below 0, none fails. */
typedef struct limited_memory {
    long left;
} limited_memory;

/* A bs_realloc whose host is a limited_memory. */
static inline void *limited_resize(void *host, void *block, size_t old_size, size_t new_size) {
    limited_memory *m = host;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (m->left == 0) {
        return NULL;
    }
    m->left -= m->left > 0;
    return realloc(block, new_size);
}

#endif
