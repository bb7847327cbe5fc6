/*
 * types.h: what all calls share: the host's memory, lists, and back ends by name with their
 * settings and figures. It relies on geometry.h alone.
 */
#ifndef BS_TYPES_H
#define BS_TYPES_H

#include "geometry.h"

BS_API

/* --- memory --------------------------------------------------------------------------------- */

/* new_size 0 frees the block and cannot fail. Otherwise NULL means that there is no memory. */
typedef void *(*bs_realloc)(void *host, void *block, size_t old_size, size_t new_size);

/* Memory of the host, with the number of bytes held. */
typedef struct bs_heap {
    bs_realloc resize;
    void *host;
    size_t used;
} bs_heap;

/*
 * Grows the array to which `array` points to at least `need` elements of `size` bytes; *cap is its
 * capacity. It grows by an eighth, as arrays that live long must not waste half of their memory.
 * Returns false, and nothing has changed, if there is no memory.
 */
bool bs_array_grow(bs_heap *heap, void *array, size_t *cap, size_t need, size_t size);
static inline bool bs_array_reserve(bs_heap *heap, void *array, size_t *cap, size_t need,
                                    size_t size) {
    return need <= *cap || bs_array_grow(heap, array, cap, need, size);
}

/* Frees the array and sets the pointer to NULL and *cap to 0. */
void bs_array_free(bs_heap *heap, void *array, size_t *cap, size_t size);

/* A list: n elements, and room for cap of them. */
#define BS_LIST(name, type)                                                                        \
    typedef struct name {                                                                          \
        type *at;                                                                                  \
        size_t n;                                                                                  \
        size_t cap;                                                                                \
    } name

BS_LIST(bs_list, uint32_t); /* Boxes. */
void bs_list_free(bs_heap *heap, bs_list *list);

typedef struct bs_pair {
    uint32_t a;
    uint32_t b;
} bs_pair;
BS_LIST(bs_pairs, bs_pair);

BS_LIST(bs_bytes, unsigned char); /* A snapshot as bytes. */
/* The checksum at the end of the bytes, which is a hash of the state. */
uint64_t bs_bytes_hash(const bs_bytes *bytes);

/* --- back ends ------------------------------------------------------------------------------- */

typedef struct bs_backend_type bs_backend_type;

/* The type of that name for this processor, or NULL. */
const bs_backend_type *bs_backend_find(const char *name);
const char *bs_backend_name(const bs_backend_type *type);

/* Settings of a back end. 0 leaves the choice to it. */
typedef struct bs_settings {
    int axis;         /* The axis of sweep: 1 x, 2 y, 3 z. */
    double cell_size; /* The edge of the grid's cells. */
    double margin;    /* The tree's fat AABBs are larger by this; < 0 leaves the choice to it. */
} bs_settings;

/* The figures of a back end. Those that it does not have stay 0. */
typedef struct bs_stats {
    size_t boxes;
    size_t nodes;         /* Nodes of the tree, or blocks of the grid in use. */
    size_t height;        /* Levels of the tree. */
    double area_ratio;    /* The surface areas of all nodes of the tree, by that of the root. */
    double cell_size;     /* Of the grid. */
    size_t cells;         /* Cells of the grid in use. */
    size_t resting;       /* Boxes in no cell of the grid, as they overlap too many. */
    int axis;             /* The axis of sweep, as in bs_settings. */
    size_t rebuilds;      /* How often the whole structure was built anew. */
    const char *now_used; /* What auto uses now. */
} bs_stats;

/* What a debug view can show of a back end. */
typedef enum { BS_PICTURE_BOX, BS_PICTURE_FAT, BS_PICTURE_NODE, BS_PICTURE_CELL } bs_picture_kind;
typedef struct bs_picture {
    bs_picture_kind kind;
    bs_rect rect;
} bs_picture;
BS_LIST(bs_pictures, bs_picture);

BS_API_END

#endif
