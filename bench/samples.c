/* samples.c: the clock of the benchmark, and statistics of its samples. */
#define _POSIX_C_SOURCE 199309L
#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* The value such that `part` of the samples are below it. */
static double quantile(const samples *s, double part) {
    if (s->n == 0) {
        return (double)NAN;
    }
    samples sorted = *s;
    qsort(sorted.at, sorted.n, sizeof *sorted.at, compare);
    double place = part * (double)(sorted.n - 1);
    size_t low = (size_t)place;
    size_t high = low + 1 < sorted.n ? low + 1 : low;
    return sorted.at[low] + (sorted.at[high] - sorted.at[low]) * (place - (double)low);
}

double samples_median(const samples *s) {
    return quantile(s, 0.5);
}

double samples_ratio(const samples *a, const samples *b) {
    samples ratio = {.n = 0};
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        samples_add(&ratio, a->at[i] / b->at[i]);
    }
    return samples_median(&ratio);
}

double samples_undisturbed_ratio(const samples *a, const samples *b) {
    return quantile(a, 0.1) / quantile(b, 0.1);
}

double samples_spread(const samples *s) {
    return (quantile(s, 0.75) - quantile(s, 0.25)) / quantile(s, 0.5);
}
