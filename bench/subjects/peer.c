/* peer.c: memory for boxes that does not come from malloc, and lists of pairs that grow. */
#define _DEFAULT_SOURCE
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void give_up(void) {
    fprintf(stderr, "not enough memory\n");
    exit(1);
}

void *peer_alloc(size_t bytes) {
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        give_up();
    }
    return block;
}

void peer_free(void *block, size_t bytes) {
    munmap(block, bytes);
}

void peer_pairs_grow(peer_pairs *pairs) {
    pairs->cap = pairs->cap * 2 + 1024;
    pairs->at = realloc(pairs->at, pairs->cap * sizeof *pairs->at);
    if (pairs->at == NULL) {
        give_up();
    }
}

void peer_list_grow(peer_list *list) {
    list->cap = list->cap * 2 + 1024;
    list->at = realloc(list->at, list->cap * sizeof *list->at);
    if (list->at == NULL) {
        give_up();
    }
}
