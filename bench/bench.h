/* bench.h: the parts of the benchmark, and what they may be told. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "samples.h"
#include "subject.h"

enum { SUBJECTS_MOST = 32 };

typedef struct bench {
    scene_options options;
    double seconds;       /* of processor time for each subject in each workload */
    bool quick;           /* leaves out what takes long */
    const char *only;     /* names of workloads with commas between; NULL: all */
    const char *subjects; /* likewise */
    bool wrong;           /* an answer differed */
} bench;

bool bench_wants(const char *names, const char *name);

/* The subjects that were asked for and are for `use`; their number. */
size_t bench_subjects(const bench *b, subject_use use, const subject_type **out);

/* --- pairs.c -------------------------------------------------------------------------------- */

typedef struct pairs_result {
    const scene_spec *spec;
    size_t found;
    const subject_type *type[SUBJECTS_MOST];
    samples time[SUBJECTS_MOST]; /* seconds per frame; none: did not take part */
    size_t n;
} pairs_result;

/* Frames of that workload in short chunks, subject after subject, until each had its time. */
void pairs_run(bench *b, const scene_spec *spec, const subject_type *const *types, size_t n,
               pairs_result *out);

/* The peer with the least median; n if there is none. */
size_t pairs_best_peer(const pairs_result *r);

/* --- one function for each group of tables -------------------------------------------------- */

void bench_pairs(bench *b);   /* S1 to S14, the blog's table: tables.c */
void bench_cells(bench *b);   /* grids by cell size */
void bench_scaling(bench *b); /* 1,000 to 1,000,000 boxes */
void bench_memory(bench *b);  /* memory.c */
void bench_queries(bench *b); /* queries.c */
void bench_turns(bench *b);   /* one update, one query, and so on */

#endif
