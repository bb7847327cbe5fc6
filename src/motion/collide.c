/*
 * collide.c: what becomes of two that meet: new paths for both, and for their clumps.
 */
#include "bodies.h"

#include <string.h>

/*
 * The speed at which two shapes that rounding has brought too near are to part, so that they are as
 * far apart as they should be at the end of the step; 0 for others.
 */
static double parting_of(const bs_bodies *s, const bs_event *e, const bs_rect *ra,
                         const bs_rect *rb) {
    const bs_world *w = s->w;
    uint32_t a = s->body.at[e->a].box;
    uint32_t b = s->body.at[e->b].box;
    double rest = s->dt * bs_max(1 - e->t, 0x1p-6);
    if (bs_are_boxes(w, a, b)) {
        return 0;
    }
    double largest = bs_largest_coordinate(ra, rb);
    double off = largest * BS_PLACING;
    double gap = bs_gap_at(w, a, ra, b, rb, e->normal);
    return gap < off / 2 && gap > -largest * BS_HERE ? (off - gap) / rest : 0;
}

static bool tell(bs_bodies *s, const bs_event *e, double impulse, bool bounced) {
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    bool a_tells = a->responds && (!b->responds || bs_world_before(s->w, a->box, b->box));
    bs_body *teller = a_tells ? a : b;
    bs_response response = (bs_response)s->w->conduct[teller->box].response;
    response = response == BS_BOUNCE && !bounced ? BS_SLIDE : response;
    bs_step_hit hit = {.t = e->t, .speed = e->speed, .impulse = impulse};
    hit.box = bs_world_id(s->w, teller->box);
    hit.other = bs_world_id(s->w, a_tells ? b->box : a->box);
    hit.response = e->crossing ? BS_CROSS : response;
    for (int k = 0; k < DIM; k++) {
        hit.normal[k] = a_tells ? e->normal[k] : 0 - e->normal[k];
    }
    bs_rect ra = bs_path_place(s, a, e->t);
    bs_rect rb = bs_path_place(s, b, e->t);
    bs_contact_place_at(s->w, a->box, &ra, b->box, &rb, e->normal, hit.place);
    return bs_body_tell(s, teller, &hit);
}

static bool add_joint(bs_bodies *s, const bs_joint *joint) {
    bs_joints *list = &s->joint;
    if (!bs_array_reserve(&s->w->heap, &list->at, &list->cap, list->n + 1, sizeof *list->at)) {
        return false;
    }
    list->at[list->n++] = *joint;
    return true;
}

/* Notes that one of the two is to lie flush on the other at the end of the step. */
static bool join(bs_bodies *s, const bs_event *e, const bs_outcome *out) {
    bs_box_side side = bs_side_of(e->normal);
    bool is_flush = out->rests && side.axis != BS_SLANTED &&
                    bs_are_boxes(s->w, s->body.at[e->a].box, s->body.at[e->b].box);
    return !is_flush || add_joint(s, out->a_is_put ? &(bs_joint){e->a, e->b, side}
                                                   : &(bs_joint){e->b, e->a, bs_opposite(side)});
}

/* What all bodies of a clump have met on their paths until then. */
static bool pass_clump(bs_bodies *s, bs_body *clump, double t) {
    bs_body *b = clump;
    do {
        if (!bs_path_pass(s, b, t)) {
            return false;
        }
        b = &s->body.at[b->next];
    } while (b != clump);
    return true;
}

/* Whether a body stays where it is from then on. */
static bool stays(const bs_bodies *s, const bs_body *b, double t) {
    const bs_waypoint *last = bs_path_last(s, b);
    return last->t <= t && bs_is_still(last->velocity);
}

/* New paths for all bodies of a clump, but for those that stay where they are. */
static bool redirect(bs_bodies *s, bs_body *clump, double t, const double velocity[DIM]) {
    bool stops = bs_is_still(velocity);
    uint32_t first = clump->clump;
    uint32_t i = first;
    do {
        bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_place(s, b, t);
        if (!(stops && stays(s, b, t)) && !bs_path_make(s, b, &r, t, velocity)) {
            return false;
        }
        i = b->next;
    } while (i != first);
    do {
        const bs_body *b = &s->body.at[i];
        bool has_turned = s->path.at[b->piece].t == t;
        i = b->next;
        if (has_turned && !bs_events_of(s, (uint32_t)(b - s->body.at), t)) {
            return false;
        }
    } while (i != first);
    return true;
}

static bool has_velocity(const bs_bodies *s, const bs_body *clump, double t, const double v[DIM]) {
    return memcmp(v, bs_body_velocity(s, clump->clump, t), DIM * sizeof *v) == 0;
}

/* Slow contacts, as in a heap, count more, and those of bodies that overlap still more. */
enum { SLOW = 8, INSIDE = 16 };

static void count(bs_body *clump, int contacts) {
    clump->contacts = (uint8_t)(clump->contacts + contacts);
}

/* Two clumps are one from now on. It goes on once all that meet at this time have met. */
static bool unite(bs_bodies *s, const bs_event *e, const double velocity[DIM]) {
    if (!bs_clump_merge(s, e->a, e->b)) {
        return false;
    }
    bs_body *clump = bs_clump_of(s, e->a);
    memcpy(clump->velocity, velocity, sizeof clump->velocity);
    if (!clump->waits) {
        clump->waits = true;
        s->waiting.at[s->waiting.n++] = clump->clump;
    }
    return true;
}

/* A clump that has grown goes on. */
static bool go_on(bs_bodies *s, bs_body *clump, double t) {
    clump->waits = false;
    bs_rest_velocity(s, clump, t, clump->velocity);
    return redirect(s, clump, t, clump->velocity);
}

/* A body of a clump has met something static. */
static bool meet_wall(bs_bodies *s, const bs_event *e) {
    bs_body *clump = bs_clump_of(s, e->a);
    double velocity[DIM] = {0};
    if (clump->waits) {
        return go_on(s, clump, e->t);
    }
    if (!pass_clump(s, clump, e->t)) {
        return false;
    }
    bs_clump_tire(clump);
    count(clump, SLOW);
    if (!clump->is_jammed) {
        memcpy(velocity, bs_body_velocity(s, clump->clump, e->t), sizeof velocity);
        bs_rest_velocity(s, clump, e->t, velocity);
    }
    return redirect(s, clump, e->t, velocity);
}

static bool go_on_all(bs_bodies *s, double t) {
    while (s->waiting.n > 0) {
        bs_body *b = &s->body.at[s->waiting.at[--s->waiting.n]];
        if (b->waits && !go_on(s, bs_clump_of(s, b->clump), t)) {
            return false;
        }
    }
    return true;
}

/* Two that give way belong to one heap; what moves, and does not, carries the other. */
static void note_heap(bs_bodies *s, const bs_event *e) {
    double weight_of_a = bs_clump_of(s, e->a)->weight;
    double weight_of_b = bs_clump_of(s, e->b)->weight;
    if (weight_of_a > 0 && weight_of_b > 0) {
        bs_heap_unite(s, e->a, e->b);
    } else if (bs_length(bs_body_velocity(s, weight_of_a > 0 ? e->b : e->a, e->t)) > 0) {
        s->body.at[weight_of_a > 0 ? e->a : e->b].is_carried = true;
    }
}

/* Whether an event is still to come: both have the paths on which it was found. */
static bool holds(const bs_bodies *s, const bs_event *e) {
    const bs_body *a = &s->body.at[e->a];
    const bs_body *b = e->b == BS_NOBODY ? NULL : &s->body.at[e->b];
    return a->stamp == e->stamp_a &&
           (b == NULL || (b->stamp == e->stamp_b && a->clump != b->clump));
}

static bool collide(bs_bodies *s, bs_event *e) {
    bs_body *a = bs_clump_of(s, e->a);
    bs_body *b = bs_clump_of(s, e->b);
    bs_outcome out;
    if (!pass_clump(s, a, e->t) || !pass_clump(s, b, e->t)) {
        return false;
    }
    if (e->crossing) {
        return tell(s, e, 0, false);
    }
    if ((a->waits || b->waits) && !(a->weight > 0 && b->weight > 0)) {
        if (!go_on(s, a->waits ? a : b, e->t)) {
            return false;
        }
        if (!holds(s, e)) { /* The clump has another path now. If it stays, it is met. */
            return true;
        }
    }
    bool jammed = a->is_jammed && b->is_jammed;
    bs_clump_tire(a);
    bs_clump_tire(b);
    bs_rect ra = bs_path_place(s, &s->body.at[e->a], e->t);
    bs_rect rb = bs_path_place(s, &s->body.at[e->b], e->t);
    e->parting = parting_of(s, e, &ra, &rb);
    if (!bs_impact(s, e, &out)) {
        return false;
    }
    if (!out.sticks) {
        int contacts = e->inside ? INSIDE : out.is_slow ? SLOW : 1;
        count(a, contacts);
        count(b, contacts);
    }
    note_heap(s, e);
    if (!tell(s, e, out.impulse, !out.rests) || !join(s, e, &out)) {
        return false;
    }
    if (out.sticks) {
        return unite(s, e, out.va);
    }
    bool a_changes = !has_velocity(s, a, e->t, out.va);
    bool b_changes = !has_velocity(s, b, e->t, out.vb);
    return jammed || ((!a_changes || redirect(s, a, e->t, out.va)) &&
                      (!b_changes || redirect(s, b, e->t, out.vb)));
}

bool bs_events_run(bs_bodies *s) {
    double now = 0;
    while (s->event.n > 0 || s->waiting.n > 0) {
        bs_event e;
        bool is_over = s->event.n == 0 || s->event.at[0].t > now;
        bool done = true;
        if (is_over && s->waiting.n > 0) {
            done = go_on_all(s, now);
        } else if (bs_event_pop(s, &e)) {
            now = e.t;
            done = !holds(s, &e) || (e.b == BS_NOBODY ? meet_wall(s, &e) : collide(s, &e));
        }
        if (!done || !bs_events_of_woken(s)) {
            return false;
        }
    }
    return true;
}
