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
        if (others > 0 && !part->type->query(part, r, out)) {
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

bs_status bs_world_query(bs_world *w, const bs_shape *shape, const bs_filter *filter,
                         bs_list *out) {
    if (!bs_world_find_in(w, &shape->rect, filter->self, out)) {
        return BS_NO_MEMORY;
    }
    keep_those_that_pass(w, filter, out);
    if (w->state.shaped > 0 || shape->kind != BS_BOX) {
        keep_those_that_overlap(w, shape, out);
    }
    return bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

/* --- circles -------------------------------------------------------------------------------- */

/*
 * Finds all boxes whose distance from the centre is at most r, as computed with rounding, and some
 * more: those that overlap a slightly larger square. If there is no such square in doubles, it
 * finds all boxes.
 */
static bool find_around(bs_world *w, const double centre[DIM], double r, bs_list *out) {
    bs_rect rect;
    double wide = r * (1 + 8 * DBL_EPSILON);
    for (int k = 0; k < DIM; k++) {
        double lo = nextafter(centre[k] - wide, -HUGE_VAL);
        double hi = nextafter(centre[k] + wide, HUGE_VAL);
        rect.pos[k] = lo;
        rect.size[k] = nextafter(hi - lo, HUGE_VAL);
    }
    return bs_rect_is_query(&rect) ? bs_world_find_in(w, &rect, BS_NO_BOX, out)
                                   : bs_world_list(w, out) == BS_OK;
}

/* The power of two that makes a radius about 1, so that no square is too large or too small. */
static double scale_for(double radius) {
    const int most = 1000; /* An exponent; the least double is 2^-1074. */
    int exponent;
    frexp(radius, &exponent);
    return ldexp(1, exponent > -most ? -exponent : most);
}

/* Whether the shape of a box is nearer than the radius of a circle too large or too small. */
static bool is_nearer(const bs_world *w, const bs_shape *circle, uint32_t box) {
    const double scale = 0x1p-600;
    bs_shape shape;
    bs_world_shape(w, box, &shape);
    return bs_shape_distance(circle->centre, &shape, scale) < circle->radius * scale;
}

/* Boxes by their rects; and where there are shapes, also by these. */
static void keep_those_nearer(const bs_world *w, const bs_shape *circle, bs_list *list) {
    const double scale = scale_for(circle->radius);
    const double square = circle->radius * scale * (circle->radius * scale);
    const bool is_shape = bs_rect_is_query(&circle->rect);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        uint32_t box = list->at[i];
        list->at[n] = box;
        n += bs_distance2(circle->centre, &w->rect[box], scale) < square &&
             (!bs_has_shape(w, box) ||
              (is_shape ? bs_shape_overlaps_box(w, circle, box) : is_nearer(w, circle, box)));
    }
    list->n = n;
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
    if (radius == 0) {
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
 * Distances are compared by keys in the same order. Most keys are those of the square of a
 * distance, which is known more exactly. The squares of the smallest and of the largest distances
 * are no doubles. Their keys come before and behind, by the distance in a space that is scaled so
 * that they are doubles.
 */
#define LEAST_SQUARE 0x1p-1000
#define MOST_SQUARE 0x1p1000 /* The first one that is too large. */
#define TINY_SCALE 0x1p600
#define HUGE_SCALE 0x1p-600

static bool has_key(double square) {
    return square >= LEAST_SQUARE && square < MOST_SQUARE;
}

static double scale_of(double square) {
    return square < LEAST_SQUARE ? TINY_SCALE : HUGE_SCALE;
}

static uint64_t key_of_square(double square) {
    const uint64_t tiny = bs_key_of(0x1p-500 * TINY_SCALE); /* So many keys are before these. */
    return tiny + bs_key_of(square) - bs_key_of(LEAST_SQUARE);
}

/* The key of a distance, times its scale, whose square has none. */
static uint64_t key_of_scaled(double distance, double scale) {
    if (scale > 1) {
        return bs_key_of(distance);
    }
    assert(isfinite(distance));
    return key_of_square(MOST_SQUARE) + bs_key_of(distance) - bs_key_of(0x1p500 * HUGE_SCALE);
}

/* The key of a distance, which may be infinite. */
static uint64_t key_of_distance(double distance) {
    const double square = distance * distance;
    const double scale = scale_of(square);
    if (isinf(distance)) {
        return UINT64_MAX;
    }
    return has_key(square) ? key_of_square(square) : key_of_scaled(distance * scale, scale);
}

/* The distance from a point to the shape of a box, never less than to its rectangle. */
static double distance_to_shape(const bs_world *w, const double point[DIM], uint32_t box,
                                double scale) {
    bs_shape shape;
    bs_world_shape(w, box, &shape);
    return bs_shape_distance(point, &shape, scale);
}

/* The square of the distance from a point to a box, or to its shape. */
static double square_to(const bs_world *w, const double point[DIM], uint32_t box) {
    double square = bs_distance2(point, &w->rect[box], 1);
    if (bs_has_shape(w, box)) {
        double d = distance_to_shape(w, point, box, 1);
        square = bs_max(d * d, square);
    }
    return square;
}

/* The distance, times the scale. */
static double scaled_to(const bs_world *w, const double point[DIM], uint32_t box, double scale) {
    double distance = sqrt(bs_distance2(point, &w->rect[box], scale));
    if (bs_has_shape(w, box)) {
        distance = bs_max(distance_to_shape(w, point, box, scale), distance);
    }
    return distance;
}

static uint64_t key_to(const bs_world *w, const double point[DIM], uint32_t box) {
    const double square = square_to(w, point, box);
    if (has_key(square)) {
        return key_of_square(square);
    }
    const double scale = scale_of(square);
    return key_of_scaled(scaled_to(w, point, box, scale), scale);
}

double bs_world_distance(const bs_world *w, uint32_t box, const double point[DIM]) {
    const double square = square_to(w, point, box);
    if (has_key(square)) {
        return sqrt(square);
    }
    const double scale = scale_of(square);
    return scaled_to(w, point, box, scale) / scale;
}

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
    const uint64_t most = key_of_distance(r);
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        assert(n <= i);
        uint64_t key = key_to(w, point, out->at[i]);
        keyed[n] = (bs_keyed){key, out->at[i]};
        n += key <= most;
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
 * size; if its square is no double, as far as the first call. This only decides how fast that
 * answer is found.
 */
static double guess_reach(const double point[DIM], const bs_rect *farthest) {
    double reach = fmax(1.5 * sqrt(bs_distance2(point, farthest, 1)), farthest->size[0]);
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
