/* picture.h: triangles of a frame, as the page draws them. All functions take places in pixels of
 * the program, before its transform. */
#ifndef WEB_PICTURE_H
#define WEB_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    float x, y; /* pixels, after the transform */
    float u, v;
    uint8_t color[4];
} picture_vertex;

/* Triangles of one texture; a scissor as wide as -1 is none. */
typedef struct {
    uint32_t texture, adds; /* whether light is added to what is there */
    int32_t scissor[4];
    uint32_t first, count; /* indices */
} picture_batch;

/* A texture that the page has to make: a font's letters where there are no bytes, else an image. */
typedef struct {
    uint32_t texture, w, h;
    float size;
    uint8_t *bytes;
} picture_texture;

/* Where the page finds them all: numbers of 32 bits. */
typedef struct {
    picture_vertex *vertices;
    uint32_t vertex_count;
    uint32_t *indices;
    uint32_t index_count;
    picture_batch *batches;
    uint32_t batch_count;
    picture_texture *textures;
    uint32_t texture_count;
    uint8_t background[4];
    uint32_t dropped; /* triangles for which there was no room */
} picture_all;

/* What the program has set. */
typedef struct {
    float transform[6]; /* x' = t0 x + t2 y + t4; y' = t1 x + t3 y + t5 */
    float color[4];
    float line_width;
    bool adds, rough;
    int32_t scissor[4];
} picture_settings;

extern picture_all picture;
extern picture_settings settings;

/* Room for so many vertices and indices with this texture: false if there is none. Each is added
 * by picture_corner, with an index counted from the first of them by picture_triangle. */
bool picture_reserve(uint32_t texture, int vertices, int triangles);
void picture_corner(float x, float y, float u, float v);
void picture_colored(float x, float y, float u, float v, const float *color);
void picture_triangle(int a, int b, int c);

/* Of n corners around a convex area; points is {x, y, ...}. */
void picture_fill(const float *points, int n);

/* Along n points, which end where they begin if they are closed. */
void picture_line(const float *points, int n, bool is_closed);

/* The number of a new texture; bytes are taken. */
uint32_t picture_new_texture(uint32_t w, uint32_t h, float size, uint8_t *bytes);

#endif
