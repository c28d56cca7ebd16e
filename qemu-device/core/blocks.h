/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions and tables of this folder's other files for nv3.c and state.c. */
#ifndef NV3_BLOCKS_H
#define NV3_BLOCKS_H

#include "chip/chip.h"
#include "api/nv3_state.h"

NV3_BLOCK(pvirt);
/* Returns true if an enabled interrupt of PVIRT is pending. */
bool nv3_pvirt_irq(NV3State *s);

/* classes.c: all classes that a chip can have, by number, and jobs by kind. */
extern const NV3Class *const nv3_class_table[];
extern NV3JobRun *const nv3_job_table[];

/* nv3.c: sets the tables of a chip or of an image. */
void nv3_wire(NV3State *s);
/* nv3.c: the chip's configuration. */
extern const NV3StateBlock nv3_chip_state;
extern const NV3StateBlock nv3_pvirt_state;

#endif
