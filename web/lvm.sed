# Makes Lua's interpreter count calls and the jumps of loops, so that program.c can look at the
# clock. A count hook would make programs three times as slow, because it makes Lua leave its fast
# path at every instruction.
s/^#include "lvm.h"$/&\
extern int web_left;\
void web_look(lua_State *L);\
#define web_count(L) ((void)(--web_left >= 0 || (web_look(L), 0)))/
s/^ startfunc:$/& web_count(L);/
s/^#define dojump(ci,i,e)[[:space:]]*{/& web_count(L);/
s/updatetrap(ci);  \/\* allows a signal to break the loop \*\//web_count(L); &/
s/^ *l_tforcall:$/& web_count(L);/
