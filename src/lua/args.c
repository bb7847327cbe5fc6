/* args.c: reads arguments and options from the Lua stack, and raises the errors that name them. */
#include "args.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 }; /* long enough for any problem */

/* What messages call the numbers of a rect on each axis. */
static const char *const POSITIONS[] = {"x", "y", "z"};
static const char *const SIZES[] = {"w", "h", "d"};
static const char *const FAR_SIDES[] = {"x + w", "y + h", "z + d"};

/* --- errors --------------------------------------------------------------------------------- */

/* What messages say about the running function. */
typedef struct caller {
    const char *name;
    const char *suffix;
    int selfs; /* 1 for a method, whose first argument is not counted */
    int level;
} caller;

/* The C function that runs at that level, or NULL. */
static lua_CFunction function_at(lua_State *L, int level) {
    lua_Debug ar;
    lua_CFunction function = NULL;
    if (lua_getstack(L, level, &ar) != 0 && lua_getinfo(L, "f", &ar) != 0) {
        function = lua_tocfunction(L, -1);
        lua_pop(L, 1);
    }
    return function;
}

/* Level 0 may be the frame of bsl_protect. Then the function that made it is at level 1. */
static caller running(lua_State *L) {
    for (int level = 0; level < 2; level++) {
        lua_CFunction function = function_at(L, level);
        for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
            for (const luaL_Reg *row = group->functions; row->name != NULL; row++) {
                if (row->func == function) {
                    return (caller){row->name, group->suffix, group->class != BSL_NO_CLASS,
                                    group->level + level};
                }
            }
        }
    }
    return (caller){"?", "", 0, 1}; /* it is an iterator */
}

/* Raises the value at the top of the stack. */
static _Noreturn void raise(lua_State *L) {
    lua_error(L);
    abort(); /* lua_error does not return, but its declaration does not say so */
}

void bsl_raise(lua_State *L, int level) {
    luaL_where(L, level);
    lua_insert(L, -2);
    lua_concat(L, 2);
    raise(L);
}

void bsl_fail(lua_State *L, const char *message) {
    lua_pushstring(L, message);
    bsl_raise(L, running(L).level);
}

/* Whether the argument is the module, as when one of its functions is called with ':'. */
static bool is_module(lua_State *L, int arg) {
    bool has = false;
    if (lua_istable(L, arg)) {
        lua_pushliteral(L, "newWorld");
        lua_rawget(L, arg);
        has = lua_isfunction(L, -1);
        lua_pop(L, 1);
    }
    return has;
}

void bsl_bad(lua_State *L, bsl_where where, const char *format, ...) {
    char problem[TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(problem, sizeof problem, format, args);
    va_end(args);
    caller c = running(L);
    if (c.selfs == 0 && is_module(L, 1)) {
        where = bsl_where_arg(1);
        snprintf(problem, sizeof problem, "this is the module itself; call it with '.', not ':'");
    }
    int top = lua_gettop(L);
    lua_pushfstring(L, "bad argument #%d to '%s%s' (", where.arg - c.selfs, c.name, c.suffix);
    if (where.list != NULL) {
        lua_pushfstring(L, "option '%s': ", where.list);
    }
    if (where.item > 0) {
        lua_pushfstring(L, "item %d: ", (int)where.item);
    }
    if (where.option != NULL) {
        lua_pushfstring(L, "option '%s': ", where.option);
    }
    lua_pushfstring(L, "%s)", problem);
    lua_concat(L, lua_gettop(L) - top);
    bsl_raise(L, c.level);
}

/* Formats a number as Lua does, or with more digits if Lua's would show another number. */
static const char *describe_number(double x, char text[TEXT]) {
    if (isnan(x)) {
        return "nan"; /* whatever its sign */
    }
    snprintf(text, TEXT, "%.14g", x);
    if (strtod(text, NULL) != x) {
        snprintf(text, TEXT, "%.17g", x);
    }
    return text;
}

/* Raises "(`what` expected, got ...)" about a number. */
static _Noreturn void expected_not(lua_State *L, bsl_where where, double value, const char *what) {
    char text[TEXT];
    bsl_bad(L, where, "%s expected, got %s", what, describe_number(value, text));
}

/* What messages call a value. Our own userdata are "World", in 3D "2D World", "3D World" ... */
static const char *kind_of(lua_State *L, int value) {
    static const char prefix[] = "broadside.";
    const size_t length = sizeof prefix - 1;
    if (lua_type(L, value) != LUA_TUSERDATA || luaL_getmetafield(L, value, "__name") == 0) {
        return lua_isnone(L, value) ? "no value" : luaL_typename(L, value);
    }
    const char *class = bsl_to_name(L, -1);
    if (strncmp(class, prefix, length) != 0) {
        return "userdata";
    }
    const bool is_flat = DIM == 3 && strcmp(class, bsl_classes[BSL_BACKEND_CLASS].name) != 0;
    lua_pushstring(L, strchr(class, '3') != NULL ? "3D " : is_flat ? "2D " : "");
    lua_pushlstring(L, class + length, strcspn(class + length, "3"));
    lua_concat(L, 2);
    return lua_tostring(L, -1);
}

void bsl_expected(lua_State *L, bsl_where where, int value, const char *what) {
    if (lua_type(L, value) == LUA_TNUMBER) {
        expected_not(L, where, lua_tonumber(L, value), what);
    }
    if (lua_type(L, value) == LUA_TSTRING && strpbrk(what, "'\"") != NULL) {
        bsl_bad(L, where, "%s expected, got '%.60s'", what, lua_tostring(L, value));
    }
    const char *got = kind_of(L, value);
    bool nests = where.item > 0 && where.list == NULL && lua_istable(L, value);
    bsl_bad(L, where, "%s expected, got %s%s", what, got, nests ? "; the list must be flat" : "");
}

void bsl_bad_arg(lua_State *L, int arg, const char *what) {
    bsl_expected(L, bsl_where_arg(arg), arg, what);
}

void bsl_bad_self(lua_State *L, const char *problem) {
    lua_pushfstring(L, "bad self to '%s' (%s)", running(L).name, problem);
    bsl_raise(L, 1);
}

void bsl_not_self(lua_State *L, const char *type) {
    char problem[TEXT];
    snprintf(problem, sizeof problem, "%s expected, got %s; call it with ':'", type, kind_of(L, 1));
    bsl_bad_self(L, problem);
}

void bsl_bad_result(lua_State *L, const char *problem, const char *name, double value) {
    caller c = running(L);
    char number[TEXT];
    lua_pushfstring(L, "'%s%s' %s (%s would be %s)", c.name, c.suffix, problem, name,
                    describe_number(value, number));
    bsl_raise(L, c.level);
}

void bsl_check_result(lua_State *L, const bs_rect *rect, bool is_box, const char *problem) {
    for (int k = 0; k < DIM; k++) {
        if (!isfinite(rect->pos[k])) {
            bsl_bad_result(L, problem, POSITIONS[k], rect->pos[k]);
        }
        if ((is_box && !(rect->size[k] > 0)) || !isfinite(rect->size[k])) {
            bsl_bad_result(L, problem, SIZES[k], rect->size[k]);
        }
        if (!isfinite(bs_far(rect, k))) {
            bsl_bad_result(L, problem, is_box ? FAR_SIDES[k] : SIZES[k],
                           is_box ? bs_far(rect, k) : rect->size[k]);
        }
    }
}

void bsl_no_memory(lua_State *L) {
    lua_pushliteral(L, "not enough memory"); /* without a position, as Lua's own */
    raise(L);
}

/* --- numbers -------------------------------------------------------------------------------- */

static bool to_mask(lua_State *L, int index, uint32_t *mask) {
    int64_t bits;
    bool fits = bsl_to_integer(L, index, &bits) && bits >= INT32_MIN && bits <= UINT32_MAX;
    *mask = fits ? (uint32_t)bits : 0;
    return fits;
}

/* What messages expect in place of a value that is no mask. */
static const char *mask_expected(lua_State *L, int index) {
    int64_t id;
    bool is_id = bsl_to_integer(L, index, &id) && id >= (int64_t)BS_LEAST_ID &&
                 (id & ~(int64_t)BS_MOVER_BIT) < (int64_t)BS_IDS_END;
    return is_id ? "this is an id; 32-bit integer" : "32-bit integer";
}

uint32_t bsl_check_mask(lua_State *L, int arg) {
    uint32_t mask;
    if (!to_mask(L, arg, &mask)) {
        bsl_bad_arg(L, arg, mask_expected(L, arg));
    }
    return mask;
}

bool bsl_check_boolean(lua_State *L, int arg) {
    if (!lua_isboolean(L, arg)) {
        bsl_bad_arg(L, arg, "boolean");
    }
    return lua_toboolean(L, arg) != 0;
}

/* --- rects ---------------------------------------------------------------------------------- */

static inline void check_size(lua_State *L, bsl_where where, double size, bsl_sizes sizes) {
    if (sizes == BSL_BOX ? !(size > 0) : !(size >= 0)) {
        expected_not(L, where, size, sizes == BSL_BOX ? "size > 0" : "size >= 0");
    }
}

void bsl_bad_far(lua_State *L, bsl_where where, const bs_rect *rect, int axis) {
    char what[TEXT];
    snprintf(what, sizeof what, "finite far side %s", FAR_SIDES[axis]);
    expected_not(L, where, bs_far(rect, axis), what);
}

/* The argument, or the item, k positions further on. */
static inline bsl_where behind(bsl_where where, int k) {
    where.arg += where.item == 0 ? k : 0;
    where.item += where.item == 0 ? 0 : (size_t)k;
    return where;
}

/* Reads number k of those from `where` on, which are on the stack from index `value` on. */
static inline double number_at(lua_State *L, bsl_where where, int value, int k) {
    double x;
    if (!bsl_to_finite(L, value + k, &x)) {
        bsl_expected(L, behind(where, k), value + k, "finite number");
    }
    return x;
}

static inline bs_rect rect_at(lua_State *L, bsl_where where, int value, bsl_sizes sizes) {
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = number_at(L, where, value, k);
    }
    for (int k = 0; k < DIM; k++) {
        rect.size[k] = number_at(L, where, value, DIM + k);
        check_size(L, behind(where, DIM + k), rect.size[k], sizes);
        bsl_check_far(L, behind(where, DIM + k), &rect, k);
    }
    return rect;
}

bs_rect bsl_check_rect(lua_State *L, int first, bsl_sizes sizes) {
    return rect_at(L, bsl_where_arg(first), first, sizes);
}

bs_rect bsl_rect_item(lua_State *L, int arg, size_t from) {
    int value = bsl_push_items(L, arg, from, 2 * DIM);
    bs_rect rect = rect_at(L, bsl_where_item(arg, from + 1), value, BSL_BOX);
    lua_settop(L, value - 1);
    return rect;
}

void bsl_corner_item(lua_State *L, int arg, size_t from, bs_rect *rect) {
    const bsl_where where = bsl_where_item(arg, from + 1);
    int value = bsl_push_items(L, arg, from, DIM);
    for (int k = 0; k < DIM; k++) {
        rect->pos[k] = number_at(L, where, value, k);
        bsl_check_far(L, behind(where, k), rect, k);
    }
    lua_settop(L, value - 1);
}

void bsl_check_position(lua_State *L, int first, bs_rect *rect) {
    bsl_check_vector(L, first, rect->pos);
    for (int k = 0; k < DIM; k++) {
        int arg = first + DIM + k;
        if (bsl_is_absent(L, arg)) {
            arg = first + k;
        } else {
            rect->size[k] = bsl_check_number(L, arg);
            check_size(L, bsl_where_arg(arg), rect->size[k], BSL_BOX);
        }
        bsl_check_far(L, bsl_where_arg(arg), rect, k);
    }
}

size_t bsl_check_groups(lua_State *L, int arg, size_t size) {
    bsl_check_table(L, arg);
    size_t n = bsl_length(L, arg);
    if (n % size != 0) {
        bsl_push_items(L, arg, 0, 1);
        if (lua_istable(L, -1)) {
            bsl_expected(L, bsl_where_item(arg, 1), lua_gettop(L), "number");
        }
        bsl_bad(L, bsl_where_arg(arg), "a multiple of %zu numbers expected, got %zu", size, n);
    }
    if (n > INT32_MAX) {
        bsl_bad(L, bsl_where_arg(arg), "too many numbers");
    }
    return n / size;
}

void bsl_check_segment(lua_State *L, int first, bs_rect *start, double end[DIM],
                       double motion[DIM]) {
    static const char *const expected[] = {"finite difference x2 - x1", "finite difference y2 - y1",
                                           "finite difference z2 - z1"};
    *start = (bs_rect){{0}, {0}};
    bsl_check_vector(L, first, start->pos);
    bsl_check_vector(L, first + DIM, end);
    for (int k = 0; k < DIM; k++) {
        motion[k] = end[k] - start->pos[k];
        if (!isfinite(motion[k])) {
            expected_not(L, bsl_where_arg(first + DIM + k), motion[k], expected[k]);
        }
    }
}

#if DIM == 2
static void check_rotation(lua_State *L, int first, bs_transform *tr) {
    bs_transform_rotate(tr, bsl_opt_number(L, first, 0));
}
#else
/* A quaternion: all four numbers are given, or none. */
static void check_rotation(lua_State *L, int first, bs_transform *tr) {
    double q[BSL_ROTATION_ARGS];
    bool given = false;
    bool turns = false;
    for (int i = 0; i < BSL_ROTATION_ARGS; i++) {
        given |= !bsl_is_absent(L, first + i);
    }
    for (int i = 0; given && i < BSL_ROTATION_ARGS; i++) {
        q[i] = bsl_check_number(L, first + i);
        turns |= q[i] != 0;
    }
    if (given && !turns) {
        bsl_bad(L, bsl_where_arg(first), "unit quaternion expected, got 0, 0, 0, 0");
    }
    if (given) {
        bs_transform_rotate(tr, q);
    }
}
#endif

bs_transform bsl_check_transform(lua_State *L, int first) {
    bs_transform tr = bs_transform_identity();
    bsl_check_vector(L, first, tr.translation);
    check_rotation(L, first + DIM, &tr);
    for (int k = 0; k < DIM; k++) {
        tr.scale[k] =
            bsl_opt_number(L, first + DIM + BSL_ROTATION_ARGS + k, k == 0 ? 1 : tr.scale[0]);
    }
    return tr;
}

/* --- names ---------------------------------------------------------------------------------- */

const char *bsl_to_name(lua_State *L, int index) {
    size_t length = 0;
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : "";
    return strlen(name) == length ? name : "";
}

int bsl_find_name(lua_State *L, int index, const char *const *names, int n) {
    const char *name = bsl_to_name(L, index);
    int i = 0;
    while (i < n && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i;
}

/* --- tables of options ---------------------------------------------------------------------- */

/* The row itself. If it is the last one, the row where the list goes on, or NULL if it ends. */
static const bsl_option *row_at(const bsl_option *row) {
    return row->name != NULL ? row : row->more;
}

/*
 * Pops the list of known names, and pushes what the message says after an unknown one. The module
 * has that as its field `hint`, from hints.lua; without init.lua it says nothing. May run Lua code.
 */
static void push_hint(lua_State *L, const char *name) {
    int names = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, BSL_MODULE);
    bsl_push_option(L, names + 1, "hint");
    if (lua_isfunction(L, -1)) {
        lua_pushstring(L, name);
        lua_pushvalue(L, names);
        lua_call(L, 2, 1);
    } else {
        lua_pushliteral(L, "");
    }
    lua_replace(L, names);
    lua_settop(L, names);
}

/* Raises an error about the key at the top of the stack, which names no option. */
static _Noreturn void raise_unknown_option(lua_State *L, bsl_where where,
                                           const bsl_option *options) {
    if (lua_type(L, -1) != LUA_TSTRING) {
        bsl_bad(L, where, "names of options expected as keys, got %s", luaL_typename(L, -1));
    }
    const char *name = lua_tostring(L, -1);
    lua_newtable(L);
    for (const bsl_option *row = row_at(options); row != NULL; row = row_at(row + 1)) {
        lua_pushstring(L, row->name);
        lua_rawseti(L, -2, (int)bsl_length(L, -2) + 1);
    }
    push_hint(L, name);
    bsl_bad(L, where, "unknown option '%.60s'%s", name, lua_tostring(L, -1));
}

void bsl_check_options_at(lua_State *L, bsl_where where, int table, const bsl_option *options,
                          void *target) {
    if (!lua_istable(L, table)) {
        bsl_expected(L, where, table, "table");
    }
    if (lua_getmetatable(L, table)) {
        bsl_find_option(L, lua_gettop(L), "__index");
        if (!lua_isnil(L, -1)) {
            bsl_bad(L, where, "options are read without metamethods; this table has __index");
        }
        lua_pop(L, 2);
    }
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        const char *name = bsl_to_name(L, -2);
        const bsl_option *row = row_at(options);
        while (row != NULL && strcmp(row->name, name) != 0) {
            row = row_at(row + 1);
        }
        if (row == NULL) {
            lua_pop(L, 1);
            raise_unknown_option(L, where, options);
        }
        const char *expected = row->read(L, (char *)target + row->field);
        if (expected != NULL) {
            where.option = row->name;
            bsl_expected(L, where, lua_gettop(L), expected);
        }
        lua_pop(L, 1);
    }
}

void bsl_check_options(lua_State *L, int arg, const bsl_option *options, void *target) {
    if (!bsl_is_absent(L, arg)) {
        bsl_check_options_at(L, bsl_where_arg(arg), arg, options, target);
    }
}

void bsl_push_option(lua_State *L, int table, const char *name) {
    if (lua_istable(L, table)) {
        lua_pushstring(L, name);
        lua_rawget(L, table);
    } else {
        lua_pushnil(L);
    }
}

void bsl_find_option(lua_State *L, int table, const char *name) {
    const int found = lua_gettop(L) + 1;
    lua_pushnil(L);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        const char *key = bsl_to_name(L, found + 1);
        if (strcmp(key, name) == 0) {
            lua_replace(L, found);
            break;
        }
        lua_pop(L, 1);
    }
    lua_settop(L, found);
}

const char *bsl_read_boolean(lua_State *L, void *field) {
    *(bool *)field = lua_toboolean(L, -1) != 0;
    return lua_isboolean(L, -1) ? NULL : "boolean";
}

const char *bsl_read_number(lua_State *L, void *field) {
    return bsl_to_finite(L, -1, field) ? NULL : "finite number";
}

const char *bsl_read_size(lua_State *L, void *field) {
    const char *wrong = bsl_read_number(L, field);
    return wrong != NULL || *(double *)field >= 0 ? wrong : "size >= 0";
}

const char *bsl_read_amount(lua_State *L, void *field) {
    return bsl_to_finite(L, -1, field) && *(double *)field >= 0 ? NULL : "number >= 0";
}

const char *bsl_read_mask(lua_State *L, void *field) {
    return to_mask(L, -1, field) ? NULL : mask_expected(L, -1);
}

const char *bsl_read_dim(lua_State *L, void *field) {
    int64_t dim;
    (void)field;
    return bsl_to_integer(L, -1, &dim) && dim == DIM ? NULL : "2 or 3";
}

const char *bsl_read_any(lua_State *L, void *field) {
    (void)L;
    (void)field;
    return NULL;
}

/* Puts the text that a reader has just pushed, and returns, below the culprit. */
static const char *expect(lua_State *L, const char *pushed) {
    lua_insert(L, -2);
    return pushed;
}

const char *bsl_read_integer(lua_State *L, int lo, int hi, void *field) {
    int64_t value;
    if (!bsl_to_integer(L, -1, &value) || value < lo || value > hi) {
        return expect(L, lua_pushfstring(L, "integer from %d to %d", lo, hi));
    }
    *(uint32_t *)field = (uint32_t)value;
    return NULL;
}

const char *bsl_read_list(lua_State *L, int n, bsl_reader *read, double *numbers) {
    int table = lua_gettop(L);
    size_t length = bsl_length(L, table);
    if (length != (size_t)n) {
        lua_pushnumber(L, (lua_Number)length);
        return expect(L, lua_pushfstring(L, "%d numbers in the list", n));
    }
    for (int i = 0; i < n; i++) {
        bsl_rawgeti(L, table, i + 1);
        const char *wrong = read(L, &numbers[i]);
        if (wrong != NULL) {
            return expect(L, lua_pushfstring(L, "%s as item %d", wrong, i + 1));
        }
        lua_pop(L, 1);
    }
    return NULL;
}

const char *bsl_read_numbers(lua_State *L, int n, double *numbers) {
    if (!lua_istable(L, -1)) {
        return expect(L, lua_pushfstring(L, "table of %d finite numbers", n));
    }
    return bsl_read_list(L, n, bsl_read_number, numbers);
}
