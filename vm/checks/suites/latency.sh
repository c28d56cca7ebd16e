#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks how long the driver keeps interrupts disabled: no section with disabled interrupts may
# exceed LIMIT microseconds of the guest's virtual clock, which counts instructions (-icount), so
# the host's load does not matter. Each test in TESTS= runs in its own guest, under the latency
# kernel. The traces are stored with the results. Run by "make check-latency", not by "make check".

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../report.sh"

results=$1
LIMIT=${LIMIT:-1000}	# microseconds
REPORTED=250		# length of sections that are listed
PATIENCE=2400		# seconds for a test
read -ra TESTS <<<"${TESTS:-nv3_latency nv3_isolation nv3_fuzz}"

# With -icount, QEMU runs one virtual processor at a time, so a time that is measured on one
# processor would include the time that QEMU spends on the others. The guest therefore has one
# processor.
CLOCK=(--smp 1 --qemu -icount --qemu "shift=0,sleep=on")
# As in the suite nv3 of check-igt
DEVICE=(--device "vram-size=8M,xres=640,yres=480")

traced() {
	"$TREE/vm/nv3-vm" exec --kernel latency --timeout "$PATIENCE" "${CLOCK[@]}" \
		"${DEVICE[@]}" -- \
		"IGT_FORCE_DRIVER=nv3 exec /nv3/libexec/irqs-off $REPORTED \
			/nv3/libexec/igt-gpu-tools/$1" \
		>"$results/$1.trace" 2> >(tee "$results/$1.log" >&2)
}

bounded() {
	"$TREE/vm/checks/suites/latency-sections" "$LIMIT" "$results/$1.trace" \
		>"$results/$1.sections" || status=1
	sed 's/^/    /' "$results/$1.sections" >&2
	return "${status:-0}"
}

begin_report "$results/latency.tap" $((2 * ${#TESTS[@]}))
for test in "${TESTS[@]}"; do
	status=0
	report "$test runs on the latency kernel" traced "$test"
	report "$test: interrupts are off for at most $LIMIT us" bounded "$test"
done
