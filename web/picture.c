/* picture.c: collects the triangles of a frame. */
#include "picture.h"

#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 2000000, MOST_TEXTURES = 256 };

picture_all picture;
picture_settings settings;

static uint32_t vertex_room, index_room, batch_room, texture_room, next_texture = 1;
static uint32_t first; /* the first vertex of the last reservation */

static bool grow(void **list, uint32_t *room, uint32_t need, size_t size) {
    if (need <= *room) {
        return true;
    }
    uint32_t wanted = need > 2 * *room ? need : 2 * *room;
    void *moved = realloc(*list, wanted * size);
    if (moved != NULL) {
        *list = moved;
        *room = wanted;
    }
    return moved != NULL;
}

static bool fits(const picture_batch *batch, uint32_t texture) {
    return batch->texture == texture && batch->adds == settings.adds &&
           memcmp(batch->scissor, settings.scissor, sizeof batch->scissor) == 0;
}

static bool begin_batch(uint32_t texture) {
    if (picture.batch_count > 0 && fits(&picture.batches[picture.batch_count - 1], texture)) {
        return true;
    }
    if (!grow((void **)&picture.batches, &batch_room, picture.batch_count + 1,
              sizeof *picture.batches)) {
        return false;
    }
    picture_batch *batch = &picture.batches[picture.batch_count++];
    batch->texture = texture;
    batch->adds = settings.adds;
    memcpy(batch->scissor, settings.scissor, sizeof batch->scissor);
    batch->first = picture.index_count;
    batch->count = 0;
    return true;
}

bool picture_reserve(uint32_t texture, int vertices, int triangles) {
    uint32_t all = picture.vertex_count + (uint32_t)vertices;
    bool has_room = all <= MOST_VERTICES &&
                    grow((void **)&picture.vertices, &vertex_room, all, sizeof *picture.vertices) &&
                    grow((void **)&picture.indices, &index_room,
                         picture.index_count + 3 * (uint32_t)triangles, sizeof *picture.indices) &&
                    begin_batch(texture);
    if (!has_room) {
        picture.dropped += (uint32_t)triangles;
    }
    first = picture.vertex_count;
    return has_room;
}

static uint8_t to_byte(float part) {
    return (uint8_t)(part <= 0 ? 0 : part >= 1 ? 255 : part * 255 + 0.5F);
}

void picture_colored(float x, float y, float u, float v, const float *color) {
    picture_vertex *vertex = &picture.vertices[picture.vertex_count++];
    const float *t = settings.transform;
    vertex->x = t[0] * x + t[2] * y + t[4];
    vertex->y = t[1] * x + t[3] * y + t[5];
    vertex->u = u;
    vertex->v = v;
    for (int i = 0; i < 4; i++) {
        vertex->color[i] = to_byte(color[i] * settings.color[i]);
    }
}

void picture_corner(float x, float y, float u, float v) {
    static const float white[4] = {1, 1, 1, 1};
    picture_colored(x, y, u, v, white);
}

void picture_triangle(int a, int b, int c) {
    uint32_t *index = &picture.indices[picture.index_count];
    index[0] = first + (uint32_t)a;
    index[1] = first + (uint32_t)b;
    index[2] = first + (uint32_t)c;
    picture.index_count += 3;
    picture.batches[picture.batch_count - 1].count += 3;
}

void picture_fill(const float *points, int n) {
    if (n < 3 || !picture_reserve(0, n, n - 2)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        picture_corner(points[2 * i], points[2 * i + 1], 0, 0);
    }
    for (int i = 1; i + 1 < n; i++) {
        picture_triangle(0, i, i + 1);
    }
}

/* The direction from a to b as a unit vector. Returns false if they are at the same place. */
static bool direction(const float *a, const float *b, float *out) {
    float x = b[0] - a[0], y = b[1] - a[1], length = sqrtf(x * x + y * y);
    if (!(length > 1e-6F)) {
        return false;
    }
    out[0] = x / length;
    out[1] = y / length;
    return true;
}

/* Where a line bends, its edges are mitred. A sharp bend is cut off. */
static void put_bend(const float *point, const float *in, const float *out, float half) {
    float nx = -(in[1] + out[1]), ny = in[0] + out[0];
    float along = nx * -out[1] + ny * out[0]; /* 1 + cos of the bend */
    float scale = along > 0.2F ? half / along : half / 0.2F;
    if (along <= 0.001F) {
        nx = -out[1];
        ny = out[0];
        scale = half;
    }
    picture_corner(point[0] + nx * scale, point[1] + ny * scale, 0, 0);
    picture_corner(point[0] - nx * scale, point[1] - ny * scale, 0, 0);
}

/* Copies the points without those that repeat the one before. Returns how many are left. */
static int without_doubles(const float *points, int n, bool is_closed, float *out) {
    int left = 0;
    float way[2];
    for (int i = 0; i < n; i++) {
        if (left == 0 || direction(&out[2 * left - 2], &points[2 * i], way)) {
            out[2 * left] = points[2 * i];
            out[2 * left + 1] = points[2 * i + 1];
            left++;
        }
    }
    while (is_closed && left > 1 && !direction(&out[2 * left - 2], out, way)) {
        left--;
    }
    return left;
}

static void line_along(const float *p, int n, bool is_closed) {
    int segments = is_closed ? n : n - 1;
    if (!picture_reserve(0, 2 * n, 2 * segments)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        float in[2], out[2];
        bool has_in = i > 0 || is_closed, has_out = i + 1 < n || is_closed;
        direction(&p[2 * ((i + n - 1) % n)], &p[2 * i], in);
        direction(&p[2 * i], &p[2 * ((i + 1) % n)], out);
        put_bend(&p[2 * i], has_in ? in : out, has_out ? out : in, settings.line_width / 2);
    }
    for (int i = 0; i < segments; i++) {
        int a = 2 * i, b = 2 * ((i + 1) % n);
        picture_triangle(a, a + 1, b);
        picture_triangle(b, a + 1, b + 1);
    }
}

void picture_line(const float *points, int n, bool is_closed) {
    float *p = malloc(2 * sizeof *p * (size_t)(n > 0 ? n : 1));
    if (p == NULL) {
        return;
    }
    int left = without_doubles(points, n, is_closed, p);
    if (left >= 2) {
        line_along(p, left, is_closed && left > 2);
    }
    free(p);
}

uint32_t picture_new_texture(uint32_t w, uint32_t h, float size, uint8_t *bytes) {
    if (picture.texture_count >= MOST_TEXTURES ||
        !grow((void **)&picture.textures, &texture_room, picture.texture_count + 1,
              sizeof *picture.textures)) {
        free(bytes);
        return 0;
    }
    picture_texture *texture = &picture.textures[picture.texture_count++];
    texture->texture = next_texture++;
    texture->w = w;
    texture->h = h;
    texture->size = size;
    texture->bytes = bytes;
    return texture->texture;
}

/* Drops the picture after the page has taken it. */
EMSCRIPTEN_KEEPALIVE void web_taken(void) {
    picture.vertex_count = picture.index_count = picture.batch_count = picture.dropped = 0;
    for (uint32_t i = 0; i < picture.texture_count; i++) {
        free(picture.textures[i].bytes);
    }
    picture.texture_count = 0;
}

EMSCRIPTEN_KEEPALIVE picture_all *web_picture(void) {
    return &picture;
}
