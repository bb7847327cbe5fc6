/* pairs.c: the pairs of a world, from those of the last call and from the back ends. */
#include "world_parts.h"

#include <string.h>

/*
 * The list of the last call is kept. If nothing has changed it is the answer. If few boxes have
 * changed, their pairs are removed and found again, some boxes at a time. Otherwise all pairs are
 * found anew.
 *
 * What moves in this frame mostly moved in the last one, too. So pairs of recently changed boxes,
 * the restless ones, come after the first `calm` pairs, and new pairs are appended there. Mostly
 * only these are looked through. Pairs of settled boxes may be there, too; after all pairs were
 * found anew, all are.
 */

/* --- all anew ------------------------------------------------------------------------------- */

/* Without branches: each pair is written, and counted if its layers match. */
static void keep_those_that_may_meet(bs_world *w) {
    bs_pair *to = w->pairs.at;
    for (size_t i = 0; i < w->pairs.n; i++) {
        bs_pair pair = w->pairs.at[i];
        assert(pair.a < pair.b && bs_world_alive(w, pair.b));
        *to = pair;
        to += bs_world_makes_pair(w, pair.a, pair.b);
    }
    w->pairs.n = (size_t)(to - w->pairs.at);
}

/* Keeps pairs whose shapes overlap, as their rects do. */
static void keep_those_whose_shapes_meet(bs_world *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->pairs.n; i++) {
        bs_pair pair = w->pairs.at[i];
        w->pairs.at[n] = pair;
        n += bs_shapes_of_pair_overlap(w, pair.a, pair.b);
    }
    w->pairs.n = n;
}

/*
 * Back ends put the lower index first. That is the older box until an index was used again. Which
 * one is older cannot be predicted, so a mask instead of a branch picks the pair, as it is or
 * swapped. The mask is a difference, as compilers turn a comparison into a branch again.
 */
static void put_older_first(bs_world *w) {
    const uint64_t *born = w->born;
    bs_pair *at = w->pairs.at;
    const size_t n = w->pairs.n;
    assert(w->state.births >> 63 == 0);
#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) {
        uint64_t pair;
        memcpy(&pair, &at[i], sizeof pair);
        assert(born[at[i].a] != born[at[i].b]);
        uint64_t turned = pair << 32 | pair >> 32;
        uint64_t is_younger = (born[at[i].b] - born[at[i].a]) >> 63;
        pair ^= (pair ^ turned) & -is_younger;
        memcpy(&at[i], &pair, sizeof pair);
    }
}

static bool find_all(bs_world *w) {
    bs_backend *moving = w->part[BS_DYNAMIC];
    bs_backend *fixed = w->part[BS_STATIC];
    bool may_meet = (w->state.any.layer & w->state.any.mask) !=
                    0; /* All bullets may have masks without bullets. */
    w->pairs.n = 0;
    w->calm = 0;
    if (may_meet && !bs_backend_pairs(moving, &w->pairs)) {
        return false;
    }
    if (moving->count > 0 && fixed->count > 0 && !bs_backend_cross(moving, fixed, &w->pairs)) {
        return false;
    }
    if (w->state.layered > 0) {
        keep_those_that_may_meet(w);
    }
    if (w->state.shaped > 0) {
        keep_those_whose_shapes_meet(w);
    }
    if (w->state.recycled) {
        put_older_first(w);
    }
    return true;
}

/* --- a few anew ----------------------------------------------------------------------------- */

/*
 * Removes the pairs of changed boxes from those at `first` and beyond; the last pairs fill the
 * gaps. Returns the new end. Few pairs go, and most are only read.
 */
static size_t drop_pairs_of_changed(bs_world *w, size_t first, size_t end) {
    enum { STRIDE = 4 };
    assert(first <= end && end <= w->pairs.n);
    const uint8_t *flags = w->flags;
    bs_pair *at = w->pairs.at;
    for (size_t i = first; i < end;) {
        if (end - i >= STRIDE) {
            unsigned any = 0;
#pragma GCC unroll 4
            for (size_t j = 0; j < STRIDE; j++) {
                any |= (unsigned)flags[at[i + j].a] | flags[at[i + j].b];
            }
            if ((any & BS_CHANGED) == 0) {
                i += STRIDE;
                continue;
            }
        }
        assert(at[i].a != at[i].b);
        bool changed = ((flags[at[i].a] | flags[at[i].b]) & BS_CHANGED) != 0;
        end -= changed;
        at[i] = changed ? at[end] : at[i];
        i += !changed;
    }
    return end;
}

/* Whether all changed boxes had changed before; then none of them has a pair before `calm`. */
static bool only_restless_changed(const bs_world *w) {
    unsigned all = BS_RESTLESS;
    for (size_t i = 0; i < w->changed.n; i++) {
        all &= w->flags[w->changed.at[i]];
    }
    return all != 0;
}

/* If enough pairs are restless to make it worthwhile, all boxes count as settled again. */
static void calm_down(bs_world *w) {
    size_t restless = w->pairs.n - w->calm;
    if (restless > w->pairs.n / 4 + w->ids.used / 8) {
        for (uint32_t box = 0; box < w->ids.used; box++) {
            w->flags[box] &= (uint8_t)~BS_RESTLESS;
        }
        w->calm = w->pairs.n;
        w->paired = BS_PAIRED_ANEW;
    }
}

static void drop_changed(bs_world *w) {
    bs_pair *at = w->pairs.at;
    assert(w->calm <= w->pairs.n);
    calm_down(w);
    size_t calm = only_restless_changed(w) ? w->calm : drop_pairs_of_changed(w, 0, w->calm);
    size_t end = drop_pairs_of_changed(w, w->calm, w->pairs.n);
    for (; w->calm > calm; w->calm--) { /* This closes the gap. */
        at[w->calm - 1] = at[--end];
    }
    w->pairs.n = end;
}

/* Whether a changed box may have pairs with boxes of that part, as far as is known. */
static bool may_meet_part(const bs_world *w, uint32_t box, int part) {
    if (part == BS_STATIC) {
        return !bs_world_is_static(w, box);
    }
    bs_layers layers = w->layers[box];
    return (layers.mask & w->state.any.layer) != 0 && (layers.layer & w->state.any.mask) != 0;
}

/* Appends a pair of a changed box, unless the other one has changed, too, and appends it. */
static void add_pair(bs_world *w, uint32_t box, uint32_t other) {
    assert(bs_world_alive(w, other));
    bool again = other <= box && (w->flags[other] & BS_CHANGED) != 0;
    if (!again && (w->state.layered == 0 || bs_world_makes_pair(w, box, other)) &&
        (w->state.shaped == 0 || bs_shapes_of_pair_overlap(w, box, other))) {
        bool is_older = bs_world_before(w, box, other);
        w->pairs.at[w->pairs.n++] = is_older ? (bs_pair){box, other} : (bs_pair){other, box};
    }
}

/* Appends the pairs of some changed boxes with boxes of a back end. */
static bool add_pairs_of(bs_world *w, bs_backend *in, const uint32_t *boxes, size_t n) {
    size_t ends[BS_TOGETHER];
    w->partners.n = 0;
    if (!bs_backend_query_boxes(in, boxes, n, &w->partners, ends) ||
        !bs_pairs_reserve(&w->heap, &w->pairs, w->partners.n)) {
        return false;
    }
    size_t j = 0;
    for (size_t i = 0; i < n; i++) {
        for (; j < ends[i]; j++) {
            add_pair(w, boxes[i], w->partners.at[j]);
        }
    }
    return true;
}

/* For all changed boxes that may have pairs. A back end that is not asked does no work. */
static bool find_changed_in(bs_world *w, int part) {
    bs_backend *in = w->part[part];
    uint32_t boxes[BS_TOGETHER];
    size_t n = 0;
    if (in->count == 0) {
        return true;
    }
    for (size_t i = 0; i < w->changed.n; i++) {
        uint32_t box = w->changed.at[i];
        if (n == BS_TOGETHER) {
            if (!add_pairs_of(w, in, boxes, n)) {
                return false;
            }
            n = 0;
        }
        if (bs_world_alive(w, box) && may_meet_part(w, box, part)) {
            boxes[n++] = box;
        }
    }
    return n == 0 || add_pairs_of(w, in, boxes, n);
}

static bool find_changed(bs_world *w) {
    assert(!w->all_changed);
    drop_changed(w);
    return find_changed_in(w, BS_DYNAMIC) && find_changed_in(w, BS_STATIC);
}

/* --- changes -------------------------------------------------------------------------------- */

void bs_world_note_change(bs_world *w, uint32_t box) {
    assert(box < w->ids.used && !w->all_changed);
    if ((w->flags[box] & BS_CHANGED) != 0) {
        return;
    }
    if (w->changed.n >= bs_world_most_noted(w) || !bs_list_add(&w->heap, &w->changed, box)) {
        w->all_changed = true;
        return;
    }
    w->flags[box] |= BS_CHANGED;
}

static void forget_changes(bs_world *w) {
    assert(w->changed.n <= w->ids.used);
    for (size_t i = 0; i < w->changed.n; i++) {
        uint8_t *flags = &w->flags[w->changed.at[i]];
        *flags = (uint8_t)((*flags & ~BS_CHANGED) | BS_RESTLESS);
    }
    w->changed.n = 0;
    w->all_changed = false;
}

void bs_world_forget_beyond(bs_world *w, uint32_t used) {
    if (!w->all_changed) {
        drop_changed(w);
    }
    size_t n = 0;
    for (size_t i = 0; i < w->changed.n; i++) {
        w->changed.at[n] = w->changed.at[i];
        n += w->changed.at[i] < used;
    }
    w->changed.n = n;
}

bs_status bs_world_pairs(bs_world *w, const bs_pairs **out) {
    bs_world_examine(w);
    if (w->all_changed || w->changed.n > 0) {
        bs_world_shed(w);
        bs_paired paired = w->all_changed ? BS_PAIRED_ANEW : BS_PAIRED_FEW;
        bool done = w->all_changed ? find_all(w) : find_changed(w);
        w->paired = w->paired > paired ? w->paired : paired;
        if (!done) {
            w->all_changed = true;
            return BS_NO_MEMORY;
        }
        forget_changes(w);
    }
    *out = &w->pairs;
    return BS_OK;
}
