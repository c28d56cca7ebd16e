/* SPDX-License-Identifier: MIT */
/* Includes the header of the same name that qemu-device installs. */
#include "api/nv3.h"
