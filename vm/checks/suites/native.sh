#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the scenes of userspace/mesa/tests without a virtual machine. The nv3 driver draws them on
# the chip model through Mesa's drm-shim, and llvmpipe draws them for comparison. The pictures of
# class 0x17 are in build/native/nv3, and the pictures of class 0x1f are in build/native/programs.
# If check-gl has drawn the scenes in the guest with the same driver, the pictures must be
# identical. This comparison verifies that the drm-shim and the kernel driver agree. The results of
# programs that the compiler generates for class 0x1f are compared with the results of evaluating
# the shaders directly.

source "$(dirname "$0")/../../recipes/common.sh"

results=$1
out=$BUILD/native

rm -rf "$out"
mkdir -p "$out"/{nv3,programs,llvmpipe}
NV3_SHIM_VRAM=8 NV3_DEBUG=fallback,class17 "$TREE/vm/nv3-native" nv3-gl-test draw "$out/nv3" >"$out/nv3.log" ||
	say "check-native: the nv3 driver's run failed, see $out/nv3.log"
NV3_NATIVE=llvmpipe "$TREE/vm/nv3-native" nv3-gl-test draw "$out/llvmpipe" >"$out/llvmpipe.log"
"$TREE/vm/nv3-native" nv3-gl-test compare "$out/nv3" "$out/llvmpipe" >"$results/scenes.tap" ||
	true

NV3_DEBUG=fallback "$TREE/vm/nv3-native" nv3-gl-test draw "$out/programs" >"$out/programs.log" ||
	say "check-native: the run with class 0x1f failed, see $out/programs.log"
"$TREE/vm/nv3-native" nv3-gl-test close "$out/programs" "$out/llvmpipe" \
	>"$results/programs.tap" || true

preload=/nv3/lib/nv3-lost-batch.so:/nv3/lib/libnv3_drm_shim.so
"$TREE/vm/nv3-native" env LD_PRELOAD=$preload nv3-gl-checks \
	>"$results/checks-class1f.tap" 2>"$out/checks-class1f.log" || true
NV3_SHIM_VRAM=8 NV3_DEBUG=class17 "$TREE/vm/nv3-native" env LD_PRELOAD=$preload nv3-gl-checks \
	>"$results/checks-class17.tap" 2>"$out/checks-class17.log" || true

"$TREE/vm/nv3-native" nv3-demo-test >"$results/demo.tap" || true

"$TREE/vm/nv3-native" nv3-codegen-test >"$results/codegen.tap" || true

"$TREE/vm/checks/suites/native-captures" "$out/captures" >"$results/captures.tap" || true

# drawn_in_guest: succeeds if check-gl has drawn its pictures with the present build of Mesa
drawn_in_guest() {
	[ -f "$BUILD/gl/driver" ] && cmp -s "$BUILD/gl/driver" "$BUILD/mesa/release/.nv3-key"
}

# same_as_in_guest NUMBER FOLDER: compares the pictures in FOLDER with the pictures that check-gl
# has drawn, and prints a line of TAP
same_as_in_guest() {
	local different
	different=$(cd "$out/$2" && for picture in *.png; do
		cmp -s "$picture" "$BUILD/gl/$2/$picture" || echo "${picture%.png}"
	done)
	[ -z "$different" ] || echo "# not the guest's: ${different//$'\n'/ }"
	echo "${different:+not }ok $1 - $2-same-as-in-guest"
}

if drawn_in_guest; then
	echo 1..2
	same_as_in_guest 1 nv3
	same_as_in_guest 2 programs
else
	echo "1..0 # SKIP make check-gl has not drawn the scenes"
fi >"$results/same.tap"
