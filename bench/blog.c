/* blog.c: the table of the blog that compared four broad phases, in its own layout. */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "report.h"

enum { SITUATIONS = 8 };

static const char *const situations[SITUATIONS] = {"no move",       "50% moving", "100% moving",
                                                   "same y",        "same x",     "same pos",
                                                   "insert/delete", "two pos"};

/* The blog's own figures: seconds per frame, on another machine and with a narrow phase. */
static const struct {
    const char *name;
    double seconds[SITUATIONS];
} blog[] = {
    {"the blog: sweep and prune",
     {0.00138, 0.00142, 0.00138, 0.0064, 0.0118, 0.0632, 0.00173, 0.0307}},
    {"the blog: grid 40x40", {0.00192, 0.00185, 0.00187, 0.00875, 0.0127, 0.0664, 0.00188, 0.0445}},
    {"the blog: AABB tree", {0.00184, 0.00188, 0.00178, 0.00744, 0.0107, 0.0544, 0.00204, 0.0285}},
};
enum { BLOG_ROWS = sizeof blog / sizeof *blog };

/* Without an exponent, as in the blog, and with at least two digits. */
static void seconds_cell(double seconds) {
    char text[32];
    snprintf(text, sizeof text, seconds >= 1e-6 ? "%.7f" : "%.9f", seconds);
    report_cell(isnan(seconds) ? "-" : text);
}

static double blog_best(size_t situation) {
    double best = blog[0].seconds[situation];
    for (size_t i = 1; i < BLOG_ROWS; i++) {
        best = fmin(best, blog[i].seconds[situation]);
    }
    return best;
}

static double seconds_of(const bench *b, const char *name, const char *subject) {
    const work *w = work_find(b, name);
    return w == NULL ? (double)NAN : work_median(w, work_subject(w, subject));
}

static double best_seconds(const bench *b, const char *name) {
    const work *w = work_find(b, name);
    return w == NULL ? (double)NAN : work_median(w, work_best_ours(w, true));
}

static void blog_table(const bench *b, const char *const columns[SITUATIONS]) {
    report_row("");
    for (size_t k = 0; k < SITUATIONS; k++) {
        report_cell(situations[k]);
    }
    report_end_row();
    for (size_t i = 0; i < BLOG_ROWS; i++) {
        report_row(blog[i].name);
        for (size_t k = 0; k < SITUATIONS; k++) {
            seconds_cell(blog[i].seconds[k]);
        }
        report_end_row();
    }
    for (const subject_type *type = ours_types; type->name != NULL; type++) {
        report_row(type->name);
        for (size_t k = 0; k < SITUATIONS; k++) {
            seconds_cell(seconds_of(b, columns[k], type->name));
        }
        report_end_row();
    }
    report_row("times as fast as the blog's best");
    for (size_t k = 0; k < SITUATIONS; k++) {
        report_factor(blog_best(k) / best_seconds(b, columns[k]));
    }
    report_end_row();
    report_end_table();
}

/*
 * 8192 boxes in one place make 33 million pairs, which take a quarter of a gigabyte. So only ours
 * run, one by one.
 */
static void one_place_name(char name[64], const subject_type *type) {
    snprintf(name, 64, "8192 in one place: %s", type->name);
}

static void blog_large_table(const bench *b) {
    report_row("8192 objects in the same world");
    report_cell("50% moving");
    report_cell("same position");
    report_end_row();
    report_row("the blog: grid 40x40");
    report_cell("0.0428 to 0.044");
    report_cell("1.7 to 1.78");
    report_end_row();
    for (const subject_type *type = ours_types; type->name != NULL; type++) {
        char name[64];
        one_place_name(name, type);
        report_row(type->name);
        seconds_cell(seconds_of(b, "S9", type->name));
        seconds_cell(seconds_of(b, name, type->name));
        report_end_row();
    }
    report_end_table();
}

static void run_one_place(bench *b) {
    for (const subject_type *type = ours_types; type->name != NULL; type++) {
        char name[64];
        scene_spec spec = *scene_spec_find("S6m");
        one_place_name(name, type);
        spec.name = name;
        spec.n = 8192;
        pairs_run(b, &spec, &type, 1);
    }
}

/* Measures the workload if `pairs` has not. */
static void run_missing(bench *b, const char *name) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n = bench_subjects(b, FOR_PAIRS, types);
    if (work_find(b, name) == NULL) {
        pairs_run(b, scene_spec_find(name), types, n);
    }
}

void bench_blog(bench *b) {
    static const char *const moving[] = {"S1", "S2", "S3", "S4m", "S5m", "S6m", "S7", "S8m"};
    static const char *const resting[] = {"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"};
    for (size_t k = 0; k < SITUATIONS; k++) {
        run_missing(b, moving[k]);
        run_missing(b, resting[k]);
    }
    if (!b->quick) {
        run_missing(b, "S9");
        run_one_place(b);
    }
    report_progress("\n");
    report_title("The eight situations of the blog, in its layout: seconds per frame");
    report_text("1024 objects of 5 to 30 px in 600 x 400; the blog's figures are from another "
                "machine and include\nits narrow phase. Its brute force took 0.0137. Half of the "
                "boxes move in those with the same x, y\nor position:\n");
    blog_table(b, moving);
    report_text("Nothing moves in them, so that the list of pairs stays as it was:\n");
    blog_table(b, resting);
    if (!b->quick) {
        blog_large_table(b);
    }
}
