/*
 * rest.c: which boxes rest on each other, and whether a place is free; by queries of the world
 * alone.
 */
#include "motion.h"

#include <math.h>

bs_rect bs_widened(const bs_rect *r, int axis, double by) {
    bs_rect rect = *r;
    bs_rect_reach(&rect, axis, r->pos[axis], bs_far(r, axis), BS_EXACT, by);
    return rect;
}

bool bs_are_beside(const bs_rect *a, const bs_rect *b, int axis) {
    bool beside = true;
    for (int k = 0; k < DIM; k++) {
        beside = beside && (k == axis || (a->pos[k] < bs_far(b, k) && b->pos[k] < bs_far(a, k)));
    }
    return beside;
}

/*
 * The two are flush if one of them is where bs_flush has it. That may be as far off as its own far
 * side is rounded, but no farther than rounding explains in the coordinates of r, where it is
 * looked for.
 */
static bool is_flush(const bs_rect *r, const bs_rect *other, bs_box_side side) {
    const bs_rect *low = side.sign > 0 ? other : r;
    const bs_rect *high = side.sign > 0 ? r : other;
    const bs_box_side above = {side.axis, -1};
    int axis = side.axis;
    if (!bs_are_beside(r, other, axis)) {
        return false;
    }
    const bs_rect around = bs_widened(r, axis, 0);
    return high->pos[axis] == bs_far(low, axis) ||
           (high->pos[axis] > bs_far(low, axis) && bs_overlap(&around, other) &&
            low->pos[axis] >= bs_flush(low->size[axis], high, above));
}

/* Whether they meet when moved by so little, on a solid side within 60 degrees of that way. */
static bool shapes_rest(const bs_world *w, uint32_t a, uint32_t b, bs_box_side side) {
    const bs_rect *ra = &w->rect[a];
    const bs_rect *rb = &w->rect[b];
    double motion[DIM] = {0};
    bs_touch touch;
    motion[side.axis] = -side.sign * bs_largest_coordinate(ra, rb) * BS_RESTING;
    return bs_meet_at(w, a, ra, motion, b, rb, &touch) &&
           touch.normal[side.axis] * side.sign > 0.5 && bs_is_solid_toward(w, b, touch.normal);
}

bool bs_rests_against(const bs_world *w, uint32_t a, uint32_t b, bs_box_side side) {
    if (!bs_are_boxes(w, a, b)) {
        return shapes_rest(w, a, b, side);
    }
    return bs_is_solid_at(w, b, side) && is_flush(&w->rect[a], &w->rect[b], side);
}

bs_status bs_world_touching(bs_world *w, uint32_t box, int axis, bool up, const bs_rules *rules,
                            bs_list *out) {
    assert(bs_world_alive(w, box) && axis >= 0 && axis < DIM);
    const bs_rect r = w->rect[box];
    const bs_box_side met = {axis, up ? -1 : 1};
    /* Shapes may rest somewhat apart. This also finds larger ones that rest less far away. */
    double apart = w->state.shaped > 0 ? bs_largest_coordinate(&r, &r) * (2 * BS_RESTING) : 0;
    bs_rect around = bs_widened(&r, axis, apart);
    if (!bs_find_around(w, &around, box, true, out)) {
        return BS_NO_MEMORY;
    }
    BS_KEEP(out, other,
            other != box && bs_rests_against(w, box, other, met) &&
                bs_rules_may_stop(w, rules, box, other));
    return BS_OK;
}

bs_status bs_world_blocking(bs_world *w, uint32_t box, const bs_rect *place, const bs_rules *rules,
                            bs_list *out) {
    assert(bs_world_alive(w, box) && bs_rect_is_box(place));
    if (!bs_find_around(w, place, box, true, out)) {
        return BS_NO_MEMORY;
    }
    BS_KEEP(out, other,
            other != box && !bs_is_one_way(w, other) && bs_rules_may_stop(w, rules, box, other) &&
                bs_would_overlap(w, box, place, other));
    return BS_OK;
}
