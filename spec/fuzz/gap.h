/* gap.h: how far a box and a shape are apart: arithmetic of its own, not the narrow phase's. */
#ifndef FUZZ_GAP_H
#define FUZZ_GAP_H

#include "broadside/shape.h"

/*
 * After the part t of the box's way: less than 0 just where the two overlap. Elsewhere it is at
 * most their distance. A convex function of t.
 */
double gap_at(const bs_rect *box, const double motion[DIM], double t, const bs_shape *shape);

/* The least gap until then. */
double least_gap(const bs_rect *box, const double motion[DIM], double until, const bs_shape *shape);

/* The largest coordinate on the way, by which rounding is measured. */
double gap_scale(const bs_rect *box, const double motion[DIM], const bs_shape *shape);

#endif
