/*
 * sweep.c: sweep and prune, in strips.
 *
 * Boxes sorted by their minimum on one axis: a box overlaps none of those that begin behind its
 * end. The order is kept from call to call, and as boxes move little between two frames, it is
 * nearly sorted when they have moved: insertion sort repairs it in O(n). David Baraff, "Dynamic
 * simulation of non-penetrating rigid bodies", 1992; Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE",
 * 1995.
 *
 * On one axis alone too many boxes overlap as soon as there are some hundreds, so the sorted axis
 * is cut into strips across a second one: about sqrt(n) of them for boxes spread evenly. Which axis
 * is sorted, and where the strips are, follows from a sample of the boxes.
 *
 * Pairs O(n sqrt(n)) in theory, and about linear in practice; a query O(strips it meets * log n);
 * a box that changes goes to its new place if that is near, else to an unsorted tail.
 *
 *      sweep_order.h   lanes, strips, how they are chosen and kept in order
 *      sweep_join.h    pairs from sorted strips
 */
#include "sweep_join.h"

static bs_backend *sweep_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void sweep_destroy(bs_backend *backend) {
    sweep *s = sweep_of(backend);
    bs_heap *heap = backend->heap;
    for (int k = 0; k < DIM; k++) {
        bs_array_free(heap, &s->lane.lo[k], &s->lo_cap[k], sizeof(float));
        bs_array_free(heap, &s->lane.hi[k], &s->hi_cap[k], sizeof(float));
    }
    bs_array_free(heap, &s->lane.id, &s->id_cap, sizeof *s->lane.id);
    bs_array_free(heap, &s->position, &s->position_cap, sizeof *s->position);
    bs_array_free(heap, &s->strip, &s->strip_cap, sizeof *s->strip);
    bs_array_free(heap, &s->item, &s->item_cap, sizeof *s->item);
    bs_array_free(heap, &s->spare, &s->spare_cap, sizeof *s->spare);
    bs_list_free(heap, &s->long_boxes);
    bs_list_free(heap, &s->found);
    bs_heap_free(heap, s, sizeof *s);
}

/* --- changes -------------------------------------------------------------------------------- */

static bool sweep_insert(bs_backend *backend, uint32_t box) {
    sweep *s = sweep_of(backend);
    if (!sweep_reserve(s, s->end + 1 + SWEEP_PAD) ||
        !bs_array_reserve(backend->heap, &s->position, &s->position_cap, (size_t)box + 1,
                          sizeof *s->position)) {
        return false;
    }
    if (s->end == 0) {
        sweep_clear(s, 0, SWEEP_PAD);
    }
    assert(box < s->position_cap);
    bs_bounds b = sweep_bounds(s, box);
    bool done = sweep_append(s, &b, box);
    assert(done);
    (void)done;
    backend->count++;
    s->touched = true;
    return true;
}

static void sweep_remove(bs_backend *backend, uint32_t box) {
    sweep *s = sweep_of(backend);
    size_t at = s->position[box];
    assert(backend->count > 0 && at < s->end && s->lane.id[at] == box);
    if (at < s->tail) {
        sweep_kill(s, at);
    } else { /* the last box of the tail takes its place */
        s->end--;
        if (at < s->end) {
            sweep_copy(s, s->end, at);
        }
        sweep_clear(s, s->end, s->end + 1);
    }
    s->position[box] = SWEEP_NOBODY;
    backend->count--;
    s->touched = true;
}

/*
 * Few boxes are moved one by one; if they are many, all are looked at again at the next question.
 */
static void sweep_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    sweep *s = sweep_of(backend);
    s->touched = true;
    s->changes += n;
    s->stale |= s->changes > 8 + backend->count / 8;
    for (size_t i = 0; i < n && !s->stale; i++) {
        sweep_move(s, boxes[i]);
    }
}

/* --- queries -------------------------------------------------------------------------------- */

static bool sweep_list(const bs_backend *backend, bs_list *out) {
    const sweep *s = (const sweep *)backend;
    if (!bs_list_reserve(backend->heap, out, backend->count)) {
        return false;
    }
    for (size_t at = 0; at < s->end; at++) {
        out->at[out->n] = s->lane.id[at];
        out->n += s->lane.id[at] != SWEEP_NOBODY;
    }
    assert(out->n >= backend->count && out->n <= out->cap);
    return true;
}

/* Appends what overlaps r among the lanes from `at` on that begin before its end. */
static bool sweep_query_lanes(const sweep *s, size_t at, const bs_rect *r, const bs_bounds *q,
                              bs_list *out) {
    enum { AT_ONCE = 16 };
    const float *lo = s->lane.lo[SWEEP_ALONG];
    while (lo[at] <= q->hi[SWEEP_ALONG]) {
        if (!bs_list_reserve(s->base.heap, out, AT_ONCE * BS_LANES)) {
            return false;
        }
        for (int i = 0; i < AT_ONCE && lo[at] <= q->hi[SWEEP_ALONG]; i++) {
            assert(at + BS_LANES < s->room);
            bs_append(out, s->lane.id + at, sweep_overlap(&s->lane, at, s->base.boxes, r, q));
            at += BS_LANES;
        }
    }
    return true;
}

/* The long boxes of a strip that begin before `from`. */
static bool sweep_query_long(const sweep *s, const sweep_strip *strip, const bs_rect *r, float from,
                             bs_list *out) {
    for (size_t i = strip->long_begin; i < sweep_long_end(s, strip); i++) {
        uint32_t box = s->long_boxes.at[i];
        size_t at = s->position[box];
        assert(!sweep_in_strip(strip, at) || s->lane.id[at] == box);
        if (sweep_in_strip(strip, at) && s->lane.lo[SWEEP_ALONG][at] < from &&
            bs_overlap(&s->base.boxes->rect[box], r) && !bs_list_add(s->base.heap, out, box)) {
            return false;
        }
    }
    return true;
}

static bool sweep_query_strips(const sweep *s, const bs_rect *r, const bs_bounds *q, bs_list *out) {
    assert(q->lo[SWEEP_ALONG] <= q->hi[SWEEP_ALONG] && s->reach >= 0);
    float from = q->lo[SWEEP_ALONG] - s->reach;
    size_t last = sweep_first_behind(s, q->hi[SWEEP_ACROSS]);
    for (size_t t = sweep_first_reaching(s, q->lo[SWEEP_ACROSS]); t < last; t++) {
        const sweep_strip *strip = &s->strip[t];
        if (strip->low > q->hi[SWEEP_ACROSS] || strip->high < q->lo[SWEEP_ACROSS]) {
            continue;
        }
        size_t at = sweep_lower(s->lane.lo[SWEEP_ALONG], strip->begin, strip->end, from);
        if (!sweep_query_lanes(s, at, r, q, out) || !sweep_query_long(s, strip, r, from, out)) {
            return false;
        }
    }
    return true;
}

static bool sweep_query_tail(const sweep *s, const bs_rect *r, const bs_bounds *q, size_t first,
                             bs_list *out) {
    assert(first >= s->tail && (first >= s->end || s->end + SWEEP_PAD <= s->room));
    for (size_t at = first; at < s->end; at += BS_LANES) {
        if (!bs_list_reserve(s->base.heap, out, BS_LANES)) {
            return false;
        }
        bs_append(out, s->lane.id + at, sweep_overlap(&s->lane, at, s->base.boxes, r, q));
    }
    return true;
}

static bool sweep_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    sweep *s = sweep_of(backend);
    if (!sweep_tidy(s, sweep_tail_limit(s))) {
        return false;
    }
    bs_bounds q = sweep_bounds_of(r, s->axis);
    return sweep_query_strips(s, r, &q, out) && sweep_query_tail(s, r, &q, s->tail, out);
}

/* --- pairs ---------------------------------------------------------------------------------- */

/* Appends the pairs of a box and those in s->found. */
static bool sweep_pair_up(sweep *s, uint32_t box, bs_pairs *out) {
    if (!bs_pairs_reserve(s->base.heap, out, s->found.n)) {
        return false;
    }
    for (size_t i = 0; i < s->found.n; i++) {
        uint32_t other = s->found.at[i];
        assert(box != other);
        out->at[out->n++] = (bs_pair){box < other ? box : other, box < other ? other : box};
    }
    return true;
}

/*
 * The boxes in the lanes begin .. end - 1 of s against the strips of `in` and the part of its tail
 * from lane `tail` on, which is kept behind the asking box if both are the same.
 */
static bool sweep_ask(sweep *s, size_t begin, size_t end, sweep *in, size_t tail, bs_pairs *out) {
    assert(begin <= end && end <= s->end && s->base.boxes == in->base.boxes);
    for (size_t at = begin; at < end; at++) {
        uint32_t box = s->lane.id[at];
        if (box == SWEEP_NOBODY) {
            continue;
        }
        const bs_rect *r = &s->base.boxes->rect[box];
        bs_bounds q = sweep_bounds_of(r, in->axis);
        in->found.n = 0;
        if (!sweep_query_strips(in, r, &q, &in->found) ||
            !sweep_query_tail(in, r, &q, s == in ? at + 1 : tail, &in->found) ||
            !sweep_pair_up(in, box, out)) {
            return false;
        }
    }
    return true;
}

/* The plan no longer suits when much more has to be tested than soon after it was made. */
static void sweep_judge(sweep *s, size_t tests, size_t pairs) {
    double effort = (double)tests / ((double)s->base.count + (double)pairs / BS_LANES + 1);
    assert(effort >= 0 && s->effort >= 0);
    if (s->effort == 0) {
        s->effort = effort;
    }
    s->replan |= effort > 1.5 * s->effort || effort < 0.5 * s->effort;
}

/* A tail is looked up box by box, which costs more than giving so many a place. */
static size_t sweep_tail_limit_for_pairs(const sweep *s) {
    return 8 + s->base.count / 32;
}

static bool sweep_pairs(bs_backend *backend, bs_pairs *out) {
    sweep *s = sweep_of(backend);
    if (!sweep_tidy(s, sweep_tail_limit_for_pairs(s))) {
        return false;
    }
    size_t before = out->n;
    sweep_join j;
    sweep_join_begin(&j, s, s, out);
    for (size_t t = 0; t < s->strips; t++) {
        const sweep_strip *strip = &s->strip[t];
        size_t last = sweep_first_behind(s, strip->high);
        assert(j.task.n == 0 && last <= s->strips);
        if (!sweep_join_within(&j, strip) || !sweep_join_strip(&j, strip, t + 1, last) ||
            !sweep_join_long(&j, strip, 0, t)) {
            return false;
        }
    }
    assert(out->n >= before);
    sweep_judge(s, j.tests, out->n - before);
    return sweep_ask(s, s->tail, s->end, s, s->end, out);
}

/* The boxes in the strips of `rows` against those in the strips of `in`; of the same axes. */
static bool sweep_join_strips(sweep_join *j) {
    const sweep *rows = j->rows;
    for (size_t t = 0; t < rows->strips; t++) {
        const sweep_strip *strip = &rows->strip[t];
        size_t first = sweep_first_reaching(j->in, strip->low);
        size_t last = sweep_first_behind(j->in, strip->high);
        if (!sweep_join_strip(j, strip, first, last)) {
            return false;
        }
    }
    return true;
}

static bool sweep_join_all_long(sweep_join *j) {
    for (size_t t = 0; t < j->rows->strips; t++) {
        if (!sweep_join_long(j, &j->rows->strip[t], 0, j->in->strips)) {
            return false;
        }
    }
    return true;
}

static bool sweep_merge_cross(sweep *a, sweep *b, bs_pairs *out) {
    assert(a != b && memcmp(a->axis, b->axis, sizeof a->axis) == 0);
    sweep_join j;
    sweep_join_begin(&j, a, b, out);
    if (!sweep_join_strips(&j)) {
        return false;
    }
    sweep_join_begin(&j, b, a, out);
    return sweep_join_all_long(&j);
}

static bool sweep_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    sweep *a = sweep_of(backend);
    sweep *b = sweep_of(other);
    if (!sweep_tidy(a, sweep_tail_limit_for_pairs(a)) ||
        !sweep_tidy(b, sweep_tail_limit_for_pairs(b))) {
        return false;
    }
    sweep *fewer = a->base.count <= b->base.count ? a : b;
    sweep *more = fewer == a ? b : a;
    bool same = memcmp(a->axis, b->axis, sizeof a->axis) == 0;
    bool done = same ? sweep_merge_cross(a, b, out)
                     : sweep_ask(fewer, 0, fewer->tail, more, more->end, out);
    return done && sweep_ask(a, a->tail, a->end, b, b->tail, out) &&
           sweep_ask(b, b->tail, b->end, a, a->end, out);
}

/* --- casts ---------------------------------------------------------------------------------- */

/* What a cast passes of a strip, in both directions of the sorted axis. */
typedef struct sweep_passage {
    float from, to; /* where on the sorted axis; no further than the cast's limit */
    bool any;
} sweep_passage;

/*
 * Where on the sorted axis the moving box is while it is between the strip's `low` and `high`,
 * rounded outward by more than floats can be off, for the reasons given in cast.c.
 */
static sweep_passage sweep_passage_of(const sweep *s, const sweep_strip *strip, const bs_cast *c) {
    bs_bounds path = bs_cast_path_bounds(c);
    const int along = s->axis[SWEEP_ALONG];
    const int across = s->axis[SWEEP_ACROSS];
    assert(along != across && c->limit >= 0);
    double first = 0;
    double last = (double)c->limit;
    if (c->timed[across]) {
        float inverse = c->inverse[across];
        double low = (double)((strip->low - c->start.hi[across]) * inverse);
        double high = (double)((strip->high - c->start.lo[across]) * inverse);
        first = fmax(first, (inverse > 0 ? low : high) * (1 - 0x1p-19));
        last = fmin(last, (inverse > 0 ? high : low) * (1 + 0x1p-19) + 1e-30);
    }
    double x = c->from.pos[along];
    double d = c->motion[along];
    double lo = x + d * (d > 0 ? first : last);
    double hi = x + c->from.size[along] + d * (d > 0 ? last : first);
    double slack = fmax(fabs(lo), fabs(hi)) * 0x1p-22 + (double)FLT_MIN;
    sweep_passage p = {bs_round(lo - slack), bs_round(hi + slack), first <= last};
    p.from = p.from > path.lo[along] ? p.from : path.lo[along];
    p.to = p.to < path.hi[along] ? p.to : path.hi[along];
    return p;
}

/* Visits those of the eight lanes from `at` on that are in `among`. */
static void sweep_visit(const sweep *s, size_t at, unsigned among, bs_cast *cast) {
    assert(at + BS_LANES <= s->room);
    bs_block block;
    for (int k = 0; k < DIM; k++) {
        bs_f8_store(block.lo[s->axis[k]], bs_f8_load(s->lane.lo[k] + at));
        bs_f8_store(block.hi[s->axis[k]], bs_f8_load(s->lane.hi[k] + at));
    }
    memcpy(block.id, s->lane.id + at, sizeof block.id);
    bs_cast_visit_lanes(cast, &block, among);
}

/* The long boxes in lanes begin .. end - 1. */
static void sweep_cast_long(const sweep *s, const sweep_strip *strip, size_t begin, size_t end,
                            bs_cast *cast) {
    for (size_t i = strip->long_begin; i < sweep_long_end(s, strip); i++) {
        size_t at = s->position[s->long_boxes.at[i]];
        if (sweep_in_strip(strip, at) && begin <= at && at < end) {
            sweep_visit(s, at, 1, cast);
        }
    }
}

/* Against the order of the lanes. What a hit cuts off is not looked at any more. */
static void sweep_cast_down(const sweep *s, const sweep_strip *strip, size_t first, size_t at,
                            bs_cast *cast) {
    assert(strip->begin <= first && first <= at && at <= strip->end);
    const float *lo = s->lane.lo[SWEEP_ALONG];
    float limit = cast->limit;
    while (at > first) {
        size_t next = at - first > BS_LANES ? at - BS_LANES : first;
        sweep_visit(s, next, (1u << (at - next)) - 1, cast);
        at = next;
        if (cast->limit < limit) {
            limit = cast->limit;
            sweep_passage p = sweep_passage_of(s, strip, cast);
            size_t nearer = p.any ? sweep_lower(lo, first, at, p.from - s->reach) : at;
            sweep_cast_long(s, strip, first, nearer, cast);
            first = nearer;
        }
    }
}

static void sweep_cast_up(const sweep *s, const sweep_strip *strip, size_t at, float to,
                          bs_cast *cast) {
    const float *lo = s->lane.lo[SWEEP_ALONG];
    float limit = cast->limit;
    while (lo[at] <= to) {
        assert(sweep_in_strip(strip, at));
        sweep_visit(s, at, BS_ALL_LANES, cast);
        at += BS_LANES;
        if (cast->limit < limit) {
            limit = cast->limit;
            sweep_passage p = sweep_passage_of(s, strip, cast);
            to = p.any ? p.to : -INFINITY;
        }
    }
}

static void sweep_cast_strip(const sweep *s, const sweep_strip *strip, bs_cast *cast) {
    const float *lo = s->lane.lo[SWEEP_ALONG];
    sweep_passage p = sweep_passage_of(s, strip, cast);
    if (!p.any) {
        return;
    }
    size_t first = sweep_lower(lo, strip->begin, strip->end, p.from - s->reach);
    sweep_cast_long(s, strip, strip->begin, first, cast);
    if (cast->motion[s->axis[SWEEP_ALONG]] < 0) {
        size_t last = sweep_upper(lo, first, strip->end, 0, p.to);
        sweep_cast_down(s, strip, first, last, cast);
    } else {
        sweep_cast_up(s, strip, first, p.to, cast);
    }
}

static bool sweep_cast(bs_backend *backend, bs_cast *cast) {
    sweep *s = sweep_of(backend);
    if (!sweep_tidy(s, sweep_tail_limit(s))) {
        return false;
    }
    for (size_t at = s->tail; at < s->end; at += BS_LANES) {
        sweep_visit(s, at, BS_ALL_LANES, cast);
    }
    const int across = s->axis[SWEEP_ACROSS];
    bs_bounds path = bs_cast_path_bounds(cast);
    const float low = path.lo[across];
    const float high = path.hi[across];
    size_t first = sweep_first_reaching(s, low);
    size_t last = sweep_first_behind(s, high);
    bool down = cast->motion[across] < 0;
    assert(first <= s->strips && last <= s->strips);
    for (size_t i = first; i < last; i++) {
        const sweep_strip *strip = &s->strip[down ? first + last - 1 - i : i];
        if (strip->low <= high && strip->high >= low) {
            sweep_cast_strip(s, strip, cast);
        }
    }
    return true;
}

/* --- figures, pictures and checks ----------------------------------------------------------- */

static void sweep_stats(const bs_backend *backend, bs_stats *out) {
    const sweep *s = (const sweep *)backend;
    out->boxes = backend->count;
    out->axis = s->axis[SWEEP_ALONG] + 1;
    out->rebuilds = s->rebuilds;
    for (size_t t = 0; t < s->strips; t++) {
        out->strips += s->strip[t].begin < s->strip[t].end;
    }
}

static bool sweep_shapes(bs_backend *backend, bs_shapes *out) {
    sweep *s = sweep_of(backend);
    if (!sweep_tidy(s, 0)) {
        return false;
    }
    for (size_t t = 0; t < s->strips; t++) {
        bs_bounds b = bs_bounds_empty();
        for (size_t at = s->strip[t].begin; at < s->strip[t].end; at++) {
            if (s->lane.id[at] != SWEEP_NOBODY) {
                b = bs_bounds_union(b, sweep_get(&s->lane, at));
            }
        }
        bs_bounds world;
        for (int k = 0; k < DIM; k++) {
            world.lo[s->axis[k]] = b.lo[k];
            world.hi[s->axis[k]] = b.hi[k];
        }
        bs_rect rect = bs_bounds_rect(&world);
        if (b.lo[0] <= b.hi[0] && !bs_shapes_add(backend->heap, out, BS_SHAPE_CELL, &rect)) {
            return false;
        }
    }
    return true;
}

/* One lane of a strip: what is to be said of a box, and of the order. */
static const char *sweep_check_lane(const sweep *s, const sweep_strip *strip, size_t at) {
    bs_bounds b = sweep_get(&s->lane, at);
    if (at > strip->begin && !(s->lane.lo[SWEEP_ALONG][at - 1] <= b.lo[SWEEP_ALONG])) {
        return "sweep: a strip is not sorted";
    }
    if (s->lane.id[at] == SWEEP_NOBODY) {
        return b.hi[0] == -INFINITY && b.hi[1] == -INFINITY ? NULL
                                                            : "sweep: a dead lane has bounds";
    }
    if (b.lo[SWEEP_ACROSS] < strip->low || b.hi[SWEEP_ACROSS] > strip->high) {
        return "sweep: a strip does not span its boxes";
    }
    if (!(b.hi[SWEEP_ALONG] - s->reach <= b.lo[SWEEP_ALONG])) {
        size_t i = strip->long_begin;
        while (i < sweep_long_end(s, strip) && s->long_boxes.at[i] != s->lane.id[at]) {
            i++;
        }
        return i < sweep_long_end(s, strip) ? NULL : "sweep: a long box is not listed";
    }
    return NULL;
}

static const char *sweep_check_strip(const sweep *s, const sweep_strip *strip) {
    for (size_t at = strip->begin; at < strip->end; at++) {
        const char *broken = sweep_check_lane(s, strip, at);
        if (broken != NULL) {
            return broken;
        }
    }
    if (strip->begin == strip->end) {
        return NULL;
    }
    bool first = strip == s->strip;
    bool last = strip + 1 == s->strip + s->strips;
    if (strip->least > strip->low || strip->most < strip->high ||
        (!last && !(strip->least <= strip[1].least)) ||
        (!first && !(strip->most >= strip[-1].most))) {
        return "sweep: bounds over several strips are wrong";
    }
    if (first ? strip->edge != -INFINITY : !(strip->edge > strip[-1].edge)) {
        return "sweep: edges are not in order";
    }
    return NULL;
}

/* Lanes begin .. end - 1 belong to nobody. */
static bool sweep_is_empty(const sweep *s, size_t begin, size_t end) {
    for (size_t at = begin; at < end; at++) {
        if (s->lane.id[at] != SWEEP_NOBODY || s->lane.lo[SWEEP_ALONG][at] != INFINITY ||
            s->lane.hi[SWEEP_ALONG][at] != -INFINITY) {
            return false;
        }
    }
    return true;
}

static const char *sweep_check_positions(const sweep *s) {
    size_t n = 0;
    for (size_t at = 0; at < s->end; at++) {
        uint32_t box = s->lane.id[at];
        if (box == SWEEP_NOBODY) {
            continue;
        }
        n++;
        if (s->position[box] != at) {
            return "sweep: a box is not where its position says";
        }
        bs_bounds want = sweep_bounds(s, box);
        bs_bounds have = sweep_get(&s->lane, at);
        if (!s->stale && !(bs_bounds_contain(&want, &have) && bs_bounds_contain(&have, &want))) {
            return "sweep: a lane has other bounds than its box";
        }
    }
    return n == s->base.count ? NULL : "sweep: the number of boxes is wrong";
}

static const char *sweep_check(const bs_backend *backend) {
    const sweep *s = (const sweep *)backend;
    const char *broken = s->end > 0 ? sweep_check_positions(s) : NULL;
    size_t end = 0;
    for (size_t t = 0; t < s->strips && broken == NULL; t++) {
        const sweep_strip *strip = &s->strip[t];
        if (strip->begin < strip->end) {
            broken =
                strip->begin < end ? "sweep: strips are not in order" : sweep_check_strip(s, strip);
            end = strip->end + SWEEP_PAD;
            if (end > s->tail || !sweep_is_empty(s, strip->end, end)) {
                return "sweep: the lanes behind a strip are not empty";
            }
        }
    }
    if (broken == NULL && s->end > 0 &&
        (s->end + SWEEP_PAD > s->room || !sweep_is_empty(s, s->end, s->end + SWEEP_PAD))) {
        return "sweep: the lanes behind the tail are not empty";
    }
    return broken;
}

const bs_backend_type BS_VARIANT(bs_sweep_type) = {
    .name = "sweep",
    .create = sweep_create,
    .destroy = sweep_destroy,
    .insert = sweep_insert,
    .remove = sweep_remove,
    .update = sweep_update,
    .pairs = sweep_pairs,
    .cross = sweep_cross,
    .list = sweep_list,
    .query = sweep_query,
    .cast = sweep_cast,
    .stats = sweep_stats,
    .shapes = sweep_shapes,
    .check = sweep_check,
};

static bs_backend *sweep_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    sweep *s = bs_heap_new(heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = (bs_backend){&BS_VARIANT(bs_sweep_type), heap, boxes, 0};
    assert(settings->axis >= 0 && settings->axis <= DIM);
    s->fixed_axis = settings->axis - 1;
    for (int k = 0; k < DIM; k++) {
        s->axis[k] = k;
    }
    sweep_use_axis(s, SWEEP_ALONG, s->fixed_axis < 0 ? 0 : s->fixed_axis);
    return &s->base;
}
