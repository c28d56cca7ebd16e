#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The chip core's unit tests (qemu-device/meson.build), under AddressSanitizer
# and UBSan.

source "$(dirname "$0")/../recipes/common.sh"

results=$1
out=$BUILD/core-asan

compile() {
	[ -f "$out/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=debugoptimized \
			-Db_sanitize=address,undefined --werror \
			"$out" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out" -j "$NV3_JOBS"
}

run_tests() {
	# The verdict is in the log, whatever the status.
	"$TREE/vm/root" meson test -C "$out" --no-rebuild --num-processes "$NV3_JOBS" \
		--print-errorlogs || true
	"$TREE/vm/root" "$TREE/vm/checks/meson-to-tap" \
		"$out/meson-logs/testlog.json" "$results"
}

step core-asan 40 compile
rm -f "$out/meson-logs/testlog.json"
step unit-tests 10 run_tests
