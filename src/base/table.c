/* table.c: see table.h. Linear probing, at most half of the places taken. */
#include "table.h"

#include "bytes.h"

void bs_table_free(bs_table *t, bs_heap *heap) {
    bs_array_free(heap, &t->at, &t->cap, sizeof *t->at);
}

/* The place of the key, or of that where it would be. */
static bs_keyed *place_of(const bs_table *t, uint64_t key) {
    size_t i = (size_t)bs_hash((const unsigned char *)&key, sizeof key);
    while (t->at[i &= t->cap - 1].value != 0 && t->at[i].key != key) {
        i++;
    }
    return &t->at[i];
}

uint64_t bs_table_find(const bs_table *t, uint64_t key) {
    return t->n > 0 ? place_of(t, key)->value : 0;
}

static bool grow(bs_table *t, bs_heap *heap) {
    enum { FEW = 16 };
    bs_table more = {.cap = t->cap > 0 ? 2 * t->cap : FEW, .n = t->n};
    more.at = bs_heap_new(heap, more.cap * sizeof *more.at);
    if (more.at == NULL) {
        return false;
    }
    for (size_t i = 0; i < t->cap; i++) {
        if (t->at[i].value != 0) {
            *place_of(&more, t->at[i].key) = t->at[i];
        }
    }
    bs_table_free(t, heap);
    *t = more;
    return true;
}

bool bs_table_enter(bs_table *t, bs_heap *heap, uint64_t key, uint64_t value) {
    assert(value > 0);
    if (2 * t->n >= t->cap && !grow(t, heap)) {
        return false;
    }
    bs_keyed *place = place_of(t, key);
    t->n += place->value == 0;
    *place = (bs_keyed){key, value};
    return true;
}
