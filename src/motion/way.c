/*
 * way.c: the tracks of a way, and courses, which say how a box goes on. response.c changes these.
 */
#include "motion.h"

#include <string.h>

/* --- tracks --------------------------------------------------------------------------------- */

void bs_way_begin(bs_move *m, const double goal[DIM]) {
    for (int k = 0; k < DIM; k++) {
        double pos = m->start.pos[k];
        m->track[k] = (bs_track){pos, 0, goal[k] - pos, goal[k]};
        m->aim.motion[k] = m->track[k].speed;
        m->aim.velocity[k] = m->velocity[k];
        assert(isfinite(m->track[k].speed));
    }
    m->now = 0;
    m->stretch_end = 1;
    m->arc_end = HUGE_VAL;
    m->contacts.sides = 0;
    m->contacts.since = 0;
    m->contacts.coarsest = 0;
    m->contacts.near = 0;
    m->bounces = 0;
    m->nudges = m->stretches = 0;
}

void bs_way_end(bs_move *m, const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        bs_track_stop(&m->track[k], r->pos[k], m->now);
    }
    m->arc_end = HUGE_VAL;
}

bool bs_advance(const bs_rect *from, const double velocity[DIM], double dt, bs_rect *to) {
    *to = *from;
    bool finite = true;
    for (int k = 0; k < DIM; k++) {
        double pos = from->pos[k] + velocity[k] * dt;
        to->pos[k] = pos != from->pos[k] ? pos : from->pos[k];
        finite = finite && isfinite(pos - from->pos[k]) && isfinite(bs_far(to, k));
    }
    return finite;
}

/* --- courses -------------------------------------------------------------------------------- */

bs_course bs_course_from(const bs_move *m, const bs_rect *r) {
    bs_course c;
    for (int k = 0; k < DIM; k++) {
        c.motion[k] = m->track[k].speed;
        c.remaining[k] = m->track[k].end - r->pos[k];
        c.velocity[k] = m->velocity[k];
    }
    return c;
}

bs_course bs_course_from_now(const bs_move *m, const bs_course *earlier) {
    bs_course c = *earlier;
    for (int k = 0; k < DIM; k++) {
        c.remaining[k] = c.motion[k] * (1 - m->now);
    }
    return c;
}

void bs_way_take(bs_move *m, const bs_rect *r, const bs_course *c) {
    for (int k = 0; k < DIM; k++) {
        bs_track *track = &m->track[k];
        double at = r->pos[k];
        double end = at + c->remaining[k];
        if (c->motion[k] == track->speed && bs_track_at(track, m->now) == at) {
            continue;
        }
        bool is_there = isfinite(c->motion[k]) && isfinite(end) && isfinite(end + r->size[k]);
        if (c->motion[k] != 0 && is_there) {
            *track = (bs_track){at, m->now, c->motion[k], end};
        } else {
            bs_track_stop(track, at, m->now);
        }
    }
    for (int k = 0; k < DIM; k++) {
        m->velocity[k] = isfinite(c->velocity[k]) ? c->velocity[k] : 0;
    }
    m->parts = 0;
}

double bs_way_speed(const bs_move *m, const double normal[DIM]) {
    double along = 0;
    for (int k = 0; k < DIM; k++) {
        along += m->track[k].speed * normal[k];
    }
    return along;
}

bool bs_way_leads_into(const bs_move *m, const double normal[DIM], double grain) {
    return bs_way_speed(m, normal) < -grain;
}

void bs_way_nudge(bs_move *m, const bs_rect *r) {
    for (int k = 0; k < DIM; k++) {
        bs_track *track = &m->track[k];
        double by = r->pos[k] - bs_track_at(track, m->now);
        if (by != 0) {
            double end = m->now < 1 && track->speed != 0 ? track->end + by : r->pos[k];
            *track = (bs_track){r->pos[k], m->now, track->speed, end};
        }
    }
}

bool bs_way_go_on(bs_move *m) {
    m->now = m->stretch_end;
    if (m->arc_end < HUGE_VAL && m->now >= m->arc_end) {
        bs_rect r = bs_way_at(m, m->now);
        bs_course c = bs_course_from_now(m, &m->wish);
        m->arc_end = HUGE_VAL;
        bs_way_take(m, &r, &c);
    }
    return m->now < 1;
}
