/*
 * count.c: counts instructions per frame and per query by callgrind, which are the same in every
 * run.
 *
 *      valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=OUT count
 *
 * writes a file OUT.1, OUT.2, ... for each figure, with its name in it (count.sh reads them). Run
 * without valgrind, the program only prints the variant of the code that the processor gets.
 */
#include <stdio.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "broad/backends.h"
#include "subject.h"

enum { FRAMES = 4, QUERIES = 500 };

/* Instructions are only counted between start and stop. */
static void start(void) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

static void stop(const char *subject, const char *work, int times) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s.%d", work, subject, times);
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
}

/* Plays some frames first, so that the count is that of the steady state. */
static void count_frames(const subject_type *type, const char *workload) {
    scene s;
    frame f = {0};
    scene_options options = scene_options_default();
    scene_begin(&s, scene_spec_find(workload), &options);
    void *it = subject_fill(type, &s, FOR_PAIRS);
    for (int i = 0; i < 2 * FRAMES; i++) {
        const bs_pair *pairs;
        scene_advance(&s, &f);
        if (i == FRAMES) {
            start();
        }
        subject_play(type, it, &f);
        type->pairs(it, &pairs);
    }
    stop(type->name, workload, FRAMES);
    type->destroy(it);
    frame_free(&f);
    scene_end(&s);
}

/* Chooses where a query begins. Casts begin outside of boxes, as a line of sight does. */
static bs_rect draw_place(const subject_type *type, void *it, scene *s, const char *work) {
    const bool is_cast = strcmp(work, "rectangle") != 0;
    const double size = !is_cast ? 64 : strcmp(work, "sweep") == 0 ? 16 : 0;
    const uint32_t *found;
    bs_rect r = {.size = {size, size}};
    do {
        scene_place(s, &r);
    } while (is_cast && type->query(it, &r, &found) > 0);
    return r;
}

static void ask(const subject_type *type, void *it, const bs_rect *r, const char *work) {
    const double motion[DIM] = {140.7, 142.1};
    const uint32_t *found;
    double t;
    if (strcmp(work, "rectangle") == 0) {
        type->query(it, r, &found);
    } else {
        type->cast(it, r, motion, &t);
    }
}

/* Earlier queries warm up: some back ends build what casts need when they get casts. */
static void count_queries(const subject_type *type, const char *work) {
    bs_rect place[QUERIES];
    scene s;
    scene_options options = scene_options_default();
    scene_begin(&s, scene_spec_find("S10"), &options);
    void *it = subject_fill(type, &s, FOR_QUERIES);
    for (size_t i = 0; i < QUERIES; i++) {
        place[i] = draw_place(type, it, &s, work);
    }
    for (uint32_t i = 0; i < 4 * s.spec.n; i++) {
        ask(type, it, &place[i % QUERIES], work);
    }
    start();
    for (int i = 0; i < QUERIES; i++) {
        ask(type, it, &place[i], work);
    }
    stop(type->name, work, QUERIES);
    type->destroy(it);
    scene_end(&s);
}

/* Brute force only takes part in small worlds. */
int main(void) {
    static const char *const workloads[] = {"S2",  "S3",   "S6m", "S7",   "S8m",
                                            "S10", "S12s", "S13", "S13w", "few"};
    static const char *const queries[] = {"rectangle", "segment", "sweep"};
    printf("%s\n", bs_backend_find("brute") == &bs_brute_type ? "baseline" : "avx2");
    fflush(stdout);
    if (!RUNNING_ON_VALGRIND) {
        return 0;
    }
    for (const subject_type *type = ours_types; type->name != NULL; type++) {
        for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
            if (scene_spec_find(workloads[i])->n <= (type->most < 50000 ? 2048 : type->most)) {
                count_frames(type, workloads[i]);
            }
        }
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
            count_queries(type, queries[i]);
        }
    }
    return 0;
}
