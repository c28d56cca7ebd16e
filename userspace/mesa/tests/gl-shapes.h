/* SPDX-License-Identifier: MIT */
#ifndef GL_SHAPES_H
#define GL_SHAPES_H

#include <stdbool.h>

#include "gl-util.h"

/* Shapes and textures of the scenes. */

void clear(float r, float g, float b);
void rect(float x0, float y0, float x1, float y1, float z);
/*
 * Creates a texture with a pattern, and mipmaps if @mipmaps is set. Binds the texture and returns
 * its name. If @format has alpha, alpha is 1 inside a disc and 0 outside.
 */
GLuint texture(GLenum format, int width, int height, bool mipmaps);
/* Draws a quad with the product of a texture of @format and a grey texture. */
void two_textures(GLenum format);
void filter(GLenum min, GLenum mag);
void wrap(GLenum mode);
void perspective_matrix(void);
/*
 * Writes the positions and normals of a sphere's triangles to @out. The triangles do not
 * share vertices. Returns the number of vertices.
 */
int ball(float (*out)[6], int parts);

#endif
