#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cross root: a Debian trixie with cross compilers, their C libraries and QEMU's
# user-mode emulation, for vm/checks/suites/cross.sh. All packages are of the build host's
# architecture, because a mirror may lack packages of other architectures or have old
# ones. The cross root is separate from the build root, so that only users of that check
# download it. Prints its directory. NV3_ROOT=cross-root vm/root CMD... runs CMD in it.

source "$(dirname "$0")/common.sh"

debian_root cross-root 90
