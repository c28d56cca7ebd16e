#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Captures of Weston, of its client and of OpenArena, recorded in the guest of "make desktop" and
# replayed on the host, which must draw the guest's pictures bit for bit. nv3-lint must find no
# errors. Part of "make check-desktop". The captures are not kept. PROGRAMS= selects some programs.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
share=$BUILD/captures
programs=
# Those of the other parts of check-desktop are ignored.
for program in ${PROGRAMS:-weston gears arena}; do
	case $program in weston | gears | arena) programs+=" $program" ;; esac
done
BATCHES=200	# of each process, enough for frames of a level of OpenArena
METHODS_MIN=1000

# shellcheck disable=SC2016 # the guest's shell is to expand it
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

# result NAME STATUS OUTPUT: prints a line of TAP
result() {
	number=$((number + 1))
	if [ "$2" = 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		tail -n 20 <<<"$3" | sed 's/^/# /'
	fi
}

# The largest capture of a program, as its processes write files of their own
largest() { find "$share" -name "$1.*.nv3cap" -printf '%s %p\n' | sort -n | sed -n '$s/^[0-9]* //p'; }

# replayed FILE: whether the replay has the program's own pictures, of enough methods
replayed() {
	local output methods
	output=$("$TREE/vm/nv3-replay" "$1" 2>&1) || { echo "$output"; return 1; }
	echo "$output"
	methods=$(sed -n 's/.* \([0-9]*\) methods: all .* bit for bit$/\1/p' <<<"$output")
	[ "${methods:-0}" -ge $METHODS_MIN ]
}

judge() {
	local program file output status number=0
	for program in $programs; do
		file=$(largest "$program")
		status=0 output=$(tail -n 20 "$share/$program.log" 2>&1)
		[ -n "$file" ] || status=1
		result "$program is captured" $status "$output"
		[ -n "$file" ] || continue
		status=0 output=$(replayed "$file") || status=1
		result "$program is replayed: ${output##*: }" $status "$output"
		status=0 output=$("$TREE/vm/nv3-lint" --errors "$file" 2>&1) || status=1
		result "$program has no errors: ${output##*$'\n'}" $status "$output"
	done
	echo "1..$number"
}

rm -rf "$share"
mkdir -p "$share"
"$TREE/vm/nv3-vm" exec --image desktop --share "$share" --timeout 3000 -- \
	"cd /share; programs='$programs' batches=$BATCHES; export programs batches; $GUEST"
judge >"$results/captures.tap"
[ -n "${KEEP:-}" ] || rm -f "$share"/*.nv3cap*
