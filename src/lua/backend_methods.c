/* backend_methods.c: how Backends are made, how they belong to a World, and their figures. */
#include "module.h"
#include "results.h"

#include <string.h>

/* --- figures -------------------------------------------------------------------------------- */

/*
 * Each kind of back end has its own figures; auto has those of the structure that it uses. Figures
 * of the dynamic and static parts are joined: counts are added; height and area ratio are those of
 * the worse part. The rest cannot be joined, and comes from the part with more boxes.
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
        bsl_set_count(L, "height", d->height > s->height ? d->height : s->height);
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

/* All are 0 without a World. They are read first: a finaliser may then replace the Backend. */
static int push_figures(lua_State *L, const bsl_backend *backend) {
    const char *name = backend->name;
    const bsl_world *w = backend->world;
    const bs_world *core = w != NULL ? w->core : NULL;
    bs_stats d = {0};
    bs_stats s = {0};
    if (core != NULL) {
        bs_world_stats(core, &d, &s);
    }
    size_t memory = core != NULL ? bs_world_memory(core) : 0;
    lua_createtable(L, 0, 12);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "backend");
    bsl_set_count(L, "boxes", d.boxes + s.boxes);
    bsl_set_count(L, "dynamic", d.boxes);
    bsl_set_count(L, "static", s.boxes);
    bsl_set_count(L, "memory", memory);
    set_figures(L, name, &d, &s);
    return 1;
}

/* --- making --------------------------------------------------------------------------------- */

static const bs_settings defaults = {.axis = 0, .cell_size = 0, .margin = -1};

/* Pushes a Backend that belongs to no world. May run Lua code. */
static bsl_backend *make(lua_State *L, const char *name, const bs_settings *settings) {
    bsl_backend *backend = bsl_new(L, BSL_BACKEND_CLASS, sizeof *backend);
    backend->name = name;
    backend->settings = *settings;
    backend->push_figures = push_figures;
    return backend;
}

static const char *read_axis(lua_State *L, void *field) {
    static const char *const names[] = {"x", "y", "z"};
    int64_t number = 0;
    if (lua_type(L, -1) == LUA_TSTRING) {
        number = 1 + bsl_find_name(L, -1, names, 3);
    } else {
        (void)bsl_to_integer(L, -1, &number);
    }
    *(int *)field = number >= 1 && number <= 3 ? (int)number : 0;
    return *(int *)field > 0 ? NULL : "1, 2, 3, 'x', 'y' or 'z'";
}

static const char *read_cell_size(lua_State *L, void *field) {
    const char *wrong = bsl_read_number(L, field);
    return wrong != NULL || *(double *)field > 0 ? wrong : "number > 0";
}

static const bsl_option no_rows[] = {{NULL, NULL, 0, NULL}};

static const bsl_option sweep_rows[] = {
    {"axis", read_axis, offsetof(bs_settings, axis), NULL},
    {NULL, NULL, 0, NULL},
};

static const bsl_option grid_rows[] = {
    {"cellSize", read_cell_size, offsetof(bs_settings, cell_size), NULL},
    {NULL, NULL, 0, NULL},
};

static const bsl_option tree_rows[] = {
    {"margin", bsl_read_amount, offsetof(bs_settings, margin), NULL},
    {NULL, NULL, 0, NULL},
};

#define MAKER(name, rows)                                                                          \
    static int new_##name(lua_State *L) {                                                          \
        bs_settings settings = defaults;                                                           \
        bsl_check_options(L, 1, rows, &settings);                                                  \
        make(L, #name, &settings);                                                                 \
        return 1;                                                                                  \
    }

/* newBrute() -> Backend: tests all boxes against all. */
MAKER(brute, no_rows)
/* newSweep{axis?} -> Backend: sweep and prune along 1, 2, 3 or "x", "y", "z" (its own choice). */
MAKER(sweep, sweep_rows)
/* newGrid{cellSize?} -> Backend: a hash grid. cellSize > 0 (its own choice). */
MAKER(grid, grid_rows)
/* newTree{margin?} -> Backend: a dynamic AABB tree. margin >= 0 of fat AABBs (its own choice). */
MAKER(tree, tree_rows)
/* newAuto() -> Backend: a tree, and a grid as long as casts save more than the grid costs. */
MAKER(auto, no_rows)

/* --- belonging to a world ------------------------------------------------------------------- */

/* Replaces the name of a back end at stack index `value` by a new Backend. */
static void make_named(lua_State *L, bsl_where where, int value) {
    const bs_backend_type *type = bs_backend_find(bsl_to_name(L, value));
    if (type == NULL) {
        bsl_bad(L, where, "unknown back end '%.60s': auto, brute, sweep, grid or tree expected",
                lua_tostring(L, value));
    }
    make(L, bs_backend_name(type), &defaults);
    lua_replace(L, value);
}

bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_where where, int value) {
    if (lua_type(L, value) == LUA_TSTRING) {
        make_named(L, where, value);
    }
    bsl_backend *backend = bsl_block(L, value, BSL_BACKEND_CLASS);
    if (backend == NULL) {
        bsl_expected(L, where, value, "name of a back end or Backend");
    }
    if (backend->world != NULL && backend->world != w) {
        bsl_bad(L, where, "this Backend already belongs to a world");
    }
    if (backend->settings.axis > DIM) {
        bsl_bad(L, where, "a sweep along z needs a world with dim = 3");
    }
    return backend;
}

void bsl_attach_backend(bsl_world *w, bsl_backend *backend) {
    if (w->backend != NULL) {
        w->backend->world = NULL;
    }
    w->backend = backend;
    backend->world = w;
    backend->push_figures = push_figures;
}

/* --- methods -------------------------------------------------------------------------------- */

static const bsl_backend *self_backend(lua_State *L) {
    return bsl_check_self(L, BSL_BACKEND_CLASS);
}

/* backend:getName() -> "brute", "sweep", "grid", "tree" or "auto" */
static int get_name(lua_State *L) {
    lua_pushstring(L, self_backend(L)->name);
    return 1;
}

/* backend:stats() -> table, as world:stats(); all figures are 0 while it belongs to no world. */
static int stats(lua_State *L) {
    const bsl_backend *backend = self_backend(L);
    return backend->push_figures(L, backend);
}

static int to_string(lua_State *L) {
    lua_pushfstring(L, "Backend (%s)", self_backend(L)->name);
    return 1;
}

const luaL_Reg bsl_backend_functions[] = {
    {"newBrute", new_brute}, {"newSweep", new_sweep}, {"newGrid", new_grid},
    {"newTree", new_tree},   {"newAuto", new_auto},   {NULL, NULL},
};

const luaL_Reg bsl_backend_methods[] = {
    {"getName", get_name}, {"stats", stats}, {"__tostring", to_string}, {NULL, NULL}};
