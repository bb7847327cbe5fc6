/*
 * sweep_change.c: inserting, removing and moving single boxes.
 *
 * What is inserted goes to the tail, what is removed leaves a dead lane. A box that moves is put
 * into its new place in the strip if that is near, as one step of an insertion sort, else it goes
 * to the tail, too. If many move, nothing is done to each: sweep_order.c reads all of them again
 * when the next question is asked.
 */
#include "sweep_parts.h"

/* The lane stays where it is in the order, but meets nothing from now on. */
static void sweep_kill(bs_sweeper *s, size_t at) {
    assert(at < s->tail && s->lane.id[at] != BS_SWEEP_NOBODY);
    bs_bounds b = bs_bounds_empty();
    b.lo[BS_SWEEP_ALONG] = s->lane.lo[BS_SWEEP_ALONG][at];
    bs_sweep_set(&s->lane, at, &b, BS_SWEEP_NOBODY);
    s->dead++;
}

/* Adds a box to the tail; false if there is no room. */
static bool sweep_append(bs_sweeper *s, const bs_bounds *b, uint32_t box) {
    size_t at = bs_sweep_extend(s);
    if (at == BS_SWEEP_NOBODY) {
        return false;
    }
    bs_sweep_put(s, at, b, box);
    return true;
}

bool bs_sweep_insert(bs_backend *backend, uint32_t box) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!bs_sweep_reserve(s, s->end + 1 + BS_SWEEP_PAD) ||
        !bs_array_reserve(backend->heap, &s->position, &s->position_cap, (size_t)box + 1,
                          sizeof *s->position)) {
        return false;
    }
    if (s->end == 0) {
        bs_sweep_clear(s, 0, BS_SWEEP_PAD);
    }
    assert(box < s->position_cap);
    bs_bounds b = bs_sweep_bounds(s, box);
    bool done = sweep_append(s, &b, box);
    assert(done);
    (void)done;
    backend->count++;
    s->touched = true;
    return true;
}

void bs_sweep_remove(bs_backend *backend, uint32_t box) {
    bs_sweeper *s = bs_sweep_of(backend);
    size_t at = s->position[box];
    assert(backend->count > 0 && at < s->end && s->lane.id[at] == box);
    if (at < s->tail) {
        sweep_kill(s, at);
    } else { /* the last box of the tail takes its place */
        s->end--;
        if (at < s->end) {
            bs_sweep_copy(s, s->end, at);
        }
        bs_sweep_clear(s, s->end, s->end + 1);
    }
    s->position[box] = BS_SWEEP_NOBODY;
    backend->count--;
    s->touched = true;
}

/* --- moving --------------------------------------------------------------------------------- */

/* The strip that a lane before the tail is in. */
static bs_sweep_strip *sweep_strip_at(const bs_sweeper *s, size_t at) {
    assert(at < s->tail && s->strips > 0);
    size_t first = 0;
    for (size_t n = s->strips; n > 1;) {
        size_t half = n / 2;
        first += s->strip[first + half].begin <= at ? half : 0;
        n -= half;
    }
    assert(s->strip[first].begin <= at && at < s->strip[first].end);
    return &s->strip[first];
}

/* Widens what is known of a strip, and of all, to a box that is in it. */
static void sweep_widen(bs_sweeper *s, bs_sweep_strip *strip, const bs_bounds *b) {
    assert(strip >= s->strip && strip < s->strip + s->strips);
    float low = b->lo[BS_SWEEP_ACROSS];
    float high = b->hi[BS_SWEEP_ACROSS];
    strip->low = low < strip->low ? low : strip->low;
    strip->high = high > strip->high ? high : strip->high;
    for (bs_sweep_strip *t = strip; t >= s->strip && t->least > low; t--) {
        t->least = low;
    }
    for (bs_sweep_strip *t = strip; t < s->strip + s->strips && t->most < high; t++) {
        t->most = high;
    }
    assert(strip->least <= low && strip->most >= high);
}

/* Moves the box in lane `at` to where `b` belongs, if that is near. */
static bool sweep_shift(bs_sweeper *s, const bs_sweep_strip *strip, size_t at, const bs_bounds *b) {
    assert(bs_sweep_in_strip(strip, at));
    const float *lo = s->lane.lo[BS_SWEEP_ALONG];
    float key = b->lo[BS_SWEEP_ALONG];
    size_t first = at - strip->begin > BS_SWEEP_NEAR ? at - BS_SWEEP_NEAR : strip->begin;
    size_t last = strip->end - at > BS_SWEEP_NEAR ? at + BS_SWEEP_NEAR : strip->end - 1;
    if ((first > strip->begin && lo[first] > key) || (last + 1 < strip->end && lo[last] < key)) {
        return false;
    }
    uint32_t box = s->lane.id[at];
    at = bs_sweep_open(s, strip->begin, at, key);
    while (at + 1 < strip->end && lo[at + 1] < key) {
        bs_sweep_copy(s, at + 1, at);
        at++;
    }
    assert(at == strip->begin || lo[at - 1] <= key);
    bs_sweep_put(s, at, b, box);
    return true;
}

/* Takes over the present bounds of one box. */
static void sweep_move(bs_sweeper *s, uint32_t box) {
    size_t at = s->position[box];
    assert(at < s->end && s->lane.id[at] == box);
    bs_bounds b = bs_sweep_bounds(s, box);
    if (at >= s->tail) {
        bs_sweep_put(s, at, &b, box);
        return;
    }
    bs_sweep_strip *strip = sweep_strip_at(s, at);
    bool is_long = !(b.hi[BS_SWEEP_ALONG] - s->reach <= b.lo[BS_SWEEP_ALONG]);
    bool near = bs_sweep_is_near(s, strip, b.lo[BS_SWEEP_ACROSS], s->slack);
    if (near && !is_long && sweep_shift(s, strip, at, &b)) {
        sweep_widen(s, strip, &b);
    } else if (sweep_append(s, &b, box)) {
        sweep_kill(s, at);
    } else {
        s->stale = true;
    }
}

/*
 * Few boxes are moved one by one; if they are many, all are looked at again at the next question.
 */
void bs_sweep_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    bs_sweeper *s = bs_sweep_of(backend);
    s->touched = true;
    s->changes += n;
    s->stale |= s->changes > 8 + backend->count / 8;
    for (size_t i = 0; i < n && !s->stale; i++) {
        sweep_move(s, boxes[i]);
    }
}
