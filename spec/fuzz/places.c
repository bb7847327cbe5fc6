/*
 * places.c: where something was when it hit a box or shape, by what must be true of that place. It
 * is outside, and as near as doubles allow; so what leads off from there begins outside.
 */
#include "trial.h"

#include <math.h>

#include "gap.h"
#include "narrow/narrow.h"

/* The most that rounding may add up to, relative to the largest coordinate. */
static const double NEAR = 1e-13;

/* Whether a box with that centre is on the outer side of a face. */
static bool is_outside(double centre, double size, double face, bool above) {
    double low = centre - size / 2;
    return above ? low >= face : low + size <= face;
}

/* Half its size off the face; or a few units in the last place farther, if it must be. */
static bool is_flush(double centre, double size, double face, bool above) {
    double plain = above ? face + size / 2 : face - size / 2;
    double most = DBL_EPSILON * 2 * (fabs(face) + size) + 2 * 0x1p-1074;
    return is_outside(plain, size, face, above)
               ? centre == plain
               : is_outside(centre, size, face, above) && fabs(centre - plain) <= most;
}

/* On the face of a rect that the normal tells, and not beside it; on one axis. */
static bool is_at_face(double way, double size, double n, const bs_rect *r, int k, double place) {
    double far = r->pos[k] + r->size[k];
    double beside = fmax(r->pos[k] - size / 2, fmin(way, far + size / 2));
    return n == 0 ? place == beside : is_flush(place, size, n > 0 ? far : r->pos[k], n > 0);
}

/*
 * On the way to where it would be, but for rounding, and flush with another box that it meets.
 * Rounding is relative to the largest coordinate of both, on any axis.
 */
static bool is_at_another(const trial *t, double before, double way, double size, double largest,
                          int k, double place) {
    bool flush = false;
    bool up = way > before;
    for (size_t i = 0; i < t->truth.n; i++) {
        const bs_rect *r = &t->truth.box[i].rect;
        double face = up ? r->pos[k] : r->pos[k] + r->size[k];
        flush = flush || is_flush(place, size, face, !up);
    }
    return flush && fabs(place - way) <= DBL_EPSILON * 64 * largest;
}

/*
 * Neither apart from a shape nor in it, as far as the arithmetic of gap.c, and the length of the
 * way, allow to tell.
 */
static bool is_at_slope(const double size[DIM], const bs_shape *shape, const double place[DIM],
                        const double from[DIM], const double to[DIM]) {
    static const double still[DIM] = {0};
    bs_rect box = plain_box(place, size);
    double scale = gap_scale(&box, still, shape);
    for (int k = 0; k < DIM; k++) {
        scale = fmax(scale, fabs(to[k] - from[k]) * 0x1p-20);
    }
    bool ordinary = 1e-100 < scale && scale < 1e100;
    return !ordinary || fabs(gap_at(&box, still, 0, shape)) <= NEAR * scale;
}

/* Whether the world's own rule says that the two overlap there. */
static bool overlaps(const double size[DIM], const bs_shape *shape, const double place[DIM]) {
    bs_shape box;
    bs_rect rect = plain_box(place, size);
    bs_shape_set_box(&box, &rect);
    return oracle_is_rect(&rect, true) && bs_shapes_overlap(&box, shape);
}

void expect_place(const trial *t, const subject *s, const double before[DIM],
                  const double after[DIM], const double size[DIM], const bs_touch *touch,
                  const bs_shape *shape, const double place[DIM]) {
    double way[DIM];
    int axes = 0;
    bool same = true;
    double largest = 0;
    for (int k = 0; k < DIM; k++) {
        way[k] = before[k] + (after[k] - before[k]) * touch->t;
        axes += touch->normal[k] != 0;
        same = same && place[k] == way[k];
        largest = fmax(largest, fabs(before[k]) + fabs(way[k]) + size[k] +
                                    fabs(shape->rect.pos[k]) + shape->rect.size[k]);
        largest = fmax(largest, fabs(after[k] - before[k]) * DBL_MIN); /* Tiny t are rounded. */
    }
    if (axes == 0) {
        expect(t, s, same, "a hit from inside is not where it began");
    } else if (axes == 1) {
        for (int k = 0; k < DIM; k++) {
            bool right = is_at_face(way[k], size[k], touch->normal[k], &shape->rect, k, place[k]) ||
                         is_at_another(t, before[k], way[k], size[k], largest, k, place[k]);
            right = right ||
                    (shape->kind == BS_CIRCLE && is_at_slope(size, shape, place, before, after));
            expect(t, s, right, "a hit is off the face");
        }
    } else {
        expect(t, s, is_at_slope(size, shape, place, before, after), "a hit is off the slope");
    }
    expect(t, s, axes == 0 || !overlaps(size, shape, place), "a hit is inside");
}

void expect_point(trial *t, const subject *s, const bs_way *way, const bs_hit *hit) {
    double end[DIM];
    double point[DIM];
    bool is_segment = true;
    for (int k = 0; k < DIM; k++) {
        end[k] = way->from.pos[k] + way->motion[k];
        is_segment = is_segment && way->from.size[k] == 0 && isfinite(end[k] - way->from.pos[k]);
    }
    if (is_segment && hit->box != BS_NO_BOX) {
        bs_shape shape;
        bs_world_shape(s->world, hit->side_of, &shape);
        bs_world_segment_point(s->world, way->from.pos, end, hit, point);
        expect_place(t, s, way->from.pos, end, way->from.size, &hit->touch, &shape, point);
        note_bytes(t, point, sizeof point);
    }
}
