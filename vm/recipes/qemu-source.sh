#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trixie's QEMU 10.0. Prints its directory.

source "$(dirname "$0")/common.sh"

# Firmware comes from Debian's binary packages: nothing here builds it.
debian_source qemu 'roms/*/' "$@"
