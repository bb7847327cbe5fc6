/*
 * find_once.c: looks back ends up only once, for long runs (the linker's --wrap puts this before
 * the core's own function). On a virtual machine, asking the processor for its features takes as
 * long as hundreds of queries, and auto asks whenever it is made.
 */
#include <string.h>

#include "broad/backend.h"

#define REAL BS_NAMED(__real_bs_backend_find)
#define WRAP BS_NAMED(__wrap_bs_backend_find)
const bs_backend_type *REAL(const char *name);
const bs_backend_type *WRAP(const char *name);

const bs_backend_type *WRAP(const char *name) {
    enum { MOST = 8 };
    static const bs_backend_type *found[MOST];
    size_t i = 0;
    for (; i < MOST - 1 && found[i] != NULL; i++) {
        if (strcmp(found[i]->name, name) == 0) {
            return found[i];
        }
    }
    found[i] = REAL(name);
    return found[i];
}
