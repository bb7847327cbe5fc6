/*
 * raster_cast.c: casts: what is in no cell, then what cells hold (raster_point.c, raster_box.c).
 */
#include "raster.h"

BS_COLD void raster_visit_rest(const bs_raster *r, bs_cast *c) {
    bs_cast_prepare(c);
    for (uint32_t i = 0; i < r->resting; i += BS_LANES) {
        bs_cast_visit_block(c, &r->rest[i / BS_LANES]);
    }
}

static inline bool raster_is_point(const bs_cast *c) {
    bs_axes size = bs_axes_load(c->from->size);
    return bs_axes_less(bs_axes_set(0), size) == 0; /* none is negative */
}

BS_LINED bool BS_VARIANT(bs_raster_cast)(bs_raster *r, bs_cast *c) {
    assert(r->changed.n == 0);
    r->visited = 0;
    if (__builtin_expect(r->resting > 0, 0)) {
        raster_visit_rest(r, c);
    }
    if (__builtin_expect(r->entries == 0, 0)) {
        return true;
    }
    return raster_is_point(c) ? bs_raster_cast_point(r, c) : bs_raster_cast_box(r, c);
}
