/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scenes that the rasterizer and llvmpipe draw. A scene is a list of triangles for a
 * screen of 640 x 480 pixels, with 16 bits of colour and 16 bits of depth per pixel. The
 * triangles are Gouraud shaded, and textured with bilinear filtering and perspective.
 * Each layer is in front of the previous layers.
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
    float x, y, z;          /* x, y: pixels; z: 0 (near) to 1 (far) */
    float rhw;
    float u, v;             /* 1 is the width or height of the texture */
    uint8_t rgba[4];
} SceneVertex;

typedef struct Scene {
    unsigned count;         /* number of vertices, three per triangle */
    SceneVertex *vertex;
    bool blend;
    /* number of pixels drawn; set when the rasterizer draws the scene */
    uint64_t pixels;
} Scene;

/*
 * Returns the CPU time of this thread in seconds. This time does not include the CPU time
 * of other threads on the host. In benchmarks of one thread, the rasterizer and llvmpipe
 * run only on this thread.
 */
static inline double scene_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Creates a scene that covers the screen @layers times. Each layer has two triangles. */
void scene_fill(Scene *s, unsigned layers, bool blend);
/*
 * Creates a scene whose layers are the screen of core.fp.simple: at the same depth and
 * without perspective, with texture coordinates from (0, 0) at the top left to (2.5,
 * 1.875) at the bottom right. Red changes from left to right, and green from top to
 * bottom.
 */
void scene_screen(Scene *s, unsigned layers);
/*
 * Creates a scene with @layers layers. A layer has one triangle of 25 pixels for each 8 x
 * 8 pixels of the screen.
 */
void scene_small(Scene *s, unsigned layers);
void scene_free(Scene *s);

/*
 * Creates an R5G6B5 texture in linear order, with 1 << SCENE_TEX_LOG2 texels in width
 * and height.
 */
void scene_texture(uint16_t *linear);

/*
 * Starts llvmpipe, which draws on the caller's thread unless LP_NUM_THREADS is set.
 * Returns false if the benchmark was built without EGL or the driver is missing. After a
 * failure, the caller must not draw or read pictures.
 */
bool llvmpipe_open(void);
/* Draws the scene and returns the CPU time in seconds. */
double llvmpipe_draw(const Scene *s);
/* Reads the picture: R5G6B5, top line first. */
void llvmpipe_read(uint16_t *pixels);

/*
 * Starts llvmpipe for fragment shaders on 32-bit pixels without depth. Must be called
 * instead of llvmpipe_open(). @texels: A8R8G8B8 texture. @side: its width and height.
 */
bool llvmpipe_open_programs(const uint32_t *texels, unsigned side);
/*
 * Compiles the fragment shader that llvmpipe_draw_program() uses. @fragment is the source
 * of main(), which may use the variables sampler, texcoord, normal, position3 and color.
 * Returns false if the shader does not compile.
 */
bool llvmpipe_program(const char *fragment);
/* Draws to the whole screen @layers times, and returns the CPU time in seconds. */
double llvmpipe_draw_program(unsigned layers);
/* Reads the picture: X8R8G8B8, top line first. */
void llvmpipe_read32(uint32_t *pixels);

/*
 * Prepares a vertex shader with lighting. @vertices: @count vertices, each with a
 * position of four floats and a normal of three floats. All triangles must be culled, so
 * that llvmpipe draws no pixels. Must be called after llvmpipe_open() and the last
 * llvmpipe_draw().
 */
bool llvmpipe_open_lit(const float *vertices, unsigned count);
/* Processes all vertices and returns the CPU time in seconds. */
double llvmpipe_draw_lit(void);

/* Wall-clock time, and CPU time of the busiest thread, in seconds. */
typedef struct SceneTimes {
    double wall, cpu;
} SceneTimes;

/*
 * Starts a server process, which draws @s with llvmpipe on request. @threads: the number
 * of llvmpipe's threads, or 1 to draw on the thread that calls GL. Must be called before
 * this process starts threads. Returns NULL on failure.
 */
typedef struct LlvmpipeServer LlvmpipeServer;
LlvmpipeServer *llvmpipe_server_start(const Scene *s, unsigned threads);
/*
 * Lets the server draw the scene once, and sets @times to the times of this draw. Returns
 * false if @server is NULL or llvmpipe is not available.
 */
bool llvmpipe_server_draw(LlvmpipeServer *server, SceneTimes *times);
void llvmpipe_server_stop(LlvmpipeServer *server);

#endif
