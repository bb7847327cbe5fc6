#include "meet.h"

/*
 * The difference of two velocities can overflow, but not that of halves: halves all along the axes
 * where it did, and nowhere else, as halves may be rounded.
 */
static void halve(bs_extent *a, bs_extent *b, const double va[DIM], const double vb[DIM],
                  bs_axes *speed) {
    double by[DIM];
    for (int k = 0; k < DIM; k++) {
        by[k] = isfinite(va[k] - vb[k]) ? 1 : 0.5;
    }
    bs_axes scale = bs_axes_load(by);
    *a = (bs_extent){bs_axes_mul(a->lo, scale), bs_axes_mul(a->hi, scale)};
    *b = (bs_extent){bs_axes_mul(b->lo, scale), bs_axes_mul(b->hi, scale)};
    *speed =
        bs_axes_sub(bs_axes_mul(bs_axes_load(va), scale), bs_axes_mul(bs_axes_load(vb), scale));
}

/* See bs_sweep; both move. */
static bool meet_moving(const bs_rect *moving, const double va[DIM], const bs_rect *other,
                        const double vb[DIM], bs_entry *entry) {
    bs_extent a = bs_extent_of(moving);
    bs_extent b = bs_extent_of(other);
    if (bs_extents_overlap(&a, &b)) {
        *entry = (bs_entry){0, BS_INSIDE, false};
        return true;
    }
    bs_axes speed = bs_axes_sub(bs_axes_load(va), bs_axes_load(vb));
    if (bs_axes_less(bs_axes_abs(speed), bs_axes_set(HUGE_VAL)) != BS_AXES_ALL) {
        halve(&a, &b, va, vb, &speed);
    }
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
