#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Draws glmark2's default scenes (glmark2-scenes) without a virtual machine. The nv3 driver draws
# frames of each scene with class 0x1F through Mesa's drm-shim, while glmark2's clock advances by a
# fixed time per frame. The frames must be similar to llvmpipe's frames. Where llvmpipe's own
# rounding is visible (the noise of the scene terrain), the frames are compared with softpipe's
# frames instead. Pictures are stored in build/glmark2. Not part of "make check", because it needs a
# separate root file system. SCENES= selects scenes by name.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
out=$BUILD/glmark2
FRAMES="3 10"
scenes=${SCENES:-$(grep -v '^#' "$TREE/vm/checks/suites/glmark2-scenes" | cut -f 1)}

# column NAME N: prints column N of the scene NAME in glmark2-scenes
column() {
	awk -F '\t' -v name="$1" -v n="$2" '$1 == name { print $n }' \
		"$TREE/vm/checks/suites/glmark2-scenes"
}

# draw DRIVER NAME: draws the FRAMES of the scene NAME with DRIVER
draw() {
	local preload=/nv3/lib/nv3-frames.so:/nv3/lib/nv3-windowless.so run
	run=("$TREE/vm/nv3-native" env)
	case $1 in
	nv3) preload+=:/nv3/lib/libnv3_drm_shim.so ;;
	softpipe) run=("$TREE/vm/root" env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=softpipe) ;;
	esac
	NV3_ROOT=program-root NV3_NATIVE=${1/softpipe/llvmpipe} timeout 600 "${run[@]}" \
		NV3_FRAMES="$FRAMES" NV3_FRAMES_STEP=100 NV3_FRAMES_TO="$out/$1/$2" \
		NV3_DEBUG=fallback LD_PRELOAD="$preload" glmark2-es2-drm -b "$(column "$2" 2)" \
		>"$out/$1/$2.log" 2>&1 </dev/null ||
		say "check-glmark2: $2 failed on $1, see $out/$1/$2.log"
}

# judge NAME REFERENCE: compares nv3's frames of the scene NAME with the frames of the driver
# REFERENCE, and prints TAP
judge() {
	local frame value ok
	for frame in $FRAMES; do
		ok=ok
		value=$("$TREE/vm/root" /nv3/bin/nv3-gl-test similar "$out/nv3/$1-$frame.png" \
			"$out/$2/$1-$frame.png" 2>&1) || ok="not ok"
		echo "$ok $((++number)) - $1, frame $frame (similarity $value)"
	done
	ok=ok
	! grep -a -E 'MESA: error|nv3-drm-shim:' "$out/nv3/$1.log" | sed 's/^/# /' || ok="not ok"
	echo "$ok $((++number)) - $1 without errors of the driver"
	ok=ok
	! grep -a -h -o 'software fallback: .*' "$out/nv3/$1.log" | sed 's/^/# /' || ok="not ok"
	echo "$ok $((++number)) - $1 without fallbacks"
}

rm -rf "$out"
mkdir -p "$out"/{nv3,llvmpipe,softpipe}
number=0
{
	for name in $scenes; do
		reference=$(column "$name" 3)
		reference=${reference:-llvmpipe}
		draw nv3 "$name"
		draw "$reference" "$name"
		judge "$name" "$reference"
	done
	echo "1..$number"
} >"$results/glmark2.tap"
