/*
 * columns.c: the arrays of a world. Each is named once, in the table below. What grows them, copies
 * their state, makes them smaller and frees them walks over that table.
 */
#include "world_parts.h"

#include <string.h>

typedef enum kind {
    OF_BOXES,   /* It is by index, up to the last box. */
    OF_INDICES, /* It tells which ids have been given: it is by index, also where no box is. */
    A_LIST,     /* It has as many elements as its `n` says. */
    A_SCRATCH   /* Nothing in it counts between two calls. */
} kind;

typedef struct column {
    size_t at, cap, n; /* Where these are in a world. The others than lists have no `n`. */
    size_t size;       /* The size of an element. */
    kind kind;
    bool is_state;     /* Snapshots have it. */
    const void *usual; /* What a new element is. NULL: whoever needs it sets it. */
} column;

#define SIZE(array) sizeof(((bs_world *)0)->array[0])
#define ARRAY(name, kind, ...)                                                                     \
    { offsetof(bs_world, name), offsetof(bs_world, name##_cap), 0, SIZE(name), kind, __VA_ARGS__ }
#define LIST(name, kind, is_state)                                                                 \
    {                                                                                              \
        offsetof(bs_world, name.at), offsetof(bs_world, name.cap), offsetof(bs_world, name.n),     \
            SIZE(name.at), kind, is_state, NULL                                                    \
    }

static const bs_motion at_rest = {{0}, {0}};
static const bs_shape_slot no_shape = {NULL, NULL};

/*
 * Columns by index come first. Ids, rects and flags are state, too, but who takes them has more to do:
 * see snapshot.c.
 */
static const column columns[] = {
    [BS_MOTION] = ARRAY(motion, OF_BOXES, true, &at_rest),
    [BS_OBJECT] = ARRAY(object, OF_BOXES, true, NULL),
    [BS_CONDUCT] = ARRAY(conduct, OF_BOXES, true, &bs_usual_conduct),
    [BS_SHAPE] = ARRAY(shape, OF_BOXES, true, &no_shape),
    [BS_ALWAYS_MADE] = ARRAY(rect, OF_BOXES, false, NULL),
    ARRAY(layers, OF_BOXES, true, NULL),
    ARRAY(born, OF_BOXES, true, NULL),
    ARRAY(ids.generation, OF_INDICES, false, NULL),
    ARRAY(ids.free, OF_INDICES, false, NULL),
    ARRAY(flags, OF_INDICES, false, NULL),
    LIST(touching, A_LIST, true),
    LIST(step_hits, A_LIST, true),
    LIST(pairs, A_LIST, false),
    LIST(changed, A_LIST, false),
    {offsetof(bs_world, before), offsetof(bs_world, before_cap), offsetof(bs_world, befores),
     SIZE(before), A_LIST, false, NULL},
    LIST(touched, A_SCRATCH, false),
    LIST(step_found, A_SCRATCH, false),
    LIST(partners, A_SCRATCH, false),
    LIST(differing, A_SCRATCH, false),
    LIST(stepping, A_SCRATCH, false),
    LIST(within, A_SCRATCH, false),
    LIST(left, A_SCRATCH, false),
    ARRAY(keyed, A_SCRATCH, false, NULL),
    ARRAY(turn, A_SCRATCH, false, NULL),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void *field(bs_world *w, size_t offset) {
    return (char *)w + offset;
}

static size_t *cap_of(bs_world *w, const column *c) {
    return field(w, c->cap);
}

static void *elements(bs_world *w, const column *c) {
    void *at;
    memcpy(&at, field(w, c->at), sizeof at);
    return at;
}

/* The number of its elements that count. */
static size_t in_use(bs_world *w, const column *c) {
    switch (c->kind) {
    case OF_BOXES:
        return bs_world_span(w);
    case OF_INDICES:
        return w->ids.used;
    case A_LIST:
        return *(size_t *)field(w, c->n);
    default:
        return 0;
    }
}

/* --- growing -------------------------------------------------------------------------------- */

static bool reserve(bs_world *w, const column *c, size_t need) {
    return bs_array_reserve(&w->heap, field(w, c->at), cap_of(w, c), need, c->size);
}

/* Fills a column with usual elements. */
static void fill(bs_world *w, const column *c, size_t from, size_t end) {
    for (size_t i = from; c->usual != NULL && i < end; i++) {
        memcpy((char *)elements(w, c) + i * c->size, c->usual, c->size);
    }
}

static bool grow(bs_world *w, const column *c, size_t need) {
    size_t before = *cap_of(w, c);
    bool done = reserve(w, c, need);
    fill(w, c, before, *cap_of(w, c));
    return done;
}

static bool is_made(bs_world *w, const column *c) {
    return c >= columns + BS_ALWAYS_MADE || *cap_of(w, c) > 0;
}

bool bs_columns_grow(bs_world *w, size_t need) {
    bool done = true;
    w->room = SIZE_MAX;
    for (const column *c = columns; c->kind <= OF_INDICES; c++) {
        if (is_made(w, c)) {
            done = done && grow(w, c, need);
            w->room = *cap_of(w, c) < w->room ? *cap_of(w, c) : w->room;
        }
    }
    w->boxes =
        (bs_boxes){w->rect, w->rect_cap}; /* It may have moved, even if another cannot grow. */
    return done;
}

bool bs_column_make(bs_world *w, bs_lazy_column which) {
    const column *c = &columns[which];
    return *cap_of(w, c) > 0 || grow(w, c, w->room);
}

/* --- state ---------------------------------------------------------------------------------- */

bool bs_state_reserve(bs_world *to, const bs_world *of) {
    bs_world copy = *of; /* What walks over columns may write to their world. */
    bs_world *from = &copy;
    bool done = bs_world_reserve_room(to, from->ids.used);
    for (const column *c = columns; done && c < columns + COLUMNS; c++) {
        if (c->is_state && c->kind == A_LIST) {
            done = reserve(to, c, in_use(from, c));
        } else if (c->is_state && *cap_of(from, c) > 0) {
            done = is_made(to, c) || grow(to, c, to->room);
        }
    }
    return done;
}

/*
 * What `from` does not have is as usual in `to`. Behind all indices it is so already; there may be
 * more of these than there is room for, as a trim leaves room for boxes alone.
 */
static void copy_column(bs_world *to, bs_world *from, const column *c) {
    size_t n = *cap_of(from, c) > 0 ? in_use(from, c) : 0;
    if (n > 0) {
        memcpy(elements(to, c), elements(from, c), n * c->size);
    }
    if (c->kind == A_LIST) {
        *(size_t *)field(to, c->n) = n;
    }
    fill(to, c, n, to->ids.used < *cap_of(to, c) ? to->ids.used : *cap_of(to, c));
}

void bs_state_copy(bs_world *to, const bs_world *from) {
    bs_world copy = *from;
    bs_shapes_share(to, from);
    for (const column *c = columns; c < columns + COLUMNS; c++) {
        if (c->is_state) {
            copy_column(to, &copy, c);
        }
    }
    bs_ids_copy(&to->ids, &from->ids);
    to->count = from->count;
    to->last = from->last;
    to->layered = from->layered;
    to->responders = from->responders;
    to->shaped = from->shaped;
    to->recycled = from->recycled;
    to->any = from->any;
    to->births = from->births;
    memcpy(to->gravity, from->gravity, sizeof to->gravity);
}

/* --- giving back ---------------------------------------------------------------------------- */

static void cut(bs_world *w, const column *c) {
    bs_array_trim(&w->heap, field(w, c->at), cap_of(w, c), in_use(w, c), c->size);
    if (c->kind == A_SCRATCH && c->n > 0) {
        *(size_t *)field(w, c->n) = 0;
    }
}

void bs_lists_cut(bs_world *w, size_t most) {
    if (w->all_changed) { /* Then the pairs will be found anew. */
        w->pairs.n = 0;
        w->calm = 0;
    }
    for (const column *c = columns; c < columns + COLUMNS; c++) {
        if (c->kind >= A_LIST && *cap_of(w, c) > most) {
            cut(w, c);
        }
    }
}

void bs_columns_cut(bs_world *w) {
    for (const column *c = columns; c->kind <= OF_INDICES; c++) {
        cut(w, c);
    }
    (void)bs_columns_grow(w, 0); /* This finds out how much room is left. */
}

void bs_columns_free(bs_world *w) {
    for (const column *c = columns; c < columns + COLUMNS; c++) {
        bs_array_free(&w->heap, field(w, c->at), cap_of(w, c), c->size);
    }
}
