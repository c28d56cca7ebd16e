#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the web page of nv3-step (docs/howto/web.md) in headless Chromium: the first lesson and all
# example scripts. The page must show the same changes and pictures as nv3-step. Also tests the page
# that "make trace" writes, by moving the pointer over it. Skipped if the compiler or Chromium can't
# be installed.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1

for root in web-root browser-root; do
	if ! "$RECIPES/$root.sh" >/dev/null; then
		echo "1..0 # SKIP run vm/recipes/$root.sh, which failed" >"$results/web.tap"
		exit
	fi
done
page=$("$RECIPES/web.sh")
NV3_ROOT=browser-root "$TREE/vm/root" "$TREE/userspace/tools/web/test-web" \
	"$page" "$TREE/userspace/tools/step/scripts" >"$results/web.tap" || true
NV3_ROOT=browser-root "$TREE/vm/root" "$TREE/vm/timeline/test-timeline" --browser \
	>"$results/timeline.tap"
