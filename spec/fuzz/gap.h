/*
 * gap.h: how far a box and a shape are apart, by arithmetic of its own and not that of the narrow
 * phase.
 */
#ifndef FUZZ_GAP_H
#define FUZZ_GAP_H

#include "broadside/geometry.h"

/*
 * The gap after the part t of the box's way. It is less than 0 if and only if the two overlap.
 * Otherwise it is at most their distance. It is a convex function of t.
 */
double gap_at(const bs_rect *box, const double motion[DIM], double t, const bs_shape *shape);

/* The least gap until that time. */
double least_gap(const bs_rect *box, const double motion[DIM], double until, const bs_shape *shape);

/* The largest coordinate on the way, to which rounding is relative. */
double gap_scale(const bs_rect *box, const double motion[DIM], const bs_shape *shape);

#endif
