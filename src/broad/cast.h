/*
 * cast.h: a box (or a point) that moves through a world in a straight line, as the world asks a
 * back end. It relies on the exact arithmetic of meet.h.
 *
 * The back end visits the boxes that may be met, by tests in floats (block_cast.h). A visited box
 * is decided exactly, in doubles: here if any box counts, otherwise by the world, which knows what
 * a hit means. Each hit lowers the limit beyond which nothing matters.
 */
#ifndef BS_CAST_H
#define BS_CAST_H

#include <assert.h>

#include "base/hot.h"
#include "boxes.h"
#include "broadside/types.h"
#include "narrow/meet.h"

#pragma GCC visibility push(hidden)

#define BS_CAST_NONE UINT32_MAX
enum { BS_CAST_ROOM = 32, BS_CAST_WAIT = BS_CAST_ROOM + 16 }; /* See block_cast.h. */

/*
 * How one axis of a block is tested, in the direction of the motion, which is asked for only once.
 */
typedef struct bs_cast_axis {
    size_t near;   /* The offset in a block of the bounds that are met first. */
    size_t far;    /* The offset in a block of the bounds that are left last. */
    float enter;   /* The side of the moving box that meets the near bounds, widened. */
    float leave;   /* The side of the moving box that leaves the far bounds, widened. */
    float inverse; /* 1 / motion. */
} bs_cast_axis;

typedef struct bs_cast {
    const bs_rect *from;   /* The moving box at the start. */
    const double *motion;  /* Its motion. */
    const bs_boxes *boxes; /* The exact boxes. */
    uint32_t first;        /* The box met first so far, or BS_CAST_NONE. */
    bs_entry entry;        /* How that one is met. */
    double ahead[DIM];     /* The nearest sides so far, as in a bs_hit. */
    float limit;           /* Only what is met at t <= limit still matters; it falls with hits. */
    bool grazes;           /* It is a point, and touches a box that it does not meet. */
    uint32_t skip;         /* A box that does not count, or BS_CAST_NONE. */
    const uint64_t *born;  /* By box: the lesser was inserted before; NULL if indices say so. */

    /* Called for each box but `skip` that may be met: bs_cast_meet if any counts. */
    void (*visit)(struct bs_cast *cast, uint32_t box);

    /* For the back end: how blocks are tested, and boxes that wait for a decision, with the bits of
     * a time before which they are not met. */
    bs_cast_axis axis[DIM];
    bs_pair wait[BS_CAST_WAIT];
} bs_cast;

/* t as a limit, rounded up by more than the float tests can be off. */
static inline float bs_cast_limit(double t) {
    assert(t >= 0 && t <= 1);
    return (float)t * (1 + 0x1p-20f) + 1e-30f;
}

/*
 * Begins a cast over the whole motion, with limit = 1. It keeps the pointers that it is given.
 */
void bs_cast_begin(bs_cast *cast, const bs_boxes *boxes, const bs_rect *from,
                   const double motion[DIM], void (*visit)(bs_cast *, uint32_t));

/*
 * Notes that a box is met at t, if that is before the first hit so far, which is of another box: by
 * the lesser t, then a side before an edge or corner, then the box inserted first.
 */
static inline bool bs_cast_is_first(bs_cast *c, uint32_t box, double t, bool corner) {
    bool sooner = t < c->entry.t;
    if (t == c->entry.t && corner == c->entry.corner) {
        sooner = c->born != NULL ? c->born[box] < c->born[c->first] : box < c->first;
    } else if (t == c->entry.t) {
        sooner = c->entry.corner;
    }
    if (sooner) {
        c->first = box;
        c->entry.t = t;
        c->entry.corner = corner;
        c->limit = bs_cast_limit(t);
    }
    return sooner;
}

/* Notes the side of a box that is met (bs_entry). */
static inline void bs_cast_note_side(double ahead[DIM], const bs_rect *r, unsigned side) {
    if (side < BS_INSIDE) {
        int k = (int)side / 2;
        double place = side % 2 == 0 ? r->pos[k] : -bs_far(r, k);
        ahead[k] = bs_min(place, ahead[k]);
    }
}

/* Whether a point is cast, which moves. Few casts need to know. */
bool bs_cast_is_of_point(const bs_cast *cast);
/* Notes whether a point, which does not meet a box, touches it. Nothing happens to other casts. */
void bs_cast_note_graze(bs_cast *cast, uint32_t box);

/* Decides whether a box is the first one met so far. */
void bs_cast_meet(bs_cast *cast, uint32_t box);

#pragma GCC visibility pop

#endif
