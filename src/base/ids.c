/* ids.c: which indices are in use, and of which generation; also as bytes. */
#include "ids.h"

#include <string.h>

uint32_t bs_ids_take(bs_ids *ids) {
    if (ids->idle > 0) {
        return ids->free[--ids->idle];
    }
    ids->generation[ids->used] = BS_FIRST_GENERATION;
    return ids->used++;
}

void bs_ids_give_back(bs_ids *ids, uint32_t index) {
    assert(index < ids->used && ids->idle < ids->used);
    if (++ids->generation[index] < BS_GENERATIONS_END) { /* Otherwise it is retired. */
        ids->free[ids->idle++] = index;
    }
}

void bs_ids_reuse(bs_ids *ids, uint32_t index) {
    assert(index < ids->used && ids->generation[index] > BS_FIRST_GENERATION);
    if (ids->generation[index]-- == BS_GENERATIONS_END) {
        ids->free[ids->idle++] = index;
    }
}

bs_found bs_ids_find(const bs_ids *ids, bs_id id, uint32_t *index) {
    bs_id generation = id >> BS_INDEX_BITS;
    *index = bs_id_index(id);
    if (*index >= ids->used || generation < BS_FIRST_GENERATION ||
        generation > ids->generation[*index]) {
        return BS_NEVER;
    }
    return generation == ids->generation[*index] ? BS_FOUND : BS_REMOVED;
}

void bs_ids_copy(bs_ids *to, const bs_ids *from) {
    if (from->used > 0) { /* Otherwise there may be no arrays. */
        memcpy(to->generation, from->generation, from->used * sizeof *to->generation);
        memcpy(to->free, from->free, from->idle * sizeof *to->free);
    }
    to->used = from->used;
    to->idle = from->idle;
}

/* --- bytes ---------------------------------------------------------------------------------- */

void bs_ids_code_generations(bs_coder *c, bs_ids *ids) {
    for (uint32_t i = 0; i < ids->used && c->problem == NULL; i++) {
        bs_code_u32(c, &ids->generation[i]);
        bs_expect(c, ids->generation[i] >= BS_FIRST_GENERATION &&
                         ids->generation[i] <= BS_GENERATIONS_END);
    }
}

/* While indices are read, the generations of those that have been listed have this bit, too. */
#define LISTED 0x80000000u
static_assert(BS_GENERATIONS_END < LISTED, "no generation has that bit");

void bs_ids_code_free(bs_coder *c, bs_ids *ids, bool (*has_owner)(const void *of, uint32_t index),
                      const void *of) {
    uint32_t idle = 0;
    for (uint32_t i = 0; i < ids->used; i++) {
        idle += ids->generation[i] < BS_GENERATIONS_END && !has_owner(of, i);
    }
    ids->idle = idle;
    for (uint32_t n = idle; n-- > 0 && c->problem == NULL;) { /* In the order of giving out. */
        bs_code_u32(c, &ids->free[n]);
        uint32_t index = ids->free[n];
        bs_expect(c, index < ids->used && ids->generation[index] < BS_GENERATIONS_END &&
                         !has_owner(of, index));
        if (c->reads && c->problem == NULL) {
            ids->generation[index] |= LISTED;
        }
    }
    for (uint32_t i = 0; i < ids->used; i++) {
        ids->generation[i] &= ~LISTED;
    }
}
