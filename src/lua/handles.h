/*
 * handles.h: what Lua holds of us: World, Box, Backend and Cursor userdata.
 *
 *      World ---store--> table of its Boxes, of its boxes' data, and of what else it needs
 *      Box, Cursor ---store--> the same table, and through it their World
 *      Backend --------------> a table that refers weakly to the World it belongs to
 *
 * The store is each userdata's user value. It is what keeps a World alive as long as one of its
 * Boxes is in use, so the pointers below never dangle. A World is closed when its core is NULL:
 * before it is complete, and after its finaliser, which may run before that of an object that still
 * asks.
 *
 * A check is by the block's length and a magic word: less than half the cost of comparing
 * metatables, and other metatables (debug.setmetatable) do not mislead it. 2D and 3D differ in the
 * word, but for Backends, which are made before the number of axes is known.
 */
#ifndef BSL_HANDLES_H
#define BSL_HANDLES_H

#include "args.h"

#pragma GCC visibility push(hidden)

#define BSL_WORLD_MAGIC (0xb50ad51de3a70c00u + DIM)
#define BSL_BOX_MAGIC (0xb50ad51de3a70c10u + DIM)
#define BSL_CURSOR_MAGIC (0xb50ad51de3a70c20u + DIM)
#define BSL_BACKEND_MAGIC 0xb50ad51de3a70c30u
#define BSL_LEDGER_MAGIC 0xb50ad51de3a70c40u

/* Keys of a store besides those of Boxes, which are box index + 1. */
enum {
    BSL_STORE_WORLD = -1,    /* the World userdata */
    BSL_STORE_BACKEND = -2,  /* the attached Backend userdata */
    BSL_STORE_DATA = -3,     /* table: box index + 1 -> data */
    BSL_STORE_BOX_META = -4, /* metatables */
    BSL_STORE_CURSOR_META = -5,
    BSL_STORE_PROTECTED = -6, /* functions, so that calls need not make closures in Lua 5.1 */
    BSL_STORE_NEXT_BOX = -7,
    BSL_STORE_NEXT_PAIR = -8,
    BSL_STORE_NEXT_CONTACT = -9,
    BSL_STORE_GONE = -10,   /* see lua_world_contacts.c */
    BSL_STORE_SHAPE = -12,  /* and downwards: the names of bs_shape_kind */
    BSL_STORE_PHASE = -16,  /* and downwards: the names of bs_phase */
    BSL_STORE_LEDGER = -19, /* see memory.h */
    BSL_STORE_IDLE = -23,   /* and upwards, to -20: cursors, see bsl_take_idle */
    BSL_STORE_NEXT_HIT = -24,
    BSL_STORE_NAMES = -25 /* table: those of bs_response, then those of bsl_field (rows.h) */
};

enum { BSL_IDLE = 4 }; /* as many loops may be nested without making garbage */

typedef enum bsl_results { BSL_RESULTS_BOX, BSL_RESULTS_ID, BSL_RESULTS_DATA } bsl_results;

typedef struct bsl_world bsl_world;

/* What the collector has been told of all worlds and pools of a Lua state, in 2D and 3D. */
typedef struct bsl_ledger {
    uint64_t magic;
    size_t held;       /* bytes that they hold now */
    size_t owed;       /* bytes of growth since the last cycle that is known of */
    size_t limit;      /* as many are owed a cycle */
    int kilobytes;     /* that it is being told of */
    bool generational; /* the collector's mode, as far as it could be seen */
    bool closed;       /* the state is being closed */
} bsl_ledger;

/* What one World or Pool holds, and has told of that (memory.h). */
typedef struct bsl_account {
    bsl_ledger *ledger;
    size_t told;   /* bytes of the core that the ledger counts */
    size_t untold; /* bytes of cursors or volleys that the collector does not know of yet */
} bsl_account;

/* What runs protected: see bsl_protect. */
typedef void (*bsl_body)(lua_State *L, bsl_world *w, void *context);

struct bsl_world {
    uint64_t magic;
    bs_world *core; /* NULL: closed */
    bsl_results results;
    uint32_t busy;     /* filter functions that are running: changes are refused */
    uint64_t calls;    /* of any method so far: tells whether scratch lists are still one's own */
    uint64_t removals; /* boxes removed so far: cursors made before look before they hand out */
    uint32_t stored;   /* the store and the data have no keys above */

    /* Scratch lists, on the core's heap; valid until the next call or anything that may run Lua. */
    bs_list list;
    bs_hits hits;
    bs_shapes shapes;
    bs_contacts contacts;
    bs_rect *rects;
    size_t rects_cap;

    /* Contacts: whose Boxes must be remembered when they are removed (a bit per index). */
    uint8_t *touched;
    size_t touched_cap;
    size_t touching; /* pairs at the last call */
    bool has_gone;   /* a Box was remembered since */

    bsl_account account;

    /* The protected call that is about to start. */
    bsl_body body;
    void *context;
    bool paused; /* the collector, until it has started */
};

typedef struct bsl_box {
    uint64_t magic;
    bsl_world *world;
    bs_id id;
} bsl_box;

/* The figures of a back end in use, gathered by the module (2D or 3D) that its world belongs to. */
typedef struct bsl_figures {
    bs_stats dynamic_part;
    bs_stats static_part;
    size_t memory;
} bsl_figures;

/* The same layout in 2D and 3D. */
typedef struct bsl_backend {
    uint64_t magic;
    char name[8];
    bs_settings settings;
    void (*gather)(lua_State *L, int world, bsl_figures *out); /* of the World it belongs to */
} bsl_backend;

/* A list of ids that outlives calls: what a loop goes through, or a filter function is asked. */
typedef struct bsl_cursor {
    uint64_t magic;
    bsl_world *world;
    bs_heap heap; /* its own: the world's may be gone first */
    bs_id *ids;
    size_t cap;
    size_t n;
    size_t at;         /* the next one */
    uint64_t removals; /* the world's, when the list was made */
    int loop;          /* the store's key of the iterator that it was made for, or 0 */
    bool is_free;      /* finished, and in the store */
    bool has_gone;     /* its user value is a table of lua_world_contacts.c, not the store */
} bsl_cursor;

/* --- checks --------------------------------------------------------------------------------- */

/*
 * NULL: not a userdata of that size. lua_touserdata comes first: lengths of numbers have effects.
 */
static inline void *bsl_block(lua_State *L, int index, size_t size) {
    void *block = lua_touserdata(L, index);
    return block != NULL && bsl_length(L, index) == size ? block : NULL;
}

static inline bsl_world *bsl_to_world(lua_State *L, int index) {
    bsl_world *w = bsl_block(L, index, sizeof *w);
    return w != NULL && w->magic == BSL_WORLD_MAGIC ? w : NULL;
}

static inline bsl_box *bsl_to_box(lua_State *L, int index) {
    bsl_box *box = bsl_block(L, index, sizeof *box);
    return box != NULL && box->magic == BSL_BOX_MAGIC ? box : NULL;
}

static inline bsl_cursor *bsl_to_cursor(lua_State *L, int index) {
    bsl_cursor *cursor = bsl_block(L, index, sizeof *cursor);
    return cursor != NULL && cursor->magic == BSL_CURSOR_MAGIC ? cursor : NULL;
}

static inline bsl_backend *bsl_to_backend(lua_State *L, int index) {
    bsl_backend *backend = bsl_block(L, index, sizeof *backend);
    return backend != NULL && backend->magic == BSL_BACKEND_MAGIC ? backend : NULL;
}

_Noreturn void bsl_closed(lua_State *L);
_Noreturn void bsl_busy(lua_State *L);

/* For use after anything that can run Lua code. */
static inline void bsl_check_open(lua_State *L, const bsl_world *w) {
    if (w->core == NULL) {
        bsl_closed(L);
    }
}

static inline void bsl_check_not_busy(lua_State *L, const bsl_world *w) {
    if (w->busy > 0) {
        bsl_busy(L);
    }
}

/* self of a World's method that changes nothing. */
static inline bsl_world *bsl_self_world(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    if (w == NULL) {
        bsl_not_self(L, "World");
    }
    bsl_check_open(L, w);
    w->calls++;
    return w;
}

/* self of a World's method that changes something. */
static inline bsl_world *bsl_self_free_world(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_check_not_busy(L, w);
    return w;
}

static inline uint32_t bsl_index_of(bs_id id) {
    return (uint32_t)(id & ((1u << BS_INDEX_BITS) - 1));
}

/* True if the id is that of a box which is there. */
static inline bool bsl_is_live(const bsl_world *w, bs_id id) {
    uint32_t index;
    return bs_world_find(w->core, id, &index) == BS_FOUND;
}

/* self of a Box's method: its index, and its world. */
static inline uint32_t bsl_self_box(lua_State *L, bsl_world **w) {
    bsl_box *box = bsl_to_box(L, 1);
    if (box == NULL) {
        bsl_not_self(L, "Box");
    }
    *w = box->world;
    bsl_check_open(L, *w);
    (*w)->calls++;
    if (!bsl_is_live(*w, box->id)) {
        bsl_bad_self(L, "box was removed");
    }
    return bsl_index_of(box->id);
}

static inline uint32_t bsl_self_box_to_change(lua_State *L, bsl_world **w) {
    uint32_t index = bsl_self_box(L, w);
    bsl_check_not_busy(L, *w);
    return index;
}

/* "no box has the id 5"; `what`: of what it would be. */
_Noreturn void bsl_bad_id(lua_State *L, bsl_place place, const char *what, int64_t id);

/*
 * The index of the box (a Box or an id) at stack index `value`: item number `item` of the table at
 * `arg`; 0: the argument itself.
 */
uint32_t bsl_box_at(lua_State *L, const bsl_world *w, int arg, size_t item, int value);

static inline uint32_t bsl_check_box(lua_State *L, const bsl_world *w, int arg) {
    return bsl_box_at(L, w, arg, 0, arg);
}

/* The boxes in the table at `arg`, into w->list. */
void bsl_check_boxes(lua_State *L, bsl_world *w, int arg);

/* Whether the world has the box at `arg`; an error if that is neither Box nor integer. */
bool bsl_has_box(lua_State *L, const bsl_world *w, int arg);

/* --- stores --------------------------------------------------------------------------------- */

/*
 * Pushes the store of the World, Box, Cursor, Pool or Emitter at `index`, or the table of a Volley;
 * returns its own stack index.
 */
int bsl_push_store(lua_State *L, int index);

/* Pushes a table that the store holds: a metatable, a store. */
void bsl_push_table(lua_State *L, int store, int key);

/* Keeps a function in the store. */
void bsl_keep_function(lua_State *L, int store, int key, lua_CFunction function);

/* Pushes the table of data; returns its stack index. */
int bsl_push_data(lua_State *L, int store);

/*
 * What loops go through, once they have ended, waits in a store to be used again: at BSL_IDLE keys
 * from `key` on, which are made first, so that setting them takes no memory.
 */
void bsl_make_idle(lua_State *L, int store, int key);

/* Pushes one that waits, which then does so no longer; false, and nothing is pushed: none does. */
bool bsl_take_idle(lua_State *L, int store, int key);

/* The userdata at stack index `index` is to wait; false: enough do. */
bool bsl_leave_idle(lua_State *L, int store, int key, int index);

/*
 * Pushes a new Box. May run Lua code. The caller puts it into the store, which makes it the box's.
 * An id of 0 is to be set later.
 */
bsl_box *bsl_new_box(lua_State *L, bsl_world *w, int store, bs_id id);

/* Pushes the Box of an id: always the same one as long as the box lives. May run Lua code. */
void bsl_push_box(lua_State *L, bsl_world *w, int store, bs_id id);

/*
 * Pushes what the world hands out for a box: for one that was removed its Box, or its id. The world
 * must be open. May run Lua code, which may remove other boxes, or close the world.
 */
void bsl_push_result(lua_State *L, bsl_world *w, int store, bs_id id);

/* Sets the data to the value at the top of the stack, and pops it. Raises only without memory. */
void bsl_set_data(lua_State *L, bsl_world *w, int store, uint32_t index);

/* Pushes the data, or else the Box, of an index, as far as the store has them; false: neither. */
bool bsl_push_stored_result(lua_State *L, const bsl_world *w, int store, uint32_t index);

/* The store's keys of an index are in use from now on. */
static inline void bsl_use_key(bsl_world *w, uint32_t index) {
    w->stored = index + 1 > w->stored ? index + 1 : w->stored;
}

/* --- protected calls ------------------------------------------------------------------------ */

/*
 * Calls body(L, w, context) in a frame of its own, in which the World is at stack index 1 and the n
 * values that are popped here follow it. False: it raised an error, which is at the top of the
 * stack; the caller puts things in order and calls lua_error. No Lua code runs before the body.
 */
bool bsl_protect(lua_State *L, bsl_world *w, int store, bsl_body body, void *context, int n);

/* The function in the store that does it. */
int bsl_protected(lua_State *L);

#pragma GCC visibility pop

#endif
