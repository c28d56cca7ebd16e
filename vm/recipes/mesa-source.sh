#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trixie's Mesa 25.0. Prints its directory.

source "$(dirname "$0")/common.sh"

debian_source mesa '' "$@"
