/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scenes that the rasterizer and llvmpipe are measured on: lists of triangles for
 * 640 x 480 pixels of 16 bits with a depth buffer of 16 bits, textured with
 * bilinear filtering and perspective, Gouraud shaded, each layer in front
 * of those before it.
 */
#ifndef NV3_BENCH_SCENE_H
#define NV3_BENCH_SCENE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SCENE_WIDTH     640
#define SCENE_HEIGHT    480
#define SCENE_TEX_LOG2  8

typedef struct SceneVertex {
    float x, y, z;          /* pixels; 0 near to 1 far */
    float rhw;
    float u, v;             /* textures */
    uint8_t rgba[4];
} SceneVertex;

typedef struct Scene {
    unsigned count;         /* vertices, three a triangle */
    SceneVertex *vertex;
    bool blend;
    uint64_t pixels;        /* that it covers, filled in by the core */
} Scene;

/*
 * Seconds that this thread has had of a CPU. Both sides run on this thread alone,
 * and other load on the machine does not count.
 */
static inline double scene_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* The screen, @layers times over, by two triangles each. */
void scene_fill(Scene *s, unsigned layers, bool blend);
/* Triangles of 25 pixels all over the screen, @layers times over. */
void scene_small(Scene *s, unsigned layers);
void scene_free(Scene *s);

/* SCENE_TEX_LOG2 squared texels of R5G6B5, line by line. */
void scene_texture(uint16_t *linear);

/*
 * llvmpipe on one thread. False when there is none here (built without EGL, or no
 * such driver); then the rest must not be called.
 */
bool llvmpipe_open(void);
/* Seconds of CPU that it takes to draw the scene. */
double llvmpipe_draw(const Scene *s);
/* The picture, R5G6B5, top line first. */
void llvmpipe_read(uint16_t *pixels);

/*
 * llvmpipe with fragment shaders, into 32-bit pixels without depth. llvmpipe_open() must
 * not be called as well. @texels: A8R8G8B8, @side squared.
 */
bool llvmpipe_open_programs(const uint32_t *texels, unsigned side);
/*
 * Chooses a shader of bench_programs.c: its main function. It finds sampler, texcoord,
 * normal, position3 and color. False if it does not compile.
 */
bool llvmpipe_program(const char *fragment);
/* Seconds of CPU that it takes to draw the screen @layers times. */
double llvmpipe_draw_program(unsigned layers);
/* The picture, X8R8G8B8, top line first. */
void llvmpipe_read32(uint32_t *pixels);

/*
 * llvmpipe with a lit vertex shader: @count vertices of four floats of position and three
 * of normal, all culled. To be called after llvmpipe_open(), and after the last
 * llvmpipe_draw().
 */
bool llvmpipe_open_lit(const float *vertices, unsigned count);
/* Seconds of CPU for all vertices. */
double llvmpipe_draw_lit(void);

/* Seconds on the wall, and of CPU that the busiest thread had. */
typedef struct SceneTimes {
    double wall, cpu;
} SceneTimes;

/*
 * llvmpipe in a process of its own, which draws @s when it is asked to, by @threads
 * threads besides the one that calls GL (1: by that one alone). To be started before
 * this process has threads. Null when that failed.
 */
typedef struct LlvmpipeServer LlvmpipeServer;
LlvmpipeServer *llvmpipe_server_start(const Scene *s, unsigned threads);
/* False when @server is null, or there is no llvmpipe. */
bool llvmpipe_server_draw(LlvmpipeServer *server, SceneTimes *times);
void llvmpipe_server_stop(LlvmpipeServer *server);

#endif
