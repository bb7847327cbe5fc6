/*
 * snapshot.c: worlds as they were: taking them, and going back. A world and a snapshot of it have
 * the same columns (columns.c).
 */
#include "world_parts.h"

#include <string.h>

/* --- making and ending ---------------------------------------------------------------------- */

bs_snapshot *bs_snapshot_new(bs_realloc resize, void *host) {
    bs_heap heap = {resize, host, 0};
    bs_snapshot *s = bs_heap_new(&heap, sizeof *s);
    if (s != NULL) {
        s->world.heap = heap;
    }
    return s;
}

void bs_snapshot_free(bs_snapshot *s) {
    bs_shapes_free(&s->world);
    bs_columns_free(&s->world);
    bs_heap last = s->world.heap;
    bs_heap_free(&last, s, sizeof *s);
    assert(last.used == 0); /* nothing leaked */
}

size_t bs_snapshot_memory(const bs_snapshot *s) {
    return s->world.heap.used;
}

uint32_t bs_snapshot_count(const bs_snapshot *s) {
    return s->world.state.count;
}

uint32_t bs_snapshot_indices(const bs_snapshot *s) {
    return s->world.ids.used;
}

bs_id bs_snapshot_id(const bs_snapshot *s, uint32_t index) {
    return bs_world_id_at(&s->world, index);
}

uint32_t bs_snapshot_change(const bs_snapshot *s, const bs_world *w, uint32_t from) {
    const bs_world *then = &s->world;
    const uint32_t all = w->ids.used > then->ids.used ? w->ids.used : then->ids.used;
    uint32_t i = from;
    while (i < all && bs_world_id_at(then, i) == bs_world_id_at(w, i) &&
           bs_world_alive(then, i) == bs_world_alive(w, i)) {
        i++;
    }
    return i;
}

/* --- taking --------------------------------------------------------------------------------- */

/* Flags that belong to the list of pairs. The others are state. */
enum { OF_PAIRS = BS_CHANGED | BS_RESTLESS };

bs_status bs_snapshot_take(bs_snapshot *s, const bs_world *w) {
    if (!bs_state_reserve(&s->world, w)) {
        return BS_NO_MEMORY;
    }
    bs_state_copy(&s->world, w);
    uint8_t *flags = s->world.flags;
    const uint8_t *now = w->flags;
    for (size_t i = 0, n = w->ids.used; i < n; i++) {
        flags[i] = now[i] & (uint8_t)~OF_PAIRS;
    }
    if (w->state.count > 0) {
        memcpy(s->world.rect, w->rect, bs_world_span(w) * sizeof *w->rect);
    }
    return BS_OK;
}

/* --- going back ----------------------------------------------------------------------------- */

/* The part of a world, now or then, in which the box at that index is. */
static int part_of(const bs_world *w, uint32_t index) {
    static const int parts[] = {BS_NOWHERE, BS_DYNAMIC, BS_NOWHERE, BS_STATIC};
    return index < w->ids.used ? parts[w->flags[index] & BS_SET_BITS] : BS_NOWHERE;
}

/* All memory that going back takes. */
static bool reserve(bs_world *w, const bs_world *then) {
    const size_t all = w->ids.used > then->ids.used ? w->ids.used : then->ids.used;
    w->differing.n = 0;
    return bs_state_reserve(w, then) && bs_list_reserve(&w->heap, &w->differing, all);
}

/* The shape that a box was given, or NULL. */
static const bs_kept_shape *given_shape(const bs_world *w, uint32_t box) {
    return bs_has_shape(w, box) ? w->shape[box].given : NULL;
}

/* Whether a box that is there, now and then, had another place, shape, age or other layers. */
static bool has_changed(const bs_world *w, const bs_world *then, uint32_t i) {
    return memcmp(&w->rect[i], &then->rect[i], sizeof *w->rect) != 0 ||
           memcmp(&w->layers[i], &then->layers[i], sizeof *w->layers) != 0 ||
           w->born[i] != then->born[i] || given_shape(w, i) != given_shape(then, i);
}

/* Lists all boxes whose pairs may be others than they were then. */
static void list_differing(const bs_world *w, const bs_world *then, bs_list *list) {
    const uint32_t both = w->ids.used < then->ids.used ? w->ids.used : then->ids.used;
    for (uint32_t i = 0; i < both; i++) {
        unsigned others = (then->flags[i] ^ w->flags[i]) & (BS_ALIVE | BS_IS_STATIC);
        if (others != 0 || ((then->flags[i] & BS_ALIVE) != 0 && has_changed(w, then, i))) {
            list->at[list->n++] = i;
        }
    }
    for (uint32_t i = both; i < w->ids.used || i < then->ids.used; i++) {
        if (part_of(w, i) != part_of(then, i)) {
            list->at[list->n++] = i;
        }
    }
}

/* Back ends learn that a box goes to where it was. */
static void note_return(bs_world *w, const bs_world *then, uint32_t i) {
    const int from = part_of(w, i);
    const int to = part_of(then, i);
    if (from == to && to != BS_NOWHERE) {
        bs_backend_moved(w->part[to], &i, 1);
        return;
    }
    if (from != BS_NOWHERE) {
        bs_backend_left(w->part[from], i);
    }
    if (to != BS_NOWHERE) {
        bs_backend_came(w->part[to], i);
    }
}

/* The world has the indices of now and of then: nothing can fail from here on. */
static void extend_indices(bs_world *w, const bs_world *then) {
    w->peak = w->peak > w->ids.used ? w->peak : w->ids.used;
    for (; w->ids.used < then->ids.used; w->ids.used++) {
        w->flags[w->ids.used] = BS_RESTLESS;
    }
}

/* It has those of then; lists of pairs forget all beyond. */
static void set_flags(bs_world *w, const bs_world *then) {
    for (uint32_t i = 0; i < then->ids.used; i++) {
        w->flags[i] = (uint8_t)((w->flags[i] & OF_PAIRS) | then->flags[i]);
    }
    for (uint32_t i = then->ids.used; i < w->ids.used; i++) {
        w->flags[i] &= OF_PAIRS;
    }
    bs_world_forget_beyond(w, then->ids.used);
}

bs_status bs_world_restore(bs_world *w, const bs_snapshot *s) {
    const bs_world *then = &s->world;
    bs_list *differing = &w->differing;
    if (!reserve(w, then)) {
        return BS_NO_MEMORY;
    }
    bs_world_stir(w, BS_NO_BOX);
    list_differing(w, then, differing);
    extend_indices(w, then);
    for (size_t k = 0; k < differing->n; k++) {
        note_return(w, then, differing->at[k]);
        bs_world_touch(w, differing->at[k]);
    }
    set_flags(w, then);
    if (then->state.count > 0) {
        memcpy(w->rect, then->rect, bs_world_span(then) * sizeof *w->rect);
    }
    bs_state_copy(w, then);
    bs_world_count_sleepers(w);
    w->paired = BS_PAIRED_ANEW;
    bs_world_examine(w);
    return BS_OK;
}
