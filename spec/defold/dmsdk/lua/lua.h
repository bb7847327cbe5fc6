/* lua.h: stands for Defold's. */
#include_next <lua.h>
