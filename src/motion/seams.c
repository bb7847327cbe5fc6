/*
 * seams.c: one-way boxes beside each other are one. So where the side of one of them ends, and that
 * of another one goes on, there is a seam and no corner. Who has come through the side of one of
 * them is inside of both.
 *
 * Boxes meet the side of a one-way box alone, never its corners. So this is for shapes.
 */
#include "motion.h"

#include <string.h>

/* A corner of a one-way box, and a little room around it. */
typedef struct seam {
    uint32_t box;
    bs_rect here;
    double out[DIM]; /* The normal of the one-way box. */
} seam;

/* The corner of a one-way box that is met at that normal from `beside`. False: none. */
static bool find_corner(const bs_world *w, uint32_t box, const bs_rect *beside,
                        const double normal[DIM], seam *x) {
    bs_shape shape;
    double middle[DIM];
    double corner[DIM];
    const double near = bs_largest_coordinate(beside, &w->rect[box]) * BS_HERE;
    if (!bs_is_one_way(w, box)) {
        return false;
    }
    for (int k = 0; k < DIM; k++) {
        middle[k] = beside->pos[k] + beside->size[k] / 2;
    }
    bs_world_shape(w, box, &shape);
    if (!bs_shape_corner(&shape, normal, middle, near, corner)) {
        return false;
    }
    x->box = box;
    for (int k = 0; k < DIM; k++) {
        x->out[k] = w->conduct[box].one_way[k];
        x->here.pos[k] = corner[k] - near;
        x->here.size[k] = 2 * near;
    }
    return true;
}

/*
 * Whether the side of the one-way box goes on in that of another one, in which the box `self` is if
 * it is at `at`.
 */
static bool joins(const bs_world *w, const seam *x, uint32_t self, const bs_rect *at,
                  uint32_t other) {
    bs_shape shape;
    bs_shape here;
    bs_shape outside;
    bs_rect rect = x->here;
    if (other == x->box || other == self || !bs_is_solid_toward(w, other, x->out) ||
        !bs_would_overlap(w, self, at, other)) {
        return false;
    }
    bs_shape_set_box(&here, &rect);
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] += 2 * x->out[k] * rect.size[k];
    }
    bs_shape_set_box(&outside, &rect);
    bs_world_shape(w, other, &shape);
    return bs_shapes_overlap(&here, &shape) && !bs_shapes_overlap(&outside, &shape);
}

bool bs_is_at_seam(bs_world *w, const bs_rules *rules, const uint8_t *pushers, uint32_t self,
                   const bs_rect *at, uint32_t box, const double normal[DIM], bs_list *found,
                   bool *at_seam) {
    seam x;
    *at_seam = false;
    if (bs_are_boxes(w, self, box) || !find_corner(w, box, at, normal, &x)) {
        return true;
    }
    if (!bs_find_around(w, &x.here, self, false, found)) {
        return false;
    }
    for (size_t i = 0; i < found->n; i++) {
        uint32_t other = found->at[i];
        bool is_met = pushers == NULL ? bs_rules_may_stop(w, rules, self, other)
                                      : pushers[other] && bs_rules_may_stop(w, rules, other, self);
        *at_seam = *at_seam || (is_met && joins(w, &x, self, at, other));
    }
    return true;
}
