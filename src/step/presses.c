/*
 * presses.c: what has pressed on what, from one step to the next: so a solution begins with what is
 * nearly right, and who has met too often presses in the next step.
 */
#include "step.h"

#include <string.h>

/* Finds the box of an id; false if it was removed. All ids are of this history. */
static bool find_box(const bs_world *w, bs_id id, uint32_t *box) {
    *box = bs_id_index(id);
    return bs_world_alive(w, *box) && bs_world_id(w, *box) == id;
}

/* The boxes of a press. False: one of them was removed. */
static bool find_both(const bs_world *w, const bs_press *press, uint32_t *a, uint32_t *b) {
    return find_box(w, press->a, a) && find_box(w, press->b, b);
}

bool bs_presses_begin(bs_bodies *s) {
    const bs_world *w = s->w;
    bs_table_clear(&s->pressed);
    if (w->presses.n == 0) {
        return true;
    }
    if (!bs_table_reserve(&s->w->heap, &s->pressed, w->presses.n)) {
        return false;
    }
    for (size_t i = 0; i < w->presses.n; i++) {
        uint32_t a, b;
        if (!find_both(w, &w->presses.at[i], &a, &b)) {
            continue;
        }
        *bs_table_value(&s->pressed, bs_key_of_two(a, b)) = i + 1;
        for (int k = 0; k < 2; k++) {
            uint32_t body = s->of[k == 0 ? a : b];
            if (body != BS_NOBODY) {
                s->body.at[body].was_pressed = true;
                s->body.at[body].was_tired |= w->presses.at[i].push == 0;
            }
        }
    }
    return true;
}

const bs_press *bs_press_of(const bs_bodies *s, uint32_t a, uint32_t b) {
    uint64_t i = s->pressed.size > 0 ? *bs_table_value(&s->pressed, bs_key_of_two(a, b)) : 0;
    return i > 0 ? &s->w->presses.at[i - 1] : NULL;
}

bool bs_presses_defer(bs_bodies *s, uint32_t box, uint32_t other) {
    bs_press press = {.a = bs_world_id(s->w, box), .b = bs_world_id(s->w, other)};
    return BS_APPEND(&s->w->heap, &s->presses, press);
}

static bool rests(const bs_world *w, uint32_t box) {
    return w->rest[box].asleep || bs_world_is_static(w, box);
}

bool bs_presses_end(bs_bodies *s) {
    const bs_world *w = s->w;
    for (size_t i = 0; i < s->plane.n; i++) {
        const bs_plane *p = &s->plane.at[i];
        bs_press press = {.a = bs_world_id(w, s->body.at[p->a].box), .b = bs_world_id(w, p->box)};
        if (p->push < HUGE_VAL && bs_is_finite(p->rub)) { /* Else they only press. */
            press.push = p->push;
            memcpy(press.rub, p->rub, sizeof press.rub);
        }
        if (p->push > 0 && !BS_APPEND(&s->w->heap, &s->presses, press)) {
            return false;
        }
    }
    for (size_t i = 0; i < w->presses.n; i++) { /* Of what sleeps. */
        uint32_t a, b;
        bool there = find_both(w, &w->presses.at[i], &a, &b);
        bool sleep = there && (s->dt == 0 || (rests(w, a) && rests(w, b)));
        if (sleep && !BS_APPEND(&s->w->heap, &s->presses, w->presses.at[i])) {
            return false;
        }
    }
    return true;
}
