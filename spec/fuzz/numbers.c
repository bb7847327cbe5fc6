/* numbers.c: makes coordinates, rects, motions, filters and settings from an input's bytes. */
#include "trial.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- kinds of coordinates ------------------------------------------------------------------- */

typedef enum kind {
    TIES,
    HALVES,
    ARBITRARY,
    FAR_AWAY,
    TINY,
    HUGE_NUMBERS,
    NEIGHBOURS,
    FLOAT_EDGES,
    FEW_VALUES,
    MANY_SIZES,
    ANY_BITS,
    MIXTURE
} kind;

static const char *const names[KINDS] = {"tied", "half",        "arbitrary",    "far",
                                         "tiny", "huge",        "neighbouring", "float's edge",
                                         "few",  "many sizes'", "any",          "mixed"};

const char *kind_name(int k) {
    return names[k];
}

/* A whole number from -6 to 6. */
static double small(trial *t) {
    return (double)next_below(&t->in, 13) - 6;
}

static double unit(trial *t) {
    uint64_t seed = next_bits(&t->in, 2);
    return (double)(mix(&seed) >> 11) * 0x1p-53;
}

static double pick(trial *t, const double *from, size_t n) {
    return from[next_below(&t->in, n)];
}

static double finite_bits(trial *t) {
    uint64_t bits = next_bits(&t->in, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 0;
}

static const double TINY_UNITS[] = {DBL_TRUE_MIN, 1e-300, 1e-150, 1e-45, 1e-40, 1e-30, 1e-9};
static const double HUGE_UNITS[] = {1, 1e9, 1e19, 1e38, 1e300, 1e307};
static const double NEIGHBOUR_UNITS[] = {0x1p-43, 0x1p-52, 0x1p-24, 0x1p-20};
static const double EDGE_UNITS[] = {0.5, 1, 2, 0x1p-29};
enum { TINIES = 7, HUGES = 6, NEIGHBOUR_KINDS = 4, EDGES = 4 };

/*
 * If two numbers are drawn, each is drawn on a line of its own: C does not specify the order of the
 * two within an expression.
 */
static double scaled(trial *t, double factor, const double *units, size_t n) {
    return factor * pick(t, units, n);
}

static double far_away(trial *t) {
    double middle = next_chance(&t->in, 230) ? 1e9 : -1e9;
    return middle + small(t) * 0.37;
}

static double huge(trial *t) {
    if (next_chance(&t->in, 12)) {
        return next_chance(&t->in, 128) ? DBL_MAX : -DBL_MAX;
    }
    return scaled(t, small(t), HUGE_UNITS, HUGES);
}

static double neighbour(trial *t) {
    double x = 1000 + (double)next_below(&t->in, 2);
    return x + small(t) * 0x1p-43;
}

static double coordinate_of(trial *t, kind k) {
    switch (k) {
    case TIES:
        return small(t);
    case HALVES:
        return ((double)next_byte(&t->in) - 128) * 0.5;
    case ARBITRARY:
    case MANY_SIZES:
        return unit(t) * 600 - 300;
    case FAR_AWAY:
        return far_away(t);
    case TINY:
        return scaled(t, small(t), TINY_UNITS, TINIES);
    case HUGE_NUMBERS:
        return huge(t);
    case NEIGHBOURS:
        return neighbour(t);
    case FLOAT_EDGES: /* some are the same float, some are just not */
        return 16777216 + scaled(t, small(t), EDGE_UNITS, EDGES);
    case FEW_VALUES:
        return (double[]){0, 10, -0.0, 12.3}[next_below(&t->in, 4)];
    case ANY_BITS:
        return finite_bits(t);
    default:
        return coordinate_of(t, (kind)next_below(&t->in, MIXTURE));
    }
}

/* > 0 in most cases */
static double extent_of(trial *t, kind k) {
    double few = 1 + (double)next_below(&t->in, 4);
    switch (k) {
    case TIES:
    case FEW_VALUES:
        return few;
    case HALVES:
        return (1 + (double)next_below(&t->in, 20)) * 0.5;
    case ARBITRARY:
        return 1 + unit(t) * 30;
    case FAR_AWAY:
        return few * 0.37;
    case TINY:
        return scaled(t, few, TINY_UNITS, TINIES);
    case HUGE_NUMBERS:
        return scaled(t, few, HUGE_UNITS, HUGES);
    case NEIGHBOURS:
        return 1 + scaled(t, few - 2, NEIGHBOUR_UNITS, NEIGHBOUR_KINDS);
    case FLOAT_EDGES:
        return scaled(t, few, EDGE_UNITS, EDGES);
    case MANY_SIZES:
        return ldexp(few, (int)next_below(&t->in, 30) - 10);
    case ANY_BITS:
        return fabs(finite_bits(t));
    default:
        return extent_of(t, (kind)next_below(&t->in, MIXTURE));
    }
}

/* --- from boxes that are there -------------------------------------------------------------- */

oracle_box *any_member(trial *t) {
    return t->truth.n > 0 ? &t->truth.box[next_below(&t->in, t->truth.n)] : NULL;
}

/* The coordinate of a side of some box, or the next double. */
static double side_of(trial *t, const oracle_box *box, int axis) {
    unsigned which = next_byte(&t->in);
    double x = box->rect.pos[axis] + ((which & 1) != 0 ? box->rect.size[axis] : 0);
    switch (which >> 5) {
    case 0:
        return nextafter(x, -DBL_MAX);
    case 1:
        return nextafter(x, DBL_MAX);
    default:
        return x;
    }
}

double any_coordinate(trial *t, int axis) {
    if (t->truth.n > 0 && next_chance(&t->in, 40)) {
        return side_of(t, any_member(t), axis);
    }
    return coordinate_of(t, (kind)t->kind);
}

void any_point(trial *t, double point[DIM]) {
    for (int k = 0; k < DIM; k++) {
        point[k] = any_coordinate(t, k);
    }
}

/* Replaces intervals that are not valid. */
static void repair(bs_rect *r, bool may_be_empty) {
    for (int k = 0; k < DIM; k++) {
        double end = r->pos[k] + r->size[k];
        bool has_size = may_be_empty ? r->size[k] >= 0 : r->size[k] > 0;
        if (!has_size || !isfinite(r->pos[k]) || !isfinite(end)) {
            r->pos[k] = k;
            r->size[k] = 1;
        }
    }
}

/* Some of these boxes end where another box begins. */
bs_rect any_box(trial *t) {
    bs_rect r;
    for (int k = 0; k < DIM; k++) {
        r.pos[k] = any_coordinate(t, k);
        r.size[k] = extent_of(t, (kind)t->kind);
        if (t->truth.n > 0 && next_chance(&t->in, 20)) {
            r.pos[k] = any_member(t)->rect.pos[k] - r.size[k];
        }
    }
    repair(&r, false);
    return r;
}

bs_rect any_query(trial *t) {
    bs_rect r = any_box(t);
    unsigned how = next_byte(&t->in);
    for (int k = 0; k < DIM; k++) {
        if (how < 40) {
            r.size[k] = 0;
        } else if (how < 50) {
            r.size[k] *= 100;
        } else if (how < 60) { /* up to a side of some box */
            r.size[k] = any_coordinate(t, k) - r.pos[k];
        } else if (how < 64) {
            r.pos[k] = -DBL_MAX;
            r.size[k] = DBL_MAX;
        }
    }
    repair(&r, true);
    return r;
}

/* --- motions -------------------------------------------------------------------------------- */

static double odd_motion(trial *t) {
    static const double odd[] = {DBL_TRUE_MIN, -1e-320, 1e-30, 1e-31,  1e9,     1e19,
                                 1e30,         -1e31,   1e300, -1e300, DBL_MAX, -DBL_MAX};
    return pick(t, odd, sizeof odd / sizeof *odd);
}

/* Often leads to a side of a box, or has no part along an axis. */
void any_motion(trial *t, const bs_rect *from, double motion[DIM]) {
    for (int k = 0; k < DIM; k++) {
        unsigned how = next_byte(&t->in);
        if (how < 50) {
            motion[k] = 0;
        } else if (how < 70) {
            motion[k] = odd_motion(t);
        } else if (how < 100) {
            motion[k] = small(t);
        } else if (how < 120) {
            motion[k] = any_coordinate(t, k);
        } else if (how < 150) { /* the far side arrives there */
            motion[k] = any_coordinate(t, k) - (from->pos[k] + from->size[k]);
        } else {
            motion[k] = any_coordinate(t, k) - from->pos[k];
        }
        motion[k] = isfinite(motion[k]) ? motion[k] : 0;
    }
}

void any_velocity(trial *t, double velocity[DIM]) {
    unsigned how = next_byte(&t->in);
    for (int k = 0; k < DIM; k++) {
        velocity[k] = how < 100 ? small(t) : how < 200 ? unit(t) - 0.5 : any_coordinate(t, k);
    }
}

double any_length(trial *t) {
    unsigned how = next_byte(&t->in);
    double length = extent_of(t, (kind)t->kind);
    if (how < 20) {
        length = 0;
    } else if (how < 40) {
        length = fabs(odd_motion(t));
    } else if (how < 120) {
        length *= how;
    }
    return isfinite(length) ? length : DBL_MAX;
}

double any_angle(trial *t) {
    static const double most[] = {1, 10, 0x1p20, DBL_MAX};
    unsigned how = next_byte(&t->in);
    if (how < 64) {
        return how * 0.78539816339744831; /* eighths of a turn */
    }
    return (2 * unit(t) - 1) * most[how % 4];
}

/* --- layers, filters, settings -------------------------------------------------------------- */

bs_layers any_layers(trial *t) {
    static const uint32_t bits[] = {0, 1, 2, 3, 4, 0x80000000u, UINT32_MAX, UINT32_MAX};
    uint32_t layer = bits[next_below(&t->in, 8)];
    return (bs_layers){layer, bits[next_below(&t->in, 8)]};
}

static uint64_t any_mask(trial *t) {
    static const uint64_t masks[] = {0, 1, 2, 3, 6, 0x80000000u, UINT32_MAX};
    return next_chance(&t->in, 170) ? BS_ANY_LAYER : masks[next_below(&t->in, 7)];
}

static uint32_t any_index(trial *t) {
    const oracle_box *box = next_chance(&t->in, 60) ? any_member(t) : NULL;
    return box != NULL ? box->index : BS_NO_BOX;
}

bs_filter any_filter(trial *t) {
    bs_filter filter = bs_filter_all;
    if (next_chance(&t->in, 128)) {
        filter.mask = any_mask(t);
        filter.also = next_chance(&t->in, 60) ? any_mask(t) : BS_ANY_LAYER;
        filter.ignore = any_index(t);
        filter.self = any_index(t);
    }
    return filter;
}

/* What the options of back ends accept: cells > 0 and margins >= 0, both finite. */
bs_settings any_settings(trial *t) {
    bs_settings settings = {0, 0, -1};
    unsigned how = next_byte(&t->in);
    if (how < 128) {
        settings.axis = (int)next_below(&t->in, DIM + 1);
        settings.cell_size = any_length(t);
        settings.margin = how < 64 ? any_length(t) : -1;
    }
    return settings;
}
