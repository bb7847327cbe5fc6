/*
 * columns.h: the arrays of a world, of a pool, and of snapshots of these (their owner). Each array
 * is named once, in a table of its owner, and what grows, copies, shrinks and frees arrays walks
 * over that table. It relies on heap.h.
 */
#ifndef BS_COLUMNS_H
#define BS_COLUMNS_H

#include "heap.h"

#pragma GCC visibility push(hidden)

typedef struct bs_column {
    size_t at;         /* Where the pointer to it is in its owner ... */
    size_t cap;        /* ... and its room, unless the owner knows that otherwise ... */
    size_t n;          /* ... and the number of its elements, if it is a list. */
    size_t size;       /* The size of an element. */
    int of;            /* What has an element: the owner says what this means. */
    bool is_state;     /* Snapshots have it. */
    const void *usual; /* What a new element is. NULL: whoever needs it sets it. */
} bs_column;

/* The rows of an array beside `name`_cap, of a list, and of a table: what it is made of. */
#define BS_COLUMN_PARTS(owner, pointer, room, count)                                               \
    .at = offsetof(owner, pointer), .cap = offsetof(owner, room), .n = count,                      \
    .size = sizeof(((owner *)0)->pointer[0])
#define BS_ARRAY_COLUMN(owner, name) BS_COLUMN_PARTS(owner, name, name##_cap, 0)
#define BS_LIST_COLUMN(owner, name)                                                                \
    BS_COLUMN_PARTS(owner, name.at, name.cap, offsetof(owner, name.n))
#define BS_TABLE_COLUMN(owner, name)                                                               \
    BS_COLUMN_PARTS(owner, name.at, name.cap, offsetof(owner, name.size))

size_t bs_column_room(const void *owner, const bs_column *c);
/* Makes room; all that is new is as usual. */
bool bs_column_reserve(bs_heap *heap, void *owner, const bs_column *c, size_t need);
/* Elements of this range become as usual. */
void bs_column_fill(void *owner, const bs_column *c, size_t begin, size_t end);
/* Copies n elements from `first` on to `at`. */
void bs_column_copy(void *to, size_t at, const void *from, size_t first, size_t n,
                    const bs_column *c);
/* Frees the room behind the first n elements. */
void bs_column_trim(bs_heap *heap, void *owner, const bs_column *c, size_t n);
void bs_column_free(bs_heap *heap, void *owner, const bs_column *c);
/* The number of elements of a list; 0 for others. */
size_t bs_column_length(const void *owner, const bs_column *c);
/* Frees n arrays. */
void bs_column_free_all(bs_heap *heap, void *owner, const bs_column *columns, size_t n);

#pragma GCC visibility pop

#endif
