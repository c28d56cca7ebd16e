/* SPDX-License-Identifier: MIT */
/* The header of this name that qemu-device installs */
#include "../../../../../include/nv3_regs.h"
