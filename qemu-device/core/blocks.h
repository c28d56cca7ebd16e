/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nv3.c and state.c need of the other files of this folder, and of RMA. */
#ifndef NV3_BLOCKS_H
#define NV3_BLOCKS_H

#include "chip/chip.h"
#include "api/nv3_state.h"

NV3_BLOCK(pvirt);
/* An interrupt of PVIRT is pending and enabled. */
bool nv3_pvirt_irq(NV3State *s);

/* classes.c: every class that a chip can have, by number, and jobs by kind. */
extern const NV3Class *const nv3_class_table[];
extern NV3JobRun *const nv3_job_table[];

/* nv3.c: sets the tables of a chip, or of an image of one. */
void nv3_wire(NV3State *s);
/* nv3.c: how the chip was made. */
extern const NV3StateBlock nv3_chip_state;
extern const NV3StateBlock nv3_pvirt_state;

#endif
