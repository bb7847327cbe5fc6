/*
 * angles.h: sines and cosines by plain double arithmetic. Those of C libraries differ in the last
 * bit from one machine to another. These have the same bits everywhere.
 */
#ifndef BS_ANGLES_H
#define BS_ANGLES_H

#include "broadside/geometry.h"
#include "names.h"

#pragma GCC visibility push(hidden)

/* Up to this angle all bits of pi count, so the angle means exactly what it says. */
#define BS_EXACT_ANGLES 0x1p20

/*
 * The sine and cosine of an angle in radians. Both are in [-1, 1], and up to BS_EXACT_ANGLES within
 * one unit in the last place. Beyond it they are those of an angle that is off by less than one
 * unit in its own last place. The symmetries are exact: sin(-x) is -sin(x), and cos(-x) is cos(x).
 * Both are NaN if the angle is not finite.
 *
 * The structure is that of fdlibm (Sun Microsystems, 1993): a reduction to an eighth of a turn by
 * parts of pi/2 (Cody and Waite, "Software Manual for the Elementary Functions", 1980), and then a
 * polynomial with a correction for what the reduction has rounded off.
 */
void bs_sin_cos(double angle, double *sine, double *cosine);

#pragma GCC visibility pop

#endif
