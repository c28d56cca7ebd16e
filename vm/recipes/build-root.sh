#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The build root: a Debian trixie with every compiler and library that the project
# builds with, so that the host needs few packages. Prints its directory.

source "$(dirname "$0")/common.sh"

debian_root build-root 90 '/usr/lib/llvm-*/lib/libLLVM*.a'
