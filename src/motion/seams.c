/*
 * seams.c: one-way boxes beside each other are one. So where the side of one of them ends, and that
 * of another one goes on, there is a seam and no corner. Who has come through the side of one of
 * them is inside of both.
 *
 * Boxes meet the side of a one-way box alone, never its corners. So this is for shapes.
 */
#include "motion.h"

#include <string.h>

bool bs_seam_at(const bs_world *w, uint32_t box, const bs_rect *beside, const double normal[DIM],
                bs_seam *seam) {
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
    for (int k = 0; k < DIM; k++) {
        seam->out[k] = w->conduct[box].one_way[k];
        seam->here.pos[k] = corner[k] - near;
        seam->here.size[k] = 2 * near;
    }
    seam->box = box;
    return true;
}

bool bs_seam_joins(const bs_world *w, const bs_seam *seam, uint32_t self, const bs_rect *at,
                   uint32_t other) {
    bs_shape shape;
    bs_shape here;
    bs_shape outside;
    bs_rect rect = seam->here;
    if (other == seam->box || other == self || !bs_is_solid_toward(w, other, seam->out) ||
        !bs_would_overlap(w, self, at, other)) {
        return false;
    }
    bs_shape_set_box(&here, &rect);
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] += 2 * seam->out[k] * rect.size[k];
    }
    bs_shape_set_box(&outside, &rect);
    bs_world_shape(w, other, &shape);
    return bs_shapes_overlap(&here, &shape) && !bs_shapes_overlap(&outside, &shape);
}

bool bs_meeting_is_at_seam(bs_move *m, const bs_obstacle *o, const bs_meeting *x, bool *at_seam) {
    bs_world *w = m->w;
    bs_seam seam;
    double normal[DIM];
    *at_seam = false;
    if (o->exact || !bs_is_one_way(w, o->box)) {
        return true;
    }
    bs_rect r = bs_meeting_place(m, o, x);
    bs_meeting_normal(o, x, normal);
    if (!bs_seam_at(w, o->box, &r, normal, &seam)) {
        return true;
    }
    if (!bs_find_around(w, &seam.here, m->self, false, &m->found)) {
        return false;
    }
    for (size_t i = 0; i < m->found.n; i++) {
        uint32_t other = m->found.at[i];
        *at_seam = *at_seam || (bs_rules_may_stop(w, &m->rules, m->self, other) &&
                                bs_seam_joins(w, &seam, m->self, &r, other));
    }
    return true;
}
