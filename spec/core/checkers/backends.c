/* backends.c: checks back ends of any type. */
#include <string.h>

#include "broad/auto.h"
#include "checkers.h"

static const char *check(const bs_backend *b, bool behind);

static const char *check_auto(const bs_auto *a, bool behind) {
    const size_t count = a->base.count;
    if (!behind && (a->tree->count != count || (a->grid != NULL && a->grid->count != count))) {
        return "auto: a part has another number of boxes";
    }
    const char *broken = check(a->tree, behind || a->tree->behind);
    return broken != NULL || a->grid == NULL ? broken : check(a->grid, behind || a->grid->behind);
}

static const char *check(const bs_backend *b, bool behind) {
    const char *name = b->type->name;
    if (strcmp(name, "auto") == 0) {
        return check_auto((const bs_auto *)b, behind);
    }
    if (strcmp(name, "grid") == 0) {
        return bs_grid_check(b, behind);
    }
    if (strcmp(name, "tree") == 0) {
        return bs_tree_check(b, behind);
    }
    bool is_sweep = strcmp(name, "sweep") == 0 || strcmp(name, "brute") == 0;
    return is_sweep ? bs_sweep_check(b, behind) : NULL;
}

const char *bs_backend_check(const bs_backend *b) {
    const bs_changes *c = &b->changes;
    bool noted = c->anew || c->all_moved || c->replaced.n > 0 || c->moved.n > 0;
    if ((noted && !b->behind) || ((c->anew || c->all_moved) && c->moved.n > 0)) {
        return "back end: what has changed is not noted right";
    }
    return check(b, b->behind);
}
