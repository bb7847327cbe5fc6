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

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* Pushes the state's ledger, which is made when first asked for: when a module is loaded. */
bsl_ledger *bsl_push_ledger(lua_State *L);

/*
 * Notes that the userdata at `index`, whose metatable has been set, may come to hold memory. Lua
 * does not finalise what finalisers make while the state is being closed. The ledger does: it is
 * older, so its own finaliser runs later; what would be made after that is refused with an error.
 */
void bsl_own(lua_State *L, int index);

/* Tells of so many bytes that are held from now on. May run Lua code: finalisers. */
void bsl_tell_bytes(lua_State *L, bsl_ledger *ledger, size_t bytes);

/* Tells it now. May run Lua code: finalisers, which may use and change the world. */
void bsl_tell_now(lua_State *L, bsl_world *w);

/*
 * The same if there is enough to tell: the last thing that a call which may have taken memory does.
 * The world may have been closed on the way.
 */
static inline void bsl_tell(lua_State *L, bsl_world *w) {
    enum { PORTION = 8 << 10 };
    if (w->core == NULL) {
        return;
    }
    size_t held = bs_world_memory(w->core);
    if (held + w->untold >= w->told + w->told / 8 + PORTION) {
        bsl_tell_now(L, w);
    }
}

/* The world is about to give its memory back. */
static inline void bsl_tell_end(bsl_world *w) {
    w->ledger->held -= w->told;
    w->told = 0;
}

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
