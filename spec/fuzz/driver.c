/*
 * driver.c: runs the fuzz target without libFuzzer.
 *
 *      fuzz2 ops=1000000 [seed=1] [check=1] [seconds=0] [keep=FOLDER]    random inputs
 *      fuzz2 [tell=1] FILE...                  these inputs; tell=1 names each operation
 *      fuzz2 hash=1 ops=100000                 a hash of all answers
 *      fuzz2 reduce FILE     cuts operations out of FILE as long as it still fails
 *
 * When an input fails, it is written to a file, and the name of the file is printed.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if !defined(_WIN32)
#include <sys/wait.h>
#endif

#include "bytes.h"
#include "target.h"

extern unsigned trial_check_every;
extern bool trial_hashes;

enum { MOST_RECORDS = 3000, MOST_BYTES = HEADER + MOST_RECORDS * RECORD, LONGEST_FILE = 1 << 20 };

typedef struct input {
    uint8_t data[LONGEST_FILE];
    size_t size;
} input;

/* --- random inputs -------------------------------------------------------------------------- */

typedef struct options {
    uint64_t ops;
    uint64_t seed;
    uint64_t seconds; /* 0: no limit */
    const char *keep; /* a folder for inputs that fail */
} options;

static input now; /* the input that runs, for the handler below */
static char name_of_now[512];

/* Writes the input that aborts to a file, with calls that a signal handler may make. */
static void keep_input(int signal_number) {
    (void)signal_number;
    FILE *file = fopen(name_of_now, "wb");
    if (file != NULL) {
        fwrite(now.data, 1, now.size, file);
        fclose(file);
        fprintf(stderr, "kept as %s\n", name_of_now);
    }
    _exit(1);
}

/* Inputs are mostly short. Their length also depends on the seed. */
static void make_input(uint64_t seed) {
    uint64_t state = seed;
    uint64_t most = (mix(&state) & 3) != 0 ? MOST_RECORDS / 6 : MOST_RECORDS;
    now.size = HEADER + (size_t)(mix(&state) % most + 1) * RECORD;
    for (size_t i = 0; i < now.size; i += sizeof state) {
        uint64_t bits = mix(&state);
        memcpy(now.data + i, &bits, sizeof bits);
    }
}

static void report(const options *o, uint64_t inputs, double seconds) {
    printf("DIM %d, seed %" PRIu64 ", checkers every %u: %" PRIu64 " operations in %" PRIu64
           " inputs, %.0f s, no mismatch\n",
           DIM, o->seed, trial_check_every, fuzz_operations(), inputs, seconds);
    fflush(stdout);
}

static double seconds_since(time_t start) {
    return difftime(time(NULL), start);
}

static void run_random(const options *o) {
    enum { REPORTS = 60 };
    time_t start = time(NULL);
    double told = 0;
    uint64_t inputs = 0;
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    for (; fuzz_operations() < o->ops; inputs++) {
        uint64_t seed = o->seed + inputs;
        snprintf(name_of_now, sizeof name_of_now, "%s/mismatch-d%d-%" PRIu64 ".bin", o->keep, DIM,
                 seed);
        make_input(seed * 0x9e3779b97f4a7c15u);
        LLVMFuzzerTestOneInput(now.data, now.size);
        double passed = inputs % 64 == 0 ? seconds_since(start) : told;
        if (!trial_hashes && passed >= told + REPORTS) { /* a hash is printed alone */
            told = passed;
            report(o, inputs, passed);
        }
        if (o->seconds != 0 && passed >= (double)o->seconds) {
            break;
        }
    }
    if (!trial_hashes) {
        report(o, inputs, seconds_since(start));
    }
}

/* --- files ---------------------------------------------------------------------------------- */

static void read_input(const char *name, input *in) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        exit(2);
    }
    in->size = fread(in->data, 1, sizeof in->data, file);
    fclose(file);
}

static void write_input(const char *name, const input *in) {
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(in->data, 1, in->size, file) != in->size || fclose(file) != 0) {
        perror(name);
        exit(2);
    }
}

/* Runs the input in a process of its own, as it may abort. */
#if defined(_WIN32)
static bool fails(const input *in) {
    (void)in;
    fprintf(stderr, "that needs fork()\n");
    exit(2);
}
#else
static bool fails(const input *in) {
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) != NULL) {
            alarm(20);
            LLVMFuzzerTestOneInput(in->data, in->size);
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status != 0;
}
#endif

/*
 * Cuts out halves, quarters and so on, down to single operations, as long as the input still fails.
 */
static void reduce(const char *name) {
    static input whole, less;
    read_input(name, &whole);
    if (!fails(&whole)) {
        fprintf(stderr, "%s does not fail\n", name);
        exit(2);
    }
    for (size_t chunk = (whole.size - HEADER) / RECORD; chunk > 0; chunk /= 2) {
        size_t step = chunk * RECORD;
        for (size_t at = HEADER; at < whole.size;) {
            size_t end = at + step < whole.size ? at + step : whole.size;
            memcpy(less.data, whole.data, at);
            memcpy(less.data + at, whole.data + end, whole.size - end);
            less.size = whole.size - (end - at);
            if (fails(&less)) {
                whole = less;
            } else {
                at = end;
            }
        }
    }
    write_input(name, &whole);
    printf("%s: %zu operations are left\n", name, (whole.size - HEADER) / RECORD);
}

/* --- all ------------------------------------------------------------------------------------ */

static bool read_option(const char *argument, options *o) {
    const char *value = strchr(argument, '=');
    if (value == NULL) {
        return false;
    }
    size_t length = (size_t)(value++ - argument);
    uint64_t number = strtoull(value, NULL, 10);
    if (strncmp(argument, "ops", length) == 0) {
        o->ops = number;
    } else if (strncmp(argument, "seed", length) == 0) {
        o->seed = number;
    } else if (strncmp(argument, "seconds", length) == 0) {
        o->seconds = number;
    } else if (strncmp(argument, "check", length) == 0) {
        trial_check_every = (unsigned)number;
    } else if (strncmp(argument, "hash", length) == 0) {
        trial_hashes = number != 0;
    } else if (strncmp(argument, "tell", length) == 0) {
        fuzz_tell = number != 0;
    } else if (strncmp(argument, "keep", length) == 0) {
        o->keep = value;
    }
    return true;
}

int main(int argc, char **argv) {
    options o = {0, 1, 0, "."};
    if (argc == 3 && strcmp(argv[1], "reduce") == 0) {
        reduce(argv[2]);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (!read_option(argv[i], &o)) {
            read_input(argv[i], &now);
            LLVMFuzzerTestOneInput(now.data, now.size);
        }
    }
    if (o.ops > 0) {
        run_random(&o);
    }
    if (trial_hashes) {
        printf("DIM %d: %" PRIu64 " operations, hash %016" PRIx64 "\n", DIM, fuzz_operations(),
               fuzz_hash());
        return 0;
    }
    uint64_t count;
    for (size_t i = 0; fuzz_operation(i, &count) != NULL; i++) {
        printf("%s%s %" PRIu64, i == 0 ? "    " : ", ", fuzz_operation(i, &count), count);
    }
    printf("\n");
    return 0;
}
