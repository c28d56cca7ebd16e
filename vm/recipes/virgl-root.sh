#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The virgl root: a Debian trixie with Debian's QEMU, its OpenGL modules, Mesa and Xvfb,
# in which virtio-gpu-gl runs with the host's llvmpipe. "make bench-gl" compares nv3 with
# it. Only those who run the comparison fetch it. Prints its directory.

source "$(dirname "$0")/common.sh"

debian_root virgl-root 120
