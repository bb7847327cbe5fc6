/*
 * grips.c: the solution of a few planes with friction up to rounding, whatever their masses. Which
 * planes press, and which stick, is guessed from a solution that is nearly right; then it is a
 * system of linear equations. What that shows to be wrong is changed, all of it at once as long as
 * it gets less, and one by one else: "block principal pivoting" (Judice and Pires 1994).
 */
#include "step.h"

#include <string.h>

enum { MOST_UNKNOWN = BS_FEW_GRIPS * DIM };

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
    state is[BS_FEW_GRIPS];
    double way[BS_FEW_GRIPS][DIM]; /* That of friction, where a plane slides. */
    unknown x[MOST_UNKNOWN];
    size_t unknowns;
    double (*a)[MOST_UNKNOWN + 1];
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

static void list_unknowns(task *t) {
    t->unknowns = 0;
    for (size_t i = 0; i < t->n; i++) {
        const bs_plane *p = &t->planes[i];
        if (t->is[i] == FREE) {
            continue;
        }
        unknown *x = add_unknown(t, i, p->normal, bs_plane_spare(&t->planes[i], t->movers));
        x->is_push = true;
        for (int k = 0; k < DIM && t->is[i] == SLIDES && p->friction > 0; k++) {
            x->along[k] += p->friction * t->way[i][k];
        }
        double sides[DIM - 1][DIM];
        double slip[DIM];
        slip_of(t, i, slip);
        sides_of(p->normal, sides);
        for (int k = 0; k < DIM - 1 && t->is[i] == STICKS; k++) {
            add_unknown(t, i, sides[k], bs_dot(slip, sides[k]));
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

/* Gauss and Jordan, with the largest pivot that is left. What is said twice stays 0. */
static void solve_equations(task *t, double out[MOST_UNKNOWN]) {
    size_t n = t->unknowns;
    size_t column_of[MOST_UNKNOWN];
    bool is_used[MOST_UNKNOWN] = {false};
    bool is_known[MOST_UNKNOWN] = {false};
    for (size_t turn = 0; turn < n; turn++) {
        size_t row = n;
        size_t column = n;
        double best = BS_PIVOTAL;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n && !is_used[i]; j++) {
                if (!is_known[j] && fabs(t->a[i][j]) > best) {
                    best = fabs(t->a[i][j]);
                    row = i;
                    column = j;
                }
            }
        }
        if (row == n) {
            break;
        }
        is_used[row] = is_known[column] = true;
        column_of[row] = column;
        for (size_t i = 0; i < n; i++) {
            double part = i == row ? 0 : t->a[i][column] / t->a[row][column];
            for (size_t j = 0; part != 0 && j <= n; j++) {
                t->a[i][j] -= part * t->a[row][j];
            }
        }
    }
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        if (is_used[i]) {
            out[column_of[i]] = t->a[i][n] / t->a[i][column_of[i]] * t->x[column_of[i]].scale;
        }
    }
}

/* Impulses with which all equations hold. */
static void change_impulses(task *t) {
    double change[MOST_UNKNOWN];
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

static void slide(task *t, size_t i) {
    bs_direction(t->planes[i].rub, t->way[i]);
}

static bool can_slide(const bs_plane *p) {
    return p->friction > 0 && p->friction < HUGE_VAL;
}

static void guess(task *t) {
    for (size_t i = 0; i < t->n; i++) {
        const bs_plane *p = &t->planes[i];
        bool grips = !can_slide(p) || bs_length(p->rub) < p->friction * p->push * (1 - BS_GRIPPED);
        t->is[i] = !(p->push > 0) ? FREE : p->friction > 0 && grips ? STICKS : SLIDES;
        slide(t, i);
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
    if (t->is[i] == STICKS) {
        double most = p->friction * p->push * (1 + BS_GRIPPED);
        return can_slide(p) && bs_length(p->rub) > most ? SLIDES : STICKS;
    }
    slip_of(t, i, slip);
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
    state next[BS_FEW_GRIPS];
    size_t wrong = 0;
    size_t last = 0;
    for (size_t i = 0; i < t->n; i++) {
        next[i] = better(t, i);
        wrong += next[i] != t->is[i];
        last = next[i] != t->is[i] ? i : last;
    }
    for (size_t i = 0; i < t->n; i++) {
        if (next[i] != t->is[i] && (all || i == last)) {
            t->is[i] = next[i];
            slide(t, i);
        }
    }
    return wrong;
}

static bool pivot(task *t) {
    enum { PATIENCE = 3, ROUNDS = 32 };
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

bool bs_planes_grip_exactly(bs_plane *planes, size_t n, bs_mover *movers, double enough) {
    double a[MOST_UNKNOWN][MOST_UNKNOWN + 1];
    task t = {.planes = planes, .movers = movers, .n = n, .enough = enough, .a = a};
    double push[BS_FEW_GRIPS];
    double rub[BS_FEW_GRIPS][DIM];
    for (size_t i = 0; i < n; i++) {
        push[i] = planes[i].push;
        memcpy(rub[i], planes[i].rub, sizeof rub[i]);
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
