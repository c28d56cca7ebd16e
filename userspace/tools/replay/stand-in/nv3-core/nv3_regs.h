/* SPDX-License-Identifier: MIT */
/* Includes the source of the header that qemu-device installs as nv3-core/nv3_regs.h. */
#include "../../../../../include/nv3_regs.h"
