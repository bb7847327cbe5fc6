/*
 * pool.h: the C API of pools. A pool holds up to `capacity` movers, small boxes that fly by
 * themselves, and the emitters that fire them. It relies on world.h.
 *
 * A mover is named by its index, 0 .. count - 1, or by its id, which is never used again. The live
 * movers are packed: when one is freed, the last one gets its index. Memory is only taken at the
 * start, and for emitters. A place is that of a mover's centre; its box reaches half its size to
 * each side. With sizes of 0 it is a point.
 *
 * A mover that ends in a step is freed there: it is not counted, and bs_pool_find does not find it.
 * But it may have passed through something in that step. So it is kept until the next step begins,
 * at an index of capacity - ended .. capacity - 1, where it can be read, and has hits.
 *
 * Functions check their arguments by assert only: pass indices below the count, finite numbers, and
 * shots whose boxes are finite (bs_shot_bad_axis). A function that makes an object returns NULL if
 * there is no memory. In costs, n is the number of live movers, and of those that ended in the last
 * step where these matter.
 */
#ifndef BS_POOL_H
#define BS_POOL_H

#include "world.h"

BS_API

/* --- patterns and models (pattern.c) ---------------------------------------------------------- */

typedef struct bs_model bs_model;

/*
 * When movers are fired, from where, in which directions, and with which model. It has no state:
 * whether it fires depends on its age alone, the number of steps that it has been through.
 *
 * It fires at age delay, and then every `cycle` steps, `count` times. Each time it fires nway *
 * circle shots: `circle` fans, evenly around, with nway shots each. A fan is centred on its
 * direction, and neighbours in it are nway_angle apart. Angles are radians from +x towards +y; in
 * 3D, too, all directions lie in the plane of x and y.
 */
typedef struct bs_pattern {
    double offset[DIM]; /* Relative to the mover that carries it, or the place in the world. */
    double angle;       /* Of the first fan; circle_odd adds half of the angle between fans. */
    double speed;       /* NaN takes the model's. */
    uint32_t delay;
    uint32_t cycle; /* > 0 */
    int32_t count;  /* < 0 is endless. */
    uint32_t nway;  /* > 0 */
    double nway_angle;
    uint32_t circle; /* > 0 */
    bool circle_odd;
    bool relative;         /* The angle is relative to the flight of the mover that carries it. */
    const bs_model *model; /* The model of the shots; NULL takes the pool's defaults. */
} bs_pattern;

/*
 * A prototype of movers. It must be sealed before anything but itself refers to it, and not change
 * or be freed while anything does.
 */
struct bs_model {
    double speed;     /* The speed of shots from a pattern without one. */
    double size[DIM]; /* < 0 takes the pool's. */
    double acceleration[DIM];
    uint32_t life; /* Steps; 0 is endless. */
    uint32_t mask;
    bool has_mask; /* Otherwise the pool's mask counts. */
    int64_t tag;
    uint32_t emitters; /* The number of patterns that each mover carries. */
    const bs_pattern *emitter;
    uint64_t hash; /* See bs_model_seal. */
};

bs_pattern bs_pattern_default(void); /* One shot each step, from 0, 0 towards +x, endless. */
bs_model bs_model_default(void);     /* At rest, of the pool's size, endless. */
/*
 * Sets the hash of all that the model holds, by which snapshots tell whether two are the same. What
 * it fires, besides itself, has been sealed before. O(its patterns)
 */
void bs_model_seal(bs_model *model);

/* --- settings and shots ----------------------------------------------------------------------- */

typedef struct bs_pool bs_pool;

enum { BS_MOST_MOVERS = (1 << BS_INDEX_BITS) - 1 };
static_assert(BS_MOST_MOVERS < BS_NO_BOX, "no slot has this number, which ends lists");

/* The defaults of shots whose models and options say nothing else, and where movers may be. */
typedef struct bs_pool_settings {
    uint32_t capacity; /* 1 .. BS_MOST_MOVERS */
    double size[DIM];
    uint32_t mask;
    bool bounded;
    bs_rect bounds; /* If `bounded`, movers that do not overlap this are freed. */
} bs_pool_settings;

/* A new mover. */
typedef struct bs_shot {
    double place[DIM];
    double velocity[DIM];
    double acceleration[DIM];
    double size[DIM];
    uint32_t life;         /* Steps, at most INT32_MAX; 0 is endless. */
    uint32_t mask;         /* The layers that it hits. */
    int64_t tag;           /* The host's own. */
    const bs_model *model; /* NULL for none. A model whose emitters it carries must outlive it. */
} bs_shot;

/* --- the pool itself ------------------------------------------------------------------------ */

/* The pool allocates only through `resize`. */
bs_pool *bs_pool_new(bs_realloc resize, void *host, const bs_pool_settings *settings);
void bs_pool_free(bs_pool *p);

uint32_t bs_pool_count(const bs_pool *p);
uint32_t bs_pool_capacity(const bs_pool *p);
size_t bs_pool_memory(const bs_pool *p); /* Bytes held. */
/*
 * Frees the memory of emitters that have ended, and of what is remembered no more; that of movers
 * stays. Never fails.
 */
void bs_pool_trim(bs_pool *p);

/* Numbers since the pool was made. */
typedef struct bs_pool_totals {
    uint64_t spawned;
    uint64_t freed;
    uint64_t dropped; /* Shots without room, or without a finite place or velocity. */
} bs_pool_totals;
bs_pool_totals bs_pool_stats(const bs_pool *p);

/* --- movers --------------------------------------------------------------------------------- */

/* A shot at rest at the origin, with the defaults of the pool and the model (which may be NULL). */
bs_shot bs_pool_shot(const bs_pool *p, const bs_model *model);

/* The first axis on which the box of a shot is not finite; DIM if it is. */
int bs_shot_bad_axis(const double place[DIM], const double size[DIM]);

/*
 * Returns 0 if the pool is full, and counts that as dropped. If live and ended movers fill it
 * together, the first ended one is forgotten. O(1)
 */
bs_id bs_pool_spawn(bs_pool *p, const bs_shot *shot);

/*
 * Removes a mover, or forgets one that has ended. The last mover, or the first one that has ended,
 * gets its index. O(1)
 */
void bs_pool_remove(bs_pool *p, uint32_t mover);
/* Frees all movers, also those that ended; emitters go on. O(n) */
void bs_pool_clear(bs_pool *p);

bs_id bs_pool_id(const bs_pool *p, uint32_t mover);
/*
 * Finds the mover of an id. One that has ended is BS_REMOVED, but *mover is its index, as long as
 * it has one. It is BS_NO_BOX for all others that are not found.
 */
bs_found bs_pool_find(const bs_pool *p, bs_id id, uint32_t *mover);

/*
 * Goes through the movers that took part in the last step: returns the first index at or beyond
 * `mover`, of live movers and then of ended ones. It is at least the capacity at the end.
 */
uint32_t bs_pool_next_flown(const bs_pool *p, uint32_t mover);

void bs_pool_place(const bs_pool *p, uint32_t mover, double place[DIM]);
void bs_pool_velocity(const bs_pool *p, uint32_t mover, double velocity[DIM]);
int64_t bs_pool_tag(const bs_pool *p, uint32_t mover);
uint32_t bs_pool_mask(const bs_pool *p, uint32_t mover);

/*
 * Teleports a mover: nothing is hit on the way. Returns DIM; or, if its box would not be finite
 * there, the first such axis, and nothing has changed.
 */
int bs_pool_set(bs_pool *p, uint32_t mover, const double place[DIM], const double velocity[DIM]);

/* Writes place, velocity and tag of each mover as BS_ROW_FLOATS floats. O(n) */
enum { BS_ROW_FLOATS = 2 * DIM + 1 };
void bs_pool_write(const bs_pool *p, float *rows);

/* --- time (pool_step.c) --------------------------------------------------------------------- */

/*
 * One step:
 * 1. Emitters fire: the pool's own in the order in which they were added, then those of movers, by
 *    index, in the order of their model. New movers go through the rest of this list from the next
 *    step on. Shots without room are dropped.
 * 2. velocity += acceleration dt, then place += velocity dt (semi-implicit Euler).
 * 3. Movers are freed at the end of their life, if they do not overlap the bounds, and if their box
 *    or way would not be finite; from the highest index downwards. All but these last are kept in
 *    their order, as they can have hit something, until the next step begins.
 * O(n), whatever the patterns ask for. Takes no memory.
 */
typedef struct bs_pool_change {
    uint32_t freed;
    uint32_t spawned;
} bs_pool_change;
bs_pool_change bs_pool_step(bs_pool *p, double dt);

/* --- emitters of the pool itself (emitters.c) ------------------------------------------ */

/* Adds an emitter and returns its number, which is never used again; 0 if there is no memory. */
uint64_t bs_pool_add_emitter(bs_pool *p, const bs_pattern *pattern);

/* The pattern of an emitter, to read or move it, or NULL if it has ended. O(log emitters) */
bs_pattern *bs_pool_emitter(bs_pool *p, uint64_t number);
/* How often it will still fire: 0 once it has ended, < 0 if endlessly. */
int32_t bs_pool_emitter_left(const bs_pool *p, uint64_t number);
void bs_pool_stop_emitter(bs_pool *p, uint64_t number); /* O(emitters) */
uint32_t bs_pool_emitters(const bs_pool *p);            /* Those that still fire. */
/* Whether a mover or an emitter refers to any model. O(emitters) */
bool bs_pool_refers_to_models(const bs_pool *p);

/* --- hits (hits.c) --------------------------------------------------------------------- */

/* The way of a mover in its last step; the motion is 0 if it has not moved. */
bs_way bs_pool_way(const bs_pool *p, uint32_t mover);

typedef struct bs_pool_hit {
    bs_id mover;
    bs_id box; /* 0 for the rect that was asked about. */
    bs_touch touch;
    /*
     * The mover's centre at that time: flush with the side, so that a way that leads off from there
     * begins outside (bs_world_segment_point, for a box). Where it was if it began inside.
     */
    double place[DIM];
} bs_pool_hit;
BS_LIST(bs_pool_hits, bs_pool_hit);

/* A box that a mover has met. */
typedef struct bs_pool_meet {
    uint64_t pair; /* The slot of the mover, times 2^32, and the index of the box. */
    bs_id box;
} bs_pool_meet;
BS_LIST(bs_pool_meets, bs_pool_meet);

/* Of shots that pierce everything is asked for. */
typedef struct bs_piercing {
    uint64_t world; /* A number > 0 that the host has given to this world, and to no other one. */
    bs_hits *every; /* A scratch list on the world's heap. */
    bs_pool_meets *met; /* All that is met is appended, for bs_pool_remember. */
} bs_piercing;

/*
 * Appends the first box that each mover met on its way: live ones, then ended ones. With
 * `piercing`, which may be NULL, everything that each of them met, in the order of
 * bs_world_cast_all. A shot that pierces reports a box once: after the step in which it comes into
 * the box, by more than rounding decides, or passes through it; or after its first step, if it was
 * spawned in there. It reports it again once it has not met it for a whole step. If it was not
 * asked after the step before, what it is in at the start of the step counts as reported. The host
 * is asked about each hit. A cast each.
 */
bs_status bs_pool_hits_world(const bs_pool *p, bs_world *w, const bs_filter *filter,
                             bs_piercing *piercing, bs_heap *heap, bs_pool_hits *out);
/*
 * Remembers what movers have met in that world in the last step, for the next one. Without memory
 * nothing has changed. O(n log n) of what was met, at most
 */
bs_status bs_pool_remember(bs_pool *p, uint64_t world, const bs_pool_meet *met, size_t n);

/*
 * The movers that met a box on their ways: live ones by index, then ended ones. `motion` is how the
 * box itself has moved meanwhile to where it is now. Only movers whose mask has a bit of `layer`
 * count (BS_ANY_LAYER: all). O(n), and little for those that are far away.
 */
bs_status bs_pool_hits_box(const bs_pool *p, const bs_shape *shape, const double motion[DIM],
                           uint64_t layer, bs_heap *heap, bs_pool_hits *out);

/* --- snapshots (pool_snapshot.c, pool_bytes.c) ---------------------------------------------- */

/*
 * For rollback, saved games and comparison. A snapshot holds all that later answers depend on:
 * settings, movers with their ids and order, those that ended in the last step, what movers that
 * pierce have met, the next ids, emitters with their age, and totals. It refers to the pool's
 * models. A new one is empty: it has the capacity 0, and belongs to no pool.
 */
typedef struct bs_pool_snapshot bs_pool_snapshot;
bs_pool_snapshot *bs_pool_snapshot_new(bs_realloc resize, void *host);
void bs_pool_snapshot_free(bs_pool_snapshot *s);
size_t bs_pool_snapshot_memory(const bs_pool_snapshot *s); /* Bytes held. */
uint32_t bs_pool_snapshot_capacity(const bs_pool_snapshot *s);

/* Takes the present state, into the memory of the last one. O(n), about as long as a copy takes. */
bs_status bs_pool_snapshot_take(bs_pool_snapshot *s, const bs_pool *p);
/*
 * Puts a pool of the same capacity back into that state; it then refers to the same models. Ids and
 * numbers of emitters that were given since will be given again. O(n)
 */
bs_status bs_pool_restore(bs_pool *p, const bs_pool_snapshot *s);

/*
 * Writes it as bytes, by the rules of bs_snapshot_encode. They contain the models; equal models are
 * one there. Models must not fire each other in a circle, but one may fire itself. O(n), also in
 * models and their emitters.
 */
bs_status bs_pool_snapshot_encode(bs_pool_snapshot *s, bs_heap *heap, bs_bytes *out);
/* How much memory for models bs_pool_snapshot_decode needs: less than twice n. O(n) */
size_t bs_pool_models_size(const void *bytes, size_t n);
/*
 * Reads bytes as bs_snapshot_decode does. `models` is memory of bs_pool_models_size bytes, aligned
 * for doubles; it must outlive the snapshot, and every pool that is restored from it. Takes at most
 * some 150 bytes for each 4 that are given.
 */
bs_status bs_pool_snapshot_decode(bs_pool_snapshot *s, const void *bytes, size_t n, void *models,
                                  const char **problem);

BS_API_END

#endif
