/*
 * verdict.c: the limits that the project has set itself, beside the results. It only prints rows
 * whose work has been measured in this run.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "report.h"

static const double most_auto = 1.15; /* times the time of our best back end */

/* --- our best against the best peer ---------------------------------------------------------- */

typedef struct wish {
    const char *work;
    double most; /* times the best peer's time; < 0: no such limit */
} wish;

static const wish wishes[] = {
    {"S1", 0.05},   {"S2", 0.1},   {"S2r", 0.1},   {"S3", 0.06},  {"S3r", 0.06},  {"S4", 0.4},
    {"S4m", 0.4},   {"S5", 0.3},   {"S5m", 0.3},   {"S6", 0.2},   {"S6m", 0.2},   {"S7", 0.12},
    {"S8", 0.25},   {"S8m", 0.25}, {"S9", 0.035},  {"S10", 0.05}, {"S10r", 0.05}, {"S10b", 0.05},
    {"S11", 0.016}, {"S12", 0.12}, {"S12s", 0.12}, {"S13", 0.25}, {"S13b", 0.25}, {"S13w", -1},
    {"few", 0.001}, {"S14", -1},   {"C2", 0.15},   {"C10", 0.15}, {"P2", 0.15},   {"P10", 0.15},
};

/* Whether a limit was kept, by medians or by the undisturbed chunks. */
static void reached_cell(bool reached, bool undisturbed) {
    report_cell(reached ? "yes" : undisturbed ? "undisturbed" : "**no**");
}

static void verdict_row(const char *title, const work *w, double most) {
    size_t peer = work_best_peer(w);
    size_t ours = work_best_ours(w, true);
    size_t other = work_best_ours(w, false);
    double ratio = work_ratio(w, ours, peer);
    double undisturbed = work_undisturbed_ratio(w, ours, peer);
    double of_auto = work_ratio(w, work_subject(w, "auto"), other);
    report_row(title);
    report_number(most > 0 ? most : (double)NAN);
    report_number(ratio);
    report_number(undisturbed);
    report_cell(ours < w->n ? w->type[ours]->name : "-");
    report_cell(peer < w->n ? w->type[peer]->name : "-");
    report_number(of_auto);
    if (most > 0 && !isnan(ratio)) {
        reached_cell(ratio <= most, undisturbed <= most);
    } else {
        report_cell("-");
    }
    if (isnan(of_auto)) {
        report_cell("-");
    } else {
        reached_cell(of_auto <= most_auto, false);
    }
    report_end_row();
}

/* The limits are for 2D. In 3D there is only the one of `auto`. */
static double most_of(double most) {
    return DIM == 2 ? most : -1;
}

static bool is_query(const work *w) {
    return strncmp(w->name, "segment", 7) == 0 || strncmp(w->name, "sweep ", 6) == 0 ||
           strncmp(w->name, "rectangle", 9) == 0;
}

static void best_table(const bench *b) {
    report_row("");
    report_cell("at most");
    report_cell("our best / best peer");
    report_cell("undisturbed");
    report_cell("our best");
    report_cell("best peer");
    report_cell("auto / our best back end");
    report_cell("reached");
    report_cell("auto within 1.15");
    report_end_row();
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const work *w = work_find(b, wishes[i].work);
        if (w != NULL) {
            verdict_row(w->name, w, most_of(wishes[i].most));
        }
    }
    for (size_t i = 0; i < b->n_works; i++) {
        const work *w = b->works[i];
        if (is_query(w)) {
            bool inside = strstr(w->name, "from inside") != NULL;
            verdict_row(w->name, w, most_of(inside ? -1 : 0.35));
        }
    }
    report_end_table();
}

/* --- the rest -------------------------------------------------------------------------------- */

/*
 * Prints a row unless the figure is missing. The first row begins the table. `undisturbed` is the
 * figure of undisturbed chunks, if it is known.
 */
static void wish_row_with(const char *title, bool at_most, double wanted, double measured,
                          double undisturbed) {
    if (isnan(measured)) {
        return;
    }
    if (!report_in_table()) {
        report_row("");
        report_cell("");
        report_cell("wanted");
        report_cell("measured");
        report_cell("undisturbed");
        report_cell("reached");
        report_end_row();
    }
    report_row(title);
    report_cell(at_most ? "at most" : "at least");
    report_number(wanted);
    report_number(measured);
    report_number(undisturbed);
    reached_cell(at_most ? measured <= wanted : measured >= wanted,
                 at_most ? undisturbed <= wanted : undisturbed >= wanted);
    report_end_row();
}

static void wish_row(const char *title, bool at_most, double wanted, double measured) {
    wish_row_with(title, at_most, wanted, measured, (double)NAN);
}

/* Compares each of our back ends with the libraries of its own kind. */
static void kinds_rows(const bench *b) {
    static const struct {
        const char *ours, *peer;
        double times;
        const char *works[3];
    } kinds[] = {
        {"tree", "btDbvt", 12, {"S3", "S10", "S11"}},
        {"tree", "cpBBTree", 12, {"S3", "S10", "S11"}},
        {"tree", "b2DynamicTree", 30, {"S3", "S10", "S11"}},
        {"grid", "cpSpaceHash", 8, {"S3", "S10", "S11"}},
        {"sweep", "btAxisSweep3", 4, {"S3", "S10", NULL}},
        {"sweep", "cpSweep1D", 4, {"S3", "S10", NULL}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (size_t k = 0; k < 3 && kinds[i].works[k] != NULL; k++) {
            const work *w = work_find(b, kinds[i].works[k]);
            char title[96];
            if (w != NULL) {
                size_t peer = work_subject(w, kinds[i].peer);
                size_t ours = work_subject(w, kinds[i].ours);
                snprintf(title, sizeof title, "%s: %s, times as fast as %s", w->name, kinds[i].ours,
                         kinds[i].peer);
                wish_row_with(title, false, kinds[i].times, work_ratio(w, peer, ours),
                              work_undisturbed_ratio(w, peer, ours));
            }
        }
    }
}

/* The median of that subject, or of our best one if `subject` is NULL. */
static double time_of(const bench *b, const char *name, const char *subject) {
    const work *w = work_find(b, name);
    if (w == NULL) {
        return (double)NAN;
    }
    return work_median(w, subject != NULL ? work_subject(w, subject) : work_best_ours(w, true));
}

static void frames_rows(const bench *b) {
    const double tests = 1024 * 1023 / 2.0;
    const double boxes = b->options.boxes * b->options.boxes;
    wish_row("S3: brute, nanoseconds for each test", true, 0.35,
             time_of(b, "S3", "brute") * 1e9 / tests / boxes);
    wish_row("sweep does not degrade: S4m / S3", true, 2,
             time_of(b, "S4m", "sweep") / time_of(b, "S3", "sweep"));
    wish_row("sweep does not degrade: S5m / S3", true, 2,
             time_of(b, "S5m", "sweep") / time_of(b, "S3", "sweep"));
    wish_row("few movers: few / S11", true, 0.05,
             time_of(b, "few", NULL) / time_of(b, "S11", NULL));
    wish_row("a million: S14 / S11", true, 22, time_of(b, "S14", NULL) / time_of(b, "S11", NULL));
}

/* Bytes per box in that state, without the list of pairs, which takes 8 for each. */
static double memory_of(const bench *b, const char *state, const char *subject, double boxes) {
    const work *w = work_find(b, state);
    return w == NULL ? (double)NAN : time_of(b, state, subject) - 8 * (double)w->found / boxes;
}

/* A list that grows by half may have room for half as many pairs again. */
static void memory_rows(const bench *b, const char *subject) {
    static const char *const states[] = {"memory inserted", "memory after 5 frames with pairs",
                                         "memory inserted, after 100,000 casts"};
    const double boxes = 100000 * b->options.boxes;
    char title[96];
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        snprintf(title, sizeof title, "%s: bytes per box without its pairs, %s", subject,
                 states[k] + 7);
        wish_row(title, true, 128, memory_of(b, states[k], subject, boxes));
    }
    const work *w = work_find(b, "memory 1,024 in one place");
    if (w != NULL) {
        snprintf(title, sizeof title, "%s: bytes for each pair in one place", subject);
        wish_row(title, true, 12.25,
                 time_of(b, w->name, subject) * 1024 * b->options.boxes / (double)w->found);
    }
}

/* n log n grows with the exponent 1.1 between 1,000 and 1,000,000. */
static void own_rows(const bench *b) {
    for (const subject_type *type = ours_types; type->name != NULL; type++) {
        char title[96];
        snprintf(title, sizeof title, "%s: exponent from 1,000 boxes on", type->name);
        if (strcmp(type->name, "brute") != 0) {
            wish_row(title, true, 1.1, time_of(b, "exponent", type->name));
        }
        memory_rows(b, type->name);
    }
}

/* Compares with the query alone, of the same back end at the same time. */
static void turns_rows(const bench *b) {
    for (size_t i = 0; i < b->n_works; i++) {
        const work *w = b->works[i];
        if (strncmp(w->name, "turns ", 6) != 0) {
            continue;
        }
        const char *what = w->name + 6;
        char alone[96];
        snprintf(alone, sizeof alone, "alone %s", what);
        for (const subject_type *type = ours_types; type->name != NULL; type++) {
            char title[128];
            snprintf(title, sizeof title, "%s: %s: an update and a query, times the query", what,
                     type->name);
            if (strcmp(type->name, "brute") != 0) {
                wish_row(title, true, 3,
                         time_of(b, w->name, type->name) / time_of(b, alone, type->name));
            }
        }
    }
}

void bench_verdict(bench *b) {
    report_title("What it has to show");
    report_text("Times of the best of our back ends by those of the best library in the same row; "
                "and of `auto` by\nthose of the best of the others.\n");
    best_table(b);
    if (DIM == 2) {
        kinds_rows(b);
        frames_rows(b);
        turns_rows(b);
        own_rows(b);
        report_end_table();
    }
}
