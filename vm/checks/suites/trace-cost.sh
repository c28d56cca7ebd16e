#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of tracing: enabled trace events may cost at most 15 % of make bench's core.methods and
# submit.rate, compared with disabled events. Disabled events may cost at most 1 %, compared with
# programs that are compiled without trace events.
#
# The cost of disabled events is smaller than the differences that the layout of the code and a guest
# under TCG cause. For these events, the script therefore counts the instructions that a guest
# executes (-icount). For submit.rate, the guest "none" has a QEMU without trace events and an nv3.ko
# without tracepoints, and the guest "events" has both. Each rate is the median of five runs. This
# count does not include the work of the device. For core.methods, a guest runs bench_methods, a
# process that contains the core, in both versions.
#
# For enabled events, the script measures time: of core.methods without a guest, and of submit.rate
# in a guest with one CPU. With two CPUs, the rate of the same configuration varies by a factor of
# two. In the guest, measurements with enabled events alternate with measurements with disabled
# events. The events are the tracepoints that nv3-trace records and the device's events that vm/trace
# enables. Each measurement is the median of five runs.
#
# The script runs each configuration ROUNDS= times (default: 9). In each round, the loss is the
# percentage by which the events reduce the rate. The cost is the median of the losses. GUEST_RUNS=0
# omits the guests. This script is not part of "make check", because the result depends on the load
# of the host. The values of each run are in build/trace-cost.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/trace-cost
rounds=${ROUNDS:-9}
ON_PERCENT_MAX=15
OFF_PERCENT_MAX=1
GUEST_TIMEOUT=1800

# core DIR [ARG...]: compiles bench_methods in build/DIR. ARG is for "meson setup".
core() {
	local out=$BUILD/$1
	shift
	[ -f "$out/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=release "$@" "$out" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out" -j "$NV3_JOBS" tests/bench/bench_methods
}

# core_round: appends the rates with disabled and enabled events to the files core.off and core.on
core_round() {
	"$TREE/vm/root" "$BUILD/core-release/tests/bench/bench_methods" >"$share/row"
	sed -n 's/^core\.methods\t\([0-9.]*\).*/\1/p' "$share/row" >>"$share/core.off"
	sed -n 's/^core\.methods_traced\t\([0-9.]*\).*/\1/p' "$share/row" >>"$share/core.on"
}

# ---- instructions ----

# count_core: runs core.methods without and with events in a guest whose clock counts instructions,
# and writes the rates to the files methods.none and methods.off
count_core() {
	cp "$BUILD/core-no-events/tests/bench/bench_methods" "$share/bench.none"
	cp "$BUILD/core-release/tests/bench/bench_methods" "$share/bench.off"
	# shellcheck disable=SC2016 # The guest's shell expands the variables.
	"$TREE/vm/nv3-vm" exec --no-driver --share "$share" --smp 1 \
		--qemu -icount --qemu shift=0,sleep=off --timeout "$GUEST_TIMEOUT" -- '
		for way in none off; do
			./bench.$way |
				sed -n "s/^core\.methods\t\([0-9.]*\).*/\1/p" >methods.$way
		done'
}

# module SIDE [WORD]: compiles nv3.ko with NV3_KCONFIG=WORD, and copies it to the share as SIDE.ko
module() {
	local release
	release=$(cat "$("$RECIPES/kernel.sh" lts)/release")
	NV3_KCONFIG=${2:-} "$RECIPES/stage.sh" >/dev/null
	cp "$BUILD/guest/modules/$release/nv3.ko" "$share/$1.ko"
}

# The beginning of the guest scripts that measure submit.rate: loads nv3.ko, and defines the command
# $run, which executes the benchmark five times, and middle(), which prints the median rate of $run.
# shellcheck disable=SC2016 # The guest's shell expands the variables.
BEGIN='
modprobe -a $(modinfo -F depends $side.ko | tr , " ")
insmod $side.ko || exit 1
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
run="for run in 1 2 3 4 5; do nv3-bench submit; done"
middle() { sed -n "s/^submit\.rate\t\([0-9.]*\).*/\1/p" | sort -g | sed -n 3p; }
nv3-bench submit >/dev/null
'

# count_instructions SIDE VARIANT WAY: measures submit.rate with SIDE.ko and the QEMU build VARIANT,
# and writes the rates to the file instructions.WAY. The guest's clock counts instructions.
count_instructions() {
	NV3_QEMU_VARIANT=$2 "$TREE/vm/nv3-vm" exec --no-driver --share "$share" --smp 1 \
		--qemu -icount --qemu shift=0,sleep=off --timeout "$GUEST_TIMEOUT" -- \
		"side=$1; $BEGIN
		ls /sys/kernel/tracing/events | grep -cx nv3 >$1.tracepoints
		for round in \$(seq $rounds); do sh -c \"\$run\" | middle; done" >"$share/instructions.$3"
}

measure_instructions() {
	module none KCFLAGS=-DNOTRACE
	module events
	count_instructions none no-events none
	count_instructions events release off
	[ "$(cat "$share/none.tracepoints" "$share/events.tracepoints" | xargs)" = "0 1" ] ||
		die "the tracepoints of nv3.ko are not as they should be"
}

# ---- submit.rate in time ----

# The script of the guest. It waits for the files 1, 2, 3 and so on, each of which contains an
# order. "on" and "off" measure once, with or without tracing, and "end" exits.
# shellcheck disable=SC2016 # The guest's shell expands the variables.
MEASURE='
touch 0.done
number=1
while :; do
	until [ -e $number ]; do sleep 0.1; done
	case $(cat $number) in
	end) exit 0 ;;
	on)
		nv3-trace --output /run/boot/kernel.trace -- sh -c "$run" | middle >>submit.on
		grep -q nv3_batch_end /run/boot/kernel.trace || exit 1
		;;
	off) sh -c "$run" | middle >>submit.off ;;
	esac
	touch $number.done
	number=$((number + 1))
done'
orders=0

# wait_for NUMBER: waits until the guest has executed the order NUMBER
wait_for() {
	until [ -e "$share/$1.done" ]; do
		kill -0 "$guest" 2>/dev/null || die "the guest has ended: $(tail -n 5 "$share/log")"
		sleep 0.1
	done
}

# order on|off|end: gives the guest an order, see MEASURE
order() {
	orders=$((orders + 1))
	echo "$1" >"$share/next"
	mv "$share/next" "$share/$orders"
}

# device_events BOOLEAN: enables or disables the device's events of "make trace"
device_events() {
	local event
	for event in $("$TREE/vm/trace" --events); do
		"$TREE/vm/root" "$TREE/vm/qmp" "$share/qmp" trace-event-set-state \
			"{\"name\": \"$event\", \"enable\": $1}"
	done
}

# measure on|off: makes the guest measure once. Fails if the device records no events with "on", or
# any with "off".
measure() {
	local before after
	[ "$1" = off ] || device_events true
	before=$(stat -c %s "$share/device.trace")
	order "$1"
	wait_for "$orders"
	[ "$1" = off ] || device_events false
	after=$(stat -c %s "$share/device.trace")
	case $1 in
	on) [ "$after" -gt "$before" ] || die "the device has recorded no event" ;;
	off) [ "$after" -eq "$before" ] || die "the device has recorded events" ;;
	esac
}

# measure_time: measures submit.rate with disabled and with enabled events, and writes the rates to
# the files submit.off and submit.on
measure_time() {
	local event round options=()
	for event in $("$TREE/vm/trace" --events); do
		options+=(--qemu -trace --qemu "$event")
	done
	options+=(--qemu -trace --qemu "file=$share/device.trace")
	"$TREE/vm/nv3-vm" exec --no-driver --smp 1 --share "$share" --qmp "$share/qmp" \
		--timeout "$GUEST_TIMEOUT" "${options[@]}" -- "side=events; $BEGIN $MEASURE" \
		>"$share/log" 2>&1 &
	guest=$!
	trap 'kill "$guest" 2>/dev/null || true' EXIT
	wait_for 0
	device_events false
	measure off
	for ((round = 0; round < rounds; round++)); do
		measure on
		measure off
	done
	# During the first measurement QEMU translates the guest's code, so drop this measurement.
	sed -i 1d "$share/submit.off"
	order end
	wait "$guest" || die "the guest failed, see $share/log"
	trap - EXIT
	rm -f "$share/device.trace"
}

# ---- the result ----

# verdict NAME FILE REFERENCE PERCENT [ROUNDS]: compares the rates in two files row by row, and
# prints a TAP line: ok if the median loss in FILE is at most PERCENT. Fails if a file does not have
# a row for each of the rounds.
verdict() {
	number=$((number + 1))
	paste "$share/$2" "$share/$3" | awk '{ print 100 * (1 - $1 / $2), $1, $2 }' | sort -g |
		awk -v name="$1" -v max="$4" -v n="$number" -v rounds="${5:-$rounds}" '
		{ cost[NR] = $1; rate += $2; reference += $3 }
		END {
			median = NR == rounds ? cost[int((NR + 1) / 2)] : 100
			printf "%sok %d - %s: costs %.1f %%, at most %d %%\n",
				median <= max ? "" : "not ", n, name, median, max
			printf "# half of %d rounds: %.1f to %.1f %%, mean rates %.1f and %.1f\n",
				NR, cost[int(NR / 4) + 1], cost[NR - int(NR / 4)],
				rate / NR, reference / NR
		}'
}

judge() {
	local number=0
	verdict "core.methods, enabled" core.on core.off "$ON_PERCENT_MAX"
	if [ "${GUEST_RUNS:-1}" != 0 ]; then
		verdict "core.methods, disabled" methods.off methods.none "$OFF_PERCENT_MAX" 1
		verdict "submit.rate, disabled" instructions.off instructions.none "$OFF_PERCENT_MAX"
		verdict "submit.rate, enabled" submit.on submit.off "$ON_PERCENT_MAX"
	fi
	echo "1..$number"
}

rm -rf "$share"
mkdir -p "$share"
"$RECIPES/build-root.sh" >/dev/null
step core-release 40 core core-release >&2
step core-no-events 40 core core-no-events -Dc_args=-DNV3_NO_EVENTS >&2
for ((round = 0; round < rounds; round++)); do core_round; done
if [ "${GUEST_RUNS:-1}" != 0 ]; then
	count_core
	measure_instructions
	measure_time
fi
judge >"$results/trace-cost.tap"
cat "$results/trace-cost.tap"
