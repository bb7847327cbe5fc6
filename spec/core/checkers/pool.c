/* pool.c: checks a pool: its movers, its slots, its emitters, its counts. */
#include "checkers.h"
#include "pool/pool_parts.h"

static bool accelerates(const bs_pool *p, uint32_t mover) {
    bool any = false;
    for (int k = 0; k < DIM; k++) {
        any = any || p->acceleration[k][mover] != 0;
    }
    return any;
}

/* Checks a mover that is live, or ended in the last step. */
static const char *check_mover(const bs_pool *p, uint32_t mover) {
    bs_rect rect = bs_mover_rect(p, mover);
    if (p->slot[mover] >= p->ids.used || p->index[p->slot[mover]] != mover) {
        return "pool: a mover and its slot do not agree";
    }
    if (!bs_rect_is_query(&rect)) {
        return "pool: a mover's box is not finite";
    }
    if (mover >= p->state.count && p->still[mover]) {
        return "pool: a mover has ended without having moved";
    }
    return NULL;
}

static const char *check_movers(const bs_pool *p) {
    uint32_t accelerating = 0;
    uint32_t carriers = 0;
    uint32_t i = bs_pool_next_flown(p, 0);
    for (; i < p->capacity; i = bs_pool_next_flown(p, i + 1)) {
        const char *broken = check_mover(p, i);
        if (broken != NULL) {
            return broken;
        }
        accelerating += i < p->state.count && accelerates(p, i);
        carriers += i < p->state.count && p->model[i] != NULL;
    }
    bool right = accelerating == p->state.accelerating && carriers == p->state.carriers &&
                 p->state.totals.spawned - p->state.totals.freed == p->state.count;
    return right ? NULL : "pool: a count is wrong";
}

/* What movers have met is in order, each meeting once. */
static bool is_in_order(const bs_meets *list) {
    bool right = list->n <= list->cap;
    for (size_t i = 1; right && i < list->n; i++) {
        right = bs_meet_comes_before(&list->at[i - 1], &list->at[i]);
    }
    return right;
}

static const char *check_mets(const bs_pool *p) {
    bool right = p->mets <= p->met_cap;
    for (size_t i = 0; right && i < p->mets; i++) {
        right = is_in_order(&p->met[i].now) && is_in_order(&p->met[i].before);
    }
    return right ? NULL : "pool: what was met is out of order";
}

static bool has_mover(const void *pool, uint32_t slot) {
    const bs_pool *p = pool;
    return p->index[slot] != BS_NO_BOX;
}

const char *bs_pool_check(const bs_pool *p) {
    if ((uint64_t)p->state.count + p->state.ended > p->capacity) {
        return "pool: there are more movers than there is room for";
    }
    if (!bs_ids_are_right(&p->ids, has_mover, p)) {
        return "pool: the list of free slots is broken";
    }
    uint32_t owned = 0;
    for (uint32_t slot = 0; slot < p->ids.used; slot++) {
        owned += p->index[slot] != BS_NO_BOX;
    }
    if (owned != p->state.count + p->state.ended) {
        return "pool: a slot is lost";
    }
    for (size_t i = 0; i < p->state.emitters; i++) {
        if (i > 0 && p->emitter[i].number <= p->emitter[i - 1].number) {
            return "pool: the emitters are out of order";
        }
    }
    const char *broken = check_mets(p);
    return broken != NULL ? broken : check_movers(p);
}

#ifdef BS_CHECKS
/* Large pools are checked now and then. */
void bs_pool_examine(const bs_pool *p) {
    enum { SMALL = 64, EVERY = 64 };
    assert(p->capacity > SMALL && p->state.now % EVERY != 0 ? true : bs_pool_check(p) == NULL);
}
#endif
