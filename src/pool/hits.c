/* hits.c: what movers have hit in the last step, by casts in a world or against one box. */
#include "narrow/narrow.h"
#include "narrow/tolerances.h"
#include "simd/doubles.h"
#include "pool_parts.h"

#include <math.h>

bs_way bs_pool_way(const bs_pool *p, uint32_t mover) {
    assert(bs_mover_has_flown(p, mover));
    bs_way way;
    way.shape = NULL;
    for (int k = 0; k < DIM; k++) {
        double before = p->before[k][mover];
        way.from.size[k] = p->mover[mover].size[k];
        way.from.pos[k] = bs_lower_side(before, way.from.size[k]);
        way.motion[k] = bs_mover_place(p, mover, k) - before;
    }
    return way;
}

/* The hit of a mover that met a shape, where that was then. `ahead`: of a bs_hit, or NULL. */
static bs_pool_hit hit_of(const bs_pool *p, uint32_t mover, const bs_shape *shape,
                          const bs_touch *touch, const double ahead[DIM]) {
    assert(touch->t >= 0 && touch->t < 1);
    bs_pool_hit hit = {bs_pool_id(p, mover), 0, *touch, {0}};
    double motion[DIM];
    for (int k = 0; k < DIM; k++) {
        double before = p->before[k][mover];
        motion[k] = bs_mover_place(p, mover, k) - before;
        hit.place[k] = before + motion[k] * touch->t;
    }
    bs_make_flush(p->mover[mover].size, shape, touch, motion, ahead, hit.place);
    return hit;
}

/*
 * Whether a mover at that place, on a way by `motion`, has come into a shape: by more than rounding
 * decides. So a step and the next one, which begins there, agree on it.
 */
static bool is_in(const bs_rect *mover, const double motion[DIM], const bs_shape *shape) {
    if (shape->kind != BS_BOX) {
        bs_shape box;
        bs_shape_set_box(&box, mover);
        return bs_shapes_overlap(&box, shape);
    }
    const bs_rect *rect = &shape->rect;
    bool in = bs_overlap(mover, rect);
    for (int k = 0; in && k < DIM; k++) {
        double depth =
            motion[k] > 0 ? bs_far(mover, k) - rect->pos[k] : bs_far(rect, k) - mover->pos[k];
        double largest = fmax(fabs(bs_far(mover, k)), fabs(bs_far(rect, k)));
        in = motion[k] == 0 || depth > fmax(largest, fabs(rect->pos[k])) * BS_TOUCHING;
    }
    return in;
}

/* How a mover meets a shape that it may have to report. */
typedef struct encounter {
    bool meets;  /* In its last step, and not only in the next one: that decides what it touches. */
    bool starts; /* It begins the step in there. */
} encounter;

static encounter encounter_of(const bs_pool *p, uint32_t mover, const bs_way *way,
                              const bs_shape *shape) {
    if (p->still[mover]) {
        return (encounter){.meets = p->state.now != p->mover[mover].born};
    }
    if (is_in(&way->from, way->motion, shape)) {
        return (encounter){true, true};
    }
    bs_touch next;
    bs_shape end;
    const bs_rect rect = bs_mover_rect(p, mover);
    bs_shape_set_box(&end, &rect);
    bool comes =
        !is_in(&rect, way->motion, shape) && bs_shapes_meet(&end, way->motion, shape, &next);
    return (encounter){.meets = !comes};
}

/*
 * Whether a mover that pierces has to report a box that it met, or has done so before. In its first
 * step all is new.
 */
static bool is_new(const bs_pool *p, uint32_t mover, const bs_piercing *piercing, bs_pool_meet meet,
                   bool starts) {
    const bs_meets *before = bs_met_before(p, piercing->world);
    if (p->state.now - p->mover[mover].born <= 1) {
        return true;
    }
    return before != NULL ? !bs_was_met(before, meet) : !starts;
}

/* The same, and remembers that it met the box. False: no memory. */
static bool note_meet(const bs_pool *p, uint32_t mover, bs_piercing *piercing,
                      const bs_shape *shape, bs_id box, bs_heap *heap, bool *reports) {
    bs_way way = bs_pool_way(p, mover);
    encounter e = encounter_of(p, mover, &way, shape);
    bs_pool_meet meet = {(uint64_t)p->slot[mover] << 32 | bs_id_index(box), box};
    *reports = e.meets && is_new(p, mover, piercing, meet, e.starts);
    return !e.meets || BS_APPEND(heap, piercing->met, meet);
}

/* Adds what a mover meets on its way: the first box, or all of them. */
static bs_status add_hits(const bs_pool *p, uint32_t mover, bs_world *w, const bs_filter *filter,
                          bs_piercing *piercing, bs_heap *heap, bs_pool_hits *out) {
    bs_way way = bs_pool_way(p, mover);
    bs_hit first;
    bs_status status = piercing != NULL ? bs_world_cast_all(w, &way, filter, piercing->every)
                                        : bs_world_cast(w, &way, filter, &first);
    size_t n = status != BS_OK ? 0 : piercing != NULL ? piercing->every->n : first.box != BS_NO_BOX;
    for (size_t i = 0; i < n; i++) {
        const bs_hit *hit = piercing != NULL ? &piercing->every->at[i] : &first;
        bool reports = true;
        bs_shape shape;
        bs_world_shape(w, hit->side_of, &shape);
        if (piercing != NULL &&
            !note_meet(p, mover, piercing, &shape, bs_world_id(w, hit->box), heap, &reports)) {
            return BS_NO_MEMORY;
        }
        if (!reports || (piercing != NULL && !bs_filter_accepts(filter, hit->box))) {
            continue;
        }
        bs_pool_hit found = hit_of(p, mover, &shape, &hit->touch, hit->ahead);
        found.box = bs_world_id(w, hit->box);
        if (!BS_APPEND(heap, out, found)) {
            return BS_NO_MEMORY;
        }
    }
    return status;
}

bs_status bs_pool_hits_world(const bs_pool *p, bs_world *w, const bs_filter *filter,
                             bs_piercing *piercing, bs_heap *heap, bs_pool_hits *out) {
    bs_filter both = *filter;
    bs_status status = BS_OK;
    uint32_t i = bs_pool_next_flown(p, bs_world_count(w) > 0 ? 0 : p->capacity);
    for (; status == BS_OK && i < p->capacity; i = bs_pool_next_flown(p, i + 1)) {
        both.also = p->mover[i].mask;
        both.mover = bs_pool_id(p, i);
        status = add_hits(p, i, w, &both, piercing, heap, out);
    }
    return status;
}

/* --- one box against all movers ------------------------------------------------------------- */

/* A mover whose centre is farther than this from the range lo .. hi on an axis meets nothing. */
typedef struct zone {
    double lo[DIM];
    double hi[DIM];
} zone;

/* The zone of a box on its way from `from`: both ends, and the largest mover around them. */
static zone zone_of(const bs_pool *p, const bs_rect *from, const double motion[DIM]) {
    zone z;
    for (int k = 0; k < DIM; k++) {
        double lo = from->pos[k] + fmin(motion[k], 0);
        double hi = bs_far(from, k) + fmax(motion[k], 0);
        /* Far more than rounding in bs_sweep can take away. */
        double pad = p->state.reach + BS_RESTING * (fabs(lo) + fabs(hi) + p->state.reach);
        assert(lo <= hi && pad >= 0);
        z.lo[k] = lo - pad;
        z.hi[k] = hi + pad;
    }
    return z;
}

/*
 * Bit i says whether the way of mover first + i comes near the zone on all axes. For a mover that
 * is still it takes the way that it would have gone, and more.
 */
static inline unsigned near_zone(const bs_pool *p, const zone *z, size_t first) {
    assert(bs_mover_has_flown(p, (uint32_t)first));
    unsigned bits = BS_D2_ALL;
    for (int k = 0; k < DIM; k++) {
        bs_d2 before = bs_d2_load(p->before[k] + first);
        bs_d2 way = bs_d2_load(p->velocity[k] + first) * p->state.dt;
        bs_d2 place = before + way;
        bs_d2 slack = bs_d2_max(way, -way) * BS_RESTING;
        bs_d2 least = bs_d2_min(place, before) - slack;
        bs_d2 most = bs_d2_max(place, before) + slack;
        bits &= ~bs_l2_bits(bs_d2_set(z->hi[k]) < least);
        bits &= ~bs_l2_bits(most < bs_d2_set(z->lo[k]));
    }
    return bits;
}

typedef struct query {
    const bs_shape *shape; /* At the end of its motion. */
    bs_rect from;          /* Its rect before that. */
    const double *motion;
    uint64_t layer;
} query;

/*
 * Boxes meet by bs_sweep; a shape is met by the mover's motion relative to it. Then the mover is
 * shifted, as a shape at the start of a long motion would have other corners, by rounding.
 */
static bool meets(const bs_way *way, const query *q, bs_touch *touch) {
    if (q->shape->kind == BS_BOX) {
        return bs_sweep(&way->from, way->motion, &q->from, q->motion, touch);
    }
    double motion[DIM];
    bs_rect from = way->from;
    bs_shape mover;
    for (int k = 0; k < DIM; k++) {
        from.pos[k] += q->motion[k];
        motion[k] = way->motion[k] - q->motion[k];
    }
    bs_shape_set_box(&mover, &from);
    return bs_rect_is_query(&from) && bs_is_finite(motion) &&
           bs_shapes_meet(&mover, motion, q->shape, touch);
}

/* Asks one mover. False: no memory. */
static bool ask(const bs_pool *p, const query *q, uint32_t mover, bs_heap *heap,
                bs_pool_hits *out) {
    assert(bs_mover_has_flown(p, mover));
    const uint64_t any_layer = 1ull << 32; /* A bit that only BS_ANY_LAYER has. */
    bs_touch touch;
    bs_shape there;
    if (((p->mover[mover].mask | any_layer) & q->layer) == 0) {
        return true;
    }
    bs_way way = bs_pool_way(p, mover);
    if (!meets(&way, q, &touch)) {
        return true;
    }
    bs_rect rect = q->from; /* Where it was at that time. */
    bs_add(rect.pos, touch.t, q->motion);
    bs_shape_fit(q->shape, &rect, &there);
    return BS_APPEND(heap, out, hit_of(p, mover, &there, &touch, NULL));
}

/*
 * Asks movers first .. end - 1. If their number is odd, a lane is read behind the last one, which
 * is still memory of the columns.
 */
static bool ask_some(const bs_pool *p, const query *q, const zone *z, uint32_t first, uint32_t end,
                     bs_heap *heap, bs_pool_hits *out) {
    assert(first <= end && end <= p->capacity);
    for (uint32_t i = first; i < end; i += BS_D2_LANES) {
        unsigned bits = near_zone(p, z, i);
        for (uint32_t lane = 0; bits != 0; bits >>= 1, lane++) {
            bool there = (bits & 1) != 0 && i + lane < end;
            if (there && !ask(p, q, i + lane, heap, out)) {
                return false;
            }
        }
    }
    return true;
}

bs_status bs_pool_hits_box(const bs_pool *p, const bs_shape *shape, const double motion[DIM],
                           uint64_t layer, bs_heap *heap, bs_pool_hits *out) {
    query q = {.shape = shape, .from = shape->rect, .motion = motion, .layer = layer};
    for (int k = 0; k < DIM; k++) {
        q.from.pos[k] -= motion[k];
    }
    zone z = zone_of(p, &q.from, motion);
    bool done = ask_some(p, &q, &z, 0, p->state.count, heap, out) &&
                ask_some(p, &q, &z, p->capacity - p->state.ended, p->capacity, heap, out);
    return done ? BS_OK : BS_NO_MEMORY;
}
