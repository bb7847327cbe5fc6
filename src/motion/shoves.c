/*
 * shoves.c: boxes that must get out of the way of a platform, or of what that pushes and carries.
 * What is in the way of such a box goes first, and so on.
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

/* The side of the box at r which the other one's is to be flush with. */
static bs_box_side own_side(const bs_push *p, const bs_shove *s, const bs_rect *r) {
    double grain = bs_largest_coordinate(r, &s->out.room) * BS_GRAZING;
    uint32_t box = p->row[s->row].box;
    return bs_opposite(bs_side_met(p->w, s->out.by, box, s->out.normal, grain));
}

double bs_shove_left(const bs_push *p, const bs_shove *s, const bs_rect *r) {
    bs_box_side own = own_side(p, s, r);
    if (s->out.overlaps) {
        return s->out.along + bs_dot(r->pos, s->out.normal);
    }
    if (own.axis != BS_SLANTED) {
        return (bs_flush(r->size[own.axis], &s->out.room, own) - r->pos[own.axis]) * own.sign;
    }
    return -bs_gap_at(p->w, s->out.by, &s->out.room, p->row[s->row].box, r, s->out.normal);
}

/* Where the box of a shove must go now. False if it is there. */
static bool goal_of_shove(const bs_push *p, const bs_shove *s, double goal[DIM]) {
    const bs_rect *r = &p->w->rect[p->row[s->row].box];
    memcpy(goal, s->is_carried ? p->part[s->row].goal : r->pos, sizeof r->pos);
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

bool bs_shove_begin(bs_push *p, const bs_shove *s) {
    if (!bs_array_reserve(&p->w->heap, &p->shove, &p->shove_cap, p->shoves + 1, sizeof *p->shove)) {
        return false;
    }
    p->shove[p->shoves++] = *s;
    p->part[s->row].moving = true;
    return true;
}

void bs_shove_end(bs_push *p, bool is_there) {
    const bs_shove *s = &p->shove[--p->shoves];
    bs_pushee *part = &p->part[s->row];
    part->stuck = part->stuck || !is_there;
    part->moving = false;
}

bs_shove bs_shove_out(size_t row, uint32_t by, const bs_rect *room, const double normal[DIM]) {
    bs_shove s = {.row = row, .passes = BS_NO_BOX, .out = {.by = by, .room = *room}};
    for (int k = 0; k < DIM; k++) {
        s.out.normal[k] = normal[k];
        s.out.heading[k] = normal[k] != 0 ? -normal[k] : 0;
    }
    return s;
}

/* The first box met that can be moved ahead, or NULL. */
static const bs_collision *find_blocker(const bs_push *p, const bs_move *m) {
    for (size_t i = 0; i < m->met.n; i++) {
        const bs_collision *c = &m->met.at[i];
        uint32_t known = bs_push_row_of(p, c->box);
        bool is_done = known != 0 && (p->part[known - 1].stuck || p->part[known - 1].moving);
        if (bs_is_pushable(p, m->self, c->box) && !c->overlap && !is_done) {
            return c;
        }
    }
    return NULL;
}

bool bs_push_try(const bs_push *p, uint32_t box, const double goal[DIM], uint32_t ignore,
                 bs_rect *end) {
    bs_rules rules = bs_push_rules(p, ignore);
    bs_move *m = bs_move_run(p->w, box, goal, &rules);
    if (m == NULL) {
        return false;
    }
    *end = bs_move_rect(m);
    bs_move_end(m);
    return true;
}

/*
 * Lets the blocker go first, out of where the box of the shove wants to be. If that box has met it
 * only because something else has turned its way, the blocker goes out of where that way leads. If
 * it is out of there too, the two meet by rounding alone: the box goes on as if it were not there.
 */
static bool shove_blocker(bs_push *p, const bs_shove *s, const double goal[DIM],
                          const bs_collision *c) {
    uint32_t by = p->row[s->row].box;
    bs_rect room = p->w->rect[by];
    memcpy(room.pos, goal, sizeof room.pos);
    if (bs_push_row_of(p, c->box) == 0 && bs_push_add_row(p, c->box, by) == NULL) {
        return false;
    }
    size_t row = bs_push_row_of(p, c->box) - 1;
    bs_shove out = bs_shove_out(row, by, &room, c->normal);
    const bs_rect *rect = &p->w->rect[c->box];
    if (!(bs_shove_left(p, &out, rect) > 0) && !bs_push_try(p, by, goal, c->box, &out.out.room)) {
        return false;
    }
    bool is_in_the_way = bs_shove_left(p, &out, rect) > 0;
    p->shove[p->shoves - 1].passes = is_in_the_way ? BS_NO_BOX : c->box;
    if (++p->part[row].shoved > MOST_SHOVED) {
        p->part[row].stuck = true;
        return true;
    }
    return !is_in_the_way || bs_shove_begin(p, &out);
}

/*
 * Where a way has come to, or its goal, if that is farther by rounding alone and has room: what has
 * gone ahead is flush with the goal, but rounded times may tell of a contact before. False: no
 * memory.
 */
static bool place_reached(const bs_push *p, bs_move *m, const double goal[DIM], bs_rect *rect) {
    bs_world *w = p->w;
    bs_rules rules = bs_push_rules(p, BS_NO_BOX);
    *rect = bs_move_rect(m);
    bs_rect there = *rect;
    bool near = true;
    bool there_yet = true;
    for (int k = 0; k < DIM; k++) {
        there.pos[k] = goal[k];
        double way = fabs(goal[k] - rect->pos[k]);
        near = near && way <= (fabs(goal[k]) + rect->size[k]) * BS_EXACT;
        there_yet = there_yet && way == 0;
    }
    for (size_t i = 0; near && i < m->met.n; i++) {
        near = m->met.at[i].response == BS_CROSS || !bs_overlap(&there, &w->rect[m->met.at[i].box]);
    }
    if (there_yet || !near) {
        return true;
    }
    if (bs_world_blocking(w, m->self, &there, &rules, &m->found) != BS_OK) {
        return false;
    }
    *rect = m->found.n == 0 ? there : *rect;
    return true;
}

/* Goes on along what has made the box slide. False if that leads nowhere. */
static bool follow_slope(bs_shove *s, const bs_move *m) {
    double *heading = s->out.heading;
    for (int k = 0; k < DIM; k++) {
        heading[k] = m->track[k].speed;
    }
    bs_direction(heading, heading);
    s->passes = BS_NO_BOX;
    return ++s->out.slopes <= MOST_SLOPES && -bs_dot(heading, s->out.normal) > BS_HEADING;
}

/* The box of the shove on top has moved as far as it got. */
static void note_place(bs_push *p, const bs_move *m, const double goal[DIM], const bs_rect *rect) {
    bs_shove *s = &p->shove[p->shoves - 1];
    double next[DIM];
    bool is_there =
        s->is_carried ? memcmp(rect->pos, goal, sizeof rect->pos) == 0 : !goal_of_shove(p, s, next);
    if (!is_there && !s->is_carried && follow_slope(s, m)) {
        return; /* It goes on that way. */
    }
    bs_shove_end(p, is_there);
}

/* Runs the shove on top once: what is in its way goes first, otherwise it moves itself. */
static bool run_shove(bs_push *p) {
    bs_world *w = p->w;
    const bs_shove s = p->shove[p->shoves - 1];
    uint32_t box = p->row[s.row].box;
    bs_rect there = w->rect[box];
    bool moves = goal_of_shove(p, &s, there.pos);
    if (!moves || !bs_can_move_to(&w->rect[box], &there)) {
        bs_shove_end(p, !moves);
        return true;
    }
    bs_rules rules = bs_push_rules(p, s.passes);
    bs_move *m = bs_move_run(w, box, there.pos, &rules);
    if (m == NULL) {
        return false;
    }
    bool done;
    const bs_collision *blocker = find_blocker(p, m);
    if (blocker != NULL) {
        done = shove_blocker(p, &s, there.pos, blocker);
    } else {
        bs_rect rect;
        done = place_reached(p, m, there.pos, &rect) && bs_journal_update(w, box, &rect) == BS_OK;
        note_place(p, m, there.pos, &rect);
    }
    bs_move_end(m);
    return done;
}

double bs_shove_apart(const bs_push *p, size_t row, uint32_t by, bs_shove *s) {
    uint32_t box = p->row[row].box;
    double normal[DIM];
    const bs_rect *rect = p->w->rect;
    double length = bs_normal_out_of(p->w, box, &rect[box], by, &rect[by], normal);
    bs_negate(normal, normal);
    *s = bs_shove_out(row, by, &rect[by], normal);
    return length;
}

bool bs_shoves_run(bs_push *p) {
    bool done = true;
    while (done && p->shoves > 0) {
        done = run_shove(p);
    }
    return done;
}

bool bs_shove_run(bs_push *p, const bs_shove *s) {
    return bs_shove_begin(p, s) && bs_shoves_run(p);
}
