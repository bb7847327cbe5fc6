/*
 * sweep_query.c: what overlaps a rectangle.
 *
 * Of each strip that the rectangle meets, the lanes from the first one that may reach it up to the
 * last one that begins before its end, eight at a time; and of the long boxes, which may begin
 * before those, all. The tail is looked through.
 */
#include "sweep_parts.h"

/* Those of the eight lanes from `at` on whose boxes overlap r, exactly. `q` is bs_bounds_of(r). */
BS_HOT unsigned sweep_overlap(const bs_sweep_lanes *lane, size_t at, const bs_boxes *boxes,
                              const bs_rect *r, const bs_bounds *q) {
    const bs_bounds8 of_r = bs_bounds8_set(q->lo, q->hi, 1);
    const bs_eight eight = bs_sweep_eight(lane, at);
    return bs_overlaps(bs_apart(&of_r, &eight), lane->id + at, boxes, r);
}

/* Appends what overlaps r among the lanes from `at` on that begin before its end. */
static bool sweep_query_lanes(const bs_sweeper *s, size_t at, const bs_rect *r, const bs_bounds *q,
                              bs_list *out) {
    enum { AT_ONCE = 16 };
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    while (lo[at] <= q->hi[BS_SWEEP_ALONG]) {
        if (!bs_list_reserve(s->base.heap, out, AT_ONCE * BS_LANES)) {
            return false;
        }
        for (int i = 0; i < AT_ONCE && lo[at] <= q->hi[BS_SWEEP_ALONG]; i++) {
            assert(at + BS_LANES < s->room);
            bs_append(out, s->lane.id + at, sweep_overlap(&s->lane, at, s->base.boxes, r, q));
            at += BS_LANES;
        }
    }
    return true;
}

/* The long boxes of a strip that begin before `from`. */
static bool sweep_query_long(const bs_sweeper *s, const bs_sweep_strip *strip, const bs_rect *r,
                             float from, bs_list *out) {
    for (size_t i = strip->long_begin; i < bs_sweep_long_end(s, strip); i++) {
        uint32_t box = s->long_boxes.at[i];
        size_t at = s->position[box];
        assert(!bs_sweep_in_strip(strip, at) || s->lane.id[at] == box);
        if (bs_sweep_in_strip(strip, at) && s->lane.lo[BS_SWEEP_ALONG][at] < from &&
            bs_overlap(&s->base.boxes->rect[box], r) && !bs_list_add(s->base.heap, out, box)) {
            return false;
        }
    }
    return true;
}

static bool sweep_query_strips(const bs_sweeper *s, const bs_rect *r, const bs_bounds *q,
                               bs_list *out) {
    assert(q->lo[BS_SWEEP_ALONG] <= q->hi[BS_SWEEP_ALONG] && s->reach >= 0);
    float from = q->lo[BS_SWEEP_ALONG] - s->reach;
    size_t last = bs_sweep_first_behind(s, q->hi[BS_SWEEP_ACROSS]);
    for (size_t t = bs_sweep_first_reaching(s, q->lo[BS_SWEEP_ACROSS]); t < last; t++) {
        const bs_sweep_strip *strip = &s->strip[t];
        if (strip->low > q->hi[BS_SWEEP_ACROSS] || strip->high < q->lo[BS_SWEEP_ACROSS]) {
            continue;
        }
        size_t at = bs_sweep_lower(s->lane.lo[BS_SWEEP_ALONG], strip->begin, strip->end, from);
        if (!sweep_query_lanes(s, at, r, q, out) || !sweep_query_long(s, strip, r, from, out)) {
            return false;
        }
    }
    return true;
}

static bool sweep_query_tail(const bs_sweeper *s, const bs_rect *r, const bs_bounds *q,
                             size_t first, bs_list *out) {
    assert(first >= s->tail && (first >= s->end || s->end + BS_SWEEP_PAD <= s->room));
    for (size_t at = first; at < s->end; at += BS_LANES) {
        if (!bs_list_reserve(s->base.heap, out, BS_LANES)) {
            return false;
        }
        bs_append(out, s->lane.id + at, sweep_overlap(&s->lane, at, s->base.boxes, r, q));
    }
    return true;
}

bool bs_sweep_find(const bs_sweeper *s, const bs_rect *r, size_t tail, bs_list *out) {
    bs_bounds q = bs_sweep_bounds_of(r, s->axis);
    return sweep_query_strips(s, r, &q, out) && sweep_query_tail(s, r, &q, tail, out);
}

bool bs_sweep_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    return bs_sweep_tidy(s, bs_sweep_tail_limit(s)) && bs_sweep_find(s, r, s->tail, out);
}
