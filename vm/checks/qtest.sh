#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The qtests (qemu-device/tests/qtest): QEMU with the device and no guest,
# driven register by register.

source "$(dirname "$0")/../recipes/common.sh"

results=$1
qemu=$("$RECIPES/qemu.sh")

run_test() {
	cd "$qemu"
	QTEST_QEMU_BINARY=./qemu-system-x86_64 timeout 300 "$TREE/vm/root" \
		"tests/qtest/$1" --tap -k
}

for test in "$qemu"/tests/qtest/nv3*-test; do
	[ -x "$test" ] || continue
	name=$(basename "$test")
	status=0
	say "$name"
	run_test "$name" >"$results/$name.tap" 2>"$results/$name.log" || status=$?
	if [ "$status" -ne 0 ]; then
		tail -n 20 "$results/$name.log" | sed 's/^/    /' >&2
		# A crash may come after the last line of TAP.
		grep -q '^not ok' "$results/$name.tap" ||
			echo "not ok - $name ended with status $status" >>"$results/$name.tap"
	fi
done
