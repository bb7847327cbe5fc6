/* program.h: declarations that the parts of the program in a page share. */
#ifndef WEB_PROGRAM_H
#define WEB_PROGRAM_H

#include <lauxlib.h>
#include <lua.h>

/* Opens functions of love.graphics as the module "web.graphics". */
int web_open_graphics(lua_State *L);

/* Opens love.data as the module "web.data". Its only function is newByteData. */
int web_open_data(lua_State *L);

#endif
