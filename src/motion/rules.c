/* rules.c: what a moving box makes of another one: which response, and from which side. */
#include "motion.h"

bs_rules bs_rules_default(void) {
    bs_rules rules = {.ignore = BS_NO_BOX, .pairs = true};
    rules.mask[BS_SLIDE] = BS_ANY_LAYER;
    return rules;
}

/* Whether the other box matches what stands in a mask's place. */
static bool matches(const bs_world *w, uint64_t mask, uint32_t self, uint32_t other) {
    const uint64_t any_layer = 1ull << 32; /* a bit that only BS_ANY_LAYER has */
    if (mask == BS_PAIRS_ALONE) {
        return bs_world_layers_meet(w, self, other);
    }
    return ((w->layers[other].layer | any_layer) & mask) != 0;
}

bs_response bs_rules_response(const bs_world *w, const bs_rules *rules, uint32_t self,
                              uint32_t other) {
    bool skipped = rules->skips != NULL && rules->skips[other] != 0;
    if (other == self || other == rules->ignore || skipped) {
        return BS_PASS;
    }
    if (rules->pairs && !bs_world_layers_meet(w, self, other)) {
        return BS_PASS;
    }
    if (rules->ask) {
        return BS_UNKNOWN;
    }
    static const uint8_t first_to_last[] = {BS_TOUCH, BS_BOUNCE, BS_PUSH, BS_SLIDE, BS_CROSS};
    for (size_t i = 0; i < sizeof first_to_last; i++) {
        if (matches(w, rules->mask[first_to_last[i]], self, other)) {
            return bs_is_sensed(w, self, other) ? BS_CROSS : (bs_response)first_to_last[i];
        }
    }
    return BS_PASS;
}

bool bs_is_one_way(const bs_world *w, uint32_t box) {
    bool any = false;
    for (int k = 0; w->conduct != NULL && k < DIM; k++) {
        any |= w->conduct[box].one_way[k] != 0;
    }
    return any;
}

bool bs_is_solid_at(const bs_world *w, uint32_t box, bs_face face) {
    return !bs_is_one_way(w, box) || w->conduct[box].one_way[face.axis] == face.sign;
}

bool bs_is_solid_toward(const bs_world *w, uint32_t box, const double normal[DIM]) {
    double along = 0;
    for (int k = 0; w->conduct != NULL && k < DIM; k++) {
        along += normal[k] * w->conduct[box].one_way[k];
    }
    return !bs_is_one_way(w, box) || along > 0.5;
}
