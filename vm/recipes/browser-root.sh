#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The browser root: a Debian trixie with Chromium without a window, for
# vm/checks/suites/web.sh and docs/pictures/web. Prints its directory.
# NV3_ROOT=browser-root vm/root CMD... runs CMD in it.

source "$(dirname "$0")/common.sh"

debian_root browser-root 45
