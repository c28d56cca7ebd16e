/* SPDX-License-Identifier: MIT */
/* Macros for the rows of the name tables, and formats that several methods and registers share. */
#ifndef NV3_NAMES_TABLES_H
#define NV3_NAMES_TABLES_H

#include "../nv3_names.h"

/* A field in bits @hi to @lo. */
#define NV3_F(label, hi, lo, how) \
	{ .name = (label), .shift = (lo), .bits = (hi) - (lo) + 1, .kind = NV3_FIELD_##how }
#define NV3_F_FLAG(label, bit)		NV3_F(label, bit, bit, FLAG)
#define NV3_F_ENUM(label, hi, lo, names) \
	{ .name = (label), .shift = (lo), .bits = (hi) - (lo) + 1, .kind = NV3_FIELD_ENUM, \
	  .values = (names) }
#define NV3_F_FIXED(label, hi, lo, point, how) \
	{ .name = (label), .shift = (lo), .bits = (hi) - (lo) + 1, .kind = NV3_FIELD_##how, \
	  .fraction = (point) }
#define NV3_F_END			{ .bits = 0 }

#define NV3_W(label, at, list)		{ .name = (label), .offset = (at), .fields = (list) }
#define NV3_W_ARRAY(label, at, n, step, list) \
	{ .name = (label), .offset = (at), .index = { { n, step } }, .fields = (list) }
#define NV3_W_ARRAY2(label, at, n, step, n2, step2, list) \
	{ .name = (label), .offset = (at), .index = { { n, step }, { n2, step2 } }, \
	  .fields = (list) }
#define NV3_W_SOFTWARE(label, at)	{ .name = (label), .offset = (at), .software = true }
#define NV3_W_END			{ .name = NULL }

/* formats.c */
extern const struct nv3_field nv3_format_unsigned[];
extern const struct nv3_field nv3_format_signed[];
extern const struct nv3_field nv3_format_float[];
extern const struct nv3_field nv3_format_fixed_20[];	/* 12.20 */
extern const struct nv3_field nv3_format_xy[];		/* y above x */
extern const struct nv3_field nv3_format_yx[];		/* x above y */
extern const struct nv3_field nv3_format_size[];	/* height above width */
extern const struct nv3_field nv3_format_size_wh[];	/* width above height */
/* the options of a graphics object */
extern const struct nv3_field nv3_format_options[];
extern const struct nv3_field nv3_format_d3d_config[];
extern const struct nv3_field nv3_format_zpoint_config[];
extern const struct nv3_field nv3_format_d3d_alpha[];
extern const struct nv3_field nv3_format_d3d_fog_tri[];

/* classes.c */
extern const struct nv3_word nv3_methods_object[];	/* methods of all bindable classes */
extern const struct nv3_word nv3_methods_hardware[];	/* all classes of PGRAPH */

/* methods_2d.c */
extern const struct nv3_word nv3_methods_beta[];
extern const struct nv3_word nv3_methods_rop[];
extern const struct nv3_word nv3_methods_chroma[];
extern const struct nv3_word nv3_methods_plane[];
extern const struct nv3_word nv3_methods_clip[];
extern const struct nv3_word nv3_methods_pattern[];
extern const struct nv3_word nv3_methods_rect[];
extern const struct nv3_word nv3_methods_point[];
extern const struct nv3_word nv3_methods_line[];
extern const struct nv3_word nv3_methods_tri[];
extern const struct nv3_word nv3_methods_gdi[];
extern const struct nv3_word nv3_methods_m2mf[];
extern const struct nv3_word nv3_methods_sifm[];
extern const struct nv3_word nv3_methods_blit[];
extern const struct nv3_word nv3_methods_ifc[];
extern const struct nv3_word nv3_methods_bitmap[];
extern const struct nv3_word nv3_methods_itm[];
extern const struct nv3_word nv3_methods_sifc[];
extern const struct nv3_word nv3_methods_surface[];

/* methods_3d.c */
extern const struct nv3_word nv3_methods_d3d[];
extern const struct nv3_word nv3_methods_zpoint[];

/* methods_programs.c */
extern const struct nv3_word nv3_methods_programs[];

#endif
