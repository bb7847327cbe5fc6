/* samples.h: times of one subject, chunk by chunk, and medians of them. */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

enum { SAMPLES_MOST = 101 };

typedef struct samples {
    double at[SAMPLES_MOST];
    size_t n;
} samples;

/*
 * Seconds of processor time of this thread: what other programs take from it on a shared machine
 * does not count, what they do to its caches does.
 */
double cpu_seconds(void);

static inline void samples_add(samples *s, double x) {
    if (s->n < SAMPLES_MOST) {
        s->at[s->n++] = x;
    }
}

/* NAN if there are none. */
double samples_median(const samples *s);

/*
 * The median of a's times divided by b's, chunk by chunk: both were measured within the same
 * moment, so that a phase that slows both alike falls out.
 */
double samples_ratio(const samples *a, const samples *b);

/*
 * The same of what a tenth of either's chunks took at most: so a phase falls out, too, that slows
 * one more than the other, unless it takes up nearly all of the time.
 */
double samples_undisturbed_ratio(const samples *a, const samples *b);

/* What differs between quarter and three quarters of the samples, divided by the median. */
double samples_spread(const samples *s);

#endif
