/*
 * subject.h: one table of functions for everything that is measured.
 *
 * A subject holds the boxes 0, 1, 2, ... of a scene. Its answers are exact: the candidates of a
 * library that only finds candidates are tested here, and that counts as its time.
 */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include "scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "base/heap.h"

/* What a subject is made for: some libraries have a form for each. */
typedef enum subject_use { FOR_PAIRS, FOR_QUERIES } subject_use;

typedef struct subject_type subject_type;

struct subject_type {
    const char *name;
    bool is_peer;
    uint32_t most;       /* the most boxes: with more it does not work, or takes minutes */
    uint32_t most_quick; /* with more boxes it takes seconds */
    bool has_shapes;     /* it supports circles and polygons */
    const char *backend; /* of ours: its name ... */
    double cell_size;    /* ... and setting */

    void *(*create)(const subject_type *type, const scene *s, subject_use use);
    void (*destroy)(void *);

    /* Inserts the next box. It is static if it is one of the scene's first `fixed`. */
    void (*insert)(void *, uint32_t box, const bs_rect *r);
    /* Removes the box, and inserts another one in its place. */
    void (*replace)(void *, uint32_t box, const bs_rect *r);
    void (*move)(void *, const uint32_t *boxes, const bs_rect *rects, size_t n);
    /* Lists all overlapping pairs, each once, of boxes that may meet. */
    size_t (*pairs)(void *, const bs_pair **out);

    /* Is called after the boxes that stay have been inserted, to make queries fast; may be NULL. */
    void (*settle)(void *);
    /* Lists all boxes that overlap r, in any order. NULL if it has no queries. */
    size_t (*query)(void *, const bs_rect *r, const uint32_t **out);
    /* True if a box is hit, and the time of the first hit. `from` may have size 0. */
    bool (*cast)(void *, const bs_rect *from, const double motion[DIM], double *t);
};

/*
 * Our back ends; grids of a given cell size; the other libraries. Each list ends with a type
 * without a name.
 */
extern const subject_type ours_types[];
extern const subject_type ours_cell_types[];
extern const subject_type box2d_types[];
extern const subject_type chipmunk_types[];
extern const subject_type bullet_types[];

/* All types that were compiled in, ours first; *n is their number. */
const subject_type *const *subject_all(size_t *n);

/* Makes a new subject with all boxes of the scene. */
static inline void *subject_fill(const subject_type *type, const scene *s, subject_use use) {
    void *it = type->create(type, s, use);
    for (uint32_t i = 0; i < s->spec.n; i++) {
        type->insert(it, i, &s->rect[i]);
    }
    return it;
}

static inline void subject_play(const subject_type *type, void *it, const frame *f) {
    if (f->n_moved > 0) {
        type->move(it, f->moved, f->moved_to, f->n_moved);
    }
    for (size_t i = 0; i < f->n_replaced; i++) {
        type->replace(it, f->replaced[i], &f->replacement[i]);
    }
}

#ifdef __cplusplus
}
#endif

#endif
