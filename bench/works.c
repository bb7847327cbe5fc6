/* works.c: keeps the measurements, so that they can be compared at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

work *work_new(bench *b, const char *name, const char *what, const subject_type *const *types,
               size_t n) {
    if (b->n_works == WORKS_MOST) {
        fprintf(stderr, "too many workloads\n");
        exit(1);
    }
    work *w = must_alloc(sizeof *w);
    memset(w, 0, sizeof *w);
    snprintf(w->name, sizeof w->name, "%s", name);
    w->what = what;
    for (size_t i = 0; i < n; i++) {
        w->type[i] = types[i];
    }
    w->n = n;
    b->works[b->n_works++] = w;
    return w;
}

const work *work_find(const bench *b, const char *name) {
    for (size_t i = 0; i < b->n_works; i++) {
        if (strcmp(b->works[i]->name, name) == 0) {
            return b->works[i];
        }
    }
    return NULL;
}

void works_free(bench *b) {
    while (b->n_works > 0) {
        free(b->works[--b->n_works]);
    }
}

size_t work_subject(const work *w, const char *name) {
    size_t i = 0;
    while (i < w->n && (w->time[i].n == 0 || strcmp(w->type[i]->name, name) != 0)) {
        i++;
    }
    return i;
}

double work_median(const work *w, size_t i) {
    return i < w->n ? samples_median(&w->time[i]) : (double)NAN;
}

double work_ratio(const work *w, size_t i, size_t j) {
    return i < w->n && j < w->n ? samples_ratio(&w->time[i], &w->time[j]) : (double)NAN;
}

double work_undisturbed_ratio(const work *w, size_t i, size_t j) {
    bool both = i < w->n && j < w->n;
    return both ? samples_undisturbed_ratio(&w->time[i], &w->time[j]) : (double)NAN;
}

static bool is_less(const work *w, size_t i, size_t best) {
    return w->time[i].n > 0 && (best == w->n || work_median(w, i) < work_median(w, best));
}

size_t work_best_peer(const work *w) {
    size_t best = w->n;
    for (size_t i = 0; i < w->n; i++) {
        if (w->type[i]->is_peer && is_less(w, i, best)) {
            best = i;
        }
    }
    return best;
}

size_t work_best_ours(const work *w, bool with_auto) {
    size_t best = w->n;
    for (size_t i = 0; i < w->n; i++) {
        bool counts = with_auto || strcmp(w->type[i]->name, "auto") != 0;
        if (!w->type[i]->is_peer && counts && is_less(w, i, best)) {
            best = i;
        }
    }
    return best;
}
