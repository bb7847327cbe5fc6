/* movers.c: spawning, stepping and firing of the plain pool. */
#include "movers.h"
#include "pool/pool_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

bs_rect plain_box(const double centre[DIM], const double size[DIM]) {
    bs_rect r;
    for (int k = 0; k < DIM; k++) {
        r.size[k] = size[k];
        r.pos[k] = centre[k] - size[k] / 2;
    }
    return r;
}

bs_rect plain_way(const plain_mover *m, double motion[DIM]) {
    for (int k = 0; k < DIM; k++) {
        motion[k] = m->shot.place[k] - m->before[k];
    }
    return plain_box(m->before, m->shot.size);
}

const plain_mover *plain_flown(const plain_pool *p, uint32_t i) {
    return i < p->n ? &p->mover[i] : i - p->n < p->ended ? &p->last[i - p->n] : NULL;
}

/* --- coming and going ----------------------------------------------------------------------- */

/* The pool supplies what the model leaves open: a size below 0, a mask that it does not have. */
bs_shot plain_shot(const plain_pool *p, const bs_model *model) {
    bs_shot shot = {.mask = p->settings.mask, .model = model};
    for (int k = 0; k < DIM; k++) {
        bool own = model != NULL && model->size[k] >= 0;
        shot.size[k] = own ? model->size[k] : p->settings.size[k];
        shot.acceleration[k] = model != NULL ? model->acceleration[k] : 0;
    }
    if (model != NULL) {
        shot.life = model->life;
        shot.tag = model->tag;
        shot.mask = model->has_mask ? model->mask : shot.mask;
    }
    return shot;
}

/* Live movers overwrite ended ones, the first of these first. */
bool plain_spawn(plain_pool *p, const bs_shot *shot) {
    if (p->n == p->settings.capacity) {
        return false;
    }
    if (p->n + p->ended == p->settings.capacity) {
        plain_forget(p, 0);
    }
    plain_mover m = {.shot = *shot, .still = true};
    memcpy(m.before, shot->place, sizeof m.before);
    for (uint32_t i = 0; shot->model != NULL && i < shot->model->emitters; i++) {
        m.timer[i] = plain_start(&shot->model->emitter[i]);
    }
    p->mover[p->n++] = m;
    return true;
}

/* The last one takes its index. */
void plain_remove(plain_pool *p, uint32_t mover) {
    p->mover[mover] = p->mover[--p->n];
}

/* The first ended one takes its index. */
void plain_forget(plain_pool *p, uint32_t ended) {
    p->last[ended] = p->last[0];
    memmove(&p->last[0], &p->last[1], --p->ended * sizeof p->last[0]);
}

/* --- firing --------------------------------------------------------------------------------- */

plain_timer plain_start(const bs_pattern *pattern) {
    return (plain_timer){pattern->delay, pattern->count};
}

/*
 * One step of a pattern. A shot without room, without a finite place or without a finite velocity
 * is dropped. Directions are the core's own, which spec/pool/emitters_spec.lua compares with
 * angles. This only tests what a pool makes of them.
 */
static void fire(plain_pool *p, plain_timer *timer, const bs_pattern *pattern,
                 const double origin[DIM], const double ahead[DIM]) {
    if (timer->left == 0 || timer->wait > 0) {
        timer->wait -= timer->wait > 0;
        return;
    }
    timer->wait = pattern->cycle - 1;
    timer->left -= timer->left > 0;
    bs_shot shot = plain_shot(p, pattern->model);
    for (int k = 0; k < DIM; k++) {
        shot.place[k] = origin[k] + pattern->offset[k];
    }
    bs_rect box = plain_box(shot.place, shot.size);
    uint32_t room = oracle_is_rect(&box, true) ? p->settings.capacity - p->n : 0;
    for (uint32_t i = 0; i < room && i < pattern->nway * pattern->circle; i++) {
        bs_pattern_velocity(pattern, i, ahead, shot.velocity);
        if (isfinite(shot.velocity[0]) && isfinite(shot.velocity[1])) {
            plain_spawn(p, &shot);
        }
    }
}

static void fire_all(plain_pool *p) {
    const double origin[DIM] = {0};
    uint32_t n = p->n;
    size_t kept = 0;
    for (size_t i = 0; i < p->emitters; i++) {
        plain_emitter e = p->emitter[i];
        fire(p, &e.timer, &e.pattern, origin, origin);
        p->emitter[kept] = e;
        kept += e.timer.left != 0;
    }
    p->emitters = kept;
    for (uint32_t i = 0; i < n; i++) {
        plain_mover *m = &p->mover[i];
        for (uint32_t k = 0; m->shot.model != NULL && k < m->shot.model->emitters; k++) {
            const bs_pattern *pattern = &m->shot.model->emitter[k];
            fire(p, &m->timer[k], pattern, m->shot.place, m->shot.velocity);
        }
    }
}

/* --- a step --------------------------------------------------------------------------------- */

static void move(plain_mover *m, double dt) {
    bs_shot *s = &m->shot;
    for (int k = 0; k < DIM; k++) {
        m->before[k] = s->place[k];
        s->velocity[k] += s->acceleration[k] * dt;
        s->place[k] += s->velocity[k] * dt;
    }
    m->steps++;
    m->still = false;
}

static bool is_finite(const plain_mover *m) {
    double way[DIM];
    bs_rect box = plain_box(m->shot.place, m->shot.size);
    bool finite = oracle_is_rect(&box, true);
    plain_way(m, way);
    for (int k = 0; k < DIM; k++) {
        finite = finite && isfinite(way[k]);
    }
    return finite;
}

static bool is_over(const plain_pool *p, const plain_mover *m) {
    bs_rect box = plain_box(m->shot.place, m->shot.size);
    return m->steps == m->shot.life ||
           (p->settings.bounded && !oracle_overlap(&box, &p->settings.bounds));
}

bs_pool_change plain_step(plain_pool *p, double dt) {
    uint32_t n = p->n;
    bs_pool_change change = {0, 0};
    p->ended = 0;
    p->now++;
    fire_all(p);
    change.spawned = p->n - n;
    for (uint32_t i = 0; i < n; i++) {
        move(&p->mover[i], dt);
        if (is_finite(&p->mover[i]) && is_over(p, &p->mover[i])) {
            p->last[p->ended++] = p->mover[i];
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        if (!is_finite(&p->mover[i]) || is_over(p, &p->mover[i])) {
            plain_remove(p, i);
            change.freed++;
        }
    }
    return change;
}

/* --- what was met --------------------------------------------------------------------------- */

void plain_note_asked(plain_meets *meets, uint64_t step) {
    if (meets->asked[0] != step + 1) {
        meets->asked[1] = meets->asked[0];
        meets->asked[0] = step + 1;
    }
}

bool plain_was_asked(const plain_meets *meets, uint64_t step) {
    return meets->asked[0] == step + 1 || meets->asked[1] == step + 1;
}

/* Forgets what is older than the last two steps after which it was asked. */
static void forget_old(plain_meets *meets) {
    size_t n = 0;
    for (size_t i = 0; i < meets->n; i++) {
        meets->at[n] = meets->at[i];
        n += plain_was_asked(meets, meets->at[i].step);
    }
    meets->n = n;
}

static bool reserve(plain_meets *meets, size_t n) {
    if (n <= meets->cap) {
        return true;
    }
    size_t cap = 2 * n;
    plain_meet *at = realloc(meets->at, cap * sizeof *at);
    meets->at = at != NULL ? at : meets->at;
    meets->cap = at != NULL ? cap : meets->cap;
    return at != NULL;
}

bool plain_add_meet(plain_meets *meets, plain_meet meet) {
    if (meets->n == meets->cap) {
        forget_old(meets);
    }
    if (plain_has_met(meets, meet)) {
        return true;
    }
    bool done = reserve(meets, meets->n + 1);
    if (done) {
        meets->at[meets->n++] = meet;
    }
    return done;
}

bool plain_has_met(const plain_meets *meets, plain_meet meet) {
    size_t i = 0;
    while (i < meets->n && (meets->at[i].mover != meet.mover || meets->at[i].box != meet.box ||
                            meets->at[i].step != meet.step)) {
        i++;
    }
    return i < meets->n;
}

bool plain_copy_meets(plain_meets *to, const plain_meets *from) {
    if (!reserve(to, from->n)) {
        return false;
    }
    if (from->n > 0) {
        memcpy(to->at, from->at, from->n * sizeof *to->at);
    }
    to->n = from->n;
    memcpy(to->asked, from->asked, sizeof to->asked);
    return true;
}
