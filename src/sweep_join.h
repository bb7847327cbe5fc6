/*
 * sweep_join.h: pairs from sorted strips. Only for sweep.c.
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
#ifndef BS_SWEEP_JOIN_H
#define BS_SWEEP_JOIN_H

#include "sweep_order.h"

enum { SWEEP_TASKS = 512 };

/*
 * Boxes of `rows` look for boxes of `in`; both may be the same. A task says from which lane on (a)
 * the box in which lane (b) has to look.
 */
typedef struct sweep_join {
    sweep *rows;
    sweep *in;
    bs_pairs *out;
    size_t tests;
    bs_pairs task;
    bs_pair task_at[SWEEP_TASKS + 2 * BS_LANES];
} sweep_join;

static void sweep_join_begin(sweep_join *j, sweep *rows, sweep *in, bs_pairs *out) {
    assert(rows->base.boxes == in->base.boxes);
    j->rows = rows;
    j->in = in;
    j->out = out;
    j->tests = 0;
    j->task = (bs_pairs){j->task_at, 0, SWEEP_TASKS + 2 * BS_LANES};
}

/* --- tests ---------------------------------------------------------------------------------- */

/* Those of the eight lanes from `at` on whose boxes overlap r, exactly. `q` is bs_bounds_of(r). */
BS_HOT unsigned sweep_overlap(const sweep_lanes *lane, size_t at, const bs_boxes *boxes,
                              const bs_rect *r, const bs_bounds *q) {
    bs_f8 apart = bs_f8_sub(bs_f8_set(q->lo[0]), bs_f8_load(lane->hi[0] + at));
    apart = bs_f8_max(apart, bs_f8_sub(bs_f8_load(lane->lo[0] + at), bs_f8_set(q->hi[0])));
    for (int k = 1; k < DIM; k++) {
        apart = bs_f8_max(apart, bs_f8_sub(bs_f8_set(q->lo[k]), bs_f8_load(lane->hi[k] + at)));
        apart = bs_f8_max(apart, bs_f8_sub(bs_f8_load(lane->lo[k] + at), bs_f8_set(q->hi[k])));
    }
    unsigned mask = bs_f8_signs(apart);
    unsigned unsure = bs_f8_zeros(apart);
    assert((mask & unsure) == 0);
    if (__builtin_expect(unsure != 0, 0)) {
        mask |= bs_settle(lane->id + at, boxes, r, unsure);
    }
    return mask;
}

/* A box that is tested against others: its bounds, each in all eight lanes. */
typedef struct sweep_probe {
    bs_f8 lo[DIM];
    bs_f8 hi[DIM];
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

BS_HOT sweep_probe sweep_probe_of(const sweep_lanes *rows, size_t row) {
    sweep_probe p;
    for (int k = 0; k < DIM; k++) {
        p.lo[k] = sweep_spread(&rows->lo[k][row]);
        p.hi[k] = sweep_spread(&rows->hi[k][row]);
    }
    p.end = rows->hi[SWEEP_ALONG][row];
    p.box = &rows->id[row];
    return p;
}

/*
 * Appends the pairs of a box and those in the eight lanes from `at` on. True if it is to go on: the
 * box behind these begins before its end.
 */
BS_HOT bool sweep_test(const sweep_probe *p, const sweep_lanes *in, size_t at,
                       const bs_boxes *boxes, bs_pairs *out) {
    bs_f8 apart = bs_f8_sub(p->lo[0], bs_f8_load(in->hi[0] + at));
    apart = bs_f8_max(apart, bs_f8_sub(bs_f8_load(in->lo[0] + at), p->hi[0]));
    for (int k = 1; k < DIM; k++) {
        apart = bs_f8_max(apart, bs_f8_sub(p->lo[k], bs_f8_load(in->hi[k] + at)));
        apart = bs_f8_max(apart, bs_f8_sub(bs_f8_load(in->lo[k] + at), p->hi[k]));
    }
    bs_append_overlaps(out, p->box, in->id + at, apart, boxes);
    return in->lo[SWEEP_ALONG][at + BS_LANES] <= p->end;
}

/* --- stages --------------------------------------------------------------------------------- */

/*
 * The first test of each task. Only what begins from `reach` before the box on counts; the lane to
 * start from may be some lanes too low. Leaves the tasks that have to go on.
 */
BS_HOT void sweep_first_tests(sweep_join *j, const sweep *rows_of, const sweep *in_of) {
    const sweep_lanes rows = rows_of->lane;
    const sweep_lanes in = in_of->lane;
    const bs_boxes *boxes = in_of->base.boxes;
    const float reach = in_of->reach;
    const size_t n = j->task.n;
    assert(n <= SWEEP_TASKS + BS_LANES * 2 && j->out->n + n * BS_LANES <= j->out->cap);
    bs_pair *task = j->task_at;
    bs_pair *left = task;
    bs_pairs out = *j->out;
    for (size_t i = 0; i < n; i++) {
        size_t at = task[i].a;
        size_t row = task[i].b;
        assert(row < rows_of->tail && at + BS_LANES < in_of->room);
        sweep_probe p = sweep_probe_of(&rows, row);
        bs_f8 from = bs_f8_set(rows.lo[SWEEP_ALONG][row] - reach);
        unsigned ahead = bs_f8_le(from, bs_f8_load(in.lo[SWEEP_ALONG] + at));
        while (__builtin_expect(ahead == 0, 0)) {
            at += BS_LANES;
            ahead = bs_f8_le(from, bs_f8_load(in.lo[SWEEP_ALONG] + at));
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
BS_HOT void sweep_next_tests(sweep_join *j, const sweep *rows_of, const sweep *in_of) {
    const sweep_lanes rows = rows_of->lane;
    const sweep_lanes in = in_of->lane;
    const bs_boxes *boxes = in_of->base.boxes;
    const size_t n = j->task.n;
    assert(n <= SWEEP_TASKS + BS_LANES * 2 && j->out->n + n * BS_LANES <= j->out->cap);
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
    const sweep_lanes rows = j->rows->lane;
    const sweep_lanes in = j->in->lane;
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
static bool sweep_join_within(sweep_join *j, const sweep_strip *strip) {
    assert(j->task.n == 0 && j->rows == j->in);
    for (size_t row = strip->begin; row < strip->end;) {
        size_t end = strip->end - row < SWEEP_TASKS ? strip->end : row + SWEEP_TASKS;
        if (!bs_pairs_reserve(j->in->base.heap, j->out, (end - row) * BS_LANES)) {
            return false;
        }
        const sweep_lanes lane = j->in->lane;
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
static void sweep_aim(sweep_join *j, size_t row, sweep_strip *strip, unsigned mask) {
    enum { HALF = BS_LANES / 2, FIRST_HALF = (1 << HALF) - 1 };
    const float *lo = j->in->lane.lo[SWEEP_ALONG];
    const float *row_lo = j->rows->lane.lo[SWEEP_ALONG] + row;
    const float *row_hi = j->rows->lane.hi[SWEEP_ALONG] + row;
    float from = row_lo[0] - j->in->reach;
    size_t at = strip->cursor;
    assert(mask != 0 && at >= strip->begin && at <= strip->end);
    unsigned ahead = bs_f8_le(bs_f8_set(from), bs_f8_load(lo + at));
    ahead |= bs_f8_le(bs_f8_set(from), bs_f8_load(lo + at + BS_LANES)) << BS_LANES;
    at = ahead == 0 ? sweep_lower(lo, at, strip->end, from) : at + (size_t)bs_first_lane(ahead);
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
    sweep *in = j->in;
    assert(last <= in->strips && row + BS_LANES <= j->rows->room);
    bs_f8 low = bs_f8_load(j->rows->lane.lo[SWEEP_ACROSS] + row);
    bs_f8 high = bs_f8_load(j->rows->lane.hi[SWEEP_ACROSS] + row);
    for (size_t t = first; t < last; t++) {
        sweep_strip *strip = &in->strip[t];
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
static bool sweep_join_strip(sweep_join *j, const sweep_strip *rows, size_t first, size_t last) {
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
    assert(j->task.n < SWEEP_TASKS && j->rows->lane.id[row] != SWEEP_NOBODY);
    const sweep *in = j->in;
    bs_bounds q = sweep_get(&j->rows->lane, row);
    for (size_t t = last; t-- > first && in->strip[t].most >= q.lo[SWEEP_ACROSS];) {
        const sweep_strip *strip = &in->strip[t];
        const float *lo = in->lane.lo[SWEEP_ALONG];
        size_t at = sweep_upper(lo, strip->begin, strip->end, j->rows->reach, q.lo[SWEEP_ALONG]);
        j->task_at[j->task.n] = (bs_pair){(uint32_t)at, (uint32_t)row};
        j->task.n += lo[at] <= q.hi[SWEEP_ALONG] && strip->high >= q.lo[SWEEP_ACROSS] &&
                     strip->low <= q.hi[SWEEP_ACROSS];
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
static bool sweep_join_long(sweep_join *j, const sweep_strip *rows, size_t first, size_t last) {
    const sweep *s = j->rows;
    for (size_t i = rows->long_begin; i < sweep_long_end(s, rows); i++) {
        assert(s->long_boxes.at[i] < s->position_cap);
        size_t row = s->position[s->long_boxes.at[i]];
        bool here = sweep_in_strip(rows, row); /* it may have gone, or moved to the tail */
        if (here && !sweep_join_long_row(j, row, first, last)) {
            return false;
        }
    }
    return sweep_finish(j);
}

#endif
