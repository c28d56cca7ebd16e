/* SPDX-License-Identifier: MIT */
#ifndef GL_SHAPES_H
#define GL_SHAPES_H

#include <stdbool.h>

#include "gl-util.h"

/* What scenes are made of. */

void clear(float r, float g, float b);
void rect(float x0, float y0, float x1, float y1, float z);
/* A patterned texture, with alpha in rings if @format has it. */
GLuint texture(GLenum format, int width, int height, bool mipmaps);
/* Most of the picture, with a texture of @format and one of greys on its side. */
void two_textures(GLenum format);
void filter(GLenum min, GLenum mag);
void wrap(GLenum mode);
void perspective_matrix(void);
/* Every corner of every triangle written out, in a buffer that stays. */
int ball(float (*out)[6], int parts);

#endif
