#include "world_parts.h"

/* What a visit needs to know; the back end sees only the first member. */
typedef struct search {
    bs_cast cast;
    bs_world *w;
    const bs_filter *filter;
    bool any_layer; /* the filter lets all layers pass */
    bs_hit *best;   /* the first hit so far ... */
    bs_hits *all;   /* ... or all hits, if not NULL */
    bool failed;    /* no memory for one of them */
} search;

BS_HOT bool meets(const search *s, uint32_t box, bs_touch *touch) {
    bool passes =
        s->any_layer ? !bs_filter_ignores(s->filter, box) : bs_filter_passes(s->w, s->filter, box);
    return passes && bs_sweep(&s->cast.from, s->cast.motion, &s->w->rect[box], NULL, touch);
}

static void visit_first(bs_cast *cast, uint32_t box) {
    assert(bs_world_alive(((search *)cast)->w, box));
    search *s = (search *)cast;
    bs_hit *best = s->best;
    bool from_inside = best->box != BS_NO_BOX && best->touch.t == 0; /* most often not alone */
    bs_touch touch;
    if ((from_inside && bs_world_before(s->w, best->box, box)) || !meets(s, box, &touch)) {
        return;
    }
    if (best->box == BS_NO_BOX || touch.t < best->touch.t ||
        (touch.t == best->touch.t && bs_world_before(s->w, box, best->box))) {
        best->box = box; /* by members, as they were written: a load over two stores waits */
        best->touch.t = touch.t;
        memcpy(best->touch.normal, touch.normal, sizeof touch.normal);
        cast->limit = bs_cast_limit(touch.t);
        cast->settled = touch.t == 0;
    }
}

static void visit_all(bs_cast *cast, uint32_t box) {
    assert(bs_world_alive(((search *)cast)->w, box));
    search *s = (search *)cast;
    bs_touch touch;
    if (s->failed || !meets(s, box, &touch)) {
        return;
    }
    bs_hits *all = s->all;
    if (!bs_array_reserve(&s->w->heap, &all->at, &all->cap, all->n + 1, sizeof *all->at)) {
        s->failed = true;
        return;
    }
    all->at[all->n++] = (bs_hit){box, touch};
}

BS_HOT bool run(search *s) {
    bs_world_examine(s->w);
    for (int i = 0; i < BS_PARTS; i++) {
        bs_backend *part = s->w->part[i];
        if (part->count > 0 && !part->type->cast(part, &s->cast)) {
            return false;
        }
    }
    bs_cast_decide(&s->cast);
    return !s->failed;
}

/* Prepares what both kinds of search have in common. */
static void begin(search *s, bs_world *w, const bs_rect *from, const double motion[DIM],
                  const bs_filter *filter, void (*visit)(bs_cast *, uint32_t)) {
    s->w = w;
    s->filter = filter;
    s->any_layer = bs_filter_takes_all_layers(w, filter);
    s->failed = false;
    bs_cast_begin(&s->cast, from, motion, visit);
}

/*
 * If only one box does not count, the search may know before it has asked which boxes do not
 * matter; else each box is decided as soon as it is found.
 */
static void expect_first(search *s) {
    bool one = s->filter->ignore == BS_NO_BOX || s->filter->self == BS_NO_BOX;
    s->cast.skip = one ? s->filter->ignore & s->filter->self : BS_NO_BOX; /* that is all bits */
    s->cast.sure &= one && s->any_layer;
    s->cast.patience = s->cast.sure ? s->cast.patience : 0;
    s->cast.born = s->w->recycled ? s->w->born : NULL;
}

bs_status bs_world_cast(bs_world *w, const bs_rect *from, const double motion[DIM],
                        const bs_filter *filter, bs_hit *hit) {
    assert(bs_rect_is_query(from) && bs_is_finite(motion));
    search s; /* not zeroed: it is large */
    begin(&s, w, from, motion, filter, visit_first);
    expect_first(&s);
    s.best = hit;
    hit->box = BS_NO_BOX;
    return run(&s) ? BS_OK : BS_NO_MEMORY;
}

/* By t, ties by insertion, each box once: two stable sorts of their numbers. */
static bool sort_hits(bs_world *w, bs_hits *hits) {
    size_t n = hits->n;
    if (!bs_keyed_reserve(w, n) ||
        !bs_array_reserve(&w->heap, &hits->at, &hits->cap, 2 * n, sizeof *hits->at)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        w->keyed[i] = (bs_keyed){w->born[hits->at[i].box], i};
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
    assert(bs_rect_is_query(from) && bs_is_finite(motion));
    out->n = 0;
    search s;
    begin(&s, w, from, motion, filter, visit_all);
    s.all = out;
    s.cast.sure = false;
    return run(&s) && sort_hits(w, out) ? BS_OK : BS_NO_MEMORY;
}
