/*
 * raster_box.c: what a moving box may meet, cell by cell.
 *
 * The walk of a point (raster_point.c) with a thick ray: slab by slab across the axis of the
 * greatest motion, in its direction, so that it ends soon after the first hit. But first of all the
 * cells that the start lies in: if it lies in a box for certain, there is nothing to walk to.
 *
 * A box may lie in several cells of the path. What is met first of it is met in a cell that the
 * path reaches at that time, and there its bounds, cut off at the cell's sides, tell that time.
 *
 * Rounding: places are right to 2^-12 of a step, as paths and boxes far away are refused. Bounds
 * are off by half a step, and times, being floats, by as much as 2^-20 of the path's length. So
 * bounds are moved outward by a little more than the sum to tell what may be met, and inward to
 * tell what is met for certain.
 *
 * A path's axes are turned so that the greatest motion, that on axis `major`, comes first: [i] is
 * about axis (major + i) % DIM. The compiler knows the axes: there is a copy of the walk for each.
 * Cells of a path are counted from the lowest one in use.
 */
#include "raster.h"

/* In cells: what lies in a cell may be met at time t if, on every axis, lo + motion * t <= cell + 1
 * and hi + motion * t >= cell, give or take RASTER_PAD. */
typedef struct raster_path {
    bs_raster *r;
    double lo[DIM], hi[DIM]; /* the start */
    double motion[DIM];
    int32_t most[DIM];             /* the highest cell in use */
    int32_t first[DIM], last[DIM]; /* the cells around the whole path */
    int32_t base[DIM];             /* the lowest one */
} raster_path;

/* How one axis of a block is tested, in steps. */
typedef struct raster_axis {
    size_t near, far;       /* where in a block the bounds are that are met first and last */
    double at_near, at_far; /* what of the moving box meets them, ... */
    float in_near, in_far;  /* ... seen from the cell */
    bs_f8 inverse;          /* 1 / motion */
    bs_f8 slack;            /* time by which all may be off */
} raster_axis;

#define RASTER_PAD 0x1p-12
#define RASTER_LUCK 32
#define RASTER_SHORT 64 /* cells: so many are never too many to walk through */

/* The cell that x is in, or the nearest from first to last. */
static inline int32_t raster_cell(double x, int32_t first, int32_t last) {
    assert(first >= 0 && first <= last);
    return (int32_t)bs_max(bs_min(x, last), first);
}

/* False: the path is too far away for cells. */
BS_HOT bool raster_begin(raster_path *p, int major, bs_raster *r, const bs_cast *c) {
    double far = 0;
    p->r = r;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        int k = (major + i) % DIM;
        p->base[i] = r->lo[k];
        p->most[i] = r->hi[k] - r->lo[k];
        p->lo[i] = c->from.pos[k] * r->inverse - r->lo[k];
        p->hi[i] = bs_far(&c->from, k) * r->inverse - r->lo[k];
        p->motion[i] = c->motion[k] * r->inverse;
        far += fabs(p->lo[i]) + fabs(p->hi[i]) + fabs(p->motion[i]);
    }
    return far < 16.0 * BS_RASTER_SIDE;
}

/* --- the start ------------------------------------------------------------------------------ */

/* Gathers the boxes of a cell that the start may lie in; true if it lies in one for certain. */
BS_HOT bool raster_visit_start(bs_raster *r, const int32_t cell[DIM], bs_cast *c) {
    const bs_f8 slack = bs_f8_set((float)BS_RASTER_SLACK);
    bs_f8 least = bs_f8_set(0);
    uint64_t key = bs_raster_key(cell);
    float lo[DIM];
    float hi[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        lo[k] = (float)((c->from.pos[k] * r->inverse - cell[k]) * BS_RASTER_STEPS);
        hi[k] = (float)((bs_far(&c->from, k) * r->inverse - cell[k]) * BS_RASTER_STEPS);
    }
    for (uint32_t block = r->head[bs_raster_bucket(r, cell)]; block != BS_RASTER_NONE;
         block = r->link[block].next) {
        r->visited++;
        if (__builtin_expect(r->link[block].cell != key, 0)) {
            continue;
        }
        const bs_raster_block *b = &r->block[block];
        bs_f8 apart = bs_f8_set(-BS_RASTER_STEPS);
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            bs_f8 below = bs_f8_bytes(b->bound[k]);
            bs_f8 above = bs_f8_bytes(b->bound[DIM + k]);
            apart = bs_f8_max(bs_f8_sub(below, bs_f8_set(hi[k])), apart);
            apart = bs_f8_max(bs_f8_sub(bs_f8_set(lo[k]), above), apart);
        }
        bs_f8 surely = bs_raster_unless(bs_f8_add(apart, slack), b, c->skip);
        least = bs_f8_min(surely, least);
        unsigned mask = bs_f8_le(apart, slack) & bs_raster_lanes(&r->link[block]);
        bs_raster_fetch(r, b, mask);
        bs_cast_gather(c, b->id, bs_f8_set(0), mask);
    }
    return bs_f8_least(least) < 0;
}

/*
 * True if the start lies in a box for certain. Then all that matters is in its cells, and was
 * gathered.
 */
static inline bool raster_settle(bs_raster *r, bs_cast *c) {
    bool near = c->sure && r->luck > 0;
    bs_raster_range range;
    int32_t cell[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double lo = c->from.pos[k] * r->inverse - RASTER_PAD - r->lo[k];
        double hi = bs_far(&c->from, k) * r->inverse + RASTER_PAD - r->lo[k];
        double most = (double)r->hi[k] - r->lo[k] + 1;
        near &= lo >= 0 && hi < most && hi - lo < 2;
        range.lo[k] = near ? (int32_t)lo + r->lo[k] : 0;
        range.hi[k] = near ? (int32_t)hi + r->lo[k] : 0;
        cell[k] = range.lo[k];
    }
    if (!near) {
        return false;
    }
    unsigned waiting = c->waiting;
    bool inside = false;
    do {
        inside |= raster_visit_start(r, cell, c);
    } while (bs_raster_next_cell(&range, cell));
    if (inside) {
        c->limit = bs_cast_limit(0);
    } else {
        /* They will be found again. Fewer wait if some have been decided; those are new ones. */
        c->waiting = waiting < c->waiting ? waiting : c->waiting;
    }
    return inside;
}

/* --- the path ------------------------------------------------------------------------------- */

/* Finds the cells around the path. False: none. */
BS_HOT bool raster_begin_cells(raster_path *p) {
    unsigned outside = 0;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) { /* branch-free, as all that depends on directions */
        double length = fabs(p->motion[i]);
        double from = p->lo[i] + (p->motion[i] - length) * 0.5 - RASTER_PAD;
        double to = p->hi[i] + (p->motion[i] + length) * 0.5 + RASTER_PAD;
        outside |= (unsigned)(from >= (double)p->most[i] + 1) | (unsigned)(to < 0);
        p->first[i] = raster_cell(from, 0, p->most[i]);
        p->last[i] = raster_cell(to, 0, p->most[i]);
    }
    return outside == 0;
}

/* True if the path touches so many cells that another structure would be faster. */
BS_HOT bool raster_is_long(const raster_path *p) {
    double slabs = (double)p->last[0] - p->first[0] + 1;
    double cells = slabs;
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) { /* in a slab: no step is greater than the first */
        double all = (double)p->last[i] - p->first[i] + 1;
        double width = p->hi[0] - p->lo[0] + p->hi[i] - p->lo[i] + 3;
        cells *= bs_min(width, all);
    }
    return cells > RASTER_SHORT + p->r->used / 4.0;
}

/* False: the path is too long for floats. */
BS_HOT bool raster_begin_axes(raster_axis axis[DIM], int major, const raster_path *p) {
    double length = 0;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        length += p->hi[i] - p->lo[i] + fabs(p->motion[i]) + 2;
    }
    length *= BS_RASTER_STEPS;
    float slack = (float)(BS_RASTER_SLACK + length * 0x1p-20);
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        raster_axis *a = &axis[i];
        double motion = p->motion[i] * BS_RASTER_STEPS;
        double ends[] = {p->lo[i] * BS_RASTER_STEPS, p->hi[i] * BS_RASTER_STEPS};
        size_t back = motion < 0; /* an index, not a branch */
        size_t k = (size_t)(major + i) % DIM;
        a->near = (k + DIM * back) * BS_LANES;
        a->far = (k + DIM * (1 - back)) * BS_LANES;
        a->at_near = ends[1 - back];
        a->at_far = ends[back];
        /* Without motion all times are very early or very late, which is as it should be. */
        float inverse = (float)bs_min(1 / fabs(motion), 0x1p100);
        float inverses[] = {inverse, -inverse};
        a->inverse = bs_f8_set(inverses[back]);
        a->slack = bs_f8_set(inverse * slack);
    }
    assert(!(length < 0x1p22) || (slack >= (float)BS_RASTER_SLACK && slack < 5));
    return length < 0x1p22;
}

/* Turns to a cell, on one axis. */
BS_HOT void raster_enter(raster_axis *a, int32_t cell) {
    double side = (double)cell * BS_RASTER_STEPS;
    a->in_near = (float)(a->at_near - side);
    a->in_far = (float)(a->at_far - side);
}

/* Gathers the boxes of a block that may be met. */
BS_HOT void raster_visit_block(const bs_raster *r, const raster_axis axis[DIM],
                               const bs_raster_block *b, unsigned lanes, bs_cast *c) {
    assert(lanes > 0 && lanes <= BS_ALL_LANES);
    const uint8_t *bounds = &b->bound[0][0];
    bs_f8 enter = bs_f8_set(0);
    bs_f8 leave = bs_f8_set(c->limit);
    bs_f8 enter_surely = bs_f8_set(bs_cast_limit(0));
    bs_f8 leave_surely = bs_f8_set(FLT_MAX);
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        const raster_axis *a = &axis[i];
        bs_f8 near = bs_f8_sub(bs_f8_bytes(bounds + a->near), bs_f8_set(a->in_near));
        bs_f8 far = bs_f8_sub(bs_f8_bytes(bounds + a->far), bs_f8_set(a->in_far));
        near = bs_f8_mul(near, a->inverse);
        far = bs_f8_mul(far, a->inverse);
        enter = bs_f8_max(bs_f8_sub(near, a->slack), enter);
        leave = bs_f8_min(bs_f8_add(far, a->slack), leave);
        enter_surely = bs_f8_max(bs_f8_add(near, a->slack), enter_surely);
        leave_surely = bs_f8_min(bs_f8_sub(far, a->slack), leave_surely);
    }
    unsigned mask = bs_f8_le(enter, leave) & lanes;
    if (mask == 0) {
        return;
    }
    bs_raster_fetch(r, b, mask);
    if (c->sure) {
        enter_surely = bs_raster_unless(enter_surely, b, c->skip);
        float surely = bs_f8_least(bs_f8_where_le(enter_surely, leave_surely));
        c->limit = surely < c->limit ? surely : c->limit;
    }
    bs_cast_gather(c, b->id, enter, mask);
}

/* All axes must have been turned to the cell. */
BS_HOT void raster_visit_cell(bs_raster *r, const raster_axis axis[DIM], uint64_t key,
                              uint32_t bucket, bs_cast *c) {
    for (uint32_t block = r->head[bucket]; block != BS_RASTER_NONE; block = r->link[block].next) {
        r->visited++;
        if (__builtin_expect(r->link[block].cell == key, 1)) {
            unsigned lanes = bs_raster_lanes(&r->link[block]);
            raster_visit_block(r, axis, &r->block[block], lanes, c);
        }
    }
}

/* Visits the cells of a slab that may be touched between two times. */
BS_HOT void raster_visit_slab(const raster_path *p, int major, int32_t slab, double enter,
                              double leave, raster_axis axis[DIM], bs_cast *c) {
    assert(slab >= p->first[0] && slab <= p->last[0] && enter >= 0);
    bs_raster *r = p->r;
    const int minor = (major + 1) % DIM;
    int32_t first[DIM] = {slab};
    int32_t last[DIM] = {slab};
    raster_enter(&axis[0], slab);
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) {
        double a = p->motion[i] * enter;
        double b = p->motion[i] * leave;
        double lo = p->lo[i] + bs_min(a, b) - RASTER_PAD;
        double hi = p->hi[i] + bs_max(a, b) + RASTER_PAD;
        first[i] = raster_cell(lo, p->first[i], p->last[i]);
        last[i] = raster_cell(hi, p->first[i], p->last[i]);
        assert(first[i] <= last[i]);
    }
    const int third = DIM == 3 ? 2 : 0; /* in 2D: [0] again, which is one cell wide */
    for (int32_t z = first[third]; z <= last[third]; z++) {
        int32_t cell[DIM];
        cell[(major + third) % DIM] = z + p->base[third];
        cell[major] = slab + p->base[0];
        cell[minor] = first[1] + p->base[1];
        uint64_t key = bs_raster_key(cell);
        uint32_t bucket = bs_raster_bucket(r, cell);
        if (DIM == 3) {
            raster_enter(&axis[third], z);
        }
        for (int32_t y = first[1]; y <= last[1]; y++) {
            raster_enter(&axis[1], y);
            raster_visit_cell(r, axis, key, bucket, c);
            key += (uint64_t)1 << minor * BS_RASTER_KEY_BITS;
            bucket = (bucket + r->stride[minor]) & r->mask;
        }
    }
}

BS_HOT void raster_visit_path(const raster_path *p, int major, raster_axis axis[DIM], bs_cast *c) {
    size_t back = p->motion[0] < 0;
    const int32_t ahead[] = {1, -1};
    const int32_t ends[] = {p->first[0], p->last[0]};
    const double nears[] = {p->first[0] - p->hi[0], p->lo[0] - p->last[0] - 1};
    const double near = nears[back];
    const double width = 1 + p->hi[0] - p->lo[0];
    const double length = fabs(p->motion[0]);
    const double pace = length > 0x1p-30 ? 1 / length : 0;
    const int32_t slabs = p->last[0] - p->first[0] + 1;
    for (int32_t i = 0; i < slabs; i++) {
        double distance = near + i; /* to the slab, and ... */
        double enter = (distance - RASTER_PAD) * pace;
        double leave = (distance + width + RASTER_PAD) * pace; /* ... beyond it */
        double limit = (double)c->limit;
        if (enter > limit) {
            break;
        }
        leave = pace > 0 ? leave : limit; /* (almost) no motion: there are no times */
        raster_visit_slab(p, major, ends[back] + i * ahead[back], bs_max(enter, 0),
                          bs_min(leave, limit), axis, c);
    }
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Whether to look at the start first: that pays if one in four casts or more begins in a box. */
static inline void raster_learn(bs_raster *r, bool inside) {
    int luck = r->luck + (inside ? 3 : -1);
    luck = luck < RASTER_LUCK ? luck : RASTER_LUCK;
    r->luck = luck > -RASTER_LUCK ? luck : -RASTER_LUCK;
}

/* False: nothing was visited. */
BS_HOT bool raster_walk(bs_raster *r, int major, bs_cast *c) {
    raster_path path;
    raster_axis axis[DIM];
    if (!raster_begin(&path, major, r, c)) {
        return false;
    }
    if (!raster_begin_cells(&path)) {
        return true;
    }
    if (raster_is_long(&path) || !raster_begin_axes(axis, major, &path)) {
        return false;
    }
    raster_visit_path(&path, major, axis, c);
    return true;
}

static bool raster_walk_slabs(bs_raster *r, bs_cast *c) {
    int major = 0;
    for (int k = 1; k < DIM; k++) {
        major = fabs(c->motion[k]) > fabs(c->motion[major]) ? k : major;
    }
    if (major == 0) {
        return raster_walk(r, 0, c);
    }
    if (DIM == 2 || major == 1) {
        return raster_walk(r, 1, c);
    }
    return raster_walk(r, 2 % DIM, c);
}

bool bs_raster_cast_box(bs_raster *r, bs_cast *c) {
    bool done = raster_settle(r, c) || raster_walk_slabs(r, c);
    raster_learn(r, c->limit <= bs_cast_limit(0));
    return done;
}
