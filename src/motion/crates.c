/*
 * crates.c: boxes that a moving box pushes ahead. It relies on move.c for the crate's own move.
 *
 * A crate moves along the normal of the side that met it, by as much of the motion as is left along
 * it. So it ends beside the place where the pusher wants to end. It moves in a world without the
 * pusher, and crates push nothing. The world's journal has where they were.
 */
#include "motion.h"

#include <string.h>

/* Where the crate must go. False if there is no such place, or nothing leads there. */
static bool goal_of(const bs_move *m, const bs_obstacle *o, const bs_meeting *x,
                    const double normal[DIM], const bs_rect *r, bs_rect *goal) {
    const bs_rect *crate = &m->w->rect[o->box];
    bs_rect end = bs_way_at(m, 1);
    double left[DIM];
    bs_minus(end.pos, r->pos, left);
    double along = bs_dot(left, normal);
    *goal = *crate;
    bs_add(goal->pos, along, normal);
    if (o->exact) { /* Flush with the pusher's end, to the last bit. */
        int axis = x->side.axis;
        goal->pos[axis] = bs_flush(crate->size[axis], &end, bs_opposite(x->side));
    }
    return along < 0 && bs_can_move_to(crate, goal);
}

bool bs_crate_push(bs_move *m, const bs_obstacle *o, const bs_meeting *x, const double normal[DIM],
                   const bs_rect *r) {
    bs_world *w = m->w;
    bs_rect goal;
    if (!goal_of(m, o, x, normal, r, &goal)) {
        return true;
    }
    bs_rules rules = bs_rules_default();
    rules.ignore = m->self;
    bs_move *crate = bs_move_run(w, o->box, goal.pos, &rules);
    if (crate == NULL) {
        return false;
    }
    bs_rect rect = bs_move_rect(crate);
    bs_move_end(crate);
    return bs_journal_update(w, o->box, &rect) == BS_OK;
}
