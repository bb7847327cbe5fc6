/*
 * world_parts.h: what a world is made of; for the files of this folder and of motion/ alone. It
 * relies on the narrow phase and on back ends. A function that takes memory returns false, or NULL,
 * if there is none.
 *
 *      world.c      the boxes: ids, places, layers, back ends
 *      velocity.c   velocities
 *      conduct.c    responses, bounces, one-way sides, gravity, sensors
 *      box_shape.c  circles and polygons within boxes
 *      transform.c  object space
 *      pairs.c      pairs
 *      contacts.c   what began and ended
 *      heard.c      what listeners remember
 *      query.c      rectangles, circles, nearest
 *      world_cast.c segments and moving boxes
 *      seam_cast.c  segments between boxes, and at corners
 *      columns.c    the arrays of a world: growing, copying, freeing
 *      trim.c       memory that is given back
 *      snapshot.c   worlds as they were, and going back to them
 *      world_bytes.c  snapshots to bytes, and out of bytes
 */
#ifndef BS_WORLD_PARTS_H
#define BS_WORLD_PARTS_H

#include <assert.h>

#include "base/columns.h"
#include "base/ids.h"
#include "base/order.h"
#include "base/table.h"
#include "broad/backend.h"
#include "broadside/world.h"
#include "narrow/narrow.h"
#include "narrow/passing.h"

#pragma GCC visibility push(hidden)

enum { BS_DYNAMIC, BS_STATIC, BS_PARTS, BS_NOWHERE = BS_PARTS };

enum {
    BS_ALIVE = 1,
    BS_IS_STATIC = 2,
    BS_KEEPS_ANGLE = 4,
    BS_HAS_OBJECT_RECT = 8,
    BS_CHANGED = 16, /* It, or an index without a box, has changed since the last call for pairs. */
    BS_RESTLESS = 32,   /* It has changed recently, so it certainly has no pair before `calm`. */
    BS_HAS_SHAPE = 64,  /* It has a shape that is not the box itself. */
    BS_IS_CENTRED = 128 /* The shape is a circle that follows from the rect alone. */
};
static_assert((BS_ALIVE | BS_IS_STATIC) == BS_SET_BITS, "these say in which part a box is");
static_assert((BS_ALIVE | BS_IS_STATIC | BS_KEEPS_ANGLE | BS_HAS_OBJECT_RECT | BS_CHANGED |
               BS_RESTLESS | BS_HAS_SHAPE | BS_IS_CENTRED) == 255,
              "each flag is a bit of its own");

typedef struct bs_motion {
    double velocity[DIM];
    double acceleration[DIM];
} bs_motion;

/*
 * A shape that a world or snapshots hold. It takes as much memory as its corners need, and does not
 * change while more than one of them holds it.
 */
typedef struct bs_kept_shape {
    uint32_t holders;
    bs_shape shape;
} bs_kept_shape;

/* The shapes of a box, or NULL. */
typedef struct bs_shape_slot {
    bs_kept_shape *given;  /* The shape when its rect was the rect in it. */
    bs_kept_shape *object; /* The shape before the first transform, in the same form. */
} bs_shape_slot;

/* Where a box was, and whether it slept there. */
typedef struct bs_before {
    uint32_t box;
    bool asleep;
    bs_rect rect;
} bs_before;

/* A contact that a listener remembers; those of one stand together, in their order. */
typedef struct bs_heard {
    bs_listener by;
    bs_pair pair; /* Of the listener of a box: that one, and the other one. */
} bs_heard;
BS_LIST(bs_heards, bs_heard);
BS_LIST(bs_contact_list, bs_contact);

/* A box that a moving point meets, or touches (seam_cast.c). */
typedef struct bs_beside {
    bs_passing passing; /* How the point passes it, if it is a box ... */
    bs_touch touch;     /* ... and meets it, if it does. */
    uint64_t born;
    uint32_t box;
    bool met;
    bool is_box; /* It has no shape of its own. */
} bs_beside;

/*
 * How a body rests. What sleeps is left out of steps. A body is calm that has moved no faster for
 * so many steps than forces explain, and is where it was at first.
 */
typedef struct bs_rest {
    bool asleep;
    uint8_t calm;
    double at[DIM];
} bs_rest;

/* What two pressed each other with in the last step; 0 if they are to be solved as one now. */
typedef struct bs_press {
    bs_id a, b;
    double push;     /* The impulse along the normal. */
    double rub[DIM]; /* That along the side, on a. */
} bs_press;
BS_LIST(bs_presses, bs_press);
BS_LIST(bs_rects, bs_rect);

typedef struct bs_bodies bs_bodies; /* See step/step.h. */
typedef struct bs_push bs_push;     /* See motion/push_parts.h. */

/* How the pairs have changed since the last call for contacts. */
typedef enum bs_paired {
    BS_PAIRED_SAME, /* They are the same. */
    BS_PAIRED_FEW,  /* Those of recently changed boxes may be others. */
    BS_PAIRED_ANEW  /* All may be others. */
} bs_paired;

/* What the folder motion keeps in a world. */
typedef struct bs_movement {
    void (*free)(bs_world *w);
    const char *(*check)(const bs_world *w);   /* What is broken, or NULL; for tests. */
    const char *(*unended)(const bs_world *w); /* What has begun and not ended, or NULL. */
} bs_movement;

/* What snapshots copy as it is. */
typedef struct bs_world_state {
    uint32_t count;
    uint32_t layered;    /* Boxes whose layers are not the default ones. */
    uint32_t responders; /* Boxes that have a response. */
    uint32_t shaped;     /* Boxes that have a shape of their own. */
    uint32_t last;       /* The highest index inserted since the world was empty. */
    bool recycled;       /* A later box has a lower index than an earlier one. */
    bs_layers any;       /* All layers and masks that dynamic boxes have had. */
    uint64_t births;     /* The number of insertions. */
    double gravity[DIM];
    double fallen[DIM]; /* The gravity of the last step: what sleeps wakes if it is another. */
    double pace;        /* The length of the last step: it wakes in one twice or half as long. */
} bs_world_state;

struct bs_world {
    bs_heap heap;
    bs_boxes boxes; /* The columns that back ends see. */
    bs_backend *part[BS_PARTS];
    bs_settings settings; /* The settings of the back ends. */

    /* Columns, by box index. A new one gets its line in columns.c, too. */
    bs_rect *rect;
    uint64_t *born; /* The number of the insertion. */
    bs_layers *layers;
    uint8_t *flags;
    bs_motion *motion;    /* NULL before a box has had one. */
    bs_rect *object;      /* The object rects; NULL before a box has had one. */
    bs_conduct *conduct;  /* NULL before a box has had another than the default one. */
    bs_shape_slot *shape; /* NULL before a box has had a shape of its own. */
    uint32_t *mentions;   /* See bs_world_is_mentioned; NULL before a contact has been reported. */
    bs_rest *rest;        /* NULL before a body has moved. */
    size_t rect_cap, born_cap, layers_cap, flags_cap;
    size_t motion_cap, object_cap, conduct_cap, shape_cap, mentions_cap, rest_cap;
    size_t room; /* Each column that has been made has at least so many elements. */

    bs_ids ids;    /* Of the history that holds. */
    uint32_t peak; /* The most indices in use in abandoned histories, or 0. */
    bs_world_state state;

    bs_pairs pairs;    /* The pairs at the last call. */
    size_t calm;       /* The first pairs, so many, are of settled boxes. */
    bs_list changed;   /* The boxes that have changed since, unless they are too many. */
    bool all_changed;  /* They are too many. */
    bs_pairs touching; /* The pairs at the last call for contacts, sorted. */
    bs_pairs touched;  /* The pairs in the running call; the two are swapped. */
    bs_pairs ended;    /* Those of `touching` that are not in `touched`. */
    bs_paired paired;  /* How `touching` differs from `pairs`. */

    bs_heards heard;          /* What listeners remember, sorted by listener. */
    bs_pairs meeting;         /* Those of a listener in the running call, sorted. */
    bs_contact_list listened; /* What it is told. */
    bs_list nearby;           /* Scratch: what is around one box. */

    uint64_t examined; /* See bs_world_examine. */
    uint32_t frames;   /* Calls of bs_world_shed. */

    double reach; /* The distance of the last answer of nearest, a guess for the next one. */

    const bs_movement *movement; /* NULL before anything has moved. */
    bs_move *moves;              /* Moves in use, and those that can be used again. */
    bs_push *push;               /* It is made when a box first pushes. */
    bs_step_hits step_hits;      /* The hits of the last step. */
    bs_presses presses;          /* What pressed in the last step. */
    bs_rects stirred;            /* Where something has changed while others slept. */
    uint32_t sleepers;           /* Boxes at rest, which steps leave out. */
    bs_bodies *bodies;           /* It is made in the first step. */
    void (*free_bodies)(bs_world *w);
    uint32_t calls;    /* So many have begun, each within the one before. */
    bs_before *before; /* The journal (bs_call_begin). */
    size_t befores, before_cap;
    size_t stirred_before; /* So many places had been stirred when the first call began. */

    /* Scratch, each of one file, kept so that a frame need not ask for memory. */
    bs_list partners; /* In pairs.c: what some changed boxes overlap. */
    bs_list
        differing; /* In snapshot.c: boxes that are others now than then, and those that move. */
    bs_hits seam_hits; /* In world_cast.c: what a point meets that grazes boxes. */
    bs_beside *beside; /* In seam_cast.c: the boxes that it touches. */
    size_t besides, beside_cap;
    bs_list within; /* In motion/resolve.c: what the box is in. */
    bs_table left;  /* There: what it has left; each box is left once. */
    double *depth;  /* In motion/resolve.c: by box, how deep it was, and w->gone then, or 0. */
    double gone;    /* There: how far the box has been pushed. */
    size_t depth_cap;
    bs_keyed *keyed; /* See bs_world_keyed. */
    size_t keyed_cap;
};

/* A world that has the columns that are state alone, and no back ends and no pairs. */
struct bs_snapshot {
    bs_world world;
};

static inline bs_backend *bs_part_of(const bs_world *w, uint32_t box) {
    assert(box < w->ids.used && (w->flags[box] & BS_ALIVE) != 0);
    return w->part[(w->flags[box] & BS_IS_STATIC) != 0 ? BS_STATIC : BS_DYNAMIC];
}

/*
 * At most so many changed boxes are noted; if there are more, all pairs are found anew. For 24
 * moving boxes or 256 static ones that costs about as much as asking for the pairs of one changed
 * box; for 32 moving ones if boxes can only be asked for one by one.
 */
static inline size_t bs_world_most_noted(const bs_world *w) {
    const bs_backend *dynamic = w->part[BS_DYNAMIC];
    size_t share = dynamic->type->query_boxes != NULL ? 24 : 32;
    return dynamic->count / share + w->part[BS_STATIC]->count / 256;
}

/*
 * `touching` and `heard` mention the indices of boxes, which may be removed before their contacts
 * have ended. An index that is mentioned waits: it gets no other box before.
 */
static inline bool bs_world_is_mentioned(const bs_world *w, uint32_t index) {
    return w->mentions != NULL && w->mentions[index] > 0;
}
static inline bool bs_world_is_taken(const bs_world *w, uint32_t index) {
    return (w->flags[index] & BS_ALIVE) != 0 || bs_world_is_mentioned(w, index);
}
/* The id of a box, or of a removed one whose index waits; 0 if there is none. */
static inline bs_id bs_world_id_at(const bs_world *w, uint32_t index) {
    return index < w->ids.used && bs_world_is_taken(w, index) ? bs_ids_id(&w->ids, index) : 0;
}
/* A pair is in one more contact that has been reported, or in one less. */
void bs_world_mention(bs_world *w, bs_pair pair);
void bs_world_unmention(bs_world *w, bs_pair pair);

/* Notes that the box, or the next box at its index, may make other pairs than before. */
void bs_world_note_change(bs_world *w, uint32_t box);
static inline bool bs_world_sleeps(const bs_world *w, uint32_t box) {
    return w->sleepers > 0 && box < w->rest_cap && w->rest[box].asleep;
}
/* Wakes a box. */
static inline void bs_world_rouse(bs_world *w, uint32_t box) {
    if (bs_world_sleeps(w, box)) {
        w->rest[box].asleep = false;
        w->sleepers--;
    }
}
/* Of a call that is taken back: what it has woken sleeps on, and it has stirred no place. */
void bs_world_unstir(bs_world *w);
/* Counts the boxes that sleep, after they were read. */
void bs_world_count_sleepers(bs_world *w);
/* The next step wakes what sleeps beside a place. */
void bs_world_stir_at(bs_world *w, const bs_rect *place);
/* More places than boxes stand for all. In a call that is taken back they are forgotten again. */
static inline bool bs_world_all_stirred(const bs_world *w) {
    return w->stirred.n > w->state.count;
}
/* A box that may be asleep, or what is beside it, has changed; BS_NO_BOX: all has. */
void bs_world_note_stir(bs_world *w, uint32_t box);
static inline void bs_world_stir(bs_world *w, uint32_t box) {
    if (w->sleepers > 0) {
        bs_world_note_stir(w, box);
    }
}
static inline void bs_world_touch(bs_world *w, uint32_t box) {
    bs_world_stir(w, box);
    if (!w->all_changed) {
        bs_world_note_change(w, box);
    }
}

/*
 * Forgets pairs and changes of boxes whose index is not below `used`. All boxes that were there
 * must have changed (bs_world_touch).
 */
void bs_world_forget_beyond(bs_world *w, uint32_t used);

/*
 * A number for each box, in the order of insertion. It is the order of the indices, too, as long as
 * no index was used again.
 */
static inline uint64_t bs_world_order(const bs_world *w, uint32_t box) {
    assert(box < w->ids.used);
    return w->state.recycled ? w->born[box] : box;
}

/* Whether box a was inserted before box b. */
static inline bool bs_world_before(const bs_world *w, uint32_t a, uint32_t b) {
    return bs_world_order(w, a) < bs_world_order(w, b);
}

/* All boxes have lower indices. */
static inline uint32_t bs_world_span(const bs_world *w) {
    assert(w->state.count == 0 || w->state.last < w->ids.used);
    return w->state.count > 0 ? w->state.last + 1 : 0;
}

/*
 * Called about once a frame, before lists are filled. Each 256th call frees scratch lists, and
 * lists of pairs, whose room is over eight times that for all boxes and pairs. If such a list is
 * needed again, it grows again: 255 calls have paid for that.
 */
void bs_world_shed(bs_world *w);

/* Whether the layers and masks of the two let them make a pair, static or not. */
static inline bool bs_world_layers_meet(const bs_world *w, uint32_t a, uint32_t b) {
    assert(a < w->ids.used && b < w->ids.used && a != b);
    bs_layers la = w->layers[a];
    bs_layers lb = w->layers[b];
    return ((la.mask & lb.layer) != 0) & ((lb.mask & la.layer) != 0);
}

/* Whether the two are a pair when they overlap. */
static inline bool bs_world_makes_pair(const bs_world *w, uint32_t a, uint32_t b) {
    bool moves = (w->flags[a] & w->flags[b] & BS_IS_STATIC) == 0;
    return moves & bs_world_layers_meet(w, a, b);
}

/* The layer of a box, as bits: it has one that only BS_ANY_LAYER has, too. */
static inline uint64_t bs_layer_bits(const bs_world *w, uint32_t box) {
    return w->layers[box].layer | 1ull << 32;
}

static inline bool bs_filter_passes(const bs_world *w, const bs_filter *filter, uint32_t box) {
    assert(box < w->ids.used && (w->flags[box] & BS_ALIVE) != 0);
    uint64_t layer = bs_layer_bits(w, box);
    return (layer & filter->mask) != 0 && (layer & filter->also) != 0 && box != filter->ignore &&
           box != filter->self && !bs_list_has(filter->except, box);
}

/* Whether the filter lets the layers of all boxes through. */
static inline bool bs_filter_takes_all_layers(const bs_world *w, const bs_filter *filter) {
    assert(w->state.layered <= w->state.count);
    uint64_t both = filter->mask & filter->also; /* No branches, as each query asks this. */
    return (both == BS_ANY_LAYER) | ((w->state.layered == 0) & ((both & 1) != 0));
}

/*
 * Finds all boxes that overlap r, of both parts, in no particular order. `self`, the box that asks,
 * may be among them or not, so that a part that holds only this box is not asked.
 */
bool bs_world_find_in(bs_world *w, const bs_rect *r, uint32_t self, bs_list *out);
/* The same, or all boxes if the rect is too large for a query; by insertion, if `sorted`. */
bool bs_find_around(bs_world *w, const bs_rect *rect, uint32_t self, bool sorted, bs_list *out);

/*
 * Room for sorting n items, and as much scratch behind them. It belongs to the caller until another
 * function of the world sorts.
 */
static inline bs_keyed *bs_world_keyed(bs_world *w, size_t n) {
    bool done = bs_array_reserve(&w->heap, &w->keyed, &w->keyed_cap, 2 * n + 1, sizeof *w->keyed);
    return done ? w->keyed : NULL;
}

/* Puts a list into the order of keys; those of one key keep theirs. False: no memory. */
BS_HOT bool bs_world_sort_by(bs_world *w, bs_list *list, uint64_t (*key)(const void *, uint32_t),
                             const void *context) {
    bs_keyed *keyed = bs_world_keyed(w, list->n);
    if (keyed == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->n; i++) {
        keyed[i] = (bs_keyed){key(context, list->at[i]), list->at[i]};
    }
    bs_sort(keyed, keyed + list->n, list->n);
    for (size_t i = 0; i < list->n; i++) {
        list->at[i] = (uint32_t)keyed[i].value;
    }
    return true;
}

/* Puts a list into the order of insertion. */
bool bs_world_sort(bs_world *w, bs_list *list);

/*
 * Before each query everything must be in order. Builds with BS_CHECKS make sure of that, by
 * spec/core/checkers/world.c.
 */
#ifdef BS_CHECKS
void bs_world_examine(bs_world *w);
#else
static inline void bs_world_examine(bs_world *w) {
    (void)w;
}
#endif

/* The flags that any of these boxes has. */
static inline unsigned bs_any_flags(const bs_world *w, const uint32_t *boxes, size_t n) {
    const uint8_t *flags = w->flags;
    unsigned any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= flags[boxes[i]];
    }
    return any;
}

/* Keeps the boxes of a list for which a condition holds, in which `box` is the name of each. */
#define BS_KEEP(list, box, condition)                                                              \
    do {                                                                                           \
        size_t kept = 0;                                                                           \
        for (size_t at = 0; at < (list)->n; at++) {                                                \
            const uint32_t box = (list)->at[at];                                                   \
            (list)->at[kept] = box;                                                                \
            kept += (condition);                                                                   \
        }                                                                                          \
        (list)->n = kept;                                                                          \
    } while (0)

/* --- casts (world_cast.c, seam_cast.c) ------------------------------------------------------ */

/* Puts hits in order, each box once; it reserves as much room again. */
bool bs_hits_sort(bs_world *w, bs_hits *hits);
/* Sets `ahead` of hits in order. */
void bs_hits_note_sides(const bs_world *w, bs_hits *hits);
/* As bs_world_cast_all, for a point that grazes boxes or meets corners: what it meets by then. */
bs_status bs_seams_cast(bs_world *w, const bs_way *way, const bs_filter *filter, double until,
                        bs_hits *out);

/* --- what listeners remember (heard.c) ------------------------------------------------------- */

/* Whether listener a comes before b in `heard`. */
static inline bool bs_listener_before(bs_listener a, bs_listener b) {
    return a.who < b.who || (a.who == b.who && a.mask < b.mask);
}
/* The range of `heard` that a listener remembers: its first item; *n is their number. */
size_t bs_heard_by(const bs_world *w, bs_listener listener, size_t *n);
/* A listener remembers what it has been told. */
void bs_heard_note(bs_world *w, bs_listener listener);
/* The listeners of a box have ended. */
void bs_heard_forget(bs_world *w, bs_id box);

/* --- columns (columns.c) -------------------------------------------------------------------- */

/* Places in the table of columns: first those that are made when a box first needs them. */
typedef enum bs_named_column {
    BS_MOTION,
    BS_OBJECT,
    BS_CONDUCT,
    BS_REST,
    BS_SHAPE,
    BS_MENTIONS,
    BS_ALWAYS_MADE,                 /* The others begin here. */
    BS_STIRRED = BS_ALWAYS_MADE + 6 /* The first of the lists. */
} bs_named_column;

/* Makes a column, unless it is there, with the usual element for each box. */
bool bs_column_make(bs_world *w, bs_named_column which);
/* Makes room for bs_world_reserve_room, if there is not enough. */
bool bs_columns_grow(bs_world *w, size_t need);
/* Makes room for boxes whose indices are below `need`. */
static inline bool bs_world_reserve_room(bs_world *w, size_t need) {
    return need <= w->room || bs_columns_grow(w, need);
}

/* Makes room for the state of another world. */
bool bs_state_reserve(bs_world *to, const bs_world *from);
/* Copies all that snapshots hold, except rects and flags. There must be room. */
void bs_state_copy(bs_world *to, const bs_world *from);
/* Shrinks lists with room for more than `most` elements to those that count. */
void bs_lists_cut(bs_world *w, size_t most);
void bs_columns_cut(bs_world *w);
void bs_columns_free(bs_world *w);

bool bs_layers_are_default(bs_layers layers);
/* Whether velocity and acceleration are 0. */
bool bs_props_rest(const bs_props *props);
bs_props bs_props_of(const bs_world *w, uint32_t box);
/* Makes the columns that a box with these properties needs. */
bool bs_props_reserve(bs_world *w, const bs_props *props);
/* An index without a box gets one, behind all others in the order of insertion. */
void bs_box_put(bs_world *w, uint32_t index, const bs_props *props);

extern const bs_conduct bs_usual_conduct; /* That of a new box. */
/* The properties that are not as usual: bits by their numbers. */
unsigned bs_conduct_unusual(const bs_conduct *conduct);
/* Whether a value is as its kind says, and whether all are. */
bool bs_property_is_valid(bs_property_kind kind, const void *value);
bool bs_conduct_is_valid(const bs_conduct *conduct);
/* Sets the conduct; there must be room. */
/* Slows a velocity down by drag, and cuts it to max_speed: by its length, or axis by axis. */
void bs_conduct_brake(const bs_conduct *c, double dt, double velocity[DIM]);
void bs_conduct_put(bs_world *w, uint32_t box, const bs_conduct *conduct);

/* --- shapes (box_shape.c) --------------------------------------------------------------------- */

static inline bool bs_has_shape(const bs_world *w, uint32_t box) {
    return (w->flags[box] & BS_HAS_SHAPE) != 0;
}

static inline bool bs_any_has_shape(const bs_world *w, const bs_list *boxes) {
    return (bs_any_flags(w, boxes->at, boxes->n) & BS_HAS_SHAPE) != 0;
}

/* Whether neither of the two has a shape, so that they overlap and meet exactly. */
static inline bool bs_are_boxes(const bs_world *w, uint32_t a, uint32_t b) {
    return ((w->flags[a] | w->flags[b]) & BS_HAS_SHAPE) == 0;
}

/* A copy that the world keeps. */
bs_kept_shape *bs_shape_keep(bs_world *w, const bs_shape *shape);
/* Makes that copy, which is NULL for a box, and its column. */
bool bs_shape_make(bs_world *w, const bs_shape *shape, bs_kept_shape **kept);
/* Gives a box without a shape this one; NULL changes nothing. */
void bs_shape_put(bs_world *w, uint32_t box, bs_kept_shape *kept);
/* `to` lets go of its shapes, and holds those of `from`: their columns are about to be copied. */
void bs_shapes_share(bs_world *to, const bs_world *from);
/* The shape that a transform begins with. */
void bs_object_shape(const bs_world *w, uint32_t box, bs_shape *out);
/* Sets the shape that a transform has made. */
bs_status bs_shape_put_transformed(bs_world *w, uint32_t box, const bs_shape *shape);
/* Removes the box's own shape. */
void bs_shape_drop(bs_world *w, uint32_t box);
void bs_shapes_free(bs_world *w);

/* Whether the shapes of the two overlap, as their rects do. */
bool bs_shapes_of_pair_overlap(const bs_world *w, uint32_t a, uint32_t b);
/* Whether the shape overlaps the box, as its rect does. */
bool bs_shape_overlaps_box(const bs_world *w, const bs_shape *shape, uint32_t box);
/* Whether the two overlap if they are at these places. */
bool bs_overlap_at(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                   const bs_rect *at_b);
/* Whether a box would overlap the other one from there. */
static inline bool bs_would_overlap(const bs_world *w, uint32_t box, const bs_rect *at,
                                    uint32_t other) {
    return bs_overlap_at(w, box, at, other, &w->rect[other]);
}
/* The shortest push that separates a from b there, and its length; 0 if they do not overlap. */
double bs_push_out_of(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                      const bs_rect *at_b, double push[DIM]);
/* The same as a unit normal, which points from b to a. */
double bs_normal_out_of(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                        const bs_rect *at_b, double normal[DIM]);
/* When and how a, moving like this from there, first meets b: see bs_shapes_meet. */
bool bs_meet_at(const bs_world *w, uint32_t a, const bs_rect *at_a, const double motion[DIM],
                uint32_t b, const bs_rect *at_b, bs_touch *touch);
/* The place at which they touch there: see bs_shapes_contact_place. */
void bs_contact_place_at(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                         const bs_rect *at_b, const double normal[DIM], double place[DIM]);
/* How far apart they are there along a normal: see bs_shapes_gap. */
double bs_gap_at(const bs_world *w, uint32_t a, const bs_rect *at_a, uint32_t b,
                 const bs_rect *at_b, const double normal[DIM]);

#pragma GCC visibility pop

#endif
