/*
 * oracle.h: a world in plain loops over doubles. It says what every answer has to be, straight from
 * the contract. It shares nothing with the core but its types, and nothing in it is fast or clever.
 *
 * Boxes are in the order of their insertion. A list of boxes holds their indices in the worlds.
 */
#ifndef FUZZ_ORACLE_H
#define FUZZ_ORACLE_H

#include "broadside/world.h"

enum { MOST_BOXES = 640, MOST_INDICES = 4 * MOST_BOXES }; /* Some wait for their ends. */

typedef struct oracle_box {
    uint32_t index;
    bs_id id;
    uint64_t born;
    bs_rect rect;
    bs_rect object; /* if has_object */
    bool has_object;
    bool rotates;
    bool is_static;
    bs_layers layers;
    double velocity[DIM];
    double acceleration[DIM];
    bs_conduct conduct;
} oracle_box;

/* A pair, with the order in which its boxes were inserted. */
typedef struct oracle_pair {
    uint64_t born_a;
    uint64_t born_b;
    bs_id a;
    bs_id b;
} oracle_pair;

typedef struct oracle_pairs {
    oracle_pair *at;
    size_t n;
    size_t cap;
} oracle_pairs;

typedef struct oracle {
    oracle_box box[MOST_BOXES];
    size_t n;
    uint16_t rank[MOST_INDICES]; /* by index: the place of the box in `box` */
    uint64_t births;
    double gravity[DIM];
    oracle_pairs touching; /* the pairs at the last call for contacts */
} oracle;

typedef struct oracle_list {
    uint32_t at[MOST_BOXES];
    size_t n;
} oracle_list;

typedef struct oracle_hits {
    bs_hit at[MOST_BOXES];
    size_t n;
} oracle_hits;

/* --- geometry ------------------------------------------------------------------------------- */

bool oracle_overlap(const bs_rect *a, const bs_rect *b);
bool oracle_contains(const bs_rect *r, const double point[DIM]);
/* A quarter of the distance, 0 inside. */
double oracle_quarter_distance(const double point[DIM], const bs_rect *r);
/* When a, moving by v, hits b, which rests. */
bool oracle_sweep(const bs_rect *a, const double v[DIM], const bs_rect *b, bs_touch *hit);
/* The same if b moves by vb. */
bool oracle_sweep_both(const bs_rect *a, const double va[DIM], const bs_rect *b,
                       const double vb[DIM], bs_touch *hit);
bool oracle_separation(const bs_rect *a, const bs_rect *b, double push[DIM]);
/* Whether it is a rect with finite corners and sizes > 0 (or >= 0 for queries). */
bool oracle_is_rect(const bs_rect *r, bool may_be_empty);

/* --- a world -------------------------------------------------------------------------------- */

void oracle_begin(oracle *o);
void oracle_end(oracle *o);
void oracle_copy(oracle *to, const oracle *from);

oracle_box *oracle_insert(oracle *o, uint32_t index, bs_id id, const bs_rect *rect,
                          const bs_props *props);
void oracle_remove(oracle *o, size_t rank);
void oracle_clear(oracle *o);
/* The sum of gravity and the box's own acceleration. */
double oracle_acceleration(const oracle *o, const oracle_box *box, int axis);
/* The part of its motion that a bounce keeps in a move. */
double oracle_bounce(const oracle_box *box);

bool oracle_makes_pair(const oracle_box *a, const oracle_box *b);
size_t oracle_count_pairs(const oracle *o);

/* Compares with the contacts of the last call, in order. The caller frees *out with free(). */
size_t oracle_contacts(oracle *o, bs_contact **out);
/* Those of them that begin or end. The caller frees *out, too. */
size_t oracle_changes(const bs_contact *all, size_t n, bs_contact **out);

bool oracle_passes(const bs_filter *filter, const oracle_box *box);
void oracle_query(const oracle *o, const bs_rect *r, const bs_filter *filter, oracle_list *out);
void oracle_circle(const oracle *o, const double centre[DIM], double radius,
                   const bs_filter *filter, oracle_list *out);
void oracle_nearest(const oracle *o, const double point[DIM], size_t k, const bs_filter *filter,
                    double max_distance, oracle_list *out);
/* All hits by t; at equal t faces come before edges and corners; then by insertion. */
void oracle_cast(const oracle *o, const bs_rect *from, const double motion[DIM],
                 const bs_filter *filter, oracle_hits *out);

/*
 * Adds what stops a point between two boxes, and sets the sides at corners. Where has_shape[i] is
 * true, box i has a shape of its own; NULL: none has.
 */
void oracle_add_seams(const oracle *o, const bool *has_shape, const bs_rect *from,
                      const double motion[DIM], const bs_filter *filter, oracle_hits *out);

/* Pushes the box out of everything that it overlaps; returns the number of pushes. */
uint32_t oracle_resolve(oracle *o, oracle_box *box, const bs_filter *filter, double push[DIM]);

#endif
