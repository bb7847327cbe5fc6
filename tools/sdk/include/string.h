/* string.h: what Broadside calls of the C library. */
#ifndef SDK_STRING_H
#define SDK_STRING_H

#include <stddef.h>

void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
size_t strcspn(const char *, const char *);
size_t strlen(const char *);
int strncmp(const char *, const char *, size_t);
char *strpbrk(const char *, const char *);
char *strstr(const char *, const char *);

#endif
