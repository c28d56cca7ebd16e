/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which classes there are: each line names a struct nv3_class that one of the files here
 * defines, and all else follows from the line. Enumerate lists them in this order. Of two
 * with one number the first is used, unless the chip lacks what that needs.
 */
#ifndef NV3_CLASS_TABLE_H
#define NV3_CLASS_TABLE_H

#define NV3_FOR_EACH_CLASS(func) \
	func(nv3_class_beta) \
	func(nv3_class_rop) \
	func(nv3_class_chroma) \
	func(nv3_class_plane) \
	func(nv3_class_clip) \
	func(nv3_class_pattern) \
	func(nv3_class_rect) \
	func(nv3_class_soft_rect) \
	func(nv3_class_point) \
	func(nv3_class_line) \
	func(nv3_class_lin) \
	func(nv3_class_tri) \
	func(nv3_class_gdi) \
	func(nv3_class_m2mf) \
	func(nv3_class_sifm) \
	func(nv3_class_blit) \
	func(nv3_class_ifc) \
	func(nv3_class_bitmap) \
	func(nv3_class_itm) \
	func(nv3_class_sifc) \
	func(nv3_class_d3d) \
	func(nv3_class_zpoint) \
	func(nv3_class_surface) \
	func(nv3_class_dma)

#define NV3_COUNT_CLASS(class) + 1
#define NV3_CLASS_COUNT (0 NV3_FOR_EACH_CLASS(NV3_COUNT_CLASS))

struct nv3_class;

#define NV3_DECLARE_CLASS(class) extern const struct nv3_class class;
NV3_FOR_EACH_CLASS(NV3_DECLARE_CLASS)
#undef NV3_DECLARE_CLASS

#endif
