/* meet.c: bs_sweep, when two boxes meet; the arithmetic is that of meet.h. */
#include "meet.h"

/*
 * The velocity of a relative to b. The difference of two velocities can overflow, but that of
 * halves cannot. So all is halved along the axes where it did, and nowhere else, as halves may be
 * rounded.
 */
static void subtract(bs_extent *a, bs_extent *b, const double va[DIM], const double vb[DIM],
                     double speed[DIM]) {
    for (int k = 0; k < DIM; k++) {
        speed[k] = va[k] - vb[k];
        if (!isfinite(speed[k])) {
            speed[k] = va[k] * 0.5 - vb[k] * 0.5;
            a->lo[k] *= 0.5;
            a->hi[k] *= 0.5;
            b->lo[k] *= 0.5;
            b->hi[k] *= 0.5;
        }
    }
}

/* bs_sweep for two boxes that both move. */
static bool meet_moving(const bs_rect *moving, const double va[DIM], const bs_rect *other,
                        const double vb[DIM], bs_entry *entry) {
    bs_extent a = bs_extent_of(moving);
    bs_extent b = bs_extent_of(other);
    double speed[DIM];
    if (bs_extents_overlap(&a, &b)) {
        *entry = (bs_entry){0, BS_INSIDE, false};
        return true;
    }
    subtract(&a, &b, va, vb, speed);
    return bs_extents_meet(&a, &b, speed, entry);
}

bool bs_sweep(const bs_rect *a, const double va[DIM], const bs_rect *b, const double vb[DIM],
              bs_touch *hit) {
    assert(bs_is_finite(va) && (vb == NULL || bs_is_finite(vb)));
    bs_entry entry;
    bool met = vb == NULL ? bs_meet(a, va, b, &entry) : meet_moving(a, va, b, vb, &entry);
    if (met) {
        *hit = bs_entry_touch(&entry);
    }
    return met;
}
