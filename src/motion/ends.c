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

/* Puts the end of a body at a place beside another's, unless it cannot give way there. */
static bool lay(bs_bodies *s, uint32_t body, const bs_rect *to, const double push[DIM], bool must) {
    bs_body *b = &s->body.at[body];
    bool gives_way = b->responds && s->w->conduct[b->box].mass < HUGE_VAL;
    if (!gives_way || (!must && bs_is_blocked(s, b, push)) || !is_free(s, b, to)) {
        return false;
    }
    memcpy(b->end, to->pos, sizeof b->end);
    return true;
}

/* Puts coordinates that have hardly changed, along a push, back to where they were. */
static bool go_back(bs_body *b, const double push[DIM]) {
    double rounding = bs_largest_coordinate(&b->start, &b->start) * BS_HERE;
    bool went = false;
    for (int k = 0; k < DIM; k++) {
        double from = b->start.pos[k];
        bool goes = push[k] != 0 && from != b->end[k] && fabs(from - b->end[k]) <= rounding;
        b->end[k] = goes ? from : b->end[k];
        went = went || goes;
    }
    return went;
}

/* Whether a push leads up: along the first axis that counts. */
static bool leads_up(const double push[DIM]) {
    int k = 0;
    while (k < DIM - 1 && push[k] == 0) {
        k++;
    }
    return push[k] > 0;
}

/* Two that rest on each other, and that rounding has parted, are flush again. */
static void join_again(bs_bodies *s, const bs_joint *x) {
    bs_rect a = bs_path_end(&s->body.at[x->a]);
    bs_rect b = bs_path_end(&s->body.at[x->b]);
    double push[DIM] = {0};
    double to = bs_flush(a.size[x->face.axis], &b, x->face);
    double gap = fabs(to - a.pos[x->face.axis]);
    bool beside = gap > 0 && gap <= bs_largest_coordinate(&a, &b) * BS_HERE;
    for (int k = 0; k < DIM; k++) {
        beside =
            beside && (k == x->face.axis || (a.pos[k] < bs_far(&b, k) && b.pos[k] < bs_far(&a, k)));
    }
    push[x->face.axis] = x->face.sign;
    a.pos[x->face.axis] = to;
    if (beside && lay(s, x->a, &a, push, false)) {
        bs_ends_enqueue(s, x->a);
    }
}

/* The place to which a push brings r: flush with a box, and a little off another shape. */
static bs_rect pushed(const bs_rect *r, const bs_rect *other, const double push[DIM], bool plain) {
    bs_rect to = *r;
    double length = bs_length(push);
    double off = bs_largest_coordinate(r, other) * BS_PLACING;
    for (int k = 0; k < DIM; k++) {
        if (plain && push[k] != 0) {
            to.pos[k] = bs_flush(r->size[k], other, (bs_face){k, push[k] > 0 ? 1 : -1});
        } else if (push[k] != 0) {
            to.pos[k] += push[k] * (1 + off / length);
        }
    }
    return to;
}

/* What an overlap of two looks like, seen from one of them. */
typedef struct overlap {
    uint32_t body;
    bs_rect end, beside; /* Where it ends, and where it would be beside the other one. */
    double push[DIM];    /* Out of the other one. */
} overlap;

/* Looks at the ends of two; false if they do not overlap, or more than rounding explains. */
static bool find_overlap(const bs_bodies *s, overlap *a, overlap *b) {
    const bs_world *w = s->w;
    bs_shape shape;
    bs_shape other;
    a->end = bs_path_end(&s->body.at[a->body]);
    b->end = bs_path_end(&s->body.at[b->body]);
    if (!bs_overlap(&a->end, &b->end)) {
        return false;
    }
    bs_world_shape_at(w, s->body.at[a->body].box, &a->end, &shape);
    bs_world_shape_at(w, s->body.at[b->body].box, &b->end, &other);
    if (!bs_shapes_separation(&shape, &other, a->push)) {
        return false;
    }
    for (int k = 0; k < DIM; k++) {
        b->push[k] = 0 - a->push[k];
    }
    bool plain = shape.kind == BS_BOX && other.kind == BS_BOX;
    double depth = bs_length(a->push);
    a->beside = pushed(&a->end, &b->end, a->push, plain);
    b->beside = pushed(&b->end, &a->end, b->push, plain);
    return depth > 0 && depth <= bs_largest_coordinate(&a->end, &b->end) * BS_RESTING;
}

static bool part(bs_bodies *s, const overlap *x, bool must) {
    return lay(s, x->body, &x->beside, x->push, must);
}

/*
 * Parts two that rounding has put into each other. The higher one goes first, and after some turns
 * the lower one, so that two do not put a third to and fro; at last both go back to where they were.
 */
static void part_two(bs_bodies *s, uint32_t first, uint32_t second) {
    enum { SAME_WAY = 8 };
    overlap x = {.body = first};
    overlap y = {.body = second};
    if (!find_overlap(s, &x, &y)) {
        return;
    }
    bs_body *a = &s->body.at[first];
    bs_body *b = &s->body.at[second];
    int turns = ++a->turns > b->turns ? a->turns : b->turns;
    bool is_higher = leads_up(x.push);
    bool a_first = is_higher == (turns <= SAME_WAY);
    bool a_moved = turns > 2 * SAME_WAY ? go_back(a, x.push) : a_first && part(s, &x, false);
    bool b_moved = turns > 2 * SAME_WAY ? go_back(b, x.push) : !a_moved && part(s, &y, false);
    if (!a_moved && !b_moved && turns <= 2 * SAME_WAY) {
        a_moved = part(s, &x, a_first);
        b_moved = !a_moved && part(s, &y, true);
        a_moved = a_moved || (!b_moved && part(s, &x, true));
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
            if (bs_bodies_may_touch(s, &s->body.at[body], &s->body.at[other])) {
                part_two(s, body, other);
            }
        }
    }
    return !s->failed;
}
