/* scenes.c: the list of workloads, and the generator of their boxes and moves. */
#include "scenes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL .least = 5, .greatest = 30
#define MIXED .least = 1, .greatest = 300, .log_uniform = true

/*
 * The mean side of MIXED is 299 / ln 300, that of SMALL 17.5. With this factor they cover as much.
 */
#define LARGER (52.42 / 17.5)
#define COVERAGE_S1 (SPACE_PER_BOX_S1 * (DIM == 2 ? LARGER * LARGER : LARGER * LARGER * LARGER))

#define AS_S1 .space_per_box = SPACE_PER_BOX_S1

/* clang-format off */
const scene_spec scene_specs[] = {
    {"S1", "none moves", .n = 1024, SMALL},
    {"S2", "half move", .n = 1024, SMALL, .moving = 0.5, .speed = 2},
    {"S2r", "half move, redrawn", .n = 1024, SMALL, .moving = 0.5, .speed = 2,
     .motion = REDRAWN},
    {"S3", "all move", .n = 1024, SMALL, .moving = 1, .speed = 2},
    {"S3r", "all move, redrawn", .n = 1024, SMALL, .moving = 1, .speed = 2,
     .motion = REDRAWN},
    {"S4", "same y, none moves", .n = 1024, SMALL, .layout = SAME_Y},
    {"S4m", "same y, half move", .n = 1024, SMALL, .layout = SAME_Y, .moving = 0.5, .speed = 2},
    {"S5", "same x, none moves", .n = 1024, SMALL, .layout = SAME_X},
    {"S5m", "same x, half move", .n = 1024, SMALL, .layout = SAME_X, .moving = 0.5, .speed = 2},
    {"S6", "one place, none moves", .n = 1024, SMALL, .layout = ONE_PLACE},
    {"S6m", "one place, half jitter", .n = 1024, SMALL, .layout = ONE_PLACE, .motion = JITTER,
     .moving = 0.5},
    {"S7", "half move, 5% replaced", .n = 1024, SMALL, .moving = 0.5, .speed = 2,
     .replaced = 0.05},
    {"S8", "two places, none moves", .n = 1024, SMALL, .layout = TWO_PLACES},
    {"S8m", "two places, half jitter", .n = 1024, SMALL, .layout = TWO_PLACES, .motion = JITTER,
     .moving = 0.5},
    {"S9", "8,192 in the same world, half move", .n = 8192, SMALL, .moving = 0.5, .speed = 2},
    {"S10", "8,192, half move", .n = 8192, SMALL, AS_S1, .moving = 0.5, .speed = 2},
    {"S10r", "8,192, half move, redrawn", .n = 8192, SMALL, AS_S1, .moving = 0.5, .speed = 2,
     .motion = REDRAWN},
    {"S10b", "8,192, all move", .n = 8192, SMALL, AS_S1, .moving = 1, .speed = 2},
    {"S11", "100,000, half move", .n = 100000, SMALL, AS_S1, .moving = 0.5, .speed = 2},
    {"S12", "8,192 of 1 to 300 px, half move", .n = 8192, MIXED, AS_S1, .moving = 0.5,
     .speed = 2},
    {"S12s", "the same, as sparse as S1", .n = 8192, MIXED, .space_per_box = COVERAGE_S1,
     .moving = 0.5, .speed = 2},
#if DIM == 2 /* its worlds are no cubes */
    {"S13", "20,000 movers, 2,000 blocks", .n = 22000, .fixed = 2000, .size = {2400, 1600},
     .least = 4, .greatest = 4, .moving = 1, .speed = 40},
    {"S13b", "the same, slower, in a larger world", .n = 22000, .fixed = 2000,
     .size = {4096, 4096}, .least = 4, .greatest = 4, .moving = 1, .speed = 16},
    {"S13w", "20,000 movers, 40 blocks", .n = 20040, .fixed = 40, .size = {2400, 1600},
     .least = 4, .greatest = 4, .moving = 1, .speed = 40},
    {"C2", "circles, half move", .n = 1024, SMALL, .shapes = CIRCLES, .moving = 0.5, .speed = 2},
    {"C10", "8,192 circles, half move", .n = 8192, SMALL, AS_S1, .shapes = CIRCLES,
     .moving = 0.5, .speed = 2},
    {"P2", "polygons of 6, half move", .n = 1024, SMALL, .shapes = POLYGONS, .moving = 0.5,
     .speed = 2},
    {"P10", "8,192 polygons of 6, half move", .n = 8192, SMALL, AS_S1, .shapes = POLYGONS,
     .moving = 0.5, .speed = 2},
#endif
    {"few", "100,000, of which 100 move", .n = 100000, SMALL, AS_S1, .moving = 0.001, .speed = 2},
    {"S14", "1,000,000, a tenth moves", .n = 1000000, SMALL, AS_S1, .moving = 0.1, .speed = 2},
    {NULL, NULL, .n = 0},
};
/* clang-format on */

static const double fixed_side = 32; /* of static boxes */
static const double step = 1.0 / 256;

const scene_spec *scene_spec_find(const char *name) {
    for (const scene_spec *spec = scene_specs; spec->name != NULL; spec++) {
        if (strcmp(spec->name, name) == 0) {
            return spec;
        }
    }
    return NULL;
}

scene_options scene_options_default(void) {
    return (scene_options){.seed = 1, .boxes = 1, .sizes = 1, .speed = 1};
}

void *must_alloc(size_t bytes) {
    void *block = malloc(bytes > 0 ? bytes : 1);
    if (block == NULL) {
        fprintf(stderr, "not enough memory\n");
        exit(1);
    }
    return block;
}

/* Lehmer's generator. Its products are exact in a double, so Lua can compute them, too. */
double scene_random(scene *s) {
    s->state = s->state * 48271 % 2147483647;
    return (double)s->state / 2147483647;
}

double scene_between(scene *s, double lo, double hi) {
    return lo + floor(scene_random(s) * (hi - lo) / step) * step;
}

static double draw_side(scene *s) {
    const scene_spec *spec = &s->spec;
    double side = scene_between(s, spec->least, spec->greatest);
    if (spec->log_uniform) {
        double u = (side - spec->least) / (spec->greatest - spec->least);
        side = spec->least * pow(spec->greatest / spec->least, u);
        side = floor(side / step) * step;
    }
    return side;
}

void scene_place(scene *s, bs_rect *rect) {
    for (int k = 0; k < DIM; k++) {
        rect->pos[k] = scene_between(s, 0, s->size[k] - rect->size[k]);
    }
}

static void draw_velocity(scene *s, uint32_t i) {
    for (int k = 0; k < DIM; k++) {
        s->velocity[i][k] = scene_between(s, -s->spec.speed, s->spec.speed);
    }
    if (s->spec.motion == JITTER) {
        memset(s->velocity[i], 0, sizeof s->velocity[i]);
        s->velocity[i][0] = step;
    }
    for (int k = 0; k < DIM; k++) {
        if (s->spec.layout == SAME_Y ? k > 0 : s->spec.layout == SAME_X && k == 0) {
            s->velocity[i][k] = 0;
        }
    }
}

/*
 * The place of a box on an axis; `any` if the layout does not fix it. With the same y, z is the
 * same, too, in 3D.
 */
static double choose_place(scene_layout layout, uint32_t i, int axis, double any) {
#if DIM == 2
    static const double one[] = {300, 200}, first[] = {100, 100}, second[] = {400, 250};
#else
    static const double one[] = {100, 100, 100}, first[] = {40, 40, 40}, second[] = {140, 90, 90};
#endif
    switch (layout) {
    case AT_RANDOM:
        return any;
    case SAME_Y:
        return axis > 0 ? one[axis] : any;
    case SAME_X:
        return axis == 0 ? one[axis] : any;
    case ONE_PLACE:
        return one[axis];
    case TWO_PLACES:
        return i % 2 == 1 ? second[axis] : first[axis];
    }
    return any;
}

static void draw_box(scene *s, uint32_t i) {
    bs_rect *r = &s->rect[i];
    for (int k = 0; k < DIM; k++) {
        bool same = k > 0 && s->spec.shapes != BOXES;
        r->size[k] = i < s->spec.fixed ? fixed_side : same ? r->size[0] : draw_side(s);
    }
    scene_place(s, r);
    draw_velocity(s, i);
    for (int k = 0; k < DIM; k++) {
        r->pos[k] = choose_place(s->spec.layout, i, k, r->pos[k]);
    }
}

static void apply_options(scene_spec *spec, const scene_options *options) {
    spec->n = (uint32_t)(spec->n * options->boxes);
    spec->fixed = (uint32_t)(spec->fixed * options->boxes);
    spec->least = floor(spec->least * options->sizes / step) * step;
    spec->greatest = floor(spec->greatest * options->sizes / step) * step;
    spec->speed = floor(spec->speed * options->speed / step) * step;
    if (options->redraw && spec->motion == BOUNCING) {
        spec->motion = REDRAWN;
    }
}

/* The world is 3:2, or a cube. */
static void measure_world(scene *s) {
    double space = s->spec.space_per_box * s->spec.n;
#if DIM == 2
    s->size[0] = space > 0 ? floor(1.5 * sqrt(space / 1.5)) : s->spec.size[0];
    s->size[1] = space > 0 ? floor(sqrt(space / 1.5)) : s->spec.size[1];
    if (!(s->size[0] > 0)) {
        s->size[0] = 600;
        s->size[1] = 400;
    }
#else
    for (int k = 0; k < DIM; k++) {
        s->size[k] = floor(cbrt(space > 0 ? space : SPACE_PER_BOX_S1 * 1024));
    }
#endif
    if (s->size[0] >= 65536 || s->size[1] <= s->spec.greatest + 4 * s->spec.speed) {
        fprintf(stderr, "%s: with these options the world is too large or too small\n",
                s->spec.name);
        exit(1);
    }
}

void scene_begin(scene *s, const scene_spec *spec, const scene_options *options) {
    s->spec = *spec;
    apply_options(&s->spec, options);
    measure_world(s);
    s->rect = must_alloc(s->spec.n * sizeof *s->rect);
    s->velocity = must_alloc(s->spec.n * sizeof *s->velocity);
    s->state = options->seed % 2147483646 + 1;
    s->tick = 0;
    for (int i = 0; i < 16; i++) {
        scene_random(s); /* small seeds begin with small numbers, so this one is dropped */
    }
    for (uint32_t i = 0; i < s->spec.n; i++) {
        draw_box(s, i);
    }
}

void scene_end(scene *s) {
    free(s->rect);
    free(s->velocity);
}

/* Moving boxes are spread evenly over the indices. */
static bool moves(const scene *s, uint32_t i) {
    double part = s->spec.moving;
    return i >= s->spec.fixed && floor((i + 1) * part) > floor(i * part);
}

static void move_box(scene *s, uint32_t i) {
    bs_rect *r = &s->rect[i];
    for (int k = 0; k < DIM; k++) {
        double *v = &s->velocity[i][k];
        double to = r->pos[k] + *v;
        if (s->spec.motion == JITTER ? s->tick % 2 == 1 : to < 0 || to + r->size[k] > s->size[k]) {
            to = r->pos[k] - *v;
            *v = s->spec.motion == JITTER ? *v : -*v;
        }
        r->pos[k] = to;
    }
}

static void reserve(const scene *s, frame *f) {
    if (f->moved == NULL) {
        size_t n = s->spec.n;
        f->moved = must_alloc(n * sizeof *f->moved);
        f->moved_to = must_alloc(n * sizeof *f->moved_to);
        f->replaced = must_alloc(n * sizeof *f->replaced);
        f->replacement = must_alloc(n * sizeof *f->replacement);
    }
    f->n_moved = 0;
    f->n_replaced = 0;
}

void scene_advance(scene *s, frame *f) {
    reserve(s, f);
    for (uint32_t i = 0; i < s->spec.n; i++) {
        if (moves(s, i)) {
            if (s->spec.motion == REDRAWN) {
                draw_velocity(s, i);
            }
            move_box(s, i);
            f->moved[f->n_moved] = i;
            f->moved_to[f->n_moved++] = s->rect[i];
        }
    }
    size_t replaced = (size_t)(s->spec.replaced * s->spec.n);
    for (size_t j = 0; j < replaced; j++) {
        uint32_t i = (uint32_t)(scene_random(s) * s->spec.n);
        draw_box(s, i);
        f->replaced[f->n_replaced] = i;
        f->replacement[f->n_replaced++] = s->rect[i];
    }
    s->tick++;
}

void frame_free(frame *f) {
    free(f->moved);
    free(f->moved_to);
    free(f->replaced);
    free(f->replacement);
    *f = (frame){0};
}
