/* conduct.c: how boxes behave: responses, bounces, one-way sides, gravity, sensors. */
#include "world_parts.h"

#include <math.h>

const bs_conduct bs_usual_conduct = {.bounce = 1, .gravity_scale = 1, .response = BS_PASS};

bool bs_conduct_is_default(const bs_conduct *conduct) {
    bool same = conduct->bounce == 1 && conduct->gravity_scale == 1 &&
                conduct->response == BS_PASS && !conduct->sensor;
    for (int k = 0; k < DIM; k++) {
        same &= conduct->one_way[k] == 0;
    }
    return same;
}

void bs_conduct_put(bs_world *w, uint32_t box, const bs_conduct *conduct) {
    assert(w->conduct != NULL && box < w->conduct_cap && conduct->response < BS_PUSH);
    assert(conduct->bounce >= 0 && conduct->bounce <= 1 && isfinite(conduct->gravity_scale));
    w->responders -= w->conduct[box].response != BS_PASS;
    w->responders += conduct->response != BS_PASS;
    w->conduct[box] = *conduct;
}

bs_conduct bs_world_conduct(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return w->conduct != NULL ? w->conduct[box] : bs_usual_conduct;
}

bs_status bs_world_set_conduct(bs_world *w, uint32_t box, const bs_conduct *conduct) {
    assert(bs_world_alive(w, box));
    if (w->conduct == NULL && bs_conduct_is_default(conduct)) {
        return BS_OK;
    }
    if (!bs_column_make(w, BS_CONDUCT)) {
        return BS_NO_MEMORY;
    }
    bs_conduct_put(w, box, conduct);
    return BS_OK;
}
