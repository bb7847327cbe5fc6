/* stdio.h: what Broadside calls of the C library, and the names that Lua's headers have. */
#ifndef SDK_STDIO_H
#define SDK_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define BUFSIZ 1024

typedef struct FILE FILE;

int snprintf(char *, size_t, const char *, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *, size_t, const char *, va_list) __attribute__((format(printf, 3, 0)));

#endif
