/*
 * pool_handles.h: what Lua holds of pools: Pool, Emitter, Model and Volley userdata.
 *
 *      Pool ---store--> table of the Models that its movers and emitters refer to, and what else it
 *                       needs
 *      Emitter ---store--> the same table, and through it its Pool
 *      Volley (what a loop goes through) ---> table of that store and of the World's, if it has one
 *      Model ---> table of the Models that its emitters fire
 *
 * As with Worlds (handles.h), the store keeps a Pool alive as long as something refers to it, and a
 * Pool is closed when its core is NULL.
 */
#ifndef BSL_POOL_HANDLES_H
#define BSL_POOL_HANDLES_H

#include "handles.h"

#include "broadside/pool.h"

#pragma GCC visibility push(hidden)

#define BSL_POOL_MAGIC (0xb50ad51de3a70c50u + DIM)
#define BSL_EMITTER_MAGIC (0xb50ad51de3a70c60u + DIM)
#define BSL_MODEL_MAGIC (0xb50ad51de3a70c70u + DIM)
#define BSL_VOLLEY_MAGIC (0xb50ad51de3a70c80u + DIM)

/* Keys of a Pool's store. */
enum {
    BSL_POOL_SELF = 1,
    BSL_POOL_LEDGER,
    BSL_POOL_MODELS, /* table: Model -> true; those that movers or emitters refer to, and more */
    BSL_POOL_EMITTER_META,
    BSL_POOL_VOLLEY_META,
    BSL_POOL_NEXT_MOVER, /* functions, so that calls need not make closures in Lua 5.1 */
    BSL_POOL_NEXT_HIT,
    BSL_POOL_NEXT_TOUCH,
    BSL_POOL_APPEND_PLACES,
    BSL_POOL_IDLE /* and upwards: volleys, see bsl_take_idle */
};

typedef struct bsl_pool {
    uint64_t magic;
    bs_pool *core; /* NULL: closed */
    uint32_t busy; /* filter functions that are running: changes are refused */
    bsl_account account;
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

/* A list that outlives calls: movers, or hits. */
typedef struct bsl_volley {
    uint64_t magic;
    bsl_pool *pool;
    bsl_world *world; /* of hits in a World */
    bs_heap heap;     /* its own: the pool's may be gone first */
    bs_id *ids;
    size_t ids_cap;
    bs_pool_hits hits;
    size_t n;     /* ids; 0 where it goes through hits */
    size_t at;    /* the next id or hit */
    bool is_free; /* finished, and in the store */
} bsl_volley;

/* --- checks --------------------------------------------------------------------------------- */

static inline bsl_pool *bsl_to_pool(lua_State *L, int index) {
    bsl_pool *pool = bsl_block(L, index, sizeof *pool);
    return pool != NULL && pool->magic == BSL_POOL_MAGIC ? pool : NULL;
}

static inline bsl_emitter *bsl_to_emitter(lua_State *L, int index) {
    bsl_emitter *emitter = bsl_block(L, index, sizeof *emitter);
    return emitter != NULL && emitter->magic == BSL_EMITTER_MAGIC ? emitter : NULL;
}

static inline bsl_volley *bsl_to_volley(lua_State *L, int index) {
    bsl_volley *volley = bsl_block(L, index, sizeof *volley);
    return volley != NULL && volley->magic == BSL_VOLLEY_MAGIC ? volley : NULL;
}

static inline bsl_model *bsl_to_model(lua_State *L, int index) {
    bsl_model *model = lua_touserdata(L, index);
    if (model == NULL || bsl_length(L, index) < sizeof *model || model->magic != BSL_MODEL_MAGIC) {
        return NULL;
    }
    return bsl_length(L, index) == sizeof *model + model->core.emitters * sizeof model->pattern[0]
               ? model
               : NULL;
}

/* For use after anything that can run Lua code. */
void bsl_check_pool_open(lua_State *L, const bsl_pool *pool);

/* self of a Pool's method that changes nothing; and of one that does. */
bsl_pool *bsl_self_pool(lua_State *L);
bsl_pool *bsl_self_free_pool(lua_State *L);

/* That no filter function is running. */
void bsl_check_pool_not_busy(lua_State *L, const bsl_pool *pool);

/* The last thing that a call which may have taken memory does. May run Lua code. */
void bsl_tell_pool(lua_State *L, bsl_pool *pool);

/*
 * Keeps the Model at stack index `index` alive as long as the pool refers to it. May run Lua code;
 * whatever runs between this and the reference could make the pool forget the Model again: nothing
 * must.
 */
void bsl_keep_model(lua_State *L, const bsl_pool *pool, int store, int index);

/* --- loops (lua_pool_loops.c) --------------------------------------------------------------- */

int bsl_next_mover(lua_State *L);
int bsl_next_hit(lua_State *L);
int bsl_next_touch(lua_State *L);

/* --- models and emitters (lua_model.c) ------------------------------------------------------ */

/* What Models and movers have in common, and its options; a target of them begins with it. */
typedef struct bsl_traits {
    double size[DIM];         /* NaN: not given */
    double acceleration[DIM]; /* NaN: not given */
    uint32_t life;            /* 0: not given */
    int64_t tag;
    bool has_tag;
    uint32_t mask;
    bool has_mask;
} bsl_traits;

void bsl_no_traits(bsl_traits *traits);

extern const bsl_option bsl_trait_rows[];

/* The reader of a Model, into a bool that one is given: it is taken later, when on the stack. */
const char *bsl_read_model(lua_State *L, void *field);

/*
 * Reads the pattern of an emitter from the table at stack index `table`, and pushes its Model, or
 * nil; out->model is NULL. `own`: that of the pool itself. Else it is carried by movers: then it
 * may be relative; and where its model is "self", that is pushed, and true returned.
 */
bool bsl_check_pattern(lua_State *L, bsl_place place, int table, bool own, bs_pattern *out);

#pragma GCC visibility pop

#endif
