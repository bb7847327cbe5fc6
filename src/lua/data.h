/*
 * data.h: the memory of Data, for drawing: userdata such as LÖVE's, with methods getPointer and
 * getSize that are C functions.
 */
#ifndef BSL_DATA_H
#define BSL_DATA_H

#include "args.h"

#pragma GCC visibility push(hidden)

/*
 * The memory of the Data at `arg`, and its size in bytes. Calls its methods, and so may run Lua
 * code.
 */
float *bsl_check_data(lua_State *L, int arg, double *bytes);

/* That so many bytes are as much as `need`. */
void bsl_check_data_size(lua_State *L, int arg, double bytes, size_t need);

#pragma GCC visibility pop

#endif
