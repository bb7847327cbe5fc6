/* backends.c: the list of back ends, the variant for this processor, and what back ends share. */
#include "backends.h"
#include "due.h"

#include <assert.h>
#include <string.h>

#if BS_HAS_AVX2_VARIANT
#include <cpuid.h>

/*
 * Whether the processor has AVX2, BMI and LZCNT, and the system saves the wide registers. It asks
 * the processor itself, as the compiler's own helper keeps its answer in a global variable.
 */
static bool has_avx2(void) {
    unsigned a, b, c, d;
    const unsigned avx_and_osxsave = 1u << 28 | 1u << 27 | 1u << 23; /* And POPCNT. */
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & avx_and_osxsave) != avx_and_osxsave) {
        return false;
    }
    unsigned xcr0_low, xcr0_high;
    __asm__("xgetbv" : "=a"(xcr0_low), "=d"(xcr0_high) : "c"(0));
    if ((xcr0_low & 6) != 6) {
        return false;
    }
    const unsigned avx2_bmi1_bmi2 = 1u << 5 | 1u << 3 | 1u << 8;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & avx2_bmi1_bmi2) != avx2_bmi1_bmi2) {
        return false;
    }
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & 1u << 5) != 0; /* LZCNT */
}
#define BOTH(type)                                                                                 \
    { &type, &type##_avx2 }
#else
static bool has_avx2(void) {
    return false;
}
#define BOTH(type)                                                                                 \
    { &type, &type }
#endif

static const struct {
    const bs_backend_type *baseline, *avx2;
} types[] = {
    {&bs_auto_type, &bs_auto_type},
    BOTH(bs_brute_type),
    BOTH(bs_sweep_type),
    BOTH(bs_grid_type),
    BOTH(bs_tree_type),
};

const bs_backend_type *bs_backend_find(const char *name) {
    assert(name != NULL);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].baseline->name, name) == 0) {
            return has_avx2() ? types[i].avx2 : types[i].baseline;
        }
    }
    return NULL;
}

const char *bs_backend_name(const bs_backend_type *type) {
    return type->name;
}

/* --- making ---------------------------------------------------------------------------------- */

bs_backend *bs_backend_new(const bs_backend_type *type, bs_heap *heap, const bs_boxes *boxes,
                           uint8_t set, size_t count, const bs_settings *settings) {
    assert(set != BS_NO_SET && (set & BS_SET_BITS) == set);
    bs_backend base = {.type = type, .heap = heap, .boxes = boxes, .set = set, .count = count};
    bs_backend_renew(&base);
    return type->create(&base, settings);
}

void bs_backend_free(bs_backend *b) {
    bs_backend_renew(b);
    bs_list_free(b->heap, &b->found);
    b->type->destroy(b);
}

size_t bs_backend_reach(const bs_backend *b, const bs_changes *changes) {
    size_t reach = 0;
    if (changes == NULL) {
        reach = b->boxes->cap;
        while (reach > 0 && !bs_backend_holds(b, (uint32_t)(reach - 1))) {
            reach--;
        }
        return reach;
    }
    for (size_t i = 0; i < changes->replaced.n; i++) {
        const uint32_t box = changes->replaced.at[i];
        reach = box >= reach && bs_backend_holds(b, box) ? (size_t)box + 1 : reach;
    }
    return reach;
}

bool bs_places_reserve(bs_heap *heap, uint32_t **place, size_t *cap, size_t reach) {
    const size_t known = *cap;
    if (!bs_array_reserve(heap, place, cap, reach, sizeof **place)) {
        return false;
    }
    if (*cap > known) { /* Otherwise there may be no array. */
        memset(*place + known, 0xff, (*cap - known) * sizeof **place);
    }
    return true;
}

/* --- changes --------------------------------------------------------------------------------- */

void bs_backend_renew(bs_backend *b) {
    b->behind = b->changes.anew = true;
    bs_list_free(b->heap, &b->changes.replaced);
    bs_list_free(b->heap, &b->changes.moved);
}

void bs_backend_moved(bs_backend *b, const uint32_t *boxes, size_t n) {
    bs_changes *c = &b->changes;
    b->behind = true;
    c->noted += n;
    if (c->anew || c->all_moved) {
        return;
    }
    const size_t moved = c->moved.n + n;
    bool many = b->type->lists_all ? moved > b->count : bs_is_many_moved(moved, b->count);
    if (many || !bs_list_reserve(b->heap, &c->moved, n)) { /* Then all is looked at. */
        c->all_moved = true;
        c->moved.n = 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        c->moved.at[c->moved.n++] = boxes[i];
    }
}

static void note_replaced(bs_backend *b, uint32_t box) {
    bs_changes *c = &b->changes;
    b->behind = true;
    c->noted++;
    if (!c->anew && (bs_is_many_replaced(c->replaced.n, b->count) ||
                     !bs_list_add(b->heap, &c->replaced, box))) {
        bs_backend_renew(b);
    }
}

void bs_backend_came(bs_backend *b, uint32_t box) {
    b->count++;
    note_replaced(b, box);
}

void bs_backend_left(bs_backend *b, uint32_t box) {
    assert(b->count > 0);
    b->count--;
    note_replaced(b, box);
}

void bs_backend_tell(bs_backend *b, size_t count, const bs_changes *changes) {
    b->count = count;
    if (changes->anew) {
        bs_backend_renew(b);
    }
    for (size_t i = 0; i < changes->replaced.n; i++) {
        note_replaced(b, changes->replaced.at[i]);
    }
    bs_backend_moved(b, changes->moved.at, changes->moved.n);
    if (changes->all_moved) {
        b->changes.all_moved = true;
        b->changes.moved.n = 0;
    }
}

bool bs_backend_catch_up(bs_backend *b) {
    bs_changes *c = &b->changes;
    if (!(c->anew ? b->type->build(b) : b->type->sync(b, c))) {
        bs_backend_renew(b); /* It may have done a part. */
        return false;
    }
    c->replaced.n = c->moved.n = c->noted = 0;
    c->all_moved = c->anew = false;
    b->behind = false;
    return true;
}

/* --- queries --------------------------------------------------------------------------------- */

bool bs_backend_query_boxes(bs_backend *b, const uint32_t *boxes, size_t n, bs_list *out,
                            size_t *ends) {
    assert(n > 0 && n <= BS_TOGETHER);
    if (!bs_backend_sync(b)) {
        return false;
    }
    if (b->type->query_boxes != NULL) {
        return b->type->query_boxes(b, boxes, n, out, ends);
    }
    for (size_t i = 0; i < n; i++) {
        if (!b->type->query(b, &b->boxes->rect[boxes[i]], out)) {
            return false;
        }
        ends[i] = out->n;
    }
    return true;
}

/* Appends the pairs of a box with those of another back end, which has caught up. */
static bool cross_box(uint32_t box, bs_backend *other, bs_pairs *out) {
    bs_list *found = &other->found;
    found->n = 0;
    if (!other->type->query(other, &other->boxes->rect[box], found) ||
        !bs_pairs_reserve(other->heap, out, found->n)) {
        return false;
    }
    for (size_t i = 0; i < found->n; i++) {
        out->at[out->n++] = bs_pair_of(box, found->at[i]);
    }
    return true;
}

bool bs_backend_cross(bs_backend *b, bs_backend *other, bs_pairs *out) {
    assert(b != other && b->boxes == other->boxes);
    if (b->type->cross != NULL) {
        return bs_backend_sync(b) && bs_backend_sync(other) && b->type->cross(b, other, out);
    }
    bool done = bs_backend_sync(other);
    for (uint32_t box = 0; done && box < b->boxes->cap; box++) {
        done = !bs_backend_holds(b, box) || cross_box(box, other, out);
    }
    return done;
}

bool bs_pictures_add(bs_heap *heap, bs_pictures *pictures, bs_picture_kind kind,
                     const bs_rect *rect) {
    assert(pictures->n <= pictures->cap);
    return BS_APPEND(heap, pictures, (bs_picture){kind, *rect});
}
