/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions and tables that only the files directly in core/ use. */
#ifndef NV3_BLOCKS_H
#define NV3_BLOCKS_H

#include "chip/chip.h"
#include "api/nv3_state.h"

NV3_BLOCK(pvirt);
/* Returns true if an enabled interrupt of PVIRT is pending. */
bool nv3_pvirt_irq(NV3State *s);

/*
 * classes.c: the table of all classes that the model implements, indexed by class number,
 * and the table of the functions that run jobs, indexed by NV3JobKind.
 */
extern const NV3Class *const nv3_class_table[];
extern NV3JobRun *const nv3_job_table[];

/* nv3.c: sets the pointers to these tables in a chip or an image. */
void nv3_wire(NV3State *s);
/* nv3.c: the table for the chip's configuration. */
extern const NV3StateBlock nv3_chip_state;
extern const NV3StateBlock nv3_pvirt_state;

#endif
