/*
 * push.c: platforms, which go all the way, and push and carry others. riders.c moves what they
 * carry, and shoves.c what is in the way.
 */
#include "push_parts.h"

#include <string.h>

/* --- rows ----------------------------------------------------------------------------------- */

bs_pushee *bs_push_add_row(bs_push *p, uint32_t box, uint32_t by) {
    bs_heap *heap = &p->w->heap;
    size_t need = p->rows + 1;
    if (!bs_array_reserve(heap, &p->row, &p->row_cap, need, sizeof *p->row) ||
        !bs_array_reserve(heap, &p->part, &p->part_cap, need, sizeof *p->part)) {
        return NULL;
    }
    const bs_rect *rect = &p->w->rect[box];
    bs_pushed *row = &p->row[p->rows];
    *row = (bs_pushed){.id = bs_world_id(p->w, box), .box = box, .by = by};
    memcpy(row->place, rect->pos, sizeof row->place);
    p->part[p->rows] = (bs_pushee){.before = *rect};
    p->row_of[box] = (uint32_t)++p->rows;
    return &p->part[p->rows - 1];
}

/* --- who is in the way ---------------------------------------------------------------------- */

bool bs_push_ask(bs_push *p, uint32_t by, uint32_t box, bool *is_solid) {
    bs_rules *rules = &p->rules;
    *is_solid = bs_rules_may_stop(p->w, rules, by, box);
    if (rules->ask == NULL || !*is_solid) {
        return true;
    }
    if (!bs_table_reserve(&p->w->heap, &p->answers, p->asked + 1)) {
        return false;
    }
    uint64_t *answer = bs_table_value(&p->answers, box);
    if (*answer == 0) {
        p->asked++;
        *answer = 1 + bs_is_solid_response(rules->ask(rules->host, by, box));
    }
    *is_solid = *answer == 2;
    return true;
}

/*
 * Whether a box of the platform pushes another one with a corner that is none, as another box of
 * the platform, in which that one is, goes on there. False: no memory.
 */
static bool find_seam(bs_push *p, const bs_pusher *by, const bs_collision *c, const double own[DIM],
                      bool *at_seam) {
    bs_rect met = p->w->rect[c->box]; /* Where it would be if it moved, and the platform did not. */
    for (int k = 0; k < DIM; k++) {
        met.pos[k] -= c->place[k] - by->before.pos[k];
    }
    return bs_is_at_seam(p->w, &p->rules, p->skips, c->box, &met, by->box, own, &p->found, at_seam);
}

/*
 * Finds out whether it pushes the other: a one-way box pushes with its side alone, and not what it
 * overlaps. The host is asked last. False: no memory.
 */
static bool find_whether_it_pushes(bs_push *p, const bs_pusher *by, const bs_collision *c,
                                   bool *pushes) {
    double own[DIM];
    bool at_seam = false;
    bs_negate(c->normal, own);
    *pushes = bs_is_pushable(p, by->box, c->box) && bs_is_solid_response(c->response) &&
              bs_is_solid_toward(p->w, by->box, own) &&
              !(c->overlap && bs_is_one_way(p->w, by->box));
    bool done = !*pushes || find_seam(p, by, c, own, &at_seam);
    *pushes = *pushes && !at_seam;
    return done && (!*pushes || bs_push_ask(p, by->box, c->box, pushes));
}

/* Adds what one box of the platform meets on its way. */
static bool press(bs_push *p, const bs_pusher *by, const bs_collisions *met) {
    for (size_t i = 0; i < met->n; i++) {
        const bs_collision *c = &met->at[i];
        bool pushes;
        if (!find_whether_it_pushes(p, by, c, &pushes)) {
            return false;
        }
        if (!pushes) {
            continue;
        }
        if (!bs_array_reserve(&p->w->heap, &p->press, &p->press_cap, p->presses + 1,
                              sizeof *p->press)) {
            return false;
        }
        p->press[p->presses++] = (bs_pressed){.by = by, .met = *c};
    }
    return true;
}

/* Finds what the platform meets on its way. */
static bool find_those_in_the_way(bs_push *p) {
    bool done = true;
    for (size_t i = 0; done && i < p->pushers; i++) {
        const bs_pusher *by = &p->pusher[i];
        bs_move *m = bs_move_run_in_push(p->w, by->box, by->after.pos, &p->rules, true);
        if (m == NULL) {
            return false;
        }
        done = press(p, by, &m->met);
        bs_move_end(m);
    }
    return done;
}

/* Adds a row for each that is in the way, and has none. */
static bool add_pressed(bs_push *p) {
    for (size_t i = 0; i < p->presses; i++) {
        const bs_pressed *x = &p->press[i];
        if (bs_push_row_of(p, x->met.box) == 0 &&
            bs_push_add_row(p, x->met.box, x->by->box) == NULL) {
            return false;
        }
    }
    return true;
}

/* Which of two presses of a box comes first: the sooner one, then the one by a side. */
static bool is_sooner(const bs_pressed *a, const bs_pressed *b) {
    bool a_slants = bs_side_of(a->met.normal).axis == BS_SLANTED;
    bool b_slants = bs_side_of(b->met.normal).axis == BS_SLANTED;
    return a->met.t < b->met.t || (a->met.t == b->met.t && !a_slants && b_slants);
}

/*
 * A box that the platform pushes slides along that side, in the platform's frame. Whether it meets
 * another box of the platform on that way, which then pushes it, too: by the side met there. The
 * box begins a little off the side, as rounding may put what goes on there in its way.
 */
static bool presses_too(const bs_push *p, const bs_pressed *first, bs_pressed *x) {
    const uint32_t box = x->met.box;
    const double *normal = first->met.normal;
    const bs_pusher *by = first->by;
    bs_rect part = x->by->before;
    bs_rect r = p->part[bs_push_row_of(p, box) - 1].before;
    double off = bs_largest_coordinate(&first->by->after, &r) * BS_RESTING;
    double way[DIM];
    bs_touch touch;
    bs_minus(by->before.pos, by->after.pos, way);
    bs_along_side(way, normal, way);
    bs_add(r.pos, -off, normal);
    for (int k = 0; k < DIM; k++) {
        part.pos[k] += first->met.place[k] - by->before.pos[k];
        way[k] *= 1 - first->met.t;
    }
    if (!bs_meet_at(p->w, box, &r, way, x->by->box, &part, &touch)) {
        return false;
    }
    bs_negate(touch.normal, x->met.normal);
    return bs_length(touch.normal) > 0 && bs_is_solid_toward(p->w, x->by->box, touch.normal);
}

/*
 * Of several presses of one box only those remain that a platform in one piece would have, too: not
 * those by a corner between two of its boxes.
 */
static void join_presses(bs_push *p) {
    for (size_t i = 0; i < p->presses; i++) {
        bs_pushee *part = &p->part[bs_push_row_of(p, p->press[i].met.box) - 1];
        bool is_first = part->first == 0 || is_sooner(&p->press[i], &p->press[part->first - 1]);
        part->first = is_first ? i + 1 : part->first;
    }
    for (size_t i = 0; i < p->presses; i++) {
        bs_pressed *x = &p->press[i];
        size_t first = p->part[bs_push_row_of(p, x->met.box) - 1].first - 1;
        bool overlaps = x->met.overlap || p->press[first].met.overlap;
        x->is_inside = first != i && !overlaps && !presses_too(p, &p->press[first], x);
    }
}

/* --- beginning and ending ------------------------------------------------------------------- */

static const uint32_t no_row = 0;
static const uint8_t no_skip = 0;
static const bs_column columns[] = {
    {BS_ARRAY_COLUMN(bs_push, row_of), .usual = &no_row}, /* These two are by box. */
    {BS_ARRAY_COLUMN(bs_push, skips), .usual = &no_skip},
    {BS_ARRAY_COLUMN(bs_push, pusher)},
    {BS_ARRAY_COLUMN(bs_push, row)},
    {BS_ARRAY_COLUMN(bs_push, part)},
    {BS_ARRAY_COLUMN(bs_push, press)},
    {BS_ARRAY_COLUMN(bs_push, shove)},
    {BS_LIST_COLUMN(bs_push, found)},
    {BS_LIST_COLUMN(bs_push, unsettled)},
    {BS_TABLE_COLUMN(bs_push, answers)},
};

/* The world's push, with room for all boxes. */
static bs_push *take_push(bs_world *w, size_t pushers) {
    bs_motion_enter(w);
    if (w->push == NULL) {
        w->push = bs_heap_new(&w->heap, sizeof *w->push);
    }
    bs_push *p = w->push;
    bool done = p != NULL && bs_column_reserve(&w->heap, p, &columns[0], w->ids.used) &&
                bs_column_reserve(&w->heap, p, &columns[1], w->ids.used) &&
                bs_array_reserve(&w->heap, &p->pusher, &p->pusher_cap, pushers, sizeof *p->pusher);
    return done ? p : NULL;
}

/* Sets the platform's boxes. */
static void begin(bs_push *p, const uint32_t *boxes, const bs_rect *after, size_t n) {
    assert(p->rows == 0 && p->pushers == 0);
    for (size_t i = 0; i < n; i++) {
        assert(bs_world_alive(p->w, boxes[i]) && bs_rect_is_box(&after[i]));
        if (!p->skips[boxes[i]]) {
            p->pusher[p->pushers++] = (bs_pusher){boxes[i], p->w->rect[boxes[i]], after[i]};
            p->skips[boxes[i]] = 1;
        }
    }
}

void bs_push_end(bs_world *w) {
    bs_push *p = w->push;
    if (p == NULL) {
        return;
    }
    for (size_t i = 0; i < p->rows; i++) {
        p->row_of[p->row[i].box] = 0;
        p->skips[p->row[i].box] = 0;
    }
    for (size_t i = 0; i < p->pushers; i++) {
        p->skips[p->pusher[i].box] = 0;
    }
    p->rows = 0;
    p->pushers = 0;
    p->presses = 0;
    p->shoves = 0;
    p->asked = 0;
    bs_table_clear(&p->answers);
}

void bs_push_free(bs_world *w) {
    bs_push *p = w->push;
    if (p == NULL) {
        return;
    }
    bs_column_free_all(&w->heap, p, columns, sizeof columns / sizeof *columns);
    bs_heap_free(&w->heap, p, sizeof *p);
    w->push = NULL;
}

const char *bs_push_check(const bs_world *w) {
    const bs_push *p = w->push;
    size_t marked = 0;
    if (p == NULL) {
        return NULL;
    }
    for (size_t box = 0; box < p->row_of_cap; box++) {
        marked += p->row_of[box] != 0;
    }
    bool agree = marked == p->rows;
    for (size_t i = 0; agree && i < p->rows; i++) {
        agree = p->row[i].box < p->row_of_cap && p->row_of[p->row[i].box] == i + 1;
    }
    return agree ? NULL : "push: rows and boxes do not agree";
}

bool bs_push_is_idle(const bs_world *w) {
    return w->push == NULL || (w->push->pushers == 0 && w->push->rows == 0 && w->push->shoves == 0);
}

/* --- moving what is in the way ---------------------------------------------------------------- */

/*
 * A box that overlapped the platform is taken along, as far as the platform goes along the normal.
 */
static bs_shove shove_of_pressed(const bs_push *p, const bs_pressed *x) {
    const bs_pushee *part = &p->part[bs_push_row_of(p, x->met.box) - 1];
    bs_shove s = bs_shove_out(x->met.box, x->by->box, &x->by->after, x->met.normal);
    s.out.overlaps = x->met.overlap;
    for (int k = 0; k < DIM; k++) {
        double way = x->by->after.pos[k] - x->by->before.pos[k];
        s.out.along -= (part->before.pos[k] + way) * x->met.normal[k];
    }
    return s;
}

/* Moves the boxes that are in the way; each has a row (add_pressed). */
static bool move_pressed(bs_push *p) {
    if (p->pushers > 1) {
        join_presses(p);
    }
    for (size_t i = 0; i < p->presses; i++) {
        bs_shove s = shove_of_pressed(p, &p->press[i]);
        if (!p->press[i].is_inside && !bs_shove_run(p, &s)) {
            return false;
        }
    }
    return true;
}

/* --- the whole ------------------------------------------------------------------------------ */

/*
 * Finds the rows: first what rests on the platform, then what rests on that, and so on, each behind
 * its carrier; then what is in the way and not carried.
 */
static bool find_rows(bs_push *p) {
    for (size_t i = 0; i < p->pushers; i++) {
        const bs_pusher *on = &p->pusher[i];
        if (!bs_riders_add(p, (bs_carrier){.on = on, .box = on->box})) {
            return false;
        }
    }
    for (size_t row = 0; row < p->rows; row++) {
        size_t riders = p->rows;
        if (!bs_riders_add(p, (bs_carrier){.row = row, .box = p->row[row].box})) {
            return false;
        }
        p->part[row].riders = riders;
        p->part[row].riders_end = p->rows;
    }
    return find_those_in_the_way(p) && add_pressed(p);
}

/* Whether a box of the platform overlapped another one before, and has left it behind inside. */
static bool is_left_behind(const bs_push *p, const bs_pressed *x) {
    bs_shove s = shove_of_pressed(p, x);
    return bs_shove_left(p, &s, &p->w->rect[x->met.box]) > 0 &&
           bs_would_overlap(p->w, x->by->box, &x->by->after, x->met.box);
}

/* Whether a box of the platform, which has moved, is in a row's box that it was not in before. */
static bool is_newly_in(const bs_push *p, const bs_pusher *by, size_t row) {
    const uint32_t box = p->row[row].box;
    bool was_in = bs_overlap_at(p->w, by->box, &by->before, box, &p->part[row].before);
    return !was_in && !bs_is_sensed(p->w, by->box, box) &&
           bs_would_overlap(p->w, by->box, &by->after, box);
}

/* Parts a row's box from the platform again, if it is there by rounding alone. */
static bool part_from_platform(bs_push *p, const bs_pusher *by, uint32_t box) {
    bs_shove s;
    double largest = bs_largest_coordinate(&by->after, &p->w->rect[box]);
    double length = bs_shove_apart(p, box, by->box, &s);
    bool is_rounding = length > 0 && length <= largest * BS_HERE;
    return !is_rounding || bs_shove_run(p, &s);
}

/* Finds the rows whose boxes the platform has come into. They are parted again, or crushed. */
static bool find_overlapped(bs_push *p, bool parts) {
    for (size_t i = 0; p->rows > 0 && i < p->pushers; i++) {
        const bs_pusher *by = &p->pusher[i];
        if (!bs_find_around(p->w, &by->after, by->box, false, &p->found)) {
            return false;
        }
        for (size_t j = 0; j < p->found.n; j++) {
            uint32_t row = bs_push_row_of(p, p->found.at[j]);
            if (row == 0 || !is_newly_in(p, by, row - 1)) {
                continue;
            }
            if (parts && !part_from_platform(p, by, p->found.at[j])) {
                return false;
            }
            p->row[row - 1].crushed = !parts;
        }
    }
    return true;
}

/*
 * Who is crushed is decided by the end alone: by what then overlaps the platform. The boxes of a
 * platform do not go equally far, by rounding, so one may have come into what another one carries.
 */
static bool finish_rows(bs_push *p) {
    bool is_apart = p->pushers == 1 || find_overlapped(p, true);
    if (!is_apart || !find_overlapped(p, false)) {
        return false;
    }
    for (size_t i = 0; i < p->rows; i++) {
        bs_pushed *row = &p->row[i];
        memcpy(row->place, p->w->rect[row->box].pos, sizeof row->place);
    }
    for (size_t i = 0; i < p->presses; i++) {
        const bs_pressed *x = &p->press[i];
        if (x->met.overlap) {
            bs_pushed *row = &p->row[bs_push_row_of(p, x->met.box) - 1];
            row->crushed = row->crushed || is_left_behind(p, x);
        }
    }
    return true;
}

bs_status bs_push_run(bs_world *w, const uint32_t *boxes, const bs_rect *after, size_t n,
                      const bs_rules *rules, bs_pushes *out) {
    bs_push *p = take_push(w, n);
    if (p == NULL) {
        return BS_NO_MEMORY;
    }
    p->w = w;
    p->rules = *rules;
    p->rules.skips = p->skips;
    begin(p, boxes, after, n);
    bool done = find_rows(p);
    for (size_t i = 0; done && i < p->pushers; i++) {
        done = bs_journal_update(w, p->pusher[i].box, &p->pusher[i].after) == BS_OK;
    }
    done = done && bs_riders_move(p) && move_pressed(p) && finish_rows(p);
    *out = (bs_pushes){p->row, p->rows};
    bs_push_end(w);
    return done ? BS_OK : BS_NO_MEMORY;
}
