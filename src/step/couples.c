/* couples.c: which two may meet, by what the back end sees of their ways; and who wakes by that. */
#include "step.h"

static bool add_couple(bs_bodies *s, uint32_t box, uint32_t other) {
    uint32_t a = s->of[box];
    uint32_t b = s->of[other];
    bs_couple couple = {.a = a < b ? a : b, .b = a < b ? b : a};
    return BS_APPEND(&s->w->heap, &s->couple, couple);
}

/* Whether the way of a body meets a box that sleeps. */
static bool meets_sleeper(const bs_bodies *s, uint32_t body, uint32_t box) {
    static const double still[DIM] = {0};
    const bs_world *w = s->w;
    const bs_body *b = &s->body.at[body];
    bs_meet_plane x;
    return w->conduct[box].response != BS_PASS && w->conduct[box].response != BS_CROSS &&
           !b->crosses && !bs_is_sensed(w, b->box, box) && bs_world_layers_meet(w, b->box, box) &&
           bs_plane_between(s, b, box, &w->rect[box], still, still, &x) && x.meets;
}

/* A body comes near a box that sleeps: it wakes if it would be met. */
static bool come_near(bs_bodies *s, uint32_t body, uint32_t box) {
    if (meets_sleeper(s, body, box)) {
        s->woken = true;
        return bs_sleep_wake(s, box);
    }
    return bs_body_take(s, box) && add_couple(s, s->body.at[body].box, box);
}

/* Of two boxes whose ways are near each other. */
static bool take_pair(bs_bodies *s, uint32_t a, uint32_t b) {
    bool a_sleeps = bs_sleeps(s, a);
    bool b_sleeps = bs_sleeps(s, b);
    if (a_sleeps && b_sleeps) {
        return true;
    }
    return a_sleeps   ? come_near(s, s->of[b], a)
           : b_sleeps ? come_near(s, s->of[a], b)
                      : add_couple(s, a, b);
}

static bool find_pairs(bs_bodies *s) {
    s->pairs.n = 0;
    if (!bs_backend_pairs(s->w->part[BS_DYNAMIC], &s->pairs)) {
        return false;
    }
    bs_keyed *keyed = bs_world_keyed(s->w, s->pairs.n);
    if (keyed == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->pairs.n; i++) { /* In one order, whatever the back end. */
        keyed[i] = (bs_keyed){bs_key_of_two(s->pairs.at[i].a, s->pairs.at[i].b), 0};
    }
    bs_sort(keyed, keyed + s->pairs.n, s->pairs.n);
    for (size_t i = 0; i < s->pairs.n; i++) {
        s->pairs.at[i].a = (uint32_t)(keyed[i].key >> 32);
        s->pairs.at[i].b = (uint32_t)keyed[i].key;
    }
    for (size_t i = 0; i < s->pairs.n; i++) {
        if (!take_pair(s, s->pairs.at[i].a, s->pairs.at[i].b)) {
            return false;
        }
    }
    return true;
}

/* Asks for each body that responds: what flies through itself is many, or what sleeps. */
static bool find_pairs_of_bodies(bs_bodies *s) {
    for (uint32_t i = 0, n = (uint32_t)s->body.n; i < n; i++) {
        uint32_t box = s->body.at[i].box;
        bool responds = s->body.at[i].responds;
        if (s->body.at[i].slept || !(responds || s->w->sleepers > 0)) {
            continue;
        }
        if (!bs_find_of_part(s, BS_DYNAMIC, &s->w->rect[box], true, &s->near)) {
            return false;
        }
        for (size_t k = 0; k < s->near.n; k++) {
            uint32_t other = s->of[s->near.at[k]];
            bool sleeps = bs_sleeps(s, s->near.at[k]);
            bool later = sleeps || other > i || !s->body.at[other].responds;
            if (other != i && later && (responds || sleeps) && !take_pair(s, box, s->near.at[k])) {
                return false;
            }
        }
    }
    return true;
}

bool bs_couples_find(bs_bodies *s) {
    enum { FEW = 8 };
    const bs_world *w = s->w;
    do {
        s->woken = false;
        s->couple.n = 0;
        uint32_t responders = 0;
        for (size_t i = 0; i < s->body.n; i++) {
            responders += s->body.at[i].responds;
        }
        bool few = (size_t)responders * FEW < w->part[BS_DYNAMIC]->count &&
                   (w->sleepers == 0 || s->body.n * FEW < w->part[BS_DYNAMIC]->count);
        if (!(few ? find_pairs_of_bodies(s) : find_pairs(s))) {
            return false;
        }
        if (s->woken) {
            if (!bs_presses_begin(s)) {
                return false;
            }
            bs_ways_show(s);
        }
    } while (s->woken);
    return true;
}
