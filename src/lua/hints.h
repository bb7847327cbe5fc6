/*
 * hints.h: errors about unknown names. Their hints come from hints.lua, which the module has as its
 * field `hint`. A module that is loaded without init.lua only names the unknown name.
 */
#ifndef BSL_HINTS_H
#define BSL_HINTS_H

#include "compat.h"

#pragma GCC visibility push(hidden)

/* Adds a name to the list at the top of the stack. */
void bsl_add_name(lua_State *L, const char *name);

/*
 * Pops the list of known names, and pushes what the message says after an unknown name of that
 * kind. May run Lua code.
 */
void bsl_push_hint(lua_State *L, const char *kind, const char *name, bool is_set);

/*
 * Raises an error about an unknown name. It is the __index of tables of methods, and the __newindex
 * of their userdata. Upvalues: the class, as in bsl_groups, and the type.
 */
int bsl_no_field(lua_State *L);

/*
 * The __index of rows. A row has all its fields, so it is asked only for unknown names. Raises an
 * error, unless rows of the other kind have that name, or it is no string (ipairs asks for 1): then
 * it returns nil. Upvalues: nil, and what messages call a row.
 */
int bsl_no_hit_field(lua_State *L);

#pragma GCC visibility pop

#endif
