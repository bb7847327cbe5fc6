/*
 * box2d.cpp: Box2D 2.4.1, used in the two ways that its parts suggest.
 *
 * b2DynamicTree: moved boxes are moved in the tree, and then each box makes one query.
 * b2BroadPhase: it reports what may be new pairs, and its user keeps them: here in a hash set, from
 * which a pair is dropped when its fat boxes no longer overlap.
 *
 * Shapes are tested by b2CollideCircles and b2CollidePolygons, and hit by b2Shape::RayCast.
 *
 * The margin of fat boxes is 0.1 in Box2D's units. `units`, the size of a pixel in these, was tuned
 * for each of the two.
 */
#include <box2d/box2d.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "../shapes.h"
#include "peer.h"

namespace {

void *data_of(uint32_t box) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(box));
}

uint32_t box_of(void *data) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(data));
}

/* The reported pairs of boxes, each once, by open addressing. */
class pair_set {
  public:
    void add(uint32_t a, uint32_t b) {
        uint64_t key =
            a < b ? static_cast<uint64_t>(a) << 32 | b : static_cast<uint64_t>(b) << 32 | a;
        if (2 * (keys.size() + 1) > slots.size()) {
            grow();
        }
        uint32_t *slot = find(key);
        if (*slot == 0) {
            keys.push_back(key);
            *slot = static_cast<uint32_t>(keys.size());
        }
    }

    /* Calls keep(a, b) for each pair, and drops those for which it returns false. */
    template <typename F> void filter(F keep) {
        for (size_t i = 0; i < keys.size();) {
            if (keep(static_cast<uint32_t>(keys[i] >> 32), static_cast<uint32_t>(keys[i]))) {
                i++;
            } else {
                drop(i);
            }
        }
    }

  private:
    std::vector<uint64_t> keys;
    std::vector<uint32_t> slots; /* position in keys + 1, or 0 */

    size_t home(uint64_t key) const {
        return (key * 0x9E3779B97F4A7C15ull >> 20) & (slots.size() - 1);
    }

    uint32_t *find(uint64_t key) {
        size_t i = home(key);
        while (slots[i] != 0 && keys[slots[i] - 1] != key) {
            i = (i + 1) & (slots.size() - 1);
        }
        return &slots[i];
    }

    void grow() {
        slots.assign(slots.empty() ? 1024 : 2 * slots.size(), 0);
        for (size_t i = 0; i < keys.size(); i++) {
            *find(keys[i]) = static_cast<uint32_t>(i + 1);
        }
    }

    /* Removes a key. The last key takes its place, and the slots that follow are moved back. */
    void drop(size_t i) {
        size_t mask = slots.size() - 1;
        size_t hole = static_cast<size_t>(find(keys[i]) - slots.data());
        slots[hole] = 0;
        for (size_t j = (hole + 1) & mask; slots[j] != 0; j = (j + 1) & mask) {
            size_t wanted = home(keys[slots[j] - 1]);
            if (((j - wanted) & mask) >= ((j - hole) & mask)) {
                slots[hole] = slots[j];
                slots[j] = 0;
                hole = j;
            }
        }
        if (i + 1 < keys.size()) {
            *find(keys.back()) = static_cast<uint32_t>(i + 1);
            keys[i] = keys.back();
        }
        keys.pop_back();
    }
};

/* The shapes of a scene's boxes, relative to the boxes' corners. */
class shapes {
  public:
    shapes(const scene *s, float units_)
        : kind(s->spec.shapes), units(units_), all(kind != BOXES ? s->spec.n : 0) {}
    bool any() const { return kind != BOXES; }
    void insert(uint32_t box, const bs_rect *r) {
        if (kind == CIRCLES) {
            all[box].reset(circle(r));
        } else if (kind == POLYGONS) {
            all[box].reset(polygon(box, r));
        }
    }
    /* Tests two boxes with their corners at these places. */
    bool collide(uint32_t a, const b2Transform &at, uint32_t b, const b2Transform &bt) const {
        b2Manifold manifold;
        manifold.pointCount = 0;
        if (kind == CIRCLES) {
            b2CollideCircles(&manifold, static_cast<b2CircleShape *>(all[a].get()), at,
                             static_cast<b2CircleShape *>(all[b].get()), bt);
        } else {
            b2CollidePolygons(&manifold, static_cast<b2PolygonShape *>(all[a].get()), at,
                              static_cast<b2PolygonShape *>(all[b].get()), bt);
        }
        return manifold.pointCount > 0;
    }
    bool cast(uint32_t box, const b2Transform &at, const b2RayCastInput &input, float *t) const {
        b2RayCastOutput output;
        bool met = all[box]->RayCast(&output, input, at, 0);
        *t = output.fraction;
        return met;
    }

  private:
    scene_shapes kind;
    float units;
    std::vector<std::unique_ptr<b2Shape>> all;

    b2Shape *circle(const bs_rect *r) const {
        b2CircleShape *c = new b2CircleShape;
        c->m_radius = static_cast<float>(r->size[0] / 2) * units;
        c->m_p.Set(c->m_radius, c->m_radius);
        return c;
    }
    /* A polygon without the skin that Box2D gives polygons for the sake of stable contacts. */
    b2Shape *polygon(uint32_t box, const bs_rect *r) const {
        double corner[SHAPE_CORNERS][2];
        b2Vec2 corners[SHAPE_CORNERS];
        bs_rect at = {{0, 0}, {r->size[0], r->size[1]}};
        shape_corners(box, &at, corner);
        for (int i = 0; i < SHAPE_CORNERS; i++) {
            corners[i].Set(static_cast<float>(corner[i][0]) * units,
                           static_cast<float>(corner[i][1]) * units);
        }
        b2PolygonShape *p = new b2PolygonShape;
        p->Set(corners, SHAPE_CORNERS);
        p->m_radius = 0;
        return p;
    }
};

struct boxes {
    uint32_t n;
    uint32_t fixed;
    float units;
    peer_box *tight; /* n of them */
    int32 *proxy;    /* n of them */
    shapes within;
    peer_pairs pairs;
    peer_list found;

    boxes(const scene *s, float units_)
        : n(s->spec.n), fixed(s->spec.fixed), units(units_), within(s, units_), pairs(), found() {
        tight = static_cast<peer_box *>(peer_alloc(n * sizeof *tight));
        proxy = static_cast<int32 *>(peer_alloc(n * sizeof *proxy));
    }
    ~boxes() {
        peer_free(tight, n * sizeof *tight);
        peer_free(proxy, n * sizeof *proxy);
        free(pairs.at);
        free(found.at);
    }
    boxes(const boxes &) = delete;
    boxes &operator=(const boxes &) = delete;

    /* Sets the tight box, and returns its motion in Box2D's units. */
    b2Vec2 set(uint32_t box, const bs_rect *r) {
        float x = tight[box].lo[0], y = tight[box].lo[1];
        tight[box] = peer_box_of(r);
        return b2Vec2((tight[box].lo[0] - x) * units, (tight[box].lo[1] - y) * units);
    }
    b2AABB aabb_of(const peer_box &b) const {
        b2AABB a;
        a.lowerBound.Set(b.lo[0] * units, b.lo[1] * units);
        a.upperBound.Set(b.hi[0] * units, b.hi[1] * units);
        return a;
    }
    b2Transform place_of(uint32_t box) const {
        return b2Transform(b2Vec2(tight[box].lo[0] * units, tight[box].lo[1] * units), b2Rot(0));
    }
    bool overlap(uint32_t a, uint32_t b) const {
        return peer_overlap(&tight[a], &tight[b]) &&
               (!within.any() || within.collide(a, place_of(a), b, place_of(b)));
    }
    bool may_meet(uint32_t a, uint32_t b) const { return fixed == 0 || (a < fixed) != (b < fixed); }
};

/* --- b2DynamicTree: with static boxes, only those are in the tree ---------------------------- */

struct tree : boxes {
    b2DynamicTree in;
    uint32_t self; /* the box that queries for pairs */

    explicit tree(const scene *s) : boxes(s, 1), in(), self(0) {}
    bool holds(uint32_t box) const { return fixed == 0 || box < fixed; }
    bool QueryCallback(int32 id) {
        uint32_t other = box_of(in.GetUserData(id));
        if ((other > self || fixed > 0) && overlap(self, other)) {
            peer_add_pair(&pairs, self, other);
        }
        return true;
    }
};

void *tree_create(const subject_type *, const scene *s, subject_use) {
    return new tree(s);
}

void tree_destroy(void *it) {
    delete static_cast<tree *>(it);
}

void tree_insert(void *it, uint32_t box, const bs_rect *r) {
    tree *t = static_cast<tree *>(it);
    t->set(box, r);
    t->within.insert(box, r);
    if (t->holds(box)) {
        t->proxy[box] = t->in.CreateProxy(t->aabb_of(t->tight[box]), data_of(box));
    }
}

void tree_replace(void *it, uint32_t box, const bs_rect *r) {
    tree *t = static_cast<tree *>(it);
    t->in.DestroyProxy(t->proxy[box]);
    tree_insert(it, box, r);
}

void tree_move(void *it, const uint32_t *moved, const bs_rect *rects, size_t n) {
    tree *t = static_cast<tree *>(it);
    for (size_t i = 0; i < n; i++) {
        b2Vec2 way = t->set(moved[i], &rects[i]);
        if (t->holds(moved[i])) {
            t->in.MoveProxy(t->proxy[moved[i]], t->aabb_of(t->tight[moved[i]]), way);
        }
    }
}

size_t tree_pairs(void *it, const bs_pair **out) {
    tree *t = static_cast<tree *>(it);
    t->pairs.n = 0;
    for (t->self = t->fixed; t->self < t->n; t->self++) {
        t->in.Query(t, t->aabb_of(t->tight[t->self]));
    }
    *out = t->pairs.at;
    return t->pairs.n;
}

struct rect_query {
    tree *t;
    peer_box box;
    bool QueryCallback(int32 id) {
        uint32_t other = box_of(t->in.GetUserData(id));
        if (peer_overlap(&box, &t->tight[other])) {
            peer_add(&t->found, other);
        }
        return true;
    }
};

size_t tree_query(void *it, const bs_rect *r, const uint32_t **out) {
    tree *t = static_cast<tree *>(it);
    rect_query q = {t, peer_box_of(r)};
    t->found.n = 0;
    t->in.Query(&q, t->aabb_of(q.box));
    *out = t->found.at;
    return t->found.n;
}

struct cast_query {
    tree *t;
    peer_cast cast;
    /* Returns where the ray cast now ends. */
    float RayCastCallback(const b2RayCastInput &input, int32 id) {
        uint32_t box = box_of(t->in.GetUserData(id));
        if (t->within.any()) {
            float met;
            if (t->within.cast(box, t->place_of(box), input, &met)) {
                cast.best = met;
            }
        } else {
            peer_cast_visit(&cast, &t->tight[box]);
        }
        return cast.best <= 1 ? cast.best : input.maxFraction;
    }
    /* Box2D has no casts of boxes, so it is queried along the way. */
    bool QueryCallback(int32 id) {
        peer_cast_visit(&cast, &t->tight[box_of(t->in.GetUserData(id))]);
        return true;
    }
};

bool tree_cast(void *it, const bs_rect *from, const double motion[2], double *time) {
    tree *t = static_cast<tree *>(it);
    cast_query q = {t, peer_cast_of(from, motion)};
    if (from->size[0] > 0) {
        peer_box path;
        while (peer_cast_next(&q.cast, &path)) {
            t->in.Query(&q, t->aabb_of(path));
        }
    } else {
        b2RayCastInput input;
        input.p1.Set(q.cast.lo[0] * t->units, q.cast.lo[1] * t->units);
        input.p2.Set(input.p1.x + static_cast<float>(motion[0]) * t->units,
                     input.p1.y + static_cast<float>(motion[1]) * t->units);
        input.maxFraction = 1;
        t->in.RayCast(&q, input);
    }
    *time = static_cast<double>(q.cast.best);
    return q.cast.best <= 1;
}

/* --- b2BroadPhase ---------------------------------------------------------------------------- */

struct broad : boxes {
    b2BroadPhase in;
    pair_set kept;

    /* Fat boxes pay if many boxes move. If few do, they only make more pairs to keep. */
    explicit broad(const scene *s)
        : boxes(s, s->spec.moving > 0.05 ? 1.0f / 32 : 1.0f / 4), in(), kept() {}
    void AddPair(void *a, void *b) {
        if (may_meet(box_of(a), box_of(b))) {
            kept.add(box_of(a), box_of(b));
        }
    }
};

void *broad_create(const subject_type *, const scene *s, subject_use) {
    return new broad(s);
}

void broad_destroy(void *it) {
    delete static_cast<broad *>(it);
}

void broad_insert(void *it, uint32_t box, const bs_rect *r) {
    broad *b = static_cast<broad *>(it);
    b->set(box, r);
    b->within.insert(box, r);
    b->proxy[box] = b->in.CreateProxy(b->aabb_of(b->tight[box]), data_of(box));
}

void broad_replace(void *it, uint32_t box, const bs_rect *r) {
    broad *b = static_cast<broad *>(it);
    b->in.DestroyProxy(b->proxy[box]);
    broad_insert(it, box, r);
}

void broad_move(void *it, const uint32_t *moved, const bs_rect *rects, size_t n) {
    broad *b = static_cast<broad *>(it);
    for (size_t i = 0; i < n; i++) {
        b2Vec2 way = b->set(moved[i], &rects[i]);
        b->in.MoveProxy(b->proxy[moved[i]], b->aabb_of(b->tight[moved[i]]), way);
    }
}

size_t broad_pairs(void *it, const bs_pair **out) {
    broad *b = static_cast<broad *>(it);
    b->in.UpdatePairs(b);
    b->pairs.n = 0;
    b->kept.filter([b](uint32_t i, uint32_t j) {
        if (b->overlap(i, j)) {
            peer_add_pair(&b->pairs, i, j);
            return true;
        }
        return b->in.TestOverlap(b->proxy[i], b->proxy[j]);
    });
    *out = b->pairs.at;
    return b->pairs.n;
}

subject_type tree_type() {
    subject_type t = {};
    t.name = "b2DynamicTree";
    t.is_peer = true;
    t.has_shapes = true;
    t.most = 200000;
    t.most_quick = 50000;
    t.create = tree_create;
    t.destroy = tree_destroy;
    t.insert = tree_insert;
    t.replace = tree_replace;
    t.move = tree_move;
    t.pairs = tree_pairs;
    t.query = tree_query;
    t.cast = tree_cast;
    return t;
}

subject_type broad_type() {
    subject_type t = {};
    t.name = "b2BroadPhase";
    t.is_peer = true;
    t.has_shapes = true;
    t.most = 200000;
    t.most_quick = 10000;
    t.create = broad_create;
    t.destroy = broad_destroy;
    t.insert = broad_insert;
    t.replace = broad_replace;
    t.move = broad_move;
    t.pairs = broad_pairs;
    return t;
}

} // namespace

extern "C" const subject_type box2d_types[] = {tree_type(), broad_type(), subject_type()};
