/*
 * seam_cast.c: a point that moves along the sides of boxes, or through a corner. It passes no seam
 * between two boxes, as they are one box to it (narrow/passing.h).
 *
 * Nearly no segment touches a box without meeting it, or enters one at a corner. A cast only notes
 * that; then all boxes on the way, met or touched, are listed here, and compared with each other.
 */
#include "world_parts.h"

#include <string.h>

typedef struct search {
    bs_cast cast;
    bs_world *w;
    const bs_filter *filter;
    bs_shape point;
    bool failed;
} search;

/* Finds out how the point passes a box, or meets a shape. */
static bool touches(const search *s, uint32_t box, bs_beside *b) {
    const bs_cast *cast = &s->cast;
    bs_shape other;
    *b = (bs_beside){.box = box, .born = s->w->born[box], .is_box = !bs_has_shape(s->w, box)};
    if (b->is_box) {
        b->met = bs_sweep(cast->from, cast->motion, &s->w->rect[box], NULL, &b->touch);
        return bs_passing_of(cast->from->pos, cast->motion, &s->w->rect[box], &b->passing);
    }
    bs_world_shape(s->w, box, &other);
    b->met = bs_shapes_meet(&s->point, cast->motion, &other, &b->touch);
    return b->met;
}

static void visit(bs_cast *cast, uint32_t box) {
    search *s = (search *)cast;
    bs_world *w = s->w;
    bs_beside beside;
    if (s->failed || !bs_filter_passes(w, s->filter, box) || !touches(s, box, &beside)) {
        return;
    }
    s->failed =
        !bs_array_reserve(&w->heap, &w->beside, &w->beside_cap, w->besides + 1, sizeof *w->beside);
    if (!s->failed) {
        w->beside[w->besides++] = beside;
    }
}

/* A back end may visit a box more than once. They get the order of insertion. False: no memory. */
static bool list_once(bs_world *w) {
    const size_t n = w->besides;
    bs_keyed *keyed = bs_world_keyed(w, n);
    if (keyed == NULL ||
        !bs_array_reserve(&w->heap, &w->beside, &w->beside_cap, 2 * n + 1, sizeof *w->beside)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        keyed[i] = (bs_keyed){w->beside[i].born, i};
    }
    bs_sort(keyed, keyed + n, n);
    memcpy(w->beside + n, w->beside, n * sizeof *w->beside);
    w->besides = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || keyed[i].key != keyed[i - 1].key) {
            w->beside[w->besides++] = w->beside[n + keyed[i].value];
        }
    }
    return true;
}

static bool find(bs_world *w, const bs_way *way, const bs_filter *filter, double until) {
    search s = {.w = w, .filter = filter};
    bs_cast_begin(&s.cast, &w->boxes, &way->from, way->motion, visit);
    s.cast.limit = bs_cast_limit(until);
    bs_shape_set_box(&s.point, &way->from);
    w->besides = 0;
    bool done = true;
    for (int i = 0; done && i < BS_PARTS; i++) {
        done = w->part[i]->count == 0 || bs_backend_cast(w->part[i], &s.cast);
    }
    return done && !s.failed && list_once(w);
}

/* Of the sides of a box that is met at an edge or a corner, the first that no other box covers. */
static void choose_side(const bs_world *w, const double motion[DIM], const bs_beside *b,
                        bs_touch *touch) {
    for (int k = 0; k < DIM; k++) {
        bool covered = motion[k] == 0 || b->passing.first[k] != b->passing.enter;
        for (size_t i = 0; !covered && i < w->besides; i++) {
            const bs_beside *other = &w->beside[i];
            covered = other != b && other->is_box &&
                      bs_passing_covers(&other->passing, &b->passing, motion, k);
        }
        if (!covered) {
            const bs_entry entry = {touch->t, bs_side_against(motion, k), touch->corner};
            *touch = bs_entry_touch(&entry);
            return;
        }
    }
}

/* The first seam of a box with one that was inserted later. False if it has none. */
static bool find_seam(const bs_world *w, const double motion[DIM], const bs_beside *b,
                      bs_hit *hit) {
    bool found = false;
    for (const bs_beside *other = b + 1; other < w->beside + w->besides; other++) {
        bs_entry entry;
        if (other->met || !bs_passings_join(&b->passing, &other->passing, motion, &entry)) {
            continue;
        }
        if (!found || entry.t < hit->touch.t ||
            (entry.t == hit->touch.t && hit->touch.corner && !entry.corner)) {
            bool is_own = entry.side == BS_INSIDE || b->passing.first[entry.side / 2] == entry.t;
            *hit = (bs_hit){.box = b->box, .touch = bs_entry_touch(&entry), .beside = other->box};
            hit->side_of = is_own ? b->box : other->box;
            found = true;
        }
    }
    return found;
}

bs_status bs_seams_cast(bs_world *w, const bs_way *way, const bs_filter *filter, double until,
                        bs_hits *out) {
    out->n = 0;
    if (!find(w, way, filter, until) || !BS_RESERVE(&w->heap, out, w->besides)) {
        return BS_NO_MEMORY;
    }
    for (size_t i = 0; i < w->besides; i++) {
        const bs_beside *b = &w->beside[i];
        bs_hit hit = {.box = b->box, .touch = b->touch, .beside = BS_NO_BOX, .side_of = b->box};
        if (b->met && b->is_box && b->touch.corner) {
            choose_side(w, way->motion, b, &hit.touch);
        }
        if (b->met || find_seam(w, way->motion, b, &hit)) {
            out->at[out->n++] = hit;
        }
    }
    if (!bs_hits_sort(w, out)) {
        return BS_NO_MEMORY;
    }
    bs_hits_note_sides(w, out);
    return BS_OK;
}
