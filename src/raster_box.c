/*
 * raster_box.c: what a moving box may meet, cell by cell.
 *
 * The walk of a point (raster_point.c) with a thick ray: slab by slab across the axis of the
 * greatest motion, in its direction, so that it ends soon after the first hit. Where the whole path
 * is in few cells, there is no need of an order; and where it is short and little is near, there is
 * none of times either. But if of late many casts began in a box, the cells that the start lies in
 * are first of all: then there may be nothing to walk to.
 *
 * A box may lie in several cells of the path. What is met first of it is met in a cell that the
 * path reaches at that time, and there its bounds, cut off at the cell's sides, tell that time.
 *
 * Rounding: places are right to 2^-12 of a step, as paths and boxes far away are refused. Times,
 * being floats, are off by as much as the path takes for 2^-20 of its length.
 *
 * The cells of a box_path are counted from the lowest one in use; lengths are in cells. Its axes
 * are in an order of their own, that of the greatest motion first: which one that is cannot be
 * predicted, so no branch may depend on it.
 */
#include "raster_walk.h"

#define BOX_PAD 0x1p-12
#define BOX_LONGEST 0x1p14 /* cells: longer paths are refused */

enum {
    BOX_LUCK = 32,
    BOX_NEAR = 3,  /* so much is decided sooner than put in the order of times */
    BOX_SHORT = 64 /* cells: so many are never too many to walk through */
};

/*
 * What lies in a cell may be met at time t if, on every axis, lo + motion * t <= cell + 1 and
 * hi + motion * t >= cell, give or take BOX_PAD.
 */
typedef struct box_path {
    bs_raster *r;
    size_t axis[DIM];        /* of the world; what the raster has for it: */
    int32_t low[DIM];        /* its lowest cell, ... */
    uint32_t stride[DIM];    /* ... and what one cell adds to the bucket, ... */
    uint64_t key[DIM];       /* ... and to the key */
    double lo[DIM], hi[DIM]; /* the start */
    double motion[DIM];
    double length;                 /* of all sides and motions */
    int32_t first[DIM], last[DIM]; /* the cells around the whole path */
    double front[DIM], back[DIM];  /* of the box at the start, seen in its direction */
    double pace[DIM];              /* the time that a cell takes, with the sign of the motion */
    float slack[DIM];              /* the time for all that bounds and times may be off */
    bs_raster_test test;
} box_path;

/*
 * The cell that x is in, or the nearest from first to last. None is below 0, where it does not
 * matter which way x is rounded.
 */
static inline int32_t box_cell(double x, int32_t first, int32_t last) {
    assert(first >= 0 && first <= last && fabs(x) < 0x1p30);
    int32_t cell = (int32_t)x;
    cell = cell < last ? cell : last;
    return cell > first ? cell : first;
}

/* Puts the axis of the greatest motion first. */
BS_HOT void box_order_axes(box_path *p, const double motion[DIM]) {
    size_t major = 0;
#pragma GCC unroll 2
    for (size_t k = 1; k < DIM; k++) {
        major = fabs(motion[k]) > fabs(motion[major]) ? k : major;
    }
#pragma GCC unroll 3
    for (size_t i = 0; i < DIM; i++) {
        p->axis[i] = (major + i) % DIM;
    }
}

/* False: the path is too far away for cells, or too long for floats. */
BS_HOT bool box_begin(box_path *p, bs_raster *r, const bs_cast *c) {
    double far = 0;
    p->r = r;
    p->length = 0;
    box_order_axes(p, c->motion);
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        size_t k = p->axis[i];
        double at = c->from.pos[k];
        p->low[i] = r->lo[k];
        p->stride[i] = r->stride[k];
        p->key[i] = (uint64_t)1 << k * BS_RASTER_KEY_BITS;
        p->lo[i] = at * r->inverse - r->lo[k];
        p->hi[i] = (at + c->from.size[k]) * r->inverse - r->lo[k];
        p->motion[i] = c->motion[k] * r->inverse;
        far += fabs(p->lo[i]) + fabs(p->hi[i]);
        p->length += p->hi[i] - p->lo[i] + fabs(p->motion[i]);
    }
    return far < 8.0 * BS_RASTER_SIDE && p->length < BOX_LONGEST;
}

/* Finds the cells around the path. False: none. */
BS_HOT bool box_begin_cells(box_path *p) {
    unsigned outside = 0;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) { /* branch-free, as all that depends on directions */
        size_t k = p->axis[i];
        int32_t most = p->r->hi[k] - p->r->lo[k];
        double length = fabs(p->motion[i]);
        double from = p->lo[i] + (p->motion[i] - length) * 0.5 - BOX_PAD;
        double to = p->hi[i] + (p->motion[i] + length) * 0.5 + BOX_PAD;
        outside |= (unsigned)(from >= (double)most + 1) | (unsigned)(to < 0);
        p->first[i] = box_cell(from, 0, most);
        p->last[i] = box_cell(to, 0, most);
    }
    return outside == 0;
}

BS_HOT void box_begin_test(box_path *p) {
    double length = (p->length + 2 * DIM) * BS_RASTER_STEPS; /* with the cells at both ends */
    float steps = (float)(BS_RASTER_SLACK + length * 0x1p-20);
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        double pace = bs_raster_pace(p->motion[i]);
        size_t back = signbit(p->motion[i]) != 0; /* an index, not a branch */
        const double ends[] = {p->lo[i], p->hi[i]};
        p->pace[i] = pace;
        p->front[i] = ends[1 - back];
        p->back[i] = ends[back];
        p->slack[i] = bs_raster_begin_test(&p->test, i, p->axis[i], back, pace) * steps;
    }
}

/* Turns to a cell, on one axis. */
BS_HOT void box_enter(box_path *p, int i, int32_t cell) {
    float front = (float)((cell - p->front[i]) * p->pace[i]);
    float back = (float)((cell - p->back[i]) * p->pace[i]);
    p->test.front[i] = bs_f8_set(front - p->slack[i]);
    p->test.back[i] = bs_f8_set(back + p->slack[i]);
}

/* Where a cell of the path is in the raster. */
BS_HOT uint32_t box_bucket(const box_path *p, const int32_t cell[DIM]) {
    uint32_t sum = 0;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        sum += (uint32_t)(cell[i] + p->low[i]) * p->stride[i];
    }
    return sum & p->r->mask;
}

BS_HOT uint64_t box_key(const box_path *p, const int32_t cell[DIM]) {
    uint64_t sum = 0;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        sum += (uint64_t)(cell[i] + p->low[i]) * p->key[i];
    }
    return sum;
}

/* --- near a box ----------------------------------------------------------------------------- */

/* Whether a box, told in cells, is narrower than `most` of them, and nowhere outside of all. */
BS_HOT bool box_is_narrow(const bs_raster *r, const double lo[DIM], const double hi[DIM],
                          double most) {
    bool near = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        near &= lo[k] >= r->lo[k] + BOX_PAD;
        near &= hi[k] < r->hi[k] + 1 - BOX_PAD;
        near &= hi[k] - lo[k] < most;
    }
    return near;
}

/*
 * Gathers the boxes of a cell that may overlap a box, which is told in cells; true if one does for
 * certain.
 */
BS_HOT bool box_gather_cell(bs_raster *r, const int32_t cell[DIM], const double lo[DIM],
                            const double hi[DIM], bs_cast *c) {
    const bs_f8 slack = bs_f8_set((float)BS_RASTER_SLACK);
    const bs_u8 skip = bs_u8_set(c->skip);
    unsigned surely = 0;
    uint64_t key = bs_raster_key(cell);
    float from[DIM];
    float to[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        from[k] = (float)((lo[k] - cell[k]) * BS_RASTER_STEPS);
        to[k] = (float)((hi[k] - cell[k]) * BS_RASTER_STEPS);
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
            apart = bs_f8_max(bs_f8_sub(below, bs_f8_set(to[k])), apart);
            apart = bs_f8_max(bs_f8_sub(bs_f8_set(from[k]), above), apart);
        }
        unsigned others = bs_raster_lanes(&r->link[block]) & ~bs_u8_same(bs_u8_load(b->id), skip);
        unsigned mask = bs_f8_le(apart, slack) & others;
        surely |= bs_f8_le(apart, bs_f8_set(-(float)BS_RASTER_SLACK)) & others;
        bs_raster_fetch(r, b, mask);
        bs_cast_gather(c, b->id, bs_f8_set(0), mask);
    }
    return surely != 0;
}

/* The same for all cells that the box reaches into. */
BS_HOT bool box_gather(bs_raster *r, const double lo[DIM], const double hi[DIM], bs_cast *c) {
    bs_raster_range range;
    int32_t cell[DIM];
    bool surely = false;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        range.lo[k] = bs_raster_floor(lo[k] - BOX_PAD);
        range.hi[k] = bs_raster_floor(hi[k] + BOX_PAD);
        cell[k] = range.lo[k];
    }
    do {
        surely |= box_gather_cell(r, cell, lo, hi, c);
    } while (bs_raster_next_cell(&range, cell));
    return surely;
}

/* What was gathered will be found again. Fewer wait if some have been decided: new ones. */
BS_HOT void box_forget(bs_cast *c, size_t waiting) {
    c->waiting = waiting < c->waiting ? waiting : c->waiting;
}

/*
 * True if the start lies in a box for certain. Then all that matters is in its cells, and was
 * gathered: on a path that is not too long, nothing else is met so soon that its time is 0.
 */
BS_HOT bool box_settle(bs_raster *r, bs_cast *c) {
    double lo[DIM];
    double hi[DIM];
    bool is_long = false;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        lo[k] = c->from.pos[k] * r->inverse;
        hi[k] = bs_far(&c->from, k) * r->inverse;
        is_long |= fabs(c->motion[k] * r->inverse) >= BOX_LONGEST;
    }
    if (is_long || !box_is_narrow(r, lo, hi, 2)) {
        return false;
    }
    size_t waiting = c->waiting;
    if (!box_gather(r, lo, hi, c)) {
        box_forget(c, waiting);
        return false;
    }
    c->limit = bs_cast_limit(0);
    return true;
}

/* No longer, along any axis, than the box that moves. */
BS_HOT bool box_is_short(const bs_cast *c) {
    bool is_short = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        is_short &= fabs(c->motion[k]) <= c->from.size[k];
    }
    return is_short;
}

/*
 * Gathers what is near a short path, without asking when it is met. True if that is little, and
 * decided. (Boxes that are in several cells count several times.)
 */
BS_HOT bool box_visit_near(bs_raster *r, bs_cast *c) {
    if (!box_is_short(c)) {
        return false;
    }
    double lo[DIM];
    double hi[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double motion = c->motion[k] * r->inverse;
        lo[k] = c->from.pos[k] * r->inverse + bs_min(motion, 0);
        hi[k] = bs_far(&c->from, k) * r->inverse + bs_max(motion, 0);
    }
    if (!box_is_narrow(r, lo, hi, 1)) {
        return false;
    }
    size_t waiting = c->waiting;
    box_gather(r, lo, hi, c);
    if (c->waiting > waiting + BOX_NEAR) {
        box_forget(c, waiting);
        return false;
    }
    bs_cast_decide(c); /* at once: box_learn asks how that went */
    return true;
}

/* --- few cells ------------------------------------------------------------------------------ */

BS_HOT void box_visit_range(box_path *p, const bs_raster_range *range, bs_cast *c) {
    int32_t cell[DIM];
    memcpy(cell, range->lo, sizeof cell);
    do {
#pragma GCC unroll 3
        for (int i = 0; i < DIM; i++) {
            box_enter(p, i, cell[i]);
        }
        bs_raster_visit_cell(p->r, box_bucket(p, cell), box_key(p, cell), &p->test, true, c);
    } while (bs_raster_next_cell(range, cell));
    bs_cast_decide(c);
}

/* Visits all cells if they are few. */
BS_HOT bool box_visit_few(box_path *p, bs_cast *c) {
    bs_raster_range range;
    bool few = true;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        range.lo[i] = p->first[i];
        range.hi[i] = p->last[i];
        few &= p->last[i] - p->first[i] < 2;
    }
    if (few) {
        box_visit_range(p, &range, c);
    }
    return few;
}

/* --- slabs ---------------------------------------------------------------------------------- */

/* True if the path touches so many cells that another structure would be faster. */
BS_HOT bool box_is_long(const box_path *p) {
    double slabs = (double)p->last[0] - p->first[0] + 1;
    double cells = slabs;
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) { /* in a slab: no step is greater than the first */
        double all = (double)p->last[i] - p->first[i] + 1;
        double width = p->hi[0] - p->lo[0] + p->hi[i] - p->lo[i] + 3;
        cells *= bs_min(width, all);
    }
    return cells > BOX_SHORT + p->r->used / 4.0;
}

/* Visits the cells of a slab that may be touched between two times. */
BS_HOT void box_visit_slab(box_path *p, int32_t slab, double enter, double leave, bs_cast *c) {
    assert(slab >= p->first[0] && slab <= p->last[0] && enter >= 0);
    enum { MINOR = 1, THIRD = DIM == 3 ? 2 : 0 }; /* in 2D: one cell wide */
    int32_t first[DIM];
    int32_t last[DIM];
    first[0] = slab;
    last[0] = slab;
    box_enter(p, 0, slab);
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) {
        double a = p->motion[i] * enter;
        double b = p->motion[i] * leave;
        first[i] = box_cell(p->lo[i] + bs_min(a, b) - BOX_PAD, p->first[i], p->last[i]);
        last[i] = box_cell(p->hi[i] + bs_max(a, b) + BOX_PAD, p->first[i], p->last[i]);
        assert(first[i] <= last[i]);
    }
    for (int32_t z = first[THIRD]; z <= last[THIRD]; z++) {
        int32_t cell[DIM];
        cell[THIRD] = z;
        cell[0] = slab;
        cell[MINOR] = first[MINOR];
        uint64_t key = box_key(p, cell);
        uint32_t bucket = box_bucket(p, cell);
        if (DIM == 3) {
            box_enter(p, THIRD, z);
        }
        for (int32_t y = first[MINOR]; y <= last[MINOR]; y++) {
            box_enter(p, MINOR, y);
            bs_raster_visit_cell(p->r, bucket, key, &p->test, true, c);
            key += p->key[MINOR];
            bucket = (bucket + p->stride[MINOR]) & p->r->mask;
        }
    }
}

/* False: nothing was visited. */
BS_HOT bool box_visit_slabs(box_path *p, bs_cast *c) {
    if (box_is_long(p)) {
        return false;
    }
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
        double enter = (distance - BOX_PAD) * pace;
        double leave = (distance + width + BOX_PAD) * pace; /* ... beyond it */
        double limit = (double)c->limit;
        if (enter > limit) {
            break;
        }
        leave = pace > 0 ? leave : limit; /* (almost) no motion: there are no times */
        box_visit_slab(p, ends[back] + i * ahead[back], bs_max(enter, 0), bs_min(leave, limit), c);
        bs_cast_decide(c);
    }
    return true;
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Whether to look at the start first: that pays if every second cast begins in a box. */
static inline void box_learn(bs_raster *r, bool inside) {
    int luck = r->luck + (inside ? 1 : -1);
    luck = luck < BOX_LUCK ? luck : BOX_LUCK;
    r->luck = luck > -BOX_LUCK ? luck : -BOX_LUCK;
}

static bool box_visit_path(bs_raster *r, bs_cast *c) {
    box_path path;
    if (!box_begin(&path, r, c)) {
        return false;
    }
    if (!box_begin_cells(&path)) {
        return true;
    }
    box_begin_test(&path);
    return box_visit_few(&path, c) || box_visit_slabs(&path, c);
}

bool bs_raster_cast_box(bs_raster *r, bs_cast *c) {
    if (!c->sure) {
        return box_visit_path(r, c);
    }
    bool done = r->luck > 0 ? box_settle(r, c) : box_visit_near(r, c);
    done = done || box_visit_path(r, c);
    box_learn(r, c->limit <= bs_cast_limit(0));
    return done;
}
