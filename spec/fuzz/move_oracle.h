/*
 * move_oracle.h: what the contract says of movement, in plain loops over doubles.
 *
 * What a box meets first is what a sweep meets first: that is known to the last bit. From then on a
 * way that was told is followed from contact to contact: each must be one, where it is told to be,
 * with the response that the rules give; between them the box goes straight on, and through nothing
 * that is solid, by more than rounding.
 */
#ifndef FUZZ_MOVE_ORACLE_H
#define FUZZ_MOVE_ORACLE_H

#include "oracle.h"

enum { MOST_MET = 2 * MOST_BOXES + 64 };

/* What the host says of a box, if it is asked: the same in all worlds. */
bs_response answer_of(uint64_t seed, bs_id other);

/* What worlds and oracle are asked for. */
typedef struct errand {
    const oracle_box *box;
    double goal[DIM];
    bs_rules rules;
    uint64_t answers;     /* what the seed of the host's is */
    bool nested;          /* the host moves others while it is asked */
    const bs_rect *after; /* NULL; or in a step: where all are afterwards, by rank, ... */
    double dt, fall[DIM]; /* ... its time, and the velocity that acceleration adds in it */
} errand;

/* The answers of one world. */
typedef struct way {
    bs_rect end;
    bs_collision met[MOST_MET];
    size_t n;
    bs_id asked[MOST_BOXES];
    size_t asks;
    bool rounded; /* the oracle says: rounding leaves open what comes after some row */
} way;

bool oracle_layers_meet(const oracle_box *a, const oracle_box *b);
/* By layers alone; BS_UNKNOWN: the host is asked. */
bs_response oracle_response(const bs_rules *rules, const oracle_box *self, const oracle_box *other);
bool oracle_is_one_way(const oracle_box *box);
bool oracle_stops(bs_response response);
/* True if one of the two is a sensor: then they never stop each other. */
bool oracle_is_sensed(const oracle_box *a, const oracle_box *b);
/* The same as above, and what the host says if it is asked. */
bs_response oracle_answer(const bs_rules *rules, const oracle_box *self, const oracle_box *other,
                          uint64_t answers);

void oracle_touching(const oracle *o, const oracle_box *box, int axis, bool up,
                     const bs_rules *rules, oracle_list *out);
void oracle_blocking(const oracle *o, const oracle_box *box, const bs_rect *place,
                     const bs_rules *rules, oracle_list *out);
/* What a platform carries, by rank. */
void oracle_riders(const oracle *o, const errand *e, bool rides[MOST_BOXES]);

/* NULL, or what is wrong with a way up to where it is stopped or turned first. */
const char *oracle_check_first(const oracle *o, const errand *e, const way *told);
/* NULL, or what is wrong with a way; v becomes what contacts make of a velocity. */
const char *oracle_check_way(const oracle *o, const errand *e, way *told, double v[DIM]);
/* True if numbers are such as in games, which leave little to rounding. */
bool oracle_is_like_in_games(const oracle *o, const errand *e);

/* What a world tells of a step: afterwards, by rank; and hits. */
typedef struct stepped {
    bs_rect rect[MOST_BOXES];
    double velocity[MOST_BOXES][DIM];
    const bs_step_hits *hits;
} stepped;

/* NULL, or what is wrong with what became of those that have a response. */
const char *oracle_check_step(const oracle *o, double dt, const stepped *told);

#endif
