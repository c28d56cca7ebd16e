/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): converts the tables that describe the chip's saved state to
 * VMState. This header is separate from nv3_glue.h, so that a unit test can use the
 * conversion without the device.
 */
#ifndef HW_DISPLAY_NV3_VMSTATE_H
#define HW_DISPLAY_NV3_VMSTATE_H

#include "migration/vmstate.h"

#include "core/api/nv3_state.h"

/*
 * Sets @vmsd to the description @name of an NV3Image. The first of the @count blocks in
 * @blocks provides the fields of @vmsd, and each other block becomes a subsection. The
 * memory that this function allocates is never freed.
 */
void nv3_vmstate_describe(VMStateDescription *vmsd, const char *name,
                          const NV3StateBlock *const *blocks, unsigned count);

#endif
