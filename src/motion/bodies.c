/*
 * bodies.c: steps. All that is dynamic moves at the same time: forces, the events in which two meet,
 * and what the world gets in the end. See bodies.h.
 *
 * Compare "time warp", Mirtich 2000, and molecular dynamics by events, Alder and Wainwright 1959.
 */
#include "bodies.h"

#include <string.h>

static bool is_dynamic(const bs_world *w, uint32_t box) {
    return (w->flags[box] & (BS_ALIVE | BS_IS_STATIC)) == BS_ALIVE;
}

static bool responds(const bs_world *w, uint32_t box) {
    return w->state.responders > 0 && w->conduct[box].response != BS_PASS;
}

void bs_bodies_free(bs_world *w) {
    bs_bodies *s = w->bodies;
    bs_heap *heap = &w->heap;
    if (s == NULL) {
        return;
    }
    bs_array_free(heap, &s->body.at, &s->body.cap, sizeof *s->body.at);
    bs_array_free(heap, &s->of, &s->of_cap, sizeof *s->of);
    bs_array_free(heap, &s->path.at, &s->path.cap, sizeof *s->path.at);
    bs_array_free(heap, &s->ahead.at, &s->ahead.cap, sizeof *s->ahead.at);
    bs_array_free(heap, &s->support.at, &s->support.cap, sizeof *s->support.at);
    bs_array_free(heap, &s->hit.at, &s->hit.cap, sizeof *s->hit.at);
    bs_array_free(heap, &s->event.at, &s->event.cap, sizeof *s->event.at);
    bs_array_free(heap, &s->joint.at, &s->joint.cap, sizeof *s->joint.at);
    bs_array_free(heap, &s->found.at, &s->found.cap, sizeof *s->found.at);
    bs_array_free(heap, &s->sleeper, &s->sleeper_cap, sizeof *s->sleeper);
    bs_array_free(heap, &s->stirred.at, &s->stirred.cap, sizeof *s->stirred.at);
    bs_array_free(heap, &s->pairs.at, &s->pairs.cap, sizeof *s->pairs.at);
    bs_list *lists[] = {&s->boxes, &s->woken, &s->near, &s->moved, &s->around, &s->queue};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        bs_list_free(heap, lists[i]);
    }
    bs_heap_free(heap, s, sizeof *s);
    w->bodies = NULL;
    w->sleepers = 0;
}

/* --- forces --------------------------------------------------------------------------------- */

/* The velocity after the forces of a step; false if it is not finite. */
static bool accelerate(const bs_world *w, uint32_t box, double dt, double force[DIM],
                       double velocity[DIM]) {
    const bs_conduct *c = w->conduct != NULL ? &w->conduct[box] : &bs_usual_conduct;
    for (int k = 0; k < DIM; k++) {
        double a = w->state.gravity[k] * c->gravity_scale + w->motion[box].acceleration[k];
        force[k] = a * dt;
        velocity[k] = w->motion[box].velocity[k] + force[k];
    }
    if (c->damping > 0) {
        for (int k = 0; k < DIM; k++) {
            velocity[k] /= 1 + c->damping * dt;
        }
    }
    if (c->drag > 0 || c->max_speed < HUGE_VAL) {
        double speed = bs_length(velocity);
        double kept = bs_min(bs_max(speed - c->drag * dt, 0), c->max_speed);
        for (int k = 0; kept < speed && k < DIM; k++) {
            velocity[k] = velocity[k] / speed * kept;
        }
    }
    return bs_is_finite(velocity);
}

bool bs_advance(const bs_rect *from, const double velocity[DIM], double dt, bs_rect *to) {
    *to = *from;
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        double pos = from->pos[k] + velocity[k] * dt;
        to->pos[k] = pos != from->pos[k] ? pos : from->pos[k];
        finite = finite && isfinite(pos - from->pos[k]) && isfinite(bs_far(to, k));
    }
    return finite;
}

bool bs_body_begin(bs_bodies *s, uint32_t box) {
    const bs_world *w = s->w;
    uint32_t i = (uint32_t)s->body.n++;
    bs_body *b = &s->body.at[i];
    double velocity[DIM];
    bs_rect to;
    *b = (bs_body){.box = box,
                   .hit = BS_NOBODY,
                   .start = w->rect[box],
                   .heap = i,
                   .company = i,
                   .clump = i,
                   .next = i};
    b->responds = responds(w, box);
    b->crosses = b->responds && w->conduct[box].response == BS_CROSS;
    b->weight = b->responds ? 1 / w->conduct[box].mass : 0;
    s->of[box] = i;
    bool moves = accelerate(w, box, s->dt, b->force, velocity) &&
                 bs_advance(&b->start, velocity, s->dt, &to);
    if (moves) {
        return bs_path_make(s, b, &b->start, 0, velocity);
    }
    memcpy(velocity, w->motion[box].velocity, sizeof velocity);
    return bs_path_make(s, b, &b->start, 1, velocity);
}

/* --- which two meet ------------------------------------------------------------------------- */

bool bs_bodies_cross(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return a->crosses || b->crosses || bs_is_sensed(s->w, a->box, b->box);
}

bool bs_bodies_may_meet(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return (a->responds || b->responds) && bs_world_layers_meet(s->w, a->box, b->box) &&
           (a->weight > 0 || b->weight > 0 || bs_bodies_cross(s, a, b));
}

bool bs_bodies_may_touch(const bs_bodies *s, const bs_body *a, const bs_body *b) {
    return (a->responds || b->responds) && bs_world_layers_meet(s->w, a->box, b->box) &&
           !bs_bodies_cross(s, a, b);
}

static int compare(const double *a, const double *b) {
    for (int k = 0; k < DIM; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

int bs_body_compare(const bs_bodies *s, uint32_t a, const bs_rect *at_a, uint32_t b,
                    const bs_rect *at_b) {
    int order = compare(at_a->pos, at_b->pos);
    bool before = bs_world_before(s->w, s->body.at[a].box, s->body.at[b].box);
    return order != 0 ? order : before ? -1 : 1;
}

static bool was_inserted_before(const bs_bodies *s, uint32_t a, uint32_t b) {
    return bs_world_before(s->w, s->body.at[a].box, s->body.at[b].box);
}

/* Whether one-way boxes are solid to each other at a face, whose normal points from b to a. */
static bool is_solid(const bs_bodies *s, const bs_event *e) {
    double back[DIM];
    bs_negate(e->normal, back);
    return bs_is_solid_toward(s->w, s->body.at[e->b].box, e->normal) &&
           bs_is_solid_toward(s->w, s->body.at[e->a].box, back);
}

/* The way out for a, which overlaps b; false if there is none in doubles. */
static bool normal_out(const bs_shape *a, const bs_shape *b, double normal[DIM], double *depth) {
    double push[DIM] = {0};
    if (!bs_shapes_separation(a, b, push)) {
        return false;
    }
    *depth = bs_length(push);
    for (int k = 0; k < DIM; k++) {
        normal[k] = *depth > 0 ? push[k] / *depth : 0;
    }
    return *depth > 0;
}

/*
 * Whether the two meet on a part of both paths on which neither turns. Those that overlap meet if
 * they come deeper.
 */
static bool meet_on_part(const bs_bodies *s, const bs_rect *ra, const bs_rect *rb,
                         const double way[DIM], bs_event *e, double *t) {
    const bs_world *w = s->w;
    uint32_t a = s->body.at[e->a].box;
    uint32_t b = s->body.at[e->b].box;
    bs_touch touch;
    bs_shape shape;
    bs_shape other;
    if (!bs_sweep(ra, way, rb, NULL, &touch)) {
        return false;
    }
    bool plain = bs_are_boxes(w, a, b);
    if (!plain) {
        bs_world_shape_at(w, a, ra, &shape);
        bs_world_shape_at(w, b, rb, &other);
        if (!bs_shapes_meet(&shape, way, &other, &touch, NULL)) {
            return false;
        }
    }
    *t = touch.t;
    memcpy(e->normal, touch.normal, sizeof e->normal);
    bool inside = !(bs_dot(touch.normal, touch.normal) > 0);
    if (inside) {
        if (plain) {
            bs_shape_set_box(&shape, ra);
            bs_shape_set_box(&other, rb);
        }
        double depth;
        if (!normal_out(&shape, &other, e->normal, &depth)) {
            return false;
        }
        e->inside = depth > bs_largest_coordinate(ra, rb) * BS_AROUND;
    }
    if (e->crossing) {
        return true;
    }
    double closing = -bs_dot(way, e->normal);
    if (!plain && closing > 0) { /* A little before, so that rounding puts them side by side. */
        *t = bs_max(*t - bs_largest_coordinate(ra, rb) * BS_PLACING / closing, 0);
    }
    bool one_way = bs_is_one_way(w, a) || bs_is_one_way(w, b);
    return closing > 0 && (!one_way || (!inside && is_solid(s, e)));
}

/* The parts of two paths that begin at a time. */
typedef struct span {
    const bs_waypoint *a, *b;
    double until;
} span;

static span span_at(const bs_bodies *s, const bs_body *a, const bs_body *b, double t) {
    span p = {bs_path_piece(s, a, t), bs_path_piece(s, b, t), 1};
    double until_a;
    double until_b;
    bs_piece_end(s, a, p.a, &until_a);
    bs_piece_end(s, b, p.b, &until_b);
    p.until = bs_min(until_a, until_b);
    return p;
}

/* The first event of two from a time on. */
static bool find_event(const bs_bodies *s, uint32_t first, uint32_t second, double from,
                       bs_event *e) {
    double later =
        bs_max(s->path.at[s->body.at[first].piece].t, s->path.at[s->body.at[second].piece].t);
    for (double t = bs_max(from, later); t < 1;) {
        const bs_body *a = &s->body.at[first];
        const bs_body *b = &s->body.at[second];
        span p = span_at(s, a, b, t);
        bs_rect ra = bs_piece_place(s, a, p.a, t);
        bs_rect rb = bs_piece_place(s, b, p.b, t);
        bs_rect ea = bs_piece_place(s, a, p.a, p.until);
        bs_rect eb = bs_piece_place(s, b, p.b, p.until);
        bool swap = bs_body_compare(s, first, &ra, second, &rb) > 0;
        double way[DIM];
        for (int k = 0; k < DIM; k++) {
            double wa = ea.pos[k] - ra.pos[k];
            double wb = eb.pos[k] - rb.pos[k];
            way[k] = swap ? wb - wa : wa - wb;
        }
        double part_of = -1;
        *e = (bs_event){.a = swap ? second : first, .b = swap ? first : second};
        e->crossing = bs_bodies_cross(s, a, b);
        if (bs_is_finite(way) &&
            meet_on_part(s, swap ? &rb : &ra, swap ? &ra : &rb, way, e, &part_of)) {
            const double *va = swap ? p.b->velocity : p.a->velocity;
            const double *vb = swap ? p.a->velocity : p.b->velocity;
            double speed = 0;
            for (int k = 0; k < DIM; k++) {
                speed -= (va[k] - vb[k]) * e->normal[k];
            }
            double tiny = (bs_length(va) + bs_length(vb)) * (2 * BS_TOUCHING);
            if (speed > tiny || e->crossing) {
                e->t = t + (p.until - t) * part_of;
                e->speed = bs_max(speed, 0);
                return true;
            }
        }
        t = p.until;
    }
    return false;
}

/* --- the order of events -------------------------------------------------------------------- */

/* The sooner; then the faster; then the one at the lower place; then the one inserted first. */
static bool comes_first(const bs_bodies *s, const bs_event *x, const bs_event *y) {
    if (x->t != y->t) {
        return x->t < y->t;
    }
    if (x->speed != y->speed) {
        return x->speed > y->speed;
    }
    int order = compare(x->at_a, y->at_a);
    order = order != 0 ? order : compare(x->at_b, y->at_b);
    if (order != 0) {
        return order < 0;
    }
    if (x->b == BS_NOBODY || y->b == BS_NOBODY) {
        return x->b != y->b ? x->b == BS_NOBODY
                            : x->a != y->a && was_inserted_before(s, x->a, y->a);
    }
    return x->a != y->a ? was_inserted_before(s, x->a, y->a)
                        : x->b != y->b && was_inserted_before(s, x->b, y->b);
}

static void sift_up(bs_bodies *s, size_t at) {
    bs_event *heap = s->event.at;
    bs_event e = heap[at];
    while (at > 0 && comes_first(s, &e, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = e;
}

static void sift_down(bs_bodies *s) {
    bs_event *heap = s->event.at;
    const size_t n = s->event.n;
    bs_event e = heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && comes_first(s, &heap[child + 1], &heap[child]);
        if (!comes_first(s, &heap[child], &e)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = e;
}

static bool add_joint(bs_bodies *s, const bs_joint *joint) {
    bs_joints *list = &s->joint;
    if (!bs_array_reserve(&s->w->heap, &list->at, &list->cap, list->n + 1, sizeof *list->at)) {
        return false;
    }
    list->at[list->n++] = *joint;
    return true;
}

static bool add_event(bs_bodies *s, const bs_event *e) {
    bs_events *list = &s->event;
    if (!bs_array_reserve(&s->w->heap, &list->at, &list->cap, list->n + 1, sizeof *list->at)) {
        return false;
    }
    list->at[list->n++] = *e;
    sift_up(s, list->n - 1);
    return true;
}

/* Adds the next event of two, if there is one. */
static bool expect(bs_bodies *s, uint32_t first, uint32_t second, double from) {
    bs_event e;
    const bs_body *x = &s->body.at[first];
    const bs_body *y = &s->body.at[second];
    if (x->clump == y->clump || !bs_bodies_may_meet(s, x, y)) {
        return true;
    }
    bs_company_unite(s, first, second);
    if (!find_event(s, first, second, from, &e)) {
        return true;
    }
    bs_body *a = &s->body.at[e.a];
    bs_body *b = &s->body.at[e.b];
    if (e.crossing && (bs_body_has_hit(s, a, b->box) || bs_body_has_hit(s, b, a->box))) {
        return true;
    }
    e.stamp_a = a->stamp;
    e.stamp_b = b->stamp;
    bs_rect ra = bs_path_place(s, a, e.t);
    bs_rect rb = bs_path_place(s, b, e.t);
    memcpy(e.at_a, ra.pos, sizeof e.at_a);
    memcpy(e.at_b, rb.pos, sizeof e.at_b);
    return add_event(s, &e);
}

/* The event in which a body of a clump meets something static. */
static bool expect_wall(bs_bodies *s, uint32_t body) {
    const bs_body *b = &s->body.at[body];
    bs_event e = {.t = b->wall_t, .a = body, .b = BS_NOBODY, .stamp_a = b->stamp};
    if (b->wall_t > 1) {
        return true;
    }
    bs_rect r = bs_path_place(s, b, e.t);
    e.speed = bs_max(-bs_dot(bs_body_velocity(s, body, e.t), b->wall), 0);
    memcpy(e.normal, b->wall, sizeof e.normal);
    memcpy(e.at_a, r.pos, sizeof e.at_a);
    memcpy(e.at_b, r.pos, sizeof e.at_b);
    return add_event(s, &e);
}

/* Shows the back end the rect around a path, unless it knows a larger one. */
static void show_path(bs_bodies *s, bs_body *b) {
    bs_world *w = s->w;
    bs_rect r = bs_path_around(s, b);
    if (!bs_is_within(&r, &w->rect[b->box]) && bs_rect_is_box(&r)) {
        bs_backend *part = w->part[BS_DYNAMIC];
        w->rect[b->box] = r;
        b->is_examined = false;
        part->type->update(part, &b->box, 1);
    }
}

/* All events of a body from a time on. */
static bool expect_all(bs_bodies *s, uint32_t body, double from) {
    bs_world *w = s->w;
    bs_backend *part = w->part[BS_DYNAMIC];
    s->near.n = 0;
    show_path(s, &s->body.at[body]);
    if (!expect_wall(s, body) ||
        !part->type->query(part, &w->rect[s->body.at[body].box], &s->near)) {
        return false;
    }
    for (size_t i = 0; i < s->near.n; i++) {
        if (s->of[s->near.at[i]] == BS_NOBODY && !bs_sleep_wake(s, s->near.at[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < s->near.n; i++) {
        uint32_t other = s->of[s->near.at[i]];
        if (other != body && !expect(s, body, other, from)) {
            return false;
        }
    }
    return true;
}

/* The events of those that have woken, and of those that wake with them. */
static bool expect_woken(bs_bodies *s) {
    while (s->woken.n > 0) {
        if (!expect_all(s, s->woken.at[--s->woken.n], 0)) {
            return false;
        }
    }
    return true;
}

/* --- contacts ------------------------------------------------------------------------------- */

/*
 * The speed at which two shapes that rounding has brought too near are to part, so that they are as
 * far apart as they should be at the end of the step; 0 for others.
 */
static double parting_of(const bs_bodies *s, const bs_event *e, const bs_rect *ra,
                         const bs_rect *rb) {
    const bs_world *w = s->w;
    uint32_t a = s->body.at[e->a].box;
    uint32_t b = s->body.at[e->b].box;
    double rest = s->dt * bs_max(1 - e->t, 0x1p-6);
    if (bs_are_boxes(w, a, b)) {
        return 0;
    }
    bs_shape shape;
    bs_shape other;
    bs_world_shape_at(w, a, ra, &shape);
    bs_world_shape_at(w, b, rb, &other);
    double largest = bs_largest_coordinate(ra, rb);
    double off = largest * BS_PLACING;
    double gap = bs_shapes_gap(&shape, &other, e->normal);
    return gap < off / 2 && gap > -largest * BS_HERE ? (off - gap) / rest : 0;
}

static bool tell(bs_bodies *s, const bs_event *e, double impulse, bool bounced) {
    bs_body *a = &s->body.at[e->a];
    bs_body *b = &s->body.at[e->b];
    bool a_tells = a->responds && (!b->responds || was_inserted_before(s, e->a, e->b));
    bs_body *teller = a_tells ? a : b;
    bs_response response = (bs_response)s->w->conduct[teller->box].response;
    response = response == BS_BOUNCE && !bounced ? BS_SLIDE : response;
    bs_body_hit hit = {.other = a_tells ? b->box : a->box, .t = e->t, .speed = e->speed};
    hit.response = e->crossing ? BS_CROSS : response;
    hit.impulse = impulse;
    for (int k = 0; k < DIM; k++) {
        hit.normal[k] = a_tells ? e->normal[k] : 0 - e->normal[k];
    }
    return bs_body_tell(s, teller, &hit);
}

/* Notes that one of the two is to lie flush on the other at the end of the step. */
static bool join(bs_bodies *s, const bs_event *e, const bs_outcome *out) {
    bs_face face = bs_face_of(e->normal);
    bs_face back = {face.axis, -face.sign};
    bool is_flush = out->rests && face.axis != BS_SLANTED &&
                    bs_are_boxes(s->w, s->body.at[e->a].box, s->body.at[e->b].box);
    return !is_flush || add_joint(s, out->a_is_put ? &(bs_joint){e->a, e->b, face}
                                                   : &(bs_joint){e->b, e->a, back});
}

/* What all bodies of a clump have met on their paths until then. */
static bool pass_clump(bs_bodies *s, bs_body *clump, double t) {
    bs_body *b = clump;
    do {
        if (!bs_path_pass(s, b, t)) {
            return false;
        }
        b = &s->body.at[b->next];
    } while (b != clump);
    return true;
}

/* New paths for all bodies of a clump. */
static bool redirect(bs_bodies *s, bs_body *clump, double t, const double velocity[DIM]) {
    uint32_t first = clump->clump;
    uint32_t i = first;
    do {
        bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_place(s, b, t);
        if (!bs_path_make(s, b, &r, t, velocity)) {
            return false;
        }
        i = b->next;
    } while (i != first);
    do {
        if (!expect_all(s, i, t)) {
            return false;
        }
        i = s->body.at[i].next;
    } while (i != first);
    return true;
}

static bool has_velocity(const bs_bodies *s, const bs_body *clump, double t, const double v[DIM]) {
    return memcmp(v, bs_body_velocity(s, clump->clump, t), DIM * sizeof *v) == 0;
}

/* Contacts in a heap count more, and those of bodies that overlap still more. */
enum { PRESSED = 8, INSIDE = 16 };

static void count(bs_body *clump, int contacts) {
    clump->contacts = (uint8_t)(clump->contacts + contacts);
}

/* A body of a clump has met something static. */
static bool meet_wall(bs_bodies *s, const bs_event *e) {
    bs_body *clump = bs_clump_of(s, e->a);
    double velocity[DIM] = {0};
    if (!pass_clump(s, clump, e->t)) {
        return false;
    }
    bs_clump_tire(clump);
    count(clump, PRESSED);
    if (!clump->is_jammed) {
        memcpy(velocity, bs_body_velocity(s, clump->clump, e->t), sizeof velocity);
        bs_rest_velocity(s, clump, e->t, velocity);
    }
    return redirect(s, clump, e->t, velocity);
}

/* Two clumps are one from now on. */
static bool unite(bs_bodies *s, const bs_event *e, const double velocity[DIM]) {
    double rest[DIM];
    memcpy(rest, velocity, sizeof rest);
    if (!bs_clump_merge(s, e->a, e->b)) {
        return false;
    }
    bs_rest_velocity(s, bs_clump_of(s, e->a), e->t, rest);
    return redirect(s, bs_clump_of(s, e->a), e->t, rest);
}

/* Two that give way belong to one heap; what moves, and does not, carries the other. */
static void note_heap(bs_bodies *s, const bs_event *e) {
    double weight_of_a = bs_clump_of(s, e->a)->weight;
    double weight_of_b = bs_clump_of(s, e->b)->weight;
    if (weight_of_a > 0 && weight_of_b > 0) {
        bs_heap_unite(s, e->a, e->b);
    } else if (bs_length(bs_body_velocity(s, weight_of_a > 0 ? e->b : e->a, e->t)) > 0) {
        bs_heap_carry(s, weight_of_a > 0 ? e->a : e->b);
    }
}

static bool collide(bs_bodies *s, bs_event *e) {
    bs_body *a = bs_clump_of(s, e->a);
    bs_body *b = bs_clump_of(s, e->b);
    bs_outcome out;
    if (!pass_clump(s, a, e->t) || !pass_clump(s, b, e->t)) {
        return false;
    }
    if (e->crossing) {
        return tell(s, e, 0, false);
    }
    bool jammed = a->is_jammed && b->is_jammed;
    bs_clump_tire(a);
    bs_clump_tire(b);
    bs_rect ra = bs_path_place(s, &s->body.at[e->a], e->t);
    bs_rect rb = bs_path_place(s, &s->body.at[e->b], e->t);
    e->parting = parting_of(s, e, &ra, &rb);
    if (!bs_impact(s, e, &out)) {
        return false;
    }
    if (!out.sticks) {
        int contacts = e->inside ? INSIDE : out.is_pressed ? PRESSED : 1;
        count(a, contacts);
        count(b, contacts);
    }
    note_heap(s, e);
    if (!tell(s, e, out.impulse, !out.rests) || !join(s, e, &out)) {
        return false;
    }
    if (out.sticks) {
        return unite(s, e, out.va);
    }
    bool a_changes = !has_velocity(s, a, e->t, out.va);
    bool b_changes = !has_velocity(s, b, e->t, out.vb);
    return jammed || ((!a_changes || redirect(s, a, e->t, out.va)) &&
                      (!b_changes || redirect(s, b, e->t, out.vb)));
}

static bool run_events(bs_bodies *s) {
    bs_events *list = &s->event;
    while (list->n > 0) {
        bs_event e = list->at[0];
        list->at[0] = list->at[--list->n];
        if (list->n > 1) {
            sift_down(s);
        }
        bool is_wall = e.b == BS_NOBODY;
        bool holds =
            s->body.at[e.a].stamp == e.stamp_a && (is_wall || s->body.at[e.b].stamp == e.stamp_b);
        if (holds && (!(is_wall ? meet_wall(s, &e) : collide(s, &e)) || !expect_woken(s))) {
            return false;
        }
    }
    return true;
}

/* --- worlds without bodies ------------------------------------------------------------------ */

/* Moves all that is dynamic through everything. */
static void fly_all(bs_bodies *s) {
    bs_world *w = s->w;
    bs_backend *part = w->part[BS_DYNAMIC];
    s->moved.n = 0;
    for (uint32_t box = 0; box < w->ids.used; box++) {
        double force[DIM];
        double velocity[DIM];
        bs_rect to;
        if (!is_dynamic(w, box) || !accelerate(w, box, s->dt, force, velocity) ||
            !bs_advance(&w->rect[box], velocity, s->dt, &to)) {
            continue;
        }
        memcpy(w->motion[box].velocity, velocity, sizeof velocity);
        if (memcmp(&to, &w->rect[box], sizeof to) != 0) {
            w->rect[box] = to;
            s->moved.at[s->moved.n++] = box;
            bs_world_touch(w, box);
        }
    }
    if (s->moved.n > 0) {
        part->type->update(part, s->moved.at, s->moved.n);
    }
    w->step_hits.n = 0;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Makes room for all, and lists the dynamic boxes in the order of insertion. */
static bool prepare(bs_bodies *s) {
    bs_world *w = s->w;
    bs_list *lists[] = {&s->boxes, &s->moved, &s->queue, &s->woken};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->n = 0;
        if (!bs_list_reserve(&w->heap, lists[i], w->state.count)) {
            return false;
        }
    }
    if (!bs_array_reserve(&w->heap, &s->of, &s->of_cap, w->ids.used, sizeof *s->of) ||
        !bs_array_reserve(&w->heap, &s->body.at, &s->body.cap, w->state.count,
                          sizeof *s->body.at)) {
        return false;
    }
    for (uint32_t box = 0; box < w->ids.used; box++) {
        if (is_dynamic(w, box)) {
            s->boxes.at[s->boxes.n++] = box;
        }
    }
    return !w->state.recycled || bs_world_sort(w, &s->boxes);
}

/* Makes the bodies of all that is awake, and their paths among static boxes. */
static bool begin(bs_bodies *s) {
    for (size_t i = 0; i < s->boxes.n; i++) {
        uint32_t box = s->boxes.at[i];
        s->of[box] = BS_NOBODY;
        if (!bs_sleeps(s, box) && !bs_body_begin(s, box)) {
            return false;
        }
    }
    return true;
}

/* Shows the back end all paths. False if none moves. */
static bool show_paths(bs_bodies *s) {
    bs_world *w = s->w;
    bs_backend *part = w->part[BS_DYNAMIC];
    s->moved.n = 0;
    for (size_t i = 0; i < s->body.n; i++) {
        bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_around(s, b);
        if (memcmp(&r, &w->rect[b->box], sizeof r) != 0 && bs_rect_is_box(&r)) {
            w->rect[b->box] = r;
            s->moved.at[s->moved.n++] = b->box;
        }
    }
    if (s->moved.n > 0) {
        part->type->update(part, s->moved.at, s->moved.n);
    }
    return s->moved.n > 0;
}

/* The events of all pairs of paths; what sleeps near a path wakes. */
static bool expect_pairs(bs_bodies *s) {
    bs_backend *part = s->w->part[BS_DYNAMIC];
    s->pairs.n = 0;
    if (!part->type->pairs(part, &s->pairs)) {
        return false;
    }
    for (size_t i = 0; i < s->pairs.n; i++) {
        uint32_t a = s->pairs.at[i].a;
        uint32_t b = s->pairs.at[i].b;
        if (s->of[a] == BS_NOBODY && s->of[b] == BS_NOBODY) {
            continue;
        }
        if ((s->of[a] == BS_NOBODY && !bs_sleep_wake(s, a)) ||
            (s->of[b] == BS_NOBODY && !bs_sleep_wake(s, b)) || !expect(s, s->of[a], s->of[b], 0)) {
            return false;
        }
    }
    return true;
}

/* The events of bodies alone, which are few among many that fly. */
static bool expect_of_bodies(bs_bodies *s) {
    for (uint32_t i = 0, n = (uint32_t)s->body.n; i < n; i++) {
        if (s->body.at[i].responds && !expect_all(s, i, 0)) {
            return false;
        }
    }
    return true;
}

static bool meet(bs_bodies *s) {
    enum { FEW = 8 };
    const bs_world *w = s->w;
    s->pairs.n = 0;
    bool may_meet = w->state.responders > 0 && (w->state.any.layer & w->state.any.mask) != 0;
    if (!show_paths(s) || !may_meet) {
        return true;
    }
    bool few = w->sleepers == 0 && w->state.responders * FEW < s->body.n;
    if (!(few ? expect_of_bodies(s) : expect_pairs(s)) || !expect_woken(s) || !run_events(s)) {
        return false;
    }
    bs_ends_enqueue_all(s);
    return true;
}

/* Back to where all was before the step. */
static void give_back(bs_bodies *s) {
    bs_world *w = s->w;
    bs_backend *part = w->part[BS_DYNAMIC];
    for (size_t i = 0; i < s->body.n; i++) {
        const bs_body *b = &s->body.at[i];
        if (memcmp(&b->start, &w->rect[b->box], sizeof b->start) != 0) {
            w->rect[b->box] = b->start;
            part->type->update(part, &b->box, 1);
        }
    }
}

/* The hits of the step, body by body; those that sleep hit what they hit in the last one. */
static bool list_hits(bs_bodies *s) {
    bs_world *w = s->w;
    bs_step_hits *hits = &s->found;
    size_t most = s->hit.n + w->step_hits.n;
    if (!bs_array_reserve(&w->heap, &hits->at, &hits->cap, most, sizeof *hits->at)) {
        return false;
    }
    hits->n = 0;
    for (size_t i = 0; i < s->boxes.n; i++) {
        uint32_t box = s->boxes.at[i];
        bs_sleeper *sleeper = &s->sleeper[box];
        uint32_t row = (uint32_t)hits->n;
        if (s->of[box] == BS_NOBODY) {
            for (uint32_t j = 0; j < sleeper->rows; j++) {
                hits->at[hits->n++] = w->step_hits.at[sleeper->row + j];
            }
        } else {
            uint32_t h = s->body.at[s->of[box]].hit;
            for (; h != BS_NOBODY; h = s->hit.at[h].next) {
                const bs_body_hit *from = &s->hit.at[h];
                bs_step_hit *to = &hits->at[hits->n++];
                *to = (bs_step_hit){.box = bs_world_id(w, box), .response = from->response};
                to->other = bs_world_id(w, from->other);
                to->t = from->t;
                to->speed = from->speed;
                to->impulse = from->impulse;
                memcpy(to->normal, from->normal, sizeof to->normal);
            }
        }
        *sleeper = (bs_sleeper){sleeper->next, row, (uint32_t)hits->n - row};
    }
    return true;
}

/* The world gets the ends of all paths. */
static void finish(bs_bodies *s) {
    bs_world *w = s->w;
    bs_backend *part = w->part[BS_DYNAMIC];
    bs_step_hits last = w->step_hits;
    uint32_t sleepers = w->sleepers;
    w->step_hits = s->found;
    s->found = last;
    s->moved.n = 0;
    w->sleepers = 0; /* The step itself stirs nobody. */
    for (size_t i = 0; i < s->body.n; i++) {
        const bs_body *b = &s->body.at[i];
        bs_rect r = bs_path_end(b);
        memcpy(w->motion[b->box].velocity, bs_path_last(s, b)->velocity,
               sizeof w->motion[b->box].velocity);
        if (memcmp(&r, &b->start, sizeof r) != 0) {
            bs_world_touch(w, b->box);
        }
        if (memcmp(&r, &w->rect[b->box], sizeof r) != 0) {
            w->rect[b->box] = r;
            s->moved.at[s->moved.n++] = b->box;
        }
    }
    if (s->moved.n > 0) {
        part->type->update(part, s->moved.at, s->moved.n);
    }
    w->sleepers = sleepers;
}

/* The world's bodies, empty. */
static bs_bodies *take_bodies(bs_world *w, double dt) {
    if (w->bodies == NULL) {
        w->bodies = bs_heap_new(&w->heap, sizeof *w->bodies);
    }
    bs_bodies *s = w->bodies;
    if (s != NULL) {
        s->w = w;
        s->all_stirred = s->all_stirred || s->dt != dt;
        s->dt = dt;
        s->body.n = s->path.n = s->ahead.n = s->support.n = s->hit.n = 0;
        s->event.n = s->joint.n = 0;
        s->failed = false;
        bs_motion_enter(w);
    }
    return s;
}

/* What has been met by the end of the step. */
static bool pass_all(bs_bodies *s) {
    bool done = true;
    for (size_t i = 0; done && i < s->body.n; i++) {
        done = bs_path_pass(s, &s->body.at[i], 1);
    }
    return done;
}

static bool run_step(bs_bodies *s) {
    return meet(s) && pass_all(s) && bs_heaps_calm(s) && bs_ends_settle(s) && list_hits(s);
}

bs_status bs_world_step(bs_world *w, double dt) {
    assert(isfinite(dt));
    bool falls = false;
    for (int k = 0; k < DIM; k++) {
        falls |= w->state.gravity[k] != 0;
    }
    bs_world_shed(w);
    if (w->motion == NULL && !falls && w->state.responders == 0) { /* Nothing has ever moved. */
        w->step_hits.n = 0;
        return BS_OK;
    }
    bs_bodies *s = take_bodies(w, dt);
    if (s == NULL || !bs_column_make(w, BS_MOTION)) {
        return BS_NO_MEMORY;
    }
    if (w->state.responders == 0 && w->sleepers == 0) {
        s->moved.n = 0;
        if (!bs_list_reserve(&w->heap, &s->moved, w->state.count)) {
            return BS_NO_MEMORY;
        }
        fly_all(s);
        return BS_OK;
    }
    if (!bs_column_make(w, BS_CONDUCT) || !bs_sleep_begin(s)) {
        return BS_NO_MEMORY;
    }
    if (w->sleepers > 0 && w->sleepers == w->part[BS_DYNAMIC]->count) {
        return BS_OK;
    }
    if (!prepare(s) || !begin(s) || !run_step(s)) {
        s->all_stirred = true;
        give_back(s);
        return BS_NO_MEMORY;
    }
    bs_sleep_end(s);
    finish(s);
    return BS_OK;
}

const bs_step_hits *bs_world_step_hits(const bs_world *w) {
    return &w->step_hits;
}
