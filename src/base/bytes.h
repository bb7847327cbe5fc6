/*
 * bytes.h: what snapshots are as bytes, the same on every platform: numbers are little-endian,
 * doubles their bits. A coder writes bytes or reads them. So one function that visits the data with
 * a coder says for both what stands where. What is read may come from anywhere.
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

typedef struct bs_coder {
    const bs_format *format;
    bs_heap *heap;
    bool reads;
    bool failed;             /* There was no memory: what has been written or read is of no use. */
    const char *problem;     /* What is wrong, or NULL. If anything is, all that is read is 0. */
    bs_bytes *out;           /* To these it appends. */
    const unsigned char *at; /* From here it reads ... */
    size_t left;             /* ... so many bytes, up to the checksum. */
} bs_coder;

/* Writes: `out` becomes the beginning of bytes of that format. */
bs_coder bs_begin_writing(const bs_format *format, bs_heap *heap, bs_bytes *out);
/* Appends the checksum. False: there was no memory. */
bool bs_end_writing(bs_coder *c);
/* Reads n bytes of that format, from behind their beginning. */
bs_coder bs_begin_reading(const bs_format *format, bs_heap *heap, const void *bytes, size_t n);

/* Writes the lowest bytes of x, and returns it; or returns what it reads. */
uint64_t bs_code(bs_coder *c, uint64_t x, size_t bytes);
static inline void bs_code_u32(bs_coder *c, uint32_t *x) {
    *x = (uint32_t)bs_code(c, *x, 4);
}
void bs_code_bool(bs_coder *c, bool *x);
/* Finite ones: others are refused. */
void bs_code_numbers(bs_coder *c, double *x, int n);
void bs_code_rect(bs_coder *c, bs_rect *rect);
/* A number of things to come, each of which takes so many bytes or more. */
uint32_t bs_code_count(bs_coder *c, size_t count, size_t bytes);
/* What is read is refused unless this holds. It does of all that is written. */
void bs_expect(bs_coder *c, bool holds);
/* There is no memory for what is read, which ends here. */
void bs_fail(bs_coder *c);

/* MurmurHash64A, by Austin Appleby: eight bytes at a time. */
uint64_t bs_hash(const unsigned char *at, size_t n);

#pragma GCC visibility pop

#endif
