/*
 * bodies.h: what the files of a step share. They rely on motion.h.
 *
 *      bodies.c   the step: forces, and what the world gets
 *      paths.c    the path of each body, and what it meets on it
 *      events.c   when two bodies meet, and in which order
 *      collide.c  what becomes of two that meet
 *      impact.c   what two that meet do to each other's velocity
 *      clumps.c   bodies with too many contacts
 *      heaps.c    heaps that come to rest
 *      ends.c     rounding at the ends of paths
 *      sleep.c    what is at rest, and costs nothing until something comes near
 *
 * In a step all that is dynamic moves at the same time. Each has a path: places at times, straight
 * on in between. The engine of `move` makes the paths of bodies among static boxes. Where two paths
 * meet is an event; the soonest one comes first, and changes one path or both from there on.
 *
 * While a step runs, the rect of each box that moves is that around its path, so that the back end
 * finds paths that may meet. Nothing depends on the order of insertion, but for two at one place:
 * of two bodies the one at the lower place goes first, and so do events at the lower place.
 *
 * A function that takes memory returns false if there is none.
 */
#ifndef BS_BODIES_H
#define BS_BODIES_H

#include "motion.h"

#pragma GCC visibility push(hidden)

enum {
    BS_MOST_SUPPORTS = 6,
    BS_MOST_CONTACTS = 32 /* A body with more contacts in a step sticks to what it meets. */
};
#define BS_NOBODY UINT32_MAX

/* Bodies are united if they have met, or if their paths were near each other. */
typedef enum bs_union { BS_HEAP, BS_COMPANY, BS_UNIONS } bs_union;

/* A side on which a body rests, since it was met in this step. */
typedef struct bs_support {
    uint32_t on;     /* A body, or BS_NOBODY for a static box. */
    double friction; /* By which a static box holds it. */
    double normal[DIM];
} bs_support;

/* A dynamic box in a step. */
typedef struct bs_body {
    uint32_t box;
    uint32_t stamp;           /* It grows with each change of the path. */
    uint32_t piece, pieces;   /* The path: a part of the list of waypoints. */
    uint32_t ahead, aheads;   /* What it meets on the path: a part of that list. */
    uint32_t support;         /* A part of the list of supports. */
    uint32_t hit, last_hit;   /* A chain in the list of hits, or BS_NOBODY. */
    uint32_t with[BS_UNIONS]; /* Another one with which it is united, or itself. */
    uint32_t clump, next;     /* The first body of its clump, and the next one, in a ring. */
    uint8_t supports, contacts, turns;
    bool responds;  /* It is a body; what does not respond flies. */
    bool crosses;   /* It only tells. */
    bool sticks;    /* It has met too often, and sticks to what it meets. */
    bool is_jammed; /* Of a clump: it has met too often again, and stops. */
    bool is_stuck;  /* At the end of its path. It keeps its velocity for the next step. */
    bool waits;     /* Of a clump: it has grown, and is to go on with `velocity`. */
    bool is_queued;
    bool is_back;               /* At the end of the step it is put back to where it has begun. */
    bool is_examined, is_clear; /* Whether something static is near. */
    bool is_carried;            /* Something that does not give way, and moves, has met it. */
    bool is_heap;               /* Of a heap: it has two or more. */
    bool is_lively;             /* Of a heap: something in it moves. */
    bool has_moved;             /* Of a heap: by more than rounding explains. */
    bool has_clumps;            /* Of a heap: something in it sticks. */
    bool has_changed;           /* Of a company: something in it is not as it was. */
    double weight;              /* 1 / mass of its clump; 0 if no body changes its motion. */
    double wall_t;        /* If it sticks: when its path ends at a static box, or more than 1. */
    double wall[DIM];     /* Its normal. */
    double velocity[DIM]; /* Of a clump that waits. */
    double force[DIM];    /* The velocity that gravity and acceleration add in the step. */
    double end[DIM];      /* The end of the path. */
    double reach;         /* The farthest that it has been from its start, on any path. */
    bs_rect start;
} bs_body;

/*
 * What a body has met, or will meet on its path. Those that it has met are a chain. If there is no
 * other, it rests on a side with that normal from then on, and `impulse` is the friction there.
 */
typedef struct bs_body_hit {
    bs_step_hit hit;
    uint32_t next;
} bs_body_hit;

/* Two that meet; a is the one at the lower place. The normal points from b to a. */
typedef struct bs_event {
    double t;
    double speed; /* The speed at which they close in, along the normal. */
    uint32_t a, b;
    uint32_t stamp_a, stamp_b;
    double at_a[DIM], at_b[DIM];
    double normal[DIM];
    double parting; /* The least speed at which they are to part. */
    bool crossing;  /* They only tell. */
    bool inside;    /* They overlap, by more than rounding. */
} bs_event;

/* Two with one velocity along the normal after a contact: the first is flush with the other. */
typedef struct bs_joint {
    uint32_t a, b;
    bs_box_side side;
} bs_joint;

/* What is kept of a box at rest, from step to step. */
typedef struct bs_sleeper {
    uint32_t next;      /* The next one of the same company, in a ring; BS_NOBODY if it is awake. */
    uint32_t row, rows; /* Its hits in the list of the last step. */
} bs_sleeper;

BS_LIST(bs_body_list, bs_body);
BS_LIST(bs_supports, bs_support);
BS_LIST(bs_body_hits, bs_body_hit);
BS_LIST(bs_events, bs_event);
BS_LIST(bs_joints, bs_joint);
BS_LIST(bs_rects, bs_rect);

struct bs_bodies {
    bs_world *w;
    double dt;
    bs_list boxes;     /* All dynamic boxes in the order of insertion. */
    bs_body_list body; /* Those that are awake. */
    uint32_t *of;      /* By box: its body, or BS_NOBODY. */
    size_t of_cap;
    bs_waypoints path;
    bs_body_hits ahead;
    bs_supports support;
    bs_body_hits hit;
    bs_events event; /* A heap, in which none comes before the first. */
    bs_joints joint;
    bs_step_hits found; /* The hits of this step; swapped with those of the last one. */

    bs_sleeper *sleeper; /* By box. */
    size_t sleeper_cap;
    bs_rects stirred; /* Where something has changed since the last step. */
    bool all_stirred;
    double reach;    /* The farthest that a sleeper was from its place before it slept. */
    bs_list woken;   /* Bodies that have woken in this step, and whose events are not known yet. */
    bs_list waiting; /* Clumps that have grown at this time. */

    bs_pairs pairs;
    bs_list near, moved, around, queue;
    bool failed; /* There was no memory for a query whose result was needed. */
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

static inline bool bs_is_still(const double v[DIM]) {
    bool still = true;
    for (int k = 0; k < DIM; k++) {
        still = still && v[k] == 0;
    }
    return still;
}

/* --- bodies.c ------------------------------------------------------------------------------- */

/* Makes the body of a box, with the path on which forces send it. There is room for it. */
bool bs_body_begin(bs_bodies *s, uint32_t box);

/* --- paths.c -------------------------------------------------------------------------------- */

/* A new path from r on, at that velocity. What it would have met on the old one is forgotten. */
bool bs_path_make(bs_bodies *s, bs_body *b, const bs_rect *r, double t, const double velocity[DIM]);
/* The part of a path on which a time lies; it ends at *until, at the place that is returned. */
const bs_waypoint *bs_path_piece(const bs_bodies *s, const bs_body *b, double t);
const double *bs_piece_end(const bs_bodies *s, const bs_body *b, const bs_waypoint *piece,
                           double *until);
bs_rect bs_piece_place(const bs_bodies *s, const bs_body *b, const bs_waypoint *piece, double t);
bs_rect bs_path_place(const bs_bodies *s, const bs_body *b, double t);
bs_rect bs_path_end(const bs_body *b);
bs_waypoint *bs_path_last(const bs_bodies *s, const bs_body *b);
/* The velocity that others notice: what is stuck stays where it is. */
const double *bs_piece_velocity(const bs_bodies *s, const bs_body *b, const bs_waypoint *piece);
const double *bs_body_velocity(const bs_bodies *s, uint32_t body, double t);
/* Around the path, and a little more, so that what rounding brings together is found. */
bs_rect bs_path_around(const bs_bodies *s, bs_body *b);
/* Makes true what the body has met on its path until then. */
bool bs_path_pass(bs_bodies *s, bs_body *b, double t);
/* Each two are told once. */
bool bs_body_tell(bs_bodies *s, bs_body *b, const bs_step_hit *hit);
bool bs_body_has_hit(const bs_bodies *s, const bs_body *b, bs_id other);
/* The body rests on a side from now on. */
bool bs_body_support(bs_bodies *s, bs_body *b, uint32_t on, double friction,
                     const double normal[DIM]);

/* --- events.c ------------------------------------------------------------------------------- */

/* Whether the two are not to overlap. */
bool bs_bodies_may_touch(const bs_bodies *s, const bs_body *a, const bs_body *b);

/* Whether a comes before b if they are at these places: by place, and then by insertion. */
bool bs_body_before(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                    const bs_rect *at_b);

/* Adds the next event of two from a time on, if there is one. */
bool bs_event_expect(bs_bodies *s, uint32_t first, uint32_t second, double from);
/* Adds all events of a body from a time on. */
bool bs_events_of(bs_bodies *s, uint32_t body, double from);
/* The events of those that have woken, and of those that wake with them. */
bool bs_events_of_woken(bs_bodies *s);
/* Takes out the first event; false if there is none. */
bool bs_event_pop(bs_bodies *s, bs_event *first);

/* --- collide.c ------------------------------------------------------------------------------ */

/* Lets all events happen, one after the other. */
bool bs_events_run(bs_bodies *s);

/* --- impact.c ------------------------------------------------------------------------------- */

/* The outcome of a contact. */
typedef struct bs_outcome {
    double va[DIM], vb[DIM];
    double impulse;
    bool rests;    /* a and b have the same velocity along the normal. */
    bool a_is_put; /* If they rest, a lies on b, rather than b on a. */
    bool is_slow;  /* It is no faster than what forces do in a step, so they may be in a heap. */
    bool sticks;   /* The two are one clump from now on. */
} bs_outcome;

/* The velocities of two bodies after a contact. */
bool bs_impact(bs_bodies *s, const bs_event *e, bs_outcome *out);
/* The velocity nearest to this one that leads into nothing on which a clump rests. */
void bs_rest_velocity(const bs_bodies *s, bs_body *clump, double t, double velocity[DIM]);
/* Whether what it rests on takes all of a push that way. */
bool bs_is_blocked(const bs_bodies *s, const bs_body *b, const double push[DIM]);
/*
 * Friction against a side: at most so much velocity along it. What is stopped has the velocity of
 * the side, to the last bit.
 */
void bs_rub(double velocity[DIM], const double side[DIM], const double normal[DIM], double most);

/* --- clumps.c ------------------------------------------------------------------------------- */

/* The first body of a clump. A body alone is a clump, too. */
static inline bs_body *bs_clump_of(const bs_bodies *s, uint32_t body) {
    return &s->body.at[s->body.at[body].clump];
}
static inline bool bs_is_alone(const bs_bodies *s, const bs_body *b) {
    return &s->body.at[b->next] == b;
}
/* A clump that has met too often sticks, or stops. */
void bs_clump_tire(bs_body *clump);
/* Makes one clump of two; that of the first one goes first. */
bool bs_clump_merge(bs_bodies *s, uint32_t first, uint32_t second);

/* --- heaps.c -------------------------------------------------------------------------------- */

/* Two have met, and so belong to one heap. */
void bs_heap_unite(bs_bodies *s, uint32_t a, uint32_t b);
/* Lets heaps come to rest that are nearly so. */
bool bs_heaps_calm(bs_bodies *s);

/* --- ends.c --------------------------------------------------------------------------------- */

/* Whether one of the bodies that count ends where this one has begun. */
typedef bool bs_body_test(bs_bodies *s, uint32_t body);
bool bs_start_is_taken(bs_bodies *s, uint32_t body, bs_body_test *counts, bool *taken);
/* bs_ends_settle will look at the end of this body. */
void bs_ends_enqueue(bs_bodies *s, uint32_t body);
/*
 * It will look at the end of each body that has another path than at first, and of any two whose
 * first paths end in each other. Of bodies that have woken it looks at all ends.
 */
void bs_ends_enqueue_all(bs_bodies *s);
/* Corrects rounding, so that boxes are flush, or do not overlap, to the last bit. */
bool bs_ends_settle(bs_bodies *s);

/* --- sleep.c -------------------------------------------------------------------------------- */

/* The boxes that something has stirred since the last step wake. */
bool bs_sleep_begin(bs_bodies *s);
static inline bool bs_sleeps(const bs_bodies *s, uint32_t box) {
    return s->sleeper[box].next != BS_NOBODY;
}
/* Makes bodies of a box that sleeps and of its company; they are in the list of the woken. */
bool bs_sleep_wake(bs_bodies *s, uint32_t box);
/* Whatever has nothing but what is as it was in its company sleeps from now on. */
void bs_sleep_end(bs_bodies *s);

#pragma GCC visibility pop

#endif
