/*
 * bytes.c: writes and reads snapshots as bytes, and hashes them. It relies only on the host's
 * memory (heap.h).
 */
#include "bytes.h"

#include <math.h>
#include <string.h>

enum { MAGIC = 4, CHECKSUM = 8, LEAST = MAGIC + 4 + CHECKSUM };

/* Compilers turn the accesses to 4 or 8 bytes into one. */
static inline uint64_t load(const unsigned char *at, size_t n) {
    uint64_t x = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++) {
        x |= (uint64_t)at[i] << 8 * i;
    }
    return x;
}

static inline void store(unsigned char *at, uint64_t x, size_t n) {
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++) {
        at[i] = (unsigned char)(x >> 8 * i);
    }
}

static inline uint64_t read_word(const unsigned char *at, size_t n) {
    return n == 8 ? load(at, 8) : n == 4 ? load(at, 4) : load(at, n);
}

static inline void write_word(unsigned char *at, uint64_t x, size_t n) {
    if (n == 8) {
        store(at, x, 8);
    } else if (n == 4) {
        store(at, x, 4);
    } else {
        store(at, x, n);
    }
}

uint64_t bs_hash(const unsigned char *at, size_t n) {
    const uint64_t m = 0xc6a4a7935bd1e995u;
    uint64_t h = n * m;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t k = (n - i < 8 ? read_word(at + i, n - i) : read_word(at + i, 8)) * m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    h = (h ^ h >> 47) * m;
    return h ^ h >> 47;
}

uint64_t bs_bytes_hash(const bs_bytes *bytes) {
    assert(bytes->n >= LEAST);
    return read_word(bytes->at + bytes->n - CHECKSUM, CHECKSUM);
}

/* --- coding --------------------------------------------------------------------------------- */

static const char cut[] = "is cut off";

void bs_expect(bs_coder *c, bool holds) {
    assert(holds || c->reads || c->failed);
    if (!holds && c->problem == NULL) {
        c->problem = c->format->wrong;
    }
}

void bs_fail(bs_coder *c) {
    c->failed = true;
    c->problem = c->problem != NULL ? c->problem : "needs too much memory";
}

static uint64_t put(bs_coder *c, uint64_t x, size_t bytes) {
    bs_bytes *out = c->out;
    c->failed = c->failed ||
                !bs_array_reserve(c->heap, &out->at, &out->cap, out->n + bytes, sizeof *out->at);
    if (!c->failed) {
        write_word(out->at + out->n, x, bytes);
        out->n += bytes;
    }
    return x;
}

static uint64_t get(bs_coder *c, size_t bytes) {
    const unsigned char *at = c->at;
    if (c->problem != NULL || c->left < bytes) {
        c->problem = c->problem != NULL ? c->problem : cut;
        return 0;
    }
    c->at += bytes;
    c->left -= bytes;
    return read_word(at, bytes);
}

uint64_t bs_code(bs_coder *c, uint64_t x, size_t bytes) {
    return c->reads ? get(c, bytes) : put(c, x, bytes);
}

void bs_code_bool(bs_coder *c, bool *x) {
    uint64_t is = bs_code(c, *x, 1);
    bs_expect(c, is <= 1);
    *x = is == 1;
}

void bs_code_double(bs_coder *c, double *x) {
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    bits = bs_code(c, bits, sizeof bits);
    memcpy(x, &bits, sizeof bits);
}

void bs_code_numbers(bs_coder *c, double *x, int n) {
    for (int i = 0; i < n; i++) {
        bs_code_double(c, &x[i]);
        bs_expect(c, isfinite(x[i]));
    }
}

void bs_code_rect(bs_coder *c, bs_rect *rect) {
    bs_code_numbers(c, rect->pos, DIM);
    bs_code_numbers(c, rect->size, DIM);
}

uint32_t bs_code_count(bs_coder *c, size_t count, size_t bytes) {
    count = (size_t)bs_code(c, count, 4);
    bool fits = !c->reads || count <= c->left / bytes;
    bs_expect(c, fits);
    return fits ? (uint32_t)count : 0;
}

/* --- beginning and end ---------------------------------------------------------------------- */

bs_coder bs_begin_writing(const bs_format *format, bs_heap *heap, bs_bytes *out) {
    bs_coder c = {.format = format, .heap = heap, .out = out};
    out->n = 0;
    for (size_t i = 0; i < MAGIC; i++) {
        bs_code(&c, (unsigned char)format->magic[i], 1);
    }
    bs_code(&c, format->version | DIM << 8, 4);
    return c;
}

bool bs_end_writing(bs_coder *c) {
    bs_code(c, c->failed ? 0 : bs_hash(c->out->at, c->out->n), CHECKSUM);
    return !c->failed;
}

/* What is wrong with bytes that must not be read at all, or NULL. */
static const char *check(const bs_format *format, const unsigned char *at, size_t n) {
    if (n < MAGIC || memcmp(at, format->magic, MAGIC) != 0) {
        return format->other;
    }
    if (n < LEAST) {
        return cut;
    }
    if (at[MAGIC] != format->version) {
        return "is of another version";
    }
    if (at[MAGIC + 1] != DIM) {
        return format->other_dim;
    }
    bool is_whole = bs_hash(at, n - CHECKSUM) == read_word(at + n - CHECKSUM, CHECKSUM);
    return is_whole ? NULL : "is cut off or damaged";
}

bs_coder bs_begin_reading(const bs_format *format, bs_heap *heap, const void *bytes, size_t n) {
    bs_coder c = {.format = format, .heap = heap, .reads = true, .at = bytes};
    c.problem = check(format, bytes, n);
    c.left = c.problem == NULL ? n - CHECKSUM : 0;
    bs_code(&c, 0, MAGIC + 2);
    bs_expect(&c, bs_code(&c, 0, 2) == 0);
    return c;
}
