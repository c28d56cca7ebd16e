/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws scenes with the rasterizer of class 0x17, by direct calls on the caller's thread.
 * The target has 16 bits per pixel (X1R5G5B5), and the texture has the format R5G6B5.
 */
#ifndef NV3_BENCH_CLASS17_H
#define NV3_BENCH_CLASS17_H

#include "bench_scene.h"
#include "nv3_class.h"
#include "raster/raster.h"

#define CLASS17_VRAM_SIZE   (8u << 20)
#define CLASS17_PITCH       (SCENE_WIDTH * 2)

/* Offsets of the target, of the depths and of the texture in VRAM */
#define CLASS17_COLOR       0x000000u
#define CLASS17_ZETA        0x100000u
#define CLASS17_TEXTURE     0x200000u

/* D3D_TEX_FORMAT */
#define CLASS17_TEX_FORMAT  (NV3_D3D_TEX_R5G6B5 << NV3_D3D_TEX_FORMAT_SHIFT | \
                             SCENE_TEX_LOG2 << NV3_D3D_TEX_SIZE_MIN_SHIFT | \
                             (uint32_t)SCENE_TEX_LOG2 << NV3_D3D_TEX_SIZE_MAX_SHIFT)

/* Part of D3D_CONFIG: textures repeat, with a bilinear filter. No triangle is culled. */
#define CLASS17_CONFIG      (NV3_D3D_INTERP_FOH_CENTER | \
                             NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
                             NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
                             NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT)

typedef struct Class17 {
    uint32_t config;        /* D3D_CONFIG */
    NV3Simd simd;
    uint8_t *vram;
    uint32_t *pairs;        /* the texture in the format of nv3_texture_pairs() */
} Class17;

/*
 * Allocates VRAM, and stores the texture @linear in VRAM and in @c->pairs. @linear is in
 * linear order, and has 1 << SCENE_TEX_LOG2 texels in width and height.
 */
void class17_open(Class17 *c, uint32_t config, NV3Simd simd, const uint16_t *linear);
void class17_close(Class17 *c);

/* Clears the target, and sets all depths to the largest depth. */
void class17_clear(const Class17 *c);
/* Returns the state in which class17_draw() draws, after nv3_raster_prepare(). */
NV3RasterState class17_state(const Class17 *c);
/* Converts the vertices of a scene. The caller must free the result. */
NV3RasterVertex *class17_vertices(const Scene *s);
/* Draws the scene, sets @s->pixels, and returns the CPU time in seconds. */
double class17_draw(const Class17 *c, Scene *s);

#endif
