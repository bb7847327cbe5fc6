/*
 * ffi.c: the calls that games make most, as plain functions for LuaJIT's FFI, which compiles them
 * into the game's own loop. They take numbers and the blocks of userdata, and know no lua_State.
 * lua/broadside/ffi.lua calls them. In 2D alone.
 *
 * They answer what is plain. For all else, and for whatever is wrong, they return NOT_PLAIN, have
 * changed nothing, and the ordinary method is called: it raises the errors.
 *
 * Between two steps of a script in LuaJIT finalisers may run, with calls of their own. So a move
 * that has met something is not done before its rows are written, and then only if nothing else
 * has come in between (finish).
 */
#include "filters.h"
#include "memory.h"
#include "module.h"

#include <string.h>

#if DIM == 2

enum { NOT_PLAIN = -1, MOST_HITS = 16 };

/* What becomes of what is met: by the layers of both boxes, or by masks. */
enum { BY_PAIRS, BY_MASKS };

/* A row, as numbers. */
typedef struct fast_hit {
    double index;
    double id;
    double response;
    double t;
    double place[DIM];
    double normal[DIM];
    double overlap;
} fast_hit;

/*
 * One for each Lua state. ffi.lua reads the first part as an array of doubles, by the numbers that
 * are told here.
 */
typedef struct bsl_fast {
    double results;          /* 0: bsl_results */
    double serial;           /* 1: the number of the answer */
    double due;              /* 2: the collector is to be told of memory */
    double index;            /* 3: the box that was found, */
    double id;               /* 4: and its id */
    double numbers[5];       /* 5: a place; a rect; or the point, normal and time of a cast */
    fast_hit hit[MOST_HITS]; /* 10 */

    size_t length_at;   /* how far in front of a userdata's block LuaJIT keeps its length */
    const bsl_world *w; /* of the last answer, and what it was made from */
    uint64_t changes;
    bool moves; /* it is a move, of that box to that place */
    uint32_t box;
    bs_rect end;
} bsl_fast;

/* --- arguments ------------------------------------------------------------------------------ */

/* As bsl_to_box: any userdata may be given. Its block may be of any length. */
static const bsl_box *to_box(const bsl_fast *f, const void *block) {
    uint32_t length;
    memcpy(&length, (const char *)block - f->length_at, sizeof length);
    const bsl_box *box = length == sizeof *box ? block : NULL;
    return box != NULL && box->magic == BSL_BOX_MAGIC ? box : NULL;
}

/* No filter function is running, and no restore: what they allow is said elsewhere. */
static bool is_plain(const bsl_world *w) {
    return w->core != NULL && w->running == NULL && w->aside == NULL;
}

/* The box of that block; or that id, if there is none. */
static bool find_box(const bsl_fast *f, const bsl_world *w, const void *block, double id,
                     uint32_t *index) {
    if (block == NULL) {
        bool is_id = id >= 0 && id < 0x1p53 && (double)(bs_id)id == id;
        return is_id && bs_world_find(w->core, (bs_id)id, index) == BS_FOUND;
    }
    const bsl_box *box = to_box(f, block);
    return box != NULL && box->world == w && bs_world_find(w->core, box->id, index) == BS_FOUND;
}

/* A mask; ffi.lua has BSL_ALL_PAIRS, too, but lets no script pass it. */
static bool to_mask(double x, uint64_t *mask) {
    bool fits = x >= INT32_MIN && x <= (double)BSL_ALL_PAIRS && (double)(int64_t)x == x;
    *mask = fits ? (uint64_t)(int64_t)(x < 0 ? x + 0x1p32 : x) : 0;
    return fits;
}

static bool find_ignored(const bsl_fast *f, const bsl_world *w, const void *block,
                         uint32_t *ignore) {
    *ignore = BS_NO_BOX;
    return block == NULL || find_box(f, w, block, 0, ignore);
}

/* Reads the block of a Box that is not met, or masks by response. */
static bool read_rules(const bsl_fast *f, const bsl_world *w, int kind, const void *ignore,
                       const double masks[BS_RESPONSES], bs_rules *rules) {
    *rules = bs_rules_default();
    if (kind == BY_PAIRS) {
        return find_ignored(f, w, ignore, &rules->ignore);
    }
    bool fits = true;
    for (int i = 0; i < BS_RESPONSES; i++) {
        fits = to_mask(masks[i], &rules->mask[i]) && fits;
    }
    rules->to_pairs = BS_PASS;
    bsl_set_to_pairs(rules);
    return fits;
}

static bool is_place(const bs_rect *r) {
    bool fits = true;
    for (int k = 0; k < DIM; k++) {
        fits = fits && isfinite(r->pos[k]) && isfinite(bs_far(r, k));
    }
    return fits;
}

/* --- answers -------------------------------------------------------------------------------- */

/* The next answer is about that world, as it is now. */
static void begin_answer(bsl_fast *f, const bsl_world *w) {
    f->results = w->results;
    f->due = bsl_is_due(&w->account, bs_world_memory(w->core));
    f->serial++;
    f->w = w;
    f->changes = w->changes;
    f->moves = false;
}

static void tell_box(bsl_fast *f, const bsl_world *w, uint32_t box) {
    f->index = box;
    f->id = (double)(int64_t)bs_world_id(w->core, box);
}

static void update_box(bsl_world *w, uint32_t box, const bs_rect *rect) {
    w->changes++;
    bs_world_update(w->core, box, rect);
}

/*
 * Whether the answer of that number is the last one, and what it is about has not changed since. If
 * so, and it is a move, that is done now.
 */
static int finish(bsl_fast *f, bsl_world *w, double serial) {
    bool holds = f->serial == serial && f->w == w && is_plain(w) && f->changes == w->changes;
    if (holds && f->moves) {
        update_box(w, f->box, &f->end);
        f->due = bsl_is_due(&w->account, bs_world_memory(w->core));
    }
    return holds;
}

/* --- places --------------------------------------------------------------------------------- */

/* Both sizes are left out unless `sized`. */
static bool put(bsl_world *w, uint32_t box, bool sized, double x, double y, double width,
                double height) {
    bs_rect r = *bs_world_rect(w->core, box);
    r.pos[0] = x;
    r.pos[1] = y;
    if (sized) {
        r.size[0] = width;
        r.size[1] = height;
    }
    bool even = width == height || bs_world_shape_kind(w->core, box) != BS_CIRCLE;
    bool fits = is_place(&r) && r.size[0] > 0 && r.size[1] > 0 && (!sized || even);
    if (fits) {
        update_box(w, box, &r);
    }
    return fits;
}

/* world:update */
static int update(bsl_fast *f, bsl_world *w, const void *block, double id, double x, double y,
                  int sized, double width, double height) {
    uint32_t box;
    bool done = is_plain(w) && find_box(f, w, block, id, &box) &&
                put(w, box, sized != 0, x, y, width, height);
    return done ? 0 : NOT_PLAIN;
}

/* box:setRect */
static int set_rect(bsl_fast *f, const void *block, double x, double y, int sized, double width,
                    double height) {
    const bsl_box *box = to_box(f, block);
    return box != NULL ? update(f, box->world, block, 0, x, y, sized, width, height) : NOT_PLAIN;
}

/* box:getRect */
static int get_rect(bsl_fast *f, const void *block) {
    const bsl_box *box = to_box(f, block);
    uint32_t index;
    if (box == NULL || box->world->core == NULL ||
        bs_world_find(box->world->core, box->id, &index) != BS_FOUND) {
        return NOT_PLAIN;
    }
    const bs_rect *r = bs_world_rect(box->world->core, index);
    memcpy(f->numbers, r->pos, sizeof r->pos);
    memcpy(f->numbers + DIM, r->size, sizeof r->size);
    return 0;
}

/* --- moves ---------------------------------------------------------------------------------- */

static fast_hit tell_hit(const bs_collision *c) {
    fast_hit hit = {c->box, (double)(int64_t)c->id, c->response, c->t, {0}, {0}, c->overlap};
    memcpy(hit.place, c->place, sizeof hit.place);
    memcpy(hit.normal, c->normal, sizeof hit.normal);
    return hit;
}

/* Where the box gets to, and the rows, unless there are too many of them. Returns how many. */
static int find_way(bsl_fast *f, bsl_world *w, const bs_rect *goal, const bs_rules *rules) {
    uint32_t none;
    bs_move *m = bs_move_begin(w->core, f->box, goal->pos, rules);
    if (m == NULL) {
        return NOT_PLAIN;
    }
    bs_progress progress = bs_move_run(m, &none);
    bs_move_end(m); /* it can be read until another one begins */
    const bs_collisions *met = bs_move_collisions(m);
    if (progress != BS_MOVE_DONE || met->n > MOST_HITS) {
        return NOT_PLAIN;
    }
    for (size_t i = 0; i < met->n; i++) {
        f->hit[i] = tell_hit(&met->at[i]);
    }
    f->end = bs_move_rect(m);
    memcpy(f->numbers, f->end.pos, sizeof f->end.pos);
    return (int)met->n;
}

static bool is_way(const bs_rect *from, const bs_rect *to) {
    bool fits = is_place(to);
    for (int k = 0; k < DIM; k++) {
        fits = fits && isfinite(to->pos[k] - from->pos[k]);
    }
    return fits;
}

/* world:check; or world:move, which is done if it has met nothing, and else is to be finished. */
static int travel(bsl_fast *f, bsl_world *w, const void *block, double id, double x, double y,
                  int moves, int kind, const void *ignore, double slide, double touch,
                  double bounce, double push, double cross) {
    const double masks[] = {0, touch, bounce, slide, cross, push};
    bs_rules rules;
    /* A push is not plain: if the move is not done, it must be undone. */
    if (!is_plain(w) || !find_box(f, w, block, id, &f->box) ||
        !read_rules(f, w, kind, ignore, masks, &rules) ||
        (moves && bs_rules_may_give(&rules, BS_PUSH))) {
        return NOT_PLAIN;
    }
    const bs_rect *from = bs_world_rect(w->core, f->box);
    bs_rect to = *from;
    to.pos[0] = x;
    to.pos[1] = y;
    int n = is_way(from, &to) ? find_way(f, w, &to, &rules) : NOT_PLAIN;
    if (moves && n == 0) {
        update_box(w, f->box, &f->end);
    }
    begin_answer(f, w);
    f->moves = moves != 0;
    return n;
}

/* --- questions ------------------------------------------------------------------------------ */

/* world:touching. 1: the box that was found is told; 0: there is none. */
static int touching(bsl_fast *f, bsl_world *w, const void *block, double id, double dx, double dy,
                    int kind, const void *ignore, double slide, double touch, double bounce,
                    double push, double cross) {
    const double masks[] = {0, touch, bounce, slide, cross, push};
    bs_rules rules;
    uint32_t self;
    bool is_side = isfinite(dx) && isfinite(dy) && (dx != 0) != (dy != 0);
    if (!is_side || !is_plain(w) || !find_box(f, w, block, id, &self) ||
        !read_rules(f, w, kind, ignore, masks, &rules) ||
        bs_world_touching(w->core, self, dx != 0 ? 0 : 1, dx + dy > 0, &rules, &w->list) != BS_OK) {
        return NOT_PLAIN;
    }
    begin_answer(f, w);
    if (w->list.n > 0) {
        tell_box(f, w, w->list.at[0]);
    }
    return w->list.n > 0;
}

static bool read_filter(const bsl_fast *f, const bsl_world *w, int kind, const void *ignore,
                        double mask, bs_filter *filter) {
    *filter = bs_filter_all;
    return kind == BY_MASKS ? to_mask(mask, &filter->mask)
                            : find_ignored(f, w, ignore, &filter->ignore);
}

/* A cast of a point; false: something was not plain. */
static bool cast_point(bsl_fast *f, bsl_world *w, const double start[DIM], const double end[DIM],
                       const bs_filter *filter, bs_hit *hit) {
    bs_way way = {.shape = NULL};
    for (int k = 0; k < DIM; k++) {
        way.from.pos[k] = start[k];
        way.motion[k] = end[k] - start[k];
        if (!isfinite(start[k]) || !isfinite(end[k]) || !isfinite(way.motion[k])) {
            return false;
        }
    }
    hit->box = BS_NO_BOX;
    if (bs_world_cast(w->core, &way, filter, hit) != BS_OK) {
        return false;
    }
    begin_answer(f, w);
    return true;
}

/* world:segmentCast. As touching; and the point, the normal and the time. */
static int segment_cast(bsl_fast *f, bsl_world *w, double x1, double y1, double x2, double y2,
                        int kind, const void *ignore, double mask) {
    const double start[DIM] = {x1, y1};
    const double end[DIM] = {x2, y2};
    bs_filter filter;
    bs_hit hit;
    if (!is_plain(w) || !read_filter(f, w, kind, ignore, mask, &filter) ||
        !cast_point(f, w, start, end, &filter, &hit)) {
        return NOT_PLAIN;
    }
    if (hit.box == BS_NO_BOX) {
        return 0;
    }
    tell_box(f, w, hit.box);
    bs_segment_point(start, end, hit.touch.t, f->numbers);
    memcpy(f->numbers + DIM, hit.touch.normal, sizeof hit.touch.normal);
    f->numbers[2 * DIM] = hit.touch.t;
    return 1;
}

/* --- handing over --------------------------------------------------------------------------- */

/* As ffi.lua declares them. Addresses of functions do not fit into light userdata everywhere. */
typedef void (*function)(void);
static const function functions[] = {
    (function)finish, (function)update,   (function)set_rect,     (function)get_rect,
    (function)travel, (function)touching, (function)segment_cast,
};

/*
 * How far in front of a userdata's block its length stands: LuaJIT has two layouts. 0: it was not
 * found, and then nothing here is of use. The header has 24 bytes at least.
 */
static size_t find_length(lua_State *L) {
    static const uint32_t lengths[] = {sizeof(bsl_box), 1031, 4099, 0};
    enum { N = sizeof lengths / sizeof *lengths, AT_MOST = 24 };
    const char *block[N];
    size_t at = 0;
    bool found = false;
    luaL_checkstack(L, N, NULL);
    for (int i = 0; i < N; i++) {
        block[i] = bsl_new_userdata(L, lengths[i]);
    }
    while (!found && at < AT_MOST) {
        at += sizeof(uint32_t);
        found = true;
        for (int i = 0; i < N; i++) {
            found = found && memcmp(block[i] - at, &lengths[i], sizeof lengths[i]) == 0;
        }
    }
    lua_pop(L, N);
    return found ? at : 0;
}

/* Pushes a table of a class's methods, new functions each. */
static void push_methods(lua_State *L, const char *class) {
    lua_newtable(L);
    for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
        bool is_of_it = group->class != NULL && strcmp(group->class, class) == 0;
        for (const luaL_Reg *row = group->functions; is_of_it && row->name != NULL; row++) {
            lua_pushcfunction(L, row->func);
            lua_setfield(L, -2, row->name);
        }
    }
}

/* Pushes the table in which scripts find a class's methods. */
static void push_class(lua_State *L, const char *class) {
    lua_getfield(L, LUA_REGISTRYINDEX, class);
    lua_getfield(L, -1, "__index");
    lua_replace(L, -2);
}

/* store(world) -> table: what handles.h says of it; nil if it is not an open World. */
static int store(lua_State *L) {
    const bsl_world *w = bsl_to_world(L, 1);
    if (w == NULL || w->core == NULL) {
        return 0;
    }
    (void)bsl_push_store(L, 1);
    return 1;
}

/* tell(world): of memory, to the collector. */
static int tell(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    if (w != NULL) {
        bsl_tell(L, w);
    }
    return 0;
}

/* A field of the table at the top of the stack; the value is on top of that. */
static void set(lua_State *L, const char *name) {
    lua_setfield(L, -2, name);
}

/*
 * fast() -> table or nil: all that ffi.lua needs; for init.lua, which leaves it to nobody else. nil
 * where LuaJIT keeps userdata in a way that is not known here.
 */
static int fast(lua_State *L) {
    size_t length_at = find_length(L);
    if (length_at == 0) {
        return 0;
    }
    lua_newtable(L);
    bsl_fast *f = memset(bsl_new_userdata(L, sizeof *f), 0, sizeof *f);
    f->length_at = length_at;
    set(L, "answer");
    memcpy(bsl_new_userdata(L, sizeof functions), functions, sizeof functions);
    set(L, "functions");
    push_methods(L, BSL_WORLD_META);
    set(L, "ordinaryWorld");
    push_methods(L, BSL_BOX_META);
    set(L, "ordinaryBox");
    push_class(L, BSL_WORLD_META);
    set(L, "World");
    push_class(L, BSL_BOX_META);
    set(L, "Box");
    bsl_push_row_class(L);
    set(L, "Row");
    lua_pushcfunction(L, store);
    set(L, "store");
    lua_pushcfunction(L, tell);
    set(L, "tell");
    lua_pushinteger(L, BSL_BOXES);
    set(L, "boxes");
    lua_pushinteger(L, BSL_DATA);
    set(L, "data");
    return 1;
}

const luaL_Reg bsl_ffi_functions[] = {{"fast", fast}, {NULL, NULL}};

#endif
