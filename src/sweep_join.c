/*
 * sweep_join.c: pairs.
 *
 * What two strips have in common is found as by a merge. For a box there is a first lane in the
 * other strip from which on boxes may begin within its reach; eight at a time are tested from there
 * until they begin behind its end. The long boxes of the other strip, which may begin before that
 * lane, look for what begins after them in turn: so each pair is found once, from one side.
 *
 * Where a scan starts and where it ends differs from box to box, and a processor that guesses
 * wrongly loses more time than a test takes. So the work is done in stages, each of which appends
 * what it leaves to the next to a list, without branches: which box is to scan from where; the
 * first test; a second one for those that go on; only what is still not done is done in a loop of
 * its own.
 */
#include "sweep_parts.h"

/* Tasks are worked off when they are so many; what is noted at once may go beyond. */
enum { SWEEP_TASKS = 512, SWEEP_TASK_ROOM = SWEEP_TASKS + 2 * BS_LANES };

/*
 * Boxes of `rows` look for boxes of `in`; both may be the same. A task says from which lane on (a)
 * the box in which lane (b) has to look.
 */
typedef struct sweep_join {
    bs_sweeper *rows;
    bs_sweeper *in;
    bs_pairs *out;
    size_t tests;
    bs_pairs task; /* its array is the next member */
    bs_pair task_at[SWEEP_TASK_ROOM];
} sweep_join;

static void sweep_join_begin(sweep_join *j, bs_sweeper *rows, bs_sweeper *in, bs_pairs *out) {
    assert(rows->base.boxes == in->base.boxes);
    j->rows = rows;
    j->in = in;
    j->out = out;
    j->tests = 0;
    j->task = (bs_pairs){j->task_at, 0, SWEEP_TASK_ROOM};
}

/* --- tests ---------------------------------------------------------------------------------- */

/* A box that is tested against others. */
typedef struct sweep_probe {
    bs_bounds8 bounds;
    float end; /* on the sorted axis */
    const uint32_t *box;
} sweep_probe;

/* One float in all lanes, straight from memory: GCC would load it first and then spread it. */
BS_HOT bs_f8 sweep_spread(const float *x) {
#if defined(__AVX2__)
    return (bs_f8){_mm256_broadcast_ss(x)};
#else
    return bs_f8_set(*x);
#endif
}

BS_HOT sweep_probe sweep_probe_of(const bs_sweep_lanes *rows, size_t row) {
    sweep_probe p;
    for (int k = 0; k < DIM; k++) {
        p.bounds.lo[k] = sweep_spread(&rows->lo[k][row]);
        p.bounds.hi[k] = sweep_spread(&rows->hi[k][row]);
    }
    p.end = rows->hi[BS_SWEEP_ALONG][row];
    p.box = &rows->id[row];
    return p;
}

/*
 * Appends the pairs of a box and those in the eight lanes from `at` on. True if it is to go on: the
 * box behind these begins before its end.
 */
BS_HOT bool sweep_test(const sweep_probe *p, const bs_sweep_lanes *in, size_t at,
                       const bs_boxes *boxes, bs_pairs *out) {
    const bs_eight eight = bs_sweep_eight(in, at);
    bs_append_overlaps(out, p->box, in->id + at, bs_apart(&p->bounds, &eight), boxes);
    return in->lo[BS_SWEEP_ALONG][at + BS_LANES] <= p->end;
}

/* --- stages --------------------------------------------------------------------------------- */

/*
 * The first test of each task. Only what begins from `reach` before the box on counts; the lane to
 * start from may be some lanes too low. Leaves the tasks that have to go on.
 */
BS_HOT void sweep_first_tests(sweep_join *j, const bs_sweeper *rows_of, const bs_sweeper *in_of) {
    const bs_sweep_lanes rows = rows_of->lane;
    const bs_sweep_lanes in = in_of->lane;
    const bs_boxes *boxes = in_of->base.boxes;
    const float reach = in_of->reach;
    const size_t n = j->task.n;
    assert(n <= SWEEP_TASK_ROOM && j->out->n + n * BS_LANES <= j->out->cap);
    bs_pair *task = j->task_at;
    bs_pair *left = task;
    bs_pairs out = *j->out;
    for (size_t i = 0; i < n; i++) {
        size_t at = task[i].a;
        size_t row = task[i].b;
        assert(row < rows_of->tail && at + BS_LANES < in_of->room);
        sweep_probe p = sweep_probe_of(&rows, row);
        bs_f8 from = bs_f8_set(rows.lo[BS_SWEEP_ALONG][row] - reach);
        unsigned ahead = bs_f8_le(from, bs_f8_load(in.lo[BS_SWEEP_ALONG] + at));
        while (__builtin_expect(ahead == 0, 0)) {
            at += BS_LANES;
            ahead = bs_f8_le(from, bs_f8_load(in.lo[BS_SWEEP_ALONG] + at));
        }
        at += (size_t)bs_first_lane(ahead);
        assert(at + BS_LANES < in_of->room);
        *left = (bs_pair){(uint32_t)at + BS_LANES, (uint32_t)row};
        left += sweep_test(&p, &in, at, boxes, &out);
    }
    j->out->n = out.n;
    j->task.n = (size_t)(left - task);
    j->tests += n;
}

/* One more test for each task. */
BS_HOT void sweep_next_tests(sweep_join *j, const bs_sweeper *rows_of, const bs_sweeper *in_of) {
    const bs_sweep_lanes rows = rows_of->lane;
    const bs_sweep_lanes in = in_of->lane;
    const bs_boxes *boxes = in_of->base.boxes;
    const size_t n = j->task.n;
    assert(n <= SWEEP_TASK_ROOM && j->out->n + n * BS_LANES <= j->out->cap);
    bs_pair *task = j->task_at;
    bs_pair *left = task;
    bs_pairs out = *j->out;
    for (size_t i = 0; i < n; i++) {
        size_t at = task[i].a;
        size_t row = task[i].b;
        assert(row < rows_of->tail && at + BS_LANES < in_of->room);
        sweep_probe p = sweep_probe_of(&rows, row);
        *left = (bs_pair){(uint32_t)at + BS_LANES, (uint32_t)row};
        left += sweep_test(&p, &in, at, boxes, &out);
    }
    j->out->n = out.n;
    j->task.n = (size_t)(left - task);
    j->tests += n;
}

/* If both are the same, the compiler is told so: half as many pointers to keep. */
static void sweep_first_stage(sweep_join *j) {
    if (j->rows == j->in) {
        sweep_first_tests(j, j->in, j->in);
    } else {
        sweep_first_tests(j, j->rows, j->in);
    }
}
static void sweep_next_stage(sweep_join *j) {
    if (j->rows == j->in) {
        sweep_next_tests(j, j->in, j->in);
    } else {
        sweep_next_tests(j, j->rows, j->in);
    }
}

/* Up to `most` tests of one task; true if there are more to do. */
static bool sweep_scan(sweep_join *j, bs_pair *task, int most) {
    assert(most > 0 && j->out->n + (size_t)most * BS_LANES <= j->out->cap);
    const bs_sweep_lanes rows = j->rows->lane;
    const bs_sweep_lanes in = j->in->lane;
    const bs_boxes *boxes = j->in->base.boxes;
    const sweep_probe p = sweep_probe_of(&rows, task->b);
    bs_pairs out = *j->out;
    size_t at = task->a;
    bool more = true;
    for (; more && most > 0; most--) {
        more = sweep_test(&p, &in, at, boxes, &out);
        at += BS_LANES;
    }
    j->out->n = out.n;
    j->tests += (at - task->a) / BS_LANES;
    task->a = (uint32_t)at;
    return more;
}

/* Finishes tasks that have had their first test. */
static bool sweep_finish(sweep_join *j) {
    enum { STAGES = 2, SCAN = 64 };
    bs_heap *heap = j->in->base.heap;
    for (int i = 0; i < STAGES && j->task.n > 0; i++) {
        if (!bs_pairs_reserve(heap, j->out, j->task.n * BS_LANES)) {
            return false;
        }
        sweep_next_stage(j);
    }
    for (size_t i = 0; i < j->task.n; i++) {
        do {
            if (!bs_pairs_reserve(heap, j->out, SCAN * BS_LANES)) {
                return false;
            }
        } while (sweep_scan(j, &j->task_at[i], SCAN));
    }
    j->task.n = 0;
    return true;
}

/* Does all tasks. */
static bool sweep_flush(sweep_join *j) {
    if (!bs_pairs_reserve(j->in->base.heap, j->out, j->task.n * BS_LANES)) {
        return false;
    }
    sweep_first_stage(j);
    return sweep_finish(j);
}

/* --- strip against strip -------------------------------------------------------------------- */

/* Pairs within a strip: each lane against those behind it. */
static bool sweep_join_within(sweep_join *j, const bs_sweep_strip *strip) {
    assert(j->task.n == 0 && j->rows == j->in);
    for (size_t row = strip->begin; row < strip->end;) {
        size_t end = strip->end - row < SWEEP_TASKS ? strip->end : row + SWEEP_TASKS;
        if (!bs_pairs_reserve(j->in->base.heap, j->out, (end - row) * BS_LANES)) {
            return false;
        }
        const bs_sweep_lanes lane = j->in->lane;
        const bs_boxes *boxes = j->in->base.boxes;
        bs_pairs out = *j->out;
        bs_pair *task = j->task_at;
        j->tests += end - row;
        for (; row < end; row++) {
            sweep_probe p = sweep_probe_of(&lane, row);
            *task = (bs_pair){(uint32_t)row + 1 + BS_LANES, (uint32_t)row};
            task += sweep_test(&p, &lane, row + 1, boxes, &out);
        }
        j->out->n = out.n;
        j->task.n = (size_t)(task - j->task_at);
        assert(j->task.n <= SWEEP_TASKS);
        if (!sweep_finish(j)) {
            return false;
        }
    }
    return true;
}

/*
 * Appends tasks for those of the eight rows from `row` on that reach into the strip. Rows come in
 * sorted order, so the strip's cursor only moves on. It is for the first row; the last four start
 * from where the fifth one may.
 */
static void sweep_aim(sweep_join *j, size_t row, bs_sweep_strip *strip, unsigned mask) {
    enum { HALF = BS_LANES / 2, FIRST_HALF = (1 << HALF) - 1 };
    const float *lo = j->in->lane.lo[BS_SWEEP_ALONG];
    const float *row_lo = j->rows->lane.lo[BS_SWEEP_ALONG] + row;
    const float *row_hi = j->rows->lane.hi[BS_SWEEP_ALONG] + row;
    float from = row_lo[0] - j->in->reach;
    size_t at = strip->cursor;
    assert(mask != 0 && at >= strip->begin && at <= strip->end);
    unsigned ahead = bs_f8_le(bs_f8_set(from), bs_f8_load(lo + at));
    ahead |= bs_f8_le(bs_f8_set(from), bs_f8_load(lo + at + BS_LANES)) << BS_LANES;
    at = ahead == 0 ? bs_sweep_lower(lo, at, strip->end, from) : at + (size_t)bs_first_lane(ahead);
    assert(at >= strip->cursor && at <= strip->end);
    strip->cursor = (uint32_t)at;
    ahead = bs_f8_le(bs_f8_set(row_lo[HALF] - j->in->reach), bs_f8_load(lo + at));
    size_t later = at + (size_t)bs_first_lane(ahead | 1u << BS_LANES);
    mask &= bs_f8_le(bs_f8_set(lo[at]), bs_f8_load(row_hi));
    bs_append_lanes(&j->task, (uint32_t)at, (uint32_t)row, mask & FIRST_HALF);
    bs_append_lanes(&j->task, (uint32_t)later, (uint32_t)row, mask & ~(unsigned)FIRST_HALF);
}

/* The eight rows from `row` on against those of the strips first .. last - 1 that they reach. */
static bool sweep_join_rows(sweep_join *j, size_t row, size_t first, size_t last) {
    bs_sweeper *in = j->in;
    assert(last <= in->strips && row + BS_LANES <= j->rows->room);
    bs_f8 low = bs_f8_load(j->rows->lane.lo[BS_SWEEP_ACROSS] + row);
    bs_f8 high = bs_f8_load(j->rows->lane.hi[BS_SWEEP_ACROSS] + row);
    for (size_t t = first; t < last; t++) {
        bs_sweep_strip *strip = &in->strip[t];
        if (bs_f8_le(bs_f8_set(strip->least), high) == 0) {
            break;
        }
        unsigned mask = bs_f8_le(bs_f8_set(strip->low), high);
        mask &= bs_f8_le(low, bs_f8_set(strip->high));
        if (mask != 0) {
            sweep_aim(j, row, strip, mask);
            if (j->task.n >= SWEEP_TASKS && !sweep_flush(j)) {
                return false;
            }
        }
    }
    return true;
}

/* All rows of a strip against the strips first .. last - 1 of `in`. */
static bool sweep_join_strip(sweep_join *j, const bs_sweep_strip *rows, size_t first, size_t last) {
    assert(j->task.n == 0 && last <= j->in->strips);
    for (size_t t = first; t < last; t++) {
        j->in->strip[t].cursor = j->in->strip[t].begin;
    }
    for (size_t row = rows->begin; row < rows->end; row += BS_LANES) {
        if (!sweep_join_rows(j, row, first, last)) {
            return false;
        }
    }
    return sweep_flush(j);
}

/* One long box against the strips first .. last - 1 of `in`. */
static bool sweep_join_long_row(sweep_join *j, size_t row, size_t first, size_t last) {
    assert(j->task.n < SWEEP_TASKS && j->rows->lane.id[row] != BS_SWEEP_NOBODY);
    const bs_sweeper *in = j->in;
    bs_bounds q = bs_sweep_get(&j->rows->lane, row);
    for (size_t t = last; t-- > first && in->strip[t].most >= q.lo[BS_SWEEP_ACROSS];) {
        const bs_sweep_strip *strip = &in->strip[t];
        const float *lo = in->lane.lo[BS_SWEEP_ALONG];
        size_t at =
            bs_sweep_upper(lo, strip->begin, strip->end, j->rows->reach, q.lo[BS_SWEEP_ALONG]);
        j->task_at[j->task.n] = (bs_pair){(uint32_t)at, (uint32_t)row};
        j->task.n += lo[at] <= q.hi[BS_SWEEP_ALONG] && strip->high >= q.lo[BS_SWEEP_ACROSS] &&
                     strip->low <= q.hi[BS_SWEEP_ACROSS];
        if (j->task.n == SWEEP_TASKS && !sweep_finish(j)) {
            return false;
        }
    }
    return true;
}

/*
 * The long boxes of a strip of `rows` against the strips first .. last - 1 of `in`: they look for
 * what begins so far behind their beginning that it has not looked for them.
 */
static bool sweep_join_long(sweep_join *j, const bs_sweep_strip *rows, size_t first, size_t last) {
    const bs_sweeper *s = j->rows;
    for (size_t i = rows->long_begin; i < bs_sweep_long_end(s, rows); i++) {
        assert(s->long_boxes.at[i] < s->position_cap);
        size_t row = s->position[s->long_boxes.at[i]];
        bool here = bs_sweep_in_strip(rows, row); /* it may have gone, or moved to the tail */
        if (here && !sweep_join_long_row(j, row, first, last)) {
            return false;
        }
    }
    return sweep_finish(j);
}

/* --- the tail ------------------------------------------------------------------------------- */

/* Appends the pairs of a box and those in s->found. */
static bool sweep_pair_up(bs_sweeper *s, uint32_t box, bs_pairs *out) {
    if (!bs_pairs_reserve(s->base.heap, out, s->found.n)) {
        return false;
    }
    for (size_t i = 0; i < s->found.n; i++) {
        out->at[out->n++] = bs_pair_of(box, s->found.at[i]);
    }
    return true;
}

/*
 * The boxes in the lanes begin .. end - 1 of s against the strips of `in` and the part of its tail
 * from lane `tail` on, which is kept behind the asking box if both are the same.
 */
static bool sweep_ask(bs_sweeper *s, size_t begin, size_t end, bs_sweeper *in, size_t tail,
                      bs_pairs *out) {
    assert(begin <= end && end <= s->end && s->base.boxes == in->base.boxes);
    for (size_t at = begin; at < end; at++) {
        uint32_t box = s->lane.id[at];
        if (box == BS_SWEEP_NOBODY) {
            continue;
        }
        const bs_rect *r = &s->base.boxes->rect[box];
        in->found.n = 0;
        if (!bs_sweep_find(in, r, s == in ? at + 1 : tail, &in->found) ||
            !sweep_pair_up(in, box, out)) {
            return false;
        }
    }
    return true;
}

/* --- pairs ---------------------------------------------------------------------------------- */

/* The plan no longer suits when much more has to be tested than soon after it was made. */
static void sweep_judge(bs_sweeper *s, size_t tests, size_t pairs) {
    double effort = (double)tests / ((double)s->base.count + (double)pairs / BS_LANES + 1);
    assert(effort >= 0 && s->effort >= 0);
    if (s->effort == 0) {
        s->effort = effort;
    }
    s->replan |= effort > 1.5 * s->effort || effort < 0.5 * s->effort;
}

/*
 * A tail is looked up box by box, which costs more than giving so many a place. A shorter one goes,
 * too, when looking it up, frame after frame, has cost as much as making all anew.
 */
static size_t sweep_tail_limit_for_pairs(const bs_sweeper *s) {
    enum { FEW = 8, AS_DEAR = 16 }; /* one that is looked up, as so many that are given a place */
    bool spent = s->asked > s->base.count / AS_DEAR;
    return spent ? FEW : FEW + s->base.count / 32;
}

bool bs_sweep_pairs(bs_backend *backend, bs_pairs *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!bs_sweep_tidy(s, sweep_tail_limit_for_pairs(s))) {
        return false;
    }
    size_t before = out->n;
    sweep_join j;
    sweep_join_begin(&j, s, s, out);
    for (size_t t = 0; t < s->strips; t++) {
        const bs_sweep_strip *strip = &s->strip[t];
        size_t last = bs_sweep_first_behind(s, strip->high);
        assert(j.task.n == 0 && last <= s->strips);
        if (!sweep_join_within(&j, strip) || !sweep_join_strip(&j, strip, t + 1, last) ||
            !sweep_join_long(&j, strip, 0, t)) {
            return false;
        }
    }
    assert(out->n >= before);
    sweep_judge(s, j.tests, out->n - before);
    s->asked += s->end - s->tail;
    return sweep_ask(s, s->tail, s->end, s, s->end, out);
}

/* The boxes in the strips of `rows` against those in the strips of `in`; of the same axes. */
static bool sweep_join_strips(sweep_join *j) {
    const bs_sweeper *rows = j->rows;
    for (size_t t = 0; t < rows->strips; t++) {
        const bs_sweep_strip *strip = &rows->strip[t];
        size_t first = bs_sweep_first_reaching(j->in, strip->low);
        size_t last = bs_sweep_first_behind(j->in, strip->high);
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

static bool sweep_merge_cross(bs_sweeper *a, bs_sweeper *b, bs_pairs *out) {
    assert(a != b && memcmp(a->axis, b->axis, sizeof a->axis) == 0);
    sweep_join j;
    sweep_join_begin(&j, a, b, out);
    if (!sweep_join_strips(&j)) {
        return false;
    }
    sweep_join_begin(&j, b, a, out);
    return sweep_join_all_long(&j);
}

bool bs_sweep_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bs_sweeper *a = bs_sweep_of(backend);
    bs_sweeper *b = bs_sweep_of(other);
    if (!bs_sweep_tidy(a, sweep_tail_limit_for_pairs(a)) ||
        !bs_sweep_tidy(b, sweep_tail_limit_for_pairs(b))) {
        return false;
    }
    a->asked += a->end - a->tail;
    b->asked += b->end - b->tail;
    bs_sweeper *fewer = a->base.count <= b->base.count ? a : b;
    bs_sweeper *more = fewer == a ? b : a;
    bool same = memcmp(a->axis, b->axis, sizeof a->axis) == 0;
    bool done = same ? sweep_merge_cross(a, b, out)
                     : sweep_ask(fewer, 0, fewer->tail, more, more->end, out);
    return done && sweep_ask(a, a->tail, a->end, b, b->tail, out) &&
           sweep_ask(b, b->tail, b->end, a, a->end, out);
}
