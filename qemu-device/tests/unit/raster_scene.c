/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws a picture for visual inspection: a perspective floor with mip levels and fog, lit
 * spheres that intersect, a texture with a colour key, and blended glass. If the command
 * line contains a file name, the program writes the picture to this file as PNG. The
 * program draws the picture twice, with the scalar loops and with the SIMD loops, and
 * fails if the two pictures differ.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "nv3_class.h"
#include "raster_rig.h"

#define WIDTH   640
#define HEIGHT  480
#define NEAR    0.5
#define FAR     60.0
#define FOCAL   (HEIGHT * 0.9)

typedef struct Corner {
    double x, y, z;         /* z points away from the eye */
    double u, v;            /* 1 is the width of the texture */
    double shade[3];
    double alpha;
} Corner;

static double clamp01(double d)
{
    return d < 0 ? 0 : d > 1 ? 1 : d;
}

static NV3RasterVertex project(const RasterRig *rig, const Corner *c, bool fog)
{
    unsigned size = 1u << (rig->st.tex_format >> NV3_D3D_TEX_SIZE_MAX_SHIFT);
    double depth = (1 / NEAR - 1 / c->z) / (1 / NEAR - 1 / FAR);
    double f = clamp01((c->z - 8) / 34);

    return (NV3RasterVertex) {
        /*
         * Coordinates wrap around on overflow. In this scene, no coordinate wraps around
         * to a position inside the picture.
         */
        .x = (int)((WIDTH / 2 + c->x / c->z * FOCAL) * 16),
        .y = (int)((HEIGHT / 2 - c->y / c->z * FOCAL) * 16),
        .z = clamp01(depth) * 0xffffff,
        .m = rig_rhw(1 / c->z),
        .u = (int)(c->u * size * 16), .v = (int)(c->v * size * 16),
        .r = clamp01(c->shade[0]) * 255, .g = clamp01(c->shade[1]) * 255,
        .b = clamp01(c->shade[2]) * 255,
        .a = c->alpha * 127,
        .fog = fog ? f * 255 : 0,
    };
}

static void triangle(RasterRig *rig, const Corner *a, const Corner *b,
                     const Corner *c, bool fog)
{
    const NV3RasterVertex v[3] = {
        project(rig, a, fog), project(rig, b, fog), project(rig, c, fog),
    };

    rig_draw(rig, v);
}

static void quad(RasterRig *rig, const Corner c[4], bool fog)
{
    triangle(rig, &c[0], &c[1], &c[2], fog);
    triangle(rig, &c[2], &c[1], &c[3], fog);
}

/*
 * Bricks with lighter mortar. Each mip level is computed from the pattern, instead of
 * from the previous level.
 */
static void bricks(RasterRig *rig, unsigned max)
{
    for (unsigned log2 = 0; log2 <= max; log2++) {
        unsigned n = 1u << log2;
        uint16_t *linear = malloc(n * n * sizeof(*linear));

        for (unsigned i = 0; i < n * n; i++) {
            double y = (i >> log2) * 4.0 / n;
            double x = (i & (n - 1)) * 2.0 / n + 0.5 * ((int)y & 1);
            bool mortar = log2 > 2 && (x - floor(x) < 0.06 ||
                                       y - floor(y) < 0.12);

            linear[i] = mortar ? 24 << 11 | 46 << 5 | 22 :
                        (18 + (((int)x + (int)y) & 1) * 3) << 11 | 18 << 5 | 8;
        }
        rig_texture_linear(rig, log2, linear);
        free(linear);
    }
    rig_format(rig, NV3_D3D_TEX_R5G6B5, 0, max);
}

static void floor_and_wall(RasterRig *rig)
{
    bricks(rig, 6);
    for (int z = 1; z < 48; z++) {
        Corner c[4];

        for (unsigned i = 0; i < 4; i++) {
            double depth = (z + (i >> 1)) * 1.0;

            c[i] = (Corner) {
                .x = i & 1 ? 7 : -7, .y = -2, .z = depth,
                .u = i & 1 ? 3.5 : -3.5, .v = i >> 1 ? 0.5 : 0,
                .shade = { 1, 1, 1 }, .alpha = 1,
            };
        }
        quad(rig, c, true);
    }
}

static void sphere(RasterRig *rig, double x, double y, double z, double radius,
                   const double tint[3])
{
    const int rings = 20, steps = 32;
    Corner c[2][33];

    for (int i = 0; i <= rings; i++) {
        for (int j = 0; j <= steps; j++) {
            double a = M_PI * i / rings, b = 2 * M_PI * j / steps;
            double n[3] = { sin(a) * cos(b), cos(a), sin(a) * sin(b) };
            double light = 0.25 + 0.75 * clamp01(-0.5 * n[0] + 0.6 * n[1] -
                                                 0.6 * n[2]);

            c[i & 1][j] = (Corner) {
                x + radius * n[0], y + radius * n[1], z + radius * n[2],
                j * 4.0 / steps, i * 2.0 / rings,
                { tint[0] * light, tint[1] * light, tint[2] * light }, 1,
            };
        }
        for (int j = 0; i && j < steps; j++) {
            const Corner *up = c[!(i & 1)], *down = c[i & 1];

            triangle(rig, &up[j], &up[j + 1], &down[j], true);
            triangle(rig, &down[j], &up[j + 1], &down[j + 1], true);
        }
    }
}

/* Rings on a background of key-coloured texels, which are transparent. */
static void poster(RasterRig *rig)
{
    uint16_t linear[32 * 32];
    Corner c[4];

    for (unsigned i = 0; i < 32 * 32; i++) {
        double d = hypot((i & 31) - 15.5, (i >> 5) - 15.5);

        linear[i] = d > 15 || ((int)d & 4) ? 0xf81f :
                    0x8000 | 31 << 10 | (int)d << 6;
    }
    rig_texture_linear(rig, 5, linear);
    rig_format(rig, NV3_D3D_TEX_A1R5G5B5, 5, 5);
    rig->st.tex_format |= NV3_D3D_TEX_KEY_ENABLE | 0xf81f;
    rig->st.config &= ~(3u << NV3_D3D_CONFIG_SOURCE_SHIFT);
    for (unsigned i = 0; i < 4; i++) {
        c[i] = (Corner) {
            .x = 1.2 + (i & 1) * 2, .y = 0.4 + (i >> 1) * 1.6,
            .z = 4 + (i & 1) * 2.5, .u = i & 1, .v = 1 - (i >> 1),
            .shade = { 1, 1, 1 }, .alpha = 1,
        };
    }
    quad(rig, c, false);
    rig->st.tex_format &= ~NV3_D3D_TEX_KEY_ENABLE;
}

static void glass(RasterRig *rig)
{
    Corner c[4];

    rig_texture_flat(rig, 0, 0x7fff);
    rig_format(rig, NV3_D3D_TEX_X1R5G5B5, 0, 0);
    rig->st.config &= ~(3u << NV3_D3D_CONFIG_SOURCE_SHIFT);
    rig->st.config |= NV3_D3D_CONFIG_ALPHA;
    for (unsigned i = 0; i < 4; i++) {
        c[i] = (Corner) {
            .x = -2.6 + (i & 1) * 2.6, .y = -1.9 + (i >> 1) * 2.4, .z = 3.6,
            .shade = { 0.3, i >> 1, 1 }, .alpha = i & 1 ? 0.7 : 0.15,
        };
    }
    quad(rig, c, false);
}

static void draw(RasterRig *rig, NV3Simd simd)
{
    const double red[3] = { 1, 0.6, 0.5 }, blue[3] = { 0.6, 0.8, 1 };

    rig_init(rig, WIDTH, HEIGHT);
    rig->st.simd = simd;
    rig->st.dither = true;
    rig->st.fog_color = 0x9098b8;
    rig_clear(rig, 18 << 10 | 19 << 5 | 23, 0xffff);
    floor_and_wall(rig);
    sphere(rig, -1.2, -0.6, 7, 1.4, red);
    sphere(rig, 0.6, -1.1, 6.2, 0.9, blue);
    sphere(rig, 3.5, 0.2, 24, 2.4, red);
    poster(rig);
    glass(rig);
}

static int write_png(const char *name, RasterRig *rig)
{
    uint8_t *rgb = malloc(WIDTH * HEIGHT * 3), *p = rgb;
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT,
        .format = PNG_FORMAT_RGB,
    };
    int ok;

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        uint16_t c = rig_pixel(rig, i % WIDTH, i / WIDTH);

        for (int shift = 10; shift >= 0; shift -= 5) {
            *p++ = (c >> shift & 31) * 255 / 31;
        }
    }
    ok = png_image_write_to_file(&image, name, 0, rgb, 0, NULL);
    if (!ok) {
        fprintf(stderr, "%s: %s\n", name, image.message);
    }
    free(rgb);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    RasterRig a, b;
    int failed = 0;

    draw(&a, NV3_SIMD_SCALAR);
    draw(&b, NV3_SIMD_AUTO);
    if (memcmp(a.color, b.color, a.st.color.size) ||
        memcmp(a.zeta, b.zeta, a.st.zeta.size)) {
        fprintf(stderr, "the scalar and the SIMD picture differ\n");
        failed = 1;
    }
    if (argc > 1) {
        failed |= write_png(argv[1], &b);
    }
    rig_free(&a);
    rig_free(&b);
    return failed;
}
