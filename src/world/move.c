#include "move.h"

#include <math.h>
#include <string.h>

enum { MOST_BOUNCES = 16 };

/* --- rules ---------------------------------------------------------------------------------- */

bs_rules bs_rules_default(void) {
    bs_rules rules = {.ignore = BS_NO_BOX, .pairs = true};
    rules.mask[BS_SLIDE] = BS_ANY_LAYER;
    return rules;
}

bs_response bs_rules_response(const bs_world *w, const bs_rules *rules, uint32_t self,
                              uint32_t other) {
    const uint64_t any_layer = 1ull << 32; /* a bit that only BS_ANY_LAYER has */
    uint64_t layer = w->layers[other].layer | any_layer;
    if (other == self || other == rules->ignore) {
        return BS_PASS;
    }
    if (rules->pairs && !bs_world_layers_meet(w, self, other)) {
        return BS_PASS;
    }
    if (rules->ask) {
        return BS_UNKNOWN;
    }
    int response = BS_TOUCH;
    while (response < BS_RESPONSES && (layer & rules->mask[response]) == 0) {
        response++;
    }
    return response < BS_RESPONSES ? (bs_response)response : BS_PASS;
}

bool bs_is_solid_response(bs_response response) {
    return response == BS_TOUCH || response == BS_BOUNCE || response == BS_SLIDE;
}

bool bs_is_one_way(const bs_world *w, uint32_t box) {
    bool any = false;
    for (int k = 0; w->conduct != NULL && k < DIM; k++) {
        any |= w->conduct[box].one_way[k] != 0;
    }
    return any;
}

bool bs_is_solid_at(const bs_world *w, uint32_t box, bs_face face) {
    return !bs_is_one_way(w, box) || w->conduct[box].one_way[face.axis] == face.sign;
}

bool bs_is_solid_toward(const bs_world *w, uint32_t box, const double normal[DIM]) {
    double along = 0;
    for (int k = 0; w->conduct != NULL && k < DIM; k++) {
        along += normal[k] * w->conduct[box].one_way[k];
    }
    return !bs_is_one_way(w, box) || along > 0.5;
}

/* --- faces ---------------------------------------------------------------------------------- */

/*
 * What was subtracted is added again. If that comes out beyond the side the place is a step or two
 * below. It never stays short of a nearer one, as the difference is off by half a step at most.
 */
double bs_flush(double size, const bs_rect *other, bs_face face) {
    if (face.sign > 0) {
        return bs_far(other, face.axis);
    }
    const double side = other->pos[face.axis];
    double pos = side - size;
    while (pos + size > side) {
        pos = nextafter(pos, -HUGE_VAL);
    }
    return pos;
}

/* The face of b through which the least push parts a from it; they overlap. */
static bs_face way_out(const bs_rect *a, const bs_rect *b) {
    double push[DIM];
    bs_face face = {0, 0};
    bs_separation(a, b, push);
    for (int k = 0; k < DIM; k++) {
        if (push[k] != 0) {
            face = (bs_face){k, push[k] > 0 ? 1 : -1};
        }
    }
    assert(face.sign != 0);
    return face;
}

/* --- tracks --------------------------------------------------------------------------------- */

static double track_at(const bs_track *track, double t) {
    return t >= 1 || track->speed == 0 ? track->end
                                       : track->from + track->speed * (t - track->since);
}

static bs_rect rect_at(const bs_move *m, double t) {
    bs_rect r = m->start;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = track_at(&m->track[k], t);
    }
    return r;
}

static void stop_axis(bs_track *track, double at, double t) {
    *track = (bs_track){at, t, 0, at};
}

/* What would turn it to where no double is only stops it. */
static void turn_axis(bs_track *track, double at, double t, double bounce, double size) {
    double speed = -track->speed * bounce;
    double end = at - (track->end - at) * bounce;
    if (speed != 0 && isfinite(end) && isfinite(end + size)) {
        *track = (bs_track){at, t, speed, end};
    } else {
        stop_axis(track, at, t);
    }
}

/* Where a way ends that no change of tracks can mend: at its start, where it was in nothing new. */
static void retreat(bs_move *m) {
    for (int k = 0; k < DIM; k++) {
        stop_axis(&m->track[k], m->start.pos[k], 1);
    }
    m->obstacles = 0;
}

/* --- making and ending ---------------------------------------------------------------------- */

/* NULL: no memory. */
static bs_move *take_move(bs_world *w) {
    bs_move *m = w->moves;
    while (m != NULL && m->in_use) { /* as many as filter functions are nested */
        m = m->next;
    }
    if (m == NULL) {
        m = bs_heap_new(&w->heap, sizeof *m);
        if (m == NULL) {
            return NULL;
        }
        m->next = w->moves;
        w->moves = m;
    }
    m->in_use = true;
    return m;
}

void bs_move_end(bs_move *m) {
    assert(m->in_use);
    m->in_use = false;
}

void bs_moves_free(bs_world *w) {
    while (w->moves != NULL) {
        bs_move *m = w->moves;
        w->moves = m->next;
        bs_array_free(&w->heap, &m->obstacle, &m->obstacle_cap, sizeof *m->obstacle);
        bs_array_free(&w->heap, &m->meeting, &m->meeting_cap, sizeof *m->meeting);
        bs_array_free(&w->heap, &m->met.at, &m->met.cap, sizeof *m->met.at);
        bs_heap_free(&w->heap, m, sizeof *m);
    }
}

/* Around all places that the box can come to: a bounce may send it as far back as it wanted to go.
 * Wider than that by more than rounding can take away. */
static bs_rect reach_of(const bs_move *m) {
    double rounding = m->w->shaped > 0 ? 4 * BS_GLIDE_PAD : 0x1p-50;
    double room = m->w->shaped > 0 ? BS_GLIDE_ROOM : 0;
    bool turns = m->rules.ask || m->rules.mask[BS_BOUNCE] != 0;
    bs_rect reach;
    for (int k = 0; k < DIM; k++) {
        double way = fabs(m->track[k].speed);
        bool up = m->track[k].speed > 0;
        double lo = m->start.pos[k] - (turns || !up ? way : 0);
        double hi = bs_far(&m->start, k) + (turns || up ? way : 0);
        double pad = (fabs(lo) + fabs(hi)) * rounding + m->start.size[k] * room + 0x1p-1060;
        reach.pos[k] = lo - pad;
        reach.size[k] = hi + pad - reach.pos[k];
    }
    return reach;
}

/* What the box may meet. False: no memory. */
static bool gather(bs_move *m, const bs_rect *reach) {
    bs_world *w = m->w;
    bool found = bs_rect_is_query(reach) ? bs_world_find_in(w, reach, &w->found)
                                         : bs_world_list(w, &w->found) == BS_OK;
    if (found && w->shaped > 0) { /* the order decides where rounding sends it */
        found = bs_world_sort(w, &w->found);
    }
    size_t n = w->found.n + 1; /* room for one meeting more than there can be */
    if (!found ||
        !bs_array_reserve(&w->heap, &m->obstacle, &m->obstacle_cap, n, sizeof *m->obstacle) ||
        !bs_array_reserve(&w->heap, &m->meeting, &m->meeting_cap, n, sizeof *m->meeting)) {
        return false;
    }
    m->obstacles = 0;
    for (size_t i = 0; i < w->found.n; i++) {
        uint32_t box = w->found.at[i];
        bs_response response = bs_rules_response(w, &m->rules, m->self, box);
        if (response == BS_PASS) {
            continue;
        }
        bs_obstacle o = {.box = box, .response = (uint8_t)response};
        o.inside = bs_overlap(&m->start, &w->rect[box]);
        if (o.inside) {
            bool plain = ((w->flags[m->self] | w->flags[box]) & BS_HAS_SHAPE) == 0;
            if (plain && bs_is_one_way(w, box)) {
                continue;
            }
            o.way_out = way_out(&m->start, &w->rect[box]);
        }
        m->obstacle[m->obstacles++] = o;
    }
    return true;
}

static void begin(bs_move *m, bs_world *w, uint32_t box, const double goal[DIM],
                  const bs_rules *rules) {
    assert(bs_world_alive(w, box) && bs_is_finite(goal));
    m->w = w;
    m->self = box;
    m->rules = *rules;
    m->start = w->rect[box];
    for (int k = 0; k < DIM; k++) {
        double pos = m->start.pos[k];
        m->track[k] = (bs_track){pos, 0, goal[k] - pos, goal[k]};
        m->fall[k] = 0;
        assert(isfinite(m->track[k].speed));
    }
    m->bounce = w->conduct != NULL ? w->conduct[box].bounce : 1;
    m->now = 0;
    m->bounces = 0;
    m->met.n = 0;
}

/* --- meetings ------------------------------------------------------------------------------- */

/* When the box, on its tracks, is within another on all axes, from now on. */
typedef struct encounter {
    double entered, left;
    int axis;    /* the one entered last; of several the lowest */
    int entries; /* how many are entered then */
} encounter;

/* False: never on one axis. */
static inline bool encounter_of(const bs_move *m, const bs_rect *o, encounter *e) {
    *e = (encounter){-HUGE_VAL, 1, 0, 0};
    for (int k = 0; k < DIM; k++) {
        const bs_track *track = &m->track[k];
        double before = o->pos[k] - (track->from + m->start.size[k]);
        double beyond = bs_far(o, k) - track->from;
        if (track->speed == 0) {
            if (!(before < 0 && beyond > 0)) {
                return false;
            }
            continue;
        }
        double a = before / track->speed;
        double b = beyond / track->speed;
        double enter = track->since + bs_min(a, b);
        e->left = bs_min(e->left, track->since + bs_max(a, b));
        e->entries = enter == e->entered ? e->entries + 1 : enter > e->entered ? 1 : e->entries;
        e->axis = enter > e->entered ? k : e->axis;
        e->entered = bs_max(e->entered, enter);
    }
    return bs_max(e->entered, m->now) < e->left;
}

/*
 * The face through which the box must have come in: of those that were ahead of it where its tracks
 * began, the one behind which it is least deep. So it is sent back on its way, and never to where
 * it did not look for others. (If there is none, the least way out: see respond.)
 */
static bs_face way_in(const bs_move *m, const bs_rect *r, const bs_rect *other) {
    bs_face face = way_out(r, other);
    double least = HUGE_VAL;
    for (int k = 0; k < DIM; k++) {
        const bs_track *track = &m->track[k];
        bool up = track->speed > 0;
        double ahead =
            up ? other->pos[k] - (track->from + r->size[k]) : track->from - bs_far(other, k);
        double depth = up ? bs_far(r, k) - other->pos[k] : bs_far(other, k) - r->pos[k];
        if (track->speed != 0 && ahead >= 0 && depth < least) {
            face = (bs_face){k, up ? -1 : 1};
            least = depth;
        }
    }
    return face;
}

/*
 * Times are rounded, and so are places: where the place r at time t is in a box although no time
 * says so, the box is met at that time.
 */
static bool meets_by_rounding(const bs_move *m, const bs_rect *other, const bs_rect *r, double t,
                              bs_meeting *x) {
    if (!bs_overlap(r, other)) {
        return false;
    }
    x->t = t;
    x->face = way_in(m, r, other);
    x->corner = false;
    return true;
}

/* When and where an obstacle is met, as far as it is there; here, end: where the tracks are. */
static bool meet_outside(const bs_move *m, const bs_obstacle *o, const bs_rect *here,
                         const bs_rect *end, bs_meeting *x) {
    const bs_rect *other = &m->w->rect[o->box];
    encounter e;
    if (!encounter_of(m, other, &e)) {
        return meets_by_rounding(m, other, end, 1, x) && bs_is_solid_at(m->w, o->box, x->face);
    }
    if (e.entered < m->now && bs_is_one_way(m->w, o->box)) {
        return false; /* the box has come in through another face */
    }
    if (e.entered < m->now && meets_by_rounding(m, other, here, m->now, x)) {
        return true;
    }
    x->t = bs_max(e.entered, m->now);
    x->face = (bs_face){e.axis, m->track[e.axis].speed > 0 ? -1 : 1};
    x->corner = e.entries > 1;
    return bs_is_solid_at(m->w, o->box, x->face);
}

/* One that the box is in keeps it from going deeper; one that it crosses is told. */
static bool meet_inside(const bs_move *m, const bs_obstacle *o, bs_meeting *x) {
    x->t = m->now;
    x->face = o->way_out;
    x->corner = false;
    bool deeper = m->track[x->face.axis].speed * x->face.sign < 0;
    bool may_cross = o->response == BS_CROSS || (o->response == BS_UNKNOWN && !m->through);
    return deeper || may_cross;
}

static inline bool is_sooner(const bs_meeting *a, const bs_meeting *b) {
    if (a->t != b->t) {
        return a->t < b->t;
    }
    return a->corner != b->corner ? b->corner : a->order < b->order;
}

/* Lets an element of the heap sink to where none below it is sooner. */
static void sink(bs_meeting *heap, size_t n, size_t at) {
    bs_meeting x = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && is_sooner(&heap[child + 1], &heap[child]);
        if (!is_sooner(&heap[child], &x)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = x;
}

static bs_meeting pop_meeting(bs_move *m) {
    assert(m->meetings > 0);
    bs_meeting first = m->meeting[0];
    m->meeting[0] = m->meeting[--m->meetings];
    if (m->meetings > 1) {
        sink(m->meeting, m->meetings, 0);
    }
    return first;
}

/* All meetings on the present tracks. There is room for them: gather has seen to that. */
static void find_meetings(bs_move *m) {
    const bs_world *w = m->w;
    const bs_rect here = rect_at(m, m->now);
    const bs_rect end = rect_at(m, 1);
    m->meetings = 0;
    for (size_t i = 0; i < m->obstacles; i++) {
        const bs_obstacle *o = &m->obstacle[i];
        bs_meeting *x = &m->meeting[m->meetings];
        bool is_met = o->response != BS_PASS &&
                      (o->inside ? meet_inside(m, o, x) : meet_outside(m, o, &here, &end, x));
        x->obstacle = (uint32_t)i;
        x->order = bs_world_order(w, o->box);
        m->meetings += is_met;
    }
    for (size_t i = m->meetings / 2; i-- > 0;) {
        sink(m->meeting, m->meetings, i);
    }
}

/* --- responses ------------------------------------------------------------------------------ */

/* Where the box is on the axis of a face that it meets. */
static double place_at_face(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    const bs_track *track = &m->track[x->face.axis];
    double at = track_at(track, x->t);
    if (o->inside) {
        return at;
    }
    double flush = bs_flush(m->start.size[x->face.axis], &m->w->rect[o->box], x->face);
    if (track->speed == 0) {
        return flush;
    }
    double lo = bs_min(track->from, track->end);
    double hi = bs_max(track->from, track->end);
    return bs_max(lo, bs_min(flush, hi)); /* neither behind its start nor beyond its end */
}

/* The response of an obstacle, there; a bounce that is too slow for its fall is a slide. */
static bs_response response_to(const bs_move *m, const bs_obstacle *o, bs_face face) {
    double speed = m->track[face.axis].speed;
    double fall = m->fall[face.axis];
    bool falls = speed > 0 ? fall > 0 : fall < 0;
    bool settles = falls && fabs(speed) <= fabs(fall);
    return o->response == BS_BOUNCE && settles ? BS_SLIDE : (bs_response)o->response;
}

/* False: no memory. */
static bool tell(bs_move *m, const bs_obstacle *o, const bs_meeting *x, const bs_rect *r) {
    bs_heap *heap = &m->w->heap;
    if (!bs_array_reserve(heap, &m->met.at, &m->met.cap, m->met.n + 1, sizeof *m->met.at)) {
        return false;
    }
    bs_collision *c = &m->met.at[m->met.n++];
    *c = (bs_collision){.id = bs_world_id(m->w, o->box), .box = o->box, .t = x->t};
    c->response = response_to(m, o, x->face);
    c->overlap = o->inside;
    c->normal[x->face.axis] = x->face.sign;
    memcpy(c->place, r->pos, sizeof c->place);
    return true;
}

/* After a turn the box may have left what it was in, or have another way out of what it is in. */
static void look_around(bs_move *m) {
    bs_rect r = rect_at(m, m->now);
    for (size_t i = 0; i < m->obstacles; i++) {
        bs_obstacle *o = &m->obstacle[i];
        const bs_rect *other = &m->w->rect[o->box];
        o->inside = o->inside && bs_overlap(&r, other);
        if (o->inside) {
            o->way_out = way_out(&r, other);
        }
    }
}

static void stop_all(bs_move *m, const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        stop_axis(&m->track[k], r->pos[k], m->now);
    }
}

static void bounce(bs_move *m, int axis, const bs_rect *r) {
    m->bounces++;
    turn_axis(&m->track[axis], r->pos[axis], m->now, m->bounce, r->size[axis]);
    if (m->bounces == MOST_BOUNCES) {
        stop_all(m, r);
    }
    look_around(m);
}

/* Changes the tracks; r: where the box is. */
static void respond(bs_move *m, bs_response response, const bs_meeting *x, const bs_rect *r) {
    int axis = x->face.axis;
    m->now = x->t;
    if (m->track[axis].speed * x->face.sign >= 0) { /* in there by rounding, and not on its way */
        retreat(m);
    } else if (response == BS_TOUCH) {
        stop_all(m, r);
    } else if (response == BS_BOUNCE) {
        bounce(m, axis, r);
    } else {
        stop_axis(&m->track[axis], r->pos[axis], m->now);
    }
}

/* Takes the first meeting; *again: it has changed the tracks. False: no memory. */
static bool take_meeting(bs_move *m, bool *again) {
    bs_meeting x = pop_meeting(m);
    bs_obstacle *o = &m->obstacle[x.obstacle];
    bs_response response = response_to(m, o, x.face);
    bool stops = bs_is_solid_response(response) && !m->through;
    bool leaves = o->inside && m->track[x.face.axis].speed * x.face.sign >= 0;
    if (response == BS_PASS || (leaves && bs_is_solid_response(response))) {
        return true;
    }
    bs_rect r = rect_at(m, x.t);
    r.pos[x.face.axis] = place_at_face(m, o, &x);
    if (!tell(m, o, &x, &r)) {
        return false;
    }
    if (stops) {
        respond(m, response, &x, &r);
    } else {
        o->response = BS_PASS; /* it is told once */
    }
    *again = stops;
    return true;
}

/* --- the way -------------------------------------------------------------------------------- */

static bs_move *begin_move(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules,
                           bool through) {
    bs_move *m = take_move(w);
    if (m == NULL) {
        return NULL;
    }
    begin(m, w, box, goal, rules);
    m->through = through;
    bs_rect reach = reach_of(m);
    if (bs_has_shape(w, box)) {
        reach = bs_glide_reach(m, &reach);
    }
    bool done = gather(m, &reach);
    m->glides = done && w->shaped > 0 && bs_glide_is_needed(m);
    if (!done) {
        bs_move_end(m);
        return NULL;
    }
    if (m->glides) {
        bs_glide_begin(m, &reach);
    } else {
        find_meetings(m);
    }
    return m;
}

bs_move *bs_move_begin(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules) {
    return begin_move(w, box, goal, rules, false);
}

bs_move *bs_move_begin_through(bs_world *w, uint32_t box, const double goal[DIM],
                               const bs_rules *rules) {
    return begin_move(w, box, goal, rules, true);
}

bs_progress bs_move_run(bs_move *m, uint32_t *other) {
    if (m->glides) {
        return bs_glide_run(m, other);
    }
    while (m->meetings > 0) {
        const bs_obstacle *first = &m->obstacle[m->meeting[0].obstacle];
        if (first->response == BS_UNKNOWN && !m->through) {
            *other = first->box;
            return BS_MOVE_ASKS;
        }
        bool again = false;
        if (!take_meeting(m, &again)) {
            return BS_MOVE_NO_MEMORY;
        }
        if (again) {
            find_meetings(m);
        }
    }
    return BS_MOVE_DONE;
}

void bs_move_answer(bs_move *m, bs_response response) {
    assert(response != BS_UNKNOWN);
    if (m->glides) {
        m->glide.asked->response = (uint8_t)response;
        return;
    }
    assert(m->meetings > 0);
    m->obstacle[m->meeting[0].obstacle].response = (uint8_t)response;
}

bs_rect bs_move_rect(const bs_move *m) {
    return m->glides ? m->glide.at : rect_at(m, 1);
}

const bs_collisions *bs_move_collisions(const bs_move *m) {
    return &m->met;
}
