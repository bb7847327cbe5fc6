/*
 * trial.h: the run of one input: a world on each back end, the oracle, and what makes them
 * comparable.
 *
 *      target.c        decodes an input into operations
 *      trial.c         makes and ends the worlds
 *      numbers.c       makes coordinates, rects, motions and filters from bytes
 *      changes.c       operations that change worlds
 *      questions.c     operations that query, and compare every answer
 *      moves.c         operations that move boxes with responses; only in some trials
 *      shapes.c        operations with circles and polygons; only in some trials
 *      bodies.c        operations with bodies of all shapes, and laws of steps; only in some trials
 *      laws.c          laws that any move must obey
 *      places.c        where something was when it hit a box or shape
 *      pools.c         operations on a pool beside the worlds; only in some trials
 *      pool_shapes.c   hits of movers with circles and polygons, by the arithmetic of gap.c
 *      snapshots.c     snapshots, and restoring them
 *
 * All worlds are told the same. In some trials each back end is there twice, in the variant for
 * this processor and in the one for any processor. These two must also agree on orders that are not
 * specified.
 */
#ifndef FUZZ_TRIAL_H
#define FUZZ_TRIAL_H

#include "../core/checkers/checkers.h"
#include "../core/limited_memory.h"
#include "broadside/pool.h"
#include "bytes.h"
#include "movers.h"
#include "oracle.h"

enum { BACKENDS = 5, MOST_SUBJECTS = 2 * BACKENDS, STALE = 16, MODELS = 3 };

/* A world under test, and the lists that it fills. */
typedef struct subject {
    bs_world *world;
    limited_memory memory;
    bool plain; /* the variant for any processor */
    int backend;
    bs_list list;
    bs_hits hits;
    bs_snapshot *saved; /* NULL if none has been taken */
} subject;

/* A saved pool, and the memory of models that came with bytes. */
enum { MOST_SAVED_MODELS = 256 };
typedef struct saved_pool {
    bs_pool_snapshot *snapshot; /* NULL if none has been taken */
    plain_pool movers;
    plain_meets meets;
    void *model[MOST_SAVED_MODELS];
    size_t models;
} saved_pool;

typedef struct trial {
    bytes in;
    const char *doing;
    uint64_t step;
    int kind;         /* of coordinates: see numbers.c */
    size_t most;      /* how many boxes it may have */
    bool failed_once; /* after memory has run out, orders that are not specified may differ */
    subject subject[MOST_SUBJECTS];
    int subjects;
    oracle truth;
    oracle saved;       /* the oracle when the worlds were saved */
    bs_id stale[STALE]; /* ids of removed boxes */
    size_t stales;
    uint64_t hash; /* of all answers, if trial_hashes is set */
    bool moves;    /* boxes move and respond */
    bool shapes;   /* some boxes have one */
    bool bodies;   /* bodies of all shapes meet */

    bs_pool *pool; /* or NULL */
    limited_memory pool_memory;
    bs_heap pool_heap;
    bs_pool_hits pool_hits;
    bs_pool_meets pool_meets;
    plain_pool movers;
    plain_meets meets;
    saved_pool saved_pool;
    bs_model model[MODELS];
    bs_pattern pattern[MODELS][MODELS];
} trial;

/* --- trial.c -------------------------------------------------------------------------------- */

void trial_begin(trial *t);
void trial_end(trial *t);

/*
 * How many operations there are between runs of the checkers; 0 for no runs. Set it before the
 * first input.
 */
extern unsigned trial_check_every;
void trial_check(trial *t);

/* Whether answers are hashed, to compare machines and compilers. */
extern bool trial_hashes;
void note_bytes(trial *t, const void *data, size_t size);

/* Prints what went wrong, and aborts. Both drivers then keep the input. */
_Noreturn void trial_fail(const trial *t, const subject *s, const char *what);

static inline void expect(const trial *t, const subject *s, bool condition, const char *what) {
    if (!condition) {
        trial_fail(t, s, what);
    }
}

const bs_backend_type *backend_type(int backend, bool plain);

/* Makes the next operation of each world run out of memory after `left` requests. */
void trial_starve(trial *t, long left);
void trial_feed(trial *t);

/* True if the call has to be made again because memory had run out. */
bool again(trial *t, subject *s, bs_status status);

/* Each world in turn: EACH(t, s) { ... } */
#define EACH(t, s) for (subject *s = (t)->subject; s < (t)->subject + (t)->subjects; s++)

/* Makes the call until it succeeds: once, or twice if memory has run out. */
#define UNTIL_DONE(t, s, call)                                                                     \
    while (again(t, s, call)) {                                                                    \
    }

/* --- numbers.c ------------------------------------------------------------------------------ */

enum { KINDS = 12 };
const char *kind_name(int kind);

double any_coordinate(trial *t, int axis);
bs_rect any_box(trial *t);
bs_rect any_query(trial *t); /* sizes may be 0 */
void any_point(trial *t, double point[DIM]);
void any_motion(trial *t, const bs_rect *from, double motion[DIM]);
void any_velocity(trial *t, double velocity[DIM]);
double any_length(trial *t); /* >= 0 */
double any_angle(trial *t);
bs_layers any_layers(trial *t);
bs_filter any_filter(trial *t);
bs_settings any_settings(trial *t);
oracle_box *any_member(trial *t); /* NULL if there is none */

/* --- changes.c ------------------------------------------------------------------------------ */

void do_insert(trial *t);
void do_insert_many(trial *t);
void do_remove(trial *t);
void do_remove_many(trial *t);
void do_clear(trial *t);
void do_update(trial *t);
void do_update_many(trial *t);
void do_set_static(trial *t);
void do_set_layers(trial *t);
void do_set_motion(trial *t);
void do_set_gravity(trial *t);
bool is_crowd(trial *t);
void do_step(trial *t);
void do_object(trial *t);
void do_transform(trial *t);
void do_resolve(trial *t);
void do_set_backend(trial *t);
void do_reserve(trial *t);
void do_starve(trial *t);

/* --- questions.c ---------------------------------------------------------------------------- */

void do_pairs(trial *t);
void do_contacts(trial *t);
void do_query(trial *t);
void do_query_box(trial *t);
void do_circle(trial *t);
void do_nearest(trial *t);
void do_cast(trial *t);
void do_cast_all(trial *t);
void do_contents(trial *t);
void do_find(trial *t);
void do_inspect(trial *t);
void do_geometry(trial *t);

/* --- moves.c -------------------------------------------------------------------------------- */

bs_conduct any_conduct(trial *t);
void do_set_conduct(trial *t);
void do_move(trial *t);
void do_check(trial *t);
void do_push(trial *t);
void do_touching(trial *t);
void do_blocking(trial *t);
/* All worlds must agree on a step, and step_oracle.h must find nothing wrong with it. */
void compare_step(trial *t, double dt);
/* A world must tell the hits that the first one tells. */
void expect_same_hits(const trial *t, const subject *s);

/* --- shapes.c ------------------------------------------------------------------------------- */

void do_insert_shape(trial *t);
void do_set_shape(trial *t);
void do_update_shape(trial *t);
void do_transform_shape(trial *t);
void do_pairs_of_shapes(trial *t);
void do_query_shape(trial *t);
void do_nearest_shape(trial *t);
void do_cast_shape(trial *t);
void do_move_shape(trial *t);
void do_push_shape(trial *t);
void do_step_shapes(trial *t);
void do_resolve_shape(trial *t);
void do_places_of_shapes(trial *t);

bs_shape shape_of(const trial *t, const oracle_box *box);
void any_shape(trial *t, bs_shape *shape);
void meet_shapes(const trial *t, const bs_shape *from, const double motion[DIM],
                 const bs_filter *filter, oracle_hits *out);

/* --- bodies.c ------------------------------------------------------------------------------- */

void do_insert_body(trial *t);
void do_insert_heap(trial *t);
void do_step_bodies(trial *t);

/* --- laws.c --------------------------------------------------------------------------------- */

/* Checks that a move is the same in worlds that are made alike. Moves nothing. */
void expect_laws(const trial *t, const oracle_box *mover, const bs_rect *there,
                 const bs_rules *rules);

/* --- places.c ------------------------------------------------------------------------------- */

/*
 * Checks where something of that size was when it hit a shape, on the way of its centre from
 * `before` to `after`.
 */
void expect_place(const trial *t, const subject *s, const double before[DIM],
                  const double after[DIM], const double size[DIM], const bs_touch *touch,
                  const bs_shape *shape, const double place[DIM]);
/* Checks the point of the hit of a cast, if it is that of a segment. */
void expect_point(trial *t, const subject *s, const bs_way *way, const bs_hit *hit);

/* --- pools.c -------------------------------------------------------------------------------- */

void pool_begin(trial *t);
void pool_end(trial *t);
void do_spawn(trial *t);
void do_free(trial *t);
void do_pool_clear(trial *t);
void do_set_mover(trial *t);
void do_pool_step(trial *t);
void do_emitter(trial *t);
void do_pool_hits(trial *t);
void do_pool_hits_rect(trial *t);
void do_pool_write(trial *t);
void expect_movers(trial *t);

/* --- pool_shapes.c -------------------------------------------------------------------------- */

/* Checks that t->pool_hits are the hits of movers with the boxes that pass the filter. */
void expect_ways_in_world(trial *t, const bs_filter *filter);
void do_pool_hits_shape(trial *t);

/* --- snapshots.c ---------------------------------------------------------------------------- */

void do_snapshot(trial *t);
void do_restore(trial *t);
/* Reads what world and pool would write, and checks that writing it again gives the same bytes. */
void expect_read_back(trial *t);
void saved_worlds_end(trial *t);
void do_pool_snapshot(trial *t);
void do_pool_restore(trial *t);
void do_pool_damage(trial *t);
void saved_pool_end(trial *t);

#endif
