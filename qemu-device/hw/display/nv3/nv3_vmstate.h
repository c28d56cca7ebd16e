/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): QEMU's descriptions of the chip's tables of state. Apart
 * from nv3_glue.h, so that a unit test can use them without the device.
 */
#ifndef HW_DISPLAY_NV3_VMSTATE_H
#define HW_DISPLAY_NV3_VMSTATE_H

#include "migration/vmstate.h"

#include "core/api/nv3_state.h"

/*
 * Makes a description of @blocks, for an NV3Image: fields for the first of them,
 * and a subsection for each of the others. It is never freed.
 */
void nv3_vmstate_describe(VMStateDescription *vmsd, const char *name,
                          const NV3StateBlock *const *blocks, unsigned count);

#endif
