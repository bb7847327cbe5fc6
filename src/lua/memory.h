/*
 * memory.h: who holds memory outside Lua, and telling Lua's collector of it.
 *
 * The core takes its memory from the state's allocator, but Lua only counts what it asks for
 * itself: a world of a million boxes looks like a hundred bytes to it. So the collector is told of
 * growth, in portions: as much work as so much garbage would have caused.
 */
#ifndef BSL_MEMORY_H
#define BSL_MEMORY_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* Pushes the state's ledger, which is made when first asked for: when a module is loaded. */
bsl_ledger *bsl_push_ledger(lua_State *L);

/*
 * Notes that the userdata at `index`, whose metatable has been set, may come to hold memory. Lua
 * does not finalise what finalisers make while the state is being closed. The ledger does: it is
 * older, so its own finaliser runs later; what would be made after that is refused with an error.
 */
void bsl_own(lua_State *L, int index);

/*
 * Whether the World or Pool whose finaliser has been called, and which is at stack index 1, stays
 * open, as a call is running that asks a filter function. That takes a finaliser, older than this
 * one, which makes the call, and a collection within that. Then the ledger's finaliser closes it.
 */
bool bsl_outlives_finaliser(lua_State *L, const bsl_account *account, bool running);

/*
 * Tells that the core of a World or Pool holds so many bytes now; a collector that the script has
 * stopped is told later. May run Lua code: finalisers, which may use and change the owner.
 */
void bsl_tell_now(lua_State *L, bsl_account *account, size_t held);

/* Whether there is enough to tell. */
static inline bool bsl_is_due(const bsl_account *account, size_t held) {
    enum { PORTION = 8 << 10 };
    return held + account->untold >= account->told + account->told / 8 + PORTION;
}

static inline void bsl_tell_if_due(lua_State *L, bsl_account *account, size_t held) {
    if (bsl_is_due(account, held)) {
        bsl_tell_now(L, account, held);
    }
}

/*
 * The last thing that a call which may have taken much memory does; what others took is told then,
 * too. The owner may have been closed on the way.
 */
static inline void bsl_tell(lua_State *L, bsl_world *w) {
    if (w->core != NULL) {
        bsl_tell_if_due(L, &w->account, bs_world_memory(w->core));
    }
}

static inline void bsl_tell_pool(lua_State *L, bsl_pool *pool) {
    if (pool->core != NULL) {
        bsl_tell_if_due(L, &pool->account, bs_pool_memory(pool->core) + pool->heap.used);
    }
}

/* The owner is about to give its memory back. */
static inline void bsl_tell_end(bsl_account *account) {
    account->ledger->held -= account->told;
    account->told = 0;
}

/* Makes a buffer hold so many bytes at least, and returns them. Raises without memory. */
void *bsl_reserve(lua_State *L, bsl_account *account, bsl_buffer *buffer, size_t size);
void bsl_release(lua_State *L, bsl_buffer *buffer);

#pragma GCC visibility pop

#endif
