/*
 * met.c: what movers that pierce have met, so that each reports a box once, however that moves. Of
 * each world two lists are kept: what was met in the last step after which it was asked, and in the
 * step before that one. It relies on base/order.h.
 */
#include <string.h>

#include "pool_parts.h"

/* How many steps ago it was asked last. */
static uint64_t age_of(const bs_pool *p, const bs_met *m) {
    return p->state.now - m->step;
}

/* A world that was read from bytes has no number yet: the first one that asks is the first one. */
static bs_met *find(const bs_pool *p, uint64_t world) {
    bs_met *nameless = NULL;
    for (size_t i = 0; i < p->mets; i++) {
        bs_met *m = &p->met[i];
        if (m->world == world) {
            return m;
        }
        nameless = nameless == NULL && m->world == 0 ? m : nameless;
    }
    return nameless;
}

const bs_meets *bs_met_before(const bs_pool *p, uint64_t world) {
    const bs_met *m = find(p, world);
    if (m == NULL || age_of(p, m) > 1) {
        return NULL;
    }
    return age_of(p, m) == 1 ? &m->now : m->follows ? &m->before : NULL;
}

bool bs_was_met(const bs_meets *list, bs_pool_meet meet) {
    const bs_keyed wanted = {meet.pair, meet.box};
    size_t lo = 0;
    size_t hi = list->n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (bs_meet_comes_before(&list->at[middle], &wanted)) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < list->n && !bs_meet_comes_before(&wanted, &list->at[lo]);
}

/* --- memory --------------------------------------------------------------------------------- */

static void free_met(bs_heap *heap, bs_met *m) {
    bs_array_free(heap, &m->now.at, &m->now.cap, sizeof *m->now.at);
    bs_array_free(heap, &m->before.at, &m->before.cap, sizeof *m->before.at);
}

void bs_mets_free(bs_pool *p) {
    for (size_t i = 0; i < p->mets; i++) {
        free_met(&p->heap, &p->met[i]);
    }
    p->mets = 0;
    bs_array_free(&p->heap, &p->met, &p->met_cap, sizeof *p->met);
}

/* Forgets the worlds that were not asked after the last step and the one before. */
static void forget_old(bs_pool *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->mets; i++) {
        if (age_of(p, &p->met[i]) > 1) {
            free_met(&p->heap, &p->met[i]);
        } else {
            p->met[n++] = p->met[i];
        }
    }
    p->mets = n;
}

void bs_mets_trim(bs_pool *p) {
    forget_old(p);
    for (size_t i = 0; i < p->mets; i++) {
        bs_met *m = &p->met[i];
        bs_array_trim(&p->heap, &m->now.at, &m->now.cap, m->now.n, sizeof *m->now.at);
        bs_array_trim(&p->heap, &m->before.at, &m->before.cap, m->before.n, sizeof *m->before.at);
    }
    bs_array_trim(&p->heap, &p->met, &p->met_cap, p->mets, sizeof *p->met);
}

/* --- remembering ---------------------------------------------------------------------------- */

/*
 * Sorts a list, in which there is room for twice as many. Each meeting stays once. One pair has
 * several only where a world went back in time within a step.
 */
static void sort(bs_meets *list) {
    if (list->n == 0) {
        return;
    }
    bs_sort(list->at, list->at + list->n, list->n);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const bs_keyed meet = list->at[i];
        size_t at = n;
        while (at > 0 && bs_meet_comes_before(&meet, &list->at[at - 1])) {
            at--;
        }
        bool is_there = at > 0 && !bs_meet_comes_before(&list->at[at - 1], &meet);
        if (!is_there) {
            memmove(&list->at[at + 1], &list->at[at], (n - at) * sizeof *list->at);
            list->at[at] = meet;
            n++;
        }
    }
    list->n = n;
}

/* That of a world, perhaps a new one; or NULL. */
static bs_met *take(bs_pool *p, uint64_t world) {
    bs_met *m = find(p, world);
    if (m != NULL) {
        return m;
    }
    if (!bs_array_reserve(&p->heap, &p->met, &p->met_cap, p->mets + 1, sizeof *p->met)) {
        return NULL;
    }
    m = &p->met[p->mets++];
    *m = (bs_met){.world = world, .step = p->state.now - 2}; /* It was not asked in time. */
    return m;
}

bs_status bs_pool_remember(bs_pool *p, uint64_t world, const bs_pool_meet *met, size_t n) {
    enum { ROOM = 64 };
    assert(world > 0);
    forget_old(p);
    bs_met *m = take(p, world);
    if (m == NULL) {
        return BS_NO_MEMORY;
    }
    const bool is_again = age_of(p, m) == 0;
    bs_meets *list = is_again ? &m->now : &m->before; /* Of that nobody needs what it holds. */
    const size_t old = is_again ? list->n : 0;
    if (!BS_RESERVE(&p->heap, list, 2 * (old + n))) {
        return BS_NO_MEMORY;
    }
    assert(n == 0 || list->at != NULL);
    for (size_t i = 0; i < n; i++) {
        list->at[old + i] = (bs_keyed){met[i].pair, met[i].box};
    }
    list->n = old + n;
    sort(list);
    if (list->cap > 4 * (list->n + ROOM)) {
        bs_array_trim(&p->heap, &list->at, &list->cap, list->n + ROOM, sizeof *list->at);
    }
    if (!is_again) {
        m->follows = age_of(p, m) == 1;
        bs_meets before = m->now;
        m->now = *list;
        m->before = before;
        m->before.n = m->follows ? before.n : 0;
    }
    m->world = world;
    m->step = p->state.now;
    return BS_OK;
}

/* --- copying -------------------------------------------------------------------------------- */

bool bs_mets_reserve(bs_pool *p, const bs_pool *from) {
    bool done = bs_array_reserve(&p->heap, &p->met, &p->met_cap, from->mets, sizeof *p->met);
    for (; done && p->mets < from->mets; p->mets++) { /* What is older than old is forgotten. */
        p->met[p->mets] = (bs_met){.world = UINT64_MAX, .step = p->state.now - 2};
    }
    for (size_t i = 0; done && i < from->mets; i++) {
        done = BS_RESERVE(&p->heap, &p->met[i].now, from->met[i].now.n) &&
               BS_RESERVE(&p->heap, &p->met[i].before, from->met[i].before.n);
    }
    return done;
}

static void copy_list(bs_meets *to, const bs_meets *from) {
    if (from->n > 0) {
        memcpy(to->at, from->at, from->n * sizeof *to->at);
    }
    to->n = from->n;
}

void bs_mets_copy(bs_pool *p, const bs_pool *from) {
    while (p->mets > from->mets) {
        free_met(&p->heap, &p->met[--p->mets]);
    }
    for (size_t i = 0; i < from->mets; i++) {
        bs_met *m = &p->met[i];
        copy_list(&m->now, &from->met[i].now);
        copy_list(&m->before, &from->met[i].before);
        m->world = from->met[i].world;
        m->step = from->met[i].step;
        m->follows = from->met[i].follows;
    }
}
