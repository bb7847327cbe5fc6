/*
 * parts.h: what a world is made of; only for the files of this folder.
 *
 *      world.c      the boxes: ids, places, layers, back ends
 *      velocity.c   velocities
 *      conduct.c    responses, bounces, one-way sides, gravity, sensors
 *      shape.c      circles and polygons within boxes
 *      transform.c  object space
 *      pairs.c      pairs
 *      contacts.c   what began and ended
 *      query.c      rectangles, circles, nearest
 *      cast.c       segments and moving boxes
 *      columns.c    the arrays of a world: growing, copying, freeing
 *      trim.c       memory that is given back
 *      snapshot.c   worlds as they were, and going back to them (snapshot.h)
 *      world_bytes.c  snapshots to bytes, and out of bytes
 */
#ifndef BS_WORLD_PARTS_H
#define BS_WORLD_PARTS_H

#include <assert.h>

#include "base/order.h"
#include "broad/backend.h"
#include "broadside/world.h"
#include "narrow/narrow.h"

#pragma GCC visibility push(hidden)

enum { BS_DYNAMIC, BS_STATIC, BS_PARTS };

enum {
    BS_ALIVE = 1,
    BS_IS_STATIC = 2,
    BS_KEEPS_ANGLE = 4,
    BS_HAS_OBJECT_RECT = 8,
    BS_CHANGED = 16,    /* since the last call for pairs; also of an index without a box */
    BS_RESTLESS = 32,   /* it has no pair before `calm`, for certain; likewise */
    BS_HAS_SHAPE = 64,  /* it is not the box itself */
    BS_IS_CENTRED = 128 /* that is a circle, and follows from the rect alone, wherever that is */
};
static_assert((BS_ALIVE | BS_IS_STATIC | BS_KEEPS_ANGLE | BS_HAS_OBJECT_RECT | BS_CHANGED |
               BS_RESTLESS | BS_HAS_SHAPE | BS_IS_CENTRED) == 255,
              "each flag is a bit of its own");

typedef struct bs_motion {
    double velocity[DIM];
    double acceleration[DIM];
} bs_motion;

/* The shapes of a box; NULL: it has none. Each is as long as its corners need. */
typedef struct bs_shape_slot {
    bs_shape *given;  /* as it was when its rect was the rect in it */
    bs_shape *object; /* the one before the first transform, likewise */
} bs_shape_slot;

/* What a step changes of a box, as it was before; of what a move pushes its rect alone. */
typedef struct bs_before {
    uint32_t box;
    bs_rect rect;
    bs_motion motion;
} bs_before;

/* A pair that touched, as contacts remember it: by ids, since its boxes may be gone. */
typedef struct bs_touching {
    uint64_t born_a;
    uint64_t born_b;
    bs_id a;
    bs_id b;
} bs_touching;

typedef struct bs_touchings {
    bs_touching *at;
    size_t n;
    size_t cap;
} bs_touchings;

/* What has become of the pairs since the last call for contacts. */
typedef enum bs_paired {
    BS_PAIRED_SAME, /* they are the same */
    BS_PAIRED_FEW,  /* those of boxes that are restless now may be others */
    BS_PAIRED_ANEW  /* all may be others */
} bs_paired;

/* What the folder src/motion keeps in a world. */
typedef struct bs_movement {
    void (*free)(bs_world *w);
    const char *(*check)(const bs_world *w);   /* NULL, or what is broken; for tests */
    const char *(*unended)(const bs_world *w); /* NULL, or what has begun and not ended */
} bs_movement;

struct bs_world {
    bs_heap heap;
    bs_boxes boxes; /* what the back ends see of `rect` */
    bs_backend *part[BS_PARTS];
    bs_settings settings; /* that the back ends were made with */

    /* Columns, by box index. A new one gets its line in columns.c, too. */
    bs_rect *rect;
    uint64_t *born;       /* number of the insertion; of a free index: the next free one */
    uint32_t *generation; /* of the box, or of the next one at this index */
    bs_layers *layers;
    uint8_t *flags;
    bs_motion *motion;    /* only once a box has had one */
    bs_rect *object;      /* object space rects, only once a box has had one */
    bs_conduct *conduct;  /* only once a box has another than the default one */
    bs_shape_slot *shape; /* only once a box has another than itself */
    size_t rect_cap, born_cap, generation_cap, layers_cap, flags_cap;
    size_t motion_cap, object_cap, conduct_cap, shape_cap;
    size_t room; /* all columns that have been made have so many elements, or more */

    uint32_t used; /* indices given out at least once, in the history that holds */
    uint32_t peak; /* most of them in histories that were given up; 0: none was */
    uint32_t free; /* head of the list of free indices, or BS_NO_BOX */
    uint32_t idle; /* free indices */
    uint32_t count;
    uint32_t layered;    /* boxes whose layers are not the default ones */
    uint32_t responders; /* boxes that have a response */
    uint32_t shaped;     /* boxes that have a shape of their own */
    bs_layers any;       /* all layers and masks that dynamic boxes have had */
    uint64_t births;
    uint32_t last; /* highest index inserted since the world was empty ... */
    bool recycled; /* ... and whether a later box has a lower index than an earlier one */
    double gravity[DIM];

    bs_pairs pairs;        /* as of the last call ... */
    size_t calm;           /* ... these first ones of boxes that have long not changed ... */
    bs_list changed;       /* ... and what has changed since, as long as that is little */
    bool all_changed;      /* it is not */
    bs_touchings touching; /* the pairs at the last call for contacts, sorted ... */
    bs_touchings touched;  /* ... and those of the call that is running: swapped */
    bs_paired paired;      /* how the first differ from `pairs` */

    uint64_t examined; /* see bs_world_examine */
    uint32_t frames;   /* calls of bs_world_shed */

    double reach; /* distance of the last answer of nearest: a guess for the next */

    const bs_movement *movement; /* NULL: nothing has moved yet */
    bs_move *moves;              /* those in use, and those that wait to be used again */
    bs_push *push;               /* made when a box first pushes */
    bs_step_hits step_hits;      /* of the last step ... */
    bs_step_hits step_found;     /* ... and of the one that is running: swapped */
    bs_before *before;           /* what a step, or a move that pushes, has changed */
    size_t befores, before_cap;
    uint8_t *turn; /* by box index, in the step that is running: see motion/step.c */
    size_t turn_cap;

    /* Scratch of one file each, kept so that a frame need not ask for memory. */
    bs_list partners;  /* pairs.c: what some changed boxes meet */
    bs_list differing; /* snapshot.c: boxes that are others now than then, and who of them moves */
    bs_list stepping;  /* motion/step.c: boxes that have moved, or that take turns */
    bs_list within, left; /* motion/resolve.c: what the box is in, and what it was pushed out of */
    bs_keyed *keyed;      /* see bs_world_keyed */
    size_t keyed_cap;
};

static inline bs_backend *bs_part_of(const bs_world *w, uint32_t box) {
    assert(box < w->used && (w->flags[box] & BS_ALIVE) != 0);
    return w->part[(w->flags[box] & BS_IS_STATIC) != 0 ? BS_STATIC : BS_DYNAMIC];
}

/*
 * So many changed boxes are noted at most; if there are more, all pairs are found anew. That costs
 * about as much, for 24 moving boxes or for 256 static ones, as asking for the pairs of one changed
 * box; for 32 moving ones where boxes can only be asked for one by one.
 */
static inline size_t bs_world_most_noted(const bs_world *w) {
    const bs_backend *dynamic = w->part[BS_DYNAMIC];
    size_t share = dynamic->type->query_boxes != NULL ? 24 : 32;
    return dynamic->count / share + w->part[BS_STATIC]->count / 256;
}

/* The box, or what becomes of its index, may make other pairs than before. */
void bs_world_note_change(bs_world *w, uint32_t box);
static inline void bs_world_touch(bs_world *w, uint32_t box) {
    if (!w->all_changed) {
        bs_world_note_change(w, box);
    }
}

/*
 * Pairs and changes of boxes whose index is not below `used` are forgotten. All that were there
 * have changed (bs_world_touch).
 */
void bs_world_forget_beyond(bs_world *w, uint32_t used);

/*
 * A number for each box, in the order of their insertion. As long as no index was used again that
 * is also the order of the indices.
 */
static inline uint64_t bs_world_order(const bs_world *w, uint32_t box) {
    assert(box < w->used);
    return w->recycled ? w->born[box] : box;
}

/* All boxes have lower indices. */
static inline uint32_t bs_world_span(const bs_world *w) {
    assert(w->count == 0 || w->last < w->used);
    return w->count > 0 ? w->last + 1 : 0;
}

/*
 * Called once a frame or so, before lists are filled. Each 256th time, scratch lists and those of
 * pairs go that have room for over eight times as many as there are boxes and pairs. Should one be
 * needed again, it grows again: 255 calls have paid for that.
 */
void bs_world_shed(bs_world *w);

/* True if the layers and masks of the two let them make a pair, static or not. */
static inline bool bs_world_layers_meet(const bs_world *w, uint32_t a, uint32_t b) {
    assert(a < w->used && b < w->used && a != b);
    bs_layers la = w->layers[a];
    bs_layers lb = w->layers[b];
    return ((la.mask & lb.layer) != 0) & ((lb.mask & la.layer) != 0);
}

/* True if the two, when they overlap, are a pair. */
static inline bool bs_world_makes_pair(const bs_world *w, uint32_t a, uint32_t b) {
    bool moves = (w->flags[a] & w->flags[b] & BS_IS_STATIC) == 0;
    return moves & bs_world_layers_meet(w, a, b);
}

static inline bool bs_filter_ignores(const bs_filter *filter, uint32_t box) {
    return box == filter->ignore || box == filter->self;
}

static inline bool bs_filter_passes(const bs_world *w, const bs_filter *filter, uint32_t box) {
    assert(box < w->used && (w->flags[box] & BS_ALIVE) != 0);
    const uint64_t any_layer = 1ull << 32; /* a bit that only BS_ANY_LAYER has */
    uint64_t layer = w->layers[box].layer | any_layer;
    return (layer & filter->mask) != 0 && (layer & filter->also) != 0 &&
           !bs_filter_ignores(filter, box);
}

/* True if no box's layer keeps it from passing. */
static inline bool bs_filter_takes_all_layers(const bs_world *w, const bs_filter *filter) {
    assert(w->layered <= w->count);
    uint64_t both = filter->mask & filter->also; /* no branches: this is asked for each query */
    return (both == BS_ANY_LAYER) | ((w->layered == 0) & ((both & 1) != 0));
}

/*
 * All boxes that overlap r, of both parts, in no particular order; `self`, for which one asks, may
 * be among them or not, so that a part where it is alone need not be asked. False: no memory.
 */
bool bs_world_find_in(bs_world *w, const bs_rect *r, uint32_t self, bs_list *out);

/*
 * Room for sorting n items, and behind them for scratch of as many. It is the caller's until
 * another function of the world sorts. NULL: no memory.
 */
static inline bs_keyed *bs_world_keyed(bs_world *w, size_t n) {
    bool done = bs_array_reserve(&w->heap, &w->keyed, &w->keyed_cap, 2 * n + 1, sizeof *w->keyed);
    return done ? w->keyed : NULL;
}

/* Puts a list into the order of insertion. */
bool bs_world_sort(bs_world *w, bs_list *list);

/*
 * Before each question in a build with BS_CHECKS: everything must be in order. Of large worlds only
 * now and then.
 */
#if defined(BS_CHECKS)
static inline void bs_world_examine(bs_world *w) {
    enum { SMALL = 64, EVERY = 64 };
    w->examined++;
    assert(w->count > SMALL && w->examined % EVERY != 0 ? true : bs_world_check(w) == NULL);
}
#else
static inline void bs_world_examine(bs_world *w) {
    (void)w;
}
#endif

/* --- columns (columns.c) -------------------------------------------------------------------- */

/* Columns that are made when a box first needs them: their places in the table. */
typedef enum bs_lazy_column {
    BS_MOTION,
    BS_OBJECT,
    BS_CONDUCT,
    BS_SHAPE,
    BS_ALWAYS_MADE /* The others begin here. */
} bs_lazy_column;

/* Makes a column, unless that has been done, with what is usual for each box. False: no memory. */
bool bs_column_make(bs_world *w, bs_lazy_column which);
/* As the function below, where there is not enough room. */
bool bs_columns_grow(bs_world *w, size_t need);
/* Room for boxes whose indices are below `need`. False: no memory. */
static inline bool bs_world_reserve_room(bs_world *w, size_t need) {
    return need <= w->room || bs_columns_grow(w, need);
}

/* Room for the state of another world. False: no memory. */
bool bs_state_reserve(bs_world *to, const bs_world *from);
/* Copies all that snapshots hold, but for rects, flags and shapes. There is room. */
void bs_state_copy(bs_world *to, const bs_world *from);
/* Lists that have room for more than `most` elements are cut down to what counts of them. */
void bs_lists_cut(bs_world *w, size_t most);
void bs_columns_cut(bs_world *w);
void bs_columns_free(bs_world *w);

bool bs_layers_are_default(bs_layers layers);

extern const bs_conduct bs_usual_conduct;
bool bs_conduct_is_default(const bs_conduct *conduct);
/* Sets it; there is room. */
void bs_conduct_put(bs_world *w, uint32_t box, const bs_conduct *conduct);

/* --- shapes (shape.c) ----------------------------------------------------------------------- */

static inline bool bs_has_shape(const bs_world *w, uint32_t box) {
    return (w->flags[box] & BS_HAS_SHAPE) != 0;
}

/* A shape ends behind its last corner. */
static inline size_t bs_shape_bytes(const bs_shape *shape) {
    size_t corners = shape->kind == BS_POLYGON ? shape->corners : 0;
    return offsetof(bs_shape, corner) + corners * sizeof *shape->corner;
}
/* A copy that the world keeps. NULL: no memory. */
bs_shape *bs_shape_keep(bs_world *w, const bs_shape *shape);
/* Frees it, unless it is NULL, which it becomes. */
void bs_shape_free(bs_world *w, bs_shape **kept);
/* The box has got a shape, or another one: what is known of it without it is set right. */
void bs_shape_note(bs_world *w, uint32_t box);
/* The shape that a transform begins with. */
void bs_object_shape(const bs_world *w, uint32_t box, bs_shape *out);
/* A transform has made that of it, which becomes its shape. */
bs_status bs_shape_put_transformed(bs_world *w, uint32_t box, const bs_shape *shape);
/* The box has no shape of its own any more. */
void bs_shape_drop(bs_world *w, uint32_t box);
void bs_shapes_free(bs_world *w);
const char *bs_shapes_check(const bs_world *w);

/* True if the two, whose rects overlap, do so. */
bool bs_shapes_of_pair_overlap(const bs_world *w, uint32_t a, uint32_t b);
/* True if the shape, whose rect overlaps the box, does so. */
bool bs_shape_overlaps_box(const bs_world *w, const bs_shape *shape, uint32_t box);
/* True if a box whose rect were `at` overlapped the other one. */
bool bs_would_overlap(const bs_world *w, uint32_t box, const bs_rect *at, uint32_t other);
/* The least push that parted the two then, and its length; 0: they would not overlap. */
double bs_push_out_of(const bs_world *w, uint32_t box, const bs_rect *at, uint32_t other,
                      double push[DIM]);

#pragma GCC visibility pop

#endif
