/* graphics.c: the functions of love.graphics that examples call. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphics.h"
#include "picture.h"
#include "program.h"

enum { DEPTH = 64, MOST_POINTS = 4096 };

static picture_settings pushed[DEPTH];
static bool pushed_all[DEPTH];
static int depth;

static float number(lua_State *L, int arg) {
    return (float)luaL_checknumber(L, arg);
}

static float number_or(lua_State *L, int arg, float otherwise) {
    return (float)luaL_optnumber(L, arg, otherwise);
}

static bool is_fill(lua_State *L) {
    static const char *const modes[] = {"line", "fill", NULL};
    return luaL_checkoption(L, 1, NULL, modes) == 1;
}

static void outline(bool fills, const float *points, int n) {
    if (fills) {
        picture_fill(points, n);
    } else {
        picture_line(points, n, true);
    }
}

/* --- settings ------------------------------------------------------------------------------- */

static int reset(lua_State *L) {
    static const picture_settings fresh = {
        .transform = {1, 0, 0, 1, 0, 0},
        .color = {1, 1, 1, 1},
        .line_width = 1,
        .scissor = {0, 0, -1, -1},
    };
    (void)L;
    settings = fresh;
    depth = 0;
    return 0;
}

/* Reads a color: three or four numbers, or a table of them. */
static void read_color(lua_State *L, float *color) {
    bool is_table = lua_istable(L, 1);
    for (int i = 0; i < 4; i++) {
        if (is_table) {
            lua_rawgeti(L, 1, i + 1);
        } else {
            lua_pushvalue(L, i + 1);
        }
        color[i] = i < 3 ? number(L, -1) : number_or(L, -1, 1);
        lua_pop(L, 1);
    }
}

static int set_color(lua_State *L) {
    lua_settop(L, 4);
    read_color(L, settings.color);
    return 0;
}

static int get_color(lua_State *L) {
    for (int i = 0; i < 4; i++) {
        lua_pushnumber(L, settings.color[i]);
    }
    return 4;
}

static int set_background(lua_State *L) {
    float color[4];
    lua_settop(L, 4);
    read_color(L, color);
    for (int i = 0; i < 4; i++) {
        float part = color[i] <= 0 ? 0 : color[i] >= 1 ? 1 : color[i];
        picture.background[i] = (uint8_t)(part * 255 + 0.5F);
    }
    return 0;
}

static int set_line_width(lua_State *L) {
    settings.line_width = number(L, 1);
    return 0;
}

static int get_line_width(lua_State *L) {
    lua_pushnumber(L, settings.line_width);
    return 1;
}

static int set_line_style(lua_State *L) {
    static const char *const styles[] = {"smooth", "rough", NULL};
    settings.rough = luaL_checkoption(L, 1, NULL, styles) == 1;
    return 0;
}

static int get_line_style(lua_State *L) {
    lua_pushstring(L, settings.rough ? "rough" : "smooth");
    return 1;
}

static int set_blend_mode(lua_State *L) {
    static const char *const modes[] = {"alpha", "add", NULL};
    settings.adds = luaL_checkoption(L, 1, NULL, modes) == 1;
    return 0;
}

static int set_scissor(lua_State *L) {
    bool is_none = lua_isnoneornil(L, 1);
    for (int i = 0; i < 4; i++) {
        settings.scissor[i] = is_none ? (i < 2 ? 0 : -1) : (int32_t)number(L, i + 1);
    }
    return 0;
}

/* --- the transform -------------------------------------------------------------------------- */

static int push(lua_State *L) {
    static const char *const kinds[] = {"transform", "all", NULL};
    bool all = luaL_checkoption(L, 1, "transform", kinds) == 1;
    if (depth == DEPTH) {
        return luaL_error(L, "too many love.graphics.push without a pop");
    }
    pushed_all[depth] = all;
    pushed[depth++] = settings;
    return 0;
}

static int pop(lua_State *L) {
    if (depth == 0) {
        return luaL_error(L, "love.graphics.pop without a push");
    }
    const picture_settings *before = &pushed[--depth];
    if (pushed_all[depth]) {
        settings = *before;
    } else {
        memcpy(settings.transform, before->transform, sizeof settings.transform);
    }
    return 0;
}

/* Changes the transform so that places are transformed by m first. */
static void multiply(const float *m) {
    float t[6];
    memcpy(t, settings.transform, sizeof t);
    for (int row = 0; row < 2; row++) {
        settings.transform[row] = t[row] * m[0] + t[row + 2] * m[1];
        settings.transform[row + 2] = t[row] * m[2] + t[row + 2] * m[3];
        settings.transform[row + 4] = t[row] * m[4] + t[row + 2] * m[5] + t[row + 4];
    }
}

static int translate(lua_State *L) {
    multiply((float[6]){1, 0, 0, 1, number(L, 1), number(L, 2)});
    return 0;
}

static int scale(lua_State *L) {
    float x = number(L, 1);
    multiply((float[6]){x, 0, 0, number_or(L, 2, x), 0, 0});
    return 0;
}

static int rotate(lua_State *L) {
    float angle = number(L, 1), c = cosf(angle), s = sinf(angle);
    multiply((float[6]){c, s, -s, c, 0, 0});
    return 0;
}

static int shear(lua_State *L) {
    multiply((float[6]){1, number(L, 2), number(L, 1), 1, 0, 0});
    return 0;
}

static int origin(lua_State *L) {
    (void)L;
    memcpy(settings.transform, (float[6]){1, 0, 0, 1, 0, 0}, sizeof settings.transform);
    return 0;
}

static int transform_point(lua_State *L) {
    float x = number(L, 1), y = number(L, 2);
    const float *t = settings.transform;
    lua_pushnumber(L, t[0] * x + t[2] * y + t[4]);
    lua_pushnumber(L, t[1] * x + t[3] * y + t[5]);
    return 2;
}

void graphics_place(lua_State *L, int arg) {
    float angle = number_or(L, arg + 2, 0), c = cosf(angle), s = sinf(angle);
    float sx = number_or(L, arg + 3, 1), sy = number_or(L, arg + 4, sx);
    float ox = number_or(L, arg + 5, 0), oy = number_or(L, arg + 6, 0);
    multiply((float[6]){c, s, -s, c, number_or(L, arg, 0), number_or(L, arg + 1, 0)});
    multiply((float[6]){sx, 0, 0, sy, 0, 0});
    multiply((float[6]){1, 0, 0, 1, -ox, -oy});
}

/* --- shapes --------------------------------------------------------------------------------- */

/* Returns how many corners make an ellipse look round at its size on the screen. */
static int corners_of(float rx, float ry) {
    const float *t = settings.transform;
    float grown = sqrtf(fabsf(t[0] * t[3] - t[1] * t[2]));
    float n = sqrtf((fabsf(rx) + fabsf(ry)) / 2 * 20 * grown);
    return n < 8 ? 8 : n > 256 ? 256 : (int)n;
}

/*
 * Writes points around a middle, from one angle to another, including both. Returns their number.
 */
static int put_arc(float *points, int n, const float *middle, const float *radii, float from,
                   float to) {
    for (int i = 0; i < n; i++) {
        float angle = from + (to - from) * (float)i / (float)(n > 1 ? n - 1 : 1);
        points[2 * i] = middle[0] + radii[0] * cosf(angle);
        points[2 * i + 1] = middle[1] + radii[1] * sinf(angle);
    }
    return n;
}

static void ellipse_at(lua_State *L, const float *middle, const float *radii, int arg) {
    float points[2 * 260];
    bool fills = is_fill(L);
    lua_Integer n = luaL_optinteger(L, arg, corners_of(radii[0], radii[1]));
    n = n < 3 ? 3 : n > 256 ? 256 : n;
    float full = 6.2831853F * (float)(n - 1) / (float)n;
    put_arc(points, (int)n, middle, radii, 0, full);
    outline(fills, points, (int)n);
}

static int circle(lua_State *L) {
    float r = number(L, 4);
    ellipse_at(L, (float[2]){number(L, 2), number(L, 3)}, (float[2]){r, r}, 5);
    return 0;
}

static int ellipse(lua_State *L) {
    float rx = number(L, 4);
    ellipse_at(L, (float[2]){number(L, 2), number(L, 3)}, (float[2]){rx, number_or(L, 5, rx)}, 6);
    return 0;
}

static int rectangle(lua_State *L) {
    bool fills = is_fill(L);
    float x = number(L, 2), y = number(L, 3), w = number(L, 4), h = number(L, 5);
    float rx = fminf(number_or(L, 6, 0), fabsf(w) / 2);
    float ry = fminf(number_or(L, 7, rx), fabsf(h) / 2);
    if (!(rx > 0 && ry > 0)) {
        outline(fills, (float[8]){x, y, x + w, y, x + w, y + h, x, y + h}, 4);
        return 0;
    }
    float points[2 * 4 * 66];
    int each = corners_of(rx, ry) / 4 + 2, n = 0;
    each = each > 66 ? 66 : each;
    const float quarter = 1.57079633F, radii[2] = {rx, ry};
    const float xs[2] = {x + w - rx, x + rx}, ys[2] = {y + h - ry, y + ry};
    for (int i = 0; i < 4; i++) {
        float middle[2] = {xs[i == 1 || i == 2], ys[i >= 2]};
        n += put_arc(points + 2 * n, each, middle, radii, (float)i * quarter,
                     (float)(i + 1) * quarter);
    }
    outline(fills, points, n);
    return 0;
}

/* Reads numbers from `arg` on, or from a table there. Returns the number of points. */
static int read_points(lua_State *L, int arg, float *points) {
    bool is_table = lua_istable(L, arg);
    int n = is_table ? (int)lua_rawlen(L, arg) : lua_gettop(L) - arg + 1;
    luaL_argcheck(L, n % 2 == 0 && n >= 4, arg, "an even number of coordinates expected");
    luaL_argcheck(L, n <= 2 * MOST_POINTS, arg, "too many points");
    for (int i = 0; i < n; i++) {
        if (is_table) {
            lua_rawgeti(L, arg, i + 1);
            points[i] = number(L, -1);
            lua_pop(L, 1);
        } else {
            points[i] = number(L, arg + i);
        }
    }
    return n / 2;
}

static float read[2 * MOST_POINTS];

static int polygon(lua_State *L) {
    bool fills = is_fill(L);
    outline(fills, read, read_points(L, 2, read));
    return 0;
}

static int line(lua_State *L) {
    picture_line(read, read_points(L, 1, read), false);
    return 0;
}

int web_open_graphics(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"reset", reset},
        {"setColor", set_color},
        {"getColor", get_color},
        {"setBackgroundColor", set_background},
        {"setLineWidth", set_line_width},
        {"getLineWidth", get_line_width},
        {"setLineStyle", set_line_style},
        {"getLineStyle", get_line_style},
        {"setBlendMode", set_blend_mode},
        {"setScissor", set_scissor},
        {"push", push},
        {"pop", pop},
        {"translate", translate},
        {"scale", scale},
        {"rotate", rotate},
        {"shear", shear},
        {"origin", origin},
        {"transformPoint", transform_point},
        {"circle", circle},
        {"ellipse", ellipse},
        {"rectangle", rectangle},
        {"polygon", polygon},
        {"line", line},
        {NULL, NULL},
    };
    luaL_newlib(L, functions);
    graphics_open_objects(L);
    graphics_open_text(L);
    reset(L);
    return 1;
}
