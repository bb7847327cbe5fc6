/*
 * packing_test.c: when the tree is made, the boxes of a leaf lie in about a square (cube), wherever
 * the boxes are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "limited_memory.h"
#include "tree_parts.h"
#include "world_parts.h"

typedef struct scene {
    const char *name;
    size_t n;
    double stretch;  /* of the first axis */
    double outlier;  /* the last box is as far away; 0: it is where the others are */
    double clusters; /* two of them, so far from each other; 0: one */
    double thick;    /* 1: all over the place; less: along a diagonal band */
} scene;

static limited_memory unlimited = {-1};
static uint32_t seed = 1;

static double drawn(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static void fail(const scene *s, double side) {
    fprintf(stderr, "packing, DIM %d, %s: leaves are %.2f times as long as in squares\n", DIM,
            s->name, side);
    exit(1);
}

/* Boxes that are nearly points. */
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

static bs_world *make_world(const scene *s) {
    bs_props props = bs_props_default();
    bs_world *w = bs_world_new(limited_resize, &unlimited, bs_backend_find("tree"),
                               &(bs_settings){.margin = -1});
    const bs_pairs *pairs;
    for (size_t i = 0; w != NULL && i < s->n; i++) {
        bs_rect rect;
        uint32_t box;
        place(s, i, &rect);
        if (bs_world_insert(w, &rect, &props, &box) != BS_OK) {
            abort();
        }
    }
    if (w == NULL || bs_world_pairs(w, &pairs) != BS_OK) {
        abort();
    }
    return w;
}

/* The mean side of the leaves. What spans an outlier, or a gap between clusters, is left out. */
static double mean_side(const bs_tree *t, const scene *s) {
    double sum = 0;
    double leaves = 0;
    for (uint32_t node = 1; node < t->used; node++) {
        if (t->link[node].level > 0) {
            continue;
        }
        bs_bounds b = bs_tree_bounds(t, node);
        double side = bs_bounds_extent(b) / DIM;
        if (side < s->stretch) {
            sum += side;
            leaves++;
        }
    }
    return sum / leaves;
}

/*
 * Eight points in a cube of side L span 7/9 of it on each axis, on the average. A Hilbert curve
 * would cost 20% more.
 */
static void check(const scene *s, double most) {
    bs_world *w = make_world(s);
    double volume = s->stretch * (s->thick < 1 ? pow(s->thick, DIM - 1) : 1);
    double cube = pow(volume * BS_LANES / (double)s->n * (s->clusters > 0 ? 2 : 1), 1.0 / DIM);
    double side = mean_side(bs_tree_of(w->part[BS_DYNAMIC]), s) / (cube * 7 / 9);
    if (getenv("SHOW") != NULL) {
        printf("%s: %.3f\n", s->name, side);
    }
    if (!(side < most)) {
        fail(s, side);
    }
    bs_world_free(w);
}

int main(void) {
    check(&(scene){"a square", 1024, 1, 0, 0, 1}, 1.15);
    check(&(scene){"many", 20000, 1.5, 0, 0, 1}, 1.12);
    check(&(scene){"a strip", 20000, 50, 0, 0, 1}, 1.12);
    check(&(scene){"an outlier", 20000, 1.5, 1e7, 0, 1}, 1.15);
    check(&(scene){"two clusters", 20000, 1.5, 0, 4096, 1}, 1.15);
    check(&(scene){"a diagonal band", 20000, 1, 0, 0, DIM == 2 ? 0.1 : 0.4}, 1.4);
    printf("packing, DIM %d: leaves are square\n", DIM);
    return 0;
}
