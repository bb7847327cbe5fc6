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
 * what it leaves to the next to a list, without branches: which box is to scan from where; the first
 * test; a second one for those that go on; only what is still not done is done in a loop of its own.
 */
#ifndef BS_SWEEP_JOIN_H
#define BS_SWEEP_JOIN_H

#include "sweep_order.h"

enum { SWEEP_TASKS = 512 };

typedef struct sweep_task {
    uint32_t row; /* the lane of the box that looks for others */
    uint32_t at;  /* the lane from which on */
} sweep_task;

/* Boxes of `rows` look for boxes of `in`; both may be the same. */
typedef struct sweep_join {
    sweep *rows;
    sweep *in;
    bs_pairs *out;
    size_t tests;
    size_t n;
    sweep_task task[SWEEP_TASKS + BS_LANES];
} sweep_join;

/* --- tests ---------------------------------------------------------------------------------- */

/* As bs_block_meet, for the eight lanes from `at` on. */
static inline unsigned sweep_meet(const sweep_lanes *lane, size_t at, const bs_bounds *q,
                                  unsigned *unsure) {
    bs_f8 gap = bs_f8_sub(bs_f8_load(lane->hi[0] + at), bs_f8_set(q->lo[0]));
    gap = bs_f8_min(gap, bs_f8_sub(bs_f8_set(q->hi[0]), bs_f8_load(lane->lo[0] + at)));
    for (int k = 1; k < DIM; k++) {
        gap = bs_f8_min(gap, bs_f8_sub(bs_f8_load(lane->hi[k] + at), bs_f8_set(q->lo[k])));
        gap = bs_f8_min(gap, bs_f8_sub(bs_f8_set(q->hi[k]), bs_f8_load(lane->lo[k] + at)));
    }
    *unsure = bs_f8_zeros(gap);
    return ~bs_f8_signs(gap) & BS_ALL_LANES;
}

/* The lanes from `at` on whose boxes overlap r, exactly. `q` is bs_bounds_of(r). */
static inline unsigned sweep_overlap(const sweep_lanes *lane, size_t at, const bs_boxes *boxes,
                                     const bs_rect *r, const bs_bounds *q) {
    unsigned unsure;
    unsigned mask = sweep_meet(lane, at, q, &unsure);
    for (unsigned left = mask & unsure; __builtin_expect(left != 0, 0); left &= left - 1) {
        int i = bs_first_lane(left);
        if (!bs_overlap(&boxes->rect[lane->id[at + (size_t)i]], r)) {
            mask &= ~(1u << i);
        }
    }
    return mask;
}

/* Appends the pairs of a box and those in the eight lanes from `at` on. */
static inline void sweep_test(const sweep_lanes *in, size_t at, const bs_bounds *q, uint32_t box,
                              const bs_boxes *boxes, bs_pairs *out) {
    unsigned unsure;
    unsigned mask = sweep_meet(in, at, q, &unsure);
    for (unsigned left = mask & unsure; __builtin_expect(left != 0, 0); left &= left - 1) {
        int i = bs_first_lane(left);
        if (!bs_overlap(&boxes->rect[in->id[at + (size_t)i]], &boxes->rect[box])) {
            mask &= ~(1u << i);
        }
    }
    bs_append_pairs(out, box, in->id + at, mask);
}

/* --- stages --------------------------------------------------------------------------------- */

/*
 * The first test of each task. Only what begins from `reach` before the box on counts; the lane to
 * start from may be some lanes too low. Leaves the tasks that have to go on.
 */
static void sweep_first_stage(sweep_join *j) {
    const sweep_lanes rows = j->rows->lane;
    const sweep_lanes in = j->in->lane;
    const bs_boxes *boxes = j->in->base.boxes;
    const int along = j->in->along;
    const float *lo = in.lo[along];
    bs_pairs out = *j->out;
    sweep_task *left = j->task;
    for (const sweep_task *t = j->task; t < j->task + j->n; t++) {
        bs_bounds q = sweep_get(&rows, t->row);
        bs_f8 from = bs_f8_set(q.lo[along] - j->in->reach);
        size_t at = t->at;
        unsigned ahead = bs_f8_le(from, bs_f8_load(lo + at));
        for (; __builtin_expect(ahead == 0, 0); ahead = bs_f8_le(from, bs_f8_load(lo + at))) {
            at += BS_LANES;
        }
        at += (size_t)bs_first_lane(ahead);
        sweep_test(&in, at, &q, rows.id[t->row], boxes, &out);
        *left = (sweep_task){t->row, (uint32_t)at + BS_LANES};
        left += lo[at + BS_LANES] <= q.hi[along];
    }
    j->out->n = out.n;
    j->tests += j->n;
    j->n = (size_t)(left - j->task);
}

/* One more test for each task. */
static void sweep_next_stage(sweep_join *j) {
    const sweep_lanes rows = j->rows->lane;
    const sweep_lanes in = j->in->lane;
    const bs_boxes *boxes = j->in->base.boxes;
    const int along = j->in->along;
    bs_pairs out = *j->out;
    sweep_task *left = j->task;
    for (const sweep_task *t = j->task; t < j->task + j->n; t++) {
        bs_bounds q = sweep_get(&rows, t->row);
        size_t at = t->at;
        uint32_t row = t->row;
        sweep_test(&in, at, &q, rows.id[row], boxes, &out);
        *left = (sweep_task){row, (uint32_t)at + BS_LANES};
        left += in.lo[along][at + BS_LANES] <= q.hi[along];
    }
    j->out->n = out.n;
    j->tests += j->n;
    j->n = (size_t)(left - j->task);
}

/* Up to `most` tests of one task; true if that was all. */
static bool sweep_scan(sweep_join *j, sweep_task *task, int most) {
    const sweep_lanes in = j->in->lane;
    const bs_boxes *boxes = j->in->base.boxes;
    const float *lo = in.lo[j->in->along];
    bs_bounds q = sweep_get(&j->rows->lane, task->row);
    uint32_t box = j->rows->lane.id[task->row];
    float end = q.hi[j->in->along];
    bs_pairs out = *j->out;
    size_t at = task->at;
    for (; most > 0 && lo[at] <= end; most--) {
        sweep_test(&in, at, &q, box, boxes, &out);
        at += BS_LANES;
    }
    j->out->n = out.n;
    j->tests += (at - task->at) / BS_LANES;
    task->at = (uint32_t)at;
    return !(lo[at] <= end);
}

/* Finishes tasks that have had their first test. */
static bool sweep_finish(sweep_join *j) {
    enum { STAGES = 2, SCAN = 64 };
    bs_heap *heap = j->in->base.heap;
    for (int i = 0; i < STAGES && j->n > 0; i++) {
        if (!bs_pairs_reserve(heap, j->out, j->n * BS_LANES)) {
            return false;
        }
        sweep_next_stage(j);
    }
    for (size_t i = 0; i < j->n; i++) {
        do {
            if (!bs_pairs_reserve(heap, j->out, SCAN * BS_LANES)) {
                return false;
            }
        } while (!sweep_scan(j, &j->task[i], SCAN));
    }
    j->n = 0;
    return true;
}

/* Does all tasks. */
static bool sweep_flush(sweep_join *j) {
    if (!bs_pairs_reserve(j->in->base.heap, j->out, j->n * BS_LANES)) {
        return false;
    }
    sweep_first_stage(j);
    return sweep_finish(j);
}

/* --- strip against strip -------------------------------------------------------------------- */

/* Pairs within a strip: each lane against those behind it. */
static bool sweep_join_within(sweep_join *j, const sweep_strip *strip) {
    assert(j->n == 0 && j->rows == j->in);
    for (uint32_t row = strip->begin; row < strip->end;) {
        uint32_t end = strip->end - row < SWEEP_TASKS ? strip->end : row + SWEEP_TASKS;
        const sweep_lanes lane = j->in->lane;
        const float *lo = lane.lo[j->in->along];
        const float *hi = lane.hi[j->in->along];
        if (!bs_pairs_reserve(j->in->base.heap, j->out, (end - row) * (size_t)BS_LANES)) {
            return false;
        }
        bs_pairs out = *j->out;
        sweep_task *task = j->task;
        j->tests += end - row;
        for (; row < end; row++) {
            bs_bounds q = sweep_get(&lane, row);
            sweep_test(&lane, row + 1, &q, lane.id[row], j->in->base.boxes, &out);
            *task = (sweep_task){row, row + 1 + BS_LANES};
            task += lo[row + 1 + BS_LANES] <= hi[row];
        }
        j->out->n = out.n;
        j->n = (size_t)(task - j->task);
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
    enum { HALF = BS_LANES / 2 };
    const float *lo = j->in->lane.lo[j->in->along];
    const float *row_lo = j->rows->lane.lo[j->in->along] + row;
    const float *row_hi = j->rows->lane.hi[j->in->along] + row;
    float from = row_lo[0] - j->in->reach;
    size_t at = strip->cursor;
    unsigned ahead = bs_f8_le(bs_f8_set(from), bs_f8_load(lo + at));
    at = ahead == 0 ? sweep_lower(lo, at, strip->end, from) : at + (size_t)bs_first_lane(ahead);
    strip->cursor = (uint32_t)at;
    ahead = bs_f8_le(bs_f8_set(row_lo[HALF] - j->in->reach), bs_f8_load(lo + at));
    size_t later = at + (size_t)bs_first_lane(ahead | 1u << BS_LANES);
    mask &= bs_f8_le(bs_f8_set(lo[at]), bs_f8_load(row_hi));
    sweep_task *task = j->task + j->n;
    for (unsigned i = 0; i < BS_LANES; i++) {
        *task = (sweep_task){(uint32_t)row + i, (uint32_t)(i < HALF ? at : later)};
        task += mask >> i & 1;
    }
    j->n = (size_t)(task - j->task);
}

/* The eight rows from `row` on against those of the strips first .. last - 1 that they reach. */
static bool sweep_join_rows(sweep_join *j, size_t row, size_t first, size_t last) {
    sweep *in = j->in;
    bs_f8 low = bs_f8_load(j->rows->lane.lo[in->across] + row);
    bs_f8 high = bs_f8_load(j->rows->lane.hi[in->across] + row);
    for (size_t t = first; t < last; t++) {
        sweep_strip *strip = &in->strip[t];
        if (bs_f8_le(bs_f8_set(strip->least), high) == 0) {
            break;
        }
        unsigned mask = bs_f8_le(bs_f8_set(strip->low), high);
        mask &= bs_f8_le(low, bs_f8_set(strip->high));
        if (mask != 0) {
            sweep_aim(j, row, strip, mask);
            if (j->n >= SWEEP_TASKS && !sweep_flush(j)) {
                return false;
            }
        }
    }
    return true;
}

/* All rows of a strip against the strips first .. last - 1 of `in`. */
static bool sweep_join_strip(sweep_join *j, const sweep_strip *rows, size_t first, size_t last) {
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
    const sweep *in = j->in;
    bs_bounds q = sweep_get(&j->rows->lane, row);
    for (size_t t = last; t-- > first && in->strip[t].most >= q.lo[in->across];) {
        const sweep_strip *strip = &in->strip[t];
        const float *lo = in->lane.lo[in->along];
        size_t at = sweep_upper(lo, strip->begin, strip->end, j->rows->reach, q.lo[in->along]);
        j->task[j->n] = (sweep_task){(uint32_t)row, (uint32_t)at};
        j->n += lo[at] <= q.hi[in->along] && strip->high >= q.lo[in->across] &&
                strip->low <= q.hi[in->across];
        if (j->n == SWEEP_TASKS && !sweep_finish(j)) {
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
        size_t row = s->position[s->long_boxes.at[i]];
        bool here = sweep_in_strip(rows, row); /* it may have gone, or moved to the tail */
        if (here && !sweep_join_long_row(j, row, first, last)) {
            return false;
        }
    }
    return sweep_finish(j);
}

#endif
