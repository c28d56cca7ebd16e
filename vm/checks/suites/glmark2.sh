#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# glmark2's default scenes (glmark2-scenes) without a virtual machine. Class 0x1F draws
# frames of each by Mesa's drm-shim, while glmark2's clock advances by a fixed time per
# frame. They must be similar to llvmpipe's. Pictures are stored in build/glmark2. Not
# part of "make check", because it needs a root of its own. SCENES= selects names.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
out=$BUILD/glmark2
scenes=${SCENES:-$(grep -v '^#' "$TREE/vm/checks/suites/glmark2-scenes" | cut -f 1)}

# draw DRIVER NAME: draws two frames of a scene
draw() {
	local scene preload=/nv3/lib/nv3-frames.so:/nv3/lib/nv3-windowless.so
	scene=$(awk -F '\t' -v name="$2" '$1 == name { print $2 }' \
		"$TREE/vm/checks/suites/glmark2-scenes")
	[ "$1" = llvmpipe ] || preload+=:/nv3/lib/libnv3_drm_shim.so
	NV3_ROOT=program-root NV3_NATIVE=$1 timeout 600 "$TREE/vm/nv3-native" env \
		NV3_FRAMES="10 40" NV3_FRAMES_STEP=20 NV3_FRAMES_TO="$out/$1/$2" \
		NV3_DEBUG=stats LD_PRELOAD="$preload" glmark2-es2-drm -b "$scene" \
		>"$out/$1/$2.log" 2>&1 </dev/null ||
		say "check-glmark2: $2 failed on $1, see $out/$1/$2.log"
}

# judge NAME: compares the frames
judge() {
	local frame value ok
	for frame in 10 40; do
		ok=ok
		value=$("$TREE/vm/root" /nv3/bin/nv3-gl-test similar "$out/nv3/$1-$frame.png" \
			"$out/llvmpipe/$1-$frame.png" 2>&1) || ok="not ok"
		echo "$ok $((++number)) - $1, frame $frame (similarity $value)"
	done
	ok=ok
	! grep -a -E 'MESA: error|nv3-drm-shim:' "$out/nv3/$1.log" | sed 's/^/# /' || ok="not ok"
	echo "$ok $((++number)) - $1 without errors of the driver"
}

rm -rf "$out"
mkdir -p "$out"/{nv3,llvmpipe}
number=0
{
	for name in $scenes; do
		draw nv3 "$name"
		draw llvmpipe "$name"
		judge "$name"
	done
	echo "1..$number"
} >"$results/glmark2.tap"
