/*
 * objects.c: meshes, images, and the two shaders of broadside.draw. Instances are drawn as
 * triangles that are computed here.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graphics.h"
#include "picture.h"
#include "program.h"

static const char MESH[] = "web.Mesh", IMAGE[] = "web.Image", SHADER[] = "web.Shader";

enum { FAN, STRIP, TRIANGLES, POINTS, TAGS = 17, FLOATS = 8, MOST_ROWS = 1000000 };

typedef struct {
    uint32_t texture, w, h;
} image_object;

/* Holds vertices {x, y, u, v, r, g, b, a}, or rows for instances. */
typedef struct {
    int mode, count, floats;
    uint32_t texture;
    bool is_attached; /* rows for instances, which are the first uservalue */
    float values[];
} mesh_object;

typedef struct {
    bool is_of_movers, turns;
    float sizes[TAGS][2], colors[TAGS][4];
} shader_object;

static shader_object *current; /* kept alive by the registry */

/* --- images --------------------------------------------------------------------------------- */

/* newImageOf(w, h, bytes), with four bytes for each pixel. */
static int new_image(lua_State *L) {
    lua_Integer w = luaL_checkinteger(L, 1), h = luaL_checkinteger(L, 2);
    size_t length;
    const char *bytes = luaL_checklstring(L, 3, &length);
    luaL_argcheck(L, w > 0 && w <= 4096 && h > 0 && h <= 4096, 1, "at most 4096 by 4096 pixels");
    luaL_argcheck(L, length == (size_t)(4 * w * h), 3, "four bytes a pixel expected");
    image_object *image = lua_newuserdatauv(L, sizeof *image, 0);
    uint8_t *copy = malloc(length);
    if (copy == NULL) {
        return luaL_error(L, "not enough memory");
    }
    memcpy(copy, bytes, length);
    image->w = (uint32_t)w;
    image->h = (uint32_t)h;
    image->texture = picture_new_texture(image->w, image->h, 0, copy);
    luaL_setmetatable(L, IMAGE);
    return 1;
}

static int image_width(lua_State *L) {
    lua_pushinteger(L, ((image_object *)luaL_checkudata(L, 1, IMAGE))->w);
    return 1;
}

static int image_height(lua_State *L) {
    lua_pushinteger(L, ((image_object *)luaL_checkudata(L, 1, IMAGE))->h);
    return 1;
}

static void draw_image(const image_object *image) {
    if (!picture_reserve(image->texture, 4, 2)) {
        return;
    }
    float w = (float)image->w, h = (float)image->h;
    picture_corner(0, 0, 0, 0);
    picture_corner(w, 0, 1, 0);
    picture_corner(w, h, 1, 1);
    picture_corner(0, h, 0, 1);
    picture_triangle(0, 1, 2);
    picture_triangle(0, 2, 3);
}

/* --- meshes --------------------------------------------------------------------------------- */

static int mode_at(lua_State *L, int arg) {
    static const char *const modes[] = {"fan", "strip", "triangles", "points", NULL};
    return luaL_checkoption(L, arg, "fan", modes);
}

static mesh_object *new_object(lua_State *L, int count, int floats, int mode) {
    size_t size = sizeof(mesh_object) + sizeof(float) * (size_t)count * (size_t)floats;
    mesh_object *mesh = lua_newuserdatauv(L, size, 1);
    memset(mesh, 0, size);
    mesh->mode = mode;
    mesh->count = count;
    mesh->floats = floats;
    luaL_setmetatable(L, MESH);
    return mesh;
}

/*
 * newMesh(format, count, mode) makes a mesh of rows. An item of the format is {name, "float",
 * components}.
 */
static int new_rows(lua_State *L) {
    lua_Integer count = luaL_checkinteger(L, 2);
    luaL_argcheck(L, count > 0 && count <= MOST_ROWS, 2, "too many vertices");
    int floats = 0, mode = mode_at(L, 3);
    for (int i = 1; i <= (int)lua_rawlen(L, 1); i++) {
        lua_rawgeti(L, 1, i);
        luaL_checktype(L, -1, LUA_TTABLE);
        lua_rawgeti(L, -1, 3);
        floats += (int)luaL_checkinteger(L, -1);
        lua_pop(L, 2);
    }
    luaL_argcheck(L, floats > 0 && floats <= 64, 1, "a format of floats expected");
    new_object(L, (int)count, floats, mode);
    return 1;
}

static void read_vertex(lua_State *L, int table, int row, float *vertex) {
    lua_rawgeti(L, table, row);
    luaL_checktype(L, -1, LUA_TTABLE);
    for (int k = 0; k < FLOATS; k++) {
        lua_rawgeti(L, -1, k + 1);
        vertex[k] = (float)luaL_optnumber(L, -1, k < 4 ? 0 : 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int new_mesh(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_isnumber(L, 2)) {
        return new_rows(L);
    }
    int n = (int)lua_rawlen(L, 1);
    luaL_argcheck(L, n > 0 && n <= MOST_ROWS, 1, "vertices expected");
    mesh_object *mesh = new_object(L, n, FLOATS, mode_at(L, 2));
    for (int i = 0; i < n; i++) {
        read_vertex(L, 1, i + 1, mesh->values + FLOATS * i);
    }
    return 1;
}

static mesh_object *check_mesh(lua_State *L, int arg) {
    return luaL_checkudata(L, arg, MESH);
}

/* mesh:setVertices(data, start, count), where the data come from love.data.newByteData. */
static int set_vertices(lua_State *L) {
    mesh_object *mesh = check_mesh(L, 1);
    const void *data = luaL_checkudata(L, 2, "web.ByteData");
    lua_Integer start = luaL_optinteger(L, 3, 1), count = luaL_optinteger(L, 4, mesh->count);
    size_t row = sizeof(float) * (size_t)mesh->floats;
    luaL_argcheck(L, start >= 1 && count >= 0 && start - 1 + count <= mesh->count, 4,
                  "more than the mesh has");
    luaL_argcheck(L, (size_t)count * row <= lua_rawlen(L, 2), 2, "more than the data has");
    memcpy(mesh->values + (start - 1) * mesh->floats, data, (size_t)count * row);
    return 0;
}

static int attach(lua_State *L) {
    mesh_object *mesh = check_mesh(L, 1);
    check_mesh(L, 3);
    mesh->is_attached = true;
    lua_settop(L, 3);
    lua_setiuservalue(L, 1, 1);
    return 0;
}

static int set_texture(lua_State *L) {
    mesh_object *mesh = check_mesh(L, 1);
    mesh->texture =
        lua_isnoneornil(L, 2) ? 0 : ((image_object *)luaL_checkudata(L, 2, IMAGE))->texture;
    return 0;
}

static void put_triangles(int mode, int count) {
    for (int i = 0; i + 2 < count; i += mode == TRIANGLES ? 3 : 1) {
        picture_triangle(mode == FAN ? 0 : i, i + 1, i + 2);
    }
}

static int triangles_of(int mode, int count) {
    return count < 3 || mode == POINTS ? 0 : mode == TRIANGLES ? count / 3 : count - 2;
}

static void draw_mesh(const mesh_object *mesh) {
    int triangles = triangles_of(mesh->mode, mesh->count);
    if (triangles == 0 || mesh->floats != FLOATS ||
        !picture_reserve(mesh->texture, mesh->count, triangles)) {
        return;
    }
    for (int i = 0; i < mesh->count; i++) {
        const float *vertex = mesh->values + FLOATS * i;
        picture_colored(vertex[0], vertex[1], vertex[2], vertex[3], vertex + 4);
    }
    put_triangles(mesh->mode, mesh->count);
}

/* draw(image or mesh, x, y, angle, sx, sy, ox, oy) */
static int draw(lua_State *L) {
    const mesh_object *mesh = luaL_testudata(L, 1, MESH);
    const image_object *image = mesh != NULL ? NULL : luaL_checkudata(L, 1, IMAGE);
    picture_settings before = settings;
    graphics_place(L, 2);
    if (mesh != NULL) {
        draw_mesh(mesh);
    } else {
        draw_image(image);
    }
    settings = before;
    return 0;
}

/* --- the shaders of broadside.draw ---------------------------------------------------------- */

static int new_shader(lua_State *L) {
    const char *source = luaL_checkstring(L, 1);
    bool is_of_movers = strstr(source, "attribute vec2 MoverPlace;") != NULL;
    if (!is_of_movers && strstr(source, "attribute vec2 BoxPlace;") == NULL) {
        return luaL_error(L, "there are no shaders here but those of broadside.draw");
    }
    shader_object *shader = lua_newuserdatauv(L, sizeof *shader, 0);
    memset(shader, 0, sizeof *shader);
    shader->is_of_movers = is_of_movers;
    luaL_setmetatable(L, SHADER);
    return 1;
}

static void read_list(lua_State *L, int arg, int n, float *out) {
    luaL_checktype(L, arg, LUA_TTABLE);
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, arg, i + 1);
        out[i] = (float)luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
}

/* shader:send(name, ...), and also shader:sendColor. */
static int send(lua_State *L) {
    shader_object *shader = luaL_checkudata(L, 1, SHADER);
    const char *name = luaL_checkstring(L, 2);
    if (strcmp(name, "Turned") == 0) {
        shader->turns = luaL_checknumber(L, 3) > 0;
        return 0;
    }
    for (int tag = 0; tag < TAGS; tag++) {
        if (strcmp(name, "Sizes") == 0) {
            read_list(L, 3 + tag, 2, shader->sizes[tag]);
        } else {
            read_list(L, 3 + tag, 4, shader->colors[tag]);
        }
    }
    return 0;
}

static int set_shader(lua_State *L) {
    lua_settop(L, 1);
    current = lua_isnil(L, 1) ? NULL : luaL_checkudata(L, 1, SHADER);
    lua_setfield(L, LUA_REGISTRYINDEX, "web.current");
    return 0;
}

static int get_shader(lua_State *L) {
    if (current == NULL) {
        lua_pushnil(L);
    } else {
        lua_getfield(L, LUA_REGISTRYINDEX, "web.current");
    }
    return 1;
}

static void put_box(const mesh_object *mesh, const float *row) {
    static const float white[4] = {1, 1, 1, 1};
    for (int i = 0; i < mesh->count; i++) {
        const float *corner = mesh->values + FLOATS * i;
        picture_colored(row[0] + corner[0] * row[2], row[1] + corner[1] * row[3], corner[2],
                        corner[3], white);
    }
}

/* Draws a mover as the shader in draw.lua does. */
static void put_mover(const mesh_object *mesh, const float *row, const shader_object *shader) {
    int tag = row[4] > -0.5F && row[4] < 15.5F ? (int)(row[4] + 0.5F) : TAGS - 1;
    float speed = sqrtf(row[2] * row[2] + row[3] * row[3]);
    bool turns = shader->turns && speed > 0;
    float along[2] = {turns ? row[2] / speed : 1, turns ? row[3] / speed : 0};
    for (int i = 0; i < mesh->count; i++) {
        const float *corner = mesh->values + FLOATS * i;
        float x = (corner[0] - 0.5F) * shader->sizes[tag][0];
        float y = (corner[1] - 0.5F) * shader->sizes[tag][1];
        picture_colored(row[0] + x * along[0] - y * along[1], row[1] + x * along[1] + y * along[0],
                        corner[2], corner[3], shader->colors[tag]);
    }
}

static int draw_instanced(lua_State *L) {
    const mesh_object *mesh = check_mesh(L, 1);
    lua_Integer n = luaL_checkinteger(L, 2);
    if (current == NULL || !mesh->is_attached) {
        return luaL_error(L, "drawInstanced is for broadside.draw alone here");
    }
    lua_getiuservalue(L, 1, 1);
    const mesh_object *rows = check_mesh(L, -1);
    luaL_argcheck(L, n <= rows->count && rows->floats == (current->is_of_movers ? 5 : 4), 2,
                  "rows of broadside.draw expected");
    int triangles = triangles_of(mesh->mode, mesh->count);
    for (int i = 0; i < n && picture_reserve(mesh->texture, mesh->count, triangles); i++) {
        const float *row = rows->values + rows->floats * i;
        if (current->is_of_movers) {
            put_mover(mesh, row, current);
        } else {
            put_box(mesh, row);
        }
        put_triangles(mesh->mode, mesh->count);
    }
    return 0;
}

/* -------------------------------------------------------------------------------------------- */

static void new_class(lua_State *L, const char *name, const luaL_Reg *methods) {
    luaL_newmetatable(L, name);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

void graphics_open_objects(lua_State *L) {
    static const luaL_Reg image[] = {
        {"getWidth", image_width}, {"getHeight", image_height}, {NULL, NULL}};
    static const luaL_Reg mesh[] = {{"setVertices", set_vertices},
                                    {"attachAttribute", attach},
                                    {"setTexture", set_texture},
                                    {NULL, NULL}};
    static const luaL_Reg shader[] = {{"send", send}, {"sendColor", send}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"newImageOf", new_image},         {"newMesh", new_mesh},
        {"newShader", new_shader},         {"setShader", set_shader},
        {"getShader", get_shader},         {"draw", draw},
        {"drawInstanced", draw_instanced}, {NULL, NULL},
    };
    current = NULL;
    new_class(L, IMAGE, image);
    new_class(L, MESH, mesh);
    new_class(L, SHADER, shader);
    luaL_setfuncs(L, functions, 0);
}
