/*
 * pairs.c: measures frames. A frame moves the moving boxes, and then lists all overlapping pairs.
 *
 * The machine may be shared. So subjects take turns in chunks of a few frames, all play the same
 * frames, and the order changes from chunk to chunk. The first frame of a chunk is not counted, so
 * that caches are hot. After each chunk the sets of pairs are compared.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report.h"
#include "shapes.h"

enum { FRAMES_MOST = 17, CHUNKS_LEAST = 3 };

typedef struct digest {
    size_t n;
    uint64_t sum;
} digest;

typedef struct entrant {
    const subject_type *type;
    void *it;
    samples *time;
    double spent;
    unsigned repeat; /* of frames in which nothing moves, until the clock can measure them */
    bool wrong;
} entrant;

typedef struct contest {
    scene s;
    frame frames[FRAMES_MOST];
    size_t n_frames;
    entrant at[SUBJECTS_MOST];
    size_t n;
    digest expected;
} contest;

/* --- sets of pairs --------------------------------------------------------------------------- */

/* Adds a pair to a sum that does not depend on the order of pairs. */
static void digest_add(digest *d, uint32_t a, uint32_t b) {
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    key = (key ^ key >> 31) * 0x7fb5d329728ea185u;
    key = (key ^ key >> 27) * 0x81dadef4bc2dd44du;
    d->sum += key ^ key >> 33;
    d->n++;
}

static digest digest_of(const bs_pair *pairs, size_t n) {
    digest d = {0, 0};
    for (size_t i = 0; i < n; i++) {
        digest_add(&d, pairs[i].a, pairs[i].b);
    }
    return d;
}

typedef struct placed {
    bs_rect rect;
    uint32_t box;
} placed;

static int by_x(const void *a, const void *b) {
    double x = ((const placed *)a)->rect.pos[0];
    double y = ((const placed *)b)->rect.pos[0];
    return x < y ? -1 : x > y;
}

/* Whether two boxes overlap, by their shapes if these count. */
static bool do_overlap(const scene *s, const placed *a, const placed *b) {
    return bs_overlap(&a->rect, &b->rect) &&
           shapes_overlap(s->spec.shapes, a->box, &a->rect, b->box, &b->rect);
}

/* The right answer: each box, in the order of x, is compared with all that begin within it. */
static digest reference(const scene *s) {
    digest d = {0, 0};
    uint32_t n = s->spec.n;
    uint32_t fixed = s->spec.fixed;
    placed *at = must_alloc(n * sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        at[i] = (placed){s->rect[i], i};
    }
    qsort(at, n, sizeof *at, by_x);
    for (uint32_t i = 0; i < n; i++) {
        double end = bs_far(&at[i].rect, 0);
        for (uint32_t j = i + 1; j < n && at[j].rect.pos[0] < end; j++) {
            if (do_overlap(s, &at[i], &at[j]) &&
                (fixed == 0 || (at[i].box < fixed) != (at[j].box < fixed))) {
                digest_add(&d, at[i].box, at[j].box);
            }
        }
    }
    free(at);
    return d;
}

/* --- chunks ---------------------------------------------------------------------------------- */

static size_t frames_for(uint32_t n, bool quick) {
    return n <= 2048 ? (quick ? 9 : FRAMES_MOST) : n <= 200000 ? 5 : 3;
}

static void next_frames(contest *c) {
    for (size_t i = 0; i < c->n_frames; i++) {
        scene_advance(&c->s, &c->frames[i]);
    }
}

static size_t play(entrant *e, const frame *f, const bs_pair **pairs) {
    subject_play(e->type, e->it, f);
    return e->type->pairs(e->it, pairs);
}

/* Seconds per frame of one chunk. */
static double time_chunk(contest *c, entrant *e, const bs_pair **pairs, size_t *n) {
    *n = play(e, &c->frames[0], pairs);
    double start = cpu_seconds();
    for (size_t i = 1; i < c->n_frames; i++) {
        for (unsigned j = 0; j < e->repeat; j++) {
            *n = play(e, &c->frames[i], pairs);
        }
    }
    double spent = cpu_seconds() - start;
    e->spent += spent;
    return spent / (double)(c->n_frames - 1) / e->repeat;
}

/*
 * Ours must be right. So must other libraries for boxes. If they compute shapes in floats, or with
 * a margin, one in two hundred pairs may be missing or too many.
 */
static bool is_right(const contest *c, const entrant *e, digest found) {
    if (e->type->is_peer && c->s.spec.shapes != BOXES) {
        return fabs((double)found.n - (double)c->expected.n) <= (double)c->expected.n / 200;
    }
    return found.n == c->expected.n && found.sum == c->expected.sum;
}

static void check(bench *b, contest *c, entrant *e, digest found) {
    if (!is_right(c, e, found)) {
        if (!e->wrong) {
            report_progress("\n%s, %s: %zu pairs, but %zu are right\n", c->s.spec.name,
                            e->type->name, found.n, c->expected.n);
        }
        e->wrong = true;
        b->wrong = true;
    }
}

/* If a chunk takes longer than this many seconds, it is the only one. */
static double longest(const bench *b) {
    return fmax(1, 10 * b->seconds);
}

static bool is_done(const bench *b, const entrant *e) {
    size_t least = e->spent > longest(b) ? 1 : CHUNKS_LEAST;
    return e->wrong || e->time->n == SAMPLES_MOST || (e->time->n >= least && e->spent > b->seconds);
}

/*
 * Runs one chunk of all subjects that still take part, and returns their number. The first chunk
 * only warms up, unless it takes so long that it must do.
 */
static size_t run_chunk(bench *b, contest *c, size_t number) {
    size_t running = 0;
    next_frames(c);
    /* With shapes, a peer may come first. */
    bool have_expected = number == 0 || c->s.spec.shapes != BOXES;
    if (have_expected) {
        c->expected = reference(&c->s);
    }
    for (size_t i = 0; i < c->n; i++) {
        entrant *e = &c->at[(i + number) % c->n];
        if (is_done(b, e)) {
            continue;
        }
        const bs_pair *pairs;
        size_t n;
        double spent = time_chunk(c, e, &pairs, &n);
        digest found = digest_of(pairs, n);
        c->expected = have_expected ? c->expected : found;
        have_expected = true;
        check(b, c, e, found);
        if (number > 0 || e->spent > longest(b)) {
            samples_add(e->time, spent);
        } else if (c->s.spec.moving <= 0) {
            e->repeat = (unsigned)fmin(fmax(1, 5e-5 / spent), 10000);
        }
        running++;
    }
    return running;
}

static void begin(bench *b, contest *c, const scene_spec *spec, work *out) {
    memset(c, 0, sizeof *c);
    scene_begin(&c->s, spec, &b->options);
    c->n_frames = frames_for(c->s.spec.n, b->quick);
    for (size_t i = 0; i < out->n; i++) {
        const subject_type *type = out->type[i];
        bool fits = type->has_shapes || c->s.spec.shapes == BOXES;
        if (fits && c->s.spec.n <= (b->quick ? type->most_quick : type->most)) {
            void *it = subject_fill(type, &c->s, FOR_PAIRS);
            if (c->s.spec.fixed > 0 && type->settle != NULL) {
                type->settle(it); /* movers will query what never moves */
            }
            c->at[c->n++] = (entrant){type, it, &out->time[i], 0, 1, false};
        }
    }
}

static void end(contest *c) {
    for (size_t i = 0; i < c->n; i++) {
        c->at[i].type->destroy(c->at[i].it);
    }
    for (size_t i = 0; i < c->n_frames; i++) {
        frame_free(&c->frames[i]);
    }
    scene_end(&c->s);
}

work *pairs_run(bench *b, const scene_spec *spec, const subject_type *const *types, size_t n) {
    contest c;
    work *out = work_new(b, spec->name, spec->what, types, n);
    begin(b, &c, spec, out);
    report_progress("%s ", spec->name);
    for (size_t number = 0; run_chunk(b, &c, number) > 0; number++) {
        if (number == 0) {
            out->found = c.expected.n;
        }
    }
    end(&c);
    return out;
}
