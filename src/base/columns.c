/* columns.c: makes, copies, shrinks and frees arrays that stand in tables. */
#include "columns.h"

#include <string.h>

static void *field(void *owner, size_t offset) {
    return (char *)owner + offset;
}

/* Where its elements begin. */
static char *elements(const void *owner, const bs_column *c) {
    char *at;
    memcpy(&at, (const char *)owner + c->at, sizeof at);
    return at;
}

size_t bs_column_room(const void *owner, const bs_column *c) {
    size_t room;
    memcpy(&room, (const char *)owner + c->cap, sizeof room);
    return room;
}

void bs_column_fill(void *owner, const bs_column *c, size_t begin, size_t end) {
    for (size_t i = begin; c->usual != NULL && i < end; i++) {
        memcpy(elements(owner, c) + i * c->size, c->usual, c->size);
    }
}

bool bs_column_reserve(bs_heap *heap, void *owner, const bs_column *c, size_t need) {
    size_t room = bs_column_room(owner, c);
    bool done = bs_array_reserve(heap, field(owner, c->at), field(owner, c->cap), need, c->size);
    bs_column_fill(owner, c, room, bs_column_room(owner, c));
    return done;
}

void bs_column_copy(void *to, size_t at, const void *from, size_t first, size_t n,
                    const bs_column *c) {
    if (n > 0) { /* Otherwise there may be no array. */
        memcpy(elements(to, c) + at * c->size, elements(from, c) + first * c->size, n * c->size);
    }
}

void bs_column_trim(bs_heap *heap, void *owner, const bs_column *c, size_t n) {
    bs_array_trim(heap, field(owner, c->at), field(owner, c->cap), n, c->size);
}

void bs_column_free(bs_heap *heap, void *owner, const bs_column *c) {
    bs_array_free(heap, field(owner, c->at), field(owner, c->cap), c->size);
}

size_t bs_column_length(const void *owner, const bs_column *c) {
    size_t n = 0;
    if (c->n > 0) {
        memcpy(&n, (const char *)owner + c->n, sizeof n);
    }
    return n;
}

void bs_column_free_all(bs_heap *heap, void *owner, const bs_column *columns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bs_column_free(heap, owner, &columns[i]);
    }
}
