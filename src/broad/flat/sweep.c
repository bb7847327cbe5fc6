/*
 * sweep.c: sweep and prune; and brute force, which is the same without an order. It relies on
 * sweep.h.
 *
 * The boxes are sorted by their lower bound on one axis. So a box overlaps none of those that begin
 * behind its end. Boxes move little from frame to frame, so the kept order stays nearly sorted, and
 * insertion sort repairs it in O(n). David Baraff, "Dynamic simulation of non-penetrating rigid
 * bodies", 1992; Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE", 1995. The axis is the one on which
 * boxes are shortest compared with their spread (Ericson, "Real-time collision detection", 2005,
 * 7.5.2).
 *
 * Pairs take O(n + k) for k pairs that overlap on the axis, and a query takes O(n / 64 + k). A box
 * that changes goes to the tail, unless it still fits into its place in the order. If the tail is
 * too long, or much has changed at once, the order is made anew: O(n), or O(n log n) if it is very
 * different.
 *
 * Brute keeps all boxes in the tail. It has nothing to build: it is the best for some dozens of
 * boxes, and the honest baseline for more. Pairs take O(n^2 / 8), queries and casts O(n / 8),
 * changes O(1).
 */
#include "sweep.h"

static void sweep_destroy(bs_backend *backend) {
    bs_sweeper *s = bs_sweep_of(backend);
    bs_heap *heap = backend->heap;
    bs_array_free(heap, &s->block, &s->block_cap, sizeof *s->block);
    bs_array_free(heap, &s->far, &s->far_cap, sizeof *s->far);
    bs_array_free(heap, &s->position, &s->position_cap, sizeof *s->position);
    bs_array_free(heap, &s->item, &s->item_cap, sizeof *s->item);
    bs_heap_free(heap, s, sizeof *s);
}

/* --- lanes ---------------------------------------------------------------------------------- */

static size_t sweep_tail_blocks(const bs_sweeper *s) {
    return (s->tail + BS_LANES - 1) / BS_LANES;
}

static size_t sweep_blocks(const bs_sweeper *s) {
    return s->ordered + sweep_tail_blocks(s);
}

static bool sweep_in_order(const bs_sweeper *s, size_t at) {
    return at < s->ordered * BS_LANES;
}

static void sweep_put(bs_sweeper *s, size_t at, uint32_t box) {
    bs_bounds bounds = bs_bounds_of(&s->base.boxes->rect[box]);
    assert(at / BS_LANES < s->block_cap && box < s->position_cap);
    bs_block_set(&s->block[at / BS_LANES], (int)(at % BS_LANES), bounds, box);
    s->position[box] = (uint32_t)at;
}

static void sweep_clear(bs_block *block) {
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_block_set(block, lane, bs_bounds_empty(), BS_SWEEP_NOBODY);
    }
}

/* Makes a lane of the order dead. */
static void sweep_kill(bs_sweeper *s, size_t at) {
    bs_block *block = &s->block[at / BS_LANES];
    int lane = (int)(at % BS_LANES);
    bs_bounds dead = bs_bounds_empty();
    dead.lo[s->axis] = block->lo[s->axis][lane];
    bs_block_set(block, lane, dead, BS_SWEEP_NOBODY);
}

/* There must be room for one more block. */
static void sweep_put_into_tail(bs_sweeper *s, uint32_t box) {
    size_t at = s->ordered * BS_LANES + s->tail;
    if (s->tail % BS_LANES == 0) {
        sweep_clear(&s->block[at / BS_LANES]);
    }
    s->tail++;
    sweep_put(s, at, box);
}

/* The last box of the tail gets the place of the removed one. */
static void sweep_take_from_tail(bs_sweeper *s, uint32_t box) {
    const size_t at = s->position[box];
    size_t last = s->ordered * BS_LANES + --s->tail;
    bs_block *from = &s->block[last / BS_LANES];
    int lane = (int)(last % BS_LANES);
    if (last != at) {
        uint32_t moved = from->id[lane];
        bs_block_set(&s->block[at / BS_LANES], (int)(at % BS_LANES), bs_block_get(from, lane),
                     moved);
        s->position[moved] = (uint32_t)at;
    }
    s->position[box] = BS_NO_PLACE;
    bs_block_set(from, lane, bs_bounds_empty(), BS_SWEEP_NOBODY);
}

/* --- the order ------------------------------------------------------------------------------ */

/* A float as an integer, in the same order. It is not -0, as bs_round gives 0. */
static uint64_t sweep_key(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 != 0 ? ~bits : bits | (uint32_t)1 << 31;
}

/*
 * A measure of how many others a box overlaps on an axis: the mean length divided by the standard
 * deviation of the places, squared. It may be NaN, which no comparison prefers.
 */
static double sweep_crowding(const bs_sweeper *s, size_t n, int axis) {
    double length = 0;
    double sum = 0;
    double squares = 0;
    const double first = s->base.boxes->rect[s->item[0].value].pos[axis];
    for (size_t i = 0; i < n; i++) {
        const bs_rect *r = &s->base.boxes->rect[s->item[i].value];
        double x = r->pos[axis] - first;
        length += r->size[axis];
        sum += x;
        squares += x * x;
    }
    double mean = sum / (double)n;
    return length * length / (double)n / (squares - mean * sum);
}

/* Changes the axis only if another one is much better, as that costs a sort. */
static int sweep_choose_axis(const bs_sweeper *s, size_t n) {
    int best = s->fixed_axis >= 0 ? s->fixed_axis : s->axis;
    double least = sweep_crowding(s, n, best);
    for (int k = 0; k < DIM && s->fixed_axis < 0; k++) {
        double crowding = k == s->axis ? least : sweep_crowding(s, n, k) * (k == best ? 1 : 2);
        if (crowding >= 0 && !(crowding >= least)) {
            best = k;
            least = crowding;
        }
    }
    return best;
}

/* Makes the values of items all boxes, in their present order. */
static size_t sweep_gather(bs_sweeper *s) {
    size_t n = 0;
    for (size_t b = 0; b < sweep_blocks(s); b++) {
        for (int lane = 0; lane < BS_LANES; lane++) {
            if (s->block[b].id[lane] != BS_SWEEP_NOBODY) {
                s->item[n++].value = s->block[b].id[lane];
            }
        }
    }
    assert(n == s->base.count);
    return n;
}

/* Insertion sort. It gives up and returns false after some steps for each item. */
static bool sweep_repair(bs_keyed *item, size_t n) {
    size_t steps = 16 * n + 64;
    for (size_t i = 1; i < n && steps > 0; i++) {
        bs_keyed x = item[i];
        size_t at = i;
        for (; at > 0 && item[at - 1].key > x.key && steps > 0; at--, steps--) {
            item[at] = item[at - 1];
        }
        item[at] = x;
    }
    return steps > 0;
}

static void sweep_write(bs_sweeper *s, size_t n) {
    s->ordered = (n + BS_LANES - 1) / BS_LANES;
    s->tail = 0;
    for (size_t b = 0; b < s->ordered; b++) {
        size_t end = n - b * BS_LANES < BS_LANES ? n - b * BS_LANES : BS_LANES;
        sweep_clear(&s->block[b]);
        for (size_t lane = 0; lane < end; lane++) {
            sweep_put(s, b * BS_LANES + lane, (uint32_t)s->item[b * BS_LANES + lane].value);
        }
        s->far[b] = bs_f8_greatest(bs_f8_load(s->block[b].hi[s->axis]));
    }
    for (size_t b = s->ordered; b < s->ordered + BS_LANES; b++) {
        s->far[b] = -INFINITY; /* Eight blocks are tested together. */
    }
}

/* Gives all boxes a place in the order. If there is no memory, nothing has changed. */
static bool sweep_rebuild(bs_sweeper *s) {
    bs_heap *heap = s->base.heap;
    size_t n = s->base.count;
    if (!bs_array_reserve(heap, &s->item, &s->item_cap, 2 * n + 1, sizeof *s->item) ||
        !bs_array_reserve(heap, &s->far, &s->far_cap, n / BS_LANES + 1 + BS_LANES,
                          sizeof *s->far)) {
        return false;
    }
    if (sweep_gather(s) > 0) {
        s->axis = sweep_choose_axis(s, n);
    }
    for (size_t i = 0; i < n; i++) {
        s->item[i].key = sweep_key(bs_round(s->base.boxes->rect[s->item[i].value].pos[s->axis]));
    }
    if (!sweep_repair(s->item, n)) {
        bs_sort(s->item, s->item + n, n);
    }
    sweep_write(s, n);
    s->rebuilds++;
    return true;
}

/* Call this before each query. Returns false if there is no memory. */
static bool sweep_tidy(bs_sweeper *s, bool for_pairs) {
    bool due = s->sorted && bs_order_is_due(s->ordered, s->tail, s->base.count, for_pairs);
    return !due || sweep_rebuild(s);
}

/* --- changes -------------------------------------------------------------------------------- */

/* Makes room for the order, a tail of all boxes and `more`, and places of boxes below `reach`. */
static bool sweep_reserve(bs_sweeper *s, size_t more, size_t reach) {
    bs_heap *heap = s->base.heap;
    const size_t blocks = s->ordered + (s->base.count + more) / BS_LANES + 2;
    return bs_array_reserve(heap, &s->block, &s->block_cap, blocks, sizeof *s->block) &&
           bs_places_reserve(heap, &s->position, &s->position_cap, reach);
}

static bool sweep_build(bs_backend *backend) {
    bs_sweeper *s = bs_sweep_of(backend);
    s->ordered = s->tail = 0;
    if (!sweep_reserve(s, 0, bs_backend_reach(backend, NULL))) {
        return false;
    }
    for (uint32_t box = 0; box < s->position_cap; box++) {
        s->position[box] = BS_NO_PLACE;
        if (bs_backend_holds(backend, box)) {
            sweep_put_into_tail(s, box);
        }
    }
    assert(s->tail == backend->count);
    return !s->sorted || sweep_rebuild(s);
}

/* Whether a box fits into its lane: its lower bound is in order with those of its neighbours. */
static bool sweep_fits(const bs_sweeper *s, size_t at, float least) {
    const int axis = s->axis;
    const bs_block *block = s->block;
    size_t next = at + 1;
    bool before = at == 0 || block[(at - 1) / BS_LANES].lo[axis][(at - 1) % BS_LANES] <= least;
    bool behind =
        !sweep_in_order(s, next) || least <= block[next / BS_LANES].lo[axis][next % BS_LANES];
    return before && behind;
}

/* A box goes to where it is now, or away. */
static void sweep_renew(bs_sweeper *s, uint32_t box) {
    if (box >= s->position_cap) { /* It came and left. */
        return;
    }
    const size_t at = s->position[box];
    const bool holds = bs_backend_holds(&s->base, box);
    const bs_rect *r = &s->base.boxes->rect[box];
    if (at == BS_NO_PLACE) {
        if (holds) {
            sweep_put_into_tail(s, box);
        }
    } else if (!sweep_in_order(s, at)) {
        if (holds) {
            sweep_put(s, at, box);
        } else {
            sweep_take_from_tail(s, box);
        }
    } else if (holds && sweep_fits(s, at, bs_round(r->pos[s->axis]))) {
        float end = bs_round(bs_far(r, s->axis));
        float *far = &s->far[at / BS_LANES];
        sweep_put(s, at, box);
        *far = end > *far ? end : *far;
    } else {
        sweep_kill(s, at);
        s->position[box] = BS_NO_PLACE;
        if (holds) {
            sweep_put_into_tail(s, box);
        }
    }
}

/* Reads all boxes of the tail again. */
static void sweep_read_tail(bs_sweeper *s) {
    const size_t full = s->ordered + s->tail / BS_LANES;
    for (size_t b = s->ordered; b < full; b++) {
        bs_block_load(&s->block[b], s->base.boxes->rect, BS_LANES);
    }
    for (size_t lane = 0; lane < s->tail % BS_LANES; lane++) {
        sweep_put(s, full * BS_LANES + lane, s->block[full].id[lane]);
    }
}

static bool sweep_sync(bs_backend *backend, const bs_changes *changes) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!sweep_reserve(s, changes->replaced.n + changes->moved.n,
                       bs_backend_reach(backend, changes))) {
        return false;
    }
    for (size_t i = 0; i < changes->replaced.n; i++) {
        sweep_renew(s, changes->replaced.at[i]);
    }
    for (size_t i = 0; i < changes->moved.n; i++) {
        sweep_renew(s, changes->moved.at[i]);
    }
    if (changes->all_moved && s->sorted) {
        return sweep_rebuild(s);
    }
    if (changes->all_moved) {
        sweep_read_tail(s);
    }
    return true;
}

/* --- pairs ---------------------------------------------------------------------------------- */

enum { JOIN_ROWS = 4 };
static_assert((int)BS_LANES % (int)JOIN_ROWS == 0, "a block is a number of rows");

/*
 * Appends the pairs of JOIN_ROWS lanes of a block, from `lane` on, with the boxes of n blocks.
 * Few blocks have any, so one branch decides for all rows together.
 */
static void sweep_join_rows(const float *lane, const bs_block *block, size_t n,
                            const bs_boxes *boxes, bs_pairs *out) {
    bs_bounds8 rows[JOIN_ROWS];
    bs_pairs to = *out; /* A copy, so that its count can stay in a register. */
    assert(to.n + n * BS_LANES * JOIN_ROWS + BS_LANES <= to.cap);
#pragma GCC unroll 4
    for (int row = 0; row < JOIN_ROWS; row++) {
        const float *lo = lane + row;
        rows[row] = bs_bounds8_set(lo, lo + DIM * BS_LANES, BS_LANES);
    }
    for (size_t i = 0; i < n; i++) {
        const bs_block *b = &block[i];
        bs_f8 least = bs_f8_set(INFINITY);
        bs_f8 apart[JOIN_ROWS];
#pragma GCC unroll 4
        for (int row = 0; row < JOIN_ROWS; row++) {
            apart[row] = bs_apart(&rows[row], b);
            least = bs_f8_min(least, apart[row]);
        }
        if (bs_may_meet(least) == 0) {
            continue;
        }
#pragma GCC unroll 4
        for (int row = 0; row < JOIN_ROWS; row++) {
            bs_append_overlaps(&to, bs_lane_id(lane + row), b->id, apart[row], boxes);
        }
    }
    out->n = to.n;
}

/* Appends all pairs of a's boxes with those of n blocks. Returns false if there is no memory. */
static bool sweep_join_blocks(bs_backend *backend, const bs_block *a, const bs_block *block,
                              size_t n, bs_pairs *out) {
    if (!bs_pairs_reserve(backend->heap, out, n * BS_LANES * BS_LANES)) {
        return false;
    }
    for (int lane = 0; lane < BS_LANES; lane += JOIN_ROWS) {
        sweep_join_rows(bs_block_lane(a, lane), block, n, backend->boxes, out);
    }
    return true;
}

/* The first block of the order, at or beyond `from`, that begins behind x. */
static size_t sweep_first_behind(const bs_sweeper *s, size_t from, float x) {
    size_t end = s->ordered;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (s->block[middle].lo[s->axis][0] <= x) {
            from = middle + 1;
        } else {
            end = middle;
        }
    }
    return from;
}

/* Joins each block with the blocks behind it that begin before its end. */
static bool sweep_pairs(bs_backend *backend, bs_pairs *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!sweep_tidy(s, true)) {
        return false;
    }
    for (size_t i = 0, n = sweep_blocks(s); i < n; i++) {
        const bs_block *block = &s->block[i];
        size_t end = s->sorted ? sweep_first_behind(s, i + 1, s->far[i]) : n;
        if (!sweep_join_blocks(backend, block, block + 1, end - i - 1, out) ||
            !bs_pairs_reserve(backend->heap, out, BS_SELF_PAIRS)) {
            return false;
        }
        bs_block_self_pairs(block, backend->boxes, out);
    }
    return true;
}

/* Joins each block of one set with the blocks of the other that may overlap it on the axis. */
static bool sweep_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    bs_sweeper *in = bs_sweep_of(other);
    assert(s != in && backend->boxes == other->boxes);
    if (!sweep_tidy(s, true) || !sweep_tidy(in, true)) {
        return false;
    }
    size_t first = 0;
    for (size_t i = 0; i < sweep_blocks(s); i++) {
        const bs_block *block = &s->block[i];
        float least = bs_f8_least(bs_f8_load(block->lo[in->axis]));
        float far = bs_f8_greatest(bs_f8_load(block->hi[in->axis]));
        bool sorted = s->axis == in->axis; /* Otherwise the next block may begin anywhere. */
        size_t begin = sorted ? first : 0;
        while (begin < in->ordered && in->far[begin] < least) {
            begin++;
        }
        first = begin;
        size_t end = in->sorted ? sweep_first_behind(in, begin, far) : sweep_blocks(in);
        if (begin < end &&
            !sweep_join_blocks(backend, block, in->block + begin, end - begin, out)) {
            return false;
        }
    }
    return true;
}

/* --- queries -------------------------------------------------------------------------------- */

/* Which of eight blocks, from b on, reach x. */
static unsigned sweep_reaching(const bs_sweeper *s, size_t b, float x) {
    return bs_f8_le(bs_f8_set(x), bs_f8_load(s->far + b));
}

BS_HOT bool sweep_query_block(const bs_sweeper *s, size_t b, const bs_rect *r, const bs_bounds *q,
                              bs_list *out) {
    const bs_block *block = &s->block[b];
    if (!bs_list_reserve(s->base.heap, out, BS_LANES)) {
        return false;
    }
    bs_append(out, block->id, bs_block_overlap(block, s->base.boxes, r, q));
    return true;
}

static bool sweep_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!sweep_tidy(s, false)) {
        return false;
    }
    const bs_bounds q = bs_bounds_of(r);
    const size_t end = sweep_first_behind(s, 0, q.hi[s->axis]);
    for (size_t b = 0; b < end; b += BS_LANES) {
        for (unsigned mask = sweep_reaching(s, b, q.lo[s->axis]); mask != 0; mask &= mask - 1) {
            size_t at = b + (size_t)bs_first_lane(mask);
            if (at < end && !sweep_query_block(s, at, r, &q, out)) {
                return false;
            }
        }
    }
    for (size_t b = s->ordered; b < sweep_blocks(s); b++) {
        if (!sweep_query_block(s, b, r, &q, out)) {
            return false;
        }
    }
    return true;
}

/*
 * The range that the moving box reaches on the axis within the cast's limit. It is rounded outward
 * by more than times in floats can be off.
 */
static void sweep_reach(const bs_sweeper *s, const bs_cast *c, float *least, float *most) {
    const int k = s->axis;
    double lo = c->from->pos[k];
    double hi = bs_far(c->from, k);
    double way = c->motion[k] * (double)c->limit * (1 + 0x1p-19);
    double slack = bs_max(fabs(lo), fabs(hi)) * 0x1p-22 + fabs(way) * 0x1p-22 + (double)FLT_MIN;
    *least = bs_round(lo + bs_min(way, 0) - slack);
    *most = bs_round(hi + bs_max(way, 0) + slack);
}

/* Visits the order in the direction of the motion, as each hit cuts off the rest of the way. */
static void sweep_cast_order(const bs_sweeper *s, bs_cast *cast) {
    const bool back = cast->motion[s->axis] < 0;
    float limit = cast->limit;
    float least;
    float most;
    sweep_reach(s, cast, &least, &most);
    size_t end = sweep_first_behind(s, 0, most);
    for (size_t i = 0; i < end; i++) {
        size_t b = back ? end - 1 - i : i;
        if (s->far[b] < least || s->block[b].lo[s->axis][0] > most) {
            continue;
        }
        bs_cast_visit_block(cast, &s->block[b]);
        if (cast->limit < limit) {
            limit = cast->limit;
            sweep_reach(s, cast, &least, &most);
        }
    }
}

static bool sweep_cast(bs_backend *backend, bs_cast *cast) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!sweep_tidy(s, false)) {
        return false;
    }
    for (size_t b = s->ordered; b < sweep_blocks(s); b++) {
        bs_cast_visit_block(cast, &s->block[b]);
    }
    sweep_cast_order(s, cast);
    return true;
}

/* --- figures and pictures -------------------------------------------------------------- */

static void sweep_stats(const bs_backend *backend, bs_stats *out) {
    const bs_sweeper *s = (const bs_sweeper *)backend;
    out->boxes = backend->count;
    out->axis = s->sorted ? s->axis + 1 : 0;
    out->rebuilds = s->rebuilds;
}

static bool sweep_pictures(bs_backend *backend, bs_pictures *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!sweep_tidy(s, true)) {
        return false;
    }
    for (size_t b = 0; b < s->ordered; b++) {
        bs_bounds bounds = bs_block_bounds(&s->block[b]);
        bs_rect rect = bs_bounds_rect(&bounds);
        bool is_dead = !(bounds.lo[0] <= bounds.hi[0]);
        if (!is_dead && !bs_pictures_add(backend->heap, out, BS_PICTURE_CELL, &rect)) {
            return false;
        }
    }
    return true;
}

static bs_backend *sweep_create(const bs_backend *base, const bs_settings *settings);
static bs_backend *brute_create(const bs_backend *base, const bs_settings *settings);

#define SWEEP_FUNCTIONS                                                                            \
    .destroy = sweep_destroy, .build = sweep_build, .sync = sweep_sync, .pairs = sweep_pairs,      \
    .cross = sweep_cross, .query = sweep_query, .cast = sweep_cast, .stats = sweep_stats,          \
    .pictures = sweep_pictures

const bs_backend_type BS_VARIANT(bs_sweep_type) = {
    .name = "sweep", .create = sweep_create, SWEEP_FUNCTIONS};

const bs_backend_type BS_VARIANT(bs_brute_type) = {
    .name = "brute", .create = brute_create, SWEEP_FUNCTIONS};

static bs_backend *brute_create(const bs_backend *base, const bs_settings *settings) {
    (void)settings;
    bs_sweeper *s = bs_heap_new(base->heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = *base;
    return &s->base;
}

static bs_backend *sweep_create(const bs_backend *base, const bs_settings *settings) {
    assert(settings->axis >= 0 && settings->axis <= DIM);
    bs_sweeper *s = (bs_sweeper *)brute_create(base, settings);
    if (s == NULL) {
        return NULL;
    }
    s->sorted = true;
    s->fixed_axis = settings->axis - 1;
    s->axis = s->fixed_axis < 0 ? 0 : s->fixed_axis;
    return &s->base;
}
