/*
 * motion.h: what a box on its way is made of; for the files of this folder alone.
 *
 *      rules.c      which response, which side of what is solid
 *      obstacles.c  what may be met on the next part of the way
 *      contact.c    when and where obstacles are met, and which one first
 *      way.c        tracks, and what a response makes of them
 *      move.c       the loop: ask, tell, respond
 *      rest.c       flush, resting, touching, free places
 *      crates.c     what a box on its way pushes ahead
 *      push.c, step.c, resolve.c
 *
 * The whole way takes one unit of time. Each axis has a track of its own: where the box was at a
 * time, and how fast it goes from there on. A slide takes the part of the speed along the normal
 * away, a bounce turns it round. Where the normal lies along an axis that changes the track of this
 * axis alone, exactly; a slanted one changes those that it has a part in. All other tracks stay as
 * they are, so times are those of the whole way.
 *
 * Three things hold for every way:
 *      - The box is never in something solid that it was not in at its start. Where rounding has
 *        put it into one all the same, it is put out of it again, as little as that takes.
 *      - An axis whose speed no contact has changed ends exactly at its goal.
 *      - Each turn uses up time, or closes a direction: of all that is met in one place, the way on
 *        leads into none. So a way ends, and no count decides where.
 *
 * Boxes meet boxes exactly. For all else see narrow/tolerances.h.
 */
#ifndef BS_MOTION_H
#define BS_MOTION_H

#include <math.h>

#include "narrow/tolerances.h"
#include "world/parts.h"

#pragma GCC visibility push(hidden)

enum {
    BS_SLANTED = -1,      /* the axis of a face that has a normal along none */
    BS_MOST_FACES = 6,    /* that are met in one place: more of them let nothing out */
    BS_MOST_BOUNCES = 16, /* in one way */
    BS_MOST_NUDGES = 8    /* out of what rounding has put it into, in one place or at one time */
};

/* A face: its normal is `sign` along `axis`, or, of a slanted one, told beside it. */
typedef struct bs_face {
    int axis;
    int sign;
} bs_face;

/* A box that may be met. */
typedef struct bs_obstacle {
    uint32_t box;
    uint8_t response; /* a bs_response; BS_UNKNOWN: the host is to be asked */
    bool exact;       /* neither of the two has a shape */
    bool inside;      /* it overlapped the moving box at the start, and has done so since */
    bool told;        /* the host gets to know of it only once, or once more after a bounce */
    bool pushed;      /* it has been moved ahead */
    bool holds;       /* it is one-way, and has been met at its side */
    bool sensed;      /* one of the two is a sensor: it stops nothing, whatever the host says */
    bs_face face;     /* if `inside`: along its normal the least push parts the two */
    /* Unless it is exact: the unit normal of that face, or of the one that is met next. */
    double normal[DIM];
    double bend;  /* the radius of the arc on which the box goes on around it; 0: straight */
    double grain; /* how deep a way may lead into it and still only graze it */
} bs_obstacle;

/* An obstacle that is met if nothing else changes the way before. */
typedef struct bs_meeting {
    double t;
    uint64_t order; /* of insertion */
    uint32_t obstacle;
    bs_face face;
    bool corner;
    bool rounded; /* rounding has put the box into it: no way has led there */
} bs_meeting;

/* One axis of the way. */
typedef struct bs_track {
    double from;  /* where the box was at time ... */
    double since; /* ... this one */
    double speed;
    double end; /* where it is at time 1, if nothing is met any more */
} bs_track;

/* How a box goes on: what a response changes. */
typedef struct bs_course {
    double speed[DIM];
    double left[DIM];     /* of its way, until time 1 */
    double velocity[DIM]; /* for steps: what contacts leave of it */
} bs_course;

/* What is met in one place. */
typedef struct bs_corner {
    double at[DIM];
    double since;     /* the time at which the first of these was met */
    bs_course before; /* how the box went when it met the first of these; or after a bounce */
    double normal[BS_MOST_FACES][DIM];
    double grain[BS_MOST_FACES];
    double arc[BS_MOST_FACES]; /* the radius on which the box goes on around it; 0: straight */
    double coarsest;           /* of these; 0: only boxes have met here, exactly */
    double near;               /* what is met no farther away is met here, too */
    double bend;               /* the least one of those that bend; 0: none does */
    int faces;
} bs_corner;

struct bs_move {
    bs_world *w;
    uint32_t self;
    bs_rules rules;
    bs_rect start;
    double fall[DIM]; /* the velocity that a step's acceleration gives: a bounce that is not twice
                         as fast, in its direction, is a slide */
    double bounce;    /* how much speed a bounce keeps */
    double dt;        /* of the step in which it moves; 0: in none */
    bool pushes;      /* BS_PUSH moves what it meets; else it is a slide */
    bool through;     /* nothing stops the box: what it meets is told, and no one is asked */

    bs_track track[DIM];
    double velocity[DIM]; /* see bs_course */
    double now;
    double until;     /* where the stretch ends that begins now */
    double turn;      /* where a step around a corner ends, and ... */
    bs_course wish;   /* ... how the box goes on there; turn > 1: it follows no arc */
    bs_corner corner; /* the last one */
    uint32_t bounces, nudges;

    bs_rect reach; /* all obstacles in here are known */
    int parts;     /* so many have been looked at: each is twice as long as the one before */
    bs_list found; /* boxes that one look comes upon */
    bs_obstacle *obstacle;
    size_t obstacles, obstacle_cap;
    bs_meeting *meeting; /* a heap: none is sooner than the first */
    size_t meetings, meeting_cap;
    bs_collisions met;

    bool in_use;
    bs_move *next; /* of those that the world has: it keeps them to be used again */
};

/* --- rules.c -------------------------------------------------------------------------------- */

/* True if one of the two is a sensor: then any response counts as cross. */
static inline bool bs_is_sensed(const bs_world *w, uint32_t a, uint32_t b) {
    return w->conduct != NULL && (w->conduct[a].sensor || w->conduct[b].sensor);
}
/* The response to another box by layers alone; BS_UNKNOWN if the host is to be asked. */
bs_response bs_rules_response(const bs_world *w, const bs_rules *rules, uint32_t self,
                              uint32_t other);
/* True if it stops the box, on one axis at least. */
static inline bool bs_is_solid_response(bs_response response) {
    return response != BS_PASS && response < BS_UNKNOWN && response != BS_CROSS;
}

/* True if it does so, or the host may say so. */
static inline bool bs_may_stop(const bs_obstacle *o) {
    return !o->sensed &&
           (o->response == BS_UNKNOWN || bs_is_solid_response((bs_response)o->response));
}

bool bs_is_one_way(const bs_world *w, uint32_t box);
/* True if the box can be met at that face: a one-way box has but one that counts. */
bool bs_is_solid_at(const bs_world *w, uint32_t box, bs_face face);
/* The same of a unit normal: a one-way box counts where that is within 60 degrees of its own. */
bool bs_is_solid_toward(const bs_world *w, uint32_t box, const double normal[DIM]);

/* --- obstacles.c ---------------------------------------------------------------------------- */

/* What may be met first. False: no memory. */
bool bs_obstacles_find(bs_move *m);
/*
 * Sets `until`, and finds what may be met before; among boxes alone all is known, until 1. False:
 * no memory.
 */
bool bs_obstacles_look_ahead(bs_move *m);
/* After a turn: what it still overlaps of what it overlapped at the start. */
void bs_obstacles_look_around(bs_move *m, bool bounced);
/* True if it is known what the box would be in at that place. */
bool bs_obstacles_are_known(const bs_move *m, const bs_rect *at);
/* True if the box, at that place, is in nothing solid that it was not in at the start. */
bool bs_obstacles_leave_free(const bs_move *m, const bs_rect *at);

/* --- contact.c ------------------------------------------------------------------------------ */

/* All meetings on the stretch that begins now. There is room for them. */
void bs_meetings_find(bs_move *m);
/* Takes the first one. */
bs_meeting bs_meetings_pop(bs_move *m);
/* The face of a unit normal: slanted, unless that lies along an axis. */
bs_face bs_face_of(const double normal[DIM]);
/* The normal of the face that is met. */
void bs_meeting_normal(const bs_obstacle *o, const bs_meeting *x, double normal[DIM]);
/* Where the box is then: flush, or beside a slanted face. */
bs_rect bs_meeting_place(const bs_move *m, const bs_obstacle *o, const bs_meeting *x);
/* The least way out of an obstacle that the box, at that place, overlaps. */
void bs_obstacle_way_out(const bs_move *m, bs_obstacle *o, const bs_rect *at);

/* --- way.c ---------------------------------------------------------------------------------- */

static inline double bs_dot(const double a[DIM], const double b[DIM]) {
    double sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/*
 * True if a straight way leads into a face by more than the grain. Into what is round it leads
 * along a chord, and out again: if that is no deeper than `chord`, it only grazes it. So a round
 * peg beside a gap does not hold what is as wide as the gap, wherever that touches it.
 */
static inline bool bs_goes_into(const double way[DIM], const double normal[DIM], double grain,
                                double bend, double chord) {
    double into = -bs_dot(way, normal);
    if (!(into > grain) || bend == 0) {
        return into > grain;
    }
    double sine = into / bs_length(way);
    return bend * (sine * sine) / 2 > chord;
}

static inline double bs_track_at(const bs_track *track, double t) {
    return t >= 1 || track->speed == 0 ? track->end
                                       : track->from + track->speed * (t - track->since);
}

static inline bs_rect bs_way_at(const bs_move *m, double t) {
    bs_rect r = m->start;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = bs_track_at(&m->track[k], t);
    }
    return r;
}

void bs_way_begin(bs_move *m, const double goal[DIM]);
/* The box's speed along a normal. */
double bs_way_speed(const bs_move *m, const double normal[DIM]);
/* True if it leads into a face, by more than the grain. */
bool bs_way_leads_into(const bs_move *m, const double normal[DIM], double grain);
/* The box is at r, beside a face: what becomes of its way. */
void bs_way_respond(bs_move *m, bs_response response, const bs_rect *r, const double normal[DIM],
                    const bs_obstacle *o);
/* The box is put to r, out of what it does not lead into. */
void bs_way_nudge(bs_move *m, const bs_rect *r);
/* At the end of a stretch. False: that was the end of the way. */
bool bs_way_go_on(bs_move *m);
/* The way ends at r. */
void bs_way_end(bs_move *m, const bs_rect *r);

/* --- move.c --------------------------------------------------------------------------------- */

/* NULL, or what has begun and not ended; for tests, while no host is asked. */
const char *bs_moves_check(const bs_world *w);
/* As bs_move_begin, but that nothing stops the box: see `through`. */
bs_move *bs_move_begin_through(bs_world *w, uint32_t box, const double goal[DIM],
                               const bs_rules *rules);
/* The same in a step of that time, in which acceleration adds so much velocity. */
bs_move *bs_move_begin_step(bs_world *w, uint32_t box, const double goal[DIM],
                            const bs_rules *rules, const double fall[DIM], double dt);

/* --- crates.c ------------------------------------------------------------------------------- */

/* The box is at r, beside another: moves that one ahead. False: no memory. */
bool bs_crate_push(bs_move *m, const bs_obstacle *o, const bs_meeting *x, const double normal[DIM],
                   const bs_rect *r);

/* --- step.c --------------------------------------------------------------------------------- */

/* True if what is met next is to move first: bs_move_run returns BS_MOVE_ASKS before that. */
bool bs_step_is_to_wait(const bs_move *m);
/*
 * True if what the box meets goes ahead of it as fast as it does itself, so that rounding alone
 * brings the two together.
 */
bool bs_step_keeps_pace(const bs_move *m, const bs_obstacle *o, const bs_meeting *x,
                        const double normal[DIM]);

/* --- push.c --------------------------------------------------------------------------------- */

void bs_push_free(bs_world *w);
/* NULL, or what is broken; for tests. */
const char *bs_push_check(const bs_world *w);
/* True if none has begun that has not ended. */
bool bs_push_is_idle(const bs_world *w);

/* --- rest.c --------------------------------------------------------------------------------- */

/*
 * Where a box of that size, at `pos` on an axis, is flush with the face of `other`: the double
 * nearest to that face at which the two do not overlap.
 */
double bs_flush(double size, const bs_rect *other, bs_face face);

/*
 * The rect, and a little more on both sides of an axis: enough for a query to find what is flush
 * there, even where a size is lost in rounding, so that near and far side are the same double.
 */
bs_rect bs_widened(const bs_rect *r, int axis);

/*
 * What overlaps the rect, by insertion; all boxes, if it is too large. `self` may be among them or
 * not. False: no memory.
 */
bool bs_find_around(bs_world *w, const bs_rect *rect, uint32_t self, bs_list *out);

/*
 * True if box a, or its shape, rests against that side of b: flush, or, where there are shapes, no
 * farther away than BS_RESTING, where the normal is within 60 degrees of that side's.
 */
bool bs_rests_against(const bs_world *w, uint32_t a, uint32_t b, bs_face face);

#pragma GCC visibility pop

#endif
