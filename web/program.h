/* program.h: what the parts of the program in a page share. */
#ifndef WEB_PROGRAM_H
#define WEB_PROGRAM_H

#include <lauxlib.h>
#include <lua.h>

/* Functions of love.graphics. Opened as "web.graphics". */
int web_open_graphics(lua_State *L);

/* love.data.newByteData, and nothing else of love.data. Opened as "web.data". */
int web_open_data(lua_State *L);

#endif
