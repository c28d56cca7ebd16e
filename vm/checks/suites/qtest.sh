#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the qtests (qemu-device/tests/qtest), which access registers of the device in a QEMU without
# a guest. Also checks that the device loads migration streams that its earlier versions have saved.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
qemu=$("$RECIPES/qemu.sh")

# run_test PROGRAM: runs a qtest in QEMU's build directory
run_test() {
	cd "$qemu"
	QTEST_QEMU_BINARY=./qemu-system-x86_64 timeout 300 "$TREE/vm/root" \
		"$1" --tap -k
}

for test in "$qemu"/tests/qtest/nv3*-test "$qemu"/tests/unit/test-nv3-vmstate; do
	[ -x "$test" ] || continue
	name=$(basename "$test")
	status=0
	say "$name"
	run_test "${test#"$qemu"/}" >"$results/$name.tap" 2>"$results/$name.log" || status=$?
	if [ "$status" -ne 0 ]; then
		tail -n 20 "$results/$name.log" | sed 's/^/    /' >&2
		# A program that crashes between tests prints no "not ok", so add a line.
		grep -q '^not ok' "$results/$name.tap" ||
			echo "not ok - $name ended with status $status" >>"$results/$name.tap"
	fi
done

say vmstate
dump=$BUILD/vmstate.json
checker=$("$RECIPES/qemu-source.sh")/scripts/vmstate-static-checker.py
if ! {
	"$TREE/vm/root" "$qemu/qemu-system-x86_64" -M pc -dump-vmstate "$dump" &&
		"$TREE/vm/root" "$TREE/vm/checks/suites/vmstate" "$checker" "$dump" \
			"$TREE"/qemu-device/tests/vmstate/nv3-*.json
} >"$results/vmstate.tap" 2>"$results/vmstate.log"; then
	tail -n 20 "$results/vmstate.log" | sed 's/^/    /' >&2
	echo 'not ok - the descriptions could not be compared' >>"$results/vmstate.tap"
fi
