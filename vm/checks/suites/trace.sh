#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records nv3-demo for SECONDS_EACH= (10) seconds with vm/trace, while nv3-top also runs. For each
# batch, the kernel and the device must both record the switch, the methods and the notification in
# this order, and nv3-top's figures must agree with the figures of the demo and of the timeline
# (vm/checks/suites/trace-figures).
#
# Two further recordings must contain switches and preemptions for reasons that do not occur in the
# demo. One test uses channels of different priorities, and the other runs on a chip without class
# RECT.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/check-trace
duration=${SECONDS_EACH:-10}

# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
nv3-top --json --delay 1 >/run/boot/top.json &
top=$!
# If an unprivileged user runs nv3-top, it lists only the clients of this user.
nv3-demo --seconds '$duration' >/run/boot/demo.txt &
demo=$!
sleep 4
setpriv --reuid 65534 --regid 65534 --clear-groups nv3-top --json --delay 0.5 --count 1 >/run/boot/user.json ||
	echo "nv3-top as another user: status $?"
nv3-top --count 1 >/run/boot/top.txt
wait $demo || exit 1
kill -INT $top
wait $top'

# record NAME SUBTEST [OPTION...]: records a subtest of IGT, and checks the events of the kernel and
# of the device. OPTIONs are those of vm/nv3-vm.
record() {
	local name=$1 subtest=$2 options=() option status=0
	shift 2
	for option in --fail-on-warn "$@"; do
		options+=(--vm "$option")
	done
	"$TREE/vm/trace" --check --output "$share/$name" "${options[@]}" -- \
		env IGT_FORCE_DRIVER=nv3 "/nv3/libexec/igt-gpu-tools/${subtest%% *}" \
		--run-subtest "${subtest#* }" >"$share/$name.txt" || status=$?
	echo "status $status" >>"$share/$name.txt"
}

mkdir -p "$share"
status=0
"$TREE/vm/trace" --check --output "$share" --vm --fail-on-warn -- "$GUEST" >"$share/check.txt" || status=$?
run=$(realpath "$BUILD/vm/last")
for file in demo.txt top.json user.json top.txt; do
	[ ! -e "$run/guest/$file" ] || cp "$run/guest/$file" "$share/"
done
record priority "nv3_channel priority-preempt"
record software "nv3_draw rect" --device without-class=0x07
"$TREE/vm/root" "$TREE/vm/checks/suites/trace-figures" "$share" "$status" \
	>"$results/trace.tap"
