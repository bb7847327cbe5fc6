/*
 * geometry.h: exact answers about single boxes, in doubles; and shapes within the rects of boxes.
 * It knows nothing of worlds, and relies on the compiler's IEEE arithmetic alone.
 *
 * A box is given by its minimum corner and its size. Its far side is `pos + size`, rounded once.
 * Boxes that only touch do not overlap. All functions are pure, and take constant time unless their
 * comment says otherwise.
 */
#ifndef BS_GEOMETRY_H
#define BS_GEOMETRY_H

#include <assert.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- what it takes to compile --------------------------------------------------------------- */

/* The number of axes, 2 or 3: everything is compiled once for each. */
#if !defined(DIM) || (DIM != 2 && DIM != 3)
#error "compile with -DDIM=2 or -DDIM=3"
#endif

#include "names.h"

/*
 * Each operation of IEEE arithmetic is rounded once. A fused multiply-add would change answers, so
 * it is switched off here: a build that forgets -ffp-contract=off (LuaRocks chooses its own flags)
 * still gives the same answers.
 */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang fp reassociate(off)
#elif defined(__GNUC__) && (defined(__FMA__) || !(defined(__x86_64__) || defined(__i386__)))
#pragma GCC optimize("fp-contract=off")
#endif

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "broadside needs IEEE arithmetic: do not compile it with -ffast-math or a part of that"
#endif

/* GCC has no macro for parts such as -freciprocal-math, but this one tells. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error "broadside needs IEEE arithmetic: no -funsafe-math-optimizations, nor a part of that"
#endif

/* Numbers must not be kept in wider registers, as they are on 32-bit x86 without SSE2. */
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error "broadside needs doubles that are doubles: compile it with -msse2 -mfpmath=sse"
#endif

/* --- boxes ---------------------------------------------------------------------------------- */

/* Around all declarations: C++ is told that they are C, and no symbol leaves the library. */
#if defined(__cplusplus)
#define BS_API _Pragma("GCC visibility push(hidden)") extern "C" {
#define BS_API_END                                                                                 \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define BS_API _Pragma("GCC visibility push(hidden)")
#define BS_API_END _Pragma("GCC visibility pop")
#endif

BS_API

typedef struct bs_rect {
    double pos[DIM];
    double size[DIM];
} bs_rect;

/* When and how a moving box meets another. */
typedef struct bs_touch {
    double t;           /* The fraction of the motion, 0..1. */
    double normal[DIM]; /* Against the motion, on the axis entered last; 0 if inside at t = 0. */
    bool corner;        /* It is an edge or a corner: several axes are entered at t. */
} bs_touch;

/* If one is NaN, these give b. fmin and fmax would be calls. */
static inline double bs_min(double a, double b) {
    return a < b ? a : b;
}

static inline double bs_max(double a, double b) {
    return a > b ? a : b;
}

static inline double bs_far(const bs_rect *r, int axis) {
    assert(axis >= 0 && axis < DIM);
    return r->pos[axis] + r->size[axis];
}

/* Whether the interiors of a and b overlap. */
static inline bool bs_overlap(const bs_rect *a, const bs_rect *b) {
    bool meet = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) { /* Without branches, as they cannot be predicted. */
        meet &= a->pos[k] < bs_far(b, k);
        meet &= b->pos[k] < bs_far(a, k);
    }
    return meet;
}

bool bs_is_finite(const double v[DIM]);

/* Whether all corners are finite and all sizes are > 0, as a world's boxes must be. */
bool bs_rect_is_box(const bs_rect *r);

/* Whether all corners are finite and all sizes are >= 0, as a query's must be. */
bool bs_rect_is_query(const bs_rect *r);

/*
 * When a, moving by `va` in a unit of time, first meets b, which moves by `vb` (NULL: it rests). On
 * each axis the interiors overlap during an open interval of time. The common part of the intervals
 * must have a positive length within [0, 1]; otherwise the result is false, and *hit is unchanged.
 * Sizes may be 0 for a moving point. Velocities must be finite.
 *
 * The slab method: Kay and Kajiya, "Ray tracing complex scenes", 1986, on the Minkowski sum.
 */
bool bs_sweep(const bs_rect *a, const double va[DIM], const bs_rect *b, const double vb[DIM],
              bs_touch *hit);

/*
 * The shortest push along one axis that separates a from b. Ties go to the lower axis, then to the
 * negative direction. If they do not overlap, the result is false, and *push is unchanged.
 */
bool bs_separation(const bs_rect *a, const bs_rect *b, double push[DIM]);

/* d mirrored about the plane with unit normal n: d - 2 (d.n) n. */
void bs_reflect(const double d[DIM], const double n[DIM], double out[DIM]);

/* Scale, then rotate, then translate: how an object-space box gets its place in the world. */
typedef struct bs_transform {
    double scale[DIM];
    double rotation[DIM][DIM]; /* It counts only if `rotated`. */
    double translation[DIM];
    bool rotated;
} bs_transform;

/* The transform that changes nothing. */
bs_transform bs_transform_identity(void);

#if DIM == 2
/* Rotates by `angle` radians, from +x towards +y. */
void bs_transform_rotate(bs_transform *tr, double angle);
#else
/* Rotates by the quaternion q = {x, y, z, w}, which is normalised first. It must not be 0. */
void bs_transform_rotate(bs_transform *tr, const double q[4]);
#endif

/* The AABB of the transformed box. It may be invalid: check it. */
bs_rect bs_transform_rect(const bs_rect *r, const bs_transform *tr);

/* --- shapes --------------------------------------------------------------------------------- */

enum { BS_LEAST_CORNERS = 3, BS_MOST_CORNERS = 16 };

typedef enum bs_shape_kind { BS_BOX, BS_CIRCLE, BS_POLYGON } bs_shape_kind;

/* A box only has `kind` and `rect`; a circle also `centre` and `radius`. */
typedef struct bs_shape {
    bs_shape_kind kind;
    uint32_t corners; /* The number of a polygon's corners, which are in the order given. */
    int turn;         /* 1 if a polygon's corners turn from +x towards +y, else -1. */
    bs_rect rect;     /* The AABB. */
    /*
     * Two balls around the middle of the rect. The shape contains the one whose radius is `inner`
     * times the least side. The one whose radius is `outer` times the greatest side contains the
     * shape.
     */
    float inner, outer;
    double centre[DIM];
    double radius;
    double corner[BS_MOST_CORNERS][2];
} bs_shape;

/* A motion in a straight line, of a point, a box or a shape. */
typedef struct bs_way {
    bs_rect from; /* Where it begins. A point has no size. */
    double motion[DIM];
    const bs_shape *shape; /* The shape in `from`; NULL for a point or a box. */
} bs_way;

/* What is wrong with a shape. */
typedef enum bs_shape_fault {
    BS_SHAPE_IS_FINE,
    BS_SHAPE_HAS_WRONG_COUNT, /* A polygon has 3 to 16 corners. */
    BS_SHAPE_IS_NOT_FINITE,   /* A number is not finite, or a radius not > 0. */
    BS_SHAPE_REPEATS_CORNER,
    BS_SHAPE_HAS_NO_AREA,  /* It is no wider than the rounding of its coordinates. */
    BS_SHAPE_IS_NOT_CONVEX /* Or its sides go around more than once. */
} bs_shape_fault;

/* A circle or sphere may be invalid until it is checked. */
void bs_shape_set_box(bs_shape *shape, const bs_rect *rect);
void bs_shape_set_circle(bs_shape *shape, const double centre[DIM], double radius);

/*
 * Says what is wrong with a shape, and at which corner. Sets what follows from its kind and its
 * corners, or its centre and radius. It does not change corners; several may lie on one line. (A
 * deviation of less than 4 units in the last place of the largest coordinate does not count, so
 * corners that rounding has moved off a line are still on it.) O(corners^2)
 */
bs_shape_fault bs_shape_check(bs_shape *shape, uint32_t *corner);

BS_API_END

#endif
