/* lua.h: a stand-in for Defold's header. */
#include_next <lua.h>
