/*
 * world.h: the C API. A world holds boxes and answers what meets what.
 *
 * A box is named by an index (uint32_t), which is used again after the box was removed, or by an id
 * (bs_id), which never is. Units are the caller's own. Functions do not check their arguments
 * except by assert: pass live boxes, rects that bs_rect_is_box accepts, finite numbers.
 *
 * Functions that return bs_status change nothing if they fail; the only failure is BS_NO_MEMORY.
 * Lists to be filled are emptied first. n is the number of boxes, k that of results, p of pairs.
 */
#ifndef BS_WORLD_H
#define BS_WORLD_H

#include <assert.h>

#include "shape.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

typedef enum bs_status { BS_OK, BS_NO_MEMORY } bs_status;

/*
 * generation << 26 | index: exact in a double. Generations begin at 64, so that ids are 2^32 or
 * more and none can be taken for a mask. An index whose generations are used up is retired, so that
 * no id is ever given twice.
 */
typedef uint64_t bs_id;
enum { BS_INDEX_BITS = 26, BS_FIRST_GENERATION = 64 };
#if !defined(BS_GENERATION_BITS) /* a test has fewer, so that they are used up */
#define BS_GENERATION_BITS 26
#endif

static_assert(BS_GENERATION_BITS > 0 && BS_GENERATION_BITS < 31, "generations are uint32_t");

/* Of an index that is retired, and of no box. */
#define BS_GENERATIONS_END (BS_FIRST_GENERATION + (1u << BS_GENERATION_BITS) - 1)
#define BS_LEAST_ID ((bs_id)BS_FIRST_GENERATION << BS_INDEX_BITS)
#define BS_IDS_END ((bs_id)BS_GENERATIONS_END << BS_INDEX_BITS)
static_assert(BS_LEAST_ID > UINT32_MAX, "no id is a mask");
static_assert(BS_IDS_END <= (bs_id)1 << 53, "an id is exact in a double");

#define BS_NO_BOX UINT32_MAX
static_assert(BS_NO_BOX >> BS_INDEX_BITS != 0, "no box has this index");

typedef struct bs_world bs_world;

/* What a box may meet: see bs_filter for queries. */
typedef struct bs_layers {
    uint32_t layer;
    uint32_t mask;
} bs_layers;

/* What becomes of a moving box that meets another one. */
typedef enum bs_response {
    BS_PASS,   /* the other is not there at all */
    BS_TOUCH,  /* the box stops */
    BS_BOUNCE, /* it turns round on the axis whose face it met */
    BS_SLIDE,  /* it stops on that axis, and goes on along the others */
    BS_CROSS,  /* it goes on, and the other is told */
    BS_PUSH,   /* it moves the other one ahead, and slides; never a box's own response in steps */
    BS_UNKNOWN /* the host is asked (bs_move_run) */
} bs_response;
enum { BS_RESPONSES = BS_UNKNOWN };

/* How a box moves, and how others meet it. */
typedef struct bs_conduct {
    double bounce;            /* how much speed a bounce keeps: 0..1 */
    double gravity_scale;     /* gravity acts on it so many times: finite */
    bs_response response;     /* to what it meets in a step; BS_PASS: it flies through all */
    signed char one_way[DIM]; /* a normal, or 0: at that face alone the box is met by others */
    bool sensor;              /* it is told, and never in the way; nor is anything in its own */
} bs_conduct;

/* What a new box has besides its place. */
typedef struct bs_props {
    bs_layers layers;
    bool is_static;
    double velocity[DIM];
    double acceleration[DIM];
    bs_conduct conduct;
} bs_props;

/* Layer 1, mask all, dynamic, at rest, flies through all, bounces with all its speed, falls. */
bs_props bs_props_default(void);

/* Which boxes a query or cast meets: those whose layer has a bit of both masks, except two. */
typedef struct bs_filter {
    uint64_t mask;   /* 32 bits; BS_ANY_LAYER: also boxes whose layer is 0 */
    uint64_t also;   /* a second mask, likewise: both must have a bit of the layer */
    uint32_t ignore; /* a box, or BS_NO_BOX */
    uint32_t self;   /* the box on whose behalf it is asked, or BS_NO_BOX */
} bs_filter;

#define BS_ANY_LAYER UINT64_MAX

/* What all boxes pass. */
static const bs_filter bs_filter_all = {BS_ANY_LAYER, BS_ANY_LAYER, BS_NO_BOX, BS_NO_BOX};

/* A box met by a cast. */
typedef struct bs_hit {
    uint32_t box;
    bs_touch touch;
} bs_hit;

typedef struct bs_hits {
    bs_hit *at;
    size_t n;
    size_t cap;
} bs_hits;

/* --- the world itself ----------------------------------------------------------------------- */

/* NULL: no memory. The world allocates only through `resize`. */
bs_world *bs_world_new(bs_realloc resize, void *host, const bs_backend_type *type,
                       const bs_settings *settings);
void bs_world_free(bs_world *w);

/* Everything inside moves to a back end of another type; answers do not change. O(n log n). */
bs_status bs_world_set_backend(bs_world *w, const bs_backend_type *type,
                               const bs_settings *settings);
const bs_backend_type *bs_world_backend(const bs_world *w);

/* The figures of the back end: of the dynamic boxes' part and of the static boxes'. */
void bs_world_stats(const bs_world *w, bs_stats *dynamic_part, bs_stats *static_part);
size_t bs_world_memory(const bs_world *w); /* bytes held */

/*
 * Gives back memory that is not needed now; no answer changes, but pairs may come in another order
 * after the next change. Never fails: where there is no memory to make something smaller, it stays.
 * What moves and pushes have told is void. For each index that a box has had 13 bytes stay, as ids
 * are never given twice. O(n log n). Lists that have grown far beyond their use need no call: they
 * shrink by themselves, in every 256th call of bs_world_pairs and bs_world_step.
 */
void bs_world_trim(bs_world *w);

bs_heap *bs_world_heap(bs_world *w);           /* for lists that the caller keeps */
uint32_t bs_world_count(const bs_world *w);    /* boxes */
const char *bs_world_check(const bs_world *w); /* NULL, or what is broken; for tests. O(n log n) */

/* --- boxes ---------------------------------------------------------------------------------- */

/* Makes room for n more boxes, so that the insertions fail less likely. */
bs_status bs_world_reserve(bs_world *w, uint32_t n);

/* O(log n) or better, amortised. */
bs_status bs_world_insert(bs_world *w, const bs_rect *rect, const bs_props *props, uint32_t *box);
/* The same with a shape that bs_shape_check has found to be fine; the box is its rect. */
bs_status bs_world_insert_shape(bs_world *w, const bs_shape *shape, const bs_props *props,
                                uint32_t *box);
/* The index of the box that is inserted next. */
uint32_t bs_world_next_index(const bs_world *w);
bs_id bs_world_next_id(const bs_world *w); /* and its id */
void bs_world_remove(bs_world *w, uint32_t box);
void bs_world_clear(bs_world *w);

/*
 * Moves boxes; cannot fail. O(log n) each or better. Shapes are moved and scaled along: the sizes
 * of a circle must be the same on all axes.
 */
void bs_world_update(bs_world *w, uint32_t box, const bs_rect *rect);
void bs_world_update_many(bs_world *w, const uint32_t *boxes, const bs_rect *rects, size_t n);

bool bs_world_alive(const bs_world *w, uint32_t box);
uint32_t bs_world_indices(const bs_world *w); /* all that boxes have had so far are below */
bs_id bs_world_id(const bs_world *w, uint32_t box);
void bs_world_ids(const bs_world *w, const uint32_t *boxes, size_t n, bs_id *ids); /* of many */

/*
 * Finds the box of an id. In a world that was put back (bs_world_restore) any id that may have been
 * given in a history that was given up counts as removed.
 */
typedef enum bs_found { BS_FOUND, BS_REMOVED, BS_NEVER } bs_found;
bs_found bs_world_find(const bs_world *w, bs_id id, uint32_t *box);

const bs_rect *bs_world_rect(const bs_world *w, uint32_t box);
bool bs_world_is_static(const bs_world *w, uint32_t box);
bs_status bs_world_set_static(bs_world *w, uint32_t box, bool is_static);
bs_layers bs_world_layers(const bs_world *w, uint32_t box);
void bs_world_set_layers(bs_world *w, uint32_t box, bs_layers layers);

/* True if box a was inserted before box b. */
bool bs_world_before(const bs_world *w, uint32_t a, uint32_t b);

/* All boxes in the order of insertion. O(most boxes so far), plus O(n log n) once indices were used
 * again. */
bs_status bs_world_list(bs_world *w, bs_list *out);

/* How it moves: bs_props_default's conduct until it is set. */
bs_conduct bs_world_conduct(const bs_world *w, uint32_t box);
bs_status bs_world_set_conduct(bs_world *w, uint32_t box, const bs_conduct *conduct);

/* --- shapes (shape.c) ----------------------------------------------------------------- */

/*
 * All that is asked of a world means the shapes of its boxes, the narrow phase (narrow/narrow.h)
 * after the broad one. Worlds without shapes pay nothing for that. A shape takes memory of its own:
 * 72 bytes in 2D, and 16 for each corner.
 */

/* The shape where the box is now; of what was not moved exactly as it was given. */
void bs_world_shape(const bs_world *w, uint32_t box, bs_shape *out);
/* Likewise with another rect around it. */
void bs_world_shape_at(const bs_world *w, uint32_t box, const bs_rect *rect, bs_shape *out);
bs_shape_kind bs_world_shape_kind(const bs_world *w, uint32_t box);
/* The box becomes the shape's rect, and has no object rect any more. */
bs_status bs_world_set_shape(bs_world *w, uint32_t box, const bs_shape *shape);

/* --- velocities (velocity.c) ---------------------------------------------------------- */

void bs_world_velocity(const bs_world *w, uint32_t box, double velocity[DIM]);
void bs_world_acceleration(const bs_world *w, uint32_t box, double acceleration[DIM]);
bs_status bs_world_set_velocity(bs_world *w, uint32_t box, const double velocity[DIM]);
bs_status bs_world_set_acceleration(bs_world *w, uint32_t box, const double acceleration[DIM]);
void bs_world_set_gravity(bs_world *w, const double gravity[DIM]);
void bs_world_gravity(const bs_world *w, double gravity[DIM]);

/*
 * Dynamic boxes: v += (gravity + acceleration) dt, then position += v dt (semi-implicit Euler). A
 * box whose new velocity or corners would not be finite keeps place and velocity. First go all that
 * have no response, through everything; then, in the order of insertion, those that have one: each
 * moves (bs_move_begin) among all that it can make a pair with. If it meets one that has yet to
 * move in this step, and that moves away along the normal, that one goes first. What rounding alone
 * brings together, as the one ahead is as fast, has not met. A slide sets the velocity along the
 * normal to 0, a bounce turns round the velocity at the contact and keeps `bounce` of it, a touch
 * sets all of it to 0. A bounce at no more speed than two steps of gravity and acceleration give is
 * a slide: so what bounces comes to rest. dt >= 0. O(n), and a move for each box with a response,
 * two if it waits.
 */
bs_status bs_world_step(bs_world *w, double dt);

/* What met what in the last step, in the order in which it happened. Boxes may be gone by now. */
typedef struct bs_step_hit {
    bs_id box;
    bs_id other;
    bs_response response;
    double t; /* of the step, 0..1 */
    double normal[DIM];
} bs_step_hit;

typedef struct bs_step_hits {
    bs_step_hit *at;
    size_t n;
    size_t cap;
} bs_step_hits;

const bs_step_hits *bs_world_step_hits(const bs_world *w);

/* --- object space (transform.c) ------------------------------------------------------- */

/*
 * The rect that the box has before scaling, turning and moving. The sizes of a circle's must be the
 * same on all axes.
 */
bs_status bs_world_set_object_rect(bs_world *w, uint32_t box, const bs_rect *rect);
/* Whether bs_world_transform turns it; at first it does. */
void bs_world_set_rotates(bs_world *w, uint32_t box, bool rotates);
/*
 * The box's object rect (its present rect, if none was set: it then stays the object rect), put
 * through tr, becomes its rect. *valid is false, and nothing changed, if that is not a box.
 * A shape is the one that the box had in its object rect, truly turned and scaled: see
 * bs_shape_transform. So a circle that is scaled unevenly is not valid.
 */
bs_status bs_world_transform(bs_world *w, uint32_t box, const bs_transform *tr, bool *valid);
/* The rect that it would get, whether or not that is a box. */
bs_rect bs_world_transformed(const bs_world *w, uint32_t box, const bs_transform *tr);

/* --- pairs (pairs.c) ------------------------------------------------------------------ */

/*
 * All pairs of boxes that overlap and whose layers let them meet, not both static; in each the one
 * inserted first comes first. The list is the world's own and stays as it is until the next change.
 * O(n log n + p). If few have changed since the last call: O(log n) for each of them, and a look at
 * the pairs of those that have changed lately, or at all pairs if one of them had long not changed.
 * O(1) if none has.
 */
bs_status bs_world_pairs(bs_world *w, const bs_pairs **out);

/* --- contacts (contacts.c) ------------------------------------------------------------ */

typedef enum bs_phase { BS_BEGIN, BS_STAY, BS_END } bs_phase;

typedef struct bs_contact {
    bs_phase phase;
    bs_id a; /* an id, as the box of an ended contact may be gone */
    bs_id b;
} bs_contact;

typedef struct bs_contacts {
    bs_contact *at;
    size_t n;
    size_t cap;
} bs_contacts;

typedef enum bs_which { BS_ALL_CONTACTS, BS_CHANGES } bs_which;

/*
 * Compares the pairs with those that were there at the last call of bs_world_contacts_done; ordered
 * by insertion of a, then of b. BS_CHANGES: begins and ends alone. O(p log p) for p pairs. If few
 * boxes have changed, O(r log r) for the r pairs of boxes that have changed lately, and a look at
 * all the others; O(1) for BS_CHANGES if none has.
 */
bs_status bs_world_contacts(bs_world *w, bs_which which, bs_contacts *out);
/* The world has not changed since that: its contacts have been handed out. Cannot fail. */
void bs_world_contacts_done(bs_world *w);

/* --- queries (query.c); results in the order of insertion ----------------------------- */

bs_status bs_world_query(bs_world *w, const bs_rect *rect, const bs_filter *filter, bs_list *out);
/* What overlaps a shape. */
bs_status bs_world_query_shape(bs_world *w, const bs_shape *shape, const bs_filter *filter,
                               bs_list *out);
bs_status bs_world_query_circle(bs_world *w, const double centre[DIM], double radius,
                                const bs_filter *filter, bs_list *out);

/*
 * The k nearest boxes by distance to them, or to their shapes, 0 inside, nearest first,
 * ties by insertion; none farther than max_distance, which may be infinite.
 */
bs_status bs_world_nearest(bs_world *w, const double point[DIM], size_t k, const bs_filter *filter,
                           double max_distance, bs_list *out);

/* That distance, from a point to a box. O(corners) */
double bs_world_distance(const bs_world *w, uint32_t box, const double point[DIM]);

/* --- casts (cast.c) ------------------------------------------------------------------- */

/*
 * The first box met by `from` (sizes may be 0) on its way; hit->box = BS_NO_BOX if there is none.
 * Of several at the same t, one that is met at a face, or from inside, goes before one that is met
 * at an edge or a corner; then the box inserted first. If it fails, *hit may have been written.
 */
bs_status bs_world_cast(bs_world *w, const bs_rect *from, const double motion[DIM],
                        const bs_filter *filter, bs_hit *hit);
/* All of them, in the order in which the first one is picked. */
bs_status bs_world_cast_all(bs_world *w, const bs_rect *from, const double motion[DIM],
                            const bs_filter *filter, bs_hits *out);

/* The same for a shape that moves; of a box as above. */
bs_status bs_world_cast_shape(bs_world *w, const bs_shape *from, const double motion[DIM],
                              const bs_filter *filter, bs_hit *hit);
bs_status bs_world_cast_shape_all(bs_world *w, const bs_shape *from, const double motion[DIM],
                                  const bs_filter *filter, bs_hits *out);

/* --- pushing out (motion/resolve.c) --------------------------------------------------- */

/*
 * Pushes the box out of those it overlaps, each other box at most once. `push` is the whole
 * displacement, *n the number of pushes. One query a push.
 *
 * A push is out of all of them at once, along one axis, if that is no longer than pushes out of one
 * after the other, the least overlap first (ties: the one inserted first). So a row of tiles is
 * left straight, also across a seam. Else it is the first of those: so a floor and a wall are left
 * by two pushes. Where each box by itself would push the same way, it is one push.
 *
 * Sensors are passed over, and a sensor is pushed out of nothing.
 *
 * Thousands of boxes may lie on each other, and this must end soon: so no more of those pushes are
 * added up than BS_PUSHES_AHEAD, nor than it takes to look at BS_BOXES_AHEAD boxes.
 */
enum { BS_PUSHES_AHEAD = 16, BS_BOXES_AHEAD = 4096 };
bs_status bs_world_resolve(bs_world *w, uint32_t box, const bs_filter *filter, double push[DIM],
                           uint32_t *n);

/*
 * One push of the above, for hosts with filters of their own: moves r, the place that `box` has
 * come to, out of boxes of `among` (in the order of insertion), and returns the one beside which it
 * is now; BS_NO_BOX if it overlaps none. The world is not changed. O(among), and a little more
 * where it looks ahead.
 */
uint32_t bs_world_push_out(const bs_world *w, uint32_t box, bs_rect *r, const bs_list *among);
/* Takes from the list what the box is never pushed out of: sensors; all, if it is one itself. */
void bs_world_drop_sensors(const bs_world *w, uint32_t box, bs_list *list);

/* --- movement (motion/move.c) ------------------------------------------------------- */

/* Which boxes a moving box meets, and what comes of it. */
typedef struct bs_rules {
    uint64_t mask[BS_RESPONSES]; /* layers, by response; the first counts of BS_TOUCH, BS_BOUNCE,
                                    BS_PUSH, BS_SLIDE, BS_CROSS */
    bs_response to_pairs;        /* to others that could make a pair with the box */
    uint32_t ignore;             /* a box that is not met, or BS_NO_BOX */
    bool ask;                    /* the host says, and nothing above counts */
    const uint8_t *skips;        /* by box: not 0: it is not met either; or NULL */
} bs_rules;

/* Slide along all that could make a pair with the box; static boxes may do so here, too. */
bs_rules bs_rules_default(void);

/* What a moving box met. */
typedef struct bs_collision {
    bs_id id;
    uint32_t box;
    bs_response response;
    bool overlap;       /* the two overlapped at the start */
    double t;           /* fraction of the whole way, 0..1 */
    double place[DIM];  /* where the box was then */
    double normal[DIM]; /* of the face that was met; if `overlap`: along the least way out */
} bs_collision;

typedef struct bs_collisions {
    bs_collision *at;
    size_t n;
    size_t cap;
} bs_collisions;

/*
 * The way of a box to its goal, as far as it gets. It goes to the first contact (as bs_sweep says,
 * the first of several as bs_world_cast picks it), the response changes the rest of its way, and
 * so on, until nothing is left or it has bounced 16 times. Where a face stops it, it is flush: at
 * the double nearest to the face where the two do not overlap. A box that it overlaps at the start
 * only keeps it from going deeper, against the least push that parts the two. One-way boxes are
 * met at their face alone, and not by what overlaps them or has come in through another face. A
 * bounce that would end beyond the doubles is a stop on that axis. The box never ends in a solid
 * one (one that is not passed or crossed) that it did not overlap before: where rounding would put
 * it into one, it is flush with that, which is told as a contact; where no way back leads out, it
 * ends at its start.
 *
 * A slide takes the part of the motion along the normal away, and a bounce turns it round. Of
 * several faces that are met in one place the motion follows one that leads into none of the others
 * (in 3D the crease of two), or stops; a bounce between two of them slides. Around the corner of a
 * shape a circle follows the arc, in steps of an eighth of its radius. One-way boxes are met where
 * the normal is within 60 degrees of theirs. At a slanted or round face the box stays off by 2^-48
 * of the largest coordinate.
 *
 *      bs_move *m = bs_move_begin(w, box, goal, &rules);
 *      while ((progress = bs_move_run(m, &other)) == BS_MOVE_ASKS) {
 *          bs_move_answer(m, ...);     the response to `other`, of which is not asked again
 *      }
 *      ... bs_move_rect(m), bs_move_collisions(m), bs_world_update(w, box, bs_move_rect(m)) ...
 *      bs_move_end(m);
 *
 * The world must not change in between; but it may be asked, and have other moves begin and end.
 * The difference between goal and place must be finite. One query around the way, and O(n log n)
 * for n boxes that it finds there, for each change of direction.
 *
 * The slab method as in bs_sweep, with axes that are stopped one by one; compare "conservative
 * advancement", Mirtich 1996, of which this is the exact case.
 */
typedef struct bs_move bs_move;

/* NULL: no memory. BS_PUSH counts as BS_SLIDE. */
bs_move *bs_move_begin(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules);

/*
 * As bs_move_begin, but BS_PUSH moves dynamic boxes: each is met once, and goes ahead along the
 * normal, by as much of the way as is left along it, as far as it gets by a move with default rules
 * in which the pusher is not there. Then the pusher goes on; what has been stopped it slides along.
 * What it overlaps at the start it slides along, too. Such moves change the world while they run.
 */
bs_move *bs_move_begin_pushing(bs_world *w, uint32_t box, const double goal[DIM],
                               const bs_rules *rules);
/* What has been pushed until now stays where it is. Called before the first of such moves. */
void bs_pushes_keep(bs_world *w);
/* What has been pushed since then is back where it was. */
void bs_pushes_undo(bs_world *w);

typedef enum bs_progress { BS_MOVE_DONE, BS_MOVE_ASKS, BS_MOVE_NO_MEMORY } bs_progress;
bs_progress bs_move_run(bs_move *m, uint32_t *other);
void bs_move_answer(bs_move *m, bs_response response);

bs_rect bs_move_rect(const bs_move *m);                    /* where the box ends */
const bs_collisions *bs_move_collisions(const bs_move *m); /* in the order in which it met them */
void bs_move_end(bs_move *m); /* it can be read until another one begins */

/* --- pushing and carrying (motion/push.c) --------------------------------------------- */

/* A box that another one has pushed or carried. */
typedef struct bs_pushed {
    bs_id id;
    uint32_t box;
    uint32_t by;          /* what carries it, or was the first to meet it */
    bs_response response; /* BS_UNKNOWN: the host is to set it before bs_push_run */
    bool crushed;         /* it could not get out of the way */
    bool carried;         /* it rested on what moved */
    double place[DIM];    /* where it has come to */
} bs_pushed;

/*
 * A platform: the box goes all the way to its goal. Dynamic boxes in its way are moved out of it
 * (by bs_move), along the normal of the face that meets them, and what is in their way is moved
 * ahead of them. One that something lets slide goes on along that until it is out. Those that rest
 * on it, against the face that gravity presses them to, are carried by as much as it moves, and so
 * are those that rest on these. The rules say which boxes are solid to it: no others are pushed or
 * carried.
 *
 *      bs_push *p = bs_push_begin(w, box, goal, &rules);
 *      ... bs_push_rows(p, &n): each with BS_UNKNOWN gets the host's response ...
 *      bs_push_run(p), bs_push_rows(p, &n), perhaps bs_push_undo(p), bs_push_end(p)
 *
 * The world must not change between begin and run. If bs_push_run fails, nothing has moved. One
 * move for each box pushed or carried, and another for each box that it pushes in turn.
 */
typedef struct bs_push bs_push;

/* NULL: no memory. */
bs_push *bs_push_begin(bs_world *w, uint32_t box, const double goal[DIM], const bs_rules *rules);
/*
 * A platform of n boxes that move as one, each to where `after` says; what rests on several of them
 * is carried once. A box that is named twice counts once.
 */
bs_push *bs_push_begin_many(bs_world *w, const uint32_t *boxes, const bs_rect *after, size_t n,
                            const bs_rules *rules);
bs_status bs_push_run(bs_push *p);
/*
 * Before the run those that the host may have to be asked about; after it those that were carried,
 * each behind what carried it, then those that were in the way, then those pushed in turn.
 */
bs_pushed *bs_push_rows(bs_push *p, size_t *n);
void bs_push_undo(bs_push *p); /* after a run: all boxes are where they were */
void bs_push_end(bs_push *p);

/* --- places (motion/rest.c) ----------------------------------------------------------- */

/*
 * The boxes that the box rests flush against on one side, in the order of insertion: those that
 * would stop it, by the rules, on its way there; where the rules ask the host, also those that it
 * is to be asked about. Where there are shapes also what is no farther away than 2^-40 of the
 * largest coordinate, with a normal within 60 degrees of that side. O(log n + k)
 */
bs_status bs_world_touching(bs_world *w, uint32_t box, int axis, bool up, const bs_rules *rules,
                            bs_list *out);

/* The boxes that it would overlap at that place; likewise. One-way boxes are in nobody's way. */
bs_status bs_world_blocking(bs_world *w, uint32_t box, const bs_rect *place, const bs_rules *rules,
                            bs_list *out);

/* --- pictures ------------------------------------------------------------------------------- */

/* Boxes in the order of insertion, then what the back end shows. */
bs_status bs_world_pictures(bs_world *w, bs_pictures *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
