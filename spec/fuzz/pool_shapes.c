/*
 * pool_shapes.c: the hits of movers with circles and polygons. A mover must hit the shape, not the
 * box around it. If a hit is reported, the two touch there, or overlap at the start, and overlap
 * nowhere before. If none is reported, they overlap nowhere. Near touching, both answers are
 * allowed.
 */
#include "trial.h"

#include "gap.h"
#include "narrow/narrow.h"

/* The most that rounding may add up to, relative to the largest coordinate. */
static const double NEAR = 1e-11;

/* Squares of much larger or smaller numbers overflow or become 0. */
static bool is_ordinary(double scale) {
    return 1e-100 < scale && scale < 1e100;
}

/* `touch`: the first hit on the way, or NULL; `told`: whether it is this shape that was hit. */
static void expect_way(const trial *t, const bs_rect *from, const double motion[DIM],
                       const bs_shape *shape, const bs_touch *touch, bool told) {
    double scale = gap_scale(from, motion, shape);
    if (!is_ordinary(scale)) {
        return;
    }
    double until = touch != NULL ? touch->t : 1;
    if (touch == NULL || until > 0) {
        expect(t, NULL, least_gap(from, motion, until, shape) >= -NEAR * scale,
               "a mover goes through a shape");
    }
    if (told) {
        bool inside = true;
        for (int k = 0; k < DIM; k++) {
            inside = inside && touch->normal[k] == 0;
        }
        double gap = gap_at(from, motion, until, shape);
        expect(t, NULL, gap <= NEAR * scale, "a mover hits what it does not touch");
        expect(t, NULL, inside || gap >= -NEAR * scale, "a mover hits what it is already in");
    }
}

/* The next hit, if it is this mover's. */
static const bs_pool_hit *take_hit(const trial *t, size_t *n, const plain_mover *m) {
    bool hits = *n < t->pool_hits.n && t->pool_hits.at[*n].mover == m->id;
    return hits ? &t->pool_hits.at[(*n)++] : NULL;
}

void expect_ways_in_world(trial *t, const bs_filter *filter) {
    size_t n = 0;
    const plain_mover *m;
    for (uint32_t i = 0; (m = plain_flown(&t->movers, i)) != NULL; i++) {
        double motion[DIM];
        bs_rect from = plain_way(m, motion);
        bs_filter both = *filter;
        both.also = m->shot.mask;
        const bs_pool_hit *hit = take_hit(t, &n, m);
        for (size_t k = 0; k < t->truth.n; k++) {
            const oracle_box *box = &t->truth.box[k];
            bs_shape shape = shape_of(t, box);
            bool told = hit != NULL && hit->box == box->id;
            expect(t, NULL, !told || oracle_passes(&both, box), "a mover hits what it may not");
            if (oracle_passes(&both, box)) {
                expect_way(t, &from, motion, &shape, hit != NULL ? &hit->touch : NULL, told);
            }
        }
    }
    expect(t, NULL, n == t->pool_hits.n, "a mover's hit too many");
}

/*
 * Whether the shape goes so far that rounding on its way, not the hit, decides where it is beside
 * the mover.
 */
static bool is_far(const double motion[DIM], const bs_rect *mover, const bs_shape *shape) {
    static const double still[DIM] = {0};
    return gap_scale(mover, motion, shape) > 0x1p10 * gap_scale(mover, still, shape);
}

/*
 * A shape that moves is hit as one at rest would be, by movers that come to it from where it was.
 */
void do_pool_hits_shape(trial *t) {
    bs_shape shape;
    double motion[DIM];
    any_shape(t, &shape);
    any_velocity(t, motion);
    uint64_t layer = next_chance(&t->in, 128) ? BS_ANY_LAYER : next_below(&t->in, 4);
    bs_rect start = shape.rect;
    for (int k = 0; k < DIM; k++) {
        start.pos[k] -= motion[k];
    }
    if (!oracle_is_rect(&start, false)) {
        return;
    }
    t->pool_hits.n = 0;
    bs_status status =
        bs_pool_hits_box(t->pool, &shape, motion, layer, &t->pool_heap, &t->pool_hits);
    expect(t, NULL, status == BS_OK, "failed although there was memory");
    size_t n = 0;
    const plain_mover *m;
    for (uint32_t i = 0; (m = plain_flown(&t->movers, i)) != NULL; i++) {
        double way[DIM];
        bs_rect from = plain_way(m, way);
        bool counts = layer == BS_ANY_LAYER || (layer & m->shot.mask) != 0;
        const bs_pool_hit *hit = take_hit(t, &n, m);
        expect(t, NULL, hit == NULL || counts, "a mover hits what it may not");
        for (int k = 0; k < DIM; k++) {
            from.pos[k] += motion[k];
            way[k] -= motion[k];
        }
        if (hit != NULL) {
            bs_shape there;
            bs_rect rect = start;
            for (int k = 0; k < DIM; k++) {
                rect.pos[k] += motion[k] * hit->touch.t;
            }
            bs_shape_fit(&shape, &rect, &there);
            rect = plain_box(hit->place, m->shot.size);
            if (!is_far(motion, &rect, &there)) {
                expect_place(t, NULL, m->before, m->shot.place, m->shot.size, &hit->touch, &there,
                             hit->place);
            }
            note_bytes(t, &hit->touch.t, sizeof hit->touch.t);
            note_bytes(t, hit->place, sizeof hit->place);
        }
        if (counts) {
            expect_way(t, &from, way, &shape, hit != NULL ? &hit->touch : NULL, hit != NULL);
        }
    }
    expect(t, NULL, n == t->pool_hits.n, "a mover's hit too many");
}
