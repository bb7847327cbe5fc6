/*
 * pool_bytes.c: how a snapshot of a pool looks as bytes. One visitor writes and reads them
 * (bytes.h); what is read may come from anywhere.
 *
 *      beginning (bytes.h)
 *      models, patterns: u32; each model, then its patterns
 *      capacity, used slots, movers, ended ones, emitters: u32
 *      numbers of emitters, dropped shots: u64; dt; size, mask u32, bounded u8 and perhaps bounds
 *      emitters: number, age: u64; pattern
 *      by slot: generation u32
 *      movers, then ended ones: slot u32, kind u8, before, velocity, and what the kind says
 *      idle slots, u32, in the order in which they will be given out
 *      worlds, u32, in which movers that pierce have met something: each a byte that says when it
 *          was asked, and one or two lists: a number u32, and by pair: slot u32, id of the box
 *      checksum
 *
 * Left out is what answers do not depend on: the number of the last step, as it stands for ages and
 * lives alone; and the last dt where all movers are still.
 */
#include <string.h>

#include "pool_snapshot.h"

const bs_format bs_pool_format = {
    .magic = "BSPS",
    .version = 4,
    .other = "is no snapshot of a pool",
    .other_dim = DIM == 2 ? "is of a 3D pool" : "is of a 2D pool",
    .wrong = "holds what no pool can hold",
};

/* What a mover has besides its place and velocity, by the bits of its kind. */
enum {
    STILL = 1,
    ACCELERATES = 2,
    MORTAL = 4,
    CARRIES = 8,
    TAGGED = 16,
    SIZED = 32,  /* not as the pool's settings say */
    MASKED = 64, /* not as the pool's settings say */
    NEW = 128    /* Its first step was the last one; or the next one, if it is still. */
};
enum {
    OF_ENDED = TAGGED | SIZED | MASKED | NEW,
    OF_LIVE = OF_ENDED | STILL | ACCELERATES | MORTAL | CARRIES
};

/*
 * When a world was asked: after the last step, or the one before, and after the step before that.
 */
enum { ASKED_NOW = 1, FOLLOWS = 2 };

/* The least numbers of bytes that things take. */
enum {
    SLOT_BYTES = 4,
    MOVER_BYTES = 5 + 16 * DIM,
    EMITTER_BYTES = 16 + BS_PATTERN_BYTES,
    WORLD_BYTES = 5,
    MEET_BYTES = 12
};

typedef struct visit {
    bs_coder c;
    bs_pool *p;
    bs_models models;
} visit;

static bool goes_on(const visit *v) {
    return v->c.problem == NULL;
}

/*
 * How many steps something born then has been through: returns when it was born. What is read
 * counts back from 0 until it is known what time it is.
 */
static uint64_t visit_age(visit *v, uint64_t born) {
    bs_pool *p = v->p;
    uint64_t age = bs_code(&v->c, p->state.now - born, 8);
    bs_expect(&v->c, age <= INT64_MAX); /* more steps than there can be are not believed */
    if (v->c.reads) {
        p->state.now = age > p->state.now ? age : p->state.now;
        born = 0 - age;
    }
    return born;
}

/* --- settings ------------------------------------------------------------------------------- */

static void visit_sizes(visit *v, double size[DIM]) {
    bs_code_numbers(&v->c, size, DIM);
    for (int k = 0; k < DIM; k++) {
        bs_expect(&v->c, size[k] >= 0);
    }
}

static void visit_settings(visit *v) {
    bs_pool *p = v->p;
    bs_pool_settings *settings = &p->state.settings;
    bs_code_u32(&v->c, &settings->capacity);
    p->ids.used = bs_code_count(&v->c, p->ids.used, SLOT_BYTES);
    p->state.count = bs_code_count(&v->c, p->state.count, MOVER_BYTES);
    p->state.ended = bs_code_count(&v->c, p->state.ended, MOVER_BYTES);
    p->state.emitters = bs_code_count(&v->c, p->state.emitters, EMITTER_BYTES);
    p->state.numbers = bs_code(&v->c, p->state.numbers, 8);
    p->state.totals.dropped = bs_code(&v->c, p->state.totals.dropped, 8);
    bs_code_numbers(&v->c, &p->state.dt, 1);
    visit_sizes(v, settings->size);
    bs_code_u32(&v->c, &settings->mask);
    bs_code_bool(&v->c, &settings->bounded);
    if (settings->bounded) {
        bs_code_rect(&v->c, &settings->bounds);
        bs_expect(&v->c, bs_rect_is_box(&settings->bounds));
    }
    bs_expect(&v->c, p->state.numbers <= INT64_MAX);
    bs_expect(&v->c, settings->capacity > 0 && settings->capacity <= BS_MOST_MOVERS);
    bs_expect(&v->c, p->ids.used <= settings->capacity &&
                         (uint64_t)p->state.count + p->state.ended <= p->ids.used);
}

/* --- emitters and slots --------------------------------------------------------------------- */

static void visit_emitter(visit *v, size_t i) {
    bs_emitter *at = &v->p->emitter[i];
    bs_emitter e = {.pattern = bs_pattern_default()};
    if (!v->c.reads) {
        e = *at;
    }
    e.number = bs_code(&v->c, e.number, 8);
    e.born = visit_age(v, e.born);
    bs_code_pattern(&v->c, &v->models, &e.pattern);
    bs_expect(&v->c, e.number > (i > 0 ? at[-1].number : 0) && e.number <= v->p->state.numbers);
    if (v->c.reads) {
        *at = e;
        bs_expect(&v->c, goes_on(v) && bs_pattern_left(&e.pattern, 0 - e.born) != 0);
    }
}

static void visit_slots(visit *v) {
    bs_pool *p = v->p;
    bs_ids_code_generations(&v->c, &p->ids);
    for (uint32_t slot = 0; v->c.reads && slot < p->ids.used; slot++) {
        p->index[slot] = BS_NO_BOX; /* It is not known yet who has it. */
        p->state.totals.freed += p->ids.generation[slot] - BS_FIRST_GENERATION;
    }
}

static bool has_mover(const void *pool, uint32_t slot) {
    const bs_pool *p = pool;
    return p->index[slot] != BS_NO_BOX;
}

/* --- movers --------------------------------------------------------------------------------- */

/* How many steps a new mover has been through. */
static uint64_t first_age(const bs_pool *p, uint32_t mover) {
    return p->still[mover] ? 0 : 1;
}

static unsigned kind_of(const bs_pool *p, uint32_t mover) {
    const bs_mover *m = &p->mover[mover];
    unsigned kind = m->tag != 0 ? TAGGED : 0;
    kind |= m->mask != p->state.settings.mask ? MASKED : 0;
    kind |= memcmp(m->size, p->state.settings.size, sizeof m->size) != 0 ? SIZED : 0;
    kind |= p->state.now - m->born == first_age(p, mover) ? NEW : 0;
    if (mover >= p->state.count) {
        return kind;
    }
    const double none = 0;
    for (int k = 0; k < DIM; k++) {
        bool is_zero = memcmp(&p->acceleration[k][mover], &none, sizeof none) == 0;
        kind |= is_zero ? 0 : ACCELERATES;
    }
    kind |= p->still[mover] ? STILL : 0;
    kind |= m->mortal ? MORTAL : 0;
    kind |= p->model[mover] != NULL ? CARRIES : 0;
    return kind;
}

static void visit_life(visit *v, uint32_t mover) {
    bs_pool *p = v->p;
    uint32_t life = p->dies[mover] - (uint32_t)p->state.now;
    bs_code_u32(&v->c, &life);
    bs_expect(&v->c, life > 0 && life <= INT32_MAX);
    if (v->c.reads) {
        p->dies[mover] = life; /* until it is known what time it is */
        p->mover[mover].mortal = true;
    }
}

/* Whether it is new follows from its age, of which others only keep that. */
static void visit_carried(visit *v, uint32_t mover, unsigned kind) {
    bs_pool *p = v->p;
    uint64_t born = visit_age(v, p->mover[mover].born);
    p->mover[mover].born = born;
    bs_expect(&v->c, !v->c.reads || (0 - born == first_age(p, mover)) == ((kind & NEW) != 0));
    p->model[mover] = bs_code_model(&v->c, &v->models, p->model[mover]);
    bs_expect(&v->c, p->model[mover] != NULL && p->model[mover]->emitters > 0);
}

/* What the kind says; other columns are as they are of movers that have no more. */
static void visit_more(visit *v, uint32_t mover, unsigned kind) {
    bs_pool *p = v->p;
    bs_mover *m = &p->mover[mover];
    for (int k = 0; k < DIM && (kind & ACCELERATES) != 0; k++) {
        bs_code_numbers(&v->c, &p->acceleration[k][mover], 1);
    }
    if ((kind & MORTAL) != 0) {
        visit_life(v, mover);
    }
    if ((kind & CARRIES) != 0) {
        visit_carried(v, mover, kind);
    }
    if ((kind & TAGGED) != 0) {
        m->tag = (int64_t)bs_code(&v->c, (uint64_t)m->tag, 8);
    }
    if ((kind & SIZED) != 0) {
        visit_sizes(v, m->size);
    }
    if ((kind & MASKED) != 0) {
        bs_code_u32(&v->c, &m->mask);
    }
}

/* What follows from a mover that has been read. */
static void take_mover(visit *v, uint32_t mover) {
    bs_pool *p = v->p;
    bs_rect now = bs_mover_rect(p, mover);
    bs_way way = bs_pool_way(p, mover);
    bs_expect(&v->c,
              bs_rect_is_query(&now) && bs_rect_is_query(&way.from) && bs_is_finite(way.motion));
    for (int k = 0; k < DIM; k++) {
        p->state.reach = bs_max(p->state.reach, p->mover[mover].size[k]);
    }
    p->state.accelerating += bs_mover_accelerates(p, mover);
    p->state.carriers += p->model[mover] != NULL;
    p->index[p->slot[mover]] = mover;
}

/* What the columns hold of a mover that has no more than its kind says. */
static void begin_mover(bs_pool *p, uint32_t mover, unsigned kind) {
    const uint64_t old = 2; /* Any greater age would do. */
    bs_mover *m = &p->mover[mover];
    p->still[mover] = (kind & STILL) != 0;
    m->born = 0 - ((kind & NEW) != 0 ? first_age(p, mover) : old);
    m->mask = p->state.settings.mask;
    memcpy(m->size, p->state.settings.size, sizeof m->size);
}

static void visit_mover(visit *v, uint32_t mover) {
    bs_pool *p = v->p;
    bs_code_u32(&v->c, &p->slot[mover]);
    unsigned kind = (unsigned)bs_code(&v->c, v->c.reads ? 0 : kind_of(p, mover), 1);
    uint32_t slot = p->slot[mover];
    bs_expect(&v->c, (kind & ~(unsigned)(mover < p->state.count ? OF_LIVE : OF_ENDED)) == 0);
    bs_expect(&v->c, slot < p->ids.used && p->ids.generation[slot] < BS_GENERATIONS_END &&
                         (!v->c.reads || p->index[slot] == BS_NO_BOX));
    for (int k = 0; k < DIM; k++) {
        bs_code_numbers(&v->c, &p->before[k][mover], 1);
        bs_code_numbers(&v->c, &p->velocity[k][mover], 1);
    }
    if (v->c.reads) {
        begin_mover(p, mover, kind);
    }
    visit_more(v, mover, kind);
    if (v->c.reads && goes_on(v)) {
        take_mover(v, mover);
    }
}

/* --- what was met --------------------------------------------------------------------------- */

/*
 * Of movers that are gone nothing is kept: not even where another one has the slot now, if that is
 * read as an old one (see NEW), as it was put somewhere after its first step.
 */
static bool is_kept(const bs_pool *p, const bs_keyed *meet, uint64_t ago) {
    uint32_t mover = p->index[meet->key >> 32];
    if (mover == BS_NO_BOX) {
        return false;
    }
    uint64_t age = p->state.now - p->mover[mover].born;
    return !(p->still[mover] && age == 1 && ago >= age);
}

static size_t count_kept(const bs_pool *p, const bs_meets *list, uint64_t ago) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        n += is_kept(p, &list->at[i], ago);
    }
    return n;
}

static void visit_meet(visit *v, bs_keyed *meet) {
    uint64_t slot = bs_code(&v->c, meet->key >> 32, 4);
    meet->value = bs_code(&v->c, meet->value, 8);
    meet->key = slot << 32 | bs_id_index(meet->value);
    bs_expect(&v->c, slot < v->p->ids.used && v->p->index[slot] != BS_NO_BOX && meet->value != 0 &&
                         meet->value < BS_IDS_END);
}

static void read_meets(visit *v, bs_meets *list, uint32_t n) {
    if (!BS_RESERVE(&v->p->heap, list, n)) {
        bs_fail(&v->c);
        return;
    }
    for (; list->n < n && goes_on(v); list->n++) {
        bs_keyed *meet = &list->at[list->n];
        *meet = (bs_keyed){0, 0};
        visit_meet(v, meet);
        bs_expect(&v->c, list->n == 0 || bs_meet_comes_before(&meet[-1], meet));
    }
}

static void visit_meets(visit *v, bs_meets *list, uint64_t ago) {
    size_t kept = v->c.reads ? 0 : count_kept(v->p, list, ago);
    uint32_t n = bs_code_count(&v->c, kept, MEET_BYTES);
    if (v->c.reads) {
        read_meets(v, list, n);
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        bs_keyed meet = list->at[i];
        if (is_kept(v->p, &meet, ago)) {
            visit_meet(v, &meet);
        }
    }
}

/* Steps count back from 0, as ages do. What was met in the step before the one before is over. */
static void visit_met(visit *v, bs_met *m) {
    const uint64_t ago = v->p->state.now - m->step;
    unsigned when = ago == 0 ? ASKED_NOW | (m->follows ? FOLLOWS : 0) : 0;
    when = (unsigned)bs_code(&v->c, when, 1);
    bs_expect(&v->c, when <= (ASKED_NOW | FOLLOWS) && when != FOLLOWS);
    if (v->c.reads) {
        m->step = (when & ASKED_NOW) != 0 ? 0 : 0 - (uint64_t)1;
        m->follows = (when & FOLLOWS) != 0;
    }
    visit_meets(v, &m->now, ago);
    if ((when & FOLLOWS) != 0) {
        visit_meets(v, &m->before, ago + 1);
    }
}

static bool is_remembered(const bs_pool *p, const bs_met *m) {
    return p->state.now - m->step <= 1;
}

static void visit_mets(visit *v) {
    bs_pool *p = v->p;
    size_t n = 0;
    for (size_t i = 0; i < p->mets; i++) {
        n += is_remembered(p, &p->met[i]);
    }
    n = bs_code_count(&v->c, n, WORLD_BYTES);
    if (v->c.reads && !bs_array_reserve(&p->heap, &p->met, &p->met_cap, n, sizeof *p->met)) {
        bs_fail(&v->c);
        return;
    }
    for (size_t i = 0; v->c.reads && i < n; i++) {
        p->met[p->mets++] = (bs_met){0};
        visit_met(v, &p->met[i]);
    }
    for (size_t i = 0; !v->c.reads && i < p->mets; i++) {
        if (is_remembered(p, &p->met[i])) {
            visit_met(v, &p->met[i]);
        }
    }
}

/* --- all of it ------------------------------------------------------------------------------ */

static void visit_rest(visit *v) {
    bs_pool *p = v->p;
    for (size_t i = 0; i < p->state.emitters && goes_on(v); i++) {
        visit_emitter(v, i);
    }
    visit_slots(v);
    uint32_t i = bs_pool_next_flown(p, 0);
    for (; i < p->capacity && goes_on(v); i = bs_pool_next_flown(p, i + 1)) {
        visit_mover(v, i);
    }
    bs_ids_code_free(&v->c, &p->ids, has_mover, p);
    visit_mets(v);
}

/* Where all movers are still nothing depends on how long the last step was. */
static double last_time(const bs_pool *p) {
    uint32_t i = bs_pool_next_flown(p, 0);
    while (i < p->capacity && p->still[i]) {
        i = bs_pool_next_flown(p, i + 1);
    }
    return i < p->capacity ? p->state.dt : 0;
}

bs_status bs_pool_snapshot_encode(bs_pool_snapshot *s, bs_heap *heap, bs_bytes *out) {
    visit v = {.p = &s->pool};
    v.c = bs_begin_writing(&bs_pool_format, heap, out);
    bool done = bs_list_models(&v.models, &s->pool, heap);
    s->pool.state.dt = last_time(&s->pool);
    if (done) {
        bs_put_models(&v.c, &v.models);
        visit_settings(&v);
        visit_rest(&v);
    }
    bs_free_models(&v.models, heap);
    return bs_end_writing(&v.c) && done ? BS_OK : BS_NO_MEMORY;
}

/* Ages and lives become numbers of steps. */
static void set_time(bs_pool *p) {
    for (size_t i = 0; i < p->state.emitters; i++) {
        p->emitter[i].born += p->state.now;
    }
    for (size_t i = 0; i < p->mets; i++) {
        p->met[i].step += p->state.now;
    }
    uint32_t i = bs_pool_next_flown(p, 0);
    for (; i < p->capacity; i = bs_pool_next_flown(p, i + 1)) {
        p->mover[i].born += p->state.now;
        p->dies[i] += (uint32_t)p->state.now;
    }
}

/* False: no memory. */
static bool read_all(visit *v, void *memory) {
    bs_pool *p = v->p;
    v->models = bs_read_models(&v->c, memory);
    visit_settings(v);
    if (!goes_on(v)) {
        return true;
    }
    if (!bs_array_reserve(&p->heap, &p->emitter, &p->emitter_cap, p->state.emitters,
                          sizeof *p->emitter) ||
        !bs_pool_make_columns(p, p->ids.used)) {
        return false;
    }
    visit_rest(v);
    p->state.totals.freed += p->state.ended;
    p->state.totals.spawned = p->state.totals.freed + p->state.count;
    set_time(p);
    bs_expect(&v->c, v->c.left == 0);
    if (goes_on(v)) {
        bs_pool_examine(p);
    }
    return true;
}

bs_status bs_pool_snapshot_decode(bs_pool_snapshot *s, const void *bytes, size_t n, void *models,
                                  const char **problem) {
    bs_pool_snapshot *read = bs_pool_snapshot_new(s->pool.heap.resize, s->pool.heap.host);
    if (read == NULL) {
        return BS_NO_MEMORY;
    }
    visit v = {.p = &read->pool};
    v.c = bs_begin_reading(&bs_pool_format, &read->pool.heap, bytes, n);
    bool done = read_all(&v, models);
    *problem = v.c.problem;
    if (done && goes_on(&v)) {
        bs_pool_snapshot swap = *s;
        *s = *read;
        *read = swap;
    }
    bs_pool_snapshot_free(read);
    return done ? BS_OK : BS_NO_MEMORY;
}
