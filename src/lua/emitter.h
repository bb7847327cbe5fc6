/* emitter.h: what Models and movers have in common. */
#ifndef BSL_EMITTER_H
#define BSL_EMITTER_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* Options of Models and movers; a target of them begins with it. */
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
 * Keeps the Model at stack index `index`, and returns the core's; NULL: it is none. It is kept as
 * long as the pool, which is open, refers to it; and to the next call at least.
 */
const bs_model *bsl_keep_model(lua_State *L, const bsl_pool *pool, int store, int index);

#pragma GCC visibility pop

#endif
