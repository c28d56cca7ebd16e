/* SPDX-License-Identifier: MIT */
/*
 * Hardware classes of the RIVA 128 and their methods.
 *
 * The device model, the kernel driver and userspace share this file. The number of a method is its
 * byte offset in the range of a subchannel. The arguments of methods 0x180 to 0x1fc are handles of
 * other objects. The chip traps on these methods. If the object's class has the method, the
 * resource manager executes it.
 *
 * Sources: envytools rnndb (graph/nv1_2d.xml and its parts, nv3_3d.xml, nv_m2mf.xml), and methods
 * that envytools' hwtest found on real cards.
 */
#ifndef NV3_CLASS_H
#define NV3_CLASS_H

#define NV3_CLASS_BETA			0x01
#define NV3_CLASS_ROP			0x02
#define NV3_CLASS_CHROMA		0x03
#define NV3_CLASS_PLANE			0x04
#define NV3_CLASS_CLIP			0x05
#define NV3_CLASS_PATTERN		0x06
#define NV3_CLASS_RECT			0x07
#define NV3_CLASS_POINT			0x08
#define NV3_CLASS_LINE			0x09
#define NV3_CLASS_LIN			0x0a
#define NV3_CLASS_TRI			0x0b
#define NV3_CLASS_GDI			0x0c
#define NV3_CLASS_M2MF			0x0d
#define NV3_CLASS_SIFM			0x0e
#define NV3_CLASS_BLIT			0x10
#define NV3_CLASS_IFC			0x11
#define NV3_CLASS_BITMAP		0x12
#define NV3_CLASS_ITM			0x14
#define NV3_CLASS_SIFC			0x15
#define NV3_CLASS_D3D			0x17
#define NV3_CLASS_ZPOINT		0x18
#define NV3_CLASS_SURFACE		0x1c
#define NV3_CLASS_PROGRAMS		0x1f	/* not on real chips */

/* Methods of every class */
#define NV3_MTHD_OBJECT			0x0000	/* binds the object whose handle is the argument */
#define NV3_MTHD_NOTIFY			0x0104	/* slot 0 to 15; all except 0 raise an interrupt */
#define NV3_MTHD_SET_NOTIFY_DMA		0x0180

/* 0x01 BETA, 0x02 ROP, 0x03 CHROMA, 0x04 PLANE, 0x05 CLIP */
#define NV3_BETA_BETA			0x0300	/* factor in bits 30:23; 0 if negative */
#define NV3_ROP_ROP			0x0300
#define NV3_CHROMA_COLOR		0x0304
#define NV3_PLANE_MASK			0x0304
#define NV3_CLIP_POINT			0x0300	/* y << 16 | x, signed */
#define NV3_CLIP_SIZE			0x0304	/* h << 16 | w */

/* 0x06 PATTERN */
#define NV3_PATTERN_COLOR_FORMAT	0x0300
#define NV3_PATTERN_MONO_FORMAT		0x0304
#define NV3_PATTERN_SHAPE		0x0308
#define NV3_PATTERN_COLOR(i)		(0x0310 + (i) * 4)
#define NV3_PATTERN_BITMAP(i)		(0x0318 + (i) * 4)

/*
 * 0x07 RECT: up to 16 rectangles. Unlike GDI's interface A, RECT has y and h in the high
 * halves of the words (hwtest).
 */
#define NV3_RECT_OPERATION		0x02fc
#define NV3_RECT_COLOR			0x0304
#define NV3_RECT_POINT(i)		(0x0400 + (i) * 8)	/* y << 16 | x */
#define NV3_RECT_SIZE(i)		(0x0404 + (i) * 8)	/* h << 16 | w */

/* 0x08 POINT: points with 16-bit or 32-bit coordinates, in one colour or each in its own colour */
#define NV3_POINT_COLOR			0x0304
#define NV3_POINT_POINT(i)		(0x0400 + (i) * 4)	/* y << 16 | x; 32 points */
#define NV3_POINT_POINT32_X(i)		(0x0480 + (i) * 8)	/* 16 */
#define NV3_POINT_POINT32_Y(i)		(0x0484 + (i) * 8)
#define NV3_POINT_CPOINT_COLOR(i)	(0x0500 + (i) * 8)	/* 16 */
#define NV3_POINT_CPOINT(i)		(0x0504 + (i) * 8)

/*
 * 0x09 LINE, 0x0a LIN: i is the index of a line, and e is the index of its end point (0
 * or 1). A polyline continues at the end of the previous line.
 */
#define NV3_LINE_COLOR			0x0304
#define NV3_LINE_POINT(i, e)		(0x0400 + (i) * 8 + (e) * 4)	/* 16 */
#define NV3_LINE_POINT32_X(i, e)	(0x0480 + (i) * 16 + (e) * 8)	/* 8 */
#define NV3_LINE_POINT32_Y(i, e)	(0x0484 + (i) * 16 + (e) * 8)
#define NV3_LINE_POLY(i)		(0x0500 + (i) * 4)	/* 32 */
#define NV3_LINE_POLY32_X(i)		(0x0580 + (i) * 8)	/* 16 */
#define NV3_LINE_POLY32_Y(i)		(0x0584 + (i) * 8)
#define NV3_LINE_CPOLY_COLOR(i)		(0x0600 + (i) * 8)	/* 16 */
#define NV3_LINE_CPOLY(i)		(0x0604 + (i) * 8)

/* 0x0b TRI: triangles. Each STRIP vertex draws a triangle with the two previous vertices. */
#define NV3_TRI_COLOR			0x0304
#define NV3_TRI_POINT(i)		(0x0310 + (i) * 4)	/* 3 */
#define NV3_TRI_POINT32_X(i)		(0x0320 + (i) * 8)	/* 3 */
#define NV3_TRI_POINT32_Y(i)		(0x0324 + (i) * 8)
#define NV3_TRI_STRIP(i)		(0x0400 + (i) * 4)	/* 32 */
#define NV3_TRI_STRIP32_X(i)		(0x0480 + (i) * 8)	/* 16 */
#define NV3_TRI_STRIP32_Y(i)		(0x0484 + (i) * 8)
#define NV3_TRI_CTRI_COLOR(i)		(0x0500 + (i) * 16)	/* 8 */
#define NV3_TRI_CTRI_POINT(i, p)	(0x0504 + (i) * 16 + (p) * 4)
#define NV3_TRI_CSTRIP_COLOR(i)		(0x0580 + (i) * 8)	/* 16 */
#define NV3_TRI_CSTRIP(i)		(0x0584 + (i) * 8)

/*
 * 0x0c GDI: rectangles (interface A without a clip, B with a clip) and text (C, D and E)
 */
#define NV3_GDI_A_COLOR			0x03fc
#define NV3_GDI_A_POINT(i)		(0x0400 + (i) * 8)	/* x << 16 | y; 64 rectangles */
#define NV3_GDI_A_SIZE(i)		(0x0404 + (i) * 8)	/* w << 16 | h */
#define NV3_GDI_B_CLIP_0		0x07f4	/* top left: y << 16 | x */
#define NV3_GDI_B_CLIP_1		0x07f8	/* bottom right */
#define NV3_GDI_B_COLOR			0x07fc
#define NV3_GDI_B_POINT_0(i)		(0x0800 + (i) * 8)	/* top left; 64 rectangles */
#define NV3_GDI_B_POINT_1(i)		(0x0804 + (i) * 8)	/* bottom right */
#define NV3_GDI_C_CLIP_0		0x0bec
#define NV3_GDI_C_CLIP_1		0x0bf0
#define NV3_GDI_C_COLOR			0x0bf4	/* colour of 1 bits; 0 bits are transparent */
#define NV3_GDI_C_SIZE			0x0bf8
#define NV3_GDI_C_POINT			0x0bfc
#define NV3_GDI_C_DATA(i)		(0x0c00 + (i) * 4)	/* 128 */
#define NV3_GDI_D_CLIP_0		0x0fe8
#define NV3_GDI_D_CLIP_1		0x0fec
#define NV3_GDI_D_COLOR			0x0ff0
#define NV3_GDI_D_SIZE_IN		0x0ff4
#define NV3_GDI_D_SIZE_OUT		0x0ff8
#define NV3_GDI_D_POINT			0x0ffc
#define NV3_GDI_D_DATA(i)		(0x1000 + (i) * 4)	/* 128 */
#define NV3_GDI_E_CLIP_0		0x13e4
#define NV3_GDI_E_CLIP_1		0x13e8
#define NV3_GDI_E_COLOR_0		0x13ec
#define NV3_GDI_E_COLOR_1		0x13f0
#define NV3_GDI_E_SIZE_IN		0x13f4
#define NV3_GDI_E_SIZE_OUT		0x13f8
#define NV3_GDI_E_POINT			0x13fc
#define NV3_GDI_E_DATA(i)		(0x1400 + (i) * 4)	/* 128 */

/* 0x0d M2MF */
#define NV3_M2MF_SET_DMA_IN		0x0184
#define NV3_M2MF_SET_DMA_OUT		0x0188
#define NV3_M2MF_OFFSET_IN		0x030c
#define NV3_M2MF_OFFSET_OUT		0x0310
#define NV3_M2MF_PITCH_IN		0x0314
#define NV3_M2MF_PITCH_OUT		0x0318
#define NV3_M2MF_LINE_LENGTH		0x031c
#define NV3_M2MF_LINE_COUNT		0x0320
#define NV3_M2MF_FORMAT			0x0324	/* byte increment: 2:0 source, 10:8 destination */
#define NV3_M2MF_BUF_NOTIFY		0x0328	/* starts the copy */

/* 0x0e SIFM: scaled image from memory; format 5 YUYV, 6 UYVY, 7 three planes */
#define NV3_SIFM_CLIP_POINT		0x0308
#define NV3_SIFM_CLIP_SIZE		0x030c
#define NV3_SIFM_POINT			0x0310
#define NV3_SIFM_SIZE_OUT		0x0314
#define NV3_SIFM_DU_DX			0x0318	/* fixed point, 20 fractional bits */
#define NV3_SIFM_DV_DY			0x031c
#define NV3_SIFM_SIZE_IN		0x0400	/* at most 1024 each */
#define NV3_SIFM_PITCH			0x0404	/* three planes: U and V pitch in 31:16 */
#define NV3_SIFM_OFFSET(i)		(0x0408 + (i) * 4)	/* 1, 2: U, V */
#define NV3_SIFM_SOURCE			0x040c	/* 12.4 each; starts the drawing */
#define NV3_SIFM_SOURCE_PLANES		0x0414

/* 0x10 BLIT */
#define NV3_BLIT_OPERATION		0x02fc
#define NV3_BLIT_POINT_IN		0x0300	/* y << 16 | x */
#define NV3_BLIT_POINT_OUT		0x0304
#define NV3_BLIT_SIZE			0x0308	/* h << 16 | w */

/* 0x11 IFC: image from CPU */
#define NV3_IFC_OPERATION		0x02fc
#define NV3_IFC_POINT			0x0304
#define NV3_IFC_SIZE_OUT		0x0308
#define NV3_IFC_SIZE_IN			0x030c
#define NV3_IFC_DATA(i)			(0x0400 + (i) * 4)	/* 32 words */

/* 0x12 BITMAP: one bit per pixel, in two colours */
#define NV3_BITMAP_COLOR_0		0x0308
#define NV3_BITMAP_COLOR_1		0x030c
#define NV3_BITMAP_POINT		0x0310
#define NV3_BITMAP_SIZE_OUT		0x0314
#define NV3_BITMAP_SIZE_IN		0x0318
#define NV3_BITMAP_DATA(i)		(0x0400 + (i) * 4)	/* 32 */

/* 0x14 ITM: image to memory */
#define NV3_ITM_POINT			0x0308
#define NV3_ITM_SIZE			0x030c
#define NV3_ITM_PITCH			0x0310
#define NV3_ITM_OFFSET			0x0314	/* starts the copy */

/* 0x15 SIFC: scaled image from CPU */
#define NV3_SIFC_SIZE_IN		0x0304
#define NV3_SIFC_DX_DU			0x0308	/* fixed point, 20 fractional bits */
#define NV3_SIFC_DY_DV			0x030c
#define NV3_SIFC_CLIP_POINT		0x0310
#define NV3_SIFC_CLIP_SIZE		0x0314
#define NV3_SIFC_POINT			0x0318	/* 12.4 each */
#define NV3_SIFC_DATA(i)		(0x0400 + (i) * 4)	/* 1792 */

/* 0x17 D3D: textured triangles with depth */
#define NV3_D3D_SET_DMA_TEXTURE		0x0184
#define NV3_D3D_SET_CLIP		0x0188
#define NV3_D3D_SET_COLOR		0x018c
#define NV3_D3D_SET_ZETA		0x0190
#define NV3_D3D_TEX_OFFSET		0x0304
#define NV3_D3D_TEX_FORMAT		0x0308
#define   NV3_D3D_TEX_KEY_ENABLE	0x00010000
#define   NV3_D3D_TEX_FORMAT_SHIFT	20
#define   NV3_D3D_TEX_A1R5G5B5		0
#define   NV3_D3D_TEX_X1R5G5B5		1
#define   NV3_D3D_TEX_A4R4G4B4		2
#define   NV3_D3D_TEX_R5G6B5		3
#define   NV3_D3D_TEX_SIZE_MIN_SHIFT	24	/* log2 of the size of the smallest mip level */
#define   NV3_D3D_TEX_SIZE_MAX_SHIFT	28	/* log2 of the size of the base level, 0 to 11 */
#define NV3_D3D_TEX_FILTER		0x030c
#define NV3_D3D_FOG_COLOR		0x0310
#define NV3_D3D_CONFIG			0x0314
#define   NV3_D3D_CONFIG_INTERP		0x00000003
#define   NV3_D3D_INTERP_ZOH_CORNER	0	/* nearest, texel corner */
#define   NV3_D3D_INTERP_ZOH_CENTER	1	/* nearest, texel centre */
#define   NV3_D3D_INTERP_FOH_CENTER	2	/* bilinear */
#define   NV3_D3D_CONFIG_WRAP_U_SHIFT	4
#define   NV3_D3D_CONFIG_WRAP_V_SHIFT	6
#define   NV3_D3D_WRAP_CYLINDRICAL	0
#define   NV3_D3D_WRAP_WRAP		1
#define   NV3_D3D_WRAP_MIRROR		2
#define   NV3_D3D_WRAP_CLAMP		3
/*
 * Sources of bits 8 and 11:10 of CONFIG: the mask of bits that real cards store (hwtest,
 * pgraph_class_d3d0.cc), and NV10's emulation of class D3D (pgraph_class_emu_d3d56.cc).
 */
#define   NV3_D3D_CONFIG_ALPHA		0x00000100	/* use vertex alpha */
#define   NV3_D3D_CONFIG_SOURCE_SHIFT	10
#define   NV3_D3D_SOURCE_NORMAL		0
#define   NV3_D3D_SOURCE_COLOR_INVERSE	1
#define   NV3_D3D_SOURCE_ALPHA_INVERSE	2
#define   NV3_D3D_SOURCE_ALPHA_ONE	3
#define   NV3_D3D_CONFIG_CULL_SHIFT	12
#define   NV3_D3D_CULL_NONE		1
#define   NV3_D3D_CULL_CCW		2
#define   NV3_D3D_CULL_CW		3
#define   NV3_D3D_CONFIG_Z_PERSPECTIVE	0x00008000
#define   NV3_D3D_CONFIG_Z_FUNC_SHIFT	16
#define   NV3_D3D_CONFIG_Z_WRITE_SHIFT	20
#define   NV3_D3D_CONFIG_COLOR_WRITE_SHIFT 24
#define   NV3_D3D_WRITE_NEVER		0
#define   NV3_D3D_WRITE_ALPHA		1
#define   NV3_D3D_WRITE_ALPHA_Z		2
#define   NV3_D3D_WRITE_Z		3
#define   NV3_D3D_WRITE_ALWAYS		4
#define   NV3_D3D_CONFIG_ROP_ADD	0x10000000
#define   NV3_D3D_CONFIG_BETA_DST_COLOR	0x20000000
#define   NV3_D3D_CONFIG_DST_ZERO	0x40000000
#define   NV3_D3D_CONFIG_SRC_ZERO	0x80000000
#define   NV3_D3D_CMP_NEVER		1
#define   NV3_D3D_CMP_LESS		2
#define   NV3_D3D_CMP_EQUAL		3
#define   NV3_D3D_CMP_LEQUAL		4
#define   NV3_D3D_CMP_GREATER		5
#define   NV3_D3D_CMP_NOTEQUAL		6
#define   NV3_D3D_CMP_GEQUAL		7
#define   NV3_D3D_CMP_ALWAYS		8
#define NV3_D3D_ALPHA			0x0318	/* reference 7:0, function 11:8 */
/* 128 vertices of 8 words. Writing the last word, V, completes the vertex. */
#define NV3_D3D_VERTEX_COUNT		128
#define NV3_D3D_VERTEX_STRIDE		0x20
#define NV3_D3D_FOG_TRI(i)		(0x1000 + (i) * 0x20)	/* fog 31:24, i5..i0 */
#define NV3_D3D_COLOR(i)		(0x1004 + (i) * 0x20)	/* A8R8G8B8 */
#define NV3_D3D_X(i)			(0x1008 + (i) * 0x20)	/* float, pixels */
#define NV3_D3D_Y(i)			(0x100c + (i) * 0x20)
#define NV3_D3D_Z(i)			(0x1010 + (i) * 0x20)	/* float, 0 to 1 */
#define NV3_D3D_RHW(i)			(0x1014 + (i) * 0x20)	/* float, 1 / w */
/* texture coordinates (float): the texture extends from 0.0 to 1.0 */
#define NV3_D3D_U(i)			(0x1018 + (i) * 0x20)
#define NV3_D3D_V(i)			(0x101c + (i) * 0x20)

/* 0x18 ZPOINT: points in a row, from left to right, with depth */
#define NV3_ZPOINT_CONFIG		0x0304	/* as in D3D, without texture and culling */
#define NV3_ZPOINT_ALPHA		0x0308
#define NV3_ZPOINT_POINT		0x07fc
#define NV3_ZPOINT_COLOR(i)		(0x0800 + (i) * 8)	/* 256 */
#define NV3_ZPOINT_ZETA(i)		(0x0804 + (i) * 8)	/* depth << 16 */

/* 0x1c SURFACE: a software class of the resource manager */
#define NV3_SURFACE_FORMAT		0x0300
#define   NV3_SURFACE_FORMAT_Y8		0x01010000
#define   NV3_SURFACE_FORMAT_Y16	0x01010001
#define   NV3_SURFACE_FORMAT_X1R5G5B5	0x01000000
#define   NV3_SURFACE_FORMAT_X8R8G8B8	0x00000001
#define NV3_SURFACE_PITCH		0x0308
#define NV3_SURFACE_OFFSET		0x030c

/*
 * Software classes of the resource manager. No chip has these classes. nv3_drm.h documents the
 * arguments of their objects. The resource manager executes their methods in order with all other
 * methods of the channel.
 *
 * SEMAPHORE: a counter that belongs to a buffer. Method RELEASE sets the counter to its argument if
 * the counter is lower. Method ACQUIRE waits until the counter has reached the argument of ACQUIRE.
 */
#define NV3_SEMAPHORE_ACQUIRE		0x0300
#define NV3_SEMAPHORE_RELEASE		0x0304
/*
 * FLIP: method WAIT waits for as many vertical blanks as its argument states, at most 60. If the
 * CRTC is disabled, WAIT does not wait. Method FLIP shows the frame buffer whose id is the
 * argument, and waits until this frame buffer is on the screen.
 */
#define NV3_FLIP_WAIT			0x0300
#define NV3_FLIP_FLIP			0x0304

#endif
