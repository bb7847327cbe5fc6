/*
 * bullet.cpp: Bullet 3.24's tree by itself (collideTT), its broad phase of two trees with a cache
 * of pairs, and its sweep and prune with 16-bit integers.
 *
 * Bullet is three-dimensional: in 2D all boxes reach from -1 to 1 in z.
 */
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cstdlib>

#include "peer.h"

namespace {

const btScalar margin = 2;       /* px, of moving boxes */
const btScalar broad_margin = 5; /* larger: its cache saves the tests of pairs that stay */

/* In 2D, with that z. */
template <typename T> btVector3 vector_of(const T at[DIM], btScalar z) {
    return btVector3(static_cast<btScalar>(at[0]), static_cast<btScalar>(at[1]),
                     DIM == 3 ? static_cast<btScalar>(at[DIM - 1]) : z);
}

btDbvtVolume volume_of(const peer_box &b) {
    return btDbvtVolume::FromMM(vector_of(b.lo, -1), vector_of(b.hi, 1));
}

struct boxes {
    uint32_t n;
    uint32_t fixed;
    peer_box *tight; /* n of them */
    peer_pairs pairs;
    peer_list found;

    explicit boxes(const scene *s) : n(s->spec.n), fixed(s->spec.fixed), pairs(), found() {
        tight = static_cast<peer_box *>(peer_alloc(n * sizeof *tight));
    }
    ~boxes() {
        peer_free(tight, n * sizeof *tight);
        free(pairs.at);
        free(found.at);
    }
    boxes(const boxes &) = delete;
    boxes &operator=(const boxes &) = delete;

    void add_pair(uint32_t a, uint32_t b) {
        if (peer_overlap(&tight[a], &tight[b])) {
            peer_add_pair(&pairs, a, b);
        }
    }
};

/* --- btDbvt: with static boxes, only those are in the tree ----------------------------------- */

struct tree : boxes, btDbvt::ICollide {
    btDbvt in;
    btDbvtNode **leaf; /* n of them */
    uint32_t self;     /* the box that queries, if there are static ones */

    explicit tree(const scene *s) : boxes(s), in(), self(0) {
        leaf = static_cast<btDbvtNode **>(peer_alloc(n * sizeof *leaf));
    }
    ~tree() override { peer_free(leaf, n * sizeof *leaf); }
    tree(const tree &) = delete;
    tree &operator=(const tree &) = delete;

    bool holds(uint32_t box) const { return fixed == 0 || box < fixed; }
    void Process(const btDbvtNode *other) override {
        add_pair(self, static_cast<uint32_t>(other->dataAsInt));
    }
    void Process(const btDbvtNode *a, const btDbvtNode *b) override {
        add_pair(static_cast<uint32_t>(a->dataAsInt), static_cast<uint32_t>(b->dataAsInt));
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
    t->tight[box] = peer_box_of(r);
    if (t->holds(box)) {
        t->leaf[box] = t->in.insert(volume_of(t->tight[box]), nullptr);
        t->leaf[box]->dataAsInt = static_cast<int>(box);
    }
}

void tree_replace(void *it, uint32_t box, const bs_rect *r) {
    tree *t = static_cast<tree *>(it);
    t->in.remove(t->leaf[box]);
    tree_insert(it, box, r);
}

void tree_move(void *it, const uint32_t *moved, const bs_rect *rects, size_t n) {
    tree *t = static_cast<tree *>(it);
    for (size_t i = 0; i < n; i++) {
        uint32_t box = moved[i];
        t->tight[box] = peer_box_of(&rects[i]);
        if (t->holds(box)) {
            btDbvtVolume volume = volume_of(t->tight[box]);
            t->in.update(t->leaf[box], volume, margin);
        }
    }
}

size_t tree_pairs(void *it, const bs_pair **out) {
    tree *t = static_cast<tree *>(it);
    t->pairs.n = 0;
    if (t->fixed == 0) {
        t->in.optimizeIncremental(1);
        t->in.collideTTpersistentStack(t->in.m_root, t->in.m_root, *t);
    }
    for (t->self = t->fixed; t->fixed > 0 && t->self < t->n; t->self++) {
        t->in.collideTV(t->in.m_root, volume_of(t->tight[t->self]), *t);
    }
    *out = t->pairs.at;
    return t->pairs.n;
}

void tree_settle(void *it) {
    static_cast<tree *>(it)->in.optimizeTopDown();
}

struct rect_query : btDbvt::ICollide {
    tree *t;
    peer_box box;
    void Process(const btDbvtNode *node) override {
        uint32_t other = static_cast<uint32_t>(node->dataAsInt);
        if (peer_overlap(&box, &t->tight[other])) {
            peer_add(&t->found, other);
        }
    }
};

size_t tree_query(void *it, const bs_rect *r, const uint32_t **out) {
    tree *t = static_cast<tree *>(it);
    rect_query q;
    q.t = t;
    q.box = peer_box_of(r);
    t->found.n = 0;
    t->in.collideTV(t->in.m_root, volume_of(q.box), q);
    *out = t->found.at;
    return t->found.n;
}

struct cast_query : btDbvt::ICollide {
    const tree *t;
    peer_cast cast;
    void Process(const btDbvtNode *node) override {
        peer_cast_visit(&cast, &t->tight[node->dataAsInt]);
    }
};

/* Prepares a ray as btDbvt::rayTest does. It visits everything in its way. */
bool tree_cast(void *it, const bs_rect *from, const double motion[DIM], double *time) {
    static btAlignedObjectArray<const btDbvtNode *> stack;
    tree *t = static_cast<tree *>(it);
    cast_query q;
    q.t = t;
    q.cast = peer_cast_of(from, motion);
    btVector3 least = vector_of(q.cast.lo, 0);
    btVector3 half = (vector_of(q.cast.hi, 0) - least) / 2;
    btVector3 start = least + half;
    btVector3 way = vector_of(motion, 0);
    btVector3 direction = way.normalized();
    btVector3 inverse;
    unsigned signs[3];
    for (int k = 0; k < 3; k++) {
        inverse[k] = direction[k] == 0 ? btScalar(BT_LARGE_FLOAT) : 1 / direction[k];
        signs[k] = inverse[k] < 0;
    }
    peer_box unused;
    for (float begin = 0; peer_cast_next(&q.cast, &unused); begin = q.cast.done) {
        btVector3 at = start + way * begin;
        btVector3 piece = way * (q.cast.done - begin);
        t->in.rayTestInternal(t->in.m_root, at, at + piece, inverse, signs, direction.dot(piece),
                              -half, half, stack, q);
    }
    *time = static_cast<double>(q.cast.best);
    return q.cast.best <= 1;
}

/* --- broad phases with a cache of pairs ------------------------------------------------------ */

struct broad : boxes {
    btBroadphaseInterface *in;
    btBroadphaseProxy **proxy; /* n of them */

    bool owns_proxies; /* otherwise they are freed with it */

    broad(const scene *s, btBroadphaseInterface *inner, bool separate)
        : boxes(s), in(inner), owns_proxies(!separate) {
        proxy = static_cast<btBroadphaseProxy **>(peer_alloc(n * sizeof *proxy));
    }
    /* The pairs are cleared first: otherwise each proxy would look through all of them. */
    ~broad() {
        in->getOverlappingPairCache()->getOverlappingPairArray().clear();
        for (uint32_t i = 0; i < n && !owns_proxies; i++) {
            in->destroyProxy(proxy[i], nullptr);
        }
        delete in;
        peer_free(proxy, n * sizeof *proxy);
    }
    broad(const broad &) = delete;
    broad &operator=(const broad &) = delete;
};

void *dbvt_create(const subject_type *, const scene *s, subject_use) {
    btDbvtBroadphase *in = new btDbvtBroadphase();
    gDbvtMargin = broad_margin;
    return new broad(s, in, true);
}

void *sweep_create(const subject_type *, const scene *s, subject_use) {
    const btVector3 beyond(16, 16, DIM == 3 ? 16 : 2);
    btVector3 least = -beyond;
    btVector3 greatest = vector_of(s->size, 0) + beyond;
    unsigned short most = static_cast<unsigned short>(s->spec.n + 1);
    return new broad(s, new btAxisSweep3(least, greatest, most, nullptr, true), false);
}

void broad_destroy(void *it) {
    delete static_cast<broad *>(it);
}

void broad_insert(void *it, uint32_t box, const bs_rect *r) {
    broad *b = static_cast<broad *>(it);
    b->tight[box] = peer_box_of(r);
    btDbvtVolume v = volume_of(b->tight[box]);
    int group = box < b->fixed ? 1 : 2;
    int mask = b->fixed == 0 ? -1 : 3 - group;
    void *data = reinterpret_cast<void *>(static_cast<uintptr_t>(box));
    b->proxy[box] = b->in->createProxy(v.Mins(), v.Maxs(), 0, data, group, mask, nullptr);
}

void broad_replace(void *it, uint32_t box, const bs_rect *r) {
    broad *b = static_cast<broad *>(it);
    b->in->destroyProxy(b->proxy[box], nullptr);
    broad_insert(it, box, r);
}

void broad_move(void *it, const uint32_t *moved, const bs_rect *rects, size_t n) {
    broad *b = static_cast<broad *>(it);
    for (size_t i = 0; i < n; i++) {
        b->tight[moved[i]] = peer_box_of(&rects[i]);
        btDbvtVolume v = volume_of(b->tight[moved[i]]);
        b->in->setAabb(b->proxy[moved[i]], v.Mins(), v.Maxs(), nullptr);
    }
}

size_t broad_pairs(void *it, const bs_pair **out) {
    broad *b = static_cast<broad *>(it);
    b->in->calculateOverlappingPairs(nullptr);
    b->pairs.n = 0;
    const btBroadphasePairArray &kept = b->in->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < kept.size(); i++) {
        b->add_pair(
            static_cast<uint32_t>(reinterpret_cast<uintptr_t>(kept[i].m_pProxy0->m_clientObject)),
            static_cast<uint32_t>(reinterpret_cast<uintptr_t>(kept[i].m_pProxy1->m_clientObject)));
    }
    *out = b->pairs.at;
    return b->pairs.n;
}

subject_type tree_type() {
    subject_type t = {};
    t.name = "btDbvt";
    t.is_peer = true;
    t.most = 2000000;
    t.most_quick = 200000;
    t.create = tree_create;
    t.destroy = tree_destroy;
    t.insert = tree_insert;
    t.replace = tree_replace;
    t.move = tree_move;
    t.pairs = tree_pairs;
    t.settle = tree_settle;
    t.query = tree_query;
    t.cast = tree_cast;
    return t;
}

subject_type broad_type(const char *name, uint32_t most, uint32_t most_quick,
                        void *(*create)(const subject_type *, const scene *, subject_use)) {
    subject_type t = {};
    t.name = name;
    t.is_peer = true;
    t.most = most;
    t.most_quick = most_quick;
    t.create = create;
    t.destroy = broad_destroy;
    t.insert = broad_insert;
    t.replace = broad_replace;
    t.move = broad_move;
    t.pairs = broad_pairs;
    return t;
}

} // namespace

extern "C" const subject_type bullet_types[] = {
    tree_type(), broad_type("btDbvtBroadphase", 200000, 50000, dbvt_create),
    broad_type("btAxisSweep3", 30000, 10000, sweep_create), subject_type()};
