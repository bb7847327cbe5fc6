/*
 * sweep_cast.c: what a moving box may meet.
 *
 * Strips are visited in the direction of the motion, and so are the lanes of each: what comes first
 * is met first, and each hit cuts off the rest of the way. In a strip, only that stretch of the
 * sorted axis counts which the box passes while it is between the strip's bounds.
 */
#include "sweep_parts.h"

/* What a cast passes of a strip, in both directions of the sorted axis. */
typedef struct sweep_passage {
    float from, to; /* where on the sorted axis; no further than the cast's limit */
    bool any;
} sweep_passage;

/*
 * Where on the sorted axis the moving box is while it is between the strip's `low` and `high`,
 * rounded outward by more than floats can be off, for the reasons given in cast.c.
 */
static sweep_passage sweep_passage_of(const bs_sweeper *s, const bs_sweep_strip *strip,
                                      const bs_cast *c) {
    bs_bounds path = bs_cast_path_bounds(c);
    const int along = s->axis[BS_SWEEP_ALONG];
    const int across = s->axis[BS_SWEEP_ACROSS];
    assert(along != across && c->limit >= 0);
    double first = 0;
    double last = (double)c->limit;
    if ((c->timed >> across & 1) != 0) {
        const bs_cast_axis *a = &c->axis[across];
        float near = a->inverse > 0 ? strip->low : strip->high;
        float far = a->inverse > 0 ? strip->high : strip->low;
        first = fmax(first, (double)((near - a->enter) * a->inverse) * (1 - 0x1p-19));
        last = fmin(last, (double)((far - a->leave) * a->inverse) * (1 + 0x1p-19) + 1e-30);
    }
    double x = c->from->pos[along];
    double d = c->motion[along];
    double lo = x + d * (d > 0 ? first : last);
    double hi = x + c->from->size[along] + d * (d > 0 ? last : first);
    double slack = fmax(fabs(lo), fabs(hi)) * 0x1p-22 + (double)FLT_MIN;
    sweep_passage p = {bs_round(lo - slack), bs_round(hi + slack), first <= last};
    p.from = p.from > path.lo[along] ? p.from : path.lo[along];
    p.to = p.to < path.hi[along] ? p.to : path.hi[along];
    return p;
}

/* Visits those of the eight lanes from `at` on that are in `among`. */
static void sweep_visit(const bs_sweeper *s, size_t at, unsigned among, bs_cast *cast) {
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
static void sweep_cast_long(const bs_sweeper *s, const bs_sweep_strip *strip, size_t begin,
                            size_t end, bs_cast *cast) {
    for (size_t i = strip->long_begin; i < bs_sweep_long_end(s, strip); i++) {
        size_t at = s->position[s->long_boxes.at[i]];
        if (bs_sweep_in_strip(strip, at) && begin <= at && at < end) {
            sweep_visit(s, at, 1, cast);
        }
    }
}

/* Against the order of the lanes. What a hit cuts off is not looked at any more. */
static void sweep_cast_down(const bs_sweeper *s, const bs_sweep_strip *strip, size_t first,
                            size_t at, bs_cast *cast) {
    assert(strip->begin <= first && first <= at && at <= strip->end);
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    float limit = cast->limit;
    while (at > first) {
        size_t next = at - first > BS_LANES ? at - BS_LANES : first;
        sweep_visit(s, next, (1u << (at - next)) - 1, cast);
        at = next;
        if (cast->limit < limit) {
            limit = cast->limit;
            sweep_passage p = sweep_passage_of(s, strip, cast);
            size_t nearer = p.any ? bs_sweep_lower(lo, first, at, p.from - s->reach) : at;
            sweep_cast_long(s, strip, first, nearer, cast);
            first = nearer;
        }
    }
}

static void sweep_cast_up(const bs_sweeper *s, const bs_sweep_strip *strip, size_t at, float to,
                          bs_cast *cast) {
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    float limit = cast->limit;
    while (lo[at] <= to) {
        assert(bs_sweep_in_strip(strip, at));
        sweep_visit(s, at, BS_ALL_LANES, cast);
        at += BS_LANES;
        if (cast->limit < limit) {
            limit = cast->limit;
            sweep_passage p = sweep_passage_of(s, strip, cast);
            to = p.any ? p.to : -INFINITY;
        }
    }
}

static void sweep_cast_strip(const bs_sweeper *s, const bs_sweep_strip *strip, bs_cast *cast) {
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    sweep_passage p = sweep_passage_of(s, strip, cast);
    if (!p.any) {
        return;
    }
    size_t first = bs_sweep_lower(lo, strip->begin, strip->end, p.from - s->reach);
    sweep_cast_long(s, strip, strip->begin, first, cast);
    if (cast->motion[s->axis[BS_SWEEP_ALONG]] < 0) {
        size_t last = bs_sweep_upper(lo, first, strip->end, 0, p.to);
        sweep_cast_down(s, strip, first, last, cast);
    } else {
        sweep_cast_up(s, strip, first, p.to, cast);
    }
}

bool bs_sweep_cast(bs_backend *backend, bs_cast *cast) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!bs_sweep_tidy(s, bs_sweep_tail_limit(s))) {
        return false;
    }
    bs_cast_prepare(cast);
    for (size_t at = s->tail; at < s->end; at += BS_LANES) {
        sweep_visit(s, at, BS_ALL_LANES, cast);
    }
    const int across = s->axis[BS_SWEEP_ACROSS];
    bs_bounds path = bs_cast_path_bounds(cast);
    const float low = path.lo[across];
    const float high = path.hi[across];
    size_t first = bs_sweep_first_reaching(s, low);
    size_t last = bs_sweep_first_behind(s, high);
    bool down = cast->motion[across] < 0;
    assert(first <= s->strips && last <= s->strips);
    for (size_t i = first; i < last; i++) {
        const bs_sweep_strip *strip = &s->strip[down ? first + last - 1 - i : i];
        if (strip->low <= high && strip->high >= low) {
            sweep_cast_strip(s, strip, cast);
        }
    }
    return true;
}
