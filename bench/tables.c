/* tables.c: the tables of pairs per frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report.h"

enum { WORKLOADS_MOST = 32 };

static void name_row(const pairs_result *r) {
    char text[128];
    snprintf(text, sizeof text, "%s: %s", r->spec->name, r->spec->what);
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

static void times_table(const pairs_result *results, size_t n) {
    report_title("Pairs: microseconds per frame");
    head("", "pairs", results->type, results->n, true);
    for (const pairs_result *r = results; r < results + n; r++) {
        name_row(r);
        report_count(r->found);
        for (size_t i = 0; i < r->n; i++) {
            report_number(samples_median(&r->time[i]) * 1e6);
        }
        report_end_row();
    }
    report_end_table();
}

static void ratios_table(const pairs_result *results, size_t n) {
    report_title("Pairs: how many times as fast as the best peer");
    head("", "best peer", results->type, results->n, false);
    for (const pairs_result *r = results; r < results + n; r++) {
        size_t best = pairs_best_peer(r);
        name_row(r);
        report_cell(best < r->n ? r->type[best]->name : "-");
        for (size_t i = 0; i < r->n; i++) {
            if (!r->type[i]->is_peer) {
                report_factor(best < r->n ? samples_ratio(&r->time[best], &r->time[i]) : (double)NAN);
            }
        }
        report_end_row();
    }
    report_end_table();
}

/* How far times of the same work lie apart: what differences to take seriously. */
static void noise(const pairs_result *results, size_t n) {
    samples spreads = {.n = 0};
    for (size_t i = 0; i < n * results->n; i++) {
        const samples *time = &results[i / results->n].time[i % results->n];
        if (time->n >= 5) {
            samples_add(&spreads, samples_spread(time));
        }
    }
    report_text("Noise: half of a subject's times lie within %.0f%% (median over all).",
                samples_median(&spreads) * 100);
}

/* --- the table of the blog that compared four broad phases ----------------------------------- */

static const pairs_result *result_of(const pairs_result *results, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(results[i].spec->name, name) == 0) {
            return &results[i];
        }
    }
    return NULL;
}

static void blog_rows(const pairs_result *results, size_t n, const char *const *columns) {
    report_row("");
    static const char *const titles[] = {"no move", "50% moving", "100% moving",   "same y",
                                         "same x",  "same pos",   "insert/delete", "two pos"};
    for (size_t k = 0; k < 8; k++) {
        report_cell(titles[k]);
    }
    report_end_row();
    for (size_t i = 0; i < results->n; i++) {
        if (results->type[i]->is_peer) {
            continue;
        }
        report_row(results->type[i]->name);
        for (size_t k = 0; k < 8; k++) {
            const pairs_result *r = result_of(results, n, columns[k]);
            char text[32] = "-";
            if (r != NULL && r->time[i].n > 0) {
                snprintf(text, sizeof text, "%.7f", samples_median(&r->time[i]));
            }
            report_cell(text);
        }
        report_end_row();
    }
    report_end_table();
}

static void blog_table(const pairs_result *results, size_t n) {
    static const char *const moving[] = {"S1", "S2", "S3", "S4m", "S5m", "S6m", "S7", "S8m"};
    static const char *const resting[] = {"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"};
    report_title("The eight situations of the blog, in its layout: seconds per frame");
    report_text("Half of the boxes move in those with the same x, y or position:\n");
    blog_rows(results, n, moving);
    report_text("Nothing moves in them:\n");
    blog_rows(results, n, resting);
}

void bench_pairs(bench *b) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n_types = bench_subjects(b, FOR_PAIRS, types);
    pairs_result *results = must_alloc(WORKLOADS_MOST * sizeof *results);
    size_t n = 0;
    for (const scene_spec *spec = scene_specs; spec->name != NULL; spec++) {
        bool is_large = spec->n > 200000;
        if (bench_wants(b->only, spec->name) && !(b->quick && is_large)) {
            pairs_run(b, spec, types, n_types, &results[n++]);
        }
    }
    report_progress("\n");
    if (n > 0) {
        times_table(results, n);
        noise(results, n);
        ratios_table(results, n);
        blog_table(results, n);
    }
    free(results);
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
    static const char *const names[] = {"S1", "S2", "S3", "S4m", "S5m", "S6m",
                                        "S7", "S8m", "S9", "S10", "S12"};
    const subject_type *types[SUBJECTS_MOST];
    size_t n = cell_subjects(types);
    report_title("The grid by cell size: microseconds per frame");
    head("", "pairs", types, n, true);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        pairs_result r;
        pairs_run(b, scene_spec_find(names[k]), types, n, &r);
        name_row(&r);
        report_count(r.found);
        for (size_t i = 0; i < n; i++) {
            report_number(samples_median(&r.time[i]) * 1e6);
        }
        report_end_row();
    }
    report_end_table();
    report_progress("\n");
}

/* --- from few to many boxes ------------------------------------------------------------------ */

/* The slope of log(time) over log(n), by least squares. */
static double exponent(const double *n, const double *time, size_t count) {
    double x = 0, y = 0, xx = 0, xy = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(time[i])) {
            x += log(n[i]);
            y += log(time[i]);
            xx += log(n[i]) * log(n[i]);
            xy += log(n[i]) * log(time[i]);
            used++;
        }
    }
    return used < 2 ? (double)NAN : (used * xy - x * y) / (used * xx - x * x);
}

void bench_scaling(bench *b) {
    static const uint32_t sizes[] = {32, 100, 320, 1000, 3200, 10000, 32000, 100000, 320000, 1000000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    const subject_type *types[SUBJECTS_MOST];
    size_t n_types = bench_subjects(b, FOR_PAIRS, types);
    double n[SIZES];
    double time[SUBJECTS_MOST][SIZES];
    size_t count = b->quick ? SIZES - 3 : SIZES;
    report_title("By the number of boxes, at the density of S1, half move: microseconds per frame");
    head("boxes", "pairs", types, n_types, true);
    for (size_t k = 0; k < count; k++) {
        scene_spec spec = *scene_spec_find("S10");
        char name[32];
        snprintf(name, sizeof name, "%u", sizes[k]);
        spec.n = sizes[k];
        spec.name = name;
        pairs_result r;
        pairs_run(b, &spec, types, n_types, &r);
        n[k] = sizes[k];
        report_row(name);
        report_count(r.found);
        for (size_t i = 0; i < n_types; i++) {
            time[i][k] = samples_median(&r.time[i]);
            report_number(time[i][k] * 1e6);
        }
        report_end_row();
    }
    report_row("exponent from 1,000 on");
    report_cell("");
    for (size_t i = 0; i < n_types; i++) {
        report_number(exponent(n + 3, time[i] + 3, count - 3));
    }
    report_end_row();
    report_end_table();
    report_progress("\n");
}
