/* conduct.c: what boxes have by the rows of broadside/conduct.h. */
#include "world_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const bs_conduct bs_usual_conduct = {
#define USUAL(type, kind, name, usual, ...) .name = usual,
    BS_PROPERTIES(USUAL, USUAL)
#undef USUAL
};

/* Bit for bit: -0 reads back. */
unsigned bs_conduct_unusual(const bs_conduct *conduct) {
    const bs_conduct *usual = &bs_usual_conduct;
    unsigned unusual = 0;
#define COMPARE(type, kind, name, ...)                                                             \
    unusual |= (unsigned)(memcmp(&conduct->name, &usual->name, sizeof usual->name) != 0)           \
               << BS_PROPERTY_##name;
    BS_PROPERTIES(COMPARE, COMPARE)
#undef COMPARE
    return unusual;
}

static bool is_valid_side(const signed char *side) {
    int axes = 0;
    for (int k = 0; k < DIM; k++) {
        axes += abs(side[k]);
    }
    return axes <= 1;
}

static bool is_valid_number(bs_property_kind kind, double x) {
    if (kind == BS_POSITIVE || kind == BS_LIMITS) {
        return x > 0;
    }
    return isfinite(x) &&
           (kind == BS_NUMBER || x >= 0 || (kind == BS_KEPT && x == BS_BOUNCE_UNSET));
}

static bool is_valid_by_axis(bs_property_kind kind, const double *value) {
    const bool whole = bs_is_of_length(value);
    bool valid = is_valid_number(kind, value[0]);
    for (int k = 1; k < DIM; k++) {
        valid = valid &&
                (whole ? value[k] == (k == 1 ? BS_OF_LENGTH : 0) : is_valid_number(kind, value[k]));
    }
    return valid;
}

bool bs_property_is_valid(bs_property_kind kind, const void *value) {
    if (kind == BS_REACTION) {
        return bs_is_body_response(*(const bs_response *)value);
    }
    if (kind == BS_SIDE) {
        return is_valid_side(value);
    }
    if (kind == BS_FLAG) {
        return true;
    }
    if (kind == BS_AMOUNTS || kind == BS_LIMITS) {
        return is_valid_by_axis(kind, value);
    }
    return is_valid_number(kind, *(const double *)value);
}

bool bs_conduct_is_valid(const bs_conduct *conduct) {
    bool valid = true;
    for (int i = 0; i < BS_PROPERTY_COUNT; i++) {
        const bs_property *p = &bs_properties[i];
        valid = valid && bs_property_is_valid(p->kind, (const char *)conduct + p->at);
    }
    return valid;
}

/* --- drag and the highest speed ------------------------------------------------------------- */

/*
 * Takes so much from the length of a vector, and cuts what is left. The length of a vector of
 * numbers may be none: so it is that of a part.
 */
static void shorten(double v[DIM], double loss, double most) {
    double whole = bs_length(v);
    double share = isfinite(whole) ? 1 : 0.25;
    double part[DIM];
    for (int k = 0; k < DIM; k++) {
        part[k] = v[k] * share;
    }
    double length = share < 1 ? bs_length(part) : whole;
    double left = bs_min(bs_max(length - loss * share, 0), most * share);
    for (int k = 0; left < length && k < DIM; k++) {
        v[k] = part[k] / length * left / share;
    }
}

/* The same along an axis. */
static double shorter(double x, double loss, double most) {
    double left = bs_min(bs_max(fabs(x) - loss, 0), most);
    return left < fabs(x) ? (x < 0 ? 0 - left : left) : x;
}

void bs_conduct_brake(const bs_conduct *c, double dt, double velocity[DIM]) {
    const bool one_drag = bs_is_of_length(c->drag);
    const bool one_limit = bs_is_of_length(c->max_speed);
    const double loss = one_drag ? c->drag[0] * dt : 0;
    const double most = one_limit ? c->max_speed[0] : HUGE_VAL;
    for (int k = 0; !one_drag && k < DIM; k++) {
        velocity[k] = shorter(velocity[k], c->drag[k] * dt, HUGE_VAL);
    }
    if (loss > 0 || most < HUGE_VAL) {
        shorten(velocity, loss, most);
    }
    for (int k = 0; !one_limit && k < DIM; k++) {
        velocity[k] = shorter(velocity[k], 0, c->max_speed[k]);
    }
}

void bs_conduct_put(bs_world *w, uint32_t box, const bs_conduct *conduct) {
    assert(w->conduct != NULL && box < w->conduct_cap && bs_conduct_is_valid(conduct));
    w->state.responders -= w->conduct[box].response != BS_PASS;
    w->state.responders += conduct->response != BS_PASS;
    w->conduct[box] = *conduct;
}

const bs_conduct *bs_world_conduct(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return w->conduct != NULL ? &w->conduct[box] : &bs_usual_conduct;
}

bs_status bs_world_set_conduct(bs_world *w, uint32_t box, const bs_conduct *conduct) {
    assert(bs_world_alive(w, box));
    if (w->conduct == NULL && bs_conduct_unusual(conduct) == 0) {
        return BS_OK;
    }
    if (!bs_column_make(w, BS_CONDUCT)) {
        return BS_NO_MEMORY;
    }
    bs_conduct_put(w, box, conduct);
    bs_world_stir(w, box);
    return BS_OK;
}
