/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of graphics classes (class_*.c) share: the list of them. */
#ifndef NV3_CORE_CLASS_H
#define NV3_CORE_CLASS_H

#include "nv3_int.h"

extern const NV3Class nv3_class_beta;
extern const NV3Class nv3_class_rop;
extern const NV3Class nv3_class_chroma;
extern const NV3Class nv3_class_plane;
extern const NV3Class nv3_class_clip;
extern const NV3Class nv3_class_pattern;
extern const NV3Class nv3_class_rect;
extern const NV3Class nv3_class_point;
extern const NV3Class nv3_class_line;
extern const NV3Class nv3_class_lin;
extern const NV3Class nv3_class_tri;
extern const NV3Class nv3_class_m2mf;
extern const NV3Class nv3_class_blit;
extern const NV3Class nv3_class_ifc;
extern const NV3Class nv3_class_bitmap;
extern const NV3Class nv3_class_gdi;
extern const NV3Class nv3_class_sifm;
extern const NV3Class nv3_class_itm;
extern const NV3Class nv3_class_sifc;
extern const NV3Class nv3_class_zpoint;
extern const NV3Class nv3_class_surface;

#endif
