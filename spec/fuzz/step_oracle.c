/* step_oracle.c: checks steps that worlds report. It relies on move_oracle.h. */
#include "step_oracle.h"

#include <math.h>
#include <string.h>

/* The most that rounding may add to a velocity, relative to what it was before drag. */
static const double ROUNDING = 0x1p-44;

static bool responds(const oracle_box *box) {
    return !box->is_static && box->conduct.response != BS_PASS;
}

/* Something that pushes all bodies, and gives way to none. */
static bool is_pusher(const oracle_box *box) {
    return !box->is_static && (!responds(box) || box->conduct.mass == HUGE_VAL);
}

static double length_of(const double v[DIM]) {
    return DIM == 2 ? hypot(v[0], v[1]) : hypot(hypot(v[0], v[1]), v[DIM - 1]);
}

/* The share of a vector that has a finite length. */
static double finite_share(const double v[DIM]) {
    return isfinite(length_of(v)) ? 1 : 0.25;
}

/* By length if the second number is -1, else axis by axis. */
static void lose(double v[DIM], const double drag[DIM], double dt) {
    double share = finite_share(v);
    const double part[] = {v[0] * share, v[1] * share, v[DIM - 1] * share};
    double length = length_of(part);
    for (int k = 0; k < DIM; k++) {
        double loss = drag[drag[1] < 0 ? 0 : k] * dt * share;
        double of = drag[1] < 0 ? length : fabs(part[k]);
        double left = fmax(of - loss, 0);
        v[k] = left < of ? v[k] / of * left : v[k];
    }
}

static void cut(double v[DIM], const double most[DIM]) {
    double share = finite_share(v);
    const double part[] = {v[0] * share, v[1] * share, v[DIM - 1] * share};
    double length = length_of(part);
    for (int k = 0; k < DIM; k++) {
        double limit = most[most[1] < 0 ? 0 : k] * share;
        double of = most[1] < 0 ? length : fabs(part[k]);
        v[k] = of > limit ? v[k] / of * limit : v[k]; /* limit / of may be 0. */
    }
}

void oracle_force(const oracle *o, const oracle_box *box, double dt, double v[DIM]) {
    const bs_conduct *c = &box->conduct;
    for (int k = 0; k < DIM; k++) {
        v[k] = (box->velocity[k] + oracle_acceleration(o, box, k) * dt) / (1 + c->damping * dt);
    }
    lose(v, c->drag, dt);
    cut(v, c->max_speed);
}

/* Around where a box may come to if nothing is in its way. False if that is not finite. */
static bool find_around(const oracle *o, const oracle_box *box, double dt, bs_rect *around) {
    double v[DIM] = {0};
    if (!box->is_static) {
        oracle_force(o, box, dt, v);
    }
    for (int k = 0; k < DIM; k++) {
        double by = v[k] * dt;
        double room = (fabs(box->rect.pos[k]) + box->rect.size[k] + fabs(by)) * 0x1p-30;
        around->pos[k] = box->rect.pos[k] + fmin(by, 0) - room;
        around->size[k] = box->rect.size[k] + fabs(by) + 2 * room;
    }
    return oracle_is_rect(around, true);
}

/*
 * Whether nothing that it could meet comes near. Another body that it could meet may come from
 * anywhere, as it may be pushed.
 */
static bool is_alone(const oracle *o, const oracle_box *box, double dt) {
    bs_rect around;
    bs_rect other;
    bool alone = find_around(o, box, dt, &around);
    for (size_t i = 0; i < o->n && alone; i++) {
        const oracle_box *b = &o->box[i];
        bool meets = b != box && oracle_layers_meet(box, b) && (responds(box) || responds(b));
        alone = !meets ||
                (!responds(b) && find_around(o, b, dt, &other) && !oracle_overlap(&around, &other));
    }
    return alone;
}

static const char *check_alone(const oracle *o, const oracle_box *box, double dt,
                               const bs_rect *rect, const double velocity[DIM]) {
    double v[DIM];
    bool right = true;
    oracle_force(o, box, dt, v);
    const double *drag = box->conduct.drag;
    double loss = fmax(drag[0], fmax(drag[1], drag[DIM - 1])) * dt;
    double off = (length_of(v) + loss) * ROUNDING + 0x1p-1020;
    for (int k = 0; k < DIM; k++) {
        double to = box->rect.pos[k] + velocity[k] * dt;
        right = right && fabs(velocity[k] - v[k]) <= off && rect->pos[k] == to;
    }
    return right ? NULL : "goes elsewhere though nothing is near";
}

/* Whether two may never come into each other: they are stopped, and give way. */
static bool part(const oracle_box *a, const oracle_box *b) {
    const oracle_box *both[] = {a, b};
    bool stop = oracle_layers_meet(a, b) && !oracle_is_sensed(a, b) && responds(a);
    for (int i = 0; i < 2; i++) {
        stop = stop && both[i]->conduct.response != BS_CROSS && !is_pusher(both[i]) &&
               !oracle_is_one_way(both[i]);
    }
    return stop;
}

static bool is_usual(const oracle *o, const stepped *told) {
    bool usual = true;
    for (size_t i = 0; i < o->n; i++) {
        const oracle_box *b = &o->box[i];
        usual = usual && !is_pusher(b);
        for (int k = 0; k < DIM; k++) {
            usual = usual && fabs(b->rect.pos[k]) < 1e9 && b->rect.size[k] > 1e-6 &&
                    b->rect.size[k] < 1e9 && fabs(told->rect[i].pos[k]) < 1e9;
        }
    }
    return usual;
}

static const char *check_overlaps(const oracle *o, const stepped *told) {
    const char *wrong = NULL;
    for (size_t i = 0; i < o->n; i++) {
        for (size_t j = 0; j < o->n; j++) {
            bool before = oracle_overlap(&o->box[i].rect, &o->box[j].rect);
            bool after = oracle_overlap(&told->rect[i], &told->rect[j]);
            if (i != j && after && !before && part(&o->box[i], &o->box[j])) {
                wrong = "comes into another one in a step";
            }
        }
    }
    return wrong;
}

const char *oracle_check_step(const oracle *before, double dt, const stepped *told) {
    const char *wrong = NULL;
    for (size_t i = 0; i < before->n && wrong == NULL; i++) {
        const oracle_box *box = &before->box[i];
        bool stays = memcmp(&box->rect, &told->rect[i], sizeof box->rect) == 0;
        if (box->is_static) {
            wrong = stays ? NULL : "is static and moves in a step";
        } else if (is_alone(before, box, dt)) {
            wrong = check_alone(before, box, dt, &told->rect[i], told->velocity[i]);
        }
    }
    return wrong != NULL || !is_usual(before, told) ? wrong : check_overlaps(before, told);
}
