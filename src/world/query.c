/* query.c: which boxes overlap a rect, a circle or a shape, or are nearest; by the back ends. */
#include "world_parts.h"

#include <string.h>

/* --- rectangles ----------------------------------------------------------------------------- */

bool bs_world_find_in(bs_world *w, const bs_rect *r, uint32_t self, bs_list *out) {
    assert(bs_rect_is_query(r));
    bs_world_examine(w);
    out->n = 0;
    const bs_backend *own = self != BS_NO_BOX ? bs_part_of(w, self) : NULL;
    for (int i = 0; i < BS_PARTS; i++) {
        bs_backend *part = w->part[i];
        size_t others = part->count - (part == own);
        if (others > 0 && !bs_backend_query(part, r, out)) {
            return false;
        }
    }
    return true;
}

bool bs_find_around(bs_world *w, const bs_rect *rect, uint32_t self, bool sorted, bs_list *out) {
    if (!bs_rect_is_query(rect)) {
        return bs_world_list(w, out) == BS_OK;
    }
    return bs_world_find_in(w, rect, self, out) && (!sorted || bs_world_sort(w, out));
}

static void keep_those_that_pass(const bs_world *w, const bs_filter *filter, bs_list *list) {
    if (bs_filter_takes_all_layers(w, filter) && filter->ignore == BS_NO_BOX &&
        filter->self == BS_NO_BOX && filter->except == NULL) {
        return;
    }
    BS_KEEP(list, box, bs_filter_passes(w, filter, box));
}

bs_status bs_world_query(bs_world *w, const bs_shape *shape, const bs_filter *filter,
                         bs_list *out) {
    if (!bs_world_find_in(w, &shape->rect, filter->self, out)) {
        return BS_NO_MEMORY;
    }
    keep_those_that_pass(w, filter, out);
    if (w->state.shaped > 0 || shape->kind != BS_BOX) {
        BS_KEEP(out, box, bs_shape_overlaps_box(w, shape, box));
    }
    return bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

bs_status bs_world_query_point(bs_world *w, const double point[DIM], const bs_filter *filter,
                               bs_list *out) {
    bs_rect rect = {{0}, {0}};
    bs_shape shape;
    memcpy(rect.pos, point, sizeof rect.pos);
    bs_shape_set_box(&shape, &rect);
    for (int k = 0; k < DIM; k++) { /* Up to the next number: so a near side is in it. */
        double size = nextafter(point[k], HUGE_VAL) - point[k];
        rect.size[k] = isfinite(size) ? size : 0;
    }
    if (!bs_world_find_in(w, &rect, filter->self, out)) {
        return BS_NO_MEMORY;
    }
    keep_those_that_pass(w, filter, out);
    BS_KEEP(out, box, !bs_has_shape(w, box) || bs_shape_overlaps_box(w, &shape, box));
    return bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

/* --- circles -------------------------------------------------------------------------------- */

/*
 * Finds all boxes whose distance from the centre is at most r, as computed with rounding, and some
 * more: those that overlap a slightly larger square.
 */
static bool find_around(bs_world *w, const double centre[DIM], double r, bs_list *out) {
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        bs_rect_reach(&rect, k, centre[k] - r, centre[k] + r, BS_EXACT, 0);
    }
    return bs_find_around(w, &rect, BS_NO_BOX, false, out);
}

/* A quarter of the distance from a point to a box, or to its shape; never less than to its rect. */
static double quarter_to(const bs_world *w, uint32_t box, const double point[DIM]) {
    double quarter = bs_quarter_distance(point, &w->rect[box]);
    if (bs_has_shape(w, box)) {
        bs_shape shape;
        bs_world_shape(w, box, &shape);
        quarter = bs_max(bs_shape_quarter_distance(point, &shape), quarter);
    }
    return quarter;
}

double bs_world_distance(const bs_world *w, uint32_t box, const double point[DIM]) {
    return 4 * quarter_to(w, box, point);
}

/* By their distance; where there are shapes, exactly, unless the circle is too large for that. */
static void keep_those_nearer(const bs_world *w, const bs_shape *circle, bs_list *list) {
    const bool is_shape = bs_rect_is_query(&circle->rect);
    const double quarter = circle->radius / 4;
    BS_KEEP(list, box,
            is_shape ? bs_quarter_distance(circle->centre, &w->rect[box]) < quarter &&
                           (!bs_has_shape(w, box) || bs_shape_overlaps_box(w, circle, box))
                     : quarter_to(w, box, circle->centre) < quarter);
}

/* A point is a box without size. */
static bs_status query_point(bs_world *w, const double point[DIM], const bs_filter *filter,
                             bs_list *out) {
    bs_rect rect = {{0}, {0}};
    bs_shape shape;
    memcpy(rect.pos, point, sizeof rect.pos);
    bs_shape_set_box(&shape, &rect);
    return bs_world_query(w, &shape, filter, out);
}

bs_status bs_world_query_circle(bs_world *w, const double centre[DIM], double radius,
                                const bs_filter *filter, bs_list *out) {
    assert(bs_is_finite(centre) && radius >= 0);
    if (radius / 4 == 0) { /* Also if it is too small to have a quarter. */
        return query_point(w, centre, filter, out);
    }
    if (!find_around(w, centre, radius, out)) {
        return BS_NO_MEMORY;
    }
    keep_those_that_pass(w, filter, out);
    bs_shape circle;
    bs_shape_set_circle(&circle, centre, radius);
    keep_those_nearer(w, &circle, out);
    return bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

/* --- nearest -------------------------------------------------------------------------------- */

/*
 * The k nearest of the boxes that pass, within distance r, by distance, ties by insertion; all of
 * them, if they are fewer. *seen is the number of boxes looked at.
 */
static bool find_within(bs_world *w, const double point[DIM], size_t k, double r,
                        const bs_filter *filter, bs_list *out, size_t *seen) {
    if (!find_around(w, point, r, out)) {
        return false;
    }
    *seen = out->n;
    keep_those_that_pass(w, filter, out);
    bs_keyed *keyed = bs_world_sort(w, out) ? bs_world_keyed(w, out->n) : NULL;
    if (keyed == NULL) {
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        assert(n <= i);
        double quarter = quarter_to(w, out->at[i], point);
        keyed[n] = (bs_keyed){bs_key_of(quarter), out->at[i]};
        n += quarter <= r / 4;
    }
    k = k < n ? k : n;
    bs_sort_first(keyed, keyed + out->n, n, k);
    for (size_t i = 0; i < k; i++) {
        assert(i == 0 || keyed[i - 1].key <= keyed[i].key);
        out->at[i] = (uint32_t)keyed[i].value;
    }
    out->n = k;
    return true;
}

/*
 * How far the next call looks first: about as far as this answer was, but not less than a box's
 * size. This only decides how fast that answer is found.
 */
static double guess_reach(const double point[DIM], const bs_rect *farthest) {
    double reach = fmax(6 * bs_quarter_distance(point, farthest), farthest->size[0]);
    return isfinite(reach) ? reach : 0;
}

/*
 * Looks in growing squares until enough boxes are within the inscribed circle, as nothing outside
 * of it can be nearer. Each look is one query of four times the width. Once a query has seen half
 * of the world, the next one sees all of it.
 */
bs_status bs_world_nearest(bs_world *w, const double point[DIM], size_t k, const bs_filter *filter,
                           double max_distance, bs_list *out) {
    assert(bs_is_finite(point) && max_distance >= 0);
    out->n = 0;
    if (k == 0 || w->state.count == 0) {
        return BS_OK;
    }
    size_t seen = 0;
    double r = bs_min(w->reach > 0 ? w->reach : 1, max_distance);
    for (;;) { /* r grows until enough is found */
        if (!find_within(w, point, k, r, filter, out, &seen)) {
            return BS_NO_MEMORY;
        }
        if (out->n == k || !(r < max_distance)) {
            break;
        }
        r = seen > w->state.count / 2 ? max_distance : bs_min(r * 4, max_distance);
    }
    if (out->n > 0) {
        assert(out->n <= w->state.count);
        w->reach = guess_reach(point, &w->rect[out->at[out->n - 1]]);
    }
    return BS_OK;
}
