#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trixie's QEMU 10.0. Prints its directory.

source "$(dirname "$0")/common.sh"

# The firmware is from Debian's binary packages, so its sources are omitted.
debian_source qemu 'roms/*/' "$@"
