/* lauxlib.h: Defold's. */
#include <dmsdk/lua/lauxlib.h>
