#include "world_parts.h"

/* What a visit needs to know; the back end sees only the first member. */
typedef struct search {
    bs_cast cast;
    bs_world *w;
    bs_filter filter;
    bs_hit best;  /* the first hit so far ... */
    bs_hits *all; /* ... or all hits, if not NULL */
    bool failed;  /* no memory for one of them */
} search;

static bool meets(const search *s, uint32_t box, bs_touch *touch) {
    return bs_filter_passes(s->w, &s->filter, box) &&
           bs_sweep(&s->cast.from, s->cast.motion, &s->w->rect[box], NULL, touch);
}

static void visit_first(bs_cast *cast, uint32_t box) {
    search *s = (search *)cast;
    bs_touch touch;
    if (!meets(s, box, &touch)) {
        return;
    }
    bs_hit *best = &s->best;
    if (best->box == BS_NO_BOX || touch.t < best->touch.t ||
        (touch.t == best->touch.t && bs_world_before(s->w, box, best->box))) {
        *best = (bs_hit){box, touch};
        cast->limit = bs_cast_limit(touch.t);
    }
}

static void visit_all(bs_cast *cast, uint32_t box) {
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

static bool run(search *s) {
    bs_world_examine(s->w);
    for (int i = 0; i < BS_PARTS; i++) {
        bs_backend *part = s->w->part[i];
        if (part->count > 0 && !part->type->cast(part, &s->cast)) {
            return false;
        }
    }
    return !s->failed;
}

bs_status bs_world_cast(bs_world *w, const bs_rect *from, const double motion[DIM],
                        bs_filter filter, bs_hit *hit) {
    search s = {.w = w, .filter = filter, .best = {.box = BS_NO_BOX}};
    bs_cast_begin(&s.cast, from, motion, visit_first);
    if (!run(&s)) {
        return BS_NO_MEMORY;
    }
    *hit = s.best;
    return BS_OK;
}

/* By t, ties by insertion: two stable sorts of their numbers. */
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
    if (n > 0) {
        memcpy(hits->at, hits->at + n, n * sizeof *hits->at);
    }
    return true;
}

bs_status bs_world_cast_all(bs_world *w, const bs_rect *from, const double motion[DIM],
                            bs_filter filter, bs_hits *out) {
    out->n = 0;
    search s = {.w = w, .filter = filter, .all = out};
    bs_cast_begin(&s.cast, from, motion, visit_all);
    return run(&s) && sort_hits(w, out) ? BS_OK : BS_NO_MEMORY;
}
