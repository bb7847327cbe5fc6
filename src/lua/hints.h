/*
 * hints.h: errors about names that are not there. What they say of them is in hints.lua, which the
 * module has as its field `hint`; a module that is loaded without init.lua only names what is not
 * there.
 */
#ifndef BSL_HINTS_H
#define BSL_HINTS_H

#include "compat.h"

#pragma GCC visibility push(hidden)

/* Adds a name to the list at the top of the stack. */
void bsl_add_name(lua_State *L, const char *name);

/*
 * Pops the list of names that there are, and pushes what the message says of a name that is not
 * there, of that kind. May run Lua code.
 */
void bsl_push_hint(lua_State *L, const char *kind, const char *name, bool is_set);

/*
 * __index of a table of methods, which is asked for the names that are not in it, and __newindex of
 * its userdata: raises an error. Upvalues: the class as in bsl_groups, and the type that it is of.
 */
int bsl_no_field(lua_State *L);

/*
 * __index of the rows that tell what was met, which have all their fields. Raises an error about a
 * name, unless rows of another kind have it: that is nil, and so is what is no name, as ipairs asks
 * for 1. Upvalues: nil, and what a row is called.
 */
int bsl_no_hit_field(lua_State *L);

#pragma GCC visibility pop

#endif
