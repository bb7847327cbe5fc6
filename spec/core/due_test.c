/*
 * due_test.c: how often structures are made anew, and when `auto` has a grid. Each scene has a
 * number that follows from the figures of due.h by hand.
 *
 *     due_test2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limited_memory.h"
#include "broad/backends.h"

enum { BOXES = 1000, SPARE = 4000, ROOM = BOXES + SPARE };

static limited_memory unlimited = {-1};
static bs_heap heap = {limited_resize, &unlimited, 0};
static bs_rect rect[ROOM];
static uint8_t flags[ROOM];
static bs_boxes boxes = {rect, flags, ROOM};
static const bs_settings settings = {.margin = -1};
static bs_list found;
static bs_pairs pairs;

static void must(bool done) {
    if (!done) {
        abort();
    }
}

/* --- changes and queries --------------------------------------------------------------------- */

/* Boxes stand apart in rows of 40. */
static void place(uint32_t box, double along) {
    for (int k = 0; k < DIM; k++) {
        rect[box].pos[k] = k == 0 ? box % 40 * 10 + along : k == 1 ? box / 40 * 10 : 0;
        rect[box].size[k] = 2;
    }
}

static bs_backend *begin(const char *name) {
    memset(flags, 0, sizeof flags);
    for (uint32_t box = 0; box < ROOM; box++) {
        place(box, 0);
        flags[box] = box < BOXES;
    }
    bs_backend *b = bs_backend_new(bs_backend_find(name), &heap, &boxes, 1, BOXES, &settings);
    must(b != NULL);
    return b;
}

static void replace(bs_backend *b, uint32_t box) {
    bs_backend_left(b, box);
    bs_backend_came(b, box);
}

static void move(bs_backend *b, uint32_t box, double along) {
    place(box, along);
    bs_backend_moved(b, &box, 1);
}

static void move_all(bs_backend *b, double along) {
    for (uint32_t box = 0; box < BOXES; box++) {
        move(b, box, along);
    }
}

static void ask(bs_backend *b) {
    const bs_rect nowhere = {{-1000}, {0}};
    found.n = 0;
    must(bs_backend_query(b, &nowhere, &found));
}

static void ask_pairs(bs_backend *b) {
    pairs.n = 0;
    must(bs_backend_pairs(b, &pairs));
}

static void ask_cast(bs_backend *b) {
    const bs_rect from = {{-1000}, {0}};
    const double motion[DIM] = {1};
    bs_cast cast;
    bs_cast_begin(&cast, &boxes, &from, motion, bs_cast_meet);
    must(bs_backend_cast(b, &cast));
}

static size_t rebuilds(const bs_backend *b) {
    bs_stats stats = {0};
    b->type->stats(b, &stats);
    return stats.rebuilds;
}

static bool has_grid(const bs_backend *b) {
    bs_stats stats = {0};
    b->type->stats(b, &stats);
    return strcmp(stats.now_used, "tree and grid") == 0;
}

/* --- scenes ---------------------------------------------------------------------------------- */

static void expect(const char *what, size_t is, size_t wanted) {
    if (is != wanted) {
        fprintf(stderr, "due, DIM %d, %s: %zu instead of %zu\n", DIM, what, is, wanted);
        exit(1);
    }
}

/* Ends a back end, which was made anew so often after it was first made. */
static void end(const char *what, bs_backend *b, size_t wanted) {
    expect(what, rebuilds(b) - 1, wanted);
    bs_backend_free(b);
}

static void test_asked_alone(const char *name) {
    bs_backend *b = begin(name);
    for (int i = 0; i < 10000; i++) {
        ask(b);
    }
    ask_pairs(b);
    end("nothing changes", b, 0);
}

/* A new tree of 1000 boxes costs 4004 tests. Each box that goes and comes costs 24: 167 of them. */
static void test_tree_replaced(void) {
    bs_backend *b = begin("tree");
    ask(b);
    for (uint32_t i = 0; i < 1670; i++) {
        replace(b, i % BOXES);
        ask(b);
    }
    end("tree, replaced one by one", b, 10);
}

/* Boxes that move within the margin of their leaves, or all together, leave a tree as it was. */
static void test_tree_moved(void) {
    bs_backend *b = begin("tree");
    for (uint32_t i = 0; i < 10000; i++) {
        move(b, i % BOXES, i / BOXES % 2 == 0 ? 0.25 : 0);
        ask(b);
    }
    end("tree, moved to and fro", b, 0);
    b = begin("tree");
    for (uint32_t i = 0; i < 1000; i++) {
        move_all(b, i);
        ask_pairs(b);
    }
    end("tree, all move on", b, 0);
}

/*
 * Every second box goes far away, so that leaves reach from one end to the other. The pairs of that
 * frame waste much, and some of the next frames make a new tree. Then it is as good as new.
 */
static void test_tree_parted(void) {
    bs_backend *b = begin("tree");
    ask_pairs(b);
    for (uint32_t frame = 0; frame < 100; frame++) {
        for (uint32_t box = 0; box < BOXES; box++) {
            move(b, box, box % 2 * 1e6 + frame);
        }
        ask_pairs(b);
    }
    bool some = rebuilds(b) > 1;
    expect("tree, parted", some && rebuilds(b) <= 9, true);
    bs_backend_free(b);
}

/* A query allows a tail of 79 boxes. Each that is put before the others goes there. */
static void test_order(void) {
    bs_backend *b = begin("sweep");
    ask(b);
    for (uint32_t i = 0; i < 800; i++) {
        move(b, BOXES - 1 - i, -1000.0 * (i + 1));
        ask(b);
    }
    end("sweep, sent away one by one", b, 10);
    b = begin("sweep");
    ask_pairs(b);
    for (uint32_t i = 0; i < 10; i++) {
        move(b, BOXES - 1 - i, -1000.0 * (i + 1));
        ask_pairs(b);
    }
    end("sweep, sent away, pairs", b, 10);
}

/* The edge is chosen for 1000 boxes, again for 2001 and for 4003, and then for 1000. */
static void test_tuning(void) {
    bs_backend *b = begin("grid");
    ask(b);
    for (uint32_t i = 0; i < 3500; i++) {
        flags[BOXES + i] = 1;
        bs_backend_came(b, BOXES + i);
        ask(b);
    }
    expect("grid, inserted one by one", rebuilds(b), 3);
    for (uint32_t i = 0; i < 3500; i++) {
        flags[BOXES + i] = 0;
        bs_backend_left(b, BOXES + i);
        ask(b);
    }
    end("grid, removed one by one", b, 3);
    b = begin("grid");
    for (uint32_t i = 0; i < 1000; i++) {
        move_all(b, i % 100);
        ask_pairs(b);
    }
    end("grid, all move to and fro", b, 0);
}

/* A grid of 1000 boxes costs 1064, a cast saves 4, a change costs 1. */
static void test_auto(void) {
    bs_backend *b = begin("auto");
    for (int i = 0; i < 265; i++) {
        ask_cast(b);
    }
    expect("auto, 265 casts", has_grid(b), false);
    ask_cast(b);
    expect("auto, 266 casts", has_grid(b), true);
    for (uint32_t i = 0; i < 2127; i++) {
        move(b, i % BOXES, 0.25);
        ask(b);
    }
    expect("auto, 2127 changes", has_grid(b), true);
    move(b, 0, 0);
    ask(b);
    expect("auto, 2128 changes", has_grid(b), false);
    for (uint32_t i = 0; i < 5000; i++) {
        move(b, i % BOXES, 0.25);
        move(b, i % BOXES, 0.5);
        ask_cast(b);
    }
    expect("auto, two changes a cast", has_grid(b), true);
    bs_backend_free(b);
    b = begin("auto");
    for (uint32_t i = 0; i < 5000; i++) {
        for (int change = 0; change < 5; change++) {
            move(b, i % BOXES, change * 0.125);
        }
        ask_cast(b);
    }
    expect("auto, five changes a cast", has_grid(b), false);
    bs_backend_free(b);
}

int main(void) {
    test_asked_alone("sweep");
    test_asked_alone("grid");
    test_asked_alone("tree");
    test_tree_replaced();
    test_tree_moved();
    test_tree_parted();
    test_order();
    test_tuning();
    test_auto();
    bs_list_free(&heap, &found);
    bs_array_free(&heap, &pairs.at, &pairs.cap, sizeof *pairs.at);
    printf("%dD: structures are made anew when that is due\n", DIM);
    return 0;
}
