/*
 * conduct.h: how a box behaves: what it does when it meets another one, and properties that most
 * boxes leave at their defaults. Each response and each property has one row below. What follows
 * from the row of a property: its field in bs_conduct, what a new box has, its checks (conduct.c),
 * its bytes (world_bytes.c); in Lua its option of `insert` and its methods of Box.
 */
#ifndef BS_CONDUCT_H
#define BS_CONDUCT_H

#include <math.h>

#include "geometry.h"

BS_API

/* How the way of a box goes on at a side that it has met. */
typedef enum bs_turn {
    BS_GOES_ON, /* As if nothing were there. */
    BS_ENDS,    /* Not at all; along the side it takes the velocity of the other. */
    BS_SLIDES,  /* Without what leads into the side. */
    BS_REFLECTS /* What leads into the side leads out of it. */
} bs_turn;

/*
 * What a moving box does when it meets another one. A row has the name; the number that it has in
 * snapshots; its place in the order in which masks count; its name in Lua; how the way goes on;
 * whether bodies may have it; and what it is, as types/ says it. What follows from a row: the names
 * that filters and options take, their checks and messages, and how moves and steps answer it.
 * After a change: make types.
 */
#define BS_RESPONSE_ROWS(ROW)                                                                      \
    ROW(SLIDE, 3, 4, "slide", SLIDES, true, "it goes on along the side")                           \
    ROW(TOUCH, 1, 1, "touch", ENDS, true, "it stops")                                              \
    ROW(BOUNCE, 2, 2, "bounce", REFLECTS, true, "it bounces off the side")                         \
    ROW(PUSH, 5, 3, "push", SLIDES, false, "it moves the other one ahead, and then slides")        \
    ROW(CROSS, 4, 5, "cross", GOES_ON, true, "it goes on, and the other one is reported")

typedef enum bs_response {
    BS_PASS, /* It ignores the other. */
#define NUMBERED(id, number, ...) BS_##id = (number),
    BS_RESPONSE_ROWS(NUMBERED)
#undef NUMBERED
} bs_response;
enum {
    BS_RESPONSES = 6, /* With BS_PASS. */
#define SOLID(id, number, order, name, turn, ...) | (BS_##turn != BS_GOES_ON) << (number)
    BS_SOLID_RESPONSES = 0 BS_RESPONSE_ROWS(SOLID), /* As bits. */
#undef SOLID
#define OF_BODIES(id, number, order, name, turn, bodies, ...) | (bodies) << (number)
    BS_BODY_RESPONSES = 0 BS_RESPONSE_ROWS(OF_BODIES)
#undef OF_BODIES
};

/* Whether it stops the box, on one axis at least. */
static inline bool bs_is_solid_response(bs_response response) {
    return (BS_SOLID_RESPONSES >> response & 1) != 0;
}

/* Whether a body may have it. */
static inline bool bs_is_body_response(unsigned response) {
    return response == BS_PASS ||
           (response < BS_RESPONSES && (BS_BODY_RESPONSES >> response & 1) != 0);
}

/* The normal of a side along an axis: -1 or 1 there, 0 elsewhere; or 0 on all axes: none. */
typedef signed char bs_side[DIM];

/* The bounce of a box that was given none. */
#define BS_BOUNCE_UNSET (-1.0)

/* A number for the length of a vector, and then BS_OF_LENGTH and zeros; or one for each axis. */
typedef double bs_by_axis[DIM];
#define BS_OF_LENGTH (-1.0)
#define BS_NO_DRAG                                                                                 \
    { 0, BS_OF_LENGTH }
#define BS_NO_LIMIT                                                                                \
    { HUGE_VAL, BS_OF_LENGTH }

/* Which values a property may have. */
typedef enum bs_property_kind {
    BS_NUMBER,   /* double, finite */
    BS_AMOUNT,   /* double, finite, >= 0 */
    BS_POSITIVE, /* double, > 0; it may be infinite */
    BS_KEPT,     /* double, finite, >= 0; or BS_BOUNCE_UNSET */
    BS_AMOUNTS,  /* bs_by_axis of amounts */
    BS_LIMITS,   /* bs_by_axis of numbers > 0, which may be infinite */
    BS_REACTION, /* bs_response, a response that steps have */
    BS_SIDE,     /* bs_side */
    BS_FLAG      /* bool */
} bs_property_kind;

/*
 * A row has the field, its type, kind and default; its name as an option in Lua, the names of its
 * methods there, and what it is, as types/ says it. An AND is read and set by the methods of the
 * row above it. After a change: make names types.
 */
#define BS_PROPERTIES(ROW, AND)                                                                    \
    ROW(double, KEPT, bounce, BS_BOUNCE_UNSET, "bounce", "getBounce", "setBounce",                 \
        "how much closing speed a hit gives back")                                                 \
    ROW(double, POSITIVE, mass, 1, "mass", "getMass", "setMass", "the mass of a body")             \
    ROW(double, AMOUNT, friction, 0, "friction", "getFriction", "setFriction",                     \
        "the part of a hit's impulse that may act along the side")                                 \
    ROW(bs_by_axis, AMOUNTS, drag, BS_NO_DRAG, "drag", "getDrag", "setDrag",                       \
        "the speed lost per time")                                                                 \
    AND(double, AMOUNT, damping, 0, "damping", "the part of the speed lost per time")              \
    ROW(bs_by_axis, LIMITS, max_speed, BS_NO_LIMIT, "maxSpeed", "getMaxSpeed", "setMaxSpeed",      \
        "the highest speed")                                                                       \
    ROW(double, NUMBER, gravity_scale, 1, "gravityScale", "getGravityScale", "setGravityScale",    \
        "the factor for gravity in world:step")                                                    \
    ROW(bs_response, REACTION, response, BS_PASS, "response", "getResponse", "setResponse",        \
        "the response in world:step; without one it flies, and nothing stops it")                  \
    ROW(bs_side, SIDE, one_way, {0}, "oneWay", "getOneWay", "setOneWay",                           \
        "the normal of the only side that is solid; without one all are")                          \
    ROW(bool, FLAG, sensor, false, "sensor", "isSensor", "setSensor",                              \
        "whether it is a sensor: movement reports it, and it never blocks")

typedef struct bs_conduct {
#define FIELD(type, kind, name, ...) type name;
    BS_PROPERTIES(FIELD, FIELD)
#undef FIELD
} bs_conduct;

/* Whether there is one number, for the length. */
static inline bool bs_is_of_length(const double *x) {
    return x[1] == BS_OF_LENGTH;
}

static inline void bs_one_by_axis(double *out, double x) {
    for (int k = 1; k < DIM; k++) {
        out[k] = k == 1 ? BS_OF_LENGTH : 0;
    }
    out[0] = x;
}

/* A property: where its value is in a bs_conduct, and whether it is an AND. */
typedef struct bs_property {
    bs_property_kind kind;
    size_t at;
    bool goes_along;
} bs_property;

enum {
#define NUMBERED(type, kind, name, ...) BS_PROPERTY_##name,
    BS_PROPERTIES(NUMBERED, NUMBERED)
#undef NUMBERED
        BS_PROPERTY_COUNT
};

static const bs_property bs_properties[] = {
#define ROW(type, kind, name, ...) {BS_##kind, offsetof(bs_conduct, name), false},
#define AND(type, kind, name, ...) {BS_##kind, offsetof(bs_conduct, name), true},
    BS_PROPERTIES(ROW, AND)
#undef ROW
#undef AND
};

BS_API_END

#endif
