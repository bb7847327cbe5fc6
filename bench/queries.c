/*
 * queries.c: rectangles, segment casts and sweeps, directly after boxes were inserted, moved or
 * replaced; and one update, one query, and so on.
 *
 * Subjects take turns, batch after batch of the same queries. The answer to a cast is the first box
 * hit, the answer to a rectangle all boxes that overlap it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report.h"
#include "shapes.h"

/*
 * Queries in a batch. As many others come before them and make the caches hot, so they have to
 * reach most boxes. With an update before each query they are fewer, because some of the libraries
 * become slower from one to the next.
 */
enum { BATCH = 4000, TURNS = 1000, REFERENCED = 100, STARTS = 4000 };

typedef enum query_kind {
    SEGMENT_200,
    SWEEP_200,
    SWEEP_8,
    RECT_64,
    HEADLINES,
    SEGMENT_INSIDE = HEADLINES,
    SWEEP_INSIDE,
    KINDS
} query_kind;

/*
 * Casts begin outside of boxes, as a line of sight does. Those that begin inside have their own
 * rows.
 */
static const struct {
    const char *name;
    double size;   /* of the swept box, or of the rectangle */
    double length; /* of the motion; 0 for a rectangle */
    bool inside;   /* the cast begins inside a box */
} kinds[KINDS] = {
    {"segment, 200 px", 0, 200, false},
    {"sweep of 16 x 16, 200 px", 16, 200, false},
    {"sweep of 16 x 16, 8 px", 16, 8, false},
    {"rectangle 64 x 64", 64, 0, false},
    {"segment from inside, 200 px", 0, 200, true},
    {"sweep from inside, 200 px", 16, 200, true},
};

typedef struct question {
    bs_rect rect; /* the rectangle, or where the cast begins */
    double motion[DIM];
} question;

/* A box that moves before a query. */
typedef struct step {
    uint32_t box;
    bs_rect to;
} step;

typedef struct player {
    const subject_type *type;
    void *it;
    double first; /* seconds of the first query after the boxes changed */
    samples time[KINDS];
    samples alone[KINDS]; /* of the query, in turns of updates and queries */
    double spent;
    double answers[BATCH];
} player;

typedef struct arena {
    scene s;
    const subject_type *judge_type;
    void *judge; /* tells which places are inside boxes */
    player at[SUBJECTS_MOST];
    size_t n;
    bs_rect
        starts[STARTS]; /* where casts of the present kind begin; drawn once, as it takes long */
    question questions[BATCH];
    question warming[BATCH];
    step steps[TURNS];
} arena;

/* --- questions and answers ------------------------------------------------------------------- */

static bool stays_in_world(const arena *a, const question *q) {
    for (int k = 0; k < DIM; k++) {
        double end = q->rect.pos[k] + q->motion[k];
        if (end < 0 || end + q->rect.size[k] > a->s.size[k] || q->motion[k] == 0) {
            return false;
        }
    }
    return true;
}

static bool begins_inside(const arena *a, const bs_rect *start) {
    const uint32_t *found;
    return a->judge_type->query(a->judge, start, &found) > 0;
}

static void draw_starts(arena *a, query_kind kind) {
    for (size_t i = 0; i < STARTS; i++) {
        bs_rect *start = &a->starts[i];
        for (int k = 0; k < DIM; k++) {
            start->size[k] = kinds[kind].size;
        }
        do {
            scene_place(&a->s, start);
        } while (kinds[kind].length > 0 && begins_inside(a, start) != kinds[kind].inside);
    }
}

/* Draws a motion in any direction. */
static void draw_motion(arena *a, double length, double motion[DIM]) {
    double angle = scene_random(&a->s) * 2 * 3.14159265358979;
#if DIM == 3
    motion[2] = length * (2 * scene_random(&a->s) - 1);
    length = sqrt(length * length - motion[2] * motion[2]);
#endif
    motion[0] = length * cos(angle);
    motion[1] = length * sin(angle);
}

static question draw(arena *a, query_kind kind) {
    question q;
    do {
        q.rect = a->starts[(size_t)(scene_random(&a->s) * (STARTS - 1))];
        draw_motion(a, kinds[kind].length, q.motion);
    } while (kinds[kind].length > 0 && !stays_in_world(a, &q));
    return q;
}

static void ask(arena *a, query_kind kind) {
    for (size_t i = 0; i < BATCH; i++) {
        a->questions[i] = draw(a, kind);
        a->warming[i] = draw(a, kind);
    }
}

static double sum_of(const uint32_t *found, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)(found[i] + 1) * 1000003.0;
    }
    return sum + (double)n;
}

/*
 * A number that tells answers apart: the time of the hit (2 for none), or a sum of the boxes found.
 */
static double answer_of(const player *p, query_kind kind, const question *q) {
    if (kind == RECT_64) {
        const uint32_t *found;
        size_t n = p->type->query(p->it, &q->rect, &found);
        return sum_of(found, n);
    }
    double t;
    return p->type->cast(p->it, &q->rect, q->motion, &t) ? t : 2;
}

/* Finds the first circle that a segment hits, by a look at all of them. */
static double first_circle(const scene *s, const question *q) {
    double best = 2;
    for (uint32_t i = 0; i < s->spec.n; i++) {
        best = fmin(best, shape_circle_met(&s->rect[i], q->rect.pos, q->motion));
    }
    return best;
}

/* Finds the answer by a look at all boxes. */
static double right_answer(const scene *s, query_kind kind, const question *q) {
    double best = 2;
    double sum = 0;
    if (s->spec.shapes == CIRCLES) {
        return first_circle(s, q);
    }
    for (uint32_t i = 0; i < s->spec.n; i++) {
        bs_touch touch;
        if (kind == RECT_64) {
            sum += bs_overlap(&q->rect, &s->rect[i]) ? sum_of(&i, 1) : 0;
        } else if (bs_sweep(&q->rect, q->motion, &s->rect[i], NULL, &touch)) {
            best = fmin(best, touch.t);
        }
    }
    return kind == RECT_64 ? sum : best;
}

/*
 * Ours must be right to the last bit; for circles, where other arithmetic is as good, to 1e-9.
 * Other libraries compute in floats: one in a hundred of their casts, which grazes a corner, may
 * differ.
 */
static void check(bench *b, const arena *a, const player *p, query_kind kind,
                  const double *expected, size_t n) {
    size_t wrong = 0;
    double most = p->type->is_peer && kind != RECT_64 ? 1e-4 : a->s.spec.shapes != BOXES ? 1e-9 : 0;
    for (size_t i = 0; i < n; i++) {
        wrong += fabs(p->answers[i] - expected[i]) > most;
    }
    if (wrong > (p->type->is_peer && kind != RECT_64 ? n / 100 : 0)) {
        report_progress("\n%s: %zu of %zu answers to '%s' are wrong\n", p->type->name, wrong, n,
                        kinds[kind].name);
        b->wrong = true;
    }
}

static void check_references(bench *b, arena *a, query_kind kind) {
    double expected[REFERENCED];
    for (size_t i = 0; i < REFERENCED; i++) {
        expected[i] = right_answer(&a->s, kind, &a->questions[i]);
    }
    for (player *p = a->at; p < a->at + a->n; p++) {
        for (size_t i = 0; i < REFERENCED; i++) {
            p->answers[i] = answer_of(p, kind, &a->questions[i]);
        }
        check(b, a, p, kind, expected, REFERENCED);
    }
}

/* --- batches --------------------------------------------------------------------------------- */

/* Makes small moves of some boxes, one before each query. */
static void make_steps(arena *a) {
    for (size_t i = 0; i < TURNS; i++) {
        uint32_t box = (uint32_t)(scene_random(&a->s) * a->s.spec.n);
        bs_rect *r = &a->s.rect[box];
        for (int k = 0; k < DIM; k++) {
            double to = r->pos[k] + scene_between(&a->s, -2, 2);
            r->pos[k] = to < 0 || to + r->size[k] > a->s.size[k] ? r->pos[k] : to;
        }
        a->steps[i] = (step){box, *r};
        a->judge_type->move(a->judge, &box, r, 1);
    }
}

/*
 * Seconds per query, for `n` of them from `first` on. With with_steps, the update before each is
 * included.
 */
static double time_questions(arena *a, player *p, query_kind kind, size_t first, size_t n,
                             bool with_steps) {
    double start = cpu_seconds();
    for (size_t i = 0; i < n; i++) {
        if (with_steps) {
            p->type->move(p->it, &a->steps[i].box, &a->steps[i].to, 1);
        }
        p->answers[first + i] = answer_of(p, kind, &a->questions[first + i]);
    }
    double spent = cpu_seconds() - start;
    p->spent += spent;
    return spent / (double)n;
}

/* With steps, some more queries are made without, for comparison. */
static void time_batch(arena *a, player *p, query_kind kind, bool with_steps) {
    for (size_t i = 0; i < BATCH; i++) {
        answer_of(p, kind, &a->warming[i]);
    }
    if (with_steps) {
        samples_add(&p->alone[kind], time_questions(a, p, kind, TURNS, TURNS, false));
    }
    size_t n = with_steps ? TURNS : BATCH;
    samples_add(&p->time[kind], time_questions(a, p, kind, 0, n, with_steps));
}

/*
 * All subjects must take part in every update. So with steps, all run for the same time, which is
 * long enough for `auto` to have built its grid before half of it.
 */
static bool is_done(const bench *b, const player *p, query_kind kind, bool with_steps) {
    size_t n = p->time[kind].n;
    if (with_steps) {
        return n == (b->quick ? 11 : 20);
    }
    return n == SAMPLES_MOST || (n >= 3 && p->spent > b->seconds / 4);
}

/* Runs one batch for all subjects that have time left, and returns their number. */
static size_t run_batch(bench *b, arena *a, query_kind kind, bool with_steps, size_t number) {
    size_t running = 0;
    ask(a, kind);
    if (with_steps) {
        make_steps(a);
    } else if (number == 0) {
        check_references(b, a, kind);
    }
    const player *first = NULL; /* of those that ran; one of ours, if there is one */
    bool ran[SUBJECTS_MOST] = {false};
    for (size_t i = 0; i < a->n; i++) {
        size_t at = (i + number) % a->n;
        player *p = &a->at[at];
        ran[at] = !is_done(b, p, kind, with_steps);
        if (ran[at]) {
            time_batch(a, p, kind, with_steps);
            first = first == NULL || p < first ? p : first;
            running++;
        }
    }
    for (size_t i = 0; i < a->n; i++) {
        if (ran[i] && !first->type->is_peer) {
            check(b, a, &a->at[i], kind, first->answers, with_steps ? 2 * TURNS : BATCH);
        }
    }
    return running;
}

static void run_kind(bench *b, arena *a, query_kind kind, bool with_steps) {
    for (size_t i = 0; i < a->n; i++) {
        a->at[i].spent = 0;
        a->at[i].time[kind].n = 0;
        a->at[i].alone[kind].n = 0;
    }
    draw_starts(a, kind);
    for (size_t number = 0; run_batch(b, a, kind, with_steps, number) > 0;) {
        number++;
    }
}

/* --- worlds ---------------------------------------------------------------------------------- */

typedef enum history { FRESH, MOVED, REPLACED, HISTORIES } history;

static const char *const history_names[HISTORIES] = {
    "after insertion", "after 20 frames in which half moved", "after half were replaced"};

static const subject_type *judge_of(void) {
    const subject_type *type = ours_types;
    while (strcmp(type->name, "tree") != 0) {
        type++;
    }
    return type;
}

static void begin(bench *b, arena *a, uint32_t n, double space_per_box, scene_shapes shapes) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n_types = bench_subjects(b, FOR_QUERIES, types);
    scene_spec spec = *scene_spec_find("S10");
    memset(a, 0, sizeof *a);
    spec.n = n;
    spec.space_per_box = space_per_box;
    spec.shapes = shapes;
    scene_begin(&a->s, &spec, &b->options);
    a->judge_type = judge_of();
    a->judge = subject_fill(a->judge_type, &a->s, FOR_QUERIES);
    for (size_t i = 0; i < n_types; i++) {
        bool fits = types[i]->has_shapes || shapes == BOXES;
        if (fits && a->s.spec.n <= types[i]->most) {
            void *it = subject_fill(types[i], &a->s, FOR_QUERIES);
            a->at[a->n++] = (player){.type = types[i], .it = it};
            if (types[i]->settle != NULL) {
                types[i]->settle(it);
            }
        }
    }
}

static void end(arena *a) {
    for (size_t i = 0; i < a->n; i++) {
        a->at[i].type->destroy(a->at[i].it);
    }
    a->judge_type->destroy(a->judge);
    scene_end(&a->s);
}

static void change(arena *a, history past) {
    frame f = {0};
    size_t frames = past == MOVED ? 20 : past == REPLACED ? 1 : 0;
    a->s.spec.replaced = past == REPLACED ? 0.5 : 0;
    for (size_t k = 0; k < frames; k++) {
        scene_advance(&a->s, &f);
        subject_play(a->judge_type, a->judge, &f);
        for (size_t i = 0; i < a->n; i++) {
            subject_play(a->at[i].type, a->at[i].it, &f);
        }
    }
    frame_free(&f);
}

static void time_first(arena *a) {
    draw_starts(a, RECT_64);
    ask(a, RECT_64);
    for (size_t i = 0; i < a->n; i++) {
        double start = cpu_seconds();
        answer_of(&a->at[i], RECT_64, &a->questions[0]);
        a->at[i].first = cpu_seconds() - start;
    }
}

/* --- tables ---------------------------------------------------------------------------------- */

static void head(const bench *b) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n = bench_subjects(b, FOR_QUERIES, types);
    report_row("");
    for (size_t i = 0; i < n; i++) {
        report_cell(types[i]->name);
    }
    report_cell("best peer");
    for (size_t i = 0; i < n; i++) {
        if (!types[i]->is_peer) {
            report_cell(types[i]->name);
        }
    }
    report_end_row();
}

/* The player of that type, or NULL. */
static const player *player_of(const arena *a, const subject_type *type) {
    for (size_t i = 0; i < a->n; i++) {
        if (a->at[i].type == type) {
            return &a->at[i];
        }
    }
    return NULL;
}

/* Turns the measurements into a work of that name. */
static const work *keep(bench *b, const arena *a, query_kind kind, bool alone, const char *name) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n = bench_subjects(b, FOR_QUERIES, types);
    work *w = work_new(b, name, "", types, n);
    for (size_t i = 0; i < n; i++) {
        const player *p = player_of(a, types[i]);
        if (p != NULL) {
            w->time[i] = alone ? p->alone[kind] : p->time[kind];
        }
    }
    return w;
}

/* Prints the nanoseconds of all, and then how many times as fast ours are as the best peer. */
static void row(const work *w, const char *title) {
    size_t best = work_best_peer(w);
    report_row(title);
    for (size_t i = 0; i < w->n; i++) {
        report_number(work_median(w, i) * 1e9);
    }
    report_cell(best < w->n ? w->type[best]->name : "-");
    for (size_t i = 0; i < w->n; i++) {
        if (!w->type[i]->is_peer) {
            report_factor(work_ratio(w, best, i));
        }
    }
    report_end_row();
}

static void first_row(const bench *b, const arena *a) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n = bench_subjects(b, FOR_QUERIES, types);
    report_row("the first query alone");
    for (size_t i = 0; i < n; i++) {
        const player *p = player_of(a, types[i]);
        report_number(p != NULL ? p->first * 1e9 : (double)NAN);
    }
    report_end_row();
}

static void run_world(bench *b, uint32_t n, double sparse, history past) {
    static const char *const ends[HISTORIES] = {"fresh", "moved", "replaced"};
    arena *a = must_alloc(sizeof *a);
    report_progress("%u ", n);
    begin(b, a, n, SPACE_PER_BOX_S1 * sparse, BOXES);
    change(a, past);
    time_first(a);
    for (int kind = 0; kind < KINDS; kind++) {
        char title[64];
        char name[64];
        run_kind(b, a, (query_kind)kind, false);
        snprintf(title, sizeof title, "%s; %u, %s", kinds[kind].name, a->s.spec.n,
                 sparse > 1 ? "sparse" : "dense");
        snprintf(name, sizeof name, "%s; %u, %s, %s", kinds[kind].name, n,
                 sparse > 1 ? "sparse" : "dense", ends[past]);
        row(keep(b, a, (query_kind)kind, false, name), title);
    }
    if (past != FRESH) {
        first_row(b, a);
    }
    end(a);
    free(a);
}

#if DIM == 2
/* Finds the first of 5,000 circles that a segment hits. */
static void run_circles(bench *b, double sparse) {
    arena *a = must_alloc(sizeof *a);
    char title[64];
    begin(b, a, 5000, SPACE_PER_BOX_S1 * sparse, CIRCLES);
    run_kind(b, a, SEGMENT_200, false);
    snprintf(title, sizeof title, "%s; %u circles, %s", kinds[SEGMENT_200].name, a->s.spec.n,
             sparse > 1 ? "sparse" : "dense");
    row(keep(b, a, SEGMENT_200, false, title), title);
    end(a);
    free(a);
}
#endif

void bench_queries(bench *b) {
    for (int past = 0; past < HISTORIES; past++) {
        if (b->quick && past == REPLACED) {
            continue;
        }
        report_title("Queries %s: nanoseconds each, then how many times as fast as the best peer",
                     history_names[past]);
        head(b);
        run_world(b, 5000, 1, (history)past);
        run_world(b, 100000, 1, (history)past);
        if (past != REPLACED && !b->quick) {
            run_world(b, 5000, 10, (history)past);
            run_world(b, 100000, 10, (history)past);
        }
#if DIM == 2
        if (past == FRESH) {
            run_circles(b, 1);
            run_circles(b, 10);
        }
#endif
        report_end_table();
    }
    report_progress("\n");
}

void bench_turns(bench *b) {
    static const uint32_t sizes[] = {5000, 100000};
    report_title("One update, one query, and so on: nanoseconds for both, then how many times as "
                 "fast as the best peer");
    head(b);
    for (size_t i = b->quick ? 1 : 0; i < 2; i++) {
        arena *a = must_alloc(sizeof *a);
        begin(b, a, sizes[i], SPACE_PER_BOX_S1, BOXES);
        for (int kind = 0; kind < HEADLINES; kind++) {
            char title[64];
            char name[64];
            run_kind(b, a, (query_kind)kind, true);
            snprintf(title, sizeof title, "%s; %u", kinds[kind].name, a->s.spec.n);
            snprintf(name, sizeof name, "turns %s; %u", kinds[kind].name, sizes[i]);
            row(keep(b, a, (query_kind)kind, false, name), title);
            snprintf(name, sizeof name, "alone %s; %u", kinds[kind].name, sizes[i]);
            keep(b, a, (query_kind)kind, true, name);
        }
        end(a);
        free(a);
    }
    report_end_table();
}
