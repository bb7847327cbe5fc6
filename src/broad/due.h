/*
 * due.h: when a structure is made anew, and whether a grid casts. All such decisions are here, and
 * their figures with them.
 *
 * Each compares what a structure has cost so far beyond a new one with what a new one costs. So,
 * whatever the boxes do, at most about twice the necessary time is spent.
 */
#ifndef BS_DUE_H
#define BS_DUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- which changes are listed ---------------------------------------------------------------- */

/*
 * If one in eight has moved, it mostly costs less to look at all boxes than at those listed; and
 * if one in four has come or gone, to build all anew.
 */
static inline bool bs_is_many_moved(size_t moved, size_t count) {
    return moved > count / 8;
}
static inline bool bs_is_many_replaced(size_t replaced, size_t count) {
    return replaced > 64 + count / 4;
}

/* --- the tree -------------------------------------------------------------------------------- */

/*
 * How much worse a tree has become. Costs are counted in vector tests, which take 4 ns. A new tree
 * takes 16 ns a box. A box that is inserted or removed by itself takes 50 to 100 ns, and makes the
 * tree a little worse. (Half or twice these figures change no row of the benchmark by more than a
 * tenth.)
 */
typedef struct bs_wear {
    float extent;   /* The mean extent of the leaves when the tree was made. */
    double excess;  /* The part of its vector tests that a new tree would save, 0 to 1. */
    double wasted;  /* The vector tests that new trees would have saved, less those made cost. */
    size_t changes; /* How many boxes came, went or left a leaf's bounds since it was made. */
} bs_wear;

static inline double bs_wear_price(size_t count) {
    const double tests_per_box = 4;
    return tests_per_box * ((double)count + 1);
}

/* A query has taken so many vector tests. */
static inline void bs_wear_charge(bs_wear *w, size_t tests) {
    w->wasted += w->excess * (double)tests;
}

/* The tree is new, or its leaves have been tightened. */
static inline void bs_wear_begin(bs_wear *w, float extent) {
    w->extent = extent;
    w->excess = 0;
    w->changes = 0;
}
static inline void bs_wear_measure(bs_wear *w, float extent) {
    w->excess = extent > w->extent ? 1 - (double)w->extent / (double)extent : 0;
}

/* Whether a tree of `count` boxes, `pending` of which are still to be inserted, is made anew. */
static inline bool bs_wear_is_due(const bs_wear *w, size_t count, size_t pending) {
    const double tests_per_change = 12;
    const double changes = (double)w->changes + (double)pending;
    return w->wasted + tests_per_change * changes >= bs_wear_price(count);
}

/*
 * A tree has been made because it was due. If boxes move far in little time, one frame may waste
 * the price of several new trees. The frames after it then make a new tree each, until that many
 * have been made.
 */
static inline void bs_wear_pay(bs_wear *w, size_t count) {
    const double most_due = 8;
    const double price = bs_wear_price(count);
    const double left = w->wasted > price ? w->wasted - price : 0;
    w->wasted = left < most_due * price ? left : most_due * price;
}

/* --- the order ------------------------------------------------------------------------------- */

/*
 * Whether an order of so many blocks is made anew before a query. A rectangle or a cast looks
 * through the whole tail, and a long tail costs it less than a new order; pairs want none. Dead
 * lanes cost both.
 */
static inline bool bs_order_is_due(size_t blocks, size_t tail, size_t count, bool for_pairs) {
    const size_t most = for_pairs ? 0 : 64 + count / 64;
    return tail > most || blocks > 16 + count / 4;
}

/* --- the grid -------------------------------------------------------------------------------- */

/* What the edge of cells was chosen for. */
typedef struct bs_tuning {
    size_t count; /* The number of boxes; 0: it has not been chosen. */
    double crowd; /* How many share a cell, on average. */
} bs_tuning;

/*
 * Whether the edge must be chosen again, and all boxes be filed anew: there are twice or a quarter
 * as many boxes as when it was chosen, or twice or half as many share a cell.
 */
static inline bool bs_tuning_is_due(const bs_tuning *t, size_t count, double crowd) {
    bool by_count = count > 2 * t->count || 4 * count < t->count;
    return by_count || crowd > 2 * t->crowd || 2 * crowd < t->crowd;
}

/*
 * Whether filing changes has taken so many steps that all boxes are better filed anew: a crowd
 * leaves its cell.
 */
static inline bool bs_filing_is_long(size_t steps, size_t count) {
    return steps > 64 * count;
}

/* --- auto ------------------------------------------------------------------------------------ */

/*
 * What a grid beside the tree saves in casts, less what changes cost in it; while there is no grid,
 * what it would save. The unit is what a change costs in the grid: 20 ns if many are filed at a
 * time, 150 if one is. A cast through the grid saves 150 ns in small worlds, 300 in large ones.
 */
typedef struct bs_credit {
    int64_t saved;
    bool wants_grid;
} bs_credit;

static inline int64_t bs_credit_price(size_t count) {
    return (int64_t)count + 64;
}

/*
 * A grid is wanted when casts would have saved its price, until changes have cost its price more
 * than casts have saved. Without a grid, changes are no loss. Gains and losses beyond the price are
 * forgotten, so that a change of habit is noticed as soon after years as after seconds.
 */
static inline void bs_credit_add(bs_credit *c, int64_t gain, size_t count) {
    const int64_t price = bs_credit_price(count);
    c->saved += gain;
    if (c->saved >= price) {
        c->saved = price;
        c->wants_grid = true;
    } else if (c->saved <= (c->wants_grid ? -price : 0)) {
        c->saved = 0;
        c->wants_grid = false;
    }
}
static inline void bs_credit_cast(bs_credit *c, size_t count) {
    bs_credit_add(c, 4, count);
}
static inline void bs_credit_change(bs_credit *c, size_t changes, size_t count) {
    bs_credit_add(c, -(int64_t)changes, count);
}

#endif
