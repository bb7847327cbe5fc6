/* snapshot.h: what a snapshot is made of; for snapshot.c, saved_shapes.c, and those of encode.h. */
#ifndef BS_WORLD_SNAPSHOT_H
#define BS_WORLD_SNAPSHOT_H

#include "broadside/snapshot.h"
#include "parts.h"

#pragma GCC visibility push(hidden)

/* The columns of a world (parts.h), as far as they are state. One that has no elements stands for
 * what boxes have by default. */
typedef enum bs_column_kind {
    BS_BORN,       /* uint64_t, by index: `used` elements */
    BS_GENERATION, /* uint32_t, likewise */
    BS_FLAGS,      /* uint8_t, likewise; BS_KEPT_FLAGS alone */
    BS_RECT,       /* bs_rect, by index up to the last box: `span` elements */
    BS_LAYERS,     /* bs_layers, `span` */
    BS_MOTION,     /* bs_motion, `span` or none */
    BS_OBJECT,     /* bs_rect, `span` or none */
    BS_CONDUCT,    /* bs_conduct, `span` or none */
    BS_CONTACTS,   /* bs_touching: the contacts */
    BS_STEP_HITS,  /* bs_step_hit: what met what in the last step */
    BS_SHAPES,     /* bytes: see saved_shapes.c */
    BS_COLUMNS
} bs_column_kind;

typedef struct bs_column {
    void *at;
    size_t n;
    size_t cap;
} bs_column;

/* The flags that are state: the others belong to the list of pairs, or follow from shapes. */
enum {
    BS_KEPT_FLAGS = BS_ALIVE | BS_IS_STATIC | BS_KEEPS_ANGLE | BS_HAS_OBJECT_RECT | BS_HAS_SHAPE,
    BS_HAS_OBJECT_SHAPE = 128 /* in a snapshot alone */
};
static_assert((BS_KEPT_FLAGS & BS_HAS_OBJECT_SHAPE) == 0, "a bit of its own");

struct bs_snapshot {
    bs_heap heap;
    bs_column column[BS_COLUMNS];

    /* As in a world. */
    uint32_t used, span, free, idle, count, last;
    uint32_t layered, responders, shaped;
    bool recycled;
    bs_layers any;
    uint64_t births;
    double gravity[DIM];
};

/* Room for n[kind] elements in each column, which then has as many. False: no memory, no change. */
bool bs_snapshot_resize(bs_snapshot *s, const size_t n[BS_COLUMNS]);

/* --- shapes (saved_shapes.c) ---------------------------------------------------------------- */

/* The shapes of a box then; NULL: it has none. */
typedef struct bs_saved_shapes {
    const bs_shape *given;
    const bs_shape *object;
} bs_saved_shapes;

/* A shape ends behind its last corner. */
size_t bs_shape_bytes(const bs_shape *shape);
/* The size of the column of a world, and the column, which has that size. */
size_t bs_saved_shapes_size(const bs_world *w);
void bs_saved_shapes_write(bs_snapshot *s, const bs_world *w);
/* Those of one index after the other: *at begins with the column. */
bs_saved_shapes bs_saved_shapes_of(const bs_snapshot *s, uint32_t index, const char **at);

/* Copies of the shapes that are others then than now. */
typedef struct bs_incoming {
    bs_shape_slot *at;
    size_t n;
    size_t cap;
} bs_incoming;

/* False: no memory, and there is nothing to be freed. */
bool bs_incoming_prepare(bs_world *w, const bs_snapshot *s, bs_incoming *in);
/* Boxes get them; what they had before is freed. Indices are the world's of now, or of then. */
void bs_incoming_give(bs_world *w, const bs_snapshot *s, bs_incoming *in);
void bs_incoming_free(bs_world *w, bs_incoming *in);

#pragma GCC visibility pop

#endif
