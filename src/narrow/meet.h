/*
 * meet.h: when a moving box meets another: the arithmetic of bs_sweep, to be inlined where casts
 * decide (cast.h).
 */
#ifndef BS_MEET_H
#define BS_MEET_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "simd/axes.h"
#include "broadside/geometry.h"
#include "simd/lanes.h"

enum { BS_SIDES = 2 * DIM, BS_INSIDE = BS_SIDES };

/* When, and on which side of it, a box is met. */
typedef struct bs_entry {
    double t;      /* fraction of the motion, 0..1 */
    unsigned side; /* by axis, two each: met by motion up that axis, or down; BS_INSIDE: at 0 */
    bool corner;   /* several axes are entered at that time: it is met at an edge or a corner */
} bs_entry;

/* A box: its lower bounds and its upper ones. */
typedef struct bs_extent {
    bs_axes lo, hi;
} bs_extent;

BS_HOT bs_extent bs_extent_of(const bs_rect *r) {
    bs_axes lo = bs_axes_load(r->pos);
    return (bs_extent){lo, bs_axes_add(lo, bs_axes_load(r->size))};
}

BS_HOT bool bs_extents_overlap(const bs_extent *a, const bs_extent *b) {
    return (bs_axes_less(a->lo, b->hi) & bs_axes_less(b->lo, a->hi)) == BS_AXES_ALL;
}

/*
 * When a, which moves by `speed`, meets b; they do not overlap. Neither axes nor directions can be
 * predicted: no branches.
 */
BS_HOT bool bs_extents_meet(const bs_extent *a, const bs_extent *b, bs_axes speed,
                            bs_entry *entry) {
    /* Without speed: infinite, on both sides of 0 if they overlap, or NaN if they touch. */
    bs_axes at_ahead = bs_axes_div(bs_axes_sub(b->lo, a->hi), speed);
    bs_axes at_behind = bs_axes_div(bs_axes_sub(b->hi, a->lo), speed);
    bool meet = bs_axes_ordered(at_ahead, at_behind) == BS_AXES_ALL;
    double first[DIM];
    double final[DIM];
    bs_axes_store(first, bs_axes_min(at_ahead, at_behind));
    bs_axes_store(final, bs_axes_max(at_ahead, at_behind));
    double enter = first[0];
    double leave = bs_min(final[0], 1);
    unsigned last = 0; /* the axis that is entered last: the lower one of two */
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
    entry->side = 2 * last + (bs_axes_signs(speed) >> last & 1);
    return meet & (from < leave);
}

/* When a box that moves meets one that rests; false: it does not, and *entry is of no use. */
BS_HOT bool bs_meet(const bs_rect *moving, const double motion[DIM], const bs_rect *other,
                    bs_entry *entry) {
    bs_extent a = bs_extent_of(moving);
    bs_extent b = bs_extent_of(other);
    if (bs_extents_overlap(&a, &b)) { /* asked of the distances: a quotient could underflow */
        *entry = (bs_entry){0, BS_INSIDE, false};
        return true;
    }
    return bs_extents_meet(&a, &b, bs_axes_load(motion), entry);
}

/* The same as what is told of a hit. */
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
