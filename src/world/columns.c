/*
 * columns.c: the arrays of a world. Each is named once, in the table below. What grows them, copies
 * their state, makes them smaller and frees them walks over that table.
 */
#include "world_parts.h"

#include <string.h>

/* What has an element of a column. */
enum {
    OF_BOXES,   /* It is by index, up to the last box. */
    OF_TAKEN,   /* It is by index, also where one waits (bs_world_is_mentioned). */
    OF_INDICES, /* It tells which ids have been given: it is by index, also where no box is. */
    A_LIST,     /* It has as many elements as its `n` says. */
    A_SCRATCH   /* Nothing in it counts between two calls. */
};

#define SIZE(array) sizeof(((bs_world *)0)->array[0])
#define ARRAY(name, of, ...)                                                                       \
    { offsetof(bs_world, name), offsetof(bs_world, name##_cap), 0, SIZE(name), of, __VA_ARGS__ }
#define LIST(name, of, is_state)                                                                   \
    {                                                                                              \
        offsetof(bs_world, name.at), offsetof(bs_world, name.cap), offsetof(bs_world, name.n),     \
            SIZE(name.at), of, is_state, NULL                                                      \
    }

static const bs_motion at_rest = {{0}, {0}};
static const bs_rest awake = {0};
static const bs_shape_slot no_shape = {NULL, NULL};
static const uint32_t not_mentioned = 0;
static const uint8_t no_box = 0;

/*
 * Columns by index come first. Ids, rects and flags are state, too, but who takes them has more to
 * do: see snapshot.c.
 */
static const bs_column columns[] = {
    [BS_MOTION] = ARRAY(motion, OF_BOXES, true, &at_rest),
    [BS_OBJECT] = ARRAY(object, OF_BOXES, true, NULL),
    [BS_CONDUCT] = ARRAY(conduct, OF_BOXES, true, &bs_usual_conduct),
    [BS_REST] = ARRAY(rest, OF_BOXES, true, &awake),
    [BS_SHAPE] = ARRAY(shape, OF_BOXES, true, &no_shape),
    [BS_MENTIONS] = ARRAY(mentions, OF_INDICES, true, &not_mentioned),
    [BS_ALWAYS_MADE] = ARRAY(rect, OF_BOXES, false, NULL),
    ARRAY(layers, OF_BOXES, true, NULL),
    ARRAY(born, OF_TAKEN, true, NULL),
    ARRAY(ids.generation, OF_INDICES, false, NULL),
    ARRAY(ids.free, OF_INDICES, false, NULL),
    ARRAY(flags, OF_INDICES, false, &no_box),
    [BS_STIRRED] = LIST(stirred, A_LIST, true),
    LIST(touching, A_LIST, true),
    LIST(heard, A_LIST, true),
    LIST(step_hits, A_LIST, true),
    LIST(presses, A_LIST, true),
    LIST(pairs, A_LIST, false),
    LIST(changed, A_LIST, false),
    {offsetof(bs_world, before), offsetof(bs_world, before_cap), offsetof(bs_world, befores),
     SIZE(before), A_LIST, false, NULL},
    LIST(within, A_LIST, false), /* The host may ask for pairs while it is asked. */
    {offsetof(bs_world, left.at), offsetof(bs_world, left.cap), offsetof(bs_world, left.size),
     SIZE(left.at), A_LIST, false, NULL},
    LIST(touched, A_SCRATCH, false),
    LIST(ended, A_SCRATCH, false),
    LIST(meeting, A_SCRATCH, false),
    LIST(listened, A_SCRATCH, false),
    LIST(nearby, A_SCRATCH, false),
    LIST(partners, A_SCRATCH, false),
    LIST(differing, A_SCRATCH, false),
    LIST(seam_hits, A_SCRATCH, false),
    {offsetof(bs_world, beside), offsetof(bs_world, beside_cap), offsetof(bs_world, besides),
     sizeof(bs_beside), A_SCRATCH, false, NULL},
    ARRAY(depth, A_SCRATCH, false, NULL),
    ARRAY(keyed, A_SCRATCH, false, NULL),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static size_t *length(bs_world *w, const bs_column *list) {
    return (size_t *)(void *)((char *)w + list->n);
}

/* The number of its elements that count. */
static size_t in_use(const bs_world *w, const bs_column *c) {
    switch (c->of) {
    case OF_BOXES:
        return bs_world_span(w);
    case OF_TAKEN:
        return w->mentions == NULL ? bs_world_span(w) : w->ids.used;
    case OF_INDICES:
        return w->ids.used;
    case A_LIST:
        return bs_column_length(w, c);
    default:
        return 0;
    }
}

/* --- growing -------------------------------------------------------------------------------- */

static bool is_made(const bs_world *w, const bs_column *c) {
    return c >= columns + BS_ALWAYS_MADE || bs_column_room(w, c) > 0;
}

/* Where boxes can sleep there is room for one change a box, and one more: none is ever refused. */
static bool reserve_stirred(bs_world *w, size_t boxes) {
    return w->rest == NULL || bs_column_reserve(&w->heap, w, &columns[BS_STIRRED], boxes + 1);
}

bool bs_columns_grow(bs_world *w, size_t need) {
    bool done = true;
    w->room = SIZE_MAX;
    for (const bs_column *c = columns; c->of <= OF_INDICES; c++) {
        if (is_made(w, c)) {
            done = done && bs_column_reserve(&w->heap, w, c, need);
            w->room = bs_column_room(w, c) < w->room ? bs_column_room(w, c) : w->room;
        }
    }
    done = done && reserve_stirred(w, need);
    if (w->rest != NULL && w->stirred.cap <= w->room) {
        w->room = w->stirred.cap - 1;
    }
    w->boxes = (bs_boxes){w->rect, w->flags, w->room}; /* Also if one has moved and one failed. */
    return done;
}

bool bs_column_make(bs_world *w, bs_named_column which) {
    const bs_column *c = &columns[which];
    bool is_short = c->of == OF_INDICES && w->ids.used > w->room; /* After a trim. */
    size_t need = is_short ? w->ids.used : w->room;
    return (bs_column_room(w, c) > 0 || bs_column_reserve(&w->heap, w, c, need)) &&
           (which != BS_REST || reserve_stirred(w, w->room));
}

/* --- state ---------------------------------------------------------------------------------- */

bool bs_state_reserve(bs_world *to, const bs_world *from) {
    bool done = bs_world_reserve_room(to, from->ids.used);
    for (const bs_column *c = columns; done && c < columns + COLUMNS; c++) {
        if (c->is_state && c->of == A_LIST) {
            done = bs_column_reserve(&to->heap, to, c, in_use(from, c));
        } else if (c->is_state && is_made(from, c) && !is_made(to, c)) {
            done = bs_column_reserve(&to->heap, to, c, to->room);
        }
    }
    return done && reserve_stirred(to, to->room);
}

/*
 * What `from` does not have is as usual in `to`. Behind all indices it is so already; there may be
 * more of these than there is room for, as a trim leaves room for boxes alone.
 */
static void copy_column(bs_world *to, const bs_world *from, const bs_column *c) {
    size_t n = in_use(from, c);
    n = n < bs_column_room(from, c) ? n : bs_column_room(from, c);
    size_t room = bs_column_room(to, c);
    bs_column_copy(to, 0, from, 0, n, c);
    bs_column_fill(to, c, n, to->ids.used < room ? to->ids.used : room);
    if (c->of == A_LIST) {
        *length(to, c) = n;
    }
}

void bs_state_copy(bs_world *to, const bs_world *from) {
    bs_shapes_share(to, from);
    for (const bs_column *c = columns; c < columns + COLUMNS; c++) {
        if (c->is_state) {
            copy_column(to, from, c);
        }
    }
    bs_ids_copy(&to->ids, &from->ids);
    to->state = from->state;
}

/* --- giving back ---------------------------------------------------------------------------- */

static void cut(bs_world *w, const bs_column *c) {
    bs_column_trim(&w->heap, w, c, in_use(w, c));
    if (c->of == A_SCRATCH && c->n > 0) {
        *length(w, c) = 0;
    }
}

void bs_lists_cut(bs_world *w, size_t most) {
    if (w->all_changed) { /* Then the pairs will be found anew. */
        w->pairs.n = 0;
        w->calm = 0;
    }
    for (const bs_column *c = columns; c < columns + COLUMNS; c++) {
        if (c->of >= A_LIST && c != &columns[BS_STIRRED] && bs_column_room(w, c) > most) {
            cut(w, c);
        }
    }
}

void bs_columns_cut(bs_world *w) {
    for (const bs_column *c = columns; c->of <= OF_INDICES; c++) {
        cut(w, c);
    }
    size_t boxes = bs_world_span(w);
    size_t stirred = w->stirred.n > boxes ? w->stirred.n : boxes;
    bs_column_trim(&w->heap, w, &columns[BS_STIRRED], stirred + 1);
    (void)bs_columns_grow(w, 0); /* This finds out how much room is left. */
}

void bs_columns_free(bs_world *w) {
    bs_column_free_all(&w->heap, w, columns, COLUMNS);
}
