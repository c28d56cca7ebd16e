#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The program root: a Debian trixie with OpenGL programs and tests, which run on the
# chip model without a virtual machine. It is separate from the build root, so that only
# users of these programs download it. Prints its directory.
#
#   NV3_ROOT=program-root vm/nv3-native CMD...   runs CMD on nv3
#   NV3_ROOT=program-root vm/root CMD...         runs CMD on Debian's Mesa

source "$(dirname "$0")/common.sh"

# Piglit's generated tests take gigabytes. Only the tests of GLSL 1.10 and 1.20 and of
# extensions of OpenGL 2.1 are installed.
debian_root program-root 180 \
	'/usr/lib/*/piglit/generated_tests/spec/glsl-'{1.3,1.4,1.5,3,4}'*' \
	'/usr/lib/*/piglit/generated_tests/spec/*_'{fp64,int64,tessellation,geometry}'*'
