/*
 * scenes.h: what is measured: boxes in a world and how they move, frame by frame.
 *
 * All coordinates, sizes and velocities are multiples of 1/256, and worlds are smaller than 2^16:
 * every library sees exactly the same boxes, whether it computes in floats or in doubles, and the
 * sets of pairs can be compared. The generator can be written in Lua in the same way
 * (lua/scenes.lua makes the same boxes).
 *
 * With DIM=3 worlds are cubes, in which boxes meet as many others as in 2D.
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
    JITTER    /* 1/256 px and back: everything is to be searched anew, yet stays where it is */
} scene_motion;

/* What is in the boxes, in 2D: see shapes.h. Boxes of circles and polygons are squares. */
typedef enum scene_shapes { BOXES, CIRCLES, POLYGONS } scene_shapes;

typedef struct scene_spec {
    const char *name;
    const char *what;
    uint32_t n;
    uint32_t fixed;       /* the first so many are static; then only static and moving ones meet */
    double size[2];       /* of the world, in 2D; 0: 600 x 400 ... */
    double space_per_box; /* ... or, if not 0, as large as that and 3:2 */
    double least;         /* sides of boxes: from ... */
    double greatest;      /* ... to */
    bool log_uniform;     /* their logarithm is distributed evenly, not they */
    scene_shapes shapes;
    scene_layout layout;
    scene_motion motion;
    double moving;   /* part of the boxes that moves */
    double replaced; /* part of the boxes that is removed and inserted anew each frame */
    double speed;    /* px per frame and axis at most */
} scene_spec;

/* Figures that may be changed, so that nothing is tuned to one generator. */
typedef struct scene_options {
    uint32_t seed;
    double boxes; /* factor to the number of boxes */
    double sizes; /* factor to their sizes */
    double speed; /* factor to their speed */
    bool redraw;  /* velocities are drawn anew each frame in all workloads */
} scene_options;

scene_options scene_options_default(void);

/* The area or volume that each of S1's boxes has. */
#define SPACE_PER_BOX_S1 ((DIM == 2 ? 600.0 * 400.0 : 208.0 * 208.0 * 208.0) / 1024.0)

typedef struct scene {
    scene_spec spec; /* with the options applied */
    double size[DIM];
    bs_rect *rect;
    double (*velocity)[DIM];
    uint64_t state; /* of the random numbers */
    uint32_t tick;
} scene;

/* What happens between two questions. */
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

/* Moves the scene's boxes on and says in *f what has changed. */
void scene_advance(scene *s, frame *f);
void frame_free(frame *f);

/* A random number in the open interval (0, 1), and a multiple of 1/256 in [lo, hi). */
double scene_random(scene *s);
double scene_between(scene *s, double lo, double hi);

/* Another random place in the world for a box of that size. */
void scene_place(scene *s, bs_rect *rect);

/*
 * S1 to S14 and their variants, C of circles, P of polygons; ends with a spec whose name is NULL.
 * An `m` at the end: half of the boxes move; `r`: their velocities are redrawn each frame; `s`:
 * sparser; `b`: another one.
 */
extern const scene_spec scene_specs[];

/* NULL: there is none of that name. */
const scene_spec *scene_spec_find(const char *name);

/* malloc or the end of the program. */
void *must_alloc(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
