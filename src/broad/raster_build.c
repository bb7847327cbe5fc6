/*
 * raster_build.c: making the raster anew, and choosing the edge of its cells.
 *
 * The aim is that some five boxes reach into a cell, which is one block: with smaller cells a
 * cast walks through more of them than it needs to, with larger ones it looks at more boxes. But
 * where boxes are dense, each would reach into many such cells: that takes memory, and time for a
 * box that is cast. So edges are more than twice a box. In 3D, where all that is cubed, a dozen
 * boxes or so are best. The first guess takes the boxes as spread evenly; then a sample of them is
 * asked how many share their cells.
 */
#include "raster.h"

#include <string.h>

#include "cells.h"

enum {
    BOXES_A_CELL = DIM == 2 ? 5 : 14,
    CELLS_A_BOX = 6,       /* more, on average, take too much memory */
    SAMPLE = 256,          /* boxes */
    TRIES = 4,             /* at the edge */
    BUCKETS_MOST = 1 << 24 /* with more, keys might not fit into their bits */
};

static const double LEAST_EDGE = DIM == 2 ? 2.4 : 1.1; /* mean sizes of a box */
static const double WIDER = 1.1; /* by so much an edge is larger than the last one tried */

/* Of its sides, on average. */
static double size_of(const bs_rect *rect) {
    double sum = 0;
    for (int k = 0; k < DIM; k++) {
        sum += rect->size[k] / DIM;
    }
    return sum;
}

static double mean_size(const bs_raster *r, const bs_list *boxes) {
    double sum = 0;
    for (size_t i = 0; i < boxes->n; i++) {
        sum += size_of(&r->boxes->rect[boxes->at[i]]) / (double)boxes->n;
    }
    return sum;
}

/* How far the boxes are spread along an axis, if they are evenly: four times the mean deviation. */
static double spread(const bs_raster *r, const bs_list *boxes, int axis) {
    double mean = 0;
    for (size_t i = 0; i < boxes->n; i++) {
        mean += r->boxes->rect[boxes->at[i]].pos[axis] / (double)boxes->n;
    }
    double sum = 0;
    for (size_t i = 0; i < boxes->n; i++) {
        sum += fabs(r->boxes->rect[boxes->at[i]].pos[axis] - mean) / (double)boxes->n;
    }
    return 4 * sum;
}

/* How many boxes reach into a cell if all are spread evenly over `width`. */
static double guess_reaching(double all, const double width[DIM], double size, double edge) {
    double reaching = all;
    for (int k = 0; k < DIM; k++) {
        double share = (edge + size) / width[k];
        reaching *= bs_min(share, 1);
    }
    return reaching;
}

/* The edge, LEAST_EDGE or more, with which so many boxes reach into a cell, or all of them. */
static double first_edge(const bs_raster *r, const bs_list *boxes, double size) {
    double width[DIM];
    for (int k = 0; k < DIM; k++) {
        width[k] = spread(r, boxes, k);
    }
    double all = (double)boxes->n;
    double enough = bs_min(all, BOXES_A_CELL);
    double edge = LEAST_EDGE * size;
    assert(all > 0 && size > 0);
    while (edge < DBL_MAX && guess_reaching(all, width, size, edge) < enough) {
        edge *= WIDER;
    }
    return edge;
}

/* How many boxes reach into the first cell of a box. */
static size_t count_around(const bs_raster *r, uint32_t box) {
    const int32_t *cell = r->place[box].cell;
    uint64_t key = bs_raster_key(r, cell);
    size_t n = 0;
    uint32_t block = bs_raster_bucket(r, key);
    do {
        n += r->cell[block] == key ? (size_t)bs_raster_count(&r->block[block]) : 0;
        block = r->next[block];
    } while (block != BS_RASTER_NONE);
    return n;
}

/*
 * How many boxes reach into a cell: seen from the boxes, so that a town counts for more than the
 * country around it. From a sample.
 */
static double crowding(const bs_raster *r, const bs_list *boxes) {
    size_t step = boxes->n / SAMPLE + 1;
    size_t sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < boxes->n; i += step) {
        if ((r->place[boxes->at[i]].state & BS_RASTER_FILED) != 0) {
            sum += count_around(r, boxes->at[i]);
            n++;
        }
    }
    return n > 0 ? (double)sum / (double)n : 0;
}

/* The same, from what the cells are like with the present edge. */
static double better_edge(const bs_raster *r, const bs_list *boxes, double size) {
    double present = crowding(r, boxes);
    assert(r->edge > 0 && present >= 0);
    if (!(present > 0)) {
        return r->edge;
    }
    bool many = r->entries > CELLS_A_BOX * r->held;
    double edge = many ? 1.6 * r->edge : LEAST_EDGE / WIDER * size;
    double reaching;
    do {
        edge *= WIDER;
        double by = (edge + size) / (r->edge + size);
        reaching = present * by * by * (DIM == 3 ? by : 1);
    } while (reaching < BOXES_A_CELL);
    return edge;
}

/* Sizes and places as they are when nothing is filed. */
static void empty(bs_raster *r, const bs_list *boxes, double edge) {
    r->edge = edge;
    r->inverse = 1 / edge;
    r->used = 0;
    r->free = BS_RASTER_NONE;
    r->resting = 0;
    r->entries = 0;
    for (size_t i = 0; i < r->rest_cap; i++) {
        bs_block_clear(&r->rest[i]);
    }
    for (size_t i = 0; i < boxes->n; i++) {
        r->place[boxes->at[i]].state = BS_RASTER_HELD;
    }
}

/* The cells that boxes reach into, and how many may be in use if each is to have its own bucket. */
static void find_range(bs_raster *r, const bs_list *boxes) {
    for (int k = 0; k < DIM; k++) {
        r->lo[k] = BS_RASTER_SIDE;
        r->hi[k] = -BS_RASTER_SIDE;
    }
    for (size_t i = 0; i < boxes->n; i++) {
        bs_raster_range range;
        if (bs_raster_range_of(r, boxes->at[i], &range)) {
            bs_raster_widen(r, &range);
        }
    }
    for (int k = 0; k < DIM; k++) {
        r->width[k] = (int32_t)bs_cells_width(r->lo[k], r->hi[k]);
    }
}

/*
 * The low bits of a unit are the stride of the bucket; above them it is more than all steps along
 * the axes before can add up to: so no two cells have the same key.
 */
static void set_units(bs_raster *r) {
    uint32_t stride[DIM + 1]; /* there is one region only */
    bs_cells_number(r->lo, r->hi, r->mask + 1, stride);
    const uint64_t most = 4 * (uint64_t)BS_RASTER_SIDE; /* steps: so far is also what is nowhere */
    uint64_t apart = 0;
    uint64_t above = 0;
    for (int k = 0; k < DIM; k++) {
        r->unit[k] = above + (stride[k] & r->mask);
        assert(r->unit[k] > apart && r->unit[k] <= (UINT64_MAX - apart) / most);
        apart += most * r->unit[k];
        above = (apart | r->mask) + 1;
    }
}

/* Empty buckets: one for each cell there may be, or for `enough` cells. False: no memory. */
static bool lay_out(bs_raster *r, const bs_list *boxes, double enough) {
    find_range(r, boxes);
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        cells *= r->width[k];
    }
    uint32_t buckets = 16;
    while (buckets < bs_min(cells, enough) && buckets < BUCKETS_MOST) {
        buckets *= 2;
    }
    size_t blocks = r->held / 4 + 1; /* hardly ever fewer */
    if (!bs_raster_reserve(r, blocks > buckets ? blocks : buckets)) {
        return false;
    }
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        bs_raster_clear(r, bucket);
    }
    r->used = buckets;
    r->mask = buckets - 1;
    r->neat = cells <= buckets;
    set_units(r);
    return true;
}

/* The bucket of the first cell of a box; of one that is in no cell, any. */
static uint32_t bucket_of(const bs_raster *r, uint32_t box) {
    bs_raster_range range;
    bool there = bs_raster_range_of(r, box, &range);
    return there ? bs_raster_bucket(r, bs_raster_key(r, range.lo)) : r->mask;
}

/*
 * Sorts the boxes by their first cells, by counting: filing then walks through memory, and the
 * blocks come to lie as the cells do. All buckets must be empty: what is behind them is counted in.
 */
static void sort_by_cell(bs_raster *r, const bs_list *boxes, bs_list *sorted) {
    static_assert(BS_RASTER_NONE == 0, "what is counted in begins and ends as zeros");
    uint32_t *start = r->next;
    for (size_t i = 0; i < boxes->n; i++) {
        start[bucket_of(r, boxes->at[i])]++;
    }
    bs_cells_sum_up(start, (size_t)r->mask + 1);
    assert(boxes->n <= sorted->cap);
    for (size_t i = 0; i < boxes->n; i++) {
        sorted->at[start[bucket_of(r, boxes->at[i])]++] = boxes->at[i];
    }
    sorted->n = boxes->n;
    memset(start, 0, ((size_t)r->mask + 1) * sizeof *start);
}

/* False: no memory. */
static bool file_all(bs_raster *r, const bs_list *boxes, bs_list *sorted, double edge,
                     double enough) {
    empty(r, boxes, edge);
    if (!lay_out(r, boxes, enough)) {
        return false;
    }
    sort_by_cell(r, boxes, sorted);
    bool done = true;
    for (size_t i = 0; done && i < sorted->n; i++) {
        done = bs_raster_file(r, sorted->at[i]);
    }
    return done;
}

/* How many cells have boxes. */
static uint32_t count_cells(const bs_raster *r) {
    uint32_t cells = 0;
    for (uint32_t bucket = 0; bucket <= r->mask; bucket++) {
        cells += r->cell[bucket] != BS_RASTER_NOWHERE;
        for (uint32_t at = bucket; r->next[at] != BS_RASTER_NONE; at = r->next[at]) {
            cells += r->cell[r->next[at]] != r->cell[at];
        }
    }
    return cells;
}

/*
 * Moves the blocks behind the buckets so that those of a bucket stand one after the other, in the
 * order of the buckets: what a cast waits for is then mostly in one place. Without memory they
 * stay.
 */
static void line_up(bs_raster *r) {
    bs_raster to = {.heap = r->heap};
    assert(r->free == BS_RASTER_NONE);
    if (!bs_raster_reserve(&to, r->used)) {
        bs_raster_free_blocks(&to);
        return;
    }
    to.used = r->mask + 1;
    for (uint32_t bucket = 0; bucket <= r->mask; bucket++) {
        uint32_t at = bucket;
        uint32_t from = bucket;
        do {
            to.block[at] = r->block[from];
            to.cell[at] = r->cell[from];
            from = r->next[from];
            to.next[at] = from != BS_RASTER_NONE ? to.used++ : BS_RASTER_NONE;
            at = to.next[at];
        } while (from != BS_RASTER_NONE);
    }
    assert(to.used == r->used);
    bs_raster_free_blocks(r);
    r->block = to.block;
    r->next = to.next;
    r->cell = to.cell;
    r->block_cap = to.block_cap;
    r->next_cap = to.next_cap;
    r->cell_cap = to.cell_cap;
}

/* Lists the held boxes; forgets what is noted, and where what is not held was filed. */
static bool list_held(bs_raster *r, bs_list *boxes) {
    if (!bs_list_reserve(r->heap, boxes, r->held)) {
        return false;
    }
    for (uint32_t box = 0; box < r->place_cap; box++) {
        r->place[box].state &= BS_RASTER_HELD;
        if (r->place[box].state != 0) {
            boxes->at[boxes->n++] = box;
        }
    }
    assert(boxes->n == r->held);
    bs_list_free(r->heap, &r->changed); /* large, and not needed soon */
    return true;
}

/* False: no memory, or numbers too large or too small for cells. */
static bool file_well(bs_raster *r, const bs_list *boxes, bs_list *sorted) {
    double size = mean_size(r, boxes);
    if (!(size > 0x1p-900 && size < 0x1p900)) {
        return false;
    }
    const double enough = (double)r->held / 4; /* buckets, if boxes are spread evenly */
    double edge = first_edge(r, boxes, size);
    for (int i = 0; i < TRIES; i++) {
        if (!(edge < 0x1p900) || !file_all(r, boxes, sorted, edge, enough)) {
            return false;
        }
        double better = better_edge(r, boxes, size);
        if (better < 1.4 * edge && edge < 1.4 * better) {
            break;
        }
        edge = better;
    }
    uint32_t cells = count_cells(r);
    if (cells > r->mask + 1 && !file_all(r, boxes, sorted, r->edge, cells)) {
        return false;
    }
    line_up(r);
    return true;
}

bool bs_raster_build(bs_raster *r) {
    bs_list boxes = {0};
    bs_list sorted = {0};
    r->changes = 0;
    r->built = r->held;
    bool done = list_held(r, &boxes) && bs_list_reserve(r->heap, &sorted, boxes.n) &&
                file_well(r, &boxes, &sorted);
    bs_list_free(r->heap, &boxes);
    bs_list_free(r->heap, &sorted);
    assert(!done || (r->changed.n == 0 && r->resting <= r->held));
    return done && !bs_raster_is_unfit(r);
}
