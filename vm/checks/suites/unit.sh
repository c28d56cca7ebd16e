#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the unit tests of the chip core (qemu-device/meson.build) and of the
# library (userspace/meson.build) under AddressSanitizer and UBSan. Checks that the names in the
# documents exist, and that the tasks of the labs can be applied. Tests vm/nv3-step, the checks of
# "make lint" and vm/timeline.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1

# compile DIR OUT: builds the project DIR of the tree in OUT
compile() {
	[ -f "$2/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=debugoptimized \
			-Db_sanitize=address,undefined --werror "$2" "$TREE/$1"
	"$TREE/vm/root" ninja -C "$2" -j "$NV3_JOBS"
}

# run_tests OUT: runs the tests, and converts their log to TAP. The log lists the failed tests, so
# the exit status of "meson test" is ignored.
run_tests() {
	rm -f "$1/meson-logs/testlog.json"
	"$TREE/vm/root" meson test -C "$1" --no-rebuild \
		--num-processes "$NV3_JOBS" --timeout-multiplier 10 \
		--print-errorlogs || true
	"$TREE/vm/root" "$TREE/vm/checks/meson-to-tap" \
		"$1/meson-logs/testlog.json" "$results"
}

# first_command: tests vm/nv3-step, the first command of docs/tour.md, and prints TAP. (A unit test
# of qemu-device tests nv3-step without the script vm/nv3-step.) The script "rectangle" writes a
# picture to the current directory.
first_command() {
	local script=$TREE/userspace/tools/step/scripts/rectangle difference
	echo 1..1
	if difference=$(cd "$results" && "$TREE/vm/nv3-step" "$script.nv3" |
			diff "$script.txt" -); then
		echo "ok 1 - vm/nv3-step"
	else
		echo "not ok 1 - vm/nv3-step"
		tail -n 20 <<<"$difference" | sed 's/^/# /'
	fi
}

"$RECIPES/build-root.sh" >/dev/null
for project in qemu-device userspace; do
	step "unit-build-$project" 40 compile "$project" "$BUILD/asan/$project"
	step "unit-tests-$project" 10 run_tests "$BUILD/asan/$project"
done
first_command >"$results/nv3-step.tap"
"$TREE/vm/root" "$TREE/vm/checks/docs-names" "$TREE" >"$results/docs-names.tap"
"$TREE/vm/root" "$TREE/vm/checks/checks-test" >"$results/checks-test.tap"
"$TREE/vm/root" env PYTHONPATH="$("$RECIPES/qemu-source.sh")/scripts" \
	"$TREE/vm/timeline/test-timeline" >"$results/timeline.tap"
"$TREE/vm/lab" --apply >"$results/labs.tap" || true
