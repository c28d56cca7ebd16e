/* SPDX-License-Identifier: MIT */
#ifndef NV3_TEXELS_H
#define NV3_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

#include "class17/nv3_texture.h"

/* RGBA of 8 bits, as the shader is to see it. In place. */
void
nv3_texels_arrange(uint8_t *rgba, unsigned count,
                   const struct nv3_texture_key *key);

/* Light without alpha, as for a glow, has no colour that could be divided. */
bool
nv3_texels_exceed_alpha(const uint8_t *rgba, unsigned count);

/* The format that keeps max of a picture. */
unsigned
nv3_texels_format(const uint8_t *rgba, unsigned count);

/* A level of @size, square, of @tex: from a picture, padded by how it wraps. */
void
nv3_texels_swizzle(uint16_t *dst, unsigned size, const uint8_t *rgba,
                   unsigned width, unsigned height,
                   const struct nv3_texture *tex);

/* About how bright a level is, of 255. */
unsigned
nv3_texels_brightness(const uint16_t *texels, unsigned size, unsigned format);

/*
 * About how much brighter colours must be for what blending them by a level's alpha
 * loses, in units of what it loses of a pixel: [0] with a colour that has alpha, which
 * that is to be divided by, [1] with one that has none.
 */
void
nv3_texels_loss(const uint16_t *texels, unsigned size, unsigned format,
                float loss[2]);

/* Whether a level of @format may be copied as it is, to R5G6B5. */
bool
nv3_texels_can_copy(enum pipe_format format, const struct nv3_texture_key *key,
                    unsigned size);
void
nv3_texels_copy(uint16_t *dst, unsigned size, const uint8_t *map,
                unsigned stride, unsigned width, unsigned height,
                const struct nv3_texture *tex);

#endif
