/* report.h: tables in Markdown on the standard output, and progress on the standard error. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

void report_title(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A row is begun, filled cell by cell, and ended. The first row of a table is its head. */
void report_row(const char *first);
void report_cell(const char *text);
/* Prints three significant digits without an exponent, or a dash for NAN. */
void report_number(double x);
void report_count(size_t n);
/* Prints how many times as fast; from 10 on without a fraction. */
void report_factor(double x);
void report_end_row(void);
void report_end_table(void);
bool report_in_table(void);

void report_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
