/* A list of boxes; every query looks at all of them. It relies on backend.h. */
#include "broad/backend.h"

typedef struct list_backend {
    bs_backend base; /* What every back end begins with. */
    bs_list boxes;
} list_backend;

static bs_list *list_of(bs_backend *b) {
    return &((list_backend *)b)->boxes;
}

/* --- making and changing --------------------------------------------------------------------- */

static bs_backend *list_create(const bs_backend *base, const bs_settings *settings) {
    (void)settings;
    list_backend *b = bs_heap_new(base->heap, sizeof *b);
    if (b == NULL) {
        return NULL;
    }
    b->base = *base;
    return &b->base;
}

static void list_destroy(bs_backend *b) {
    bs_list_free(b->heap, list_of(b));
    bs_heap_free(b->heap, b, sizeof(list_backend));
}

static bool list_build(bs_backend *b) {
    bs_list *list = list_of(b);
    list->n = 0;
    if (!bs_list_reserve(b->heap, list, b->count)) {
        return false;
    }
    for (uint32_t box = 0; box < b->boxes->cap; box++) {
        if (bs_backend_holds(b, box)) {
            list->at[list->n++] = box;
        }
    }
    return true;
}

/* Boxes that have moved are still in the list, and their rects are the world's. */
static bool list_sync(bs_backend *b, const bs_changes *changes) {
    return changes->replaced.n == 0 || list_build(b);
}

/* --- queries ------------------------------------------------------------------------------- */

static bool list_query(bs_backend *b, const bs_rect *r, bs_list *out) {
    const bs_list *list = list_of(b);
    bool done = true;
    for (size_t i = 0; done && i < list->n; i++) {
        uint32_t box = list->at[i];
        done = !bs_overlap(&b->boxes->rect[box], r) || bs_list_add(b->heap, out, box);
    }
    return done;
}

static bool list_pairs(bs_backend *b, bs_pairs *out) {
    const bs_list *list = list_of(b);
    const bs_rect *rect = b->boxes->rect;
    for (size_t i = 0; i < list->n; i++) {
        for (size_t j = i + 1; j < list->n; j++) {
            if (!bs_overlap(&rect[list->at[i]], &rect[list->at[j]])) {
                continue;
            }
            if (!bs_pairs_reserve(b->heap, out, 1)) {
                return false;
            }
            out->at[out->n++] = bs_pair_of(list->at[i], list->at[j]);
        }
    }
    return true;
}

static bool list_cast(bs_backend *b, bs_cast *cast) {
    for (size_t i = 0; i < list_of(b)->n; i++) {
        if (list_of(b)->at[i] != cast->skip) {
            cast->visit(cast, list_of(b)->at[i]);
        }
    }
    return true;
}

static void list_stats(const bs_backend *b, bs_stats *out) {
    out->boxes = b->count;
}

static bool list_pictures(bs_backend *b, bs_pictures *out) {
    (void)b, (void)out; /* It has no cells or nodes to be shown. */
    return true;
}

const bs_backend_type bs_list_type = {
    .name = "list",
    .create = list_create,
    .destroy = list_destroy,
    .build = list_build,
    .sync = list_sync,
    .pairs = list_pairs,
    .query = list_query,
    .cast = list_cast,
    .stats = list_stats,
    .pictures = list_pictures,
};
