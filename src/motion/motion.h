/*
 * motion.h: the state of a moving box, for the files of this folder alone. They rely on world/ and
 * on what is below it.
 *
 *      rules.c      which response, and which side is solid
 *      obstacles.c  what may be met on the next part of the way
 *      contact.c    when and where obstacles are met, and which one first
 *      seams.c      corners between one-way boxes, which are none
 *      way.c        tracks, and how the box goes on along them
 *      response.c   how a response changes that, and the velocities of two that meet
 *      move.c       the loop: ask, report, respond
 *      rest.c       flush, resting, touching, free places
 *      crates.c     boxes that are pushed ahead
 *      push.c, riders.c, shoves.c, resolve.c
 *
 * A function that takes memory returns false, or NULL, if there is none.
 *
 * The whole way takes one unit of time. Each axis has a track of its own: where the box was at a
 * time, and its speed from there on. A slide removes the part of the speed along the normal, a
 * bounce reflects it. A normal along an axis changes the track of this axis alone, exactly; a
 * slanted one changes those that it has a part in. All other tracks stay as they are, so times are
 * those of the whole way.
 *
 * Three things hold for every way:
 *      - The box is never in something solid that it was not in at its start. Where rounding has
 *        put it into one, it is put out of it again by the shortest way.
 *      - An axis whose speed no contact has changed ends exactly at its goal.
 *      - Each turn uses up time, or closes a direction: the way on leads into no side of the same
 *        place. So a way ends, and no count decides where.
 *
 * Boxes meet boxes exactly. For all else see narrow/tolerances.h.
 */
#ifndef BS_MOTION_H
#define BS_MOTION_H

#include <math.h>

#include "base/queue.h"
#include "narrow/tolerances.h"
#include "world/world_parts.h"

#pragma GCC visibility push(hidden)

enum {
    BS_MOST_SIDES = 6,        /* Sides at one place; more of them let nothing out. */
    BS_MOST_BOUNCES = 16,     /* Bounces in one way. */
    BS_MOST_NUDGES = 8,       /* Nudges in a 4096th of the way, out of what rounding put it into. */
    BS_MOST_STRETCHES = 65536 /* A way longer than all numbers of its places rattles on one spot. */
};

/* A box that may be met. */
typedef struct bs_obstacle {
    uint32_t box;
    uint8_t response; /* A bs_response; what it may be, as long as the host `asks`. */
    bool asks;        /* The host must be asked for the response. */
    bool exact;       /* Neither of the two has a shape. */
    bool inside;      /* It has overlapped the moving box since the start. */
    bool told;        /* The host hears of it once, or once more after a bounce. */
    bool pushed;      /* It has been pushed ahead. */
    bool holds;       /* It is one-way, and has been met at its side. */
    bool has_way_out; /* If `inside`: that way out is known already. */
    double from[DIM]; /* If `inside`: where the moving box was when it was last looked at. */
    bs_box_side
        side; /* If `inside`, the shortest push that separates the two is along its normal. */
    /* Unless it is exact: the unit normal of that side, or of the one that is met next. */
    double normal[DIM];
    double bend;  /* The radius of the arc on which the box goes on around it; 0 if straight. */
    double grain; /* How deep a way may lead into it and still only graze it; 0 if it is exact. */
} bs_obstacle;

/* A meeting with an obstacle, which happens if nothing changes the way before. */
typedef struct bs_meeting {
    double t;
    uint32_t obstacle;
    bs_box_side side;
    bool at_edge; /* At an edge or a corner. */
    bool rounded; /* Rounding has put the box into it; no way has led there. */
} bs_meeting;

/* One axis of the way. */
typedef struct bs_track {
    double from; /* The position of the box at the time `since`. */
    double since;
    double speed;
    double end; /* Its position at time 1, if it meets nothing more. */
} bs_track;

/* How a box goes on. Responses change this. */
typedef struct bs_course {
    double motion[DIM];    /* How far it would go in the whole time, 0..1. */
    double remaining[DIM]; /* How far it will go until time 1. */
    double velocity[DIM];  /* In steps, per second: what contacts leave of it. */
} bs_course;

/* The contacts at one place. */
typedef struct bs_contact_set {
    double at[DIM];
    double since;     /* The time from which nudges are counted. */
    bs_course before; /* The course when the box met the first of these, or after a bounce. */
    double normal[BS_MOST_SIDES][DIM];
    double grain[BS_MOST_SIDES];
    double arc[BS_MOST_SIDES]; /* The radius on which the box goes on around it; 0 if straight. */
    double coarsest;           /* The greatest grain; 0 if only boxes have met here, exactly. */
    double near;               /* What is met no farther away than this is met here, too. */
    double bend;               /* The least arc that bends; 0 if none does. */
    int sides;
} bs_contact_set;

/* The motion of a body among static boxes, from a time of a step until it turns there. */
typedef struct bs_stride {
    bs_rect start;
    double goal[DIM]; /* Where it comes to, if it meets nothing. */
    double velocity[DIM];
    double aim[DIM];  /* Its velocity at first, or after the last bounce. */
    double fall[DIM]; /* The velocity that gravity and acceleration add in the whole step. */
    double from;      /* The part of the step that is over, 0..1. */
    double dt;        /* The length of the whole step. */
} bs_stride;

struct bs_move {
    bs_world *w;
    uint32_t self;
    bs_rules rules;
    bs_rect start;
    double bounce; /* A bounce keeps this part of the speed. */
    bool through;  /* Nothing stops the box: what it meets is reported, and no host is asked. */
    bool shoves;   /* It stops where it meets what must get out of its way: bs_shove_response. */

    /* In a step only static boxes are met. */
    bool in_step;
    bool is_stuck;    /* It goes no farther; its velocity stays. */
    bool turns;       /* It turns now, elsewhere than where it began, or by more than a slide. */
    bool has_taken;   /* Slides have taken velocity, at `taken_at`. */
    double from;      /* The part of the step that is over when the way begins. */
    double dt;        /* The length of the way in the units of velocities. */
    double fall[DIM]; /* The velocity gained in the whole step. */
    double turned_at[DIM]; /* The place of the last turn. */
    double before[DIM];    /* The velocity until it turns. */
    size_t settled;        /* So many of `met` are met where it begins. */
    double taken[DIM];     /* The velocity that slides have taken there. */
    double taken_at[DIM];

    bs_track track[DIM];
    double velocity[DIM]; /* See bs_course. */
    double now;
    double stretch_end;      /* The end of the stretch that begins now. */
    double arc_end;          /* The end of a step around a corner, or HUGE_VAL. */
    bs_course wish;          /* How the box goes on after that step. */
    bs_course aim;           /* The course at the start, or after the last bounce. */
    bs_contact_set contacts; /* Those of the last place. */
    uint32_t bounces, nudges, stretches;

    bool plain;    /* Neither the box nor anything around its way has a shape. */
    bs_rect reach; /* All obstacles in here are known. */
    int parts;     /* Parts looked at since the last turn; each is twice as long as the last. */
    bs_list found; /* The boxes that one look finds. */
    bs_obstacle *obstacle; /* All that may be met and was found so far. */
    size_t obstacles, obstacle_cap;
    bs_list near;        /* Those in `reach`, by their numbers, without ... */
    bs_list within;      /* ... those that the box is in, by insertion; in steps these are near. */
    size_t next_within;  /* From here on it is not known yet whether this stretch leads deeper. */
    bs_table known;      /* By box: its number, plus 1. It is empty before the second look. */
    bs_meeting *meeting; /* A heap, in which none is sooner than the first. */
    size_t meetings, meeting_cap;
    bs_collisions met;

    bool in_use;
    uint32_t call; /* It belongs to so many calls, each within the one before (bs_call_begin). */
    bs_move *next; /* The world keeps its moves in this list, to use them again. */
};

static inline double bs_least_size(const bs_rect *r) {
    double size = r->size[0];
    for (int k = 1; k < DIM; k++) {
        size = bs_min(r->size[k], size);
    }
    return size;
}

static inline bool bs_is_within(const bs_rect *r, const bs_rect *in) {
    bool within = true;
    for (int k = 0; k < DIM; k++) {
        within = within && r->pos[k] >= in->pos[k] && bs_far(r, k) <= bs_far(in, k);
    }
    return within;
}

/* --- rules.c -------------------------------------------------------------------------------- */

/* Whether one of the two is a sensor. Then any response counts as cross. */
static inline bool bs_is_sensed(const bs_world *w, uint32_t a, uint32_t b) {
    return w->conduct != NULL && (w->conduct[a].sensor || w->conduct[b].sensor);
}
/* The response to another box. Where the host decides, BS_SLIDE, or BS_CROSS, as it may be. */
bs_response bs_rules_response(const bs_world *w, const bs_rules *rules, uint32_t self,
                              uint32_t other);
/* Whether another box could stop this one, as far as is known without asking the host. */
static inline bool bs_rules_may_stop(const bs_world *w, const bs_rules *rules, uint32_t self,
                                     uint32_t other) {
    return bs_is_solid_response(bs_rules_response(w, rules, self, other));
}

bool bs_is_one_way(const bs_world *w, uint32_t box);
/* Whether the box is solid at that side; a one-way box only has one that counts. */
bool bs_is_solid_at(const bs_world *w, uint32_t box, bs_box_side side);
/* A one-way box is solid where the unit normal is within 60 degrees of its own. */
bool bs_is_solid_toward(const bs_world *w, uint32_t box, const double normal[DIM]);
/* Whether both are, where they meet at a normal that points from b to a. One-way boxes are not to
 * what they overlap. */
bool bs_are_solid_at(const bs_world *w, uint32_t a, uint32_t b, const double normal[DIM],
                     bool inside);

/* --- obstacles.c ---------------------------------------------------------------------------- */

/* Around the motion of a box from one place to another, and wider by `room` times its size. */
bs_rect bs_rect_around(const bs_rect *a, const bs_rect *b, double room);
/* Finds what may be met first. */
bool bs_obstacles_find(bs_move *m);
/* Sets `stretch_end`, and finds what may be met before that: on a plain way all, until 1. */
bool bs_obstacles_look_ahead(bs_move *m);
/* After a turn: finds what it still overlaps of what it overlapped at the start. */
void bs_obstacles_look_around(bs_move *m, bool bounced);
/* Whether all obstacles at that place are known. */
bool bs_obstacles_are_known(const bs_move *m, const bs_rect *at);
/* Whether the box, at that place, is in an obstacle that is solid to it. */
bool bs_obstacle_is_in_the_way(const bs_move *m, const bs_obstacle *o, const bs_rect *at);
/* Whether the box, at that place, is in nothing solid that it was not in at the start. */
bool bs_obstacles_leave_free(const bs_move *m, const bs_rect *at);

/* --- seams.c -------------------------------------------------------------------------------- */

/*
 * Whether box `self`, which is at `at`, meets a one-way box at that normal where this has a seam,
 * and so not there: the side goes on in another box that it may meet by the rules, and in which it
 * is. In a push it is the others that move: those of `pushers`, by box. False: no memory.
 */
bool bs_is_at_seam(bs_world *w, const bs_rules *rules, const uint8_t *pushers, uint32_t self,
                   const bs_rect *at, uint32_t box, const double normal[DIM], bs_list *found,
                   bool *at_seam);

/* Whether r is farther away from a place than that, on an axis. */
static inline bool bs_is_farther(const bs_rect *r, const double place[DIM], double near) {
    bool apart = false;
    for (int k = 0; k < DIM; k++) {
        apart = apart || fabs(r->pos[k] - place[k]) > near;
    }
    return apart;
}

/* Whether r is elsewhere, by more than what is one place. */
static inline bool bs_is_apart(const bs_rect *r, const double place[DIM]) {
    return bs_is_farther(r, place, bs_largest_coordinate(r, r) * BS_HERE);
}

/* --- contact.c ------------------------------------------------------------------------------ */

/*
 * Finds all meetings on the stretch that begins now, but with those of `within`. There must be room
 * for them.
 */
void bs_meetings_find(bs_move *m);
/* Adds those with `within` that come before the first one. False if there is none at all. */
bool bs_meetings_settle(bs_move *m);
/* Finds that with an obstacle which has moved; there is none with it among the others. */
void bs_meetings_find_one(bs_move *m, uint32_t obstacle);
/* Removes and returns the first one. */
bs_meeting bs_meetings_pop(bs_move *m);
/*
 * The side at which one box has met another with that unit normal, up to a grain: bs_side_of_edge
 * for the edges of both.
 */
bs_box_side bs_side_met(const bs_world *w, uint32_t a, uint32_t b, const double normal[DIM],
                        double grain);
/* The normal of the side that is met. */
void bs_meeting_normal(const bs_obstacle *o, const bs_meeting *x, double normal[DIM]);
/* When the box is at the place of a meeting: at a slanted side it is there a little before. */
double bs_meeting_time(const bs_move *m, const bs_obstacle *o, const bs_meeting *x);
/* The place of the box at that time: flush, or at a slanted side. */
bs_rect bs_meeting_place(const bs_move *m, const bs_obstacle *o, const bs_meeting *x);

/* --- way.c ---------------------------------------------------------------------------------- */

/*
 * Whether a straight way leads into a side by more than the grain. A way into a round side leads
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

/*
 * Whether a contact at that time has just placed the box on an axis, so that rounding may have put
 * it into something. At the start it is where it was.
 */
static inline bool bs_track_is_new(const bs_move *m, int axis, double t) {
    return m->track[axis].since == t && (t > 0 || m->contacts.coarsest > 0);
}

static inline bs_rect bs_way_at(const bs_move *m, double t) {
    bs_rect r = m->start;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = bs_track_at(&m->track[k], t);
    }
    return r;
}

/* The part of the whole step that is over at a time of the way. */
static inline double bs_time_in_step(const bs_move *m, double t) {
    return m->from + (1 - m->from) * t;
}

static inline void bs_track_stop(bs_track *track, double at, double t) {
    *track = (bs_track){at, t, 0, at};
}

void bs_way_begin(bs_move *m, const double goal[DIM]);
/* The box's speed along a normal. */
double bs_way_speed(const bs_move *m, const double normal[DIM]);
/* Whether the way leads into a side by more than the grain. */
bool bs_way_leads_into(const bs_move *m, const double normal[DIM], double grain);
/* How the box, which is at r, goes on if nothing changes that. */
bs_course bs_course_from(const bs_move *m, const bs_rect *r);
/* What is left of an earlier course now. */
bs_course bs_course_from_now(const bs_move *m, const bs_course *earlier);
/*
 * Goes on from r by a course. Tracks that it does not change stay as they are. An axis that would
 * overflow stops.
 */
void bs_way_take(bs_move *m, const bs_rect *r, const bs_course *c);
/* Puts the box to r, where rounding had put it elsewhere. */
void bs_way_nudge(bs_move *m, const bs_rect *r);
/* Goes on after the end of a stretch. Returns false at the end of the way. */
bool bs_way_go_on(bs_move *m);
/* Ends the way at r. */
void bs_way_end(bs_move *m, const bs_rect *r);
/* The place after a straight way; -0 stays -0. False if it is not finite. */
bool bs_advance(const bs_rect *from, const double velocity[DIM], double dt, bs_rect *to);

/* --- response.c ----------------------------------------------------------------------------- */

/* Takes off what leads into a side. */
static inline void bs_lead_out_of(double v[DIM], const double normal[DIM]) {
    double along = bs_dot(v, normal);
    if (along < 0) {
        bs_add(v, -along, normal);
    }
}

/* How much of the closing speed comes back where two meet in a step: the greater of both. */
double bs_bounce_between(const bs_world *w, uint32_t a, uint32_t b);
/*
 * The friction of two in a step: the greater of both. HUGE_VAL where one touches, and so takes the
 * velocity of the other whole: b only counts if it moves.
 */
double bs_friction_between(const bs_world *w, uint32_t a, uint32_t b, bool b_moves);
/* The most that friction does along a side, where an impulse acts along its normal. */
double bs_most_rub(double friction, double impulse);
/* Friction between two, by at most that impulse; w is 1 / mass, 0 for what does not give way. */
void bs_rub(double va[DIM], double wa, double vb[DIM], double wb, const double normal[DIM],
            double most);
/* Two that close in no faster than twice what forces do to them in a step are pressed together. */
static inline bool bs_is_pressed(double speed, double twice_force) {
    return twice_force > 0 && speed <= twice_force;
}
/* What is gained from the middle of a step until a contact at that part of it; it may be < 0. */
static inline double bs_gained_until(double t, double fall) {
    return (t - 0.5) * fall;
}
/* The response that a body tells: one that has not bounced slides. */
bs_response bs_response_told(const bs_world *w, uint32_t body, bool bounced);
/* The response of a body to what it meets on its way; it sets how much speed it keeps. */
bs_response bs_response_in_step(bs_move *m, const bs_obstacle *o, const double normal[DIM]);
/* Changes the way of the box, which is at r, at a side. True: friction sends it elsewhere. */
bool bs_way_respond(bs_move *m, bs_response response, const bs_rect *r, const double normal[DIM],
                    const bs_obstacle *o);

/* --- move.c --------------------------------------------------------------------------------- */

/* Whether a box can be sent there: the way and the place are finite. */
bool bs_can_move_to(const bs_rect *from, const bs_rect *goal);
/* From now on the world frees, and checks, what moves and pushes keep in it. */
void bs_motion_enter(bs_world *w);
/* What has begun and not ended, or NULL; for tests, while no host is asked. */
const char *bs_moves_check(const bs_world *w);
/* In a push: as bs_move_run, but nothing stops it: see `through`. If not `through`, it `shoves`. */
bs_move *bs_move_run_in_push(bs_world *w, uint32_t box, const double goal[DIM],
                             const bs_rules *rules, bool through);
/* The move of a body in a step, among static boxes alone, until it turns: see `turns`. */
bs_move *bs_move_run_stride(bs_world *w, uint32_t box, const bs_stride *stride);

/* --- crates.c ------------------------------------------------------------------------------- */

/* Moves another box ahead, beside which the box is at r. */
bool bs_crate_push(bs_move *m, const bs_obstacle *o, const bs_meeting *x, const double normal[DIM],
                   const bs_rect *r);

/* --- push.c --------------------------------------------------------------------------------- */

void bs_push_free(bs_world *w);
/* Ends a push that the host has left. */
void bs_push_end(bs_world *w);
/* What is broken, or NULL; for tests. */
const char *bs_push_check(const bs_world *w);
/* Whether every push that has begun has ended. */
bool bs_push_is_idle(const bs_world *w);
/* The response of a box that shoves, to what would stop it at that normal. */
bs_response bs_shove_response(const bs_move *m, const bs_obstacle *o, const double normal[DIM]);

/* --- rest.c --------------------------------------------------------------------------------- */

/*
 * The rect, wider by so much on both sides of an axis, and by a little more: enough for a query to
 * find what is flush there, even where a size is lost in rounding, so that the near and the far
 * side are the same double.
 */
bs_rect bs_widened(const bs_rect *r, int axis, double by);

/* Whether the two overlap on all axes but this one. */
bool bs_are_beside(const bs_rect *a, const bs_rect *b, int axis);

/*
 * Whether box a, or its shape, rests against that side of b, where b is solid: it is flush; or,
 * with shapes, no farther away than BS_RESTING, with a normal within 60 degrees of that side's.
 */
bool bs_rests_against(const bs_world *w, uint32_t a, uint32_t b, bs_box_side side);

#pragma GCC visibility pop

#endif
