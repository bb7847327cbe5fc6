/*
 * saved_shapes.c: shapes in snapshots. They lie one behind the other in one column of bytes, in the
 * order of indices: the one that was given, and, where a transform has changed it, the one before.
 */
#include "snapshot.h"

#include <string.h>

bool bs_saved_shapes_add(bs_snapshot *s, const bs_shape *shape) {
    bs_bytes *to = &s->shapes;
    size_t bytes = bs_shape_bytes(shape);
    if (!bs_array_reserve(&s->world.heap, &to->at, &to->cap, to->n + bytes, sizeof *to->at)) {
        return false;
    }
    memcpy(to->at + to->n, shape, bytes);
    to->n += bytes;
    return true;
}

bool bs_saved_shapes_reserve(bs_snapshot *s, const bs_world *w) {
    size_t bytes = 0;
    for (uint32_t i = 0; w->shaped > 0 && i < w->used; i++) {
        if (bs_has_shape(w, i)) {
            const bs_shape *object = w->shape[i].object;
            bytes += bs_shape_bytes(w->shape[i].given);
            bytes += object != NULL ? bs_shape_bytes(object) : 0;
        }
    }
    return bs_array_reserve(&s->world.heap, &s->shapes.at, &s->shapes.cap, bytes, 1);
}

void bs_saved_shapes_take(bs_snapshot *s, const bs_world *w) {
    s->world.shaped = w->shaped;
    s->shapes.n = 0;
    bool done = true;
    for (uint32_t i = 0; w->shaped > 0 && i < w->used; i++) {
        if (bs_has_shape(w, i)) {
            const bs_shape *object = w->shape[i].object;
            done = done && bs_saved_shapes_add(s, w->shape[i].given);
            if (object != NULL) {
                done = done && bs_saved_shapes_add(s, object);
                s->world.flags[i] |= BS_HAS_OBJECT_SHAPE;
            }
        }
    }
    assert(done);
    (void)done;
}

bs_saved_shapes bs_saved_shapes_of(const bs_snapshot *s, uint32_t index, unsigned char **at) {
    const uint8_t flags = s->world.flags[index];
    bs_saved_shapes found = {NULL, NULL};
    if ((flags & BS_HAS_SHAPE) == 0) {
        return found;
    }
    found.given = (bs_shape *)(void *)*at;
    *at += bs_shape_bytes(found.given);
    if ((flags & BS_HAS_OBJECT_SHAPE) != 0) {
        found.object = (bs_shape *)(void *)*at;
        *at += bs_shape_bytes(found.object);
    }
    return found;
}

/* Both may be NULL. */
static bool same(const bs_shape *now, const bs_shape *then) {
    if (now == NULL || then == NULL) {
        return now == then;
    }
    size_t bytes = bs_shape_bytes(now);
    return bytes == bs_shape_bytes(then) && memcmp(now, then, bytes) == 0;
}

static bool differs(const bs_world *w, uint32_t i, const bs_saved_shapes *then) {
    const bs_shape_slot none = {NULL, NULL};
    const bs_shape_slot *now = i < w->used && bs_has_shape(w, i) ? &w->shape[i] : &none;
    return !same(now->given, then->given) || !same(now->object, then->object);
}

void bs_incoming_free(bs_world *w, bs_incoming *in) {
    while (in->n > 0) {
        in->n--;
        bs_shape_free(w, &in->at[in->n].given);
        bs_shape_free(w, &in->at[in->n].object);
    }
    bs_array_free(&w->heap, &in->at, &in->cap, sizeof *in->at);
}

bool bs_incoming_prepare(bs_world *w, const bs_snapshot *s, bs_incoming *in) {
    unsigned char *at = s->shapes.at;
    *in = (bs_incoming){NULL, 0, 0};
    if (s->world.shaped > 0 && !bs_column_make(w, BS_SHAPE)) {
        return false;
    }
    for (uint32_t i = 0; s->world.shaped > 0 && i < s->world.used; i++) {
        bs_saved_shapes then = bs_saved_shapes_of(s, i, &at);
        if (then.given == NULL || !differs(w, i, &then)) {
            continue;
        }
        if (!bs_array_reserve(&w->heap, &in->at, &in->cap, in->n + 1, sizeof *in->at)) {
            bs_incoming_free(w, in);
            return false;
        }
        bs_shape_slot *slot = &in->at[in->n++];
        slot->given = bs_shape_keep(w, then.given);
        slot->object = then.object != NULL ? bs_shape_keep(w, then.object) : NULL;
        if (slot->given == NULL || (slot->object == NULL && then.object != NULL)) {
            bs_incoming_free(w, in);
            return false;
        }
    }
    return true;
}

void bs_incoming_give(bs_world *w, const bs_snapshot *s, bs_incoming *in) {
    unsigned char *at = s->shapes.at;
    size_t next = 0;
    for (uint32_t i = 0; w->shaped + s->world.shaped > 0 && i < s->world.used; i++) {
        bs_saved_shapes then = bs_saved_shapes_of(s, i, &at);
        if (!differs(w, i, &then)) {
            continue;
        }
        bs_shape_drop(w, i);
        if (then.given != NULL) {
            assert(next < in->n);
            w->shape[i] = in->at[next++];
            w->flags[i] |= BS_HAS_SHAPE;
            bs_shape_note(w, i);
            w->shaped++;
        }
        bs_world_touch(w, i);
    }
    for (uint32_t i = s->world.used; w->shaped > s->world.shaped && i < w->used; i++) {
        bs_shape_drop(w, i);
    }
    assert(next == in->n);
    in->n = 0;
    bs_incoming_free(w, in);
}
