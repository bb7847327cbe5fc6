/*
 * raster_build.c: making the raster anew, and choosing the edge of its cells.
 *
 * The aim is that a dozen boxes reach into a cell: with smaller cells a cast walks through more of
 * them than it needs to, with larger ones it looks at more boxes. Between 8 and 14 hardly anything
 * changes but the memory, of which larger cells need less. The first guess takes the boxes as
 * spread evenly; then the cells themselves are counted.
 */
#include "raster.h"

#include <string.h>

enum {
    BOXES_A_CELL = 12,
    CELLS_A_BOX = 6, /* more, on average, take too much memory */
    TRIES = 4        /* at the edge */
};

static bool is_held(const bs_raster *r, uint32_t box) {
    return (r->place[box].state & BS_RASTER_HELD) != 0;
}

/* Of its sides, on average. */
static double size_of(const bs_rect *rect) {
    double sum = 0;
    for (int k = 0; k < DIM; k++) {
        sum += rect->size[k] / DIM;
    }
    return sum;
}

static double mean_size(const bs_raster *r) {
    double sum = 0;
    for (uint32_t box = 0; box < r->place_cap; box++) {
        sum += is_held(r, box) ? size_of(&r->boxes->rect[box]) / (double)r->held : 0;
    }
    return sum;
}

/* How far the boxes are spread along an axis, if they are evenly: four times the mean deviation. */
static double spread(const bs_raster *r, int axis) {
    double mean = 0;
    for (uint32_t box = 0; box < r->place_cap; box++) {
        mean += is_held(r, box) ? r->boxes->rect[box].pos[axis] / (double)r->held : 0;
    }
    double sum = 0;
    for (uint32_t box = 0; box < r->place_cap; box++) {
        double off = is_held(r, box) ? fabs(r->boxes->rect[box].pos[axis] - mean) : 0;
        sum += off / (double)r->held;
    }
    return 4 * sum;
}

/* The edge, at least `size`, with which so many boxes reach into a cell, one of `width`. */
static double first_edge(const bs_raster *r, double size) {
    double width[DIM];
    for (int k = 0; k < DIM; k++) {
        width[k] = spread(r, k);
    }
    double edge = size;
    double boxes;
    do {
        edge *= 1.1;
        boxes = (double)r->held;
        for (int k = 0; k < DIM; k++) {
            double share = (edge + size) / width[k];
            boxes *= share < 1 ? share : 1;
        }
    } while (boxes < BOXES_A_CELL && boxes < (double)r->held && edge < DBL_MAX);
    return edge;
}

/* The edge that seems best, from what the cells are like with the present one. */
static double better_edge(const bs_raster *r, double size) {
    double present = (double)r->entries / (double)r->cells;
    double edge = r->entries > CELLS_A_BOX * r->held ? 1.6 * r->edge : size;
    double boxes;
    do {
        edge *= 1.1;
        double by = (edge + size) / (r->edge + size);
        boxes = present * by * by;
        boxes *= DIM == 3 ? by : 1;
    } while (boxes < BOXES_A_CELL);
    return edge;
}

/* Sizes and places as they are when nothing is filed. */
static void empty(bs_raster *r, double edge) {
    r->edge = edge;
    r->inverse = 1 / edge;
    r->used = 1;
    r->free = BS_RASTER_NONE;
    r->resting = 0;
    r->entries = 0;
    r->cells = 0;
    for (size_t i = 0; i < r->rest_cap; i++) {
        bs_block_clear(&r->rest[i]);
    }
    for (int k = 0; k < DIM; k++) {
        r->lo[k] = BS_RASTER_SIDE;
        r->hi[k] = -BS_RASTER_SIDE;
    }
    for (uint32_t box = 0; box < r->place_cap; box++) {
        r->place[box].state &= BS_RASTER_HELD;
    }
    r->changed.n = 0;
}

/*
 * Cells are numbered row by row, if those that the boxes are in form a region that is not much
 * larger than the table: then no two share a bucket, and what is near each other is near each other
 * in memory, too. Otherwise rows are scattered.
 */
static void set_strides(bs_raster *r) {
    const double scatter[3] = {1, 0.6180339887, 0.3819660113};
    double buckets = (double)r->mask + 1;
    double stride = 1;
    bs_raster_range range;
    int32_t lo[DIM];
    int32_t hi[DIM];
    for (int k = 0; k < DIM; k++) {
        lo[k] = BS_RASTER_SIDE;
        hi[k] = -BS_RASTER_SIDE;
    }
    for (uint32_t box = 0; box < r->place_cap; box++) {
        if (is_held(r, box) && bs_raster_range_of(r, box, &range)) {
            for (int k = 0; k < DIM; k++) {
                lo[k] = range.lo[k] < lo[k] ? range.lo[k] : lo[k];
                hi[k] = range.hi[k] > hi[k] ? range.hi[k] : hi[k];
            }
        }
    }
    for (int k = 0; k < DIM; k++) {
        r->stride[k] = (uint32_t)stride;
        double cells = (double)hi[k] - lo[k] + 2;
        stride *= cells > 1 ? cells : 1;
        stride = stride < 0x1p31 ? stride : 0x1p31;
    }
    for (int k = 1; k < DIM && stride > 2 * buckets; k++) {
        r->stride[k] = (uint32_t)(scatter[k] * buckets) | 1;
    }
}

/* Buckets, and block 0. False: no memory. */
static bool lay_out(bs_raster *r) {
    size_t buckets = 16;
    while (buckets < r->held / 2) {
        buckets *= 2;
    }
    size_t blocks = r->held / 4 + 1; /* hardly ever fewer */
    if (!bs_array_reserve(r->heap, &r->head, &r->head_cap, buckets, sizeof *r->head) ||
        !bs_array_reserve(r->heap, &r->block, &r->block_cap, blocks, sizeof *r->block) ||
        !bs_array_reserve(r->heap, &r->link, &r->link_cap, blocks, sizeof *r->link)) {
        return false;
    }
    r->mask = (uint32_t)(buckets - 1);
    memset(r->head, 0, buckets * sizeof *r->head);
    memset(&r->link[BS_RASTER_NONE], 0, sizeof *r->link);
    memset(&r->block[BS_RASTER_NONE], 0, sizeof *r->block);
    set_strides(r);
    return true;
}

/* The bucket of the first cell of a box; of one that is in no cell, any. */
static uint32_t bucket_of(const bs_raster *r, uint32_t box) {
    bs_raster_range range;
    return bs_raster_range_of(r, box, &range) ? bs_raster_bucket(r, range.lo) : r->mask;
}

/*
 * Sorts the held boxes by their first cells, by counting: filing then walks through memory, and the
 * blocks come to lie as the cells do. All buckets must be empty. False: no memory.
 */
static bool list_by_cell(bs_raster *r, bs_list *out) {
    if (!bs_list_reserve(r->heap, out, r->held)) {
        return false;
    }
    uint32_t *start = r->head;
    for (uint32_t box = 0; box < r->place_cap; box++) {
        if (is_held(r, box)) {
            start[bucket_of(r, box)]++;
        }
    }
    uint32_t sum = 0;
    for (uint32_t bucket = 0; bucket <= r->mask; bucket++) {
        uint32_t n = start[bucket];
        start[bucket] = sum;
        sum += n;
    }
    assert(sum == r->held);
    for (uint32_t box = 0; box < r->place_cap; box++) {
        if (is_held(r, box)) {
            out->at[start[bucket_of(r, box)]++] = box;
        }
    }
    out->n = r->held;
    memset(r->head, 0, ((size_t)r->mask + 1) * sizeof *r->head);
    return true;
}

/* False: no memory. */
static bool file_all(bs_raster *r, double edge) {
    bs_list boxes = {0};
    empty(r, edge);
    bool done = lay_out(r) && list_by_cell(r, &boxes);
    for (size_t i = 0; done && i < boxes.n; i++) {
        done = bs_raster_file(r, boxes.at[i]);
    }
    bs_list_free(r->heap, &boxes);
    return done;
}

bool bs_raster_build(bs_raster *r) {
    r->changes = 0;
    double size = mean_size(r);
    if (!(size > 0x1p-900 && size < 0x1p900)) {
        return false;
    }
    double edge = first_edge(r, size);
    for (int i = 0; i < TRIES; i++) {
        if (!(edge < 0x1p900) || !file_all(r, edge)) {
            return false;
        }
        double better = r->cells > 0 ? better_edge(r, size) : edge;
        if (better < 1.4 * edge && edge < 1.4 * better) {
            break;
        }
        edge = better;
    }
    bs_list_free(r->heap, &r->changed); /* large, and not needed soon */
    return !bs_raster_is_unfit(r);
}
