/* bench.h: the parts of the benchmark, and their options. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "samples.h"
#include "subject.h"

enum { SUBJECTS_MOST = 32, WORKS_MOST = 256 };

/* One row of figures: the time or memory that each subject took for one kind of work. */
typedef struct work {
    char name[64];
    const char *what;
    size_t found; /* pairs */
    const subject_type *type[SUBJECTS_MOST];
    samples time[SUBJECTS_MOST]; /* seconds, or bytes; none if it did not take part */
    size_t n;
} work;

typedef struct bench {
    scene_options options;
    double seconds;       /* of processor time for each subject in each workload */
    bool quick;           /* leaves out what takes long */
    const char *only;     /* names of workloads, separated by commas; NULL for all */
    const char *subjects; /* names of subjects, in the same way */
    bool wrong;           /* an answer differed */
    work *works[WORKS_MOST];
    size_t n_works;
} bench;

bool bench_wants(const char *names, const char *name);

/* Lists the subjects that were asked for and that suit `use`, and returns their number. */
size_t bench_subjects(const bench *b, subject_use use, const subject_type **out);

/* --- works.c: what has been measured so far ------------------------------------------------- */

/* Makes a new row for these subjects, without times. It lives as long as the benchmark. */
work *work_new(bench *b, const char *name, const char *what, const subject_type *const *types,
               size_t n);

/* The first row of that name, or NULL. */
const work *work_find(const bench *b, const char *name);
void works_free(bench *b);

/* The index of a subject in the row; w->n if it is not in it, or has no times. */
size_t work_subject(const work *w, const char *name);

/* The index of the subject with the least median, or w->n. `auto` can be left out of ours. */
size_t work_best_peer(const work *w);
size_t work_best_ours(const work *w, bool with_auto);

/* NAN if the subject did not take part. */
double work_median(const work *w, size_t i);
/* How many times as long the first one takes as the second, measured side by side. */
double work_ratio(const work *w, size_t i, size_t j);
/* The same for the chunks in which nothing disturbed either. */
double work_undisturbed_ratio(const work *w, size_t i, size_t j);

/* --- pairs.c -------------------------------------------------------------------------------- */

/*
 * Runs frames of that workload in short chunks, one subject after the other, until each had its
 * time.
 */
work *pairs_run(bench *b, const scene_spec *spec, const subject_type *const *types, size_t n);

/* --- one function for each group of tables -------------------------------------------------- */

void bench_pairs(bench *b);   /* S1 to S14: tables.c */
void bench_blog(bench *b);    /* eight situations in the layout of a blog: blog.c */
void bench_cells(bench *b);   /* grids by cell size */
void bench_scaling(bench *b); /* 32 to 1,000,000 boxes */
void bench_memory(bench *b);  /* memory.c */
void bench_queries(bench *b); /* queries.c */
void bench_turns(bench *b);   /* one update, one query, and so on */
/* The limits that the project has set itself: verdict.c; after the others. */
void bench_verdict(bench *b);

#endif
