/* passing.c: how a moving point passes boxes; where two of them have a seam between them. */
#include "passing.h"

static int sign_of(double x) {
    return (x > 0) - (x < 0);
}

/* On an axis without motion. False: apart. */
static bool stand_beside(double at, const bs_extent *box, int k, bs_passing *out) {
    out->first[k] = -HUGE_VAL;
    out->last[k] = HUGE_VAL;
    out->side[k] = at == box->lo[k] ? 1 : at == box->hi[k] ? -1 : 0;
    return at >= box->lo[k] && at <= box->hi[k];
}

bool bs_passing_of(const double at[DIM], const double motion[DIM], const bs_rect *rect,
                   bs_passing *out) {
    const bs_extent box = bs_extent_of(rect);
    bs_rect point = {{0}, {0}};
    bs_entry entry;
    out->enter = -HUGE_VAL;
    out->leave = HUGE_VAL;
    for (int k = 0; k < DIM; k++) {
        point.pos[k] = at[k];
        if (motion[k] == 0) {
            if (!stand_beside(at[k], &box, k, out)) {
                return false;
            }
        } else {
            const double up = (box.lo[k] - at[k]) / motion[k];
            const double down = (box.hi[k] - at[k]) / motion[k];
            out->first[k] = bs_min(up, down);
            out->last[k] = bs_max(up, down);
            out->side[k] = 0;
        }
        out->enter = bs_max(out->first[k], out->enter);
        out->leave = bs_min(out->last[k], out->leave);
    }
    out->meets = bs_meet(&point, motion, rect, &entry);
    return out->meets || bs_max(out->enter, 0) <= bs_min(out->leave, 1);
}

/* Where the box is from the point on an axis at time t: behind it, at it, or before it. */
static int place_at(const bs_passing *p, const double motion[DIM], int k, double t) {
    if (motion[k] == 0) {
        return p->side[k];
    }
    return p->first[k] == t ? sign_of(motion[k]) : p->last[k] == t ? -sign_of(motion[k]) : 0;
}

/* Whether they are at opposite sides of the point at t, and on no axis at the same one. */
static bool are_opposite(const bs_passing *a, const bs_passing *b, const double motion[DIM],
                         double t, bool stays) {
    bool opposite = false;
    bool same = false;
    for (int k = 0; k < DIM; k++) {
        bool counts = motion[k] == 0 || !stays;
        int both = counts ? place_at(a, motion, k, t) * place_at(b, motion, k, t) : 0;
        opposite |= both < 0;
        same |= both > 0;
    }
    return opposite && !same;
}

bool bs_passings_join(const bs_passing *a, const bs_passing *b, const double motion[DIM],
                      bs_entry *entry) {
    const double enter = bs_max(a->enter, b->enter);
    const double leave = bs_min(a->leave, b->leave);
    const double t = bs_max(enter, 0);
    const bool stays = t < leave; /* For a time, and not just at a point. */
    if (!(t < 1) || !(stays || (t == leave && t == enter && t > 0)) ||
        !are_opposite(a, b, motion, t, stays)) {
        return false;
    }
    *entry = (bs_entry){t, BS_INSIDE, false};
    for (int k = DIM - 1; enter >= 0 && k >= 0; k--) {
        if (motion[k] != 0 && (a->first[k] == t || b->first[k] == t)) {
            entry->corner = entry->side != BS_INSIDE;
            entry->side = bs_side_against(motion, k);
        }
    }
    return true;
}

bool bs_passing_covers(const bs_passing *other, const bs_passing *entered, const double motion[DIM],
                       int axis) {
    const double t = entered->enter;
    bool covers = other->enter <= t && t <= other->leave;
    for (int k = 0; k < DIM; k++) {
        int place = place_at(other, motion, k, t) * (motion[k] == 0 ? 1 : sign_of(motion[k]));
        bool is_entered = motion[k] != 0 && entered->first[k] == t;
        covers = covers && (k == axis ? place <= 0 : is_entered ? place >= 0 : place == 0);
    }
    return covers;
}
