#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of tracing: enabled trace events may cost at most 15 % of make bench's core.methods and
# submit.rate, and disabled ones at most 1 %, compared with programs that are compiled without them.
#
# core.methods is measured with the core as a plain process. submit.rate is measured in two guests:
# "none" has a QEMU without trace events and an nv3.ko without tracepoints, "events" has both. "make
# trace" enables the tracepoints of nv3-trace and the device's events of vm/trace, and so does this
# in the second guest, by QMP and nv3-trace. The guest that is not measured is stopped.
#
# All sides run alternately, ROUNDS= (9) times. A guest runs nv3-bench five times and takes the
# median. The cost is the median of the ratios of all rounds.
# GUEST_RUNS=0 omits submit.rate. Not part of "make check", because the result depends on the load
# of the host. The values of each run are in build/trace-cost.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/trace-cost
rounds=${ROUNDS:-9}
ON_PERCENT_MAX=15
OFF_PERCENT_MAX=1
GUEST_TIMEOUT=1800

# core DIR [ARG...]: compiles bench_methods in DIR of the build directory
core() {
	local out=$BUILD/$1
	shift
	[ -f "$out/build.ninja" ] ||
		"$TREE/vm/root" meson setup --buildtype=release "$@" "$out" "$TREE/qemu-device"
	"$TREE/vm/root" ninja -C "$out" -j "$NV3_JOBS" tests/bench/bench_methods
}

# without_events, with_events: append the rates of a core to the files none, off and on
without_events() {
	"$TREE/vm/root" "$BUILD/core-no-events/tests/bench/bench_methods" |
		sed -n 's/^core\.methods\t\([0-9.]*\).*/\1/p' >>"$share/core.none"
}

with_events() {
	"$TREE/vm/root" "$BUILD/core-release/tests/bench/bench_methods" >"$share/row"
	sed -n 's/^core\.methods\t\([0-9.]*\).*/\1/p' "$share/row" >>"$share/core.off"
	sed -n 's/^core\.methods_traced\t\([0-9.]*\).*/\1/p' "$share/row" >>"$share/core.on"
}

# core_round NUMBER: runs both cores, in the other order than in the round before
core_round() {
	if [ $(($1 % 2)) -eq 0 ]; then
		without_events
		with_events
	else
		with_events
		without_events
	fi
}

# ---- the guests ----

# The guest measures once for each file SIDE.NUMBER, in the way that the file contains.
# shellcheck disable=SC2016 # the guest's shell expands it
GUEST='
run="for run in 1 2 3 4 5; do nv3-bench submit; done"
middle() { sed -n "s/^submit\.rate\t\([0-9.]*\).*/\1/p" | sort -g | sed -n 3p; }
modprobe -a $(modinfo -F depends $side.ko | tr , " ")
insmod $side.ko || exit 1
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
echo $(ls /sys/kernel/tracing/events | grep -cx nv3) >$side.tracepoints
nv3-bench submit >/dev/null
touch $side.0.done
number=1
while :; do
	until [ -e $side.$number ]; do sleep 0.1; done
	way=$(cat $side.$number)
	case $way in
	end) exit 0 ;;
	on)
		nv3-trace --output /run/boot/kernel.trace -- sh -c "$run" | middle >>submit.on
		grep -q nv3_batch_end /run/boot/kernel.trace || exit 1
		;;
	*) sh -c "$run" | middle >>submit.$way ;;
	esac
	touch $side.$number.done
	number=$((number + 1))
done'

declare -A orders=([none]=0 [events]=0) guests=()

# module SIDE [WORD]: copies nv3.ko, compiled with WORD, to the share
module() {
	local release
	release=$(cat "$("$RECIPES/kernel.sh" lts)/release")
	NV3_KCONFIG=${2:-} "$RECIPES/stage.sh" >/dev/null
	cp "$BUILD/guest/modules/$release/nv3.ko" "$share/$1.ko"
}

# begin SIDE VARIANT [OPTION...]: boots a guest and stops it when it can measure
begin() {
	local side=$1 variant=$2
	shift 2
	NV3_QEMU_VARIANT=$variant "$TREE/vm/nv3-vm" exec --no-driver --share "$share" \
		--qmp "$share/$side.qmp" --timeout "$GUEST_TIMEOUT" "$@" -- "side=$side; $GUEST" \
		>"$share/$side.log" 2>&1 &
	guests[$side]=$!
	wait_for "$side" 0
	monitor "$side" stop
}

monitor() { "$TREE/vm/root" "$TREE/vm/qmp" "$share/$1.qmp" "${@:2}"; }

# wait_for SIDE NUMBER: waits until a guest has measured
wait_for() {
	until [ -e "$share/$1.$2.done" ]; do
		kill -0 "${guests[$1]}" 2>/dev/null ||
			die "the guest \"$1\" has ended: $(tail -n 5 "$share/$1.log")"
		sleep 0.1
	done
}

# order SIDE WAY: tells a guest what to do next
order() {
	orders[$1]=$((orders[$1] + 1))
	echo "$2" >"$share/next"
	mv "$share/next" "$share/$1.${orders[$1]}"
	monitor "$1" cont
}

# measure SIDE WAY: lets a guest measure once. The device must log events for the way "on" only.
measure() {
	local before after
	[ "$2" != on ] || device_events true
	before=$(stat -c %s "$share/device.log")
	order "$1" "$2"
	wait_for "$1" "${orders[$1]}"
	after=$(stat -c %s "$share/device.log")
	monitor "$1" stop
	[ "$2" != on ] || device_events false
	if [ "$2" = on ]; then
		[ "$after" -gt "$before" ] || die "the device has logged no event"
	else
		[ "$after" -eq "$before" ] || die "the device has logged events ($2)"
	fi
}

# device_events BOOLEAN: enables or disables the device's events of "make trace"
device_events() {
	local event
	for event in $("$TREE/vm/trace" --events); do
		monitor events trace-event-set-state "{\"name\": \"$event\", \"enable\": $1}"
	done
}

guest_round() {
	if [ $(($1 % 2)) -eq 0 ]; then
		measure none none
		measure events off
	else
		measure events off
		measure none none
	fi
	measure events on
}

# measure_guests: writes the rates to the files submit.none, submit.off and submit.on
measure_guests() {
	local event round side options=(--qemu -D --qemu "$share/device.log")
	module none KCFLAGS=-DNOTRACE
	module events
	trap 'kill "${guests[@]}" 2>/dev/null || true' EXIT
	for event in $("$TREE/vm/trace" --events); do
		options+=(--qemu -trace --qemu "$event")
	done
	begin none no-events
	begin events release "${options[@]}"
	[ "$(cat "$share/none.tracepoints" "$share/events.tracepoints" | xargs)" = "0 1" ] ||
		die "the tracepoints of nv3.ko are not as they should be"
	device_events false
	for ((round = 0; round < rounds; round++)); do guest_round "$round"; done
	for side in none events; do
		order "$side" end
		wait "${guests[$side]}" || die "the guest \"$side\" failed, see $share/$side.log"
	done
	trap - EXIT
	rm -f "$share/device.log"
}

# ---- the result ----

# verdict NAME FILE REFERENCE PERCENT: compares two files of rates, row by row
verdict() {
	number=$((number + 1))
	paste "$share/$2" "$share/$3" | awk '{ print 100 * (1 - $1 / $2), $1, $2 }' | sort -g |
		awk -v name="$1" -v max="$4" -v n="$number" -v rounds="$rounds" '
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
	verdict "core.methods, disabled" core.off core.none "$OFF_PERCENT_MAX"
	verdict "core.methods, enabled" core.on core.off "$ON_PERCENT_MAX"
	if [ "${GUEST_RUNS:-1}" != 0 ]; then
		verdict "submit.rate, disabled" submit.off submit.none "$OFF_PERCENT_MAX"
		verdict "submit.rate, enabled" submit.on submit.off "$ON_PERCENT_MAX"
	fi
	echo "1..$number"
}

rm -rf "$share"
mkdir -p "$share"
"$RECIPES/build-root.sh" >/dev/null
step core-release 40 core core-release >&2
step core-no-events 40 core core-no-events -Dc_args=-DNV3_NO_EVENTS >&2
for ((round = 0; round < rounds; round++)); do core_round "$round"; done
[ "${GUEST_RUNS:-1}" = 0 ] || measure_guests
judge >"$results/trace-cost.tap"
cat "$results/trace-cost.tap"
