/*
 * models.c: models as bytes. A model stands behind those that it fires, so that it is known what it
 * names; and those that hold the same, as their bytes then show, are one: bytes do not tell
 * how often a host has made a model.
 */
#include "snapshot.h"

#include <math.h>
#include <string.h>

/* --- a table -------------------------------------------------------------------------------- */

/* Numbers by keys, in open addressing; 0 is no number. */
typedef struct table {
    bs_keyed *at;
    size_t cap; /* a power of two, or 0 */
    size_t n;
} table;

/* The place of the key, or of that where it would be. */
static bs_keyed *find(const table *t, uint64_t key) {
    size_t i = bs_hash((const unsigned char *)&key, sizeof key);
    while (t->at[i &= t->cap - 1].value != 0 && t->at[i].key != key) {
        i++;
    }
    return &t->at[i];
}

/* 0: it is not there. */
static uint64_t look_up(const table *t, uint64_t key) {
    return t->n > 0 ? find(t, key)->value : 0;
}

/* At least half of the places are free. False: no memory. */
static bool enter(table *t, bs_heap *heap, uint64_t key, uint64_t value) {
    assert(value > 0);
    if (2 * t->n >= t->cap) {
        enum { FEW = 16 };
        table more = {.cap = t->cap > 0 ? 2 * t->cap : FEW};
        more.at = bs_heap_new(heap, more.cap * sizeof *more.at);
        if (more.at == NULL) {
            return false;
        }
        for (size_t i = 0; i < t->cap; i++) {
            if (t->at[i].value != 0) {
                *find(&more, t->at[i].key) = t->at[i];
            }
        }
        more.n = t->n;
        bs_heap_free(heap, t->at, t->cap * sizeof *t->at);
        *t = more;
    }
    bs_keyed *place = find(t, key);
    t->n += place->value == 0;
    *place = (bs_keyed){key, value};
    return true;
}

/* --- listing -------------------------------------------------------------------------------- */

/* A model on the way from one that is to be listed to one that it fires. */
typedef struct level {
    const bs_model *model;
    uint32_t next; /* pattern to look at */
} level;

struct bs_model_list {
    bs_heap *heap;
    bs_writer out; /* to `bytes` */
    bs_bytes bytes;
    uint32_t n, patterns;
    table names;   /* by address; BS_SAME_MODEL: its bytes are yet to be written */
    table hashes;  /* of bytes of models: their names */
    size_t *begin; /* of the bytes of a model */
    size_t begin_cap;
    level *level;
    size_t level_cap;
};

static uint64_t key_of(const bs_model *model) {
    return (uint64_t)(uintptr_t)model;
}

uint32_t bs_model_name(const bs_model_list *list, const bs_model *model) {
    uint64_t name = model != NULL ? look_up(&list->names, key_of(model)) : BS_NO_MODEL;
    assert(model == NULL || name >= BS_FIRST_MODEL); /* else models fire each other in a circle */
    return (uint32_t)name;
}

enum { ODD = 1, RELATIVE = 2, HAS_SPEED = 4 };

void bs_put_pattern(bs_writer *w, const bs_pattern *pattern, uint32_t model) {
    bool has_speed = !isnan(pattern->speed);
    double numbers[] = {pattern->angle, has_speed ? pattern->speed : 0, pattern->nway_angle};
    bs_put_numbers(w, pattern->offset, DIM);
    bs_put_numbers(w, numbers, 3);
    bs_put(w, pattern->delay, 4);
    bs_put(w, pattern->cycle, 4);
    bs_put(w, (uint32_t)pattern->count, 4);
    bs_put(w, pattern->nway, 4);
    bs_put(w, pattern->circle, 4);
    bs_put(w,
           (pattern->circle_odd ? ODD : 0) | (pattern->relative ? RELATIVE : 0) |
               (has_speed ? HAS_SPEED : 0),
           1);
    bs_put(w, model, 4);
}

static void put_model(bs_model_list *list, const bs_model *model) {
    bs_writer *w = &list->out;
    bs_put_numbers(w, &model->speed, 1);
    for (int k = 0; k < DIM; k++) {
        double size = model->size[k] < 0 ? -1 : model->size[k];
        bs_put_numbers(w, &size, 1);
    }
    bs_put_numbers(w, model->acceleration, DIM);
    bs_put(w, (uint64_t)model->tag, 8);
    bs_put(w, model->life, 4);
    bs_put(w, model->has_mask ? model->mask : 0, 4);
    bs_put(w, model->has_mask, 1);
    bs_put(w, model->emitters, 4);
    for (uint32_t i = 0; i < model->emitters; i++) {
        const bs_model *fired = model->emitter[i].model;
        bs_put_pattern(w, &model->emitter[i],
                       fired == model ? BS_SAME_MODEL : bs_model_name(list, fired));
    }
}

/* The name of a model with the last bytes that are there, from `begin` on; 0: there is none. */
static uint64_t find_bytes(const bs_model_list *list, size_t begin, uint64_t *hash) {
    const unsigned char *at = list->bytes.at + begin;
    size_t n = list->bytes.n - begin;
    uint64_t name;
    for (*hash = bs_hash(at, n); (name = look_up(&list->hashes, *hash)) != 0; ++*hash) {
        size_t other = list->begin[name - BS_FIRST_MODEL];
        size_t end = list->begin[name - BS_FIRST_MODEL + 1];
        if (end - other == n && memcmp(list->bytes.at + other, at, n) == 0) {
            break;
        }
    }
    return name;
}

/* Names a model; all that it fires have names. False: no memory. */
static bool name_model(bs_model_list *list, const bs_model *model) {
    uint64_t hash;
    size_t begin = list->bytes.n;
    put_model(list, model);
    if (list->out.failed || !bs_array_reserve(list->heap, &list->begin, &list->begin_cap,
                                              (size_t)list->n + 2, sizeof *list->begin)) {
        return false;
    }
    list->begin[list->n] = begin;
    uint64_t name = find_bytes(list, begin, &hash);
    if (name != 0) {
        list->bytes.n = begin;
    } else {
        name = BS_FIRST_MODEL + list->n++;
        list->begin[list->n] = list->bytes.n;
        list->patterns += model->emitters;
        if (!enter(&list->hashes, list->heap, hash, name)) {
            return false;
        }
    }
    return enter(&list->names, list->heap, key_of(model), name);
}

/* What it fires, and then the model itself, if it has no name yet. False: no memory. */
static bool list_model(bs_model_list *list, const bs_model *model) {
    size_t n = 0;
    while (model != NULL || n > 0) {
        if (model != NULL && look_up(&list->names, key_of(model)) == 0) {
            if (!enter(&list->names, list->heap, key_of(model), BS_SAME_MODEL) ||
                !bs_array_reserve(list->heap, &list->level, &list->level_cap, n + 1,
                                  sizeof *list->level)) {
                return false;
            }
            list->level[n++] = (level){model, 0};
        }
        level *top = n > 0 ? &list->level[n - 1] : NULL;
        model = NULL;
        if (top != NULL && top->next < top->model->emitters) {
            model = top->model->emitter[top->next++].model;
        } else if (top != NULL) {
            n--;
            if (!name_model(list, top->model)) {
                return false;
            }
        }
    }
    return true;
}

bs_model_list *bs_list_models(const bs_pool *p, bs_heap *heap) {
    bs_model_list *list = bs_heap_new(heap, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    list->heap = heap;
    list->out = (bs_writer){heap, &list->bytes, false};
    bool done = true;
    for (size_t i = 0; done && i < p->emitters; i++) {
        done = list_model(list, p->emitter[i].pattern.model);
    }
    for (uint32_t i = 0; done && p->carriers > 0 && i < p->count; i++) {
        done = list_model(list, p->model[i]);
    }
    if (!done) {
        bs_model_list_free(list, heap);
    }
    return done ? list : NULL;
}

void bs_model_list_free(bs_model_list *list, bs_heap *heap) {
    bs_array_free(heap, &list->bytes.at, &list->bytes.cap, 1);
    bs_array_free(heap, &list->names.at, &list->names.cap, sizeof *list->names.at);
    bs_array_free(heap, &list->hashes.at, &list->hashes.cap, sizeof *list->hashes.at);
    bs_array_free(heap, &list->begin, &list->begin_cap, sizeof *list->begin);
    bs_array_free(heap, &list->level, &list->level_cap, sizeof *list->level);
    bs_heap_free(heap, list, sizeof *list);
}

void bs_put_models(bs_writer *w, const bs_model_list *list) {
    bs_put(w, list->n, 4);
    bs_put(w, list->patterns, 4);
    bs_put_bytes(w, list->bytes.at, list->bytes.n);
}

/* --- reading -------------------------------------------------------------------------------- */

void bs_get_model_counts(bs_reader *r, uint32_t *models, uint32_t *patterns) {
    *models = (uint32_t)bs_get(r, 4);
    *patterns = (uint32_t)bs_get(r, 4);
    if (*models > r->left / BS_MODEL_BYTES || *patterns > r->left / BS_PATTERN_BYTES) {
        bs_refuse(r);
        *models = 0;
        *patterns = 0;
    }
}

const bs_model *bs_get_model(bs_reader *r, const bs_models *models) {
    uint64_t name = bs_get(r, 4);
    if (name == BS_NO_MODEL) {
        return NULL;
    }
    if (name < BS_FIRST_MODEL || name - BS_FIRST_MODEL >= models->n) {
        bs_refuse(r);
        return NULL;
    }
    return &models->at[name - BS_FIRST_MODEL];
}

/* Up to the model that it fires. */
static bs_pattern get_pattern(bs_reader *r) {
    bs_pattern pattern = bs_pattern_default();
    double numbers[3];
    bs_get_numbers(r, pattern.offset, DIM);
    bs_get_numbers(r, numbers, 3);
    pattern.delay = (uint32_t)bs_get(r, 4);
    pattern.cycle = (uint32_t)bs_get(r, 4);
    pattern.count = (int32_t)(uint32_t)bs_get(r, 4);
    pattern.nway = (uint32_t)bs_get(r, 4);
    pattern.circle = (uint32_t)bs_get(r, 4);
    uint64_t flags = bs_get(r, 1);
    pattern.angle = numbers[0];
    pattern.speed = (flags & HAS_SPEED) != 0 ? numbers[1] : pattern.speed;
    pattern.nway_angle = numbers[2];
    pattern.circle_odd = (flags & ODD) != 0;
    pattern.relative = (flags & RELATIVE) != 0;
    if (flags > (ODD | RELATIVE | HAS_SPEED) || pattern.delay > INT32_MAX || pattern.cycle == 0 ||
        pattern.cycle > INT32_MAX || pattern.nway == 0 || pattern.nway > UINT16_MAX ||
        pattern.circle == 0 || pattern.circle > UINT16_MAX) {
        bs_refuse(r);
    }
    return pattern;
}

bs_pattern bs_get_pattern(bs_reader *r, const bs_models *models) {
    bs_pattern pattern = get_pattern(r);
    pattern.model = bs_get_model(r, models);
    return pattern;
}

static bool is_size(double x) {
    return x >= 0 || x == -1;
}

/* Up to its patterns, of which `left` are there. */
static bs_model get_model(bs_reader *r, uint32_t left) {
    bs_model model = bs_model_default();
    bs_get_numbers(r, &model.speed, 1);
    bs_get_numbers(r, model.size, DIM);
    bs_get_numbers(r, model.acceleration, DIM);
    model.tag = (int64_t)bs_get(r, 8);
    model.life = (uint32_t)bs_get(r, 4);
    model.mask = (uint32_t)bs_get(r, 4);
    uint64_t has_mask = bs_get(r, 1);
    model.has_mask = has_mask != 0;
    model.emitters = (uint32_t)bs_get(r, 4);
    bool fine = has_mask <= 1 && model.life <= INT32_MAX && model.emitters <= left;
    for (int k = 0; k < DIM; k++) {
        fine = fine && is_size(model.size[k]);
    }
    if (!fine) {
        bs_refuse(r);
        model.emitters = 0;
    }
    return model;
}

bs_models bs_get_models(bs_reader *r, void *memory) {
    uint32_t n, patterns;
    bs_get_model_counts(r, &n, &patterns);
    bs_models models = {memory, 0};
    bs_pattern *pattern = n > 0 ? (bs_pattern *)(models.at + n) : NULL;
    for (uint32_t i = 0; i < n && r->problem == NULL; i++) {
        bs_model *model = &models.at[i];
        *model = get_model(r, patterns);
        model->emitter = pattern;
        patterns -= model->emitters;
        for (uint32_t k = 0; k < model->emitters; k++) {
            *pattern = get_pattern(r);
            bs_reader same = *r;
            if (bs_get(&same, 4) == BS_SAME_MODEL) {
                *r = same;
                pattern->model = model;
            } else {
                pattern->model = bs_get_model(r, &models);
            }
            pattern++;
        }
        models.n++;
    }
    if (patterns > 0) {
        bs_refuse(r);
    }
    return models;
}

size_t bs_pool_models_size(const void *bytes, size_t n) {
    bs_reader r = bs_read_bytes(&bs_pool_format, bytes, n);
    uint32_t models, patterns;
    bs_get_model_counts(&r, &models, &patterns);
    return models * sizeof(bs_model) + patterns * sizeof(bs_pattern);
}
