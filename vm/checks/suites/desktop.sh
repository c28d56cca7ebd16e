#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests unmodified programs in the guest of "make desktop". On an X server on nv3, each program runs
# with the nv3 driver and with Debian's llvmpipe. Its clock advances by a fixed time per frame, and
# the frames of both runs must be similar. Weston must start and show a window. No draw of a program
# or of Weston may fall back to software. Pictures are stored in build/desktop. Not part of "make
# check", because it takes a long time in an emulated guest. PROGRAMS= selects programs.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/desktop
programs=${PROGRAMS:-gears racer arena weston}

# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
export HOME=/tmp/home LOGS=/share NV3_DEBUG=fallback,stats
mkdir -p "$HOME" nv3 llvmpipe

# frames NAME "FRAME..." CMD...: runs CMD with nv3 and with llvmpipe, and stores the frames with the
# given numbers
frames() {
	local name=$1 list=$2
	shift 2
	export NV3_FRAMES=$list NV3_FRAMES_STEP=20
	NV3_FRAMES_TO=nv3/$name LD_PRELOAD=/nv3/lib/nv3-frames.so \
		timeout 600 "$@" >"nv3/$name.log" 2>&1
	NV3_FRAMES_TO=llvmpipe/$name LD_PRELOAD=/nv3/lib/nv3-frames.so \
		LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1 \
		timeout 1500 "$@" >"llvmpipe/$name.log" 2>&1
}

gears() { frames gears "20 60" glxgears; }
# In Extreme Tux Racer, Enter skips the title, selects the first race of the first cup, and skips
# the introduction of the race. Up makes the penguin run.
racer() {
	export NV3_FRAMES_KEYS="5:58 10:58 15:58 20:58 25:58 30:58 32:73"
	frames racer "8 24 60 100 140" /usr/games/etr
}
arena() {
	frames arena "5 40 100 140" /usr/games/openarena +set cl_renderer opengl1 \
		+set r_mode 3 +set r_fullscreen 0 +set s_initsound 0 \
		+set com_introplayed 1 +set timedemo 1 +demo demo088-test1
}

under_x() {
	for program in $PROGRAMS; do
		case $program in
		gears | racer | arena) "$program" ;;
		esac
	done
}

under_weston() {
	NV3_FRAMES="30" NV3_FRAMES_STEP=20 NV3_FRAMES_TO=nv3/weston \
		LD_PRELOAD=/nv3/lib/nv3-frames.so \
		timeout 120 es2gears_wayland >nv3/weston.log 2>&1
}
export -f frames gears racer arena under_x under_weston
export PROGRAMS="'$programs'"
nv3-desktop xorg bash -c under_x
case " $PROGRAMS " in
*" weston "*) nv3-desktop weston bash -c under_weston ;;
esac
ls nv3 llvmpipe >files'

verdict() {
	number=$((number + 1))
	echo "$1 $number - $2"
}

# Compares the frames of both drivers by their structural similarity.
compare() {
	local program=$1 picture name ok value count=0
	for picture in "$share/nv3/$program"-*.png; do
		[ -f "$picture" ] || continue
		name=$(basename "$picture")
		ok=ok
		value=$("$TREE/vm/root" /nv3/bin/nv3-gl-test similar "$picture" \
			"$share/llvmpipe/$name" 2>&1) || ok="not ok"
		verdict "$ok" "$name is like llvmpipe's (similarity $value)"
		count=$((count + 1))
	done
	[ "$count" -gt 0 ] || verdict "not ok" "$program drew no frame"
}

# fallbacks NAME LOG: prints a line of TAP: "not ok" if LOG reports a software fallback
fallbacks() {
	local reasons
	reasons=$(sed -n "s/.*software fallback: //p" "$2" | sort -u) || reasons="no log"
	verdict "${reasons:+not }ok" "$1 has no software fallbacks"
	[ -z "$reasons" ] || echo "# ${reasons//$'\n'/$'\n# '}"
}

judge() {
	local program ok number=0
	for program in $programs; do
		case $program in
		weston)
			ok=ok
			[ -f "$share/nv3/weston-30.png" ] || ok="not ok"
			verdict "$ok" "a program draws in a window of Weston's"
			fallbacks "a program in a window" "$share/nv3/weston.log"
			fallbacks Weston "$share/weston.log"
			;;
		*)
			compare "$program"
			fallbacks "$program" "$share/nv3/$program.log"
			;;
		esac
	done
	echo "1..$number"
}

rm -rf "$share"
mkdir -p "$share"
"$TREE/vm/nv3-vm" exec --image desktop --share "$share" --timeout 6000 -- "$GUEST"
judge >"$results/desktop.tap"
