#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Replays traces of OpenGL programs (replays-programs) without a virtual machine: on the nv3 driver
# with class 0x1F, through Mesa's drm-shim, and on llvmpipe of the same Mesa build. Frames of both
# must be similar. A second replay on nv3, with two raster threads and without SIMD instructions,
# must draw the same frames bit for bit. No draw may fall back to software, except where the list
# says so. Pictures are stored in build/replays. Not part of "make check", because it needs a
# separate root file system and records the programs first. PROGRAMS= selects programs by name.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
out=$BUILD/replays
list=$TREE/vm/checks/suites/replays-programs
programs=${PROGRAMS:-$(grep -v '^#' "$list" | cut -f 1)}
SIMILAR=0.99
# The driver prints the size of each program that it compiles, which shows that it draws.
export NV3_DEBUG=fallback,shader

# replay RUN NAME TRACE DISTANCE: replays the TRACE of the program NAME, and stores frames in
# $out/RUN/NAME
replay() {
	mkdir -p "$out/$1/$2"
	timeout 900 "$TREE/vm/checks/replay-trace" "$3" --snapshot=frame \
		--snapshot-interval="$4" --snapshot-prefix="$out/$1/$2/" \
		>"$out/$1/$2.log" 2>&1 </dev/null ||
		say "check-replays: $2 failed, see $out/$1/$2.log"
}

# verdict STATUS TEXT: prints a line of TAP
verdict() {
	number=$((number + 1))
	[ "$1" = 0 ] && echo "ok $number - $2" || echo "not ok $number - $2"
}

# Prints the warnings of apitrace in a log, without the numbers of the calls.
warnings() { sed -n 's/^[0-9]*: warning: //p' "$1" | sort -u; }

# judge NAME FRAMES DISTANCE FALLBACKS: prints TAP
judge() {
	local frame=1 picture value status text
	status=0
	text=$(sed -n 's/^Rendered \([0-9]*\) frames.*/\1/p' "$out/nv3/$1.log")
	# The last frame may be recorded without its end.
	[ "${text:-0}" -ge $(($2 > 1 ? $2 - 1 : 1)) ] || status=1
	grep -a -q 'nv3: FS .* instructions' "$out/nv3/$1.log" || status=1
	verdict $status "$1: the nv3 driver draws all frames (${text:-none})"
	for picture in "$out/nv3/$1"/*.png; do
		status=0
		value=$("$TREE/vm/root" /nv3/bin/nv3-gl-test similar "$picture" \
			"$out/llvmpipe/$1/${picture##*/}" $SIMILAR 2>&1) || status=1
		verdict $status "$1, frame $frame (similarity $value)"
		frame=$((frame + $3))
	done
	status=0
	text=$(diff -rq "$out/nv3/$1" "$out/nv3-scalar/$1" 2>&1) || status=1
	verdict $status "$1 has the same frames with two threads and without SIMD"
	[ -z "$text" ] || echo "# ${text//$'\n'/$'\n# '}"
	text=$(sed -n 's/.*software fallback: //p' "$out/nv3/$1.log" | sort -u | paste -s -d ,)
	status=0
	[ "${text:--}" = "$4" ] || status=1
	verdict $status "$1 has no unexpected fallbacks (expected: $4, found: ${text:--})"
	status=0
	text=$(comm -23 <(warnings "$out/nv3/$1.log") <(warnings "$out/llvmpipe/$1.log")
		grep -a -E 'MESA: error|nv3-drm-shim:|error:' "$out/nv3/$1.log" || true)
	[ -z "$text" ] || status=1
	verdict $status "$1 has no errors that llvmpipe has not"
	[ -z "$text" ] || echo "# ${text//$'\n'/$'\n# '}"
}

rm -rf "$out"
mkdir -p "$out"
# shellcheck disable=SC2086 # a list of names
traces=$("$TREE/vm/checks/traces.sh" $programs)
number=0
while read -r name trace; do
	IFS=$'\t' read -r _ _ frames distance fallbacks _ \
		< <(awk -F '\t' -v name="$name" '$1 == name' "$list")
	NV3_SHIM_THREADS=1 replay nv3 "$name" "$trace" "$distance"
	NV3_SHIM_THREADS=2 NV3_SHIM_SIMD=scalar \
		replay nv3-scalar "$name" "$trace" "$distance"
	NV3_NATIVE=llvmpipe replay llvmpipe "$name" "$trace" "$distance"
	judge "$name" "$frames" "$distance" "$fallbacks"
done <<<"$traces" >"$results/replays.tap"
echo "1..$number" >>"$results/replays.tap"
