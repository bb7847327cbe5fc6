/*
 * raster.c: filing boxes in cells, and noting what has changed.
 *
 * A hash table of cells with chaining, the first block of each chain in the table itself. A cell's
 * boxes are kept dense: a new one goes into the cell's first block, or into a new block before it;
 * the last one there fills the hole that a removed one leaves. O(1) for each cell that a box is in.
 */
#include "raster.h"

#include <string.h>

enum { PASSED_A_BOX = 8 }; /* blocks that are looked at in vain while one box is filed, about */

bs_raster *bs_raster_new(bs_heap *heap, const bs_boxes *boxes) {
    bs_raster *r = bs_heap_new(heap, sizeof *r);
    if (r != NULL) {
        r->heap = heap;
        r->boxes = boxes;
    }
    return r;
}

void bs_raster_free(bs_raster *r) {
    bs_heap *heap = r->heap;
    bs_raster_free_blocks(r);
    bs_array_free(heap, &r->rest, &r->rest_cap, sizeof *r->rest);
    bs_array_free(heap, &r->place, &r->place_cap, sizeof *r->place);
    bs_list_free(heap, &r->changed);
    bs_heap_free(heap, r, sizeof *r);
}

/* --- cells ---------------------------------------------------------------------------------- */

/* Upper bounds below lower ones: no point meets them. */
static void clear_lane(bs_raster_block *b, int lane) {
    for (int k = 0; k < DIM; k++) {
        b->bound[k][lane] = UINT8_MAX;
        b->bound[DIM + k][lane] = 0;
    }
    b->id[lane] = BS_RASTER_NOBODY;
}

void bs_raster_clear(bs_raster *r, uint32_t block) {
    for (int lane = 0; lane < BS_LANES; lane++) {
        clear_lane(&r->block[block], lane);
    }
    r->cell[block] = BS_RASTER_NOWHERE;
    r->next[block] = BS_RASTER_NONE;
}

/* The cell's first block. False: it has none. */
static bool find_cell(const bs_raster *r, uint64_t key, uint32_t *first) {
    uint32_t block = bs_raster_bucket(r, key);
    while (r->cell[block] != key && r->next[block] != BS_RASTER_NONE) {
        block = r->next[block];
    }
    *first = block;
    return r->cell[block] == key;
}

bool bs_raster_reserve(bs_raster *r, size_t blocks) {
    return bs_array_reserve(r->heap, &r->block, &r->block_cap, blocks, sizeof *r->block) &&
           bs_array_reserve(r->heap, &r->next, &r->next_cap, blocks, sizeof *r->next) &&
           bs_array_reserve(r->heap, &r->cell, &r->cell_cap, blocks, sizeof *r->cell);
}

void bs_raster_free_blocks(bs_raster *r) {
    bs_array_free(r->heap, &r->block, &r->block_cap, sizeof *r->block);
    bs_array_free(r->heap, &r->next, &r->next_cap, sizeof *r->next);
    bs_array_free(r->heap, &r->cell, &r->cell_cap, sizeof *r->cell);
}

/* A block that is of no bucket. BS_RASTER_NONE: no memory. */
static uint32_t take_block(bs_raster *r) {
    uint32_t block = r->free;
    if (block != BS_RASTER_NONE) {
        r->free = r->next[block];
        return block;
    }
    return bs_raster_reserve(r, (size_t)r->used + 1) ? r->used++ : BS_RASTER_NONE;
}

static void give_back(bs_raster *r, uint32_t block) {
    assert(block > r->mask && block < r->used);
    bs_raster_clear(r, block);
    r->next[block] = r->free;
    r->free = block;
}

static void copy_block(bs_raster *r, uint32_t to, uint32_t from) {
    r->block[to] = r->block[from];
    r->cell[to] = r->cell[from];
    r->next[to] = r->next[from];
}

/* Makes the bucket's block, empty, the cell's first; what was there moves on. False: no memory. */
static bool begin_block(bs_raster *r, uint64_t key) {
    uint32_t bucket = bs_raster_bucket(r, key);
    if (r->cell[bucket] != BS_RASTER_NOWHERE) {
        uint32_t block = take_block(r);
        if (block == BS_RASTER_NONE) {
            return false;
        }
        copy_block(r, block, bucket);
        bs_raster_clear(r, bucket);
        r->next[bucket] = block;
    }
    r->cell[bucket] = key;
    return true;
}

/* Takes an empty block out of its bucket; what is behind it takes its place. */
static void end_block(bs_raster *r, uint32_t block) {
    uint32_t next = r->next[block];
    if (next != BS_RASTER_NONE) {
        copy_block(r, block, next);
        give_back(r, next);
        return;
    }
    uint32_t before = bs_raster_bucket(r, r->cell[block]);
    if (before == block) {
        r->cell[block] = BS_RASTER_NOWHERE;
        return;
    }
    while (r->next[before] != block) {
        before = r->next[before];
    }
    r->next[before] = BS_RASTER_NONE;
    give_back(r, block);
}

void bs_raster_widen(bs_raster *r, const bs_raster_range *by) {
    for (int k = 0; k < DIM; k++) {
        r->lo[k] = by->lo[k] < r->lo[k] ? by->lo[k] : r->lo[k];
        r->hi[k] = by->hi[k] > r->hi[k] ? by->hi[k] : r->hi[k];
        r->neat &= r->hi[k] - r->lo[k] < r->width[k];
    }
}

/* A place in steps, as far as it is near the cell. */
static inline bs_axes steps_to(const bs_raster *r, bs_axes x, bs_axes cell) {
    bs_axes in_cell = bs_axes_sub(bs_axes_mul(x, bs_axes_set(r->inverse)), cell);
    bs_axes step = bs_axes_add(bs_axes_mul(in_cell, bs_axes_set(BS_RASTER_STEPS)), bs_axes_set(1));
    bs_axes most = bs_axes_set(UINT8_MAX - BS_RASTER_MARGIN);
    return bs_axes_max(bs_axes_min(step, most), bs_axes_set(BS_RASTER_MARGIN));
}

/* The bounds of a box in a cell: lower ones, rounded down, then upper ones, rounded up. */
static inline void bounds_in(const bs_raster *r, const int32_t cell[DIM], const bs_rect *rect,
                             uint8_t bound[2 * DIM]) {
    const bs_axes margin = bs_axes_set(BS_RASTER_MARGIN);
    const bs_axes most = bs_axes_set(UINT8_MAX);
    bs_axes at = bs_axes_of_ints(cell);
    bs_axes pos = bs_axes_load(rect->pos);
    bs_axes far = bs_axes_add(pos, bs_axes_load(rect->size));
    int32_t below[DIM];
    int32_t room[DIM];
    bs_axes_ints(below, bs_axes_sub(steps_to(r, pos, at), margin));
    bs_axes_ints(room, bs_axes_sub(most, bs_axes_add(steps_to(r, far, at), margin)));
    for (int k = 0; k < DIM; k++) {
        bound[k] = (uint8_t)below[k];
        bound[DIM + k] = (uint8_t)(UINT8_MAX - room[k]);
        assert(bound[k] <= bound[DIM + k]);
    }
}

static void set_lane(bs_raster *r, const int32_t cell[DIM], uint32_t block, int lane,
                     uint32_t box) {
    assert(box < r->boxes->cap && lane >= 0 && lane < BS_LANES);
    uint8_t bound[2 * DIM];
    bounds_in(r, cell, &r->boxes->rect[box], bound);
    bs_raster_block *b = &r->block[block];
    for (int i = 0; i < 2 * DIM; i++) {
        b->bound[i][lane] = bound[i];
    }
    b->id[lane] = box;
}

/* False: no memory. */
static bool add_to_cell(bs_raster *r, const int32_t cell[DIM], uint32_t box) {
    uint64_t key = bs_raster_key(r, cell);
    uint32_t block;
    if (!find_cell(r, key, &block) || bs_raster_count(&r->block[block]) == BS_LANES) {
        if (!begin_block(r, key)) {
            return false;
        }
        block = bs_raster_bucket(r, key);
    }
    set_lane(r, cell, block, bs_raster_count(&r->block[block]), box);
    r->entries++;
    return true;
}

/* Where in a block the box is; -1: it is not. */
static int lane_of(const bs_raster_block *b, uint32_t box) {
    unsigned there = bs_u8_same(bs_u8_load(b->id), bs_u8_set(box));
    return there != 0 ? bs_last_lane(there) : -1;
}

/* The block of a cell that holds the box, and its lane; `first` is in the cell's bucket. */
static uint32_t find_in_cell(bs_raster *r, uint32_t first, uint64_t key, uint32_t box, int *lane) {
    uint32_t block = first;
    for (;; block = r->next[block]) {
        *lane = lane_of(&r->block[block], box);
        if (*lane >= 0 && r->cell[block] == key) {
            return block;
        }
        assert(r->next[block] != BS_RASTER_NONE);
        r->passed++;
    }
}

/* The last box of the cell's first block fills the hole. */
static void remove_from_cell(bs_raster *r, const int32_t cell[DIM], uint32_t box) {
    uint64_t key = bs_raster_key(r, cell);
    uint32_t first;
    int lane;
    find_cell(r, key, &first);
    assert(r->cell[first] == key && r->entries > 0);
    uint32_t block = find_in_cell(r, first, key, box, &lane);
    bs_raster_block *from = &r->block[first];
    bs_raster_block *to = &r->block[block];
    int last = bs_raster_count(from) - 1;
    for (int i = 0; i < 2 * DIM; i++) {
        to->bound[i][lane] = from->bound[i][last];
    }
    to->id[lane] = from->id[last];
    clear_lane(from, last);
    if (last == 0) {
        end_block(r, first);
    }
    r->entries--;
}

/* --- boxes ---------------------------------------------------------------------------------- */

/* Puts a box into the list of those that are in no cell. False: no memory. */
static bool lay_to_rest(bs_raster *r, uint32_t box) {
    uint32_t position = r->resting;
    size_t blocks = r->rest_cap;
    if (!bs_array_reserve(r->heap, &r->rest, &r->rest_cap, position / BS_LANES + 1,
                          sizeof *r->rest)) {
        return false;
    }
    for (; blocks < r->rest_cap; blocks++) {
        bs_block_clear(&r->rest[blocks]);
    }
    bs_block_set(&r->rest[position / BS_LANES], (int)(position % BS_LANES),
                 bs_bounds_of(&r->boxes->rect[box]), box);
    r->place[box].cell[0] = (int32_t)position;
    r->place[box].state |= BS_RASTER_RESTING;
    r->resting++;
    return true;
}

/* The last one fills the hole. */
static void wake(bs_raster *r, uint32_t box) {
    uint32_t hole = (uint32_t)r->place[box].cell[0];
    assert(hole < r->resting && r->rest[hole / BS_LANES].id[hole % BS_LANES] == box);
    uint32_t last = --r->resting;
    bs_block *from = &r->rest[last / BS_LANES];
    int lane = (int)(last % BS_LANES);
    uint32_t moved = from->id[lane];
    bs_block_set(&r->rest[hole / BS_LANES], (int)(hole % BS_LANES), bs_block_get(from, lane),
                 moved);
    r->place[moved].cell[0] = (int32_t)hole;
    bs_block_clear_lane(from, lane);
}

static bs_raster_range place_range(const bs_raster_place *p) {
    bs_raster_range range;
    for (int k = 0; k < DIM; k++) {
        range.lo[k] = p->cell[k];
        range.hi[k] = p->cell[k] + p->span[k];
    }
    return range;
}

bool bs_raster_file(bs_raster *r, uint32_t box) {
    bs_raster_place *p = &r->place[box];
    assert((p->state & (BS_RASTER_FILED | BS_RASTER_RESTING)) == 0);
    bs_raster_range range;
    if (!bs_raster_range_of(r, box, &range)) {
        return lay_to_rest(r, box);
    }
    bs_raster_widen(r, &range);
    int32_t cell[DIM];
    memcpy(cell, range.lo, sizeof cell);
    do {
        if (!add_to_cell(r, cell, box)) {
            return false;
        }
    } while (bs_raster_next_cell(&range, cell));
    for (int k = 0; k < DIM; k++) {
        p->cell[k] = range.lo[k];
        p->span[k] = (uint8_t)(range.hi[k] - range.lo[k]);
    }
    p->state |= BS_RASTER_FILED;
    return true;
}

static void unfile(bs_raster *r, uint32_t box) {
    bs_raster_place *p = &r->place[box];
    if ((p->state & BS_RASTER_RESTING) != 0) {
        wake(r, box);
    } else if ((p->state & BS_RASTER_FILED) != 0) {
        bs_raster_range range = place_range(p);
        int32_t cell[DIM];
        memcpy(cell, range.lo, sizeof cell);
        do {
            remove_from_cell(r, cell, box);
        } while (bs_raster_next_cell(&range, cell));
    }
    p->state &= (uint8_t) ~(BS_RASTER_FILED | BS_RASTER_RESTING);
}

/* Fetches where the search for a box begins, in all of its cells at once. */
BS_HOT void fetch_cells(const bs_raster *r, const bs_raster_range *range) {
    int32_t cell[DIM];
    memcpy(cell, range->lo, sizeof cell);
    do {
        uint32_t block = bs_raster_bucket(r, bs_raster_key(r, cell));
        __builtin_prefetch(&r->block[block]);
        __builtin_prefetch(&r->block[r->next[block]]);
        __builtin_prefetch(&r->cell[block]);
    } while (bs_raster_next_cell(range, cell));
}

/* Whether these are the cells that the box is filed in. */
static bool is_placed(const bs_raster_place *p, const bs_raster_range *range) {
    int32_t other = 0;
    for (int k = 0; k < DIM; k++) {
        other |= p->cell[k] ^ range->lo[k];
        other |= (range->hi[k] - range->lo[k]) ^ p->span[k];
    }
    return other == 0;
}

/* A box that is still in the same cells only gets its new bounds there. */
static bool stays(bs_raster *r, uint32_t box) {
    const bs_raster_place *p = &r->place[box];
    const uint8_t both = BS_RASTER_FILED | BS_RASTER_HELD;
    bs_raster_range range;
    if ((p->state & both) != both || !bs_raster_range_of(r, box, &range) || !is_placed(p, &range)) {
        return false;
    }
    fetch_cells(r, &range);
    int32_t cell[DIM];
    memcpy(cell, range.lo, sizeof cell);
    do {
        int lane;
        uint64_t key = bs_raster_key(r, cell);
        uint32_t block = find_in_cell(r, bs_raster_bucket(r, key), key, box, &lane);
        set_lane(r, cell, block, lane, box);
    } while (bs_raster_next_cell(&range, cell));
    return true;
}

/* Files a box anew, or takes it out. False: no memory. */
static bool refile(bs_raster *r, uint32_t box) {
    if (stays(r, box)) {
        return true;
    }
    r->changes++;
    unfile(r, box);
    return (r->place[box].state & BS_RASTER_HELD) == 0 || bs_raster_file(r, box);
}

/* --- changes -------------------------------------------------------------------------------- */

/* False: no memory. */
static bool reserve_places(bs_raster *r, size_t need) {
    size_t known = r->place_cap;
    if (!bs_array_reserve(r->heap, &r->place, &r->place_cap, need, sizeof *r->place)) {
        return false;
    }
    memset(r->place + known, 0, (r->place_cap - known) * sizeof *r->place);
    return true;
}

bool bs_raster_note(bs_raster *r, uint32_t box, bool held) {
    assert(box < r->boxes->cap && r->held <= r->place_cap);
    if (box >= r->place_cap && !reserve_places(r, (size_t)box + 1)) {
        return false;
    }
    bs_raster_place *p = &r->place[box];
    if ((p->state & BS_RASTER_NOTED) == 0) {
        if (!bs_list_add(r->heap, &r->changed, box)) {
            return false;
        }
        p->state |= BS_RASTER_NOTED;
    }
    bool was_held = (p->state & BS_RASTER_HELD) != 0;
    if (held != was_held) {
        p->state ^= BS_RASTER_HELD;
        r->held = held ? r->held + 1 : r->held - 1;
    }
    return true;
}

bool bs_raster_is_unfit(const bs_raster *r) {
    return r->resting > 4 * BS_LANES + r->held / 64;
}

/* The i-th change, if there are so many, will be asked for soon. */
BS_HOT void fetch_change(const bs_raster *r, size_t i) {
    if (i < r->changed.n) {
        bs_boxes_fetch_ahead(r->boxes->rect, r->changed.at[i]);
        bs_fetch_ahead(&r->place[r->changed.at[i]]);
    }
}

bool bs_raster_file_changes(bs_raster *r) {
    assert(r->changed.n > 0);
    r->passed = 0;
    r->spent = 0;
    size_t more = r->place_cap / 16; /* making it anew looks at all places */
    bool much = r->changed.n > r->held / 4 + more || r->changes > 2 * r->built + 4 * more;
    if (much || r->used == 0) {
        return bs_raster_build(r);
    }
    for (size_t i = 0; i < r->changed.n; i++) {
        uint32_t box = r->changed.at[i];
        fetch_change(r, i + BS_AHEAD);
        if (!refile(r, box)) {
            return false;
        }
        if (r->passed > r->held + more) { /* crowded cells, in which it takes long to find a box */
            r->spent = r->held + r->passed / PASSED_A_BOX;
            return bs_raster_build(r);
        }
        r->place[box].state &= (uint8_t)~BS_RASTER_NOTED;
    }
    r->spent = r->passed / PASSED_A_BOX;
    r->changed.n = 0;
    assert(r->resting <= r->held && r->entries <= (size_t)r->used * BS_LANES);
    return !bs_raster_is_unfit(r);
}

/* --- checks --------------------------------------------------------------------------------- */

/* How often a box is in a cell; with the bounds that it has there, if it has not changed since. */
static int times_in_cell(const bs_raster *r, const int32_t cell[DIM], uint32_t box) {
    bool changed = (r->place[box].state & BS_RASTER_NOTED) != 0;
    int times = 0;
    uint8_t bound[2 * DIM] = {0};
    if (!changed) {
        bounds_in(r, cell, &r->boxes->rect[box], bound);
    }
    uint64_t key = bs_raster_key(r, cell);
    uint32_t block = bs_raster_bucket(r, key);
    do {
        const bs_raster_block *b = &r->block[block];
        int lane = lane_of(b, box);
        if (lane >= 0 && r->cell[block] == key) {
            bool right = true;
            for (int i = 0; i < 2 * DIM; i++) {
                right &= b->bound[i][lane] == bound[i];
            }
            times += right || changed;
        }
        block = r->next[block];
    } while (block != BS_RASTER_NONE);
    return times;
}

static const char *check_box(const bs_raster *r, uint32_t box, size_t *entries) {
    const bs_raster_place *p = &r->place[box];
    bool changed = (p->state & BS_RASTER_NOTED) != 0;
    if ((p->state & BS_RASTER_RESTING) != 0) {
        uint32_t position = (uint32_t)p->cell[0];
        bool there =
            position < r->resting && r->rest[position / BS_LANES].id[position % BS_LANES] == box;
        return there ? NULL : "raster: a box does not rest where it should";
    }
    if ((p->state & BS_RASTER_FILED) == 0) {
        bool unknown = (p->state & BS_RASTER_HELD) == 0 || changed;
        return unknown ? NULL : "raster: a box is nowhere";
    }
    bs_raster_range range = place_range(p);
    for (int k = 0; k < DIM; k++) {
        if (range.lo[k] < r->lo[k] || range.hi[k] > r->hi[k]) {
            return "raster: a cell is outside of all cells";
        }
    }
    bs_raster_range now;
    if (!changed && (!bs_raster_range_of(r, box, &now) || !is_placed(p, &now))) {
        return "raster: a box is in other cells than it reaches into";
    }
    int32_t cell[DIM];
    memcpy(cell, range.lo, sizeof cell);
    do {
        ++*entries;
        if (times_in_cell(r, cell, box) != 1) {
            return "raster: a box is not in its cell once, with its bounds";
        }
    } while (bs_raster_next_cell(&range, cell));
    return NULL;
}

/* Boxes are in the first lanes; no point meets the others; an empty block is of no cell. */
static bool is_right_block(const bs_raster *r, uint32_t block) {
    const bs_raster_block *b = &r->block[block];
    int count = bs_raster_count(b);
    bool right = (count == 0) == (r->cell[block] == BS_RASTER_NOWHERE);
    bool alone = r->next[block] == BS_RASTER_NONE || r->cell[r->next[block]] == r->cell[block];
    right &= alone || !r->neat;
    for (int lane = 0; lane < BS_LANES; lane++) {
        right &= (b->id[lane] == BS_RASTER_NOBODY) == (lane >= count);
        for (int k = 0; k < DIM; k++) {
            right &= (b->bound[k][lane] > b->bound[DIM + k][lane]) == (lane >= count);
        }
    }
    return right;
}

const char *bs_raster_check(const bs_raster *r) {
    size_t held = 0;
    size_t noted = 0;
    size_t resting = 0;
    size_t entries = 0;
    for (uint32_t box = 0; box < r->place_cap; box++) {
        held += (r->place[box].state & BS_RASTER_HELD) != 0;
        noted += (r->place[box].state & BS_RASTER_NOTED) != 0;
        resting += (r->place[box].state & BS_RASTER_RESTING) != 0;
        const char *broken = check_box(r, box, &entries);
        if (broken != NULL) {
            return broken;
        }
    }
    if (held != r->held || noted != r->changed.n || resting != r->resting) {
        return "raster: another number of boxes or of changes";
    }
    for (int k = 0; r->neat && k < DIM; k++) {
        if (r->hi[k] - r->lo[k] >= r->width[k]) {
            return "raster: there are more cells than have a bucket of their own";
        }
    }
    size_t lanes = 0;
    for (uint32_t block = 0; block < r->used; block++) {
        lanes += (size_t)bs_raster_count(&r->block[block]);
        if (!is_right_block(r, block)) {
            return "raster: a block's lanes, or its cell, are not as its boxes say";
        }
    }
    return entries == r->entries && lanes == entries ? NULL : "raster: another number of entries";
}
