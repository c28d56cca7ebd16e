#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Causes a kernel panic while a video and a cursor are on the screen. After the panic, the screen
# must show only the panic message, in two colours. Only recent kernels draw this message. Run by
# "make check-panic", not by "make check". Pictures are stored with the results.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../report.sh"
source "$(dirname "$0")/guest.sh"

results=$1
KERNEL=${KERNEL:-new}
PATIENCE=120	# seconds for each step, enough for a busy host

# colours NAME: stores the screen as NAME.ppm, and prints the number of its colours
colours() {
	"$TREE/vm/root" "$TREE/vm/qmp" "$run/qmp" screendump \
		"{\"filename\": \"$results/$1.ppm\"}" >/dev/null
	"$TREE/vm/root" python3 -c '
import sys
pixels = open(sys.argv[1], "rb").read().split(b"\n", 3)[3]
print(len({pixels[i:i + 3] for i in range(0, len(pixels), 3)}))' "$results/$1.ppm"
}

# Starts the guest, and checks that the screen shows exactly three colours: black, the colour of the
# video, and the colour of the cursor.
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
