#include "geometry.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool bs_is_finite(const double v[DIM]) {
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        finite = finite && isfinite(v[k]);
    }
    return finite;
}

bool bs_rect_is_query(const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        if (!isfinite(r->pos[k]) || !(r->size[k] >= 0) || !isfinite(bs_far(r, k))) {
            return false;
        }
    }
    return true;
}

bool bs_rect_is_box(const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        if (!(r->size[k] > 0)) {
            return false;
        }
    }
    return bs_rect_is_query(r);
}

/* How a moves along one axis as b sees it: divided by the speed, distances are times. */
typedef struct approach {
    double speed;
    double ahead;  /* < 0: they overlap on this axis, if also ... */
    double behind; /* ... > 0 */
} approach;

/* `scale` is 1, or 1/2: the difference of two velocities can overflow, but not that of halves. */
static inline approach approach_along(int k, const bs_rect *a, const double va[DIM],
                                      const bs_rect *b, const double vb[DIM], double scale) {
    return (approach){
        .speed = va[k] * scale - (vb != NULL ? vb[k] * scale : 0),
        .ahead = b->pos[k] * scale - bs_far(a, k) * scale,
        .behind = bs_far(b, k) * scale - a->pos[k] * scale,
    };
}

/* See bs_sweep. Inlined twice: where b rests, nothing asks for vb. */
static inline __attribute__((always_inline)) bool sweep(const bs_rect *a, const double va[DIM],
                                                        const bs_rect *b, const double vb[DIM],
                                                        bs_touch *hit) {
    if (bs_overlap(a, b)) { /* asked of the distances: a quotient could underflow */
        memset(hit, 0, sizeof *hit);
        return true;
    }
    double enter = -HUGE_VAL;
    double leave = 1;
    bool meet = true;
    unsigned back = 0; /* axes by bits: the motion is negative */
    int last = 0;      /* the axis that is entered last: the lower one of two */
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) { /* neither axes nor directions can be predicted: no branches */
        approach x = approach_along(k, a, va, b, vb, 1);
        if (vb != NULL && !isfinite(x.speed)) {
            x = approach_along(k, a, va, b, vb, 0.5);
            assert(isfinite(x.speed));
        }
        /* Without speed: infinite, on both sides of 0 if they overlap, or NaN if they touch. */
        double at_ahead = x.ahead / x.speed;
        double at_behind = x.behind / x.speed;
        double first = bs_min(at_ahead, at_behind);
        meet &= !isunordered(at_ahead, at_behind);
        leave = bs_min(bs_max(at_ahead, at_behind), leave);
        last = first > enter ? k : last;
        enter = bs_max(first, enter);
        back |= (unsigned)(signbit(x.speed) != 0) << k;
    }
    double from = bs_max(enter, 0);
    if (!(meet & (from < leave))) {
        return false;
    }
    assert(from >= 0 && from < 1);
    memset(hit, 0, sizeof *hit);
    hit->t = from;
    hit->normal[last] = (int)(back >> last & 1) * 2 - 1;
    return true;
}

bool bs_sweep(const bs_rect *a, const double va[DIM], const bs_rect *b, const double vb[DIM],
              bs_touch *hit) {
    assert(bs_is_finite(va) && (vb == NULL || bs_is_finite(vb)));
    return vb == NULL ? sweep(a, va, b, NULL, hit) : sweep(a, va, b, vb, hit);
}

void bs_segment_point(const double start[DIM], const double end[DIM], double t, double point[DIM]) {
    assert(t >= 0 && t <= 1);
    for (int k = 0; k < DIM; k++) {
        point[k] = start[k] + (end[k] - start[k]) * t;
    }
}

bool bs_separation(const bs_rect *a, const bs_rect *b, double push[DIM]) {
    if (!bs_overlap(a, b)) {
        return false;
    }
    int axis = 0;
    double least = HUGE_VAL;
    double way = 0;
    for (int k = 0; k < DIM; k++) {
        double back = bs_far(a, k) - b->pos[k];
        double forth = bs_far(b, k) - a->pos[k];
        double depth = bs_min(forth, back);
        if (k == 0 || depth < least) {
            least = depth;
            axis = k;
            way = forth < back ? forth : -back;
        }
    }
    assert(least > 0 && fabs(way) >= least); /* interiors meet: not even denormals cancel */
    for (int k = 0; k < DIM; k++) {
        push[k] = k == axis ? way : 0;
    }
    return true;
}

void bs_reflect(const double d[DIM], const double n[DIM], double out[DIM]) {
    double along = 0;
    for (int k = 0; k < DIM; k++) {
        along += d[k] * n[k];
    }
    for (int k = 0; k < DIM; k++) {
        out[k] = d[k] - 2 * along * n[k];
    }
}

bs_transform bs_transform_identity(void) {
    bs_transform tr;
    memset(&tr, 0, sizeof tr);
    for (int k = 0; k < DIM; k++) {
        tr.scale[k] = 1;
    }
    return tr;
}

#if DIM == 2
void bs_transform_rotate(bs_transform *tr, double angle) {
    assert(isfinite(angle));
    double c = cos(angle);
    double s = sin(angle);
    tr->rotated = angle != 0;
    tr->rotation[0][0] = c;
    tr->rotation[0][1] = -s;
    tr->rotation[1][0] = s;
    tr->rotation[1][1] = c;
}
#else
void bs_transform_rotate(bs_transform *tr, const double q[4]) {
    double largest = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
    assert(largest > 0 && isfinite(largest));
    double n[4]; /* scaled first: the squares of huge or tiny parts would not be finite or > 0 */
    double square = 0;
    for (int i = 0; i < 4; i++) {
        n[i] = q[i] / largest;
        square += n[i] * n[i];
    }
    double length = sqrt(square);
    assert(length >= 1); /* the largest part is 1 */
    double x = n[0] / length;
    double y = n[1] / length;
    double z = n[2] / length;
    double w = n[3] / length;
    const double matrix[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)},
    };
    tr->rotated = x != 0 || y != 0 || z != 0;
    memcpy(tr->rotation, matrix, sizeof matrix);
}
#endif

bs_rect bs_transform_rect(const bs_rect *r, const bs_transform *tr) {
    assert(bs_rect_is_query(r));
    bs_rect out;
    double centre[DIM];
    double half[DIM];
    for (int k = 0; k < DIM; k++) {
        double size = r->size[k] * fabs(tr->scale[k]);
        double edge = tr->scale[k] < 0 ? bs_far(r, k) : r->pos[k];
        out.size[k] = size; /* unrotated: exactly the scaled size */
        out.pos[k] = edge * tr->scale[k] + tr->translation[k];
        half[k] = size / 2;
        centre[k] = edge * tr->scale[k] + half[k];
    }
    if (!tr->rotated) {
        return out;
    }
    for (int i = 0; i < DIM; i++) {
        double c = 0;
        double h = 0;
        for (int k = 0; k < DIM; k++) {
            c += tr->rotation[i][k] * centre[k];
            h += fabs(tr->rotation[i][k]) * half[k];
        }
        out.pos[i] = c - h + tr->translation[i];
        out.size[i] = 2 * h;
    }
    return out;
}

bool bs_contains(const bs_rect *r, const double point[DIM]) {
    for (int k = 0; k < DIM; k++) {
        if (!(r->pos[k] < point[k] && point[k] < bs_far(r, k))) {
            return false;
        }
    }
    return true;
}
