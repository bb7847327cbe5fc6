/* ids.c: checks which indices are free. */
#include <stdlib.h>

#include "checkers.h"

bool bs_ids_are_right(const bs_ids *ids, bool (*has_owner)(const void *of, uint32_t index),
                      const void *of) {
    bool *listed = calloc((size_t)ids->used + 1, sizeof *listed);
    bool right = listed != NULL && ids->idle <= ids->used;
    for (uint32_t n = 0; right && n < ids->idle; n++) {
        uint32_t index = ids->free[n];
        right = index < ids->used && !listed[index];
        listed[right ? index : 0] = true;
    }
    for (uint32_t i = 0; right && i < ids->used; i++) {
        bool is_free = ids->generation[i] < BS_GENERATIONS_END && !has_owner(of, i);
        right = listed[i] == is_free;
    }
    free(listed);
    return right;
}
