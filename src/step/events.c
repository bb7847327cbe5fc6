/*
 * events.c: when two bodies meet, and in which order. It relies on the paths of paths.c.
 */
#include "step.h"

#include <string.h>

/* --- which two meet ------------------------------------------------------------------------- */

/* Whether two can meet at all. */
static bool may_meet(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return (a->responds || b->responds) && bs_world_layers_meet(s->w, a->box, b->box) &&
           (a->inverse_mass > 0 || b->inverse_mass > 0 || bs_do_cross(s, a, b));
}

static bool was_inserted_before(const bs_bodies *s, uint32_t a, uint32_t b) {
    return bs_world_before(s->w, s->body.at[a].box, s->body.at[b].box);
}

bool bs_body_before(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                    const bs_rect *at_b) {
    int order = bs_compare(at_a->pos, at_b->pos);
    return order != 0 ? order < 0 : was_inserted_before(s, a, b);
}

/* Whether the two meet on a straight way. Those that overlap meet if they come deeper. */
static bool meet_on_way(const bs_bodies *s, const bs_rect *ra, const bs_rect *rb,
                        const double way[DIM], bs_event *e, double *t) {
    const bs_world *w = s->w;
    uint32_t a = s->body.at[e->a].box;
    uint32_t b = s->body.at[e->b].box;
    bs_touch touch;
    bool deep;
    if (!bs_meet_at(w, a, ra, way, b, rb, &touch) ||
        (!e->crossing && bs_boxes_graze(w, a, ra, way, b, rb, &touch))) {
        return false;
    }
    *t = touch.t;
    memcpy(e->normal, touch.normal, sizeof e->normal);
    bool inside = !(bs_dot(touch.normal, touch.normal) > 0);
    if (inside && !bs_normal_inside(s, a, ra, b, rb, e->normal, &deep)) {
        return false;
    }
    if (e->crossing) {
        return true;
    }
    double closing = -bs_dot(way, e->normal);
    if (!bs_are_boxes(w, a, b) && closing > 0) {
        /* A little before, so that rounding puts them side by side. */
        *t = bs_max(*t - bs_largest_coordinate(ra, rb) * BS_PLACING / closing, 0);
    }
    return closing > 0 && bs_are_solid_at(w, a, b, e->normal, inside);
}

/* The event of two from a time until then; a is the one at the lower place. */
static bool find_event_in_order(const bs_bodies *s, uint32_t a, const bs_rect *here_a, uint32_t b,
                                const bs_rect *here_b, double t, double until, bs_event *e) {
    const bs_body *of_a = &s->body.at[a];
    const bs_body *of_b = &s->body.at[b];
    bs_rect end_a = bs_path_place(of_a, until);
    bs_rect end_b = bs_path_place(of_b, until);
    double way_a[DIM];
    double way_b[DIM];
    double way[DIM];
    double part;
    bs_minus(end_a.pos, here_a->pos, way_a);
    bs_minus(end_b.pos, here_b->pos, way_b);
    bs_minus(way_a, way_b, way);
    *e = (bs_event){.a = a, .b = b, .crossing = bs_do_cross(s, of_a, of_b)};
    if (!bs_is_finite(way) || !meet_on_way(s, here_a, here_b, way, e, &part)) {
        return false;
    }
    const double *va = bs_body_velocity(of_a);
    const double *vb = bs_body_velocity(of_b);
    double off[DIM];
    bs_minus(va, vb, off);
    double speed = -bs_dot(off, e->normal);
    e->t = t + (until - t) * part;
    e->speed = bs_max(speed, 0);
    return e->crossing || bs_is_closing(speed, va, vb);
}

/* The event of two from a time on, until one of them turns. */
static bool find_event(const bs_bodies *s, uint32_t first, uint32_t second, double from,
                       bs_event *e) {
    const bs_body *x = &s->body.at[first];
    const bs_body *y = &s->body.at[second];
    double t = bs_max(from, bs_max(x->since, y->since));
    double until = bs_min(x->until, y->until);
    if (!(t < until)) {
        return false;
    }
    bs_rect at_x = bs_path_place(x, t);
    bs_rect at_y = bs_path_place(y, t);
    return bs_body_before(s, first, &at_x, second, &at_y)
               ? find_event_in_order(s, first, &at_x, second, &at_y, t, until, e)
               : find_event_in_order(s, second, &at_y, first, &at_x, t, until, e);
}

/* So many events are kept at least until one looks which of them will not happen. */
enum { LEAST_EVENTS = 256 };

/* --- the order of events -------------------------------------------------------------------- */

/*
 * The sooner; then what is static; then the faster; then the one at the lower place; then the one
 * inserted first.
 */
static bool comes_first(const bs_bodies *s, const bs_event *x, const bs_event *y) {
    if (x->t != y->t) {
        return x->t < y->t;
    }
    if ((x->b == BS_NOBODY) != (y->b == BS_NOBODY)) {
        return x->b == BS_NOBODY;
    }
    if (x->speed != y->speed) {
        return x->speed > y->speed;
    }
    int order = bs_compare(x->at_a, y->at_a);
    order = order != 0 ? order : bs_compare(x->at_b, y->at_b);
    if (order != 0) {
        return order < 0;
    }
    return x->a != y->a ? was_inserted_before(s, x->a, y->a)
                        : x->b != y->b && was_inserted_before(s, x->b, y->b);
}

BS_QUEUE(queue, bs_event, const bs_bodies *, comes_first)

bool bs_event_holds(const bs_bodies *s, const bs_event *e) {
    return s->body.at[e->a].stamp == e->stamp_a &&
           (e->b == BS_NOBODY || s->body.at[e->b].stamp == e->stamp_b);
}

/* Forgets what will not happen, each time that the list has doubled. */
static void forget_stale(bs_bodies *s) {
    bs_events *list = &s->event;
    size_t n = 0;
    if (list->n < s->events_most) {
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        list->at[n] = list->at[i];
        n += bs_event_holds(s, &list->at[i]);
    }
    list->n = n;
    queue_order(s, list->at, n);
    s->events_most = n < LEAST_EVENTS / 2 ? LEAST_EVENTS : 2 * n;
}

static bool add_event(bs_bodies *s, const bs_event *e) {
    bs_events *list = &s->event;
    forget_stale(s);
    if (!BS_APPEND(&s->w->heap, list, *e)) {
        return false;
    }
    s->events_peak = list->n > s->events_peak ? list->n : s->events_peak;
    queue_rise(s, list->at, list->n - 1);
    return true;
}

bool bs_event_pop(bs_bodies *s, bs_event *first) {
    bs_events *list = &s->event;
    if (list->n == 0) {
        return false;
    }
    *first = queue_pop(s, list->at, &list->n);
    return true;
}

bool bs_event_expect(bs_bodies *s, uint32_t first, uint32_t second, double from) {
    bs_event e;
    const bs_body *x = &s->body.at[first];
    const bs_body *y = &s->body.at[second];
    if (!may_meet(s, x, y)) {
        return true;
    }
    bs_unite(s, first, second, BS_COMPANY);
    if (bs_are_parted(s, first, second)) {
        return true;
    }
    if (!find_event(s, first, second, from, &e)) {
        return true;
    }
    bs_body *a = &s->body.at[e.a];
    bs_body *b = &s->body.at[e.b];
    if (e.crossing && bs_have_met(s, a->box, b->box)) {
        return true;
    }
    e.stamp_a = a->stamp;
    e.stamp_b = b->stamp;
    bs_rect ra = bs_path_place(a, e.t);
    bs_rect rb = bs_path_place(b, e.t);
    memcpy(e.at_a, ra.pos, sizeof e.at_a);
    memcpy(e.at_b, rb.pos, sizeof e.at_b);
    return add_event(s, &e);
}

bool bs_event_of_turn(bs_bodies *s, uint32_t body) {
    const bs_body *b = &s->body.at[body];
    bs_event e = {.t = b->until, .a = body, .b = BS_NOBODY, .stamp_a = b->stamp};
    memcpy(e.at_a, b->end, sizeof e.at_a);
    return !b->turns || add_event(s, &e);
}

bool bs_path_is_shown(const bs_bodies *s, const bs_body *b) {
    bs_rect r = bs_path_around(s, b, false);
    return bs_is_within(&r, &s->w->rect[b->box]);
}

/* Whether a rect is not much larger than another one. */
static bool is_close_around(const bs_rect *outer, const bs_rect *inner) {
    enum { MUCH = 4 };
    double all = 0;
    double needed = 0;
    for (int k = 0; k < DIM; k++) {
        all += outer->size[k];
        needed += inner->size[k];
    }
    return all <= MUCH * needed;
}

/* Shows the back end the rect around a path, unless it knows one that is a little larger. */
static void show_path(bs_bodies *s, bs_body *b) {
    bs_rect r = bs_path_around(s, b, true);
    bs_rect *shown = &s->w->rect[b->box];
    if (bs_rect_is_box(&r) && !(bs_path_is_shown(s, b) && is_close_around(shown, &r))) {
        *shown = r;
        b->is_examined = false;
        bs_backend_moved(s->w->part[BS_DYNAMIC], &b->box, 1);
    }
}

bool bs_bodies_near(bs_bodies *s, uint32_t body) {
    const bs_rect *shown = &s->w->rect[s->body.at[body].box];
    bool done = bs_find_of_part(s, BS_DYNAMIC, shown, true, &s->near);
    for (size_t i = 0; done && i < s->near.n; i++) {
        done = bs_body_take(s, s->near.at[i]);
    }
    return done;
}

bool bs_events_of(bs_bodies *s, uint32_t body, double from) {
    show_path(s, &s->body.at[body]);
    bool done = bs_event_of_turn(s, body) && bs_bodies_near(s, body);
    for (size_t i = 0; done && i < s->near.n; i++) {
        uint32_t other = s->of[s->near.at[i]];
        done = other == body || bs_event_expect(s, body, other, from);
    }
    return done;
}
