#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest suspends, hibernates and starts another kernel while nv3-demo draws. The frames after a
# resume must be the same as in an uninterrupted run, and the console must look the same as before.
# (make check-igt includes IGT's own tests of suspend.) Run by "make check-power", not by "make
# check", because it takes minutes.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../report.sh"

results=$1
KERNEL=${KERNEL:-lts}
FRAMES=${FRAMES:-300}
GOING_DOWN=3	# maximum number of seconds
PATIENCE=900	# seconds for a step of a guest, enough for a busy host

# guest OUTPUT CALL [OPTION...]: runs a guest that executes the shell script vm/guest/power and then
# the shell command CALL
guest() {
	local output=$1 call=$2
	shift 2
	"$TREE/vm/nv3-vm" exec --kernel "$KERNEL" --uart --timeout "$PATIENCE" "$@" \
		-- "$(cat "$TREE/vm/guest/power"; echo "$call")" \
		>"$output" 2>"$output.log"
}

# Hibernates the machine, and boots it again. The second boot resumes from the image on the disk.
hibernated() {
	local disk=$results/swap.img status=0
	truncate -s 1G "$disk"
	local options=(--mem 512M --qemu -drive
		--qemu "if=virtio,format=raw,file=$disk")
	guest "$1-asleep" "hibernate_while_drawing $FRAMES" "${options[@]}" || status=$?
	# nv3-vm exits with status 125 if the guest powers off before its command ends.
	[ "$status" -eq 125 ] || { say "status $status although the guest should be off"; return 1; }
	guest "$1" "hibernate_while_drawing $FRAMES" "${options[@]}"
}

kexeced() {
	local linux
	linux=$("$RECIPES/kernel.sh" "$KERNEL")
	guest "$1" 'kexec_while_drawing /share' --share "$linux"
}

# Measures the time from nv3_shutdown's message to the kernel's last message, by the guest's clock.
# When the guest restarts, a batch and an atomic commit still wait for a fence, which signals nine
# seconds later. The driver must not wait for this fence.
restarted() {
	local status=0 log=$BUILD/vm/last/console.log took
	"$TREE/vm/nv3-vm" exec --kernel "$KERNEL" --timeout 300 -- \
		'modprobe vgem && nv3_shutdown --run restart' >"$1" 2>&1 || status=$?
	[ "$status" -eq 125 ] || { say "status $status although the guest should be off"; return 1; }
	took=$(awk -F '[][]' '/nv3_shutdown: restarts/ { from = $2 }
		/reboot: Restarting system/ { print $2 - from }' "$log")
	say "the restart took $took s"
	[ -n "$took" ] && awk "BEGIN { exit !($took < $GOING_DOWN) }"
}

same_frames() { "$TREE/vm/checks/suites/same-frames" "$results/alone" "$1" 0; }

begin_report "$results/power.tap" 7
report "nv3-demo draws $FRAMES frames" \
	guest "$results/alone" "while_drawing $FRAMES true"
report 'the machine sleeps while it draws' \
	guest "$results/slept" "sleep_while_drawing $FRAMES"
report 'the same frames after S3' same_frames "$results/slept"
report 'the machine hibernates while it draws' hibernated "$results/hibernated"
report 'the same frames after hibernation' same_frames "$results/hibernated"
report 'another kernel starts while it draws' kexeced "$results/kexec"
report "the machine restarts though batches and frames wait for another device's fence" \
	restarted "$results/restart"
