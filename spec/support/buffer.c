/*
 * buffer.c: memory to which pool:write and world:writeRects write in specs. It declares the parts
 * of Lua's API that it needs, so it needs no headers of the Lua that runs the specs.
 */
typedef struct lua_State lua_State;
extern void lua_pushlightuserdata(lua_State *L, void *p);
extern void lua_pushvalue(lua_State *L, int index);
extern void lua_pushnumber(lua_State *L, double n);
extern int lua_getmetatable(lua_State *L, int index);
extern void lua_pushstring(lua_State *L, const char *s);
/* Some versions return a value, which is not needed. */
extern void lua_rawget(lua_State *L, int index);

enum { FLOATS = 1 << 16 };

static float memory[FLOATS];
static int at;

/* The memory, filled with -1. */
int buffer_pointer(lua_State *L);
int buffer_pointer(lua_State *L) {
    for (int i = 0; i < FLOATS; i++) {
        memory[i] = -1;
    }
    at = 0;
    lua_pushlightuserdata(L, memory);
    return 1;
}

/* A pointer that is not aligned for floats: one byte after the beginning of the memory. */
int buffer_unaligned(lua_State *L);
int buffer_unaligned(lua_State *L) {
    buffer_pointer(L);
    lua_pushlightuserdata(L, (char *)memory + 1);
    return 1;
}

/* No memory: a null pointer. */
int buffer_null(lua_State *L);
int buffer_null(lua_State *L) {
    buffer_pointer(L);
    lua_pushlightuserdata(L, (void *)0);
    return 1;
}

/* Memory that belongs to Lua: the object itself. */
int buffer_itself(lua_State *L);
int buffer_itself(lua_State *L) {
    buffer_pointer(L);
    lua_pushvalue(L, 1);
    return 1;
}

/* The size that the metatable gives. */
int buffer_size(lua_State *L);
int buffer_size(lua_State *L) {
    if (!lua_getmetatable(L, 1)) {
        return 0;
    }
    lua_pushstring(L, "size");
    lua_rawget(L, -2);
    return 1;
}

/* Returns one float after the other. */
int buffer_next(lua_State *L);
int buffer_next(lua_State *L) {
    lua_pushnumber(L, (double)memory[at++ % FLOATS]);
    return 1;
}
