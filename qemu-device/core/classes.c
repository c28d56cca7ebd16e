/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of classes, indexed by the class number in an object's context word, and the
 * table of the functions that run jobs.
 */
#include "2d/classes.h"
#include "3d/d3d.h"
#include "blocks.h"
#include "graph/class.h"
#include "graph/job.h"
#include "programs/class.h"

const NV3Class *const nv3_class_table[NV3_CLASS_MAX] = {
    [NV3_CLASS_BETA] = &nv3_class_beta,
    [NV3_CLASS_ROP] = &nv3_class_rop,
    [NV3_CLASS_CHROMA] = &nv3_class_chroma,
    [NV3_CLASS_PLANE] = &nv3_class_plane,
    [NV3_CLASS_CLIP] = &nv3_class_clip,
    [NV3_CLASS_PATTERN] = &nv3_class_pattern,
    [NV3_CLASS_RECT] = &nv3_class_rect,
    [NV3_CLASS_POINT] = &nv3_class_point,
    [NV3_CLASS_LINE] = &nv3_class_line,
    [NV3_CLASS_LIN] = &nv3_class_lin,
    [NV3_CLASS_TRI] = &nv3_class_tri,
    [NV3_CLASS_GDI] = &nv3_class_gdi,
    [NV3_CLASS_M2MF] = &nv3_class_m2mf,
    [NV3_CLASS_SIFM] = &nv3_class_sifm,
    [NV3_CLASS_BLIT] = &nv3_class_blit,
    [NV3_CLASS_IFC] = &nv3_class_ifc,
    [NV3_CLASS_BITMAP] = &nv3_class_bitmap,
    [NV3_CLASS_ITM] = &nv3_class_itm,
    [NV3_CLASS_SIFC] = &nv3_class_sifc,
    [NV3_CLASS_D3D] = &nv3_class_d3d,
    [NV3_CLASS_ZPOINT] = &nv3_class_zpoint,
    [NV3_CLASS_SURFACE] = &nv3_class_surface,
    [NV3_CLASS_PROGRAMS] = &nv3_class_programs,
};

NV3JobRun *const nv3_job_table[NV3_JOB_COUNT] = {
    [NV3_JOB_FILL] = nv3_fill_run,
    [NV3_JOB_TRIANGLE] = nv3_fill_run,
    [NV3_JOB_BLIT] = nv3_blit_run,
    [NV3_JOB_M2MF] = nv3_m2mf_run,
    [NV3_JOB_ITM] = nv3_itm_run,
    [NV3_JOB_SIFC] = nv3_sifc_run,
    [NV3_JOB_SIFM] = nv3_sifm_run,
    [NV3_JOB_D3D] = nv3_d3d_run,
    [NV3_JOB_LINE] = nv3_line_run,
    [NV3_JOB_PROGRAMS] = nv3_programs_run,
};

uint32_t nv3_classes(void)
{
    uint32_t mask = 0;

    for (unsigned id = 0; id < NV3_CLASS_MAX; id++) {
        mask |= (uint32_t)(nv3_class_table[id] != NULL) << id;
    }
    return mask & ~(1u << NV3_CLASS_PROGRAMS);
}
