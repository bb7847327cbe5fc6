/*
 * shapes.h: the shapes within the boxes of a scene: circles, or polygons of six corners, each
 * turned by another angle; and plain answers about them, which check those of ours.
 */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHAPE_CORNERS = 6 };

/*
 * The corners of a box's polygon. It touches all sides of the rect, and turns from +x towards +y.
 */
void shape_corners(uint32_t box, const bs_rect *r, double corner[SHAPE_CORNERS][2]);

/* True if the interiors of two boxes' shapes overlap; in 3D they are boxes. */
bool shapes_overlap(scene_shapes kind, uint32_t a, const bs_rect *at, uint32_t b,
                    const bs_rect *bt);

/* When a point enters a circle, as a part of its motion; more than 1 if it does not. */
double shape_circle_met(const bs_rect *circle, const double from[DIM], const double motion[DIM]);

#ifdef __cplusplus
}
#endif
#endif
