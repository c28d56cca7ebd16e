#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The replay root: a Debian trixie with OpenGL programs, apitrace, and an X server without a screen.
# "make check-replays" records the programs and replays the traces. It is separate from the program
# root, so that only users of the traces download it. Prints its directory.

source "$(dirname "$0")/common.sh"

debian_root replay-root 240
