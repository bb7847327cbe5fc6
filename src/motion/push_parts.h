/*
 * push_parts.h: the state of a push, for push.c, riders.c and shoves.c alone.
 *
 *      push.c      the whole: what is in the way of the platform, and who is crushed
 *      riders.c    what rests on the platform, and what rests on that; all of it is carried
 *      shoves.c    each is one box that must go somewhere; what is in its way goes first
 *
 * Boxes that the push moves have rows: first carried boxes, each behind its carrier, then boxes
 * that are in the platform's way, then boxes that these push. A function that returns false has
 * found no memory, unless it says something else.
 */
#ifndef BS_PUSH_PARTS_H
#define BS_PUSH_PARTS_H

#include "motion.h"

#pragma GCC visibility push(hidden)

/* A box of the platform. */
typedef struct bs_pusher {
    uint32_t box;
    bs_rect before, after;
} bs_pusher;

/* What the push knows of a row's box besides the row. */
typedef struct bs_pushee {
    bs_rect before;
    const bs_pusher *on;       /* The platform's box on which it rests, or NULL. */
    size_t parent;             /* The row on which it rests, if that is not the platform. */
    bs_box_side rests;         /* The side of that box, if it is carried. */
    double goal[DIM];          /* Where it must go, if it is carried. */
    size_t riders, riders_end; /* The rows that rest on it. */
    bool together;             /* It is carried, and gets to its goal if all of these do. */
    bool stuck;                /* It has been moved, and could not get where it should. */
    bool moving;               /* It waits for what is in its way. */
    int shoved;                /* How often others have met it on their ways. */
    size_t first;              /* Its first press, counted from 1, or 0. */
} bs_pushee;

/* A box that is in the way of the platform. */
typedef struct bs_pressed {
    const bs_pusher *by;
    bs_collision met; /* As if nothing stopped the platform. */
    bool is_inside;   /* It is by a corner within the platform, and pushes nobody. */
} bs_pressed;

/* A way out of where another box is, or is going to be. */
typedef struct bs_escape {
    uint32_t by; /* That box. */
    bs_rect room;
    double normal[DIM];  /* The way out is against this normal of the side. */
    bool overlaps;       /* The two overlapped before; then `along` counts. */
    double along;        /* It goes so far along the normal, from the origin. */
    double heading[DIM]; /* The way out, which is against the normal at first. */
    int slopes;          /* How often it has been turned. */
} bs_escape;

/* A box that must go to its goal, or out of another's way, and waits until its way is free. */
typedef struct bs_shove {
    uint32_t box;
    bool is_carried;
    bs_escape out; /* Unless it is carried. */
} bs_shove;

/* There is one in a world, as nothing moves while a push runs. */
struct bs_push {
    bs_world *w;
    bs_list found; /* The boxes that one look finds. */
    bs_pusher *pusher;
    size_t pushers, pusher_cap;
    bs_rules rules;
    bs_pushed *row;
    bs_pushee *part;
    size_t rows, row_cap, part_cap;
    bs_table answers; /* The host's, by box: solid or not, plus 1. */
    size_t asked;     /* How many there are. */
    bs_pressed *press;
    size_t presses, press_cap;
    bs_shove *shove; /* A stack, in which each is in the way of the one before. */
    size_t shoves, shove_cap;
    bs_shove ahead;   /* Of what stops the box that moves now, and goes first; or of BS_NO_BOX. */
    uint32_t *row_of; /* By box: its row, counted from 1, or 0. */
    size_t row_of_cap;
    uint8_t *skips; /* By box: it is the platform's, or goes with it: it is in nobody's way. */
    size_t skips_cap;
    bs_list unsettled; /* Rows of which it is not known any more whether they go together. */
};

/* --- push.c --------------------------------------------------------------------------------- */

/* A new row, for a box that `by` pushes or carries; or NULL. */
bs_pushee *bs_push_add_row(bs_push *p, uint32_t box, uint32_t by);
/*
 * Finds out whether a box is solid to one of the platform, and asks the host about each box once.
 */
bool bs_push_ask(bs_push *p, uint32_t by, uint32_t box, bool *is_solid);

/* Its row, counted from 1, or 0. */
static inline uint32_t bs_push_row_of(const bs_push *p, uint32_t box) {
    return p->row_of[box];
}

/* Whether `by`, a box of the platform or of a row, can push it. */
static inline bool bs_is_pushable(const bs_push *p, uint32_t by, uint32_t box) {
    return !p->skips[box] && !bs_world_is_static(p->w, box) && !bs_is_sensed(p->w, by, box);
}

/* The rules of boxes that the push moves. */
static inline bs_rules bs_push_rules(const bs_push *p) {
    return (bs_rules){.ignore = BS_NO_BOX, .to_pairs = BS_SLIDE, .skips = p->skips};
}

/* --- riders.c ------------------------------------------------------------------------------- */

/* A box that carries others: one of the platform, or a row's. */
typedef struct bs_carrier {
    const bs_pusher *on;
    size_t row;
    uint32_t box;
} bs_carrier;

/* Adds rows for what gravity presses onto a box. */
bool bs_riders_add(bs_push *p, bs_carrier c);
/* Moves the carried boxes, once the platform has moved: first those that go together. */
bool bs_riders_move(bs_push *p);

/* --- shoves.c ------------------------------------------------------------------------------- */

/*
 * A shove out of the way of a box that is, or wants to be, at `room`, and meets it at that normal.
 */
bs_shove bs_shove_out(uint32_t box, uint32_t by, const bs_rect *room, const double normal[DIM]);
/* A shove of a row's box out of another one by the shortest way. Returns how far, or 0. */
double bs_shove_apart(const bs_push *p, uint32_t box, uint32_t by, bs_shove *s);
/* How far the box at r must still go against the normal; <= 0 if it is out of the way. */
double bs_shove_left(const bs_push *p, const bs_shove *s, const bs_rect *r);
/* Runs a shove, and first all that it needs. */
bool bs_shove_run(bs_push *p, const bs_shove *s);

#pragma GCC visibility pop

#endif
