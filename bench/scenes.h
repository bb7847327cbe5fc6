/*
 * scenes.h: the boxes of a world and how they move, frame by frame.
 *
 * All coordinates, sizes and velocities are multiples of 1/256, and worlds are smaller than 2^16.
 * So every library sees exactly the same boxes, whether it computes in floats or in doubles, and
 * the sets of pairs can be compared. lua/scenes.lua makes the same boxes by the same generator.
 *
 * With DIM=3 worlds are cubes, in which a box meets as many others as in 2D.
 */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "broadside/geometry.h"

typedef enum scene_layout { AT_RANDOM, SAME_Y, SAME_X, ONE_PLACE, TWO_PLACES } scene_layout;

typedef enum scene_motion {
    BOUNCING, /* each box keeps its velocity and turns at the walls */
    REDRAWN,  /* the same, but each frame gives it a new velocity: it wanders about its place */
    JITTER    /* 1/256 px and back: everything has to be searched again, and yet stays in place */
} scene_motion;

/* The shapes in the boxes, in 2D (shapes.h). The boxes of circles and polygons are squares. */
typedef enum scene_shapes { BOXES, CIRCLES, POLYGONS } scene_shapes;

typedef struct scene_spec {
    const char *name;
    const char *what;
    uint32_t n;
    /* So many are static, the first ones; then only pairs of static and moving boxes count. */
    uint32_t fixed;
    double size[2];       /* of the world, in 2D; or 0 for 600 x 400 ... */
    double space_per_box; /* ... or, if this is not 0, the world is 3:2 and has that area */
    double least;         /* sides of boxes: from ... */
    double greatest;      /* ... to */
    bool log_uniform;     /* the logarithms of sides are distributed evenly, not the sides */
    scene_shapes shapes;
    scene_layout layout;
    scene_motion motion;
    double moving;   /* part of the boxes that moves */
    double replaced; /* part of the boxes that is removed and inserted again each frame */
    double speed;    /* the most px per frame and axis */
} scene_spec;

/* Factors that can be changed, so that nothing is tuned to one generator. */
typedef struct scene_options {
    uint32_t seed;
    double boxes; /* factor to the number of boxes */
    double sizes; /* factor to their sizes */
    double speed; /* factor to their speed */
    bool redraw;  /* velocities are drawn anew each frame in all workloads */
} scene_options;

scene_options scene_options_default(void);

/* The area or volume of the world per box in S1. */
#define SPACE_PER_BOX_S1 ((DIM == 2 ? 600.0 * 400.0 : 208.0 * 208.0 * 208.0) / 1024.0)

typedef struct scene {
    scene_spec spec; /* with the options applied */
    double size[DIM];
    bs_rect *rect;
    double (*velocity)[DIM];
    uint64_t state; /* of the random numbers */
    uint32_t tick;
} scene;

/* What happens between two queries. */
typedef struct frame {
    uint32_t *moved;
    bs_rect *moved_to;
    size_t n_moved;
    uint32_t *replaced;
    bs_rect *replacement;
    size_t n_replaced;
} frame;

/* Makes the boxes. Ends the program if there is no memory. */
void scene_begin(scene *s, const scene_spec *spec, const scene_options *options);
void scene_end(scene *s);

/* Moves the scene's boxes on, and sets *f to what has changed. */
void scene_advance(scene *s, frame *f);
void frame_free(frame *f);

/* A random number in the open interval (0, 1), and a multiple of 1/256 in [lo, hi). */
double scene_random(scene *s);
double scene_between(scene *s, double lo, double hi);

/* A random place in the world for a box of that size. */
void scene_place(scene *s, bs_rect *rect);

/*
 * S1 to S14 and their variants, C with circles, P with polygons. The last one's name is NULL.
 * Suffixes: `m`: half of the boxes move; `r`: their velocities are redrawn each frame; `s`:
 * sparser; `b`: another variant.
 */
extern const scene_spec scene_specs[];

/* NULL if there is none of that name. */
const scene_spec *scene_spec_find(const char *name);

/* malloc; ends the program if there is no memory. */
void *must_alloc(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
