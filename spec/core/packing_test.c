/*
 * packing_test.c: when the tree is built, the boxes of a leaf lie in about a square (cube),
 * wherever the boxes are, and also after others have come and gone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checkers/checkers.h"
#include "limited_memory.h"
#include "broad/tree/tree.h"
#include "world/world_parts.h"

typedef struct scene {
    const char *name;
    size_t n;
    double stretch;  /* how much longer the first axis is */
    double outlier;  /* the distance of the last box; 0 if it is among the others */
    double clusters; /* the distance between two clusters; 0 for one cluster */
    double thick;    /* 1 if boxes are everywhere; less if they are in a diagonal band */
} scene;

static limited_memory unlimited = {-1};
static uint32_t seed = 1;

static double drawn(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static void fail(const scene *s, const char *what, double side) {
    fprintf(stderr, "packing, DIM %d, %s: %s; leaves are %.2f times as long as in squares\n", DIM,
            s->name, what, side);
    exit(1);
}

/* Boxes are almost points. */
static void place(const scene *s, size_t i, bs_rect *rect) {
    double along = drawn();
    double cluster = i % 2 == 1 ? s->clusters : 0;
    for (int k = 0; k < DIM; k++) {
        double side = k == 0 ? s->stretch : 1;
        double across = s->thick < 1 && k > 0 ? along + s->thick * drawn() : drawn();
        rect->pos[k] = cluster + side * (k == 0 && s->thick < 1 ? along : across);
        rect->pos[k] = i == s->n - 1 && s->outlier > 0 ? s->outlier : rect->pos[k];
        rect->size[k] = 1e-9;
    }
}

static void ask_pairs(bs_world *w) {
    const bs_pairs *pairs;
    if (bs_world_pairs(w, &pairs) != BS_OK) {
        abort();
    }
}

static void ask_nowhere(bs_world *w) {
    bs_list found = {0};
    const bs_rect nowhere = {{-1}, {0}};
    bs_shape shape;
    bs_shape_set_box(&shape, &nowhere);
    if (bs_world_query(w, &shape, &bs_filter_all, &found) != BS_OK) {
        abort();
    }
    bs_list_free(bs_world_heap(w), &found);
}

static void insert(bs_world *w, const bs_rect *rect) {
    const bs_props props = bs_props_default();
    bs_shape shape;
    uint32_t box;
    bs_shape_set_box(&shape, rect);
    if (bs_world_insert(w, &shape, &props, &box) != BS_OK) {
        abort();
    }
}

static bs_world *new_world(const scene *s) {
    bs_world *w = bs_world_new(limited_resize, &unlimited, bs_backend_find("tree"),
                               &(bs_settings){.margin = -1});
    for (size_t i = 0; w != NULL && i < s->n; i++) {
        bs_rect rect;
        place(s, i, &rect);
        insert(w, &rect);
    }
    if (w == NULL) {
        abort();
    }
    return w;
}

static bs_world *make_world(const scene *s) {
    bs_world *w = new_world(s);
    ask_pairs(w);
    return w;
}

/* The mean side of the leaves, without those that span an outlier or a gap between clusters. */
static double mean_side(const bs_tree *t, const scene *s) {
    double sum = 0;
    double leaves = 0;
    for (uint32_t i = 1; i < t->used; i++) {
        if (t->node[i].level > 0) {
            continue;
        }
        bs_bounds b = bs_tree_bounds(t, &t->node[i]);
        double side = bs_bounds_extent(b) / DIM;
        if (side < s->stretch) {
            sum += side;
            leaves++;
        }
    }
    return sum / leaves;
}

/*
 * The ratio of the sides of leaves to those of cubes. On average, eight points in a cube of side L
 * span 7/9 of it on each axis. With a Hilbert curve the sides would be 20% longer.
 */
static double side_of_leaves(const bs_world *w, const scene *s) {
    double volume = s->stretch * (s->thick < 1 ? pow(s->thick, DIM - 1) : 1);
    double boxes = (double)bs_world_count(w) / (s->clusters > 0 ? 2 : 1);
    double cube = pow(volume * BS_LANES / boxes, 1.0 / DIM);
    return mean_side(bs_tree_of(w->part[BS_DYNAMIC]), s) / (cube * 7 / 9);
}

static void check_sides(bs_world *w, const scene *s, double most) {
    const char *broken = bs_world_check(w);
    double side = side_of_leaves(w, s);
    if (broken != NULL || !(side < most)) {
        fail(s, broken != NULL ? broken : "badly packed", side);
    }
}

static void check(const scene *s, double most) {
    bs_world *w = make_world(s);
    check_sides(w, s, most);
    bs_world_free(w);
}

/* Most boxes are removed, and none is added. */
static void check_leaving(void) {
    const scene s = {"some left", 4096, 1, 0, 0, 1};
    bs_world *w = make_world(&s);
    for (uint32_t box = 0; box < s.n; box++) {
        if (box % 16 != 0) {
            bs_world_remove(w, box);
        }
    }
    ask_pairs(w);
    check_sides(w, &s, 1.4);
    bs_world_free(w);
}

/* Boxes are removed at one end of the world, and added at the other. */
static void check_scrolling(void) {
    enum { FRAMES = 200, SHARE = 20 };
    const scene s = {"scrolling", 2000, 1, 0, 0, 1};
    bs_world *w = make_world(&s);
    for (size_t frame = 0; frame < FRAMES; frame++) {
        for (size_t i = 0; i < s.n / SHARE; i++) {
            bs_rect rect;
            uint32_t box = (uint32_t)((frame * (s.n / SHARE) + i) % s.n);
            place(&s, 0, &rect);
            rect.pos[0] = 1 + (double)frame / SHARE + rect.pos[0] / SHARE;
            bs_world_remove(w, box);
            insert(w, &rect);
        }
        ask_pairs(w);
        if (frame > SHARE) { /* now the oldest boxes are at the other end */
            check_sides(w, &s, 3);
        }
    }
    bs_world_free(w);
}

/* All boxes jump to random places in the scene, which begins at `start` on the first axis. */
static void jump(bs_world *w, const scene *s, double start) {
    for (uint32_t box = 0; box < s->n; box++) {
        bs_rect rect;
        place(s, box, &rect);
        rect.pos[0] += start;
        bs_world_update_many(w, &box, &rect, 1);
    }
}

/*
 * All boxes jump to random places in each frame. Only in a few frames may the leaves be bad,
 * because such frames take many times as long as rebuilding the tree.
 */
static void check_jumping(void) {
    enum { FRAMES = 60 };
    const scene s = {"jumping", 2000, 1, 0, 0, 1};
    bs_world *w = make_world(&s);
    int bad = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        jump(w, &s, 0);
        ask_pairs(w);
        bad += side_of_leaves(w, &s) > 1.3;
    }
    if (bad > FRAMES / 5) {
        fail(&s, "the tree is made anew too rarely", side_of_leaves(w, &s));
    }
    bs_world_free(w);
}

/*
 * In the frame after a bad one the tree is rebuilt. This must also help if the boxes have moved
 * elsewhere.
 */
static void check_going_away(void) {
    static const double start[] = {0.3, 0.5, 0.7, 0.9, 10};
    const scene s = {"going away", 2000, 1, 0, 0, 1};
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        bs_world *w = make_world(&s);
        jump(w, &s, 0);
        ask_pairs(w);
        jump(w, &s, start[i]);
        ask_pairs(w);
        check_sides(w, &s, 1.15);
        bs_world_free(w);
    }
}

/* The first query for pairs comes when the tree is no longer new. */
static void check_first_pairs(void) {
    const scene s = {"first pairs", 2000, 1, 0, 0, 1};
    bs_world *w = new_world(&s);
    ask_nowhere(w);
    jump(w, &s, 0);
    ask_nowhere(w);
    ask_pairs(w);
    for (uint32_t box = 0; box < s.n; box++) {
        bs_rect rect = w->rect[box];
        rect.pos[0] += 1e-6;
        bs_world_update_many(w, &box, &rect, 1);
    }
    ask_pairs(w);
    check_sides(w, &s, 1.15);
    bs_world_free(w);
}

int main(void) {
    check(&(scene){"a square", 1024, 1, 0, 0, 1}, 1.15);
    check(&(scene){"many", 20000, 1.5, 0, 0, 1}, 1.12);
    check(&(scene){"a strip", 20000, 50, 0, 0, 1}, 1.17);
    check(&(scene){"an outlier", 20000, 1.5, 1e7, 0, 1}, 1.15);
    check(&(scene){"two clusters", 20000, 1.5, 0, 4096, 1}, 1.15);
    check(&(scene){"a diagonal band", 20000, 1, 0, 0, DIM == 2 ? 0.1 : 0.4}, 1.4);
    check_leaving();
    check_scrolling();
    check_jumping();
    check_going_away();
    check_first_pairs();
    printf("packing, DIM %d: leaves are square\n", DIM);
    return 0;
}
