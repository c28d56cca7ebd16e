#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Valgrind on programs of OpenGL in the guest of "make desktop": off screen, in a window
# of an X server's and in one of Weston's. No bad access and no leak is to have the nv3
# driver or libdrm_nv3 among its callers. Its reports are left in build/valgrind.
# Not part of "make check", as it takes long in an emulated guest.

source "$(dirname "$0")/../recipes/common.sh"

results=$1
share=$BUILD/valgrind

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
export HOME=/tmp LOGS=/share NV3_FRAMES=4
# watched NAME CMD...: what shows frames ends with the last
watched() {
	local name=$1
	shift
	NV3_FRAMES_TO=/tmp/$name LD_PRELOAD=/nv3/lib/nv3-frames.so valgrind \
		--leak-check=full --num-callers=30 --xml=yes --xml-file="/share/$name.xml" \
		"$@" >"/share/$name.log" 2>&1
	echo $? >"/share/$name.status"
}
export -f watched
watched surfaceless nv3-gl-steady 1
nv3-desktop xorg bash -c "watched x11 glxgears"
nv3-desktop weston bash -c "watched wayland es2gears_wayland"'

rm -rf "$share"
mkdir -p "$share"
"$TREE/vm/nv3-vm" exec --image desktop --fail-on-warn --share "$share" --timeout 3600 -- "$GUEST"
"$TREE/vm/root" "$TREE/vm/checks/valgrind-ours" "$share"/{surfaceless,x11,wayland} \
	>"$results/valgrind.tap"
