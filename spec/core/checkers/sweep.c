/* sweep.c: checks a sweep, or a brute: its order, its tail, where its boxes are. */
#include "broad/flat/sweep.h"
#include "checkers.h"

static bool meets_nothing(const bs_bounds *b) {
    for (int k = 0; k < DIM; k++) {
        if (b->hi[k] != -INFINITY) {
            return false;
        }
    }
    return true;
}

/* Whether this lane of the order, and the next one, begin in that order on the axis. */
static bool in_order(const bs_sweeper *s, size_t at) {
    const size_t next = at + 1;
    return next >= s->ordered * BS_LANES ||
           s->block[at / BS_LANES].lo[s->axis][at % BS_LANES] <=
               s->block[next / BS_LANES].lo[s->axis][next % BS_LANES];
}

/* Checks a lane and its place in the order. */
static const char *check_lane(const bs_sweeper *s, size_t at, bool behind) {
    const bs_block *block = &s->block[at / BS_LANES];
    const uint32_t box = block->id[at % BS_LANES];
    const bool ordered = at < s->ordered * BS_LANES;
    bs_bounds have = bs_block_get(block, (int)(at % BS_LANES));
    if (ordered && !(in_order(s, at) && (at == 0 || in_order(s, at - 1)))) {
        return "sweep: the order is not sorted";
    }
    if (box == BS_SWEEP_NOBODY) {
        return meets_nothing(&have) ? NULL : "sweep: a dead lane has bounds";
    }
    if (s->position[box] != at) {
        return "sweep: a box is not where its position says";
    }
    if (ordered && have.hi[s->axis] > s->far[at / BS_LANES]) {
        return "sweep: a box reaches farther than its block";
    }
    if (behind) {
        return NULL;
    }
    bs_bounds want = bs_bounds_of(&s->base.boxes->rect[box]);
    bool same = bs_bounds_contain(&want, &have) && bs_bounds_contain(&have, &want);
    return same ? NULL : "sweep: a lane has other bounds than its box";
}

const char *bs_sweep_check(const bs_backend *backend, bool behind) {
    const bs_sweeper *s = (const bs_sweeper *)backend;
    const size_t blocks = s->ordered + (s->tail + BS_LANES - 1) / BS_LANES;
    size_t n = 0;
    for (size_t at = 0; at < blocks * BS_LANES; at++) {
        const char *broken = check_lane(s, at, behind);
        if (broken != NULL) {
            return broken;
        }
        n += s->block[at / BS_LANES].id[at % BS_LANES] != BS_SWEEP_NOBODY;
    }
    return behind || n == s->base.count ? NULL : "sweep: the number of boxes is wrong";
}
