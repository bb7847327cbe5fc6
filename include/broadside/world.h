/*
 * world.h: the C API of worlds. A world holds boxes, and finds out which of them overlap or meet.
 *
 * A box is named by an index (uint32_t), which is used again after the box was removed, or by an id
 * (bs_id), which is never used again. Units are the caller's own. Functions check their arguments
 * by assert only: pass live boxes, rects that bs_rect_is_box accepts, and finite numbers.
 *
 * A function that returns bs_status changes nothing if it fails; the only failure is BS_NO_MEMORY.
 * A function that makes an object returns NULL if there is no memory. A list that is filled is
 * emptied first. In costs, n is the number of boxes, k that of results, and p that of pairs.
 */
#ifndef BS_WORLD_H
#define BS_WORLD_H

#include <assert.h>

#include "conduct.h"
#include "types.h"

BS_API

typedef enum bs_status { BS_OK, BS_NO_MEMORY } bs_status;

/*
 * An id is generation << 26 | index, which is exact in a double. Generations begin at 64, so ids
 * are 2^32 or more and are never taken for a mask. An index whose generations are used up is
 * retired, so no id is given twice. Ids of movers have a bit that no box's id has.
 */
typedef uint64_t bs_id;
enum { BS_INDEX_BITS = 26, BS_FIRST_GENERATION = 64 };
#if !defined(BS_GENERATION_BITS) /* A test defines fewer, to use them up. */
#define BS_GENERATION_BITS 25
#endif
static_assert(BS_GENERATION_BITS > 0 && BS_GENERATION_BITS < 26, "there is a bit for movers");

/* The generation of a retired index; no box has it. */
#define BS_GENERATIONS_END (BS_FIRST_GENERATION + (1u << BS_GENERATION_BITS) - 1)
#define BS_LEAST_ID ((bs_id)BS_FIRST_GENERATION << BS_INDEX_BITS)
#define BS_IDS_END ((bs_id)BS_GENERATIONS_END << BS_INDEX_BITS)
static_assert(BS_LEAST_ID > UINT32_MAX, "no id is a mask");
#define BS_MOVER_BIT ((bs_id)1 << 52)
static_assert(BS_IDS_END <= BS_MOVER_BIT, "an id is exact in a double, with the bit, too");

static inline uint32_t bs_id_index(bs_id id) {
    return (uint32_t)(id & (((bs_id)1 << BS_INDEX_BITS) - 1));
}

#define BS_NO_BOX UINT32_MAX
static_assert(BS_NO_BOX >> BS_INDEX_BITS != 0, "no box has this index");

typedef struct bs_world bs_world;

/* Two boxes can make a pair if each one's mask has a bit of the other's layer. */
typedef struct bs_layers {
    uint32_t layer;
    uint32_t mask;
} bs_layers;

/* The properties of a new box. */
typedef struct bs_props {
    bs_layers layers;
    bool is_static;
    double velocity[DIM];
    double acceleration[DIM];
    bs_conduct conduct;
} bs_props;

/* Layer 1, all of the mask, dynamic, at rest, and the usual conduct. */
bs_props bs_props_default(void);

struct bs_hits;

/*
 * Whether the host accepts a box that passes the filter, for a pool's mover, or for 0. Meanwhile
 * the world is as it was, and must stay so. It may leave by longjmp.
 */
typedef bool bs_accepts(void *host, bs_id mover, uint32_t box);

/* Whether a list has a box; it may be NULL. O(n) */
static inline bool bs_list_has(const bs_list *list, uint32_t box) {
    bool has = false;
    for (size_t i = 0; list != NULL && i < list->n; i++) {
        has |= list->at[i] == box;
    }
    return has;
}

/* A query or cast finds the boxes whose layer has a bit of both masks, except some boxes. */
typedef struct bs_filter {
    uint64_t mask;         /* 32 bits. BS_ANY_LAYER also finds boxes whose layer is 0. */
    uint64_t also;         /* A second mask, with the same rules. */
    uint32_t ignore;       /* This box is not found; it may be BS_NO_BOX. */
    uint32_t self;         /* Nor is the box that asks; it may be BS_NO_BOX. */
    const bs_list *except; /* Nor are these; it may be NULL. */
    /*
     * If it is not NULL, bs_world_cast, bs_world_resolve and bs_pool_hits_world ask it about exact
     * hits. What finds more than one box leaves it to the host to ask about these.
     */
    bs_accepts *accepts;
    void *host;
    bs_id mover;          /* For whom the host is asked, or 0. */
    struct bs_hits *hits; /* A list on the world's heap, for what it is asked about. */
} bs_filter;

/* Whether the host, if it is asked, accepts a box that passes. */
static inline bool bs_filter_accepts(const bs_filter *filter, uint32_t box) {
    return filter->accepts == NULL || filter->accepts(filter->host, filter->mover, box);
}

#define BS_ANY_LAYER UINT64_MAX
/* The filter that lets all boxes through. */
static const bs_filter bs_filter_all = {BS_ANY_LAYER, BS_ANY_LAYER, BS_NO_BOX, BS_NO_BOX, NULL,
                                        NULL,         NULL,         0,         NULL};

/* --- the world itself ----------------------------------------------------------------------- */

/* The world allocates only through `resize`. */
bs_world *bs_world_new(bs_realloc resize, void *host, const bs_backend_type *type,
                       const bs_settings *settings);
void bs_world_free(bs_world *w);

/* Moves all boxes to a back end of another type. No answer changes. O(n log n) */
bs_status bs_world_set_backend(bs_world *w, const bs_backend_type *type,
                               const bs_settings *settings);
const bs_backend_type *bs_world_backend(const bs_world *w);
/* The figures of the back ends of dynamic and of static boxes. */
void bs_world_stats(const bs_world *w, bs_stats *dynamic_part, bs_stats *static_part);
/* The boxes in the order of insertion, then the inside of the back ends, for a debug view. */
bs_status bs_world_pictures(bs_world *w, bs_pictures *out);

/*
 * Frees memory that is not needed now. It never fails: what cannot be made smaller stays as it is.
 * Pairs may come in another order after the next change. Results of moves and pushes become
 * invalid. For each index in use so far 9 bytes stay, as ids are never given twice. Lists that
 * have grown far beyond their use also shrink by themselves. O(n log n)
 */
void bs_world_trim(bs_world *w);
size_t bs_world_memory(const bs_world *w); /* Bytes held. */
bs_heap *bs_world_heap(bs_world *w);       /* For lists that the caller keeps. */

/* --- boxes ---------------------------------------------------------------------------------- */

/* Makes room for n more boxes, so that their insertion is less likely to fail. */
bs_status bs_world_reserve(bs_world *w, uint32_t n);
/* Inserts a shape that bs_shape_check accepts; the box is its rect. O(log n), amortised. */
bs_status bs_world_insert(bs_world *w, const bs_shape *shape, const bs_props *props, uint32_t *box);
bs_id bs_world_next_id(const bs_world *w); /* The id that the next insertion will give. */
void bs_world_remove(bs_world *w, uint32_t box);
/*
 * Removes the box that was inserted last, as if that had failed: its id is given out again. So
 * nobody may know the id.
 */
void bs_world_take_back(bs_world *w, uint32_t box);
void bs_world_clear(bs_world *w);

/*
 * Moves boxes; cannot fail. Shapes are moved and scaled with their rects; the sizes of a circle
 * must be the same on all axes. O(log n) or better for each box.
 */
void bs_world_update(bs_world *w, uint32_t box, const bs_rect *rect);
void bs_world_update_many(bs_world *w, const uint32_t *boxes, const bs_rect *rects, size_t n);

uint32_t bs_world_count(const bs_world *w);
uint32_t bs_world_indices(const bs_world *w); /* One more than the highest index so far. */
/* All boxes in the order of insertion. O(indices), O(n log n) once indices were used again. */
bs_status bs_world_list(bs_world *w, bs_list *out);
bool bs_world_alive(const bs_world *w, uint32_t box);
bs_id bs_world_id(const bs_world *w, uint32_t box); /* Also of one whose contacts are to end. */
/*
 * Indices that have had a box and may get another one, n of them; those that came last are behind.
 * The index of a removed box comes when the ends of all its contacts have been reported.
 */
const uint32_t *bs_world_free_indices(const bs_world *w, size_t *n);

/*
 * Finds the box of an id. In a world that was restored (bs_world_restore), ids that may have been
 * given in an abandoned future count as removed.
 */
typedef enum bs_found { BS_FOUND, BS_REMOVED, BS_NEVER } bs_found;
bs_found bs_world_find(const bs_world *w, bs_id id, uint32_t *box);

const bs_rect *bs_world_rect(const bs_world *w, uint32_t box);
bool bs_world_is_static(const bs_world *w, uint32_t box);
void bs_world_set_static(bs_world *w, uint32_t box, bool is_static);
bs_layers bs_world_layers(const bs_world *w, uint32_t box);
void bs_world_set_layers(bs_world *w, uint32_t box, bs_layers layers);
const bs_conduct *bs_world_conduct(const bs_world *w, uint32_t box); /* Until the next change. */
bs_status bs_world_set_conduct(bs_world *w, uint32_t box, const bs_conduct *conduct);

/* --- shapes (box_shape.c) ------------------------------------------------------------- */

/*
 * All queries of a world are about the shapes of its boxes. Worlds without shapes pay nothing for
 * that. A shape takes 88 bytes in 2D, and 16 for each corner.
 *
 * The shape where the box is now. Its numbers are those that were given until the box is moved.
 */
void bs_world_shape(const bs_world *w, uint32_t box, bs_shape *out);
/* The shape that the box would have with another rect. */
void bs_world_shape_at(const bs_world *w, uint32_t box, const bs_rect *rect, bs_shape *out);
bs_shape_kind bs_world_shape_kind(const bs_world *w, uint32_t box);
/* The box becomes the shape's rect, and its object rect is forgotten. */
bs_status bs_world_set_shape(bs_world *w, uint32_t box, const bs_shape *shape);

/* --- object space (transform.c) ------------------------------------------------------- */

/*
 * The rect of the box before scaling, rotating and moving. The object rect of a circle has the same
 * size on all axes.
 */
bs_status bs_world_set_object_rect(bs_world *w, uint32_t box, const bs_rect *rect);
/* Whether bs_world_transform rotates the box; by default it does. */
void bs_world_set_rotates(bs_world *w, uint32_t box, bool rotates);
/*
 * Transforms the object rect, or the present rect, which then becomes the object rect. The box
 * becomes the AABB of the result, *result. If that is no box, as for a circle that is scaled
 * unevenly, nothing has changed. A shape is transformed exactly.
 */
bs_status bs_world_transform(bs_world *w, uint32_t box, const bs_transform *tr, bs_rect *result);

/* --- velocities (velocity.c) ---------------------------------------------------------- */

void bs_world_velocity(const bs_world *w, uint32_t box, double velocity[DIM]);
void bs_world_acceleration(const bs_world *w, uint32_t box, double acceleration[DIM]);
bs_status bs_world_set_velocity(bs_world *w, uint32_t box, const double velocity[DIM]);
bs_status bs_world_set_acceleration(bs_world *w, uint32_t box, const double acceleration[DIM]);
void bs_world_set_gravity(bs_world *w, const double gravity[DIM]);
void bs_world_gravity(const bs_world *w, double gravity[DIM]);

/*
 * Moves all dynamic boxes at the same time. First the velocity of each: v += (gravity *
 * gravity_scale + acceleration) dt; damping and drag slow it down; max_speed cuts it. Then
 * position += v dt (semi-implicit Euler). A box whose new velocity or corners would not be finite
 * keeps its place and velocity.
 *
 * Boxes with a response are bodies. They meet static boxes, as in a move, and each other, soonest
 * first. Dynamic boxes without a response fly: for bodies they are walls that move. Among bodies
 * momentum is shared by mass. One of infinite mass is moved by no body: it meets static boxes
 * alone. The order of insertion does not matter.
 *
 * Two that meet part with the greater `bounce` of the two times the speed at which they closed in;
 * slide and touch have none. What forces of two steps could bring together does not bounce, so
 * bodies come to rest. Friction acts along the side, by the greater of the two; touch takes all
 * velocity along it. A static box with a velocity is a belt: it stays, and friction is against its
 * velocity.
 *
 * dt >= 0. O(n), and a move for each body with something static around its way, and O(log n) for
 * each two that meet. A body at rest costs nothing while nothing changes near it.
 */
bs_status bs_world_step(bs_world *w, double dt);

/*
 * Whether the next step has anything to do for a box. A static box is never awake; a body is,
 * unless it is at rest, and so is all that it presses on; a box that flies is awake while it moves
 * or something accelerates it. After a restore all bodies are awake until the next step.
 */
bool bs_world_is_awake(const bs_world *w, uint32_t box);

/* A hit of the last step. Its boxes may have been removed since. */
typedef struct bs_step_hit {
    bs_id box;
    bs_id other;
    bs_response response;
    double t;           /* The fraction of the step, 0..1. */
    double speed;       /* The speed at which the two closed in. */
    double impulse;     /* What they gave each other; 0 if they crossed. */
    double normal[DIM]; /* It points at `box`. */
    double place[DIM];  /* Where they touched. */
} bs_step_hit;
BS_LIST(bs_step_hits, bs_step_hit);

/* Each two that met, once: by `box` in the order of insertion, those of one box by t. */
const bs_step_hits *bs_world_step_hits(const bs_world *w);

/* --- pairs and contacts (pairs.c, contacts.c) ----------------------------------------- */

/*
 * All pairs of boxes that overlap, whose layers match, and that are not both static. In each pair
 * the box inserted first comes first. The list belongs to the world, and is valid until the next
 * change. O(n log n + p). If few boxes have changed since the last call: O(log n) for each of them,
 * and a look at the pairs of recently changed boxes, or at all pairs if one of them had long not
 * changed. O(1) if no box has changed.
 */
bs_status bs_world_pairs(bs_world *w, const bs_pairs **out);

typedef enum bs_phase { BS_BEGIN, BS_STAY, BS_END } bs_phase;
typedef enum bs_which { BS_ALL_CONTACTS, BS_CHANGES } bs_which;

typedef struct bs_contact {
    bs_phase phase;
    bs_id a; /* Ids, as the box of an ended contact may have been removed. */
    bs_id b;
} bs_contact;

/*
 * A listener has a memory of its own: it compares the contacts with those that it was told last.
 * Its contacts are pairs (bs_world_pairs), and also boxes that are flush: one of the two, which is
 * dynamic, rests against the other one (bs_world_touching).
 *
 * The listener of a number hears of contacts in which one of the two has a layer of its mask. The
 * listener of a box hears of contacts of that box with boxes whose layer is one of its mask. It
 * ends with the box.
 */
typedef struct bs_listener {
    uint64_t who; /* A number from 1 to below BS_LEAST_ID, or the id of a box. */
    uint32_t mask;
} bs_listener;

/* The contacts that are still to be handed out. */
typedef struct bs_contacts {
    bs_which which;
    bs_listener by; /* Whose they are; `who` is 0 for those of bs_world_contacts. */
    size_t next, ended;
} bs_contacts;

/*
 * Compares the pairs with those at the last call of bs_world_contacts_done. BS_CHANGES leaves out
 * those that stay. O(p log p). If few boxes have changed, O(r log r) for the r pairs of recently
 * changed boxes, and a look at all others; with BS_CHANGES O(1) if no box has changed. The world
 * keeps 16 bytes a pair.
 */
bs_status bs_world_contacts(bs_world *w, bs_which which, bs_contacts *out);
/*
 * The next contact, ordered by the insertion of a, then of b; false after the last one. Of those of
 * a listener (bs_world_listen), all that have ended come first. The world must not have changed. A
 * copy of *c goes through them once more.
 */
bool bs_world_next_contact(const bs_world *w, bs_contacts *c, bs_contact *out);
/* How many are still to be handed out. */
size_t bs_world_count_contacts(const bs_world *w, bs_contacts contacts);
/* Call this when the contacts have been handed out and the world has not changed. Cannot fail. */
void bs_world_contacts_done(bs_world *w, bs_contacts contacts);

/* --- listeners (motion/listen.c, heard.c) ---------------------------------------------- */

/*
 * Its contacts, for bs_world_next_contact. In those of a box a is that box. A query around the box;
 * around each box whose layer is of the mask, or around each dynamic one, if these are fewer. The
 * world keeps 24 bytes for each contact that a listener remembers.
 */
bs_status bs_world_listen(bs_world *w, bs_listener listener, bs_which which, bs_contacts *out);

/* --- queries (query.c); results in the order of insertion ----------------------------- */

/* The boxes that overlap a shape. A point is a box without size. O(log n + k) */
bs_status bs_world_query(bs_world *w, const bs_shape *shape, const bs_filter *filter, bs_list *out);
/*
 * The boxes that hold a point: near sides are in a box, far sides are not, so that each point of a
 * plane of tiles is in one of them. Circles and polygons hold it within.
 */
bs_status bs_world_query_point(bs_world *w, const double point[DIM], const bs_filter *filter,
                               bs_list *out);
/* The boxes nearer than a radius, which may be too large or too small for a shape. O(log n + k) */
bs_status bs_world_query_circle(bs_world *w, const double centre[DIM], double radius,
                                const bs_filter *filter, bs_list *out);
/*
 * The k boxes nearest to the point, by the distance to them or to their shapes, which is 0 inside;
 * ties by insertion. None is farther than max_distance, which may be infinite.
 */
bs_status bs_world_nearest(bs_world *w, const double point[DIM], size_t k, const bs_filter *filter,
                           double max_distance, bs_list *out);
/* The distance by which bs_world_nearest sorts. O(corners) */
double bs_world_distance(const bs_world *w, uint32_t box, const double point[DIM]);

/* --- casts (world_cast.c) ------------------------------------------------------------- */

/* A box that a cast has hit. */
typedef struct bs_hit {
    uint32_t box;
    bs_touch touch;
    /*
     * By axis, the nearest side that is met at that time or later, of boxes that pass the filter;
     * its negative where the way leads down that axis. In an inner corner, rounding must not put
     * the place of a hit beyond the second wall's side.
     */
    double ahead[DIM];
    /*
     * Where a point has come between two boxes that stop it together: the other one, inserted
     * later, and the one whose side was met. Else BS_NO_BOX, and `box`.
     */
    uint32_t beside, side_of;
} bs_hit;
BS_LIST(bs_hits, bs_hit);

/*
 * A point does not pass between two boxes that touch, on its left and on its right: it meets both
 * as one box, at the first t at which both are beside it. Where it enters a box at a corner, the
 * side counts that no other box covers.
 *
 * The first box on the way, or hit->box = BS_NO_BOX. Of boxes that are met at the same t, one that
 * is met at a side, or from inside, comes before one that is met at an edge or a corner; after
 * that, the box inserted first. If it fails, *hit may have been written.
 */
bs_status bs_world_cast(bs_world *w, const bs_way *way, const bs_filter *filter, bs_hit *hit);
/* All boxes on the way, in that order. */
bs_status bs_world_cast_all(bs_world *w, const bs_way *way, const bs_filter *filter, bs_hits *out);
/*
 * Where a segment meets the box of a hit: on its side, to the last bit, so that a segment that
 * leads off from there leaves the box; on a slanted or round side, to rounding. Where it starts, if
 * that is inside.
 */
void bs_world_segment_point(const bs_world *w, const double start[DIM], const double end[DIM],
                            const bs_hit *hit, double point[DIM]);

/* --- pushing out (motion/resolve.c) --------------------------------------------------- */

/*
 * Pushes the box out of those that it overlaps, at most once out of each. `push` is the whole
 * displacement, *n the number of pushes. Sensors are ignored, and a sensor is not pushed.
 *
 * A push takes the box out of all of them at once, along one axis, if that is no longer than pushes
 * out of one after the other, the least overlap first (ties: the box inserted first). So it leaves
 * a row of tiles straight, also across a seam. Otherwise it takes the first of the single pushes:
 * so it leaves a floor and a wall by two pushes. Boxes that would all push the same way count as
 * one push.
 *
 * If the host decides, it is asked before each push about all boxes in the way, and those that it
 * refuses do not count.
 *
 * One query for each push. It adds up at most BS_PUSHES_AHEAD single pushes, and looks at no more
 * than BS_BOXES_AHEAD boxes for them, as thousands may lie on each other.
 */
enum { BS_PUSHES_AHEAD = 16, BS_BOXES_AHEAD = 4096 };
bs_status bs_world_resolve(bs_world *w, uint32_t box, const bs_filter *filter, double push[DIM],
                           uint32_t *n);

/* --- movement (motion/move.c) ------------------------------------------------------- */

/*
 * The host's response of `self` to a box that it would meet. The host may query the world, and run
 * moves that change nothing. It may also leave by longjmp, if that leads to bs_call_end.
 */
typedef bs_response bs_ask(void *host, uint32_t self, uint32_t other);

/* Which boxes a moving box meets, and its response. */
typedef struct bs_rules {
    uint64_t mask[BS_RESPONSES]; /* The layers of each response. The first match counts, in the
                                    order of the rows of conduct.h. */
    bs_response to_pairs;        /* The response to others that could make a pair with the box. */
    uint32_t ignore;             /* This box is ignored; it may be BS_NO_BOX. */
    const bs_list *except;       /* So are these; it may be NULL. */
    bs_ask *ask;                 /* If it is not NULL, the host decides, not masks and to_pairs. */
    void *host;
    bool pushes;          /* BS_PUSH moves others; if not, it counts as BS_SLIDE. */
    const uint8_t *skips; /* By box: if not 0, it is ignored, too. It may be NULL. */
} bs_rules;

/* Slide along all boxes that could make a pair with the box, even if both are static. */
bs_rules bs_rules_default(void);

/* Whether some box may get that response, apart from what the host answers. */
static inline bool bs_rules_may_give(const bs_rules *rules, bs_response response) {
    return rules->mask[response] != 0 || rules->to_pairs == response;
}

/*
 * A call that asks the host, or moves several boxes, and may fail between two of them, stands
 * between these two. If it is not done, all boxes are put back, and what it has begun has ended. A
 * call within another one changes nothing.
 */
void bs_call_begin(bs_world *w);
void bs_call_end(bs_world *w, bool done);
/* Within a call: as bs_world_update. If there is no memory, nothing has changed. */
bs_status bs_journal_update(bs_world *w, uint32_t box, const bs_rect *rect);

/* A hit of a moving box. */
typedef struct bs_collision {
    bs_id id;
    uint32_t box;
    bs_response response;
    bool overlap;       /* The two overlapped at the start. */
    double t;           /* The fraction of the whole motion, 0..1. */
    double speed;       /* In steps: the closing speed. */
    double bounce;      /* In steps: the part of it that comes back. */
    double place[DIM];  /* The position of the box at that time. */
    double normal[DIM]; /* The normal of the side, or of the shortest way out if they overlapped. */
} bs_collision;
BS_LIST(bs_collisions, bs_collision);

/*
 * Moves a box towards its goal, as far as it gets. It goes to the first hit (bs_sweep finds it,
 * and of several bs_world_cast's order picks the first). There the response changes the rest of the
 * motion. This goes on until nothing is left, or the box has bounced 16 times.
 *
 * At a side that stops it the box is flush: at the double nearest to the side where the two do not
 * overlap. A box that it overlaps at the start only keeps it from going deeper, against the
 * shortest push that separates the two. One-way boxes are met at their side alone, and not by a box
 * that overlaps them or has come in through another side. A bounce that would end beyond the
 * doubles is a stop on that axis. The box never ends in a solid one (one that it does not pass or
 * cross) that it did not overlap before. Where rounding would put it into one, it is flush with
 * that, which is reported as a contact. Where no way back leads out, it ends at its start.
 *
 * A slide removes the part of the motion along the normal, and a bounce reflects it. Where several
 * sides are met at one place, the motion follows one that leads into none of the others (in 3D the
 * crease of two), or stops; a bounce between two of them slides. A circle follows the arc around
 * the corner of a shape, in steps of an eighth of its radius. A one-way box is met where the normal
 * is within 60 degrees of its own, but not at a corner from which its side goes on in another one
 * that the moving box is in. The box stays off slanted and round sides by 2^-48 of the
 * largest coordinate.
 *
 *      bs_move *m = bs_move_run(w, box, goal, &rules);     NULL: no memory
 *      ... bs_move_rect(m), bs_move_collisions(m), bs_world_update(w, box, bs_move_rect(m)) ...
 *      bs_move_end(m);
 *
 * The host is asked about each box once, in the order of contact. The difference between goal and
 * place must be finite. Each change of direction costs a query around the way, and O(n log n) for
 * the n boxes that it finds there.
 *
 * If rules->pushes, BS_PUSH moves dynamic boxes. Each is met once, and goes ahead along the normal
 * by as much of the motion as is left along it, as far as it gets by a move with default rules in a
 * world without the pusher. Then the pusher goes on. It slides along a box that was stopped, and
 * along boxes that it overlaps at the start. Such moves change the world while they run, so they
 * are run within a call (bs_call_begin), as those that ask.
 *
 * This is the slab method of bs_sweep, with axes that are stopped one by one; compare "conservative
 * advancement", Mirtich 1996, of which this is the exact case.
 */
typedef struct bs_move bs_move;
bs_move *bs_move_run(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules);
bs_rect bs_move_rect(const bs_move *m);                    /* Where the box ends. */
const bs_collisions *bs_move_collisions(const bs_move *m); /* In the order of contact. */
void bs_move_end(bs_move *m); /* It can be read until another move begins. */

/* --- pushing and carrying (motion/push.c) --------------------------------------------- */

/* A box that was pushed or carried. */
typedef struct bs_pushed {
    bs_id id;
    uint32_t box;
    uint32_t by;       /* The box that carries it, or the first that met it. */
    bool crushed;      /* It was held in the way, and overlaps the platform at the end. */
    bool carried;      /* It rested on what moved. */
    double place[DIM]; /* The position that it has come to. */
} bs_pushed;
typedef struct bs_pushes {
    const bs_pushed *at;
    size_t n;
} bs_pushes;

/*
 * Moves a platform: n boxes that move as one, each all the way to its rect in `after`. Dynamic
 * boxes in its way are moved out of it (by bs_move) along the normal of the side that meets them,
 * and what is in their way is moved ahead of them. If something makes such a box slide, it goes on
 * along that until it is out of the way. The platform carries, by as much as it moves and once, the
 * boxes that rest against the sides to which gravity presses them, and those that rest on these.
 * The platform pushes and carries only boxes that are solid by the rules; what its boxes push ahead
 * is what they could make a pair with. The host is asked about each of the former once, before
 * anything has moved.
 *
 * A box that is named twice counts once. It runs within a call (bs_call_begin). `out` has carried
 * boxes, each behind its carrier, then boxes that were in the way, then boxes that these pushed; it
 * is valid until the next push. It costs one move for each box that is pushed or carried, and
 * another for each box that this one pushes.
 */
bs_status bs_push_run(bs_world *w, const uint32_t *boxes, const bs_rect *after, size_t n,
                      const bs_rules *rules, bs_pushes *out);

/* --- places (motion/rest.c) ----------------------------------------------------------- */

/*
 * The boxes that are flush with one side of the box, in the order of insertion: those that would
 * stop it there by the rules, and those that the host must be asked about. With shapes, also boxes
 * that are no farther away than 2^-40 of the largest coordinate, with a normal within 60 degrees of
 * that side. O(log n + k)
 */
bs_status bs_world_touching(bs_world *w, uint32_t box, int axis, bool up, const bs_rules *rules,
                            bs_list *out);
/* The boxes that it would overlap at that place, by the same rules. One-way boxes do not block. */
bs_status bs_world_blocking(bs_world *w, uint32_t box, const bs_rect *place, const bs_rules *rules,
                            bs_list *out);

/* --- snapshots (snapshot.c, world_bytes.c) -------------------------------------------- */

/*
 * For rollback, saved games and comparison. A snapshot holds copies of all that later answers
 * depend on: boxes with their ids, places, layers and conduct, the order of insertion, the next
 * ids, gravity, contacts, and the hits of the last step. It does not hold the back end, as answers
 * do not depend on it. A new one is that of an empty world.
 */
typedef struct bs_snapshot bs_snapshot;
bs_snapshot *bs_snapshot_new(bs_realloc resize, void *host);
void bs_snapshot_free(bs_snapshot *s);
size_t bs_snapshot_memory(const bs_snapshot *s); /* Bytes held. */

/*
 * Takes the present state, into the memory of the last one. O(n), as long as a copy takes. The two
 * share shapes, so both were made with the same `resize` and `host`, and are used in one thread.
 */
bs_status bs_snapshot_take(bs_snapshot *s, const bs_world *w);
/*
 * Puts the world back into that state. Its back ends only get the differences: it looks at each
 * box, and updates, inserts or removes those that differ. Ids that were given since count as
 * removed until they are given again.
 */
bs_status bs_world_restore(bs_world *w, const bs_snapshot *s);

uint32_t bs_snapshot_count(const bs_snapshot *s);   /* The number of boxes. */
uint32_t bs_snapshot_indices(const bs_snapshot *s); /* As bs_world_indices. */
/* The id of a box, or of a removed one whose contacts are still to end; 0 if there was none. */
bs_id bs_snapshot_id(const bs_snapshot *s, uint32_t index);
/*
 * The first index, at or beyond `from`, at which bs_snapshot_id would be another one now, or whose
 * box was removed or came back. If there is none: the greater number of indices, now or then. O(n)
 */
uint32_t bs_snapshot_change(const bs_snapshot *s, const bs_world *w, uint32_t from);

/*
 * Writes it as bytes, into a list on that heap: little-endian, versioned, with a checksum at the
 * end, and the same on every platform. They depend on the state alone, not on how the world came to
 * it. The snapshot stays as it is; it is not const, as one function reads and writes. O(n log n)
 */
bs_status bs_snapshot_encode(bs_snapshot *s, bs_heap *heap, bs_bytes *out);
/*
 * Reads n bytes that may come from anywhere. If they are wrong, *problem says what, and the
 * snapshot is unchanged; otherwise *problem is NULL. Takes at most some 200 bytes for each 4 that
 * are given.
 */
bs_status bs_snapshot_decode(bs_snapshot *s, const void *bytes, size_t n, const char **problem);

BS_API_END

#endif
