/* collide.c: what becomes of two that meet: new paths for both. */
#include "step.h"

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
    double rest = s->dt * bs_max(1 - e->t, BS_LAST_SPEED);
    if (bs_are_boxes(w, a, b)) {
        return 0;
    }
    double largest = bs_largest_coordinate(ra, rb);
    double off = largest * BS_PLACING;
    double gap = bs_gap_at(w, a, ra, b, rb, e->normal);
    return gap < off / 2 && gap > -largest * BS_HERE ? (off - gap) / rest : 0;
}

bool bs_tell_two(bs_bodies *s, bs_body *a, const bs_rect *at_a, bs_body *b, uint32_t box,
                 const bs_rect *at_b, bs_step_hit *hit) {
    const bs_world *w = s->w;
    bool a_tells = b == NULL || (a->responds && (!b->responds || bs_world_before(w, a->box, box)));
    bs_body *teller = a_tells ? a : b;
    bs_contact_place_at(w, a->box, at_a, box, at_b, hit->normal, hit->place);
    hit->box = bs_world_id(w, teller->box);
    hit->other = bs_world_id(w, a_tells ? box : a->box);
    if (hit->response != BS_CROSS) {
        hit->response = bs_response_told(w, teller->box, hit->response == BS_BOUNCE);
    }
    for (int k = 0; !a_tells && k < DIM; k++) {
        hit->normal[k] = 0 - hit->normal[k];
    }
    return bs_body_tell(s, hit);
}

static bool tell(bs_bodies *s, const bs_event *e, double impulse, bs_response response) {
    bs_step_hit hit = {.t = e->t, .speed = e->speed, .impulse = impulse, .response = response};
    memcpy(hit.normal, e->normal, sizeof hit.normal);
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    bs_rect ra = bs_path_place(a, e->t);
    bs_rect rb = bs_path_place(b, e->t);
    return bs_tell_two(s, a, &ra, b, b->box, &rb, &hit);
}

/* A body takes another way from t on. */
static bool redirect(bs_bodies *s, uint32_t body, double t, const double velocity[DIM]) {
    bs_body *b = &s->body.at[body];
    bs_rect r = bs_path_place(b, t);
    b->is_struck |= b->slept;
    b->slept = false;
    b->walls = 0;
    bs_body_stray(s, b);
    return bs_path_make(s, b, &r, t, velocity) && bs_events_of(s, body, t);
}

static bool has_velocity(const bs_body *b, const double v[DIM]) {
    return memcmp(v, bs_body_velocity(b), DIM * sizeof *v) == 0;
}

static bool redirect_if_changed(bs_bodies *s, uint32_t body, double t, const double v[DIM]) {
    bs_body *b = &s->body.at[body];
    if (!(b->inverse_mass > 0) || (has_velocity(b, v) && !b->is_stuck)) {
        return true;
    }
    return redirect(s, body, t, v);
}

/* So much counts a contact that leaves the next one to planes, and one that gives energy. */
enum { SLOW = 4, GIVES = 12 };

static void count(bs_body *b, const bs_outcome *out) {
    int by = out->is_slow ? SLOW : out->gives ? GIVES : 1;
    b->contacts = (uint8_t)bs_min(b->contacts + by, BS_MOST_CONTACTS);
}

static bool is_tired(const bs_body *b) {
    return b->inverse_mass > 0 && b->contacts >= BS_MOST_CONTACTS;
}

static bool may_gather(const bs_bodies *s, const bs_event *e) {
    return s->body.at[e->a].gathers < BS_MOST_GATHERS &&
           s->body.at[e->b].gathers < BS_MOST_GATHERS && 1 - e->t > BS_LAST_PART && s->dt > 0;
}

/* Two that have met too often stop where they would overlap, and keep their velocities. */
static bool stop_both(bs_bodies *s, const bs_event *e, bool closing) {
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    double va[DIM];
    double vb[DIM];
    memcpy(va, bs_body_velocity(a), sizeof va);
    memcpy(vb, bs_body_velocity(b), sizeof vb);
    bs_body *both[] = {a, b};
    const uint32_t number[] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        if (!both[i]->is_held) {
            memcpy(both[i]->velocity, bs_own_velocity(both[i]), sizeof va);
        }
    }
    if (closing && !bs_presses_defer(s, a->box, b->box)) {
        return false;
    }
    bs_mover of_a = bs_mover_of(a, va);
    bs_mover of_b = bs_mover_of(b, vb);
    if (!bs_movers_cut(&of_a, &of_b, e->normal, 0)) {
        return true;
    }
    bs_mover_leave(&of_a, a);
    bs_mover_leave(&of_b, b);
    for (int i = 0; i < 2; i++) {
        const double *v = i == 0 ? of_a.velocity : of_b.velocity;
        if (both[i]->inverse_mass > 0 && !has_velocity(both[i], v)) {
            both[i]->is_held = true;
            if (!redirect(s, number[i], e->t, v)) {
                return false;
            }
        }
    }
    return true;
}

/* Two that close in hit each other, and go other ways. */
static bool hit(bs_bodies *s, bs_event *e, double speed) {
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    bs_outcome out;
    e->speed = speed;
    bs_rect ra = bs_path_place(a, e->t);
    bs_rect rb = bs_path_place(b, e->t);
    e->parting = parting_of(s, e, &ra, &rb);
    if (a->inverse_mass > 0 && b->inverse_mass > 0) {
        bs_unite(s, e->a, e->b, BS_HEAP); /* One may not stay where the other one goes. */
    }
    bs_impact(s, e, &out);
    count(a, &out);
    count(b, &out);
    a->is_held = b->is_held = false;
    return tell(s, e, out.impulse, out.rests ? BS_SLIDE : BS_BOUNCE) &&
           redirect_if_changed(s, e->a, e->t, out.va) && redirect_if_changed(s, e->b, e->t, out.vb);
}

/* A body comes to something static. */
static bool turn(bs_bodies *s, const bs_event *e) {
    return bs_path_turn(s, e->a) && bs_events_of(s, e->a, e->t);
}

static bool collide(bs_bodies *s, bs_event *e) {
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    if (!bs_path_pass(s, a, e->t) || !bs_path_pass(s, b, e->t)) {
        return false;
    }
    if (e->crossing) {
        return tell(s, e, 0, BS_CROSS);
    }
    const double *va = bs_own_velocity(a);
    const double *vb = bs_own_velocity(b);
    double off[DIM];
    bs_minus(va, vb, off);
    double speed = -bs_dot(off, e->normal);
    bool closing = bs_is_closing(speed, va, vb);
    bool tired = is_tired(a) || is_tired(b);
    bool gathered = false;
    if (closing && tired && may_gather(s, e) && !bs_gather(s, e->a, e->b, e->t, &gathered)) {
        return false;
    }
    if (gathered) {
        return true;
    }
    return closing && !tired ? hit(s, e, speed)
                             : tell(s, e, 0, BS_SLIDE) && stop_both(s, e, closing);
}

bool bs_events_run(bs_bodies *s) {
    bs_event e;
    while (bs_event_pop(s, &e)) {
        if (bs_event_holds(s, &e) && !(e.b == BS_NOBODY ? turn(s, &e) : collide(s, &e))) {
            return false;
        }
    }
    return true;
}
