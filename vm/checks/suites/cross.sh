#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the chip core's unit tests for hosts other than x86-64. Cross compilers (qemu-device/cross)
# build the tests, and QEMU's user-mode emulation runs them. Pictures must have the same CRCs on all
# hosts. CROSS="aarch64 s390x" selects hosts.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
read -ra hosts <<<"${CROSS:-aarch64 s390x i386}"
export NV3_ROOT=cross-root

# setup HOST OUT SOURCE OPTIONS...: runs "meson setup" for HOST, unless OUT is configured already
setup() {
	local host=$1 out=$2
	shift 2
	[ -f "$out/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=release \
			--cross-file "$TREE/qemu-device/cross/$host.ini" "$out" "$@"
}

# compile HOST OUT: builds cmocka, then the core with assertions. Uses no sanitizers, because "make
# check-unit" runs the same tests with sanitizers on x86-64.
compile() {
	# cmocka's meson.build does not install the library, so the core links to it in cmocka's
	# build directory.
	setup "$1" "$2/cmocka" "$cmocka_source" --default-library=static
	"$TREE/vm/root" ninja -C "$2/cmocka" -j "$NV3_JOBS"
	setup "$1" "$2/core" "$TREE/qemu-device" --werror \
		--pkg-config-path="$2/cmocka/meson-uninstalled"
	"$TREE/vm/root" ninja -C "$2/core" -j "$NV3_JOBS"
}

# run_tests OUT RESULTS: runs the unit tests, and converts their log to TAP. The log lists the
# failed tests, so the exit status of "meson test" is ignored.
run_tests() {
	rm -f "$1/meson-logs/testlog.json"
	"$TREE/vm/root" meson test -C "$1" --no-rebuild --suite unit \
		--num-processes "$NV3_JOBS" --timeout-multiplier 40 \
		--print-errorlogs || true
	"$TREE/vm/root" "$TREE/vm/checks/meson-to-tap" \
		"$1/meson-logs/testlog.json" "$2"
}

"$RECIPES/cross-root.sh" >/dev/null
cmocka_source=$("$RECIPES/cmocka-source.sh")
for host in "${hosts[@]}"; do
	[ -f "$TREE/qemu-device/cross/$host.ini" ] ||
		die "there is no qemu-device/cross/$host.ini"
	mkdir -p "$results/$host"
	step "cross-build-$host" 40 compile "$host" "$BUILD/cross/$host"
	step "cross-tests-$host" 60 run_tests "$BUILD/cross/$host/core" "$results/$host"
done
