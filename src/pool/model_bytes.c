/*
 * model_bytes.c: models as bytes, and patterns, which name them. A model stands behind those that
 * it fires, so that it is known what it names. Each has a hash of what it holds, and of the hashes
 * of those that it fires. By that it is found, and models that hold the same are one: bytes do not
 * tell how often a host has made a model.
 */
#include <math.h>
#include <string.h>

#include "pool_snapshot.h"

enum { NO_MODEL, SAME_MODEL, FIRST_MODEL }; /* names */
enum { MODEL_BYTES = 8 + 2 * 8 * DIM + 8 + 2 * 4 + 1 + 4 };

/* Flags of a pattern. */
enum { ODD = 1, RELATIVE = 2, HAS_SPEED = 4, ALL_FLAGS = 7 };

/* --- names ---------------------------------------------------------------------------------- */

static uint32_t name_of(const bs_models *models, const bs_model *model) {
    if (model == NULL) {
        return NO_MODEL;
    }
    uint32_t name = (uint32_t)*bs_table_value(&models->names, model->hash);
    assert(name != NO_MODEL);
    return name;
}

static const bs_model *model_named(bs_coder *c, const bs_models *models, uint64_t name) {
    bool fits = name == NO_MODEL || (name >= FIRST_MODEL && name - FIRST_MODEL < models->n);
    bs_expect(c, fits);
    return fits && name != NO_MODEL ? &models->at[name - FIRST_MODEL] : NULL;
}

const bs_model *bs_code_model(bs_coder *c, const bs_models *models, const bs_model *model) {
    uint64_t name = bs_code(c, c->reads ? 0 : name_of(models, model), 4);
    return c->reads ? model_named(c, models, name) : model;
}

/* --- patterns ------------------------------------------------------------------------------- */

/* Up to the model that it fires. */
static void visit_pattern(bs_coder *c, bs_pattern *pattern) {
    bool has_speed = !isnan(pattern->speed);
    double speed = has_speed ? pattern->speed : 0;
    uint32_t count = (uint32_t)pattern->count;
    bs_code_numbers(c, pattern->offset, DIM);
    bs_code_numbers(c, &pattern->angle, 1);
    bs_code_numbers(c, &speed, 1);
    bs_code_numbers(c, &pattern->nway_angle, 1);
    bs_code_u32(c, &pattern->delay);
    bs_code_u32(c, &pattern->cycle);
    bs_code_u32(c, &count);
    bs_code_u32(c, &pattern->nway);
    bs_code_u32(c, &pattern->circle);
    uint64_t flags = (pattern->circle_odd ? ODD : 0) | (pattern->relative ? RELATIVE : 0) |
                     (has_speed ? HAS_SPEED : 0);
    flags = bs_code(c, flags, 1);
    pattern->count = (int32_t)count;
    pattern->speed = (flags & HAS_SPEED) != 0 ? speed : pattern->speed;
    pattern->circle_odd = (flags & ODD) != 0;
    pattern->relative = (flags & RELATIVE) != 0;
    bs_expect(c, flags <= ALL_FLAGS && pattern->delay <= INT32_MAX);
    bs_expect(c, pattern->cycle > 0 && pattern->cycle <= INT32_MAX);
    bs_expect(c, pattern->nway > 0 && pattern->nway <= UINT16_MAX);
    bs_expect(c, pattern->circle > 0 && pattern->circle <= UINT16_MAX);
}

void bs_code_pattern(bs_coder *c, const bs_models *models, bs_pattern *pattern) {
    visit_pattern(c, pattern);
    pattern->model = bs_code_model(c, models, pattern->model);
}

/* --- models --------------------------------------------------------------------------------- */

/* A model up to its patterns, of which there are `most` at most. */
static void visit_model(bs_coder *c, bs_model *model, uint32_t most) {
    uint64_t tag = (uint64_t)model->tag;
    uint32_t mask = model->has_mask ? model->mask : 0;
    bs_code_numbers(c, &model->speed, 1);
    for (int k = 0; k < DIM; k++) {
        double size = model->size[k] < 0 ? -1 : model->size[k];
        bs_code_numbers(c, &size, 1);
        bs_expect(c, size >= 0 || size == -1);
        model->size[k] = size;
    }
    bs_code_numbers(c, model->acceleration, DIM);
    tag = bs_code(c, tag, 8);
    bs_code_u32(c, &model->life);
    bs_code_u32(c, &mask);
    bs_code_bool(c, &model->has_mask);
    bs_code_u32(c, &model->emitters);
    model->tag = (int64_t)tag;
    model->mask = mask;
    bs_expect(c, model->life <= INT32_MAX && model->emitters <= most);
}

/* A pattern of a model, which may be what it fires itself. */
static void visit_fired(bs_coder *c, const bs_models *models, const bs_model *model,
                        bs_pattern *pattern) {
    bool is_same = !c->reads && pattern->model == model;
    visit_pattern(c, pattern);
    uint64_t name = c->reads ? 0 : is_same ? SAME_MODEL : name_of(models, pattern->model);
    name = bs_code(c, name, 4);
    if (c->reads) {
        pattern->model = name == SAME_MODEL ? model : model_named(c, models, name);
    }
}

/* --- reading -------------------------------------------------------------------------------- */

static void visit_counts(bs_coder *c, uint32_t *models, uint32_t *patterns) {
    *models = bs_code_count(c, *models, MODEL_BYTES);
    *patterns = bs_code_count(c, *patterns, BS_PATTERN_BYTES);
}

bs_models bs_read_models(bs_coder *c, void *memory) {
    uint32_t n = 0;
    uint32_t patterns = 0;
    visit_counts(c, &n, &patterns);
    n = c->problem == NULL ? n : 0;
    bs_models models = {.at = memory};
    bs_pattern *pattern = n > 0 ? (bs_pattern *)(models.at + n) : NULL;
    while (models.n < n && c->problem == NULL) {
        bs_model *model = &models.at[models.n];
        *model = bs_model_default();
        visit_model(c, model, patterns);
        model->emitters = c->problem == NULL ? model->emitters : 0;
        model->emitter = pattern;
        patterns -= model->emitters;
        for (uint32_t k = 0; k < model->emitters; k++) {
            *pattern = bs_pattern_default();
            visit_fired(c, &models, model, pattern++);
        }
        if (c->problem == NULL) { /* Otherwise it holds what cannot be written. */
            bs_model_seal(model);
        }
        models.n++;
    }
    bs_expect(c, patterns == 0);
    return models;
}

size_t bs_pool_models_size(const void *bytes, size_t n) {
    bs_coder c = bs_begin_reading(&bs_pool_format, NULL, bytes, n);
    uint32_t models = 0;
    uint32_t patterns = 0;
    visit_counts(&c, &models, &patterns);
    return c.problem == NULL ? models * sizeof(bs_model) + patterns * sizeof(bs_pattern) : 0;
}

/* --- hashing -------------------------------------------------------------------------------- */

void bs_model_seal(bs_model *model) {
    unsigned char memory[MODEL_BYTES + BS_PATTERN_BYTES + 2 * 8];
    bs_bytes bytes = {memory, 0, sizeof memory};
    bs_coder c = {.format = &bs_pool_format, .out = &bytes};
    bs_model copy = *model;
    visit_model(&c, &copy, UINT32_MAX);
    for (uint32_t i = 0; i < model->emitters; i++) {
        bs_pattern pattern = model->emitter[i];
        const bs_model *fires = pattern.model;
        uint64_t before = bs_hash(bytes.at, bytes.n);
        bytes.n = 0;
        bs_code(&c, before, 8);
        visit_pattern(&c, &pattern);
        bs_code(&c, fires == model ? SAME_MODEL : fires != NULL ? fires->hash : NO_MODEL, 8);
    }
    model->hash = bs_hash(bytes.at, bytes.n);
}

/* --- writing -------------------------------------------------------------------------------- */

/* Names a model; all that it fires have names. False: no memory. */
static bool name_model(bs_models *models, const bs_model *model, bs_heap *heap) {
    assert(model->hash != 0); /* else it is not sealed */
    if (!bs_array_reserve(heap, &models->list, &models->list_cap, (size_t)models->n + 1,
                          sizeof *models->list)) {
        return false;
    }
    *bs_table_value(&models->names, model->hash) = FIRST_MODEL + models->n;
    models->list[models->n++] = model;
    models->patterns += model->emitters;
    return true;
}

static bool has_name(const bs_models *models, const bs_model *model) {
    return *bs_table_value(&models->names, model->hash) != NO_MODEL;
}

/* What it fires, and then the model itself, unless they have names. False: no memory. */
static bool list_model(bs_models *models, const bs_model *model, bs_heap *heap) {
    size_t n = 0;
    do {
        if (!bs_table_reserve(heap, &models->names, (size_t)models->n + 1) ||
            !bs_array_reserve(heap, &models->level, &models->level_cap, n + 1,
                              sizeof *models->level)) {
            return false;
        }
        bool is_same = n > 0 && model == models->level[n - 1].model;
        if (model != NULL && !is_same && !has_name(models, model)) {
            models->level[n++] = (bs_model_level){model, 0};
        }
        bs_model_level *top = n > 0 ? &models->level[n - 1] : NULL;
        assert(top == NULL || top->model != NULL);
        model = NULL;
        if (top != NULL && top->next < top->model->emitters) {
            model = top->model->emitter[top->next++].model;
        } else if (top != NULL && !name_model(models, models->level[--n].model, heap)) {
            return false;
        }
    } while (n > 0);
    return true;
}

bool bs_list_models(bs_models *models, const bs_pool *p, bs_heap *heap) {
    bool done = true;
    for (size_t i = 0; done && i < p->state.emitters; i++) {
        done = list_model(models, p->emitter[i].pattern.model, heap);
    }
    for (uint32_t i = 0; done && p->state.carriers > 0 && i < p->state.count; i++) {
        done = list_model(models, p->model[i], heap);
    }
    return done;
}

void bs_put_models(bs_coder *c, bs_models *models) {
    visit_counts(c, &models->n, &models->patterns);
    for (uint32_t i = 0; i < models->n; i++) {
        bs_model model = *models->list[i];
        visit_model(c, &model, UINT32_MAX);
        for (uint32_t k = 0; k < model.emitters; k++) {
            bs_pattern pattern = model.emitter[k];
            visit_fired(c, models, models->list[i], &pattern);
        }
    }
}

void bs_free_models(bs_models *models, bs_heap *heap) {
    bs_array_free(heap, &models->list, &models->list_cap, sizeof *models->list);
    bs_table_free(heap, &models->names);
    bs_array_free(heap, &models->level, &models->level_cap, sizeof *models->level);
}
