/*
 * contacts.c: which pairs have begun and ended since the last call for contacts. It relies on the
 * pairs of pairs.c.
 *
 * The pairs of the last call are kept, sorted, in w->touching. New pairs are sorted and compared
 * with all of these. Mostly few boxes change from call to call. Then only pairs of recently changed
 * boxes (pairs.c calls them restless) can have begun or ended, and only these are sorted; all
 * others are still there.
 *
 * There may be millions of pairs, where many boxes lie in one place. So each list has 8 bytes a
 * pair, and a contact is only made when it is asked for.
 */
#include "world_parts.h"

/* In `touched`, before they are handed out: this bit of a says that the pair has begun. */
static const uint32_t BEGUN = (uint32_t)1 << 31;
static_assert(BS_INDEX_BITS < 31, "indices leave that bit free");

/* --- indices that wait ---------------------------------------------------------------------- */

void bs_world_mention(bs_world *w, bs_pair pair) {
    w->mentions[pair.a]++;
    w->mentions[pair.b]++;
}

static void unmention(bs_world *w, uint32_t index) {
    assert(bs_world_is_mentioned(w, index));
    if (--w->mentions[index] == 0 && !bs_world_alive(w, index)) {
        bs_ids_give_back(&w->ids, index);
    }
}

void bs_world_unmention(bs_world *w, bs_pair pair) {
    unmention(w, pair.a);
    unmention(w, pair.b);
}

/* --- sorting -------------------------------------------------------------------------------- */

/* Whether the pair may have begun since the last call. */
static bool may_be_new(const bs_world *w, bs_pair pair) {
    return w->paired == BS_PAIRED_ANEW ||
           ((w->flags[pair.a] | w->flags[pair.b]) & BS_RESTLESS) != 0;
}

static size_t first_that_may_be_new(const bs_world *w) {
    return w->paired == BS_PAIRED_ANEW ? 0 : w->calm;
}

static size_t count_those_that_may_be_new(const bs_world *w) {
    size_t n = 0;
    for (size_t i = first_that_may_be_new(w); i < w->pairs.n; i++) {
        n += may_be_new(w, w->pairs.at[i]);
    }
    return n;
}

/* Few pairs: sorts n of them, by the insertion of a, then of b. There is room for 2 n + 1 keys. */
static void sort_few(const bs_world *w, bs_keyed *keyed, size_t n, bs_pair *to) {
    bs_keyed *scratch = keyed + n + 1; /* One more is written, and not counted. */
    const bs_pair *pairs = w->pairs.at;
    size_t found = 0;
    for (size_t i = first_that_may_be_new(w); i < w->pairs.n; i++) {
        keyed[found] = (bs_keyed){w->born[pairs[i].b], i};
        found += may_be_new(w, pairs[i]);
    }
    assert(found == n);
    bs_sort(keyed, scratch, n);
    for (size_t i = 0; i < n; i++) {
        keyed[i].key = w->born[pairs[keyed[i].value].a];
    }
    bs_sort(keyed, scratch, n);
    for (size_t i = 0; i < n; i++) {
        to[i] = pairs[keyed[i].value];
    }
}

/* Sorts the pairs of one a by the insertion of b. */
static void sort_row(const bs_world *w, bs_keyed *keyed, bs_pair *row, size_t n) {
    for (size_t i = 0; i < n; i++) {
        keyed[i] = (bs_keyed){w->born[row[i].b], row[i].b};
    }
    bs_sort(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++) {
        row[i].b = (uint32_t)keyed[i].value;
    }
}

/*
 * More pairs than boxes: puts those of each a together, in the order of insertion, and sorts each
 * of these rows. There is room for four keys a box.
 */
static void sort_many(const bs_world *w, bs_keyed *keyed, bs_pair *to) {
    const size_t boxes = w->ids.used;
    bs_keyed *order = keyed;
    bs_keyed *end = keyed + boxes; /* The key is where the row of a box ends. */
    for (uint32_t box = 0; box < boxes; box++) {
        order[box] = (bs_keyed){w->born[box], box};
    }
    bs_sort(order, end, boxes);
    for (size_t i = 0; i < boxes; i++) {
        end[i].key = 0;
    }
    for (size_t i = first_that_may_be_new(w); i < w->pairs.n; i++) {
        end[w->pairs.at[i].a].key += may_be_new(w, w->pairs.at[i]);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < boxes; i++) { /* Until a row is filled it ends where it begins. */
        uint64_t *at = &end[order[i].value].key;
        const uint64_t n = *at;
        *at = sum;
        sum += n;
    }
    for (size_t i = first_that_may_be_new(w); i < w->pairs.n; i++) {
        if (may_be_new(w, w->pairs.at[i])) {
            to[end[w->pairs.at[i].a].key++] = w->pairs.at[i];
        }
    }
    uint64_t begin = 0;
    for (size_t i = 0; i < boxes; i++) {
        const uint64_t row_end = end[order[i].value].key;
        sort_row(w, keyed + 2 * boxes, to + begin, (size_t)(row_end - begin));
        begin = row_end;
    }
    assert(begin == sum);
}

/* Sorts the n pairs that may be new. False: no memory. */
static bool sort_pairs(bs_world *w, size_t n, bs_pair *to) {
    const bool is_few = n < 4 * (size_t)w->ids.used;
    bs_keyed *keyed = bs_world_keyed(w, is_few ? n + 1 : 2 * (size_t)w->ids.used);
    if (keyed == NULL) {
        return false;
    }
    if (is_few) {
        sort_few(w, keyed, n, to);
    } else {
        sort_many(w, keyed, to);
    }
    return true;
}

/* --- comparing ------------------------------------------------------------------------------ */

/* A pair of the last call against one of now, by the insertion of a, then of b. */
static int compare(const bs_world *w, bs_pair then, bs_pair now) {
    const uint64_t a = w->born[then.a], b = w->born[then.b];
    const uint64_t now_a = w->born[now.a], now_b = w->born[now.b];
    if (a != now_a) {
        return a < now_a ? -1 : 1;
    }
    return b < now_b ? -1 : b > now_b;
}

/* The two lists that are compared, in the same order, and what comes of it. */
typedef struct comparison {
    bs_world *w;
    const bs_pair *before;
    const bs_pair *before_end;
    const bs_pair *now;
    const bs_pair *now_end;
    bs_pair *to; /* The pairs that are there now: never beyond `now`. */
} comparison;

/* Copies the pairs of the last call that have certainly stayed, and come before the next one. */
static void copy_stayed(comparison *c) {
    for (; c->before < c->before_end; c->before++) {
        const unsigned flags = c->w->flags[c->before->a] | c->w->flags[c->before->b];
        if ((flags & BS_RESTLESS) != 0 ||
            (c->now < c->now_end && compare(c->w, *c->before, *c->now) > 0)) {
            return;
        }
        *c->to++ = *c->before;
    }
}

/* One pass through both lists. False: no memory. */
static bool run(comparison *c) {
    const bool few = c->w->paired != BS_PAIRED_ANEW;
    bs_pairs *ended = &c->w->ended;
    while (c->before < c->before_end || c->now < c->now_end) {
        if (few) {
            copy_stayed(c);
        }
        const bool was = c->before < c->before_end;
        const bool is = c->now < c->now_end;
        const int order = !was ? 1 : !is ? -1 : compare(c->w, *c->before, *c->now);
        if (order < 0) {
            if (!bs_pairs_reserve(&c->w->heap, ended, 1)) {
                return false;
            }
            ended->at[ended->n++] = *c->before;
        } else if (is) {
            assert(c->to <= c->now);
            *c->to = *c->now;
            c->to->a |= order > 0 ? BEGUN : 0;
            c->to++;
        }
        c->before += order <= 0 && was;
        c->now += order >= 0 && is;
    }
    return true;
}

bs_status bs_world_contacts(bs_world *w, bs_which which, bs_contacts *out) {
    const bs_pairs *pairs;
    if (bs_world_pairs(w, &pairs) != BS_OK) {
        return BS_NO_MEMORY;
    }
    *out = (bs_contacts){.which = which};
    w->ended.n = w->touched.n = 0;
    if (w->paired == BS_PAIRED_SAME) {
        return BS_OK;
    }
    if (!bs_column_make(w, BS_MENTIONS) || !bs_pairs_reserve(&w->heap, &w->touched, pairs->n)) {
        return BS_NO_MEMORY;
    }
    /* What may be new stands at the end of the list that is made, so that it needs no other one. */
    const size_t n = count_those_that_may_be_new(w);
    bs_pair *end = w->touched.at + pairs->n;
    const bs_pair *before = w->touching.at;
    comparison c = {w, before, before + w->touching.n, end - n, end, w->touched.at};
    if (!sort_pairs(w, n, end - n) || !run(&c)) {
        return BS_NO_MEMORY;
    }
    w->touched.n = (size_t)(c.to - w->touched.at);
    assert(w->touched.n == pairs->n);
    return BS_OK;
}

/* --- handing out ---------------------------------------------------------------------------- */

/* The next contact of now, begun or not, if it is asked for. */
static bool next_touched(const bs_world *w, bs_contacts *c, bs_contact *out) {
    const bs_pairs *list = w->paired == BS_PAIRED_SAME ? &w->touching : &w->touched;
    for (; c->next < list->n; c->next++) {
        const bs_pair pair = list->at[c->next];
        const bool begins = (pair.a & BEGUN) != 0;
        if (begins || c->which == BS_ALL_CONTACTS) {
            out->phase = begins ? BS_BEGIN : BS_STAY;
            out->a = bs_world_id(w, pair.a & ~BEGUN);
            out->b = bs_world_id(w, pair.b);
            return true;
        }
    }
    return false;
}

/* Whether the next one that has ended comes before what is handed out next. */
static bool ends_first(const bs_world *w, const bs_contacts *c, const bs_contact *next) {
    const bs_pair now = {bs_id_index(next->a), bs_id_index(next->b)};
    return compare(w, w->ended.at[c->ended], now) < 0;
}

/* The next one of a listener. */
static bool next_heard(const bs_world *w, bs_contacts *c, bs_contact *out) {
    while (c->next < w->listened.n) {
        *out = w->listened.at[c->next++];
        if (c->which == BS_ALL_CONTACTS || out->phase != BS_STAY) {
            return true;
        }
    }
    return false;
}

bool bs_world_next_contact(const bs_world *w, bs_contacts *c, bs_contact *out) {
    if (c->by.who != 0) {
        return next_heard(w, c, out);
    }
    const bool is = next_touched(w, c, out);
    if (c->ended < w->ended.n && (!is || ends_first(w, c, out))) {
        const bs_pair pair = w->ended.at[c->ended++];
        *out = (bs_contact){BS_END, bs_ids_id(&w->ids, pair.a), bs_ids_id(&w->ids, pair.b)};
        return true;
    }
    c->next += is;
    return is;
}

size_t bs_world_count_contacts(const bs_world *w, bs_contacts contacts) {
    size_t n = 0;
    bs_contact next;
    if (contacts.which == BS_ALL_CONTACTS) {
        return contacts.by.who != 0 ? w->listened.n : w->pairs.n + w->ended.n;
    }
    while (bs_world_next_contact(w, &contacts, &next)) {
        n++;
    }
    return n;
}

void bs_world_contacts_done(bs_world *w, bs_contacts contacts) {
    if (contacts.by.who != 0) {
        bs_heard_note(w, contacts.by);
        return;
    }
    assert(!w->all_changed && w->changed.n == 0);
    if (w->paired == BS_PAIRED_SAME) {
        return;
    }
    for (size_t i = 0; i < w->touched.n; i++) {
        bs_pair *pair = &w->touched.at[i];
        if ((pair->a & BEGUN) != 0) {
            pair->a &= ~BEGUN;
            bs_world_mention(w, *pair);
        }
    }
    for (size_t i = 0; i < w->ended.n; i++) {
        bs_world_unmention(w, w->ended.at[i]);
    }
    bs_pairs swap = w->touching;
    w->touching = w->touched;
    w->touched = swap;
    w->ended.n = w->touched.n = 0;
    w->paired = BS_PAIRED_SAME;
}
