/*
 * contact.c: when and where a box on its tracks meets obstacles, and which one is the first. It
 * relies on the tracks of way.c and the obstacles of obstacles.c.
 *
 * Boxes meet boxes exactly: by the slab method of bs_sweep, on tracks that began at times of their
 * own. Shapes meet by the narrow phase's sweep along the stretch.
 */
#include "motion.h"

#include <string.h>

static const bs_rect *rect_of(const bs_move *m, const bs_obstacle *o) {
    return &m->w->rect[o->box];
}

/* --- ways out ------------------------------------------------------------------------------- */

/* The side of b through which the shortest push takes a out of it; they overlap. */
static bs_box_side way_out(const bs_rect *a, const bs_rect *b) {
    double push[DIM];
    bs_box_side side = {0, 0};
    bs_separation(a, b, push);
    for (int k = 0; k < DIM; k++) {
        if (push[k] != 0) {
            side = (bs_box_side){k, push[k] > 0 ? 1 : -1};
        }
    }
    assert(side.sign != 0);
    return side;
}

/* No edge of a box's shape that leans is longer on an axis. */
static double longest_edge(const bs_world *w, uint32_t box, int axis) {
    return bs_world_shape_kind(w, box) == BS_POLYGON ? w->rect[box].size[axis] : 0;
}

bs_box_side bs_side_met(const bs_world *w, uint32_t a, uint32_t b, const double normal[DIM],
                        double grain) {
    double length[DIM];
    for (int k = 0; k < DIM; k++) {
        length[k] = bs_max(longest_edge(w, a, k), longest_edge(w, b, k));
    }
    return bs_side_of_edge(normal, length, grain);
}

static bs_box_side side_of(const bs_move *m, const bs_obstacle *o) {
    return o->bend > 0 ? bs_side_of(o->normal)
                       : bs_side_met(m->w, m->self, o->box, o->normal, o->grain);
}

/* For shapes: sets the unit normal, or none if no push in doubles separates them. */
static void find_normal_out(const bs_move *m, bs_obstacle *o, const bs_rect *at) {
    bs_normal_out_of(m->w, m->self, at, o->box, rect_of(m, o), o->normal);
    o->bend = 0;
    o->grain = bs_largest_coordinate(at, rect_of(m, o)) * BS_GRAZING;
    o->side = side_of(m, o);
}

/* The shortest way out of an obstacle that the box is inside of. */
static void find_way_out(const bs_move *m, bs_obstacle *o) {
    bs_rect at = m->start;
    memcpy(at.pos, o->from, sizeof at.pos);
    if (o->exact) {
        o->side = way_out(&at, rect_of(m, o));
    } else {
        find_normal_out(m, o, &at);
    }
    o->has_way_out = true;
}

/* A part of the way on which the tracks do not change. */
typedef struct stretch {
    bs_rect here, end;
    double way[DIM]; /* From its start to its end. */
} stretch;

/* --- boxes ---------------------------------------------------------------------------------- */

/* The time from which the box, on its tracks, is within another on all axes. */
typedef struct encounter {
    double entered, left;
    int axis;    /* The axis entered last; the lowest of several. */
    int entries; /* The number of axes entered then. */
} encounter;

/* False if the box is never within the other on one axis. */
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
 * The side that the box crossed last: of those that it started in front of, the one that it is
 * least deep behind. Where a contact has just placed it, rounding may have put it behind one. If
 * there is none, it takes the shortest way out.
 */
static bs_box_side way_in(const bs_move *m, const bs_rect *r, const bs_rect *other, double t) {
    bs_box_side side = way_out(r, other);
    double least = HUGE_VAL;
    double rounding = bs_largest_coordinate(r, other) * BS_TOUCHING;
    for (int k = 0; k < DIM; k++) {
        const bs_track *track = &m->track[k];
        for (int sign = -1; sign <= 1; sign += 2) {
            bool low = sign < 0;
            double ahead =
                low ? other->pos[k] - (track->from + r->size[k]) : track->from - bs_far(other, k);
            double depth = low ? bs_far(r, k) - other->pos[k] : bs_far(other, k) - r->pos[k];
            bool came_in = track->speed * sign < 0 && ahead >= 0;
            bool put_in = bs_track_is_new(m, k, t) && depth <= rounding;
            if ((came_in || put_in) && depth < least) {
                side = (bs_box_side){k, sign};
                least = depth;
            }
        }
    }
    return side;
}

/*
 * Times and places are rounded. If the place r at time t is in a box although no time says so, the
 * box is met at that time.
 */
static bs_meeting meeting_by_rounding(const bs_move *m, const bs_rect *other, const bs_rect *r,
                                      double t) {
    return (bs_meeting){.t = t, .side = way_in(m, r, other, t), .rounded = true};
}

/* Its answer does not depend on where the stretches of the way end. */
static inline bool meet_box(const bs_move *m, const bs_obstacle *o, const stretch *s,
                            bs_meeting *x) {
    const bs_rect *other = rect_of(m, o);
    encounter e;
    bool meets = encounter_of(m, other, &e);
    bool is_inside = meets && e.entered < m->now; /* Or beside it, as places are rounded. */
    if (is_inside && bs_overlap(&s->here, other)) {
        *x = meeting_by_rounding(m, other, &s->here, m->now);
        return !bs_is_one_way(m->w, o->box);
    }
    if (!meets || is_inside) {
        if (m->stretch_end < 1 || !bs_overlap(&s->end, other)) {
            return false;
        }
        *x = meeting_by_rounding(m, other, &s->end, 1);
        return bs_is_solid_at(m->w, o->box, x->side);
    }
    if (e.entered >= m->stretch_end && m->stretch_end < 1) {
        return false; /* A later stretch may meet it. */
    }
    *x = (bs_meeting){.t = e.entered, .at_edge = e.entries > 1};
    x->side = (bs_box_side){e.axis, m->track[e.axis].speed > 0 ? -1 : 1};
    return bs_is_solid_at(m->w, o->box, x->side);
}

/* --- shapes --------------------------------------------------------------------------------- */

/* The same for shapes: meets what the box is in at time t, though no way has led there. */
static bool shape_meets_by_rounding(const bs_move *m, bs_obstacle *o, const bs_rect *r, double t,
                                    bs_meeting *x) {
    if (!bs_obstacle_is_in_the_way(m, o, r)) {
        return false;
    }
    find_normal_out(m, o, r);
    *x = (bs_meeting){.t = t, .side = o->side, .rounded = true};
    return true;
}

/* This looks at the rects first: if they do not meet, no shape is made. */
static bool meet_shape(const bs_move *m, bs_obstacle *o, const stretch *s, bs_meeting *x) {
    const bs_rect *other = rect_of(m, o);
    bs_touch touch;
    bs_shape shape;
    bs_shape around;
    if (!bs_sweep(&s->here, s->way, other, NULL, &touch)) {
        return shape_meets_by_rounding(m, o, &s->end, m->stretch_end, x);
    }
    bs_world_shape_at(m->w, m->self, &s->here, &shape);
    bs_world_shape(m->w, o->box, &around);
    if (bs_shapes_overlap(&shape, &around)) {
        return shape_meets_by_rounding(m, o, &s->here, m->now, x);
    }
    double largest =
        bs_max(bs_largest_coordinate(&s->here, other), bs_largest_coordinate(&s->end, other));
    o->grain = largest * BS_GRAZING;
    if (!bs_shapes_approach(&shape, s->way, &around, &touch, &o->bend) ||
        !bs_goes_into(s->way, touch.normal, o->grain, o->bend, o->grain)) {
        return shape_meets_by_rounding(m, o, &s->end, m->stretch_end, x);
    }
    memcpy(o->normal, touch.normal, sizeof o->normal);
    *x = (bs_meeting){.t = m->now + (m->stretch_end - m->now) * touch.t, .at_edge = touch.corner};
    x->side = side_of(m, o);
    return bs_is_solid_toward(m->w, o->box, o->normal);
}

/* --- any ------------------------------------------------------------------------------------ */

/* An obstacle that the box is in keeps it from going deeper; one that it crosses is reported. */
static bool meet_inside(const bs_move *m, bs_obstacle *o, bs_meeting *x) {
    double normal[DIM];
    if (!o->has_way_out) {
        find_way_out(m, o);
    }
    *x = (bs_meeting){.t = m->now, .side = o->side};
    bs_meeting_normal(o, x, normal);
    return o->response == BS_CROSS || o->asks || bs_way_leads_into(m, normal, o->grain);
}

static inline bool obstacle_is_met(const bs_move *m, bs_obstacle *o, const stretch *s,
                                   bs_meeting *x) {
    if (o->inside) {
        return m->in_step && meet_inside(m, o, x);
    }
    return o->exact ? meet_box(m, o, s, x) : meet_shape(m, o, s, x);
}

/* --- the order of meetings ------------------------------------------------------------------ */

/* The order of two at one time: in a step by where they are, as insertion is not to matter. */
static bool comes_first(const bs_move *m, const bs_meeting *a, const bs_meeting *b) {
    const bs_obstacle *oa = &m->obstacle[a->obstacle];
    const bs_obstacle *ob = &m->obstacle[b->obstacle];
    const bs_rect *ra = rect_of(m, oa);
    const bs_rect *rb = rect_of(m, ob);
    for (int k = 0; m->in_step && k < DIM; k++) {
        if (ra->pos[k] != rb->pos[k]) {
            return ra->pos[k] < rb->pos[k];
        }
        if (ra->size[k] != rb->size[k]) {
            return ra->size[k] < rb->size[k];
        }
    }
    return bs_world_before(m->w, oa->box, ob->box);
}

static inline bool is_sooner(const bs_move *m, const bs_meeting *a, const bs_meeting *b) {
    if (a->t != b->t) {
        return a->t < b->t;
    }
    return a->at_edge != b->at_edge ? b->at_edge : comes_first(m, a, b);
}

BS_QUEUE(queue, bs_meeting, const bs_move *, is_sooner)

bs_meeting bs_meetings_pop(bs_move *m) {
    return queue_pop(m, m->meeting, &m->meetings);
}

static stretch stretch_of(const bs_move *m) {
    stretch s = {.here = bs_way_at(m, m->now), .end = bs_way_at(m, m->stretch_end)};
    bs_minus(s.end.pos, s.here.pos, s.way);
    return s;
}

/* Writes a meeting behind the others. False if there is none. */
static inline bool find_meeting(const bs_move *m, uint32_t obstacle, const stretch *s) {
    bs_obstacle *o = &m->obstacle[obstacle];
    bs_meeting *x = &m->meeting[m->meetings];
    bool is_met = o->response != BS_PASS && obstacle_is_met(m, o, s, x);
    x->obstacle = obstacle;
    return is_met;
}

void bs_meetings_find(bs_move *m) {
    const stretch s = stretch_of(m);
    m->meetings = 0;
    m->next_within = 0;
    for (size_t i = 0; i < m->near.n; i++) {
        m->meetings += find_meeting(m, m->near.at[i], &s);
    }
    queue_order(m, m->meeting, m->meetings);
}

void bs_meetings_find_one(bs_move *m, uint32_t obstacle) {
    const stretch s = stretch_of(m);
    if (find_meeting(m, obstacle, &s)) {
        queue_rise(m, m->meeting, m->meetings++);
    }
}

/* Whether the way might lead into something that the box is in, or that is still to be told. */
static bool may_meet(const bs_move *m, const bs_obstacle *o) {
    bool moves = o->response == BS_CROSS || o->asks;
    for (int k = 0; k < DIM; k++) {
        moves = moves || m->track[k].speed != 0;
    }
    return o->response != BS_PASS && moves;
}

/*
 * All of `within` are met now, if at all: so in the order of insertion, and before what is later.
 */
bool bs_meetings_settle(bs_move *m) {
    for (; m->next_within < m->within.n; m->next_within++) {
        bs_meeting x = {.t = m->now, .obstacle = m->within.at[m->next_within]};
        bs_obstacle *o = &m->obstacle[x.obstacle];
        if (m->meetings > 0 && is_sooner(m, &m->meeting[0], &x)) {
            break;
        }
        if (may_meet(m, o) && meet_inside(m, o, &m->meeting[m->meetings])) {
            m->meeting[m->meetings].obstacle = x.obstacle;
            queue_rise(m, m->meeting, m->meetings++);
        }
    }
    return m->meetings > 0;
}

/* --- where --------------------------------------------------------------------------------- */

void bs_meeting_normal(const bs_obstacle *o, const bs_meeting *x, double normal[DIM]) {
    if (x->side.axis == BS_SLANTED) {
        memcpy(normal, o->normal, sizeof o->normal);
        return;
    }
    memset(normal, 0, sizeof o->normal);
    normal[x->side.axis] = x->side.sign;
}

/* How far from a slanted side the box stays. */
static double room_at(const bs_obstacle *o) {
    return o->grain * (BS_PLACING / BS_GRAZING);
}

/* The position of the box on the axis of a side that it meets. */
static double place_at_side(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    const bs_track *track = &m->track[x->side.axis];
    double flush = bs_flush(m->start.size[x->side.axis], rect_of(m, o), x->side);
    if (track->speed == 0 || !o->exact || (x->rounded && bs_track_is_new(m, x->side.axis, x->t))) {
        return flush;
    }
    double lo = bs_min(track->from, track->end);
    double hi = bs_max(track->from, track->end);
    return bs_max(lo, bs_min(flush, hi)); /* Neither behind its start nor beyond its end. */
}

double bs_meeting_time(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    double speed = -bs_way_speed(m, o->normal);
    bool is_before = !o->inside && x->side.axis == BS_SLANTED && speed > 0;
    return is_before ? bs_max(x->t - room_at(o) / speed, m->now) : x->t;
}

/*
 * At a slanted side, a little before it on the way, so that rounding puts the box on the right
 * side. It moves off along the normal only if it has come nearer than that; otherwise a box that
 * stands on a slope would creep down.
 */
static bs_rect place_beside(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    double off = room_at(o);
    bs_rect r = bs_way_at(m, bs_meeting_time(m, o, x));
    double gap = bs_gap_at(m->w, m->self, &r, o->box, rect_of(m, o), o->normal);
    if (gap < off / 2) {
        bs_add(r.pos, off - gap, o->normal);
    }
    return r;
}

bs_rect bs_meeting_place(const bs_move *m, const bs_obstacle *o, const bs_meeting *x) {
    if (!o->inside && x->side.axis == BS_SLANTED) {
        return place_beside(m, o, x);
    }
    bs_rect r = bs_way_at(m, x->t);
    if (!o->inside) {
        r.pos[x->side.axis] = place_at_side(m, o, x);
    }
    return r;
}
