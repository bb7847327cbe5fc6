/*
 * obstacles.c: what a moving box may meet, by queries of the world.
 *
 * Among boxes one query around the whole way is enough: it is plain. Where there are shapes a way
 * may turn anywhere, and each shape costs more. So it looks at part after part of the way, each
 * twice as long as the one before, and a long way costs no more than what lies along it up to the
 * first hit. Whether a way is plain depends on what is around it alone, and not on shapes
 * elsewhere in the world.
 */
#include "motion.h"

#include <string.h>

enum { SIZES = 8 }; /* The first part of a way is so many sizes of the box. */

/* --- where to look -------------------------------------------------------------------------- */

/*
 * Around all places that the box can come to. A bounce may send it as far back as it wanted to go;
 * in a step the way ends there. It is wider than that by more than rounding.
 */
static bs_rect around_whole_way(const bs_move *m, double room) {
    bool turns = m->rules.ask != NULL || bs_rules_may_give(&m->rules, BS_BOUNCE);
    bs_rect reach;
    for (int k = 0; k < DIM; k++) {
        double way = fabs(m->track[k].speed);
        bool up = m->track[k].speed > 0;
        double lo = m->start.pos[k] - (turns || !up ? way : 0);
        double hi = bs_far(&m->start, k) + (turns || up ? way : 0);
        bs_rect_reach(&reach, k, lo, hi, BS_EXACT, m->start.size[k] * room);
    }
    return reach;
}

bs_rect bs_rect_around(const bs_rect *a, const bs_rect *b, double room) {
    bs_rect part;
    for (int k = 0; k < DIM; k++) {
        double lo = bs_min(a->pos[k], b->pos[k]);
        double hi = bs_max(a->pos[k], b->pos[k]) + a->size[k];
        bs_rect_reach(&part, k, lo, hi, BS_AROUND, a->size[k] * room);
    }
    return part;
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
    return length > part ? bs_max(part / length, ldexp(BS_LEAST_PART, m->parts)) : 1;
}

/* --- new ones ------------------------------------------------------------------------------- */

/* Whether the box, at r, overlaps an obstacle. Then the way out is that from r. */
static inline void look_inside(const bs_move *m, bs_obstacle *o, const bs_rect *r) {
    o->inside = bs_would_overlap(m->w, m->self, r, o->box);
    o->has_way_out = false;
    memcpy(o->from, r->pos, sizeof o->from);
}

/*
 * Makes an obstacle of another box; false if it cannot be met. A one-way box that overlaps the
 * moving one at the start is ignored. Steps meet static boxes here; events.c is about what moves.
 */
static inline bool obstacle_of(const bs_move *m, uint32_t box, bs_obstacle *o) {
    const bs_world *w = m->w;
    bs_response response = bs_rules_response(w, &m->rules, m->self, box);
    if (response == BS_PASS || (m->in_step && !bs_world_is_static(w, box))) {
        return false;
    }
    *o = (bs_obstacle){.box = box, .response = (uint8_t)response};
    o->asks = m->rules.ask != NULL && !m->through;
    o->exact = bs_are_boxes(w, m->self, box);
    look_inside(m, o, &m->start);
    return !o->inside || !bs_is_one_way(w, box);
}

/* The same later, if the box may have left the obstacle: it has moved since it was looked at. */
static inline void look_again(const bs_move *m, bs_obstacle *o, const bs_rect *r) {
    if (o->inside && memcmp(o->from, r->pos, sizeof o->from) != 0) {
        look_inside(m, o, r);
    }
}

/* Makes room for so many more obstacles, and for one meeting more than there can be. */
static bool reserve(bs_move *m, size_t more) {
    bs_heap *heap = &m->w->heap;
    size_t n = m->obstacles + more;
    m->near.n = 0;
    m->within.n = 0;
    return bs_array_reserve(heap, &m->obstacle, &m->obstacle_cap, n, sizeof *m->obstacle) &&
           bs_array_reserve(heap, &m->meeting, &m->meeting_cap, more + 1, sizeof *m->meeting) &&
           bs_list_reserve(heap, &m->near, more) && bs_list_reserve(heap, &m->within, more);
}

/*
 * The number of an obstacle; false if it cannot be met. A new one comes behind all others. One that
 * is found again, and that the box was in, may have been left in the meantime.
 */
static bool number_of(bs_move *m, const bs_rect *here, uint32_t box, uint32_t *number) {
    uint64_t *known = m->known.size > 0 ? bs_table_value(&m->known, box) : NULL;
    if (known != NULL && *known != 0) {
        *number = (uint32_t)*known - 1;
        look_again(m, &m->obstacle[*number], here);
        return true;
    }
    *number = (uint32_t)m->obstacles;
    if (!obstacle_of(m, box, &m->obstacle[*number])) {
        return false;
    }
    m->obstacles++;
    if (known != NULL) {
        *known = m->obstacles;
    }
    return true;
}

/* Finds which boxes are around. */
static bool find(bs_move *m, const bs_rect *around) {
    m->reach = *around;
    return bs_find_around(m->w, around, m->self, false, &m->found);
}

static uint64_t order_of(const void *move, uint32_t number) {
    const bs_move *m = move;
    return bs_world_order(m->w, m->obstacle[number].box);
}

/* Makes obstacles of what was found, unless they are known. They are what is near, or within. */
static bool take_found(bs_move *m) {
    bs_list *near = &m->near;
    bs_list *within = &m->within;
    const bs_rect here = bs_way_at(m, m->now);
    if (!reserve(m, m->found.n)) {
        return false;
    }
    for (size_t i = 0; i < m->found.n; i++) {
        uint32_t number;
        if (number_of(m, &here, m->found.at[i], &number)) {
            bool is_within = m->obstacle[number].inside && !m->in_step;
            bs_list *list = is_within ? within : near;
            list->at[list->n++] = number;
        }
    }
    return within->n <= 1 || bs_world_sort_by(m->w, within, order_of, m);
}

bool bs_obstacles_find(bs_move *m) {
    const bs_world *w = m->w;
    bs_rect around;
    m->parts = 0;
    m->obstacles = 0;
    bs_table_clear(&m->known);
    m->plain = !bs_has_shape(w, m->self);
    if (m->plain) {
        around = around_whole_way(m, w->state.shaped > 0 ? BS_ROOM : 0);
        if (!find(m, &around)) {
            return false;
        }
        m->plain = w->state.shaped == 0 || !bs_any_has_shape(w, &m->found);
    }
    double share = m->plain ? 1 : share_of_part(m, &m->start);
    if (share < 1 || bs_has_shape(w, m->self)) {
        bs_rect end = bs_way_at(m, share);
        around = bs_rect_around(&m->start, &end, BS_ROOM);
        if (!find(m, &around)) {
            return false;
        }
    }
    return take_found(m);
}

/* Makes a table of the known obstacles, which stay as they are, with room for what was found. */
static bool know_all(bs_move *m) {
    bool is_empty = m->known.size == 0;
    if (!bs_table_reserve(&m->w->heap, &m->known, m->obstacles + m->found.n)) {
        return false;
    }
    for (size_t i = 0; is_empty && i < m->obstacles; i++) {
        *bs_table_value(&m->known, m->obstacle[i].box) = i + 1;
    }
    return true;
}

/*
 * Ends the stretch after that share of the remaining way, or where the way turns. Returns what is
 * around it, wider by `room` times the box's size.
 */
static bs_rect end_stretch(bs_move *m, const bs_rect *here, double share, double room) {
    double to = bs_min(m->arc_end, 1);
    double part = m->now + (1 - m->now) * share;
    m->stretch_end = share < 1 && part < to ? part : to;
    bs_rect end = bs_way_at(m, m->stretch_end);
    return bs_rect_around(here, &end, room);
}

/*
 * A part that is not known is looked at. But a long way that turns and turns goes on in short
 * stretches as far as it is known.
 */
bool bs_obstacles_look_ahead(bs_move *m) {
    bs_rect here = bs_way_at(m, m->now);
    double share = share_of_part(m, &here);
    bs_rect around = end_stretch(m, &here, share, 0);
    m->parts += share < 1;
    if (bs_is_within(&around, &m->reach)) {
        return true;
    }
    around = end_stretch(m, &here, share / SIZES, 0);
    if (share < 1 && bs_is_within(&around, &m->reach)) {
        return true;
    }
    around = end_stretch(m, &here, share, BS_ROOM);
    return find(m, &around) && know_all(m) && take_found(m);
}

/* --- later ---------------------------------------------------------------------------------- */

void bs_obstacles_look_around(bs_move *m, bool bounced) {
    bs_rect r = bs_way_at(m, m->now);
    bs_list *near = &m->near;
    size_t n = 0;
    for (size_t i = 0; i < m->within.n; i++) {
        uint32_t number = m->within.at[i];
        bs_obstacle *o = &m->obstacle[number];
        if (bounced || !o->exact) {
            look_again(m, o, &r);
        }
        m->within.at[n] = number;
        near->at[near->n] = number;
        n += o->inside;
        near->n += !o->inside;
    }
    m->within.n = n;
    for (size_t i = 0; bounced && i < m->obstacles; i++) {
        m->obstacle[i].told = false;
    }
}

bool bs_obstacles_are_known(const bs_move *m, const bs_rect *at) {
    return bs_rect_is_box(at) && bs_is_within(at, &m->reach);
}

bool bs_obstacle_is_in_the_way(const bs_move *m, const bs_obstacle *o, const bs_rect *at) {
    bool is_solid = bs_is_solid_response((bs_response)o->response) &&
                    (o->holds || !bs_is_one_way(m->w, o->box));
    return is_solid && bs_would_overlap(m->w, m->self, at, o->box);
}

bool bs_obstacles_leave_free(const bs_move *m, const bs_rect *at) {
    for (size_t i = 0; i < m->obstacles; i++) {
        const bs_obstacle *o = &m->obstacle[i];
        if (!o->inside && bs_obstacle_is_in_the_way(m, o, at)) {
            return false;
        }
    }
    return bs_rect_is_box(at);
}
