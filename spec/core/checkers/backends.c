/* backends.c: checks back ends of any type. */
#include <string.h>

#include "broad/auto.h"
#include "checkers.h"

static const char *check_auto(const bs_auto *a) {
    const size_t count = a->base.count;
    if (a->tree->count != count || (a->grid != NULL && a->grid->count != count)) {
        return "auto: a part has another number of boxes";
    }
    const char *broken = bs_backend_check(a->tree);
    return broken != NULL || a->grid == NULL ? broken : bs_backend_check(a->grid);
}

const char *bs_backend_check(const bs_backend *backend) {
    const char *name = backend->type->name;
    if (strcmp(name, "auto") == 0) {
        return check_auto((const bs_auto *)backend);
    }
    if (strcmp(name, "grid") == 0) {
        return bs_grid_check(backend);
    }
    if (strcmp(name, "tree") == 0) {
        return bs_tree_check(backend);
    }
    return bs_sweep_check(backend);
}
