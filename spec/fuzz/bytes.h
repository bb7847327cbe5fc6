/*
 * bytes.h: decodes the input of a fuzz target.
 *
 * An input is a header and then records of the same length, one for each operation. So whole
 * operations can be cut out, swapped and copied. If an operation needs more than its record holds,
 * a generator supplies it, which the record itself seeds. So decoding never runs out, and depends
 * on nothing else.
 */
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEADER = 8, RECORD = 24 };

typedef struct bytes {
    const uint8_t *at;
    size_t left;
    uint64_t state;
} bytes;

/* splitmix64 (Steele, Lea, Flood, 2014). */
static inline uint64_t mix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline bytes bytes_of(const uint8_t *data, size_t size) {
    uint64_t state = size;
    for (size_t i = 0; i < size; i++) {
        state = (state ^ data[i]) * 0x100000001b3u; /* FNV-1a */
    }
    return (bytes){data, size, state};
}

static inline unsigned next_byte(bytes *b) {
    if (b->left == 0) {
        return (unsigned)(mix(&b->state) >> 56);
    }
    b->left--;
    return *b->at++;
}

static inline uint64_t next_bits(bytes *b, int count) {
    uint64_t bits = 0;
    for (int i = 0; i < count; i++) {
        bits = bits << 8 | next_byte(b);
    }
    return bits;
}

/* A number from 0 to n - 1. */
static inline unsigned next_below(bytes *b, size_t n) {
    return (unsigned)(n <= 256 ? next_byte(b) % n : next_bits(b, 2) % n);
}

/* True in `of256` of 256 cases. */
static inline bool next_chance(bytes *b, unsigned of256) {
    return next_byte(b) < of256;
}

#endif
