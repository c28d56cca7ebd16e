#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records nv3-demo for SECONDS_EACH= (10) seconds with vm/trace, while nv3-top counts as well. Each
# batch must have its switch, methods and notification in order on both sides, and nv3-top's figures
# must agree with the figures of the demo and of the timeline (vm/checks/suites/trace-figures).

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/check-trace
duration=${SECONDS_EACH:-10}

# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
nv3-top --json --delay 1 >/run/boot/top.json &
top=$!
# nv3-top of an unprivileged user lists only the clients of this user.
nv3-demo --seconds '$duration' >/run/boot/demo.txt &
demo=$!
sleep 4
setpriv --reuid 65534 --regid 65534 --clear-groups nv3-top --json --delay 0.5 --count 1 >/run/boot/user.json ||
	echo "nv3-top as another user: status $?"
nv3-top --count 1 >/run/boot/top.txt
wait $demo || exit 1
kill -INT $top
wait $top'

mkdir -p "$share"
status=0
"$TREE/vm/trace" --check --output "$share" --vm --fail-on-warn -- "$GUEST" >"$share/check.txt" || status=$?
run=$(realpath "$BUILD/vm/last")
for file in demo.txt top.json user.json top.txt; do
	[ ! -e "$run/guest/$file" ] || cp "$run/guest/$file" "$share/"
done
"$TREE/vm/root" "$TREE/vm/checks/suites/trace-figures" "$share" "$status" \
	>"$results/trace.tap"
