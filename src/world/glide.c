/*
 * glide.c: the way of a box where shapes are about: past slanted and round faces.
 *
 * The way is a vector: where the box is, and where it wants to be next. A slide takes away what
 * leads into the face that was met (of several faces that are met in one place: into any of them),
 * a bounce turns that round. Where two boxes meet, all is as on the exact way (move.c): that axis
 * stops flush, and the others do not change.
 *
 * At a slanted or round face the box ends where it is apart by the rounding of its coordinates, and
 * so far before the contact that it was already free there. Each place where it comes to is looked
 * at once more: if rounding has put it into something, it goes out of that, or back.
 *
 * A circle that comes around a corner follows the arc in steps of an eighth of its radius: its wish
 * stays what it was, and the corner's normal turns. Compare "collide and slide", Fauerby 2003.
 */
#include "move.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BOUNCES = 16,
    MOST_RESPONSES = 96, /* a slide along arcs takes 13 for a quarter of a circle */
    NUDGES = 4,
    NUDGED = 16,   /* by so many roundings at most */
    ARC_STEPS = 8, /* to the radius */
    SIZES = 8      /* of the box: so much of a way is looked at first ... */
};
#define LEAST_PART 0x1p-20 /* ... or, if that is more, this part of it */

static double dot(const double a[DIM], const double b[DIM]) {
    double sum = 0;
    for (int k = 0; k < DIM; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* True if a motion leads into a face, by more than rounding may have left of it. */
static bool leads_into(const double v[DIM], const double normal[DIM]) {
    double along = dot(v, normal);
    return along < 0 && along < -1e-12 * bs_length(v);
}

/* --- where it is ---------------------------------------------------------------------------- */

static bool is_plain(const bs_move *m, const bs_obstacle *o) {
    return !bs_has_shape(m->w, m->self) && !bs_has_shape(m->w, o->box);
}

/* What rounding may take from a place beside that box, with room to spare. */
static double slack_of(const bs_rect *at, const bs_rect *other) {
    double largest = 0;
    for (int k = 0; k < DIM; k++) {
        double here = fabs(at->pos[k]) + at->size[k];
        largest = bs_max(bs_max(here, fabs(other->pos[k]) + other->size[k]), largest);
    }
    return largest * BS_ROUNDING;
}

static bool is_within(const bs_rect *r, const bs_rect *in) {
    bool within = true;
    for (int k = 0; k < DIM; k++) {
        within = within && r->pos[k] >= in->pos[k] && bs_far(r, k) <= bs_far(in, k);
    }
    return within;
}

static const bs_obstacle *first_solid_at(const bs_move *m, const bs_rect *at) {
    for (size_t i = 0; i < m->obstacles; i++) {
        const bs_obstacle *o = &m->obstacle[i];
        if (bs_overlap(at, &m->w->rect[o->box]) && !o->inside &&
            bs_is_solid_response((bs_response)o->response) &&
            (o->holds || !bs_is_one_way(m->w, o->box)) &&
            bs_would_overlap(m->w, m->self, at, o->box)) {
            return o;
        }
    }
    return NULL;
}

/* What lies beyond the reach is not known: beside something huge, rounding may lead there. */
static bool is_known(const bs_move *m, const bs_rect *at) {
    return bs_rect_is_box(at) && is_within(at, &m->glide.reach);
}

/* Goes out of what rounding has put it into. False: it cannot, or that was more than rounding. */
static bool settle(const bs_move *m, bs_rect *at) {
    for (int i = 0; is_known(m, at); i++) {
        const bs_obstacle *o = first_solid_at(m, at);
        if (o == NULL || i == NUDGES) {
            return o == NULL;
        }
        double push[DIM];
        double slack = slack_of(at, &m->w->rect[o->box]);
        double length = bs_push_out_of(m->w, m->self, at, o->box, push);
        if (!(length > 0) || length > NUDGED * slack) {
            return false;
        }
        for (int k = 0; k < DIM; k++) {
            at->pos[k] += push[k];
        }
    }
    return false;
}

/* --- making --------------------------------------------------------------------------------- */

/* The way out of what it overlaps, as a unit normal. */
static void find_way_out(bs_move *m, bs_obstacle *o) {
    double push[DIM];
    double length = bs_push_out_of(m->w, m->self, &m->glide.at, o->box, push);
    for (int k = 0; k < DIM; k++) {
        o->exit[k] = length > 0 ? push[k] / length : 0;
    }
}

/* Where it has looked around already all is as it was. */
static void look_around(bs_move *m) {
    bs_glide *g = &m->glide;
    if (memcmp(g->looked, g->at.pos, sizeof g->looked) == 0) {
        return;
    }
    memcpy(g->looked, g->at.pos, sizeof g->looked);
    for (size_t i = 0; i < m->obstacles; i++) {
        bs_obstacle *o = &m->obstacle[i];
        o->inside = o->inside && bs_would_overlap(m->w, m->self, &g->at, o->box);
        if (o->inside) {
            find_way_out(m, o);
        }
    }
}

bool bs_glide_is_needed(const bs_move *m) {
    if (bs_has_shape(m->w, m->self)) {
        return true;
    }
    for (size_t i = 0; i < m->obstacles; i++) {
        if (bs_has_shape(m->w, m->obstacle[i].box)) {
            return true;
        }
    }
    return false;
}

/* What it overlaps at its start; a one-way box then is not there. */
static void find_inside(bs_move *m) {
    size_t n = 0;
    for (size_t i = 0; i < m->obstacles; i++) {
        bs_obstacle o = m->obstacle[i];
        o.inside = bs_would_overlap(m->w, m->self, &m->start, o.box);
        if (o.inside) {
            find_way_out(m, &o);
        }
        m->obstacle[n] = o;
        n += !(o.inside && bs_is_one_way(m->w, o.box));
    }
    m->obstacles = n;
}

void bs_glide_begin(bs_move *m, const bs_rect *reach) {
    bs_glide *g = &m->glide;
    *g = (bs_glide){.at = m->start, .until = 1, .reach = *reach};
    for (int k = 0; k < DIM; k++) {
        g->end[k] = m->track[k].end;
    }
    memcpy(g->looked, m->start.pos, sizeof g->looked);
    find_inside(m);
}

/* --- meeting -------------------------------------------------------------------------------- */

/* What is met on the way from here to the end. */
typedef struct meeting {
    bs_obstacle *o; /* NULL: nothing */
    bs_touch touch; /* t: of the way from here to the end */
    double bend;
} meeting;

static bool meet_inside(const bs_move *m, bs_obstacle *o, const double way[DIM], meeting *x) {
    bool may_cross = o->response == BS_CROSS || (o->response == BS_UNKNOWN && !m->through);
    *x = (meeting){.o = o, .touch = {.t = 0}};
    memcpy(x->touch.normal, o->exit, sizeof x->touch.normal);
    return leads_into(way, o->exit) || may_cross;
}

/* The box only goes to where settle has found it free of these. */
static bool is_apart(const bs_move *m, const bs_obstacle *o) {
    return bs_is_solid_response((bs_response)o->response) && !m->through && !m->rules.ask &&
           !bs_is_one_way(m->w, o->box);
}

/* The rects are asked first: no shape is made if they do not meet. */
static bool meet(const bs_move *m, bs_obstacle *o, const double way[DIM], meeting *x) {
    bs_shape shape;
    bs_shape other;
    if (o->inside) {
        return meet_inside(m, o, way, x);
    }
    *x = (meeting){.o = o};
    if (!bs_sweep(&m->glide.at, way, &m->w->rect[o->box], NULL, &x->touch)) {
        return false;
    }
    bs_world_shape_at(m->w, m->self, &m->glide.at, &shape);
    bs_world_shape(m->w, o->box, &other);
    if (is_apart(m, o)) {
        assert(!bs_would_overlap(m->w, m->self, &m->glide.at, o->box));
        return is_plain(m, o) || bs_shapes_approach(&shape, way, &other, &x->touch, &x->bend);
    }
    if (!bs_shapes_meet(&shape, way, &other, &x->touch, &x->bend)) {
        return false;
    }
    if (dot(x->touch.normal, x->touch.normal) > 0) {
        return bs_is_solid_toward(m->w, o->box, x->touch.normal);
    }
    if (bs_is_one_way(m->w, o->box) || !bs_is_solid_response((bs_response)o->response)) {
        return !bs_is_one_way(m->w, o->box); /* it is in there since its way began */
    }
    double push[DIM]; /* rounding has put it there */
    double length = bs_push_out_of(m->w, m->self, &m->glide.at, o->box, push);
    for (int k = 0; k < DIM; k++) {
        x->touch.normal[k] = length > 0 ? push[k] / length : 0;
    }
    return dot(way, push) < 0;
}

static bool is_sooner(const bs_move *m, const meeting *a, const meeting *b) {
    if (b->o == NULL || a->touch.t != b->touch.t) {
        return b->o == NULL || a->touch.t < b->touch.t;
    }
    if (a->touch.corner != b->touch.corner) {
        return b->touch.corner;
    }
    return bs_world_before(m->w, a->o->box, b->o->box);
}

static void way_left(const bs_move *m, double way[DIM]) {
    for (int k = 0; k < DIM; k++) {
        way[k] = m->glide.end[k] - m->glide.at.pos[k];
    }
}

/* The first of the known obstacles on that part of the way. */
static meeting first_known(bs_move *m, const bs_rect *part, const double way[DIM]) {
    meeting first = {.o = NULL};
    for (size_t i = 0; i < m->obstacles; i++) {
        meeting x;
        bs_obstacle *o = &m->obstacle[i];
        if (o->response != BS_PASS && bs_overlap(part, &m->w->rect[o->box]) &&
            meet(m, o, way, &x) && is_sooner(m, &x, &first)) {
            first = x;
        }
    }
    return first;
}

/* --- parts of the way ----------------------------------------------------------------------- */

/* Around what the box passes on a part of its way, and a little more. */
static bs_rect part_of(const bs_rect *at, const double end[DIM], double from, double to) {
    bs_rect part;
    for (int k = 0; k < DIM; k++) {
        double way = end[k] - at->pos[k];
        double a = at->pos[k] + way * from;
        double b = to < 1 ? at->pos[k] + way * to : end[k];
        double lo = bs_min(a, b);
        double hi = bs_max(a, b) + at->size[k];
        double pad = (fabs(lo) + fabs(hi)) * BS_GLIDE_PAD + 0x1p-1060;
        part.pos[k] = lo - pad;
        part.size[k] = hi + pad - part.pos[k];
    }
    return part;
}

/* How much of the way is looked at first: some sizes of the box. */
static double first_part(const bs_rect *at, const double end[DIM]) {
    double size = 0;
    double length = 0;
    for (int k = 0; k < DIM; k++) {
        size = bs_max(at->size[k], size);
        length = bs_max(fabs(end[k] - at->pos[k]), length);
    }
    return bs_max(SIZES * size / length, LEAST_PART);
}

/* With room for the next steps around it. */
static bs_rect with_room(const bs_rect *part, const bs_rect *at) {
    bs_rect wide = *part;
    for (int k = 0; k < DIM; k++) {
        wide.pos[k] -= at->size[k] * BS_GLIDE_ROOM;
        wide.size[k] += 2 * at->size[k] * BS_GLIDE_ROOM;
    }
    return wide;
}

bs_rect bs_glide_reach(const bs_move *m, const bs_rect *reach) {
    double end[DIM];
    for (int k = 0; k < DIM; k++) {
        end[k] = m->track[k].end;
    }
    double share = first_part(&m->start, end);
    if (share >= 1) {
        return *reach;
    }
    bs_rect part = part_of(&m->start, end, 0, share);
    return with_room(&part, &m->start);
}

/* Leaves those in the list that are new and may be met. Both are in the order of insertion. */
static void keep_new(const bs_move *m, bs_list *found) {
    const bs_world *w = m->w;
    size_t n = 0;
    for (size_t i = 0, j = 0; i < found->n; i++) {
        uint32_t box = found->at[i];
        while (j < m->obstacles && bs_world_before(w, m->obstacle[j].box, box)) {
            j++;
        }
        bool known = j < m->obstacles && m->obstacle[j].box == box;
        bs_obstacle o = {.box = box};
        found->at[n] = box;
        n += !known && bs_rules_response(w, &m->rules, m->self, box) != BS_PASS &&
             !bs_would_overlap(m->w, m->self, &m->start,
                               o.box); /* what was there, and is not known, is one-way */
    }
    found->n = n;
}

/* Obstacles on a part that leads out of where they are known so far. False: no memory. */
static bool gather_on(bs_move *m, const bs_rect *part) {
    bs_world *w = m->w;
    bs_list *found = &w->found;
    const bs_rect reach = with_room(part, &m->start);
    bool done = bs_rect_is_query(&reach)
                    ? bs_world_find_in(w, &reach, found) && bs_world_sort(w, found)
                    : bs_world_list(w, found) == BS_OK;
    if (!done || !bs_array_reserve(&w->heap, &m->obstacle, &m->obstacle_cap,
                                   m->obstacles + found->n, sizeof *m->obstacle)) {
        return false;
    }
    keep_new(m, found);
    size_t old = m->obstacles;
    m->obstacles += found->n;
    for (size_t to = m->obstacles; found->n > 0;) { /* merged, from behind */
        uint32_t box = found->at[found->n - 1];
        if (old > 0 && bs_world_before(w, box, m->obstacle[old - 1].box)) {
            m->obstacle[--to] = m->obstacle[--old];
        } else {
            bs_response response = bs_rules_response(w, &m->rules, m->self, box);
            m->obstacle[--to] = (bs_obstacle){.box = box, .response = (uint8_t)response};
            found->n--;
        }
    }
    m->glide.reach = reach;
    return true;
}

/*
 * What is met first on the way that is left. Part after part is looked at, each twice as long as
 * the one before: so a long way costs no more than what lies along it up to there. What is met
 * behind the end of a part is left to the next one. False: no memory.
 */
static bool first_meeting(bs_move *m, const double way[DIM], meeting *first) {
    const bs_glide *g = &m->glide;
    double from = 0;
    double length = first_part(&g->at, g->end);
    do {
        double to = bs_min(from + length, 1);
        bs_rect part = part_of(&g->at, g->end, from, to);
        if (!is_within(&part, &g->reach) && !gather_on(m, &part)) {
            return false;
        }
        *first = first_known(m, &part, way);
        from = to;
        length *= 2;
    } while (from < 1 && !(first->o != NULL && first->touch.t <= from));
    return true;
}

/* --- responses ------------------------------------------------------------------------------ */

static int axis_of(const double normal[DIM]) {
    for (int k = 0; k < DIM; k++) {
        if (fabs(normal[k]) == 1) {
            return k;
        }
    }
    return -1;
}

/* Where two boxes meet: flush. */
static bs_rect place_flush(const bs_move *m, const meeting *x, const double way[DIM], int axis) {
    bs_rect at = m->glide.at;
    bs_face face = {axis, x->touch.normal[axis] > 0 ? 1 : -1};
    double from = at.pos[axis];
    double to = m->glide.end[axis];
    double side = bs_flush(at.size[axis], &m->w->rect[x->o->box], face);
    for (int k = 0; k < DIM; k++) {
        at.pos[k] += way[k] * x->touch.t;
    }
    at.pos[axis] = bs_max(bs_min(from, to), bs_min(side, bs_max(from, to)));
    return at;
}

/*
 * Where shapes meet: a little before, on its own way, where it has been free. If it has begun
 * nearer than that it goes off, if there is room: else what rounding does to many slides would add
 * up.
 */
static bs_rect place_off(const bs_move *m, const meeting *x, const double way[DIM]) {
    bs_rect at = m->glide.at;
    const bs_rect *other = &m->w->rect[x->o->box];
    double speed = -dot(way, x->touch.normal);
    double slack = slack_of(&at, other);
    for (int k = 0; k < DIM; k++) {
        at.pos[k] += way[k] * x->touch.t;
    }
    slack = bs_max(slack_of(&at, other), slack);
    double t = speed > 0 ? bs_max(x->touch.t - slack / speed, 0) : 0;
    for (int k = 0; k < DIM; k++) {
        at.pos[k] = m->glide.at.pos[k] + way[k] * t;
    }
    if (x->touch.t * speed < slack / 2) {
        bs_rect off = at;
        for (int k = 0; k < DIM; k++) {
            off.pos[k] += x->touch.normal[k] * slack;
        }
        at = is_known(m, &off) && first_solid_at(m, &off) == NULL ? off : at;
    }
    return at;
}

static bs_rect place_at(const bs_move *m, const meeting *x, const double way[DIM]) {
    int axis = axis_of(x->touch.normal);
    if (x->o->inside) {
        return m->glide.at;
    }
    return is_plain(m, x->o) && axis >= 0 ? place_flush(m, x, way, axis) : place_off(m, x, way);
}

/* The response of an obstacle there: a bounce that is too slow for its fall is a slide. */
static bs_response response_to(const bs_move *m, const meeting *x, const double way[DIM]) {
    double speed = -dot(way, x->touch.normal);
    double fall = -dot(m->fall, x->touch.normal) * (m->glide.until - m->now);
    bool settles = fall > 0 && speed <= fall;
    return x->o->response == BS_BOUNCE && settles ? BS_SLIDE : (bs_response)x->o->response;
}

/* True if v leads into none of the faces that are met here. */
static bool leads_out(const bs_glide *g, const double v[DIM]) {
    bool out = true;
    for (int i = 0; i < g->faces; i++) {
        out = out && !leads_into(v, g->face[i]);
    }
    return out;
}

/*
 * Twice: of what leads nearly straight into the face so little is left that the rounding of the
 * first time leads into it, too.
 */
static void slide_along(const double v[DIM], const double normal[DIM], double out[DIM]) {
    memcpy(out, v, DIM * sizeof *out);
    for (int i = 0; i < 2; i++) {
        double along = dot(out, normal);
        for (int k = 0; k < DIM; k++) {
            out[k] -= along * normal[k];
        }
    }
}

/*
 * What is left of v where all these faces are met: along one of them, the last one first; in 3D
 * along the crease of two; or nothing.
 */
static void slide(const bs_glide *g, double v[DIM]) {
    double out[DIM];
    if (leads_out(g, v)) {
        return;
    }
    for (int i = g->faces; i-- > 0;) {
        slide_along(v, g->face[i], out);
        if (dot(v, g->face[i]) < 0 && leads_out(g, out)) {
            memcpy(v, out, sizeof out);
            return;
        }
    }
#if DIM == 3
    for (int i = g->faces; i-- > 1;) {
        for (int j = i; j-- > 0;) {
            const double *a = g->face[i];
            const double *b = g->face[j];
            double crease[DIM] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                  a[0] * b[1] - a[1] * b[0]};
            double square = dot(crease, crease);
            double along = square > 0 ? dot(v, crease) / square : 0;
            for (int k = 0; k < DIM; k++) {
                out[k] = along * crease[k];
            }
            if (leads_out(g, out)) {
                memcpy(v, out, sizeof out);
                return;
            }
        }
    }
#endif
    memset(v, 0, DIM * sizeof *v);
}

static void stop(bs_glide *g) {
    memcpy(g->end, g->at.pos, sizeof g->end);
    memset(g->later, 0, sizeof g->later);
    memset(g->velocity, 0, sizeof g->velocity);
}

/*
 * The end of the way that is left; axes that it does not change keep theirs, exactly. What would
 * end beyond the doubles stops.
 */
static void set_way(bs_glide *g, const double before[DIM], const double way[DIM]) {
    bs_rect to = g->at;
    for (int k = 0; k < DIM; k++) {
        to.pos[k] += way[k];
    }
    if (!bs_rect_is_box(&to) || !bs_is_finite(g->later) || !bs_is_finite(g->velocity)) {
        stop(g);
        return;
    }
    for (int k = 0; k < DIM; k++) {
        g->end[k] = way[k] == before[k] ? g->end[k] : g->at.pos[k] + way[k];
    }
}

/* Only a step of an arc, and then what was wanted, once more. */
static void follow_arc(bs_move *m, const double wish[DIM], double way[DIM], double bend) {
    bs_glide *g = &m->glide;
    double length = bs_length(way);
    double step = bend / ARC_STEPS;
    if (!(length > step) || bs_length(g->later) > 0) {
        return;
    }
    double share = step / length;
    for (int k = 0; k < DIM; k++) {
        way[k] *= share;
        g->later[k] = wish[k] * (1 - share);
    }
    g->until = m->now + (g->until - m->now) * share;
}

static void respond_by_slide(bs_move *m, const meeting *x) {
    bs_glide *g = &m->glide;
    double before[DIM];
    double way[DIM];
    way_left(m, before);
    if (g->faces == 1) { /* the first one here */
        memcpy(g->wish, before, sizeof g->wish);
        memcpy(g->velocity_here, g->velocity, sizeof g->velocity);
    }
    memcpy(way, g->wish, sizeof way);
    memcpy(g->velocity, g->velocity_here, sizeof g->velocity);
    slide(g, way);
    slide(g, g->velocity);
    if (x->bend > 0) {
        follow_arc(m, g->wish, way, x->bend);
    } else {
        slide(g, g->later);
    }
    set_way(g, before, way);
}

/* d, turned round where it leads into the face, times `keep`. */
static void turn(double d[DIM], const double normal[DIM], double keep) {
    double along = dot(d, normal);
    for (int k = 0; along < 0 && k < DIM; k++) {
        d[k] = d[k] - along * normal[k] - keep * (along * normal[k]);
    }
}

static void respond_by_bounce(bs_move *m, const meeting *x) {
    bs_glide *g = &m->glide;
    double before[DIM];
    double way[DIM];
    way_left(m, before);
    memcpy(way, before, sizeof way);
    turn(way, x->touch.normal, m->bounce);
    turn(g->velocity, x->touch.normal, m->bounce);
    turn(g->later, x->touch.normal, m->bounce);
    set_way(g, before, way);
    for (size_t i = 0; i < m->obstacles; i++) {
        m->obstacle[i].told = false;
    }
    g->faces = 0;
    if (++m->bounces == MOST_BOUNCES) {
        stop(g);
    }
}

/* False: no memory. */
static bool tell(bs_move *m, const meeting *x, const bs_rect *at, double t, bs_response response) {
    bs_collisions *met = &m->met;
    if (x->o->told) {
        return true;
    }
    if (!bs_array_reserve(&m->w->heap, &met->at, &met->cap, met->n + 1, sizeof *met->at)) {
        return false;
    }
    bs_collision *c = &met->at[met->n++];
    *c = (bs_collision){.id = bs_world_id(m->w, x->o->box), .box = x->o->box, .t = t};
    c->response = response;
    c->overlap = x->o->inside;
    memcpy(c->normal, x->touch.normal, sizeof c->normal);
    memcpy(c->place, at->pos, sizeof c->place);
    x->o->told = true;
    return true;
}

/* The face is one of those that are met here; what was met elsewhere is no longer. */
static void note_face(bs_move *m, const meeting *x, const bs_rect *at) {
    bs_glide *g = &m->glide;
    double slack = slack_of(at, &m->w->rect[x->o->box]);
    bool moved = false;
    for (int k = 0; k < DIM; k++) {
        moved = moved || fabs(at->pos[k] - g->at.pos[k]) > 32 * slack;
    }
    g->faces = moved ? 0 : g->faces;
    if (g->faces == BS_GLIDE_FACES) {
        memmove(g->face[0], g->face[1], (BS_GLIDE_FACES - 1) * sizeof g->face[0]);
        g->faces--;
    }
    memcpy(g->face[g->faces++], x->touch.normal, sizeof x->touch.normal);
}

/* Takes the first meeting. False: no memory. */
static bool take(bs_move *m, const meeting *x, const double way[DIM]) {
    bs_glide *g = &m->glide;
    double t = m->now + (g->until - m->now) * x->touch.t;
    bs_response response = response_to(m, x, way);
    bool stops = bs_is_solid_response(response) && !m->through;
    bs_rect at = place_at(m, x, way);
    bool free = !stops || settle(m, &at);
    at = free ? at : g->at; /* nowhere else is it certain to be free */
    if (!tell(m, x, &at, t, response)) {
        return false;
    }
    if (!stops) {
        x->o->response = BS_PASS;
        return true;
    }
    note_face(m, x, &at);
    x->o->holds = !x->o->inside;
    g->at = at;
    m->now = t;
    if (!free || response == BS_TOUCH || ++g->responses >= MOST_RESPONSES) {
        stop(g);
    } else if (response == BS_BOUNCE) {
        respond_by_bounce(m, x);
    } else {
        respond_by_slide(m, x);
    }
    look_around(m);
    return true;
}

/* At the end of this part of the way. True: there is another part. */
static bool go_on(bs_move *m) {
    bs_glide *g = &m->glide;
    bs_rect at = g->at;
    memcpy(at.pos, g->end, sizeof at.pos);
    bool free = m->through || settle(m, &at);
    g->at = free ? at : g->at;
    m->now = g->until;
    g->until = 1;
    bool more = false;
    for (int k = 0; k < DIM; k++) {
        g->end[k] = g->at.pos[k] + g->later[k];
        more = more || g->later[k] != 0;
        g->later[k] = 0;
    }
    g->faces = 0;
    return more && free;
}

bs_progress bs_glide_run(bs_move *m, uint32_t *other) {
    for (;;) {
        double way[DIM];
        meeting first;
        way_left(m, way);
        if (!first_meeting(m, way, &first)) {
            return BS_MOVE_NO_MEMORY;
        }
        if (first.o == NULL) {
            if (!go_on(m)) {
                return BS_MOVE_DONE;
            }
        } else if (first.o->response == BS_UNKNOWN && !m->through) {
            m->glide.asked = first.o;
            *other = first.o->box;
            return BS_MOVE_ASKS;
        } else if (!take(m, &first, way)) {
            return BS_MOVE_NO_MEMORY;
        }
    }
}
