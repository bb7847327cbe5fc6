/* transform.c: object rects, and their transforms into rects of the world. */
#include "world_parts.h"

bs_status bs_world_set_object_rect(bs_world *w, uint32_t box, const bs_rect *rect) {
    assert(bs_world_alive(w, box));
    if (!bs_column_make(w, BS_OBJECT)) {
        return BS_NO_MEMORY;
    }
    assert(box < w->object_cap);
    w->object[box] = *rect;
    w->flags[box] |= BS_HAS_OBJECT_RECT;
    return BS_OK;
}

void bs_world_set_rotates(bs_world *w, uint32_t box, bool rotates) {
    assert(bs_world_alive(w, box));
    if (rotates) {
        w->flags[box] &= (uint8_t)~BS_KEEPS_ANGLE;
    } else {
        w->flags[box] |= BS_KEEPS_ANGLE;
    }
}

static void transform_shape(const bs_world *w, uint32_t box, const bs_transform *tr,
                            bs_shape *out) {
    bs_transform used = *tr;
    bs_shape object;
    used.rotated = tr->rotated && (w->flags[box] & BS_KEEPS_ANGLE) == 0;
    bs_object_shape(w, box, &object);
    bs_shape_transform(&object, &used, out);
}

bs_status bs_world_transform(bs_world *w, uint32_t box, const bs_transform *tr, bs_rect *result) {
    assert(bs_world_alive(w, box));
    bs_shape shape;
    transform_shape(w, box, tr, &shape);
    *result = shape.rect;
    if (!bs_rect_is_box(result)) {
        return BS_OK;
    }
    bs_rect object = w->rect[box];
    bool had_object_rect = (w->flags[box] & BS_HAS_OBJECT_RECT) != 0;
    if (!had_object_rect && bs_world_set_object_rect(w, box, &object) != BS_OK) {
        return BS_NO_MEMORY;
    }
    if (bs_has_shape(w, box) && bs_shape_put_transformed(w, box, &shape) != BS_OK) {
        w->flags[box] &= (uint8_t)(had_object_rect ? ~0 : ~BS_HAS_OBJECT_RECT);
        return BS_NO_MEMORY;
    }
    bs_world_update(w, box, &shape.rect);
    return BS_OK;
}
