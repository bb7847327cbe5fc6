/*
 * saved_shapes.c: shapes in snapshots. They lie one behind the other in one column of bytes, in the
 * order of indices: the one that was given, and, where a transform has changed it, the one before.
 */
#include "snapshot.h"

#include <string.h>

size_t bs_shape_bytes(const bs_shape *shape) {
    size_t corners = shape->kind == BS_POLYGON ? shape->corners : 0;
    return offsetof(bs_shape, corner) + corners * sizeof *shape->corner;
}

size_t bs_saved_shapes_size(const bs_world *w) {
    size_t bytes = 0;
    for (uint32_t i = 0; w->shaped > 0 && i < w->used; i++) {
        if (bs_has_shape(w, i)) {
            const bs_shape *object = w->shape[i].object;
            bytes += bs_shape_bytes(w->shape[i].given);
            bytes += object != NULL ? bs_shape_bytes(object) : 0;
        }
    }
    return bytes;
}

static void write(char **at, const bs_shape *shape) {
    size_t bytes = bs_shape_bytes(shape);
    memcpy(*at, shape, bytes);
    *at += bytes;
}

void bs_saved_shapes_write(bs_snapshot *s, const bs_world *w) {
    char *at = s->column[BS_SHAPES].at;
    uint8_t *flags = s->column[BS_FLAGS].at;
    for (uint32_t i = 0; w->shaped > 0 && i < w->used; i++) {
        if (bs_has_shape(w, i)) {
            const bs_shape *object = w->shape[i].object;
            write(&at, w->shape[i].given);
            if (object != NULL) {
                write(&at, object);
                flags[i] |= BS_HAS_OBJECT_SHAPE;
            }
        }
    }
}

bs_saved_shapes bs_saved_shapes_of(const bs_snapshot *s, uint32_t index, const char **at) {
    const uint8_t flags = ((const uint8_t *)s->column[BS_FLAGS].at)[index];
    bs_saved_shapes found = {NULL, NULL};
    if ((flags & BS_HAS_SHAPE) != 0) {
        found.given = (const bs_shape *)(const void *)*at;
        *at += bs_shape_bytes(found.given);
    }
    if ((flags & BS_HAS_OBJECT_SHAPE) != 0) {
        found.object = (const bs_shape *)(const void *)*at;
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

/* NULL: no memory, if there is a shape. */
static bs_shape *copy_of(bs_world *w, const bs_shape *shape) {
    bs_shape *copy = shape != NULL ? bs_heap_new(&w->heap, bs_shape_bytes(shape)) : NULL;
    if (copy != NULL) {
        memcpy(copy, shape, bs_shape_bytes(shape));
    }
    return copy;
}

static void free_shape(bs_world *w, bs_shape *shape) {
    if (shape != NULL) {
        bs_heap_free(&w->heap, shape, bs_shape_bytes(shape));
    }
}

void bs_incoming_free(bs_world *w, bs_incoming *in) {
    while (in->n > 0) {
        in->n--;
        free_shape(w, in->at[in->n].given);
        free_shape(w, in->at[in->n].object);
    }
    bs_array_free(&w->heap, &in->at, &in->cap, sizeof *in->at);
}

bool bs_incoming_prepare(bs_world *w, const bs_snapshot *s, bs_incoming *in) {
    const char *at = s->column[BS_SHAPES].at;
    *in = (bs_incoming){NULL, 0, 0};
    if (s->shaped > 0 && !bs_shape_slots_reserve(w, s->span)) {
        return false;
    }
    for (uint32_t i = 0; s->shaped > 0 && i < s->used; i++) {
        bs_saved_shapes then = bs_saved_shapes_of(s, i, &at);
        if (then.given == NULL || !differs(w, i, &then)) {
            continue;
        }
        if (!bs_array_reserve(&w->heap, &in->at, &in->cap, in->n + 1, sizeof *in->at)) {
            bs_incoming_free(w, in);
            return false;
        }
        bs_shape_slot *slot = &in->at[in->n++];
        slot->given = copy_of(w, then.given);
        slot->object = copy_of(w, then.object);
        if (slot->given == NULL || (slot->object == NULL && then.object != NULL)) {
            bs_incoming_free(w, in);
            return false;
        }
    }
    return true;
}

void bs_incoming_give(bs_world *w, const bs_snapshot *s, bs_incoming *in) {
    const char *at = s->column[BS_SHAPES].at;
    size_t next = 0;
    for (uint32_t i = 0; w->shaped + s->shaped > 0 && i < s->used; i++) {
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
    for (uint32_t i = s->used; w->shaped > s->shaped && i < w->used; i++) {
        bs_shape_drop(w, i);
    }
    assert(next == in->n);
    in->n = 0;
    bs_incoming_free(w, in);
}
