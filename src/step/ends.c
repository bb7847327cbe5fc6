/*
 * ends.c: the ends of the paths of a step: what rounding has put into each other, or parted. It
 * relies on the paths of paths.c.
 */
#include "step.h"

#include <string.h>

/* A way out along an axis is no longer than four times the shortest one. */
static const double STEEP = 0x1p-4;

void bs_ends_enqueue(bs_bodies *s, uint32_t body) {
    if (!s->body.at[body].is_queued) {
        s->body.at[body].is_queued = true;
        s->queue.at[s->queue.n++] = body;
    }
}

/* Whether a body, at that place, is in nothing static that stops it, unless it has begun in it. */
static bool is_free(bs_bodies *s, const bs_body *b, const bs_rect *at) {
    const bs_world *w = s->w;
    bs_list *found = &s->around;
    if (!bs_rect_is_box(at)) {
        return false;
    }
    if (!bs_find_of_part(s, BS_STATIC, at, false, found)) {
        s->failed = true;
        return false;
    }
    for (size_t i = 0; i < found->n; i++) {
        uint32_t other = found->at[i];
        bool stops = bs_world_layers_meet(w, b->box, other) && !b->crosses &&
                     !bs_is_sensed(w, b->box, other) && !bs_is_one_way(w, other);
        if (stops && bs_would_overlap(w, b->box, at, other) &&
            !bs_would_overlap(w, b->box, &b->start, other)) {
            return false;
        }
    }
    return true;
}

static bool stands_firm(bs_bodies *s, uint32_t body) {
    return !(s->body.at[body].inverse_mass > 0);
}

/* Whether what it rests on takes all of a push that way. */
static bool is_blocked(const bs_body *b, const double push[DIM]) {
    bool blocked = false;
    for (int i = 0; i < b->footings; i++) {
        blocked = blocked || bs_dot(push, b->footing[i].normal) < 0;
    }
    return blocked;
}

/* Puts the end of a body at a place beside another's, unless it cannot give way there. */
static bool lay(bs_bodies *s, uint32_t body, const bs_rect *to, const double push[DIM], bool must) {
    bs_body *b = &s->body.at[body];
    if (stands_firm(s, body) || (!must && is_blocked(b, push)) || !is_free(s, b, to)) {
        return false;
    }
    memcpy(b->end, to->pos, sizeof b->end);
    b->is_laid = true;
    return true;
}

/* Adds those who end where this body has begun, and were not asked yet, to `due`. */
static bool add_takers(bs_bodies *s, uint32_t body) {
    const bs_body *b = &s->body.at[body];
    bs_list *found = &s->around;
    if (!bs_find_of_part(s, BS_DYNAMIC, &b->start, false, found)) {
        return false;
    }
    for (size_t i = 0; i < found->n; i++) {
        uint32_t number = s->of[found->at[i]];
        bs_body *other = number == BS_NOBODY ? NULL : &s->body.at[number]; /* NULL: it sleeps. */
        if (other == NULL || other->asked == s->asked || !bs_bodies_may_touch(s, b, other)) {
            continue;
        }
        bs_rect end = bs_path_end(other);
        if (bs_overlap_at(s->w, b->box, &b->start, other->box, &end)) {
            other->asked = s->asked;
            s->due.at[s->due.n++] = number;
        }
    }
    return true;
}

/*
 * Whether what does not give way ends where this body has begun, or where those have that would
 * have to go back with it.
 */
static bool start_is_taken(bs_bodies *s, uint32_t body, bool *taken) {
    *taken = false;
    s->due.n = 0;
    s->body.at[body].asked = ++s->asked;
    bool done = bs_list_reserve(&s->w->heap, &s->due, s->body.n) && add_takers(s, body);
    for (size_t i = 0; done && i < s->due.n && !*taken; i++) { /* It grows. */
        uint32_t other = s->due.at[i];
        *taken = stands_firm(s, other);
        done = *taken || add_takers(s, other);
    }
    return done;
}

/*
 * Puts a body back to where it was before the step, where there was room. What has come there since
 * will have to go back, too.
 */
static bool go_back(bs_bodies *s, uint32_t body) {
    bs_body *b = &s->body.at[body];
    bool taken;
    if (stands_firm(s, body) || memcmp(b->end, b->start.pos, sizeof b->end) == 0) {
        return false;
    }
    s->failed = s->failed || !start_is_taken(s, body, &taken);
    if (s->failed || taken) {
        return false;
    }
    memcpy(b->end, b->start.pos, sizeof b->end);
    b->is_back = true;
    return true;
}

/* Whether a push leads up: along the first axis that counts. */
static bool leads_up(const double push[DIM]) {
    int k = 0;
    while (k < DIM - 1 && push[k] == 0) {
        k++;
    }
    return push[k] > 0;
}

/*
 * Two boxes that press on each other on an axis, and that rounding has parted, are flush again. The
 * one that is nearer to what does not give way stays.
 */
static void join_again(bs_bodies *s, const bs_plane *x) {
    bs_box_side side = bs_side_of(x->normal);
    if (!x->touches || x->push == 0 || side.axis == BS_SLANTED || x->b == BS_NOBODY ||
        !bs_are_boxes(s->w, s->body.at[x->a].box, x->box)) {
        return;
    }
    double back[DIM];
    bs_negate(x->normal, back);
    bool a_stays = is_blocked(&s->body.at[x->a], x->normal) || stands_firm(s, x->a);
    uint32_t upper = a_stays ? x->b : x->a;
    uint32_t lower = a_stays ? x->a : x->b;
    side = a_stays ? bs_opposite(side) : side;
    const double *push = a_stays ? back : x->normal;
    bs_rect a = bs_path_end(&s->body.at[upper]);
    bs_rect b = bs_path_end(&s->body.at[lower]);
    double to = bs_flush(a.size[side.axis], &b, side);
    double gap = fabs(to - a.pos[side.axis]);
    bool beside = gap > 0 && gap <= bs_largest_coordinate(&a, &b) * BS_HERE &&
                  bs_are_beside(&a, &b, side.axis);
    a.pos[side.axis] = to;
    if (beside && lay(s, upper, &a, push, false)) {
        bs_ends_enqueue(s, upper);
    }
}

/* The place to which a push brings r: flush with a box, and a little off another shape. */
static bs_rect pushed(const bs_rect *r, const bs_rect *other, const double push[DIM], bool plain) {
    bs_rect to = *r;
    double length = bs_length(push);
    double off = bs_largest_coordinate(r, other) * BS_PLACING;
    for (int k = 0; k < DIM; k++) {
        if (plain && push[k] != 0) {
            to.pos[k] = bs_flush(r->size[k], other, (bs_box_side){k, push[k] > 0 ? 1 : -1});
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
    bool is_deep;        /* More than rounding explains. */
} overlap;

/* Whether corrections, each by no more than rounding, have brought two into each other. */
static bool are_brought(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return (a->is_laid || b->is_laid) && !bs_overlap_at(s->w, a->box, &a->start, b->box, &b->start);
}

/*
 * Looks at the ends of two; false if they do not overlap, or more than rounding explains, unless
 * one of them has gone back, or they have been brought there.
 */
static bool find_overlap(const bs_bodies *s, overlap *a, overlap *b) {
    const bs_body *of_a = &s->body.at[a->body];
    const bs_body *of_b = &s->body.at[b->body];
    a->end = bs_path_end(of_a);
    b->end = bs_path_end(of_b);
    double depth = bs_push_out_of(s->w, of_a->box, &a->end, of_b->box, &b->end, a->push);
    if (!(depth > 0)) {
        return false;
    }
    bs_negate(a->push, b->push);
    bool plain = bs_are_boxes(s->w, of_a->box, of_b->box);
    a->beside = pushed(&a->end, &b->end, a->push, plain);
    b->beside = pushed(&b->end, &a->end, b->push, plain);
    a->is_deep = b->is_deep = depth > bs_largest_coordinate(&a->end, &b->end) * BS_MENDED;
    return of_a->is_back || of_b->is_back || !a->is_deep || are_brought(s, of_a, of_b);
}

/* Moves one of two out of the other along one axis: beside a wall the straight way out is none. */
static bool part_on_axis(bs_bodies *s, const overlap *x, int axis, bool must) {
    double square = bs_dot(x->push, x->push);
    double along = x->push[axis];
    double push[DIM] = {0};
    bs_rect to = x->end;
    if (!(along * along > square * STEEP)) {
        return false;
    }
    push[axis] = (x->beside.pos[axis] - x->end.pos[axis]) * (square / (along * along));
    to.pos[axis] += push[axis];
    return lay(s, x->body, &to, push, must);
}

static bool part(bs_bodies *s, const overlap *x, bool must) {
    bool parted = lay(s, x->body, &x->beside, x->push, must);
    for (int k = 0; k < DIM && !parted; k++) {
        parted = part_on_axis(s, x, k, must);
    }
    return parted;
}

/* Moves one of two out of the other, or the other one; even where it is blocked, if both are. */
static const overlap *part_either(bs_bodies *s, const overlap *one, const overlap *other) {
    for (int must = 0; must <= 1; must++) {
        const overlap *both[] = {one, other};
        for (int i = 0; i < 2; i++) {
            if (part(s, both[i], must)) {
                return both[i];
            }
        }
    }
    return NULL;
}

/*
 * Parts two that rounding has put into each other. The higher one goes first, and after some times
 * the lower one, so that two do not put a third to and fro. At last both go back to where they
 * were.
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
    a->parted = (uint8_t)(a->parted + (a->parted < UINT8_MAX));
    int times = a->parted > b->parted ? a->parted : b->parted;
    bool x_goes_first = leads_up(x.push) == (times <= SAME_WAY);
    bool may_part = times <= 2 * SAME_WAY && !x.is_deep;
    const overlap *moved = !may_part      ? NULL
                           : x_goes_first ? part_either(s, &x, &y)
                                          : part_either(s, &y, &x);
    if (moved != NULL) {
        bs_ends_enqueue(s, moved->body);
        return;
    }
    if (go_back(s, first)) {
        bs_ends_enqueue(s, first);
    }
    if (go_back(s, second)) {
        bs_ends_enqueue(s, second);
    }
}

/* Inserts a body into the first n of a list that is in the order of places. */
static void insert_by_place(const bs_bodies *s, uint32_t *list, size_t n, uint32_t body) {
    bs_rect r = bs_path_end(&s->body.at[body]);
    for (; n > 0; n--) {
        bs_rect other = bs_path_end(&s->body.at[list[n - 1]]);
        if (bs_body_before(s, list[n - 1], &other, body, &r)) {
            break;
        }
        list[n] = list[n - 1];
    }
    list[n] = body;
}

/* What ends in a body by rounding, in the order of places: in `near`. */
static bool find_overlaps(bs_bodies *s, uint32_t body) {
    const bs_body *b = &s->body.at[body];
    bs_rect end = bs_path_end(b);
    bs_rect r = bs_rect_beside(&end); /* Others may have been moved a bit. */
    s->near.n = 0;
    if (bs_rect_is_query(&r) && !bs_find_of_part(s, BS_DYNAMIC, &r, false, &s->near)) {
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < s->near.n; i++) {
        overlap x = {.body = body};
        overlap y = {.body = s->of[s->near.at[i]]};
        if (y.body != BS_NOBODY && y.body != body &&
            bs_bodies_may_touch(s, b, &s->body.at[y.body]) && find_overlap(s, &x, &y)) {
            insert_by_place(s, s->near.at, n++, y.body);
        }
    }
    s->near.n = n;
    return true;
}

void bs_ends_enqueue_all(bs_bodies *s) {
    for (uint32_t i = 0; i < s->body.n; i++) {
        if (s->body.at[i].stamp > 1) {
            bs_ends_enqueue(s, i);
        }
    }
    for (size_t i = 0; i < s->couple.n; i++) {
        uint32_t a = s->couple.at[i].a;
        uint32_t b = s->couple.at[i].b;
        bs_rect end_of_a = bs_path_end(&s->body.at[a]);
        bs_rect end_of_b = bs_path_end(&s->body.at[b]);
        if (bs_overlap_at(s->w, s->body.at[a].box, &end_of_a, s->body.at[b].box, &end_of_b)) {
            bs_ends_enqueue(s, a);
            bs_ends_enqueue(s, b);
        }
    }
}

/* Keeps in the queue, by place, what ends in something. */
static bool sort_queue(bs_bodies *s) {
    size_t n = s->queue.n;
    s->queue.n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t body = s->queue.at[i];
        if (!find_overlaps(s, body)) {
            return false;
        }
        s->body.at[body].is_queued = s->near.n > 0;
        if (s->near.n > 0) {
            insert_by_place(s, s->queue.at, s->queue.n++, body);
        }
    }
    return true;
}

bool bs_ends_settle(bs_bodies *s) {
    for (size_t i = 0; i < s->plane.n; i++) {
        join_again(s, &s->plane.at[i]);
    }
    if (!sort_queue(s)) {
        return false;
    }
    while (s->queue.n > 0) {
        uint32_t body = s->queue.at[--s->queue.n];
        s->body.at[body].is_queued = false;
        if (!find_overlaps(s, body)) {
            return false;
        }
        for (size_t i = 0; i < s->near.n; i++) {
            part_two(s, body, s->near.at[i]);
        }
    }
    return !s->failed;
}
