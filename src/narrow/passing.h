/*
 * passing.h: how a point that moves passes a box: when it comes to each of its sides, also where it
 * only grazes the box. It relies on meet.h.
 */
#ifndef BS_PASSING_H
#define BS_PASSING_H

#include "base/names.h"
#include "meet.h"

#pragma GCC visibility push(hidden)

typedef struct bs_passing {
    double first[DIM], last[DIM]; /* By axis, between these times it is within the box's sides. */
    double enter, leave;          /* On all axes. It is in the box, or beside it. */
    int side[DIM]; /* Without motion on an axis: 0 within, else the side of the box. */
    bool meets;    /* It comes into the box, by the rules of bs_sweep. */
} bs_passing;

/* False if it does not even touch the box. */
bool bs_passing_of(const double at[DIM], const double motion[DIM], const bs_rect *box,
                   bs_passing *out);

/* Whether two boxes that a point does not meet, but touches, stop it as one box. */
bool bs_passings_join(const bs_passing *a, const bs_passing *b, const double motion[DIM],
                      bs_entry *entry);

/*
 * Where a point enters a box at an edge or a corner: whether another box is beside that box at the
 * side of an axis, and so covers it.
 */
bool bs_passing_covers(const bs_passing *other, const bs_passing *entered, const double motion[DIM],
                       int axis);

/* The side that is met on an axis (bs_entry). */
static inline unsigned bs_side_against(const double motion[DIM], int axis) {
    return 2 * (unsigned)axis + (motion[axis] < 0);
}

#pragma GCC visibility pop

#endif
