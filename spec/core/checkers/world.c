/* world.c: checks a world: its counts, its columns, its pairs, and its back ends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checkers.h"
#include "world/world_parts.h"

static bool is_taken(const void *world, uint32_t index) {
    return bs_world_is_taken(world, index);
}

/* Whether the first of the kept pairs are calm, as pairs.c has it. */
static const char *check_calm(const bs_world *w) {
    if (w->all_changed) {
        return NULL; /* the list is void */
    }
    if (w->calm > w->pairs.n) {
        return "world: more pairs are calm than there are";
    }
    unsigned flags = 0;
    for (size_t i = 0; i < w->calm; i++) {
        flags |= (unsigned)w->flags[w->pairs.at[i].a] | w->flags[w->pairs.at[i].b];
    }
    bool restless = (flags & BS_RESTLESS) != 0;
    return restless ? "world: a pair of a restless box stands among the calm ones" : NULL;
}

/* What boxes do when they meet others, and that which nobody has is the default. */
static const char *check_conduct(const bs_world *w) {
    size_t responders = 0;
    if (w->conduct != NULL && w->conduct_cap < bs_world_span(w)) {
        return "world: there is no room for the conduct of all boxes";
    }
    for (size_t box = 0; w->conduct != NULL && box < w->conduct_cap; box++) {
        const bs_conduct *conduct = &w->conduct[box];
        bool alive = box < w->ids.used && bs_world_alive(w, (uint32_t)box);
        if (!alive && bs_conduct_unusual(conduct) != 0) {
            return "world: an index without a box has a conduct";
        }
        if (!bs_conduct_is_valid(conduct)) {
            return "world: a box has an invalid conduct";
        }
        responders += conduct->response != BS_PASS;
    }
    return responders != w->state.responders ? "world: a count of responders is wrong" : NULL;
}

/* Whether it is the circle that follows from its rect alone. */
static bool is_centred(const bs_kept_shape *kept) {
    bs_shape circle;
    bs_shape_set_centred(&circle, &kept->shape.rect);
    return kept->shape.kind == BS_CIRCLE &&
           memcmp(circle.centre, kept->shape.centre, sizeof circle.centre) == 0;
}

/* The flags of boxes and the column of shapes say the same. */
static const char *check_shapes(const bs_world *w) {
    size_t shaped = 0;
    if (w->shape != NULL && w->shape_cap < bs_world_span(w)) {
        return "world: there is no room for the shapes of all boxes";
    }
    for (size_t box = 0; w->shape != NULL && box < w->shape_cap; box++) {
        bool has =
            box < w->ids.used && bs_world_alive(w, (uint32_t)box) && bs_has_shape(w, (uint32_t)box);
        if (has != (w->shape[box].given != NULL) || (!has && w->shape[box].object != NULL)) {
            return "world: a box and its shape do not agree";
        }
        if (has && is_centred(w->shape[box].given) != ((w->flags[box] & BS_IS_CENTRED) != 0)) {
            return "world: where the centre of a circle is, is not known right";
        }
        shaped += has;
    }
    return shaped != w->state.shaped ? "world: a count of shapes is wrong" : NULL;
}

/* Each index is mentioned as often as contacts that have been reported have it. */
static const char *check_mentions(const bs_world *w) {
    uint32_t *left = calloc((size_t)w->ids.used + 1, sizeof *left);
    bool right = left != NULL;
    for (uint32_t i = 0; right && i < w->ids.used; i++) {
        left[i] = w->mentions != NULL ? w->mentions[i] : 0;
    }
    for (size_t i = 0; right && i < w->touching.n; i++) {
        left[w->touching.at[i].a]--;
        left[w->touching.at[i].b]--;
    }
    for (size_t i = 0; right && i < w->heard.n; i++) {
        left[w->heard.at[i].pair.a]--;
        left[w->heard.at[i].pair.b]--;
    }
    for (uint32_t i = 0; right && i < w->ids.used; i++) {
        right = left[i] == 0;
    }
    free(left);
    return right ? NULL : "world: a count of mentions is wrong";
}

const char *bs_world_check(const bs_world *w) {
    size_t count[BS_PARTS] = {0, 0};
    size_t layered = 0;
    for (uint32_t box = 0; box < w->ids.used; box++) {
        if (bs_world_alive(w, box)) {
            count[bs_world_is_static(w, box) ? BS_STATIC : BS_DYNAMIC]++;
            layered += !bs_layers_are_default(w->layers[box]);
            if (!bs_rect_is_box(&w->rect[box])) {
                return "world: a box has an invalid rect";
            }
        }
    }
    if (count[BS_DYNAMIC] + count[BS_STATIC] != w->state.count || layered != w->state.layered) {
        return "world: a count is wrong";
    }
    if (!bs_ids_are_right(&w->ids, is_taken, w)) {
        return "world: the list of free indices is broken";
    }
    if (w->room < bs_world_span(w) || w->rect_cap < w->room || w->layers_cap < w->room) {
        return "world: there is no room for all boxes";
    }
    const char *wrong = check_calm(w);
    wrong = wrong != NULL ? wrong : check_conduct(w);
    wrong = wrong != NULL || w->movement == NULL ? wrong : w->movement->check(w);
    wrong = wrong != NULL ? wrong : check_shapes(w);
    wrong = wrong != NULL ? wrong : check_mentions(w);
    if (wrong != NULL) {
        return wrong;
    }
    for (int i = 0; i < BS_PARTS; i++) {
        if (w->part[i]->count != count[i]) {
            return "world: a back end has another number of boxes";
        }
        const char *broken = bs_backend_check(w->part[i]);
        if (broken != NULL) {
            return broken;
        }
    }
    return NULL;
}

#ifdef BS_CHECKS
/* Large worlds are checked now and then. */
void bs_world_examine(bs_world *w) {
    enum { SMALL = 64, EVERY = 64 };
    w->examined++;
    assert(w->state.count > SMALL && w->examined % EVERY != 0 ? true : bs_world_check(w) == NULL);
}
#endif
