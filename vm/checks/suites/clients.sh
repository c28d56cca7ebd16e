#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs three OpenGL programs in the guest for SECONDS_EACH= (120) seconds. Meanwhile a fourth
# program is killed and replaced every second, at an arbitrary point of a frame. The three programs
# must draw the same frames as a program that runs alone. Their priority is lower, so that the
# fourth program starts in time. Not part of "make check".

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/clients
duration=${SECONDS_EACH:-120}

# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
nv3-gl-steady 1 >alone 2>alone.err
watchers=()
for i in 1 2 3; do
	nice nv3-gl-steady '$duration' >"watcher-$i" 2>"watcher-$i.err" &
	watchers+=($!)
done
status=0
nv3-gl-steady victims '$duration' >victims 2>victims.err || status=$?
echo 1..4
number=0
verdict() {
	number=$((number + 1))
	echo "$1 $number - $2"
}
for i in 1 2 3; do
	ok=ok
	wait "${watchers[$((i - 1))]}" || ok="not ok"
	[ "$(sed "s/.*sum //" "watcher-$i")" = "$(sed "s/.*sum //" alone)" ] || ok="not ok"
	verdict "$ok" "watcher $i: $(cat "watcher-$i")"
done
ok=ok
[ $status = 0 ] || ok="not ok"
verdict "$ok" "$(cat victims)"'

rm -rf "$share"
mkdir -p "$share"
"$RECIPES/stage.sh" lts >/dev/null
"$RECIPES/mesa.sh" >/dev/null
"$TREE/vm/nv3-vm" exec --fail-on-warn --share "$share" --timeout $((duration * 2 + 300)) -- \
	"$GUEST" >"$results/clients.tap"
