#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The web root: a Debian trixie with a compiler for WebAssembly, for vm/recipes/web.sh. It is
# separate from the build root, so that only those who build the web page fetch it. Prints its
# directory. NV3_ROOT=web-root vm/root CMD... runs CMD in it.

source "$(dirname "$0")/common.sh"

debian_root web-root 90
