/* snapshot.h: what a snapshot is; for snapshot.c, saved_shapes.c and world_bytes.c. */
#ifndef BS_WORLD_SNAPSHOT_H
#define BS_WORLD_SNAPSHOT_H

#include "broadside/world.h"
#include "world_parts.h"

#pragma GCC visibility push(hidden)

/* The flags that are state: the others belong to the list of pairs, or follow from shapes. */
enum {
    BS_KEPT_FLAGS = BS_ALIVE | BS_IS_STATIC | BS_KEEPS_ANGLE | BS_HAS_OBJECT_RECT | BS_HAS_SHAPE,
    BS_HAS_OBJECT_SHAPE = 128 /* in a snapshot alone */
};
static_assert((BS_KEPT_FLAGS & BS_HAS_OBJECT_SHAPE) == 0, "a bit of its own");

struct bs_snapshot {
    bs_world world;  /* It has the columns that are state alone, no back ends and no pairs. */
    bs_bytes shapes; /* See saved_shapes.c. */
};

/* --- shapes (saved_shapes.c) ---------------------------------------------------------------- */

/* The shapes of a box then; NULL: it has none. */
typedef struct bs_saved_shapes {
    bs_shape *given;
    bs_shape *object;
} bs_saved_shapes;

/* Puts a shape behind those that are there. False: no memory. */
bool bs_saved_shapes_add(bs_snapshot *s, const bs_shape *shape);
/* Room for those of a world. False: no memory. */
bool bs_saved_shapes_reserve(bs_snapshot *s, const bs_world *w);
/* Takes them. The snapshot has the world's flags. */
void bs_saved_shapes_take(bs_snapshot *s, const bs_world *w);
/* Those of one index after the other: *at begins with the column. */
bs_saved_shapes bs_saved_shapes_of(const bs_snapshot *s, uint32_t index, unsigned char **at);

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
