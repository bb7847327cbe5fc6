/* oracle.c: the plain loops behind oracle.h. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- geometry ------------------------------------------------------------------------------- */

static double far_side(const bs_rect *r, int k) {
    return r->pos[k] + r->size[k];
}

bool oracle_is_rect(const bs_rect *r, bool may_be_empty) {
    for (int k = 0; k < DIM; k++) {
        bool has_size = may_be_empty ? r->size[k] >= 0 : r->size[k] > 0;
        if (!has_size || !isfinite(r->pos[k]) || !isfinite(far_side(r, k))) {
            return false;
        }
    }
    return true;
}

bool oracle_overlap(const bs_rect *a, const bs_rect *b) {
    bool overlap = true;
    for (int k = 0; k < DIM; k++) {
        overlap = overlap && a->pos[k] < far_side(b, k) && b->pos[k] < far_side(a, k);
    }
    return overlap;
}

bool oracle_contains(const bs_rect *r, const double point[DIM]) {
    bool inside = true;
    for (int k = 0; k < DIM; k++) {
        inside = inside && r->pos[k] < point[k] && point[k] < far_side(r, k);
    }
    return inside;
}

/* The square of a quarter of the distance, with all lengths scaled. */
static double scaled_distance2(const double point[DIM], const bs_rect *r, double scale) {
    double sum = 0;
    for (int k = 0; k < DIM; k++) {
        double d = 0;
        if (point[k] < r->pos[k]) {
            d = (r->pos[k] / 4 - point[k] / 4) * scale;
        } else if (point[k] > far_side(r, k)) {
            d = (point[k] / 4 - far_side(r, k) / 4) * scale;
        }
        sum += d * d;
    }
    return sum;
}

/* Squares of very large or very small numbers are no doubles, nor are the largest distances. */
double oracle_quarter_distance(const double point[DIM], const bs_rect *r) {
    double square = scaled_distance2(point, r, 1);
    if (square < 0x1p-1000) {
        return sqrt(scaled_distance2(point, r, 0x1p600)) * 0x1p-600;
    }
    return square < 0x1p1000 ? sqrt(square) : sqrt(scaled_distance2(point, r, 0x1p-600)) * 0x1p600;
}

/* Finds the open interval of time in which a overlaps b on an axis. False if it never does. */
static bool overlap_times(const bs_rect *a, double v, const bs_rect *b, int k, double *from,
                          double *to) {
    double before = b->pos[k] - far_side(a, k);
    double beyond = far_side(b, k) - a->pos[k];
    *from = -HUGE_VAL;
    *to = HUGE_VAL;
    if (v > 0) {
        *from = before / v;
        *to = beyond / v;
    } else if (v < 0) {
        *from = beyond / v;
        *to = before / v;
    }
    return v != 0 || (before < 0 && beyond > 0);
}

/* Whether another axis than `last` is entered at the same time. */
static bool enters_more_at(const bs_rect *a, const double v[DIM], const bs_rect *b, int last,
                           double time) {
    for (int k = 0; k < DIM; k++) {
        double from, to;
        if (k != last && v[k] != 0 && overlap_times(a, v[k], b, k, &from, &to) && from == time) {
            return true;
        }
    }
    return false;
}

bool oracle_sweep(const bs_rect *a, const double v[DIM], const bs_rect *b, bs_touch *hit) {
    memset(hit, 0, sizeof *hit);
    if (oracle_overlap(a, b)) {
        return true;
    }
    double enter = -HUGE_VAL;
    double leave = HUGE_VAL;
    int last = -1;
    for (int k = 0; k < DIM; k++) {
        double from, to;
        if (!overlap_times(a, v[k], b, k, &from, &to)) {
            return false;
        }
        if (v[k] != 0 && (last < 0 || from > enter)) {
            enter = from;
            last = k;
        }
        leave = fmin(leave, to);
    }
    hit->t = enter > 0 ? enter : 0;
    if (last < 0 || !(hit->t < fmin(leave, 1))) {
        return false;
    }
    hit->normal[last] = v[last] > 0 ? -1 : 1;
    hit->corner = enters_more_at(a, v, b, last, enter);
    return true;
}

/*
 * If the difference of the velocities on an axis is not finite, all numbers are halved, which
 * leaves times as they are.
 */
bool oracle_sweep_both(const bs_rect *a, const double va[DIM], const bs_rect *b,
                       const double vb[DIM], bs_touch *hit) {
    bs_rect ha = *a;
    bs_rect hb = *b;
    double v[DIM];
    for (int k = 0; k < DIM; k++) {
        v[k] = va[k] - vb[k];
        if (!isfinite(v[k])) {
            v[k] = va[k] / 2 - vb[k] / 2;
            ha.pos[k] /= 2;
            ha.size[k] /= 2;
            hb.pos[k] /= 2;
            hb.size[k] /= 2;
        }
    }
    return oracle_sweep(&ha, v, &hb, hit);
}

bool oracle_separation(const bs_rect *a, const bs_rect *b, double push[DIM]) {
    if (!oracle_overlap(a, b)) {
        return false;
    }
    double least = HUGE_VAL;
    int axis = 0;
    double way = 0;
    for (int k = 0; k < DIM; k++) {
        double down = b->pos[k] - far_side(a, k);
        double up = far_side(b, k) - a->pos[k];
        double shorter = up < -down ? up : down;
        if (k == 0 || fabs(shorter) < least) {
            least = fabs(shorter);
            way = shorter;
            axis = k;
        }
    }
    memset(push, 0, DIM * sizeof *push);
    push[axis] = way;
    return true;
}

/* --- a world -------------------------------------------------------------------------------- */

void oracle_begin(oracle *o) {
    o->n = 0;
    o->births = 0;
    o->touching.n = 0;
    memset(o->gravity, 0, sizeof o->gravity);
}

void oracle_end(oracle *o) {
    free(o->touching.at);
    memset(&o->touching, 0, sizeof o->touching);
}

void oracle_copy(oracle *to, const oracle *from) {
    const size_t n = from->touching.n;
    oracle_end(to);
    *to = *from;
    to->touching = (oracle_pairs){malloc((n + 1) * sizeof *to->touching.at), n, n + 1};
    if (to->touching.at == NULL) {
        abort();
    }
    for (size_t i = 0; i < n; i++) {
        to->touching.at[i] = from->touching.at[i];
    }
}

oracle_box *oracle_insert(oracle *o, uint32_t index, bs_id id, const bs_rect *rect,
                          const bs_props *props) {
    oracle_box *box = &o->box[o->n];
    memset(box, 0, sizeof *box);
    box->index = index;
    box->id = id;
    box->born = o->births++;
    box->rect = *rect;
    box->rotates = true;
    box->is_static = props->is_static;
    box->layers = props->layers;
    memcpy(box->velocity, props->velocity, sizeof box->velocity);
    memcpy(box->acceleration, props->acceleration, sizeof box->acceleration);
    box->conduct = props->conduct;
    o->rank[index] = (uint16_t)o->n++;
    return box;
}

void oracle_remove(oracle *o, size_t rank) {
    o->n--;
    memmove(&o->box[rank], &o->box[rank + 1], (o->n - rank) * sizeof *o->box);
    for (size_t i = rank; i < o->n; i++) {
        o->rank[o->box[i].index] = (uint16_t)i;
    }
}

void oracle_clear(oracle *o) {
    o->n = 0;
}

double oracle_acceleration(const oracle *o, const oracle_box *box, int axis) {
    return box->conduct.gravity_scale * o->gravity[axis] + box->acceleration[axis];
}

double oracle_bounce(const oracle_box *box) {
    double bounce = box->conduct.bounce;
    return bounce < 0 || bounce > 1 ? 1 : bounce;
}

/* --- pairs ---------------------------------------------------------------------------------- */

bool oracle_makes_pair(const oracle_box *a, const oracle_box *b) {
    return !(a->is_static && b->is_static) && (a->layers.mask & b->layers.layer) != 0 &&
           (b->layers.mask & a->layers.layer) != 0 && oracle_overlap(&a->rect, &b->rect);
}

size_t oracle_count_pairs(const oracle *o) {
    size_t n = 0;
    for (size_t i = 0; i < o->n; i++) {
        for (size_t j = i + 1; j < o->n; j++) {
            n += oracle_makes_pair(&o->box[i], &o->box[j]);
        }
    }
    return n;
}

static void *must(void *block) {
    if (block == NULL) {
        abort();
    }
    return block;
}

static void list_pairs(const oracle *o, oracle_pairs *out) {
    for (size_t i = 0; i < o->n; i++) {
        for (size_t j = i + 1; j < o->n; j++) {
            const oracle_box *a = &o->box[i];
            const oracle_box *b = &o->box[j];
            if (!oracle_makes_pair(a, b)) {
                continue;
            }
            if (out->n == out->cap) {
                out->cap = 2 * out->cap + 64;
                out->at = must(realloc(out->at, out->cap * sizeof *out->at));
            }
            out->at[out->n++] = (oracle_pair){a->born, b->born, a->id, b->id};
        }
    }
}

static int compare_pairs(const oracle_pair *x, const oracle_pair *y) {
    if (x->born_a != y->born_a) {
        return x->born_a < y->born_a ? -1 : 1;
    }
    return x->born_b < y->born_b ? -1 : x->born_b > y->born_b;
}

size_t oracle_contacts(oracle *o, bs_contact **out) {
    oracle_pairs now = {0};
    list_pairs(o, &now);
    oracle_pairs *before = &o->touching;
    bs_contact *list = must(malloc((before->n + now.n + 1) * sizeof *list));
    size_t n = 0;
    for (size_t i = 0, j = 0; i < before->n || j < now.n;) {
        int order = 0;
        if (i < before->n && j < now.n) {
            order = compare_pairs(&before->at[i], &now.at[j]);
        } else {
            order = i < before->n ? -1 : 1;
        }
        const oracle_pair *pair = order < 0 ? &before->at[i] : &now.at[j];
        bs_phase phase = order < 0 ? BS_END : order > 0 ? BS_BEGIN : BS_STAY;
        list[n++] = (bs_contact){phase, pair->a, pair->b};
        i += order <= 0;
        j += order >= 0;
    }
    free(before->at);
    *before = now;
    *out = list;
    return n;
}

size_t oracle_changes(const bs_contact *all, size_t n, bs_contact **out) {
    size_t changes = 0;
    *out = must(malloc((n + 1) * sizeof **out));
    for (size_t i = 0; i < n; i++) {
        if (all[i].phase != BS_STAY) {
            (*out)[changes++] = all[i];
        }
    }
    return changes;
}

/* --- queries -------------------------------------------------------------------------------- */

bool oracle_passes(const bs_filter *filter, const oracle_box *box) {
    bool first = filter->mask == BS_ANY_LAYER || (filter->mask & box->layers.layer) != 0;
    bool second = filter->also == BS_ANY_LAYER || (filter->also & box->layers.layer) != 0;
    return first && second && box->index != filter->ignore && box->index != filter->self;
}

void oracle_query(const oracle *o, const bs_rect *r, const bs_filter *filter, oracle_list *out) {
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        if (oracle_overlap(r, &o->box[i].rect) && oracle_passes(filter, &o->box[i])) {
            out->at[out->n++] = o->box[i].index;
        }
    }
}

void oracle_circle(const oracle *o, const double centre[DIM], double radius,
                   const bs_filter *filter, oracle_list *out) {
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const bs_rect *r = &o->box[i].rect;
        bool near = oracle_quarter_distance(centre, r) < radius / 4 || oracle_contains(r, centre);
        if (near && oracle_passes(filter, &o->box[i])) {
            out->at[out->n++] = o->box[i].index;
        }
    }
}

/* Inserts into an ordered list; later boxes go behind those at the same distance. */
void oracle_nearest(const oracle *o, const double point[DIM], size_t k, const bs_filter *filter,
                    double max_distance, oracle_list *out) {
    double distance[MOST_BOXES];
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        double d = oracle_quarter_distance(point, &o->box[i].rect);
        if (d > max_distance / 4 || !oracle_passes(filter, &o->box[i])) {
            continue;
        }
        size_t at = out->n++;
        for (; at > 0 && distance[at - 1] > d; at--) {
            distance[at] = distance[at - 1];
            out->at[at] = out->at[at - 1];
        }
        distance[at] = d;
        out->at[at] = o->box[i].index;
    }
    out->n = out->n < k ? out->n : k;
}

/* At equal times, faces come before edges and corners. */
static bool is_later(const bs_touch *a, const bs_touch *b) {
    return a->t > b->t || (a->t == b->t && a->corner && !b->corner);
}

/* --- seams: a point between two boxes, and at corners ----------------------------------------- */

/* A box that a point touches, also without meeting it: all of its times, by axis. */
typedef struct touched {
    const oracle_box *box;
    double from[DIM], to[DIM];
    double begin, end;
    bool met;
} touched;

static bool is_moving_point(const bs_rect *from, const double v[DIM]) {
    bool moves = false;
    for (int k = 0; k < DIM; k++) {
        if (from->size[k] != 0) {
            return false;
        }
        moves = moves || v[k] != 0;
    }
    return moves;
}

static bool touch(const bs_rect *from, const double v[DIM], const oracle_box *box, touched *out) {
    bs_touch ignored;
    *out = (touched){.box = box, .begin = -HUGE_VAL, .end = HUGE_VAL};
    out->met = oracle_sweep(from, v, &box->rect, &ignored);
    for (int k = 0; k < DIM; k++) {
        bool within = from->pos[k] >= box->rect.pos[k] && from->pos[k] <= far_side(&box->rect, k);
        (void)overlap_times(from, v[k], &box->rect, k, &out->from[k], &out->to[k]);
        if (v[k] == 0 && !within) {
            return false;
        }
        out->begin = fmax(out->begin, out->from[k]);
        out->end = fmin(out->end, out->to[k]);
    }
    return out->met || fmax(out->begin, 0) <= fmin(out->end, 1);
}

/* 1 if the box begins where the point is then, on an axis, -1 if it ends there, or else 0. */
static int side_at(const touched *b, const bs_rect *from, const double v[DIM], int k, double t) {
    if (v[k] == 0) {
        return from->pos[k] == b->box->rect.pos[k]          ? 1
               : from->pos[k] == far_side(&b->box->rect, k) ? -1
                                                            : 0;
    }
    int ahead = v[k] > 0 ? 1 : -1;
    return b->from[k] == t ? ahead : b->to[k] == t ? -ahead : 0;
}

/* Whether two boxes that are touched stop the point together, and how. */
static bool join(const touched *a, const touched *b, const bs_rect *from, const double v[DIM],
                 bs_touch *out) {
    double entered = fmax(a->begin, b->begin);
    double t = fmax(entered, 0);
    double end = fmin(a->end, b->end);
    bool at_point = t == end && entered == t && t > 0;
    bool opposite = false;
    if (t >= 1 || !(t < end || at_point)) {
        return false;
    }
    for (int k = 0; k < DIM; k++) {
        if (at_point || v[k] == 0) {
            int both = side_at(a, from, v, k, t) * side_at(b, from, v, k, t);
            if (both > 0) {
                return false;
            }
            opposite = opposite || both < 0;
        }
    }
    int axes = 0;
    memset(out, 0, sizeof *out);
    out->t = t;
    for (int k = 0; entered >= 0 && k < DIM; k++) {
        if (v[k] != 0 && (a->from[k] == t || b->from[k] == t)) {
            out->normal[k] = axes == 0 ? (v[k] > 0 ? -1 : 1) : 0;
            axes++;
        }
    }
    out->corner = axes > 1;
    return opposite;
}

/* Whether the side that is met is that of this box. */
static bool is_met_at(const touched *b, const bs_touch *t) {
    bool met = true;
    for (int k = 0; k < DIM; k++) {
        met = met && (t->normal[k] == 0 || b->from[k] == t->t);
    }
    return met;
}

/* Whether another box lies at that side of one that the point enters at t. */
static bool covers(const touched *other, const touched *b, const bs_rect *from, const double v[DIM],
                   int axis) {
    if (b->begin < other->begin || b->begin > other->end) {
        return false;
    }
    for (int k = 0; k < DIM; k++) {
        int side = side_at(other, from, v, k, b->begin);
        int ahead = v[k] < 0 ? -side : side;
        bool is_entered = v[k] != 0 && b->from[k] == b->begin;
        if (k == axis ? ahead > 0 : is_entered ? ahead < 0 : side != 0) {
            return false;
        }
    }
    return true;
}

/* The normal of a hit at a corner: of the first side that no other box covers, or the first. */
static void choose_normal(const touched *list, size_t n, const touched *b, const bs_rect *from,
                          const double v[DIM], bs_touch *out) {
    for (int k = 0; k < DIM; k++) {
        bool is_free = v[k] != 0 && b->from[k] == b->begin;
        for (size_t i = 0; i < n; i++) {
            is_free = is_free && (&list[i] == b || !covers(&list[i], b, from, v, k));
        }
        if (is_free) {
            memset(out->normal, 0, sizeof out->normal);
            out->normal[k] = v[k] > 0 ? -1 : 1;
            return;
        }
    }
}

/* Behind those that come no later. */
static void insert_hit(oracle_hits *out, bs_hit hit) {
    size_t at = out->n++;
    for (; at > 0 && is_later(&out->at[at - 1].touch, &hit.touch); at--) {
        out->at[at] = out->at[at - 1];
    }
    out->at[at] = hit;
}

void oracle_add_seams(const oracle *o, const bool *has_shape, const bs_rect *from,
                      const double v[DIM], const bs_filter *filter, oracle_hits *out) {
    static touched list[MOST_BOXES];
    const size_t before = out->n;
    size_t n = 0;
    if (!is_moving_point(from, v)) {
        return;
    }
    for (size_t i = 0; i < o->n; i++) {
        bool counts = oracle_passes(filter, &o->box[i]) && !(has_shape != NULL && has_shape[i]);
        n += counts && touch(from, v, &o->box[i], &list[n]);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t h = 0; h < out->n; h++) {
            if (out->at[h].box == list[i].box->index && out->at[h].touch.corner) {
                choose_normal(list, n, &list[i], from, v, &out->at[h].touch);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        bs_hit hit = {.box = BS_NO_BOX};
        for (size_t j = i + 1; j < n && !list[i].met; j++) {
            bs_touch t;
            if (!list[j].met && join(&list[i], &list[j], from, v, &t) &&
                (hit.box == BS_NO_BOX || t.t < hit.touch.t ||
                 (t.t == hit.touch.t && hit.touch.corner && !t.corner))) {
                hit = (bs_hit){.box = list[i].box->index, .touch = t};
                hit.side_of = (list[is_met_at(&list[i], &t) ? i : j]).box->index;
            }
        }
        if (hit.box != BS_NO_BOX) {
            out->at[out->n++] = hit;
        }
    }
    if (out->n > before) { /* In the order of insertion, and then by time. */
        const oracle_hits all = *out;
        out->n = 0;
        for (size_t i = 0; i < o->n; i++) {
            for (size_t h = 0; h < all.n; h++) {
                if (all.at[h].box == o->box[i].index) {
                    insert_hit(out, all.at[h]);
                }
            }
        }
    }
}

void oracle_cast(const oracle *o, const bs_rect *from, const double motion[DIM],
                 const bs_filter *filter, oracle_hits *out) {
    out->n = 0;
    for (size_t i = 0; i < o->n; i++) {
        bs_touch touch;
        if (!oracle_passes(filter, &o->box[i]) ||
            !oracle_sweep(from, motion, &o->box[i].rect, &touch)) {
            continue;
        }
        size_t at = out->n++;
        for (; at > 0 && is_later(&out->at[at - 1].touch, &touch); at--) {
            out->at[at] = out->at[at - 1];
        }
        out->at[at] = (bs_hit){.box = o->box[i].index, .side_of = o->box[i].index, .touch = touch};
    }
    oracle_add_seams(o, NULL, from, motion, filter, out);
}

/* --- pushing out ---------------------------------------------------------------------------- */

/*
 * Adds the push. If rounding leaves it inside, it goes on by a unit in the last place of the
 * largest number involved, then by two, four, and so on, as motion/resolve.c defines it.
 */
static void push_by(bs_rect *r, const bs_rect *other, const double push[DIM]) {
    for (int k = 0; k < DIM; k++) {
        double largest = fmax(fmax(fabs(r->pos[k]), fabs(far_side(r, k))), r->size[k]);
        double more = fmax(largest * 0x1p-52, 0x1p-1074);
        r->pos[k] += push[k];
        while (push[k] != 0 && oracle_overlap(r, other)) {
            r->pos[k] += copysign(more, push[k]);
            more *= 2;
        }
    }
}

/* Finds the box that r overlaps least and has not left yet. Returns its rank, or -1. */
static long least_overlap(const oracle *o, const bs_rect *r, const bs_filter *filter,
                          const bool left[MOST_BOXES], double push[DIM]) {
    long best = -1;
    double least = 0;
    for (size_t i = 0; i < o->n; i++) {
        double way[DIM];
        if (left[i] || !oracle_passes(filter, &o->box[i]) ||
            !oracle_separation(r, &o->box[i].rect, way)) {
            continue;
        }
        double length = 0;
        for (int k = 0; k < DIM; k++) {
            length += fabs(way[k]);
        }
        if (best < 0 || length < least) {
            best = (long)i;
            least = length;
            memcpy(push, way, sizeof way);
        }
    }
    return best;
}

/* The direction of a push: twice its axis, plus 1 if it is positive. */
static int direction(const double push[DIM]) {
    int way = 0;
    for (int k = 0; k < DIM; k++) {
        if (push[k] != 0) {
            way = 2 * k + (push[k] > 0);
        }
    }
    return way;
}

/*
 * Finds the push in that direction that separates r from all boxes except those left out. Returns
 * the rank of the box beside which it ends, or -1.
 */
static long farthest(const oracle *o, const bs_rect *r, const bool left_out[MOST_BOXES], int way,
                     double push[DIM]) {
    long best = -1;
    double end = 0;
    int k = way / 2;
    bool up = way % 2 == 1;
    for (size_t i = 0; i < o->n; i++) {
        const bs_rect *other = &o->box[i].rect;
        double side = up ? far_side(other, k) : other->pos[k];
        if (!left_out[i] && (best < 0 || (up ? side > end : side < end))) {
            best = (long)i;
            end = side;
        }
    }
    memset(push, 0, DIM * sizeof *push);
    push[k] = up ? end - r->pos[k] : end - far_side(r, k);
    return best;
}

/* The same in the direction with the shortest push. */
static long out_of_all(const oracle *o, const bs_rect *r, const bool left_out[MOST_BOXES],
                       double push[DIM]) {
    long best = -1;
    double least = 0;
    for (int way = 0; way < 2 * DIM; way++) {
        double one[DIM];
        long other = farthest(o, r, left_out, way, one);
        double length = fabs(one[way / 2]);
        if (other >= 0 && (best < 0 || length < least)) {
            best = other;
            least = length;
            memcpy(push, one, sizeof one);
        }
    }
    return best;
}

/*
 * Whether pushes out of single boxes add up to less than `limit`. There are at most 16, and fewer
 * if they take more than 4096 looks at a box.
 */
static bool is_shorter_one_by_one(const oracle *o, const bs_rect *r, const bs_filter *filter,
                                  const bool left_out[MOST_BOXES], double limit) {
    bool left[MOST_BOXES];
    bool alike = true;
    int first = -1;
    int most = 0; /* boxes at the beginning */
    for (size_t i = 0; i < o->n; i++) {
        double way[DIM];
        if (!left_out[i] && oracle_separation(r, &o->box[i].rect, way)) {
            most++;
            first = first < 0 ? direction(way) : first;
            alike = alike && direction(way) == first;
        }
    }
    most = most > 256 ? 4096 / most : 16;
    memcpy(left, left_out, sizeof left);
    bs_rect at = *r;
    double sum = 0;
    for (int n = 0; n < most && !alike && oracle_is_rect(&at, false); n++) {
        double way[DIM];
        long other = least_overlap(o, &at, filter, left, way);
        if (other < 0 || sum >= limit) {
            break;
        }
        push_by(&at, &o->box[other].rect, way);
        sum += fabs(way[direction(way) / 2]);
        left[other] = true;
    }
    return !alike && sum < limit;
}

/*
 * One push: out of all boxes that r overlaps, or out of the one that it overlaps least. Returns a
 * rank, or -1.
 */
static long next_push(const oracle *o, const bs_rect *r, const bs_filter *filter,
                      const bool left[MOST_BOXES], double push[DIM]) {
    bool left_out[MOST_BOXES];
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *other = &o->box[i];
        left_out[i] = left[i] || !oracle_passes(filter, other) || !oracle_overlap(r, &other->rect);
    }
    long best = out_of_all(o, r, left_out, push);
    if (best >= 0 &&
        is_shorter_one_by_one(o, r, filter, left_out, fabs(push[direction(push) / 2]))) {
        best = least_overlap(o, r, filter, left_out, push);
    }
    return best;
}

uint32_t oracle_resolve(oracle *o, oracle_box *box, const bs_filter *filter, double push[DIM]) {
    bool left[MOST_BOXES] = {false};
    bs_filter others = *filter;
    bs_rect r = box->rect;
    uint32_t n = 0;
    others.self = box->index;
    for (size_t i = 0; i < o->n; i++) {
        left[i] = box->conduct.sensor || o->box[i].conduct.sensor;
    }
    for (;;) {
        double way[DIM];
        long other = next_push(o, &r, &others, left, way);
        if (other < 0) {
            break;
        }
        bs_rect moved = r;
        push_by(&moved, &o->box[other].rect, way);
        if (!oracle_is_rect(&moved, false)) {
            break;
        }
        r = moved;
        left[other] = true;
        n++;
    }
    for (int k = 0; k < DIM; k++) {
        push[k] = r.pos[k] - box->rect.pos[k];
    }
    box->rect = r;
    return n;
}
