/*
 * The core without Lua: a hero that moves along a wall, and a ball that falls and bounces.
 * doc/embed.md has the command that compiles it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "broadside/world.h"

/* The world asks for memory here, and frees it (new_size 0). NULL says that there is none. */
static void *resize(void *host, void *block, size_t old_size, size_t new_size) {
    (void)host, (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

/* A call that needs memory returns BS_OK, or BS_NO_MEMORY and has changed nothing. */
static void check(bs_status status) {
    if (status != BS_OK) {
        fputs("no memory\n", stderr);
        exit(1);
    }
}

static uint32_t insert_box(bs_world *w, double x, double y, double width, double height,
                           bool is_static) {
    bs_rect rect = {{x, y}, {width, height}};
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    bs_props props = bs_props_default();
    props.is_static = is_static;
    uint32_t box;
    check(bs_world_insert(w, &shape, &props, &box));
    return box;
}

static uint32_t insert_ball(bs_world *w, double x, double y, double radius) {
    double centre[DIM] = {x, y};
    bs_shape shape;
    bs_shape_set_circle(&shape, centre, radius);
    bs_props props = bs_props_default();
    props.conduct.response = BS_BOUNCE;
    props.conduct.bounce = 0.5;
    uint32_t box;
    check(bs_world_insert(w, &shape, &props, &box));
    return box;
}

/* As world:move of Lua: as far as it gets, along the boxes on its way. */
static void move_to(bs_world *w, uint32_t box, double x, double y) {
    double goal[DIM] = {x, y};
    bs_rules rules = bs_rules_default();
    bs_move *move = bs_move_run(w, box, goal, &rules);
    check(move == NULL ? BS_NO_MEMORY : BS_OK);
    bs_rect end = bs_move_rect(move);
    printf("moved to %g %g, hits: %d\n", end.pos[0], end.pos[1], (int)bs_move_collisions(move)->n);
    bs_move_end(move);
    bs_world_update(w, box, &end);
}

int main(void) {
    bs_settings settings = {0};
    bs_world *w = bs_world_new(resize, NULL, bs_backend_find("auto"), &settings);
    check(w == NULL ? BS_NO_MEMORY : BS_OK);
    insert_box(w, 0, 100, 300, 20, true);
    insert_box(w, 200, 0, 20, 100, true);

    uint32_t hero = insert_box(w, 20, 60, 16, 32, false);
    move_to(w, hero, 500, 60);

    double gravity[DIM] = {0, 600};
    bs_world_set_gravity(w, gravity);
    insert_ball(w, 100, 20, 10);
    for (int step = 0; step < 60; step++) {
        check(bs_world_step(w, 1.0 / 60));
        const bs_step_hits *hits = bs_world_step_hits(w);
        for (size_t i = 0; i < hits->n && hits->at[i].speed > 100; i++) {
            printf("step %d: a hit at a speed of %.0f\n", step, hits->at[i].speed);
        }
    }
    printf("%u boxes\n", (unsigned)bs_world_count(w));
    bs_world_free(w);
    return 0;
}
