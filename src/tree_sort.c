/*
 * tree_sort.c: sorts the boxes, for the tree to be made anew: those near each other stand together.
 *
 * By the tiles that their centres are in (tiles.h). Cells that hold too many are sorted again by
 * themselves, with tiles of their own, so that an outlier or two far clusters do no harm. The items
 * of smaller trees are kept, so that a few new boxes can be merged into them.
 */
#include "tree_parts.h"

enum {
    DIGIT_BITS = 14,    /* radix sort: one or two passes, with up to 64 kB of counts */
    RUN = 4 * BS_LANES, /* boxes with the same key that are left unsorted */
    STRIDE = RUN / 2,   /* any longer run has two that are so far apart */
};
static_assert(2 * DIGIT_BITS >= (int)BS_TILES_KEY_BITS, "two passes sort all keys");

/* Half of its middle, nearly: so the difference of two is finite. */
static inline double tree_centre(const bs_rect *r, int k) {
    return r->pos[k] * 0.5 + r->size[k] * 0.25;
}

/* The bounds of the centres. */
static void tree_centres(const bs_rect *rect, const bs_tree_item *item, size_t n, double lo[DIM],
                         double hi[DIM]) {
    for (int k = 0; k < DIM; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        const bs_rect *r = &rect[item[i].box];
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            double x = tree_centre(r, k);
            assert(isfinite(x));
            lo[k] = bs_min(x, lo[k]);
            hi[k] = bs_max(x, hi[k]);
        }
    }
}

/* --- keys ----------------------------------------------------------------------------------- */

/*
 * The cells of n items. In stages over many: a wide load of what narrow stores have just written
 * waits for these (store forwarding).
 */
static void tree_find_cells(const bs_rect *rect, bs_tree_item *item, size_t n, const bs_tiles *t) {
    double centre[DIM][BS_TILES_BATCH] = {{0}};
    uint32_t cells[BS_TILES_BATCH];
    for (size_t first = 0; first < n; first += BS_TILES_BATCH) {
        size_t batch = n - first < BS_TILES_BATCH ? n - first : BS_TILES_BATCH;
        for (size_t i = 0; i < batch; i++) {
            size_t ahead = first + i + 2 * BS_AHEAD;
            bs_boxes_fetch_ahead(rect, item[ahead < n ? ahead : first + i].box);
            const bs_rect *r = &rect[item[first + i].box];
#pragma GCC unroll 3
            for (int k = 0; k < DIM; k++) {
                centre[k][i] = tree_centre(r, k);
            }
        }
        bs_tiles_find(t, batch, centre, cells);
        for (size_t i = 0; i < batch; i++) {
            item[first + i].cells = cells[i];
        }
    }
}

/* Their keys, when they have cells. */
static void tree_find_keys(bs_tree_item *item, size_t n, const bs_tiles *t) {
    for (size_t i = 0; i < n; i++) {
        item[i].key = bs_tiles_key(t, item[i].cells);
        assert(item[i].key >> t->bits == 0);
    }
}

/* Cuts the bounds lo .. hi, and gives n items keys; not if these are few, or all in one place. */
static bool tree_give_keys(const bs_rect *rect, bs_tree_item *item, size_t n, const double lo[DIM],
                           const double hi[DIM], size_t in_tile, bs_tiles *t) {
    bs_tiles_begin(t, lo, hi, n, in_tile);
    if (n <= BS_LANES || t->bits == 0) {
        return false;
    }
    tree_find_cells(rect, item, n, t);
    for (size_t i = 0; i < n; i++) {
        bs_tiles_count(t, item[i].cells);
    }
    bs_tiles_cut(t, n);
    tree_find_keys(item, n, t);
    return true;
}

/* --- sorting -------------------------------------------------------------------------------- */

static void tree_radix_pass(const bs_tree_item *from, bs_tree_item *to, size_t n, int shift,
                            int bits) {
    assert(from != to && bits >= 0 && bits <= DIGIT_BITS && shift + bits <= BS_TILES_KEY_BITS);
    uint32_t start[1 << DIGIT_BITS];
    uint32_t mask = (1u << bits) - 1;
    memset(start, 0, (mask + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) {
        start[from[i].key >> shift & mask]++;
    }
    uint32_t sum = 0;
    for (uint32_t d = 0; d <= mask; d++) {
        uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    assert(sum == n);
    for (size_t i = 0; i < n; i++) {
        to[start[from[i].key >> shift & mask]++] = from[i];
    }
}

/* Sorts by keys of so many bits; equal ones keep their order. `spare` has room for n. */
static void tree_radix_sort(bs_tree_item *item, bs_tree_item *spare, size_t n, int bits) {
    bool once = bits <= DIGIT_BITS && (size_t)1 << bits <= 4 * n;
    int low = once ? bits : bits / 2;
    tree_radix_pass(item, spare, n, 0, low);
    if (bits > low) {
        tree_radix_pass(spare, item, n, low, bits - low);
    } else {
        memcpy(item, spare, n * sizeof *item);
    }
}

static void tree_sort_keys(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                           int bits, bs_tiles *own);

/* Sorts a run of items with the same key by tiles of its own. */
static void tree_sort_run(const bs_rect *rect, bs_tree_item *run, bs_tree_item *spare, size_t n,
                          bs_tiles *own) {
    double lo[DIM];
    double hi[DIM];
    uint32_t key = run[0].key;
    tree_centres(rect, run, n, lo, hi);
    if (tree_give_keys(rect, run, n, lo, hi, BS_LANES, own)) {
        tree_sort_keys(rect, run, spare, n, own->bits, own);
    }
    for (size_t i = 0; i < n; i++) {
        run[i].key = key;
        run[i].cells = 0; /* those in its own tiles mean nothing to others */
    }
}

/*
 * Sorts long runs of items with the same key, and returns how many items that takes. A run of all n
 * is left as it is, so that this ends. A shorter one lies within one cell of the longest axis, so
 * that it does not go deep: each axis is the longest one in its turn.
 */
static size_t tree_sort_runs(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                             bs_tiles *own) {
    size_t again = 0;
    for (size_t i = 0; i + STRIDE < n;) {
        uint32_t key = item[i].key;
        assert(key <= item[i + STRIDE].key);
        if (key != item[i + STRIDE].key) {
            i += STRIDE;
            continue;
        }
        size_t first = i;
        size_t end = i + STRIDE + 1;
        while (first > 0 && item[first - 1].key == key) {
            first--;
        }
        while (end < n && item[end].key == key) {
            end++;
        }
        if (end - first > RUN && end - first < n) {
            tree_sort_run(rect, item + first, spare + first, end - first, own);
            again += end - first;
        }
        i = end;
    }
    return again;
}

/*
 * Sorts n items by their keys. `own` is room for the tiles of runs; those of the keys may be in it,
 * as only their bits still count.
 */
static void tree_sort_keys(const bs_rect *rect, bs_tree_item *item, bs_tree_item *spare, size_t n,
                           int bits, bs_tiles *own) {
    assert(n > 0);
    tree_radix_sort(item, spare, n, bits);
    tree_sort_runs(rect, item, spare, n, own);
}

/* --- all boxes ------------------------------------------------------------------------------ */

/* All boxes, those in the tree in its order, so that sorting starts from the last order. */
static void tree_list_items(bs_tree *t) {
    size_t n = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        int count = t->link[node].level == 0 ? t->link[node].count : 0;
        for (int lane = 0; lane < count; lane++) {
            t->item[n++].box = t->node[node].id[lane];
        }
    }
    for (size_t i = 0; i < t->pending.n; i++) {
        t->item[n++].box = t->pending.at[i];
    }
    assert(n == t->base.count);
}

/* Sorts all items by tiles for the bounds lo .. hi. False: they are all in one. */
static bool tree_sort_within(bs_tree *t, const double lo[DIM], const double hi[DIM]) {
    const bs_rect *rect = t->base.boxes->rect;
    size_t n = t->base.count;
    bs_tree_item *item = t->item;
    bs_tiles own;
    bool keyed = tree_give_keys(rect, item, n, lo, hi, BS_TREE_GROUP, &t->tiles);
    t->kept = keyed ? n : 0;
    if (keyed) {
        tree_sort_keys(rect, item, item + n, n, t->tiles.bits, &own);
    }
    return keyed && item[0].key != item[n - 1].key;
}

/* Whether nearly all centres are within lo .. hi, by a sample. */
static bool tree_centres_within(const bs_tree *t, const double lo[DIM], const double hi[DIM]) {
    enum { STEP = 16, FEW = 8 * STEP };
    size_t outside = 0;
    for (size_t i = 0; i < t->base.count; i += STEP) {
        const bs_rect *r = &t->base.boxes->rect[t->item[i].box];
        bool within = true;
        for (int k = 0; k < DIM; k++) {
            double x = tree_centre(r, k);
            within = within && lo[k] <= x && x <= hi[k];
        }
        outside += !within;
    }
    return outside <= t->base.count / FEW;
}

/* Mostly the old root's bounds will do, unless boxes have gone far since these were made right. */
static void tree_sort_items(bs_tree *t) {
    double lo[DIM];
    double hi[DIM];
    if (t->root != BS_NO_NODE && t->pending.n <= t->base.count / 4) {
        bs_bounds world = bs_tree_bounds(t, t->root);
        for (int k = 0; k < DIM; k++) {
            lo[k] = (double)world.lo[k] * 0.5;
            hi[k] = (double)world.hi[k] * 0.5;
        }
        if (tree_centres_within(t, lo, hi) && tree_sort_within(t, lo, hi)) {
            return;
        }
    }
    tree_centres(t->base.boxes->rect, t->item, t->base.count, lo, hi);
    tree_sort_within(t, lo, hi);
}

void bs_tree_sort(bs_tree *t) {
    assert(t->base.count > 0 && t->item_cap >= 2 * t->base.count);
    tree_list_items(t);
    tree_sort_items(t);
}

/* --- pending boxes -------------------------------------------------------------------------- */

/* How many of n sorted items have keys up to this one. */
static size_t tree_count_up_to(const bs_tree_item *item, size_t n, uint32_t key) {
    size_t first = 0;
    while (n > 0) {
        size_t half = n - n / 2;
        first += item[first + half - 1].key <= key ? half : 0;
        n /= 2;
    }
    return first;
}

/*
 * Merges sorted items into n others, behind those with the same key. Their places are found first:
 * searches that do not wait for each other. `spare` has room for as many.
 */
static void tree_merge_items(bs_tree_item *item, size_t n, const bs_tree_item *more, size_t count,
                             bs_tree_item *spare) {
    for (size_t i = 0; i < count; i++) {
        spare[i].key = (uint32_t)tree_count_up_to(item, n, more[i].key);
    }
    for (size_t i = count; i > 0; i--) {
        size_t before = spare[i - 1].key;
        assert(before <= n);
        memmove(item + before + i, item + before, (n - before) * sizeof *item);
        item[before + i - 1] = more[i - 1];
        n = before;
    }
}

/* Drops the items of boxes that are not in the tree any more. */
static void tree_drop_items(bs_tree *t) {
    size_t kept = 0;
    for (size_t i = 0; i < t->kept; i++) {
        bs_tree_item item = t->item[i];
        assert(item.box < t->place_cap);
        t->item[kept] = item;
        kept += (t->place[item.box] & BS_PENDING) == 0;
    }
    t->kept = kept;
}

/* Sorts the pending boxes, in `more`, which has room for twice as many. */
static void tree_list_pending(bs_tree *t, bs_tree_item *more) {
    size_t count = t->pending.n;
    for (size_t i = 0; i < count; i++) {
        more[i].box = t->pending.at[i];
    }
    tree_find_cells(t->base.boxes->rect, more, count, &t->tiles);
    tree_find_keys(more, count, &t->tiles);
    tree_radix_sort(more, more + count, count, t->tiles.bits);
}

bool bs_tree_sort_pending(bs_tree *t) {
    size_t n = t->base.count;
    size_t count = t->pending.n;
    bs_tree_item *item = t->item;
    bs_tiles own;
    assert(t->kept > 0 && count <= n / 2 && t->item_cap >= 2 * n);
    tree_drop_items(t);
    assert(t->kept + count == n);
    if (count > 0) {
        tree_list_pending(t, item + n);
        tree_merge_items(item, t->kept, item + n, count, item + n + count);
    }
    t->kept = n;
    size_t again = tree_sort_runs(t->base.boxes->rect, item, item + n, n, &own);
    return again <= n / 2 && item[0].key != item[n - 1].key;
}
