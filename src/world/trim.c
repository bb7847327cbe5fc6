/* trim.c: memory that a world does not need any more goes back to the host. */
#include "parts.h"

/* Cuts an array that has room for more than `most` down to the n elements that still count. */
static void cut(bs_world *w, void *array, size_t *cap, size_t n, size_t size, size_t most) {
    if (*cap > most) {
        bs_array_trim(&w->heap, array, cap, n, size);
    }
}

/* Scratch lists, and those of pairs, which are mostly the largest. */
static void cut_lists(bs_world *w, size_t most) {
    size_t pairs = w->all_changed ? 0 : w->pairs.n; /* else it will be filled anew */
    cut(w, &w->pairs.at, &w->pairs.cap, pairs, sizeof *w->pairs.at, most);
    cut(w, &w->touching.at, &w->touching.cap, w->touching.n, sizeof *w->touching.at, most);
    cut(w, &w->touched.at, &w->touched.cap, 0, sizeof *w->touched.at, most);
    cut(w, &w->changed.at, &w->changed.cap, w->changed.n, sizeof *w->changed.at, most);
    cut(w, &w->found.at, &w->found.cap, 0, sizeof *w->found.at, most);
    cut(w, &w->moved.at, &w->moved.cap, 0, sizeof *w->moved.at, most);
    cut(w, &w->keyed, &w->keyed_cap, 0, sizeof *w->keyed, most);
    cut(w, &w->before, &w->before_cap, w->befores, sizeof *w->before, most);
    cut(w, &w->turn, &w->turn_cap, 0, sizeof *w->turn, most);
    w->pairs.n = pairs;
    w->calm = w->calm < pairs ? w->calm : pairs;
    w->found.n = 0;
    w->moved.n = 0;
}

void bs_world_shed(bs_world *w) {
    enum { FRAMES = 256, TIMES = 8, AT_LEAST = 1024 };
    if (++w->frames % FRAMES == 0) {
        cut_lists(w, TIMES * (w->count + w->pairs.n + w->touching.n + AT_LEAST));
    }
}

/*
 * What belongs to boxes goes behind the last one. What tells which ids have been given must stay,
 * as none is ever given twice.
 */
static void cut_columns(bs_world *w) {
    uint32_t n = bs_world_span(w);
    while (n > 0 && !bs_world_alive(w, n - 1)) {
        n--;
    }
    w->last = n > 0 ? n - 1 : 0;
    cut(w, &w->rect, &w->rect_cap, n, sizeof *w->rect, 0);
    cut(w, &w->layers, &w->layers_cap, n, sizeof *w->layers, 0);
    cut(w, &w->motion, &w->motion_cap, n, sizeof *w->motion, 0);
    cut(w, &w->object, &w->object_cap, n, sizeof *w->object, 0);
    cut(w, &w->conduct, &w->conduct_cap, n, sizeof *w->conduct, 0);
    if (w->shaped == 0) {
        bs_shapes_free(w);
    }
    cut(w, &w->shape, &w->shape_cap, n, sizeof *w->shape, 0);
    cut(w, &w->born, &w->born_cap, w->used, sizeof *w->born, 0);
    cut(w, &w->generation, &w->generation_cap, w->used, sizeof *w->generation, 0);
    cut(w, &w->flags, &w->flags_cap, w->used, sizeof *w->flags, 0);
    w->boxes = (bs_boxes){w->rect, w->rect_cap};
}

void bs_world_trim(bs_world *w) {
    if (w->movement != NULL) {
        assert(w->movement->unended(w) == NULL);
        w->movement->free(w);
    }
    cut_lists(w, 0);
    cut_columns(w);
    /* Made anew they hold what they need. Where there is no memory for that the old ones stay. */
    (void)bs_world_set_backend(w, bs_world_backend(w), &w->settings);
    bs_array_trim(&w->heap, &w->step_hits.at, &w->step_hits.cap, w->step_hits.n,
                  sizeof *w->step_hits.at);
    bs_array_free(&w->heap, &w->step_found.at, &w->step_found.cap, sizeof *w->step_found.at);
    w->step_found.n = 0;
    cut_lists(w, 0); /* once more: the boxes have been listed */
    bs_world_examine(w);
}
