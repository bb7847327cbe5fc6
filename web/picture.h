/*
 * picture.h: the triangles of a frame, which the page draws. All functions take places in pixels of
 * the program, before its transform.
 */
#ifndef WEB_PICTURE_H
#define WEB_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    float x, y; /* pixels, after the transform */
    float u, v;
    uint8_t color[4];
} picture_vertex;

/* Triangles with the same texture. A scissor with a width of -1 does not cut anything off. */
typedef struct {
    /* Adds: whether light is added to the picture, instead of covering it. */
    uint32_t texture, adds;
    int32_t scissor[4];
    uint32_t first, count; /* range of indices */
} picture_batch;

/* A texture that the page has to make: an image, or the letters of a font if there are no bytes. */
typedef struct {
    uint32_t texture, w, h;
    float size;
    uint8_t *bytes;
} picture_texture;

/* Where the page finds all of this. All fields have 32 bits. */
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

/* The settings of the program. */
typedef struct {
    float transform[6]; /* x' = t0 x + t2 y + t4; y' = t1 x + t3 y + t5 */
    float color[4];
    float line_width;
    bool adds, rough;
    int32_t scissor[4];
} picture_settings;

extern picture_all picture;
extern picture_settings settings;

/*
 * Makes room for that many vertices and triangles with this texture. Returns false if there is no
 * room. Add the vertices with picture_corner, then the triangles with picture_triangle, which
 * counts vertices from the first of this reservation.
 */
bool picture_reserve(uint32_t texture, int vertices, int triangles);
void picture_corner(float x, float y, float u, float v);
void picture_colored(float x, float y, float u, float v, const float *color);
void picture_triangle(int a, int b, int c);

/* Fills a convex area with n corners; points is {x, y, ...}. */
void picture_fill(const float *points, int n);

/* Draws a line through n points. A closed line returns to its first point. */
void picture_line(const float *points, int n, bool is_closed);

/* Returns the number of a new texture, which takes over `bytes`. */
uint32_t picture_new_texture(uint32_t w, uint32_t h, float size, uint8_t *bytes);

#endif
