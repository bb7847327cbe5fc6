/*
 * types.h: what all calls share: the host's memory, lists that are filled, and back ends by name,
 * with their settings and figures.
 */
#ifndef BS_TYPES_H
#define BS_TYPES_H

#include "geometry.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* --- memory --------------------------------------------------------------------------------- */

/* new_size 0 frees (and cannot fail); otherwise NULL means that there is no memory. */
typedef void *(*bs_realloc)(void *host, void *block, size_t old_size, size_t new_size);

/* Asks the host for memory, and counts the bytes held. */
typedef struct bs_heap {
    bs_realloc resize;
    void *host;
    size_t used;
} bs_heap;

/*
 * Makes the array that the pointer at `array` points to hold at least `need` elements of `size`
 * bytes; *cap is its present capacity. Grows by an eighth: arrays that live for long must not
 * waste half of their memory. False: no memory, nothing changed.
 */
bool bs_array_grow(bs_heap *heap, void *array, size_t *cap, size_t need, size_t size);
static inline bool bs_array_reserve(bs_heap *heap, void *array, size_t *cap, size_t need,
                                    size_t size) {
    return need <= *cap || bs_array_grow(heap, array, cap, need, size);
}

/* Frees the array and sets the pointer to NULL and *cap to 0. */
void bs_array_free(bs_heap *heap, void *array, size_t *cap, size_t size);

/* A list of boxes. */
typedef struct bs_list {
    uint32_t *at;
    size_t n;
    size_t cap;
} bs_list;

typedef struct bs_pair {
    uint32_t a;
    uint32_t b;
} bs_pair;

/* A list of pairs of boxes. */
typedef struct bs_pairs {
    bs_pair *at;
    size_t n;
    size_t cap;
} bs_pairs;

void bs_list_free(bs_heap *heap, bs_list *list);
void bs_pairs_free(bs_heap *heap, bs_pairs *pairs);

/* A snapshot as bytes. */
typedef struct bs_bytes {
    unsigned char *at;
    size_t n;
    size_t cap;
} bs_bytes;

/* The checksum that they end with: a hash of the state. */
uint64_t bs_bytes_hash(const bs_bytes *bytes);

/* --- back ends ------------------------------------------------------------------------------- */

typedef struct bs_backend_type bs_backend_type;

/* The type of that name, in the variant that suits this processor; NULL if there is none. */
const bs_backend_type *bs_backend_find(const char *name);
const char *bs_backend_name(const bs_backend_type *type);

/* What `create` may be told; 0 means: choose. */
typedef struct bs_settings {
    int axis;         /* sweep: 1 x, 2 y, 3 z */
    double cell_size; /* grid: edge of the cells */
    double margin;    /* tree: how far fat bounds reach beyond a box; < 0: choose */
} bs_settings;

/* The figures that a back end tells of itself; those that it does not have stay 0. */
typedef struct bs_stats {
    size_t boxes;
    size_t nodes;         /* tree: nodes; grid: blocks in use */
    size_t height;        /* tree: levels */
    double area_ratio;    /* tree: sum of all nodes' surface areas by the root's */
    double cell_size;     /* grid */
    size_t cells;         /* grid: cells in use */
    size_t resting;       /* grid: boxes in no cell, as they reach into too many */
    int axis;             /* sweep: as in bs_settings */
    size_t rebuilds;      /* times that the whole structure was made anew */
    const char *now_used; /* auto: what it uses now */
} bs_stats;

/* What debugging pictures show. */
typedef enum bs_picture_kind {
    BS_PICTURE_BOX,
    BS_PICTURE_FAT,
    BS_PICTURE_NODE,
    BS_PICTURE_CELL
} bs_picture_kind;

typedef struct bs_picture {
    bs_picture_kind kind;
    bs_rect rect;
} bs_picture;

typedef struct bs_pictures {
    bs_picture *at;
    size_t n;
    size_t cap;
} bs_pictures;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
