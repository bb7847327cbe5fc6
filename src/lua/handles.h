/*
 * handles.h: the userdata that Lua holds, and what each of them refers to.
 *
 *      World ---store--> table of its Boxes, their data, and what else the World needs
 *      Pool ---store--> table of the Models that its movers and emitters refer to, and so on
 *      Box, Emitter ---store--> the store of their World or Pool, which refers to that itself
 *      Model ---> table of the Models that its emitters fire
 *
 * The store is the user value of each userdata. It keeps a World alive as long as one of its Boxes
 * is in use, so the pointers below never dangle. A World or Pool is closed if its core is NULL:
 * before it is complete, and after its finaliser. That may run before the finaliser of an object
 * that still uses the World.
 *
 * Every call first makes what it returns (tables, userdata), which may run finalisers. Then it
 * reads its arguments, calls the core, and returns the answer, which runs no Lua code. So almost
 * nothing has to be undone or checked twice.
 */
#ifndef BSL_HANDLES_H
#define BSL_HANDLES_H

#include "args.h"

#include "broadside/pool.h"

#pragma GCC visibility push(hidden)

/*
 * Userdata are told apart by the magic word with which they begin, which costs less than half of
 * comparing metatables. 2D and 3D have different words, except for Backends, which are made before
 * the number of axes is known, and for the ledger of a Lua state.
 */
#define BSL_MAGIC(class)                                                                           \
    (0xb50ad51de3a70c00u + 16 * (class) + ((class) < BSL_BACKEND_CLASS ? DIM : 0))

/*
 * Strings that a store holds, so that pushing them makes no new string and runs no Lua code: names
 * of responses by bs_response, of phases by bs_phase, of what pictures show by bs_picture_kind, of
 * shapes by bs_shape_kind, and of the fields of rows.
 */
#define BSL_NAME_ROWS(ROW)                                                                         \
    ROW(PHASE_NAMES, "begin")                                                                      \
    ROW(STAY, "stay")                                                                              \
    ROW(END, "end")                                                                                \
    ROW(PICTURE_NAMES, "box")                                                                      \
    ROW(FAT, "fat")                                                                                \
    ROW(NODE, "node")                                                                              \
    ROW(CELL, "cell")                                                                              \
    ROW(SHAPE_NAMES, "box")                                                                        \
    ROW(CIRCLE, "circle")                                                                          \
    ROW(POLYGON, "polygon")                                                                        \
    ROW(OTHER, "other")                                                                            \
    ROW(RESPONSE, "response")                                                                      \
    ROW(T, "t")                                                                                    \
    ROW(X, "x")                                                                                    \
    ROW(Y, "y")                                                                                    \
    ROW(Z, "z")                                                                                    \
    ROW(NX, "nx")                                                                                  \
    ROW(NY, "ny")                                                                                  \
    ROW(NZ, "nz")                                                                                  \
    ROW(OVERLAP, "overlap")                                                                        \
    ROW(CRUSHED, "crushed")                                                                        \
    ROW(CARRIED, "carried")

typedef enum bsl_name {
    BSL_RESPONSE_NAMES,
    BSL_LAST_RESPONSE = BS_RESPONSES - 1,
#define NAMED(id, name) BSL_##id,
    BSL_NAME_ROWS(NAMED)
#undef NAMED
        BSL_NAMES
} bsl_name;

extern const char *const bsl_names[BSL_NAMES];

/* Keys of every store. */
enum {
    BSL_SELF = 1,   /* the World or Pool userdata */
    BSL_ITEM_CLASS, /* the metatable of Boxes or Emitters */
    BSL_IDLE,       /* the iterator of the idle cursor (cursor.h), or false */
    BSL_OWN_KEYS    /* from here on: those of one owner */
};

/* Keys of a Pool's store. */
enum { BSL_MODELS = BSL_OWN_KEYS }; /* table: Model -> true */

/* Keys of a World's store. */
enum {
    BSL_DATA = BSL_OWN_KEYS, /* table: box index + 1 -> data */
    BSL_SPARE,               /* table for the next copy of the data, see snapshot_methods.c */
    BSL_SCRATCH,             /* table that a call may use; what it holds is of no use after */
    BSL_BACKEND,             /* the attached Backend userdata */
    BSL_FORMER,              /* weak table: id -> Box, see snapshot_methods.c */
    BSL_ROWS,                /* rows by list (results.c), or false */
    BSL_FIRST_NAME,          /* this key and those behind it */
    BSL_BOXES = BSL_FIRST_NAME + BSL_NAMES /* these by index; false if there is none */
};

typedef enum bsl_results { BSL_RESULTS_BOX, BSL_RESULTS_ID, BSL_RESULTS_DATA } bsl_results;

/* In front of each block of memory outside Lua: a ring of all of them. */
typedef struct bsl_link {
    struct bsl_link *before, *after;
    size_t size; /* with the link */
} bsl_link;

/*
 * The memory outside Lua of all worlds and pools of a Lua state, in 2D and 3D, and what of it was
 * reported to the collector.
 */
typedef struct bsl_ledger {
    uint64_t magic;
    bs_realloc resize; /* the state's allocator */
    void *host;
    bsl_link blocks;
    size_t in_use;   /* bytes that they hold now */
    size_t debt;     /* bytes reported since the end of the last cycle that is known */
    int kilobytes;   /* the amount that is being reported */
    bool closed;     /* true while the state is being closed */
    uint64_t worlds; /* the number of the last World */
} bsl_ledger;

/* What one World or Pool holds, and how much of it has been reported (memory.h). */
typedef struct bsl_account {
    bsl_ledger *ledger;
    size_t reported;   /* bytes of the core that the ledger counts */
    size_t unreported; /* bytes of buffers that have not been reported yet */
} bsl_account;

/* A block of the host's memory that can grow. */
typedef struct bsl_buffer {
    void *at;
    size_t size;
} bsl_buffer;

/* It has the same layout in 2D and 3D. */
typedef struct bsl_backend {
    uint64_t magic;
    const char *name;
    bs_settings settings;
    const void *world; /* the World it belongs to, in 2D or 3D, or NULL */
    /* Pushes the table of figures. It is the function of the module that the World belongs to. */
    int (*push_figures)(lua_State *L, const struct bsl_backend *backend);
} bsl_backend;

typedef struct bsl_world {
    uint64_t magic;
    uint64_t number; /* > 0; no other World of this Lua state has it */
    bs_world *core;  /* NULL if the World is closed */
    /* The World's own core while restore asks for data (snapshot_methods.c), else NULL. */
    bs_world *before_restore;
    bsl_backend *backend;
    bsl_results results;
    struct bsl_call *running; /* the call that is asking a filter function (filters.h), or NULL */
    uint64_t changes;         /* how many calls that change something have begun */
    uint32_t stored;          /* boxes of indices from here on have never had data */
    uint64_t data;            /* the version of the data of all boxes: a change makes a new one */
    uint64_t data_versions;   /* how many versions there have been */
    uint32_t listeners;       /* how many Contacts it has made */
    bsl_account account;

    /* Scratch lists, until the next call or Lua code. The first three are on the core's heap. */
    bs_list list;
    bs_hits hits;
    bs_pictures pictures;
    bsl_buffer boxes; /* of uint32_t: the boxes that an argument lists */
    bsl_buffer rects;
    bs_list except; /* the boxes that a filter leaves out, which are in ... */
    bsl_buffer except_room;
    bsl_buffer moves; /* of moveMany, which cannot begin while another call asks a function */
} bsl_world;

typedef struct bsl_box {
    uint64_t magic;
    bsl_world *world;
    bs_id id;  /* 0 while it is not inserted yet */
    bool left; /* it was removed with data: its user value is {BSL_LEFT_DATA =, _STORE =} */
} bsl_box;

/* The box that a Box's method is called on. */
typedef struct bsl_self {
    bsl_world *w;
    bs_world *core;
    uint32_t box;
} bsl_self;

typedef struct bsl_pool {
    uint64_t magic;
    bs_pool *core; /* NULL if the Pool is closed */
    uint32_t busy; /* number of calls that are asking a filter function: changes are refused */
    bsl_account account;
    bs_heap heap;
    bs_pool_hits hits; /* scratch lists on that heap */
    bs_pool_meets met;
} bsl_pool;

/* The patterns follow it in the same block. */
typedef struct bsl_model {
    uint64_t magic;
    bs_model core;
    bs_pattern pattern[];
} bsl_model;

/* --- userdata ------------------------------------------------------------------------------- */

/* The userdata of that class at a stack index, or NULL if it is something else. */
static inline void *bsl_block(lua_State *L, int index, bsl_class class) {
    /* This comes first, because asking for the length of a number converts it. */
    uint64_t *block = lua_touserdata(L, index);
    bool fits = block != NULL && bsl_length(L, index) >= sizeof *block;
    return fits && *block == BSL_MAGIC(class) ? block : NULL;
}

static inline bsl_world *bsl_to_world(lua_State *L, int index) {
    return bsl_block(L, index, BSL_WORLD_CLASS);
}

static inline bsl_box *bsl_to_box(lua_State *L, int index) {
    return bsl_block(L, index, BSL_BOX_CLASS);
}

static inline bsl_model *bsl_to_model(lua_State *L, int index) {
    return bsl_block(L, index, BSL_MODEL_CLASS);
}

/* Pushes zeroed userdata of that class. May run Lua code. */
void *bsl_new(lua_State *L, bsl_class class, size_t size);

/*
 * Gives the userdata at the top of the stack, a World or Pool, a store; returns the store's stack
 * index. `items` is the class of its Boxes or Emitters. May run Lua code.
 */
int bsl_make_store(lua_State *L, bsl_class items, bsl_account *account);

/* Pushes userdata that belongs to that store. May run Lua code. */
void *bsl_new_item(lua_State *L, int store, bsl_class class, size_t size);

/* Pushes the store of the World, Box, Pool or Emitter at `index`; returns its stack index. */
static inline int bsl_push_store(lua_State *L, int index) {
    bsl_get_uservalue(L, index);
    return lua_gettop(L);
}

/* What a Box of a removed box holds. It keeps that, also if a restore revives it. */
enum { BSL_LEFT_DATA = 1, BSL_LEFT_STORE };

/* The store of the Box at an index. */
static inline int bsl_push_box_store(lua_State *L, int index) {
    const bsl_box *box = lua_touserdata(L, index);
    bsl_get_uservalue(L, index);
    if (box->left) {
        lua_rawgeti(L, -1, BSL_LEFT_STORE);
        lua_replace(L, -2);
    }
    return lua_gettop(L);
}

static inline void bsl_push_name(lua_State *L, int store, int name) {
    lua_rawgeti(L, store, BSL_FIRST_NAME + name);
}

/* Pushes a table that refers weakly to its keys or values: "k" or "v". May run Lua code. */
void bsl_push_weak_table(lua_State *L, const char *mode);

/* --- self ----------------------------------------------------------------------------------- */

/* To be used after anything that can run Lua code. */
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
        bsl_fail(L, "world is busy: a function that it has called must not change it");
    }
}

static inline void bsl_check_pool_not_busy(lua_State *L, const bsl_pool *pool) {
    if (pool->busy > 0) {
        bsl_fail(L, "pool is busy: a function that it has called must not change it");
    }
}

/* Returns self, or raises an error that says of which class it must be. */
static inline void *bsl_check_self(lua_State *L, bsl_class class) {
    void *self = bsl_block(L, 1, class);
    if (self == NULL) {
        bsl_not_self(L, bsl_classes[class].type);
    }
    return self;
}

/* Self, which may be closed or removed. */
static inline bsl_world *bsl_any_self_world(lua_State *L) {
    return bsl_check_self(L, BSL_WORLD_CLASS);
}

static inline bsl_box *bsl_any_self_box(lua_State *L) {
    return bsl_check_self(L, BSL_BOX_CLASS);
}

static inline bsl_pool *bsl_any_self_pool(lua_State *L) {
    return bsl_check_self(L, BSL_POOL_CLASS);
}

/* Checks self for a method of a World that changes nothing. */
static inline bsl_world *bsl_self_world(lua_State *L) {
    bsl_world *w = bsl_any_self_world(L);
    bsl_check_open(L, w);
    return w;
}

/* Before something in a world is changed. */
static inline void bsl_begin_change(lua_State *L, bsl_world *w) {
    bsl_check_not_busy(L, w);
    w->changes++;
}

/* Checks self for a method of a World that changes something. */
static inline bsl_world *bsl_self_free_world(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_begin_change(L, w);
    return w;
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

/* Checks self for a method of a Box that changes it. */
static inline bsl_self bsl_self_free_box(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    bsl_begin_change(L, s.w);
    return s;
}

/* These do the same for Pools. */
static inline bsl_pool *bsl_self_pool(lua_State *L) {
    bsl_pool *pool = bsl_any_self_pool(L);
    bsl_check_pool_open(L, pool);
    return pool;
}

static inline bsl_pool *bsl_self_free_pool(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    bsl_check_pool_not_busy(L, pool);
    return pool;
}

/* Frees the scratch lists (world_methods.c). */
void bsl_free_lists(bsl_world *w);

/* --- boxes ---------------------------------------------------------------------------------- */

/* True if a box has this id now. */
static inline bool bsl_is_live(const bsl_world *w, bs_id id) {
    uint32_t index;
    return bs_world_find(w->core, id, &index) == BS_FOUND;
}

/* Raises "no box has the id 5"; `what` is "box" there. */
_Noreturn void bsl_bad_id(lua_State *L, bsl_where where, const char *what, int64_t id);

/*
 * The index of the box (a Box or an id) at stack index `value`. Messages call it item number `item`
 * of the table at `arg`, or the argument itself if `item` is 0.
 */
uint32_t bsl_box_at(lua_State *L, const bsl_world *w, int arg, size_t item, int value);

static inline uint32_t bsl_check_box(lua_State *L, const bsl_world *w, int arg) {
    return bsl_box_at(L, w, arg, 0, arg);
}

/* The same, and its shape. */
static inline uint32_t bsl_check_box_shape(lua_State *L, const bsl_world *w, int arg,
                                           bs_shape *shape) {
    const uint32_t box = bsl_check_box(L, w, arg);
    bs_world_shape(w->core, box, shape);
    return box;
}

/* Reads the boxes in the table at `arg` into w->boxes; *n is their number. */
const uint32_t *bsl_check_boxes(lua_State *L, bsl_world *w, int arg, size_t *n);

/* Checks that sizes or scales from `first` on are equal if it is a circle (shape_methods.c). */
void bsl_check_equal(lua_State *L, const bsl_world *w, uint32_t box, int first, const char *what,
                     const double numbers[DIM]);

/* Reads the position and sizes of a box as bsl_check_position does, and checks it as above. */
static inline void bsl_check_position_of(lua_State *L, const bsl_world *w, uint32_t box, int first,
                                         bs_rect *rect) {
    bsl_check_position(L, first, rect);
    bsl_check_equal(L, w, box, first + DIM, "sizes", rect->size);
}

/*
 * Reads the convex polygon whose corners are in the table at `arg` (shape_methods.c). In 3D, raises
 * an error about self.
 */
void bsl_check_polygon(lua_State *L, int arg, bs_shape *shape);

/* Reads new corners of boxes, and returns the rects, in w->rects (world_boxes_methods.c). */
const bs_rect *bsl_check_positions(lua_State *L, bsl_world *w, int arg, const uint32_t *boxes,
                                   size_t n);

/* Whether the world has the box at `arg`, which must be a Box or an integer. */
bool bsl_has_box(lua_State *L, const bsl_world *w, int arg);

/* Pushes the Box of a live id, the same one as long as the box lives. May run Lua code. */
void bsl_push_box(lua_State *L, bsl_world *w, int store, bs_id id);

/* Pushes a new Box. May run Lua code. */
bsl_box *bsl_new_box(lua_State *L, bsl_world *w, int store, bs_id id);

/*
 * If there are Snapshots, keeps the Box at the top of the stack weakly: a restore may bring its box
 * back. The value may also be another one, which is not kept.
 */
void bsl_keep_former(lua_State *L, int store);

/* Pushes the Box that was kept for that id. False, and nothing is pushed, if there is none. */
bool bsl_push_former(lua_State *L, int store, bs_id id);

/* Pushes the data of a live box, or its Box if it has no data. */
void bsl_push_data(lua_State *L, int store, uint32_t box);

/* Pushes what the world returns for a box, or for a removed one whose contacts are to end. */
static inline void bsl_push_result(lua_State *L, const bsl_world *w, int store, uint32_t box) {
    if (w->results == BSL_RESULTS_BOX) {
        lua_rawgeti(L, store, BSL_BOXES + (int)box);
    } else if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, bs_world_id(w->core, box));
    } else {
        bsl_push_data(L, store, box);
    }
}

/* Inserts a shape, pushes what `insert` returns, and returns 1 (world_boxes_methods.c). */
int bsl_insert(lua_State *L, bsl_world *w, int options, const bs_shape *shape);

/* Removes one box. Raises an error only if there is no memory (world_boxes_methods.c). */
void bsl_remove(lua_State *L, bsl_world *w, int store, uint32_t index);

/*
 * How many indices are free; and, after a call of the core, drops the Boxes and data of those that
 * it has freed. Cannot fail.
 */
size_t bsl_count_free(const bsl_world *w);
void bsl_forget_freed(lua_State *L, bsl_world *w, int store, size_t before);

/* Pops a value and makes it the data of a box. Raises an error only if there is no memory. */
void bsl_set_data(lua_State *L, bsl_world *w, int store, uint32_t index);

/* --- back ends (backend_methods.c) ------------------------------------------------------------ */

/*
 * Finds the back end that the name or Backend at stack index `value` stands for. Puts its Backend
 * there, which is a new one for a name. Raises an error if no back end has that name, if it does
 * not suit the number of axes, or if it belongs to another world than `w` (which may be NULL). May
 * run Lua code.
 */
bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_where where, int value);

/* Makes the Backend belong to the World. */
void bsl_attach_backend(bsl_world *w, bsl_backend *backend);

/* --- models (emitter_methods.c) --------------------------------------------------------------- */

/* The reader of an option with a Model, which is read later from the stack. */
const char *bsl_read_model(lua_State *L, void *field);

/*
 * Keeps the Model at stack index `index` and returns the core's, or NULL if it is no Model. It is
 * kept as long as the pool, which is open, refers to it, and at least until the next call. May run
 * Lua code.
 */
const bs_model *bsl_keep_model(lua_State *L, const bsl_pool *pool, int store, int index);

/* The readers of a tag, into an int64_t, and of a number of steps > 0, into a uint32_t. */
const char *bsl_read_tag(lua_State *L, void *field);
const char *bsl_read_steps(lua_State *L, void *field);

/* --- protected calls ------------------------------------------------------------------------ */

typedef void (*bsl_body)(lua_State *L, void *context);

/*
 * Calls body(L, context) in a frame of its own, on a copy of the stack: all values have the same
 * indices there, and errors name the method and its arguments as usual. The stack must not have
 * more than BSL_PROTECTED values. False: the body raised an error, which is at the top of the
 * stack. The caller then cleans up and calls lua_error.
 */
enum { BSL_PROTECTED = 16 };
bool bsl_protect(lua_State *L, bsl_body body, void *context);

/* Prepares a Lua state for bsl_protect. */
void bsl_prepare_protect(lua_State *L);

#pragma GCC visibility pop

#endif
