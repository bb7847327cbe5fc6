/*
 * move_oracle.h: movement in plain loops over doubles, straight from the contract: each time that a
 * box changes its way, all others are looked at once more for the first one that it meets.
 *
 * Times and places are rounded. Where a rounded place is in a box although no rounded time says so,
 * the contract only says what must not be: then `rounded` is set, and nothing else counts.
 */
#ifndef FUZZ_MOVE_ORACLE_H
#define FUZZ_MOVE_ORACLE_H

#include "oracle.h"

enum { MOST_MET = 2 * MOST_BOXES + 64 };

/* What the host says of a box, if it is asked: the same in all worlds. */
bs_response answer_of(uint64_t seed, bs_id other);

typedef struct oracle_way {
    bs_rect end;
    bs_collision met[MOST_MET];
    bool jams[MOST_MET];   /* a bounce has ended in a slide */
    double gain[MOST_MET]; /* of a bounce in a step: see move_oracle.c */
    size_t n;
    bs_id asked[MOST_BOXES];
    size_t asks;
    bool rounded;
    const oracle_box *waits_for; /* in a step: one that is to go first; or NULL */
} oracle_way;

/* A step that is running: who has yet to go, by rank. */
typedef struct oracle_turns {
    double dt;
    bool due[MOST_BOXES];
} oracle_turns;

/* By layers alone; BS_UNKNOWN: the host is asked. */
bs_response oracle_response(const bs_rules *rules, const oracle_box *self, const oracle_box *other);
bool oracle_is_one_way(const oracle_box *box);
bool oracle_stops(bs_response response);
/* True if one of the two is a sensor: then they never stop each other. */
bool oracle_is_sensed(const oracle_box *a, const oracle_box *b);
/* The same as above, and what the host says if it is asked. */
bs_response oracle_answer(const bs_rules *rules, const oracle_box *self, const oracle_box *other,
                          uint64_t answers);

/* Where something of that size is flush with a face of b, whose normal is `sign` along axis k. */
double oracle_flush(double size, const bs_rect *b, int k, int sign);

/*
 * `step`: NULL, or that in which it moves: then bounces that are no faster than a fall are slides,
 * and it may have to wait.
 */
void oracle_move(const oracle *o, const oracle_box *box, const double goal[DIM],
                 const bs_rules *rules, uint64_t answers, const oracle_turns *step,
                 oracle_way *way);

void oracle_touching(const oracle *o, const oracle_box *box, int axis, bool up,
                     const bs_rules *rules, oracle_list *out);
void oracle_blocking(const oracle *o, const oracle_box *box, const bs_rect *place,
                     const bs_rules *rules, oracle_list *out);

/* What was met in a step; hits beyond the last place are counted, but not kept. */
enum { MOST_STEP_HITS = 1 << 16 };
typedef struct oracle_step_hits {
    bs_step_hit at[MOST_STEP_HITS];
    size_t n;
} oracle_step_hits;

/* Moves those that have a response. False: rounding leaves open what happens. */
bool oracle_respond(oracle *o, double dt, oracle_step_hits *hits);

#endif
