/*
 * pools.c: the cost of a pool's step beside the plainest loop over the same columns, and the cost
 * of its hits. It is compiled alone:
 *
 *   cc -std=c11 -O2 -ffp-contract=off -DDIM=2 -Isrc -o pools bench/pools.c src/[a-z]*.c -lm
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host.h"
#include "broadside/pool.h"

enum { MOVERS = 100000, ROUNDS = 41, STEPS = 10 };

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double uniform(double lo, double hi) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t n) {
    qsort(times, n, sizeof *times, ascending);
    return times[n / 2];
}

/* x += vx dt for each axis: the plainest loop. */
static void plain_step(double *x, double *y, const double *vx, const double *vy, double dt,
                       size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[i] += vx[i] * dt;
        y[i] += vy[i] * dt;
    }
}

static bs_pool *new_pool(uint32_t n, double size, double extent, double speed, uint32_t life,
                         bool bounded) {
    bs_pool_settings settings = {.capacity = n, .mask = UINT32_MAX, .bounded = bounded};
    for (int k = 0; k < DIM; k++) {
        settings.size[k] = size;
        settings.bounds.pos[k] = -1e6;
        settings.bounds.size[k] = 2e6;
    }
    bs_pool *p = bs_pool_new(host_resize, NULL, &settings);
    for (uint32_t i = 0; i < n; i++) {
        bs_shot shot = bs_pool_shot(p, NULL);
        for (int k = 0; k < DIM; k++) {
            shot.place[k] = uniform(0, extent);
            shot.velocity[k] = uniform(-speed, speed);
        }
        shot.life = life;
        bs_pool_spawn(p, &shot);
    }
    return p;
}

static void time_steps(void) {
    static double column[4][MOVERS];
    static double plain[ROUNDS], bare[ROUNDS], mortal[ROUNDS], turnover[ROUNDS];
    bs_pool *a = new_pool(MOVERS, 4, 4096, 1, 0, false);
    bs_pool *b = new_pool(MOVERS, 4, 4096, 1, 1u << 30, true);
    bs_pool *c = new_pool(MOVERS, 4, 4096, 1, 0, true);
    for (size_t i = 0; i < MOVERS; i++) {
        for (int k = 0; k < 4; k++) {
            column[k][i] = uniform(0, 1);
        }
    }
    for (int round = 0; round < ROUNDS; round++) {
        double start = microseconds();
        for (int i = 0; i < STEPS; i++) {
            plain_step(column[0], column[1], column[2], column[3], 0.5, MOVERS);
        }
        plain[round] = (microseconds() - start) / STEPS;
        start = microseconds();
        for (int i = 0; i < STEPS; i++) {
            bs_pool_step(a, 0.5);
        }
        bare[round] = (microseconds() - start) / STEPS;
        start = microseconds();
        for (int i = 0; i < STEPS; i++) {
            bs_pool_step(b, 0.5);
        }
        mortal[round] = (microseconds() - start) / STEPS;
        start = microseconds();
        for (int i = 0; i < STEPS; i++) { /* 1% end and are spawned in each step */
            bs_shot shot = bs_pool_shot(c, NULL);
            shot.life = 100;
            while (bs_pool_count(c) > MOVERS - MOVERS / 100) {
                bs_pool_remove(c, (uint32_t)uniform(0, MOVERS - MOVERS / 100));
            }
            for (int n = 0; n < MOVERS / 100; n++) {
                bs_pool_spawn(c, &shot);
            }
            bs_pool_step(c, 0.5);
        }
        turnover[round] = (microseconds() - start) / STEPS;
    }
    double base = median(plain, ROUNDS);
    double x = median(bare, ROUNDS), y = median(mortal, ROUNDS), z = median(turnover, ROUNDS);
    printf("step of %d movers, microseconds (times the plain loop)\n", MOVERS);
    printf("  plain loop                %8.1f\n", base);
    printf("  pool                      %8.1f  %.2f\n", x, x / base);
    printf("  with life and bounds      %8.1f  %.2f\n", y, y / base);
    printf("  and 1%% replaced each step %8.1f  %.2f\n", z, z / base);
    bs_pool_free(a);
    bs_pool_free(b);
    bs_pool_free(c);
}

static void time_hits(const char *backend) {
    enum { SHOTS = 20000, BLOCKS = 2000, TIMES = 51 };
    bs_settings settings = {.margin = -1};
    bs_world *w = bs_world_new(host_resize, NULL, bs_backend_find(backend), &settings);
    bs_heap heap = {host_resize, NULL, 0};
    bs_pool_hits hits = {NULL, 0, 0};
    bs_pool *p = new_pool(SHOTS, 4, 4096, 16, 0, false);
    for (int i = 0; i < BLOCKS; i++) {
        uint32_t box;
        bs_props props = bs_props_default();
        bs_rect rect;
        for (int k = 0; k < DIM; k++) {
            rect.pos[k] = uniform(0, 4096 - 32);
            rect.size[k] = 32;
        }
        bs_shape shape;
        bs_shape_set_box(&shape, &rect);
        props.is_static = true;
        bs_world_insert(w, &shape, &props, &box);
    }
    double world[TIMES], one[TIMES];
    size_t n = 0;
    bs_rect place = {{2000, 2000}, {32, 32}};
    bs_shape player;
    bs_shape_set_box(&player, &place);
    double still[DIM] = {0};
    for (int i = 0; i < TIMES; i++) {
        bs_pool_step(p, i % 2 == 0 ? 1 : -1);
        double start = microseconds();
        hits.n = 0;
        bs_pool_hits_world(p, w, &bs_filter_all, NULL, &heap, &hits);
        world[i] = microseconds() - start;
        n = hits.n;
        start = microseconds();
        hits.n = 0;
        bs_pool_hits_box(p, &player, still, BS_ANY_LAYER, &heap, &hits);
        one[i] = microseconds() - start;
    }
    printf("  %-6s %10.1f  %6zu hits    %8.1f  %zu hits\n", backend, median(world, TIMES), n,
           median(one, TIMES), hits.n);
    bs_array_free(&heap, &hits.at, &hits.cap, sizeof *hits.at);
    bs_pool_free(p);
    bs_world_free(w);
}

int main(void) {
    static const char *const backends[] = {"brute", "sweep", "grid", "tree", "auto"};
    time_steps();
    printf("hits of 20000 movers, microseconds: with 2000 boxes of a world, with one box\n");
    for (int i = 0; i < 5; i++) {
        time_hits(backends[i]);
    }
    return 0;
}
