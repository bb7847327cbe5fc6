/* snapshot.c: worlds as they were: taking them, and going back. encode.c makes bytes of them. */
#include "snapshot.h"

#include <string.h>

static const size_t sizes[BS_COLUMNS] = {
    [BS_BORN] = sizeof(uint64_t),
    [BS_GENERATION] = sizeof(uint32_t),
    [BS_FLAGS] = sizeof(uint8_t),
    [BS_RECT] = sizeof(bs_rect),
    [BS_LAYERS] = sizeof(bs_layers),
    [BS_MOTION] = sizeof(bs_motion),
    [BS_OBJECT] = sizeof(bs_rect),
    [BS_CONDUCT] = sizeof(bs_conduct),
    [BS_CONTACTS] = sizeof(bs_touching),
    [BS_STEP_HITS] = sizeof(bs_step_hit),
    [BS_SHAPES] = 1,
};

/* --- making and ending ---------------------------------------------------------------------- */

bs_snapshot *bs_snapshot_new(bs_realloc resize, void *host) {
    bs_heap heap = {resize, host, 0};
    bs_snapshot *s = bs_heap_new(&heap, sizeof *s);
    if (s != NULL) {
        s->heap = heap;
        s->free = BS_NO_BOX;
    }
    return s;
}

void bs_snapshot_free(bs_snapshot *s) {
    for (int i = 0; i < BS_COLUMNS; i++) {
        bs_array_free(&s->heap, &s->column[i].at, &s->column[i].cap, sizes[i]);
    }
    bs_heap last = s->heap;
    bs_heap_free(&last, s, sizeof *s);
    assert(last.used == 0); /* nothing leaked */
}

size_t bs_snapshot_memory(const bs_snapshot *s) {
    return s->heap.used;
}

uint32_t bs_snapshot_count(const bs_snapshot *s) {
    return s->count;
}

uint32_t bs_snapshot_indices(const bs_snapshot *s) {
    return s->used;
}

static bool is_alive(const bs_snapshot *s, uint32_t index) {
    const uint8_t *flags = s->column[BS_FLAGS].at;
    return index < s->used && (flags[index] & BS_ALIVE) != 0;
}

bs_id bs_snapshot_id(const bs_snapshot *s, uint32_t index) {
    assert(index < s->used);
    const uint32_t *generation = s->column[BS_GENERATION].at;
    return is_alive(s, index) ? (bs_id)generation[index] << BS_INDEX_BITS | index : 0;
}

size_t bs_snapshot_contacts(const bs_snapshot *s) {
    return s->column[BS_CONTACTS].n;
}

uint32_t bs_snapshot_change(const bs_snapshot *s, const bs_world *w, uint32_t from) {
    const uint8_t *flags = s->column[BS_FLAGS].at;
    const uint32_t *generation = s->column[BS_GENERATION].at;
    const uint32_t both = w->used < s->used ? w->used : s->used;
    const uint32_t all = w->used > s->used ? w->used : s->used;
    uint32_t i = from;
    for (; i < both; i++) {
        bool is = (w->flags[i] & BS_ALIVE) != 0;
        bool was = (flags[i] & BS_ALIVE) != 0;
        if (is != was || (is && generation[i] != w->generation[i])) {
            return i;
        }
    }
    while (i < all && !is_alive(s, i) && !bs_world_alive(w, i)) {
        i++;
    }
    return i;
}

bs_contact bs_snapshot_contact(const bs_snapshot *s, size_t i) {
    assert(i < s->column[BS_CONTACTS].n);
    const bs_touching *t = (const bs_touching *)s->column[BS_CONTACTS].at + i;
    return (bs_contact){BS_STAY, t->a, t->b};
}

bool bs_snapshot_resize(bs_snapshot *s, const size_t n[BS_COLUMNS]) {
    for (int i = 0; i < BS_COLUMNS; i++) {
        bs_column *c = &s->column[i];
        if (!bs_array_reserve(&s->heap, &c->at, &c->cap, n[i], sizes[i])) {
            return false;
        }
    }
    for (int i = 0; i < BS_COLUMNS; i++) {
        s->column[i].n = n[i];
    }
    return true;
}

/* --- taking --------------------------------------------------------------------------------- */

bs_status bs_snapshot_take(bs_snapshot *s, const bs_world *w) {
    const void *columns[BS_COLUMNS] = {w->born,        w->generation,  w->flags,  w->rect,
                                       w->layers,      w->motion,      w->object, w->conduct,
                                       w->touching.at, w->step_hits.at};
    const size_t span = bs_world_span(w);
    const size_t n[BS_COLUMNS] = {
        [BS_BORN] = w->used,
        [BS_GENERATION] = w->used,
        [BS_FLAGS] = w->used,
        [BS_RECT] = span,
        [BS_LAYERS] = span,
        [BS_MOTION] = w->motion != NULL ? span : 0,
        [BS_OBJECT] = w->object_cap < span ? w->object_cap : span, /* made when first needed */
        [BS_CONDUCT] = w->conduct != NULL ? span : 0,
        [BS_CONTACTS] = w->touching.n,
        [BS_STEP_HITS] = w->step_hits.n,
        [BS_SHAPES] = bs_saved_shapes_size(w),
    };
    if (!bs_snapshot_resize(s, n)) {
        return BS_NO_MEMORY;
    }
    for (int i = 0; i < BS_COLUMNS; i++) {
        if (n[i] > 0 && columns[i] != NULL) {
            memcpy(s->column[i].at, columns[i], n[i] * sizes[i]);
        }
    }
    uint8_t *flags = s->column[BS_FLAGS].at;
    for (size_t i = 0; i < n[BS_FLAGS]; i++) {
        flags[i] &= BS_KEPT_FLAGS;
    }
    bs_saved_shapes_write(s, w);
    s->used = w->used;
    s->span = (uint32_t)span;
    s->free = w->free;
    s->idle = w->idle;
    s->count = w->count;
    s->last = w->last;
    s->layered = w->layered;
    s->responders = w->responders;
    s->shaped = w->shaped;
    s->recycled = w->recycled;
    s->any = w->any;
    s->births = w->births;
    memcpy(s->gravity, w->gravity, sizeof s->gravity);
    return BS_OK;
}

/* --- going back ----------------------------------------------------------------------------- */

enum { NOWHERE = BS_PARTS };

/* The part of a world in which a box with these flags is. */
static int part_by(unsigned flags) {
    return (flags & BS_ALIVE) == 0 ? NOWHERE : (flags & BS_IS_STATIC) != 0 ? BS_STATIC : BS_DYNAMIC;
}

static int part_now(const bs_world *w, uint32_t index) {
    return index < w->used ? part_by(w->flags[index]) : NOWHERE;
}

static int part_then(const bs_snapshot *s, uint32_t index) {
    const uint8_t *flags = s->column[BS_FLAGS].at;
    return index < s->used ? part_by(flags[index]) : NOWHERE;
}

/* All memory that going back takes, but for back ends. */
static bool reserve(bs_world *w, const bs_snapshot *s) {
    const size_t touching = s->column[BS_CONTACTS].n;
    const size_t hits = s->column[BS_STEP_HITS].n;
    const size_t all = w->used > s->used ? w->used : s->used;
    w->found.n = 0;
    w->moved.n = 0;
    return bs_world_reserve_columns(w, s->used) &&
           (s->column[BS_MOTION].n == 0 || bs_motion_reserve(w, s->span)) &&
           (s->column[BS_CONDUCT].n == 0 || bs_conduct_reserve(w, s->span)) &&
           bs_array_reserve(&w->heap, &w->object, &w->object_cap, s->column[BS_OBJECT].n,
                            sizeof *w->object) &&
           bs_array_reserve(&w->heap, &w->touching.at, &w->touching.cap, touching,
                            sizeof *w->touching.at) &&
           bs_array_reserve(&w->heap, &w->step_hits.at, &w->step_hits.cap, hits,
                            sizeof *w->step_hits.at) &&
           bs_list_reserve(&w->heap, &w->found, all) && bs_list_reserve(&w->heap, &w->moved, all);
}

/* Whether a box that is there, now and then, had another place, other layers or another age. */
static bool has_changed(const bs_world *w, const bs_snapshot *s, uint32_t i) {
    const bs_rect *rect = s->column[BS_RECT].at;
    const bs_layers *layers = s->column[BS_LAYERS].at;
    const uint64_t *born = s->column[BS_BORN].at;
    return memcmp(&w->rect[i], &rect[i], sizeof *rect) != 0 ||
           memcmp(&w->layers[i], &layers[i], sizeof *layers) != 0 || born[i] != w->born[i];
}

/* Lists in w->found all boxes whose pairs may be others than they were then. */
static void list_differing(bs_world *w, const bs_snapshot *s) {
    const uint8_t *flags = s->column[BS_FLAGS].at;
    const uint32_t both = w->used < s->used ? w->used : s->used;
    bs_list *found = &w->found;
    for (uint32_t i = 0; i < both; i++) {
        unsigned others = (flags[i] ^ w->flags[i]) & (BS_ALIVE | BS_IS_STATIC);
        if (others != 0 || ((flags[i] & BS_ALIVE) != 0 && has_changed(w, s, i))) {
            found->at[found->n++] = i;
        }
    }
    for (uint32_t i = both; i < w->used || i < s->used; i++) {
        if (part_now(w, i) != part_then(s, i)) {
            found->at[found->n++] = i;
        }
    }
}

/*
 * Each box that was in a part where it is not now goes there: a new one at its place of then, one
 * that is in the other part where it is. If one fails those before it are taken out again.
 */
static bool put_in(bs_world *w, const bs_snapshot *s) {
    const bs_rect *rect = s->column[BS_RECT].at;
    for (size_t k = 0; k < w->found.n; k++) {
        uint32_t i = w->found.at[k];
        int then = part_then(s, i);
        if (then == NOWHERE || then == part_now(w, i)) {
            continue;
        }
        if (part_now(w, i) == NOWHERE) {
            w->rect[i] = rect[i];
        }
        if (w->part[then]->type->insert(w->part[then], i)) {
            continue;
        }
        while (k-- > 0) {
            i = w->found.at[k];
            then = part_then(s, i);
            if (then != NOWHERE && then != part_now(w, i)) {
                w->part[then]->type->remove(w->part[then], i);
            }
        }
        return false;
    }
    return true;
}

static void take_out(bs_world *w, const bs_snapshot *s) {
    for (size_t k = 0; k < w->found.n; k++) {
        uint32_t i = w->found.at[k];
        int now = part_now(w, i);
        if (now != NOWHERE && now != part_then(s, i)) {
            w->part[now]->type->remove(w->part[now], i);
        }
    }
}

/* Puts the boxes of that part to where they were. All are in their parts. */
static void move_back(bs_world *w, const bs_snapshot *s, int part) {
    const bs_rect *rect = s->column[BS_RECT].at;
    bs_list *moved = &w->moved;
    moved->n = 0;
    for (size_t k = 0; k < w->found.n; k++) {
        uint32_t i = w->found.at[k];
        if (part_then(s, i) == part && memcmp(&w->rect[i], &rect[i], sizeof *rect) != 0) {
            w->rect[i] = rect[i];
            moved->at[moved->n++] = i;
        }
    }
    if (moved->n > 0) {
        w->part[part]->type->update(w->part[part], moved->at, moved->n);
    }
}

/* The world has the indices of now and of then: nothing can fail from here on. */
static void extend_indices(bs_world *w, const bs_snapshot *s) {
    w->peak = w->peak > w->used ? w->peak : w->used;
    for (; w->used < s->used; w->used++) {
        w->flags[w->used] = BS_RESTLESS;
    }
}

/* It has those of then; lists of pairs forget all beyond. */
static void set_flags(bs_world *w, const bs_snapshot *s) {
    const uint8_t *flags = s->column[BS_FLAGS].at;
    for (uint32_t i = 0; i < s->used; i++) {
        unsigned cached = w->flags[i] & (BS_CHANGED | BS_RESTLESS | BS_IS_CENTRED);
        w->flags[i] = (uint8_t)(cached | (flags[i] & BS_KEPT_FLAGS));
    }
    for (uint32_t i = s->used; i < w->used; i++) {
        w->flags[i] &= BS_CHANGED | BS_RESTLESS;
    }
    bs_world_forget_beyond(w, s->used);
    w->used = s->used;
}

static void copy(void *to, const bs_column *from, bs_column_kind kind) {
    if (from[kind].n > 0) {
        memcpy(to, from[kind].at, from[kind].n * sizes[kind]);
    }
}

static void copy_columns(bs_world *w, const bs_snapshot *s) {
    const bs_column *c = s->column;
    const bs_conduct usual = bs_props_default().conduct;
    copy(w->born, c, BS_BORN);
    copy(w->generation, c, BS_GENERATION);
    copy(w->layers, c, BS_LAYERS);
    copy(w->motion, c, BS_MOTION);
    copy(w->object, c, BS_OBJECT);
    copy(w->conduct, c, BS_CONDUCT);
    copy(w->touching.at, c, BS_CONTACTS);
    copy(w->step_hits.at, c, BS_STEP_HITS);
    w->touching.n = c[BS_CONTACTS].n;
    w->paired = BS_PAIRED_ANEW;
    w->step_hits.n = c[BS_STEP_HITS].n;
    if (w->motion != NULL && c[BS_MOTION].n == 0) {
        memset(w->motion, 0, w->motion_cap * sizeof *w->motion);
    }
    for (size_t i = c[BS_CONDUCT].n; w->conduct != NULL && i < w->conduct_cap; i++) {
        w->conduct[i] = usual;
    }
}

bs_status bs_world_restore(bs_world *w, const bs_snapshot *s) {
    bs_incoming in;
    if (!reserve(w, s) || !bs_incoming_prepare(w, s, &in)) {
        return BS_NO_MEMORY;
    }
    list_differing(w, s);
    if (!put_in(w, s)) {
        bs_incoming_free(w, &in);
        return BS_NO_MEMORY;
    }
    extend_indices(w, s);
    take_out(w, s);
    move_back(w, s, BS_DYNAMIC);
    move_back(w, s, BS_STATIC);
    for (size_t k = 0; k < w->found.n; k++) {
        bs_world_touch(w, w->found.at[k]);
    }
    bs_incoming_give(w, s, &in);
    set_flags(w, s);
    copy_columns(w, s);
    w->free = s->free;
    w->idle = s->idle;
    w->count = s->count;
    w->last = s->last;
    w->layered = s->layered;
    w->responders = s->responders;
    w->recycled = s->recycled;
    w->any = s->any;
    w->births = s->births;
    memcpy(w->gravity, s->gravity, sizeof w->gravity);
    bs_world_examine(w);
    return BS_OK;
}
