/*
 * pool.h: the C API of pools. A pool holds up to `capacity` movers, small boxes that fly by
 * themselves, and the emitters that fire them.
 *
 * A mover is named by its index, 0 .. count - 1, or by its id, which is never used again. The live
 * movers are packed: one that is freed gives its index to the last one. All memory is taken at the
 * start, but for emitters. A place is that of a mover's centre; its box reaches half its size to
 * each side. Sizes may be 0: then it is a point.
 *
 * A mover that ends in a step is freed there: it is not counted, and bs_pool_find does not find it.
 * But it may have passed through something in that step. So it is kept until the next step begins,
 * and has an index meanwhile, capacity - ended .. capacity - 1, where it can be read and hits.
 *
 * Functions do not check their arguments except by assert: pass indices below the count, finite
 * numbers, shots that bs_shot_is_valid accepts. n is the number of live movers, and of those that
 * ended in the last step where these matter.
 */
#ifndef BS_POOL_H
#define BS_POOL_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* --- patterns and models (pattern.c) ---------------------------------------------------------- */

/*
 * What fires movers: when, from where, in which directions, and what.
 *
 * A pattern has no state. Whether it fires depends on its age alone, which is the number of steps
 * it has been through: so a mover that carries emitters needs no memory for them.
 */
typedef struct bs_model bs_model;

/*
 * Fires at age delay, and then every `cycle` steps, `count` times. Each time it fires
 * nway * circle shots: `circle` fans, evenly around, and in each of them nway shots. A fan is
 * centred on its direction, and neighbours in it are nway_angle apart. Angles are radians from +x
 * towards +y; in 3D, too, all directions lie in the plane of x and y.
 */
typedef struct bs_pattern {
    double offset[DIM]; /* from the mover that carries it, or its place in the world */
    double angle; /* of the first fan, which circle_odd turns by half of what fans are apart */
    double speed; /* NaN: the model's */
    uint32_t delay;
    uint32_t cycle; /* > 0 */
    int32_t count;  /* < 0: endless */
    uint32_t nway;  /* > 0 */
    double nway_angle;
    uint32_t circle; /* > 0 */
    bool circle_odd;
    bool relative;         /* angle counts from where the mover that carries it flies to */
    const bs_model *model; /* of the shots; NULL: the pool's defaults */
} bs_pattern;

/* A prototype of movers. It must not change, nor go, while anything refers to it. */
struct bs_model {
    double speed;     /* of shots from a pattern without one */
    double size[DIM]; /* < 0: the pool's */
    double acceleration[DIM];
    uint32_t life; /* steps; 0: endless */
    uint32_t mask;
    bool has_mask; /* else the pool's */
    int64_t tag;
    uint32_t emitters; /* patterns that each mover carries */
    const bs_pattern *emitter;
};

/* One shot each step, from 0, 0 towards +x, endless. */
bs_pattern bs_pattern_default(void);

/* At rest, of the pool's size, endless. */
bs_model bs_model_default(void);

/* Whether it fires in the step before which it has been through `age` others. */
bool bs_pattern_fires(const bs_pattern *pattern, uint64_t age);

/* How often it will still fire after `age` steps; < 0: endless. */
int32_t bs_pattern_left(const bs_pattern *pattern, uint64_t age);

/* How many shots it fires at once. */
static inline uint64_t bs_pattern_shots(const bs_pattern *pattern) {
    assert(pattern->nway > 0 && pattern->circle > 0);
    return (uint64_t)pattern->nway * pattern->circle;
}

/*
 * The velocity of shot number `shot`: fan by fan. The angles of a relative pattern begin at the
 * direction of `ahead` in the plane of x and y, others at that of x; so do all if `ahead` has no
 * part in that plane.
 */
void bs_pattern_velocity(const bs_pattern *pattern, uint64_t shot, const double ahead[DIM],
                         double velocity[DIM]);

/* --- what a pool is told ---------------------------------------------------------------------- */

typedef struct bs_pool bs_pool;

enum { BS_MOST_MOVERS = (1 << BS_INDEX_BITS) - 1 };
static_assert(BS_MOST_MOVERS < BS_NO_BOX, "no slot has this number, which ends lists");

/* What shots have unless their models or options say something else; and where they may be. */
typedef struct bs_pool_settings {
    uint32_t capacity; /* 1 .. BS_MOST_MOVERS */
    double size[DIM];
    uint32_t mask;
    bool bounded;
    bs_rect bounds; /* movers that do not overlap it are freed, if `bounded` */
} bs_pool_settings;

/* What a new mover is. */
typedef struct bs_shot {
    double place[DIM];
    double velocity[DIM];
    double acceleration[DIM];
    double size[DIM];
    uint32_t life;         /* steps; 0: endless. At most INT32_MAX */
    uint32_t mask;         /* the layers that it hits */
    int64_t tag;           /* the host's */
    const bs_model *model; /* NULL: none. One with emitters, which it carries, must outlive it */
} bs_shot;

/* --- the pool itself ------------------------------------------------------------------------ */

/* NULL: no memory. The pool allocates only through `resize`. */
bs_pool *bs_pool_new(bs_realloc resize, void *host, const bs_pool_settings *settings);
void bs_pool_free(bs_pool *p);

uint32_t bs_pool_count(const bs_pool *p);
uint32_t bs_pool_capacity(const bs_pool *p);
size_t bs_pool_memory(const bs_pool *p); /* bytes held */

/* Gives back the room of emitters that have ended. Movers' is the capacity's. Never fails. */
void bs_pool_trim(bs_pool *p);

/* Numbers since the pool was made. */
typedef struct bs_pool_totals {
    uint64_t spawned;
    uint64_t freed;
    uint64_t dropped; /* shots for which there was no room, or no finite place or velocity */
} bs_pool_totals;
bs_pool_totals bs_pool_stats(const bs_pool *p);

/* NULL, or what is broken; for tests. O(capacity) */
const char *bs_pool_check(const bs_pool *p);

/* --- movers --------------------------------------------------------------------------------- */

/* A shot at rest at the origin, as the pool and the model (which may be NULL) want it. */
bs_shot bs_pool_shot(const bs_pool *p, const bs_model *model);

/* True if its box is finite. */
bool bs_shot_is_valid(const bs_shot *shot);
/* The first axis on which a shot's box is not finite; DIM: there is none. */
int bs_shot_bad_axis(const double place[DIM], const double size[DIM]);

/*
 * O(1). 0: the pool is full, which counts as dropped. Where live and ended movers fill it together,
 * the first of the ended ones is forgotten.
 */
bs_id bs_pool_spawn(bs_pool *p, const bs_shot *shot);

/* O(1): the last mover takes its index. */
void bs_pool_remove(bs_pool *p, uint32_t mover);
/* Gives an ended mover up before the next step does. O(1): the first of them takes its index. */
void bs_pool_forget(bs_pool *p, uint32_t mover);
void bs_pool_clear(bs_pool *p); /* movers alone, also those that ended: emitters go on. O(n) */

bs_id bs_pool_id(const bs_pool *p, uint32_t mover);
/* Of live movers alone: one that has ended is BS_REMOVED. */
bs_found bs_pool_find(const bs_pool *p, bs_id id, uint32_t *mover);
/* True if it is live, or ended in the last step. */
bool bs_pool_find_flown(const bs_pool *p, bs_id id, uint32_t *mover);

/*
 * The first index from `mover` on of those that took part in the last step: of live movers, then of
 * ended ones. At least the capacity: there are no more.
 */
uint32_t bs_pool_next_flown(const bs_pool *p, uint32_t mover);

void bs_pool_place(const bs_pool *p, uint32_t mover, double place[DIM]);
void bs_pool_velocity(const bs_pool *p, uint32_t mover, double velocity[DIM]);
int64_t bs_pool_tag(const bs_pool *p, uint32_t mover);
uint32_t bs_pool_mask(const bs_pool *p, uint32_t mover);

/*
 * Puts a mover somewhere else, which is not a movement that could hit anything. Returns DIM; or the
 * first axis on which its box would not be finite there, and nothing has changed.
 */
int bs_pool_set(bs_pool *p, uint32_t mover, const double place[DIM], const double velocity[DIM]);

/* Writes place, velocity and tag of each mover, as floats: BS_ROW_FLOATS each. O(n) */
enum { BS_ROW_FLOATS = 2 * DIM + 1 };
void bs_pool_write(const bs_pool *p, float *rows);

/* --- time (step.c) --------------------------------------------------------------------- */

/*
 * One step:
 * 1. Emitters fire: the pool's own in the order in which they were added, then those of movers, by
 *    index, in the order that their model has them. What is born now does the rest of this list
 *    from the next step on. Shots without room are dropped.
 * 2. velocity += acceleration dt, then place += velocity dt (semi-implicit Euler).
 * 3. Freed are movers at the end of their last step, those that do not overlap the bounds, and
 *    those whose box or way would not be finite. From the highest index downwards. All but these
 *    last are kept, in the order that they had, so that they can have hit something; those that
 *    the step before kept are forgotten when this one begins.
 * O(n), whatever the patterns ask for; takes no memory.
 */
typedef struct bs_pool_change {
    uint32_t freed;
    uint32_t spawned;
} bs_pool_change;
bs_pool_change bs_pool_step(bs_pool *p, double dt);

/* --- emitters of the pool itself (emitters.c) ------------------------------------------ */

/* Adds one and gives its number, which is never used again; 0: no memory. */
uint64_t bs_pool_add_emitter(bs_pool *p, const bs_pattern *pattern);

/* The pattern of one that still fires, to be read or moved; NULL: it has ended. O(log emitters) */
bs_pattern *bs_pool_emitter(bs_pool *p, uint64_t number);

/* How often it will still fire: 0 once it has ended, < 0 if it is endless. */
int32_t bs_pool_emitter_left(const bs_pool *p, uint64_t number);

void bs_pool_stop_emitter(bs_pool *p, uint64_t number); /* O(emitters) */
uint32_t bs_pool_emitters(const bs_pool *p);            /* how many still fire */

/* Whether a mover or an emitter refers to any model. O(emitters) */
bool bs_pool_refers_to_models(const bs_pool *p);

/* --- hits (hits.c) --------------------------------------------------------------------- */

/* The way of a mover's last step: its box at the start, and how it moved. 0 if it did not. */
void bs_pool_way(const bs_pool *p, uint32_t mover, bs_rect *from, double motion[DIM]);

typedef struct bs_pool_hit {
    bs_id mover;
    bs_id box; /* 0: the rect that was asked about */
    bs_touch touch;
    double place[DIM]; /* of the mover's centre at that time */
} bs_pool_hit;

typedef struct bs_pool_hits {
    bs_pool_hit *at;
    size_t n;
    size_t cap;
} bs_pool_hits;

/* The hit of a mover that met `box` on its way. */
bs_pool_hit bs_pool_hit_of(const bs_pool *p, uint32_t mover, bs_id box, const bs_touch *touch);

/*
 * The first box that each mover met on its way: of live ones, then of ended ones. A cast each.
 * `every`: NULL, or a scratch list on the world's heap: then all that each of them met, in the
 * order of bs_world_cast_all.
 */
bs_status bs_pool_hits_world(const bs_pool *p, bs_world *w, const bs_filter *filter, bs_hits *every,
                             bs_heap *heap, bs_pool_hits *out);

/*
 * The movers that met a box on their ways: live ones by index, then ended ones. `motion` is how the
 * box itself moved meanwhile to where it is now. Only movers whose mask has a bit of `layer`
 * (BS_ANY_LAYER: all). O(n), and little for those that are far away.
 */
bs_status bs_pool_hits_rect(const bs_pool *p, const bs_rect *rect, const double motion[DIM],
                            uint64_t layer, bs_heap *heap, bs_pool_hits *out);
/* The same with a shape. */
bs_status bs_pool_hits_shape(const bs_pool *p, const bs_shape *shape, const double motion[DIM],
                             uint64_t layer, bs_heap *heap, bs_pool_hits *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
