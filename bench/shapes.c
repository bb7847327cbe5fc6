/* shapes.c: the corners of polygons, and plain tests of shapes. */
#include "shapes.h"

#include <math.h>

void shape_corners(uint32_t box, const bs_rect *r, double corner[SHAPE_CORNERS][2]) {
    const double pi = 3.14159265358979;
    for (int k = 0; k < 2; k++) {
        double lo = 1;
        double hi = -1;
        for (int i = 0; i < SHAPE_CORNERS; i++) {
            double angle = box * 2.39996 + i * 2 * pi / SHAPE_CORNERS;
            corner[i][k] = k == 0 ? cos(angle) : sin(angle);
            lo = fmin(corner[i][k], lo);
            hi = fmax(corner[i][k], hi);
        }
        for (int i = 0; i < SHAPE_CORNERS; i++) {
            corner[i][k] = r->pos[k] + (corner[i][k] - lo) / (hi - lo) * r->size[k];
        }
    }
}

static bool circles_overlap(const bs_rect *a, const bs_rect *b) {
    double x = a->pos[0] + a->size[0] / 2 - (b->pos[0] + b->size[0] / 2);
    double y = a->pos[1] + a->size[1] / 2 - (b->pos[1] + b->size[1] / 2);
    double radius = a->size[0] / 2 + b->size[0] / 2;
    return x * x + y * y < radius * radius;
}

/* True if an edge of one has all corners of the other on its outer side. */
static bool are_parted(double one[SHAPE_CORNERS][2], double other[SHAPE_CORNERS][2]) {
    for (int i = 0; i < SHAPE_CORNERS; i++) {
        const double *from = one[i];
        const double *to = one[(i + 1) % SHAPE_CORNERS];
        bool outside = true;
        for (int j = 0; j < SHAPE_CORNERS; j++) {
            double x = other[j][0] - from[0];
            double y = other[j][1] - from[1];
            outside = outside && (to[0] - from[0]) * y - (to[1] - from[1]) * x <= 0;
        }
        if (outside) {
            return true;
        }
    }
    return false;
}

bool shapes_overlap(scene_shapes kind, uint32_t a, const bs_rect *at, uint32_t b,
                    const bs_rect *bt) {
    double one[SHAPE_CORNERS][2];
    double other[SHAPE_CORNERS][2];
    if (kind != POLYGONS) {
        return kind == CIRCLES ? circles_overlap(at, bt) : bs_overlap(at, bt);
    }
    shape_corners(a, at, one);
    shape_corners(b, bt, other);
    return !are_parted(one, other) && !are_parted(other, one);
}

double shape_circle_met(const bs_rect *circle, const double from[DIM], const double motion[DIM]) {
    const double never = 2;
    double radius = circle->size[0] / 2;
    double x = circle->pos[0] + radius - from[0];
    double y = circle->pos[1] + radius - from[1];
    double length2 = motion[0] * motion[0] + motion[1] * motion[1];
    double ahead = (x * motion[0] + y * motion[1]) / length2;
    double missed = x * x + y * y - ahead * ahead * length2;
    if (x * x + y * y < radius * radius) {
        return 0;
    }
    double t = ahead - sqrt(fmax(radius * radius - missed, 0) / length2);
    return ahead > 0 && missed < radius * radius && t < 1 ? t : never;
}
