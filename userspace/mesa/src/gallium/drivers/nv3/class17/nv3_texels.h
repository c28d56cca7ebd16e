/* SPDX-License-Identifier: MIT */
#ifndef NV3_TEXELS_H
#define NV3_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

#include "class17/nv3_texture.h"

/* Applies the swizzle and the use of alpha to RGBA texels, in place. */
void
nv3_texels_arrange(uint8_t *rgba, unsigned count,
                   const struct nv3_texture_key *key);

/*
 * True if a colour exceeds its alpha, so that division by alpha would saturate.
 */
bool
nv3_texels_exceed_alpha(const uint8_t *rgba, unsigned count);

/* Returns the chip's format that preserves the texels best. */
unsigned
nv3_texels_format(const uint8_t *rgba, unsigned count);

/*
 * Writes a square level of @size for @tex, padded according to the wrap mode.
 */
void
nv3_texels_swizzle(uint16_t *dst, unsigned size, const uint8_t *rgba,
                   unsigned width, unsigned height,
                   const struct nv3_texture *tex);

/* Returns the approximate brightness of a level, 0 to 255. */
unsigned
nv3_texels_brightness(const uint16_t *texels, unsigned size, unsigned format);

/*
 * Computes the compensation for blending by the alpha of a level, in units of
 * the loss per pixel. @loss[0] is divided by the alpha of the vertex colour.
 * @loss[1] applies to an opaque vertex colour.
 */
void
nv3_texels_loss(const uint16_t *texels, unsigned size, unsigned format,
                float loss[2]);

/* True if nv3_texels_copy() supports a level of @format. */
bool
nv3_texels_can_copy(enum pipe_format format, const struct nv3_texture_key *key,
                    unsigned size);
void
nv3_texels_copy(uint16_t *dst, unsigned size, const uint8_t *map,
                unsigned stride, unsigned width, unsigned height,
                const struct nv3_texture *tex);

#endif
