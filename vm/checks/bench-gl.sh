#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench-gl: OpenGL in the guest, the nv3 beside Debian's llvmpipe in one
# boot, at 640x480. One line a figure, separated by tabs:
#   name  value  unit  what it is measured against with its value  ratio
# PARTS= names some of: draw (triangles and pixels), scenes (glmark2's), cube
# (kmscube, beside the refresh rate), arena (OpenArena's timedemo: the frames of its
# first 60 s, from when the demo is loaded).

source "$(dirname "$0")/../recipes/common.sh"

parts=${PARTS:-draw scenes cube arena}

# shellcheck disable=SC2016 # the guest's shell is to expand it
GUEST='
export HOME=/tmp/home LOGS=/share
mkdir -p "$HOME"

draw() { nv3-gl-bench; }

scenes() {
	for scene in texture:duration=10 shading:shading=gouraud:duration=10 \
		build:use-vbo=true:duration=10; do
		fps=$(LD_PRELOAD=/nv3/lib/nv3-small-mode.so glmark2-es2-drm --off-screen \
			-b "$scene" 2>/dev/null | sed -n "s/.*FPS: \([0-9.]*\).*/\1/p" | head -n 1)
		name=${scene%%:*}
		[ "$name" != shading ] || name=gouraud
		printf "glmark2.%s\t%s\tFPS\n" "$name" "${fps:-0}"
	done
}

# It ends when there is something on its standard input, or an end of it.
cube() {
	fps=$(sleep 60 | kmscube -v 640x480 -c 600 | sed -n "s/.*(\([0-9.]*\) fps.*/\1/p" | tail -n 1)
	printf "kmscube\t%s\tFPS\n" "${fps:-0}"
}

demo() {
	LD_PRELOAD=/nv3/lib/nv3-frames.so NV3_FRAMES_FROM=CL_InitCGame NV3_FRAMES_FOR=60 \
		timeout 900 /usr/games/openarena +set cl_renderer opengl1 +set r_mode 3 \
		+set r_fullscreen 0 +set s_initsound 0 +set com_introplayed 1 \
		+set timedemo 1 +demo demo088-test1
}
export -f demo

arena() {
	nv3-desktop xorg bash -c "${1:-} demo" >"/share/arena-$side.log" 2>&1
	sed -n "s/^frames: \([0-9]*\) in \([0-9.]*\) s/\1 \2/p" "/share/arena-$side.log" |
		awk "{ printf \"arena\t%.2f\tFPS\n\", \$1 / \$2 }"
}

# The display is the nv3s on both sides; an X server of llvmpipes would be slower.
for part in $PARTS; do
	side=nv3
	"$part" >>/share/nv3.tsv
	side=llvmpipe
	case $part in
	cube) printf "kmscube\t60\tFPS\n" ;;
	arena) arena "LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1" ;;
	*) LD_LIBRARY_PATH= LIBGL_ALWAYS_SOFTWARE=1 "$part" ;;
	esac >>/share/llvmpipe.tsv
done'

share=$BUILD/bench-gl
rm -rf "$share"
mkdir -p "$share"
"$RECIPES/stage.sh" lts >/dev/null
"$RECIPES/mesa.sh" >/dev/null
"$TREE/vm/nv3-vm" exec --image desktop --share "$share" --timeout 3600 -- \
	"PARTS='$parts'; $GUEST" >&2
paste "$share/nv3.tsv" <(cut -f 2 "$share/llvmpipe.tsv") |
	awk -F '\t' -v OFS='\t' '{
		against = $1 == "kmscube" ? "refresh" : "llvmpipe"
		print $1, $2, $3, against " " $4, ($4 > 0 ? sprintf("%.2f", $2 / $4) : "-")
	}'
