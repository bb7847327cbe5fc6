/*
 * listen.c: what listeners are told: which boxes overlap or are flush with each other, and what of
 * that has begun and ended since they were told last (world/heard.c). It only queries the world.
 */
#include "motion.h"

#include <math.h>

/* In `meeting`, while it is compared: this bit of a says that the listener remembers the pair. */
static const uint32_t KNOWN = (uint32_t)1 << 31;
static_assert(BS_INDEX_BITS < 31, "indices leave that bit free");

/* --- what is in contact --------------------------------------------------------------------- */

/*
 * Whether a box rests against that side of another one. What falls side by side is flush but for
 * rounding, so boxes may be as far apart as shapes, by the coordinates of the lesser one.
 */
static bool rests_on(const bs_world *w, uint32_t box, uint32_t other, bs_box_side side) {
    if (!bs_are_boxes(w, box, other)) {
        return bs_rests_against(w, box, other, side);
    }
    const bs_rect *r = &w->rect[box];
    const bs_rect *o = &w->rect[other];
    const int k = side.axis;
    const double gap = side.sign > 0 ? r->pos[k] - bs_far(o, k) : o->pos[k] - bs_far(r, k);
    const double largest = fmin(bs_largest_coordinate(r, r), bs_largest_coordinate(o, o));
    return fabs(gap) <= largest * BS_RESTING && bs_is_solid_at(w, other, side) &&
           bs_are_beside(r, o, k);
}

/* Whether the box, if it is dynamic, rests against the other one on any side. */
static bool rests_on_any_side(const bs_world *w, uint32_t box, uint32_t other) {
    const bs_rules rules = bs_rules_default();
    bool rests = false;
    if (bs_world_is_static(w, box) || !bs_rules_may_stop(w, &rules, box, other)) {
        return false;
    }
    for (int k = 0; k < DIM && !rests; k++) {
        rests = rests_on(w, box, other, (bs_box_side){k, 1}) ||
                rests_on(w, box, other, (bs_box_side){k, -1});
    }
    return rests;
}

/* Whether the two overlap, or are flush; they make a pair. */
static bool are_in_contact(const bs_world *w, uint32_t a, uint32_t b) {
    const bool overlap = bs_overlap(&w->rect[a], &w->rect[b]) &&
                         (w->state.shaped == 0 || bs_shapes_of_pair_overlap(w, a, b));
    return overlap || rests_on_any_side(w, a, b) || rests_on_any_side(w, b, a);
}

/* Lists what may be in contact with a box: the rect, a little wider, finds what is flush. */
static bool find_nearby(bs_world *w, uint32_t box, bool sorted) {
    bs_rect around = w->rect[box];
    const double apart = bs_largest_coordinate(&around, &around) * (2 * BS_RESTING);
    for (int k = 0; k < DIM; k++) {
        around = bs_widened(&around, k, apart);
    }
    return bs_find_around(w, &around, box, sorted, &w->nearby);
}

/* Adds a pair, unless it is in no contact. False: no memory. */
static bool add_if_in_contact(bs_world *w, uint32_t a, uint32_t b) {
    if (a == b || !bs_world_makes_pair(w, a, b) || !are_in_contact(w, a, b)) {
        return true;
    }
    if (!bs_pairs_reserve(&w->heap, &w->meeting, 1)) {
        return false;
    }
    w->meeting.at[w->meeting.n++] = (bs_pair){a, b};
    return true;
}

/* Those of one box with boxes of these layers. False: no memory. */
static bool find_of_box(bs_world *w, uint32_t box, uint32_t mask) {
    bool done = find_nearby(w, box, true);
    for (size_t i = 0; done && i < w->nearby.n; i++) {
        const uint32_t other = w->nearby.at[i];
        done = (w->layers[other].layer & mask) == 0 || add_if_in_contact(w, box, other);
    }
    return done;
}

/* Around which boxes those of a mask are looked for: each contact has at least one of them. */
typedef struct search {
    bs_world *w;
    uint32_t mask;
    bool by_layer; /* Around those of the mask; else around dynamic ones. */
} search;

static bool is_of_mask(const search *s, uint32_t box) {
    return (s->w->layers[box].layer & s->mask) != 0;
}

static bool is_asked(const search *s, uint32_t box) {
    return s->by_layer ? is_of_mask(s, box) : !bs_world_is_static(s->w, box);
}

static search begin_search(bs_world *w, uint32_t mask) {
    search s = {.w = w, .mask = mask};
    uint32_t of_mask = 0;
    for (uint32_t box = 0, n = bs_world_span(w); box < n; box++) {
        of_mask += bs_world_alive(w, box) && is_of_mask(&s, box);
    }
    s.by_layer = of_mask < w->part[BS_DYNAMIC]->count;
    return s;
}

/* Each pair once: where both are asked, by the one inserted first. False: no memory. */
static bool find_around_one(const search *s, uint32_t box) {
    bs_world *w = s->w;
    bool done = find_nearby(w, box, false);
    for (size_t i = 0; done && i < w->nearby.n; i++) {
        const uint32_t other = w->nearby.at[i];
        const bool is_first = other != box && bs_world_before(w, box, other);
        if ((is_of_mask(s, box) || is_of_mask(s, other)) && (is_first || !is_asked(s, other))) {
            done = add_if_in_contact(w, is_first ? box : other, is_first ? other : box);
        }
    }
    return done;
}

/* Puts the pairs into the order of insertion of a, then of b. False: no memory. */
static bool sort(bs_world *w) {
    bs_pairs *pairs = &w->meeting;
    const size_t n = pairs->n;
    bs_keyed *keyed = bs_world_keyed(w, n);
    if (keyed == NULL) {
        return false;
    }
    uint64_t both;
    static_assert(sizeof both == sizeof *pairs->at, "a pair is a value of a key");
    for (size_t i = 0; i < n; i++) {
        memcpy(&keyed[i].value, &pairs->at[i], sizeof both);
        keyed[i].key = bs_world_order(w, pairs->at[i].b);
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        memcpy(&pairs->at[i], &keyed[i].value, sizeof both);
        keyed[i].key = bs_world_order(w, pairs->at[i].a);
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        memcpy(&pairs->at[i], &keyed[i].value, sizeof both);
    }
    return true;
}

/* Those in which one of the two has a layer of the mask. False: no memory. */
static bool find_of_mask(bs_world *w, uint32_t mask) {
    const search s = begin_search(w, mask);
    bool done = true;
    for (uint32_t box = 0, n = bs_world_span(w); done && box < n; box++) {
        done = !bs_world_alive(w, box) || !is_asked(&s, box) || find_around_one(&s, box);
    }
    return done && sort(w);
}

/* --- what has changed ----------------------------------------------------------------------- */

/* Whether pair a comes before pair b, in the order of insertion. */
static bool comes_before(const bs_world *w, bs_pair a, bs_pair b) {
    return a.a != b.a ? bs_world_before(w, a.a, b.a) : bs_world_before(w, a.b, b.b);
}

/* Lists the contacts that have ended, and notes which pairs of now are remembered. */
static void list_ends(bs_world *w, bs_listener listener) {
    bs_contact_list *out = &w->listened;
    bs_pairs *now = &w->meeting;
    size_t n, at = 0;
    const size_t first = bs_heard_by(w, listener, &n);
    for (size_t i = first; i < first + n; i++) {
        const bs_pair pair = w->heard.at[i].pair;
        bool stays = bs_world_alive(w, pair.a) && bs_world_alive(w, pair.b);
        while (stays && at < now->n && comes_before(w, now->at[at], pair)) {
            at++;
        }
        stays = stays && at < now->n && now->at[at].a == pair.a && now->at[at].b == pair.b;
        if (stays) {
            now->at[at++].a |= KNOWN;
        } else {
            const bs_id a = bs_world_id_at(w, pair.a);
            out->at[out->n++] = (bs_contact){BS_END, a, bs_world_id_at(w, pair.b)};
        }
    }
}

static void list_those_of_now(bs_world *w) {
    bs_contact_list *out = &w->listened;
    for (size_t i = 0; i < w->meeting.n; i++) {
        bs_pair pair = w->meeting.at[i];
        const bs_phase phase = (pair.a & KNOWN) != 0 ? BS_STAY : BS_BEGIN;
        const bs_id a = bs_world_id(w, pair.a & ~KNOWN);
        out->at[out->n++] = (bs_contact){phase, a, bs_world_id(w, pair.b)};
    }
}

/* Room for all that is handed out, and to remember it. */
static bool reserve(bs_world *w, bs_listener listener) {
    size_t before;
    (void)bs_heard_by(w, listener, &before);
    const size_t n = before + w->meeting.n;
    return bs_column_make(w, BS_MENTIONS) && BS_RESERVE(&w->heap, &w->listened, n) &&
           BS_RESERVE(&w->heap, &w->heard, w->heard.n + w->meeting.n);
}

bs_status bs_world_listen(bs_world *w, bs_listener listener, bs_which which, bs_contacts *out) {
    uint32_t box;
    w->meeting.n = w->listened.n = 0;
    bs_world_examine(w);
    const bool of_box = listener.who >= BS_LEAST_ID;
    const bool found = of_box && bs_world_find(w, listener.who, &box) == BS_FOUND;
    assert(found == of_box);
    bool done = found ? find_of_box(w, box, listener.mask) : find_of_mask(w, listener.mask);
    if (!done || !reserve(w, listener)) {
        return BS_NO_MEMORY;
    }
    list_ends(w, listener);
    list_those_of_now(w);
    *out = (bs_contacts){.which = which, .by = listener};
    return BS_OK;
}
