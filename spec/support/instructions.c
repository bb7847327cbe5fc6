/*
 * instructions.c: functions for Lua, without arguments, by which a process under callgrind says
 * what to count. Each stop writes a file with the number of instructions since the start.
 */
#include <valgrind/callgrind.h>

struct lua_State;

int instructions_start(struct lua_State *L);
int instructions_start(struct lua_State *L) {
    (void)L;
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    return 0;
}

int instructions_stop(struct lua_State *L);
int instructions_stop(struct lua_State *L) {
    (void)L;
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
    return 0;
}
