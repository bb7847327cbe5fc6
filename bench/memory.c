/* memory.c: the bytes per box that malloc has given out, for 100,000 boxes. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "report.h"

static double in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

/* Plays some frames. Returns the number of pairs in the last one. */
static size_t play(const subject_type *type, void *it, const bench *b, const scene_spec *spec) {
    scene s;
    size_t found = 0;
    frame f = {0};
    scene_begin(&s, spec, &b->options);
    for (int i = 0; i < 5; i++) {
        const bs_pair *pairs;
        scene_advance(&s, &f);
        subject_play(type, it, &f);
        found = type->pairs(it, &pairs);
    }
    frame_free(&f);
    scene_end(&s);
    return found;
}

static void cast(const subject_type *type, void *it, scene *s) {
    for (int i = 0; i < 100000; i++) {
        bs_rect from = {.size = {0}};
        const double motion[DIM] = {150, 100};
        double t;
        scene_place(s, &from);
        type->cast(it, &from, motion, &t);
    }
}

enum { STATES = 4 };

static const char *const states[STATES] = {"inserted", "after 5 frames with pairs",
                                           "inserted, after 100,000 casts", "1,024 in one place"};

static void keep(work *w, size_t i, double bytes) {
    samples_add(&w->time[i], bytes);
    report_number(bytes);
}

/* Bytes per box after frames with pairs; *inserted gets those before. */
static double after_frames(const bench *b, const subject_type *type, const scene_spec *spec,
                           double *inserted, size_t *found) {
    scene s;
    scene_begin(&s, spec, &b->options);
    double before = in_use();
    void *it = subject_fill(type, &s, FOR_PAIRS);
    double bytes = (double)NAN;
    *inserted = (in_use() - before) / s.spec.n;
    if (s.spec.n <= type->most) {
        *found = play(type, it, b, spec);
        bytes = (in_use() - before) / s.spec.n;
    }
    type->destroy(it);
    scene_end(&s);
    return bytes;
}

static double after_casts(const bench *b, const subject_type *type, const scene_spec *spec) {
    scene s;
    if (type->cast == NULL) {
        return (double)NAN;
    }
    scene_begin(&s, spec, &b->options);
    double before = in_use();
    void *it = subject_fill(type, &s, FOR_QUERIES);
    cast(type, it, &s);
    double bytes = (in_use() - before) / s.spec.n;
    type->destroy(it);
    scene_end(&s);
    return bytes;
}

static void row(const bench *b, work *const *works, size_t i) {
    const subject_type *type = works[0]->type[i];
    double inserted;
    double ignored;
    double played = after_frames(b, type, scene_spec_find("S11"), &inserted, &works[1]->found);
    report_row(type->name);
    keep(works[0], i, inserted);
    keep(works[1], i, played);
    keep(works[2], i, after_casts(b, type, scene_spec_find("S11")));
    keep(works[3], i, after_frames(b, type, scene_spec_find("S6m"), &ignored, &works[3]->found));
    report_end_row();
}

void bench_memory(bench *b) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n = bench_subjects(b, FOR_PAIRS, types);
    work *works[STATES];
    report_title("Memory: bytes per box at 100,000 boxes");
    report_text(
        "Ours include the world's own record of each box: its place in doubles, its id, its "
        "layers. The\nboxes that users of the other libraries keep are not counted. With "
        "pairs: also the list of 2.6\npairs per box. In one place: 1,024 boxes, half "
        "move, 512 pairs per box; the list alone takes 4,092\nbytes per box.\n");
    report_row("");
    for (int k = 0; k < STATES; k++) {
        char name[64];
        snprintf(name, sizeof name, "memory %s", states[k]);
        works[k] = work_new(b, name, "", types, n);
        report_cell(states[k]);
    }
    report_end_row();
    for (size_t i = 0; i < n; i++) {
        if (!types[i]->is_peer || 100000 * b->options.boxes <= types[i]->most) {
            row(b, works, i);
        }
    }
    report_end_table();
}
