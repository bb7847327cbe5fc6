/* samples.h: the times of one subject, chunk by chunk, and their medians. */
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
 * Seconds of processor time of this thread. Time that other programs take on a shared machine does
 * not count, but their effect on its caches does.
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
 * The median of a's times divided by b's, chunk by chunk. Both are measured at nearly the same
 * moment, so a disturbance that slows both equally cancels.
 */
double samples_ratio(const samples *a, const samples *b);

/*
 * The ratio of the times that the fastest tenth of the chunks of each took at most. So a
 * disturbance that slows one more than the other does not count, either, unless it lasts nearly all
 * of the time.
 */
double samples_undisturbed_ratio(const samples *a, const samples *b);

/* The distance of the first and third quartiles, divided by the median. */
double samples_spread(const samples *s);

#endif
