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
 * being floats, are off by as much as the path takes for 2^-20 of its length, which is less than
 * BS_RASTER_MARGIN, as long paths are refused, too.
 *
 * The cells of a box_path are counted from the lowest one in use; lengths are in cells. It is
 * walked in an order of its own, along the axis of the greatest motion first: which one that is
 * cannot be predicted, so no branch may depend on it.
 */
#include "raster_walk.h"
#include "simd/rows.h"

#define BOX_PAD 0x1p-12
#define BOX_LONGEST (240.0 / DIM) /* cells along an axis: longer paths are refused */

enum {
    BOX_LUCK = 32,
    BOX_NEAR = 3,  /* so much is decided sooner than put in the order of times */
    BOX_SHORT = 64 /* cells: so many are never too many to walk through */
};

/* The start, the motion, and what is around the whole path. */
typedef struct box_way {
    bs_axes lo, hi;
    bs_axes motion;
    bs_axes from, to;
} box_way;

/*
 * What lies in a cell may be met at time t if, on every axis, lo + motion * t <= cell + 1 and
 * hi + motion * t >= cell, give or take BOX_PAD.
 */
typedef struct box_path {
    double lo[DIM], hi[DIM];       /* the start */
    double motion[DIM];            /* in cells */
    double pace[DIM];              /* the time that a cell takes, with the sign of the motion */
    double front[DIM], back[DIM];  /* when the front, or the back, is a step below cell 0 */
    int32_t first[DIM], last[DIM]; /* the cells around the whole path */
    uint64_t lowest;               /* the key of cell 0 */
    size_t axis[DIM];              /* the order of axes */
    uint64_t unit[DIM];            /* of keys, in that order */
    bs_raster_test test;           /* in that order */
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
BS_HOT void box_order_axes(box_path *p) {
    size_t major = 0;
#pragma GCC unroll 2
    for (size_t k = 1; k < DIM; k++) {
        major = fabs(p->motion[k]) > fabs(p->motion[major]) ? k : major;
    }
#pragma GCC unroll 3
    for (size_t i = 0; i < DIM; i++) {
        p->axis[i] = (major + i) % DIM;
    }
}

/* False: the path is too far away for cells, or too long for floats. */
BS_HOT bool box_begin(box_way *way, const bs_raster *r, const bs_cast *c) {
    const bs_axes inverse = bs_axes_set(r->inverse);
    const bs_axes lowest = bs_axes_of_ints(r->lo);
    const bs_axes zero = bs_axes_set(0);
    const bs_axes pad = bs_axes_set(BOX_PAD);
    bs_axes pos = bs_axes_load(c->from->pos);
    bs_axes far = bs_axes_add(pos, bs_axes_load(c->from->size));
    way->lo = bs_axes_sub(bs_axes_mul(pos, inverse), lowest);
    way->hi = bs_axes_sub(bs_axes_mul(far, inverse), lowest);
    way->motion = bs_axes_mul(bs_axes_load(c->motion), inverse);
    way->from = bs_axes_sub(bs_axes_add(way->lo, bs_axes_min(way->motion, zero)), pad);
    way->to = bs_axes_add(bs_axes_add(way->hi, bs_axes_max(way->motion, zero)), pad);
    unsigned near = bs_axes_less(bs_axes_abs(way->lo), bs_axes_set(4.0 * BS_RASTER_SIDE));
    unsigned is_short = bs_axes_less(bs_axes_sub(way->to, way->from), bs_axes_set(BOX_LONGEST));
    return (near & is_short) == BS_AXES_ALL;
}

/* Finds the cells around the path. False: none. */
BS_HOT bool box_begin_cells(box_path *p, const box_way *way, const bs_raster *r) {
    const bs_axes zero = bs_axes_set(0);
    bs_axes most = bs_axes_sub(bs_axes_of_ints(r->hi), bs_axes_of_ints(r->lo));
    unsigned below = bs_axes_less(way->to, zero);
    unsigned within = bs_axes_less(way->from, bs_axes_add(most, bs_axes_set(1)));
    bs_axes_ints(p->first, bs_axes_min(bs_axes_max(way->from, zero), most));
    bs_axes_ints(p->last, bs_axes_min(bs_axes_max(way->to, zero), most));
    return (within & ~below) == BS_AXES_ALL;
}

BS_HOT void box_begin_test(box_path *p, const box_way *way, const bs_raster *r, const bs_cast *c) {
    const bs_axes zero = bs_axes_set(0);
    bs_axes pace = bs_raster_pace(way->motion);
    bs_axes step = bs_axes_mul(pace, bs_axes_set(1.0 / BS_RASTER_STEPS));
    bs_axes lo = bs_axes_sub(bs_axes_mul(bs_axes_sub(zero, way->lo), pace), step);
    bs_axes hi = bs_axes_sub(bs_axes_mul(bs_axes_sub(zero, way->hi), pace), step);
    unsigned back = bs_axes_signs(bs_axes_load(c->motion));
    float steps[DIM];
    bs_axes_floats(steps, step);
    bs_axes_store(p->lo, way->lo);
    bs_axes_store(p->hi, way->hi);
    bs_axes_store(p->motion, way->motion);
    bs_axes_store(p->pace, pace);
    bs_axes_store(p->front, bs_axes_min(lo, hi));
    bs_axes_store(p->back, bs_axes_max(lo, hi));
    box_order_axes(p);
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        size_t k = p->axis[i];
        bs_raster_begin_test(&p->test, i, k, back >> k & 1, steps[k]);
        p->unit[i] = r->unit[k];
    }
    p->lowest = bs_raster_key(r, r->lo);
}

/* Turns to a cell, on one axis. */
BS_HOT void box_enter(box_path *p, int i, int32_t cell) {
    size_t k = p->axis[i];
    double time = cell * p->pace[k];
    p->test.front[i] = bs_f8_set((float)(time + p->front[k]));
    p->test.back[i] = bs_f8_set((float)(time + p->back[k]));
}

/* What a cell has in the raster. */
BS_HOT uint64_t box_key(const box_path *p, const int32_t cell[DIM]) {
    uint64_t sum = p->lowest;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        sum += (uint64_t)cell[i] * p->unit[i];
    }
    return sum;
}

/* --- near a box ----------------------------------------------------------------------------- */

/* Whether a box, told in cells, is narrower than `most` of them, and nowhere outside of all. */
BS_HOT bool box_is_narrow(const bs_raster *r, bs_axes lo, bs_axes hi, double most) {
    bs_axes least = bs_axes_add(bs_axes_of_ints(r->lo), bs_axes_set(BOX_PAD));
    bs_axes greatest = bs_axes_add(bs_axes_of_ints(r->hi), bs_axes_set(1 - BOX_PAD));
    unsigned below = bs_axes_less(lo, least);
    unsigned within = bs_axes_less(hi, greatest);
    unsigned narrow = bs_axes_less(bs_axes_sub(hi, lo), bs_axes_set(most));
    return (within & narrow & ~below) == BS_AXES_ALL;
}

/* A box as seen from the cells that it reaches into, from one after the other. */
typedef struct box_near {
    uint64_t key;      /* of the cell */
    bs_axes from, to;  /* the sides of the box, in steps from one below the cell; `to`: and one */
    int32_t more[DIM]; /* cells that are ahead, by axis; ... */
    int32_t all[DIM];  /* ... from the first one */
} box_near;

/* Begins with the first cell. The box is told in cells. */
BS_HOT void box_begin_near(box_near *n, const bs_raster *r, bs_axes lo, bs_axes hi) {
    const bs_axes pad = bs_axes_set(BOX_PAD);
    const bs_axes steps = bs_axes_set(BS_RASTER_STEPS);
    int32_t first[DIM];
    int32_t last[DIM];
    bs_axes_floors(first, bs_axes_sub(lo, pad));
    bs_axes_floors(last, bs_axes_add(hi, pad));
    bs_axes cell = bs_axes_of_ints(first);
    n->from = bs_axes_add(bs_axes_mul(bs_axes_sub(lo, cell), steps), bs_axes_set(1));
    n->to = bs_axes_add(bs_axes_mul(bs_axes_sub(hi, cell), steps), bs_axes_set(2));
    n->key = bs_raster_key(r, first);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        n->all[k] = last[k] - first[k];
        n->more[k] = n->all[k];
    }
}

/* Turns to the next cell, if there is one. */
BS_HOT bool box_next_near(box_near *n, const bs_raster *r) {
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        int32_t by = n->more[k] > 0 ? 1 : -n->all[k];
        bs_axes steps = bs_axes_only(bs_axes_set(by * BS_RASTER_STEPS), k);
        n->key += (uint64_t)by * r->unit[k];
        n->from = bs_axes_sub(n->from, steps);
        n->to = bs_axes_sub(n->to, steps);
        n->more[k] -= by;
        if (by > 0) {
            return true;
        }
    }
    return false;
}

/* The lanes whose bounds end behind `from` and begin before `to`. No empty lane does. */
BS_HOT unsigned box_lanes(const bs_raster_block *b, bs_rows from, bs_rows to) {
    bs_rows ends = bs_rows_le(bs_rows_load(b->bound[DIM]), from);
    bs_rows begins = bs_rows_le(to, bs_rows_load(b->bound[0]));
    return ~bs_rows_any(bs_rows_either(ends, begins)) & BS_ALL_LANES;
}

/*
 * Gathers the boxes of a cell that may overlap the box; true if one does for certain. Bounds are
 * integers, and too wide, but by less than two steps.
 */
BS_HOT bool box_gather_cell(bs_raster_walk *w, const box_near *n) {
    const bs_raster *r = w->r;
    const bs_u8 skip = bs_u8_set(w->c->skip);
    const bs_rows from = bs_rows_cut(n->from);
    const bs_rows to = bs_rows_cut(n->to);
    unsigned surely = 0;
    uint32_t block = bs_raster_bucket(r, n->key);
    do {
        w->visited++;
        if (bs_raster_is_of(r, block, n->key)) {
            const bs_raster_block *b = &r->block[block];
            unsigned others = ~bs_u8_same(bs_u8_load(b->id), skip);
            unsigned mask = box_lanes(b, from, to) & others;
            surely |= box_lanes(b, bs_rows_plus(from, 2), bs_rows_minus(to, 2)) & others;
            bs_raster_gather(w, b, bs_f8_set(0), mask);
        }
        block = r->next[block];
    } while (block != BS_RASTER_NONE);
    return surely != 0;
}

/* The same for all cells that the box, told in cells, reaches into. */
BS_HOT bool box_gather(bs_raster_walk *w, bs_axes lo, bs_axes hi) {
    box_near near;
    bool surely = false;
    box_begin_near(&near, w->r, lo, hi);
    do {
        surely |= box_gather_cell(w, &near);
    } while (box_next_near(&near, w->r));
    return surely;
}

/* What was gathered will be found again. Fewer wait if some have been decided: new ones. */
BS_HOT void box_forget(bs_raster_walk *w, size_t waiting) {
    w->waiting = waiting < w->waiting ? waiting : w->waiting;
    w->one = w->c->wait[0].a;
}

/*
 * True if the start lies in a box for certain. Then all that matters is in its cells, and was
 * gathered: on a path that is not too long, nothing else is met so soon that its time is 0.
 */
BS_HOT bool box_settle(bs_raster_walk *w) {
    const bs_axes inverse = bs_axes_set(w->r->inverse);
    bs_cast *c = w->c;
    bs_axes pos = bs_axes_load(c->from->pos);
    bs_axes far = bs_axes_add(pos, bs_axes_load(c->from->size));
    bs_axes lo = bs_axes_mul(pos, inverse);
    bs_axes hi = bs_axes_mul(far, inverse);
    bs_axes motion = bs_axes_mul(bs_axes_load(c->motion), inverse);
    unsigned is_short = bs_axes_less(bs_axes_abs(motion), bs_axes_set(BOX_LONGEST));
    if (is_short != BS_AXES_ALL || !box_is_narrow(w->r, lo, hi, 2)) {
        return false;
    }
    size_t waiting = w->waiting;
    if (!box_gather(w, lo, hi)) {
        box_forget(w, waiting);
        return false;
    }
    c->limit = bs_cast_limit(0);
    return true;
}

/*
 * Gathers what is near a short path, without asking when it is met. True if that is little, and
 * decided. (Boxes that are in several cells count several times.)
 */
BS_HOT bool box_visit_near(bs_raster_walk *w) {
    const bs_axes inverse = bs_axes_set(w->r->inverse);
    const bs_axes zero = bs_axes_set(0);
    const bs_cast *c = w->c;
    bs_axes size = bs_axes_load(c->from->size);
    bs_axes motion = bs_axes_load(c->motion);
    if (bs_axes_less(size, bs_axes_abs(motion)) != 0) {
        return false; /* it is longer than the box that moves */
    }
    bs_axes pos = bs_axes_load(c->from->pos);
    bs_axes far = bs_axes_add(pos, size);
    motion = bs_axes_mul(motion, inverse);
    bs_axes lo = bs_axes_add(bs_axes_mul(pos, inverse), bs_axes_min(motion, zero));
    bs_axes hi = bs_axes_add(bs_axes_mul(far, inverse), bs_axes_max(motion, zero));
    if (!box_is_narrow(w->r, lo, hi, 1)) {
        return false;
    }
    size_t waiting = w->waiting;
    box_gather(w, lo, hi);
    if (w->waiting > waiting + BOX_NEAR) {
        box_forget(w, waiting);
        return false;
    }
    bs_raster_decide(w); /* at once: box_learn asks how that went */
    return true;
}

/* --- few cells ------------------------------------------------------------------------------ */

BS_HOT void box_visit_range(box_path *p, const bs_raster_range *range, bs_raster_walk *w) {
    int32_t cell[DIM];
    memcpy(cell, range->lo, sizeof cell);
    do {
#pragma GCC unroll 3
        for (int i = 0; i < DIM; i++) {
            box_enter(p, i, cell[i]);
        }
        bs_raster_visit_cell(w, box_key(p, cell), &p->test, true);
    } while (bs_raster_next_cell(range, cell));
    bs_raster_decide(w);
}

/* Visits all cells if they are few. */
BS_HOT bool box_visit_few(box_path *p, bs_raster_walk *w) {
    bs_raster_range range;
    bool few = true;
#pragma GCC unroll 3
    for (int i = 0; i < DIM; i++) {
        size_t k = p->axis[i];
        range.lo[i] = p->first[k];
        range.hi[i] = p->last[k];
        few &= range.hi[i] - range.lo[i] < 2;
    }
    if (few) {
        box_visit_range(p, &range, w);
    }
    return few;
}

/* --- slabs ---------------------------------------------------------------------------------- */

/* True if the path touches so many cells that another structure would be faster. */
BS_HOT bool box_is_long(const box_path *p, const bs_raster *r) {
    size_t major = p->axis[0];
    double slabs = (double)p->last[major] - p->first[major] + 1;
    double cells = slabs;
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) { /* in a slab: no step is greater than the first */
        size_t k = p->axis[i];
        double all = (double)p->last[k] - p->first[k] + 1;
        double width = p->hi[major] - p->lo[major] + p->hi[k] - p->lo[k] + 3;
        cells *= bs_min(width, all);
    }
    return cells > BOX_SHORT + r->used / 4.0;
}

/*
 * What the path covers of the first slab, on the other axes: from `least` to `most`. Of each slab
 * behind it, that is further on by `slope`.
 */
typedef struct box_slab {
    double least[DIM], most[DIM];
    double slope[DIM];
} box_slab;

/* The first slab is `near` ahead, and passed after another `width`. */
BS_HOT void box_begin_slab(box_slab *s, const box_path *p, double near, double width, double pace) {
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) {
        size_t k = p->axis[i];
        double slope = p->motion[k] * pace;
        double a = slope * (near - BOX_PAD);
        double b = slope * (near + width + BOX_PAD);
        s->slope[i] = slope;
        s->least[i] = p->lo[k] + bs_min(a, b) - BOX_PAD;
        s->most[i] = p->hi[k] + bs_max(a, b) + BOX_PAD;
    }
}

/* Visits the cells of the n-th slab that may be touched. */
BS_HOT void box_visit_slab(box_path *p, const box_slab *s, int32_t n, int32_t slab,
                           bs_raster_walk *w) {
    enum { MINOR = 1, THIRD = DIM == 3 ? 2 : 0 }; /* in 2D: one cell wide */
    int32_t first[DIM];
    int32_t last[DIM];
    first[0] = slab;
    last[0] = slab;
    box_enter(p, 0, slab);
#pragma GCC unroll 2
    for (int i = 1; i < DIM; i++) {
        size_t k = p->axis[i];
        double ahead = s->slope[i] * n;
        first[i] = box_cell(s->least[i] + ahead, p->first[k], p->last[k]);
        last[i] = box_cell(s->most[i] + ahead, p->first[k], p->last[k]);
        assert(first[i] <= last[i]);
    }
    for (int32_t z = first[THIRD]; z <= last[THIRD]; z++) {
        int32_t cell[DIM];
        cell[THIRD] = z;
        cell[0] = slab;
        cell[MINOR] = first[MINOR];
        uint64_t key = box_key(p, cell);
        if (DIM == 3) {
            box_enter(p, THIRD, z);
        }
        for (int32_t y = first[MINOR]; y <= last[MINOR]; y++) {
            box_enter(p, MINOR, y);
            bs_raster_visit_cell(w, key, &p->test, true);
            key += p->unit[MINOR];
        }
    }
}

/* False: nothing was visited. */
BS_HOT bool box_visit_slabs(box_path *p, bs_raster_walk *w) {
    if (box_is_long(p, w->r)) {
        return false;
    }
    size_t k = p->axis[0];
    bool back = p->motion[k] < 0;
    const int32_t ahead = back ? -1 : 1;
    const int32_t start = back ? p->last[k] : p->first[k];
    const double near = back ? p->lo[k] - p->last[k] - 1 : p->first[k] - p->hi[k];
    const double width = 1 + p->hi[k] - p->lo[k];
    /* (Almost) no motion: none, as the path is padded by more. */
    const double pace = fabs(p->pace[k]) < 0x1p30 ? fabs(p->pace[k]) : 0;
    const int32_t slabs = p->last[k] - p->first[k] + 1;
    box_slab s;
    box_begin_slab(&s, p, near, width, pace);
    for (int32_t n = 0; n < slabs; n++) {
        double enter = (near + n - BOX_PAD) * pace;
        if (enter > (double)w->c->limit) {
            break;
        }
        box_visit_slab(p, &s, n, start + n * ahead, w);
        bs_raster_decide(w);
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

static bool box_visit_path(bs_raster_walk *w) {
    box_way way;
    box_path path;
    if (!box_begin(&way, w->r, w->c)) {
        return false;
    }
    if (!box_begin_cells(&path, &way, w->r)) {
        return true;
    }
    box_begin_test(&path, &way, w->r, w->c);
    return box_visit_few(&path, w) || box_visit_slabs(&path, w);
}

BS_LINED bool bs_raster_cast_box(bs_raster *r, bs_cast *c) {
    bs_raster_walk w = bs_raster_walk_begin(r, c);
    bool done = false;
    if (c->sure) {
        done = r->luck > 0 ? box_settle(&w) : box_visit_near(&w);
    }
    done = done || box_visit_path(&w);
    bs_raster_walk_end(&w);
    if (c->sure) {
        box_learn(r, c->limit <= bs_cast_limit(0));
    }
    return done;
}
