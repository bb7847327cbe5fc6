/* shape_methods.c: methods that insert circles and convex polygons, read shapes and change them. */
#include "memory.h"
#include "module.h"
#include "results.h"

#include <limits.h>

/* --- arguments ------------------------------------------------------------------------------ */

/* Checks a shape of finite numbers. Its radius or its corners were read from `arg`. */
static void check_shape(lua_State *L, int arg, bs_shape *shape) {
    const bsl_where where = bsl_where_arg(arg);
    uint32_t corner = 0;
    const bs_shape_fault fault = bs_shape_check(shape, &corner);
    const double *at = shape->corner[corner < shape->corners ? corner : 0];
    switch (fault) {
    case BS_SHAPE_IS_FINE:
        return;
    case BS_SHAPE_REPEATS_CORNER:
        bsl_bad(L, where, "distinct corners expected, corner %u repeats %.14g, %.14g", corner + 1,
                at[0], at[1]);
    case BS_SHAPE_HAS_NO_AREA:
        bsl_bad(L, where, "corners around an area expected, got no area");
    case BS_SHAPE_IS_NOT_CONVEX:
        bsl_bad(L, where, "convex polygon expected, it is not convex at corner %u, %.14g, %.14g",
                corner + 1, at[0], at[1]);
    default:
        if (shape->kind == BS_CIRCLE) {
            bsl_bad(L, where, "radius with finite bounds expected, got %.14g", shape->radius);
        }
        bsl_bad(L, where, "corners with finite bounds expected, got sizes %.14g, %.14g",
                shape->rect.size[0], shape->rect.size[1]);
    }
}

/* Makes the circle with that centre, and reads its radius from `arg`. */
static void read_circle(lua_State *L, int arg, const double centre[DIM], bs_shape *shape) {
    double radius = bsl_check_number(L, arg);
    if (!(radius > 0)) {
        bsl_bad_arg(L, arg, "radius > 0");
    }
    bs_shape_set_circle(shape, centre, radius);
    check_shape(L, arg, shape);
}

void bsl_check_polygon(lua_State *L, int arg, bs_shape *shape) {
    if (DIM == 3) {
        bsl_bad_self(L, "2D World expected, got a 3D World");
    }
    size_t n = bsl_check_groups(L, arg, 2);
    if (n < BS_LEAST_CORNERS || n > BS_MOST_CORNERS) {
        bsl_bad(L, bsl_where_arg(arg), "%d to %d corners expected, got %zu", BS_LEAST_CORNERS,
                BS_MOST_CORNERS, n);
    }
    shape->kind = BS_POLYGON;
    shape->corners = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        bs_rect corner = {{0}, {0}};
        bsl_corner_item(L, arg, 2 * i, &corner);
        shape->corner[i][0] = corner.pos[0];
        shape->corner[i][1] = corner.pos[1];
    }
    check_shape(L, arg, shape);
}

void bsl_check_equal(lua_State *L, const bsl_world *w, uint32_t box, int first, const char *what,
                     const double numbers[DIM]) {
    for (int k = 1; k < DIM && bs_world_shape_kind(w->core, box) == BS_CIRCLE; k++) {
        if (fabs(numbers[k]) != fabs(numbers[0])) {
            int arg = first + (bsl_is_absent(L, first + k) ? 0 : k);
            bsl_bad(L, bsl_where_arg(arg), "equal %s expected of a circle, got %.14g and %.14g",
                    what, numbers[0], numbers[k]);
        }
    }
}

/* --- methods of a World --------------------------------------------------------------------- */

/*
 * world:insertCircle(x, y, r, opts?) -> Box, or the id if results = "id": a circle (in 3D a sphere)
 * with that centre and radius; opts as for insert. O(log n)
 */
static int insert_circle(lua_State *L) {
    enum { CENTRE = 2, RADIUS = CENTRE + DIM, OPTIONS };
    bsl_world *w = bsl_self_free_world(L);
    double centre[DIM];
    bs_shape shape;
    bsl_check_vector(L, CENTRE, centre);
    read_circle(L, RADIUS, centre, &shape);
    return bsl_insert(L, w, OPTIONS, &shape);
}

/*
 * world:insertPolygon(corners, opts?) -> Box, or the id if results = "id": a convex polygon of 3 to
 * 16 corners {x1, y1, ...}, in either winding order; only in 2D. O(log n)
 */
static int insert_polygon(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bs_shape shape;
    bsl_check_polygon(L, 2, &shape);
    return bsl_insert(L, w, 3, &shape);
}

static void append_corners(lua_State *L, bsl_out *out, const bs_shape *shape) {
    for (uint32_t i = 0; i < shape->corners; i++) {
        bsl_append_numbers(L, out, shape->corner[i], 2);
    }
}

/* Appends the outline of a circle or polygon. */
static void append_outline(lua_State *L, int store, bsl_out *out, const bs_shape *shape) {
    bsl_push_name(L, store, BSL_SHAPE_NAMES + (int)shape->kind);
    bsl_append(L, out);
    if (shape->kind == BS_CIRCLE) {
        bsl_append_numbers(L, out, shape->centre, DIM);
        bsl_append_numbers(L, out, &shape->radius, 1);
    } else {
        lua_pushnumber(L, shape->corners);
        bsl_append(L, out);
        append_corners(L, out, shape);
    }
}

/*
 * world:debugShapes(out?) -> out, n: the outlines of the n circles and polygons in insertion order:
 * "circle", x, y, r or "polygon", the number of corners, x1, y1, ... O(n)
 */
static int debug_shapes(lua_State *L) {
    enum { OUT = 2, MOST = 2 + 2 * BS_MOST_CORNERS };
    bsl_world *w = bsl_self_world(L);
    bsl_push_out(L, OUT, 0);
    bsl_check_table(L, OUT);
    bsl_check_open(L, w);
    bsl_check_status(L, bs_world_list(w->core, &w->list));
    int store = bsl_push_store(L, 1);
    bsl_out out = bsl_open_out(L, OUT, 0);
    size_t shapes = 0;
    for (size_t i = 0; i < w->list.n; i++) {
        bs_shape shape;
        bs_world_shape(w->core, w->list.at[i], &shape);
        if (shape.kind != BS_BOX) {
            bsl_check_room(L, out.n < INT_MAX - MOST);
            append_outline(L, store, &out, &shape);
            shapes++;
        }
    }
    bsl_close_out(L, &out);
    return bsl_return_list(L, w, OUT, shapes);
}

/* --- methods of a Box ----------------------------------------------------------------------- */

/* box:getShape(out?) -> "box"; "circle", x, y, r; or "polygon", out, which is {x1, y1, ...}. */
static int get_shape(lua_State *L) {
    enum { OUT = 2 };
    bsl_self s = bsl_self_box(L);
    bs_shape shape;
    bs_world_shape(s.core, s.box, &shape);
    if (!bsl_is_absent(L, OUT)) {
        bsl_check_table(L, OUT);
    }
    if (shape.kind == BS_POLYGON) {
        bsl_push_out(L, OUT, 2 * (size_t)shape.corners);
        int store = bsl_push_box_store(L, 1);
        bsl_out out = bsl_open_out(L, OUT, 2 * (size_t)shape.corners);
        append_corners(L, &out, &shape);
        bsl_close_out(L, &out);
        bsl_push_name(L, store, BSL_SHAPE_NAMES + BS_POLYGON);
        lua_pushvalue(L, OUT);
        return 2;
    }
    bsl_push_name(L, bsl_push_box_store(L, 1), BSL_SHAPE_NAMES + (int)shape.kind);
    if (shape.kind == BS_BOX) {
        return 1;
    }
    bsl_push_numbers(L, shape.centre, DIM);
    lua_pushnumber(L, shape.radius);
    return 1 + DIM + 1;
}

/* getShape also returns a centre, which setShape must not take for a radius. */
static void check_no_more(lua_State *L, int arg) {
    for (int last = lua_gettop(L); arg <= last; arg++) {
        if (!bsl_is_absent(L, arg)) {
            bsl_bad_arg(L, arg, "no further argument");
        }
    }
}

/*
 * box:setShape("box"): its whole rectangle; ("circle", r): a circle of that radius around its
 * middle; ("polygon", {x1, y1, ...}): a polygon with these corners, only in 2D. An argument more
 * is an error. O(log n)
 */
static int set_shape(lua_State *L) {
    enum { KIND = 2, VALUE };
    bsl_self s = bsl_self_free_box(L);
    bs_shape shape;
    bs_world_shape(s.core, s.box, &shape);
    int kind = bsl_find_name(L, KIND, bsl_names + BSL_SHAPE_NAMES, DIM == 2 ? 3 : 2);
    if (kind == BS_BOX) {
        bs_rect rect = shape.rect;
        bs_shape_set_box(&shape, &rect);
    } else if (kind == BS_CIRCLE) {
        double centre[DIM];
        for (int k = 0; k < DIM; k++) {
            centre[k] = shape.kind == BS_CIRCLE ? shape.centre[k]
                                                : shape.rect.pos[k] + shape.rect.size[k] / 2;
        }
        check_no_more(L, VALUE + 1); /* first: a centre is no wrong radius */
        read_circle(L, VALUE, centre, &shape);
    } else if (DIM == 2 && kind == BS_POLYGON) {
        bsl_check_polygon(L, VALUE, &shape);
    } else {
        bsl_bad_arg(L, KIND, DIM == 2 ? "'box', 'circle' or 'polygon'" : "'box' or 'circle'");
    }
    check_no_more(L, kind == BS_BOX ? VALUE : VALUE + 1);
    bsl_check_status(L, bs_world_set_shape(s.core, s.box, &shape));
    bsl_tell(L, s.w);
    return 0;
}

const luaL_Reg bsl_shape_methods[] = {{"insertCircle", insert_circle},
                                      {"insertPolygon", insert_polygon},
                                      {"debugShapes", debug_shapes},
                                      {NULL, NULL}};

const luaL_Reg bsl_box_shape_methods[] = {
    {"getShape", get_shape}, {"setShape", set_shape}, {NULL, NULL}};
