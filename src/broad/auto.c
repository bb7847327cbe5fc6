/*
 * auto.c: picks among the other back ends, from what it sees.
 *
 *      few boxes          brute: no structure is faster to keep than none
 *      one crowd          brute: where nearly all meet all, there is nothing to be left out
 *      more               tree: the best or near it for pairs and rectangles of all kinds
 *      and many casts     a raster beside it (raster.h), which casts walk through cell by cell
 *
 * Limits for going up and down are apart, so that what wavers does not switch to and fro.
 * The raster is made when casts would have saved a part of what it costs, and given up when changes
 * have cost more than casts saved. If it had not earned its cost by then, it is made later the next
 * time. Where it cannot be made or kept, for want of memory or as the boxes do not suit it, it is
 * done without: only the first structure is needed for the answers.
 */
#include <assert.h>

#include "backends.h"

enum {
    BRUTE_AT_MOST = 48,   /* above: tree */
    TREE_AT_LEAST = 24,   /* below: brute */
    CROWD_AT_MOST = 4096, /* boxes; above, brute's queries would take too long */
    CROWD_LASTS = 4,      /* changes a box until pairs must have been asked for again */
    FILED = 16,           /* what filing a box costs; what looking at a block costs is 1 */
    CAST_SAVES = 32,      /* a cast with a raster saves so much, less what it looks at, or ... */
    CAST_LOSES = 4        /* ... takes so much longer if it is refused */
};
static_assert(TREE_AT_LEAST < BRUTE_AT_MOST, "a count that wavers does not switch to and fro");

#define FIRST_PRICE 0.125 /* see auto_set */

typedef struct auto_set {
    bs_backend base;
    bs_settings settings;
    const bs_backend_type *brute; /* looked up once: asking the processor takes microseconds */
    const bs_backend_type *tree;
    bs_backend *main;  /* pairs, rectangles, and casts as long as there is no ... */
    bs_raster *raster; /* ... raster for them; or NULL */
    bs_raster_caster *caster;
    size_t crowded; /* > 0: when pairs were last asked for; so many changes, and it is forgotten */

    /* What casts have saved with a raster, or would have, less what it cost. */
    int64_t credit;
    double price; /* by what making it costs: the credit for which the next raster is made */
    bool earned;  /* the present one has saved more than it cost */
} auto_set;

static auto_set *auto_of(bs_backend *backend) {
    return (auto_set *)backend;
}

static bs_backend *auto_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void auto_drop_raster(auto_set *s) {
    if (s->raster != NULL) {
        bs_raster_free(s->raster);
    }
    s->raster = NULL;
    s->credit = 0;
}

/* A box was inserted or has moved (`held`), or was removed. */
static void auto_note(auto_set *s, uint32_t box, bool held) {
    if (s->raster != NULL && !bs_raster_note(s->raster, box, held)) {
        auto_drop_raster(s);
    }
}

/* What making the raster costs: it looks at all places of the world. */
static int64_t auto_cost(const auto_set *s) {
    return (int64_t)(FILED * s->base.count + s->base.boxes->cap);
}

/* So much has been spent. */
static void auto_pay(auto_set *s, size_t spent) {
    assert(spent < INT64_MAX / 2 && s->price > 0);
    if (s->raster == NULL) {
        s->credit = s->credit > (int64_t)spent ? s->credit - (int64_t)spent : 0;
        return;
    }
    int64_t cost = auto_cost(s);
    /* No more than the cost was saved, so that the raster is given up soon enough. */
    s->credit = (s->credit < cost ? s->credit : cost) - (int64_t)spent;
    if (s->credit < -cost - cost / 2) {
        auto_drop_raster(s);
        s->price = s->earned ? FIRST_PRICE : 4 * s->price;
    }
}

static void auto_destroy(bs_backend *backend) {
    auto_set *s = auto_of(backend);
    bs_heap *heap = backend->heap;
    assert(s->main != NULL);
    auto_drop_raster(s);
    s->main->type->destroy(s->main);
    bs_heap_free(heap, s, sizeof *s);
}

/* A back end of that type with all boxes in it; NULL: no memory. */
static bs_backend *auto_copy(auto_set *s, const bs_backend_type *type) {
    bs_backend *copy = type->create(s->base.heap, s->base.boxes, &s->settings);
    bs_list boxes = {0};
    bool done = copy != NULL && s->main->type->list(s->main, &boxes);
    assert(!done || boxes.n == s->main->count);
    for (size_t i = 0; done && i < boxes.n; i++) {
        done = type->insert(copy, boxes.at[i]);
    }
    bs_list_free(s->base.heap, &boxes);
    if (!done && copy != NULL) {
        type->destroy(copy);
        copy = NULL;
    }
    assert(copy == NULL || copy->count == s->main->count);
    return copy;
}

static bool auto_wants_brute(const auto_set *s, bool is_brute) {
    size_t n = s->base.count;
    return n < (is_brute ? BRUTE_AT_MOST + 1 : TREE_AT_LEAST) || s->crowded > 0;
}

/* Makes `main` what suits the boxes. It stays what it was if there is no memory. */
static void auto_review(auto_set *s) {
    bool is_brute = s->main->type == s->brute;
    assert(s->main->count == s->base.count && (is_brute || s->main->type == s->tree));
    if (auto_wants_brute(s, is_brute) == is_brute) {
        return;
    }
    bs_backend *other = auto_copy(s, is_brute ? s->tree : s->brute);
    if (other != NULL) {
        s->main->type->destroy(s->main);
        s->main = other;
        auto_drop_raster(s);
        s->price = FIRST_PRICE; /* these are other boxes than those it went up with */
    }
    assert(s->main->count == s->base.count);
}

/* So many boxes have changed: what was a crowd may be none any more, or too large for brute. */
static void auto_count(auto_set *s, size_t changes) {
    bool forget = changes >= s->crowded || s->base.count > CROWD_AT_MOST;
    s->crowded = forget ? 0 : s->crowded - changes;
}

static bool auto_insert(bs_backend *backend, uint32_t box) {
    auto_set *s = auto_of(backend);
    if (!s->main->type->insert(s->main, box)) {
        return false;
    }
    auto_note(s, box, true);
    backend->count++;
    auto_pay(s, FILED);
    auto_count(s, 1);
    auto_review(s);
    return true;
}

static void auto_remove(bs_backend *backend, uint32_t box) {
    auto_set *s = auto_of(backend);
    assert(backend->count > 0);
    s->main->type->remove(s->main, box);
    auto_note(s, box, false);
    backend->count--;
    auto_pay(s, FILED);
    auto_count(s, 1);
    auto_review(s);
}

static void auto_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    auto_set *s = auto_of(backend);
    s->main->type->update(s->main, boxes, n);
    assert(s->main->count == backend->count);
    auto_pay(s, FILED * n);
    for (size_t i = 0; s->raster != NULL && i < n; i++) {
        auto_note(s, boxes[i], true);
    }
    if (s->crowded > 0) {
        auto_count(s, n);
        auto_review(s);
    }
}

/* A crowd is one while more than a half of all the pairs that there could be are pairs. */
static bool auto_is_crowd(const auto_set *s, size_t pairs) {
    double share = s->crowded > 0 ? 0.5 : 0.75;
    double n = (double)s->base.count;
    return n <= CROWD_AT_MOST && (double)pairs > share * n * (n - 1) / 2;
}

static bool auto_pairs(bs_backend *backend, bs_pairs *out) {
    auto_set *s = auto_of(backend);
    size_t before = out->n;
    if (!s->main->type->pairs(s->main, out)) {
        return false;
    }
    s->crowded = auto_is_crowd(s, out->n - before) ? CROWD_LASTS * backend->count : 0;
    auto_review(s);
    return true;
}

/*
 * Of two types, brute asks, which is the first one here: it has few boxes, or a crowd, whose own
 * pairs cost more than its questions.
 */
static bool auto_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    assert(backend->type == &bs_auto_type && other->type == &bs_auto_type);
    bs_backend *a = auto_of(backend)->main;
    bs_backend *b = auto_of(other)->main;
    bool turned = a->type != b->type && b->type == auto_of(other)->brute;
    return turned ? bs_backend_cross(b, a, out) : bs_backend_cross(a, b, out);
}

static bool auto_list(const bs_backend *backend, bs_list *out) {
    const auto_set *s = (const auto_set *)backend;
    return s->main->type->list(s->main, out);
}

static bool auto_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    auto_set *s = auto_of(backend);
    return s->main->type->query(s->main, r, out);
}

static bool auto_query_boxes(bs_backend *backend, const uint32_t *boxes, size_t n, bs_list *out,
                             size_t *ends) {
    return bs_backend_query_boxes(auto_of(backend)->main, boxes, n, out, ends);
}

/* Makes the raster when that is due, and brings it up to date. */
static void auto_review_raster(auto_set *s) {
    if (s->raster == NULL && s->main->type == s->tree &&
        (double)s->credit > s->price * (double)auto_cost(s)) {
        s->raster = bs_backend_raster(s->main);
        s->caster = bs_raster_caster_find();
        s->credit = -auto_cost(s);
        s->earned = false;
    }
    if (s->raster == NULL || s->raster->changed.n == 0) {
        return;
    }
    if (bs_raster_sync(s->raster)) {
        auto_pay(s, FILED * s->raster->spent);
    } else {
        auto_drop_raster(s);
        s->price *= 16; /* it may be that no raster suits these boxes: not soon again */
    }
}

/* What the raster has saved with a cast: less, the more it looked at; < 0 if it refused it. */
static void auto_earn(auto_set *s, bool done) {
    int64_t saved = done ? CAST_SAVES - (int64_t)s->raster->visited : -CAST_LOSES;
    if (saved > 0) {
        s->credit += saved;
        s->earned |= s->credit > 0;
    } else {
        auto_pay(s, (size_t)-saved);
    }
}

BS_LINED static bool auto_cast(bs_backend *backend, bs_cast *cast) {
    auto_set *s = auto_of(backend);
    auto_review_raster(s);
    if (s->raster != NULL) {
        assert(s->raster->held == backend->count);
        bool done = s->caster(s->raster, cast);
        auto_earn(s, done);
        if (done) {
            return true;
        }
    } else {
        s->credit += CAST_SAVES;
    }
    return s->main->type->cast(s->main, cast);
}

static void auto_stats(const bs_backend *backend, bs_stats *out) {
    const auto_set *s = (const auto_set *)backend;
    s->main->type->stats(s->main, out);
    out->now_used = s->raster != NULL ? "tree and raster" : s->main->type->name;
}

static bool auto_shapes(bs_backend *backend, bs_shapes *out) {
    auto_set *s = auto_of(backend);
    return s->main->type->shapes(s->main, out);
}

static const char *auto_check(const bs_backend *backend) {
    const auto_set *s = (const auto_set *)backend;
    bool counted = s->raster == NULL || s->raster->held == backend->count;
    if (s->main->count != backend->count || !counted) {
        return "auto: a part has another number of boxes";
    }
    const char *broken = s->main->type->check(s->main);
    return broken != NULL || s->raster == NULL ? broken : bs_raster_check(s->raster);
}

const bs_backend_type bs_auto_type = {
    .name = "auto",
    .create = auto_create,
    .destroy = auto_destroy,
    .insert = auto_insert,
    .remove = auto_remove,
    .update = auto_update,
    .pairs = auto_pairs,
    .cross = auto_cross,
    .list = auto_list,
    .query = auto_query,
    .query_boxes = auto_query_boxes,
    .cast = auto_cast,
    .stats = auto_stats,
    .shapes = auto_shapes,
    .check = auto_check,
};

static bs_backend *auto_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    auto_set *s = bs_heap_new(heap, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->base = (bs_backend){&bs_auto_type, heap, boxes, 0};
    s->settings = *settings;
    s->brute = bs_backend_find("brute");
    s->tree = bs_backend_find("tree");
    s->price = FIRST_PRICE;
    s->main = s->brute->create(heap, boxes, settings);
    if (s->main == NULL) {
        bs_heap_free(heap, s, sizeof *s);
        return NULL;
    }
    return &s->base;
}
