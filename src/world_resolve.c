#include "world_parts.h"

/*
 * Moves r by push. Rounding can leave it inside by some units in the last place of the largest
 * number involved; then it goes on by those, in doubling steps, so that this always ends.
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

static double length(const double push[DIM]) {
    double sum = 0; /* all but one are 0 */
    for (int k = 0; k < DIM; k++) {
        sum += fabs(push[k]);
    }
    return sum;
}

uint32_t bs_world_push_out(const bs_world *w, bs_rect *r, const bs_list *among) {
    assert(bs_rect_is_box(r));
    uint32_t least = BS_NO_BOX;
    double least_push[DIM] = {0};
    for (size_t i = 0; i < among->n; i++) {
        double push[DIM];
        if (bs_separation(r, &w->rect[among->at[i]], push) &&
            (least == BS_NO_BOX || length(push) < length(least_push))) {
            least = among->at[i];
            memcpy(least_push, push, sizeof push);
        }
    }
    if (least == BS_NO_BOX) {
        return BS_NO_BOX;
    }
    bs_rect moved = *r;
    move_out(&moved, &w->rect[least], least_push);
    if (!bs_rect_is_box(&moved)) {
        return BS_NO_BOX; /* there is no finite place outside */
    }
    assert(!bs_overlap(&moved, &w->rect[least]));
    *r = moved;
    return least;
}

/* Takes the boxes in `done` from the list, as each is left once. Both are in order of insertion. */
static void drop(const bs_world *w, bs_list *list, const bs_list *done) {
    size_t n = 0;
    for (size_t i = 0, j = 0; i < list->n; i++) {
        uint32_t box = list->at[i];
        while (j < done->n && bs_world_before(w, done->at[j], box)) {
            j++;
        }
        list->at[n] = box;
        n += j == done->n || done->at[j] != box;
    }
    list->n = n;
}

/* Adds a box where it belongs in the order of insertion; there is room for it. */
static void add_in_order(const bs_world *w, bs_list *list, uint32_t box) {
    assert(list->n < list->cap);
    size_t at = list->n++;
    for (; at > 0 && bs_world_before(w, box, list->at[at - 1]); at--) {
        list->at[at] = list->at[at - 1];
    }
    list->at[at] = box;
}

bs_status bs_world_resolve(bs_world *w, uint32_t box, const bs_filter *filter, double push[DIM],
                           uint32_t *n) {
    assert(bs_world_alive(w, box));
    bs_rect r = w->rect[box];
    bs_filter others = *filter;
    others.self = box;
    w->moved.n = 0;
    for (;;) {
        if (bs_world_query(w, &r, &others, &w->found) != BS_OK) {
            return BS_NO_MEMORY;
        }
        drop(w, &w->found, &w->moved);
        if (!bs_list_reserve(&w->heap, &w->moved, 1)) {
            return BS_NO_MEMORY;
        }
        uint32_t left = bs_world_push_out(w, &r, &w->found);
        if (left == BS_NO_BOX) {
            break;
        }
        assert(left != box && w->moved.n < w->count);
        add_in_order(w, &w->moved, left);
    }
    for (int k = 0; k < DIM; k++) {
        push[k] = r.pos[k] - w->rect[box].pos[k];
    }
    *n = (uint32_t)w->moved.n;
    bs_world_update(w, box, &r);
    return BS_OK;
}
