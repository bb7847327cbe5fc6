/*
 * cursor.h: lists that outlive calls: what a loop goes through.
 *
 * A loop must not be disturbed by what its body does to the world. So it goes through a copy, which
 * a userdata owns: a loop that is broken off leaks nothing, the collector finds it. A finished
 * cursor goes back to the store, so that a steady frame makes no garbage.
 *
 * A script may go on holding the iterator and the cursor of a loop that has ended. So a cursor that
 * waits, or that a call has taken but not yet opened, refers to nothing, and bsl_next finds nothing
 * in it. A call takes an empty one first; reads its arguments; fills it; and opens it when nothing
 * can raise any more. If the call does raise, the cursor is garbage.
 */
#ifndef BSL_CURSOR_H
#define BSL_CURSOR_H

#include "handles.h"

#pragma GCC visibility push(hidden)

extern const luaL_Reg bsl_cursor_methods[];

typedef struct bsl_cursor bsl_cursor;

/* A kind of loop. */
typedef struct bsl_loop {
    size_t size; /* of an item, in bytes */
    /*
     * Pushes what the loop hands out for an item, and returns how many values that are; 0: it is
     * passed over. The cursor is at stack index 1, its table at 2.
     */
    int (*push)(lua_State *L, const bsl_cursor *cursor, const void *item);
} bsl_loop;

struct bsl_cursor {
    uint64_t magic;
    bsl_buffer items;

    /* All 0 in one that is not open. */
    const bsl_loop *loop;
    bsl_world *world; /* NULL: the loop needs none */
    bsl_pool *pool;   /* NULL in a World's loop */
    size_t n;
    size_t at;         /* the next one */
    uint64_t removals; /* the world's, when it was opened */
};

/* Items of the table that is a cursor's user value. */
enum {
    BSL_CURSOR_STORE = 1, /* the store that the cursor belongs to */
    BSL_CURSOR_MORE,      /* whatever else the loop needs, or false */
    BSL_CURSOR_NEXT       /* of one that waits to be used again, the next one that does, or false */
};
enum { BSL_CURSOR_TABLE = 2 }; /* its stack index within a loop's `push` */

/*
 * Pushes the iterator and an empty cursor, the two results of a method that loops, of a World, or
 * of a Pool (w: the World that it hits, or NULL), whose store is at `store`. May run Lua code;
 * raises if that has closed World or Pool.
 */
bsl_cursor *bsl_new_cursor(lua_State *L, int store, const bsl_world *w, const bsl_pool *pool);

/*
 * The loop over its n items may begin. Nothing may raise after that. Whoever needs the World keeps
 * it alive: by the cursor's store, or by BSL_CURSOR_MORE.
 */
void bsl_open_cursor(bsl_cursor *cursor, const bsl_loop *loop, bsl_world *w, bsl_pool *pool,
                     size_t n);

/* Gives the cursor at `index`, which nobody needs any more, back to the store. */
void bsl_free_cursor(lua_State *L, bsl_cursor *cursor, int store, int index);

/* Lets go of the cursors that wait in the store to be used again. */
void bsl_trim_cursors(lua_State *L, int store);

/*
 * Room for n items of that size in a cursor that is not open; `account`: its World's or Pool's.
 * Raises without memory.
 */
void *bsl_reserve_items(lua_State *L, bsl_cursor *cursor, bsl_account *account, size_t n,
                        size_t size);

/* The same, and copies those at `items`. */
void bsl_copy_items(lua_State *L, bsl_cursor *cursor, bsl_account *account, const void *items,
                    size_t n, size_t size);

/* The iterator. */
int bsl_next(lua_State *L);

#pragma GCC visibility pop

#endif
