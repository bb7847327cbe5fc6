/*
 * host.c: runs a Lua script in a state with an allocator of its own, which counts every byte and
 * can refuse any request.
 *
 *     host SCRIPT [argument ...]
 *
 * The allocator moves a block whenever its size changes, fills new memory with bytes that are not
 * zero, and checks that Lua passes each block's right size. The script has a global table `memory`:
 *
 *     used() -> bytes, lost: bytes that are free again although Lua counts them
 *     call(mode, n, f, ...) -> refused, ok, results or message: calls f while requests for memory
 *         are refused: number n ("once"), that and the next ("twice": Lua from 5.2 on collects
 *         garbage and asks again), all from n on ("on"). refused: the number of refused requests
 *     state(mode, n, source, after) -> refused, ok, message, ok, message, bytes: runs `source` in
 *         the same way in a new state, then `after` with all memory, and closes the state; bytes:
 *         the memory that was left
 *     trim(): the C library returns its free memory to the system, so that the process's resident
 *         memory is the memory in use
 *     data(bytes) -> userdata with getPointer and getSize, as LÖVE's Data
 *
 * The exit code is 1 if the script fails, or if any memory is left after its state is closed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* --- memory --------------------------------------------------------------------------------- */

typedef enum mode { ONCE, TWICE, ON } mode;

typedef struct host {
    size_t bytes;
    size_t blocks;
    size_t lost; /* freed bytes that Lua still counts */
    /* The first request to refuse, counted from the next one, which is 1; or 0 for none. */
    long until;
    mode mode;
    long refused;
} host;

/* A header in front of each block, as large as malloc's alignment. */
typedef struct header {
    size_t size;
    size_t guard;
} header;

static size_t guard_of(const header *h) {
    return (size_t)h ^ (size_t)0xb50ad51de0f0f0f0u;
}

static _Noreturn void die(const char *problem) {
    fprintf(stderr, "host: %s\n", problem);
    abort();
}

/* Lua before 5.4 expects that shrinking a block always succeeds. */
static int may_refuse(const void *block, size_t old_size, size_t new_size) {
    return LUA_VERSION_NUM >= 504 || block == NULL || new_size > old_size;
}

static int refuses(host *m) {
    if (m->until == 0) {
        return 0;
    }
    if (m->until > 1) {
        m->until--;
        return 0;
    }
    m->refused++;
    if (m->mode == ONCE || (m->mode == TWICE && m->refused == 2)) {
        m->until = 0;
    }
    return 1;
}

/*
 * If memory runs out while LuaJIT makes a closure, it leaves one without upvalues, and later frees
 * it with too small a size.
 */
static int is_told_rightly(host *m, const header *h, size_t old_size, size_t new_size) {
#if defined(LUA_JITLIBNAME)
    const size_t least = 40; /* a closure without upvalues */
    if (new_size == 0 && old_size == least && h->size > least && h->size % 8 == 0) {
        m->lost += h->size - old_size;
        return 1;
    }
#else
    (void)m;
    (void)new_size;
#endif
    return h->size == old_size;
}

static void release(host *m, header *h) {
    m->bytes -= h->size;
    m->blocks--;
    memset(h, 0xdd, sizeof *h + h->size);
    free(h);
}

static void *resize(void *ud, void *block, size_t old_size, size_t new_size) {
    host *m = ud;
    header *old = block != NULL ? (header *)block - 1 : NULL;
    if (old != NULL && old->guard != guard_of(old)) {
        die("a block is not one of this host's");
    }
    if (old != NULL && !is_told_rightly(m, old, old_size, new_size)) {
        die("a block's size is not told rightly");
    }
    if (new_size == 0) {
        if (old != NULL) {
            release(m, old);
        }
        return NULL;
    }
    if (may_refuse(block, old_size, new_size) && refuses(m)) {
        return NULL;
    }
    header *h = malloc(sizeof *h + new_size);
    if (h == NULL) {
        return NULL;
    }
    *h = (header){new_size, guard_of(h)};
    memset(h + 1, 0xa5, new_size);
    m->bytes += new_size;
    m->blocks++;
    if (old != NULL) {
        memcpy(h + 1, block, old_size < new_size ? old_size : new_size);
        release(m, old);
    }
    return h + 1;
}

static host *host_of(lua_State *L) {
    void *ud;
    lua_getallocf(L, &ud);
    return ud;
}

static void refuse_from(host *m, mode how, long n) {
    m->mode = how;
    m->refused = 0;
    m->until = n;
}

/* --- what scripts can do -------------------------------------------------------------------- */

static int used(lua_State *L) {
    const host *m = host_of(L);
    lua_pushnumber(L, (lua_Number)m->bytes);
    lua_pushnumber(L, (lua_Number)m->lost);
    return 2;
}

static int trim(lua_State *L) {
    (void)L;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    return 0;
}

static mode check_mode(lua_State *L, int arg) {
    static const char *const names[] = {"once", "twice", "on", NULL};
    return (mode)luaL_checkoption(L, arg, NULL, names);
}

static int call(lua_State *L) {
    host *m = host_of(L);
    mode how = check_mode(L, 1);
    long n = (long)luaL_checkinteger(L, 2);
    luaL_checkany(L, 3);
    luaL_checkstack(L, 250, NULL); /* space for the results of f, and for the call */
    refuse_from(m, how, n);
    int status = lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 0);
    m->until = 0;
    lua_pushboolean(L, status == 0);
    lua_replace(L, 2);
    lua_pushinteger(L, m->refused);
    lua_replace(L, 1);
    return lua_gettop(L);
}

static int open_libraries(lua_State *L) {
    luaL_openlibs(L);
    return 0;
}

/*
 * Makes a state with the libraries, and with this state's paths. Returns NULL if there is no
 * memory.
 */
static lua_State *new_state(host *m) {
    memset(m, 0, sizeof *m);
    lua_State *L = lua_newstate(resize, m);
    if (L == NULL) {
        die("lua_newstate does not take an allocator");
    }
    lua_pushcfunction(L, open_libraries);
    if (lua_pcall(L, 0, 0, 0) != 0) {
        die(lua_tostring(L, -1));
    }
    return L;
}

/* Runs the source, and pushes onto `to` whether it succeeded, and the message. */
static void run(lua_State *L, const char *source, host *m, mode how, long n, lua_State *to) {
    if (luaL_loadstring(L, source) != 0) {
        die(lua_tostring(L, -1));
    }
    refuse_from(m, how, n);
    int status = lua_pcall(L, 0, 0, 0);
    m->until = 0;
    lua_pushboolean(to, status == 0);
    lua_pushstring(to, status == 0 ? "" : lua_tostring(L, -1));
    lua_settop(L, 0);
}

static int state(lua_State *L) {
    host m;
    mode how = check_mode(L, 1);
    long n = (long)luaL_checkinteger(L, 2);
    const char *source = luaL_checkstring(L, 3);
    const char *after = luaL_checkstring(L, 4);
    lua_State *other = new_state(&m);
    run(other, source, &m, how, n, L);
    lua_pushinteger(L, m.refused);
    lua_insert(L, -3);
    run(other, after, &m, ONCE, 0, L);
    lua_close(other);
    lua_pushnumber(L, (lua_Number)m.bytes);
    return 6;
}

static int get_pointer(lua_State *L) {
    lua_pushlightuserdata(L, lua_touserdata(L, 1));
    return 1;
}

static int get_size(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    return 1;
}

static int data(lua_State *L) {
    lua_Integer bytes = luaL_checkinteger(L, 1);
    lua_newuserdata(L, (size_t)bytes);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushcfunction(L, get_pointer);
    lua_setfield(L, -2, "getPointer");
    lua_pushinteger(L, bytes);
    lua_pushcclosure(L, get_size, 1);
    lua_setfield(L, -2, "getSize");
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    return 1;
}

static const struct luaL_Reg functions[] = {{"used", used},   {"trim", trim}, {"call", call},
                                            {"state", state}, {"data", data}, {NULL, NULL}};

/* --- running -------------------------------------------------------------------------------- */

static int with_traceback(lua_State *L) {
    lua_getglobal(L, "debug");
    lua_getfield(L, -1, "traceback");
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

static void publish(lua_State *L, int argc, char **argv) {
    lua_newtable(L);
    for (const struct luaL_Reg *f = functions; f->name != NULL; f++) {
        lua_pushcfunction(L, f->func);
        lua_setfield(L, -2, f->name);
    }
    lua_setglobal(L, "memory");
    lua_newtable(L);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - 1);
    }
    lua_setglobal(L, "arg");
}

int main(int argc, char **argv) {
    host m;
    if (argc < 2) {
        fprintf(stderr, "usage: host SCRIPT [argument ...]\n");
        return 2;
    }
    lua_State *L = new_state(&m);
    publish(L, argc, argv);
    lua_pushcfunction(L, with_traceback);
    int failed = luaL_loadfile(L, argv[1]) != 0 || lua_pcall(L, 0, 0, 1) != 0;
    if (failed) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    }
    lua_close(L);
    if (m.bytes != 0) {
        fprintf(stderr, "host: closing the state leaves %zu bytes in %zu blocks\n", m.bytes,
                m.blocks);
        failed = 1;
    }
    return failed;
}
