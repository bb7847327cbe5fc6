/*
 * casts_test.c: compares first hits in worlds on `auto`, with static and dynamic boxes, with those
 * of brute force. After each round of changes there are enough casts for `auto` to make its grid.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limited_memory.h"
#include "broadside/world.h"

enum { MOST_BOXES = 3000, CASTS = 1200 };

/* The range of the random numbers in a world. */
typedef struct scale {
    double extent; /* of the world, around its centre */
    double centre; /* the same number on each axis */
    double size;   /* the largest size of a box */
    double grid;   /* all numbers are multiples of this; 0 for any numbers */
} scale;

static limited_memory unlimited = {-1};
static uint64_t state;
/* On auto and on brute; they get the same calls, so their boxes have the same indices. */
static bs_world *world[2];
static uint32_t box[MOST_BOXES];
static int boxes;

static uint32_t below(uint32_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static double uniform(double lo, double hi) {
    return lo + (hi - lo) * (below(UINT32_MAX) / (double)UINT32_MAX);
}

static double on_grid(const scale *s, double x) {
    return s->grid > 0 ? floor(x / s->grid) * s->grid : x;
}

static void must(bs_status status) {
    if (status != BS_OK) {
        abort();
    }
}

/* --- the boxes ------------------------------------------------------------------------------ */

static scale draw_scale(void) {
    scale s;
    s.extent = pow(10, uniform(1, 4));
    s.extent *= below(8) == 0 ? 1e6 : 1;
    s.centre = below(5) == 0 ? uniform(0, 1e7) : 0;
    s.size = s.extent * pow(10, uniform(-2.5, 0));
    s.grid = below(3) == 0 ? pow(2, (int)below(6) - 2) : 0;
    return s;
}

static bs_rect draw_rect(const scale *s, double share) {
    bs_rect r;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = on_grid(s, s->centre + uniform(-s->extent, s->extent) / 2);
        r.size[k] = uniform(0.001, share) * s->size;
        r.size[k] = s->grid > 0 ? on_grid(s, r.size[k]) + s->grid : r.size[k];
    }
    return r;
}

static void insert(int i, const bs_rect *r) {
    bs_props props = bs_props_default();
    bs_shape shape;
    bs_shape_set_box(&shape, r);
    props.is_static = below(3) == 0;
    for (int w = 0; w < 2; w++) {
        must(bs_world_insert(world[w], &shape, &props, &box[i]));
    }
}

/* Moves about one box in `few` a little, or replaces it by a box elsewhere. */
static void change(const scale *s, uint32_t few, bool replace) {
    for (int i = 0; i < boxes; i++) {
        if (below(few) != 0) {
            continue;
        }
        bs_rect r = *bs_world_rect(world[0], box[i]);
        if (replace && below(2) == 0) {
            bs_world_remove(world[0], box[i]);
            bs_world_remove(world[1], box[i]);
            r = draw_rect(s, 1);
            insert(i, &r);
            continue;
        }
        for (int k = 0; k < DIM; k++) {
            r.pos[k] += s->grid > 0 ? s->grid * ((int)below(3) - 1) : uniform(-1, 1) * s->size / 2;
        }
        bs_world_update(world[0], box[i], &r);
        bs_world_update(world[1], box[i], &r);
    }
}

/* --- the casts ------------------------------------------------------------------------------ */

/* A point or a box, sometimes at the place of a box in the world. */
static bs_rect draw_start(const scale *s, uint32_t self) {
    bs_rect r = draw_rect(s, 2);
    bool point = below(2) == 0;
    if (self != BS_NO_BOX && below(2) == 0) {
        r = *bs_world_rect(world[0], self);
    }
    for (int k = 0; k < DIM && point; k++) {
        r.size[k] = 0;
    }
    return r;
}

static void draw_motion(const scale *s, double length, double motion[DIM]) {
    for (int k = 0; k < DIM; k++) {
        motion[k] = below(8) == 0 ? 0 : on_grid(s, uniform(-length, length));
        motion[k] = below(16) == 0 ? -0.0 : motion[k];
    }
}

static bs_filter draw_filter(uint32_t self) {
    bs_filter filter = bs_filter_all;
    filter.self = self;
    filter.ignore = self != BS_NO_BOX && below(6) == 0 ? box[below((uint32_t)boxes)] : BS_NO_BOX;
    filter.mask = below(20) == 0 ? below(4) : filter.mask;
    return filter;
}

static void cast_once(const scale *s, double length) {
    uint32_t self = below(3) == 0 ? box[below((uint32_t)boxes)] : BS_NO_BOX;
    bs_way way = {.from = draw_start(s, self)};
    bs_filter filter = draw_filter(self);
    bs_hit hit[2];
    draw_motion(s, length, way.motion);
    for (int w = 0; w < 2; w++) {
        must(bs_world_cast(world[w], &way, &filter, &hit[w]));
    }
    bool same = hit[0].box == hit[1].box;
    if (same && hit[0].box != BS_NO_BOX) {
        same = memcmp(&hit[0].touch, &hit[1].touch, offsetof(bs_touch, corner)) == 0 &&
               hit[0].touch.corner == hit[1].touch.corner;
    }
    if (!same) {
        fprintf(stderr, "casts, DIM %d: auto met %u at %.17g, brute %u at %.17g\n", DIM, hit[0].box,
                hit[0].touch.t, hit[1].box, hit[1].touch.t);
        exit(1);
    }
}

/* Returns true if a part of the world has a grid at the end. */
static bool test_world(void) {
    static const char *const type[] = {"auto", "brute"};
    scale s = draw_scale();
    bs_settings settings = {.margin = -1};
    for (int w = 0; w < 2; w++) {
        world[w] = bs_world_new(limited_resize, &unlimited, bs_backend_find(type[w]), &settings);
    }
    boxes = (int)(60 + below(below(4) == 0 ? MOST_BOXES - 60 : 400));
    for (int i = 0; i < boxes; i++) {
        bs_rect r = draw_rect(&s, 1);
        insert(i, &r);
    }
    bool replace = below(2) == 0;
    for (int round = 0; round < 3; round++) {
        const double lengths[] = {s.size, 4 * s.size, 0.3 * s.extent};
        double length = lengths[below(3)];
        change(&s, round == 1 ? 2 : 30, replace);
        for (int i = 0; i < CASTS; i++) {
            cast_once(&s, length);
        }
    }
    bs_stats dynamic_part;
    bs_stats static_part;
    bs_world_stats(world[0], &dynamic_part, &static_part);
    bool grid = strcmp(dynamic_part.now_used, "tree and grid") == 0 ||
                strcmp(static_part.now_used, "tree and grid") == 0;
    bs_world_free(world[0]);
    bs_world_free(world[1]);
    return grid;
}

int main(int argc, char **argv) {
    int worlds = argc > 1 ? atoi(argv[1]) : 1;
    int grids = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252u;
    for (int i = 0; i < worlds; i++) {
        grids += test_world();
    }
    if (grids < worlds / 4) {
        fprintf(stderr, "casts, DIM %d: only %d of %d worlds had a grid\n", DIM, grids, worlds);
        return 1;
    }
    printf("casts, DIM %d: %d worlds, %d with a grid\n", DIM, worlds, grids);
    return 0;
}
