/* lua.h: Defold's. */
#include <dmsdk/lua/lua.h>
