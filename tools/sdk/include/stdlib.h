/* stdlib.h: what Broadside, and the compiler's headers of vector code, call of the C library. */
#ifndef SDK_STDLIB_H
#define SDK_STDLIB_H

#include <stddef.h>

_Noreturn void abort(void);
int abs(int);
void free(void *);
void *malloc(size_t);
void *realloc(void *, size_t);
double strtod(const char *, char **);

#endif
