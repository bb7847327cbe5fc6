#include "bytes.h"

#include <math.h>
#include <string.h>

enum { MAGIC = 4, CHECKSUM = 8, LEAST = MAGIC + 4 + CHECKSUM };

static uint64_t read_word(const unsigned char *at, size_t n) {
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++) {
        x |= (uint64_t)at[i] << 8 * i;
    }
    return x;
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

/* --- writing -------------------------------------------------------------------------------- */

void bs_put(bs_writer *w, uint64_t x, size_t bytes) {
    bs_bytes *out = w->out;
    w->failed = w->failed ||
                !bs_array_reserve(w->heap, &out->at, &out->cap, out->n + bytes, sizeof *out->at);
    for (size_t i = 0; i < bytes && !w->failed; i++) {
        out->at[out->n++] = (unsigned char)(x >> 8 * i);
    }
}

void bs_put_numbers(bs_writer *w, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bs_put(w, bits, sizeof bits);
    }
}

void bs_put_bytes(bs_writer *w, const unsigned char *at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bs_put(w, at[i], 1);
    }
}

bs_writer bs_begin_bytes(const bs_format *format, bs_heap *heap, bs_bytes *out) {
    bs_writer w = {heap, out, false};
    out->n = 0;
    for (size_t i = 0; i < MAGIC; i++) {
        bs_put(&w, (unsigned char)format->magic[i], 1);
    }
    bs_put(&w, format->version | DIM << 8, 4);
    return w;
}

bool bs_end_bytes(bs_writer *w) {
    bs_put(w, w->failed ? 0 : bs_hash(w->out->at, w->out->n), CHECKSUM);
    return !w->failed;
}

/* --- reading -------------------------------------------------------------------------------- */

static const char cut[] = "is cut off";

static void fail(bs_reader *r, const char *problem) {
    r->problem = r->problem != NULL ? r->problem : problem;
}

void bs_refuse(bs_reader *r) {
    fail(r, r->format->wrong);
}

void bs_skip(bs_reader *r, size_t bytes) {
    if (r->problem != NULL || r->left < bytes) {
        fail(r, cut);
        return;
    }
    r->at += bytes;
    r->left -= bytes;
}

uint64_t bs_get(bs_reader *r, size_t bytes) {
    const unsigned char *at = r->at;
    bs_skip(r, bytes);
    return r->problem == NULL ? read_word(at, bytes) : 0;
}

void bs_get_numbers(bs_reader *r, double *x, int n) {
    for (int i = 0; i < n; i++) {
        uint64_t bits = bs_get(r, 8);
        memcpy(&x[i], &bits, sizeof bits);
        if (!isfinite(x[i])) {
            bs_refuse(r);
        }
    }
}

bs_reader bs_read_bytes(const bs_format *format, const void *bytes, size_t n) {
    bs_reader r = {.format = format, .at = bytes, .left = n};
    if (n < MAGIC || memcmp(bytes, format->magic, MAGIC) != 0) {
        fail(&r, format->other);
    } else if (n < LEAST) {
        fail(&r, cut);
    } else if (r.at[MAGIC] != format->version) {
        fail(&r, "is of another version");
    } else if (r.at[MAGIC + 1] != DIM) {
        fail(&r, format->other_dim);
    } else if (bs_hash(r.at, n - CHECKSUM) != read_word(r.at + n - CHECKSUM, CHECKSUM)) {
        fail(&r, "is cut off or damaged");
    } else {
        r.left -= CHECKSUM;
        bs_skip(&r, MAGIC + 2);
        if (bs_get(&r, 2) != 0) {
            bs_refuse(&r);
        }
    }
    return r;
}
