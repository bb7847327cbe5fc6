/*
 * handles.h: what Lua holds of us: the userdata, and what they refer to.
 *
 *      World ---store--> table of its Boxes, of its boxes' data, and of what else it needs
 *      Pool ---store--> table of the Models that its movers and emitters refer to, and the like
 *      Box, Emitter ---store--> the table of their World or Pool, and through it that itself
 *      Cursor (cursor.h) ---> a table of that table, and of one more thing that a loop needs
 *      Model ---> table of the Models that its emitters fire
 *
 * The store is each userdata's user value. It is what keeps a World alive as long as one of its
 * Boxes is in use, so the pointers below never dangle. A World or Pool is closed when its core is
 * NULL: before it is complete, and after its finaliser, which may run before that of an object that
 * still asks.
 *
 * Every call first makes what it returns (tables, userdata), which may run finalisers; then it
 * reads its arguments; then it calls the core; then it hands out the answer, which runs no Lua
 * code. So hardly anything has to be undone or looked at again.
 */
#ifndef BSL_HANDLES_H
#define BSL_HANDLES_H

#include "args.h"

#include "broadside/pool.h"

#pragma GCC visibility push(hidden)

/*
 * A check is by the block's length and a magic word, less than half the cost of comparing
 * metatables. 2D and 3D differ in the word, but for Backends, which are made before the number of
 * axes is known, and for the ledger of a Lua state.
 */
#define BSL_MAGIC(kind) (0xb50ad51de3a70c00u + 16 * (kind))
#define BSL_WORLD_MAGIC (BSL_MAGIC(0) + DIM)
#define BSL_BOX_MAGIC (BSL_MAGIC(1) + DIM)
#define BSL_CURSOR_MAGIC (BSL_MAGIC(2) + DIM)
#define BSL_BACKEND_MAGIC BSL_MAGIC(3)
#define BSL_LEDGER_MAGIC BSL_MAGIC(4)
#define BSL_POOL_MAGIC (BSL_MAGIC(5) + DIM)
#define BSL_EMITTER_MAGIC (BSL_MAGIC(6) + DIM)
#define BSL_MODEL_MAGIC (BSL_MAGIC(7) + DIM)
#define BSL_SNAPSHOT_MAGIC (BSL_MAGIC(8) + DIM)
#define BSL_POOL_SNAPSHOT_MAGIC (BSL_MAGIC(9) + DIM)

/* Strings that a store has: pushing them from there makes none, and so runs no Lua code. */
typedef enum bsl_name {
    BSL_RESPONSE_NAMES,                                  /* and behind it, by bs_response */
    BSL_PHASE_NAMES = BSL_RESPONSE_NAMES + BS_RESPONSES, /* by bs_phase */
    BSL_PICTURE_NAMES = BSL_PHASE_NAMES + 3,             /* by bs_picture_kind */
    BSL_OTHER = BSL_PICTURE_NAMES + 4,                   /* the fields of rows */
    BSL_RESPONSE,
    BSL_T,
    BSL_X,
    BSL_Y,
    BSL_Z,
    BSL_NX,
    BSL_NY,
    BSL_NZ,
    BSL_OVERLAP,
    BSL_CRUSHED,
    BSL_CARRIED,
    BSL_NAMES
} bsl_name;

extern const char *const bsl_names[BSL_NAMES];

/* Keys of a store. */
enum {
    BSL_SELF = 1,   /* the World or Pool userdata */
    BSL_LEDGER,     /* see memory.h */
    BSL_ITEM_CLASS, /* metatables: of Boxes or Emitters */
    BSL_CURSOR_CLASS,
    BSL_NEXT,   /* the iterator, so that calls need not make closures in Lua 5.1 */
    BSL_IDLE,   /* the first cursor that waits to be used again, see cursor.h, or false */
    BSL_MODELS, /* Pool: table: Model -> true */
    BSL_DATA = BSL_MODELS, /* World: table: box index + 1 -> data */
    BSL_BACKEND,           /* World: the attached Backend userdata */
    BSL_GONE,              /* World: table of removed Boxes, see contact_methods.c */
    BSL_FORMER,            /* World: weak table: id -> Box, see snapshot_methods.c */
    BSL_ANSWERS,           /* World: table of answers, see resolve_methods.c */
    BSL_ROWS,              /* World: rows of one list, see results.c; or false */
    BSL_FIRST_NAME,        /* World: and behind it */
    BSL_BOXES = BSL_FIRST_NAME + BSL_NAMES /* World: and behind it, by index; false: none */
};

typedef enum bsl_results { BSL_RESULTS_BOX, BSL_RESULTS_ID, BSL_RESULTS_DATA } bsl_results;

/* What the collector has been told of all worlds and pools of a Lua state, in 2D and 3D. */
typedef struct bsl_ledger {
    uint64_t magic;
    size_t held;   /* bytes that they hold now */
    size_t owed;   /* bytes of growth since the last cycle that is known of */
    size_t limit;  /* as many are owed a cycle */
    int kilobytes; /* that it is being told of */
    bool closed;   /* the state is being closed */
} bsl_ledger;

/* What one World or Pool holds, and has told of that (memory.h). */
typedef struct bsl_account {
    bsl_ledger *ledger;
    size_t told;   /* bytes of the core that the ledger counts */
    size_t untold; /* bytes of buffers that the collector does not know of yet */
} bsl_account;

/* A block on the host's heap that grows. */
typedef struct bsl_buffer {
    void *at;
    size_t size;
} bsl_buffer;

/* The same layout in 2D and 3D. */
typedef struct bsl_backend {
    uint64_t magic;
    const char *name;
    bs_settings settings;
    const void *world; /* the World that it belongs to, in 2D or 3D, or NULL */
    /* Pushes the table of figures: of the module that the World is of. */
    int (*push_figures)(lua_State *L, const struct bsl_backend *backend);
} bsl_backend;

/* A core, and the scratch lists that are on its heap. */
typedef struct bsl_core {
    bs_world *core;
    bs_list list;
    bs_hits hits;
    bs_pictures pictures;
    bs_contacts contacts;
} bsl_core;

typedef struct bsl_world {
    uint64_t magic;
    bs_world *core;  /* NULL: closed */
    bsl_core *aside; /* its own one, while restore asks for data (snapshot_methods.c); else NULL */
    bsl_backend *backend;
    bsl_results results;
    struct bsl_call *running; /* asks a filter function (filters.h): changes are refused */
    uint64_t changes;         /* so many calls that change something have begun: see ffi.c */
    uint64_t removals; /* boxes removed so far: cursors made before look before they hand out */
    uint32_t stored;   /* the store and the data have nothing of indices from here on */
    uint64_t data;     /* the version of all data of boxes; each change makes a new one */
    uint64_t data_versions; /* so many there have been */
    bool remembers;         /* Boxes are kept in BSL_FORMER when they are removed */
    bsl_account account;

    /* Scratch lists; valid until the next call or anything that may run Lua. */
    bs_list list;
    bs_hits hits;
    bs_pictures pictures;
    bs_contacts contacts;
    bsl_buffer boxes; /* of uint32_t: boxes that an argument names */
    bsl_buffer rects;
    bsl_buffer stages; /* of moveMany, which cannot begin while one asks */

    /* Contacts: whose Boxes must be remembered when they are removed. */
    bsl_buffer touched; /* of uint32_t, by index: how many contacts it had at the last call */
    size_t touching;    /* pairs at the last call */
    size_t gone;        /* boxes removed since that are remembered */
} bsl_world;

typedef struct bsl_box {
    uint64_t magic;
    bsl_world *world;
    bs_id id; /* 0: not yet inserted */
} bsl_box;

/* The box that a Box's method is called on. */
typedef struct bsl_self {
    bsl_world *w;
    bs_world *core;
    uint32_t box;
} bsl_self;

typedef struct bsl_pool {
    uint64_t magic;
    bs_pool *core;      /* NULL: closed */
    uint32_t busy;      /* calls that ask a filter function: changes are refused */
    bool shares_models; /* Snapshots may have its table of Models, too */
    bsl_account account;
    bs_heap heap;
    bs_pool_hits hits; /* a scratch list, on that heap */
} bsl_pool;

typedef struct bsl_emitter {
    uint64_t magic;
    bsl_pool *pool;
    uint64_t number;
} bsl_emitter;

/* Its patterns follow it in the same block. */
typedef struct bsl_model {
    uint64_t magic;
    bs_model core;
    bs_pattern pattern[];
} bsl_model;

/* --- userdata ------------------------------------------------------------------------------- */

/* The block at a stack index; NULL if it is something else. */
static inline void *bsl_block(lua_State *L, int index, size_t size, uint64_t magic) {
    uint64_t *block = lua_touserdata(L, index); /* first: lengths of numbers have effects */
    bool fits = block != NULL && bsl_length(L, index) == size && *block == magic;
    return fits ? block : NULL;
}

static inline bsl_world *bsl_to_world(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(bsl_world), BSL_WORLD_MAGIC);
}

static inline bsl_box *bsl_to_box(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(bsl_box), BSL_BOX_MAGIC);
}

static inline bsl_backend *bsl_to_backend(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(bsl_backend), BSL_BACKEND_MAGIC);
}

static inline bsl_pool *bsl_to_pool(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(bsl_pool), BSL_POOL_MAGIC);
}

static inline bsl_emitter *bsl_to_emitter(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(bsl_emitter), BSL_EMITTER_MAGIC);
}

bsl_model *bsl_to_model(lua_State *L, int index);

/* Pushes zeroed userdata with the metatable of that name. May run Lua code. */
void *bsl_new(lua_State *L, const char *meta, size_t size, uint64_t magic);

/*
 * The userdata at the top of the stack, a World or Pool, gets a store; returns its stack index.
 * `item`: the name of the metatable of what belongs to it. May run Lua code.
 */
int bsl_make_store(lua_State *L, const char *item, bsl_account *account);

/* Pushes userdata that belongs to that store. May run Lua code. */
void *bsl_new_item(lua_State *L, int store, size_t size, uint64_t magic);

/* Pushes the store of the World, Box, Pool or Emitter at `index`; returns its own stack index. */
static inline int bsl_push_store(lua_State *L, int index) {
    bsl_get_uservalue(L, index);
    return lua_gettop(L);
}

/* Pops a value and keeps it in a store. */
static inline void bsl_keep(lua_State *L, int store, int key) {
    lua_rawseti(L, store, key);
}

static inline void bsl_push_name(lua_State *L, int store, int name) {
    lua_rawgeti(L, store, BSL_FIRST_NAME + name);
}

/* Sets all items of the table at `index` to nil. Cannot fail. */
void bsl_clear_table(lua_State *L, int index);

/* --- self ----------------------------------------------------------------------------------- */

/* For use after anything that can run Lua code. */
static inline void bsl_check_open(lua_State *L, const bsl_world *w) {
    if (w->core == NULL) {
        bsl_fail(L, "world is closed");
    }
}

static inline void bsl_check_pool_open(lua_State *L, const bsl_pool *pool) {
    if (pool->core == NULL) {
        bsl_fail(L, "pool is closed");
    }
}

static inline void bsl_check_not_busy(lua_State *L, const bsl_world *w) {
    if (w->running != NULL) {
        bsl_fail(L, "world is busy: a filter function must not change it");
    }
}

static inline void bsl_check_pool_not_busy(lua_State *L, const bsl_pool *pool) {
    if (pool->busy > 0) {
        bsl_fail(L, "pool is busy: a filter function must not change it");
    }
}

/* self of a World's method that changes nothing. */
static inline bsl_world *bsl_self_world(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    if (w == NULL) {
        bsl_not_self(L, "World");
    }
    bsl_check_open(L, w);
    return w;
}

/* self of a World's method that changes something. */
static inline bsl_world *bsl_self_free_world(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_check_not_busy(L, w);
    w->changes++;
    return w;
}

/* self of a Box's method, which may have been removed. */
static inline const bsl_box *bsl_any_self_box(lua_State *L) {
    const bsl_box *box = bsl_to_box(L, 1);
    if (box == NULL) {
        bsl_not_self(L, "Box");
    }
    return box;
}

static inline bsl_self bsl_self_box(lua_State *L) {
    const bsl_box *box = bsl_any_self_box(L);
    bsl_world *w = box->world;
    bsl_check_open(L, w);
    uint32_t index;
    if (bs_world_find(w->core, box->id, &index) != BS_FOUND) {
        bsl_bad_self(L, "box was removed");
    }
    return (bsl_self){w, w->core, index};
}

/* self of a Box's method that changes it. */
static inline bsl_self bsl_self_free_box(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    bsl_check_not_busy(L, s.w);
    s.w->changes++;
    return s;
}

/* The same of Pools. */
bsl_pool *bsl_self_pool(lua_State *L);
bsl_pool *bsl_self_free_pool(lua_State *L);

/* The World and `other` change places (world_methods.c). */
void bsl_swap_core(bsl_world *w, bsl_core *other);
void bsl_free_core(bsl_core *c);

/* --- boxes ---------------------------------------------------------------------------------- */

static inline uint32_t bsl_index_of(bs_id id) {
    return (uint32_t)(id & ((1u << BS_INDEX_BITS) - 1));
}

/* True if the id is that of a box which is there. */
static inline bool bsl_is_live(const bsl_world *w, bs_id id) {
    uint32_t index;
    return bs_world_find(w->core, id, &index) == BS_FOUND;
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

/* The boxes in the table at `arg`, as w->boxes; *n of them. */
const uint32_t *bsl_check_boxes(lua_State *L, bsl_world *w, int arg, size_t *n);

/* That a rect read from `first` on has equal sizes, if the box is a circle (shape_methods.c). */
void bsl_check_sizes_of(lua_State *L, const bsl_world *w, uint32_t box, int first,
                        const bs_rect *rect);

/* A place for a box, as bsl_check_place reads it. */
static inline void bsl_check_place_of(lua_State *L, const bsl_world *w, uint32_t box, int first,
                                      bs_rect *rect) {
    bsl_check_place(L, first, rect);
    bsl_check_sizes_of(L, w, box, first, rect);
}

/*
 * That a transform read from `first` on scales a circle evenly, if the box is one
 * (shape_methods.c).
 */
void bsl_check_even(lua_State *L, const bsl_world *w, uint32_t box, int first,
                    const bs_transform *tr);

/* Where the boxes go by the corners in the table at `arg`: in w->rects (boxes_methods.c). */
const bs_rect *bsl_check_places(lua_State *L, bsl_world *w, int arg, const uint32_t *boxes,
                                size_t n);

/* Whether the world has the box at `arg`; an error if that is neither Box nor integer. */
bool bsl_has_box(lua_State *L, const bsl_world *w, int arg);

/* Pushes the Box of a live id: always the same one as long as the box lives. May run Lua code. */
void bsl_push_box(lua_State *L, bsl_world *w, int store, bs_id id);

/*
 * Pushes the Box that a box of that id has had before the world was put back; false, and nothing is
 * pushed, if it has none that still lives.
 */
bool bsl_push_former(lua_State *L, const bsl_world *w, int store, bs_id id);

/* Pushes the data of a live box, or its Box if it has none, in a world of data. */
void bsl_push_data(lua_State *L, int store, uint32_t box);

/* Pushes what the world hands out for a live box. Runs no Lua code. */
static inline void bsl_push_result(lua_State *L, const bsl_world *w, int store, uint32_t box) {
    if (w->results == BSL_RESULTS_BOX) {
        lua_rawgeti(L, store, BSL_BOXES + (int)box);
    } else if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, bs_world_id(w->core, box));
    } else {
        bsl_push_data(L, store, box);
    }
}

/* The store and the data may have something of that index from now on. */
static inline void bsl_use_key(bsl_world *w, uint32_t index) {
    w->stored = index + 1 > w->stored ? index + 1 : w->stored;
}

/*
 * Inserts a box, or a shape unless that is NULL, with the options at the stack index `options`, and
 * pushes what `insert` hands out (boxes_methods.c). Returns 1.
 */
int bsl_insert(lua_State *L, bsl_world *w, int options, const bs_rect *rect, const bs_shape *shape);

/* Removes one box. Raises only without memory (boxes_methods.c). */
void bsl_remove(lua_State *L, bsl_world *w, int store, uint32_t index);

/* Makes room for counts of contacts of so many indices. Raises only without memory. */
void bsl_reserve_counts(lua_State *L, bsl_world *w, uint32_t indices);

/* Pops a value: the data of a box. Raises only without memory. */
void bsl_set_data(lua_State *L, bsl_world *w, int store, uint32_t index);

/* --- back ends (backend_methods.c) ------------------------------------------------------------ */

/*
 * The back end that the name or Backend at stack index `value` means. Puts its Backend, a new one
 * for a name, in that place, and gives the core's type. Raises if there is none of that name, if it
 * does not suit the number of axes, or if it belongs to another world than `w` (which may be NULL).
 * May run Lua code.
 */
bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_place place, int value,
                            const bs_backend_type **type);

/* The Backend belongs to the World from now on. */
void bsl_attach_backend(bsl_world *w, bsl_backend *backend);

/* --- models (emitter_methods.c) --------------------------------------------------------------- */

/* The reader of a Model, into a bool that one is given: it is taken later, when on the stack. */
const char *bsl_read_model(lua_State *L, void *field);

/*
 * Keeps the Model at stack index `index`, and returns the core's; NULL: it is none. It is kept as
 * long as the pool, which is open, refers to it; and to the next call at least. May run Lua code.
 */
const bs_model *bsl_keep_model(lua_State *L, bsl_pool *pool, int store, int index);

/* The reader of a tag, into an int64_t, and of a number of steps > 0, into a uint32_t. */
const char *bsl_read_tag(lua_State *L, void *field);
const char *bsl_read_steps(lua_State *L, void *field);

/* --- protected calls ------------------------------------------------------------------------ */

typedef void (*bsl_body)(lua_State *L, void *context);

/*
 * Calls body(L, context) in a frame of its own, in which everything stands where it does here: the
 * stack is copied, which must not have more than BSL_PROTECTED values. False: it raised an error,
 * which is at the top of the stack; the caller puts things in order and calls lua_error.
 */
enum { BSL_PROTECTED = 16 };
bool bsl_protect(lua_State *L, bsl_body body, void *context);

/* Makes bsl_protect ready for a Lua state. */
void bsl_prepare_protect(lua_State *L);

#pragma GCC visibility pop

#endif
