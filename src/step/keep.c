/*
 * keep.c: what a solution leaves. Ways are shortened until no plane is crossed, so that what many
 * planes leave costs nobody an overlap.
 *
 * That is done in a frame in which all that hangs together may rest: there it ends.
 */
#include "step.h"

#include <string.h>

bs_mover bs_mover_of(const bs_body *b, const double velocity[DIM]) {
    bs_mover m = {.inverse_mass = bs_inverse_mass(b), .cuts = b->cuts, .is_firm = b->is_firm};
    m.pushes = !(b->inverse_mass > 0);
    memcpy(m.velocity, velocity, sizeof m.velocity);
    memcpy(m.before, velocity, sizeof m.before);
    memcpy(m.fall, b->fall, sizeof m.fall);
    return m;
}

void bs_mover_leave(const bs_mover *m, bs_body *b) {
    b->cuts = m->cuts;
    b->is_firm = m->is_firm;
}

static void set_speed(bs_mover *m, const double normal[DIM], double from, double to) {
    if (from == to) {
        return;
    }
    bs_add(m->velocity, to - from, normal);
    m->cuts = (uint8_t)(m->cuts + (m->cuts < UINT8_MAX));
    if (m->cuts > BS_MOST_CUTS && !m->is_firm) {
        memset(m->velocity, 0, sizeof m->velocity);
    }
}

bool bs_movers_cut(bs_mover *a, bs_mover *b, const double normal[DIM], double most) {
    double of_a = bs_dot(normal, a->velocity);
    double of_b = bs_dot(normal, b->velocity);
    double to_a = of_a;
    double to_b = of_b;
    bool a_stays = !(a->inverse_mass > 0) || a->is_firm;
    bool b_stays = !(b->inverse_mass > 0) || b->is_firm;
    if (a_stays && b_stays) {
        return false;
    }
    if (a_stays) {
        to_b = of_a + most;
        b->is_firm = (a->pushes || a->is_firm) && fabs(to_b) > fabs(of_b);
    } else if (b_stays) {
        to_a = of_b - most;
        a->is_firm = (b->pushes || b->is_firm) && fabs(to_a) > fabs(of_a);
    } else if (of_a < 0 && of_b > 0) {
        double part = most / (of_b - of_a);
        to_a = of_a * part;
        to_b = of_b * part;
    } else if (of_a >= 0) {
        to_b = of_a + most;
    } else {
        to_a = of_b - most;
    }
    set_speed(a, normal, of_a, to_a);
    set_speed(b, normal, of_b, to_b);
    return true;
}

/* Whether a plane is crossed by more than rounding. */
static bool is_crossed(const bs_plane *p, const bs_mover *movers, double dt) {
    return -bs_mover_parting(p, &movers[p->of_a], &movers[p->of_b]) * dt - p->gap > p->slack;
}

/* The part of a momentum that nothing but the island's own bodies takes. */
typedef struct frame {
    double taken[DIM][DIM]; /* Directions in which something else does, at right angles. */
    int n;
} frame;

static void take(frame *f, const double normal[DIM]) {
    double rest[DIM];
    memcpy(rest, normal, sizeof rest);
    for (int i = 0; i < f->n; i++) {
        bs_along_side(rest, f->taken[i], rest);
    }
    if (f->n < DIM && bs_direction(rest, f->taken[f->n]) > BS_SAME_WAY) {
        f->n++;
    }
}

static void free_part(const frame *f, double v[DIM]) {
    for (int i = 0; i < f->n; i++) {
        bs_along_side(v, f->taken[i], v);
    }
    for (int k = 0; f->n == DIM && k < DIM; k++) {
        v[k] = 0;
    }
}

static frame frame_of(const bs_plane *planes, size_t n, const bs_mover *movers) {
    frame f = {.n = 0};
    for (size_t i = 0; i < n && f.n < DIM; i++) {
        const bs_mover *a = &movers[planes[i].of_a];
        const bs_mover *b = &movers[planes[i].of_b];
        if (!(planes[i].push > 0) && !planes[i].is_crossed) {
            continue;
        }
        if (a->pushes || b->pushes) {
            for (int k = 0; k < DIM; k++) {
                double axis[DIM] = {0};
                axis[k] = 1;
                take(&f, axis);
            }
        } else if (!(a->inverse_mass > 0) || !(b->inverse_mass > 0)) {
            take(&f, planes[i].normal);
        }
    }
    return f;
}

/* The free part of the mean velocity of the members. */
static void mean_of(bs_bodies *s, const frame *f, double mean[DIM]) {
    double mass = 0;
    memset(mean, 0, DIM * sizeof *mean);
    for (size_t i = 0; i < s->around.n; i++) {
        const bs_mover *m = &s->mover.at[s->around.at[i]];
        mass += 1 / m->inverse_mass;
        for (int k = 0; k < DIM; k++) {
            mean[k] += m->velocity[k] / m->inverse_mass;
        }
    }
    for (int k = 0; k < DIM; k++) {
        mean[k] /= mass;
    }
    free_part(f, mean);
}

/* Goes to a frame that moves with v: there all velocities are smaller by it. */
static void enter_frame(bs_bodies *s, const bs_plane *planes, size_t n, const double v[DIM]) {
    bs_mover *movers = s->mover.at;
    for (size_t i = 0; i < s->around.n; i++) {
        bs_mover *m = &movers[s->around.at[i]];
        bs_minus(m->velocity, v, m->velocity);
    }
    for (size_t i = 0; i < n; i++) { /* What does not give way, once. */
        bs_mover *both[] = {&movers[planes[i].of_a], &movers[planes[i].of_b]};
        for (int k = 0; k < 2; k++) {
            if (!(both[k]->inverse_mass > 0) && !both[k]->is_framed) {
                bs_minus(both[k]->velocity, v, both[k]->velocity);
                both[k]->is_framed = true;
            }
        }
    }
}

static void leave_frame(bs_bodies *s, const bs_plane *planes, size_t n, const double v[DIM],
                        const double drift[DIM]) {
    bs_mover *movers = s->mover.at;
    for (size_t i = 0; i < s->around.n; i++) {
        bs_mover *m = &movers[s->around.at[i]];
        m->is_framed = false;
        bs_add(m->velocity, 1, v);
        bs_minus(m->velocity, drift, m->velocity);
    }
    for (size_t i = 0; i < n; i++) {
        bs_mover *both[] = {&movers[planes[i].of_a], &movers[planes[i].of_b]};
        for (int k = 0; k < 2; k++) {
            if (both[k]->is_framed) {
                uint32_t body = both[k]->body;
                memcpy(both[k]->velocity, both[k]->before, sizeof both[k]->velocity);
                both[k]->pushes = body != BS_NOBODY && !(s->body.at[body].inverse_mass > 0);
                both[k]->is_framed = false;
            }
        }
    }
}

/* The members, by rank, in `around`; there is room for them. */
static void list_members(bs_bodies *s, const bs_plane *planes, size_t n) {
    s->around.n = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t both[] = {planes[i].of_a, planes[i].of_b};
        for (int k = 0; k < 2; k++) {
            bs_mover *m = &s->mover.at[both[k]];
            if (m->inverse_mass > 0 && !m->is_framed) {
                m->is_framed = true;
                m->cuts = 0;
                s->around.at[s->around.n++] = both[k];
            }
        }
    }
}

/* Whether who goes at that velocity keeps all planes of what does not give way. */
static bool is_rest(const bs_bodies *s, const bs_plane *planes, size_t n, const double v[DIM]) {
    bool rest = true;
    for (size_t i = 0; rest && i < n; i++) {
        const bs_plane *p = &planes[i];
        bs_mover a = s->mover.at[p->of_a];
        bs_mover b = s->mover.at[p->of_b];
        if (a.inverse_mass > 0 && b.inverse_mass > 0) {
            continue;
        }
        memcpy(a.inverse_mass > 0 ? a.velocity : b.velocity, v, sizeof a.velocity);
        rest = -bs_mover_parting(p, &a, &b) * s->span - p->gap <= p->slack;
    }
    return rest;
}

/* The velocity of a frame in which nobody has to move: v, or that of something that pushes. */
static bool find_frame(const bs_bodies *s, const bs_plane *planes, size_t n, double v[DIM]) {
    if (is_rest(s, planes, n, v)) {
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        const bs_mover *a = &s->mover.at[planes[i].of_a];
        const bs_mover *b = &s->mover.at[planes[i].of_b];
        const bs_mover *pusher = a->pushes ? a : b;
        if (pusher->pushes && is_rest(s, planes, n, pusher->velocity)) {
            memcpy(v, pusher->velocity, DIM * sizeof *v);
            return true;
        }
    }
    return false;
}

/* --- cutting -------------------------------------------------------------------------------- */

/* A queue of planes that may be crossed: each is in it once at most. */
typedef struct queue {
    bs_plane *planes;
    uint32_t *at;
    size_t n, first, length;
} queue;

static void enqueue(queue *q, uint32_t plane) {
    if (!q->planes[plane].is_due) {
        q->planes[plane].is_due = true;
        q->at[(q->first + q->length++) % q->n] = plane;
    }
}

static bs_plane *dequeue(queue *q) {
    bs_plane *p = &q->planes[q->at[q->first]];
    q->first = (q->first + 1) % q->n;
    q->length--;
    p->is_due = false;
    return p;
}

/* Chains the planes of each mover, and enqueues them all. */
static void begin(queue *q, bs_mover *movers) {
    for (size_t i = 0; i < q->n; i++) {
        movers[q->planes[i].of_a].plane = movers[q->planes[i].of_b].plane = BS_NOBODY;
        q->planes[i].is_due = false;
    }
    for (uint32_t i = (uint32_t)q->n; i-- > 0;) {
        bs_plane *p = &q->planes[i];
        p->next_of_a = movers[p->of_a].plane;
        movers[p->of_a].plane = i;
        p->next_of_b = movers[p->of_b].plane;
        movers[p->of_b].plane = i;
    }
    for (uint32_t i = 0; i < q->n; i++) {
        enqueue(q, i);
    }
}

static void enqueue_planes_of(queue *q, const bs_mover *movers, uint32_t mover) {
    uint32_t i = movers[mover].inverse_mass > 0 ? movers[mover].plane : BS_NOBODY;
    while (i != BS_NOBODY) {
        enqueue(q, i);
        i = q->planes[i].of_a == mover ? q->planes[i].next_of_a : q->planes[i].next_of_b;
    }
}

/* Shrinks what goes on in the frame until no plane is crossed, or nothing gives way. */
static void shrink(bs_bodies *s, bs_plane *planes, size_t n) {
    enum { MOST_TURNS = 256 };
    bs_mover *movers = s->mover.at;
    queue q = {.planes = planes, .at = s->due.at, .n = n};
    begin(&q, movers);
    const size_t most = MOST_TURNS * n; /* Who is squeezed finds no end. */
    for (size_t i = 0; q.length > 0 && i < most; i++) {
        bs_plane *p = dequeue(&q);
        if (!is_crossed(p, movers, s->span)) {
            continue;
        }
        p->is_crossed = true;
        if (bs_movers_cut(&movers[p->of_a], &movers[p->of_b], p->normal, p->gap / s->span)) {
            enqueue_planes_of(&q, movers, p->of_a);
            enqueue_planes_of(&q, movers, p->of_b);
        }
    }
}

/* --- a part --------------------------------------------------------------------------------- */

/*
 * Keeps the planes of one part. The frame is that of the part, which moves with it where nothing
 * else takes its momentum, or that of what pushes it. The part's own momentum stays there.
 */
static void keep_part(bs_bodies *s, bs_plane *planes, size_t n) {
    bs_mover *movers = s->mover.at;
    double velocity[DIM];
    double own[DIM];
    double drift[DIM];
    frame f = frame_of(planes, n, movers);
    list_members(s, planes, n);
    mean_of(s, &f, own);
    memcpy(velocity, own, sizeof velocity);
    bool may_rest = find_frame(s, planes, n, velocity);
    bs_minus(own, velocity, own); /* What the part has in that frame. */
    free_part(&f, own);
    for (size_t i = 0; may_rest && i < n; i++) { /* Nobody is pushed there. */
        movers[planes[i].of_a].pushes = movers[planes[i].of_b].pushes = false;
    }
    enter_frame(s, planes, n, velocity);
    shrink(s, planes, n);
    mean_of(s, &f, drift);
    bs_minus(drift, own, drift);
    leave_frame(s, planes, n, velocity, drift);
}

/* --- parts ---------------------------------------------------------------------------------- */

static uint32_t part_of(bs_mover *movers, uint32_t i) {
    while (movers[i].part != i) {
        movers[i].part = movers[movers[i].part].part;
        i = movers[i].part;
    }
    return i;
}

/* That of a plane; with none for planes of two parts. */
static uint32_t part_of_plane(bs_mover *movers, const bs_plane *p) {
    bool a_gives = movers[p->of_a].inverse_mass > 0;
    bool b_gives = movers[p->of_b].inverse_mass > 0;
    uint32_t a = part_of(movers, a_gives ? p->of_a : p->of_b);
    uint32_t b = part_of(movers, b_gives ? p->of_b : p->of_a);
    return a == b ? a : BS_NOBODY;
}

/* Unites what presses and what is crossed, or all that has planes. False if nothing is new. */
static bool make_parts(const bs_plane *planes, size_t n, bs_mover *movers, bool all) {
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        const bs_plane *p = &planes[i];
        bool both = movers[p->of_a].inverse_mass > 0 && movers[p->of_b].inverse_mass > 0;
        uint32_t a = part_of(movers, p->of_a);
        uint32_t b = part_of(movers, p->of_b);
        if (both && a != b && (all || p->push > 0 || p->is_crossed)) {
            movers[a].part = b;
            changed = true;
        }
    }
    return changed;
}

/* Copies the planes of a part to `sorted`, where there is room. */
static size_t copy_part(bs_bodies *s, const bs_plane *planes, size_t n, uint32_t part) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (part_of_plane(s->mover.at, &planes[i]) == part) {
            s->sorted.at[count++] = planes[i];
        }
    }
    return count;
}

/* Copies back which of them have been crossed. */
static void copy_back(bs_bodies *s, bs_plane *planes, size_t n, uint32_t part) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (part_of_plane(s->mover.at, &planes[i]) == part) {
            planes[i].is_crossed |= s->sorted.at[count++].is_crossed;
        }
    }
}

/* Notes which planes are crossed, and counts those that have ever been. False if none is. */
static bool note_crossed(bs_plane *planes, size_t n, const bs_mover *movers, double span,
                         size_t *ever) {
    bool crossed = false;
    *ever = 0;
    for (size_t i = 0; i < n; i++) {
        bool is = is_crossed(&planes[i], movers, span);
        planes[i].is_crossed |= is;
        *ever += planes[i].is_crossed;
        crossed |= is;
    }
    return crossed;
}

/* What neither presses nor is crossed keeps its velocity, unless others come into its way so. */
void bs_planes_keep(bs_bodies *s, bs_plane *planes, size_t n) {
    enum { ROUNDS = 8 };
    bs_mover *movers = s->mover.at;
    for (size_t i = 0; i < n; i++) {
        movers[planes[i].of_a].part = planes[i].of_a;
        movers[planes[i].of_b].part = planes[i].of_b;
        movers[planes[i].of_a].kept = movers[planes[i].of_b].kept = 0;
    }
    size_t ever;
    size_t last = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        if (!note_crossed(planes, n, movers, s->span, &ever) ||
            (!make_parts(planes, n, movers, round == ROUNDS) && ever == last)) {
            break; /* Who is squeezed finds no end. */
        }
        last = ever;
        for (size_t i = 0; i < n; i++) {
            uint32_t part = part_of_plane(movers, &planes[i]);
            if (part != BS_NOBODY && movers[part].kept < round &&
                is_crossed(&planes[i], movers, s->span)) {
                movers[part].kept = (uint8_t)round;
                keep_part(s, s->sorted.at, copy_part(s, planes, n, part));
                copy_back(s, planes, n, part);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (is_crossed(&planes[i], movers, s->span)) {
            s->body.at[planes[i].a].is_straight = false;
        }
    }
}
