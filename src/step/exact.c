/*
 * exact.c: the solution of a few planes up to rounding, whatever their masses. Which planes press,
 * and which stick, is guessed from a solution that is nearly right; then it is a system of linear
 * equations. What that shows to be wrong is changed, all of it at once as long as
 * it gets less, and one by one else: "block principal pivoting" (Judice and Pires 1994).
 */
#include "step.h"

#include <string.h>

enum { MOST = BS_FEW_PLANES };

/* How a plane takes part. */
typedef enum state { FREE, SLIDES, STICKS } state;

/* An impulse that is to be found, and the speed that it is to bring about. */
typedef struct unknown {
    double along[DIM]; /* The impulse is so much of this, ... */
    double row[DIM];   /* ... and the speed is that along this one. */
    double wanted;     /* By how much it is to change. */
    double scale;
    uint32_t plane;
    bool is_push;
} unknown;

typedef struct task {
    bs_plane *planes;
    bs_mover *movers;
    size_t n;
    double enough;
    state is[MOST];
    double way[MOST][DIM]; /* That of friction, where a plane slides. */
    unknown x[MOST];
    size_t pushes, unknowns; /* The pushes come first. */
    double *a[MOST];         /* The rows of their matrix, and behind each what it is to be. */
} task;

/* The velocity along the side of two that touch. */
static void slip_of(const task *t, size_t i, double slip[DIM]) {
    const bs_plane *p = &t->planes[i];
    const bs_mover *a = &t->movers[p->of_a];
    const bs_mover *b = &t->movers[p->of_b];
    double off = bs_mover_parting(p, a, b);
    for (int k = 0; k < DIM; k++) {
        slip[k] = a->velocity[k] - b->velocity[k] - off * p->normal[k] - p->side[k];
    }
}

/* Impulses as the states have them. */
static void fit(task *t) {
    for (size_t i = 0; i < t->n; i++) {
        bs_plane *p = &t->planes[i];
        p->push = t->is[i] == FREE ? 0 : p->push;
        for (int k = 0; k < DIM && t->is[i] != STICKS; k++) {
            bool rubs = t->is[i] == SLIDES && p->friction > 0;
            p->rub[k] = rubs ? p->friction * p->push * t->way[i][k] : 0;
        }
    }
    bs_planes_apply(t->planes, t->n, t->movers);
}

/* --- the equations -------------------------------------------------------------------------- */

static unknown *add_unknown(task *t, size_t i, const double row[DIM], double speed) {
    unknown *x = &t->x[t->unknowns++];
    x->plane = (uint32_t)i;
    x->is_push = false;
    x->wanted = -speed;
    memcpy(x->row, row, sizeof x->row);
    memcpy(x->along, row, sizeof x->along);
    return x;
}

/* Directions at right angles to a normal. */
static void sides_of(const double normal[DIM], double sides[DIM - 1][DIM]) {
    int least = 0;
    for (int k = 1; k < DIM; k++) {
        least = fabs(normal[k]) < fabs(normal[least]) ? k : least;
    }
    double length = 0;
    for (int k = 0; k < DIM; k++) {
        sides[0][k] = (k == least ? 1 : 0) - normal[least] * normal[k];
        length += sides[0][k] * sides[0][k];
    }
    for (int k = 0; k < DIM; k++) {
        sides[0][k] /= sqrt(length);
    }
#if DIM == 3
    for (int k = 0; k < DIM; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        sides[1][k] = normal[u] * sides[0][v] - normal[v] * sides[0][u];
    }
#endif
}

/* What presses at a plane, and rubs with it where that slides. */
static void add_push(task *t, size_t i) {
    const bs_plane *p = &t->planes[i];
    unknown *x = add_unknown(t, i, p->normal, bs_plane_spare(p, t->movers));
    x->is_push = true;
    for (int k = 0; k < DIM && t->is[i] == SLIDES && p->friction > 0; k++) {
        x->along[k] += p->friction * t->way[i][k];
    }
}

/* What holds a plane that sticks, along its sides. */
static void add_grips(task *t, size_t i) {
    double sides[DIM - 1][DIM];
    double slip[DIM];
    slip_of(t, i, slip);
    sides_of(t->planes[i].normal, sides);
    for (int k = 0; k < DIM - 1; k++) {
        add_unknown(t, i, sides[k], bs_dot(slip, sides[k]));
    }
}

static void list_unknowns(task *t) {
    t->unknowns = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->is[i] != FREE) {
            add_push(t, i);
        }
    }
    t->pushes = t->unknowns;
    for (size_t i = 0; i < t->n; i++) {
        if (t->is[i] == STICKS) {
            add_grips(t, i);
        }
    }
}

/* By how much an impulse of 1 for y changes the speed of x. */
static double effect(const task *t, const unknown *x, const unknown *y) {
    double share = bs_plane_share(&t->planes[x->plane], &t->planes[y->plane], t->movers);
    return share != 0 ? share * bs_dot(x->row, y->along) : 0;
}

static void make_equations(task *t) {
    for (size_t i = 0; i < t->unknowns; i++) {
        t->x[i].scale = sqrt(t->planes[t->x[i].plane].mass);
    }
    for (size_t i = 0; i < t->unknowns; i++) {
        for (size_t j = 0; j < t->unknowns; j++) {
            t->a[i][j] = effect(t, &t->x[i], &t->x[j]) * t->x[i].scale * t->x[j].scale;
        }
        t->a[i][t->unknowns] = t->x[i].wanted * t->x[i].scale;
    }
}

/* The row, of those from `first` on before `end`, whose part of an unknown is the largest. */
static size_t find_pivot(const task *t, size_t x, size_t first, size_t end) {
    size_t pivot = first;
    for (size_t i = first + 1; i < end; i++) {
        pivot = fabs(t->a[i][x]) > fabs(t->a[pivot][x]) ? i : pivot;
    }
    return pivot;
}

/* Takes an unknown out of all rows but the first `used`. `pivot` becomes the next one of these. */
static void eliminate(task *t, size_t x, size_t pivot, size_t used) {
    double *from = t->a[pivot];
    t->a[pivot] = t->a[used];
    t->a[used] = from;
    for (size_t i = used + 1; i < t->unknowns; i++) {
        double part = t->a[i][x] / from[x];
        for (size_t j = x + 1; part != 0 && j <= t->unknowns; j++) {
            t->a[i][j] -= part * from[j];
        }
    }
}

/*
 * Gaussian elimination. An unknown of which others have said all stays 0. The pushes come first: so
 * where not all can hold, it is something that sticks which does not, and it will slide.
 */
static void solve_equations(task *t, double out[MOST]) {
    enum { NONE = MOST };
    size_t n = t->unknowns;
    size_t used = 0;
    size_t solves[MOST] = {0}; /* Which unknown a row solves. */
    memset(out, 0, n * sizeof *out);
    for (size_t k = 0; k < n; k++) {
        while (k == t->pushes && used < k) {
            solves[used++] = NONE;
        }
        size_t pivot = find_pivot(t, k, used, k < t->pushes ? t->pushes : n);
        if (fabs(t->a[pivot][k]) > BS_PIVOTAL) {
            eliminate(t, k, pivot, used);
            solves[used++] = k;
        }
    }
    while (used-- > 0) {
        size_t k = solves[used];
        for (size_t j = k + 1; k != NONE && j < n; j++) {
            t->a[used][n] -= t->a[used][j] * out[j];
        }
        if (k != NONE) {
            out[k] = t->a[used][n] / t->a[used][k];
        }
    }
    for (size_t k = 0; k < n; k++) {
        out[k] *= t->x[k].scale;
    }
}

/* Impulses with which all equations hold. */
static void change_impulses(task *t) {
    double change[MOST];
    list_unknowns(t);
    make_equations(t);
    solve_equations(t, change);
    for (size_t i = 0; i < t->unknowns; i++) {
        bs_plane *p = &t->planes[t->x[i].plane];
        p->push += t->x[i].is_push ? change[i] : 0;
        for (int k = 0; k < DIM; k++) {
            p->rub[k] += change[i] * (t->x[i].along[k] - (t->x[i].is_push ? p->normal[k] : 0));
        }
    }
    bs_planes_apply(t->planes, t->n, t->movers);
}

/* --- states --------------------------------------------------------------------------------- */

/* Friction acts against the slip, or as it did where there is none. */
static void aim(task *t, size_t i) {
    double slip[DIM];
    double back[DIM];
    slip_of(t, i, slip);
    bs_negate(slip, back);
    bs_direction(bs_length(slip) > t->enough ? back : t->planes[i].rub, t->way[i]);
}

static bool can_slide(const bs_plane *p) {
    return p->friction > 0 && p->friction < HUGE_VAL;
}

static void guess(task *t) {
    for (size_t i = 0; i < t->n; i++) {
        const bs_plane *p = &t->planes[i];
        bool grips = !can_slide(p) || bs_length(p->rub) < p->friction * p->push * (1 - BS_GRIPPED);
        t->is[i] = !(p->push > 0) ? FREE : p->friction > 0 && grips ? STICKS : SLIDES;
        aim(t, i);
    }
}

/* The state in which a plane should be. */
static state better(const task *t, size_t i) {
    const bs_plane *p = &t->planes[i];
    double slip[DIM];
    double speed = bs_plane_spare(&t->planes[i], t->movers);
    if (t->is[i] == FREE) {
        return speed >= -t->enough ? FREE : p->friction > 0 ? STICKS : SLIDES;
    }
    if (!(p->push > 0) || speed > t->enough) { /* What others have said already may part. */
        return FREE;
    }
    slip_of(t, i, slip);
    if (t->is[i] == STICKS) {
        double most = p->friction * p->push * (1 + BS_GRIPPED);
        bool holds = bs_length(p->rub) <= most && bs_length(slip) <= t->enough;
        return holds || !can_slide(p) ? STICKS : SLIDES;
    }
    return can_slide(p) && bs_dot(slip, t->way[i]) > t->enough ? STICKS : SLIDES;
}

/* Whether all holds that should, in these states. */
static bool is_done(const task *t) {
    bool done = true;
    for (size_t i = 0; done && i < t->n; i++) {
        double slip[DIM];
        slip_of(t, i, slip);
        double back = -bs_dot(slip, t->way[i]);
        double length = bs_length(slip);
        bool straight = t->is[i] == FREE || !can_slide(&t->planes[i]) || length <= t->enough ||
                        (t->is[i] == SLIDES && length - back <= length * BS_GRIPPED);
        done = straight &&
               (t->is[i] == FREE || fabs(bs_plane_spare(&t->planes[i], t->movers)) <= t->enough);
    }
    return done;
}

/* Changes what is wrong, all or only the last, and returns how much was. */
static size_t revise(task *t, bool all) {
    state next[MOST];
    size_t wrong = 0;
    size_t last = 0;
    for (size_t i = 0; i < t->n; i++) {
        next[i] = better(t, i);
        wrong += next[i] != t->is[i];
        last = next[i] != t->is[i] ? i : last;
    }
    for (size_t i = 0; i < t->n; i++) {
        if (all || i == last) {
            t->is[i] = next[i];
        }
        if (next[i] == SLIDES) {
            aim(t, i);
        }
    }
    return wrong;
}

static bool pivot(task *t) {
    enum { PATIENCE = 3, ROUNDS = 16 };
    size_t fewest = t->n + 1;
    int patience = PATIENCE;
    guess(t);
    for (int round = 0; round < ROUNDS; round++) {
        fit(t);
        change_impulses(t);
        size_t wrong = revise(t, patience > 0);
        if (wrong == 0 && is_done(t)) {
            return true;
        }
        patience = wrong < fewest ? PATIENCE : patience - (patience > 0);
        fewest = wrong < fewest ? wrong : fewest;
    }
    return false;
}

bool bs_planes_solve_exactly(bs_plane *planes, size_t n, bs_mover *movers, double enough) {
    double row[MOST][MOST + 1];
    task t = {.planes = planes, .movers = movers, .n = n, .enough = enough};
    double push[MOST];
    double rub[MOST][DIM];
    for (size_t i = 0; i < n; i++) {
        push[i] = planes[i].push;
        memcpy(rub[i], planes[i].rub, sizeof rub[i]);
    }
    for (size_t i = 0; i < MOST; i++) {
        t.a[i] = row[i];
    }
    if (pivot(&t)) {
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        planes[i].push = push[i];
        memcpy(planes[i].rub, rub[i], sizeof rub[i]);
    }
    bs_planes_apply(planes, n, movers);
    return false;
}
