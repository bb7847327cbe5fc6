/*
 * models.c: models as bytes; read_models.c reads them. A model stands behind those that it fires,
 * so that it is known what it names; and those that hold the same, as their bytes then show, are
 * one: bytes do not tell how often a host has made a model.
 */
#include "snapshot.h"

#include <math.h>
#include <string.h>

#include "base/table.h"

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
    bs_table names;  /* by address; BS_SAME_MODEL: its bytes are yet to be written */
    bs_table hashes; /* of bytes of models: their names */
    size_t *begin;   /* of the bytes of a model */
    size_t begin_cap;
    level *level;
    size_t level_cap;
};

static uint64_t key_of(const bs_model *model) {
    return (uint64_t)(uintptr_t)model;
}

uint32_t bs_model_name(const bs_model_list *list, const bs_model *model) {
    uint64_t name = model != NULL ? bs_table_find(&list->names, key_of(model)) : BS_NO_MODEL;
    assert(model == NULL || name >= BS_FIRST_MODEL); /* else models fire each other in a circle */
    return (uint32_t)name;
}

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
           (pattern->circle_odd ? BS_PATTERN_ODD : 0) |
               (pattern->relative ? BS_PATTERN_RELATIVE : 0) |
               (has_speed ? BS_PATTERN_HAS_SPEED : 0),
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
    for (*hash = bs_hash(at, n); (name = bs_table_find(&list->hashes, *hash)) != 0; ++*hash) {
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
        if (!bs_table_enter(&list->hashes, list->heap, hash, name)) {
            return false;
        }
    }
    return bs_table_enter(&list->names, list->heap, key_of(model), name);
}

/* What it fires, and then the model itself, if it has no name yet. False: no memory. */
static bool list_model(bs_model_list *list, const bs_model *model) {
    size_t n = 0;
    while (model != NULL || n > 0) {
        if (model != NULL && bs_table_find(&list->names, key_of(model)) == 0) {
            if (!bs_table_enter(&list->names, list->heap, key_of(model), BS_SAME_MODEL) ||
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
    bs_table_free(&list->names, heap);
    bs_table_free(&list->hashes, heap);
    bs_array_free(heap, &list->begin, &list->begin_cap, sizeof *list->begin);
    bs_array_free(heap, &list->level, &list->level_cap, sizeof *list->level);
    bs_heap_free(heap, list, sizeof *list);
}

void bs_put_models(bs_writer *w, const bs_model_list *list) {
    bs_put(w, list->n, 4);
    bs_put(w, list->patterns, 4);
    bs_put_bytes(w, list->bytes.at, list->bytes.n);
}
