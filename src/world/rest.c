/* rest.c: what sleeps, as steps leave it out, and what wakes it. */
#include "world_parts.h"

void bs_world_count_sleepers(bs_world *w) {
    w->sleepers = 0;
    for (uint32_t i = 0; w->rest != NULL && i < w->ids.used; i++) {
        w->sleepers += bs_world_alive(w, i) && w->rest[i].asleep;
    }
}

static void rouse_all(bs_world *w) {
    for (uint32_t i = 0; w->sleepers > 0 && i < w->ids.used; i++) {
        bs_world_rouse(w, i);
    }
    w->stirred.n = 0;
}

void bs_world_stir_at(bs_world *w, const bs_rect *place) {
    if (!bs_world_all_stirred(w) && !BS_APPEND(&w->heap, &w->stirred, *place)) {
        rouse_all(w);
    }
}

void bs_world_note_stir(bs_world *w, uint32_t box) {
    if (box == BS_NO_BOX) {
        rouse_all(w);
        return;
    }
    bs_world_rouse(w, box);
    bs_world_stir_at(w, &w->rect[box]);
}

void bs_world_unstir(bs_world *w) {
    for (size_t i = 0; i < w->befores; i++) {
        const bs_before *before = &w->before[i];
        if (before->asleep && !w->rest[before->box].asleep) {
            w->rest[before->box].asleep = true;
            w->sleepers++;
        }
    }
    if (w->stirred.n > w->stirred_before) {
        w->stirred.n = w->stirred_before;
    }
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
    if (bs_world_is_static(w, box)) {
        return false;
    }
    if (bs_world_conduct(w, box)->response == BS_PASS) {
        return flies(w, box);
    }
    return w->rest == NULL || !w->rest[box].asleep;
}
