/* SPDX-License-Identifier: MIT */
#ifndef GL_SCENES_H
#define GL_SCENES_H

#include <stdbool.h>

struct gl_scene {
	const char *name;
	void (*draw)(void);
	/* All of it is the chip's: nothing may fall to software. */
	bool chip;
	/* A block of pixels may be off by so much, of 255; 0: the usual. */
	double step;
	/* So many of the blocks may be off by more; 0: the usual. */
	double part;
};

/* Ends with one without a name. */
extern const struct gl_scene gl_scenes[];

/* gl-blends.c */
void draw_blend_alpha(void);
void draw_blend_add(void);
void draw_blend_alpha_add(void);
void draw_blend_modulate(void);
void draw_blend_texture(void);
void draw_blend_thin(void);
void draw_blend_brighter(void);
void draw_blend_over(void);
void draw_blend_small(void);
void draw_blend_itself(void);
void draw_blend_often(void);
void draw_blend_many(void);
void draw_blend_joined(void);
void draw_blend_depth(void);
void draw_blend_clipped(void);
void draw_blend_masks(void);
void draw_blend_equations(void);
void draw_blend_dark(void);
void draw_premultiplied(void);

/* gl-lifetimes.c */
void draw_deleted_picture(void);
void draw_many_pictures(void);
void draw_copied_pictures(void);
void draw_deleted_fence(void);
void draw_deleted_depth(void);
void draw_deleted_program(void);
void draw_uniform_block(void);

/* gl-limits.c */
void draw_after_smaller(void);
void draw_texel_arithmetic(void);
void draw_alpha_arithmetic(void);
void draw_alpha_test_two_textures(void);
void draw_blend_in_fog(void);
void draw_bright_colors(void);
void draw_input_orders(void);
void draw_clamped_varyings(void);
void draw_depth_clamp(void);
void draw_same_bytes(void);

/* gl-textures.c */
void draw_far_repeat(void);
void draw_far_mirror(void);
void draw_far_clamp(void);
void draw_far_perspective(void);
void draw_texture_eviction(void);

#endif
