/*
 * sleep.c: what is at rest, and costs nothing until something comes near. It relies on the paths of
 * bodies.c.
 *
 * A step is a function of what takes part in it. Bodies whose paths come near each other are a
 * company, and no other body has a part in theirs. If a company is after a step what it was before
 * it, to the last bit, the next step would do the same again. So it is left out, and its hits are
 * told again, until something in it or beside it is changed, or a path comes near. No answer
 * depends on that.
 */
#include "bodies.h"

#include <string.h>

/* --- what is stirred ------------------------------------------------------------------------ */

/* Takes a box and its company out of sleep. */
static void rouse(bs_bodies *s, uint32_t box) {
    while (bs_sleeps(s, box)) {
        uint32_t next = s->sleeper[box].next;
        s->sleeper[box].next = BS_NOBODY;
        s->w->sleepers--;
        box = next;
    }
}

void bs_sleep_stir(bs_world *w, uint32_t box) {
    bs_bodies *s = w->bodies;
    bs_rects *list = &s->stirred;
    if (box == BS_NO_BOX) {
        s->all_stirred = true;
        return;
    }
    if (box < s->sleeper_cap) {
        rouse(s, box);
    }
    s->all_stirred =
        s->all_stirred || list->n >= w->state.count ||
        !bs_array_reserve(&w->heap, &list->at, &list->cap, list->n + 1, sizeof *list->at);
    if (!s->all_stirred) {
        list->at[list->n++] = w->rect[box];
    }
}

/* Rouses what sleeps beside a place where something has changed. */
static bool rouse_beside(bs_bodies *s, const bs_rect *place) {
    bs_backend *moving = s->w->part[BS_DYNAMIC];
    bs_rect r = bs_rect_beside(place);
    if (!bs_rect_is_query(&r)) {
        s->all_stirred = true;
        return true;
    }
    s->near.n = 0;
    if (!bs_backend_query(moving, &r, &s->near)) {
        return false;
    }
    for (size_t i = 0; i < s->near.n; i++) {
        rouse(s, s->near.at[i]);
    }
    return true;
}

bool bs_sleep_begin(bs_bodies *s) {
    static const bs_sleeper awake = {BS_NOBODY, 0, 0};
    static const bs_column sleepers = {.at = offsetof(bs_bodies, sleeper),
                                       .cap = offsetof(bs_bodies, sleeper_cap),
                                       .size = sizeof *s->sleeper,
                                       .usual = &awake};
    if (!bs_column_reserve(&s->w->heap, s, &sleepers, s->w->ids.used)) {
        return false;
    }
    for (size_t i = 0; !s->all_stirred && i < s->stirred.n; i++) {
        if (!rouse_beside(s, &s->stirred.at[i])) {
            return false;
        }
    }
    for (size_t i = 0; s->all_stirred && s->w->sleepers > 0 && i < s->sleeper_cap; i++) {
        rouse(s, (uint32_t)i);
    }
    s->all_stirred = false;
    s->stirred.n = 0;
    return true;
}

bool bs_sleep_wake(bs_bodies *s, uint32_t box) {
    while (bs_sleeps(s, box)) {
        uint32_t next = s->sleeper[box].next;
        s->sleeper[box].next = BS_NOBODY;
        s->w->sleepers--;
        s->woken.at[s->woken.n++] = (uint32_t)s->body.n;
        if (!bs_body_begin(s, box)) {
            s->all_stirred = true;
            return false;
        }
        bs_ends_enqueue(s, s->of[box]);
        box = next;
    }
    return true;
}

/* Whether velocity or forces move a box. */
static bool flies(const bs_world *w, uint32_t box) {
    static const bs_motion rest;
    const bs_motion *m = w->motion != NULL ? &w->motion[box] : &rest;
    const double scale = bs_world_conduct(w, box)->gravity_scale;
    bool moves = false;
    for (int k = 0; k < DIM; k++) {
        moves |= m->velocity[k] != 0 || w->state.gravity[k] * scale + m->acceleration[k] != 0;
    }
    return moves;
}

bool bs_world_is_awake(const bs_world *w, uint32_t box) {
    const bs_bodies *s = w->bodies;
    if (bs_world_is_static(w, box)) {
        return false;
    }
    if (bs_world_conduct(w, box)->response == BS_PASS) {
        return flies(w, box);
    }
    return s == NULL || box >= s->sleeper_cap || s->all_stirred || !bs_sleeps(s, box);
}

/* --- companies ------------------------------------------------------------------------------ */

/* Whether the step has changed a body: its place or its velocity, in any bit. */
static bool is_changed(const bs_bodies *s, const bs_body *b) {
    const bs_waypoint *last = bs_path_last(s, b);
    return memcmp(b->end, b->start.pos, sizeof b->end) != 0 ||
           memcmp(last->velocity, s->w->motion[b->box].velocity, sizeof last->velocity) != 0;
}

void bs_sleep_end(bs_bodies *s) {
    bs_body *list = s->body.at;
    for (uint32_t i = 0; i < s->body.n; i++) {
        list[bs_first_of(s, i, BS_COMPANY)].has_changed |= is_changed(s, &list[i]);
    }
    s->reach = s->w->sleepers > 0 ? s->reach : 0;
    for (uint32_t i = 0; i < s->body.n; i++) {
        uint32_t first = bs_first_of(s, i, BS_COMPANY);
        if (list[first].has_changed) {
            continue;
        }
        s->reach = bs_max(list[i].reach, s->reach);
        uint32_t box = list[i].box;
        uint32_t head = list[first].box;
        if (!bs_sleeps(s, head)) { /* A ring of one. */
            s->sleeper[head].next = head;
            s->w->sleepers++;
        }
        if (box != head) { /* Into the ring, behind the head. */
            s->sleeper[box].next = s->sleeper[head].next;
            s->sleeper[head].next = box;
            s->w->sleepers++;
        }
    }
}
