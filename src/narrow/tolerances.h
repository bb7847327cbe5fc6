/*
 * tolerances.h: the tolerances of the narrow phase, of motion and of steps. It relies on nothing.
 *
 * Boxes against boxes are exact. Where a slanted or round side takes part, the place of a contact
 * is rounded to doubles, so each query needs a tolerance. Each tolerance must hold the one
 * before.
 *
 *      BS_EXACT       Boxes no farther apart may be flush except for the rounding of their far
 *                     sides: what a box meets within it is met at one place. It is no larger, so
 *                     that boxes far out, whose coordinates are whole numbers, are exact.
 *      BS_PLACING     A move ends this far before a slanted or round side. It is larger than the
 *                     rounding of a place, a normal and their product, so the box is on the right
 *                     side for all exact arithmetic.
 *      BS_GRAZING     A way that leads no deeper into something does not meet it. It is larger than
 *                     BS_PLACING: a box that is off one side by that still passes another one, in a
 *                     gap that is as wide as itself.
 *      BS_TOUCHING    Shapes that overlap no deeper only touch. It is twice BS_GRAZING: what has
 *                     grazed something from where it was placed has not come into it.
 *      BS_HERE        Contacts no farther apart are at one place: the way on leads into none of
 *                     their sides. It is larger than BS_TOUCHING: contacts with all that a box
 *                     touches at once are at one place. Corners no farther apart are one, too.
 *      BS_RESTING     Boxes no farther apart rest on each other. It is larger than BS_HERE: a box
 *                     rests on whatever its move has come to.
 *      BS_AROUND      Queries look this much farther around a way, which is more than all of these.
 *
 * All are relative to the largest coordinate of the two, by which rounding is measured: a scene
 * that is twice as large, and as far from the origin, has the same answers, twice as large. The
 * largest one is 2^-38, about 4e-12.
 *
 * Steps join the ends of many paths, and have three more:
 *
 *      BS_MENDED      Bodies that overlap no deeper at the end, relative to coordinates, do so by
 *                     rounding, and are parted. Deeper ones go back to where they were.
 *      BS_SAME_WAY    Sides whose cosine is nearer to 1 are one; a smaller share of a push is none.
 *      BS_LAST_PART   So short before its end a step gathers nobody any more.
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

#define BS_MENDED 0x1p-30
#define BS_SAME_WAY 0x1p-20
#define BS_LAST_PART 0x1p-20

/* The lowest coordinate that a query may need where nothing is far away. */
#define BS_LEAST_PAD 0x1p-1060

#endif
