#include "parts.h"

/* --- rectangles ----------------------------------------------------------------------------- */

bool bs_world_find_in(bs_world *w, const bs_rect *r, bs_list *out) {
    assert(bs_rect_is_query(r));
    bs_world_examine(w);
    out->n = 0;
    for (int i = 0; i < BS_PARTS; i++) {
        bs_backend *part = w->part[i];
        if (part->count > 0 && !part->type->query(part, r, out)) {
            return false;
        }
    }
    return true;
}

static void keep_those_that_pass(const bs_world *w, const bs_filter *filter, bs_list *list) {
    if (bs_filter_takes_all_layers(w, filter) && filter->ignore == BS_NO_BOX &&
        filter->self == BS_NO_BOX) {
        return;
    }
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        uint32_t box = list->at[i];
        list->at[n] = box;
        n += bs_filter_passes(w, filter, box);
    }
    list->n = n;
}

static void keep_those_that_overlap(const bs_world *w, const bs_shape *shape, bs_list *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        uint32_t box = list->at[i];
        list->at[n] = box;
        n += bs_shape_overlaps_box(w, shape, box);
    }
    list->n = n;
}

bs_status bs_world_query_shape(bs_world *w, const bs_shape *shape, const bs_filter *filter,
                               bs_list *out) {
    if (!bs_world_find_in(w, &shape->rect, out)) {
        return BS_NO_MEMORY;
    }
    keep_those_that_pass(w, filter, out);
    if (w->shaped > 0 || shape->kind != BS_BOX) {
        keep_those_that_overlap(w, shape, out);
    }
    return bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

bs_status bs_world_query(bs_world *w, const bs_rect *rect, const bs_filter *filter, bs_list *out) {
    bs_shape shape;
    bs_shape_set_box(&shape, rect);
    return bs_world_query_shape(w, &shape, filter, out);
}

/* --- circles -------------------------------------------------------------------------------- */

/*
 * All boxes whose squared distance from the centre is at most r * r, both as computed with
 * rounding, and some more: those that overlap a square which is a little larger than need be. Where
 * there is no such square in doubles, or the squares of distances overflow, it is all boxes.
 */
static bool find_around(bs_world *w, const double centre[DIM], double r, bs_list *out) {
    bs_rect rect;
    double wide = fmax(r * (1 + 8 * DBL_EPSILON), 1e-150); /* squares of less may underflow */
    for (int k = 0; k < DIM; k++) {
        double lo = nextafter(centre[k] - wide, -HUGE_VAL);
        double hi = nextafter(centre[k] + wide, HUGE_VAL);
        rect.pos[k] = lo;
        rect.size[k] = nextafter(hi - lo, HUGE_VAL);
    }
    bool fits = isfinite(r * r) && bs_rect_is_query(&rect);
    return fits ? bs_world_find_in(w, &rect, out) : bs_world_list(w, out) == BS_OK;
}

/* The power of two that makes a radius about 1: then no square is too large or too small. */
static double scale_for(double radius) {
    const int most = 1000; /* as an exponent; the least double is 2^-1074 */
    int exponent;
    frexp(radius, &exponent);
    return ldexp(1, exponent > -most ? -exponent : most);
}

bs_status bs_world_query_circle(bs_world *w, const double centre[DIM], double radius,
                                const bs_filter *filter, bs_list *out) {
    assert(bs_is_finite(centre) && radius >= 0);
    if (!find_around(w, centre, radius, out)) {
        return BS_NO_MEMORY;
    }
    keep_those_that_pass(w, filter, out);
    const double scale = scale_for(radius);
    const double scaled = radius * scale;
    const double square = scaled * scaled; /* 0: a point */
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        const bs_rect *r = &w->rect[out->at[i]];
        out->at[n] = out->at[i];
        n += square > 0 ? bs_distance2(centre, r, scale) < square : bs_contains(r, centre);
    }
    out->n = n;
    if (w->shaped > 0) {
        bs_shape shape;
        bs_shape_set_circle(&shape, centre, radius);
        shape.kind = radius > 0 ? BS_CIRCLE : BS_BOX; /* a point is a box of size 0 */
        if (bs_rect_is_query(&shape.rect)) {          /* else all that is far away is small */
            keep_those_that_overlap(w, &shape, out);
        }
    }
    return bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

/* --- nearest -------------------------------------------------------------------------------- */

static double distance2_to_shape(const bs_world *w, const double point[DIM], uint32_t box) {
    bs_shape shape;
    bs_world_shape(w, box, &shape);
    return bs_shape_distance2(point, &shape);
}

static inline double distance2_to(const bs_world *w, const double point[DIM], uint32_t box) {
    return bs_has_shape(w, box) ? distance2_to_shape(w, point, box)
                                : bs_distance2(point, &w->rect[box], 1);
}

/*
 * The k nearest of the boxes that pass, within distance r, into w->keyed by squared distance, ties
 * by insertion. *n is the number of such boxes, *seen that of boxes looked at.
 */
static bool find_within(bs_world *w, const double point[DIM], size_t k, double r,
                        const bs_filter *filter, size_t *n, size_t *seen) {
    if (!find_around(w, point, r, &w->found)) {
        return false;
    }
    *seen = w->found.n;
    keep_those_that_pass(w, filter, &w->found);
    if (!bs_world_sort(w, &w->found) || !bs_keyed_reserve(w, w->found.n)) {
        return false;
    }
    *n = 0;
    for (size_t i = 0; i < w->found.n; i++) {
        assert(*n <= i);
        double d2 = distance2_to(w, point, w->found.at[i]);
        w->keyed[*n] = (bs_keyed){bs_key_of(d2), w->found.at[i]};
        *n += d2 <= r * r;
    }
    bs_sort_first(w->keyed, w->keyed + w->found.n, *n, k < *n ? k : *n);
    return true;
}

/*
 * How far to look first in the next call: about as far as the answer was in this one, but not less
 * than a box's size. It only decides how fast that answer is found.
 */
static double guess_reach(const double point[DIM], const bs_rect *farthest) {
    return fmax(1.5 * sqrt(bs_distance2(point, farthest, 1)), farthest->size[0]);
}

/*
 * Looks in growing squares until enough boxes are found within the inscribed circle: nothing
 * outside of it can be nearer. Each look is one query of four times the width; once it has seen
 * half of the world, the next one sees all of it.
 */
bs_status bs_world_nearest(bs_world *w, const double point[DIM], size_t k, const bs_filter *filter,
                           double max_distance, bs_list *out) {
    assert(bs_is_finite(point) && max_distance >= 0);
    out->n = 0;
    if (k == 0 || w->count == 0) {
        return BS_OK;
    }
    size_t n = 0;
    size_t seen = 0;
    /* NOLINTNEXTLINE(cert-flp30-c): r is no counter, it grows until enough is found */
    for (double r = w->reach > 0 ? w->reach : 1;; r = seen > w->count / 2 ? max_distance : r * 4) {
        r = bs_min(r, max_distance);
        if (!find_within(w, point, k, r, filter, &n, &seen)) {
            return BS_NO_MEMORY;
        }
        if (n >= k || !(r < max_distance)) {
            break;
        }
    }
    n = n < k ? n : k;
    if (!bs_list_reserve(&w->heap, out, n)) {
        return BS_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        assert(i == 0 || w->keyed[i - 1].key <= w->keyed[i].key);
        out->at[i] = (uint32_t)w->keyed[i].value;
    }
    out->n = n;
    if (n > 0) {
        assert(n <= w->count);
        w->reach = guess_reach(point, &w->rect[out->at[n - 1]]);
    }
    return BS_OK;
}
