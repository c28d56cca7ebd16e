/* SPDX-License-Identifier: MIT */
#ifndef GL_SCENES_H
#define GL_SCENES_H

#include <stdbool.h>

struct gl_scene {
	const char *name;
	void (*draw)(void);
	/* With class 0x17, the chip must draw the whole scene. */
	bool chip;
	/* With class 0x1f, the driver may use the draw module for the scene. */
	bool module;
	/* The driver can draw the scene only with class 0x1f. */
	bool programs;
	/*
	 * The tolerance for a block of pixels, 0 to 255. 0 selects the default.
	 */
	double step;
	/* The fraction of blocks that may exceed the tolerance. 0 selects the default. */
	double part;
};

/* The list ends with a scene without a name. */
extern const struct gl_scene gl_scenes[];

/* gl-blends.c */
void draw_blend_alpha(void);
void draw_blend_add(void);
void draw_blend_alpha_add(void);
void draw_blend_modulate(void);
void draw_blend_texture(void);
void draw_blend_smoke(void);
void draw_blend_brighten(void);
void draw_blend_overlap(void);
void draw_blend_small(void);
void draw_blend_self_overlap(void);
void draw_blend_many_levels(void);
void draw_blend_many_triangles(void);
void draw_blend_deferred_product(void);
void draw_blend_depth(void);
void draw_blend_clipped(void);
void draw_blend_masks(void);
void draw_blend_equations(void);
void draw_blend_dark(void);
void draw_blend_premultiplied(void);

/* gl-lifetimes.c */
void draw_deleted_renderbuffer(void);
void draw_many_renderbuffers(void);
void draw_blits(void);
void draw_deleted_fence(void);
void draw_deleted_depth(void);
void draw_deleted_program(void);
void draw_uniform_block(void);

/* gl-limits.c */
void draw_smaller_target_before(void);
void draw_texel_arithmetic(void);
void draw_alpha_arithmetic(void);
void draw_alpha_test_two_textures(void);
void draw_blend_in_fog(void);
void draw_bright_colors(void);
void draw_input_orders(void);
void draw_clamped_varyings(void);
void draw_depth_clamp(void);
void draw_same_bytes(void);

/* gl-programs.c */
void draw_rgba_target(void);
void draw_vertex_texture(void);
void draw_stippled_lines(void);
void draw_smooth_lines(void);
void draw_smooth_points(void);
void draw_stippled_polygons(void);

/* gl-samples.c */
void draw_samples_triangles(void);
void draw_samples_lines(void);
void draw_samples_depth(void);
void draw_samples_coverage(void);

/* gl-textures.c */
void draw_far_repeat(void);
void draw_projected_texture(void);
void draw_far_mirror(void);
void draw_far_clamp(void);
void draw_far_perspective(void);
void draw_texture_eviction(void);

#endif
