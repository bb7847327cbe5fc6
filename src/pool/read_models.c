/* read_models.c: models out of bytes, which may come from anywhere; models.c writes them. */
#include "snapshot.h"

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
    pattern.speed = (flags & BS_PATTERN_HAS_SPEED) != 0 ? numbers[1] : pattern.speed;
    pattern.nway_angle = numbers[2];
    pattern.circle_odd = (flags & BS_PATTERN_ODD) != 0;
    pattern.relative = (flags & BS_PATTERN_RELATIVE) != 0;
    if (flags > (BS_PATTERN_ODD | BS_PATTERN_RELATIVE | BS_PATTERN_HAS_SPEED) ||
        pattern.delay > INT32_MAX || pattern.cycle == 0 || pattern.cycle > INT32_MAX ||
        pattern.nway == 0 || pattern.nway > UINT16_MAX || pattern.circle == 0 ||
        pattern.circle > UINT16_MAX) {
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
