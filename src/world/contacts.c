/*
 * contacts.c: which pairs have begun and ended since the last call for contacts. It relies on the
 * pairs of pairs.c.
 *
 * The pairs of the last call are kept, sorted, in w->touching. New pairs are sorted and compared
 * with all of these. Mostly few boxes change from call to call. Then only pairs of recently changed
 * boxes (pairs.c calls them restless) can have begun or ended, and only these are sorted; all
 * others are still there.
 */
#include "world_parts.h"

static int compare(const bs_touching *x, const bs_touching *y) {
    if (x->born_a != y->born_a) {
        return x->born_a < y->born_a ? -1 : 1;
    }
    return x->born_b < y->born_b ? -1 : x->born_b > y->born_b;
}

/* Whether the pair may have begun since the last call. */
static bool may_be_new(const bs_world *w, bs_pair pair) {
    return w->paired == BS_PAIRED_ANEW ||
           ((w->flags[pair.a] | w->flags[pair.b]) & BS_RESTLESS) != 0;
}

/* Whether a pair of the last call is certainly there now. */
static bool has_stayed(const bs_world *w, const bs_touching *pair) {
    unsigned flags = w->flags[bs_id_index(pair->a)] | w->flags[bs_id_index(pair->b)];
    return (flags & BS_RESTLESS) == 0;
}

/*
 * The indices of the pairs that may be new, by the insertion of a, then of b. There is room for
 * twice all pairs. Returns how many they are.
 */
static size_t sort_pairs(const bs_world *w, const bs_pairs *pairs, bs_keyed *keyed) {
    bs_keyed *scratch = keyed + pairs->n;
    size_t n = 0;
    for (size_t i = w->paired == BS_PAIRED_ANEW ? 0 : w->calm; i < pairs->n; i++) {
        keyed[n] = (bs_keyed){w->born[pairs->at[i].b], i};
        n += may_be_new(w, pairs->at[i]);
    }
    bs_sort(keyed, scratch, n);
    for (size_t i = 0; i < n; i++) {
        assert(keyed[i].value < pairs->n);
        keyed[i].key = w->born[pairs->at[keyed[i].value].a];
    }
    bs_sort(keyed, scratch, n);
    return n;
}

/* The two lists that are compared, in the same order, and what comes of it. */
typedef struct comparison {
    const bs_world *w;
    const bs_pairs *pairs;
    const bs_touching *before;
    const bs_touching *before_end;
    const bs_keyed *now;
    const bs_keyed *now_end;
    bool stays;      /* Pairs that stay are reported, too. */
    bs_touching *to; /* The pairs that are there now. */
    bs_contacts *out;
} comparison;

static bs_touching touching_of(const comparison *c, const bs_keyed *keyed) {
    const bs_world *w = c->w;
    bs_pair p = c->pairs->at[keyed->value];
    return (bs_touching){keyed->key, w->born[p.b], bs_world_id(w, p.a), bs_world_id(w, p.b)};
}

static void tell(comparison *c, bs_phase phase, const bs_touching *pair) {
    c->out->at[c->out->n++] = (bs_contact){phase, pair->a, pair->b};
}

/* Copies the pairs of the last call that have certainly stayed, and come before `next`. */
static void copy_stayed(comparison *c, const bs_touching *next) {
    for (; c->before < c->before_end && has_stayed(c->w, c->before); c->before++) {
        if (next != NULL && compare(next, c->before) < 0) {
            return;
        }
        *c->to++ = *c->before;
        if (c->stays) {
            tell(c, BS_STAY, c->before);
        }
    }
}

/* One pass through both lists. */
static void run(comparison *c) {
    const bool few = c->w->paired != BS_PAIRED_ANEW;
    while (c->before < c->before_end || c->now < c->now_end) {
        bool more = c->now < c->now_end;
        bs_touching next = more ? touching_of(c, c->now) : (bs_touching){0, 0, 0, 0};
        if (few) {
            copy_stayed(c, more ? &next : NULL);
        }
        bool any = c->before < c->before_end;
        int order = !any ? 1 : !more ? -1 : compare(c->before, &next);
        if (order < 0) {
            tell(c, BS_END, c->before);
        } else if (more) {
            *c->to++ = next;
            if (order > 0 || c->stays) {
                tell(c, order > 0 ? BS_BEGIN : BS_STAY, &next);
            }
        }
        c->before += order <= 0;
        c->now += order >= 0 && more;
    }
}

bs_status bs_world_contacts(bs_world *w, bs_which which, bs_contacts *out) {
    const bs_pairs *pairs;
    if (bs_world_pairs(w, &pairs) != BS_OK) {
        return BS_NO_MEMORY;
    }
    bs_touchings *before = &w->touching;
    bs_touchings *next = &w->touched;
    out->n = 0;
    if (w->paired == BS_PAIRED_SAME && which == BS_CHANGES) {
        return BS_OK;
    }
    bs_keyed *keyed = bs_world_keyed(w, pairs->n);
    if (keyed == NULL ||
        !bs_array_reserve(&w->heap, &next->at, &next->cap, pairs->n, sizeof *next->at) ||
        !bs_array_reserve(&w->heap, &out->at, &out->cap, pairs->n + before->n, sizeof *out->at)) {
        return BS_NO_MEMORY;
    }
    const size_t n = sort_pairs(w, pairs, keyed);
    comparison c = {w,
                    pairs,
                    before->at,
                    before->at + before->n,
                    keyed,
                    keyed + n,
                    which == BS_ALL_CONTACTS,
                    next->at,
                    out};
    run(&c);
    next->n = (size_t)(c.to - next->at);
    assert(next->n == pairs->n);
    return BS_OK;
}

void bs_world_contacts_done(bs_world *w) {
    assert(!w->all_changed && w->changed.n == 0);
    if (w->paired != BS_PAIRED_SAME) {
        bs_touchings swap = w->touching;
        w->touching = w->touched;
        w->touched = swap;
        w->paired = BS_PAIRED_SAME;
    }
}
