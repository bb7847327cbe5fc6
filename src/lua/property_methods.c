/*
 * property_methods.c: the options and the methods of Box that follow from broadside/conduct.h: a
 * getter and a setter for each row there. The setter refuses what the option does.
 */
#include "filters.h"
#include "module.h"

#include <string.h>

/* --- readers by kind ------------------------------------------------------------------------ */

#define read_NUMBER bsl_read_number
#define read_FLAG bsl_read_boolean
#define read_AMOUNT bsl_read_amount
#define read_KEPT bsl_read_amount

static const char *read_POSITIVE(lua_State *L, void *field) {
    *(double *)field = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    return *(double *)field > 0 ? NULL : "number > 0";
}

/* Reads the number on top for the length of a vector, or a list with one for each axis. */
static const char *read_by_axis(lua_State *L, bsl_reader *read, double *field, const char *what) {
    if (lua_istable(L, -1)) {
        return bsl_read_list(L, DIM, read, field);
    }
    bs_one_by_axis(field, 0);
    return read(L, field) == NULL ? NULL : what;
}

static const char *read_AMOUNTS(lua_State *L, void *field) {
    return read_by_axis(L, bsl_read_amount, field, "number >= 0, or a list of them,");
}

static const char *read_LIMITS(lua_State *L, void *field) {
    return read_by_axis(L, read_POSITIVE, field, "number > 0, or a list of them,");
}

static const char *read_REACTION(lua_State *L, void *field) {
    unsigned response = bsl_find_response(L);
    if (!bs_is_body_response(response)) {
        return "\"slide\", \"touch\", \"bounce\" or \"cross\"";
    }
    *(bs_response *)field = (bs_response)response;
    return NULL;
}

/*
 * Converts a normal along an axis to numbers -1, 0 and 1. Returns NULL; or, if it is no such
 * normal, what was expected of the number on *axis.
 */
static const char *to_side(const double normal[DIM], bs_side side, int *axis) {
    bool found = false;
    for (int k = 0; k < DIM; k++) {
        *axis = k;
        if (normal[k] != 0 && fabs(normal[k]) != 1) {
            return "-1, 0 or 1";
        }
        if (normal[k] != 0 && found) {
            return "0, as the normal is along another axis,";
        }
        found |= normal[k] != 0;
        side[k] = (signed char)normal[k];
    }
    return found ? NULL : "-1 or 1";
}

/* The names of sides. y points down as on screens: up and down are on axis 1, the others on 0. */
#define SIDE_NAMES "\"up\", \"down\", \"left\" or \"right\""

/* Reads the name of a side. False: it is none. */
static bool to_named_side(lua_State *L, int value, bs_side side) {
    static const char *const names[] = {"up", "down", "left", "right"};
    enum { NAMES = 4 };
    const int found = bsl_find_name(L, value, names, NAMES);
    if (found < NAMES) {
        memset(side, 0, sizeof(bs_side));
        side[found < 2 ? 1 : 0] = found % 2 == 0 ? -1 : 1;
    }
    return found < NAMES;
}

static const char *read_SIDE(lua_State *L, void *field) {
    double normal[DIM];
    int axis;
    if (to_named_side(L, -1, field)) {
        return NULL;
    }
    if (!lua_istable(L, -1)) {
        return DIM == 2 ? SIDE_NAMES ", or table of 2 finite numbers,"
                        : SIDE_NAMES ", or table of 3 finite numbers,";
    }
    const char *wrong = bsl_read_numbers(L, DIM, normal);
    if (wrong != NULL) {
        return wrong;
    }
    wrong = to_side(normal, field, &axis);
    if (wrong != NULL) {
        wrong = lua_pushfstring(L, "%s as item %d", wrong, axis + 1);
        lua_pushnumber(L, normal[axis]);
    }
    return wrong;
}

const bsl_option bsl_property_options[] = {
#define OPTION(type, kind, field, usual, name, ...)                                                \
    {name, read_##kind, offsetof(bs_props, conduct.field), NULL},
    BS_PROPERTIES(OPTION, OPTION)
#undef OPTION
        {NULL, NULL, 0, NULL},
};

/* --- setting -------------------------------------------------------------------------------- */

/* The arguments of a setter are the numbers of a normal, the name of a side, or nil. */
static void check_side(lua_State *L, int arg, bs_side side) {
    double normal[DIM];
    int axis;
    memset(side, 0, sizeof(bs_side));
    if (bsl_is_absent(L, arg) || to_named_side(L, arg, side)) {
        return;
    }
    bsl_check_vector(L, arg, normal);
    const char *expected = to_side(normal, side, &axis);
    if (expected != NULL) {
        bsl_bad_arg(L, arg + axis, expected);
    }
}

/* Reads that argument as the option is read. A response or a bounce may be nil. */
static void check_value(lua_State *L, int arg, int property, void *value) {
    const bs_property_kind kind = bs_properties[property].kind;
    if (bsl_is_absent(L, arg) && kind == BS_REACTION) {
        *(bs_response *)value = BS_PASS;
        return;
    } else if (bsl_is_absent(L, arg) && kind == BS_KEPT) {
        *(double *)value = BS_BOUNCE_UNSET;
        return;
    }
    int top = lua_gettop(L);
    lua_pushvalue(L, arg <= top ? arg : 1); /* For one that is left out, self: it is wrong, too. */
    const char *expected = bsl_property_options[property].read(L, value);
    if (expected != NULL && lua_gettop(L) > top + 1) { /* The reader tells what is wrong in it. */
        bsl_expected(L, bsl_where_arg(arg), lua_gettop(L), expected);
    }
    lua_settop(L, top);
    if (expected != NULL) {
        bsl_bad_arg(L, arg, expected);
    }
}

/* Whether the methods of property `first` also read and set property i. */
static bool goes_along(int first, int i) {
    return i == first || (i < BS_PROPERTY_COUNT && bs_properties[i].goes_along);
}

static int set_properties(lua_State *L, int first) {
    bsl_self s = bsl_self_free_box(L);
    bs_conduct conduct = *bs_world_conduct(s.core, s.box);
    for (int i = first; goes_along(first, i); i++) {
        const bs_property *p = &bs_properties[i];
        void *value = (char *)&conduct + p->at;
        if (p->kind == BS_SIDE) {
            check_side(L, 2, value);
        } else {
            check_value(L, 2 + i - first, i, value);
        }
    }
    bsl_check_status(L, bs_world_set_conduct(s.core, s.box, &conduct));
    return 0;
}

/* --- getting -------------------------------------------------------------------------------- */

/* Pushes a normal, or nil if there is none. */
static int push_side(lua_State *L, const signed char *side) {
    bool any = false;
    for (int k = 0; k < DIM; k++) {
        any |= side[k] != 0;
        lua_pushnumber(L, side[k]);
    }
    if (!any) {
        lua_pushnil(L);
    }
    return any ? DIM : 1;
}

/* Pushes the number for the length, or a list with one for each axis. */
static int push_by_axis(lua_State *L, const double *value) {
    if (bs_is_of_length(value)) {
        lua_pushnumber(L, value[0]);
        return 1;
    }
    lua_createtable(L, DIM, 0);
    for (int k = 0; k < DIM; k++) {
        lua_pushnumber(L, value[k]);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int push_value(lua_State *L, bs_property_kind kind, const void *value) {
    const double *number = value;
    switch (kind) {
    case BS_REACTION: /* NULL is pushed as nil */
        lua_pushstring(L, *(const bs_response *)value == BS_PASS
                              ? NULL
                              : bsl_names[*(const bs_response *)value]);
        return 1;
    case BS_SIDE:
        return push_side(L, value);
    case BS_FLAG:
        lua_pushboolean(L, *(const bool *)value);
        return 1;
    case BS_KEPT:
        if (*number == BS_BOUNCE_UNSET) {
            lua_pushnil(L);
        } else {
            lua_pushnumber(L, *number);
        }
        return 1;
    case BS_AMOUNTS:
    case BS_LIMITS:
        return push_by_axis(L, value);
    default:
        lua_pushnumber(L, *number);
        return 1;
    }
}

static int get_properties(lua_State *L, int first) {
    bsl_self s = bsl_self_box(L);
    const bs_conduct *conduct = bs_world_conduct(s.core, s.box);
    int n = 0;
    for (int i = first; goes_along(first, i); i++) {
        const bs_property *p = &bs_properties[i];
        n += push_value(L, p->kind, (const char *)conduct + p->at);
    }
    return n;
}

/* --- the methods ---------------------------------------------------------------------------- */

#define METHODS(type, kind, field, ...)                                                            \
    static int get_##field(lua_State *L) {                                                         \
        return get_properties(L, BS_PROPERTY_##field);                                             \
    }                                                                                              \
    static int set_##field(lua_State *L) {                                                         \
        return set_properties(L, BS_PROPERTY_##field);                                             \
    }
#define NO_METHODS(...)
BS_PROPERTIES(METHODS, NO_METHODS)

const luaL_Reg bsl_property_methods[] = {
#define LISTED(type, kind, field, usual, name, getter, setter, ...)                                \
    {getter, get_##field}, {setter, set_##field},
    BS_PROPERTIES(LISTED, NO_METHODS){NULL, NULL},
};
