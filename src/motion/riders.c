/*
 * riders.c: what rests on a platform, and what rests on that; all of it is carried. It relies on
 * shoves.c for those that something holds.
 *
 * Riders that all go as far as the platform keep their places to each other. So those go together
 * whose way is free if all of them do, each right to its goal. The others go one by one, and may
 * push what is in their way.
 */
#include "push_parts.h"

#include <string.h>

/* --- who is carried ------------------------------------------------------------------------- */

/*
 * Adds rows for what rests on that side. The far side of a box is rounded as its own coordinates
 * are, so a box that rests on something may be off by a unit of its own last place. So this looks
 * as far away as the platform is thick, which is enough for all that is not 2^50 times as large.
 */
static bool add_riders_on(bs_push *p, const bs_carrier *c, bs_box_side side) {
    bs_world *w = p->w;
    const bs_rect *rect = &w->rect[c->box];
    double far = rect->size[side.axis] + bs_largest_coordinate(rect, rect) * BS_RESTING;
    bs_rect around = bs_widened(rect, side.axis, far);
    if (!bs_find_around(w, &around, c->box, true, &p->found)) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t box = p->found.at[i];
        if (!bs_is_pushable(p, c->box, box) || bs_push_row_of(p, box) != 0 ||
            !bs_rests_against(w, box, c->box, side)) {
            continue;
        }
        bool is_solid = bs_world_layers_meet(w, c->box, box);
        if (c->on != NULL && !bs_push_ask(p, c->box, box, &is_solid)) {
            return false;
        }
        if (!is_solid) {
            continue;
        }
        bs_pushee *rider = bs_push_add_row(p, box, c->box);
        if (rider == NULL) {
            return false;
        }
        p->row[p->rows - 1].carried = true;
        rider->on = c->on;
        rider->parent = c->row;
        rider->rests = side;
    }
    return true;
}

bool bs_riders_add(bs_push *p, bs_carrier c) {
    for (int k = 0; k < DIM; k++) {
        double g = p->w->state.gravity[k];
        bs_box_side side = {k, g > 0 ? -1 : 1};
        if (g != 0 && !add_riders_on(p, &c, side)) {
            return false;
        }
    }
    return true;
}

/* --- where to ------------------------------------------------------------------------------- */

/*
 * Sets the goal of a box that rests on the platform or on a carried box: as far as that has gone,
 * or will go if all of them go together. It does not come back where others have pushed it farther.
 */
static void set_goal(bs_push *p, size_t row, bool together) {
    bs_pushee *part = &p->part[row];
    const bs_pusher *on = part->on;
    const bs_pushee *parent = &p->part[part->parent];
    uint32_t box = p->row[row].box;
    uint32_t carries = on != NULL ? on->box : p->row[part->parent].box;
    bs_rect to = on != NULL ? on->after : p->w->rect[carries];
    const bs_rect *from = on != NULL ? &on->before : &parent->before;
    const bs_rect *rect = &p->w->rect[box];
    if (on == NULL && together) {
        memcpy(to.pos, parent->goal, sizeof to.pos);
    }
    for (int k = 0; k < DIM; k++) {
        double way = to.pos[k] - from->pos[k];
        double goal = part->before.pos[k] + way;
        part->goal[k] = (goal - rect->pos[k]) * way > 0 ? goal : rect->pos[k];
    }
    if (bs_are_boxes(p->w, carries, box)) {
        part->goal[part->rests.axis] = bs_flush(rect->size[part->rests.axis], &to, part->rests);
    }
}

/* --- who goes together ---------------------------------------------------------------------- */

/*
 * Whether a box is so small, or one of its places so far away, that rounding may put it to another
 * side of its neighbours.
 */
static bool is_lost(const bs_rect *before, const bs_rect *after) {
    return bs_least_size(before) < bs_largest_coordinate(before, after) * BS_HERE;
}

/* Whether a carried box comes to its goal, through those that go together. False: no memory. */
static bool try_way(const bs_push *p, size_t row, bool *is_free) {
    uint32_t box = p->row[row].box;
    const bs_rect *here = &p->w->rect[box];
    bs_rect there = *here;
    memcpy(there.pos, p->part[row].goal, sizeof there.pos);
    *is_free = bs_can_move_to(here, &there) && !is_lost(here, &there);
    if (!*is_free) {
        return true;
    }
    bs_rules rules = bs_push_rules(p);
    bs_move *m = bs_move_run(p->w, box, there.pos, &rules);
    if (m == NULL) {
        return false;
    }
    bs_rect end = bs_move_rect(m);
    *is_free = memcmp(&end, &there, sizeof end) == 0;
    bs_move_end(m);
    return true;
}

static bool add_unsettled(bs_push *p, size_t row) {
    return bs_list_add(&p->w->heap, &p->unsettled, (uint32_t)row);
}

/*
 * A row does not go together with the others. So what rests on it does not, and others may not come
 * past it: those within a way of that length from where it is.
 */
static bool fall_behind(bs_push *p, size_t row) {
    bs_pushee *part = &p->part[row];
    bs_rect from = part->before;
    part->together = false;
    p->skips[p->row[row].box] = 0;
    for (int k = 0; k < DIM; k++) {
        from.pos[k] -= part->goal[k] - part->before.pos[k];
    }
    bs_rect around = bs_rect_around(&from, &part->before, 0);
    if (!bs_find_around(p->w, &around, p->row[row].box, false, &p->found)) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t other = bs_push_row_of(p, p->found.at[i]);
        if (other != 0 && !add_unsettled(p, other - 1)) {
            return false;
        }
    }
    for (size_t i = part->riders; i < part->riders_end; i++) {
        if (!add_unsettled(p, i)) {
            return false;
        }
    }
    return true;
}

/*
 * Finds out which of the carried boxes go together: each has a free way if all of these go. Where
 * the others come to depends on what holds them, so they go one by one. One box alone may as well
 * do that.
 */
static bool find_those_together(bs_push *p, size_t carried) {
    bool done = true;
    p->unsettled.n = 0;
    for (size_t i = 0; i < carried; i++) {
        p->part[i].together = carried > 1;
        p->skips[p->row[i].box] = carried > 1;
        set_goal(p, i, true);
        done = done && add_unsettled(p, i);
    }
    while (done && p->unsettled.n > 0) {
        size_t row = p->unsettled.at[--p->unsettled.n];
        const bs_pushee *part = &p->part[row];
        bool is_free = part->on != NULL || p->part[part->parent].together;
        if (part->together) {
            done = !is_free || try_way(p, row, &is_free);
            done = done && (is_free || fall_behind(p, row));
        }
    }
    for (size_t i = 0; i < carried; i++) {
        p->skips[p->row[i].box] = 0;
    }
    return done;
}

/* --- moving them ---------------------------------------------------------------------------- */

/*
 * Parts two boxes that have gone together, if rounding has brought one into the other. The one
 * goes that gravity presses against the other.
 */
static bool part_again(bs_push *p, size_t row, size_t other) {
    bs_shove s;
    bool overlapped = bs_overlap_at(p->w, p->row[row].box, &p->part[row].before, p->row[other].box,
                                    &p->part[other].before);
    if (overlapped || !(bs_shove_apart(p, p->row[row].box, p->row[other].box, &s) > 0)) {
        return true;
    }
    bool is_above = bs_dot(s.out.normal, p->w->state.gravity) > 0;
    if (!is_above) {
        (void)bs_shove_apart(p, p->row[other].box, p->row[row].box, &s);
    }
    return bs_shove_run(p, &s);
}

/* Parts a box that has gone together with others from those that it has come into by rounding. */
static bool part_from_others(bs_push *p, size_t row) {
    uint32_t box = p->row[row].box;
    bs_rules rules = bs_rules_default();
    if (bs_world_blocking(p->w, box, &p->w->rect[box], &rules, &p->found) != BS_OK) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t other = bs_push_row_of(p, p->found.at[i]);
        if (other != 0 && !part_again(p, row, other - 1)) {
            return false;
        }
    }
    return true;
}

/* Puts a box that goes together with others to its goal. */
static bool put(bs_push *p, size_t row) {
    bs_rect there = p->w->rect[p->row[row].box];
    memcpy(there.pos, p->part[row].goal, sizeof there.pos);
    return bs_journal_update(p->w, p->row[row].box, &there) == BS_OK;
}

/* Moves a carried box as far as what it rests on has gone, and first all that this needs. */
static bool follow(bs_push *p, size_t row) {
    const bs_shove s = {.box = p->row[row].box, .is_carried = true};
    set_goal(p, row, false);
    return bs_shove_run(p, &s);
}

bool bs_riders_move(bs_push *p) {
    size_t n = 0;
    while (n < p->rows && p->row[n].carried) {
        n++;
    }
    bool done = find_those_together(p, n);
    for (size_t i = 0; done && i < n; i++) {
        done = !p->part[i].together || put(p, i);
    }
    for (size_t i = 0; done && i < n; i++) {
        done = !p->part[i].together || part_from_others(p, i);
    }
    for (size_t i = 0; done && i < n; i++) {
        done = p->part[i].together || follow(p, i);
    }
    return done;
}
