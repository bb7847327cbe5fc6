/*
 * bytes.h: the bytes of snapshots, which are the same on every platform. Numbers are little-endian;
 * doubles are stored as their bits. A coder either writes bytes or reads them. So one function that
 * visits the data with a coder defines the layout for both. The bytes that are read may come from
 * anywhere.
 *
 *      format: 4 characters, version, dim, 0, 0     ...     checksum u64 of all before
 */
#ifndef BS_BYTES_H
#define BS_BYTES_H

#include <assert.h>

#include "heap.h"

#pragma GCC visibility push(hidden)

/* A kind of snapshot, and the messages about bytes that are not of it. */
typedef struct bs_format {
    const char *magic;     /* four characters */
    unsigned version;      /* 1 .. 255 */
    const char *other;     /* "is no snapshot of ..." */
    const char *other_dim; /* "is of a 3D ..." */
    const char *wrong;     /* "holds what no ... can hold" */
} bs_format;

typedef struct bs_coder {
    const bs_format *format;
    bs_heap *heap;
    bool reads;
    bool failed;         /* No memory was left: the bytes, or what has been read, are useless. */
    const char *problem; /* What is wrong, or NULL. If anything is wrong, every read gives 0. */
    bs_bytes *out;       /* Where writing appends. */
    const unsigned char *at; /* Where reading goes on ... */
    size_t left;             /* ... and how many bytes are left before the checksum. */
} bs_coder;

/* Begins to write: `out` becomes the header of bytes of that format. */
bs_coder bs_begin_writing(const bs_format *format, bs_heap *heap, bs_bytes *out);
/* Appends the checksum. False if there was no memory. */
bool bs_end_writing(bs_coder *c);
/* Begins to read n bytes of that format, behind their header. */
bs_coder bs_begin_reading(const bs_format *format, bs_heap *heap, const void *bytes, size_t n);

/* Writes the lowest bytes of x and returns x, or returns what it reads. */
uint64_t bs_code(bs_coder *c, uint64_t x, size_t bytes);
static inline void bs_code_u32(bs_coder *c, uint32_t *x) {
    *x = (uint32_t)bs_code(c, *x, 4);
}
void bs_code_bool(bs_coder *c, bool *x);
/* Any double, also one that is not finite. */
void bs_code_double(bs_coder *c, double *x);
/* These write or read finite numbers. Reading refuses others. */
void bs_code_numbers(bs_coder *c, double *x, int n);
void bs_code_rect(bs_coder *c, bs_rect *rect);
/* Writes or reads a number of things that follow, each of which takes at least `bytes` bytes. */
uint32_t bs_code_count(bs_coder *c, size_t count, size_t bytes);
/* Reading fails unless this holds. It holds for everything that is written. */
void bs_expect(bs_coder *c, bool holds);
/* Ends reading, because there is no memory for what is read. */
void bs_fail(bs_coder *c);

/* MurmurHash64A, by Austin Appleby; the last bytes count as eight, filled up with zeros. */
uint64_t bs_hash(const unsigned char *at, size_t n);

#pragma GCC visibility pop

#endif
