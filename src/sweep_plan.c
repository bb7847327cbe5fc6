/*
 * sweep_plan.c: which axis is sorted, where the strips are, and what counts as long.
 *
 * All of it follows from a sample of the boxes. The axis to sort is the one on which the fewest
 * pairs of the sample overlap, where others ask on which the boxes vary most (Ericson, "Real-time
 * collision detection", 2005, 7.5.2). A plan is kept until the number of boxes is quite another, or
 * until finding pairs takes much more, or much less, than soon after it was made.
 */
#include "sweep_parts.h"

static float sweep_place_of(const bs_rect *r, int axis) {
    return bs_round(r->pos[axis]);
}
static float sweep_length_of(const bs_rect *r, int axis) {
    return bs_round(bs_far(r, axis)) - bs_round(r->pos[axis]);
}

/* Every so many of the n boxes in the first lanes: their values, sorted, as items 0 .. m - 1. */
static void sweep_sample(bs_sweeper *s, size_t n, size_t m, float (*value)(const bs_rect *, int),
                         int axis) {
    assert(m > 0 && m <= n && m <= s->item_cap && m <= s->spare_cap);
    for (size_t i = 0; i < m; i++) {
        uint64_t at = (uint64_t)i * n / m; /* the product may not fit into a size_t */
        uint32_t box = s->lane.id[at];
        assert(box != BS_SWEEP_NOBODY);
        s->item[i] = (bs_sweep_item){value(&s->base.boxes->rect[box], axis), box};
    }
    bs_sweep_sort(s->item, m, s->spare);
}

/* How many pairs of the sample overlap on this axis. */
static double sweep_count_overlaps(bs_sweeper *s, size_t n, size_t m, int axis) {
    sweep_sample(s, n, m, sweep_place_of, axis);
    double overlaps = 0;
    for (size_t i = 0; i < m; i++) {
        float hi = bs_round(bs_far(&s->base.boxes->rect[s->item[i].box], axis));
        size_t first = i + 1;
        for (size_t left = m - first; left > 0;) {
            size_t half = (left + 1) / 2;
            first += s->item[first + half - 1].key <= hi ? half : 0;
            left -= half;
        }
        assert(first > i && first <= m);
        overlaps += (double)(first - i - 1);
    }
    return overlaps;
}

void bs_sweep_use_axis(bs_sweeper *s, int to, int k) {
    for (int i = 0; i < DIM; i++) {
        if (s->axis[i] == k) {
            s->axis[i] = s->axis[to];
        }
    }
    s->axis[to] = k;
    assert(s->axis[BS_SWEEP_ALONG] != s->axis[BS_SWEEP_ACROSS]);
}

/*
 * Sorts by the axis on which the fewest boxes overlap, and cuts the second best; a change must be
 * worth it. Returns how many pairs of the sample overlap on the first.
 */
static double sweep_choose_axes(bs_sweeper *s, size_t n, size_t m) {
    double overlaps[DIM];
    for (int k = 0; k < DIM; k++) {
        overlaps[k] = sweep_count_overlaps(s, n, m, k);
    }
    for (int to = s->fixed_axis < 0 ? BS_SWEEP_ALONG : BS_SWEEP_ACROSS; to < DIM - 1; to++) {
        for (int i = to + 1; i < DIM; i++) {
            if (overlaps[s->axis[i]] < 0.75 * overlaps[s->axis[to]]) {
                bs_sweep_use_axis(s, to, s->axis[i]);
            }
        }
    }
    assert(s->fixed_axis < 0 || s->axis[BS_SWEEP_ALONG] == s->fixed_axis);
    return overlaps[s->axis[BS_SWEEP_ALONG]];
}

/* `reach` covers all boxes if they are of about one length, else all but the longest 16th. */
static float sweep_choose_reach(bs_sweeper *s, size_t n, size_t m) {
    sweep_sample(s, n, m, sweep_length_of, s->axis[BS_SWEEP_ALONG]);
    float longest = s->item[m - 1].key;
    float most = s->item[m - 1 - m / 16].key;
    assert(most >= 0 && most <= longest);
    return (longest <= 2 * most ? longest : most) * 1.0625F;
}

/* Edges so that each strip has `each` of the sample, and none is lower than `height`. */
static void sweep_choose_edges(bs_sweeper *s, size_t m, size_t each, float height) {
    assert(each > 0 && height >= 0 && s->strip_cap > 0);
    size_t first = 0; /* of the strip at hand */
    s->strip[0].edge = -INFINITY;
    s->strips = 1;
    for (size_t i = 1; i < m; i++) {
        float x = s->item[i].key;
        assert(x >= s->item[i - 1].key);
        if (i - first >= each && x > s->item[first].key && x - s->item[first].key >= height) {
            assert(s->strips < s->strip_cap);
            s->strip[s->strips++].edge = x;
            first = i;
        }
    }
}

/*
 * So many strips that a box has some two boxes before it to look at in each, but none lower than
 * most boxes are high, as each strip that a box reaches into costs a search.
 */
bool bs_sweep_make_plan(bs_sweeper *s, size_t n) {
    const double ahead = 2.2;
    size_t m = n < 1024 + n / 32 ? n : 1024 + n / 32;
    assert(n > 0 && n <= s->item_cap);
    bs_heap *heap = s->base.heap;
    if (!bs_array_reserve(heap, &s->spare, &s->spare_cap, m, sizeof *s->spare) ||
        !bs_array_reserve(heap, &s->strip, &s->strip_cap, n / 32 + 2, sizeof *s->strip)) {
        return false;
    }
    double share = (double)m / (double)n;
    double strips = sweep_choose_axes(s, n, m) / (double)m / share / ahead;
    strips = bs_min(strips, (double)n / 32);
    s->reach = sweep_choose_reach(s, n, m);
    sweep_sample(s, n, m, sweep_length_of, s->axis[BS_SWEEP_ACROSS]);
    float height = s->item[m / 2].key * 0.75F;
    sweep_sample(s, n, m, sweep_place_of, s->axis[BS_SWEEP_ACROSS]);
    sweep_choose_edges(s, m, strips > 1 ? (size_t)((double)m / strips) + 1 : m, height);
    assert(s->strips > 0 && s->strips <= s->strip_cap && s->reach >= 0);
    s->slack = height / 4;
    s->planned = n;
    s->effort = 0;
    s->replan = false;
    return true;
}
