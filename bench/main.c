/*
 * main.c: reads from the command line what to measure.
 *
 *      bench [quick] [part ...] [name=value ...]
 *
 * Parts: pairs blog cells scaling queries turns memory. Without a part it runs all, or with `quick`
 * those for daily use. Values:
 *      only=S2,S10          these workloads of `pairs`
 *      subjects=grid,tree   these subjects
 *      seed=1               another world, other velocities
 *      boxes=1 sizes=1 speed=1   factors to the number, size and speed of boxes
 *      redraw=1             velocities are drawn anew each frame in all workloads
 *      seconds=0.3          of processor time for each subject and workload
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report.h"

typedef struct part {
    const char *name;
    void (*run)(bench *b);
    bool quick; /* also run with `quick` */
} part;

static const part parts[] = {
    {"pairs", bench_pairs, true},
#if DIM == 2 /* cell sizes, and the figures of the blog, are for 2D */
    {"blog", bench_blog, true},        {"cells", bench_cells, false},
#endif
    {"scaling", bench_scaling, false}, {"queries", bench_queries, true},
    {"turns", bench_turns, true},      {"memory", bench_memory, false},
};
enum { PARTS = sizeof parts / sizeof *parts };

bool bench_wants(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = names; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return names == NULL;
}

size_t bench_subjects(const bench *b, subject_use use, const subject_type **out) {
    size_t n_all;
    size_t n = 0;
    const subject_type *const *all = subject_all(&n_all);
    for (size_t i = 0; i < n_all; i++) {
        if (bench_wants(b->subjects, all[i]->name) && (use == FOR_PAIRS || all[i]->query != NULL)) {
            out[n++] = all[i];
        }
    }
    return n;
}

/* --- arguments ------------------------------------------------------------------------------- */

static const char *workload_name(size_t i) {
    return scene_specs[i].name;
}

static const char *subject_name(size_t i) {
    size_t n;
    const subject_type *const *all = subject_all(&n);
    return i < n ? all[i]->name : NULL;
}

static const char *part_name(size_t i) {
    return i < PARTS ? parts[i].name : NULL;
}

/* Reports an unknown name, and the known names: name_at(0), name_at(1), ... until NULL. */
static void tell_names(const char *what, size_t length, const char *(*name_at)(size_t)) {
    fprintf(stderr, "there is no '%.*s' here, but:", (int)length, what);
    for (size_t i = 0; name_at(i) != NULL; i++) {
        fprintf(stderr, " %s", name_at(i));
    }
    fprintf(stderr, "\n");
}

/* Whether all of these names, separated by commas, are known. */
static bool are_known(const char *names, const char *(*name_at)(size_t)) {
    for (;;) {
        size_t length = strcspn(names, ",");
        size_t i = 0;
        while (name_at(i) != NULL &&
               (strlen(name_at(i)) != length || strncmp(name_at(i), names, length) != 0)) {
            i++;
        }
        if (name_at(i) == NULL) {
            tell_names(names, length, name_at);
            return false;
        }
        if (names[length] == '\0') {
            return true;
        }
        names += length + 1;
    }
}

static bool read_number(const char *text, double least, double most, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= least && *out <= most;
}

static bool set_value(bench *b, const char *name, const char *value) {
    struct {
        const char *name;
        double *at;
    } numbers[] = {{"boxes", &b->options.boxes},
                   {"sizes", &b->options.sizes},
                   {"speed", &b->options.speed},
                   {"seconds", &b->seconds}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            return read_number(value, 1e-6, 1e6, numbers[i].at);
        }
    }
    double number = 0;
    if (strcmp(name, "only") == 0) {
        b->only = value;
        return are_known(value, workload_name);
    }
    if (strcmp(name, "subjects") == 0) {
        b->subjects = value;
        return are_known(value, subject_name);
    }
    if (strcmp(name, "seed") == 0 && read_number(value, 0, UINT32_MAX, &number)) {
        b->options.seed = (uint32_t)number;
        return true;
    }
    if (strcmp(name, "redraw") == 0 && read_number(value, 0, 1, &number)) {
        b->options.redraw = number > 0;
        return true;
    }
    return false;
}

/* False if the argument is not understood. */
static bool read_argument(bench *b, char *argument, bool wanted[PARTS]) {
    char *equals = strchr(argument, '=');
    if (equals != NULL) {
        *equals = '\0';
        bool is_set = set_value(b, argument, equals + 1);
        *equals = '=';
        return is_set;
    }
    if (strcmp(argument, "quick") == 0) {
        b->quick = true;
        b->seconds = 0.02;
        return true;
    }
    for (size_t i = 0; i < PARTS; i++) {
        if (strcmp(argument, parts[i].name) == 0) {
            wanted[i] = true;
            return true;
        }
    }
    tell_names(argument, strlen(argument), part_name);
    return false;
}

static void describe(const bench *b) {
    const scene_options *o = &b->options;
    report_text("# Broadside: benchmark%s\n", DIM == 3 ? " in 3D" : "");
    report_text(
        "One thread; processor time, medians. Seed %u, boxes x %g, sizes x %g, speed x %g%s.",
        o->seed, o->boxes, o->sizes, o->speed, o->redraw ? ", velocities redrawn each frame" : "");
    report_text("Libraries that only find candidates: testing these exactly counts as their time.");
}

int main(int argc, char **argv) {
    bench b = {.options = scene_options_default(), .seconds = 0.3};
    bool wanted[PARTS] = {false};
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (!read_argument(&b, argv[i], wanted)) {
            fprintf(stderr, "not understood: %s\n", argv[i]);
            return 2;
        }
    }
    for (size_t i = 0; i < PARTS; i++) {
        any |= wanted[i];
    }
    describe(&b);
    for (size_t i = 0; i < PARTS; i++) {
        if (any ? wanted[i] : parts[i].quick || !b.quick) {
            parts[i].run(&b);
        }
    }
    bench_verdict(&b);
    works_free(&b);
    if (b.wrong) {
        report_text("\n**Some answers were wrong: see above.**");
    }
    return b.wrong ? 1 : 0;
}
