#include "parts.h"

static int compare(const bs_touching *x, const bs_touching *y) {
    if (x->born_a != y->born_a) {
        return x->born_a < y->born_a ? -1 : 1;
    }
    return x->born_b < y->born_b ? -1 : x->born_b > y->born_b;
}

/* w->keyed holds the indices of the pairs by the insertion of a, then of b. */
static void sort_pairs(bs_world *w, const bs_pairs *pairs) {
    assert(w->keyed_cap >= 2 * pairs->n);
    bs_keyed *scratch = w->keyed + pairs->n;
    for (size_t i = 0; i < pairs->n; i++) {
        w->keyed[i] = (bs_keyed){w->born[pairs->at[i].b], i};
    }
    bs_sort(w->keyed, scratch, pairs->n);
    for (size_t i = 0; i < pairs->n; i++) {
        assert(w->keyed[i].value < pairs->n);
        w->keyed[i].key = w->born[pairs->at[w->keyed[i].value].a];
    }
    bs_sort(w->keyed, scratch, pairs->n);
}

static void list_touching(bs_world *w, const bs_pairs *pairs, bs_touchings *out) {
    assert(out->cap >= pairs->n);
    for (size_t i = 0; i < pairs->n; i++) {
        bs_pair p = pairs->at[w->keyed[i].value];
        out->at[i] =
            (bs_touching){w->born[p.a], w->born[p.b], bs_world_id(w, p.a), bs_world_id(w, p.b)};
    }
    out->n = pairs->n;
}

/* Both lists are in the same order: one pass. */
static void compare_touching(const bs_touchings *before, const bs_touchings *now,
                             bs_contacts *out) {
    assert(out->cap >= before->n + now->n);
    size_t i = 0;
    size_t j = 0;
    out->n = 0;
    while (i < before->n || j < now->n) {
        int order = i == before->n ? 1 : j == now->n ? -1 : compare(&before->at[i], &now->at[j]);
        const bs_touching *pair = order < 0 ? &before->at[i] : &now->at[j];
        bs_phase phase = order < 0 ? BS_END : order > 0 ? BS_BEGIN : BS_STAY;
        out->at[out->n++] = (bs_contact){phase, pair->a, pair->b};
        i += order <= 0;
        j += order >= 0;
    }
    assert(i == before->n && j == now->n);
}

bs_status bs_world_contacts(bs_world *w, bs_contacts *out) {
    const bs_pairs *pairs;
    if (bs_world_pairs(w, &pairs) != BS_OK) {
        return BS_NO_MEMORY;
    }
    bs_touchings *now = &w->touched;
    if (!bs_keyed_reserve(w, pairs->n) ||
        !bs_array_reserve(&w->heap, &now->at, &now->cap, pairs->n, sizeof *now->at) ||
        !bs_array_reserve(&w->heap, &out->at, &out->cap, pairs->n + w->touching.n,
                          sizeof *out->at)) {
        return BS_NO_MEMORY;
    }
    sort_pairs(w, pairs);
    list_touching(w, pairs, now);
    compare_touching(&w->touching, now, out);
    bs_touchings swap = w->touching;
    w->touching = w->touched;
    w->touched = swap;
    return BS_OK;
}
