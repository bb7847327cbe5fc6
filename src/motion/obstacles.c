/*
 * obstacles.c: what a moving box may meet, by queries of the world.
 *
 * Among boxes one query around the whole way is enough. With shapes a way may turn anywhere, and
 * each shape costs more. So it looks at part after part of the way, each twice as long as the one
 * before, and a long way costs no more than what lies along it up to the first contact.
 */
#include "motion.h"

#include <string.h>

enum { SIZES = 8 };                       /* The first part of a way is so many sizes of the box. */
static const double LEAST_PART = 0x1p-20; /* It is at least this share of the way. */
static const double ROOM = 0.125;         /* A part is wider by this share of the box's size. */

/* --- where to look -------------------------------------------------------------------------- */

/*
 * Around all places that the box can come to. A bounce may send it as far back as it wanted to go,
 * and farther by what acceleration gains until contacts: that changes its sign from side to side,
 * and comes to less than four times the fall. It is wider than that by more than rounding.
 */
static bs_rect around_whole_way(const bs_move *m) {
    bool turns = m->rules.ask || bs_rules_may_give(&m->rules, BS_BOUNCE);
    bs_rect reach;
    for (int k = 0; k < DIM; k++) {
        double way = fabs(m->track[k].speed) + (turns ? 4 * fabs(m->fall[k] * m->dt) : 0);
        bool up = m->track[k].speed > 0;
        double lo = m->start.pos[k] - (turns || !up ? way : 0);
        double hi = bs_far(&m->start, k) + (turns || up ? way : 0);
        double pad = (fabs(lo) + fabs(hi)) * BS_EXACT + BS_LEAST_PAD;
        reach.pos[k] = lo - pad;
        reach.size[k] = hi + pad - reach.pos[k];
    }
    return reach;
}

bs_rect bs_rect_around(const bs_rect *a, const bs_rect *b, double room) {
    bs_rect part;
    for (int k = 0; k < DIM; k++) {
        double lo = bs_min(a->pos[k], b->pos[k]);
        double hi = bs_max(a->pos[k], b->pos[k]) + a->size[k];
        double pad = (fabs(lo) + fabs(hi)) * BS_AROUND + a->size[k] * room + BS_LEAST_PAD;
        part.pos[k] = lo - pad;
        part.size[k] = hi + pad - part.pos[k];
    }
    return part;
}

static bool is_within(const bs_rect *r, const bs_rect *in) {
    bool within = true;
    for (int k = 0; k < DIM; k++) {
        within = within && r->pos[k] >= in->pos[k] && bs_far(r, k) <= bs_far(in, k);
    }
    return within;
}

/* The share of the remaining way that is looked at next. */
static double share_of_part(const bs_move *m, const bs_rect *here) {
    double size = 0;
    double length = 0;
    for (int k = 0; k < DIM; k++) {
        size = bs_max(here->size[k], size);
        length = bs_max(fabs(m->track[k].end - here->pos[k]), length);
    }
    double part = ldexp(SIZES * size, m->parts);
    return length > part ? bs_max(part / length, ldexp(LEAST_PART, m->parts)) : 1;
}

/* --- new ones ------------------------------------------------------------------------------- */

/* With shapes in the order of insertion, which decides how rounding affects them. */
static bool find_boxes(bs_world *w, const bs_rect *around, uint32_t self, bs_list *found) {
    return bs_find_around(w, around, self, w->state.shaped > 0, found);
}

/*
 * Makes an obstacle of another box; false if it cannot be met. A one-way box that overlaps the
 * moving one at the start is ignored.
 */
static inline bool obstacle_of(const bs_move *m, uint32_t box, bs_obstacle *o) {
    const bs_world *w = m->w;
    bs_response response = bs_rules_response(w, &m->rules, m->self, box);
    if (response == BS_PASS) {
        return false;
    }
    *o = (bs_obstacle){.box = box, .response = (uint8_t)response};
    o->sensed = bs_is_sensed(w, m->self, box);
    o->exact = bs_are_boxes(w, m->self, box);
    o->inside = bs_would_overlap(w, m->self, &m->start, box);
    if (o->inside) {
        if (bs_is_one_way(w, box)) {
            return false;
        }
        bs_obstacle_way_out(m, o, &m->start);
    }
    return true;
}

/* Makes room for n obstacles, and for one meeting more than there can be. */
static bool reserve(bs_move *m, size_t n) {
    bs_heap *heap = &m->w->heap;
    return bs_array_reserve(heap, &m->obstacle, &m->obstacle_cap, n + 1, sizeof *m->obstacle) &&
           bs_array_reserve(heap, &m->meeting, &m->meeting_cap, n + 1, sizeof *m->meeting);
}

bool bs_obstacles_find(bs_move *m) {
    bs_world *w = m->w;
    bs_list *found = &m->found;
    m->parts = 0;
    m->obstacles = 0;
    if (w->state.shaped == 0) {
        m->reach = around_whole_way(m);
    } else {
        bs_rect end = bs_way_at(m, share_of_part(m, &m->start));
        m->reach = bs_rect_around(&m->start, &end, ROOM);
    }
    if (!find_boxes(w, &m->reach, m->self, found) || !reserve(m, found->n)) {
        return false;
    }
    for (size_t i = 0; i < found->n; i++) {
        m->obstacles += obstacle_of(m, found->at[i], &m->obstacle[m->obstacles]);
    }
    return true;
}

/*
 * Puts n obstacles into the order of insertion, in which the first are, so many as are known, and
 * those behind them. There is room for the latter once more, behind all.
 */
static void merge(bs_move *m, size_t known, size_t n) {
    bs_obstacle *at = m->obstacle;
    size_t more = n - known;
    memcpy(at + n, at + known, more * sizeof *at);
    for (size_t to = n; more > 0;) { /* From the end, so that none is overwritten. */
        const bs_obstacle *last = &at[n + more - 1];
        bool is_known = known > 0 && bs_world_before(m->w, last->box, at[known - 1].box);
        at[--to] = is_known ? at[known - 1] : *last;
        known -= is_known;
        more -= !is_known;
    }
}

/* Known obstacles stay as they are. Both lists are in the order of insertion. */
static bool find_more(bs_move *m, const bs_rect *around) {
    bs_world *w = m->w;
    bs_list *found = &m->found;
    if (!find_boxes(w, around, m->self, found) || !reserve(m, m->obstacles + 2 * found->n)) {
        return false;
    }
    size_t known = m->obstacles;
    size_t n = known;
    for (size_t i = 0, j = 0; i < found->n; i++) { /* New ones, behind those that are known. */
        while (j < known && bs_world_before(w, m->obstacle[j].box, found->at[i])) {
            j++;
        }
        if (j == known || m->obstacle[j].box != found->at[i]) {
            n += obstacle_of(m, found->at[i], &m->obstacle[n]);
        }
    }
    merge(m, known, n);
    m->obstacles = n;
    m->reach = *around;
    return true;
}

bool bs_obstacles_look_ahead(bs_move *m) {
    bs_rect here = bs_way_at(m, m->now);
    double to = bs_min(m->turn, 1);
    double share = share_of_part(m, &here);
    double part = m->now + (1 - m->now) * share;
    m->until = share < 1 && part < to ? part : to;
    bs_rect end = bs_way_at(m, m->until);
    bs_rect around = bs_rect_around(&here, &end, 0);
    m->parts += share < 1;
    if (is_within(&around, &m->reach)) {
        return true;
    }
    around = bs_rect_around(&here, &end, ROOM);
    return find_more(m, &around);
}

/* --- later ---------------------------------------------------------------------------------- */

void bs_obstacles_look_around(bs_move *m, bool bounced) {
    bs_rect r = bs_way_at(m, m->now);
    for (size_t i = 0; i < m->obstacles; i++) {
        bs_obstacle *o = &m->obstacle[i];
        o->told = o->told && !bounced;
        if (o->inside && (bounced || !o->exact)) {
            o->inside = bs_would_overlap(m->w, m->self, &r, o->box);
            if (o->inside) {
                bs_obstacle_way_out(m, o, &r);
            }
        }
    }
}

bool bs_obstacles_are_known(const bs_move *m, const bs_rect *at) {
    return bs_rect_is_box(at) && is_within(at, &m->reach);
}

bool bs_obstacles_leave_free(const bs_move *m, const bs_rect *at) {
    for (size_t i = 0; i < m->obstacles; i++) {
        const bs_obstacle *o = &m->obstacle[i];
        bool is_there = o->holds || !bs_is_one_way(m->w, o->box);
        if (!o->inside && is_there && bs_may_stop(o) &&
            bs_would_overlap(m->w, m->self, at, o->box)) {
            return false;
        }
    }
    return bs_rect_is_box(at);
}
