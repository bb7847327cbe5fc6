#include "movers.h"

#include <math.h>
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

bool plain_spawn(plain_pool *p, const bs_shot *shot) {
    if (p->n == p->settings.capacity) {
        return false;
    }
    if (p->n + p->ended == p->settings.capacity) {
        plain_forget(p, 0);
    }
    plain_mover *m = &p->mover[p->n++];
    memset(m, 0, sizeof *m);
    m->shot = *shot;
    memcpy(m->before, shot->place, sizeof m->before);
    return true;
}

/* The last one takes its place. */
void plain_remove(plain_pool *p, uint32_t mover) {
    p->mover[mover] = p->mover[--p->n];
}

/* The first one takes its place. */
void plain_forget(plain_pool *p, uint32_t ended) {
    p->last[ended] = p->last[0];
    p->ended--;
    memmove(&p->last[0], &p->last[1], p->ended * sizeof p->last[0]);
}

void plain_clear(plain_pool *p) {
    p->n = 0;
    p->ended = 0;
}

const plain_mover *plain_flown(const plain_pool *p, uint32_t i) {
    if (i < p->n) {
        return &p->mover[i];
    }
    return i - p->n < p->ended ? &p->last[i - p->n] : NULL;
}

/* --- a step --------------------------------------------------------------------------------- */

static bool fires(const bs_pattern *pattern, uint64_t age) {
    uint64_t since = age - pattern->delay;
    bool due = age >= pattern->delay && since % pattern->cycle == 0;
    return due && (pattern->count < 0 || since / pattern->cycle < (uint64_t)pattern->count);
}

static bs_shot shot_of(const plain_pool *p, const bs_model *model) {
    bs_shot shot;
    memset(&shot, 0, sizeof shot);
    shot.mask = p->settings.mask;
    memcpy(shot.size, p->settings.size, sizeof shot.size);
    if (model != NULL) {
        shot.model = model;
        shot.life = model->life;
        shot.tag = model->tag;
        shot.mask = model->has_mask ? model->mask : shot.mask;
        memcpy(shot.acceleration, model->acceleration, sizeof shot.acceleration);
        for (int k = 0; k < DIM && model->size[k] >= 0; k++) {
            shot.size[k] = model->size[k];
        }
    }
    return shot;
}

/* What has no room, or no finite place, is dropped. */
static void fire(plain_pool *p, const bs_pattern *pattern, const double place[DIM]) {
    bs_shot shot = shot_of(p, pattern->model);
    for (int k = 0; k < DIM; k++) {
        shot.place[k] = place[k] + pattern->offset[k];
    }
    bs_rect box = plain_box(shot.place, shot.size);
    for (uint64_t i = 0; oracle_is_rect(&box, true) && i < bs_pattern_shots(pattern); i++) {
        bs_pattern_velocity(pattern, i, 0, shot.velocity);
        plain_spawn(p, &shot);
    }
}

static void fire_all(plain_pool *p) {
    const double origin[DIM] = {0};
    uint32_t before = p->n;
    size_t kept = 0;
    for (size_t i = 0; i < p->emitters; i++) {
        plain_emitter *e = &p->emitter[i];
        if (fires(&e->pattern, e->age)) {
            fire(p, &e->pattern, origin);
        }
        e->age++;
        if (bs_pattern_left(&e->pattern, e->age) != 0) {
            p->emitter[kept++] = *e;
        }
    }
    p->emitters = kept;
    for (uint32_t m = 0; m < before; m++) {
        const bs_model *model = p->mover[m].shot.model;
        for (uint32_t i = 0; model != NULL && i < model->emitters; i++) {
            if (fires(&model->emitter[i], p->mover[m].steps)) {
                fire(p, &model->emitter[i], p->mover[m].shot.place);
            }
        }
    }
}

static void move(plain_mover *m, double dt) {
    bs_shot *s = &m->shot;
    memcpy(m->before, s->place, sizeof m->before);
    for (int k = 0; k < DIM; k++) {
        s->velocity[k] += s->acceleration[k] * dt;
        s->place[k] += s->velocity[k] * dt;
    }
    m->steps++;
}

static bool has_way(const plain_mover *m) {
    double motion[DIM];
    bs_rect box = plain_box(m->shot.place, m->shot.size);
    bool has = oracle_is_rect(&box, true);
    plain_way(m, motion);
    for (int k = 0; k < DIM; k++) {
        has = has && isfinite(motion[k]);
    }
    return has;
}

static bool is_over(const plain_pool *p, const plain_mover *m) {
    bs_rect box = plain_box(m->shot.place, m->shot.size);
    bool dies = m->shot.life > 0 && m->steps >= m->shot.life;
    return dies || (p->settings.bounded && !oracle_overlap(&box, &p->settings.bounds));
}

bs_pool_change plain_step(plain_pool *p, double dt) {
    uint32_t n = p->n;
    p->ended = 0;
    fire_all(p);
    bs_pool_change change = {0, p->n - n};
    for (uint32_t i = 0; i < n; i++) {
        move(&p->mover[i], dt);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (has_way(&p->mover[i]) && is_over(p, &p->mover[i])) {
            p->last[p->ended++] = p->mover[i];
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        if (!has_way(&p->mover[i]) || is_over(p, &p->mover[i])) {
            plain_remove(p, i);
            change.freed++;
        }
    }
    return change;
}
