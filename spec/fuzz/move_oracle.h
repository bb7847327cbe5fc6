/*
 * move_oracle.h: what the contract says about movement, in plain loops over doubles.
 *
 * The first box that a move hits is the first one that a sweep hits, which is known to the last
 * bit. From there on the oracle follows the move that was reported, from contact to contact. Each
 * contact must be at its place, with the response that the rules give. Between contacts the box
 * must move straight, and not pass through anything solid by more than rounding.
 */
#ifndef FUZZ_MOVE_ORACLE_H
#define FUZZ_MOVE_ORACLE_H

#include "oracle.h"

enum { MOST_MET = 2 * MOST_BOXES + 64 };

/* The response where the host must be asked. */
enum { NOT_ASKED = BS_RESPONSES };

/* What the host answers about a box. It is the same in all worlds. */
bs_response answer_of(uint64_t seed, bs_id other);

/* What worlds and oracle are asked to do. */
typedef struct errand {
    const oracle_box *box;
    double goal[DIM];
    bs_rules rules;
    uint64_t answers; /* the seed of the host's answers */
    bool nested;      /* the host makes other moves while it is asked */
} errand;

/* The result of one world. */
typedef struct way {
    bs_rect end;
    bs_collision met[MOST_MET];
    size_t n;
    bs_id asked[MOST_BOXES];
    size_t asks;
    bool rounded; /* set by the oracle: rounding leaves open what follows some row */
} way;

bool oracle_layers_meet(const oracle_box *a, const oracle_box *b);
/* The response by the rules alone; NOT_ASKED if the host is asked. */
bs_response oracle_response(const bs_rules *rules, const oracle_box *self, const oracle_box *other);
bool oracle_is_one_way(const oracle_box *box);
bool oracle_stops(bs_response response);
/* True if one of the two is a sensor. Then they never stop each other. */
bool oracle_is_sensed(const oracle_box *a, const oracle_box *b);
/* The same, with the host's answer if it is asked. */
bs_response oracle_answer(const bs_rules *rules, const oracle_box *self, const oracle_box *other,
                          uint64_t answers);

void oracle_touching(const oracle *o, const oracle_box *box, int axis, bool up,
                     const bs_rules *rules, oracle_list *out);
void oracle_blocking(const oracle *o, const oracle_box *box, const bs_rect *place,
                     const bs_rules *rules, oracle_list *out);
/* Finds the boxes that a platform carries, by rank. */
void oracle_riders(const oracle *o, const errand *e, bool rides[MOST_BOXES]);

/* Checks a move up to where it is first stopped or bounced. Returns NULL, or what is wrong. */
const char *oracle_check_first(const oracle *o, const errand *e, const way *told);
/*
 * Checks a whole move, and applies its contacts to the velocity v. Returns NULL, or what is wrong.
 */
const char *oracle_check_way(const oracle *o, const errand *e, way *told, double v[DIM]);
/* True if the numbers are such as in games, which leave little to rounding. */
bool oracle_is_like_in_games(const oracle *o, const errand *e);

#endif
