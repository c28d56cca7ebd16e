/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 2D classes, and the functions that execute slices of their jobs. */
#ifndef NV3_2D_CLASSES_H
#define NV3_2D_CLASSES_H

#include "graph/class.h"
#include "graph/job.h"

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
extern const NV3Class nv3_class_surface;

/* Fills a rectangle or triangle with one colour. */
NV3JobRun nv3_fill_run;
NV3JobRun nv3_blit_run;
NV3JobRun nv3_itm_run;
NV3JobRun nv3_line_run;
NV3JobRun nv3_m2mf_run;
NV3JobRun nv3_sifc_run;
NV3JobRun nv3_sifm_run;

#endif
