/* births.c: see encode.h. */
#include "encode.h"

bool bs_births_list(bs_births *births, const bs_snapshot *s, bs_heap *heap) {
    const uint64_t *born = s->column[BS_BORN].at;
    const bs_touching *touching = s->column[BS_CONTACTS].at;
    const size_t contacts = s->column[BS_CONTACTS].n;
    size_t most = s->count + 2 * contacts;
    size_t all = 0;
    *births = (bs_births){NULL, 0, 0};
    if (!bs_array_reserve(heap, &births->at, &births->cap, 2 * most + 1, sizeof *births->at)) {
        return false;
    }
    assert(births->at != NULL);
    for (uint32_t i = 0; i < s->used; i++) {
        if (bs_snapshot_id(s, i) != 0) {
            assert(born != NULL);
            births->at[all++].key = born[i];
        }
    }
    for (size_t i = 0; i < contacts; i++) {
        assert(touching != NULL);
        births->at[all++].key = touching[i].born_a;
        births->at[all++].key = touching[i].born_b;
    }
    assert(all == most);
    for (size_t i = 0; i < all; i++) {
        births->at[i].value = 0;
    }
    bs_sort(births->at, births->at + all, all);
    for (size_t i = 0; i < all; i++) {
        if (births->n == 0 || births->at[births->n - 1].key != births->at[i].key) {
            births->at[births->n++] = births->at[i];
        }
    }
    return true;
}

uint32_t bs_rank_of(const bs_births *births, uint64_t born) {
    size_t lo = 0;
    size_t hi = births->n;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        *(births->at[middle].key <= born ? &lo : &hi) = middle;
    }
    assert(births->at[lo].key == born);
    return (uint32_t)lo;
}

void bs_births_free(bs_births *births, bs_heap *heap) {
    bs_array_free(heap, &births->at, &births->cap, sizeof *births->at);
}
