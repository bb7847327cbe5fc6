/*
 * bytes.h: what snapshots are as bytes, the same on every platform: numbers are little-endian,
 * doubles their bits. What is read may come from anywhere.
 *
 *      format: 4 characters, version, dim, 0, 0     ...     checksum u64 of all before
 */
#ifndef BS_BYTES_H
#define BS_BYTES_H

#include <assert.h>

#include "heap.h"

#pragma GCC visibility push(hidden)

/* A kind of snapshots, and what is told of bytes that are none of them. */
typedef struct bs_format {
    const char *magic;     /* four characters */
    unsigned version;      /* 1 .. 255 */
    const char *other;     /* "is no snapshot of ..." */
    const char *other_dim; /* "is of a 3D ..." */
    const char *wrong;     /* "holds what no ... can hold" */
} bs_format;

typedef struct bs_writer {
    bs_heap *heap;
    bs_bytes *out;
    bool failed; /* no memory: what has been written is of no use */
} bs_writer;

/* `out` becomes the beginning of bytes of that format. */
bs_writer bs_begin_bytes(const bs_format *format, bs_heap *heap, bs_bytes *out);
/* Appends the lowest bytes of x. */
void bs_put(bs_writer *w, uint64_t x, size_t bytes);
void bs_put_numbers(bs_writer *w, const double *x, int n);
void bs_put_bytes(bs_writer *w, const unsigned char *at, size_t n);
/* Appends the checksum. False: there was no memory. */
bool bs_end_bytes(bs_writer *w);

typedef struct bs_reader {
    const bs_format *format;
    const unsigned char *at;
    size_t left;         /* up to the checksum */
    const char *problem; /* NULL, or what is wrong; then all that is read is 0 */
} bs_reader;

/* Bytes of that format, behind their beginning. */
bs_reader bs_read_bytes(const bs_format *format, const void *bytes, size_t n);
uint64_t bs_get(bs_reader *r, size_t bytes);
/* Finite ones: others are refused. */
void bs_get_numbers(bs_reader *r, double *x, int n);
void bs_skip(bs_reader *r, size_t bytes);
/* These are no bytes that could have been written. */
void bs_refuse(bs_reader *r);

/* MurmurHash64A, by Austin Appleby: eight bytes at a time. */
uint64_t bs_hash(const unsigned char *at, size_t n);

#pragma GCC visibility pop

#endif
