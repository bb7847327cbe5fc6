/*
 * push.c: platforms, which go all the way, and push and carry others. It relies on bs_move.
 *
 *      riders      what rests on the platform, and what rests on that; all of it is carried
 *      pressed     what is in its way; it is moved out of it along the normal of the face
 *      shoves      each is one box that must go somewhere; what is in its way goes first
 *
 * A pressed box goes along the normal as far as it must. If something makes it slide, up a slope
 * for example, it goes on along that until it is out of the way.
 */
#include "motion.h"

#include <string.h>

enum {
    MOST_SHOVED = 64, /* A box that was sent ahead so often stays where it is. */
    MOST_TURNS = 8    /* Turns of a box on its way out: a slope, and what comes behind it. */
};
/* A way out whose cosine with the normal is less than this leads nowhere: 88 degrees. */
static const double LEAST_HEADING = 0.03;

/* A box of the platform. */
typedef struct pusher {
    uint32_t box;
    bs_rect before, after;
} pusher;

/* What the push knows of a row's box besides the row. */
typedef struct pushee {
    bs_rect before;
    const pusher *on;          /* The platform's box on which it rests, or NULL. */
    size_t parent;             /* The row on which it rests, if that is not the platform. */
    bs_face rests;             /* The face of that box, if it is carried. */
    double goal[DIM];          /* Where it must go, if it is carried. */
    size_t riders, riders_end; /* The rows that rest on it. */
    bool in_step;              /* It is carried, and gets to its goal if all that are in step do. */
    bool has_gone;             /* It has done so. */
    bool stuck;                /* It has been moved, and could not get where it should. */
    bool moving;               /* It waits for what is in its way. */
    int shoved;                /* How often it has been sent ahead of others. */
} pushee;

/* A box that is in the way of the platform. */
typedef struct pressed {
    uint32_t box;
    bs_response response;
    const pusher *by;
    double normal[DIM]; /* The normal of its face that is met. */
    bool overlaps;      /* The two overlapped before. */
} pressed;

/* A way out of where another box is, or is going to be. */
typedef struct escape {
    uint32_t by; /* That box. */
    bs_rect room;
    double normal[DIM];  /* The way out is against this normal of the face. */
    bool overlaps;       /* The two overlapped before; then `along` counts. */
    double along;        /* It goes so far along the normal, from the origin. */
    double heading[DIM]; /* The way out, which is against the normal at first. */
    int turns;
} escape;

/* A box that must go to its goal, or out of another's way, and waits until its way is free. */
typedef struct shove {
    size_t row;
    bool is_carried;
    escape out; /* Unless it is carried. */
} shove;

/* There is one in a world, as nothing moves while a push runs. */
struct bs_push {
    bs_world *w;
    bs_list found; /* The boxes around one face. */
    pusher *pusher;
    size_t pushers, pusher_cap;
    bs_rules rules;
    bs_pushed *row;
    pushee *part;
    size_t rows, row_cap, part_cap;
    size_t riders; /* The first rows, which begin found to rest on the platform itself. */
    pressed *press;
    size_t presses, press_cap;
    shove *shove; /* A stack, in which each is in the way of the one before. */
    size_t shoves, shove_cap;
    uint32_t *row_of; /* By box: its row, counted from 1, or 0. */
    size_t row_of_cap;
    uint8_t *skips; /* By box: it is the platform's, or goes with it: it is in nobody's way. */
    size_t skips_cap;
    bs_list unsettled; /* Rows of which it is not known any more whether they go in step. */
};

/* --- rows ----------------------------------------------------------------------------------- */

/* A new row, for a box that `by` pushes or carries. */
static pushee *add_row(bs_push *p, uint32_t box, uint32_t by, bs_response response) {
    bs_heap *heap = &p->w->heap;
    size_t need = p->rows + 1;
    if (!bs_array_reserve(heap, &p->row, &p->row_cap, need, sizeof *p->row) ||
        !bs_array_reserve(heap, &p->part, &p->part_cap, need, sizeof *p->part)) {
        return NULL;
    }
    const bs_rect *rect = &p->w->rect[box];
    bs_pushed *row = &p->row[p->rows];
    *row = (bs_pushed){.id = bs_world_id(p->w, box), .box = box, .by = by, .response = response};
    memcpy(row->place, rect->pos, sizeof row->place);
    p->part[p->rows] = (pushee){.before = *rect};
    p->row_of[box] = (uint32_t)++p->rows;
    return &p->part[p->rows - 1];
}

/* Its row, counted from 1, or 0. */
static uint32_t row_of(const bs_push *p, uint32_t box) {
    return p->row_of[box];
}

/* Whether `by`, a box of the platform or of a row, can push it. */
static bool is_pushable(const bs_push *p, uint32_t by, uint32_t box) {
    return !p->skips[box] && !bs_world_is_static(p->w, box) && !bs_is_sensed(p->w, by, box);
}

static bool is_plain(const bs_world *w, uint32_t a, uint32_t b) {
    return ((w->flags[a] | w->flags[b]) & BS_HAS_SHAPE) == 0;
}

/* Whether two boxes overlap if they are at these places. */
static bool overlap_at(const bs_push *p, uint32_t a, const bs_rect *at_a, uint32_t b,
                       const bs_rect *at_b) {
    bs_shape shape;
    bs_shape other;
    bs_world_shape_at(p->w, a, at_a, &shape);
    bs_world_shape_at(p->w, b, at_b, &other);
    return bs_shapes_overlap(&shape, &other);
}

/* --- who is carried ------------------------------------------------------------------------- */

/* A box that carries others: one of the platform, or a row's. */
typedef struct carrier {
    const pusher *on;
    size_t row;
    uint32_t box;
} carrier;

/* The response to a box that rests on it. */
static bs_response response_to(const bs_push *p, const carrier *c, uint32_t box) {
    if (c->on != NULL) {
        return bs_rules_response(p->w, &p->rules, c->box, box);
    }
    return bs_world_layers_meet(p->w, c->box, box) ? BS_SLIDE : BS_PASS;
}

/*
 * Where to look for what rests on a face. The far side of a box is rounded as its own coordinates
 * are, so a box that rests on something may be off by a unit of its own last place. So this looks
 * as far away as the platform is thick, which is enough for all that is not 2^50 times as large.
 */
static bs_rect around_face(const bs_rect *rect, bs_face face) {
    bs_rect around = bs_widened(rect, face.axis);
    double far = rect->size[face.axis] + bs_largest_coordinate(rect, rect) * BS_RESTING;
    around.pos[face.axis] -= far;
    around.size[face.axis] += 2 * far;
    return around;
}

/* Adds rows for what rests on that face. */
static bool add_riders_on(bs_push *p, const carrier *c, bs_face face) {
    bs_world *w = p->w;
    bs_rect around = around_face(&w->rect[c->box], face);
    if (!bs_is_solid_at(w, c->box, face)) {
        return true;
    }
    if (!bs_find_around(w, &around, c->box, true, &p->found)) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t box = p->found.at[i];
        if (!is_pushable(p, c->box, box) || row_of(p, box) != 0 ||
            !bs_rests_against(w, box, c->box, face)) {
            continue;
        }
        bs_response response = response_to(p, c, box);
        if (!bs_may_be_solid(response)) {
            continue;
        }
        pushee *rider = add_row(p, box, c->box, response);
        if (rider == NULL) {
            return false;
        }
        p->row[p->rows - 1].carried = true;
        rider->on = c->on;
        rider->parent = c->row;
        rider->rests = face;
    }
    return true;
}

/* Adds rows for what gravity presses onto a box. */
static bool add_riders(bs_push *p, carrier c) {
    for (int k = 0; k < DIM; k++) {
        double g = p->w->state.gravity[k];
        bs_face face = {k, g > 0 ? -1 : 1};
        if (g != 0 && !add_riders_on(p, &c, face)) {
            return false;
        }
    }
    return true;
}

/* --- who is in the way ---------------------------------------------------------------------- */

/*
 * Whether a box of the platform pushes another one with a corner that is none, as another box of
 * the platform, in which that one is, goes on there. False: no memory.
 */
static bool find_seam(bs_push *p, const pusher *by, const bs_collision *c, const double own[DIM],
                      bool *at_seam) {
    bs_world *w = p->w;
    bs_seam seam;
    bs_rect met = w->rect[c->box]; /* Where it would be if it moved, and the platform did not. */
    *at_seam = false;
    for (int k = 0; k < DIM; k++) {
        met.pos[k] -= c->place[k] - by->before.pos[k];
    }
    if (is_plain(w, by->box, c->box) || !bs_seam_at(w, by->box, &met, own, &seam)) {
        return true;
    }
    if (!bs_find_around(w, &seam.here, c->box, false, &p->found)) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t other = p->found.at[i];
        *at_seam = *at_seam || (p->skips[other] && bs_rules_may_stop(w, &p->rules, other, c->box) &&
                                bs_seam_joins(w, &seam, c->box, &met, other));
    }
    return true;
}

/*
 * Finds out whether it pushes the other: a one-way box pushes with its face alone, and not what it
 * overlaps. False: no memory.
 */
static bool find_whether_it_pushes(bs_push *p, const pusher *by, const bs_collision *c,
                                   bool *pushes) {
    double own[DIM];
    bool at_seam = false;
    for (int k = 0; k < DIM; k++) {
        own[k] = -c->normal[k];
    }
    *pushes = is_pushable(p, by->box, c->box) && bs_may_be_solid(c->response) &&
              bs_is_solid_toward(p->w, by->box, own) &&
              !(c->overlap && bs_is_one_way(p->w, by->box));
    bool done = !*pushes || find_seam(p, by, c, own, &at_seam);
    *pushes = *pushes && !at_seam;
    return done;
}

/* Adds what one box of the platform meets on its way. */
static bool press(bs_push *p, const pusher *by, const bs_collisions *met) {
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
        pressed *x = &p->press[p->presses++];
        *x = (pressed){c->box, c->response, by, {0}, c->overlap};
        memcpy(x->normal, c->normal, sizeof x->normal);
    }
    return true;
}

/* Finds what the platform meets on its way. */
static bool find_those_in_the_way(bs_push *p) {
    bool done = true;
    for (size_t i = 0; done && i < p->pushers; i++) {
        const pusher *by = &p->pusher[i];
        uint32_t none;
        bs_move *m = bs_move_begin_through(p->w, by->box, by->after.pos, &p->rules);
        if (m == NULL) {
            return false;
        }
        done = bs_move_run(m, &none) == BS_MOVE_DONE && press(p, by, &m->met);
        bs_move_end(m);
    }
    return done;
}

/* Adds a row for each that is in the way, and has none. */
static bool add_pressed(bs_push *p) {
    for (size_t i = 0; i < p->presses; i++) {
        const pressed *x = &p->press[i];
        bool counts = bs_may_be_solid(x->response) && row_of(p, x->box) == 0;
        if (counts && add_row(p, x->box, x->by->box, x->response) == NULL) {
            return false;
        }
    }
    return true;
}

/* --- beginning and ending ------------------------------------------------------------------- */

/*
 * Makes room for all boxes in a column by box; new elements are 0. It reads the column's pointer as
 * bytes, because its type is not void *.
 */
static bool reserve_marks(bs_world *w, void *column, size_t *cap, size_t size) {
    char *first;
    size_t before = *cap;
    if (!bs_array_reserve(&w->heap, column, cap, w->ids.used, size)) {
        return false;
    }
    memcpy(&first, column, sizeof first);
    if (*cap > before) {
        memset(first + before * size, 0, (*cap - before) * size);
    }
    return true;
}

/* The world's push, with room for all boxes. */
static bs_push *take_push(bs_world *w, size_t pushers) {
    bs_motion_enter(w);
    if (w->push == NULL) {
        w->push = bs_heap_new(&w->heap, sizeof *w->push);
    }
    bs_push *p = w->push;
    bool done = p != NULL && reserve_marks(w, &p->row_of, &p->row_of_cap, sizeof *p->row_of) &&
                reserve_marks(w, &p->skips, &p->skips_cap, sizeof *p->skips) &&
                bs_array_reserve(&w->heap, &p->pusher, &p->pusher_cap, pushers, sizeof *p->pusher);
    return done ? p : NULL;
}

/* Finds the rows. */
static bool begin(bs_push *p) {
    for (size_t i = 0; i < p->pushers; i++) {
        const pusher *on = &p->pusher[i];
        if (!add_riders(p, (carrier){.on = on, .box = on->box})) {
            return false;
        }
    }
    p->riders = p->rows;
    return find_those_in_the_way(p) && add_pressed(p);
}

bs_push *bs_push_begin(bs_world *w, const uint32_t *boxes, const bs_rect *after, size_t n,
                       const bs_rules *rules) {
    bs_push *p = take_push(w, n);
    if (p == NULL) {
        return NULL;
    }
    assert(p->rows == 0 && p->pushers == 0);
    p->w = w;
    p->rules = *rules;
    p->rules.skips = p->skips;
    for (size_t i = 0; i < n; i++) {
        assert(bs_world_alive(w, boxes[i]) && bs_rect_is_box(&after[i]));
        if (!p->skips[boxes[i]]) {
            p->pusher[p->pushers++] = (pusher){boxes[i], w->rect[boxes[i]], after[i]};
            p->skips[boxes[i]] = 1;
        }
    }
    if (!begin(p)) {
        bs_push_end(p);
        return NULL;
    }
    return p;
}

void bs_push_end(bs_push *p) {
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
}

void bs_push_free(bs_world *w) {
    bs_push *p = w->push;
    if (p == NULL) {
        return;
    }
    bs_list_free(&w->heap, &p->found);
    bs_list_free(&w->heap, &p->unsettled);
    bs_array_free(&w->heap, &p->pusher, &p->pusher_cap, sizeof *p->pusher);
    bs_array_free(&w->heap, &p->row, &p->row_cap, sizeof *p->row);
    bs_array_free(&w->heap, &p->part, &p->part_cap, sizeof *p->part);
    bs_array_free(&w->heap, &p->press, &p->press_cap, sizeof *p->press);
    bs_array_free(&w->heap, &p->shove, &p->shove_cap, sizeof *p->shove);
    bs_array_free(&w->heap, &p->row_of, &p->row_of_cap, sizeof *p->row_of);
    bs_array_free(&w->heap, &p->skips, &p->skips_cap, sizeof *p->skips);
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
    return w->push == NULL || (w->push->pushers == 0 && w->push->rows == 0 && w->push->shoves == 0);
}

bs_pushed *bs_push_rows(bs_push *p, size_t *n) {
    *n = p->rows;
    return p->row;
}

void bs_push_undo(bs_push *p) {
    for (size_t i = 0; i < p->pushers; i++) {
        bs_world_update(p->w, p->pusher[i].box, &p->pusher[i].before);
    }
    for (size_t i = 0; i < p->rows; i++) {
        bs_world_update(p->w, p->row[i].box, &p->part[i].before);
    }
}

/* --- where to ------------------------------------------------------------------------------- */

/*
 * The position that a coordinate must get to, at least `to` that way. Others may have pushed it
 * there, or farther, and then it must not come back.
 */
static double not_back(double pos, double to, double way) {
    return (to - pos) * way > 0 ? to : pos;
}

/*
 * Sets the goal of a box that rests on the platform or on a carried box: as far as that has gone,
 * or will go in step.
 */
static void set_goal(bs_push *p, size_t row) {
    pushee *part = &p->part[row];
    const pusher *on = part->on;
    const pushee *parent = &p->part[part->parent];
    uint32_t box = p->row[row].box;
    uint32_t carries = on != NULL ? on->box : p->row[part->parent].box;
    bs_rect to = on != NULL ? on->after : p->w->rect[carries];
    const bs_rect *from = on != NULL ? &on->before : &parent->before;
    const bs_rect *rect = &p->w->rect[box];
    if (on == NULL && parent->in_step && !parent->has_gone) {
        memcpy(to.pos, parent->goal, sizeof to.pos);
    }
    for (int k = 0; k < DIM; k++) {
        double way = to.pos[k] - from->pos[k];
        part->goal[k] = not_back(rect->pos[k], part->before.pos[k] + way, way);
    }
    if (is_plain(p->w, carries, box)) {
        part->goal[part->rests.axis] = bs_flush(rect->size[part->rests.axis], &to, part->rests);
    }
}

/* How far the box at r must go against the normal; <= 0 if it is out of the way. */
static double way_out_of(const bs_push *p, const shove *s, const bs_rect *r) {
    bs_shape shape;
    bs_shape room;
    int axis = bs_face_of(s->out.normal).axis;
    if (s->out.overlaps) {
        return s->out.along + bs_dot(r->pos, s->out.normal);
    }
    if (axis != BS_SLANTED) {
        bs_face own = {axis, s->out.normal[axis] > 0 ? -1 : 1};
        return (bs_flush(r->size[axis], &s->out.room, own) - r->pos[axis]) * own.sign;
    }
    bs_world_shape_at(p->w, p->row[s->row].box, r, &shape);
    bs_world_shape_at(p->w, s->out.by, &s->out.room, &room);
    return -bs_shapes_gap(&room, &shape, s->out.normal);
}

/* Where the box of a shove must go now. False if it is there. */
static bool goal_of_shove(const bs_push *p, const shove *s, double goal[DIM]) {
    const bs_rect *r = &p->w->rect[p->row[s->row].box];
    memcpy(goal, s->is_carried ? p->part[s->row].goal : r->pos, sizeof r->pos);
    if (s->is_carried) {
        return memcmp(goal, r->pos, sizeof r->pos) != 0;
    }
    double way = way_out_of(p, s, r);
    if (!(way > 0)) {
        return false;
    }
    int axis = bs_face_of(s->out.normal).axis;
    double cosine = -bs_dot(s->out.heading, s->out.normal);
    double off = axis == BS_SLANTED ? bs_largest_coordinate(r, &s->out.room) * BS_PLACING : 0;
    for (int k = 0; k < DIM; k++) {
        goal[k] += s->out.heading[k] * ((way + off) / cosine);
    }
    if (axis != BS_SLANTED) {
        bs_face own = {axis, s->out.normal[axis] > 0 ? -1 : 1};
        goal[axis] =
            s->out.overlaps ? own.sign * s->out.along : bs_flush(r->size[axis], &s->out.room, own);
    }
    return true;
}

/* --- moving them ---------------------------------------------------------------------------- */

static bool push_shove(bs_push *p, const shove *s) {
    if (!bs_array_reserve(&p->w->heap, &p->shove, &p->shove_cap, p->shoves + 1, sizeof *p->shove)) {
        return false;
    }
    p->shove[p->shoves++] = *s;
    p->part[s->row].moving = true;
    return true;
}

static void pop_shove(bs_push *p, bool is_there) {
    const shove *s = &p->shove[--p->shoves];
    pushee *part = &p->part[s->row];
    part->stuck = part->stuck || !is_there;
    part->has_gone = part->has_gone || s->is_carried;
    part->moving = false;
}

/*
 * A shove out of the way of a box that is, or wants to be, at `room`, and meets it at that normal.
 */
static shove shove_out(size_t row, uint32_t by, const bs_rect *room, const double normal[DIM]) {
    shove s = {.row = row, .out = {.by = by, .room = *room}};
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
        uint32_t known = row_of(p, c->box);
        bool is_done = known != 0 && (p->part[known - 1].stuck || p->part[known - 1].moving);
        if (is_pushable(p, m->self, c->box) && !c->overlap && !is_done) {
            return c;
        }
    }
    return NULL;
}

/* Where a box on its way to a goal would come to without another one. */
static bool place_without(const bs_push *p, uint32_t box, const double goal[DIM], uint32_t other,
                          bs_rect *place) {
    bs_rules rules = bs_rules_default();
    rules.skips = p->skips;
    rules.ignore = other;
    bs_move *m = bs_move_begin(p->w, box, goal, &rules);
    if (m == NULL) {
        return false;
    }
    uint32_t none;
    bool done = bs_move_run(m, &none) == BS_MOVE_DONE;
    *place = bs_move_rect(m);
    bs_move_end(m);
    return done;
}

/*
 * Lets the blocker go first, out of where the box of the shove wants to be. If that box has met it
 * only because something else has turned its way, the blocker goes out of where that way leads.
 */
static bool shove_blocker(bs_push *p, const shove *s, const double goal[DIM],
                          const bs_collision *c) {
    uint32_t by = p->row[s->row].box;
    bs_rect room = p->w->rect[by];
    memcpy(room.pos, goal, sizeof room.pos);
    if (row_of(p, c->box) == 0 && add_row(p, c->box, by, BS_SLIDE) == NULL) {
        return false;
    }
    size_t row = row_of(p, c->box) - 1;
    shove out = shove_out(row, by, &room, c->normal);
    const bs_rect *rect = &p->w->rect[c->box];
    if (!(way_out_of(p, &out, rect) > 0) && !place_without(p, by, goal, c->box, &out.out.room)) {
        return false;
    }
    bool is_in_the_way = way_out_of(p, &out, rect) > 0;
    if (!is_in_the_way || ++p->part[row].shoved > MOST_SHOVED) {
        p->part[row].stuck = true;
        return true;
    }
    return push_shove(p, &out);
}

/*
 * Where a way has come to, or its goal, if that is farther by rounding alone and has room: what has
 * gone ahead is flush with the goal, but rounded times may tell of a contact before. False: no
 * memory.
 */
static bool place_reached(bs_world *w, bs_move *m, const bs_rules *rules, const double goal[DIM],
                          bs_rect *rect) {
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
        near = m->met.at[i].response == BS_CROSS || !bs_overlap(&there, &w->rect[m->met.at[i].box]);
    }
    if (there_yet || !near) {
        return true;
    }
    if (bs_world_blocking(w, m->self, &there, rules, &m->found) != BS_OK) {
        return false;
    }
    *rect = m->found.n == 0 ? there : *rect;
    return true;
}

/* Turns along what has made the box slide. False if that leads nowhere. */
static bool turn(shove *s, const bs_move *m) {
    double speed[DIM];
    for (int k = 0; k < DIM; k++) {
        speed[k] = m->track[k].speed;
    }
    double length = bs_length(speed);
    for (int k = 0; k < DIM; k++) {
        s->out.heading[k] = length > 0 ? speed[k] / length : 0;
    }
    return ++s->out.turns <= MOST_TURNS && -bs_dot(s->out.heading, s->out.normal) > LEAST_HEADING;
}

/* Ends a turn of the shove on top, whose box has moved as far as it got. */
static void end_turn(bs_push *p, const bs_move *m, const double goal[DIM], const bs_rect *rect) {
    shove *s = &p->shove[p->shoves - 1];
    double next[DIM];
    bool is_there =
        s->is_carried ? memcmp(rect->pos, goal, sizeof rect->pos) == 0 : !goal_of_shove(p, s, next);
    if (!is_there && !s->is_carried && turn(s, m)) {
        return; /* It goes on that way. */
    }
    pop_shove(p, is_there);
}

/* One turn of the shove on top: what is in its way goes first, otherwise it moves itself. */
static bool run_shove(bs_push *p) {
    bs_world *w = p->w;
    const shove s = p->shove[p->shoves - 1];
    uint32_t box = p->row[s.row].box;
    bs_rect there = w->rect[box];
    double way[DIM];
    bool moves = goal_of_shove(p, &s, there.pos);
    for (int k = 0; k < DIM; k++) {
        way[k] = there.pos[k] - w->rect[box].pos[k];
    }
    if (!moves || !bs_is_finite(way) || !bs_rect_is_box(&there)) {
        pop_shove(p, !moves);
        return true;
    }
    bs_rules rules = bs_rules_default();
    rules.skips = p->skips;
    bs_move *m = bs_move_begin(w, box, there.pos, &rules);
    if (m == NULL) {
        return false;
    }
    uint32_t none;
    bool done = bs_move_run(m, &none) == BS_MOVE_DONE;
    const bs_collision *blocker = done ? find_blocker(p, m) : NULL;
    if (blocker != NULL) {
        done = shove_blocker(p, &s, there.pos, blocker);
    } else if (done) {
        bs_rect rect;
        done = place_reached(w, m, &rules, there.pos, &rect);
        bs_world_update(w, box, &rect);
        end_turn(p, m, there.pos, &rect);
    }
    bs_move_end(m);
    return done;
}

/* Whether the boxes of two rows overlapped before the push. */
static bool rows_overlapped(const bs_push *p, size_t a, size_t b) {
    return overlap_at(p, p->row[a].box, &p->part[a].before, p->row[b].box, &p->part[b].before);
}

/* A shove of a row's box out of another one by the shortest way. Returns how far, or 0. */
static double shove_apart(const bs_push *p, size_t row, uint32_t by, shove *s) {
    uint32_t box = p->row[row].box;
    double normal[DIM];
    double length = bs_push_out_of(p->w, box, &p->w->rect[box], by, normal);
    for (int k = 0; length > 0 && k < DIM; k++) {
        normal[k] /= -length;
    }
    *s = shove_out(row, by, &p->w->rect[by], normal);
    return length;
}

/*
 * Parts two boxes that have gone in step, if rounding has brought one into the other. The one goes
 * that gravity presses against the other.
 */
static bool part_again(bs_push *p, size_t row, size_t other) {
    shove s;
    if (rows_overlapped(p, row, other) || !(shove_apart(p, row, p->row[other].box, &s) > 0)) {
        return true;
    }
    bool is_above = bs_dot(s.out.normal, p->w->state.gravity) > 0;
    return (is_above || shove_apart(p, other, p->row[row].box, &s) > 0) && push_shove(p, &s);
}

/*
 * Lets the box of the shove on top go in step: right to its goal, where what is in step has room
 * for it. What has not left that place yet goes first, unless it waits for this box; then it will.
 * What has come into it by rounding alone goes out of it again.
 */
static bool go_in_step(bs_push *p) {
    size_t row = p->shove[p->shoves - 1].row;
    uint32_t box = p->row[row].box;
    bs_rect there = p->w->rect[box];
    bs_rules rules = bs_rules_default();
    memcpy(there.pos, p->part[row].goal, sizeof there.pos);
    rules.skips = p->skips;
    if (bs_world_blocking(p->w, box, &there, &rules, &p->found) != BS_OK) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t other = row_of(p, p->found.at[i]);
        if (other != 0 && p->part[other - 1].in_step && !p->part[other - 1].has_gone) {
            p->skips[box] = 1; /* It waits. */
            return push_shove(p, &(shove){.row = other - 1, .is_carried = true});
        }
    }
    p->skips[box] = 0;
    bs_world_update(p->w, box, &there);
    pop_shove(p, true);
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t other = row_of(p, p->found.at[i]);
        if (other != 0 && p->part[other - 1].in_step && !part_again(p, row, other - 1)) {
            return false;
        }
    }
    return true;
}

/* Runs a shove, and all that it needs. */
static bool run_shoves(bs_push *p, const shove *s) {
    bool done = push_shove(p, s);
    while (done && p->shoves > 0) {
        const shove *top = &p->shove[p->shoves - 1];
        bool in_step = top->is_carried && p->part[top->row].in_step;
        done = in_step ? go_in_step(p) : run_shove(p);
    }
    return done;
}

/* --- moving what is carried ----------------------------------------------------------------- */

/*
 * Whether a box is so small, or one of its places so far away, that rounding may put it to another
 * side of its neighbours.
 */
static bool is_lost(const bs_rect *before, const bs_rect *after) {
    double least = before->size[0];
    for (int k = 1; k < DIM; k++) {
        least = bs_min(before->size[k], least);
    }
    return least < bs_largest_coordinate(before, after) * BS_HERE;
}

/* Whether a carried box comes to its goal, through those that are in step. False: no memory. */
static bool try_way(bs_push *p, size_t row, bool *is_free) {
    uint32_t box = p->row[row].box;
    bs_rect there = p->w->rect[box];
    bs_rules rules = bs_rules_default();
    double way[DIM];
    uint32_t none;
    for (int k = 0; k < DIM; k++) {
        way[k] = p->part[row].goal[k] - there.pos[k];
        there.pos[k] = p->part[row].goal[k];
    }
    *is_free = false;
    if (!bs_is_finite(way) || !bs_rect_is_box(&there) || is_lost(&p->w->rect[box], &there)) {
        return true;
    }
    rules.skips = p->skips;
    bs_move *m = bs_move_begin(p->w, box, there.pos, &rules);
    if (m == NULL) {
        return false;
    }
    bool done = bs_move_run(m, &none) == BS_MOVE_DONE;
    bs_rect end = bs_move_rect(m);
    *is_free = memcmp(&end, &there, sizeof end) == 0;
    bs_move_end(m);
    return done;
}

static bool add_unsettled(bs_push *p, size_t row) {
    return bs_list_add(&p->w->heap, &p->unsettled, (uint32_t)row);
}

/*
 * A row is in step no more. So what rests on it is not, and others may not come past it: those
 * that are on a way of the same length to where it is.
 */
static bool fall_out_of_step(bs_push *p, size_t row) {
    pushee *part = &p->part[row];
    bs_rect from = part->before;
    part->in_step = false;
    p->skips[p->row[row].box] = 0;
    for (int k = 0; k < DIM; k++) {
        from.pos[k] -= part->goal[k] - part->before.pos[k];
    }
    bs_rect around = bs_rect_around(&from, &part->before, 0);
    if (!bs_find_around(p->w, &around, p->row[row].box, false, &p->found)) {
        return false;
    }
    for (size_t i = 0; i < p->found.n; i++) {
        uint32_t other = row_of(p, p->found.at[i]);
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
 * Finds out which of the carried boxes are in step: each has a free way if all of these go. They
 * keep their places to each other, whatever their order. The others depend on what holds them, so
 * they go one by one. One box alone may as well do that.
 */
static bool find_those_in_step(bs_push *p, size_t carried) {
    bool done = true;
    p->unsettled.n = 0;
    for (size_t i = 0; i < carried; i++) {
        p->part[i].in_step = carried > 1;
        p->skips[p->row[i].box] = carried > 1;
        set_goal(p, i);
        done = done && add_unsettled(p, i);
    }
    while (done && p->unsettled.n > 0) {
        size_t row = p->unsettled.at[--p->unsettled.n];
        const pushee *part = &p->part[row];
        bool is_free = part->on != NULL || p->part[part->parent].in_step;
        if (part->in_step) {
            done = !is_free || try_way(p, row, &is_free);
            done = done && (is_free || fall_out_of_step(p, row));
        }
    }
    for (size_t i = 0; i < carried; i++) {
        p->skips[p->row[i].box] = 0;
    }
    return done;
}

/* Moves the carried boxes: first those that are in step. */
static bool move_carried(bs_push *p) {
    size_t n = 0;
    while (n < p->rows && p->row[n].carried) {
        n++;
    }
    if (!find_those_in_step(p, n)) {
        return false;
    }
    for (int alone = 0; alone <= 1; alone++) {
        for (size_t i = 0; i < n; i++) {
            shove s = {.row = i, .is_carried = true};
            if (p->part[i].has_gone || p->part[i].in_step == alone) {
                continue;
            }
            if (alone) {
                set_goal(p, i);
            }
            if (!run_shoves(p, &s)) {
                return false;
            }
        }
    }
    return true;
}

/* --- moving what is pressed ----------------------------------------------------------------- */

/*
 * A box that overlapped the platform is taken along, as far as the platform goes along the normal.
 */
static shove shove_of_pressed(const bs_push *p, const pressed *x) {
    size_t row = row_of(p, x->box) - 1;
    shove s = shove_out(row, x->by->box, &x->by->after, x->normal);
    s.out.overlaps = x->overlaps;
    for (int k = 0; k < DIM; k++) {
        double way = x->by->after.pos[k] - x->by->before.pos[k];
        s.out.along -= (p->part[row].before.pos[k] + way) * x->normal[k];
    }
    return s;
}

/* Moves the boxes that are in the way; each has a row (add_pressed). */
static bool move_pressed(bs_push *p) {
    for (size_t i = 0; i < p->presses; i++) {
        const pressed *x = &p->press[i];
        if (bs_is_solid_response(x->response)) {
            shove s = shove_of_pressed(p, x);
            if (!run_shoves(p, &s)) {
                return false;
            }
        }
    }
    return true;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* What the host has said of a row holds for all that presses it. */
static void take_answers(bs_push *p) {
    for (size_t i = 0; i < p->presses; i++) {
        uint32_t row = row_of(p, p->press[i].box);
        if (row != 0) {
            p->press[i].response = p->row[row - 1].response;
        }
    }
}

/*
 * Makes the rows once more, now that the host has said which boxes are solid to the platform: first
 * what rests on it, then what rests on that, and so on, each behind its carrier; then what is in
 * the way and not carried.
 */
static bool settle_rows(bs_push *p) {
    size_t n = 0;
    take_answers(p);
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
    for (size_t row = 0; row < p->rows; row++) {
        size_t riders = p->rows;
        if (!add_riders(p, (carrier){.row = row, .box = p->row[row].box})) {
            return false;
        }
        p->part[row].riders = riders;
        p->part[row].riders_end = p->rows;
    }
    return add_pressed(p);
}

/* Whether a box of the platform overlapped another one before, and has left it behind inside. */
static bool is_left_behind(const bs_push *p, const pressed *x) {
    shove s = shove_of_pressed(p, x);
    return way_out_of(p, &s, &p->w->rect[x->box]) > 0 &&
           bs_would_overlap(p->w, x->by->box, &x->by->after, x->box);
}

/* Whether a box of the platform, which has moved, is in a row's box that it was not in before. */
static bool is_newly_in(const bs_push *p, const pusher *by, size_t row) {
    const uint32_t box = p->row[row].box;
    bool was_in = overlap_at(p, by->box, &by->before, box, &p->part[row].before);
    return !was_in && !bs_is_sensed(p->w, by->box, box) &&
           bs_would_overlap(p->w, by->box, &by->after, box);
}

/*
 * Several boxes of a platform do not go equally far, by rounding. So one of them may have come into
 * what another one carries. False: no memory.
 */
static bool part_from_platform(bs_push *p) {
    for (size_t i = 0; p->pushers > 1 && i < p->pushers; i++) {
        const pusher *by = &p->pusher[i];
        if (!bs_find_around(p->w, &by->after, by->box, false, &p->found)) {
            return false;
        }
        for (size_t j = 0; j < p->found.n; j++) {
            uint32_t row = row_of(p, p->found.at[j]);
            shove s;
            if (row == 0 || !is_newly_in(p, by, row - 1)) {
                continue;
            }
            double largest = bs_largest_coordinate(&by->after, &p->w->rect[p->found.at[j]]);
            double length = shove_apart(p, row - 1, by->box, &s);
            if (length > 0 && length <= largest * BS_HERE && !run_shoves(p, &s)) {
                return false;
            }
        }
    }
    return true;
}

/* Finds the rows whose boxes the platform has come into. False: no memory. */
static bool find_overlapped(bs_push *p) {
    for (size_t i = 0; p->rows > 0 && i < p->pushers; i++) {
        const pusher *by = &p->pusher[i];
        if (!bs_find_around(p->w, &by->after, by->box, false, &p->found)) {
            return false;
        }
        for (size_t j = 0; j < p->found.n; j++) {
            uint32_t row = row_of(p, p->found.at[j]);
            if (row != 0 && is_newly_in(p, by, row - 1)) {
                p->row[row - 1].crushed = true;
            }
        }
    }
    return true;
}

/* Who is crushed is decided by the end alone: by what then overlaps the platform. */
static bool finish_rows(bs_push *p) {
    if (!find_overlapped(p)) {
        return false;
    }
    for (size_t i = 0; i < p->rows; i++) {
        bs_pushed *row = &p->row[i];
        memcpy(row->place, p->w->rect[row->box].pos, sizeof row->place);
    }
    for (size_t i = 0; i < p->presses; i++) {
        const pressed *x = &p->press[i];
        if (x->overlaps && bs_is_solid_response(x->response)) {
            bs_pushed *row = &p->row[row_of(p, x->box) - 1];
            row->crushed = row->crushed || is_left_behind(p, x);
        }
    }
    return true;
}

bs_status bs_push_run(bs_push *p) {
    if (!settle_rows(p)) {
        return BS_NO_MEMORY;
    }
    for (size_t i = 0; i < p->pushers; i++) {
        bs_world_update(p->w, p->pusher[i].box, &p->pusher[i].after);
    }
    if (!move_carried(p) || !move_pressed(p) || !part_from_platform(p) || !finish_rows(p)) {
        bs_push_undo(p);
        return BS_NO_MEMORY;
    }
    return BS_OK;
}
