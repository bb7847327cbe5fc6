/*
 * move.h: what a box on its way is made of; only for world.c and the world_*.c files that
 * move boxes.
 *
 * The whole way takes one unit of time. Each axis has a track of its own: where the box was at a
 * time, and how fast it goes from there on. A contact changes the track of the axis whose face was
 * met and leaves the others as they are, so what nothing stops ends exactly at its goal, and times
 * are those of the whole way.
 *
 *      gather      the boxes that may be met, by one query around all that can be reached
 *      stretch     from one change of direction to the next: all contacts, the first one on top
 *      respond     what the first one that counts does to the track of its axis
 *
 * Where there are shapes the way is another one: see glide.c.
 */
#ifndef BS_WORLD_MOVE_H
#define BS_WORLD_MOVE_H

#include <math.h>

#include "parts.h"

#pragma GCC visibility push(hidden)

/* The face of a box: its normal is `sign` along `axis`. */
typedef struct bs_face {
    int axis;
    int sign;
} bs_face;

/* A box that may be met. */
typedef struct bs_obstacle {
    uint32_t box;
    uint8_t response; /* a bs_response; BS_UNKNOWN: the host is to be asked */
    bool inside;      /* it overlapped the moving box at the start, and has done so since */
    bs_face way_out;  /* if `inside`: along its normal the least push parts the two */

    /* For glide.c alone. */
    bool told;        /* the box has met it already */
    bool holds;       /* a one-way box that has been met at its side */
    double exit[DIM]; /* if `inside`: a unit normal, along which the least push parts the two */
} bs_obstacle;

/* A box that is met if nothing else changes the way before. */
typedef struct bs_meeting {
    double t;
    uint64_t order; /* of insertion */
    uint32_t obstacle;
    bs_face face;
    bool corner;
} bs_meeting;

/* One axis of the way. */
typedef struct bs_track {
    double from;  /* where the box was at time ... */
    double since; /* ... this one */
    double speed;
    double end; /* where it is at time 1, if nothing is met any more */
} bs_track;

/* The way past shapes: see glide.c. */
enum { BS_GLIDE_FACES = 4 };
#define BS_GLIDE_PAD 0x1p-40 /* of the largest coordinate: more than rounding, around each part */
#define BS_GLIDE_ROOM 0.125  /* of the box's size: so much more is gathered around that */
typedef struct bs_glide {
    bs_rect reach;                    /* all obstacles in here are known */
    bs_rect at;                       /* where the box is at time `now` */
    double looked[DIM];               /* where it was when it last saw what it overlaps */
    double end[DIM];                  /* where it goes to from there, until ... */
    double until;                     /* ... this time */
    double later[DIM];                /* how it wants to go on then */
    double velocity[DIM];             /* for steps: what contacts leave of it */
    double face[BS_GLIDE_FACES][DIM]; /* the normals of what it meets here */
    int faces;
    double wish[DIM];          /* how it wanted to go on when it met the first of them ... */
    double velocity_here[DIM]; /* ... and its velocity then */
    int responses;
    bs_obstacle *asked; /* of which the host is asked */
} bs_glide;

struct bs_move {
    bs_world *w;
    uint32_t self;
    bs_rules rules;
    bs_rect start;
    bs_track track[DIM];
    double fall[DIM]; /* speed that a step's acceleration gives, twice: a bounce that is not faster,
                         in its direction, is a slide */
    double bounce;    /* how much speed a bounce keeps */
    bool through;     /* nothing stops the box: what it meets is told, and no one is asked */
    double now;
    uint32_t bounces;
    bs_obstacle *obstacle;
    size_t obstacles, obstacle_cap;
    bs_meeting *meeting; /* a heap: none is sooner than the first */
    size_t meetings, meeting_cap;
    bs_collisions met;
    bool glides; /* by glide.c, as there are shapes about */
    bs_glide glide;
    bool in_use;
    bs_move *next; /* of those that the world has: it keeps them to be used again */
};

/* As bs_move_begin, but that nothing stops the box: see `through`. */
bs_move *bs_move_begin_through(bs_world *w, uint32_t box, const double goal[DIM],
                               const bs_rules *rules);

/* True if the moving box, or an obstacle, has a shape. */
bool bs_glide_is_needed(const bs_move *m);
/* Where a shape looks for obstacles at first: of a long way only its beginning. */
bs_rect bs_glide_reach(const bs_move *m, const bs_rect *reach);
void bs_glide_begin(bs_move *m, const bs_rect *reach); /* which has all obstacles so far */
bs_progress bs_glide_run(bs_move *m, uint32_t *other); /* as bs_move_run */

/* The response to another box by layers alone; BS_UNKNOWN if the host is to be asked. */
bs_response bs_rules_response(const bs_world *w, const bs_rules *rules, uint32_t self,
                              uint32_t other);

/*
 * Where a box of that size, at `pos` on an axis, is flush with the face of `other`: the double
 * nearest to that face at which the two do not overlap.
 */
double bs_flush(double size, const bs_rect *other, bs_face face);

/* True if it stops the box, on one axis at least. */
bool bs_is_solid_response(bs_response response);

/*
 * The rect, and a little more on both sides of an axis: enough for a query to find what is flush
 * there, even where a size is lost in rounding, so that near and far side are the same double.
 */
bs_rect bs_widened(const bs_rect *r, int axis);

/* What overlaps the rect, by insertion; all boxes, if it is too large. False: no memory. */
bool bs_find_around(bs_world *w, const bs_rect *rect, bs_list *out);

/* True if r rests flush against that face of the other: it overlaps it on all other axes. */
bool bs_is_flush(const bs_rect *r, const bs_rect *other, bs_face face);

bool bs_is_one_way(const bs_world *w, uint32_t box);
/* True if the box can be met at that face: a one-way box has but one that counts. */
bool bs_is_solid_at(const bs_world *w, uint32_t box, bs_face face);

/*
 * The same where shapes are met: a one-way box counts where the unit normal is within 60 degrees of
 * its own.
 */
bool bs_is_solid_toward(const bs_world *w, uint32_t box, const double normal[DIM]);

/*
 * True if box a, or its shape, rests against that side of b: flush, or, where there are shapes, as
 * near as rounding lets them come: a box that a slope holds is not flush with the floor beside it.
 */
bool bs_rests_against(const bs_world *w, uint32_t a, uint32_t b, bs_face face);

/* By so much of the largest coordinate shapes may be apart and rest on each other. */
#define BS_REST 0x1p-30

/* What the world keeps to move boxes with is freed. */
void bs_moves_free(bs_world *w);
void bs_push_free(bs_world *w);

/* NULL, or what is broken; for tests. */
const char *bs_push_check(const bs_world *w);
/* NULL, or what has begun and not ended; for tests, while no host is asked. */
const char *bs_moves_check(const bs_world *w);

#pragma GCC visibility pop

#endif
