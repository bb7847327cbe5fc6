/* trim.c: memory that a world does not need any more goes back to the host. */
#include "world_parts.h"

void bs_world_shed(bs_world *w) {
    enum { FRAMES = 256, TIMES = 8, AT_LEAST = 1024 };
    if (++w->frames % FRAMES == 0) {
        bs_lists_cut(w, TIMES * (w->state.count + w->pairs.n + w->touching.n + AT_LEAST));
    }
}

void bs_world_trim(bs_world *w) {
    if (w->movement != NULL) {
        assert(w->movement->unended(w) == NULL);
        w->movement->free(w);
    }
    if (w->free_bodies != NULL) {
        w->free_bodies(w);
    }
    uint32_t n = bs_world_span(w);
    while (n > 0 && !bs_world_alive(w, n - 1)) {
        n--;
    }
    w->state.last = n > 0 ? n - 1 : 0;
    if (w->state.shaped == 0) {
        bs_shapes_free(w);
    }
    if (w->touching.n + w->heard.n == 0) {
        bs_array_free(&w->heap, &w->mentions, &w->mentions_cap, sizeof *w->mentions);
    }
    bs_lists_cut(w, 0);
    bs_columns_cut(w);
    /* Made anew they hold what they need. Where there is no memory for that the old ones stay. */
    if (bs_world_set_backend(w, bs_world_backend(w), &w->settings) != BS_OK) {
        bs_backend_renew(w->part[BS_DYNAMIC]);
        bs_backend_renew(w->part[BS_STATIC]);
    }
    bs_lists_cut(w, 0); /* once more: the boxes have been sorted */
    bs_world_examine(w);
}
