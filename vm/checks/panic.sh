#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that panics while a video and a cursor are on the screen: its message, in
# two colours, is all that is to be seen then. Only newer kernels have that message.
# Not part of "make check": "make check-panic". Pictures are in the results.

source "$(dirname "$0")/../recipes/common.sh"
source "$(dirname "$0")/report.sh"
source "$(dirname "$0")/guest.sh"

results=$1
KERNEL=${KERNEL:-new}
PATIENCE=120	# seconds for each step, on a host however busy

# colours NAME: how many there are in a picture of the screen
colours() {
	"$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" screendump \
		"{\"filename\": \"$results/$1.ppm\"}" >/dev/null
	"$TREE/vm/root" python3 -c '
import sys
pixels = open(sys.argv[1], "rb").read().split(b"\n", 3)[3]
print(len({pixels[i:i + 3] for i in range(0, len(pixels), 3)}))' "$results/$1.ppm"
}

# Black, and what is to cover the message: a video and a cursor of one colour each.
shown() {
	start_guest --kernel "$KERNEL" --append panic=0 -- \
		'NV3_PANIC=/run/boot IGT_FORCE_DRIVER=nv3 exec nv3_panic' \
		>"$results/guest.log" 2>&1 || return 1
	await_file shown "$PATIENCE" && [ "$(colours covered)" -eq 3 ]
}

message_alone() {
	local end=$((SECONDS + PATIENCE))
	touch "$run/guest/panic"
	until [ "$(colours panic)" -eq 2 ]; do
		[ $SECONDS -lt $end ] || return 1
		sleep 1
	done
}

give_up() {
	kill "${guest:-}" 2>/dev/null || true
	wait "${guest:-}" 2>/dev/null || true
}
trap give_up EXIT

begin_report "$results/panic.tap" 2
report 'a video and a cursor are on the screen' shown
report 'the message of a panic is all that is seen' message_alone
