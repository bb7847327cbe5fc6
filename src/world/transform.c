#include "parts.h"

static bool object_reserve(bs_world *w) {
    return bs_array_reserve(&w->heap, &w->object, &w->object_cap, bs_world_span(w),
                            sizeof *w->object);
}

bs_status bs_world_set_object_rect(bs_world *w, uint32_t box, const bs_rect *rect) {
    assert(bs_world_alive(w, box));
    if (!object_reserve(w)) {
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

static bool has_object_rect(const bs_world *w, uint32_t box) {
    return (w->flags[box] & BS_HAS_OBJECT_RECT) != 0;
}

bs_rect bs_world_transformed(const bs_world *w, uint32_t box, const bs_transform *tr) {
    assert(bs_world_alive(w, box));
    bs_transform used = *tr;
    used.rotated = tr->rotated && (w->flags[box] & BS_KEEPS_ANGLE) == 0;
    return bs_transform_rect(has_object_rect(w, box) ? &w->object[box] : &w->rect[box], &used);
}

bs_status bs_world_transform(bs_world *w, uint32_t box, const bs_transform *tr, bool *valid) {
    bs_rect rect = bs_world_transformed(w, box, tr);
    *valid = bs_rect_is_box(&rect);
    if (!*valid) {
        return BS_OK;
    }
    bs_rect object = w->rect[box];
    if (!has_object_rect(w, box) && bs_world_set_object_rect(w, box, &object) != BS_OK) {
        return BS_NO_MEMORY;
    }
    bs_world_update(w, box, &rect);
    return BS_OK;
}
