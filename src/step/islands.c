/*
 * islands.c: what is joined by planes, in an order that does not depend on that of insertion; and
 * what the solution of each island means for its bodies.
 */
#include "step.h"

#include <string.h>

/* --- the order ------------------------------------------------------------------------------ */

/* One pass of the order of bodies: 0 is that of insertion, then sizes, then places. */
typedef struct rank_pass {
    const bs_bodies *s;
    int pass;
} rank_pass;

static uint64_t key_of(const void *context, uint32_t body) {
    const rank_pass *o = context;
    const bs_body *b = &o->s->body.at[body];
    return o->pass == 0     ? bs_world_order(o->s->w, b->box)
           : o->pass <= DIM ? bs_key_of_any(b->start.size[DIM - o->pass])
                            : bs_key_of_any(b->start.pos[2 * DIM - o->pass]);
}

/* Ranks the bodies by place, then by size, then by insertion. */
static bool rank_bodies(bs_bodies *s) {
    for (rank_pass o = {s, 0}; o.pass <= 2 * DIM; o.pass++) {
        if (!bs_world_sort_by(s->w, &s->ranked, key_of, &o)) {
            return false;
        }
    }
    for (size_t i = 0; i < s->ranked.n; i++) {
        s->body.at[s->ranked.at[i]].rank = (uint32_t)i;
    }
    return true;
}

/* Numbers the islands by the lowest rank in each. */
static void number_islands(bs_bodies *s, size_t first_plane) {
    for (size_t i = 0; i < s->ranked.n; i++) {
        s->body.at[s->ranked.at[i]].with[BS_ISLAND] = s->ranked.at[i];
    }
    for (size_t i = first_plane; i < s->plane.n; i++) {
        const bs_plane *p = &s->plane.at[i];
        if (p->b != BS_NOBODY && bs_inverse_mass(&s->body.at[p->a]) > 0 &&
            bs_inverse_mass(&s->body.at[p->b]) > 0) {
            bs_unite(s, p->a, p->b, BS_ISLAND);
        }
    }
    uint32_t n = 0;
    for (size_t i = 0; i < s->ranked.n; i++) {
        s->body.at[bs_first_of(s, s->ranked.at[i], BS_ISLAND)].island = BS_NOBODY;
    }
    for (size_t i = 0; i < s->ranked.n; i++) {
        bs_body *first = &s->body.at[bs_first_of(s, s->ranked.at[i], BS_ISLAND)];
        if (first->island == BS_NOBODY) {
            first->island = n++;
        }
        s->body.at[s->ranked.at[i]].island = first->island;
    }
}

static uint32_t island_of(const bs_bodies *s, const bs_plane *p) {
    uint32_t body = bs_inverse_mass(&s->body.at[p->a]) > 0 ? p->a : p->b;
    return s->body.at[body].island;
}

/* Those with static boxes by the places of these; they go behind those of two bodies. */
static bool goes_first(const bs_bodies *s, const bs_plane *x, const bs_plane *y) {
    int order = bs_compare_rects(&s->w->rect[x->box], &s->w->rect[y->box]);
    return order != 0 ? order < 0 : bs_world_before(s->w, x->box, y->box);
}

/* The planes by islands, and in each by the ranks of both. */
static bool sort_planes(bs_bodies *s, bs_plane *plane, size_t n) {
    bs_planes *to = &s->sorted;
    bs_keyed *keyed = bs_world_keyed(s->w, n);
    if (keyed == NULL || !BS_RESERVE(&s->w->heap, to, n)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const bs_plane *p = &plane[i];
        uint64_t b = p->b == BS_NOBODY ? UINT32_MAX : s->body.at[p->b].rank;
        keyed[i] = (bs_keyed){(uint64_t)s->body.at[p->a].rank << 32 | b, i};
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        const bs_plane *p = &plane[keyed[i].value];
        for (; at > 0 && p->b == BS_NOBODY && keyed[at - 1].key == keyed[i].key &&
               goes_first(s, p, &to->at[at - 1]);
             at--) {
            to->at[at] = to->at[at - 1];
        }
        to->at[at] = *p;
    }
    for (size_t i = 0; i < n; i++) {
        keyed[i] = (bs_keyed){island_of(s, &to->at[i]), i};
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        plane[i] = to->at[keyed[i].value];
    }
    return true;
}

/* --- movers --------------------------------------------------------------------------------- */

static bool make_movers(bs_bodies *s, size_t first_plane) {
    bs_movers *list = &s->mover;
    size_t n = s->ranked.n;
    s->around.n = s->due.n = 0;
    if (!BS_RESERVE(&s->w->heap, list, n + 1) || !bs_list_reserve(&s->w->heap, &s->around, n) ||
        !bs_list_reserve(&s->w->heap, &s->due, s->plane.n - first_plane)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const bs_body *b = &s->body.at[s->ranked.at[i]];
        list->at[i] = bs_mover_of(b, b->velocity);
        list->at[i].body = s->ranked.at[i];
    }
    list->at[n] = (bs_mover){.body = BS_NOBODY};
    for (size_t i = first_plane; i < s->plane.n; i++) {
        bs_plane *p = &s->plane.at[i];
        p->of_a = s->body.at[p->a].rank;
        p->of_b = p->b == BS_NOBODY ? (uint32_t)n : s->body.at[p->b].rank;
    }
    return true;
}

/* --- what it means -------------------------------------------------------------------------- */

/* Where a body is at that part of what is left of the step. */
static bs_rect place_at(const bs_bodies *s, const bs_body *b, double part) {
    bs_rect r;
    return bs_advance(&b->place, b->velocity, s->span * part, &r) ? r : b->place;
}

static bool tell(bs_bodies *s, const bs_plane *p) {
    double speed = bs_max(p->closing, 0);
    bs_step_hit hit = {.speed = speed, .response = BS_SLIDE};
    double impulse = p->push + p->landing;
    hit.impulse = impulse < HUGE_VAL ? impulse : 0;
    double part = speed > 0 ? bs_min(p->gap / (speed * s->span), 1) : 0;
    hit.t = s->now + (1 - s->now) * part;
    memcpy(hit.normal, p->normal, sizeof hit.normal);
    bs_body *a = &s->body.at[p->a];
    bs_body *b = p->b == BS_NOBODY ? NULL : &s->body.at[p->b];
    bs_rect ra = place_at(s, a, part);
    bs_rect rb = b == NULL ? s->w->rect[p->box] : place_at(s, b, part);
    return bs_tell_two(s, a, &ra, b, p->box, &rb, &hit);
}

/* What does not give way is a footing of the other one. */
static void stand(bs_bodies *s, const bs_plane *p) {
    bs_body *a = &s->body.at[p->a];
    const bs_mover *b = &s->mover.at[p->of_b];
    if (!(b->inverse_mass > 0)) {
        bs_body_stand(a, p->normal, b->velocity);
    } else if (!(a->inverse_mass > 0)) {
        double back[DIM];
        bs_negate(p->normal, back);
        bs_body_stand(&s->body.at[p->b], back, s->mover.at[p->of_a].velocity);
    }
}

/* Whether its fall would bring one of two to the other one, if that slept. */
static bool leans(const bs_bodies *s, const bs_plane *p) {
    double a = -bs_dot(s->body.at[p->a].fall, p->normal);
    double b = bs_dot(s->body.at[p->b].fall, p->normal);
    return bs_max(a, b) * s->span > p->gap;
}

static bool note_all(bs_bodies *s, size_t first_plane) {
    for (size_t i = first_plane; i < s->plane.n; i++) {
        const bs_plane *p = &s->plane.at[i];
        bool presses = p->push > 0;
        if (p->b != BS_NOBODY && (presses || p->touches || leans(s, p))) {
            bs_unite(s, p->a, p->b, BS_HEAP);
        }
        if (presses) {
            stand(s, p);
        }
        if ((presses || p->landing > 0 || p->is_crossed) && !tell(s, p)) {
            return false;
        }
    }
    return true;
}

/* Whether something presses on a body that sleeps: it is no wall, but has to wake. */
static bool do_press_on_sleepers(const bs_bodies *s, size_t first_plane) {
    bool press = false;
    for (size_t i = first_plane; !press && i < s->plane.n; i++) {
        press = bs_plane_sleeper(s, &s->plane.at[i]) != BS_NOBODY;
    }
    return press;
}

bool bs_islands_solve(bs_bodies *s, size_t first_plane) {
    s->woken = false;
    if (s->plane.n == first_plane) {
        return true;
    }
    if (!rank_bodies(s)) {
        return false;
    }
    number_islands(s, first_plane);
    if (!sort_planes(s, &s->plane.at[first_plane], s->plane.n - first_plane) ||
        !make_movers(s, first_plane)) {
        return false;
    }
    size_t to;
    for (size_t from = first_plane; from < s->plane.n; from = to) {
        bs_plane *planes = &s->plane.at[from];
        uint32_t island = island_of(s, planes);
        to = from;
        while (to < s->plane.n && island_of(s, &s->plane.at[to]) == island) {
            to++;
        }
        bs_planes_solve(s, planes, to - from);
        bs_planes_keep(s, planes, to - from);
        if (!bs_planes_land(s, planes, to - from)) {
            return false;
        }
    }
    s->woken = do_press_on_sleepers(s, first_plane);
    if (s->woken) {
        return true;
    }
    for (size_t i = 0; i < s->ranked.n; i++) {
        bs_body *b = &s->body.at[s->ranked.at[i]];
        if (!bs_is_finite(s->mover.at[i].velocity)) { /* Beyond all numbers. */
            b->is_straight = false;
        } else if (bs_inverse_mass(b) > 0) {
            memcpy(b->velocity, s->mover.at[i].velocity, sizeof b->velocity);
            memcpy(b->landing, s->mover.at[i].landing, sizeof b->landing);
            bs_landing_break(s, b);
            b->lands = s->mover.at[i].lands;
            bs_mover_leave(&s->mover.at[i], b);
        }
    }
    return note_all(s, first_plane);
}
