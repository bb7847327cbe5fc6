/*
 * args.h: reads and checks arguments, and raises the errors that name them.
 *
 * Strings do not count as numbers, and every number must be finite. Functions name an argument by
 * its index on the Lua stack; messages do not count `self`. The name of the running function is
 * looked up only when an error is raised, so a check that passes pays nothing for it.
 */
#ifndef BSL_ARGS_H
#define BSL_ARGS_H

#include "module.h"

#include "broadside/world.h"

#pragma GCC visibility push(hidden)

#if defined(__MINGW32__) && !defined(__clang__)
#define BSL_FORMAT(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#else
#define BSL_FORMAT(fmt, args) __attribute__((format(printf, fmt, args)))
#endif

/*
 * Where a value stands: an argument, or the option or the item (from 1) within it; or an option of
 * an item of the list that is the option `list`. It is made only when something is wrong, or passed
 * to inline functions: copying it for each call would cost as much as all the rest of a check.
 */
typedef struct bsl_where {
    int arg;
    const char *option;
    size_t item;
    const char *list;
} bsl_where;

static inline bsl_where bsl_where_arg(int arg) {
    return (bsl_where){arg, NULL, 0, NULL};
}

static inline bsl_where bsl_where_option(int arg, const char *option) {
    return (bsl_where){arg, option, 0, NULL};
}

static inline bsl_where bsl_where_item(int arg, size_t item) {
    return (bsl_where){arg, NULL, item, NULL};
}

/* --- errors --------------------------------------------------------------------------------- */

/* Raises "bad argument #1 to 'f' (item 3: ...)". */
_Noreturn void bsl_bad(lua_State *L, bsl_where where, const char *format, ...) BSL_FORMAT(3, 4);

/*
 * Raises "(`what` expected, got ...)" about the value at a stack index. The message shows numbers.
 * It shows a string only if `what` has strings in quotes. Of any other value it gives the type.
 */
_Noreturn void bsl_expected(lua_State *L, bsl_where where, int value, const char *what);

/* As bsl_expected, for the argument itself. */
_Noreturn void bsl_bad_arg(lua_State *L, int arg, const char *what);

/* Raises "bad self to 'f' (...)". */
_Noreturn void bsl_bad_self(lua_State *L, const char *problem);
/* As bsl_bad_self, for a self of the wrong type; the message says how to call the method. */
_Noreturn void bsl_not_self(lua_State *L, const char *type);

/* Raises "'f' `problem` (`name` would be ...)". */
_Noreturn void bsl_bad_result(lua_State *L, const char *problem, const char *name, double value);
/* The same about the first number of a rect that is not finite, or is a size <= 0 of a box. */
void bsl_check_result(lua_State *L, const bs_rect *rect, bool is_box, const char *problem);

/* Raises the message at the top of the stack, at the line of that level of calls. */
_Noreturn void bsl_raise(lua_State *L, int level);

/* Raises an error with this message alone, at the caller's line. */
_Noreturn void bsl_fail(lua_State *L, const char *message);

/* Raises Lua's own error for want of memory. */
_Noreturn void bsl_no_memory(lua_State *L);

static inline void bsl_check_room(lua_State *L, bool has_room) {
    if (!has_room) {
        bsl_no_memory(L);
    }
}

static inline void bsl_check_status(lua_State *L, bs_status status) {
    bsl_check_room(L, status == BS_OK);
}

/* --- numbers -------------------------------------------------------------------------------- */

static inline bool bsl_is_absent(lua_State *L, int arg) {
    return lua_type(L, arg) <= LUA_TNIL; /* LUA_TNONE is below LUA_TNIL */
}

/*
 * True if the value is a number (not a string) and finite. Otherwise *x is unspecified. -0 is read
 * as 0, which equals it: 0 * -1 gives -0 in Lua 5.1 and 0 in Lua 5.4, and hashes must not differ.
 */
static inline bool bsl_to_finite(lua_State *L, int index, double *x) {
    if (lua_type(L, index) != LUA_TNUMBER) {
        return false;
    }
    *x = lua_tonumber(L, index) + 0.0;
    return isfinite(*x);
}

static inline double bsl_check_number(lua_State *L, int arg) {
    double x;
    if (!bsl_to_finite(L, arg, &x)) {
        bsl_bad_arg(L, arg, "finite number");
    }
    return x;
}

/* The duration of a step. */
static inline double bsl_check_time(lua_State *L, int arg) {
    double dt = bsl_check_number(L, arg);
    if (!(dt >= 0)) {
        bsl_bad_arg(L, arg, "time >= 0");
    }
    return dt;
}

static inline double bsl_opt_number(lua_State *L, int arg, double absent) {
    return bsl_is_absent(L, arg) ? absent : bsl_check_number(L, arg);
}

/* Reads DIM numbers from `first` on. */
static inline void bsl_check_vector(lua_State *L, int first, double v[DIM]) {
    for (int k = 0; k < DIM; k++) {
        v[k] = bsl_check_number(L, first + k);
    }
}

/* Reads an integer from -2^31 to 2^32 - 1 as 32 bits. */
uint32_t bsl_check_mask(lua_State *L, int arg);

bool bsl_check_boolean(lua_State *L, int arg);

static inline void bsl_check_table(lua_State *L, int arg) {
    if (!lua_istable(L, arg)) {
        bsl_bad_arg(L, arg, "table");
    }
}

/* --- rects ---------------------------------------------------------------------------------- */

typedef enum bsl_sizes { BSL_BOX, BSL_QUERY } bsl_sizes; /* size > 0; size >= 0 */

/* Reads DIM coordinates and then DIM sizes, from `first` on. */
bs_rect bsl_check_rect(lua_State *L, int first, bsl_sizes sizes);

/* Reads DIM coordinates, and also DIM sizes if they are given. Otherwise *rect keeps its sizes. */
void bsl_check_position(lua_State *L, int first, bs_rect *rect);

_Noreturn void bsl_bad_far(lua_State *L, bsl_where where, const bs_rect *rect, int axis);

/* Raises an error unless the far side on this axis is finite. */
static inline void bsl_check_far(lua_State *L, bsl_where where, const bs_rect *rect, int axis) {
    if (!isfinite(bs_far(rect, axis))) {
        bsl_bad_far(L, where, rect, axis);
    }
}

/* At most this many items are pushed at a time: LUA_MINSTACK has room for other values, too. */
enum { BSL_ITEMS = 12 };

/*
 * Pushes items from + 1 ... from + n of the table at `arg`, without metamethods, and returns the
 * stack index of the first. This takes fewer calls of Lua's API for each item than one by one.
 */
static inline int bsl_push_items(lua_State *L, int arg, size_t from, size_t n) {
    assert(n <= BSL_ITEMS);
    int first = lua_gettop(L) + 1;
    for (size_t i = 1; i <= n; i++) {
        lua_rawgeti(L, arg, (int)(from + i));
    }
    return first;
}

/* Reads a box from items from + 1 ... from + 2 DIM of the table at `arg`. */
bs_rect bsl_rect_item(lua_State *L, int arg, size_t from);

/* Reads a corner from items from + 1 ... from + DIM of that table; the rect keeps its sizes. */
void bsl_corner_item(lua_State *L, int arg, size_t from, bs_rect *rect);

/* How many groups of `size` items the table has. Raises an error if items are left over. */
size_t bsl_check_groups(lua_State *L, int arg, size_t size);

/* Reads a segment from `first` on: its start, as a point, its end, and end - start. */
void bsl_check_segment(lua_State *L, int first, bs_rect *start, double end[DIM],
                       double motion[DIM]);

/* Reads translation, rotation?, scale? from `first` on. A scale that is left out is that of x. */
enum { BSL_ROTATION_ARGS = DIM == 2 ? 1 : 4 };
bs_transform bsl_check_transform(lua_State *L, int first);

static inline int bsl_push_numbers(lua_State *L, const double *numbers, int n) {
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, numbers[i]);
    }
    return n;
}

static inline int bsl_push_rect(lua_State *L, const bs_rect *rect) {
    bsl_push_numbers(L, rect->pos, DIM);
    bsl_push_numbers(L, rect->size, DIM);
    return 2 * DIM;
}

/*
 * The string at a stack index as a name. It is "" if the value is something else, or has a zero
 * byte in it, which no name has. A number is not converted: that would change it on the stack.
 */
const char *bsl_to_name(lua_State *L, int index);

/* The index of that string in the list of n names, or n if it is not in it. */
int bsl_find_name(lua_State *L, int index, const char *const *names, int n);

/* --- tables of options ---------------------------------------------------------------------- */

/*
 * Stores the value at the top of the stack, which is not nil, and returns NULL. For a wrong value
 * it returns what was expected instead, and leaves the culprit on top of the stack.
 */
typedef const char *bsl_reader(lua_State *L, void *field);

/* One row for each option that a function takes. */
typedef struct bsl_option {
    const char *name; /* NULL in the last row */
    bsl_reader *read;
    size_t field;                  /* offset of the field of the target that `read` gets */
    const struct bsl_option *more; /* in the last row: where the list goes on, or NULL */
} bsl_option;

/* The rows of a vector: one for each axis. */
#define BSL_ROW(name, read, type, number)                                                          \
    { name, read, offsetof(type, number), NULL }
#if DIM == 2
#define BSL_VECTOR_ROWS(x, y, z, read, type, vector)                                               \
    BSL_ROW(x, read, type, vector[0]), BSL_ROW(y, read, type, vector[1])
#else
#define BSL_VECTOR_ROWS(x, y, z, read, type, vector)                                               \
    BSL_ROW(x, read, type, vector[0]), BSL_ROW(y, read, type, vector[1]),                          \
        BSL_ROW(z, read, type, vector[2])
#endif

/*
 * Reads the options in the table at `arg`, if there is one, without metamethods. Unknown names are
 * errors. Of several mistakes the message names any one: it is the first that is found.
 */
void bsl_check_options(lua_State *L, int arg, const bsl_option *options, void *target);

/* The same for the table at stack index `table`; messages say that it stands at `where`. */
void bsl_check_options_at(lua_State *L, bsl_where where, int table, const bsl_option *options,
                          void *target);

/* Pushes a field of the table there, without metamethods; nil if it is none. May run Lua code. */
void bsl_push_option(lua_State *L, int table, const char *name);

/* The same for a table, among all its fields one by one: makes nothing, and runs no Lua code. */
void bsl_find_option(lua_State *L, int table, const char *name);

/* The options for the rows of broadside/conduct.h, in their order (property_methods.c). */
extern const bsl_option bsl_property_options[];

/* Readers for options. Each one stores into a field of the type behind it. */
const char *bsl_read_boolean(lua_State *L, void *field); /* bool */
const char *bsl_read_number(lua_State *L, void *field);  /* double */
const char *bsl_read_size(lua_State *L, void *field);    /* double >= 0 */
const char *bsl_read_amount(lua_State *L, void *field);  /* double >= 0, which is no size */
const char *bsl_read_mask(lua_State *L, void *field);    /* uint32_t */
const char *bsl_read_dim(lua_State *L, void *field);     /* nothing: init.lua has used it */
const char *bsl_read_any(lua_State *L, void *field);     /* nothing: it is read later */
/* An integer from lo to hi, into a uint32_t or int32_t. */
const char *bsl_read_integer(lua_State *L, int lo, int hi, void *field);
/* A table of n finite numbers; and the table at the top of the stack, of n that `read` reads. */
const char *bsl_read_numbers(lua_State *L, int n, double *numbers);
const char *bsl_read_list(lua_State *L, int n, bsl_reader *read, double *numbers);

#pragma GCC visibility pop

#endif
