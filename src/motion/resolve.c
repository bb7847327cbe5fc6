/* resolve.c: pushes a box out of what it overlaps, wherever it came from; by queries. */
#include "motion.h"

#include <string.h>

/*
 * Moves r by push. Rounding can leave it inside by some units in the last place of the largest
 * number involved. Then it goes on by these, in doubling steps, so that this always ends.
 */
static void move_out(bs_rect *r, const bs_rect *other, const double push[DIM]) {
    assert(bs_rect_is_box(r) && bs_overlap(r, other));
    for (int k = 0; k < DIM; k++) {
        double largest = fmax(fmax(fabs(r->pos[k]), fabs(bs_far(r, k))), r->size[k]);
        double step = fmax(largest * DBL_EPSILON, DBL_TRUE_MIN);
        r->pos[k] += push[k];
        /* NOLINTNEXTLINE(cert-flp30-c): the step doubles */
        for (; push[k] != 0 && bs_overlap(r, other); step *= 2) {
            r->pos[k] += push[k] > 0 ? step : -step;
        }
    }
}

/* A push along one axis, and the box from which it separates the other one. */
typedef struct way_out {
    uint32_t box; /* BS_NO_BOX: none */
    double push[DIM];
    double length;
} way_out;

/* Takes this push along an axis instead, if it is shorter. */
static void shorten(way_out *way, uint32_t box, int axis, double push) {
    if (way->box == BS_NO_BOX || fabs(push) < way->length) {
        way->box = box;
        way->length = fabs(push);
        memset(way->push, 0, sizeof way->push);
        way->push[axis] = push;
    }
}

/*
 * The shortest push that separates r from all boxes that it overlaps: out of the one that reaches
 * farthest that way. Ties go to the lower axis, and there to the negative direction.
 */
static way_out common_way(const bs_world *w, const bs_rect *r, const bs_list *among) {
    way_out way = {.box = BS_NO_BOX};
    uint32_t low[DIM] = {0};
    uint32_t high[DIM] = {0};
    bool some = false;
    for (size_t i = 0; i < among->n; i++) {
        uint32_t box = among->at[i];
        const bs_rect *other = &w->rect[box];
        if (!bs_overlap(r, other)) {
            continue;
        }
        for (int k = 0; k < DIM; k++) {
            low[k] = some && w->rect[low[k]].pos[k] <= other->pos[k] ? low[k] : box;
            high[k] = some && bs_far(&w->rect[high[k]], k) >= bs_far(other, k) ? high[k] : box;
        }
        some = true;
    }
    for (int k = 0; some && k < DIM; k++) {
        shorten(&way, low[k], k, w->rect[low[k]].pos[k] - bs_far(r, k));
        shorten(&way, high[k], k, bs_far(&w->rect[high[k]], k) - r->pos[k]);
    }
    assert(!some || way.length > 0);
    return way;
}

/* The push out of the box that r overlaps least, except those that it has left already. */
static way_out least_way(const bs_world *w, const bs_rect *r, const bs_list *among,
                         const bs_list *left) {
    way_out way = {.box = BS_NO_BOX};
    for (size_t i = 0; i < among->n; i++) {
        double push[DIM];
        uint32_t box = among->at[i];
        if (bs_separation(r, &w->rect[box], push) && !bs_list_has(left, box)) {
            for (int k = 0; k < DIM; k++) {
                if (push[k] != 0) {
                    shorten(&way, box, k, push[k]);
                }
            }
        }
    }
    return way;
}

/* Whether all boxes that r overlaps would push it the same way; then they do so together. */
static bool all_push_alike(const bs_world *w, const bs_rect *r, const bs_list *among) {
    double first[DIM] = {0};
    bool some = false;
    for (size_t i = 0; i < among->n; i++) {
        double push[DIM];
        if (!bs_separation(r, &w->rect[among->at[i]], push)) {
            continue;
        }
        for (int k = 0; k < DIM; k++) {
            first[k] = some ? first[k] : push[k];
            if ((first[k] < 0) != (push[k] < 0) || (first[k] > 0) != (push[k] > 0)) {
                return false;
            }
        }
        some = true;
    }
    return true;
}

/*
 * How far pushes out of one box after the other take r in all, the least overlap first. It stops at
 * `limit`, or if there are too many to look at.
 */
static double length_one_by_one(const bs_world *w, const bs_rect *r, const bs_list *among,
                                double limit) {
    assert(among->n > 0 && limit > 0);
    uint32_t boxes[BS_PUSHES_AHEAD];
    bs_list left = {.at = boxes};
    bs_rect at = *r;
    double sum = 0;
    size_t most = BS_BOXES_AHEAD / among->n;
    most = most < BS_PUSHES_AHEAD ? most : BS_PUSHES_AHEAD;
    while (left.n < most && sum < limit && bs_rect_is_box(&at)) {
        way_out way = least_way(w, &at, among, &left);
        if (way.box == BS_NO_BOX) {
            break;
        }
        move_out(&at, &w->rect[way.box], way.push);
        sum += way.length;
        left.at[left.n++] = way.box;
    }
    return sum;
}

/* --- shapes --------------------------------------------------------------------------------- */

/*
 * The push out of a box is no less than that, as far as is known. On a way its length changes by no
 * more than the length of that way, and the rounding of coordinates.
 */
static double least_depth(const bs_world *w, const bs_rect *r, uint32_t other) {
    const double depth = w->depth[other];
    const double rounding = bs_largest_coordinate(r, &w->rect[other]) * BS_PLACING;
    return depth > 0 ? depth - w->gone - rounding : 0;
}

/* Moves r by push, and on in doubling steps, until rounding does not leave it inside. */
static void move_shape_out(const bs_world *w, uint32_t box, bs_rect *r, uint32_t other,
                           const double push[DIM], double length) {
    bs_rect from = *r;
    double more = 0;
    double step = length * DBL_EPSILON;
    for (int k = 0; k < DIM; k++) {
        step = bs_max(fabs(r->pos[k]) * DBL_EPSILON, step);
    }
    step = bs_max(step, DBL_TRUE_MIN);
    do {
        for (int k = 0; k < DIM; k++) {
            r->pos[k] = from.pos[k] + push[k] + push[k] / length * more;
        }
        more = more > 0 ? 2 * more : step;
    } while (bs_rect_is_box(r) && bs_would_overlap(w, box, r, other));
}

/* Whether they are too many to look at each of them for each of them. */
static bool are_many(const bs_list *among) {
    return among->n * among->n > BS_BOXES_AHEAD;
}

/* Whether r, pushed like this, is out of all of them. */
static bool leaves_all(const bs_world *w, uint32_t box, const bs_rect *r, const bs_list *among) {
    for (size_t i = 0; i < among->n; i++) {
        if (bs_would_overlap(w, box, r, among->at[i])) {
            return false;
        }
    }
    return true;
}

/*
 * The shortest of the single pushes that leave all. If none does, or there are too many to try, the
 * shortest one. Then most boxes are passed over, as they are known to be deeper.
 */
static uint32_t push_shape_out(bs_world *w, uint32_t box, bs_rect *r, const bs_list *among) {
    uint32_t best = BS_NO_BOX;
    bs_rect to = *r;
    double least = HUGE_VAL;
    bool best_leaves = false;
    bool tries = !are_many(among);
    for (size_t i = 0; i < among->n; i++) {
        double push[DIM];
        uint32_t other = among->at[i];
        if (!tries && least_depth(w, r, other) > least) {
            continue;
        }
        double length = bs_push_out_of(w, box, r, other, &w->rect[other], push);
        if (!(length > 0)) {
            continue;
        }
        if (!tries) {
            w->depth[other] = length + w->gone;
        }
        bs_rect moved = *r;
        move_shape_out(w, box, &moved, other, push, length);
        bool leaves = tries && leaves_all(w, box, &moved, among);
        if (bs_rect_is_box(&moved) && leaves >= best_leaves &&
            (leaves > best_leaves || length < least)) {
            best = other;
            best_leaves = leaves;
            least = length;
            to = moved;
        }
    }
    *r = to;
    return best;
}

/* --- one push ------------------------------------------------------------------------------- */

/*
 * Moves r, the place that the box has come to, out of boxes of `among`. Returns the box beside
 * which r now is, or BS_NO_BOX if r overlaps none.
 */
static uint32_t push_out(bs_world *w, uint32_t box, bs_rect *r, const bs_list *among) {
    assert(bs_rect_is_box(r));
    if (w->state.shaped > 0 && (bs_has_shape(w, box) || bs_any_has_shape(w, among))) {
        return push_shape_out(w, box, r, among);
    }
    way_out way = common_way(w, r, among);
    if (way.box == BS_NO_BOX) {
        return BS_NO_BOX;
    }
    if (!all_push_alike(w, r, among) && length_one_by_one(w, r, among, way.length) < way.length) {
        way = least_way(w, r, among, NULL);
    }
    bs_rect moved = *r;
    move_out(&moved, &w->rect[way.box], way.push);
    if (!bs_rect_is_box(&moved)) {
        return BS_NO_BOX; /* No place outside is finite. */
    }
    assert(!bs_overlap(&moved, &w->rect[way.box]));
    *r = moved;
    return way.box;
}

/* Nothing is known of how deep it is in others. False: no memory. */
static bool begin_depths(bs_world *w) {
    size_t n = w->ids.used;
    if (!bs_array_reserve(&w->heap, &w->depth, &w->depth_cap, n, sizeof *w->depth)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        w->depth[i] = 0;
    }
    return true;
}

/* Finds what the box, at r, is in, and has not left yet, in the order of insertion. */
static bool find_within(bs_world *w, uint32_t box, const bs_rect *r, const bs_filter *filter,
                        bool knows_depths) {
    bs_list *list = &w->within;
    bs_shape shape;
    bs_world_shape_at(w, box, r, &shape);
    if (!bs_world_find_in(w, &shape.rect, box, list)) {
        return false;
    }
    BS_KEEP(list, other,
            bs_filter_passes(w, filter, other) && *bs_table_value(&w->left, other) == 0);
    if (!bs_world_sort(w, list)) {
        return false;
    }
    BS_KEEP(list, other,
            w->state.shaped == 0 || (knows_depths && least_depth(w, r, other) > 0) ||
                bs_shape_overlaps_box(w, &shape, other));
    /* The host is asked last. */
    BS_KEEP(list, other, !bs_is_sensed(w, box, other) && bs_filter_accepts(filter, other));
    return true;
}

bs_status bs_world_resolve(bs_world *w, uint32_t box, const bs_filter *filter, double push[DIM],
                           uint32_t *n) {
    assert(bs_world_alive(w, box));
    bs_rect r = w->rect[box];
    bs_filter others = *filter;
    others.self = box;
    bool knows_depths = false;
    bs_table_clear(&w->left);
    w->gone = 0;
    *n = 0;
    for (;;) {
        if (!bs_table_reserve(&w->heap, &w->left, *n + 1) ||
            !find_within(w, box, &r, &others, knows_depths)) {
            return BS_NO_MEMORY;
        }
        if (!knows_depths && w->state.shaped > 0 && are_many(&w->within)) {
            if (!begin_depths(w)) {
                return BS_NO_MEMORY;
            }
            knows_depths = true;
        }
        bs_rect from = r;
        uint32_t left = push_out(w, box, &r, &w->within);
        if (left == BS_NO_BOX) {
            break;
        }
        assert(left != box && *n < w->state.count);
        *bs_table_value(&w->left, left) = ++*n;
        bs_minus(r.pos, from.pos, push);
        w->gone += bs_length(push);
    }
    bs_minus(r.pos, w->rect[box].pos, push);
    w->within.n = 0;
    bs_table_clear(&w->left);
    bs_world_update(w, box, &r);
    return BS_OK;
}
