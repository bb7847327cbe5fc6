/* graphics.h: declarations that the files of love.graphics share. */
#ifndef WEB_GRAPHICS_H
#define WEB_GRAPHICS_H

#include <lua.h>

/* Sets the transform of draw(object, x, y, angle, sx, sy, ox, oy), whose x is at `arg`. */
void graphics_place(lua_State *L, int arg);

/*
 * These functions add others to the table at the top of the stack: for meshes, images and shaders,
 * and for text.
 */
void graphics_open_objects(lua_State *L);
void graphics_open_text(lua_State *L);

#endif
