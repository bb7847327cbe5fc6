/*
 * laws.c: laws that any move must obey, which need no oracle. It makes worlds with the same boxes
 * beside the others: unchanged, scaled by a power of two, and with a box that is crossed. The move
 * must be the same in all of them, to the last bit.
 */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "narrow/narrow.h"

enum { FEW = 16, LAYERS = 0x7fffffff, BYSTANDER = 1 << 30 };

/*
 * Results of computing with coordinates in this range are never so small or large that doubles lose
 * digits.
 */
static bool scales(double x) {
    return x == 0 || (fabs(x) > 0x1p-150 && fabs(x) < 0x1p150);
}

/*
 * Checks that all numbers of the shape are in that range, and that no size is lost beside its
 * coordinates.
 */
static bool shape_scales(const bs_shape *shape) {
    bool fine = true;
    for (int k = 0; k < DIM; k++) {
        double size = shape->rect.size[k];
        fine = fine && scales(shape->rect.pos[k]) && scales(size);
        fine = fine && (shape->kind != BS_CIRCLE || scales(shape->centre[k]));
        fine = fine && fabs(shape->rect.pos[k]) < size * 0x1p40;
        for (uint32_t i = 0; shape->kind == BS_POLYGON && i < shape->corners; i++) {
            fine = fine && scales(shape->corner[i][k]);
        }
    }
    return fine;
}

/* The shape, scaled about the origin. */
static bs_shape shape_times(const bs_shape *shape, double times) {
    bs_shape out = *shape;
    bs_rect rect = shape->rect;
    double centre[DIM];
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] *= times;
        rect.size[k] *= times;
        centre[k] = shape->kind == BS_CIRCLE ? shape->centre[k] * times : 0;
        for (uint32_t i = 0; shape->kind == BS_POLYGON && i < shape->corners; i++) {
            out.corner[i][k] = shape->corner[i][k] * times;
        }
    }
    if (shape->kind == BS_CIRCLE) {
        bs_shape_set_circle(&out, centre, shape->radius * times);
    } else if (shape->kind == BS_BOX) {
        bs_shape_set_box(&out, &rect);
    }
    return out;
}

/* A world with a copy of all boxes, and the result of a move in it. */
typedef struct copy {
    bs_world *world;
    limited_memory memory;
    bs_id id[FEW]; /* by rank */
    bs_rect end;
    bs_collision met[4 * FEW]; /* without boxes that are crossed */
    size_t n;
} copy;

static uint32_t insert(const trial *t, copy *c, const bs_shape *shape, const bs_props *props) {
    uint32_t box = BS_NO_BOX;
    uint32_t corner;
    bs_shape checked = *shape;
    expect(t, NULL, bs_shape_check(&checked, &corner) == BS_SHAPE_IS_FINE, "a copy has no shape");
    expect(t, NULL, bs_world_insert(c->world, &checked, props, &box) == BS_OK, "no memory");
    return box;
}

/* Makes the copy. Returns the box that will move. */
static uint32_t make(const trial *t, copy *c, const oracle_box *mover, double times) {
    uint32_t self = BS_NO_BOX;
    const bs_settings settings = {0, 0, -1};
    memset(c, 0, sizeof *c);
    c->memory.left = -1;
    c->world = bs_world_new(limited_resize, &c->memory, backend_type(0, false), &settings);
    for (size_t i = 0; i < t->truth.n; i++) {
        const oracle_box *box = &t->truth.box[i];
        bs_props props = bs_props_default();
        props.layers.layer = box->layers.layer & ~(uint32_t)BYSTANDER;
        props.layers.mask = box->layers.mask | BYSTANDER;
        props.conduct = box->conduct;
        bs_shape shape = shape_of(t, box);
        bs_shape scaled = shape_times(&shape, times);
        uint32_t index = insert(t, c, &scaled, &props);
        c->id[i] = bs_world_id(c->world, index);
        self = box == mover ? index : self;
    }
    return self;
}

/* Adds a shape around the goal that is crossed. */
static void add_bystander(const trial *t, copy *c, const bs_rect *there) {
    bs_props props = bs_props_default();
    bs_shape shape;
    props.layers = (bs_layers){BYSTANDER, UINT32_MAX};
    bs_shape_set_circle(&shape, there->pos, there->size[0]);
    insert(t, c, &shape, &props);
}

static void run(const trial *t, copy *c, uint32_t box, const double goal[DIM], double times,
                const bs_rules *rules) {
    double to[DIM];
    for (int k = 0; k < DIM; k++) {
        to[k] = goal[k] * times;
    }
    bs_move *m = bs_move_run(c->world, box, to, rules);
    expect(t, NULL, m != NULL, "no memory");
    const bs_collisions *met = bs_move_collisions(m);
    c->end = bs_move_rect(m);
    for (size_t i = 0; i < met->n; i++) {
        if (met->at[i].response != BS_CROSS) {
            expect(t, NULL, c->n < 4 * FEW, "meets too many");
            c->met[c->n++] = met->at[i];
        }
    }
    bs_move_end(m);
}

static size_t rank_of(const copy *c, bs_id id) {
    size_t i = 0;
    while (i < FEW && c->id[i] != id) {
        i++;
    }
    return i;
}

/* Smaller numbers are rounded when they are scaled. */
static bool is_same(double a, double b) {
    return a == b || fabs(a - b) < 0x1p-1000;
}

static void expect_same(const trial *t, const copy *a, const copy *b, double times,
                        const char *what) {
    bool same = a->n == b->n;
    for (int k = 0; k < DIM; k++) {
        same = same && is_same(a->end.pos[k] * times, b->end.pos[k]);
    }
    for (size_t i = 0; same && i < a->n; i++) {
        const bs_collision *x = &a->met[i];
        const bs_collision *y = &b->met[i];
        same = x->t == y->t && x->response == y->response && x->overlap == y->overlap &&
               rank_of(a, x->id) == rank_of(b, y->id);
        for (int k = 0; k < DIM; k++) {
            same =
                same && x->normal[k] == y->normal[k] && is_same(x->place[k] * times, y->place[k]);
        }
    }
    expect(t, NULL, same, what);
}

/*
 * True if the scene can be copied: it has few boxes and no tiny or huge numbers; rounding on
 * earlier moves has bent no polygon; and no way is so long that the rounding of its times exceeds
 * that of its places.
 */
static bool is_fit(const trial *t, const bs_rect *from, const bs_rect *there) {
    bool fit = t->truth.n <= FEW;
    for (size_t i = 0; i < t->truth.n && fit; i++) {
        bs_shape shape = shape_of(t, &t->truth.box[i]);
        uint32_t corner;
        fit = shape_scales(&shape) && scales(oracle_bounce(&t->truth.box[i])) &&
              bs_shape_check(&shape, &corner) == BS_SHAPE_IS_FINE;
    }
    for (int k = 0; k < DIM; k++) {
        double moved = fabs(there->pos[k] - from->pos[k]);
        fit = fit && scales(there->pos[k]);
        fit = fit && moved < (fabs(there->pos[k]) + from->size[k]) * 0x1p10;
    }
    return fit;
}

static bool is_one_way(const oracle_box *box) {
    bool any = false;
    for (int k = 0; k < DIM; k++) {
        any = any || box->conduct.one_way[k] != 0;
    }
    return any;
}

/*
 * True if a box is in front of that face of another one. If it hit the face just before it would
 * have passed it, its rounded place may be past the face, and then nothing stops it there.
 */
static bool is_before(const bs_rect *r, const bs_rect *other, const double normal[DIM]) {
    bool before = true;
    for (int k = 0; k < DIM; k++) {
        before = before && (normal[k] != 0 || (r->pos[k] < other->pos[k] + other->size[k] &&
                                               other->pos[k] < r->pos[k] + r->size[k]));
    }
    return before;
}

/* Whether it has bounced on its way. */
static bool has_bounced(const copy *c) {
    bool bounced = false;
    for (size_t i = 0; i < c->n; i++) {
        bounced = bounced || c->met[i].response == BS_BOUNCE;
    }
    return bounced;
}

/*
 * Whether a box that has touched another one is put off it by a round or slanted shape that is as
 * high, up to rounding. Rounded times decide which of the two is met first; once the box is beside
 * both, that is the one inserted first, and it keeps the box off by its own rounding.
 */
static bool is_put_off(const copy *c, const bs_rect *end, const double normal[DIM]) {
    double off = 0;
    double largest = 0;
    for (int k = 0; k < DIM; k++) {
        off += (c->end.pos[k] - end->pos[k]) * normal[k];
        largest = fmax(largest, fabs(end->pos[k]) + end->size[k]);
    }
    return c->n > 0 && c->met[c->n - 1].t == 0 &&
           bs_world_shape_kind(c->world, c->met[c->n - 1].box) != BS_BOX && off > 0 &&
           off <= largest * 0x1p-46;
}

/*
 * If a box has touched another box, the same move once more must not bring it nearer.
 * motion/laws_spec.lua tests other shapes.
 */
static void expect_rest(const trial *t, copy *c, uint32_t box, const bs_rect *there,
                        const bs_rules *rules) {
    const bs_collision last = c->met[c->n > 0 ? c->n - 1 : 0];
    if (c->n == 0 || last.response != BS_TOUCH || last.overlap || has_bounced(c) ||
        is_one_way(&t->truth.box[rank_of(c, last.id)]) ||
        bs_world_shape_kind(c->world, box) != BS_BOX ||
        bs_world_shape_kind(c->world, last.box) != BS_BOX) {
        return;
    }
    const bs_rect end = c->end;
    if (!is_before(&end, bs_world_rect(c->world, last.box), last.normal)) {
        return;
    }
    bs_world_update(c->world, box, &end);
    c->n = 0;
    run(t, c, box, there->pos, 1, rules);
    bool put_off = is_put_off(c, &end, last.normal);
    for (int k = 0; k < DIM; k++) {
        expect(t, NULL, last.normal[k] == 0 || put_off || c->end.pos[k] == end.pos[k],
               "goes on after a touch");
    }
}

void expect_laws(const trial *t, const oracle_box *mover, const bs_rect *there,
                 const bs_rules *rules) {
    static copy plain, other;
    bs_rules crossing = *rules;
    double times = (t->step & 1) != 0 ? 0x1p20 : 0x1p-20;
    if (rules->ask != NULL || rules->ignore != BS_NO_BOX || !is_fit(t, &mover->rect, there)) {
        return;
    }
    for (int i = 0; i < BS_RESPONSES; i++) {
        crossing.mask[i] &= LAYERS & ~BYSTANDER;
    }
    crossing.mask[BS_CROSS] |= BYSTANDER;
    uint32_t first = make(t, &plain, mover, 1);
    run(t, &plain, first, there->pos, 1, &crossing);
    run(t, &other, make(t, &other, mover, times), there->pos, times, &crossing);
    expect_same(t, &plain, &other, times, "another way when it is scaled by a power of two");
    bs_world_free(other.world);
    uint32_t self = make(t, &other, mover, 1);
    add_bystander(t, &other, there);
    run(t, &other, self, there->pos, 1, &crossing);
    expect_same(t, &plain, &other, 1, "another way beside what is crossed");
    bs_world_free(other.world);
    expect_rest(t, &plain, first, there, &crossing);
    bs_world_free(plain.world);
}
