/*
 * land.c: what comes together in the step. Planes let two close in until they touch at its end.
 * There they stop, so that no contact closes after the step, and the impulse is told whole. In a
 * heap of many planes that costs too much: there it is done by the next step.
 */
#include "step.h"

#include <string.h>

/* Whether a plane brings two together, which then close in faster than forces explain. */
static bool do_land(const bs_plane *p, const bs_mover *movers) {
    const bs_mover *a = &movers[p->of_a];
    const bs_mover *b = &movers[p->of_b];
    double speed = -bs_mover_parting(p, a, b);
    double fall = bs_max(bs_length(a->fall), bs_length(b->fall));
    return p->push > 0 && !p->touches && speed > 2 * fall &&
           bs_is_closing(speed, a->velocity, b->velocity);
}

static bool touch_at_end(const bs_plane *p, const bs_mover *movers, double span) {
    double closing = -bs_mover_parting(p, &movers[p->of_a], &movers[p->of_b]);
    return p->gap - closing * span <= 2 * p->slack;
}

/* Copies the planes of those that touch at the end to `sorted`, without impulses. */
static size_t list_touching(bs_bodies *s, const bs_plane *planes, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (touch_at_end(&planes[i], s->mover.at, s->span)) {
            bs_plane *p = &s->sorted.at[count++];
            *p = planes[i];
            p->aim = p->gap = p->push = 0;
            p->touches = true;
            memset(p->rub, 0, sizeof p->rub);
        }
    }
    return count;
}

/* Each goes on from the velocity that it has. */
static void begin(const bs_plane *touching, size_t n, bs_mover *movers) {
    for (size_t i = 0; i < n; i++) {
        bs_mover *both[] = {&movers[touching[i].of_a], &movers[touching[i].of_b]};
        for (int k = 0; k < 2; k++) {
            memcpy(both[k]->before, both[k]->velocity, sizeof both[k]->before);
        }
    }
}

/* What they have come to is for the end, and they keep the velocity that they had. */
static void end(const bs_plane *touching, size_t n, bs_mover *movers, uint32_t landing) {
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < n; i++) {
            bs_mover *both[] = {&movers[touching[i].of_a], &movers[touching[i].of_b]};
            for (int k = 0; k < 2; k++) {
                bs_mover *m = both[k];
                const double *from = turn == 0 ? m->velocity : m->before;
                memcpy(turn == 0 ? m->landing : m->velocity, from, sizeof m->landing);
                m->lands = landing;
            }
        }
    }
}

/* Whether planes bring some together, and are so few that what follows costs little. */
static bool is_wanted(const bs_plane *planes, size_t n, const bs_mover *movers) {
    bool lands = false;
    for (size_t i = 0; i < n && n <= BS_FEW_GRIPS && !lands; i++) {
        lands = do_land(&planes[i], movers);
    }
    return lands;
}

bool bs_planes_land(bs_bodies *s, bs_plane *planes, size_t n) {
    bs_mover *movers = s->mover.at;
    bs_plane *touching = s->sorted.at;
    double fastest = 0;
    if (!is_wanted(planes, n, movers)) {
        return true;
    }
    if (!bs_list_reserve(&s->w->heap, &s->is_broken, s->is_broken.n + 1)) {
        return false;
    }
    size_t count = list_touching(s, planes, n);
    begin(touching, count, movers);
    for (size_t i = 0; i < count; i++) {
        fastest = bs_max(bs_length(movers[touching[i].of_a].velocity), fastest);
        fastest = bs_max(bs_length(movers[touching[i].of_b].velocity), fastest);
    }
    bool solved = bs_planes_solve_few(s, touching, count, fastest * BS_SOLVED);
    for (size_t i = 0; i < count; i++) { /* Else they are beyond all numbers. */
        solved = solved && bs_is_finite(movers[touching[i].of_a].velocity) &&
                 bs_is_finite(movers[touching[i].of_b].velocity);
    }
    s->is_broken.at[s->is_broken.n++] = !solved;
    end(touching, count, movers, solved ? (uint32_t)s->is_broken.n : 0);
    for (size_t i = 0, k = 0; solved && i < n && k < count; i++) {
        if (planes[i].a == touching[k].a && planes[i].box == touching[k].box) {
            planes[i].landing = touching[k++].push;
        }
    }
    return true;
}
