#include "rules.h"

#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- responses ------------------------------------------------------------------------------ */

const char *const bsl_response_names[BS_RESPONSES] = {"pass", "touch", "bounce", "slide", "cross"};

static const char expected_response[] = "\"slide\", \"touch\", \"bounce\" or \"cross\"";

const char *bsl_read_response(lua_State *L, void *field) {
    const char *name = bsl_to_name(L, -1);
    for (int i = BS_TOUCH; i < BS_RESPONSES; i++) {
        if (strcmp(name, bsl_response_names[i]) == 0) {
            *(bs_response *)field = (bs_response)i;
            return NULL;
        }
    }
    return expected_response;
}

const char *bsl_read_bounce(lua_State *L, void *field) {
    double x;
    bool fits = bsl_to_finite(L, -1, &x) && x >= 0 && x <= 1;
    if (fits) {
        *(double *)field = x;
    }
    return fits ? NULL : "number from 0 to 1";
}

const char *bsl_to_one_way(const double normal[DIM], signed char one_way[DIM], int *axis) {
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
        one_way[k] = (signed char)normal[k];
    }
    return found ? NULL : "-1 or 1";
}

const char *bsl_read_one_way(lua_State *L, void *field) {
    double normal[DIM];
    int axis;
    const char *wrong = bsl_read_numbers(L, DIM, normal);
    if (wrong != NULL) {
        return wrong;
    }
    wrong = bsl_to_one_way(normal, field, &axis);
    if (wrong != NULL) {
        wrong = lua_pushfstring(L, "%s as item %d", wrong, axis + 1);
        lua_pushnumber(L, normal[axis]);
    }
    return wrong;
}

/* --- the filter argument -------------------------------------------------------------------- */

/* 32-bit masks by response, as the options of a table. */
typedef struct masks {
    uint32_t of[BS_RESPONSES];
} masks;

static const bsl_option mask_rows[] = {
    {"slide", bsl_read_mask, offsetof(masks, of[BS_SLIDE]), NULL},
    {"touch", bsl_read_mask, offsetof(masks, of[BS_TOUCH]), NULL},
    {"bounce", bsl_read_mask, offsetof(masks, of[BS_BOUNCE]), NULL},
    {"cross", bsl_read_mask, offsetof(masks, of[BS_CROSS]), NULL},
    {NULL, NULL, 0, NULL},
};

static void read_masks(lua_State *L, int arg, bs_rules *rules) {
    masks read;
    memset(&read, 0, sizeof read);
    bsl_check_options(L, arg, mask_rows, &read);
    for (int i = 0; i < BS_RESPONSES; i++) {
        rules->mask[i] = read.of[i];
    }
}

bsl_rules bsl_check_rules(lua_State *L, const bsl_world *w, int arg) {
    bsl_rules rules = {bs_rules_default(), 0};
    if (bsl_is_absent(L, arg)) {
        return rules;
    }
    if (bsl_to_box(L, arg) != NULL) {
        rules.core.ignore = bsl_check_box(L, w, arg);
        return rules;
    }
    rules.core = (bs_rules){.ignore = BS_NO_BOX};
    switch (lua_type(L, arg)) {
    case LUA_TNUMBER:
        rules.core.mask[BS_SLIDE] = bsl_check_mask(L, arg);
        break;
    case LUA_TTABLE:
        read_masks(L, arg, &rules.core);
        break;
    case LUA_TFUNCTION:
        rules.core.ask = true;
        rules.function = arg;
        break;
    default:
        bsl_expected(L, bsl_place_arg(arg), arg, "mask, table of masks, Box or function");
    }
    return rules;
}

/* --- goals and results ---------------------------------------------------------------------- */

void bsl_bad_way(lua_State *L, bsl_place place, const bs_rect *from, const bs_rect *to, int axis) {
    bsl_check_far(L, place, to, axis);
    bsl_bad(L, place, "finite way expected, got one from %.14g to %.14g", from->pos[axis],
            to->pos[axis]);
}

bs_rect bsl_check_goal(lua_State *L, const bs_rect *from, int first) {
    bs_rect to = *from;
    for (int k = 0; k < DIM; k++) {
        to.pos[k] = bsl_check_number(L, first + k);
        bsl_check_way(L, bsl_place_arg(first + k), from, &to, k);
    }
    return to;
}

int bsl_push_out(lua_State *L, int arg) {
    bool given = lua_istable(L, arg);
    lua_settop(L, arg);
    return given ? arg : bsl_new_out(L, 0);
}

void bsl_check_move_out(lua_State *L, int arg, int filter) {
    if (bsl_check_out(L, arg) != 0 && lua_rawequal(L, arg, filter)) {
        bsl_bad(L, bsl_place_arg(arg), "another table than the filter expected");
    }
}

/* --- the filter function -------------------------------------------------------------------- */

/* The value at the top of the stack is no answer. The error is at the line of the library's caller. */
static _Noreturn void bad_answer(lua_State *L) {
    enum { CALLER = 2 }; /* level 0: the protected frame, 1: the method */
    char got[80];
    if (lua_isstring(L, -1)) {
        snprintf(got, sizeof got, "'%.60s'", lua_tostring(L, -1));
    } else {
        snprintf(got, sizeof got, "%s", lua_isboolean(L, -1) ? "true" : luaL_typename(L, -1));
    }
    luaL_where(L, CALLER);
    lua_pushfstring(L, "the filter function returned %s (%s, nil or false expected)", got,
                    "\"slide\", \"touch\", \"bounce\", \"cross\"");
    lua_concat(L, 2);
    lua_error(L);
    abort(); /* lua_error does not return, but its declaration does not say so */
}

bs_response bsl_ask_response(lua_State *L, bsl_world *w, bs_id self, bs_id other) {
    bs_response response = BS_PASS;
    int top = lua_gettop(L);
    lua_pushvalue(L, BSL_ASK_FUNCTION);
    bsl_push_result(L, w, BSL_ASK_STORE, self);
    bsl_check_open(L, w);
    bsl_push_result(L, w, BSL_ASK_STORE, other);
    lua_call(L, 2, 1);
    if (lua_toboolean(L, -1) && bsl_read_response(L, &response) != NULL) {
        bad_answer(L);
    }
    lua_settop(L, top);
    bsl_check_open(L, w); /* the debug library can call a finaliser */
    return response;
}

bool bsl_protect_asking(lua_State *L, bsl_world *w, int store, int function, int out, bsl_body body,
                        void *context) {
    lua_pushvalue(L, function != 0 ? function : store);
    lua_pushvalue(L, store);
    lua_pushvalue(L, out);
    w->busy++;
    bool done = bsl_protect(L, w, store, body, context, 3);
    w->busy--;
    return done;
}
