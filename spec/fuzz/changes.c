/* changes.c: operations that change worlds and the oracle in the same way. */
#include "trial.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- coming and going ----------------------------------------------------------------------- */

static bs_props any_props(trial *t) {
    bs_props props = bs_props_default();
    unsigned how = next_byte(&t->in);
    props.is_static = (how & 3) == 0;
    if ((how & 12) == 0) {
        props.layers = any_layers(t);
    }
    if ((how & 48) == 0) {
        any_velocity(t, props.velocity);
    }
    if ((how & 192) == 0) {
        any_velocity(t, props.acceleration);
    }
    if (t->moves && next_chance(&t->in, 128)) {
        props.conduct = any_conduct(t);
    }
    return props;
}

static void insert(trial *t, const bs_rect *rect, const bs_props *props) {
    uint32_t index = BS_NO_BOX;
    bs_id id = 0;
    bs_shape shape;
    bs_shape_set_box(&shape, rect);
    EACH(t, s) {
        uint32_t box;
        UNTIL_DONE(t, s, bs_world_insert(s->world, &shape, props, &box));
        expect(t, s, bs_world_alive(s->world, box), "a new box is not alive");
        if (index == BS_NO_BOX) {
            index = box;
            id = bs_world_id(s->world, box);
            expect(t, s, index < MOST_INDICES, "an index is higher than need be");
        }
        expect(t, s, box == index && bs_world_id(s->world, box) == id, "gives another id");
    }
    oracle_insert(&t->truth, index, id, rect, props);
}

void do_insert(trial *t) {
    if (t->truth.n < t->most) {
        bs_rect rect = any_box(t);
        bs_props props = any_props(t);
        insert(t, &rect, &props);
    }
}

void do_insert_many(trial *t) {
    size_t n = 1 + next_below(&t->in, t->most / 2);
    bs_props props = any_props(t);
    bool alike = next_chance(&t->in, 200);
    for (size_t i = 0; i < n && t->truth.n < t->most; i++) {
        bs_rect rect = any_box(t);
        props = alike ? props : any_props(t);
        insert(t, &rect, &props);
    }
}

void do_reserve(trial *t) {
    uint32_t n = next_below(&t->in, 40);
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_reserve(s->world, n));
    }
}

static void note_stale(trial *t, bs_id id) {
    t->stale[t->stales++ % STALE] = id;
}

static void remove_box(trial *t, const oracle_box *box) {
    note_stale(t, box->id);
    EACH(t, s) {
        bs_world_remove(s->world, box->index);
        expect(t, s, !bs_world_alive(s->world, box->index), "a removed box is alive");
    }
    oracle_remove(&t->truth, (size_t)(box - t->truth.box));
}

void do_remove(trial *t) {
    oracle_box *box = any_member(t);
    if (box != NULL) {
        remove_box(t, box);
    }
}

void do_remove_many(trial *t) {
    size_t n = next_below(&t->in, t->truth.n + 1);
    for (size_t i = 0; i < n; i++) {
        remove_box(t, any_member(t));
    }
}

void do_clear(trial *t) {
    for (size_t i = 0; i < t->truth.n && i < STALE; i++) {
        note_stale(t, t->truth.box[i].id);
    }
    EACH(t, s) {
        bs_world_clear(s->world);
    }
    oracle_clear(&t->truth);
}

/* --- places --------------------------------------------------------------------------------- */

/* A rect a little to the side, at the same place, of another size, or somewhere else. */
static bs_rect any_move(trial *t, const bs_rect *from) {
    unsigned how = next_byte(&t->in);
    bs_rect rect = *from;
    bs_rect other = any_box(t);
    for (int k = 0; k < DIM; k++) {
        if (how < 120) {
            rect.pos[k] += ((double)next_byte(&t->in) - 128) / 512 * rect.size[k];
        } else if (how < 150) {
            rect.pos[k] = other.pos[k];
        } else if (how < 170) {
            rect.size[k] = other.size[k];
        }
    }
    bool fits = how < 180 && oracle_is_rect(&rect, false);
    return fits ? rect : other;
}

void do_update(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    bs_rect rect = any_move(t, &box->rect);
    EACH(t, s) {
        bs_world_update(s->world, box->index, &rect);
    }
    box->rect = rect;
}

/* Some boxes may be named twice: the last place counts. */
void do_update_many(trial *t) {
    static uint32_t boxes[2 * MOST_BOXES];
    static bs_rect rects[2 * MOST_BOXES];
    size_t n = 0;
    unsigned share = next_byte(&t->in);
    bool in_order = next_chance(&t->in, 200);
    for (size_t i = 0; i < t->truth.n; i++) {
        oracle_box *box = in_order ? &t->truth.box[i] : any_member(t);
        if (share > 180 || next_chance(&t->in, share)) {
            rects[n] = any_move(t, &box->rect);
            boxes[n++] = box->index;
        }
    }
    EACH(t, s) {
        bs_world_update_many(s->world, boxes, rects, n);
    }
    for (size_t i = 0; i < n; i++) {
        t->truth.box[t->truth.rank[boxes[i]]].rect = rects[i];
    }
}

void do_resolve(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    bs_filter filter = any_filter(t);
    double push[DIM];
    uint32_t n = oracle_resolve(&t->truth, box, &filter, push);
    EACH(t, s) {
        double have[DIM];
        uint32_t pushes;
        UNTIL_DONE(t, s, bs_world_resolve(s->world, box->index, &filter, have, &pushes));
        const bs_rect *rect = bs_world_rect(s->world, box->index);
        expect(t, s, pushes == n, "pushes another number of times");
        expect(t, s, memcmp(have, push, sizeof push) == 0, "pushes another way");
        expect(t, s, memcmp(rect, &box->rect, sizeof *rect) == 0, "pushes to another place");
    }
}

/* --- what a box is -------------------------------------------------------------------------- */

void do_set_static(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    box->is_static = next_chance(&t->in, 128);
    EACH(t, s) {
        bs_world_set_static(s->world, box->index, box->is_static);
    }
}

void do_set_layers(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    box->layers = next_chance(&t->in, 128) ? any_layers(t) : (bs_layers){1, UINT32_MAX};
    EACH(t, s) {
        bs_world_set_layers(s->world, box->index, box->layers);
    }
}

/* --- motion --------------------------------------------------------------------------------- */

void do_set_motion(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    any_velocity(t, box->velocity);
    if (next_chance(&t->in, 128)) {
        any_velocity(t, box->acceleration);
    }
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_set_velocity(s->world, box->index, box->velocity));
        UNTIL_DONE(t, s, bs_world_set_acceleration(s->world, box->index, box->acceleration));
    }
}

void do_set_gravity(trial *t) {
    any_velocity(t, t->truth.gravity);
    if (next_chance(&t->in, 128)) {
        memset(t->truth.gravity, 0, sizeof t->truth.gravity);
    }
    EACH(t, s) {
        bs_world_set_gravity(s->world, t->truth.gravity);
    }
}

/* Boxes that lie upon each other at random make very many events. Few such steps suffice. */
bool is_crowd(trial *t) {
    enum { MANY = 40, MOST = 200 };
    return t->truth.n > MOST || (t->truth.n > MANY && !next_chance(&t->in, 16));
}

void do_step(trial *t) {
    static const double times[] = {1, 1.0 / 60, 0.5, 0.25, 0, 2, 1e300, 1e-300};
    double dt = times[next_below(&t->in, sizeof times / sizeof *times)];
    if (is_crowd(t)) {
        return;
    }
    EACH(t, s) {
        UNTIL_DONE(t, s, bs_world_step(s->world, dt));
    }
    compare_step(t, dt);
}

/* --- object space --------------------------------------------------------------------------- */

void do_object(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    if (next_chance(&t->in, 128)) {
        box->object = any_box(t);
        box->has_object = true;
        EACH(t, s) {
            UNTIL_DONE(t, s, bs_world_set_object_rect(s->world, box->index, &box->object));
        }
    } else {
        box->rotates = next_chance(&t->in, 128);
        EACH(t, s) {
            bs_world_set_rotates(s->world, box->index, box->rotates);
        }
    }
}

/* Turns in the plane of x and y: exactly, by any angle, or in 3D by any quaternion. */
static void turn(trial *t, bs_transform *tr) {
    static const double cosines[] = {0, -1, 1, 0.5};
    /* The last two also shear, which makes no difference. */
    static const double sines[] = {1, 0, -1, 0.25};
    unsigned which = next_below(&t->in, 4);
    tr->rotated = true;
    tr->rotation[0][0] = cosines[which];
    tr->rotation[0][1] = -sines[which];
    tr->rotation[1][0] = sines[which];
    tr->rotation[1][1] = cosines[which];
#if DIM == 2
    if (next_chance(&t->in, 128)) {
        bs_transform_rotate(tr, any_angle(t));
    }
#else
    tr->rotation[2][2] = 1;
    if (next_chance(&t->in, 128)) {
        bs_transform_rotate(tr, (const double[]){sines[which], 1, (double)next_byte(&t->in), -2});
    }
#endif
}

static bs_transform any_transform(trial *t) {
    bs_transform tr = bs_transform_identity();
    any_velocity(t, tr.translation);
    if (next_chance(&t->in, 128)) {
        any_velocity(t, tr.scale);
    }
    if (next_chance(&t->in, 128)) {
        turn(t, &tr);
    }
    return tr;
}

/*
 * The arithmetic is the core's own. transform_oracle_spec.lua compares it with corners that are
 * turned one by one. This only tests what worlds make of it.
 */
void do_transform(trial *t) {
    oracle_box *box = any_member(t);
    if (box == NULL) {
        return;
    }
    bs_transform tr = any_transform(t);
    bs_transform used = tr;
    used.rotated = tr.rotated && box->rotates;
    bs_rect object = box->has_object ? box->object : box->rect;
    bs_rect rect = bs_transform_rect(&object, &used);
    bool fits = oracle_is_rect(&rect, false);
    EACH(t, s) {
        bs_rect result;
        UNTIL_DONE(t, s, bs_world_transform(s->world, box->index, &tr, &result));
        expect(t, s, bs_rect_is_box(&result) == fits, "takes what is no box, or refuses a box");
    }
    if (fits) {
        box->object = object;
        box->has_object = true;
        box->rect = rect;
    }
}

/* --- back ends and memory ------------------------------------------------------------------- */

/* The worlds exchange their back ends, so that each back end still has a world. */
void do_set_backend(trial *t) {
    bs_settings settings = any_settings(t);
    int turn = (int)next_below(&t->in, BACKENDS);
    EACH(t, s) {
        s->backend = (s->backend + turn) % BACKENDS;
        const bs_backend_type *type = backend_type(s->backend, s->plain);
        UNTIL_DONE(t, s, bs_world_set_backend(s->world, type, &settings));
        expect(t, s, bs_world_backend(s->world) == type, "has another back end");
    }
}

/* Makes the next operation run out of memory. */
void do_starve(trial *t) {
    trial_starve(t, (long)next_below(&t->in, 12));
}
