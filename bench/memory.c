/* memory.c: bytes per box that malloc has given out, at 100,000 boxes. */
#include <malloc.h>
#include <math.h>

#include "bench.h"
#include "report.h"

static double in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static void play(const subject_type *type, void *it, const bench *b, const scene_spec *spec) {
    scene s;
    frame f = {NULL};
    scene_begin(&s, spec, &b->options);
    for (int i = 0; i < 5; i++) {
        const bs_pair *pairs;
        scene_advance(&s, &f);
        subject_play(type, it, &f);
        type->pairs(it, &pairs);
    }
    frame_free(&f);
    scene_end(&s);
}

static void cast(const subject_type *type, void *it, scene *s) {
    for (int i = 0; i < 100000; i++) {
        bs_rect from = {{0, 0}, {0, 0}};
        const double motion[2] = {150, 100};
        double t;
        scene_place(s, &from);
        type->cast(it, &from, motion, &t);
    }
}

static void row(const bench *b, const subject_type *type, const scene_spec *spec) {
    scene s;
    scene_begin(&s, spec, &b->options);
    double before = in_use();
    void *it = subject_fill(type, &s, FOR_PAIRS);
    double filled = in_use();
    double played = (double)NAN;
    if (s.spec.n <= type->most) {
        play(type, it, b, spec);
        played = in_use();
    }
    type->destroy(it);
    double queried = (double)NAN;
    double again = in_use();
    if (type->cast != NULL) {
        it = subject_fill(type, &s, FOR_QUERIES);
        cast(type, it, &s);
        queried = in_use() - again;
        type->destroy(it);
    }
    report_row(type->name);
    report_number((filled - before) / s.spec.n);
    report_number((played - before) / s.spec.n);
    report_number(queried / s.spec.n);
    report_end_row();
    scene_end(&s);
}

void bench_memory(bench *b) {
    const subject_type *types[SUBJECTS_MOST];
    size_t n = bench_subjects(b, FOR_PAIRS, types);
    const scene_spec *spec = scene_spec_find("S11");
    report_title("Memory: bytes per box at 100,000 boxes");
    report_text("Ours include the world's own record of each box (its place in doubles, its id, its "
                "layers): 53 bytes. The boxes that users of the other libraries keep are not "
                "counted. With pairs: also the list of 2.6 pairs per box.\n");
    report_row("");
    report_cell("inserted");
    report_cell("after 5 frames with pairs");
    report_cell("inserted, after 100,000 casts");
    report_end_row();
    for (size_t i = 0; i < n; i++) {
        if (!types[i]->is_peer || spec->n * b->options.boxes <= types[i]->most) {
            row(b, types[i], spec);
        }
    }
    report_end_table();
}
