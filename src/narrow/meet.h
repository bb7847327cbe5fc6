/*
 * meet.h: when a moving box meets another: the arithmetic of bs_sweep, inlined where casts decide
 * (cast.h). It relies on geometry.h alone.
 */
#ifndef BS_MEET_H
#define BS_MEET_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "broadside/geometry.h"
#include "base/hot.h"

enum { BS_SIDES = 2 * DIM, BS_INSIDE = BS_SIDES };

/* When a box is met, and on which of its sides. */
typedef struct bs_entry {
    double t;      /* The fraction of the motion, 0..1. */
    unsigned side; /* Two for each axis, for motion up or down it; BS_INSIDE if inside at t = 0. */
    bool corner;   /* Several axes are entered at t, so it is met at an edge or a corner. */
} bs_entry;

/* A box by its lower and upper bounds. */
typedef struct bs_extent {
    double lo[DIM], hi[DIM];
} bs_extent;

BS_HOT bs_extent bs_extent_of(const bs_rect *r) {
    bs_extent extent;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        extent.lo[k] = r->pos[k];
        extent.hi[k] = bs_far(r, k);
    }
    return extent;
}

BS_HOT bool bs_extents_overlap(const bs_extent *a, const bs_extent *b) {
    bool overlap = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        overlap &= (a->lo[k] < b->hi[k]) & (b->lo[k] < a->hi[k]);
    }
    return overlap;
}

/*
 * When a, which moves by `speed`, meets b; they do not overlap. It has no branches, as neither axes
 * nor directions can be predicted.
 */
BS_HOT bool bs_extents_meet(const bs_extent *a, const bs_extent *b, const double speed[DIM],
                            bs_entry *entry) {
    bool meet = true;
    double first[DIM];
    double final[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        /*
         * Without speed it is infinite, on both sides of 0 if they overlap, or NaN if they touch.
         */
        double at_ahead = (b->lo[k] - a->hi[k]) / speed[k];
        double at_behind = (b->hi[k] - a->lo[k]) / speed[k];
        meet &= !isunordered(at_ahead, at_behind);
        first[k] = bs_min(at_ahead, at_behind);
        final[k] = bs_max(at_ahead, at_behind);
    }
    double enter = first[0];
    double leave = bs_min(final[0], 1);
    unsigned last = 0; /* The axis that is entered last; the lower one of two. */
#pragma GCC unroll 2
    for (unsigned k = 1; k < DIM; k++) {
        leave = bs_min(final[k], leave);
        last = first[k] > enter ? k : last;
        enter = bs_max(first[k], enter);
    }
    double from = bs_max(enter, 0);
    unsigned entered = 0;
#pragma GCC unroll 3
    for (unsigned k = 0; k < DIM; k++) {
        entered += first[k] == enter;
    }
    entry->t = from;
    entry->corner = entered > 1;
    entry->side = 2 * last + (signbit(speed[last]) != 0);
    return meet & (from < leave);
}

/* When a moving box meets one that rests. If the result is false, *entry is of no use. */
BS_HOT bool bs_meet(const bs_rect *moving, const double motion[DIM], const bs_rect *other,
                    bs_entry *entry) {
    bs_extent a = bs_extent_of(moving);
    bs_extent b = bs_extent_of(other);
    if (bs_extents_overlap(&a, &b)) { /* By distances, as a quotient could underflow. */
        *entry = (bs_entry){0, BS_INSIDE, false};
        return true;
    }
    return bs_extents_meet(&a, &b, motion, entry);
}

/* The public form of an entry. */
static inline bs_touch bs_entry_touch(const bs_entry *entry) {
#if DIM == 2
    static const double normals[BS_INSIDE + 1][DIM] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {0, 0}};
#else
    static const double normals[BS_INSIDE + 1][DIM] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0},
                                                       {0, 0, -1}, {0, 0, 1}, {0, 0, 0}};
#endif
    bs_touch touch = {.t = entry->t, .corner = entry->corner};
    assert(entry->t >= 0 && entry->side <= BS_INSIDE);
    memcpy(touch.normal, normals[entry->side], sizeof touch.normal);
    return touch;
}

#endif
