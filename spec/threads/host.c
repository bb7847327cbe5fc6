/*
 * host.c: eight threads, each with its own Lua states, which all run the same script.
 *
 *     host SECONDS SCRIPT ROUNDS
 *
 * Until the time is over, each thread makes a state, calls the script with the number ROUNDS, and
 * closes the state. All threads must print the same. Build this program and the modules of the
 * script with the thread sanitizer.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

enum { THREADS = 8, LONGEST = 200 };

typedef struct job {
    const char *script;
    lua_Integer rounds;
    time_t end;
    unsigned runs;
    char printed[LONGEST];
    const char *error; /* NULL for none */
} job;

/* Replaces Lua's print. It keeps the first line, and later lines must be the same. */
static int keep(lua_State *L) {
    job *j = lua_touserdata(L, lua_upvalueindex(1));
    const char *line = luaL_checkstring(L, 1);
    if (j->printed[0] == 0) {
        snprintf(j->printed, sizeof j->printed, "%s", line);
    } else if (strcmp(j->printed, line) != 0) {
        j->error = "a later run gives something else";
    }
    return 0;
}

static void run_script(job *j) {
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        j->error = "no memory";
        return;
    }
    luaL_openlibs(L);
    lua_pushlightuserdata(L, j);
    lua_pushcclosure(L, keep, 1);
    lua_setglobal(L, "print");
    int status = luaL_loadfile(L, j->script);
    lua_pushinteger(L, j->rounds);
    if (status != 0 || lua_pcall(L, 1, 0, 0) != 0) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1 - (status != 0)));
        j->error = "the script fails";
    }
    lua_close(L);
    j->runs++;
}

/*
 * A state that keeps the modules loaded while the threads run. Otherwise the dynamic loader would
 * load and unload them all the time, under a lock that the sanitizer does not see.
 */
static lua_State *hold_modules(void) {
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        abort();
    }
    luaL_openlibs(L);
    if (luaL_dostring(L, "require('broadside.d2') require('broadside.d3')") != 0) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        exit(2);
    }
    return L;
}

static void *run_thread(void *argument) {
    job *j = argument;
    do {
        run_script(j);
    } while (j->error == NULL && time(NULL) < j->end);
    return NULL;
}

int main(int argc, char **argv) {
    static job jobs[THREADS];
    pthread_t thread[THREADS];
    if (argc != 4) {
        fprintf(stderr, "usage: host SECONDS SCRIPT ROUNDS\n");
        return 2;
    }
    lua_State *holder = hold_modules();
    for (int i = 0; i < THREADS; i++) {
        jobs[i].script = argv[2];
        jobs[i].rounds = atol(argv[3]);
        jobs[i].end = time(NULL) + atol(argv[1]);
        if (pthread_create(&thread[i], NULL, run_thread, &jobs[i]) != 0) {
            return 2;
        }
    }
    unsigned runs = 0;
    const char *error = NULL;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        runs += jobs[i].runs;
        error = jobs[i].error != NULL ? jobs[i].error : error;
        if (strcmp(jobs[i].printed, jobs[0].printed) != 0) {
            error = "two threads give different answers";
        }
    }
    lua_close(holder);
    printf("%d threads, %u runs of %s: %s\n", THREADS, runs, argv[2],
           error != NULL ? error : jobs[0].printed);
    return error != NULL;
}
