/* tables.c: the tables of pairs per frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report.h"

enum { WORKLOADS_MOST = 40 };

static void name_row(const work *w) {
    char text[128];
    snprintf(text, sizeof text, "%s: %s", w->name, w->what);
    report_row(text);
}

static void head(const char *first, const char *second, const subject_type *const *types, size_t n,
                 bool peers) {
    report_row(first);
    report_cell(second);
    for (size_t i = 0; i < n; i++) {
        if (peers || !types[i]->is_peer) {
            report_cell(types[i]->name);
        }
    }
    report_end_row();
}

/* The number of pairs, then the microseconds of each subject. */
static void times_row(const work *w) {
    report_count(w->found);
    for (size_t i = 0; i < w->n; i++) {
        report_number(work_median(w, i) * 1e6);
    }
    report_end_row();
}

static void times_table(work *const *works, size_t n) {
    report_title("Pairs: microseconds per frame");
    head("", "pairs", works[0]->type, works[0]->n, true);
    for (size_t k = 0; k < n; k++) {
        name_row(works[k]);
        times_row(works[k]);
    }
    report_end_table();
}

static void ratios_table(work *const *works, size_t n) {
    report_title("Pairs: how many times as fast as the best peer");
    head("", "best peer", works[0]->type, works[0]->n, false);
    for (size_t k = 0; k < n; k++) {
        const work *w = works[k];
        size_t best = work_best_peer(w);
        name_row(w);
        report_cell(best < w->n ? w->type[best]->name : "-");
        for (size_t i = 0; i < w->n; i++) {
            if (!w->type[i]->is_peer) {
                report_factor(work_ratio(w, best, i));
            }
        }
        report_end_row();
    }
    report_end_table();
}

/* How far apart times of the same work are, so that a reader knows which differences are real. */
static void noise(work *const *works, size_t n) {
    samples spreads = {.n = 0};
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < works[k]->n; i++) {
            if (works[k]->time[i].n >= 5) {
                samples_add(&spreads, samples_spread(&works[k]->time[i]));
            }
        }
    }
    if (spreads.n > 0) {
        report_text("Noise: half of a subject's times lie within %.0f%% (median over all).",
                    samples_median(&spreads) * 100);
    }
}

/* These workloads only run on request or in a full run. */
static const char long_ones[] = "S12,S13b,S10r,S10b";

void bench_pairs(bench *b) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n_types = bench_subjects(b, FOR_PAIRS, types);
    work *works[WORKLOADS_MOST];
    size_t n = 0;
    for (const scene_spec *spec = scene_specs; spec->name != NULL; spec++) {
        bool takes_long = spec->n > 200000 || bench_wants(long_ones, spec->name);
        if (bench_wants(b->only, spec->name) && !(b->quick && takes_long && b->only == NULL)) {
            works[n++] = pairs_run(b, spec, types, n_types);
        }
    }
    report_progress("\n");
    if (n > 0) {
        times_table(works, n);
        noise(works, n);
        ratios_table(works, n);
    }
}

/* --- grids by cell size ---------------------------------------------------------------------- */

static size_t cell_subjects(const subject_type **out) {
    size_t n = 0;
    for (const subject_type *type = ours_types; type->name != NULL; type++) {
        if (strcmp(type->name, "grid") == 0) {
            out[n++] = type;
        }
    }
    for (const subject_type *type = ours_cell_types; type->name != NULL; type++) {
        out[n++] = type;
    }
    return n;
}

void bench_cells(bench *b) {
    static const char *const names[] = {"S1", "S2",  "S3", "S4m", "S5m", "S6m",
                                        "S7", "S8m", "S9", "S10", "S12s"};
    const subject_type *types[SUBJECTS_MOST];
    size_t n = cell_subjects(types);
    report_title("The grid by cell size: microseconds per frame");
    report_text("The blog's grid, 1024 objects: 9600 with cells of 5 px, 2600 of 20 px, 1800 of 40 "
                "px.\n");
    head("", "pairs", types, n, true);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        scene_spec spec = *scene_spec_find(names[k]);
        char name[32];
        snprintf(name, sizeof name, "cells %s", names[k]);
        spec.name = name;
        const work *w = pairs_run(b, &spec, types, n);
        report_row(names[k]);
        times_row(w);
    }
    report_end_table();
    report_progress("\n");
}

/* --- from few to many boxes ------------------------------------------------------------------ */

/* The slope of log(time) over log(n), by least squares. */
static double exponent(const uint32_t *n, const double *time, size_t count) {
    double x = 0, y = 0, xx = 0, xy = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(time[i])) {
            double log_n = log((double)n[i]);
            x += log_n;
            y += log(time[i]);
            xx += log_n * log_n;
            xy += log_n * log(time[i]);
            used++;
        }
    }
    return used < 2 ? (double)NAN : (used * xy - x * y) / (used * xx - x * x);
}

enum { SCALES = 10, SCALES_QUICK = 7, SCALE_1000 = 3 };
static const uint32_t SIZES[SCALES] = {32,    100,   320,    1000,   3200,
                                       10000, 32000, 100000, 320000, 1000000};

static const work *run_scale(bench *b, uint32_t n, const subject_type *const *types,
                             size_t n_types) {
    scene_spec spec = *scene_spec_find("S10");
    char name[32];
    snprintf(name, sizeof name, "scale %u", n);
    spec.n = n;
    spec.name = name;
    return pairs_run(b, &spec, types, n_types);
}

/* Adds the exponents as a work of their own. */
static void exponents_row(bench *b, const work *const *works, size_t count) {
    work *w = work_new(b, "exponent", "", works[0]->type, works[0]->n);
    report_row("exponent from 1,000 on");
    report_cell("");
    for (size_t i = 0; i < w->n; i++) {
        double time[SCALES];
        for (size_t k = 0; k < count; k++) {
            time[k] = work_median(works[k], i);
        }
        double slope = exponent(SIZES + SCALE_1000, time + SCALE_1000, count - SCALE_1000);
        if (!isnan(slope)) {
            samples_add(&w->time[i], slope);
        }
        report_number(slope);
    }
    report_end_row();
}

void bench_scaling(bench *b) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n_types = bench_subjects(b, FOR_PAIRS, types);
    const work *works[SCALES];
    size_t count = b->quick ? SCALES_QUICK : SCALES;
    report_title("By the number of boxes, at the density of S1, half move: microseconds per frame");
    head("boxes", "pairs", types, n_types, true);
    for (size_t k = 0; k < count; k++) {
        char name[32];
        works[k] = run_scale(b, SIZES[k], types, n_types);
        snprintf(name, sizeof name, "%u", SIZES[k]);
        report_row(name);
        times_row(works[k]);
    }
    exponents_row(b, works, count);
    report_end_table();
    report_progress("\n");
}
