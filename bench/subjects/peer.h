/*
 * peer.h: what the subjects of other libraries share: the tight boxes against which candidates are
 * tested, a list of pairs, and the exact tests.
 *
 * Coordinates are exact in floats (scenes.h), so these tests follow the same strict rules as ours.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <math.h>

#include "../subject.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_box {
    float lo[DIM];
    float hi[DIM];
} peer_box;

typedef struct peer_pairs {
    bs_pair *at;
    size_t n;
    size_t cap;
} peer_pairs;

typedef struct peer_list {
    uint32_t *at;
    size_t n;
    size_t cap;
} peer_list;

/*
 * Memory for the boxes that a game would have in any case. It is not from malloc, so it does not
 * count as the library's. Ends the program if there is no memory.
 */
void *peer_alloc(size_t bytes);
void peer_free(void *block, size_t bytes);

void peer_pairs_grow(peer_pairs *pairs);
void peer_list_grow(peer_list *list);

static inline peer_box peer_box_of(const bs_rect *r) {
    peer_box b;
    for (int k = 0; k < DIM; k++) {
        b.lo[k] = (float)r->pos[k];
        b.hi[k] = (float)(r->pos[k] + r->size[k]);
    }
    return b;
}

static inline bool peer_overlap(const peer_box *a, const peer_box *b) {
    bool apart = false;
    for (int k = 0; k < DIM; k++) {
        apart |= !(a->lo[k] < b->hi[k] && b->lo[k] < a->hi[k]);
    }
    return !apart;
}

static inline void peer_add_pair(peer_pairs *pairs, uint32_t a, uint32_t b) {
    if (pairs->n == pairs->cap) {
        peer_pairs_grow(pairs);
    }
    pairs->at[pairs->n].a = a;
    pairs->at[pairs->n].b = b;
    pairs->n++;
}

static inline void peer_add(peer_list *list, uint32_t box) {
    if (list->n == list->cap) {
        peer_list_grow(list);
    }
    list->at[list->n++] = box;
}

/* Pixels on the longer axis: see peer_cast_next. */
static const float PEER_PIECE = 16;

/* A moving box or point, prepared for tests against many boxes. */
typedef struct peer_cast {
    float lo[DIM];
    float hi[DIM];
    float motion[DIM];
    float inverse[DIM];
    float best; /* time of the first hit so far; more than 1 if there is none */
    float done; /* the part of the way that has been searched, 0 to 1 */
    float step; /* the next part of it */
} peer_cast;

static inline peer_cast peer_cast_of(const bs_rect *from, const double motion[DIM]) {
    peer_cast c;
    peer_box b = peer_box_of(from);
    float longest = 0; /* on one axis */
    for (int k = 0; k < DIM; k++) {
        c.lo[k] = b.lo[k];
        c.hi[k] = b.hi[k];
        c.motion[k] = (float)motion[k];
        c.inverse[k] = (float)(1 / motion[k]);
        longest = fmaxf(longest, fabsf(c.motion[k]));
    }
    c.best = 2;
    c.done = 0;
    c.step = PEER_PIECE / longest;
    return c;
}

/* Tests a box: the slab test in floats, with room for rounding. */
static inline float peer_cast_visit(peer_cast *c, const peer_box *b) {
    float enter = 0;
    float leave = 1;
    for (int k = 0; k < DIM; k++) {
        float ahead = (b->lo[k] - c->hi[k]) * c->inverse[k];
        float behind = (b->hi[k] - c->lo[k]) * c->inverse[k];
        float first = ahead < behind ? ahead : behind;
        float last = ahead < behind ? behind : ahead;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    if (enter < leave && enter < c->best) {
        c->best = enter;
    }
    return c->best;
}

/*
 * Libraries that do not end a cast at the first hit, or have no casts of boxes, are queried along
 * pieces of the way: *path is the bounding box of the next piece. Each piece is twice as long as
 * the one before, which measured best in dense and in sparse worlds. False if the first hit has
 * been found, or there is none.
 */
static inline bool peer_cast_next(peer_cast *c, peer_box *path) {
    if (c->done >= 1 || c->best <= c->done) {
        return false;
    }
    float end = fminf(c->done + c->step, 1);
    for (int k = 0; k < DIM; k++) {
        float a = c->motion[k] * c->done;
        float b = c->motion[k] * end;
        path->lo[k] = c->lo[k] + (a < b ? a : b);
        path->hi[k] = c->hi[k] + (a < b ? b : a);
    }
    c->done = end;
    c->step *= 2;
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
