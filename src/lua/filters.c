/* filters.c: reads filters, and asks filter functions while the world is locked. */
#include "filters.h"

#include <stdio.h>

/* --- calls ---------------------------------------------------------------------------------- */

static void free_lists(const bsl_world *w, bs_list *list, bs_hits *hits) {
    bs_heap *heap = bs_world_heap(w->core);
    bs_list_free(heap, list);
    bs_array_free(heap, &hits->at, &hits->cap, sizeof *hits->at);
}

/*
 * Filter functions may call the world with themselves again, each time deeper in the C stack.
 * False where that goes too deep, with a message at the top of the stack: what the caller has
 * locked is to be unlocked first.
 */
static bool has_depth_left(lua_State *L, const bsl_world *w) {
    enum { MOST = 100 };
    int depth = 0;
    for (const bsl_call *c = w->running; c != NULL; c = c->outer) {
        depth++;
    }
    if (depth >= MOST) {
        luaL_where(L, 1);
        lua_pushfstring(L, "more than %d calls of filter functions within each other", MOST);
        lua_concat(L, 2);
    }
    return depth < MOST;
}

bool bsl_run_locked(lua_State *L, bsl_call *c, bsl_body body, void *context) {
    bsl_world *w = c->w;
    if (!has_depth_left(L, w)) {
        return false;
    }
    c->list = w->list;
    c->hits = w->hits;
    w->list = (bs_list){.at = NULL};
    w->hits = (bs_hits){.at = NULL};
    c->outer = w->running;
    w->running = c;
    bs_call_begin(w->core);
    bool done = bsl_protect(L, body, context);
    bs_call_end(w->core, done);
    w->running = c->outer;
    free_lists(w, &w->list, &w->hits);
    w->list = c->list;
    w->hits = c->hits;
    return done;
}

void bsl_run_asking(lua_State *L, bsl_call *c, bsl_body body, void *context) {
    if (!bsl_run_locked(L, c, body, context)) {
        lua_error(L);
    }
}

void bsl_free_calls(bsl_world *w) {
    for (; w->running != NULL; w->running = w->running->outer) {
        free_lists(w, &w->running->list, &w->running->hits);
    }
}

/* --- boxes that are left out ---------------------------------------------------------------- */

/* Adds the box at stack index `value`, which is item number `item` of `except`, or that itself. */
static void leave_out(lua_State *L, bsl_world *w, int arg, size_t item, int value) {
    bs_list *list = &w->except;
    const uint32_t box = bsl_box_at(L, w, arg, item, value);
    list->at = bsl_reserve(L, &w->account, &w->except_room, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] = box;
}

/*
 * Reads the field `except` of the table at `arg`: a box or a list of boxes. The list that it
 * returns is good until the next call that reads one; NULL stands for none.
 */
static const bs_list *check_except(lua_State *L, bsl_world *w, int arg) {
    const int value = lua_gettop(L) + 1;
    w->except.n = 0;
    bsl_find_option(L, arg, "except");
    if (lua_istable(L, value)) {
        for (size_t i = 0; bsl_rawgeti(L, value, (int)i + 1) != LUA_TNIL; i++) {
            leave_out(L, w, arg, i + 1, value + 1);
            lua_pop(L, 1);
        }
    } else if (!lua_isnil(L, value)) {
        leave_out(L, w, arg, 0, value);
    }
    lua_settop(L, value - 1);
    return w->except.n > 0 ? &w->except : NULL;
}

/* --- of queries and casts ------------------------------------------------------------------- */

bool bsl_ask(void *call, bs_id mover, uint32_t box) {
    const bsl_call *c = call;
    lua_State *L = c->L;
    lua_pushvalue(L, c->filter);
    bsl_push_result(L, c->w, c->store, box);
    if (mover != 0) {
        bsl_push_id(L, mover);
    }
    lua_call(L, mover != 0 ? 2 : 1, 1);
    bool accepted = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    return accepted;
}

static const char *read_wide_mask(lua_State *L, void *field) {
    uint32_t mask = 0;
    const char *wrong = bsl_read_mask(L, &mask);
    *(uint64_t *)field = mask;
    return wrong;
}

/* {mask =, except =} */
static const bsl_option filter_rows[] = {
    {"mask", read_wide_mask, 0, NULL},
    {"except", bsl_read_any, 0, NULL},
    {NULL, NULL, 0, NULL},
};

bs_filter bsl_read_filter(lua_State *L, bsl_call *c) {
    bs_filter filter = bs_filter_all;
    if (lua_type(L, c->filter) == LUA_TNUMBER) {
        filter.mask = bsl_check_mask(L, c->filter);
    } else if (bsl_to_box(L, c->filter) != NULL) {
        filter.ignore = bsl_check_box(L, c->w, c->filter);
    } else if (bsl_asks(L, c)) {
        filter.accepts = bsl_ask;
        filter.host = c;
        filter.hits = &c->hits;
    } else if (bsl_key_type(L, c->filter) == LUA_TSTRING) {
        bsl_check_options(L, c->filter, filter_rows, &filter.mask);
        filter.except = check_except(L, c->w, c->filter);
    } else {
        bsl_bad_arg(L, c->filter, "mask, Box or function");
    }
    return filter;
}

/* --- of movement ---------------------------------------------------------------------------- */

/* In place of masks that are being read: `true`, for all boxes that could make a pair; and none. */
#define ALL_PAIRS (UINT64_C(1) << 32)
#define NOT_GIVEN (UINT64_C(1) << 33)

/*
 * Turns the one into the response to boxes that no other mask names. If several responses are
 * `true`, the one whose mask is asked first counts. Beside `except` alone, boxes slide.
 */
static void set_to_pairs(bs_rules *rules) {
#define ORDERED(id, number, order, ...) [(order)-1] = BS_##id,
    static const bs_response in_order[] = {BS_RESPONSE_ROWS(ORDERED)};
#undef ORDERED
    bool any = false;
    for (size_t i = sizeof in_order / sizeof *in_order; i-- > 0;) {
        uint64_t *mask = &rules->mask[in_order[i]];
        any = any || *mask != NOT_GIVEN;
        rules->to_pairs = *mask == ALL_PAIRS ? in_order[i] : rules->to_pairs;
        *mask = *mask < ALL_PAIRS ? *mask : 0;
    }
    rules->to_pairs = any ? rules->to_pairs : BS_SLIDE;
}

/* The value of a response in a table of masks: a 32-bit mask, or true. */
static const char *read_mask_or_true(lua_State *L, void *field) {
    if (lua_isboolean(L, -1) && lua_toboolean(L, -1)) {
        *(uint64_t *)field = ALL_PAIRS;
        return NULL;
    }
    return read_wide_mask(L, field);
}

static const bsl_option mask_rows[] = {
#define MASK(id, number, order, name, ...)                                                         \
    {(name), read_mask_or_true, offsetof(bs_rules, mask[number]), NULL},
    BS_RESPONSE_ROWS(MASK)
#undef MASK
        {"except", bsl_read_any, 0, NULL},
    {NULL, NULL, 0, NULL},
};

/* Reads the table of masks at `arg`. An empty one is a mistake: a mask in it was nil. */
static bs_rules check_masks(lua_State *L, bsl_world *w, int arg, bool has_out) {
    bs_rules rules = {.ignore = BS_NO_BOX};
    const int key = bsl_key_type(L, arg);
    if (key == LUA_TNIL) {
        bsl_bad(L, bsl_where_arg(arg), "masks expected, got an empty table; is a mask nil?%s",
                has_out ? " Out comes after filter" : "");
    } else if (key != LUA_TSTRING) {
        bsl_bad(L, bsl_where_arg(arg),
                "mask, table of masks, Box or function expected, got a list%s",
                has_out ? "; out comes after filter" : "");
    }
    for (int i = BS_PASS + 1; i < BS_RESPONSES; i++) {
        rules.mask[i] = NOT_GIVEN;
    }
    bsl_check_options(L, arg, mask_rows, &rules);
    set_to_pairs(&rules);
    rules.except = check_except(L, w, arg);
    return rules;
}

/* Raises an error about the function's answer at the top of the stack. */
static _Noreturn void bad_answer(lua_State *L) {
    char got[80];
    if (lua_isstring(L, -1)) {
        snprintf(got, sizeof got, "'%.60s'", lua_tostring(L, -1));
    } else {
        snprintf(got, sizeof got, "%s", lua_isboolean(L, -1) ? "true" : luaL_typename(L, -1));
    }
#define QUOTED(id, number, order, name, ...) "\"" name "\", "
    lua_pushfstring(L, "the filter function returned %s (%snil or false expected)", got,
                    BS_RESPONSE_ROWS(QUOTED));
#undef QUOTED
    bsl_fail(L, lua_tostring(L, -1));
}

unsigned bsl_find_response(lua_State *L) {
    const int first = BS_PASS + 1;
    return (unsigned)(first + bsl_find_name(L, -1, bsl_names + first, BS_RESPONSES - first));
}

/* Asks the function (bs_ask). Runs Lua code, and may raise an error. */
static bs_response ask_response(void *host, uint32_t self, uint32_t other) {
    const bsl_call *c = host;
    lua_State *L = c->L;
    unsigned response = BS_PASS;
    int top = lua_gettop(L);
    lua_pushvalue(L, c->filter);
    bsl_push_result(L, c->w, c->store, self);
    bsl_push_result(L, c->w, c->store, other);
    lua_call(L, 2, 1);
    if (lua_toboolean(L, -1)) {
        response = bsl_find_response(L);
    }
    if (response == BS_RESPONSES) {
        bad_answer(L);
    }
    lua_settop(L, top);
    return (bs_response)response;
}

bs_rules bsl_check_rules(lua_State *L, bsl_call *c, bool has_out) {
    const int arg = c->filter;
    bs_rules rules = {.ignore = BS_NO_BOX};
    switch (lua_type(L, arg)) {
    case LUA_TNONE:
    case LUA_TNIL:
        return bs_rules_default();
    case LUA_TNUMBER:
        rules.mask[BS_SLIDE] = bsl_check_mask(L, arg);
        return rules;
    case LUA_TFUNCTION:
        rules.ask = ask_response;
        rules.host = c;
        return rules;
    case LUA_TTABLE:
        return check_masks(L, c->w, arg, has_out);
    default:
        if (bsl_to_box(L, arg) == NULL) {
            bsl_bad_arg(L, arg, "mask, table of masks, Box or function");
        }
        rules = bs_rules_default();
        rules.ignore = bsl_check_box(L, c->w, arg);
        return rules;
    }
}
