/*
 * hints.h: what messages say of a name that is not there: which one may be meant, and which there
 * are. All of it runs where an error is raised, and nowhere else.
 */
#ifndef BSL_HINTS_H
#define BSL_HINTS_H

#include "compat.h"

#pragma GCC visibility push(hidden)

/* The name that is nearest to one that is not there, of those that it has been compared with. */
typedef struct bsl_near {
    const char *name;
    const char *found; /* NULL: none is near */
    size_t distance;   /* of the one that is found; else how far a name may be */
} bsl_near;

bsl_near bsl_near_to(const char *name);
void bsl_compare(bsl_near *near, const char *candidate);

/* Adds a name to the list of names that is the string at the top of the stack. */
void bsl_add_name(lua_State *L, const char *name);

/*
 * __index of a table of methods, which is asked for the names that are not in it, and __newindex of
 * its userdata: raises an error. Upvalues: the class as in bsl_groups, and the type that it is of.
 */
int bsl_no_field(lua_State *L);

/*
 * __index of the rows that tell what was met, which have all their fields. Raises an error about a
 * name, unless rows of another kind have it: that is nil, and so is what is no name, as ipairs asks
 * for 1. Upvalues: nil, and what a row is called.
 */
int bsl_no_hit_field(lua_State *L);

#pragma GCC visibility pop

#endif
