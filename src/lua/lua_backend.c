#include "lua_backend.h"
#include "module.h"
#include "results.h"

#include <string.h>

/* --- making --------------------------------------------------------------------------------- */

/* Pushes a Backend that belongs to no world. May run Lua code. */
static bsl_backend *make(lua_State *L, const char *name, const bs_settings *settings) {
    bsl_backend *backend = bsl_new_userdata(L, sizeof *backend);
    memset(backend, 0, sizeof *backend);
    backend->magic = BSL_BACKEND_MAGIC;
    strncpy(backend->name, name, sizeof backend->name - 1);
    backend->settings = *settings;
    bsl_set_metatable(L, BSL_BACKEND_META);
    lua_createtable(L, 1, 0);
    lua_pushboolean(L, 0); /* a place for its World */
    lua_rawseti(L, -2, 1);
    bsl_set_metatable(L, BSL_WEAK_META);
    bsl_set_uservalue(L, -2);
    return backend;
}

static const bs_settings defaults = {.axis = 0, .cell_size = 0, .margin = -1};

static int new_backend(lua_State *L, const char *name, const bsl_option *options) {
    bs_settings settings = defaults;
    bsl_check_options(L, 1, options, &settings);
    make(L, name, &settings);
    return 1;
}

static const bsl_option no_options[] = {{NULL, NULL, 0, NULL}};

static const char *read_axis(lua_State *L, void *field) {
    int64_t number = 0;
    if (lua_type(L, -1) == LUA_TSTRING) {
        const char *name = bsl_to_name(L, -1);
        number = name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0' ? 1 + (name[0] - 'x') : 0;
    } else if (!bsl_to_integer(L, -1, &number)) {
        number = 0;
    }
    *(int *)field = number >= 1 && number <= 3 ? (int)number : 0;
    return *(int *)field > 0 ? NULL : "1, 2, 3, 'x', 'y' or 'z'";
}

static const char *read_cell_size(lua_State *L, void *field) {
    const char *wrong = bsl_read_number(L, field);
    return wrong != NULL || *(double *)field > 0 ? wrong : "number > 0";
}

static const char *read_margin(lua_State *L, void *field) {
    const char *wrong = bsl_read_number(L, field);
    return wrong != NULL || *(double *)field >= 0 ? wrong : "number >= 0";
}

static const bsl_option sweep_rows[] = {
    {"axis", read_axis, offsetof(bs_settings, axis), NULL},
    {NULL, NULL, 0, NULL},
};

static const bsl_option grid_rows[] = {
    {"cellSize", read_cell_size, offsetof(bs_settings, cell_size), NULL},
    {NULL, NULL, 0, NULL},
};

static const bsl_option tree_rows[] = {
    {"margin", read_margin, offsetof(bs_settings, margin), NULL},
    {NULL, NULL, 0, NULL},
};

/* newBrute() -> Backend: all boxes against all. */
static int new_brute(lua_State *L) {
    return new_backend(L, "brute", no_options);
}

/*
 * newSweep{axis?} -> Backend: sweep and prune along 1, 2, 3 or "x", "y", "z"; chosen if left out.
 */
static int new_sweep(lua_State *L) {
    return new_backend(L, "sweep", sweep_rows);
}

/* newGrid{cellSize?} -> Backend: a hash grid; cellSize > 0, chosen if it is left out. */
static int new_grid(lua_State *L) {
    return new_backend(L, "grid", grid_rows);
}

/* newTree{margin?} -> Backend: dynamic AABB tree; margin >= 0 of fat boxes, chosen if left out. */
static int new_tree(lua_State *L) {
    return new_backend(L, "tree", tree_rows);
}

/* newAuto() -> Backend: a tree, and a grid beside it while casts pay for it. */
static int new_auto(lua_State *L) {
    return new_backend(L, "auto", no_options);
}

/* --- belonging to a world ------------------------------------------------------------------- */

static const bsl_backend *named(lua_State *L, bsl_place place, int value,
                                const bs_backend_type **type) {
    *type = bs_backend_find(bsl_to_name(L, value));
    if (*type == NULL) {
        bsl_bad(L, place, "unknown back end '%.60s': auto, brute, sweep, grid or tree expected",
                lua_tostring(L, value));
    }
    return make(L, bs_backend_name(*type), &defaults);
}

bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_place place, int value,
                            const bs_backend_type **type) {
    if (lua_type(L, value) == LUA_TSTRING) {
        named(L, place, value, type);
        return bsl_to_backend(L, -1);
    }
    bsl_backend *backend = bsl_to_backend(L, value);
    if (backend == NULL) {
        bsl_expected(L, place, value, "name of a back end or Backend");
    }
    const void *owner = bsl_backend_owner(L, value);
    if (owner != NULL && owner != w) {
        bsl_bad(L, place, "this Backend already belongs to a world");
    }
    if (backend->settings.axis > DIM) {
        bsl_bad(L, place, "a sweep along z needs a world with dim = 3");
    }
    *type = bs_backend_find(backend->name);
    lua_pushvalue(L, value);
    return backend;
}

/* Pushes the table that refers to its World; false if the debug library has taken it away. */
static bool push_reference(lua_State *L, int index) {
    bsl_get_uservalue(L, index);
    return lua_istable(L, -1);
}

/*
 * A Backend does not keep its world alive: it is free again once that has been collected. So the
 * World is looked up each time, in a weak table.
 */
const void *bsl_backend_owner(lua_State *L, int index) {
    const void *owner = NULL;
    if (push_reference(L, index)) {
        bsl_rawgeti(L, -1, 1);
        owner = lua_touserdata(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return owner;
}

void bsl_attach_backend(lua_State *L, int world, int index) {
    bsl_backend *backend = bsl_to_backend(L, index);
    backend->gather = bsl_gather_figures;
    if (push_reference(L, index)) {
        lua_pushvalue(L, world);
        lua_rawseti(L, -2, 1);
    }
    lua_pop(L, 1);
}

void bsl_detach_backend(lua_State *L, const bsl_world *w, int index) {
    if (bsl_to_backend(L, index) == NULL || bsl_backend_owner(L, index) != w) {
        return;
    }
    push_reference(L, index);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
}

/* --- figures -------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/*
 * Each kind of back end has its own figures; auto has those of what it uses. Both parts together:
 * counts are sums, the height and the area ratio those of the worse part; what there is only one of
 * is told of the part with more boxes.
 */
static void set_figures(lua_State *L, const char *name, const bs_stats *d, const bs_stats *s) {
    const bs_stats *main = s->boxes > d->boxes ? s : d;
    bool tree = strcmp(name, "tree") == 0 || (strcmp(name, "auto") == 0 && main->height > 0);
    bool grid = strcmp(name, "grid") == 0;
    bool sweep = strcmp(name, "sweep") == 0;
    if (tree || grid) {
        bsl_set_count(L, "nodes", d->nodes + s->nodes);
    }
    if (tree) {
        bsl_set_count(L, "height", larger(d->height, s->height));
        bsl_set_number(L, "areaRatio", fmax(d->area_ratio, s->area_ratio));
    }
    if (grid) {
        bsl_set_count(L, "cells", d->cells + s->cells);
        bsl_set_number(L, "cellSize", main->cell_size);
        bsl_set_count(L, "resting", d->resting + s->resting);
    }
    if (sweep) {
        bsl_set_count(L, "axis", (size_t)main->axis);
    }
    if (tree || grid || sweep) {
        bsl_set_count(L, "rebuilds", d->rebuilds + s->rebuilds);
    }
    if (main->now_used != NULL) {
        lua_pushstring(L, main->now_used);
        lua_setfield(L, -2, "using");
    }
}

void bsl_gather_figures(lua_State *L, int world, bsl_figures *out) {
    const bsl_world *w = bsl_to_world(L, world);
    memset(out, 0, sizeof *out);
    if (w != NULL && w->core != NULL) {
        bs_world_stats(w->core, &out->dynamic_part, &out->static_part);
        out->memory = bs_world_memory(w->core);
    }
}

void bsl_push_figures(lua_State *L, const char *name, const bsl_figures *figures) {
    const bs_stats *d = &figures->dynamic_part;
    const bs_stats *s = &figures->static_part;
    lua_createtable(L, 0, 12);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "backend");
    bsl_set_count(L, "boxes", d->boxes + s->boxes);
    bsl_set_count(L, "dynamic", d->boxes);
    bsl_set_count(L, "static", s->boxes);
    bsl_set_count(L, "memory", figures->memory);
    set_figures(L, name, d, s);
}

/* --- methods -------------------------------------------------------------------------------- */

static bsl_backend *self_backend(lua_State *L) {
    bsl_backend *backend = bsl_to_backend(L, 1);
    if (backend == NULL) {
        bsl_not_self(L, "Backend");
    }
    return backend;
}

/* backend:getName() -> "brute", "sweep", "grid", "tree" or "auto" */
static int get_name(lua_State *L) {
    lua_pushstring(L, self_backend(L)->name);
    return 1;
}

/* backend:stats() -> table, as world:stats(); all zeros while it belongs to no world. */
static int stats(lua_State *L) {
    const bsl_backend *backend = self_backend(L);
    bsl_figures figures;
    memset(&figures, 0, sizeof figures);
    if (bsl_backend_owner(L, 1) != NULL && backend->gather != NULL && push_reference(L, 1)) {
        bsl_rawgeti(L, -1, 1);
        backend->gather(L, lua_gettop(L), &figures);
    }
    bsl_push_figures(L, backend->name, &figures);
    return 1;
}

static int to_string(lua_State *L) {
    lua_pushfstring(L, "Backend (%s)", self_backend(L)->name);
    return 1;
}

const luaL_Reg bsl_backend_functions[] = {
    {"newBrute", new_brute}, {"newSweep", new_sweep}, {"newGrid", new_grid},
    {"newTree", new_tree},   {"newAuto", new_auto},   {NULL, NULL},
};

const luaL_Reg bsl_backend_methods[] = {{"getName", get_name}, {"stats", stats}, {NULL, NULL}};

const luaL_Reg bsl_backend_metamethods[] = {{"__tostring", to_string}, {NULL, NULL}};
