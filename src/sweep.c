/*
 * sweep.c: sweep and prune, in strips.
 *
 * Boxes sorted by their minimum on one axis: a box overlaps none of those that begin behind its
 * end. The order is kept from call to call, and as boxes move little between two frames, it is
 * nearly sorted when they have moved: insertion sort repairs it in O(n). David Baraff, "Dynamic
 * simulation of non-penetrating rigid bodies", 1992; Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE",
 * 1995.
 *
 * On one axis alone too many boxes overlap as soon as there are some hundreds, so the sorted axis
 * is cut into strips across a second one: about sqrt(n) of them for boxes spread evenly. Which axis
 * is sorted, and where the strips are, follows from a sample of the boxes.
 *
 * Pairs O(n sqrt(n)) in theory, and about linear in practice; a query O(strips it meets * log n);
 * a box that changes goes to its new place if that is near, else to an unsorted tail.
 */
#include "sweep_parts.h"

static bs_backend *sweep_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void sweep_destroy(bs_backend *backend) {
    bs_sweeper *s = bs_sweep_of(backend);
    bs_heap *heap = backend->heap;
    for (int k = 0; k < DIM; k++) {
        bs_array_free(heap, &s->lane.lo[k], &s->lo_cap[k], sizeof(float));
        bs_array_free(heap, &s->lane.hi[k], &s->hi_cap[k], sizeof(float));
    }
    bs_array_free(heap, &s->lane.id, &s->id_cap, sizeof *s->lane.id);
    bs_array_free(heap, &s->position, &s->position_cap, sizeof *s->position);
    bs_array_free(heap, &s->strip, &s->strip_cap, sizeof *s->strip);
    bs_array_free(heap, &s->item, &s->item_cap, sizeof *s->item);
    bs_array_free(heap, &s->spare, &s->spare_cap, sizeof *s->spare);
    bs_list_free(heap, &s->long_boxes);
    bs_list_free(heap, &s->found);
    bs_heap_free(heap, s, sizeof *s);
}

/* --- figures and pictures ------------------------------------------------------------------- */

static bool sweep_list(const bs_backend *backend, bs_list *out) {
    const bs_sweeper *s = (const bs_sweeper *)backend;
    if (!bs_list_reserve(backend->heap, out, backend->count)) {
        return false;
    }
    for (size_t at = 0; at < s->end; at++) {
        out->at[out->n] = s->lane.id[at];
        out->n += s->lane.id[at] != BS_SWEEP_NOBODY;
    }
    assert(out->n >= backend->count && out->n <= out->cap);
    return true;
}

static void sweep_stats(const bs_backend *backend, bs_stats *out) {
    const bs_sweeper *s = (const bs_sweeper *)backend;
    out->boxes = backend->count;
    out->axis = s->axis[BS_SWEEP_ALONG] + 1;
    out->rebuilds = s->rebuilds;
    for (size_t t = 0; t < s->strips; t++) {
        out->strips += s->strip[t].begin < s->strip[t].end;
    }
}

static bool sweep_shapes(bs_backend *backend, bs_shapes *out) {
    bs_sweeper *s = bs_sweep_of(backend);
    if (!bs_sweep_tidy(s, 0)) {
        return false;
    }
    for (size_t t = 0; t < s->strips; t++) {
        bs_bounds b = bs_bounds_empty();
        for (size_t at = s->strip[t].begin; at < s->strip[t].end; at++) {
            if (s->lane.id[at] != BS_SWEEP_NOBODY) {
                b = bs_bounds_union(b, bs_sweep_get(&s->lane, at));
            }
        }
        bs_bounds world;
        for (int k = 0; k < DIM; k++) {
            world.lo[s->axis[k]] = b.lo[k];
            world.hi[s->axis[k]] = b.hi[k];
        }
        bs_rect rect = bs_bounds_rect(&world);
        if (b.lo[0] <= b.hi[0] && !bs_shapes_add(backend->heap, out, BS_SHAPE_CELL, &rect)) {
            return false;
        }
    }
    return true;
}

/* --- checking ------------------------------------------------------------------------------- */

/* One lane of a strip: what is to be said of a box, and of the order. */
static const char *sweep_check_lane(const bs_sweeper *s, const bs_sweep_strip *strip, size_t at) {
    bs_bounds b = bs_sweep_get(&s->lane, at);
    if (at > strip->begin && !(s->lane.lo[BS_SWEEP_ALONG][at - 1] <= b.lo[BS_SWEEP_ALONG])) {
        return "sweep: a strip is not sorted";
    }
    if (s->lane.id[at] == BS_SWEEP_NOBODY) {
        return b.hi[0] == -INFINITY && b.hi[1] == -INFINITY ? NULL
                                                            : "sweep: a dead lane has bounds";
    }
    if (b.lo[BS_SWEEP_ACROSS] < strip->low || b.hi[BS_SWEEP_ACROSS] > strip->high) {
        return "sweep: a strip does not span its boxes";
    }
    if (!(b.hi[BS_SWEEP_ALONG] - s->reach <= b.lo[BS_SWEEP_ALONG])) {
        size_t i = strip->long_begin;
        while (i < bs_sweep_long_end(s, strip) && s->long_boxes.at[i] != s->lane.id[at]) {
            i++;
        }
        return i < bs_sweep_long_end(s, strip) ? NULL : "sweep: a long box is not listed";
    }
    return NULL;
}

/* A strip with boxes in it. */
static const char *sweep_check_strip(const bs_sweeper *s, const bs_sweep_strip *strip) {
    for (size_t at = strip->begin; at < strip->end; at++) {
        const char *broken = sweep_check_lane(s, strip, at);
        if (broken != NULL) {
            return broken;
        }
    }
    bool first = strip == s->strip;
    bool last = strip + 1 == s->strip + s->strips;
    if (strip->least > strip->low || strip->most < strip->high ||
        (!last && !(strip->least <= strip[1].least)) ||
        (!first && !(strip->most >= strip[-1].most))) {
        return "sweep: bounds over several strips are wrong";
    }
    if (first ? strip->edge != -INFINITY : !(strip->edge > strip[-1].edge)) {
        return "sweep: edges are not in order";
    }
    return NULL;
}

/* Lanes begin .. end - 1 belong to nobody. */
static bool sweep_is_empty(const bs_sweeper *s, size_t begin, size_t end) {
    for (size_t at = begin; at < end; at++) {
        if (s->lane.id[at] != BS_SWEEP_NOBODY || s->lane.lo[BS_SWEEP_ALONG][at] != INFINITY ||
            s->lane.hi[BS_SWEEP_ALONG][at] != -INFINITY) {
            return false;
        }
    }
    return true;
}

static const char *sweep_check_positions(const bs_sweeper *s) {
    size_t n = 0;
    for (size_t at = 0; at < s->end; at++) {
        uint32_t box = s->lane.id[at];
        if (box == BS_SWEEP_NOBODY) {
            continue;
        }
        n++;
        if (s->position[box] != at) {
            return "sweep: a box is not where its position says";
        }
        bs_bounds want = bs_sweep_bounds(s, box);
        bs_bounds have = bs_sweep_get(&s->lane, at);
        if (!s->stale && !(bs_bounds_contain(&want, &have) && bs_bounds_contain(&have, &want))) {
            return "sweep: a lane has other bounds than its box";
        }
    }
    return n == s->base.count ? NULL : "sweep: the number of boxes is wrong";
}

static const char *sweep_check(const bs_backend *backend) {
    const bs_sweeper *s = (const bs_sweeper *)backend;
    const char *broken = s->end > 0 ? sweep_check_positions(s) : NULL;
    size_t end = 0;
    for (size_t t = 0; t < s->strips && broken == NULL; t++) {
        const bs_sweep_strip *strip = &s->strip[t];
        if (strip->begin < strip->end) {
            broken =
                strip->begin < end ? "sweep: strips are not in order" : sweep_check_strip(s, strip);
            end = strip->end + BS_SWEEP_PAD;
            if (end > s->tail || !sweep_is_empty(s, strip->end, end)) {
                return "sweep: the lanes behind a strip are not empty";
            }
        }
    }
    if (broken == NULL && s->end > 0 &&
        (s->end + BS_SWEEP_PAD > s->room || !sweep_is_empty(s, s->end, s->end + BS_SWEEP_PAD))) {
        return "sweep: the lanes behind the tail are not empty";
    }
    return broken;
}

const bs_backend_type BS_VARIANT(bs_sweep_type) = {
    .name = "sweep",
    .create = sweep_create,
    .destroy = sweep_destroy,
    .insert = bs_sweep_insert,
    .remove = bs_sweep_remove,
    .update = bs_sweep_update,
    .pairs = bs_sweep_pairs,
    .cross = bs_sweep_cross,
    .list = sweep_list,
    .query = bs_sweep_query,
    .cast = bs_sweep_cast,
    .stats = sweep_stats,
    .shapes = sweep_shapes,
    .check = sweep_check,
};

static bs_backend *sweep_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    bs_sweeper *s = bs_heap_new(heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = (bs_backend){&BS_VARIANT(bs_sweep_type), heap, boxes, 0};
    assert(settings->axis >= 0 && settings->axis <= DIM);
    s->fixed_axis = settings->axis - 1;
    for (int k = 0; k < DIM; k++) {
        s->axis[k] = k;
    }
    bs_sweep_use_axis(s, BS_SWEEP_ALONG, s->fixed_axis < 0 ? 0 : s->fixed_axis);
    return &s->base;
}
