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
        const size_t end = first_from(w, (bs_listener){box + 1, 0});
        for (size_t i = first; i < end; i++) {
            bs_world_unmention(w, w->heard.at[i].pair);
        }
        resize(&w->heard, first, end - first, 0);
    }
}

static bs_pair pair_of(const bs_contact *contact) {
    return (bs_pair){bs_id_index(contact->a), bs_id_index(contact->b)};
}

void bs_heard_note(bs_world *w, bs_listener listener) {
    const bs_contact_list *told = &w->listened;
    size_t before, ends = 0;
    const size_t first = bs_heard_by(w, listener, &before);
    while (ends < told->n && told->at[ends].phase == BS_END) {
        bs_world_unmention(w, pair_of(&told->at[ends++]));
    }
    resize(&w->heard, first, before, told->n - ends);
    for (size_t i = ends; i < told->n; i++) {
        const bs_pair pair = pair_of(&told->at[i]);
        w->heard.at[first + i - ends] = (bs_heard){listener, pair};
        if (told->at[i].phase == BS_BEGIN) {
            bs_world_mention(w, pair);
        }
    }
}
