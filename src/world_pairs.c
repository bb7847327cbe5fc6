#include "world_parts.h"

/* --- pairs ---------------------------------------------------------------------------------- */

static bool may_meet(const bs_world *w, bs_pair pair) {
    bs_layers a = w->layers[pair.a];
    bs_layers b = w->layers[pair.b];
    return (a.mask & b.layer) != 0 && (b.mask & a.layer) != 0;
}

/* Branch-free: each is written, and counted if it is meant. */
static void keep_those_that_may_meet(bs_world *w) {
    bs_pair *to = w->pairs.at;
    for (size_t i = 0; i < w->pairs.n; i++) {
        bs_pair pair = w->pairs.at[i];
        *to = pair;
        to += may_meet(w, pair);
    }
    w->pairs.n = (size_t)(to - w->pairs.at);
}

/* Back ends put the lower index first. That is the older box until an index was used again. */
static void put_older_first(bs_world *w) {
    for (size_t i = 0; i < w->pairs.n; i++) {
        bs_pair pair = w->pairs.at[i];
        if (w->born[pair.a] > w->born[pair.b]) {
            w->pairs.at[i] = (bs_pair){pair.b, pair.a};
        }
    }
}

bs_status bs_world_pairs(bs_world *w, const bs_pairs **out) {
    bs_world_examine(w);
    if (!w->pairs_kept) {
        bs_backend *moving = w->part[BS_DYNAMIC];
        bs_backend *fixed = w->part[BS_STATIC];
        w->pairs.n = 0;
        if (!moving->type->pairs(moving, &w->pairs)) {
            return BS_NO_MEMORY;
        }
        if (moving->count > 0 && fixed->count > 0 && !bs_backend_cross(moving, fixed, &w->pairs)) {
            return BS_NO_MEMORY;
        }
        if (w->layered > 0) {
            keep_those_that_may_meet(w);
        }
        if (w->recycled) {
            put_older_first(w);
        }
        w->pairs_kept = true;
    }
    *out = &w->pairs;
    return BS_OK;
}

/* --- contacts ------------------------------------------------------------------------------- */

static int compare(const bs_touching *x, const bs_touching *y) {
    if (x->born_a != y->born_a) {
        return x->born_a < y->born_a ? -1 : 1;
    }
    return x->born_b < y->born_b ? -1 : x->born_b > y->born_b;
}

/* w->keyed holds the indices of the pairs by the insertion of a, then of b. */
static void sort_pairs(bs_world *w, const bs_pairs *pairs) {
    bs_keyed *scratch = w->keyed + pairs->n;
    for (size_t i = 0; i < pairs->n; i++) {
        w->keyed[i] = (bs_keyed){w->born[pairs->at[i].b], i};
    }
    bs_sort(w->keyed, scratch, pairs->n);
    for (size_t i = 0; i < pairs->n; i++) {
        w->keyed[i].key = w->born[pairs->at[w->keyed[i].value].a];
    }
    bs_sort(w->keyed, scratch, pairs->n);
}

static void list_touching(bs_world *w, const bs_pairs *pairs, bs_touchings *out) {
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
