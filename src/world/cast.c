#include "parts.h"

/* What a visit needs to know; the back end sees only the first member. */
typedef struct search {
    bs_cast cast;
    bs_world *w;
    const bs_filter *filter;
    bs_hits *all; /* if all hits are asked for */
    bool failed;  /* no memory for one of them */
} search;

/* For the first hit, where not all boxes count. */
static void visit_some(bs_cast *cast, uint32_t box) {
    const search *s = (search *)cast;
    assert(bs_world_alive(s->w, box));
    if (bs_filter_passes(s->w, s->filter, box)) {
        bs_cast_meet(cast, box);
    }
}

static void visit_all(bs_cast *cast, uint32_t box) {
    search *s = (search *)cast;
    bs_hits *all = s->all;
    bs_entry entry;
    assert(bs_world_alive(s->w, box));
    if (s->failed || !bs_filter_passes(s->w, s->filter, box) ||
        !bs_meet(cast->from, cast->motion, &s->w->rect[box], &entry)) {
        return;
    }
    if (!bs_array_reserve(&s->w->heap, &all->at, &all->cap, all->n + 1, sizeof *all->at)) {
        s->failed = true;
        return;
    }
    all->at[all->n++] = (bs_hit){box, bs_entry_touch(&entry)};
}

/* False: no memory. */
BS_HOT bool run(bs_world *w, bs_cast *cast) {
    bs_world_examine(w);
    for (int i = 0; i < BS_PARTS; i++) {
        bs_backend *part = w->part[i];
        if (part->count > 0 && !part->type->cast(part, cast)) {
            return false;
        }
    }
    return true;
}

BS_LINED bs_status bs_world_cast(bs_world *w, const bs_rect *from, const double motion[DIM],
                                 const bs_filter *filter, bs_hit *hit) {
    bool one = (filter->ignore == BS_NO_BOX) | (filter->self == BS_NO_BOX);
    bool simple = one & bs_filter_takes_all_layers(w, filter);
    search s; /* not zeroed: it is large */
    bs_cast_begin(&s.cast, &w->boxes, from, motion, simple ? NULL : visit_some);
    s.cast.skip = one ? filter->ignore & filter->self : BS_NO_BOX; /* of no box all bits are set */
    s.cast.born = w->recycled ? w->born : NULL;
    s.w = w;
    s.filter = filter;
    bool done = run(w, &s.cast);
    hit->box = s.cast.first;
    hit->touch = bs_entry_touch(&s.cast.entry); /* of no box: that is as fast as to ask */
    return done ? BS_OK : BS_NO_MEMORY;
}

/* By t, faces before edges and corners, then by insertion, each box once: two stable sorts. */
static bool sort_hits(bs_world *w, bs_hits *hits) {
    size_t n = hits->n;
    if (!bs_keyed_reserve(w, n) ||
        !bs_array_reserve(&w->heap, &hits->at, &hits->cap, 2 * n, sizeof *hits->at)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t corner = hits->at[i].touch.corner ? (uint64_t)1 << 63 : 0;
        w->keyed[i] = (bs_keyed){corner | w->born[hits->at[i].box], i};
    }
    bs_sort(w->keyed, w->keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        w->keyed[i].key = bs_key_of(hits->at[w->keyed[i].value].touch.t);
    }
    bs_sort(w->keyed, w->keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        hits->at[n + i] = hits->at[w->keyed[i].value];
    }
    hits->n = 0;
    for (size_t i = n; i < 2 * n; i++) { /* a box that was found twice stands beside itself */
        if (hits->n == 0 || hits->at[hits->n - 1].box != hits->at[i].box) {
            hits->at[hits->n++] = hits->at[i];
        }
    }
    return true;
}

bs_status bs_world_cast_all(bs_world *w, const bs_rect *from, const double motion[DIM],
                            const bs_filter *filter, bs_hits *out) {
    search s;
    out->n = 0;
    bs_cast_begin(&s.cast, &w->boxes, from, motion, visit_all);
    s.w = w;
    s.filter = filter;
    s.all = out;
    s.failed = false;
    return run(w, &s.cast) && !s.failed && sort_hits(w, out) ? BS_OK : BS_NO_MEMORY;
}
