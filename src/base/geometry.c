/* geometry.c: the functions of geometry.h that are not inlined. It relies on angles.h. */
#include "broadside/geometry.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "angles.h"

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
    /* The interiors overlap, so this holds; not even denormals cancel. */
    assert(least > 0 && fabs(way) >= least);
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
    double c;
    double s;
    bs_sin_cos(angle, &s, &c);
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
    /* They are scaled first: squares of huge or tiny parts would overflow or become 0. */
    double n[4];
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
