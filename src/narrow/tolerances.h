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
 * Directions:
 *
 *      BS_SAME_WAY    Sides whose cosine is nearer to 1 are one; a smaller share of a push is none.
 *      BS_CORNERED    Normals whose sine is larger meet at a corner; it is far more than rounding.
 *      BS_HEADING     A way out whose cosine with the normal is less, 88 degrees, leads nowhere.
 *
 * Shares of a way, or of a step:
 *
 *      BS_LEAST_PART  A way is looked at in parts that are no shorter at first.
 *      BS_LEAST_TURN  A step around a corner is no shorter, so that a way of such steps ends; and
 *                     nudges are counted in such parts.
 *      BS_LAST_PART   So short before its end a step gathers nobody any more.
 *      BS_LAST_SPEED  What is to be parted by the end of the step has at least so much of it for
 *                     that, so that it does not get fast.
 *
 * Shares of a size:
 *
 *      BS_ROOM        Around a part of a way so much more is looked at, as the way may turn.
 *      BS_NEAR_MISS   What passes by no farther away may be pushed into what it passes.
 *      BS_AT_HAND     What presses sees what is no farther away, on both sides.
 *      BS_NEIGHBOUR   What has changed wakes what is no farther away: heaps rest a little apart.
 *
 * Steps join the ends of many paths, and iterate:
 *
 *      BS_MENDED      Bodies that overlap no deeper at the end, relative to coordinates, do so by
 *                     rounding, and are parted. Deeper ones go back to where they were.
 *      BS_ABREAST     Two that close in by no greater share of both speeds went on together before:
 *                     so much a solution leaves.
 *      BS_SOLVED      Planes are solved if they are crossed by no greater share of all speeds: some
 *                     hundred times the rounding of these.
 *      BS_PIVOTAL     An equation, scaled to 1, of which less is left says what others have said:
 *                     too few of its digits are right.
 *      BS_GRIPPED     Friction that is off what it can be by no greater share of the push is as it
 *                     should be.
 *      BS_SHAKEN      What is slower than this share of what forces add to it in a step rests.
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

#define BS_SAME_WAY 0x1p-20
#define BS_CORNERED 1e-6
#define BS_HEADING 0.03

#define BS_LEAST_PART 0x1p-20
#define BS_LEAST_TURN 0x1p-12
#define BS_LAST_PART 0x1p-20
#define BS_LAST_SPEED 0x1p-6

#define BS_ROOM 0x1p-3
#define BS_NEAR_MISS 0x1p-4
#define BS_AT_HAND 0x1p-5
#define BS_NEIGHBOUR 0x1p-6

#define BS_MENDED 0x1p-30
#define BS_ABREAST 0x1p-24
#define BS_SOLVED 0x1p-44
#define BS_PIVOTAL 0x1p-38
#define BS_GRIPPED 0x1p-30
#define BS_SHAKEN 0x1p-20

/* The lowest coordinate that a query may need where nothing is far away. */
#define BS_LEAST_PAD 0x1p-1060

#endif
