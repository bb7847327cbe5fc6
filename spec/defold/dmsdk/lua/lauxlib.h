/* lauxlib.h: stands for Defold's. */
#include_next <lauxlib.h>
