/*
 * heard.c: what listeners remember (motion/listen.c). It is one list, sorted by listener, which
 * snapshots hold. Mostly as many contacts of a listener are there as before, and nothing is moved.
 */
#include "world_parts.h"

#include <string.h>

/* The first item that is not of a listener before this one. */
static size_t first_from(const bs_world *w, bs_listener listener) {
    size_t low = 0;
    for (size_t high = w->heard.n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (bs_listener_before(w->heard.at[middle].by, listener)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t bs_heard_by(const bs_world *w, bs_listener listener, size_t *n) {
    const size_t first = first_from(w, listener);
    size_t end = first;
    while (end < w->heard.n && !bs_listener_before(listener, w->heard.at[end].by)) {
        end++;
    }
    *n = end - first;
    return first;
}

/* Makes n items out of `before` ones at `first`; there is room. */
static void resize(bs_heards *heard, size_t first, size_t before, size_t n) {
    const size_t behind = heard->n - first - before;
    assert(first + before <= heard->n && first + n + behind <= heard->cap);
    if (behind > 0 && n != before) {
        memmove(&heard->at[first + n], &heard->at[first + before], behind * sizeof *heard->at);
    }
    heard->n = first + n + behind;
}

void bs_heard_forget(bs_world *w, bs_id box) {
    if (w->heard.n > 0) {
        const size_t first = first_from(w, (bs_listener){box, 0});
        resize(&w->heard, first, first_from(w, (bs_listener){box + 1, 0}) - first, 0);
    }
}

void bs_world_listened(bs_world *w, bs_listener listener) {
    const bs_contact_list *told = &w->listened;
    size_t before, ends = 0;
    const size_t first = bs_heard_by(w, listener, &before);
    while (ends < told->n && told->at[ends].phase == BS_END) {
        ends++;
    }
    resize(&w->heard, first, before, told->n - ends);
    for (size_t i = ends; i < told->n; i++) {
        w->heard.at[first + i - ends] = (bs_heard){listener, told->at[i].a, told->at[i].b};
    }
}

/* --- boxes that are gone -------------------------------------------------------------------- */

/* Adds the ids of the two that are gone. */
static void add_gone(const bs_world *w, bs_keyed *keyed, size_t *n, bs_id a, bs_id b) {
    const bs_id ids[] = {a, b};
    uint32_t box;
    for (int k = 0; k < 2; k++) {
        keyed[*n].key = ids[k];
        *n += bs_world_find(w, ids[k], &box) != BS_FOUND;
    }
}

/* There is room for two ids of each contact. Returns how many ids there are. */
static size_t gather_gone(const bs_world *w, const bs_listener *except, bs_keyed *keyed) {
    size_t n = 0;
    for (size_t i = 0; except != NULL && i < w->touching.n; i++) {
        const bs_pair pair = w->touching.at[i];
        add_gone(w, keyed, &n, w->told[pair.a].id, w->told[pair.b].id);
    }
    for (size_t i = 0; i < w->heard.n; i++) {
        const bs_heard *heard = &w->heard.at[i];
        if (except == NULL || heard->by.who != except->who || heard->by.mask != except->mask) {
            add_gone(w, keyed, &n, heard->a, heard->b);
        }
    }
    return n;
}

bs_status bs_world_list_gone(bs_world *w, const bs_listener *except, const bs_id_list **out) {
    bs_id_list *list = &w->gone_ids;
    const size_t most = 2 * (w->heard.n + (except != NULL ? w->touching.n : 0));
    bs_keyed *keyed = bs_world_keyed(w, most + 1);
    if (keyed == NULL) {
        return BS_NO_MEMORY;
    }
    const size_t n = gather_gone(w, except, keyed);
    if (!BS_RESERVE(&w->heap, list, n)) {
        return BS_NO_MEMORY;
    }
    bs_sort(keyed, keyed + most + 1, n);
    for (size_t i = 0; i < n; i++) {
        list->at[i] = keyed[i].key;
    }
    list->n = n;
    *out = list;
    return BS_OK;
}
