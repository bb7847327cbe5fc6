/*
 * backend_test.c: compares every back end with a plain one in doubles, by random calls.
 *
 *     cc -std=c11 -DDIM=2 -I src spec/core/backend_test.c src/[a-z]*.c -lm -o backend_test
 *     ./backend_test [rounds [seed [name]]]
 *
 * A round has one kind of coordinates, two sets of boxes as in a world (one for static boxes, one
 * for the others), and some dozens of calls. After each call, the checkers of both sets must find
 * nothing, and the answer must be that of a double loop: the same boxes or pairs, each once. A
 * second pair of sets, in the variant for any processor, gets the same calls and must answer in the
 * same order. In some rounds memory runs out at times. Then a call may fail, but it must not change
 * anything, and it must succeed when there is memory again.
 *
 * The first mismatch is printed with the seed that repeats it: `./backend_test 1 seed name`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/backends.h"
#include "checkers/checkers.h"
#include "limited_memory.h"

enum { SETS = 2, STEPS = 60, MAX_BOXES = 3000, MAX_VISITS = 64 * MAX_BOXES };

/* --- random numbers ------------------------------------------------------------------------- */

static uint64_t random_state;

/* splitmix64 (Steele, Lea, Flood, 2014). */
static uint64_t random_bits(void) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double random_unit(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

static double random_real(double lo, double hi) {
    return lo + (hi - lo) * random_unit();
}

/* A random integer from lo to hi, including both. */
static int random_int(int lo, int hi) {
    return lo + (int)(random_bits() % (uint64_t)(hi - lo + 1));
}

static bool chance(double p) {
    return random_unit() < p;
}

/* --- kinds of coordinates ------------------------------------------------------------------- */

typedef enum kind {
    TIES,
    HALVES,
    ARBITRARY,
    SPARSE,
    FAR_AWAY,
    TINY,
    TINIEST,
    HUGE_NUMBERS,
    ONE_PLACE,
    CROWD,
    MANY_SIZES,
    MIXTURE
} coordinate_kind;

static const char *const kind_name[] = {"ties",      "halves", "arbitrary",  "sparse",
                                        "far away",  "tiny",   "tiniest",    "huge",
                                        "one place", "crowd",  "many sizes", "mixture"};

static double pick(const double *from, int n) {
    return from[random_int(0, n - 1)];
}

/*
 * A multiple of a random unit. Both are drawn in statements of their own, because C may evaluate
 * operands in any order.
 */
static double multiple(int least, int most, const double *units, int n) {
    double unit = pick(units, n);
    return random_int(least, most) * unit;
}

static double far_away(void) {
    double middle = chance(0.9) ? 1e9 : -1e9;
    return middle + random_int(-6, 6) * 0.37;
}

static double tiny(void) {
    double x = random_int(-6, 6) * 1e-9;
    return x + random_int(-1, 1) * 1e-18;
}

static const double tiniest[] = {1e-300, 5e-324};

static double coordinate(coordinate_kind k) {
    const double scales[] = {1, 1e19, 1e38, 1e300, 1e307};
    switch (k) {
    case TIES:
        return random_int(-6, 6);
    case HALVES:
        return random_int(-60, 60) * 0.5;
    case ARBITRARY:
    case MANY_SIZES:
        return random_real(-300, 300);
    case SPARSE:
        return random_real(-1e6, 1e6);
    case FAR_AWAY:
        return far_away();
    case TINY:
        return tiny();
    case TINIEST:
        return multiple(-6, 6, tiniest, 2);
    case HUGE_NUMBERS:
        return chance(0.05) ? (chance(0.5) ? 1 : -1) * DBL_MAX : multiple(-6, 6, scales, 5);
    case ONE_PLACE:
        return 12.3;
    case CROWD:
        return random_real(-4, 4);
    default:
        return coordinate((coordinate_kind)random_int(TIES, MANY_SIZES));
    }
}

/* A random size above 0. */
static double extent(coordinate_kind k) {
    const double scales[] = {1, 1e19, 1e38, 1e300, 1e307};
    switch (k) {
    case TIES:
        return random_int(1, 4);
    case HALVES:
        return random_int(1, 20) * 0.5;
    case ARBITRARY:
    case SPARSE:
        return random_real(5, 30);
    case FAR_AWAY:
        return random_int(1, 4) * 0.37;
    case TINY:
        return random_int(1, 4) * 1e-9;
    case TINIEST:
        return multiple(1, 4, tiniest, 2);
    case HUGE_NUMBERS:
        return multiple(1, 4, scales, 5);
    case ONE_PLACE:
        return 4.5;
    case CROWD: /* most boxes overlap, but not all */
        return chance(0.99) ? random_real(9, 30) : 0.5;
    case MANY_SIZES:
        return exp(random_real(-8, 14));
    default:
        return extent((coordinate_kind)random_int(TIES, MANY_SIZES));
    }
}

static bs_rect random_box(coordinate_kind kind) {
    bs_rect r;
    do {
        for (int k = 0; k < DIM; k++) {
            r.pos[k] = coordinate(kind);
            r.size[k] = extent(kind);
        }
    } while (!bs_rect_is_box(&r));
    return r;
}

/*
 * A rect with finite corners, as a world has them. The far side may be infinite, as with circles.
 */
static bs_rect random_query(coordinate_kind kind) {
    bs_rect r = random_box(kind);
    for (int k = 0; k < DIM; k++) {
        if (chance(0.2)) {
            r.size[k] = 0;
        } else if (chance(0.05)) {
            r.pos[k] = -DBL_MAX;
            r.size[k] = HUGE_VAL;
        } else if (chance(0.1)) {
            r.size[k] *= 100;
        }
    }
    return r;
}

/* --- the world ------------------------------------------------------------------------------ */

typedef struct world {
    const bs_backend_type *type;
    coordinate_kind kind;
    bool fails; /* memory runs out at times */
    uint64_t seed;
    int step;
    const char *doing;

    limited_memory memory;
    bs_heap heap;
    bs_boxes boxes;
    bs_rect *rect;
    uint8_t flags[MAX_BOXES]; /* as those of a world's boxes */
    int owner[MAX_BOXES];     /* which set holds the box, or -1 for none */
    bs_backend *set[SETS];
    /* The variant for any processor, or NULL if there was no memory for it. */
    bs_backend *twin[SETS];
    bs_list found, found_twin;
    bs_pairs pairs, pairs_twin;
} world;

static _Noreturn void fail(const world *w, const char *what) {
    fprintf(stderr, "%s, DIM %d, %s, %s coordinates, step %d, seed %" PRIu64 ": %s\n",
            w->type->name, DIM, w->fails ? "failing memory" : "enough memory", kind_name[w->kind],
            w->step, w->seed, w->doing);
    fprintf(stderr, "    %s\n", what);
    exit(1);
}

static void expect(const world *w, bool condition, const char *what) {
    if (!condition) {
        fail(w, what);
    }
}

static void check_sets(const world *w) {
    for (int s = 0; s < SETS; s++) {
        const char *broken = bs_backend_check(w->set[s]);
        expect(w, broken == NULL, broken);
        broken = w->twin[s] != NULL ? bs_backend_check(w->twin[s]) : NULL;
        expect(w, broken == NULL, broken);
    }
}

/* Makes memory run out after some requests, or never. */
static void start_failing(world *w) {
    w->memory.left = w->fails && chance(0.5) ? random_int(0, 6) : -1;
}

/*
 * To be called after each attempt of a call. Returns true if the call must be repeated, now with
 * enough memory.
 */
static bool try_again(world *w, bool done) {
    bool failing = w->memory.left >= 0;
    w->memory.left = -1;
    expect(w, done || failing, "failed although there was memory");
    check_sets(w);
    return !done;
}

/* --- the oracle ----------------------------------------------------------------------------- */

static int compare_boxes(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_pairs(const void *a, const void *b) {
    const bs_pair *x = a;
    const bs_pair *y = b;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

/*
 * Expects the pairs of a box of set s and a box of set t, in order. If s and t are the same set,
 * expects the pairs of two different boxes.
 */
static void expect_pairs(const world *w, int s, int t, bs_pairs *have) {
    if (have->n > 0) {
        qsort(have->at, have->n, sizeof *have->at, compare_pairs);
    }
    size_t n = 0;
    for (uint32_t a = 0; a < w->boxes.cap; a++) {
        for (uint32_t b = a + 1; b < w->boxes.cap; b++) {
            bool meant =
                (w->owner[a] == s && w->owner[b] == t) || (w->owner[a] == t && w->owner[b] == s);
            if (meant && bs_overlap(&w->rect[a], &w->rect[b])) {
                expect(w, n < have->n, "a pair is missing");
                int order = compare_pairs(&have->at[n++], &(bs_pair){a, b});
                expect(w, order >= 0, "a pair too many");
                expect(w, order <= 0, "a pair is missing");
            }
        }
    }
    expect(w, n == have->n, "a pair too many");
}

/* Expects the boxes of set s that overlap r, or all of them if r is NULL. */
static void expect_boxes(const world *w, int s, const bs_rect *r, bs_list *have) {
    if (have->n > 0) {
        qsort(have->at, have->n, sizeof *have->at, compare_boxes);
    }
    size_t n = 0;
    for (uint32_t box = 0; box < w->boxes.cap; box++) {
        if (w->owner[box] == s && (r == NULL || bs_overlap(&w->rect[box], r))) {
            expect(w, n < have->n && have->at[n] <= box, "a box is missing");
            expect(w, have->at[n] == box, "a box too many");
            n++;
        }
    }
    expect(w, n == have->n, "a box too many");
}

/* --- calls: changes ------------------------------------------------------------------------- */

/* A random box of set s, or UINT32_MAX if none was found. */
static uint32_t random_member(const world *w, int s) {
    for (int tries = 0; tries < 50 && w->boxes.cap > 0; tries++) {
        uint32_t box = (uint32_t)random_int(0, (int)w->boxes.cap - 1);
        if (w->owner[box] == s) {
            return box;
        }
    }
    return UINT32_MAX;
}

/* Makes room for more indices. All rects move to another place in memory. */
static void grow(world *w, size_t cap) {
    bs_rect *moved = malloc(cap * sizeof *moved);
    if (moved == NULL) {
        abort();
    }
    if (w->rect != NULL) {
        memcpy(moved, w->rect, w->boxes.cap * sizeof *moved);
    }
    for (size_t i = w->boxes.cap; i < cap; i++) {
        w->owner[i] = -1;
    }
    free(w->rect);
    w->rect = moved;
    w->boxes = (bs_boxes){moved, w->flags, cap};
}

/* The flags of boxes in a set. */
static const uint8_t set_flags[SETS] = {1, 3};

static void do_insert(world *w, int s) {
    w->doing = "insert";
    uint32_t box = random_member(w, -1);
    if (box == UINT32_MAX && w->boxes.cap < MAX_BOXES) {
        box = (uint32_t)w->boxes.cap;
        size_t cap = w->boxes.cap + (size_t)random_int(1, 20);
        grow(w, cap < MAX_BOXES ? cap : MAX_BOXES);
    }
    if (box == UINT32_MAX) {
        return;
    }
    w->rect[box] = random_box(w->kind);
    w->flags[box] = set_flags[s] | (chance(0.5) ? 4 : 0);
    w->owner[box] = s;
    start_failing(w);
    bs_backend_came(w->set[s], box);
    if (w->twin[s] != NULL) {
        bs_backend_came(w->twin[s], box);
    }
    try_again(w, true);
}

static void do_remove(world *w, int s) {
    w->doing = "remove";
    uint32_t box = random_member(w, s);
    if (box == UINT32_MAX) {
        return;
    }
    start_failing(w);
    bs_backend_left(w->set[s], box);
    if (w->twin[s] != NULL) {
        bs_backend_left(w->twin[s], box);
    }
    w->flags[box] = 0;
    w->owner[box] = -1;
    if (chance(0.1)) { /* its rect does not count any more */
        w->rect[box].size[0] = (double)NAN;
    }
    try_again(w, true);
}

static void move_box(world *w, uint32_t box) {
    bs_rect *r = &w->rect[box];
    bs_rect moved = *r;
    for (int k = 0; k < DIM; k++) { /* mostly by a small distance */
        moved.pos[k] += random_real(-0.2, 0.2) * moved.size[k];
    }
    *r = chance(0.7) && bs_rect_is_box(&moved) ? moved : random_box(w->kind);
}

/* Moves some boxes. Memory may run out, but the update cannot fail. */
static void do_update(world *w, int s) {
    w->doing = "update";
    uint32_t boxes[MAX_BOXES];
    size_t n = 0;
    double share = chance(0.3) ? 1 : random_unit() * random_unit();
    for (uint32_t box = 0; box < w->boxes.cap; box++) {
        if (w->owner[box] == s && chance(share)) {
            move_box(w, box);
            boxes[n++] = box;
        }
    }
    start_failing(w);
    bs_backend_moved(w->set[s], boxes, n);
    if (w->twin[s] != NULL) {
        bs_backend_moved(w->twin[s], boxes, n);
    }
    try_again(w, true);
}

/* Inserts or removes many boxes. */
static void do_many(world *w, int s) {
    int n = chance(0.1) ? random_int(1, 800) : random_int(1, 60);
    if (chance(0.3)) {
        for (int i = 0; i < n; i++) {
            do_remove(w, s);
        }
        return;
    }
    for (int i = 0; i < n; i++) {
        do_insert(w, s);
    }
}

/* --- calls: questions ----------------------------------------------------------------------- */

/* The pairs of a box of set s and one of set t, or of two of set s if t is the same. */
static bool find_pairs(bs_backend *const set[SETS], int s, int t, bs_pairs *out) {
    out->n = 0;
    return s == t ? bs_backend_pairs(set[s], out) : bs_backend_cross(set[s], set[t], out);
}

static void ask_pairs(world *w, int s, int t) {
    bool done;
    start_failing(w);
    do {
        done = find_pairs(w->set, s, t, &w->pairs);
    } while (try_again(w, done));
    if (w->twin[s] != NULL) {
        expect(w, find_pairs(w->twin, s, t, &w->pairs_twin), "no memory");
        expect(w, w->pairs.n == w->pairs_twin.n, "the variants find other pairs");
        for (size_t i = 0; i < w->pairs.n; i++) {
            int order = compare_pairs(&w->pairs.at[i], &w->pairs_twin.at[i]);
            expect(w, order == 0, "the variants find pairs in another order");
        }
    }
    expect_pairs(w, s, t, &w->pairs);
}

static void do_pairs(world *w, int s) {
    w->doing = "pairs";
    ask_pairs(w, s, s);
}

static void do_cross(world *w, int s) {
    w->doing = "cross";
    ask_pairs(w, s, SETS - 1 - s);
}

static bs_list *reset(bs_list *list) {
    list->n = 0;
    return list;
}

static void expect_same_boxes(const world *w) {
    expect(w, w->found.n == w->found_twin.n, "the variants find other boxes");
    for (size_t i = 0; i < w->found.n; i++) {
        expect(w, w->found.at[i] == w->found_twin.at[i],
               "the variants find boxes in another order");
    }
}

static void do_query(world *w, int s) {
    w->doing = "query";
    uint32_t member = chance(0.5) ? random_member(w, s) : UINT32_MAX;
    bs_rect r = member == UINT32_MAX ? random_query(w->kind) : w->rect[member];
    bool done;
    start_failing(w);
    do {
        w->found.n = 0;
        done = bs_backend_query(w->set[s], &r, &w->found);
    } while (try_again(w, done));
    if (w->twin[s] != NULL) {
        w->found_twin.n = 0;
        expect(w, bs_backend_query(w->twin[s], &r, &w->found_twin), "no memory");
        expect_same_boxes(w);
    }
    expect_boxes(w, s, &r, &w->found);
}

/* Queries for boxes of either set, some perhaps twice. */
static void do_query_boxes(world *w, int s) {
    w->doing = "query boxes";
    uint32_t boxes[BS_TOGETHER];
    size_t ends[BS_TOGETHER] = {0};
    size_t n = 0;
    for (int i = random_int(1, BS_TOGETHER); i > 0; i--) {
        uint32_t box = random_member(w, random_int(0, SETS - 1));
        if (box != UINT32_MAX) {
            boxes[n++] = box;
        }
    }
    if (n == 0) {
        return;
    }
    bool done;
    start_failing(w);
    do {
        w->found.n = 0;
        done = bs_backend_query_boxes(w->set[s], boxes, n, &w->found, ends);
    } while (try_again(w, done));
    if (w->twin[s] != NULL) {
        size_t ends_twin[BS_TOGETHER] = {0};
        w->found_twin.n = 0;
        expect(w, bs_backend_query_boxes(w->twin[s], boxes, n, &w->found_twin, ends_twin),
               "no memory");
        expect_same_boxes(w);
        expect(w, memcmp(ends, ends_twin, sizeof ends) == 0, "the variants end elsewhere");
    }
    expect(w, w->found.n == ends[n - 1], "ends elsewhere");
    size_t begin = 0;
    for (size_t i = 0; i < n; i++) {
        expect(w, begin <= ends[i], "ends before it begins");
        bs_list part = {NULL, ends[i] - begin, 0};
        part.at = part.n > 0 ? w->found.at + begin : NULL;
        expect_boxes(w, s, &w->rect[boxes[i]], &part);
        begin = ends[i];
    }
}

/* --- calls: casts --------------------------------------------------------------------------- */

/*
 * Searches as a world does. It takes the nearest hit. Of hits at the same time it prefers a face to
 * an edge or corner, then the box that was inserted first. Some searches record all visited boxes
 * instead. Either the cast itself decides on a box, or `visit` does.
 */
typedef struct search {
    bs_cast cast;
    const world *w;
    bool all;
    bool reversed; /* boxes with greater indices count as inserted earlier */
    uint32_t skip; /* this box is ignored */
    uint32_t best;
    double t;
    bool corner;
    unsigned char visits[MAX_BOXES];
    bs_list *order; /* the order of the visits */
    int set;
    bool both; /* search one set after the other, as in a world */
} search;

static bool holds(const search *s, uint32_t box) {
    int owner = s->w->owner[box];
    return s->both ? owner >= 0 : owner == s->set;
}

/* Takes a hit as the best one if it is better than the best so far. */
static bool take(search *s, const bs_touch *touch, uint32_t box) {
    bool first = s->reversed ? box > s->best : box < s->best;
    if (touch->corner != s->corner) {
        first = s->corner;
    }
    if (s->best != UINT32_MAX && (touch->t > s->t || (touch->t == s->t && !first))) {
        return false;
    }
    s->best = box;
    s->t = touch->t;
    s->corner = touch->corner;
    return true;
}

static void visit(bs_cast *cast, uint32_t box) {
    search *s = (search *)cast;
    expect(s->w, box < s->w->boxes.cap && holds(s, box), "visits what it does not hold");
    bool cells = strcmp(s->w->type->name, "grid") == 0 || strcmp(s->w->type->name, "auto") == 0;
    expect(s->w, s->visits[box] == 0 || cells, "visits a box twice");
    s->visits[box] = 1;
    expect(s->w, s->order->n < MAX_VISITS, "visits boxes again and again");
    s->order->at[s->order->n++] = box;
    bs_touch touch;
    bool counts = box != s->skip && !s->all;
    if (counts && bs_sweep(cast->from, cast->motion, &s->w->rect[box], NULL, &touch) &&
        take(s, &touch, box)) {
        cast->limit = bs_cast_limit(touch.t);
    }
}

static void expect_hits(const world *w, const search *s) {
    static search want; /* too large for some stacks */
    bs_touch first = {0};
    want.best = UINT32_MAX;
    want.reversed = s->reversed;
    for (uint32_t box = 0; box < w->boxes.cap; box++) {
        bs_touch touch;
        if (!holds(s, box) || box == s->skip ||
            !bs_sweep(s->cast.from, s->cast.motion, &w->rect[box], NULL, &touch)) {
            continue;
        }
        expect(w, !s->all || s->visits[box] == 1, "does not visit a box that is hit");
        if (take(&want, &touch, box)) {
            first = touch;
        }
    }
    bool same = s->best == want.best && (want.best == UINT32_MAX || s->t == want.t);
    expect(w, s->all || same, "finds another first hit");
    if (s->cast.visit == bs_cast_meet && want.best != UINT32_MAX) {
        bs_touch touch = bs_entry_touch(&s->cast.entry);
        expect(w, memcmp(touch.normal, first.normal, sizeof first.normal) == 0, "another normal");
    }
}

static void random_motion(const world *w, double motion[DIM]) {
    for (int k = 0; k < DIM; k++) {
        motion[k] = coordinate(w->kind);
        motion[k] -= chance(0.5) ? coordinate(w->kind) : 0;
        if (!isfinite(motion[k]) || chance(0.2)) {
            motion[k] = 0;
        } else if (chance(0.1)) {
            const double odd[] = {1e-320, 1e-30, 1e9, 1e19, 1e300, -1e300, DBL_MAX, -DBL_MAX};
            motion[k] = pick(odd, 8);
        }
    }
}

/* A motion that is on no axis longer than the moving box. Most moves in a game are like that. */
static void short_motion(const bs_rect *from, double motion[DIM]) {
    const double share[] = {-1, -0.75, -0.0625, 0, 0.25, 1};
    for (int k = 0; k < DIM; k++) {
        motion[k] = from->size[k] * (chance(0.5) ? pick(share, 6) : random_real(-1, 1));
    }
}

/* Runs a prepared search in the sets or in their twins. */
static bool run_search(search *run, const search *prepared, bs_backend *sets[SETS],
                       bs_list *order) {
    *run = *prepared;
    run->order = order;
    order->n = 0;
    bool done = true;
    for (int s = 0; s < SETS; s++) {
        bool asked = prepared->both || s == prepared->set;
        done = done && (!asked || bs_backend_cast(sets[s], &run->cast));
    }
    if (run->cast.visit == bs_cast_meet) {
        run->best = run->cast.first;
        run->t = run->cast.entry.t;
    }
    return done;
}

static void cast_once(world *w, int s) {
    uint32_t member = chance(0.5) ? random_member(w, s) : UINT32_MAX;
    bs_rect from = member == UINT32_MAX ? random_box(w->kind) : w->rect[member];
    bool point = chance(0.4);
    for (int k = 0; k < DIM && point; k++) {
        from.size[k] = 0;
    }
    double motion[DIM];
    random_motion(w, motion);
    if (chance(0.3)) {
        short_motion(&from, motion);
    }
    static uint64_t born[MAX_BOXES];
    static struct search prepared; /* too large for some stacks */
    static struct search run;
    bool decides = chance(0.5); /* the cast decides by itself */
    for (uint32_t box = 0; box < MAX_BOXES; box++) {
        born[box] = MAX_BOXES - box;
    }
    memset(&prepared, 0, sizeof prepared);
    bs_cast_begin(&prepared.cast, &w->boxes, &from, motion, decides ? bs_cast_meet : visit);
    prepared.w = w;
    prepared.all = !decides && chance(0.5);
    prepared.reversed = chance(0.3);
    prepared.best = UINT32_MAX;
    prepared.set = s;
    prepared.both = chance(0.3);
    prepared.skip = chance(0.3) ? random_member(w, s) : chance(0.5) ? member : UINT32_MAX;
    prepared.cast.skip = prepared.skip;
    prepared.cast.born = prepared.reversed ? born : NULL;
    expect(w,
           bs_list_reserve(&w->heap, reset(&w->found), MAX_VISITS) &&
               bs_list_reserve(&w->heap, reset(&w->found_twin), MAX_VISITS),
           "no memory");
    bool done;
    start_failing(w);
    do {
        done = run_search(&run, &prepared, w->set, &w->found);
    } while (try_again(w, done));
    expect_hits(w, &run);
    if (w->twin[s] != NULL) {
        expect(w, run_search(&run, &prepared, w->twin, &w->found_twin), "no memory");
        expect_hits(w, &run);
        expect_same_boxes(w);
    }
}

static void do_cast(world *w, int s) {
    enum { CASTS = 8 };
    w->doing = "cast";
    for (int i = 0; i < CASTS; i++) {
        cast_once(w, s);
    }
}

/* The size may be infinite if boxes lie at both ends of the range of doubles. */
static void do_inspect(world *w, int s) {
    w->doing = "pictures and stats";
    bs_pictures pictures = {0};
    bool done;
    start_failing(w);
    do {
        pictures.n = 0;
        done = bs_backend_pictures(w->set[s], &pictures);
    } while (try_again(w, done));
    for (size_t i = 0; i < pictures.n; i++) {
        for (int k = 0; k < DIM; k++) {
            const bs_rect *r = &pictures.at[i].rect;
            expect(w, isfinite(r->pos[k]) && r->size[k] >= 0, "a shape is not a rect");
        }
    }
    size_t n = pictures.n;
    bs_backend *other = w->twin[s] != NULL ? w->twin[s] : w->set[s]; /* Itself, with memory. */
    pictures.n = 0;
    expect(w, bs_backend_pictures(other, &pictures), "no memory");
    expect(w, pictures.n == n, "shows other pictures");
    bs_array_free(&w->heap, &pictures.at, &pictures.cap, sizeof *pictures.at);
    bs_stats stats;
    memset(&stats, 0, sizeof stats);
    w->set[s]->type->stats(w->set[s], &stats);
    size_t boxes = 0;
    for (size_t box = 0; box < w->boxes.cap; box++) {
        boxes += w->owner[box] == s;
    }
    expect(w, stats.boxes == boxes && w->set[s]->count == boxes, "counts its boxes wrongly");
}

/* --- rounds --------------------------------------------------------------------------------- */

static bs_settings random_settings(coordinate_kind kind) {
    bs_settings settings = {0, 0, -1};
    if (chance(0.5)) {
        settings.axis = random_int(1, DIM);
        settings.cell_size = chance(0.5) ? extent(kind) : exp(random_real(-20, 20));
        settings.margin = chance(0.5) ? 0 : random_real(0, 10);
    }
    return settings;
}

static void begin(world *w, const bs_backend_type *type, const bs_backend_type *twin) {
    w->type = type;
    w->heap = (bs_heap){limited_resize, &w->memory, 0};
    w->memory.left = -1;
    bs_settings settings = random_settings(w->kind);
    for (int s = 0; s < SETS; s++) {
        w->doing = "create";
        start_failing(w);
        w->set[s] = bs_backend_new(type, &w->heap, &w->boxes, set_flags[s], 0, &settings);
        if (w->set[s] == NULL && w->fails) {
            w->memory.left = -1;
            w->set[s] = bs_backend_new(type, &w->heap, &w->boxes, set_flags[s], 0, &settings);
        }
        w->memory.left = -1;
        expect(w, w->set[s] != NULL, "failed although there was memory");
        w->twin[s] =
            w->fails ? NULL : bs_backend_new(twin, &w->heap, &w->boxes, set_flags[s], 0, &settings);
        expect(w, w->fails || w->twin[s] != NULL, "failed although there was memory");
    }
}

static void end(world *w) {
    w->doing = "destroy";
    for (int s = 0; s < SETS; s++) {
        bs_backend_free(w->set[s]);
        if (w->twin[s] != NULL) {
            bs_backend_free(w->twin[s]);
        }
    }
    bs_list_free(&w->heap, &w->found);
    bs_list_free(&w->heap, &w->found_twin);
    bs_array_free(&w->heap, &w->pairs.at, &w->pairs.cap, sizeof *w->pairs.at);
    bs_array_free(&w->heap, &w->pairs_twin.at, &w->pairs_twin.cap, sizeof *w->pairs_twin.at);
    expect(w, w->heap.used == 0, "leaks");
    free(w->rect);
}

static void run_round(const bs_backend_type *type, const bs_backend_type *twin, uint64_t seed) {
    static void (*const calls[])(world *, int) = {
        do_insert, do_insert, do_remove, do_update,      do_update, do_many, do_pairs,  do_pairs,
        do_cross,  do_query,  do_query,  do_query_boxes, do_cast,   do_cast, do_inspect};
    static world w; /* too large for some stacks */
    memset(&w, 0, sizeof w);
    random_state = seed;
    w.seed = seed;
    w.kind = (coordinate_kind)random_int(TIES, MIXTURE);
    w.fails = chance(0.4);
    begin(&w, type, twin);
    for (w.step = 0; w.step < STEPS; w.step++) {
        int call = random_int(0, (int)(sizeof calls / sizeof *calls) - 1);
        calls[call](&w, chance(0.7) ? 0 : 1);
    }
    end(&w);
}

#ifdef BS_EXAMPLE /* that of CONTRIBUTING.md */
extern const bs_backend_type BS_EXAMPLE;
#define AND_EXAMPLE , &BS_EXAMPLE
#else
#define AND_EXAMPLE
#endif

int main(int argc, char **argv) {
    const bs_backend_type *const plain[] = {&bs_brute_type, &bs_sweep_type, &bs_grid_type,
                                            &bs_tree_type, &bs_auto_type AND_EXAMPLE};
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const bs_backend_type *found = bs_backend_find(plain[i]->name);
        const bs_backend_type *type = found != NULL ? found : plain[i];
        if (argc > 3 && strcmp(plain[i]->name, argv[3]) != 0) {
            continue;
        }
        for (uint64_t round = 0; round < rounds; round++) {
            run_round(type, plain[i], seed + round);
        }
        printf("%s, DIM %d: %" PRIu64 " rounds\n", plain[i]->name, DIM, rounds);
    }
    return 0;
}
