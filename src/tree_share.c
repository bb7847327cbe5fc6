/*
 * tree_share.c: leaves of a new tree that overlap deeply share their boxes anew, two by two.
 *
 * Boxes were packed by their centres. Where some are much larger than most, and all lie close
 * together, that makes leaves too large: each has some large box, and sticks out as far as that.
 *
 * So two leaves look at all their boxes from the lower sides of what is around them, or from the
 * upper ones: the half that begins nearest to one of these may go together, as may the others, if
 * the perimeters of both become less. After the split of an R*-tree's node, which sorts by lower
 * and by upper sides, too (Beckmann, Kriegel, Schneider and Seeger, "The R*-tree: an efficient and
 * robust access method for points and rectangles", 1990).
 */
#include "block_load.h"
#include "tree_parts.h"

enum {
    BOTH = 2 * BS_LANES,
    SIDES = 2 * DIM /* of what is around two leaves: the lower ones, then the upper ones */
};

/* Two leaves that overlap by so much of what is around them, on each axis, may gain by sharing. */
static const float DEEP = 0.4f;

/*
 * The boxes of two leaves: how far they begin from the lower, or else the upper, side of what is
 * around both, by axis; and how far from each side they end: from the lower ones, then the upper.
 */
typedef struct tree_view {
    uint32_t near[DIM][BOTH]; /* as bits, which are in the same order: none is negative */
    float reach[SIDES][BOTH];
} tree_view;

/* Some of the boxes of two leaves: a mask for the lanes of each. */
typedef struct tree_half {
    bs_f8 lanes[2];
} tree_half;

static void tree_look(tree_view *view, const bs_block *leaf, int first, const bs_bounds *around,
                      bool upper) {
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 from = bs_f8_set(around->lo[k]);
        bs_f8 to = bs_f8_set(around->hi[k]);
        bs_f8 lo = bs_f8_load(leaf->lo[k]);
        bs_f8 hi = bs_f8_load(leaf->hi[k]);
        bs_f8 near = upper ? bs_f8_sub(to, hi) : bs_f8_sub(lo, from);
        bs_u8_store(view->near[k] + first, bs_u8_bits(near));
        bs_f8_store(view->reach[k] + first, bs_f8_sub(hi, from));
        bs_f8_store(view->reach[DIM + k] + first, bs_f8_sub(to, lo));
    }
}

/* How far a half reaches from all sides together: the sum of its own sides and a constant. */
static float tree_reach(const tree_view *view, const tree_half *half) {
    float sum = 0;
#pragma GCC unroll 6
    for (int side = 0; side < SIDES; side++) {
        const float *reach = view->reach[side];
        bs_f8 a = bs_f8_both(half->lanes[0], bs_f8_load(reach));
        bs_f8 b = bs_f8_both(half->lanes[1], bs_f8_load(reach + BS_LANES));
        sum += bs_f8_greatest(bs_f8_max(a, b));
    }
    return sum;
}

/* The same for both leaves as they are. */
static float tree_reach_now(const tree_view *view) {
    const bs_f8 none = bs_f8_set(0);
    const bs_f8 all = bs_f8_not_above(none, none);
    const tree_half first = {{all, none}};
    const tree_half second = {{none, all}};
    return tree_reach(view, &first) + tree_reach(view, &second);
}

/* How far both halves reach if that of *first, the boxes nearest to a side, is one. */
static float tree_try_side(const tree_view *view, int axis, unsigned *first) {
    const bs_u8 middle[2] = {bs_u8_set(BS_LANES), bs_u8_set(BS_LANES - 1)};
    uint32_t key[BOTH];
    uint32_t rank[BOTH];
    tree_half near;
    tree_half rest;
    for (uint32_t i = 0; i < BOTH; i++) { /* of those just as near the first ones come first */
        key[i] = (view->near[axis][i] & ~(BOTH - 1u)) | i;
    }
    bs_ranks(key, rank, BOTH);
    *first = 0;
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        bs_u8 ranks = bs_u8_load(rank + i * BS_LANES);
        near.lanes[i] = bs_u8_below(ranks, middle[0]);
        rest.lanes[i] = bs_u8_below(middle[1], ranks);
        *first |= bs_f8_signs(near.lanes[i]) << i * BS_LANES;
    }
    assert(bs_count_lanes(*first) == BS_LANES);
    return tree_reach(view, &near) + tree_reach(view, &rest);
}

/* Fills a leaf with eight boxes. */
static void tree_fill_leaf(bs_tree *t, uint32_t leaf, const uint32_t *boxes) {
    bs_block *block = &t->node[leaf];
    bs_tree_link link = t->link[leaf];
    for (uint32_t lane = 0; lane < BS_LANES; lane++) {
        block->id[lane] = boxes[lane];
        t->place[boxes[lane]] = leaf * BS_LANES + lane;
    }
    bs_bounds bounds = bs_block_load(block, t->base.boxes->rect, BS_LANES);
    bs_block_set(&t->node[link.parent], link.lane, bounds, bs_tree_name(leaf));
}

/* Deals out the boxes of two leaves: those of the lanes in `first` go to leaf a. */
static void tree_deal(bs_tree *t, uint32_t a, uint32_t b, unsigned first) {
    uint32_t boxes[BOTH + BS_OVERRUN];
    bs_list list = {boxes, 0, sizeof boxes / sizeof *boxes};
    unsigned of_a = first & BS_ALL_LANES;
    unsigned of_b = first >> BS_LANES;
    bs_append(&list, t->node[a].id, of_a);
    bs_append(&list, t->node[b].id, of_b);
    assert(list.n == BS_LANES);
    bs_append(&list, t->node[a].id, of_a ^ BS_ALL_LANES);
    bs_append(&list, t->node[b].id, of_b ^ BS_ALL_LANES);
    assert(list.n == BOTH);
    tree_fill_leaf(t, a, boxes);
    tree_fill_leaf(t, b, boxes + BS_LANES);
}

/* Whether the two have become smaller. They look from the lower sides, or from the upper ones. */
static bool tree_share_two(bs_tree *t, uint32_t a, uint32_t b, bool upper) {
    if (t->link[a].count < BS_LANES || t->link[b].count < BS_LANES) {
        return false;
    }
    tree_view view;
    bs_bounds around = bs_bounds_union(bs_tree_bounds(t, a), bs_tree_bounds(t, b));
    tree_look(&view, &t->node[a], 0, &around, upper);
    tree_look(&view, &t->node[b], BS_LANES, &around, upper);
    float now = tree_reach_now(&view);
    float least = now;
    unsigned best = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        unsigned first;
        float reach = tree_try_side(&view, k, &first);
        best = reach < least ? first : best;
        least = reach < least ? reach : least;
    }
    if (least < now) {
        tree_deal(t, a, b, best);
        return true;
    }
    return false;
}

/* --- which leaves --------------------------------------------------------------------------- */

/* The pairs of lanes in a round that overlap deeply. */
static unsigned tree_find_deep(const bs_block *node, int round) {
    unsigned shallow = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 lo = bs_f8_home(node->lo[k], round);
        bs_f8 hi = bs_f8_home(node->hi[k], round);
        bs_f8 other_lo = bs_f8_away(node->lo[k], round);
        bs_f8 other_hi = bs_f8_away(node->hi[k], round);
        bs_f8 both = bs_f8_sub(bs_f8_min(hi, other_hi), bs_f8_max(lo, other_lo));
        bs_f8 around = bs_f8_sub(bs_f8_max(hi, other_hi), bs_f8_min(lo, other_lo));
        shallow |= bs_f8_signs(bs_f8_not_above(both, bs_f8_mul(around, bs_f8_set(DEEP))));
    }
    return bs_round_once(~shallow & BS_ALL_LANES, round); /* empty lanes: -inf is not above -inf */
}

/*
 * Leaves under one node share, two by two. Returns how often that was tried. Where neighbours do
 * not overlap deeply, or mostly cannot gain, as in a crowd of boxes of one size, no others are
 * tried.
 */
static size_t tree_share_under(bs_tree *t, uint32_t node) {
    const bs_block *block = &t->node[node];
    size_t all = 0;
    assert(t->link[node].level == 1);
    for (int round = 0; round < BS_ROUNDS; round++) {
        unsigned deep = tree_find_deep(block, round);
        unsigned tried = bs_count_lanes(deep);
        unsigned shared = 0;
        for (; deep != 0; deep &= deep - 1) {
            int i = bs_first_lane(deep);
            uint32_t a = bs_tree_named(block->id[bs_home_lane(i, round)]);
            uint32_t b = bs_tree_named(block->id[bs_away_lane(i, round)]);
            shared += tree_share_two(t, a, b, round % 2 == 1);
        }
        all += tried;
        if (all == 0 || 3 * shared < tried) {
            break;
        }
    }
    return all;
}

size_t bs_tree_share(bs_tree *t) {
    size_t tries = 0;
    assert(t->ordered && bs_tree_is_synced(t));
    for (uint32_t node = t->leaves + 1; node < t->used && t->link[node].level == 1; node++) {
        tries += tree_share_under(t, node);
    }
    return tries;
}
