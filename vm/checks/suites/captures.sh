#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records captures of Weston, of its client and of OpenArena in the guest of "make desktop". Replays
# the captures on the host. The replays must draw the guest's pictures bit for bit, and nv3-lint
# must find no errors. Part of "make check-desktop". The captures are not kept. PROGRAMS= selects
# programs.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../captured.sh"

results=$1
share=$BUILD/captures
programs=
# PROGRAMS= applies to all suites of check-desktop. Ignore programs that this suite does not record.
for program in ${PROGRAMS:-weston gears arena}; do
	case $program in weston | gears | arena) programs+=" $program" ;; esac
done
BATCHES=200	# of each process, enough for frames of a level of OpenArena
METHODS_MIN=1000

# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
export HOME=/tmp/home LOGS=/share SDL_AUDIODRIVER=dummy ALSOFT_DRIVERS=null
mkdir -p "$HOME"
gears() {
	NV3_FRAMES=30 NV3_FRAMES_STEP=20 NV3_FRAMES_TO=/tmp/gears LD_PRELOAD=/nv3/lib/nv3-frames.so \
		timeout 200 nv3-capture --output gears --batches $batches es2gears_wayland
}
arena() {
	NV3_FRAMES=60 NV3_FRAMES_STEP=20 NV3_FRAMES_TO=/tmp/arena LD_PRELOAD=/nv3/lib/nv3-frames.so \
		timeout 1200 nv3-capture --output arena --batches $batches \
		/usr/games/openarena +set cl_renderer opengl1 +set r_mode 3 \
		+set r_fullscreen 0 +set s_initsound 0 +set com_introplayed 1 +set timedemo 1 \
		+demo demo088-test1
}
export -f gears arena
case " $programs " in *" weston "* | *" gears "*)
	CAPTURE=weston CAPTURE_BATCHES=$batches nv3-desktop weston bash -c gears >gears.log 2>&1 ;;
esac
case " $programs " in *" arena "*) nv3-desktop xorg bash -c arena >arena.log 2>&1 ;; esac
exit 0'

judge() {
	local program
	for program in $programs; do
		judge_capture "$share" "$program" $METHODS_MIN
	done
	echo "1..$number"
}

rm -rf "$share"
mkdir -p "$share"
"$TREE/vm/nv3-vm" exec --image desktop --share "$share" --timeout 3000 -- \
	"cd /share; programs='$programs' batches=$BATCHES; export programs batches; $GUEST"
judge >"$results/captures.tap"
[ -n "${KEEP:-}" ] || rm -f "$share"/*.nv3cap*
