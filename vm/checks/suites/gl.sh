#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests OpenGL in the guest. The nv3 driver with class 0x17, the nv3 driver with class 0x1f, and
# Debian's llvmpipe draw the scenes of userspace/mesa/tests. Their pictures are compared, and stored
# in build/gl/nv3, build/gl/programs and build/gl/llvmpipe. OpenGL programs from Debian must run. A
# scene is captured with each class and replayed on the host. The replay must draw the guest's frame
# bit for bit.

source "$(dirname "$0")/../../recipes/common.sh"
source "$(dirname "$0")/../captured.sh"

results=$1
share=$BUILD/gl
SCENE=lighting		# with vertices, a depth buffer and shading
METHODS_MIN=200

# program NAME CMD...: runs CMD with its output in NAME.log, and prints a line of TAP
# shellcheck disable=SC2016 # The guest's shell expands the variables.
GUEST='
number=0
program() {
	local name=$1
	shift
	number=$((number + 1))
	if NV3_DEBUG=${NV3_DEBUG:-fallback,stats} timeout 600 "$@" >"$name.log" 2>&1; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name ended with status $?"
		tail -n 5 "$name.log" | sed "s/^/# /"
	fi
}

mkdir -p nv3 programs llvmpipe captured
{
	echo 1..9
	NV3_DEBUG=fallback,stats,class17 program scenes-class17 nv3-gl-test draw nv3
	program scenes-class1f nv3-gl-test draw programs
	program scenes-llvmpipe env LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1 \
		nv3-gl-test draw llvmpipe
	program eglinfo eglinfo -B -p gbm
	NV3_DEBUG=class17 program frame-class17 \
		nv3-capture --output frame-class17 nv3-gl-test draw captured $scene
	program frame-class1f \
		nv3-capture --output frame-class1f nv3-gl-test draw captured $scene
	NV3_DEBUG=class17 program window-class17 nv3-gl-window
	program window-class1f nv3-gl-window
	# kmscube exits when its standard input has data or ends, so keep an empty pipe open.
	mkfifo /tmp/silent
	program kmscube sh -c "kmscube -v 640x480 -c 30 0<>/tmp/silent"
} >runs.tap
if ! grep -q "RIVA 128" eglinfo.log; then
	echo "not ok - eglinfo does not name the nv3" >>runs.tap
fi
export LD_PRELOAD=/nv3/lib/nv3-lost-batch.so
NV3_DEBUG=class17 timeout 600 nv3-gl-checks >checks-class17.tap 2>checks-class17.log
timeout 600 nv3-gl-checks >checks-class1f.tap 2>checks-class1f.log
unset LD_PRELOAD
nv3-gl-test compare nv3 llvmpipe >scenes-class17.tap
nv3-gl-test close programs llvmpipe >scenes-class1f.tap
exit 0'

rm -rf "$share"
mkdir -p "$share"
"$RECIPES/stage.sh" lts >/dev/null
"$RECIPES/mesa.sh" >/dev/null
"$TREE/vm/nv3-vm" exec --share "$share" --timeout 1800 -- "scene=$SCENE; $GUEST"
cp "$share"/*.tap "$results/"
{
	judge_capture "$share" frame-class17 $METHODS_MIN
	judge_capture "$share" frame-class1f $METHODS_MIN
	echo "1..$number"
} >"$results/frames.tap"
# Store the key of this Mesa build. check-native compares its pictures with the guest's pictures
# only if it tests the same build.
cp "$BUILD/mesa/release/.nv3-key" "$share/driver"
