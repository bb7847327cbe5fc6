/*
 * sweep_order.c: the order of the lanes: made anew, and repaired before a question is answered.
 *
 * When boxes have moved, all are read again, strip by strip, and insertion sort puts those right
 * that have passed a neighbour: O(n), as there are few. A box that has moved far or into another
 * strip goes to the tail. When the tail is too long, or the plan does not suit any more, everything
 * is made anew: boxes are dealt out to their strips, and each strip is sorted by itself.
 */
#include "sweep_parts.h"

bool bs_sweep_reserve(bs_sweeper *s, size_t lanes) {
    if (lanes <= s->room) {
        return true;
    }
    bs_heap *heap = s->base.heap;
    if (!bs_array_reserve(heap, &s->lane.id, &s->id_cap, lanes, sizeof *s->lane.id)) {
        return false;
    }
    size_t room = s->id_cap;
    for (int k = 0; k < DIM; k++) {
        if (!bs_array_reserve(heap, &s->lane.lo[k], &s->lo_cap[k], lanes, sizeof(float)) ||
            !bs_array_reserve(heap, &s->lane.hi[k], &s->hi_cap[k], lanes, sizeof(float))) {
            return false;
        }
        room = s->lo_cap[k] < room ? s->lo_cap[k] : room;
        room = s->hi_cap[k] < room ? s->hi_cap[k] : room;
    }
    assert(room >= lanes);
    s->room = room;
    return true;
}

/* --- what strips span, and what is long ----------------------------------------------------- */

/* Lists the long boxes among lanes begin .. end - 1; false if the list is full. */
static bool sweep_list_long(bs_sweeper *s, size_t begin, size_t end) {
    assert(begin <= end && (begin == end || end + BS_SWEEP_PAD <= s->room));
    bs_list *list = &s->long_boxes;
    bs_f8 reach = bs_f8_set(s->reach);
    for (size_t at = begin; at < end; at += BS_LANES) {
        bs_f8 back = bs_f8_sub(bs_f8_load(s->lane.hi[BS_SWEEP_ALONG] + at), reach);
        unsigned mask = ~bs_f8_le(back, bs_f8_load(s->lane.lo[BS_SWEEP_ALONG] + at)) & BS_ALL_LANES;
        if (mask != 0) {
            if (list->n + 2 * BS_LANES > list->cap) {
                return false;
            }
            bs_append(list, s->lane.id + at, mask);
        }
    }
    return true;
}

static void sweep_list_all_long(bs_sweeper *s) {
    bool done = true;
    s->long_boxes.n = 0;
    for (size_t t = 0; t < s->strips; t++) {
        s->strip[t].long_begin = (uint32_t)s->long_boxes.n;
        done = done && sweep_list_long(s, s->strip[t].begin, s->strip[t].end);
    }
    if (!done) { /* then none shall count as long: correct, but slow */
        s->reach = INFINITY;
        s->replan = true;
        s->long_boxes.n = 0;
        for (size_t t = 0; t < s->strips; t++) {
            s->strip[t].long_begin = 0;
        }
    }
}

static void sweep_measure(bs_sweeper *s) {
    for (size_t t = 0; t < s->strips; t++) {
        bs_sweep_strip *strip = &s->strip[t];
        bs_f8 low = bs_f8_set(INFINITY);
        bs_f8 high = bs_f8_set(-INFINITY);
        for (size_t at = strip->begin; at < strip->end; at += BS_LANES) {
            low = bs_f8_min(low, bs_f8_load(s->lane.lo[BS_SWEEP_ACROSS] + at));
            high = bs_f8_max(high, bs_f8_load(s->lane.hi[BS_SWEEP_ACROSS] + at));
        }
        strip->low = bs_f8_least(low);
        strip->high = bs_f8_greatest(high);
        float before = t > 0 ? strip[-1].most : -INFINITY;
        strip->most = strip->high > before ? strip->high : before;
        assert(strip->most >= strip->high && strip->most >= before);
    }
    float least = INFINITY;
    for (size_t t = s->strips; t-- > 0;) {
        least = s->strip[t].low < least ? s->strip[t].low : least;
        s->strip[t].least = least;
        assert(t + 1 == s->strips || least <= s->strip[t + 1].least);
    }
    sweep_list_all_long(s);
}

/* --- making the order anew ------------------------------------------------------------------ */

enum { FETCHED = 2 * BS_AHEAD }; /* boxes; their rects are anywhere in memory */

static void sweep_empty_strips(bs_sweeper *s) {
    for (size_t t = 0; t < s->strips; t++) {
        s->strip[t].begin = s->strip[t].end = 0;
    }
}

/* Moves the ids of all boxes to the first lanes, in their order. Bounds are left behind. */
static size_t sweep_gather(bs_sweeper *s) {
    size_t n = 0;
    for (size_t at = 0; at < s->end; at++) {
        uint32_t box = s->lane.id[at];
        s->lane.id[n] = box;
        n += box != BS_SWEEP_NOBODY;
    }
    assert(n == s->base.count);
    sweep_empty_strips(s);
    s->tail = 0;
    s->end = n;
    s->dead = 0;
    return n;
}

/* After sweep_gather: all boxes are in the tail, which needs no memory. */
static void sweep_scatter(bs_sweeper *s) {
    assert(s->tail == 0 && s->dead == 0 && s->end == s->base.count);
    for (size_t at = 0; at < s->end; at++) {
        uint32_t box = s->lane.id[at];
        bs_bounds b = bs_sweep_bounds(s, box);
        bs_sweep_put(s, at, &b, box);
    }
    bs_sweep_clear(s, s->end, s->end + BS_SWEEP_PAD);
    sweep_measure(s);
}

/* The strip into whose edges x falls; `guess` is tried first. */
static size_t sweep_strip_for(const bs_sweeper *s, float x, size_t guess) {
    const bs_sweep_strip *strip = s->strip;
    assert(guess < s->strips && strip[0].edge == -INFINITY);
    if (strip[guess].edge <= x && (guess + 1 == s->strips || x < strip[guess + 1].edge)) {
        return guess;
    }
    size_t first = 0; /* its edge is -infinity */
    for (size_t n = s->strips; n > 1;) {
        size_t half = n / 2;
        first += strip[first + half].edge <= x ? half : 0;
        n -= half;
    }
    assert(strip[first].edge <= x && (first + 1 == s->strips || x < strip[first + 1].edge));
    return first;
}

/*
 * Finds the strip of each of the n boxes. Keys and strips go into the lanes' bounds, which are free
 * now; in each strip, `end` becomes the number of its boxes. Returns the number of the largest.
 */
static size_t sweep_assign(bs_sweeper *s, size_t n) {
    float *key = s->lane.lo[0];
    float *number = s->lane.hi[0]; /* exact: there are far less than 2^24 strips */
    const bs_rect *rect = s->base.boxes->rect;
    size_t strip = 0;
    sweep_empty_strips(s);
    for (size_t i = 0; i < n; i++) {
        bs_boxes_fetch_ahead(rect, s->lane.id[i + FETCHED < n ? i + FETCHED : i]);
        const bs_rect *r = &rect[s->lane.id[i]];
        key[i] = bs_round(r->pos[s->axis[BS_SWEEP_ALONG]]);
        strip = sweep_strip_for(s, bs_round(r->pos[s->axis[BS_SWEEP_ACROSS]]), strip);
        number[i] = (float)strip;
        assert((size_t)number[i] == strip);
        s->strip[strip].end++;
    }
    size_t longest = 0;
    for (size_t t = 0; t < s->strips; t++) {
        longest = s->strip[t].end > longest ? s->strip[t].end : longest;
    }
    assert(longest * s->strips >= n);
    return longest;
}

/* The items of each strip, one strip after the other, in the order of the lanes. */
static void sweep_distribute(bs_sweeper *s, size_t n) {
    uint32_t begin = 0;
    for (size_t t = 0; t < s->strips; t++) {
        uint32_t count = s->strip[t].end;
        s->strip[t].begin = s->strip[t].end = begin;
        begin += count;
    }
    assert(begin == n && n <= s->item_cap);
    for (size_t i = 0; i < n; i++) {
        bs_sweep_strip *strip = &s->strip[(size_t)s->lane.hi[0][i]];
        assert(strip < s->strip + s->strips && strip->end < n);
        s->item[strip->end++] = (bs_sweep_item){s->lane.lo[0][i], s->lane.id[i]};
    }
}

/* Sorts each strip and writes its lanes. */
static void sweep_write(bs_sweeper *s) {
    const bs_rect *rect = s->base.boxes->rect;
    size_t at = 0;
    for (size_t t = 0; t < s->strips; t++) {
        bs_sweep_strip *strip = &s->strip[t];
        bs_sweep_item *item = s->item + strip->begin;
        size_t n = strip->end - strip->begin;
        bs_sweep_sort(item, n, s->spare);
        strip->begin = (uint32_t)at;
        for (size_t i = 0; i < n; i++) {
            bs_boxes_fetch_ahead(rect, item[i + FETCHED < n ? i + FETCHED : i].box);
            bs_bounds b = bs_sweep_bounds(s, item[i].box);
            assert(b.lo[BS_SWEEP_ALONG] == item[i].key &&
                   (i == 0 || item[i - 1].key <= item[i].key));
            bs_sweep_put(s, at++, &b, item[i].box);
        }
        strip->end = (uint32_t)at;
        bs_sweep_clear(s, at, at + BS_SWEEP_PAD);
        at += BS_SWEEP_PAD;
    }
    assert(at == s->base.count + s->strips * BS_SWEEP_PAD);
    s->tail = s->end = at;
    bs_sweep_clear(s, at, at + BS_SWEEP_PAD);
    sweep_measure(s);
}

static bool sweep_plan_is_due(const bs_sweeper *s, size_t n) {
    return s->strips == 0 || s->replan || n > s->planned + s->planned / 2 || n < s->planned / 2;
}

/* All of the memory that is needed, and what has to be known for it. */
static bool sweep_prepare(bs_sweeper *s, size_t n) {
    bs_heap *heap = s->base.heap;
    if (!bs_array_reserve(heap, &s->item, &s->item_cap, n, sizeof *s->item) ||
        (sweep_plan_is_due(s, n) && !bs_sweep_make_plan(s, n))) {
        return false;
    }
    assert(s->strips > 0 && n == s->base.count);
    size_t longest = sweep_assign(s, n);
    size_t lanes = n + (s->strips + 2) * BS_SWEEP_PAD + bs_sweep_tail_limit(s);
    s->long_boxes.n = 0;
    return bs_array_reserve(heap, &s->spare, &s->spare_cap, longest, sizeof *s->spare) &&
           bs_list_reserve(heap, &s->long_boxes, n / 8 + BS_LANES) && bs_sweep_reserve(s, lanes);
}

/*
 * Gives every box its place, from whatever state. Without memory all boxes end up in the tail: that
 * is valid, too. O(n) if not much has changed, else O(n log n).
 */
static bool sweep_rebuild(bs_sweeper *s) {
    size_t n = sweep_gather(s);
    s->stale = s->misplaced = false;
    if (n == 0) {
        sweep_scatter(s);
        return true;
    }
    if (!sweep_prepare(s, n)) {
        sweep_empty_strips(s);
        sweep_scatter(s);
        return false;
    }
    sweep_distribute(s, n);
    sweep_write(s);
    s->rebuilds++;
    s->asked = 0;
    return true;
}

/* --- keeping the order ---------------------------------------------------------------------- */

/*
 * For a box with minima x and y that is not simply to stand in lane `at`, the next free one of the
 * strip: it has to go some lanes back, or, if it has moved far, to the tail. Returns the lane,
 * BS_SWEEP_NOBODY if there is none.
 */
BS_COLD size_t sweep_place(bs_sweeper *s, const bs_sweep_strip *strip, size_t at, float x,
                           float y) {
    assert(bs_sweep_in_strip(strip, at));
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    bool far = at - strip->begin > BS_SWEEP_NEAR && lo[at - BS_SWEEP_NEAR] > x;
    if (!far && bs_sweep_is_near(s, strip, y, 8 * s->slack)) {
        return bs_sweep_open(s, strip->begin, at, x);
    }
    return bs_sweep_extend(s);
}

/*
 * Reads the bounds of a strip's boxes anew and restores the order among them. False, with all ids
 * still in their lanes, if it cannot. Counts the boxes that are beyond the strip's edges.
 */
static bool sweep_refresh_strip(bs_sweeper *s, bs_sweep_strip *strip, size_t *strays) {
    bs_sweep_lanes lane = s->lane;
    const bs_rect *rect = s->base.boxes->rect;
    const float edge = strip->edge - s->slack;
    const float upper_edge = bs_sweep_upper_edge(s, strip) + s->slack;
    const size_t begin = strip->begin, end = strip->end;
    int axis[DIM];
    memcpy(axis, s->axis, sizeof axis);
    size_t to = begin;
    for (size_t at = begin; at < end; at++) {
        uint32_t box = lane.id[at];
        bs_boxes_fetch_ahead(rect, lane.id[at + FETCHED < end ? at + FETCHED : at]);
        if (box == BS_SWEEP_NOBODY) {
            continue;
        }
        bs_bounds b = bs_sweep_bounds_of(&rect[box], axis);
        bool inside = edge <= b.lo[BS_SWEEP_ACROSS] && b.lo[BS_SWEEP_ACROSS] <= upper_edge;
        size_t place = to;
        if (!inside || (to > begin && lane.lo[BS_SWEEP_ALONG][to - 1] > b.lo[BS_SWEEP_ALONG])) {
            *strays += !inside;
            place = sweep_place(s, strip, to, b.lo[BS_SWEEP_ALONG], b.lo[BS_SWEEP_ACROSS]);
            if (place == BS_SWEEP_NOBODY) {
                memset(lane.id + to, 0xff, (at - to) * sizeof *lane.id); /* BS_SWEEP_NOBODY */
                return false;
            }
        }
        assert(to <= at && (place <= to || place >= s->tail));
        to += place <= to;
        bs_sweep_set(&lane, place, &b, box);
        if (place != at) { /* else it is known, and the position may not be in the cache */
            s->position[box] = (uint32_t)place;
        }
    }
    bs_sweep_clear(s, to, end);
    strip->end = (uint32_t)to;
    return true;
}

/* Reads all bounds anew and repairs the order. False: too much has changed for that. O(n). */
static bool sweep_refresh(bs_sweeper *s) {
    for (size_t at = s->tail; at < s->end; at++) {
        assert(s->lane.id[at] != BS_SWEEP_NOBODY);
        bs_bounds b = bs_sweep_bounds(s, s->lane.id[at]);
        bs_sweep_put(s, at, &b, s->lane.id[at]);
    }
    size_t strays = 0;
    for (size_t t = 0; t < s->strips; t++) {
        if (!sweep_refresh_strip(s, &s->strip[t], &strays)) {
            return false;
        }
    }
    sweep_measure(s);
    s->misplaced = strays > 8 + s->base.count / 32;
    s->stale = false;
    s->dead = 0;
    return true;
}

bool bs_sweep_tidy(bs_sweeper *s, size_t tail) {
    assert(s->tail <= s->end && s->end - s->tail <= s->base.count);
    bool rebuild = s->end - s->tail > tail;
    if (s->touched) {
        rebuild |= s->misplaced || s->replan;
        if (!rebuild && (s->stale || s->dead > 64 + s->base.count / 8)) {
            rebuild = !sweep_refresh(s) || s->end - s->tail > tail;
        }
    }
    s->changes = 0;
    if (rebuild && !sweep_rebuild(s)) {
        return false;
    }
    s->touched = false;
    assert(!s->stale && s->end - s->tail <= tail);
    return true;
}
