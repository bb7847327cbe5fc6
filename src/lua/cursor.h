/*
 * cursor.h: cursors, which hold the list that a loop goes through.
 *
 * What the body of a loop does to the world must not disturb the loop. So the loop goes through a
 * copy, which belongs to a userdata: if the loop is broken off, the collector frees it. A method
 * that loops returns the iterator, a closure with the cursor. The store keeps that of the last loop
 * that has ended, and the next loop takes it. So loops make no garbage in a steady frame; loops
 * within loops over the same world make one cursor.
 *
 * A script may keep the iterator after a loop has ended. So the iterator finds nothing in a cursor
 * that is idle, or that a call has taken but not yet opened. A call first takes an empty cursor,
 * then reads its arguments, fills the cursor, and opens it when nothing can raise an error any
 * more. If the call does raise one, the cursor is garbage.
 */
#ifndef BSL_CURSOR_H
#define BSL_CURSOR_H

#include "handles.h"

#pragma GCC visibility push(hidden)

typedef struct bsl_cursor bsl_cursor;

/* A kind of loop. */
typedef struct bsl_loop {
    size_t size; /* of an item, in bytes */
    /*
     * Pushes what the loop returns for an item, and returns the number of values. If it is 0, the
     * item is skipped. At first the stack is empty.
     */
    int (*push)(lua_State *L, const bsl_cursor *cursor, const void *item);
} bsl_loop;

struct bsl_cursor {
    uint64_t magic;
    bsl_ledger *ledger;
    bsl_buffer items;

    const bsl_loop *loop; /* NULL unless the cursor is open */
    bsl_world *world;     /* NULL if the loop needs none */
    bsl_pool *pool;       /* NULL in a loop of a World */
    size_t n;
    size_t at;        /* the next item */
    uint64_t changes; /* the count of the world when the cursor was made */
};

/* The upvalues of an iterator; for a loop's `push` also as stack indices. */
enum {
    BSL_CURSOR = 1,
    BSL_CURSOR_STORE, /* the store that the cursor belongs to */
    BSL_CURSOR_MORE,  /* what else the loop needs, or false */
    BSL_CURSOR_NEXT,  /* the iterator itself */
    BSL_LOOP_STORE = lua_upvalueindex(BSL_CURSOR_STORE),
    BSL_LOOP_MORE = lua_upvalueindex(BSL_CURSOR_MORE)
};

/*
 * Pushes an iterator with an empty cursor: the result of a method that loops. The store of its
 * World or Pool is at `store`. A loop of a Pool passes as `w` the World that it hits, or NULL, and
 * keeps it alive by BSL_CURSOR_MORE before it opens the cursor. May run Lua code, and raises an
 * error if that has closed the World or the Pool.
 */
bsl_cursor *bsl_new_cursor(lua_State *L, int store, bsl_world *w, bsl_pool *pool);

/*
 * Starts the loop over n items, which are in the cursor, as the last step of a call: tells what the
 * Pool or World holds, and returns 1.
 */
int bsl_open_cursor(lua_State *L, bsl_cursor *cursor, const bsl_loop *loop, size_t n);

/* Copies n items into the cursor, and does the same. Raises an error if there is no memory. */
int bsl_open_copy(lua_State *L, bsl_cursor *cursor, const bsl_loop *loop, const void *items,
                  size_t n);

/* Makes the cursor of the iterator at `index`, whose loop has ended, the idle one of the store. */
void bsl_free_cursor(lua_State *L, bsl_cursor *cursor, int store, int index);

/* Drops the idle cursor of the store. */
void bsl_drop_cursor(lua_State *L, int store);

/* Makes room in a cursor that is not open. Raises an error if there is no memory. */
void *bsl_reserve_items(lua_State *L, bsl_cursor *cursor, size_t n, size_t size);

#pragma GCC visibility pop

#endif
