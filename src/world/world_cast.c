/*
 * world_cast.c: casts of segments, boxes and shapes in a world, by the back ends' casts
 * (broad/cast.h).
 */
#include "world_parts.h"

/* The state of a search; the back end sees only the first member. */
typedef struct search {
    bs_cast cast;
    bs_world *w;
    const bs_filter *filter;
    const bs_shape *from; /* The moving shape, or NULL for a box among boxes. */
    bs_shape box;         /* The shape of a box among shapes. */
    bs_touch touch;       /* How cast->first is met, if there are shapes. */
    bs_hits *all;         /* All hits, if these are asked for. */
    bool failed;          /* There was no memory for a hit. */
} search;

/* Whether the moving shape counts, and not just its rect. */
static bool has_shape(const bs_world *w, const bs_way *way) {
    return w->state.shaped > 0 || (way->shape != NULL && way->shape->kind != BS_BOX);
}

/* It is large, and not zeroed. */
static inline void begin(search *s, bs_world *w, const bs_way *way, const bs_filter *filter,
                         void (*visit)(bs_cast *, uint32_t)) {
    bs_cast_begin(&s->cast, &w->boxes, &way->from, way->motion, visit);
    s->cast.born = w->state.recycled ? w->born : NULL;
    s->w = w;
    s->filter = filter;
}

static void begin_shape(search *s, const bs_way *way) {
    s->from = way->shape;
    if (s->from == NULL) {
        bs_shape_set_box(&s->box, &way->from);
        s->from = &s->box;
    }
}

/* Looks for the first hit, where not all boxes count. */
static void visit_some(bs_cast *cast, uint32_t box) {
    const search *s = (search *)cast;
    assert(bs_world_alive(s->w, box));
    if (bs_filter_passes(s->w, s->filter, box)) {
        bs_cast_meet(cast, box);
    }
}

/* When and how a box, or its shape, is met. */
static bool meet(const search *s, uint32_t box, bs_touch *touch) {
    const bs_cast *cast = &s->cast;
    if (s->from != NULL) {
        bs_shape other;
        bs_world_shape(s->w, box, &other);
        return bs_shapes_meet(s->from, cast->motion, &other, touch);
    }
    return bs_sweep(cast->from, cast->motion, &s->w->rect[box], NULL, touch);
}

/* The side of a box that was met (bs_entry); BS_INSIDE for a slope, however little it leans. */
static unsigned side_of(const bs_world *w, uint32_t box, const double normal[DIM]) {
    bs_box_side side = bs_side_of_edge(normal, w->rect[box].size, 0);
    return side.axis != BS_SLANTED ? 2 * (unsigned)side.axis + (side.sign > 0) : BS_INSIDE;
}

static void note_graze(search *s, uint32_t box) {
    if (!bs_has_shape(s->w, box)) {
        bs_cast_note_graze(&s->cast, box);
    }
}

/* Looks for the first hit, where there are shapes. */
static void visit_shapes(bs_cast *cast, uint32_t box) {
    search *s = (search *)cast;
    bs_touch touch;
    assert(bs_world_alive(s->w, box));
    if (!bs_filter_passes(s->w, s->filter, box)) {
        return;
    }
    if (!meet(s, box, &touch)) {
        note_graze(s, box);
        return;
    }
    bs_cast_note_side(cast->ahead, &s->w->rect[box], side_of(s->w, box, touch.normal));
    if (bs_cast_is_first(cast, box, touch.t, touch.corner)) {
        s->touch = touch;
    }
}

static void visit_all(bs_cast *cast, uint32_t box) {
    search *s = (search *)cast;
    bs_hits *all = s->all;
    bs_touch touch;
    assert(bs_world_alive(s->w, box));
    if (s->failed || !bs_filter_passes(s->w, s->filter, box)) {
        return;
    }
    if (!meet(s, box, &touch)) {
        note_graze(s, box);
        return;
    }
    cast->grazes |= touch.corner && bs_cast_is_of_point(cast);
    bs_hit hit = {.box = box, .touch = touch, .beside = BS_NO_BOX, .side_of = box};
    s->failed = !BS_APPEND(&s->w->heap, all, hit);
}

/* Runs the cast on both back ends. */
BS_HOT bool run(bs_world *w, bs_cast *cast) {
    bs_world_examine(w);
    for (int i = 0; i < BS_PARTS; i++) {
        bs_backend *part = w->part[i];
        if (part->count > 0 && !bs_backend_cast(part, cast)) {
            return false;
        }
    }
    return true;
}

/* Where a point may be stopped between boxes, or meets a corner, the world looks again. */
static inline bool has_seams(const bs_cast *cast) {
    return __builtin_expect(cast->grazes | cast->entry.corner, 0) &&
           (cast->grazes || bs_cast_is_of_point(cast));
}

/* The first hit of those, by all hits until then. */
static bs_status cast_with_seams(bs_world *w, const bs_way *way, const bs_filter *filter,
                                 double until, bs_hit *hit) {
    bs_status status = bs_seams_cast(w, way, filter, until, &w->seam_hits);
    hit->box = BS_NO_BOX;
    if (status == BS_OK && w->seam_hits.n > 0) {
        *hit = w->seam_hits.at[0];
    }
    return status;
}

static double end_of(const bs_cast *cast) {
    return cast->first != BS_NO_BOX ? cast->entry.t : 1;
}

static bs_status cast_shape(bs_world *w, const bs_way *way, const bs_filter *filter, bs_hit *hit) {
    search s;
    begin(&s, w, way, filter, visit_shapes);
    begin_shape(&s, way);
    if (!run(w, &s.cast)) {
        return BS_NO_MEMORY;
    }
    if (has_seams(&s.cast)) {
        return cast_with_seams(w, way, filter, end_of(&s.cast), hit);
    }
    *hit = (bs_hit){.box = s.cast.first, .touch = s.touch};
    hit->beside = BS_NO_BOX;
    hit->side_of = hit->box;
    memcpy(hit->ahead, s.cast.ahead, sizeof hit->ahead);
    return BS_OK;
}

/* Whether the host accepts a hit, and where two boxes stop a point, both. */
static bool accepts(const bs_filter *filter, const bs_hit *hit) {
    return bs_filter_accepts(filter, hit->box) &&
           (hit->beside == BS_NO_BOX || bs_filter_accepts(filter, hit->beside));
}

/*
 * Finds the first hit that the host accepts. The very first one is accepted most often, and finding
 * only that one is cheap.
 */
static bs_status cast_asking(bs_world *w, const bs_way *way, const bs_filter *filter, bs_hit *hit) {
    bs_hits *hits = filter->hits;
    bs_filter others = *filter;
    others.accepts = NULL;
    bs_status status = bs_world_cast(w, way, &others, hit);
    if (status != BS_OK || hit->box == BS_NO_BOX || accepts(filter, hit)) {
        return status;
    }
    status = bs_world_cast_all(w, way, &others, hits);
    hit->box = BS_NO_BOX;
    for (size_t i = 1; status == BS_OK && i < hits->n && hit->box == BS_NO_BOX; i++) {
        if (accepts(filter, &hits->at[i])) {
            *hit = hits->at[i];
        }
    }
    return status;
}

BS_COLD bs_status cast_seldom(bs_world *w, const bs_way *way, const bs_filter *filter,
                              bs_hit *hit) {
    return filter->accepts != NULL ? cast_asking(w, way, filter, hit)
                                   : cast_shape(w, way, filter, hit);
}

BS_LINED bs_status bs_world_cast(bs_world *w, const bs_way *way, const bs_filter *filter,
                                 bs_hit *hit) {
    if ((filter->accepts != NULL) | has_shape(w, way)) {
        return cast_seldom(w, way, filter, hit);
    }
    bool one = (filter->ignore == BS_NO_BOX) | (filter->self == BS_NO_BOX);
    bool simple = one & (filter->except == NULL) & bs_filter_takes_all_layers(w, filter);
    search s;
    begin(&s, w, way, filter, simple ? bs_cast_meet : visit_some);
    s.cast.skip = one ? filter->ignore & filter->self : BS_NO_BOX; /* BS_NO_BOX has all bits. */
    if (!run(w, &s.cast)) {
        return BS_NO_MEMORY;
    }
    if (has_seams(&s.cast)) {
        return cast_with_seams(w, way, filter, end_of(&s.cast), hit);
    }
    hit->box = hit->side_of = s.cast.first;
    hit->beside = BS_NO_BOX;
    hit->touch = bs_entry_touch(&s.cast.entry); /* Also without a box, which is as fast. */
    memcpy(hit->ahead, s.cast.ahead, sizeof hit->ahead);
    return BS_OK;
}

/* By t, sides before edges and corners, then by insertion, each box once: two stable sorts. */
bool bs_hits_sort(bs_world *w, bs_hits *hits) {
    size_t n = hits->n;
    bs_keyed *keyed = bs_world_keyed(w, n);
    if (keyed == NULL || !BS_RESERVE(&w->heap, hits, 2 * n)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t corner = hits->at[i].touch.corner ? (uint64_t)1 << 63 : 0;
        keyed[i] = (bs_keyed){corner | w->born[hits->at[i].box], i};
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        keyed[i].key = bs_key_of(hits->at[keyed[i].value].touch.t);
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        hits->at[n + i] = hits->at[keyed[i].value];
    }
    hits->n = 0;
    for (size_t i = n; i < 2 * n; i++) { /* A box that was found twice stands beside itself. */
        if (hits->n == 0 || hits->at[hits->n - 1].box != hits->at[i].box) {
            hits->at[hits->n++] = hits->at[i];
        }
    }
    return true;
}

/* The sides that are ahead of each of them: those of what comes after it. */
void bs_hits_note_sides(const bs_world *w, bs_hits *hits) {
    double ahead[DIM];
    for (int k = 0; k < DIM; k++) {
        ahead[k] = HUGE_VAL;
    }
    for (size_t i = hits->n; i-- > 0;) {
        bs_hit *hit = &hits->at[i];
        bs_cast_note_side(ahead, &w->rect[hit->side_of],
                          side_of(w, hit->side_of, hit->touch.normal));
        memcpy(hit->ahead, ahead, sizeof ahead);
    }
}

bs_status bs_world_cast_all(bs_world *w, const bs_way *way, const bs_filter *filter, bs_hits *out) {
    search s;
    begin(&s, w, way, filter, visit_all);
    s.from = NULL;
    if (has_shape(w, way)) {
        begin_shape(&s, way);
    }
    s.all = out;
    s.all->n = 0;
    s.failed = false;
    if (!run(w, &s.cast) || s.failed) {
        return BS_NO_MEMORY;
    }
    if (s.cast.grazes) {
        return bs_seams_cast(w, way, filter, 1, out);
    }
    if (!bs_hits_sort(w, out)) {
        return BS_NO_MEMORY;
    }
    bs_hits_note_sides(w, out);
    return BS_OK;
}

void bs_world_segment_point(const bs_world *w, const double start[DIM], const double end[DIM],
                            const bs_hit *hit, double point[DIM]) {
    static const double no_size[DIM] = {0};
    bs_shape shape;
    double motion[DIM];
    assert(hit->touch.t >= 0 && hit->touch.t <= 1);
    for (int k = 0; k < DIM; k++) {
        motion[k] = end[k] - start[k];
        point[k] = start[k] + motion[k] * hit->touch.t;
    }
    bs_world_shape(w, hit->side_of, &shape);
    bs_make_flush(no_size, &shape, &hit->touch, motion, hit->ahead, point);
}
