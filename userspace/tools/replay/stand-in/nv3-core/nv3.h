/* SPDX-License-Identifier: MIT */
/* The header of this name that qemu-device installs */
#include "api/nv3.h"
