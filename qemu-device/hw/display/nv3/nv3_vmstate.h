/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): conversion of the chip's tables of saved state to VMState. This
 * header is separate from nv3_glue.h, so that a unit test can use it without the device.
 */
#ifndef HW_DISPLAY_NV3_VMSTATE_H
#define HW_DISPLAY_NV3_VMSTATE_H

#include "migration/vmstate.h"

#include "core/api/nv3_state.h"

/*
 * Describes an NV3Image in @vmsd, with the fields of the first block in @blocks, and a
 * subsection for each other block. The memory of the description is never freed.
 */
void nv3_vmstate_describe(VMStateDescription *vmsd, const char *name,
                          const NV3StateBlock *const *blocks, unsigned count);

#endif
