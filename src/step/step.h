/*
 * step.h: what the files of a step share. They rely on motion/motion.h.
 *
 *      step.c      the step: forces, and what the world gets
 *      couples.c   which two may meet, and who wakes by that
 *      between.c   how two stand to each other, and the plane between them
 *      planes.c    which two press on each other
 *      presses.c   what has pressed in the last step
 *      islands.c   what is joined by planes, and in which order it is solved
 *      solve.c     the velocities with which no plane is crossed
 *      exact.c     the same up to rounding, for a few planes
 *      land.c      what comes together in the step, and stops at its end
 *      keep.c      what a solution leaves: ways are shortened until no plane is crossed
 *      paths.c     the path of each body, and what it meets on it
 *      events.c    when two bodies meet, and in which order
 *      collide.c   what becomes of two that meet
 *      impact.c    what two that meet do to each other's velocity
 *      gather.c    what meets too often is parted by planes, too
 *      ends.c      rounding at the ends of paths
 *      sleep.c     what is at rest, and costs nothing until something comes
 *
 * In a step all that is dynamic moves at the same time. Two kinds of contacts are told apart:
 *
 *      press   Two that forces press together, or that touch and do not bounce, are parted by a
 *              plane. All that planes join is solved as one, before anything moves.
 *      hit     All else is an event. Each body has a path, which leads straight on until the body
 *              turns at something static; the engine of `move` says where, and how it goes on. That
 *              is an event, and so is where two paths meet. The soonest comes first.
 *
 * While a step runs, the rect of each box that moves is that around its path, so that the back end
 * finds paths that may meet. Nothing depends on the order of insertion, but for two of one size at
 * one place: of two bodies the one at the lower place goes first, and so do planes and events.
 *
 * A function that takes memory returns false if there is none.
 */
#ifndef BS_STEP_H
#define BS_STEP_H

#include "motion/motion.h"

#pragma GCC visibility push(hidden)

enum {
    BS_MOST_CONTACTS = 64, /* A body with more contacts in a step is gathered ... */
    BS_SOME_GATHERS = 4,   /* After so many all that it meets is, too. */
    BS_MOST_GATHERS = 32,  /* ... and so often at most. Then it stops where it would overlap. */
    BS_FEW_PLANES = 72,    /* So many are solved up to rounding; ... */
    BS_FEW_GRIPS = BS_FEW_PLANES / DIM, /* ... so many, if there is friction. */
    BS_MOST_CUTS = 8,                   /* Stopped so often, it stays. */
    BS_MOST_TURNS = 1024,               /* So often a body turns at what is static, ... */
    BS_BOUNCE_COUNTS = 63,              /* ... where each bounce counts so many more. */
    BS_CALM_STEPS = 30                  /* A body that is calm for so long may sleep. */
};
#define BS_NOBODY UINT32_MAX

/* What joins bodies. */
typedef enum bs_union {
    BS_ISLAND,  /* Planes: they are solved as one. */
    BS_HEAP,    /* They touch: they sleep and wake as one. */
    BS_COMPANY, /* Their paths were near each other. */
    BS_UNIONS
} bs_union;

/* A side on which a body rests in this step, of something that does not give way. */
typedef struct bs_footing {
    double normal[DIM];
    double velocity[DIM];
} bs_footing;

/* A dynamic box in a step. */
typedef struct bs_body {
    uint32_t box;
    uint32_t stamp;           /* It grows with each change of the path. */
    uint32_t rank, island;    /* Its place in the order of planes, and that of its island. */
    uint32_t ahead, aheads;   /* What it meets on the path: a part of that list. */
    uint32_t with[BS_UNIONS]; /* Another one with which it is united, or itself. */
    uint32_t meetings;        /* So many are met on straight ways, and do not bounce. */
    uint32_t group;           /* Among whom planes were last looked for, or BS_NOBODY. */
    uint32_t lands;           /* With whom it is stopped at the end: 1 + a place, or 0. */
    uint32_t asked;           /* When it was last asked whether it has to go back: ends.c. */
    uint16_t walls;           /* It has turned at what is static since a body has met it. */
    uint8_t footings, contacts, gathers, cuts, parted, calm;
    bool responds;     /* It is a body; what does not respond flies. */
    bool crosses;      /* It only tells. */
    bool is_pressed;   /* It has planes. */
    bool was_pressed;  /* It had in the last step. */
    bool was_tired;    /* It had met too often in the last step. */
    bool knows_static; /* Planes with what is static are known. */
    bool is_straight;  /* Nothing has changed the way on which it was sent. */
    bool has_path;
    bool turns;     /* At the end of the path it meets something static. */
    bool sticks;    /* There it is stuck. */
    bool is_stuck;  /* It goes no farther, and keeps its velocity. */
    bool is_held;   /* Its place alone has been stopped: `velocity` is its own. */
    bool is_firm;   /* What does not give way pushes it. */
    bool slept;     /* It sleeps unless something meets it. */
    bool is_struck; /* It has slept. */
    bool may_go;    /* It stays, and in a shorter step it may not. */
    bool is_queued;
    bool is_back;               /* At the end of the step it is put back to where it has begun. */
    bool is_laid;               /* Its end has been corrected. */
    bool is_examined, is_clear; /* Whether something static is near. */
    bool rests;                 /* With its heap, from now on. */
    bool is_lively;             /* Of a heap: something in it is not calm. */
    bool has_moved;             /* Of a heap: something in it, by more than rounding. */
    bool has_changed;           /* Of a company: something in it is not as it was. */
    double inverse_mass;        /* 1 / mass; 0 if no body changes its motion. */
    double velocity[DIM];       /* Its own, until it has a path, and while it is held. */
    double fall[DIM];           /* The velocity that gravity and acceleration add in the step. */
    double since, until;        /* The path: straight on between these times, ... */
    double from[DIM], end[DIM]; /* ... from one place to the other, ... */
    double course[DIM];         /* ... at that velocity. */
    double turned[DIM];         /* If it turns: the velocity after that, ... */
    double goal[DIM];           /* ... where it then comes to, if it meets nothing, ... */
    double aim[DIM];            /* ... and the velocity at first, or after the last bounce. */
    double landing[DIM];        /* The velocity there, if it lands. */
    double calm_at[DIM];        /* Where it was when it became calm. */
    bs_footing footing[BS_MOST_SIDES];
    bs_rect start;
    bs_rect place; /* Where it is when planes are made. */
} bs_body;

/*
 * Two that meet; a is the one at the lower place. The normal points from b to a. If b is BS_NOBODY,
 * the body comes to something static, and turns.
 */
typedef struct bs_event {
    double t;
    double speed; /* The speed at which they close in, along the normal. */
    uint32_t a, b;
    uint32_t stamp_a, stamp_b;
    double at_a[DIM], at_b[DIM];
    double normal[DIM];
    double parting; /* The least speed at which they are to part. */
    bool crossing;  /* They only tell. */
} bs_event;

/* What the solution needs of a body. */
typedef struct bs_mover {
    double velocity[DIM];
    double before[DIM];  /* Without the impulses of planes. */
    double fall[DIM];    /* What forces have added to that. */
    double landing[DIM]; /* At the end of the step, if it lands. */
    double inverse_mass;
    uint32_t body;
    uint32_t part;  /* Another one with which it is cut, or itself. */
    uint32_t plane; /* The first of its planes, while they are kept. */
    uint8_t kept;   /* In which round that was. */
    uint8_t cuts;
    bool is_firm;   /* What does not give way pushes it. */
    bool pushes;    /* It moves, and does not give way. */
    bool is_framed; /* Its velocity is, or will be, that in a frame. */
    uint32_t lands; /* See bs_body. */
} bs_mover;

/* How two stand to each other at the start of a step. */
typedef struct bs_meet_plane {
    double normal[DIM]; /* From b to a. */
    double gap;         /* Along the normal; >= 0. */
    double closing;     /* Their speed along it. */
    double t;           /* When they meet, if they do. */
    bool meets;
    bool inside; /* They overlap, by more than rounding. */
} bs_meet_plane;

/* Two paths that may meet. */
typedef enum bs_fate { BS_MISS, BS_HIT, BS_PRESS } bs_fate;
typedef struct bs_couple {
    uint32_t a, b; /* Bodies; a has the lower number. */
    bs_fate fate;  /* BS_MISS, if both go straight on. */
    bool is_known; /* Their plane, where they meet. */
    bs_meet_plane plane;
} bs_couple;

/* A plane between two that press on each other. */
typedef struct bs_plane {
    uint32_t a, b;                 /* Bodies; b is BS_NOBODY for something static. */
    uint32_t box;                  /* That of b. */
    uint32_t of_a, of_b;           /* Their movers. */
    uint32_t next_of_a, next_of_b; /* Other planes of these, while they are kept. */
    bool is_due;                   /* It may be crossed. */
    bool is_crossed;               /* It was, when the solution was looked at. */
    bool pressed;                  /* They were pressed together in the last step, too. */
    bool touches;
    double normal[DIM]; /* From b to a. */
    double gap;         /* Along it, at the start of the step. */
    double closing;     /* The speed at which they would close in, unsolved. */
    double slack;       /* The rounding of that. */
    double mass;        /* The impulse that changes their speed along the normal by 1. */
    double friction;
    double side[DIM]; /* The velocity of the side of a static box, along it: a belt's. */
    double aim;       /* They may close in by this speed. */
    double push;      /* The impulse along the normal so far. */
    double landing;   /* And that at the end of the step, where the two come together. */
    double rub[DIM];  /* That along the side, on a. */
    double last_push, last_rub[DIM];   /* These one sweep ago. */
    double trend_push, trend_rub[DIM]; /* In which direction they go. */
} bs_plane;

BS_LIST(bs_body_list, bs_body);
BS_LIST(bs_events, bs_event);
BS_LIST(bs_couples, bs_couple);
BS_LIST(bs_planes, bs_plane);
BS_LIST(bs_movers, bs_mover);

struct bs_bodies {
    bs_world *w;
    double dt;
    double now;        /* The part of the step at which planes are made: 0, or in its midst. */
    double span;       /* The time that is left then. */
    uint32_t group;    /* The number of those among whom they are looked for. */
    bs_list boxes;     /* All dynamic boxes in the order of insertion. */
    bs_body_list body; /* Those that are awake. */
    uint32_t *of;      /* By box: its body, or BS_NOBODY. */
    size_t of_cap;
    uint32_t *row; /* By box: the first of its hits in the list of the last step, if it sleeps. */
    size_t row_cap;
    bs_step_hits ahead;
    bs_step_hits hit;   /* In the order in which they were told. */
    bs_table told;      /* By two boxes: whether they have met. */
    bs_events event;    /* A heap, in which none comes before the first. */
    size_t events_most; /* At so many, those that will not happen are forgotten. */
    bs_step_hits found; /* The hits of this step; swapped with those of the last one. */
    bs_couples couple;  /* Those that may meet, by what they show the back end at first. */
    bs_list couples_of; /* By body, from `first_couple` on: its couples. */
    bs_list first_couple;
    bs_planes plane, sorted;
    bs_table parted;    /* By two boxes: the group in which a plane parts them. */
    bs_movers mover;    /* By rank, and the static one behind them. */
    bs_table pressed;   /* By two boxes: 1 + the place in the world's list of presses. */
    bs_presses presses; /* Those of this step. */

    bs_pairs pairs;
    bs_list near, moved, around, queue, ranked, due;
    bs_list roused, all_roused; /* In one call; in the step. */
    uint32_t steps;
    size_t events_peak, used_most; /* Of the last step, and of all since memory was looked at. */

    bs_list is_broken; /* By landing: one of those who land with each other goes elsewhere. */
    uint32_t asked;    /* So often it was asked who has to go back. */
    bool woken;        /* Some have woken since the couples were found. */
    bool failed;       /* There was no memory for a query whose result was needed. */
};

/* One of those that are united with a body, the same for all of them. */
static inline uint32_t bs_first_of(bs_bodies *s, uint32_t body, bs_union as) {
    bs_body *list = s->body.at;
    while (list[body].with[as] != body) {
        list[body].with[as] = list[list[body].with[as]].with[as];
        body = list[body].with[as];
    }
    return body;
}

static inline void bs_unite(bs_bodies *s, uint32_t a, uint32_t b, bs_union as) {
    s->body.at[bs_first_of(s, a, as)].with[as] = bs_first_of(s, b, as);
}

/* Around a place, and around what is beside it up to rounding. */
static inline bs_rect bs_rect_beside(const bs_rect *place) {
    bs_rect r;
    double pad = bs_largest_coordinate(place, place) * BS_AROUND;
    for (int k = 0; k < DIM; k++) {
        bs_rect_reach(&r, k, place->pos[k], bs_far(place, k), 0, pad);
    }
    return r;
}

/* Finds the boxes of a part whose rects overlap r; by insertion, if `sorted`. */
static inline bool bs_find_of_part(bs_bodies *s, int part, const bs_rect *r, bool sorted,
                                   bs_list *out) {
    out->n = 0;
    return bs_backend_query(s->w->part[part], r, out) && (!sorted || bs_world_sort(s->w, out));
}

static inline bool bs_is_still(const double v[DIM]) {
    bool still = true;
    for (int k = 0; k < DIM; k++) {
        still = still && v[k] == 0;
    }
    return still;
}

/* < 0, 0 or > 0: an order that goes by the first axis that differs. */
static inline int bs_compare(const double a[DIM], const double b[DIM]) {
    for (int k = 0; k < DIM; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

/* The same by place, and then by size. */
static inline int bs_compare_rects(const bs_rect *a, const bs_rect *b) {
    int order = bs_compare(a->pos, b->pos);
    return order != 0 ? order : bs_compare(a->size, b->size);
}

/* Whether two with these velocities close in at a speed that is not only their rounding. */
static inline bool bs_is_closing(double speed, const double va[DIM], const double vb[DIM]) {
    return speed > (bs_length(va) + bs_length(vb)) * (2 * BS_TOUCHING);
}

/* The two boxes as a key of tables. */
static inline uint64_t bs_key_of_two(uint32_t a, uint32_t b) {
    return a < b ? ((uint64_t)a << 32 | b) : ((uint64_t)b << 32 | a);
}

/* 1 / mass for others: what sleeps is a wall to what does not meet it. */
static inline double bs_inverse_mass(const bs_body *b) {
    return b->slept ? 0 : b->inverse_mass;
}

/* The speed at which two part along the normal of a plane. */
static inline double bs_mover_parting(const bs_plane *p, const bs_mover *a, const bs_mover *b) {
    double speed = 0;
    for (int k = 0; k < DIM; k++) {
        speed += p->normal[k] * (a->velocity[k] - b->velocity[k]);
    }
    return speed;
}

/* The speed at which a plane is kept by more than it has to be. */
static inline double bs_plane_spare(const bs_plane *p, const bs_mover *movers) {
    return bs_mover_parting(p, &movers[p->of_a], &movers[p->of_b]) + p->aim;
}

/* The part that an impulse at q has in the relative velocity of the two at p. */
static inline double bs_plane_share(const bs_plane *p, const bs_plane *q, const bs_mover *movers) {
    double wa = movers[p->of_a].inverse_mass;
    double wb = movers[p->of_b].inverse_mass;
    return (p->of_a == q->of_a ? wa : 0) - (p->of_a == q->of_b ? wa : 0) -
           (p->of_b == q->of_a ? wb : 0) + (p->of_b == q->of_b ? wb : 0);
}

/* --- step.c --------------------------------------------------------------------------------- */

/* Makes the body of a box; there is room for it. It has no path yet, unless it slept. */
bool bs_body_begin(bs_bodies *s, uint32_t box);
/* Shows the back end the straight ways of all that is awake. False if there are none. */
bool bs_ways_show(bs_bodies *s);

/* --- couples.c ------------------------------------------------------------------------------ */

/* Finds all couples; what wakes may wake more. */
bool bs_couples_find(bs_bodies *s);

/* --- between.c ------------------------------------------------------------------------------ */

/*
 * How a body stands to another box, which has that velocity and that fall. If they do
 * not meet, it tells so, and only of boxes which plane parts them. False: none does.
 */
bool bs_plane_between(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
                      const double velocity[DIM], const double fall[DIM], bs_meet_plane *out);
/*
 * The normal at which two meet that overlap: of the shortest way out, or, if they do so by rounding
 * alone, and are not `inside`, of the side that they show each other. False if they are at one
 * place.
 */
bool bs_normal_inside(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                      const bs_rect *at_b, double normal[DIM], bool *inside);
/*
 * Whether two boxes that meet go past each other side by side, and only rounding has put one into
 * the way of the other.
 */
bool bs_boxes_graze(const bs_world *w, uint32_t a, const bs_rect *at_a, const double way[DIM],
                    uint32_t b, const bs_rect *at_b, const bs_touch *touch);
/*
 * The plane that parts two that pass by each other, where they are nearest; among boxes it is known
 * already. False: none does.
 */
bool bs_plane_beside(const bs_bodies *s, const bs_body *a, uint32_t box, const bs_rect *at,
                     const double velocity[DIM], bs_meet_plane *out);

/* --- planes.c ------------------------------------------------------------------------------- */

/* Finds all that press on each other. Those that have planes are in `ranked`. */
bool bs_planes_find(bs_bodies *s);
/* What is near a body is to be looked at; there is room for all in `ranked`. */
void bs_planes_look_around(bs_bodies *s, uint32_t body);
/* Looks at two. If they press they get a plane. `near`: one of them presses on something. */
bool bs_planes_look_at(bs_bodies *s, bs_couple *c, bool near);
/* The planes of a body and of what is static beside it. *presses: it presses on one. */
bool bs_planes_look_at_static(bs_bodies *s, uint32_t body, bool *presses);

/* --- presses.c ------------------------------------------------------------------------------ */

/* With what two boxes pressed each other in the last step, or NULL. */
const bs_press *bs_press_of(const bs_bodies *s, uint32_t a, uint32_t b);
/* Knows what has pressed in the last step. */
bool bs_presses_begin(bs_bodies *s);
/* That two boxes, which have met too often, are to press in the next step. */
bool bs_presses_defer(bs_bodies *s, uint32_t box, uint32_t other);
/* The presses of this step, for the next one. */
bool bs_presses_end(bs_bodies *s);

/* --- islands.c ------------------------------------------------------------------------------ */

/*
 * Solves the islands of those in `ranked`, and of all planes from that one on. If they press on
 * what sleeps, nothing has changed but `woken`.
 */
bool bs_islands_solve(bs_bodies *s, size_t first_plane);
/* The body that sleeps, gives way, and is pressed there; or BS_NOBODY. */
static inline uint32_t bs_plane_sleeper(const bs_bodies *s, const bs_plane *p) {
    const bs_body *list = s->body.at;
    if (p->b == BS_NOBODY || !(p->push > 0)) {
        return BS_NOBODY;
    }
    return list[p->a].slept && list[p->a].inverse_mass > 0   ? p->a
           : list[p->b].slept && list[p->b].inverse_mass > 0 ? p->b
                                                             : BS_NOBODY;
}

/* --- solve.c -------------------------------------------------------------------------------- */

/* Solves the n planes of one island; see there. */
void bs_planes_solve(bs_bodies *s, bs_plane *planes, size_t n);
/*
 * Solves few planes, with their aims, from the impulses that they have, until no more than that is
 * left; of many it sweeps once. False if more is left.
 */
bool bs_planes_solve_few(bs_bodies *s, bs_plane *planes, size_t n, double enough);
/* The velocities that the impulses of n planes make, from those before them. */
void bs_planes_apply(const bs_plane *planes, size_t n, bs_mover *movers);

/* --- land.c --------------------------------------------------------------------------------- */

/* Stops, at the end of the step, what few planes bring together in it; `sorted` has room. */
bool bs_planes_land(bs_bodies *s, bs_plane *planes, size_t n);
/* A body goes elsewhere: so none of those with whom it would land is stopped. */
static inline void bs_landing_break(bs_bodies *s, bs_body *b) {
    if (b->lands > 0) {
        s->is_broken.at[b->lands - 1] = 1;
        b->lands = 0;
    }
}

/* --- keep.c --------------------------------------------------------------------------------- */

/* Shortens ways until all planes are kept. */
void bs_planes_keep(bs_bodies *s, bs_plane *planes, size_t n);
bs_mover bs_mover_of(const bs_body *b, const double velocity[DIM]);
void bs_mover_leave(const bs_mover *m, bs_body *b);
/*
 * Shortens what two that close in along the normal move, until they close in by no more than this.
 * False if neither gives way.
 */
bool bs_movers_cut(bs_mover *a, bs_mover *b, const double normal[DIM], double most);

/* --- exact.c -------------------------------------------------------------------------------- */

/*
 * The impulses of up to BS_FEW_PLANES planes without friction, or BS_FEW_GRIPS with it, with which
 * all are kept but for that speed, from impulses that are nearly right. False if it finds none;
 * they are as before then.
 */
bool bs_planes_solve_exactly(bs_plane *planes, size_t n, bs_mover *movers, double enough);

/* --- paths.c -------------------------------------------------------------------------------- */

/* The velocity with which a body ends the step. */
static inline const double *bs_end_velocity(const bs_bodies *s, const bs_body *b) {
    return b->is_held                                       ? b->velocity
           : b->lands > 0 && !s->is_broken.at[b->lands - 1] ? b->landing
                                                            : b->course;
}

/*
 * A new path from r on, at that velocity, straight on until it meets something static. What it
 * would have met on the old one is forgotten.
 */
bool bs_path_make(bs_bodies *s, bs_body *b, const bs_rect *r, double t, const double velocity[DIM]);
/* At the end of a path the body turns at something static, and goes on. */
bool bs_path_turn(bs_bodies *s, uint32_t body);
/* A body goes elsewhere than it was sent. */
void bs_body_stray(bs_bodies *s, bs_body *b);
bs_rect bs_path_place(const bs_body *b, double t);
bs_rect bs_path_end(const bs_body *b);
/* The velocity that others notice: what is stuck stays where it is. */
const double *bs_body_velocity(const bs_body *b);
/* Around the path and what rounding brings there; or with room, so that later paths fit in, too. */
bs_rect bs_path_around(const bs_bodies *s, const bs_body *b, bool room);
/* Around the straight way of a body at its velocity, with room. */
bs_rect bs_way_around(const bs_bodies *s, const bs_body *b);
/* Makes true what the body has met on its path until then. */
bool bs_path_pass(bs_bodies *s, bs_body *b, double t);
/* Each two are told once. */
bool bs_body_tell(bs_bodies *s, const bs_step_hit *hit);
bool bs_have_met(const bs_bodies *s, uint32_t box, uint32_t other);
/* The body rests on a side from now on. */
void bs_body_stand(bs_body *b, const double normal[DIM], const double velocity[DIM]);

/* --- events.c ------------------------------------------------------------------------------- */

/* Whether two that meet only tell. */
static inline bool bs_do_cross(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return a->crosses || b->crosses || bs_is_sensed(s->w, a->box, b->box);
}
/* Whether the two are not to overlap. */
static inline bool bs_bodies_may_touch(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return (a->responds || b->responds) && bs_world_layers_meet(s->w, a->box, b->box) &&
           !bs_do_cross(s, a, b);
}

/* Whether a comes before b if they are at these places: by place, and then by insertion. */
bool bs_body_before(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                    const bs_rect *at_b);

/* Makes a body of a box that sleeps, and that something may meet. */
static inline bool bs_body_take(bs_bodies *s, uint32_t box) {
    return s->of[box] != BS_NOBODY || bs_body_begin(s, box);
}
/* Finds what the back end knows to be near a body, by insertion, in `near`. All are bodies then. */
bool bs_bodies_near(bs_bodies *s, uint32_t body);
/* Adds the next event of two from a time on, if there is one. */
bool bs_event_expect(bs_bodies *s, uint32_t first, uint32_t second, double from);
/* Adds all events of a body from a time on. */
bool bs_events_of(bs_bodies *s, uint32_t body, double from);
/* Adds the event at the end of a path, if the body turns there. */
bool bs_event_of_turn(bs_bodies *s, uint32_t body);
/* Whether what the back end knows of a body holds all of its path. */
bool bs_path_is_shown(const bs_bodies *s, const bs_body *b);
/* Whether an event is still to come: both have the paths on which it was found. */
bool bs_event_holds(const bs_bodies *s, const bs_event *e);
/* Takes out the first event; false if there is none. */
bool bs_event_pop(bs_bodies *s, bs_event *first);

/* --- collide.c ------------------------------------------------------------------------------ */

/*
 * Tells of a body and another one, or something static (b is NULL), that have met at these places.
 * Of *hit the rest is set, and the normal points from b to a.
 */
bool bs_tell_two(bs_bodies *s, bs_body *a, const bs_rect *at_a, bs_body *b, uint32_t box,
                 const bs_rect *at_b, bs_step_hit *hit);
/* Lets all events happen, one after the other. */
bool bs_events_run(bs_bodies *s);

/* --- impact.c ------------------------------------------------------------------------------- */

/* The outcome of a contact. */
typedef struct bs_outcome {
    double va[DIM], vb[DIM];
    double impulse;
    bool rests;   /* a and b have the same velocity along the normal. */
    bool is_slow; /* It is no faster than what forces do in a step. */
    bool gives;   /* They have more energy than before. */
} bs_outcome;

/* The velocity of a body: its own, where its place alone has been stopped. */
static inline const double *bs_own_velocity(const bs_body *b) {
    return b->is_held ? b->velocity : b->course;
}
/* The velocities of two bodies after a contact. */
void bs_impact(bs_bodies *s, const bs_event *e, bs_outcome *out);

/* --- gather.c ------------------------------------------------------------------------------- */

/*
 * Solves two that meet at that time, and all that they press on in what is left of the step, by
 * planes. *done: a plane parts the two; else nothing has changed.
 */
bool bs_gather(bs_bodies *s, uint32_t a, uint32_t b, double t, bool *done);
/* Whether a plane parts two in what is left of the step. */
bool bs_are_parted(const bs_bodies *s, uint32_t a, uint32_t b);

/* --- ends.c --------------------------------------------------------------------------------- */

/* bs_ends_settle will look at the end of this body. */
void bs_ends_enqueue(bs_bodies *s, uint32_t body);
/*
 * It will look at the end of each body that has another path than at first, and of any two whose
 * first paths end in each other.
 */
void bs_ends_enqueue_all(bs_bodies *s);
/* Corrects rounding, so that boxes are flush, or do not overlap, to the last bit. */
bool bs_ends_settle(bs_bodies *s);

/* --- sleep.c -------------------------------------------------------------------------------- */

/* What sleeps beside what has been stirred since the last step wakes, or all. */
bool bs_sleep_begin(bs_bodies *s, bool wakes_all);
/* If the step fails: what has been woken in it sleeps again. */
void bs_sleep_give_back(bs_bodies *s);
static inline bool bs_sleeps(const bs_bodies *s, uint32_t box) {
    return s->w->rest[box].asleep;
}
/* Wakes a box that sleeps, and all that it touches and that sleeps. */
bool bs_sleep_wake(bs_bodies *s, uint32_t box);
/* Heaps that have been calm for long come to rest. */
bool bs_sleep_calm(bs_bodies *s);
/* Whatever has nothing but what is as it was in its company sleeps from now on. */
void bs_sleep_end(bs_bodies *s);

#pragma GCC visibility pop

#endif
