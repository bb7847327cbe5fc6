/* report.c: prints the rows of Markdown tables. */
#include "report.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct table {
    size_t cells; /* of this row */
    bool in_body;
} table;

static table now;

__attribute__((format(printf, 2, 0))) static void print(FILE *to, const char *format,
                                                        va_list arguments) {
    vfprintf(to, format, arguments);
    fflush(to);
}

void report_title(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("\n## ");
    print(stdout, format, arguments);
    printf("\n\n");
    va_end(arguments);
}

void report_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(stdout, format, arguments);
    printf("\n");
    va_end(arguments);
}

void report_progress(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(stderr, format, arguments);
    va_end(arguments);
}

void report_row(const char *first) {
    printf("| %s |", first);
    now.cells = 1;
}

void report_cell(const char *text) {
    printf(" %s |", text);
    now.cells++;
}

/* How many digits behind the point give three significant ones. */
static int decimals(double x) {
    return x >= 100 ? 0 : x >= 10 ? 1 : x >= 1 ? 2 : x >= 0.1 ? 3 : x >= 0.01 ? 4 : 5;
}

void report_number(double x) {
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals(x), x);
    report_cell(isnan(x) ? "-" : text);
}

void report_count(size_t n) {
    char text[32];
    snprintf(text, sizeof text, "%zu", n);
    report_cell(text);
}

void report_factor(double x) {
    char text[64];
    snprintf(text, sizeof text, "%.*f", x >= 10 ? 0 : x >= 1 ? 1 : 2, x);
    report_cell(isnan(x) ? "-" : text);
}

void report_end_row(void) {
    printf("\n");
    if (!now.in_body) {
        printf("|");
        for (size_t i = 0; i < now.cells; i++) {
            printf(i == 0 ? "---|" : "--:|");
        }
        printf("\n");
        now.in_body = true;
    }
}

bool report_in_table(void) {
    return now.in_body;
}

void report_end_table(void) {
    printf("\n");
    fflush(stdout);
    now = (table){0};
}
