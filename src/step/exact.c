/*
 * exact.c: the solution of a few planes without friction up to rounding, whatever their masses: the
 * nearest velocities that keep them all. Planes that press are a list of equations; a plane that is
 * crossed is added to it, and those that would have to pull are taken out (Goldfarb and Idnani
 * 1983).
 */
#include "step.h"

#include <string.h>

enum { MOST = BS_FEW_PLANES };

/* Equations of the planes that press; all are scaled so that the diagonal is 1. */
typedef struct task {
    bs_plane *planes;
    bs_mover *movers;
    size_t n;
    double scale[MOST];
    uint32_t list[MOST]; /* The planes that press, ... */
    double push[MOST];   /* ... and by how much. */
    size_t count;
    bool presses[MOST];        /* Whether a plane is in the list. */
    double factor[MOST][MOST]; /* Of their matrix, by Cholesky. */
} task;

/* By how much an impulse at y changes the speed at x. */
static double effect(const task *t, uint32_t x, uint32_t y) {
    const bs_plane *p = &t->planes[x];
    const bs_plane *q = &t->planes[y];
    double share = bs_plane_share(p, q, t->movers);
    return share != 0 ? share * bs_dot(p->normal, q->normal) * t->scale[x] * t->scale[y] : 0;
}

/* The velocities that these pushes make, and one more. */
static void apply_all(task *t, uint32_t plane, double push) {
    for (size_t i = 0; i < t->n; i++) {
        t->planes[i].push = 0;
    }
    for (size_t i = 0; i < t->count; i++) {
        t->planes[t->list[i]].push = bs_max(t->push[i], 0) * t->scale[t->list[i]];
    }
    t->planes[plane].push += push * t->scale[plane];
    bs_planes_apply(t->planes, t->n, t->movers);
}

/* --- equations ------------------------------------------------------------------------------ */

/* Solves with the factor, forth ... */
static void solve_forth(const task *t, double x[MOST]) {
    for (size_t i = 0; i < t->count; i++) {
        for (size_t j = 0; j < i; j++) {
            x[i] -= t->factor[i][j] * x[j];
        }
        x[i] /= t->factor[i][i];
    }
}

/* ... and back. */
static void solve_back(const task *t, double x[MOST]) {
    for (size_t i = t->count; i-- > 0;) {
        x[i] /= t->factor[i][i];
        for (size_t j = 0; j < i; j++) {
            x[j] -= t->factor[i][j] * x[i];
        }
    }
}

/* The row of a plane in the factor. Returns the square of its diagonal. */
static double make_row(const task *t, uint32_t plane, double row[MOST]) {
    double left = effect(t, plane, plane);
    for (size_t i = 0; i < t->count; i++) {
        row[i] = effect(t, t->list[i], plane);
    }
    solve_forth(t, row);
    for (size_t i = 0; i < t->count; i++) {
        left -= row[i] * row[i];
    }
    return left;
}

/* Adds a plane to the list. False if it depends on those that are there. */
static bool add(task *t, uint32_t plane, double push) {
    double row[MOST];
    double left = make_row(t, plane, row);
    if (!(left > BS_DEPENDENT)) {
        return false;
    }
    memcpy(t->factor[t->count], row, t->count * sizeof *row);
    t->factor[t->count][t->count] = sqrt(left);
    t->list[t->count] = plane;
    t->push[t->count++] = push;
    t->presses[plane] = true;
    return true;
}

/* Takes one out. The factor of those behind it is made anew. */
static void take_out(task *t, size_t at) {
    uint32_t list[MOST];
    double push[MOST];
    size_t n = t->count;
    memcpy(list, t->list, n * sizeof *list);
    memcpy(push, t->push, n * sizeof *push);
    t->count = at;
    t->presses[list[at]] = false;
    for (size_t i = at + 1; i < n; i++) {
        (void)add(t, list[i], push[i]);
    }
}

/* Pushes with which all planes of the list are kept exactly. */
static void solve_list(task *t) {
    double x[MOST];
    apply_all(t, 0, 0);
    for (size_t i = 0; i < t->count; i++) {
        x[i] = -bs_plane_spare(&t->planes[t->list[i]], t->movers) * t->scale[t->list[i]];
    }
    solve_forth(t, x);
    solve_back(t, x);
    for (size_t i = 0; i < t->count; i++) {
        t->push[i] += x[i];
    }
    apply_all(t, 0, 0);
}

/* --- the list ------------------------------------------------------------------------------- */

/* Solves the list, without what would have to pull. */
static void settle_list(task *t) {
    for (bool again = true; again;) {
        solve_list(t);
        again = false;
        for (size_t i = t->count; i-- > 0;) {
            if (t->push[i] < 0) {
                take_out(t, i);
                again = true;
            }
        }
    }
}

/* Begins with those that press in a solution that is nearly right. */
static void begin(task *t) {
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->planes[i].push > 0) {
            (void)add(t, i, 0);
        }
    }
    settle_list(t);
}

/* The plane that is crossed most and does not press; n if there is none. */
static uint32_t find_crossed(const task *t, double enough) {
    uint32_t worst = (uint32_t)t->n;
    double most = enough;
    for (uint32_t i = 0; i < t->n; i++) {
        double crossing = -bs_plane_spare(&t->planes[i], t->movers);
        if (crossing > most && !t->presses[i]) {
            most = crossing;
            worst = i;
        }
    }
    return worst;
}

/*
 * Pushes at a plane until it is kept. What would have to pull by then is taken out. False if
 * nothing gives way.
 */
static bool keep(task *t, uint32_t plane) {
    double push = 0;
    for (size_t turn = 0; turn <= MOST; turn++) {
        double x[MOST];
        double left = make_row(t, plane, x);
        solve_back(t, x);
        size_t first = t->count; /* The first that would have to pull. */
        double step = left > BS_DEPENDENT
                          ? -bs_plane_spare(&t->planes[plane], t->movers) * t->scale[plane] / left
                          : HUGE_VAL;
        for (size_t i = 0; i < t->count; i++) {
            if (x[i] > 0 && t->push[i] < step * x[i]) {
                step = t->push[i] / x[i];
                first = i;
            }
        }
        if (!(step < HUGE_VAL)) {
            return false;
        }
        for (size_t i = 0; i < t->count; i++) {
            t->push[i] = bs_max(t->push[i] - step * x[i], 0);
        }
        push += step;
        if (first == t->count) {
            return add(t, plane, push);
        }
        take_out(t, first);
        apply_all(t, plane, push);
    }
    return false;
}

static bool solve(task *t, double enough) {
    enum { MOST_TURNS = 4 * MOST };
    begin(t);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        uint32_t plane = find_crossed(t, enough);
        if (plane == t->n) {
            return true;
        }
        if (!keep(t, plane)) {
            return false;
        }
        settle_list(t);
    }
    return false;
}

bool bs_planes_solve_exactly(bs_plane *planes, size_t n, bs_mover *movers, double enough) {
    task t;
    double push[MOST];
    t.planes = planes;
    t.movers = movers;
    t.n = n;
    t.count = 0;
    memset(t.presses, 0, sizeof t.presses);
    for (size_t i = 0; i < n; i++) {
        t.scale[i] = sqrt(planes[i].mass);
        push[i] = planes[i].push;
    }
    bool done = solve(&t, enough);
    for (size_t i = 0; !done && i < n; i++) {
        planes[i].push = push[i];
    }
    bs_planes_apply(planes, n, movers);
    return done;
}
