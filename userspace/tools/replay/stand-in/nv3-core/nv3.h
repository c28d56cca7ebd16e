/* SPDX-License-Identifier: MIT */
/* Includes the source of the header that qemu-device installs as nv3-core/nv3.h. */
#include "api/nv3.h"
