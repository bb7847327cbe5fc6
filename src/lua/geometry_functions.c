/*
 * geometry_functions.c: the module's functions of plain geometry. In 3D they are published with a 3
 * behind the name.
 *
 * Sizes may be 0. All but bounds take constant time.
 */
#include "args.h"
#include "module.h"

enum { RECT = 2 * DIM };

static const char NOT_FINITE[] = "has no finite result";

/* Pushes a vector. Raises an error if it is not finite. */
static int return_vector(lua_State *L, const double v[DIM]) {
    static const char *const names[] = {"dx", "dy", "dz"};
    for (int k = 0; k < DIM; k++) {
        if (!isfinite(v[k])) {
            bsl_bad_result(L, NOT_FINITE, names[k], v[k]);
        }
    }
    return bsl_push_numbers(L, v, DIM);
}

/* Pushes a rect. Raises an error if it or its far sides are not finite. */
static int return_rect(lua_State *L, const bs_rect *rect) {
    bsl_check_result(L, rect, false, NOT_FINITE);
    return bsl_push_rect(L, rect);
}

/* Returns t, nx, ny; or nil. */
static int return_touch(lua_State *L, bool met, const bs_touch *touch) {
    if (!met) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, touch->t);
    return 1 + bsl_push_numbers(L, touch->normal, DIM);
}

/* overlap(ax, ay, aw, ah, bx, by, bw, bh) -> bool: whether the interiors meet. */
static int overlap(lua_State *L) {
    bs_rect a = bsl_check_rect(L, 1, BSL_QUERY);
    bs_rect b = bsl_check_rect(L, 1 + RECT, BSL_QUERY);
    lua_pushboolean(L, bs_overlap(&a, &b));
    return 1;
}

/*
 * sweep(ax, ay, aw, ah, avx, avy, bx, by, bw, bh, bvx, bvy) -> t, nx, ny, or nil: when a and b,
 * moving by their velocities from time 0 to 1, hit each other, and the normal of b's side there.
 */
static int sweep(lua_State *L) {
    bs_rect a = bsl_check_rect(L, 1, BSL_QUERY);
    double va[DIM];
    bsl_check_vector(L, 1 + RECT, va);
    bs_rect b = bsl_check_rect(L, 1 + RECT + DIM, BSL_QUERY);
    double vb[DIM];
    bsl_check_vector(L, 1 + 2 * RECT + DIM, vb);
    bs_touch touch;
    bool met = bs_sweep(&a, va, &b, vb, &touch);
    return return_touch(L, met, &touch);
}

/* segment(x1, y1, x2, y2, x, y, w, h) -> t, nx, ny, or nil: where the segment enters the rect. */
static int segment(lua_State *L) {
    bs_rect start;
    double end[DIM];
    double motion[DIM];
    bsl_check_segment(L, 1, &start, end, motion);
    bs_rect rect = bsl_check_rect(L, 1 + 2 * DIM, BSL_QUERY);
    bs_touch touch;
    bool met = bs_sweep(&start, motion, &rect, NULL, &touch);
    return return_touch(L, met, &touch);
}

/* separation(ax, ay, aw, ah, bx, by, bw, bh) -> dx, dy, or nil: the least push of a out of b. */
static int separation(lua_State *L) {
    bs_rect a = bsl_check_rect(L, 1, BSL_QUERY);
    bs_rect b = bsl_check_rect(L, 1 + RECT, BSL_QUERY);
    double push[DIM];
    if (!bs_separation(&a, &b, push)) {
        lua_pushnil(L);
        return 1;
    }
    return return_vector(L, push);
}

/* reflect(dx, dy, nx, ny) -> dx, dy: d mirrored about the plane with the unit normal n. */
static int reflect(lua_State *L) {
    double d[DIM];
    double n[DIM];
    double out[DIM];
    bsl_check_vector(L, 1, d);
    bsl_check_vector(L, 1 + DIM, n);
    bs_reflect(d, n, out);
    return return_vector(L, out);
}

/* bounds(flat) -> x, y, w, h: the smallest rect around points {x1, y1, x2, y2, ...}. O(n) */
static int bounds(lua_State *L) {
    size_t n = bsl_check_groups(L, 1, DIM);
    if (n == 0) {
        bsl_bad(L, bsl_where_arg(1), "at least one point expected, got none");
    }
    double lo[DIM];
    double hi[DIM];
    for (int k = 0; k < DIM; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        bs_rect point = {{0}, {0}};
        bsl_corner_item(L, 1, i * DIM, &point);
        for (int k = 0; k < DIM; k++) {
            lo[k] = bs_min(point.pos[k], lo[k]);
            hi[k] = bs_max(point.pos[k], hi[k]);
        }
    }
    bs_rect rect;
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = lo[k];
        rect.size[k] = hi[k] - lo[k];
    }
    return return_rect(L, &rect);
}

/*
 * transform(x, y, w, h, tx, ty, angle?, sx?, sy?) -> x, y, w, h: scales, turns and moves the rect,
 * and returns the rect around the result. transform3(..., tx, ty, tz, qx?, qy?, qz?, qw?, sx?, sy?,
 * sz?).
 */
static int transform(lua_State *L) {
    bs_rect rect = bsl_check_rect(L, 1, BSL_QUERY);
    bs_transform tr = bsl_check_transform(L, 1 + RECT);
    rect = bs_transform_rect(&rect, &tr);
    return return_rect(L, &rect);
}

const luaL_Reg bsl_geometry_functions[] = {
    {"overlap", overlap}, {"sweep", sweep},   {"segment", segment},     {"separation", separation},
    {"reflect", reflect}, {"bounds", bounds}, {"transform", transform}, {NULL, NULL},
};
