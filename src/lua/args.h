/*
 * args.h: arguments, checked, and the errors that name them.
 *
 * Strings are not numbers here, and every number is finite. Arguments are named by their index on
 * the Lua stack; messages do not count `self`. The name of the function is only looked up when an
 * error is raised: checks that pass cost nothing for it.
 */
#ifndef BSL_ARGS_H
#define BSL_ARGS_H

#include "compat.h"

#include "broadside/world.h"

#pragma GCC visibility push(hidden)

#if defined(__MINGW32__) && !defined(__clang__)
#define BSL_FORMAT(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#else
#define BSL_FORMAT(fmt, args) __attribute__((format(printf, fmt, args)))
#endif

/* A list of functions that Lua can call, for registration and for names in messages. */
typedef struct bsl_group {
    const char *class; /* the name of the metatable; NULL: functions of the module */
    const luaL_Reg *functions;
    int level; /* whose line an error names: 1 the caller's, 2 that of the caller's caller */
    const char *suffix; /* of the names that functions of the module are published under */
} bsl_group;

extern const bsl_group bsl_groups[]; /* all of them, the last one without functions (module.c) */

/*
 * Where a value stands: an argument, or the option or the item (from 1) of that name within it. Or
 * an option of an item of the list that is the option `list`. Made where something is wrong with
 * it, or on the way into an inline function: to copy it for each call would cost as much as all
 * else that a check does.
 */
typedef struct bsl_place {
    int arg;
    const char *option;
    size_t item;
    const char *list;
} bsl_place;

static inline bsl_place bsl_place_arg(int arg) {
    return (bsl_place){arg, NULL, 0, NULL};
}

static inline bsl_place bsl_place_option(int arg, const char *option) {
    return (bsl_place){arg, option, 0, NULL};
}

static inline bsl_place bsl_place_item(int arg, size_t item) {
    return (bsl_place){arg, NULL, item, NULL};
}

/* --- errors --------------------------------------------------------------------------------- */

/* "bad argument #1 to 'f' (item 3: ...)" */
_Noreturn void bsl_bad(lua_State *L, bsl_place place, const char *format, ...) BSL_FORMAT(3, 4);

/*
 * "(`what` expected, got ...)" of the value at a stack index. Numbers are shown; strings are where
 * `what` has some in quotes; of all else, the type.
 */
_Noreturn void bsl_expected(lua_State *L, bsl_place place, int value, const char *what);

/* The same of the argument itself. */
_Noreturn void bsl_bad_arg(lua_State *L, int arg, const char *what);

/* "bad self to 'f' (...)" */
_Noreturn void bsl_bad_self(lua_State *L, const char *problem);
/* The same for a self of the wrong type, with advice. */
_Noreturn void bsl_not_self(lua_State *L, const char *type);

/* "'f' `problem` (x would be ...)", of the rect's first number that is not what it must be. */
void bsl_check_result(lua_State *L, const bs_rect *rect, bool is_box, const char *problem);
/* "'f' has no finite result (`name` would be ...)" */
_Noreturn void bsl_not_finite(lua_State *L, const char *name, double value);

/* An error of a message alone, at the caller's line. */
_Noreturn void bsl_fail(lua_State *L, const char *message);

/* Lua's own error of that kind. */
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
    return lua_type(L, arg) <= LUA_TNIL; /* none is below nil */
}

/* True if the value is a number (not a string), and finite; else *x is of no use. */
static inline bool bsl_to_finite(lua_State *L, int index, double *x) {
    if (lua_type(L, index) != LUA_TNUMBER) {
        return false;
    }
    *x = lua_tonumber(L, index);
    return isfinite(*x);
}

static inline double bsl_check_number(lua_State *L, int arg) {
    double x;
    if (!bsl_to_finite(L, arg, &x)) {
        bsl_bad_arg(L, arg, "finite number");
    }
    return x;
}

/* How long a step lasts. */
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

/* DIM numbers from `first` on. */
static inline void bsl_check_vector(lua_State *L, int first, double v[DIM]) {
    for (int k = 0; k < DIM; k++) {
        v[k] = bsl_check_number(L, first + k);
    }
}

/* -2^31 .. 2^32 - 1, as 32 bits. */
uint32_t bsl_check_mask(lua_State *L, int arg);

bool bsl_check_boolean(lua_State *L, int arg);

static inline void bsl_check_table(lua_State *L, int arg) {
    if (!lua_istable(L, arg)) {
        bsl_bad_arg(L, arg, "table");
    }
}

/* --- rects ---------------------------------------------------------------------------------- */

typedef enum bsl_sizes { BSL_BOX, BSL_QUERY } bsl_sizes; /* sizes > 0; sizes >= 0 */

/* DIM corners, then DIM sizes, from `first` on. */
bs_rect bsl_check_rect(lua_State *L, int first, bsl_sizes sizes);

/* DIM corners; sizes too if they are given, else those in *rect stay. */
void bsl_check_place(lua_State *L, int first, bs_rect *rect);

_Noreturn void bsl_bad_far(lua_State *L, bsl_place place, const bs_rect *rect, int axis);

/* That the far side on an axis is finite. */
static inline void bsl_check_far(lua_State *L, bsl_place place, const bs_rect *rect, int axis) {
    if (!isfinite(bs_far(rect, axis))) {
        bsl_bad_far(L, place, rect, axis);
    }
}

/* So many items are pushed at a time, at most: some of LUA_MINSTACK is left for others. */
enum { BSL_ITEMS = 12 };

/*
 * Pushes items from + 1 ... from + n of the table at `arg`, without metamethods; returns the stack
 * index of the first. So each takes fewer calls of Lua than one by one.
 */
static inline int bsl_push_items(lua_State *L, int arg, size_t from, size_t n) {
    assert(n <= BSL_ITEMS);
    int first = lua_gettop(L) + 1;
    for (size_t i = 1; i <= n; i++) {
        lua_rawgeti(L, arg, (int)(from + i));
    }
    return first;
}

/* The box of items from + 1 ... from + 2 DIM of the table at `arg`. */
bs_rect bsl_rect_item(lua_State *L, int arg, size_t from);

/* A corner from items from + 1 ... from + DIM of that, which stand at stack index `value`. */
void bsl_corner_at(lua_State *L, int arg, size_t from, int value, bs_rect *rect);

/* The table's items in groups of `size`: how many there are. */
size_t bsl_check_groups(lua_State *L, int arg, size_t size);

/* end - start for a segment whose end starts at the argument `end_arg`. */
void bsl_check_motion(lua_State *L, int end_arg, const double start[DIM], double end[DIM],
                      double motion[DIM]);

/* Translation, rotation?, scale? from `first` on. A scale that is left out is that of x. */
bs_transform bsl_check_transform(lua_State *L, int first);

static inline int bsl_push_numbers(lua_State *L, const double *numbers, int n) {
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, numbers[i]);
    }
    return n;
}

/* The corners come before the sizes. */
static inline void bsl_push_side(lua_State *L, const bs_rect *rect, int i) {
    lua_pushnumber(L, i < DIM ? rect->pos[i] : rect->size[i - DIM]);
}

static inline int bsl_push_rect(lua_State *L, const bs_rect *rect) {
    bsl_push_numbers(L, rect->pos, DIM);
    bsl_push_numbers(L, rect->size, DIM);
    return 2 * DIM;
}

/*
 * The string at a stack index as a name; "" if it is something else, or has a zero in it, as no
 * name has. A number is not asked for its string: that would change it.
 */
const char *bsl_to_name(lua_State *L, int index);

/* The place in the list of n names of that string; n: none. */
int bsl_find_name(lua_State *L, int index, const char *const *names, int n);

/* --- tables of options ---------------------------------------------------------------------- */

/* One row for each option that a function knows. */
typedef struct bsl_option {
    const char *name; /* NULL: the last row */
    /*
     * Stores the value at the top of the stack, which is not nil. Returns NULL; or, with the
     * culprit on top of the stack, what was expected instead. May be called twice.
     */
    const char *(*read)(lua_State *L, void *field);
    size_t field;                  /* the offset of what is handed to `read`, in the target */
    const struct bsl_option *more; /* of the last row: where the list goes on, or NULL */
} bsl_option;

/*
 * Reads the options in the table at `arg`, if there is one, without metamethods. Unknown names are
 * errors. Of several mistakes it is always the same one that is told.
 */
void bsl_check_options(lua_State *L, int arg, const bsl_option *options, void *target);

/* The same for the table at stack index `table`, which stands at `place`. */
void bsl_check_options_at(lua_State *L, bsl_place place, int table, const bsl_option *options,
                          void *target);

/* Pushes the option of that name of the table at a stack index; nil if it is not `given`. */
void bsl_push_option(lua_State *L, int table, const char *name, bool given);

/* Readers, of a field of the type that they are named with, and what others are made of. */
const char *bsl_read_boolean(lua_State *L, void *field); /* bool */
const char *bsl_read_number(lua_State *L, void *field);  /* double */
const char *bsl_read_size(lua_State *L, void *field);    /* double >= 0 */
const char *bsl_read_mask(lua_State *L, void *field);    /* uint32_t */
const char *bsl_read_dim(lua_State *L, void *field);     /* none: init.lua has made use of it */
const char *bsl_read_any(lua_State *L, void *field);     /* bool: it is given, and is read later */
/* An integer lo .. hi, into a uint32_t or int32_t. */
const char *bsl_read_integer(lua_State *L, int lo, int hi, void *field);
/* A table of n finite numbers. */
const char *bsl_read_numbers(lua_State *L, int n, double *numbers);

#pragma GCC visibility pop

#endif
