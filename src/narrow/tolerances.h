/*
 * tolerances.h: what rounding may do, and what is made of it. Of boxes against boxes everything is
 * exact. Where a slanted or round side takes part, a contact's place is rounded to doubles, so each
 * question needs some room; and each of these rooms must hold the one before.
 *
 *      BS_EXACT       boxes no farther apart than this may be flush but for the rounding of their
 *                     far sides: what a box meets within it is met in one place. No larger, so
 *                     that boxes far out, whose coordinates are whole numbers, are exact.
 *      BS_PLACING     a move ends so far before a slanted or round side. Larger than what rounding
 *                     a place, a normal and their product comes to, so that the box is on the right
 *                     side of it for all that is exact.
 *      BS_GRAZING     a way that leads no deeper than this into something does not meet it. Larger
 *                     than BS_PLACING: where the box is off one side by that, it passes another one
 *                     in a gap that is as wide as itself.
 *      BS_TOUCHING    interiors that meet no deeper than this only touch. Twice BS_GRAZING: what
 *                     has grazed something from where it was placed has not come into it.
 *      BS_HERE        contacts no farther apart than this are in one place: the way on leads into
 *                     none of their sides. Larger than BS_TOUCHING: contacts with all that a box
 *                     touches at once are in one place.
 *      BS_RESTING     what is no farther apart than this rests on each other. Larger than BS_HERE:
 *                     whatever a move has come to, it rests on.
 *      BS_AROUND      so much more is looked through around a way: more than all of these.
 *
 * All are relative to the largest coordinate of the two, by which rounding is measured: a scene
 * that is twice as large, and as far from the origin, has the same answers, twice as large. The
 * largest one is 2^-38, about 4e-12.
 */
#ifndef BS_TOLERANCES_H
#define BS_TOLERANCES_H

#define BS_EXACT 0x1p-50
#define BS_PLACING 0x1p-48
#define BS_GRAZING 0x1p-47
#define BS_TOUCHING 0x1p-46
#define BS_HERE 0x1p-42
#define BS_RESTING 0x1p-40
#define BS_AROUND 0x1p-38

#endif
