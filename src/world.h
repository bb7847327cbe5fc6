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

#include "backend.h"

#pragma GCC visibility push(hidden)

typedef enum bs_status { BS_OK, BS_NO_MEMORY } bs_status;

/*
 * generation << 26 | index: exact in a double, never 0. An index whose generations are used up is
 * retired, so that no id is ever given twice.
 */
typedef uint64_t bs_id;
enum { BS_INDEX_BITS = 26 };
#if !defined(BS_GENERATION_BITS) /* a test has fewer, so that they are used up */
#define BS_GENERATION_BITS 26
#endif

static_assert(BS_GENERATION_BITS > 0 && BS_GENERATION_BITS < 32, "generations are uint32_t");
static_assert(BS_INDEX_BITS + BS_GENERATION_BITS <= 53, "an id is exact in a double");

#define BS_NO_BOX UINT32_MAX
static_assert(BS_NO_BOX >> BS_INDEX_BITS != 0, "no box has this index");

typedef struct bs_world bs_world;

/* What a box may meet: see bs_filter for queries. */
typedef struct bs_layers {
    uint32_t layer;
    uint32_t mask;
} bs_layers;

/* What a new box has besides its place. */
typedef struct bs_props {
    bs_layers layers;
    bool is_static;
    double velocity[DIM];
    double acceleration[DIM];
} bs_props;

/* Layer 1, mask all, dynamic, at rest. */
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
size_t bs_world_memory(const bs_world *w);     /* bytes held */
bs_heap *bs_world_heap(bs_world *w);           /* for lists that the caller keeps */
uint32_t bs_world_count(const bs_world *w);    /* boxes */
const char *bs_world_check(const bs_world *w); /* NULL, or what is broken; for tests. O(n log n) */

/* --- boxes ---------------------------------------------------------------------------------- */

/* Makes room for n more boxes, so that the insertions fail less likely. */
bs_status bs_world_reserve(bs_world *w, uint32_t n);

/* O(log n) or better, amortised. */
bs_status bs_world_insert(bs_world *w, const bs_rect *rect, const bs_props *props, uint32_t *box);
void bs_world_remove(bs_world *w, uint32_t box);
void bs_world_clear(bs_world *w);

/* Moves boxes; cannot fail. O(log n) each or better. */
void bs_world_update(bs_world *w, uint32_t box, const bs_rect *rect);
void bs_world_update_many(bs_world *w, const uint32_t *boxes, const bs_rect *rects, size_t n);

bool bs_world_alive(const bs_world *w, uint32_t box);
uint32_t bs_world_indices(const bs_world *w); /* all that boxes have had so far are below */
bs_id bs_world_id(const bs_world *w, uint32_t box);
void bs_world_ids(const bs_world *w, const uint32_t *boxes, size_t n, bs_id *ids); /* of many */

/* Finds the box of an id. */
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

/* --- motion (world_motion.c) ---------------------------------------------------------------- */

void bs_world_velocity(const bs_world *w, uint32_t box, double velocity[DIM]);
void bs_world_acceleration(const bs_world *w, uint32_t box, double acceleration[DIM]);
bs_status bs_world_set_velocity(bs_world *w, uint32_t box, const double velocity[DIM]);
bs_status bs_world_set_acceleration(bs_world *w, uint32_t box, const double acceleration[DIM]);
void bs_world_set_gravity(bs_world *w, const double gravity[DIM]);
void bs_world_gravity(const bs_world *w, double gravity[DIM]);

/*
 * Dynamic boxes: v += (gravity + acceleration) dt, then position += v dt (semi-implicit Euler). A
 * box whose new velocity or corners would not be finite keeps place and velocity. O(n).
 */
bs_status bs_world_step(bs_world *w, double dt);

/* --- object space (world_transform.c) ------------------------------------------------------- */

/* The rect that the box has before scaling, turning and moving. */
bs_status bs_world_set_object_rect(bs_world *w, uint32_t box, const bs_rect *rect);
/* Whether bs_world_transform turns it; at first it does. */
void bs_world_set_rotates(bs_world *w, uint32_t box, bool rotates);
/*
 * The box's object rect (its present rect, if none was set: it then stays the object rect), put
 * through tr, becomes its rect. *valid is false, and nothing changed, if that is not a box.
 */
bs_status bs_world_transform(bs_world *w, uint32_t box, const bs_transform *tr, bool *valid);
/* The rect that it would get, whether or not that is a box. */
bs_rect bs_world_transformed(const bs_world *w, uint32_t box, const bs_transform *tr);

/* --- pairs (world_pairs.c) ------------------------------------------------------------------ */

/*
 * All pairs of boxes that overlap and whose layers let them meet, not both static; in each the one
 * inserted first comes first. The list is the world's own and stays as it is until the next change.
 * O(n log n + p). If few have changed since the last call: O(log n) for each of them, and a look at
 * the pairs of those that have changed lately, or at all pairs if one of them had long not changed.
 * O(1) if none has.
 */
bs_status bs_world_pairs(bs_world *w, const bs_pairs **out);

/* --- contacts (world_contacts.c) ------------------------------------------------------------ */

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

/* Compares the pairs with those of the previous call; ordered by insertion of a, then of b. */
bs_status bs_world_contacts(bs_world *w, bs_contacts *out);

/* --- queries (world_query.c); results in the order of insertion ----------------------------- */

bs_status bs_world_query(bs_world *w, const bs_rect *rect, const bs_filter *filter, bs_list *out);
bs_status bs_world_query_circle(bs_world *w, const double centre[DIM], double radius,
                                const bs_filter *filter, bs_list *out);

/*
 * The k nearest boxes by (squared) distance, 0 inside, nearest first, ties by insertion; none
 * farther than max_distance, which may be infinite.
 */
bs_status bs_world_nearest(bs_world *w, const double point[DIM], size_t k, const bs_filter *filter,
                           double max_distance, bs_list *out);

/* --- casts (world_cast.c) ------------------------------------------------------------------- */

/*
 * The first box met by `from` (sizes may be 0) on its way; hit->box = BS_NO_BOX if there is none.
 * If it fails, *hit may have been written.
 */
bs_status bs_world_cast(bs_world *w, const bs_rect *from, const double motion[DIM],
                        const bs_filter *filter, bs_hit *hit);
/* All of them, by t, ties by insertion. */
bs_status bs_world_cast_all(bs_world *w, const bs_rect *from, const double motion[DIM],
                            const bs_filter *filter, bs_hits *out);

/* --- pushing out (world_resolve.c) ---------------------------------------------------------- */

/*
 * Pushes the box out of those it overlaps, each other box at most once. `push` is the whole
 * displacement, *n the number of pushes. One query a push.
 *
 * A push is out of all of them at once, along one axis, if that is no longer than pushes out of one
 * after the other, the least overlap first (ties: the one inserted first). So a row of tiles is
 * left straight, also across a seam. Else it is the first of those: so a floor and a wall are left
 * by two pushes. Where each box by itself would push the same way, it is one push.
 *
 * Thousands of boxes may lie on each other, and this must end soon: so no more of those pushes are
 * added up than BS_PUSHES_AHEAD, nor than it takes to look at BS_BOXES_AHEAD boxes.
 */
enum { BS_PUSHES_AHEAD = 16, BS_BOXES_AHEAD = 4096 };
bs_status bs_world_resolve(bs_world *w, uint32_t box, const bs_filter *filter, double push[DIM],
                           uint32_t *n);

/*
 * One push of the above, for hosts with filters of their own: moves r out of boxes of `among` (in
 * the order of insertion), and returns the one beside which it is now; BS_NO_BOX if it overlaps
 * none. The world is not changed. O(among), and a little more where it looks ahead.
 */
uint32_t bs_world_push_out(const bs_world *w, bs_rect *r, const bs_list *among);

/* --- pictures ------------------------------------------------------------------------------- */

/* Boxes in the order of insertion, then what the back end shows. */
bs_status bs_world_shapes(bs_world *w, bs_shapes *out);

#pragma GCC visibility pop

#endif
