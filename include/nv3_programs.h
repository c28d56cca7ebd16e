/* SPDX-License-Identifier: MIT */
/*
 * Methods of NV3_CLASS_PROGRAMS, the class of vertex and fragment programs.
 *
 * The device model and userspace share this file.
 *
 * Methods of the NV2A keep their numbers (envytools, rnndb/graph/nv20_3d.xml; xemu,
 * hw/xbox/nv2a/nv2a_regs.h, NV097_*), except VERTEX_DATA4F. VERTEX_DATA4F and the methods that the
 * NV2A lacks have the numbers of the GeForce 6 (envytools, rnndb/graph/nv30-40_3d.xml). Methods
 * 0x1f00 to 0x1f8c exist on no chip. docs/reference/chip/programs.md describes all methods.
 */
#ifndef NV3_PROGRAMS_METHODS_H
#define NV3_PROGRAMS_METHODS_H

/* NV2A. */
#define NV3_PM_NO_OPERATION		0x0100
#define NV3_PM_WAIT_FOR_IDLE		0x0110
#define NV3_PM_SURFACE_CLIP_HORIZONTAL	0x0200	/* x, width */
#define NV3_PM_SURFACE_CLIP_VERTICAL	0x0204
#define NV3_PM_SURFACE_FORMAT		0x0208
#define NV3_PM_SURFACE_PITCH		0x020c	/* colour, zeta */
#define NV3_PM_SURFACE_COLOR_OFFSET	0x0210
#define NV3_PM_SURFACE_ZETA_OFFSET	0x0214
#define NV3_PM_FOG_ENABLE		0x02a4
#define NV3_PM_FOG_COLOR		0x02a8
#define NV3_PM_ALPHA_TEST_ENABLE	0x0300
#define NV3_PM_BLEND_ENABLE		0x0304
#define NV3_PM_CULL_FACE_ENABLE		0x0308
#define NV3_PM_DEPTH_TEST_ENABLE	0x030c
#define NV3_PM_DITHER_ENABLE		0x0310
#define NV3_PM_POINT_PARAMS_ENABLE	0x0318	/* the vertex program writes point sizes */
#define NV3_PM_STENCIL_TEST_ENABLE	0x032c
#define NV3_PM_POLY_OFFSET_POINT_ENABLE	0x0330
#define NV3_PM_POLY_OFFSET_LINE_ENABLE	0x0334
#define NV3_PM_POLY_OFFSET_FILL_ENABLE	0x0338
#define NV3_PM_ALPHA_FUNC		0x033c
#define NV3_PM_ALPHA_REF		0x0340
#define NV3_PM_BLEND_FUNC_SFACTOR	0x0344
#define NV3_PM_BLEND_FUNC_DFACTOR	0x0348
#define NV3_PM_BLEND_COLOR		0x034c
#define NV3_PM_BLEND_EQUATION		0x0350
#define NV3_PM_DEPTH_FUNC		0x0354
#define NV3_PM_COLOR_MASK		0x0358
#define NV3_PM_DEPTH_MASK		0x035c
#define NV3_PM_STENCIL_MASK		0x0360
#define NV3_PM_STENCIL_FUNC		0x0364
#define NV3_PM_STENCIL_FUNC_REF		0x0368
#define NV3_PM_STENCIL_FUNC_MASK	0x036c
#define NV3_PM_STENCIL_OP_FAIL		0x0370
#define NV3_PM_STENCIL_OP_ZFAIL		0x0374
#define NV3_PM_STENCIL_OP_ZPASS		0x0378
#define NV3_PM_SHADE_MODE		0x037c
#define NV3_PM_LINE_WIDTH		0x0380	/* 1/8 pixel */
#define NV3_PM_POLYGON_OFFSET_SCALE	0x0384
#define NV3_PM_POLYGON_OFFSET_BIAS	0x0388
#define NV3_PM_FRONT_POLYGON_MODE	0x038c
#define NV3_PM_BACK_POLYGON_MODE	0x0390
#define NV3_PM_CULL_FACE		0x039c
#define NV3_PM_FRONT_FACE		0x03a0
#define NV3_PM_POINT_SIZE		0x043c	/* 1/8 pixel */
#define NV3_PM_VIEWPORT_OFFSET		0x0a20	/* x, y, z, w */
#define NV3_PM_VIEWPORT_SCALE		0x0af0
#define NV3_PM_TRANSFORM_PROGRAM	0x0b00	/* 32 words */
#define NV3_PM_TRANSFORM_CONSTANT	0x0b80	/* 32 words */
#define NV3_PM_VERTEX4F			0x1518
#define NV3_PM_ARRAY_OFFSET		0x1720	/* 16 */
#define NV3_PM_ARRAY_FORMAT		0x1760	/* 16 */
#define NV3_PM_LOGIC_OP_ENABLE		0x17bc
#define NV3_PM_LOGIC_OP			0x17c0
#define NV3_PM_TWO_SIDE_LIGHT_ENABLE	0x17c4
#define NV3_PM_CLEAR_REPORT_VALUE	0x17c8
#define NV3_PM_GET_REPORT		0x17d0
#define NV3_PM_BEGIN_END		0x17fc
#define NV3_PM_ARRAY_ELEMENT16		0x1800
#define NV3_PM_ARRAY_ELEMENT32		0x1808
#define NV3_PM_DRAW_ARRAYS		0x1810
#define NV3_PM_INLINE_ARRAY		0x1818
#define NV3_PM_VERTEX_DATA2F		0x1880	/* 16 of 2 words */
#define NV3_PM_VERTEX_DATA2S		0x1900	/* 16 */
#define NV3_PM_VERTEX_DATA4UB		0x1940	/* 16 */
#define NV3_PM_VERTEX_DATA4S		0x1980	/* 16 of 2 words */
#define NV3_PM_ZMIN_MAX_CONTROL		0x1d78
#define NV3_PM_MULTISAMPLE_CONTROL	0x1d7c
#define NV3_PM_ZSTENCIL_CLEAR_VALUE	0x1d8c
#define NV3_PM_COLOR_CLEAR_VALUE	0x1d90
#define NV3_PM_CLEAR_SURFACE		0x1d94
#define NV3_PM_CLEAR_RECT_HORIZONTAL	0x1d98	/* x0, and the last x */
#define NV3_PM_CLEAR_RECT_VERTICAL	0x1d9c
#define NV3_PM_TRANSFORM_PROGRAM_LOAD	0x1e9c
#define NV3_PM_TRANSFORM_PROGRAM_START	0x1ea0
#define NV3_PM_TRANSFORM_CONSTANT_LOAD	0x1ea4

#define NV3_PM_FORMAT_COLOR		0x0000000f
#define NV3_PM_FORMAT_ZETA_SHIFT	4
#define NV3_PM_FORMAT_TYPE_SHIFT	8
#define NV3_PM_FORMAT_TYPE_PITCH	1
#define NV3_PM_FORMAT_SAMPLES_SHIFT	12
#define NV3_PM_FORMAT_SAMPLES		0x0000f000
#define NV3_PM_FORMAT_CENTER_1		0	/* one sample */
#define NV3_PM_FORMAT_SQUARE_OFFSET_4	2	/* four samples: NV2A's */
#define NV3_PM_FORMAT_SQUARE_ROTATED_4	5	/* four samples: GeForce 6's */
#define NV3_PM_MULTISAMPLE_ENABLE	0x00000001
#define NV3_PM_ALPHA_TO_COVERAGE	0x00000010
#define NV3_PM_ALPHA_TO_ONE		0x00000100
#define NV3_PM_SAMPLE_MASK_SHIFT	16	/* a bit for each sample */
#define NV3_PM_ARRAY_TYPE		0x0000000f
#define NV3_PM_ARRAY_SIZE_SHIFT		4
#define NV3_PM_ARRAY_STRIDE_SHIFT	8	/* 16 bits wide, 8 on the NV2A */
#define NV3_PM_DRAW_COUNT_SHIFT		24	/* vertex count - 1; bits 23:0: first vertex */
#define NV3_PM_CLEAR_Z			0x01
#define NV3_PM_CLEAR_STENCIL		0x02
#define NV3_PM_CLEAR_COLORS		0xf0	/* bits 4 to 7: red, green, blue, alpha */
#define NV3_PM_ZCLAMP			0x10	/* ZMIN_MAX_CONTROL: clamp depth, no clipping */
/*
 * Bit of POINT_SPRITE: draw wide points and lines even if all of their vertices are outside the
 * view volume on the same side (left, right, top or bottom).
 */
#define NV3_PM_POINT_OUTSIDE		0x2

/* The bit of PVIRT_FEATURES that announces multisampling (nv3_regs.h). */
#define NV3_PM_FEATURE_MULTISAMPLE	0x00000020

/* GeForce 6. */
#define NV3_PM_SCISSOR_HORIZ		0x08c0	/* x, width */
#define NV3_PM_SCISSOR_VERT		0x08c4
#define NV3_PM_FP_ACTIVE_PROGRAM	0x08e4	/* offset, a multiple of 4 */
#define NV3_PM_VTXTEX			0x0900	/* vertex textures: 4 units of 8 words */
#define NV3_PM_VIEWPORT_HORIZ		0x0a00	/* x, width */
#define NV3_PM_VIEWPORT_VERT		0x0a04
#define NV3_PM_FLATSHADE_FIRST		0x1454
#define NV3_PM_CLIP_PLANES_ENABLE	0x1478	/* bit 1 + 4 * i enables plane i */
#define NV3_PM_IDXBUF_OFFSET		0x181c
#define NV3_PM_IDXBUF_FORMAT		0x1820	/* bits 7:4: 0: 32, 1: 16, 2: 8 bits per index */
#define NV3_PM_INDEX_BATCH		0x1824	/* as DRAW_ARRAYS */
#define NV3_PM_TEX_SIZE1		0x1840	/* 16: depth, pitch */
#define NV3_PM_FP_CONTROL		0x1d60
#define NV3_PM_TEX			0x1a00	/* textures: 16 units of 8 words */
#define NV3_PM_VERTEX_DATA4F		0x1c00	/* 16 attributes of 4 words */
#define NV3_PM_RESTART_ENABLE		0x1dac
#define NV3_PM_RESTART_INDEX		0x1db0
#define NV3_PM_POINT_SPRITE		0x1ee8
#define NV3_PM_TEX_CACHE_CTL		0x1fd8

/* Words of a texture unit. */
#define NV3_PM_TEX_OFFSET		0
#define NV3_PM_TEX_FORMAT		1
#define NV3_PM_TEX_WRAP			2
#define NV3_PM_TEX_ENABLE		3
#define NV3_PM_TEX_SWIZZLE		4
#define NV3_PM_TEX_FILTER		5
#define NV3_PM_TEX_NPOT_SIZE		6
#define NV3_PM_TEX_BORDER_COLOR		7
#define NV3_PM_TEX_WORDS		8

/* Methods that exist on no chip. */
#define NV3_PM_STENCIL_TWO_SIDE_ENABLE	0x1f00
#define NV3_PM_BACK_STENCIL_MASK	0x1f04	/* 7 methods: as 0x360 to 0x378, for back faces */
#define NV3_PM_INSTANCE			0x1f20
#define NV3_PM_ELEMENT_BASE		0x1f24
#define NV3_PM_BLEND_SEPARATE_ALPHA	0x1f28	/* 1: alpha uses bits 31:16 of factors, equation */
#define NV3_PM_DITHER_MODE		0x1f2c	/* 0: Bayer, 1: the N64's magic square */
#define NV3_PM_DEPTH_CLIP_MODE		0x1f30	/* 1: clip space has 0 <= z <= w */
#define NV3_PM_TEX_CACHE_OFFSET		0x1f34
#define NV3_PM_TEX_CACHE_SIZE		0x1f38	/* a write discards decoded textures in the range */
#define NV3_PM_ARRAY_DIVISOR		0x1f40	/* 16 */
#define NV3_PM_VTXTEX_SIZE1		0x1f80	/* 4: as TEX_SIZE1 */

#endif
