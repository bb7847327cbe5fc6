/* emitters.c: patterns fire movers: the pool's own emitters, and those that movers carry. */
#include "pool_parts.h"

#include <string.h>

/* --- firing --------------------------------------------------------------------------------- */

/* A pattern that fires, and who carries it. */
typedef struct gun {
    const bs_pattern *pattern;
    double place[DIM];
    double ahead[DIM]; /* The direction in which its carrier flies. */
} gun;

/* If one shot of a pattern has no finite place, none of them has. */
static void fire(bs_pool *p, const gun *g) {
    assert(p->state.count <= p->capacity);
    bs_shot shot = bs_pool_shot(p, g->pattern->model);
    for (int k = 0; k < DIM; k++) {
        shot.place[k] = g->place[k] + g->pattern->offset[k];
    }
    uint64_t shots = bs_pattern_shots(g->pattern);
    uint64_t room =
        bs_shot_bad_axis(shot.place, shot.size) == DIM ? p->capacity - p->state.count : 0;
    uint64_t most = shots < room ? shots : room;
    p->state.totals.dropped += shots - most; /* Only their number counts: there may be billions. */
    for (uint64_t i = 0; i < most; i++) {
        bs_pattern_velocity(g->pattern, i, g->ahead, shot.velocity);
        if (!bs_is_finite(shot.velocity)) { /* The sum of huge angles is not finite. */
            p->state.totals.dropped++;
        } else {
            (void)bs_pool_spawn(p, &shot); /* This counts what it drops. */
        }
    }
}

/* Fires the pool's own emitters, and removes those that have fired for the last time. */
static void fire_own(bs_pool *p) {
    size_t kept = 0;
    for (size_t i = 0; i < p->state.emitters; i++) {
        bs_emitter *e = &p->emitter[i];
        assert(e->born < p->state.now);
        uint64_t age = p->state.now - e->born - 1;
        if (bs_pattern_fires(&e->pattern, age)) {
            gun g = {.pattern = &e->pattern};
            fire(p, &g);
        }
        if (bs_pattern_left(&e->pattern, age + 1) != 0) {
            assert(kept <= i);
            p->emitter[kept++] = *e;
        }
    }
    p->state.emitters = kept;
}

static void fire_carried(bs_pool *p, uint32_t mover) {
    assert(mover < p->state.count && p->model[mover] != NULL);
    const bs_model *model = p->model[mover];
    uint64_t age = p->state.now - p->mover[mover].born - 1;
    for (uint32_t i = 0; i < model->emitters; i++) {
        const bs_pattern *pattern = &model->emitter[i];
        if (bs_pattern_fires(pattern, age)) {
            gun g = {.pattern = pattern};
            bs_pool_place(p, mover, g.place);
            bs_pool_velocity(p, mover, g.ahead);
            fire(p, &g);
        }
    }
}

uint32_t bs_pool_emit(bs_pool *p) {
    uint32_t before = p->state.count;
    fire_own(p);
    for (uint32_t mover = 0; p->state.carriers > 0 && mover < before; mover++) {
        if (p->model[mover] != NULL) {
            fire_carried(p, mover);
        }
    }
    return p->state.count - before;
}

/* --- the pool's own emitters ---------------------------------------------------------------- */

uint64_t bs_pool_add_emitter(bs_pool *p, const bs_pattern *pattern) {
    assert(pattern->cycle > 0 && pattern->nway > 0 && pattern->circle > 0);
    size_t need = p->state.emitters + 1;
    if (!bs_array_reserve(&p->heap, &p->emitter, &p->emitter_cap, need, sizeof *p->emitter)) {
        return 0;
    }
    uint64_t number = ++p->state.numbers;
    if (pattern->count != 0) {
        p->emitter[p->state.emitters++] = (bs_emitter){number, p->state.now, *pattern};
    }
    return number;
}

/* The emitter with that number, or NULL if it has ended. */
static bs_emitter *find(const bs_pool *p, uint64_t number) {
    size_t lo = 0;
    size_t hi = p->state.emitters;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (p->emitter[middle].number < number) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    assert(lo == p->state.emitters || p->emitter[lo].number >= number);
    return lo < p->state.emitters && p->emitter[lo].number == number ? &p->emitter[lo] : NULL;
}

bs_pattern *bs_pool_emitter(bs_pool *p, uint64_t number) {
    bs_emitter *e = find(p, number);
    return e != NULL ? &e->pattern : NULL;
}

int32_t bs_pool_emitter_left(const bs_pool *p, uint64_t number) {
    const bs_emitter *e = find(p, number);
    return e != NULL ? bs_pattern_left(&e->pattern, p->state.now - e->born) : 0;
}

void bs_pool_stop_emitter(bs_pool *p, uint64_t number) {
    bs_emitter *e = find(p, number);
    if (e != NULL) {
        const bs_emitter *end = p->emitter + p->state.emitters--;
        memmove(e, e + 1, (size_t)(end - (e + 1)) * sizeof *e);
    }
}

void bs_pool_trim(bs_pool *p) {
    bs_array_trim(&p->heap, &p->emitter, &p->emitter_cap, p->state.emitters, sizeof *p->emitter);
    bs_mets_trim(p);
}

uint32_t bs_pool_emitters(const bs_pool *p) {
    return (uint32_t)p->state.emitters;
}

bool bs_pool_refers_to_models(const bs_pool *p) {
    bool refers = p->state.carriers > 0;
    for (size_t i = 0; i < p->state.emitters && !refers; i++) {
        refers = p->emitter[i].pattern.model != NULL;
    }
    return refers;
}
