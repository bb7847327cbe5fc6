/*
 * shoves.c: boxes that must get out of the way of a platform, or of what that pushes and carries.
 * What is in the way of such a box goes first, and so on: the box stops there, and begins its way
 * anew when that one has gone. So they wait in a stack, however many there are.
 *
 * A box goes along the normal of the side that meets it, as far as it must. If something makes it
 * slide, up a slope for example, it goes on along that until it is out of the way.
 */
#include "push_parts.h"

#include <string.h>

enum {
    MOST_SHOVED = 64, /* A box that was sent ahead so often stays where it is. */
    MOST_SLOPES = 8   /* So often a box on its way out may be turned. */
};

/* --- where to ------------------------------------------------------------------------------- */

/* What is known of the box of a shove, which has a row. */
static bs_pushee *part_of(const bs_push *p, const bs_shove *s) {
    return &p->part[bs_push_row_of(p, s->box) - 1];
}

/* The side of the box at r which the other one's is to be flush with. */
static bs_box_side own_side(const bs_push *p, const bs_shove *s, const bs_rect *r) {
    double grain = bs_largest_coordinate(r, &s->out.room) * BS_GRAZING;
    return bs_opposite(bs_side_met(p->w, s->out.by, s->box, s->out.normal, grain));
}

double bs_shove_left(const bs_push *p, const bs_shove *s, const bs_rect *r) {
    bs_box_side own = own_side(p, s, r);
    if (s->out.overlaps) {
        return s->out.along + bs_dot(r->pos, s->out.normal);
    }
    if (own.axis != BS_SLANTED) {
        return (bs_flush(r->size[own.axis], &s->out.room, own) - r->pos[own.axis]) * own.sign;
    }
    return -bs_gap_at(p->w, s->out.by, &s->out.room, s->box, r, s->out.normal);
}

/* Where the box of a shove must go now. False if it is there. */
static bool goal_of_shove(const bs_push *p, const bs_shove *s, double goal[DIM]) {
    const bs_rect *r = &p->w->rect[s->box];
    memcpy(goal, s->is_carried ? part_of(p, s)->goal : r->pos, sizeof r->pos);
    if (s->is_carried) {
        return memcmp(goal, r->pos, sizeof r->pos) != 0;
    }
    double way = bs_shove_left(p, s, r);
    if (!(way > 0)) {
        return false;
    }
    bs_box_side own = own_side(p, s, r);
    int axis = own.axis;
    double cosine = -bs_dot(s->out.heading, s->out.normal);
    double off = axis == BS_SLANTED ? bs_largest_coordinate(r, &s->out.room) * BS_PLACING : 0;
    bs_add(goal, (way + off) / cosine, s->out.heading);
    if (axis != BS_SLANTED) {
        goal[axis] =
            s->out.overlaps ? own.sign * s->out.along : bs_flush(r->size[axis], &s->out.room, own);
    }
    return true;
}

/* --- moving them ---------------------------------------------------------------------------- */

/* Puts a shove on top of the others. */
static bool begin_shove(bs_push *p, const bs_shove *s) {
    if (!bs_array_reserve(&p->w->heap, &p->shove, &p->shove_cap, p->shoves + 1, sizeof *p->shove)) {
        return false;
    }
    p->shove[p->shoves++] = *s;
    part_of(p, s)->moving = true;
    return true;
}

/* Takes the shove on top away, whose box is where it must go, or has not got there. */
static void end_shove(bs_push *p, bool is_there) {
    const bs_shove *s = &p->shove[--p->shoves];
    bs_pushee *part = part_of(p, s);
    part->stuck = part->stuck || !is_there;
    part->moving = false;
}

bs_shove bs_shove_out(uint32_t box, uint32_t by, const bs_rect *room, const double normal[DIM]) {
    bs_shove s = {.box = box, .out = {.by = by, .room = *room}};
    for (int k = 0; k < DIM; k++) {
        s.out.normal[k] = normal[k];
        s.out.heading[k] = normal[k] != 0 ? -normal[k] : 0;
    }
    return s;
}

/*
 * What can move gets out of where the way leads now. If it is out of there, the two meet by
 * rounding alone, and the box goes on as if it were not there.
 */
bs_response bs_shove_response(const bs_move *m, const bs_obstacle *o, const double normal[DIM]) {
    bs_push *p = m->w->push;
    bs_rect room = bs_way_at(m, 1);
    bs_shove out = bs_shove_out(o->box, m->self, &room, normal);
    if (p->ahead.box != BS_NO_BOX || o->inside || !bs_is_pushable(p, m->self, o->box)) {
        return BS_SLIDE;
    }
    if (!(bs_shove_left(p, &out, &p->w->rect[o->box]) > 0)) {
        return BS_PASS;
    }
    const bs_pushee *part = bs_push_row_of(p, o->box) != 0 ? part_of(p, &out) : NULL;
    if (part != NULL && (part->stuck || part->moving)) {
        return BS_SLIDE;
    }
    p->ahead = out;
    return BS_TOUCH;
}

/*
 * Where a way has come to; or its goal, if that is farther by rounding alone, and free: what two
 * boxes are flush with is not always one double.
 */
static bs_rect place_reached(const bs_move *m, const bs_rect *goal) {
    bs_rect r = bs_move_rect(m);
    double rounding = bs_largest_coordinate(&r, goal) * BS_EXACT;
    bool is_goal = !bs_is_farther(&r, goal->pos, rounding) && bs_obstacles_are_known(m, goal) &&
                   bs_obstacles_leave_free(m, goal);
    return is_goal ? *goal : r;
}

/* Goes on along what has made the box slide. False if that leads nowhere. */
static bool follow_slope(bs_shove *s, const bs_move *m) {
    double *heading = s->out.heading;
    for (int k = 0; k < DIM; k++) {
        heading[k] = m->track[k].speed;
    }
    bs_direction(heading, heading);
    return ++s->out.slopes <= MOST_SLOPES && -bs_dot(heading, s->out.normal) > BS_HEADING;
}

/* The box of the shove on top has moved as far as it got: it is there, or it goes on up a slope. */
static void note_place(bs_push *p, const bs_move *m) {
    bs_shove *s = &p->shove[p->shoves - 1];
    double next[DIM];
    bool is_there = !goal_of_shove(p, s, next);
    if (is_there || s->is_carried || !follow_slope(s, m)) {
        end_shove(p, is_there);
    }
}

/* What has stopped the box of the shove on top goes first. */
static bool send_ahead(bs_push *p, uint32_t by) {
    const bs_shove out = p->ahead;
    if (bs_push_row_of(p, out.box) == 0 && bs_push_add_row(p, out.box, by) == NULL) {
        return false;
    }
    bs_pushee *part = part_of(p, &out);
    part->stuck = ++part->shoved > MOST_SHOVED;
    return part->stuck || begin_shove(p, &out);
}

/* Runs the shove on top once: what is in its way goes first, otherwise it moves itself. */
static bool run_shove(bs_push *p) {
    bs_world *w = p->w;
    const bs_shove s = p->shove[p->shoves - 1];
    bs_rect there = w->rect[s.box];
    bool moves = goal_of_shove(p, &s, there.pos);
    if (!moves || !bs_can_move_to(&w->rect[s.box], &there)) {
        end_shove(p, !moves);
        return true;
    }
    bs_rules rules = bs_push_rules(p);
    p->ahead.box = BS_NO_BOX;
    bs_move *m = bs_move_run_in_push(w, s.box, there.pos, &rules, false);
    if (m == NULL) {
        return false;
    }
    bool done;
    if (p->ahead.box != BS_NO_BOX) {
        done = send_ahead(p, s.box);
    } else {
        bs_rect rect = place_reached(m, &there);
        done = bs_journal_update(w, s.box, &rect) == BS_OK;
        note_place(p, m);
    }
    bs_move_end(m);
    return done;
}

double bs_shove_apart(const bs_push *p, uint32_t box, uint32_t by, bs_shove *s) {
    double normal[DIM];
    const bs_rect *rect = p->w->rect;
    double length = bs_normal_out_of(p->w, box, &rect[box], by, &rect[by], normal);
    bs_negate(normal, normal);
    *s = bs_shove_out(box, by, &rect[by], normal);
    return length;
}

bool bs_shove_run(bs_push *p, const bs_shove *s) {
    bool done = begin_shove(p, s);
    while (done && p->shoves > 0) {
        done = run_shove(p);
    }
    return done;
}
