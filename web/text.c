/*
 * text.c: fonts and text. The page draws the letters of a font into a texture of 16 by 6 cells,
 * which are 1.5 times as wide and high as the font's size. It passes the widths of the letters
 * once, for all sizes.
 */
#include <math.h>
#include <stdint.h>

#include "graphics.h"
#include "picture.h"
#include "program.h"

static const char FONT[] = "web.Font";

enum { FIRST = 32, LETTERS = 95, COLUMNS = 16, ROWS = 6 };

typedef struct {
    uint32_t texture;
    float size;
} font_object;

static float widths[LETTERS]; /* in a font of size 1 */
static const font_object *current;

/*
 * Returns the letter at *text, and advances *text. Letters that the page does not draw become
 * question marks.
 */
static int next_letter(const char **text) {
    unsigned char c = (unsigned char)*(*text)++;
    while ((**text & 0xC0) == 0x80) {
        (*text)++;
    }
    return (c >= FIRST && c < FIRST + LETTERS ? c : '?') - FIRST;
}

static float width_of(const font_object *font, const char *text) {
    float most = 0, width = 0;
    while (*text != '\0') {
        if (*text == '\n') {
            width = 0;
            text++;
        } else {
            width += widths[next_letter(&text)] * font->size;
            most = fmaxf(most, width);
        }
    }
    return most;
}

static float height_of(const font_object *font) {
    return floorf(1.164F * font->size + 0.5F);
}

static int set_widths(lua_State *L) {
    for (int i = 0; i < LETTERS; i++) {
        lua_rawgeti(L, 1, i + 1);
        widths[i] = (float)luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return 0;
}

static int new_font(lua_State *L) {
    float size = (float)luaL_optnumber(L, 1, 12);
    luaL_argcheck(L, size >= 1 && size <= 200, 1, "a size from 1 to 200 expected");
    font_object *font = lua_newuserdatauv(L, sizeof *font, 0);
    font->size = size;
    font->texture = picture_new_texture(0, 0, size, NULL);
    luaL_setmetatable(L, FONT);
    return 1;
}

static int get_width(lua_State *L) {
    const font_object *font = luaL_checkudata(L, 1, FONT);
    lua_pushnumber(L, ceilf(width_of(font, luaL_checkstring(L, 2))));
    return 1;
}

static int get_height(lua_State *L) {
    lua_pushnumber(L, height_of(luaL_checkudata(L, 1, FONT)));
    return 1;
}

static int set_font(lua_State *L) {
    current = luaL_checkudata(L, 1, FONT);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "web.font");
    return 0;
}

static int get_font(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, "web.font");
    return 1;
}

static void put_letter(int letter, float x, float y, float size) {
    if (letter == 0 || !picture_reserve(current->texture, 4, 2)) {
        return;
    }
    float u = (float)(letter % COLUMNS) / COLUMNS, v = (float)(letter / COLUMNS) / ROWS;
    float w = 1.0F / COLUMNS, h = 1.0F / ROWS, side = 1.5F * size;
    x -= 0.25F * size;
    y -= 0.1F * size;
    picture_corner(x, y, u, v);
    picture_corner(x + side, y, u + w, v);
    picture_corner(x + side, y + side, u + w, v + h);
    picture_corner(x, y + side, u, v + h);
    picture_triangle(0, 1, 2);
    picture_triangle(0, 2, 3);
}

/* print(text, x, y, angle, sx, sy, ox, oy) */
static int print(lua_State *L) {
    const char *text = luaL_tolstring(L, 1, NULL);
    lua_replace(L, 1);
    if (current == NULL) {
        return luaL_error(L, "no font is set");
    }
    picture_settings before = settings;
    graphics_place(L, 2);
    float x = 0, y = 0;
    while (*text != '\0') {
        if (*text == '\n') {
            x = 0;
            y += height_of(current);
            text++;
            continue;
        }
        int letter = next_letter(&text);
        put_letter(letter, x, y, current->size);
        x += widths[letter] * current->size;
    }
    settings = before;
    return 0;
}

void graphics_open_text(lua_State *L) {
    static const luaL_Reg methods[] = {
        {"getWidth", get_width}, {"getHeight", get_height}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"setWidths", set_widths}, {"newFont", new_font}, {"setFont", set_font},
        {"getFont", get_font},     {"print", print},      {NULL, NULL},
    };
    current = NULL;
    luaL_newmetatable(L, FONT);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
