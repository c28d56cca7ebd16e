#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of tracing. Enabled trace events may cost at most 15 % of make bench's core.methods and
# submit.rate, and disabled ones at most 1 % of core.methods, compared with a core that is compiled
# without them. Both sides run in turns, ROUNDS= (9) times, and medians are compared. GUEST_RUNS=0
# omits submit.rate, which needs the guest. Not part of "make check", because the result depends on
# the load of the host. The values of each run are in build/trace-cost.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/trace-cost
rounds=${ROUNDS:-9}
ON_PERCENT_MAX=15
OFF_PERCENT_MAX=1

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

# shellcheck disable=SC2016 # the guest's shell expands it
GUEST='
rate() { sed -n "s/^submit\.rate\t\([0-9.]*\).*/\1/p"; }
nv3-bench submit >/dev/null
for round in $(seq $rounds); do
	nv3-bench submit | rate >>submit.off
	nv3-trace --output /tmp/trace -- nv3-bench submit | rate >>submit.on
done'

median() { sort -g "$share/$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# verdict NAME FILE REFERENCE PERCENT: compares the medians of two files of rates
verdict() {
	local rate reference
	number=$((number + 1))
	rate=$(median "$2") reference=$(median "$3")
	awk -v name="$1" -v rate="$rate" -v of="$reference" -v max="$4" -v n="$number" 'BEGIN {
		cost = of > 0 && rate > 0 ? 100 * (1 - rate / of) : 100
		printf "%sok %d - %s: %.1f, compared with %.1f, costs %.1f %%, at most %d %%\n",
			cost <= max ? "" : "not ", n, name, rate, of, cost, max
	}'
}

judge() {
	local number=0
	verdict "core.methods, disabled" core.off core.none "$OFF_PERCENT_MAX"
	verdict "core.methods, enabled" core.on core.off "$ON_PERCENT_MAX"
	[ "${GUEST_RUNS:-1}" = 0 ] ||
		verdict "submit.rate, enabled" submit.on submit.off "$ON_PERCENT_MAX"
	echo "1..$number"
}

rm -rf "$share"
mkdir -p "$share"
"$RECIPES/build-root.sh" >/dev/null
step core-release 40 core core-release >&2
step core-no-events 40 core core-no-events -Dc_args=-DNV3_NO_EVENTS >&2
for ((round = 0; round < rounds; round++)); do core_round "$round"; done
[ "${GUEST_RUNS:-1}" = 0 ] ||
	"$TREE/vm/nv3-vm" exec --share "$share" --timeout 900 -- "rounds=$rounds; $GUEST"
judge >"$results/trace-cost.tap"
cat "$results/trace-cost.tap"
