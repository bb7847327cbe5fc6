/*
 * memory.h: reports memory outside Lua to Lua's collector, and knows who holds it.
 *
 * The core takes its memory from the state's allocator, but Lua counts only what it allocates
 * itself: a world of a million boxes looks like a hundred bytes to it. So growth is reported to the
 * collector, in portions. It then does as much work as the same amount of garbage would have
 * caused.
 */
#ifndef BSL_MEMORY_H
#define BSL_MEMORY_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* Pushes the ledger of the state. The first call, when a module is loaded, makes it. */
bsl_ledger *bsl_push_ledger(lua_State *L);

/*
 * Registers the userdata at `index`, whose metatable has been set, as a holder of memory, in the
 * ledger that it returns. While a state is being closed, Lua does not finalise what finalisers
 * make. The ledger does that: it is older, so its own finaliser runs later. What would be made even
 * later is refused with an error.
 */
bsl_ledger *bsl_own(lua_State *L, int index);

/*
 * Whether the World or Pool at stack index 1, whose finaliser is running, has to stay open because
 * one of its calls is asking a filter function. This happens only if an older finaliser makes that
 * call, and a collection runs within it. Then the finaliser of the ledger closes it.
 */
bool bsl_outlives_finaliser(lua_State *L, const bsl_account *account, bool running);

/*
 * The allocator of all memory outside Lua: that of the state, with the ledger for its host. That
 * knows all blocks. Lua forgets an object for whose finaliser there is no memory; what that
 * held is freed when the state is closed.
 */
void *bsl_resize(void *host, void *block, size_t old_size, size_t new_size);

void bsl_report(lua_State *L, bsl_account *account, size_t held);

/*
 * Reports that the core of a World, Pool or Snapshot now holds `held` bytes, if that is due. If the
 * script has stopped the collector, it is reported later. May run Lua code: finalisers, which may
 * use and change the owner.
 */
static inline void bsl_tell_held(lua_State *L, bsl_account *account, size_t held) {
    enum { PORTION = 8 << 10 };
    const size_t due = account->reported + account->reported / 8 + PORTION;
    if (held < account->reported || held + account->unreported >= due) {
        bsl_report(L, account, held);
    }
}

/*
 * The last step of each call that may have taken much memory. It also reports what earlier calls
 * took. The owner may have been closed meanwhile.
 */
static inline void bsl_tell(lua_State *L, bsl_world *w) {
    if (w->core != NULL) {
        bsl_tell_held(L, &w->account, bs_world_memory(w->core));
    }
}

static inline void bsl_tell_pool(lua_State *L, bsl_pool *pool) {
    if (pool->core != NULL) {
        bsl_tell_held(L, &pool->account, bs_pool_memory(pool->core) + pool->heap.used);
    }
}

/* To be called before the owner frees its memory. */
static inline void bsl_tell_end(bsl_account *account) {
    account->ledger->in_use -= account->reported;
    account->reported = 0;
}

/* Makes a buffer at least that large; returns its bytes. Raises an error if there is no memory. */
void *bsl_reserve(lua_State *L, bsl_account *account, bsl_buffer *buffer, size_t size);
void bsl_release(bsl_ledger *ledger, bsl_buffer *buffer);

#pragma GCC visibility pop

#endif
