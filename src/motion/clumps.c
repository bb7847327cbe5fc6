/*
 * clumps.c: bodies that have met too often in a step. It relies on the paths of bodies.c.
 *
 * Bodies that are pressed together give each other less and less, without an end. A body that has
 * met too often sticks to whatever it meets for the rest of the step. What sticks together is a
 * clump, and moves as one: with the momentum of all, as far as that leads into nothing on which one
 * of them rests. So nothing overlaps, and momentum is kept. A clump that meets too often stops.
 *
 * The first body of a clump, by place, has its mass and its supports.
 */
#include "bodies.h"

#include <string.h>

void bs_clump_tire(bs_body *clump) {
    if (clump->contacts > BS_MOST_CONTACTS) {
        clump->contacts = 0;
        clump->is_jammed = clump->sticks;
        clump->sticks = true;
    }
}

/* Adds the supports of one clump to those of the other, but for those that are in one of them. */
static bool add_supports(bs_bodies *s, bs_body *to, const bs_body *from) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < to->supports; i++) {
        bs_support x = s->support.at[to->support + i];
        s->support.at[to->support + n] = x;
        n += x.on == BS_NOBODY || bs_clump_of(s, x.on) != from;
    }
    to->supports = (uint8_t)n;
    for (uint32_t i = 0; i < from->supports; i++) {
        bs_support x = s->support.at[from->support + i];
        bool inside = x.on != BS_NOBODY && bs_clump_of(s, x.on) == to;
        if (!inside && !bs_body_support(s, to, x.on, x.friction, x.normal)) {
            return false;
        }
    }
    return true;
}

bool bs_clump_merge(bs_bodies *s, uint32_t first, uint32_t second) {
    bs_body *a = bs_clump_of(s, first);
    bs_body *b = bs_clump_of(s, second);
    uint32_t head = a->clump;
    uint32_t last = b->clump;
    if (!add_supports(s, a, b)) {
        return false;
    }
    a->weight = 1 / (1 / a->weight + 1 / b->weight);
    a->contacts = a->contacts > b->contacts ? a->contacts : b->contacts;
    a->sticks = true;
    b->waits = false;
    a->is_jammed = a->is_jammed || b->is_jammed;
    for (uint32_t i = last;; i = s->body.at[i].next) {
        s->body.at[i].clump = head;
        s->body.at[i].sticks = true;
        if (s->body.at[i].next == last) {
            s->body.at[i].next = a->next;
            a->next = last;
            return true;
        }
    }
}
