/*
 * gather.c: what meets too often in a step. From then on it is parted by planes, as what presses is
 * at the start: so a ball that is squeezed costs no more than some contacts, and nothing is lost of
 * what bodies have.
 */
#include "step.h"

#include <string.h>

enum { REST = 8 }; /* So many contacts a body may have until it is gathered again. */

bool bs_are_parted(const bs_bodies *s, uint32_t a, uint32_t b) {
    const bs_body *x = &s->body.at[a];
    const bs_body *y = &s->body.at[b];
    return x->group == y->group && x->group != BS_NOBODY && s->parted.size > 0 &&
           *bs_table_value(&s->parted, bs_key_of_two(x->box, y->box)) == x->group;
}

/* A body is where it is now. */
static void bring(bs_bodies *s, uint32_t body) {
    bs_body *b = &s->body.at[body];
    memcpy(b->velocity, bs_own_velocity(b), sizeof b->velocity);
    b->place = bs_path_place(b, s->now);
    b->was_tired = true;
}

/* Looks at two; the other one has not been looked at yet. */
static bool look_at(bs_bodies *s, uint32_t body, uint32_t other) {
    bs_body *y = &s->body.at[other];
    bs_couple c = {.a = body < other ? body : other, .b = body < other ? other : body};
    if (y->group != s->group) {
        bring(s, other);
    }
    bool slept = y->slept;
    y->slept = false; /* It takes part, if it is parted from the other one by a plane. */
    if (!bs_planes_look_at(s, &c, true)) {
        return false;
    }
    if (c.fate != BS_PRESS) {
        y->slept = slept;
        return true;
    }
    y->is_struck |= slept;
    if (!bs_table_reserve(&s->w->heap, &s->parted, s->plane.n)) {
        return false;
    }
    *bs_table_value(&s->parted, bs_key_of_two(s->body.at[body].box, y->box)) = s->group;
    return true;
}

/* Looks at all that a member of the group may meet. */
static bool look_around(bs_bodies *s, uint32_t body) {
    bool presses;
    bool done = bs_bodies_near(s, body);
    for (size_t i = 0; done && i < s->near.n; i++) {
        uint32_t other = s->of[s->near.at[i]];
        done = other == body || bs_are_parted(s, body, other) || look_at(s, body, other);
    }
    s->body.at[body].knows_static = false;
    return done && bs_planes_look_at_static(s, body, &presses);
}

/* What does not give way belongs to the planes, too. */
static void add_firm(bs_bodies *s, size_t first_plane) {
    for (size_t i = first_plane; i < s->plane.n; i++) {
        const uint32_t both[] = {s->plane.at[i].a, s->plane.at[i].b};
        for (int k = 0; k < 2; k++) {
            if (both[k] != BS_NOBODY && s->body.at[both[k]].group != s->group) {
                s->body.at[both[k]].group = s->group;
                s->ranked.at[s->ranked.n++] = both[k];
            }
        }
    }
}

/* What presses now is to press in the next step, too. The planes are not needed any more. */
static bool defer(bs_bodies *s, size_t first_plane) {
    for (size_t i = first_plane; i < s->plane.n; i++) {
        const bs_plane *p = &s->plane.at[i];
        if (p->push > 0 && !bs_presses_defer(s, s->body.at[p->a].box, p->box)) {
            return false;
        }
    }
    s->plane.n = first_plane;
    return true;
}

/* The body goes on at its new velocity. */
static bool go_on(bs_bodies *s, uint32_t body) {
    bs_body *b = &s->body.at[body];
    double v[DIM];
    memcpy(v, b->velocity, sizeof v);
    b->is_held = false;
    b->gathers = b->is_straight ? b->gathers + 1 : BS_MOST_GATHERS; /* It is squeezed. */
    b->contacts = (uint8_t)bs_min(b->contacts, BS_MOST_CONTACTS - REST);
    if (!bs_path_make(s, b, &b->place, s->now, v)) {
        return false;
    }
    b->is_straight = false; /* Not from the start on. */
    return true;
}

/* One of the two that meet joins; it does not sleep any longer. */
static void start(bs_bodies *s, uint32_t body) {
    bs_body *b = &s->body.at[body];
    bring(s, body);
    b->is_struck |= b->slept;
    b->slept = false;
    bs_planes_look_around(s, body);
}

/* Finds the planes of two that meet, and of all that these press on, who are in `ranked`. */
static bool find_members(bs_bodies *s, uint32_t a, uint32_t b, double t) {
    s->now = t;
    s->span = s->dt * (1 - t);
    s->group++;
    s->ranked.n = 0;
    bs_table_clear(&s->parted); /* Of others no paths are changed. */
    if (!bs_list_reserve(&s->w->heap, &s->ranked, s->w->state.count)) {
        return false;
    }
    start(s, a);
    start(s, b);
    for (size_t i = 0; i < s->ranked.n; i++) { /* It grows. */
        if (!bs_path_pass(s, &s->body.at[s->ranked.at[i]], t) || !look_around(s, s->ranked.at[i])) {
            return false;
        }
    }
    return true;
}

/* All that give way go on; what they meet then is known once all have their paths. */
static bool go_on_all(bs_bodies *s) {
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < s->ranked.n; k++) {
            uint32_t body = s->ranked.at[k];
            bool gives = bs_inverse_mass(&s->body.at[body]) > 0;
            if (gives && !(i == 0 ? go_on(s, body) : bs_events_of(s, body, s->now))) {
                return false;
            }
        }
    }
    return true;
}

bool bs_gather(bs_bodies *s, uint32_t a, uint32_t b, double t, bool *done) {
    size_t first_plane = s->plane.n;
    if (!find_members(s, a, b, t)) {
        return false;
    }
    *done = bs_are_parted(s, a, b);
    if (!*done) {
        s->plane.n = first_plane;
        return true;
    }
    add_firm(s, first_plane);
    for (size_t i = 0; i < s->ranked.n; i++) {
        bs_body *member = &s->body.at[s->ranked.at[i]];
        member->is_straight = true;
        member->is_firm = false;
        member->cuts = 0;
    }
    return bs_islands_solve(s, first_plane) && defer(s, first_plane) && go_on_all(s);
}
