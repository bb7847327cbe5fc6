#include "motion.h"

#include <math.h>
#include <string.h>

enum { NO_PARENT = -1, MOST_SHOVED = 8 };

/* What the push knows of a row's box besides what it tells of it. */
typedef struct pushee {
    bs_rect before;
    bs_face face;    /* if it is in the way: its face that the pusher meets */
    bool in_the_way; /* of the pusher itself */
    bool overlaps;   /* it overlapped the pusher before */
    bool stuck;      /* it has been moved, and could not get where it should */
    bool moving;     /* it waits for what is in its way */
    int shoved;      /* so often has a shape sent it ahead */
    bool by_shape;   /* it is in the way, and it or the pusher has a shape */
    double way[DIM]; /* then: how far the pusher takes it along */
    int parent;      /* if it is carried: the row that it rests on; NO_PARENT: the pusher */
    bs_face rests;   /* if it is carried: the face of that one */
} pushee;

/* A box that waits until what is in its way has been moved ahead of it. */
typedef struct shove {
    size_t row;
    double goal[DIM];
} shove;

/* There is one in a world, as nothing moves while a push runs. */
struct bs_push {
    bs_world *w;
    uint32_t box;
    bs_rect before, after; /* of the pusher */
    bs_rules rules;
    bs_pushed *row;
    pushee *part;
    size_t rows, row_cap, part_cap;
    size_t riders;     /* rows that begin found to rest on the pusher itself: the first ones */
    bs_collisions met; /* what is in the way of the pusher itself */
    shove *shove;      /* a stack: each is in the way of the one before */
    size_t shoves, shove_cap;
    uint32_t *row_of; /* by box: its row, counted from 1; 0: it has none */
    size_t row_of_cap;
};

/* --- rows ----------------------------------------------------------------------------------- */

/* A new row; NULL: no memory. */
static pushee *add_row(bs_push *p, uint32_t box, bs_response response) {
    bs_heap *heap = &p->w->heap;
    size_t need = p->rows + 1;
    if (!bs_array_reserve(heap, &p->row, &p->row_cap, need, sizeof *p->row) ||
        !bs_array_reserve(heap, &p->part, &p->part_cap, need, sizeof *p->part)) {
        return NULL;
    }
    const bs_rect *rect = &p->w->rect[box];
    bs_pushed *row = &p->row[p->rows];
    *row = (bs_pushed){.id = bs_world_id(p->w, box), .box = box, .response = response};
    memcpy(row->place, rect->pos, sizeof row->place);
    p->part[p->rows] = (pushee){.before = *rect, .parent = NO_PARENT};
    p->row_of[box] = (uint32_t)++p->rows;
    return &p->part[p->rows - 1];
}

/* Its row, counted from 1; 0: it has none. */
static uint32_t row_of(const bs_push *p, uint32_t box) {
    return p->row_of[box];
}

static bool is_pushable(const bs_push *p, uint32_t box) {
    return box != p->box && !bs_world_is_static(p->w, box);
}

static bool is_solid_or_unknown(bs_response response) {
    return response == BS_UNKNOWN || bs_is_solid_response(response);
}

/* --- who is carried ------------------------------------------------------------------------- */

/* What becomes of a box that rests on the row's one (NO_PARENT: on the pusher). */
static bs_response response_to(const bs_push *p, int parent, uint32_t box) {
    if (parent == NO_PARENT) {
        return bs_rules_response(p->w, &p->rules, p->box, box);
    }
    return bs_world_layers_meet(p->w, p->row[parent].box, box) ? BS_SLIDE : BS_PASS;
}

/*
 * Where to look for what rests on a face. The far side of a box is rounded as its own coordinates
 * are, so that what rests on something may be off by a unit of its own last place: looked for is as
 * far away as the platform is thick, which is enough for all that is not 2^50 times as large.
 */
static bs_rect around_face(const bs_rect *rect, bs_face face) {
    bs_rect around = bs_widened(rect, face.axis);
    double far =
        rect->size[face.axis] + (fabs(rect->pos[face.axis]) + rect->size[face.axis]) * BS_RESTING;
    around.pos[face.axis] -= far;
    around.size[face.axis] += 2 * far;
    return around;
}

/* Adds a row for what rests on that face. False: no memory. */
static bool add_riders_on(bs_push *p, int parent, bs_face face) {
    bs_world *w = p->w;
    uint32_t on = parent == NO_PARENT ? p->box : p->row[parent].box;
    bs_rect around = around_face(&w->rect[on], face);
    if (!bs_is_solid_at(w, on, face)) {
        return true;
    }
    if (!bs_find_around(w, &around, &w->found)) {
        return false;
    }
    for (size_t i = 0; i < w->found.n; i++) {
        uint32_t box = w->found.at[i];
        if (!is_pushable(p, box) || row_of(p, box) != 0 || !bs_rests_against(w, box, on, face)) {
            continue;
        }
        bs_response response = response_to(p, parent, box);
        if (!is_solid_or_unknown(response)) {
            continue;
        }
        pushee *rider = add_row(p, box, response);
        if (rider == NULL) {
            return false;
        }
        p->row[p->rows - 1].carried = true;
        rider->parent = parent;
        rider->rests = face;
    }
    return true;
}

/* Adds a row for what rests on the row's box. False: no memory. */
static bool add_riders(bs_push *p, int parent) {
    for (int k = 0; k < DIM; k++) {
        double g = p->w->gravity[k];
        bs_face face = {k, g > 0 ? -1 : 1};
        if (g != 0 && !add_riders_on(p, parent, face)) {
            return false;
        }
    }
    return true;
}

/* --- who is in the way ---------------------------------------------------------------------- */

/* The face of a box that a collision tells of. */
static bs_face face_of(const bs_collision *c) {
    bs_face face = {0, 0};
    for (int k = 0; k < DIM; k++) {
        if (c->normal[k] != 0) {
            face = (bs_face){k, c->normal[k] > 0 ? 1 : -1};
        }
    }
    return face;
}

/* A pusher that is one-way pushes with its face alone, and never what it overlaps. */
static bool pushes_with(const bs_push *p, const bs_collision *c) {
    double own[DIM];
    for (int k = 0; k < DIM; k++) {
        own[k] = -c->normal[k];
    }
    return bs_is_solid_toward(p->w, p->box, own) && !(c->overlap && bs_is_one_way(p->w, p->box));
}

static bool is_plain(const bs_world *w, uint32_t a, uint32_t b) {
    return ((w->flags[a] | w->flags[b]) & BS_HAS_SHAPE) == 0;
}

/*
 * Where shapes meet, what is in the way is taken along as far as the other one goes from there, and
 * a little ahead of it, so that the two do not overlap by rounding.
 */
static void way_along(const bs_collision *c, const double way[DIM], double out[DIM]) {
    double largest = 0;
    for (int k = 0; k < DIM; k++) {
        largest = bs_max(fabs(c->place[k]) + fabs(way[k]), largest);
    }
    for (int k = 0; k < DIM; k++) {
        double left = way[k] * (c->overlap ? 1 : 1 - c->t);
        out[k] = left - c->normal[k] * largest * (4 * BS_GRAZING);
    }
}

/* Adds a row for what is in the way, and has none. False: no memory. */
static bool add_met(bs_push *p) {
    for (size_t i = 0; i < p->met.n; i++) {
        const bs_collision *c = &p->met.at[i];
        if (!is_pushable(p, c->box) || !is_solid_or_unknown(c->response) || !pushes_with(p, c)) {
            continue;
        }
        uint32_t known = row_of(p, c->box);
        pushee *pushed = known != 0 ? &p->part[known - 1] : add_row(p, c->box, c->response);
        if (pushed == NULL) {
            return false;
        }
        pushed->in_the_way = true;
        pushed->overlaps = c->overlap;
        pushed->face = face_of(c);
        pushed->by_shape = !is_plain(p->w, p->box, c->box);
        double way[DIM];
        for (int k = 0; k < DIM; k++) {
            way[k] = p->after.pos[k] - p->before.pos[k];
        }
        way_along(c, way, pushed->way);
    }
    return true;
}

/* False: no memory. */
static bool find_those_in_the_way(bs_push *p) {
    uint32_t none;
    bs_move *m = bs_move_begin_through(p->w, p->box, p->after.pos, &p->rules);
    if (m == NULL) {
        return false;
    }
    bool done = bs_move_run(m, &none) == BS_MOVE_DONE;
    bs_collisions met = m->met; /* swapped: the move is used again, with the other list */
    m->met = p->met;
    p->met = met;
    bs_move_end(m);
    return done;
}

/* --- beginning and ending ------------------------------------------------------------------- */

/* The world's push, with room for all boxes; NULL: no memory. */
static bs_push *take_push(bs_world *w) {
    if (w->push == NULL) {
        w->push = bs_heap_new(&w->heap, sizeof *w->push);
    }
    bs_push *p = w->push;
    if (p == NULL) {
        return NULL;
    }
    size_t cap = p->row_of_cap;
    if (!bs_array_reserve(&w->heap, &p->row_of, &p->row_of_cap, w->used, sizeof *p->row_of)) {
        return NULL;
    }
    if (p->row_of_cap > cap) {
        memset(p->row_of + cap, 0, (p->row_of_cap - cap) * sizeof *p->row_of);
    }
    return p;
}

bs_push *bs_push_begin(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules) {
    assert(bs_world_alive(w, box) && bs_is_finite(goal));
    bs_push *p = take_push(w);
    if (p == NULL) {
        return NULL;
    }
    assert(p->rows == 0);
    p->w = w;
    p->box = box;
    p->rules = *rules;
    p->before = w->rect[box];
    p->after = p->before;
    memcpy(p->after.pos, goal, sizeof p->after.pos);
    bool done = add_riders(p, NO_PARENT);
    p->riders = p->rows;
    if (!done || !find_those_in_the_way(p) || !add_met(p)) {
        bs_push_end(p);
        return NULL;
    }
    return p;
}

void bs_push_end(bs_push *p) {
    for (size_t i = 0; i < p->rows; i++) {
        p->row_of[p->row[i].box] = 0;
    }
    p->rows = 0;
    p->shoves = 0;
}

void bs_push_free(bs_world *w) {
    bs_push *p = w->push;
    if (p == NULL) {
        return;
    }
    bs_array_free(&w->heap, &p->row, &p->row_cap, sizeof *p->row);
    bs_array_free(&w->heap, &p->part, &p->part_cap, sizeof *p->part);
    bs_array_free(&w->heap, &p->met.at, &p->met.cap, sizeof *p->met.at);
    bs_array_free(&w->heap, &p->shove, &p->shove_cap, sizeof *p->shove);
    bs_array_free(&w->heap, &p->row_of, &p->row_of_cap, sizeof *p->row_of);
    bs_heap_free(&w->heap, p, sizeof *p);
    w->push = NULL;
}

const char *bs_push_check(const bs_world *w) {
    const bs_push *p = w->push;
    size_t marked = 0;
    for (size_t box = 0; p != NULL && box < p->row_of_cap; box++) {
        marked += p->row_of[box] != 0;
    }
    bool agree = p == NULL || marked == p->rows;
    for (size_t i = 0; p != NULL && agree && i < p->rows; i++) {
        agree = p->row[i].box < p->row_of_cap && p->row_of[p->row[i].box] == i + 1;
    }
    return agree ? NULL : "push: rows and boxes do not agree";
}

bool bs_push_is_idle(const bs_world *w) {
    return w->push == NULL || (w->push->rows == 0 && w->push->shoves == 0);
}

bs_pushed *bs_push_rows(bs_push *p, size_t *n) {
    *n = p->rows;
    return p->row;
}

void bs_push_undo(bs_push *p) {
    bs_world_update(p->w, p->box, &p->before);
    for (size_t i = 0; i < p->rows; i++) {
        bs_world_update(p->w, p->row[i].box, &p->part[i].before);
    }
}

/* --- moving them ---------------------------------------------------------------------------- */

/* The first box met that can be moved ahead, and its row; false: there is none. */
static bool find_blocker(const bs_push *p, const bs_collisions *met, const bs_collision **blocker) {
    for (size_t i = 0; i < met->n; i++) {
        const bs_collision *c = &met->at[i];
        uint32_t known = row_of(p, c->box);
        bool is_done = known != 0 && (p->part[known - 1].stuck || p->part[known - 1].moving);
        if (is_pushable(p, c->box) && !c->overlap && !is_done) {
            *blocker = c;
            return true;
        }
    }
    return false;
}

static bool push_shove(bs_push *p, size_t row, const double goal[DIM]) {
    if (!bs_array_reserve(&p->w->heap, &p->shove, &p->shove_cap, p->shoves + 1, sizeof *p->shove)) {
        return false;
    }
    shove *s = &p->shove[p->shoves++];
    s->row = row;
    memcpy(s->goal, goal, sizeof s->goal);
    p->part[row].moving = true;
    return true;
}

/* Where shapes meet, the blocker is taken along by what the other one has left of its way. */
static bool shove_shape(bs_push *p, const shove *s, const bs_collision *c, size_t row) {
    double way[DIM];
    double goal[DIM];
    bs_rect there = p->w->rect[c->box];
    const bs_rect *from = &p->w->rect[p->row[s->row].box];
    for (int k = 0; k < DIM; k++) {
        way[k] = s->goal[k] - from->pos[k];
    }
    way_along(c, way, goal);
    for (int k = 0; k < DIM; k++) {
        there.pos[k] += goal[k];
    }
    bool enough = ++p->part[row].shoved > MOST_SHOVED; /* it comes in the way again and again */
    if (enough || !bs_is_finite(goal) || !bs_rect_is_box(&there)) {
        p->part[row].stuck = true;
        return true;
    }
    return push_shove(p, row, there.pos);
}

/*
 * Lets the blocker go first: until it is flush with the box of the shove at its goal. False: no
 * memory.
 */
static bool shove_blocker(bs_push *p, const shove *s, const bs_collision *c) {
    bs_world *w = p->w;
    uint32_t box = c->box;
    if (row_of(p, box) == 0 && add_row(p, box, BS_SLIDE) == NULL) {
        return false;
    }
    size_t row = row_of(p, box) - 1;
    if (!is_plain(w, box, p->row[s->row].box)) {
        return shove_shape(p, s, c, row);
    }
    bs_face face = face_of(c);
    bs_rect ahead = w->rect[p->row[s->row].box];
    memcpy(ahead.pos, s->goal, sizeof ahead.pos);
    double goal[DIM];
    memcpy(goal, w->rect[box].pos, sizeof goal);
    goal[face.axis] =
        bs_flush(w->rect[box].size[face.axis], &ahead, (bs_face){face.axis, -face.sign});
    double way = (goal[face.axis] - w->rect[box].pos[face.axis]) * face.sign;
    if (!(way < 0) || !isfinite(way) ||
        !isfinite(goal[face.axis] +
                  w->rect[box]
                      .size[face.axis])) { /* it is not in the way, or cannot be moved out of it */
        p->part[row].stuck = true;
        return true;
    }
    return push_shove(p, row, goal);
}

/*
 * Where a way has come to, or its goal, if that is farther by rounding alone and has room: what has
 * gone ahead is flush with the goal, but rounded times may tell of a contact before. False: no
 * memory.
 */
static bool place_reached(bs_world *w, const bs_move *m, const bs_rules *rules,
                          const double goal[DIM], bs_rect *rect) {
    const double rounding = 4 * DBL_EPSILON;
    *rect = bs_move_rect(m);
    bs_rect there = *rect;
    bool near = true;
    bool there_yet = true;
    for (int k = 0; k < DIM; k++) {
        there.pos[k] = goal[k];
        double way = fabs(goal[k] - rect->pos[k]);
        near = near && way <= (fabs(goal[k]) + rect->size[k]) * rounding;
        there_yet = there_yet && way == 0;
    }
    for (size_t i = 0; near && i < m->met.n; i++) {
        near = !bs_overlap(&there, &w->rect[m->met.at[i].box]);
    }
    if (there_yet || !near) {
        return true;
    }
    if (bs_world_blocking(w, m->self, &there, rules, &w->found) != BS_OK) {
        return false;
    }
    *rect = w->found.n == 0 ? there : *rect;
    return true;
}

/* One turn of the shove on top: what is in its way goes first, else it moves itself. */
static bool run_shove(bs_push *p) {
    bs_world *w = p->w;
    const shove s = p->shove[p->shoves - 1];
    uint32_t box = p->row[s.row].box;
    bs_rules rules = bs_rules_default();
    rules.ignore = p->box;
    bs_move *m = bs_move_begin(w, box, s.goal, &rules);
    if (m == NULL) {
        return false;
    }
    uint32_t none;
    const bs_collision *blocker;
    bool done = bs_move_run(m, &none) == BS_MOVE_DONE;
    if (done && find_blocker(p, &m->met, &blocker)) {
        done = shove_blocker(p, &s, blocker);
    } else if (done) {
        bs_rect rect;
        done = place_reached(w, m, &rules, s.goal, &rect);
        bs_world_update(w, box, &rect);
        for (int k = 0; k < DIM; k++) {
            p->part[s.row].stuck |= rect.pos[k] != s.goal[k];
        }
        p->part[s.row].moving = false;
        p->shoves--;
    }
    bs_move_end(m);
    return done;
}

/*
 * Where a coordinate has to go to, if it is to get to `to` that way: others may have pushed it
 * there, or farther, and then it must not come back.
 */
static double not_back(double pos, double to, double way) {
    return (to - pos) * way > 0 ? to : pos;
}

/* Where what rests on the pusher, or on what is carried, goes with it. */
static void goal_of_carried(const bs_push *p, const pushee *part, uint32_t box, bs_rect *there) {
    const bs_rect *from = part->parent == NO_PARENT ? &p->before : &p->part[part->parent].before;
    const bs_rect *to =
        part->parent == NO_PARENT ? &p->after : &p->w->rect[p->row[part->parent].box];
    for (int k = 0; k < DIM; k++) {
        double way = to->pos[k] - from->pos[k];
        there->pos[k] = not_back(there->pos[k], part->before.pos[k] + way, way);
    }
    uint32_t on = part->parent == NO_PARENT ? p->box : p->row[part->parent].box;
    if (is_plain(p->w, on, box)) {
        int axis = part->rests.axis;
        there->pos[axis] = bs_flush(there->size[axis], to, part->rests);
    }
}

/* Where what is in the way of the pusher is no longer in its way. */
static void goal_of_met(const bs_push *p, const pushee *part, bs_rect *there) {
    if (part->by_shape) {
        for (int k = 0; k < DIM; k++) {
            there->pos[k] =
                not_back(there->pos[k], part->before.pos[k] + part->way[k], part->way[k]);
        }
        return;
    }
    int axis = part->face.axis;
    bs_face own = {axis, -part->face.sign};
    double to = part->overlaps ? part->before.pos[axis] + (p->after.pos[axis] - p->before.pos[axis])
                               : bs_flush(there->size[axis], &p->after, own);
    there->pos[axis] = not_back(there->pos[axis], to, own.sign);
}

/* Where a row's box is to go; false: it stays. */
static bool goal_of(const bs_push *p, size_t row, double goal[DIM]) {
    const pushee *part = &p->part[row];
    const bs_rect *rect = &p->w->rect[p->row[row].box];
    bs_rect there = *rect;
    if (p->row[row].carried) {
        goal_of_carried(p, part, p->row[row].box, &there);
    } else if (part->in_the_way) {
        goal_of_met(p, part, &there);
    }
    double way[DIM];
    bool moves = false;
    for (int k = 0; k < DIM; k++) {
        way[k] = there.pos[k] - rect->pos[k];
        moves |= way[k] != 0;
    }
    memcpy(goal, there.pos, sizeof there.pos);
    return moves && bs_is_finite(way) && bs_rect_is_box(&there);
}

/*
 * The rows once more, now that the host has said which boxes are solid to the pusher: first what
 * rests on it, then what rests on that, and so on, each behind what carries it; then what is in the
 * way and not carried. False: no memory.
 */
static bool settle_rows(bs_push *p) {
    for (size_t i = 0; i < p->met.n; i++) {
        uint32_t row = row_of(p, p->met.at[i].box);
        if (row != 0) {
            p->met.at[i].response = p->row[row - 1].response;
        }
    }
    size_t n = 0;
    for (size_t i = 0; i < p->rows; i++) {
        p->row_of[p->row[i].box] = 0;
        if (i < p->riders && bs_is_solid_response(p->row[i].response)) {
            p->row[n] = p->row[i];
            p->part[n] = p->part[i];
            n++;
        }
    }
    p->rows = n;
    for (size_t i = 0; i < n; i++) {
        p->row_of[p->row[i].box] = (uint32_t)i + 1;
    }
    for (size_t parent = 0; parent < p->rows; parent++) {
        if (!add_riders(p, (int)parent)) {
            return false;
        }
    }
    return add_met(p);
}

/* False: no memory. */
static bool move_rows(bs_push *p) {
    size_t n = p->rows; /* others may come behind */
    for (size_t i = 0; i < n; i++) {
        double goal[DIM];
        if (goal_of(p, i, goal) && !push_shove(p, i, goal)) {
            return false;
        }
        while (p->shoves > 0) {
            if (!run_shove(p)) {
                return false;
            }
        }
    }
    return true;
}

/* True if the pusher has come into the box; or, of one in its way, has gone through it. */
static bool is_crushed_by_shape(const bs_push *p, const pushee *part, uint32_t box) {
    bs_shape pusher;
    bs_shape other;
    bs_touch touch;
    double way[DIM];
    for (int k = 0; k < DIM; k++) {
        way[k] = p->after.pos[k] - p->before.pos[k];
    }
    bs_world_shape(p->w, box, &other);
    bs_world_shape_at(p->w, p->box, &p->before, &pusher);
    bool passed = part->in_the_way && bs_shapes_meet(&pusher, way, &other, &touch, NULL) &&
                  touch.t < 1 - BS_RESTING;
    bs_world_shape_at(p->w, p->box, &p->after, &pusher);
    return passed || bs_shapes_overlap(&pusher, &other);
}

/*
 * What has come of a box. It is crushed if the pusher has come into it, or has gone through it; one
 * that overlapped the pusher before, if it was left behind.
 */
static void finish_row(const bs_push *p, bs_pushed *row, const pushee *part) {
    const bs_rect *rect = &p->w->rect[row->box];
    int axis = part->face.axis;
    if (!part->overlaps && !is_plain(p->w, p->box, row->box)) {
        row->crushed = is_crushed_by_shape(p, part, row->box);
    } else if (part->overlaps) {
        double way = p->after.pos[axis] - p->before.pos[axis];
        double lag = part->before.pos[axis] + way - rect->pos[axis];
        row->crushed = lag * part->face.sign < 0; /* others may have pushed it farther */
    } else {
        bs_face own = {axis, -part->face.sign};
        double ahead = part->in_the_way ? bs_flush(rect->size[axis], &p->after, own) : 0;
        bool left_behind = part->in_the_way && (ahead - rect->pos[axis]) * own.sign > 0;
        row->crushed = left_behind || bs_overlap(rect, &p->after);
    }
    memcpy(row->place, rect->pos, sizeof row->place);
}

bs_status bs_push_run(bs_push *p) {
    if (!settle_rows(p)) {
        return BS_NO_MEMORY;
    }
    bs_world_update(p->w, p->box, &p->after);
    if (!move_rows(p)) {
        bs_push_undo(p);
        return BS_NO_MEMORY;
    }
    for (size_t i = 0; i < p->rows; i++) {
        finish_row(p, &p->row[i], &p->part[i]);
    }
    return BS_OK;
}
