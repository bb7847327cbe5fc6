/*
 * ends.c: the ends of the paths of a step: boxes that rounding has put into each other, or parted. It
 * relies on the paths that bodies.c has made.
 */
#include "bodies.h"

#include <string.h>

void bs_ends_enqueue(bs_bodies *s, uint32_t body) {
    if (!s->body.at[body].is_queued) {
        s->body.at[body].is_queued = true;
        s->queue.at[s->queue.n++] = body;
    }
}

/* Whether a body, at that place, is in nothing static that stops it. */
static bool is_free(bs_bodies *s, const bs_body *b, const bs_rect *at) {
    const bs_world *w = s->w;
    bs_backend *fixed = w->part[BS_STATIC];
    bs_list *found = &s->around;
    found->n = 0;
    if (!bs_rect_is_box(at)) {
        return false;
    }
    if (!fixed->type->query(fixed, at, found)) {
        s->failed = true;
        return false;
    }
    for (size_t i = 0; i < found->n; i++) {
        uint32_t other = found->at[i];
        bool stops = bs_world_layers_meet(w, b->box, other) && !b->crosses &&
                     !bs_is_sensed(w, b->box, other) && !bs_is_one_way(w, other);
        if (stops && bs_would_overlap(w, b->box, at, other)) {
            return false;
        }
    }
    return true;
}

/* Puts the end of a body flush with the other's, unless it cannot give way there. */
static bool lay_flush(bs_bodies *s, uint32_t body, const bs_rect *other, bs_face face, bool must) {
    bs_body *b = &s->body.at[body];
    double push[DIM] = {0};
    bs_rect r = bs_path_end(b);
    push[face.axis] = face.sign;
    r.pos[face.axis] = bs_flush(r.size[face.axis], other, face);
    bool gives_way = b->responds && s->w->conduct[b->box].mass < HUGE_VAL;
    if (!gives_way || (!must && bs_is_blocked(s, b, push)) || !is_free(s, b, &r)) {
        return false;
    }
    memcpy(b->end, r.pos, sizeof b->end);
    return true;
}

/* Puts a coordinate that has hardly changed back to where it was. */
static bool go_back(bs_body *b, int axis) {
    double from = b->start.pos[axis];
    double rounding = bs_largest_coordinate(&b->start, &b->start) * BS_HERE;
    bool goes = from != b->end[axis] && fabs(from - b->end[axis]) <= rounding;
    b->end[axis] = goes ? from : b->end[axis];
    return goes;
}

/* Two that rest on each other, and that rounding has parted, are flush again. */
static void join_again(bs_bodies *s, const bs_joint *x) {
    bs_rect a = bs_path_end(&s->body.at[x->a]);
    bs_rect b = bs_path_end(&s->body.at[x->b]);
    double to = bs_flush(a.size[x->face.axis], &b, x->face);
    double gap = fabs(to - a.pos[x->face.axis]);
    bool beside = gap > 0 && gap <= bs_largest_coordinate(&a, &b) * BS_HERE;
    for (int k = 0; k < DIM; k++) {
        beside =
            beside && (k == x->face.axis || (a.pos[k] < bs_far(&b, k) && b.pos[k] < bs_far(&a, k)));
    }
    if (beside && lay_flush(s, x->a, &b, x->face, false)) {
        bs_ends_enqueue(s, x->a);
    }
}

/*
 * Parts two boxes that rounding has put into each other. The higher one goes first, and after some
 * turns the lower one, so that two do not put a third to and fro; at last both go back to where
 * they were.
 */
static void part_boxes(bs_bodies *s, uint32_t first, uint32_t second) {
    enum { SAME_WAY = 8 };
    double push[DIM];
    bs_body *a = &s->body.at[first];
    bs_body *b = &s->body.at[second];
    bs_rect ra = bs_path_end(a);
    bs_rect rb = bs_path_end(b);
    bs_face face = {0, 0};
    bs_separation(&ra, &rb, push);
    for (int k = 0; k < DIM; k++) {
        face = push[k] != 0 ? (bs_face){k, push[k] > 0 ? 1 : -1} : face;
    }
    if (fabs(push[face.axis]) > bs_largest_coordinate(&ra, &rb) * BS_HERE) {
        return;
    }
    bs_face back = {face.axis, -face.sign};
    int turns = ++a->turns > b->turns ? a->turns : b->turns;
    bool a_first = (face.sign > 0) == (turns <= SAME_WAY);
    bool a_moved = turns > 2 * SAME_WAY ? go_back(a, face.axis)
                                        : a_first && lay_flush(s, first, &rb, face, false);
    bool b_moved = turns > 2 * SAME_WAY ? go_back(b, face.axis)
                                        : !a_moved && lay_flush(s, second, &ra, back, false);
    if (!a_moved && !b_moved && turns <= 2 * SAME_WAY) {
        a_moved = lay_flush(s, first, &rb, face, a_first);
        b_moved = !a_moved && lay_flush(s, second, &ra, back, true);
        a_moved = a_moved || (!b_moved && lay_flush(s, first, &rb, face, true));
    }
    if (turns <= 3 * SAME_WAY) {
        if (a_moved) {
            bs_ends_enqueue(s, first);
        }
        if (b_moved) {
            bs_ends_enqueue(s, second);
        }
    }
}

/*
 * Corrects rounding at the ends of all paths, so that boxes are flush, or do not overlap, to the
 * last bit.
 */
bool bs_ends_settle(bs_bodies *s) {
    bs_backend *moving = s->w->part[BS_DYNAMIC];
    for (size_t i = 0; i < s->joint.n; i++) {
        join_again(s, &s->joint.at[i]);
    }
    while (s->queue.n > 0) {
        uint32_t body = s->queue.at[--s->queue.n];
        bs_rect r = bs_path_end(&s->body.at[body]);
        s->body.at[body].is_queued = false;
        s->near.n = 0;
        if (!moving->type->query(moving, &r, &s->near)) {
            return false;
        }
        for (size_t i = 0; i < s->near.n; i++) {
            uint32_t other = s->of[s->near.at[i]];
            if (other == BS_NOBODY || other == body) {
                continue;
            }
            bs_rect here = bs_path_end(&s->body.at[body]);
            bs_rect end = bs_path_end(&s->body.at[other]);
            if (bs_bodies_may_touch(s, &s->body.at[body], &s->body.at[other]) &&
                bs_overlap(&here, &end)) {
                part_boxes(s, body, other);
            }
        }
    }
    return !s->failed;
}
