/*
 * rules.c: the response of a moving box to another one, and the sides that are solid; from layers.
 */
#include "motion.h"

bs_rules bs_rules_default(void) {
    return (bs_rules){.ignore = BS_NO_BOX, .to_pairs = BS_SLIDE};
}

/* The first response whose mask has a bit of the layer, or BS_PASS. */
static inline bs_response first_of(const uint64_t mask[BS_RESPONSES], uint64_t layer) {
#define ORDERED(id, number, order, ...) [(order)-1] = BS_##id,
    static const bs_response in_order[] = {BS_RESPONSE_ROWS(ORDERED)};
#undef ORDERED
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
        if ((layer & mask[in_order[i]]) != 0) {
            return in_order[i];
        }
    }
    return BS_PASS;
}

bs_response bs_rules_response(const bs_world *w, const bs_rules *rules, uint32_t self,
                              uint32_t other) {
    bool skipped = rules->skips != NULL && rules->skips[other] != 0;
    if (other == self || other == rules->ignore || skipped || bs_list_has(rules->except, other)) {
        return BS_PASS;
    }
    bs_response response =
        rules->ask != NULL ? BS_SLIDE : first_of(rules->mask, bs_layer_bits(w, other));
    if (response == BS_PASS && bs_world_layers_meet(w, self, other)) {
        response = rules->to_pairs;
    }
    return response != BS_PASS && bs_is_sensed(w, self, other) ? BS_CROSS : response;
}

bool bs_is_one_way(const bs_world *w, uint32_t box) {
    bool any = false;
    for (int k = 0; w->conduct != NULL && k < DIM; k++) {
        any |= w->conduct[box].one_way[k] != 0;
    }
    return any;
}

bool bs_is_solid_at(const bs_world *w, uint32_t box, bs_box_side side) {
    return !bs_is_one_way(w, box) || w->conduct[box].one_way[side.axis] == side.sign;
}

bool bs_are_solid_at(const bs_world *w, uint32_t a, uint32_t b, const double normal[DIM],
                     bool inside) {
    double back[DIM];
    bs_negate(normal, back);
    return (!bs_is_one_way(w, a) && !bs_is_one_way(w, b)) ||
           (!inside && bs_is_solid_toward(w, b, normal) && bs_is_solid_toward(w, a, back));
}

bool bs_is_solid_toward(const bs_world *w, uint32_t box, const double normal[DIM]) {
    double along = 0;
    for (int k = 0; w->conduct != NULL && k < DIM; k++) {
        along += normal[k] * w->conduct[box].one_way[k];
    }
    return !bs_is_one_way(w, box) || along > 0.5;
}
