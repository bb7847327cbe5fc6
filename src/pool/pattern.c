/* pattern.c: when a pattern fires, and in which directions; from its age, without a pool. */
#include "pool_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/angles.h"

static const double PI = 3.14159265358979323846;

bs_pattern bs_pattern_default(void) {
    bs_pattern pattern;
    memset(&pattern, 0, sizeof pattern);
    pattern.speed = (double)NAN;
    pattern.cycle = 1;
    pattern.count = -1;
    pattern.nway = 1;
    pattern.circle = 1;
    return pattern;
}

bs_model bs_model_default(void) {
    bs_model model;
    memset(&model, 0, sizeof model);
    for (int k = 0; k < DIM; k++) {
        model.size[k] = -1;
    }
    return model;
}

/* How often it would have fired after `age` steps if it were endless. */
static uint64_t fired(const bs_pattern *pattern, uint64_t age) {
    return age > pattern->delay ? (age - pattern->delay - 1) / pattern->cycle + 1 : 0;
}

bool bs_pattern_fires(const bs_pattern *pattern, uint64_t age) {
    assert(pattern->cycle > 0);
    if (age < pattern->delay) {
        return false;
    }
    uint64_t since = age - pattern->delay;
    return since % pattern->cycle == 0 &&
           (pattern->count < 0 || since / pattern->cycle < (uint64_t)pattern->count);
}

int32_t bs_pattern_left(const bs_pattern *pattern, uint64_t age) {
    assert(pattern->cycle > 0);
    if (pattern->count < 0) {
        return -1;
    }
    uint64_t done = fired(pattern, age);
    uint64_t all = (uint64_t)pattern->count;
    return done < all ? (int32_t)(all - done) : 0;
}

/* The cosine and sine of the angle from +x to `ahead`, which are exact along the axes. */
static void direction(const double ahead[DIM], double *cosine, double *sine) {
    double largest = bs_max(fabs(ahead[0]), fabs(ahead[1]));
    double x = largest > 0 ? ahead[0] / largest : 1; /* No square overflows, none vanishes. */
    double y = largest > 0 ? ahead[1] / largest : 0;
    double length = sqrt(x * x + y * y);
    assert(length >= 1);
    *cosine = x / length;
    *sine = y / length;
}

void bs_pattern_velocity(const bs_pattern *pattern, uint64_t shot, const double ahead[DIM],
                         double velocity[DIM]) {
    assert(pattern->nway > 0 && pattern->circle > 0);
    assert(shot < bs_pattern_shots(pattern));
    uint64_t before = shot / pattern->nway; /* The number of the fan. */
    assert(before < pattern->circle);
    double fan = (double)before + (pattern->circle_odd ? 0.5 : 0);
    double place = (double)(shot % pattern->nway) - (double)(pattern->nway - 1) / 2;
    double speed = pattern->speed;
    if (isnan(speed)) {
        speed = pattern->model != NULL ? pattern->model->speed : 0;
    }
    double angle = fan * (2 * PI / pattern->circle) + place * pattern->nway_angle + pattern->angle;
    double s;
    double c;
    double along = 1;
    double across = 0;
    bs_sin_cos(angle, &s, &c);
    if (pattern->relative) {
        direction(ahead, &along, &across);
    }
    memset(velocity, 0, DIM * sizeof *velocity);
    /* Only sums: GCC 12 fuses a sum and a difference side by side, whatever its options say. */
    double back = -s;
    velocity[0] = speed * (c * along + back * across);
    velocity[1] = speed * (s * along + c * across);
}
