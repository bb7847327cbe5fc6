/*
 * step_oracle.h: what the contract says about a step, as far as plain loops can say it.
 *
 * What has nothing near goes as its velocity says. Of what meets, all worlds must say the same, and
 * nothing may overlap that did not.
 */
#ifndef FUZZ_STEP_ORACLE_H
#define FUZZ_STEP_ORACLE_H

#include "move_oracle.h"

/* What a world reports about a step: its boxes afterwards, by rank, and the hits. */
typedef struct stepped {
    bs_rect rect[MOST_BOXES];
    double velocity[MOST_BOXES][DIM];
    const bs_step_hits *hits;
} stepped;

/* The velocity after the forces of a step, before anything is met. */
void oracle_force(const oracle *o, const oracle_box *box, double dt, double v[DIM]);

/* Checks a step from the boxes as they were. Returns NULL, or what is wrong. */
const char *oracle_check_step(const oracle *before, double dt, const stepped *told);

#endif
