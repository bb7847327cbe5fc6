/* lauxlib.h: a stand-in for Defold's header. */
#include_next <lauxlib.h>
